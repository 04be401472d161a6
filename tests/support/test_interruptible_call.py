"""A blocking call is waited for only as long as someone wants its result."""

from __future__ import annotations

import threading

import pytest

from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import interruptible_call


class Blocked:
    """Work that ends when it is abandoned, and then still says and returns something."""

    def __init__(self, *pieces: str) -> None:
        self.pieces = pieces
        self.abandoned = threading.Event()
        self.ended = threading.Event()

    def __call__(self, say: interruptible_call.Say) -> str:
        for piece in self.pieces:
            say(piece)
        self.abandoned.wait(60)
        say("late")
        self.ended.set()
        return "late"


def run(work: object, heard: list[str], stop: StopFlag, seconds: float = 60.0) -> str:
    abandon = work.abandoned.set if isinstance(work, Blocked) else lambda: None
    return interruptible_call.run(work, say=heard.append, stop=stop, seconds=seconds, abandon=abandon)  # type: ignore[arg-type]


def test_the_result_and_all_pieces_arrive_in_the_calling_thread() -> None:
    threads: set[int] = set()

    def work(say: interruptible_call.Say) -> str:
        for piece in "abc":
            say(piece)
        return "done"

    heard: list[str] = []

    def hear(piece: str) -> None:
        threads.add(threading.get_ident())
        heard.append(piece)

    assert interruptible_call.run(work, say=hear, stop=StopFlag(), seconds=60, abandon=lambda: None) == "done"
    assert heard == ["a", "b", "c"]
    assert threads == {threading.get_ident()}


def test_an_error_of_the_work_is_raised() -> None:
    def work(_: interruptible_call.Say) -> str:
        raise KeyError("x")

    with pytest.raises(KeyError):
        run(work, [], StopFlag())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_work_that_ends_without_a_result_is_not_waited_for() -> None:
    def work(_: interruptible_call.Say) -> str:
        raise SystemExit

    with pytest.raises(RuntimeError, match="without a result"):
        run(work, [], StopFlag())


def test_a_stop_from_another_thread_abandons_the_work() -> None:
    stop, work, heard = StopFlag(), Blocked("a"), list[str]()
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(Stopped):
        run(work, heard, stop)
    assert work.ended.wait(30)
    assert heard == ["a"]


def test_the_stop_flag_keeps_nothing_of_a_call_that_is_over() -> None:
    stop = StopFlag()
    assert run(lambda say: "x", [], stop) == "x"
    assert stop._callbacks == []


def test_a_result_that_came_with_the_stop_is_thrown_away() -> None:
    stop = StopFlag()

    def work(_: interruptible_call.Say) -> str:
        stop.set("now")
        return "result"

    with pytest.raises(Stopped, match="now"):
        run(work, [], stop)


def test_the_time_limit_abandons_the_work() -> None:
    work, heard = Blocked("a", "b"), list[str]()
    with pytest.raises(interruptible_call.TookTooLong):
        run(work, heard, StopFlag(), seconds=0.1)
    assert work.ended.wait(30)
    assert heard == ["a", "b"]


def test_the_time_limit_holds_against_a_flood() -> None:
    over = threading.Event()

    def work(say: interruptible_call.Say) -> str:
        while not over.is_set():
            say("x")
        return "x"

    with pytest.raises(interruptible_call.TookTooLong):
        interruptible_call.run(work, say=lambda _: None, stop=StopFlag(), seconds=0.2, abandon=over.set)
    assert over.is_set()


def test_a_stop_before_the_call_starts_nothing() -> None:
    stop, work = StopFlag(), Blocked()
    stop.set()
    with pytest.raises(Stopped):
        run(work, [], stop)
    assert not work.abandoned.is_set()
