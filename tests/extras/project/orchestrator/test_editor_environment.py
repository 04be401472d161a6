"""The environment keeps the contract: a docstring, `run` and `screen`, in the project's folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from desktop_agent.extras.project.orchestrator.environments import editor
from tests.extras.project.orchestrator.editing_desk import HELLO_C, need_grammar

_ROOT = Path(__file__).resolve().parents[4]
_DRIVER = """\
import sys
sys.path.insert(0, sys.argv[1])
from desktop_agent.extras.project.orchestrator.environments import editor
for command in sys.argv[2:]:
    try:
        print(editor.run(command))
    except ValueError as refusal:
        print("refused:", refusal)
print(editor.screen())
"""


def _driven(folder: Path, *commands: str, flags: tuple[str, ...] = ()) -> str:
    """What a process in this folder prints for these commands and the screen at the end."""
    arguments = [sys.executable, *flags, "-c", _DRIVER, str(_ROOT), *commands]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, check=True, timeout=60)
    assert done.stderr == b""
    return done.stdout.decode().replace("\r\n", "\n")


def test_the_docstring_tells_every_command() -> None:
    told = editor.__doc__ or ""
    for word in (
        "open",
        "goto_definition",
        "search",
        "scroll",
        "close",
        "create",
        "insert",
        "replace",
        "undo",
    ):
        assert f"\n{word} " in told


def test_the_seeds_example_in_a_process_of_its_own(tmp_path: Path) -> None:
    need_grammar("tree_sitter_c")
    (tmp_path / "hello.c").write_bytes(HELLO_C.encode())
    assert _driven(tmp_path, "goto_definition main") == (
        'Viewing function "main" of hello.c, lines 4-6 (view 1).\n'
        '> hello.c: function "main", lines 4-6 (view 1)\n'
        'void main() {\n  printf("Hello world\\n");\n}\n\n'
    )


def test_without_tree_sitter_only_definitions_of_other_languages_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_bytes(HELLO_C.encode())
    (tmp_path / "a.py").write_text("def f():\n    pass\n")
    said = _driven(
        tmp_path,
        *["open hello.c function main", "goto_definition main", "replace hello.c function main\nx"],
        *["open a.py function f", "open hello.c 4-4", "search printf *.c", "replace hello.c 3-3\n// says"],
        flags=("-S", "-I"),
    ).split("\n")
    needs = "functions and classes of C need tree_sitter and tree_sitter_c, not installed here"
    instead = "open the whole file, lines of it or a search in it instead"
    assert said[:7] == [
        f"refused: {needs}; {instead}",
        f"refused: main is not defined in the project; not looked at: hello.c ({needs})",
        f"refused: {needs}; {instead}",
        'Viewing function "f" of a.py, lines 1-2 (view 1).',
        "Viewing hello.c, line 4 (view 2).",
        '1 line of *.c with "printf":',
        'hello.c:5: printf("Hello world\\n");',
    ]
    assert said[7] == "Replaced line 3 of hello.c."
    assert "void main() {" in said


def test_nothing_of_the_agent_is_imported(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); "
        "from desktop_agent.extras.project.orchestrator.environments import editor; "
        "editor.run('create a.py\\nx = 1'); editor.run('open a.py'); editor.screen(); "
        "print(*sorted(n for n in sys.modules if n.startswith('desktop_agent.')), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-I", "-c", code, str(_ROOT)],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=60,
    )
    names = done.stdout.decode().split()
    assert names
    package = "desktop_agent.extras.project.orchestrator"
    assert all(f"{name}.".startswith(f"{package}.") or package.startswith(f"{name}.") for name in names)
