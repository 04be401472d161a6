"""Puts an instruction's parts together: what spans several clauses, and words for what was read before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from desktop_agent.llm.offline.intents import Click, Compute, CopyText, Intent, Read, Scroll, TypeText
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked

_FIND_AND = re.compile(
    r"\b(?:find|locate|look for)\s+and\s+(?=(?:then\s+)?(?:click|press|open|select|choose|pick|tap|read|copy|delete|hit|drag)\b)",
    re.I,
)
_RUN_ON = re.compile(
    r"(?<=\w)\s+(?=(?:hit|press|click|tap|submit|type|enter)\s+(?:on\s+)?(?:the\s+)?[\w\x02])", re.I
)
_FOUND = CopyText | Compute | Read


def simplified(masked: Masked) -> Masked:
    """Without words that say twice what is to be done: "find and click it" is to click it."""
    return Masked(_FIND_AND.sub("", masked.text), masked.quotes)


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
        bound.append(_of_entry(bound[-1], intent) if bound else intent)
    return tuple(bound)


def _of_entry(before: Intent, intent: Intent) -> Intent:
    """ "Find Ada in the contact list and click her address": the address beside Ada is meant."""
    if not (isinstance(before, Scroll) and before.until and isinstance(intent, Click)):
        return intent
    owned = re.match(r"(?:their|his|her|its)\s+(?P<name>.+)", intent.what.spoken, re.I)
    if not owned:
        return intent
    owner = re.sub(r"\s+(?:in|on|from|among)\s+the\s+.+$", "", before.until, flags=re.I)
    named = phrase(owned["name"], Masked(owned["name"]))
    return msgspec.structs.replace(intent, what=msgspec.structs.replace(named, near=owner, side="near"))
