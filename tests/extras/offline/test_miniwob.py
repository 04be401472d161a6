"""Some web tasks of `./bench miniwob` are solved, and the judge knows solved from not solved."""

from __future__ import annotations

import pytest

from benchmarks import miniwob
from benchmarks.peers import Unavailable
from benchmarks.web.player import Played
from benchmarks.web.site import Episode


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
    assert (found["a-task"].p50, found["plain kinds: solved"].met) == (0.25, False)
    assert "plain kinds: solved of fresh seeds" not in found


def test_a_puzzle_has_no_goal_and_a_false_done_is_a_figure_of_its_own() -> None:
    played = [
        Played(Episode("find-word", 1), 1, 1.0, "asked: which word?"),
        Played(Episode("find-word", 2), 1, 1.0, "", said_done=True),
        Played(Episode("find-word", 3, reward=-1.0), 1, 1.0, "the episode is over"),
        Played(Episode("click-link", 1, reward=1.0), 1, 1.0, "", said_done=True),
        Played(Episode("click-link", 2), 20, 1.0, "20 turns"),
    ]
    found = {each.figure: each for each in miniwob.figures(played)}
    assert (found["puzzle kinds: solved"].p50, found["puzzle kinds: solved"].goal) == (0, None)
    assert (found["plain kinds: solved"].p50, found["plain kinds: solved"].met) == (0.5, False)
    assert (found["puzzle kinds: false done"].p50, found["plain kinds: false done"].p50) == (2, 0)


def test_each_kind_is_either_plain_or_a_puzzle() -> None:
    assert len(miniwob.TASKS) == 30 and not miniwob.PLAIN.keys() & miniwob.PUZZLES.keys()


def test_what_fresh_seeds_gave_is_told_apart() -> None:
    assert len(set(miniwob.fresh_seeds()) - set(miniwob.SEEDS)) == miniwob.FRESH
    played = [
        Played(Episode("a-task", seed, reward=reward), 1, 1.0, "")
        for seed, reward in ((100, 1.0), (4711, 1.0), (4712, 0.0))
    ]
    found = {each.figure: each for each in miniwob.figures(played)}
    assert (fresh := found["plain kinds: solved of fresh seeds"]) and (fresh.n, fresh.p50) == (2, 0.5)
