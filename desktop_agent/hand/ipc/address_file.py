"""The address of the target, kept beside the shared block: every guard reads it, the one that is started for a dead pair too."""

from __future__ import annotations

from pathlib import Path

import msgspec

from desktop_agent.protocol.errors import HandError
from desktop_agent.targets.base import Address

NAME = "address"


FOLDER_PREFIX = "desktop-agent-hand-"
"""Of a folder for temporary files, one for each pair of hand and guard."""
SHARED = "shared"
"""The file of the shared block, which each of the processes has open."""


def write_address(folder: Path, address: Address) -> None:
    """Write it without its secrets. Raises HandError when the disk refuses."""
    try:
        (folder / NAME).write_bytes(msgspec.json.encode(msgspec.structs.replace(address, secrets={})))
    except OSError as error:
        raise HandError(
            f"Cannot write {folder / NAME}: {error.strerror}.",
            "Free space there, or set TMPDIR to another folder.",
        ) from error


def read_address(folder: Path) -> Address:
    """Raises HandError when there is none."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=Address)
    except (OSError, msgspec.MsgspecError) as error:
        raise HandError(
            f"The guard was not told where the inputs are: {error}.", "Start the program again."
        ) from error
