"""Reads one clause of an instruction: what it asks for, by the rules of each kind of clause."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.llm.offline import (
    apps,
    casing,
    rules_edit,
    rules_everyday,
    rules_files,
    rules_fill,
    rules_form,
    rules_input,
    rules_page,
    rules_reading,
    rules_sheet,
    rules_shell,
    rules_system,
    rules_tell,
    rules_text,
    words,
)
from desktop_agent.llm.offline.intents import (
    Check,
    Choose,
    Click,
    Compute,
    CreateFolder,
    Focus,
    GoTo,
    Hover,
    Intent,
    Open,
    Phrase,
    Press,
    Save,
    Search,
    TypeText,
    When,
    Window,
)
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_text import Rule, place

LEAD = re.compile(
    r"^(?:(?:please|kindly|now|then|next,|first(?:ly)?(?=,|\s+(?!name\b|field\b))|(?:second|third|fourth|fifth)(?:ly)?,|finally|lastly|afterwards?|"
    r"after (?:that|this)(?: is done)?|once (?:that's|that is|it's|it is|this is) (?:done|open|loaded|ready)|"
    r"when (?:you're|you are|that's|that is|it's|it is) (?:done|finished|ready|open)|and|also|just|simply|quickly|carefully|"
    r"go ahead and|(?:can|could|would|will) (?:you|we)(?: please| kindly)?(?: help me)?|i(?:'d| would) (?:like|want|love) (?:you )?to|"
    r"i (?:want|need) (?:you )?to|you (?:should|need to|must|have to|can)|let's|let us|try (?:to|and)|"
    r"(?:make sure|be sure|remember|don't forget) (?:to|you|that you)|help me(?: to)?|hey|hi|hello|ok(?:ay)?|so|well|(?:your|the) task is to|"
    r"(?:in order\s+)?to(?=\s+(?:click|press|open|select|choose|pick|tap|hit)\b)|"
    r"\d{1,2}[.)](?=\s+\S)|step \d{1,2}\s*[:.)-]|[-*•])(?:,|:)?\s+)+",
    re.I,
)
TAIL = re.compile(
    r"(?:,?\s+(?:please|for me|now|then|afterwards|as well|too|instead|again|immediately|right away|thanks|thank you|at once|"
    r"(?:when|once) (?:you are|you're|it is|it's)?\s*(?:done|finished)|on (?:the|my) (?:screen|computer)|using the (?:mouse|keyboard)|with the mouse))+$",
    re.I,
)
_WHERE_FIRST = re.compile(
    r"^(?:in|on|at|inside|within|using|with|from)\s+(?P<place>(?:the\s+)?[^,\n]{1,80}?)\s*,\s*(?P<rest>.+)$"
    r"|^(?:in|inside|within|using)\s+(?P<place2>(?:the\s+)?(?!the\b)(?:\S+\s+){0,3}?\S+?)\s+(?P<rest2>(?:click|press|choose|select|open|go|double|right|set|tick|check|save|find|search|compute|calculate|create|make|rename|delete|move|sort|add|run|execute|list|close)\b.+)$",
    re.I | re.S,
)
_BESIDE_US = re.compile(r"\b(?:below|above|on (?:this|the) page)$", re.I)  # in front already
_USING = re.compile(
    r"^(?:use|using|with)\s+(?P<place>(?:the\s+|a\s+)?[^,]{1,60}?)\s*(?:,|\sto\s|\sand\s)\s*(?P<rest>.+)$",
    re.I | re.S,
)
_VERBS = {
    "clicking": "click",
    "pressing": "press",
    "choosing": "choose",
    "selecting": "select",
    "ticking": "tick",
}
_MEANS = re.compile(
    rf"^(?!type\b|write\b|enter\b|search\b|fill\b|set\b)[^\x02]+?\s+by\s+(?P<verb>{'|'.join(_VERBS)})\s+(?:on\s+)?(?P<rest>.+)$",
    re.I | re.S,
)
_CONDITION = re.compile(
    r"^(?P<word>if|when|once|after|as soon as|unless)\s+(?:you\s+(?:can\s+)?see\s+|there\s+(?:is|are)\s+)?(?P<what>.+?)"
    r"(?:\s+(?:(?:is|are)(?: still)? (?P<no>not )?(?:visible|shown|there|displayed|open(?:ed)?|on (?:the )?screen|loaded|ready)|"
    r"(?P<no2>does not |doesn't )?(?:appears?|shows?(?: up)?|pops? up|comes? up|opens?|loads?)|has (?:appeared|opened|loaded|finished loading)))?"
    r"\s*(?:,\s*(?:then\s+)?|\s+then\s+)(?P<then>.+)$",
    re.I | re.S,
)


def clause(text: str, masked: Masked) -> tuple[Intent, ...] | None:
    """What one clause asks for; None when it is not understood, () for mere politeness."""
    body = LEAD.sub("", text.strip() + " ").strip()
    if not body.strip(" .,;:!?-"):
        return ()
    if recased := casing.recased(body, masked):
        return clause(*recased)
    special = (
        _early(body, masked) or _conditional(body, masked) or _placed(body, masked) or _by_means(body, masked)
    )
    if special:
        return special
    bare = TAIL.sub("", body.rstrip(" .,;:!?") if not body.rstrip(" .").endswith("+") else body.rstrip(" ."))
    for pattern, build in _RULES:
        free = build in _FREE
        found = pattern.fullmatch(body if free else bare)
        intents = build(found, masked) if found else None
        if intents is not None:
            return intents
    return None


def _early(body: str, masked: Masked) -> tuple[Intent, ...] | None:
    for pattern, build in rules_fill.EARLY:
        found = pattern.fullmatch(body.rstrip(" .,;:!?"))
        if found:
            return build(found, masked)
    return None


def _conditional(body: str, masked: Masked) -> tuple[Intent, ...] | None:
    found = _CONDITION.match(body)
    if not found:
        return None
    then = clause(found["then"], masked)
    if not then:
        return None
    what = place(found["what"], masked)
    word = found["word"].lower()
    absent = bool(found["no"] or found["no2"]) != (word == "unless")
    if word in ("if", "unless"):
        return tuple(When(what, each, absent) for each in then)
    return (*rules_tell.waiting_for(what), *then)


def _placed(body: str, masked: Masked) -> tuple[Intent, ...] | None:
    """ "In the Save dialog, click OK": the place first, then what to do there."""
    used = _USING.match(body)
    if used:
        inner = clause(used["rest"], masked)
        return _within(used["place"], inner, masked) if inner else None
    found = _WHERE_FIRST.match(body)
    if not found:
        return None
    where, rest = found["place"] or found["place2"], found["rest"] or found["rest2"]
    inner = clause(rest, masked)
    return _within(where, inner, masked) if inner else None


def _by_means(body: str, masked: Masked) -> tuple[Intent, ...] | None:
    """ "Close the dialog by clicking Cancel": the means says more exactly what to do."""
    found = _MEANS.match(body)
    return clause(f"{_VERBS[found['verb'].lower()]} {found['rest']}", masked) if found else None


def _within(where: str, inner: tuple[Intent, ...], masked: Masked) -> tuple[Intent, ...]:
    name = place(where, masked)
    first = inner[0]
    file = rules_files.place_of(where, masked)
    if file is not None:
        return (file, *inner)
    written = rules_edit.at_place(name, first)
    if written is not None:
        return (written, *inner[1:])
    commands = rules_shell.inside(name, inner)
    if commands is not None:
        return commands
    at = rules_system.ADDRESS.fullmatch(
        re.sub(r"^(?:page|site|website|address)\s+(?:at\s+)?", "", name, flags=re.I)
    )
    if at:
        return (GoTo(at[0]), *inner)
    if isinstance(first, TypeText) and not first.into:
        return (msgspec.structs.replace(first, into=name), *inner[1:])
    if isinstance(first, Search) and not first.place:
        return (msgspec.structs.replace(first, place=name), *inner[1:])
    if isinstance(first, CreateFolder | Save) and not first.folder and not apps.sort_of(name):
        return (msgspec.structs.replace(first, folder=words.folder(name)), *inner[1:])
    if isinstance(first, Click | Check | Hover) and not first.what.within and _is_part(name):
        return (
            msgspec.structs.replace(first, what=msgspec.structs.replace(first.what, within=_part(name))),
            *inner[1:],
        )
    if isinstance(first, Choose) and not first.source and _is_part(name):
        return (msgspec.structs.replace(first, source=_part(name)), *inner[1:])
    if isinstance(first, Press) and words.kind(name.split()[-1]) == "field":
        return (Focus(Phrase(_part(name), "field", spoken=name)), *inner)
    if isinstance(first, Compute | Open | GoTo) or _BESIDE_US.search(name):
        return inner
    return (Window("switch", name, "application"), *inner)


def _is_part(name: str) -> bool:
    """True for a part of a window ("Save dialog", "toolbar"), not an application."""
    return bool(
        re.search(
            r"\b(?:dialog|window|menu|toolbar|list|section|panel|group|form|table|box|drop-?down|page|row|popup|sidebar|tab)$",
            name,
            re.I,
        )
    )


def _part(name: str) -> str:
    return re.sub(
        r"\s+(?:dialog|window|menu|list|section|panel|group|form|table|box|drop-?down|page|popup|tab|field)$",
        "",
        name,
        flags=re.I,
    )


# Order matters: what is said more exactly comes first.
_RULES: tuple[Rule, ...] = (
    *rules_everyday.RULES,
    *rules_sheet.RULES,
    *rules_edit.rules(clause),
    *rules_shell.RULES,
    *rules_page.rules(clause),
    *rules_files.rules(clause),
    *rules_fill.FIRST,
    *rules_reading.RULES,
    *rules_input.FIRST,
    *rules_text.RULES,
    *rules_input.MENUS,
    *rules_tell.FIRST,
    *rules_text.FIND,
    *rules_system.FIRST,
    *rules_form.RULES,
    *rules_input.RULES,
    *rules_system.RULES,
    *rules_tell.RULES,
)
# Clauses that end in free text keep every word of it.
_FREE = frozenset(build for _, build in (*rules_text.RULES, *rules_form.FREE, *rules_everyday.FREE))
