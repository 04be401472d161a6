"""The plug-ins of a family as parameters of a test, and what was once said in each dialect."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from desktop_agent.support import plugins
from desktop_agent.support.plugins import FamilyName
from tests.project_copy import ROOT

RECORDED = ROOT / "tests" / "protocol" / "recorded"


SLOW = frozenset({"container"})
"""Plug-ins that start an engine: left to `./test all`."""


def each_of(family: FamilyName) -> Callable[[Any], Any]:
    """Runs a test with the arguments `name` and `module` for every plug-in of the family that can be used."""
    found = [(each.name, each.module) for each in plugins.discover(family) if each.module is not None]
    cases = [pytest.param(*each, id=each[0], marks=[pytest.mark.slow] * (each[0] in SLOW)) for each in found]
    return pytest.mark.parametrize(("name", "module"), cases)


def refuses_unknown_options(module: ModuleType) -> None:
    """The options are typed, have defaults and refuse a name that is none of theirs."""
    assert issubclass(module.Options, msgspec.Struct)
    assert msgspec.convert({}, module.Options, strict=True) == module.Options()
    with pytest.raises(msgspec.ValidationError, match="nonsense"):
        msgspec.convert({"nonsense": 1}, module.Options, strict=True)


def recorded(dialect: str) -> list[tuple[str, str]]:
    """(version, text) of every reply that was recorded in a dialect: JSON's stand as they are, others as strings."""
    folder = RECORDED if dialect == "json" else RECORDED / dialect
    lines = [
        (path.stem, line)
        for path in sorted(folder.glob("v*.jsonl"))
        for line in Path(path).read_text(encoding="utf-8").splitlines()
    ]
    return lines if dialect == "json" else [(version, json.loads(line)) for version, line in lines]
