"""Finds the files that the program ships beside its code: prompts, policy tables, styles, icons."""

from __future__ import annotations

import sys
from pathlib import Path


def path(*parts: str) -> Path:
    """The path of an asset, e.g. `path("prompts", "system.md")`, in a checkout or a packaged program."""
    root = Path(getattr(sys, "_MEIPASS", Path(__file__).parents[2]))
    return root.joinpath("assets", *parts)


def text(*parts: str) -> str:
    """The text of an asset."""
    return path(*parts).read_text(encoding="utf-8")
