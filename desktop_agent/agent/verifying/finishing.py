"""Checks a "done" before the user is told: collects receipts by rules, compares them with what the goal claims, and an answer with what was read.

A contradicted "done" is refused, with what contradicts it; one that nothing verifies is put to the user. Words on
the screen that claim success are no evidence, and neither is what the model says.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from desktop_agent.agent.verifying.claims import Claims
from desktop_agent.agent.verifying.file_receipts import Expected, FileEvidence
from desktop_agent.agent.verifying.fresh_question import FreshQuestion, pointed_at
from desktop_agent.agent.verifying.rules import evidence_of
from desktop_agent.agent.verifying.run_record import RunRecord
from desktop_agent.llm.base import Deed, UnshownDone
from desktop_agent.policy.facts.programs import BROWSERS, is_one_of
from desktop_agent.policy.facts.words.claim_words import (
    asks_for_all,
    asks_to_last,
    claims_deed,
    claims_success,
    commits,
    content_words,
    spaced,
    success_words,
    words_of,
)
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Receipt, Verdict
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.elements.describe import ROWS, one_line
from desktop_agent.vision.observation import Element, Observation

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_QUOTED = re.compile(r"[\"“„«‘]([^\"“”„«»‘’]{2,})[\"”“»’]")
_PLAIN = frozenset((
    "the", "this", "that", "there", "here", "it", "is", "are", "was", "were", "and", "but", "for", "with", "you", "your",
    "has", "have", "had", "they", "from", "shows", "says", "costs", "called", "named", "total", "answer", "result", "now",
    "page", "window", "file", "screen", "reads", "which", "what", "not", "all", "yes",
))  # fmt: skip


@dataclass
class ReadWords:
    """Filled with each look; never with what is in a password field."""

    _words: set[str] = field(default_factory=set)
    _numbers: set[str] = field(default_factory=set)
    _texts: set[str] = field(default_factory=set)

    def looked(self, look: Observation) -> None:
        """Take in what a look shows."""
        self.read(look.windows)
        self.read(look.texts.values())
        for each in look.elements:
            self.read((each.name, "" if "password" in each.states else each.value))

    def read(self, texts: Iterable[str]) -> None:
        """Take in texts that were read elsewhere: of an environment."""
        for text in texts:
            if text and text not in self._texts:
                self._texts.add(text)
                self._words.update(words_of(text))
                self._numbers.update(_numbers(text))

    def receipt(self, answer: str, goal: str) -> Receipt:
        """What an answer is known by: its numbers, quotes and names, the question's own aside, that were read."""
        numbers = [each for each in _numbers(answer) if each not in set(_numbers(goal))]
        quotes = [each for each in _QUOTED.findall(answer) if each not in goal]
        asked = {*words_of(goal), *_PLAIN, *success_words()}
        names = [
            each for each in words_of(answer) if len(each) > 2 and each not in asked and not each.isdigit()
        ]
        if missing := [each for each in numbers if each not in self._numbers]:
            return Receipt("answer", "unverified", f"{missing[0]} was nowhere read in this run")
        if missing := [each for each in quotes if not set(words_of(each)) <= self._words]:
            return Receipt("answer", "unverified", f"“{missing[0]}” was nowhere read in this run")
        read = [each for each in names if each in self._words]
        if numbers or quotes or (names and len(read) == len(names)):
            shown = ", ".join(dict.fromkeys((*numbers, *quotes, *(() if numbers or quotes else read))))
            return Receipt("answer", "verified", f"read in this run: {shown[:120]}")
        return Receipt("answer", "unverified", "nothing in the answer can be compared with what was read")


def _numbers(text: str) -> list[str]:
    """The numbers of a text, without separators of thousands: 1,234.50 and 1234.5 are one."""
    return [_plain_number(each) for each in _NUMBER.findall(text)]


def _plain_number(number: str) -> str:
    bare = re.sub(r"[.,](?=\d{3}(?!\d))", "", number).replace(",", ".")
    return bare.rstrip("0").rstrip(".") if "." in bare else bare


YES_DONE, NOT_DONE = "Yes, it is done", "No, go on"
QUIET_SECONDS = 2.0
"""A file has to stay as it is for so long before it is evidence: a program may empty it a moment later."""
MOST_REFUSALS = 2
"""The same contradictions are told to the model so often, then the user is asked."""
_MOST_LISTS, _MOST_ROWS, _ROW_LETTERS = 50, 200, 4
_SAVES = (frozenset(("ctrl", "s")), frozenset(("ctrl", "shift", "s")), frozenset(("ctrl", "enter")))
_RELOADS = (frozenset(("f5",)), frozenset(("ctrl", "r")), frozenset(("ctrl", "shift", "r")))

_ADDRESS = re.compile(r"(?i)\W*(?:https?://|www\.|[\w-]+(?:\.[\w-]+)+(?::\d+)?/)")

_IN_WORDS = "answered in words; nothing was done"

Next: TypeAlias = Literal["done", "refuse", "ask"]


@dataclass(frozen=True)
class Conclusion:
    """What comes of a "done": it is told with its receipts, refused with `words`, or asked about with them.

    `answered`: it is told as an answer in words, as nothing was done.
    """

    next: Next
    verdict: Verdict
    receipts: tuple[Receipt, ...] = ()
    words: str = ""
    answered: bool = False


@dataclass
class Finishing:
    """The check of one run. `proves_done`: the model ends only by what it has itself checked outside the screen.

    `unshown_done` is that of its `Support`. `conversing`: a user reads what it says and can go on. `fresh` puts a question to the model without what it said before; None where it cannot be asked one.
    """

    files: FileEvidence
    proves_done: bool = False
    unshown_done: UnshownDone = "refused"
    conversing: bool = True
    fresh: FreshQuestion | None = None
    clock: Callable[[], int] = time.time_ns
    _said: list[str] = field(default_factory=list)
    _record: RunRecord = field(default_factory=RunRecord)
    _read: ReadWords = field(default_factory=ReadWords)
    _refused: Counter[str] = field(default_factory=Counter)
    _pids: set[int] = field(default_factory=set)
    _rows_seen: dict[tuple[int, str, str], dict[str, None]] = field(default_factory=dict)

    # ---- during the run ----------------------------------------------------------------------

    def hear(self, words: Sequence[str]) -> None:
        """Take in what the user said: the goal, and all words of the user's own after it."""
        self._said += [each for each in words if each not in (YES_DONE, NOT_DONE)]
        self._refused.clear()
        self.files.hear(self._said)

    def looked(self, look: Observation) -> None:
        """Take in a look, before anything is done about it."""
        self._record.first = self._record.first or look
        self._read.looked(look)
        for each in look.elements:
            if each.role in ROWS and len(each.name) >= _ROW_LETTERS:
                self._saw_row((each.pid, each.window, each.role), each.name)
            if each.pid and each.pid not in self._pids:
                self._pids.add(each.pid)
                self.files.met(each.pid, keeps_files=not is_one_of(BROWSERS, each.application))

    def _saw_row(self, place: tuple[int, str, str], name: str) -> None:
        if place in self._rows_seen or len(self._rows_seen) < _MOST_LISTS:
            rows = self._rows_seen.setdefault(place, {})
            if len(rows) < _MOST_ROWS:
                rows.setdefault(name)

    def noted(self, deeds: Sequence[Deed], before: Observation, after: Observation | None) -> None:
        """Take in what was carried out between two looks."""
        self._record.noted(deeds, before, after)
        told = [deed for deed in deeds if deed.op.traits.carried_out_by == "environment"]
        self._read.read(text for deed in told for text in (deed.detail, deed.output))

    # ---- the check ---------------------------------------------------------------------------

    def conclude(
        self, summary: str, look: Observation, again: Callable[[], Observation], stop: StopFlag
    ) -> Conclusion:
        """What comes of a "done" at a look. `again` looks once more, when there was something to wait for. Raises Stopped."""
        receipts = self._receipts(summary, look)
        if self._only_answers(summary, verdict := self._verdict(receipts)):
            shown = receipts if verdict == "verified" else [Receipt("answer", "unverified", _IN_WORDS)]
            return Conclusion("done", verdict, tuple(shown), answered=True)
        if wait := self._still_fresh():
            stop.wait(wait)
            stop.check()
            look = again()
            receipts = self._receipts(summary, look)
        verdict = self._verdict(receipts)
        if verdict == "unverified" and self.fresh is not None:
            receipts = [*receipts, *self._pointed_at(receipts, look, stop)]
            verdict = self._verdict(receipts)
        return self._next(verdict, tuple(receipts), summary)

    def _only_answers(self, summary: str, verdict: Verdict) -> bool:
        """Did the model only speak in this run? To a question that may tell of what was done.

        Else it must claim nothing, and a user must be there: a program would take it for done.
        """
        spoke = bool(summary.strip()) and not self._record.acts and self.unshown_done != "told"
        if not spoke or verdict == "contradicted":
            return False
        spoken = self.conversing and verdict != "verified" and not claims_deed(summary)
        return self.files.claims.asks or spoken

    def _next(self, verdict: Verdict, receipts: tuple[Receipt, ...], summary: str) -> Conclusion:
        if verdict == "verified":
            return Conclusion("done", verdict, receipts)
        told = "; ".join(each.detail for each in receipts if each.verdict == verdict)
        self._refused[told] += 1
        often = self._refused[told]
        if self.unshown_done == "told" or (self.proves_done and verdict == "unverified"):
            return Conclusion("done", verdict, receipts)
        if self.unshown_done == "asked":
            return Conclusion("ask", verdict, receipts, _question(verdict, told, summary))
        if verdict == "contradicted" and often <= MOST_REFUSALS:
            return Conclusion(
                "refuse",
                verdict,
                receipts,
                f"This is not done yet: {told}. Put it right, or use fail or ask.",
            )
        if verdict == "unverified" and self.fresh is None and often == 1:
            return Conclusion("refuse", verdict, receipts, f"{_SHOW} {told}".strip())
        return Conclusion("ask", verdict, receipts, _question(verdict, told, summary))

    def _receipts(self, summary: str, look: Observation) -> list[Receipt]:
        claims, expected = self.files.claims, self._expected()
        files = self.files.receipts(expected)
        found = [*files, *self._own_proof(summary)]
        if not self.proves_done:
            covered = any(each.verdict == "verified" for each in files)
            held_against = self._record.contradictions(look)
            found += [each for each in held_against if not (covered and "no effect" in each.detail)]
            found += [*self._record.standing(look), *self._pages(look), *self._rows(look, expected)]
            found += self._untouched(claims, look, files)
            found += [] if covered else [*self._record.unfinished(look, claims.says), *self._alerts(look)]
            if asks_for_all("\n".join(self._said)) and not claims.asks and not self.files.covers_all:
                found.append(Receipt("none", "unverified", _ALL))
        if claims.asks and not self.proves_done:
            found.append(self._read.receipt(summary, "\n".join(self._said)))
        return list(dict.fromkeys(found))

    def _verdict(self, receipts: Sequence[Receipt]) -> Verdict:
        """Contradicted by one; verified when there is evidence for everything that the goal claims; else unverified."""
        if any(each.verdict == "contradicted" for each in receipts):
            return "contradicted"
        claims = self.files.claims
        good = [each for each in receipts if each.verdict == "verified"]
        kinds = {each.kind for each in good}
        if "application" in kinds and self.proves_done:
            return "verified" if "file" in kinds or not self._committed() else "unverified"
        # A file that changed in an unknown way leaves it open, unless another file proves it.
        open_kinds = ("none", "answer") if "file" in kinds else ("none", "answer", "file")
        missing = any(each.kind in open_kinds and each.verdict != "verified" for each in receipts)
        lasts = claims.lasting or any(map(asks_to_last, self._record.pressed()))
        lasting = not lasts or bool(kinds & {"file", "application"}) or self._shown_anew(good)
        open_files = self.files.unproven or self.files.unaccounted
        return "verified" if good and lasting and not open_files and not missing else "unverified"

    def _committed(self) -> bool:
        """Was a button or a shortcut pressed that saves, sends, removes …? That a program says it did is no evidence that it did."""
        shortcuts = (
            frozenset(act.deed.op.keys) for act in self._record.acts if isinstance(act.deed.op, ops.KeyCombo)
        )
        return any(map(commits, self._record.pressed())) or any(each in _SAVES for each in shortcuts)

    def _shown_anew(self, receipts: Sequence[Receipt]) -> bool:
        """Is a new row with the user's words there after its page was loaded again?"""
        acts = self._record.acts
        last_press = max((i for i, each in enumerate(acts) if each.deed.op.traits.presses), default=-1)
        reloaded = any(
            isinstance(each.deed.op, ops.KeyCombo) and frozenset(each.deed.op.keys) in _RELOADS
            for each in acts[last_press + 1 :]
        )
        return reloaded and any(each.detail.startswith(_ROW) for each in receipts)

    def _still_fresh(self) -> float:
        """Seconds until the files that the receipts rest on have been as they are for long enough."""
        if not self.files.newest:
            return 0.0
        return min(QUIET_SECONDS, max(0.0, QUIET_SECONDS - (self.clock() - self.files.newest) / 1e9))

    def _expected(self) -> Expected:
        claims = self.files.claims
        names = {
            part
            for each in (*claims.named, *(c.name for c in claims.files))
            for part in (each, each.rpartition(".")[0])
        }
        names |= {each.replace("\\", "/").rpartition("/")[2] for each in names}
        typed = [each for each in self._record.typed() if each not in names]
        said = [each for each in typed if claims.says(each)]
        texts = tuple(said or sorted((each for each in typed if len(each) > 20), key=len)[-1:])
        chosen = tuple(each for each in self._record.chosen() if claims.says(each))
        gone = (*claims.quoted, *chosen) if claims.deletes and not texts else ()
        rows = tuple(map(tuple, self._rows_seen.values()))
        return Expected(
            texts,
            chosen,
            gone,
            rows,
            entered=(*self._record.entered(), *self._record.chosen()),
            searched=self._record.searched(),
            switched=self._record.switched(),
            written=self._record.written(),
        )

    def _own_proof(self, summary: str) -> list[Receipt]:
        if not self.proves_done:
            return []
        own = Receipt("application", "verified", one_line(summary, 200))
        return [own, Receipt("none", "unverified", _LASTS)] if self._committed() else [own]

    # ---- what a look shows -------------------------------------------------------------------

    def _pages(self, look: Observation) -> list[Receipt]:
        """Windows and pages that came since the start, or came to the front, with a word of the user's in their title."""
        first = self._record.first
        if first is None or not self._record.acts:
            return []
        new = [title for title in look.windows if title not in first.windows]
        front = [look.window] if look.window and look.window != first.window else []
        found = [title for title in dict.fromkeys((*front, *new)) if self._is_meant(title, look)]
        gone = [title for title in first.windows if title not in look.windows and self._shares_word(title)]
        return [
            *(Receipt("page", "verified", f"the window “{one_line(each, 80)}” is there") for each in found),
            *(
                Receipt("page", "verified", f"the window “{one_line(each, 80)}” is gone")
                for each in gone
                if not new
            ),
        ]

    def _is_meant(self, title: str, look: Observation) -> bool:
        there = [each for each in look.elements if each.window == title]
        applications = " ".join({each.application for each in there})
        if self._shares_word(title) or self._shares_word(applications, inside=True):
            return True
        return any(self._asked_for(url) for url in {each.url for each in there if each.url})

    def _asked_for(self, url: str) -> bool:
        """Is it an address that the user gave, or does its path share a word with the user's other words?

        That a site is open shows nothing of what was to be done there; nor does a query, which holds what was typed.
        """
        given = [each for text in self._said for each in text.split() if _ADDRESS.match(each)]
        path = re.sub(r"\?[^#]*", "", url.partition("://")[2].partition("/")[2])
        return _bare(url) in map(_bare, given) or self._shares_word(path, inside=True, addresses=False)

    def _shares_word(self, text: str, *, inside: bool = False, addresses: bool = True) -> bool:
        """Does the text have a word of the user's of some length? One that claims success or names nothing is none."""
        said = {
            each
            for text in self._said
            for part in text.split()
            if addresses or not _ADDRESS.match(part)
            for each in content_words(part)
            if len(each) > 3 and not claims_success(each)
        }
        mine = words_of(text)
        return any(each in said for each in mine) or (
            inside and any(word in each for word in said for each in mine)
        )

    def _rows(self, look: Observation, expected: Expected) -> list[Receipt]:
        """Rows of lists and tables that came since the start and hold what the user's words say."""
        was = (
            {(each.role, each.name) for each in self._record.first.elements} if self._record.first else set()
        )
        wanted = [each for each in (*expected.texts, *self.files.claims.quoted) if each]
        rows = [each for each in look.elements if each.role in ROWS and (each.role, each.name) not in was]
        # A program that keeps files shows a row also when it has kept nothing.
        verdict: Verdict = "unverified" if self.files.keep_anything() else "verified"
        return [
            Receipt(evidence_of(row), verdict, f"{_ROW} “{one_line(row.name, 60)}” is there")
            for row in rows
            if not claims_success(row.name) and any(spaced(text) in spaced(row.name) for text in wanted)
        ]

    def _alerts(self, look: Observation) -> list[Receipt]:
        """Alerts that came since the start and still stand there, but for those that claim success; and dialogs of programs that were not worked in."""
        was = {each.name for each in self._record.first.elements} if self._record.first else set[str]()
        mine = {each.thing.pid for each in self._record.acts if each.thing is not None}
        return [
            Receipt("none", "unverified", f"the {each.role} “{one_line(each.name, 80)}” stands there")
            for each in look.elements
            if (each.role == "alert" or (each.role == "dialog" and each.pid not in mine))
            and each.name
            and each.name not in was
            and not claims_success(each.name)
        ]

    def _untouched(self, claims: Claims, look: Observation, files: Sequence[Receipt]) -> list[Receipt]:
        """Texts in quotation marks that were neither typed nor pressed, and are nowhere to be seen."""
        seen = spaced("\n".join((self._record.words(), *look.windows, *map(_shown, look.elements))))
        told = " ".join(each.detail for each in files)
        return [
            Receipt("none", "unverified", f"“{one_line(text, 60)}” was nowhere used and is not to be seen")
            for text in claims.quoted
            if spaced(text) not in seen and text not in told and not claims.deletes
        ]

    def _pointed_at(self, receipts: Sequence[Receipt], look: Observation, stop: StopFlag) -> list[Receipt]:
        """What the model can point to when it is asked afresh, checked by the rules here."""
        assert self.fresh is not None  # noqa: S101 - asked by `conclude`
        answer = self.fresh("\n".join(self._said), receipts, look, stop)
        return pointed_at(answer, look, self.files, lasting=self.files.claims.lasting)


_ROW = "a new row"
_LASTS = "whether the program really did so, and not only says it, is not to be seen from here"
_ALL = "whether that is so for all that your words mean is not checked"
_SHOW = (
    "Nothing but a message, or nothing at all, shows this. Look at the thing itself where it should be now "
    "(reopen it, reload the page, list the folder); if that cannot be done, say done again and the user is asked."
)


def by_the_user(conclusion: Conclusion) -> Conclusion:
    """The conclusion after the user has said that it is done."""
    told = Receipt("user", "unverified", "You said that it is done.")
    return replace(conclusion, next="done", verdict="unverified", receipts=(*conclusion.receipts, told))


def _shown(element: Element) -> str:
    return "" if "password" in element.states else f"{element.name} {element.value}"


def _question(verdict: Verdict, told: str, summary: str) -> str:
    says = f" ({one_line(summary, 200)})" if summary else ""
    if verdict == "contradicted":
        return f"I was told that it is done{says}, but what I see says otherwise: {told}. What shall I do?"
    because = f": {told}" if told else ""
    return f"I believe it is done{says}, but I could not check it{because}. Is it done?"


def _bare(address: str) -> str:
    """An address without its scheme, www, the slash at its end and the marks around it, to be compared."""
    return re.sub(r"^\W*(?:https?://)?(?:www\.)?", "", address.lower()).rstrip("/.,;:!?\"'”)>")
