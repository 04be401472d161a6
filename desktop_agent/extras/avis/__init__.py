"""The AI Virtual Input System: a virtual UI that a program of the user loads and works by commands."""
