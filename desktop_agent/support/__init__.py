"""Serves every room: settings, folders, assets, plug-ins, API keys, the log file, command lines of child processes."""
