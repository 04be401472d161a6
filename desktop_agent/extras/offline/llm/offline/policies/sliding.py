"""Sliders and spinners: pressing arrow keys, as far as what is shown says, until it is what was asked for."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.widgets import number, readout
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element

_BATCH = 15
_TURNS = 40
_OVERSHOT = 4
"""Times a single press goes too far before the nearest is taken."""
_STUCK = 3
"""Turns without any effect after which another way is tried."""


def slide(slider: Element, value: str, scene: Scene) -> Move:
    """Move a slider until it shows the value."""
    wanted, shows = number(value), readout(slider, scene)
    name = slider.name or "slider"
    if wanted is None:
        return Question(f"“{name}” is a slider: which number shall it show?")
    shown = number(shows.value if shows is slider else shows.name) if shows else None
    if shown is None:
        return scene.wait(2) or Question(f"I cannot see what the slider “{name}” shows. How shall I go on?")
    if late := _late(shown, scene):
        return late
    if _same(shown, wanted):
        return Reached(f"“{name}” shows {shown:g}.")
    return _keys(slider, wanted, shown, ("left", "right"), scene)


def spin(box: Element, value: str, scene: Scene) -> Move:
    """Bring a spinner to a number: by typing it, and by its keys and arrows where it takes no typing."""
    wanted, shown = number(value), number(box.value)
    name = box.name or "field"
    if wanted is None:
        return Question(f"“{name}” takes a number: which one?")
    if shown is not None and (late := _late(shown, scene)):
        return late
    if shown is not None and _same(shown, wanted):
        return Reached(f"“{name}” shows {shown:g}.")
    text = f"{wanted:g}"
    if not scene.done(ops.Type):
        note = f"I set “{name}” to {text}."
        return scene.approach(box, note) or Act(scene.overtype(box, text), note)
    if shown is None or "stepping" not in scene.memo:
        waiting = scene.wait(1)
        if waiting:
            return waiting
        scene.memo["stepping"] = "yes"
    if shown is None:
        return Question(f"I cannot see what “{name}” shows. How shall I go on?")
    return _keys(box, wanted, shown, ("down", "up"), scene)


def _same(shown: float, wanted: float) -> bool:
    return abs(shown - wanted) < 1e-6


def _late(shown: float, scene: Scene) -> Act | None:
    """A second look where it shows something else than the last presses should have led to: trees tell late."""
    comes = scene.memo.get("comes")
    return scene.wait(1) if comes is not None and not _same(shown, float(comes)) else None


def _keys(box: Element, wanted: float, shown: float, keys: tuple[str, str], scene: Scene) -> Move:
    """The next presses; how far one goes is learned from the last ones."""
    step = _step(shown, scene)
    stuck = int(scene.memo.get("stuck", "0"))
    name = box.name or ("slider" if box.role not in ("spin button", "spinner") else "field")
    if len(scene.active_turns) > _TURNS or stuck > 2 * _STUCK:
        return Question(f"“{name}” stays at {shown:g} and does not go to {wanted:g}. How shall I go on?")
    if _between(shown, wanted, scene):
        return Reached(f"“{name}” shows {shown:g}, as near to {wanted:g} as it goes.")
    times = max(1, min(_BATCH, round(abs(wanted - shown) / step)))
    comes = shown + (times if wanted > shown else -times) * step
    scene.memo.update(shown=str(shown), presses=str(times), comes=str(comes))
    note = "" if "told" in scene.memo else f"I move “{name}” to {wanted:g}."
    scene.memo["told"] = "yes"
    one: Op = ops.KeyCombo((keys[wanted > shown],))
    if stuck >= _STUCK:
        return Act((_arrow(box, up=wanted > shown, scene=scene),) * times, "The keys do not move it.")
    return Act((*_focus(box, scene), *(one,) * times), note)


def _between(shown: float, wanted: float, scene: Scene) -> bool:
    """Does one press lead from one side of the number to the other, over and over?"""
    memo, side = scene.memo, str(shown < wanted)
    if memo.get("presses") == "1" and memo.get("side", side) != side:
        memo["turns"] = str(int(memo.get("turns", "0")) + 1)
    memo["side"] = side
    return int(memo.get("turns", "0")) >= _OVERSHOT


def _step(shown: float, scene: Scene) -> float:
    """How far one press went; counts the times in a row that nothing moved."""
    memo = scene.memo
    if "shown" not in memo:
        return 1.0
    before, presses = float(memo["shown"]), int(memo["presses"])
    if _same(before, shown):
        memo["stuck"] = str(int(memo.get("stuck", "0")) + 1)
        return float(memo.get("step", "1"))
    memo["stuck"] = "0"
    went = abs(shown - before) / presses
    if "step" not in memo or went > float(memo["step"]):
        memo["step"] = str(went)
    return float(memo["step"])


def _focus(box: Element, scene: Scene) -> tuple[Op, ...]:
    if "focused" in box.states:
        return ()
    return (ops.FocusElement(box.id),) if scene.can("focus_element") else (scene.click(box),)


def _arrow(box: Element, *, up: bool, scene: Scene) -> Op:
    """The little arrow at the right end of a spinner; of a slider a pull by the handle, a pixel at a time."""
    bounds, view = box.bounds, scene.look.viewport
    if box.role not in ("spin button", "spinner"):
        at = view.to_image(bounds.center)
        return ops.Drag((ops.Spot(at.x, at.y), ops.Spot(at.x + (1 if up else -1), at.y)))
    place = view.rect_to_image(bounds)
    side = max(4, place.height // 4)
    return ops.Click(place.right - side, place.y + (side if up else place.height - side))
