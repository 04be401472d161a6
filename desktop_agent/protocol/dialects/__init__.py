"""The forms in which models say a reply; every file without an underscore but base is one."""
