"""The services of the AI Virtual Input System (AVIS): virtual input, permissions with code execution, hardware status."""
