"""How a process of the program begins and ends: console, crash reports, one instance a screen, what is loaded later."""
