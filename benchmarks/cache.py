"""The share of a prompt that is unchanged since the step before, on the wire, in a run of 40 steps."""

from __future__ import annotations

from itertools import pairwise

from benchmarks.context_parts.recorded_run import record
from benchmarks.context_parts.weight import Part, parts_of, unchanged, weight
from benchmarks.report import Goal, Report, counted, measured, report


def run(quick: bool) -> Report:
    """Play the run once, and compare each request from its beginning on with the one before."""
    made = record(20 if quick else 40)
    requests = [parts_of(body, made.looks[0].scaled.size) for body in made.bodies]
    shares = [unchanged(before, now) for before, now in pairwise(requests)]
    return report(
        "cache",
        counted(
            "unchanged tokens of all tokens",
            _of_all(requests, shares),
            len(shares),
            "share",
            Goal(0.9, at_least=True),
        ),
        measured("unchanged share of a request", shares, "share"),
        counted("least share", min(shares), len(shares), "share"),
    )


def _of_all(requests: list[list[Part]], shares: list[float]) -> float:
    tokens = [weight([each]).tokens for each in requests[1:]]
    return sum(share * each for share, each in zip(shares, tokens, strict=True)) / sum(tokens)
