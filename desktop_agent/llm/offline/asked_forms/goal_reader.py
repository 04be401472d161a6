"""Reads a goal by the form that is in sight: which words are the value of which field, and what is left over.

The labels and choices that are seen say what to look for. Every word of the goal has to be placed in a field, say
something about the whole (that it is to be sent, say) or be one that says nothing; a word that is none of these is left
over, and a goal with such words is not carried out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from desktop_agent.llm.offline.asked_forms.entities import Entity, day_said, day_written, entities, time_said
from desktop_agent.llm.offline.asked_forms.form_in_sight import FormField, FormInSight, bare_label
from desktop_agent.llm.offline.asked_forms.form_vocabulary import alike, form_words, number_of, plain_word
from desktop_agent.llm.offline.asked_forms.goal_words import GoalWords, goal_words
from desktop_agent.llm.offline.asked_forms.label_words import (
    Mention,
    aliases,
    choice_words,
    label_words,
    mentions,
    says_choice,
    takes,
)

_UNSET = re.compile(
    r"(?:please\s+)?(?:choose|select|pick)\b.*|bitte\s+(?:aus)?wählen.*|[-–—.…\s]*|(?:aus)?wählen.*", re.I
)
_ANSWERS = {
    "yes": True,
    "ja": True,
    "on": True,
    "an": True,
    "ticked": True,
    "x": True,
    "no": False,
    "nein": False,
    "off": False,
    "aus": False,
    "unticked": False,
}
_ABOUT = (
    "question",
    "complaint",
    "request",
    "wish",
    "message",
    "them",
    "following",
    "problem",
    "suggestion",
    "ihnen",
)
_WRITTEN = ("text", "area", "secret")
_WITHOUT_QUOTES = re.compile(
    r"\(?\s*(?:without|minus|no|not including|ohne|excluding)\s+(?:the\s+|die\s+)?(?:quotes|quotation marks|quote marks|anführungszeichen|anführungsstriche|gänsefüßchen)\s*\)?",
    re.I,
)
_COMPLAINS = re.compile(
    r"(?:if|when|should|in case|falls|wenn|sollte|sofern)\s+(?:it|the\s+\w+|they|something|anything|es|das\s+\w+|die\s+\w+|etwas|was|noch\s+etwas)\b[^.:;]{0,50}?"
    r"(?:missing|required|needed|empty|complains?|lacking|wanting|fehlt|fehlen|verlangt|meckert|beschwert|gefordert|nötig|leer|pflicht\w*|beanstandet)[^.:;,]{0,40}[:,.;]?",
    re.I,
)
_GUARD = re.compile(
    r"(?:if|in case|should|wenn|falls|sollte|sofern|unless|without|ohne|only if|nur wenn)\b[^.;!]*?"
    r"(?:\b(?:no|not|nothing|n't|don't|doesn't|isn't|can't|cannot|unavailable|sold out|gone|full|taken|missing|without|unless|nicht|nichts|kein\w*|ausgebucht|vergriffen|belegt|fehlt|ohne)\b)[^.;!]*?"
    r"(?:\b(?:don't|do not|not|nothing|stop|leave it|no|nicht|nichts|gar nichts|kein\w*|lass|never)\b)[^.;!]*",
    re.I,
)
_NEED = re.compile(r"\b(?:it|that|this|das|es)\s+(?:has to|must|muss|soll)\s+(?:be|sein)\b", re.I)
_OF_US = re.compile(
    r"(\w+)\s+of\s+us|(?:wir\s+sind|kommen|wir\s+kommen)\s+(?:zu\s+)?(\w+?)(?:\s+(?:personen|leute))?(?=\W|$)|zu\s+(zweit|dritt|viert|fünft|sechst)",
    re.I,
)
_AGED = re.compile(
    r"(?:i'm|i am|aged|age|bin|ist|is)\s+(\d{1,3})(?=\s*(?:[.,;!]|$|and\b|und\b|years?\b|jahre\b))|(\d{1,3})\s+(?:years?\s+old|jahre\s+alt|years?\s+of\s+age)",
    re.I,
)
_WRITES = re.compile(
    r"\b(?:write\s+to|drop\s+(?:them|him|her|a\s+line)|contact|ask|tell|message|inform|let)\s+(?:the|them|him|her|this|these|my|our)\b(?:\s+know\b)?|\b(?:schreibe?|frage?|sage?|teile?)\s+(?:bitte\s+)?(?:an\s+)?(?:dem|der|den|ihnen|denen|die|das|bei)\b",
    re.I,
)
_UNSENT = re.compile(
    r"(?:(?:please\s+)?(?:do not|don't|but not|not)\s+(?:\w+\s+){0,2}?(?:send|submit|save|press|click|order|book)\b[^.;,]*|(?:aber\s+|bitte\s+|noch\s+)*(?:nicht|nichts)\s+(?:\w+\s+){0,2}?(?:absenden|abschicken|senden|speichern|klicken|schicken)\b[^.;,]*|without\s+(?:sending|submitting|saving)\b[^.;,]*|ohne\s+(?:\w+\s+)?(?:abzuschicken|abzusenden|zu\s+senden|zu\s+speichern)[^.;,]*)",
    re.I,
)


class Placed(msgspec.Struct, frozen=True):
    """A value for the field of that number: a text, a choice, or for a box whether it is to be ticked."""

    field: int
    value: str = ""
    on: bool | None = None


class FormReading(msgspec.Struct, frozen=True):
    """What a goal asks for on a form. `send` is the button to press, "" for none; `left` are words that are not placed,
    `trouble` says in words why it cannot be carried out whatever else is seen."""

    placed: tuple[Placed, ...] = ()
    send: str = ""
    sends: bool = False
    left: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def whole(self) -> bool:
        """Is every word of the goal placed?"""
        return not self.left and not self.trouble


def read_goal(goal: str, form: FormInSight) -> FormReading:
    """What a goal asks for on the form that is seen. Never raises for any text."""
    return _Reader(goal_words(goal), form).read()


class _Reader:
    """One reading; every pass takes what it is sure of, and claims the words for it."""

    def __init__(self, goal: GoalWords, form: FormInSight) -> None:
        self._goal, self._form, self._words = goal, form, form_words()
        self._fields = form.fields
        self._takes = [takes(each) for each in form.fields]
        self._placed: dict[int, Placed] = {}
        self._trouble = ""
        self._send = ""
        self._unsent = False
        self._asks_to_send = False

    def read(self) -> FormReading:
        self._asides()
        self._buttons()
        self._dictated()
        self._boxes()
        self._by_looks()
        self._beside_labels(named=True)
        self._names()
        self._counted()
        self._companions()
        self._age()
        self._choices()
        self._beside_labels()
        self._free_texts()
        self._quoted()
        self._behind_colon()
        self._sending()
        placed = tuple(self._placed[each] for each in sorted(self._placed))
        sends = bool(self._send) and not self._unsent
        return FormReading(placed, self._send if sends else "", sends, self._left(), self._trouble)

    # ---- claiming ----------------------------------------------------------------------------

    def _claim_text(self, pattern: re.Pattern[str], why: str) -> Iterator[re.Match[str]]:
        for found in pattern.finditer(self._goal.masked.text):
            inside = [
                i for i, w in enumerate(self._goal.words) if found.start() <= w.start and w.end <= found.end()
            ]
            if inside and self._goal.free(inside[0], inside[-1] + 1):
                self._goal.claim(inside[0], inside[-1] + 1, why)
                yield found

    def _place(self, field: int, value: str = "", on: bool | None = None) -> bool:
        """Note a value; False where the field has another one, which is then trouble."""
        new = Placed(field, value, on)
        before = self._placed.get(field)
        if before is not None and before != new:
            label = bare_label(self._fields[field].label)
            self._trouble = (
                self._trouble
                or f"It asks for both “{before.value or before.on}” and “{value or on}” for “{label}”."
            )
            return False
        self._placed[field] = new
        return True

    def _low(self, at: int) -> str:
        return self._goal.words[at].low if 0 <= at < len(self._goal) else ""

    def _joined(self, at: int) -> bool:
        return self._low(at) in self._words.joins["separators"]

    # ---- what is said of the whole -----------------------------------------------------------

    def _asides(self) -> None:
        """Words about quotation marks; conditions that hold as nothing is done unless all of it can be."""
        list(self._claim_text(_WITHOUT_QUOTES, "aside"))
        list(self._claim_text(_COMPLAINS, "aside"))
        for _ in self._claim_text(_UNSENT, "unsent"):
            self._unsent = True
        for found in _GUARD.finditer(self._goal.masked.text):
            span = self._goal.span(*self._trimmed(found))
            if span and self._goal.free(*span) and not self._holds_value(*span):
                self._goal.claim(*span, "guard")
        list(self._claim_text(_NEED, "guard"))

    def _trimmed(self, found: re.Match[str]) -> tuple[int, int]:
        return found.start(), found.start() + len(found[0].rstrip())

    def _holds_value(self, start: int, end: int) -> bool:
        """Is something said there that may be a value: a quotation, a number, an address, another choice (“take …”)?"""
        words = self._goal.words[start:end]
        if any(each.is_quoted or re.search(r"\d|@", each.text) for each in words):
            return True
        return any(
            each.low
            in (
                "take",
                "use",
                "instead",
                "rather",
                "nimm",
                "nehmen",
                "stattdessen",
                "lieber",
                "otherwise",
                "sonst",
                "ansonsten",
                "then",
            )
            and each.low not in ("then",)
            for each in words
        )

    def _buttons(self) -> None:
        """“Press Place order”: a button by its name, after a word for pressing or as a sentence of its own."""
        for name in sorted(self._form.buttons, key=len, reverse=True):
            words = label_words(name)
            for at in range(len(self._goal) - len(words) + 1 if words else 0):
                if not self._goal.free(at, at + len(words)) or not all(
                    self._low(at + i) == word
                    or (len(word) > 4 and alike(self._low(at + i), word) and len(words) > 1)
                    for i, word in enumerate(words)
                ):
                    if not self._is_quoted_name(at, name):
                        continue
                    end = at + 1
                else:
                    end = at + len(words)
                verb = self._press_verb(at, end)
                start, stop = self._goal.sentence(at)
                alone = all(
                    self._goal.claimed[i] or self._goal.words[i].is_sign or i in range(at, end)
                    for i in range(start, stop)
                )
                if verb is None and not (alone and len(words) > 1):
                    continue
                if self._send and self._send != name:
                    self._trouble = f"It asks for both “{self._send}” and “{name}” to be pressed."
                self._send = name
                self._goal.claim(at, end, "button")
                if verb is not None:
                    self._goal.claim(verb, verb + 1, "button")

    def _is_quoted_name(self, at: int, name: str) -> bool:
        word = self._goal.words[at]
        return (
            word.is_quoted
            and not self._goal.claimed[at]
            and plain_word(self._goal.text(at, at + 1)) == plain_word(name)
        )

    def _press_verb(self, start: int, end: int) -> int | None:
        """The word for pressing that a name of a button goes with: before it, or behind it in German."""
        at = start - 1
        while (
            at >= 0
            and start - at <= 4
            and (self._low(at) in self._words.little or self._goal.words[at].is_quoted is None)
        ):
            if self._low(at) in self._words.verbs["press"]:
                return at
            at -= 1
        if at >= 0 and self._low(at) in self._words.verbs["press"]:
            return at
        for at in range(end, min(end + 3, len(self._goal))):
            if self._low(at) in self._words.verbs["press"]:
                return at
            if at in self._goal.ends:
                break
        return None

    # ---- fields that are named ---------------------------------------------------------------

    def _dictated(self) -> None:
        """“Ruth into Name”, “set Nights to 3”, “bei Wohnort Kiel”: a name of a field, joined to its value."""
        chosen: list[tuple[Mention, str]] = []
        for each in mentions(self._goal, self._fields):
            field = self._fields[each.field]
            how = self._joint(each)
            if not how or field.kind == "box":
                continue
            if not each.whole and how == "before" and not self._in_dictation(each):
                continue
            if any(each.start < other.end and other.start < each.end for other, _ in chosen):
                continue
            chosen.append((each, how))
        best = sorted(chosen, key=lambda each: each[0].start)
        for number, (each, how) in enumerate(best):
            if not self._goal.free(each.start, each.end):
                continue
            after = best[number + 1][0] if number + 1 < len(best) else None
            self._joined_value(each, how, after)

    def _in_dictation(self, each: Mention) -> bool:
        """Is a word for entering said in the sentence?"""
        start, end = self._goal.sentence(each.start)
        verbs = self._words.verbs["enter"] | self._words.verbs["final"] - {"an", "aus", "ein"}
        return any(self._low(i) in verbs for i in range(start, end))

    def _joint(self, each: Mention) -> str:
        """How a value is joined to the name: "behind" it, or the name has a preposition "before" it; "" for not at all."""
        after = self._behind_holders(each.end)
        if after < len(self._goal) and not self._goal.claimed[after]:
            if self._goal.words[after].text in (":", "=", "→"):
                return "behind"
            if (
                self._low(after) in self._words.joins["behind"]
                and after + 1 < len(self._goal)
                and after not in self._goal.ends
            ):
                prose = self._low(after) in (
                    "is",
                    "ist",
                    "lautet",
                    "sind",
                    "are",
                    "soll",
                    "sei",
                    "shall",
                    "should",
                )
                if prose or (
                    self._low(after) in ("to", "auf", "zu", "mit", "with", "be", "durch")
                    and self._in_dictation(each)
                ):
                    return "behind"
                if self._low(after) == "as" and self._in_dictation(each) and self._preposition(each) is None:
                    return "behind"
        return "before" if self._preposition(each) is not None else ""

    def _behind_holders(self, at: int) -> int:
        """Past “field” and the like."""
        while at < len(self._goal) and self._low(at) in (
            "field",
            "box",
            "feld",
            "list",
            "menu",
            "liste",
            "should",
            "shall",
        ):
            at += 1
        return at

    def _preposition(self, each: Mention) -> int | None:
        at = each.start - 1
        while (
            at >= 0
            and not self._goal.claimed[at]
            and self._low(at) in self._words.joins["articles"] | {"new"}
            and at not in self._goal.ends
        ):
            at -= 1
        if at >= 0 and not self._goal.claimed[at] and self._low(at) in self._words.joins["before"]:
            return at
        return None

    def _joined_value(self, each: Mention, how: str, after: Mention | None) -> None:
        start = self._preposition(each)
        if how == "behind":
            begin = self._behind_holders(each.end) + 1
            if self._low(begin) == "be" or self._low(begin) in ("to", ":"):
                begin += 1
            self._take(
                each, begin, self._value_end(begin, after, each.field), each.start if start is None else start
            )
            return
        if start is None:
            return
        left = self._value_start(start)
        if left < start and self._is_value(left, start):
            self._take(each, left, start, left, end_of_claim=self._behind_holders(each.end))
            return
        begin = self._behind_holders(each.end)
        while (
            begin < len(self._goal)
            and begin - 1 not in self._goal.ends
            and (
                self._goal.words[begin].text == ","
                or self._low(begin)
                in self._words.verbs["enter"]
                | {"sie", "please", "bitte", ":", "the", "den", "die", "das", "text", "wert", "value"}
            )
        ):
            begin += 1
        self._take(each, begin, self._value_end(begin, after, each.field), start)

    def _is_value(self, start: int, end: int) -> bool:
        """Is something said there, and not only small words such as “right below”?"""
        said = [self._goal.words[i] for i in range(start, end) if not self._goal.words[i].is_sign]
        return any(each.is_quoted or each.low not in self._words.little for each in said)

    def _value_start(self, end: int) -> int:
        """Where the value before a preposition begins: behind the verb, what is claimed, or the sentence's begin."""
        start, _ = self._goal.sentence(end)
        at = end
        verbs = self._words.verbs["enter"] | self._words.verbs["tick"] | self._words.verbs["press"]
        while at > start and not self._goal.claimed[at - 1]:
            said = self._goal.words[at - 1]
            if said.low in verbs and not said.is_quoted and (said.text.islower() or at - 1 == start):
                break
            at -= 1
        while at < end and (
            self._joined(at)
            or (
                self._low(at)
                in ("sie", "the", "den", "text", "value", "wert", "number", "word", "words", ":")
                and at + 1 < end
            )
        ):
            at += 1
        return at

    def _value_end(self, begin: int, after: Mention | None, field: int) -> int:
        """Where a value ends that stands behind its field's name."""
        _, stop = self._goal.sentence(min(begin, len(self._goal) - 1))
        if begin < len(self._goal) and self._goal.words[begin].is_quoted:
            return begin + 1
        if after is not None and after.start < stop:
            before = self._preposition(after)
            stop = min(stop, after.start if before is None else before)
        long = self._fields[field].kind == "area" or self._takes[field][:1] in (("subject",), ("message",))
        verbs = (
            self._words.verbs["enter"]
            | self._words.verbs["tick"]
            | self._words.verbs["press"]
            | self._words.verbs["untick"]
        )
        for at in range(begin, stop):
            if self._goal.claimed[at]:
                stop = at
                break
            sign = self._goal.words[at].text
            if at > begin and self._joined(at):
                ahead = next(
                    (
                        i
                        for i in range(at, min(at + 5, stop))
                        if not self._joined(i) and self._low(i) not in ("sie", "bitte", "please")
                    ),
                    at,
                )
                if self._low(ahead) in verbs or (sign in (",", "and", "und", ";") and not long):
                    stop = at
                    break
        while stop > begin and (
            self._joined(stop - 1)
            or self._goal.words[stop - 1].text in (".", "!", ";")
            or (
                self._low(stop - 1) in self._words.verbs["final"] | self._words.joins["articles"]
                and stop - begin > 1
            )
        ):
            if self._goal.words[stop - 1].text in (".", "!") and long and stop - begin > 3:
                break
            stop -= 1
        return stop

    def _take(self, each: Mention, begin: int, end: int, claim_from: int, end_of_claim: int = 0) -> None:
        """Place the words as the value of the field that was named."""
        while (
            begin < end
            and self._low(begin) in ("the", "den", "die", "das", "dem", "der")
            and self._fields[each.field].kind in ("list", "radio")
        ):
            begin += 1
        while (
            begin < end
            and self._low(begin) in ("a", "an", "ein", "eine", "einen")
            and self._fields[each.field].kind in ("list", "radio")
            and end - begin > 1
        ):
            begin += 1
        if begin >= end or not self._goal.free(begin, end):
            return
        value = self._fitting(each.field, self._goal.text(begin, end))
        if value is None or not self._place(each.field, value):
            return
        self._goal.claim(min(claim_from, begin), max(end, each.end, end_of_claim), "value")
        at = max(end, each.end)
        while (
            at < len(self._goal)
            and self._low(at) in self._words.verbs["final"]
            and not self._goal.claimed[at]
        ):
            self._goal.claim(at, at + 1, "value")
            at += 1

    def _fitting(self, field: int, said: str) -> str | None:
        """The value as the field takes it; None where it cannot take that."""
        here = self._fields[field]
        if here.kind in ("list", "radio") and here.choices:
            return self._choice_called(here, said)
        if here.kind == "box":
            return None
        kind = self._takes[field][:1]
        if kind == ("email",) and "@" not in said:
            return None
        if kind and kind[0] in ("arrival", "departure", "birth", "date"):
            return self._day(here, said)
        if kind and kind[0] in ("nights", "persons", "count", "children") and number_of(said) is not None:
            return str(number_of(said))
        return said

    def _day(self, field: FormField, said: str) -> str:
        day = day_said(said)
        return (day_written(day, f"{field.value} {field.label}") if day else "") or said

    def _choice_called(self, field: FormField, said: str) -> str | None:
        """The choice that words name; None for none or several."""
        plain = " ".join(label_words(said))
        same = [each for each in field.choices if " ".join(label_words(each)) == plain]
        if len(same) == 1:
            return same[0]
        words = label_words(said)
        number = number_of(said)
        if number is not None:
            found = [each for each in field.choices if number in [number_of(w) for w in label_words(each)]]
            return found[0] if len(found) == 1 else None
        content = [w for w in words if w not in self._words.little] or list(words)
        found = [
            each
            for each in field.choices
            if not _UNSET.fullmatch(each)
            and content
            and all(any(alike(w, c) for c in label_words(each)) for w in content)
        ]
        return found[0] if len(found) == 1 else None

    # ---- boxes to tick -----------------------------------------------------------------------

    def _boxes(self) -> None:
        """Boxes whose words are said, with what is said against them; groups of yes and no likewise."""
        own: list[tuple[int, tuple[str, ...], str]] = []
        for number, field in enumerate(self._fields):
            if field.kind == "box":
                own.append((number, choice_words(bare_label(field.label)), "box"))
                if field.group:
                    own.append((number, choice_words(bare_label(field.group)), "box"))
            elif field.kind in ("radio", "list") and self._is_yes_no(field) and number not in self._placed:
                own.append((number, choice_words(bare_label(field.label)), "yes"))
        counted: dict[str, int] = {}
        for _, words, _ in own:
            for each in set(words):
                counted[each] = counted.get(each, 0) + 1
        for number, words, sort in sorted(own, key=lambda each: -len(each[1])):
            self._box(number, words, sort, counted)

    def _box(self, number: int, words: tuple[str, ...], sort: str, counted: dict[str, int]) -> None:
        telling = [each for each in words if counted[each] == 1 and len(each) > 2]
        while number not in self._placed or self._placed[number].on is not None:
            hits = [
                at
                for at in range(len(self._goal))
                if any(says_choice(self._goal, at, each) for each in telling)
            ]
            hits = [at for at in hits if not self._is_others(at, number)]
            if not hits:
                return
            start, end = self._run(hits[0], words)
            answered = self._answered(end)
            on = not self._is_denied(start, end) if answered is None else answered
            if sort == "yes":
                value = next(
                    c for c in self._fields[number].choices if alike(label_words(c)[0], "yes" if on else "no")
                )
                if not self._place(number, value):
                    return
                self._goal.claim(start, end, "box")
                return
            if not self._place(number, on=on):
                return
            self._goal.claim(start, end, "box")
            self._claim_around(start, end)

    def _answered(self, at: int) -> bool | None:
        """What “: yes” or “= nein” right behind a name says; None where nothing like it follows."""
        if self._low(at) in (":", "=", "is", "ist", "to", "auf") and self._low(at + 1) in _ANSWERS:
            self._goal.claim(at, at + 2, "box")
            return _ANSWERS[self._low(at + 1)]
        return None

    def _is_others(self, at: int, number: int) -> bool:
        """Is the word rather the whole name of a field to write in, or part of a choice of another field?"""
        return any(
            field.kind in ("list", "radio")
            and other != number
            and any(
                says_choice(self._goal, at, w)
                for choice in field.choices
                if not _UNSET.fullmatch(choice)
                for w in choice_words(choice)[:1]
            )
            and any(len(choice_words(choice)) == 1 for choice in field.choices)
            for other, field in enumerate(self._fields)
            if not self._is_yes_no(field)
        )

    def _is_yes_no(self, field: FormField) -> bool:
        said = {plain_word(label_words(each)[0]) for each in field.choices if label_words(each)}
        return len(field.choices) == 2 and said in ({"yes", "no"}, {"ja", "nein"})

    def _run(self, at: int, words: Sequence[str]) -> tuple[int, int]:
        """The run of words around one that say the same name, small words between included."""
        start, end = at, at + 1
        _, stop = self._goal.sentence(at)
        here = end
        while here < stop and here - end < 4 and not self._goal.claimed[here]:
            if any(says_choice(self._goal, here, each) for each in words):
                end = here + 1
            elif (
                self._goal.words[here].is_sign and self._goal.words[here].text not in ("(", ")", "/", "&")
            ) or self._low(here) not in self._words.little:
                break
            here += 1
        here = start - 1
        while here >= self._goal.sentence(at)[0] and start - here < 3 and not self._goal.claimed[here]:
            if any(says_choice(self._goal, here, each) for each in words):
                start = here
            elif self._low(here) not in self._words.little or self._goal.words[here].is_sign:
                break
            here -= 1
        return start, end

    def _clause(self, at: int) -> tuple[int, int]:
        """The part of a sentence between commas, dashes and “but” that a word is in."""
        start, end = self._goal.sentence(at)
        cuts = {",", ";", "–", "—", "but", "aber", "sondern", "(", ")", ":"}
        for here in range(at, start - 1, -1):
            if self._low(here) in cuts:
                start = here + 1
                break
        for here in range(at, end):
            if self._low(here) in cuts:
                end = here
                break
        return start, end

    def _is_denied(self, start: int, end: int) -> bool:
        """Is something said against it: “no …”, “I don't want …”, “… nicht”, “untick …”?"""
        first, last = self._clause(start)
        denied = False
        for at in range(first, start):
            if self._goal.claimed[at] and self._goal.claimed[at] != "denied":
                denied = denied and self._goal.claimed[at] == "denied"
                continue
            if self._low(at) in self._words.verbs["denied"] | self._words.verbs["untick"] and not (
                self._low(at) == "noch" and not denied
            ):
                self._goal.claim(at, at + 1, "denied")
                denied = True
            elif self._low(at) in ("and", "und", "with", "mit") and denied and not self._or_goes_on(at):
                denied = False
        for at in range(end, min(last, end + 5)):
            if self._goal.claimed[at]:
                break
            if self._low(at) in (
                "nicht",
                "not",
                "unticked",
                "unchecked",
                "off",
                "empty",
                "alone",
                "ab",
                "weg",
                "leer",
                "abbestellen",
                "abwählen",
            ):
                self._goal.claim(at, at + 1, "denied")
                return True
            if self._low(at) in ("and", "und"):
                break
        return denied

    def _or_goes_on(self, at: int) -> bool:
        """After “no newsletter and” a word for a wish begins something else."""
        return not any(
            self._low(i) in ("with", "mit", "please", "bitte", "want", "möchte", "need", "brauche", "tick")
            for i in range(at, min(at + 3, len(self._goal)))
        )

    def _claim_around(self, start: int, end: int) -> None:
        """Words for ticking around a box that was named."""
        first, last = self._clause(start)
        around = self._words.verbs["tick"] | self._words.verbs["agree"]
        for side in (range(start - 1, first - 1, -1), range(end, last)):
            for at in side:
                if self._low(at) in ("and", "und") or (
                    self._goal.claimed[at] and self._goal.claimed[at] != "denied"
                ):
                    break
                if not self._goal.claimed[at] and self._low(at) in around:
                    self._goal.claim(at, at + 1, "box")

    # ---- values by their looks ---------------------------------------------------------------

    def _by_looks(self) -> None:
        """E-mail addresses, telephone numbers, days, streets and towns go where one field takes such a thing."""
        found = list(entities(self._goal))
        days = [each for each in found if each.kind == "date"]
        for each in found:
            if each.kind == "time":
                self._time(each)
            elif each.kind != "date":
                self._by_kind(each)
        self._days(days)
        self._from_town()

    def _free_fields(self, kind: str) -> list[int]:
        first = [
            i
            for i, kinds in enumerate(self._takes)
            if kinds[:1] == (kind,) and i not in self._placed and self._fields[i].kind in _WRITTEN
        ]
        return first or [
            i
            for i, kinds in enumerate(self._takes)
            if kind in kinds[:2]
            and i not in self._placed
            and self._fields[i].kind in _WRITTEN
            and kind not in ("name",)
        ]

    def _by_kind(self, each: Entity) -> None:
        if not self._goal.free(each.start, each.end):
            return
        fields = self._free_fields(each.kind)
        value = each.text
        if each.kind == "street" and self._street_apart(each):
            return
        if not fields and each.kind in ("postcode", "town"):
            self._post_town(each)
            return
        if len(fields) == 1:
            self._placed[fields[0]] = Placed(fields[0], value)
            self._goal.claim(each.start, each.end, "value")

    def _time(self, each: Entity) -> None:
        """A time of day: the choice that says it, or the one field for a time."""
        times = time_said(each.text)
        if not times or not self._goal.free(each.start, each.end):
            return
        fitting = [
            (i, choice)
            for i, field in enumerate(self._fields)
            if i not in self._placed
            for choice in field.choices
            if set(time_said(choice)) & set(times) and len(time_said(choice)) == 1
        ]
        fields = self._free_fields("time")
        if len(fitting) == 1:
            self._placed[fitting[0][0]] = Placed(*fitting[0])
        elif (
            len(fields) == 1
            and len(times) == 1
            and not any(time_said(c) for f in self._fields for c in f.choices)
        ):
            written = (
                each.text
                if re.fullmatch(r"\d{1,2}[:.]\d{2}", each.text)
                else f"{times[0][0]:02}:{times[0][1]:02}"
            )
            self._placed[fields[0]] = Placed(fields[0], written)
        else:
            return
        self._goal.claim(each.start, each.end, "value")

    def _street_apart(self, each: Entity) -> bool:
        """Street and house number in fields of their own."""
        houses = [
            i for i, kinds in enumerate(self._takes) if kinds[:1] == ("house",) and i not in self._placed
        ]
        streets = [
            i for i, kinds in enumerate(self._takes) if kinds[:1] == ("street",) and i not in self._placed
        ]
        if len(houses) != 1 or len(streets) != 1:
            return False
        return self._street_and_house(each, streets[0], houses[0])

    def _street_and_house(self, each: Entity, street: int, house: int) -> bool:
        found = re.fullmatch(
            r"(?P<street>\D+?)\s+(?P<house>\d+\s?[a-zA-Z]?)|(?P<house2>\d+[a-zA-Z]?)\s+(?P<street2>\D+)",
            each.text,
        )
        if not found:
            return False
        self._placed[street] = Placed(street, found["street"] or found["street2"])
        self._placed[house] = Placed(house, found["house"] or found["house2"])
        self._goal.claim(each.start, each.end, "value")
        return True

    def _post_town(self, each: Entity) -> None:
        """Postcode and town in one field."""
        fields = [i for i, kinds in enumerate(self._takes) if kinds[:1] == ("posttown",)]
        if len(fields) != 1:
            return
        before = self._placed.get(fields[0])
        value = each.text if before is None else f"{before.value} {each.text}"
        self._placed[fields[0]] = Placed(fields[0], value)
        self._goal.claim(each.start, each.end, "value")

    def _days(self, days: Sequence[Entity]) -> None:
        kinds = ("arrival", "departure", "birth", "date")
        fields = {kind: self._free_fields(kind) for kind in kinds}
        for each in days:
            if not self._goal.free(each.start, each.end):
                continue
            before = [self._low(i) for i in range(max(0, each.start - 3), each.start)]
            last = before[-1:] and before[-1]
            near = " ".join(before)
            if last in ("to", "until", "till", "bis", "zum", "-", "–") or re.search(
                r"leav|depart|abreis|return|rück|until|bis", near
            ):
                order: tuple[str, ...] = ("departure", "date")
            elif re.search(
                r"born|birth|gebor|geburt|\bgeb\b",
                " ".join(self._low(i) for i in range(max(0, each.start - 5), each.start)),
            ):
                order = ("birth",)
            else:
                order = ("arrival", "date")
            free = [i for kind in order for i in fields[kind] if i not in self._placed]
            if not free and order[0] == "arrival":
                lone = [i for kind in kinds for i in fields[kind] if i not in self._placed]
                free = lone if len(lone) == 1 and self._takes[lone[0]][:1] != ("birth",) else []
            if free and (len(free) == 1 or order[0] != "date"):
                self._placed[free[0]] = Placed(free[0], self._day(self._fields[free[0]], each.text))
                self._goal.claim(each.start, each.end, "value")

    def _from_town(self) -> None:
        """“aus Husum”, “lives in York”: the town, where one field takes a town."""
        fields = self._free_fields("town")
        if len(fields) != 1:
            return
        for at in range(1, len(self._goal)):
            near = {self._low(i) for i in range(max(0, at - 4), at)}
            lives = near & {
                "live",
                "lives",
                "living",
                "wohne",
                "wohnt",
                "wohnhaft",
                "wohnen",
                "resident",
                "based",
                "home",
            }
            if self._low(at - 1) in ("aus", "from") or (self._low(at - 1) in ("in", "im") and lives):
                end = self._capitals(at, 3)
                if end > at and self._goal.free(at, end) and not self._is_a_choice(at, end):
                    self._placed[fields[0]] = Placed(fields[0], self._goal.text(at, end))
                    self._goal.claim(at, end, "value")
                    return

    def _is_a_choice(self, start: int, end: int) -> bool:
        words = [self._low(i) for i in range(start, end)]
        return any(
            any(alike(word, each) for each in choice_words(choice) for word in words)
            for field in self._fields
            for choice in field.choices
        )

    def _capitals(self, at: int, most: int) -> int:
        """The end of a run of words with capitals from there on; particles between them count."""
        end = here = at
        found = 0
        while here < len(self._goal) and found <= most and not self._goal.claimed[here]:
            said = self._goal.words[here]
            if re.match(r"[A-ZÄÖÜÉÈØÅŁŚŽČ]", said.text) and not re.search(r"\d|@", said.text):
                end = here + 1
                found += 1
            elif (said.low in self._words.people["particles"] and here > at) or (
                said.text == "." and here - 1 >= at and self._low(here - 1) in self._words.people["titles"]
            ):
                pass
            else:
                break
            if here in self._goal.ends:
                break
            here += 1
        return end

    # ---- names of people ---------------------------------------------------------------------

    def _names(self) -> None:
        wholes = [i for i in self._free_fields("name") if self._takes[i][:1] == ("name",)]
        firsts = [i for i, k in enumerate(self._takes) if k[:1] == ("first",) and i not in self._placed]
        lasts = [
            i
            for i, k in enumerate(self._takes)
            if (k[:1] == ("last",) or (firsts and k[:1] == ("name",))) and i not in self._placed
        ]
        if firsts and lasts:
            wholes = []
        if not wholes and not (firsts and lasts):
            return
        span = self._person()
        if span is None:
            return
        start, end = span
        first = start
        while first < end and (
            self._low(first) in self._words.people["titles"] or self._goal.words[first].text == "."
        ):
            first += 1
        name = self._goal.text(first, end)
        if wholes:
            if len(wholes) > 1:
                return
            self._placed[wholes[0]] = Placed(wholes[0], name)
            self._goal.claim(first, end, "value")
        elif end - first >= 2:
            cut = first + 1 if end - first == 2 else self._last_name(first, end)
            self._placed[firsts[0]] = Placed(firsts[0], self._goal.text(first, cut))
            self._placed[lasts[0]] = Placed(lasts[0], self._goal.text(cut, end))
            self._goal.claim(first, end, "value")

    def _last_name(self, start: int, end: int) -> int:
        for at in range(start + 1, end):
            if self._low(at) in self._words.people["particles"]:
                return at
        return end - 1

    def _person(self) -> tuple[int, int] | None:
        for said in self._words.people["introduced"]:
            words = tuple(plain_word(each) for each in said.split())
            for start, at in self._goal.find(words):
                if not self._goal.free(start, at):
                    continue
                at = at + 1 if at < len(self._goal) and self._goal.words[at].text == ":" else at
                end = self._capitals(at, 4)
                if end > at and not self._is_a_choice(at, end):
                    return at, end
        for at in range(1, len(self._goal)):
            if self._low(at - 1) in self._words.people["given"] or self._goal.words[at - 1].text == ":":
                end = self._capitals(at, 4)
                titled = self._low(at) in self._words.people["titles"]
                if (
                    (end - at >= 2 or (titled and end > at + 1))
                    and self._goal.free(at, end)
                    and not self._is_a_choice(at, end)
                    and not self._is_label(at, end)
                ):
                    return at, end
        return self._lone_person()

    def _lone_person(self) -> tuple[int, int] | None:
        """Two or three words with capitals at the begin or end of a sentence, set apart by signs."""
        for at in range(len(self._goal)):
            before = at == 0 or self._goal.words[at - 1].is_sign
            end = self._capitals(at, 3) if before else at
            behind = end >= len(self._goal) or self._goal.words[end].is_sign
            if (
                2 <= end - at <= 3
                and behind
                and self._goal.free(at, end)
                and not self._is_a_choice(at, end)
                and not self._is_label(at, end)
            ) and not any(
                self._low(i) in self._words.little and self._low(i) not in self._words.people["particles"]
                for i in range(at, end)
            ):
                return at, end
        return None

    def _is_label(self, start: int, end: int) -> bool:
        said = [self._low(i) for i in range(start, end)]
        names = [words for each in aliases(self._fields) for words, whole in each if whole]
        names += [label_words(each) for each in self._form.buttons]
        return any(word in words and len(word) > 2 for words in names for word in said)

    # ---- numbers and choices -----------------------------------------------------------------

    def _counted(self) -> None:
        """“four tickets”, “for six people”: a number right before what it counts."""
        for each in mentions(self._goal, self._fields):
            field = self._fields[each.field]
            at = each.start - 1
            if (
                field.kind not in ("text", "list", "radio")
                or each.field in self._placed
                or at < 0
                or not self._goal.free(at, each.end)
            ):
                continue
            number = number_of(self._goal.words[at].text)
            if number is None or (
                self._low(at) in ("a", "an", "ein", "eine", "einen", "single") and field.kind != "list"
            ):
                continue
            if self._takes[each.field][:1] and self._takes[each.field][0] in (
                "name",
                "email",
                "street",
                "first",
                "last",
                "phone",
            ):
                continue
            value = str(number)
            if field.kind in ("list", "radio") and field.choices:
                fitting = self._choice_called(field, value)
                if fitting is None:
                    continue
                value = fitting
            self._placed[each.field] = Placed(each.field, value)
            self._goal.claim(at, each.end, "value")

    def _companions(self) -> None:
        """“Two of us”, “wir sind zu dritt”: how many people, where one field asks for that."""
        fields = [
            i
            for i, kinds in enumerate(self._takes)
            if "persons" in kinds[:2] and i not in self._placed and self._fields[i].kind != "box"
        ]
        for found in _OF_US.finditer(self._goal.masked.text) if len(fields) == 1 else ():
            span = self._goal.span(*found.span())
            said = next(each for each in found.groups() if each)
            number = {"zweit": 2, "dritt": 3, "viert": 4, "fünft": 5, "sechst": 6}.get(
                said.lower()
            ) or number_of(said)
            value = self._fitting(fields[0], str(number)) if number else None
            if span and value and self._goal.free(*span):
                self._placed[fields[0]] = Placed(fields[0], value)
                self._goal.claim(*span, "value")
                return

    def _age(self) -> None:
        """“I'm 42”, “61 Jahre alt”, where a field asks for an age."""
        fields = [i for i, kinds in enumerate(self._takes) if kinds[:1] == ("age",) and i not in self._placed]
        for found in _AGED.finditer(self._goal.masked.text) if len(fields) == 1 else ():
            at = next((group for group in (1, 2) if found[group]), 1)
            span = self._goal.span(*found.span(at))
            if span and self._goal.free(*span):
                self._placed[fields[0]] = Placed(fields[0], found[at])
                self._goal.claim(*span, "value")
                return

    def _choices(self) -> None:
        """Choices whose words are said: of a field the one that fits best, where no other fits as well."""
        ranked: list[tuple[float, int, str, tuple[int, int]]] = []
        for number, field in enumerate(self._fields):
            if field.kind not in ("list", "radio") or number in self._placed or self._is_yes_no(field):
                continue
            ranked += self._said_choices(number, field)
        for score, number, choice, _ in sorted(ranked, key=lambda each: -each[0]):
            if number in self._placed:
                continue
            again = [each for each in self._said_choices(number, self._fields[number]) if each[2] == choice]
            others = [
                e
                for e in self._said_choices(number, self._fields[number])
                if e[2] != choice and e[0] >= score
            ]
            if not again or others or again[0][0] < score:
                continue
            start, end = again[0][3]
            self._placed[number] = Placed(number, choice)
            self._number_before(start, choice)
            for at in range(start, end):
                if (
                    any(says_choice(self._goal, at, each) for each in label_words(choice))
                    or self._low(at) in self._words.little
                ):
                    self._goal.claim(at, at + 1, "choice")

    def _number_before(self, start: int, choice: str) -> None:
        """“Two rain jackets”: how many of a choice, where one field asks for a number of things."""
        fields = [
            i
            for i, kinds in enumerate(self._takes)
            if kinds[:1] == ("count",) and i not in self._placed and self._fields[i].kind in ("text", "list")
        ]
        if len(fields) != 1 or any(number_of(each) is not None for each in label_words(choice)):
            return
        for at in range(start - 1, max(-1, start - 3), -1):
            if at < 0 or self._goal.claimed[at] or self._goal.words[at].is_sign:
                return
            number = number_of(self._goal.words[at].text)
            if number is not None and self._low(at) not in (
                "a",
                "an",
                "ein",
                "eine",
                "einen",
                "einer",
                "einem",
                "single",
            ):
                value = self._fitting(fields[0], str(number))
                if value is not None:
                    self._placed[fields[0]] = Placed(fields[0], value)
                    self._goal.claim(at, at + 1, "value")
                return

    def _said_choices(self, number: int, field: FormField) -> list[tuple[float, int, str, tuple[int, int]]]:
        common = [word for choice in field.choices for word in set(choice_words(choice))]
        found = []
        for choice in field.choices:
            words = choice_words(choice)
            if _UNSET.fullmatch(choice) or not words:
                continue
            telling = [
                each for each in words if common.count(each) == 1 and (len(each) > 1 or not each.isdigit())
            ]
            telling = [
                each
                for each in telling
                if number_of(each) is None or len(words) > 1 or self._is_of_group(field)
            ]
            best: tuple[float, tuple[int, int]] | None = None
            for at in range(len(self._goal)):
                if not any(self._says(at, each, field) for each in telling):
                    continue
                start, end = self._run(at, label_words(choice))
                if self._is_against(start):
                    continue
                hits = sum(any(says_choice(self._goal, i, each) for i in range(start, end)) for each in words)
                exact = sum(any(self._low(i) == each for i in range(start, end)) for each in words)
                score = hits / len(words) + 0.3 * exact / len(words) + 0.05 * hits
                if best is None or score > best[0]:
                    best = (score, (start, end))
            if best is not None:
                found.append((best[0], number, choice, best[1]))
        return found

    def _is_of_group(self, field: FormField) -> bool:
        return any(number_of(each) is None for each in field.choices)

    def _says(self, at: int, word: str, field: FormField) -> bool:
        """Does the word say one of a choice? A mere number says one only beside another word of it or of the label."""
        if not says_choice(self._goal, at, word):
            return False
        if number_of(word) is None:
            return True
        beside = [
            *label_words(field.label),
            *(w for each in field.choices for w in label_words(each) if number_of(w) is None),
            "star",
            "stars",
            "sterne",
            "points",
            "punkte",
        ]
        near = [i for i in range(at - 1, at + 4) if i != at and 0 <= i < len(self._goal)]
        return self._low(at) not in ("a", "an", "ein", "eine", "einen", "einer", "einem") and any(
            alike(self._low(i), w) for i in near for w in beside
        )

    def _is_against(self, at: int) -> bool:
        """Is it said that this is not wanted? Such a choice is none."""
        first, _ = self._clause(at)
        return any(
            self._low(i) in self._words.verbs["denied"] and not self._goal.claimed[i]
            for i in range(max(first, at - 4), at)
        )

    # ---- what is left for fields to write in -------------------------------------------------

    def _beside_labels(self, *, named: bool = False) -> None:
        """“room 4.02”, “town York”: a name of a field with a number or a name right behind it; with `named` a whole label only."""
        for each in sorted(mentions(self._goal, self._fields), key=lambda m: (m.start, -(m.end - m.start))):
            field = self._fields[each.field]
            if named and not (each.whole and field.kind in _WRITTEN):
                continue
            if each.field in self._placed or field.kind == "box" or not self._goal.free(each.start, each.end):
                continue
            begin = each.end
            while (
                begin < len(self._goal)
                and (
                    self._goal.words[begin].text in (":", "=", "#", "-")
                    or self._low(begin) in ("is", "ist", "of", "von", "number", "no", "at", "lautet")
                )
                and begin - 1 not in self._goal.ends
            ):
                begin += 1
            if begin >= len(self._goal) or each.end - 1 in self._goal.ends or self._goal.claimed[begin]:
                continue
            said = self._goal.words[begin]
            if (
                said.is_quoted
                or re.search(r"\d", said.text)
                or (field.kind in ("list", "radio") and not said.is_sign)
            ):
                end = begin + 1
            elif field.kind in _WRITTEN and each.whole:
                end = self._capitals(begin, 4)
            else:
                continue
            value = self._fitting(each.field, self._goal.text(begin, end)) if end > begin else None
            if value is None or (
                field.kind in ("list", "radio")
                and not field.choices
                and not re.search(r"\d", value)
                and not value[:1].isupper()
            ):
                continue
            self._placed[each.field] = Placed(each.field, value)
            self._goal.claim(each.start, end, "value")

    def _free_texts(self) -> None:
        """“tell them that …”, “with the note …”: a text for the one field that takes texts."""
        fields = [
            i
            for i, f in enumerate(self._fields)
            if i not in self._placed and (f.kind == "area" or self._takes[i][:1] == ("message",))
        ]
        if len(fields) != 1:
            return
        pattern = re.compile(
            r"(?:(?:tell|let)\s+them\s+(?:know\s+)?(?:that\s+)?|saying\s+(?:that\s+)?|say:\s*|(?:with|add|leave|as|mit|als)\s+(?:the|a|this|der|dem|einer|einem|die|the\s+following|folgender|folgendem)?\s*(?:message|note|remark|comment|text|nachricht|bemerkung|anmerkung|hinweis|kommentar|notiz)\s*:?\s+|(?:message|note|remark|comment|nachricht|bemerkung|anmerkung|hinweis|kommentar)\s*:\s*|und\s+zwar:\s*|(?:tell|ask|inform)\s+(?:the|my|our|your)\s+\w+(?:\s+that)?:?\s+|(?:schreibe?|notiere?|write|add|put|note|füge|vermerke?|sage?)\s+(?:\w+\s+){0,4}?(?:dazu|hinzu|down|there|below|in|an)?:\s+)",
            re.I,
        )
        for found in pattern.finditer(self._goal.masked.text):
            at = next((i for i, w in enumerate(self._goal.words) if w.start >= found.end()), None)
            lead = self._goal.span(found.start(), found.start() + len(found[0].rstrip()))
            if at is None or lead is None or not self._goal.free(*lead):
                continue
            _, end = self._goal.sentence(at)
            if self._goal.words[at].is_quoted:
                end = at + 1
            elif not self._goal.free(at, end) or not found[0].rstrip().endswith(":"):
                continue
            self._placed[fields[0]] = Placed(fields[0], self._goal.text(at, end))
            self._goal.claim(lead[0], end, "value")
            return

    def _quoted(self) -> None:
        """A quotation that nothing else took: a sentence goes into the only field for texts of many lines, a title where one is asked for."""
        areas = [i for i, f in enumerate(self._fields) if f.kind == "area" and i not in self._placed]
        titles = [
            i for i, kinds in enumerate(self._takes) if kinds[:1] == ("work",) and i not in self._placed
        ]
        left = [i for i, word in enumerate(self._goal.words) if word.is_quoted and not self._goal.claimed[i]]
        if len(left) != 1:
            return
        text = self._goal.text(left[0], left[0] + 1)
        sentence = (
            self._goal.words[left[0] - 1].text == ":"
            or text.endswith((".", "!", "?"))
            or len(text.split()) > 3
        )
        fields = areas if sentence else titles
        if len(fields) == 1:
            self._placed[fields[0]] = Placed(fields[0], text)
            self._goal.claim(left[0], left[0] + 1, "value")

    def _behind_colon(self) -> None:
        """“A question: do you open on Sundays?”: a sentence behind a colon whose words nothing took, for the only field for texts."""
        fields = [i for i, f in enumerate(self._fields) if f.kind == "area" and i not in self._placed]
        for at, word in enumerate(self._goal.words):
            if word.text != ":" or self._goal.claimed[at] or not at or len(fields) != 1:
                continue
            _, end = self._goal.sentence(at)
            if self._is_a_choice(at + 1, end):
                continue
            about = self._goal.claimed[at - 1] == "choice" or any(
                alike(self._low(at - 1), each) for each in _ABOUT
            )
            if (
                about
                and end - at > 3
                and self._goal.free(at, end)
                and self._goal.words[end - 1].text in (".", "!", "?")
            ):
                self._placed[fields[0]] = Placed(fields[0], self._goal.text(at + 1, end))
                self._goal.claim(at, end, "value")
                return

    # ---- sending -----------------------------------------------------------------------------

    def _sending(self) -> None:
        """The button that sends, where something is said that asks for that."""
        asked = [
            i
            for i, word in enumerate(self._goal.words)
            if not self._goal.claimed[i] and word.low in self._words.verbs["asks"] and not self._is_against(i)
        ]
        if not asked and any(self._takes[i][:1] in (("message",), ("subject",)) for i in self._placed):
            asked = list(self._written_to())
        self._asks_to_send = bool(asked)
        if self._send or not asked or self._unsent:
            for i in asked:
                self._goal.claim(i, i + 1, "send")
            return
        for i in asked:
            self._goal.claim(i, i + 1, "send")
        buttons = [each for each in self._form.buttons if not self._is_no_sender(each)]
        said = {self._low(i) for i in asked}
        named = [each for each in buttons if any(alike(word, w) for w in label_words(each) for word in said)]
        found = buttons if len(buttons) == 1 else named
        if len(found) == 1:
            self._send = found[0]
        elif buttons:
            self._trouble = (
                self._trouble
                or f"It is to be sent, and I do not know with which of {', '.join(f'“{each}”' for each in buttons)}."
            )
        else:
            self._trouble = self._trouble or "It is to be sent, and I see no button for that."

    def _written_to(self) -> Iterator[int]:
        """Words that ask for something to be written to somebody; who that is stands in no field."""
        for found in _WRITES.finditer(self._goal.masked.text):
            if (at := self._at(found.start())) is None:
                continue
            yield at
            end = next(
                (i for i, word in enumerate(self._goal.words) if word.start >= found.end()), len(self._goal)
            )
            for here in range(end, min(end + 2, len(self._goal))):
                if (
                    self._goal.claimed[here]
                    or self._goal.words[here].is_sign
                    or re.search(r"\d|@", self._goal.words[here].text)
                ):
                    break
                self._goal.claim(here, here + 1, "addressee")

    def _at(self, place: int) -> int | None:
        """The word at a place of the text, None where it is claimed for something else."""
        at = next((i for i, word in enumerate(self._goal.words) if word.start >= place), None)
        return at if at is not None and not self._goal.claimed[at] else None

    def _is_no_sender(self, button: str) -> bool:
        words = label_words(button)
        return (
            not words
            or " ".join(words) in self._words.verbs["against"]
            or bool({*words} & self._words.verbs["against"])
        )

    # ---- what is left ------------------------------------------------------------------------

    def _left(self) -> tuple[str, ...]:
        """The words that were taken for nothing, those that say nothing apart."""
        shown = self._shown_words()
        for number in self._placed:  # “born on …”: words for what was placed
            shown |= {
                w
                for kind in self._takes[number][:1]
                for name in self._words.names[kind]
                for w in label_words(name)
                if len(w) > 2
            }
        left = []
        for i, word in enumerate(self._goal.words):
            if self._goal.claimed[i] or word.is_sign or word.low in self._words.little:
                continue
            if (
                not word.is_quoted
                and not re.search(r"\d", word.text)
                and any(alike(word.low, each) for each in shown)
            ):
                continue
            if self._is_reason(i) or re.sub(r"'(?:ll|ve|re|d|s|m)$", "", word.low) in self._words.little:
                continue
            left.append(self._goal.text(i, i + 1))
        return tuple(left)

    def _shown_words(self) -> set[str]:
        """Words of labels, headings and buttons; those of choices and of long texts are none."""
        texts = [each for each in self._form.texts if len(each.split()) <= 6]
        labels = [each.label for each in self._fields if each.kind != "box"]
        buttons = [each for each in self._form.buttons if not self._is_no_sender(each)]
        words = {word for text in (*texts, *labels, *buttons) for word in label_words(text)}
        choices = {word for field in self._fields for choice in field.choices for word in label_words(choice)}
        boxes = {word for field in self._fields if field.kind == "box" for word in label_words(field.label)}
        return {
            each
            for each in words - choices - boxes
            if len(each) > 2 and each not in self._words.verbs["denied"]
        }

    def _is_reason(self, at: int) -> bool:
        """Is it part of a reason for something that was placed: “she is …, therefore …”, “because …”?"""
        start, end = self._goal.sentence(at)
        for here in range(at, end):
            if self._low(here) in ("deshalb", "daher", "darum", "deswegen", "therefore"):
                return any(self._goal.claimed[i] for i in range(here, end))
        for here in range(start, at):
            if self._low(here) in ("because", "since", "weil", "denn"):
                clause = self._clause(here + 1)
                return clause[0] <= at < clause[1] and not any(
                    w.is_quoted or re.search(r"\d", w.text) for w in self._goal.words[clause[0] : clause[1]]
                )
        return False


def in_builtins(value: FormReading) -> Any:
    """A reading as plain values, to be looked at."""
    return msgspec.to_builtins(value)
