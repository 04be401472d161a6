"""Answers from inside Windows: what is on the screen, what is held, who runs, by Windows' own word.

Run there as `python -m installer.windows_check.probes.server PORT`: it connects to that port of 127.0.0.1 and answers one JSON line with one.
It uses nothing of the program that is checked. Source of the numbers: winuser.h, psapi.h and knownfolders.h.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from installer.windows_check.probes import clipboard, keys, killing, processes, windows


def environment(*names: str) -> dict[str, str]:
    """Values of environment variables."""
    return {name: os.environ.get(name, "") for name in names}


def files(folder: str, pattern: str) -> list[str]:
    """Paths below a folder that match, the newest last. A folder may be going meanwhile: only what is gone is left out."""
    found = []
    for name in glob.iglob(pattern, root_dir=folder, recursive=True, include_hidden=True):  # noqa: PTH207 - Path.glob of Windows' Python may raise at a folder that goes
        path = os.path.normpath(os.path.join(folder, name))  # noqa: PTH118 - as `root_dir` has it
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            found.append((_changed(path), path))
    return [path for _, path in sorted(found)]


def _changed(path: str) -> float:
    """When it was changed, 0 where Windows does not tell (of what is open and about to go); raises FileNotFoundError."""
    try:
        return Path(path).stat().st_mtime
    except PermissionError:
        return 0.0


def read(path: str) -> str:
    """What a text file holds by now."""
    return Path(path).read_text(encoding="utf-8", errors="replace")


def numbers(path: str) -> list[int]:
    """A file of 64-bit numbers, as they are now."""
    return list(memoryview(Path(path).read_bytes()).cast("Q"))


TASKS: dict[str, Callable[..., Any]] = {
    task.__name__: task
    for task in (
        *(environment, files, read, numbers),
        *(keys.held, keys.watch, keys.seen, clipboard.paste_text, killing.kill_and_watch),
        *(processes.running, processes.kill, processes.local_data),
        *(
            windows.listed,
            windows.text,
            windows.length,
            windows.set_text,
            windows.work_area,
            windows.foreground,
        ),
        *(windows.minimise, windows.fill_screen, windows.take_keyboard, windows.close, windows.end_session),
    )
}


def main() -> int:
    """Serve until the other side hangs up."""
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line, line.makefile("rwb") as stream:
        for request in stream:
            name, arguments = json.loads(request)
            try:
                answer = {"value": TASKS[name](*arguments)}
            except Exception as error:  # noqa: BLE001 - told to the other side, which decides
                answer = {"error": f"{type(error).__name__}: {error}"}
            stream.write(json.dumps(answer).encode() + b"\n")
            stream.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
