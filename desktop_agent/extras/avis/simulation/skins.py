"""Skins: other looks of a scene that leave its tasks the same."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec

from desktop_agent.extras.avis.simulation.drawing.scene_theme import SceneTheme, theme
from desktop_agent.extras.avis.simulation.scene_file import ElementDescription, SceneFile
from desktop_agent.protocol.errors import ConfigError

THEMES = ("light", "dark", "serif", "tiny_mono", "contrast")
SKINS = (*THEMES, "german", "misleading", "reordered")
_KEEPS_ORDER = frozenset(("menu_bar", "menu", "tabs"))


def dressed(scene: SceneFile, skin: str, seed: int = 0) -> tuple[SceneFile, SceneTheme]:
    """The scene in a skin of SKINS, and the theme it is drawn with. Raises ConfigError for an unknown skin."""
    if skin in THEMES:
        return scene, theme(skin)
    change: dict[str, Callable[[ElementDescription], ElementDescription]] = {
        "german": lambda each: _worded(each, "de"),
        "misleading": lambda each: _worded(each, "misleading"),
        "reordered": lambda each: _reordered(each, _lots(seed, each)),
    }
    if skin not in change:
        raise ConfigError(f"There is no skin {skin!r}.", f"Choose one of {', '.join(SKINS)}.")
    return msgspec.structs.replace(scene, ui=tuple(_all(each, change[skin]) for each in scene.ui)), theme(
        "light"
    )


def _lots(seed: int, each: ElementDescription) -> random.Random:
    return random.Random(f"{seed}/{each.element_id}")  # noqa: S311 - a repeatable order, no secret


def _all(
    each: ElementDescription, change: Callable[[ElementDescription], ElementDescription]
) -> ElementDescription:
    children = each.children and tuple(_all(child, change) for child in each.children)
    return change(msgspec.structs.replace(each, children=children))


def _worded(each: ElementDescription, words: str) -> ElementDescription:
    """With its other words, where it has some."""
    attributes = dict(each.attributes or {})
    other = attributes.get(words)
    if not isinstance(other, dict):
        return each
    if "placeholder" in other:
        attributes["placeholder"] = other["placeholder"]
    if "tooltip" in other:
        attributes["tooltip"] = other["tooltip"]
    if "options" in other:
        attributes["shown_options"] = other["options"]
    if "columns" in other and "columns" in attributes:
        attributes["columns"] = [
            {**column, "label": label}
            for column, label in zip(attributes["columns"], other["columns"], strict=False)
        ]
    if "row_actions" in other and "row_actions" in attributes:
        attributes["row_actions"] = [
            {**action, "label": label}
            for action, label in zip(attributes["row_actions"], other["row_actions"], strict=False)
        ]
    return msgspec.structs.replace(
        each, label_text=other.get("label_text", each.label_text), attributes=attributes
    )


def _reordered(each: ElementDescription, lots: random.Random) -> ElementDescription:
    """With its children in another order: headings, menus, what has a place of its own and what says so stay where they are."""
    children = each.children
    if not children or each.element_type in _KEEPS_ORDER:
        return each
    moving = [index for index, child in enumerate(children) if not _stays(child)]
    order = list(moving)
    lots.shuffle(order)
    mixed = list(children)
    for index, source in zip(moving, order, strict=True):
        mixed[index] = children[source]
    return msgspec.structs.replace(each, children=tuple(mixed))


def _stays(each: ElementDescription) -> bool:
    attributes = each.attributes or {}
    return (
        each.bounds_relative is not None
        or each.element_type in ("menu_bar", "label", "separator")
        or bool(attributes.get("keep_place") or attributes.get("grow"))
    )
