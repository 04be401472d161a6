"""A page that changes when it is told to, from a server on the loopback interface."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.report import BenchmarkError
from benchmarks.swapping.calm import PAGE
from benchmarks.swapping.stage import PATIENCE
from tests.support import loopback

TICK = 0.5  # seconds


class Page:
    """What the page is told, what it says it has drawn, and the labels that were pressed."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.orders: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._drawn: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.pressed: list[str] = []
        self.address = ""

    def do(self, what: str) -> None:
        """Have it change, and return when that has been drawn."""
        self.orders.put(what)
        self.drawn(what)

    def drawn(self, what: str) -> None:
        """Wait until the page says so. Raises BenchmarkError."""
        try:
            while self._drawn.get(timeout=PATIENCE) != what:
                pass
        except queue.Empty:
            raise BenchmarkError(f"the page did not draw {what!r}") from None

    def say(self, path: str) -> None:
        _, kind, what = path.split("/", 2)
        if kind == "drawn":
            self._drawn.put(what)
        elif kind == "press":
            self.pressed.append(what)


@contextmanager
def served() -> Iterator[Page]:
    """The page at `address`, until the context ends."""
    page = Page()

    class Handler(loopback.Handler):
        def get(self) -> None:
            if self.path == "/told":
                self._tell()
            else:
                self.say(PAGE.read_bytes())

        def post(self) -> None:
            page.say(self.path)
            self.say(b"", "text/plain", 204)

        def _tell(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.flush()
            while not page.ended.is_set():
                if order := _next(page):
                    self.wfile.write(f"data: {order}\n\n".encode())
                    self.wfile.flush()
                    if order in ("navigate", "back"):  # the page that comes then asks anew
                        return

    with loopback.serving(Handler) as port:
        page.address = f"http://127.0.0.1:{port}/"
        try:
            yield page
        finally:
            page.ended.set()


def _next(page: Page) -> str:
    try:
        return page.orders.get(timeout=TICK)
    except queue.Empty:
        return ""
