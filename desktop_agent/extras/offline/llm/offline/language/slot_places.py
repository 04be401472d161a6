"""Recognises files, folders, applications and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from desktop_agent.extras.offline.llm.offline import apps, words
from desktop_agent.extras.offline.llm.offline.language.said import FileSaid, Reference
from desktop_agent.extras.offline.llm.offline.language.slot_texts import as_name
from desktop_agent.extras.offline.llm.offline.language.slot_words import (
    DETERMINERS,
    NEVER_NAMED,
    NEW_DOCUMENT,
    UNNAMED,
    bare,
    low_text,
    split_pieces,
)
from desktop_agent.extras.offline.llm.offline.language.tokens import Span

_LONGEST_NAME = 12
"""Words of the longest name of a folder."""
_LEADS_OVER = re.compile(
    r"(?:, )?(?:over|(?:that|which|both) (?:is|are|both are|are both|are all|both lie|lie|lies|sits|you find|you'll find|you will find|i have|is lying)|that's|which's|lying|sitting|which is currently|,)$"
)
_THERE = re.compile(r"there|in there|(?:the|that|this)\s+(?:new\s+|same\s+)?(?:folder|directory|place)|it")
_TRASH = re.compile(
    r"(?:(?:the|my)\s+)?(?:trash|bin|wastebasket|waste\s*(?:paper\s*)?basket|rubbish(?:\s+bin)?|recycle\s+bin|recycling(?:\s+bin)?|trash\s*can|dustbin|garbage)"
)
_FILE_NOUN = r"(?:(?:text|plain|csv|existing|little|small|new|empty|blank|fresh|short)\s+)*(?:file|document|doc|note|spreadsheet|sheet|list|letter|one|picture|photo|image)"
_NAMED = r"(?:called|named|titled|with the name|by the name of|that is called|that's called|which is called|i called|under the name(?: of)?)"
_FOLDER_NOUN = r"(?:folder|directory|subfolder|sub-folder|dir)"


def as_sure_folder(span: Span) -> tuple[Any, int] | None:
    """A folder that every desktop has, a path, or one that is called a folder."""
    found = as_folder(span)
    return found if found and found[1] >= 4 else None


_SAID_NEW = re.compile(r"(?:(?:a|an|another|one) )?(?:brand ?)?(?:new|fresh|empty|blank) ")


def as_file(span: Span) -> tuple[Any, int] | None:
    """A file by its name, with the folder it is in."""
    found = _in_folder(span, _plain_file) or _called_in_folder(span)
    if found and _SAID_NEW.match(low_text(span)):
        return msgspec.structs.replace(found[0], is_new=True), found[1]
    return found


def _called_in_folder(span: Span) -> tuple[Any, int] | None:
    """ "The picture in the Pictures folder called scan.png"."""
    for at in range(3, len(span) - 1):
        name = span.part(at + 1)
        if span.lows[at] not in ("called", "named", "titled") or len(name) > 1:
            continue
        for inside in range(1, at - 1):
            if span.lows[inside] not in ("in", "inside", "on"):
                continue
            noun, folder = low_text(bare(span.part(0, inside))), as_folder(span.part(inside + 1, at))
            if folder and isinstance(folder[0], str) and re.fullmatch(_FILE_NOUN, noun):
                return FileSaid(name.literal or name.text, folder[0]), 9
    return None


def as_item(span: Span) -> tuple[Any, int] | None:
    """A file or a folder."""
    return as_file(span) or _in_folder(span, _plain_folder)


def _in_folder(span: Span, read: Callable[[Span], tuple[FileSaid, int] | None]) -> tuple[Any, int] | None:
    if len(span) > 2 * _LONGEST_NAME:
        return None
    if found := read(span):
        return found
    lows = span.lows
    for at in range(1, len(span) - 1):
        length = 2 if lows[at : at + 2] == ("out", "of") else 1
        skip = _relative(lows[:at])
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
        head, folder = read(span.part(0, at - skip)) if at > skip else None, as_folder(span.part(at + length))
        if head and folder and not head[0].folder and isinstance(folder[0], str):
            return msgspec.structs.replace(head[0], folder=folder[0]), head[1] + 3
    return None


def _relative(lows: tuple[str, ...]) -> int:
    """How many words before “in” only lead over to it: “, which is”, “that lies”."""
    found = _LEADS_OVER.search(" ".join(lows))
    return len(found[0].split()) if found else 0


def _plain_file(span: Span) -> tuple[FileSaid, int] | None:
    span = bare(span)
    tokens = span.tokens
    if len(span) == 1 and tokens[0].kind == "file":
        head, slash, name = tokens[0].text.rpartition("/")
        first, deeper, rest = head.partition("/")
        head = f"{words.known_folder(first) or first}{deeper}{rest}"
        return (FileSaid(name, head or slash), 6) if name and name not in ("~", "..") else None
    if len(span) < 2:
        return None
    apart = 2 if span.lows[-2] == "," and len(span) > 2 else 1  # “a new file, cake.txt”
    noun, last = re.fullmatch(rf"{_FILE_NOUN}(?:\s+{_NAMED})?", low_text(span.part(0, -apart))), tokens[-1]
    if noun and last.kind == "file":
        found = _plain_file(span.part(-1))
        return (found[0], 7) if found else None
    if noun and last.kind == "quote":
        return FileSaid(last.text[1:-1]), 7
    if re.fullmatch(_FILE_NOUN, tokens[-1].low) and len(span) == 2 and tokens[0].kind in ("file", "quote"):
        return FileSaid(tokens[0].text.strip("\"“”'‘’„")), 7
    named = re.fullmatch(rf"{_FILE_NOUN}\s+{_NAMED}", " ".join(span.lows[:-1]))
    if named and last.kind == "word" and span.lows[0] != "one":
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
                if len(rest) <= 5 and not UNNAMED.search(rest.text)
                else ""
            )
    if not name and re.fullmatch(_FOLDER_NOUN, lows[-1]) and 1 < len(span) <= 6:
        rest = span.part(0, -1)
        name = (
            rest.literal if rest.literal is not None else rest.text if not UNNAMED.search(rest.text) else ""
        )
        if words.known_folder(name) or name.lower() in ("new", "same"):
            return None
    if (
        not name
        or name.lower().startswith("for ")
        or set(name.lower().split())
        & (NEVER_NAMED | {"there", "here", "called", "named", "in", "inside", "on"})
    ):
        return None
    return FileSaid(name, "", True), 5


def as_folder(span: Span) -> tuple[Any, int] | None:
    """A folder: one that every desktop has, a path, or one that is called a folder."""
    if not 0 < len(span) <= _LONGEST_NAME:
        return None
    low = low_text(span)
    if re.fullmatch(_THERE, low):
        return Reference("folder"), 2 if low == "it" else 4
    plain = bare(span)
    literal = plain.literal if plain.literal is not None else plain.spoken
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
            inner, outer = _inner_folder(plain.part(0, at)), as_folder(plain.part(at + 1))
            if inner and outer and isinstance(outer[0], str):
                return f"{outer[0]}/{inner}", 7 + (outer[1] if _plain_folder(plain.part(0, at)) else 0)
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
    if any(each.kind == "file" for each in span.tokens) or set(span.lows) & {"name", "what's", "what"}:
        return ""
    if found and not found[0].folder:
        return found[0].name
    plain = bare(span)
    return plain.literal or (plain.text if len(plain) <= 3 and not UNNAMED.search(plain.text) else "")


def as_new_folder_name(span: Span) -> tuple[Any, int] | None:
    """The words by which a folder that shall be made is described: "a new folder called Work", "a Photos folder"."""
    found = _plain_folder(span)
    if found is not None and not found[0].folder:
        return found[0].name, 7
    if re.fullmatch(
        rf"(?:(?:a|an|another|the|one|me)\s+)*(?:new\s+|empty\s+|fresh\s+)*{_FOLDER_NOUN}", low_text(span)
    ):
        return "", 3
    lows = span.lows
    for at in range(1, len(span) - 1):  # “a folder for the invoices of 2027”
        if lows[at] == "for" and re.fullmatch(
            rf"(?:(?:a|an|another)\s+)?(?:new\s+)?{_FOLDER_NOUN}", " ".join(lows[:at])
        ):
            if lows[at + 1] in ("every", "each", "all", "any", "both"):
                return None  # more than one
            name = bare(span.part(at + 1)).text
            return name[:1].upper() + name[1:], 4
    return None


def as_app(span: Span) -> tuple[Any, int] | None:
    """An application by its sort or its name."""
    plain = bare(span)
    literal = re.sub(
        r"(?:['’]s)?\s+(?:application|app|program|window)$", "", plain.literal or plain.text, flags=re.I
    )
    if (
        len(plain) in (2, 3)
        and plain.lows[-1] in ("application", "app", "program")
        and not apps.sort_of(literal)
    ):
        named = plain.part(0, -1)
        return (named.literal if named.literal is not None else named.text), 4
    if literal and not apps.sort_of(literal) and apps.sort_of(" ".join(plain.lows)):
        literal = " ".join(plain.lows)  # a mistyped one
    return (literal, 5) if literal and apps.sort_of(literal) else None


def as_address(span: Span) -> tuple[Any, int] | None:
    plain = span
    while len(plain) > 1 and plain.tokens[0].low in (
        *DETERMINERS,
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


def as_trash(span: Span) -> tuple[Any, int] | None:
    return (True, 7) if _TRASH.fullmatch(low_text(span)) else None


def as_new_name(span: Span) -> tuple[Any, int] | None:
    return as_file(span) or as_name(span)


def as_plural_files(span: Span) -> tuple[Any, int] | None:
    return (
        (True, 3)
        if re.fullmatch(
            r"(?:all )?(?:(?:the|my|its|these|those) )?(?:files|documents|contents|list|folder|items|things|files and folders)(?: there| in it| in there)?|it|them|everything",
            low_text(span),
        )
        else None
    )


def as_terminal(span: Span) -> tuple[Any, int] | None:
    found = as_app(span)
    if re.fullmatch(r"(?:the |a )?(?:shell|terminal|command)(?: prompt| window| line)", low_text(span)):
        return "terminal", 6
    return (found[0], 6) if found and apps.sort_of(found[0]) == "terminal" else None


def as_app_name(span: Span) -> tuple[Any, int] | None:
    """An application, or words that are written as a name."""
    if found := as_app(span):
        return found
    plain = bare(span)
    proper = len(plain) <= 3 and all(each.kind == "word" and each.text[:1].isupper() for each in plain.tokens)
    if words.known_folder(plain.text) or plain.lows[-1] in ("folder", "directory"):
        return None
    return (plain.text, 2) if proper else None


def as_unnamed_file(span: Span) -> tuple[Any, int] | None:
    return (
        (FileSaid(""), 4)
        if NEW_DOCUMENT.fullmatch(low_text(span)) or low_text(span) in ("a text file", "a file")
        else None
    )


def as_items(span: Span) -> tuple[Any, int] | None:
    """Several files, each by its name."""
    span = span.part(1) if len(span) > 3 and span.lows[0] == "both" else span
    if led := re.match(
        r"(?:the|my|these|those) (?:(?:two|three|four|five|following) )?(?:files|documents|pictures|photos|images|folders) ",
        low_text(span),
    ):
        span = span.part(len(led[0].split()))
    for at in range(3, len(span) - 1):
        folder = as_folder(span.part(at + 1)) if span.lows[at] in ("in", "inside", "from", "on") else None
        named = as_items(span.part(0, at - _relative(span.lows[:at]))) if folder else None
        if folder and named and isinstance(folder[0], str) and not any(each.folder for each in named[0]):
            return tuple(msgspec.structs.replace(each, folder=folder[0]) for each in named[0]), named[1] + 3
    pieces = split_pieces(span)
    found = [each for each in map(as_file, pieces) if each]
    whole = len(pieces) > 1 and len(found) == len(pieces)
    return (tuple(file for file, _ in found), sum(weight for _, weight in found)) if whole else None


def as_item_name(span: Span) -> tuple[Any, int] | None:
    """ "draft.txt's name": the file that is named so."""
    if len(span) > 2 and span.lows[-2:] == ("'s", "name"):
        return as_item(span.part(0, -2))
    if led := re.match(r"(?:the |a )?(?:new |file )?name (?:of|for) ", low_text(span)):
        return as_item(span.part(len(led[0].split())))
    return None


def as_folder_item(span: Span) -> tuple[Any, int] | None:
    return _in_folder(span, _plain_folder)
