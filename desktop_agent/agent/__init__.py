"""The loop: look, plan, act, look again."""
