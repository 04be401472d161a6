"""Plays a page through the product's own wiring, with a human who says yes to all but to sending or typing twice."""

from __future__ import annotations

import msgspec

from benchmarks.once_parts.once_page import OncePage, served
from benchmarks.once_parts.sending_model import Habit, SendingModel
from benchmarks.report import BenchmarkError
from benchmarks.walls_parts.human import ScriptedHuman
from benchmarks.walls_parts.play import work
from benchmarks.walls_parts.stage import Stage
from desktop_agent.protocol.errors import DesktopAgentError
from tests.support.waiting import Late

_SECONDS = 120.0
_TWICE = r"may go out twice|would stand there twice"
_ALL_ELSE = rf"(?s)\A(?!.*(?:{_TWICE}))"


class OnceRun(msgspec.Struct, frozen=True):
    """What came of a play. `asked`: the questions whether to send or type a second time; `told`: the model read what it waited for."""

    name: str
    habit: str
    sends: int
    sent: int
    asked: int
    told: bool
    again: int
    turns: int
    skipped: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def twice(self) -> bool:
        """Did more requests go out than the page is to be sent?"""
        return self.sent > self.sends

    @property
    def in_vain(self) -> bool:
        """Was somebody asked who did nothing a second time?"""
        return self.asked > 0 and self.again == 0


def run_page(stage: Stage, page: OncePage, habit: Habit) -> OnceRun:
    """One play in a browser of its own."""
    human, model = ScriptedHuman((_ALL_ELSE,)), SendingModel(page, habit)
    trouble, sent = "", 0
    try:
        with served(page) as site, stage.desk.ending():
            stage.desk.launch(
                "chromium", "--window-size=900,760", "--window-position=0,0",
                "--disable-features=Translate", "--password-store=basic", site.url(page), title="Chromium",
            )  # fmt: skip
            work(page.goal, "full", human, model, _SECONDS)
            sent = len(site.sent)
    except (BenchmarkError, DesktopAgentError, OSError, Late) as error:
        trouble = f"{type(error).__name__}: {error}"
    asked = len(human.asked) - len(human.granted)
    return OnceRun(
        page.name, habit, page.sends, sent, asked, model.told, model.tries, model.turns, tuple(model.skipped), trouble
    )  # fmt: skip


def line_of(run: OnceRun) -> str:
    """One play in one line."""
    end = "told" if run.told else "not told"
    words = f"{run.name} ({run.habit}): {run.sent} of {run.sends} sent, {run.asked} asked, done again {run.again} times, {end}"
    more = f" | {run.trouble}" if run.trouble else f" | missed {run.skipped}" if run.skipped else ""
    return ("TWICE " if run.twice else "ASKED " if run.in_vain else "") + words + more
