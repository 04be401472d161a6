"""What is typed never overtakes a click, and what is held is never torn apart."""

from __future__ import annotations

import pytest

from desktop_agent.agent.segments import segments
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op

CLICK = ops.Click(x=1, y=1)
TYPE = ops.Type("a")
INTO = ops.Type("a", element="e1")
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
        ([], []),
    ],
)
def test_cuts(operations: list[Op], sizes: list[int]) -> None:
    cut = segments(operations)
    assert [len(segment) for segment in cut] == sizes
    assert [piece.origin for segment in cut for piece in segment] == sorted(
        piece.origin for segment in cut for piece in segment
    )
