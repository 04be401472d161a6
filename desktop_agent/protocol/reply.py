"""Checks what a model said: plain data becomes a Reply, or is refused with the list of every error and its path.

How the data stands in the model's text is the matter of a dialect (protocol/dialects).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Annotated, Any, get_type_hints

import msgspec

from desktop_agent.protocol import keys, ops
from desktop_agent.protocol.errors import BadReply, Problem, Refused
from desktop_agent.protocol.ops import OPS, RESERVED, Op

MAX_ACTIONS = 16
MOST_ACTIONS = 2_000
"""The operations of the longest reply that any dialect may allow."""
MAX_STEPS = 20
MAX_PROBLEMS = 50
MAX_WORDS = 300

MAX_SCOPE = 12

PlacePlea = Annotated[
    str,
    msgspec.Meta(
        min_length=5, max_length=300, pattern="^(app|site|folder):.*\\S", description="KIND:WHAT:HOW"
    ),
]
PlanStep = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says in one turn: words for the user, the plan, and a short batch of operations.

    `high_level` is the whole plan, `scope` asks for places that the plan needs beside those that are allowed, `step` the number of the step being worked (from 1).
    """

    notes: Annotated[str, msgspec.Meta(max_length=4_000)] = ""
    high_level: Annotated[tuple[PlanStep, ...], msgspec.Meta(max_length=MAX_STEPS)] = ()
    scope: Annotated[tuple[PlacePlea, ...], msgspec.Meta(max_length=MAX_SCOPE)] = ()
    step: Annotated[int, msgspec.Meta(ge=1, le=MAX_STEPS)] | None = None
    actions: Annotated[tuple[Op, ...], msgspec.Meta(max_length=MOST_ACTIONS)] = ()


def check(
    data: object, allowed: Iterable[str] | None = None, raw: str = "", most: int = MAX_ACTIONS
) -> Reply:
    """Plain data (of dictionaries, lists, texts, numbers) as a Reply.

    `allowed` limits the operations by name (None: all but the reserved ones), `raw` is what the model
    wrote, `most` how many operations it may have. Keys get their canonical names. Raises BadReply with every problem and its path; nothing is repaired, clamped or defaulted
    beyond the definitions.
    """
    try:
        reply = msgspec.convert(data, Reply, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        problems = tuple(islice(_explain(data, most), MAX_PROBLEMS))
        raise BadReply(problems or (Problem("$", plain(str(error))),), raw) from error
    problems = tuple(islice(_meaning_problems(reply, allowed, most), MAX_PROBLEMS))
    if problems:
        raise BadReply(problems, raw)
    return msgspec.structs.replace(reply, actions=tuple(_with_named_keys(reply.actions)))


def _with_named_keys(actions: Iterable[Op]) -> Iterator[Op]:
    """The operations with the keys as they are pressed, by their canonical names, so that all that is told tells that.

    Keys that are held make the next one part of a combination, as in `key_down ctrl`, `key_down A`.
    """
    held: list[str] = []
    for op in actions:
        match op:
            case ops.KeyCombo():
                names = keys.together((*held, *op.keys))[len(held) :]
                yield msgspec.structs.replace(op, keys=names)
            case ops.KeyDown():
                key = keys.together((*held, op.key))[-1]
                held.append(key)
                yield msgspec.structs.replace(op, key=key)
            case ops.KeyUp():
                names = (keys.canonical(op.key), keys.together((*held, op.key))[-1])
                key = next((each for each in names if each in held), names[0])
                held = [each for each in held if each != key]
                yield msgspec.structs.replace(op, key=key)
            case _:
                yield op


def _explain(data: Any, most: int) -> Iterator[Problem]:
    """Every structural error, field by field: the fast decoder stops at the first."""
    if not isinstance(data, dict):
        yield Problem("$", f"expected an object, got {_kind(data)}")
        return
    yield from _explain_struct(data, Reply, "", skip={"actions"})
    actions = data.get("actions", [])
    if not isinstance(actions, list):
        yield Problem("actions", f"expected an array, got {_kind(actions)}")
        return
    if len(actions) > most:
        yield _too_many(len(actions), most)
    for index, action in enumerate(actions[:most]):
        yield from _explain_action(action, f"actions[{index}]")


def _too_many(number: int, most: int) -> Problem:
    return Problem("actions", f"{number} operations; at most {most} in one reply")


def _explain_action(action: Any, path: str) -> Iterator[Problem]:
    if not isinstance(action, dict):
        yield Problem(path, f"expected an object, got {_kind(action)}")
        return
    name = action.get("op")
    if not isinstance(name, str) or name not in OPS:
        yield Problem(
            f"{path}.op", f"unknown operation {short(name)}; known: {', '.join(sorted(set(OPS) - RESERVED))}"
        )
        return
    fields = {key: value for key, value in action.items() if key != "op"}
    yield from _explain_struct(fields, OPS[name], path)


def _explain_struct(
    data: dict[Any, Any],
    struct: type[msgspec.Struct],
    path: str,
    skip: frozenset[str] | set[str] = frozenset(),
) -> Iterator[Problem]:
    known, types = _fields_of(struct)
    prefix = f"{path}." if path else ""
    for key in data:
        if key not in known:
            yield Problem(f"{prefix}{short(key).strip(chr(39)) or '(nameless)'}", "unknown field")
    for name, field in known.items():
        if name in skip:
            continue
        if name not in data:
            if field.required:
                yield Problem(f"{prefix}{name}", "missing")
            continue
        yield from _explain_value(data[name], types[name], f"{prefix}{name}")


@cache
def _fields_of(struct: type[msgspec.Struct]) -> tuple[dict[str, msgspec.structs.FieldInfo], dict[str, Any]]:
    """A struct's fields and their types, by name."""
    known = {field.name: field for field in msgspec.structs.fields(struct)}
    return known, get_type_hints(struct, include_extras=True)


def _explain_value(value: Any, kind: Any, path: str) -> Iterator[Problem]:
    try:
        msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as error:
        words, _, inner = str(error).partition(" - at `$")
        yield Problem(path + inner.rstrip("`"), plain(words))
    except RecursionError:
        yield Problem(path, "nested too deeply")


def _meaning_problems(reply: Reply, allowed: Iterable[str] | None, most: int) -> Iterator[Problem]:
    """What the types cannot say: reserved and unavailable operations, half points, unknown keys."""
    if len(reply.actions) > most:
        yield _too_many(len(reply.actions), most)
    names = None if allowed is None else frozenset(allowed)
    for index, op in enumerate(reply.actions):
        path, name = f"actions[{index}]", ops.name_of(op)
        if name in RESERVED:
            yield Problem(f"{path}.op", f"{name} belongs to the human; a model may not say it")
        elif names is not None and name not in names:
            yield Problem(
                f"{path}.op", f"{name} is not available here; use one of: {', '.join(sorted(names))}"
            )
        yield from _point_problems(op, path)
        yield from _key_problems(op, path)
        yield from _choice_problems(op, path)
    if reply.step is not None and reply.high_level and reply.step > len(reply.high_level):
        yield Problem("step", f"step {reply.step} of a plan with {len(reply.high_level)} steps")


def _point_problems(op: Op, path: str) -> Iterator[Problem]:
    if isinstance(op, ops.Click | ops.MouseDown | ops.MouseUp | ops.Scroll) and (op.x is None) != (
        op.y is None
    ):
        yield Problem(path, "x and y belong together: give both or neither")


def _key_problems(op: Op, path: str) -> Iterator[Problem]:
    if isinstance(op, ops.KeyDown | ops.KeyUp):
        yield from _check_key(op.key, f"{path}.key", keys.canonical)
    if isinstance(op, ops.KeyCombo):
        for index, key in enumerate(op.keys):
            yield from _check_key(key, f"{path}.keys[{index}]", keys.canonical)
    if isinstance(op, ops.Click | ops.ClickElement | ops.Drag):
        for index, key in enumerate(op.modifiers):
            yield from _check_key(key, f"{path}.modifiers[{index}]", _modifier)


def _choice_problems(op: Op, path: str) -> Iterator[Problem]:
    """What is wrong with the choices of a question: blank, of several lines, or offered twice."""
    if not isinstance(op, ops.Ask):
        return
    first: dict[str, int] = {}
    for index, choice in enumerate(op.choices):
        same = " ".join(choice.split()).casefold()
        if choice.splitlines() != [choice]:
            yield Problem(f"{path}.choices[{index}]", "has a line break; each choice is one line")
        if not same:
            yield Problem(f"{path}.choices[{index}]", "is blank; each choice is an answer in words")
        elif same in first:
            yield Problem(
                f"{path}.choices[{index}]", f"is the same as choices[{first[same]}]; each is offered once"
            )
        first.setdefault(same, index)


def _check_key(key: str, path: str, check: Callable[[str], str]) -> Iterator[Problem]:
    try:
        check(key)
    except Refused as error:
        yield Problem(path, str(error))


def _modifier(key: str) -> str:
    name = keys.canonical(key)
    if not keys.is_modifier(name):
        raise Refused(f"{key!r} is not a modifier.", "Use ctrl, shift, alt or super.")
    return name


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def short(value: Any) -> str:
    """A value in a message: a text quoted, cut to 60 characters; of anything else its kind."""
    if not isinstance(value, str):
        return _kind(value)
    text = repr(value[:60])
    return text if len(text) <= 60 else text[:57] + "..."


def plain(words: str) -> str:
    """Words that may quote the model, of a length to be read, without what cannot be shown."""
    shown = "".join(char if char.isprintable() else "\ufffd" for char in words[:MAX_WORDS])
    return shown if len(words) <= MAX_WORDS else shown + "..."
