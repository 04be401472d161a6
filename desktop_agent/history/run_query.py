"""What is searched among the runs: words, application, outcome, cost and date."""

from __future__ import annotations

import datetime

import msgspec

from desktop_agent.history.run_story import OUTCOMES, RunOutcome
from desktop_agent.history.run_summary import RunSummary
from desktop_agent.protocol.errors import Refused


class RunQuery(msgspec.Struct, frozen=True):
    """All that is given must hold. `words` are found in any order, also as beginnings of longer words.

    `application` is a part of a name, `since` and `until` seconds since the epoch, dollars bounds of the cost: a run of
    unknown cost matches none.
    """

    words: str = ""
    application: str = ""
    outcomes: tuple[RunOutcome, ...] = ()
    since: float | None = None
    until: float | None = None
    least_dollars: float | None = None
    most_dollars: float | None = None

    def matches(self, run: RunSummary, text: str) -> bool:
        """Does this run, in whose `text` words are searched, have all that is asked for?"""
        return self.fits(run) and holds_words(text, self.words)

    def fits(self, run: RunSummary) -> bool:
        """Does it have all but the words?"""
        sought = self.application.casefold()
        within = (self.since is None or run.started >= self.since) and (
            self.until is None or run.started < self.until
        )
        return (
            within
            and (not self.outcomes or run.outcome in self.outcomes)
            and (not sought or any(sought in each.casefold() for each in run.applications))
            and _between(run.dollars, self.least_dollars, self.most_dollars)
        )


EVERY_RUN = RunQuery()


def _between(dollars: float | None, least: float | None, most: float | None) -> bool:
    if least is None and most is None:
        return True
    return dollars is not None and (least is None or dollars >= least) and (most is None or dollars <= most)


def holds_words(text: str, words: str) -> bool:
    """Are all the words in the text, each as the beginning of a word?"""
    there = words_in(text)
    return all(any(each.startswith(word) for each in there) for word in words_in(words))


def words_in(text: str) -> list[str]:
    """The runs of letters and digits of a text, in one case."""
    return "".join(char if char.isalnum() else " " for char in text.casefold()).split()


def outcomes_named(name: str) -> tuple[RunOutcome, ...]:
    """The outcomes that a word of the command line stands for; `done` is every kind of done. Raises Refused."""
    if name == "done":
        return ("verified", "said", "unchecked")
    found = tuple(each for each in OUTCOMES if each == name.replace("-", "_"))
    if not found:
        raise Refused(f"{name!r} is no outcome of a run.", f"Known: done, {', '.join(OUTCOMES)}.")
    return found


def day(text: str) -> float:
    """The beginning of a day, written as 2026-11-24, in this place's time. Raises Refused."""
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d").astimezone().timestamp()
    except ValueError:
        raise Refused(f"{text!r} is no day.", "Write it as in 2026-11-24.") from None
