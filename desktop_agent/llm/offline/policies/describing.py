"""A search that is described in words for several fields: "blue shoes by Nike in size 42"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.llm.offline.boxes import is_editable
from desktop_agent.llm.offline.intents import Fill, Intent, Phrase, Search, Submit
from desktop_agent.llm.offline.moves import Instead, Move
from desktop_agent.llm.offline.places import reading_order
from desktop_agent.llm.offline.policies import searching
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

_LINKS = frozenset(
    ("by", "from", "in", "of", "on", "at", "with", "for", "the", "a", "an", "to", "between", "and", "called",
     "named", "made", "published", "written", "released", "whose", "is", "that", "which", "are", "titled", ":")
)  # fmt: skip
_STEM = 4
_CLOSE = 16
"""Pixels from a box to the text below it."""
_ALIKE = (
    ("year", "date", "rele", "publ"), ("auth", "writ"), ("made", "manu", "brand", "maker"), ("cost", "price", "cheap"),
    ("city", "town", "place", "locat"), ("kind", "type", "genre", "categ"),
)  # fmt: skip
"""Beginnings of words that label the same thing."""


def search(intent: Search, scene: Scene) -> Move:
    """Spread a description over the fields it names; else search with the words as they are."""
    if not scene.active_turns:
        fills = _spread(intent.whole or intent.text, scene)
        if fills:
            return Instead((*fills, Submit()), "I fill in what to search for.")
    return searching.search(intent, scene)


def _spread(text: str, scene: Scene) -> list[Intent]:
    """A filling for every field on the page, when each gets words of its own; none otherwise."""
    page = scene.sight.document
    boxes = [e for e in scene.sight.editable if page is not None and scene.sight.is_inside(e, page)]
    boxes = reading_order(boxes)
    labels = [e.name or next(iter(scene.sight.labels(e)), "") for e in boxes]
    under = [_under(e, scene) for e in boxes]
    below = not all(labels) and all(under)  # then what stands above a box belongs to the one before
    labels = under if below else labels
    if len(boxes) < 2 or not all(labels) or not all(map(is_editable, boxes)):
        return []
    words = re.findall(r"[^\s,;.]+", text)
    values = _values(words, labels)
    if not all(values):
        return []
    return [Fill(_named_box(n, labels[n], below=below), value) for n, value in enumerate(values)]


def _named_box(at: int, label: str, *, below: bool) -> Phrase:
    if below:
        return Phrase("", "field", at + 1, spoken=f"field {at + 1}")
    return Phrase(label, "field", quoted=True, spoken=label)


def _under(box: Element, scene: Scene) -> str:
    """The text right below a box, "" when there is none."""
    texts = [
        e
        for e in scene.sight.on_page(scene.sight.front)
        if e.name
        and e.role in ("static", "label", "paragraph", "heading")
        and 0 <= e.bounds.y - box.bounds.bottom + 4 <= _CLOSE
        and min(e.bounds.right, box.bounds.right) > max(e.bounds.x, box.bounds.x)
    ]
    return min(texts, key=lambda e: e.bounds.y).name if texts else ""


def _values(words: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Words for each field: those after a word of its label; what comes before any is for the one left."""
    found: list[list[str]] = [[] for _ in labels]
    rest: list[str] = []
    told: set[int] = set()
    at: int | None = None
    for word in words:
        named = _named(word, labels)
        if named is not None:
            at = named
            told.add(named)
        elif word.lower() in _LINKS:
            continue
        elif at is None:
            rest.append(word)
        else:
            found[at].append(word)
    return _with_rest(found, rest, told)


def _with_rest(found: list[list[str]], rest: list[str], told: set[int]) -> list[str]:
    """What comes before any label's word is for the field that is left, without the noun it describes."""
    empty = [n for n, each in enumerate(found) if not each]
    if len(empty) == 1 and rest:
        found[empty[0]] = rest if empty[0] in told or len(rest) == 1 else rest[:-1]
    return [" ".join(each) for each in found]


def _named(word: str, labels: Sequence[str]) -> int | None:
    """The field whose label has a word of the same stem ("directed", Director)."""
    if len(word) < _STEM:
        return None
    stem = word.lower()[: max(_STEM, len(word) - 3)]
    for stems in ((stem,), next((others for others in _ALIKE if stem in others), ())):
        for n, label in enumerate(labels):
            if any(each.startswith(stems) for each in re.findall(r"\w+", label.lower()) if stems):
                return n
    return None
