"""Which copies cost the user their clipboard, and which do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from desktop_agent.agent.acting.clipboard_keeper import ClipboardKeeper, Use, uses
from desktop_agent.platforms.base import Change, Clipboard
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Outcome
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.ops import Op

VIEW = Viewport(Rect(0, 0, 800, 600), Size(800, 600), 1)
COPY, CUT, PASTE = ops.KeyCombo(("ctrl", "c")), ops.KeyCombo(("ctrl", "x")), ops.KeyCombo(("ctrl", "v"))
NAMES = {"e1": "Copy", "e2": "Cut Ctrl+X", "e3": "Paste", "e4": "Copyright"}


@pytest.mark.parametrize(
    ("operations", "use"),
    [
        ([COPY], "copy"), ([CUT], "copy"), ([PASTE], "paste"),
        ([ops.KeyCombo(("ctrl", "C"))], "copy"),
        ([ops.KeyCombo(("control_l", "insert"))], "copy"),
        ([ops.KeyCombo(("shift", "Delete"))], "copy"),
        ([ops.KeyCombo(("ctrl", "shift", "c"))], "copy"),
        ([ops.KeyCombo(("shift", "ins"))], "paste"),
        ([ops.KeyDown("ctrl"), ops.KeyDown("c")], "copy"),
        ([ops.KeyDown("ctrl"), ops.KeyCombo(("c",))], "copy"),
        ([ops.KeyDown("ctrl"), ops.KeyUp("ctrl"), ops.KeyDown("c")], None),
        ([ops.KeyCombo(("ctrl", "s"))], None), ([ops.KeyCombo(("c",))], None), ([ops.Type("c")], None),
        ([ops.ClickElement("e1")], "copy"), ([ops.ClickElement("e2")], "copy"),
        ([ops.ClickElement("e3")], "paste"), ([ops.ClickElement("e4")], None),
    ],
)  # fmt: skip
def test_what_uses_the_clipboard(operations: list[Op], use: Use | None) -> None:
    assert list(uses(operations, lambda id: NAMES.get(id, "")))[-1] == use


@dataclass
class MemoryClipboard(Clipboard):
    """A clipboard in memory; `broken` makes it fail."""

    content: bytes = b"the user's"
    change: Change = Change()
    broken: bool = False
    saves: int = 0
    closed: bool = False

    def take(self, content: bytes, owner: int = 7, later: int = 10_000) -> None:
        self.content, self.change = content, Change(owner, self.change.time + later)

    def save(self) -> bytes | None:
        if self.broken:
            raise TargetError("gone")
        self.saves += 1
        return self.content

    def last(self) -> Change:
        return self.change

    def wait_for_change(self, before: Change, seconds: float) -> Change:
        return self.change

    def restore(self, saved: bytes) -> None:
        self.take(saved, owner=1)

    def close(self) -> None:
        self.closed = True


@dataclass
class Bench:
    """A hand that copies into the clipboard in memory."""

    clipboard: MemoryClipboard = field(default_factory=MemoryClipboard)
    outcome: Outcome = "done"
    copies: bool = True
    generation: int = 0
    stop_reason: str = ""

    def __post_init__(self) -> None:
        self.keeper = ClipboardKeeper(self, lambda: self.clipboard, lambda id: NAMES.get(id, ""))

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]:
        for op in batch.operations:
            if op in (COPY, CUT) and self.copies and self.outcome == "done":
                self.clipboard.take(b"the agent's")
        return [OpResult("b", index, self.outcome) for index in range(len(batch.operations))]

    def do(self, *operations: Op) -> Bench:
        self.keeper.execute(Batch("b", operations, VIEW), lambda _: None)
        return self

    def end(self) -> bytes:
        self.keeper.end()
        return self.clipboard.content


def test_a_copy_that_was_pasted_was_a_means() -> None:
    assert Bench().do(COPY).do(PASTE).end() == b"the user's"
    assert Bench().do(COPY, PASTE).end() == b"the user's"
    assert Bench().do(COPY).do(PASTE).do(CUT).do(PASTE).end() == b"the user's"


def test_a_last_copy_that_was_not_pasted_is_the_outcome() -> None:
    assert Bench().do(COPY).end() == b"the agent's"
    assert Bench().do(COPY).do(PASTE).do(COPY).end() == b"the agent's"
    assert Bench().do(PASTE, COPY).end() == b"the agent's"


def test_without_a_copy_nothing_is_touched() -> None:
    bench = Bench().do(PASTE).do(ops.Type("x"))
    assert bench.end() == b"the user's" and bench.clipboard.saves == 0


def test_a_copy_that_did_not_happen_counts_for_nothing() -> None:
    refused, idle = Bench(outcome="refused"), Bench(copies=False)
    for bench in (refused, idle):
        bench.do(COPY).do(PASTE)
        before = bench.clipboard.change
        assert bench.end() == b"the user's" and bench.clipboard.change == before


def test_what_the_user_copies_meanwhile_is_theirs() -> None:
    bench = Bench().do(COPY).do(PASTE)
    bench.clipboard.take(b"newer", owner=99)
    assert bench.end() == b"newer"
    bench = Bench().do(COPY).do(PASTE)
    bench.clipboard.take(b"newer", owner=99)
    assert bench.do(COPY).do(PASTE).end() == b"newer", "it was saved again before the next copy"


def test_an_application_that_takes_it_twice_for_one_copy() -> None:
    bench = Bench().do(COPY)
    bench.clipboard.take(b"the agent's, as html too", later=200)
    assert bench.do(PASTE).end() == b"the user's"


def test_a_clipboard_that_fails_does_not_fail_the_run() -> None:
    bench = Bench()
    bench.clipboard.broken = True
    assert bench.do(COPY).do(PASTE).end() == b"the agent's"
    assert bench.clipboard.closed
