"""Says what has changed in the description of an observation since an earlier one."""

from __future__ import annotations

from desktop_agent.vision.elements.describe import SINCE

WORTH = 0.75
"""The changes are told where they take at most this share of the whole description."""
_QUOTE = "| "


def describe_changes(before: str, now: str) -> str | None:
    """What is new, different or gone in `now`, in its own lines; None where the whole is hardly longer.

    Both are descriptions as `describe_observation` writes them. A heading is told where something under it is;
    a quoted section is told whole; the line of what changed in the picture is left to whoever shows that.
    """
    old_lines, old_sections = set(before.splitlines()), set(_sections(before))
    told: list[str] = []
    for heading, lines in _sections(now):
        quoted = any(line.startswith(_QUOTE) for line in lines)
        new = lines if quoted else tuple(line for line in lines if _is_new(line, old_lines))
        if new and (heading, lines) not in old_sections:
            told += [heading, *new] if heading else new
    present = {_id(line) for line in now.splitlines()}
    gone = [name for line in before.splitlines() if (name := _id(line)) and name not in present]
    if gone:
        told.append(f"Gone: {' '.join(gone)}")
    changes = "\n".join(told)
    return changes if len(changes) <= WORTH * len(now) else None


def _is_new(line: str, old_lines: set[str]) -> bool:
    return bool(line) and line not in old_lines and not line.startswith(SINCE)


def _sections(description: str) -> list[tuple[str, tuple[str, ...]]]:
    """The description cut at its headings: each with the lines under it; what comes first has no heading."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in description.splitlines():
        if line.endswith(":") and not line.startswith(_QUOTE):
            found.append((line, []))
        else:
            found[-1][1].append(line)
    return [(heading, tuple(lines)) for heading, lines in found]


def _id(line: str) -> str:
    """The id of the element that a line tells of; "" for other lines."""
    word = line.partition(" ")[0]
    return word if word[:1] == "e" and word[1:].isdigit() else ""
