"""Everyday words: numbers, keys, kinds of things, folders, and the padding around an instruction."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from desktop_agent.protocol import keys
from desktop_agent.support import paths

_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
_LOOSE = {"a": 1, "an": 1, "once": 1, "twice": 2, "thrice": 3, "a couple": 2, "a couple of": 2, "a few": 3,
          "some": 3, "several": 4, "a dozen": 12}  # fmt: skip

ORDINAL = r"(?:" + "|".join(_ORDINALS) + r"|last|final|bottom|top|\d{1,3}(?:st|nd|rd|th))"
NUMBER = (
    r"(?:\d+(?:\.\d+)?|" + "|".join(_UNITS[1:]) + "|"
    r"(?:" + "|".join(_TENS) + r")(?:[- ](?:" + "|".join(_UNITS[1:10]) + r"))?"
    r"|a couple of|a couple|a few|several|a dozen|some|an|a)"
)  # fmt: skip
TIMES = rf"(?:once|twice|thrice|{NUMBER}\s*(?:times|x)|x\s*\d+)"

KINDS: dict[str, str] = {
    "button": "button", "btn": "button", "push button": "button", "key": "button", "toolbar button": "button",
    "link": "link", "hyperlink": "link", "url": "link",
    "tab": "tab", "page tab": "tab",
    "checkbox": "checkbox", "check box": "checkbox", "tick box": "checkbox", "tickbox": "checkbox",
    "radio button": "radio", "radio": "radio", "radiobutton": "radio",
    "switch": "toggle", "toggle": "toggle", "toggle button": "toggle",
    "field": "field", "text field": "field", "input": "field", "input field": "field", "box": "field",
    "text box": "field", "text input": "field", "input text": "field", "answer box": "field", "textbox": "field", "entry": "field", "text area": "field", "textarea": "field",
    "form field": "field", "input box": "field", "edit box": "field",
    "input textbox": "field", "input text box": "field", "text input field": "field", "text entry": "field",
    "dropdown": "combo", "drop-down": "combo", "drop down": "combo", "combo box": "combo", "combobox": "combo",
    "select box": "combo", "dropdown list": "combo", "drop-down list": "combo", "dropdown menu": "combo",
    "drop-down menu": "combo", "selector": "combo", "picker": "combo", "list box": "combo", "list": "combo",
    "menu": "menu", "menu item": "menuitem", "menu entry": "menuitem", "menu option": "menuitem",
    "option": "option", "choice": "option", "entry in the list": "option",
    "item": "item", "list item": "item", "entry in the menu": "menuitem",
    "icon": "icon", "image": "image", "picture": "image", "photo": "image", "logo": "image",
    "heading": "heading", "title": "heading", "slider": "slider", "spinner": "spin", "spin box": "spin",
    "spin button": "spin", "spinbox": "spin", "stepper": "spin", "spin control": "spin", "dial": "slider", "knob": "slider", "row": "row", "line": "row", "cell": "cell",
    "window": "window", "dialog": "window", "dialog box": "window", "popup": "window", "pop-up": "window",
    "file": "item", "folder": "item", "directory": "item", "result": "result", "search result": "result",
    "page": "link", "section": "", "paragraph": "label", "message": "label", "label": "label", "text": "label", "word": "label", "words": "label",
}  # fmt: skip
KIND = r"(?:" + "|".join(sorted((re.escape(each) for each in KINDS), key=len, reverse=True)) + r")(?:e?s)?"

_TEMPORARY = "/tmp"  # noqa: S108 - the folder people mean
FOLDERS: dict[str, str] = {
    "home": "~", "home folder": "~", "home directory": "~", "user folder": "~", "personal folder": "~",
    "desktop": "DESKTOP", "documents": "DOCUMENTS", "downloads": "DOWNLOAD", "download": "DOWNLOAD",
    "pictures": "PICTURES", "music": "MUSIC", "videos": "VIDEOS", "public": "PUBLICSHARE",
    "templates": "TEMPLATES", "temp": _TEMPORARY, "temporary": _TEMPORARY, "tmp": _TEMPORARY, "root": "/",
    "file system root": "/",
}  # fmt: skip

# Names that are words for buttons as well: keys only when something else says so.
_BUTTONISH = frozenset(
    [
        "next",
        "print",
        "play",
        "stop",
        "add",
        "subtract",
        "multiply",
        "divide",
        "help",
        "menu",
        "mail",
        "calculator",
        "pause",
        "break",
        "mute",
        "command",
        "option",
        "at",
        "question",
        "bar",
        "star",
        "less",
        "greater",
        "begin",
        "dot",
        "hash",
        "pipe",
        "quote",
        "period",
        "comma",
        "colon",
        "minus",
        "plus",
        "equals",
        "equal",
        "apps",
        "logo",
        "gui",
        "windows",
        "cut",
        "copy",
        "paste",
        "undo",
        "redo",
        "cr",
        "ret",
        "meta",
        "prior",
        "opt",
    ]
)


def number(words: str) -> float | None:
    """The value of "3", "three", "twenty-one", "twice", "a few"; None when it is no number."""
    text = " ".join(words.lower().replace("-", " ").split())
    text = re.sub(r"\s*(?:times|\bx|(?<=\d)x)$|^x\s*(?=\d)", "", text)
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,6})?", text):
        return float(text)
    if text in _LOOSE:
        return float(_LOOSE[text])
    if text in _UNITS:
        return float(_UNITS.index(text))
    tens, _, unit = text.partition(" ")
    if tens in _TENS and (not unit or unit in _UNITS[1:10]):
        return float(20 + 10 * _TENS.index(tens) + (_UNITS.index(unit) if unit else 0))
    return None


def ordinal(word: str) -> int:
    """1 for "first", 3 for "3rd", -1 for "last"; 0 when it is none."""
    text = word.lower()
    if text in ("last", "final", "bottom"):
        return -1
    if text == "top":
        return 1
    if text in _ORDINALS:
        return _ORDINALS.index(text) + 1
    found = re.fullmatch(r"(\d{1,3})(?:st|nd|rd|th)", text)
    return int(found[1]) if found else 0


def key(word: str, *, alone: bool = True) -> str | None:
    """The canonical key of a word, None when it is none.

    `alone` words stand by themselves and may name a button as well ("next"): those are no keys then.
    """
    text = word.strip()
    if not text or (alone and text.lower() in _BUTTONISH):
        return None
    if len(text) == 1:
        return keys.canonical(text) if text.isprintable() else None
    return keys.known(text)


def chord(words: str) -> tuple[str, ...] | None:
    """The keys of "ctrl+shift+s", "Control S", "alt-F4", "the enter key"; None when they are no keys."""
    text = re.sub(r"^(?:the|a|key|keys)\s+", "", words.strip(), flags=re.I)
    named = re.fullmatch(
        r"(.+?)\s+(?:keys?|arrow|bar|button on the keyboard|shortcut|combination)", text, re.I
    )
    text, said = (named[1], True) if named and named[1].lower() != "page" else (text, False)
    single = key(text, alone=not said)
    if single is not None:
        return _lower((single,))
    parts = [each for each in re.split(r"\s*\+\s*(?=\S)|(?<=\w)\s*-\s*(?=\w)|\s+and\s+", text) if each]
    found = _all_keys(parts) or _all_keys(text.split())
    return found if found and all(keys.is_modifier(each) for each in found[:-1]) else None


def _all_keys(parts: list[str]) -> tuple[str, ...] | None:
    if not 2 <= len(parts) <= 5:
        return None
    found = [key(each, alone=False) for each in parts]
    return _lower(tuple(each for each in found if each)) if all(found) else None


def _lower(chord: tuple[str, ...]) -> tuple[str, ...]:
    """A capital letter in a chord names the key, not the character: ctrl+S is ctrl+s."""
    return tuple(each.lower() if len(each) == 1 else each for each in chord)


def kind(noun: str) -> str:
    """The kind of thing a noun names, "" when it is none (or says nothing)."""
    text = " ".join(noun.lower().split())
    return KINDS.get(text) or KINDS.get(text.removesuffix("s")) or KINDS.get(text.removesuffix("es")) or ""


def folder(words: str) -> str:
    """The folder that words name: "~…", an absolute path, an XDG name like DESKTOP, or the plain name.

    "my Documents folder" → DOCUMENTS, "~/notes" → ~/notes, "projects" → projects.
    """
    text = words.strip().rstrip("/") or "/"
    text = re.sub(r"^(?:the|my|our|your|a)\s+", "", text, flags=re.I)
    text = re.sub(r"^(?:folder|directory)\s+(?:called\s+|named\s+)?", "", text, flags=re.I)
    return known_folder(text) or re.sub(r"\s*(?:folder|directory|dir)$", "", text, flags=re.I)


def shell_folder(folder: str) -> str:
    """A folder as `known_folder` names it, as it is written in a command: DOCUMENTS → ~/Documents."""
    head, _, rest = folder.partition("/")
    if head not in paths.USUAL:
        return folder
    path = paths.of_user(head) / rest
    if not path.is_relative_to(Path.home()):
        return shlex.quote(str(path))
    return "~/" + shlex.quote(path.relative_to(Path.home()).as_posix())


def known_folder(words: str) -> str:
    """The folder that has this name on every desktop, "" for any other."""
    text = words.strip().lower()
    return FOLDERS.get(text) or FOLDERS.get(re.sub(r"\s*(?:folder|directory|dir)$", "", text), "")
