"""Keeps which widening settings the user has confirmed, in a file sealed with a key of the key store.

`<data>/confirmed-settings.json` is one JSON line `{"files", "keys", "seal"}`; the seal is a BLAKE2b with a key from
the system's key store, or without one from `<data>/settings.key`, which counts only while nobody else may read
it. So a program that was made to write config.toml, in an editor's Save dialog say, cannot confirm what it
wrote. It is no wall against a program of the same user that means to get around it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support.key_store import kept_in_store
from desktop_agent.support.operating_system import WINDOWS
from desktop_agent.support.paths import private_folder, write_private
from desktop_agent.support.rights import Rights, renamed

_STORE_NAME = "settings-seal"
_KEY_BYTES = 32
DAMAGED = "The record of the settings you confirmed was changed or cannot be read: none of them counts as confirmed."


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`files`: config file → its confirmed rights; `keys`: key → the origins it may be sent to besides its own."""

    files: dict[str, dict[str, Any]] = {}
    keys: dict[str, tuple[str, ...]] = {}
    seal: str = ""

    def sealed(self, key: bytes) -> _Record:
        bare = msgspec.json.encode(msgspec.structs.replace(self, seal=""))
        return msgspec.structs.replace(self, seal=hashlib.blake2b(bare, key=key, digest_size=32).hexdigest())


class ConfirmedSettings:
    """What is confirmed, read on first use. `problem` says why what was there does not count, "" when it does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / "confirmed-settings.json"
        self._key = b""
        self._record: _Record | None = None
        self.problem = ""

    @property
    def exists(self) -> bool:
        """Has anything ever been confirmed?"""
        return self._path.exists()

    def rights(self, file: str) -> Rights | None:
        """What was confirmed for this config file; None when nothing ever was."""
        confirmed = self._read().files.get(file)
        return renamed(confirmed) if confirmed is not None else None

    @property
    def keys(self) -> dict[str, tuple[str, ...]]:
        """Where keys may be sent besides their own provider."""
        return self._read().keys

    def keep(self, file: str, rights: Rights) -> None:
        """Record what is confirmed for a config file. Raises ConfigError when it cannot be written."""
        record = self._read()
        self._write(msgspec.structs.replace(record, files=record.files | {file: rights}))

    def keep_key(self, name: str, origin: str) -> None:
        """Record that a key may be sent to an origin. Raises ConfigError when it cannot be written."""
        record = self._read()
        origins = dict.fromkeys((*record.keys.get(name, ()), origin))
        self._write(msgspec.structs.replace(record, keys=record.keys | {name: tuple(origins)}))

    def _read(self) -> _Record:
        if self._record is None:
            self._record = self._verified()
        return self._record

    def _verified(self) -> _Record:
        if not self.exists:
            return _Record()
        try:
            record = msgspec.json.decode(self._path.read_bytes(), type=_Record)
            genuine = hmac.compare_digest(record.sealed(self._seal_key()).seal, record.seal)
        except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
            genuine = False
        if not genuine:
            self.problem = DAMAGED
            return _Record()
        return record

    def _write(self, record: _Record) -> None:
        try:
            private_folder(self._folder)
            record = record.sealed(self._seal_key())
            write_private(self._path, msgspec.json.encode(record) + b"\n")
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"What you confirmed cannot be kept in {self._folder}: {error}.",
                "Make that folder writable, or remove its files settings.key and confirmed-settings.json.",
            ) from error
        self._record = record

    def _seal_key(self) -> bytes:
        """The key, made when there is none yet. Raises OSError, and ValueError when it is no key."""
        if not self._key:
            kept = kept_in_store(_STORE_NAME, lambda: secrets.token_hex(_KEY_BYTES))
            self._key = bytes.fromhex(kept) if kept else self._key_file()
        if len(self._key) != _KEY_BYTES:
            raise ValueError("the key of the seal is damaged")
        return self._key

    def _key_file(self) -> bytes:
        path = self._folder / "settings.key"
        private_folder(self._folder)
        if not path.exists():
            write_private(path, secrets.token_hex(_KEY_BYTES).encode())
        if not WINDOWS and path.stat().st_mode & 0o077:  # another program wrote it: an editor, say
            raise ValueError(f"others may read {path}")
        return bytes.fromhex(path.read_text(encoding="ascii"))
