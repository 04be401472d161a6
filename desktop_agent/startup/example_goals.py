"""Example goals that work with what is chosen and installed, from assets/examples/goals.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.permission import Level
from desktop_agent.support import resources
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import HasPrograms, programs_of

MOST = 3
"""Examples that are shown."""
_NUMBERED = 100


class GoalEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A goal; `opens` is the program that it needs, `makes` what it makes in the home folder, `looks`: it only looks."""

    words: str
    opens: str = ""
    makes: str = ""
    looks: bool = False


class GoalTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The examples, the best first."""

    goal: tuple[GoalEntry, ...]


def example_goals(target: Target, permission: Level, offline: bool) -> tuple[str, ...]:
    """At most MOST goals that can be reached on this target; asks it for programs and files, and starts nothing.

    Raises ConfigError for a broken table.
    """
    only_looks = permission == "simulation_only"
    if only_looks and offline:
        return ()  # it answers questions about names it is given, which no example can know
    wanted = (each for each in goal_table().goal if each.looks == only_looks)
    return tuple(words for _, words in zip(range(MOST), _possible(wanted, programs_of(target)), strict=False))


@cache
def goal_table() -> GoalTable:
    """The table. Raises ConfigError."""
    try:
        return msgspec.convert(tomllib.loads(resources.text("examples", "goals.toml")), GoalTable)
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"The table of example goals cannot be read: {error}.", "Install the program again."
        ) from error


def _possible(goals: Iterator[GoalEntry], programs: HasPrograms) -> Iterator[str]:
    for each in goals:
        if not each.opens or programs.program_for(each.opens):
            yield each.words.format(makes=_free_name(programs.home(), each.makes))


def _free_name(folder: Path, name: str) -> str:
    """The name, with a number before its ending where the folder has it already."""
    path = Path(name)
    names = (name, *(f"{path.stem}{n}{path.suffix}" for n in range(2, _NUMBERED)))
    return next((each for each in names if not (folder / each).exists()), name)
