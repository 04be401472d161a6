"""What an instruction asks for, one frozen record a clause."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from desktop_agent.extras.offline.llm.offline.intents_desk import DeskIntent as DeskIntent
from desktop_agent.extras.offline.llm.offline.named import Phrase as Phrase
from desktop_agent.extras.offline.llm.offline.named import Side as Side

Direction: TypeAlias = Literal["up", "down", "left", "right"]
ScrollUnit: TypeAlias = Literal["notches", "pages", "end"]
WindowVerb: TypeAlias = Literal["close", "minimize", "maximize", "restore", "switch"]
Thing: TypeAlias = Literal["window", "tab", "dialog", "menu", "application", ""]


class Open(msgspec.Struct, frozen=True):
    """Bring up an application, a file, a page, or whatever has that name; `within` an application to open it with."""

    what: str
    within: str = ""


class GoTo(msgspec.Struct, frozen=True):
    """Show an address in the browser (or a folder in the file manager)."""

    address: str


class Search(msgspec.Struct, frozen=True):
    """Look for words with the search box at hand.

    `place` is where; unless it is `sure`, the words may belong to what is searched for and
    `whole` is then the text. With `result` it is what was worked out or read last.
    """

    text: str
    place: str = ""
    sure: bool = True
    whole: str = ""
    result: bool = False


class Click(msgspec.Struct, frozen=True):
    """Click a thing `times` times with a button, `count` 2 for a double click."""

    what: Phrase
    button: Literal["left", "right", "middle"] = "left"
    count: int = 1
    times: int = 1
    modifiers: tuple[str, ...] = ()


class ClickAt(msgspec.Struct, frozen=True):
    """Click a pixel of the picture."""

    x: int
    y: int
    button: Literal["left", "right", "middle"] = "left"
    count: int = 1


class Press(msgspec.Struct, frozen=True):
    """Press keys together, `times` times."""

    keys: tuple[str, ...]
    times: int = 1


class TypeText(msgspec.Struct, frozen=True):
    """Type a text exactly where the cursor is, or into a field or application.

    Unless it is `sure` that `into` is a place, the words may be part of the text: `whole` then
    is the text if no such place is seen. `line_first` puts it on a line of its own; with `result`
    the text is what was worked out or read last.
    """

    text: str
    into: str = ""
    sure: bool = True
    whole: str = ""
    line_first: bool = False
    result: bool = False


class Fill(msgspec.Struct, frozen=True):
    """Make a field, list, slider or box show a value, whatever it showed before."""

    field: Phrase
    value: str


class FillApart(msgspec.Struct, frozen=True):
    """Make a field show a value where both were said side by side ("Country Norway"): the screen tells where the name ends."""

    text: str


class Choose(msgspec.Struct, frozen=True):
    """Choose an option, from a list if `source` names one."""

    option: Phrase
    source: str = ""


class Match(msgspec.Struct, frozen=True):
    """Enter or choose one of what is offered by how it starts, ends or goes on; `into` names the field or list."""

    starts: str = ""
    ends: str = ""
    contains: str = ""
    into: str = ""


class Check(msgspec.Struct, frozen=True):
    """Switch a check box, radio button or toggle on or off; None turns it over."""

    what: Phrase
    on: bool | None = True


class Clear(msgspec.Struct, frozen=True):
    """Empty a field (the one with the focus when no name is given)."""

    what: Phrase


class Scroll(msgspec.Struct, frozen=True):
    """Scroll by an amount, or until a thing is seen when `until` is given; `over` names the part to scroll."""

    direction: Direction = "down"
    amount: int = 5
    unit: ScrollUnit = "notches"
    until: str = ""
    over: str = ""


class WaitFor(msgspec.Struct, frozen=True):
    """Wait some seconds, or until a text is there (or `gone`)."""

    seconds: float = 0.0
    text: str = ""
    gone: bool = False


class Save(msgspec.Struct, frozen=True):
    """Save what is being worked on; with a name or folder it is a "save as"."""

    name: str = ""
    folder: str = ""


class Window(msgspec.Struct, frozen=True):
    """Close, minimize, … a window, tab or dialog; the active one when `what` is empty.

    `unsaved` is what to do about changes that are not saved; the user is asked when it was not said.
    """

    verb: WindowVerb
    what: str = ""
    thing: Thing = "window"
    unsaved: Literal["", "save", "discard"] = ""


class Compute(msgspec.Struct, frozen=True):
    """Work out an expression (digits, + - * / ^ % parentheses) with a calculator."""

    expression: str


class CreateFolder(msgspec.Struct, frozen=True):
    """Make a folder, in `folder` when given, else in the one that is shown."""

    name: str
    folder: str = ""


class Rename(msgspec.Struct, frozen=True):
    """Give the file or folder `what` in `folder` (the one that is shown, when not said) another name."""

    what: str
    name: str
    folder: str = ""


class Delete(msgspec.Struct, frozen=True):
    """Throw a file or folder away, one in `folder` when that was said."""

    what: Phrase
    folder: str = ""


class Menu(msgspec.Struct, frozen=True):
    """Choose a path of menu entries, the menu's name first."""

    path: tuple[str, ...]


class Drag(msgspec.Struct, frozen=True):
    """Drag one thing onto another."""

    what: Phrase
    onto: Phrase


class Hover(msgspec.Struct, frozen=True):
    """Move the pointer over a thing."""

    what: Phrase


class Focus(msgspec.Struct, frozen=True):
    """Give a thing the keyboard focus."""

    what: Phrase


class Read(msgspec.Struct, frozen=True):
    """Tell what a thing says (the whole screen when it has no name)."""

    what: Phrase


class CopyText(msgspec.Struct, frozen=True):
    """Put the whole text of a thing on the clipboard."""

    what: Phrase


class Submit(msgspec.Struct, frozen=True):
    """Send the form that is being filled in."""


class FillForm(msgspec.Struct, frozen=True):
    """Do what a goal says of the form in sight, in whatever words: its labels and choices tell what they mean."""

    goal: str


class SendForm(msgspec.Struct, frozen=True):
    """Press the button of that name, and see that the form was taken."""

    button: str


class Expand(msgspec.Struct, frozen=True):
    """Open a section, branch or menu out, or fold it up."""

    what: Phrase
    on: bool = True


class Browse(msgspec.Struct, frozen=True):
    """Move in the browser's history."""

    move: Literal["back", "forward", "reload"]


class When(msgspec.Struct, frozen=True):
    """If `condition` is seen (or not, when `absent`), do `then`."""

    condition: str
    then: Intent
    absent: bool = False


class Help(msgspec.Struct, frozen=True):
    """Say what can be done."""


class Unknown(msgspec.Struct, frozen=True):
    """Words that were not understood; `why` says more than that when something is known.

    `readings` is what they may mean where they mean several things: one of them is to be picked.
    """

    text: str
    why: str = ""
    readings: tuple[tuple[Intent, ...], ...] = ()


Intent: TypeAlias = (
    Open | GoTo | Search | Click | ClickAt | Press | TypeText | Fill | FillApart | Choose | Match | Check | Clear | Scroll
    | WaitFor | Save | Window | Compute | CreateFolder | Rename | Delete | Menu | Drag | Hover | Focus | Read
    | Submit | FillForm | SendForm | Browse | Expand | CopyText | When | Help | Unknown | DeskIntent
)  # fmt: skip
