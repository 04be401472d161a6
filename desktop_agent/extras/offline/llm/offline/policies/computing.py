"""Sums: worked out in a calculator, by typing or by its buttons, and read from its display."""

from __future__ import annotations

import re
from fractions import Fraction

from desktop_agent.extras.offline.llm.offline import arithmetic
from desktop_agent.extras.offline.llm.offline.intents import Compute, Phrase
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.opening import need
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element

_NAMES = {"*": ("×", "*", "x"), "/": ("÷", "/"), "-": ("−", "-", "–"), "+": ("+",), "^": ("^", "x^y", "xʸ", "pow"),
          ".": (".", ",")}  # fmt: skip
_CLEARS = ("AC", "C", "CLR", "Clear", "Clear all", "CE")
_BATCH = 15
_KEY_DELAY = (
    0.12  # seconds: calculators that show which key was pressed lose a second press that comes sooner
)
_MAX_STARTS = 3


def compute(intent: Compute, scene: Scene) -> Move:
    """Have a calculator work it out, by its buttons or by typing, and report what its display shows."""
    ready = need("calculator", scene)
    if ready is not None:
        return ready
    wanted = arithmetic.value(intent.expression)
    buttons = [_button(_NAMES.get(each, (each,)), scene) for each in (*intent.expression, "=")]
    known = [each for each in buttons if each is not None]
    pressed = _pressed(scene)
    typed = bool(scene.done(ops.Type))
    complete = typed or (len(known) == len(buttons) and len(pressed) >= len(buttons))
    if complete:
        return _look_at_result(intent, wanted, scene)
    if len(known) < len(buttons) or _starts(scene) > _MAX_STARTS:
        return _type(intent, scene)
    return _press_on(known, len(pressed), scene)


def _press_on(buttons: list[Element], done: int, scene: Scene) -> Move:
    """Press the next buttons; after a mishap from the beginning."""
    first = _clear(scene) if not done or scene.mishap else ()
    done = 0 if first else done
    clicks = tuple(scene.click(each) for each in buttons[done : done + _BATCH])
    return Act((*first, *clicks), "" if done else "I press the calculator's buttons.")


def _pressed(scene: Scene) -> list[str]:
    """Words of the clicks since the display was cleared last."""
    words = [each.words for each in scene.clicks()]
    cleared = [n for n, each in enumerate(words) if _is_clear(each)]
    return words[cleared[-1] + 1 :] if cleared else words


def _starts(scene: Scene) -> int:
    return sum(_is_clear(each.words) for each in scene.clicks())


def _is_clear(words: str) -> bool:
    return any(f"“{name}”" in words for name in _CLEARS)


def _type(intent: Compute, scene: Scene) -> Move:
    keys = (ops.Type(intent.expression, delay=_KEY_DELAY), ops.KeyCombo(("enter",)))
    return Act((*_clear(scene), *keys), f"I type {intent.expression} into the calculator.")


def _clear(scene: Scene) -> tuple[Op, ...]:
    shown = display(scene)
    untouched = shown is None or text_of(shown).strip() in ("", "0")
    if untouched and not scene.active_turns:
        return ()
    button = next((found for name in _CLEARS if (found := _button((name,), scene)) is not None), None)
    return (scene.click(button),) if button is not None else ()


def _look_at_result(intent: Compute, wanted: Fraction | None, scene: Scene) -> Move:
    shown = display_value(scene)
    if shown is not None and _same(shown, wanted):
        return _result(intent, scene)
    waiting = scene.wait(2)
    if waiting:
        return waiting
    if not scene.done(ops.Type):
        return _type(intent, scene)
    return _other_result(intent, wanted, scene)


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
