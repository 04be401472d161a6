"""The panels of the window: header, chat, plan, live picture, activity, notices, approval, composer."""
