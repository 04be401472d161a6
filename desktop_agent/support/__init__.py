"""What every room may use: settings, folders, assets, plug-ins, keys, the log file, starting child processes."""
