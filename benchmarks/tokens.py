"""Input tokens and picture bytes of a run of 40 steps: ours against a full PNG a step, all kept or the last 3."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.context_parts.recorded_run import RecordedRun, record
from benchmarks.context_parts.weight import Part, parts_of, picture_part, text_part, unchanged, weight
from benchmarks.report import Figure, Goal, Report, counted, report

READ = 0.1
"""What a token read from a cache costs, of a fresh one (Anthropic's and OpenAI's price lists)."""
_GOAL, _OUTCOME = text_part("goal " * 20), text_part("done " * 20)
_NOTES = (
    "The other ways send the same system prompt, the goal, the replies and 100 letters of outcome a step; a full PNG "
    "is the screen as it is, a scaled one has the size that ours has. They send no lists of elements, but for "
    "the last two rows, where they keep a list a step, as we did before.",
)


def run(quick: bool) -> Report:
    """Play the run once, and weigh every request of it in several ways of telling the same looks."""
    made = record(20 if quick else 40)
    ours = [parts_of(body, made.looks[0].scaled.size) for body in made.bodies]
    ways = {
        "a full PNG a step": plain(made, ours, None),
        "the last 3 pictures": plain(made, ours, 3),
        "a scaled PNG a step": plain(made, ours, None, scaled=True),
        "the last 3 pictures, scaled": plain(made, ours, 3, scaled=True),
        "a scaled PNG and a list a step": plain(made, ours, None, scaled=True, lists=True),
        "the last 3 pictures, scaled, and lists": plain(made, ours, 3, scaled=True, lists=True),
    }
    goals = {"a full PNG a step": Goal(0.2), "the last 3 pictures": Goal(0.5)}
    n = len(ours)
    figures = [
        counted("input tokens, ours", weight(ours).tokens, n, "tokens"),
        counted("the same as they are billed", billed(ours), n, "tokens"),
        counted("picture bytes, ours", weight(ours).pictures / 1e6, n, "MB"),
        *(figure for name, way in ways.items() for figure in _shares(name, ours, way, goals.get(name))),
    ]
    return report("tokens", *figures, notes=_NOTES)


def _shares(name: str, ours: list[list[Part]], way: list[list[Part]], goal: Goal | None) -> Iterator[Figure]:
    """What ours comes to as a share of another way's tokens, picture bytes, and tokens as they are billed."""
    one, other, n = weight(ours), weight(way), len(ours)
    yield counted(f"tokens: of {name}", one.tokens / other.tokens, n, "share", goal)
    yield counted(f"bytes: of {name}", one.pictures / other.pictures, n, "share", goal)
    yield counted(f"billed: of {name}", billed(ours) / billed(way), n, "share")


def plain(
    made: RecordedRun, ours: list[list[Part]], kept: int | None, *, scaled: bool = False, lists: bool = False
) -> list[list[Part]]:
    """The requests of a client that sends a PNG of each look, and keeps the last `kept` of them (None: all)."""
    requests: list[list[Part]] = []
    for number in range(len(made.bodies)):
        told = [ours[number][0], _GOAL]
        for step, look in enumerate(made.looks[: number + 1]):
            png = look.scaled if scaled else look.full
            told += [text_part(look.words)] if lists else []
            if kept is None or number - step < kept:
                told.append(picture_part(f"look {step}", png.size, png.data))
            if step < number:
                told += [text_part(made.replies[step]), _OUTCOME]
        requests.append(told)
    return requests


def billed(requests: list[list[Part]]) -> float:
    """The tokens with those that a cache holds counted as READ each; what is new is counted once."""
    total, before = 0.0, list[Part]()
    for request in requests:
        share = unchanged(before, request) if before else 0.0
        total += weight([request]).tokens * (share * READ + 1 - share)
        before = request
    return total
