"""Words put into a terminal's lines by their places."""

from __future__ import annotations

from desktop_agent.extras.camera.terminal_text.word_lines import MOST, words_state
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.ocr.tesseract import OcrWord


def _word(text: str, column: int, row: int, confidence: float = 90.0) -> OcrWord:
    return OcrWord(text, Rect(4 + 10 * column, 6 + 20 * row, 10 * len(text), 14), (1, 1, row), confidence)


def test_words_stand_in_their_columns_and_the_prompt_is_known() -> None:
    words = [_word("total", 0, 1), _word("20", 8, 1), _word("pi@desk:~$", 0, 2), _word("pi@desk:~$", 0, 0), _word("ls", 11, 0, 45.0)]  # fmt: skip
    state = words_state(words, 7, 1.5)
    assert state.content == ("pi@desk:~$ ls", "total   20", "pi@desk:~$")
    assert (state.prompt, state.reader, state.frame, state.time) == ("pi@desk:~$", "ocr", 7, 1.5)
    assert state.confidence == MOST * 0.45


def test_no_words_are_no_content() -> None:
    assert (words_state(()).content, words_state(()).confidence) == ((), 0.0)
