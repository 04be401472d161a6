"""What the task bar of Windows is to show of a run."""

from __future__ import annotations

import pytest

from desktop_agent.protocol.agent_events import FeedEvent, Plan, Question, Status
from desktop_agent.ui.around import taskbar_progress as bar
from desktop_agent.ui.view_model import RunView

PLAN = Plan(steps=("one", "two", "three"), current=1)


@pytest.mark.parametrize(
    ("events", "shown"),
    [
        ([], bar.Progress(bar.NOTHING)),
        ([Status(state="planning")], bar.Progress(bar.ENDLESS)),
        ([Status(state="executing"), PLAN], bar.Progress(bar.NORMAL, 1, 3)),
        ([Status(state="executing"), PLAN, Status(state="paused")], bar.Progress(bar.PAUSED, 1, 3)),
        ([Status(state="waiting_for_user"), Question(text="?")], bar.Progress(bar.PAUSED, 1, 1)),
        ([Status(state="error", detail="no")], bar.Progress(bar.ERROR, 1, 1)),
        ([Status(state="executing"), PLAN, Status(state="done")], bar.Progress(bar.NOTHING)),
    ],
)
def test_it_follows_the_plan_and_the_state(events: list[FeedEvent], shown: bar.Progress) -> None:
    view = RunView()
    view.apply(events)
    assert bar.progress_of(view) == shown
