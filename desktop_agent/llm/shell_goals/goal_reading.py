"""Turns a goal in everyday words into steps of a POSIX shell; what is not understood whole is not done in part."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from desktop_agent.llm.shell_goals.chosen_things import Chosen, chosen_files, chosen_lines
from desktop_agent.llm.shell_goals.command_slots import (
    Known,
    NotMeant,
    Slots,
    Step,
    bytes_of,
    ending_of,
    formula_of,
    minutes_of,
    name_end_of,
    quoted_text,
    step_of,
)
from desktop_agent.llm.shell_goals.goal_remarks import Remarks, without_remarks
from desktop_agent.llm.shell_goals.noun_phrases import Filters
from desktop_agent.llm.shell_goals.phrase_book import LANGUAGES, PhraseBook, TypedCommand, book_of, commands
from desktop_agent.llm.shell_goals.typing_errors import mended_texts

_QUOTED = re.compile(r"“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|`([^`]+)`|\"([^\"]*)\"|(?<!\w)'([^']*)'(?!\w)")
_MARK = re.compile("\ue000(\\d+)\ue001")
"""Endings that are words of the phrase book, too."""
_FILE = re.compile(r"\w\.(?:[a-z]{2,4})(?![\w.])")
"""A file's name in a text."""
_LONGEST = 2_000
_THERE = frozenset(("copy_into", "move_into", "copy_ending", "move_ending"))
_TAKING = frozenset(
    (
        "move",
        "move_into",
        "move_into_new",
        "move_ending",
        "move_ending_new",
        "rename",
        "rename_ending",
        "replace",
        "replace_word",
        "replace_all",
        "delete_lines",
        "delete",
        "lines_deleted",
        "lines_kept",
        "chosen_moved",
        "chosen_moved_new",
        "chosen_deleted",
        "chosen_replaced",
        "chosen_replaced_word",
        "chosen_renamed",
        "chosen_prefixed",
        "chosen_names_replaced",
    )
)
"""Commands after which something is no longer as it was: none of them fits "the original stays"."""
_FREE = frozenset(("text", "items", "command", "who", "named"))
_PHRASES = frozenset(("files", "lines"))
_SEARCHING = frozenset(("search", "search_in", "count_matches", "count_occurrences", "replace"))


@lru_cache(64)
def steps_of(goal: str) -> tuple[Step, ...]:
    """The steps for a goal, () when any of it is not understood. Mistyped words are mended only where it is not without."""
    if len(goal) > _LONGEST:
        return ()
    for mended in (False, True):
        for language in LANGUAGES:
            book = book_of(language)
            for text in (*_ends_as_text(goal), goal):
                if steps := _mended(text, book) if mended else _Reader(book).read(text):
                    return steps
    return ()


def _mended(goal: str, book: PhraseBook) -> tuple[Step, ...]:
    reader = _Reader(book)
    front = " ".join(_QUOTED.sub(reader.keep, goal).split())
    for text, changed in mended_texts(front, book):
        whole = _MARK.sub(lambda found: reader.marks[int(found[1])], text)
        if steps := _Reader(book, changed).read(whole):
            return steps
    return ()


def _ends_as_text(goal: str) -> Iterator[str]:
    """The goal with all behind a colon taken as a text: "into a.txt: She said it's done"."""
    for found in re.finditer(r":\s+(?=\S)", goal):
        tail = goal[found.end() :]
        if not _QUOTED.fullmatch(tail.strip().rstrip(".")) and "\n" not in tail.strip():
            yield f"{goal[: found.start()]} \ue002{tail.strip()}"


@dataclass
class _Reader:
    book: PhraseBook
    changed: frozenset[str] = frozenset()
    """Words that were mended: none of them is a name."""
    quoted: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    """The same with their quotation marks."""
    inside: str = ""
    """The folder that a clause is about."""
    file: str = ""
    """The file that a clause is about."""
    but: list[str] = field(default_factory=list)
    """The files that are left out, and whether something was done without them."""
    without: bool = False
    spared: list[str] = field(default_factory=list)
    """The files that must stay as they are."""
    no_texts: bool = False
    """May no text be said without quotation marks?"""
    taken: set[str] = field(default_factory=set)
    """What is no longer as it was."""
    remarks: Remarks = field(default_factory=Remarks)
    _left: int = 20_000
    """Characters of clauses that are tried yet: a goal that can be cut in too many ways is not understood."""

    def read(self, goal: str) -> tuple[Step, ...]:
        goal, _, tail = goal.replace("’", "'").partition("\ue002")
        text = " ".join(_QUOTED.sub(self.keep, goal).split())
        if tail:
            if self._holds_a_clause(tail):
                return ()
            self.quoted.append(tail)
            self.marks.append(tail)
            text += f" \ue000{len(self.quoted) - 1}\ue001"
        text = re.sub(r"(?i)\b(what|who|where)'s\b", r"\1 is", text)
        text = re.sub(r"(?i)(\w)-(dateien|datei|files|file)\b", r"\1 \2", text)
        text = re.sub(r"(?i)\bdon't\b", "do not", text)
        text = self._without_background(text)
        text, self.remarks = without_remarks(text, self.book)
        try:
            self.but = [name for said in self.remarks.but for name in self._left_out(said, Known())]
            self.spared = [name for said in self.remarks.spared for name in self._left_out(said, Known())]
        except NotMeant:
            return ()
        found = self._clauses(text, Known())
        if found is None or (self.remarks.but and not self.without):
            return ()
        return found.steps if self._stays(found) else ()

    def _without_background(self, text: str) -> str:
        """The goal without the sentences at its beginning that ask for nothing."""
        sentence, mark, rest = (
            re.split(r"([.!]\s+)", text, maxsplit=1) if re.search(r"[.!]\s", text) else ("", "", "")
        )
        return self._without_background(rest) if mark and self.book.is_background(sentence) else text

    def _stays(self, found: Known) -> bool:
        """Does all stay that was to stay?"""
        if not all(_spares(each.line, name) for name in self.spared for each in found.steps):
            return False
        return not self.remarks.keeps or self.taken <= set(found.copies)

    def _holds_a_clause(self, tail: str) -> bool:
        """May a text behind a colon end in something else to be done?"""
        reader = _Reader(self.book)
        text = " ".join(_QUOTED.sub(reader.keep, tail.replace("’", "'")).split())
        return any(
            reader._clauses(after, Known("it", "it", "it", "lines")) for _, after in reader._cuts(text)
        )

    def keep(self, found: re.Match[str]) -> str:
        said = next(each for each in found.groups() if each is not None)
        self.quoted.append(said)
        self.marks.append(found[0])
        return f"\ue000{len(self.quoted) - 1}\ue001"

    # ---- clauses -------------------------------------------------------------------------------

    def _clauses(self, text: str, known: Known) -> Known | None:
        """What is known after all clauses of the text; None when one is not understood."""
        text = self._plain(text)
        if not text or self._left < 0:
            return None
        for before, after in self._cuts(text):
            first = self._clause(self._plain(before), known)
            if first is not None and (rest := self._clauses(after, first)) is not None:
                return rest
        return self._clause(text, known)

    def _cuts(self, text: str) -> Iterator[tuple[str, str]]:
        """Where two clauses may join, the surest first."""
        marks = (
            r"[.;:!?]\s+|\s*\n\s*",
            *(rf",?\s+(?:{_either(words)})\s+" for words in (self.book.then, self.book.joins)),
            r",\s+",
        )
        for mark in marks:
            for found in re.finditer(mark, text, re.IGNORECASE):
                if found.start() and found.end() < len(text):
                    yield text[: found.start()], text[found.end() :]

    def _plain(self, text: str) -> str:
        """The clause without words of courtesy, and without marks at its ends."""
        text = text.strip(" ,;:!?\t")
        text = text[:-1].rstrip() if re.search(r"[\w\ue001]\.$", text) else text
        changed = True
        while changed:
            low, changed = text.casefold(), False
            for each in (*self.book.lead, *self.book.then):
                if low.startswith(each) and re.match(r"[\s,:]", low[len(each) : len(each) + 1] or "x"):
                    text, changed = text[len(each) :].strip(" ,:;"), True
                    break
            for each in self.book.trail:
                if not changed and low.endswith(each) and low[-len(each) - 1 : -len(each)] in (" ", ","):
                    text, changed = text[: -len(each)].strip(" ,;:"), True
                    break
        words = text.split(maxsplit=2)
        return (
            f"{words[0]} {words[2]}" if len(words) == 3 and words[1].casefold() in self.book.polite else text
        )

    def _clause(self, text: str, known: Known) -> Known | None:
        self._left -= len(text)
        if not text or self._left < 0:
            return None
        for nested, slots in self.book.inner(text):
            inner = self._nested(nested.clause, nested.only, slots, known)
            made = inner and self._made(nested.by, {"to": slots["to"]}, inner)
            if made:
                return replace(made, steps=(*known.steps, made.steps[-1]), clause=text)
        if known.steps and known.steps[-1].name.startswith("run") and self.book.reports(text):
            return self._reported(known, text)
        for name, slots in self.book.matches(text):
            if made := self._made(name, slots, known, text):
                return replace(made, clause=text)
        if self.book.reports(text) and not (self.inside or self.file):
            return self._reported(known, text)
        for meant in self.book.same(text):
            if meant != text and (made := self._clause(meant, known)):
                return replace(made, clause=text)
        for name, slots in self.book.facts(text):
            if told := self._told(name, slots, known):
                return replace(told, clause=text)
        if text.split()[0].casefold() in self.book.bare:
            return self._made("run", {"command": text}, known)
        return (
            self._with_verb_first(text, known)
            or self._also(text, known)
            or self._less(text, known)
            or self._placed(text, known)
            or self._of_file(text, known)
            or self._without_fillers(text, known)
            or self._elliptic(text, known)
        )

    def _elliptic(self, text: str, known: Known) -> Known | None:
        """ "a file a.txt" behind "make a folder": the same is to be done with it."""
        first = text.split()[0].casefold()
        if first not in self.book.elliptic or not known.clause or first == known.clause.split()[0].casefold():
            return None
        return self._clause(f"{known.clause.split()[0]} {text}", known)

    def _with_verb_first(self, text: str, known: Known) -> Known | None:
        """A clause that ends in an infinitive ("die Datei a.txt löschen"), said as one that begins with its verb."""
        rest, _, verb = text.rpartition(" ")
        said = self.book.infinitives.get(verb.casefold())
        return self._clause(said.format(rest), known) if said and rest else None

    def _also(self, text: str, known: Known) -> Known | None:
        """ "also those in the folder old": the clause before, once more, for that folder."""
        for slots in self.book.also_in(text):
            if known.clause and not self.inside:
                try:
                    self.inside = self._value("folder", slots["folder"], known)[0]
                    return self._clause(known.clause, known)
                except NotMeant:
                    pass
                finally:
                    self.inside = ""
        return None

    def _less(self, text: str, known: Known) -> Known | None:
        """ "all files but a.txt": the clause without those."""
        for slots in self.book.less(text):
            before = self.but, self.without
            try:
                self.but = [*self.but, *self._left_out(slots["names"], known)]
                self.without = False
                clause = f"{slots['clause']} {slots.get('rest', '')}"
                made = self._clause(self._plain(clause), known)
                if made is not None and self.without:
                    return made
            except NotMeant:
                pass
            finally:
                self.but, self.without = before[0], before[1] or self.without
        return None

    def _placed(self, text: str, known: Known) -> Known | None:
        """A clause about a folder that it names: what it makes or takes is in there."""
        if self.inside:
            return None
        for slots in self.book.placed(text):
            try:
                folder = slots.get("folder") or slots.get("pronoun")
                if folder is None and not known.it:
                    return None
                self.inside = self._value("folder", folder, known)[0] if folder else known.it
                if made := self._clause(self._plain(slots["clause"]), known):
                    return made
            except NotMeant:
                pass
            finally:
                self.inside = ""
        return None

    def _of_file(self, text: str, known: Known) -> Known | None:
        """A clause about a file that it names at its beginning."""
        if self.file:
            return None
        for slots in self.book.of_file(text):
            try:
                self.file = self._value("name", slots["name"], known)[0]
                if made := self._clause(self._plain(slots["clause"]), replace(known, it=self.file)):
                    return made
            except NotMeant:
                pass
            finally:
                self.file = ""
        return None

    def _nested(
        self, clause: str, only: tuple[str, ...], slots: dict[str, str], known: Known
    ) -> Known | None:
        inner = self._plain(clause.format(**slots))
        for name, found in self.book.matches(inner):
            if not only or name in only or ("value" in only and name in self.book.values):
                made = self._made(name, found, known)
                if made is not None:
                    return made
        return None

    @staticmethod
    def _reported(known: Known, clause: str) -> Known | None:
        """What is known when only to be told what came out was asked: the last step that tells something must do so."""
        for at in range(len(known.steps) - 1, -1, -1):
            if known.steps[at].answer:
                steps = list(known.steps)
                steps[at] = replace(steps[at], told=True)
                return replace(known, steps=tuple(steps), clause=clause)
        return None

    def _without_fillers(self, text: str, known: Known) -> Known | None:
        """The clause without words such as "then" in its middle, where it holds no text that they may be a part of."""
        words = text.split()
        kept = [word for word in words if word.casefold() not in self.book.fillers]
        if self.no_texts or len(kept) == len(words) or not kept:
            return None
        self.no_texts = True
        try:
            return self._clause(" ".join(kept), known)
        finally:
            self.no_texts = False

    # ---- facts ---------------------------------------------------------------------------------

    def _told(self, name: str, said: dict[str, str], known: Known) -> Known | None:
        """What is known after a fact, or after what was told is done somewhere."""
        if "subject" in said and self.book.acts(said["subject"]):
            return None
        try:
            if name == "apply":
                return self._applied(said, known)
            if name == "column":
                return replace(known, column=self._value("nth", said["nth"], known)[0])
            if name == "swap":
                old, new = (self._value("names", said[each], known)[0] for each in ("old", "new"))
                it = self._value("name", said["name"], known)[0] if "name" in said else known.it
                return replace(known, swap=(old, new), it=it)
            if name == "files":
                return self._with_files(said, known)
            return replace(known, it=self._value("name", said["name"], known)[0])
        except NotMeant:
            return None

    def _with_files(self, said: dict[str, str], known: Known) -> Known | None:
        before = self.inside
        try:
            self.inside = self._value("folder", said["folder"], known)[0] if "folder" in said else before
            found = self._chosen("files", said["files"], known, narrow=True)
            return replace(known, files=found["files"][0])
        finally:
            self.inside = before

    def _applied(self, said: dict[str, str], known: Known) -> Known | None:
        """ "Correct it in a.txt" after it was told what is wrong."""
        names = self._several("names", said["names"], known) if "names" in said else [known.it]
        if not known.swap[0] or not all(names):
            return None
        made: Known | None = known
        for each in names:
            marks = [f"\ue000{self._mark(text)}\ue001" for text in (*known.swap, each)]
            made = made and self._made(
                "replace_word", dict(zip(("old", "new", "name"), marks, strict=True)), made
            )
        return made

    def _mark(self, text: str) -> int:
        self.quoted.append(text)
        self.marks.append(text)
        return len(self.quoted) - 1

    # ---- one step ------------------------------------------------------------------------------

    def _in_each(self, name: str, said: dict[str, str], known: Known) -> Known | None:
        """The same in several files, one step for each."""
        try:
            names = self._several("names", said["names"], known)
        except NotMeant:
            return None
        made: Known | None = known
        for each in names:
            slots = {**said, "name": f"\ue000{self._mark(each)}\ue001"}
            made = made and self._made(
                name, {key: text for key, text in slots.items() if key != "names"}, made
            )
        return made

    def _made(self, name: str, said: dict[str, str], known: Known, clause: str = "") -> Known | None:
        if name.endswith("_each"):
            return self._in_each(name.removesuffix("_each"), said, known)
        if name == "chosen_packed" and self._unquoted(said["to"]).casefold().endswith(".zip"):
            name = "chosen_packed_zip"
        if name == "pack":
            name = "pack_zip" if self._unquoted(said["archive"]).endswith(".zip") else "pack"
            said = {**said, "to": said["archive"]}
        if self.no_texts and any(slot in _FREE and not _MARK.fullmatch(text) for slot, text in said.items()):
            return None
        if name.startswith("value_"):
            name = name.replace("value", "number" if known.result == "number" else "lines")
        if self.but and f"{name}_but" in commands():
            name = f"{name}_but"
        command = commands()[name]
        if (command.needs == "lines" and not known.before) or (
            command.needs == "number" and not known.number
        ):
            return None
        if command.needs.startswith("result") and command.needs != f"result: {known.result}":
            return None
        try:
            values = {
                key: self._value(key, value, known) for key, value in said.items() if key not in _PHRASES
            }
            for phrase in _PHRASES & said.keys():
                values |= self._chosen(phrase, said[phrase], known, narrow=command.narrow)
            if "nth" in values and "{column" in command.line:
                values.setdefault("column", values["nth"])
            if self.file and "{name" in command.line:
                values.setdefault("name", [self.file])
            self._check_texts(name, said, clause)
            if self.inside:
                values = {key: self._placed_in(key, value) for key, value in values.items()}
                values.setdefault("folder", [self.inside])
            if name == "write" and "folder" in values and not self.inside:
                values["to"] = [f"{values['folder'][0].rstrip('/')}/{values['to'][0]}"]
            if "to" not in values and name.removesuffix("_but") in _THERE and known.it:
                values["to"] = [known.it]
            if "pronoun" in values:
                values["name"] = values["pronoun"]
            if name == "sum_told":
                values = {"column": [known.column], "name": [known.it]}
                if not known.column or not known.it:
                    return None
            if "who" in values:
                self._add_keys(values)
            slots = Slots(values, known, tuple(self.but))
            step = step_of(name, command, slots)
            if self.inside and not self._is_placed(command, values):
                return None
            less = any("{but" in each for each in (command.line, command.lines, command.number))
            if command.needs == "but" and not self.but:
                return None
            self.without = self.without or less
            lines, number = slots.fill(command.lines), slots.fill(command.number)
            files = slots.fill(command.files)
        except NotMeant:
            return None
        it = slots.values.get(command.it, [""])[0] if command.it else ""
        if command.lines and not command.number:
            number = f"{lines} | wc -l"
        steps = (*known.steps, step)
        if name in _TAKING:
            self.taken.update(values.get("names") or values.get("name") or ["?"])
        if name == "copy":
            known = replace(known, copies=(*known.copies, *values["to"]))
        known = replace(known, files=files)
        if command.answer and command.needs not in ("number", "lines"):  # "them" is what was asked for last
            result = "number" if command.number else "lines" if lines else ""
            return replace(known, it=it or known.it, before=lines, number=number, result=result, steps=steps)
        if command.lines:
            known = replace(known, before=lines, number=number)
        return replace(known, it=it or known.it, result="", steps=steps)

    def _chosen(self, phrase: str, said: str, known: Known, *, narrow: bool) -> dict[str, list[str]]:
        """The values of a noun phrase. Raises NotMeant where it has no meaning, or is too wide for the command."""
        for filters in self.book.phrases[phrase].readings(said):
            try:
                found = self._filtered(phrase, filters, known)
            except NotMeant:
                continue
            if narrow and not found.narrow:
                continue
            values = {phrase: [found.shell], "said": [self._unquoted(said)], "kind": [found.kind]}
            if phrase == "files":
                self.without = self.without or bool(self.but)
                return values
            return values | {"name": [found.name]} | ({"rest": [found.rest]} if found.rest else {})
        raise NotMeant

    def _filtered(self, phrase: str, filters: Filters, known: Known) -> Chosen:
        def value(slot: str, text: str) -> list[str]:
            return self._value(slot, text, known)

        if any(name == "them" for name, _ in filters):
            if not known.files or len(filters) > 1:
                raise NotMeant
            return Chosen(known.files, narrow=True)
        if phrase == "files":
            return chosen_files(filters, value, self.inside, (*self.but, *self.spared))
        return chosen_lines(filters, value, self.file)

    def _is_placed(self, command: TypedCommand, values: dict[str, list[str]]) -> bool:
        """Is the command about the folder of its clause?"""
        named = any(each in values for each in ("name", "names", "named", "to", "files"))
        return named or "{folder" in command.line or ":glob}" in command.line

    def _add_keys(self, values: dict[str, list[str]]) -> None:
        """What is looked for in the lines of a file: the words as they are, or without those that only say its kind."""
        words = values["who"][0].split()
        if self.book.no_who & {each.casefold() for each in words}:
            raise NotMeant
        rest = [each for each in words if each.casefold() not in self.book.no_key]
        values["key"] = [" ".join(rest or words)]

    def _check_texts(self, name: str, said: dict[str, str], clause: str) -> None:
        """Raises NotMeant for a text without quotation marks that may mean more than it.

        What is searched for or replaced is one word; what ends the clause is not two things joined.
        """
        texts = [
            said[each]
            for each in ("text", "old", "new", "who")
            if each in said and not _MARK.fullmatch(said[each])
        ]
        joined = re.compile(rf",|\b(?:{_either((*self.book.then, *self.book.joins))})\b", re.IGNORECASE)
        for text in texts:
            if (name in _SEARCHING and " " in text) or (clause.endswith(text) and joined.search(text)):
                raise NotMeant

    def _left_out(self, said: str, known: Known) -> list[str]:
        """Names of files that are left out: all of them look like one, as "all but the newest" names none."""
        names = self._several("names", said, known)
        quoted = _MARK.search(said) is not None
        if not all(quoted or re.search(r"[.\d_-]|^[A-Z]+[a-z]*file$", name) for name in names):
            raise NotMeant
        return names

    def _endings(self, said: str) -> list[str]:
        parts = re.split(rf"\s*,\s*|\s+(?:{_either((*self.book.joins, 'or', 'oder'))})\s+", said)
        return [name_end_of(self._unquoted(each), self.book) for each in parts]

    def _placed_in(self, slot: str, values: list[str]) -> list[str]:
        named = slot in ("name", "names", "named", "to")
        return [
            f"{self.inside.rstrip('/')}/{each}" if named and each[0] not in "/~" else each for each in values
        ]

    def _value(self, slot: str, said: str, known: Known) -> list[str]:
        """What a slot holds: one value, or several for `names` and `items`. Raises NotMeant."""
        quoted = _MARK.fullmatch(said)
        if slot in ("names", "items"):
            return self._several(slot, said, known)
        if (
            self.changed
            and slot not in ("thing", "adj", "pronoun", "nth")
            and self.changed & set(re.findall(r"\w+", said.casefold()))
        ):
            raise NotMeant  # what was mended is no name
        if slot == "formula":
            return [formula_of(self._unquoted(said), self.book)]
        if slot == "thing":
            if said.casefold() not in self.book.things:
                raise NotMeant
            return [self.book.things[said.casefold()]]
        if slot == "adj":
            mark = self.remarks.marks.get(said.casefold())
            if not mark:
                raise NotMeant
            return [self._unquoted(mark)]
        if slot == "program":
            if said not in ("bash", "sh", "python3"):
                raise NotMeant
            return [said]
        if slot == "nth":
            return [self._nth(said)]
        if slot == "mode":
            return [said]
        if slot in ("text", "old", "new", "command", "who", "column", "where", "is"):
            return [self.quoted[int(quoted[1])] if quoted else self._words(slot, said)]
        if slot in ("number", "first", "last"):
            return [self._number(said)]
        if slot == "days":
            return [minutes_of(said, self.book)]
        if slot == "kind":
            if said.casefold() not in self.book.kinds:
                raise NotMeant
            return [self.book.kinds[said.casefold()]]
        if slot == "endings":
            return self._endings(said)
        if slot == "size":
            return [bytes_of(said)]
        if slot in ("ending", "newending"):
            return [ending_of(self._unquoted(said), self.book)]
        if slot == "named":
            return [self._long_name(said)]
        if slot == "pronoun":
            if said.casefold() not in self.book.it or not known.it:
                raise NotMeant
            return [known.it]
        name = self._name(said, known, listed=slot == "to" and said.casefold() in ("new", "old"))
        if slot == "folder" and not quoted and re.search(r"\w\.[A-Za-z]\w{0,4}$", name):
            raise NotMeant  # it looks like a file
        return [name]

    def _words(self, slot: str, said: str) -> str:
        """A text that was said without quotation marks: of one line, and with nothing in it that may be another clause."""
        if slot == "command":
            first = self._unquoted(said).split()[0].casefold()
            prose = re.search(r"[,.;:!?](\s|$)", _MARK.sub("", said))
            worded = self.book.prose & set(_MARK.sub("", said).casefold().split())
            if prose or worded or first in self.book.no_command or not re.fullmatch(r"[\x21-\x7e]+", first):
                raise NotMeant
            if first != said.split()[0].casefold() and not _MARK.fullmatch(said):
                raise NotMeant  # a command in quotation marks, and more words behind it
            return self._restored(said)
        words = said.casefold().split()
        if slot == "text" and len(words) > 1 and _FILE.search(said):
            raise NotMeant
        joined = any(f" {each} " in f" {said.casefold()} " for each in self.book.then)
        if (
            _MARK.search(said)
            or joined
            or words[0] in self.book.no_text_start
            or self.book.no_text & set(words)
            or len(words) > 30
        ):
            raise NotMeant
        return self._unquoted(said)

    def _restored(self, said: str) -> str:
        return _MARK.sub(lambda found: self.marks[int(found[1])], said)

    def _unquoted(self, said: str) -> str:
        return _MARK.sub(lambda found: self.quoted[int(found[1])], said)

    def _several(self, slot: str, said: str, known: Known) -> list[str]:
        parts = re.split(
            rf"\s*,\s*(?:(?:{_either(self.book.joins)})\s+)?|\s+(?:{_either(self.book.joins)})\s+", said
        )
        if slot == "items":
            quoted = self._unquoted(said) if _MARK.fullmatch(said) else ""
            found = [self._unquoted(each) for each in (re.split(r"\s*,\s*", quoted) if quoted else parts)]
            if len(found) < 2 or not all(found):
                raise NotMeant
            return found
        if len(parts) == 1 and " " in said:  # "a.txt b.txt": either names or one name with a blank
            parts = said.split() if all("." in self._unquoted(each) for each in said.split()) else [said]
        parts = [re.sub(r"^in\s+(?=\S+\.\w)", "", each) for each in parts]
        return [self._name(each, known, listed=len(parts) > 1 and len(each) == 1) for each in parts]

    def _name(self, said: str, known: Known, *, listed: bool = False) -> str:
        """A file's name. Raises NotMeant for a word that is none, and for what may be two names."""
        quoted = _MARK.fullmatch(said)
        name = self.quoted[int(quoted[1])] if quoted else said
        if not quoted:
            if name.casefold() in self.book.it and known.it:
                return known.it
            if name.endswith((":", "!", "?", "'", '"', "(", ")")):
                raise NotMeant
            if name.casefold() in self.book.here:
                return "."
            if " " in name or (name.casefold() in self.book.no_name | self.book.it and not listed):
                raise NotMeant
        if (
            not name
            or re.search(r"[\x00-\x1f\x7f]", name)
            or (not quoted and re.search(r"[*?<>|&$\\]", name))
        ):
            raise NotMeant
        return name

    def _long_name(self, said: str) -> str:
        """A name of a few words, where "called" or the like stands before it and nothing behind it."""
        words = said.casefold().split()
        if not 1 < len(words) <= 4 or self.book.no_long_name & set(words) or _MARK.search(said):
            raise NotMeant
        if re.search(r"[\x00-\x1f\x7f*?<>|&$\\,;]", said):
            raise NotMeant
        return said

    def _nth(self, said: str) -> str:
        """Which one of several: the third, 3rd, 3."""
        number = self.book.ordinals.get(said.casefold())
        counted = re.fullmatch(r"(\d{1,6})(?:st|nd|rd|th|\.)?", said)
        if number is None and counted is None:
            raise NotMeant
        return str(number or int(counted[1] if counted else 0))

    def _number(self, said: str) -> str:
        number = self.book.numbers.get(said.casefold())
        if number is None and not re.fullmatch(r"\d{1,6}", said):
            raise NotMeant
        return str(number or int(said))


def _spares(line: str, name: str) -> bool:
    """Does a line leave the file alone? One that looks for files, or names them by a pattern, must leave it out itself."""
    quoted = quoted_text(name)
    if f"! -name {quoted}" in line:
        return True
    return quoted not in line and not re.search(r"\bfind |\*\.|grep -r", line)


def _either(words: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(itertools.chain(words), key=len, reverse=True)))
