"""Form controls of a graphical screen from its picture alone, for screens whose accessibility tree cannot be asked.

A machine seen through a camera, or one behind a VNC server, has no tree. What is taken for a control stands in
`Element`s as the tree's do, with `source` "ocr": what is read and seen may be wrong.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import optional_package
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.elements.reader import StableIds, in_rows
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr.background import ReadWords

if TYPE_CHECKING:
    from desktop_agent.extras.camera.picture_controls.box_look import BoxLook
    from desktop_agent.extras.camera.picture_controls.form_shapes import FormShapes
    from desktop_agent.extras.camera.picture_controls.picture_lines import Pixels

_SHOWING = frozenset(("showing", "enabled"))
_TAKES_TEXT = _SHOWING | {"editable", "focusable"}
_PRESSES = _SHOWING | {"focusable"}
_PASSWORD = re.compile(r"pass ?w(?:or[dt]|ort)|kennwort|passphrase|\bpin\b", re.I)
_ARROW = re.compile(r"\s+(?:[vVY~⌄▾▼↓]|\\/|[»«]|w|\W)$")
_BESIDE, _ABOVE, _AFTER = 330, 40, 44
"""Pixels from a field to its label on its left, and above it; from a small mark to its words."""
_KEPT = 1000
"""Pieces of text that are remembered."""
_SAME = 0.4
"""Share of a place that two looks have in common at least, for the same thing in it."""


class TextLine(msgspec.Struct, frozen=True):
    """A piece of read text and where it stands, in the frame's pixels."""

    text: str
    bounds: Rect


class PictureControls:
    """Reads a screen's controls from picture to picture; the same thing keeps its id. Raises ConfigError without OpenCV."""

    def __init__(self, read_words: ReadWords) -> None:
        optional_package.require("cv2", "seeing controls in pictures", "camera")
        self._read_words = read_words
        self._ids = StableIds()
        self._last: tuple[Element, ...] = ()
        self._given = 0
        self._texts: _Texts | None = None
        self._boxes: tuple[Rect, ...] = ()

    def __call__(self, frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
        """The controls and texts on a frame in reading order, with screen bounds. Raises Stopped."""
        from desktop_agent.extras.camera.picture_controls.form_shapes import shapes_in

        if self._texts is None:
            self._texts = _Texts(self._read_words)
        shapes = shapes_in(frame, self._boxes)
        self._boxes = shapes.boxes
        stop.check()
        found = self._known_again(_controls(frame, self._texts.read(frame, shapes, stop), shapes))
        self._last = found
        return self._ids.assign(found)

    def _known_again(self, found: Sequence[Element]) -> tuple[Element, ...]:
        """The elements with the key that the same ones had in the look before: same place, or same name and role."""
        left = list(self._last)
        known = []
        for each in found:
            same = next((e for e in left if e.role == each.role and _alike(e.bounds, each.bounds)), None)
            same = same or next((e for e in left if e.role == each.role and e.name == each.name), None)
            if same is None:
                self._given += 1
            else:
                left.remove(same)
            known.append(msgspec.structs.replace(each, id=same.id if same else f"seen {self._given}"))
        return tuple(known)


class _Texts:
    """Reads a picture's texts, each piece by itself. Keeps what it has read: what is seen again, anywhere, is not read again."""

    def __init__(self, read_words: ReadWords) -> None:
        from desktop_agent.extras.camera.picture_controls import legible_frame

        self._frames = legible_frame
        self._read_words = read_words
        self._denoised = legible_frame.Denoiser()
        self._known: OrderedDict[str, tuple[TextLine, ...]] = OrderedDict()

    def read(self, frame: Frame, shapes: FormShapes, stop: StopFlag) -> tuple[Element, ...]:
        """The lines of text with screen bounds. Raises Stopped."""
        clean = self._denoised(shapes.picture, shapes.noise)
        pieces = self._frames.pieces_of_text(shapes, clean)
        for box in shapes.boxes:
            inside = self._frames.text_in(shapes, clean, box)
            if inside is not None:
                pieces.append(inside)
        written = [(bounds, each, _content(each)) for bounds, each in pieces]
        self._read_new({content: each for _, each, content in written if content not in self._known}, stop)
        x, y = frame.region.x, frame.region.y
        found = [
            Element("", "static", line.text, line.bounds.moved(x, y), source="ocr")
            for bounds, each, content in written
            for line in self._placed(content, bounds, each.shape[1] / max(1, bounds.width))
        ]
        while len(self._known) > max(_KEPT, len(written)):
            self._known.popitem(last=False)
        return tuple(found)

    def _placed(self, content: str, bounds: Rect, times: float) -> Iterator[TextLine]:
        self._known.move_to_end(content)
        for line in self._known[content]:
            x, y, width, height = (
                round(side / times)
                for side in (line.bounds.x, line.bounds.y, line.bounds.width, line.bounds.height)
            )
            yield TextLine(line.text, Rect(bounds.x + x, bounds.y + y, max(1, width), max(1, height)))

    def _read_new(self, strips: dict[str, Pixels], stop: StopFlag) -> None:
        if not strips:
            return
        self._read_sheet(strips, stop)
        single = {
            c: tiled
            for c, each in strips.items()
            if not self._known[c] and (tiled := self._frames.thrice(each))
        }
        if single:
            self._read_singles(single, stop)

    def _read_singles(self, strips: dict[str, tuple[Rect, Pixels]], stop: StopFlag) -> None:
        """A digit by itself is not recognised, three of them side by side are."""
        paper, places = self._frames.sheet([each for _, each in strips.values()])
        words = self._read_words(paper, stop)
        for (content, (ink, _)), place in zip(strips.items(), places, strict=True):
            said = "".join(
                each.name
                for each in sorted(words, key=lambda e: e.bounds.x)
                if place.contains(each.bounds.center)
            ).replace(" ", "")
            third = len(said) // 3
            if third and said == said[:third] * 3:
                self._known[content] = (TextLine(said[:third], ink),)

    def _read_sheet(self, strips: dict[str, Pixels], stop: StopFlag) -> None:
        paper, places = self._frames.sheet(list(strips.values()))
        words = self._read_words(paper, stop)
        for content, place in zip(strips, places, strict=True):
            own = [each for each in words if place.contains(each.bounds.center)]
            self._known[content] = tuple(
                TextLine(each.name, each.bounds.moved(-place.x, -place.y)) for each in own
            )


def _content(strip: Pixels) -> str:
    return f"{strip.shape} {hashlib.blake2b(strip.tobytes(), digest_size=16).hexdigest()}"


def _alike(one: Rect, other: Rect) -> bool:
    common = one.intersection(other).area if not one.intersection(other).empty else 0
    return common > _SAME * max(one.area, other.area)


def controls_in(frame: Frame, words: Sequence[Element]) -> tuple[Element, ...]:
    """The controls and texts on a frame in reading order, from the words that were read on it, with screen bounds.

    Raises ConfigError without OpenCV.
    """
    optional_package.require("cv2", "seeing controls in pictures", "camera")
    from desktop_agent.extras.camera.picture_controls.form_shapes import shapes_in

    return _controls(frame, words, shapes_in(frame))


def _controls(frame: Frame, words: Sequence[Element], shapes: FormShapes) -> tuple[Element, ...]:
    x, y = frame.region.x, frame.region.y
    lines = [TextLine(each.name, each.bounds.moved(-x, -y)) for each in words]
    found = _Reading(shapes, _split(lines, shapes)).elements()
    ordered = in_rows((each.bounds, each) for each in found)
    return tuple(
        msgspec.structs.replace(each, id=f"p{number}", bounds=each.bounds.moved(x, y))
        for number, each in enumerate(ordered, 1)
    )


class _Reading:
    """Shapes and lines of text of one picture, put together."""

    def __init__(self, shapes: FormShapes, lines: list[TextLine]) -> None:
        from desktop_agent.extras.camera.picture_controls import box_look

        self._shapes, self._look = shapes, box_look
        self._lines = lines
        self._used: set[int] = set()

    def elements(self) -> list[Element]:
        """Every control, and what is left of the text."""
        marks = self._marks()
        looks = {box: self._look.look_at(self._shapes, box, self._within(box)) for box in self._shapes.boxes}
        buttons = {box: self._button(look) for box, look in looks.items() if look.is_button}
        lists = {box: self._opened_from(box) for box in looks if box not in buttons}
        listed = [each for box, opened in lists.items() if opened for each in self._items(box)]
        fields = [box for box in looks if box not in buttons and looks[box].is_field and not lists.get(box)]
        inside = {i for box in (*fields, *buttons) for i in self._numbers(box)}
        controls = [self._field(looks[box], inside) for box in fields]
        found = [*marks, *buttons.values(), *listed, *(each for each in controls if each)]
        return [*_with_focus(found, looks), *self._texts()]

    def _opened_from(self, box: Rect) -> bool:
        """Is it a list that hangs below or above a box of one line as wide as itself, and holds a few lines of text?"""
        if box.height < 40 or len(self._within(box)) < 2:
            return False
        return any(
            each.height < box.height
            and each.height <= 46
            and abs(each.x - box.x) <= 8
            and abs(each.right - box.right) <= 8
            and min(abs(each.bottom - box.y), abs(box.bottom - each.y)) <= 6
            for each in self._shapes.boxes
        )

    def _items(self, box: Rect) -> list[Element]:
        own = self._numbers(box)
        self._used.update(own)
        return [
            Element("", "list item", self._lines[i].text,
                    Rect(box.x, self._lines[i].bounds.y - 2, box.width, self._lines[i].bounds.height + 4),
                    states=_PRESSES, source="ocr")
            for i in own
        ]  # fmt: skip

    def _numbers(self, box: Rect) -> list[int]:
        return [i for i, line in enumerate(self._lines) if box.contains(line.bounds.center)]

    def _within(self, box: Rect) -> list[TextLine]:
        return [self._lines[i] for i in self._numbers(box)]

    def _marks(self) -> list[Element]:
        """Check boxes, radio buttons and switches with the words after them, else those before them."""
        found = []
        for mark in self._shapes.marks:
            at = self._after(mark.bounds)
            alone = not any(
                each is not mark and _same_row(each.bounds, mark.bounds) for each in self._shapes.marks
            )
            if at is None and alone and not mark.round:  # in a row of several the words before are another's
                at = self._label_beside(mark.bounds, set())
            if at is None:
                continue
            role = "radio button" if mark.round else "check box"
            states = _PRESSES | ({"checked"} if mark.on else frozenset())
            name = self._rest_of(at)
            found.append(Element("", role, name, mark.bounds, states=states, source="ocr"))
        return found

    def _rest_of(self, at: int) -> str:
        """A line with those that go on in the same row right after it (a link in the sentence)."""
        self._used.add(at)
        line = self._lines[at]
        names, right = [line.text], line.bounds.right
        for i, other in sorted(enumerate(self._lines), key=lambda each: each[1].bounds.x):
            gap = other.bounds.x - right
            free = not any(
                right - 2 <= mark.bounds.x <= other.bounds.x and _same_row(mark.bounds, other.bounds)
                for mark in self._shapes.marks
            )
            if i not in self._used and _same_row(line.bounds, other.bounds) and 0 <= gap < 14 and free:
                if any(
                    _same_row(box, other.bounds) and box.contains(other.bounds.center)
                    for box in self._shapes.boxes
                ):
                    continue
                names.append(other.text)
                right = other.bounds.right
        return " ".join(names)

    def _after(self, mark: Rect) -> int | None:
        near = [
            (line.bounds.x - mark.right, i)
            for i, line in enumerate(self._lines)
            if i not in self._used
            and -6 <= line.bounds.x - mark.right <= _AFTER
            and _same_row(mark, line.bounds)
        ]
        return min(near)[1] if near else None

    def _label_beside(self, box: Rect, inside: set[int], within: int = 44) -> int | None:
        """The nearest line on the left in the same row, with no other control between; of a high box so many pixels count."""
        near = [
            (box.x - line.bounds.right, i)
            for i, line in enumerate(self._lines)
            if i not in inside
            and i not in self._used
            and -4 <= box.x - line.bounds.right <= _BESIDE
            and _same_row(line.bounds, Rect(box.x, box.y, box.width, min(box.height, within)))
        ]
        for gap, i in sorted(near):
            between = Rect(self._lines[i].bounds.right, box.y + 2, max(1, gap), 8)
            if not any(
                other != box
                and not between.intersection(other).empty
                and not other.contains(self._lines[i].bounds.center)
                for other in (*self._shapes.boxes, *(mark.bounds for mark in self._shapes.marks))
            ):
                return i
            return None
        return None

    def _label_above(self, box: Rect, inside: set[int]) -> int | None:
        near = [
            (box.y - line.bounds.bottom, abs(line.bounds.x - box.x), i)
            for i, line in enumerate(self._lines)
            if i not in inside
            and i not in self._used
            and -5 <= box.y - line.bounds.bottom <= _ABOVE
            and line.bounds.x < box.right
            and abs(line.bounds.x - box.x) <= 30
        ]
        return min(near)[2] if near else None

    def _button(self, look: BoxLook) -> Element:
        own = self._numbers(look.bounds)
        name = " ".join(self._lines[i].text for i in own)
        self._used.update(own)
        return Element("", "push button", name, look.bounds, states=_PRESSES, source="ocr")

    def _field(self, look: BoxLook, inside: set[int]) -> Element | None:
        box = look.bounds
        label = self._label_beside(box, inside)
        if label is None and look.tall:
            label = self._label_beside(box, inside, box.height)
        above = self._label_above(box, inside)
        if label is None or (
            above is not None
            and box.x - self._lines[label].bounds.right > 60
            and _touching(self._lines[above].bounds, box)
        ):
            label = above if above is not None else label
        own = self._numbers(box)
        if label is None and not look.plain:
            return None
        name = self._lines[label].text.rstrip(" :*") if label is not None else ""
        self._used.update(own)
        if label is not None:
            self._used.add(label)
        value = "\n".join(self._lines[i].text for i in own)
        if look.arrow:
            value = _ARROW.sub("", value)
            return Element(
                "",
                "combo box",
                name,
                box,
                value if len(value) > 1 else "",
                _PRESSES | {"expandable"},
                source="ocr",
            )
        states = _TAKES_TEXT | ({"multiline"} if look.tall else frozenset())
        if look.dots or _PASSWORD.search(name):
            return Element("", "password text", name, box, "", states | {"password"}, source="ocr")
        return Element("", "entry", name, box, value, states, source="ocr")

    def _texts(self) -> list[Element]:
        """The lines that are part of no control; a label that was used for one stays a text of its own."""
        inside = {i for box in self._shapes.boxes for i in self._numbers(box)} & self._used
        marked = {i for i in self._used if self._beside_mark(self._lines[i].bounds)}
        return [
            Element("", "link" if self._look.is_link(self._shapes, line.bounds) else "static",
                    line.text, line.bounds, states=_SHOWING, source="ocr")
            for i, line in enumerate(self._lines)
            if i not in inside | marked
        ]  # fmt: skip

    def _beside_mark(self, line: Rect) -> bool:
        return any(
            _same_row(mark.bounds, line) and -6 <= line.x - mark.bounds.right <= _AFTER
            for mark in self._shapes.marks
        )


def _touching(label: Rect, box: Rect) -> bool:
    return box.y - label.bottom <= 14 and abs(label.x - box.x) <= 8


def _with_focus(found: Sequence[Element], looks: dict[Rect, BoxLook]) -> list[Element]:
    """The elements, with "focused" at the one whose border stands out from those of all others of its role."""
    fields = [
        each
        for each in found
        if each.bounds in looks and each.role in ("entry", "password text", "combo box")
    ]
    strengths = {each.bounds: looks[each.bounds].border for each in fields}
    if len(fields) < 2:
        return list(found)
    ordered = sorted(strengths.values())
    usual = ordered[(len(ordered) - 1) // 2]
    outstanding = [box for box, border in strengths.items() if border > 1.5 * usual + 25]
    if len(outstanding) != 1:
        return list(found)
    return [
        msgspec.structs.replace(each, states=each.states | {"focused"})
        if each.bounds == outstanding[0]
        else each
        for each in found
    ]


def _same_row(one: Rect, other: Rect) -> bool:
    common = min(one.bottom, other.bottom) - max(one.y, other.y)
    return common > 0.5 * min(one.height, other.height)


def _split(lines: Sequence[TextLine], shapes: FormShapes) -> list[TextLine]:
    """The lines cut where the side of a box, or a mark, lies between two of their words."""
    cuts = [(box, (box.x, box.right)) for box in shapes.boxes]
    cuts += [(mark.bounds, (mark.bounds.x, mark.bounds.right)) for mark in shapes.marks]
    done: list[TextLine] = []
    for line in lines:
        pieces = [line]
        for box, sides in cuts:
            for side in sides:
                pieces = [cut for piece in pieces for cut in _cut(piece, box, side)]
        done += [piece for piece in pieces if re.search(r"\w", piece.text)]
    return done


def _cut(line: TextLine, box: Rect, side: int) -> list[TextLine]:
    if not _same_row(line.bounds, box) or not line.bounds.x + 4 < side < line.bounds.right - 4:
        return [line]
    total = sum(map(_width, line.text)) or 1.0
    place = (side - line.bounds.x) / line.bounds.width * total
    blanks = [found.start() for found in re.finditer(r" ", line.text)]
    if not blanks:
        return [line]
    at = min(blanks, key=lambda each: abs(sum(map(_width, line.text[:each])) + 0.3 - place))
    if abs(sum(map(_width, line.text[:at])) - place) / total * line.bounds.width > 22:
        return [line]
    left, right = line.text[:at].strip(), line.text[at:].strip()
    bounds = line.bounds
    return [
        TextLine(left, Rect(bounds.x, bounds.y, side - bounds.x - 2, bounds.height)),
        TextLine(right, Rect(side + 2, bounds.y, bounds.right - side - 2, bounds.height)),
    ]


def _width(letter: str) -> float:
    """About how wide a letter is, of an n."""
    if letter in "ijl.,:;|!'I1":
        return 0.5
    if letter == " ":
        return 0.55
    return 1.5 if letter in "mwMW@" else 1.2 if letter.isupper() else 1.0
