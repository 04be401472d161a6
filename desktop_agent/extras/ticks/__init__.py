"""Runs policies that see a picture and say where pointer, buttons and keys are, many times a second."""
