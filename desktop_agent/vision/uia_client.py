"""UI Automation through comtypes: one cached request for everything below the desktop."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.uia import Node

# Property ids of UIAutomationClient.h.
_RUNTIME, _BOUNDS, _PROCESS, _CONTROL, _NAME = 30000, 30001, 30002, 30003, 30005
_FOCUSED, _FOCUSABLE, _ENABLED, _PASSWORD, _OFFSCREEN = 30008, 30009, 30010, 30019, 30022
_VALUE, _READ_ONLY, _RANGE, _EXPANDED, _SELECTED, _TOGGLED = 30045, 30046, 30047, 30070, 30079, 30086
_PATTERN_THERE = {_VALUE: 30043, _RANGE: 30033, _EXPANDED: 30028, _SELECTED: 30036, _TOGGLED: 30041}
_CHILDREN, _SUBTREE, _WITHOUT_REFERENCES = 2, 7, 0
_ON, _WHOLLY_EXPANDED = 1, 1
_MILLISECONDS = 500
_MULTITHREADED = 0  # COINIT_MULTITHREADED


class Uia:
    """Made, asked and thrown away on one thread: COM objects belong to the thread that made them."""

    def __call__(self, ignored: Collection[int], only: int) -> Sequence[Node]:
        """The windows of the session, their trees cached. Raises OSError."""
        # Importing sets COM up on this thread, by this flag, and a thread cannot be set up in two ways.
        sys.coinit_flags = _MULTITHREADED  # type: ignore[attr-defined]
        comtypes: Any = import_module("comtypes")  # is there on Windows only
        try:
            return self._windows(comtypes, ignored, only)
        except comtypes.COMError as error:
            raise OSError(error.hresult, str(error.text)) from error

    def _windows(self, comtypes: Any, ignored: Collection[int], only: int) -> Sequence[Node]:
        comtypes.CoInitializeEx(_MULTITHREADED)
        module = _library()
        client: Any = comtypes.CoCreateInstance(
            module.CUIAutomation8._reg_clsid_, interface=module.IUIAutomation2
        )
        client.ConnectionTimeout = client.TransactionTimeout = _MILLISECONDS
        windows = client.GetRootElement().FindAll(_CHILDREN, client.CreateTrueCondition())
        request = _request(client)
        wanted = (windows.GetElement(index) for index in range(windows.Length))
        return [
            CachedNode(each.BuildUpdatedCache(request))
            for each in wanted
            if each.CurrentProcessId not in ignored and only in (0, each.CurrentProcessId)
        ]


def _library() -> Any:
    """What comtypes makes of the type library. Raises OSError where Windows has none, as under Wine."""
    try:
        return import_module("comtypes.client").GetModule("UIAutomationCore.dll")
    except AssertionError as error:  # its way to say that the file is not there
        raise OSError("there is no UIAutomationCore.dll") from error


def _request(client: Any) -> Any:
    request = client.CreateCacheRequest()
    for number in (_RUNTIME, _BOUNDS, _PROCESS, _CONTROL, _NAME, _FOCUSED, _FOCUSABLE, _ENABLED, _PASSWORD,
                   _OFFSCREEN, _READ_ONLY, *_PATTERN_THERE, *_PATTERN_THERE.values()):  # fmt: skip
        request.AddProperty(number)
    request.TreeScope = _SUBTREE
    request.AutomationElementMode = _WITHOUT_REFERENCES
    return request


class CachedNode:
    """An element whose answers are all here already."""

    def __init__(self, element: Any) -> None:
        self._element = element
        told = element.GetCachedPropertyValue
        self.id = ".".join(str(part) for part in told(_RUNTIME) or ())
        self.control, self.pid = int(told(_CONTROL) or 0), int(told(_PROCESS) or 0)
        self.name = str(told(_NAME) or "")
        self.enabled, self.focused = bool(told(_ENABLED)), bool(told(_FOCUSED))
        self.focusable, self.offscreen = bool(told(_FOCUSABLE)), bool(told(_OFFSCREEN))
        self.password = bool(told(_PASSWORD))
        self.bounds = _rect(told(_BOUNDS))
        self.editable = bool(told(_PATTERN_THERE[_VALUE])) and not told(_READ_ONLY)
        self.value = self._value()
        self.toggled = self._one_of(_TOGGLED, _ON)
        self.selected = self._one_of(_SELECTED, True)
        self.expanded = self._one_of(_EXPANDED, _WHOLLY_EXPANDED)

    def _value(self) -> str:
        for number in (_VALUE, _RANGE):
            if self._element.GetCachedPropertyValue(_PATTERN_THERE[number]):
                return str(self._element.GetCachedPropertyValue(number))
        return ""

    def _one_of(self, number: int, yes: object) -> bool | None:
        if not self._element.GetCachedPropertyValue(_PATTERN_THERE[number]):
            return None
        return bool(self._element.GetCachedPropertyValue(number) == yes)

    @cached_property
    def _children(self) -> Sequence[Node]:
        found = self._element.GetCachedChildren()
        return [CachedNode(found.GetElement(index)) for index in range(found.Length)] if found else []

    def children(self) -> Sequence[Node]:
        return self._children


def _rect(told: Sequence[float] | None) -> Rect:
    """Left, top, width and height; nothing where an element has no place."""
    left, top, width, height = (round(number) for number in told) if told else (0, 0, 0, 0)
    return Rect(left, top, width, height)
