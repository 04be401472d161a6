"""A file of goals is read strictly: what is wrong is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.extras.fleet.goals_file import Defaults, FleetGoal, read_goals
from desktop_agent.protocol.errors import ConfigError


def read(folder: Path, text: str, **defaults: object) -> tuple[FleetGoal, ...]:
    path = folder / "goals.txt"
    path.write_text(text, encoding="utf-8")
    return read_goals(path, Defaults(**defaults))  # type: ignore[arg-type]


def test_lines_and_json_lines_may_be_mixed(tmp_path: Path) -> None:
    text = '# jobs\n\nopen the editor\r\n  {"goal": "b", "id": "B-1", "target": "container", "allow": ["app:x"]}\n'
    first, second = read(tmp_path, text, model="offline")
    assert first == FleetGoal(
        "0003-open-the-editor", "open the editor", "open the editor", "display", "offline"
    )
    assert (second.id, second.target, second.allow, second.model) == (
        "B-1",
        "container",
        ("app:x",),
        "offline",
    )


def test_the_program_is_given_what_the_goal_says(tmp_path: Path) -> None:
    (goal,) = read(tmp_path, '{"goal": "--json", "target": "-x", "project": "/p", "id": "a"}', allow=("app:y",))  # fmt: skip
    assert goal.arguments() == ("--json", "--target=-x", "--project=/p", "--allow=app:y", "--", "--json")


def test_what_an_ended_goal_shows_has_no_marked_secret_in_it(tmp_path: Path) -> None:
    (goal,) = read(tmp_path, "sign in with {{secret: hunter22}}")
    assert "hunter22" in goal.goal and "hunter22" not in goal.shown + goal.id


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n\n{", "line 3: not a goal in JSON"),
        ('{"goal": 1}', "line 1: not a goal in JSON"),
        ('{"goal": "a", "colour": 1}', "unknown field `colour`"),
        ('{"goal": " "}', "line 1: the goal is empty"),
        ('{"goal": "a", "id": "x"}\n#\n{"goal": "b", "id": "X"}', "line 3: the id X stands in line 1 already"),
        *((f'{{"goal": "a", "id": "{each}"}}', "is no id") for each in ("..", "a/b", "", "-a", "fleet", "a" * 81, "é")),
        ('{"goal": "a", "target": "local"}', "anybody's own screen"),
        ('{"goal": "a\\u0000"}', "NUL"),
        ("# nothing\n", "There is no goal"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)


def test_a_project_is_a_whole_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="whole path"):
        read(tmp_path, '{"goal": "a", "project": "p"}')


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_goals(tmp_path / "none", Defaults())
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_goals(tmp_path / "bytes", Defaults())
