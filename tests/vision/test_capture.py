"""Frames show the screen, without anything hidden."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from desktop_agent.protocol.errors import OutOfBounds, TargetError
from desktop_agent.protocol.geometry import Point, Rect, Size
from desktop_agent.targets import local
from desktop_agent.vision.capture.capture import Capture, MssCamera
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.x11_camera import XcbCamera, x11_camera
from tests.desk import Desk, Panel, until

RED, GREEN, BLUE, GREY = 0xFF0000, 0x00FF00, 0x0000FF, 0x808080
BACKGROUND = 0x3B6EA5


@pytest.fixture
def red(shared_display: Desk) -> Iterator[Panel]:
    panel = shared_display.panel(Rect(100, 200, 300, 150), RED)
    yield panel
    panel.close()


def colour(frame: Frame, x: int, y: int) -> int:
    """0xRRGGBB of a screen pixel."""
    start = ((y - frame.region.y) * frame.region.width + x - frame.region.x) * 4
    blue, green, red = frame.pixels[start : start + 3]
    return red << 16 | green << 8 | blue


def test_the_whole_desktop(shared_display: Desk, red: Panel) -> None:
    frame = shared_display.target.observe()
    assert frame.size == Size(1280, 800)
    assert len(frame.pixels) == 1280 * 800 * 4
    assert [colour(frame, x, y) for x, y in ((99, 200), (100, 200), (399, 349), (400, 349))] == [
        BACKGROUND, RED, RED, BACKGROUND,
    ]  # fmt: skip
    assert frame.epoch == shared_display.target.geometry().epoch
    assert frame.digest == shared_display.target.observe().digest


def test_an_unchanged_screen_is_told_by_the_same_bytes(shared_display: Desk, red: Panel) -> None:
    target = shared_display.target
    first = target.observe()
    assert target.observe().pixels is first.pixels
    red.fill(GREEN, Rect(0, 0, 1, 1))
    changed = target.observe()
    assert changed.pixels != first.pixels
    assert changed.digest != first.digest
    part = Rect(100, 200, 10, 10)
    assert target.observe(part).pixels is target.observe(part).pixels


def test_a_region(shared_display: Desk, red: Panel) -> None:
    frame = shared_display.target.observe(Rect(390, 340, 20, 20))
    assert frame.region == Rect(390, 340, 20, 20)
    assert [colour(frame, 399, 349), colour(frame, 400, 350)] == [RED, BACKGROUND]


@pytest.mark.parametrize("region", [Rect(1270, 0, 20, 20), Rect(-1, 0, 5, 5), Rect(0, 0, 0, 5)])
def test_a_region_off_the_screen_is_refused(shared_display: Desk, region: Rect) -> None:
    with pytest.raises(OutOfBounds):
        shared_display.target.observe(region)


def test_protected_windows_are_grey(shared_display: Desk, red: Panel) -> None:
    other = shared_display.panel(Rect(600, 200, 50, 50), GREEN)
    shared_display.target.protect([os.getpid()])
    try:
        frame = shared_display.target.observe()
        assert [colour(frame, 100, 200), colour(frame, 399, 349), colour(frame, 620, 220)] == [GREY] * 3
        assert [colour(frame, 99, 200), colour(frame, 400, 349)] == [BACKGROUND] * 2
        part = shared_display.target.observe(Rect(350, 300, 100, 100))
        assert [colour(part, 399, 349), colour(part, 400, 350)] == [GREY, BACKGROUND]
    finally:
        shared_display.target.protect([])
        other.close()
    assert colour(shared_display.target.observe(), 100, 200) == RED


def test_the_frame_of_a_protected_window_is_grey_too(shared_display: Desk) -> None:
    pid = shared_display.launch("xterm", "-T", "ours", title="^ours$")
    bounds = shared_display.target.windows()[0].bounds
    shared_display.target.protect([pid])
    try:
        frame = shared_display.target.observe()
        corners = (Point(bounds.x, bounds.y), Point(bounds.right - 1, bounds.bottom - 1))
        assert [colour(frame, p.x, p.y) for p in corners] == [GREY, GREY]
        assert shared_display.target.windows() == []
    finally:
        shared_display.target.protect([])
        shared_display.end(pid)


def test_a_new_screen_size_is_seen_at_once(display: Desk) -> None:
    before = display.target.geometry()
    # The first picture is of the small screen: a camera made then must not be used for the large one.
    subprocess.run(["xrandr", "--fb", "1024x700"], env=display.environment, capture_output=True, check=False)
    until(lambda: display.target.geometry() != before, "the new size")
    after = display.target.geometry()
    assert after.bounds == Rect(0, 0, 1024, 700)
    assert after.epoch != before.epoch
    assert display.target.observe().size == Size(1024, 700)
    subprocess.run(["xrandr", "--fb", "1280x800"], env=display.environment, capture_output=True, check=False)
    until(lambda: display.target.geometry() == before, "the old size and its epoch")
    assert display.target.observe().size == Size(1280, 800)


def test_both_cameras_see_the_same(shared_display: Desk, red: Panel) -> None:
    environment, region = shared_display.environment, Rect(90, 190, 320, 170)
    cameras = (x11_camera(environment), XcbCamera(environment))
    assert isinstance(cameras[0], MssCamera)
    first, second = (camera.grab(region) for camera in cameras)
    for camera in cameras:
        camera.close()
    assert bytes(first) == bytes(second)


def test_a_server_that_mss_does_not_take(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    # Newer ones do not start without a place for connections.
    command = f"Xvnc -displayfd {writer} -SecurityTypes None -geometry 640x480 -depth 24 -rfbport -1".split()
    command += ["-rfbunixpath", str(tmp_path / "vnc")]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as announced:
            options = local.Options(display=f":{announced.readline().strip()}")
        target = local.create(options)
        target.start()
        assert target.observe().size == Size(640, 480)
        server.kill()
        server.wait()
        with pytest.raises(TargetError):
            target.observe()
        target.stop()
    finally:
        server.kill()
        server.wait()


def test_capturing_leaves_our_own_environment_alone(
    shared_display: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XAUTHORITY", "/elsewhere")
    monkeypatch.setenv("DISPLAY", ":elsewhere")
    capture = Capture(partial(x11_camera, shared_display.environment))
    capture.frame(shared_display.target.geometry(), None, ())
    capture.close()
    assert (os.environ["XAUTHORITY"], os.environ["DISPLAY"]) == ("/elsewhere", ":elsewhere")
