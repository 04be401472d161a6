"""Tells which applications and pages the user's own words name, as a place for something to go to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from desktop_agent.agent.policy import policy_tables
from desktop_agent.agent.policy.subject import UNKNOWN, Subject

_POINTING = re.compile(
    r"\b(this|that|here|the (page|site|website|web ?site|form|field|box|window|document|dialog|text ?field|app)"
    r"|dies\w*|hier|die seite|das formular|das feld|cette|ici|la page|le formulaire|esta?|aquí|la página|el formulario)\b"
)
_TOO_GENERAL = frozenset((
    "www", "com", "org", "net", "html", "http", "https", "localhost", "mail", "app", "web", "test", "example", "the", "info",
    "home", "page", "shop", "site", "online", "blog", "news", "docs",
))  # fmt: skip


def named(words: Iterable[str], subject: Subject, front: Collection[Subject]) -> bool:
    """Do the user's words (as `literal` makes them) name this subject? `front` is what was in front when they were said."""
    said = "\n".join(words)
    if subject.what == UNKNOWN and subject not in front:
        return False
    if subject in front and _POINTING.search(said):
        return True
    names = _host_names(subject.what) if subject.kind == "site" else _program_names(subject.what)
    return any(_stands(name, said) for name in names)


def _host_names(origin: str) -> list[str]:
    """The host, with its port if it has one, and the parts of it that are words of their own."""
    address = origin.partition("://")[2] or origin
    host = address.partition(":")[0].removeprefix("www.")
    parts = [part for part in host.split(".")[:-1] if len(part) > 3 and part not in _TOO_GENERAL]
    return [host, address, *parts[-1:]]


def _program_names(program: str) -> list[str]:
    """The program's name, and the nouns for its kind."""
    nouns = policy_tables.execution().nouns
    return [program, *(noun for noun, parts in nouns.items() if any(part in program for part in parts))]


def _stands(name: str, said: str) -> bool:
    return bool(name) and re.search(rf"(?<![\w.@-]){re.escape(name)}(?![\w@-]|\.\w)", said) is not None
