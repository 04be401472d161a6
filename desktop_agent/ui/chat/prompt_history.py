"""The user's earlier words, walked through with Up and Down; they are kept over restarts."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import msgspec

from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import paths
from desktop_agent.support.private_files import private_folder, write_private

FILE = paths.INPUT_HISTORY
MOST = 200
LONGEST = 4_000
"""Characters; longer words are not kept."""
MOST_BYTES = 2_000_000
"""A larger file is none of ours and not read."""


class PromptHistory:
    """The last MOST words of the user, oldest first, in a file that only the user may read.

    Marked and known secrets are never among them. Where nothing can be written nothing is remembered.
    """

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._file: Path | None = None
        self._lock = threading.Lock()
        self._reading: threading.Thread | None = None
        self._at = 0
        self._shown: str | None = None

    def keep_in(self, folder: Path) -> None:
        """Read what an earlier start has kept in this folder, in a thread of its own, and keep there what comes."""
        self._file = folder / FILE
        self._reading = threading.Thread(target=self._read, name="input history", daemon=True)
        self._reading.start()

    def add(self, text: str) -> None:
        """Keep words that were sent; the same words again move to the end."""
        self.set_aside(text)
        if self._file is not None:
            threading.Thread(target=self._write, name="input history").start()

    def set_aside(self, text: str) -> None:
        """Keep words that were not sent until the end of the session."""
        text = redactor().clean(redactor().mark(text))
        with self._lock:
            self._shown = None
            if text.strip() and len(text) <= LONGEST:
                self._texts = [*(each for each in self._texts if each != text), text][-MOST:]

    def older(self, text: str) -> str | None:
        """The words before those shown in the input; None when there are none, or `text` was changed by hand."""
        if self._reading is not None:
            self._reading.join(timeout=0.02)
        with self._lock:
            if text == "" or self._shown is None:
                self._at = len(self._texts)
            if (text and text != self._shown) or self._at == 0:
                return None
            return self._show(self._at - 1)

    def newer(self, text: str) -> str | None:
        """The words after those shown, "" after the last; None when none are shown or they were changed by hand."""
        with self._lock:
            if not text or text != self._shown:
                return None
            if self._at + 1 >= len(self._texts):
                self._shown = None
                return ""
            return self._show(self._at + 1)

    def _show(self, at: int) -> str:
        self._at = at
        self._shown = self._texts[at]
        return self._shown

    def _read(self) -> None:
        with self._lock, suppress(OSError, msgspec.DecodeError):
            if self._file is not None and self._file.stat().st_size <= MOST_BYTES:
                kept = msgspec.json.decode(self._file.read_bytes(), type=list[str])
                fresh = [each for each in kept if len(each) <= LONGEST and each not in self._texts]
                self._texts = [*fresh, *self._texts][-MOST:]

    def _write(self) -> None:
        with self._lock, suppress(OSError):
            if self._file is not None:
                private_folder(self._file.parent)
                write_private(self._file, msgspec.json.encode(self._texts))
