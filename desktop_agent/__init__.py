"""A desktop coworker: it looks, plans, acts with the real mouse and keyboard, and always stops."""

__version__ = "0.5.0"
