"""Runs every check, that of installed plug-ins among them, and prints the findings."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from desktop_agent import __version__
from desktop_agent.doctor import machine, models
from desktop_agent.doctor.check import Check
from desktop_agent.redaction.redactor import redactor
from desktop_agent.startup.installation import known_system
from desktop_agent.support import child_command, plugins
from desktop_agent.support.operating_system import LINUX, WINDOWS
from desktop_agent.support.plugins import FAMILIES, FamilyName, Plugin
from desktop_agent.support.terminal_text import json_safe, one_line

_FAMILIES: tuple[FamilyName, ...] = ("target", "strategy", "dialect", "environment")


def examine(config: str | None, deep: bool = False) -> tuple[Check, ...]:
    """Every finding, in the order of the report; with `deep` also those that take mouse and keyboard."""
    settings, config_check = machine.config_file(config)
    parts: dict[str, Callable[[], Sequence[Check]]] = {
        "machine": machine.checks,
        "desktop": _desktop,
        "models": partial(models.checks, settings),
        "installed plug-ins": plugin_checks,
        "config file": lambda: [config_check],
        "folders": machine.folders,
        "earlier runs": _earlier_runs,
        **({"deep": _deep} if deep else {}),
    }
    return tuple(check for name, part in parts.items() for check in _found(name, part))


def _earlier_runs() -> Sequence[Check]:
    """What runs that were killed had left pressed or changed; it is put right."""
    from desktop_agent.hand.left_over import clean_up_left_over

    return [Check("earlier runs", "ok", clean_up_left_over() or "nothing is left of them")]


def _desktop() -> Sequence[Check]:
    """What seeing and acting need on this system."""
    if WINDOWS:
        from desktop_agent.doctor.windows_desktop import checks as windows_checks

        return windows_checks()
    if LINUX:
        from desktop_agent.doctor.x11_desktop import checks as x11_checks

        return x11_checks()
    from desktop_agent.doctor import check

    return check.checks()


def _deep() -> Sequence[Check]:
    from desktop_agent.doctor.deep import run as deep  # what it imports belongs to the window and the hand

    return deep.checks()


def _found(name: str, part: Callable[[], Sequence[Check]]) -> Sequence[Check]:
    try:
        return part()
    except Exception as error:  # noqa: BLE001  # loop boundary: whatever a broken part raises is a finding
        words = f"looking at it failed: {type(error).__name__}: {error}"
        return [Check(name, "broken", words, child_command.set_up_again(), needed=True)]


def show(checks: Sequence[Check], json: bool) -> None:
    """Print the findings for people, or as one JSON object."""
    checks = redactor().scrub(checks)
    if json:
        found = {"version": __version__, "system": _system(), "checks": checks}
        print(json_safe(msgspec.json.format(msgspec.json.encode(found), indent=2).decode()))
        return
    print(f"desktop-agent {__version__} on {_system()}\n")
    width = max(len(check.name) for check in checks)
    for check in checks:
        print(f"  {check.state:8} {check.name:{width}}  {one_line(check.detail)}")
        if check.state != "ok" and check.mend:
            print(f"  {'':8} {'':{width}}  → {one_line(check.mend)}")
    print(f"\n{_verdict(checks)}")


def _verdict(checks: Sequence[Check]) -> str:
    lacking = [check.name for check in checks if check.needed and check.state != "ok"]
    if lacking:
        return f"Not ready: mend {', '.join(lacking)} first."
    return "Ready: the agent can see and act here."


def _system() -> str:
    if LINUX:
        try:
            return platform.freedesktop_os_release()["PRETTY_NAME"]
        except (OSError, KeyError):
            pass
    return f"{known_system.name()} {platform.release()}"


# Models have checks of their own (doctor/models.py).
def plugin_checks() -> Sequence[Check]:
    """One finding for each installed target, dialect and environment."""
    return [_check(family, each) for family in _FAMILIES for each in plugins.discover(family) if each.package]


def _check(family: FamilyName, plugin: Plugin) -> Check:
    title = f"{FAMILIES[family].word}: {plugin.name}"
    if plugin.module is None:
        return Check(f"{title} of {plugin.package}", "broken", plugin.problem, "Mend or remove that package.")
    return Check(title, "ok", f"from {plugin.package}")
