"""Model output for fuzzing: valid replies by chance, and what goes wrong with them."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

from benchmarks.fuzz_oracle import OPERATIONS

Chance = random.Random

WORDS = (
    "", "a", "Save", "hello world\n", "tab\there", "ünï → ✓", "😀😀", "x" * 40, "e1", "e2", "e9", "ctrl", "{}", "null", '"quoted"',
    "back\\slash", "\x7f", "\x85", "\x00", "\x1b[2J", "line\r\nfeed", "\ufeff", "\u2028", "\u202e", "nothing", "firefox", "a\n",
)  # fmt: skip
KEYS = (
    "ctrl", "shift", "alt", "super", "altgr", "ctrl_left", "Control_R", "Return", "enter", "esc", "F5", "a", "A", "ß", "+", " ",
    "\n", "page up", "Page_Up", "pgdn", "left", "kp_5", "volumeup", "frobnicate", "", "ctrl+c", "ctrl ", "\x1b", "\u200b", "Ⅷ", "😀",
)  # fmt: skip
NASTY: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 31, 65_535, 65_536, 2**31, 2**63, 2**64, 10**30, -(2**63), 1.0, 0.5, 1.5, -0.0, 1e-320, 1e308,
    [], {}, [[]], [{}], {"op": "click"}, ["click"], "click", "", "1", "true", "left", [1, 2], {"x": 1, "y": 2}, "$", [None], float("inf"),
    float("nan"),
)  # fmt: skip
_MARKS = '{}[]",:\\ \n\t0123456789.eE+-truefalsn'


# ---- valid replies ---------------------------------------------------------------------------


_PLACES = (
    "app:mousepad:act",
    "site:https://a.example:look",
    "folder:~/Documents",
    "app: ",
    "app:\n x",
    "rule:all",
    "site:",
)


def reply(chance: Chance) -> dict[str, Any]:
    """Mostly a valid reply, as JSON's objects."""
    made: dict[str, Any] = {}
    if chance.random() < 0.5:
        made["notes"] = chance.choice(WORDS)
    if chance.random() < 0.4:
        made["high_level"] = [chance.choice(WORDS[1:9]) for _ in range(chance.randrange(4))]
    if chance.random() < 0.2:
        made["scope"] = [chance.choice(_PLACES) for _ in range(chance.randrange(4))]
    if chance.random() < 0.2:
        made["step"] = chance.choice((None, 1, 2, 3))
    made["actions"] = [operation(chance) for _ in range(chance.choice((0, 1, 1, 1, 2, 2, 3, 5)))]
    return made


def operation(chance: Chance) -> dict[str, Any]:
    """Mostly a valid operation; fields that may be left out are, half of the time."""
    name = chance.choice(_NAMES)
    made: dict[str, Any] = {"op": name}
    for field in OPERATIONS[name]:
        if field in _ALWAYS.get(name, ()) or chance.random() < 0.5:
            made[field] = _VALUES[field](chance)
    if ("x" in made) != ("y" in made):
        made.pop("x", None), made.pop("y", None)
    return made


def _pixel(chance: Chance) -> int:
    return chance.randrange(320) if chance.random() < 0.95 else chance.choice((0, 319, 320, 239, 240, 65_535))


def _spot(chance: Chance) -> dict[str, int]:
    return {"x": _pixel(chance), "y": chance.randrange(240)}


def _region(chance: Chance) -> dict[str, int]:
    return {**_spot(chance), "width": chance.randrange(1, 99), "height": chance.randrange(1, 99)}


def _some(values: tuple[Any, ...], *counts: int) -> Callable[[Chance], list[Any]]:
    return lambda chance: [chance.choice(values) for _ in range(chance.choice(counts))]


def _one(*values: Any) -> Callable[[Chance], Any]:
    return lambda chance: chance.choice(values)


_NAMES = tuple(sorted(OPERATIONS))
_ALWAYS: dict[str, tuple[str, ...]] = {
    "move": ("x", "y"), "drag": ("path",), "key_down": ("key",), "key_up": ("key",), "key_combo": ("keys",), "type": ("text",),
    "wait": ("seconds",), "click_element": ("element",), "hover_element": ("element",), "focus_element": ("element",),
    "drag_element": ("element", "to"), "scroll_element": ("element",), "open": ("target",), "run": ("environment", "command"),
    "read_file": ("path",), "write_file": ("path", "content"), "edit_file": ("path", "old", "new"), "ask": ("question",),
    "done": ("summary",), "fail": ("reason",),
}  # fmt: skip
_GOOD = WORDS[1:10]
_VALUES: dict[str, Callable[[Chance], Any]] = {
    "x": _pixel,
    "y": lambda chance: chance.randrange(240),
    "button": _one("left", "left", "right", "middle", "back", "forward"),
    "count": _one(1, 2, 3),
    "modifiers": _some(KEYS[:6], 0, 1, 1, 2),
    "path": lambda chance: [_spot(chance) for _ in range(chance.choice((2, 2, 3, 5)))],
    "dx": _one(0, 1, -3),
    "dy": _one(0, 1, -3, 100),
    "key": lambda chance: chance.choice(KEYS[:23] if chance.random() < 0.9 else KEYS),
    "keys": _some(KEYS[:23], 1, 2, 2, 3),
    "text": lambda chance: chance.choice(WORDS[:15] if chance.random() < 0.8 else WORDS),
    "delay": _one(0, 0.01, 1),
    "element": _one("e1", "e2", "e1", None, "e9"),
    "to": _one("e1", "e2", "e9"),
    "seconds": _one(0, 0.5, 30),
    "target": _one("firefox", "firefox", "nothing", "a\n", "https://example.com/ü"),
    "region": lambda chance: _region(chance),
    "environment": _one("bash", "python", "bash\n", "Bash"),
    "command": _one(*_GOOD),
    "start": _one(1, 10_000_000, None),
    "end": _one(1, 2, None),
    "content": _one(*WORDS),
    "old": _one(*_GOOD),
    "new": _one(*_GOOD),
    "all": _one(True, False),
    "on_screen": _one(True, False),
    "question": _one(*_GOOD),
    "choices": lambda chance: [chance.choice(WORDS[1:]) for _ in range(chance.choice((0, 1, 2, 2, 5)))],
    "summary": _one(*_GOOD),
    "reason": _one(*_GOOD),
}


# ---- what goes wrong -------------------------------------------------------------------------


def text(chance: Chance) -> str:
    """What a model says: a reply, a reply spoiled in one or several ways, or noise."""
    made = reply(chance)
    kind = chance.random()
    if kind < 0.25:
        return _written(made, chance)
    if kind < 0.6:
        for _ in range(chance.choice((1, 1, 2, 4))):
            _spoil(made, chance)
        return _written(made, chance)
    said = _written(made, chance)
    for _ in range(chance.choice((1, 1, 2, 3))):
        harm = chance.choice(_HARMS)
        said = harm(said, chance)
    return said


def _written(made: Any, chance: Chance) -> str:
    separators = (",", ":") if chance.random() < 0.7 else (" ,\n", " : ")
    return json.dumps(made, ensure_ascii=chance.random() < 0.5, separators=separators)


def _nasty(chance: Chance) -> Any:
    return copy.deepcopy(chance.choice(NASTY))  # or it would be put into itself one day


def _spoil(made: dict[str, Any], chance: Chance) -> None:
    """Change one thing somewhere in a reply."""
    inner: Any = made
    while chance.random() < 0.8:
        deeper = [
            each
            for each in (inner.values() if isinstance(inner, dict) else inner)
            if isinstance(each, dict | list) and each
        ]
        if not deeper:
            break
        inner = chance.choice(deeper)
    if isinstance(inner, list):
        _spoil_list(inner, chance)
    else:
        _spoil_object(inner, chance)


def _spoil_list(inner: list[Any], chance: Chance) -> None:
    at = chance.randrange(len(inner) + 1)
    way = chance.random()
    if way < 0.4:
        inner.insert(at, _nasty(chance))
    elif way < 0.7 and inner:
        inner[at % len(inner)] = _nasty(chance)
    elif way < 0.8:
        inner *= chance.choice((0, 2, 20))
    else:
        inner.append(operation(chance))


def _spoil_object(inner: dict[str, Any], chance: Chance) -> None:
    names = list(inner) or ["op"]
    name = chance.choice(names)
    way = chance.random()
    if way < 0.5:
        inner[name] = _nasty(chance)
    elif way < 0.6:
        inner.pop(name, None)
    elif way < 0.75:
        inner[chance.choice((*_VALUES, "op", "actions", "extra", "Op", "", "\ud800"))] = _nasty(chance)
    elif way < 0.85:
        inner["op"] = chance.choice((*_NAMES, "approve", "resume", "eval", "CLICK", "click "))
    elif way < 0.95:
        inner[name] = [inner.get(name)]
    else:
        inner[name] = chance.choice(WORDS) * chance.choice((1, 30, 300))


def _cut(said: str, chance: Chance) -> str:
    return said[: chance.randrange(len(said) + 1)]


def _replace(said: str, chance: Chance) -> str:
    at = chance.randrange(len(said) + 1)
    return said[:at] + chance.choice(_MARKS) + said[at + 1 :]


def _insert(said: str, chance: Chance) -> str:
    at = chance.randrange(len(said) + 1)
    return said[:at] + chance.choice(_INSERTED) + said[at:]


def _remove(said: str, chance: Chance) -> str:
    at = chance.randrange(len(said) + 1)
    return said[:at] + said[at + chance.choice((1, 1, 2, 9)) :]


def _double(said: str, chance: Chance) -> str:
    first, second = sorted(chance.randrange(len(said) + 1) for _ in range(2))
    return said[:second] + said[first:]


def _around(said: str, chance: Chance) -> str:
    before, after = chance.choice(_FRAMES)
    return before + said + after


def _two(said: str, chance: Chance) -> str:
    return said + chance.choice(("", "\n", ",", " ")) + _written(reply(chance), chance)


def _name_twice(said: str, chance: Chance) -> str:
    name = chance.choice(("op", "x", "actions", "notes", "text", "key"))
    value = json.dumps(chance.choice(("click", 1, [], "type", "a", 5000)))
    return said.replace("{", f'{{"{name}":{value},', chance.choice((1, 2, 3)))


def _number(said: str, chance: Chance) -> str:
    at = next((n for n, char in enumerate(said) if char.isdigit()), len(said))
    odd = (
        "1e2",
        "1E+0",
        "-0",
        "01",
        "0x1",
        "1.",
        ".5",
        "1e400",
        "NaN",
        "Infinity",
        "9" * 25,
        "1_000",
        "+1",
        "٣",
        "1.0",
    )
    return said[:at] + chance.choice(odd) + said[at + 1 :]


def _huge(said: str, chance: Chance) -> str:
    """Rarely, something too big or too deep."""
    if chance.random() < 0.98:
        return said
    deep = chance.choice((50, 900, 5_000))
    big = (
        "[" * deep + "]" * deep,
        '{"a":' * deep + "1" + "}" * deep,
        '"' + "y" * 20_000 + '"',
        "7" * 5_000,
        '"' + "z" * 1_000_001 + '"',
    )
    at = max(said.rfind(":", 0, chance.randrange(len(said) + 1)), 0)
    return (
        said[: at + 1] + chance.choice(big) + said[at + 1 :].lstrip('0123456789"abcdefghijklmnopqrstuvwxyz')
    )


_BITS = (
    "\ud800", "\udc00", "\\ud800", "\\ud83d\\ude00", "\\udc00", "\ufeff", "\x00", "\x0b", "\u00a0", "NaN", "null", "```", "\\u0000", "\\x41",
    "//c\n", "/*c*/", "<think>", "</think>", "…", "'", "undefined", "\\u000", "\x85", '","op":"click',
)  # fmt: skip
_INSERTED: tuple[str, ...] = (*_MARKS, *_BITS)
_FRAMES = (
    ("Sure! ", ""), ("", "\nHope it helps {}"), ("```json\n", "\n```"), ("```\n", "```"), ("```JSON", "\n```"), ("<think>{}</think>", ""),
    ("<think>", ""), ("<think>hm", "</think>"), ("[", "]"), ('{"reply":', "}"), ('"', '"'), ("\ufeff", ""), (" \t\r\n", "\x0b\x0c "), ("(", ")"),
    ("```python {}\n", "\n```"), ("```json\n", "\n```\nand {}"), ("", "\x00"), ("json\n", ""), ("<think></think>```json\n", "\n```"),
)  # fmt: skip
_HARMS: tuple[Callable[[str, Chance], str], ...] = (
    _cut,
    _replace,
    _insert,
    _insert,
    _remove,
    _double,
    _around,
    _two,
    _name_twice,
    _number,
    _huge,
)
