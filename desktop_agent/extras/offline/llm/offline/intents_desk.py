"""What instructions about files, texts, terminals and spreadsheets ask for, one frozen record a clause."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Function: TypeAlias = Literal["SUM", "AVERAGE", "MAX", "MIN", "COUNT"]


class OpenFile(msgspec.Struct, frozen=True):
    """Open the file `name` in `folder` (where it usually is when that is not said), `within` an application."""

    name: str
    folder: str = ""
    within: str = ""


class Transfer(msgspec.Struct, frozen=True):
    """Move a file or folder from `folder` into another one, or copy it."""

    what: str
    into: str
    folder: str = ""
    copy: bool = False


class ListFiles(msgspec.Struct, frozen=True):
    """Tell what files and folders are in a folder."""

    folder: str


class SortFiles(msgspec.Struct, frozen=True):
    """Have the file manager sort what it shows by "name", "size", "date" or "type"."""

    key: Literal["name", "size", "date", "type"]
    descending: bool = False


class WriteAt(msgspec.Struct, frozen=True):
    """Put a text (or the last `result`) at the start or the end of what is open; `line` on a line of its own."""

    text: str
    at: Literal["start", "end"] = "end"
    line: bool = True
    result: bool = False


class Replace(msgspec.Struct, frozen=True):
    """Put other words wherever these are in the text that is open."""

    old: str
    new: str


class DeleteLine(msgspec.Struct, frozen=True):
    """Delete a line of the text that is open: the n-th (1 is the first, -1 the last), or the one that holds words."""

    number: int = 0
    holding: str = ""


class Undo(msgspec.Struct, frozen=True):
    """Take back what was typed just before."""

    text: str


class RunCommand(msgspec.Struct, frozen=True):
    """Run a command in a terminal; `tell` what it prints, or keep that in the file `into`."""

    command: str
    tell: bool = False
    into: str = ""
    folder: str = ""


class KeepResult(msgspec.Struct, frozen=True):
    """Write what was worked out or read last into a file of that name; `add` keeps what it holds already.

    `what` is how it was called, to be read first when nothing was; unless it is `sure` that a result
    is meant, "it" may be the document.
    """

    name: str
    folder: str = ""
    add: bool = False
    what: str = ""
    sure: bool = True


class Rows(msgspec.Struct, frozen=True):
    """Enter rows of a spreadsheet, from the cell `at` on; in a new one unless one is open and `new` is not said."""

    rows: tuple[tuple[str, ...], ...]
    at: str = "A1"
    new: bool = True


class SetCell(msgspec.Struct, frozen=True):
    """Make a cell of the spreadsheet hold a text, number or formula; the last result when the text is empty."""

    cell: str
    text: str


class Total(msgspec.Struct, frozen=True):
    """Put a formula into a cell that works on `of`: a range ("B2:B4"), or a column ("B") as far as it goes.

    Without a cell it belongs below the column; with `tell` the result is wanted.
    """

    of: str
    cell: str = ""
    function: Function = "SUM"


DeskIntent: TypeAlias = (
    OpenFile | Transfer | ListFiles | SortFiles | WriteAt | Replace | DeleteLine | Undo | RunCommand | KeepResult | Rows | SetCell | Total
)  # fmt: skip
