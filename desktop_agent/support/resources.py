"""Finds the files that the program ships beside its code: prompts, policy tables, styles, icons."""

from __future__ import annotations

import sys
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def path(*parts: str) -> Path:
    """The path of an asset, e.g. `path("prompts", "system.md")`; those of an extra lie in its folder."""
    own = _own().joinpath(*parts)
    if own.exists():
        return own
    found = (_PACKAGE / "extras").glob("/".join(("*", "assets", *parts)))
    return next(found, own)


def all_paths(*parts: str) -> tuple[Path, ...]:
    """The assets of this name: the program's own and those of its extras. For words, of which each brings its own."""
    folders = (_own(), *sorted((_PACKAGE / "extras").glob("*/assets")))
    return tuple(found for each in folders if (found := each.joinpath(*parts)).exists())


def text(*parts: str) -> str:
    """The text of an asset."""
    return path(*parts).read_text(encoding="utf-8")


def _own() -> Path:
    """The program's assets: in the package where it was installed, beside it in a checkout and in the packaged program."""
    beside = Path(getattr(sys, "_MEIPASS", _PACKAGE.parent))
    root = _PACKAGE if (_PACKAGE / "assets").is_dir() else beside
    return root / "assets"
