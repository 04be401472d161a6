"""Every operation, defined once: its fields, limits and traits.

The same definition validates a reply, makes the JSON Schema and tells the rest of the program how to
treat the operation (`op_traits`). Coordinates are pixels of the picture the model was shown;
`RESERVED` operations belong to the human.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeAlias, get_args

import msgspec

from desktop_agent.protocol.input_events import Button
from desktop_agent.protocol.op_traits import Traits, Verbs

MAX_TEXT = 10_000
MAX_PATH_POINTS = 64
MAX_CHOICES = 4
MAX_NOTE = 2_000
MAX_CHOICE = 120

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
Choice: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_CHOICE)]
NoteLine: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=1, max_length=120, pattern="^[^\\x00-\\x1f\\x7f-\\x9f]*\\Z")
]
FilePath: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=4_096, pattern="^[^\\x00]*\\Z")]
Notches: TypeAlias = Annotated[int, msgspec.Meta(ge=-100, le=100)]
Clicks: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=3)]
Modifiers: TypeAlias = Annotated[
    tuple[Key, ...], msgspec.Meta(max_length=4, description="keys held meanwhile")
]
Line: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]


class _Op(msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """Base of all operations; the tag `op` is the operation's name.

    Raises TypeError at import for an operation without traits.
    """

    traits: ClassVar[Traits]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "traits" not in cls.__dict__:
            raise TypeError(f"The operation {cls.__name__} has no traits: add `traits = Traits(...)` to it.")


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

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Moving the pointer", "Moved the pointer", "Move the pointer"),
        pointer=True,
        points_only=True,
        crosses_applications=True,
    )

    x: Pixel
    y: Pixel


class Click(_Op, frozen=True, tag="click"):
    """Click at x, y, or where the pointer is when both are left out (null)."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Clicking", "Clicked", "Click"),
        pointer=True,
        presses=True,
        gives_focus=True,
        visible=True,
        wants_look=True,
    )

    x: Pixel | None = None
    y: Pixel | None = None
    button: Button = "left"
    count: Clicks = 1
    modifiers: Modifiers = ()


class MouseDown(_Op, frozen=True, tag="mouse_down"):
    """Press and hold a button (it is released at the end of the batch if you do not)."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Pressing the mouse button", "Pressed the mouse button", "Press the mouse button"),
        pointer=True,
        presses=True,
        gives_focus=True,
        holds=1,
    )

    button: Button = "left"
    x: Pixel | None = None
    y: Pixel | None = None


class MouseUp(_Op, frozen=True, tag="mouse_up"):
    """Release a button."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Releasing the mouse button", "Released the mouse button", "Release the mouse button"),
        pointer=True,
        gives_focus=True,
        drops=True,
        holds=-1,
        visible=True,
    )

    button: Button = "left"
    x: Pixel | None = None
    y: Pixel | None = None


class Drag(_Op, frozen=True, tag="drag"):
    """Press at the first point, move along the path, release at the last point."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Dragging", "Dragged", "Drag"),
        pointer=True,
        presses=True,
        gives_focus=True,
        drops=True,
        visible=True,
        wants_look=True,
    )

    path: Annotated[tuple[Spot, ...], msgspec.Meta(min_length=2, max_length=MAX_PATH_POINTS)]
    button: Button = "left"
    modifiers: Modifiers = ()


class Scroll(_Op, frozen=True, tag="scroll"):
    """Turn the wheel: dy negative scrolls down, dx positive scrolls right, in notches."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Scrolling", "Scrolled", "Scroll"),
        pointer=True,
        points_only=True,
        crosses_applications=True,
        visible=True,
        wants_look=True,
    )

    dx: Notches = 0
    dy: Notches = 0
    x: Pixel | None = None
    y: Pixel | None = None


# ---- keyboard --------------------------------------------------------------------------------


class KeyDown(_Op, frozen=True, tag="key_down"):
    """Press and hold a key (it is released at the end of the batch if you do not)."""

    traits = Traits(
        carried_out_by="hand", verbs=Verbs("Holding", "Held", "Hold"), keyboard=True, holds=1, visible=True
    )

    key: Key


class KeyUp(_Op, frozen=True, tag="key_up"):
    """Release a key."""

    traits = Traits(
        carried_out_by="hand", verbs=Verbs("Releasing", "Released", "Release"), holds=-1, visible=True
    )

    key: Key


class KeyCombo(_Op, frozen=True, tag="key_combo"):
    """Press keys together, like ctrl+s: modifiers first, released in reverse order."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Pressing", "Pressed", "Press"),
        keyboard=True,
        visible=True,
        wants_look=True,
    )

    keys: Annotated[tuple[Key, ...], msgspec.Meta(min_length=1, max_length=5)]


class Type(_Op, frozen=True, tag="type"):
    """Type text exactly; a line feed is Return, a tab is Tab. `element` is focused first."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Typing", "Typed", "Type"),
        keyboard=True,
        visible=True,
        wants_look=True,
        moves_nothing=True,
        texts=("text",),
    )

    text: TypedText
    delay: Annotated[float, msgspec.Meta(ge=0, le=1, description="seconds between characters")] = 0
    element: ElementId | None = None


class Wait(_Op, frozen=True, tag="wait"):
    """Let the screen work."""

    traits = Traits(carried_out_by="hand", verbs=Verbs("Waiting", "Waited", "Wait"), passive=True)

    seconds: Annotated[float, msgspec.Meta(ge=0, le=30)]


# ---- elements --------------------------------------------------------------------------------


class ClickElement(_Op, frozen=True, tag="click_element"):
    """Click the middle of an element."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Clicking", "Clicked", "Click"),
        pointer=True,
        presses=True,
        gives_focus=True,
        visible=True,
        wants_look=True,
    )

    element: ElementId
    button: Button = "left"
    count: Clicks = 1
    modifiers: Modifiers = ()


class HoverElement(_Op, frozen=True, tag="hover_element"):
    """Move the pointer over an element."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Pointing at", "Pointed at", "Point at"),
        pointer=True,
        points_only=True,
        crosses_applications=True,
        visible=True,
        wants_look=True,
        moves_nothing=True,
    )

    element: ElementId


class FocusElement(_Op, frozen=True, tag="focus_element"):
    """Give an element the keyboard focus."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Going to", "Went to", "Go to"),
        pointer=True,
        presses=True,
        gives_focus=True,
        visible=True,
        wants_look=True,
        moves_nothing=True,
    )

    element: ElementId


class DragElement(_Op, frozen=True, tag="drag_element"):
    """Drag one element onto another."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Dragging", "Dragged", "Drag"),
        pointer=True,
        presses=True,
        gives_focus=True,
        drops=True,
        visible=True,
        wants_look=True,
    )

    element: ElementId
    to: ElementId


class ScrollElement(_Op, frozen=True, tag="scroll_element"):
    """Turn the wheel over an element."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Scrolling", "Scrolled", "Scroll"),
        pointer=True,
        points_only=True,
        visible=True,
        wants_look=True,
    )

    element: ElementId
    dx: Notches = 0
    dy: Notches = 0


# ---- the system, looking, environments and files ---------------------------------------------


class Open(_Op, frozen=True, tag="open"):
    """Open an application by its everyday name, a file or an address with the system's own opener."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Opening", "Opened", "Open"),
        opens=True,
        visible=True,
        texts=("target",),
    )

    target: Annotated[
        str, msgspec.Meta(min_length=1, max_length=2_048, pattern="^[^\\x00-\\x1f\\x7f-\\x9f]*\\Z")
    ]


class Look(_Op, frozen=True, tag="look"):
    """Take a new look: at a region in full resolution, or at everything."""

    traits = Traits(
        carried_out_by="agent",
        verbs=Verbs("Taking a closer look", "Took a closer look", "Take a closer look"),
        passive=True,
    )

    region: Region | None = None


class Zoom(_Op, frozen=True, tag="zoom"):
    """See a region closer, in a picture of its own beside the whole one: coordinates stay those of the whole picture."""

    traits = Traits(
        carried_out_by="agent",
        verbs=Verbs("Zooming in", "Zoomed in", "Zoom in"),
        passive=True,
    )

    region: Region


class PointerPosition(_Op, frozen=True, tag="pointer_position"):
    """Ask where the pointer is, in pixels of the picture."""

    traits = Traits(
        carried_out_by="agent",
        verbs=Verbs("Asking where the pointer is", "Asked where the pointer is", "Ask where the pointer is"),
        passive=True,
    )


class Read(_Op, frozen=True, tag="read"):
    """Read the text of an element, or of a region, or of the whole screen."""

    traits = Traits(carried_out_by="agent", verbs=Verbs("Reading", "Read", "Read"), passive=True)

    element: ElementId | None = None
    region: Region | None = None


class Run(_Op, frozen=True, tag="run"):
    """Run a command in one of the listed environments."""

    traits = Traits(
        carried_out_by="environment",
        verbs=Verbs("Running a command in", "Ran a command in", "Run a command in"),
        sink="command",
        asks="A command can do whatever its environment lets it.",
        texts=("command",),
    )

    environment: Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern="^[a-z][a-z0-9_]*\\Z")]
    command: Annotated[str, msgspec.Meta(min_length=1, max_length=100_000)]


class ReadFile(_Op, frozen=True, tag="read_file"):
    """Read a file of the workspace, whole or by lines (first line is 1, end inclusive)."""

    traits = Traits(
        carried_out_by="environment",
        verbs=Verbs("Reading the file", "Read the file", "Read the file"),
        texts=("path",),
    )

    path: FilePath
    start: Line | None = None
    end: Line | None = None


class WriteFile(_Op, frozen=True, tag="write_file"):
    """Write a whole file of the workspace."""

    traits = Traits(
        carried_out_by="environment",
        verbs=Verbs("Writing the file", "Wrote the file", "Write the file"),
        sink="file change",
        asks="This replaces what is in the file.",
        texts=("path", "content"),
    )

    path: FilePath
    content: Annotated[str, msgspec.Meta(max_length=200_000)]


class EditFile(_Op, frozen=True, tag="edit_file"):
    """Replace the first (or every) occurrence of a text in a file of the workspace."""

    traits = Traits(
        carried_out_by="environment",
        verbs=Verbs("Editing the file", "Edited the file", "Edit the file"),
        sink="file change",
        asks="This changes what is in the file.",
        texts=("path", "new"),
    )

    path: FilePath
    old: Annotated[str, msgspec.Meta(min_length=1, max_length=100_000)]
    new: Annotated[str, msgspec.Meta(max_length=100_000)]
    all: bool = False


class ReadTerminal(_Op, frozen=True, tag="read_terminal"):
    """Read what the terminal printed last, also what you were told already."""

    traits = Traits(
        carried_out_by="environment",
        verbs=Verbs("Reading the terminal", "Read the terminal", "Read the terminal"),
    )


class WaitForNews(_Op, frozen=True, tag="wait_for_news"):
    """Wait, however long, until the terminal prints something or the user says something."""

    traits = Traits(
        carried_out_by="agent",
        verbs=Verbs("Waiting for news", "Waited for news", "Wait for news"),
        passive=True,
    )


class Remember(_Op, frozen=True, tag="remember", omit_defaults=True):
    """Keep a note for later runs: what the user would want known next time, never a secret. It replaces the note of the same title; an empty text removes that. about names other notes or things it belongs to."""

    traits = Traits(carried_out_by="agent", verbs=Verbs("Keeping the note", "Kept the note", "Keep the note"))

    title: NoteLine
    text: Annotated[
        str, msgspec.Meta(max_length=MAX_NOTE, pattern="^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*\\Z")
    ]
    about: Annotated[tuple[NoteLine, ...], msgspec.Meta(max_length=8)] = ()


# ---- the end of a turn -----------------------------------------------------------------------


class Ask(_Op, frozen=True, tag="ask", omit_defaults=True):
    """Ask the user something and wait for the answer; choices may offer up to four short answers to pick from. on_screen: they have to do something on the screen themselves, as a login, a second factor or a puzzle."""

    traits = Traits(carried_out_by="agent", verbs=Verbs("Asking", "Asked", "Ask"))

    question: Words
    choices: Annotated[
        tuple[Choice, ...],
        msgspec.Meta(
            max_length=MAX_CHOICES, description="short answers to pick from, one line each, distinct"
        ),
    ] = ()
    on_screen: bool = False


class Done(_Op, frozen=True, tag="done"):
    """The goal is reached and you have seen that it is."""

    traits = Traits(carried_out_by="agent", verbs=Verbs("Calling it done", "Called it done", "Call it done"))

    summary: Words


class Fail(_Op, frozen=True, tag="fail"):
    """The goal cannot be reached."""

    traits = Traits(carried_out_by="agent", verbs=Verbs("Giving up", "Gave up", "Give up"))

    reason: Words


# ---- control ---------------------------------------------------------------------------------


class ReleaseAll(_Op, frozen=True, tag="release_all"):
    """Release every held key and button."""

    traits = Traits(
        carried_out_by="hand",
        verbs=Verbs("Letting go of everything", "Let go of everything", "Let go of everything"),
    )


class Pause(_Op, frozen=True, tag="pause"):
    """Pause until the user resumes."""

    traits = Traits(carried_out_by="agent", verbs=Verbs("Pausing", "Paused", "Pause"))


class Stop(_Op, frozen=True, tag="stop"):
    """Stop the run at once."""

    traits = Traits(carried_out_by="agent", verbs=Verbs("Stopping", "Stopped", "Stop"))


class Approve(_Op, frozen=True, tag="approve"):
    """The human's yes to a batch."""

    traits = Traits(carried_out_by="human", verbs=Verbs("Approving", "Approved", "Approve"))


class Resume(_Op, frozen=True, tag="resume"):
    """The human's word to go on after a pause."""

    traits = Traits(carried_out_by="human", verbs=Verbs("Going on", "Went on", "Go on"))


Op: TypeAlias = (
    Move | Click | MouseDown | MouseUp | Drag | Scroll
    | KeyDown | KeyUp | KeyCombo | Type | Wait
    | ClickElement | HoverElement | FocusElement | DragElement | ScrollElement
    | Open | Look | Zoom | PointerPosition | Read | Run | ReadFile | WriteFile | EditFile
    | ReadTerminal | WaitForNews | Remember | Ask | Done | Fail
    | ReleaseAll | Pause | Stop | Approve | Resume
)  # fmt: skip

OPS: dict[str, type[_Op]] = {cls.__struct_config__.tag: cls for cls in get_args(Op)}
RESERVED = frozenset({"approve", "resume"})


def name_of(op: Op) -> str:
    """The operation's name as models write it, e.g. `click_element`."""
    return str(type(op).__struct_config__.tag)
