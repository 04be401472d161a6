"""A filmed computer as a target: what is seen of it, and that nothing stays pressed there when a process, a camera or a cable goes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="the extra `camera` is not installed")

from desktop_agent.extras.camera.targets import remote, webcam
from desktop_agent.extras.camera.targets._filmed import FilmedScreen
from desktop_agent.extras.camera.wire import usb_hid
from desktop_agent.policy.facts.execution_places import executes
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError, TargetError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.startup import assembly
from desktop_agent.support import config, plugins, resources
from desktop_agent.targets.faces import WorkedOverWire
from tests.desk import Desk, until
from tests.support.acting import Order
from tests.support.agent import Agent
from tests.support.filmed_machine import screen_of
from tests.support.simulated_camera import FAIR, SIGNAL, ServedCamera, at_rate, filming
from tests.support.usb_display import UsbDisplay, usb_display

HELD = (ops.KeyDown("a"), ops.MouseDown("left", 300, 200), ops.Wait(25))
QUICK = at_rate(SIGNAL, 20)


@dataclass
class Far:
    """A display at the end of a cable, whose pixels come as a signal, and the target that works it."""

    desk: Desk
    cable: UsbDisplay
    video: ServedCamera
    screen: FilmedScreen

    @property
    def holds(self) -> bool:
        keys, buttons = self.desk.held()
        return bool(keys or buttons)


@pytest.fixture
def far(display: Desk, tmp_path: Path) -> Iterator[Far]:
    with usb_display(display.environment, tmp_path) as cable, filming(screen_of(display), QUICK) as video:
        screen = remote.create(remote.Options(video=video.address, shows="desktop"))
        screen.work_over(usb_hid.create(usb_hid.Options(str(cable.keyboard), str(cable.mouse))))
        screen.start()
        yield Far(display, cable, video, screen)
        screen.stop()


def test_pictures_follow_the_screen_and_stay_the_same_where_nothing_changes(far: Far) -> None:
    before = far.screen.observe()
    assert far.screen.observe().pixels is before.pixels  # nothing to compare, to encode or to read again
    panel = far.desk.panel(Rect(100, 200, 300, 200), 0xFF0000)
    until(lambda: far.screen.observe().pixels != before.pixels, "the panel")
    seen = far.screen.observe()
    at = (300 * 1280 + 250) * 4
    assert seen.pixels[at] < 60 and seen.pixels[at + 2] > 190  # blue and red, as JPEG leaves them
    panel.close()


def test_it_is_judged_as_a_window_onto_another_computer(far: Far) -> None:
    assert far.screen.filmed
    place = Places(far.screen, frozenset()).at(Point(5, 5), ())
    assert place.known and executes(place) == "a window onto another computer"


@pytest.mark.parametrize("victim", ["hand", "guard"])
def test_nothing_stays_pressed_when_a_process_is_killed(far: Far, victim: str) -> None:
    with Agent(far.screen, {"DISPLAY": ""}) as agent:
        agent.begin(Order(HELD))
        until(lambda: far.holds, "a key and a button that are down")
        os.kill(agent.pids[("hand", "guard").index(victim)], signal.SIGKILL)
        until(lambda: not far.holds, "the release")


def test_a_cable_that_is_pulled_is_told_and_leaves_nothing_pressed(far: Far) -> None:
    with Agent(far.screen, {"DISPLAY": ""}) as agent:
        agent.begin(Order((ops.KeyDown("a"), *(ops.Wait(0.05), ops.KeyCombo(("shift", "b"))) * 200)))
        until(lambda: far.holds, "a key that is down")
        far.cable.unplug()
        ending = agent.end()
    assert ending.outcome != "done" and "hidg0" in ending.detail
    assert not far.holds


def test_a_camera_that_is_gone_is_told_in_words_and_can_come_back(far: Far) -> None:
    far.video.unplug()
    with pytest.raises(TargetError, match="camera") as caught:
        until(lambda: far.screen.observe() is None, "the end of the pictures")
    assert caught.value.advice
    far.screen.stop()
    far.video.plug_in()
    far.screen.start()
    assert far.screen.observe().region == far.screen.geometry().bounds


def test_a_camera_that_was_never_set_up_says_how_to(
    display: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with (
        usb_display(display.environment, tmp_path) as cable,
        filming(screen_of(display), at_rate(FAIR, 5)) as camera,
    ):
        screen = webcam.create(webcam.Options(camera=camera.address))
        screen.work_over(usb_hid.create(usb_hid.Options(str(cable.keyboard), str(cable.mouse))))
        with pytest.raises(ConfigError, match="calibration") as caught:
            screen.start()
        assert "desktop-agent calibrate" in caught.value.advice
        screen.stop()


@pytest.mark.parametrize(
    ("name", "value"), [("corners", ((1.0, 2.0),)), ("crop", (1, 2)), ("shows", "films")]
)
def test_options_that_cannot_be(name: str, value: object) -> None:
    import msgspec

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({name: value}, webcam.Options)


def test_the_example_configuration_can_be_used_as_it_is() -> None:
    file = resources.path("camera", "example.toml")
    settings = config.load(file, {})
    for family in config.TABLES:
        for name in getattr(settings, family):
            config.options(settings, family, name, plugins.load(family, name).Options)
    target = assembly.make_target(settings)
    assert isinstance(target, WorkedOverWire) and target.wire == "http"
