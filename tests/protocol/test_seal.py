"""The seal of a batch is that of its content, and survives the way to the hand."""

from __future__ import annotations

import msgspec
import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, Expect, seal, sealed
from desktop_agent.protocol.geometry import Point, Rect, Size, Viewport

BATCH = Batch(
    "1-1",
    (ops.ClickElement("e1"), ops.Type("yes")),
    Viewport(Rect(0, 0, 800, 600), Size(400, 300), 7),
    {"e1": Rect(1, 2, 3, 4)},
    expects=(Expect(0, Point(5, 6), (7,), 0, Rect(1, 2, 3, 4), b"abc"),),
)


def test_it_survives_the_pipe() -> None:
    arrived = msgspec.msgpack.decode(msgspec.msgpack.encode(sealed(BATCH)), type=Batch)
    assert arrived.approval == seal(arrived) != ""


@pytest.mark.parametrize(
    "change",
    [
        {"operations": (ops.ClickElement("e1"), ops.Type("no"))},
        {"operations": BATCH.operations[:1]},
        {"viewport": Viewport(Rect(0, 0, 800, 600), Size(400, 300), 8)},
        {"elements": {"e1": Rect(1, 2, 3, 5)}},
        {"expects": ()},
    ],
)
def test_any_change_gives_another(change: dict[str, object]) -> None:
    assert seal(msgspec.structs.replace(BATCH, **change)) != seal(BATCH)
