"""Saves the clipboard before the agent's first copy and restores it at the end if the agent pasted that copy itself.

A copy that was not pasted again is what the user asked for: it stays.
"""

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
class LastCopy:
    """What happened to the clipboard in a run: the agent's last copy, and whether it pasted since."""

    copied: Change | None = None
    pasted: bool = False

    def is_to_be_restored(self, last: Change) -> bool:
        """True when the agent's last copy was pasted again and nobody else has taken the clipboard since."""
        if self.copied is None or not self.pasted:
            return False
        again = last.owner == self.copied.owner and last.time - self.copied.time <= SAME_COPY
        return last == self.copied or again


@dataclass
class ClipboardKeeper:
    """A `Hand` round another one that saves the user's clipboard before the first copy and restores it at the end."""

    hand: Hand
    open: Callable[[], Clipboard | None]
    name_of: Callable[[str], str]
    last_copy: LastCopy = field(default_factory=LastCopy)
    _clipboard: Clipboard | None = None
    _saved: bytes | None = None

    @property
    def generation(self) -> int:
        return self.hand.generation

    @property
    def stop_reason(self) -> str:
        return self.hand.stop_reason

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]:
        """Carry out the batch and note what it copies and pastes."""
        planned = list(uses(batch.operations, self.name_of))
        before = self._ready() if "copy" in planned else None
        results = self.hand.execute(batch, on_progress)
        done = [planned[result.index] for result in results if result.outcome == "done"]
        if "copy" in done and self._clipboard is not None and before is not None:
            self._note_copy(self._clipboard, before)
        if "paste" in done and ("copy" not in done or done[::-1].index("paste") < done[::-1].index("copy")):
            self.last_copy.pasted = True
        if "copy" in done or "paste" in done:
            self._stand_by()
        return results

    def _stand_by(self) -> None:
        """Have the clipboard restored even if this process is killed, as long as that is due."""
        if self._clipboard is None or self._saved is None:
            return
        try:
            due = self.last_copy.is_to_be_restored(last := self._clipboard.last())
            self._clipboard.stand_by(self._saved, last if due else None)
        except TargetError as error:
            _log.info("nothing stands by for the clipboard: %s", error.message)

    def _ready(self) -> Change | None:
        """Save the user's clipboard, again if they have copied since; its last change, None when it cannot be saved."""
        try:
            self._clipboard = self._clipboard or self.open()
            if self._clipboard is None:
                return None
            last = self._clipboard.last()
            if self._saved is None or not self._ours(last):
                if self._saved is not None:
                    self._clipboard.stand_by(self._saved, None)
                self._saved = self._clipboard.save()
                self.last_copy = LastCopy()
            return self._clipboard.last()
        except TargetError as error:  # copying goes on: what is wrong with the display others will say
            _log.info("the clipboard was not saved: %s", error.message)
            return None

    def _ours(self, last: Change) -> bool:
        return LastCopy(self.last_copy.copied, pasted=True).is_to_be_restored(last)

    def _note_copy(self, clipboard: Clipboard, before: Change) -> None:
        try:
            now = clipboard.wait_for_change(before, COPY_SECONDS)
        except TargetError:
            return
        if now != before:
            self.last_copy = LastCopy(copied=now)

    def end(self) -> None:
        """Restore the clipboard where that is due, however the run ended. Never raises TargetError."""
        clipboard, self._clipboard = self._clipboard, None
        if clipboard is None:
            return
        try:
            if self._saved is not None and self.last_copy.is_to_be_restored(clipboard.last()):
                clipboard.restore(self._saved)
            clipboard.close()
        except TargetError as error:
            _log.info("the clipboard was not put back: %s", error.message)
