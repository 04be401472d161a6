"""Loads the policy's tables from `assets/policy/*.toml`, once each. Raises ConfigError naming file and entry.

The tables are data of the program, not settings: a table that is not whole would let something pass
without a question, so nothing in it is skipped or defaulted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import resources
from desktop_agent.support.paths import USUAL

FOLDER = "policy"
Entries = Annotated[tuple[str, ...], Meta(min_length=1)]
Letter = Annotated[str, Meta(min_length=1, max_length=1)]
Pair = Annotated[str, Meta(min_length=2, max_length=2)]
CodePoints = Annotated[str, Meta(pattern=r"^[0-9A-F]{4,6}(-[0-9A-F]{4,6})?$")]
"""One code point in hexadecimal, or the first and last of a range, as in "200B-200F"."""


class ButtonKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that tell one kind of button: `anywhere` in a short name, `leading` only at its beginning."""

    anywhere: Entries
    leading: Entries


class ButtonTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`buttons.toml`. The kinds are tried in the order of the fields."""

    send: ButtonKind
    buy: ButtonKind
    delete: ButtonKind
    install: ButtonKind
    permission: ButtonKind
    session: ButtonKind
    terminal: ButtonKind
    agree: Entries
    not_followed_by: Entries
    address_acts: Entries
    at_hand: Entries
    repeatable: Entries
    under_way: Entries
    once_more: Entries


class ProgramTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`programs.toml`: programs by file name or window class, and windows by title."""

    terminals: Entries
    run_dialogs: Entries
    file_managers: Entries
    browsers: Entries
    authentication_agents: Entries
    lock_screens: Entries
    launchers: Entries
    run_dialog_titles: Entries
    authentication_titles: Entries
    terminal_parts: Entries
    terminal_words: Entries
    program_files: Entries


class ExecutionTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`execution.toml`: what tells that a text is carried out, goes to somebody, or is the name of a file that runs."""

    field_words: Entries
    field_markup: Entries
    prompts: Entries
    run_buttons: Entries
    remote_viewers: Entries
    command_editors: Entries
    code_pages: Entries
    recipient_names: Entries
    recipient_words: Entries
    contact_words: Entries
    startup_names: Entries
    startup_folders: Entries


class ConfusableTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`confusables.toml`: code points that are not drawn, and per letter the characters that pass for it."""

    invisible: Annotated[tuple[CodePoints, ...], Meta(min_length=1)]
    look_alikes: dict[Letter, str]
    similar: dict[Letter, str]
    pairs: dict[Letter, Pair]

    def __post_init__(self) -> None:
        """Raises ValueError for a character that passes for two letters."""
        for name, rows in (("look_alikes", self.look_alikes), ("similar", self.similar)):
            if twice := _first_repeated("".join(rows.values())):
                raise ValueError(f"{name}: the character {twice!r} stands there twice")


class ActWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that order an act of one kind: at the beginning of an order, at its end, or in a statement (“must go”)."""

    leading: Entries
    closing: Entries = ()
    stated: Entries = ()


class OrderTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`order_words.toml`: words by which an order is told from what is only spoken of."""

    run: Entries
    habit: Entries
    hedging: Entries
    led_in: Entries
    finite: Entries
    would: Entries
    put: Entries
    content: Entries
    addressed: Entries
    relayed: Entries
    ask: Entries
    know: Entries
    other: Entries
    infinitive: Entries
    filler: Entries
    place: Entries
    frames: Entries
    clause: Entries
    question: Entries
    subject: Entries
    negation: Entries
    told: Entries
    beside: Entries
    joint: Entries
    it: Entries
    terminal: Entries
    paper: Entries
    light: Entries
    record: Entries
    speech: Entries
    modal: Entries
    done: Entries
    shown: Entries
    wish: Entries
    wishes: Entries
    up: Entries
    means: Entries
    means_of_asking: Entries
    not_by_means: Entries
    made_by_command: Entries
    machines: Entries
    chats: Entries
    correcting: Entries
    reshaping: Entries
    saying: Entries
    intending: Entries
    that_one: Entries
    sending: Entries
    moving: Entries
    pressing: Entries
    elsewhere: Entries
    tight: Entries
    urging: Entries
    assent: Entries
    looking: Entries
    going: Entries
    noun_before: Entries
    me: Entries
    letting: Entries
    reported: Entries
    buying: Entries
    pointing: Entries
    when_told: Entries
    taking: Entries
    wondering: Entries
    calling_off: Entries
    own_hand: Entries
    enter_key: Entries
    secret: Entries
    rights: Entries
    passage: Entries
    browser: Entries
    arriving: Entries
    stating: Entries
    ended: Entries
    with_nouns: Entries
    nouns: Entries
    using: Entries
    making: Entries
    filling: Entries
    made: Entries
    particle: Entries
    about: Entries
    naming: Entries
    condition: Entries
    money: Entries
    acts: dict[str, ActWords]


class ScopeTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`scope_words.toml`: words of the user that say how far a run may go, and what they mean."""

    fill: Entries
    act: Entries
    not_after: Entries
    presses: Entries
    only_asked: Entries
    here: Entries
    not_at_all: Entries
    contrast: Entries
    quoting: Entries
    too_short: Entries
    same: Annotated[dict[str, Entries], Meta(min_length=1)]
    means: Annotated[dict[str, Entries], Meta(min_length=1)]
    folders: Annotated[dict[str, Entries], Meta(min_length=1)]

    def __post_init__(self) -> None:
        """Raises ValueError for a folder that no user has."""
        if unknown := self.folders.keys() - USUAL.keys():
            raise ValueError(f"folders: {', '.join(sorted(unknown))} is no folder of XDG")


class ObjectTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`object_words.toml`: words that say on which thing an act is ordered."""

    all: Entries
    several: Entries
    pronouns: Entries
    selected: Entries
    leaving_out: Entries
    part_of: Entries
    collections: Entries
    otherwise: Entries
    plain: Entries
    within: Entries
    towards: Entries
    giving: Entries
    at_most: Entries
    amount_fields: Entries
    media: Annotated[dict[str, Entries], Meta(min_length=1)]


class ReadableTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`readable.toml`: what is named where a text is shown to be agreed to, and what may pass as it is."""

    undrawn: Annotated[tuple[CodePoints, ...], Meta(min_length=1)]
    pass_for_signs: Annotated[tuple[CodePoints, ...], Meta(min_length=1)]
    of_our_own: Annotated[tuple[CodePoints, ...], Meta(min_length=1)]
    told_apart: Annotated[tuple[CodePoints, ...], Meta(min_length=1)]


class ProtectedKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of protected places: where it applies, the reason for people, and the paths."""

    systems: Annotated[tuple[Literal["linux", "windows"], ...], Meta(min_length=1)]
    why: str
    paths: Entries
    watch: bool = False
    programs_only: bool = False
    quiet: tuple[str, ...] = ()


class ProtectedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`protected.toml`: protected places, the names programs write beside a file before they replace it, and
    what keeps the system's own programs up to date."""

    temporary: Entries
    package_managers: Entries
    places: Annotated[dict[str, ProtectedKind], Meta(min_length=1)]


class FileDialogTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`file_dialogs.toml`: how file dialogs are told, and what their buttons do."""

    window_classes: Entries
    cancel: Entries
    open: Entries
    save_keys: Entries
    mail_programs: Entries


TableT = TypeVar("TableT", bound=msgspec.Struct)


@cache
def buttons() -> ButtonTable:
    """The words on buttons."""
    return load(resources.path(FOLDER, "buttons.toml"), ButtonTable)


@cache
def programs() -> ProgramTable:
    """The programs and windows that the policy treats in a special way."""
    return load(resources.path(FOLDER, "programs.toml"), ProgramTable)


@cache
def execution() -> ExecutionTable:
    """What tells that a text is carried out or goes to somebody."""
    return load(resources.path(FOLDER, "execution.toml"), ExecutionTable)


@cache
def confusables() -> ConfusableTable:
    """The characters that pass for others."""
    return load(resources.path(FOLDER, "confusables.toml"), ConfusableTable)


@cache
def scope_words() -> ScopeTable:
    """The words that say how far a run may go."""
    return load(resources.path(FOLDER, "scope_words.toml"), ScopeTable)


@cache
def order_words() -> OrderTable:
    """The words that tell an order from what is only spoken of."""
    return load(resources.path(FOLDER, "order_words.toml"), OrderTable)


@cache
def object_words() -> ObjectTable:
    """The words that say on which thing an act is ordered."""
    return load(resources.path(FOLDER, "object_words.toml"), ObjectTable)


@cache
def readable() -> ReadableTable:
    """The characters that are named where a text is shown to be agreed to."""
    return load(resources.path(FOLDER, "readable.toml"), ReadableTable)


def characters_of(points: Iterable[str]) -> frozenset[str]:
    """The characters of entries such as "00AD" and "200B-200F"."""
    ends = (each.partition("-") for each in points)
    return frozenset(
        chr(code) for first, _, last in ends for code in range(int(first, 16), int(last or first, 16) + 1)
    )


@cache
def protected() -> ProtectedTable:
    """The protected places of this computer."""
    return load(resources.path(FOLDER, "protected.toml"), ProtectedTable)


@cache
def file_dialogs() -> FileDialogTable:
    """How file dialogs are told."""
    return load(resources.path(FOLDER, "file_dialogs.toml"), FileDialogTable)


def check() -> int:
    """Load every table (6 ms the first time) and return how many there are. Raises ConfigError."""
    tables = (
        buttons(),
        programs(),
        execution(),
        confusables(),
        scope_words(),
        order_words(),
        object_words(),
        readable(),
        protected(),
        file_dialogs(),
    )
    return len(tables)


def load(path: Path, kind: type[TableT]) -> TableT:
    """The table in a file. Raises ConfigError for a file or an entry that is not as `kind` says."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        table = msgspec.convert(data, kind, strict=True)
    except OSError as error:
        raise _unusable(path, f"it cannot be read ({error.strerror})") from error
    except ValueError as error:  # not UTF-8, not TOML, or not as the types say
        raise _unusable(path, str(error)) from error
    if fault := next(_faults(data, ""), ""):
        raise _unusable(path, fault)
    return table


def _unusable(path: Path, words: str) -> ConfigError:
    return ConfigError(
        f"The policy's table {path} cannot be used: {words}.", "Correct that entry, or get the file again."
    )


def _faults(value: Any, where: str) -> Iterator[str]:
    """What is wrong with the entries of a table, in words: empty ones, blanks around them, repeated ones."""
    match value:
        case dict():
            for name, each in value.items():
                yield from _faults(each, f"{where}.{name}".lstrip("."))
        case str() if not value.strip():
            yield f"{where} is empty"
        case list():
            for number, entry in enumerate(value, 1):
                if not entry or entry != entry.strip():
                    yield f"{where}: entry {number} ({entry!r}) is empty or has blanks around it"
            if twice := _first_repeated(entry.casefold() for entry in value):
                yield f"{where}: {twice!r} stands there twice"


def _first_repeated(values: Iterable[str]) -> str:
    seen: set[str] = set()
    for each in values:
        if each in seen:
            return each
        seen.add(each)
    return ""
