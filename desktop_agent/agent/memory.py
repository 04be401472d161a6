"""The memory of one run, from which prompts are made: the goal, what was said, the plan, deeds and outcomes."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from desktop_agent.agent.runlog.past_run import PastRun
from desktop_agent.llm.base import Deed
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.reply import Reply
from desktop_agent.redaction.redactor import redactor
from desktop_agent.vision.mapping.desktop_map import DesktopMap


class RunMemory:
    """Keeps the last `history` deeds and all that the user said; only the agent's thread touches it."""

    def __init__(self, goal: str, history: int) -> None:
        self.goal = goal
        self.turn = 1
        self.said: list[tuple[int, str]] = []
        self.plan: tuple[str, ...] = ()
        self.step = 0
        self.scope: tuple[str, ...] = ()
        self.deeds: deque[Deed] = deque()
        self._history = history
        self.notes: deque[str] = deque(maxlen=5)
        self.environments = ""
        self.map: DesktopMap | None = None
        self._untold: list[Deed] = []
        self._remarks: list[str] = []
        self.at = -1
        self.results: dict[int, list[Deed]] = {}
        self.pictures: dict[int, tuple[str, PictureBlock]] = {}
        self.accepted: set[str] = set()

    def begin_reply(self) -> None:
        """A new reply is carried out: what is remembered from now on is of its operation number `at` (-1: of none).

        `results` are what came of its operations by their numbers, `pictures` what they showed, with a caption;
        `accepted` the calls that the user allowed although the provider warned of them.
        """
        self.at = -1
        self.results, self.pictures, self.accepted = {}, {}, set()

    def hear(self, words: tuple[str, ...]) -> None:
        """The user said something in this turn."""
        self.said.extend((self.turn, text) for text in words)

    def take_plan(self, reply: Reply) -> bool:
        """Take over the reply's plan and step; true when either changed."""
        plan = redactor().scrub(reply.high_level) or self.plan
        step = reply.step - 1 if reply.step is not None else self._kept_step(plan)
        step = max(0, min(step, len(plan) - 1))
        changed = (plan, step) != (self.plan, self.step)
        self.plan, self.step = plan, step
        return changed

    def _kept_step(self, plan: tuple[str, ...]) -> int:
        """Where the plan stands when the model does not say: on the same words if they are still there."""
        if self.plan and self.plan[self.step] in plan:
            return plan.index(self.plan[self.step])
        return self.step if plan == self.plan else 0

    def remember(self, deeds: list[Deed]) -> None:
        """Take in what was done, by the operations from number `at` on.

        The last `history` deeds are kept, and of this turn's every one that was not done: the model must hear of it.
        """
        self.deeds.extend(deeds)
        self._untold.extend(deeds)
        self.tell(deeds)
        old = list(self.deeds)[: max(0, len(self.deeds) - self._history)]
        kept = [deed for deed in old if deed.turn == self.turn and deed.outcome != "done"]
        self.deeds = deque((*kept, *list(self.deeds)[len(old) :]))

    def tell(self, deeds: list[Deed]) -> None:
        """What came of the operations from number `at` on, where nothing but the answer to a call tells it."""
        for number, deed in enumerate(deeds, self.at):
            if self.at >= 0:
                self.results.setdefault(number, []).append(deed)

    def restore(self, past: PastRun) -> None:
        """Take in what a run that was cut short had come to; its conversation holds the first of the deeds already."""
        self.turn, self.said = past.turn, list(past.said)
        self.plan, self.step = past.plan, past.step
        self.notes.extend(past.notes)
        self.deeds.extend(past.deeds[: past.told_deeds])
        self.remember(past.deeds[past.told_deeds :])

    def take_untold(self) -> tuple[Deed, ...]:
        """The deeds remembered since the last call: those the model has not been told of."""
        untold, self._untold = tuple(self._untold), []
        return untold

    def comment(self, words: str) -> None:
        """Tell the model words of ours with the newest deed, or for themselves where that was told already."""
        last = self.deeds.pop() if self.deeds else None
        if last is None or not any(each is last for each in self._untold):
            self._remarks.append(words)
        if last is not None:
            told = replace(last, detail=f"{last.detail}. {words}" if last.detail else words)
            self.deeds.append(told)
            self._untold = [told if each is last else each for each in self._untold]

    def take_remarks(self) -> tuple[str, ...]:
        """Words of ours since the last call that no deed tells."""
        remarks, self._remarks = tuple(self._remarks), []
        return remarks

    def note(self, text: str) -> None:
        if text:
            self.notes.append(redactor().clean(text))
