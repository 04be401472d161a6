"""The benchmark of settling in short: every action is measured, and nothing changes after the screen was called settled."""

from __future__ import annotations

from pathlib import Path

from benchmarks.settle import Found, played
from benchmarks.settling.pages import served
from benchmarks.settling.scenes import scenes

SHORT = ("mousepad",)


def test_nothing_changes_after_it_was_called_settled(tmp_path: Path) -> None:
    found: list[Found] = []
    with served() as address:
        chosen = [each for each in scenes(tmp_path, address) if each.name in SHORT]
        for scene in chosen:
            found += played(scene, 1)
    assert [each.kind.partition(": ")[2] for each in found] == [
        step.kind for scene in chosen for step in scene.steps
    ]
    assert [(each.kind, each.late) for each in found if each.late] == []
    assert any(each.own > 0 for each in found), "the watcher saw nothing change"
