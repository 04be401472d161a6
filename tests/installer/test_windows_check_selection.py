"""Which tests the Windows check runs: names that are there, and none lost or run twice."""

from __future__ import annotations

import pkgutil
from collections import Counter

from installer.windows_check import selection
from tests import systems
from tests.project_copy import ROOT


def test_what_is_named_is_there() -> None:
    named = {*selection.LEFT_OUT, *selection.KEPT, *selection.TOGETHER, *selection.WITH_MOST}
    assert sorted(name for name in named if not (ROOT / name).exists()) == []
    kept = (
        name for name in selection.KEPT if not any(selection._in(name, each) for each in selection.LEFT_OUT)
    )
    assert list(kept) == [], "they would be run anyway"


def test_parts_that_are_for_linux_alone_are_there() -> None:
    """Else their tests would run on Windows, where they fail: nothing else notices that a part has moved."""
    assert [name for name in systems.PARTS_OF_LINUX if pkgutil.resolve_name(name) is None] == []


def test_each_test_of_windows_is_run_once() -> None:
    files = {each.relative_to(ROOT).as_posix() for each in (ROOT / "tests").rglob(selection.OF_WINDOWS)}
    with_most = files - {word.removeprefix("--ignore=") for word in selection.ignored(ROOT)}
    booted = Counter(name for _, names in selection.boots(ROOT) for name in names)
    assert with_most == selection.WITH_MOST
    assert booted == Counter(files - with_most)


def test_what_can_differ_is_left_in() -> None:
    ignored = {word.removeprefix("--ignore=") for word in selection.ignored(ROOT)}
    for name in (
        "tests/hand/test_shared_block.py", "tests/startup/test_onefile.py", "tests/support/test_paths.py",
        "tests/redaction/test_sinks.py", "tests/agent/test_audit.py", "tests/test_headless.py",
    ):  # fmt: skip
        assert name not in ignored
    assert "tests/policy/test_policy.py" in ignored and "tests/extras/offline/test_grammar.py" in ignored


def test_a_folder_is_left_out_whole_where_nothing_of_it_is_kept() -> None:
    ignored = {word.removeprefix("--ignore=") for word in selection.ignored(ROOT)}
    assert "tests/extras/camera" in ignored, "its endpoint/conftest.py asks for a module of Linux"
    assert not {"tests/agent", "tests/llm", "tests/setup"} & ignored
