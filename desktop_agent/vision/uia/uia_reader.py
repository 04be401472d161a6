"""Reads the elements of Windows programs from UI Automation trees.

Trees and patterns are tested with simulated ones: Wine's UI Automation knows only single windows and their plain
properties. Source of the numbers: UIAutomationClient.h.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.elements.occlusion import WindowBounds
from desktop_agent.vision.elements.reader import ElementReader, in_rows
from desktop_agent.vision.observation import Element

SECONDS = 2.0
MAX_NODES, MAX_DEPTH = 3_000, 60
STUCK = "A program does not answer, so no elements can be read."

# Control types from UIA_ButtonControlTypeId (50000) on, as AT-SPI role names.
ROLES = (
    "push button", "calendar", "check box", "combo box", "entry", "link", "image", "list item", "list", "menu",
    "menu bar", "menu item", "progress bar", "radio button", "scroll bar", "slider", "spin button", "status bar",
    "page tab list", "page tab", "label", "tool bar", "tool tip", "tree", "tree item", "custom", "panel", "thumb",
    "table", "table cell", "document text", "push button menu", "frame", "panel", "header", "table column header",
    "table", "title bar", "separator", "zoom", "app bar",
)  # fmt: skip
_FIRST = 50_000
_NEVER_LISTED = frozenset(("thumb", "separator", "scroll bar", "title bar", "header", "zoom", "app bar"))
_LISTED_UNNAMED = frozenset((
    "check box", "combo box", "entry", "link", "list item", "menu item", "page tab", "progress bar", "push button",
    "radio button", "slider", "spin button", "table", "tree", "tree item", "document text", "push button menu",
))  # fmt: skip

# Outermost elements that keep their role. Any other becomes a "frame": browsers, the task bar and the desktop
# report themselves as panels.
_OWN_ROOTS = frozenset(("menu", "tool tip", "list", "combo box"))

_BOXES = ("entry", "document text")
# As Edit controls and rich ones end their lines; text is typed, and compared, with \n alone.
_LINE_ENDS = re.compile(r"\r\n?")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:\S+\Z", re.IGNORECASE)


class UiaNode(Protocol):
    """One element of a UI Automation tree; `id` is its runtime id as text, `control` its control type.

    `value`, `toggled`, `selected` and `expanded` are None when it lacks that pattern. `bounds` are screen pixels.
    """

    @property
    def id(self) -> str: ...
    @property
    def control(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> str | None: ...
    @property
    def bounds(self) -> Rect: ...
    @property
    def pid(self) -> int: ...
    @property
    def enabled(self) -> bool: ...
    @property
    def focused(self) -> bool: ...
    @property
    def focusable(self) -> bool: ...
    @property
    def offscreen(self) -> bool: ...
    @property
    def password(self) -> bool: ...
    @property
    def editable(self) -> bool: ...
    @property
    def toggled(self) -> bool | None: ...
    @property
    def selected(self) -> bool | None: ...
    @property
    def expanded(self) -> bool | None: ...
    def children(self) -> Sequence[UiaNode]: ...


class TreeSource(Protocol):
    """Reads the trees of the top-level windows, without those of some processes, or of one process only."""

    @property
    def silent(self) -> Collection[int]:
        """Process ids that did not answer the last time."""

    def __call__(self, ignored: Collection[int], only: int) -> Iterable[UiaNode]:
        """Always called on the same thread. Raises OSError."""

    def close(self) -> None:
        """Release everything; the last call, on that same thread."""


class UiaFailure(NamedTuple):
    """A failed read: the message, and whether every later read will fail as well.

    Not an exception, whose traceback would keep COM objects of the thread alive.
    """

    words: str
    always: bool


Answer: TypeAlias = list[Element] | UiaFailure | None
"""From the worker thread: the elements of one more window, a failure, or None at the end."""


class UiaReader(ElementReader):
    """Reads from `source` on a thread of its own, so that a hung program does not block the caller.

    A read returns what has arrived within `seconds`. While an earlier one still hangs, a read fails with STUCK.
    """

    def __init__(self, source: TreeSource, seconds: float = SECONDS) -> None:
        super().__init__()
        self._source, self._seconds = source, seconds
        self._busy = threading.Lock()
        self._absent = False
        self._wanted: queue.SimpleQueue[Callable[[], None] | None] | None = None
        self._thread: threading.Thread | None = None

    def _read(
        self, windows: Sequence[WindowBounds], ignored: Collection[int], only: int, /
    ) -> Sequence[Element]:
        if self._absent:  # a missing package will not be there at the next read either
            return ()
        self.silent, self.reason = (), ""
        if not self._busy.acquire(blocking=False):
            self.reason = STUCK
            return ()
        told: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        names = {window.pid: getattr(window, "application", "") for window in windows}
        self._worker().put(lambda: self._gather(ignored, only, names, told))
        found = self._heard(told)
        self.silent = tuple(
            sorted({names.get(pid, "") or f"process {pid}" for pid in tuple(self._source.silent)})
        )
        return found

    def _worker(self) -> queue.SimpleQueue[Callable[[], None] | None]:
        if self._wanted is None:
            self._wanted = queue.SimpleQueue()
            self._thread = threading.Thread(
                target=_work, args=(self._wanted, self._source), name="elements", daemon=True
            )
            self._thread.start()
        return self._wanted

    def _heard(self, told: queue.SimpleQueue[Answer]) -> list[Element]:
        """The elements that arrive in time; sets `reason`."""
        found: list[Element] = []
        end = time.monotonic() + self._seconds
        try:
            while (answer := told.get(timeout=max(0.0, end - time.monotonic()))) is not None:
                if isinstance(answer, UiaFailure):
                    self.reason, self._absent = answer
                else:
                    found += answer
        except queue.Empty:
            self.reason = "" if found else STUCK
        return found

    def _gather(
        self, ignored: Collection[int], only: int, names: dict[int, str], told: queue.SimpleQueue[Answer]
    ) -> None:
        try:
            for tree in self._source(ignored, only):
                told.put(elements_of(tree, names.get(tree.pid, "")))
        except Exception as error:  # noqa: BLE001 - the thread's boundary: a read must not wait in vain
            words = f"UI Automation failed: {type(error).__name__} {error}".strip() + "."
            told.put(UiaFailure(words, always=isinstance(error, ImportError)))
        finally:
            self._busy.release()
            told.put(None)

    def close(self) -> None:
        if self._wanted is not None:
            self._wanted.put(None)
            self._wanted = None
        if self._thread is not None:
            self._thread.join(self._seconds)  # with a program that hangs it ends later


def _work(wanted: queue.SimpleQueue[Callable[[], None] | None], source: TreeSource) -> None:
    while (task := wanted.get()) is not None:
        task()
    source.close()


def elements_of(window: UiaNode, application: str) -> list[Element]:
    """The elements worth listing of one window's tree, in reading order."""
    found = list(_below(window, window.name, application, "", (), [MAX_NODES]))
    return in_rows((each.bounds, each) for each in found)


def _below(
    node: UiaNode, window: str, application: str, parent: str, trail: tuple[int, ...], left: list[int]
) -> Iterator[Element]:
    left[0] -= 1
    if left[0] < 0 or len(trail) > MAX_DEPTH:
        return
    told = _is_listed(node)
    if told:
        yield _element(node, window, application, parent, trail)
    for number, child in enumerate(node.children()):
        yield from _below(child, window, application, node.id if told else parent, (*trail, number), left)


def _is_listed(node: UiaNode) -> bool:
    role = role_of(node)
    if node.offscreen or node.bounds.empty or role in _NEVER_LISTED:
        return False
    return bool(node.name) or role in _LISTED_UNNAMED


def _element(node: UiaNode, window: str, application: str, parent: str, trail: tuple[int, ...]) -> Element:
    return Element(
        id=node.id,
        role=role_of(node) if trail or role_of(node) in _OWN_ROOTS else "frame",
        name=node.name,
        bounds=node.bounds,
        value="" if node.password else _LINE_ENDS.sub("\n", node.value or ""),
        states=states_of(node),
        window=window,
        application=application,
        parent=parent,
        pid=node.pid,
        trail=trail,
        url=_url(node),
    )


def _url(node: UiaNode) -> str:
    """The address of a page: browsers give it as the value of its document, which nobody can type into."""
    page = role_of(node) == "document text" and not node.editable
    return node.value or "" if page and _ADDRESS.match(node.value or "") else ""


def role_of(node: UiaNode) -> str:
    """The role name of a node's control type; "unknown" for a number newer than ROLES."""
    number = node.control - _FIRST
    role = ROLES[number] if 0 <= number < len(ROLES) else "unknown"
    if role == "push button" and node.toggled is not None:
        return "toggle button"
    return "password text" if role == "entry" and node.password else role


def states_of(node: UiaNode) -> frozenset[str]:
    """The node's states, as in `Element.states`."""
    has = {
        "showing": True,
        "enabled": node.enabled,
        "focused": node.focused,
        "focusable": node.focusable,
        "password": node.password,
        "editable": node.editable,
        "unreadable": node.value is None and role_of(node) in _BOXES,
        "checked": bool(node.toggled),
        "selected": bool(node.selected),
        "expandable": node.expanded is not None,
        "expanded": bool(node.expanded),
    }
    return frozenset(name for name, is_so in has.items() if is_so)
