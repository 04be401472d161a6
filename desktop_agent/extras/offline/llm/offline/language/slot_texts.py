"""Recognises texts to be typed: quoted, behind a colon, or where the grammar can only mean a text; and names, lines, words."""

from __future__ import annotations

import re
from typing import Any

from desktop_agent.extras.offline.llm.offline import words
from desktop_agent.extras.offline.llm.offline.language.lexicon import lexicon
from desktop_agent.extras.offline.llm.offline.language.said import Text
from desktop_agent.extras.offline.llm.offline.language.slot_words import (
    ASKING,
    DETERMINERS,
    IT,
    LITTLE,
    NEVER_NAMED,
    SHEET,
    TEXT_NOUNS,
    UNNAMED,
    begins_sentence,
    low_text,
    split_pieces,
)
from desktop_agent.extras.offline.llm.offline.language.tokens import Span

_TEXT_NOUN = r"(?:words?|text|sentence|phrase|message|line|following|lines)"
_FREE_OPENERS = re.compile(
    rf"(?:(?:the|this|these|following|just|only)\s+)+{_TEXT_NOUN}(?:\s+(?:saying|that says|that reads|which says|which reads|reading|words))?"
)
_LINES_LED = re.compile(
    r"(?:the |these )?(?:two |three |four |five |following )?(?:lines|entries|items):? (?:: )?"
)
_LINES_TRAILED = re.compile(
    r"(?:, )?(?:all )?(?:one (?:per|on each|to a|on every) line|each (?:on|in) (?:its|a) (?:own )?(?:line|line of its own)|every one on its own line|on separate lines|on lines of their own|line by line|one below the other|one under the other|one item per line|one entry per line|each on a separate line|each on a new line)$"
)
_PLACING = frozenset(("in", "into", "on", "onto", "inside", "to", "from", "within", "under", "with"))
_LONGEST_PIECE = 3
_STRUCTURED = re.compile(
    r"\b(?:per line|own line|separate lines?|line by line|below (?:it|that|each)|underneath (?:it|that)|under (?:it|that)|next line|as a list|in a list|bullets?|bullet points|table|the same|columns?|the lines|but not)\b|\b(?:at|to|near|towards?) the (?:very )?(?:end|bottom|top|start|beginning)\b|\b(?:underneath|below|beneath|above|after|before|beside|next to|on top of|under) (?:the|it|that|all|every|everything|its) (?:last|first|other|others|rest|end|items?|lines?|entry|entries|list|text|heading|next|previous|second|third)\b|\b(?:on|onto|to|in|into) (?:the|my|that|this) (?:[\w-]+ )?(?:list|document|file|text|note|letter|page)$|\bin(?:to)? (?:the|my) (?:[\w-]+ ){0,2}(?:fields?|box|boxes|one|other|next|document|window) and\b|\b(?:in|into) [a-z]{1,2}\d{1,3}$|\b(?:at|to|on) its (?:very )?(?:own )?(?:end|bottom|top|start|beginning|foot)\b|\b(?:in|into|onto|on) (?:there|here|it)$|, but\b|\bbut$|\bagain$"
)
_SAYING = re.compile(
    r"(?:(?:a|an|some|the|one)\s+)?(?:(?:short|little|new|quick)\s+)*(?:text|words?|sentence|line|lines|message|note|phrase)\s+(?:saying|that says|that reads|which says|reading|with the words)\s+"
)
_NO_TEXT = frozenset(
    ("something", "anything", "everything", "nothing", "stuff", "faster", "slower", "quicker", "quickly", "slowly",
     "carefully", "more", "less", "along", "properly", "well", "here", "there", "now", "again")
)  # fmt: skip
_NO_NAME = re.compile(
    r"(?:(?:the|that|this|its|a|an|my|another|some|any|whatever|same|one)(?: \w+)?(?: file)? ?)?names?(?: (?:as before|again|it has|it had))?"
)
_NOTE = re.compile(
    r"(?:(?:a|an|the|another|some|this|one|me a)\s+)?(?:(?:short|quick|little|new|small|brief|simple|text)\s+)*(?:note|memo|letter|message|list|reminder|text|line|shopping list|to-do list|todo list|document|text document)(?:\s+to (?:self|myself))?"
)
_LINE = re.compile(
    r"(?:a|the|one|another|this)\s+(?:new\s+|last\s+|final\s+|further\s+|extra\s+)*(?:line|entry|item)(?:\s+(?:with|saying|that says|that reads|reading|containing|which says|for))?(?:\s+(?:the\s+)?(?:words?|text))?\s+"
)
_OPENERS = re.compile(
    r"(?:this|the following|following|these|exactly this)|(?:(?:the|this|these|following|a|an|one|my|just|only|exactly)\s+)*(?:short |little |quick |new |single )*"
    r"(?:words?|text|sentence|phrase|message|line|note|lines|memo|reminder|string|name|number|value|title|items?|bits?|thing|things|points?|question|greeting|code|password|following)"
    r"(?:\s+(?:saying|that says|that reads|which says|which reads|reading|with|words))?$",
)


def as_quoted(span: Span) -> tuple[Any, int] | None:
    """Words that are marked as words: quoted, or behind a colon."""
    tokens = span.tokens
    if span.literal is not None:
        return Text(span.literal), 5
    if tokens[-1].kind == "quote" and _OPENERS.fullmatch(low_text(span.part(0, -1)).rstrip(" :")):
        return Text(tokens[-1].text[1:-1]), 6
    if (
        len(span) > 2
        and tokens[0].low == "the"
        and tokens[1].low in TEXT_NOUNS
        and tokens[2].text[:1].isupper()
    ):
        found = as_said(span.part(2))  # “the text Buy milk”
        return (found[0], 4) if found else None
    colon = next((at for at, each in enumerate(tokens) if each.low == ":" and each.kind == "mark"), -1)
    if (
        colon >= 0
        and colon + 1 < len(tokens)
        and (not colon or _OPENERS.fullmatch(low_text(span.part(0, colon))))
    ):
        rest = span.part(colon + 1)
        return (Text(rest.literal) if rest.literal is not None else Text(_ended(rest), open=True)), 5
    return None


def _ended(span: Span) -> str:
    """Its text; one full stop at the end of a single sentence is the instruction's."""
    return span.text.strip().rstrip(",;")


def as_free(span: Span) -> tuple[Any, int] | None:
    """Words that are a text because of where they stand."""
    if found := as_quoted(span):
        return found
    lows = span.lows
    if lows[-1] == "down" and len(lows) > 1:
        return None  # “jot milk down”
    if lows[0] in ASKING or lows[0] in ("to", "for", "into") or low_text(span).rstrip(" .!?") in _NO_TEXT:
        return None  # “what the page says”, “to Anna”, “faster” are not what shall be typed
    opened = next(
        (at for at in range(min(len(span) - 1, 6), 0, -1) if _FREE_OPENERS.fullmatch(" ".join(lows[:at]))), 0
    )
    if opened and lows[opened] not in (
        "is",
        "are",
        "was",
        "were",
        "has",
        "will",
        "of",
        "that",
        "which",
        "in",
        "from",
        "on",
    ):
        found = as_said(span.part(opened))
        return (found[0], 3) if found else None
    if said := _SAYING.match(" ".join(lows) + " "):
        span = span.part(len(said[0].split()))
        return as_said(span) if len(span) else None
    if span.tokens[0].low in ("me", "us", "up", "down", "out", "off", "together") or (
        (span.tokens[0].text in DETERMINERS or (span.lows[0] in DETERMINERS and begins_sentence(span)))
        and span.tokens[0].kind == "word"
        and len(span) > 1
    ):
        return None
    if len(span) > 1 and lows[-1] in ("there", "here"):
        return None  # “write hello there” may end with the place
    return as_said(span)


def as_said(span: Span) -> tuple[Any, int] | None:
    """Words behind “saying” and its like: nothing but a text can stand there."""
    if found := as_quoted(span) or as_said_lines(span):
        return found
    if _STRUCTURED.search(low_text(span)) or any(
        len(each) > _LONGEST_PIECE for each in split_pieces(span)[1:]
    ):
        return None  # what follows “and” may be another thing to do
    text = _ended(span)
    if lexicon().describes(text.rstrip(".!?")):
        return None
    if any(each.stop and each.low != "!" for each in span.tokens[:-1]):
        return None  # where one sentence ends another request may begin
    if (
        not text
        or any(each.kind in ("quote", "file") or each.low in ("into", "\n") for each in span.tokens)
        or text[0] in ",;.:"
        or low_text(span) in IT
    ):
        return None
    return Text(text, marked=False, open=True), 1


def as_said_lines(span: Span) -> tuple[Any, int] | None:
    """ "The lines milk, eggs and bread", or "milk and eggs, one per line": each a line of its own."""
    low = low_text(span)
    led, trailed = _LINES_LED.match(low), _LINES_TRAILED.search(low)
    if not led and not trailed:
        return None
    span = span.part(len(led[0].split()) if led else 0, -len(trailed[0].split()) if trailed else None)
    items = [each.literal if each.literal is not None else each.text for each in split_pieces(span)]
    plain = all(each and not _STRUCTURED.search(each.lower()) for each in items)
    return (Text("\n".join(items)), 8) if len(items) > 1 and plain else None


def as_name(span: Span) -> tuple[Any, int] | None:
    """What something new shall be called."""
    if span.literal is not None:
        return span.literal, 5
    if _NO_NAME.fullmatch(low_text(span)):
        return None  # “under the same name” tells no name
    if len(span) == 1 and span.tokens[0].kind == "file":
        return span.text, 5
    if (
        len(span) > 6
        or UNNAMED.search(span.text)
        or any(each.kind == "quote" for each in span.tokens)
        or low_text(span) in IT
    ):
        return None
    if set(span.lows) & (NEVER_NAMED | _PLACING | {"what"}) or any(
        each.kind == "file" for each in span.tokens[:-1]
    ):
        return None
    if span.tokens[-1].kind == "file":
        return None if span.tokens[0].low in DETERMINERS else (span.text, 3)
    return span.text, 2 if len(span) == 1 or span.tokens[0].text[:1].isupper() else 1


def as_new_note(span: Span) -> tuple[Any, int] | None:
    return ("list" if span.lows[-1] == "list" else "note", 3) if _NOTE.fullmatch(low_text(span)) else None


def as_line_text(span: Span) -> tuple[Any, int] | None:
    """ "A line with eggs": the text of a line."""
    found = _LINE.match(low_text(span) + " ")
    rest = span.part(len(found[0].split())) if found else None
    if rest and rest.tokens[0].low == ":":
        rest = rest.part(1)
    if not rest:
        return None
    if rest.literal is None and any(each.kind in ("file", "quote") for each in rest.tokens):
        return None
    if rest.lows[0] in NEVER_NAMED | ASKING | {"that", "of"}:
        return None  # “the line it prints”
    return Text(rest.literal if rest.literal is not None else rest.text), 4


def as_word(span: Span) -> tuple[Any, int] | None:
    """A word or two as they stand."""
    led = re.match(
        r"(?:(?:every|all|each|any)(?: (?:occurrences?|instances?|appearances?|mentions?) of)?(?: the)?(?: (?:words?|names?))?|all the|the (?:words?|names?)|(?:words?|names?)) ",
        low_text(span),
    )
    span = span.part(len(led[0].split())) if led and len(led[0].split()) < len(span) else span
    if span.literal is not None:
        return Text(span.literal), 5
    if len(span) > 3 or any(
        each.kind in ("quote", "mark") or (each.low in IT and len(span) > 1) for each in span.tokens
    ):
        return None
    if low_text(span) in IT:
        return None
    if span.tokens[0].low in DETERMINERS or SHEET.search(low_text(span)) or span.tokens[0].kind == "file":
        return None
    if set(span.lows) & LITTLE:
        return None
    return Text(span.text), 2


def as_line(span: Span) -> tuple[Any, int] | None:
    """A line of a text: its number (-1 the last), or words in it."""
    low = low_text(span)
    if found := re.fullmatch(r"(?:the |its )?(?:very )?(\w+) line", low):
        return ((words.ordinal(found[1]), ""), 6) if words.ordinal(found[1]) else None
    if found := re.fullmatch(r"(?:the )?line (?:number )?(\d{1,4})", low):
        return (int(found[1]), ""), 6
    found = re.match(
        r"(?:the )?line (?:with|that says|that reads|containing|that contains|saying|reading|about|which says)(?: the words?| the text)? ",
        low + " ",
    )
    rest = span.part(len(found[0].split())) if found else None
    if not rest or (rest.literal is None and any(each.kind == "quote" for each in rest.tokens)):
        return None
    return (0, rest.literal if rest.literal is not None else rest.text), 6
