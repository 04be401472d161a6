"""Clauses about things that belong to something: the Like button on Ada's post, the star of a row."""

from __future__ import annotations

import re

from desktop_agent.llm.offline import words
from desktop_agent.llm.offline.intents import Intent, OnCard, Phrase
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import QUOTED, Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule

_OWNER_NOUN = r"(?:users?|person|people|author|account|members?|contact|customer|posts?|tweets?|comments?|messages?|entry|entries|cards?|profile|photos?|pictures?|videos?|reviews?)"
_CARD_NOUN = r"(?:posts?|tweets?|comments?|cards?|updates?|entry|entries|photos?|pictures?|videos?|reviews?|status(?:es)?)"
_CLICK = r"(?:click|press|tap|hit|choose|select|use|push)"
_BY = r"(?:by|from|of|written by|made by|posted by)"
_NAME = rf"(?P<owner>{QUOTED}|@\S+|[\w.'-]+(?:\s+[\w.'-]+)?)"
_COUNT = r"(?P<count>all|every|each|the|a|an|any|one|two|three|four|five|six|\d{1,2})"
_DEEDS = r"(?:like|unlike|retweet|repost|share|mute|unmute|block|unblock|follow|unfollow|report|bookmark|upvote|downvote)"


def _count(said: str | None) -> int:
    """How many cards: 0 for all."""
    text = (said or "").lower()
    if text in ("all", "every", "each"):
        return 0
    return int(words.number(text) or 1)


def _owned(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    owner = masked.literal(found["owner"])[0].rstrip(".,")
    count = _count(found.groupdict().get("count"))
    return (OnCard(_what(found["obj"], masked), owner, count),)


def _deed(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    owner = masked.literal(found["owner"])[0].rstrip(".,")
    verb = found["verb"].lower()
    count = _count(found.groupdict().get("count"))
    return (OnCard(Phrase(verb.capitalize(), "button", spoken=verb), owner, count),)


def _what(fragment: str, masked: Masked) -> Phrase:
    """The thing to click; a name alone is enough."""
    what = phrase(fragment, masked)
    return what if what.name or what.kind else Phrase(what.spoken, spoken=what.spoken)


RULES: tuple[Rule, ...] = (
    _rule(rf"for\s+(?:the\s+)?{_OWNER_NOUN}\s+(?:(?:{_BY}|called|named)\s+)?{_NAME}\s*,?\s+{_CLICK}(?:\s+on)?\s+(?P<obj>.+)", _owned),
    _rule(rf"{_CLICK}(?:\s+on)?\s+(?P<obj>.+?)\s+(?:on|for|of|in|under|below|beneath)\s+{_COUNT}\s+(?:of\s+the\s+)?{_CARD_NOUN}\s+{_BY}\s+(?:the\s+user\s+|user\s+)?{_NAME}", _owned),
    _rule(rf"{_CLICK}(?:\s+on)?\s+(?P<obj>.+?)\s+(?:on|for|of|in|under|below|beneath)\s+{_NAME}['’]s\s+{_CARD_NOUN}", _owned),
    _rule(rf"(?P<verb>{_DEEDS})\s+{_COUNT}\s+(?:of\s+the\s+)?{_CARD_NOUN}\s+{_BY}\s+(?:the\s+user\s+|user\s+)?{_NAME}", _deed),
    _rule(rf"(?P<verb>{_DEEDS})\s+(?:(?:the\s+)?user\s+)?(?P<owner>@\S+)(?:['’]s\s+{_CARD_NOUN})?", _deed),
)  # fmt: skip
