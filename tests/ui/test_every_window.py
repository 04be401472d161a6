"""Every window in every state: all that takes the keyboard has a name, no word is cut, and it looks as it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from desktop_agent.targets import display as embedded
from desktop_agent.vision.atspi.atspi_reader import AtspiReader
from desktop_agent.vision.observation import Element
from tests.desk import Desk, until
from tests.ui.baselines import FAMILY, LOOKS, differences, stored
from tests.ui.every_window import STATES
from tests.ui.shown_windows import ShownWindows
from tests.ui.test_fonts import FAMILIES
from tests.ui.wanted_look import Shown, Wanted

POPUPS = frozenset(state for state in STATES if state.startswith(("chat pill", "chat menu")))
"""Qt keeps popups out of the tree that can be walked; a screen reader is told of what in them gets the focus."""
SAME = frozenset((("push button", "Resume"),))
"""In the header and beside the words that it is paused: both do the same."""
ROLES = frozenset((
    "check box", "combo box", "entry", "link", "list", "list item", "page tab", "password text", "push button", "radio button",
    "scroll pane", "slider", "table", "table cell", "table column header", "text", "toggle button", "tree",
))  # fmt: skip
LIKE_OTHERS = frozenset((
    "chat long", "chat unpriced", "chat long unpriced", "chat long error", "chat refused approval", "chat typing approval",
    "welcome key-asked", "welcome escape-seen", "welcome practising", "settings key-panel",
))  # fmt: skip
GROWING = (
    "settings general", "settings permission", "settings changed", "settings wrong", "settings question", "settings budgets",
    "history list", "history delete", "history player", *(each for each in STATES if each.startswith("agents")), "welcome here", "welcome key-refused", "welcome escape",
    "crash", "second start", "start question", "scene window", "scene editor",
)  # fmt: skip
CANVASES = ("Picture of the screen", "Picture of what it saw", "The simulated desktop, live")
"""Pictures that the keyboard works on: Qt has no role for them, so our reader does not list them."""
DATA = frozenset(("table cell", "list item", "table column header"))
"""Rows of a table may be alike."""


@pytest.fixture(scope="module")
def wide_desk() -> Iterator[Desk]:
    """A screen with room for every window at twice its size."""
    target = embedded.create(embedded.Options(width=1900, height=1900))
    target.start()
    yield Desk(target)
    target.stop()


@pytest.fixture(scope="module")
def windows(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShownWindows]:
    shown = in_font(desk, tmp_path_factory.mktemp("windows"), FAMILY)
    yield shown
    shown.close()


@pytest.fixture(scope="module")
def seen() -> dict[Wanted, Shown]:
    """What was shown so far: each is shown once."""
    return {}


def in_font(desk: Desk, folder: Path, family: str, scale: float = 1) -> ShownWindows:
    if not FAMILIES[family].is_dir():
        pytest.skip(f"{family} is not installed: no {FAMILIES[family]}")
    return ShownWindows(desk.environment, folder, family, scale)


def test_whatever_takes_the_keyboard_has_a_name_of_its_own(
    windows: ShownWindows, seen: dict[Wanted, Shown], desk: Desk
) -> None:
    reader = AtspiReader(desk.environment)
    offenders: list[str] = []
    try:
        for state in (each for each in STATES if each not in LIKE_OTHERS):
            shown = seen[Wanted(state)] = windows.show(Wanted(state))
            nameless = [each for each in shown.controls if each.startswith("<")]
            wrong = [] if state in POPUPS else read_from_outside(reader, desk, windows.pid, shown)
            offenders += [f"{state}: {each}" for each in (*nameless, *wrong)]
    finally:
        reader.close()
    assert offenders == [], "\n".join(offenders)


def read_from_outside(reader: AtspiReader, desk: Desk, pid: int, shown: Shown) -> list[str]:
    """What is wrong with the names that our reader finds in a window."""
    found: list[Element] = []

    def unread() -> list[str]:
        found[:] = [
            each for each in reader.read(desk.target.windows(), only=pid) if each.window == shown.title
        ]
        names = {each.name for each in found}
        return [
            each
            for each in shown.controls
            if not each.startswith(("<", *CANVASES)) and not is_read(each, names)
        ]

    try:
        until(lambda: not unread(), "all controls read", seconds=3)
    except AssertionError:
        return [f"not read: {each}" for each in unread()]
    return list(wrong_names(found))


def is_read(name: str, names: Iterable[str]) -> bool:
    start = " ".join(name.split())[:40]
    return any(each.startswith(start) for each in names)


def wrong_names(found: Iterable[Element]) -> Iterator[str]:
    takers = [each for each in found if {"focusable", "enabled"} <= each.states]
    yield from (f"{each.role} without a name at {each.bounds}" for each in takers if not each.name.strip())
    yield from (f"{each.name} is a {each.role}" for each in takers if each.role not in ROLES)
    named = Counter((each.parent, each.role, each.name) for each in takers if each.role not in DATA)
    yield from (
        f"{n} times {role} {name}"
        for (_, role, name), n in named.items()
        if n > 1 and (role, name) not in SAME
    )


def test_every_window_looks_as_it_did(windows: ShownWindows, seen: dict[Wanted, Shown]) -> None:
    """`python -m tests.ui.gallery --baselines` writes the stored looks anew."""
    changed: list[str] = []
    for wanted in (each for each in LOOKS if each.state in STATES):
        shown = seen.get(wanted) or windows.show(wanted)
        assert shown.family == FAMILY
        changed += [
            f"{wanted.file_name}: {each}" for each in (*differences(stored(wanted), shown.look), *shown.cut)
        ]
    assert changed == [], "\n".join(changed)


@pytest.mark.parametrize(
    ("family", "scale", "states"), [("Nimbus Sans", 2, GROWING[::3]), ("URW Bookman", 1.5, GROWING)]
)
def test_no_word_is_cut_in_other_fonts(
    family: str, scale: float, states: tuple[str, ...], wide_desk: Desk, tmp_path: Path
) -> None:
    """The wider letters in every window; twice the size, which is the same for all of them, in some."""
    windows = in_font(wide_desk, tmp_path, family, scale)
    cut: list[str] = []
    try:
        for state in states:
            shown = windows.show(Wanted(state, language="de"))
            assert shown.family.partition(" [")[0] == family  # in brackets is its foundry
            assert shown.scale == scale
            cut += [f"{state}: {each}" for each in shown.cut]
    finally:
        windows.close()
    assert cut == [], "\n".join(cut)
