"""Clauses that carry free text: type, write, search."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from desktop_agent.llm.offline import words
from desktop_agent.llm.offline.intents import Intent, Open, Press, Save, Scroll, Search, TypeText, Unknown
from desktop_agent.llm.offline.quoting import QUOTED, Masked

Builder: TypeAlias = "Callable[[re.Match[str], Masked], tuple[Intent, ...] | None]"
Rule: TypeAlias = tuple[re.Pattern[str], Builder]
ReadClause: TypeAlias = "Callable[[str, Masked], tuple[Intent, ...] | None]"
"""Reads one clause; passed to the rules whose clauses hold others, because it is made of all rules."""

_PLACE_NOUN = (
    r"(?:field|box|input|area|bar|entry|editor|document|window|cell|form|text ?box|text ?area|prompt|terminal|console|"
    r"app|application|program|file|page|calculator|notepad|dialog)"
)
_FREE_NOUN = r"(?:text|words?|sentence|phrase|letters?|characters?|string|following(?: text| words?| sentence| message)?)"
_SAYING = r"(?:saying|(?:that|which) (?:says?|reads?)|reading)"
# What comes before the words themselves: "the text …", "the message: …", "a note saying …", "this: …".
_OPENER = re.compile(
    rf"^(?:the|this|these|some)\s+{_FREE_NOUN}(?:\s+{_SAYING})?(?:\s*:\s*|\s+)(?=\S)"
    rf"|^(?:(?:the|this|a|an|my)\s+)?(?:{_FREE_NOUN}|message|line|note|comment|title)\s*(?::\s*|\s{_SAYING}\s*:?\s*|\s(?=\x02))"
    rf"|^(?:this|that|following)\s*:\s*|^(?:(?:me|down|out|up)\s+)?(?:a|an|the|some)\s+(?:\w+\s+){{1,2}}?{_SAYING}\s*:?\s+|^:\s*",
    re.I,
)
_COMPOSE = re.compile(
    r"^(?:me\s+)?(?:an?|some|the)\s+(?:\w+\s+){0,3}(?:poem|story|letter|essay|e-?mail|summary|article|report|song|haiku|list|"
    r"paragraph|text|joke|program|script|reply|description|review|speech|note|message|function)s?\s+(?:about|on|of|describing|for|in which|to|explaining)\b",
    re.I,
)
_NEW_LINE = re.compile(r"\s+(?:on|in|at) (?:a|the) (?:new|next) line$", re.I)
_COMPOSING = "I can type words that you give me, but I do not write texts of my own."


def _rule(pattern: str, build: Builder) -> Rule:
    return re.compile(pattern, re.I | re.S), build


def place(fragment: str, masked: Masked) -> str:
    """The bare name of a place: "the Name field" → Name field."""
    return masked.literal(re.sub(r"^(?:the|a|an|my|your|this)\s+", "", fragment.strip(), flags=re.I))[0]


def text_of(fragment: str, masked: Masked) -> str:
    """The words to type: a quotation without its marks, or the rest as it was written.

    A single full stop at the end is the instruction's, unless the text has several sentences.
    """
    body = _OPENER.sub("", fragment.strip(), count=1) or fragment
    body = body.strip()
    stripped = re.sub(r"\s*[.,;]$", "", body)
    literal, quoted = masked.literal(stripped)
    if quoted:
        return literal
    sentences = re.search(r"[.!?]\s", body)
    return masked.restore(
        stripped if body.endswith(".") and not body.endswith("..") and not sentences else body
    )


def _typed(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    body = found["obj"].strip()
    keys = words.chord(body) if "+" in body else None
    if keys:
        return (Press(keys),)
    if not re.match(QUOTED, body) and _COMPOSE.match(body):
        return (Unknown(masked.restore(found[0]), _COMPOSING),)
    line = _NEW_LINE.search(body)
    body = body[: line.start()] if line else body
    typing = _into(body, masked, bool(line))
    return (referred(typing, body),)


def _into(body: str, masked: Masked, line_first: bool) -> TypeText:
    for pattern, sure in _INTO:
        found = pattern.fullmatch(body)
        if found:
            text = text_of(found["text"], masked)
            whole = "" if sure else text_of(body, masked)
            return TypeText(text, place(found["into"].rstrip("."), masked), sure, whole, line_first)
    return TypeText(text_of(body, masked), line_first=line_first)


_NOUN = r"(?:user ?name|pass ?word|e-?mail(?: address)?|(?:first |last )?name|code|pin|phone(?: number)?|address|city|zip code|amount|number)"
_NAMED = re.compile(
    rf"(?:the|my|your)\s+(?P<into>{_NOUN})\s+(?!in\b|into\b|on\b|and\b)(?P<text>\S.*)", re.I | re.S
)
_INTO = (
    (re.compile(rf"(?P<text>{QUOTED})[,.]?\s+(?:in|into|inside|on|to|at|for|as)\s+(?P<into>.+)", re.I | re.S), True),
    (re.compile(r"(?P<text>.+)\s+into\s+(?P<into>.+)", re.I | re.S), True),
    (re.compile(rf"(?P<text>.+)\s+(?:in|on|to)\s+(?P<into>the\s+{_PLACE_NOUN}\s+(?:labell?ed|called|named|for|next to|below|beside|under|marked|with|that)\s+.+)", re.I | re.S), True),
    (re.compile(rf"(?P<text>.+)\s+(?:in|inside|on|to)\s+(?P<into>(?:the|my|this)\s+(?:\S+\s+){{0,3}}?{_PLACE_NOUN})\.?", re.I | re.S), True),
    (re.compile(r"(?P<text>.+)\s+(?:in|on|as|for)\s+(?P<into>[^\s,.;!?]+(?:\s+[^\s,.;!?]+){0,3})\.?", re.I | re.S), False),
)  # fmt: skip


def _entered(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Enter the username bob": bob, into the field of that name if one is seen."""
    named = _NAMED.fullmatch(found["obj"].rstrip("."))
    if not named:
        return None
    text = text_of(named["text"], masked)
    return (TypeText(text, place(named["into"], masked), False, text),)


def _typed_at(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (TypeText(text_of(found["obj"], masked), place(found["into"], masked)),)


def _typed_file(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """Words for a file come from the text editor: open it, type, save."""
    text = text_of(found["text"], masked)
    said = found["folder"]
    folder = words.folder(masked.literal(said)[0]) if said else ""
    name = masked.literal(found["name"])[0].rstrip(".,")
    return (Open("text editor"), referred(TypeText(text), found["text"]), Save(name, folder))


def _typed_new(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (Open("text editor"), referred(TypeText(text_of(found["text"], masked)), found["text"]))


def referred(typing: TypeText, said: str) -> TypeText:
    """ "Type the result" means what was worked out, not these words; in quotation marks they are the words."""
    if re.search(QUOTED, said):
        return typing
    if re.fullmatch(_RESULT, typing.text, re.I):
        return TypeText("", typing.into, typing.sure, line_first=typing.line_first, result=True)
    if typing.into and re.fullmatch(_REFERRING, typing.text, re.I):
        return msgspec.structs.replace(typing, result=True)  # if something was read before
    return typing


_RESULT = r"(?:the |that |your |my )?(?:result|answer|sum|outcome|solution)(?: (?:there|here))?"
_REFERRING = r"it|that|this|them|what you (?:found|read|copied)|(?:the|that|this) (?:word|letter|value|number|text|sentence|line|name)"


def _put(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (TypeText(text_of(found["obj"], masked), place(found["into"].rstrip("."), masked)),)


def _search(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    body = found["obj"].strip()
    groups = found.groupdict()
    if groups.get("place"):
        return (Search(text_of(body, masked), place(groups["place"], masked)),)
    for pattern, sure in _SEARCH_IN:
        inner = pattern.fullmatch(body)
        if inner:
            whole = "" if sure else text_of(body, masked)
            return (
                Search(
                    text_of(inner["text"], masked), place(inner["place"].rstrip("."), masked), sure, whole
                ),
            )
    return (Search(text_of(body, masked)),)


_SEARCH_IN = (
    (re.compile(rf"(?P<text>{QUOTED})\s+(?:in|on|using|with|via|at)\s+(?P<place>.+)", re.I | re.S), True),
    (re.compile(r"(?P<text>.+)\s+(?P<place>online)\.?", re.I | re.S), True),
    (re.compile(r"(?P<text>.+)\s+(?:in|on|using|with|via)\s+(?P<place>(?:the\s+)?(?:web|internet|browser|page|google|site|website|search (?:box|bar|field)|web browser))\.?", re.I | re.S), True),
    (re.compile(r"(?P<text>.+)\s+(?:in|on|using|with|via)\s+(?P<place>\S+(?:\s+\S+){0,2})", re.I | re.S), False),
)  # fmt: skip


def _find(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (Scroll(until=place(found["obj"], masked)),)


RULES: tuple[Rule, ...] = (
    _rule(rf"(?:save|store|write|put)\s+(?P<text>(?:the |that |this )(?:result|answer|sum))\s+(?:as|in|to|into)\s+(?:a\s+(?:new\s+)?(?:text\s+)?file\s+(?:called|named)\s+)?(?P<name>{QUOTED}|[\w-]+\.\w{{1,5}})(?:\s+(?:in|on|to)\s+(?P<folder>.+?))?\.?", _typed_file),
    _rule(r"(?:write|type|put|enter)\s+(?P<text>.+?)\s+(?:in|into|to)\s+a\s+(?:new|blank|empty|fresh)\s+(?:text\s+)?(?:file|document|note)\.?", _typed_new),
    _rule(rf"(?:write|type|put|save|enter)\s+(?P<text>.+?)\s+(?:in|into|to)\s+a\s+(?:new\s+)?(?:text\s+)?(?:file|document)\s+(?:called|named)\s+(?P<name>{QUOTED}|\S+?)(?:\s+(?:in|on|to)\s+(?P<folder>.+?))?\.?", _typed_file),
    _rule(r"enter\s+(?P<obj>(?:the|my|your)\s+.+)", _entered),
    _rule(r"(?:in|into|inside|at|on|to|for)\s+(?P<into>(?:the\s+)?[^,]+?),?\s+(?:type|enter|write|put|input|insert)(?:\s+in)?\s*:?\s+(?P<obj>.+)", _typed_at),
    _rule(rf"(?:type|write|enter|input|key|insert)\s+(?:in|into|in to)\s+(?P<into>(?:the\s+)?(?:\S+\s+){{0,3}}?{_PLACE_NOUN})\s*[:,]?\s+(?P<obj>.+)", _typed_at),
    _rule(r"(?:type|write|enter|input|key)\s+(?:in|into|in to)\s+(?P<into>[^:,]+)\s*[:,]\s+(?P<obj>.+)", _typed_at),
    _rule(r"(?:put|insert|place)\s+(?P<obj>.+?)\s+(?:in|into|inside)\s+(?P<into>.+)", _put),
    _rule(r"(?:type|write|key|input)\s+(?:in|out|down)\s*:?\s+(?P<obj>.+)", _typed),
    _rule(r"(?:type|write|enter|input|insert)\s*:?\s+(?P<obj>.+)", _typed),
    _rule(r"(?:do a |run a |perform a )?(?:web )?(?:search|look|google|query|hunt|searching)\s+(?!(?:for|up)\b)(?:in\s+|on\s+)?(?P<place>.+?)\s+for\s+(?P<obj>.+)", _search),
    _rule(r"(?:do a |run a |perform a )?(?:(?:web|google|internet) )?(?:search|query)(?:\s+for)?\s*:?\s+(?P<obj>.+)", _search),
    _rule(r"(?:google|look\s+up|search\s+up|search\s+out)\s+(?P<obj>.+)", _search),
)  # fmt: skip

FIND: tuple[Rule, ...] = (_rule(r"(?:find|locate|look\s+for)\s+(?P<obj>.+)", _find),)
