"""The rules of the package: a class name that stands twice and the platform asked in too many files are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import package_rules


def package(folder: Path, **files: str) -> Path:
    """A package with these files; two underscores in a name stand for a folder's end."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(
    ("files", "word"),
    [
        ({"agent__one": "class Thing: ...", "ui__other": "class Thing: ..."}, "the class name Thing stands"),
        ({f"m{n}": "import sys; a = sys.platform" for n in range(9)}, "sys.platform stands in 9 files"),
        ({f"m{n}": "from sys import platform" for n in range(9)}, "sys.platform stands in 9 files"),
        ({"platforms__x11__pen": "class Pen: ...", "ui__pen": "class Pen: ..."}, "the class name Pen stands"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, files: dict[str, str], word: str) -> None:
    (problem,) = package_rules.problems(package(tmp_path, **files))
    assert word in problem


def test_what_has_a_reason_is_not(tmp_path: Path) -> None:
    files = {
        "platforms__x11__pen": "class Pen: ...",
        "platforms__windows__pen": "class Pen: ...",
        "llm__base": "class Options: ...",
        "targets__base": "class Options: ...",
        "extras__offline__words": "class Words: ...",
        "agent__words": "class Words: ...\nclass _Own: ...",
        "ui__other": "class _Own: ...",
    }
    assert not list(package_rules.problems(package(tmp_path, **files)))
