"""All that a policy decides by: what is seen now, and what was done and answered for its intent so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from desktop_agent.extras.offline.llm.offline.moves import Act
from desktop_agent.extras.offline.llm.offline.sight import Sight, Usable
from desktop_agent.extras.offline.llm.offline.uncovered import free_spot
from desktop_agent.llm.base import MISSED, Deed
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.ops import Op
from desktop_agent.support import paths
from desktop_agent.vision.mapping.desktop_map import DesktopMap
from desktop_agent.vision.observation import Element, Observation

O = TypeVar("O", bound=Op)  # noqa: E741
_PATIENCE = (0.3, 0.5, 0.7, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0)
_ROLLED = 0.3
"""Seconds until the tree tells where things are after the wheel."""
_NO_SUCH_NAME = re.compile(r"no application (?:or file )?called|could be several applications")
_UNSETTLED = 3
_MISSES = 2
"""Clicks beside a thing after which one more is no better."""


@dataclass(frozen=True)
class Scene:
    """`deeds` are those of the current intent only; `since` is the turn it began in, `answers` the user's
    words to its questions, `result` what was worked out or read last; `windows_at` the windows' titles in earlier turns,
    `goal` the user's first words, `map` where things were seen before, `usable_before` what could be used when the run began;
    `memo` is for what a policy wants to remember from look to look, gone with the intent."""

    look: Observation
    operations: tuple[str, ...]
    turn: int
    since: int
    deeds: tuple[Deed, ...] = ()
    answers: tuple[str, ...] = ()
    answered: int = 0
    home: str = ""
    result: str = ""
    windows_at: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    memo: dict[str, str] = field(default_factory=dict)
    goal: str = ""
    map: DesktopMap | None = None
    usable_before: frozenset[Usable] = frozenset()

    @cached_property
    def sight(self) -> Sight:
        return Sight(self.look, self.usable_before)

    @property
    def answer(self) -> str:
        """The user's last words about this intent, "" when none were asked for."""
        return self.answers[-1] if self.answers else ""

    def can(self, operation: str) -> bool:
        return not self.operations or operation in self.operations

    @property
    def window_area(self) -> Rect | None:
        """Where the window with the keyboard is seen on the screen, its title included; None when that is not known."""
        if self.look.scene is None:
            return None
        own = next((each for each in self.look.scene.stack if each.id == self.look.scene.focus), None)
        areas = [each for each in own.areas if each.width > 100 and each.height > 60] if own else []
        return max(areas, key=lambda each: each.width * each.height, default=None)

    # ---- the past ----------------------------------------------------------------------------

    def done(self, kind: type[O], test: Callable[[O], bool] = lambda _: True) -> list[Deed]:
        """Deeds of a kind that were carried out for this intent, oldest first."""
        return [d for d in self.deeds if isinstance(d.op, kind) and d.outcome == "done" and test(d.op)]

    def clicks(self, name: str = "") -> list[Deed]:
        """Clicks that were carried out, on an element of that name if given (ids last for one look only).

        What was told at a wrong place and so missed is none of them: it is clicked once more, as a person does.
        """
        found = [
            d for d in self.deeds if isinstance(d.op, ops.ClickElement | ops.Click) and d.outcome == "done"
        ]
        if len({d.turn for d in found if d.detail == MISSED}) <= _MISSES:
            found = [d for d in found if d.detail != MISSED]
        return [
            d for d in found if not name or isinstance(d.op, ops.Click) or name.lower() in d.words.lower()
        ]

    def clicked_at(self, turn: int) -> bool:
        """Was something clicked for this intent in that turn or later?"""
        return any(deed.turn >= turn for deed in self.clicks())

    def refused(self, kind: type[O], test: Callable[[O], bool] = lambda _: True) -> Deed | None:
        """The last deed of a kind that did not come off."""
        found = [
            d
            for d in self.deeds
            if isinstance(d.op, kind) and d.outcome not in ("done", "skipped") and test(d.op)
        ]
        return found[-1] if found else None

    def forbidden(self, kind: type[Op]) -> bool:
        """Was the last one refused by a rule, not for its name? Then it is not tried in another way."""
        last = self.refused(kind)
        return last is not None and last.outcome == "refused" and not _NO_SUCH_NAME.search(last.detail)

    @property
    def mishap(self) -> Deed | None:
        """What went wrong in the turn before, if something did."""
        found = [d for d in self.deeds if d.turn == self.turn - 1 and d.outcome in ("refused", "failed")]
        return found[0] if found else None

    @property
    def unsettled(self) -> bool:
        """Was the last deed refused because what was there had changed meanwhile? Then it may come off a moment later."""
        moved = {d.turn for d in self.deeds if d.outcome == "refused" and "Look again" in d.detail}
        return self.turn - 1 in moved and len(moved) <= _UNSETTLED

    @property
    def trouble(self) -> Deed | None:
        """What went wrong in the turn before, when it is not the first time: once may be bad luck."""
        turns = {d.turn for d in self.deeds if d.outcome in ("refused", "failed") and d.turn > self.answered}
        return self.mishap if len(turns) > 1 else None

    @property
    def active_turns(self) -> tuple[int, ...]:
        """Turns in which something was done for this intent, waiting and looking apart."""
        return tuple(sorted({d.turn for d in self.deeds if not d.op.traits.passive}))

    @property
    def patience(self) -> int:
        """How many looks there were since the last deed (or answer) of this intent."""
        last = max(self.active_turns[-1:] or (self.since - 1,))
        return self.turn - 1 - max(last, self.answered)

    # ---- the next moves ----------------------------------------------------------------------

    def wait(self, looks: int, note: str = "") -> Act | None:
        """Wait a little and look again, at most so many times; None when patience is at its end."""
        if self.patience >= looks or not self.can("wait"):
            return None
        seconds = _PATIENCE[min(self.patience, len(_PATIENCE) - 1)]
        return Act((ops.Wait(seconds),), note if self.patience == 0 else "")

    def read(self) -> Act | None:
        """Have the words on the screen read (OCR) for the next look; None when they were or cannot be."""
        if not self.can("read") or any(each.source == "ocr" for each in self.look.elements):
            return None
        return Act((ops.Read(),))

    def look_closer(self, looks: int) -> Act | None:
        """Wait and look again, then have the words read once: trees tell late of what is new, and some never."""
        return self.wait(looks) or (self.read() if self.patience == looks else None)

    def click(
        self, element: Element, button: str = "left", count: int = 1, modifiers: tuple[str, ...] = ()
    ) -> Op:
        """A click on an element, by its id or, where that is not allowed, by its place in the picture."""
        free = free_spot(element, self.sight) if self.can("click") else None
        if free is not None:
            at = self.look.viewport.to_image(free)
            return ops.Click(at.x, at.y, button, count, modifiers)  # type: ignore[arg-type]
        if self.can("click_element"):
            return ops.ClickElement(element.id, button, count, modifiers)  # type: ignore[arg-type]
        at = self.look.viewport.rect_to_image(element.bounds).center
        return ops.Click(at.x, at.y, button, count, modifiers)  # type: ignore[arg-type]

    def roll(self, over: Element, notches: int) -> tuple[Op, ...]:
        """Turn the wheel over a list or one of its items; trees tell late where things are then."""
        return (ops.ScrollElement(over.id, 0, notches), ops.Wait(_ROLLED))

    def approach(self, box: Element, note: str = "") -> Act | None:
        """Click a box until it has the focus; None when it may be typed into.

        The click and the typing go in different turns: what is typed right after a click may still
        land where the focus was.
        """
        if "focused" in box.states:
            return None
        clicks = len({deed.turn for deed in self.clicks()}) - int(self.memo.get("cleared", "0"))
        if not clicks:
            return Act((self.click(box),), note)
        if box.source != "tree" or "focusable" not in box.states:
            return None
        waiting = self.wait(1)
        return waiting or (Act((self.click(box),)) if clicks < 2 else None)

    def overtype(self, box: Element | None, text: str) -> tuple[Op, ...]:
        """Type into the box that has the focus, in place of what it holds."""
        if box is not None and (box.value or box.source == "ocr"):
            return (ops.KeyCombo(("ctrl", "a")), ops.Type(text))
        return (ops.Type(text),)

    def path(self, folder: str, name: str = "") -> str:
        """An absolute path; `folder` as `words.folder` gives it."""
        base = folder_path(folder, self.home or str(Path.home()))
        return str(Path(base) / name) if name else base


def folder_path(folder: str, home: str) -> str:
    """The absolute path of a folder: "~/…", an XDG name like DESKTOP, or a plain name in the home folder."""
    if folder.startswith("/"):
        return folder
    if folder == "~" or folder.startswith("~/"):
        return home + folder[1:]
    head, _, rest = folder.partition("/")
    if head in paths.USUAL:
        return str(paths.of_user(head, home) / rest)
    return str(Path(home) / folder) if folder else home
