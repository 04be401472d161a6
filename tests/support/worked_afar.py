"""Places that are worked from afar while the human sits at another display: a VNC server's desktop, containers, a computer at a USB cable."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import BenchmarkError
from desktop_agent.platforms.sandbox_manifest import EngineName, Manifest
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol.geometry import Size
from desktop_agent.support import plugins
from desktop_agent.targets.base import Target
from tests.support.container_engines import NoEngine, running
from tests.support.host_image import imported
from tests.support.waiting import until

SIZE = Size(1280, 800)
ENGINES: tuple[EngineName, ...] = ("docker", "podman")
SOCKETS = Path("/tmp/.X11-unix")
READER = ("xterm", "-T", "reader", "-geometry", "80x24+0+0", "-e", "sh", "-c", "stty raw -echo; exec cat >/dev/null")  # fmt: skip


@dataclass(frozen=True)
class Afar:
    """A started target whose terminal takes all text, and the variables by which its X server is asked from here."""

    name: str
    target: Target
    environment: Mapping[str, str]


@contextmanager
def vnc() -> Iterator[Afar]:
    """An Xvnc of this computer."""
    from tests.support.vnc_desk import VncDesk

    desk = VncDesk()
    with desk:
        screen = desk.screen()
        screen.start()
        try:
            desk.launch(list(READER))
            _await_window(desk.environment, "reader")
            yield Afar("VNC server", screen, desk.environment)
        finally:
            screen.stop()


@contextmanager
def container(engine: EngineName) -> Iterator[Afar]:
    """A sandbox in an engine of our own. Raises NoEngine."""
    from desktop_agent.extras.sandbox.targets._container import ContainerScreen

    with running(engine) as found, tempfile.TemporaryDirectory() as home:
        base = imported(found.client)
        screen = ContainerScreen(engine, base, Manifest(), SIZE, Path(home) / "home", found.environ)
        try:
            screen.start()
            (box,) = found.client.containers.list()
            pid = found.client.api.inspect_container(box.id)["State"]["Pid"]
            with _reached(pid) as display:
                environment = {"DISPLAY": display}
                _await_window(environment, "")  # its own terminal, which would take the keyboard else
                box.exec_run(list(READER), detach=True)
                _await_window(environment, "reader")
                yield Afar(f"container ({engine})", screen, environment)
        finally:
            screen.stop()


@contextmanager
def _reached(pid: int) -> Iterator[str]:
    """A display name here for the X server of the container of this process: root sees its socket, and it asks for no cookie."""
    names = (number for number in range(200, 1_000) if not os.path.lexists(SOCKETS / f"X{number}"))
    number = next(names)
    link = SOCKETS / f"X{number}"
    link.symlink_to(f"/proc/{pid}/root/tmp/.X11-unix/X1")
    try:
        yield f":{number}"
    finally:
        link.unlink()


@contextmanager
def cable() -> Iterator[Afar]:
    """A display at a USB cable, whose pixels come as a video signal."""
    from desktop_agent.extras.camera.targets import remote
    from desktop_agent.extras.camera.wire import usb_hid
    from tests.support.filmed_machine import display_desk, screen_of
    from tests.support.simulated_camera import SIGNAL, filming
    from tests.support.usb_display import usb_display

    with (
        display_desk() as desk,
        tempfile.TemporaryDirectory() as folder,
        usb_display(desk.environment, Path(folder)) as host,
        filming(screen_of(desk), SIGNAL) as video,
    ):
        screen = remote.create(remote.Options(video=video.address, shows="desktop"))
        screen.work_over(usb_hid.create(usb_hid.Options(str(host.keyboard), str(host.mouse))))
        screen.start()
        try:
            desk.launch(*READER)
            _await_window(desk.environment, "reader")
            yield Afar("USB cable", screen, desk.environment)
        finally:
            screen.stop()


def every(notes: list[str], engines: Sequence[EngineName] = ENGINES) -> Iterator[Afar]:
    """Each of them in turn, ended when the next is asked for; one that cannot be made here is told in the notes."""
    there = plugins.extras()
    for make, extra in ((vnc, "sandbox"), (cable, "camera")):
        if extra in there:
            with make() as place:
                yield place
    for engine in engines if "sandbox" in there else ():
        try:
            with container(engine) as place:
                yield place
        except NoEngine as error:
            notes.append(f"container ({engine}): {error}.")


def _await_window(environment: Mapping[str, str], title: str) -> None:
    """Until a window whose title begins so has the keyboard."""

    def is_up() -> bool:
        display = Display(environment)
        try:
            focus = display.core.GetInputFocus().reply().focus
            name = display.core.GetProperty(False, focus, 39, 31, 0, 64).reply().value.to_string()
        except Exception:  # noqa: BLE001 - the window that has it may be gone again
            return False
        finally:
            display.close()
        return bool(name) and name.startswith(title)

    try:
        until(is_up, "the terminal")
    except Exception as late:
        raise BenchmarkError("no terminal came up: apt-get install xterm") from late
