"""Guessing a number by halving what is left, going by the answer to each guess."""

from __future__ import annotations

import re
from collections.abc import Iterable

from desktop_agent.llm.offline.boxes import is_editable
from desktop_agent.llm.offline.cards import content, controls
from desktop_agent.llm.offline.intents import Guess
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_RIGHT = re.compile(r"\b(?:correct|right|well done|you (?:won|win|got it)|congratulations|found it)\b", re.I)
_HIGHER = re.compile(r"\b(?:higher|greater|larger|bigger|more)\b|\btoo (?:low|small|little)\b", re.I)
_LOWER = re.compile(r"\b(?:lower|less|smaller|fewer)\b|\btoo (?:high|large|big|much)\b", re.I)
_NUMBER = re.compile(r"-?\d+")


def guess(intent: Guess, scene: Scene) -> Move:
    """Try the middle, press the button, read the answer, and so on."""
    things = content(scene.sight)
    low, high = int(scene.memo.get("low", intent.low)), int(scene.memo.get("high", intent.high))
    tried = scene.memo.get("tried", "")
    if tried and not scene.memo.get("sent"):
        return _send(things, scene)
    if tried:
        said = _answer([e.name for e in things if e.name], int(tried))
        if said == "right":
            return Reached(f"It is {tried}.", f"The number is {tried}.")
        if not said:
            return scene.wait(3) or Reached(f"I tried {tried}; there is no further answer.")
        low, high = (int(tried) + 1, high) if said == "higher" else (low, int(tried) - 1)
        scene.memo.update(low=str(low), high=str(high))
    if low > high:
        return Question("The answers do not fit together. Shall I begin again?")
    return _try((low + high) // 2, things, scene)


def _try(number: int, things: Iterable[Element], scene: Scene) -> Move:
    box = next((e for e in things if is_editable(e)), None)
    if box is None:
        return scene.wait(2) or Question("I see no box to enter a number into. Where shall I enter it?")
    going = None if "focused" in box.states else Act((scene.click(box, count=3),), f"I try {number}.")
    if going is not None and scene.memo.get("asked") != str(number):
        scene.memo["asked"] = str(number)
        return going
    scene.memo.update(tried=str(number), sent="")
    return Act((ops.KeyCombo(("ctrl", "a")), ops.Type(str(number))), f"I try {number}.")


def _send(things: Iterable[Element], scene: Scene) -> Move:
    scene.memo["sent"] = "yes"
    buttons = controls(things, ("Submit", "Guess", "OK", "Check", "Try", "Send"))
    pressed = [e for e in buttons if e.role == "push button"]
    return Act((scene.click(pressed[0]) if pressed else ops.KeyCombo(("enter",)),))


def _answer(texts: Iterable[str], tried: int) -> str:
    """What is said about the number tried: "right", "higher", "lower", or "" for nothing (yet)."""
    for text in texts:
        about = _NUMBER.findall(text)
        if about and str(tried) not in about:
            continue  # still about the number before
        if _HIGHER.search(text):
            return "higher"
        if _LOWER.search(text):
            return "lower"
        if _RIGHT.search(text):
            return "right"
    return ""
