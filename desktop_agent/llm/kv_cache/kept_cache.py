"""The cache that a model's `call` hands from one question to the next, and its file `kv_cache.pt`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from desktop_agent.llm.kv_cache import tensor_file
from desktop_agent.support.private_files import private_folder, write_private

FILE = "kv_cache.pt"
EVERY = 8
"""Questions from one writing of the file to the next; it is written at the end, too."""
ApiMessages: TypeAlias = Sequence[dict[str, Any]]

log = logging.getLogger(__name__)


class KeptCache:
    """The newest cache of one model, with the messages it was made of.

    It is given to a question only where the messages begin with those it was made of, so that it never stands
    for words that have been taken out since; `compares`: the model finds out by itself how far it fits, and is
    always given it. Only the thread that calls the model uses it, and `close`.
    """

    def __init__(self, folder: Path, binding: str, most_bytes: int, *, compares: bool) -> None:
        self._path, self._binding, self._most, self._compares = folder / FILE, binding, most_bytes, compares
        self._value: Any = None
        self._messages: list[dict[str, Any]] = []
        self._read = most_bytes == 0
        self._known = ""  # digest of the messages where it was read from the file
        self._count = 0
        self._unsaved = 0
        self._saved = False

    def of(self, messages: ApiMessages) -> Any:
        """The cache for a question with these messages; None where there is none that fits."""
        if not self._read:
            self._read = True
            self._read_file()
        if self._value is None or self._compares:
            return self._value
        beginning = list(messages[: self._count])
        same = _digest(beginning) == self._known if self._known else beginning == self._messages
        return self._value if same and len(messages) >= self._count else None

    def keep(self, value: Any, messages: ApiMessages) -> None:
        """Take what a call returned."""
        self._value, self._messages, self._known = value, list(messages), ""
        self._count = len(self._messages)
        self._unsaved += 1
        if not self._saved or self._unsaved >= EVERY:
            self.save()

    def drop(self) -> None:
        """Forget what is in memory: a call that nobody waited for may have changed it."""
        self._value, self._messages, self._known, self._count = None, [], "", 0

    def save(self) -> None:
        """Write the file where something is new; what cannot be written stays in memory, and the log says why."""
        if not self._unsaved or not self._most:
            return
        self._unsaved, self._saved = 0, True
        try:
            if self._value is None:
                return
            known = self._known or _digest(self._messages)
            file = tensor_file.written(
                {"cache": self._value, "messages": known, "count": self._count}, self._binding
            )
            if len(file) > self._most:
                log.warning("the cache has %s bytes, so it is kept in memory only", len(file))
                return
            private_folder(self._path.parent)
            write_private(self._path, file)
        except tensor_file.NotPlain as error:
            self._most = 0
            log.warning("the cache holds %s, which only pickle could write: it is kept in memory only", error)
        except OSError as error:
            log.warning("the cache cannot be written to %s: %s", self._path, error)
        except Exception as error:  # noqa: BLE001 - boundary: what a foreign class keeps may raise anything
            self._most = 0
            log.warning("the cache cannot be read out, so it is kept in memory only: %r", error)

    def _read_file(self) -> None:
        for part in self._path.parent.glob(f".{FILE}.*"):  # of a process that was killed while writing
            with contextlib.suppress(OSError):
                part.unlink()
        try:
            if self._path.stat().st_size > self._most:
                raise tensor_file.NotOurs("it is larger than may be kept")
            found = tensor_file.read(self._path.read_bytes(), self._binding)
            value, known, count = found["cache"], str(found["messages"]), int(found["count"])
        except FileNotFoundError:
            return
        except (OSError, tensor_file.NotOurs, KeyError, TypeError, ValueError) as error:
            log.warning("%s is not used and made anew: %s", self._path, error)
            with contextlib.suppress(OSError):
                self._path.unlink()
            return
        self._value, self._known, self._count = value, known, count


def _digest(messages: ApiMessages) -> str:
    text = json.dumps(messages, sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=32).hexdigest()
