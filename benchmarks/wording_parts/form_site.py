"""The loopback pages of the spoken jobs, and what came from the browser: visits, forms, and fields that were changed."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from benchmarks.wording_parts.spoken_jobs import Posted
from tests.support import loopback

PAGES = Path(__file__).parent / "pages"
STATE = "/state"
_QUIET = ("/favicon.ico", "/watch.js")


class FormSite:
    """Serves `pages/A-B.html` at `/A/B`; keeps the paths that were visited and the fields that were sent, in order.

    `forms` is what the fields of forms held when a page came up and whenever one changed, sent or not.
    """

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._visits: list[str] = []
        self._sent: list[Posted] = []
        self._forms: list[Mapping[str, str]] = []
        self._lock = threading.Lock()

    def get(self, target: str) -> bytes | None:
        """Note a visit, or a form that was sent in the address; returns the page, None when there is none."""
        path, fields = urlsplit(target).path, _fields(urlsplit(target).query)
        with self._lock:
            if fields:
                self._sent.append(Posted(path, fields, "GET"))
            elif path not in _QUIET:
                self._visits.append(path)
        return _page(path)

    def post(self, target: str, body: str) -> bytes:
        """Note a form that was sent, or what its fields hold; returns the page that comes then."""
        path = urlsplit(target).path
        with self._lock:
            if path == STATE:
                self._forms.append(_fields(body))
            else:
                self._sent.append(Posted(path, _fields(body)))
        return _page("/answer") or b""

    @property
    def visits(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._visits)

    @property
    def sent(self) -> tuple[Posted, ...]:
        with self._lock:
            return tuple(self._sent)

    @property
    def forms(self) -> tuple[Mapping[str, str], ...]:
        with self._lock:
            return tuple(self._forms)


def _fields(query: str) -> dict[str, str]:
    found = parse_qs(query, keep_blank_values=True)
    return {name: ", ".join(values).strip() for name, values in found.items()}


def _page(path: str) -> bytes | None:
    name = path.strip("/").replace("/", "-")
    page = PAGES / (name if name == "watch.js" else f"{name}.html")
    return page.read_bytes() if page.is_file() else None


@contextmanager
def form_site() -> Iterator[FormSite]:
    """The pages on a free port, until the block ends."""

    class Handler(loopback.Handler):
        def get(self) -> None:
            page = site.get(self.path)
            kind = "text/javascript" if self.path == "/watch.js" else loopback.HTML
            self.say(page or b"", kind, 404 if page is None else 200)

        def post(self) -> None:
            self.say(site.post(self.path, self.body().decode()))

    with loopback.serving(Handler) as port:
        site = FormSite(port)
        yield site
