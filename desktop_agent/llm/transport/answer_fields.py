"""Reads the fields of a server's answer as what they may be: there or left out, null, of another type than documented.

Servers that are compatible with an interface leave out what they do not know, and the SDKs hand on whatever came,
unchecked. Nothing here raises for a field: what cannot be read is "not told".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from desktop_agent.llm.transport.failures import Failed, Failure
from desktop_agent.llm.transport.sdk_errors import of_response


def field(thing: Any, *names: str) -> Any:
    """The field that the names lead to, of objects and mappings; None where one of them is not there."""
    for name in names:
        thing = thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)
    return thing


def words(value: Any) -> str:
    """A text, or the texts of a list of parts, as some servers write contents; "" for anything else."""
    if isinstance(value, str):
        return value
    return "".join(words(each if isinstance(each, str) else field(each, "text")) for each in items(value))


def items(value: Any) -> Sequence[Any]:
    """A list; an empty one for anything else."""
    return value if isinstance(value, list | tuple) else ()


def count(value: Any) -> int | None:
    """A number of tokens, also one written as a text; None where none is told."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 19:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
        return None
    return int(value)


def plain(thing: Any) -> dict[str, Any]:
    """An object of an SDK as a dictionary; an empty one for what is none."""
    if isinstance(thing, Mapping):
        return dict(thing)
    made = thing.to_dict(warnings=False) if hasattr(thing, "to_dict") else None
    return made if isinstance(made, dict) else {}


def raise_error_in(answer: Any) -> None:
    """Raise Failed with the server's words where an answer that came with a good status is an error."""
    error = field(answer, "error")
    if isinstance(error, str) and error:
        error = {"message": error}
    if error := plain(error):
        code = error.get("code") or error.get("status")
        status = code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 else 0
        raise Failed(of_response(status, error, "an error without words", {}))


def whole_answer(stream: Any) -> dict[str, Any] | None:
    """The JSON object that came in place of a stream of events; None where the events come.

    Servers that know no streams answer whole, and errors come so, both with a good status.
    """
    response = field(stream, "response")
    kind = words(field(response, "headers").get("content-type", "")) if response is not None else ""
    if "json" not in kind or "event-stream" in kind:
        return None
    try:
        body = json.loads(response.read())
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Failed(Failure("malformed", "its answer is no JSON object"))
    return body


def is_whole(text: str) -> bool:
    """Whether a text is one JSON object to its end, so that nothing of it can be missing."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
