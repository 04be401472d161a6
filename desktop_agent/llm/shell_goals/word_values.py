"""Turns one number, size, span of time, calculation or ending in plain words into what a shell needs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from desktop_agent.llm.shell_goals.command_slots import NotMeant
from desktop_agent.llm.shell_goals.phrase_book import PhraseBook

_SAFE_ENDING = re.compile(r"[A-Za-z0-9][\w.-]{0,15}")
_ENDINGS = frozenset(("zip", "tar", "gzip", "bash", "sh"))
_UNITS = {"b": 1, "byte": 1, "k": 2**10, "kb": 2**10, "kib": 2**10, "kilobyte": 2**10, "m": 2**20, "mb": 2**20, "mib": 2**20, "megabyte": 2**20, "g": 2**30, "gb": 2**30, "gib": 2**30, "gigabyte": 2**30}  # fmt: skip


def ending_of(said: str, book: PhraseBook) -> str:
    """The ending of files' names. Raises NotMeant for a word that says something else of files."""
    plain = said.removeprefix("*").removeprefix(".")
    word = plain == said and plain.casefold() in book.words - _ENDINGS
    unknown = plain == said and plain.casefold() not in book.endings
    if not _SAFE_ENDING.fullmatch(plain) or word or unknown or plain.casefold() in book.no_name:
        raise NotMeant
    return plain


def name_end_of(said: str, book: PhraseBook) -> str:
    """What finds names by their end, for `find`: an ending, or marks such as ~. Raises NotMeant."""
    return f"*{said}" if re.fullmatch(r"[~#_+-]{1,3}", said) else f"*.{ending_of(said, book)}"


def formula_of(said: str, book: PhraseBook) -> str:
    """A calculation in figures. Raises NotMeant for anything else."""
    text = f" {said.casefold()} "
    for words, sign in book.signs.items():
        text = text.replace(f" {words} ", sign)
    text = re.sub(r"\s+", "", re.sub(r"(?<=\d)\s*[x×]\s*(?=\d)", "*", text))
    if not re.fullmatch(r"\(*-?\d+(?:\.\d+)?\)*(?:[-+*/]\(*-?\d+(?:\.\d+)?\)*)+", text) or text.count(
        "("
    ) != text.count(")"):
        raise NotMeant
    return text


def bytes_of(said: str) -> str:
    """A size such as "2 MB", in bytes. Raises NotMeant for anything else."""
    found = re.fullmatch(r"(\d{1,9})\s*([A-Za-z]+)", said)
    unit = (
        _UNITS.get(found[2].casefold()) or _UNITS.get(found[2].casefold().removesuffix("s"))
        if found
        else None
    )
    if found is None or unit is None:
        raise NotMeant
    return str(int(found[1]) * unit)


def minutes_of(said: str, book: PhraseBook) -> str:
    """A span of time such as "two weeks", in minutes. Raises NotMeant for anything else."""
    number, _, unit = said.partition(" ")
    count = book.numbers.get(number.casefold()) or (int(number) if re.fullmatch(r"\d{1,5}", number) else 0)
    minutes = book.spans.get(unit.strip().casefold())
    if not count or not minutes:
        raise NotMeant
    return str(count * minutes)


def ordinal_of(said: str, book: PhraseBook) -> str:
    """Which one of several: the third, 3rd, 3. Raises NotMeant for anything else."""
    number = book.ordinals.get(said.casefold())
    counted = re.fullmatch(r"(\d{1,6})(?:st|nd|rd|th|\.)?", said)
    if number is None and counted is None:
        raise NotMeant
    return str(number or int(counted[1] if counted else 0))


def number_of(said: str, book: PhraseBook) -> str:
    """A number in figures. Raises NotMeant for anything else."""
    number = book.numbers.get(said.casefold())
    if number is None and not re.fullmatch(r"\d{1,6}", said):
        raise NotMeant
    return str(number or int(said))


def known_word(said: str, words: Mapping[str, str]) -> str:
    """What a word of the phrase book stands for. Raises NotMeant for an unknown one."""
    if said.casefold() not in words:
        raise NotMeant
    return words[said.casefold()]
