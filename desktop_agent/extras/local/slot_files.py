"""The file in which llama.cpp keeps what a slot has read, with a description that binds it to its model.

llama.cpp takes what it reads back on trust. So a saved file is used only when the description beside it names
this model, this context size and this build, and when every byte of it is as it was written. The description is
put in place last and whole: whoever is killed while writing leaves the file before it, or none.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import IO

import msgspec

from desktop_agent.support.operating_system import WINDOWS
from desktop_agent.support.paths import FILE, private_folder, write_private

DESCRIPTION = "kv_cache.json"
_PREFIX, _SUFFIX = "kv_cache-", ".bin"
_BEGINNING = 500
"""Letters of the system prompt by which a conversation is known again: it differs only further on from run to run."""

log = logging.getLogger(__name__)


class Binding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a saved cache can be read back into: the model's fingerprint, its context in tokens, llama.cpp's build."""

    model: str
    context: int
    runtime: str


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of one saved cache: its file, the digest of that, what it is bound to, and how its conversation began."""

    file: str
    size: int
    digest: str
    binding: Binding
    beginning: str


class SlotFiles:
    """The saved cache in one folder, for the one process that holds it until `close`."""

    def __init__(self, folder: Path, binding: Binding, most_bytes: int, lock: IO[bytes]) -> None:
        self._folder, self._binding, self._most, self._lock = folder, binding, most_bytes, lock
        self._remove_others(self._description())

    def usable(self, system: str) -> str:
        """The name of a file that may be read back for a conversation with this system prompt, "" for none.

        One that is bound to another model or was damaged is removed, and the log says so.
        """
        found = self._description()
        if found is None:
            return ""
        if problem := self._problem(found):
            log.warning("the saved cache in %s is not used and made anew: %s", self._folder, problem)
            self.forget()
            return ""
        return Path(found.file).name if found.beginning == _beginning(system) else ""

    @contextlib.contextmanager
    def saving(self, system: str) -> Iterator[str]:
        """Gives the name of a new file; it takes the place of the one before once it has been written.

        Raises OSError where there is no room for it, or it has become too large: the one before stays then.
        """
        name = f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
        if shutil.disk_usage(self._folder).free < self._most:
            raise OSError(28, f"less than {self._most} bytes are free")
        try:
            yield name
            self._put_in_place(name, system)
        finally:
            self._remove_others(self._description())

    def forget(self) -> None:
        """Remove what is saved."""
        (self._folder / DESCRIPTION).unlink(missing_ok=True)
        self._remove_others(None)

    def close(self) -> None:
        """Leave the folder to others."""
        self._lock.close()

    def _put_in_place(self, name: str, system: str) -> None:
        path = self._folder / name
        path.chmod(FILE)
        size = path.stat().st_size
        if size > self._most:
            raise OSError(27, f"it has {size} bytes, and at most {self._most} are kept")
        made = Description(name, size, _digest(path), self._binding, _beginning(system))
        write_private(self._folder / DESCRIPTION, msgspec.json.encode(made))

    def _description(self) -> Description | None:
        with contextlib.suppress(OSError, msgspec.DecodeError, msgspec.ValidationError):
            return msgspec.json.decode((self._folder / DESCRIPTION).read_bytes(), type=Description)
        return None

    def _problem(self, found: Description) -> str:
        """Why the saved file may not be used; "" when it may."""
        if found.binding != self._binding:
            return "it belongs to another model, context size or version"
        path = self._folder / Path(found.file).name
        try:
            if path.stat().st_size != found.size or found.size > self._most or _digest(path) != found.digest:
                return "it is not what was saved"
        except OSError as error:
            return f"it cannot be read ({error.strerror})"
        return ""

    def _remove_others(self, kept: Description | None) -> None:
        """Remove files that a process left when it was killed while writing."""
        for path in self._folder.glob(f"{_PREFIX}*{_SUFFIX}"):
            if kept is None or path.name != kept.file:
                with contextlib.suppress(OSError):
                    path.unlink()


def open_slot_files(folder: Path, binding: Binding, most_bytes: int) -> SlotFiles | None:
    """The saved cache of a folder, which is made; None where another process has it. Raises OSError."""
    private_folder(folder)
    path = folder / "kv_cache.lock"
    path.touch(mode=FILE)
    lock = path.open("r+b")
    if _system().lock(lock):
        return SlotFiles(folder, binding, most_bytes, lock)
    lock.close()
    return None


def _system() -> ModuleType:
    if WINDOWS:
        from desktop_agent.platforms.windows import instance_lock as on_windows

        return on_windows
    from desktop_agent.platforms.posix import instance_lock

    return instance_lock


def _beginning(system: str) -> str:
    return hashlib.blake2b(system[:_BEGINNING].encode("utf-8", "replace"), digest_size=16).hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=32)).hexdigest()
