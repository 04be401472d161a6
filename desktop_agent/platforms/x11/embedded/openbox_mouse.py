"""Mouse bindings of openbox, the window manager of an embedded display.

Given in full because openbox's defaults use Alt with clicks and drags to move windows, so these would never
reach an application. Source: openbox.org/wiki/Help:Bindings.
"""

from __future__ import annotations

from collections.abc import Iterator

_ANY = ("Left", "Middle", "Right")
_EDGES = {
    "Top": "top",
    "Bottom": "bottom",
    "Left": "left",
    "Right": "right",
    "TLCorner": "topleft",
    "TRCorner": "topright",
    "BLCorner": "bottomleft",
    "BRCorner": "bottomright",
}
_BUTTONS = {"Close": "Close", "Maximize": "ToggleMaximize", "Iconify": "Iconify"}


def section() -> str:
    """The `<mouse>` element of openbox's rc.xml."""
    times = "<dragThreshold>8</dragThreshold><doubleClickTime>500</doubleClickTime>"
    return f"<mouse>{times}{''.join(_contexts())}</mouse>"


def _contexts() -> Iterator[str]:
    taken = "".join(_rule(button, "Press", "Focus", "Raise") for button in _ANY)
    yield _context("Client", taken)
    yield _context("Desktop", taken)
    title = _rule("Left", "Drag", "Move") + _rule("Left", "DoubleClick", "ToggleMaximize")
    yield _context("Titlebar", taken + title)
    for edge, side in _EDGES.items():
        resize = f'<action name="Resize"><edge>{side}</edge></action>'
        yield _context(edge, f'{taken}<mousebind button="Left" action="Drag">{resize}</mousebind>')
    for button, action in _BUTTONS.items():
        yield _context(button, taken + _rule("Left", "Click", action))


def _context(name: str, rules: str) -> str:
    return f'<context name="{name}">{rules}</context>'


def _rule(button: str, when: str, *actions: str) -> str:
    done = "".join(f'<action name="{action}"/>' for action in actions)
    return f'<mousebind button="{button}" action="{when}">{done}</mousebind>'
