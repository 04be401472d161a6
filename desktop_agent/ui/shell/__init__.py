"""The window itself: frameless shape, docking, keyboard focus, global shortcuts, scaled screens."""
