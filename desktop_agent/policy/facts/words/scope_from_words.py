"""Makes grants from the user's own words: what they name, what must be opened for it, and how far they go."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.place import DESKTOP, UNKNOWN, Place, program_name, subject_of
from desktop_agent.policy.facts.programs import BROWSERS, LAUNCHERS, is_one_of, is_terminal
from desktop_agent.policy.facts.scope import Grant, How
from desktop_agent.policy.facts.words.spoken_words import Spoken, mentioned, understand
from desktop_agent.support import paths
from desktop_agent.support.web_origin import ascii_host, origin_of

_EDGES = ".,;:!?\"'“”„«»()[]{}<>"
_ADDRESS = re.compile(r"(?i)https?://\S+")
_HOST = re.compile(r"(?i)(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_]{2,24}(?::\d{1,5})?(?=[/?#]|\Z)")
_FILE = re.compile(r"[^\s\"'<>|]*[^\W_]\.\w{1,5}\Z")
_FOLDER = re.compile(r"(?:~|/|[A-Za-z]:[\\/])[^\s\"'<>|]*\Z")
_BROWSER = "web browser"


class Programs(Protocol):
    """What is asked of a target."""

    def programs_named(self, words: str) -> frozenset[str]: ...
    def home(self) -> Path: ...


def grants_from(texts: Sequence[str], programs: Programs) -> tuple[Grant, ...]:
    """What all that the user has said grants together, in no order."""
    spoken = understand(tuple(texts))
    how = spoken.how
    words = "\n".join(texts)
    if how >= How.FILL and any(_FILE.match(token) for token in _tokens(words)):
        how = How.ACT  # what is put into a file has to be saved
    sites = tuple(dict.fromkeys(_origins(words, programs)))
    wanted = "\n".join((words, *_meant(words)))
    apps = {program_name(each) for each in programs.programs_named(wanted)}
    browsers = {program_name(each) for each in programs.programs_named(_BROWSER)} if sites else set[str]()
    return (
        *(Grant("app", each, How.ACT if each in browsers else how) for each in apps | browsers if each),
        *(Grant("site", each, _in_page(spoken)) for each in sites),
        *(Grant("folder", each, how) for each in dict.fromkeys(_paths(words, programs))),
    )


def grants_in_front(
    place: Place, texts: Sequence[str], programs: Programs | None = None
) -> tuple[Grant, ...]:
    """What was in front when the goal was given: “this page”, “the form”.

    `place` is the window, with the origin of its page when it shows one. A page gets no more than `fill`: what is
    pressed in it must be named. A terminal is not meant by having been the place where the agent was started. A panel or
    a window manager has the keyboard where no window is: the bare desktop is in front, and they are not meant. Where the words
    name a site, a page of another is not: it may only look like it; nor is an application, unless they say “here” or “this”.
    Where they spell the name of another application, a page in front is only looked at: its title may be that one's.
    """
    spoken = understand(tuple(texts))
    how = spoken.how
    app = program_name(place.program or place.application)
    if not (app or place.desktop) or place.own or place.foreign or is_terminal(app, place.application):
        return ()
    if place.desktop or is_one_of(LAUNCHERS, app, place.application):
        return (Grant("app", DESKTOP, how),)
    page = subject_of(place)
    sites = [each for text in texts for each in origins_named(text)]
    browser = is_one_of(BROWSERS, place.application, place.program)
    here = mentioned(policy_tables.scope_words().here, "\n".join(texts))
    if sites and not browser and not here:
        return ()
    shown = page.kind == "site" and page.what != UNKNOWN and _is_named(page.what, sites)
    elsewhere = not here and not sites and bool(_spelled(texts, programs) - {app})
    site = (Grant("site", page.what, How.LOOK if elsewhere else _in_page(spoken)),)
    return (Grant("app", app, how), *(site if shown and not (elsewhere and spoken.only_presses) else ()))


def _in_page(spoken: Spoken) -> How:
    """How far they go in a page, where what is pressed must be named: words that only press write nothing."""
    return How.LOOK if spoken.only_presses else min(spoken.how, How.FILL)


def _spelled(texts: Sequence[str], programs: Programs | None) -> set[str]:
    """The programs whose own names stand in the texts, and not only words for what they are."""
    if programs is None:
        return set()
    tokens = {token.casefold() for text in texts for token in _tokens(text)}
    return {
        name for each in programs.programs_named("\n".join(texts)) if (name := program_name(each)) in tokens
    }


def _is_named(origin: str, sites: Sequence[str]) -> bool:
    """Is the page in front the one that is meant? Where sites are named, it is one of them; `www.` counts as the same."""
    return not sites or origin.replace("://www.", "://", 1) in {
        each.replace("://www.", "://", 1) for each in sites
    }


def origins_named(text: str) -> tuple[str, ...]:
    """The origins that a text names: `https://shop.example:8443/x` one, `shop.example` those of https and http.

    An address with http and no port of its own names https as well, where servers lead to. No `www` is added.
    """
    found: list[str] = []
    for token in _tokens(text):
        if match := _ADDRESS.search(token):
            origin = origin_of(match[0].rstrip(_EDGES))
            secure = origin.replace("http://", "https://", 1)
            found += [origin, *([secure] if origin.count(":") == 1 else [])] if origin else []
        elif (match := _HOST.match(token)) and not is_file_name(token):
            host, _, port = match[0].partition(":")
            name = ascii_host(host)
            ending = f":{port}" if port else ""
            found += [
                each
                for scheme in ("https", "http")
                if name and (each := origin_of(f"{scheme}://{name}{ending}"))
            ]
    return tuple(dict.fromkeys(found))


def _origins(words: str, programs: Programs) -> Iterator[str]:
    """Of the addresses, and of the web pages among the files."""
    yield from origins_named(words)
    for token in _tokens(words):
        if re.search(r"(?i)\.x?html?\Z", token) and "://" not in token:
            path = token.replace("~", str(programs.home()), 1) if token.startswith("~") else token
            yield f"file://{path}" if path.startswith("/") else f"file://{programs.home() / path}"


def is_file_name(token: str) -> bool:
    """Is a bare word with a dot rather a file's name? A known ending, unless something only addresses have follows."""
    name, dot, ending = token.lower().rpartition(".")
    return bool(name and dot) and ending in _endings() and "/" not in token


@cache
def _endings() -> frozenset[str]:
    known = frozenset(each.lstrip(".") for each in (*mimetypes.types_map, *mimetypes.common_types))
    return known - {"com"} | {"md", "log", "ini", "cfg", "conf", "yml", "yaml", "toml", "csv", "rs", "go"}


def _meant(words: str) -> Iterator[str]:
    """The everyday names of what must be opened for what is spoken of."""
    for name, phrases in policy_tables.scope_words().means.items():
        if mentioned(phrases, words):
            yield name


def _paths(words: str, programs: Programs) -> Iterator[str]:
    """The folders and files that are named; a bare name is that of a file in these folders, else in the home folder."""
    home = programs.home()
    known = [
        kind for kind, phrases in policy_tables.scope_words().folders.items() if mentioned(phrases, words)
    ]
    yield from (str(paths.of_user(kind, str(home))) for kind in known)
    for token in _tokens(words):
        if _FOLDER.match(token) and ".." not in token and token not in ("/", "~", "~/"):
            yield str(home / token[2:] if token.startswith(("~/", "~\\")) else Path(token))
        elif not known and is_file_name(token) and "\\" not in token:
            yield str(home / token)


def _tokens(words: str) -> list[str]:
    return [token for each in words.split()[:2_000] if (token := each.strip(_EDGES))]
