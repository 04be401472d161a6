"""Writes a film of a run as MP4, with the codec that most players know.

PyAV brings FFmpeg. Its wheels hold x264, which is under the GPL: they are an extra that the user installs, and no part of
what we pack. Another build of FFmpeg has its own encoders, of which the first that is there is used.
"""

from __future__ import annotations

import importlib
import queue
import threading
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from desktop_agent.history.exporting.export_file import ExportError, written_whole
from desktop_agent.history.exporting.film_frames import HEIGHT, WIDTH, FilmFrame, film_frames
from desktop_agent.history.run_story import Story
from desktop_agent.support import optional_package

_TICKS = 100
"""Parts of a second in which frames are timed."""
_AHEAD = 8
ENCODERS: tuple[tuple[str, dict[str, str]], ...] = (
    ("libx264", {"preset": "ultrafast", "crf": "28"}),
    ("libopenh264", {}),
    ("h264_mf", {}),
    ("h264_videotoolbox", {}),
    ("libvpx-vp9", {"deadline": "realtime", "cpu-used": "8", "crf": "34"}),
    ("mpeg4", {}),
)


def write_video_film(story: Story, run: Path, path: Path, *, replace: bool = False) -> None:
    """Write the story, with its pictures from the folder of the run, as MP4 at `path`.

    Raises ExportError; ConfigError where the extra `video` is not installed.
    """
    optional_package.require("av", "an MP4 film", "video")
    if not story.moments:
        raise ExportError("This run holds nothing that could be shown.", "Choose another run.")
    with written_whole(path, replace=replace) as part:
        _write(_ahead(film_frames(story, run)), part)


def _write(frames: Iterator[FilmFrame], part: Path) -> None:
    av = _library()
    try:
        with av.open(str(part), "w", format="mp4", options={"movflags": "+faststart"}) as container:
            stream = _stream(container)
            ticks = 0
            image: Any = None
            for image, seconds in frames:
                _encode(container, stream, image, ticks)
                ticks += max(1, round(seconds * _TICKS))
            _encode(container, stream, image, ticks)  # the last frame would be shown for no time
            container.mux(stream.encode(None))
    except av.FFmpegError as error:
        if isinstance(error, OSError) and error.errno:
            raise OSError(error.errno, error.strerror) from error
        raise ExportError(f"The film cannot be made: {error}.", "Export it as a page.") from error


def _library() -> Any:
    """PyAV, by its name alone: who packs this program packs no x264 with it."""
    return importlib.import_module("av")


def _stream(container: Any) -> Any:
    av = _library()
    for name, options in ENCODERS:
        with suppress(av.codec.codec.UnknownCodecError):
            stream = container.add_stream(name, rate=_TICKS, options=options)
            stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
            stream.codec_context.time_base = Fraction(1, _TICKS)
            stream.codec_context.gop_size = 50
            return stream
    raise ExportError("The FFmpeg of this PyAV has no encoder for MP4.", "Export it as a page.")


def _encode(container: Any, stream: Any, image: Any, ticks: int) -> None:
    av = _library()
    frame = av.VideoFrame.from_image(image)
    frame.pts, frame.time_base = ticks, Fraction(1, _TICKS)
    container.mux(stream.encode(frame))


def _ahead(frames: Iterator[FilmFrame]) -> Iterator[FilmFrame]:
    """The same frames, drawn in a thread of their own, a few ahead."""
    ready: queue.Queue[FilmFrame | BaseException | None] = queue.Queue(_AHEAD)
    over = threading.Event()

    def put(item: FilmFrame | BaseException | None) -> bool:
        while not over.is_set():
            with suppress(queue.Full):
                ready.put(item, timeout=0.2)
                return True
        return False

    def draw() -> None:
        try:
            for each in frames:
                if not put(each):
                    return
            put(None)
        except Exception as error:  # noqa: BLE001 - a thread's boundary: it is raised where frames are taken
            put(error)

    threading.Thread(target=draw, name="film", daemon=True).start()
    try:
        while (item := ready.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        over.set()
