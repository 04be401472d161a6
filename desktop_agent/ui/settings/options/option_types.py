"""Reads the options of a msgspec struct: what can be entered for each, its bounds, and what a wrong value is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect

from desktop_agent.support.language import tr

Kind: TypeAlias = Literal["switch", "choice", "number", "text", "list", "table", "group", "regions", "other"]


@dataclass(frozen=True)
class Option:
    """One option: its dotted name, what is entered for it, its whole type and default.

    `values` are those of a choice; `low` and `high` the bounds of a number (inclusive unless `above`), which is
    `whole` or not; `optional` tells that None is a value; `parts` are the options of a group, or of an entry of a table.
    """

    name: str
    kind: Kind
    type: Any
    default: Any
    values: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    above: bool = False
    whole: bool = True
    optional: bool = False
    about: str = ""
    parts: tuple[Option, ...] = field(default=())

    @property
    def key(self) -> str:
        """The last part of its name."""
        return self.name.rpartition(".")[2]


def options_of(struct: type[msgspec.Struct], prefix: str) -> tuple[Option, ...]:
    """Every option of a struct, in order. `prefix` is the table's dotted name, as in `llm.openai`; "" for none."""
    hints = get_type_hints(struct, include_extras=True)
    about = " ".join((struct.__doc__ or "").split())
    fields = msgspec.structs.fields(struct)
    return tuple(
        _option(f"{prefix}.{each.encode_name}".lstrip("."), hints[each.name], _default(each), about)
        for each in fields
    )


def plain(value: Any) -> Any:
    """A value as it stands in a TOML file: tables are dicts, sequences lists."""
    return msgspec.to_builtins(value)


def fault(option: Option, value: Any) -> str:
    """Why the option cannot have this plain value, in words for the user; "" when it can."""
    try:
        msgspec.convert(value, option.type, strict=True)
    except msgspec.ValidationError as error:
        return _in_words(option, value, str(error))
    return ""


def bounds_words(option: Option) -> str:
    """What may be entered for a number, in words; "" for any other option."""
    if option.kind != "number":
        return ""
    kind = tr("A whole number") if option.whole else tr("A number")
    low, high = _shown(option.low), _shown(option.high)
    if low and high:
        words = tr("{kind} above {low}, up to {high}") if option.above else tr("{kind} from {low} to {high}")
    elif low:
        words = tr("{kind} above {low}") if option.above else tr("{kind}, {low} or more")
    else:
        words = tr("{kind}, {high} at most") if high else "{kind}"
    return words.format(kind=kind, low=low, high=high)


def _shown(bound: float | None) -> str:
    return "" if bound is None else f"{bound:,.10g}".replace(",", "\u202f")


def _in_words(option: Option, value: Any, said: str) -> str:
    words, _, where = said.partition(" - at ")
    if option.kind == "number":
        return f"{bounds_words(option)}."
    if option.kind in ("list", "table") and isinstance(value, list) and where:
        number = next((int(part) + 1 for part in where.replace("[", "]").split("]") if part.isdigit()), 0)
        return tr("Entry {number}: {problem}.").format(number=number, problem=_problem(words))
    return f"{_problem(words)}."


def _problem(words: str) -> str:
    if "matching regex" in words:
        pattern = words.partition("matching regex ")[2].strip("'")
        return tr("it does not have the form {pattern}").format(pattern=pattern)
    if "of length >= 1" in words or "length >= 1" in words:
        return tr("it must not be empty")
    if words.startswith("Object missing required field"):
        return tr("{name} is missing").format(name=words.split("`")[1])
    return words[:1].lower() + words[1:]


def _default(each: msgspec.structs.FieldInfo) -> Any:
    if each.default is not msgspec.NODEFAULT:
        return plain(each.default)
    return None if each.default_factory is msgspec.NODEFAULT else plain(each.default_factory())


def _option(name: str, hint: Any, default: Any, about: str) -> Option:
    bare, optional = _without_none(hint)
    found = _read(name, bare)
    return Option(name, found.pop("kind"), hint, default, optional=optional, about=about, **found)


def _without_none(hint: Any) -> tuple[Any, bool]:
    """The type without None, and whether None was one of its values."""
    parts = get_args(hint)
    origin = get_origin(hint)
    if origin is Annotated or type(None) not in parts:
        return hint, False
    return Union[tuple(part for part in parts if part is not type(None))], True  # noqa: UP007 - made at run time


def _read(name: str, hint: Any) -> dict[str, Any]:
    info = inspect.type_info(hint)
    match info:
        case inspect.BoolType():
            return {"kind": "switch"}
        case inspect.LiteralType():
            return {"kind": "choice", "values": _literals(hint)}
        case inspect.IntType() | inspect.FloatType():
            return {"kind": "number", "whole": isinstance(info, inspect.IntType), **_bounds(info)}
        case inspect.StrType():
            return {"kind": "text"}
        case inspect.StructType():
            return {"kind": "group", "parts": options_of(info.cls, name)}
        case inspect.VarTupleType() | inspect.ListType():
            return _sequence(info.item_type)
    return {"kind": "other"}


def _literals(hint: Any) -> tuple[Any, ...]:
    return get_args(get_args(hint)[0]) if get_origin(hint) is Annotated else get_args(hint)


def _bounds(info: inspect.IntType | inspect.FloatType) -> Mapping[str, Any]:
    above = info.gt is not None
    return {
        "low": info.gt if above else info.ge,
        "high": info.lt if info.lt is not None else info.le,
        "above": above,
    }


def _sequence(item: inspect.Type) -> dict[str, Any]:
    match item:
        case inspect.StrType() | inspect.LiteralType():
            return {"kind": "list"}
        case inspect.StructType():
            return {"kind": "table", "parts": options_of(item.cls, "")}
        case inspect.TupleType(item_types=types) if len(types) == 4:
            return {"kind": "regions"}
    return {"kind": "other"}
