"""Menus: a path of entries, and commands that are in a menu but not in sight."""

from __future__ import annotations

from itertools import groupby

from desktop_agent.extras.offline.llm.offline.intents import Menu, Phrase
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.known_ways import known_way
from desktop_agent.extras.offline.llm.offline.policies.locate import locate
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element


def menu(intent: Menu, scene: Scene) -> Move:
    """Choose a path of menu entries, one a turn."""
    done = _gone(scene)
    if scene.trouble:
        return Question(
            f"I could not choose “{intent.path[min(done, len(intent.path) - 1)]}”: {scene.trouble.detail}"
        )
    if done >= len(intent.path):
        return Reached(f"{' > '.join(intent.path)} is chosen.")
    name = intent.path[done]
    looks = 4 if not done else 1  # an open menu that the tree does not show is read from the picture
    found = locate(
        scene, Phrase(name, quoted=True, spoken=name), allow=None if done else _is_menu, looks=looks
    )
    if isinstance(found, Act | Question):
        return _pressed(intent.path[done - 1], scene) or found
    one = scene.click(found)
    if done < len(intent.path) - 1 and _opens_by_pointing(found, scene):
        one = ops.HoverElement(found.id)  # a click might choose it, and not open what is below it
    return Act((one,), f"I choose {' > '.join(intent.path)}." if not done else "")


def _gone(scene: Scene) -> int:
    """How many entries of the path were pointed at or clicked; both at the same entry are one."""
    deeds = scene.done(ops.HoverElement) + scene.clicks()
    names = [deed.words.partition("“")[2] for deed in sorted(deeds, key=lambda deed: deed.turn)]
    return len(list(groupby(names)))


def _opens_by_pointing(entry: Element, scene: Scene) -> bool:
    """Entries of an open menu do; those of a menu bar take a click."""
    parent = next((e for e in scene.look.elements if e.id == entry.parent), None)
    in_bar = parent is not None and parent.role == "menu bar"
    return (
        entry.role in ROLES["menuitem"] - {"list item", "menu"} and not in_bar and scene.can("hover_element")
    )


def _pressed(name: str, scene: Scene) -> Act | None:
    """A click on the entry that was only pointed at, when nothing came up for it."""
    pointed = max((d.turn for d in scene.done(ops.HoverElement)), default=0)
    if not pointed or scene.patience < 1 or any(d.turn > pointed for d in scene.clicks()):
        return None
    entry = resolve(Phrase(name, quoted=True, spoken=name), scene.sight).element
    return Act((scene.click(entry),)) if entry is not None else None


def _is_menu(element: Element) -> bool:
    return (
        element.role in ROLES["menu"] | ROLES["menuitem"] | ROLES["button"] | ROLES["tab"]
        or element.source == "ocr"
    )


def menu_bar(scene: Scene) -> list[Element]:
    """The menus of the window in front, from left to right."""
    menus = [e for e in scene.sight.front if e.role == "menu" and e.name]
    ids = {each.id for each in menus}
    return sorted((e for e in menus if e.parent not in ids), key=lambda e: e.bounds.x)


def look_in_menus(what: Phrase, scene: Scene) -> Act | None:
    """A command that is not in sight is where it was seen before, or perhaps in a menu: open one after the other until its entry is seen.

    None when it is time to do something else: wait first, no menus, or all of them looked into.
    """
    back = known_way(what, scene)
    if back is not None:
        return back
    opened = [bar for bar in menu_bar(scene) if scene.clicks(f"“{bar.name}”")]
    if what.kind not in ("", "menuitem", "button", "option") or not what.name or scene.sight.dialog:
        return None
    if not opened and scene.patience < 2:
        return None
    left = [bar for bar in menu_bar(scene) if bar not in opened]
    if len(menu_bar(scene)) < 2 or (not left and scene.done(ops.KeyCombo)):
        return None
    if not left:
        return Act((ops.KeyCombo(("escape",)),))
    return Act(
        (scene.click(left[0]),), "" if opened else f"I do not see “{what.name}”, so I look in the menus."
    )
