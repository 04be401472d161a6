"""What stands in the window from top to bottom: header, plan, activity, chat, approval, composer."""
