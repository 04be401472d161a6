"""Turns a goal in everyday words into steps of a POSIX shell; what is not understood whole is not done in part."""

from __future__ import annotations

import itertools
import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from desktop_agent.llm.shell_goals.phrase_book import LANGUAGES, PhraseBook, TypedCommand, book_of, commands

_QUOTED = re.compile(r"“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|`([^`]+)`|\"([^\"]*)\"|(?<!\w)'([^']*)'(?!\w)")
_MARK = re.compile("\ue000(\\d+)\ue001")
_SAFE_ENDING = re.compile(r"[A-Za-z0-9][\w.-]{0,15}")
_UNITS = {"b": 1, "byte": 1, "k": 2**10, "kb": 2**10, "kib": 2**10, "kilobyte": 2**10, "m": 2**20, "mb": 2**20, "mib": 2**20, "megabyte": 2**20, "g": 2**30, "gb": 2**30, "gib": 2**30, "gigabyte": 2**30}  # fmt: skip
_LONGEST = 2_000
_SEARCHING = frozenset(("search", "search_in", "count_matches", "count_occurrences", "replace"))
_TEMPLATE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Step:
    """One step: what is typed (`line`), what is asked afterwards (`test`), and another try of both ("" for none).

    `answer`: what the line prints is what the user wants to be told. `plan` and `done` are words for people.
    """

    name: str
    plan: str
    line: str
    test: str
    other: str
    other_test: str
    answer: bool
    done: str


@dataclass(frozen=True)
class _Known:
    """What later clauses may speak of: the file, what printed the lines, what printed their number."""

    it: str = ""
    before: str = ""
    number: str = ""
    steps: tuple[Step, ...] = ()


class _NotMeant(Exception):
    """A slot does not hold what it is for."""


@lru_cache(64)
def steps_of(goal: str) -> tuple[Step, ...]:
    """The steps for a goal, () when any of it is not understood."""
    for language in LANGUAGES:
        reader = _Reader(book_of(language))
        if steps := reader.read(goal):
            return steps
    return ()


@dataclass
class _Reader:
    book: PhraseBook
    quoted: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    """The same with their quotation marks."""
    inside: str = ""
    """The folder that a clause is about."""
    _left: int = 20_000
    """Characters of clauses that are tried yet: a goal that can be cut in too many ways is not understood."""

    def read(self, goal: str) -> tuple[Step, ...]:
        if len(goal) > _LONGEST:
            return ()
        text = " ".join(_QUOTED.sub(self._keep, goal.replace("’", "'")).split())
        text = re.sub(r"(?i)\b(what|who|where)'s\b", r"\1 is", text)
        found = self._clauses(text, _Known())
        return found.steps if found is not None else ()

    def _keep(self, found: re.Match[str]) -> str:
        said = next(each for each in found.groups() if each is not None)
        self.quoted.append(said)
        self.marks.append(found[0])
        return f"\ue000{len(self.quoted) - 1}\ue001"

    # ---- clauses -------------------------------------------------------------------------------

    def _clauses(self, text: str, known: _Known) -> _Known | None:
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
        """The clause without words of courtesy and marks at its ends."""
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
        return text

    def _clause(self, text: str, known: _Known) -> _Known | None:
        self._left -= len(text)
        if not text or self._left < 0:
            return None
        for nested, slots in self.book.inner(text):
            inner = self._nested(nested.clause, nested.only, slots, known)
            made = inner and self._made(nested.by, {"to": slots["to"]}, inner)
            if made:
                return replace(made, steps=(*known.steps, made.steps[-1]))
        for name, slots in self.book.matches(text):
            if made := self._made(name, slots, known, text):
                return made
        if text.split()[0].casefold() in self.book.bare:
            return self._made("run", {"command": text}, known)
        return self._placed(text, known)

    def _placed(self, text: str, known: _Known) -> _Known | None:
        """A clause about a folder that it names: what it makes or takes is in there."""
        if self.inside:
            return None
        for slots in self.book.placed(text):
            try:
                self.inside = self._value("folder", slots.get("folder") or slots["pronoun"], known)[0]
                if made := self._clause(self._plain(slots["clause"]), known):
                    return made
            except _NotMeant:
                pass
            finally:
                self.inside = ""
        return None

    def _nested(
        self, clause: str, only: tuple[str, ...], slots: dict[str, str], known: _Known
    ) -> _Known | None:
        inner = self._plain(clause.format(**slots))
        for name, found in self.book.matches(inner):
            if not only or name in only:
                made = self._made(name, found, known)
                if made is not None:
                    return made
        return None

    # ---- one step ------------------------------------------------------------------------------

    def _made(self, name: str, said: dict[str, str], known: _Known, clause: str = "") -> _Known | None:
        if name == "pack":
            name = "pack_zip" if self._unquoted(said["archive"]).endswith(".zip") else "pack"
            said = {**said, "to": said["archive"]}
        command = commands()[name]
        if (command.needs == "lines" and not known.before) or (
            command.needs == "number" and not known.number
        ):
            return None
        try:
            values = {key: self._value(key, value, known) for key, value in said.items()}
            self._check_texts(name, said, clause)
            if self.inside:
                values = {key: self._placed_in(key, value) for key, value in values.items()}
                values.setdefault("folder", [self.inside])
            if name == "write" and "folder" in values and not self.inside:
                values["to"] = [f"{values['folder'][0].rstrip('/')}/{values['to'][0]}"]
            if "names" in values and "to" not in values and name in ("copy_into", "move_into") and known.it:
                values["to"] = [known.it]
            if "pronoun" in values:
                values["name"] = values["pronoun"]
            slots = _Slots(values, known)
            step = _step(name, command, slots)
            lines, number = slots.fill(command.lines), slots.fill(command.number)
        except _NotMeant:
            return None
        it = slots.values.get(command.it, [""])[0] if command.it else ""
        if command.lines and not command.number:
            number = f"{lines} | wc -l"
        return _Known(it or known.it, lines or known.before, number or known.number, (*known.steps, step))

    def _check_texts(self, name: str, said: dict[str, str], clause: str) -> None:
        """Raises _NotMeant for a text without quotation marks that may mean more than it.

        What is searched for or replaced is one word; what ends the clause is not two things joined.
        """
        texts = [
            said[each] for each in ("text", "old", "new") if each in said and not _MARK.fullmatch(said[each])
        ]
        joined = re.compile(rf",|\b(?:{_either((*self.book.then, *self.book.joins))})\b", re.IGNORECASE)
        for text in texts:
            if (name in _SEARCHING and " " in text) or (clause.endswith(text) and joined.search(text)):
                raise _NotMeant

    def _placed_in(self, slot: str, values: list[str]) -> list[str]:
        named = slot in ("name", "names", "named", "to")
        return [
            f"{self.inside.rstrip('/')}/{each}" if named and each[0] not in "/~" else each for each in values
        ]

    def _value(self, slot: str, said: str, known: _Known) -> list[str]:
        """What a slot holds: one value, or several for `names` and `items`. Raises _NotMeant."""
        quoted = _MARK.fullmatch(said)
        if slot in ("names", "items"):
            return self._several(slot, said, known)
        if slot in ("text", "old", "new", "command"):
            return [self.quoted[int(quoted[1])] if quoted else self._words(slot, said)]
        if slot in ("number", "first", "last"):
            return [self._number(said)]
        if slot == "size":
            return [_bytes(said)]
        if slot == "ending":
            return [_ending(self._unquoted(said))]
        if slot == "named":
            return [self._long_name(said)]
        if slot == "pronoun":
            if said.casefold() not in self.book.it or not known.it:
                raise _NotMeant
            return [known.it]
        name = self._name(said, known, listed=slot == "to" and said.casefold() in ("new", "old"))
        if slot == "folder" and not quoted and re.search(r"\w\.[A-Za-z]\w{0,4}$", name):
            raise _NotMeant  # it looks like a file
        return [name]

    def _words(self, slot: str, said: str) -> str:
        """A text that was said without quotation marks: of one line, and with nothing in it that may be another clause."""
        if slot == "command":
            first = self._unquoted(said).split()[0].casefold()
            if first in self.book.no_command or not re.fullmatch(r"[\x21-\x7e]+", first):
                raise _NotMeant
            return self._restored(said)
        words = said.casefold().split()
        joined = any(f" {each} " in f" {said.casefold()} " for each in self.book.then)
        if (
            _MARK.search(said)
            or joined
            or words[0] in self.book.no_text_start
            or self.book.no_text & set(words)
            or len(words) > 30
        ):
            raise _NotMeant
        return self._unquoted(said)

    def _restored(self, said: str) -> str:
        return _MARK.sub(lambda found: self.marks[int(found[1])], said)

    def _unquoted(self, said: str) -> str:
        return _MARK.sub(lambda found: self.quoted[int(found[1])], said)

    def _several(self, slot: str, said: str, known: _Known) -> list[str]:
        parts = re.split(
            rf"\s*,\s*(?:(?:{_either(self.book.joins)})\s+)?|\s+(?:{_either(self.book.joins)})\s+", said
        )
        if slot == "items":
            quoted = self._unquoted(said) if _MARK.fullmatch(said) else ""
            found = [self._unquoted(each) for each in (re.split(r"\s*,\s*", quoted) if quoted else parts)]
            if len(found) < 2 or not all(found):
                raise _NotMeant
            return found
        if len(parts) == 1 and " " in said:  # "a.txt b.txt": either names or one name with a blank
            parts = said.split() if all("." in self._unquoted(each) for each in said.split()) else [said]
        return [self._name(each, known, listed=len(parts) > 1 and len(each) == 1) for each in parts]

    def _name(self, said: str, known: _Known, *, listed: bool = False) -> str:
        """A file's name. Raises _NotMeant for a word that is none, and for what may be two names."""
        quoted = _MARK.fullmatch(said)
        name = self.quoted[int(quoted[1])] if quoted else said
        if not quoted:
            if name.casefold() in self.book.it and known.it:
                return known.it
            if name.casefold() in self.book.here:
                return "."
            if " " in name or (name.casefold() in self.book.no_name | self.book.it and not listed):
                raise _NotMeant
        if (
            not name
            or re.search(r"[\x00-\x1f\x7f]", name)
            or (not quoted and re.search(r"[*?<>|&$\\]", name))
        ):
            raise _NotMeant
        return name

    def _long_name(self, said: str) -> str:
        """A name of a few words, where "called" or the like stands before it and nothing behind it."""
        words = said.casefold().split()
        if not 1 < len(words) <= 4 or self.book.no_long_name & set(words) or _MARK.search(said):
            raise _NotMeant
        if re.search(r"[\x00-\x1f\x7f*?<>|&$\\,;]", said):
            raise _NotMeant
        return said

    def _number(self, said: str) -> str:
        number = self.book.numbers.get(said.casefold())
        if number is None and not re.fullmatch(r"\d{1,6}", said):
            raise _NotMeant
        return str(number or int(said))


# ---- commands ------------------------------------------------------------------------------------


def _step(name: str, command: TypedCommand, slots: _Slots) -> Step:
    line, other = slots.fill(command.line), slots.fill(command.other)
    if "\n" in line or "\n" in other:
        raise _NotMeant
    done = slots.fill(command.done)
    test, other_test = slots.fill(command.test), slots.fill(command.other_test or command.test)
    return Step(name, slots.fill(command.plan), line, test, other, other_test, command.answer, done)


@dataclass(frozen=True)
class _Slots:
    """The values of a command's slots, put into its templates as the comments in commands.toml say."""

    values: dict[str, list[str]]
    known: _Known

    def fill(self, template: str) -> str:
        """Raises _NotMeant for a slot that is missing."""
        return _TEMPLATE.sub(self._filled, template)

    def _filled(self, found: re.Match[str]) -> str:
        asked = found[1]
        if asked in ("before", "number") and asked not in self.values:
            return self.known.before if asked == "before" else self.known.number
        if asked.endswith("?"):
            return f" {quoted(self._of(asked[:-1])[0])}" if asked[:-1] in self.values else ""
        if "|" in asked:
            slot, usual = asked.split("|")
            return quoted(self.values[slot][0]) if slot in self.values else usual
        if "/" in asked:
            folder, name = asked.split("/")
            return quoted(_within(self._of(folder)[0], self._of(name)[0]))
        slot, _, form = asked.partition(":")
        if form.endswith(" "):
            folder, _, names = slot.rpartition(">")
            made = self._of(names)
            made = [_within(self._of(folder)[0], each) for each in made] if folder else made
            return " && ".join(f"{form}{quoted(each)}" for each in made)
        return self._in_form(slot, form)

    def _in_form(self, slot: str, form: str) -> str:
        if form == "there":
            return f"test -d {quoted(self.values[slot][0])} && " if slot in self.values else ""
        values = self._of(slot)
        match form:
            case "raw":
                return values[0]
            case "name":
                return ", ".join(values)
            case "each":
                return " ".join(map(quoted, values))
            case "pattern":
                return f"'*.{values[0]}'"
            case "glob":
                return f"*.{values[0]}"
            case "bytes":
                return values[0]
            case "echo":
                plain = not re.match(r"-", values[0]) and "\\" not in values[0]
                return (
                    f"echo {quoted_text(values[0])}" if plain else f"printf '%s\\n' {quoted_text(values[0])}"
                )
            case "sed":
                return _replacing(values[0], self._of("new")[0])
            case "script":
                return quoted_text(f"echo {quoted_text(values[0])}")
            case "start":
                return quoted(values[0] if "/" in values[0] else f"./{values[0]}")
            case "unpack":
                return _unpacking(values[0])
        return quoted_text(values[0]) if slot in ("text", "old", "new") else quoted(values[0])

    def _of(self, slot: str) -> list[str]:
        if slot not in self.values:
            raise _NotMeant
        return self.values[slot]


def quoted(name: str) -> str:
    """A file's name as one word of a shell, never taken for an option; a leading ~/ stays the home folder."""
    if name == "~" or name.startswith("~/"):
        rest = name[2:]
        return f"~/{shlex.quote(rest)}" if rest else "~"
    return shlex.quote(f"./{name}" if name.startswith("-") else name)


def quoted_text(text: str) -> str:
    """A text as one word of a shell."""
    return shlex.quote(text)


def _within(folder: str, name: str) -> str:
    return f"{folder.rstrip('/') or '/'}/{posixpath.basename(name.rstrip('/'))}"


def _replacing(old: str, new: str) -> str:
    found = re.sub(r"([][/.*^$\\])", r"\\\1", old)
    instead = re.sub(r"([/&\\])", r"\\\1", new)
    return shlex.quote(f"s/{found}/{instead}/g")


def _unpacking(name: str) -> str:
    low = name.casefold()
    if low.endswith(".zip"):
        return f"unzip -nq {quoted(name)}"
    if re.search(r"\.(tar(\.\w+)?|tgz|tbz2?|txz)$", low):
        return f"tar -xkf {quoted(name)}"
    if low.endswith(".gz"):
        return f"gunzip -k {quoted(name)}"
    raise _NotMeant


def _ending(said: str) -> str:
    plain = said.removeprefix("*").removeprefix(".")
    known = _SAFE_ENDING.fullmatch(plain) and plain.casefold() not in ("the", "all", "hidden", "new", "my", "these", "those", "empty", "text", "old")  # fmt: skip
    if not known:
        raise _NotMeant
    return plain


def _bytes(said: str) -> str:
    found = re.fullmatch(r"(\d{1,9})\s*([A-Za-z]+)", said)
    unit = (
        _UNITS.get(found[2].casefold()) or _UNITS.get(found[2].casefold().removesuffix("s"))
        if found
        else None
    )
    if found is None or unit is None:
        raise _NotMeant
    return str(int(found[1]) * unit)


def _either(words: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(itertools.chain(words), key=len, reverse=True)))
