"""Ends a text when the focus leaves the field it was judged for, and keeps the hand close to what the field has taken.

The hand types thousands of characters a second, and an application takes them later: a page that moves the
focus at the fifth character would get the rest of a short text in its other field before anybody can see it. So no
more than `AHEAD` characters are out that the field has not told of; of a long text a quarter of what it has taken,
as browsers tell only once a frame. Where a field does not tell, each `PATIENCE` without news lets twice as many
out. It is never more than MOST_AHEAD.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import msgspec

from desktop_agent.agent.acting.batching import Segment
from desktop_agent.agent.policy.place import Place
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.ops import Op
from desktop_agent.redaction.redactor import redactor
from desktop_agent.targets.base import Target

AHEAD, MOST_AHEAD = 16, 256
SHARE = 4
PATIENCE = 0.4
FEW = 3
"""Characters that are typed without following: the field has been judged right before."""
_FIELDS = frozenset(("entry", "text", "password text", "spin button", "editbar", "combo box", "autocomplete"))


class TextLimits(Protocol):
    """The hand's side, while a batch is under way. From any thread."""

    def limit_text(self, characters: int) -> None:
        """The texts of the batch may have so many characters out in all; 0 lifts the limit."""

    def end_text(self) -> None:
        """No more of the texts of this batch."""


class FollowedText:
    """The texts of one segment, typed into one field. `taken` and `moved` are called from another thread."""

    def __init__(self, limits: TextLimits, place: Place, segment: Segment) -> None:
        self._limits, self._place, self._segment = limits, place, segment
        self._lock = threading.Lock()
        self._taken, self._ahead = 0, AHEAD
        self._news = time.monotonic()
        self.to: str | None = None
        limits.limit_text(AHEAD)

    def taken(self, count: int) -> None:
        """The field has taken so many characters more."""
        with self._lock:
            self._taken += count
            self._news = time.monotonic()
            if self.to is None:
                self._limits.limit_text(self._taken + self._most_ahead)

    def moved(self, name: str) -> None:
        """The focus has gone to another element."""
        with self._lock:
            self.to = name
            self._limits.end_text()

    def wait(self) -> None:
        """Let more out when there was no news for long."""
        with self._lock:
            if time.monotonic() - self._news > PATIENCE and self.to is None:
                self._news = time.monotonic()
                self._ahead = min(2 * self._ahead, MOST_AHEAD)
                self._limits.limit_text(self._taken + self._most_ahead)

    @property
    def _most_ahead(self) -> int:
        return min(max(self._ahead, self._taken // SHARE), MOST_AHEAD)

    def amended(self, results: Sequence[OpResult]) -> list[OpResult]:
        """The results with that of the text in whose course the focus moved."""
        return [self._amend(each, self._segment[each.index].op) for each in results]

    def _amend(self, result: OpResult, op: Op) -> OpResult:
        if self.to is None or result.outcome not in ("done", "refused") or not isinstance(op, ops.Type):
            return result
        went = f"The keyboard went from “{self._place.name or self._place.role}” to “{self.to or 'another place'}”"
        if redactor().stand_ins(op.text):
            return msgspec.structs.replace(
                result, outcome="refused", detail=f"{went} while a secret was typed."
            )
        kept = min(self._taken, result.typed)
        astray = result.typed - kept
        rest = "the rest was not typed" if result.typed < len(op.text) else "the text was at its end"
        gone = f", up to {astray} went there," if astray else ""
        words = f"{went} after {kept} characters{gone} and {rest}. Look again."
        return msgspec.structs.replace(result, outcome="refused", detail=words)


class FieldWatch:
    """Follows the texts that go into fields of the tree; all others go out as they are."""

    def __init__(self, target: Target, limits: TextLimits | None) -> None:
        self._target, self._limits = target, limits

    @contextmanager
    def during(self, segment: Segment, place: Place | None) -> Iterator[FollowedText | None]:
        """While a segment is sent whose texts were judged for this place."""
        long = sum(len(piece.op.text) for piece in segment if isinstance(piece.op, ops.Type)) > FEW
        if self._limits is None or place is None or not place.handle or place.role not in _FIELDS or not long:
            yield None
            return
        text = FollowedText(self._limits, place, segment)
        done = threading.Event()
        waiting = threading.Thread(target=_keep_waiting, args=(text, done), name="text", daemon=True)
        waiting.start()
        try:
            with self._target.follow_field(place.handle, text.taken, text.moved):
                yield text
        finally:
            done.set()
            waiting.join()
            self._limits.limit_text(0)


def _keep_waiting(text: FollowedText, done: threading.Event) -> None:
    while not done.wait(PATIENCE / 4):
        text.wait()
