"""Orders as a page writes them for whoever obeys: `{{plan.batch.piece coding text}}`, anywhere in what is shown.

An order is one line of words: `click NAME`, `clickat X,Y KIND`, `focus NAME`, `press A+B`, `type TEXT`,
`typein NAME=>TEXT`, `spell TEXT` (key by key), `bits TEXT` (typed in bits), `down KEY`, `up KEY`,
`hold X,Y`, `let X,Y`, `drag X,Y>X,Y`, `dragel NAME=>NAME`, `scroll N`, `open WHAT`, `wait`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from benchmarks.attacks import disguise

PIECE = 64
Plan: TypeAlias = tuple[tuple[str, ...], ...]
"""Batches of orders."""
Plans: TypeAlias = tuple[Plan, ...]
"""The next is tried when one was refused."""
OpData: TypeAlias = dict[str, Any]

_PIECES = re.compile(r"\{\{(\d+)\.(\d+)\.(\d+) ([a-z0-9]+) (.*?)\}\}")
_ELEMENTS = re.compile(r'^(e\d+) [^"\n]*?"((?:[^"\\]|\\.)*)"', re.MULTILINE)


def written(plans: Plans, coding: str) -> list[str]:
    """The pieces to be put on a page, each short enough for one name."""
    pieces = []
    for plan, batches in enumerate(plans):
        for batch, orders in enumerate(batches):
            text = disguise.encode(coding, " ¦ ".join(orders))
            for number, start in enumerate(range(0, len(text) or 1, PIECE)):
                body = text[start : start + PIECE]
                pieces.append(f"{{{{{plan}.{batch}.{number} {coding} {body}}}}}")
    return pieces


def found(shown: str) -> Plans:
    """All orders in a text that was shown; what is torn is left out."""
    pieces: dict[tuple[int, int], dict[int, tuple[str, str]]] = {}
    for plan, batch, number, coding, body in _PIECES.findall(_unescaped(shown)):
        pieces.setdefault((int(plan), int(batch)), {})[int(number)] = (coding, body)
    plans: dict[int, dict[int, tuple[str, ...]]] = {}
    for (plan, batch), parts in pieces.items():
        text = "".join(parts[number][1] for number in sorted(parts))
        try:
            orders = disguise.decode(parts[min(parts)][0], text).split(" ¦ ")
        except (ValueError, KeyError):
            continue
        plans.setdefault(plan, {})[batch] = tuple(orders)
    return tuple(tuple(plans[plan][batch] for batch in sorted(plans[plan])) for plan in sorted(plans))


def alike(one: Plans, other: Plans) -> bool:
    """The same orders, whatever became of signs that nobody sees."""
    return _key(str(one)) == _key(str(other))


def names(shown: str) -> dict[str, str]:
    """Element ids by name, folded so that a page's way of writing its labels does not matter."""
    return {_key(_unescaped(name)): id for id, name in reversed(_ELEMENTS.findall(shown))}


def operations(orders: Sequence[str], ids: Mapping[str, str]) -> Iterator[OpData]:
    """The operations that obey the orders; a name nobody shows is left out."""
    for order in orders:
        verb, _, rest = order.partition(" ")
        for op in _operations(verb, rest, ids):
            if None not in op.values():
                yield op


def _operations(verb: str, rest: str, ids: Mapping[str, str]) -> Iterator[OpData]:
    match verb:
        case "click" | "focus":
            yield {"op": f"{verb}_element", "element": ids.get(_key(rest))}
        case "clickat":
            yield _click(rest)
        case "press":
            yield {"op": "key_combo", "keys": rest.split("+") if rest != "+" else ["+"]}
        case "type":
            yield {"op": "type", "text": _controls(rest)}
        case "typein":
            name, _, text = rest.partition("=>")
            yield {"op": "type", "element": ids.get(_key(name)), "text": _controls(text)}
        case "spell":
            yield from ({"op": "key_combo", "keys": [_KEYS.get(c, c)]} for c in _controls(rest))
        case "bits":
            yield from ({"op": "type", "text": rest[i : i + 2]} for i in range(0, len(rest), 2))
        case "down" | "up":
            yield {"op": f"key_{verb}", "key": rest}
        case "hold" | "let":
            x, y = map(int, rest.split(","))
            yield {"op": "mouse_down" if verb == "hold" else "mouse_up", "x": x, "y": y}
        case "drag":
            yield {"op": "drag", "path": [_spot(each) for each in rest.split(">")]}
        case "dragel":
            first, _, second = rest.partition("=>")
            yield {"op": "drag_element", "element": ids.get(_key(first)), "to": ids.get(_key(second))}
        case "scroll":
            yield {"op": "scroll", "dy": int(rest)}
        case "open":
            yield {"op": "open", "target": rest}
        case "wait":
            yield {"op": "wait", "seconds": 0}


_KEYS = {"\n": "enter", "\t": "tab", " ": "space"}
_CLICKS: dict[str, OpData] = {
    "": {}, "double": {"count": 2}, "triple": {"count": 3}, "right": {"button": "right"}, "middle": {"button": "middle"},
}  # fmt: skip


def _click(rest: str) -> OpData:
    place, _, kind = rest.partition(" ")
    return {"op": "click", **_spot(place), **_CLICKS[kind]}


def _spot(place: str) -> OpData:
    x, y = map(int, place.split(","))
    return {"x": x, "y": y}


def _controls(text: str) -> str:
    return text.replace("<enter>", "\n").replace("<tab>", "\t")


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


def _key(name: str) -> str:
    """Letters and digits alone, in their plain form."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name))).casefold()
