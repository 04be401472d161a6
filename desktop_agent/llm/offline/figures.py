"""What is drawn: shapes, and single letters and digits, by their kind, colour and size."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_agent.llm.offline.colour_names import NAMES as COLOURS
from desktop_agent.llm.offline.colour_names import Colour, distance, family, is_shade, name_of, named
from desktop_agent.llm.offline.marks import ink
from desktop_agent.llm.offline.shapes import shapes
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element, Observation, raw_pixels

PICTURE = "picture"
"""The source of elements that only the picture shows."""

_SHAPES = frozenset(("circle", "square", "rectangle", "triangle", "polygon"))
_NOUNS: dict[str, frozenset[str]] = {
    "circle": frozenset(("circle",)), "ball": frozenset(("circle",)), "dot": frozenset(("circle",)),
    "disc": frozenset(("circle",)), "square": frozenset(("square", "rectangle")), "cube": frozenset(("square",)),
    "rectangle": frozenset(("rectangle", "square")), "box": frozenset(("rectangle", "square")),
    "block": frozenset(("rectangle", "square")), "tile": frozenset(("rectangle", "square")),
    "triangle": frozenset(("triangle",)), "polygon": _SHAPES - {"circle"}, "shape": _SHAPES, "letter": frozenset(("letter",)),
    "digit": frozenset(("digit",)), "number": frozenset(("digit",)), "character": frozenset(("letter", "digit")),
    "item": _SHAPES | {"letter", "digit"}, "figure": _SHAPES | {"letter", "digit"}, "object": _SHAPES | {"letter", "digit"},
    "thing": _SHAPES | {"letter", "digit"}, "one": _SHAPES | {"letter", "digit"},
}  # fmt: skip
_SIZES = {
    "large": 1, "big": 1, "larger": 1, "bigger": 1, "largest": 1, "biggest": 1, "huge": 1,
    "small": -1, "little": -1, "smaller": -1, "tiny": -1, "smallest": -1,
}  # fmt: skip
_SIDES = ("left", "right", "top", "bottom")
_FILLERS = frozenset(
    ("the", "a", "an", "colored", "coloured", "color", "colour", "filled", "in", "of", "shade", "shades")
)
_TEXTS = frozenset(("static", "label", "text"))
_CONTROLS = frozenset((
    "push button", "toggle button", "entry", "check box", "radio button", "combo box", "page tab", "menu item", "link",
    "list item", "slider", "spin button",
))  # fmt: skip
_HOLDS = 4
_GREY = 60
_ALIKE = 1.4
"""Sizes that differ by less than this are the same."""


@dataclass(frozen=True)
class Figure:
    """`kind` is that of a shape, or letter or digit; `text` the letter itself."""

    kind: str
    bounds: Rect
    colour: Colour
    sides: int = 0
    text: str = ""
    outline: Colour | None = None

    @property
    def words(self) -> str:
        """Like “red circle” or “blue 7”."""
        return f"{name_of(self.colour)} {self.text or self.kind}"


@dataclass(frozen=True)
class Wanted:
    """What was said of a figure: any of `kinds`, a `text`, a `colour` name (or `any_colour` but black and white), a
    `size` (1 large, -1 small); `shades` are all that belong to the colour, `side` the outermost one there."""

    kinds: frozenset[str]
    text: str = ""
    colour: str = ""
    size: int = 0
    shades: bool = False
    any_colour: bool = False
    side: str = ""


def wanted(spoken: str) -> Wanted | None:
    """What the words ask for, when all of them are about a figure."""
    kinds: frozenset[str] | None = None
    text, colour, size, side, tinted = "", "", 0, "", False
    for word in re.findall(r"[\w-]+", spoken.replace("-colored", " colored")):
        low = word.lower()
        if named(low):
            colour = named(low)
        elif low in _SIZES:
            size = _SIZES[low]
        elif low in _SIDES:
            side = low
        elif noun := _noun(low):
            kinds = noun
        elif (len(word) == 1 and word not in ("a", "A")) or (len(word) == 1 and (colour or size)):
            text = word
        elif re.fullmatch(r"\ws", word):
            text = word[0]  # "three Ms"
        elif low not in _FILLERS:
            return None
        tinted = tinted or low in ("colored", "coloured")
    shades = bool(re.search(r"\bshades?\b", spoken, re.I))
    if kinds is None and not text and not (shades and colour):
        return None
    return Wanted(kinds or _NOUNS["item"], text, colour, size, shades, tinted and not colour, side)


def _noun(word: str) -> frozenset[str] | None:
    return _NOUNS.get(word) or _NOUNS.get(word.removesuffix("s")) or _NOUNS.get(word.removesuffix("es"))


def figures(
    look: Observation, elements: Sequence[Element], area: Rect, hidden: Sequence[Rect]
) -> tuple[Figure, ...]:
    """What is drawn in an area, controls and texts apart; `hidden` is left out, too."""
    controls = [e.bounds for e in elements if e.role in _CONTROLS]
    texts = [e for e in elements if e.role in _TEXTS and e.source == "tree"]
    signs = [
        e
        for e in texts
        if len(e.name.strip()) == 1 and e.name.strip().isalnum() and not _within(e.bounds, controls)
    ]
    places = [*controls, *hidden, *(e.bounds for e in texts)]
    drawn = [
        Figure(s.kind, s.bounds, s.colour, s.sides, outline=s.outline)
        for s in shapes(raw_pixels(look), area, places)
    ]
    return tuple(drawn + [_sign(each, look) for each in signs if area.contains(each.bounds.center)])


def _within(bounds: Rect, areas: Sequence[Rect]) -> bool:
    return any(area.contains(bounds.center) for area in areas)


def _sign(element: Element, look: Observation) -> Figure:
    text = element.name.strip()
    colour = ink(look, element.bounds) or (0, 0, 0)
    return Figure("digit" if text.isdigit() else "letter", element.bounds, _full(colour), 0, text)


def _full(colour: Colour) -> Colour:
    """The colour of thin strokes as it was meant: on paper they come out paler than a whole area would."""
    least = min(colour)
    if max(colour) - least <= _GREY:
        return colour
    red, green, blue = (round((each - least) * 255 / (255 - least)) for each in colour)
    return red, green, blue


def matching(what: Wanted, drawn: Sequence[Figure]) -> list[Figure]:
    """The figures that fit what was said."""
    found = [each for each in drawn if each.kind in what.kinds and (not what.text or each.text == what.text)]
    if what.any_colour:
        found = [each for each in found if family(each.colour) not in ("black", "white", "grey")]
    if what.colour:
        found = (
            [e for e in found if is_shade(e.colour, what.colour)]
            if what.shades
            else _of_colour(what.colour, found)
        )
    found = [each for each in found if _size(each, drawn) == what.size] if what.size else found
    return [_outermost(what.side, found)] if what.side and found else found


def _outermost(side: str, found: Sequence[Figure]) -> Figure:
    places = {
        "left": lambda each: each.bounds.x, "right": lambda each: -each.bounds.right,
        "top": lambda each: each.bounds.y, "bottom": lambda each: -each.bounds.bottom,
    }  # fmt: skip
    return min(found, key=places[side])


def is_holder(figure: Figure, drawn: Sequence[Figure]) -> bool:
    """Is it a frame that others may be put into: drawn as a line, and much larger than they are?"""
    least = min(each.bounds.width * each.bounds.height for each in drawn)
    area = figure.bounds.width * figure.bounds.height
    return figure.outline is not None and family(figure.colour) == "white" and area > _HOLDS * least


def _of_colour(name: str, drawn: Sequence[Figure]) -> list[Figure]:
    """Those whose colour has that name; where none has, the ones that come nearest to it."""
    exact = [each for each in drawn if name_of(each.colour) == name]
    exact = exact or [each for each in drawn if each.outline is not None and name_of(each.outline) == name]
    near = [
        each for each in drawn if is_shade(each.colour, name) and distance(each.colour, COLOURS[name]) < 200
    ]
    return exact or near


def _size(figure: Figure, drawn: Sequence[Figure]) -> int:
    """1 for one of the large ones among its like, -1 for one of the small; letters are not compared with shapes."""
    like = [e for e in drawn if bool(e.text) == bool(figure.text)]
    sizes = [max(e.bounds.width, e.bounds.height) for e in like if e is figure or not is_holder(e, drawn)]
    if max(sizes) < _ALIKE * min(sizes):
        return 1 if max(sizes) >= (20 if figure.text else 14) else -1
    middle = (max(sizes) * min(sizes)) ** 0.5
    return 1 if max(figure.bounds.width, figure.bounds.height) >= middle else -1


def as_element(figure: Figure, window: str) -> Element:
    """The figure as a thing that can be pointed at."""
    at = figure.bounds
    return Element(
        f"drawn-{at.x}-{at.y}",
        figure.kind,
        figure.words,
        at,
        figure.text,
        frozenset(("enabled",)),
        window,
        source=PICTURE,
    )


def like(words: str, drawn: Sequence[Figure], window: str) -> list[Element]:
    """The figures that the words are about, as things that can be pointed at."""
    said = wanted(words)
    return [as_element(each, window) for each in matching(said, drawn)] if said else []
