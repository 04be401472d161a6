"""Each look is told as briefly as it can be, and what is told is enough to know the screen."""

from __future__ import annotations

import base64
import io
import random
from collections.abc import Sequence
from itertools import pairwise

import msgspec
from PIL import Image, ImageDraw

from desktop_agent.agent.context.keyframes import (
    MOST_PICTURES,
    PART,
    SHORT_RUN,
    WHOLE_AGAIN,
    Keyframes,
    ToldLook,
    describe_changes,
)
from desktop_agent.llm.base import Support
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation

SCREEN = Rect(0, 0, 1000, 600)
SUPPORT = Support(image_format="png", image_edge=500)
HALF = Size(500, 300)


def canvas(*boxes: tuple[Rect, str]) -> Image.Image:
    image = Image.new("RGBA", (SCREEN.width, SCREEN.height), "white")
    for box, colour in boxes:
        ImageDraw.Draw(image).rectangle((box.x, box.y, box.right - 1, box.bottom - 1), colour)
    return image


def look(image: Image.Image, *elements: Element, size: Size = HALF) -> Observation:
    frame = Frame(image.tobytes("raw", "BGRA"), SCREEN, 1, 0.0)
    return Observation(frame, Viewport(SCREEN, size, 1), elements, window="Window", windows=("Window",))


def button(number: int, name: str = "", x: int = 10) -> Element:
    return Element(
        f"e{number}", "push button", name or f"Button {number}", Rect(x, 10 * number, 80, 8),
        states=frozenset(("enabled",)), window="Window",
    )  # fmt: skip


def shown(looks: Sequence[ToldLook], size: Size = HALF) -> Image.Image:
    """The screen as somebody knows it who was shown these pictures in turn."""
    known = Image.new("RGB", (size.width, size.height))
    for told in looks:
        for picture, part in told.pictures:
            image = Image.open(io.BytesIO(base64.b64decode(picture.data))).convert("RGB")
            known.paste(image, (part.x, part.y) if part else (0, 0))
    return known


def test_the_first_look_is_whole_and_an_unchanged_one_shows_nothing_again() -> None:
    frames = Keyframes()
    first, second = (frames.tell(look(canvas(), button(1)), SUPPORT) for _ in range(2))
    assert first.keyframe and first.whole_words and [part for _, part in first.pictures] == [None]
    assert not second.keyframe and second.pictures == () and second.words == ""


def test_a_small_change_is_shown_as_a_part_in_its_place() -> None:
    frames = Keyframes()
    told = [frames.tell(look(canvas()), SUPPORT)]
    red = canvas((Rect(400, 200, 40, 20), "red"))
    told.append(frames.tell(look(red), SUPPORT))
    ((picture, part),) = told[1].pictures
    assert part is not None and part.area < 0.1 * HALF.width * HALF.height
    assert picture.size == part.size
    difference = [
        abs(one - other)
        for one, other in zip(
            shown(told).tobytes(), red.convert("RGB").resize((500, 300), Image.Resampling.BOX).tobytes(), strict=True
        )
    ]  # fmt: skip
    assert max(difference) <= 2


def test_two_distant_changes_are_two_parts_and_a_large_one_is_the_whole_picture() -> None:
    frames = Keyframes()
    frames.tell(look(canvas()), SUPPORT)
    corners = canvas((Rect(10, 10, 20, 20), "red"), (Rect(900, 500, 20, 20), "blue"))
    told = frames.tell(look(corners), SUPPORT)
    assert len(told.pictures) == 2 and not told.keyframe
    most = canvas((Rect(0, 0, 1000, int(600 * PART) + 60), "green"))
    told = frames.tell(look(most), SUPPORT)
    assert [part for _, part in told.pictures] == [None]


def test_whatever_changes_the_pictures_together_show_the_screen_as_it_is() -> None:
    rng = random.Random(4)  # noqa: S311
    frames, told, boxes = Keyframes(), list[ToldLook](), list[tuple[Rect, str]]()
    for _ in range(25):
        box = Rect(rng.randrange(900), rng.randrange(500), rng.randrange(1, 100), rng.randrange(1, 100))
        boxes.append((box, rng.choice(("red", "blue", "black", "white"))))
        image = canvas(*boxes)
        told.append(frames.tell(look(image, size=Size(1000, 600)), SUPPORT))
        assert shown(told, Size(1000, 600)).tobytes() == image.convert("RGB").tobytes()


def test_another_size_or_region_is_a_keyframe() -> None:
    frames = Keyframes()
    frames.tell(look(canvas()), SUPPORT)
    assert frames.tell(look(canvas(), size=Size(250, 150)), SUPPORT).keyframe
    frames.forget()
    assert frames.tell(look(canvas(), size=Size(250, 150)), SUPPORT).keyframe


def test_a_short_run_keeps_all_and_a_long_one_makes_keyframes_in_blocks() -> None:
    frames = Keyframes()
    keys = []
    for number in range(100):
        box = Rect(20 * (number % 40), 10, 390, 560)
        told = frames.tell(look(canvas((box, "red")), button(number + 1), size=SCREEN.size), SUPPORT)
        keys += [number] if told.keyframe else []
    assert keys[0] == 0 and keys[1] >= SHORT_RUN
    assert all(later - earlier >= WHOLE_AGAIN for earlier, later in pairwise(keys))
    assert len(keys) >= 3


def test_without_eyes_no_picture_is_made() -> None:
    told = Keyframes().tell(look(canvas(), button(1)), Support(images=False))
    assert told.pictures == () and "Button 1" in told.words


def test_of_the_elements_only_what_is_new_different_or_gone_is_told() -> None:
    frames = Keyframes()
    many = [button(number) for number in range(1, 21)]
    frames.tell(look(canvas(), *many), SUPPORT)
    told = frames.tell(look(canvas(), button(1, "Renamed"), *many[2:], button(21)), SUPPORT)
    assert not told.whole_words
    lines = told.words.splitlines()
    assert lines[0] == 'In window "Window":' and lines[-1] == "Gone: e2"
    assert [line.split()[0] for line in lines[1:-1]] == ["e1", "e21"]
    other = [button(number) for number in range(30, 50)]
    assert frames.tell(look(canvas(), *other), SUPPORT).whole_words


def test_a_quoted_section_that_changed_is_told_whole() -> None:
    head = "Picture: 1x1\nActive window: none\n" + "\n".join(f"e{i} button 0,0 1x1" for i in range(40))
    before = f"{head}\n\nTerminal:\n| $ ls\n| a\n| $"
    now = f"{head}\n\nTerminal:\n| $ ls\n| a\n| $ ls\n| a\n| $"
    assert describe_changes(before, now) == "Terminal:\n| $ ls\n| a\n| $ ls\n| a\n| $"
    assert describe_changes(before, before) == ""


def test_where_the_picture_changed_is_said_only_where_no_part_of_it_shows_that() -> None:
    many = [button(number) for number in range(1, 21)]
    spots = [Rect(400, 200, 40, 20), Rect(420, 200, 40, 20)]
    acted = [
        msgspec.structs.replace(look(canvas((spot, "red")), *many), changed="areas changed", news="new: a", moving=moves)
        for spot, moves in zip(spots, (False, True), strict=True)
    ]  # fmt: skip
    for support, told_still in ((SUPPORT, ""), (Support(images=False), "Since the last look: areas changed")):
        frames = Keyframes()
        frames.tell(look(canvas(), *many), support)
        still, moving = (frames.tell(each, support).words for each in acted)
        assert still == told_still
        assert moving == "Since the last look: areas changed"


def test_one_without_eyes_is_told_words_alone_and_that_it_is_not_shown_the_picture() -> None:
    frames, blind = Keyframes(), Support(images=False)
    first = frames.tell(look(canvas(), button(1)), blind)
    red = canvas((Rect(0, 0, 900, 500), "red"))
    second = frames.tell(look(red, button(1), button(2)), blind)
    assert first.pictures == second.pictures == ()
    assert "which you are not shown" in first.words and 'e1 push button "Button 1"' in first.words
    assert not second.whole_words and "Button 2" in second.words and "Button 1" not in second.words


def test_a_small_window_is_told_less_of_a_screen_that_is_full() -> None:
    full = look(canvas(), *(button(number) for number in range(1, 500)))
    small, large = (
        Keyframes().tell(full, Support(images=False, context_tokens=tokens)).words for tokens in (2_048, 0)
    )
    assert len(small) <= 0.2 * 2_048 * 4 < len(large)
    assert "Button 1" in small and "more" in small


def test_pictures_that_operations_showed_are_counted() -> None:
    """A still page that is zoomed into again and again would otherwise reach the provider's limit of pictures."""
    frames, kept = Keyframes(), 0
    first = frames.tell(look(canvas()), SUPPORT)
    (picture, _), *_ = first.pictures
    small = msgspec.structs.replace(picture, size=Size(20, 20))
    for _ in range(200):
        told = frames.tell(look(canvas()), SUPPORT, [small])
        kept = len(told.pictures) if told.keyframe else kept + 1
        assert kept <= MOST_PICTURES
