"""Opens a program, file or address on Windows: by everyday name, Start menu shortcut or shell."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from ctypes import wintypes
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from desktop_agent.protocol.errors import Refused
from desktop_agent.support import paths

# Programs of every Windows, with their everyday names.
_EVERYDAY: Mapping[str, tuple[str, ...]] = {
    "notepad.exe": ("notepad", "text editor", "editor", "notes", "note pad"),
    "calc.exe": ("calculator", "calc"),
    "explorer.exe": ("explorer", "file explorer", "file manager", "files", "my files", "windows explorer"),
    "cmd.exe": ("terminal", "command prompt", "command line", "console", "cmd", "shell"),
    "powershell.exe": ("powershell", "windows powershell"),
    "mspaint.exe": ("paint", "ms paint", "drawing program"),
    "write.exe": ("wordpad", "write"),
    "taskmgr.exe": ("task manager",),
    "control.exe": ("control panel",),
    "ms-settings:": ("settings", "windows settings"),
}
_BROWSERS = ("browser", "web browser", "internet", "internet browser", "web")
_TERMINALS = frozenset(("cmd.exe", "powershell.exe", "pwsh.exe", "wt.exe", "bash.exe", "wsl.exe"))
_PATH = re.compile(r"^(?:[A-Za-z]:[\\/]|\\\\|~|%\w+%)")
_MENUS = ("ProgramData", "AppData")
_IS_PROTOCOL, _EXECUTABLE = 0x1000, 2  # ASSOCF_IS_PROTOCOL, ASSOCSTR_EXECUTABLE
_LONGEST = 1024
BLANK = "about:blank"


def default_browser() -> str:
    """Path of the program that opens https addresses (AssocQueryStringW, shlwapi.h); BLANK when Windows names none.

    Windows 10 and later know no program for BLANK itself: they ask the user for one.
    """
    windows: Any = ctypes  # WinDLL is there on Windows only
    buffer, size = ctypes.create_unicode_buffer(_LONGEST), wintypes.DWORD(_LONGEST)
    asked = (_IS_PROTOCOL, _EXECUTABLE, "https", "open", buffer, ctypes.byref(size))
    told = windows.WinDLL("shlwapi").AssocQueryStringW(*asked) == 0
    return buffer.value if told and buffer.value else BLANK


class WindowsOpener:
    """Opens things by name. `start` is the shell's open (raises OSError), `environ` locates the Start menus."""

    def __init__(
        self,
        environ: Mapping[str, str],
        start: Callable[[str], None],
        browser: Callable[[], str] = default_browser,
    ) -> None:
        self._environ = environ
        self._start = start
        self._browser = browser

    def open(self, what: str) -> str:
        """Open a program name, path or address; returns in words what was opened. Raises Refused when nothing fits."""
        found = self._found(what)
        try:
            self._start(found)
        except OSError as error:
            raise Refused(
                f"Windows found nothing to open for {what[:100]!r}.",
                "Name a program of the Start menu, a file that is there, or an address with https://.",
            ) from error
        return Path(found).stem if found.lower().endswith((".lnk", ".exe")) else found

    def program_for(self, what: str) -> str:
        """File name of the program that `open(what)` would start, for the policy; nothing is opened.

        "" when unknown, "terminal" for whatever runs in one, "folder/" for a folder (which is only viewed).
        """
        try:
            found = self._found(what)
        except Refused:
            return ""
        if _PATH.match(what) and Path(found).is_dir():
            return "folder/"
        name = Path(found).name.lower()
        if name in _TERMINALS or Path(name).stem in ("command prompt", "windows powershell", "terminal"):
            return "terminal"
        return name if name.endswith(".exe") else ""

    def _found(self, what: str) -> str:
        """What to pass to the shell: a program, path or address. Raises Refused."""
        what = what.strip()
        if re.match(r"(?i)(https?://|www\.)", what):
            return _address(what)
        if _PATH.match(what):
            return self._file(what)
        wanted = re.sub(r"^(?:the|a|an|my) ", "", what.lower())
        known = next((program for program, names in _EVERYDAY.items() if wanted in names), None)
        if known is not None:
            return known
        if wanted in _BROWSERS:
            return self._browser()
        shortcut = self._shortcut(wanted)
        if shortcut is None and re.match(r"[a-z][a-z0-9+.-]+:", what, re.I):
            raise Refused(
                f"{what[:100]!r} is not opened: only http, https and files are.", "Write it with https://."
            )
        return shortcut or what

    def _file(self, what: str) -> str:
        path = Path(os.path.expandvars(what)).expanduser()
        if not path.exists():
            advice = paths.elsewhere(path) or "Look at the folder for its exact name."
            raise Refused(f"There is no file or folder {path}.", advice)
        return str(path)

    def _shortcut(self, wanted: str) -> str | None:
        """Path of the Start menu shortcut of that name, else of the shortest name that begins with it; None for none."""
        named = {path.stem.lower(): str(path) for path in self._shortcuts()}
        longer = sorted((name for name in named if name.startswith(wanted + " ")), key=len)
        return named.get(wanted) or (named[longer[0]] if longer else None)

    def _shortcuts(self) -> Iterator[Path]:
        for folder in self._menus():
            yield from folder.rglob("*.lnk")

    def _menus(self) -> Sequence[Path]:
        roots = (
            next((v for k, v in self._environ.items() if k.lower() == name.lower()), "") for name in _MENUS
        )
        return [Path(root) / "Microsoft" / "Windows" / "Start Menu" for root in roots if root]


def _address(what: str) -> str:
    address = what if "://" in what else f"http://{what}"
    if not urlsplit(address).hostname:
        raise Refused(f"{address[:100]!r} is not a complete address.", "Write it as https://host/path.")
    return address
