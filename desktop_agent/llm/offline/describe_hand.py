"""Steps of a skilled hand in words, as the user reads them in the plan."""

from __future__ import annotations

from desktop_agent.llm.offline import intents_hand as hand


def describe_hand(intent: hand.Drawn) -> str:
    """A step like `Click all red circles`."""
    match intent:
        case hand.ClickAll(what, order):
            return f"Click all {what.spoken}" + (" in order" if order else "")
        case hand.Count(what):
            return f"Count {what.spoken}"
        case hand.Identify(what):
            return "Tell what the figure is" if what == "kind" else "Count the sides of the figure"
        case hand.GridPoint(x, y):
            return f"Click at {x:g}, {y:g} of the diagram"
        case hand.Shift(what, way):
            return f"Drag {what.spoken} {way}"
        case hand.Place(what, number, corner):
            return f"Drag {what.spoken} to the {corner or f'place {number}' if number >= 0 else 'last place'}"
        case hand.Gather(what, onto, rest):
            return f"Drag {'everything else' if rest else f'all {what.spoken}'} into {onto.spoken}"
        case hand.Arrange():
            return "Sort the list"
        case hand.Resize(what, side, larger):
            return f"Make the {side} of {what.spoken} {'larger' if larger else 'smaller'}"
