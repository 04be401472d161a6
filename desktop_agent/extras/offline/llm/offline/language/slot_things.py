"""Recognises things on the screen as a person names them: buttons, fields, lists, windows, facts; and references to what was said."""

from __future__ import annotations

import itertools
import re
from typing import Any

import msgspec

from desktop_agent.extras.offline.llm.offline import arithmetic, dates, words
from desktop_agent.extras.offline.llm.offline.language.lexicon import lexicon
from desktop_agent.extras.offline.llm.offline.language.said import Reference
from desktop_agent.extras.offline.llm.offline.language.slot_places import as_app, as_file
from desktop_agent.extras.offline.llm.offline.language.slot_words import (
    DETERMINERS,
    DOCUMENT,
    IT,
    JOINS,
    NEVER_NAMED,
    NEW_DOCUMENT,
    PARTS_OF_TEXT,
    SHEET,
    TEXT_NOUNS,
    bare,
    low_text,
    masked_of,
    unquoted_text,
)
from desktop_agent.extras.offline.llm.offline.language.tokens import Span, Token
from desktop_agent.extras.offline.llm.offline.named import Phrase
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.quoting import mask
from desktop_agent.policy.facts.named_days import MONTHS

_RESULT = re.compile(
    r"(?:(?:the|that|this|its|your|whatever)\s+)?(?:final\s+|whole\s+)?(?:result|answer|outcome|output|sum|total|value|number|figure|listing|amount)s?"
    r"|what (?:(?:number|value|text|result|figure|answer) )?(?:it|that|this|the command|the terminal|the calculator) (?:prints?|says?|shows?|outputs?|gives?|comes? (?:out|up)(?: with)?|answers?|tells? you)"
    r"|(?:the|whatever) (?:\w+ )?(?:number|value|text|result|figure|answer|line|lines|output|sum|total|amount|words?)(?: (?:that|which))? (?:you|it|the command|the terminal|the calculator) (?:get|got|shows?|showed|prints?|printed|gives?|gave|says?|said|sees?|saw|finds?|found|read|returns?|returned|answers?|answered|tells? you|told you|came up with|comes? up with)"
    r"|what(?:ever)? (?:it|that|this|the command|the terminal|the calculator) (?:printed|said|showed|gave|returned|returns|answered|told you|came up with|has to say|had to say)|whatever (?:comes|came) (?:out|up|back)|whatever (?:it|the calculator|the terminal) (?:shows|says|prints|gives|tells you)|what came (?:out|up|back)|what you (?:see|saw)(?: there)?"
    r"|what (?:they|those|these) (?:are|say)|what (?:it|that) (?:is|was)|what (?:you|it) (?:get|gets|got|find|found|read|comes to)|what comes (?:out|back|up)|it|that|this|how (?:much|many) (?:it|that) (?:is|makes|comes to)"
)
_ON_PAGE = re.compile(
    r"(?:on|in|of|at) (?:the|this|that|their|its|your) (?:[\w'’-]+ ){0,3}?(?:page|site|website)$"
)
"""Where a thing is when pages are spoken of: the one that is shown."""
_FIELD_OF = re.compile(
    r"((?:the )?(?:[\w-]+ ){0,2}(?:field|box)) (?:of|on) (?:the|this|that|their) [\w'’-]+(?: [\w'’-]+){0,2}"
)
"""A field, and what it is part of."""
_ONE_CALLED = re.compile(
    r"(?:the )?one (?:(?:that|which) is |that's )?(?:called|named|labelled|labeled|saying) "
)
_BESIDE_IT = re.compile(
    rf"(?:the|a) (?:next )?(?:[\w'’-]+ ){{0,3}}?(?:one|{words.KIND}) (?:(?:just|right|directly|immediately) )?(?:next to|beside|near|below|under|underneath|beneath|above|(?:to|on) the (?:left|right) of) (?:it|that|that one|this one|this)"
)
_BELOW = re.compile(
    rf"(?:the|a) (?:{words.KIND}) (?:(?:just|right|directly) )?(?:below|above|underneath|beneath|beside)"
)
_LONGEST_BESIDE = 10
_SUPERLATIVES = frozenset(
    (
        "cheapest",
        "newest",
        "oldest",
        "biggest",
        "smallest",
        "latest",
        "nearest",
        "best",
        "largest",
        "longest",
        "shortest",
        "highest",
        "lowest",
        "earliest",
    )
)
"""Words by which a thing is found only by comparing all of them."""
_NEVER_IN_NAME = frozenset(
    ("it", "its", "them", "doesn't", "don't", "isn't", "aren't", "won't", "didn't", "shouldn't", "can't")
)
_QUESTIONS = frozenset(("what", "which", "who", "how", "where", "when", "why"))
_PARTICLES = frozenset(("up", "down", "off", "out", "away", "over", "along", "back"))
_ORIGIN = re.compile(
    r"(?:the |this |my |that )?(?:open |opened |current |web |web)*(?:page|website|site|browser|screen|web page|window|file|text file|document|text|editor|text editor|note|letter|list)(?: (?:in|of|on) (?:the |my )?(?:browser|screen|editor|text editor|window))?"
)
_UNNAMELY = re.compile(
    r"(?:^|\s)(?:the|with|of|both|each|every)$|^(?:at|to|in|into|onto|out|off|up|away|over|down|none|no|not|don't|do not|leave)\b|[()]"
    r"|\b(?:that|which|who)\s+(?:begins?|starts?|ends?|contains?|has|have)|\b(?:upper|lower|title)\s?case\b|^(?:all )?(?:caps|capitals|capital letters)$|\bcase letters\b"
    r"|^(?:each|all|both|every|none|any) of\b|^(?:all|both|every|each)\b|\bwith the\b|\bfrom the\b|\bform\b|^nothing$"
)


def as_thing(span: Span) -> tuple[Any, int] | None:
    """Something on the screen, as a person names it."""
    if len(span) <= _LONGEST_BESIDE and _BESIDE_IT.fullmatch(low_text(span)):
        return phrase(span.spoken, mask(span.spoken)), 3
    if len(span) <= _LONGEST_BESIDE and _BELOW.fullmatch(low_text(span)):
        below = phrase(relative := f"{span.spoken} it", mask(relative))
        if below.kind:
            return msgspec.structs.replace(below, spoken=span.spoken), 3
    if (
        len(span) > 14
        or low_text(span) in IT
        or low_text(span) in _QUESTIONS
        or re.search(r"[;!?\n]", unquoted_text(span))
    ):
        return None
    if any(each.kind == "mark" and each.low in ",." for each in span.tokens):
        return None
    said = {each.low for each in span.tokens if each.kind == "word"}
    if (
        span.lows[0] in NEVER_NAMED
        or said & JOINS
        or said & _NEVER_IN_NAME
        or (said & _QUESTIONS and bare(span).text[:1].islower())
        or _tells_who(span.lows)
        or (span.tokens[-1].kind == "word" and span.text[:1].islower() and said & _SUPERLATIVES)
        or SHEET.search(unquoted_text(span).lower())
        or arithmetic.expression(span.spoken)
    ):
        return None
    if (page := _ON_PAGE.search(low_text(span))) and len(page[0].split()) < len(span):
        return as_thing(span.part(0, -len(page[0].split())))
    if (one := _ONE_CALLED.match(low_text(span) + " ")) and len(one[0].split()) < len(span):
        return as_thing(span.part(len(one[0].split())))
    if span.lows[-1] in _PARTICLES and span.tokens[0].text[:1].islower() and len(span) > 1:
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


def _tells_who(lows: tuple[str, ...]) -> bool:
    """Do words tell what somebody did with the thing, which nobody else can see: “the picture I took last”?"""
    return any(
        each in ("i", "we", "you", "i've", "we've", "you've", "i'd", "i'm", "you'd")
        and before not in ("to", "of", "beside", "says", "saying", "labelled", "called", "named")
        for before, each in itertools.pairwise(lows)
    )


def _no_name(name: str, quoted: bool) -> bool:
    """Are the words anything but what one would call a thing?"""
    if quoted:
        return False
    if name[:1].islower() and re.search(r"(?<![\w.])(?:a|an)(?=\s)", name):
        return True  # "me an e-mail", but the box "Wrap as a gift"
    months = set(name.lower().split()) & set(MONTHS) and re.search(r"\d", name)
    return bool(_UNNAMELY.search(name.lower()) or months or dates.day_of(name))


def as_things(span: Span) -> tuple[Any, int] | None:
    """Several things, joined by commas and “and”: the screen tells whether they are several, or one of that name."""
    pieces, start = [], 0
    if span.lows[0] == "both" and len(span) > 3:
        span = span.part(1)
    for at, each in enumerate(span.tokens):
        if each.low in (",", "and", "&", "also") and each.kind in ("mark", "word"):
            pieces.append(span.part(start, at))
            start = at + 1
    pieces.append(span.part(start))
    pieces = [each for each in pieces if len(each)]
    found = [as_thing(each) for each in pieces if len(each) <= 4]
    if len(pieces) < 2 or len(found) < len(pieces) or not all(found):
        return None
    if any(
        next(lexicon().verbs_at(each.lows, 0, "base"), None) and each.tokens[0].text.islower()
        for each in pieces[1:]
    ):
        return None
    masked = mask(re.sub(r"\balso ", "", span.spoken))
    text = masked.text
    return phrase(text, masked), sum(weight for _, weight in filter(None, found))


def as_it(span: Span) -> tuple[Any, int] | None:
    low = low_text(span)
    named = re.fullmatch(
        r"(?:that|this|the same) (?:file|folder|document|picture|photo|one)|(?:the|that|its|this) (?:new )?(?:copy|duplicate)|the (?:(?:new|said|renamed|moved|copied|saved|resulting|opened|created|finished) )?(?:file|folder|document)|the (?:new|said) one",
        low,
    )
    return (Reference("it"), 5) if low in IT or named else None


def as_document(span: Span) -> tuple[Any, int] | None:
    low = low_text(span)
    return (Reference("document"), 5) if low in IT or DOCUMENT.fullmatch(low) else None


def as_result(span: Span) -> tuple[Any, int] | None:
    low = low_text(span)
    return (Reference("result", low not in IT), 4 if low in IT else 6) if _RESULT.fullmatch(low) else None


def as_field(span: Span) -> tuple[Any, int] | None:
    """A field by its name, or by what it is for."""
    if any(each.kind in ("file", "address") or each.low == "from" for each in span.tokens):
        return None
    return as_thing(span)


def as_page(span: Span) -> tuple[Any, int] | None:
    """A page of a site, reached by a link of that name."""
    low = low_text(span)
    found = re.fullmatch(r"(?:the\s+|my\s+)?(.+?)\s+(?:page|section|tab|site|link)", low)
    about = re.match(r"the (?:page|section) (?:about|on|for|with) (?:the )?", low)
    if about and (named := as_thing(span.part(len(about[0].split())))):
        return named
    return as_thing(span) if found else None


def as_search_place(span: Span) -> tuple[Any, int] | None:
    """Where something is searched: an application, a site, a part of the screen, the web."""
    if found := as_app(span):
        return found
    named = None if any(each.kind == "address" for each in span.tokens) else as_thing(span)
    return (named[0], 1) if named and len(span) <= 8 else None


def as_place_to_type(span: Span) -> tuple[Any, int] | None:
    """Where a text goes: an application, a field, or what is being worked on."""
    if found := as_app(span) or as_field_named(span):
        return found
    low = low_text(span)
    if NEW_DOCUMENT.fullmatch(low):
        return Reference("new"), 5
    if low in IT or DOCUMENT.fullmatch(low):
        return Reference("document"), 3
    named = as_thing(span)
    if any(
        each.kind in ("file", "address") or each.low in ("line", "end", "bottom", "top")
        for each in span.tokens
    ):
        return None
    return (named[0], 1) if named and len(span) <= 4 and not named[0].kind else None


def as_field_proper(span: Span) -> tuple[Any, int] | None:
    """A field by its name, written as a name: “Name”, but no folder, file or application."""
    plain = span.tokens[0].kind == "word" and span.text[:1].isupper() and len(span) <= 3
    if not plain or as_app(span) or words.known_folder(span.text) or dates.day_of(span.text):
        return None
    named = as_thing(span)
    return (named[0], 3) if named else None


def as_field_named(span: Span) -> tuple[Any, int] | None:
    """A field that is called a field, a box or a list."""
    if len(span) > 1 and span.lows[0] == "its":
        span = span.part(1)
    if (of := _FIELD_OF.fullmatch(low_text(span))) and not JOINS & set(span.lows):
        span = span.part(0, len(of[1].split()))
    named = as_thing(span)
    return (named[0], 4) if named and named[0].kind in ("field", "combo", "spin", "slider") else None


def as_all_things(span: Span) -> tuple[Any, int] | None:
    """ "All the boxes"."""
    found = re.fullmatch(
        rf"(?:all|both|every|each)(?: of)?(?: the| these| those)? ({words.KIND})(?: (?:except|but not|apart from|other than) .+)?",
        low_text(span),
    )
    if not found:
        return None
    text, masked = masked_of(span)
    return phrase(text, masked), 5


def as_all_fields(span: Span) -> tuple[Any, int] | None:
    found = as_all_things(span)
    return (Phrase("", found[0].kind, spoken=span.text), 5) if found and found[0].kind else None


def as_save_as(span: Span) -> tuple[Any, int] | None:
    """The command that saves under another name, as programs call it."""
    said = (span.literal or span.text).lower().strip(" .…")
    return (True, 5) if said in ("save as", "the save as command", "file > save as") else None


def as_form_named(span: Span) -> tuple[Any, int] | None:
    """The form or page in sight, by what it is for: "the contact form"."""
    found = re.fullmatch(
        r"(?:the|this|that)(?: [\w'-]+){0,3} (?:form|page|dialog|questionnaire|survey|sheet)", low_text(span)
    )
    return (True, 4) if found else None


def as_thing_quoted(span: Span) -> tuple[Any, int] | None:
    named = as_thing(span)
    return named if named and named[0].quoted else None


def as_answer(span: Span) -> tuple[Any, int] | None:
    """What is said to a question: words in quotation marks, or written as a name."""
    if span.literal is not None:
        return Phrase(span.literal, quoted=True, spoken=span.literal), 5
    text = span.text
    if len(span) > 6 or not text[:1].isupper() or set(span.lows) & (NEVER_NAMED | {"and"}):
        return None
    return Phrase(text, spoken=text), 3


def as_page_shown(span: Span) -> tuple[Any, int] | None:
    """The page that is open, by what it is about: "the library site"."""
    found = re.fullmatch(
        r"(?:the|this|that|their)(?: [\w'-]+){0,3} (?:page|site|website|web page)", low_text(span)
    )
    return (Reference("page"), 3) if found else None


def as_origin(span: Span) -> tuple[Any, int] | None:
    """What is on the screen already, as the place something is read from: the application it is open in, or ""."""
    low = low_text(span)
    if not _ORIGIN.fullmatch(low):
        return None
    if re.search(r"\b(?:browser|page|website|site)\b", low):
        return "browser", 4
    return ("" if re.search(r"\b(?:screen|window)$", low) else "text editor"), 4


def as_listed(span: Span) -> tuple[Any, int] | None:
    """One of several that were named before: "the second one", "the latter"."""
    found = re.fullmatch(
        r"the (first|second|third|last|former|latter)(?: one| window| program| of them| of the two)?",
        low_text(span),
    )
    place = {"former": 1, "latter": 2}.get(found[1]) or words.ordinal(found[1]) if found else 0
    return (place, 5) if place else None


def as_view_part(span: Span) -> tuple[Any, int] | None:
    """A part of a program's window that can be shown or hidden."""
    named = (
        as_thing(span)
        if re.search(
            r"(?:line numbers|bar|toolbar|menubar|statusbar|sidebar|panel|pane|ruler)$", low_text(span)
        )
        else None
    )
    return (named[0], 4) if named else None


def as_priced(span: Span) -> tuple[Any, int] | None:
    """A thing whose price is asked for."""
    span = span.part(1) if len(span) > 1 and span.lows[0] in ("a", "an") else span
    named = None if {"behind", "that", "which"} & set(span.lows) else as_thing(span)
    spoken = f"price of {span.spoken}"
    return (msgspec.structs.replace(phrase(spoken, mask(spoken)), spoken=spoken), 5) if named else None


def _is_written(token: Token) -> bool:
    return token.kind == "quote" or token.text[:1].isupper()


def as_noted(span: Span) -> tuple[Any, int] | None:
    """Something to be read and written down: what is written with a capital may as well be the text itself."""
    return (
        None
        if span.tokens[0].kind == "word"
        and span.tokens[0].text[:1].isupper()
        and span.lows[0] not in DETERMINERS
        else as_fact(span)
    )


def as_fact(span: Span) -> tuple[Any, int] | None:
    """Something to be read: "the price of the kettle", "how much the kettle costs"."""
    if not len(span):
        return None
    if span.lows[0] == "its" and len(span) > 1:
        owned = as_fact(span.part(1))
        return (msgspec.structs.replace(owned[0], name=f"its {owned[0].name}"), owned[1]) if owned else None
    low = low_text(span)
    if (
        len(span) > 2
        and span.lows[0] == "the"
        and span.lows[1] in TEXT_NOUNS - {"line"}
        and _is_written(span.tokens[2])
    ):
        return None  # “the text Buy milk” is one to be typed
    if found := re.fullmatch(r"(?:how much|what) (?:the )?(.+?) (?:costs?|is worth)", low):
        return Phrase(f"price of the {found[1]}", spoken=f"price of the {found[1]}"), 4
    asked = re.match(r"(?:what|which) (?:the )?", low)
    if asked and low.endswith((" is", " says", " reads", " shows")):
        return as_fact(span.part(len(asked[0].split()), -1))
    if (
        span.lows[-1] in ("down", "up", "out", "off", "is", "are", "that", "which", "given", "shown", "found")
        or len(span) > 10
        or (span.lows[0] not in ("the", "its", "my", "this", "that", "their", "his", "her") and len(span) > 4)
    ):
        return None
    if (
        set(span.lows) & (JOINS | NEVER_NAMED | PARTS_OF_TEXT)
        or (len(span) > 1 and span.lows[1] in ("the", "a", "an", "my") and span.lows[0] not in DETERMINERS)
        or SHEET.search(low)
        or any(each.kind == "mark" for each in span.tokens)
    ):
        return None
    text, masked = masked_of(span)
    return phrase(text, masked), 1


def as_thing_clicked(span: Span) -> tuple[Any, int] | None:
    named = as_thing(span)
    return (named[0], 4) if named and (named[0].kind or named[0].quoted or named[0].ordinal) else None


def as_source(span: Span) -> tuple[Any, int] | None:
    named = as_thing(span)
    return (named[0], 4 if named[0].kind else 2) if named and len(span) <= 6 else None


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


def as_menu_path(span: Span) -> tuple[Any, int] | None:
    """ "File > Save As"."""
    found = menu_path(span)
    return (found, 6) if found else None


def as_window(span: Span) -> tuple[Any, int] | None:
    """A window by what it shows, or the one in front."""
    low = low_text(span)
    if low in IT or re.fullmatch(
        r"(?:(?:the|this|that|my) )?(?:current |open |active |whole )?(?:window|file|document|note|program|app|application)",
        low,
    ):
        return Reference("window") if not low.endswith(("program", "app", "application")) else Phrase(
            "", spoken="application"
        ), 4
    if found := as_app(span) or as_file(span):
        return found
    named = as_thing(span)
    ended = re.search(
        r"(?:window|tab|dialog(?:ue)?(?: box)?|popup|pop-up|program|app|application|menu|message|viewer|player|reader)$",
        low,
    )
    return (named[0], 4) if named and ended else None


def as_window_named(span: Span) -> tuple[Any, int] | None:
    found = re.fullmatch(
        r"(?:the )?(.+) window|(?:the )?window (?:called|named|titled|with the title) (.+)",
        bare(span).text,
        re.I,
    )
    if span.lows[:3] == ("the", "window", "of") and (app := as_app(span.part(3))):
        return app
    name = (found[1] or found[2]).strip("\"“”'‘’") if found else ""
    return (
        (Phrase(name, spoken=f"{name} window"), 4)
        if name and name.lower() not in ("new", "other", "next", "previous", "last")
        else None
    )


def as_window_part(span: Span) -> tuple[Any, int] | None:
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
