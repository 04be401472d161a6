"""Ends a text when the focus leaves the field it was judged for, and keeps the hand close to what the field has taken.

The hand types thousands of characters a second, and an application takes them later: a page that moves the
focus at the fifth character would get the rest of a short text in its other field before anybody can see it. So no
more than `AHEAD` characters are out that the field has not told of; of a long text a quarter of what it has taken,
as browsers tell only once a frame. Where a field does not tell, each `PATIENCE` without news lets twice as many
out. It is never more than MOST_AHEAD.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

import msgspec

from desktop_agent.policy.facts.batching import Segment, moves_focus
from desktop_agent.policy.facts.place import Place
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.ops import Op
from desktop_agent.redaction.redactor import redactor
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import HasElementHandles

AHEAD, MOST_AHEAD = 16, 256
SHARE = 4
PATIENCE = 0.4
LATE = 0.5
"""Seconds without news after which a page is taken to tell no more of a text that was sent whole."""
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
        self._lock = threading.Condition()
        self._taken, self._ahead = 0, AHEAD
        self._news = time.monotonic()
        self.to: str | None = None
        limits.limit_text(AHEAD)

    def taken(self, count: int) -> None:
        """The field has taken so many characters more."""
        with self._lock:
            self._taken += count
            self._news = time.monotonic()
            self._lock.notify_all()
            if self.to is None:
                self._limits.limit_text(self._taken + self._most_ahead)

    def moved(self, name: str) -> None:
        """The focus has gone to another element."""
        with self._lock:
            self.to = name
            self._lock.notify_all()
            self._limits.end_text()

    def wait(self) -> None:
        """Let more out when there was no news for long."""
        with self._lock:
            if time.monotonic() - self._news > PATIENCE and self.to is None:
                self._news = time.monotonic()
                self._ahead = min(2 * self._ahead, MOST_AHEAD)
                self._limits.limit_text(self._taken + self._most_ahead)

    def await_rest(self, results: Sequence[OpResult]) -> None:
        """Give a busy page time to tell what came of all that was typed, as long as it goes on telling."""
        with self._lock:
            while self._news_due(results) and self._lock.wait(LATE):
                pass

    def _news_due(self, results: Sequence[OpResult]) -> bool:
        """Is a text not told of whole that was sent whole, and may the page still tell why?

        It may move the focus itself, and tell of that after all was sent; or something sent behind the text moves it,
        and the page tells of that before the text's rest.
        """
        tells = self._place.in_page and self._taken > 0
        return any(
            result.outcome == "done"
            and self._taken < out
            and (self._ours(result) if self.to is not None else tells)
            for result, out in self._sent(results)
        )

    @property
    def _most_ahead(self) -> int:
        return min(max(self._ahead, self._taken // SHARE), MOST_AHEAD)

    def amended(self, results: Sequence[OpResult]) -> list[OpResult]:
        """The results with that of the text in whose course the focus moved."""
        if self.to is None:
            return list(results)
        return [
            self._amend(result, op, self._taken - out + result.typed)
            if isinstance(op := self._segment[result.index].op, ops.Type)
            and result.outcome in ("done", "refused")
            and not self._whole(result, out)
            else result
            for result, out in self._sent(results)
        ]

    def _sent(self, results: Sequence[OpResult]) -> Iterator[tuple[OpResult, int]]:
        """Each result, and how many characters were sent to the field by then."""
        sent = itertools.accumulate(_shown(result, self._segment[result.index].op) for result in results)
        return zip(results, sent, strict=True)

    def _ours(self, result: OpResult) -> bool:
        """Does this or something sent after it move the focus itself?"""
        later = self._segment[result.index :]
        return any(piece.op.traits.gives_focus or moves_focus(piece.op) for piece in later)

    def _whole(self, result: OpResult, sent: int) -> bool:
        """Did the field take the text and all before it, `sent` characters? Then the focus went afterwards.

        Windows of the desktop tell of several characters at once or not at all, and less when they close: they are
        believed where what was sent moves the focus itself. A page tells of each character.
        """
        believed = self._ours(result) and not self._place.in_page
        return result.outcome == "done" and (self._taken >= sent or believed)

    def _amend(self, result: OpResult, op: ops.Type, taken: int) -> OpResult:
        went = f"The keyboard went from “{self._place.name or self._place.role}” to “{self.to or 'another place'}”"
        if redactor().stand_ins(op.text):
            return msgspec.structs.replace(
                result, outcome="refused", detail=f"{went} while a secret was typed."
            )
        kept = min(max(taken, 0), result.typed)
        astray = result.typed - kept
        rest = "the rest was not typed" if result.typed < len(op.text) else "the text was at its end"
        gone = f", up to {astray} went there," if astray else ""
        words = f"{went} after {kept} characters{gone} and {rest}. Look again."
        return msgspec.structs.replace(result, outcome="refused", detail=words)


def _shown(result: OpResult, op: Op) -> int:
    """How many of the characters typed a field puts into its text: Enter and Tab may do something else."""
    return (
        max(result.typed - sum(op.text.count(each) for each in "\n\t"), 0) if isinstance(op, ops.Type) else 0
    )


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
            with self._followed(place.handle, text):
                yield text
        finally:
            done.set()
            waiting.join()
            self._limits.limit_text(0)

    def _followed(self, handle: str, text: FollowedText) -> AbstractContextManager[None]:
        if isinstance(self._target, HasElementHandles):
            return self._target.follow_field(handle, text.taken, text.moved)
        return nullcontext()


def _keep_waiting(text: FollowedText, done: threading.Event) -> None:
    while not done.wait(PATIENCE / 4):
        text.wait()
