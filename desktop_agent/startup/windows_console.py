"""Gives a program without a console a place for what it says: the console it was started from, or a message box."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import TextIO

from desktop_agent.startup.exit_code import exit_code_of
from desktop_agent.startup.onefile import unpacked

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

NAME = "desktop-agent"
LONGEST = 4000
"""Characters that a message box shows: the last ones."""
_ICON_ERROR, _ICON_INFORMATION, _IN_FRONT = 0x10, 0x40, 0x0001_0000
_YES_NO, _ICON_QUESTION, _NO_IS_USUAL, _YES = 0x4, 0x20, 0x100, 6
_PROCESSES = 2
# argparse's table of all options, made for letters of one width; what is wrong follows it.
_USAGE = re.compile(r"\Ausage: .*?\n(?=\S)", re.S)
_COLUMN, _GAP = re.compile(r" {3,}"), "   "
"""Columns are no columns there: they only make lines too long."""


def with_console(run: Callable[[], int]) -> int:
    """Run the program; what it says is heard also where Python has no stdout and stderr. Returns its exit code.

    That is so on Windows in a program for windows (subsystem 2): a double click gives it no console, and a
    command prompt none of its own. What is piped or redirected has its place already.
    """
    for stream in (sys.stdout, sys.stderr):
        _say_everything(stream)
    if sys.platform != "win32" or (sys.stdout is not None and sys.stderr is not None):
        return exit_code_of(run)
    if (console := attached()) is not None:
        return _run_with(run, console, console)
    words, complaints = io.StringIO(), io.StringIO()
    code = 1
    try:
        code = _run_with(run, words, complaints)
    finally:
        if text := to_show(words.getvalue(), complaints.getvalue(), code):
            _show(text, code)
    return code


def _run_with(run: Callable[[], int], out: TextIO, err: TextIO) -> int:
    """Run with streams in the places of those that are not there; the end by `sys.exit` is one like others."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = before[0] or out, before[1] or err
    try:
        return exit_code_of(run)
    finally:
        for each in (sys.stdout, sys.stderr):
            each.flush()
        sys.stdout, sys.stderr = before


def can_answer(stream: TextIO | None) -> bool:
    """True for a terminal that somebody may sit at. On Windows the empty device NUL says that it is one."""
    return stream is not None and stream.isatty() and _is_console(stream)


def asked(question: str) -> bool | None:
    """The answer to a yes-or-no question, asked in a message box; None where there may be a better place to ask.

    A program for windows has no stdin, also when it was started at a command prompt: the shell reads there.
    """
    return _ask(question) if sys.platform == "win32" and sys.stdin is None else None


def _say_everything(stream: TextIO | None) -> None:
    """Pipes and files on Windows take the characters of one code page unless told otherwise: no “→”, no “▸”."""
    if sys.platform == "win32" and isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace")


def to_show(words: str, complaints: str, code: int) -> str:
    """What a message box is to say: nothing when all went well and the program had nothing to say to us.

    >>> to_show("", "a warning of a library", 0)
    ''
    >>> to_show("ok       typing             all 87 characters arrived", "", 0)
    'ok   typing   all 87 characters arrived'
    """
    parts = [words, _USAGE.sub("", complaints)] if code else [words]
    text = _COLUMN.sub(_GAP, "\n".join(part.strip() for part in parts if part.strip()))
    return text if len(text) <= LONGEST else f"… {text[-LONGEST:]}"


if sys.platform == "win32":

    class _Process(ctypes.Structure):
        _fields_ = (
            ("dwSize", wintypes.DWORD),
            ("cntUsage", wintypes.DWORD),
            ("th32ProcessID", wintypes.DWORD),
            ("th32DefaultHeapID", ctypes.c_size_t),
            ("th32ModuleID", wintypes.DWORD),
            ("cntThreads", wintypes.DWORD),
            ("th32ParentProcessID", wintypes.DWORD),
            ("pcPriClassBase", wintypes.LONG),
            ("dwFlags", wintypes.DWORD),
            ("szExeFile", wintypes.WCHAR * 260),
        )

    def attached() -> TextIO | None:
        """The console this program was started from, ready to write to; None where there is none."""
        import os

        kernel = ctypes.WinDLL("kernel32")
        starter = os.getppid()
        if unpacked():  # our parent is the part of us that unpacked us, and has no console either
            starter = _parents().get(starter, 0)
        if not starter or not kernel.AttachConsole(wintypes.DWORD(starter)):
            return None
        # The prompt is back already: the shell does not wait for a program for windows.
        console = open("CONOUT$", "w", encoding="utf-8", errors="replace", buffering=1)  # noqa: SIM115, PTH123
        console.write("\n")
        return console

    def _parents() -> dict[int, int]:
        """Process id → id of the process that started it (Toolhelp32)."""
        kernel = ctypes.WinDLL("kernel32")
        kernel.CreateToolhelp32Snapshot.restype = wintypes.HANDLE
        snapshot = wintypes.HANDLE(kernel.CreateToolhelp32Snapshot(_PROCESSES, 0))
        entry, found = _Process(dwSize=ctypes.sizeof(_Process)), {}
        more = kernel.Process32FirstW(snapshot, ctypes.byref(entry))
        while more:
            found[entry.th32ProcessID] = entry.th32ParentProcessID
            more = kernel.Process32NextW(snapshot, ctypes.byref(entry))
        kernel.CloseHandle(snapshot)
        return found

    def _is_console(stream: TextIO) -> bool:
        handle, mode = msvcrt.get_osfhandle(stream.fileno()), wintypes.DWORD()
        return bool(ctypes.WinDLL("kernel32").GetConsoleMode(wintypes.HANDLE(handle), ctypes.byref(mode)))

    def _ask(question: str) -> bool:
        style = _YES_NO | _ICON_QUESTION | _NO_IS_USUAL | _IN_FRONT
        return bool(ctypes.WinDLL("user32").MessageBoxW(None, question, NAME, style) == _YES)

    def _show(text: str, code: int) -> None:
        icon = _ICON_ERROR if code else _ICON_INFORMATION
        ctypes.WinDLL("user32").MessageBoxW(None, text, NAME, icon | _IN_FRONT)

else:

    def attached() -> TextIO | None:
        """There is no such console elsewhere."""
        return None

    def _is_console(stream: TextIO) -> bool:
        del stream
        return True

    def _ask(question: str) -> bool:
        del question
        return False

    def _show(text: str, code: int) -> None:
        del text, code
