"""Which elements take text, which label others, and which are labelled."""

from __future__ import annotations

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


def is_editable(element: Element) -> bool:
    """Does the element take text?"""
    if "editable" in element.states:
        return True
    return element.role in EDITABLE and element.role not in LABELS and element.source == "tree"
