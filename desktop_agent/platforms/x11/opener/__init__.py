"""Opens applications, files and addresses by the rules of freedesktop.org."""
