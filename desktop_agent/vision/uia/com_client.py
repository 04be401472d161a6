"""Reads UI Automation trees through comtypes, one cached request per top-level window that can have elements."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from ctypes import wintypes
from functools import cached_property
from importlib import import_module
from math import isfinite
from typing import Any, TypeAlias

from desktop_agent.platforms.windows.z_order import ZOrder
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.uia.com_interfaces import CUI_AUTOMATION8, client_interface
from desktop_agent.vision.uia.uia_reader import UiaNode

# Property ids of UIAutomationClient.h.
_RUNTIME, _BOUNDS, _PROCESS, _CONTROL, _NAME = 30000, 30001, 30002, 30003, 30005
_FOCUSED, _FOCUSABLE, _ENABLED, _PASSWORD, _OFFSCREEN = 30008, 30009, 30010, 30019, 30022
_VALUE, _READ_ONLY, _RANGE, _EXPANDED, _SELECTED, _TOGGLED = 30045, 30046, 30047, 30070, 30079, 30086
_PATTERN_THERE = {_VALUE: 30043, _RANGE: 30033, _EXPANDED: 30028, _SELECTED: 30036, _TOGGLED: 30041}
_BOXES = (50004, 50030)  # UIA_EditControlTypeId, UIA_DocumentControlTypeId
_ELEMENT, _SUBTREE, _WITHOUT_REFERENCES = 1, 7, 0
_ON, _WHOLLY_EXPANDED = 1, 1
_MULTITHREADED = 0  # COINIT_MULTITHREADED
_MILLISECONDS, _FIRST_MILLISECONDS = 500, 1_500
_ANY_FAILURE = -2147467259  # E_FAIL: a program that is rebuilding its tree at this moment returns it
_importing = threading.Lock()


Errors: TypeAlias = tuple[type[Exception], ...]


_CLOAKED = 14  # of DWMWINDOWATTRIBUTE


class UiaClient:
    """The UI Automation client. Call and close it on one thread only, which it initialises for COM.

    A window whose program hangs is skipped; any other has half a second to answer, the foreground window more, as
    a browser needs it for a long page. A window that fails or disappears is left out. `silent` has the process ids
    of both until the next call.
    """

    def __init__(self) -> None:
        self.silent: set[int] = set()
        self._com: Any = None
        self._client: Any = None
        self._whole: Any = None
        self._single: Any = None

    def __call__(self, ignored: Collection[int], only: int) -> Iterator[UiaNode]:
        """The trees of the session's windows, the foreground one first. Raises OSError when every window fails.

        Windows of `ignored` processes are left out; with `only`, those of all other processes.
        """
        if self._client is None:
            self._begin()
        self.silent.clear()
        told, why = False, ""
        for number, (window, pid) in enumerate(self._handles.top(ignored, only)):
            if self._handles.hung(window):
                self.silent.add(pid)
                continue
            try:
                self._allow(_MILLISECONDS if number else _FIRST_MILLISECONDS)
                tree = self._tree(window)
            except self._errors as error:
                why = str(error)
                self.silent.add(pid)
                continue
            told = True
            yield tree
        if why and not told:
            raise OSError(why)

    def close(self) -> None:
        """Release all COM objects, then COM itself."""
        self._client = self._whole = self._single = None
        if self._com is not None:
            self._com.CoUninitialize()
            self._com = None

    def _begin(self) -> None:
        comtypes = self._com = self._com or _entered()
        # comtypes also raises ValueError for a null pointer of a failing program, OSError for its memory.
        self._errors, self._handles = (comtypes.COMError, ValueError, OSError), WindowHandles()
        try:
            client = comtypes.CoCreateInstance(
                comtypes.GUID(CUI_AUTOMATION8), interface=client_interface(comtypes)
            )
            self._whole, self._single = _request(client), _request(client)
            self._single.SetTreeScope(_ELEMENT)
            self._has_trees = self._set_up(client)
        except comtypes.COMError as error:
            raise OSError(error.hresult, str(error.text)) from error
        self._client = client

    def _set_up(self, client: Any) -> bool:
        """False when UI Automation cannot cache subtrees (Wine's knows single windows only)."""
        try:
            self._whole.SetTreeScope(_SUBTREE)
            self._whole.SetAutomationElementMode(_WITHOUT_REFERENCES)
            client.SetConnectionTimeout(_MILLISECONDS)
        except self._errors:
            return False
        return True

    def _allow(self, milliseconds: int) -> None:
        """Set how long a program may take to answer for one window with everything in it."""
        if self._has_trees:
            self._client.SetTransactionTimeout(milliseconds)

    def _tree(self, window: int) -> UiaNode:
        if self._has_trees:
            return CachedNode(self._ask(window, self._whole), self._errors)
        parts = [
            WindowNode(self._ask(each, self._single), self._errors, ())
            for each in self._handles.below(window)
        ]
        return CachedNode(self._ask(window, self._single), self._errors, parts)

    def _ask(self, window: int, request: Any) -> Any:
        element = self._client.ElementFromHandle(window)
        try:
            return element.BuildUpdatedCache(request)
        except self._errors as error:
            if getattr(error, "hresult", 0) != _ANY_FAILURE:
                raise
            return element.BuildUpdatedCache(request)


def _entered() -> Any:
    """The comtypes module (Windows only), with this thread initialised for COM."""
    with _importing:
        # Importing it initialises the importing thread: by default for a single-threaded apartment, in which a
        # wait has to pump messages.
        done = "comtypes" not in sys.modules
        sys.coinit_flags = _MULTITHREADED  # type: ignore[attr-defined]
        comtypes: Any = import_module("comtypes")
    if not done:
        comtypes.CoInitializeEx(_MULTITHREADED)
    return comtypes


def _request(client: Any) -> Any:
    request = client.CreateCacheRequest()
    for number in (_RUNTIME, _BOUNDS, _PROCESS, _CONTROL, _NAME, _FOCUSED, _FOCUSABLE, _ENABLED, _PASSWORD,
                   _OFFSCREEN, _READ_ONLY, *_PATTERN_THERE, *_PATTERN_THERE.values()):  # fmt: skip
        request.AddProperty(number)
    return request


class CachedNode:
    """A UiaNode over a cached element: no property costs a call to its program; most are decoded on first use.

    `parts` are its children when the cache lacks them; `errors` is what COM raises.
    """

    def __init__(self, element: Any, errors: Errors, parts: Sequence[UiaNode] | None = None) -> None:
        self._element, self._errors, self._parts = element, errors, parts
        self.control, self.name = int(self._told(_CONTROL) or 0), str(self._told(_NAME) or "")
        self.offscreen, self.bounds = bool(self._told(_OFFSCREEN)), _rect(self._told(_BOUNDS))

    def _told(self, number: int) -> Any:
        """A cached property by its id; None when the element does not have it."""
        try:
            return self._element.GetCachedPropertyValueEx(number, False)
        except self._errors:
            return None

    @cached_property
    def id(self) -> str:
        return ".".join(str(part) for part in self._told(_RUNTIME) or ())

    @cached_property
    def pid(self) -> int:
        return int(self._told(_PROCESS) or 0)

    @cached_property
    def enabled(self) -> bool:
        return bool(self._told(_ENABLED))

    @cached_property
    def focused(self) -> bool:
        return bool(self._told(_FOCUSED))

    @cached_property
    def focusable(self) -> bool:
        return bool(self._told(_FOCUSABLE))

    @cached_property
    def password(self) -> bool:
        return bool(self._told(_PASSWORD))

    @cached_property
    def editable(self) -> bool:
        return self._has(_VALUE) and not self._told(_READ_ONLY)

    @cached_property
    def value(self) -> str | None:
        for number in (_VALUE, _RANGE):
            if self._has(number):
                return str(self._told(number))
        return None

    @cached_property
    def toggled(self) -> bool | None:
        return self._one_of(_TOGGLED, _ON)

    @cached_property
    def selected(self) -> bool | None:
        return self._one_of(_SELECTED, True)

    @cached_property
    def expanded(self) -> bool | None:
        return self._one_of(_EXPANDED, _WHOLLY_EXPANDED)

    def _one_of(self, number: int, yes: object) -> bool | None:
        return bool(self._told(number) == yes) if self._has(number) else None

    def _has(self, number: int) -> bool:
        """True when the element has the pattern of this property; the "not supported" object does not count."""
        return self._told(_PATTERN_THERE[number]) is True

    def children(self) -> Sequence[UiaNode]:
        if self._parts is not None:
            return self._parts
        try:
            found = self._element.GetCachedChildren()
            return (
                [CachedNode(found.GetElement(n), self._errors) for n in range(found.Length())]
                if found
                else ()
            )
        except self._errors:
            return ()


class WindowNode(CachedNode):
    """A child window as a UiaNode, for a UI Automation without patterns (Wine's): a text box's name is its text there."""

    def __init__(self, element: Any, errors: Errors, parts: Sequence[UiaNode] | None = None) -> None:
        super().__init__(element, errors, parts)
        self._words: str | None = None
        if self.control in _BOXES and not self._has(_VALUE):
            self._words, self.name = self.name, ""

    @cached_property
    def value(self) -> str | None:
        return super().value if self._words is None else self._words


def _rect(told: Sequence[float] | None) -> Rect:
    """Bounds from left, top, width and height; empty for an element without a place (some report infinity)."""
    if not told or not all(map(isfinite, told)):
        return Rect(0, 0, 0, 0)
    left, top, width, height = map(round, told)
    return Rect(left, top, width, height)


class WindowHandles:
    """Queries Windows only, never the programs, so that no call can hang."""

    def __init__(self) -> None:
        windows: Any = ctypes  # WinDLL and WINFUNCTYPE are there on Windows only
        self._dll: Any = windows.WinDLL("user32")
        self._dwm: Any = windows.WinDLL("dwmapi")
        self._stack = ZOrder()
        self._kind = windows.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)
        for name in ("IsWindowVisible", "IsIconic", "IsHungAppWindow", "EnumChildWindows"):
            getattr(self._dll, name).argtypes = [wintypes.HWND, *_MORE.get(name, ())]
        self._dll.GetForegroundWindow.restype = wintypes.HWND
        self._dll.GetWindowThreadProcessId.argtypes = [wintypes.HWND, ctypes.POINTER(wintypes.DWORD)]
        self._dwm.DwmGetWindowAttribute.argtypes = [
            wintypes.HWND, wintypes.DWORD, ctypes.c_void_p, wintypes.DWORD,
        ]  # fmt: skip

    def top(self, ignored: Collection[int], only: int) -> list[tuple[int, int]]:
        """(handle, process id) of the windows on the screen: the foreground window, then from front to back.

        Without those of `ignored` processes; with `only` (not 0), those of that process only.
        """
        front = self._dll.GetForegroundWindow()
        owned = [(window, self._owner(window)) for window in self._stack.all() if self._shown(window)]
        kept = [each for each in owned if each[1] not in ignored and only in (0, each[1])]
        return sorted(kept, key=lambda each: each[0] != front)

    def below(self, window: int) -> list[int]:
        """Handles of the visible windows inside a window, however deep."""
        found: list[int] = []

        def add(window: int, _: int) -> bool:
            found.append(window)
            return True

        self._dll.EnumChildWindows(window, self._kind(add), 0)
        return [child for child in found if self._dll.IsWindowVisible(child)]

    def hung(self, window: int) -> bool:
        """True when its program has not fetched a message for five seconds."""
        return bool(self._dll.IsHungAppWindow(window))

    def _owner(self, window: int) -> int:
        pid = wintypes.DWORD()
        self._dll.GetWindowThreadProcessId(window, ctypes.byref(pid))
        return int(pid.value)

    def _shown(self, window: int) -> bool:
        if not self._dll.IsWindowVisible(window) or self._dll.IsIconic(window):
            return False
        cloaked = wintypes.DWORD()
        self._dwm.DwmGetWindowAttribute(window, _CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked))
        return not cloaked.value


_MORE: dict[str, tuple[Any, ...]] = {"EnumChildWindows": (ctypes.c_void_p, wintypes.LPARAM)}
