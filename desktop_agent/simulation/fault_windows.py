"""The windows that faults bring up."""

from __future__ import annotations

import json

import msgspec

from desktop_agent.simulation.scene_file import ElementDescription
from desktop_agent.support import resources


def _read(name: str, **ids: str) -> ElementDescription:
    told = resources.text("simulation", "fault_windows.json")
    for placeholder, value in ids.items():
        told = told.replace(f"${placeholder}", value)
    return msgspec.convert(json.loads(told)[name], ElementDescription)


def update_dialog(window: str, button: str) -> ElementDescription:
    """A question of another program, which may be put off."""
    return _read("update", window=window, button=button)


def chat_window(window: str, field: str) -> ElementDescription:
    """A message that came in."""
    return _read("chat", window=window, field=field)


def crash_report(window: str) -> ElementDescription:
    """What stands there when a program has ended by itself."""
    return _read("crash", window=window)
