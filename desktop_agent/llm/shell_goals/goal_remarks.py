"""Takes out of a goal what is said beside the things to be done, and tells what it means for them.

That is: what is to be left out, how things are marked in a file, that something is to stay as it is, courtesy and reports.
A remark that is not known stays in the goal, which is then not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from desktop_agent.llm.shell_goals.phrase_book import PhraseBook

_SEGMENT = re.compile(
    r"([.;!?]\s+|,\s+|\s+[-–—]\s+|\s+(?=(?:but|aber|(?:and|und) (?:change|touch|leave|keep|do not|sonst|lass|lasse|ändere))\s))"
)
_BRACKETS = re.compile(r"\s*\(([^()]+)\)")


@dataclass
class Remarks:
    """What was said beside: `but` as it was said, to be left out; `marks` by what is marked so; `keeps` that originals stay, `spared` that these files do."""

    but: list[str] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    keeps: bool = False
    spared: list[str] = field(default_factory=list)


def without_remarks(text: str, book: PhraseBook) -> tuple[str, Remarks]:
    """The goal without its remarks, and what they say. Quoted parts are marks already."""
    found = Remarks()
    text = _BRACKETS.sub(lambda each: "" if _take(each[1], book, found) else each[0], text)
    parts = _SEGMENT.split(text)
    kept: list[str] = []
    for at in range(0, len(parts), 2):
        joint = parts[at - 1] if at else ""
        plain = re.sub(rf"(?i)^(?:{'|'.join(map(re.escape, book.joins))})\s+", "", parts[at].strip(" .!;?"))
        if plain and _take(plain, book, found):
            if joint and kept and not joint.strip().startswith(","):
                kept[-1] += joint.strip()
            continue
        kept.append(f"{joint}{parts[at]}" if kept else parts[at])
    return " ".join("".join(kept).split()), found


def without_background(text: str, book: PhraseBook) -> str:
    """The goal without the sentences at its beginning that ask for nothing."""
    while found := re.search(r"[.!]\s+", text):
        if not book.is_background(text[: found.start()]):
            break
        text = text[found.end() :]
    return text


def _take(said: str, book: PhraseBook, found: Remarks) -> bool:
    """Whether this is a remark; it is taken down."""
    for name, slots in book.remarks(said):
        if name == "marked":
            found.marks[slots["adj"].casefold()] = slots["mark"]
        elif name == "but":
            found.but.append(slots["names"])
        elif name == "keep":
            found.keeps = True
        elif name == "spare":
            found.spared.append(slots["names"])
        return True
    return False
