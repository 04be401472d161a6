"""Putting an order together: so many of an item, by the plus beside it, then the button that orders."""

from __future__ import annotations

import re

from desktop_agent.llm.offline.intents import Phrase
from desktop_agent.llm.offline.intents_buying import Amount, PlaceOrder
from desktop_agent.llm.offline.likeness import likeness
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.policies.locate import locate
from desktop_agent.llm.offline.resolve import resolve
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_ORDERS = ("order", "place order", "checkout", "check out", "buy", "buy now", "go to checkout", "submit", "pay", "confirm")  # fmt: skip
_MOST_ROLLS = 12
_MORE = re.compile(r"\+|add|more|plus|increase", re.I)
_LESS = re.compile(r"[-−–]|remove|less|minus|decrease", re.I)


def amount(intent: Amount, scene: Scene) -> Move:
    """Press plus (or minus) in the line of the item until the number between them is right."""
    what = Phrase(intent.item, spoken=intent.item, quoted=True)
    item = resolve(what, scene.sight).element or _roll_on(scene) or locate(scene, what)
    if isinstance(item, Act | Question):
        return item
    line = [e for e in scene.sight.on_page(scene.sight.front) if _beside(item, e)]
    shown = next((int(e.name) for e in line if re.fullmatch(r"\d{1,3}", e.name)), 0)
    missing = intent.count - shown
    if not missing:
        return Reached(f"{intent.item}: {shown}.")
    wanted = _MORE if missing > 0 else _LESS
    button = next((e for e in line if wanted.fullmatch(e.name.strip())), None)
    if button is None:
        return Question(f"I see no plus beside “{intent.item}”. How shall I order it?")
    tries = int(scene.memo.get("tries", "0"))
    if tries and (waiting := scene.wait(1)):
        return waiting
    if (
        tries and scene.clicks() and scene.clicks()[-1].effect == "unchanged"
    ):  # cut off by the edge of what scrolls
        rolled = _roll_on(scene)
        if rolled is not None:
            scene.memo["tries"] = "0"
            return rolled
    if tries > abs(intent.count) + 3:
        return Question(f"The number of “{intent.item}” stays at {shown}. How shall I go on?")
    scene.memo["tries"] = str(tries + 1)
    return Act((scene.click(button),) * min(8, abs(missing)), "" if tries else f"I order {intent.item}.")


def _roll_on(scene: Scene) -> Act | None:
    """Scroll the list of what can be ordered, with the pointer over a line of it; None at its end."""
    page = scene.sight.on_page(scene.sight.front)
    over = next((e for e in page if _MORE.fullmatch(e.name.strip())), None)
    rolled = scene.done(ops.ScrollElement)
    if over is None or len(rolled) > _MOST_ROLLS or (len(rolled) > 1 and rolled[-1].effect == "unchanged"):
        return None
    return Act(scene.roll(over, -1))


def _beside(item: Element, other: Element) -> bool:
    """In the line of the item, to its right."""
    middle = other.bounds.center
    return (
        other.id != item.id
        and middle.x > item.bounds.center.x
        and (item.bounds.y - 6 <= middle.y <= item.bounds.bottom + 12)
    )


def place_order(_intent: PlaceOrder, scene: Scene) -> Move:
    """Press the button that orders; it may be below what is in sight."""
    if scene.clicks():
        return Reached("It is ordered.")
    page = scene.sight.on_page(scene.sight.front)
    for name in _ORDERS:
        for each in page:
            if likeness(name, each.name, exact=True) and each.role not in ("heading", "document web"):
                return Act((scene.click(each),), f"I press “{each.name}”.")
    found = locate(scene, Phrase("Order", spoken="Order"))
    return found if isinstance(found, Act | Question) else Act((scene.click(found),))
