"""Puts an instruction's parts together: what spans several clauses, and words for what was read before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from desktop_agent.llm.offline import apps
from desktop_agent.llm.offline.intents import (
    Click,
    Compute,
    CopyText,
    Fill,
    FindOut,
    GoTo,
    Guess,
    Intent,
    OnCard,
    Open,
    Press,
    Read,
    Scroll,
    Solve,
    Submit,
    TypeText,
)
from desktop_agent.llm.offline.mail_words import mail
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked

_FIND_AND = re.compile(
    r"\b(?:find|locate|look for)\s+and\s+(?=(?:then\s+)?(?:click|press|open|select|choose|pick|tap|read|copy|delete|hit|drag)\b)",
    re.I,
)
_RUN_ON = re.compile(
    r"(?<=\w)\s+(?=(?:hit|press|click|tap|submit|type|enter)\s+(?:on\s+)?(?:the\s+)?[\w\x02])", re.I
)
_BREAK = re.compile(
    r"\.\s+|;\s*|\n|\s*,\s+(?:and\s+)?(?:then\s+)?|\s+and\s+then\s+|\s+then\s+|\s+and\s+", re.I
)
_SUBMITS = re.compile(r"submit|ok|okay|send|check|guess|enter|go|try", re.I)
_FOUND = FindOut | Solve | CopyText | Compute | Read

Parse = Callable[[Masked], tuple[Intent, ...]]


def simplified(masked: Masked) -> Masked:
    """Without words that say twice what is to be done: "find and click it" is to click it."""
    return Masked(_FIND_AND.sub("", masked.text), masked.quotes)


def about_mail(masked: Masked, parse: Parse) -> tuple[Intent, ...] | None:
    """What is to be done with somebody's message, after the way to the mail program; None when it is not about one."""
    whole = mail(masked.text, masked)
    if whole is None:
        return None
    for found in reversed(list(_BREAK.finditer(masked.text))):
        head, tail = masked.text[: found.start()], masked.text[found.end() :]
        rest = mail(tail, masked)
        way = parse(Masked(head, masked.quotes)) if rest is not None else ()
        if rest is not None and way and all(map(_leads_there, way)):
            return (*way, rest)
    return (whole,)


def _leads_there(intent: Intent) -> bool:
    """Is it a step on the way to the mails?"""
    if isinstance(intent, Open):
        return bool(apps.sort_of(intent.what))
    return isinstance(intent, GoTo | Fill | Submit | Press | TypeText)


def run_on(text: str) -> Iterator[tuple[str, str]]:
    """Ways to read words as two clauses that nothing divides: "… of the text hit submit"."""
    for found in reversed(list(_RUN_ON.finditer(text))):
        yield text[: found.start()], text[found.end() :]


def bind_results(intents: Iterable[Intent]) -> tuple[Intent, ...]:
    """ "… and type it into the box": it is what was found out before, if something was."""
    bound: list[Intent] = []
    for intent in intents:
        if isinstance(intent, TypeText) and intent.result and intent.text:
            known = any(isinstance(each, _FOUND) for each in bound)
            intent = msgspec.structs.replace(intent, text="" if known else intent.text, result=known)
        if bound and isinstance(bound[-1], Guess) and _sends(intent):
            continue  # a guess is sent each time
        entry = _of_entry(bound[-1], intent) if bound else None
        if entry is not None:
            bound[-1] = entry
            continue
        bound.append(intent)
    return tuple(bound)


def _of_entry(before: Intent, intent: Intent) -> OnCard | None:
    """ "Find Ada in the contact list and click her address": what belongs to an entry."""
    if not (isinstance(before, Scroll) and before.until and isinstance(intent, Click)):
        return None
    owned = re.match(r"(?:their|his|her|its)\s+(?P<name>.+)", intent.what.spoken, re.I)
    if not owned:
        return None
    owner = re.sub(r"\s+(?:in|on|from|among)\s+the\s+.+$", "", before.until, flags=re.I)
    return OnCard(phrase(owned["name"], Masked(owned["name"])), owner)


def _sends(intent: Intent) -> bool:
    named = isinstance(intent, Click) and bool(_SUBMITS.fullmatch(intent.what.name))
    return named or isinstance(intent, Submit)
