"""Which elements take text, which label others, and which are labelled."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.vision.observation import Element

EDITABLE = frozenset(
    ("entry", "text", "password text", "text box", "edit", "spin button", "search box", "text area", "terminal",
     "document text", "autocomplete", "editbar", "date editor")
)  # fmt: skip
LABELS = frozenset(
    ("label", "static", "text", "paragraph", "heading", "caption", "static text", "row header", "table cell")
)
LABELLED = frozenset(
    ("combo box", "check box", "radio button", "slider", "spin button", "list box", "toggle button", "switch",
     "progress bar")
)  # fmt: skip
_AREA = re.compile(r"\b(?:text ?area|multi-?line|large|big|message|comment)\b", re.I)
_LINE = re.compile(r"\b(?:text ?field|text ?box|input|single-?line|entry|answer)\b", re.I)


def is_editable(element: Element) -> bool:
    """Does the element take text?"""
    if "editable" in element.states:
        return True
    return element.role in EDITABLE and element.role not in LABELS and element.source == "tree"


def narrowed(said: str, boxes: Sequence[Element]) -> list[Element]:
    """Of several boxes those of the sort that is spoken of: large ones for "text area", lines for "text field"."""
    large = [e for e in boxes if "multiline" in e.states]
    if _AREA.search(said):
        return large or list(boxes)
    lines = [e for e in boxes if "multiline" not in e.states]
    return (lines or list(boxes)) if _LINE.search(said) else list(boxes)
