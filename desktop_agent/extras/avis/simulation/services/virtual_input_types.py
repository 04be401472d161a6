"""The commands, descriptions and results of the AI Virtual Input System, under the names of its specification (v0.4, section 6)."""

from __future__ import annotations

from typing import Any, Literal, Required, TypeAlias, TypedDict

VirtualMouseEventType: TypeAlias = Literal[
    "move_relative_to_element", "move_relative_to_window", "click", "scroll", "drag_start", "drag_end", "hover"
]  # fmt: skip
VirtualKeyboardActionType: TypeAlias = Literal["type_string", "press_keys", "special_key"]
VirtualInputPermissionLevel: TypeAlias = Literal[
    "simulation_only", "allow_actual_input_restricted", "allow_actual_input_full"
]
VirtualInputOutcome: TypeAlias = Literal["done", "refused", "failed"]
"""Of a command: it took effect; it was not carried out, with the reason; it was carried out and something went wrong."""


class VirtualInputElementDescription(TypedDict, total=False):
    """An element of a virtual UI. `bounds_relative` is [x, y, width, height] as ratios 0 to 1 of its parent."""

    element_id: Required[str]
    element_type: Required[str]
    label_text: str | None
    value: Any | None
    is_enabled: bool | None
    is_focused: bool | None
    is_visible: bool | None
    bounds_relative: list[float] | None
    children: list[VirtualInputElementDescription] | None
    attributes: dict[str, Any] | None


class VirtualMouseCommand(TypedDict, total=False):
    """What the mouse is to do. Coordinates are ratios 0 to 1 of the target element, without one of the screen.

    `move_relative_to_window` takes them as how far the pointer goes, -1 to 1.
    """

    action_type: Required[VirtualMouseEventType]
    target_element_id: str | None
    relative_x: float | None
    relative_y: float | None
    click_type: Literal["left", "right", "double"] | None
    scroll_direction: Literal["up", "down", "left", "right"] | None
    scroll_amount_ratio: float | None
    scroll_pages: int | None
    drag_to_element_id: str | None
    drag_to_relative_x: float | None
    drag_to_relative_y: float | None


class VirtualKeyboardCommand(TypedDict, total=False):
    """What the keyboard is to do: `text_to_type`, `keys` pressed together (["ctrl", "c"]), or one `key_name` ("enter")."""

    action_type: Required[VirtualKeyboardActionType]
    target_element_id: str | None
    text_to_type: str | None
    keys: list[str] | None
    key_name: str | None


class VirtualFocusCommand(TypedDict):
    """`focus_element` as it stands in the action log."""

    action_type: Literal["focus"]
    target_element_id: str


class AIPermissionSet(TypedDict):
    """What is granted beside virtual input. None of it gives real input, and no level of input gives any of it."""

    can_execute_code: bool
    can_read_sim_hw_status: bool


class ExecutionRequest(TypedDict):
    """One attempt to execute code; `request_id` is unique."""

    request_id: str
    code_to_execute: str
    permissions_context: AIPermissionSet


class ExecutionResult(TypedDict):
    """What became of an attempt.

    `execution_success` is False, and `script_exit_code` None, only where it was refused before it began. A script that
    fails or is ended at its limit was executed: its exit code and `status_message` tell.
    """

    request_id: str
    execution_success: bool
    script_exit_code: int | None
    stdout: str
    stderr: str
    status_message: str


class AVISActionLogEntry(TypedDict):
    """One line of the action log. `time` is seconds on the desktop's own clock.

    `code` and `permissions` are those of an attempt to execute code, None for every other command.
    """

    command: VirtualMouseCommand | VirtualKeyboardCommand | VirtualFocusCommand | ExecutionRequest
    outcome: VirtualInputOutcome
    outcome_message: str
    element_id: str | None
    time: float
    code: str | None
    permissions: AIPermissionSet | None
