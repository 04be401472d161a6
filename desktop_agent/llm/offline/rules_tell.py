"""Clauses about waiting, sums and reading, and words that ask for nothing."""

from __future__ import annotations

import re

from desktop_agent.llm.offline import arithmetic, words
from desktop_agent.llm.offline.intents import Compute, Help, Intent, Phrase, Read, WaitFor
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule

_THE = re.compile(r"^(?:the|a|an|my|your|this|that|up)\s+", re.I)


def _compute(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    body = re.sub(
        r"\s+(?:in|on|with|using|by using|via)\s+(?:the\s+|a\s+|my\s+)?\S*(?:calculator|calc|galculator|kcalc)(?:\s+app)?$",
        "",
        found["obj"].strip(),
        flags=re.I,
    )
    body = re.sub(r"^(?:what|how much)\s+(?:(?:is|are)\s+)?", "", body, flags=re.I)
    body = masked.literal(re.sub(r"\s+(?:is|are|makes?|equals?|gives?|comes to)$", "", body, flags=re.I))[0]
    expression = arithmetic.expression(body)
    return (Compute(expression),) if expression else None


def _wait(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    said = (found.groupdict().get("amount") or "").lower()
    half = "half" in said
    amount = words.number(re.sub(r"^(?:half|another|about)\s*", "", said)) or 1.0
    unit = (found.groupdict().get("unit") or "s").lower()
    scale = (
        60.0
        if unit.startswith("m") and not unit.startswith(("ms", "milli", "moment"))
        else 0.001
        if unit.startswith(("ms", "milli"))
        else 1.0
    )
    return (WaitFor(min(3_600.0, amount * scale * (0.5 if half else 1.0))),)


def _wait_until(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    text = masked.literal(_THE.sub("", found["text"].strip()))[0]
    text = re.sub(r"^(?:text|word|words|message|label)\s+(?=\S)", "", text, flags=re.I)
    text = re.sub(r"""^["'“‘](.*)["'”’]$""", r"\1", text, flags=re.S)
    return waiting_for(text, gone=bool(found.groupdict().get("gone")))


def waiting_for(text: str, *, gone: bool = False) -> tuple[Intent, ...]:
    """Wait for a text or thing; for a page or window in general only a moment, as every look waits for it."""
    if re.fullmatch(
        r"(?:page|site|it|everything|window|app|application|program|screen|document)", text, re.I
    ):
        return (WaitFor(1.0),)
    return (WaitFor(text=text, gone=gone),)


def _read(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    body = re.sub(r"^(?:out\s+|aloud\s+)?(?:me\s+)?", "", found["obj"].strip(), flags=re.I)
    body = re.sub(
        r"^(?:what(?:'s| is| does)?|which)\s+(?:is\s+)?(?:the\s+)?(?:(?:text|value|content|contents)\s+(?:of|in)\s+)?",
        "",
        body,
        flags=re.I,
    )
    body = re.sub(r"^(?:the\s+)?(?:text|value|contents?)\s+(?:of|in|on|from)\s+", "", body, flags=re.I)
    if re.search(r"\bwhat\b", found[0], re.I):
        body = re.sub(r"\s+(?:says?|shows?|displays?|reads?|contains?|is|are|say)$", "", body, flags=re.I)
    if re.fullmatch(
        r"(?:the\s+)?(?:screen|page|window|everything|it|that|text|you see|is (?:shown|on the screen))?",
        body,
        re.I,
    ):
        return (Read(Phrase("")),)
    if re.match(r"(?:about|a joke|how|why|when|who|if|whether)\b", body, re.I):
        return None
    return (Read(phrase(body, masked)),)


def _help(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return (Help(),)


def _nothing(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return ()


FIRST: tuple[Rule, ...] = (
    _rule(r"(?:wait|pause|hold on|sleep|stay)(?:\s+for)?\s+(?P<amount>(?:another\s+|about\s+)?(?:half\s+an?|[\w.-]+(?:\s+few|\s+couple(?: of)?)?))\s*(?P<unit>s|secs?|seconds?|ms|milliseconds?|m|mins?|minutes?|moments?|while|bit)\b(?:\s+(?:longer|more))?", _wait),
    _rule(r"(?:wait|pause)(?:\s+(?:a bit|briefly|shortly))?", _wait),
    _rule(r"(?:wait|hold on)(?:\s+(?:until|till|for|while))(?:\s+that)?\s+(?P<text>.+?)\s+(?P<gone>(?:to\s+)?(?:disappears?|vanish(?:es)?|(?:has |is |be )?(?:gone|closed|disappeared|finished loading)|closes?|go(?:es)? away|no longer (?:visible|shown|there)))", _wait_until),
    _rule(r"(?:wait|hold on)(?:\s+(?:until|till|for))(?:\s+(?:you (?:can )?(?:see|find)|i (?:can )?see|there is|it (?:says|shows|reads)))?\s+(?P<text>.+?)(?:\s+(?:to\s+)?(?:appears?|shows?(?: up)?|(?:is|are|be|becomes?) (?:visible|shown|there|displayed|on (?:the )?screen|loaded|ready|open(?:ed)?|seen)|pops? up|comes? up|loads?|opens?|has (?:appeared|loaded|opened|finished loading)|finish(?:es)?(?: loading)?))?(?:\s+on (?:the )?(?:screen|page))?", _wait_until),
    _rule(r"(?:calculate|compute|work out|evaluate|figure out|determine|solve|do|find|get|tell me|what is|what's|what are|how much is)\s+(?P<obj>.+)", _compute),
    _rule(r"(?P<obj>(?:add|subtract|multiply|divide|sum|take)\s+.+)", _compute),
)  # fmt: skip

RULES: tuple[Rule, ...] = (
    _rule(r"(?:what can you do|help(?: me)?|what do you (?:understand|know)|how do(?:es)? (?:this|you) work)", _help),
    _rule(r"(?:what(?:'s| is| does| do)|which)\s+(?P<obj>.+)", _read),
    _rule(r"(?:read|tell|report|extract|report back|say|show me|let me know|check|see|note down|give me|find out)\s+(?P<obj>(?:(?:to\s+)?me\s+)?what(?:'s| is| does)?\s+.+)", _read),
    _rule(r"(?:read|report|tell me|give me|let me know|report back|read out|read me|extract)\s+(?P<obj>.+)", _read),
    _rule(r"(?:thanks?(?: you)?(?: very much)?|please|hi|hello|hey|hi there|hello there|good (?:morning|day|evening)|that's (?:all|it)|that is (?:all|it)|done|you(?:'re| are) done|finish(?:ed)?|stop(?: there)?|(?:tell|let) me (?:know )?when (?:you are|you're|it is|it's) (?:done|finished|ready))", _nothing),
)  # fmt: skip
