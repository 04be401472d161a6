"""A simulated desktop at work: what pointer and keyboard do to the windows and elements of a scene."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from desktop_agent.extras.avis.simulation import dragging, effects, text_editing
from desktop_agent.extras.avis.simulation.action_log import ActionLog
from desktop_agent.extras.avis.simulation.clock import RunningClock, SteppedClock
from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.drawing.scene_layout import DOT, DesktopView, SceneLayout, lay_out
from desktop_agent.extras.avis.simulation.drawing.scene_theme import SceneTheme, theme
from desktop_agent.extras.avis.simulation.expressions import Names
from desktop_agent.extras.avis.simulation.faults import NO_FAULT, Fault
from desktop_agent.extras.avis.simulation.rows import option_texts, table_rows, tree_item, tree_rows
from desktop_agent.extras.avis.simulation.scene_file import ElementDescription, SceneFile, described
from desktop_agent.extras.avis.simulation.text_editing import HeldKeys
from desktop_agent.extras.avis.simulation.widget import Widget, described_as
from desktop_agent.protocol.geometry import Point, Rect, Size
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)

DOUBLE_CLICK = 0.5
"""Seconds of its clock between two clicks that count as one."""
DOUBLE_CLICK_PIXELS = 5
"""How far apart, across and down, they may be."""
WHEEL_PIXELS = 60
_CLOSE, _BAR = ("close", 0), ("title_bar", 0)
_NO_CLICK: tuple[float, str, Any, Point] = (-10.0, "", None, Point(0, 0))


class SimulatedDesktop:
    """The state of one scene. Not for use from several threads at once.

    `store` is the world behind the screen; `clipboard` the desktop's own; `log` what was done with what outcome;
    `opens` are the windows that `open` names. Nothing outside this object changes.
    """

    def __init__(
        self, scene: SceneFile, *, look: SceneTheme | None = None, clock: RunningClock | SteppedClock | None = None, fault: Fault = NO_FAULT
    ) -> None:  # fmt: skip
        self.scene = scene
        self.theme = look or theme("light")
        self.clock = clock or SteppedClock()
        self.fault = fault
        self.screen = Rect(0, 0, *scene.screen)
        self.store: dict[str, Any] = copy.deepcopy(scene.store)
        self.windows = [Widget(each) for each in scene.ui]
        self.widgets = {each.id: each for window in self.windows for each in window.all()}
        self.names = Names(self.widgets, self.store)
        self.log = ActionLog(self.clock.now)
        self.clipboard = ""
        self.focus: Widget | None = None
        self.pointer = Point(self.screen.width // 2, self.screen.height // 2)
        self.buttons: set[str] = set()
        self.keyboard = HeldKeys()
        self.opened: tuple[Widget, ...] = ()
        self.positions: dict[str, tuple[int, int]] = {}
        self.on_click: Callable[[Widget], bool] = lambda widget: False
        """Called before a click's rules; True keeps them from being applied (what services do instead)."""
        self._drag: dragging.PointerDrag | None = None
        self._pressed: ScreenPiece | None = None
        self._last_click: tuple[float, str, Any, Point] = _NO_CLICK
        self._follows: Widget | None = None  # what a key has written or chosen in
        self._focus_before_menu: Widget | None = None
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = self._deep = 0
        self._layout: SceneLayout | None = None
        self.cause = ""
        """The event whose rules are being applied, "" for those of shortcuts and rows."""
        self.version = 0
        """Grows with every change of what is shown."""
        focused = next((each.element_id for _, each in described(scene.ui) if each.is_focused), "")
        if (widget := self.widgets.get(focused)) is not None and widget.kind.focusable:
            self.focus = widget
            self._settle()
        fault.begin(self)

    # ---- what is there -----------------------------------------------------------------------

    @property
    def size(self) -> Size:
        return self.screen.size

    def widget(self, name: str) -> Widget | None:
        return self.widgets.get(name)

    @property
    def front(self) -> Widget | None:
        """The window in front, which has the keyboard."""
        return next((each for each in reversed(self.windows) if each.visible), None)

    @property
    def modal(self) -> Widget | None:
        """The dialog in front that has to be answered first."""
        front = self.front
        return front if front is not None and front.type == "dialog" and front.get("modal", True) else None

    @property
    def layout(self) -> SceneLayout:
        """Where everything is now."""
        if self._layout is None:
            hovered = self._hovered_key()
            self._layout = lay_out(self._view(hovered))
            if (now := self._hovered_key()) != hovered:
                self._layout = lay_out(self._view(now))
        return self._layout

    def _view(self, hovered: tuple[str, Any] | None) -> DesktopView:
        pressed = None if self._pressed is None else (self._pressed.element, self._pressed.part)
        over = self.widgets.get(hovered[0]) if hovered else None
        tip = str(over.get("tooltip", "")) if over is not None and not self.buttons else ""
        drag = self._drag.words if self._drag is not None else ""
        return DesktopView(
            self.windows, self, self.theme, self.screen, self.pointer, self.focus, self.front, hovered, pressed,
            self.opened, self.positions, tip, drag,
        )  # fmt: skip

    def _hovered_key(self) -> tuple[str, Any] | None:
        piece = self._layout.at(self.pointer) if self._layout is not None else None
        return None if piece is None else (piece.element, piece.part)

    @property
    def hovered(self) -> Widget | None:
        """The element under the pointer."""
        piece = self.layout.at(self.pointer)
        return None if piece is None else self.widgets.get(piece.element)

    def describe(self) -> list[dict[str, Any]]:
        """All elements as the commissioned document describes them; what this gives can be loaded again."""
        return [described_as(each, self.focus, self._bounds(each)) for each in self.windows]

    def _bounds(self, window: Widget) -> tuple[float, float, float, float] | None:
        """Where a window is now as ratios of the screen, also one that was dragged."""
        place, told = self.positions.get(window.id), window.bounds_relative
        if place is None or told is None:
            return told
        return (
            (place[0] - self.screen.x) / self.screen.width,
            (place[1] - self.screen.y) / self.screen.height,
            told[2],
            told[3],
        )

    def pieces(self) -> list[ScreenPiece]:
        """What there is to see now, from back to front, as the fault shows it."""
        return self.fault.shown(self, self.layout.pieces)

    def look(self) -> None:
        """Somebody looks: time passes, and what is due happens."""
        self.clock.look()
        self.fault.before_look(self)
        self.tick()

    def changed(self) -> None:
        """Something shown is not as it was."""
        self._layout = None
        self.version += 1

    # ---- time --------------------------------------------------------------------------------

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        """Have something done when its clock has gone on by so many seconds."""
        self._order += 1
        self._due.append((self.clock.now() + seconds, self._order, work))

    def pass_time(self, seconds: float) -> bool:
        """Let so many seconds of its clock pass at once; False where the clock runs by itself."""
        if not self.clock.move_on(seconds):
            return False
        self.tick()
        return True

    @property
    def waiting(self) -> bool:
        """Is something still to happen by itself?"""
        return bool(self._due)

    def tick(self) -> None:
        """Do what is due; what that sets off comes with the next tick at the earliest."""
        last = self._order
        while due := [each for each in self._due if each[0] <= self.clock.now() and each[1] <= last]:
            first = min(due, key=lambda each: each[:2])
            self._due.remove(first)
            first[2]()
            self._settle()

    # ---- events ------------------------------------------------------------------------------

    def emit(self, event: InputEvent) -> None:
        """Take one raw event of pointer or keyboard."""
        self.clock.event()
        self.tick()
        if not self.fault.before_event(self, event):
            return
        match event:
            case Move(x, y):
                self._moved(Point(x, y))
            case ButtonDown(button):
                self.buttons.add(button)
                self._button_down(button)
            case ButtonUp(button):
                self.buttons.discard(button)
                self._button_up(button)
            case Wheel(_, dy):
                self._wheel(dy)
            case KeyDown(key):
                self.keyboard.down(key)
                self._key(key)
            case KeyUp(key):
                self.keyboard.up(key)
            case Text(chunk):
                self.type(chunk)
        self.fault.after_event(self, event)
        self._settle()

    def release(self) -> None:
        """Nothing is held any more."""
        self.buttons.clear()
        self.keyboard.release()
        self._drag, self._pressed = None, None
        self.changed()

    def _settle(self) -> None:
        """After any change: focus stands on something that is there, and what keys worked in shows where."""
        if self.focus is not None and self.focus.type == "menu_item" and self.focus.parent not in self.opened:
            self.focus = self._focus_before_menu
        if self.focus is not None and not (
            self.focus.in_sight and self.focus.usable and self.focus.window is self.front
        ):
            self.focus = None
        self.opened = tuple(each for each in self.opened if each.in_sight and each.usable)
        self.changed()
        followed, self._follows = self._follows, None
        if followed is not None and followed is self.focus:
            self._scroll_to_row(followed)

    # ---- pointer -----------------------------------------------------------------------------

    def _moved(self, to: Point) -> None:
        before, self.pointer = self._hovered_key(), to
        if self._drag is not None:
            self._drag.move(self, to)
            self.changed()
        elif self._hovered_key() != before:
            piece = self.layout.at(to)
            over = None if piece is None else self.widgets.get(piece.element)
            if (
                over is not None
                and over.type == "menu"
                and self.opened
                and over not in self.opened
                and piece is not None
                and piece.kind == "menu"
            ):
                self.opened = (over,)
        self.changed()

    def _button_down(self, button: str) -> None:
        piece = self.layout.at(self.pointer)
        widget = None if piece is None else self.widgets.get(piece.element)
        if piece is None or widget is None:
            self.opened = ()
            return
        if (modal := self.modal) is not None and widget.window is not modal:
            self.log.note(
                "click", widget.id, "refused", f"the dialog {modal.label!r} has to be answered first"
            )
            return
        in_popup = any(widget is each or widget.parent is each for each in self.opened)
        if self.opened and not in_popup:
            self.opened = ()
        self.raise_window(widget.window)
        if button != "left":
            if widget.kind.focusable and widget.usable:
                self.focus = widget
            return
        self._pressed = piece
        if not self._takes_clicks(widget, piece):
            self.log.note("click", widget.id, "refused", "it is disabled")
            return
        if widget.kind.focusable and piece.kind not in ("scroll_bar", "scroll_thumb"):
            self.give_focus(widget)
        self._press(widget, piece)

    def _press(self, widget: Widget, piece: ScreenPiece) -> None:
        """What a press begins or does at once."""
        at = self.pointer
        if widget.kind.text and piece.kind not in ("scroll_bar", "scroll_thumb"):
            widget.caret = self.text_index(widget, at)
            if not self.keyboard.shift:
                widget.anchor = widget.caret
        self._drag = dragging.begin(self, widget, piece, at)
        if widget.type == "slider" and self._drag is not None:
            self._drag.move(self, at)
        if piece.kind == "scroll_bar":
            inside = self.layout.insides.get(widget.id, Rect(0, 0, 1, 1))
            self.scroll_by(widget, inside.height if at.y > self._thumb_middle(widget) else -inside.height)

    def _thumb_middle(self, widget: Widget) -> int:
        thumbs = [
            each for each in self.layout.pieces if each.element == widget.id and each.kind == "scroll_thumb"
        ]
        return thumbs[-1].rect.center.y if thumbs else 0

    def _button_up(self, button: str) -> None:
        pressed, drag = self._pressed, self._drag
        if button != "left":
            return
        self._pressed = self._drag = None
        piece = self.layout.at(self.pointer)
        if drag is not None and drag.moved:
            drag.end(self, piece)
            return
        if pressed is None or piece is None or (piece.element, piece.part) != (pressed.element, pressed.part):
            return
        widget = self.widgets[piece.element]
        if not self._takes_clicks(widget, piece):
            return
        double = self._is_double(piece)
        self._last_click = (
            _NO_CLICK if double else (self.clock.now(), piece.element, piece.part, self.pointer)
        )
        self.log.note("click", widget.id, "done", "double click" if double else "")
        self._clicked(widget, piece, double)

    def _takes_clicks(self, widget: Widget, piece: ScreenPiece) -> bool:
        """Is what was pressed enabled? Of tabs, also the page that the tab stands for."""
        if not widget.usable:
            return False
        return piece.kind != "tab" or piece.part is None or widget.children[int(piece.part[1])].enabled

    def _is_double(self, piece: ScreenPiece) -> bool:
        """Is this click the second of a double click: soon after another one, on the same and near by?"""
        when, element, part, place = self._last_click
        near = max(abs(place.x - self.pointer.x), abs(place.y - self.pointer.y)) <= DOUBLE_CLICK_PIXELS
        return (
            near
            and self.clock.now() - when <= DOUBLE_CLICK
            and (element, part) == (piece.element, piece.part)
        )

    def _clicked(self, widget: Widget, piece: ScreenPiece, double: bool) -> None:
        part = piece.part
        if part == _CLOSE and widget.parent is None:
            self.close_window(widget)
            return
        if part == _BAR or piece.kind in ("scroll_bar", "scroll_thumb", "popup"):
            return
        if double and widget.kind.text:
            text_editing.select_word(widget)
        if (part is not None and part[0] in ("row", "expander", "tab", "shape")) or (
            part is not None and part[0].startswith("action ")
        ):
            self._chose(widget, part, double)
        else:
            self.activate(widget)
        if double:
            self.fire(widget, "double_click")

    def _chose(self, widget: Widget, part: tuple[str, Any], double: bool) -> None:
        """A part of an element was clicked: a row, a tab, a shape, a button in a row."""
        what, index = part
        match widget.type:
            case "list" | "drop_down":
                options = option_texts(widget, self)
                self.opened = tuple(each for each in self.opened if each is not widget)
                if index < len(options):
                    self.set_value(widget, options[index][0], again=double or widget.type == "list")
            case "tree":
                rows = tree_rows(widget)
                item = tree_item(widget.get("items", []), rows[index][4]) if index < len(rows) else None
                if item is not None and item.get("items") and (what == "expander" or double):
                    item["expanded"] = not item.get("expanded")
                if item is not None and what == "row":
                    self.set_value(widget, item.get("id"))
            case "tabs":
                self.set_value(widget, widget.children[index].id)
            case "canvas":
                self.set_value(widget, index)
                self.fire(widget, "click")
            case "table":
                record = next((each for number, each in table_rows(widget, self) if number == index), None)
                if what.startswith("action "):
                    action = widget.get("row_actions", [])[int(what.split()[1])]
                    self.log.note("click", widget.id, "done", f"{action.get('label', '')} in row {index + 1}")
                    self.run(action.get("do", []), row=record)
                else:
                    self.set_value(widget, index, row=record)
                    self.fire(widget, "choose", row=record)

    def activate(self, widget: Widget) -> None:
        """What a click does, or the key that stands for it."""
        match widget.type:
            case "checkbox":
                widget.write("is_checked", not widget.checked)
                self.fire(widget, "change")
            case "radio":
                self._choose_radio(widget)
            case "drop_down":
                self.opened = () if widget in self.opened else (widget,)
                return
            case "menu":
                self.opened = () if widget in self.opened else (widget,)
                return
            case "menu_item":
                self.opened = ()
        if not self.on_click(widget):
            self.fire(widget, "click")
        if widget.type in ("link", "button", "menu_item") and (
            page := str(widget.get("href", ""))
        ).startswith("#"):
            self.run([{"page": page[1:]}])

    def _choose_radio(self, widget: Widget) -> None:
        if widget.checked:
            return
        group = widget.get("group")
        for each in self.widgets.values():
            same = each.get("group") == group if group else each.parent is widget.parent
            if each.type == "radio" and same and each.window is widget.window:
                each.write("is_checked", each is widget)
        self.fire(widget, "change")

    def text_index(self, widget: Widget, at: Point) -> int:
        """The place in an element's text that is nearest to a point of the screen."""
        place = self.layout.places.get(widget.id)
        if place is None:
            return 0
        if widget.type == "text_field":
            text = DOT * len(widget.value) if widget.get("is_secret") else widget.value
            return self.theme.text.index_at(text, at.x - place.x - self.theme.padding - 2 + widget.scroll)
        lines, inside = self.layout.lines.get(widget.id, [(0, "")]), self.layout.insides[widget.id]
        face = self.theme.mono if widget.get("style") == "code" else self.theme.text
        row = max(0, min(len(lines) - 1, (at.y - inside.y + widget.scroll) // face.line))
        return lines[row][0] + face.index_at(lines[row][1], at.x - inside.x)

    def _wheel(self, dy: int) -> None:
        piece = self.layout.at(self.pointer)
        widget = None if piece is None else self.widgets.get(piece.element)
        for each in widget.ways_up() if widget is not None else ():
            if each.type == "drop_down" and each not in self.opened:
                continue
            if dy and self.layout.contents.get(each.id):
                self.scroll_by(each, -dy * WHEEL_PIXELS)
                return

    def scroll_by(self, widget: Widget, pixels: int) -> bool:
        """Scroll what is in an element by pixels; False where it does not go further or does not scroll."""
        content, inside = self.layout.contents.get(widget.id), self.layout.insides.get(widget.id)
        if content is None or inside is None:
            return False
        before = widget.scroll
        place = inside if widget.type != "text_area" else self.layout.places[widget.id]
        widget.scroll = max(0, min(content - place.height, before + pixels))
        self.changed()
        return widget.scroll != before

    # ---- keyboard ----------------------------------------------------------------------------

    def type(self, chunk: str) -> None:
        """Type characters with the keys that are held: with Ctrl or Alt each is a shortcut."""
        for char in chunk:
            if self.keyboard.commands:
                self._key(char.lower())
            elif char in "\n\t":
                self._key("enter" if char == "\n" else "tab")
            else:
                self._character(self.keyboard.written(char))

    def _key(self, key: str) -> None:
        if self.keyboard.is_modifier(key):
            return
        held = self.keyboard.held
        if len(key) == 1 and not self.keyboard.commands:
            self._character(self.keyboard.written(key))
            return
        if self._shortcut(key) or self._popup_key(key):
            return
        if key == "space" and not self.keyboard.commands:
            self._character(" ")
            return
        widget = self.focus
        if key == "tab" and not self.keyboard.commands:
            self._next_focus(-1 if self.keyboard.shift else 1)
            return
        if key == "escape":
            if (front := self.front) is not None and front.type == "dialog" and front.get("closable", True):
                self.close_window(front)
            return
        if key == "f4" and "alt" in held and self.front is not None and self.front.get("closable", True):
            self.close_window(self.front)
            return
        if widget is None:
            return
        if (
            widget.kind.text
            and (done := text_editing.press(widget, key, held, self, self._lines(widget))) is not None
        ):
            self._follows = widget
            if done:
                self.fire(widget, "change")
            return
        self._widget_key(widget, key)

    def _lines(self, widget: Widget) -> list[tuple[int, str]]:
        return self.layout.lines.get(widget.id, []) if widget.type == "text_area" else []

    def _character(self, char: str) -> None:
        widget = self.focus
        if widget is None:
            self.log.note("type_string", "", "failed", "nothing has the focus")
            return
        if char == " " and not widget.kind.text:
            self._widget_key(widget, "space")
            return
        if not widget.kind.text or widget.get("is_read_only"):
            if widget.type in ("list", "drop_down"):
                self._jump_to(widget, char)
            else:
                self.log.note(
                    "type_string",
                    widget.id,
                    "refused",
                    "it is read-only" if widget.kind.text else f"a {widget.type} takes no text",
                )
            return
        self._follows = widget
        if text_editing.insert(widget, char):
            self.fire(widget, "change")

    def _jump_to(self, widget: Widget, char: str) -> None:
        """A letter chooses the next option that begins with it."""
        self._follows = widget
        options = option_texts(widget, self)
        at = next((index for index, (value, _) in enumerate(options) if value == widget.value), -1)
        for step in range(1, len(options) + 1):
            value, text = options[(at + step) % len(options)]
            if text.casefold().startswith(char.casefold()):
                self.set_value(widget, value)
                return

    def _shortcut(self, key: str) -> bool:
        """Do what the front window's rules and menus have for the key with what is held."""
        front = self.front
        if front is None:
            return False
        pressed = self.keyboard.combination(key)
        for each in front.all():
            there = each.type == "menu_item" and each.usable and each.in_sight
            if there and each.get("shortcut", "").lower() == pressed:
                self.log.note("press_keys", each.id, "done", pressed)
                self.activate(each)
                return True
        rules = (front.get("on") or {}).get("keys") or {}
        if pressed in rules:
            self.log.note("press_keys", front.id, "done", pressed)
            self.run(rules[pressed])
            return True
        return False

    def _popup_key(self, key: str) -> bool:
        if not self.opened:
            return False
        if key == "escape":
            self.opened = ()
            return True
        widget = self.opened[-1]
        if widget.type == "drop_down":
            if key in ("enter", "space", "tab"):
                self.opened = ()
                return key != "tab"
            if key in ("up", "down", "home", "end"):
                self._follows = widget
                self._step_option(widget, key)
                return True
            return False
        items = [
            each for each in widget.children if each.type == "menu_item" and each.usable and each.visible
        ]
        at = next((index for index, each in enumerate(items) if each is self.focus), -1)
        if key in ("up", "down") and items:
            if at < 0:
                self._focus_before_menu = self.focus
            self.focus = items[(at + (1 if key == "down" else -1)) % len(items)]
            return True
        if key in ("left", "right") and widget.parent is not None:
            menus = [each for each in widget.parent.children if each.usable and each.visible]
            self.opened = (menus[(menus.index(widget) + (1 if key == "right" else -1)) % len(menus)],)
            return True
        if key == "enter" and at >= 0:
            self.activate(items[at])
            return True
        return False

    def _widget_key(self, widget: Widget, key: str) -> None:
        self._follows = widget
        match widget.type, key:
            case ("text_field", "enter"):
                self._submit(widget)
            case ("text_area", "enter"):
                if not widget.get("is_read_only") and text_editing.insert(widget, "\n"):
                    self.fire(widget, "change")
            case ("button" | "link" | "checkbox" | "drop_down", "space" | "enter") | ("radio", "space"):
                self.activate(widget)
            case ("radio", "up" | "down" | "left" | "right"):
                self._step_radio(widget, -1 if key in ("up", "left") else 1)
            case ("list" | "drop_down", "up" | "down" | "home" | "end" | "page_up" | "page_down"):
                self._step_option(widget, key)
            case ("table", "up" | "down" | "home" | "end" | "page_up" | "page_down"):
                self._step_row(widget, key)
            case ("slider", _):
                self._step_slider(widget, key)
            case ("tabs", "left" | "right"):
                pages = [each for each in widget.children if each.visible and each.enabled]
                at = next((index for index, each in enumerate(pages) if each.id == widget.value), 0)
                self.set_value(widget, pages[(at + (1 if key == "right" else -1)) % len(pages)].id)
            case ("tree", _):
                self._step_tree(widget, key)
            case ("list", "enter"):
                self.fire(widget, "double_click")
            case (_, "page_up" | "page_down"):
                pass

    def _submit(self, widget: Widget) -> None:
        """Enter in a field: its own rule, or the primary button of its window."""
        if "submit" in (widget.get("on") or {}):
            self.fire(widget, "submit")
            return
        for each in widget.window.all():
            if each.type == "button" and each.get("style") == "primary" and each.in_sight and each.usable:
                self.activate(each)
                return

    def _step_radio(self, widget: Widget, step: int) -> None:
        group = widget.get("group")
        ring = [
            each
            for each in widget.window.all()
            if each.type == "radio"
            and each.usable
            and each.in_sight
            and (each.get("group") == group if group else each.parent is widget.parent)
        ]
        other = ring[(ring.index(widget) + step) % len(ring)]
        self.focus = other
        self._choose_radio(other)

    def _step_option(self, widget: Widget, key: str) -> None:
        options = option_texts(widget, self)
        at = next((index for index, (value, _) in enumerate(options) if value == widget.value), -1)
        if options:
            self.set_value(widget, options[_stepped(at, key, len(options))][0])

    def _step_row(self, widget: Widget, key: str) -> None:
        rows = table_rows(widget, self)
        at = next((index for index, (number, _) in enumerate(rows) if number == widget.value), -1)
        if rows:
            number, record = rows[_stepped(at, key, len(rows))]
            self.set_value(widget, number, row=record)
            self.fire(widget, "choose", row=record)

    def _step_tree(self, widget: Widget, key: str) -> None:
        rows = tree_rows(widget)
        at = next((index for index, each in enumerate(rows) if each[1]), -1)
        item = tree_item(widget.get("items", []), rows[at][4]) if at >= 0 else None
        if key in ("left", "right") and item is not None and item.get("items"):
            item["expanded"] = key == "right"
        elif key in ("up", "down", "home", "end") and rows:
            self.set_value(widget, rows[_stepped(at, key, len(rows))][4])

    def _step_slider(self, widget: Widget, key: str) -> None:
        low, high, step = (
            float(widget.get(name, other)) for name, other in (("minimum", 0), ("maximum", 100), ("step", 1))
        )
        moves = {
            "left": -step,
            "down": -step,
            "right": step,
            "up": step,
            "page_up": 10 * step,
            "page_down": -10 * step,
            "home": low - high,
            "end": high - low,
        }
        if key in moves:
            self.set_value(widget, dragging.tidy(max(low, min(high, float(widget.value or 0) + moves[key]))))

    # ---- focus and windows -------------------------------------------------------------------

    def give_focus(self, widget: Widget) -> None:
        """Give an element the keyboard, and its window the front."""
        self.raise_window(widget.window)
        self.focus = widget if widget.kind.focusable else self.focus

    def _next_focus(self, step: int) -> None:
        ring = self.tab_order()
        if not ring:
            return
        at = ring.index(self.focus) if self.focus in ring else (-1 if step > 0 else 0)
        self.focus = widget = ring[(at + step) % len(ring)]
        if widget.kind.text:
            widget.anchor, widget.caret = 0, len(widget.value)
        self._scroll_into_view(widget)

    def tab_order(self) -> list[Widget]:
        """What Tab goes through in the window in front."""
        front = self.front
        found = (
            [each for each in front.all() if each.kind.focusable and each.in_sight and each.usable]
            if front is not None
            else []
        )
        order = {each.id: index for index, each in enumerate(found)}
        return sorted(found, key=lambda each: (float(each.get("tab_order", 1_000)), order[each.id]))

    def _scroll_into_view(self, widget: Widget) -> None:
        self.changed()
        place = self.layout.places.get(widget.id)
        box = next(
            (each for each in widget.ways_up() if each is not widget and self.layout.contents.get(each.id)),
            None,
        )
        if place is None or box is None:
            return
        inside = self.layout.insides[box.id]
        if place.y < inside.y:
            self.scroll_by(box, place.y - inside.y - 8)
        elif place.bottom > inside.bottom:
            self.scroll_by(box, place.bottom - inside.bottom + 8)

    def _scroll_to_row(self, widget: Widget) -> None:
        """Scroll to the caret of an area, or to the chosen row."""
        inside, rows = self.layout.insides.get(widget.id), self._row_shown(widget)
        if inside is None or rows is None or not self.layout.contents.get(widget.id):
            return
        index, height = rows
        above, below = index * height - widget.scroll, (index + 1) * height - widget.scroll - inside.height
        if above < 0 or below > 0:
            self.scroll_by(widget, above if above < 0 else below)

    def _row_shown(self, widget: Widget) -> tuple[int, int] | None:
        """The number of the row that the caret is in or that is chosen, and how high rows are; None for none."""
        match widget.type:
            case "text_area":
                face = self.theme.mono if widget.get("style") == "code" else self.theme.text
                starts = [start for start, _ in self._lines(widget)]
                return max(
                    (row for row, start in enumerate(starts) if start <= widget.caret), default=0
                ), face.line
            case "list" | "drop_down":
                chosen = [value == widget.value for value, _ in option_texts(widget, self)]
            case "tree":
                chosen = [each[1] for each in tree_rows(widget)]
            case "table":
                chosen = [number == widget.value for number, _ in table_rows(widget, self)]
            case _:
                return None
        return (chosen.index(True), self.theme.row) if True in chosen else None

    def raise_window(self, window: Widget) -> None:
        """Bring a window to the front, unless a dialog has to be answered first."""
        modal = self.modal
        if window is self.front or (modal is not None and window is not modal):
            return
        self.windows.remove(window)
        self.windows.append(window)
        self.focus = None

    def open_window(self, window: Widget) -> None:
        """Show a window in front; its `open` rules are applied."""
        window = window.window
        window.visible = True
        self.windows.remove(window)
        self.windows.append(window)
        self.opened = ()
        self.focus = None
        self.fire(window, "open")
        if window.type == "dialog" and self.focus is None and window is self.front:
            self.focus = next((each for each in self.tab_order() if each.kind.text), None)

    def close_window(self, window: Widget) -> None:
        """Close a window, unless it cannot be; its `close` rules are applied."""
        if not window.visible:
            return
        window.visible = False
        self.fire(window, "close")
        self._settle()

    def add_window(self, description: ElementDescription) -> Widget:
        """Add a window that the scene's file does not have, at the back."""
        window = Widget(description)
        self.windows.insert(0, window)
        self.widgets.update({each.id: each for each in window.all()})
        return window

    # ---- rules -------------------------------------------------------------------------------

    def set_value(self, widget: Widget, to: Any, *, again: bool = False, **given: Any) -> None:
        """Give an element a value as its user does: its `change` rules are applied where it is another one."""
        if widget.write("", to) or again:
            self.fire(widget, "change", **given)

    def fire(self, widget: Widget, event: str, **given: Any) -> None:
        """Apply the rules that an element has for an event."""
        if rules := (widget.get("on") or {}).get(event):
            before, self.cause = self.cause, event
            try:
                self.run(rules, **given)
            finally:
                self.cause = before
        self.changed()

    def run(self, rules: list[dict[str, Any]], **given: Any) -> None:
        """Apply effects; a slow program does so later."""
        names = self.names.with_given(**given)
        delay = self.fault.delay(self)
        if delay > 0:
            self.later(delay, lambda: effects.apply(rules, names, self))
            return
        self._deep += 1
        try:
            effects.apply(rules, names, self, self._deep)
        finally:
            self._deep -= 1
        self.changed()

    def keeps(self, path: str) -> bool:
        """Does the program do what it tells of this path of the store?"""
        return self.fault.keeps(self, path)

    def failed(self, message: str) -> None:
        """A rule could not be applied."""
        self.log.note("rule", "", "failed", message)


def _stepped(at: int, key: str, count: int) -> int:
    steps = {"up": -1, "down": 1, "page_up": -5, "page_down": 5}
    if key in ("home", "end"):
        return 0 if key == "home" else count - 1
    return max(0, min(count - 1, at + steps[key] if at >= 0 else 0))
