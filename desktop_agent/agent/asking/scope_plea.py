"""A model's plea to widen the scope of its run: with its plan, once, as one card for all it asks for."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_agent.agent.asking.approval import Approver
from desktop_agent.llm.base import Deed
from desktop_agent.policy.facts.place import Subject
from desktop_agent.policy.facts.scope import Grant, parse_grants
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import ApprovalAsked
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.language import capitalized
from desktop_agent.targets.faces import home_of

_ONCE = "The scope may be asked for once in a run. Go on within it; what lies outside is asked about when it is due."
_NO_PLAN = "The scope is asked for together with the plan: give high_level too."


@dataclass(frozen=True)
class Plea:
    """What was asked for and what came of it; `refusal` is for the model, "" when the user said yes."""

    words: str
    refusal: str = ""

    def deed(self, turn: int) -> Deed:
        """As the next prompt tells it."""
        return Deed(
            turn, ops.Ask(self.words), self.words, "refused" if self.refusal else "done", self.refusal
        )


def ask(wanted: Sequence[str], plan: Sequence[str], approver: Approver, stop: StopFlag) -> Plea:
    """Ask the user for these grants in one card; a yes widens the scope of the run. Raises Stopped."""
    run_scope = approver.gate.run_scope
    words = f"Asked to be allowed {', '.join(wanted)}"[:500]
    try:
        grants = parse_grants(wanted, home_of(approver.gate.places.target))
    except ConfigError as error:
        return Plea(words, f"{error.message} {error.advice}")
    missing = [g for g in grants if not run_scope.scope.covers(Subject(g.kind, g.what), g.how)]
    if not missing:
        return Plea(words, "")
    if run_scope.asked or not plan:
        return Plea(words, _ONCE if run_scope.asked else _NO_PLAN)
    run_scope.asked = True
    if not approver.put(_card(missing, plan), stop):
        return Plea(words, "The user said no.")
    run_scope.widen(missing)
    return Plea(words)


def _card(grants: Sequence[Grant], plan: Sequence[str]) -> ApprovalAsked:
    added = tuple(map(str, grants))
    steps = " ".join(f"{number}. {step}" for number, step in enumerate(plan, 1))
    return ApprovalAsked(
        id=hashlib.sha256("\n".join(("scope", *added)).encode()).hexdigest(),
        words=f"{capitalized('; '.join(grant.words for grant in grants))} as well, for this run",
        exact=added,
        window="",
        why=f"The plan needs it: {steps}",
        lasting=False,
        adds=added,
    )
