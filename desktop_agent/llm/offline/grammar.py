"""Reads an instruction in everyday English: text → a tuple of intents, in the order they are to be done."""

from __future__ import annotations

import re
from dataclasses import dataclass

import msgspec

from desktop_agent.llm.offline import (
    apps,
    composing,
    rules_fill,
    rules_form,
    rules_page,
    rules_text,
    words,
)
from desktop_agent.llm.offline.binding import bind
from desktop_agent.llm.offline.clause import LEAD, TAIL, clause
from desktop_agent.llm.offline.intents import (
    Check,
    Choose,
    Click,
    Compute,
    CreateFolder,
    Drag,
    Fill,
    Hover,
    Intent,
    Menu,
    Open,
    Press,
    Read,
    Save,
    Scroll,
    Search,
    Submit,
    TypeText,
    Unknown,
    WaitFor,
)
from desktop_agent.llm.offline.intents_desk import Rows
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.pronouns import bind_pronouns
from desktop_agent.llm.offline.quoting import Masked, mask
from desktop_agent.llm.offline.rules_text import place

MAX_INSTRUCTION = 20_000
MAX_CLAUSES = 200

_SEPARATOR = re.compile(
    r"(\s*(?:;|\n)\s*(?:and\s+then\s+|and\s+|then\s+)?|\.\s+(?:and\s+then\s+|then\s+)?|(?<=[!?])\s+(?:and\s+then\s+|then\s+)?"
    r"|\s*,\s*(?:and\s+then|and\s+finally|and|then|finally)?\s+|\s+(?:and\s+then|and\s+finally|and\s+also|and|then|followed\s+by|before)\s+)",
    re.I,
)
_LIST_MARK = re.compile(r"^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+", re.M)
_LEAD_IN = re.compile(r"(?:if|when|once|after|as soon as|unless)\s", re.I)
_WHERE = re.compile(r"(?:in|into|on|at|for|inside|within|using|with|from)\s+(?P<place>[^,]+?),?", re.I | re.S)
_PLACE = re.compile(r"\b(?:field|box|bar|dialog|window|menu|list|form|browser|editor|page|calculator)$", re.I)
_SUFFIX = re.compile(r"\.\w{1,5}$")
_RENAMING = re.compile(
    r"^(?:and )?(?:call|name|title)(?:ing)? (?:it|this|that|the (?:file|folder|document|directory))\s+(?:as\s+)?(?P<name>.+)$",
    re.I | re.S,
)


@dataclass(frozen=True)
class Clause:
    """A piece of the instruction (quotations masked) and what it asks for.

    `tail` are words that were found to belong to it afterwards; they are read with it in the end.
    """

    text: str
    intents: tuple[Intent, ...]
    tail: str = ""


def parse(text: str) -> tuple[Intent, ...]:
    """All that an instruction asks for, in order; what is not understood is there as Unknown.

    Never raises for any text; text beyond MAX_INSTRUCTION characters is an Unknown of its own.
    """
    if len(text) > MAX_INSTRUCTION:
        return (Unknown(text[:200] + "…", "That is too long for me."),)
    masked = _without_list_marks(mask(re.sub(r"\bdrag and drop\b", "drag", text.strip(), flags=re.I)))
    masked = composing.simplified(masked)
    found = [intent for clause in clauses(masked) for intent in clause.intents]
    return bind(composing.bind_results(bind_pronouns(found)))


def _without_list_marks(masked: Masked) -> Masked:
    """A list's numbers and bullets say nothing, when its first line has one too."""
    if not _LIST_MARK.match(masked.text):
        return masked
    return Masked(_LIST_MARK.sub("", masked.text), masked.quotes)


def clauses(masked: Masked) -> tuple[Clause, ...]:
    """The instruction in clauses: split only where what follows is a clause of its own."""
    done: list[Clause] = []
    pieces = _SEPARATOR.split(masked.text)
    texts, separators = pieces[0::2], ["", *pieces[1::2]]
    waiting = ""
    for text, separator in zip(texts, separators, strict=True):
        if not text.strip() and not (done and _takes_more(done[-1], text)):
            continue
        if waiting:
            text, separator, waiting = waiting + separator + text, "", ""
        elif text is not texts[-1] and _is_lead_in(text, done) and clause(text, masked) is None:
            waiting = text
            continue
        _add(done, text, separator, masked)
        if len(done) > MAX_CLAUSES:
            break
    if waiting:
        _add(done, waiting, " ", masked)
    return tuple(_whole(each, masked) for each in done)


def _is_lead_in(text: str, done: list[Clause]) -> bool:
    """ "In the Name field, …" and "If a dialog appears, …" belong to what follows."""
    body = LEAD.sub("", text.strip() + " ").strip()
    if _LEAD_IN.match(body):
        return True
    if not _WHERE.fullmatch(body):
        return False
    return bool(_PLACE.search(body)) or not (done and _is_open_ended(done[-1]))


def _add(done: list[Clause], text: str, separator: str, masked: Masked) -> None:
    previous = done[-1] if done else None
    amended = _amended(previous, text, separator, masked) if previous else None
    if amended:
        done[-1] = amended
        return
    intents = clause(text, masked)
    if intents is None and previous:
        intents = _continuation(previous, text, separator, masked)
    if intents is None:
        intents = _run_on(text, masked)
    if intents is not None:
        done.append(Clause(text, intents))
    elif previous and _takes_more(previous, text):
        done[-1] = Clause(previous.text, previous.intents, previous.tail + separator + text)
    elif text.strip(" .,;:!?-"):
        done.append(Clause(text, (Unknown(masked.restore(text.strip())),)))


def _run_on(text: str, masked: Masked) -> tuple[Intent, ...] | None:
    for one, other in composing.run_on(text):
        first, second = clause(one, masked), clause(other, masked)
        if first and second:
            return (*first, *second)
    return None


def _amended(previous: Clause, text: str, separator: str, masked: Masked) -> Clause | None:
    """ "… and call it notes.txt" names what the clause before saved or made; "…, then Folder" goes on in a menu."""
    if previous.intents and re.search(r"\bthen\b", separator, re.I) and clause(text, masked) is None:
        longer = _longer_path(previous.intents[-1], masked.literal(text.strip().rstrip(".!"))[0])
        return Clause(previous.text, (*previous.intents[:-1], longer)) if longer else None
    named = _RENAMING.match(LEAD.sub("", text.strip()).rstrip(".!,;"))
    last = previous.intents[-1] if previous.intents else None
    if not named or not isinstance(last, Save | CreateFolder):
        return None
    name = masked.literal(named["name"])[0]
    return Clause(previous.text, (*previous.intents[:-1], msgspec.structs.replace(last, name=name)))


def _longer_path(last: Intent, name: str) -> Menu | None:
    """ "Choose Create New, then Folder" is a way through a menu."""
    if not _is_name(name):
        return None
    if isinstance(last, Menu):
        return Menu((*last.path, name))
    if isinstance(last, Choose) and not last.option.kind:
        return Menu((*((last.source,) if last.source else ()), last.option.spoken, name))
    return None


def _whole(clause_so_far: Clause, masked: Masked) -> Clause:
    """The clause read again with the words that turned out to belong to it."""
    if not clause_so_far.tail:
        return clause_so_far
    joined = clause_so_far.text + clause_so_far.tail
    intents = clause(joined, masked)
    if intents is None and isinstance(clause_so_far.intents[-1], Fill):
        last = clause_so_far.intents[-1]
        value = last.value + masked.restore(clause_so_far.tail)
        intents = (*clause_so_far.intents[:-1], msgspec.structs.replace(last, value=value))
    return Clause(joined, intents if intents is not None else (Unknown(masked.restore(joined.strip())),))


def _is_open_ended(previous: Clause) -> bool:
    return bool(previous.intents) and isinstance(previous.intents[-1], TypeText | Search | Fill | Unknown)


def _takes_more(previous: Clause, text: str) -> bool:
    """May words that are no clause of their own belong to the clause before?"""
    if not previous.intents:
        return False
    last, count = previous.intents[-1], len(text.split())
    if rules_fill.goes_on(last, previous.text, text):
        return True
    if isinstance(last, Save):
        return bool(last.name) and not _SUFFIX.search(last.name) and bool(re.search(r"\.\w{1,5}\W*$", text))
    if isinstance(last, TypeText | Search | Fill):
        return not previous.text.rstrip().endswith("\x03")
    if isinstance(last, Open):
        return count <= 3 and not (apps.sort_of(last.what) or _SUFFIX.search(last.what))
    if isinstance(last, Submit):
        return bool(re.match(r"(?:with |using |the )*password\b", text.strip(), re.I))
    if isinstance(last, Click | Check | Choose | Drag | Hover | CreateFolder):
        return count <= _most_more(previous.text, text) and not previous.text.rstrip().endswith("\x03")
    return isinstance(last, Compute | Read | Unknown | Scroll | WaitFor | Rows)


def _is_name(body: str) -> bool:
    """Do the words look like a name on the screen: capitalised, quoted or with an article?"""
    return len(body.split()) <= 4 and bool(re.match(r"[A-Z\x02]|the\s", body))


def _most_more(before: str, more: str) -> int:
    """How many words may go on with a name: few when they do not look like a part of it ("OK and dance …")."""
    capital = before.split()[-1][:1].isupper() if before.split() else False
    return 2 if capital and more.strip()[:1].islower() else 4


def _continuation(previous: Clause, text: str, separator: str, masked: Masked) -> tuple[Intent, ...] | None:
    """A clause without its verb: "…and the email with a@b.c", "…, tab, enter"."""
    if not previous.intents:
        return None
    last, body = previous.intents[-1], text.strip().rstrip(".!,;")
    filling = rules_fill.continuation(last, body, masked)
    if filling:
        return filling
    if isinstance(last, Press):
        keys = words.chord(masked.literal(TAIL.sub("", body))[0])
        return (Press(keys),) if keys else None
    if isinstance(last, Fill):
        each = rules_page.as_field(body, masked) or rules_form.pair(body, masked)
        return (each,) if each else None
    named = re.search(r"\bthen\b", separator, re.I) and _is_name(body)
    if named and isinstance(last, Click | Hover):
        return (Click(phrase(body, masked)),)
    if isinstance(last, Open) and apps.sort_of(body):
        return clause(f"open {text.strip()}", masked)
    if isinstance(last, TypeText) and last.into:
        found = re.fullmatch(
            r"(?P<text>.+?)\s+(?:into|in|for|as)\s+(?P<into>(?:the\s+)?.+)", body, re.I | re.S
        )
        if found and (last.sure or "into" in body):
            return (
                TypeText(rules_text.text_of(found["text"], masked), place(found["into"], masked), last.sure),
            )
    return None
