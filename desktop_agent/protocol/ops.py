"""Every operation, defined once: the same definition validates, makes the schema and names the fields.

Coordinates are pixels of the picture the model was shown; `RESERVED` operations belong to the human.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_args

import msgspec

from desktop_agent.protocol.input_events import Button

MAX_TEXT = 10_000
MAX_PATH_POINTS = 64

Pixel: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=65_535)]
Key: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=1, max_length=32, description="a key's name: a, ctrl, enter, f5")
]
ElementId: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=1, max_length=64, description="an element's id from the list of elements")
]
# Control characters are keys, not text: only line feed (Return) and tab may stand in a text. Patterns end
# in \Z because $ would let a line feed pass at the end.
TypedText: TypeAlias = Annotated[
    str, msgspec.Meta(max_length=MAX_TEXT, pattern="^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*\\Z")
]
Words: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
FilePath: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=4_096, pattern="^[^\\x00]*\\Z")]
Notches: TypeAlias = Annotated[int, msgspec.Meta(ge=-100, le=100)]
Clicks: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=3)]
Modifiers: TypeAlias = Annotated[
    tuple[Key, ...], msgspec.Meta(max_length=4, description="keys held meanwhile")
]
Line: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]


class _Op(msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """Base of all operations; the tag `op` is the operation's name."""


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pixel of the picture."""

    x: Pixel
    y: Pixel


class Region(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rectangle of the picture."""

    x: Pixel
    y: Pixel
    width: Annotated[int, msgspec.Meta(ge=1, le=65_535)]
    height: Annotated[int, msgspec.Meta(ge=1, le=65_535)]


# ---- pointer ---------------------------------------------------------------------------------


class Move(_Op, frozen=True, tag="move"):
    """Move the pointer."""

    x: Pixel
    y: Pixel


class Click(_Op, frozen=True, tag="click"):
    """Click at x, y, or where the pointer is when both are left out (null)."""

    x: Pixel | None = None
    y: Pixel | None = None
    button: Button = "left"
    count: Clicks = 1
    modifiers: Modifiers = ()


class MouseDown(_Op, frozen=True, tag="mouse_down"):
    """Press and hold a button (it is released at the end of the batch if you do not)."""

    button: Button = "left"
    x: Pixel | None = None
    y: Pixel | None = None


class MouseUp(_Op, frozen=True, tag="mouse_up"):
    """Release a button."""

    button: Button = "left"
    x: Pixel | None = None
    y: Pixel | None = None


class Drag(_Op, frozen=True, tag="drag"):
    """Press at the first point, move along the path, release at the last point."""

    path: Annotated[tuple[Spot, ...], msgspec.Meta(min_length=2, max_length=MAX_PATH_POINTS)]
    button: Button = "left"
    modifiers: Modifiers = ()


class Scroll(_Op, frozen=True, tag="scroll"):
    """Turn the wheel: dy negative scrolls down, dx positive scrolls right, in notches."""

    dx: Notches = 0
    dy: Notches = 0
    x: Pixel | None = None
    y: Pixel | None = None


# ---- keyboard --------------------------------------------------------------------------------


class KeyDown(_Op, frozen=True, tag="key_down"):
    """Press and hold a key (it is released at the end of the batch if you do not)."""

    key: Key


class KeyUp(_Op, frozen=True, tag="key_up"):
    """Release a key."""

    key: Key


class KeyCombo(_Op, frozen=True, tag="key_combo"):
    """Press keys together, like ctrl+s: modifiers first, released in reverse order."""

    keys: Annotated[tuple[Key, ...], msgspec.Meta(min_length=1, max_length=5)]


class Type(_Op, frozen=True, tag="type"):
    """Type text exactly; a line feed is Return, a tab is Tab. `element` is focused first."""

    text: TypedText
    delay: Annotated[float, msgspec.Meta(ge=0, le=1, description="seconds between characters")] = 0
    element: ElementId | None = None


class Wait(_Op, frozen=True, tag="wait"):
    """Let the screen work."""

    seconds: Annotated[float, msgspec.Meta(ge=0, le=30)]


# ---- elements --------------------------------------------------------------------------------


class ClickElement(_Op, frozen=True, tag="click_element"):
    """Click the middle of an element."""

    element: ElementId
    button: Button = "left"
    count: Clicks = 1
    modifiers: Modifiers = ()


class HoverElement(_Op, frozen=True, tag="hover_element"):
    """Move the pointer over an element."""

    element: ElementId


class FocusElement(_Op, frozen=True, tag="focus_element"):
    """Give an element the keyboard focus."""

    element: ElementId


class DragElement(_Op, frozen=True, tag="drag_element"):
    """Drag one element onto another."""

    element: ElementId
    to: ElementId


class ScrollElement(_Op, frozen=True, tag="scroll_element"):
    """Turn the wheel over an element."""

    element: ElementId
    dx: Notches = 0
    dy: Notches = 0


# ---- the system, looking, environments and files ---------------------------------------------


class Open(_Op, frozen=True, tag="open"):
    """Open an application by its everyday name, a file or an address with the system's own opener."""

    target: Annotated[
        str, msgspec.Meta(min_length=1, max_length=2_048, pattern="^[^\\x00-\\x1f\\x7f-\\x9f]*\\Z")
    ]


class Look(_Op, frozen=True, tag="look"):
    """Take a new look: at a region in full resolution, or at everything."""

    region: Region | None = None


class Read(_Op, frozen=True, tag="read"):
    """Read the text of an element, or of a region, or of the whole screen."""

    element: ElementId | None = None
    region: Region | None = None


class Run(_Op, frozen=True, tag="run"):
    """Run a command in one of the listed environments."""

    environment: Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern="^[a-z][a-z0-9_]*\\Z")]
    command: Annotated[str, msgspec.Meta(min_length=1, max_length=100_000)]


class ReadFile(_Op, frozen=True, tag="read_file"):
    """Read a file of the workspace, whole or by lines (first line is 1, end inclusive)."""

    path: FilePath
    start: Line | None = None
    end: Line | None = None


class WriteFile(_Op, frozen=True, tag="write_file"):
    """Write a whole file of the workspace."""

    path: FilePath
    content: Annotated[str, msgspec.Meta(max_length=200_000)]


class EditFile(_Op, frozen=True, tag="edit_file"):
    """Replace the first (or every) occurrence of a text in a file of the workspace."""

    path: FilePath
    old: Annotated[str, msgspec.Meta(min_length=1, max_length=100_000)]
    new: Annotated[str, msgspec.Meta(max_length=100_000)]
    all: bool = False


# ---- the end of a turn -----------------------------------------------------------------------


class Ask(_Op, frozen=True, tag="ask"):
    """Ask the user something and wait for the answer."""

    question: Words


class Done(_Op, frozen=True, tag="done"):
    """The goal is reached and you have seen that it is."""

    summary: Words


class Fail(_Op, frozen=True, tag="fail"):
    """The goal cannot be reached."""

    reason: Words


# ---- control ---------------------------------------------------------------------------------


class ReleaseAll(_Op, frozen=True, tag="release_all"):
    """Release every held key and button."""


class Pause(_Op, frozen=True, tag="pause"):
    """Pause until the user resumes."""


class Stop(_Op, frozen=True, tag="stop"):
    """Stop the run at once."""


class Approve(_Op, frozen=True, tag="approve"):
    """The human's yes to a batch."""


class Resume(_Op, frozen=True, tag="resume"):
    """The human's word to go on after a pause."""


Op: TypeAlias = (
    Move | Click | MouseDown | MouseUp | Drag | Scroll
    | KeyDown | KeyUp | KeyCombo | Type | Wait
    | ClickElement | HoverElement | FocusElement | DragElement | ScrollElement
    | Open | Look | Read | Run | ReadFile | WriteFile | EditFile
    | Ask | Done | Fail
    | ReleaseAll | Pause | Stop | Approve | Resume
)  # fmt: skip

OPS: dict[str, type[_Op]] = {cls.__struct_config__.tag: cls for cls in get_args(Op)}
RESERVED = frozenset({"approve", "resume"})


def name_of(op: Op) -> str:
    """The operation's name as models write it, e.g. `click_element`."""
    return str(type(op).__struct_config__.tag)
