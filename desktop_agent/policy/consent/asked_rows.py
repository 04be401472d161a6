"""Makes the rows of an approval card: every text that will be typed, opened, run or written, and what the yes rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from desktop_agent.policy.consent.consent import Ruling
from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.key_effects import pastes
from desktop_agent.policy.facts.op_text import SHOWN, exact
from desktop_agent.policy.facts.place import Place, editable, is_address_bar, subject_of
from desktop_agent.policy.facts.words.claim_words import claim_table
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import AskedPlace, AskedRow
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op
from desktop_agent.redaction.redactor import dotted, redactor
from desktop_agent.support.registrable_domain import hosts_in, registrable

_MOST_HELD = 400
"""Characters shown of what a field already holds: its end, where the keyboard is."""
_LABELS = {
    "text": "Types",
    "target": "Opens",
    "command": "Runs",
    "path": "File",
    "content": "Content",
    "old": "Old",
    "new": "New",
}
_MOST_HOSTS = 12


_MARKED = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_HIDDEN_PART = "{{}}"


def rows_of(
    unit: Sequence[Op], points: Sequence[Point | None], rulings: Sequence[Ruling]
) -> tuple[AskedRow, ...]:
    """The rows for a unit: its operations with their whole texts, the hosts they name, and the places they act on.

    `points` and `rulings` have one entry for each operation.
    """
    rows: list[AskedRow] = []
    for op, at, ruling in zip(unit, points, rulings, strict=True):
        own = rows_of_operation(op, at, ruling.place)
        rows += (replace(row, told=row.kind == "does" and _said_whole(op)) for row in own)
    by_name = all(getattr(op, "element", None) for op in unit)
    for place in dict.fromkeys(ruling.place for ruling in rulings if ruling.place.known):
        rows += _place(place, by_name=by_name and 0 < len(place.name) <= SHOWN)
    return tuple(dict.fromkeys(rows))


def _said_whole(op: Op) -> bool:
    """Do the words of the question say all that it does?"""
    plain = isinstance(op, ops.ClickElement | ops.HoverElement | ops.FocusElement) and not getattr(
        op, "modifiers", ()
    )
    return plain or isinstance(op, ops.KeyCombo | ops.Wait)


def places_of(rulings: Sequence[Ruling]) -> tuple[AskedPlace, ...]:
    """Where it would be done, for a glance; the rows say the same, and more of it."""
    places = [each.place for each in sorted(rulings, key=lambda each: not each.asks) if each.place.known]
    return tuple(dict.fromkeys(_glance(place) for place in places))


def _glance(place: Place) -> AskedPlace:
    page = _page(place.origin) if subject_of(place).kind == "site" else AskedRow("", "")
    return AskedPlace(place.program or place.application, place.window, page.text, page.strong)


def rows_of_operation(op: Op, at: Point | None, place: Place) -> Iterator[AskedRow]:
    """What an operation does, with its whole texts and the hosts they name."""
    names = _texts(op)
    if not names:
        yield AskedRow("Does", exact(op, at), "does")
    if pastes(op):
        yield AskedRow("Pastes", "what is on the clipboard, which is not read here")
    for name in names:
        text = dotted(getattr(op, name))
        yield AskedRow(_LABELS[name], text, "content" if name in ("content", "old", "new") else "typed")
        yield from _hosts(text, bare=isinstance(op, ops.Open) or is_address_bar(place))


def _hosts(text: str, *, bare: bool) -> Iterator[AskedRow]:
    for host in hosts_in(text, bare=bare)[:_MOST_HOSTS]:
        shown = host.host or f"{host.written} (no host that exists)"
        yield AskedRow("Names host", shown, "host", host.registered)


def _texts(op: Op) -> tuple[str, ...]:
    """The names of the fields of an operation that hold a text, in the order they are shown."""
    return tuple(name for name in _LABELS if isinstance(getattr(op, name, None), str))


def _place(place: Place, *, by_name: bool) -> Iterator[AskedRow]:
    """What is there; `by_name`: the words of the question name the element."""
    if place.role or place.name:
        name = f"{place.role} “{place.name}”" if place.name else place.role
        yield AskedRow("On", name, seen=True, told=by_name)
    elif place.words:
        yield AskedRow("On", " ".join(place.words), seen=True)
    if place.leads_to:
        yield AskedRow("Leads to", dotted(place.leads_to))
        yield from _hosts(place.leads_to, bare=False)
    if held := _held(place):
        yield AskedRow("It holds", held, "content", seen=True)
    if len(place.dialog) > 1:
        yield AskedRow("It says", "\n".join(dict.fromkeys(place.dialog[1:])), "content", seen=True)
    elif place.nearby:
        yield AskedRow("Beside it", "\n".join(place.nearby), "content", seen=True)
    if place.program or place.application:
        yield AskedRow("Program", place.program or place.application, told=True)
    subject = subject_of(place)
    if subject.kind == "site":
        yield replace(_page(place.origin), told=True)


def _page(origin: str) -> AskedRow:
    if not origin:
        return AskedRow("Page", "its address is not known")
    host = origin.partition("://")[2].partition("/")[0].rpartition("@")[2]
    name = host if host.startswith("[") else host.partition(":")[0]
    web = origin.startswith(("http://", "https://", "ws://", "wss://", "ftp://"))
    return AskedRow("Page", origin, "host", registrable(name) if web else "")


def _held(place: Place) -> str:
    if not editable(place) or place.role == "password text" or "password" in place.states:
        return ""
    text = dotted(place.value.strip("\n"))
    return text if len(text) <= _MOST_HELD else f"… {text[-_MOST_HELD:]}"


# A choice is the model's text, and may name what was read: picking it answers the question, but grants nothing. What
# it then leads to is judged, and asked about, as before.
def is_offered(answer: str, choices: Iterable[str]) -> bool:
    """Is the answer one of the choices to the letter? Blanks at its ends and what stands for secrets do not count."""
    said = _compared(answer)
    return any(_compared(each) == said for each in choices)


def picked_of(answer: str, choices: tuple[str, str]) -> str:
    """The one of two choices, a yes and a no, that was picked or is meant by a bare yes or no; "" for other words."""
    said, table = fold(answer).strip(" .!"), claim_table()
    picked = next((each for each in choices if fold(each) == said), "")
    return picked or (choices[0] if said in table.yes else choices[1] if said in table.no else "")


def _compared(text: str) -> str:
    """The text with all secrets alike: marked, plain, or as a stand-in, which an answer has for what a choice marks."""
    return _MARKED.sub(_HIDDEN_PART, redactor().clean(_MARKED.sub(_HIDDEN_PART, text))).strip()
