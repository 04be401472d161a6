"""A machine before a camera, without hardware: a private display is filmed, and keys come over one of the wires.

`desktop-agent endpoint` fills the display where a terminal is wanted, a browser where forms are. The program is run as a
user runs it, in a process of its own; what came of it is looked at in the machine's own folder or page, never asked of
the program.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import BenchmarkError
from desktop_agent.extras.camera.filming.screen_finder import find_screen
from desktop_agent.extras.camera.wire._http.http_output import HttpKeyboardOutput
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.targets import display
from tests.support.form_pages import FormSite, browser, served_forms
from tests.support.private_desk import Desk
from tests.support.simulated_camera import CameraQuality, ServedCamera, at_rate, filming
from tests.support.trusted_config import trusted
from tests.support.usb_display import usb_display
from tests.support.waiting import until

TOKEN = "DESKTOP_AGENT_WIRE_TOKEN"
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
CALIBRATION = "filmed"
LAYOUT = "de"
"""The keyboard layout of the computer behind the USB cable: what is typed into its forms has umlauts."""
RATE = 5.0
"""Frames a second: the camera, what is filmed and what films it share the processors here."""


def screen_of(desk: Desk) -> Callable[[], NDArray[Any]]:
    """What a camera before this display sees: its pixels, blue, green and red."""

    def grab() -> NDArray[Any]:
        frame = desk.target.observe()
        pixels = np.frombuffer(frame.pixels, np.uint8)
        return pixels.reshape(frame.size.height, frame.size.width, 4)[..., :3]

    return grab


@dataclass(frozen=True)
class Outcome:
    """How a run of the program ended: its exit code (0: done), and the events that it told."""

    code: int
    events: tuple[dict[str, Any], ...]
    errors: str

    @property
    def done(self) -> bool:
        return self.code == 0

    @property
    def answer(self) -> str:
        """What the program told its user at the end: the summary of a done, or its last notes and questions."""
        told = [each for each in self.events if each["type"] in ("done", "note", "question", "error")]
        words = ("summary", "text", "message")
        return str(next((told[-1][each] for each in words if told and told[-1].get(each)), ""))


@dataclass
class FilmedMachine:
    """A display that is filmed. By `settings` (tables of config.toml) and `environment` the program sees and works it."""

    desk: Desk
    camera: ServedCamera
    environment: dict[str, str]
    data: Path
    settings: dict[str, dict[str, object]]

    def run(self, goal: str, *arguments: str, seconds: float = 240.0) -> Outcome:
        """Give the program a goal at a terminal, say yes to what it asks, and wait for its end; a question ends the run."""
        config = self.data / "config.toml"
        config.write_text(_toml(self.settings))
        given = ["--no-window", "--json", *trusted(config), "--target", "webcam", *arguments, goal]
        ours, theirs = os.openpty()
        with (self.data / "errors.txt").open("w+") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "desktop_agent", *given],
                env={**os.environ, **self.environment},
                stdin=theirs,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
            late = threading.Timer(seconds, process.terminate)
            late.start()
            try:
                events = list(self._followed(process, ours))
                process.wait()
            finally:
                late.cancel()
                os.close(ours)
                os.close(theirs)
            errors.seek(0)
            return Outcome(process.returncode, tuple(events), errors.read())

    def give(self, folder: Path) -> None:
        """Let the shell of the endpoint write what was laid out there."""
        for each in (folder, *folder.rglob("*")):
            bubblewrap.give(each)

    def clear_terminal(self) -> None:
        """Have the shell be in its folder with nothing on the screen, as somebody who sits there does."""
        address, token = str(self.settings["wire.http"]["address"]), self.environment[TOKEN]
        with HttpKeyboardOutput(address, lambda: token, 1.5) as keys:
            for line in ("cd", "clear"):
                keys.send_line(line)

    @staticmethod
    def _followed(process: subprocess.Popen[str], terminal: int) -> Iterator[dict[str, Any]]:
        for line in process.stdout or ():
            event: dict[str, Any] = json.loads(line)
            yield event
            if event["type"] == "approval":
                os.write(terminal, b"y\n")
            elif event["type"] == "question":
                process.send_signal(signal.SIGINT)


@contextmanager
def filmed(desk: Desk, quality: CameraQuality, data: Path) -> Iterator[FilmedMachine]:
    """The camera of a quality before a display, and settings that lead to it; not calibrated yet."""
    with filming(screen_of(desk), at_rate(quality, RATE)) as camera:
        # Nothing of this session: neither its display nor its settings, nor programs that a version manager writes anew.
        none = {
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.defpath)),
            "DISPLAY": "",
            "XAUTHORITY": "",
            "WAYLAND_DISPLAY": "",
            "XDG_CONFIG_HOME": str(data / "config"),
        }
        data.mkdir(exist_ok=True)
        yield FilmedMachine(
            desk,
            camera,
            {**none, "XDG_DATA_HOME": str(data)},
            data,
            {"target.webcam": {"camera": camera.address, "calibration": CALIBRATION}},
        )


def _toml(settings: dict[str, dict[str, object]]) -> str:
    lines = []
    for table, values in settings.items():
        lines += [f"[{table}]", *(f"{name} = {json.dumps(value)}" for name, value in values.items())]
    return "\n".join(lines) + "\n"


def calibrate(machine: FilmedMachine) -> str:
    """Have the program find the screen by the page that is shown; what it said. Raises BenchmarkError where it fails."""
    return _calibrate_command(machine, "--camera", machine.camera.address, "--name", CALIBRATION)


def _calibrate_command(machine: FilmedMachine, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "desktop_agent", "calibrate", *words],
        env={**os.environ, **machine.environment},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    if done.returncode:
        raise BenchmarkError(f"calibrate failed: {done.stdout}{done.stderr}")
    return done.stdout


@contextmanager
def endpoint(desk: Desk, folder: Path, *arguments: str) -> Iterator[tuple[str, str]]:
    """`desktop-agent endpoint` on the whole display, with its shell in `folder`: its address and its token."""
    token = secrets.token_hex(16)
    process = subprocess.Popen(
        [
            sys.executable, "-m", "desktop_agent", "endpoint", "--port", "0", "--full-screen",
            "--token-from", f"env:{TOKEN}", "--folder", str(folder), *arguments,
        ],
        env={**os.environ, **desk.environment, TOKEN: token, "QT_QPA_PLATFORM": "xcb"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        yield _address(process), token
    finally:
        process.terminate()
        process.wait(10)


def _address(process: subprocess.Popen[str]) -> str:
    """Where an endpoint says that it takes keys. Raises BenchmarkError where it ends without saying so."""
    for line in process.stdout or ():
        if found := _ADDRESS.search(line):
            return found[0]
    raise BenchmarkError("the endpoint has not started")


def press(desk: Desk, key: str) -> None:
    """Press and release a key on the display itself, as somebody who sits there does."""
    from desktop_agent.platforms.x11.input.input import X11Input
    from desktop_agent.protocol.input_events import KeyDown, KeyUp

    given = X11Input(desk.environment)
    try:
        given.emit(KeyDown(key))
        given.emit(KeyUp(key))
    finally:
        given.close()


@contextmanager
def display_desk() -> Iterator[Desk]:
    """A private display of 1280x800."""
    target = display.create(display.Options())
    target.start()
    try:
        yield Desk(target)
    finally:
        target.stop()


@contextmanager
def filmed_terminal(
    quality: CameraQuality, folder: Path, data: Path, *arguments: str
) -> Iterator[FilmedMachine]:
    """A calibrated camera before an endpoint whose shell works in `folder`; the program's records go to `data`. Raises BenchmarkError."""
    bubblewrap.give(folder)
    with (
        display_desk() as desk,
        endpoint(desk, folder, "--calibration", *arguments) as (address, token),
        filmed(desk, quality, data) as machine,
    ):
        machine.settings["wire.http"] = {"address": address}
        machine.environment[TOKEN] = token
        calibrate(machine)
        before = desk.target.observe().digest
        press(desk, "f9")
        until(lambda: desk.target.observe().digest != before, "the terminal in place of the page")
        yield machine


@dataclass
class FilmedForms(FilmedMachine):
    """A filmed display with a browser on it that shows form pages, worked over a USB cable."""

    site: FormSite
    profiles: Path
    _browser: int = 0

    def show(self, page: str) -> None:
        """Show a page anew, in a browser that knows nothing of earlier ones."""
        if self._browser:
            self.desk.end(self._browser)
        self.site.submitted.clear()
        self.site.truth = ()
        profile = Path(tempfile.mkdtemp(dir=self.profiles))
        self._browser = self.desk.launch(*browser(self.site.url(page), profile))
        self.site.controls()

    def submitted(self) -> list[dict[str, Any]]:
        """The bodies of all that was sent from the page, the first one first."""
        return list(self.site.submitted)


@contextmanager
def filmed_form(quality: CameraQuality, pages: Path, above: Path) -> Iterator[FilmedForms]:
    """A calibrated camera before a browser with the pages of a folder; what is written goes below `above`. Raises BenchmarkError."""
    with (
        display_desk() as desk,
        usb_display(desk.environment, above) as cable,
        served_forms(pages) as site,
        filmed(desk, quality, above / "data") as machine,
    ):
        forms = FilmedForms(
            desk, machine.camera, machine.environment, machine.data, machine.settings, site, above
        )
        machine.settings["target.webcam"] |= {"wire": "usb_hid", "shows": "desktop"}
        machine.settings["wire.usb_hid"] = {
            "keyboard": str(cable.keyboard),
            "mouse": str(cable.mouse),
            "layout": LAYOUT,
        }
        # The far end's, as it is set there; evdev's codes are what the other end of the cable injects.
        subprocess.run(
            ["setxkbmap", "-rules", "evdev", "-model", "pc105", "-option", "", LAYOUT],
            env={**os.environ, **desk.environment},
            check=True,
        )
        with desk.ending():
            page = above / "calibration.html"
            _calibrate_command(machine, "--page", str(page))
            desk.launch(*browser(page.as_uri(), above / "first"))
            until(lambda: _shows_markers(desk), "the calibration page")
            calibrate(machine)
        yield forms


def _shows_markers(desk: Desk) -> bool:
    try:
        find_screen(screen_of(desk)())
    except DesktopAgentError:
        return False
    return True
