"""The program as its user meets it on Windows: the same scenarios for the source and for the .exe."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from installer.windows_check import doctor, kills, scenes
from installer.windows_check.app import Lab, lab
from installer.windows_check.machine import Machine
from installer.windows_check.outcome import Broken, Outcome

Scenes = tuple[tuple[str, Callable[[Lab], str]], ...]
SCENARIOS: Scenes = (
    ("window up, docked right, on top", scenes.window_up),
    ("mixed text through the window", scenes.text_through_window),
    ("mixed text without a window", scenes.text_without_window),
    ("Esc mid-typing", scenes.escape_while_typing),
    ("brain killed", kills.brain_killed),
    ("hand killed", kills.hand_killed),
    ("guard killed", kills.guard_killed),
    ("log-off while holding", kills.logged_off),
    ("second start", scenes.second_start),
    ("folders and log", scenes.folders),
    ("doctor --deep, and a stored key", doctor.deep),
    ("closed by its user", scenes.clean_exit),
)
"""Name and scene; a scene returns what was seen, in words, and raises Broken when it was not as it should be."""
IN_ONE_FILE = frozenset((
    "window up, docked right, on top", "brain killed", "hand killed", "guard killed", "log-off while holding",
    "second start", "closed by its user",
))  # fmt: skip
"""What a program can do otherwise that unpacks itself and runs as its own child; the rest is the folder's code."""


def scenarios(
    machine: Machine, program: Sequence[str], name: str, played: Scenes = SCENARIOS
) -> Iterator[Outcome]:
    """Play one after the other with `program` (its command), called `name`; one that fails does not end the others."""
    with lab(machine, program, name) as place:
        for title, scene in played:
            yield _play(place, title, scene)


def in_one_file() -> Scenes:
    """Those of IN_ONE_FILE, in their order."""
    return tuple(each for each in SCENARIOS if each[0] in IN_ONE_FILE)


def _play(place: Lab, title: str, scene: Callable[[Lab], str]) -> Outcome:
    began, place.scene = time.monotonic(), title
    try:
        place.close_notepads()
        words, passed = scene(place), True
    except Broken as error:
        words, passed = str(error), False
        words += f" (see {scenes.picture(place, title).name})"
    except Exception as error:  # noqa: BLE001 - one broken scenario must not hide the others
        words, passed = f"{type(error).__name__}: {error}", False
    return Outcome(title, passed, words, time.monotonic() - began)
