"""Puts words that were recognised in a terminal's picture into lines, where its cells cannot be found."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from desktop_agent.extras.camera.terminal_text.shell_prompt import situation
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.vision.ocr.tesseract import OcrWord

MOST = 0.6
"""The confidence of the surest: such words come without their exact places, and look-alikes are not told apart."""


def words_state(words: Sequence[OcrWord], frame: int = 0, time: float = 0.0) -> TerminalState:
    """What a terminal shows by its words alone; blanks between them by their places. Its `reader` is "ocr".

    The confidence is that of the least sure word, from 0 to 0.6; 0 without words.
    """
    if not words:
        return TerminalState((), frame=frame, time=time, reader="ocr")
    wide = max(1.0, median(word.bounds.width / max(1, len(word.text)) for word in words))
    high = median(word.bounds.height for word in words)
    rows: list[list[OcrWord]] = []
    for word in sorted(words, key=_middle):
        if rows and _middle(word) - _middle(rows[-1][-1]) < 0.6 * high:
            rows[-1].append(word)
        else:
            rows.append([word])
    left = min(word.bounds.x for word in words)
    lines = tuple(_line(row, left, wide) for row in rows)
    told = situation(lines, None)
    sure = MOST * max(0.0, min(word.confidence for word in words)) / 100
    return TerminalState(lines, told.prompt, None, told.activity, told.error, sure, frame, time, "ocr")


def _middle(word: OcrWord) -> float:
    return word.bounds.y + word.bounds.height / 2


def _line(words: Sequence[OcrWord], left: int, wide: float) -> str:
    line = ""
    for word in sorted(words, key=lambda each: each.bounds.x):
        column = round((word.bounds.x - left) / wide)
        line += " " * max(1 if line else 0, column - len(line)) + word.text
    return line
