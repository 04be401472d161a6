"""The scene file: its form, and reading one with errors that say where."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.extras.avis.simulation.element_types import CONTAINERS, ELEMENT_TYPES, EVENTS, ElementType
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import paths, resources

FORMAT = 1
_ID = re.compile(r"[a-z0-9_]+")
PLACEHOLDER = re.compile(r"\{([A-Za-z0-9_]+)(?:\.([^{}]*))?\}")
"""What stands for a value in a text: `{user}`, `{store.path}`; a name, and what comes after its first dot."""
_SCOPES = ("store", "row", "drop", "window")
"""What a placeholder or a condition may begin with besides an element's id."""
_TARGETS = ("set", "show", "hide", "enable", "disable", "focus", "open", "close", "page")
_EFFECTS = (*_TARGETS, "store", "append", "remove", "update", "if", "after")
_COMPARISONS = ("is", "contains", "matches", "more", "less", "count", "empty", "has")


class ElementDescription(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One element of a scene and its children, as the commissioned document describes it.

    `bounds_relative` are ratios of the parent's inside (of the screen for windows): x, y, width, height.
    """

    element_id: str
    element_type: ElementType
    label_text: str | None = None
    value: Any = None
    is_enabled: bool | None = None
    is_focused: bool | None = None
    is_visible: bool | None = None
    bounds_relative: tuple[float, float, float, float] | None = None
    children: tuple[ElementDescription, ...] | None = None
    attributes: dict[str, Any] | None = None


class SceneGoal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a user may say, by language, and the conditions that tell whether it has been done.

    `steps` is the same said step by step with the names on the screen, as one tells somebody on the telephone. `harmless` must hold as well: what the goal does not ask for is as it was. `answer` has to be in the last report.
    """

    id: str
    say: dict[str, str]
    reached: dict[str, Any]
    steps: dict[str, str] = {}
    harmless: dict[str, Any] | None = None
    kind: str = ""
    answer: str = ""
    held_out: bool = False


class SceneFaults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`lying` are the store's paths that a lying program only pretends to change; empty: all."""

    lying: tuple[str, ...] = ()


class SceneFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A small desktop: its elements, the world behind them, and goals with checks. `name` is the file's."""

    format: int
    title: str
    ui: tuple[ElementDescription, ...]
    about: str = ""
    screen: tuple[int, int] = (1024, 720)
    store: dict[str, Any] = {}
    goals: tuple[SceneGoal, ...] = ()
    faults: SceneFaults = SceneFaults()
    hardware: dict[str, Any] | None = None
    name: str = ""


def json_schema() -> dict[str, Any]:
    """The JSON Schema of scene files."""
    return msgspec.json.schema(SceneFile)


def folder() -> Path:
    """Where the program's own scenes are."""
    return resources.path("simulation", "scenes")


def scene_names() -> tuple[str, ...]:
    """The names of the program's own scenes, sorted."""
    return tuple(sorted(each.stem for each in folder().glob("*.json")))


def own_folder() -> Path:
    """Where the user's own scenes are; it need not be there."""
    return paths.data() / "scenes"


def own_scene_names() -> tuple[str, ...]:
    """The names of the user's own scenes that no scene of the program has, sorted."""
    return tuple(sorted({each.stem for each in own_folder().glob("*.json")} - set(scene_names())))


def scene_path(what: str) -> Path:
    """The file of the scene that is meant: by name one of the program or the user's own, else a path as it stands."""
    if what in scene_names():
        return folder() / f"{what}.json"
    if what in own_scene_names():
        return own_folder() / f"{what}.json"
    return Path(what).expanduser()


def load_scene(what: str) -> SceneFile:
    """The scene with this name, or of the file at this path. Raises ConfigError that says where."""
    path = scene_path(what)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"The scene {what} cannot be read: {error}.",
            f"Name a file, or one of {', '.join((*scene_names(), *own_scene_names()))}.",
        ) from error
    return read_scene(text, path.stem)


class WrongScene(ConfigError):
    """A text is no scene: `problems` are all that is wrong with it, each with its path, or its line where it is no JSON."""

    def __init__(self, name: str, what: str, problems: tuple[str, ...]) -> None:
        super().__init__(f"The scene {name} {what}: {' '.join(problems)}", "Mend the file.")
        self.problems = problems


def read_scene(text: str, name: str = "") -> SceneFile:
    """The scene that a JSON text holds. Raises WrongScene with all that is wrong, each with its path."""
    try:
        scene = msgspec.convert(json.loads(text), SceneFile)
    except json.JSONDecodeError as error:
        raise WrongScene(name, "is no JSON", (f"{error}.",)) from error
    except (msgspec.ValidationError, RecursionError) as error:
        raise WrongScene(name, "is not valid", (f"{error}.",)) from error
    if wrong := tuple(_problems(scene)):
        raise WrongScene(name, "is not valid", wrong)
    return msgspec.structs.replace(scene, name=name)


def described(
    elements: tuple[ElementDescription, ...], path: str = "$.ui"
) -> Iterator[tuple[str, ElementDescription]]:
    """Each element with its path in the file, parents before children."""
    for index, each in enumerate(elements):
        here = f"{path}[{index}]"
        yield here, each
        yield from described(each.children or (), f"{here}.children")


def _problems(scene: SceneFile) -> Iterator[str]:
    if scene.format != FORMAT:
        yield f"$.format: {scene.format} is not {FORMAT}."
    if not (200 <= scene.screen[0] <= 4096 and 150 <= scene.screen[1] <= 4096):
        yield f"$.screen: {list(scene.screen)} is not between 200x150 and 4096x4096."
    found = list(described(scene.ui))
    ids: dict[str, str] = {}
    for path, each in found:
        if not _ID.fullmatch(each.element_id) or each.element_id in _SCOPES:
            yield f"{path}.element_id: {each.element_id!r} is not made of a-z, 0-9 and _, or has another meaning."
        elif each.element_id in ids:
            yield f"{path}.element_id: {each.element_id!r} is also that of {ids[each.element_id]}."
        ids.setdefault(each.element_id, path)
    for path, each in found:
        yield from _element_problems(path, each, set(ids))
    for index, goal in enumerate(scene.goals):
        yield from _condition_problems(f"$.goals[{index}].reached", goal.reached, set(ids))
        if goal.harmless is not None:
            yield from _condition_problems(f"$.goals[{index}].harmless", goal.harmless, set(ids))
        if not goal.say.get("en"):
            yield f"$.goals[{index}].say: there is no English."


def _element_problems(path: str, each: ElementDescription, ids: set[str]) -> Iterator[str]:
    kind = ELEMENT_TYPES[each.element_type]
    top = path.count("[") == 1
    if (each.element_type in ("window", "dialog")) != top:
        yield f"{path}.element_type: {'only windows and dialogs stand' if top else 'a window stands only'} at the top."
    if each.children and each.element_type not in CONTAINERS:
        yield f"{path}.children: a {each.element_type} has none."
    bounds = each.bounds_relative
    if top and bounds is None:
        yield f"{path}.bounds_relative: a window needs it."
    if bounds is not None and (min(bounds[2:]) <= 0 or not all(-1 <= number <= 2 for number in bounds)):
        yield f"{path}.bounds_relative: {list(bounds)} is no place."
    attributes = each.attributes or {}
    for name in sorted(set(attributes) - kind.attributes):
        yield f"{path}.attributes.{name}: a {each.element_type} has no such attribute."
    if "on" in attributes:
        yield from _rules_problems(f"{path}.attributes.on", attributes["on"], ids)
    actions = attributes.get("row_actions", [])
    if not isinstance(actions, list):
        yield f"{path}.attributes.row_actions: this is no list."
        actions = []
    for index, action in enumerate(actions):
        where = f"{path}.attributes.row_actions[{index}]"
        if isinstance(action, dict):
            yield from _effects_problems(f"{where}.do", action.get("do"), ids)
        else:
            yield f"{where}: this is no object with id, label and do."
    if "where" in attributes:
        yield from _condition_problems(f"{path}.attributes.where", attributes["where"], ids)


def _rules_problems(path: str, rules: Any, ids: set[str]) -> Iterator[str]:
    if not isinstance(rules, dict):
        yield f"{path}: these are no rules by event ({', '.join(EVENTS)}, keys)."
        return
    for event, effects in rules.items():
        where = f"{path}.{event}"
        if event == "keys" and isinstance(effects, dict):
            for keys, list_ in effects.items():
                yield from _effects_problems(f"{where}.{keys}", list_, ids)
        elif event == "keys":
            yield f"{where}: these are no rules by keys."
        elif event not in EVENTS:
            yield f"{where}: there is no such event."
        else:
            yield from _effects_problems(where, effects, ids)


def _effects_problems(path: str, effects: Any, ids: set[str]) -> Iterator[str]:
    if not isinstance(effects, list):
        yield f"{path}: this is no list of effects."
        return
    for index, effect in enumerate(effects):
        here = f"{path}[{index}]"
        named = [name for name in _EFFECTS if isinstance(effect, dict) and name in effect]
        if not named:
            yield f"{here}: this is no effect ({', '.join(_EFFECTS)})."
            continue
        if named[0] in _TARGETS:
            target = str(effect[named[0]]).partition(".")[0]
            if target not in ids and "{" not in target:
                yield f"{here}.{named[0]}: there is no element {target!r}."
        for inner in ("then", "else", "do"):
            if inner in effect:
                yield from _effects_problems(f"{here}.{inner}", effect[inner], ids)
        if "if" in effect:
            yield from _condition_problems(f"{here}.if", effect["if"], ids)
        if "where" in effect:
            yield from _condition_problems(f"{here}.where", effect["where"], ids)
        for name in ("to", "item", "with"):
            yield from _expression_problems(f"{here}.{name}", effect.get(name), ids)


def _condition_problems(path: str, condition: Any, ids: set[str]) -> Iterator[str]:
    if not isinstance(condition, dict):
        yield f"{path}: this is no condition."
        return
    for name in ("all", "any"):
        if name in condition:
            if not isinstance(condition[name], list):
                yield f"{path}.{name}: this is no list of conditions."
                return
            for index, each in enumerate(condition[name]):
                yield from _condition_problems(f"{path}.{name}[{index}]", each, ids)
            return
    if "not" in condition:
        yield from _condition_problems(f"{path}.not", condition["not"], ids)
        return
    subjects = [name for name in ("element", "store", "row") if name in condition]
    if len(subjects) != 1 or not any(name in condition for name in _COMPARISONS):
        yield f"{path}: this is no condition (element, store or row, and one of {', '.join(_COMPARISONS)})."
        return
    if "element" in condition and str(condition["element"]).partition(".")[0] not in ids:
        yield f"{path}.element: there is no element {condition['element']!r}."
    for name in sorted(set(condition) - {"element", "store", "row", "exact", *_COMPARISONS}):
        yield f"{path}.{name}: there is no such comparison ({', '.join(_COMPARISONS)})."
    for name in set(_COMPARISONS) & set(condition) - {"matches"}:
        yield from _expression_problems(f"{path}.{name}", condition[name], ids)
    try:
        re.compile(str(condition.get("matches", "")))
    except re.error as error:
        yield f"{path}.matches: this is no regular expression: {error}."


def _expression_problems(path: str, expression: Any, ids: set[str]) -> Iterator[str]:
    if isinstance(expression, str):
        for match in PLACEHOLDER.finditer(expression):
            if match[1] not in ids and match[1] not in _SCOPES:
                yield f"{path}: there is no element {match[1]!r}."
    elif isinstance(expression, dict):
        for name, each in expression.items():
            yield from _expression_problems(f"{path}.{name}", each, ids)
    elif isinstance(expression, list):
        for index, each in enumerate(expression):
            yield from _expression_problems(f"{path}[{index}]", each, ids)
