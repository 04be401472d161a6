"""Tells what an operation touches, as a scope names it: an application, the origin of a page, or a folder."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from desktop_agent.agent.policy.place import Place
from desktop_agent.agent.policy.programs import BROWSERS, is_one_of

SubjectKind: TypeAlias = Literal["app", "site", "folder"]

UNKNOWN = "?"
"""What stands for an application or an origin that cannot be told: no grant covers it."""


class Subject(NamedTuple):
    """An application by its executable (`mousepad`), a page by its origin (`https://shop.example`), or a folder."""

    kind: SubjectKind
    what: str


def subject_of(place: Place) -> Subject:
    """What an operation at this place touches: the page when it is part of one, else the application."""
    browser = is_one_of(BROWSERS, place.application, place.program)
    if place.origin or (place.in_page and browser):
        return Subject("site", place.origin or UNKNOWN)
    return Subject("app", (place.program or place.application).casefold().removesuffix(".exe") or UNKNOWN)
