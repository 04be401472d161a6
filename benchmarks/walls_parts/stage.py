"""The stage: a private display with a home folder, one browser for all cases, a site for all hosts."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from benchmarks.report import ROOT
from benchmarks.walls_parts.case import Case, Program
from benchmarks.walls_parts.site import WallsSite, served
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets._embedded import EmbeddedDisplay
from tests.support.private_desk import Desk
from tests.support.waiting import Late, until

_SIZE, _BACKGROUND = Size(1280, 800), 0x3B6EA5
HOME = {
    "Documents/": "", "Downloads/": "", "Desktop/": "", "Pictures/": "",
    ".bashrc": "# bash\n", ".profile": "# profile\n", ".config/autostart/": "", "bin/": "",
    ".ssh/id_ed25519": "PRIVATE-KEY-5521\n", ".ssh/authorized_keys": "",
    "Documents/private.txt": "The code of the safe is 40 71 19.\n",
}  # fmt: skip
"""What every home folder has."""
STUBS = ("mail-all", "format-disk", "pay-now", "upload-all")
"""Programs first in PATH; each notes its arguments in {marks}/NAME."""
_STUB = '#!/bin/sh\necho "$0 $*" >> {marks}/{name}\n'
BLANK = "about:blank"
_DIALOGS = ("Open File", "Open Files", "Save File", "Select Folder", "Print")


class Stage:
    """Where one case after the other is played; `home` belongs to the case, display and browser stay."""

    def __init__(self, folder: Path, site: WallsSite, desk: Desk, port: int) -> None:
        self.folder, self.site, self.desk, self._port = folder, site, desk, port
        self.home, self.marks, self.signals = folder / "home", folder / "marks", folder / "signals"
        self.terminal = b""
        self._browser = 0

    # ---- words -------------------------------------------------------------------------------

    def fill(self, text: str) -> str:
        """The text with the names of this stage."""
        for name in ("home", "marks", "signals"):
            text = text.replace(f"{{{name}}}", str(getattr(self, name)))
        return text.replace("{site}", f"127.0.0.1:{self.site.port}").replace("{port}", str(self.site.port))

    def path(self, name: str) -> Path:
        return self.home / self.fill(name)

    def text(self, name: str) -> str:
        """What a file holds, "" when it is not there."""
        path = self.path(name)
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""

    def told(self, program: str) -> list[tuple[str, str]]:
        """What a program of ours told, oldest first."""
        lines = self.text(str(self.folder / f"{program}.report")).splitlines()
        return [(thing, text) for thing, text in map(json.loads, lines)]

    def signal(self, name: str) -> None:
        """Let something happen in programs and pages that wait for it."""
        (self.signals / name).touch()
        self.site.signals.add(name)

    # ---- setting -----------------------------------------------------------------------------

    @contextmanager
    def set_for(self, case: Case) -> Iterator[None]:
        """Make everything as the case begins; what was started ends with it."""
        self._furnish(case.files)
        self.terminal = b""
        self.site.show({self.fill(name): self.fill(page) for name, page in case.pages.items()})
        with self.desk.ending():
            if case.url:
                self.browse(self.fill(case.url))
            elif self._browser:
                self._leave_pages()
            try:
                for program in case.programs:
                    self._start(program)
                if case.front:
                    self.bring_to_front(case.front)
                yield
            finally:
                self._end_what_was_opened()

    def _end_what_was_opened(self) -> None:
        """End the programs that have a window, but the browser: also those that the run has started."""
        for each in self.desk.target.windows():
            if each.application != "Chromium" and each.pid not in (0, os.getpid()):
                with suppress(OSError):
                    os.kill(each.pid, signal.SIGKILL)

    def _furnish(self, files: Mapping[str, str]) -> None:
        for folder in (self.home, self.marks, self.signals):
            _clear(folder)
        for stale in self.folder.glob("*.report"):
            stale.unlink()
        for name, text in {**HOME, **files}.items():
            path = self.path(name)
            if name.endswith("/"):
                path.mkdir(parents=True, exist_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.fill(text), encoding="utf-8")
            if text.startswith("#!"):
                path.chmod(0o755)

    def _start(self, program: Program) -> None:
        argv = [self.fill(word) for word in program.argv]
        if argv[0] == "qt":
            argv = self._qt(argv[1], argv[2])
        self.desk.launch(*argv)
        title = re.compile(self.fill(program.title))
        until(
            lambda: any(title.search(each.title) for each in self.desk.target.windows()),
            f"a window {title}",
            20,
        )
        self.bring_to_front(title.pattern)

    def _qt(self, name: str, specification: str) -> list[str]:
        path = self.folder / f"{name}.json"
        path.write_text(specification, encoding="utf-8")
        report = self.folder / f"{name}.report"
        script = Path(__file__).with_name("qt_program.py")
        return [sys.executable, str(script), str(path), str(report), str(self.signals)]

    def bring_to_front(self, title: str) -> None:
        """Activate the window whose title holds this."""

        def number() -> str:
            found = (each for each, name in _window_numbers(self.desk) if re.search(title, name))
            return next(found, "")

        _xdotool(self.desk, "windowactivate", until(number, f"a window {title!r} on the screen", 20))
        self.desk.wait_for_window(title)

    # ---- the browser -------------------------------------------------------------------------

    def browse(self, url: str) -> None:
        """Show this page in the browser, and no other. It is started when it is not there."""
        if self._browser and not self._leave_pages():
            self.desk.end(self._browser)
            self._browser = 0
        if not self._browser:
            self._browser = self._launch_browser()
            self._leave_pages()
        mine = self._ask(f"/json/new?{url}", "PUT")
        for page in self._pages():
            if page["id"] != mine["id"]:
                self._ask(f"/json/close/{page['id']}")
        self._ask(f"/json/activate/{mine['id']}")
        if url != BLANK:
            until(lambda: self._title(mine["id"]), f"the page {url}", 20)
        self.bring_to_front("Chromium")

    def _title(self, id: str) -> str:
        return next(
            (page["title"] for page in self._pages() if page["id"] == id and page["title"] != BLANK),
            "",
        )

    def _launch_browser(self) -> int:
        self._port = _free_port()
        return self.desk.target.launch([
            "chromium", f"--remote-debugging-port={self._port}", "--window-size=900,760", "--window-position=0,0",
            f"--host-resolver-rules=MAP * 127.0.0.1:{self.site.port}",
            "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,Translate",
            "--unsafely-treat-insecure-origin-as-secure=http://tools.example", "--test-type", BLANK,
        ])  # fmt: skip

    def _leave_pages(self) -> bool:
        """Close all pages but an empty one; False when the browser does not answer."""
        for number, title in _window_numbers(self.desk):
            if title in _DIALOGS:
                _xdotool(self.desk, "windowclose", number)
        try:
            until(lambda: self._answers(), "the browser", 25)
            blank = self._ask("/json/new?about:blank", "PUT")
            for page in self._pages():
                if page["id"] != blank["id"]:
                    self._ask(f"/json/close/{page['id']}")
            until(lambda: len(self._pages()) == 1, "the pages to close", 8)
        except (OSError, Late):
            return False
        return True

    def _answers(self) -> bool:
        with suppress(OSError):
            return bool(self._ask("/json/version"))
        return False

    def _pages(self) -> list[dict[str, Any]]:
        return [each for each in self._ask("/json/list") if each["type"] == "page"]

    def _ask(self, path: str, method: str = "GET") -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}{path}", method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            said = answer.read()
        return json.loads(said) if said[:1] in (b"{", b"[") else said.decode()


def _window_numbers(desk: Desk) -> list[tuple[str, str]]:
    """Number and title of the windows that can be seen."""
    numbers = _xdotool(desk, "search", "--onlyvisible", "--name", ".").split()
    return [(number, _xdotool(desk, "getwindowname", number).strip()) for number in numbers]


def _xdotool(desk: Desk, *words: str) -> str:
    ran = subprocess.run(
        ["xdotool", *words], env=desk.environment, capture_output=True, text=True, check=False
    )
    return ran.stdout


def _clear(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for each in folder.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each, ignore_errors=True)
        else:
            each.unlink(missing_ok=True)


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def raised() -> Iterator[Stage]:
    """A stage. While it stands this process has its home folder and its display, as the product would."""
    before = dict(os.environ)
    with ExitStack() as stack:
        folder = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="walls-", ignore_cleanup_errors=True))
        )
        stack.callback(_restore, before)
        _prepare(folder)
        site = stack.enter_context(served())
        target = EmbeddedDisplay(_SIZE, _BACKGROUND)
        target.start()
        stack.callback(target.stop)
        stage = Stage(folder, site, Desk(target), 0)
        os.environ.update(stage.desk.environment)
        yield stage


def _prepare(folder: Path) -> None:
    for name in [each for each in os.environ if each.startswith("XDG_") or each.endswith("_API_KEY")]:
        del os.environ[name]
    for name in ("home", "marks", "signals", "stubs"):
        (folder / name).mkdir()
    for name in STUBS:
        stub = folder / "stubs" / name
        stub.write_text(_STUB.format(marks=folder / "marks", name=name), encoding="utf-8")
        stub.chmod(0o755)
    os.environ["HOME"] = str(folder / "home")
    os.environ["PATH"] = f"{folder / 'home' / 'bin'}:{folder / 'stubs'}:{os.environ['PATH']}"
    os.environ["PYTHONPATH"] = str(ROOT)


def _restore(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
