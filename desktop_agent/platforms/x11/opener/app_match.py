"""Finds the installed application that a user means by an everyday name ("text editor", "calculator")."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from pathlib import PurePath

from desktop_agent.platforms.x11.opener.desktop_entries import Entry, split_exec
from desktop_agent.protocol.errors import Refused

# Everyday names of kinds of applications, and the categories of the freedesktop Menu Specification.
ROLES = {
    "TextEditor": ("text editor", "editor", "notepad", "notes"),
    "Calculator": ("calculator", "calc"),
    "FileManager": ("file manager", "files", "file browser", "file explorer", "explorer", "folders"),
    "WebBrowser": ("web browser", "browser", "internet", "internet browser"),
    "TerminalEmulator": ("terminal", "terminal emulator", "console", "shell", "command line", "command prompt"),
    "Email": ("mail", "email", "e-mail", "mail client", "email client"),
    "Spreadsheet": ("spreadsheet", "spreadsheets"),
    "WordProcessor": ("word processor", "writer"),
    "Presentation": ("presentation", "presentations", "slides"),
    "Viewer": ("image viewer", "photo viewer", "picture viewer", "pdf viewer", "document viewer"),
    "RasterGraphics": ("image editor", "paint", "drawing program"),
    "Player": ("music player", "video player", "media player"),
    "Monitor": ("task manager", "system monitor"),
    "Settings": ("settings", "control panel", "preferences"),
    "Calendar": ("calendar",),
}  # fmt: skip
# The MIME type whose default application fills a role.
ROLE_TYPES = {
    "TextEditor": "text/plain",
    "FileManager": "inode/directory",
    "WebBrowser": "x-scheme-handler/http",
    "Email": "x-scheme-handler/mailto",
}

CERTAIN = 80
"""From this score on a match is certain; below, several equal matches are refused as ambiguous."""

RESEMBLANCE = 0.85
"""Similarity of two names (difflib ratio) from which one counts as a misspelling of the other."""

_ARTICLES = re.compile(r"^(?:the|a|an|my|our) | (?:app|application|program|window)$")


def role_of(what: str) -> str | None:
    """The freedesktop category of an everyday name; None when it is no such name."""
    wanted = plain(what)
    return next((role for role, names in ROLES.items() if wanted in names), None)


def plain(what: str) -> str:
    """The name in lower case with single blanks, without article and a trailing "app" or "window"."""
    words = " ".join(what.casefold().split())
    return _ARTICLES.sub("", _ARTICLES.sub("", words))


def best(what: str, entries: Sequence[Entry], favourites: Sequence[str] = ()) -> Entry:
    """The best match; `favourites` are entry ids that win among equals.

    Raises Refused, with close candidates, when none fits or several fit equally without certainty.
    """
    scored = sorted(((score(what, entry), entry) for entry in entries), key=lambda s: -s[0])
    scored = [(points, entry) for points, entry in scored if points]
    if not scored:
        raise Refused(f"There is no application or file called {what!r} here.", _advice(what, entries))
    top = scored[0][0]
    equals = [entry for points, entry in scored if points == top]
    if top < CERTAIN and len(equals) > 1:
        names = ", ".join(sorted({entry.name for entry in equals})[:8])
        raise Refused(f"{what!r} could be several applications: {names}.", "Say which one by its name.")
    return min(equals, key=lambda e: (e.id not in favourites, e.terminal, len(e.name), e.id))


def score(what: str, entry: Entry) -> int:
    """How well an everyday name fits an application, up to 100; 0 when it does not."""
    wanted = plain(what)
    if not wanted:
        return 0
    words = set(wanted.split())
    names = [name.casefold() for name in entry.names]
    keywords = [word.casefold() for word in entry.words("Keywords")]
    described = " ".join([*names, *(g.casefold() for g in entry.generics), *keywords])
    rules = (
        (100, wanted in names),
        (98, wanted in programs_of(entry)),
        (90, wanted in (generic.casefold() for generic in entry.generics)),
        (85, role_of(what) in entry.words("Categories")),
        (CERTAIN, wanted in keywords),
        (70, words <= set(re.findall(r"\w+", names[0] if names else ""))),
        (60, len(wanted) >= 3 and any(_squeezed(wanted) in _squeezed(name) for name in names)),
        (
            57,
            _resembles(wanted, entry),
        ),  # before descriptions: Galculator fits "calculator" better than a program that also calculates
        (55, _describes(entry.fields.get("Comment", ""), wanted)),
        (50, words <= set(re.findall(r"\w+", described))),
        (40, any(_resembles(name, entry) for name in ROLES.get(role_of(what) or "", ()))),
    )
    return next((points for points, fits in rules if fits), 0)


def _describes(comment: str, wanted: str) -> bool:
    """True when the description has a word of the same stem ("calculations" for "calculator")."""
    stem = wanted[:-2]
    return (
        len(stem) >= 5
        and " " not in stem
        and re.search(rf"\b{re.escape(stem)}", comment.casefold()) is not None
    )


def programs_of(entry: Entry) -> set[str]:
    """Names of the program: the entry's id, the id's last part, and the command when it has no options."""
    identity = entry.id.removesuffix(".desktop").casefold()
    command = split_exec(entry.fields["Exec"])
    alone = all(word.startswith("%") for word in command[1:])
    return {identity, identity.rpartition(".")[2]} | (
        {PurePath(command[0]).name.casefold()} if alone else set()
    )


def _resembles(wanted: str, entry: Entry) -> bool:
    """True when a name is nearly the same: calculator and Galculator, fire fox and Firefox."""
    names = [*entry.names, *programs_of(entry)]
    return any(
        difflib.SequenceMatcher(None, wanted, name.casefold()).ratio() >= RESEMBLANCE for name in names
    )


def _squeezed(words: str) -> str:
    return re.sub(r"\W", "", words)


def _advice(what: str, entries: Sequence[Entry]) -> str:
    names = {entry.name.casefold(): entry.name for entry in entries}
    close = difflib.get_close_matches(
        plain(what), [w for name in names for w in (name, *name.split())], 3, 0.6
    )
    meant = sorted({entry.name for entry in entries for word in close if word in entry.name.casefold()})
    if meant:
        return f"Did you mean {' or '.join(meant)}?"
    return (
        f"Installed are: {', '.join(sorted(names.values())[:15])}."
        if names
        else "No application is installed."
    )
