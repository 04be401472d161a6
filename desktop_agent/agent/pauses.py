"""Ends work that a pause makes useless: what was planned before a pause, or before the user took over, is stale."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from desktop_agent.agent.inbox import Inbox
from desktop_agent.protocol.agent_events import FeedEvent, State, Status
from desktop_agent.protocol.errors import CannotAct, Off, Stopped
from desktop_agent.protocol.stop_flag import StopFlag

TOOK = {
    "mouse": "You took the mouse, so I wait.",
    "keyboard": "You took the keyboard, so I wait.",
    "": "You are at work here, so I wait.",
}
"""Words for each way to take over, as the hand names it."""

_AT_EASE: frozenset[State] = frozenset({"waiting_for_user", "paused", "done", "error", "stopped"})


def while_human_is_asked(stand_down: Callable[[], None]) -> Callable[[FeedEvent], None]:
    """A listener that tells the hand when the human's input is what the agent waits for."""

    def hear(event: FeedEvent) -> None:
        if isinstance(event, Status) and event.state in _AT_EASE:
            stand_down()

    return hear


@contextmanager
def until_paused(stop: StopFlag, inbox: Inbox) -> Iterator[StopFlag]:
    """Around work that a pause makes useless: gives a flag that a pause sets as well as a stop.

    Stopped leaves it after a stop only; after a pause the block just ends. A place that cannot be seen or
    worked for now is a pause, too.
    """
    flag = StopFlag()
    forget_stop = stop.on_set(lambda: flag.set(stop.reason))
    forget_pause = inbox.on_pause(lambda: flag.set("paused"))
    try:
        with pausing_out_of_reach(inbox):
            yield flag
    except Stopped:
        stop.check()
    finally:
        forget_pause()
        forget_stop()


@contextmanager
def pausing_out_of_reach(inbox: Inbox) -> Iterator[None]:
    """A place that for now can be neither seen nor worked (a locked screen) pauses the run: the block just ends."""
    try:
        yield
    except Off as error:
        if not error.resting:  # a pause that is over by now is not to begin again
            inbox.set_paused(True, str(error))
    except CannotAct as error:
        inbox.set_paused(True, str(error))
