"""Form pages on a loopback port, what their DOM says of the controls, and what was submitted.

The pages are `forms/*.html` in styles of their own. A script that is added to each posts the place, role, name, value
and state of every control, so that what is read from a picture can be compared with what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from desktop_agent.protocol.geometry import Rect
from tests.support import loopback
from tests.support.waiting import until

FOLDER = Path(__file__).parent / "forms"
NAMES = tuple(sorted(each.stem for each in FOLDER.glob("*.html")))
THANKS = b"<!doctype html><title>Thank you</title><h1>Thank you</h1><p>Your form has arrived.</p>"
_HEAD = b'<!doctype html><meta name="google" content="notranslate">'
_TELL = """<script>addEventListener("load", () => document.fonts.ready.then(() => setTimeout(() => {
const role = e => e.tagName == "SELECT" ? "combo box" : e.tagName == "BUTTON" ? "push button" : e.tagName == "A" ? "link"
  : e.type == "checkbox" ? "check box" : e.type == "radio" ? "radio button" : "entry";
const name = e => e.tagName == "BUTTON" || e.tagName == "A" ? e.innerText : e.labels && e.labels.length
  ? e.labels[0].innerText.split("\\n")[0] : e.closest("td") ? e.closest("tr").cells[0].innerText
  : e.parentElement.innerText.split("\\n")[0];
const left = screenX + (outerWidth - innerWidth) / 2, top = screenY + outerHeight - innerHeight;
const found = [...document.querySelectorAll("input,select,textarea,button,a")].map(e => { const r = e.getBoundingClientRect();
  return {role: role(e), name: name(e).trim(), value: e.tagName == "SELECT" ? e.selectedOptions[0].text
    : e.tagName == "BUTTON" || e.tagName == "A" || e.type == "checkbox" || e.type == "radio" ? "" : e.value || e.placeholder || "",
    checked: !!e.checked, multiline: e.tagName == "TEXTAREA",
    place: [left + r.x, top + r.y, r.width, r.height].map(Math.round)}});
fetch("/truth", {method: "POST", body: JSON.stringify(found)});}, 300)));</script>"""


class TrueControl(msgspec.Struct, frozen=True):
    """A control as the DOM has it; `place` is x, y, width and height in screen pixels."""

    role: str
    name: str
    value: str
    checked: bool
    multiline: bool
    place: tuple[int, int, int, int]

    @property
    def bounds(self) -> Rect:
        return Rect(*self.place)


class FormSite:
    """The pages of `folder` by name on a loopback port; `submitted` are the forms sent, oldest first."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.submitted: list[dict[str, Any]] = []
        self.truth: tuple[TrueControl, ...] = ()

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{name}"

    def controls(self) -> tuple[TrueControl, ...]:
        """What the page that was loaded last says of its controls; waits for it."""
        return until(lambda: self.truth, "the page's word of its controls")


@contextmanager
def served_forms(folder: Path = FOLDER) -> Iterator[FormSite]:
    """Serve the pages while this lasts."""
    site: list[FormSite] = []

    class Handler(loopback.Handler):
        def get(self) -> None:
            page = folder / f"{Path(self.path).name}.html"
            if not page.is_file():
                self.send_error(404)
                return
            site[0].truth = ()
            self.say(_HEAD + page.read_bytes() + _TELL.encode())

        def post(self) -> None:
            body = self.body()
            if self.path == "/truth":
                site[0].truth = msgspec.json.decode(body, type=tuple[TrueControl, ...])
                self.say(b"")
                return
            json = "json" in self.headers.get("Content-Type", "")
            fields = (
                msgspec.json.decode(body, type=dict[str, Any])
                if json
                else dict(parse_qsl(body.decode(), True))
            )
            site[0].submitted.append(fields)
            self.say(THANKS)

    with loopback.serving(Handler) as port:
        site.append(FormSite(port))
        yield site[0]


def browser(url: str, profile: Path, *, kiosk: bool = True) -> list[str]:
    """The command line of a Chromium that shows a page, over the whole screen with `kiosk`."""
    return [
        "chromium", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-translate", "--disable-features=Translate",
        "--password-store=basic", f"--user-data-dir={profile}", *(["--kiosk"] if kiosk else ["--start-maximized"]), url,
    ]  # fmt: skip
