"""Small repositories with a failing test each, mended by a scripted model through bash, Python and editor.

The repositories and what the model says were written by somebody who had not seen the environments. Judged from outside: by each
repository's own check, and by comparing every view on the screen with the file as it is on the disk.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.report import Goal, Report, counted, report
from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.extras.project.protocol.dialects import fenced
from desktop_agent.extras.project.tools import project
from desktop_agent.hand.in_process import InlineHands
from desktop_agent.llm.base import Conversation
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import text_of
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.support.config import AgentSettings, Config
from desktop_agent.targets import none
from tests.support.memory_desk import ScriptedModel

CASES = Path(__file__).parent / "coding_cases"
NONE = Goal(0)
_VIEW = re.compile(
    r"> (?P<path>.+?): (?P<what>.+), lines? (?P<first>\d+)(?:-(?P<last>\d+))?.* \(view \d+\)\Z"
)


@dataclass
class Worked:
    """What came of one repository."""

    name: str
    mended: bool
    views: int = 0
    stale: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    """What the case says must (not) be shown after a step, and was not (was)."""


def run(quick: bool) -> Report:
    """All twelve, or with `quick` three."""
    cases = sorted(each for each in CASES.iterdir() if each.is_dir())
    worked = [work(each) for each in (cases[::5] if quick else cases)]
    notes = [f"{each.name}: {what}" for each in worked for what in (*each.stale, *each.unlike)]
    notes += [f"{each.name} is not mended" for each in worked if not each.mended]
    return report(
        "coding",
        counted(
            "repositories mended",
            sum(each.mended for each in worked),
            len(worked),
            "",
            Goal(len(worked), at_least=True),
        ),
        counted(
            "views that were not as the file",
            sum(len(each.stale) for each in worked),
            sum(each.views for each in worked),
            "",
            NONE,
        ),
        counted(
            "screens unlike what the case says",
            sum(len(each.unlike) for each in worked),
            sum(len(_steps(each)) for each in cases),
            "",
            NONE,
        ),
        notes=notes,
    )


def work(case: Path) -> Worked:
    """Have the model of a case work a copy of its repository."""
    steps = _steps(case)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "project"
        shutil.copytree(case / "files", place)
        for each in (Path(folder), place, *place.rglob("*")):
            each.chmod(0o755 if each.is_dir() else each.stat().st_mode)
            bubblewrap.give(each)
        found = Worked(case.name, mended=False)
        model = _Model(steps, place, found)
        _run(model, place, Path(folder) / "runs")
        check = subprocess.run(["sh", str(case / "check.sh")], cwd=place, capture_output=True, check=False)
        found.mended = check.returncode == 0
        return found


def _steps(case: Path) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = json.loads((case / "script.json").read_text(encoding="utf-8"))
    return steps


class _Model(ScriptedModel):
    """Says the steps of a case, and looks at the screen that each of them leads to."""

    def __init__(self, steps: list[dict[str, Any]], place: Path, found: Worked) -> None:
        said = [f"{each['thoughts']}\n{_fence(each)}" for each in steps]
        super().__init__(
            *said, "The test passes.\n```done\nThe test passes again.\n```", wait=lambda _: self._look()
        )
        self._steps, self._place, self._found = steps, place, found

    def _look(self) -> None:
        number = len(self.asked) - 1
        if not 1 <= number <= len(self._steps):
            return
        shown = _screen(self.asked[-1])
        step = self._steps[number - 1]
        wrong = [f"{text!r} is not shown" for text in step.get("shows", ()) if text not in shown]
        wrong += [f"{text!r} is shown" for text in step.get("hides", ()) if text in shown]
        self._found.unlike += [f"after step {number}, {each}" for each in wrong]
        for heading, body in _views(shown):
            self._found.views += 1
            if why := _unlike_file(heading, body, self._place):
                self._found.stale.append(f"after step {number}, {heading.group()}: {why}")


def _fence(step: dict[str, Any]) -> str:
    fence = "`" * 3
    while fence in step["command"]:
        fence += "`"
    return f"{fence}{step['environment']}\n{step['command']}\n{fence}"


def _screen(conversation: Conversation) -> str:
    """The editor's section of the newest screen."""
    shown = text_of(conversation.messages[-1:])
    return shown[shown.index("[editor]") :]


def _views(shown: str) -> Iterator[tuple[re.Match[str], list[str]]]:
    heading: re.Match[str] | None = None
    body: list[str] = []
    for line in [*shown.splitlines(), "> :"]:
        if line.startswith("> "):
            if heading is not None:
                yield heading, body
            heading, body = _VIEW.match(line), []
        else:
            body.append(line)


def _unlike_file(heading: re.Match[str], body: list[str], place: Path) -> str:
    """Why a view of lines is not what stands there in the file; "" where it is, and for views of a search."""
    if heading["what"].startswith("search"):
        return ""
    lines = (place / heading["path"]).read_text(encoding="utf-8").splitlines()
    first, last = int(heading["first"]), int(heading["last"] or heading["first"])
    wanted = lines[first - 1 : last]
    told = body[: len(wanted)]
    return "" if told == wanted else f"shows {told[:3]}…, and the file has {wanted[:3]}…"


def _reads_nothing(*_: object) -> tuple[()]:
    return ()


def _run(model: ScriptedModel, place: Path, runs: Path) -> None:
    environment = project.create(project.Options(folder=str(place), sandbox="bubblewrap"))
    target = none.create(none.Options())
    parts = Parts(
        target,
        model,
        lambda _, on_stop: InlineHands(target.inline_input, on_stop=on_stop),
        _reads_nothing,
        dialect=dialect_of("fenced", fenced),
        environments=(environment,),
    )
    session = AgentSession(
        parts,
        Config(agent=AgentSettings(max_steps=60)),
        Circumstances(runs),
        AgentInfo(target=target.title, model=model.name, step_mode="off", max_steps=60, key_found=True),
    )

    def heard(event: say.FeedEvent) -> None:
        if isinstance(event, say.Question | say.ApprovalAsked):  # nobody is here to answer
            session.stop()

    session.subscribe(heard)
    session.send("Mend this repository: its test fails.")
    try:
        session.run_next()
    finally:
        environment.close()
