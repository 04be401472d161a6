"""What a page tells late of a text is waited for; what it never tells of went astray."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from desktop_agent.agent.acting import field_watch
from desktop_agent.agent.acting.batching import segments
from desktop_agent.agent.acting.field_watch import FollowedText
from desktop_agent.agent.policy.place import Place
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult

CITY = Place(known=True, role="entry", name="City", in_page=True, handle="city")
RESULTS = (OpResult("1", 0, "done", typed=5), OpResult("1", 1, "done"))


class Unlimited:
    def limit_text(self, characters: int) -> None: ...
    def end_text(self) -> None: ...


class BusyPage(FollowedText):
    """Tells of the rest only when it is waited for."""

    told: threading.Thread | None = None

    def _may_be_late(self, results: Sequence[OpResult]) -> bool:
        late = super()._may_be_late(results)
        if late and self.told is None:
            self.told = threading.Thread(target=self.taken, args=(4,))
            self.told.start()
        return late


def followed(kind: type[FollowedText], *operations: ops.Op) -> FollowedText:
    (segment,) = segments(operations)
    text = kind(Unlimited(), CITY, segment)
    text.taken(1)
    text.moved("Wrap as a gift")
    text.await_rest(RESULTS)
    return text


def test_a_busy_page_may_tell_of_the_next_focus_first() -> None:
    text = followed(BusyPage, ops.Type("Paris"), ops.Click(5, 5))
    assert text.amended(RESULTS) == list(RESULTS)


def test_what_is_never_told_of_went_astray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_watch, "LATE", 0.0)
    first, second = followed(FollowedText, ops.Type("Paris"), ops.Click(5, 5)).amended(RESULTS)
    assert first.outcome == "refused" and "up to 4 went there" in first.detail and second.outcome == "done"


def test_nothing_is_waited_for_where_the_page_itself_moved_the_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_watch, "LATE", 1e6)
    (segment,) = segments((ops.Type("Paris"), ops.Wait(0.1)))
    text = FollowedText(Unlimited(), CITY, segment)
    text.taken(1)
    text.moved("Other")
    text.await_rest(RESULTS)
    assert text.amended(RESULTS)[0].outcome == "refused"
