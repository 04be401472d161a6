"""The short form of `./bench typing`: all that our hand types arrives exactly, and nothing stays held or mapped."""

from __future__ import annotations

from benchmarks import typing


def test_everything_typed_arrives_exactly() -> None:
    found = typing.run(quick=True)
    figures = {figure.figure: figure for figure in found.figures}
    exact = figures["exact: all"]
    assert exact.n == 16 and exact.p50 == 1, found.notes
    assert figures["keys held or mapped otherwise afterwards"].p50 == 0
