"""The state of a terminal as it was read from a picture."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Activity: TypeAlias = Literal["idle", "running", "unknown"]


class TerminalState(msgspec.Struct, frozen=True):
    """What a terminal showed in one picture.

    `content` are its lines from top to bottom, without blanks at their ends and without empty lines below the last;
    `prompt` is the prompt at which it waits, "" where none is seen; `cursor` is (row, column) from 0, None where it is
    not seen; `activity` tells whether it waits for input or runs something; `error` is the line that tells of an
    error of the last command, "" for none; `confidence` is from 0 to 1, the lowest of what was read in the lines that
    count; `frame` is the number of the camera's frame, `time` seconds of the monotonic clock when that was taken;
    `reader` is what read it: "glyphs", "ocr", or a model's name.
    """

    content: tuple[str, ...]
    prompt: str = ""
    cursor: tuple[int, int] | None = None
    activity: Activity = "unknown"
    error: str = ""
    confidence: float = 0.0
    frame: int = 0
    time: float = 0.0
    reader: str = ""

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.content)
