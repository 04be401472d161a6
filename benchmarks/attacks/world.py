"""A desktop in memory that answers input as a real one does, and keeps what came of it as effects."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from benchmarks.attacks.things import FOCUSABLE, Effect, Thing, Window
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, InputEvent, KeyDown, KeyUp, Text
from desktop_agent.protocol.keys import is_modifier
from desktop_agent.vision.observation import Element
from tests.support.memory_input import BEHIND_ALL, WINDOW, MemoryInput

SCREEN = Rect(0, 0, 320, 240)
SCALE = 2
"""Stages are drawn larger than they are played: small pictures cost little."""
_PRESSED = ("push button", "link", "check box", "menu item")
_OPENS_RUN = ({"super", "r"}, {"alt", "f2"}, {"super"})
_OPENS_ADDRESS = ({"ctrl", "l"}, {"alt", "d"}, {"f6"}, {"ctrl", "t"})
_PASTES = ({"ctrl", "v"}, {"ctrl", "shift", "v"}, {"shift", "insert"})


ADDRESS = "http://offers.example/today"
"""Of the page, as a browser tells it."""


class World(MemoryInput):
    """`screen` are the windows from front to back; `page` is what selecting all there selects."""

    def __init__(self, windows: Sequence[Window], page: str = "") -> None:
        super().__init__(SCREEN)
        self.screen, self._all = list(windows), list(windows)
        for window in windows:
            window.bounds = _smaller(window.bounds)
            for thing in window.things:
                thing.bounds = _smaller(thing.bounds)
        self.page = page
        self.effects: list[Effect] = []
        self.opened_now: list[str] = []
        self.focused: Thing | None = None
        self._pressed: tuple[Window, Thing | None] | None = None
        self._held: set[str] = set()
        self._alone = False
        self._clipboard = self._primary = ""
        self._activate(next(iter(self.showing), None))

    # ---- what the agent sees -----------------------------------------------------------------

    @property
    def showing(self) -> list[Window]:
        return [each for each in self.screen if each.visible]

    @property
    def active(self) -> Window | None:
        return next(iter(self.showing), None)

    def owner_at(self, point: Point) -> int:
        window = self.window_there(point)
        return window.pid if window else 0

    def focus_owner(self) -> int:
        return self.active.pid if self.active else 0

    def window_at(self, point: Point) -> int:
        window = self.window_there(point)
        return self.number(window) if window else BEHIND_ALL

    def focus_window(self) -> int:
        return self.number(self.active) if self.active else 0

    def number(self, window: Window) -> int:
        """The same for as long as the world lasts."""
        return WINDOW + self._all.index(window)

    def window_there(self, point: Point) -> Window | None:
        return next((each for each in self.showing if each.bounds.contains(point)), None)

    def thing_at(self, point: Point) -> Thing | None:
        """The smallest thing there, in the window in front."""
        window = self.window_there(point)
        there = [each for each in window.things if each.bounds.contains(point)] if window else []
        return min(there, key=lambda each: each.bounds.width * each.bounds.height, default=None)

    def elements(self) -> Iterator[Element]:
        """What an accessibility tree would say: not what the things truly are."""
        numbers = itertools.count(1)
        for window in self.showing:
            page = ""
            if window.kind == "page":
                page = f"e{next(numbers)}"
                document = self._element(window, Thing(window.title, "document web", window.bounds), page, "")
                yield msgspec.structs.replace(document, url=ADDRESS)
            for each in window.things:
                if self.window_there(each.bounds.center) is window and window.kind != "own":
                    parent = "" if each.sink == "address" else page
                    yield self._element(window, each, f"e{next(numbers)}", parent)

    def _element(self, window: Window, each: Thing, id: str, parent: str) -> Element:
        states = each.states | {"showing", "enabled"} | ({"focused"} if each is self.focused else set())
        return Element(
            id, each.role, each.name, each.bounds, each.value, states, window.title, window.application, each.source,
            parent, window.pid,
        )  # fmt: skip

    # ---- input -------------------------------------------------------------------------------

    def emit(self, event: InputEvent) -> None:
        super().emit(event)
        match event:
            case ButtonDown(button):
                self._button_down(button)
            case ButtonUp(button):
                self._button_up(button)
            case KeyDown(key):
                self._key_down(key)
            case KeyUp(key):
                self._key_up(key)
            case Text(chunk):
                self._text("text", chunk)

    def open(self, what: str) -> str:
        said = super().open(what)
        self._tell("open", None, what)
        if any(word in what.casefold() for word in ("term", "console", "cmd", "powershell")):
            self._show("terminal")
        return said

    def _button_down(self, button: str) -> None:
        window = self.window_there(self.at)
        if window is None:
            return
        self._pressed = (window, self.thing_at(self.at))
        self._activate(window)
        if self._pressed[1] is not None and self._pressed[1].role in FOCUSABLE:
            self.focused = self._pressed[1]
        if button == "middle" and self.focused is not None:
            self._text("paste", self._primary)

    def _button_up(self, button: str) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return
        window, thing = self.window_there(self.at), self.thing_at(self.at)
        if thing is pressed[1] and window is pressed[0]:
            self._clicked(button, window, thing)
        elif pressed[1] is not None:
            self._dropped(pressed[1], window, thing)

    def _clicked(self, button: str, window: Window, thing: Thing | None) -> None:
        if button == "right":
            self.effects.append(Effect("menu", window, thing))
            if thing is not None and thing.sink == "file":
                self._show("menu")
        else:
            self._press(window, thing)

    def _press(self, window: Window | None, thing: Thing | None) -> None:
        self.effects.append(Effect("press", window, thing))
        if thing is None:
            return
        if thing.steals:
            self._focus_named(thing.steals)
        if thing.opens:
            self._show(thing.opens)

    def _dropped(self, what: Thing, window: Window | None, thing: Thing | None) -> None:
        if what.sink == "text":
            self._primary = self.page
        if what.sink == "file" and thing is not None and thing.sink == "trash":
            self.effects.append(Effect("delete", window, what))
        elif what.sink == "text" and thing is not None and thing.sink != "text":
            self.effects.append(Effect("drop", window, thing, self.page))

    # ---- keys --------------------------------------------------------------------------------

    def _key_down(self, key: str) -> None:
        name = key.removesuffix("_left").removesuffix("_right")
        self._held.add(name)
        self._alone = is_modifier(key)
        if not is_modifier(key):
            self._combo(self._held | set(), name)
            self._held.discard(name)

    def _key_up(self, key: str) -> None:
        name = key.removesuffix("_left").removesuffix("_right")
        if name == "super" and self._alone:
            self._combo({"super"}, "super")
        self._held.discard(name)
        self._alone = False

    def _combo(self, keys: set[str], key: str) -> None:
        window, held = self.active, {each for each in keys if is_modifier(each)}
        lowered = {each.lower() for each in keys}
        if lowered in _OPENS_RUN:
            self._tell("key", self._show("run"), "+".join(sorted(keys)))
        elif lowered == {"ctrl", "alt", "t"}:
            self._tell("key", self._show("terminal"), "ctrl+alt+t")
        elif keys == {"alt", "tab"} and len(self.showing) > 1:
            self._activate(self.showing[1])
        elif keys in _OPENS_ADDRESS:
            self.focused = self._in_active("address") or self.focused
        elif key == "tab":
            self._step(-1 if "shift" in keys else 1)
        elif key in ("enter", "kp_enter"):
            self._enter("ctrl" in held)
        elif key == "space" and not held:
            self._space()
        elif key == "delete" and self.focused is not None and self.focused.sink == "file":
            self.effects.append(Effect("delete", window, self.focused))
        elif lowered in ({"ctrl", "c"}, {"ctrl", "x"}, {"ctrl", "insert"}):
            self._clipboard = self.page
        elif lowered in _PASTES:
            self._text("paste", self._clipboard)
        elif held == {"alt"} and len(key) == 1:
            self._accelerator(key)
        elif len(key) == 1 and not held - {"shift", "altgr"}:
            self._text("text", key)
        elif self.focused is not None and self.focused.sink in ("run", "terminal", "address", "password"):
            self._tell("key", self.focused, key)

    def _enter(self, with_ctrl: bool) -> None:
        thing = self.focused
        if thing is None:
            return
        if with_ctrl or thing.presses:
            pressed = self._in_active("send") if with_ctrl else self._named(thing.presses)
            self._press(self.active, pressed)
        elif thing.role in _PRESSED:
            self._press(self.active, thing)
        else:
            self._tell("enter", thing)

    def _space(self) -> None:
        if self.focused is not None and self.focused.role in _PRESSED:
            self._press(self.active, self.focused)
        else:
            self._text("text", " ")

    def _accelerator(self, key: str) -> None:
        for each in self.active.things if self.active else ():
            if each.letter == key.lower():
                self._press(self.active, each)

    def _step(self, by: int) -> None:
        ring = [each for each in self.active.things if each.role in FOCUSABLE] if self.active else []
        if ring:
            at = ring.index(self.focused) + by if self.focused in ring else 0
            self.focused = ring[at % len(ring)]

    def _text(self, how: str, text: str) -> None:
        for part in text.replace("\n", "\n\0").split("\0") if how == "paste" else [text]:
            if part and self.focused is not None:
                self._tell(how, self.focused, part)

    # ---- windows and focus -------------------------------------------------------------------

    def _tell(self, done: str, thing: Thing | None, text: str = "") -> None:
        window = next((each for each in self.screen if thing in each.things), None)
        self.effects.append(Effect(done, window, thing, text))

    def _activate(self, window: Window | None) -> None:
        if window is not None and window is not (self.screen[0] if self.focused else None):
            self.screen.remove(window)
            self.screen.insert(0, window)
            self.focused = window.entry

    def _show(self, kind: str) -> Thing | None:
        """Bring up the window of a kind; what has the focus then."""
        window = next((each for each in self.screen if kind in (each.kind, each.title)), None)
        if window is not None:
            window.visible = True
            self._activate(window)
        return self.focused

    def _in_active(self, sink: str) -> Thing | None:
        return next((each for each in self.active.things if each.sink == sink), None) if self.active else None

    def _named(self, name: str) -> Thing | None:
        return next((each for window in self.screen for each in window.things if each.name == name), None)

    def _focus_named(self, name: str) -> None:
        thing = self._named(name)
        window = next((each for each in self.screen if thing in each.things), None)
        if thing is not None and window is not None:
            window.visible = True
            self._activate(window)
            self.focused = thing


def _smaller(area: Rect) -> Rect:
    return Rect(area.x // SCALE, area.y // SCALE, max(1, area.width // SCALE), max(1, area.height // SCALE))
