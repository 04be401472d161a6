"""Writes a film of a run as an animated GIF."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from PIL import GifImagePlugin, Image

from desktop_agent.history.exporting.export_file import ExportError, written_whole
from desktop_agent.history.exporting.film_frames import FilmFrame, FilmShape, film_frames
from desktop_agent.history.run_story import Story

_SHAPE = FilmShape(width=640, height=420, caption=60, zoom=2, zoom_seconds=0.12)
_SHORT = FilmShape(width=480, height=324, caption=54, zoom=1, hold=0.6)
"""For long runs: a GIF keeps every frame whole."""
_LONG = 150


def write_gif_film(story: Story, run: Path, path: Path, *, replace: bool = False) -> None:
    """Write the story, with its pictures from the folder of the run, as a GIF at `path`. Raises ExportError."""
    if not story.moments:
        raise ExportError("This run holds nothing that could be shown.", "Choose another run.")
    shape = _SHAPE if len(story.moments) <= _LONG else _SHORT
    with written_whole(path, replace=replace) as part, part.open("wb") as file:
        _write(film_frames(story, run, shape), file)


def _write(frames: Iterator[FilmFrame], out: IO[bytes]) -> None:
    """Write frame by frame, so that a long film does not have to fit in memory."""
    first = next(frames)
    head, _ = GifImagePlugin.getheader(_palette(first.image))
    for piece in head:
        out.write(piece)
    out.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")  # again and again
    _write_frame(out, first)
    for each in frames:
        _write_frame(out, each)
    out.write(b";")


def _write_frame(out: IO[bytes], frame: FilmFrame) -> None:
    image = _palette(frame.image)
    for piece in GifImagePlugin.getdata(
        image, (0, 0), duration=round(frame.seconds * 1000), include_color_table=True
    ):
        out.write(piece)


def _palette(image: Image.Image) -> Image.Image:
    return image.quantize(128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
