"""Reads the beginning of a sentence of the user's: is it an order, told, asked, denied, or the text of something to be made?

The reading goes from word to word. A state tells how the sentence stands; commas, colons and words as “and” may begin
another clause.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from desktop_agent.policy.facts.words.sentence_words import (
    ARROWS,
    BREAKS,
    THING,
    corrected,
    frame,
    is_adverb,
    is_past,
    listed,
    tokens_of,
    verbs,
)

State: TypeAlias = Literal["begin", "order", "told", "unknown", "clause", "content", "never", "asked"]
"""Nothing yet that matters; an order; told of, by whomever; none of these; a clause that depends on another; a text that is to be made; denied; asked."""
_THEN = frozenset(("then", "dann", "danach", "anschliessend", "afterwards", ";", *ARROWS))
_SO = frozenset(("so", "also", "therefore", "hence", "thus", "deshalb", "daher", "darum"))
_DASHES = frozenset(("—", "–", " - "))
_ASKING = frozenset(("what", "why", "how", "which", "who", "where", "was", "wie", "warum", "wer", "wo"))
_LEADING = frozenset(("if", "when", "once", "wenn", "falls", "sobald", "nachdem", "before", "bevor"))
_MAY = frozenset(("can", "may", "should", "must", "kann", "darf", "soll", "muss"))
_DROPPED = frozenset((("das", "mit"), ("es", "sein"), ("das", "sein"), ("die", "finger")))
"""Behind “lass” they leave something undone."""
_FEW = 4
"""Words of a name or a sigh before an order, at most."""
_NO_WORDS = frozenset(("'", '"', THING, "(", ")", "€", "$", "£"))


class Reading(NamedTuple):
    """How a sentence stands where the reading has come to: its state, the verb that governs, the first one."""

    state: State
    verb: str
    first: str
    behind: tuple[str, ...]
    """The words since that verb."""
    fresh: bool
    """May a verb begin an order here?"""


def read_words(tokens: Sequence[str], ahead: Sequence[str] = ()) -> Reading:
    """Read the beginning of a sentence; `ahead` is the word that comes next, if that matters."""
    return _Reader(tokens, ahead).read()


@dataclass
class _Reader:
    """The reading of one beginning; `at` is the place behind the word that is read."""

    tokens: Sequence[str]
    ahead: Sequence[str]
    state: State = "begin"
    verb: str = ""
    first: str = ""
    behind: list[str] = field(default_factory=list)
    at: int = 0
    fresh: bool = True
    leading: bool = False
    """A clause that stands before the order that depends on it: “if …, run it”."""
    placed: bool = False
    """Something has been named before the order: a place, or a frame as “could you”."""
    strange: int = 0
    """How many words that say nothing of an order have been read since."""
    quoting: bool = False
    """Somebody's words are told."""
    main_at: int = 0
    """Index of the order's first word behind a leading clause."""

    def read(self) -> Reading:
        while self.at < len(self.tokens):
            if self.state == "begin" and (length := frame(self.tokens, self.at)):
                self._framed(length)
                continue
            word = self.tokens[self.at]
            self.at += 1
            speaks = word in listed("speech") and (word, *self._following) != ("wants", "to")
            self.quoting = (self.quoting or speaks) and word not in ("i", "we", "ich", "wir")
            if self._is_pause(word):
                continue
            if self.fresh and self.state in ("begin", "order"):
                word = corrected(word)
            if self.state == "begin" and not self._is_quiet(word) and self._says_nothing_more(word):
                break
            self._take(word)
        return Reading(self.state, self.verb, self.first, tuple(self.behind), self.fresh)

    @property
    def _before(self) -> str:
        """The word before the one that is read."""
        return self.tokens[self.at - 2] if self.at > 1 else ""

    @property
    def _following(self) -> Sequence[str]:
        return self.tokens[self.at : self.at + 1]

    def _says_nothing_more(self, word: str) -> bool:
        """Do only articles and the like follow?"""
        light = all(each in listed("light") for each in self.tokens[self.at - 1 :])
        return light and word not in listed("negation")

    def _framed(self, length: int) -> None:
        """Go past “could you”."""
        self.at += length
        self.first, self.fresh, self.placed = "", True, True

    def _is_pause(self, word: str) -> bool:
        """Is it a comma, a colon, an “and”? Then it is read here."""
        if word == ":" and _leads_a_text(self.first, self.verb, self.tokens[self.main_at : self.at]):
            self.state, self.first, self.behind = "content", "quote", [*self.tokens[: self.at]]
            return True
        if word not in BREAKS and word not in listed("joint"):
            return False
        quoted = self.state == "content" and self._before == THING
        if (
            quoted and word not in BREAKS and set(self._following or self.ahead) & verbs()
        ):  # “write "…" and send it”
            self.state, self.fresh = "begin", True
            return True
        if word == "," and self.state == "order" and self._is_relative():
            self.state, self.fresh = "clause", False
            return True
        self.fresh = self._goes_back(word)
        if self.fresh:
            self.leading = self.leading and self.state != "clause"
            self.state = "order" if self.state == "order" else "begin"
        self.placed = self.placed or (self.fresh and self.state == "begin")
        self.behind += [word] if word == ":" else []
        return True

    def _sends(self, word: str) -> bool:
        """Is what was written sent: “write that I'm ill, and send it”?"""
        following = (*self.tokens[self.at : self.at + 2], *self.ahead)
        it = following[1:2] and following[1] in listed("it")
        return word in ("and", "und") and bool(following) and following[0] in listed("sending") and bool(it)

    def _has_object(self, state: State) -> bool:
        """Does “that” behind the verb lead an object, as in “kill that process”, “send that file …”?"""
        return (state == "order" and not _takes_a_clause(self.verb)) or bool(
            set(self._following) & listed("that_one")
        )

    def _is_relative(self) -> bool:
        """Does a clause follow that tells more of what was just named: “in which …”, “in dem der …”?"""
        ahead = (*self.tokens[self.at : self.at + 3], "", "", "")
        if ahead[0] not in listed("place"):
            return False
        whose = ahead[2] in listed("subject") | {"der", "die", "das", "den", "ein", "eine", "steht"}
        return ahead[1] in ("which", "whom", "whose") or (ahead[1] in ("dem", "denen", "der") and whose)

    def _goes_back(self, word: str) -> bool:
        """May an order begin behind this comma, colon, “and”?"""
        following = self._following or self.ahead
        then = word in _THEN
        begins = bool(following) and following[0] in verbs() | listed("filler")
        if word == ":" and self._before in listed("saying") and self.state in ("clause", "told", "unknown"):
            return False  # “if …, I'd say: delete it”
        asks_me = bool(self.tokens[self.at :]) and frame(self.tokens, self.at) > 0
        if self.verb in listed("content") - listed("addressed") and self._sends(word):
            return True
        match self.state:
            case "clause":
                if self.leading and (word in (",", ":") or then):
                    self.main_at = self.at
                    return True
                also = bool(following) and following[0] in ("also", "then", "ausserdem")
                goes_on = (also or self.first not in listed("know")) and word in (",", "and", "und")
                goes_on = goes_on or (
                    word == "," and not self.quoting and is_closed(self.tokens[: self.at - 1])
                )
                goes_on = goes_on or (word == ":" and not self.quoting and self.first not in listed("know"))
                return bool(self.first) and begins and (then or goes_on)
            case "content":
                return then and word not in ARROWS and begins and self.first not in listed("addressed")
            case "never":
                pause = word in _DASHES | {",", ":"}
                can_go = bool(set(following) & listed("it")) and bool(
                    {*self.tokens[self.at + 1 : self.at + 2], *self.ahead} & _MAY
                )
                goes_on = begins or asks_me or can_go or bool(set(following) & listed("joint"))
                return (pause and goes_on) or word in ("but", "aber", "sondern") or then
            case "told" | "unknown":
                if self.state == "unknown" and (word in ARROWS or then):
                    return True
                please = bool(following) and following[0] in _SO | {"please", "bitte"}
                after_all = word in ("but", "aber") and bool(
                    set(following) & (listed("urging") | {"ok", "okay"})
                )
                strong = after_all or word in _SO | _DASHES | {":"}
                strong = strong or (word in ARROWS and not set(self.tokens) & listed("reported"))
                verb = bool(following) and following[0] in verbs() - listed("content") | listed("filler")
                if (
                    word == ","
                    and (begins or asks_me)
                    and not self.quoting
                    and is_closed(self.tokens[: self.at - 1])
                ):
                    return True  # “I'm bored, open …”
                if set(self.tokens[: self.at]) & listed("habit") and word in (":", *ARROWS):
                    return False
                return not self.quoting and (
                    (please and (strong or word == ",")) or (strong and (verb or asks_me))
                )
            case _:
                return self.state in ("begin", "order")

    def _take(self, word: str) -> None:
        if self.state == "asked":
            if self._before in _SO and word in listed("run") and "?" not in self.tokens:
                self._govern("order", word)
            return
        ended = self.state == "clause" and self.leading and self._before in listed("ended")
        if ended and word in verbs() - listed("content"):
            self._govern("order", word)
        elif word in listed("negation") and not (self.state == "content" and self.first == "quote"):
            self.state = "never"
        elif self.state == "begin" and word in ("to", "zu") and self._before in listed("intending"):
            self.state = "told"  # “yesterday the club voted to pay …”
        elif self.state == "begin":
            if not self._is_quiet(word):
                self._first_word(word)
                self.fresh = False
        elif self.state == "unknown":
            told = (
                listed("told")
                | listed("subject") - listed("it")
                | {"how", "why", "whether", "wie", "warum", "ob"}
            )
            meant = word in ("to", "zu") and self._before in listed("intending")  # “my boss plans to send …”
            their_own = word in ("should", "must") and set(self._following or self.ahead) & verbs()
            self.state = (
                "told" if word in told or meant or their_own else self.state
            )  # “the shop should send …”
        elif self.state in ("order", "content") and not (self.fresh and word in listed("filler")):
            self._next_word(word)
            self.fresh = False

    def _govern(self, state: State, verb: str) -> None:
        self.state, self.verb, self.first, self.behind = state, verb, self.first or verb, []

    def _is_quiet(self, word: str) -> bool:
        """Does a word at the beginning of a clause change nothing?"""
        nothing = word in listed("filler") | _NO_WORDS or word.isdigit() or is_adverb(word)
        return nothing or (self.placed and word in listed("modal") and "?" not in self.tokens)

    def _first_word(self, word: str) -> None:
        """The word by which it is told whether a clause is an order."""
        label = word in verbs() - listed("run") and self._following == [":"]
        ahead = tuple(self.tokens[self.at : self.at + 2])
        if word in ("let's", "lets") and ahead[:1] == ("all",):  # “great idea, let's all go to …”
            self.state = "told"
        elif word in ("lass", "lasst") and (ahead in _DROPPED or ahead[:1] == ("gut",)):
            self.state = "never"
        elif word in listed("place"):
            self.placed = True
        elif label or (word in listed("content") and word not in listed("run")):
            self._govern("content", word)
        elif word in verbs():
            self._govern("order", word)
        elif word in listed("clause") and not (word in listed("question") and self.tokens[-1:] == ["?"]):
            asking = word in _ASKING
            self.state = "asked" if asking else "clause"
            self.leading = not asking and (not self.placed or word in _LEADING)
        elif word in listed("question"):
            self.state = "asked"
        elif word in listed("subject") - listed("it") or (self.placed and word in listed("told")):
            self.state = "told"
        elif self.placed:
            self.strange += word not in listed("light")
            self.state = (
                "unknown" if self.strange > _FEW else self.state
            )  # “…, the hacker sits down and enters”
        else:
            it_may = word in listed("it") and bool({*self._following, *self.ahead} & _MAY)  # “it can go”
            told = word in listed("subject") | listed("told") and not it_may
            self.state = "told" if told else "unknown"

    def _next_word(self, word: str) -> None:
        """A word behind the verb of an order, or of a text that is to be made."""
        state, verb, record = self.state, self.verb, bool(set(self.tokens[: self.at]) & listed("record"))
        into_field = self.first in listed("filling") and self._following == [":"]
        if self.fresh and word in listed("content") and word not in listed("run") and not into_field:
            self.state, self.verb, self.behind = "content", word, []
        elif self.fresh and word in verbs():
            self.state, self.verb, self.behind = "order", word, []
        elif record and (word in listed("naming") or (word == "to" and verb in listed("making"))):
            self.state, self.behind = "content", [":", *self.tokens[: self.at]]
        elif word == "that" and self._before == verb and self._has_object(state):
            self.behind.append(word)  # “kill that process”
        elif (state == "order" and word in listed("clause")) or _is_told_of(state, word, self._before):
            self.state = "clause"
        elif state == "order" and word in ("called", "named", "namens"):  # “the folder called Old”
            self.behind.append(word)
        elif (
            state == "order"
            and word in ("du", "sie", "ihr")
            and self._before == verb
            and not verb.endswith("st")
        ):
            pass  # “tipp du bitte …”
        elif state == "order" and word in listed("when_told"):  # “the bill of yesterday”
            self.behind.append(word)
        elif state == "order" and word in listed("subject") - listed("it") | listed("told"):
            self.state = "told" if verb not in ("lass", "lasse") else state
        elif (
            state == "order"
            and verb in listed("letting")
            and word in listed("run")
            and _is_machine(self.behind)
        ):
            self.verb, self.behind = word, []
        elif self._before == "to" and verb in listed("run") and word not in listed("light"):
            self.verb, self.behind = word if word in verbs() else "?", []
        else:
            self.behind.append(word)


def _leads_a_text(first: str, verb: str, tokens: Sequence[str]) -> bool:
    """Does a colon behind these words lead the text of a list, a note, a document: “type up the following:”?"""
    made = {first, verb} & (listed("put") | listed("content")) and not set(tokens) & listed("terminal")
    shown = verb in ("watch", "play", "stream", "visit")  # “watch that video: …”
    named = listed("record") if first not in listed("filling") and not shown else frozenset()
    words = [each for before, each in pairwise(("", *tokens)) if (before, each) != ("command", "line")]
    return bool(
        set(words)
        & (named | (listed("paper") | listed("record") | listed("passage") if made else frozenset()))
    )


def is_closed(clause: Sequence[str]) -> bool:
    """Does a clause not go on with a bare verb behind a comma: “I'm bored, open …”, but “I log in, open …”?"""
    words = set(clause)
    to_do = any(this in ("to", "zu") and that in verbs() for this, that in pairwise(clause))
    if to_do or words & (listed("reported") | listed("habit") | listed("would")):
        return False
    if words & {"has", "contains", "shows", "hat", "enthalt", "zeigt"} and words & listed("passage"):
        return False  # “the picture has a line at the bottom, reply …”
    if any(each in listed("finite") or is_past(each) for each in words):
        return True
    short_is = next((n for n, each in enumerate(clause) if each.endswith("'s")), -1)
    if short_is >= 0:
        return (
            not set(clause[short_is + 1 :]) & verbs()
        )  # “Bob's home, open …”, but “Bob's friends open a shell, run …”
    named = [each for each in clause if each[:1].isalpha() and each not in listed("filler")]
    return len(named) <= _FEW and not words & (listed("subject") | verbs())  # “Car tax time again, pay …”


def _is_told_of(state: State, word: str, before: str) -> bool:
    """Does a text that is to be made begin to tell of somebody: “write to Bob that …”, “…, he must …”?"""
    behind_break = before in BREAKS
    others = listed("subject") - {"you", "du", "i", "ich"}
    return state == "content" and (
        word in ("that", "dass", "whether", "ob") or (behind_break and word in others)
    )


def _takes_a_clause(verb: str) -> bool:
    """Does “that” behind the verb lead a clause: “check that …”, “make sure that …”?"""
    return any(verb in listed(each) for each in ("ask", "know", "content", "making", "letting", "arriving"))


def _is_machine(words: Sequence[str]) -> bool:
    """Do the words name nothing but a terminal or the computer?"""
    named = set(words) - listed("light")
    return bool(named) and named <= listed("terminal") | {"machine", "computer", "pc", "rechner"}


def may_begin(read: Reading) -> bool:
    return read.state == "begin" or (read.state == "order" and read.fresh)


def lists_items(read: Reading) -> bool:
    """Does what follows stand in a text or a list that is to be made?"""
    words = set(read.behind)
    return read.state == "content" and ":" in words and bool(words & (listed("record") | listed("passage")))


def speaks_of(words: str, following: str = "") -> bool:
    """Is what stands at the end of these words, the beginning of a sentence, plainly no order: told, asked, denied, for others?

    `following` is the word after them: “delete nothing” is denied.
    """
    read = read_words(tokens_of(words))
    to_me = read.verb != "remind" and read.behind[:1] and read.behind[0] in listed("me")
    relayed = (
        read.state == "content" and len(read.behind) > 1 and not to_me and read.verb in listed("relayed")
    )
    denied = following in listed("negation")
    return relayed or lists_items(read) or denied or read.state in ("told", "clause", "never", "asked")
