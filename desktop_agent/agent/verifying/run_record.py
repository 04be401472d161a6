"""Keeps what was done in a run with the thing that each operation acted on, and tells what of it still stands.

What the record or the last look contradicts (a button that did nothing, a text that its box does not hold, a tick
that is gone again) is no success; what a message says counts for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from desktop_agent.agent.looking.look_diff import find_again
from desktop_agent.agent.verifying.rules import STATES, evidence_of
from desktop_agent.llm.base import Deed
from desktop_agent.policy.facts.op_points import start_point
from desktop_agent.policy.facts.words.claim_words import claims_success, is_for_search, words_of
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Receipt
from desktop_agent.protocol.ops import Op
from desktop_agent.redaction.redactor import redactor
from desktop_agent.vision.elements.describe import EDITED, one_line
from desktop_agent.vision.observation import Element, Observation

PRESSED = frozenset((
    "push button", "button", "link", "menu item", "toggle button", "check menu item", "radio menu item",
    "check box", "radio button", "icon", "page tab", "push button menu", "split button",
))  # fmt: skip
CHOSEN = frozenset((
    "list item", "radio button", "radio menu item", "check box", "check menu item", "table cell", "tree item",
    "combo box", "option", "toggle button", "switch",
))  # fmt: skip
_LONG_VALUE = 1_000
"""The value of a field with more text may be cut."""
_SHOWN = 60
_PATH = re.compile(r"^(~|[A-Za-z]:)?[\\/]")


@dataclass(frozen=True)
class RecordedAct:
    """A deed, what it acted on as it was before it, and the same thing right after."""

    deed: Deed
    thing: Element | None
    after: Element | None

    @property
    def text(self) -> str:
        """What it typed, without the keys at its ends."""
        return self.deed.op.text.strip() if isinstance(self.deed.op, ops.Type) else ""


@dataclass
class RunRecord:
    """The acts of one run, oldest first. `first` is the first look of the run."""

    acts: list[RecordedAct] = field(default_factory=list)
    first: Observation | None = None

    def noted(self, deeds: Sequence[Deed], before: Observation, after: Observation | None) -> None:
        """Take in what was carried out between two looks; `after` is None when none was taken."""
        for deed in deeds:
            thing = _acted_on(deed, before, after)
            same = find_again(thing, after.elements) if thing is not None and after is not None else None
            self.acts.append(RecordedAct(deed, thing, same))

    # ---- what contradicts --------------------------------------------------------------------

    def contradictions(self, look: Observation) -> list[Receipt]:
        """What the record or the last look holds against a "done", one for each thing."""
        found = [*self._dropped(look), *self._turned_back(look), *self._dead()]
        return list(dict.fromkeys(found))

    def _dropped(self, look: Observation) -> Iterable[Receipt]:
        for index, act in self._last_on_fields():
            now = find_again(act.thing, look.elements) if act.thing else None
            if now is None or not _readable(now) or _holds(now.value, act.text):
                continue
            at_once = act.after is not None and _readable(act.after) and not _holds(act.after.value, act.text)
            cut = bool(now.value) and " ".join(now.value.split()) in " ".join(act.text.split())
            lost = not now.value or cut or (act.thing is not None and act.thing.value == now.value)
            if lost and (at_once or not self._explained(index, act)):
                told = f"holds {_quoted(now.value)}" if now.value else "holds nothing"
                yield Receipt("record", "contradicted", f"{_named(now)} {told}, not {_quoted(act.text)}")

    def _explained(self, index: int, act: RecordedAct) -> bool:
        """May a later act have taken the text out again: a button, a key, another text, an Enter at its end?"""
        if isinstance(act.deed.op, ops.Type) and act.deed.op.text.endswith("\n"):
            return True
        return any(_takes_out(each) for each in self.acts[index + 1 :])

    def _last_on_fields(self) -> Iterable[tuple[int, RecordedAct]]:
        """The last text that was typed into each field."""
        last: dict[tuple[object, ...], int] = {}
        for index, act in enumerate(self.acts):
            if act.text and act.deed.outcome == "done" and act.thing is not None:
                last[_key(act.thing)] = index
        return [(index, self.acts[index]) for index in last.values()]

    def _turned_back(self, look: Observation) -> Iterable[Receipt]:
        last = {_key(act.thing): act for act in self.acts if act.thing is not None and _presses(act)}
        for act in last.values():
            now = find_again(act.thing, look.elements) if act.thing else None
            if act.thing is None or act.after is None or now is None:
                continue
            if self._others_since(act):
                continue
            for state in ("checked", "selected"):
                flipped = (state in act.after.states) != (state in act.thing.states)
                if flipped and (state in now.states) != (state in act.after.states):
                    on, off = STATES[state]
                    words = f"{_named(now)} is {on if state in now.states else off} again"
                    yield Receipt("record", "contradicted", words)

    def _others_since(self, act: RecordedAct) -> bool:
        """Was anything else pressed since, or a key? One choice takes another back."""
        later = self.acts[self.acts.index(act) + 1 :]
        return any(_presses(each) or each.deed.op.traits.keyboard for each in later)

    def _dead(self) -> Iterable[Receipt]:
        """The last thing that was pressed did nothing, and nothing was done after it that did something."""
        for act in reversed(self.acts):
            if act.deed.effect in ("confirmed", "changed"):
                return
            if _presses(act) and act.deed.effect == "unchanged" and act.thing and act.thing.role in PRESSED:
                yield Receipt(
                    "record", "contradicted", f"{_named(act.thing)} had no effect when it was pressed"
                )
                return

    # ---- what still stands -------------------------------------------------------------------

    def standing(self, look: Observation) -> list[Receipt]:
        """What was done and is seen in the last look to be so: texts in their fields, states, things that moved."""
        return list(dict.fromkeys((*self._texts(look), *self._states(look))))

    def unfinished(self, look: Observation, says: Callable[[str], bool]) -> list[Receipt]:
        """What was to be done and came to nothing: refused, ended or left out, and not done since.

        Of presses the last one, and those of things that still show and that the user names.
        """
        lost = [
            act
            for index, act in enumerate(self.acts)
            if act.deed.outcome != "done"
            and not self._done_since(index, look)
            and self._missed(index, look, says)
        ]
        words = dict.fromkeys(one_line(act.deed.words, _SHOWN) for act in lost)
        return [Receipt("none", "unverified", f"{each} came to nothing") for each in words]

    def _done_since(self, index: int, look: Observation) -> bool:
        """Was the same text typed since, or shows in a field; or was the same thing pressed?"""
        act, later = (
            self.acts[index],
            [each for each in self.acts[index + 1 :] if each.deed.outcome == "done"],
        )
        if act.text:
            shown = any(_readable(each) and act.text in each.value for each in look.elements)
            return shown or any(each.text == act.text for each in later)
        mine = None if act.thing is None else _key(act.thing)
        return any(mine == _key(each.thing) for each in later if each.thing is not None)

    def _missed(self, index: int, look: Observation, says: Callable[[str], bool]) -> bool:
        act = self.acts[index]
        if act.text:
            return True
        if not act.deed.op.traits.presses:
            return False
        last = not any(each.deed.outcome == "done" for each in self.acts[index + 1 :])
        shows = act.thing is not None and find_again(act.thing, look.elements) is not None
        return last or (shows and act.thing is not None and says(act.thing.name))

    def _texts(self, look: Observation) -> Iterable[Receipt]:
        for _, act in self._last_on_fields():
            now = find_again(act.thing, look.elements) if act.thing else None
            if now is not None and _readable(now) and _holds(now.value, act.text):
                yield Receipt(evidence_of(now), "verified", f"{_named(now)} holds {_quoted(act.text)}")

    def _states(self, look: Observation) -> Iterable[Receipt]:
        for act in self.acts:
            now = find_again(act.thing, look.elements) if act.thing is not None else None
            if act.deed.effect != "confirmed" or act.thing is None or act.text:
                continue
            if now is not None and act.after is not None:
                for state, (on, off) in STATES.items():
                    flipped = (state in act.thing.states) != (state in act.after.states)
                    if flipped and (state in now.states) == (state in act.after.states):
                        yield Receipt(
                            evidence_of(now),
                            "verified",
                            f"{_named(now)} is {on if state in now.states else off}",
                        )
                # What stands in a field was typed there, whatever was pressed: `_texts` tells of it.
                typed = _readable(now)
                if now.value == act.after.value != act.thing.value and not (
                    typed or claims_success(now.value)
                ):
                    yield Receipt(evidence_of(now), "verified", f"{_named(now)} shows {_quoted(now.value)}")
            if isinstance(act.deed.op, ops.Scroll | ops.ScrollElement | ops.Drag | ops.DragElement):
                yield Receipt("tree", "verified", f"{act.deed.words}: {act.deed.detail}")

    # ---- what was typed and chosen -----------------------------------------------------------

    def typed(self) -> tuple[str, ...]:
        """The texts that were typed as content: what is in a field last, no paths, no secrets."""
        searched = set(self.searched())
        return tuple(
            each
            for each in self.entered()
            if len(each) > 1 and not _PATH.match(each) and each not in searched
        )

    def entered(self) -> tuple[str, ...]:
        """All that is in fields last, or was typed where no field is known; no secrets."""
        last = (act for _, act in self._last_on_fields())
        texts = [act.text for act in last if act.thing is None or "password" not in act.thing.states]
        texts += [
            act.text for act in self.acts if act.text and act.thing is None and act.deed.outcome == "done"
        ]
        return tuple(
            dict.fromkeys(each for each in texts if not redactor().stand_ins(each) and "{{" not in each)
        )

    def written(self) -> tuple[str, ...]:
        """What commands and changes of files that were carried out hold: a file that has it was written by them."""
        done = (act.deed.op for act in self.acts if act.deed.outcome == "done")
        return tuple(text for op in done for text in _written_by(op))

    def searched(self) -> tuple[str, ...]:
        """What was typed only to look for something by it."""
        last = self._last_on_fields()
        return tuple(act.text for _, act in last if act.thing is not None and is_for_search(act.thing.name))

    def chosen(self) -> tuple[str, ...]:
        """The names of the choices that were pressed."""
        names = (
            act.thing.name for act in self.acts if act.thing and act.thing.role in CHOSEN and _presses(act)
        )
        return tuple(dict.fromkeys(each for each in names if each))

    def switched(self) -> dict[str, bool]:
        """The names of the switches that were pressed, with whether each is on since."""
        return {
            act.thing.name: "checked" in act.after.states
            for act in self.acts
            if act.thing
            and act.after
            and act.thing.name
            and _presses(act)
            and _is_switch(act.thing, act.after)
        }

    def pressed(self) -> tuple[str, ...]:
        """The names of the buttons that were pressed."""
        return tuple(
            act.thing.name for act in self.acts if act.thing and act.thing.role in PRESSED and _presses(act)
        )

    def words(self) -> str:
        """All that was done, in words."""
        return "\n".join(f"{act.deed.words} {act.text}" for act in self.acts)


def _acted_on(deed: Deed, before: Observation, after: Observation | None) -> Element | None:
    op = deed.op
    if named := getattr(op, "element", None):
        return next((each for each in before.elements if each.id == named), None)
    if isinstance(op, ops.Type):
        return _typed_into(op.text, before, after)
    at = start_point(op, before) if op.traits.presses else None
    here = [each for each in before.elements if at is not None and each.bounds.contains(at)]
    return min(here, key=lambda each: each.bounds.width * each.bounds.height, default=None)


def _written_by(op: Op) -> tuple[str, ...]:
    match op:
        case ops.Run():
            return (op.command,)
        case ops.WriteFile():
            return (op.content,)
        case ops.EditFile():
            return (op.new,)
    return ()


def _typed_into(text: str, before: Observation, after: Observation | None) -> Element | None:
    """The field that holds the text now, else the one that had the keyboard; as it was before if it was there."""
    looks = [each for each in (after, before) if each is not None]
    focused = [each for look in looks for each in look.elements if "focused" in each.states]
    if hidden := next((each for each in focused if "password" in each.states), None):
        return hidden
    fields = [each for each in (after or before).elements if _readable(each)]
    held = [each for each in fields if _holds(each.value, text)]
    # A document may happen to hold what was typed into a field to be looked for.
    held.sort(key=lambda each: (len(each.value) > len(text.strip()), "focused" not in each.states))
    now = next(iter(held), None) or next(
        (
            each
            for look in (after, before)
            if look
            for each in look.elements
            if "focused" in each.states and _readable(each)
        ),
        None,
    )
    return (find_again(now, before.elements) or now) if now is not None else None


def _readable(element: Element) -> bool:
    edited = bool({element.role, *element.states} & {*EDITED, "editable"})
    hidden = bool({"password", "unreadable"} & element.states)
    return edited and not hidden and len(element.value) < _LONG_VALUE


def _holds(value: str, text: str) -> bool:
    """Does a field hold the text, or the same in the form it likes (a date, a number)?"""
    wanted = " ".join(text.split())
    if not wanted or wanted in " ".join(value.split()):
        return True
    return bool(value) and sorted("".join(words_of(value))) == sorted("".join(words_of(text)))


def _is_switch(was: Element, now: Element) -> bool:
    return ("checked" in was.states) != ("checked" in now.states)


def _presses(act: RecordedAct) -> bool:
    return act.deed.op.traits.presses and act.deed.outcome == "done"


def _takes_out(act: RecordedAct) -> bool:
    op = act.deed.op
    if isinstance(op, ops.KeyCombo):
        return set(op.keys) != {"tab"}
    if isinstance(op, ops.KeyDown):
        return op.key != "tab"
    if isinstance(op, ops.Type):
        return op.text.endswith("\n")
    return _presses(act) and not (act.thing is not None and _readable(act.thing))


def _key(element: Element) -> tuple[object, ...]:
    return (element.pid, element.role, element.trail or element.bounds, element.window)


def _named(element: Element) -> str:
    return f"“{one_line(element.name, _SHOWN)}”" if element.name else f"the {one_line(element.role, _SHOWN)}"


def _quoted(text: str) -> str:
    return f"“{one_line(text, _SHOWN)}{'…' if len(text) > _SHOWN else ''}”"
