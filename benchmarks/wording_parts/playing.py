"""Plays one wording for real: a home folder and a display of its own, applications that are open, one run of the program."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from benchmarks.everyday.work import desk_at, furnish, keep, let_work
from benchmarks.report import ROOT, BenchmarkError
from benchmarks.wording_parts.aftermath import SHELL_SETTINGS, Aftermath, RunEnd, aftermath, run_end
from benchmarks.wording_parts.form_site import FormSite, form_site
from benchmarks.wording_parts.spoken_jobs import SpokenJob, Wording
from benchmarks.wording_parts.verdict import Judged, judge, missing
from desktop_agent.protocol.errors import DesktopAgentError
from tests.support.private_desk import Desk
from tests.support.waiting import until

SECONDS = 60.0
"""What a run has."""
KEPT = ROOT / "bench-results" / "wording"
"""Where logs and pictures of runs stay that did not go right, unless they are set aside."""
_WINDOW_SECONDS, _ARRIVAL_SECONDS = 30.0, 3.0
_TRIES = 2
_BROWSER = ("chromium", "--window-size=900,760", "--window-position=0,0")


class PlayedWording(msgspec.Struct, frozen=True):
    """A run as a row. `trouble`: it could not be played, and does not count. `kept` is the folder with its log."""

    job: str
    kind: str
    aside: bool
    words: str
    outcome: str
    why: str = ""
    unseen: bool = False
    told: str = ""
    seconds: float = 0.0
    kept: str = ""
    trouble: str = ""


def play_wording(wording: Wording, *, reveal: bool = False) -> PlayedWording:
    """Play it, and once more when its applications do not come up. What is set aside is told apart with `reveal` only."""
    for left in reversed(range(_TRIES)):
        try:
            played = _played(wording, evidence=reveal or not wording.aside)
            break
        except (BenchmarkError, DesktopAgentError, OSError) as error:
            if not left:
                why = f"{type(error).__name__}: {error}"
                played = _row(wording, Judged("failed"), trouble=why)
    return played if reveal else without_words(played)


def without_words(played: PlayedWording) -> PlayedWording:
    """The row as it may be shown: of what is set aside, nothing that lets its words be guessed."""
    if not played.aside:
        return played
    return msgspec.structs.replace(played, words="", why="", told="", kept="")


def _played(wording: Wording, *, evidence: bool) -> PlayedWording:
    with tempfile.TemporaryDirectory(prefix="wording-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        furnish(home, {**SHELL_SETTINGS, **wording.job.files})
        with form_site() as site, desk_at(home) as target:
            _open_all(wording.job, home, site, Desk(target))
            before = aftermath(home, target, site)
            _check_start(wording.job, before)
            events, seconds = let_work(wording.words, target, SECONDS)
            end = run_end(events)
            after = _settled(
                lambda: aftermath(home, target, site), lambda now: not missing(wording.job.wanted, now, end)
            )
            judged = judge(wording, before, after, end)
            kept = (
                ""
                if judged.outcome == "right" or not evidence
                else str(keep(_folder(wording), home, target, events))
            )
    return _row(wording, judged, told=end.told, seconds=round(seconds, 1), kept=kept)


def _row(wording: Wording, judged: Judged, **more: str | float) -> PlayedWording:
    return PlayedWording(
        wording.job.name, wording.kind, wording.aside, wording.words, judged.outcome, judged.why, judged.unseen, **more  # type: ignore[arg-type]
    )  # fmt: skip


def _folder(wording: Wording) -> Path:
    return KEPT / f"{wording.job.name}-{wording.kind}"


def _settled(look: Callable[[], Aftermath], complete: Callable[[Aftermath], bool]) -> Aftermath:
    """What is there as soon as it is complete, or when no more is to be expected: a form may still be on its way."""
    deadline = time.monotonic() + _ARRIVAL_SECONDS
    now = look()
    while not complete(now) and time.monotonic() < deadline:
        time.sleep(0.2)
        now = look()
    return now


# ---- what is open before ---------------------------------------------------------------------


def _open_all(job: SpokenJob, home: Path, site: FormSite, desk: Desk) -> None:
    """The page and the programs of the job, one after the other; the last one is in front."""
    if job.page:
        _open(desk, [*_BROWSER, site.url + job.page])
        until(lambda: _page_is_up(desk), "the page in a window", _WINDOW_SECONDS)
    for argv in job.start:
        # a terminal begins in the home folder, as one that was opened from a menu
        _open(desk, ["env", "-C", str(home), *(word.replace("{home}", str(home)) for word in argv)])


def _open(desk: Desk, argv: Sequence[str]) -> None:
    before = len(_on_screen(desk))
    desk.launch(*argv)
    until(lambda: len(_on_screen(desk)) > before, f"a window of {argv}", _WINDOW_SECONDS)


def _check_start(job: SpokenJob, before: Aftermath) -> None:
    """Raises BenchmarkError when what is asked for is there already: then the run would show nothing."""
    if not missing(job.wanted, before, RunEnd("done")):
        raise BenchmarkError(f"{job.name}: it is so before anything was done")


def _on_screen(desk: Desk) -> list[str]:
    return [each.title for each in desk.target.windows() if not each.bounds.empty and each.pid]


def _page_is_up(desk: Desk) -> bool:
    """Has the browser's window the title of a page, and no address?"""
    return any(" - Chromium" in title and "127.0.0.1" not in title for title in _on_screen(desk))
