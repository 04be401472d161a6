"""Clauses about spreadsheets: rows to enter, cells to set, formulas over ranges and columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from desktop_agent.extras.offline.llm.offline.files_said import FILE, file_of
from desktop_agent.extras.offline.llm.offline.intents import Intent, Open, Unknown
from desktop_agent.extras.offline.llm.offline.intents_desk import Function, OpenFile, Rows, SetCell, Total
from desktop_agent.extras.offline.llm.offline.quoting import QUOTED, Masked, mask

Builder: TypeAlias = Callable[[re.Match[str], Masked], "tuple[Intent, ...] | None"]
_CELL = r"(?-i:[A-Z]{1,2}[1-9]\d{0,4})"
_AT_CELL = rf"(?:the\s+)?(?:cell\s+(?P<cell>[A-Za-z]{{1,2}}[1-9]\d{{0,4}})|(?P<cell2>{_CELL})(?:\s+cell)?)"
_INTO = r"(?:in|into|to|at|inside|under)"
_RANGE = (
    r"(?:(?:(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:numbers?|values?|cells?|figures?|amounts?|entries|everything)\s+(?:in|of|from)\s+)?(?:the\s+)?"
    r"(?:column\s+(?P<column>[A-Za-z]{1,2})|(?P<column2>(?-i:[A-Z]))\s+column|(?:(?:cells?|range)\s+)?(?:from\s+)?(?P<from>[A-Za-z]{1,2}[1-9]\d{0,4})\s*(?:to|through|until|up\s+to|:|-|–)\s*(?P<to>[A-Za-z]{1,2}[1-9]\d{0,4})))"
)
_FUNCTIONS: tuple[tuple[str, Function], ...] = (
    ("average|mean", "AVERAGE"), ("max|largest|highest|biggest", "MAX"), ("min|smallest|lowest", "MIN"),
    ("count|number", "COUNT"),
)  # fmt: skip
_FUNCTION = r"(?P<function>sum|total|average|mean|maximum|minimum|max|min|largest|smallest|highest|lowest|biggest|count|number)(?:\s+(?:value|number|entry|formula))?"
_SHEET = r"(?:spread\s?sheet|sheet|table|worksheet|workbook|calc\s+(?:sheet|table|document|file))"
_NEW = rf"(?:make|create|start|open|set\s+up|build|prepare|begin)\s+(?:me\s+)?(?:a|an)\s+(?:new\s+|small\s+|empty\s+|little\s+)*{_SHEET}"
_BY_COLUMNS = re.compile(
    r"(?:(?:the\s+)?(?:columns?|headers?|headings?|column\s+(?:names|titles|headings|headers)|titles)\s*:?\s+)(?P<head>.+?)\s*[,;:.]?\s*(?:and|with|then|plus)?\s*(?:(?:the|these|two|three|four|five|\d+)\s+)*(?:data\s+)?(?:rows?|lines?|entries|records)(?:\s+(?:are|below|of\s+data|with))*\s*:?\s+(?P<body>.+)",
    re.I | re.S,
)
_BY_ROWS = re.compile(
    r"(?P<head>.+?)\s+(?:in|as|on)\s+(?:the\s+)?(?:first|top|header)\s+(?:row|line)\s*[,;]?\s*(?:and|then|with)?\s*(?P<body>.+?)\s+(?:in|as|on)?\s*(?:the\s+)?(?:(?:next|following|second|other|two|three|four|five|\d+)\s+)*(?:rows?|lines?|below|underneath|ones?)(?:\s+below)?",
    re.I | re.S,
)
_BARE = re.compile(
    r"(?:the|these|this)?\s*(?:following\s+)?(?:rows?|data|lines?|values|table|entries|contents?)?\s*:?\s*(?P<body>.+)",
    re.I | re.S,
)
_NOT_EVEN = "I cannot tell the rows apart. Say them one after the other, with a semicolon between two rows and a comma between two cells."


def _rule(pattern: str, build: Builder) -> tuple[re.Pattern[str], Builder]:
    return re.compile(pattern, re.I | re.S), build


def _values(text: str, masked: Masked, *, also_and: bool) -> list[str]:
    pattern = r"\s*,\s*(?:and\s+)?|\s+and\s+" if also_and else r"\s*,\s*"
    return [masked.literal(each)[0] for each in re.split(pattern, text.strip(" .,;:")) if each.strip()]


def rows_of(text: str, masked: Masked, width: int = 0) -> tuple[tuple[str, ...], ...] | None:
    """Rows that were said: by semicolons, lines or "and", else by their width; None when they cannot be told apart."""
    for mark in (r"\s*[;\n|/]\s*(?:and\s+)?", r"\s*,?\s+(?:and(?:\s+then)?|then)\s+"):
        rows = [
            _values(each, masked, also_and=False) for each in re.split(mark, text.strip(" .")) if each.strip()
        ]
        width_here = width or (len(rows[0]) if rows else 0)
        if (len(rows) > 1 or width) and width_here > 1 and all(len(row) == width_here for row in rows):
            return tuple(map(tuple, rows))
    flat = _values(text, masked, also_and=True)
    if width and flat and len(flat) % width == 0:
        return tuple(tuple(flat[at : at + width]) for at in range(0, len(flat), width))
    return None


def _rows(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    said = found["said"].strip()
    new = bool(re.search(r"\bnew\b", found[0], re.I)) or found[0].lower().startswith(
        ("make", "create", "start", "set up", "build", "prepare", "begin")
    )
    named = _by_names(said, masked)
    parted = _BY_COLUMNS.fullmatch(said) or _BY_ROWS.fullmatch(said)
    rows: tuple[tuple[str, ...], ...] | None
    if named:
        rows = named
    elif parted:
        head = _values(parted["head"], masked, also_and=True)
        body = rows_of(parted["body"], masked, len(head))
        rows = (tuple(head), *body) if body else None
    else:
        columns = re.fullmatch(
            r"(?:the\s+)?(?:columns?|headers?|headings?)\s*:?\s+(?P<head>.+)", said, re.I | re.S
        )
        bare = _BARE.fullmatch(said)
        rows = (
            (tuple(_values(columns["head"], masked, also_and=True)),)
            if columns
            else rows_of(bare["body"], masked)
            if bare
            else None
        )
    if rows is None:
        return (Unknown(masked.restore(found[0]), _NOT_EVEN),)
    return (Rows(rows, new=new),)


_NTH = re.compile(
    r"\s*,?\s*(?:and\s+)?(?P<cells>.+?)\s+(?:in|into|on|as|for)\s+(?:the\s+)?(?:row\s+(?:number\s+)?\w+|(?:first|second|third|fourth|fifth|sixth|next|header|top|last|1st|2nd|3rd|4th)\s+(?:row|line)|the\s+(?:one|row)\s+below)",
    re.I | re.S,
)


def _by_names(said: str, masked: Masked) -> tuple[tuple[str, ...], ...] | None:
    """ "Tea and 3.50 in row 2" one after the other; None when not all of it is said so."""
    rows, at, text = [], 0, said.strip(" .,")
    while at < len(text):
        found = _NTH.match(text, at)
        if found is None:
            return None
        rows.append(tuple(_values(found["cells"], masked, also_and=True)))
        at = found.end()
    return tuple(rows) if rows and len({len(row) for row in rows}) == 1 else None


def _named_rows(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    rows = _by_names(found["said"], masked)
    start = re.search(r"\brow\s+(?:number\s+)?(\d+)", found["said"])
    return (Rows(rows, f"A{start[1] if start else 1}", new=False),) if rows else None


def _new_sheet(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return (Open("spreadsheet"),)


def _result_there(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return (SetCell((found["cell"] or found["cell2"]).upper(), ""),)


def _set_in_file(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    file, change = file_of(found, masked), _set(found, masked)
    return (OpenFile(*file), *change) if file and change else None


def _set(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    groups = found.groupdict()
    text, quoted = masked.literal(
        re.sub(
            r"^(?:the\s+)?(?:text|words?|number|value|formula)\s+(?=\S)",
            "",
            found["text"].strip(),
            flags=re.I,
        )
    )
    text = text if quoted else text.rstrip(".,")
    if not text or (
        not quoted and re.match(r"(?:the|its)\s+(?:sum|total|average|mean|result)\b", text, re.I)
    ):
        return None
    return (SetCell((groups.get("cell") or groups.get("cell2") or "").upper(), text),)


def _total(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    groups = found.groupdict()
    column = groups.get("column") or groups.get("column2")
    of = column.upper() if column else f"{groups['from']}:{groups['to']}".upper()
    said = (groups.get("function") or "sum").lower()
    function: Function = next((name for words, name in _FUNCTIONS if re.match(words, said)), "SUM")
    cell = groups.get("cell") or groups.get("cell2") or ""
    return (Total(of, cell.upper(), function),)


_FORMULA = r"(?:\s+(?:with|using|by)\s+(?:a|the)\s+(?:\w+\s+)?(?:formula|function))?"
_BELOW = r"(?:(?:below|under|underneath|beneath)\s+(?:it|them|that|the\s+(?:column|numbers?|values?|last\s+\w+|others?|data|list|figures?))|in\s+the\s+(?:next|first)\s+(?:free|empty)\s+cell(?:\s+below)?|at\s+the\s+(?:end|bottom)(?:\s+of\s+the\s+column)?)"
_SUM_UP = r"(?:sum(?:\s+up)?|add\s+up|total|add\s+together)"

RULES = (
    _rule(rf"(?:open|start|create|make|begin)\s+(?:up\s+)?(?:a|an|the)\s+(?:new|blank|empty)\s+(?:(?:new|blank|empty)\s+)*{_SHEET}", _new_sheet),
    _rule(r"(?:enter|type|put|write|fill\s+in|add|insert)\s+(?P<said>.+\s(?:row|line)(?:\s+\w+)?)", _named_rows),
    _rule(rf"(?:put|write|place|enter|insert|show)\s+(?:it|that|this|(?:the|that|its)\s+(?:result|answer|sum|total|average))\s+(?:in|into|to|at)\s+{_AT_CELL}", _result_there),
    _rule(rf"(?:change|set|update|correct|overwrite|edit)\s+(?:the\s+)?(?:value\s+of\s+)?{_AT_CELL}\s+(?:in|of)\s+{FILE}\s+(?:to(?:\s+be)?|as|=|into|with)\s+(?P<text>.+)", _set_in_file),
    _rule(rf"{_NEW}\s*(?:with|containing|that\s+has|which\s+has|having|of|:|for|from)\s+(?P<said>.+)", _rows),
    _rule(rf"(?:enter|type|put|write|fill\s+in|add|insert)\s+(?:the\s+following|these|this)\s+(?:rows?|data|lines?|table|values)\s*(?:{_INTO}\s+(?:the|a|my)\s+(?:new\s+)?{_SHEET})?\s*:\s*(?P<said>.+)", _rows),
    _rule(rf"(?:put|write|place|enter|insert|show|calculate|compute|get|work\s+out|type|add)\s+(?:the\s+)?{_FUNCTION}\s+(?:of|over|for|from|in)\s+{_RANGE}{_FORMULA}\s*(?:,?\s*{_INTO}\s+{_AT_CELL}|,?\s*{_BELOW})?{_FORMULA}", _total),
    _rule(rf"(?:in|into)\s+{_AT_CELL},?\s+(?:put|write|place|enter|insert|show|calculate|compute|work\s+out|type|add)\s+(?:the\s+)?{_FUNCTION}\s+(?:of|over|for|from|in)\s+{_RANGE}{_FORMULA}", _total),
    _rule(rf"{_SUM_UP}\s+{_RANGE}{_FORMULA}\s*(?:,?\s*{_INTO}\s+{_AT_CELL}|,?\s*{_BELOW})?{_FORMULA}", _total),
    _rule(rf"(?:change|set|update|correct|overwrite|edit|make|turn)\s+(?:the\s+)?(?:value|content|contents|text|number)?\s*(?:of|in)?\s*{_AT_CELL}\s+(?:to(?:\s+be)?|as|=|into|say|with)\s+(?P<text>.+)", _set),
    _rule(rf"(?:in|into|at)\s+{_AT_CELL},?\s+(?:put|write|type|enter|insert|place|set)\s+(?P<text>.+)", _set),
    _rule(rf"(?:put|write|type|enter|insert|place|set|store|fill\s+in)\s+(?P<text>{QUOTED}|.+?)\s+(?:in|into|to|at)\s+{_AT_CELL}", _set),
    _rule(rf"{_AT_CELL}\s+(?:should\s+(?:be|say|read|contain|hold)|must\s+be|=)\s+(?P<text>.+)", _set),
    _rule(rf"fill\s+{_AT_CELL}\s+with\s+(?P<text>.+)", _set),
)  # fmt: skip


def read_sheet(text: str) -> tuple[Intent, ...] | None:
    """What a clause about a spreadsheet asks for, None for one that is about something else."""
    if not _ABOUT.search(text):
        return None
    masked = mask(text)
    for pattern, build in RULES:
        found = pattern.fullmatch(masked.text.strip(" .,"))
        intents = build(found, masked) if found else None
        if intents is not None:
            return intents
    return None


_ABOUT = re.compile(rf"\b(?:{_SHEET}|column|row|cell)s?\b|\b{_CELL}\b", re.I)
