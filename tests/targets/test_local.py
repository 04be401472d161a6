"""The display there is: found by the environment, left running, refused with advice when missing."""

from __future__ import annotations

import subprocess

import pytest

from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import Move
from desktop_agent.targets import local
from tests.desk import Desk


def test_it_attaches_and_leaves_the_display_running(
    shared_display: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in local.SESSION_VARIABLES:
        if name in shared_display.environment:
            monkeypatch.setenv(name, shared_display.environment[name])
    target = local.create(local.Options())
    target.start()
    hand = local.attach(target.address())
    hand.emit(Move(5, 6))
    assert (target.kind, hand.pointer()) == ("local", Point(5, 6))
    assert target.observe().digest == shared_display.target.observe().digest
    hand.close()
    target.stop()
    target.stop()
    assert shared_display.target.observe().size == shared_display.target.geometry().bounds.size
    with pytest.raises(TargetError, match="has not been started or has ended"):
        target.observe()


@pytest.mark.linux("asks for X11")
def test_without_a_display_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(TargetError, match="--target display"):
        local.create(local.Options())


@pytest.mark.linux("asks for X11")
def test_an_unreachable_display_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    target = local.create(local.Options(display=":4711"))
    with pytest.raises(TargetError, match=r":4711 cannot be reached"):
        target.start()


def test_a_wayland_session_is_refused(display: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["xrandr", "--setmonitor", "XWAYLAND0", "1280/338x800/211+0+0", "none"]
    subprocess.run(command, env=display.environment, check=True)
    monkeypatch.setenv("XAUTHORITY", display.environment["XAUTHORITY"])
    target = local.create(local.Options(display=display.environment["DISPLAY"]))
    with pytest.raises(TargetError, match=r"Wayland session.*Xorg"):
        target.start()
    with pytest.raises(TargetError, match="has not been started"):
        target.observe()
