"""Tells what an operation touches, as a scope names it: an application, the origin of a page, or a folder."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.programs import BROWSERS, is_one_of

SubjectKind: TypeAlias = Literal["app", "site", "folder"]

UNKNOWN = "?"
"""What stands for an application or an origin that cannot be told: no grant covers it."""


class Subject(NamedTuple):
    """An application by its executable (`mousepad`), a page by its origin (`https://shop.example`), or a folder."""

    kind: SubjectKind
    what: str


_ENDS = (".exe", ".bin", "-bin", ".real", ".wrapped")
DESKTOP = "desktop"
"""What stands for the background, where there is no window."""


def program_name(name: str) -> str:
    """A program's file name as scopes compare it: in lower case, without `.exe` and the ends that wrappers add."""
    plain = name.strip().casefold().removesuffix(" (deleted)")
    for end in _ENDS:
        plain = plain.removesuffix(end)
    return plain


def subject_of(place: Place) -> Subject:
    """What an operation at this place touches: the page when it is part of one, else the application.

    Pages that an application shows as a part of itself (`vscode-file://…`, a mail's text) are that application.
    """
    browser = is_one_of(BROWSERS, place.application, place.program)
    if place.in_page and (browser or place.origin.startswith(("http://", "https://"))):
        return Subject("site", place.origin or UNKNOWN)
    if place.desktop:
        return Subject("app", DESKTOP)
    return Subject("app", program_name(place.program or place.application) or UNKNOWN)
