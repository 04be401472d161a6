"""The image that sandboxes run: its Dockerfile, kept where the user can read and change it, and building it once."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_agent.protocol.errors import TargetError
from desktop_agent.support import resources
from desktop_agent.support.paths import write_private

if TYPE_CHECKING:
    from docker import DockerClient

NAME = "localhost/desktop-agent-sandbox"
_FILES = ("session", "logged-shell", "xterm", "chromium", "network-door")
_GENERATED = "# generated: "
"""Begins the first line of a Dockerfile of ours: a digest of what follows, by which a changed one is known."""


def keep_dockerfile(folder: Path) -> Path:
    """Write the Dockerfile and what it copies into the folder; one that the user has changed stays. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "Dockerfile"
    if not _is_changed(place):
        text = resources.text("sandbox", "Dockerfile")
        write_private(place, f"{_GENERATED}{_digest(text)}\n{text}".encode())
    for name in _FILES:
        write_private(folder / name, resources.text("sandbox", name).encode())
    return place


def _is_changed(place: Path) -> bool:
    """Is there a Dockerfile that is not as this program wrote it?"""
    try:
        first, _, rest = place.read_text(encoding="utf-8").partition("\n")
    except FileNotFoundError:
        return False
    return first != f"{_GENERATED}{_digest(rest)}"


def built(client: DockerClient, folder: Path, base: str, user: int) -> str:
    """The name of the image of this Dockerfile on this base, for the user with this id; built where it is not there.

    Raises TargetError with what the build said last.
    """
    from docker.errors import APIError, BuildError, ImageNotFound

    place = keep_dockerfile(folder)
    parts = (place.read_text(encoding="utf-8"), *(resources.text("sandbox", each) for each in _FILES))
    tag = f"{NAME}:{_digest(chr(0).join((*parts, base, str(user))))[:16]}"
    try:
        client.images.get(tag)
    except ImageNotFound:
        arguments = {"UID": str(user), **({"BASE": base} if base else {})}
        try:
            client.images.build(path=str(folder), tag=tag, buildargs=arguments, rm=True, forcerm=True)
        except (BuildError, APIError) as error:
            raise TargetError(
                f"The image of the sandbox could not be built: {_last_words(error)}",
                f"Its Dockerfile is {place}. Without a network set `base` in [target.container] to an image that is here.",
            ) from error
    return tag


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _last_words(error: Exception) -> str:
    said = [str(line.get("stream", "")).strip() for line in getattr(error, "build_log", ()) or ()]
    return f"{error} {' / '.join([each for each in said if each][-3:])}".strip()
