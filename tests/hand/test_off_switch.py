"""What switches off: a lock, another session in front, something of the human's that fills the screen; on real parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.hand.client import Hands
from desktop_agent.hand.guard.main import OffSwitch
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms.base import FullScreen, SessionWatch
from desktop_agent.platforms.x11.lock_watch import LockWatch
from desktop_agent.platforms.x11.session_watch import X11SessionWatch
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import Off, OffReason
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.targets.base import Address
from tests.desk import Desk, until
from tests.hand.workplace import Workplace
from tests.support.logind import Logind, private_bus

ON, NOTHING = OffReason(0), FullScreen()

# ---- the guard's judgement -------------------------------------------------------------------


class Told(SessionWatch):
    """A session that says what the test wants."""

    def __init__(self) -> None:
        self.why = OffReason(0)
        self.filling = FullScreen()

    def start(self) -> None: ...

    def reasons(self) -> OffReason:
        return self.why

    def full_screen(self) -> FullScreen:
        return self.filling


class Judge:
    """The guard's switch over a block in memory."""

    def __init__(self) -> None:
        self.shared, self.session, self.said = Shared.private(), Told(), list[str]()
        self.switch = OffSwitch(self.shared, self.session, self.said.append)
        self.switch.start()

    def sees(self, *, why: OffReason = ON, filling: FullScreen = NOTHING) -> int:
        self.session.why, self.session.filling = why, filling
        self.switch.follow()
        return self.shared.off


def test_it_is_off_as_long_as_there_is_a_reason_and_says_so_once() -> None:
    judge = Judge()
    assert judge.sees() == 0 and judge.switch.seconds == 0
    assert judge.sees(why=OffReason.LOCKED) == judge.sees(why=OffReason.LOCKED) == OffReason.LOCKED
    assert judge.switch.seconds > 0
    assert judge.sees() == 0 and judge.said == ["off 1", "off 0"]


def test_what_fills_the_screen_by_the_hands_own_work_does_not_switch_off() -> None:
    judge = Judge()
    assert judge.sees(filling=FullScreen(5, pid=50, before=50)) == OffReason.FULL_SCREEN  # the human's F11
    judge.sees()
    judge.shared[Word.BUSY] = 1
    assert judge.sees(filling=FullScreen(5, pid=50, before=50)) == 0  # the agent's
    judge.shared[Word.BUSY] = 0
    assert judge.sees(filling=FullScreen(5, pid=50, before=50)) == 0  # it stays the agent's
    judge.shared[Word.BUSY] = 1
    assert judge.sees(filling=FullScreen(6, pid=60, before=50)) == OffReason.FULL_SCREEN  # somebody else's


def test_our_own_window_may_fill_the_screen() -> None:
    judge = Judge()
    judge.shared[Word.BRAIN_PID] = 50
    assert judge.sees(filling=FullScreen(5, pid=50)) == 0


# ---- the display -----------------------------------------------------------------------------


@pytest.fixture
def session(shared_display: Desk) -> X11SessionWatch:
    watch = X11SessionWatch({**shared_display.environment, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"})
    watch.start()
    return watch


def test_a_full_screen_window_is_found_and_forgotten(shared_display: Desk, session: X11SessionWatch) -> None:
    shared_display.launch("xterm", "-T", "usual", title="usual")
    assert session.full_screen() == FullScreen()
    pid = shared_display.launch("xterm", "-fullscreen", "-T", "film", title="film")
    until(lambda: session.full_screen().pid == pid, "the film is found")
    shared_display.end(pid)
    until(lambda: session.full_screen() == FullScreen(), "the film is over")


def test_what_covers_the_screen_without_a_window_manager_counts_too(
    shared_display: Desk, session: X11SessionWatch
) -> None:
    bounds = shared_display.target.geometry().bounds
    small = shared_display.panel(Rect(0, 0, bounds.width, bounds.height - 40), 0x202020)
    lock = shared_display.panel(bounds, 0x101010)
    until(lambda: session.full_screen().window == lock.id, "the lock screen is found")
    lock.close()
    until(lambda: session.full_screen() == FullScreen(), "the lock screen is gone")
    small.close()


@pytest.fixture
def at_home(shared_display: Desk) -> Iterator[Workplace]:
    """Hand and guard on the display as on the human's own."""
    place = Workplace(shared_display)
    place.hands = Hands(Address("local", shared_display.environment), on_stop=place.stops.append)
    place.hands.start()
    yield place
    place.hands.close()
    assert shared_display.held() == (set(), 0)


def off(hands: Hands) -> str:
    try:
        hands.check_off()
    except Off as error:
        return error.message
    return ""


def test_under_a_film_the_hand_does_nothing_until_it_is_allowed(
    shared_display: Desk, at_home: Workplace
) -> None:
    told: list[Off] = []
    at_home.hands.on_off = told.append
    assert at_home.do(ops.Move(100, 100)) == ["done"] and not off(at_home.hands)
    pid = shared_display.launch("xterm", "-fullscreen", "-T", "film", title="film")
    until(lambda: off(at_home.hands), "it is off")
    assert at_home.do(ops.Move(200, 200), ops.Click(200, 200)) == ["skipped"] * 2
    assert shared_display.target.pointer() == Point(100, 100)
    assert "fills the whole screen" in told[0].message and not at_home.stops
    at_home.hands.allow_full_screen(True)
    assert not off(at_home.hands) and at_home.do(ops.Move(200, 200)) == ["done"]
    shared_display.end(pid)
    shared_display.launch("xterm", "-fullscreen", "-T", "call", title="call")
    until(lambda: off(at_home.hands), "another one is not allowed")


def test_a_drag_ends_when_a_film_begins(shared_display: Desk, at_home: Workplace) -> None:
    job = at_home.begin_holding()
    shared_display.launch("xterm", "-fullscreen", "-T", "film", title="film")
    assert [each.outcome for each in job.results()][-1] == "skipped"
    at_home.await_release()
    assert not at_home.stops


# ---- the buses -------------------------------------------------------------------------------


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[str]:
    """The address of a private bus."""
    with private_bus(tmp_path) as address:
        yield address


def test_the_buses_tell_of_locks_and_of_other_sessions(bus: str) -> None:
    logind = Logind(bus)
    watch = LockWatch({"DBUS_SYSTEM_BUS_ADDRESS": bus, "DBUS_SESSION_BUS_ADDRESS": bus})
    watch.start()
    logind.properties["LockedHint"] = ("b", True)
    for name, value, expected in (
        ("LockedHint", True, OffReason.LOCKED),
        ("Active", False, OffReason.LOCKED | OffReason.AWAY),
        ("LockedHint", False, OffReason.AWAY),
        ("Active", True, OffReason(0)),
    ):
        until_told(watch, lambda name=name, value=value: logind.change(name, value), expected)
    until_told(watch, lambda: logind.blank(True), OffReason.LOCKED)
    until_told(watch, lambda: logind.blank(False), OffReason(0))


def until_told(watch: LockWatch, tell: Any, expected: OffReason) -> None:
    """Tell until it is known: whoever begins to listen may have missed the first time."""

    def told() -> bool:
        tell()
        return watch.reasons == expected

    until(told, f"{expected!r}")


def test_without_buses_nothing_is_off() -> None:
    watch = LockWatch({"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "DBUS_SESSION_BUS_ADDRESS": "what?"})
    watch.start()
    assert watch.reasons == OffReason(0)
