"""Recognises what an argument of a verb can be: a file, a folder, an application, a text, a thing on the screen.

Each type takes all the words of its span, or none. How much a type weighs says how closed it is: a file's
name is hardly anything else, while any words may name a thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from desktop_agent.llm.offline import apps, arithmetic, dates, words
from desktop_agent.llm.offline.intents import Phrase
from desktop_agent.llm.offline.language.lexicon import lexicon
from desktop_agent.llm.offline.language.tokens import Span
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked, mask

WEIGHTS = {"flag": 4}
_LONGEST_NAME = 12
"""Words of the longest name of a folder."""


class FileSaid(msgspec.Struct, frozen=True):
    """A file or folder as it was named: its name, the folder ("" when that was not said), and whether it is a folder."""

    name: str
    folder: str = ""
    is_folder: bool = False


class Reference(msgspec.Struct, frozen=True):
    """Words that stand for something said before: "it", "there", "the result" (which is `named`)."""

    to: str
    named: bool = False


class Text(msgspec.Struct, frozen=True):
    """Words to be typed, whether they were marked as such (quoted, or behind a colon), and whether their end is `open`."""

    text: str
    marked: bool = True
    open: bool = False


_DETERMINERS = frozenset(
    ("the", "my", "our", "a", "an", "this", "that", "your", "his", "her", "their", "another", "some", "any")
)
_IT = frozenset(("it", "this", "that", "them", "these", "those", "this one", "that one", "the same"))
_DOCUMENT = re.compile(
    r"(?:(?:the|this|that|my|its)\s+)?(?:new\s+|current\s+|open\s+|whole\s+|same\s+)?"
    r"(?:file|document|note|text|page|letter|list|memo|work|changes|everything|all of it|lot)(?:\s+(?:i|we)\s+have\s+open)?",
)
_THERE = re.compile(r"there|in there|(?:the|that|this)\s+(?:new\s+|same\s+)?(?:folder|directory|place)|it")
_RESULT = re.compile(
    r"(?:(?:the|that|this|its|your|whatever)\s+)?(?:final\s+|whole\s+)?(?:result|answer|outcome|output|sum|total|value|number|figure|listing|amount)s?"
    r"|what (?:it|that|this|the command|the terminal|the calculator) (?:prints?|says?|shows?|outputs?|gives?|comes? (?:out|up)(?: with)?|answers?|tells? you)"
    r"|what (?:you|it) (?:get|gets|got|find|found|read|comes to)|what comes (?:out|back|up)|it|that|this|how (?:much|many) (?:it|that) (?:is|makes|comes to)"
)
_TRASH = re.compile(
    r"(?:(?:the|my)\s+)?(?:trash|bin|wastebasket|waste\s*(?:paper\s*)?basket|rubbish(?:\s+bin)?|recycle\s+bin|recycling(?:\s+bin)?|trash\s*can|dustbin|garbage)"
)
_FILE_NOUN = r"(?:(?:text|plain|csv|existing|little|small|new|empty|blank|fresh|short)\s+)*(?:file|document|doc|note|spreadsheet|sheet|list|letter|one|picture|photo|image)"
_NAMED = r"(?:called|named|titled|with the name|by the name of|that is called|that's called|which is called|i called|under the name(?: of)?)"
_FOLDER_NOUN = r"(?:folder|directory|subfolder|sub-folder|dir)"
_IN = r"(?:in|inside|within|from|under|out of|on|of)"
_NUMERAL = re.compile(
    r"(?:the )?(?:number )?[-+]?\d+(?:[.,]\d+)*%?(?: ?(?:percent|euros?|dollars?|pounds?|cm|kg|px|pt))?"
)
_COMBINATION = re.compile(
    r"(?:the )?(?:(?:combination|values?|numbers?) )?(?:[\[(] ?)?-?\d+(?: ?(?:,|and|, and) ?-?\d+)+(?: ?[\])])?"
)
_UNNAMED = re.compile(r"[,;:!?\n]")
_UNNAMELY = re.compile(
    r"(?<![\w.])(?:a|an)(?=\s)|(?:^|\s)(?:the|with|of|both|each|every)$|^(?:at|to|in|into|onto|none|no|not|don't|do not|leave)\b|[()]"
    r"|\b(?:that|which|who)\s+(?:begins?|starts?|ends?|contains?|has|have)|\b(?:upper|lower|title)\s?case\b|^(?:all )?(?:caps|capitals|capital letters)$|\bcase letters\b"
    r"|^(?:each|all|both|every|none|any) of\b|^(?:all|both|every|each)\b|\bwith the\b|\bfrom the\b|\bform\b|^nothing$"
)
_TEXT_NOUN = r"(?:words?|text|sentence|phrase|message|line|following|lines)"
_FREE_OPENERS = re.compile(
    rf"(?:(?:the|this|these|following|just|only)\s+)+{_TEXT_NOUN}(?:\s+(?:saying|that says|that reads|which says|which reads|reading|words))?"
)
_LABELLED = re.compile(
    r"(?:the |my |a )?(user ?name|user|login|password|passphrase|e-?mail(?: address)?|code|pin|pin code|phone(?: number)?|telephone number|city|town|street|zip(?: code)?|postcode|post code|surname|first name|last name|name|age|amount|quantity)\s"
)
_MATCH = re.compile(
    r"(?:an?|the|any|some|one)\s+(?:\w+\s+){1,2}(?=(?:that|which|with|starting|beginning|ending|containing|whose)\b)",
    re.I,
)
_MATCH_PART = re.compile(
    r"(?:and\s+)?(?:(?:that|which|whose name)\s+)?(?P<how>starts?|begins?|ends?|contains?|starting|beginning|ending|containing)\s+(?:with\s+|in\s+)?(?:the letters?\s+)?(?P<said>\"[^\"]+\"|“[^”]+”|'[^']+'|[\w-]+)\s*",
    re.I,
)
_DAY = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{'|'.join(dates.MONTHS)})|(?:{'|'.join(dates.MONTHS)}) \d{{1,2}}(?:st|nd|rd|th)?"
)
_LINES_LED = re.compile(
    r"(?:the |these )?(?:two |three |four |five |following )?(?:lines|entries|items):? (?:: )?"
)
_LINES_TRAILED = re.compile(
    r"(?:, )?(?:all )?(?:one (?:per|on each|to a|on every) line|each (?:on|in) (?:its|a) (?:own )?(?:line|line of its own)|every one on its own line|on separate lines|on lines of their own|line by line|one below the other|one under the other|one item per line|one entry per line|each on a separate line|each on a new line)$"
)
_STRUCTURED = re.compile(
    r"\b(?:per line|own line|separate lines?|line by line|below (?:it|that|each)|underneath (?:it|that)|under (?:it|that)|next line|as a list|in a list|bullets?|bullet points|table|the same|columns?|the lines)\b|\bagain$"
)
_LITTLE = frozenset(("the", "a", "an", "in", "on", "to", "between", "from", "of", "at", "with", "for", "all"))
_PARTS_OF_TEXT = frozenset(
    ("into", "onto", "to", "word", "words", "letter", "letters", "sentence", "character")
)
_JOINS = frozenset(("and", "until", "till", "while", "if", "when", "unless", "because"))
_NEVER_NAMED = frozenset(("it", "its", "me", "them", "you", "we", "us", "please", "then"))
_SHEET = re.compile(r"\b(?:cell [a-z]{1,2}\d|column [a-z]\b|row \d|[a-z]{1,2}\d+ to [a-z]{1,2}\d)")
_SAYING = re.compile(
    r"(?:(?:a|an|some|the|one)\s+)?(?:(?:short|little|new|quick)\s+)*(?:text|words?|sentence|line|lines|message|note|phrase)\s+(?:saying|that says|that reads|which says|reading|with the words)\s+"
)
_NEW_DOCUMENT = re.compile(
    r"(?:a|an|another)?\s*(?:new|empty|blank|fresh)\s+(?:text\s+|plain\s+)*(?:document|file|note|page)"
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


def recognised(span: Span, types: Sequence[str]) -> Iterator[tuple[Any, int]]:
    """What the span may be, of each of the types, with the weight of that."""
    if not len(span):
        return
    for each in types:
        found = span.recall(each, TYPES[each])
        if found is not None:
            yield found


# ---- helpers ---------------------------------------------------------------------------------


def masked_of(span: Span) -> tuple[str, Masked]:
    """The span's text as the phrase reader takes it."""
    masked = mask(span.text)
    return masked.text, masked


def bare(span: Span) -> Span:
    """Without articles and possessives at its head."""
    while len(span) > 1 and span.tokens[0].low in _DETERMINERS and span.tokens[0].kind == "word":
        span = span.part(1)
    return span


def _low(span: Span) -> str:
    return " ".join(span.lows)


# ---- types -----------------------------------------------------------------------------------


def _quoted(span: Span) -> tuple[Any, int] | None:
    """Words that are marked as words: quoted, or behind a colon."""
    tokens = span.tokens
    if span.literal is not None:
        return Text(span.literal), 5
    if tokens[-1].kind == "quote" and _OPENERS.fullmatch(_low(span.part(0, -1)).rstrip(" :")):
        return Text(tokens[-1].text[1:-1]), 6
    colon = next((at for at, each in enumerate(tokens) if each.low == ":" and each.kind == "mark"), -1)
    if (
        colon >= 0
        and colon + 1 < len(tokens)
        and (not colon or _OPENERS.fullmatch(_low(span.part(0, colon))))
    ):
        rest = span.part(colon + 1)
        return (Text(rest.literal) if rest.literal is not None else Text(_ended(rest), open=True)), 5
    return None


def _ended(span: Span) -> str:
    """Its text; one full stop at the end of a single sentence is the instruction's."""
    return span.text.strip().rstrip(",;")


def _free(span: Span) -> tuple[Any, int] | None:
    """Words that are a text because of where they stand."""
    if found := _quoted(span):
        return found
    lows = span.lows
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
        found = _said(span.part(opened))
        return (found[0], 3) if found else None
    if said := _SAYING.match(" ".join(lows) + " "):
        span = span.part(len(said[0].split()))
        return _said(span) if len(span) else None
    if span.tokens[0].low in ("me", "us") or (
        span.tokens[0].text in _DETERMINERS and span.tokens[0].kind == "word" and len(span) > 1
    ):
        return None
    return _said(span)


def _said(span: Span) -> tuple[Any, int] | None:
    """Words behind “saying” and its like: nothing but a text can stand there."""
    if found := _quoted(span) or _said_lines(span):
        return found
    if _STRUCTURED.search(_low(span)):
        return None
    text = _ended(span)
    if (
        not text
        or any(each.kind == "quote" or each.low in ("into", "\n") for each in span.tokens)
        or _low(span) in _IT
    ):
        return None
    return Text(text, marked=False, open=True), 1


def _said_lines(span: Span) -> tuple[Any, int] | None:
    """ "The lines milk, eggs and bread", or "milk and eggs, one per line": each a line of its own."""
    low = _low(span)
    led, trailed = _LINES_LED.match(low), _LINES_TRAILED.search(low)
    if not led and not trailed:
        return None
    span = span.part(len(led[0].split()) if led else 0, -len(trailed[0].split()) if trailed else None)
    items = [each.literal if each.literal is not None else each.text for each in _pieces(span)]
    plain = all(each and not _STRUCTURED.search(each.lower()) for each in items)
    return (Text("\n".join(items)), 8) if len(items) > 1 and plain else None


def _sure_folder(span: Span) -> tuple[Any, int] | None:
    """A folder that every desktop has, a path, or one that is called a folder."""
    found = _folder(span)
    return found if found and found[1] >= 4 else None


def _name(span: Span) -> tuple[Any, int] | None:
    """What something new shall be called."""
    if span.literal is not None:
        return span.literal, 5
    if len(span) == 1 and span.tokens[0].kind == "file":
        return span.text, 5
    if (
        len(span) > 6
        or _UNNAMED.search(span.text)
        or any(each.kind == "quote" for each in span.tokens)
        or _low(span) in _IT
    ):
        return None
    if set(span.lows) & _NEVER_NAMED:
        return None
    if span.tokens[-1].kind == "file":
        return None if span.tokens[0].low in _DETERMINERS else (span.text, 3)
    return span.text, 2 if len(span) == 1 or span.tokens[0].text[:1].isupper() else 1


def _file(span: Span) -> tuple[Any, int] | None:
    """A file by its name, with the folder it is in."""
    return _in_folder(span, _plain_file)


def _item(span: Span) -> tuple[Any, int] | None:
    """A file or a folder."""
    return _file(span) or _in_folder(span, _plain_folder)


def _in_folder(span: Span, read: Callable[[Span], tuple[FileSaid, int] | None]) -> tuple[Any, int] | None:
    if len(span) > 2 * _LONGEST_NAME:
        return None
    if found := read(span):
        return found
    lows = span.lows
    for at in range(1, len(span) - 1):
        length = 2 if lows[at : at + 2] == ("out", "of") else 1
        skip = (
            2
            if lows[at - 2 : at] in (("that", "is"), ("which", "is"))
            else 1
            if lows[at - 1] in ("that's", "which's", "lying", "sitting", ",")
            else 0
        )
        if " ".join(lows[at : at + length]) not in (
            "in",
            "inside",
            "within",
            "from",
            "under",
            "out of",
            "on",
            "of",
        ):
            continue
        head, folder = read(span.part(0, at - skip)) if at > skip else None, _folder(span.part(at + length))
        if head and folder and not head[0].folder and isinstance(folder[0], str):
            return msgspec.structs.replace(head[0], folder=folder[0]), head[1] + 3
    return None


def _plain_file(span: Span) -> tuple[FileSaid, int] | None:
    span = bare(span)
    tokens = span.tokens
    if len(span) == 1 and tokens[0].kind == "file":
        head, slash, name = tokens[0].text.rpartition("/")
        return (FileSaid(name, head or slash), 6) if name and name not in ("~", "..") else None
    if len(span) < 2:
        return None
    noun, last = re.fullmatch(rf"{_FILE_NOUN}(?:\s+{_NAMED})?", _low(span.part(0, -1))), tokens[-1]
    if noun and last.kind == "file":
        found = _plain_file(span.part(-1))
        return (found[0], 7) if found else None
    if noun and last.kind == "quote":
        return FileSaid(last.text[1:-1]), 7
    if re.fullmatch(_FILE_NOUN, tokens[-1].low) and len(span) == 2 and tokens[0].kind in ("file", "quote"):
        return FileSaid(tokens[0].text.strip("\"“”'‘’„")), 7
    named = re.fullmatch(rf"{_FILE_NOUN}\s+{_NAMED}", " ".join(span.lows[:-1]))
    if named and last.kind == "word":
        return FileSaid(last.text), 6
    return None


def _plain_folder(span: Span) -> tuple[FileSaid, int] | None:
    span = bare(span)
    if not len(span):
        return None
    lows = span.lows
    name = ""
    if len(span) == 1 and span.tokens[0].kind == "file" and span.text.startswith(("/", "~")):
        head, _, name = span.text.rstrip("/").rpartition("/")
        return FileSaid(name, head or "/", True), 6
    for at in range(1, len(span)):
        if re.fullmatch(rf"(?:new |whole |entire |empty )*{_FOLDER_NOUN}(?: {_NAMED})?", " ".join(lows[:at])):
            rest = span.part(at)
            name = (
                rest.literal
                if rest.literal is not None
                else rest.text
                if len(rest) <= 5 and not _UNNAMED.search(rest.text)
                else ""
            )
    if not name and re.fullmatch(_FOLDER_NOUN, lows[-1]) and 1 < len(span) <= 6:
        rest = span.part(0, -1)
        name = (
            rest.literal if rest.literal is not None else rest.text if not _UNNAMED.search(rest.text) else ""
        )
        if words.known_folder(name) or name.lower() in ("new", "same"):
            return None
    if (
        not name
        or name.lower().startswith("for ")
        or set(name.lower().split()) & (_NEVER_NAMED | {"in", "inside", "on"})
    ):
        return None
    return FileSaid(name, "", True), 5


def _folder(span: Span) -> tuple[Any, int] | None:
    """A folder: one that every desktop has, a path, or one that is called a folder."""
    if not 0 < len(span) <= _LONGEST_NAME:
        return None
    low = _low(span)
    if re.fullmatch(_THERE, low):
        return Reference("folder"), 3 if low == "it" else 4
    plain = bare(span)
    literal = plain.literal if plain.literal is not None else plain.text
    if known := words.known_folder(literal):
        return known, 6
    if len(plain) == 1 and plain.tokens[0].kind == "file" and re.match(r"~|/", literal):
        return literal.rstrip("/") or "/", 3 if re.search(r"\w\.\w{1,5}$", literal) else 6
    if len(plain) == 1 and re.fullmatch(
        r"(?:documents|downloads|pictures|music|videos|desktop)(?:/[\w.-]+)+", plain.lows[0]
    ):
        head, _, rest = literal.partition("/")
        return f"{words.known_folder(head)}/{rest}", 6
    lows = plain.lows
    for at in range(len(plain) - 2, 0, -1):
        if lows[at] in ("in", "inside", "within", "under", "of", "on"):
            inner, outer = _inner_folder(plain.part(0, at)), _folder(plain.part(at + 1))
            if inner and outer and isinstance(outer[0], str):
                return f"{outer[0]}/{inner}", 7
    named = _plain_folder(plain)
    if named is not None and not named[0].folder:
        return named[0].name, 5
    if plain.literal is not None:
        return plain.literal, 3
    if len(plain) == 1 and plain.tokens[0].text[:1].isupper() and plain.tokens[0].text.isalpha():
        return literal, 2
    return None


def _inner_folder(span: Span) -> str:
    found = _plain_folder(span)
    if found and not found[0].folder:
        return found[0].name
    plain = bare(span)
    return plain.literal or (plain.text if len(plain) <= 3 and not _UNNAMED.search(plain.text) else "")


def _new_folder_name(span: Span) -> tuple[Any, int] | None:
    """The words by which a folder that shall be made is described: "a new folder called Work", "a Photos folder"."""
    found = _plain_folder(span)
    if found is not None and not found[0].folder:
        return found[0].name, 7
    if re.fullmatch(
        rf"(?:(?:a|an|another|the|one|me)\s+)*(?:new\s+|empty\s+|fresh\s+)*{_FOLDER_NOUN}", _low(span)
    ):
        return "", 3
    lows = span.lows
    for at in range(1, len(span) - 1):  # “a folder for the invoices of 2027”
        if lows[at] == "for" and re.fullmatch(
            rf"(?:(?:a|an|another)\s+)?(?:new\s+)?{_FOLDER_NOUN}", " ".join(lows[:at])
        ):
            name = bare(span.part(at + 1)).text
            return name[:1].upper() + name[1:], 4
    return None


def _app(span: Span) -> tuple[Any, int] | None:
    """An application by its sort or its name."""
    plain = bare(span)
    literal = re.sub(r"\s+(?:application|app|program|window)$", "", plain.literal or plain.text, flags=re.I)
    if (
        len(plain) in (2, 3)
        and plain.lows[-1] in ("application", "app", "program")
        and not apps.sort_of(literal)
    ):
        named = plain.part(0, -1)
        return (named.literal if named.literal is not None else named.text), 4
    return (literal, 5) if literal and apps.sort_of(literal) else None


def _address(span: Span) -> tuple[Any, int] | None:
    plain = span
    while len(plain) > 1 and plain.tokens[0].low in (
        *_DETERMINERS,
        "page",
        "site",
        "website",
        "address",
        "url",
        "web",
        "at",
        "webpage",
    ):
        plain = plain.part(1)
    return (plain.text, 7) if len(plain) == 1 and plain.tokens[0].kind == "address" else None


def _thing(span: Span) -> tuple[Any, int] | None:
    """Something on the screen, as a person names it."""
    if len(span) > 14 or _low(span) in _IT or re.search(r"[;!?\n]", _unquoted(span)):
        return None
    if any(each.low == "," for each in span.tokens):
        return None
    said = {each.low for each in span.tokens if each.kind == "word"}
    if (
        span.lows[0] in _NEVER_NAMED
        or said & _JOINS
        or said & {"it", "its", "them"}
        or _SHEET.search(_unquoted(span).lower())
    ):
        return None
    text, masked = masked_of(span)
    what = phrase(text, masked)
    if what.kind == "link" and (led := re.match(r"(?:to|for) (?:the )?(?=\S)", what.name)):
        what = msgspec.structs.replace(what, name=what.name[led.end() :])
    if any(each.kind == "quote" for each in span.tokens) and not (what.quoted or '"' not in what.name):
        return None
    if (
        not (what.name or what.kind or what.near)
        or (what.any and not what.kind)
        or _no_name(what.name, what.quoted)
    ):
        return None
    if what.kind == "label" and re.search(r"\bin the$", what.name):
        return None
    proper = len(span) <= 3 and span.tokens[0].text[:1].isupper()
    return what, 3 if what.quoted else 2 if what.kind or what.ordinal or what.near or proper else 1


def _no_name(name: str, quoted: bool) -> bool:
    """Are the words anything but what one would call a thing?"""
    if quoted:
        return False
    months = set(name.lower().split()) & set(dates.MONTHS) and re.search(r"\d", name)
    return bool(_UNNAMELY.search(name.lower()) or months or dates.day_of(name))


def _things(span: Span) -> tuple[Any, int] | None:
    """Several things, joined by commas and “and”: the screen tells whether they are several, or one of that name."""
    pieces, start = [], 0
    for at, each in enumerate(span.tokens):
        if each.low in (",", "and", "&") and each.kind in ("mark", "word"):
            pieces.append(span.part(start, at))
            start = at + 1
    pieces.append(span.part(start))
    pieces = [each for each in pieces if len(each)]
    found = [_thing(each) for each in pieces if len(each) <= 4]
    if len(pieces) < 2 or len(found) < len(pieces) or not all(found):
        return None
    if any(
        next(lexicon().verbs_at(each.lows, 0, "base"), None) and each.tokens[0].text.islower()
        for each in pieces[1:]
    ):
        return None
    text, masked = masked_of(span)
    return phrase(text, masked), sum(weight for _, weight in filter(None, found))


def _unquoted(span: Span) -> str:
    return " ".join(each.text for each in span.tokens if each.kind != "quote")


def _it(span: Span) -> tuple[Any, int] | None:
    low = _low(span)
    return (Reference("it"), 5) if low in _IT else None


def _document(span: Span) -> tuple[Any, int] | None:
    low = _low(span)
    return (Reference("document"), 5) if low in _IT or _DOCUMENT.fullmatch(low) else None


def _result(span: Span) -> tuple[Any, int] | None:
    low = _low(span)
    return (Reference("result", low not in _IT), 4 if low in _IT else 6) if _RESULT.fullmatch(low) else None


def _trash(span: Span) -> tuple[Any, int] | None:
    return (True, 7) if _TRASH.fullmatch(_low(span)) else None


def _keys(span: Span) -> tuple[Any, int] | None:
    found = words.chord(span.text)
    return (found, 7 if len(found) > 1 else 6 if len(found[0]) > 1 else 4) if found else None


def _chord(span: Span) -> tuple[Any, int] | None:
    """Keys that write nothing: several together, or one with a name."""
    found = _keys(span)
    return found if found and (len(found[0]) > 1 or len(found[0][0]) > 1) else None


def _number(span: Span) -> tuple[Any, int] | None:
    found = words.number(bare(span).text)
    return (found, 4) if found is not None else None


def _times(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(words.TIMES, span.text.strip(), re.I)
    number = words.number(span.text) if found else None
    return (int(number), 5) if number and number >= 1 else None


def _sum(span: Span) -> tuple[Any, int] | None:
    text = re.sub(
        r"^(?:how much|what|the sum|the result of)\s+|\s+(?:is|are|makes?|equals?|comes to|gives|amounts to|add(?:s)? up to)$",
        "",
        span.text,
        flags=re.I,
    )
    found = arithmetic.expression(span.text) or arithmetic.expression(text)
    return (found, 7) if found else None


def _command(span: Span) -> tuple[Any, int] | None:
    """A command as it is to be entered: quoted, behind “the command”, or plain."""
    if (
        any(each.kind == "quote" for each in span.tokens)
        and span.literal is None
        and not re.match(r"[a-z]", span.text)
    ):
        return None
    if span.literal is not None:
        return span.literal, 4
    lows = span.lows
    led = re.match(
        r"(?:(?:the|this|a)\s+)?(?:(?:shell|terminal|linux|unix|bash)\s+)?command\s*:?\s*", " ".join(lows)
    )
    if led and len(led[0].split()) < len(span):
        rest = span.part(len(led[0].split()))
        return (rest.literal if rest.literal is not None else rest.text), 6
    if led or not re.match(r"[a-z./~]", span.text) or lows[0] in _DETERMINERS or _low(span) in _IT:
        return None
    return span.text, 2


def _value(span: Span) -> tuple[Any, int] | None:
    """What a field shall show."""
    if found := _quoted(span):
        return found[0].text, found[1]
    low = _low(span)
    if _NUMERAL.fullmatch(low) or _COMBINATION.fullmatch(low) or dates.day_of(span.text):
        return span.text, 4
    if words.number(low) is not None and len(span) <= 2:
        return span.text, 3
    if len(span) > 12 or low in _IT or any(each.kind == "quote" for each in span.tokens):
        return None
    if (
        span.tokens[0].low in _DETERMINERS
        or span.tokens[0].low in _LITTLE | {"as", "into"}
        or set(span.lows) & _NEVER_NAMED
    ):
        return None
    return span.text.rstrip(","), 2 if len(span) <= 3 else 1


def _field(span: Span) -> tuple[Any, int] | None:
    """A field by its name, or by what it is for."""
    found = _thing(span)
    if found is None:
        return None
    return found


def _page(span: Span) -> tuple[Any, int] | None:
    """A page of a site, reached by a link of that name."""
    low = _low(span)
    found = re.fullmatch(r"(?:the\s+|my\s+)?(.+?)\s+(?:page|section|tab|site|link)", low)
    return _thing(span) if found else None


def _lines(span: Span) -> tuple[Any, int] | None:
    """Items that are each a line of their own: "milk, eggs and bread"."""
    text = span.text
    pieces, start = [], 0
    for at, each in enumerate(span.tokens):
        if (each.kind == "mark" and each.low in ",;\n") or each.low in ("and", "&"):
            pieces.append(span.part(start, at))
            start = at + 1
    pieces.append(span.part(start))
    items = [each.literal if each.literal is not None else each.text for each in pieces if len(each)]
    if len(items) < 2 or ("\n" in text and any(not each.strip() for each in items)):
        return None
    return Text("\n".join(items)), 3


def _cell(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(r"(?:the )?(?:cell )?([a-z]{1,2}[1-9]\d{0,3})", _low(span))
    return (found[1].upper(), 7) if found else None


def _order(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(r"(?:the |their |its )?(name|size|date|type|kind|age)s?", _low(span))
    return ({"kind": "type", "age": "date"}.get(found[1], found[1]), 6) if found else None


def _seconds(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:for )?(.+?) ?(ms|milliseconds?|s|secs?|seconds?|moments?|minutes?|mins?)", _low(span)
    )
    if not found:
        return None
    number = 0.5 if found[1] in ("half a", "a half") else words.number(found[1])
    unit = 0.001 if found[2].startswith(("ms", "mil")) else 60.0 if found[2].startswith("min") else 1.0
    return (number * unit, 6) if number is not None else None


def _search_place(span: Span) -> tuple[Any, int] | None:
    """Where something is searched: an application, a site, a part of the screen, the web."""
    if found := _app(span):
        return found
    named = None if any(each.kind == "address" for each in span.tokens) else _thing(span)
    return (named[0], 1) if named and len(span) <= 4 else None


def _place_to_type(span: Span) -> tuple[Any, int] | None:
    """Where a text goes: an application, a field, or what is being worked on."""
    if found := _app(span) or _field_named(span):
        return found
    low = _low(span)
    if _NEW_DOCUMENT.fullmatch(low):
        return Reference("new"), 5
    if low in _IT or _DOCUMENT.fullmatch(low):
        return Reference("document"), 3
    named = _thing(span)
    if any(each.kind in ("file", "address") for each in span.tokens):
        return None
    return (named[0], 1) if named and len(span) <= 4 and not named[0].kind else None


def _field_named(span: Span) -> tuple[Any, int] | None:
    """A field that is called a field, a box or a list."""
    named = _thing(span)
    return (named[0], 4) if named and named[0].kind in ("field", "combo", "spin", "slider") else None


def _new_note(span: Span) -> tuple[Any, int] | None:
    return ("list" if span.lows[-1] == "list" else "note", 3) if _NOTE.fullmatch(_low(span)) else None


def _new_name(span: Span) -> tuple[Any, int] | None:
    return _file(span) or _name(span)


def _line_text(span: Span) -> tuple[Any, int] | None:
    """ "A line with eggs": the text of a line."""
    found = _LINE.match(_low(span) + " ")
    rest = span.part(len(found[0].split())) if found else None
    if rest and rest.tokens[0].low == ":":
        rest = rest.part(1)
    if not rest:
        return None
    return Text(rest.literal if rest.literal is not None else rest.text), 4


def _word(span: Span) -> tuple[Any, int] | None:
    """A word or two as they stand."""
    led = re.match(r"(?:(?:the|every|all|each) )?(?:words? |names? )|(?:every|all|each) ", _low(span))
    span = span.part(len(led[0].split())) if led and len(led[0].split()) < len(span) else span
    if span.literal is not None:
        return Text(span.literal), 5
    if len(span) > 3 or any(each.kind in ("quote", "mark") for each in span.tokens) or _low(span) in _IT:
        return None
    if span.tokens[0].low in _DETERMINERS or _SHEET.search(_low(span)) or span.tokens[0].kind == "file":
        return None
    if set(span.lows) & _LITTLE:
        return None
    return Text(span.text), 2


def _line(span: Span) -> tuple[Any, int] | None:
    """A line of a text: its number (-1 the last), or words in it."""
    low = _low(span)
    if found := re.fullmatch(r"(?:the |its )?(?:very )?(\w+) line", low):
        return ((words.ordinal(found[1]), ""), 6) if words.ordinal(found[1]) else None
    if found := re.fullmatch(r"(?:the )?line (?:number )?(\d{1,4})", low):
        return (int(found[1]), ""), 6
    found = re.match(
        r"(?:the )?line (?:with|that says|that reads|containing|that contains|saying|reading|about|which says)(?: the words?| the text)? ",
        low + " ",
    )
    rest = span.part(len(found[0].split())) if found else None
    return ((0, rest.literal if rest.literal is not None else rest.text), 6) if rest else None


def _plural_files(span: Span) -> tuple[Any, int] | None:
    return (
        (True, 3)
        if re.fullmatch(
            r"(?:all )?(?:(?:the|my|its|these|those) )?(?:files|documents|contents|list|folder|items|things|files and folders)(?: there| in it| in there)?|it|them|everything",
            _low(span),
        )
        else None
    )


def _operands(span: Span) -> tuple[Any, int] | None:
    figures = [each for each in span.tokens if each.kind == "number" or words.number(each.low) is not None]
    return (span.text, 4) if len(figures) >= 2 else None


def _terminal(span: Span) -> tuple[Any, int] | None:
    found = _app(span)
    return (found[0], 6) if found and apps.sort_of(found[0]) == "terminal" else None


def _app_name(span: Span) -> tuple[Any, int] | None:
    """An application, or words that are written as a name."""
    if found := _app(span):
        return found
    plain = bare(span)
    proper = len(plain) <= 3 and all(each.kind == "word" and each.text[:1].isupper() for each in plain.tokens)
    if words.known_folder(plain.text) or plain.lows[-1] in ("folder", "directory"):
        return None
    return (plain.text, 2) if proper else None


def _numeral(span: Span) -> tuple[Any, int] | None:
    return (
        (Text(span.text), 3)
        if _NUMERAL.fullmatch(_low(span)) and any(each.kind == "number" for each in span.tokens)
        else None
    )


def _short_value(span: Span) -> tuple[Any, int] | None:
    """A value of a word or three that goes into a field."""
    found = _value(span) if len(span) <= 3 and not any(each.kind == "file" for each in span.tokens) else None
    return (Text(found[0]), 2) if found else None


def _unnamed_file(span: Span) -> tuple[Any, int] | None:
    return (
        (FileSaid(""), 4)
        if _NEW_DOCUMENT.fullmatch(_low(span)) or _low(span) in ("a text file", "a file")
        else None
    )


def _all_things(span: Span) -> tuple[Any, int] | None:
    """ "All the boxes"."""
    found = re.fullmatch(
        rf"(?:all|both|every|each)(?: of)?(?: the| these| those)? ({words.KIND})(?: (?:except|but not|apart from|other than) .+)?",
        _low(span),
    )
    if not found:
        return None
    text, masked = masked_of(span)
    return phrase(text, masked), 5


def _all_fields(span: Span) -> tuple[Any, int] | None:
    found = _all_things(span)
    return (Phrase("", found[0].kind, spoken=span.text), 5) if found and found[0].kind else None


def _labelled(span: Span) -> tuple[Any, int] | None:
    """ "The username bob": what is entered, and what it is."""
    found = _LABELLED.match(_low(span) + " ")
    rest = span.part(len(found[0].split())) if found else None
    if rest and rest.tokens[0].low == ":":
        rest = rest.part(1)
    value = _credential(rest) if rest else None
    return ((found[1], value[0]), 8) if found and value else None


def _pairs(span: Span) -> tuple[Any, int] | None:
    """ "Name = Ada; City = Paris": fields, each with its value."""
    found: list[tuple[Phrase, str]] = []
    for piece in _pieces(span):
        at = next(
            (
                n
                for n, each in enumerate(piece.tokens)
                if each.low in (":", "=") or (n and each.low in ("is", "as"))
            ),
            0,
        )
        label, value = (piece.part(0, at), piece.part(at + 1)) if at else _label_apart(piece)
        read = _value(value) if label and value and len(label) <= 4 else None
        if read is None or label is None:
            return None
        text, masked = masked_of(label)
        found.append((phrase(text, masked), read[0]))
    return (tuple(found), 4 + 4 * len(found)) if found else None


def _label_apart(piece: Span) -> tuple[Span | None, Span | None]:
    found = _LABELLED.match(_low(piece) + " ")
    size = len(found[0].split()) if found else 1
    return (piece.part(0, size), piece.part(size)) if len(piece) > size else (None, None)


def _pieces(span: Span) -> list[Span]:
    """What stands between commas, semicolons, ends of lines and “and”."""
    pieces, start = [], 0
    for at, each in enumerate((*span.tokens, None)):
        if each is None or each.low in (",", ";", "\n", "and", "&"):
            pieces.append(span.part(start, at))
            start = at + 1
    return [each for each in pieces if len(each)]


def _match(span: Span) -> tuple[Any, int] | None:
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


def _date(span: Span) -> tuple[Any, int] | None:
    if len(span) > 6 or not re.search(r"\d", span.text):
        return None
    return (span.text, 6) if dates.day_of(span.text) or _DAY.fullmatch(_low(span)) else None


def _labelled_date(span: Span) -> tuple[Any, int] | None:
    found = re.match(r"(?:the )?((?:\w+ ){0,2}date) (?:to )?", _low(span) + " ")
    rest = span.part(len(found[0].split())) if found else None
    date = _date(rest) if rest else None
    return ((Phrase(found[1], spoken=found[1]), date[0]), 7) if found and date else None


def _point(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:at |on )?(?:the (?:point|pixel|position|coordinates) )?\(? ?(\d{1,5}) ?,? ?(\d{1,5}) ?\)?",
        _low(span),
    )
    return (
        ((int(found[1]), int(found[2])), 7)
        if found and " " in span.text.strip("()").replace(",", ", ")
        else None
    )


def _view_part(span: Span) -> tuple[Any, int] | None:
    """A part of a program's window that can be shown or hidden."""
    named = (
        _thing(span)
        if re.search(r"(?:line numbers|bar|toolbar|menubar|statusbar|sidebar|panel|pane|ruler)$", _low(span))
        else None
    )
    return (named[0], 4) if named else None


def _priced(span: Span) -> tuple[Any, int] | None:
    """A thing whose price is asked for."""
    named = _thing(span)
    spoken = f"price of {span.text}"
    return (msgspec.structs.replace(phrase(spoken, mask(spoken)), spoken=spoken), 5) if named else None


def _fact(span: Span) -> tuple[Any, int] | None:
    """Something to be read: "the price of the kettle", "how much the kettle costs"."""
    if not len(span):
        return None
    if span.lows[0] == "its" and len(span) > 1:
        span = span.part(1)
    low = _low(span)
    if found := re.fullmatch(r"(?:how much|what) (?:the )?(.+?) (?:costs?|is worth)", low):
        return Phrase(f"price of the {found[1]}", spoken=f"price of the {found[1]}"), 4
    asked = re.match(r"(?:what|which) (?:the )?", low)
    if asked and low.endswith((" is", " says", " reads", " shows")):
        return _fact(span.part(len(asked[0].split()), -1))
    if len(span) > 10 or (
        span.lows[0] not in ("the", "its", "my", "this", "that", "their", "his", "her") and len(span) > 4
    ):
        return None
    if (
        set(span.lows) & (_JOINS | _NEVER_NAMED | _PARTS_OF_TEXT)
        or _SHEET.search(low)
        or any(each.kind == "mark" for each in span.tokens)
    ):
        return None
    text, masked = masked_of(span)
    return phrase(text, masked), 1


def _thing_clicked(span: Span) -> tuple[Any, int] | None:
    named = _thing(span)
    return (named[0], 4) if named and (named[0].kind or named[0].quoted or named[0].ordinal) else None


def _source(span: Span) -> tuple[Any, int] | None:
    named = _thing(span)
    return (named[0], 4 if named[0].kind else 2) if named and len(span) <= 6 else None


def _direction(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:a bit |a little |further |a little bit |a lot )?(up|down|left|right|upwards?|downwards?)(?: a bit| a little| a little bit| further| a lot| some more)?",
        _low(span),
    )
    return (found[1].removesuffix("s").removesuffix("ward"), 5) if found else None


def _scroll_amount(span: Span) -> tuple[Any, int] | None:
    low = _low(span).removeprefix("by ")
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


def _scroll_end(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:the )?(?:very )?(bottom|end|top|beginning|start|foot|head)(?: of (?:the|this) (?:page|document|list|window|file|text|site|article|form))?",
        _low(span),
    )
    return ("up" if found[1] in ("top", "beginning", "start", "head") else "down", 6) if found else None


def menu_path(span: Span) -> tuple[str, ...]:
    """The entries of “File > Save As”, () for anything else."""
    if not any(each.low in (">", "→", "»") for each in span.tokens) or any(
        each.low == "<" for each in span.tokens
    ):
        return ()
    pieces = re.split(r"\s*(?:>|→|»)\s*", span.text)
    return (
        tuple(pieces)
        if all(0 < len(each) <= 40 and each[:1].isupper() and "," not in each for each in pieces)
        else ()
    )


def _menu_path(span: Span) -> tuple[Any, int] | None:
    """ "File > Save As"."""
    found = menu_path(span)
    return (found, 6) if found else None


def _credential(span: Span) -> tuple[Any, int] | None:
    if span.literal is not None:
        return span.literal, 4
    return (span.text, 3) if len(span) == 1 and span.tokens[0].kind != "quote" else None


def _window(span: Span) -> tuple[Any, int] | None:
    """A window by what it shows, or the one in front."""
    low = _low(span)
    if low in _IT or re.fullmatch(
        r"(?:(?:the|this|that|my) )?(?:current |open |active |whole )?(?:window|file|document|note|program|app|application)",
        low,
    ):
        return Reference("window") if not low.endswith(("program", "app", "application")) else Phrase(
            "", spoken="application"
        ), 4
    if found := _app(span) or _file(span):
        return found
    named = _thing(span)
    ended = re.search(
        r"(?:window|tab|dialog(?:ue)?(?: box)?|popup|pop-up|program|app|application|menu|message)$", low
    )
    return (named[0], 4) if named and ended else None


def _window_named(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:the )?(.+) window|(?:the )?window (?:called|named|titled|with the title) (.+)",
        bare(span).text,
        re.I,
    )
    name = (found[1] or found[2]).strip("\"“”'‘’") if found else ""
    return (
        (Phrase(name, spoken=f"{name} window"), 4)
        if name and name.lower() not in ("new", "other", "next", "previous", "last")
        else None
    )


def _folder_item(span: Span) -> tuple[Any, int] | None:
    return _in_folder(span, _plain_folder)


def _window_part(span: Span) -> tuple[Any, int] | None:
    """A part of the screen that something is in: "the Export dialog"."""
    found = re.fullmatch(
        r"(?:the |that |this )?(?:(.+?) )?(dialog(?:ue)?(?: box)?|window|toolbar|tool bar|sidebar|side bar|panel|menu|header|footer|popup|pop-up|section|area|page|list|table|row|box)",
        span.text,
        re.I,
    )
    if (
        not found
        or len(span) > 6
        or (
            not found[1] and found[2].lower() in ("list", "page", "window", "box", "table", "area", "section")
        )
    ):
        return None
    return (found[1] or found[2]).strip("\"“”'‘’"), 3


def _nothing(_span: Span) -> tuple[Any, int] | None:
    return None


TYPES: Mapping[str, Callable[[Span], tuple[Any, int] | None]] = {
    "text": _quoted, "free": _free, "said": _said, "sure_folder": _sure_folder, "name": _name, "file": _file, "item": _item, "folder": _folder, "app": _app,
    "address": _address, "thing": _thing, "things": _things, "it": _it, "document": _document, "result": _result,
    "trash": _trash, "keys": _keys, "chord": _chord, "number": _number, "times": _times, "sum": _sum, "command": _command,
    "value": _value, "field": _field, "page": _page, "lines": _lines, "cell": _cell, "order": _order,
    "seconds": _seconds, "folder_name": _new_folder_name, "flag": _nothing, "search_place": _search_place,
    "place_to_type": _place_to_type, "field_named": _field_named, "new_note": _new_note, "new_file": _file,
    "new_name": _new_name, "line_text": _line_text, "word": _word, "line": _line, "plural_files": _plural_files,
    "operands": _operands, "terminal": _terminal, "fact": _fact, "thing_clicked": _thing_clicked, "source": _source,
    "direction": _direction, "scroll_amount": _scroll_amount, "scroll_end": _scroll_end, "menu_path": _menu_path,
    "credential": _credential, "window": _window, "window_named": _window_named, "folder_item": _folder_item,
    "window_part": _window_part, "app_name": _app_name,
    "numeral": _numeral, "all_things": _all_things, "all_fields": _all_fields, "labelled": _labelled, "date": _date,
    "labelled_date": _labelled_date, "point": _point, "priced": _priced, "view_part": _view_part, "said_lines": _said_lines, "short_value": _short_value, "unnamed_file": _unnamed_file, "pairs": _pairs, "match": _match,
}  # fmt: skip
