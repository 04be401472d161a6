"""What the scenes say and how they look at a log; they themselves are played by installer/check_windows."""

from __future__ import annotations

import pytest

from desktop_agent.protocol.geometry import Rect
from installer.windows_check import doctor, scenes
from installer.windows_check.app import Run, until
from installer.windows_check.outcome import Broken
from installer.windows_check.scenarios import IN_ONE_FILE, SCENARIOS

AREA = Rect(0, 0, 1280, 800)


def test_a_text_that_differs_is_told_with_the_place() -> None:
    assert scenes._difference("abXd", "abcd") == "4 of 4 characters; from 2 on 'Xd', not 'cd'"
    assert scenes._difference("ab", "abcd") == "2 of 4 characters; from 2 on '', not 'cd'"


def test_docked_means_at_the_right_edge_and_as_high_as_the_work_area() -> None:
    assert scenes._docked(Rect(872, 8, 400, 784), AREA)
    assert not scenes._docked(Rect(860, 8, 400, 784), AREA)
    assert not scenes._docked(Rect(872, 8, 400, 700), AREA)


def test_a_run_is_what_its_log_says_by_now() -> None:
    lines = (
        {"kind": "status", "data": {"state": "executing", "detail": ""}},
        {"kind": "result", "data": {"outcome": "stopped", "detail": "ESC was pressed"}},
        {"kind": "status", "data": {"state": "stopped", "detail": "ESC was pressed"}},
    )
    run = Run("folder", lines)
    assert run.state == ("stopped", "ESC was pressed")
    assert run.results == [("stopped", "ESC was pressed")]
    assert Run("folder", ()).state == ("", "")


def test_what_does_not_come_is_told_in_words() -> None:
    with pytest.raises(Broken, match="not within 0 s: the window"):
        until(lambda: None, "the window", 0.05)


def test_the_text_to_type_is_as_mixed_as_it_says() -> None:
    assert any(ord(character) > 0xFFFF for character in scenes.MIXED)
    for part in ("ü", "Κ", "П", "你", "한", "e\u0301", "\n\n"):
        assert part in scenes.MIXED


def test_every_scenario_has_a_name_of_its_own() -> None:
    names = {name for name, _ in SCENARIOS}
    assert len(names) == len(SCENARIOS)
    assert names > IN_ONE_FILE


def test_findings_are_read_also_among_words_of_others() -> None:
    said = (
        'a warning\n{"version": "1", "checks": [{"name": "typing", "state": "ok", "detail": "all"}]}\nanother'
    )
    assert doctor.findings(said)["typing"]["state"] == "ok"
    with pytest.raises(Broken, match="the doctor said 'nothing'"):
        doctor.findings("nothing")
