"""What words are recognised as: a file or folder, a reference, a text; and what a clause may ask for."""

from __future__ import annotations

from typing import Any

import msgspec


class FileSaid(msgspec.Struct, frozen=True):
    """A file or folder as it was named: its name, the folder ("" when that was not said), whether it is a folder, and
    whether it was said to be new."""

    name: str
    folder: str = ""
    is_folder: bool = False
    is_new: bool = False


class Reference(msgspec.Struct, frozen=True):
    """Words that stand for something said before: "it", "there", "the result" (which is `named`)."""

    to: str
    named: bool = False


class Text(msgspec.Struct, frozen=True):
    """Words to be typed, whether they were marked as such (quoted, or behind a colon), and whether their end is `open`."""

    text: str
    marked: bool = True
    open: bool = False


class Reading(msgspec.Struct, frozen=True):
    """What a clause may ask for: the meaning, its slots, and how closely its words fit (more is better)."""

    meaning: str
    slots: dict[str, Any]
    rank: int
    verb: str = ""
