"""Cases from the user's side for working a machine through a camera and a wire: jobs, forms, screens, and their judge.

Nothing in here knows desktop_agent, so that the cases cannot be fitted to what it can do. See README.md.
"""
