"""Keeps the head of each run's log, its last known line, in a sealed file apart from the log.

`<data>/heads/NAME.head` belongs to the log `<data>/runs/NAME/events.jsonl`. It is one JSON line `{"log",
"seq", "hash", "ended", "seal"}`; the seal is a BLAKE2b keyed with `<data>/heads/key`, so that a log cannot
be changed together with its head by somebody who cannot read that key. During a run the guard process
writes the head (`hand.guard.log_head_keeper`), so that killing the brain does not lose it.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import logging
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Protocol, runtime_checkable

import msgspec

from desktop_agent.hand.guard.log_head_keeper import patiently, write_whole
from desktop_agent.protocol.errors import StoreError
from desktop_agent.support.paths import private_folder

Tell = Callable[[Path, str, bool], bool]
"""(path, text, last): have the guard write a head; False when the guard cannot be reached."""

_KEY_BYTES = 32
_log = logging.getLogger(__name__)


@runtime_checkable
class HeadKeeper(Protocol):
    """A hand whose guard writes heads of logs."""

    def witness(self, path: Path, text: str, last: bool) -> bool: ...


def tell_guard(hand: object, path: Path, text: str, last: bool) -> bool:
    """Have the hand's guard write a head; False when the hand has no guard or cannot reach it."""
    return isinstance(hand, HeadKeeper) and hand.witness(path, text, last)


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Says that line `seq` (from 0) of the log of run `log` has this hash; `ended`: and that no line follows."""

    log: str
    seq: Annotated[int, msgspec.Meta(ge=0)]
    hash: str
    ended: bool
    seal: str = ""

    def sealed(self, key: bytes) -> Head:
        """The head with its seal: a BLAKE2b with this key."""
        bare = msgspec.json.encode(msgspec.structs.replace(self, seal=""))
        return msgspec.structs.replace(self, seal=hashlib.blake2b(bare, key=key, digest_size=16).hexdigest())


def folder_of(run: Path) -> Path:
    """Where the heads of the runs beside this one are."""
    return run.absolute().parent.parent / "heads"


def path_of(folder: Path, name: str) -> Path:
    """The file of the head of the run called `name`."""
    return folder / f"{name}.head"


def read(folder: Path, name: str) -> Head | None:
    """The head of a run, None when there is none. Raises StoreError when it or its key is damaged or was changed."""
    path = path_of(folder, name)
    try:
        raw = patiently(path.read_bytes)
        key = _read_key(folder)
    except FileNotFoundError:
        if path.exists():
            raise StoreError(f"The key {folder / 'key'} of the head is gone.") from None
        return None
    except (OSError, ValueError) as error:
        raise StoreError(f"The head {path} cannot be read: {error}.") from error
    try:
        head = msgspec.json.decode(raw, type=Head)
        genuine = msgspec.json.encode(head.sealed(key)) + b"\n" == raw
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise StoreError(f"The head {path} is damaged: {error}.") from error
    if not genuine or not hmac.compare_digest(head.sealed(key).seal, head.seal):
        raise StoreError(f"The head {path} was changed: its seal does not fit.")
    if head.log != name:
        raise StoreError(f"The head {path} belongs to another run, {head.log}.")
    return head


def _read_key(folder: Path) -> bytes:
    key = bytes.fromhex((folder / "key").read_text(encoding="ascii"))
    if len(key) != _KEY_BYTES:
        raise ValueError("the key is damaged")
    return key


def _make_key(folder: Path) -> bytes:
    """The folder's key, created when there is none; two programs that start at once get the same. Raises OSError."""
    private_folder(folder)
    path = folder / "key"
    with contextlib.suppress(FileNotFoundError):
        return _read_key(folder)
    fresh = path.with_name(f".key.{os.getpid()}")
    try:
        write_whole(fresh, secrets.token_hex(_KEY_BYTES))
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
    return _read_key(folder)


class Heads:
    """Writes the head of one run as its log grows; `tell` passes it to the guard, once there is one."""

    def __init__(self, run: Path, tell: Tell) -> None:
        """Raises StoreError when heads cannot be kept."""
        self._name = run.name
        self._folder = folder_of(run)
        self._path = path_of(self._folder, self._name)
        self._tell = tell
        try:
            self._key = _make_key(self._folder)
        except (OSError, ValueError) as error:
            raise StoreError(
                f"The head of the log cannot be kept in {self._folder}: {error}.",
                "Free some space there, make that folder writable, or mend its file called key.",
            ) from error

    def before(self) -> Head | None:
        """The head that is there when a log is opened again. Raises StoreError as `read` does."""
        return read(self._folder, self._name)

    def begin(self, seq: int, digest: str) -> None:
        """Write the first head. Raises StoreError."""
        try:
            write_whole(self._path, self._text(seq, digest, ended=False))
        except OSError as error:
            raise StoreError(
                f"The head of the log cannot be written to {self._path}: {error.strerror}.",
                "Free some space there or make that folder writable, then start again.",
            ) from error

    def grown(self, seq: int, digest: str) -> None:
        """Pass on that the log has a new last line."""
        self._tell(self._path, self._text(seq, digest, ended=False), False)

    def end(self, seq: int, digest: str) -> None:
        """Mark this line as the last. The guard is told first, so that it writes nothing older over it."""
        text = self._text(seq, digest, ended=True)
        self._tell(self._path, text, True)
        try:
            write_whole(self._path, text)
        except OSError as error:
            _log.warning("the head of the log cannot be written to %s: %s", self._path, error)

    def _text(self, seq: int, digest: str, *, ended: bool) -> str:
        head = Head(self._name, seq, digest, ended).sealed(self._key)
        return msgspec.json.encode(head).decode()
