"""Hand and guard at a VNC server: whoever dies, nothing stays pressed there, and the user's own ESC stops it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.acting.moving_places import MovingPlaces
from desktop_agent.agent.acting.preconditions import Preconditions
from desktop_agent.extras.sandbox.targets._rfb import RfbScreen
from desktop_agent.hand.client import Hands
from desktop_agent.platforms.vnc_server import PASSWORD
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.vision.observation import Observation
from tests.desk import Desk, until
from tests.extras.sandbox.rfb.vnc_place import vnc_desk
from tests.hand.human import Human
from tests.hand.workplace import Workplace
from tests.support.vnc_desk import VncDesk

APPS = Path(__file__).parents[2] / "platforms" / "apps"


@pytest.fixture(scope="module")
def vnc() -> Iterator[Desk]:
    """The display behind a VNC server with a password."""
    with vnc_desk("hunter42") as desk:
        yield desk


@dataclass
class RfbWorkplace(Workplace):
    """Hand and guard that work the desk through its VNC server."""

    def __post_init__(self) -> None:
        self.screen = screen_of(self.desk)
        self.screen.start()
        self.hands = Hands(self.screen.address(), on_stop=self.stops.append)


def screen_of(desk: Desk) -> RfbScreen:
    assert isinstance(desk.target, VncDesk)
    return desk.target.screen()


@pytest.fixture
def place(vnc: Desk, shared_display: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[RfbWorkplace]:
    """At the user's own display, which is another than the server's."""
    for name in ("DISPLAY", "XAUTHORITY"):
        monkeypatch.setenv(name, shared_display.environment[name])
    place = RfbWorkplace(vnc)
    place.hands.start()
    with vnc.ending():
        yield place
    place.hands.close()
    place.screen.stop()
    place.await_release()


def test_text_and_clicks_arrive(place: RfbWorkplace, tmp_path: Path) -> None:
    file = tmp_path / "text"
    place.desk.launch(sys.executable, str(APPS / "text_box.py"), str(file), title="^text box$")
    until(file.exists, "the focus on the text box")
    box = next(iter(place.desk.target.windows())).bounds.center
    words = 'Grüße, "Welt"! {x} → 日本\n' * 4
    outcomes = place.do(
        ops.Click(box.x, box.y), ops.Type(words), ops.KeyCombo(("ctrl", "end")), ops.Type(".")
    )
    assert outcomes == ["done"] * 4
    until(lambda: file.read_text(encoding="utf-8") == f"{words}.", "the whole text")


def test_the_pointer_that_the_server_draws_makes_no_click_stale(place: RfbWorkplace) -> None:
    """Xvnc draws it into the pictures of viewers that have not moved it for a second, as the brain's is."""
    around = Rect(590, 680, 40, 40)
    bare = place.screen.observe(around).pixels
    for _ in range(2):
        frame = place.screen.observe()
        seen = Observation(frame, Viewport(frame.region, frame.size, frame.epoch))
        clicks = (ops.Click(600, 700), ops.Click(900, 700), ops.Click(600, 700))
        expects = Preconditions(MovingPlaces()).of(clicks, seen)
        assert all(each.pixels for each in expects)
        batch = msgspec.structs.replace(place.batch(*clicks), expects=expects)
        results = place.hands.execute(batch)
        assert [(each.outcome, each.detail) for each in results] == [("done", "")] * 3
        until(lambda: place.screen.observe(around).pixels != bare, "the pointer in the picture")


def test_the_password_is_in_no_file(place: RfbWorkplace) -> None:
    folder = Path(place.hands._pair._path).parent  # type: ignore[union-attr]
    assert place.screen.address().secrets == {PASSWORD: "hunter42"}
    assert "hunter42" not in repr(place.screen.address())
    for file in folder.iterdir():
        assert b"hunter42" not in file.read_bytes()


@pytest.mark.parametrize("victims", ["hand", "guard", "both", "frozen"])
def test_nothing_stays_held(place: RfbWorkplace, victims: str) -> None:
    job = place.begin_holding()
    if victims == "frozen":
        os.kill(place.hand, signal.SIGSTOP)
        place.hands.stop("enough")
    else:
        place.kill(*{"hand": (place.hand,), "guard": (place.guard,), "both": place.hands.pids}[victims])
    place.await_release()
    assert job.ending()
    place.hands.reset()
    assert place.do(ops.Move(5, 5)) == ["done"]


def test_esc_at_the_user_s_own_display_stops_it(place: RfbWorkplace, human: Human) -> None:
    job = place.begin_holding()
    human.tap()
    place.await_stop("ESC was pressed")
    place.await_release()
    assert job.results()[-1].outcome == "stopped"
    place.hands.reset()
    assert place.do(ops.KeyCombo(("escape",)), ops.Move(5, 5)) == ["done", "done"]  # its own ESC does not
    assert not place.hands.stopped


def test_without_a_display_of_the_user_s_it_works_too(vnc: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    place = RfbWorkplace(vnc)
    place.hands.start()
    assert place.do(ops.Move(7, 8), ops.Click(7, 8)) == ["done", "done"]
    place.hands.close()
    place.screen.stop()


def test_a_server_that_ends_is_told(shared_display: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "XAUTHORITY"):
        monkeypatch.setenv(name, shared_display.environment[name])
    with vnc_desk() as desk:
        place = RfbWorkplace(desk)
        place.hands.start()
        batch = place.batch(ops.Click(600, 700), ops.Type("a"))
        desk.target.stop()
        with pytest.raises(HandError, match="has closed the connection") as caught:
            place.hands.execute(batch)
        assert caught.value.advice
        place.hands.close()
        place.screen.stop()
