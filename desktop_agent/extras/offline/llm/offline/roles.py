"""What the words for kinds of things on a screen mean: the roles of accessibility that each stands for."""

from __future__ import annotations

from desktop_agent.vision.observation import Element

ROLES: dict[str, frozenset[str]] = {
    "button": frozenset(("push button", "button", "toggle button", "menu button", "split button", "push button menu")),
    "link": frozenset(("link", "hyperlink")),
    "tab": frozenset(("page tab", "tab", "tab item")),
    "checkbox": frozenset(("check box", "checkbox", "check menu item", "toggle button", "switch")),
    "radio": frozenset(("radio button", "radio menu item", "radiobutton")),
    "toggle": frozenset(("toggle button", "switch", "check box", "toggle switch")),
    "field": frozenset(("entry", "text", "password text", "text box", "edit", "spin button", "search box", "autocomplete",
                        "editbar", "text area", "terminal", "combo box", "date editor", "document text", "paragraph")),
    "combo": frozenset(("combo box", "combobox", "list box", "list", "drop down list", "menu button")),
    "menu": frozenset(("menu", "menu item", "menu button")),
    "menuitem": frozenset(("menu item", "menu", "check menu item", "radio menu item", "list item")),
    "option": frozenset(("radio button", "list item", "menu item", "option", "check box", "radio menu item", "tree item",
                         "table cell", "check menu item", "page tab", "toggle button")),
    "item": frozenset(("list item", "icon", "table cell", "tree item", "menu item", "table row", "link", "canvas")),
    "icon": frozenset(("icon", "image", "push button", "list item", "table cell", "toggle button")),
    "image": frozenset(("image", "icon", "picture", "graphic")),
    "heading": frozenset(("heading",)),
    "slider": frozenset(("slider", "scroll bar")),
    "spin": frozenset(("spin button", "spinner")),
    "row": frozenset(("table row", "list item", "tree item", "table cell")),
    "cell": frozenset(("table cell", "cell", "data item")),
    "window": frozenset(("frame", "dialog", "window", "alert", "file chooser")),
    "result": frozenset(("link", "list item", "heading", "table row")),
    "label": frozenset(("label", "static", "paragraph", "heading", "text", "section", "status bar", "alert")),
}  # fmt: skip

ACTIVE = (
    ROLES["button"] | ROLES["link"] | ROLES["tab"] | ROLES["checkbox"] | ROLES["radio"] | ROLES["field"]
    | ROLES["combo"] | ROLES["menu"] | ROLES["option"] | ROLES["item"] | ROLES["slider"]
) - {"list", "document text", "paragraph"}  # fmt: skip
PASSIVE = frozenset(("frame", "window", "application", "panel", "filler", "document web", "scroll pane", "section",
                      "document frame", "tool bar", "menu bar", "root pane", "layered pane", "viewport", "split pane"))  # fmt: skip
PRESSED = frozenset(("button", "tab", "menuitem"))
"""Kinds of things to press, which some pages draw as mere texts."""
COMMANDS = ROLES["menuitem"] - {"list item"}


def kind_fit(kind: str, element: Element) -> float | None:
    """Points for the role; None when the role cannot be meant."""
    if not kind:
        return 6.0 if element.role in ACTIVE else -6.0
    if element.role in ROLES.get(kind, frozenset()):
        return 20.0
    if element.source == "ocr":
        return 0.0
    if kind in ("checkbox", "radio", "combo", "slider", "field", "tab", "cell", "spin", "window"):
        return None
    return -10.0 if element.role in ACTIVE else -20.0
