"""Intents that read first, in words for the plan."""

from __future__ import annotations

from desktop_agent.llm.offline import intents
from desktop_agent.llm.offline.intents import Intent

_VERBS = {
    "open": "Open", "forward": "Forward", "reply": "Answer", "delete": "Delete", "star": "Mark as important",
}  # fmt: skip


def describe_composite(intent: Intent) -> str:
    """One line like `Read word 2 of the paragraph`."""
    match intent:
        case intents.FindOut(unit, where, ordinal):
            nth = f" {ordinal}" if ordinal > 0 else ", the last one," if ordinal < 0 else ""
            return f"Read the {unit}{nth} of {where.spoken or where.name}"
        case intents.CopyText(what):
            return f"Copy the text of {what.spoken or what.name}"
        case intents.Solve(problem):
            return f"Work out {problem or 'the problem'}"
        case intents.Sort(names):
            return f"Mark each number as {' or '.join(names)}"
        case intents.Guess(low, high):
            return f"Guess the number between {low} and {high}"
        case intents.FillFromTable():
            return "Fill in the form with the values that are shown"
        case _:
            return _about_somebody(intent)


def _about_somebody(intent: Intent) -> str:
    match intent:
        case intents.OnCard(what, owner, count):
            many = "all of " if count == 0 else f"{count} of " if count > 1 else ""
            return f"Press {what.name or what.spoken} for {many}{owner}"
        case intents.Mail(verb, sender, to):
            return f"{_VERBS[verb]} the message from {sender}" + (f" to {to}" if to else "")
        case intents.Highlight(what):
            return f"Select the text of {what.spoken or what.name or 'it'}"
        case intents.Style(said, style):
            return f"Make {said or 'everything'} {style}"
        case _:
            return "Go on"
