"""What is typed never overtakes a click or a change of focus, and what is held is never torn apart."""

from __future__ import annotations

import pytest

from desktop_agent.policy.facts.batching import LONGEST_SEGMENT, segments, units
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op

CLICK = ops.Click(x=1, y=1)
TYPE = ops.Type("a")
INTO = ops.Type("a", element="e1")
TAB, ENTER = ops.KeyCombo(("tab",)), ops.KeyCombo(("Return",))
COMBO = ops.KeyCombo(("ctrl", "s"))


@pytest.mark.parametrize(
    ("operations", "sizes"),
    [
        ([CLICK], [1]),
        ([CLICK, TYPE], [1, 1]),
        ([CLICK, TYPE, COMBO], [1, 2]),
        ([TYPE, CLICK, TYPE], [2, 1]),
        ([INTO, INTO], [1, 2, 1]),
        ([ops.Move(1, 1), TYPE], [2]),
        ([ops.KeyDown("shift"), CLICK, TYPE, ops.KeyUp("shift")], [4]),
        ([ops.MouseDown(), ops.Move(1, 1), ops.MouseUp(), COMBO], [3, 1]),
        ([TYPE, COMBO, TYPE], [2, 1]),
        ([ops.KeyCombo(("ctrl", "a")), TYPE], [2]),
        ([ops.KeyCombo(("shift", "home")), ops.KeyCombo(("backspace",)), TYPE], [3]),
        ([TAB, TAB, TAB, ENTER], [3, 1]),
        ([ops.KeyCombo(("down",)), ENTER, TYPE], [1, 1, 1]),
        ([ops.KeyDown("tab"), ops.KeyUp("tab"), ENTER], [2, 1]),
        ([ops.Type("a\tb\t"), ENTER], [1, 1, 1]),
        ([ops.Type("a\nb\n"), TYPE], [1, 1]),
        ([ops.Type("\t" * 17)], [1]),
        ([ops.Type("")], [1]),
        ([ops.KeyCombo(("super",)), TYPE], [1, 1]),
        ([ops.KeyCombo(("escape",)), TYPE], [1, 1]),
        ([], []),
    ],
)
def test_cuts(operations: list[Op], sizes: list[int]) -> None:
    cut = segments(operations)
    assert [len(segment) for segment in cut] == sizes
    assert [piece.origin for segment in cut for piece in segment] == sorted(
        piece.origin for segment in cut for piece in segment
    )


def test_where_a_button_may_stay_down_no_batch_is_longer_than_a_batch_may_be() -> None:
    operations: list[Op] = [ops.MouseDown(), *[ops.Move(1, 1)] * 300, ops.MouseUp()]
    assert [len(each) for each in segments(operations)] == [302]
    cut = segments(operations, may_hold=True)
    assert [len(each) for each in cut] == [LONGEST_SEGMENT, LONGEST_SEGMENT, 302 - 2 * LONGEST_SEGMENT]
    with_a_key: list[Op] = [ops.KeyDown("shift"), CLICK, TYPE, ops.KeyUp("shift")]
    assert segments(with_a_key, may_hold=True) == segments(with_a_key), "a key is held within its batch"


@pytest.mark.parametrize("text", ["", "\t", "a\tb", "\t\tx\n\t", "x" + "\t" * 30 + "y"])
def test_the_pieces_of_a_text_make_the_text(text: str) -> None:
    (first, *more) = [piece.op for segment in segments([ops.Type(text, 0.5)]) for piece in segment]
    pieces = [op for op in (first, *more) if isinstance(op, ops.Type)]
    assert "".join(op.text for op in pieces) == text and {op.delay for op in pieces} == {0.5}


DOWN, UP, LOOK = ops.MouseDown(), ops.MouseUp(), ops.Look()


@pytest.mark.parametrize(
    ("operations", "sizes"),
    [
        ([CLICK, TYPE], [1, 1]),
        ([DOWN, ops.Move(1, 1), UP, TYPE], [3, 1]),
        ([ops.KeyDown("shift"), DOWN, UP, ops.KeyUp("shift")], [4]),
        ([UP, CLICK], [1, 1]),
        ([TYPE, DOWN, CLICK], [1, 2]),
        ([DOWN, LOOK, UP], [1, 1, 1]),
        ([LOOK, LOOK, CLICK], [1, 1, 1]),
        ([], []),
    ],
)
def test_a_yes_is_never_about_half_of_what_is_held(operations: list[Op], sizes: list[int]) -> None:
    cut = units(operations)
    assert [len(unit) for unit in cut] == sizes
    assert [op for unit in cut for op in unit] == operations
