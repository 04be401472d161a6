"""What becomes of the user's clipboard when the agent copies: a means is put back, an outcome stays."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from desktop_agent.agent.acting.executor import Hand
from desktop_agent.platforms.base import Change, Clipboard
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.keys import canonical
from desktop_agent.protocol.ops import Op

COPY_SECONDS = 0.5
"""Time an application may take to copy."""
SAME_COPY = 1_000
"""Milliseconds in which an application may take the clipboard again for the same copy."""

Use: TypeAlias = Literal["copy", "paste"]

_CHORDS: dict[frozenset[str], Use] = {
    frozenset(("ctrl", "c")): "copy",
    frozenset(("ctrl", "x")): "copy",
    frozenset(("ctrl", "insert")): "copy",
    frozenset(("shift", "delete")): "copy",
    frozenset(("ctrl", "shift", "c")): "copy",
    frozenset(("ctrl", "shift", "x")): "copy",
    frozenset(("ctrl", "v")): "paste",
    frozenset(("shift", "insert")): "paste",
    frozenset(("ctrl", "shift", "v")): "paste",
}
_NAMES: dict[str, Use] = {"copy": "copy", "cut": "copy", "paste": "paste"}

_log = logging.getLogger(__name__)


def uses(operations: Iterable[Op], name_of: Callable[[str], str]) -> Iterator[Use | None]:
    """What each operation does with the clipboard, by its keys or the name of the element it clicks."""
    held: set[str] = set()
    for op in operations:
        match op:
            case ops.KeyCombo(names):
                yield _CHORDS.get(frozenset(held.union(map(_plain, names))))
            case ops.KeyDown(key):
                held.add(_plain(key))
                yield _CHORDS.get(frozenset(held))
            case ops.KeyUp(key):
                held.discard(_plain(key))
                yield None
            case ops.ClickElement(element):
                first = name_of(element).casefold().replace("…", " ").split()[:1]
                yield _NAMES.get("".join(first))
            case _:
                yield None


def _plain(name: str) -> str:
    """A key's name without its side, a letter small."""
    try:
        return canonical(name).removesuffix("_left").removesuffix("_right").lower()
    except Refused:
        return name


@dataclass
class Story:
    """What happened to the clipboard in a run, and so what is to become of it."""

    copied: Change | None = None
    pasted: bool = False

    def put_back(self, last: Change) -> bool:
        """True when the agent's last copy was pasted again and nobody else has taken the clipboard since."""
        if self.copied is None or not self.pasted:
            return False
        again = last.owner == self.copied.owner and last.time - self.copied.time <= SAME_COPY
        return last == self.copied or again


@dataclass
class ClipboardKeeper:
    """A hand that looks after the user's clipboard: saved before the first copy of a run, put back at its end."""

    hand: Hand
    open: Callable[[], Clipboard | None]
    name_of: Callable[[str], str]
    story: Story = field(default_factory=Story)
    _clipboard: Clipboard | None = None
    _saved: bytes | None = None

    @property
    def generation(self) -> int:
        return self.hand.generation

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]:
        """Carry out the batch; what it copies is noted."""
        planned = list(uses(batch.operations, self.name_of))
        before = self._ready() if "copy" in planned else None
        results = self.hand.execute(batch, on_progress)
        done = [planned[result.index] for result in results if result.outcome == "done"]
        if "copy" in done and self._clipboard is not None and before is not None:
            self._note_copy(self._clipboard, before)
        if "paste" in done and ("copy" not in done or done[::-1].index("paste") < done[::-1].index("copy")):
            self.story.pasted = True
        return results

    def _ready(self) -> Change | None:
        """Save what the user has, also when they have copied something else meanwhile."""
        try:
            self._clipboard = self._clipboard or self.open()
            if self._clipboard is None:
                return None
            last = self._clipboard.last()
            if self._saved is None or not self._ours(last):
                self._saved = self._clipboard.save()
                self.story = Story()
            return self._clipboard.last()
        except TargetError as error:  # copying goes on: what is wrong with the display others will say
            _log.info("the clipboard was not saved: %s", error.message)
            return None

    def _ours(self, last: Change) -> bool:
        return Story(self.story.copied, pasted=True).put_back(last)

    def _note_copy(self, clipboard: Clipboard, before: Change) -> None:
        try:
            now = clipboard.wait_for_change(before, COPY_SECONDS)
        except TargetError:
            return
        if now != before:
            self.story = Story(copied=now)

    def end(self) -> None:
        """The run is over, however it ended. Never raises TargetError."""
        clipboard, self._clipboard = self._clipboard, None
        if clipboard is None:
            return
        try:
            if self._saved is not None and self.story.put_back(clipboard.last()):
                clipboard.restore(self._saved)
            clipboard.close()
        except TargetError as error:
            _log.info("the clipboard was not put back: %s", error.message)
