"""Every target: strict options, a title, an error with advice where it cannot be, and pictures of where it is."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.support import plugins
from desktop_agent.targets.base import Target, attach
from desktop_agent.targets.faces import (
    ShowsOwnWindows,
    Simulated,
    WorkedOverWire,
    tree_of,
    unclaimed,
    windows_of,
)
from desktop_agent.wire.base import KeyboardOutput
from tests.contract.families import each_of, refuses_unknown_options
from tests.desk import Desk


@pytest.fixture
def here(shared_display: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The display there is, is a private one."""
    for name, value in shared_display.environment.items():
        monkeypatch.setenv(name, value)
    yield


@pytest.fixture
def options(name: str, module: ModuleType) -> Iterator[object]:
    """The target's options where it can be reached: its defaults, but for one that needs a server."""
    if name == "container":
        yield from _in_container(module)
        return
    if name in ("webcam", "remote"):
        yield from _filmed(module, name)
        return
    if name != "rfb":
        yield module.Options()
        return
    from tests.extras.sandbox.rfb.vnc_place import server_of, vnc_desk

    with vnc_desk() as desk:
        yield module.Options(port=server_of(desk).port)


def _filmed(module: ModuleType, name: str) -> Iterator[object]:
    """A still picture before a camera that needs no calibration; the keys go to a USB device that is a pipe."""
    pytest.importorskip("cv2", reason="the extra `camera` is not installed")
    import numpy as np

    from tests.support.simulated_camera import SIGNAL, filming

    with filming(lambda: np.full((800, 1280, 3), 90, np.uint8), SIGNAL) as camera:
        options = (
            {"camera": camera.address, "crop": (0, 0, 1280, 800)}
            if name == "webcam"
            else {"video": camera.address}
        )
        yield module.Options(**options, wire="usb_hid", shows="desktop")


def _in_container(module: ModuleType) -> Iterator[object]:
    from tests.support.container_engines import NoEngine, running
    from tests.support.host_image import imported

    try:
        with running("docker") as engine, pytest.MonkeyPatch.context() as patch:
            patch.setenv("DOCKER_HOST", engine.environ["DOCKER_HOST"])
            yield module.Options(engine="docker", base=imported(engine.client))
    except NoEngine as error:
        pytest.skip(f"No container engine: {error}.")


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[KeyboardOutput]:
    """A USB keyboard and mouse whose devices are pipes that somebody reads."""
    if "usb_hid" not in plugins.names("wire"):
        pytest.skip("The extra that brings it is not here.")
    usb_hid = plugins.load("wire", "usb_hid")
    if not hasattr(os, "mkfifo"):
        yield usb_hid.create(usb_hid.Options())
        return
    devices = [tmp_path / "hidg0", tmp_path / "hidg1"]
    for each in devices:
        os.mkfifo(each)
    files = [os.open(each, os.O_RDWR | os.O_NONBLOCK) for each in devices]
    yield usb_hid.create(usb_hid.Options(*map(str, devices)))
    for file in files:
        os.close(file)


@each_of("target")
def test_the_options_are_strict(name: str, module: ModuleType) -> None:
    refuses_unknown_options(module)


@each_of("target")
def test_creating_it_starts_nothing(name: str, module: ModuleType, here: None) -> None:
    before = set(threading.enumerate())
    target: Target = module.create(module.Options())
    assert target.title and target.kind == name
    assert set(threading.enumerate()) == before
    target.stop()
    target.stop()


@each_of("target")
def test_it_has_the_faces_whose_methods_it_defines(name: str, module: ModuleType, here: None) -> None:
    assert unclaimed(module.create(module.Options())) == ()


@pytest.mark.linux("on Windows there is always a desktop")
@each_of("target")
def test_where_there_is_no_display_it_says_what_to_do(
    name: str, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"):
        monkeypatch.delenv(variable, raising=False)
    try:
        target = module.create(module.Options())
        target.start()
    except TargetError as error:
        assert error.message and error.advice
    else:
        assert not target.geometry().bounds.empty  # it needs none
        target.stop()


@each_of("target")
def test_it_is_seen_and_can_be_attached_to(
    name: str, module: ModuleType, options: object, cable: KeyboardOutput, here: None
) -> None:
    target: Target = module.create(options)
    if isinstance(target, WorkedOverWire):
        target.work_over(cable)
    target.start()
    try:
        layout = target.geometry()
        frame = target.observe()
        assert frame.region == layout.bounds and frame.epoch == layout.epoch
        assert len(frame.pixels) == frame.region.width * frame.region.height * 4
        part = Rect(layout.bounds.x + 5, layout.bounds.y + 6, 70, 40)
        assert target.observe(part).region == part
        if isinstance(target, ShowsOwnWindows):
            target.protect(())
        list(tree_of(target).elements()), list(windows_of(target).windows()), list(tree_of(target).unread())
        _attached(target)
    finally:
        target.stop()
        target.stop()


def _attached(target: Target) -> None:
    """The hand's half sees the same place: in this process when it is simulated, else by what the address says."""
    given = target.inline_input() if isinstance(target, Simulated) else attach(target.address())
    try:
        assert given.geometry() == target.geometry()
        assert target.geometry().bounds.contains(given.pointer())
    finally:
        given.close()
    module = plugins.load("target", target.address().kind)
    for name in ("attach", "watch", "releaser"):
        assert isinstance(target, Simulated) or callable(getattr(module, name))
