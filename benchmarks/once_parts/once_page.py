"""A page of the benchmark: `NAME.html` and `NAME.json` beside it; served on a loopback port, which counts what is sent.

Keys of `NAME.json`, all but the first three may be left out:

- `goal`: the user's words
- `send`: the name of the button that sends, or `"ENTER"`
- `expects`: words that an element says once it was sent
- `fill`: steps before it, each `{"type": TEXT, "into": NAME}` or `{"click": NAME}`
- `answer`, `after`: what `/send` answers, and after how many milliseconds (a text that begins with `<` is a page)
- `presses`: how often the button is to be pressed (1); more only for what is pressed again and again, like a `+`
- `sends`: how many requests that makes (1; 0 where nothing is sent)

A page sends by a request to `/send`, of any method and with any query. Other `.html` files of the folder are served by
their names (for frames). A page is honest: it says what became of what was sent, sooner or later.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tests.support import loopback

OWN = Path(__file__).with_name("pages")
_NO_TRANSLATION = b'<!doctype html><meta name="google" content="notranslate">'


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is put in: a text into a field, or a press on something."""

    type: str = ""
    into: str = ""
    click: str = ""


class OncePage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One page as its record tells it."""

    goal: str
    send: str
    expects: str
    fill: tuple[Step, ...] = ()
    answer: str = "Done"
    after: int = 20
    presses: int = 1
    sends: int = 1
    name: str = ""
    folder: str = ""


def pages_in(folder: Path) -> list[OncePage]:
    """The pages of a folder, by name. Raises msgspec.ValidationError for a record that is not as it has to be."""
    found = [
        (each, msgspec.json.decode(each.read_bytes(), type=OncePage))
        for each in sorted(folder.glob("*.json"))
    ]
    return [msgspec.structs.replace(page, name=file.stem, folder=str(folder)) for file, page in found]


def others() -> Path | None:
    """The folder of other people's pages, which the variable ONCE_PAGES names; None without one."""
    named = os.environ.get("ONCE_PAGES", "")
    return Path(named) if named else None


@dataclass
class OnceSite:
    """Serves one page; `sent` are the bodies or queries of what was sent, oldest first."""

    port: int
    sent: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def url(self, page: OncePage) -> str:
        return f"http://127.0.0.1:{self.port}/{page.name}.html"

    def take(self, what: str) -> None:
        with self._lock:
            self.sent.append(what)


@contextmanager
def served(page: OncePage) -> Iterator[OnceSite]:
    """The page on a free port, until the block ends."""

    class Handler(loopback.Handler):
        def get(self) -> None:
            path, _, query = self.path.partition("?")
            if path == "/send":
                self._send_answer(query)
                return
            file = Path(page.folder) / Path(path).name
            if file.suffix != ".html" or not file.is_file():
                self.send_error(404)
                return
            self.say(_NO_TRANSLATION + file.read_bytes())

        def post(self) -> None:
            body = self.body().decode("utf-8", "replace")
            if self.path.partition("?")[0] == "/send":
                self._send_answer(body)
            else:
                self.send_error(404)

        def _send_answer(self, what: str) -> None:
            site.take(what)
            time.sleep(page.after / 1000)  # as a server that has something to do
            html = page.answer.startswith("<")
            self.say(page.answer.encode(), loopback.HTML if html else "text/plain; charset=utf-8")

    with loopback.serving(Handler) as port:
        site = OnceSite(port)
        yield site
