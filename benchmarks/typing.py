"""Typing: characters a second and exact texts in five kinds of applications, beside xdotool."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.peers import Unavailable
from benchmarks.report import Figure, Goal, Report, counted, measured, report
from benchmarks.typing_parts import texts
from benchmarks.typing_parts.applications import APPLICATIONS, Application, Qt, XTerm
from benchmarks.typing_parts.desk import Desk, desk
from benchmarks.typing_parts.typists import CannotType, HastyXDoTool, Ours, Typist

TIMES = 5
WHOLE = Goal(1.0, at_least=True)
RATES = {"ASCII": 10_000.0, "mixed": 2_500.0, "new characters": 400.0}
"""Characters a second to reach, by the kind of text."""


class Trial(NamedTuple):
    """One text typed by somebody into an application; `words` say what the tool complained of."""

    application: str
    typist: str
    kind: str
    rate: float
    exact: bool
    words: str = ""


def run(quick: bool) -> Report:
    """Open one application after the other; in each our hand types everything, then xdotool shorter texts.

    The short form is about our hand: xdotool types in the last application only.
    """
    applications = (Qt, XTerm) if quick else APPLICATIONS
    trials: list[Trial] = []
    notes: dict[str, None] = {}
    with tempfile.TemporaryDirectory(prefix="typing-") as folder, desk(Path(folder)) as place:
        left: list[int] = []
        for kind in applications:
            application = kind(place)
            trials += _ours(place, application, quick, left)
            if not quick or kind is applications[-1]:
                trials += _theirs(place, application, quick, notes)
            application.close()
    held = counted("keys held or mapped otherwise afterwards", sum(left), len(left), "inputs", Goal(0.0))
    return report(
        "typing", *_exactness(trials), *_rates(trials), *_beside(trials), held, notes=_words(trials, notes)
    )


@contextmanager
def _hand(place: Desk, left: list[int]) -> Iterator[Ours]:
    """Our hand, and what it leaves behind."""
    untouched = place.key_map()
    with Ours(place) as hand:
        yield hand
    left.append(place.held() + (place.key_map() != untouched))


def _ours(place: Desk, application: Application, quick: bool, left: list[int]) -> Iterator[Trial]:
    with _hand(place, left) as hand:
        for kind, text, times in _all_texts(application, quick):
            for _ in range(times):
                yield _trial(application, hand, kind, text)
    for name, (layout, text) in texts.LAYOUTS.items():
        if quick and name != "us-intl":
            continue
        place.layout(*layout)
        with _hand(place, left) as hand:
            yield _trial(application, hand, f"layout {name}", text)
    place.layout("us")


def _all_texts(application: Application, quick: bool) -> Iterator[tuple[str, str, int]]:
    """Kind, text and how often."""
    times, end = (1 if quick else TIMES), "\n" if application.lines else " "
    yield "ASCII", texts.ascii_text(min(application.limit, 2_000 if quick else 10_000), end), times
    yield "mixed", texts.mixed_text(min(application.limit, 400 if quick else 1_000), end), times
    yield "new characters", texts.new_characters(min(application.limit, 150 if quick else 400)), times
    yield "CJK", texts.CJK, 1
    yield "emoji", texts.EMOJI, 1
    yield "combining marks", texts.COMBINING, 1
    yield "every plane", texts.every_plane(), 1


def _theirs(place: Desk, application: Application, quick: bool, notes: dict[str, None]) -> Iterator[Trial]:
    try:
        with HastyXDoTool(place) as typist:
            end = "\n" if application.lines else " "
            length = min(application.limit, 200 if quick else 2_000)
            yield _trial(application, typist, "ASCII", texts.ascii_text(length, end))
            yield _trial(application, typist, "mixed", texts.mixed_text(190, end))
    except Unavailable as error:
        notes[f"skipped: {error}"] = None


def _trial(application: Application, typist: Typist, kind: str, text: str) -> Trial:
    application.begin()
    try:
        seconds = typist.type(text)
        words = ""
    except CannotType as error:
        seconds, words = 0.0, str(error)
    exact = application.received(text) == text
    rate = len(text) / seconds if seconds else 0.0
    return Trial(application.name, typist.name, kind, rate, exact, words)


def _exactness(trials: Sequence[Trial]) -> Iterator[Figure]:
    mine = [trial for trial in trials if trial.typist == Ours.name]
    yield _share("exact: all", mine, WHOLE)
    for application in dict.fromkeys(trial.application for trial in mine):
        yield _share(f"exact: in {application}", [t for t in mine if t.application == application], WHOLE)
    for kind in dict.fromkeys(trial.kind for trial in mine):
        yield _share(f"exact: {kind}", [t for t in mine if t.kind == kind], WHOLE)


def _rates(trials: Sequence[Trial]) -> Iterator[Figure]:
    mine = [trial for trial in trials if trial.typist == Ours.name and trial.rate]
    for kind, wanted in RATES.items():
        for application in dict.fromkeys(trial.application for trial in mine):
            rates = [t.rate for t in mine if (t.application, t.kind) == (application, kind)]
            goal = Goal(wanted, at_least=True)
            yield measured(f"{kind} in {application}", rates, "characters/s", goal)


def _beside(trials: Sequence[Trial]) -> Iterator[Figure]:
    name = HastyXDoTool.name
    theirs = [trial for trial in trials if trial.typist == name]
    if theirs:
        yield _share(f"{name}: exact", theirs)
    for kind in ("ASCII", "mixed"):
        rates = [trial.rate for trial in theirs if trial.kind == kind and trial.rate]
        ours = [trial.rate for trial in trials if trial.typist == Ours.name and trial.kind == kind]
        if rates:
            found = measured(f"{name}: {kind}", rates, "characters/s")
            yield found
            yield counted(f"our hand beside {name}: {kind}", _median(ours) / found.p50, len(rates), "x")


def _median(rates: Sequence[float]) -> float:
    return measured("", rates, "").p50


def _share(name: str, trials: Sequence[Trial], goal: Goal | None = None) -> Figure:
    return counted(name, sum(trial.exact for trial in trials) / len(trials), len(trials), "share", goal)


def _words(trials: Sequence[Trial], notes: dict[str, None]) -> list[str]:
    """What was skipped, what was not exact, and what the tools said."""
    wrong = [t for t in trials if not t.exact or t.words]
    return [
        *notes,
        *(f"not exact: {t.kind} by {t.typist} in {t.application} {t.words}".rstrip() for t in wrong),
    ]
