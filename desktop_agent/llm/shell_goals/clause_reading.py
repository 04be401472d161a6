"""Reads the clauses of a goal in plain words one after the other, each as a command, a fact, or a clause said in another way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop_agent.llm.shell_goals.clause_cutting import cuts, plain_clause
from desktop_agent.llm.shell_goals.command_slots import Known, NotMeant
from desktop_agent.llm.shell_goals.phrase_book import Nested
from desktop_agent.llm.shell_goals.step_making import StepMaker
from desktop_agent.llm.shell_goals.told_facts import known_after_fact


@dataclass
class ClauseReader:
    """Reads the clauses of one goal; `maker` makes their steps.

    `left` are the characters of clauses that are tried yet: a goal that can be cut in too many ways is not understood.
    """

    maker: StepMaker
    left: int = 20_000

    def __post_init__(self) -> None:
        self.reader, self.setting = self.maker.reader, self.maker.setting
        self.book = self.reader.book

    def read(self, text: str, known: Known) -> Known | None:
        """What is known after all clauses of the text; None when one is not understood."""
        text = plain_clause(text, self.book)
        if not text or self.left < 0:
            return None
        for before, after in cuts(text, self.book):
            first = self._clause(plain_clause(before, self.book), known)
            if first is not None and (rest := self.read(after, first)) is not None:
                return rest
        return self._clause(text, known)

    def _clause(self, text: str, known: Known) -> Known | None:
        """What is known after one clause; None when it is not understood."""
        self.left -= len(text)
        if not text or self.left < 0:
            return None
        if made := self._with_inner_clause(text, known):
            return made
        runs = bool(known.steps) and known.steps[-1].name.startswith("run")
        if runs and self.book.reports(text):
            return _reported(text, known)
        if made := self._as_command(text, known):
            return made
        if self.book.reports(text) and not (self.setting.folder or self.setting.file):
            return _reported(text, known)
        if made := self._in_other_words(text, known) or self._as_fact(text, known):
            return made
        if text.split()[0].casefold() in self.book.bare:
            return self.maker.made("run", {"command": text}, known)
        return (
            self._with_verb_first(text, known)
            or self._also_in(text, known)
            or self._leaving_out(text, known)
            or self._in_folder(text, known)
            or self._about_file(text, known)
            or self._without_fillers(text, known)
            or self._with_verb_before(text, known)
        )

    # ---- as it is ------------------------------------------------------------------------------

    def _as_command(self, text: str, known: Known) -> Known | None:
        for name, slots in self.book.matches(text):
            if made := self.maker.made(name, slots, known, text):
                return replace(made, clause=text)
        return None

    def _with_inner_clause(self, text: str, known: Known) -> Known | None:
        """A clause in a clause: "write how many files there are into n.txt"."""
        for nested, slots in self.book.inner(text):
            inner = self._nested(nested, slots, known)
            made = inner and self.maker.made(nested.by, {"to": slots["to"]}, inner)
            if made:
                return replace(made, steps=(*known.steps, made.steps[-1]), clause=text)
        return None

    def _nested(self, nested: Nested, slots: dict[str, str], known: Known) -> Known | None:
        """What is known after the inner clause."""
        inner = plain_clause(nested.clause.format(**slots), self.book)
        for name, found in self.book.matches(inner):
            allowed = (
                not nested.only
                or name in nested.only
                or ("value" in nested.only and name in self.book.values)
            )
            if allowed and (made := self.maker.made(name, found, known)):
                return made
        return None

    def _as_fact(self, text: str, known: Known) -> Known | None:
        for name, slots in self.book.facts(text):
            if told := known_after_fact(name, slots, known, self.maker):
                return replace(told, clause=text)
        return None

    # ---- in other words ------------------------------------------------------------------------

    def _in_other_words(self, text: str, known: Known) -> Known | None:
        for meant in self.book.same(text):
            if meant != text and (made := self._clause(meant, known)):
                return replace(made, clause=text)
        return None

    def _with_verb_first(self, text: str, known: Known) -> Known | None:
        """A clause that ends in an infinitive ("die Datei a.txt löschen"), said as one that begins with its verb."""
        rest, _, verb = text.rpartition(" ")
        said = self.book.infinitives.get(verb.casefold())
        return self._clause(said.format(rest), known) if said and rest else None

    def _without_fillers(self, text: str, known: Known) -> Known | None:
        """The clause without words such as "then" in its middle, where it holds no text that they may be a part of."""
        words = text.split()
        kept = [word for word in words if word.casefold() not in self.book.fillers]
        if self.setting.no_texts or len(kept) == len(words) or not kept:
            return None
        with self.setting.only_quoted_texts():
            return self._clause(" ".join(kept), known)

    def _with_verb_before(self, text: str, known: Known) -> Known | None:
        """ "a file a.txt" behind "make a folder": the same is to be done with it."""
        first = text.split()[0].casefold()
        if first not in self.book.elliptic or not known.clause or first == known.clause.split()[0].casefold():
            return None
        return self._clause(f"{known.clause.split()[0]} {text}", known)

    # ---- in another setting --------------------------------------------------------------------

    def _also_in(self, text: str, known: Known) -> Known | None:
        """ "also those in the folder old": the clause before, once more, for that folder."""
        if not known.clause or self.setting.folder:
            return None
        for slots in self.book.also_in(text):
            try:
                folder = self.reader.value("folder", slots["folder"], known)
            except NotMeant:
                continue
            with self.setting.in_folder(folder):
                return self._clause(known.clause, known)
        return None

    def _leaving_out(self, text: str, known: Known) -> Known | None:
        """ "all files but a.txt": the clause without those."""
        for slots in self.book.less(text):
            try:
                names = self.reader.left_out(slots["names"], known)
            except NotMeant:
                continue
            with self.setting.leaving_out(names):
                clause = f"{slots['clause']} {slots.get('rest', '')}"
                made = self._clause(plain_clause(clause, self.book), known)
                if made is not None and self.setting.without:
                    return made
        return None

    def _in_folder(self, text: str, known: Known) -> Known | None:
        """A clause about a folder that it names, or that was spoken of before."""
        if self.setting.folder:
            return None
        for slots in self.book.placed(text):
            said = slots.get("folder") or slots.get("pronoun")
            if said is None and not known.it:
                return None
            try:
                folder = self.reader.value("folder", said, known) if said else known.it
            except NotMeant:
                continue
            with self.setting.in_folder(folder):
                if made := self._clause(plain_clause(slots["clause"], self.book), known):
                    return made
        return None

    def _about_file(self, text: str, known: Known) -> Known | None:
        """A clause about a file that it names at its beginning."""
        if self.setting.file:
            return None
        for slots in self.book.of_file(text):
            try:
                file = self.reader.value("name", slots["name"], known)
            except NotMeant:
                continue
            with self.setting.about_file(file):
                if made := self._clause(plain_clause(slots["clause"], self.book), replace(known, it=file)):
                    return made
        return None


def _reported(clause: str, known: Known) -> Known | None:
    """What is known when only to be told what came out was asked: the last step that tells something must do so."""
    for at in range(len(known.steps) - 1, -1, -1):
        if known.steps[at].answer:
            steps = list(known.steps)
            steps[at] = replace(steps[at], told=True)
            return replace(known, steps=tuple(steps), clause=clause)
    return None
