"""What a model is given to see: a frame, the elements on it, and text sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_agent.protocol.geometry import Rect, Viewport

if TYPE_CHECKING:
    from desktop_agent.vision.frame import Frame


class Element(msgspec.Struct, frozen=True):
    """A named thing on the screen.

    `id` is short and unique within one observation; `role` is a lower-case word as AT-SPI and UI
    Automation have it ("push button", "entry", "menu item"); `value` is the text of a box, the
    position of a slider; `states` holds any of: enabled focused focusable checked selected expanded
    editable showing pressed password multiline; `bounds` are screen pixels; `window` is the title
    and `application` the name of what it belongs to, `pid` its process id (0 when unknown); `source` is
    "tree" or "ocr". `whole` is where all of it is when `bounds` are only the part in sight.
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


class Observation(msgspec.Struct, frozen=True):
    """One look at the target.

    `viewport` maps the picture the model gets to the screen; `elements` carry screen bounds;
    `texts` are further screen sections by title (a terminal's text, a file, an environment);
    `window` is the active window's title; `changed` says what is different from the look before.
    `screen` is the frame with nothing painted over: to compare pixels with, never sent, stored or shown.
    """

    frame: Frame
    viewport: Viewport
    elements: tuple[Element, ...] = ()
    texts: dict[str, str] = {}
    window: str = ""
    windows: tuple[str, ...] = ()
    changed: str = ""
    time: float = 0.0
    screen: Frame | None = None
