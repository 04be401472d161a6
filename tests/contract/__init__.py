"""What every plug-in keeps to: each suite runs on all that discovery finds, installed ones too."""
