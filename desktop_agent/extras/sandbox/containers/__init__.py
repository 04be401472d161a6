"""Sandboxes in containers, by the API that Docker and Podman have in common."""
