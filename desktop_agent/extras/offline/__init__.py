"""The model without a key: a planner that understands everyday instructions."""
