"""Words that several kinds of arguments look at, and how a span is taken apart."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.language.tokens import Span
from desktop_agent.extras.offline.llm.offline.quoting import Masked, mask

DETERMINERS = frozenset(
    ("the", "my", "our", "a", "an", "this", "that", "your", "his", "her", "their", "another", "some", "any")
)
ASKING = frozenset(
    ("what", "whatever", "which", "whichever", "who", "how", "where", "when", "why", "whose", "whoever")
)
TEXT_NOUNS = frozenset(("text", "word", "words", "line", "sentence", "message", "phrase"))
IT = frozenset(("it", "this", "that", "them", "these", "those", "this one", "that one", "the same"))
DOCUMENT = re.compile(
    r"(?:(?:what(?:'s| is)|the text|everything) in it|its (?:whole )?(?:contents?|text)|the contents?(?: of it)?|what(?:'s|\s+is|ever\s+is)\s+(?:open|there|written(?:\s+there)?)?(?:\s*in\s+(?:the|my)\s+(?:text\s+)?editor)?|(?:a\s+copy\s+of\s+)?(?:this|that|it))|(?:(?:a\s+copy\s+of\s+)?(?:the|this|that|my|its)\s+|a\s+copy\s+of\s+)?(?:(?:new|current|currently|open|opened|whole|same|entire|loaded|existing|text|to-do|todo|shopping|finished)\s+)*"
    r"(?:file|document|note|text|page|letter|list|memo|work|changes|everything|all of it|lot)"
    r"(?:\s+(?:i|we)\s+have\s+open|(?:\s+(?:that|which)(?:'s|\s+is))?\s+(?:currently\s+)?(?:open|loaded|shown|written|displayed))?"
    r"(?:\s+(?:there|in\s+(?:the|my)\s+(?:text\s+)?editor(?:\s+window)?))?",
)
UNNAMED = re.compile(r"[,;:!?\n]")
LITTLE = frozenset(("the", "a", "an", "in", "on", "to", "between", "from", "of", "at", "with", "for", "all"))
PARTS_OF_TEXT = frozenset(
    ("into", "onto", "to", "word", "words", "letter", "letters", "sentence", "character")
)
JOINS = frozenset(("and", "until", "till", "while", "if", "when", "unless", "because"))
NEVER_NAMED = frozenset(
    (
        "it",
        "its",
        "it's",
        "that's",
        "there's",
        "i'm",
        "they're",
        "they",
        "she",
        "he",
        "me",
        "them",
        "you",
        "we",
        "us",
        "please",
        "then",
        "should",
        "shall",
        "must",
    )
)
SHEET = re.compile(r"\b(?:cell [a-z]{1,2}\d|column [a-z]\b|row \d|[a-z]{1,2}\d+ to [a-z]{1,2}\d)")
NEW_DOCUMENT = re.compile(
    r"(?:a|an|another)?\s*(?:new|empty|blank|fresh)\s+(?:text\s+|plain\s+)*(?:document|file|note|page)"
)


def masked_of(span: Span) -> tuple[str, Masked]:
    """The span's text as the phrase reader takes it."""
    masked = mask(span.spoken)
    return masked.text, masked


def bare(span: Span) -> Span:
    """Without articles and possessives at its head."""
    while len(span) > 1 and span.tokens[0].low in DETERMINERS and span.tokens[0].kind == "word":
        span = span.part(1)
    return span


def begins_sentence(span: Span) -> bool:
    return re.search(r"(?:^|[.!?;:\n])\s*$", span.whole[: span.tokens[0].start]) is not None


def low_text(span: Span) -> str:
    return " ".join(span.lows)


def unquoted_text(span: Span) -> str:
    return " ".join(each.text for each in span.tokens if each.kind != "quote")


def split_pieces(span: Span) -> list[Span]:
    """What stands between commas, semicolons, ends of lines and “and”."""
    pieces, start = [], 0
    for at, each in enumerate((*span.tokens, None)):
        if each is None or each.low in (",", ";", "\n", "and", "&"):
            pieces.append(span.part(start, at))
            start = at + 1
    return [each for each in pieces if len(each)]
