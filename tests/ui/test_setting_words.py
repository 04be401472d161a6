"""Every setting has words in every language, none is left over, and its type says what may be entered."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest

from desktop_agent.protocol.errors import Refused
from desktop_agent.support import plugins
from desktop_agent.support.config import TABLES, Config
from desktop_agent.support.hotkey import hotkey_conflict, parse_hotkey
from desktop_agent.support.language import use_language
from desktop_agent.ui.settings.options.option_types import bounds_words, fault, options_of
from desktop_agent.ui.settings.options.setting_catalog import Setting, config_settings, setting_of
from desktop_agent.ui.settings.options.setting_words import SettingWords, setting_words


def names_within(setting: Setting) -> set[str]:
    return {setting.name}.union(*map(names_within, setting.parts()))


def shipped() -> set[str]:
    """The dotted names of all settings of this program, and of their parts."""
    found = set().union(*map(names_within, config_settings()))
    for family in TABLES:
        for each in plugins.built_in(family):
            assert each.module is not None
            for option in options_of(each.module.Options, f"{family}.{each.name}"):
                found |= names_within(setting_of(option))
    return found


def test_every_setting_of_config_toml_has_words() -> None:
    tables = {
        each.name for each in msgspec.structs.fields(Config) if isinstance(each.default, msgspec.Struct)
    }
    settings = config_settings()
    assert {each.name.partition(".")[0] for each in settings} == tables
    assert [each.name for each in settings if each.name not in setting_words().setting] == []


def test_no_words_are_left_over() -> None:
    known = shipped()
    anywhere = {f"{name.split('.')[0]}.*.{name.split('.', 2)[2]}" for name in known if name.count(".") > 1}
    assert sorted(set(setting_words().setting) - known - anywhere) == []
    there = {f"{family}.{each.name}" for family in TABLES for each in plugins.built_in(family)}
    assert sorted(set(setting_words().plugin) - there) == []


def test_every_setting_is_in_a_section_there_is_and_names_what_can_be_chosen() -> None:
    words = setting_words()
    assert {each.section for each in words.setting.values()} <= set(words.section)
    for each in words.setting.values():
        assert set(each.values) == set(each.de.values) and bool(each.help) == bool(each.de.help)
        assert bool(each.unit) == bool(each.de.unit)
    for setting in config_settings():
        if setting.option.kind == "choice":
            assert set(setting.words.values) == set(setting.option.values), setting.name


def test_a_word_too_many_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `colour`"):
        msgspec.toml.decode(
            '[section]\n[plugin]\n[setting."a.b"]\nsection="x"\nlabel=""\nhelp=""\ncolour=1\nde={label="",help=""}',
            type=SettingWords,
        )


def test_the_words_follow_the_language() -> None:
    use_language("de")
    try:
        labels = {each.name: each.words.label for each in config_settings()}
    finally:
        use_language("en")
    assert labels["agent.max_steps"] == "Schritte"


class Entry(msgspec.Struct, frozen=True):
    name: Annotated[str, msgspec.Meta(min_length=1)]


class Every(msgspec.Struct, frozen=True):
    """One of each kind."""

    switch: bool = True
    maybe: bool | None = None
    choice: Literal["a", "b"] = "a"
    count: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 5
    share: Annotated[float, msgspec.Meta(gt=0)] = 0.5
    text: str = ""
    names: tuple[Annotated[str, msgspec.Meta(min_length=1)], ...] = ()
    entries: tuple[Entry, ...] = ()
    whole: Entry | None = None
    places: tuple[tuple[int, int, int, int], ...] = ()
    odd: dict[str, int] = {}


def test_each_type_has_its_kind_and_its_bounds_in_words() -> None:
    options = {each.key: each for each in options_of(Every, "x")}
    kinds = [each.kind for each in options.values()]
    assert kinds == [
        "switch",
        "switch",
        "choice",
        "number",
        "number",
        "text",
        "list",
        "table",
        "group",
        "regions",
        "other",
    ]
    assert options["maybe"].optional and not options["switch"].optional
    assert bounds_words(options["count"]) == "A whole number from 1 to 10\u202f000"
    assert bounds_words(options["share"]) == "A number above 0"
    assert fault(options["count"], 0) == "A whole number from 1 to 10\u202f000."
    assert fault(options["names"], ["a", ""]) == "Entry 2: it must not be empty."
    assert fault(options["entries"], [{}]) == "Entry 1: name is missing."
    assert fault(options["names"], ["a"]) == ""


@pytest.mark.parametrize(
    ("text", "title"),
    [("ctrl+alt+enter", "Ctrl+Alt+Enter"), ("alt+CTRL+Up", "Ctrl+Alt+Up"), ("shift+f5", "Shift+F5")],
)
def test_what_can_be_a_shortcut(text: str, title: str) -> None:
    assert parse_hotkey(text).title == title


@pytest.mark.parametrize(
    "text",
    [
        "ctrl+c",
        "a",
        "esc",
        "ctrl+alt+esc",
        "ctrl+alt+delete",
        "f5",
        "ctrl+alt+ß",
        "ctrl",
        "altgr+k",
        "alt+f4",
    ],
)
def test_what_cannot_be_a_shortcut(text: str) -> None:
    with pytest.raises(Refused):
        parse_hotkey(text)


def test_two_meanings_cannot_share_a_shortcut() -> None:
    assert hotkey_conflict({"approve": "ctrl+alt+k", "skip": "alt+ctrl+K"}) == ("approve", "skip")
    assert hotkey_conflict({"approve": "", "skip": ""}) is None
