"""A verdict on one operation with its facts, and what a yes to it may cover."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_agent.policy.consent.consent import Covered, covered_by_always
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.provenance import Origin
from desktop_agent.policy.rules.flow import Pair
from desktop_agent.policy.rules.judge import Verdict
from desktop_agent.policy.rules.scope_check import SINK, question
from desktop_agent.protocol.ops import Op


@dataclass(frozen=True)
class Ruling:
    """A verdict on an operation, with the place it acts on and the origin of its text.

    `op` is the operation as it is meant, held keys included; `pairs` are the ways of a text that a yes opens for
    the rest of the run. `parts` are all rulings of one operation, where this is the strictest of them.
    `standing`: it was allowed because of an earlier "always".
    """

    verdict: Verdict
    place: Place
    origin: Origin
    op: Op
    pairs: frozenset[Pair] = frozenset()
    parts: tuple[Ruling, ...] = ()
    standing: bool = False

    @property
    def asks(self) -> bool:
        return self.verdict.kind == "ask"

    @property
    def covered(self) -> Covered | None:
        """What "always" would cover; None for a text that was read, and for what must not last."""
        if not self.place.known or self.origin.source == "seen":
            return None
        sinks, why, adds = self.verdict.sink.split("+"), self.verdict.reason, self.verdict.adds
        if adds is not None:  # the scope keeps that part of the yes
            sinks.remove(SINK)
            why = why.removeprefix(question(adds, self.place)).strip()
        return covered_by_always(self.op, self.place, "+".join(sinks), why)

    @property
    def lasting(self) -> bool:
        """May a yes to this be remembered until the program ends?"""
        return self.covered is not None
