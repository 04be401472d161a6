"""The checks of cua-auto-harness, the desktops they are carried out on, and whose hand acts there."""
