"""Clicks, drags, the wheel and held keys as real toolkits understand them: Qt, GTK and Chromium."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.hand.injector.controller import MARGIN, NEAR, DoubleClickGap
from desktop_agent.protocol import ops
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, Move
from tests.desk import Desk, until
from tests.hand.workplace import Workplace
from tests.support.memory_input import MemoryInput

EVENT_LOG = Path(__file__).parent.parent / "platforms" / "apps" / "event_log.py"
X, Y = 300, 300
ONE = ops.Click(X, Y)
PAGE = """<!doctype html><title>log</title><body style="margin:0;height:3000px;width:5000px">
<script>
let seen = []
const note = words => { seen.push(words); document.title = 'log ' + seen.join(' ') }
addEventListener('mousedown', e => note('d' + e.detail))
addEventListener('dblclick', () => note('dbl'))
addEventListener('mouseup', e => note('u@' + e.clientX + ',' + e.clientY))
let moved = 0
addEventListener('mousemove', e => { if (e.buttons == 1 && ++moved == 3) note('dragged') })
addEventListener('wheel', e => note('w' + Math.sign(e.deltaX) + ',' + Math.sign(e.deltaY)))
addEventListener('keydown', e => { if (!e.repeat || seen.at(-1) != 'repeat') note(e.repeat ? 'repeat' : 'key') })
</script>"""


# ---- the rule ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "button", "passed", "wait"),
    [
        ((0, 0), "left", 0.1, 0.4),
        ((NEAR, -NEAR), "left", 0.1, 0.4),
        ((NEAR + 1, 0), "left", 0.1, 0),
        ((0, 0), "right", 0.1, 0),
        ((0, 0), "left", 0.6, 0),
    ],
)
def test_when_a_press_has_to_wait(to: tuple[int, int], button: str, passed: float, wait: float) -> None:
    now, place = [10.0], MemoryInput()
    place.double_click = 0.5
    clicks = DoubleClickGap(place, lambda: now[0])
    assert clicks.wait_before("left") == 0
    for event in (Move(X, Y), ButtonDown("left"), ButtonUp("left")):
        place.emit(event)
        clicks.sent(event)
    place.emit(Move(X + to[0], Y + to[1]))
    now[0] += passed
    expected = wait + MARGIN if wait else 0
    assert clicks.wait_before("right" if button == "right" else "left") == pytest.approx(expected)


# ---- Qt ----------------------------------------------------------------------------------------


@pytest.fixture
def log(workplace: Workplace, tmp_path: Path) -> Iterator[Path]:
    """What a Qt window got, without moves; the pointer is in it."""
    file = tmp_path / "events"
    pid = workplace.desk.launch(sys.executable, str(EVENT_LOG), str(file), title="event log")
    assert workplace.do(ops.Move(X - 50, Y)) == ["done"]
    until(lambda: f"{X - 50} {Y}" in file.read_text(), "the window under the pointer")
    file.write_text("")
    yield file
    workplace.desk.end(pid)


def kinds(log: Path) -> list[str]:
    return [kind for line in log.read_text().splitlines() if (kind := line.split()[0]) != "move"]


def await_kinds(log: Path, *wanted: str) -> None:
    try:
        until(lambda: len(kinds(log)) >= len(wanted), f"{len(wanted)} events")
    except AssertionError as error:
        raise AssertionError(f"{error}: {kinds(log)}") from None
    assert kinds(log) == list(wanted)


def test_qt_two_clicks_in_a_batch_are_two_single_clicks(workplace: Workplace, log: Path) -> None:
    assert workplace.do(ONE, ONE) == ["done"] * 2
    await_kinds(log, *["press", "release"] * 2)


def test_qt_keys_in_between_do_not_make_them_one(workplace: Workplace, log: Path) -> None:
    assert workplace.do(ONE, ops.Type("a"), ONE) == ["done"] * 3
    await_kinds(log, *["press", "release"] * 2)


def test_qt_two_clicks_in_two_batches(workplace: Workplace, log: Path) -> None:
    assert workplace.do(ONE) == workplace.do(ONE) == ["done"]
    await_kinds(log, *["press", "release"] * 2)


def test_qt_a_double_click_after_a_click(workplace: Workplace, log: Path) -> None:
    assert workplace.do(ONE, ops.Click(X, Y, count=2)) == ["done"] * 2
    await_kinds(log, "press", "release", "press", "release", "double", "release")


def test_qt_a_drag_after_a_click(workplace: Workplace, log: Path) -> None:
    path = tuple(ops.Spot(X + dx, Y) for dx in (0, 60, 120))
    assert workplace.do(ONE, ops.Drag(path)) == ["done"] * 2
    await_kinds(log, *["press", "release"] * 2)
    lines = [line.split() for line in log.read_text().splitlines()]
    presses = [n for n, words in enumerate(lines) if words[0] == "press"]
    held = [words for words in lines[presses[1] :] if words[0] == "move"]
    assert len(held) >= 5 and lines[-1][2:4] == [str(X + 120), str(Y)]


def test_qt_alt_belongs_to_the_application(workplace: Workplace, log: Path) -> None:
    path = tuple(ops.Spot(X + dx, Y + 60) for dx in (0, 60))
    alt = ("alt",)
    assert workplace.do(ops.Click(X, Y, modifiers=alt), ops.Drag(path, modifiers=alt)) == ["done"] * 2
    await_kinds(log, *["press", "release"] * 2)


def test_a_window_is_maximised_by_its_title(workplace: Workplace, log: Path) -> None:
    before = workplace.desk.target.windows()[0].bounds
    title = ops.Click(before.center.x, before.y + 8)
    assert workplace.do(title, title) == ["done"] * 2
    assert workplace.desk.target.windows()[0].bounds == before
    assert workplace.do(ops.Click(title.x, title.y, count=2)) == ["done"]
    until(lambda: workplace.desk.target.windows()[0].bounds.width > before.width, "the window maximised")


def test_qt_the_wheel_turns_sideways(workplace: Workplace, log: Path) -> None:
    assert workplace.do(ops.Scroll(dx=2, x=X, y=Y), ops.Scroll(dx=-1, x=X, y=Y)) == ["done"] * 2
    until(lambda: len(kinds(log)) >= 3, "three notches")
    turned = [line.split()[1:] for line in log.read_text().splitlines() if line.startswith("wheel")]
    assert turned == [["-120", "0"], ["-120", "0"], ["120", "0"]]  # Qt: to the left is positive


# ---- GTK: a text editor, judged by the file that it writes ---------------------------------------


@pytest.fixture
def editor(workplace: Workplace, tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "text.txt"
    file.write_text("hello" * 12 + "\n" + "hello" * 12 + "\n")
    pid = workplace.desk.launch("mousepad", str(file), title="text.txt")
    yield file
    workplace.desk.end(pid)


def word(workplace: Workplace) -> tuple[int, int]:
    """A place in the first line of the editor, whose text is one long word."""
    window = workplace.desk.target.windows()[0]
    page = until(
        lambda: [e for e in workplace.desk.target.elements_of(window.pid) if e.role in ("textbox", "text")],
        "the text in the editor's elements",
    )[0]
    return page.bounds.x + 120, page.bounds.y + 10


def saved(workplace: Workplace, file: Path) -> str:
    before = file.stat().st_mtime_ns
    assert workplace.do(ops.KeyCombo(("ctrl", "s"))) == ["done"]
    until(lambda: file.stat().st_mtime_ns != before, "the file written")
    return file.read_text()


@pytest.mark.parametrize(
    ("operations", "letters"),
    [
        ((1, 1), 60 + 1),  # the caret is put there twice, nothing is selected
        ((1, 2), 1),  # the word is selected, and replaced
        ((2,), 1),
    ],
)
def test_gtk_clicks_on_a_word(
    workplace: Workplace, editor: Path, operations: tuple[int, ...], letters: int
) -> None:
    x, y = word(workplace)
    clicks = [ops.Click(x, y, count=count) for count in operations]
    assert set(workplace.do(*clicks, ops.Type("X"))) == {"done"}
    text = saved(workplace, editor)
    assert len(text.splitlines()[0]) == letters and text.count("X") == 1
    assert text.splitlines()[1] == "hello" * 12


def test_gtk_a_drag_selects_what_it_passes(workplace: Workplace, editor: Path) -> None:
    x, y = word(workplace)
    path = tuple(ops.Spot(x + dx, y) for dx in (0, 40, 80))
    assert workplace.do(ops.Click(x, y), ops.Drag(path), ops.Type("X")) == ["done"] * 3
    line = saved(workplace, editor).splitlines()[0]
    assert 30 < len(line) < 60 and line.count("X") == 1


def test_gtk_a_held_key_repeats_until_it_is_released(workplace: Workplace, editor: Path) -> None:
    word(workplace)
    held = (ops.KeyDown("x"), ops.Wait(2), ops.KeyUp("x"))
    workplace.hold(*held)
    first = saved(workplace, editor).count("x")
    assert first > 10
    assert workplace.do(ops.KeyCombo(("end",)), ops.Type("y")) == ["done"] * 2
    assert saved(workplace, editor).count("x") == first


# ---- Chromium ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(shared_display: Desk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    file = tmp_path_factory.mktemp("page") / "log.html"
    file.write_text(PAGE)
    pid = shared_display.launch("chromium", f"file://{file}", title="^log")
    yield file
    shared_display.end(pid)


def test_chromium(workplace: Workplace, page: Path) -> None:
    """One page for all: a browser takes its time to start."""
    window = workplace.desk.wait_for_window("^log").bounds.center
    x, y = window.x, window.y

    def noted() -> str:
        return (
            workplace.desk.target.windows()[0].title.removesuffix(" - Chromium").removeprefix("log").strip()
        )

    def check(wanted: str, *operations: ops.Op) -> None:
        before = noted()
        assert set(workplace.do(*operations)) == {"done"}

        def new() -> str:
            return " ".join(w for w in noted().removeprefix(before).split() if not w.startswith("u@"))

        try:
            until(lambda: new() == wanted, wanted)
        except AssertionError as error:
            raise AssertionError(f"{error}: {new()}") from None

    here = ops.Click(x, y)
    check("d1 d1", here, here)
    check("d1 d1 d2 dbl", here, ops.Click(x, y, count=2))
    check("d1 d2 dbl d3", ops.Click(x, y, count=3))
    check("w1,0 w-1,0", ops.Scroll(dx=1, x=x, y=y), ops.Scroll(dx=-1, x=x, y=y))
    before = noted()
    begun = workplace.hold(ops.KeyDown("b"), ops.Wait(1.5), ops.KeyUp("b"))
    until(lambda: noted().removeprefix(before).split()[-1:] == ["repeat"], "the key's repeats")
    assert noted().removeprefix(before).split().count("key") == begun
    path = tuple(ops.Spot(x + dx, y + 40) for dx in (0, 60, 120))
    check("d1 dragged", ops.Drag(path))
