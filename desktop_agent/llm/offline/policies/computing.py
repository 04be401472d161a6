"""Sums: worked out in a calculator, by typing or by its buttons, and read from its display."""

from __future__ import annotations

import re
from fractions import Fraction

from desktop_agent.llm.offline import arithmetic
from desktop_agent.llm.offline.intents import Compute, Phrase
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.policies.opening import need
from desktop_agent.llm.offline.resolve import ROLES, resolve
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element

_NAMES = {"*": ("×", "*", "x"), "/": ("÷", "/"), "-": ("−", "-", "–"), "+": ("+",), "^": ("^", "x^y", "xʸ", "pow"),
          ".": (".", ",")}  # fmt: skip
_CLEARS = ("AC", "C", "CLR", "Clear", "Clear all", "CE")
_BATCH = 12


def compute(intent: Compute, scene: Scene) -> Move:
    """Have a calculator work it out and report what its display shows."""
    ready = need("calculator", scene)
    if ready is not None:
        return ready
    wanted = arithmetic.value(intent.expression)
    shown = display_value(scene)
    typed = scene.done(ops.Type, lambda op: op.text == intent.expression)
    if typed and shown is not None and _same(shown, wanted):
        return _result(intent, scene)
    if not typed:
        return _type(intent, scene)
    waiting = scene.wait(3)
    if waiting:
        return waiting
    return _by_buttons(intent, wanted, scene)


def _type(intent: Compute, scene: Scene) -> Move:
    cleared = _clear(scene)
    keys = (ops.Type(intent.expression), ops.KeyCombo(("enter",)))
    return Act((*cleared, *keys), f"I type {intent.expression} into the calculator.")


def _clear(scene: Scene) -> tuple[Op, ...]:
    shown = display(scene)
    if shown is None or text_of(shown).strip() in ("", "0"):
        return ()
    for name in _CLEARS:
        found = _button((name,), scene)
        if found is not None:
            return (scene.click(found),)
    return ()


def _by_buttons(intent: Compute, wanted: Fraction | None, scene: Scene) -> Move:
    """Typing did not give the value: press the buttons, one after the other."""
    tokens = [*intent.expression, "="]
    start = min((d.turn for d in scene.deeds if d.turn > _typed_turn(scene)), default=0)
    pressed = [d for d in scene.clicks() if d.turn > _typed_turn(scene) and start]
    done = max(0, len(pressed) - len([d for d in pressed if any(f"“{c}”" in d.words for c in _CLEARS)]))
    if done >= len(tokens):
        return _other_result(intent, wanted, scene)
    buttons = [_button(_NAMES.get(each, (each,)), scene) for each in tokens]
    if any(each is None for each in buttons):
        return _other_result(intent, wanted, scene)
    first = _clear(scene) if not done else ()
    clicks = tuple(scene.click(each) for each in buttons[done : done + _BATCH] if each is not None)
    return Act(
        (*first, *clicks), "" if done else "The display does not show the result, so I press the buttons."
    )


def _typed_turn(scene: Scene) -> int:
    return max((d.turn for d in scene.done(ops.Type)), default=0)


def _button(names: tuple[str, ...], scene: Scene) -> Element | None:
    for name in names:
        found = resolve(Phrase(name, "button", quoted=True, spoken=name), scene.sight, allow=_is_button)
        if found.element is not None and scene.sight.in_front(found.element):
            return found.element
    return None


def _is_button(element: Element) -> bool:
    return element.role in ROLES["button"]


def _result(intent: Compute, scene: Scene) -> Reached:
    shown = display(scene)
    value = text_of(shown).strip() if shown is not None else "?"
    return Reached(f"The calculator shows {value}.", f"{_pretty(intent.expression)} = {value}", value)


def _other_result(intent: Compute, wanted: Fraction | None, scene: Scene) -> Move:
    shown = display(scene)
    if shown is None and wanted is not None:
        reading = scene.read()
        if reading and scene.patience <= 3:
            return reading
        return Question(
            f"I cannot read the calculator's display. By my own reckoning {_pretty(intent.expression)} is {_plain(wanted)}."
        )
    value = text_of(shown).strip() if shown is not None else "nothing"
    own = f" By my own reckoning it is {_plain(wanted)}." if wanted is not None else ""
    return Question(f"The calculator shows {value} for {_pretty(intent.expression)}.{own} Shall I go on?")


def display(scene: Scene) -> Element | None:
    """The calculator's display: the largest text in front that is a number."""
    shown = [
        e
        for e in scene.sight.front
        if e.role not in ROLES["button"] | ROLES["menu"] and _parsed(text_of(e)) is not None
    ]
    boxes = [e for e in shown if e.role in ROLES["field"] or "editable" in e.states]
    return max(boxes or shown, key=lambda e: (e.bounds.height, e.bounds.width), default=None)


def display_value(scene: Scene) -> Fraction | None:
    shown = display(scene)
    return _parsed(text_of(shown)) if shown is not None else None


def text_of(element: Element) -> str:
    return element.value or element.name


def _parsed(text: str) -> Fraction | None:
    """The number a display shows, thousands marks and the decimal comma understood."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    bare = re.sub(r"[\s\u00a0\u202f']", "", lines[-1]).replace("−", "-").rpartition("=")[2] if lines else ""
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", bare):
        bare = bare.replace(",", "")
    bare = bare.replace(",", ".")
    if not re.fullmatch(r"-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?", bare, re.I) or len(bare) > 60:
        return None
    return Fraction(bare)


def _same(shown: Fraction, wanted: Fraction | None) -> bool:
    """Equal as far as a display can show it."""
    if wanted is None:
        return False
    return abs(shown - wanted) <= max(abs(wanted) * Fraction(1, 10**6), Fraction(1, 10**9))


def _plain(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.10g}"


def _pretty(expression: str) -> str:
    spaced = re.sub(r"(?<=[\d)%])([-+*/])", r" \1 ", expression)
    return spaced.replace("*", "×").replace("/", "÷")
