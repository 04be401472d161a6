"""Groups of the roles of elements, and the numbers in their names."""

from __future__ import annotations

import re

MESSAGES = frozenset((
    "label", "static", "text label", "heading", "paragraph", "alert", "notification", "status bar", "info bar",
    "tool tip", "image", "section", "panel", "marquee", "caption", "log", "filler", "separator",
))  # fmt: skip
"""Roles of what only says something: a screen may say anything."""
ROWS = frozenset(("list item", "table cell", "tree item", "table row", "row header"))
"""Roles of what lists and tables are made of."""
EDITED = frozenset(("entry", "text", "document text", "spin button", "editbar", "combo box"))
"""Roles of what takes text, or a choice."""
NUMBERS = re.compile(r"\d+(?:[.,:]\d+)*")
"""A number in a name: it may count by itself (a clock, a counter), so names are compared without."""
