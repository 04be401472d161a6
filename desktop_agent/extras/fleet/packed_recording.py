"""A run's folder as one file to be sent in pieces, and that file as a folder again."""

from __future__ import annotations

import os
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
            _extract(opened, part / "run")
        shutil.rmtree(into / name, ignore_errors=True)
        (part / "run" / name).rename(into / name)
    except tarfile.TarError as error:
        raise ValueError(f"the recording is damaged: {error}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _extract(opened: tarfile.TarFile, into: Path) -> None:
    """Write the files and folders of an archive below a folder. Raises ValueError at anything else or anywhere else, and OSError.

    By hand: tarfile's own filters came with Python 3.11.4, and Debian 12 has 3.11.2. No links, no devices, no files
    with holes; owner, rights and times of whoever packed it stay behind.
    """
    for each in opened:
        place = Path(os.path.normpath(into / each.name))
        source = opened.extractfile(each) if each.isreg() and not each.issparse() else None
        if not place.is_relative_to(into) or (source is None and not each.isdir()):
            raise ValueError(f"the recording is damaged: {each.name!r} is no file or folder of a run")
        (place if source is None else place.parent).mkdir(parents=True, exist_ok=True)
        if source is not None:
            with source, place.open("xb") as file:
                shutil.copyfileobj(source, file)
