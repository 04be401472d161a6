"""The forms of an English verb: what is done, being done, was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["base", "third", "gerund", "participle"]
_VOWELS = "aeiou"


def forms(verb: str, irregular: Mapping[str, Sequence[str]]) -> tuple[tuple[str, Form], ...]:
    """Each form of a verb and what it is. An irregular one tells its participle, and its past where that differs."""
    pasts = irregular.get(verb) or _pasts(verb)
    return (
        (verb, "base"), (_third(verb), "third"), (_gerund(verb), "gerund"), *((past, "participle") for past in pasts)
    )  # fmt: skip


def _third(verb: str) -> str:
    if verb.endswith(("s", "x", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if _consonant_y(verb) else verb + "s"


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return _doubled(verb) + "ing"


def _pasts(verb: str) -> tuple[str, ...]:
    if verb.endswith("e"):
        return (verb + "d",)
    return (verb[:-1] + "ied",) if _consonant_y(verb) else (_doubled(verb) + "ed",)


def _consonant_y(verb: str) -> bool:
    return len(verb) > 1 and verb.endswith("y") and verb[-2] not in _VOWELS


def _doubled(verb: str) -> str:
    """ "drag" doubles its last letter, "open" and "show" do not."""
    short = (
        len(verb) > 2 and verb[-1] not in _VOWELS + "wxy" and verb[-2] in _VOWELS and verb[-3] not in _VOWELS
    )
    return verb + verb[-1] if short and sum(each in _VOWELS for each in verb) == 1 else verb
