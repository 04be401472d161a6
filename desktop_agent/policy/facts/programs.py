"""Tells what kind of program a window belongs to: terminal, run dialog, file manager, browser, lock screen …"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, TypeAlias

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.confusables import fold

ProgramKind: TypeAlias = Literal[
    "terminals", "run_dialogs", "file_managers", "browsers", "authentication_agents", "lock_screens", "launchers"
]  # fmt: skip
"""A list of `assets/policy/programs.toml`."""

FILE_MANAGERS: ProgramKind = "file_managers"
BROWSERS: ProgramKind = "browsers"
LOCKS: ProgramKind = "lock_screens"
LAUNCHERS: ProgramKind = "launchers"
"""Panels, docks and window managers, whose menus start programs."""


def is_one_of(kind: ProgramKind, *names: str) -> bool:
    """Is one of the names (a window's class, a program's file name) that of a program of this kind?"""
    known = _names(kind)
    return any(_base(name) in known for name in names if name)


def is_terminal(*names: str) -> bool:
    """Is one of the names (as for `is_one_of`) that of a terminal?"""
    return is_one_of("terminals", *names)


def is_run_dialog(title: str, *names: str) -> bool:
    """Is it a run dialog, by its program or its whole title?"""
    return is_one_of("run_dialogs", *names) or fold(title) in _titles("run_dialog_titles")


def is_guard(title: str, *names: str) -> bool:
    """Is it an authentication agent, which asks for a password or for rights, by its program or its whole title?"""
    return is_one_of("authentication_agents", *names) or fold(title) in _titles("authentication_titles")


def is_program_file(name: str) -> bool:
    """Is it the name of a file that is carried out when it is opened?"""
    return fold(name).endswith(policy_tables.programs().program_files)


def may_mean_terminal(what: str) -> bool:
    """May this name of an application mean a terminal?"""
    return is_terminal(what) or _terminal_pattern().search(fold(what)) is not None


@cache
def _names(kind: ProgramKind) -> frozenset[str]:
    return frozenset(getattr(policy_tables.programs(), kind))


@cache
def _titles(field: Literal["run_dialog_titles", "authentication_titles"]) -> frozenset[str]:
    return frozenset(map(fold, getattr(policy_tables.programs(), field)))


@cache
def _terminal_pattern() -> re.Pattern[str]:
    table = policy_tables.programs()
    parts = (re.escape(fold(part)) for part in table.terminal_parts)
    words = (rf"\b{re.escape(fold(word))}\b" for word in table.terminal_words)
    return re.compile("|".join((*parts, *words)))


def _base(name: str) -> str:
    return name.strip().casefold().removesuffix(".exe").removesuffix(" (deleted)")


def names_file_or_address(what: str) -> bool:
    """Is it, for `open`, a path, an address or a file's name rather than an application?"""
    name = what.strip()
    if name.startswith(("/", "~", ".", "\\")) or "/" in name or "://" in name:
        return True
    return (
        re.match(r"(?i)www\.|[a-z][a-z0-9+.-]*:", name) is not None
        or re.search(r"\.\w{1,12}$", name) is not None
    )
