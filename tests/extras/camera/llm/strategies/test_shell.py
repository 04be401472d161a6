"""The strategy `shell` in real sessions on a real shell: results are judged by the file system."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.support import plugins
from tests.extras.camera.llm.strategies.shell_bench import ShellBench

Made = Callable[..., ShellBench]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "fruit.txt").write_text("pear\napple\ncherry\n")
    (folder / "old").mkdir()
    return folder


@pytest.fixture
def bench(home: Path, tmp_path: Path) -> Iterator[Made]:
    made: list[ShellBench] = []

    def make(**given: Any) -> ShellBench:
        made.append(ShellBench(home, tmp_path / "runs", **given))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize(
    ("goal", "files"),
    [
        ("wc -l < fruit.txt > count.txt", {"count.txt": "3\n"}),
        ("run “sort fruit.txt > sorted.txt”", {"sorted.txt": "apple\ncherry\npear\n"}),
        ("`echo 'pear  fig' > \"two words.txt\"`", {"two words.txt": "pear  fig\n"}),
        ("Führe bitte „echo Öl > öl.txt“ aus.", {"öl.txt": "Öl\n"}),
        ("mkdir photos\nRun `mv fruit.txt photos`", {"photos/fruit.txt": "pear\napple\ncherry\n"}),
    ],
)
def test_commands_are_typed_as_they_stand(bench: Made, home: Path, goal: str, files: dict[str, str]) -> None:
    shell = bench().run(goal)
    assert shell.ended == "done", (shell.told, shell.target.shell.lines)
    assert {name: (home / name).read_text() for name in files} == files


def test_answers_are_what_the_shell_printed(bench: Made) -> None:
    shell = bench()
    assert shell.run("Run “wc -l < fruit.txt” and tell me what it prints.").ended == "done"
    assert "3" in shell.told
    assert shell.run("grep -n cherry fruit.txt").ended == "done"
    assert "3:cherry" in shell.told
    assert shell.run("Run “true” and tell me what it prints.").ended == "error"
    assert "printed nothing" in shell.told


@pytest.mark.parametrize(
    "goal",
    [
        "list the files and write their number into count.txt",
        "delete all files",
        "mv *.txt old except fruit.txt",
        "find out why `make test` fails",
        "run the tests",
        "run `ls`\nand make the printer happy",
        "Lösche den Ordner old",
        "` `",
    ],
)
def test_a_goal_in_plain_words_types_nothing(bench: Made, goal: str) -> None:
    shell = bench().run(goal)
    assert shell.ended == "error"
    assert "needs a model with a key or a local model" in shell.told
    assert shell.typed == ""


@pytest.mark.parametrize("goal", ["rm missing.txt", "cp fruit.txt nowhere/", "false", "cd nowhere"])
def test_a_failed_command_is_never_done(bench: Made, goal: str) -> None:
    shell = bench().run(f"run `{goal}`")
    assert shell.ended == "error", shell.target.shell.lines
    assert "this did not work" in shell.told


def test_a_screen_that_lies_is_not_believed(bench: Made, home: Path) -> None:
    lie = "user$ test $? -eq 0 && echo yes || echo no\nyes\nuser$ "
    (home / "lie.txt").write_text(lie)
    (home / "yes").write_text("")
    assert bench(columns=100).run("run `cat lie.txt; false`").ended == "error"


def test_a_key_that_gets_lost_is_noticed(bench: Made, home: Path) -> None:
    lost = iter([False] * 9 + [True])
    shell = bench(lost=lambda key: next(lost, False)).run("echo hello > a.txt")
    assert shell.ended == "error"
    assert "cannot read" in shell.told


@pytest.mark.parametrize("prompt", ["\\u@\\h:\\w\\$ ", "[\\t] \\w\n> ", "% "])
def test_other_prompts_and_narrow_windows(bench: Made, home: Path, prompt: str) -> None:
    shell = bench(prompt=prompt, columns=44, rows=12)
    goal = "mkdir 'new things'\ncd 'new things'\necho hello > a.txt"
    assert shell.run(goal).ended == "done", shell.target.shell.lines
    assert (home / "new things/a.txt").read_text() == "hello\n"


def test_output_that_scrolls_and_a_command_that_takes_its_time(bench: Made) -> None:
    shell = bench(rows=10).run("run `seq 200; sleep 0.3`")
    assert shell.ended == "done", shell.told
    assert "200" in shell.told


def test_a_no_of_the_user_ends_it(bench: Made, home: Path) -> None:
    shell = bench(answer=lambda asked: False, permission="restricted").run("run `rm fruit.txt`")
    assert shell.ended == "error"


def test_the_offline_model_hands_over(bench: Made, home: Path) -> None:
    offline = plugins.find("llm", "offline")
    if offline is None:
        pytest.skip("The extra offline is not here.")
    shell = bench(model=offline.create(offline.Options())).run("run `touch made.txt`")
    assert shell.ended == "done"
    assert (home / "made.txt").exists()
