"""Draws the frames of a film of a run: the picture with a marker, a zoom on each click, and a caption under it."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from desktop_agent.history.moment_words import cost_so_far, heading_of, words_of_moment
from desktop_agent.history.run_picture_files import picture_bytes
from desktop_agent.history.run_story import Fraction, Moment, Story, clock
from desktop_agent.support.terminal_text import one_line, visible

_INK, _SOFT, _GROUND, _PAPER, _RED = "#e8ebf0", "#9aa5b5", "#15181d", "#262c36", "#ff3b52"
_CLOSEST = 2.2
"""How far a click is zoomed in on."""
WIDTH, HEIGHT = 960, 624
"""The pixels of a frame."""
_CAPTION = 84
"""How many of its height are for words."""
_ZOOM, _ZOOM_SECONDS = 2, 0.12
"""How many steps lead to a click, and how long each of them lasts."""
_HOLD = 0.9
"""The seconds for which a moment is read."""


class FilmFrame(NamedTuple):
    """A picture, and for how many seconds it is shown."""

    image: Image.Image
    seconds: float


def film_frames(story: Story, run: Path) -> Iterator[FilmFrame]:
    """The frames of the whole run, drawn one by one; those of a run without moments are none.

    A line about the plan is no scene of its own.
    """
    screens = _Screens(story, run)
    waiting: Image.Image | None = None
    end_of_run = len(story.moments) - 1
    for number, moment in enumerate(story.moments):
        if moment.kind == "plan" and number < end_of_run:
            continue
        caption = _caption(story, number)
        if _leads_to_click(story, number):
            waiting = caption  # is read while the place of the click is shown
            continue
        screen = screens.of(moment.picture)
        acts = moment.kind == "action" and moment.at is not None
        if acts:
            before = caption if waiting is None else waiting
            yield FilmFrame(_composed(screen, before, moment, 0.0), _HOLD * (0.5 if waiting is None else 1))
            for step in range(1, _ZOOM):
                yield FilmFrame(_composed(screen, caption, moment, step / _ZOOM), _ZOOM_SECONDS)
        end = _composed(screen, caption, moment, 1.0 if acts else 0.0)
        yield FilmFrame(end, _HOLD * (3.0 if number == end_of_run else 1.0))
        waiting = None


def _leads_to_click(story: Story, number: int) -> bool:
    """Is it a note right before a click on the same picture?"""
    this, after = story.moments[number], story.moments[number + 1 : number + 2]
    return this.kind == "note" and any(
        each.kind == "action" and each.at is not None and each.picture == this.picture for each in after
    )


class _Screens:
    """The pictures of a run, scaled to where they are shown; the last one is kept."""

    def __init__(self, story: Story, run: Path) -> None:
        self._story, self._run = story, run
        self._last: tuple[int, Image.Image] | None = None

    def of(self, number: int) -> Image.Image:
        """The picture of this number with twice the pixels that are shown of all of it, or a ground with words."""
        if self._last is None or self._last[0] != number:
            self._last = number, self._load(number)
        return self._last[1]

    def _load(self, number: int) -> Image.Image:

        data = picture_bytes(self._run, self._story.pictures[number]) if number >= 0 else b""
        try:
            with Image.open(io.BytesIO(data), formats=("JPEG", "PNG")) as found:
                found.draft("RGB", (WIDTH, HEIGHT))
                return found.convert("RGB") if found.mode != "RGB" else found.crop()
        except (OSError, ValueError, Image.DecompressionBombError):
            empty = Image.new("RGB", (640, 360), _PAPER)
            ImageDraw.Draw(empty).text((320, 180), "–", fill=_SOFT, anchor="mm", font=_font(30))
            return empty


def _composed(screen: Image.Image, caption: Image.Image, moment: Moment, closeness: float) -> Image.Image:
    """A frame: the screen, zoomed in by `closeness` from 0 to 1, with its marker, above the caption."""

    room = (WIDTH, HEIGHT - _CAPTION)
    frame = Image.new("RGB", (WIDTH, HEIGHT), _GROUND)
    size = _fitting(screen, room)
    corner = ((room[0] - size[0]) // 2, (room[1] - size[1]) // 2)
    box = _seen_part(screen, moment.at, closeness)
    # Between, it is seen for a moment only; smaller is averaged, larger smoothed.
    ways = Image.Resampling
    quick = ways.NEAREST if 0 < closeness < 1 else ways.BILINEAR if closeness else ways.BOX
    frame.paste(
        screen if screen.size == size and not closeness else screen.resize(size, quick, box=box), corner
    )
    if moment.kind == "action" and moment.at is not None:
        draw = ImageDraw.Draw(frame)

        def place(at: Fraction) -> tuple[float, float]:
            wide, high = box[2] - box[0], box[3] - box[1]
            return (
                corner[0] + (at[0] * screen.width - box[0]) * size[0] / wide,
                corner[1] + (at[1] * screen.height - box[1]) * size[1] / high,
            )

        _draw_marker(draw, place(moment.at), None if moment.to is None else place(moment.to))
    frame.paste(caption, (0, HEIGHT - _CAPTION))
    return frame


def _fitting(screen: Image.Image, room: tuple[int, int]) -> tuple[int, int]:
    """The size of all of a screen where there is this much room."""
    scale = min(room[0] / screen.width, room[1] / screen.height)
    return max(1, round(screen.width * scale)), max(1, round(screen.height * scale))


def _seen_part(
    screen: Image.Image, at: Fraction | None, closeness: float
) -> tuple[float, float, float, float]:
    """Which part of the screen is shown: all of it, or less around the place the closer it is."""
    zoom = 1 + (_CLOSEST - 1) * closeness * closeness * (3 - 2 * closeness)
    if at is None or zoom == 1:
        return (0.0, 0.0, float(screen.width), float(screen.height))
    wide, high = screen.width / zoom, screen.height / zoom
    left = min(max(0.0, at[0] * screen.width - wide / 2), screen.width - wide)
    top = min(max(0.0, at[1] * screen.height - high / 2), screen.height - high)
    return (left, top, left + wide, top + high)


def _draw_marker(draw: ImageDraw.ImageDraw, at: tuple[float, float], to: tuple[float, float] | None) -> None:
    for color, width, grow in (("#ffffff", 7, 2), (_RED, 3, 0)):
        if to is not None:
            draw.line((*at, *to), fill=color, width=width)
            _ring(draw, to, 8 + grow, color, width)
        _ring(draw, at, 18 + grow, color, width)


def _ring(draw: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, color: str, width: int) -> None:
    draw.ellipse((at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), outline=color, width=width)


def _caption(story: Story, number: int) -> Image.Image:
    """What happens, what it costs so far and how far the run is, in the lower part of a frame."""

    moment = story.moments[number]
    image = Image.new("RGB", (WIDTH, _CAPTION), _GROUND)
    draw = ImageDraw.Draw(image)
    done = WIDTH * (number + 1) / len(story.moments)
    draw.rectangle((0, 0, WIDTH, 3), fill=_PAPER)
    draw.rectangle((0, 0, done, 3), fill="#6d9bff")
    size = max(11, _CAPTION // 5)
    small, body, edge = _font(size - 2), _font(size), size
    since = clock(max(0.0, moment.time - story.started))
    draw.text((edge, 8), _drawable(heading_of(moment)), fill=_SOFT, font=small)
    right = " · ".join(filter(None, (cost_so_far(moment), since)))
    draw.text((WIDTH - edge, 8), _drawable(right), fill=_SOFT, font=small, anchor="ra")
    room = max(10, int((WIDTH - 2 * edge) / (size * 0.56)))
    lines = textwrap.wrap(
        _drawable(one_line(words_of_moment(moment)[0], 400)), room, max_lines=2, placeholder=" …"
    )
    for row, line in enumerate(lines):
        draw.text((edge, 8 + size * 1.4 * (row + 1)), line, fill=_INK, font=body)
    return image


def _drawable(text: str) -> str:
    return visible(text).replace("\n", " ")


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font of this size: one of the system's that has most letters, else Pillow's own."""

    for name in ("DejaVuSans.ttf", "segoeui.ttf", "arial.ttf", "LiberationSans-Regular.ttf"):
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
