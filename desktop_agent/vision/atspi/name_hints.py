"""Guesses a name for an unnamed web element from its HTML id, class or image file.

Browsers give these as object attributes (Core Accessibility API mappings; Chromium: "id", "class", "src").
An icon without alternative text is often called `trash` or `open-search` in the page's source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

MAX_WORDS = 4
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}(?![a-z])")
# Words about layout, state and frameworks: they do not say what an element does.
_MEANINGLESS = frozenset((
    "active", "anchor", "bg", "block", "box", "btn", "button", "clickable", "clicked", "col", "color", "container", "content",
    "control", "css", "dark", "default", "disabled", "div", "elem", "element", "enabled", "fas", "far", "fab", "flex", "float",
    "focus", "formats", "glyphicon", "grid", "hidden", "hide", "hover", "ico", "icon", "icons", "image", "images", "img", "inline",
    "inner", "item", "large", "layout", "left", "light", "lg", "link", "main", "material", "mdi", "medium", "outer", "pic", "picture",
    "png", "primary", "pull", "right", "root", "row", "secondary", "selected", "shadow", "show", "shown", "small", "span",
    "style", "styled", "svg", "text", "thumbnail", "toggle", "visible", "widget", "wrap", "wrapper",
))  # fmt: skip


def name_hint(attributes: Mapping[str, str]) -> str:
    """At most MAX_WORDS words from an object's id, else its class, else its image's file name; "" for none."""
    picture = attributes.get("src", "").partition("?")[0].rpartition("/")[2].partition(".")[0]
    for told in (attributes.get("id", ""), attributes.get("class", ""), picture):
        if words := _words(told):
            return " ".join(words[:MAX_WORDS])
    return ""


def _words(told: str) -> list[str]:
    found = (each[0].lower() for each in _WORD.finditer(told[:200]))
    return list(dict.fromkeys(word for word in found if len(word) > 2 and word not in _MEANINGLESS))
