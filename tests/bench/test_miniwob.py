"""Some web tasks of `./bench miniwob` are solved, and the judge knows solved from not solved."""

from __future__ import annotations

import pytest

from benchmarks import miniwob
from benchmarks.peers import Unavailable
from benchmarks.web.player import Played
from benchmarks.web.site import Episode

pytestmark = pytest.mark.slow


def test_some_tasks_are_solved_in_a_real_browser() -> None:
    try:
        html = miniwob.pages()
    except Unavailable as why:
        pytest.skip(str(why))
    played = list(miniwob.episodes(html, ("click-link", "click-dialog", "enter-text", "choose-list"), (1,)))
    assert [str(each) for each in played if not each.solved] == []
    assert all(each.turns and each.episode.words for each in played)


def test_the_share_of_a_task_counts_only_full_rewards() -> None:
    played = [
        Played(Episode("a-task", seed, reward=reward), 1, 1.0, "")
        for seed, reward in enumerate((1.0, 0.5, -1.0, None))
    ]
    found = {each.figure: each for each in miniwob.figures(played)}
    assert (found["a-task"].p50, found["solved of all"].met) == (0.25, False)
    assert "solved of fresh seeds" not in found


def test_what_fresh_seeds_gave_is_told_apart() -> None:
    assert len(set(miniwob.fresh_seeds()) - set(miniwob.SEEDS)) == miniwob.FRESH
    played = [
        Played(Episode("a-task", seed, reward=reward), 1, 1.0, "")
        for seed, reward in ((100, 1.0), (4711, 1.0), (4712, 0.0))
    ]
    found = {each.figure: each for each in miniwob.figures(played)}
    assert (found["solved of fresh seeds"].n, found["solved of fresh seeds"].p50) == (2, 0.5)
