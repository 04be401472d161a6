"""Opens a program, file or address on Windows: by everyday name, Start menu shortcut or shell."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from ctypes import wintypes
from pathlib import Path, PureWindowsPath
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
_EDGES = ".,;:!?\"'“”„«»()[]{}<>"
_PATH = re.compile(r"^(?:[A-Za-z]:[\\/]|\\\\|~|%\w+%)")
_MENUS = ("ProgramData", "AppData")
_IS_PROTOCOL, _EXECUTABLE = 0x1000, 2  # ASSOCF_IS_PROTOCOL, ASSOCSTR_EXECUTABLE
_LONGEST = 1024
BLANK = "about:blank"


def default_browser() -> str:
    """Path of the program that opens https addresses; BLANK when Windows names none.

    Windows 10 and later know no program for BLANK itself: they ask the user for one.
    """
    return _associated("https", _IS_PROTOCOL) or BLANK


def program_of_type(ending: str) -> str:
    """Path of the program that opens files with this ending (".txt"); "" when Windows names none."""
    return _associated(ending, 0)


def _associated(what: str, flags: int) -> str:
    """The program for a protocol or a file's ending (AssocQueryStringW, shlwapi.h), "" when there is none."""
    windows: Any = ctypes  # WinDLL is there on Windows only
    buffer, size = ctypes.create_unicode_buffer(_LONGEST), wintypes.DWORD(_LONGEST)
    asked = (flags, _EXECUTABLE, what, "open", buffer, ctypes.byref(size))
    told = windows.WinDLL("shlwapi").AssocQueryStringW(*asked) == 0
    return buffer.value if told else ""


class WindowsOpener:
    """Opens things by name. `start` is the shell's open (raises OSError), `environ` locates the Start menus."""

    def __init__(
        self,
        environ: Mapping[str, str],
        start: Callable[[str], None],
        browser: Callable[[], str] = default_browser,
        of_type: Callable[[str], str] = program_of_type,
    ) -> None:
        self._environ = environ
        self._start = start
        self._browser = browser
        self._of_type = of_type

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

    def programs_named(self, words: str) -> frozenset[str]:
        """File names of the programs that a user's words name: everyday names, shortcuts of the Start menu, and what
        opens the files and addresses among the words."""
        tokens = [token.strip(_EDGES) for token in words.split()[:2_000]]
        phrases = {" ".join(tokens[at : at + n]).lower() for n in range(1, 5) for at in range(len(tokens))}
        found = [program for program, names in _EVERYDAY.items() if phrases & {*names, Path(program).stem}]
        if phrases & {*_BROWSERS} or any(re.match(r"(?i)(https?://|www\.)\S", token) for token in tokens):
            found.append(self._browser())
        endings = {match[0].lower() for token in tokens if (match := re.search(r"\.\w{1,5}\Z", token))}
        found += [self._of_type(ending) for ending in sorted(endings - {".com", ".exe"})]
        for path in self._shortcuts():
            if path.stem.lower() in phrases:
                found += _programs_in(path)
        names = (PureWindowsPath(each).name.lower() for each in found)
        return frozenset(name for name in names if name.endswith(".exe"))

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


def _programs_in(shortcut: Path) -> list[str]:
    """File names of the programs in a shortcut: its target stands there in one spelling or the other ([MS-SHLLINK])."""
    try:
        content = shortcut.read_bytes()[:20_000]
    except OSError:
        return []
    texts = (
        content.decode("utf-16-le", "ignore"),
        content[1:].decode("utf-16-le", "ignore"),
        content.decode("latin-1"),
    )
    return list(dict.fromkeys(name for text in texts for name in re.findall(r"[\w.-]+\.exe", text, re.ASCII)))


def _address(what: str) -> str:
    address = what if "://" in what else f"http://{what}"
    if not urlsplit(address).hostname:
        raise Refused(f"{address[:100]!r} is not a complete address.", "Write it as https://host/path.")
    return address
