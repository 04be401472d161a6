"""The benchmark of VNC servers in short: every figure is measured."""

from __future__ import annotations

from benchmarks import rfb


def test_every_figure_is_measured() -> None:
    found = rfb.run(quick=True)
    assert len(found.figures) == 7
    assert all(each.n and each.p50 > 0 for each in found.figures)
