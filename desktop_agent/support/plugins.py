"""Finds the plug-ins of the families: targets, wires, models, strategies, dialects, environments, commands, windows.

A plug-in is a module that defines what its family requires. It is found by its file name (without an
underscore in front) in the family's package or in the same package of an extra: `llm/openai.py` is the model
`openai`, and so would `extras/NAME/llm/openai.py` be. Or an installed package names it by an entry point in
the family's group, whose value is the module:

    [project.entry-points."desktop_agent.models"]
    mine = "my_package.my_model"

A model may be simpler than that: a class, an object or a module with `call` (llm/transport/call_model.py).
An installed plug-in that cannot be imported, lacks something, or has a name that is taken is never used;
`discover` lists it with the reason.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Literal, TypeAlias

from desktop_agent.protocol.errors import ConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

FamilyName: TypeAlias = Literal[
    "target", "wire", "llm", "strategy", "dialect", "environment", "command", "window"
]

EXTRAS = "desktop_agent.extras"
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Family:
    """One kind of plug-in: its word in messages, its package, its entry point group, what a module must define.

    `adapter` names a module whose `adapted(thing, name)` makes such a module of simpler things that an entry
    point may name instead; "" for none.
    """

    word: str
    package: str
    group: str
    required: tuple[str, ...] = ("Options", "create")
    adapter: str = ""


FAMILIES: dict[FamilyName, Family] = {
    "target": Family("target", "desktop_agent.targets", "desktop_agent.targets"),
    "wire": Family(
        "wire", "desktop_agent.wire", "desktop_agent.wires", required=("Options", "create", "reached")
    ),
    "llm": Family(
        "model",
        "desktop_agent.llm",
        "desktop_agent.models",
        adapter="desktop_agent.llm.transport.call_model",
    ),
    "strategy": Family("strategy", "desktop_agent.llm.strategies", "desktop_agent.strategies"),
    "dialect": Family(
        "dialect", "desktop_agent.protocol.dialects", "desktop_agent.dialects", ("parse", "prompt")
    ),
    "environment": Family("environment", "desktop_agent.tools", "desktop_agent.environments"),
    "window": Family("window", "desktop_agent.windows", "desktop_agent.windows", required=("create",)),
    "command": Family("sub-command", "desktop_agent.commands", "desktop_agent.commands", required=("main",)),
}
"""Keys are the names of the tables in config.toml, as in `[llm.openai]`; a sub-command and a window have none."""


@dataclass(frozen=True)
class Plugin:
    """One plug-in that was found. `package` is the installed package it comes from, "" for a built-in one.

    `problem` says why it is not used; `module` is None then.
    """

    name: str
    package: str
    module: ModuleType | None
    problem: str = ""


def load(family: FamilyName, name: str) -> ModuleType:
    """The module of the plug-in of that name.

    Raises ConfigError: naming the known ones when there is none, or with what is wrong with it.
    """
    module = find(family, name)
    if module is None:
        word = FAMILIES[family].word
        raise ConfigError(f"There is no {word} called {name!r}.", f"Known: {', '.join(names(family))}.")
    return module


def find(family: FamilyName, name: str) -> ModuleType | None:
    """The module of the plug-in of that name, None where there is none. Raises ConfigError: with what is wrong with it."""
    module = _built_in(family, name)  # first and alone: reading what is installed takes its time
    if module is not None:
        return module
    found = next((each for each in installed(family, {name}) if each.name == name), None)
    if found is not None and found.module is None:
        raise ConfigError(
            f"The {FAMILIES[family].word} {name!r} of {found.package} cannot be used: {found.problem}.",
            "Mend or remove that package.",
        )
    return found.module if found is not None else None


def names(family: FamilyName) -> tuple[str, ...]:
    """The names of all plug-ins of a family that can be used, sorted."""
    return tuple(each.name for each in discover(family) if each.module is not None)


def discover(family: FamilyName) -> tuple[Plugin, ...]:
    """Every plug-in of a family, sorted by name, also the installed ones that cannot be used."""
    return tuple(sorted((*built_in(family), *installed(family)), key=lambda each: (each.name, each.package)))


def built_in(family: FamilyName) -> tuple[Plugin, ...]:
    """The plug-ins that are part of this program."""
    made = ((name, _built_in(family, name)) for name in _file_names(family))
    return tuple(Plugin(name, "", module) for name, module in made if module is not None)


def extras() -> tuple[str, ...]:
    """The names of the extras that are there, sorted: the folders of `desktop_agent/extras`."""
    return tuple(sorted(_modules_in(EXTRAS)))


def _packages(family: FamilyName) -> Iterator[str]:
    """The packages a family's plug-ins lie in: the program's own, then that of each extra."""
    package = FAMILIES[family].package
    yield package
    yield from (f"{EXTRAS}.{extra}.{package.partition('.')[2]}" for extra in extras())


def _modules_in(package: str) -> set[str]:
    """The names of the modules in a package; none where there is no such package."""
    try:
        path = importlib.import_module(package).__path__
    except ModuleNotFoundError as error:
        if error.name is None or not f"{package}.".startswith(f"{error.name}."):
            raise
        return set()
    return {each.name for each in pkgutil.iter_modules(path)}


def _file_names(family: FamilyName) -> tuple[str, ...]:
    return tuple(sorted({name for package in _packages(family) for name in _modules_in(package)}))


def _built_in(family: FamilyName, name: str) -> ModuleType | None:
    """The module of that name in one of the family's packages; None when there is none or it is no plug-in."""
    if not _NAME.fullmatch(name):
        return None
    package = next((each for each in _packages(family) if name in _modules_in(each)), None)
    if package is None:
        return None
    module = importlib.import_module(f"{package}.{name}")
    return None if _lacking(family, module) else module


def package_of(family: FamilyName, name: str) -> str:
    """The installed package that brings a plug-in, with its version; "" for a built-in one or none. Imports nothing of it."""
    if name in _file_names(family):
        return ""
    from importlib import metadata  # slow to load

    points = metadata.entry_points(group=FAMILIES[family].group, name=name)
    return ", ".join(sorted(_package(each) for each in points))


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def installed(family: FamilyName, only: set[str] | None = None) -> tuple[Plugin, ...]:
    """What installed packages bring, also what cannot be used; of `only` these names, when given."""
    from importlib import metadata  # with the parts of `email` it needs, slow to load

    points = sorted(metadata.entry_points(group=FAMILIES[family].group), key=lambda each: each.name)
    taken = {each.name for each in points if [other.name for other in points].count(each.name) > 1}
    chosen = (each for each in points if only is None or each.name in only)
    return tuple(_of_package(family, each, taken) for each in chosen)


def _of_package(family: FamilyName, point: EntryPoint, taken: set[str]) -> Plugin:
    package = _package(point)
    problem, module = _name_problem(family, point.name, taken), None
    if not problem:
        module, problem = _imported(family, point)
    if problem:
        import logging  # not above: the guard loads this file and must be up at once

        logging.getLogger(__name__).warning(
            "the %s %r of %s is not used: %s", FAMILIES[family].word, point.name, package, problem
        )
    return Plugin(point.name, package, module, problem)


def _name_problem(family: FamilyName, name: str, taken: set[str]) -> str:
    if not _NAME.fullmatch(name):
        return "its name must be of small letters, digits and underscores"
    if name in _file_names(family):  # also where that is no plug-in: it may become one
        return "this name belongs to a part of the program, which no package may replace"
    return "several installed packages use this name" if name in taken else ""


def _imported(family: FamilyName, point: EntryPoint) -> tuple[ModuleType | None, str]:
    try:
        module = point.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - boundary: a foreign module may raise anything
        return None, f"importing {point.value} failed: {type(error).__name__}: {error}"
    if FAMILIES[family].adapter:
        module = importlib.import_module(FAMILIES[family].adapter).adapted(module, point.name)
    if not isinstance(module, ModuleType):
        return None, f"{point.value} is no module"
    lacking = _lacking(family, module)
    return (None, f"{point.value} does not define {lacking}") if lacking else (module, "")


def _lacking(family: FamilyName, module: ModuleType) -> str:
    return " and ".join(
        name for name in FAMILIES[family].required if not callable(getattr(module, name, None))
    )
