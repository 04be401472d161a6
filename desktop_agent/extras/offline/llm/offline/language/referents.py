"""What the slots of a clause stand for, given what was spoken of before: the file, the folder, the thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from desktop_agent.extras.offline.llm.offline.intents import (
    Intent,
    Phrase,
)
from desktop_agent.extras.offline.llm.offline.language.said import FileSaid, Reference
from desktop_agent.extras.offline.llm.offline.language.talk import Talk

Slots: TypeAlias = "dict[str, Any]"
Meaning: TypeAlias = "Callable[[Slots, Talk], tuple[Intent, ...] | None]"
EDITOR = "text editor"


def item_of(what: Any, talk: Talk) -> FileSaid | None:
    if isinstance(what, FileSaid):
        return what
    return talk.file


def folder_of(said: Any, talk: Talk) -> str | None:
    """The folder that is meant, "" when nothing was said, None when it cannot be told."""
    if said is None:
        return ""
    if isinstance(said, Reference):
        return talk.folder or None
    talk.folder = said
    return str(said)


def thing_of(what: Any, talk: Talk) -> Phrase | None:
    return talk.thing if isinstance(what, Reference) else what


def spoken_of(what: Any) -> str:
    return what.spoken or what.name if isinstance(what, Phrase) else str(what)
