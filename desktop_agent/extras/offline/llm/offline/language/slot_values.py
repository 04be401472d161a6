"""Recognises values: keys, numbers, dates, sums, commands, pairs of fields and values, amounts of scrolling."""

from __future__ import annotations

import re
from typing import Any

from desktop_agent.extras.offline.llm.offline import arithmetic, dates, words
from desktop_agent.extras.offline.llm.offline.language.lexicon import lexicon
from desktop_agent.extras.offline.llm.offline.language.said import Text
from desktop_agent.extras.offline.llm.offline.language.slot_texts import as_quoted
from desktop_agent.extras.offline.llm.offline.language.slot_words import (
    ASKING,
    DETERMINERS,
    IT,
    LITTLE,
    NEVER_NAMED,
    bare,
    low_text,
    masked_of,
    split_pieces,
)
from desktop_agent.extras.offline.llm.offline.language.tokens import Span
from desktop_agent.extras.offline.llm.offline.named import Phrase
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.policy.facts.named_days import MONTHS

_NUMERAL = re.compile(
    r"(?:the )?(?:number )?[-+]?\d+(?:[.,]\d+)*%?(?: ?(?:percent|euros?|dollars?|pounds?|cm|kg|px|pt))?"
)
_COMBINATION = re.compile(
    r"(?:the )?(?:(?:combination|values?|numbers?) )?(?:[\[(] ?)?-?\d+(?: ?(?:,|and|, and) ?-?\d+)+(?: ?[\])])?"
)
_LABELLED = re.compile(
    r"(?:the |my |a )?(user ?name|user|login|password|passphrase|e-?mail(?: address)?|code|pin|pin code|phone(?: number)?|telephone number|city|town|street|zip(?: code)?|postcode|post code|surname|first name|last name|name|age|amount|quantity)\s"
)
_ANOTHER_REQUEST = re.compile(r"\band \w+ (?:the|my|a|an|it|that|this|then)\b|^[-+\d.,%]+ and\b(?! [-+\d])")
"""Words behind “and” that ask for something else: they are no part of a value."""
_MATCH = re.compile(
    r"(?:an?|the|any|some|one)\s+(?:\w+\s+){1,2}(?=(?:that|which|with|starting|beginning|ending|containing|whose)\b)",
    re.I,
)
_MATCH_PART = re.compile(
    r"(?:and\s+)?(?:(?:that|which|whose name)\s+)?(?P<how>starts?|begins?|ends?|contains?|starting|beginning|ending|containing)\s+(?:with\s+|in\s+)?(?:the letters?\s+)?(?P<said>\"[^\"]+\"|“[^”]+”|'[^']+'|[\w-]+)\s*",
    re.I,
)
_DAY = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{'|'.join(MONTHS)})|(?:{'|'.join(MONTHS)}) \d{{1,2}}(?:st|nd|rd|th)?"
)


def as_keys(span: Span) -> tuple[Any, int] | None:
    found = words.chord(span.text)
    return (found, 7 if len(found) > 1 else 6 if len(found[0]) > 1 else 4) if found else None


def as_chord(span: Span) -> tuple[Any, int] | None:
    """Keys that write nothing: several together, or one with a name."""
    found = as_keys(span)
    return found if found and (len(found[0]) > 1 or len(found[0][0]) > 1) else None


def as_times(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(words.TIMES, span.text.strip(), re.I)
    number = words.number(span.text) if found else None
    return (int(number), 5) if number and number >= 1 else None


def as_sum(span: Span) -> tuple[Any, int] | None:
    text = re.sub(
        r"^(?:what(?:ever)? (?:the calculator|it|you) (?:gives?|gets?|shows?|says?|makes?|works? out)(?: you)? (?:for|of|as)|how much|what|the sum|the result of)\s+|\s+(?:is|are|makes?|equals?|comes to|gives|amounts to|add(?:s)? up to)$",
        "",
        span.spoken,
        flags=re.I,
    )
    found = arithmetic.expression(span.spoken) or arithmetic.expression(text)
    return (found, 7) if found else None


def as_spoken_sum(span: Span) -> tuple[Any, int] | None:
    """A sum that is said in words: what is written in signs may be meant to be typed as it stands."""
    words_said = {"times", "plus", "minus", "by", "of", "what", "whatever", "result", "sum", "percent"}
    return as_sum(span) if words_said & set(span.lows) and span.literal is None else None


def as_command(span: Span) -> tuple[Any, int] | None:
    """A command as it is to be entered: quoted, behind “the command”, or plain."""
    if (
        any(each.kind == "quote" for each in span.tokens)
        and span.literal is None
        and not re.match(r"[a-z]", span.text)
    ):
        return None
    if span.literal is not None:
        return span.literal, 4
    if span.lows[0] == ":" and len(span) > 1:
        return as_command(span.part(1))
    lows = span.lows
    if {
        ",",
        "and",
        "there",
        "every",
        "each",
        "daily",
        "hourly",
        "tomorrow",
        "tonight",
        "it",
        "they",
        "you",
    } & set(lows) or lows[0] in IT:
        return None
    if lows[-1] == "?" and span.tokens[-1].kind == "mark":
        span, lows = span.part(0, -1), lows[:-1]
    if not lows:
        return None
    led = re.match(
        r"(?:(?:the|this|a)\s+)?(?:(?:shell|terminal|linux|unix|bash)\s+)?(?:command|script)\s*:?\s*",
        " ".join(lows),
    )
    if led and len(led[0].split()) < len(span):
        rest = span.part(len(led[0].split()))
        return (rest.literal if rest.literal is not None else rest.text), 6
    if (
        led
        or not re.match(r"[a-z./~]", span.text)
        or lows[0] in DETERMINERS
        or lows[0] == "its"
        or low_text(span) in IT
    ):
        return None
    if len(lows) > 1 and lows[-1] == "to":
        return None
    script = len(span) == 1 and re.search(r"\.(?:sh|py|bat|cmd|ps1|pl|rb)$", span.text)
    return span.text, 6 if script else 2


_LONGEST_LISTED = 5
"""Words of the longest value with a comma in it: “Oslo, Norway”."""


_PARTICLES = frozenset(("in", "down", "out", "off", "there", "here", "back"))
_ON_A_LINE = re.compile(r"\b(?:on|as) (?:a|its|the) (?:\w+ )?line\b")


def as_value(span: Span) -> tuple[Any, int] | None:
    """What a field shall show."""
    if found := as_quoted(span):
        return found[0].text, found[1]
    low = low_text(span)
    day = len(span) <= 6 and not (set(span.lows) & {"at", "on", "in"}) and dates.day_of(span.text)
    if _NUMERAL.fullmatch(low) or _COMBINATION.fullmatch(low) or day:
        return span.text, 4
    if words.number(low) is not None and len(span) <= 2:
        return span.text, 3
    if _ANOTHER_REQUEST.search(low) or any(
        each.low == ","
        and next(lexicon().verbs_at(span.lows, at + 1, "base"), None)
        and span.tokens[at + 1].text.islower()
        for at, each in enumerate(span.tokens)
    ):
        return None
    apart = any(each.kind == "quote" or (each.kind == "mark" and each.low in ":;") for each in span.tokens)
    if len(span) > 12 or low in IT or apart or ("," in span.lows and len(span) > _LONGEST_LISTED):
        return None
    if lexicon().describes(span.text.rstrip(".,!?")) and not day:
        return None
    if len(span) > 1 and (span.lows[-1] in _PARTICLES or _ON_A_LINE.search(low)):
        return None  # “put Lena Vogt in as the name”
    if (
        span.tokens[0].low in DETERMINERS
        or span.tokens[0].low in ASKING
        or span.tokens[0].low in LITTLE | {"as", "into"}
        or set(span.lows) & NEVER_NAMED
    ):
        return None
    return span.text.rstrip(","), 2 if len(span) <= 3 else 1


def as_order(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(r"(?:the |their |its )?(name|size|date|type|kind|age)s?", low_text(span))
    return ({"kind": "type", "age": "date"}.get(found[1], found[1]), 6) if found else None


def as_extreme_files(span: Span) -> tuple[Any, int] | None:
    """ "The biggest files": what files are sorted by, and whether from the most to the least."""
    found = re.fullmatch(
        r"(?:the )?(biggest|largest|smallest|newest|latest|oldest)(?: (?:files?|ones?|documents?|items?))?",
        low_text(span),
    )
    if not found:
        return None
    key = "date" if found[1] in ("newest", "latest", "oldest") else "size"
    return (key, found[1] not in ("smallest", "oldest")), 6


def as_seconds(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:for )?(.+?) ?(ms|milliseconds?|s|secs?|seconds?|moments?|minutes?|mins?)", low_text(span)
    )
    if not found:
        return None
    number = 0.5 if found[1] in ("half a", "a half") else words.number(found[1])
    unit = 0.001 if found[2].startswith(("ms", "mil")) else 60.0 if found[2].startswith("min") else 1.0
    return (number * unit, 6) if number is not None else None


def as_numbers(span: Span) -> tuple[Any, int] | None:
    """ "Three numbers: 18.5, 24.3 and 7.25"."""
    led = re.match(
        r"(?:the |these |those |some |two |three |four |five |six )?(?:following )?(?:numbers|figures|amounts|values|prices|sums)(?: here)? ?:? ",
        low_text(span),
    )
    rest = span.part(len(led[0].split())) if led else None
    pieces = split_pieces(rest) if rest else []
    plain = all(len(each) == 1 and each.tokens[0].kind == "number" for each in pieces)
    return (tuple(each.text for each in pieces), 8) if len(pieces) > 1 and plain else None


def as_amounts(span: Span) -> tuple[Any, int] | None:
    """ "18.5 for lunch, 24.3 for the taxi and 7.25": the numbers of what was spent or counted."""
    pieces = split_pieces(span)
    numbers = [each for each in pieces if each.tokens[0].kind == "number" and len(each) <= 6]
    plain = len(numbers) == len(pieces) > 1 and all(
        token.kind == "word" and token.low not in ("with", "each", "per", "of", "times")
        for each in pieces
        for token in each.tokens[1:]
    )
    return (tuple(each.tokens[0].text for each in numbers), 8) if plain else None


def as_number_reference(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:all )?(?:of )?(?:the|these|those|my)(?: two| three| four| five| six)?(?: numbers| figures| amounts| values| prices| sums)?",
        low_text(span),
    )
    return (True, 4) if found else None


def as_operands(span: Span) -> tuple[Any, int] | None:
    figures = [each for each in span.tokens if each.kind == "number" or words.number(each.low) is not None]
    return (span.text, 2 * len(figures)) if len(figures) >= 2 else None


def as_numeral(span: Span) -> tuple[Any, int] | None:
    return (
        (Text(span.text), 3)
        if _NUMERAL.fullmatch(low_text(span)) and any(each.kind == "number" for each in span.tokens)
        else None
    )


def as_short_value(span: Span) -> tuple[Any, int] | None:
    """A value of a word or three that goes into a field."""
    found = (
        as_value(span) if len(span) <= 3 and not any(each.kind == "file" for each in span.tokens) else None
    )
    return (Text(found[0]), 2) if found else None


def as_labelled(span: Span) -> tuple[Any, int] | None:
    """ "The username bob": what is entered, and what it is."""
    found = _LABELLED.match(low_text(span) + " ")
    rest = span.part(len(found[0].split())) if found else None
    if rest and rest.tokens[0].low == ":":
        rest = rest.part(1)
    value = as_credential(rest) if rest else None
    return ((found[1], value[0]), 8) if found and value else None


def as_pairs(span: Span) -> tuple[Any, int] | None:
    """ "Name = Ada; City = Paris": fields, each with its value."""
    found: list[tuple[Phrase, str]] = []
    for piece in map(bare, split_pieces(span)):
        at = next(
            (
                n
                for n, each in enumerate(piece.tokens)
                if each.low in (":", "=") or (n and each.low in ("is", "as"))
            ),
            0,
        )
        label, value = (piece.part(0, at), piece.part(at + 1)) if at else _label_apart(piece)
        read = (
            _paired(value, marked=piece.lows[at] in (":", "="))
            if label and value and len(label) <= 4
            else None
        )
        if read is None or label is None or label.lows[0] in ("not", "no", "never", "without", "except"):
            return None
        text, masked = masked_of(label)
        found.append((phrase(text, masked), read[0]))
    return (tuple(found), 4 + 4 * len(found)) if found else None


def _paired(value: Span, *, marked: bool) -> tuple[str, int] | None:
    """The value of a field, which may be any words behind a colon."""
    if marked and value.literal is None and not any(each.kind == "quote" for each in value.tokens):
        return value.text, 2
    return as_value(value)


def as_my_details(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"that|this|these|those|it|them|my (?:details|data|name and (?:e-?mail|address))", low_text(span)
    )
    return (True, 3) if found else None


def as_proper_value(span: Span) -> tuple[Any, int] | None:
    """A value that is a name, a number or a quotation."""
    found = as_value(span) if len(span) <= 4 else None
    named = span.tokens[0].kind != "word" or span.tokens[0].text[:1].isupper() or "@" in span.tokens[0].text
    return found if named and not arithmetic.expression(span.text) else None


def as_pairs_apart(span: Span) -> tuple[Any, int] | None:
    """Pairs in round brackets."""
    if len(span) < 4 or span.lows[0] != "(" or span.lows[-1] != ")":
        return None
    return as_pairs(span.part(1, -1))


def _label_apart(piece: Span) -> tuple[Span | None, Span | None]:
    found = _LABELLED.match(low_text(piece) + " ")
    size = len(found[0].split()) if found else 1
    return (piece.part(0, size), piece.part(size)) if len(piece) > size else (None, None)


def as_match(span: Span) -> tuple[Any, int] | None:
    """ "An item that starts with Sa and ends with ino": how what is meant starts, ends or goes on."""
    found = _MATCH.match(span.text)
    if not found or not len(found[0].strip()):
        return None
    parts: dict[str, str] = {}
    for each in _MATCH_PART.finditer(span.text[found.end() :]):
        how = (
            "starts"
            if each["how"].lower().startswith(("start", "begin"))
            else "ends"
            if each["how"].lower().startswith("end")
            else "contains"
        )
        parts[how] = each["said"].strip("\"“”'‘’").rstrip(".")
    rest = _MATCH_PART.sub("", span.text[found.end() :]).strip()
    return (parts, 8) if parts and not rest else None


def as_date(span: Span) -> tuple[Any, int] | None:
    if len(span) > 6 or not re.search(r"\d", span.text):
        return None
    return (span.text, 6) if dates.day_of(span.text) or _DAY.fullmatch(low_text(span)) else None


def as_labelled_date(span: Span) -> tuple[Any, int] | None:
    found = re.match(r"(?:the )?((?:\w+ ){0,2}date) (?:to )?", low_text(span) + " ")
    rest = span.part(len(found[0].split())) if found else None
    date = as_date(rest) if rest else None
    return ((Phrase(found[1], spoken=found[1]), date[0]), 7) if found and date else None


def as_point(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:at |on )?(?:the (?:point|pixel|position|coordinates) )?\(? ?(\d{1,5}) ?,? ?(\d{1,5}) ?\)?",
        low_text(span),
    )
    return (
        ((int(found[1]), int(found[2])), 7)
        if found and " " in span.text.strip("()").replace(",", ", ")
        else None
    )


def as_direction(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:a bit |a little |further |a little bit |a lot )?(up|down|left|right|upwards?|downwards?)(?: a bit| a little| a little bit| further| a lot| some more)?",
        low_text(span),
    )
    return (found[1].removesuffix("s").removesuffix("ward"), 5) if found else None


def as_scroll_amount(span: Span) -> tuple[Any, int] | None:
    low = low_text(span).removeprefix("by ")
    if re.fullmatch(r"a (?:little )?bit|a little|slightly|a touch", low):
        return (3, "notches"), 4
    if low in ("a lot", "far", "a good bit", "much further"):
        return (15, "notches"), 4
    found = re.fullmatch(
        r"(.+?)(?: ?(notch(?:es)?|steps?|clicks?|lines?|pages?|screens?|times|x|whole pages?|full pages?))?",
        low,
    )
    number = words.number(found[1]) if found else None
    if not found or number is None:
        return None
    return (int(number), "pages" if re.search("page|screen", found[2] or "") else "notches"), 4


def as_scroll_end(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:the )?(?:very )?(bottom|end|top|beginning|start|foot|head)(?: of (?:the|this) (?:page|document|list|window|file|text|site|article|form))?",
        low_text(span),
    )
    return ("up" if found[1] in ("top", "beginning", "start", "head") else "down", 6) if found else None


def as_credential(span: Span) -> tuple[Any, int] | None:
    if span.literal is not None:
        return span.literal, 4
    return (span.text, 3) if len(span) == 1 and span.tokens[0].kind != "quote" else None
