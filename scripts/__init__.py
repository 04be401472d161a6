"""Set-up and checks of this project; only the standard library, because they run before anything is installed."""
