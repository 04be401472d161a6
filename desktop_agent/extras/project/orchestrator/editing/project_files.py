"""Looks through the files of the project: bounded, and not into what is hidden or made by tools."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from desktop_agent.extras.project.orchestrator.editing.text_file import MOST_BYTES, EditRefused, ProjectFiles

MOST_FILES = 2_000
_MOST_ENTRIES = 50_000
_SKIPPED = frozenset(("__pycache__", "node_modules", "build", "venv"))


@dataclass(frozen=True)
class Looked:
    """The files that were found, by path from the project's folder, and whether these are all."""

    paths: list[str]
    all: bool


def find(files: ProjectFiles, wanted: Callable[[str], bool], under: str = ".") -> Looked:
    """The wanted files below this folder, those of a folder before those of the folders in it."""
    prefix = "" if under == "." else f"{under}/"
    paths: list[str] = []
    for seen, path in enumerate(_walk(files.root / under, prefix)):
        if seen >= _MOST_ENTRIES or len(paths) >= MOST_FILES:
            return Looked(paths, all=False)
        if path and wanted(path):
            paths.append(path)
    return Looked(paths, all=True)


def contents(files: ProjectFiles, path: str) -> bytes:
    """The bytes of the file, none where it may not or cannot be read."""
    try:
        return files.read_bytes(path)
    except (EditRefused, OSError):
        return b""


def matches(path: str, glob: str) -> bool:
    """Does the path, or its last part, match? `**/` stands for any folders, also for none."""
    name = path.rpartition("/")[2]
    plain = glob[3:] if glob.startswith("**/") else glob
    return (
        any(fnmatchcase(path, each) for each in (glob, plain))
        or fnmatchcase(name, plain)
        or fnmatchcase(path, f"{glob.rstrip('/')}/*")
    )


def _walk(root: Path, under: str) -> Iterator[str]:
    """The path of each small regular file, "" for each other entry; links are not followed."""
    waiting = [(root, under)]
    while waiting:
        folder, prefix = waiting.pop()
        folders = []
        for entry in _entries(folder):
            if _is_folder(entry):
                folders.append(entry.name)
                yield ""
            else:
                yield f"{prefix}{entry.name}" if _is_small_file(entry) else ""
        looked_into = [
            name for name in reversed(folders) if name not in _SKIPPED and not name.startswith(".")
        ]
        waiting += [(folder / name, f"{prefix}{name}/") for name in looked_into]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in the folder by name, nothing where it cannot be read."""
    try:
        with os.scandir(folder) as scan:
            return sorted(scan, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_small_file(entry: os.DirEntry[str]) -> bool:
    try:
        return (
            entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_size <= MOST_BYTES
        )
    except OSError:
        return False
