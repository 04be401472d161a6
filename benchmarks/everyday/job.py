"""One everyday job as a record, and all that its outcome is judged by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from benchmarks.everyday.site import Site


class Outcome(msgspec.Struct, frozen=True):
    """What is there when the agent has ended: files, what pages were sent, windows, what they show, and what was told.

    `shown` are the names and values of all elements on the screen; `told` is the agent's last message, which
    only counts where the user asked to be told something.
    """

    home: Path
    site: Site
    windows: tuple[str, ...]
    shown: tuple[str, ...]
    told: str

    def text(self, name: str) -> str:
        """The words of a file in the home folder, "" when it is not there; a line feed at the end does not count."""
        path = self.home / name
        return path.read_text(encoding="utf-8").removesuffix("\n") if path.is_file() else ""

    def has(self, name: str) -> bool:
        return (self.home / name).exists()

    def open(self, part: str) -> bool:
        """Has a window this in its title?"""
        return any(part in title for title in self.windows)


class Job(msgspec.Struct, frozen=True):
    """What a user asks for, of which `program` (`{site}` stands for the address of the pages) and how it is seen to be done.

    `files` are in the home folder before it begins; a name that ends in a slash is a folder.
    """

    program: str
    words: str
    check: Callable[[Outcome], bool]
    files: Mapping[str, str] = {}
