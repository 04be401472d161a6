"""Finds the files that the program ships beside its code: prompts, policy tables, styles, icons."""

from __future__ import annotations

import sys
from pathlib import Path


def path(*parts: str) -> Path:
    """The path of an asset, e.g. `path("prompts", "system.md")`.

    They lie in the package where it was installed, beside it in a checkout and in the packaged program.
    """
    package = Path(__file__).parents[1]
    beside = Path(getattr(sys, "_MEIPASS", package.parent))
    root = package if (package / "assets").is_dir() else beside
    return root.joinpath("assets", *parts)


def text(*parts: str) -> str:
    """The text of an asset."""
    return path(*parts).read_text(encoding="utf-8")
