"""Saying of each number in sight what is true of it, with the buttons or boxes beside it."""

from __future__ import annotations

import re

from desktop_agent.llm.offline.cards import card, content, controls
from desktop_agent.llm.offline.intents import Sort
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol.ops import Op

_BATCH = 8


def sort(intent: Sort, scene: Scene) -> Move:
    """Press beside each number the name that is true of it; a few at a time."""
    if scene.trouble:
        return Question(f"I could not press that: {scene.trouble.detail} How shall I go on?")
    things = content(scene.sight)
    pressed: list[Op] = []
    numbers = [
        e for e in things if re.fullmatch(r"[-−]?\d{1,12}", e.name.strip()) and e.role != "push button"
    ]
    for each in numbers:
        value = int(each.name.strip().replace("−", "-"))
        name = next((name for name in intent.names if is_true(name, value)), "")
        mine = card(each, controls(things, (name,)), things) if name else []
        pressed += [scene.click(mine[0])] if mine else []
    done = int(scene.memo.get("pressed", "0"))
    if pressed and done >= len(pressed):
        return Reached(f"I marked {done} numbers.")
    if not pressed:
        return scene.wait(2) or Question(
            "I see no numbers with something beside them to mark them. What shall I do?"
        )
    batch = pressed[done : done + _BATCH]
    scene.memo["pressed"] = str(done + len(batch))
    return Act(tuple(batch), f"I mark each number as {' or '.join(intent.names)}.")


def is_true(name: str, value: int) -> bool:
    """Is a number odd, even, positive, negative, zero, prime or composite?"""
    match name:
        case "odd" | "even":
            return (value % 2 == 1) == (name == "odd")
        case "positive":
            return value > 0
        case "negative":
            return value < 0
        case "zero":
            return value == 0
        case "prime":
            return _is_prime(value)
        case _:
            return name == "composite" and value > 3 and not _is_prime(value)


def _is_prime(value: int) -> bool:
    return value > 1 and value < 10**9 and all(value % each for each in range(2, int(value**0.5) + 1))
