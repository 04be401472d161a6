"""The commands that Windows runs when this user logs on: the registry's Run key of the user.

Source: "Run and RunOnce Registry Keys" of the Windows API; at most 260 characters a command. The value of the
same name under StartupApproved (Task Manager, Settings) begins with an odd byte where the user has switched it off.
"""

from __future__ import annotations

import winreg
from typing import Any

RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
_registry: Any = winreg  # only there on Windows


def put(name: str, command: str) -> None:
    """Run `command` at log-on under this name, also where the user had switched it off. Raises OSError."""
    with _registry.CreateKey(_registry.HKEY_CURRENT_USER, RUN) as key:
        _registry.SetValueEx(key, name, 0, _registry.REG_SZ, command)
    _delete(APPROVED, name)


def take_out(name: str) -> bool:
    """Run it no more; True when it was there. Raises OSError."""
    _delete(APPROVED, name)
    return _delete(RUN, name)


def command_of(name: str) -> str:
    """What is run under this name, "" for nothing or what the user has switched off."""
    approved = _value(APPROVED, name)
    if isinstance(approved, bytes) and approved[:1] and approved[0] % 2:
        return ""
    return str(_value(RUN, name) or "")


def _value(path: str, name: str) -> object:
    try:
        with _registry.OpenKey(_registry.HKEY_CURRENT_USER, path) as key:
            return _registry.QueryValueEx(key, name)[0]
    except FileNotFoundError:
        return None


def _delete(path: str, name: str) -> bool:
    try:
        with _registry.OpenKey(_registry.HKEY_CURRENT_USER, path, 0, _registry.KEY_SET_VALUE) as key:
            _registry.DeleteValue(key, name)
    except FileNotFoundError:
        return False
    return True
