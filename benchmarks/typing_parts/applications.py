"""Applications that are typed into, each with a way to know exactly what arrived."""

from __future__ import annotations

import csv
import select
import sys
import time
from abc import ABC, abstractmethod
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

from benchmarks.typing_parts.desk import Desk
from tests.support import loopback
from tests.support.waiting import until

HERE = Path(__file__).parent
LOOK_SECONDS = 0.02
STILL_SECONDS = 3.0


class Application(ABC):
    """Opened by making it. `limit` is the longest text it is given, `lines` says that it takes more than one."""

    name: ClassVar[str]
    limit: ClassVar[int] = 10_000
    lines: ClassVar[bool] = True

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._pid = 0

    @abstractmethod
    def begin(self) -> None:
        """Make room for the next text."""

    @abstractmethod
    def arrived(self) -> str:
        """The text that has come since `begin`, as far as it is known now."""

    def received(self, text: str) -> str:
        """What has come in place of `text`: waits until it is that, or until nothing changes any more."""
        self._desk.await_reader()
        found, since = self.arrived(), time.monotonic()
        while found != text and time.monotonic() - since < STILL_SECONDS:
            select.select([], [], [], LOOK_SECONDS)
            now = self.arrived()
            if now != found:
                found, since = now, time.monotonic()
        return found

    def close(self) -> None:
        self._desk.end(self._pid)


class Qt(Application):
    """A text box of Qt 6; its text is in a file."""

    name = "Qt"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._file = desk.folder / "qt"
        self._pid = desk.launch("^text box$", sys.executable, str(HERE / "text_box.py"), str(self._file))
        until(self._file.exists, "the focus on the text box")

    def begin(self) -> None:
        self._desk.press("ctrl", "a")
        self._desk.press("delete")
        until(lambda: not self.arrived(), "an empty text box")

    def arrived(self) -> str:
        return self._file.read_text(encoding="utf-8")


class Gtk(Application):
    """mousepad, a GTK 3 editor; it saves its text."""

    name = "GTK"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._file = desk.folder / "gtk.txt"
        self._file.write_text("")
        self._pid = desk.launch("gtk.txt", "mousepad", "--disable-server", str(self._file))

    def begin(self) -> None:
        self._desk.press("ctrl", "a")
        self._desk.press("delete")
        self._save()

    def arrived(self) -> str:
        self._save()
        return self._file.read_text(encoding="utf-8")

    def _save(self) -> None:
        """Its title has a star while there is something to save."""
        self._desk.press("ctrl", "s")
        select.select([], [], [], LOOK_SECONDS)
        until(lambda: not self._desk.title().startswith("*"), "the text saved")


class XTerm(Application):
    """A terminal in raw mode whose program writes down the bytes that it reads."""

    name = "xterm"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._file = desk.folder / "xterm"
        self._begin = 0
        command = f'stty raw -echo; printf "\\033]0;reader\\007"; exec cat > {self._file}'
        utf8 = ("env", "LC_ALL=C.UTF-8")
        self._pid = desk.launch(
            "^reader$", *utf8, "xterm", "-geometry", "80x24+20+20", "-e", "sh", "-c", command
        )

    def begin(self) -> None:
        self._begin = self._file.stat().st_size

    def arrived(self) -> str:
        found = self._file.read_bytes()[self._begin :]
        return found.decode("utf-8", "replace").replace("\r", "\n")


PAGE = """<!doctype html><meta charset=utf-8><title>page</title>
<textarea autofocus spellcheck=false style="position:fixed;inset:0;width:100%;height:100%"></textarea>
<script>
const box = document.querySelector("textarea");
const tell = () => fetch("/", {method: "POST", body: box.value});
let later = 0;
box.oninput = () => { clearTimeout(later); later = setTimeout(tell, 60); };
box.onclick = () => { document.title = "ready"; };
</script>"""


class Chromium(Application):
    """A text area of a page, which tells a server on the loopback what it holds."""

    name = "Chromium"
    limit = 4_000

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._server = _Listener()
        flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        flags += [
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={desk.folder / 'chromium'}",
        ]
        self._pid = desk.launch("^page", "chromium", *flags, self._server.url)
        until(self._ready, "a click that reaches the page", 60.0)

    def _ready(self) -> bool:
        self._desk.click_window()
        select.select([], [], [], 10 * LOOK_SECONDS)
        return self._desk.title().startswith("ready")

    def begin(self) -> None:
        if self.arrived():
            self._desk.press("ctrl", "a")
            self._desk.press("delete")
            until(lambda: not self.arrived(), "an empty text area")

    def arrived(self) -> str:
        return self._server.body

    def close(self) -> None:
        super().close()
        self._server.close()


class _Listener:
    """Serves the page, and keeps what it was told last."""

    def __init__(self) -> None:
        listener = self
        self.body = ""

        class Handler(loopback.Handler):
            def get(self) -> None:
                self.say(PAGE.encode())

            def post(self) -> None:
                listener.body = self.body().decode()
                self.say(b"")

        self._serving = ExitStack()
        self.url = f"http://127.0.0.1:{self._serving.enter_context(loopback.serving(Handler))}/"

    def close(self) -> None:
        self._serving.close()


_OFFICE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
{items}
</oor:items>"""
_ITEM = '<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
_QUIET = (
    ("Office.Common/Save/Document", "WarnAlienFormat", "false"),
    ("Office.Common/Misc", "ShowTipOfTheDay", "false"),
    ("Office.Common/Misc", "FirstRun", "false"),
    ("Office.Calc/Input", "AutoInput", "false"),
    ("Setup/Office", "LastCompatibilityCheckID", "x"),
    *(
        ("Office.Common/AutoCorrect", name, "false")
        for name in (
            "UseReplacementTable", "TwoCapitalsAtStart", "CapitalAtStartSentence", "ChangeUnderlineWeight",
            "SetInetAttribute", "ChangeOrdinalNumber", "AddNonBreakingSpace", "ChangeDash", "RemoveDoubleSpaces",
            "ReplaceSingleQuote", "ReplaceDoubleQuote", "CorrectAccidentalCapsLock",
        )
    ),
)  # fmt: skip
"""What Calc would change in a text, or ask about, by itself."""


class Calc(Application):
    """LibreOffice's sheet: each text goes into the next cell below, and is saved as CSV."""

    name = "LibreOffice"
    limit = 400
    lines = False

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._file = desk.folder / "calc.csv"
        self._file.write_text("first\n")
        self._row = 0
        profile = desk.folder / "office"
        (profile / "user").mkdir(parents=True)
        items = "\n".join(_ITEM.format(path=path, name=name, value=value) for path, name, value in _QUIET)
        (profile / "user" / "registrymodifications.xcu").write_text(_OFFICE.format(items=items))
        quiet = ["--nologo", "--norestore", "--nolockcheck", f"-env:UserInstallation={profile.as_uri()}"]
        opened = ["--calc", "--infilter=CSV:44,34,76,1,,0,false,true", str(self._file)]
        self._pid = desk.launch("calc.csv", "soffice", *quiet, *opened)

    def begin(self) -> None:
        self._row += 1
        self._desk.press("down")

    def arrived(self) -> str:
        """What was typed becomes the cell's with Return."""
        self._desk.press("enter")
        before = self._file.stat().st_mtime_ns
        self._desk.press("ctrl", "s")
        until(
            lambda: self._file.stat().st_mtime_ns != before and self._file.stat().st_size, "the sheet saved"
        )
        with self._file.open(encoding="utf-8", newline="") as lines:
            rows = [row for row in csv.reader(lines) if any(row)]  # each look at it goes one down
        return ",".join(rows[self._row]) if self._row < len(rows) else ""

    def close(self) -> None:
        self._desk.end(self._pid)


APPLICATIONS: tuple[type[Application], ...] = (Qt, Gtk, XTerm, Chromium, Calc)
