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
        ([], bar.ButtonProgress(bar.NOTHING)),
        ([Status(state="planning")], bar.ButtonProgress(bar.ENDLESS)),
        ([Status(state="executing"), PLAN], bar.ButtonProgress(bar.NORMAL, 1, 3)),
        ([Status(state="executing"), PLAN, Status(state="paused")], bar.ButtonProgress(bar.PAUSED, 1, 3)),
        ([Status(state="waiting_for_user"), Question(text="?")], bar.ButtonProgress(bar.PAUSED, 1, 1)),
        ([Status(state="error", detail="no")], bar.ButtonProgress(bar.ERROR, 1, 1)),
        ([Status(state="executing"), PLAN, Status(state="done")], bar.ButtonProgress(bar.NOTHING)),
    ],
)
def test_it_follows_the_plan_and_the_state(events: list[FeedEvent], shown: bar.ButtonProgress) -> None:
    view = RunView()
    view.apply(events)
    assert bar.progress_of(view) == shown
