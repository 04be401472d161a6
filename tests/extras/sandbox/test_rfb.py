"""A VNC server as a target: what is seen of it, and where its password comes from."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from desktop_agent.extras.sandbox.targets import rfb
from desktop_agent.extras.sandbox.targets._rfb import RfbScreen
from desktop_agent.policy.facts.execution_places import executes
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.protocol.errors import OutOfBounds, TargetError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.redaction.secret_reference import referenced_secret
from desktop_agent.support import key_store
from tests.desk import Desk, until
from tests.extras.sandbox.rfb.vnc_place import vnc_desk
from tests.support.vnc_desk import VncDesk

RED = b"\x00\x00\xff"


@pytest.fixture(scope="module")
def vnc() -> Iterator[Desk]:
    with vnc_desk() as desk:
        yield desk


@pytest.fixture
def screen(vnc: Desk) -> Iterator[RfbScreen]:
    assert isinstance(vnc.target, VncDesk)
    screen = rfb.create(rfb.Options(port=vnc.target.port))
    screen.start()
    yield screen
    screen.stop()


def test_pictures_follow_the_screen(screen: RfbScreen, vnc: Desk) -> None:
    area = Rect(100, 200, 30, 20)
    before = screen.observe()
    assert screen.observe().pixels is before.pixels  # nothing has changed: nothing to compare or to encode
    panel = vnc.panel(area, 0xFF0000)
    until(lambda: screen.observe(area).pixels[:3] == RED, "the panel")
    assert screen.observe(area).pixels == (RED + b"\0") * (30 * 20)
    assert screen.observe().digest != before.digest
    panel.close()
    with pytest.raises(OutOfBounds):
        screen.observe(Rect(1270, 0, 20, 20))


def test_its_desktop_is_judged_as_a_window_onto_another_computer(screen: RfbScreen) -> None:
    place = Places(screen, frozenset()).at(Point(5, 5), ())
    assert place.known and place.program == screen.title
    assert executes(place) == "a window onto another computer"


def test_a_rested_or_lost_connection_is_made_anew_by_the_next_start(screen: RfbScreen, vnc: Desk) -> None:
    screen.rest()
    with pytest.raises(TargetError, match="no connection") as caught:
        screen.observe()
    assert caught.value.advice
    assert screen.windows() == ()
    screen.start()
    assert screen.observe().region == screen.geometry().bounds


def test_where_the_password_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VNC_PASSWORD", "hunter42")
    assert referenced_secret(rfb.Options().password_from) == "hunter42"
    assert referenced_secret("env:NOBODY_S") == ""
    monkeypatch.setattr(key_store, "stored_secret", {"lab": "stored"}.get)
    assert referenced_secret("keyring:lab") == "stored"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"password_from": "hunter42"}, rfb.Options)
