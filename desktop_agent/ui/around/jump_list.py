"""The menu of our button in the task bar of Windows: tasks that start this program to ask something of the open window.

Source: ICustomDestinationList, IObjectCollection, IShellLinkW (shobjidl_core.h), IPropertyStore (propsys.h) and
PKEY_Title (propkey.h): their methods are called by their place in the interface.
"""

from __future__ import annotations

import ctypes
import logging
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

from desktop_agent.platforms.windows.com_object import ComObject, create, guid
from desktop_agent.protocol.instance_request import InstanceRequest
from desktop_agent.support.language import later, tr
from desktop_agent.ui.shell.windows.taskbar import APP_ID

_LIST = "77f10cf0-3db5-4966-b520-b7c54fd35ed6", "6332debf-87b5-4670-90c0-5e57b408a49e"
_COLLECTION = "2d3468c1-36a7-43b6-ac24-d3f02fd9607a", "5632b1a4-e38a-400a-928a-d4cd63230295"
_LINK = "00021401-0000-0000-c000-000000000046", "000214f9-0000-0000-c000-000000000046"
_ARRAY, _STORE = "92ca9dcd-5622-4bba-a805-5e9f541bd8c9", "886d8eeb-8cf2-4446-8d02-cdba1dbdcf99"
_SET_APP_ID, _BEGIN, _ADD_TASKS, _COMMIT = 3, 4, 7, 8
_ADD_OBJECT = 5
_SET_DESCRIPTION, _SET_ARGUMENTS, _SET_ICON, _SET_PATH = 7, 11, 17, 20
_SET_VALUE, _STORE_COMMIT = 6, 7
_TITLE_FORMAT, _TITLE_ID = "f29f85e0-4ff9-1068-ab91-08002b27b3d9", 2
_TEXT = 31
"""VT_LPWSTR."""

TASKS: tuple[tuple[InstanceRequest, str], ...] = (
    ("stop", later("Stop the agent")),
    ("history", later("Earlier runs")),
    ("settings", later("Settings")),
)
"""What can be asked of it from outside, and its words."""


class _Key(ctypes.Structure):
    _fields_ = (("format", ctypes.c_byte * 16), ("id", ctypes.c_ulong))


class _Text(ctypes.Structure):
    """A PROPVARIANT that holds a text."""

    _fields_ = (
        ("kind", ctypes.c_ushort),
        ("reserved", ctypes.c_ushort * 3),
        ("text", ctypes.c_wchar_p),
        ("rest", ctypes.c_void_p),
    )


class JumpTask(NamedTuple):
    """A task: the program, its arguments as one line, and the words for the user."""

    program: str
    arguments: str
    words: str


def tasks(command: Sequence[str]) -> tuple[JumpTask, ...]:
    """What the menu offers, for a program that is started by `command`."""
    program, *words = command
    return tuple(
        JumpTask(program, subprocess.list2cmdline([*words, "--ask", request]), tr(title))
        for request, title in TASKS
    )


def show_tasks(offered: Sequence[JumpTask]) -> bool:
    """Put the tasks into the menu of our button; False where the system takes none.

    The calling thread is one that COM is ready in, as Qt's UI thread.
    """
    made = create(*_LIST)
    collection = create(*_COLLECTION)
    shown = made is not None and collection is not None and _fill(made, collection, offered)
    for each in (made, collection):
        if each is not None:
            each.close()
    if not shown:
        logging.getLogger(__name__).info("no tasks in the task bar's menu")
    return shown


def _fill(made: ComObject, collection: ComObject, offered: Sequence[JumpTask]) -> bool:
    links = [link for task in offered if (link := _link(task)) is not None]
    for link in links:
        collection.call(_ADD_OBJECT, link.pointer)
        link.close()
    slots, removed, array = ctypes.c_uint(), ctypes.c_void_p(), guid(_ARRAY)
    begun = made.call(_SET_APP_ID, ctypes.c_wchar_p(APP_ID)) == 0 and (
        made.call(_BEGIN, ctypes.pointer(slots), ctypes.pointer(array), ctypes.pointer(removed)) == 0
    )
    if removed:
        ComObject(removed).close()
    return begun and made.call(_ADD_TASKS, collection.pointer) == 0 and made.call(_COMMIT) == 0


def _link(task: JumpTask) -> ComObject | None:
    link = create(*_LINK)
    if link is None:
        return None
    link.call(_SET_PATH, ctypes.c_wchar_p(task.program))
    link.call(_SET_ARGUMENTS, ctypes.c_wchar_p(task.arguments))
    link.call(_SET_DESCRIPTION, ctypes.c_wchar_p(task.words))
    link.call(_SET_ICON, ctypes.c_wchar_p(task.program), ctypes.c_int(0))
    store = link.query(_STORE)
    if store is None:
        link.close()
        return None
    key = _Key(guid(_TITLE_FORMAT), _TITLE_ID)
    title = _Text(_TEXT, (ctypes.c_ushort * 3)(), task.words, None)
    named = store.call(_SET_VALUE, ctypes.pointer(key), ctypes.pointer(title)) == 0
    store.call(_STORE_COMMIT)
    store.close()
    if named:
        return link
    link.close()
    return None
