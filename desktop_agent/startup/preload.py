"""What the window need not wait for when it opens: the planner, numpy, pillow and what stands on them."""

from __future__ import annotations

import threading

from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup import benchmark_marks, onefile
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element


def read_words(frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
    """Lines of text on the frame (see `vision.ocr`). Raises Stopped."""
    from desktop_agent.vision.ocr import tesseract

    return tesseract.read_words(frame, stop)


def painted() -> None:
    """The window is there: fetch the rest while its user still thinks of a goal."""
    benchmark_marks.painted()
    threading.Thread(target=_fetch, name="fetching", daemon=True).start()


def _fetch() -> None:
    import desktop_agent.llm.offline.model
    import desktop_agent.vision.encoding.incremental_encoder
    import desktop_agent.vision.ocr.tesseract
    import desktop_agent.vision.settling.polling  # noqa: F401

    onefile.clean_up()
