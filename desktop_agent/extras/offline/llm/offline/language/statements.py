"""Sentences that tell something and ask for nothing: what is open, where a file lies, what the user is called."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.language.lexicon import Lexicon, lexicon
from desktop_agent.extras.offline.llm.offline.language.said import FileSaid, Reading
from desktop_agent.extras.offline.llm.offline.language.slot_places import as_app, as_file, as_folder, as_item
from desktop_agent.extras.offline.llm.offline.language.slot_things import as_thing_clicked
from desktop_agent.extras.offline.llm.offline.language.slot_values import as_amounts, as_pairs
from desktop_agent.extras.offline.llm.offline.language.tokens import Span

_STATE = re.compile(
    r"(?:the|my|this|our|an?|two|three|both) (?:[\w'-]+ ){1,6}?(?:is|are)(?: already| currently| now| still)? (?:open|loaded|shown|running|in front|up|there|on (?:the|my) screen)(?: in (?:the|my|a) (?:[\w'-]+ ?){1,4})?"
    r"|there(?:'s| is| are) (?:an?|some|two|three|four|five|several|many) (?:[\w'-]+ ){1,5}(?:open|on (?:the|this) (?:[\w'-]+ ?){1,4}|in (?:the|this) (?:editor|browser|window|file manager|folder)|here|there)(?: ?[,:–-] (?:an?|the|my) [\w ]+? and (?:an?|the|my) [\w ]+)?"
    r"|it(?:'s| is|'ll be)(?: already| still| currently)? (?:open|shown|loaded|written|given|there)?(?: ?(?:in|on) (?:the|my|this) (?:[\w'-]+ ?){1,3})?"
    r"|(?:do )?you see (?:the|that|an?) (?:[\w'-]+ ){1,5}(?:in|on) (?:the|my|this) (?:[\w'-]+ ?){1,3}"
    r"|the (?:[\w'-]+ ){1,6}?(?:shows|has|offers|displays|contains|lists) (?:an?|some|two|three|four|five|several|many|the) (?:[\w'\"“”-]+ ?){1,9}"
    r"|there(?:'s| is) an? (?:[\w'-]+ ){1,3}?(?:(?:on|in) (?:the|this|my) (?:[\w'-]+ ){1,2})?that (?:could|can|should|will|might|would) (?:find (?:it |that )?out|do (?:it|that|this)|tell|work (?:it|that) out|help(?: with (?:it|that|this))?|be (?:used|of use)(?: for (?:it|that|this))?)"
    r"|it(?:'s| is) the [\w -]+? (?:that|which) (?:has the focus|is in front|is open|is on top)"
    r"|both (?:the|my|an?) [\w ]+? and (?:the|my|an?) [\w ]+? are (?:open|running|shown)"
)
"""What somebody tells of the screen, so that one knows where things are: nothing is to be done about it."""
BEGINS = re.compile(r"(?:^|[.!?;:\n])\s*$")
"""What stands before the beginning of a sentence."""
_ENDS = re.compile(
    r"\s*(?:[.!;:\n]|,\s*(?:so|it|they|that|one|you|just|which|(?:and|but)\s+(?:the|my|it|i|that|this|there|we|now))\b|$)"
)
_BESIDE = re.compile(r"(?:^|[.!?;:,\n])\s*$")
_SAID_BESIDE = frozenset(("i'm", "i've", "we're", "we've"))
"""Words that begin a sentence even behind a comma: “close it, I'm finished with it”."""
_I = frozenset(("i", "i'm", "i've"))
_UNNEEDED = re.compile(
    r"(?:isn't|is not|is no longer|is not being) (?:needed|wanted|used|useful|of any use|any use)(?: any ?more| any longer| now)?"
    r"|(?:is|gets|is only|is just|keeps getting) (?:in (?:my|the) way|of no use|no use|out of date|outdated|old|obsolete|superfluous|clutter)(?: any ?more| any longer| now)?"
    r"|has (?:served its purpose|done its (?:job|work)|had its day|outlived its usefulness)"
)


def statement(clause: Span) -> Reading | None:
    """What a clause tells of the screen, a file or the user; None when it is none of these."""
    if _STATE.fullmatch(" ".join(clause.lows).rstrip(" .?")):
        return Reading("state", {"said": clause.text, "denied": False}, 4)
    return _stated(clause) or _about_me(clause) or _amounts(clause)


def _stated(clause: Span) -> Reading | None:
    """“budget.csv is in my Documents”: where something is, so that it can be spoken of."""
    for at in range(1, len(clause) - 1):
        told = " ".join(clause.lows[at:]).rstrip(" .")
        what = as_item(clause.part(0, at)) if _UNNEEDED.fullmatch(told) else None
        if what:
            return Reading("mention", {"what": what[0], "said": clause.text, "denied": False}, 12)
        app = as_app(clause.part(0, at)) if _UNNEEDED.fullmatch(told) else None
        if app:
            return Reading("mention_app", {"app": app[0], "said": clause.text, "denied": False}, 12)
    for at in range(1, len(clause) - 2):
        if clause.lows[at] in ("is", "lies", "sits") and clause.lows[at + 1] in (
            "in",
            "inside",
            "on",
            "within",
        ):
            what, folder = as_item(clause.part(0, at)), as_folder(clause.part(at + 2))
            if what and folder:
                return Reading(
                    "mention",
                    {"what": what[0], "folder": folder[0], "said": clause.text, "denied": False},
                    12,
                )
    return None


def _amounts(clause: Span) -> Reading | None:
    """“Three bills came: 128.40, 76.15 and 9.99”: numbers that something is to be done with."""
    at = clause.lows.index(":") if ":" in clause.lows[1:6] else 0
    plain = at and all(each.kind == "word" for each in clause.tokens[:at])
    told = plain and not any(lexicon().verbs_at(clause.lows, 0, "base")) and len(clause) > at + 1
    numbers = as_amounts(clause.part(at + 1)) if told else None
    return (
        Reading("numbers", {"numbers": numbers[0], "said": clause.text, "denied": False}, 8)
        if numbers
        else None
    )


def _about_me(clause: Span) -> Reading | None:
    """“My name is Ida and my email is ida@example.org”: what is to be entered where it is asked for."""
    if clause.lows[0] != "my" or "is" not in clause.lows[2:5]:
        return None
    pairs = as_pairs(clause)
    return (
        Reading("about_me", {"pairs": pairs[0], "said": clause.text, "denied": False}, 8) if pairs else None
    )


_TOPIC_ENDS = re.compile(r"\s*[,:;.–—-]\s+(?=[^.!?\n]*\b(?:it|its|them|that|this|there)\b)", re.I)
"""What follows a thing that is only named, so that what is asked for can refer to it."""


def topic(clause: Span) -> Reading | None:
    """What a clause only names for the one behind it: “the file draft.txt: rename it to …”; None for other clauses."""
    if (
        not len(clause)
        or not BEGINS.search(clause.whole[: clause.tokens[0].start])
        or not _TOPIC_ENDS.match(clause.whole, clause.tokens[-1].end)
    ):
        return None
    said = {"said": clause.text, "denied": False}
    if (item := as_item(clause)) is not None:
        return Reading("mention", said | {"what": item[0]}, 0)
    if (app := as_app(clause)) is not None:
        return Reading("mention_app", said | {"app": app[0]}, 0)
    thing = as_thing_clicked(clause)
    return Reading("mention_thing", said | {"what": thing[0]}, 0) if thing else None


def told(span: Span, clause: Span, lexicon: Lexicon) -> Reading | None:
    """What a whole sentence tells that asks for nothing, `clause` being its words without politeness; None for others."""
    if not _is_sentence(span):
        return None
    if _only_tells(clause, lexicon):
        return Reading("told", {}, 0)
    file = _tells_of_file(clause, lexicon)
    return Reading("mention", {"what": file}, 0) if file else None


def _is_sentence(span: Span) -> bool:
    """Does it begin and end where a sentence does?"""
    words = span.from_first_word
    return bool(
        len(words)
        and (BEGINS if words.lows[0] not in _SAID_BESIDE else _BESIDE).search(
            words.whole[: words.tokens[0].start]
        )
        and (words.tokens[-1].low in ".!;\n" or _ENDS.match(words.whole, words.tokens[-1].end))
    )


def _only_tells(clause: Span, lexicon: Lexicon) -> bool:
    """Does a sentence only tell how things are, and name nothing that could be meant by what is asked for?"""
    named = any(
        each.kind not in ("word", "mark") or (at and each.text[:1].isupper() and each.low not in _I)
        for at, each in enumerate(clause.tokens)
    )
    marks = any(each.kind == "mark" and each.low not in ",'" for each in clause.tokens[:-1])
    asks = any(
        each.low in (",", "and", "so", "then", "but") and any(lexicon.verbs_at(clause.lows, at + 1, "base"))
        for at, each in enumerate(clause.tokens)
    )
    return not asks and not named and not marks and lexicon.only_tells(clause.lows)


def _tells_of_file(clause: Span, lexicon: Lexicon) -> FileSaid | None:
    """The one file that a sentence names which else only tells how things are; None for other sentences."""
    files = [at for at, each in enumerate(clause.tokens) if each.kind == "file"]
    if len(files) != 1:
        return None
    rest = Span((*clause.tokens[: files[0]], *clause.tokens[files[0] + 1 :]), clause.whole, clause.memory)
    plain = Span(
        tuple(each for each in rest.tokens if each.low not in ("called", "named")),
        clause.whole,
        clause.memory,
    )
    found = as_file(clause.part(files[0], files[0] + 1)) if _only_tells(plain, lexicon) else None
    return found[0] if found else None
