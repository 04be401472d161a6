"""Faults that a simulated desktop plays on demand: slow, flickering, moving, interrupted, crashing, lying programs."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, InputEvent, KeyDown, Text

if TYPE_CHECKING:
    from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop

import json

import msgspec

from desktop_agent.extras.avis.simulation.scene_file import ElementDescription
from desktop_agent.support import resources


class Fault:
    """Nothing goes wrong; each fault overrides what it changes."""

    name = ""

    def begin(self, desktop: SimulatedDesktop) -> None:
        """The desktop has been made."""

    def before_event(self, desktop: SimulatedDesktop, event: InputEvent) -> bool:
        """False for an event that is lost."""
        return True

    def after_event(self, desktop: SimulatedDesktop, event: InputEvent) -> None:
        """An event has been taken."""

    def before_look(self, desktop: SimulatedDesktop) -> None:
        """Somebody is about to look."""

    def shown(self, desktop: SimulatedDesktop, pieces: list[ScreenPiece]) -> list[ScreenPiece]:
        """What of the screen is seen."""
        return pieces

    def delay(self, desktop: SimulatedDesktop) -> float:
        """Seconds of the desktop's clock until what a rule says happens."""
        return 0.0

    def keeps(self, desktop: SimulatedDesktop, path: str) -> bool:
        """Does an effect on this path of the store really happen?"""
        return True


NO_FAULT = Fault()


class Slow(Fault):
    """Whatever a click sets off comes between half a second and two seconds later."""

    name = "slow"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a repeatable order, no secret

    def delay(self, desktop: SimulatedDesktop) -> float:
        return self._random.uniform(0.5, 2.0)


class Flicker(Fault):
    """A notice at the bottom blinks, another one at every look."""

    name = "flicker"

    def __init__(self, seed: int) -> None:
        self._looks = seed

    def before_look(self, desktop: SimulatedDesktop) -> None:
        self._looks += 1
        desktop.changed()

    def shown(self, desktop: SimulatedDesktop, pieces: list[ScreenPiece]) -> list[ScreenPiece]:
        screen = desktop.screen
        style = ("banner", "warning", "success")[self._looks % 3]
        place = Rect(screen.right - 260, screen.bottom - 34, 250, 28)
        notice = ScreenPiece(
            kind="label",
            rect=place,
            clip=screen,
            text="New offers for you!" if self._looks % 2 else "",
            style=style,
            indent=8,
        )
        return [*pieces[:-1], notice, pieces[-1]]


class Moving(Fault):
    """Something above loads late: with the second and fifth look after a press the front window stands elsewhere."""

    name = "moving"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a repeatable order, no secret
        self._looks = 0

    def after_event(self, desktop: SimulatedDesktop, event: InputEvent) -> None:
        if isinstance(event, ButtonUp):
            self._looks = 0

    def before_look(self, desktop: SimulatedDesktop) -> None:
        self._looks += 1
        front = desktop.front
        if front is None or self._looks not in (2, 5) or desktop.buttons:
            return
        place = desktop.layout.places[front.id]
        across, down = self._random.choice([(24, 0), (0, 24), (-24, 0), (16, 18)])
        screen = desktop.screen
        x = max(0, min(screen.right - place.width, place.x + across))
        y = max(0, min(screen.bottom - place.height, place.y + down))
        desktop.positions[front.id] = (x, y)
        desktop.changed()


class DialogPopsUp(Fault):
    """After the third and eighth press a dialog of another program stands in front and wants to be answered."""

    name = "dialog"
    ID, BUTTON = "fault_dialog", "fault_dialog_later"

    def __init__(self, seed: int) -> None:
        self._presses = 0
        self._at = (3 + seed % 2, 8)

    def begin(self, desktop: SimulatedDesktop) -> None:
        desktop.add_window(update_dialog(self.ID, self.BUTTON))

    def after_event(self, desktop: SimulatedDesktop, event: InputEvent) -> None:
        if isinstance(event, ButtonUp):
            self._presses += 1
            dialog = desktop.widgets[self.ID]
            if self._presses in self._at and not dialog.visible:
                desktop.open_window(dialog)


class WrongFocus(Fault):
    """A chat takes the keyboard once, in the midst of the first text that is typed into something else."""

    name = "wrong focus"
    ID, FIELD = "fault_chat", "fault_chat_reply"

    def __init__(self, seed: int) -> None:
        self._after = 1 + seed % 2
        self._texts = 0

    def begin(self, desktop: SimulatedDesktop) -> None:
        desktop.add_window(chat_window(self.ID, self.FIELD))

    def before_event(self, desktop: SimulatedDesktop, event: InputEvent) -> bool:
        if isinstance(event, Text) or (isinstance(event, KeyDown) and len(event.key) == 1):
            self._texts += 1
            if self._texts == self._after + 1:
                desktop.open_window(desktop.widgets[self.ID])
                desktop.give_focus(desktop.widgets[self.FIELD])
        return True


class Crash(Fault):
    """With the fourth press the program that is worked in is gone, and a report of its crash stands there."""

    name = "crash"
    ID = "fault_crash"

    def __init__(self, seed: int) -> None:
        self._presses = 0
        self._at = 4 + seed % 3

    def begin(self, desktop: SimulatedDesktop) -> None:
        desktop.add_window(crash_report(self.ID))

    def after_event(self, desktop: SimulatedDesktop, event: InputEvent) -> None:
        if not isinstance(event, ButtonDown):
            return
        self._presses += 1
        if self._presses == self._at:
            for each in desktop.windows:
                each.visible = False
            desktop.open_window(desktop.widgets[self.ID])


class Lying(Fault):
    """The program tells that it did what it was asked for, and did not: nothing that is pressed reaches the store.

    What a box or a list itself shows is so.
    """

    name = "lying"

    def keeps(self, desktop: SimulatedDesktop, path: str) -> bool:
        if desktop.cause == "change":
            return True
        paths = desktop.scene.faults.lying
        return bool(paths) and path.split(".")[0] not in {each.split(".")[0] for each in paths}


_SEEDED: dict[str, Callable[[int], Fault]] = {
    "slow": Slow,
    "flicker": Flicker,
    "moving": Moving,
    "dialog": DialogPopsUp,
    "wrong focus": WrongFocus,
    "crash": Crash,
    "lying": lambda seed: Lying(),
}
FAULTS = tuple(_SEEDED)


def make_fault(name: str, seed: int = 0) -> Fault:
    """The fault with this name of FAULTS, or "" for none. Raises ConfigError."""
    if not name:
        return NO_FAULT
    if name not in _SEEDED:
        raise ConfigError(f"There is no fault {name!r}.", f"Choose one of {', '.join(FAULTS)}.")
    return _SEEDED[name](seed)


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
