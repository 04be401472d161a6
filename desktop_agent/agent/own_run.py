"""The parts of one run for a model that works it by a loop of its own: the same hand, policy and limits as for any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from desktop_agent.agent.acting.executor import Hand
from desktop_agent.agent.asking.approval import Approver
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.limits import Budget
from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.runlog.reward_file import RewardFile
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.permission import Rules
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets.base import Target


@dataclass(frozen=True)
class OwnRun:
    """One run, for `Model.own_loop`. `grant_over` says whether the time of the permission that `rules` limit is over.

    The approver's gate knows level and places; `rewards` is None where nothing gives any.
    """

    goal: str
    target: Target
    region: Rect | None
    privacy_filter: PrivacyFilter
    hand: Hand
    approver: Approver
    rules: Rules
    grant_over: Callable[[], bool]
    budget: Budget
    inbox: Inbox
    feed: Feed
    rewards: RewardFile | None
    pause_hand: Callable[[bool], None]
    stop: StopFlag
