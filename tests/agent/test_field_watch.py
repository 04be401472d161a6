"""What a page tells late of a text is waited for; what it never tells of went astray."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from desktop_agent.agent.acting import field_watch
from desktop_agent.agent.acting.field_watch import FollowedText
from desktop_agent.policy.facts.batching import segments
from desktop_agent.policy.facts.place import Place
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

    def _news_due(self, results: Sequence[OpResult]) -> bool:
        due = super()._news_due(results)
        if due and self.told is None:
            self.told = threading.Thread(target=self.tell)
            self.told.start()
        return due

    def tell(self) -> None:
        self.taken(4)


class MovingPage(BusyPage):
    """Tells so late that it has moved the focus itself."""

    def tell(self) -> None:
        self.moved("Other")


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


@pytest.mark.parametrize("taken", [1, 4])
def test_a_busy_page_may_tell_that_it_moved_the_focus_when_all_is_sent(
    taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(field_watch, "LATE", 1e6)
    (segment,) = segments((ops.Type("Paris"),))
    text = MovingPage(Unlimited(), CITY, segment)
    text.taken(taken)
    text.await_rest(RESULTS[:1])
    (result,) = text.amended(RESULTS[:1])
    assert result.outcome == "refused" and f"after {taken} characters" in result.detail


def test_a_field_that_tells_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_watch, "LATE", 1e6)
    (segment,) = segments((ops.Type("Paris"),))
    text = FollowedText(Unlimited(), CITY, segment)
    text.await_rest(RESULTS[:1])
    assert text.amended(RESULTS[:1]) == list(RESULTS[:1])
