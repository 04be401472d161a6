"""The short form of `./bench stop`: no ESC is missed, whatever else is happening, and nothing stays held."""

from __future__ import annotations

from benchmarks import stop


def test_every_escape_stops_everything_at_once() -> None:
    told = stop.run(quick=True)
    figures = {figure.figure: figure for figure in told.figures}
    n = len(stop.SCENARIOS) * stop.QUICK
    for name in (
        "ESC missed",
        "ESC missed by the guard alone",
        "ESC missed by the hand alone",
        "keys and buttons held afterwards",
        "events of replies that came after the stop",
    ):
        assert (figures[name].n, figures[name].p50) == (n, 0), (figures[name], told.notes)
    for name in (
        "ESC missed",
        "ESC missed by the guard alone",
        "ESC missed by the hand alone",
        "keys and buttons held afterwards",
    ):
        assert (figures[f"{name}, VNC server"].n, figures[f"{name}, VNC server"].p50) == (3, 0), name
    characters = figures["characters after ESC"]
    assert characters.n == n and characters.max is not None and characters.max <= 2, characters
