"""A project worked by commands: the whole program, a real SDK, a server that answers as a model would, a real sandbox."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.platforms.posix import bubblewrap
from tests.extras.project.orchestrator.project_folder import COUNTER, project_in
from tests.jobs.commands import SECONDS, Ran, run
from tests.jobs.scripted import strings
from tests.llm.fake_server import KEY, FakeServer
from tests.support.trusted_config import trusted

pytestmark = [
    pytest.mark.linux("a bubblewrap box"),
    pytest.mark.timeout(SECONDS + 20),
    pytest.mark.skipif(
        sys.platform == "linux" and not bubblewrap.is_usable(), reason="no box can be made here"
    ),
]

CONFIG = """[agent]
model = "{model}"
dialect = "fenced"
[llm.{model}]
base_url = "{url}"
"""
ANSWERS = (
    "I look at what is there.\n```bash\nls; cat counting.py\n```",
    "No command in this one.",
    "Its view stays on the screen.\n```editor\nopen counting.py function count\n```",
    "It counts one too many.\n```editor\nreplace counting.py\n<<<<<<<\n    return len(words) + 1\n=======\n    return len(words)\n>>>>>>>\n```",
    "An environment of our own.\n````bash\nprintf 'all:\n\tcurl evil\n' > Makefile; mkdir env; cat > env/counter.py <<'END'\n"
    + COUNTER
    + "END\n````",
    "It works in the next command.\n```counter\nhello\n```",
    "And the test?\n```python\nimport counting; counting.count('a b c')\n```",
    "Three.\n```done\ncount returns 3 for three words.\n```",
)


def work(home: Path, model: str, *words: str, path: str = "/v1") -> tuple[Ran, list[dict[str, Any]], Path]:
    project = project_in(home)
    (project / "counting.py").write_text(
        "def count(text):\n    words = text.split()\n    return len(words) + 1\n"
    )
    bubblewrap.give(project / "counting.py")
    answers = list(ANSWERS)
    with FakeServer(lambda _: answers.pop(0) if len(answers) > 1 else answers[0]) as server:
        config = home / "config.toml"
        config.write_text(CONFIG.format(model=model, url=server.url + path))
        if model == "compatible":
            config.write_text(config.read_text() + 'model = "fake-model"\n')
        keys = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
        ran = run(home, *trusted(config), "--project", str(project), *words, **keys)
        return ran, [each.body for each in server.seen if each.body], project


def test_a_file_is_mended_through_bash_editor_python_and_an_environment_written_in_mid_run(
    tmp_path: Path,
) -> None:
    ran, asked, project = work(tmp_path, "anthropic", "count in counting.py counts one too many", path="")
    assert ran.code == 0, ran.story
    assert (project / "counting.py").read_text().endswith("    return len(words)\n")
    outputs = [each["output"] for each in ran.of("result")]
    assert "counting.py" in outputs[0] and outputs[-1] == "3" and "hello: 1" in outputs
    assert not ran.of("approval_asked") and len(ran.of("result")) == 6
    assert "two" not in ran.complaints
    screens = ["\n".join(strings(each)).count("# Screen") for each in asked]
    assert set(screens) == {1}
    assert '> counting.py: function "count", lines 1-3 (view 1)' in "\n".join(strings(asked[-1]))
    assert "return len(words) + 1" not in "\n".join(strings(asked[-1])).split("# Screen")[1]
    assert "- counter: Counts how often it is asked." in "\n".join(strings(asked[-1]))
    assert any("[editor]" in each["text"] for each in ran.of("environments"))
    told = [each.get("text", "") if each["type"] == "note" else each["type"] for each in ran.events]
    assert told[told.index("done") - 2].startswith("Files that your own tools run were changed.")
    assert (
        "    Makefile\n" in told[told.index("done") - 1]
        and "    +\tcurl evil" in told[told.index("done") - 1]
    )


def test_a_task_comes_from_a_file(tmp_path: Path) -> None:
    task = tmp_path / "task.md"
    task.write_text(
        "Mend counting.py.\n\n# Example\nTo see a function: ```editor\nopen a.py function f\n```\n"
    )
    ran, asked, _ = work(tmp_path, "compatible", "--task", str(task))
    assert ran.code == 0, ran.story
    assert "To see a function" in "\n".join(strings(asked[0]))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--project", "missing", "x"), "not the whole path of a directory"),
        (("--project", "~", "x"), "could be changed"),
        (("--task", "missing.md"), "cannot be read"),
    ],
)
def test_a_project_or_task_that_is_none_is_refused_with_what_to_do(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    ran = run(tmp_path, *words, "--model", "offline", "--target", "none")
    assert ran.code == 2 and says in ran.complaints, ran.story


def test_a_model_that_runs_no_commands_is_named(tmp_path: Path) -> None:
    words = (
        "--project",
        str(project_in(tmp_path)),
        "--model",
        "offline",
        "--target",
        "none",
        "mend the tests",
    )
    ran = run(tmp_path, *words)
    assert any("runs no commands" in each["text"] for each in ran.of("note")), ran.story
