"""Paths as they are written in the index."""


def normalize(text):
    """One form for a path: forward slashes, none doubled, none at the end."""
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".")]
    lead = "/" if text[:1] in ("/", "\\") else ""
    return lead + "/".join(parts)


def parent(text):
    head, _, _ = normalize(text).rpartition("/")
    return head
