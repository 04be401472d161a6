"""Clauses about the text that is open: add lines, replace words, delete lines, close with or without saving."""

from __future__ import annotations

import re
from functools import partial

from desktop_agent.llm.offline import words
from desktop_agent.llm.offline.files_said import FILE, file_of
from desktop_agent.llm.offline.intents import (
    Clear,
    Click,
    Intent,
    Phrase,
    Save,
    Scroll,
    TypeText,
    Window,
)
from desktop_agent.llm.offline.intents_desk import (
    DeleteLine,
    KeepResult,
    OpenFile,
    Replace,
    SetCell,
    Total,
    WriteAt,
)
from desktop_agent.llm.offline.quoting import QUOTED, Masked
from desktop_agent.llm.offline.rules_system import _what_window
from desktop_agent.llm.offline.rules_text import ReadClause, Rule, _rule, text_of

_TEXT = r"(?P<text>.+?)"
_DOCUMENT = (
    r"(?:(?:the|this|that)\s+)?(?:(?:very|whole)\s+)?(?:file|document|text|note|list|page|it|letter|editor)"
)
_END = rf"(?:(?:at|to|on|in)\s+the\s+(?:very\s+)?(?:end|bottom|foot)(?:\s+of\s+{_DOCUMENT})?|below|underneath|after\s+(?:the\s+)?(?:rest|last\s+line|everything)|as\s+(?:the\s+|a\s+|its\s+)?(?:new\s+)?last\s+line)"
_START = rf"(?:(?:at|to|on|in)\s+the\s+(?:very\s+)?(?:top|start|beginning|front)(?:\s+of\s+{_DOCUMENT})?|above\s+(?:everything|the\s+rest)|before\s+(?:everything|the\s+rest|the\s+first\s+line)|as\s+(?:the\s+|a\s+)?(?:new\s+)?first\s+line)"
_END_PLACE = re.compile(rf"(?:the\s+)?(?:very\s+)?(?:end|bottom|foot)(?:\s+of\s+{_DOCUMENT})?", re.I)
_START_PLACE = re.compile(rf"(?:the\s+)?(?:very\s+)?(?:top|start|beginning)(?:\s+of\s+{_DOCUMENT})?", re.I)
_LINE = r"(?:(?:a|one|another|the|this)\s+)?(?:(?:new|further|more|extra|last|final|first)\s+)?(?:line|row|entry|item|paragraph|heading|title)\s*(?:of\s+text\s+)?(?::|with\s+(?:the\s+(?:text|words?)\s+)?|saying\s+|(?:that|which)\s+(?:says|reads)\s+|reading\s+|containing\s+|for\s+|(?=\x02))\s*"
_LINE = rf"(?:{_LINE}|(?:the|this)\s+(?:line|words?|text|sentence)\s+)"
_ADD = r"(?:add|append|insert|put|write|type|enter|attach|note)"
_THIS = r"(?:it|that|this|them|everything|(?P<what>(?:the|its|this|that)\s+(?!(?:file|document|text|note|letter|changes|page|work)\b)[\w\s-]{1,40}?))"
_ALL = r"(?:(?:every|each|all|any|all\s+(?:the|of\s+the))\s+)?(?:(?:occurrences?|instances?|mentions?)\s+of\s+)?(?:the\s+words?\s+)?"
_EVERYWHERE = r"(?:\s+(?:everywhere|throughout(?:\s+\S+){0,3}|(?:in|through)\s+(?:the\s+)?(?:whole|entire|all\s+of\s+the|complete|full|)\s*(?:the\s+)?(?:text|file|document|letter|note)))?"
_UNSAVED = r"(?:(?:without|and\s+do\s+not|and\s+don't|but\s+do\s+not|but\s+don't|,?\s*do\s+not|,?\s*don't)\s+(?:sav(?:e|ing)|keep(?:ing)?)(?:\s+(?:it|anything|the\s+changes|(?:any\s+)?changes|the\s+file|my\s+changes|that))?|and\s+(?:discard|throw\s+away|lose)\s+(?:the\s+|my\s+|any\s+|all\s+)?changes)"


def _write(text: str, at: str, masked: Masked) -> WriteAt | None:
    literal = text_of(text, masked)
    if not literal:
        return None
    inline = at == "end" and not literal[:1].isalnum() and literal[:1] in " .,;!?"
    return WriteAt(literal, at, not inline)  # type: ignore[arg-type]


def at_place(place: str, first: Intent) -> WriteAt | None:
    """What is typed "at the bottom of the file"; None for any other place."""
    if isinstance(first, TypeText) and _END_PLACE.fullmatch(place):
        return WriteAt(first.whole or first.text)
    if isinstance(first, TypeText) and _START_PLACE.fullmatch(place):
        return WriteAt(first.whole or first.text, "start")
    return None


def _not_saved(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return (Click(Phrase("Don't save", "button", spoken="Don't save")),)


def _end(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    write = _write(found["text"], "end", masked)
    return (write,) if write else None


def _start(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    write = _write(found["text"], "start", masked)
    return (write,) if write else None


def _into_file(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Add eggs to shopping.txt": open it, add the line, save it."""
    file, at = file_of(found, masked), "start" if found.groupdict().get("top") else "end"
    write = _write(found["text"], at, masked)
    if file is None or write is None:
        return None
    return (OpenFile(*file), write, Save())


def _keep(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    file = file_of(found, masked)
    if file is None:
        return None
    add, what = found["verb"].lower() in ("add", "append"), found["what"] or ""
    return (KeepResult(*file, add, re.sub(r"^(?:the|its|this|that)\s+", "", what, flags=re.I), bool(what)),)


def _replace(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    old, new = masked.literal(found["old"])[0], masked.literal(found["new"])[0].rstrip(".")
    return (Replace(old, new),) if old else None


def _delete_line(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    groups = found.groupdict()
    if groups.get("holding"):
        return (DeleteLine(holding=text_of(groups["holding"], masked)),)
    said = groups.get("nth") or groups.get("number") or ""
    number = words.ordinal(said) or int(words.number(said) or 0)
    return (DeleteLine(number),) if number else None


def _delete_word(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    old = masked.literal(found["old"])[0]
    return (Replace(old, ""),) if old else None


def _close(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what, thing = _what_window(found["obj"] or "", masked)
    how = "discard" if found["discard"] else "save"
    return None if what is None else (Window("close", what, thing, how),)  # type: ignore[arg-type]


def _discarded(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what, thing = _what_window(found["obj"] or "", masked)
    return None if what is None else (Window("close", what, thing, "discard"),)


_CLOSE = r"(?:close|quit|exit|leave|shut(?:\s+down)?)(?:\s+(?P<obj>.+?))?"

_EDITS = (WriteAt, Replace, DeleteLine, SetCell, Total, Scroll, Clear)


def _in_file(clause: ReadClause, found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Delete the last line of list.txt": open it first."""
    file, inner = file_of(found, masked), clause(found["rest"], masked)
    return (OpenFile(*file), *inner) if file and inner and all(isinstance(e, _EDITS) for e in inner) else None


def rules(clause: ReadClause) -> tuple[Rule, ...]:
    """The rules of this file; `clause` reads the clauses that stand inside another."""
    return (
        _rule(r"(?:do\s+not|don.?t|never)\s+(?:save|keep)(?:\s+(?:it|anything|(?:the|any|my)\s+changes|the\s+file))?", _not_saved),
        _rule(rf"(?P<rest>(?:delete|remove|erase|replace|substitute|swap|change|turn|add|append|put|write|insert|set|enter|find|correct|update|clear|empty|total|sum)\s.+?)\s+(?:in|of|from|to|inside|on)\s+{FILE}", partial(_in_file, clause)),
        _rule(rf"{_CLOSE},?\s+(?:(?P<discard>{_UNSAVED})|(?P<save>(?:and|but)\s+sav(?:e|ing)(?:\s+\S+){{0,3}}))", _close),
        _rule(r"(?:discard|throw\s+away|drop|forget)\s+(?:the|my|all|any)\s+changes\s+and\s+(?P<discard>)(?:close|quit|exit)(?:\s+(?P<obj>.+))?", _discarded),
        _rule(rf"(?P<verb>write|save|put|note|type|copy|store|enter|keep|paste|record|add|append|export)\s+(?:down\s+)?{_THIS}\s+(?:down\s+)?(?:in|into|to|as|under|on|at\s+the\s+end\s+of)\s+(?:(?:a|an|the)\s+(?:new\s+)?(?:text\s+|plain\s+)*(?:file|document|note)\s+(?:called|named)\s+)?{FILE}", _keep),
        _rule(rf"(?:add|append)\s+(?:{_LINE})?{_TEXT}\s+to\s+(?:the\s+(?:end|bottom)\s+of\s+)?{FILE}", _into_file),
        _rule(rf"(?:add|append|insert|put|write)\s+(?:{_LINE})?{_TEXT}\s+(?:at|to|on)\s+the\s+(?:(?P<top>top|start|beginning)|end|bottom)\s+of\s+(?!(?:the|this)\s+(?:file|document|text)\b){FILE}", _into_file),
        _rule(rf"{_ADD}\s+(?:{_LINE})?{_TEXT}\s+{_END}", _end),
        _rule(rf"(?:at|to|on)\s+the\s+(?:very\s+)?(?:end|bottom)(?:\s+of\s+{_DOCUMENT})?,?\s+{_ADD}\s+(?:{_LINE})?{_TEXT}", _end),
        _rule(rf"(?:at|on)\s+the\s+(?:very\s+)?(?:top|start|beginning)(?:\s+of\s+{_DOCUMENT})?,?\s+{_ADD}\s+(?:{_LINE})?{_TEXT}", _start),
        _rule(rf"{_ADD}\s+(?:{_LINE})?{_TEXT}\s+{_START}", _start),
        _rule(rf"(?:add|append)\s+{_LINE}{_TEXT}(?:\s+to\s+{_DOCUMENT})?", _end),
        _rule(rf"(?:append|add)\s+(?P<text>{QUOTED})(?:\s+to\s+{_DOCUMENT})?", _end),
        _rule(rf"(?:replace|substitute|swap)\s+{_ALL}(?P<old>{QUOTED}|.+?){_EVERYWHERE}\s+(?:with|by|for)\s+(?:the\s+words?\s+)?(?P<new>{QUOTED}|.+?){_EVERYWHERE}", _replace),
        _rule(rf"(?:change|turn)\s+(?:every|each|all|any)\s+(?:(?:occurrences?|instances?)\s+of\s+)?(?:the\s+words?\s+)?(?P<old>{QUOTED}|.+?){_EVERYWHERE}\s+(?:in)?to\s+(?P<new>{QUOTED}|.+?){_EVERYWHERE}", _replace),
        _rule(rf"(?:change|turn)\s+(?P<old>{QUOTED})\s+(?:in)?to\s+(?P<new>{QUOTED}){_EVERYWHERE}", _replace),
        _rule(rf"(?:delete|remove|erase|cut\s+out|take\s+out)\s+the\s+(?P<nth>{words.ORDINAL})\s+line(?:\s+(?:of|in|from)\s+{_DOCUMENT})?", _delete_line),
        _rule(rf"(?:delete|remove|erase|cut\s+out|take\s+out)\s+line\s+(?:number\s+)?(?P<number>{words.NUMBER})(?:\s+(?:of|in|from)\s+{_DOCUMENT})?", _delete_line),
        _rule(r"(?:delete|remove|erase|cut\s+out|take\s+out)\s+the\s+line\s+(?:with|containing|saying|that\s+(?:says|contains|reads|has)|about|which\s+(?:says|contains|reads))\s+(?P<holding>.+)", _delete_line),
        _rule(rf"(?:delete|remove|erase|take\s+out)\s+(?:every|each|all|any|the)\s+(?:(?:occurrences?|instances?)\s+of\s+)?(?:the\s+)?words?\s+(?P<old>{QUOTED}|\S+)(?:\s+(?:from|in)\s+{_DOCUMENT})?", _delete_word),
    )  # fmt: skip
