"""Tests whether an operation reaches a file that needs a yes, or one that is never touched.

Every test takes what is judged and returns the reason for people, "" when it does not apply.
"""

from __future__ import annotations

from typing import Protocol

from desktop_agent.agent.policy.place import Place

_DOES = {
    "write": "This would write", "open": "This opens", "leave": "This gives away", "delete": "This removes or renames",
}  # fmt: skip


class AtPlace(Protocol):
    """What is judged, as far as these tests ask."""

    @property
    def place(self) -> Place: ...


def own_file(case: AtPlace) -> str:
    """A change to our own settings, records, logs or program, or giving them away: never, at no level."""
    file = case.place.file
    if file is None or not file.own or file.action == "open":
        return ""
    return f"{_DOES[file.action]} {file.path}, which is {file.why}; I never do that."


def protected_file(case: AtPlace) -> str:
    """A file that something reads at start, carries out or trusts, or one that cannot be told."""
    file = case.place.file
    if file is None:
        return ""
    if file.why:
        return f"{_DOES[file.action]} {file.path}, which is {file.why}."
    if file.unknown:
        shown = f" {file.path}" if file.path else ""
        return f"{_DOES[file.action]}{shown or ' a file'}, but where that really is cannot be told: {file.unknown}"
    return ""


def overwriting(case: AtPlace) -> str:
    """A file that is there, was not made by this run and that the user's words do not name."""
    file = case.place.file
    if file is None or file.action != "write" or not file.overwrites or file.named:
        return ""
    return f"This replaces what is in {file.path}, which you have not named."


def leaving(case: AtPlace) -> str:
    """A file that the user's words do not name leaves its folder: an upload, an attachment, a drop into a page."""
    file = case.place.file
    if file is None or file.action != "leave" or file.named or file.unknown:
        return ""
    receiver = case.place.origin or case.place.application or case.place.program or "another program"
    return f"This gives {file.path}, which you have not named, to {receiver}."
