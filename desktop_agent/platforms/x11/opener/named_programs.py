"""Finds the programs that a user's words name: for certain, not by likeness, as a grant rests on it."""

from __future__ import annotations

import mimetypes
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from desktop_agent.platforms.x11.opener import app_match
from desktop_agent.platforms.x11.opener.desktop_entries import Entry
from desktop_agent.platforms.x11.opener.opener import BROWSER_TYPE, X11Opener
from desktop_agent.protocol.errors import Refused

_LONGEST = 4
"""Words of the longest name that is looked for."""
_MOST_WORDS = 2_000
_NAMED = 85
"""From this score on an application is called so; below, the words only occur in what is said about it."""
_RUNNERS = re.compile(r"(?:env|sh|bash|dash|flatpak|snap|wine|java|gjs|node|electron|perl|python)[\d.]*\Z")
"""Programs that run others: to grant one of them would grant all of those."""
_FILE = re.compile(r"[^\s\"'<>|]+\.\w{1,5}\Z")
_ADDRESS = re.compile(r"(?i)(https?://|www\.)\S")
_EDGES = ".,;:!?\"'“”„«»()[]{}<>"


def in_words(words: str, opener: X11Opener) -> frozenset[str]:
    """File names of the programs that these words name, and of those that open the files and addresses in them."""
    found: set[str] = set()
    for entry in _entries(words, opener):
        found |= _programs(entry)
    return frozenset(found)


def _entries(words: str, opener: X11Opener) -> Iterator[Entry]:
    apps = opener.applications()
    tokens = [token.strip(_EDGES) for token in words.split()[:_MOST_WORDS]]
    types = dict.fromkeys(mime for token in tokens if (mime := _type_of(token)))
    yield from (entry for mime in types if (entry := opener.handler(mime)) is not None)
    known = {name for app in apps for name in _names(app)}
    known |= {name for names in app_match.ROLES.values() for name in names}
    for what in dict.fromkeys(_phrases(tokens)):
        if what in known and (entry := _best(what, apps, opener)) is not None:
            yield entry


def _phrases(tokens: Sequence[str]) -> Iterator[str]:
    folded = [token.casefold() for token in tokens]
    for size in range(_LONGEST, 0, -1):
        for at in range(len(folded) - size + 1):
            yield " ".join(folded[at : at + size])


def _names(entry: Entry) -> Iterator[str]:
    yield from (name.casefold() for name in (*entry.names, *entry.generics))
    yield from app_match.programs_of(entry)


def _best(what: str, apps: Sequence[Entry], opener: X11Opener) -> Entry | None:
    try:
        entry = app_match.best(what, apps, opener.favourites(what))
    except Refused:
        return None
    everyday = app_match.role_of(what) is not None  # then it is what `open` of that name starts
    return entry if everyday or app_match.score(what, entry) >= _NAMED else None


def _type_of(token: str) -> str:
    """The MIME type of the file or address that a word names, "" when it names none."""
    if _ADDRESS.match(token):
        return BROWSER_TYPE
    named = mimetypes.guess_type(token)[0] if _FILE.match(token) else None
    return "" if named is None or named == "application/x-msdos-program" else named


def _programs(entry: Entry) -> set[str]:
    """The file name it is started by, and the one behind it when that is a link."""
    command = entry.argv()[0]
    where = shutil.which(command)
    names = {Path(command).name} | ({Path(where).resolve().name} if where else set())
    return {name for name in names if not _RUNNERS.match(name)}
