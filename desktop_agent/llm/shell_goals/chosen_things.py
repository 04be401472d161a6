"""Turns the filters of a noun phrase into what a shell chooses by: `find` for files, a pipeline for the lines of a file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import msgspec

from desktop_agent.llm.shell_goals.clause_setting import ClauseSetting
from desktop_agent.llm.shell_goals.command_slots import Known, NotMeant, Slots, quoted, quoted_text
from desktop_agent.llm.shell_goals.noun_phrases import Filters
from desktop_agent.support import resources

Values = dict[str, list[str]]


class Filter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """What a filter does: see the comments in `assets/offline/shell/filters.toml`."""

    find: str = ""
    narrow: bool = False
    folder: bool = False
    deep: bool = False
    kind: str = ""
    line: str = ""
    but: str = ""
    rank: int = 0
    from_: bool = False


@dataclass(frozen=True)
class Chosen:
    """What was chosen: `shell` prints it, a name or a line each. `rest` prints the other lines, "" where nothing does.

    `narrow`: something was said of which ones. `name` is the file of the lines.
    """

    shell: str
    narrow: bool = False
    rest: str = ""
    name: str = ""
    kind: str = "f"


@cache
def filters() -> Mapping[str, Mapping[str, Filter]]:
    """The filters by the noun phrase and their name."""
    return msgspec.convert(
        tomllib.loads(resources.text("offline", "shell", "filters.toml")), dict[str, dict[str, Filter]]
    )


def chosen(
    phrase: str, said: Filters, value: Callable[[str, str], list[str]], known: Known, setting: ClauseSetting
) -> Chosen:
    """What a reading of the noun phrase "files" or "lines" chooses. Raises NotMeant for filters that do not go together."""
    if any(name == "them" for name, _ in said):
        if not known.files or len(said) > 1:
            raise NotMeant
        return Chosen(known.files, narrow=True)
    if phrase == "files":
        return _files(said, value, setting.folder, (*setting.but, *setting.spared))
    return _lines(said, value, setting.file)


def _files(
    said: Filters, value: Callable[[str, str], list[str]], inside: str, but: tuple[str, ...]
) -> Chosen:
    """The files in the folder `inside`, where the phrase names none, without those of `but`."""
    known = [(filters()["files"][name], slots) for name, slots in said]
    folders = [slots["folder"] for each, slots in known if each.folder]
    if len(folders) > 1 or (folders and inside):
        raise NotMeant
    folder = value("folder", folders[0])[0] if folders else inside or "."
    deep = any(each.deep for each, _ in known)
    kinds = [each.kind for each, _ in known if each.kind]
    kind = kinds[0] if kinds else "f"
    words = ["find", quoted(folder), "" if kind == "f" else "-mindepth 1", "" if deep else "-maxdepth 1"]
    words += [f"-type {kind}", "! -path '*/.*'" if deep else "! -name '.*'"]
    words += [f"! -name {quoted_text(each)}" for each in but]
    tests = [_filled(each.find, slots, value) for each, slots in known if each.find]
    words += sorted(tests, key=lambda test: "-exec" in test)
    narrow = any(each.narrow for each, _ in known) or bool(but or inside)
    return Chosen(" ".join(filter(None, words)), narrow, kind=kind)


def _lines(said: Filters, value: Callable[[str, str], list[str]], name: str) -> Chosen:
    """The lines of the file `name`, where the phrase names none."""
    known = [(filters()["lines"][each], slots) for each, slots in said]
    files = [slots["name"] for each, slots in known if each.from_]
    if len(files) > 1 or not (files or name):
        raise NotMeant
    name = value("name", files[0])[0] if files else name
    steps = sorted((each for each in known if each[0].line), key=lambda each: each[0].rank)
    ranks = [each.rank for each, _ in steps if each.rank]
    if len(ranks) != len(set(ranks)):
        raise NotMeant
    made = [_filled(each.line, slots, value) for each, slots in steps] or ["cat"]
    first, *others = made
    shell = " | ".join((f"{first} < {quoted(name)}", *others))
    rest = ""
    if len(steps) == 1 and steps[0][0].but:
        rest = f"{_filled(steps[0][0].but, steps[0][1], value)} < {quoted(name)}"
    return Chosen(shell, bool(steps), rest, name)


def _filled(template: str, slots: Mapping[str, str], value: Callable[[str, str], list[str]]) -> str:
    values = {slot: value(slot, each) for slot, each in slots.items()}
    return Slots(values, Known()).fill(template)
