"""Reads from /proc what another process has to do with files; empty where the system does not tell."""

from __future__ import annotations

import os
import re
from pathlib import Path

_WATCH = re.compile(r"^inotify wd:\S+ ino:([0-9a-f]+) sdev:([0-9a-f]+)", re.MULTILINE)
_MINOR_BITS = 20


def variable(pid: int, name: str) -> str:
    """An environment variable that the process was started with."""
    key = name.encode() + b"="
    found = (each for each in _read(pid, "environ").split(b"\0") if each.startswith(key))
    return os.fsdecode(next(found, key)[len(key) :])


def variables(pid: int) -> dict[str, str]:
    """All environment variables that the process was started with."""
    pairs = (each.partition(b"=") for each in _read(pid, "environ").split(b"\0"))
    return {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs if name}


def working_folder(pid: int) -> str:
    """The process's current folder."""
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink()) if pid else ""
    except OSError:
        return ""


def arguments(pid: int) -> tuple[str, ...]:
    """What it was started with, without its own name."""
    return tuple(os.fsdecode(each) for each in _read(pid, "cmdline").split(b"\0")[1:] if each)


def watched_files(pid: int) -> frozenset[tuple[int, int]]:
    """Device and inode of what it watches by inotify: a file dialog of GTK watches the folder that it shows.

    Source of the form: proc(5), /proc/pid/fdinfo; `sdev` is the kernel's own number, with 20 bits for the minor.
    """
    found = set()
    try:
        for entry in Path(f"/proc/{pid}/fdinfo").iterdir() if pid else ():
            for inode, device in _WATCH.findall(entry.read_text(encoding="ascii", errors="replace")):
                number = int(device, 16)
                place = os.makedev(number >> _MINOR_BITS, number & (1 << _MINOR_BITS) - 1)
                found.add((place, int(inode, 16)))
    except OSError:
        return frozenset()
    return frozenset(found)


def _read(pid: int, what: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{what}").read_bytes() if pid else b""
    except OSError:
        return b""
