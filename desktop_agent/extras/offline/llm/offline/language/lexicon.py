"""The lexicon of a language: verb frames, and the words around an instruction that ask for nothing.

It lies in `desktop_agent/extras/offline/assets/offline/NAME.toml`. A frame tells which verbs ask for what is done by a skill, and which
arguments they take with which prepositions. Nothing in it depends on the order of its entries.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from desktop_agent.extras.offline.llm.offline.language.inflection import Form, forms
from desktop_agent.support import resources

_ARGUMENT = re.compile(r"(?P<slot>\w+)(?P<optional>\?)?: ?(?:(?P<words>[^<]*?) )?<(?P<type>[\w|]+)>")
_BETWEEN = "*"


class FrameEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One frame as it is written: the meaning it has, its verbs (`*` where the object may stand) and arguments.

    An argument reads `slot: word|other word <type>`; with a `?` behind its slot it may be missing. `set`
    are slots that need no words.
    """

    meaning: str
    verbs: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    set: dict[str, Any] = {}


class RefusalEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clauses (a regular expression) that sound like something that can be done, and why that cannot."""

    clause: str
    why: str


class ToldEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a sentence begins that only tells how things are, words of its verb, and words that make it more than that."""

    subjects: tuple[str, ...]
    verbs: tuple[str, ...]
    never: tuple[str, ...]
    harmless: tuple[str, ...] = ()


class BesideEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns of what is said beside a name and only tells that it is in sight; `{name}` is one of the parts."""

    parts: dict[str, str] = {}
    patterns: tuple[str, ...] = ()


class DenyingEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What leads in something that is not to be done: a verb in its plain form or as a gerund, or a thing to be left alone;
    what stands behind it, and words for all that was not named."""

    plain: tuple[str, ...] = ()
    gerund: tuple[str, ...] = ()
    thing: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


class CourtesyEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns (regular expressions over words in small letters) of what is said out of courtesy, before a verb in its
    plain form, its gerund or its past, behind an instruction, and on its own; `{name}` is one of the parts."""

    parts: dict[str, str] = {}
    lead: tuple[str, ...] = ()
    gerund: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


class ContextEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns, as those of courtesy, of what tells only where one is, and of what is said behind a thing so that one
    knows which; none of them tells anything to be done."""

    parts: dict[str, str] = {}
    here: tuple[str, ...] = ()
    known: tuple[str, ...] = ()


class RetractingEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns of words that take back what was said before them, and what is asked then."""

    patterns: tuple[str, ...] = ()
    why: str = ""


class LexiconEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lexicon file: see the comments in `desktop_agent/extras/offline/assets/offline/en.toml`."""

    lead: tuple[str, ...]
    gerund_lead: tuple[str, ...]
    trail: tuple[str, ...]
    here: tuple[str, ...]
    known: tuple[str, ...]
    joining: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    earlier: tuple[str, ...]
    asking: tuple[str, ...]
    reasons: tuple[str, ...]
    needed: tuple[str, ...]
    obliging: tuple[str, ...]
    allowing: tuple[str, ...]
    becoming: tuple[tuple[str, str], ...]
    telegraph: tuple[tuple[str, str], ...]
    inverted: tuple[str, ...]
    modals: tuple[str, ...]
    beforehand: tuple[str, ...]
    described: tuple[str, ...]
    likewise: tuple[str, ...]
    habitual: tuple[str, ...]
    softening: tuple[str, ...]
    knowing: tuple[str, ...]
    wished: tuple[str, ...]
    absolute: tuple[str, ...]
    passive: tuple[str, ...]
    passive_denied: tuple[str, ...]
    gerund_passive: tuple[str, ...]
    wanting: tuple[str, ...]
    states: tuple[str, ...]
    copulas: tuple[str, ...]
    cleft: tuple[str, ...]
    to_be_done: tuple[str, ...]
    nameless: tuple[str, ...]
    told: ToldEntry
    conditions: tuple[str, ...]
    exceptions: tuple[str, ...]
    places: tuple[str, ...]
    courtesy: CourtesyEntry
    context: ContextEntry
    denying: DenyingEntry
    retracting: RetractingEntry
    beside: BesideEntry
    irregular: dict[str, tuple[str, ...]]
    synonyms: dict[str, tuple[str, ...]]
    frames: tuple[FrameEntry, ...]
    refusals: tuple[RefusalEntry, ...]
    nouns: tuple[str, ...]
    mistaken: dict[str, str]


class Argument(msgspec.Struct, frozen=True):
    """A slot, the words one of which leads it in (none: the object of the verb), and the types it takes."""

    slot: str
    words: tuple[tuple[str, ...], ...]
    types: tuple[str, ...]
    optional: bool


class Frame(msgspec.Struct, frozen=True):
    """What verbs of a meaning take."""

    meaning: str
    arguments: tuple[Argument, ...]
    set: dict[str, Any]


class Verb(msgspec.Struct, frozen=True):
    """A verb of a frame in one form: its words (and in its plain form), and those that may follow its object ("switch … off")."""

    words: tuple[str, ...]
    particle: tuple[str, ...]
    form: Form
    base: str
    frame: Frame


class Became(msgspec.Struct, frozen=True):
    """Words that tell what is to become of a thing ("turn into"), the verb that does it, and what leads in the rest."""

    words: tuple[str, ...]
    verb: tuple[str, ...]
    led: str


class Phrases:
    """Fixed wordings, found by their first word."""

    def __init__(self, wordings: Iterable[str]) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for each in wordings:
            words = tuple(each.split())
            self._by_first[words[0]].append(words)
        for several in self._by_first.values():
            several.sort(key=len, reverse=True)

    def at(self, lows: tuple[str, ...], place: int = 0) -> int:
        """How many words of the longest wording stand at that place; 0 for none."""
        for words in self._by_first.get(lows[place], ()) if place < len(lows) else ():
            if lows[place : place + len(words)] == words:
                return len(words)
        return 0

    def before(self, lows: tuple[str, ...]) -> int:
        """How many words of the longest wording stand at the end; 0 for none."""
        return next((len(lows) - at for at in range(len(lows)) if self.at(lows, at) == len(lows) - at), 0)


_LONGEST_ASIDE = 18
"""Words of the longest wording that asks for nothing."""


class Asides(Phrases):
    """What is said beside an instruction and asks for nothing: fixed wordings, and patterns of them."""

    def __init__(self, wordings: Iterable[str], patterns: Iterable[str], parts: Mapping[str, str]) -> None:
        super().__init__(wordings)
        put_in = (functools.reduce(_with_part, parts.items(), each) for each in patterns)
        self._pattern = re.compile(rf"(?:{'|'.join(put_in) or '(?!)'}) ")
        self._longest = functools.lru_cache(4096)(self._found)

    def at(self, lows: tuple[str, ...], place: int = 0) -> int:
        return max(super().at(lows, place), self._longest(lows[place : place + _LONGEST_ASIDE]))

    def _found(self, lows: tuple[str, ...]) -> int:
        found = self._pattern.match(" ".join(lows) + " ")
        return found[0].count(" ") if found else 0


def _with_part(pattern: str, part: tuple[str, str]) -> str:
    return pattern.replace("{" + part[0] + "}", part[1])


class Lexicon:
    """A lexicon ready for use."""

    def __init__(self, entry: LexiconEntry) -> None:
        self.beside = [
            re.compile(rf"(?<!\S)(?:{functools.reduce(_with_part, entry.beside.parts.items(), each)})(?!\S)")
            for each in entry.beside.patterns
        ]
        self.why_retracted = entry.retracting.why
        self._retracting = re.compile("|".join(entry.retracting.patterns) or "(?!)", re.I)
        denying = entry.denying
        self.denying = {
            "base": Phrases(denying.plain), "gerund": Phrases(denying.gerund), "thing": Phrases(denying.thing)
        }  # fmt: skip
        self.denied_behind, self.the_rest = Phrases(denying.behind), frozenset(denying.rest)
        kind = entry.courtesy
        self.lead = Asides(entry.lead, kind.lead + kind.alone, kind.parts)
        self.gerund_lead = Asides(entry.gerund_lead, kind.gerund, kind.parts)
        self.past_lead = Asides((), kind.past, kind.parts)
        self.trail = Asides(entry.trail, kind.trail + kind.alone, kind.parts)
        context = entry.context
        self.here = Asides(entry.here, context.here, context.parts)
        self.known = Asides(entry.known, context.known, context.parts)
        self.joining, self.before, self.after = (
            Phrases(entry.joining), Phrases(entry.before), Phrases(entry.after)
        )  # fmt: skip
        self.asking, self.reasons = frozenset(entry.asking), Phrases(entry.reasons)
        self.earlier, self.needed = Phrases(entry.earlier), Phrases(entry.needed)
        self.passive_denied = Phrases(entry.passive_denied)
        self.passive, self.gerund_passive = Phrases(entry.passive), Phrases(entry.gerund_passive)
        self.wanting, self.places, self.states = (
            Phrases(entry.wanting),
            Phrases(entry.places),
            Phrases(entry.states),
        )
        self.copulas, self.cleft = Phrases(entry.copulas), Phrases(entry.cleft)
        self.to_be_done, self.nameless = Phrases(entry.to_be_done), frozenset(entry.nameless)
        self.told_subjects, self._told_never = Phrases(entry.told.subjects), frozenset(entry.told.never)
        self._told_harmless = Phrases(entry.told.harmless)
        past = (each for several in entry.irregular.values() for each in several)
        self._told_verbs = frozenset((*entry.told.verbs, *past))
        self.telegraph = [(tuple(said.split()), verb) for said, verb in entry.telegraph]
        self._became: dict[tuple[Form, str], list[Became]] = defaultdict(list)
        for became in (_became(*each) for each in entry.becoming):
            first = became.words[0]
            third = {"be": "is", "have": "has"}.get(first) or {f: w for w, f in forms(first, {})}["third"]
            self._became["base", first].append(became)
            self._became["third", third].append(became)
        self.likewise = Phrases(entry.likewise)
        self.beforehand = Phrases(entry.beforehand)
        self._described = re.compile("|".join(entry.described) or "(?!)")
        self.habitual = frozenset(entry.habitual)
        self.softening = frozenset(entry.softening)
        self.obliging, self.allowing = Phrases(entry.obliging), Phrases(entry.allowing)
        self.knowing, self.wished = Phrases(entry.knowing), Phrases(entry.wished)
        self.inverted, self.modals, self.absolute = (
            Phrases(entry.inverted), frozenset(entry.modals), frozenset(entry.absolute)
        )  # fmt: skip
        self.conditions, self.exceptions = Phrases(entry.conditions), Phrases(entry.exceptions)
        self.nouns, self.mistaken = frozenset(entry.nouns), entry.mistaken
        self._refusals = [(re.compile(each.clause, re.I | re.S), each.why) for each in entry.refusals]
        self.verbs: dict[str, list[Verb]] = defaultdict(list)
        for each in entry.frames:
            for verb in _verbs(each, entry.irregular, entry.synonyms):
                self.verbs[verb.words[0]].append(verb)

    def refusal(self, clause: str) -> str:
        """Why a clause cannot be done that sounds as if it could, "" for all others."""
        return next((why for pattern, why in self._refusals if pattern.fullmatch(clause)), "")

    def taken_back(self, text: str) -> str:
        """The words by which an instruction (without its quotations) is taken back at its end, "" for none."""
        found = next((each for each in self._retracting.finditer(text) if each.start()), None)
        return found[0].strip(" .,;!?…–—-") if found else ""

    def describes(self, text: str) -> bool:
        """Do words tell of a text rather than being one: “today's date”, “hello three times”, “an apology”?"""
        return self._described.search(text) is not None

    def only_tells(self, lows: tuple[str, ...]) -> bool:
        """Does a sentence tell how things are, so that there is nothing in it to be done or heeded?"""
        finite = any(each in self._told_verbs or each.endswith("ed") for each in lows[1:])
        harmless = {at + n for at in range(len(lows)) for n in range(self._told_harmless.at(lows, at))}
        weighed = (each for at, each in enumerate(lows) if at not in harmless)
        return bool(self.told_subjects.at(lows)) and finite and self._told_never.isdisjoint(weighed)

    @functools.cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of the lexicon that is longer than three letters."""
        words = {
            each
            for several in self.verbs.values()
            for verb in several
            for each in (*verb.words, *verb.particle)
        }
        for several in self.verbs.values():
            for verb in several:
                words |= {
                    each
                    for argument in verb.frame.arguments
                    for wording in argument.words
                    for each in wording
                }
        return frozenset(each for each in (*words, *self.nouns) if len(each) > 2 and each.isalpha())

    def became_at(self, lows: tuple[str, ...], form: Form) -> Iterator[Became]:
        """What words there tell is to become of a thing ("turn into"); as is said of one ("turns into") in the third form."""
        for each in self._became.get((form, lows[0]), ()) if lows else ():
            if lows[1 : len(each.words)] == each.words[1:]:
                yield each

    def verbs_at(self, lows: tuple[str, ...], place: int, form: Form) -> Iterator[Verb]:
        """The verbs in that form that begin at a place."""
        for verb in self.verbs.get(lows[place], ()) if place < len(lows) else ():
            if verb.form == form and lows[place : place + len(verb.words)] == verb.words:
                yield verb


def _verbs(
    entry: FrameEntry, irregular: Mapping[str, tuple[str, ...]], synonyms: Mapping[str, tuple[str, ...]]
) -> Iterator[Verb]:
    frame = Frame(entry.meaning, tuple(map(_argument, entry.arguments)), entry.set)
    written_once = dict.fromkeys(
        each for written in entry.verbs for each in (written, *synonyms.get(written, ()))
    )
    for written in written_once:
        head, _, tail = written.partition(f" {_BETWEEN} ")
        first, *rest = head.split()
        particle = tuple(tail.split())
        for word, form in forms(first, irregular) if first.isalpha() else ((first, "base"),):
            yield Verb((word, *rest), particle, form, " ".join((first, *rest)), frame)
            if particle:
                yield Verb((word, *rest, *particle), (), form, " ".join((first, *rest, *particle)), frame)


def _became(said: str, asked: str) -> Became:
    verb, _, led = asked.partition(f" {_BETWEEN} ")
    return Became(tuple(said.split()), tuple(verb.split()), led)


def _argument(written: str) -> Argument:
    found = _ARGUMENT.fullmatch(written)
    if found is None:
        raise ValueError(f"{written!r} is no argument of a frame")
    words = tuple(tuple(each.split()) for each in (found["words"] or "").split("|") if each)
    return Argument(found["slot"], words, tuple(found["type"].split("|")), bool(found["optional"]))


@functools.cache
def lexicon(name: str = "en") -> Lexicon:
    """The lexicon of that name. Raises msgspec.ValidationError or ValueError when its file is wrong."""
    text = resources.path("offline", f"{name}.toml").read_text(encoding="utf-8")
    return Lexicon(msgspec.convert(tomllib.loads(text), LexiconEntry))
