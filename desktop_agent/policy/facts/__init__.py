"""Tells what an operation would touch: place, file, program and field, and whose words its text is."""
