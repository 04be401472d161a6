"""The map of a desktop: places, the controls seen in them, and what leads from one to another."""
