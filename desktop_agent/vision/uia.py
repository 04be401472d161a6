"""Elements of Windows programs from UI Automation, behind the same interface as on Linux.

Everything is asked for in one cached request a window. It has been tested with made-up trees only: Wine has
no UI Automation to try it on. Source of the numbers: UIAutomationClient.h of the Windows SDK.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.elements import ElementReader, Window
from desktop_agent.vision.observation import Element
from desktop_agent.vision.reading_order import in_rows

SECONDS = 2.0
MAX_NODES, MAX_DEPTH = 3_000, 60

# Control types from UIA_ButtonControlTypeId (50000) on, in the words that Linux has for them.
ROLES = (
    "push button", "calendar", "check box", "combo box", "entry", "link", "image", "list item", "list", "menu",
    "menu bar", "menu item", "progress bar", "radio button", "scroll bar", "slider", "spin button", "status bar",
    "page tab list", "page tab", "label", "tool bar", "tool tip", "tree", "tree item", "custom", "panel", "thumb",
    "table", "table cell", "document text", "push button menu", "frame", "panel", "header", "table column header",
    "table", "title bar", "separator", "zoom", "app bar",
)  # fmt: skip
_FIRST = 50_000
_NEVER_TOLD = frozenset(("thumb", "separator", "scroll bar", "title bar", "header", "zoom", "app bar"))
_TOLD_UNNAMED = frozenset((
    "check box", "combo box", "entry", "link", "list item", "menu item", "page tab", "progress bar", "push button",
    "radio button", "slider", "spin button", "table", "tree", "tree item", "document text", "push button menu",
))  # fmt: skip


class Node(Protocol):
    """One element of a cached tree; `id` is its runtime id in words, `value` that of its value pattern.

    `toggled`, `selected` and `expanded` are None where it has no such pattern.
    """

    id: str
    control: int
    name: str
    value: str
    bounds: Rect
    pid: int
    enabled: bool
    focused: bool
    focusable: bool
    offscreen: bool
    password: bool
    editable: bool
    toggled: bool | None
    selected: bool | None
    expanded: bool | None

    def children(self) -> Sequence[Node]: ...


Ask = Callable[[Collection[int], int], Sequence[Node]]
"""The trees of all top-level windows, without those of some processes, or of one process only. Raises OSError."""


class UiaReader(ElementReader):
    """`ask` is called on a thread of its own, on which COM was set up: a program that hangs holds up no look."""

    def __init__(self, ask: Ask, seconds: float = SECONDS) -> None:
        super().__init__()
        self._ask, self._seconds = ask, seconds
        self._busy = threading.Lock()
        self._absent = False

    def _read(self, windows: Sequence[Window], ignored: Collection[int], only: int, /) -> Sequence[Element]:
        if self._absent:  # what is not installed will not be there at the next look either
            return ()
        if not self._busy.acquire(blocking=False):
            self.reason = "A program does not answer, so no elements can be read."
            return ()
        told: queue.SimpleQueue[list[Element] | Exception] = queue.SimpleQueue()
        names = {window.pid: getattr(window, "application", "") for window in windows}
        threading.Thread(
            target=self._gather, args=(ignored, only, names, told), name="elements", daemon=True
        ).start()
        try:
            found = told.get(timeout=self._seconds)
        except queue.Empty:
            self.reason = "A program does not answer, so no elements can be read."
            return ()
        if isinstance(found, Exception):
            self.reason = f"UI Automation failed: {type(found).__name__} {found}".strip() + "."
            self._absent = not isinstance(found, OSError)
            return ()
        self.reason = ""
        return found

    def _gather(
        self,
        ignored: Collection[int],
        only: int,
        names: dict[int, str],
        told: queue.SimpleQueue[list[Element] | Exception],
    ) -> None:
        try:
            trees = self._ask(ignored, only)
            told.put([each for tree in trees for each in elements_of(tree, names.get(tree.pid, ""))])
        except Exception as error:  # noqa: BLE001 - the thread's boundary: a look must not wait for an answer
            told.put(error)
        finally:
            self._busy.release()

    def close(self) -> None:
        return


def elements_of(window: Node, application: str) -> list[Element]:
    """The elements of one window worth telling, in reading order."""
    found = list(_below(window, window.name, application, "", (), [MAX_NODES]))
    return in_rows((each.bounds, each) for each in found)


def _below(
    node: Node, window: str, application: str, parent: str, trail: tuple[int, ...], left: list[int]
) -> Iterator[Element]:
    left[0] -= 1
    if left[0] < 0 or len(trail) > MAX_DEPTH:
        return
    told = _told(node)
    if told:
        yield _element(node, window, application, parent, trail)
    for number, child in enumerate(node.children()):
        yield from _below(child, window, application, node.id if told else parent, (*trail, number), left)


def _told(node: Node) -> bool:
    role = role_of(node)
    if node.offscreen or node.bounds.empty or role in _NEVER_TOLD:
        return False
    return bool(node.name) or role in _TOLD_UNNAMED


def _element(node: Node, window: str, application: str, parent: str, trail: tuple[int, ...]) -> Element:
    return Element(
        id=node.id,
        role=role_of(node),
        name=node.name,
        bounds=node.bounds,
        value="" if node.password else node.value,
        states=states_of(node),
        window=window,
        application=application,
        parent=parent,
        pid=node.pid,
        trail=trail,
    )


def role_of(node: Node) -> str:
    """The word for its control type; "unknown" for a number newer than this table."""
    number = node.control - _FIRST
    role = ROLES[number] if 0 <= number < len(ROLES) else "unknown"
    if role == "push button" and node.toggled is not None:
        return "toggle button"
    return "password text" if role == "entry" and node.password else role


def states_of(node: Node) -> frozenset[str]:
    """Those of `Element`'s states that it has."""
    has = {
        "showing": True,
        "enabled": node.enabled,
        "focused": node.focused,
        "focusable": node.focusable,
        "password": node.password,
        "editable": node.editable,
        "checked": bool(node.toggled),
        "selected": bool(node.selected),
        "expandable": node.expanded is not None,
        "expanded": bool(node.expanded),
    }
    return frozenset(name for name, is_so in has.items() if is_so)
