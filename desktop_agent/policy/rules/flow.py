"""Asks before a text that may come from what was read goes to somebody, names a file that runs, or goes elsewhere.

The rules for where texts are carried out and for addresses are `judge`'s; these need more than one place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.dry_run import Touch
from desktop_agent.policy.facts.execution_places import executes, names_recipient
from desktop_agent.policy.facts.files.open_documents import titled
from desktop_agent.policy.facts.key_effects import characters, drops, pastes, presses_enter, takes_text
from desktop_agent.policy.facts.place import UNKNOWN, Subject, editable, is_address_bar, subject_of
from desktop_agent.policy.facts.provenance import told
from desktop_agent.policy.facts.taint import CLIPBOARD
from desktop_agent.protocol.permission import Level

Pair: TypeAlias = tuple[Subject, Subject]
"""Whose content may be in a text, and where the text goes."""

_MAIL = r"[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]{2,}"
_MAILS = re.compile(rf"(?:(?:[^<>@,;]*<{_MAIL}>|(?:mailto:)?{_MAIL})\s*[,;]?\s*)+")
_PHONE = re.compile(
    r"(?:tel:)?(?:(?:\+|00)[\d\s().\-/]{6,}\d|\(?0\d{1,5}\)?[\s\-/.]?\d[\d\s\-/.]{3,}\d|\(?\d{3}\)?[\s.\-]\d{3}[\s.\-]\d{4})"
)
_IBAN = re.compile(r"[a-z]{2}\d{2}(?:\s?[a-z0-9]{4}){2,7}(?:\s?[a-z0-9]{1,4})?", re.IGNORECASE)
_LINES = frozenset(("entry", "text", "combo box", "editbar", "autocomplete", "spin button"))
_COMMAND = re.compile(
    r"^[>!:=@$|\\]\S|\S\s+(?:~|\.{1,2})?/[\w.~-]|^\w[\w.-]*\s+-{1,2}[A-Za-z]|&&|\$[({]|`|\|\s*(?:ba|z|da)?sh\b"
)
"""A sign that fields take for “carry this out”, or a command with a path, an option, or another behind it."""
_PARTS = re.compile(r"[/\\]")
_NAME = re.compile(r"[^\r\n]{1,400}")


class Asked(NamedTuple):
    """Why a text needs a yes; `pairs` are what a yes allows for the rest of the run."""

    sink: str
    reason: str
    pairs: frozenset[Pair] = frozenset()


class Flow:
    """The rules of one run for tainted texts.

    `named(subject)` tells whether the user's words name it as a place to go to, `said(text)` whether the text
    stands in them, `names_day(text)` whether it is a day that they name.
    """

    def __init__(
        self,
        named: Callable[[Subject], bool],
        said: Callable[[str], bool],
        names_day: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._named, self._said, self._names_day = named, said, names_day
        self._granted: set[Pair] = set()

    def grant(self, pairs: frozenset[Pair]) -> None:
        """Remember a yes for the rest of the run."""
        self._granted |= pairs

    def asks(self, touch: Touch, level: Level) -> list[Asked]:
        """The questions about an operation's text, by where it comes from and goes to; [] for a text that is free."""
        if touch.origin.source != "seen" or not brings_text(touch):
            return self._always(touch, ("command-like", self._command))
        always = self._always(
            touch, ("recipient", self._recipient), ("start-up name", self._startup)
        ) or self._always(touch, ("command-like", self._command))
        return always if always or level == "full" else self._crossing(touch)

    def _always(self, touch: Touch, *tests: tuple[str, Callable[[Touch], str]]) -> list[Asked]:
        return [Asked(sink, reason) for sink, test in tests if (reason := test(touch))]

    def _crossing(self, touch: Touch) -> list[Asked]:
        if executes(touch.place) or is_address_bar(touch.place):  # asked about there, each time
            return []
        to = subject_of(touch.place)
        pairs = (
            frozenset((source, to) for source in touch.origin.sources if _differ(source, to)) - self._granted
        )
        if not pairs or (self._named(to) and not self._brings_foreign(touch)):
            return []
        place = to.what if to.what != UNKNOWN else touch.place.window or "an unknown place"
        read = told(source for source, _ in pairs)
        return [Asked("crossing", f"This may take what was read in {read} to {place}.", pairs)]

    def _command(self, touch: Touch) -> str:
        """The reason when a field, an editor's text apart, gets what looks like a command: nobody knows what it does with it."""
        place, typed = touch.place, characters(touch.op).strip()
        entered = place.value.strip() if presses_enter(touch.op) and not typed else ""
        written = touch.origin.text.strip() if typed and touch.origin.source == "seen" else entered
        line = place.role in _LINES and (place.in_page or "multiline" not in place.states)
        if (
            not line
            or "\n" in written
            or place.chooser is not None
            or executes(place)
            or is_address_bar(place)
        ):
            return ""
        looks = _COMMAND.search(written) and not self._said(written)
        return "This looks like a command, and the field may carry it out." if looks else ""

    def _brings_foreign(self, touch: Touch) -> bool:
        """Is it pasted or dropped from a place that is no more the user's than what it says there?

        What the agent copied is known to the window; what it types may come from whatever it has read.
        """
        sources = touch.origin.sources
        return not characters(touch.op) and CLIPBOARD not in sources and not all(map(self._named, sources))

    def _recipient(self, touch: Touch) -> str:
        """The reason when it goes into a field for a recipient, or is shaped like one."""
        text = touch.origin.text.strip()
        each = [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]
        if each and all(map(self._said, each)):
            return ""
        if names_recipient(touch.place):
            return "This says who gets something."
        shaped = any(shape.fullmatch(text) for shape in (_MAILS, _PHONE, _IBAN)) and not self._names_day(text)
        return "This looks like somebody's address or number, which you did not say." if shaped else ""

    def _startup(self, touch: Touch) -> str:
        """The reason when a single line is the name of a file that runs, or is read when something starts."""
        place, text = touch.place, touch.origin.text.strip()
        if (
            not place.in_page
            and editable(place)
            and not self._said(text)
            and any(map(names_startup, titled(place.window)))
        ):
            return "This goes into a file that is run, or read when something starts."
        if "multiline" in place.states or is_address_bar(place) or not _NAME.fullmatch(text):
            return ""
        others = "/".join(part for part in _PARTS.split(text) if not self._said(part))
        return "A file of this name is run, or read when something starts." if names_startup(others) else ""


def brings_text(touch: Touch) -> bool:
    """Does it put a text somewhere, by typing, pasting or dropping it?"""
    return takes_text(touch.op) or pastes(touch.op) or (drops(touch.op) and bool(touch.origin.sources))


def _differ(source: Subject, to: Subject) -> bool:
    """Two places that cannot be told are not the same."""
    return source != to or to.what == UNKNOWN


def names_startup(path: str) -> bool:
    """Is it the name or path of a file that runs, or is read when something starts?"""
    table, parts = policy_tables.execution(), _PARTS.split(path.strip().strip("\"'"))
    name, folders = fold(parts[-1]), [fold(part) for part in parts[:-1]]
    hidden = any(re.match(r"\.[a-z_]", part) for part in (*folders, name))
    option = name.startswith("-")  # `tar *` takes it for one
    if (
        hidden
        or option
        or name in table.startup_names
        or any(each in table.startup_folders for each in folders)
    ):
        return True
    return " " not in name[-8:] and name.endswith(policy_tables.programs().program_files)
