"""Keeps where each marked secret belongs: the applications and origins that the user named for it or said yes to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from desktop_agent.policy.facts.place import UNKNOWN, Place, Subject, program_name, subject_of
from desktop_agent.policy.facts.words.scope_from_words import Programs, origins_named
from desktop_agent.policy.facts.words.spoken_words import mentioned, table_phrases
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.redaction.redactor import redactor

SINK = "secret:"
"""What is asked about a secret somewhere else than it belongs: this and the secret's name."""
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|[\n。！？；]+")
_STAND_IN = re.compile(r"\{\{secret:[^{}]*\}\}")


class SecretPlaces:
    """Where the secrets of one run belong. Only the agent's thread touches it.

    A secret belongs to a place when the user's words name that one place in the sentence with the secret
    ("sign in to shop.example with {{secret:shop}}"), or no other place anywhere; else a yes says so. Where words
    could mean two places they mean none.
    """

    def __init__(self, programs: Programs) -> None:
        self._programs = programs
        self._said: list[str] = []
        self._confirmed: set[tuple[str, Subject]] = set()

    def hear(self, texts: Sequence[str]) -> None:
        """The user has said this, with stand-ins for secrets."""
        self._said += texts

    def confirm(self, sinks: str, place: Place) -> None:
        """The user has said yes to these sinks at a place: the secrets among them belong there in this run."""
        subject = subject_of(place)
        for each in sinks.split("+"):
            if each.startswith(SINK) and subject.what != UNKNOWN:
                self._confirmed.add((each.removeprefix(SINK), subject))

    def elsewhere(self, op: Op, place: Place) -> tuple[str, ...]:
        """The names of the secrets that the operation would type where they do not belong."""
        names = _typed(op)
        return tuple(name for name in names if not self._belongs(name, subject_of(place)))

    def settled(self, op: Op, place: Place) -> frozenset[str]:
        """The sinks that need no further yes: a password field of the place that a secret belongs to is where it goes."""
        names = _typed(op)
        alone = isinstance(op, ops.Type) and not _STAND_IN.sub("", op.text).strip()
        at_home = bool(names) and alone and not self.elsewhere(op, place)
        return frozenset(("password", "secret")) if at_home and _takes_password(place) else frozenset()

    def _belongs(self, name: str, subject: Subject) -> bool:
        if subject.what == UNKNOWN:
            return False
        return (name, subject) in self._confirmed or subject in self._named(name)

    def _named(self, name: str) -> frozenset[Subject]:
        """The place that the user's words name for a secret, in its one or two origins; empty when none or several."""
        sentences = [each for text in self._said for each in _SENTENCE.split(text)]
        own = [each for each in sentences if name in redactor().stand_ins(each)]
        for sentence in own:
            if not _forbids(sentence) and (places := self._places(sentence)):
                return _only(places)
        everything = "\n".join(self._said)
        if not own or any(map(_forbids, sentences)):
            return frozenset()
        return _only(self._places(everything))

    def _places(self, words: str) -> frozenset[Subject]:
        """The pages that words name, else the applications."""
        plain = _STAND_IN.sub(" ", words)
        sites = frozenset(_origins(plain))
        apps = self._programs.programs_named(plain) if not sites else ()
        return sites or frozenset(Subject("app", program_name(each)) for each in apps)


def question(names: Sequence[str], place: Place) -> str:
    """Why typing these secrets at a place needs a yes."""
    kind, what = subject_of(place)
    if what == UNKNOWN:
        where = "a page whose address cannot be told" if kind == "site" else "a window that cannot be told"
    else:
        where = what if kind == "site" else f"the application {what}"
    listed = ", ".join(f"“{name}”" for name in names)
    return f"This types your secret {listed} into {where}. You have not said that it belongs there."


def _typed(op: Op) -> tuple[str, ...]:
    found = redactor().stand_ins(op.text) if isinstance(op, ops.Type) else ()
    return tuple(dict.fromkeys(found))


def _takes_password(place: Place) -> bool:
    return "password" in place.states or place.role == "password text"


def _origins(words: str) -> Iterator[Subject]:
    """What words name; a bare host means TLS, as nobody says a password to be sent in the clear."""
    for origin in origins_named(words):
        if origin.startswith("https://") or origin in words.casefold():
            yield Subject("site", origin)


def _only(places: frozenset[Subject]) -> frozenset[Subject]:
    """The places when they are one: an address with http and the same with https are."""
    return (
        places if len({each.what.partition("://")[2] or each.what for each in places}) == 1 else frozenset()
    )


def _forbids(sentence: str) -> bool:
    return mentioned((*table_phrases("not_after"), *table_phrases("not_at_all")), sentence)
