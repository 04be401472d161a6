"""Looking things up on a page: a cell by its row and column, and the text that belongs to a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from desktop_agent.extras.offline.llm.offline.cards import card, content, named
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

_CELLS = frozenset(
    (
        "table cell",
        "cell",
        "data item",
        "table column header",
        "column header",
        "table row header",
        "row header",
    )
)
_TEXTS = frozenset(
    (
        "label",
        "static",
        "paragraph",
        "text",
        "section",
        "static text",
        "list item",
        "link",
        "description list detail",
    )
)
_THE = re.compile(r"^(?:the|a|an|its|their|my)\s+", re.I)
_LINKS = (
    r"\s+of\s+(?:the\s+)?",
    r"\s+for\s+(?:the\s+)?",
    r"\s+on\s+(?:the\s+)?",
    r"\s+in\s+(?:the\s+)?",
    r"\s+at\s+(?:the\s+)?",
)
_PRICE = re.compile(r"[$€£¥]\s*\d|\d\s*(?:[$€£¥]|(?:eur|usd|gbp|kr)\b)", re.I)
_SURE = 70.0
_REACH = 60  # pixels from a heading down to what belongs to it


def looked_up(words: str, scene: Scene) -> str:
    """What a page says about "the price of the kettle" or "the address"; "" when it cannot be told for sure."""
    cells = [e for e in scene.sight.front if e.role in _CELLS and text_of(e, scene)]
    for column, row in _readings(words):
        found = _cell(column, row, cells, scene)
        if found:
            return found
    return _under_heading(_THE.sub("", words), scene)


def price_of(words: str, scene: Scene) -> str:
    """What "the price of the red shirt" is on the shirt's own card; "" when there is no such card, or not one price."""
    asked = re.fullmatch(
        r"(?:the\s+)?(?:price|cost)\s+of\s+(?:the\s+|an?\s+)?(?P<thing>.+)", words.strip(), re.I
    )
    things = content(scene.sight)
    priced = [e for e in things if _PRICE.search(e.name) and e.role in _TEXTS]
    if len(priced) == 1 and re.fullmatch(
        r"(?:the\s+|total\s+|den\s+)?(?:price|cost|preis)", words.strip(), re.I
    ):
        return priced[0].name.strip()
    for owner in named(things, asked["thing"]) if asked and priced else ():
        mine = [owner] if owner in priced else card(owner, priced, things)
        if len(mine) == 1:
            return mine[0].name.strip()
    return ""


def said_about(words: str, scene: Scene) -> str:
    """The one text or line of a table in sight that speaks of most of what was asked about; "" where none clearly does."""
    asked = {_stem(each) for each in re.findall(r"[^\W_]{3,}", words.lower())} - _ASKING
    if not asked:
        return ""
    fact = re.match(r"(?:the\s+)?(\w+)\s+of\s", words, re.I)
    told = [
        each
        for each in dict.fromkeys([*_sentences(scene), *_rows(scene)])
        if not fact or _tells(fact[1], each)
    ]
    scored = [
        (len(asked & {_stem(each) for each in re.findall(r"[^\W_]{3,}", text.lower())}), text)
        for text in told
    ]
    best = max((points for points, _ in scored), default=0)
    found = [text for points, text in scored if points == best]
    return found[0] if best and 2 * best >= len(asked) and len(found) == 1 else ""


def _tells(fact: str, text: str) -> bool:
    """Does a text tell of a fact: name it, or hold a price where one was asked for?"""
    if fact.lower() in ("price", "cost"):
        return _PRICE.search(text) is not None
    return _stem(fact.lower()) in {_stem(each) for each in re.findall(r"[^\W_]{3,}", text.lower())}


_ASKING = frozenset(
    ("what", "when", "until", "which", "where", "how", "there", "the", "and", "for", "are", "can", "does", "have",
     "much", "many", "long", "time", "you", "that", "this", "with", "wann", "bis", "was", "wie", "viel", "welche",
     "gibt", "der", "die", "das", "den", "dem", "ist", "und", "für", "von", "mit", "ein", "eine", "kann", "uhr")
)  # fmt: skip


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 4 and word[-1] in "sn" else word


def _sentences(scene: Scene) -> Iterator[str]:
    """The sentences and lines of the texts in front."""
    for each in scene.sight.front:
        if each.role in _TEXTS | {"heading", "alert"}:
            yield from (
                s.strip() for s in re.split(r"(?<=[.!?])\s+|\n", each.value or each.name) if s.strip()
            )


def _rows(scene: Scene) -> Iterator[str]:
    """The lines of the tables in front."""
    lines: dict[int, list[Element]] = {}
    for each in scene.sight.front:
        if each.role in ("table cell", "cell", "data item") and text_of(each, scene):
            lines.setdefault(each.bounds.y, []).append(each)
    for line in lines.values():
        yield " · ".join(text_of(each, scene) for each in sorted(line, key=lambda e: e.bounds.x))


def _readings(words: str) -> Iterator[tuple[str, str]]:
    """Column and row in each way they can be said: "price of the kettle", "the kettle's price", "kettle price"."""
    bare = _THE.sub("", words.strip())
    for link in _LINKS:
        parts = re.split(link, bare, maxsplit=1, flags=re.I)
        if len(parts) == 2:
            yield parts[0], parts[1]
    owned = re.fullmatch(r"(?P<row>.+?)['’]s?\s+(?P<column>.+)", bare)
    if owned:
        yield owned["column"], owned["row"]
    row, _, column = bare.rpartition(" ")
    if row:
        yield column, row


def _cell(column: str, row: str, cells: Sequence[Element], scene: Scene) -> str:
    """The text where a column and a row meet, when each is one."""
    heads = _best(column, cells, scene)
    lines = _best(row, cells, scene)
    if len(heads) != 1 or not lines:
        return ""
    head = heads[0]
    if len({line.bounds.y for line in lines}) != 1:
        return ""
    line = lines[0]
    meeting = [
        e
        for e in cells
        if e.bounds.x < head.bounds.center.x < e.bounds.right and e.bounds.y < line.bounds.center.y < e.bounds.bottom
        and e.id not in (head.id, line.id)
    ]  # fmt: skip
    return text_of(meeting[0], scene) if len(meeting) == 1 and head.bounds.y < line.bounds.y else ""


def _best(words: str, cells: Sequence[Element], scene: Scene) -> list[Element]:
    """The cells that fit the words best, if they fit well."""
    singular = re.sub(r"(?<=\w{3})s$", "", words)
    scored = [
        (max(likeness(words, text_of(e, scene)), likeness(singular, text_of(e, scene))), e) for e in cells
    ]
    best = max((points for points, _ in scored), default=0.0)
    return [e for points, e in scored if points >= max(_SURE, best - 0.5)]


def text_of(element: Element, scene: Scene) -> str:
    """What a cell says: its own name or value, else the words in it."""
    own = element.name or element.value
    return own or " ".join(e.name for e in scene.sight.children(element) if e.name)


def _under_heading(words: str, scene: Scene) -> str:
    """The first text below a heading (or right of a term) of that name."""
    heads = [
        e
        for e in scene.sight.front
        if e.role in ("heading", "term", "description list term") and likeness(words, e.name) >= _SURE
    ]
    if len(heads) != 1:
        return ""
    head = heads[0].bounds
    below = [
        e for e in scene.sight.front
        if e.role in _TEXTS and e.name and e.name != heads[0].name and 0 <= e.bounds.y - head.bottom + 4 <= _REACH and e.bounds.x < head.right
    ]  # fmt: skip
    nearest = min(below, key=lambda e: (e.bounds.y, -len(e.name)), default=None)
    return nearest.name.strip() if nearest is not None else ""
