"""The plug-ins that installed packages bring: which are used, and why the others are not.

Models have checks of their own (doctor/models.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.doctor.check import Check
from desktop_agent.support import plugins
from desktop_agent.support.plugins import FAMILIES, FamilyName, Plugin

_FAMILIES: tuple[FamilyName, ...] = ("target", "strategy", "dialect", "environment")


def checks() -> Sequence[Check]:
    """One finding for each installed target, dialect and environment."""
    return [_check(family, each) for family in _FAMILIES for each in plugins.discover(family) if each.package]


def _check(family: FamilyName, plugin: Plugin) -> Check:
    title = f"{FAMILIES[family].word}: {plugin.name}"
    if plugin.module is None:
        return Check(f"{title} of {plugin.package}", "broken", plugin.problem, "Mend or remove that package.")
    return Check(title, "ok", f"from {plugin.package}")
