"""Values and conditions that scenes declare: `{user}` in texts, sums over the store, comparisons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from desktop_agent.extras.avis.simulation.scene_file import PLACEHOLDER
from desktop_agent.extras.avis.simulation.widget import Widget


class Names:
    """What the placeholders of a rule stand for: elements by id, the store, and what the event brings (row, drop)."""

    def __init__(
        self, widgets: Mapping[str, Widget], store: dict[str, Any], given: Mapping[str, Any] | None = None
    ) -> None:
        self.widgets, self.store = widgets, store
        self.given = dict(given or {})

    def with_given(self, **given: Any) -> Names:
        return Names(self.widgets, self.store, {**self.given, **given})

    def look_up(self, name: str, rest: str) -> Any:
        """What a placeholder stands for; None for what is not there."""
        if name == "store":
            return at_path(self.store, rest)
        if name in self.given:
            return at_path(self.given[name], rest)
        widget = self.widgets.get(name)
        return None if widget is None else widget.read(rest)


def at_path(root: Any, path: str) -> Any:
    """What stands at a dotted path of objects and lists; None when there is nothing."""
    for part in path.split(".") if path else ():
        if isinstance(root, Mapping):
            root = root.get(part)
        elif isinstance(root, list) and part.lstrip("-").isdigit() and -len(root) <= int(part) < len(root):
            root = root[int(part)]
        else:
            return None
    return root


def evaluate(expression: Any, names: Names) -> Any:
    """The value of an expression. An object is an operation only where the operation's name is its only field."""
    match expression:
        case str():
            return _filled(expression, names)
        case {"number": inner, **rest} if not rest:
            return as_number(evaluate(inner, names))
        case {"sum": path, **rest} if not rest:
            return _tidy(sum(as_number(each) for each in _column(str(path), names)))
        case {"count": path, **rest} if not rest:
            found = at_path(names.store, str(evaluate(path, names)))
            return len(found) if isinstance(found, list | dict | str) else 0
        case {"add": [*parts], **rest} if not rest:
            return _tidy(sum(as_number(evaluate(each, names)) for each in parts))
        case {"times": [*parts], **rest} if not rest:
            product = 1.0
            for each in parts:
                product *= as_number(evaluate(each, names))
            return _tidy(product)
        case {"join": path, **rest} if set(rest) <= {"with"}:
            return str(rest.get("with", ", ")).join(as_text(each) for each in _column(str(path), names))
        case dict():
            return {name: evaluate(each, names) for name, each in expression.items()}
        case list():
            return [evaluate(each, names) for each in expression]
    return expression


def _column(path: str, names: Names) -> list[Any]:
    """The values at a path of the store, of which the last part may be a field of the records before."""
    found = at_path(names.store, path)
    if isinstance(found, list):
        return found
    head, _, field = path.rpartition(".")
    records = at_path(names.store, head)
    return (
        [each.get(field) for each in records if isinstance(each, dict)] if isinstance(records, list) else []
    )


def _filled(text: str, names: Names) -> Any:
    if whole := PLACEHOLDER.fullmatch(text):
        return names.look_up(whole[1], whole[2] or "")
    return PLACEHOLDER.sub(lambda found: as_text(names.look_up(found[1], found[2] or "")), text)


def as_text(value: Any) -> str:
    """A value as it stands on a screen: "" for nothing, yes or no, numbers as people write them, lists with commas."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}" if value == int(value) else f"{value:.2f}"
        case list():
            return ", ".join(as_text(each) for each in value)
    return str(value)


def as_number(value: Any) -> float:
    """The number that a value is or begins with ("12.50 €" is 12.5); 0 for none."""
    if isinstance(value, bool | int | float):
        return _tidy(float(value))
    found = re.search(r"-?\d+(?:[.,]\d+)?", str(value or ""))
    return _tidy(float(found[0].replace(",", "."))) if found else 0


def _tidy(number: float) -> float:
    """Whole numbers as such, others without what binary fractions leave."""
    number = round(number, 6)
    return int(number) if number == int(number) else number


def holds(condition: Mapping[str, Any], names: Names) -> bool:
    """Is the condition true?"""
    match condition:
        case {"all": [*parts]}:
            return all(holds(each, names) for each in parts)
        case {"any": [*parts]}:
            return any(holds(each, names) for each in parts)
        case {"not": inner}:
            return not holds(inner, names)
        case {"element": element}:
            name, _, rest = str(element).partition(".")
            return _compared(names.look_up(name, rest), condition, names)
        case {"store": path}:
            return _compared(at_path(names.store, str(evaluate(path, names))), condition, names)
        case {"row": field}:
            return _compared(at_path(names.given.get("row"), str(field)), condition, names)
    return False


def _compared(found: Any, condition: Mapping[str, Any], names: Names) -> bool:
    """All comparisons of the condition with what was found."""
    exact = bool(condition.get("exact"))
    for word in set(condition) - {"element", "store", "row", "exact"}:
        wanted = evaluate(condition[word], names) if word != "matches" else condition[word]
        if not _COMPARE[word](found, wanted, exact):
            return False
    return True


def _alike(found: Any, wanted: Any, exact: bool) -> bool:
    if isinstance(found, str) and isinstance(wanted, str):
        return found == wanted if exact else found.strip() == wanted.strip()
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(_alike(found[key], wanted[key], exact) for key in wanted)
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(lambda a, b: _alike(a, b, exact), found, wanted))
    if isinstance(found, str) != isinstance(wanted, str) and None not in (found, wanted):
        return as_text(found) == as_text(wanted)
    return bool(found == wanted)


def _contains(found: Any, wanted: Any, exact: bool) -> bool:
    if isinstance(found, list):
        return any(_alike(each, wanted, exact) for each in found)
    return as_text(wanted).casefold() in as_text(found).casefold()


def _has(found: Any, wanted: Any, exact: bool) -> bool:
    records = found if isinstance(found, list) else [found]
    return any(
        isinstance(each, dict) and all(_alike(each.get(key), value, exact) for key, value in wanted.items())
        for each in records
    )


_COMPARE: dict[str, Any] = {
    "is": _alike,
    "contains": _contains,
    "matches": lambda found, wanted, exact: (
        re.fullmatch(str(wanted), as_text(found).strip(), re.S) is not None
    ),
    # What is not there is neither more nor less: a path that leads nowhere fulfils nothing.
    "more": lambda found, wanted, exact: found is not None and as_number(found) > as_number(wanted),
    "less": lambda found, wanted, exact: found is not None and as_number(found) < as_number(wanted),
    "count": lambda found, wanted, exact: isinstance(found, list | dict) and len(found) == wanted,
    "empty": lambda found, wanted, exact: (not found and found != 0) == bool(wanted),
    "has": _has,
}
