"""What can stop a run beside its own end, and what the user is told of it: the one list of it.

| what happened | words | who | exit code of a command |
|---|---|---|---|
| Esc | ESC was pressed | the human | 3 |
| Stop, Ctrl+C, a signal to end, the window closed, nobody reads the feed | as given to `Hands.stop` | the human | 3 |
| the hand was killed, or crashed | the hand process ended | a failure | 1 |
| the hand did not answer, or kept the desktop waiting, and no stop was asked for | the hand process got stuck | a failure | 1 |
| the guard was killed, or crashed | the guard process ended | a failure | 1 |
| the brain did not answer the guard | the program stopped answering | a failure | 1 |
| the display went | the display vanished | a failure | 1 |

What comes first counts: a hand that has to be killed because it does not answer Esc is Esc.
"""

from __future__ import annotations

import msgspec

from desktop_agent.hand.ipc.shared_block import WORDS, Reason


class StopFailure(msgspec.Struct, frozen=True):
    """A part that broke: what happened, in a sentence, and what the user can do."""

    message: str
    advice: str


_RELEASED = "What it held was let go of."
_AGAIN = "Start the task again: that starts a new hand and guard."
FAILURES = {
    Reason.HAND_GONE: StopFailure(f"The hand process was ended from outside or broke. {_RELEASED}", _AGAIN),
    Reason.HAND_WEDGED: StopFailure(
        f"The hand process did not answer any more, so it was ended. {_RELEASED}", _AGAIN
    ),
    Reason.GUARD_GONE: StopFailure(
        "The guard process was ended from outside or broke, so the hand let go of everything and stopped.",
        _AGAIN,
    ),
    Reason.BRAIN_SILENT: StopFailure(
        "The program did not answer its guard for too long, so everything was stopped.", _AGAIN
    ),
    Reason.DISPLAY_GONE: StopFailure("The display has gone.", "Start the run again when it is back."),
}
"""The stops that nobody asked for."""


def failure_of(words: str) -> StopFailure | None:
    """The failure that the words of a stop (and of a result that it ended) tell of; None for one that was asked for."""
    return next((each for reason, each in FAILURES.items() if words.startswith(WORDS[reason])), None)
