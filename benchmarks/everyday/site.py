"""The loopback pages of the everyday jobs, and what was sent to them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.support import loopback

PAGES = Path(__file__).parent / "pages"


class Site:
    """Serves `pages/NAME.html` at `/NAME`; keeps the fields that each form sent, in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._visits: list[tuple[str, dict[str, str]]] = []
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def visit(self, target: str) -> bytes | None:
        """Note a visit; returns the page."""
        parts = urlsplit(target)
        fields = {name: ", ".join(values) for name, values in parse_qs(parts.query).items()}
        with self._lock:
            self._visits.append((parts.path, fields))
        page = PAGES / f"{Path(parts.path).name}.html"
        return page.read_bytes() if page.is_file() else None

    def sent(self, path: str) -> list[dict[str, str]]:
        """The fields that came with each visit of a path."""
        with self._lock:
            return [fields for each, fields in self._visits if each == path]


@contextmanager
def served() -> Iterator[Site]:
    """The pages on a free port, until the block ends."""

    class Handler(loopback.Handler):
        def get(self) -> None:
            page = site.visit(self.path)
            self.say(page or b"", status=404 if page is None else 200)

    with loopback.serving(Handler) as port:
        site = Site(port)
        yield site
