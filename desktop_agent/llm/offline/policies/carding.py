"""Pressing what belongs to somebody's row, post or card: at once, or in the menu that the card opens."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline.cards import card, content, controls, named
from desktop_agent.llm.offline.intents import OnCard
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.policies.paging import turn_page
from desktop_agent.llm.offline.policies.reaching import at_edge, nudge, pointed
from desktop_agent.llm.offline.policies.seeking import seek
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

MORE = ("more", "menu", "options", "more options", "⋮", "…", "...", "☰", "actions", "ellipsis")
_CART = ("add to cart", "add to basket", "add to bag", "add to shopping cart")
_ALSO = dict.fromkeys(_CART, _CART)
"""Other names of the same button."""
_BATCH = 1  # each changes under the pointer
_PATIENCE = 6  # icons that change under the pointer are looked at again each time


def on_card(intent: OnCard, scene: Scene) -> Move:
    """Press the thing on the card of its owner, or on as many of the owner's cards as are meant."""
    if scene.trouble and len([d for d in scene.deeds if d.outcome == "refused"]) > _PATIENCE:
        return Question(f"I could not press that: {scene.trouble.detail} How shall I go on?")
    return _one(intent, scene) if intent.count == 1 else _several(intent, scene)


def _one(intent: OnCard, scene: Scene) -> Move:
    name = intent.what.name or intent.what.spoken
    if scene.memo.get("pressed"):
        return Reached(f"I pressed “{name}” for {intent.owner}.")
    things = content(scene.sight)
    for owner in named(things, intent.owner):
        found = thing_of(owner, things, name)
        if found is not None:
            moved = nudge(scene, found, things) or pointed(scene, found)
            if moved is not None:
                return moved
            scene.memo["pressed"] = "yes"
            return Act((scene.click(found),), f"I press “{name}” for {intent.owner}.")
        more = card(owner, controls(things, MORE), things)
        if more and not scene.memo.get("opened"):
            moved = nudge(scene, more[0], things) or pointed(scene, more[0])
            if moved is not None:
                return moved
            scene.memo["opened"] = "yes"
            return Act((scene.click(more[0]),), f"I open the menu of {intent.owner}.")
    entry = _in_open_menu(name, things) if scene.memo.get("opened") else None
    if entry is not None:  # its card may be out of sight by now
        scene.memo["pressed"] = "yes"
        return Act((scene.click(entry),), f"I press “{name}” for {intent.owner}.")
    return _look_for(intent, things, scene)


def _in_open_menu(name: str, things: Sequence[Element]) -> Element | None:
    """The one entry of that name in the menu that a card has opened."""
    entries = [e for e in controls(things, (name,)) if e.role in ("list item", "menu item")]
    return entries[0] if len(entries) == 1 else None


def thing_of(owner: Element, things: Sequence[Element], name: str) -> Element | None:
    """The thing of that name, or with that label, that belongs to the owner."""
    mine = card(owner, controls(things, (name, *_ALSO.get(name.lower(), ()))), things)
    pressed = [each for each in mine if each.role not in ("static", "label", "heading")]
    labelled = [value for each in mine if (value := _beside(each, things)) is not None]
    return next(iter((*pressed, *labelled, *mine)), None)


def _beside(label: Element, things: Sequence[Element]) -> Element | None:
    """What a label like "Phone:" stands before."""
    if not label.name.rstrip().endswith(":"):
        return None
    line = [
        e
        for e in things
        if e.role in ("link", "push button", "image") and e.bounds.x >= label.bounds.right - 4
        and e.bounds.y < label.bounds.center.y < e.bounds.bottom
    ]  # fmt: skip
    return min(line, key=lambda e: e.bounds.x, default=None)


def _look_for(intent: OnCard, things: Sequence[Element], scene: Scene) -> Move:
    moved = seek(scene, things, f"I look for {intent.owner}.") or turn_page(scene, things)
    name = intent.what.name or intent.what.spoken
    return moved or Question(f"I do not see “{name}” for {intent.owner}. What shall I do?")


def _several(intent: OnCard, scene: Scene) -> Move:
    """Press on each of the cards, each one once: cards are told apart by what they say."""
    name = intent.what.name or intent.what.spoken
    things = content(scene.sight)
    done = _done_cards(scene)
    left = min(_BATCH, intent.count - len(done)) if intent.count else _BATCH
    cards = [pair for pair in _open_cards(intent, things, name) if pair[0] not in done]
    batch = [pair for pair in cards if not at_edge(scene, pair[1], things)][: max(0, left)]
    moved = pointed(scene, batch[0][1]) if batch else seek(scene, things, back=not done) if left > 0 else None
    if moved is not None:
        return moved
    if batch:
        scene.memo["pending"] = "\n".join(mark for mark, _ in batch)
        return Act(tuple(scene.click(each) for _, each in batch), f"I press “{name}” for {intent.owner}.")
    return (
        Reached(f"I pressed “{name}” on {len(done)} of {intent.owner}.")
        if done
        else _look_for(intent, things, scene)
    )


def _open_cards(intent: OnCard, things: Sequence[Element], name: str) -> list[tuple[str, Element]]:
    """The owner's cards in sight, each with what is to be pressed on it."""
    pairs = [(_mark(owner, things), thing_of(owner, things, name)) for owner in named(things, intent.owner)]
    return [(mark, found) for mark, found in pairs if found is not None]


def _done_cards(scene: Scene) -> list[str]:
    """The cards that were pressed on; of the last batch as many as were carried out."""
    pending = [each for each in scene.memo.get("pending", "").split("\n") if each]
    last = [d for d in scene.clicks() if d.turn == scene.turn - 1]
    done = [each for each in scene.memo.get("cards", "").split("\n") if each] + pending[: len(last)]
    scene.memo.update(cards="\n".join(done), pending="")
    return done


def _mark(owner: Element, things: Sequence[Element]) -> str:
    """What tells a card from others: its place in the tree, else what is written on it."""
    if owner.trail:
        return ".".join(map(str, owner.trail))
    return " ".join(each.name for each in things if abs(each.bounds.y - owner.bounds.y) < 60)
