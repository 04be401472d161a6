"""A private X server with a window manager, a session bus and accessibility, ended with its owner."""

from __future__ import annotations

import os
import secrets
import select
import shutil
import struct
import tempfile
from collections.abc import Mapping
from pathlib import Path

from desktop_agent.platforms.vnc_server import VncServer
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.embedded import environment as surroundings
from desktop_agent.platforms.x11.embedded import root_window
from desktop_agent.platforms.x11.embedded.supervisor_client import LAUNCHER, Launcher, SupervisorClient
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets._x11 import Screen
from desktop_agent.targets.faces import HasVncServer
from desktop_agent.vision.atspi.bus import BusError
from desktop_agent.vision.atspi.bus_session import switch_on

START_SECONDS = 15.0
PACKAGES = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "dbus-daemon": "dbus",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
}
"""Programs a session needs, and the Debian packages that bring them."""
VNC_SERVER, VIEWERS = "Xtigervnc", "viewers"
"""The X server that people can watch and work, and its socket's name in the session's folder."""


class EmbeddedDisplay(Screen, HasVncServer):
    """Xvfb + openbox + session bus + accessibility, in a folder and under a keeper of their own."""

    kind = "display"
    title = "Embedded display"

    def __init__(self, size: Size, background: int, *, viewers: bool = False) -> None:
        """`background` is 0xRRGGBB. `viewers`: people may watch and work it, through a VNC server."""
        super().__init__()
        self._size, self._background, self._viewers = size, background, viewers
        self._keeper: SupervisorClient | None = None
        self._launcher: Launcher | None = None
        self._folder: Path | None = None

    def _bring_up(self) -> Mapping[str, str]:
        require_programs(viewers=self._viewers)
        try:
            self._folder = Path(tempfile.mkdtemp(prefix="desktop-agent-"))
            self._keeper = SupervisorClient(self._folder, self._inherited())
            return self._start_programs(self._folder, self._keeper)
        except OSError as error:
            raise TargetError(
                f"The embedded display could not be prepared: {error}.",
                f"Make room in {tempfile.gettempdir()}, or name another folder in TMPDIR.",
            ) from error

    def _start_programs(self, folder: Path, keeper: SupervisorClient) -> Mapping[str, str]:
        authority = folder / "xauthority"
        write_authority(authority)
        environment = self._prepared(folder) | {"XAUTHORITY": str(authority)}
        environment[LAUNCHER] = str(folder / "launcher")
        keeper.set_environment(environment)
        number = Announcement(keeper, keeper, self._server(authority)).line()
        environment["DISPLAY"] = f":{number}"
        keeper.set_environment({"DISPLAY": environment["DISPLAY"]})
        self._launcher = launcher = self._programs(folder, keeper, environment)
        launcher.run(["openbox", "--sm-disable", "--config-file", str(folder / "openbox.xml")])
        bus = Announcement(keeper, launcher, self._bus_command(folder)).line()
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus
        launcher.set_environment({"DBUS_SESSION_BUS_ADDRESS": bus})
        self._finish(environment)
        return environment

    def _inherited(self) -> dict[str, str]:
        """The variables of ours that its programs have, too."""
        return surroundings.inherited(os.environ)

    def _prepared(self, folder: Path) -> dict[str, str]:
        return surroundings.prepare(folder, os.environ)

    def _programs(self, folder: Path, keeper: SupervisorClient, environment: dict[str, str]) -> Launcher:  # noqa: ARG002
        """By whom programs are started once the X server is there: a box has somebody of its own, and says so in `environment`."""
        return keeper

    def _bus_command(self, folder: Path) -> list[str]:
        return surroundings.bus_command(folder)

    def _server(self, authority: Path) -> list[str]:
        # -noreset: without it the server resets when its last client leaves, which hides stuck keys.
        common = ["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-dpi", "96", "-auth", str(authority)]
        size = f"{self._size.width}x{self._size.height}"
        if not self._viewers:
            return ["Xvfb", *common, "-screen", "0", f"{size}x24"]
        # A Unix socket in the session's own folder, and no port at all.
        sockets = [
            "-rfbunixpath",
            str(authority.with_name(VIEWERS)),
            "-rfbport",
            "-1",
            "-SecurityTypes",
            "None",
        ]
        screen = ["-depth", "24", "-geometry", size, "-AlwaysShared", "-AcceptSetDesktopSize=0"]
        return [VNC_SERVER, *common, *sockets, *screen]

    def vnc_server(self) -> VncServer | None:
        if self._folder is None or not self._viewers:
            return None
        return VncServer(str(self._folder / VIEWERS), 0)

    def _finish(self, environment: Mapping[str, str]) -> None:
        """What only works once server and bus are there: accessibility, background, window manager."""
        try:
            switch_on(environment)
        except BusError as error:
            raise TargetError(f"Accessibility could not be switched on: {error}") from error
        display = Display(environment)
        try:
            root_window.free_key_codes(display)
            root_window.paint_background(display, self._background)
            root_window.wait_for_window_manager(display, START_SECONDS)
        finally:
            display.close()

    def launch(self, argv: list[str]) -> int:
        """Start a program in the session; returns its process id."""
        if self._launcher is None:
            raise TargetError("The embedded display has not been started.")
        return self._launcher.run(argv)

    @property
    def keeper_pid(self) -> int:
        """Process id of the keeper, under which all the session's programs live; 0 when not started."""
        return self._keeper.pid if self._keeper else 0

    def _take_down(self) -> None:
        if self._keeper is not None:
            self._keeper.close()
            self._keeper = self._launcher = None
        if self._folder is not None:  # the keeper does this too, also when we are killed
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


class Announcement:
    """A program of the session that says one line when it is ready."""

    def __init__(self, keeper: SupervisorClient, launcher: Launcher, argv: list[str]) -> None:
        """`launcher` starts it, `keeper` knows what it complained of."""
        self._keeper, self._program = keeper, argv[0]
        self._reader, writer = os.pipe()
        try:
            launcher.run(argv, output=writer, vital=True, plain=True)
        finally:
            os.close(writer)

    def line(self) -> str:
        """The line, without its end. Raises TargetError when the program ended or stayed silent."""
        said = b""
        try:
            while not said.endswith(b"\n"):
                ready = select.select([self._reader], [], [], START_SECONDS)[0]
                piece = os.read(self._reader, 4096) if ready else b""
                if not piece:
                    complaint = self._keeper.complaint() or "It said nothing."
                    raise TargetError(f"{self._program} did not start: {complaint}", "Try it by hand.")
                said += piece
        finally:
            os.close(self._reader)
        return said.decode().strip()


def require_programs(*, viewers: bool = False) -> None:
    """Raise TargetError naming the packages to install when a program is missing."""
    needed = PACKAGES | ({VNC_SERVER: "tigervnc-standalone-server"} if viewers else {})
    missing = [package for program, package in needed.items() if shutil.which(program) is None]
    if missing:
        raise TargetError(
            f"The embedded display needs programs that are not installed: {', '.join(missing)}.",
            f"Install them: apt-get install {' '.join(missing)}",
        )


def write_authority(path: Path) -> None:
    """A new authority file with one cookie for any display number (Xau's FamilyWild, 65535).

    Format of libXau's XauWriteAuth: family, then address, number, name and data, each with its
    length before it, all 16-bit big-endian.
    """
    name, cookie = b"MIT-MAGIC-COOKIE-1", secrets.token_bytes(16)
    fields = (b"", b"", name, cookie)
    entry = struct.pack(">H", 65535) + b"".join(struct.pack(">H", len(f)) + f for f in fields)
    path.touch(mode=0o600)
    path.write_bytes(entry)
