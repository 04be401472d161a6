"""Walks all that is below a folder, however deep: `os.walk` calls itself for each level, which whoever writes there could use up."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path


def walk(
    root: Path, closed: Callable[[str], object] = lambda _: None
) -> Iterator[tuple[str, list[os.DirEntry[str]]]]:
    """Each folder by its path below `root` ("" for it) with what is in it; links are not followed.

    What cannot be looked into is given to `closed`. A folder that is taken out of the list is not entered.
    """
    waiting = [""]
    while waiting:
        at = waiting.pop()
        try:
            with os.scandir(root / at) as found:
                entries = list(found)
        except FileNotFoundError:
            continue
        except OSError:
            closed(at)
            continue
        yield at, entries
        waiting += [below(at, each.name) for each in entries if each.is_dir(follow_symlinks=False)]


def below(folder: str, name: str) -> str:
    """The path of a name in a folder of `walk`."""
    return f"{folder}/{name}" if folder else name
