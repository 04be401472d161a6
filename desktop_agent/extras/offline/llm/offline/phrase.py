"""Reads how a person names a thing on the screen: "the second OK button in the Save dialog"."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.extras.offline.llm.offline import words
from desktop_agent.extras.offline.llm.offline.intents import Phrase, Side
from desktop_agent.extras.offline.llm.offline.quoting import QUOTED, Masked

_ARTICLE = re.compile(r"^(?:(?:on|at)\s+)?(?:the|a|an|this|that|my|your|any|its)\s+", re.I)
_PART = (
    r"dialog(?:ue)?(?: box)?|window|menu|tool ?bar|panel|pane|section|sidebar|side bar|tab|list|page|form|popup|"
    r"pop-up|group|table|drop-?down|box|area|application|app|program|editor|browser|header|footer|row"
)
_WITHIN = re.compile(
    rf"^(?P<head>.+?)\s+(?:in|on|inside|within|from)\s+(?P<part>(?:the\s+)?(?:.+\s+)?(?:{_PART}))$",
    re.I | re.S,
)
_BESIDE = re.compile(
    r"^(?P<head>.+?)\s+(?P<how>next to|beside|alongside|adjacent to|near|in (?:the|its) (?:line|row) (?:of|with|for|called|named|that says)|below|under|underneath|beneath|above|"
    r"(?:to the )?(?:left|right) of|(?:on|to) the (?:left|right) of)\s+(?P<near>.+)$",
    re.I | re.S,
)
_OWNED = re.compile(rf"^(?P<near>\S.*?)['’]s\s+(?P<head>(?:\S+\s+){{0,4}}?{words.KIND})$", re.I | re.S)
_SIDES: dict[str, Side] = {
    "below": "below", "under": "below", "underneath": "below", "beneath": "below", "above": "above",
}  # fmt: skip
_LINKED = (
    r"(?:(?:which|that) (?:is|are) )?(?:labell?ed(?: as)?|called|named|titled|marked|saying|(?:that|which) (?:says?|reads?)|reading|"
    r"with (?:the |an? )?(?:label|name|text|title|words?|caption|value)(?: of)?|containing|for)"
)
_KIND_LINKED = re.compile(rf"^(?P<kind>{words.KIND})\s+{_LINKED}\s+(?P<name>.+)$", re.I | re.S)
_KIND_FIRST = re.compile(rf"^(?P<kind>{words.KIND})\s*:?\s+(?P<name>.+)$", re.I | re.S)
_KIND_LAST = re.compile(rf"^(?P<name>.+?)(?:'s)?\s+(?P<kind>{words.KIND})$", re.I | re.S)
_FIELD_BAR = re.compile(r"^(?P<name>(?:.*\s)?(?:search|address|location|url|filter|navigation))\s+bar$", re.I)
_LIST_OF = re.compile(
    r"^(?:drop-?\s?down\s+)?(?:list|menu|selection)\s+of\s+(?:(?:all|the)\s+)*(?P<name>.+)$", re.I | re.S
)
_KIND_WITHIN_LINKED = re.compile(
    rf"^(?P<kind>{words.KIND})\s+(?P<where>(?:in|on|inside|within|from)\s+(?:the\s+)?(?:[^\x02]+\s+)?(?:{_PART}))\s+"
    rf"(?P<linked>{_LINKED}\s+.+)$",
    re.I | re.S,
)
_KIND_QUOTED = re.compile(
    r"^(?P<kind>.+?)\s+(?:widget|control|element|component|type of (?:widget|control))$", re.I | re.S
)
_EITHER = re.compile(rf"\b(?P<one>{words.KIND})\s+or\s+(?P<other>{words.KIND})\b", re.I)
_ANY = re.compile(r"^(?:(?:on|at)\s+)?(?:an?|any|some|one of the)\s+", re.I)
_ORDINAL = re.compile(rf"^(?P<nth>{words.ORDINAL})\s+(?P<rest>.+)$", re.I | re.S)
_NUMBERED = re.compile(r"^(?P<rest>.+?)\s+(?:number|no\.?|#)\s*(?P<nth>\d{1,2})$", re.I | re.S)


def phrase(fragment: str, masked: Masked) -> Phrase:
    """The thing a fragment of a clause names; quoted words are names as they stand."""
    text = fragment.strip().strip(",.;").strip()
    said, one_of_many = bool(_ARTICLE.match(text)), bool(_ANY.match(text))
    text = _EITHER.sub(_one_kind, _ARTICLE.sub("", text))
    spoken, whole = masked.literal(text)
    if whole:
        return Phrase(name=spoken, quoted=True, spoken=spoken)
    sort = _sort_alone(text, masked)
    if sort:
        return Phrase("", sort, spoken=spoken, any=one_of_many)
    head, within = _split_within(_label_first(text))
    head, near, side = _split_beside(head)
    head, nth = _split_ordinal(head)
    name, kind = _split_kind(head, said)
    literal, quoted = masked.literal(_ARTICLE.sub("", name))
    return Phrase(
        name=literal,
        kind=kind,
        ordinal=nth,
        near=masked.literal(_bare_name(near))[0],
        side=side,
        within=masked.literal(_bare_name(within))[0],
        quoted=quoted,
        spoken=spoken,
        any=one_of_many,
    )


def kind_first(what: Phrase) -> Phrase | None:
    """ "button ONE" is perhaps not the name of a thing, but the button called ONE; None where it cannot be."""
    found = _KIND_FIRST.match(what.name)
    if not found or what.kind or what.quoted:
        return None
    return msgspec.structs.replace(what, name=found["name"], kind=words.kind(found["kind"]), spoken="")


def _sort_alone(text: str, masked: Masked) -> str:
    """The kind in "“textarea” widget", which says no more than that."""
    found = _KIND_QUOTED.match(text)
    said = masked.literal(found["kind"])[0] if found else ""
    if said.lower() in ("text", "text input"):
        return "field"  # a widget with text in it is one that takes text
    return words.kind(said)


def _one_kind(found: re.Match[str]) -> str:
    """ "folder or file" is an item either way."""
    return found["other"] if words.kind(found["one"]) == words.kind(found["other"]) else found[0]


def _label_first(text: str) -> str:
    """ "the button in the dialog labelled OK": the label is the button's."""
    found = _KIND_WITHIN_LINKED.match(text)
    return f"{found['kind']} {found['linked']} {found['where']}" if found else text


def _split_within(text: str) -> tuple[str, str]:
    found = _WITHIN.match(text)
    if not found:
        return text, ""
    part = re.sub(rf"\s*(?:{_PART})$", "", _ARTICLE.sub("", found["part"].strip()), flags=re.I).strip()
    kind = re.search(rf"(?:{_PART})$", found["part"], re.I)
    bare = kind[0].lower() if kind else ""
    if part:
        return found["head"], part
    return found["head"], "" if bare in (
        "page",
        "window",
        "form",
        "list",
        "app",
        "application",
        "box",
    ) else bare


def _split_beside(text: str) -> tuple[str, str, Side]:
    found = _BESIDE.match(text)
    owned = None if found else _OWNED.match(text)
    if owned:
        return owned["head"], owned["near"], "near"
    if not found:
        return text, "", ""
    how = " ".join(found["how"].lower().split())
    return found["head"], found["near"], _SIDES.get(how) or _across(how)


def _across(how: str) -> Side:
    return "left" if "left" in how else "right" if "right" in how else "near"


def _split_ordinal(text: str) -> tuple[str, int]:
    found = _ORDINAL.match(text)
    if found:
        return found["rest"], words.ordinal(found["nth"])
    found = _NUMBERED.match(text)
    return (found["rest"], int(found["nth"])) if found else (text, 0)


def _split_kind(text: str, said: bool) -> tuple[str, str]:
    """`said` is true when an article came first: "the link Account" is a link, "Link account" a name."""
    if re.fullmatch(words.KIND, text, re.I):
        return (text, "") if text[:1].isupper() and not said else ("", words.kind(text))
    bar = _FIELD_BAR.match(text)
    if bar:
        return bar["name"], "field"
    linked = _KIND_LINKED.match(text)
    if linked:
        return linked["name"], words.kind(linked["kind"])
    listed = _LIST_OF.match(text)
    if listed:
        return listed["name"], "combo"
    last = _KIND_LAST.match(text)
    if last:
        return last["name"], words.kind(last["kind"])
    first = _KIND_FIRST.match(text)
    if first and (said or re.fullmatch(QUOTED, first["name"].strip())):
        return first["name"], words.kind(first["kind"])
    return text, ""


def _bare_name(text: str) -> str:
    """Without article and kind: "the Email field" → Email."""
    bare = _ARTICLE.sub("", text.strip())
    last = _KIND_LAST.match(bare)
    return last["name"] if last else bare
