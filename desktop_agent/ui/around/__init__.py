"""What surrounds the window: the icon in the tray, notifications, licences, and the report of a crash."""
