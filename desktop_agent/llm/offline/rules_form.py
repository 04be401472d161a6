"""Clauses about forms: fill in, set, choose, check, clear, submit, log in."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.llm.offline.intents import Check, Choose, Clear, Click, Fill, Intent, Phrase, Submit
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import QUOTED, Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule, text_of

_ARTICLE = re.compile(r"^(?:the|a|an|my|your)\s+", re.I)
_LIST_NOUN = r"(?:drop-?down(?: list| menu)?|list(?: box)?|combo ?box|menu|select(?: box)?|selector|options?|choices|field|box|picker)"
_PAIR = re.compile(
    r"^(?:the\s+|my\s+|your\s+)?(?P<field>[^:=]{1,60}?)\s*(?:\s(?:with|to|as|is|should be|should say)\s|:\s*|=\s*)(?P<value>.+)$",
    re.I | re.S,
)


def fill_of(field: str, value: str, masked: Masked) -> Fill:
    """A Fill with the field's phrase and the value as it was written."""
    return Fill(phrase(field, masked), text_of(value, masked))


def pair(segment: str, masked: Masked) -> Fill | None:
    """ "the email with a@b.c", "age: 42": what may follow another filling."""
    found = _PAIR.match(segment.strip())
    return fill_of(found["field"], found["value"], masked) if found else None


def _fill(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (fill_of(found["field"], found["value"], masked),)


def _fill_flipped(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (fill_of(found["field"], found["value"], masked),)


def _form(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    parts = re.split(r"\s*[,;\n]\s*(?:and\s+)?|\s+and\s+", found["pairs"].strip())
    fills: list[Fill] = []
    for part in parts:
        each = pair(part, masked) or _loose_pair(part, masked)
        if each:
            fills.append(each)
        elif fills:
            last = fills[-1]
            fills[-1] = Fill(last.field, f"{last.value}, {masked.restore(part)}")
        else:
            return None
    return tuple(fills)


_FIELD_WORDS = (
    r"(?:(?:first|last|family|full|user|middle|given|company)\s+name|(?:e-?mail|street|home|postal|billing|shipping|delivery)\s+address"
    r"|(?:phone|telephone|mobile|card|account|house)\s+number|(?:zip|postal|area|post)\s+code|date of birth|[^\W\d][\w-]*)"
)


_FIELD_NAMES = (
    r"(?:user ?name|pass ?word|e-?mail(?: address)?|(?:(?:first|last|family|full|user|middle) )?name|code|pin|phone(?: number)?|address|city"
    r"|country|zip(?: code)?|postal code|amount|number|age|company|title|subject|message)"
)
"""Words that name fields wherever forms are."""


def _loose_pair(part: str, masked: Masked) -> Fill | None:
    """ "name John Smith": the first word is the field; with a quotation all before it is."""
    quoted = re.fullmatch(rf"(?P<field>.+?)\s+(?P<value>{QUOTED})", part)
    found = quoted or re.fullmatch(
        rf"(?:the\s+|my\s+)?(?P<field>{_FIELD_WORDS})\s+(?P<value>\S.*)", part, re.I | re.S
    )
    return fill_of(found["field"], found["value"], masked) if found else None


def _choose(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    option = phrase(found["option"], masked)
    source = masked.literal(_ARTICLE.sub("", found["source"].strip() + " ").strip())[0]
    return (Choose(option, source),)


def _choose_bare(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    option = phrase(found["option"], masked)
    if option.within:
        return (
            Choose(
                Phrase(option.name, option.kind, option.ordinal, quoted=option.quoted, spoken=option.name),
                option.within,
            ),
        )
    return (Choose(option),) if option.spoken else None


def _check(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    verb = found["verb"].lower()
    on = None if verb == "toggle" else not re.match(r"un|de|turn off|switch off|disable|clear|untick", verb)
    return (Check(phrase(found["obj"], masked), on),)


def _agreed(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Accept the terms": a box to tick, or a button that says all of it."""
    what = phrase(found["obj"], masked)
    return (Check(msgspec.structs.replace(what, spoken=masked.restore(found[0])), True),)


def _checked(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    word = found["state"].lower()
    negative = bool(found["no"]) or word.startswith(("un", "dis", "de", "off"))
    return (Check(phrase(found["obj"], masked), not negative),)


def _clear(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what = (found.groupdict().get("obj") or "").strip()
    bare = re.fullmatch(
        r"(?:it|everything|(?:all )?(?:of )?(?:the |its )?(?:text|contents?|input|selection)|)", what, re.I
    )
    return (Clear(Phrase("") if bare else phrase(what, masked)),)


def _submit(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return (Submit(),)


def _login(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    fields: list[Intent] = [fill_of("username", found["user"], masked)]
    if found["password"]:
        fields.append(fill_of("password", found["password"], masked))
    return (*fields, Submit())


def _say(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Answer yes": the button of that name."""
    name = masked.literal(found["obj"])[0]
    return (Click(Phrase(name, "button", spoken=name)),)


def _answer(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    """ "Confirm the dialog", "cancel", "accept": the button that says so."""
    verb = found["verb"].lower()
    name = {"confirm": "OK", "accept": "Accept", "dismiss": "Close", "cancel": "Cancel"}[verb]
    return (Click(Phrase(name, "button", spoken=name)),)


_CHECK_VERB = r"(?P<verb>check|tick|mark|enable|turn on|switch on|activate|uncheck|untick|unmark|deselect|unselect|disable|deactivate|turn off|switch off|toggle)"

FREE: tuple[Rule, ...] = (
    _rule(r"fill\s+(?:in|out|up)?\s*(?:the|this|that)?\s*(?:\S+\s+)?form(?:\s+for\s+me)?\s*(?:with|using|as follows|:|with the following(?: values| data)?:?)\s*:?\s*(?P<pairs>.+)", _form),
    _rule(rf"fill\s+(?:in|out)\s+(?P<value>{QUOTED})\s+(?:in|into|for|as)\s+(?P<field>.+)", _fill_flipped),
    _rule(r"fill\s+(?P<value>.+?)\s+(?:in|into)\s+(?P<field>(?:the\s+).+)", _fill_flipped),
    _rule(r"(?:fill|complete)\s+(?:in|out)?\s*(?P<field>.+?)\s+(?:with|as|to be|using|by typing|:)\s+(?P<value>.+)", _fill),
    _rule(r"fill\s+(?:in|out)?\s*(?P<field>[^:]+?)\s*:\s*(?P<value>.+)", _fill),
    _rule(rf"fill\s+(?:in|out)\s+(?P<field>.+?)\s+(?P<value>{QUOTED})", _fill),
    _rule(r"(?:set|change|update|adjust|turn|put|edit|modify)\s+(?:the\s+)?(?:value of\s+|text of\s+)?(?P<field>.+?)\s+(?:to be|to|as|=|at|up to|down to)\s+(?P<value>.+)", _fill),
    _rule(r"(?:drag|move|slide)\s+(?P<field>.+?)\s+to\s+(?P<value>-?\d+(?:\.\d+)?\s*%?)", _fill),
    _rule(r"(?:answer|give|provide|use)\s+(?P<value>.+?)\s+(?:as|for)\s+(?P<field>(?:the|my|your)\s+.+)", _fill_flipped),
)  # fmt: skip

RULES: tuple[Rule, ...] = (
    *FREE,
    _rule(rf"(?:select|choose|pick)\s+(?P<option>.+?)\s+(?:from|in|out of|on|within|under)\s+(?P<source>(?:the\s+)?.+?)\s+{_LIST_NOUN}", _choose),
    _rule(rf"(?:select|choose|pick)\s+(?P<option>.+?)\s+(?:from|in|out of)\s+(?P<source>(?:the\s+)?{_LIST_NOUN})", _choose_bare),
    _rule(r"(?:select|choose|pick)\s+(?P<option>.+?)\s+(?:from|out of|as|for)\s+(?P<source>.+)", _choose),
    _rule(r"(?:select|choose|pick)\s+(?P<option>.+)", _choose_bare),
    _rule(r"(?:make sure|ensure|see to it|check)(?: that)?\s+(?P<obj>.+?)\s+(?:is|are)\s+(?P<no>not\s+)?(?P<state>(?:un)?checked|(?:un)?ticked|(?:de|un)?selected|enabled|disabled|(?:turned |switched )?on|(?:turned |switched )?off)", _checked),
    _rule(rf"{_CHECK_VERB}\s+(?:the\s+(?:check ?box|box|option|setting)\s+(?:for|next to|labell?ed|called|named|that says|beside)\s+)?(?P<obj>.+)", _check),
    _rule(r"(?:turn|switch)\s+(?P<obj>.+?)\s+(?P<state>on|off)(?P<no>)", _checked),
    _rule(r"(?:clear|empty|erase|delete|remove|wipe)\s+(?:out\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:text|contents?|value|input|words)\s+(?:in|of|from|inside)\s+(?P<obj>.+)", _clear),
    _rule(r"(?:clear|empty|erase|wipe)(?:\s+(?P<obj>.+))?", _clear),
    _rule(r"(?:delete|remove)\s+(?P<obj>everything|all(?: of)? (?:the )?text|the (?:whole )?text|(?:the |its )?contents?)", _clear),
    _rule(r"(?:submit|send)(?:\s+(?:it|(?:the|this|that)\s+(?:\S+\s+)?(?:form|page|data|answers?)))?", _submit),
    _rule(r"(?:log|sign)\s+(?:me\s+)?(?:in|on|into \S+)\s+(?:as|with|using)\s+(?:(?:the\s+)?(?:user ?name|user|e-?mail|login)\s+)?(?P<user>.+?)(?:(?:\s*,\s*|\s+)(?:and\s+|with\s+|using\s+)*(?:(?:the|my)\s+)?password\s+(?P<password>.+))?", _login),
    _rule(r"(?:answer|say|reply)(?:\s+with)?\s+(?P<obj>\S+)", _say),
    _rule(r"(?P<verb>confirm|accept|dismiss|cancel)(?:\s+(?:it|that|this|(?:the|this|that)\s+(?:\S+\s+)?(?:dialog|dialogue|message|prompt|popup|question|alert|warning|box)))?", _answer),
    _rule(r"(?:subscribe to|agree (?:to|with)|opt in(?:to| to)|accept|consent to)\s+(?P<obj>(?:the |all |our |these )*(?!dialog|alert|message|prompt|popup|question|warning)\S.*)", _agreed),
)  # fmt: skip
