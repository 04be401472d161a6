"""Sorts of applications: the everyday words for each, and the names of windows that are one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

Sort: TypeAlias = Literal["editor", "calculator", "browser", "files", "terminal", "office", ""]


class Application(msgspec.Struct, frozen=True):
    """`said` are the words people use for the sort, `known` names seen in titles and application names."""

    sort: Sort
    said: tuple[str, ...]
    known: tuple[str, ...]


SORTS = (
    Application(
        "editor",
        ("text editor", "editor", "notepad", "note pad", "plain text editor", "notes", "simple text editor"),
        ("mousepad", "gedit", "kate", "kwrite", "leafpad", "l3afpad", "pluma", "xed", "featherpad", "notepad", "geany",
         "text editor", "gnome-text-editor", "xfce4-mousepad", "org.xfce.mousepad", "textedit"),
    ),
    Application(
        "calculator",
        ("calculator", "calc", "pocket calculator", "desktop calculator"),
        ("galculator", "gnome-calculator", "kcalc", "mate-calc", "xcalc", "calculator", "qalculate", "speedcrunch"),
    ),
    Application(
        "browser",
        ("browser", "web browser", "internet browser", "internet", "web", "the internet"),
        ("chromium", "chrome", "google chrome", "firefox", "brave", "edge", "microsoft edge", "epiphany", "vivaldi",
         "opera", "falkon", "konqueror", "midori"),
    ),
    Application(
        "files",
        ("file manager", "files", "file explorer", "explorer", "file browser", "finder", "my files"),
        ("pcmanfm", "thunar", "nautilus", "nemo", "caja", "dolphin", "pcmanfm-qt", "explorer", "org.gnome.nautilus"),
    ),
    Application(
        "terminal",
        ("terminal", "console", "command line", "shell", "command prompt", "terminal emulator", "xterm"),
        ("xterm", "uxterm", "gnome-terminal", "konsole", "xfce4-terminal", "lxterminal", "terminal", "alacritty", "kitty",
         "terminator", "rxvt", "st", "cmd", "powershell"),
    ),
    Application(
        "office",
        ("spreadsheet", "word processor", "office"),
        ("libreoffice", "soffice", "calc", "writer", "gnumeric", "abiword", "excel", "word"),
    ),
)  # fmt: skip


def sort_of(words: str) -> Sort:
    """The sort of application that everyday words or a program's name mean, "" for none of them."""
    text = _plain(words)
    for each in SORTS:
        if text in each.said:
            return each.sort
    for each in SORTS:
        if text in each.known:
            return each.sort
    return ""


def is_generic(words: str) -> bool:
    """True for "text editor", False for "mousepad"."""
    return any(_plain(words) in each.said for each in SORTS)


def programs(words: str, hint: str = "") -> tuple[str, ...]:
    """Programs of the sort that everyday words mean, those named in a hint first; () when they name no sort."""
    if not is_generic(words):
        return ()
    sort = sort_of(words)
    known = next(each.known for each in SORTS if each.sort == sort)
    return tuple(sorted(known, key=lambda name: not _has(hint, name)))


def shows(words: str, title: str, application: str) -> bool:
    """Is a window of this title and application what the words ask for?"""
    text = _plain(words)
    if not text:
        return False
    if is_generic(text):
        sort = sort_of(text)
        return window_sort(title, application) == sort
    return _has(title, text) or _has(application, text)


@lru_cache(1_000)
def window_sort(title: str, application: str) -> Sort:
    """The sort of application a window belongs to, by its application's name or the end of its title."""
    for each in SORTS:
        if any(
            _plain(application) == known or _has(application, known) for known in each.known if len(known) > 2
        ):
            return each.sort
    if re.match(r"[\w.-]+@[\w.-]+: ?[~/]", title):  # what shells call their window: user@host: ~/folder
        return "terminal"
    tail = re.split(r"\s[-–—|]\s", title)[-1]
    for each in SORTS:
        if any(_plain(tail) == known for known in each.known):
            return each.sort
    return ""


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text.lower()) is not None


def _plain(words: str) -> str:
    text = " ".join(words.lower().split())
    text = re.sub(r"^(?:the|a|an|my|your|default)\s+", "", text)
    return re.sub(r"\s+(?:application|app|program|window)$", "", text)
