"""Tells each look in the conversation: whole (a keyframe), or only what changed since the one before.

What a look shows is *passing*: once a later keyframe shows all of it again, it is taken out of the conversation.
That is done seldom and for many looks at once, because whatever is taken out makes the provider read everything
behind that place anew instead of from its cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_agent.llm.base import Support
from desktop_agent.llm.transport.picture import Pictures, part_of
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.vision.elements.describe import BUDGET, SINCE, describe_observation
from desktop_agent.vision.observation import Observation

SHORT_RUN = 10
"""So many looks are kept whatever they take: a gap in the cache pays back in about as many calls."""
WHOLE_AGAIN = 6
"""So many where the whole picture is due: it is sent anyway."""
PASSING_TOKENS = 2_400
"""About so many tokens of looks are kept until a keyframe takes their place.

Measured with `./bench tokens` and `cache`: 3,200 are 9 % more tokens with a fifth more bytes of pictures, billed 4 % more,
though 91 % instead of 90 % of a prompt are unchanged.
"""
MOST_PICTURES = 40
"""So many pictures at most are kept: providers take no more than 100 in a request, and small ones cost few tokens."""
PART = 0.5
"""A change is shown as a part of the picture where it covers at most this share of it: a larger one is soon paid back by
a keyframe."""
_MARGIN = 24
_LEAST = 64
"""Pixels of the picture around a change, and of the edge of the smallest part: a model reads no scraps."""
_PIXELS_A_TOKEN = 750
_LETTERS_A_TOKEN = 4
_SHARE = 0.2
"""Of the model's window that the words of one look may take; the system prompt, what was said and the answer need the rest."""


WORTH = 0.75
"""The changes are told where they take at most this share of the whole description."""
_QUOTE = "| "


@dataclass(frozen=True)
class ToldLook:
    """A look as it is told. `keyframe`: nothing of earlier looks is needed any more.

    `words` describe it (the changes alone where it is no keyframe and `whole_words` is false), `pictures` show
    it: none where nothing changed, one that is whole, or the parts that changed with their place in the whole.
    """

    keyframe: bool
    words: str
    whole_words: bool
    pictures: tuple[tuple[PictureBlock, Rect | None], ...]


class Keyframes:
    """Decides for the looks of one run what of each is told."""

    def __init__(self) -> None:
        self._pictures = Pictures()
        self._last: tuple[Observation, str] | None = None
        self._looks = 0
        self._tokens = 0
        self._pictures_told = 0

    def forget(self) -> None:
        """Begin anew: the next look is a keyframe."""
        self._last = None

    def count(self, words: str) -> None:
        """Count words that are told with a look beside what describes it."""
        self._tokens += len(words) // _LETTERS_A_TOKEN

    def tell(
        self, observation: Observation, support: Support, beside: Sequence[PictureBlock] = ()
    ) -> ToldLook:
        """The look, compared with the one that was told last; `beside` are the pictures that operations showed since."""
        self._pictures_told += len(beside)
        self._tokens += sum(map(_tokens_of_picture, beside))
        words = describe_observation(observation, words_budget(support), sees=support.images)
        told = self._changes(observation, words, support)
        if told is None or self._due(told):
            told = self._whole(observation, words, support)
        self._looks = 1 if told.keyframe else self._looks + 1
        self._pictures_told = len(told.pictures) + (0 if told.keyframe else self._pictures_told)
        self._tokens = tokens_of(told) + (0 if told.keyframe else self._tokens)
        self._last = (observation, words)
        return told

    def _due(self, told: ToldLook) -> bool:
        """Does another keyframe pay? So it does where the whole picture is due anyway, or much has been told since the last."""
        whole_picture = any(part is None for _, part in told.pictures)
        much = self._tokens + tokens_of(told) > PASSING_TOKENS
        many = self._pictures_told + len(told.pictures) > MOST_PICTURES
        return many or (self._looks >= SHORT_RUN and much) or (self._looks >= WHOLE_AGAIN and whole_picture)

    def _whole(self, observation: Observation, words: str, support: Support) -> ToldLook:
        return ToldLook(True, words, True, self._picture(observation, support))

    def _picture(
        self, observation: Observation, support: Support
    ) -> tuple[tuple[PictureBlock, Rect | None], ...]:
        return ((self._pictures.of(observation, support), None),) if support.images else ()

    def _changes(self, observation: Observation, words: str, support: Support) -> ToldLook | None:
        """What differs from the last look; None where it shows another region or was scaled otherwise."""
        if self._last is None or self._last[0].viewport != observation.viewport:
            return None
        before, old_words = self._last
        pictures = self._new_pictures(before, observation, support)
        changes = describe_changes(old_words, words)
        if changes is None:
            return ToldLook(False, words, True, pictures)
        in_parts = support.images and all(part is not None for _, part in pictures)
        if observation.changed and (observation.moving or not in_parts):
            changes = "\n".join(filter(None, (f"{SINCE}{observation.changed}", changes)))
        return ToldLook(False, changes, False, pictures)

    def _new_pictures(
        self, before: Observation, now: Observation, support: Support
    ) -> tuple[tuple[PictureBlock, Rect | None], ...]:
        if not support.images or before.frame.digest == now.frame.digest:
            return ()
        parts = () if support.whole_pictures or support.marks else changed_parts(before, now)
        if not parts:
            return self._picture(now, support)
        return tuple((part_of(now.frame, now.viewport, part, support), part) for part in parts)


def changed_parts(before: Observation, now: Observation) -> tuple[Rect, ...]:
    """Where two looks with one viewport differ, in pixels of the picture; () where too much does for parts."""
    from desktop_agent.vision.capture.frame import changed_areas  # loads numpy

    areas, _ = changed_areas(before.frame, now.frame)
    picture = Rect(0, 0, now.viewport.image.width, now.viewport.image.height)
    places = [_readable(now.viewport.rect_to_image(area), picture) for area in areas]
    parts = _joined([each for each in places if not each.empty])
    return tuple(parts) if sum(part.area for part in parts) <= PART * picture.area else ()


def _readable(area: Rect, picture: Rect) -> Rect:
    """The area with something around it, of a size that can be read."""
    grown = area.grown(max(_MARGIN, (_LEAST - area.width) // 2), max(_MARGIN, (_LEAST - area.height) // 2))
    return grown.intersection(picture)


def _joined(areas: Sequence[Rect]) -> list[Rect]:
    """The areas, those that touch made one, and all made one where that shows little more."""
    parts: list[Rect] = []
    for area in areas:
        near = [each for each in parts if not each.intersection(area).empty]
        parts = [each for each in parts if each not in near]
        parts.append(bounding_box([area, *near]))
    if not parts:
        return []
    around = bounding_box(parts)
    return [around] if around.area <= 1.5 * sum(part.area for part in parts) else parts


def words_budget(support: Support) -> int:
    """The most characters a look is described with: fewer where the model's window is small."""
    if not support.context_tokens:
        return BUDGET
    return min(BUDGET, int(_SHARE * support.context_tokens) * _LETTERS_A_TOKEN)


def tokens_of(told: ToldLook) -> int:
    """About how many tokens a told look takes (a picture one for 750 pixels, as Anthropic's documentation says)."""
    pictures = sum(_tokens_of_picture(each) for each, _ in told.pictures)
    return pictures + len(told.words) // _LETTERS_A_TOKEN


def _tokens_of_picture(picture: PictureBlock) -> int:
    return picture.size.width * picture.size.height // _PIXELS_A_TOKEN


def describe_changes(before: str, now: str) -> str | None:
    """What is new, different or gone in `now`, in its own lines; None where the whole is hardly longer.

    Both are descriptions as `describe_observation` writes them. A heading is told where something under it is;
    a quoted section is told whole; the line of what changed in the picture is left to whoever shows that.
    """
    old_lines, old_sections = set(before.splitlines()), set(_sections(before))
    told: list[str] = []
    for heading, lines in _sections(now):
        quoted = any(line.startswith(_QUOTE) for line in lines)
        new = lines if quoted else tuple(line for line in lines if _is_new(line, old_lines))
        if new and (heading, lines) not in old_sections:
            told += [heading, *new] if heading else new
    present = {_id(line) for line in now.splitlines()}
    gone = [name for line in before.splitlines() if (name := _id(line)) and name not in present]
    if gone:
        told.append(f"Gone: {' '.join(gone)}")
    changes = "\n".join(told)
    return changes if len(changes) <= WORTH * len(now) else None


def _is_new(line: str, old_lines: set[str]) -> bool:
    return bool(line) and line not in old_lines and not line.startswith(SINCE)


def _sections(description: str) -> list[tuple[str, tuple[str, ...]]]:
    """The description cut at its headings: each with the lines under it; what comes first has no heading."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in description.splitlines():
        if line.endswith(":") and not line.startswith(_QUOTE):
            found.append((line, []))
        else:
            found[-1][1].append(line)
    return [(heading, tuple(lines)) for heading, lines in found]


def _id(line: str) -> str:
    """The id of the element that a line tells of; "" for other lines."""
    word = line.partition(" ")[0]
    return word if word[:1] == "e" and word[1:].isdigit() else ""
