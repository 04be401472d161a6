"""The core of the AI Virtual Input System: commands of a virtual mouse and keyboard on elements of a virtual UI."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from desktop_agent.extras.avis.simulation.action_log import LoggedAction
from desktop_agent.extras.avis.simulation.scene_file import FORMAT, SceneFile, load_scene, read_scene
from desktop_agent.extras.avis.simulation.services.code_elements import EXECUTE_CODE, CodeElements
from desktop_agent.extras.avis.simulation.services.simulation_control import AISimulationControlService, go_on
from desktop_agent.extras.avis.simulation.services.virtual_input_types import (
    AIPermissionSet,
    AVISActionLogEntry,
    ExecutionResult,
    VirtualFocusCommand,
    VirtualInputElementDescription,
    VirtualInputPermissionLevel,
    VirtualKeyboardCommand,
    VirtualMouseCommand,
)
from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop
from desktop_agent.extras.avis.simulation.widget import Widget
from desktop_agent.protocol import keys as key_names
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, InputEvent, KeyDown, KeyUp, Move, Text
from desktop_agent.protocol.stop_flag import StopFlag

ClickType: TypeAlias = Literal["left", "right", "double"]
ScrollDirection: TypeAlias = Literal["up", "down", "left", "right"]
VIRTUAL_WINDOW = "virtual_window"
"""The window around elements that are loaded without one; it is not told of."""
_CHUNK = 32
"""Characters of one raw event of text."""
_PLACES_OF_A_DRAG = ("drag_to_element_id", "drag_to_relative_x", "drag_to_relative_y")


class AIVirtualInputService:
    """One virtual UI, worked by commands. Nothing outside it is touched: no event of mouse or keyboard reaches the system.

    A command returns its line of the action log, with its outcome; what is not carried out is refused there in words.
    Not for use from several threads at once. `stop` ends code that is being executed.
    """

    permission_level: VirtualInputPermissionLevel = "simulation_only"

    def __init__(self, control: AISimulationControlService, stop: StopFlag | None = None) -> None:
        self.control, self._stop = control, stop
        self.use_desktop(SimulatedDesktop(SceneFile(format=FORMAT, title="", ui=())))

    # ---- the virtual UI ----------------------------------------------------------------------

    def load_virtual_ui(self, elements: Sequence[VirtualInputElementDescription]) -> None:
        """Show these elements in place of what there was. What stands in no window gets one that fills the screen.

        Raises ConfigError with what is wrong and where; then all stays as it was.
        """
        ui: list[Any] = []
        loose: list[Any] = []
        for each in elements:
            if each.get("element_type") in ("window", "dialog"):
                ui.append(each)
                continue
            if not loose:
                ui.append(_window_of(loose))
            loose.append(each)
        try:
            text = json.dumps({"format": FORMAT, "title": "virtual UI", "ui": ui})
        except (TypeError, ValueError, RecursionError) as error:
            raise ConfigError(f"The virtual UI is not made of plain values: {error}.", "Mend it.") from error
        desktop = SimulatedDesktop(read_scene(text, "virtual UI"))
        _restore_focus(desktop, elements)
        self.use_desktop(desktop)

    def load_scene(self, what: str) -> None:
        """Show a scene of the program by its name, or of a file by its path. Raises ConfigError that says where."""
        self.use_desktop(SimulatedDesktop(load_scene(what)))

    def use_desktop(self, desktop: SimulatedDesktop) -> None:
        """Work this desktop from now on. Raises ConfigError."""
        self._code = CodeElements(desktop, self.control, go_on if self._stop is None else self._stop.check)
        self.desktop = desktop
        self._held = False

    def get_current_virtual_ui(self) -> list[VirtualInputElementDescription]:
        """All elements as they are now; what this gives can be loaded again and behaves the same."""
        self.desktop.look()
        told: list[Any] = []
        for window in self.desktop.describe():
            told += window.get("children", []) if window["element_id"] == VIRTUAL_WINDOW else [window]
        return told

    @property
    def virtual_ui_elements(self) -> list[VirtualInputElementDescription]:
        """`get_current_virtual_ui()`."""
        return self.get_current_virtual_ui()

    def get_element_bounds(self, element_id: str) -> list[float] | None:
        """Where the part of an element is that shows, as ratios [x, y, width, height] of the screen; None for nowhere."""
        shown, screen = self.desktop.layout.shown(element_id), self.desktop.screen
        if shown.empty:
            return None
        return [
            shown.x / screen.width,
            shown.y / screen.height,
            shown.width / screen.width,
            shown.height / screen.height,
        ]

    @property
    def virtual_focused_element_id(self) -> str | None:
        """The element that has the keyboard."""
        return None if self.desktop.focus is None else self.desktop.focus.id

    @property
    def virtual_hovered_element_id(self) -> str | None:
        """The element under the pointer."""
        return None if self.desktop.hovered is None else self.desktop.hovered.id

    @property
    def virtual_cursor_position(self) -> tuple[float, float]:
        """The pointer as ratios of the screen."""
        at, screen = self.desktop.pointer, self.desktop.screen
        return at.x / screen.width, at.y / screen.height

    # ---- permissions, hardware, the log ------------------------------------------------------

    @property
    def current_ai_permissions(self) -> AIPermissionSet:
        """The permissions as of the last refresh: a copy."""
        return copy.copy(self._code.permissions)

    @property
    def current_sim_hardware_status(self) -> dict[str, Any]:
        """The hardware's values as of the last refresh; only `is_available` where reading them is not permitted."""
        return dict(self._code.hardware)

    def refresh_simulation_status(self) -> None:
        """Read permissions and hardware status anew, and show them in their elements."""
        self._code.refresh()

    @property
    def action_log(self) -> list[AVISActionLogEntry]:
        """The commands on this virtual UI, and the attempts to execute code, with their outcomes; the oldest first."""
        return [_entry(line) for line in self.desktop.log if line.command is not None]

    # ---- code --------------------------------------------------------------------------------

    def process_code_execution_command(self, code: str) -> ExecutionResult:
        """Have code executed as far as that is permitted, show the result in its element and log it. Raises Stopped."""
        return self._code.execute(code)

    # ---- commands ----------------------------------------------------------------------------

    def process_mouse_command(self, command: VirtualMouseCommand) -> AVISActionLogEntry:
        """Carry out a command of the mouse, or refuse it in words. Raises Stopped where code it executes is stopped."""
        work: dict[str, Callable[[_Fields], str]] = {
            "click": self._click,
            "hover": self._hover,
            "move_relative_to_element": self._hover,
            "move_relative_to_window": self._move_by,
            "scroll": self._scroll,
            "drag_start": self._drag_start,
            "drag_end": self._drag_end,
        }
        return self._process(command, VirtualMouseCommand.__annotations__, work)

    def process_keyboard_command(self, command: VirtualKeyboardCommand) -> AVISActionLogEntry:
        """Carry out a command of the keyboard, or refuse it in words. Raises Stopped where code it executes is stopped."""
        work = {
            "type_string": self._type_string,
            "press_keys": self._press_keys,
            "special_key": self._special_key,
        }
        return self._process(command, VirtualKeyboardCommand.__annotations__, work)

    def _process(
        self,
        command: Mapping[str, Any],
        known: Mapping[str, Any],
        work: Mapping[str, Callable[[_Fields], str]],
    ) -> AVISActionLogEntry:
        before = next(reversed(list(self.desktop.log)), None)
        action = str(command.get("action_type", ""))
        target = command.get("target_element_id")
        element = target if isinstance(target, str) else ""
        log, given = self.desktop.log, copy.deepcopy(dict(command))
        try:
            if action not in work:
                raise Refused(f"There is no action {action!r} here; there is: {', '.join(work)}.")
            if unknown := sorted(set(command) - set(known)):
                raise Refused(f"A command has no field {unknown[0]!r}.")
            told = work[action](_Fields(command))
        except Refused as error:
            return _entry(log.note(action, element, "refused", str(error), given))
        for line in reversed(list(log)):
            if line is before:
                break
            if line.outcome == "refused" or (line.outcome == "failed" and line.action != EXECUTE_CODE):
                return _entry(log.note(action, element, line.outcome, _sentence(line.outcome_message), given))
        if told:
            return _entry(log.note(action, element, "failed", told, given))
        return _entry(log.note(action, element, "done", "", given))

    # ---- mouse -------------------------------------------------------------------------------

    def _click(self, fields: _Fields) -> str:
        kind = fields.choice("click_type", ("left", "right", "double")) or "left"
        self._not_held()
        at = self._place(fields, acting=True)
        self._emit(Move(at.x, at.y))
        button: Literal["left", "right"] = "right" if kind == "right" else "left"
        for _ in range(2 if kind == "double" else 1):
            self._emit(ButtonDown(button), ButtonUp(button))
        return ""

    def _hover(self, fields: _Fields) -> str:
        if fields.text("target_element_id") is None:
            raise Refused("It does not say which element.")
        at = self._place(fields, acting=False)
        self._emit(Move(at.x, at.y))
        return ""

    def _move_by(self, fields: _Fields) -> str:
        x, y = (fields.ratio(name, -1.0) or 0.0 for name in ("relative_x", "relative_y"))
        screen, at = self.desktop.screen, self.desktop.pointer
        to = Point(at.x + round(x * screen.width), at.y + round(y * screen.height))
        if not screen.contains(to):
            raise Refused("The pointer would leave the screen.")
        self._emit(Move(to.x, to.y))
        return ""

    def _scroll(self, fields: _Fields) -> str:
        direction = fields.choice("scroll_direction", ("up", "down", "left", "right"))
        ratio, pages = fields.ratio("scroll_amount_ratio"), fields.whole("scroll_pages")
        if direction is None:
            raise Refused("It does not say in which direction to scroll.")
        if ratio is not None and pages is not None:
            raise Refused("It says both a ratio and pages to scroll by.")
        if (pages is not None and pages < 1) or ratio == 0:
            raise Refused("It scrolls by nothing.")
        widget = self._scrollable(fields.text("target_element_id"))
        if direction in ("left", "right"):
            raise Refused(f"{widget.id} does not scroll sideways.")
        amount = pages if pages is not None else ratio if ratio is not None else 1.0
        height = self.desktop.layout.insides[widget.id].height
        at = self._in_sight(widget).center
        self._emit(Move(at.x, at.y))
        pixels = max(1, round(amount * height))
        moved = self.desktop.scroll_by(widget, pixels if direction == "down" else -pixels)
        return "" if moved else f"{widget.id} is at its end."

    def _scrollable(self, element_id: str | None) -> Widget:
        """The element, or what it stands in, or without one the window in front: whatever of these scrolls."""
        if element_id is None:
            front = self.desktop.front
            if front is None:
                raise Refused("There is no window.")
            inside = [each for each in front.all() if each.in_sight]
        else:
            inside = list(self._element(element_id).ways_up())
        found = next((each for each in inside if each.id in self.desktop.layout.contents), None)
        if found is None:
            raise Refused(f"{element_id or 'The window'} has nothing to scroll.")
        self._not_behind_a_dialog(found)
        return found

    def _drag_start(self, fields: _Fields) -> str:
        if any(fields.has(name) for name in _PLACES_OF_A_DRAG):
            raise Refused("Where a drag ends is said in drag_end.")
        self._not_held()
        target = fields.text("target_element_id")
        if target is None:
            raise Refused("It does not say which element.")
        at = self._place(fields, acting=True)
        widget = self._element(target)
        draggable = widget.type in ("window", "dialog", "slider", "canvas") or widget.kind.text
        if not draggable and not any(each.get("draggable") for each in widget.ways_up()):
            raise Refused(f"{target} cannot be dragged: it is a {_words(widget.type)}.")
        if widget.parent is None and not (fields.has("relative_x") or fields.has("relative_y")):
            bar = next(
                each
                for each in self.desktop.layout.pieces
                if each.element == widget.id and each.kind == "title_bar"
            )
            at = bar.shown.center
        self._emit(Move(at.x, at.y), ButtonDown("left"))
        self._held = True
        return ""

    def _drag_end(self, fields: _Fields) -> str:
        if not self._held:
            raise Refused("Nothing is being dragged.")
        to = self._drop_place(fields)
        began = self.desktop.pointer
        middle = Point((began.x + to.x) // 2, (began.y + to.y) // 2)
        self._emit(Move(middle.x, middle.y), Move(to.x, to.y), ButtonUp("left"))
        self._held = False
        return ""

    def _drop_place(self, fields: _Fields) -> Point:
        """Where a drag ends. Raises Refused."""
        onto, x, y = (
            fields.text("drag_to_element_id"),
            fields.ratio("drag_to_relative_x"),
            fields.ratio("drag_to_relative_y"),
        )
        if onto is None and (x is None or y is None):
            raise Refused("It does not say where to: an element, or both coordinates.")
        return self._spot(onto, x, y, acting=False)

    def _not_held(self) -> None:
        if self._held:
            raise Refused("Something is being dragged; end that first (drag_end).")

    # ---- keyboard ----------------------------------------------------------------------------

    def _type_string(self, fields: _Fields) -> str:
        text = fields.text("text_to_type")
        if not text:
            raise Refused("There is no text to type.")
        target = fields.text("target_element_id")
        widget = self._element(target) if target is not None else self.desktop.focus
        if widget is None:
            raise Refused("Nothing has the focus; name the element to type into.")
        if not widget.kind.text:
            raise Refused(f"{widget.id} takes no text: it is a {_words(widget.type)}.")
        if widget.get("is_read_only"):
            raise Refused(f"{widget.id} is read-only.")
        if odd := next((each for each in text if ord(each) < 32 and each != "\n"), ""):
            raise Refused(f"{odd!r} is no text but a key; special_key presses it, and blanks indent.")
        if "\n" in text and widget.type != "text_area":
            raise Refused(f"{widget.id} holds one line; special_key presses enter.")
        begin, end = widget.selection if widget is self.desktop.focus else (0, 0)
        most = widget.get("max_length")
        if most is not None and len(widget.value) - (end - begin) + len(text) > int(most):
            raise Refused(f"{widget.id} takes no more than {most} characters.")
        self._focus(widget)
        self._emit(*(Text(text[index : index + _CHUNK]) for index in range(0, len(text), _CHUNK)))
        return ""

    def _press_keys(self, fields: _Fields) -> str:
        named = fields.names("keys")
        if not named:
            raise Refused("There are no keys to press.")
        return self._pressed(key_names.together(named), fields)

    def _special_key(self, fields: _Fields) -> str:
        name = fields.text("key_name")
        if not name:
            raise Refused("It does not say which key.")
        found = key_names.canonical(name)
        if len(found) == 1:
            raise Refused(f"{name!r} is a character; type_string types it, press_keys presses it.")
        return self._pressed([found], fields)

    def _pressed(self, keys: Sequence[str], fields: _Fields) -> str:
        if (target := fields.text("target_element_id")) is not None:
            self._focus(self._element(target))
        self._emit(*map(KeyDown, keys), *map(KeyUp, reversed(keys)))
        return ""

    def _focus(self, widget: Widget) -> None:
        """Give an element the focus; a text that did not have it gets the caret at its end. Raises Refused."""
        self._not_behind_a_dialog(widget)
        self._usable(widget)
        if not widget.kind.focusable:
            raise Refused(f"{widget.id} takes no focus: it is a {_words(widget.type)}.")
        if self.desktop.focus is widget:
            return
        self.desktop.give_focus(widget)
        if widget.kind.text:
            widget.caret = widget.anchor = len(widget.value)
        self.desktop.changed()

    # ---- elements and places -----------------------------------------------------------------

    def _element(self, element_id: str) -> Widget:
        widget = self.desktop.widget(element_id)
        if widget is None or (widget.id == VIRTUAL_WINDOW):
            raise Refused(f"There is no element {element_id!r}.")
        if not widget.in_sight:
            raise Refused(f"{element_id} is hidden.")
        return widget

    def _usable(self, widget: Widget) -> None:
        if not widget.usable:
            raise Refused(f"{widget.id} is disabled.")

    def _not_behind_a_dialog(self, widget: Widget) -> None:
        if (modal := self.desktop.modal) is not None and widget.window is not modal:
            raise Refused(f"The dialog {modal.label or modal.id!r} has to be answered first.")

    def _in_sight(self, widget: Widget) -> Rect:
        """The part of an element that shows, its window brought to the front. Raises Refused where nothing does."""
        shown = self.desktop.layout.shown(widget.id)
        if shown.empty:
            raise Refused(f"{widget.id} is out of sight: it is in a menu that is closed, or scrolled away.")
        return shown

    def _place(self, fields: _Fields, *, acting: bool) -> Point:
        """The pixel that a command means. Raises Refused."""
        target, x, y = (
            fields.text("target_element_id"),
            fields.ratio("relative_x"),
            fields.ratio("relative_y"),
        )
        if target is None and (x is None or y is None):
            raise Refused("It does not say where: an element, or both coordinates.")
        return self._spot(target, x, y, acting=acting)

    def _spot(self, target: str | None, x: float | None, y: float | None, *, acting: bool) -> Point:
        """A pixel of an element, or without one of the screen; `acting` for an element that is to do something."""
        if target is None:
            return _pixel(self.desktop.screen, x, y)
        widget = self._element(target)
        if acting:
            self._usable(widget)
            self._not_behind_a_dialog(widget)
            self.desktop.raise_window(widget.window)
            self.desktop.changed()
        shown = self._in_sight(widget)
        told = x is not None or y is not None
        at = _pixel(self.desktop.layout.places[widget.id], x, y) if told else shown.center
        piece = self.desktop.layout.at(at)
        over = None if piece is None else self.desktop.widget(piece.element)
        if over is None or not any(each is widget for each in over.ways_up()):
            raise Refused(f"That place of {target} is not in sight.")
        return at

    def _emit(self, *events: InputEvent) -> None:
        try:
            for event in events:
                self.desktop.emit(event)
        except BaseException:  # code that one of them executed was stopped: nothing stays held
            self.desktop.release()
            raise

    # ---- actions by name ---------------------------------------------------------------------

    def focus_element(self, element_id: str) -> AVISActionLogEntry:
        """Give an element the keyboard."""
        command: VirtualFocusCommand = {"action_type": "focus", "target_element_id": element_id}

        def focus(fields: _Fields) -> str:
            self._focus(self._element(fields.text("target_element_id") or ""))
            return ""

        return self._process(command, VirtualFocusCommand.__annotations__, {"focus": focus})

    def click_element(
        self,
        element_id: str,
        click_type: ClickType = "left",
        relative_x: float | None = None,
        relative_y: float | None = None,
    ) -> AVISActionLogEntry:
        """Click an element, in its middle unless told."""
        return self.process_mouse_command(
            {
                "action_type": "click",
                "target_element_id": element_id,
                "click_type": click_type,
                "relative_x": relative_x,
                "relative_y": relative_y,
            }
        )

    def hover_element(
        self, element_id: str, relative_x: float | None = None, relative_y: float | None = None
    ) -> AVISActionLogEntry:
        """Move the pointer over an element."""
        return self.process_mouse_command(
            {
                "action_type": "hover",
                "target_element_id": element_id,
                "relative_x": relative_x,
                "relative_y": relative_y,
            }
        )

    def drag_element_to_position(
        self, source_element_id: str, target_window_relative_x: float, target_window_relative_y: float
    ) -> AVISActionLogEntry:
        """Drag an element to a place of the screen."""
        return self._dragged(
            source_element_id,
            {
                "action_type": "drag_end",
                "drag_to_relative_x": target_window_relative_x,
                "drag_to_relative_y": target_window_relative_y,
            },
        )

    def drag_element_to_element(self, source_element_id: str, target_element_id: str) -> AVISActionLogEntry:
        """Drag an element onto another."""
        return self._dragged(
            source_element_id, {"action_type": "drag_end", "drag_to_element_id": target_element_id}
        )

    def _dragged(self, source: str, end: VirtualMouseCommand) -> AVISActionLogEntry:
        try:
            self._drop_place(_Fields(end))  # before anything is pressed
        except Refused as error:
            return _entry(self.desktop.log.note("drag_end", source, "refused", str(error), dict(end)))
        begun = self.process_mouse_command({"action_type": "drag_start", "target_element_id": source})
        if begun["outcome"] != "done":
            return begun
        ended = self.process_mouse_command(end)
        if self._held:  # the place went out of sight meanwhile: what is held is let go where it was
            self.desktop.release()
            self._held = False
        return ended

    def scroll_element(
        self,
        element_id: str | None,
        direction: ScrollDirection,
        amount_ratio: float | None = None,
        pages: int | None = None,
    ) -> AVISActionLogEntry:
        """Scroll an element, or what it stands in, by a ratio of its height or by pages; one page unless told."""
        return self.process_mouse_command(
            {
                "action_type": "scroll",
                "target_element_id": element_id,
                "scroll_direction": direction,
                "scroll_amount_ratio": amount_ratio,
                "scroll_pages": pages,
            }
        )

    def move_mouse_relative(self, delta_x_ratio: float, delta_y_ratio: float) -> AVISActionLogEntry:
        """Move the pointer by ratios of the screen."""
        return self.process_mouse_command(
            {
                "action_type": "move_relative_to_window",
                "relative_x": delta_x_ratio,
                "relative_y": delta_y_ratio,
            }
        )

    def type_string(self, text: str, target_element_id: str | None = None) -> AVISActionLogEntry:
        """Type a text into an element, or into what has the focus."""
        return self.process_keyboard_command(
            {"action_type": "type_string", "text_to_type": text, "target_element_id": target_element_id}
        )

    def press_keys(self, keys: list[str], target_element_id: str | None = None) -> AVISActionLogEntry:
        """Press keys together, as in ["ctrl", "a"]."""
        return self.process_keyboard_command(
            {"action_type": "press_keys", "keys": keys, "target_element_id": target_element_id}
        )

    def special_key(self, key_name: str, target_element_id: str | None = None) -> AVISActionLogEntry:
        """Press one key that has a name, as enter, tab or esc."""
        return self.process_keyboard_command(
            {"action_type": "special_key", "key_name": key_name, "target_element_id": target_element_id}
        )


class _Fields:
    """The fields of a command, each of the kind that is asked for; None counts as not given. Raises Refused."""

    def __init__(self, command: Mapping[str, Any]) -> None:
        self._given = {name: value for name, value in command.items() if value is not None}

    def has(self, name: str) -> bool:
        return name in self._given

    def text(self, name: str) -> str | None:
        value = self._given.get(name)
        if value is not None and not isinstance(value, str):
            raise Refused(f"{name} is no text.")
        return value

    def choice(self, name: str, known: tuple[str, ...]) -> str | None:
        value = self._given.get(name)
        if value is not None and value not in known:
            raise Refused(f"{name} is none of {', '.join(known)}.")
        return value

    def ratio(self, name: str, low: float = 0.0) -> float | None:
        value = self._given.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise Refused(f"{name} is no number.")
        if not low <= value <= 1.0:
            raise Refused(f"{name} is {value:g}, which is outside {low:g} to 1.")
        return float(value)

    def whole(self, name: str) -> int | None:
        value = self._given.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise Refused(f"{name} is no whole number.")
        return value

    def names(self, name: str) -> list[str]:
        value = self._given.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise Refused(f"{name} is no list of texts.")
        return value


def _pixel(place: Rect, x: float | None, y: float | None) -> Point:
    """The pixel at ratios of a rectangle; a ratio that is not given is the middle."""
    ratio_x, ratio_y = (0.5 if each is None else each for each in (x, y))
    return Point(
        place.x + min(place.width - 1, int(ratio_x * place.width)),
        place.y + min(place.height - 1, int(ratio_y * place.height)),
    )


def _window_of(children: list[Any]) -> dict[str, Any]:
    """The window around elements that are loaded without one."""
    return {
        "element_id": VIRTUAL_WINDOW,
        "element_type": "window",
        "bounds_relative": [0, 0, 1, 1],
        "attributes": {"closable": False},
        "children": children,
    }


def _restore_focus(desktop: SimulatedDesktop, elements: Sequence[Mapping[str, Any]]) -> None:
    """Give the focus to the element that is described as having it, where it can have it now."""
    left = list(elements)
    while left:
        each = left.pop(0)
        left += each.get("children") or []
        widget = desktop.widget(each["element_id"])
        if each.get("is_focused") and widget is not None and widget.kind.focusable:
            if widget.in_sight and widget.usable and widget.window is desktop.front:
                desktop.give_focus(widget)
                desktop.changed()
            return


def _entry(line: LoggedAction) -> AVISActionLogEntry:
    command: Any = copy.deepcopy(line.command) or {}
    executed = line.action == EXECUTE_CODE
    return {
        "command": command,
        "outcome": line.outcome,
        "outcome_message": line.outcome_message,
        "element_id": line.element_id or None,
        "time": line.time,
        "code": command.get("code_to_execute") if executed else None,
        "permissions": command.get("permissions_context") if executed else None,
    }


def _sentence(words: str) -> str:
    words = words.strip()
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def _words(element_type: str) -> str:
    return element_type.replace("_", " ")
