"""Judges from outside what became of a case of this folder: by the files, the submitted forms, the answer and the text read.

Every judgement is a list of faults as plain sentences; an empty list means that the case was passed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

# A number by itself: not a part of a word, of a date with slashes or of a name such as log2.txt.
NUMBER = re.compile(r"(?<![\w.,/-])-?\d+(?:[.,]\d+)?(?!\w|[.,/-]\w)")
ROWS = 24


def lay_out(job: Mapping[str, Any], folder: Path) -> None:
    """Lays the folders and files of a terminal job into the empty folder `folder`."""
    for name in job.get("folders", ()):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, text in job.get("files", {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(text))


def content(text: str) -> bytes:
    """What is laid out for a file's `text`: UTF-8."""
    return text.encode()


def terminal_faults(job: Mapping[str, Any], folder: Path, done: bool, answer: str) -> list[str]:
    """What is wrong after a terminal job that was run in `folder`.

    `done` says whether the agent claimed to have done the job, `answer` is the last it told the user. Beside
    the job's checks, every file laid out that no check names must be as it was.
    """
    checks = job["checks"]
    found = [] if done is not job.get("impossible", False) else [claim_fault(done)]
    named = {check["path"] for check in checks if "path" in check}
    rest = [{"kind": "same_as_before", "path": name} for name in job.get("files", {}) if name not in named]
    return found + [fault for check in [*checks, *rest] if (fault := check_fault(check, job, folder, answer))]


def claim_fault(done: bool) -> str:
    """What is wrong with the claim `done`, where it is the wrong one."""
    return "it says that it is done, and that cannot be" if done else "it does not say that it is done"


def check_fault(check: Mapping[str, Any], job: Mapping[str, Any], folder: Path, answer: str) -> str:
    """What is wrong by one check of a terminal job, "" if nothing. Raises ValueError for an unknown kind."""
    kind = check["kind"]
    if kind == "answered":
        return answer_fault(check, answer)
    path, name = folder / check["path"], check["path"]
    if kind == "missing":
        return f"{name} is still there" if path.exists() else ""
    if not path.exists():
        return f"{name} is not there"
    if kind == "exists":
        return ""
    if kind == "folder_has":
        lost = [each for each in check["names"] if not (path / each).exists()]
        return f"{name} lacks {', '.join(lost)}" if lost else ""
    return file_fault(check, job, path)


def file_fault(check: Mapping[str, Any], job: Mapping[str, Any], path: Path) -> str:
    """What is wrong in the file that a check names, "" if nothing. Raises ValueError for an unknown kind."""
    if not path.is_file():
        return f"{check['path']} is not a file"
    there = path.read_bytes()
    text = there.decode(errors="replace")
    match check["kind"]:
        case "file_is":
            right = text.rstrip("\n") == check["text"].rstrip("\n")
        case "file_contains":
            right = check["text"] in text
        case "file_number":
            right = numbers(text) == {Decimal(str(check["number"]))}
        case "same_as_before":
            right = there == content(job["files"][check["path"]])
        case kind:
            raise ValueError(f"no check is called {kind!r}")
    return "" if right else f"{check['path']} fails {check['kind']}: it holds {text[:200]!r}"


def numbers(text: str) -> set[Decimal]:
    """The numbers that stand by themselves in `text`; a comma before other than three digits is a decimal one."""
    return {Decimal(re.sub(r",(?=\d{3}$)", "", each).replace(",", ".")) for each in NUMBER.findall(text)}


def answer_fault(check: Mapping[str, Any], answer: str) -> str:
    """What the final answer lacks, "" if nothing. Words with a bar between them are alternatives."""
    folded = bool(not check.get("exact_case", False))
    said = plain(answer, folded)
    lost = [
        words for words in check["words"] if not any(stands(plain(w, folded), said) for w in words.split("|"))
    ]
    return f"the answer lacks {', '.join(lost)}: {answer[:200]!r}" if lost else ""


def plain(text: str, folded: bool) -> str:
    """`text` with composed letters and single blanks, in lower case if `folded`."""
    even = " ".join(unicodedata.normalize("NFC", text).split())
    return even.casefold() if folded else even


def stands(words: str, text: str) -> bool:
    """Whether `words` stand in `text` by themselves: 5 does not stand in 15, nor in 5.2."""
    return bool(re.search(rf"(?<![\w.,-]){re.escape(words)}(?!\w|[.,-]\w)", text))


def form_faults(
    job: Mapping[str, Any], defaults: Mapping[str, Any], done: bool, submitted: Sequence[Mapping[str, Any]]
) -> list[str]:
    """What is wrong after a form job. `submitted` are the bodies of all POSTs to /submitted, the first one first.

    A possible job needs exactly one, with the job's values and the page's `defaults` in all other fields;
    an impossible job none.
    """
    impossible = job.get("impossible", False)
    found = [] if done is not impossible else [claim_fault(done)]
    if len(submitted) != (0 if impossible else 1):
        return [*found, f"the form was sent {len(submitted)} times"]
    wanted = {**defaults, **job["expected"]}
    return found + [
        f"{field} is {sent.get(field)!r}, not {wanted.get(field)!r}"
        for sent in submitted
        for field in sorted({*wanted, *sent})
        if sent.get(field) != wanted.get(field)
    ]


def character_errors(shown: str, read: str) -> tuple[int, int]:
    """(wrong characters, characters shown) of a screen read by an agent: Levenshtein distance row by row.

    Blanks at the end of a row and rows missing at the end count as blank; letters are compared composed (NFC).
    """
    rows, others = screen_rows(shown), screen_rows(read)
    size = max(len(rows), len(others))
    pairs = zip(rows + [""] * (size - len(rows)), others + [""] * (size - len(others)), strict=True)
    return sum(distance(left, right) for left, right in pairs), sum(map(len, rows))


def screen_rows(text: str) -> list[str]:
    """The rows of a screen without blanks at their ends, at least 24 of them."""
    rows = [row.rstrip() for row in unicodedata.normalize("NFC", text).rstrip().split("\n")]
    return rows + [""] * (ROWS - len(rows))


def distance(left: str, right: str) -> int:
    """Levenshtein distance of two strings: characters to insert, delete or replace."""
    before = list(range(len(right) + 1))
    for row, one in enumerate(left, 1):
        now = [row]
        for column, other in enumerate(right, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (one != other)))
        before = now
    return before[-1]
