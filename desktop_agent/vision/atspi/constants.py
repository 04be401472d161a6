"""Names and numbers of AT-SPI roles and states. Source: at-spi2-core's atspi-constants.h, 2.46 and later."""

from __future__ import annotations

ROLES = (
    "invalid", "accelerator label", "alert", "animation", "arrow", "calendar", "canvas", "check box",
    "check menu item", "color chooser", "column header", "combo box", "date editor", "desktop icon",
    "desktop frame", "dial", "dialog", "directory pane", "drawing area", "file chooser", "filler",
    "focus traversable", "font chooser", "frame", "glass pane", "html container", "icon", "image",
    "internal frame", "label", "layered pane", "list", "list item", "menu", "menu bar", "menu item",
    "option pane", "page tab", "page tab list", "panel", "password text", "popup menu", "progress bar",
    "push button", "radio button", "radio menu item", "root pane", "row header", "scroll bar",
    "scroll pane", "separator", "slider", "spin button", "split pane", "status bar", "table",
    "table cell", "table column header", "table row header", "tearoff menu item", "terminal", "text",
    "toggle button", "tool bar", "tool tip", "tree", "tree table", "unknown", "viewport", "window",
    "extended", "header", "footer", "paragraph", "ruler", "application", "autocomplete", "editbar",
    "embedded", "entry", "chart", "caption", "document frame", "heading", "page", "section",
    "redundant object", "form", "link", "input method window", "table row", "tree item",
    "document spreadsheet", "document presentation", "document text", "document web", "document email",
    "comment", "list box", "grouping", "image map", "notification", "info bar", "level bar", "title bar",
    "block quote", "audio", "video", "definition", "article", "landmark", "log", "marquee", "math",
    "rating", "timer", "static", "math fraction", "math root", "subscript", "superscript",
    "description list", "description term", "description value", "footnote", "content deletion",
    "content insertion", "mark", "suggestion", "push button menu", "switch",
)  # fmt: skip

ACTIVE = 1 << 1
EDITABLE = 1 << 7
ENABLED = 1 << 8
EXPANDABLE = 1 << 9
EXPANDED = 1 << 10
FOCUSABLE = 1 << 11
ICONIFIED = 1 << 15
SELECTED = 1 << 23
SHOWING = 1 << 25
VISIBLE = 1 << 30
MANAGES_DESCENDANTS = 1 << 31

# ENABLED and SENSITIVE both stand for "can be used": toolkits set one, the other or both.
_NAMED = (
    (1 << 4, "checked"), (EDITABLE, "editable"), (ENABLED | 1 << 24, "enabled"), (EXPANDED, "expanded"),
    (EXPANDABLE, "expandable"),
    (FOCUSABLE, "focusable"), (1 << 12, "focused"), (1 << 17, "multiline"), (1 << 20, "pressed"),
    (SELECTED, "selected"), (SHOWING, "showing"),
)  # fmt: skip


def role_name(number: int) -> str:
    """The role's lower-case name; "unknown" for a number newer than this table."""
    return ROLES[number] if 0 <= number < len(ROLES) else "unknown"


def state_names(bits: int) -> frozenset[str]:
    """The names, as in `Element.states`, of the bits of a 64-bit state set."""
    return frozenset(name for mask, name in _NAMED if bits & mask)
