"""Single settings are written, and everything else of the file stays."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.startup.settings_file import with_values, write_settings

SHIPPED = (Path(__file__).parents[2] / "config.toml").read_text(encoding="utf-8")
CHANGES: dict[str, Any] = {
    "agent.model": "offline",
    "agent.max_steps": 5,
    "notes.enabled": False,
    "privacy.regions": [[1, 2, 3, 4]],
    "scope.deny": [{"window": "*Bank*"}],
    "llm.compatible.base_url": "http://127.0.0.1:1/v1",
    "llm.my model.name": 'of "quotes"',
}


def value_of(text: str, name: str) -> Any:
    found: Any = tomllib.loads(text)
    for part in name.split(".", 2 if name.startswith("llm") else 1):
        found = found[part]
    return found


def test_values_are_set_and_comments_stay() -> None:
    text = with_values(SHIPPED, CHANGES)
    assert {name: value_of(text, name) for name in CHANGES} == CHANGES
    there = iter(text.splitlines())
    assert all(line in there for line in SHIPPED.splitlines())  # in this order


def test_a_value_stands_after_the_line_of_its_default() -> None:
    lines = with_values(SHIPPED, {"agent.step": "plan"}).splitlines()
    assert lines[lines.index('step = "plan"') - 1].startswith("# step =")


def test_taking_out_brings_the_file_back() -> None:
    text = with_values(SHIPPED, {"agent.model": "offline", "notes.folder": "/tmp/notes"})
    assert with_values(text, {"agent.model": None, "notes.folder": None}) == SHIPPED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing but this",
        'agent.model = "old"  # mine',
        'agent = { model = "old" }  # mine',
        '[agent]\nmodel = "old"  # mine',
        "[agent]  # mine\nenvironments = [\n  'a',  # one\n]  # end\n[hand]",
        "[ 'agent' ]\n# model = 'x'  # mine",
    ],
)
def test_every_form_of_a_table_is_understood(text: str) -> None:
    changed = with_values(text, {"agent.model": "new"})
    assert value_of(changed, "agent.model") == "new"
    for comment in ("# nothing but this", "# mine", "# one", "# end"):
        assert (comment in changed) == (comment in text)


def test_a_list_over_several_lines_is_no_table() -> None:
    text = "[privacy]\nregions = [\n  [0, 0, 10, 10],  # the clock\n]\n[notes]\n"
    changed = with_values(text, {"privacy.windows": ["*Bank*"], "notes.enabled": False})
    assert value_of(changed, "privacy.regions") == [[0, 0, 10, 10]] and "# the clock" in changed
    assert value_of(changed, "privacy.windows") == ["*Bank*"] and value_of(changed, "notes.enabled") is False


def test_a_broken_file_is_not_touched() -> None:
    with pytest.raises(ConfigError, match="line 1"):
        with_values("[agent", {"agent.model": "new"})


@pytest.mark.linux("under Wine it was no link afterwards; not tried on Windows")
def test_a_link_stays_one(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "config.toml"
    real.write_text("")
    link.symlink_to(real)
    write_settings(link, "# new")
    assert link.is_symlink() and real.read_text() == "# new"


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        write_settings(tmp_path / "file" / "config.toml", "")
