"""The main job on a machine with no display and no key: real applications, proved by what they did."""

from __future__ import annotations

from pathlib import Path

from tests.jobs.commands import run
from tests.jobs.pages import served


def test_a_text_is_written_and_saved(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        "Open the text editor, type Hello from desktop-agent and save it as hello.txt in the home folder",
    )
    assert ran.code == 0, ran.story
    assert (tmp_path / "hello.txt").read_text() == "Hello from desktop-agent"
    assert len(ran.of("plan")) >= 2, "the plan's current step changes while it works"
    recording = Path(ran.of("recording")[0]["path"])
    assert (recording / "events.jsonl").stat().st_size and list((recording / "frames").glob("*.jpg"))


def test_a_sum_is_worked_out_in_the_calculator(tmp_path: Path) -> None:
    ran = run(tmp_path, "Open the calculator and compute 127 + 358")
    assert ran.code == 0, ran.story
    assert "485" in ran.of("done")[0]["summary"]


def test_a_folder_is_made_in_the_file_manager(tmp_path: Path) -> None:
    ran = run(tmp_path, "Open the file manager and create a folder called Holiday pictures")
    assert ran.code == 0, ran.story
    assert (tmp_path / "Holiday pictures").is_dir()


def test_a_form_is_filled_in_and_sent(tmp_path: Path) -> None:
    with served() as site:
        ran = run(
            tmp_path,
            f"Open {site.url('/form')}, type Ada Lovelace into Name, type Paris into City, select large from Size, "
            "check Wrap as a gift and click Send order",
        )
        assert ran.code == 0, ran.story
        assert site.fields_of("/order") == [
            {"name": "Ada Lovelace", "city": "Paris", "size": "large", "gift": "yes"}
        ]


def test_what_is_not_understood_is_said_and_asked(tmp_path: Path) -> None:
    ran = run(tmp_path, "Frobnicate the quux sideways")
    assert ran.code == 4, ran.story
    assert ran.of("question") and "say it in the goal" in ran.complaints
