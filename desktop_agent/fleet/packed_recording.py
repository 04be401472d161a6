"""A run's folder as one file to be sent in pieces, and that file as a folder again."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterable
from pathlib import Path

PIECE = 2 << 20
"""Bytes that are sent at once: several have room in the smallest of Ray's stores."""


def pack(folder: Path, file: Path) -> int:
    """Pack the files of a run; returns the size. Raises OSError."""

    def wanted(each: tarfile.TarInfo) -> tarfile.TarInfo | None:
        plain = each.isfile() or each.isdir()
        return each if plain and each.name != f"{folder.name}/lock" else None

    with tarfile.open(file, "w", dereference=False) as packed:
        packed.add(folder, folder.name, filter=wanted)
    return file.stat().st_size


def unpack(pieces: Iterable[bytes], name: str, into: Path) -> None:
    """Make the folder `into / name` of what was packed; nothing stands there unless all of it came. Raises OSError, ValueError."""
    part = into / ".part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700)
    try:
        packed = part / "packed.tar"
        with packed.open("wb") as file:
            for piece in pieces:
                file.write(piece)
        with tarfile.open(packed, "r:") as opened:
            opened.extractall(part / "run", filter="data")
        shutil.rmtree(into / name, ignore_errors=True)
        (part / "run" / name).rename(into / name)
    except tarfile.TarError as error:
        raise ValueError(f"the recording is damaged: {error}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
