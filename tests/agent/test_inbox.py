"""Every wait for the human wakes on an answer, and on stop."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from desktop_agent.agent.inbox import Inbox, Words
from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.stop_flag import StopFlag


def in_thread(work: Callable[[], object]) -> tuple[threading.Thread, list[object]]:
    results: list[object] = []

    def run() -> None:
        try:
            results.append(work())
        except Stopped as stopped:
            results.append(stopped)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, results


@pytest.mark.parametrize("wait", ["words", "decision", "resumed"])
def test_a_stop_wakes_every_wait(wait: str) -> None:
    inbox, stop = Inbox(), StopFlag()
    inbox.set_paused(True)
    waits: dict[str, Callable[[], object]] = {
        "words": lambda: inbox.wait_for_words(stop),
        "decision": lambda: inbox.wait_for_decision("a", stop),
        "resumed": lambda: inbox.wait_until_resumed(stop),
    }
    thread, results = in_thread(waits[wait])
    stop.set("Esc")
    thread.join(20)
    assert isinstance(results[0], Stopped) and results[0].reason == "Esc"


def test_answers_arrive() -> None:
    inbox, stop = Inbox(), StopFlag()
    thread, results = in_thread(lambda: inbox.wait_for_decision("one", stop))
    inbox.decide("other", "approve")
    inbox.decide("one", "always")
    thread.join(20)
    assert results == ["always"]


def test_words_instead_of_a_decision_mean_no() -> None:
    inbox, stop = Inbox(), StopFlag()
    inbox.say(Words("rather use the other button"))
    assert inbox.wait_for_decision("one", stop) == "skip"
    assert inbox.heard() == (Words("rather use the other button"),)


def test_closing_ends_the_wait_for_a_goal() -> None:
    inbox = Inbox()
    thread, results = in_thread(inbox.next_goal)
    inbox.close()
    thread.join(20)
    assert results == [None]


def test_what_a_run_left_behind_is_forgotten() -> None:
    inbox = Inbox()
    inbox.decide("one", "approve")
    inbox.set_paused(True)
    inbox.forget()
    assert not inbox.paused
    inbox.say(Words("x"))
    assert inbox.wait_for_decision("one", StopFlag()) == "skip"


@pytest.mark.parametrize("interrupt", [Inbox.cut, lambda inbox: inbox.set_paused(True)], ids=["cut", "pause"])
def test_an_interruption_that_came_first_reaches_what_begins_after_it(
    interrupt: Callable[[Inbox], None],
) -> None:
    inbox, heard = Inbox(), list[str]()
    interrupt(inbox)
    inbox.on_pause(lambda: heard.append("interrupted"))
    assert heard == ["interrupted"]
