"""The rows that lists, drop-downs, tables and trees show: their own, or records of the store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from desktop_agent.extras.avis.simulation.expressions import Names, as_text, at_path, holds
from desktop_agent.extras.avis.simulation.widget import Widget

TreeRow = tuple[str, bool, int, bool | None, Any]


class Records(Protocol):
    """What gives the records at a path of the store, and the names for conditions."""

    @property
    def names(self) -> Names: ...


def option_texts(widget: Widget, records: Records) -> list[tuple[Any, str]]:
    """The options of a list or drop-down: values, and what is shown for them."""
    if source := widget.get("options_from"):
        found = at_path(records.names.store, str(source))
        field = widget.get("field")
        values = [each.get(field) if isinstance(each, dict) else each for each in found or ()]
        return [(value, as_text(value)) for value in values]
    values = list(widget.get("options", []))
    shown = widget.get("shown_options") or values
    return [(value, as_text(text)) for value, text in zip(values, shown, strict=False)]


def table_rows(widget: Widget, records: Records) -> list[tuple[int, dict[str, Any]]]:
    """The records that a table shows, each with its index among all of them."""
    source = widget.get("rows_from")
    found = at_path(records.names.store, str(source)) if source else widget.get("rows", [])
    rows = [(index, each) for index, each in enumerate(found or ()) if isinstance(each, dict)]
    if (where := widget.get("where")) is None:
        return rows
    return [(index, each) for index, each in rows if holds(where, records.names.with_given(row=each))]


def tree_rows(widget: Widget) -> list[TreeRow]:
    """The items of a tree that are to be seen: text, chosen, depth, expanded (None for a leaf), id."""
    return list(_items(widget.get("items", []), widget.value, 0))


def _items(items: list[dict[str, Any]], chosen: Any, depth: int) -> Iterator[TreeRow]:
    for each in items:
        inner = each.get("items") or []
        expanded = bool(each.get("expanded")) if inner else None
        yield as_text(each.get("label", "")), each.get("id") == chosen, depth, expanded, each.get("id")
        if expanded:
            yield from _items(inner, chosen, depth + 1)


def tree_item(items: list[dict[str, Any]], name: Any) -> dict[str, Any] | None:
    """The item of a tree with this id, however deep."""
    for each in items:
        if each.get("id") == name:
            return each
        if (found := tree_item(each.get("items") or [], name)) is not None:
            return found
    return None
