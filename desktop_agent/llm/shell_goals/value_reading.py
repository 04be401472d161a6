"""Turns what a clause says for the slots of a command into their values: names, texts, numbers, lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from desktop_agent.llm.shell_goals.clause_cutting import any_of, parts_of
from desktop_agent.llm.shell_goals.command_slots import Known, NotMeant
from desktop_agent.llm.shell_goals.phrase_book import PhraseBook
from desktop_agent.llm.shell_goals.quoted_parts import MARK, QuotedParts, is_mark
from desktop_agent.llm.shell_goals.word_values import (
    bytes_of,
    ending_of,
    formula_of,
    known_word,
    minutes_of,
    name_end_of,
    number_of,
    ordinal_of,
)

_LOOKS_LIKE_A_FILE = re.compile(r"\w\.(?:[a-z]{2,4})(?![\w.])")
_NEVER_IN_A_NAME = re.compile(r"[\x00-\x1f\x7f]")
_PROGRAMS = ("bash", "sh", "python3")
_MOST_WORDS = 30
"""Words of a text without quotation marks."""
_TEXTS_THAT_END = ("text", "old", "new", "who")
_MAY_BE_MENDED = frozenset(("thing", "adj", "pronoun", "nth"))
_SEARCHING = frozenset(("search", "search_in", "count_matches", "count_occurrences", "replace"))


@dataclass
class ValueReader:
    """Reads the values of slots in one goal.

    `mended` are words that were mended: none of them is a name. `signs` tell how a file marks what a word describes:
    "[x]" for "finished".
    """

    book: PhraseBook
    quoted: QuotedParts
    mended: frozenset[str] = frozenset()
    signs: Mapping[str, str] = field(default_factory=dict)

    def values(self, slot: str, said: str, known: Known) -> list[str]:
        """What a slot holds: one value, or several for `names`, `items` and `endings`. Raises NotMeant."""
        if slot == "names":
            return self.names(said, known)
        if slot == "items":
            return self._items(said)
        if slot not in _MAY_BE_MENDED and self.mended & set(re.findall(r"\w+", said.casefold())):
            raise NotMeant
        if slot == "endings":
            return self._endings(said)
        return [self._value(slot, said, known)]

    def value(self, slot: str, said: str, known: Known) -> str:
        """The first value of a slot. Raises NotMeant."""
        return self.values(slot, said, known)[0]

    def names(self, said: str, known: Known) -> list[str]:
        """The names of several files. Raises NotMeant."""
        parts = parts_of(said, self.book)
        if len(parts) == 1 and " " in said:  # "a.txt b.txt": either names or one name with a blank
            words = said.split()
            parts = words if all("." in self.quoted.unquoted(each) for each in words) else [said]
        parts = [re.sub(r"^in\s+(?=\S+\.\w)", "", each) for each in parts]
        return [self._name(each, known, listed=len(parts) > 1 and len(each) == 1) for each in parts]

    def left_out(self, said: str, known: Known) -> list[str]:
        """Names of files that are left out. Raises NotMeant where one does not look like a name, as "all but the newest"."""
        names = self.names(said, known)
        quoted = MARK.search(said) is not None
        if not all(quoted or re.search(r"[.\d_-]|^[A-Z]+[a-z]*file$", name) for name in names):
            raise NotMeant
        return names

    def key_of(self, who: str) -> str:
        """The words that are looked for in a file, without those that only say their kind. Raises NotMeant."""
        words = who.split()
        if self.book.no_who & {each.casefold() for each in words}:
            raise NotMeant
        return " ".join([each for each in words if each.casefold() not in self.book.no_key] or words)

    def check_texts(self, name: str, said: Mapping[str, str], clause: str) -> None:
        """Raises NotMeant for a text without quotation marks that may mean more than it.

        What is searched for or replaced by the command `name` is one word; what ends the clause is not two things joined.
        """
        joined = re.compile(rf",|\b(?:{any_of((*self.book.then, *self.book.joins))})\b", re.IGNORECASE)
        for text in (said[each] for each in _TEXTS_THAT_END if each in said and not is_mark(said[each])):
            if (name in _SEARCHING and " " in text) or (clause.endswith(text) and joined.search(text)):
                raise NotMeant

    def _value(self, slot: str, said: str, known: Known) -> str:
        match slot:
            case "text" | "old" | "new" | "who" | "column" | "where" | "is":
                return self.quoted.unquoted(said) if is_mark(said) else self._text(slot, said)
            case "command":
                return self.quoted.unquoted(said) if is_mark(said) else self._command(said)
            case "named":
                return self._long_name(said)
            case "pronoun":
                return self._spoken_of(said, known)
            case "folder":
                return self._folder(said, known)
            case "adj":
                return self.quoted.unquoted(known_word(said, self.signs))
            case "ending" | "newending":
                return ending_of(self.quoted.unquoted(said), self.book)
            case "formula":
                return formula_of(self.quoted.unquoted(said), self.book)
            case "thing":
                return known_word(said, self.book.things)
            case "kind":
                return known_word(said, self.book.kinds)
            case "nth":
                return ordinal_of(said, self.book)
            case "number" | "first" | "last":
                return number_of(said, self.book)
            case "days":
                return minutes_of(said, self.book)
            case "size":
                return bytes_of(said)
            case "mode":
                return said
            case "program":
                return _program(said)
        return self._name(said, known, listed=slot == "to" and said.casefold() in ("new", "old"))

    # ---- texts ---------------------------------------------------------------------------------

    def _text(self, slot: str, said: str) -> str:
        """A text without quotation marks: of one line, and with nothing in it that may be another clause."""
        words = said.casefold().split()
        if slot == "text" and len(words) > 1 and _LOOKS_LIKE_A_FILE.search(said):
            raise NotMeant
        joined = any(f" {each} " in f" {said.casefold()} " for each in self.book.then)
        begins = words[0] in self.book.no_text_start
        if (
            joined
            or begins
            or MARK.search(said)
            or self.book.no_text & set(words)
            or len(words) > _MOST_WORDS
        ):
            raise NotMeant
        return said

    def _command(self, said: str) -> str:
        """A command line without quotation marks around it; quoted parts of it stay quoted."""
        first = self.quoted.unquoted(said).split()[0].casefold()
        plain = MARK.sub("", said)
        if re.search(r"[,.;:!?](\s|$)", plain) or self.book.prose & set(plain.casefold().split()):
            raise NotMeant
        if first in self.book.no_command or not re.fullmatch(r"[\x21-\x7e]+", first):
            raise NotMeant
        if first != said.split()[0].casefold():
            raise NotMeant  # a command in quotation marks, and more words behind it
        return self.quoted.restored(said)

    def _items(self, said: str) -> list[str]:
        parts = (
            re.split(r"\s*,\s*", self.quoted.unquoted(said)) if is_mark(said) else parts_of(said, self.book)
        )
        found = [self.quoted.unquoted(each) for each in parts]
        if len(found) < 2 or not all(found):
            raise NotMeant
        return found

    # ---- names ---------------------------------------------------------------------------------

    def _name(self, said: str, known: Known, *, listed: bool = False) -> str:
        """A file's name; in a list it may be a word that is none alone. Raises NotMeant for what may be two names."""
        if is_mark(said):
            name = self.quoted.unquoted(said)
        elif said.casefold() in self.book.it and known.it:
            return known.it
        else:
            name = self._bare_name(said, listed=listed)
        if not name or _NEVER_IN_A_NAME.search(name):
            raise NotMeant
        return name

    def _bare_name(self, said: str, *, listed: bool) -> str:
        """A name without quotation marks, "." for the folder that one is in."""
        low = said.casefold()
        if said.endswith((":", "!", "?", "'", '"', "(", ")")):
            raise NotMeant
        if low in self.book.here:
            return "."
        if " " in said or (low in self.book.no_name | self.book.it and not listed):
            raise NotMeant
        if re.search(r"[*?<>|&$\\]", said):
            raise NotMeant
        return said

    def _folder(self, said: str, known: Known) -> str:
        """A folder's name. Raises NotMeant for one that looks like a file's."""
        name = self._name(said, known)
        if not is_mark(said) and re.search(r"\w\.[A-Za-z]\w{0,4}$", name):
            raise NotMeant
        return name

    def _long_name(self, said: str) -> str:
        """A name of a few words, where "called" or the like stands before it and nothing behind it."""
        words = said.casefold().split()
        if not 1 < len(words) <= 4 or self.book.no_long_name & set(words) or MARK.search(said):
            raise NotMeant
        if _NEVER_IN_A_NAME.search(said) or re.search(r"[*?<>|&$\\,;]", said):
            raise NotMeant
        return said

    def _spoken_of(self, said: str, known: Known) -> str:
        if said.casefold() not in self.book.it or not known.it:
            raise NotMeant
        return known.it

    def _endings(self, said: str) -> list[str]:
        parts = re.split(rf"\s*,\s*|\s+(?:{any_of((*self.book.joins, 'or', 'oder'))})\s+", said)
        return [name_end_of(self.quoted.unquoted(each), self.book) for each in parts]


def _program(said: str) -> str:
    if said not in _PROGRAMS:
        raise NotMeant
    return said
