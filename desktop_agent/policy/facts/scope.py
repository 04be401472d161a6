"""The scope of a run: the applications, origins and folders it may work in, and what it may do there."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import get_args
from urllib.parse import urlsplit

import msgspec

from desktop_agent.policy.facts.place import UNKNOWN, Subject, SubjectKind, program_name
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support.web_origin import origin_of

_FORM = "Write KIND:WHAT[:HOW], as in app:mousepad:act, site:https://shop.example:fill or folder:~/Documents."
_PROGRAM = re.compile(r"[^\s:/\\*?\"'|<>]+(?: [^\s:/\\*?\"'|<>]+)*\Z")
_KINDS: tuple[str, ...] = get_args(SubjectKind)
_ORDER = {kind: number for number, kind in enumerate(_KINDS)}


class How(enum.IntEnum):
    """What may be done in a place; each includes the ones before it."""

    LOOK = 1
    """Scroll, hover, follow a link within the origin."""
    FILL = 2
    """Type, choose, tick."""
    ACT = 3
    """Press, Enter, shortcuts, drag, drop."""


_WORDS = {How.LOOK: "look at", How.FILL: "type and choose in", How.ACT: "work in"}


class Grant(msgspec.Struct, frozen=True, order=False):
    """What may be done in one application, in the pages of one origin, or in one folder and all below it (or one file)."""

    kind: SubjectKind
    what: str
    how: How

    def __str__(self) -> str:
        """As it is written after `--allow` and in the config file."""
        return f"{self.kind}:{self.what}:{self.how.name.lower()}"

    @property
    def words(self) -> str:
        """For people: `work in pcmanfm`, `type and choose in https://shop.example`."""
        return f"{_WORDS[self.how]} {self.what}"

    def covers(self, subject: Subject, how: How) -> bool:
        """Does it allow this there? The subject that nobody can tell is covered by nothing."""
        if subject.kind != self.kind or how > self.how or subject.what == UNKNOWN:
            return False
        if self.kind == "folder":
            return PurePath(subject.what).is_relative_to(self.what)
        return subject.what == self.what


class Scope(msgspec.Struct, frozen=True):
    """What a run may do where. `everything`: there is no limit (level `full`)."""

    grants: tuple[Grant, ...] = ()
    everything: bool = False

    def covers(self, subject: Subject, how: How) -> bool:
        """May the run do this there without a question?"""
        return self.everything or any(grant.covers(subject, how) for grant in self.grants)

    def widened(self, *grants: Grant) -> Scope:
        """The scope with these as well; of two for the same place the wider stays."""
        wide = {(each.kind, each.what): each for each in self.grants}
        for each in grants:
            before = wide.get((each.kind, each.what))
            if before is None or before.how < each.how:
                wide[each.kind, each.what] = each
        ordered = sorted(wide.values(), key=lambda each: (_ORDER[each.kind], each.what))
        return msgspec.structs.replace(self, grants=tuple(ordered))

    @property
    def words(self) -> tuple[str, ...]:
        """One line for each kind of doing, for people: `Work in: mousepad, pcmanfm`."""
        if self.everything:
            return ("Work anywhere: the permission is full",)
        return tuple(
            f"{_WORDS[how].capitalize()}: {', '.join(each.what for each in self.grants if each.how == how)}"
            for how in sorted(How, reverse=True)
            if any(each.how == how for each in self.grants)
        )


EVERYTHING = Scope(everything=True)
"""No limit of a scope: the level alone decides."""


def parse_grant(text: str, home: PurePath) -> Grant:
    """A grant as it is written (`_FORM`); without HOW it is `act`. `home` is what `~` stands for. Raises ConfigError."""
    kind, _, rest = text.strip().partition(":")
    what, _, last = rest.rpartition(":")
    how = How.__members__.get(last.upper()) if what and last == last.lower() else None
    if how is None:
        what, how = rest, How.ACT
    what = what.strip()
    match kind:
        case _ if not what:
            raise ConfigError(f"{text!r} does not say what is allowed.", _FORM)
        case "app":
            return Grant("app", _program(text, what), how)
        case "site":
            return Grant("site", _origin(text, what), how)
        case "folder":
            return Grant("folder", _folder(text, what, home), how)
    raise ConfigError(f"{text!r}: {kind!r} is none of {', '.join(_KINDS)}.", _FORM)


def parse_grants(texts: Iterable[str], home: PurePath) -> tuple[Grant, ...]:
    """Several of them. Raises ConfigError."""
    return tuple(parse_grant(text, home) for text in texts)


def _program(text: str, what: str) -> str:
    if not _PROGRAM.match(what) or program_name(what) in ("", UNKNOWN):
        raise ConfigError(
            f"{text!r}: {what!r} is not the file name of a program.",
            "Name the program alone, without its folder and without patterns, as in app:mousepad.",
        )
    return program_name(what)


def _origin(text: str, what: str) -> str:
    """The origin; only what browsers keep apart by host is granted, or one file."""
    origin = origin_of(what)
    parts = urlsplit(what)
    bare = parts.scheme == "file" or (parts.path in ("", "/") and not parts.query and not parts.fragment)
    if not origin.startswith(("http://", "https://", "file:///")) or not bare:
        raise ConfigError(
            f"{text!r}: {what!r} is not an origin.",
            "Write scheme and host, and the port if it is a special one, as in site:https://shop.example.",
        )
    return origin


def _folder(text: str, what: str, home: PurePath) -> str:
    if what == "~" or what.startswith(("~/", "~\\")):
        what = str(home / what[2:])
    path = PurePath(what)
    if not path.is_absolute() or ".." in path.parts:
        raise ConfigError(
            f"{text!r}: {what!r} is not a whole path.", "Write it from / or ~, as in folder:~/Documents."
        )
    return str(path)
