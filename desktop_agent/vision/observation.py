"""What a model is given to see: a frame, the elements on it, and text sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.scene import Scene

if TYPE_CHECKING:
    from desktop_agent.vision.capture.frame import Frame


class Element(msgspec.Struct, frozen=True):
    """A named thing on the screen.

    `id` is short and unique within one observation, and stays that of the same thing in later ones;
    `role` is a lower-case word as AT-SPI and UI Automation have it ("push button", "entry", "menu item"); `value` is the text of a box, the
    position of a slider; `states` holds any of: enabled focused focusable checked selected expandable
    expanded editable showing pressed password multiline, and unreadable for a box that does not tell its text; `bounds` are screen pixels; `window` is the title
    and `application` the name of what it belongs to, `pid` its process id (0 when unknown); `source` is
    "tree" or "ocr". `whole` is where all of it is when `bounds` are only the part in sight. `trail` is
    the way down the tree to it, untold nodes included (its number among its siblings at each level): things
    with a long beginning in common belong together, as in a row or a card.
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


class Observation(msgspec.Struct, frozen=True):
    """One look at the target.

    `viewport` maps the picture the model gets to the screen; `elements` carry screen bounds;
    `texts` are further screen sections by title (a terminal's text, a file, an environment);
    `window` is the active window's title; `changed` says what is different from the look before.
    `raw_frame` is the frame with nothing masked, when `frame` has masks (it never leaves this machine);
    `scene` tells which window was where.
    """

    frame: Frame
    viewport: Viewport
    elements: tuple[Element, ...] = ()
    texts: dict[str, str] = {}
    window: str = ""
    windows: tuple[str, ...] = ()
    changed: str = ""
    time: float = 0.0
    raw_frame: Frame | None = None
    scene: Scene | None = None


def raw_pixels(observation: Observation) -> Frame:
    """The pixels as they were on the screen."""
    return observation.raw_frame or observation.frame
