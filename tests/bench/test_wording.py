"""The short form of `./bench wording`: the wordings are what they should be, each outcome can come about, one run is played."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks import wording as bench
from benchmarks.report import BenchmarkError
from benchmarks.wording_parts.aftermath import Aftermath, OpenWindow, RunEnd, files_in, run_end
from benchmarks.wording_parts.form_site import FormSite
from benchmarks.wording_parts.playing import PlayedWording, play_wording, without_words
from benchmarks.wording_parts.spoken_jobs import (
    IMPOSSIBLE,
    KINDS,
    Posted,
    SpokenJob,
    WantedEffects,
    Wording,
    spoken_jobs,
    wordings,
)
from benchmarks.wording_parts.verdict import judge

EDITOR = OpenWindow("Untitled 1 - Mousepad", "Mousepad", 11, 600, 400)
CALCULATOR = OpenWindow("galculator", "galculator", 12, 300, 300)
BEFORE = Aftermath({"Documents/": "", "Documents/old.txt": "old\n"}, (EDITOR, CALCULATOR))
DONE, ASKED, CANNOT, ERROR = (RunEnd(how, "so") for how in ("done", "asked", "cannot", "error"))
FORM = Posted("/form/sent", {"name": "Ann", "kind": "a"})
AT_FIRST = {"name": "", "kind": "a"}


def wording(kind: str = "short", page: str = "", **wanted: object) -> Wording:
    effects = msgspec.convert(wanted, WantedEffects)
    return Wording(SpokenJob(effects, dict.fromkeys(KINDS, "do it"), page=page, name="a job"), kind)


def after(**changed: object) -> Aftermath:
    return msgspec.structs.replace(BEFORE, **changed)


def with_file(name: str, text: str) -> Aftermath:
    return after(files={**BEFORE.files, name: text})


# ---- the wordings ----------------------------------------------------------------------------


def test_there_are_enough_jobs_in_eight_wordings_each_and_none_twice() -> None:
    found = wordings()
    assert len(spoken_jobs()) >= 25
    assert len(found) == 8 * len(spoken_jobs()) == len({each.words for each in found})
    assert len({each.job.name for each in found}) == len(spoken_jobs())
    assert all(each.words.strip() for each in found)


def test_every_job_asks_for_an_effect_that_is_not_there_before() -> None:
    for job in spoken_jobs():
        before = Aftermath(job.files, (CALCULATOR, EDITOR))
        assert judge(Wording(job, "short"), before, before, RunEnd("done")).outcome == "false done", job.name


def test_a_job_expects_what_the_forms_of_its_page_really_send() -> None:
    site = FormSite(1)
    for job in spoken_jobs():
        page = (site.get(job.page) or b"").decode() if job.page else ""
        assert bool(page) == bool(job.page), job.name
        for sent in job.wanted.sent:
            assert f'action="{sent.path}" method="{sent.method.lower()}"' in page
            assert all(f'name="{name}"' in page for name in sent.fields)
        assert all(site.get(path) for path in job.wanted.visits)


def test_half_is_set_aside_by_job_and_by_wording() -> None:
    found = wordings()
    assert 0.45 < sum(each.aside for each in found) / len(found) < 0.55
    times = Counter(each.job.name for each in found if each.aside)
    assert 5 <= sum(count == len(KINDS) for count in times.values()) <= len(spoken_jobs()) / 2
    assert sum(0 < count < len(KINDS) for count in times.values()) >= len(spoken_jobs()) / 2
    kinds = Counter(each.kind for each in found if each.aside)
    assert all(0.35 < kinds[kind] / len(spoken_jobs()) < 0.65 for kind in KINDS)


def test_the_short_form_has_every_kind_and_both_halves() -> None:
    drawn = bench.sample(wordings(), bench.QUICK)
    assert len({str(each) for each in drawn}) == bench.QUICK
    assert {each.kind for each in drawn} == set(KINDS)
    assert {each.aside for each in drawn} == {True, False}


def test_a_file_that_says_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "jobs.toml").write_text("[one]\nwanted = {}\nwords = {}\nwnated = 1\n")
    with pytest.raises(BenchmarkError, match="wnated"):
        spoken_jobs(tmp_path)
    (tmp_path / "jobs.toml").write_text('[one]\nwanted = {}\nwords = { short = "x" }\n')
    with pytest.raises(BenchmarkError, match="one: its wordings"):
        spoken_jobs(tmp_path)


# ---- the judging -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "end", "outcome"),
    [
        (with_file("Documents/new.txt", "text\n"), DONE, "right"),
        (with_file("Documents/new.txt", "texd"), DONE, "false done"),
        (BEFORE, DONE, "false done"),
        (BEFORE, ASKED, "asked"),
        (BEFORE, CANNOT, "asked"),
        (BEFORE, ERROR, "failed"),
        (with_file("Documents/new.txt", "te"), ERROR, "failed"),
        (with_file("Documents/other.txt", "text"), DONE, "wrong effect"),
        (with_file("Documents/old.txt", "text"), ASKED, "wrong effect"),
        (after(files={"Documents/": ""}), ERROR, "wrong effect"),
        (after(windows=(EDITOR,)), ASKED, "wrong effect"),
    ],
)
def test_a_run_is_judged_by_the_files(now: Aftermath, end: RunEnd, outcome: str) -> None:
    assert judge(wording(files={"Documents/new.txt": "text"}), BEFORE, now, end).outcome == outcome


def test_what_shall_go_must_go_and_nothing_else_may() -> None:
    gone = wording(gone=["Documents/old.txt"])
    assert judge(gone, BEFORE, after(files={"Documents/": ""}), DONE).outcome == "right"
    assert judge(gone, BEFORE, BEFORE, DONE).outcome == "false done"
    assert judge(gone, BEFORE, after(files={}), DONE).outcome == "wrong effect"


def test_what_was_done_and_not_seen_is_asked_and_told_apart() -> None:
    complete = with_file("Documents/new.txt", "text")
    job: dict[str, Any] = {"files": {"Documents/new.txt": "text"}}
    assert judge(wording(**job), BEFORE, complete, ASKED).unseen
    assert not judge(wording(**job), BEFORE, BEFORE, ASKED).unseen
    assert not judge(wording(IMPOSSIBLE, **job), BEFORE, complete, ASKED).unseen


@pytest.mark.parametrize(
    ("end", "outcome"), [(DONE, "false done"), (ASKED, "asked"), (CANNOT, "asked"), (ERROR, "failed")]
)
def test_what_cannot_be_done_is_to_be_asked_about(end: RunEnd, outcome: str) -> None:
    job = wording(IMPOSSIBLE, files={"Documents/new.txt": "text"})
    assert judge(job, BEFORE, with_file("Documents/new.txt", "text"), end).outcome == outcome
    assert judge(job, BEFORE, with_file("Documents/other.txt", ""), end).outcome == "wrong effect"


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ("It is 219 euros.", "right"),
        ("219", "right"),
        ("It is 2190.", "false done"),
        ("It is 1.219 or so", "false done"),
        ("219 or 300", "false done"),
        ("Done.", "false done"),
    ],
)
def test_what_shall_be_told_stands_in_the_last_words(told: str, outcome: str) -> None:
    job = wording(told=["219"], not_told=["300"])
    assert judge(job, BEFORE, BEFORE, RunEnd("done", told)).outcome == outcome


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        ({"sent": (FORM,)}, "right"),
        ({"sent": (FORM, FORM)}, "wrong effect"),
        ({"sent": (Posted("/form/sent", {"name": "Ann", "kind": "b"}),)}, "wrong effect"),
        ({"sent": (FORM, Posted("/form/deleted"))}, "wrong effect"),
        ({"sent": (FORM,), "visits": ("/form", "/form/help")}, "wrong effect"),
        ({"visits": ("/form",)}, "false done"),
        ({"forms": (AT_FIRST, AT_FIRST | {"name": "An"})}, "false done"),
        ({"forms": (AT_FIRST, AT_FIRST | {"name": "Bo"})}, "wrong effect"),
        ({"forms": (AT_FIRST, AT_FIRST | {"more": "on"})}, "wrong effect"),
    ],
)
def test_a_run_is_judged_by_what_the_site_got(seen: dict[str, object], outcome: str) -> None:
    assert judge(wording(page="/form", sent=[FORM]), BEFORE, after(**seen), DONE).outcome == outcome


def test_a_search_may_be_sent_twice_and_a_page_is_to_be_visited() -> None:
    search = Posted("/found", {"q": "x"}, "GET")
    assert judge(wording(sent=[search]), BEFORE, after(sent=(search, search)), DONE).outcome == "right"
    link = wording(page="/", visits=["/terms"], window="Terms")
    terms = OpenWindow("Terms - Chromium", "Chromium", 13, 900, 700)
    there = after(visits=("/", "/terms"), windows=(*BEFORE.windows, terms))
    assert judge(link, BEFORE, there, DONE).outcome == "right"
    assert judge(link, BEFORE, after(visits=("/",)), DONE).outcome == "false done"


def test_a_run_is_judged_by_the_windows() -> None:
    whole = msgspec.structs.replace(EDITOR, width=1280, height=780)
    closed, front, large = wording(closed="galc"), wording(front="galc"), wording(maximised="Mousepad")
    assert judge(closed, BEFORE, after(windows=(EDITOR,)), DONE).outcome == "right"
    assert judge(closed, BEFORE, after(windows=(CALCULATOR,)), ASKED).outcome == "wrong effect"
    assert judge(front, BEFORE, after(windows=(CALCULATOR, EDITOR)), DONE).outcome == "right"
    assert judge(large, BEFORE, after(windows=(whole, CALCULATOR)), DONE).outcome == "right"
    assert {judge(each, BEFORE, BEFORE, DONE).outcome for each in (closed, front, large)} == {"false done"}


def test_a_text_that_is_left_changed_in_the_editor_was_not_asked_for() -> None:
    changed = msgspec.structs.replace(EDITOR, title="*Untitled 1 - Mousepad")
    left = after(windows=(changed, CALCULATOR))
    assert judge(wording(told=["1"]), BEFORE, left, ASKED).outcome == "wrong effect"
    assert judge(wording(files={"a.txt": "x"}), BEFORE, left, ASKED).outcome == "asked"


def test_other_commands_than_those_that_were_said_were_not_asked_for() -> None:
    job = wording(told=["so"], commands=["date"])
    assert judge(job, BEFORE, after(commands=("date",)), DONE).outcome == "right"
    assert judge(job, BEFORE, after(commands=("date", "rm x")), DONE).outcome == "wrong effect"
    assert judge(wording(told=["so"]), BEFORE, after(commands=("pwd",)), DONE).outcome == "right"


def test_every_file_is_seen_but_what_programs_keep(tmp_path: Path) -> None:
    for name in (
        "Documents/a.txt",
        ".bashrc",
        ".cache/x/y",
        ".config/p/q",
        ".config/autostart/z",
        ".local/share/r",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert set(files_in(tmp_path)) == {
        "Documents/",
        "Documents/a.txt",
        ".bashrc",
        ".config/autostart/z",
        "link",
    }


def test_the_last_end_counts_and_none_is_an_error() -> None:
    failed = {"type": "error", "message": "no", "advice": "Raise --timeout."}
    own = failed | {"advice": "Change the goal, or do that part yourself."}
    question = {"type": "question", "text": "which?"}
    waiting = {"type": "status", "state": "waiting_for_user", "detail": "which?"}
    assert run_end([question, waiting]) == RunEnd("asked", "which?")
    assert run_end([question, {"type": "done", "summary": "5"}]) == RunEnd("done", "5")
    assert run_end([failed]).how == "error"
    assert run_end([own]).how == "cannot"
    assert run_end([]).how == "error"


def test_the_site_keeps_apart_visits_forms_and_fields() -> None:
    site = FormSite(1)
    assert b"Town library" in (site.get("/library") or b"")
    assert site.get("/nowhere") is None
    site.get("/library/found?q=two+bees")
    site.post("/state", "q=two")
    site.post("/contact/sent", "name=Ann&message=")
    assert site.visits == ("/library", "/nowhere")
    assert site.sent == (
        Posted("/library/found", {"q": "two bees"}, "GET"),
        Posted("/contact/sent", {"name": "Ann", "message": ""}),
    )
    assert site.forms == ({"q": "two"},)


# ---- the figures -----------------------------------------------------------------------------


def test_the_halves_are_reported_apart_and_the_words_of_one_stay_hidden() -> None:
    row = PlayedWording("a job", "short", False, "worked words", "right")
    rows = [
        row,
        msgspec.structs.replace(row, outcome="wrong effect", why="worked why"),
        msgspec.structs.replace(row, kind=IMPOSSIBLE, outcome="asked"),
        without_words(PlayedWording("b", "short", True, "secret", "false done", "secret", told="secret")),
        without_words(PlayedWording("b", IMPOSSIBLE, True, "secret", "failed", "secret", kept="secret")),
        msgspec.structs.replace(row, outcome="failed", trouble="no window"),
    ]
    report = bench.found(rows)
    value = {each.figure: (each.p50, each.n, each.met) for each in report.figures}
    assert value["right, worked half"] == (0.5, 2, False)
    assert value["wrong effect, worked half"] == (1, 3, False)
    assert value["asked where a part cannot be done, worked half"] == (1.0, 1, True)
    assert value["false done, set aside"] == (1, 2, False)
    assert value["asked where a part cannot be done, set aside"] == (0.0, 1, False)
    assert "secret" not in str(report)
    assert "worked why" in str(report)
    with pytest.raises(BenchmarkError, match="no window"):
        bench.found(rows[-1:])


# ---- for real --------------------------------------------------------------------------------


def test_a_wording_is_really_played() -> None:
    """A job with an effect at a page, in words that leave nothing open: something is done, and judged by its effect."""
    chosen = next(each for each in wordings() if str(each) == "order-postponed: short")
    played = play_wording(chosen, reveal=True)
    assert (played.outcome, played.trouble) == ("right", ""), f"{played.why} {played.told} {played.kept}"
