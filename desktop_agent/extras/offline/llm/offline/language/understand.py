"""Understands an instruction: text in, intents out; or what of it is not understood.

This is the one place where every word is accounted for: a clause counts only when its verb, its arguments and
the context phrases have taken all of its words, and one clause that is not understood makes the whole a question.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from desktop_agent.extras.offline.llm.offline import apps
from desktop_agent.extras.offline.llm.offline.apps import sort_of
from desktop_agent.extras.offline.llm.offline.binding import bind
from desktop_agent.extras.offline.llm.offline.describe import reading_in_words
from desktop_agent.extras.offline.llm.offline.intents import (
    Check,
    Choose,
    Click,
    ClickAt,
    Compute,
    CreateFolder,
    Drag,
    Fill,
    GoTo,
    Intent,
    Menu,
    Open,
    Phrase,
    Press,
    Read,
    Rename,
    Save,
    TypeText,
    Unknown,
    WaitFor,
    When,
    Window,
)
from desktop_agent.extras.offline.llm.offline.intents_desk import RunCommand, Transfer
from desktop_agent.extras.offline.llm.offline.language.clauses import Clause, clauses
from desktop_agent.extras.offline.llm.offline.language.dictation import dictated, is_foreign
from desktop_agent.extras.offline.llm.offline.language.lexicon import lexicon
from desktop_agent.extras.offline.llm.offline.language.meanings import MEANINGS
from desktop_agent.extras.offline.llm.offline.language.referents import EDITOR
from desktop_agent.extras.offline.llm.offline.language.said import Reading
from desktop_agent.extras.offline.llm.offline.language.talk import Talk
from desktop_agent.extras.offline.llm.offline.language.tokens import Span, spanned
from desktop_agent.extras.offline.llm.offline.language.typos import mended
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.quoting import Masked, mask

_BY_ITSELF = ("compute", "compute_verb", "go", "search", "browse", "open", "list_files")
"""Meanings that bring up what they need: a calculator, a browser."""


MAX_INSTRUCTION = 20_000
_LONGEST_RUN_ON = 120


class Understood(msgspec.Struct, frozen=True):
    """The intents in their order, with Unknown where words are not understood or mean several things."""

    intents: tuple[Intent, ...] = ()

    @property
    def whole(self) -> bool:
        """Is all of it understood, and in one way?"""
        return not any(isinstance(each, Unknown) for each in self.intents)


def parse(text: str) -> tuple[Intent, ...]:
    """All that an instruction asks for, in order; what is not understood is there as Unknown.

    Never raises for any text; text beyond MAX_INSTRUCTION characters is an Unknown of its own.
    """
    if len(text) > MAX_INSTRUCTION:
        return (Unknown(text[:200] + "…", "That is too long for me."),)
    if is_foreign(text):
        return dictated(text, lambda _: None) or (Unknown(text),)
    understood = understand(text)
    if understood.whole and not (_SENTENCES.search(text) and _is_by_name(understood.intents)):
        return understood.intents
    found = dictated(text, _of_step)
    return found or (understood if understood.whole else _meant_instead(text) or understood).intents


_SENTENCES = re.compile(r"[.;!?\n]\s*[A-Z][^.;!?]{3,}")
"""A second sentence: who dictates says one after the other."""
_BY_NAME = (Check, Choose, Click, ClickAt, Fill, Press, Read, TypeText, Menu, Drag, Open)


def _is_by_name(intents: tuple[Intent, ...]) -> bool:
    """Is all that is asked for to be done with things that are called by their names, step by step?"""
    return len(intents) > 1 and all(isinstance(each, _BY_NAME) for each in intents)


def _of_step(text: str) -> tuple[Intent, ...] | None:
    """What one step of several asks for by itself, None when it is not understood."""
    return found.intents if (found := understand(text)).whole else None


def _meant_instead(text: str) -> Understood | None:
    """What an instruction asks for when it was said without marks, or with mistyped words; None when that is not clear."""
    span = spanned(text.strip())
    if len(span) > _LONGEST_RUN_ON:
        return None
    seen = {span.lows}
    for ways in (
        (_understood(span, run_on=True),),
        *(map(_understood, _unseen(mended(span, lexicon(), each), seen)) for each in ("all", "none", "some")),
    ):
        whole = [each for each in ways if each.whole]
        if whole:
            return whole[0] if all(each == whole[0] for each in whole) else None
    return None


def _unseen(ways: Iterable[Span], seen: set[tuple[str, ...]]) -> Iterator[Span]:
    """Those ways of mending that were not tried before."""
    for each in ways:
        if each.lows not in seen:
            seen.add(each.lows)
            yield each


def understand(text: str) -> Understood:
    """What an instruction asks for. Never raises for any text."""
    return _understood(spanned(text.strip()))


def _understood(span: Span, *, run_on: bool = False) -> Understood:
    talk, intents = Talk(), list[Intent]()
    condition: WaitFor | None = None
    denied: list[tuple[Clause, tuple[Intent, ...]]] = []
    for clause in clauses(span, lexicon(), run_on=run_on):
        if clause.readings and clause.readings[0].meaning == "denied":
            kept = Clause(clause.span, clause.readings[0].slots["readings"])
            denied += [(clause, each) for each, _ in _meant(kept, talk)]
            continue
        meant = _meant(clause, talk)
        if len(meant) != 1:
            several = tuple(each for each, _ in meant[:_MOST_READINGS])
            intents.append(Unknown(clause.span.text, _either(several), several))
            continue
        ((asked, after),) = meant
        talk.__dict__.update(after.__dict__)
        if clause.readings[0].meaning == "said" and isinstance(asked[0], Unknown):
            intents += asked
            continue
        if clause.order in ("if", "unless"):
            condition = _condition(clause, asked)
            if condition is None:
                intents.append(Unknown(clause.span.text))
            elif intents and not clause.leads and not clause.begins:  # “press Save if it is there”
                if not isinstance(intents[-1], Unknown):
                    intents[-1] = When(condition.text, intents[-1], condition.gone)
                condition = None
        elif clause.readings[0].meaning == "located":
            _put_there(intents, asked[0].address, clause, talk)  # type: ignore[union-attr]
        elif clause.readings[0].meaning == "behind":
            if not intents or not isinstance(intents[-1], Read):
                intents.append(Unknown(clause.span.text))
            else:
                intents[-1:] = [*asked, intents[-1]]
        else:
            for each in asked:
                _take(intents, each if condition is None else When(condition.text, each, condition.gone))
            condition = None
    intents += [Unknown(clause.span.text) for clause, never in denied if set(never) & set(intents)]
    if intents and (back := lexicon().taken_back(mask(span.whole).text)):
        intents.append(Unknown(back, lexicon().why_retracted))
    if condition is not None:
        intents.append(Unknown(f"if {condition.text}"))
    if talk.announced:
        intents.append(Unknown(talk.announced))
    return Understood(tuple(_nameless(each) for each in bind(intents)))


def _put_there(intents: list[Intent], folder: str, clause: Clause, talk: Talk) -> None:
    """Says of what was asked for just before, or of the file that was only named, in which folder it is."""
    if intents and getattr(intents[-1], "folder", None) == "":
        intents[-1] = msgspec.structs.replace(intents[-1], folder=folder)
    elif not intents and talk.file is not None and not talk.file.folder:
        talk.of_file(msgspec.structs.replace(talk.file, folder=folder))
    else:
        intents.append(Unknown(clause.span.text))


def _condition(clause: Clause, asked: tuple[Intent, ...]) -> WaitFor | None:
    """What must be in sight (or must not), None when that cannot be told by looking."""
    if (
        len(asked) != 1
        or not isinstance(asked[0], WaitFor)
        or re.match(r"(?:it|they|he|she|$)\b|$", asked[0].text, re.I)
    ):
        return None
    return msgspec.structs.replace(asked[0], gone=asked[0].gone != (clause.order == "unless"))


_MOST_READINGS = 4


def _either(readings: Sequence[tuple[Intent, ...]]) -> str:
    """What words may mean that mean several things, "" when they mean nothing."""
    said = [reading_in_words(each) for each in readings]
    return f"It may mean {' or '.join(f'“{each}”' for each in said)}. Which one?" if said else ""


def _nameless(intent: Intent) -> Intent:
    """A folder that was given no name cannot be made, and nothing renamed without a new one."""
    if isinstance(intent, CreateFolder) and not intent.name:
        return Unknown("folder", "What shall the folder be called?")
    if isinstance(intent, Rename) and not intent.name:
        return Unknown(intent.what, f"What shall {intent.what} be called?")
    return intent


def _take(intents: list[Intent], new: Intent) -> None:
    """Adds an intent; “and call it …” and “and press Enter” belong to the one before."""
    last = intents[-1] if intents else None
    if (
        isinstance(new, Rename) and isinstance(last, Rename) and not last.name and new.what in ("", last.what)
    ) or (
        isinstance(new, Rename) and not new.what and isinstance(last, Save | CreateFolder) and not last.name
    ):
        intents[-1] = msgspec.structs.replace(last, name=new.name)
    elif isinstance(new, Rename) and not new.what and (isinstance(last, TypeText) or last == Open(EDITOR)):
        intents.append(Save(new.name))
    elif isinstance(new, TypeText) and intents[-2:-1] == [Open(EDITOR)] and isinstance(last, Save):
        intents.insert(-1, new)  # “make a new file, call it …, put … in it”
    elif isinstance(new, Transfer) and isinstance(last, Save) and new.what == last.name and not last.folder:
        intents[-1] = msgspec.structs.replace(last, folder=new.into)
    elif (path := _menu_below(last, new)) is not None:
        if isinstance(last, Menu):
            intents[-1] = path
        else:
            intents.append(path)
    elif not _done_with(intents, new):
        intents.append(new)


def _menu_below(last: Intent | None, new: Intent) -> Menu | None:
    """What is chosen after a right click is an entry of the menu that opened."""
    if not isinstance(new, Choose) or new.source or new.option.kind:
        return None
    if isinstance(last, Click) and last.button == "right":
        return Menu((new.option.name,))
    return Menu((*last.path, new.option.name)) if isinstance(last, Menu) else None


def _brings_up(intent: Intent, app: str) -> bool:
    """Is the application used by what goes before anyway: “…, use the editor”?"""
    used = intent.what if isinstance(intent, Open) else intent.into if isinstance(intent, TypeText) else ""
    return bool(used) and sort_of(used) == sort_of(app)


def _done_with(before: Sequence[Intent], new: Intent) -> bool:
    """Is what is asked for part of what goes before: Enter after a command, the calculator for a sum?"""
    last = before[-1] if before else None
    if isinstance(last, Compute) and isinstance(new, Open):
        return sort_of(new.what) == "calculator"
    if (
        isinstance(new, Open)
        and apps.is_generic(new.what)
        and any(_brings_up(each, new.what) for each in before)
    ):
        return True
    if isinstance(last, Window) and (
        new == last or (isinstance(new, Window) and new.verb == last.verb and not new.what)
    ):
        return True
    if isinstance(last, Read) and isinstance(new, Read):
        return new.what.kind == "result"  # “and tell me”: it is told anyway
    return isinstance(last, RunCommand) and new == Press(("enter",))


_OWNERS = ("his ", "her ", "their ", "its ")


def _of_page(what: Phrase) -> Phrase:
    """What a page that was gone to shows: “its address”."""
    return msgspec.structs.replace(what, name=what.name.split(" ", 1)[1])


_INTO_FIELDS = ("write", "fill", "clear", "focus", "set_to")
_IT = ("it", "that", "that one", "this", "this one")


def _beside(what: Phrase, near: str, kind: str) -> Phrase:
    """“The one below it”: beside what was spoken of, and of its kind where none is named."""
    one = what.name == "one"
    where = {"near": "next to", "left": "to the left of", "right": "to the right of"}.get(
        what.side, what.side
    )
    return msgspec.structs.replace(
        what,
        name="" if one else what.name,
        kind=kind if one and not what.kind else what.kind,
        near=near,
        spoken=f"{what.kind or (kind or 'one' if one else what.name)} {where} {near}",
    )


def _owned(meaning: str, slots: dict[str, Any], talk: Talk) -> dict[str, Any] | None:
    """The slots with “her address” as the address beside who was spoken of; None when nobody was."""
    owned = {
        name: value
        for name, value in slots.items()
        if isinstance(value, Phrase) and value.name.lower().startswith(_OWNERS)
    }
    beside = {name: value for name, value in slots.items() if isinstance(value, Phrase) and value.near in _IT}
    if beside:
        near = talk.thing and (talk.thing.name or talk.thing.spoken)
        kind = talk.thing.kind if talk.thing else ""
        kind = kind or ("field" if meaning in _INTO_FIELDS else "")
        found = {
            name: _beside(value, near, kind)
            if near
            else msgspec.structs.replace(value, near="", side="")
            if not value.spoken.endswith(_IT)
            else Phrase("")
            for name, value in beside.items()
        }
        return slots | found if found and all(each.name or each.kind for each in found.values()) else None
    if not owned:
        return slots
    if talk.thing is None or not talk.thing.name:
        return {**slots, **{name: _of_page(value) for name, value in owned.items()}} if talk.page else None
    near = talk.thing.name
    if meaning == "tell":  # what is read of a thing is said to be its own, however it lies beside it
        return slots | {
            name: phrase(spoken := f"{value.name.split(' ', 1)[1]} of the {near}", Masked(spoken))
            for name, value in owned.items()
        }
    beside = {
        name: msgspec.structs.replace(value, name=value.name.split(" ", 1)[1], near=near, side="near")
        for name, value in owned.items()
    }
    return slots | beside


def _in_part(slots: dict[str, Any]) -> dict[str, Any]:
    """The slots, with the part of the screen they are said to be in on the thing itself."""
    part = slots.get("part")
    if not part:
        return slots
    return {
        name: msgspec.structs.replace(value, within=part)
        if isinstance(value, Phrase) and not value.within
        else value
        for name, value in slots.items()
    }


def _gone_to(reading: Reading, talk: Talk, after: Talk) -> tuple[Intent, ...]:
    """What brings up the page or the application that a clause is said to be done in."""
    if address := reading.slots.get("at_address"):
        return (GoTo(address),)
    app = reading.slots.get("at_app", "")
    if not app or reading.meaning in _BY_ITSELF or app == talk.app:
        return ()
    after.app = app
    return (Window("switch", app, "application"),)


def _same_again(reading: Reading, talk: Talk) -> Reading | None:
    """“Do the same in notes.txt”: what was asked for last, with another file or thing; None where it had none."""
    if talk.last is None:
        return None
    meaning, slots = talk.last
    new = reading.slots["what"]
    slot = next(
        (each for each in ("file", "what", "doc", "into", "field") if type(slots.get(each)) is type(new)), ""
    )
    return msgspec.structs.replace(reading, meaning=meaning, slots=slots | {slot: new}) if slot else None


def _meant(clause: Clause, talk: Talk) -> list[tuple[tuple[Intent, ...], Talk]]:
    """The intents of each reading that makes sense there, each with what is spoken of then; equal ones once."""
    found: list[tuple[tuple[Intent, ...], Talk]] = []
    for each in clause.readings:
        reading = _same_again(each, talk) if each.meaning == "same" else each
        if reading is None:
            continue
        if reading.slots.get("denied") and reading.meaning != "check":
            continue  # what is not to be done: only a tick has an opposite
        after = copy.copy(talk)
        slots = {**reading.slots, "verb": reading.slots.get("verb", reading.verb)}
        owned = _owned(reading.meaning, slots, talk)
        intents = MEANINGS[reading.meaning](_in_part(owned), after) if owned else None
        intents = intents and (*_gone_to(reading, talk, after), *intents)
        if intents:
            after.last = (reading.meaning, slots)
        if intents is not None and all(intents != other for other, _ in found):
            found.append((intents, after))
    return found
