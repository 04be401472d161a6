"""The human at the terminal, by script: reads the feed, answers questions, counts them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from desktop_agent.agent.limits import STOP_HERE
from desktop_agent.agent.verifying.finishing import YES_DONE
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent

_PAUSES = 4


class ScriptedHuman:
    """Stands where `headless` has printer and terminal.

    `yes` are regular expressions on all words of a question (see `Case.yes`); `asked` keeps the words of
    each question, `granted` those that got a yes, `events` the whole feed.
    """

    def __init__(
        self,
        yes: Sequence[str] = (),
        on_question: Callable[[], None] | None = None,
    ) -> None:
        self._yes, self._on_question = yes, on_question
        self._stop: Callable[[], None] = lambda: None
        self.asked: list[str] = []
        self.granted: list[str] = []
        self.events: list[FeedEvent] = []
        self._pauses = 0

    def stopping(self, stop: Callable[[], None]) -> None:
        """What this human does who was paused for too often."""
        self._stop = stop

    def see(self, event: FeedEvent) -> None:
        """The printer."""
        self.events.append(event)

    def isatty(self) -> bool:
        """No keys can have been typed ahead here."""
        return False

    def readline(self) -> str:
        """The answer to what was shown last."""
        if not self.events:
            return self.answer("before the run")
        event = self.events[-1]
        if isinstance(event, say.Status):
            self._pauses += 1
            if self._pauses > _PAUSES:
                self._stop()
            return "\n"
        return self.own_answer(event) or self.answer(words_of(event), spoken=isinstance(event, say.Question))

    def own_answer(self, event: FeedEvent) -> str:
        """The answer to a question that is not about acting: it is done, and at a limit the run stops; "" for others."""
        choices = event.choices if isinstance(event, say.Question) else ()
        return next((f"{each}\n" for each in (YES_DONE, STOP_HERE) if each in choices), "")

    def answer(self, words: str, *, spoken: bool = False) -> str:
        """The line that answers a question."""
        self.asked.append(words)
        act, self._on_question = self._on_question, None
        if act is not None:
            act()
        agreed = any(re.search(each, words) for each in self._yes)
        if agreed:
            self.granted.append(words)
        if spoken:
            return "Yes.\n" if agreed else "No. Go on without.\n"
        return "y\n" if agreed else "n\n"


def words_of(event: FeedEvent) -> str:
    """All that a question says."""
    told = msgspec.to_builtins(event, builtin_types=(bytes,))
    return "\n".join(_texts({key: told[key] for key in told if key not in ("id", "time", "picture")}))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in _texts(each)]
    return []
