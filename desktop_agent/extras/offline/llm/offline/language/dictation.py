"""Reads work that is dictated step by step with the names that stand on the screen, in the languages there are patterns for.

Names may be any words, so a step is cut off only where one of the verbs of such steps follows. All of an instruction
has to be understood in this way, or none of it counts. The patterns are in `desktop_agent/extras/offline/assets/offline/dictation/`.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import msgspec

from desktop_agent.extras.offline.llm.offline import words
from desktop_agent.extras.offline.llm.offline.intents import (
    Check,
    Choose,
    Clear,
    Click,
    Drag,
    Expand,
    Fill,
    FillApart,
    Intent,
    Menu,
    Open,
    Phrase,
    Press,
    Read,
    Scroll,
    Search,
    TypeText,
    WaitFor,
)
from desktop_agent.extras.offline.llm.offline.named import Side, Zone
from desktop_agent.extras.offline.llm.offline.quoting import QUOTED, Masked, mask
from desktop_agent.support import resources

LAST = "last line"
"""The name of what stands last in a text."""
LANGUAGES = ("en", "de")
_LONGEST = 2_000
_PRESSED = frozenset(("button", "link", "tab", "menu", "menuitem", "item", "row", "checkbox"))
_READ = frozenset(("read", "read_near", "read_cell", "read_last"))
_TWO_SLOTS = frozenset(("fill", "set", "choose_from"))
_LISTED = frozenset(("check", "uncheck", "choose"))
_FEW = 3
"""Words of what is read that need not be a name."""
_NAMES_OF_BUTTONS = {
    ("delete",),
    ("home",),
    ("end",),
    ("insert",),
    ("space",),
    ("back",),
    ("help",),
    ("menu",),
}
_KNOWN_BY = 0.16
"""Share of the words of a text that are words of the language, from which on it is taken to be in it."""


_NAMELY = re.compile(r"^(?:[^\W\da-zäöüß]|\d|[^\w\s])|[\w]\.\w|\w_\w|\d$")
"""What is written as a name: with a capital, a number, a sign, or as a file."""


class StepEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a step means and the patterns of it; slots are written `{name}`, greedy ones `{+name}`."""

    meaning: str
    forms: tuple[str, ...]


class DictationEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of patterns: see `desktop_agent/extras/offline/assets/offline/dictation/en.toml`."""

    words: tuple[str, ...]
    polite: str
    fewest: int
    gaps: tuple[str, ...]
    verbs: tuple[str, ...]
    starts: tuple[str, ...]
    places_first: tuple[str, ...]
    leads: tuple[str, ...]
    trails: tuple[str, ...]
    joins: tuple[str, ...]
    going_on: tuple[str, ...]
    articles: tuple[str, ...]
    describing: tuple[str, ...]
    denying: tuple[str, ...]
    kinds: dict[str, tuple[str, ...]]
    containers: dict[str, tuple[str, ...]]
    zones: dict[str, tuple[str, ...]]
    places: dict[str, tuple[str, ...]]
    steps: tuple[StepEntry, ...]
    keys: dict[str, tuple[str, ...]] = {}


Slots: TypeAlias = Mapping[str, str]
Otherwise: TypeAlias = Callable[[str], tuple[Intent, ...] | None]


class _Step(msgspec.Struct, frozen=True):
    """A step as it was read: its meaning, its slots (quotations still masked), and its verb as it was said."""

    meaning: str
    slots: Slots
    verb: str


def dictated(text: str, understood: Otherwise) -> tuple[Intent, ...] | None:
    """What a dictated text asks for, in order; None when it is none, or not all of it is understood.

    `understood` tells what a step means that is not dictated with names, None where nobody knows.
    """
    if len(text) > _LONGEST:
        return None
    masked = mask(text.strip())
    for language in LANGUAGES:
        reader = _reader(language)
        if reader.is_known_by(masked.text) and (found := reader.read(masked, understood)) is not None:
            return found
    return None


def is_foreign(text: str) -> bool:
    """Is the text in a language that only dictation is understood in?"""
    return any(_reader(each).is_known_by(mask(text).text) for each in LANGUAGES[1:])


@functools.cache
def _reader(language: str) -> _Reader:
    text = resources.path("offline", "dictation", f"{language}.toml").read_text(encoding="utf-8")
    return _Reader(msgspec.convert(tomllib.loads(text), DictationEntry))


def _any(patterns: tuple[str, ...]) -> str:
    return f"(?:{'|'.join(sorted(patterns, key=len, reverse=True))})"


_SMALL = re.compile(
    r"(?<![\w<?{+\\])(in|ins|im|bei|unter|als|für|aus|auf|von|into|from|under|as|to|on|at|with|by|for)(?![\w}>])"
)
"""Words that are part of a name where they are written with a capital."""


def _form(written: str) -> re.Pattern[str]:
    """A pattern with its slots put in."""
    written = _SMALL.sub(r"(?-i:\1)", written)  # “Bei der Anreise zahlen” is a name
    put_in = re.sub(r"\{mark\}", rf"(?P<value>{QUOTED.replace(chr(92), chr(92) * 2)})", written)
    put_in = re.sub(r"\{\+(\w+)\}", r"(?P<\1>.+)", put_in)
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>.+?)", put_in), re.I | re.S)


class _Reader:
    """The patterns of a language, ready for use."""

    def __init__(self, entry: DictationEntry) -> None:
        self._entry = entry
        self._words = frozenset(entry.words)
        onwards = _any(tuple(each for each in entry.going_on if " " in each))
        verbs, leads, joins = _any(entry.verbs), _any(entry.leads), _any(entry.joins)
        beside = _any(tuple(each for each in entry.joins if each not in entry.going_on))
        starts = _any(entry.verbs + entry.starts)
        lead = rf"(?:{leads}(?:,\s*|\s+))*"
        small = rf"(?={lead}(?-i:[a-zäöü\x02])){lead}"
        self._verb = re.compile(rf"{verbs}(?!\w)", re.I)
        self._polite = re.compile(rf"((?i:{verbs}))\s+{entry.polite}(?!\w)") if entry.polite else None
        zones = _any(tuple(each for several in entry.zones.values() for each in several))
        self._zone_first = re.compile(
            rf"((?i:{verbs}))\s+({zones})\s+(?={QUOTED}|[^\W_a-zäöü]|the\s|d(?:en|ie|as)\s)(.+)", re.S
        )
        self._after_verb = re.compile(rf"({verbs})\s+{leads}(?:,\s*|\s+)(?=\S)", re.I)
        self._describing = re.compile(rf"(?:{_any(entry.describing)})(?=\s|$)(?-i:(?!\s+[A-ZÄÖÜ]))", re.I)
        self._denying = re.compile(rf"(?<!\w){_any(entry.denying)}(?!\w)")
        self._lead = re.compile(rf"{leads}(?:,\s*|\s+)", re.I)
        self._trail = re.compile(rf"(?:,\s*|\s+){_any(entry.trails)}$", re.I)
        self._cut = re.compile(
            rf"(?:[.;!?]+|\n)\s+(?={lead}{starts}(?!\w))|,\s*{_any(entry.going_on)}\s+|\s+{onwards}\s+"
            rf"|\s+{beside}\s+(?={_any(entry.gaps) if entry.gaps else '(?!)'})|\s+{joins},\s+|(?:\s*,\s*(?:{joins}\s+)?|\s+{joins}\s+)(?=(?={small}){lead}(?-i:{verbs})(?!\w))",
            re.I,
        )
        before = rf"{_any(entry.places_first)}\s+[^,]*[^,\s]"
        self._place = re.compile(before, re.I)
        self._place_first = re.compile(rf"(?P<place>{before}),\s+(?P<rest>\S.*)", re.I | re.S)
        self._aside = re.compile(r"\s+[–—-]\s+[^–—A-ZÄÖÜ\x02]*$")
        self._join = re.compile(rf",\s*(?:{joins}\s+)?|\s+{joins}\s+", re.I)
        self._forms = [(step.meaning, _form(form)) for step in entry.steps for form in step.forms]
        self._article = re.compile(rf"{_any(entry.articles)}\s+")  # with a capital it is part of a name
        article = rf"(?:{_any(entry.articles)}\s+)?"
        self._zones: list[tuple[Zone, re.Pattern[str]]] = [
            (zone, re.compile(rf"(?P<head>.+?),?\s+{_any(said)}", re.I | re.S))  # type: ignore[misc]
            for zone, said in entry.zones.items()
        ]
        self._sides: list[tuple[Side, re.Pattern[str]]] = [
            (side, re.compile(rf"(?P<head>.+?)\s+{_any(entry.places[side])}\s+{article}(?P<near>.+)", re.I | re.S))
            for side in ("near", "below", "above")
        ]  # fmt: skip
        within, holders = f"(?-i:{_any(entry.places['within'])})", entry.containers
        self._parts = [
            (holder, re.compile(rf"(?P<head>.+?)\s+{within}\s+{article}{_any(said)}", re.I | re.S))
            for holder, said in holders.items()
        ]
        every = _any(tuple(each for said in holders.values() for each in said))
        self._named_part = re.compile(
            rf"(?P<head>.+?)\s+{within}\s+{article}(?:{every}\s+(?P<after>.+)|(?P<before>.+?)[\s-]+{every})", re.I | re.S
        )  # fmt: skip
        self._tail = re.compile(
            rf"(?P<head>.+?)\s+{within}\s+(?-i:{_any(entry.articles)})\s+[^\x02]+", re.I | re.S
        )
        self._kinds = [
            (kind, re.compile(rf"{_any(said)}:?\s+(?P<name>.+)", re.I | re.S),
             re.compile(rf"(?P<name>.+?)[\s-]+{_any(said)}", re.I | re.S), re.compile(_any(said), re.I))
            for kind, said in entry.kinds.items()
        ]  # fmt: skip

    def is_known_by(self, text: str) -> bool:
        """Is the text in this language? The one without words of its own is taken for any other."""
        said = re.findall(r"[^\W\d_]+", text.lower())
        return not self._words or (
            bool(said) and sum(each in self._words for each in said) >= max(1, _KNOWN_BY * len(said))
        )

    def read(self, masked: Masked, understood: Otherwise) -> tuple[Intent, ...] | None:
        """The intents of all the steps, None as soon as one is not understood or none is dictated."""
        found: list[Intent] = []
        verb, named, place = "", 0, ""
        for piece in filter(None, map(self._bare, self._cut.split(masked.text))):
            gapped = any("where" in step.slots for step in self._matches(f"{verb} {piece}"))
            if self._place.fullmatch(piece) and not gapped and not any(self._matches(piece)):
                place = piece[0].lower() + piece[1:]  # “in the row Ida, click Edit”
                continue
            steps = list(self._steps(piece, verb))
            if not steps and (first := self._place_first.fullmatch(piece)):
                place = first["place"][0].lower() + first["place"][1:]
                steps = list(self._steps(self._bare(first["rest"]), verb))
            steps, place = [self._placed(step, place) for step in steps], ""
            meant = [self._meant(step, masked) for step in steps if self._is_named(step, masked)]
            if steps and all(meant) and len(meant) == len(steps):
                found += [intent for several in meant for intent in several or ()]
                named += len(steps)
            elif (others := understood(masked.restore(piece))) is not None:
                found += others
            else:
                return None
            verb = steps[-1].verb if steps else ""
        return tuple(found) if named >= self._entry.fewest else None

    def _placed(self, step: _Step, place: str) -> _Step:
        """The step with its thing at a place that was said before it."""
        zone, _ = self._zone(f"x {place}")
        slot = next((each for each in ("field", "thing") if each in step.slots), "")
        if not place or not slot:
            return step
        if zone and step.meaning in _TWO_SLOTS:
            return msgspec.structs.replace(step, slots={**step.slots, "zone": zone})
        return msgspec.structs.replace(step, slots={**step.slots, slot: f"{step.slots[slot]} {place}"})

    def _is_named(self, step: _Step, masked: Masked) -> bool:
        """Are the things of a step called by names that stand somewhere, and is what is typed the text itself?"""
        if step.meaning in _READ or step.meaning == "click_into":
            said = step.slots.get("thing", "")
            vague = len(said.split()) > _FEW and self._describing.match(said)
            return not (
                vague and not _NAMELY.search(self.thing(said, masked).name)
            ) and not self._describing.fullmatch(said)
        for slot, said in step.slots.items():
            if slot in ("value", "rest") and self._describing.match(said):
                return False
            if slot in ("thing", "field", "option", "onto", "near", "menu", "until", "column", "row"):
                what = self.thing(said, masked)
                if not what.quoted and self._denying.search(what.name):
                    return False
                if not (
                    what.quoted
                    or _NAMELY.search(what.name)
                    or _NAMELY.search(what.spoken)
                    or (what.near and _NAMELY.search(what.near))
                ):
                    return False
        return True

    def _bare(self, piece: str) -> str:
        """A step without what says nothing before and behind it."""
        piece = piece.strip().rstrip(".;!?").strip(" ,")
        if self._lead.fullmatch(f"{piece} "):
            return ""
        while lead := self._lead.match(piece):
            piece = piece[lead.end() :]
        piece = self._aside.sub("", piece)
        while trail := self._trail.search(piece):
            piece = piece[: trail.start()]
        if self._polite is not None:
            piece = self._polite.sub(r"\1", piece, count=1)
        while filler := self._after_verb.match(piece):
            piece = f"{filler[1]} {piece[filler.end() :]}"
        if found := self._zone_first.fullmatch(piece):
            piece = f"{found[1]} {found[3]} {found[2]}"
        return piece.strip(" ,")

    # ---- steps -------------------------------------------------------------------------------

    def _steps(self, piece: str, verb: str) -> Iterator[_Step]:
        """The step a piece is; several where it says one thing of several (“A into B and C into D”)."""
        for said in (piece, f"{verb} {piece}" if verb else ""):
            for step in self._matches(said):
                yield from self._one_by_one(step, said) or (step,)
                return

    def _one_by_one(self, step: _Step, said: str) -> tuple[_Step, ...]:
        """What a step says of several fields; () where it is about one. Commas part them rather than “and” does."""
        if step.meaning not in _TWO_SLOTS:
            return ()
        for at in sorted(self._join.finditer(said), key=lambda at: not at[0].startswith(",")):
            first = tuple(self._steps(said[: at.start()], ""))
            others = tuple(self._steps(f"{step.verb} {said[at.end() :]}", "")) if first else ()
            if others and {each.meaning for each in (*first, *others)} <= _TWO_SLOTS:
                return (*first, *others)
        return ()

    def _matches(self, said: str) -> Iterator[_Step]:
        verb = self._verb.match(said)
        zone, head = self._zone(said)
        beside = bool(self._beside(said)[1])
        for meaning, form in self._forms:
            if meaning == "choose_from" and beside:
                continue  # “choose View in the line of …”
            found = form.fullmatch(head if meaning in _TWO_SLOTS else said)
            if found and (meaning != "press" or self._is_key(found["keys"], said)):
                slots = {name: text.strip(" ,:") for name, text in found.groupdict().items() if text}
                slots["zone"] = zone
                yield _Step(meaning, slots, verb[0] if verb else "")

    def _keys(self, said: str) -> tuple[str, ...] | None:
        for key, names in self._entry.keys.items():
            said = re.sub(rf"(?<![\w-]){_any(names)}(?![\w-])", key, said, flags=re.I)
        return words.chord(said)

    def _is_key(self, named: str, said: str) -> bool:
        """Is a key meant, and not a button that is called as one?"""
        keys = self._keys(named)
        return keys is not None and (
            keys not in _NAMES_OF_BUTTONS or not said.endswith(named) or named.islower()
        )

    def _meant(self, step: _Step, masked: Masked) -> tuple[Intent, ...] | None:
        """What a step asks for."""
        slots, thing = step.slots, functools.partial(self.thing, masked=masked)
        match step.meaning:
            case "press":
                keys = self._keys(slots["keys"])
                return (Press(keys),) if keys else None
            case "click" | "click_double" | "open" if "where" in slots:
                there = thing(f"{slots['thing']} {slots['where']}")
                return (Click(there, count=2 if step.meaning == "click_double" else 1),)
            case "menu":
                return (Menu((thing(slots["menu"]).name, thing(slots["option"]).name)),)
            case "fill" | "set":
                field = msgspec.structs.replace(thing(slots["field"]), zone=slots.get("zone", ""))
                return (Fill(field, _literal(slots["value"], masked)),)
            case "choose_from":
                return self._chosen_from(slots, masked)
            case "choose_in":
                return self._apart(slots["rest"], masked)
            case "type":
                return (TypeText(_literal(slots["value"], masked)),)
            case "search":
                return (Search(_literal(slots["value"], masked)),)
            case "drag":
                return (Drag(thing(slots["thing"]), thing(slots["onto"])),)
            case "click_into":
                what = thing(slots["thing"])
                return (Click(what if what.name else Phrase("", "field", spoken=what.spoken)),)
            case "type_result":
                return (TypeText("", thing(slots["field"]).name, result=True),)
            case "read_last":
                near = thing(slots["near"]).name
                return (Read(Phrase(LAST, near=near, spoken=f"{slots['fact']} at the end of {near}")),)
            case "scroll" if "over" in slots:
                return (Scroll("down", unit="end", over=thing(slots["over"]).name),)
            case "scroll" if "until" in slots:
                return (Scroll(until=thing(slots["until"]).name),)
            case "scroll":
                return (Scroll("up" if slots["way"].lower() in ("up", "oben") else "down"),)
            case "wait":
                return (WaitFor(text=thing(slots["until"]).name),)
            case "read_cell":
                of = f"{thing(slots['column']).name} of {thing(slots['row']).name}"
                return (Read(Phrase(of, spoken=of)),)
            case "read_near":
                return (self._near(slots, masked),)
            case meaning if meaning in _LISTED and (several := self._several(slots["thing"])):
                return tuple(
                    each for one in several for each in self._meant(_Step(meaning, {"thing": one}, ""), masked) or ()
                )  # fmt: skip
            case meaning:
                return (_OF_ONE[meaning](thing(slots["thing"])),)

    def _apart(self, said: str, masked: Masked) -> tuple[Intent, ...]:
        """Fields and values said side by side, or a thing in a part of the screen."""
        within = rf"(?:{_any(self._entry.articles)}\s+)?"
        for holders in self._entry.containers.values():
            if found := re.fullmatch(rf"{within}{_any(holders)}\s+(.+)", said, re.I | re.S):
                return (_chosen(self.thing(found[1], masked)),)
        pieces = re.split(rf"(?:{self._join.pattern}){_any(self._entry.places_first)}\s+", said, flags=re.I)
        return tuple(FillApart(masked.restore(each)) for each in pieces)

    def _several(self, said: str) -> list[str]:
        """The quotations of a list of quotations; [] for anything else."""
        pieces = self._join.split(said)
        return pieces if len(pieces) > 1 and all(re.fullmatch(QUOTED, each) for each in pieces) else []

    def _chosen_from(self, slots: Slots, masked: Masked) -> tuple[Intent, ...]:
        """A value of a list, or a thing in a part of the screen."""
        for said in self._entry.containers.values():
            field = self._without_article(slots["field"])
            if re.fullmatch(_any(said), field, re.I):
                return (_chosen(msgspec.structs.replace(self.thing(slots["value"], masked), within="")),)
        source, option = self.thing(slots["field"], masked), self.thing(slots["value"], masked)
        if option.kind and not option.name:  # “the mail from Ida”
            return (_chosen(msgspec.structs.replace(source, kind=option.kind)),)
        if zone := slots.get("zone", ""):
            return (Fill(msgspec.structs.replace(source, zone=zone), _literal(slots["value"], masked)),)
        return (Choose(option, source.name or source.spoken),)

    def _near(self, slots: Slots, masked: Masked) -> Intent:
        how, near = slots["how"], self.thing(slots["near"], masked)
        fact = slots.get("fact", "") or slots.get("fact2", "")
        side = next(
            (s for s in ("below", "above") if re.fullmatch(_any(self._entry.places[s]), how, re.I)), "near"
        )
        if side == "near" and not re.fullmatch(_any(self._entry.places["near"]), how, re.I):
            return Read(near)
        return Read(Phrase(fact, near=near.name, side=side, spoken=f"{how} {near.name}"))  # type: ignore[arg-type]

    # ---- things ------------------------------------------------------------------------------

    def thing(self, said: str, masked: Masked) -> Phrase:
        """The thing that words name: its kind, its place, and what it is called."""
        text = said.strip(" ,;:")
        spoken, whole = masked.literal(self._without_article(text))
        if whole:
            return Phrase(spoken, quoted=True, spoken=spoken)
        zone, text = self._zone(text)
        text, near, side = self._beside(text)
        text, within = self._within(text, masked)
        if not (near or within or zone) and (tail := self._tail.fullmatch(text)):
            text = tail["head"]
        if found := re.fullmatch(rf"({QUOTED})\s+[^A-Z\x02].*", text):
            text = found[1]  # “"Dinner on Friday" from Ida”
        bare = self._without_article(text)
        name, kind = self._kind(bare, said=bare != text)
        literal, quoted = masked.literal(name)
        beside = self.thing(near, masked).name if near else ""
        return Phrase(
            literal, kind, near=beside, side=side, within=within, quoted=quoted, spoken=spoken, zone=zone
        )

    def _without_article(self, text: str) -> str:
        article = self._article.match(text)
        return text[article.end() :] if article else text

    def _zone(self, text: str) -> tuple[Zone, str]:
        for zone, pattern in self._zones:
            if found := pattern.fullmatch(text):
                return zone, found["head"]
        return "", text

    def _beside(self, text: str) -> tuple[str, str, Side]:
        for side, pattern in self._sides:
            if found := pattern.fullmatch(text):
                return found["head"], found["near"], side
        return text, "", ""

    def _within(self, text: str, masked: Masked) -> tuple[str, str]:
        for holder, pattern in self._parts:
            if found := pattern.fullmatch(text):
                return found["head"], "" if holder == "dialog" else holder
        if found := self._named_part.fullmatch(text):
            return found["head"], masked.literal((found["after"] or found["before"]).strip())[0]
        return text, ""

    def _kind(self, text: str, *, said: bool) -> tuple[str, str]:
        """The name and the kind; words for a kind alone are a name where no article was said."""
        for kind, first, last, alone in self._kinds:
            if alone.fullmatch(text) and (said or text.islower()):
                return "", kind
            behind = last.fullmatch(text) if kind != "item" else None  # “New appointment” is a name
            if found := (first.fullmatch(text) or behind):
                return found["name"], kind
        return text, ""


def _literal(said: str, masked: Masked) -> str:
    return masked.literal(said)[0]


def _opened(what: Phrase) -> Intent:
    """What is said to be opened: a thing of a kind is clicked, anything else is opened in the way it asks for."""
    return (
        Click(what) if what.kind in _PRESSED or what.near or what.within or what.zone else Open(what.spoken)
    )


def _chosen(what: Phrase) -> Intent:
    if what.kind in _PRESSED or what.near or what.zone:
        return Click(what)
    return Choose(what)


_OF_ONE: Mapping[str, Callable[[Phrase], Intent]] = {
    "click": Click,
    "click_double": lambda what: Click(what, count=2),
    "click_right": lambda what: Click(what, button="right"),
    "check": lambda what: Check(what, True),
    "uncheck": lambda what: Check(what, False),
    "choose": _chosen,
    "clear": Clear,
    "expand": Expand,
    "open": _opened,
    "read": Read,
}
