import random

import numpy as np

from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.painting.painter import MANY, changed, joined
from desktop_agent.protocol.geometry import Rect
from tests.extras.avis.simulation.showcase import WHOLE, piece


def _row(*names: str) -> list[ScreenPiece]:
    return [piece("label", 10 * number, 0, 10, 10, name) for number, name in enumerate(names)]


def test_pieces_that_came_went_or_changed() -> None:
    before, after = _row("a", "b", "c", "d"), _row("a", "b", "x", "d")
    assert set(changed(before, after)) == {before[2], after[2]}
    assert changed(before, before[:3]) == [before[3]]
    assert changed(before[1:], before) == [before[0]]
    assert changed([], []) == []


def test_one_that_came_among_many_that_stayed() -> None:
    before = _row(*map(str, range(300)))
    new = piece("button", 0, 50, 20, 20, "new")
    assert changed(before, [*before[:100], new, *before[100:]]) == [new]
    assert set(changed(before, [*before[:100], new, *before[100:200], *before[201:]])) == {
        new,
        before[200],
    }


def test_of_a_new_order_only_those_that_moved_are_told() -> None:
    before = _row(*map(str, range(60)))
    after = [*before[:10], *before[11:], before[10]]
    assert set(changed(before, after)) == {before[10]}


def test_equal_pieces_are_counted() -> None:
    (one,) = _row("a")
    assert changed([one, one], [one]) == [one]
    assert changed([one], [one, one, one]) == [one, one]


def test_parts_cover_all_rectangles_and_stay_on_the_screen() -> None:
    chance = random.Random(7)  # noqa: S311
    for count in (1, 2, 3, 10, 40, MANY + 10):
        rects = [
            Rect(
                chance.randrange(-50, 1280),
                chance.randrange(-50, 900),
                chance.randrange(90),
                chance.randrange(40),
            )
            for _ in range(count)
        ]
        parts = joined(rects, WHOLE)
        drawn = np.zeros((WHOLE.height, WHOLE.width), bool)
        for part in parts:
            assert part.intersection(WHOLE) == part
            drawn[part.y : part.bottom, part.x : part.right] = True
        for rect in rects:
            on = rect.intersection(WHOLE)
            assert drawn[on.y : on.bottom, on.x : on.right].all()


def test_rectangles_beside_each_other_become_one_part() -> None:
    assert joined([Rect(0, 0, 50, 20), Rect(50, 0, 50, 20)], WHOLE) == [Rect(0, 0, 100, 20)]


def test_much_of_the_screen_is_the_whole_screen() -> None:
    assert joined([Rect(0, 0, 1280, 700)], WHOLE) == [WHOLE]
    assert joined([], WHOLE) == []
