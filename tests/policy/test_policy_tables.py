"""The policy's tables as files: what is refused, and who says it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from desktop_agent import cli
from desktop_agent.doctor import machine
from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.button_words import WORDS_FOR
from desktop_agent.policy.facts.policy_tables import ButtonTable, ConfusableTable, ProgramTable, load
from desktop_agent.policy.facts.programs import may_mean_terminal
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.startup.exit_code import USAGE
from desktop_agent.support import resources

LOADERS = (policy_tables.buttons, policy_tables.programs, policy_tables.confusables)


def test_every_kind_of_button_has_words() -> None:
    assert list(WORDS_FOR) == [name for name in ButtonTable.__struct_fields__ if name in WORDS_FOR]
    assert all(getattr(policy_tables.buttons(), name).anywhere for name in WORDS_FOR)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("buttons", '"submit",', '"submit", "submit",', "send.anywhere: 'submit' stands there twice"),
        ("buttons", '"submit",', '"Send",', "send.anywhere: 'send' stands there twice"),
        ("buttons", '"submit",', '"",', "send.anywhere: entry 2 ('') is empty"),
        ("buttons", '"submit",', '" submit",', "entry 2 (' submit') is empty or has blanks around it"),
        ("buttons", '"submit",', "7,", "Expected `str`, got `int` - at `$.send.anywhere"),
        ("buttons", "[send]", "[sends]", "send"),
        ("buttons", "[send]", "[send]\nsuffix = []", "unknown field `suffix` - at `$.send`"),
        ("buttons", "[send]", "[send", "line"),
        ("programs", "terminals = [", "lock_screens = [", "Cannot overwrite a value"),
        ("programs", "terminals = [", "terminals = []\nothers = [", "length >= 1 - at `$.terminals`"),
        ("confusables", '"00AD"', '"soft hyphen"', "$.invisible"),
        ("confusables", 'b = "', 'b = "с', "look_alikes: the character 'с' stands there twice"),
        ("confusables", 'm = "rn"', 'm = "r"', "$.pairs"),
        ("confusables", 'q = "ԛ"', 'q = ""', "look_alikes.q is empty"),
    ],
)
def test_a_table_that_is_not_whole_is_refused(
    name: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    kinds: dict[str, type[msgspec.Struct]] = {
        "buttons": ButtonTable,
        "programs": ProgramTable,
        "confusables": ConfusableTable,
    }
    text = resources.text("policy", f"{name}.toml")
    assert old in text
    file = tmp_path / f"{name}.toml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load(file, kinds[name])
    assert str(file) in refused.value.message and said in refused.value.message and refused.value.advice


def test_every_name_of_a_terminal_is_known_by_itself() -> None:
    table = policy_tables.programs()
    assert all(map(may_mean_terminal, (*table.terminals, *table.terminal_parts, *table.terminal_words)))


def test_a_table_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "buttons.toml", ButtonTable)


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The program with a copy of its assets in which a table has an empty entry."""
    shutil.copytree(resources.path(), tmp_path / "assets")
    file = tmp_path / "assets" / "policy" / "programs.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"xterm"', '""'), encoding="utf-8")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    for each in LOADERS:
        each.cache_clear()
    yield file
    for each in LOADERS:
        each.cache_clear()


def test_the_doctor_says_it(broken: Path) -> None:
    check = machine.policy()
    assert check.state == "broken" and check.needed and check.mend
    assert str(broken) in check.detail and "terminals: entry 1" in check.detail


def test_the_program_says_it_and_does_not_start(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--no-window", "wait 1 second"]) == USAGE
    assert f"{broken} cannot be used: terminals: entry 1" in capsys.readouterr().err
