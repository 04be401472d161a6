"""What a scene's rules do: each effect by its name."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from desktop_agent.extras.avis.simulation.expressions import Names, as_number, at_path, evaluate, holds
from desktop_agent.extras.avis.simulation.widget import Widget

_DEEPEST = 20


class Stage(Protocol):
    """What effects act on. `keeps` says whether the program really does what it tells of a path of the store."""

    def widget(self, name: str) -> Widget | None: ...
    def open_window(self, window: Widget) -> None: ...
    def close_window(self, window: Widget) -> None: ...
    def give_focus(self, widget: Widget) -> None: ...
    def later(self, seconds: float, work: Callable[[], None]) -> None: ...
    def keeps(self, path: str) -> bool: ...
    def failed(self, message: str) -> None: ...


def apply(effects: Sequence[dict[str, Any]], names: Names, stage: Stage, deep: int = 0) -> None:
    """Do the effects one after the other; what cannot be done is told to the stage and left out."""
    if deep > _DEEPEST:
        stage.failed("rules call each other without end")
        return
    for effect in effects:
        _one(effect, names, stage, deep)


def _one(effect: dict[str, Any], names: Names, stage: Stage, deep: int) -> None:
    match effect:
        case {"if": condition, **rest}:
            apply(rest.get("then" if holds(condition, names) else "else", []), names, stage, deep + 1)
        case {"after": seconds, "do": inner}:
            stage.later(as_number(evaluate(seconds, names)), lambda: apply(inner, names, stage, deep + 1))
        case {"store": path, **rest}:
            _write(names, str(evaluate(path, names)), lambda: evaluate(rest.get("to"), names), stage)
        case {"append": path, "item": item}:
            _append(names, str(evaluate(path, names)), copy.deepcopy(evaluate(item, names)), stage)
        case {"remove": path, **rest}:
            _remove(names, str(evaluate(path, names)), rest.get("where"), stage)
        case {"update": path, "with": changes, **rest}:
            _update(names, str(evaluate(path, names)), rest.get("where"), changes, stage)
        case _:
            word = next((name for name in _ON_WIDGETS if name in effect), None)
            if word is not None:
                _on_widget(word, str(evaluate(effect[word], names)), effect, names, stage)


def _on_widget(word: str, target: str, effect: dict[str, Any], names: Names, stage: Stage) -> None:
    name, _, rest = target.partition(".")
    widget = stage.widget(name)
    if widget is None:
        stage.failed(f"there is no element {name!r}")
        return
    match word:
        case "set":
            widget.write(rest, copy.deepcopy(evaluate(effect.get("to"), names)))
        case "show" | "hide":
            widget.visible = word == "show"
        case "enable" | "disable":
            widget.enabled = word == "enable"
        case "focus":
            stage.give_focus(widget)
        case "open":
            stage.open_window(widget)
        case "close":
            stage.close_window(widget.window)
        case "page":
            _turn_to(widget)


_ON_WIDGETS = ("set", "show", "hide", "enable", "disable", "focus", "open", "close", "page")


def _turn_to(panel: Widget) -> None:
    """Show a panel and hide its siblings; of tabs, bring it to the front."""
    if panel.parent is None:
        return
    if panel.parent.type == "tabs":
        panel.parent.value = panel.id
        return
    for each in panel.parent.children:
        if each.type == "panel":
            each.visible = each is panel
    panel.parent.scroll = 0


# ---- the store -------------------------------------------------------------------------------


def _write(names: Names, path: str, value: Callable[[], Any], stage: Stage) -> None:
    if not stage.keeps(path):
        return
    head, _, last = path.rpartition(".")
    holder = at_path(names.store, head)
    if isinstance(holder, dict):
        holder[last] = copy.deepcopy(value())
    elif isinstance(holder, list) and last.isdigit() and int(last) < len(holder):
        holder[int(last)] = copy.deepcopy(value())
    else:
        stage.failed(f"the store has no {path!r}")


def _append(names: Names, path: str, item: Any, stage: Stage) -> None:
    if not stage.keeps(path):
        return
    found = at_path(names.store, path)
    if isinstance(found, list):
        found.append(item)
    else:
        stage.failed(f"the store has no list {path!r}")


def _remove(names: Names, path: str, where: Any, stage: Stage) -> None:
    if not stage.keeps(path):
        return
    found = at_path(names.store, path)
    if not isinstance(found, list):
        stage.failed(f"the store has no list {path!r}")
    else:
        found[:] = [each for each in found if where is not None and not _matches(where, each, names)]


def _update(names: Names, path: str, where: Any, changes: Any, stage: Stage) -> None:
    if not stage.keeps(path):
        return
    found = at_path(names.store, path)
    if not isinstance(found, list):
        stage.failed(f"the store has no list {path!r}")
        return
    for each in found:
        if isinstance(each, dict) and (where is None or _matches(where, each, names)):
            inner = names.with_given(row=each)
            each.update({name: copy.deepcopy(evaluate(value, inner)) for name, value in changes.items()})


def _matches(where: dict[str, Any], record: dict[str, Any], names: Names) -> bool:
    return holds(where, _RowOver(names, record))


class _RowOver(Names):
    """Names in which conditions on `row` see a record, and placeholders still the row of the event."""

    def __init__(self, names: Names, record: dict[str, Any]) -> None:
        super().__init__(names.widgets, names.store, {**names.given, "row": record})
        self._outer = names

    def look_up(self, name: str, rest: str) -> Any:
        return self._outer.look_up(name, rest)
