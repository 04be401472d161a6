"""What "it", "that" and "there" mean: the thing that was named last, the folder that was made before."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from desktop_agent.llm.offline.intents import (
    Check,
    Clear,
    Click,
    CreateFolder,
    Focus,
    GoTo,
    Hover,
    Intent,
    Phrase,
    Read,
    Save,
    Scroll,
    WaitFor,
)
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked

_THERE = frozenset(("it", "there", "that", "that folder", "this folder", "the new folder", "the folder"))
_PRONOUN = frozenset(("it", "that", "this", "them", "that one", "this one", "one"))


def bind_pronouns(intents: Iterable[Intent]) -> tuple[Intent, ...]:
    """ "Find the Login button and click it": "it" is what was named last; a folder "in it" is in the one just made."""
    bound: list[Intent] = []
    last: Phrase | None = None
    for intent in intents:
        what = _what(intent)
        if what is not None and what.name.lower() in _PRONOUN and last is not None and not what.quoted:
            intent = msgspec.structs.replace(intent, what=last)
        elif what is not None and what.spoken:
            last = what
        elif isinstance(intent, CreateFolder | Save) and intent.folder.lower() in _THERE:
            intent = msgspec.structs.replace(intent, folder=_folder_before(bound))
        bound.append(intent)
    return tuple(bound)


def _folder_before(bound: list[Intent]) -> str:
    for intent in reversed(bound):
        if isinstance(intent, CreateFolder):
            return f"{intent.folder}/{intent.name}" if intent.folder else intent.name
        if isinstance(intent, GoTo):
            return intent.address
    return ""


def _what(intent: Intent) -> Phrase | None:
    if isinstance(intent, Click | Check | Hover | Focus | Read | Clear):
        return intent.what
    if isinstance(intent, Scroll | WaitFor):
        seen = intent.until if isinstance(intent, Scroll) else intent.text
        return phrase(seen, Masked(seen)) if seen else None
    return None
