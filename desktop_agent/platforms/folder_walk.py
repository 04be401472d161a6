"""Walks all that is below a folder, however deep, and watches how large it is.

`os.walk` calls itself for each level, which whoever writes there could use up; and no engine limits a folder of the host's.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

PAUSE_SECONDS, _AT_MOST = 1.0, 20
"""Between two looks; so many times as long as a look takes, where that is more."""
_MEGABYTE = 1 << 20


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


class HomeWatch:
    """From when it is made until `end`, in a thread: `too_large(words)` is called once when the folders together have more than they may."""

    def __init__(
        self, folders: Sequence[Path], megabytes: Callable[[], int], too_large: Callable[[str], object]
    ) -> None:
        self._folders, self._megabytes, self._too_large = folders, megabytes, too_large
        self._over = threading.Event()
        threading.Thread(target=self._watch, name="home", daemon=True).start()

    def end(self) -> None:
        self._over.set()

    def _watch(self) -> None:
        took = 0.0
        while not self._over.wait(max(PAUSE_SECONDS, took * _AT_MOST)):
            began = time.monotonic()
            size, most = sum(map(size_of, self._folders)) // _MEGABYTE, self._megabytes()
            took = time.monotonic() - began
            if size > most and not self._over.is_set():
                self._too_large(f"Its home has {size} MB, and may have {most}.")
                return


def size_of(folder: Path) -> int:
    """Bytes on the disk of all that is in a folder, as far as it can be seen; links are not followed."""
    total = 0
    for _, entries in walk(folder):
        for each in entries:
            with suppress(OSError):
                if not each.is_dir(follow_symlinks=False):
                    total += each.stat(follow_symlinks=False).st_blocks * 512
    return total
