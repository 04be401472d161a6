"""The short form of `./bench fidelity`: one check of each family arrives as the harness means it."""

from __future__ import annotations

import pytest

from benchmarks import fidelity


def test_our_hand_passes_a_check_of_each_family() -> None:
    found = fidelity.run(quick=True)
    if not found.figures:
        pytest.skip(found.notes[0])
    passed = found.figures[0]
    assert passed.n == len(fidelity.FEW) and passed.p50 == passed.n, found.notes
