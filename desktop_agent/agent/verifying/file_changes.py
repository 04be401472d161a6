"""Compares how a file changed with what the user's words and the deeds of a run account for.

That the right words are in it is not enough: they have to be new there, nothing else may be lost or other, and no
other record may fit the user's words as well as the one that changed. What is not accounted for is put to the user:
by its key, and by a name only where that has a word of the user's, since a model is told it, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from desktop_agent.agent.verifying.file_entries import FileChange, FileEntry
from desktop_agent.policy.facts.words.claim_words import (
    affirmed_words,
    asked_part,
    asks_for_all,
    asks_for_both,
    asks_to_change,
    asks_to_remove,
    asks_to_replace,
    claims_success,
    content_words,
    is_kept_by_itself,
    is_not_yet,
    months_in,
    numbers_in,
    numerals_in,
    spaced,
    tells_state,
    words_of,
)
from desktop_agent.vision.elements.describe import one_line

_NAMING = 4
"""A typed text of so many letters names what it stands in."""
_COMPARED = 50
"""So many changes are compared with what is beside them."""
_STEM = 4
"""Letters that two forms of a word have in common."""
_SHORT = 60
"""A longer value is a text and does not name its record."""
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?!\d)")
_SWITCH = {
    "true": True,
    "on": True,
    "yes": True,
    "1": True,
    "false": False,
    "off": False,
    "no": False,
    "0": False,
}


@dataclass(frozen=True)
class Meant:
    """What accounts for a change: all words of the user, what was typed and chosen, and the state of each switch.

    `texts` are the typed ones that have to be in it, `entered` is all that was typed. `gone` are the texts that are to
    be there no more, `quoted` those in quotation marks and those that were looked for. `written` is what commands and changes of
    files that were carried out hold.
    """

    said: str
    texts: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    entered: tuple[str, ...] = ()
    switched: Mapping[str, bool] = field(default_factory=dict)
    written: tuple[str, ...] = ()

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that account for a value."""
        return frozenset(words_of(self._all))

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words of the user's that can name what is to be other."""
        return content_words(asked_part(self.said))

    @cached_property
    def naming(self) -> tuple[str, ...]:
        """Texts by which something that changes is meant."""
        named = (*self.texts, *self.chosen, *self.gone, *self.quoted)
        return tuple(spaced(each) for each in named if len(each) >= _NAMING)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers that account for one in a value: said, typed or chosen, months by their names."""
        text = self._all
        return frozenset((*_numbers(text), *numbers_in(text), *map(float, months_in(text)), 0.0))

    @cached_property
    def _all(self) -> str:
        return "\n".join((self.said, *self.texts, *self.entered, *self.chosen))


@dataclass(frozen=True)
class ChangeCheck:
    """The check of one change in the file of this name, which was written on a day as 2026-01-31."""

    change: FileChange
    meant: Meant
    name: str
    day: str

    def objection(self) -> str:
        """What is not accounted for, in words; "" when nothing is."""
        return next(
            (
                words
                for check in (
                    self._lost,
                    self._other,
                    self._missing,
                    self._not_so,
                    self._another,
                    self._twice,
                )
                if (words := check())
            ),
            "",
        )

    def damage(self) -> str:
        """What is lost or other than before without a word for it; "" when nothing is."""
        return self._lost() or self._other()

    def shows_it(self) -> bool:
        """Does the change hold all that was typed or chosen, and is there nothing more of what was to go?"""
        meant = self.meant
        new = [each.value for each in (*self.change.new, *(now for _, now in self.change.other))]
        if new and meant.written and all(any(value in text for text in meant.written) for value in new):
            return True
        if not (meant.texts or meant.chosen or meant.gone):
            return self._names_it()
        if self._missing():
            return False
        return meant.texts != () or not any(map(self._still_there, meant.gone))

    def covers_all(self) -> bool:
        """Is it so for all of its kind: the same everywhere, nothing kept, none left of what was looked for, or both texts?"""
        given, said = (*self.meant.texts, *self.meant.chosen), self.meant.said
        replaced = [each for each in map(spaced, self.meant.quoted) if self._was_there(each)]
        if asks_to_replace(said) and not self.change.kept:
            return True
        if replaced and self.meant.texts and not any(map(self._still_there, replaced)):
            return True
        if asks_for_both(said):
            return len(given) > 1
        return bool(self._changed) and not self._gone and not self._new and self._is_uniform()

    def _is_uniform(self) -> bool:
        """Has every record beside one that changed the same value now?"""
        now = {
            (each.place[:-2], each.place[-1]): each.value for _, each in self._changed if len(each.place) > 1
        }
        values = (
            (each.value, now.get((each.place[:-2], each.place[-1]), each.value))
            for each in (*self.change.kept, *self._fresh)
        )
        return bool(now) and all(value == wanted for value, wanted in values)

    def _was_there(self, text: str) -> bool:
        return any(_holds(each, text) for each in (*self._gone, *(was for was, _ in self._changed)))

    def _names_it(self) -> bool:
        """Do the words name just what was taken out, or what has another value that they tell?"""
        if self._new or not (self._gone or self._changed):
            return False
        named = all(self._fit(each) for each in (*self._gone, *(was for was, _ in self._changed)))
        affirmed = affirmed_words(self.meant.said)
        told = all(
            self._accounts(now.value) and set(words_of(now.value)) <= affirmed for _, now in self._changed
        )
        return named and told and (not self._gone or asks_to_remove(self.meant.said))

    # ---- what speaks against it --------------------------------------------------------------

    def _lost(self) -> str:
        """Something is gone that nothing says should be."""
        if asks_to_replace(self.meant.said) and asks_for_all(self.meant.said):
            return ""
        changing = asks_to_change(self.meant.said) or asks_to_remove(self.meant.said) or bool(self.meant.gone)
        best = 1 if asks_for_all(self.meant.said) else max(1, *map(self._fit, self._gone), 1)
        for entry in self._gone:
            named = _record(entry) in self._given or any(
                each in spaced(entry.value) for each in self.meant.naming
            )
            if not named and not (changing and self._fit(entry) >= best):
                return f"{self._told(entry)} is gone from it"
        return ""

    def _other(self) -> str:
        """Something else is another value now, or a new record holds a number of its own."""
        best = max((self._fit(was) for was, _ in self._changed), default=0)
        for was, entry in self._changed:
            meant = self._is_worked_out(entry) and (len(entry.place) == 1 or self._fit(was) == best)
            if not (self._accounts(entry.value) or meant or self._by_itself(entry)):
                return f"{self._told(entry)} is something else now"
        for entry in self._new:
            own = self._numbers_beyond(entry.value) and not self._by_itself(entry)
            if (own or self._is_waiting(entry)) and self._of_given(entry):
                return f"{self._told(entry)} is not what your words say"
        return ""

    def _missing(self) -> str:
        """A text that was typed or chosen, or a number of the user's, is not in what changed."""
        # A new file says something by its name.
        name = "" if self.change.kept or self._gone or self._changed else self.name
        fresh = " ".join(" ".join((name, *(each.value for each in self._fresh))).split())
        touched = (*self._fresh, *self._gone)
        records = {_record(each) for each in touched}
        parts = [part for each in touched for part in (*each.place, each.value)]
        around = " ".join(
            (name, *parts, *(value for each in records for value in self._records.get(each, ())))
        )
        folded = spaced(around)
        numbers = _numbers(around)
        for text in self.meant.texts:
            replaced = spaced(text) in folded and not self._still_there(text) and not _is_number(text)
            if not replaced and not _is_in(text, fresh, _numbers(fresh), exact=True):
                return f"{_quoted(text)} is not what is new in it"
        for text in (*self.meant.chosen, *self.meant.gone):
            if not _is_in(text, around, numbers) and not self._is_switch(text):
                return f"{_quoted(text)} is not what changed in it"
        given = _numbers("\n".join((*self.meant.entered, *self.meant.texts, *self.meant.chosen)))
        left = sorted(numerals_in(self.meant.said) - numbers - given)
        return f"{left[0]:g} is nowhere in what changed" if left else ""

    def _is_switch(self, name: str) -> bool:
        """Is it the name of something that is switched on or off in the file?"""
        switches = (each for each in self._fresh if each.value.casefold() in _SWITCH)
        return any(_same_words(name, each.place[-1:]) for each in switches)

    def _not_so(self) -> str:
        """A switch stands otherwise in the file than it was set; a text that was to be replaced is still there."""
        for entry in self._fresh:
            for name, on in self.meant.switched.items():
                told = _SWITCH.get(entry.value.casefold())
                if told is not None and told != on and _same_words(name, entry.place[-1:]):
                    return f"{self._told(entry)} is {'off' if on else 'on'} in it"
        for text in self.meant.naming if self.meant.texts else ():
            held = [each for each in (*self._gone, *(was for was, _ in self._changed)) if _holds(each, text)]
            if held and not any(_holds(each, text) for each in self._fresh) and self._still_there(text):
                return f"{_quoted(text.strip())} is still in it elsewhere"
        return ""

    def _another(self) -> str:
        """Another record fits the user's words as well as the one that changed, and is as it was."""
        changed = [was for was, _ in self._changed] + list(self._gone)
        for entry in changed[:_COMPARED]:
            record, mine = _record(entry), self._fit(entry)
            for other in self.change.kept:
                beside = len(other.place) == len(entry.place) and _record(other) != record
                if not beside or _record(other)[:-1] != record[:-1]:
                    continue
                fit = self._fit(other)
                alike = fit == mine and other.place[-1:] == entry.place[-1:] and other.value == entry.value
                if fit > mine or (mine and alike and len(entry.place) > 1):
                    return f"{self._told(other)} is as it was, and may be what is meant"
        return ""

    def _twice(self) -> str:
        """What was given was added twice, or added where something should have been changed."""
        given = [each for each in self._new if self._of_given(each)]
        names = [
            (each.place[:-1] if _is_line(each) else (*each.place[:-2], each.place[-1]), each.value)
            for each in given
            if spaced(each.value) in self.meant.naming
        ]
        if len(names) != len(set(names)):
            return "it was added twice"
        only_new = self._new and not self._changed and not self._gone and self.change.kept
        return (
            "something was added, and nothing changed" if only_new and asks_to_change(self.meant.said) else ""
        )

    # ---- the parts of a change ---------------------------------------------------------------

    @cached_property
    def _gone(self) -> tuple[FileEntry, ...]:
        """What is gone and has come up nowhere else in the file."""
        moved = {(each.place[-1:], each.value) for each in self.change.new}
        turned_over = {each.place[:-1] for each in self.change.new if _is_passing(each)}
        return tuple(
            each
            for each in self.change.gone
            if (each.place[-1:], each.value) not in moved and each.place[:-1] not in turned_over
        )

    @cached_property
    def _new(self) -> tuple[FileEntry, ...]:
        return tuple(each for each in self.change.new if not _is_passing(each))

    @cached_property
    def _changed(self) -> tuple[tuple[FileEntry, FileEntry], ...]:
        return tuple(each for each in self.change.other if not _is_passing(each[1]))

    @cached_property
    def _fresh(self) -> tuple[FileEntry, ...]:
        """All that stands in the file now and did not stand there before."""
        return (*self._new, *(now for _, now in self._changed))

    @cached_property
    def _records(self) -> Mapping[tuple[str, ...], list[str]]:
        """The short values of each record, as they were before where they are others now."""
        found: dict[tuple[str, ...], list[str]] = {}
        for each in (
            *self.change.kept,
            *(was for was, _ in self.change.other),
            *self.change.gone,
            *self.change.new,
        ):
            if len(each.value) < _SHORT:
                found.setdefault(_record(each), []).append(each.value)
        return found

    def _beside(self, entry: FileEntry) -> Iterable[str]:
        """The short values of the record that the entry is in; a setting alone has none."""
        return self._records.get(_record(entry), ()) if _record(entry) != entry.place else ()

    def _fit(self, entry: FileEntry) -> int:
        """How many of the user's words the record of an entry holds, in any form."""
        record = _record(entry)
        if record not in self._fits:
            mine = set(_key_words((*record[-1:], *self._beside(entry))))
            self._fits[record] = sum(any(_alike(each, word) for word in mine) for each in self.meant.telling)
        return self._fits[record]

    @cached_property
    def _fits(self) -> dict[tuple[str, ...], int]:
        return {}

    def _is_worked_out(self, entry: FileEntry) -> bool:
        """Is its key one of the user's words, or is it a number or a switch in a record that is?"""
        plain = bool(entry.value) and (
            entry.value.casefold() in _SWITCH or not re.search(r"[^\W\d_]", entry.value)
        )
        parts = (*entry.place, *self._beside(entry)) if plain else entry.place[-1:]
        return bool(self.meant.telling & {each for each in _key_words(parts) if not each.isdigit()})

    def _of_given(self, entry: FileEntry) -> bool:
        """Is it in a record with something that was typed or chosen? New lines of one part of a file are one record."""
        line = _record(entry) == entry.place
        return _record(entry) in self._given or (line and entry.place[:-1] in self._given_parts)

    @cached_property
    def _given(self) -> frozenset[tuple[str, ...]]:
        """The records that hold something that was typed, chosen or quoted."""
        texts = {record: spaced(" ".join((*record, *values))) for record, values in self._records.items()}
        return frozenset(
            record for record, text in texts.items() if any(each in text for each in self.meant.naming)
        )

    @cached_property
    def _given_parts(self) -> frozenset[tuple[str, ...]]:
        """The parts of the file among whose new lines is something that was."""
        held = (each for each in self._new if any(text in spaced(each.value) for text in self.meant.naming))
        return frozenset(each.place[:-1] for each in held if _record(each) == each.place)

    def _is_waiting(self, entry: FileEntry) -> bool:
        """Does it tell a state that is none of the user's words and no success?"""
        return tells_state(" ".join(_key_words(entry.place[-1:]))) and not self._accounts(entry.value)

    def _by_itself(self, entry: FileEntry) -> bool:
        """Does a program change such a value by itself: a time, a number of its own?"""
        told = re.search(r"[^\W\d_]{3,}", re.sub(r"[0-9a-fA-F]{8,}", " ", entry.value))
        return self.day in entry.value or (not told and is_kept_by_itself(_key_words(entry.place[-1:])))

    def _accounts(self, value: str) -> bool:
        """Are all words of a value the user's, in any form, typed or chosen, or do they tell that it was done?"""
        if not words_of(value) or value.casefold() in _SWITCH:
            return False
        lettered = [each for each in words_of(value) if not each.isdigit()]
        return all(map(self._is_said, lettered)) and not self._numbers_beyond(value)

    def _is_said(self, word: str) -> bool:
        return claims_success(word) or any(_alike(word, each) for each in self.meant.words)

    def _numbers_beyond(self, value: str) -> bool:
        year = float(self.day[:4])
        return bool(_numbers(value) - self.meant.numbers - {year, year % 100})

    def _told(self, entry: FileEntry) -> str:
        """The entry by its key, with the name of its record where that has a word of the user's; a line never."""
        record = _record(entry)
        names = [each for each in record[-1:] if self.meant.words & set(_key_words([each]))]
        told = "" if _is_line(entry) else " ".join(filter(None, dict.fromkeys((*names, entry.place[-1]))))
        return _quoted(told) if told else "an entry"

    def _still_there(self, text: str) -> bool:
        wanted = spaced(text)
        return any(_holds(each, wanted) for each in (*self.change.kept, *self._fresh))


def _alike(one: str, other: str) -> bool:
    """Are these two forms of a word?"""
    stem = max(_STEM, len(one) - 3)
    return one == other or (len(one) > _STEM and len(other) >= _STEM and one[:stem] == other[:stem])


def _record(entry: FileEntry) -> tuple[str, ...]:
    """The place of the record that an entry is a part of; its own for a setting alone and for a line of a list."""
    return entry.place if len(entry.place) == 1 or _is_line(entry) else entry.place[:-1]


def _is_line(entry: FileEntry) -> bool:
    """Is it a line, or another value in a list, that its own text stands for?"""
    return bool(entry.value) and entry.place[-1].startswith(entry.value)


def _is_passing(entry: FileEntry) -> bool:
    """Does it stand where something is not yet, or no longer, what is wanted?"""
    keys = entry.place[:-1] if _is_line(entry) else entry.place
    return is_not_yet(" ".join(_key_words(keys)))


def _holds(entry: FileEntry, text: str) -> bool:
    return text in spaced(entry.value) or text in spaced(" ".join(entry.place[-1:]))


def _key_words(place: Iterable[str]) -> list[str]:
    """The words of keys, also of those that are written together."""
    return words_of(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", " ".join(place)))


def _same_words(name: str, place: Iterable[str]) -> bool:
    mine, yours = set(words_of(name)), set(_key_words(place))
    return bool(mine and yours) and (mine <= yours or yours <= mine)


def _is_in(text: str, where: str, numbers: set[float], *, exact: bool = False) -> bool:
    """Is the text in another one, `exact` with its capitals? A number or month may be written in another way."""
    months = months_in(text) if len(words_of(text)) == 1 else set()
    if _is_number(text):
        return _numbers(text) <= numbers
    held = spaced(text) in spaced(where) and (not exact or " ".join(text.split()) in where)
    return held or (bool(months) and numbers.issuperset(map(float, months)))


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*\d{1,15}([.,]\d{1,15})?\s*", text) is not None


def _numbers(text: str) -> set[float]:
    """The numbers in a text, and the parts of those that are dates or have a fraction."""
    text = _DATE.sub(r"\1 \2 \3", text)
    whole = {float(each) for each in re.findall(r"(?<!\d)\d{1,15}(?!\d)", text)}
    return whole | {
        float(each.replace(",", ".")) for each in re.findall(r"(?<!\d)\d{1,15}[.,]\d{1,15}(?!\d)", text)
    }


def _quoted(text: str) -> str:
    return f"“{one_line(text, _SHORT)}{'…' if len(text) > _SHORT else ''}”"
