"""What a screen is made of: pieces in the order they are drawn. The same ones are drawn, clicked and told as elements."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from desktop_agent.protocol.geometry import Rect

Kind: TypeAlias = Literal[
    "desktop", "shadow", "window", "title_bar", "title", "close", "panel", "caption", "label", "separator", "progress",
    "button", "link", "field", "area", "line", "placeholder", "caret", "selected_text", "check", "radio", "list", "row",
    "drop_down", "popup", "slider", "knob", "tab_bar", "tab", "expander", "menu_bar", "menu", "menu_item", "shortcut",
    "table", "column", "cell", "row_action", "canvas", "shape", "scroll_bar", "scroll_thumb", "tooltip", "drag", "pointer",
]  # fmt: skip


class ScreenPiece(msgspec.Struct, frozen=True, kw_only=True, dict=False):
    """One thing drawn at `rect` (screen pixels), of which only what lies in `clip` shows.

    `text` is written in the typeface of its kind; `element` is the id of the scene's element it belongs to and `part`
    which of that element's parts it is ("option", 2). `states` holds any of: hovered pressed focused disabled checked
    odd selected expanded read_only front modal draggable secret. `style` is the element's own (heading, primary, error,
    rect, circle …), `ratio` how far a progress or a knob is, `colour` #rrggbb of a shape. `indent` are pixels that the
    text begins further right. `points` are a line's two ends.
    """

    kind: Kind
    rect: Rect
    clip: Rect
    text: str = ""
    element: str = ""
    part: tuple[str, int | str] | None = None
    states: frozenset[str] = frozenset()
    style: str = ""
    ratio: float = 0.0
    colour: str = ""
    indent: int = 0
    points: tuple[int, int, int, int] | None = None

    @property
    def shown(self) -> Rect:
        """The part of it that shows."""
        return self.rect.intersection(self.clip)
