"""Comparing and ordering, in words for the plan."""

from __future__ import annotations

from desktop_agent.llm.offline.intents_buying import Amount, Best, BuyingIntent, Watch


def describe_buying(intent: BuyingIntent) -> str:
    """One line like `Book the flight with the least money`."""
    match intent:
        case Best(verb, thing, measure, most, label):
            return (
                f"{verb.capitalize()} the {thing} with the {'most' if most else 'least'} {label or measure}"
            )
        case Watch(button, label, value, above):
            return f"{button} when {label} is {'above' if above else 'below'} {value:g}"
        case Amount(item, count):
            return f"Order {count} of {item}"
        case _:
            return "Place the order"
