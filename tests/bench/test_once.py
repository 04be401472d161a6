"""The short form of `./bench once`: what a page sends goes out once, and nobody is asked who does nothing twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.once_parts.once_page import OWN, pages_in
from benchmarks.once_parts.once_run import run_page
from benchmarks.walls_parts.stage import Stage, raised

pytestmark = pytest.mark.timeout(300)
PAGES = {page.name: page for page in pages_in(OWN)}


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with raised() as stage:
        yield stage


@pytest.mark.parametrize("habit", ["presses again", "fills in again"])
def test_it_is_sent_once_though_the_page_takes_its_time(stage: Stage, habit: str) -> None:
    found = run_page(
        stage, PAGES["late-change"], "presses again" if habit == "presses again" else "fills in again"
    )
    assert found.sent == 1 and found.again and found.asked, found


def test_who_waits_is_not_asked(stage: Stage) -> None:
    found = run_page(stage, PAGES["fetch-line"], "patient")
    assert (found.sent, found.asked, found.told) == (1, 0, True), found


def test_what_is_pressed_again_and_again_is_not_asked_about(stage: Stage) -> None:
    found = run_page(stage, PAGES["again-next"], "patient")
    assert (found.sent, found.asked, found.told) == (0, 0, True), found


def test_every_page_has_a_record_and_every_record_a_page() -> None:
    assert len(PAGES) >= 20
    assert not [name for name in PAGES if not (OWN / f"{name}.html").is_file()]
