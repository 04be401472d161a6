"""Reads what is to be done with somebody's message, in whatever order it is said: who wrote it, to whom it goes."""

from __future__ import annotations

import re

from desktop_agent.llm.offline.intents import Mail
from desktop_agent.llm.offline.intents_composite import MailVerb
from desktop_agent.llm.offline.quoting import QUOTED, Masked

_MAIL = r"(?:e-?mails?|messages?|mails?)"
_COPY = r"(?:(?:a|the)\s+copy\s+of\s+)?"
# A name is quoted, or a few words with capitals; the second try takes any word that is no small word.
_CAPITAL = r"(?!(?-i:E-?[Mm]ail|Mail|Message|Inbox|Subject|Re)\b)(?-i:[A-Z])[\w’.-]*[\w’-](?:\s(?-i:[A-Z])[\w.-]*\w)*"
_ANY = (
    r"(?!(?:me|him|her|them|it|us|you|the|a|an|my|your|his|their|this|that|to|from|by|of|for|and|all|any|mark|click|"
    r"who|whom|which|with|in|on|as|reply|respond|forward|delete|e-?mails?|messages?|mails?|inbox|trash|is|was)\b)[\w@][\w@.-]*\w"
)
_FORWARDS = r"(?:forward|fwd)"
_SEND = r"(?:send|resend|re-send|give|pass|share|relay|e-?mail|mail|copy|put|get|transfer|deliver|direct|redirect|receives?|sent|given|have|has)"

_REPLY = re.compile(
    r"\b(?:repl(?:y|ies|ying)|respon[ds]\w*|answer\w*|write\s+(?:\S+\s+)?back|get back|e-?mail\s+\S+\s+back)\b",
    re.I,
)
_FORWARD = re.compile(rf"\b{_FORWARDS}(?:ed|ing|s)?\b", re.I)
_DELETE = re.compile(
    r"\b(?:delet\w+|trash\w*|remov\w+|discard\w*|eras\w+|bin|get(?:ting)? rid of|throw(?:ing)?\b.{0,80}?\b(?:away|out)|toss|dump|eliminate)\b",
    re.I,
)
_STAR = re.compile(r"\b(?:star(?:red)?|flag(?:ged)?|favou?rites?|importan(?:t|ce)|priority)\b", re.I)
_SENDING = re.compile(rf"\b{_SEND}\b", re.I)
_OPEN = re.compile(r"\b(?:open|show|read|view|see)\b", re.I)
_ABOUT = re.compile(rf"\b{_MAIL}\b|\b(?:inbox)\b", re.I)
_FIRST_WORD = re.compile(
    r"(^|[.!?:;]\s+|\n\s*)([A-Z][\w-]*)(?!['’]s|\s+(?:sent|wrote|written|must|should|needs?|wants?|has|is|would|may|asked)\b|\w)"
)
_TEXT = re.compile(
    rf"(?P<quoted>{QUOTED})|\b(?:with|saying|says?|text|message|words?|that)\s*:?\s+(?!the\b)(?P<said>[^\x02]+)$|:\s*(?P<rest>[^\x02]+)$",
    re.I | re.S,
)
_LONGEST = 400


def mail(text: str, masked: Masked) -> Mail | None:
    """What is to be done with whose message; None when the words are not about one."""
    if len(text) > _LONGEST:
        return None
    plain = _FIRST_WORD.sub(lambda found: found[1] + found[2].lower(), " ".join(text.split()))
    for name in (rf"(?:{QUOTED}|{_CAPITAL})", rf"(?:{QUOTED}|{_ANY})"):
        found = _read(plain, name, masked)
        if found is not None:
            return found
    return None


def _read(text: str, name: str, masked: Masked) -> Mail | None:
    verb = _verb(text)
    if verb is None or not (_ABOUT.search(text) or verb == "reply"):
        return None
    body = _TEXT.search(text) if verb == "reply" else None
    rest = text[: body.start()] if body and not body["quoted"] else _without(body, text)
    sender = _first(rest, _SENDERS, name) or (_first(rest, _ANSWERED, name) if verb == "reply" else None)
    to = _first(rest, _RECEIVERS, name, sender) if verb == "forward" else None
    if verb == "forward":
        sender, to = _completed(rest, name, sender, to)
        if to is None:
            return None
    words = _words(body, masked)
    if sender is None or (verb == "reply" and not words):
        return None
    return Mail(verb, _said(sender, rest, masked), _said(to, rest, masked), words)


def _verb(text: str) -> MailVerb | None:
    """The strongest of the verbs: who forwards an important message does not mark it."""
    if _REPLY.search(text):
        return "reply"
    if _FORWARD.search(text):
        return "forward"
    if _DELETE.search(text):
        return "delete"
    if _STAR.search(text):
        return "star"
    if _SENDING.search(text):
        return "forward"
    return "open" if _OPEN.search(text) else None


def _without(body: re.Match[str] | None, text: str) -> str:
    return text if body is None else text[: body.start()] + "." + text[body.end() :]


def _words(body: re.Match[str] | None, masked: Masked) -> str:
    if body is None:
        return ""
    if body["quoted"]:
        return masked.literal(body["quoted"])[0]
    return masked.restore(body["said"] or body["rest"] or "").strip().rstrip(".")


def _senders(name: str) -> tuple[str, ...]:
    n = rf"(?P<n>{name})"
    single = r"(?P<n>(?-i:[A-Z])[\w-]*)"
    return (
        rf"\b{_SEND}\s+(?:to\s+)?(?-i:[A-Z])[\w. -]*?\s+{_COPY}{single}['’]s\s+(?:[\w-]+\s+){{0,3}}?{_MAIL}\b",
        rf"\b(?:by|from)\s+(?:(?:the\s+)?(?:user|sender|contact)\s+)?{n}",
        rf"{n}['’]s?\s+(?:[\w-]+\s+){{0,3}}?{_MAIL}\b",
        rf"{n}\s+(?:has\s+|had\s+|have\s+|just\s+)?(?:sent|wrote|written|e-?mailed|messaged|mailed)\b",
        rf"\b(?:the|that|this|my)\s+(?:\w+\s+)?{n}\s+{_MAIL}\b",
        rf"\b{_MAIL}\s+of\s+{n}",
    )


def _answered(name: str) -> tuple[str, ...]:
    n = rf"(?P<n>{name})"
    verbs = r"(?:repl(?:y|ying)|respond(?:ing)?|answer(?:ing)?|response|write(?:\s+back)?|back)"
    return (
        rf"\b{verbs}\s+(?:back\s+)?(?:to\s+)?(?:the\s+user\s+)?{n}",
        rf"\b(?:e-?mail|tell|write|message)\s+{n}",
    )


def _receivers(name: str) -> tuple[str, ...]:
    n = rf"(?P<n>{name})"
    verbs = rf"(?:{_FORWARDS}|{_SEND})"
    return (
        rf"\b(?:to|for|into?)\s+{n}",
        rf"\b{verbs}\s+{n}(?!['’]s\s+(?:[\w-]+\s+){{0,3}}?{_MAIL})",
        rf"\blet\s+{n}\s",
        rf"{n}\s+(?:must|should|needs?|wants?|has|is|would|to)\b",
    )


_SENDERS, _ANSWERED, _RECEIVERS = _senders, _answered, _receivers


def _first(
    text: str, patterns: object, name: str, other: tuple[int, int] | None = None
) -> tuple[int, int] | None:
    """Where the first of the patterns finds a name that is not the other one."""
    for pattern in patterns(name):  # type: ignore[operator]
        for found in re.finditer(pattern, text, re.I):
            if other is None or found.start("n") >= other[1] or found.end("n") <= other[0]:
                return found.span("n")
    return None


def _completed(
    text: str, name: str, sender: tuple[int, int] | None, to: tuple[int, int] | None
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Of two names the one that has no part yet gets the other part."""
    if "A-Z" not in name or (sender is None) == (to is None):
        return sender, to
    known = sender or to
    spans = [each.span() for each in re.finditer(name, text, re.I)]
    left = [each for each in spans if known and (each[0] >= known[1] or each[1] <= known[0])]
    if len(left) != 1:
        return sender, to
    return (sender, left[0]) if to is None else (left[0], to)


def _said(span: tuple[int, int] | None, text: str, masked: Masked) -> str:
    if span is None:
        return ""
    bare = re.sub(r"['’]s?$", "", text[slice(*span)])
    return masked.literal(bare)[0]
