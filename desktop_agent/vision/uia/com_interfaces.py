"""Declares the COM interfaces of UI Automation that are used; generating them from the type library takes seconds.

COM finds a method by its position in the interface, so unused ones are declared too, under placeholder names.
Source: UIAutomationClient.h of the Windows SDK.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from importlib import import_module
from typing import Any

CUI_AUTOMATION8 = "{E22AD333-B25F-460C-83D0-0581107395C9}"
_CLIENT, _CLIENT2 = "{30CBE57D-D9D0-452A-AB13-7AC5AC4825EE}", "{34723AFF-0C9D-49D0-9896-7AB52DF8CD8A}"
_ELEMENT, _ARRAY = "{D22108AA-8AC5-49A5-837B-37BBB3D7591E}", "{14314595-B4BC-4055-95F2-58F2E42C9855}"
_REQUEST = "{B32A92B5-BC25-4078-9C08-D7EE95C48E03}"


def client_interface(comtypes: Any) -> Any:
    """The interface IUIAutomation2; `comtypes` is that module, which exists on Windows only."""
    element, array, request, first = (
        _interface(comtypes.IUnknown, comtypes.GUID(guid)) for guid in (_ELEMENT, _ARRAY, _REQUEST, _CLIENT)
    )
    client = _interface(first, comtypes.GUID(_CLIENT2))
    variant = import_module("comtypes.automation").VARIANT
    method = _Methods(comtypes)
    number, handle = ctypes.c_int, ctypes.c_void_p
    a_request, an_element = ctypes.POINTER(request), ctypes.POINTER(element)
    request._methods_ = [
        method("AddProperty", [number]),
        *method.others(3),
        method("SetTreeScope", [number]),
        *method.others(3),
        method("SetAutomationElementMode", [number]),
    ]
    array._methods_ = [method("Length", out=number), method("GetElement", [number], an_element)]
    element._methods_ = [
        *method.others(6),
        method("BuildUpdatedCache", [a_request], an_element),
        *method.others(3),
        method("GetCachedPropertyValueEx", [number, number], variant),
        *method.others(5),
        method("GetCachedChildren", out=ctypes.POINTER(array)),
    ]
    first._methods_ = [
        *method.others(3),
        method("ElementFromHandle", [handle], an_element),
        *method.others(13),
        method("CreateCacheRequest", out=a_request),
        *method.others(37),
    ]
    client._methods_ = [
        *method.others(3),
        method("SetConnectionTimeout", [ctypes.c_uint32]),
        *method.others(1),
        method("SetTransactionTimeout", [ctypes.c_uint32]),
    ]
    return client


def _interface(base: Any, guid: Any) -> Any:
    return type("Interface", (base,), {"_iid_": guid})


class _Methods:
    """Declares methods, in the order of their interface."""

    def __init__(self, comtypes: Any) -> None:
        self._comtypes, self._count = comtypes, 0

    def __call__(self, name: str, ins: Iterable[Any] = (), out: Any = None) -> Any:
        arguments = [(["in"], kind) for kind in ins]
        if out is not None:
            arguments.append((["out", "retval"], ctypes.POINTER(out)))
        return self._comtypes.COMMETHOD([], self._comtypes.HRESULT, name, *arguments)

    def others(self, count: int) -> list[Any]:
        """Placeholders for so many unused methods."""
        self._count += count
        return [self(f"other{self._count - number}") for number in range(count)]
