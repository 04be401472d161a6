"""Cuts Markdown where it stays what it is: at line ends, with a code block that is cut open again after it."""

from __future__ import annotations

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def head(text: str, most: int) -> str:
    """The beginning of `text`, at most `most` characters, up to the end of a line where that is near."""
    if len(text) <= most:
        return text
    end = text.rfind("\n", most // 2, most)
    return text[: end if end > 0 else most].rstrip()


def tail(text: str, most: int) -> str:
    """The end of `text`, about `most` characters, from the beginning of a line where that is near."""
    if len(text) <= most:
        return text
    start = len(text) - most
    line = text.find("\n", start, start + most // 2)
    start = line + 1 if line >= 0 else start
    return _opened(_open_fence(text[:start])) + text[start:]


def parts(text: str, most: int) -> list[str]:
    """The text in parts of about `most` characters, cut between paragraphs where there are any."""
    found: list[str] = []
    fence = ""
    while len(text) > most:
        end = _end_of_part(text, most)
        part, text = text[:end], text[end:]
        found.append(_opened(fence) + part.rstrip("\n"))
        fence = _open_fence(part, fence)
    return [*found, _opened(fence) + text] if text.strip() or not found else found


def _end_of_part(text: str, most: int) -> int:
    for gap in ("\n\n", "\n", " "):
        if (end := text.rfind(gap, most // 2, most)) > 0:
            return end + len(gap)
    return most


def _open_fence(text: str, fence: str = "") -> str:
    """The fence of the code block in which `text` ends, "" for none; `fence` is that in which it begins."""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark is None:
            continue
        if not fence:
            fence = mark[1]
        elif mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
    return fence


def _opened(fence: str) -> str:
    return f"{fence}\n" if fence else ""
