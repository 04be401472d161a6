"""Requests in the words of what is in sight: “archive the report”, where there is one button Archive, and a report."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.intents import Click, Phrase, Unknown
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol.ops import MAX_CHOICES

_LITTLE = frozenset(
    ("the", "a", "an", "my", "this", "that", "it", "its", "them", "these", "those", "all", "of", "for", "me")
)
_LONGEST = 6


def command_in_sight(intent: Unknown, scene: Scene) -> Click | Unknown | None:
    """A click on the button that the words name, with every other word of them in sight; Unknown with all that do.

    None when there is no such button: nothing is done for words that are only like its name.
    """
    said = re.findall(r"[\w'-]+", intent.text.lower())
    if intent.why or not 1 < len(said) <= _LONGEST or not re.fullmatch(r"[\w' -]+[.!?]?", intent.text):
        return None
    verb, *about = (each for each in said if each not in _LITTLE)
    names = _named(verb, frozenset(said), scene)
    shown = all(any(_is_said(each, text) for text in scene.sight.words) for each in about)
    if not names or not shown:
        return None
    clicks = tuple(Click(Phrase(each, quoted=True, spoken=each)) for each in names[:MAX_CHOICES])
    if len(clicks) == 1:
        return clicks[0]
    why = f"“{intent.text}” may be {' or '.join(f'“{each}”' for each in names[:MAX_CHOICES])}. Which one?"
    return Unknown(intent.text, why, tuple((each,) for each in clicks))


def _named(verb: str, said: frozenset[str], scene: Scene) -> tuple[str, ...]:
    """Names of what can be pressed in sight that begin with the verb, and say nothing that was not said."""
    pressed = ROLES["button"] | ROLES["link"] | ROLES["menuitem"] | ROLES["tab"]
    names = {
        each.name: re.findall(r"[\w'-]+", each.name.lower())
        for each in scene.sight.front
        if each.role in pressed
    }
    fitting = {
        name: words for name, words in names.items() if words[:1] == [verb] and {*words} <= said | _LITTLE
    }
    most = max(map(len, fitting.values()), default=0)
    return tuple(sorted(name for name, words in fitting.items() if len(words) == most))


def _is_said(word: str, text: str) -> bool:
    """Does a text say the word, in one number or the other?"""
    return re.search(rf"\b{re.escape(word.removesuffix('s'))}", text, re.I) is not None
