"""The programs of an embedded session in a bubblewrap box; its X server stays outside, and is the only thing in there of this computer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from desktop_agent.platforms.posix import bubblewrap, process_tree
from desktop_agent.platforms.posix.bubblewrap import INSIDE, Box, BoxLimits
from desktop_agent.platforms.x11.embedded.supervisor import descendants
from desktop_agent.platforms.x11.embedded.supervisor_client import Launcher, SupervisorClient
from desktop_agent.protocol.errors import TargetError
from desktop_agent.support import resources

LAUNCHER_SECONDS = 15.0
SOCKETS = "/tmp/.X11-unix"  # noqa: S108 - where X clients look
_SUPERVISOR, _DOOR = (f"{INSIDE}/{each}" for each in ("supervisor.py", "network-door"))
_GATE = f"{INSIDE}/network"
_BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/run/bus</listen>
  <auth>EXTERNAL</auth>
  <standard_session_servicedirs/>
  <policy context="default">
    <allow user="root"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
"""A session's bus to which root may connect as well: where root runs this program, the box is another user's."""


class BoxedSession(msgspec.Struct, frozen=True):
    """What is in the box: its home, whether a gate to a list of servers stands in the folder, and its limits."""

    home: str
    gate: bool = False
    limits: BoxLimits = BoxLimits()


def logged_shell(folder: Path) -> Path:
    """The shell of the box's terminals, which logs what they print into `term.log` in their home."""
    return folder / "bin" / "logged-shell"


def start(
    folder: Path, keeper: SupervisorClient, display: str, session: BoxedSession
) -> tuple[Launcher, int]:
    """Make the box and start its supervisor, by which programs are run in it; the process whose end is the box's, too.

    Raises TargetError, OSError.

    The keeper's own launcher is not in the box: whoever reached it would run programs outside.
    """
    inside = folder / "inside"
    inside.mkdir(mode=0o700)
    for each in (logged_shell(folder), folder / "bin" / "xterm"):
        each.write_text(resources.text("sandbox", each.name), encoding="utf-8")
        each.chmod(0o755)
    (folder / "bus.conf").write_text(_BUS.format(folder=folder), encoding="utf-8")
    for each in (inside, folder / "run", folder / "xauthority", Path(session.home)):
        bubblewrap.give(each)
    socket = f"{SOCKETS}/X{display.removeprefix(':')}"
    shown = [
        str(folder / each) for each in ("config", "data", "bin", "openbox.xml", "bus.conf", "xauthority")
    ]
    python, placed = bubblewrap.interpreter()
    supervisor = Path(__file__).with_name("supervisor.py")
    placed += [(str(supervisor), _SUPERVISOR)]
    placed += bubblewrap.write_identity(folder)
    if session.gate:
        placed += [(str(folder / "network"), _GATE), (str(resources.path("sandbox", "network-door")), _DOOR)]
    box = Box(
        session.home,
        made=(str(folder), SOCKETS),
        shared=(str(folder / "run"), str(inside)),
        shown=(*shown, socket),
        placed=tuple(placed),
        limits=session.limits,
    )
    command = [python, "-I", "-S", _SUPERVISOR, str(inside), "0", *bubblewrap.confining(session.home)]
    monitor = keeper.run(box.command(command), vital=True)
    launcher = _reached(inside / "launcher", keeper)
    if session.gate:
        launcher.run([python, "-I", "-S", _DOOR])
    return launcher, monitor


def bus_command(folder: Path) -> list[str]:
    """The argv of the session bus of a box; it prints its address."""
    return [
        "dbus-daemon",
        f"--config-file={folder / 'bus.conf'}",
        "--nofork",
        "--nopidfile",
        "--print-address=1",
    ]


def _reached(place: Path, keeper: SupervisorClient) -> Launcher:
    end = time.monotonic() + LAUNCHER_SECONDS
    while True:
        try:
            return Launcher.connect(str(place))
        except TargetError:
            if time.monotonic() > end or not place.parent.exists():
                why = keeper.complaint()
                raise TargetError(f"The box of the embedded display did not start. {why}".strip(), "Try bwrap by hand.") from None  # fmt: skip
            time.sleep(0.003)


class BoxPids:
    """Tells which process of this computer a number in the box stands for: a bus in there knows only those."""

    def __init__(self, keeper: int) -> None:
        self._keeper = keeper
        self._known: dict[int, int] = {}

    def outside(self, inside: int) -> int:
        """The process's number here; 0 for one that is gone."""
        if not self._is_still(inside):
            self._known = dict(_numbers(self._keeper))
        return self._known.get(inside, 0)

    def namespace(self) -> int:
        """The number of the PID namespace that the box is. Raises TargetError when nothing is in it."""
        found = next((process_tree.of_process(pid) for _, pid in _numbers(self._keeper)), 0)
        if not found:
            raise TargetError("The box of the embedded display has ended.", "Start the run again.")
        return found

    def _is_still(self, inside: int) -> bool:
        outside = self._known.get(inside, 0)
        return bool(outside) and _number_inside(outside) == inside


def _numbers(keeper: int) -> Iterator[tuple[int, int]]:
    for pid in descendants(keeper):
        if inside := _number_inside(pid):
            yield inside, pid


def _number_inside(pid: int) -> int:
    """The number that a process has in the box; 0 for one that is in none. From NSpid in /proc/PID/status (proc(5))."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    numbers = next((line.split()[1:] for line in status.splitlines() if line.startswith("NSpid:")), [])
    return int(numbers[-1]) if len(numbers) > len(_our_numbers()) else 0


def _our_numbers() -> list[str]:
    status = Path("/proc/self/status").read_text()
    return next(line.split()[1:] for line in status.splitlines() if line.startswith("NSpid:"))
