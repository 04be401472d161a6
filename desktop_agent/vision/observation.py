"""The record of one look at the target: a frame, the elements on it, and text sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.scene import Scene
from desktop_agent.protocol.terminal_state import TerminalState

if TYPE_CHECKING:
    from desktop_agent.vision.capture.frame import Frame


class Element(msgspec.Struct, frozen=True):
    """One user interface element on the screen (a button, a text, a list item).

    `id` is short and unique within one observation, and the same element keeps it in later ones;
    `role` is a lower-case word as AT-SPI and UI Automation have it ("push button", "entry", "menu item");
    `value` is the text of a text box, the position of a slider; `states` holds any of: enabled focused
    focusable checked selected expandable expanded editable showing pressed password multiline, and
    unreadable for a text box that does not give its text; `bounds` are screen pixels, of the visible part
    only; `whole` are the bounds of all of it when a part is covered, else None; `window` is the title and
    `application` the name of what it belongs to, `pid` its process id (0 when unknown); `source` is "tree"
    or "ocr". `trail` is its path in the accessibility tree, as the index among its siblings at each level,
    nodes that became no element included: elements with a long common prefix belong together (a row, a card).
    `handle` is what the platform calls it by (`HasElementHandles.follow_field`), "" where it has none.
    `url` is the address of a document (a page in a browser), "" for all else and where it is not told.
    `markup` are the class and id of a page's text field, "" for all else.
    """

    id: str
    role: str
    name: str
    bounds: Rect
    value: str = ""
    states: frozenset[str] = frozenset()
    window: str = ""
    application: str = ""
    source: str = "tree"
    parent: str = ""
    pid: int = 0
    whole: Rect | None = None
    trail: tuple[int, ...] = ()
    url: str = ""
    markup: str = ""
    handle: str = ""


class Observation(msgspec.Struct, frozen=True):
    """One look at the target.

    `frame` is the picture with private parts masked; `viewport` maps the picture the model gets to the
    screen; `elements` carry screen bounds; `texts` are further screen sections by title (a terminal's text, a
    file, an environment); `window` is the active window's title, `windows` are all titles; `changed` says in
    words where the picture differs from the look before, `news` which windows and elements came or went,
    `moving` that something had not come to rest, and `behind` that the elements may be older than the picture; `time` is seconds of the monotonic clock. `raw_frame` is the frame
    with nothing masked, set only when `frame` has masks: it never leaves this machine. `scene` is the stacking
    of the windows. `unshown` says why the picture is not to be shown to a model, "" when it may be. `terminal` is what
    was read of a terminal that fills the screen, where the place is one that is read so.
    """

    frame: Frame
    viewport: Viewport
    elements: tuple[Element, ...] = ()
    texts: dict[str, str] = {}
    window: str = ""
    windows: tuple[str, ...] = ()
    changed: str = ""
    news: str = ""
    moving: bool = False
    behind: bool = False
    time: float = 0.0
    raw_frame: Frame | None = None
    scene: Scene | None = None
    unshown: str = ""
    terminal: TerminalState | None = None


def raw_pixels(observation: Observation) -> Frame:
    """The frame with nothing masked, as it was on the screen; for use on this machine only."""
    return observation.raw_frame or observation.frame
