"""What runs inside a sandbox: the orchestrator and its environments.

Only Python's own library, 3.9 and later, and nothing of the rest of the program: the sandbox has neither.
"""
