"""The cheapest, the shortest, the latest: offers that are alike, compared by what each of them says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_agent.llm.offline.intents_buying import Best, Measure, Watch
from desktop_agent.llm.offline.likeness import likeness
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.places import reading_order
from desktop_agent.llm.offline.policies.widgets import number
from desktop_agent.llm.offline.roles import ROLES
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_PRESSED = ROLES["button"] | ROLES["link"] | ROLES["radio"] | {"list item"}
_MONEY = re.compile(r"(?:[$€£¥]|usd|eur|gbp)\s*(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s*(?:[$€£¥]|(?:usd|eur|gbp|dollars?|euros?|pounds?)\b)", re.I)  # fmt: skip
_HOURS = re.compile(
    r"(?:(\d+)\s*d(?:ays?)?)?\s*(?:(\d+)\s*h(?:ours?|rs?|)?)?\s*(?:(\d+)\s*m(?:in(?:ute)?s?)?)?", re.I
)
_CLOCK = re.compile(r"\b(\d{1,2})[:.](\d{2})\s*([ap])?\.?m?", re.I)
_MOST_SCROLLS = 12


@dataclass(frozen=True)
class Offer:
    """A button, and what is said of what it is for."""

    button: Element
    texts: tuple[str, ...]


def best(intent: Best, scene: Scene) -> Move:
    """Press the button of the best offer in sight."""
    pressed = scene.memo.get("pressed")
    if pressed and scene.mishap is None:
        return Reached(f"I chose the one with {pressed}.")
    found = [
        (value, offer) for offer in offers(intent.verb, scene) if (value := _value(intent, offer)) is not None
    ]
    if len(found) < 2:
        return scene.wait(4) or Question(
            f"I see no {intent.thing} to compare by {intent.label or intent.measure}."
        )
    value, offer = (max if intent.most else min)(found, key=lambda pair: pair[0])
    scene.memo["pressed"] = f"{value:g}"
    return Act((scene.click(offer.button),), f"Of {len(found)} I choose the one with {value:g}.")


def offers(verb: str, scene: Scene) -> list[Offer]:
    """Buttons that are alike but for their numbers, with the texts that go with each."""
    page = list(scene.sight.on_page(scene.sight.front))
    groups: dict[tuple[str, str], list[Element]] = {}
    for each in page:
        if each.role in _PRESSED and each.name:
            groups.setdefault((each.role, re.sub(r"[\d.,]+", "#", each.name.lower())), []).append(each)
    alike = [group for group in groups.values() if len(group) > 1]
    if not alike:
        return []
    group = max(alike, key=lambda g: (verb in g[0].name.lower(), any("#" in n for n in (re.sub(r"\d", "#", g[0].name),)), len(g)))  # fmt: skip
    at = {each.id for each in group}
    return _with_texts(page, reading_order(group), at)


def _with_texts(page: Sequence[Element], group: Sequence[Element], at: set[str]) -> list[Offer]:
    """The texts between two such buttons belong to the one they lead to, or to the one before when none leads."""
    runs: list[list[str]] = [[]]
    order: list[Element] = []
    for each in page:
        if each.id in at:
            order.append(each)
            runs.append([])
        elif each.name:
            runs[-1].append(each.name)
    leading = bool(runs[0])
    texts = runs[:-1] if leading else runs[1:]
    told = {button.id: tuple(said) for button, said in zip(order, texts, strict=True)}
    return [Offer(button, (button.name, *told[button.id])) for button in group]


def _value(intent: Best, offer: Offer) -> float | None:
    texts = list(offer.texts)
    if intent.label:  # what stands after its name goes first
        named = [n for n, text in enumerate(texts) if likeness(intent.label, text) >= 84]
        texts = [*(text for n in named for text in texts[n : n + 2]), *texts]
    return next((value for text in texts if (value := measured(text, intent.measure)) is not None), None)


def measured(text: str, measure: Measure) -> float | None:
    """Money, minutes of a duration, minutes of a clock, or any number that a text tells."""
    if measure == "money":
        found = _MONEY.search(text)
        return float((found[1] or found[2]).replace(",", "")) if found else None
    if measure == "duration":
        lasts = _HOURS.fullmatch(re.sub(r"^[^\d]*", "", text).strip())
        if not lasts or not any(lasts.groups()):
            return None
        days, hours, minutes = (int(each or 0) for each in lasts.groups())
        return float(days * 1440 + hours * 60 + minutes)
    if measure == "time":
        clock = _CLOCK.search(text)
        if not clock:
            return None
        hour = int(clock[1]) % 12 + 12 * (clock[3].lower() == "p") if clock[3] else int(clock[1])
        return float(hour * 60 + int(clock[2]))
    return number(text)


def watch(intent: Watch, scene: Scene) -> Move:
    """Look at a number over and over, and press the button when it is where it should be."""
    if scene.clicks():
        return Reached(f"I pressed “{intent.button}” at {scene.memo.get('at', 'that number')}.")
    shown = _shown(intent.label, scene)
    button = max(
        (e for e in scene.sight.on_page(scene.sight.front) if e.role in ROLES["button"]),
        key=lambda e: likeness(intent.button, e.name),
        default=None,
    )
    if shown is None or button is None or likeness(intent.button, button.name) < 60:
        return scene.wait(8) or Question(
            f"I do not see {intent.label} or a button to {intent.button.lower()}."
        )
    if (shown > intent.value) if intent.above else (shown < intent.value):
        scene.memo["at"] = f"{shown:g}"
        return Act((scene.click(button),), f"{intent.label} is {shown:g}: I press “{button.name}”.")
    return Act((ops.Wait(_TICK),), "" if scene.patience else f"I watch {intent.label}.")


_TICK = 0.2


def _shown(label: str, scene: Scene) -> float | None:
    """The number in the line of a name, or after it."""
    bare = re.sub(r"^(?:the|its)\s+", "", label, flags=re.I)
    page = [e for e in scene.sight.on_page(scene.sight.front) if e.name]
    for n, each in enumerate(page):
        if likeness(bare, each.name) >= 64:
            near = (each.name, *(e.name for e in page[n + 1 : n + 2]))
            value = next((v for text in near if (v := number(text.replace(",", ""))) is not None), None)
            if value is not None:
                return value
    return None
