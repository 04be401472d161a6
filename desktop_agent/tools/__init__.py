"""Environments: where a model works with files and commands instead of mouse and keyboard."""
