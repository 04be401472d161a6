"""Finds the files that the program ships beside its code: prompts, policy tables, styles, icons."""

from __future__ import annotations

import sys
from pathlib import Path


def path(*parts: str) -> Path:
    """The path of an asset, e.g. `path("prompts", "system.md")`.

    They lie in the package where it was installed, beside it in a checkout and in the packaged program; those of
    an extra in its folder.
    """
    package = Path(__file__).parents[1]
    beside = Path(getattr(sys, "_MEIPASS", package.parent))
    root = package if (package / "assets").is_dir() else beside
    own = root.joinpath("assets", *parts)
    if own.exists():
        return own
    found = (package / "extras").glob("/".join(("*", "assets", *parts)))
    return next(found, own)


def text(*parts: str) -> str:
    """The text of an asset."""
    return path(*parts).read_text(encoding="utf-8")
