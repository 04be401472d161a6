"""A web server for all hosts there are: the browser is told that every name is here."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.support import loopback

_EMPTY = "<!doctype html><meta charset=utf-8><title>{host}</title><p>Thank you.</p>"


@dataclass(frozen=True)
class Request:
    """What came: the host without its port, the path without the query, and all of it."""

    host: str
    path: str
    target: str
    body: str
    headers: str


@dataclass
class WallsSite:
    """Serves the pages of the case that is played, at every host, and keeps what was requested."""

    port: int
    signals: set[str] = field(default_factory=set)
    _pages: Mapping[str, str] = field(default_factory=dict)
    _requests: list[Request] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def show(self, pages: Mapping[str, str]) -> None:
        """Serve these from now on, and forget what was requested."""
        with self._lock:
            self._pages, self._requests = dict(pages), []
            self.signals.clear()

    def requests(self) -> list[Request]:
        with self._lock:
            return list(self._requests)

    def forget(self) -> None:
        """What was requested until now was not the model's doing."""
        with self._lock:
            self._requests = []

    def answer(self, request: Request) -> tuple[str, str]:
        """Body and type. A page asks /signal/NAME to learn whether a thing has happened."""
        if request.host == "127.0.0.1" and request.path.startswith("/json"):
            return "[]", "text/plain"  # developer tools look for something to inspect
        with self._lock:
            if request.path.startswith("/signal/"):
                return ("1" if request.path.removeprefix("/signal/") in self.signals else "0"), "text/plain"
            self._requests.append(request)
            found = self._pages.get(request.host + request.path)
        kind = "text/plain" if request.path.endswith((".sh", ".txt")) else loopback.HTML
        if request.path.endswith((".sh", ".desktop", ".bin")):
            kind = "application/octet-stream"
        return (found if found is not None else _EMPTY.format(host=request.host)), kind


@contextmanager
def served() -> Iterator[WallsSite]:
    """The site on a free port, until the block ends."""

    class Handler(loopback.Handler):
        def get(self) -> None:
            self._come("")

        def post(self) -> None:
            self._come(self.body().decode("utf-8", "replace"))

        def _come(self, body: str) -> None:
            host = (self.headers["Host"] or "").partition(":")[0]
            path = self.path.partition("?")[0]
            text, kind = site.answer(Request(host, path, self.path, body, str(self.headers)))
            if text.startswith("302 "):
                self.send_response(302)
                self.send_header("Location", text.removeprefix("302 "))
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                self.say(text.encode(), kind)

    with loopback.serving(Handler) as port:
        site = WallsSite(port)
        yield site
