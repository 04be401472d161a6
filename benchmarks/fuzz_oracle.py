"""An independent judge for fuzzing: which texts are valid replies.

Written from the words of the protocol, with Python's own `json` and none of the decoder: a second opinion.
Shared is the table of key names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from desktop_agent.protocol import keys
from desktop_agent.protocol.errors import Refused

Check = Callable[[Any], bool]
Operation = dict[str, Any]
_REQUIRED = object()


class Invalid(Exception):
    """The text is no valid reply."""


# ---- values ----------------------------------------------------------------------------------


def whole(low: int, high: int) -> Check:
    return lambda value: type(value) is int and low <= value <= high


def number(low: float, high: float) -> Check:
    return lambda value: type(value) in (int, float) and low <= value <= high


def text(low: int, high: int, banned: str = "") -> Check:
    return lambda value: type(value) is str and low <= len(value) <= high and not set(value) & set(banned)


def place(value: object) -> bool:
    """A place that a model may ask for: its kind, a colon, and something on the same line."""
    if type(value) is not str or not 5 <= len(value) <= 300:
        return False
    kind, colon, what = value.partition(":")
    return bool(colon) and kind in ("app", "site", "folder") and bool(what.partition("\n")[0].strip())


def one_of(*choices: str) -> Check:
    return lambda value: type(value) is str and value in choices


def many(check: Check, low: int, high: int) -> Check:
    return lambda value: type(value) is list and low <= len(value) <= high and all(map(check, value))


def maybe(check: Check) -> Check:
    return lambda value: value is None or check(value)


def choices(value: object) -> bool:
    """Up to four answers to pick from: each a line of words, none twice, whatever its case and its spaces."""
    if type(value) is not list or len(value) > 4 or not all(map(text(1, 120), value)):
        return False
    alike = {" ".join(each.split()).casefold() for each in value}
    return all(each.splitlines() == [each] for each in value) and len(alike - {""}) == len(value)


def record(**fields: Check) -> Check:
    return lambda value: (
        type(value) is dict
        and set(value) == set(fields)
        and all(check(value[name]) for name, check in fields.items())
    )


def key(value: Any) -> bool:
    return text(1, 32)(value) and named(value) is not None


def modifier(value: Any) -> bool:
    return key(value) and named(value) in (*keys.MODIFIERS, *keys.SIDED_MODIFIERS)


def named(name: str) -> str | None:
    """The canonical name of a key, None when there is none."""
    try:
        found = keys.canonical(name)
    except Refused:
        return None
    return found if found in keys.NAMES or (len(found) == 1 and found.isprintable()) else None


_C0 = "".join(map(chr, range(32)))
_CONTROLS = _C0 + "".join(map(chr, range(0x7F, 0xA0)))
_TYPED = "".join(set(_CONTROLS) - set("\n\t"))
_PIXEL = whole(0, 65_535)
_BUTTON = one_of("left", "middle", "right", "back", "forward")
_NOTCHES = whole(-100, 100)
_ELEMENT = text(1, 64)
_WORDS = text(1, 4_000)
_PATH = text(1, 4_096, "\0")
_REGION = record(x=_PIXEL, y=_PIXEL, width=whole(1, 65_535), height=whole(1, 65_535))
_POINT = {"x": (maybe(_PIXEL), None), "y": (maybe(_PIXEL), None)}
_MODIFIERS: tuple[Check, Any] = (many(modifier, 0, 4), [])


def _environment(value: Any) -> bool:
    if not text(1, 64)(value):
        return False
    return value[0] in "abcdefghijklmnopqrstuvwxyz" and not set(value) - set(
        "abcdefghijklmnopqrstuvwxyz0123456789_"
    )


OPERATIONS: dict[str, dict[str, tuple[Check, Any]]] = {
    "move": {"x": (_PIXEL, _REQUIRED), "y": (_PIXEL, _REQUIRED)},
    "click": {**_POINT, "button": (_BUTTON, "left"), "count": (whole(1, 3), 1), "modifiers": _MODIFIERS},
    "mouse_down": {"button": (_BUTTON, "left"), **_POINT},
    "mouse_up": {"button": (_BUTTON, "left"), **_POINT},
    "drag": {
        "path": (many(record(x=_PIXEL, y=_PIXEL), 2, 64), _REQUIRED),
        "button": (_BUTTON, "left"),
        "modifiers": _MODIFIERS,
    },
    "scroll": {"dx": (_NOTCHES, 0), "dy": (_NOTCHES, 0), **_POINT},
    "key_down": {"key": (key, _REQUIRED)},
    "key_up": {"key": (key, _REQUIRED)},
    "key_combo": {"keys": (many(key, 1, 5), _REQUIRED)},
    "type": {
        "text": (text(0, 10_000, _TYPED), _REQUIRED),
        "delay": (number(0, 1), 0),
        "element": (maybe(_ELEMENT), None),
    },
    "wait": {"seconds": (number(0, 30), _REQUIRED)},
    "click_element": {
        "element": (_ELEMENT, _REQUIRED),
        "button": (_BUTTON, "left"),
        "count": (whole(1, 3), 1),
        "modifiers": _MODIFIERS,
    },
    "hover_element": {"element": (_ELEMENT, _REQUIRED)},
    "focus_element": {"element": (_ELEMENT, _REQUIRED)},
    "drag_element": {"element": (_ELEMENT, _REQUIRED), "to": (_ELEMENT, _REQUIRED)},
    "scroll_element": {"element": (_ELEMENT, _REQUIRED), "dx": (_NOTCHES, 0), "dy": (_NOTCHES, 0)},
    "open": {"target": (text(1, 2_048, _CONTROLS), _REQUIRED)},
    "look": {"region": (maybe(_REGION), None)},
    "zoom": {"region": (_REGION, _REQUIRED)},
    "pointer_position": {},
    "read": {"element": (maybe(_ELEMENT), None), "region": (maybe(_REGION), None)},
    "run": {"environment": (_environment, _REQUIRED), "command": (text(1, 100_000), _REQUIRED)},
    "read_file": {
        "path": (_PATH, _REQUIRED),
        "start": (maybe(whole(1, 10_000_000)), None),
        "end": (maybe(whole(1, 10_000_000)), None),
    },
    "write_file": {"path": (_PATH, _REQUIRED), "content": (text(0, 200_000), _REQUIRED)},
    "edit_file": {
        "path": (_PATH, _REQUIRED),
        "old": (text(1, 100_000), _REQUIRED),
        "new": (text(0, 100_000), _REQUIRED),
        "all": (lambda value: type(value) is bool, False),
    },
    "read_terminal": {},
    "wait_for_news": {},
    "ask": {
        "question": (_WORDS, _REQUIRED),
        "choices": (choices, []),
        "on_screen": (lambda value: type(value) is bool, False),
    },
    "done": {"summary": (_WORDS, _REQUIRED)},
    "fail": {"reason": (_WORDS, _REQUIRED)},
    "release_all": {},
    "pause": {},
    "stop": {},
}
"""What a model may say; `approve` and `resume` are not in it."""

REPLY: dict[str, Check] = {
    "notes": text(0, 4_000),
    "high_level": many(text(1, 300), 0, 20),
    "scope": many(place, 0, 12),
    "step": maybe(whole(1, 20)),
    "actions": lambda value: type(value) is list and len(value) <= 16,
}


# ---- texts -----------------------------------------------------------------------------------


def judge(said: str, allowed: Iterable[str] | None) -> dict[str, Any]:
    """The reply in a text, every field of its operations filled in. Raises Invalid."""
    reply = _parse(said)
    if type(reply) is not dict or not all(name in REPLY and REPLY[name](reply[name]) for name in reply):
        raise Invalid("no reply")
    plan, step = reply.get("high_level", []), reply.get("step")
    if step is not None and plan and step > len(plan):
        raise Invalid("step")
    names = OPERATIONS if allowed is None else set(allowed)
    actions = [_operation(action, names) for action in reply.get("actions", [])]
    return {
        "notes": reply.get("notes", ""),
        "high_level": plan,
        "scope": reply.get("scope", []),
        "step": step,
        "actions": as_pressed(actions),
    }


def as_pressed(actions: list[Operation]) -> list[Operation]:
    """The operations with the names of the keys that are pressed: beside other keys a letter is a key, in lower case."""
    down: list[str] = []
    made = []
    for action in actions:
        op = action["op"]
        if op == "key_combo":
            action = action | {"keys": _pressed(action["keys"], down)}
        elif op == "key_down":
            action = action | {"key": _pressed([action["key"]], down)[0]}
            down.append(action["key"])
        elif op == "key_up":
            plain, small = _known(action["key"]), _pressed([action["key"]], down)[0]
            action = action | {"key": small if small in down and plain not in down else plain}
            down = [each for each in down if each != action["key"]]
        made.append(action)
    return made


def _pressed(names: list[str], down: list[str]) -> list[str]:
    found = list(map(_known, names))
    if len(down) + len(found) == 1:
        return found
    return [each.lower() if len(each) == len(each.lower()) == 1 else each for each in found]


def _known(name: str) -> str:
    found = named(name)
    if found is None:
        raise Invalid(name)
    return found


def _parse(said: str) -> Any:
    try:
        raw = said.encode()
        if len(raw) > 1_000_000:
            raise Invalid("long")
        return json.loads(_bare(said), object_pairs_hook=_object, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Invalid("no JSON") from error


def _bare(said: str) -> str:
    """Without blanks around, and without one fence that names nothing but a language."""
    body = said.strip(" \t\n\r\v\f")
    first, line_feed, rest = body.partition("\n")
    language = first[3:].removesuffix("\r").strip(" \t")
    fenced = line_feed and first.startswith("```") and rest.endswith("```")
    if fenced and all(char.isascii() and (char.isalnum() or char in "_+-") for char in language):
        return rest[:-3]
    return body


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise Invalid("a name stands twice")
    for name, value in pairs:
        _sound(name)
        _sound(value)
    return made


def _sound(value: Any) -> None:
    if isinstance(value, str):
        value.encode()  # half a surrogate pair is no text: a ValueError
    elif isinstance(value, list):
        for each in value:
            _sound(each)


def _no_constant(name: str) -> None:
    raise Invalid(name)


def _operation(action: Any, names: Iterable[str]) -> Operation:
    if type(action) is not dict or type(action.get("op")) is not str:
        raise Invalid("no operation")
    fields = OPERATIONS.get(action["op"])
    if fields is None or action["op"] not in names or not set(action) <= {"op", *fields}:
        raise Invalid(action["op"])
    made: Operation = {"op": action["op"]}
    for name, (check, default) in fields.items():
        made[name] = action.get(name, default)
        if made[name] is _REQUIRED or not (name not in action or check(made[name])):
            raise Invalid(name)
    if "x" in fields and (made["x"] is None) != (made["y"] is None):
        raise Invalid("half a point")
    return made
