"""Wraps stdout and stderr so that nothing written to them shows a secret or steers the terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from desktop_agent.redaction.redactor import Redactor
from desktop_agent.support.terminal_text import visible


class CleanStream:
    """A text stream that passes on cleaned whole lines; an unfinished line waits for its end or for `flush`.

    Cleaned means without known secrets, and with control sequences shown by their names.
    """

    def __init__(self, stream: TextIO, redactor: Redactor) -> None:
        self._stream = stream
        self._redactor = redactor
        self._waiting = ""

    def write(self, text: str) -> int:
        whole, _, rest = (self._waiting + text).rpartition("\n")
        self._waiting = rest
        if whole or "\n" in text:
            self._stream.write(visible(self._redactor.clean(whole + "\n")))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Pass on what waits, except what may be the beginning of a secret."""
        text = self._redactor.clean(self._waiting)
        held = self._redactor.held_back(text)
        self._waiting = text[len(text) - held :]
        if text[: len(text) - held]:
            self._stream.write(visible(text[: len(text) - held]))
        self._stream.flush()

    def finish(self) -> None:
        """Pass on everything that waits, at the end of the stream."""
        if self._waiting:
            self._stream.write(visible(self._redactor.clean(self._waiting)))
            self._waiting = ""
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def clean_streams(redactor: Redactor) -> Iterator[None]:
    """While it lasts, sys.stdout and sys.stderr are cleaned streams."""
    before = sys.stdout, sys.stderr
    streams = [CleanStream(each, redactor) if each is not None else None for each in before]
    sys.stdout, sys.stderr = streams
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for each in streams:
            if each is not None:
                with contextlib.suppress(OSError, ValueError):  # nobody reads any more
                    each.finish()
