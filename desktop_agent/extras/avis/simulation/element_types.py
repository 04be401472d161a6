"""The kinds of elements a scene may have: their traits, and the attributes that each understands."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

ElementType: TypeAlias = Literal[
    "window", "dialog", "panel", "label", "separator", "progress", "button", "link", "text_field", "text_area",
    "checkbox", "radio", "list", "drop_down", "slider", "tabs", "tree", "menu_bar", "menu", "menu_item", "table", "canvas",
]  # fmt: skip
EVENTS = ("click", "change", "submit", "double_click", "choose", "drop", "open", "close")
CONTAINERS = frozenset(("window", "dialog", "panel", "tabs", "menu_bar", "menu"))
_ALL = frozenset(
    [
        "on",
        "tooltip",
        "tab_order",
        "draggable",
        "de",
        "misleading",
        "keep_place",
        "width",
        "height",
        "grow",
        "style",
        "href",
        "is_checked",
        "is_scrollable",
        "about",
    ]
)
_LAYOUT = frozenset(["layout", "columns", "framed"])


class ElementTraits(msgspec.Struct, frozen=True):
    """Traits of an element type: its role of accessibility, whether it takes the keyboard, text, a choice."""

    role: str
    attributes: frozenset[str]
    focusable: bool = False
    text: bool = False
    choice: bool = False


def _kind(
    role: str, attributes: str = "", *, focusable: bool = False, text: bool = False, choice: bool = False
) -> ElementTraits:
    return ElementTraits(role, _ALL | frozenset(attributes.split()), focusable, text, choice)


_TEXT = "placeholder is_read_only max_length is_secret lines"
_CHOICE = "options options_from shown_options field lines"
ELEMENT_TYPES: dict[str, ElementTraits] = {
    "window": _kind("frame", "layout columns framed closable application modal"),
    "dialog": _kind("dialog", "layout columns framed closable application modal"),
    "panel": _kind("panel", "layout columns framed"),
    "label": _kind("label"),
    "separator": _kind("separator"),
    "progress": _kind("progress bar"),
    "button": _kind("push button", focusable=True),
    "link": _kind("link", focusable=True),
    "text_field": _kind("entry", _TEXT, focusable=True, text=True),
    "text_area": _kind("text", _TEXT, focusable=True, text=True),
    "checkbox": _kind("check box", focusable=True),
    "radio": _kind("radio button", "group", focusable=True),
    "list": _kind("list", _CHOICE, focusable=True, choice=True),
    "drop_down": _kind("combo box", _CHOICE, focusable=True, choice=True),
    "slider": _kind("slider", "minimum maximum step", focusable=True),
    "tabs": _kind("page tab list", focusable=True),
    "tree": _kind("tree", "items lines", focusable=True),
    "menu_bar": _kind("menu bar"),
    "menu": _kind("menu"),
    "menu_item": _kind("menu item", "shortcut"),
    "table": _kind("table", "columns rows rows_from row_actions where lines", focusable=True),
    "canvas": _kind("canvas", "shapes", focusable=True),
}
