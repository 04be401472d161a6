"""The parts of `./bench windows` that need no Windows: its counts, and what a build is made of."""

from __future__ import annotations

from pathlib import Path

from benchmarks.report import ROOT
from benchmarks.windows_parts import place
from benchmarks.windows_parts.desk import Killed, figures_of


def test_what_stays_held_is_counted_for_each_victim() -> None:
    kills = [
        Killed("brain", 2, 3.0, (), True),
        Killed("hand", 1, None, (16,), True),
        Killed("hand", 0, 1.0, (), True),
    ]
    assert figures_of(kills, "any") == (1, 3)
    assert figures_of(kills, "hand") == (1, 2)
    assert figures_of(kills, "brain") == (0, 1)


def test_builds_are_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    built, kept = tmp_path / "built", tmp_path / "builds" / "0123456789ab"
    (built / "onefile").mkdir(parents=True)
    (tmp_path / "builds" / "of another source").mkdir(parents=True)
    place._keep(built, kept)
    assert [each.name for each in kept.parent.iterdir()] == [kept.name]
    assert (kept / "onefile").is_dir()
    place._keep(tmp_path / "not there", kept)
    assert not kept.exists()


def test_a_build_is_known_by_all_that_it_is_made_of() -> None:
    found = {path.relative_to(ROOT) for pattern in place.MADE_OF for path in ROOT.glob(pattern)}
    names = {str(path) for path in found}
    assert {"main.py", "config.toml", "desktop_agent/__main__.py", "assets/icons/app.ico"} <= names
    assert "installer/desktop-agent.spec" in names
    assert place._digest() == place._digest()
