"""Gives a Windows program without a console its output: the console it was started from, or a message box."""

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
"""Columns do not line up in a message box: they only make lines too long."""


def with_console(run: Callable[[], int]) -> int:
    """Call `run` with stdout and stderr that show somewhere, and return its exit code.

    Python has neither in a Windows program without a console (subsystem 2), started by a double click or at
    a command prompt. Then they go to the console it was started from, else at the end into a message box.
    A stream that is piped or redirected stays as it is.
    """
    for stream in (sys.stdout, sys.stderr):
        _use_utf8(stream)
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
    """Call `run` with these streams for those that are missing; returns the exit code, also of `sys.exit`."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = before[0] or out, before[1] or err
    try:
        return exit_code_of(run)
    finally:
        for each in (sys.stdout, sys.stderr):
            each.flush()
        sys.stdout, sys.stderr = before


def can_answer(stream: TextIO | None) -> bool:
    """True for a terminal where somebody may answer; not for the device NUL, which isatty() takes for one on Windows."""
    return stream is not None and stream.isatty() and _is_console(stream)


def ask_yes_no(question: str) -> bool | None:
    """Ask a yes-or-no question in a message box and return the answer; None where there is a stdin to ask at.

    A Windows program without a console has no stdin even when started at a command prompt: the shell reads there.
    """
    return _ask(question) if sys.platform == "win32" and sys.stdin is None else None


def _use_utf8(stream: TextIO | None) -> None:
    """Have a stream take every character: on Windows pipes and files take one code page's, without “→” and “▸”."""
    if sys.platform == "win32" and isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace")


def to_show(words: str, complaints: str, code: int) -> str:
    """The text for a message box from what went to stdout and stderr, "" for none: stderr counts only on failure.

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
        """The console of the process that started this one, open for writing; None when that has none."""
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
        """None: other systems have no such programs."""
        return None

    def _is_console(stream: TextIO) -> bool:
        del stream
        return True

    def _ask(question: str) -> bool:
        del question
        return False

    def _show(text: str, code: int) -> None:
        del text, code
