"""Going in circles is noticed whatever changes by itself; what leads on is left alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from desktop_agent.agent.loop_breaker import LoopBreaker
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation

SCREEN = Rect(0, 0, 320, 320)
PRESS = (ops.ClickElement(element="e1"),)
SCROLL = (ops.Scroll(dy=3, x=10, y=10),)


def look(*things: tuple[str, str], dots: Sequence[int] = (), window: str = "Paper") -> Observation:
    """A look at a button e1 and these things (role, name); `dots` are the parts of the picture that are marked."""
    pixels = bytearray(SCREEN.width * SCREEN.height * 4)
    for number, dot in enumerate(dots):
        row, column = dot // 10 * 32, dot % 10 * 32
        at = (row * SCREEN.width + column) * 4
        pixels[at : at + 4] = bytes((number + 1, 9, 9, 9))
    button = Element("e1", "push button", "Go", Rect(100, 100, 60, 20), window=window)
    more = [
        Element(f"t{n}", role, name, Rect(100, 130 + 20 * n, 60, 18), window=window)
        for n, (role, name) in enumerate(things)
    ]
    return Observation(
        Frame(bytes(pixels), SCREEN, 1, 0.0),
        Viewport(SCREEN, Size(320, 320), 1),
        (button, *more),
        window=window,
    )


def levels(
    turns: Sequence[tuple[tuple[Op, ...], Observation]], goal: str = "", *, paced: bool = False
) -> list[str]:
    breaker = LoopBreaker(goal, paced=paced)
    return [breaker.judge(actions, seen).level for actions, seen in turns]


def asked_in(found: list[str]) -> int:
    return found.index("ask") + 1 if "ask" in found else 0


def cycle(*turns: tuple[tuple[Op, ...], Observation]) -> list[tuple[tuple[Op, ...], Observation]]:
    return [turns[n % len(turns)] for n in range(12)]


A, B = look(window="One"), look(window="Two")
TRAPS: dict[str, list[tuple[tuple[Op, ...], Observation]]] = {
    "a dead button": cycle((PRESS, look())),
    "a clock in a label": [(PRESS, look(("label", f"12:00:{n:02}"), dots=[42])) for n in range(12)],
    "a clock that is only drawn": [(PRESS, look(dots=[0] * (n + 1))) for n in range(12)],
    "two windows that open each other": cycle((PRESS, A), (PRESS, B)),
    "three steps that lead round": cycle((PRESS, A), (PRESS, B), (PRESS, look(("label", "Words")))),
    "a list that repeats itself": cycle(
        (SCROLL, look(("list item", "Apple"))), (SCROLL, look(("list item", "Pear")))
    ),
    "waiting without end": cycle(((ops.Wait(2),), look(("label", "Importing")))),
    "a counter": [(PRESS, look(("label", f"Attempt {n} failed"))) for n in range(12)],
}


@pytest.mark.parametrize("name", TRAPS)
def test_the_user_is_asked_within_six_turns(name: str) -> None:
    found = levels(TRAPS[name])
    assert 0 < asked_in(found) <= 6, found
    assert "other way" in found[: asked_in(found)], found


NAMES = ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fritz", "Gerd", "Hans", "Ida", "Jon", "Kim", "Lea"]
LONG: dict[str, tuple[str, list[tuple[tuple[Op, ...], Observation]]]] = {
    "pages with other words": ("", [(PRESS, look(("label", f"Tell us about {name}"))) for name in NAMES]),
    "a list that brings new things": ("", [(SCROLL, look(("list item", name))) for name in NAMES]),
    "a number that comes nearer": ("Set it to 12", [(PRESS, look(("label", str(n)))) for n in range(12)]),
    "another field each time": ("", [((ops.Type(f"text {n}", element="e1"),), look(("entry", f"F{n}"))) for n in range(12)]),
    "a picture that changes elsewhere": ("", [((ops.KeyCombo(("down",)),), look(dots=[7 * n])) for n in range(12)]),
    "a bar that grows": (
        "", [((ops.Wait(2),), look(("progress bar", f"{'=' * n}"))) for n in range(12)]
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_what_leads_on_is_not_stopped(name: str) -> None:
    goal, turns = LONG[name]
    assert levels(turns, goal) == [""] * len(turns)


def test_what_is_known_is_not_done_for_ever_without_an_end_in_sight() -> None:
    def asked(*names: str) -> int:
        found = levels([(PRESS, look(("label", name), dots=[n % 90, n % 7])) for n, name in enumerate(names)])
        return asked_in(found)

    words = [f"Found {chr(97 + n % 26)}{chr(97 + n // 26)}{chr(97 + n % 5)}x" for n in range(60)]
    assert 28 < asked(*words) < 36, "other words without end"
    assert 28 < asked(*(f"{word}, attempt {n}" for n, word in enumerate(words))) < 36, "attempts"
    assert 0 < asked(*(f"{word}, place {n * 7 % 11} of 40" for n, word in enumerate(words))) < 13, (
        "to and fro"
    )
    assert 0 < asked(*(f"{word}, {n} of {n + 9}" for n, word in enumerate(words))) < 36, (
        "an end that moves away"
    )
    assert 34 < asked(*(f"{word}, page {n}" for n, word in enumerate(words))) < 40, "pages without a last one"
    assert asked(*(f"{word}, page {n} of 60" for n, word in enumerate(words))) == 0
    assert asked(*(f"{word}, {60 - n} left" for n, word in enumerate(words))) == 0
    assert asked(*(f"{word}, {n} % done" for n, word in enumerate(words))) == 0


def test_a_round_that_begins_again_is_noticed_by_its_texts() -> None:
    texts = ("Ines Barth", "12 April 1988", "28203")
    turns: list[tuple[tuple[Op, ...], Observation]] = []
    for n in range(15):
        typed = (ops.Click(100 + 30 * n, 50), ops.Type(texts[n % 3]))
        turns += [
            (typed, look(("label", f"Welcome {NAMES[n % 12]}"), dots=[n])),
            (PRESS, look(dots=[n, n + 1])),
        ]
    assert 9 <= asked_in(levels(turns)) <= 14, levels(turns)


def test_the_same_question_about_one_thing_after_the_other_is_left_alone() -> None:
    turns: list[tuple[tuple[Op, ...], Observation]] = []
    for n in range(30):
        turns += [
            (PRESS, look(("label", f"{30 - n} mails"))),
            (PRESS, look(("label", "Delete?"), window="Question")),
        ]
    assert set(levels(turns)[4:]) == {""}, levels(turns)


def test_it_tells_then_demands_then_asks() -> None:
    assert levels(TRAPS["a dead button"])[:4] == ["", "tell", "other way", "ask"]


def test_new_tries_without_any_effect_count() -> None:
    breaker = LoopBreaker()
    found = []
    for n in range(6):
        found.append(breaker.judge((ops.Click(x=30 * n, y=5),), look()).level)
        breaker.noted(["unchanged"])
    assert found == ["", "", "", "tell", "other way", "ask"]


def test_the_users_words_start_it_afresh() -> None:
    breaker = LoopBreaker()
    assert [breaker.judge(PRESS, look()).level for _ in range(2)] == ["", "tell"]
    breaker.forgive("Try it again")
    assert breaker.judge(PRESS, look()).level == ""


def test_a_model_that_bounds_its_own_waiting_may_wait() -> None:
    assert levels(TRAPS["waiting without end"], paced=True) == [""] * 12


def test_waiting_in_vain_is_drawn_out_before_it_counts() -> None:
    breaker = LoopBreaker()
    found = [breaker.judge((ops.Wait(0.2),), look(("label", "Importing"))) for _ in range(5)]
    assert [each.level for each in found] == ["", "", "tell", "other way", "ask"]
    first, second, third, *_ = (each.patience for each in found)
    assert first == 0 < second < third


def test_other_words_do_not_draw_out_a_wait_without_end() -> None:
    words = [
        (("label", f"{name} is looking for you"), ("label", f"{n % 4} before you"))
        for n, name in enumerate(NAMES * 4)
    ]
    found = levels([((ops.Wait(2),), look(*things, dots=[n % 90])) for n, things in enumerate(words)])
    assert 0 < asked_in(found) < 16, found


def test_a_wait_that_begins_again_and_again_is_noticed() -> None:
    things = [
        (("progress bar", f"{n % 5 * 20} %"), ("label", f"{n % 5 * 80.5} of 400 MB")) for n in range(40)
    ]
    found = levels([((ops.Wait(2),), look(*each, dots=[n])) for n, each in enumerate(things)])
    assert 0 < asked_in(found) < 20, found
    slow = [(("progress bar", f"{n} %"), ("label", f"{n * 4.5} of 400 MB")) for n in range(40)]
    assert set(levels([((ops.Wait(2),), look(*each, dots=[n])) for n, each in enumerate(slow)])) == {""}


def test_something_new_ends_a_wait() -> None:
    breaker = LoopBreaker()
    breaker.judge((ops.Wait(0.2),), look(("label", "Importing")))
    assert not breaker.shows_more(look(("label", "Importing")))
    assert breaker.shows_more(look(("label", "Imported")))
    assert breaker.shows_more(look(("label", "Importing"), window="Result"))


def test_what_was_done_before_is_no_other_way() -> None:
    a, b = (ops.ClickElement(element="e1"),), (ops.KeyCombo(("down",)),)
    one, two = look(("label", "One")), look(("label", "Two"))
    assert levels([(a, one), (b, two), (a, one), (b, one)]) == ["", "", "other way", "ask"]
    assert levels([(a, one), (b, two), (a, one), ((ops.KeyCombo(("up",)),), one)])[-1] == ""


def test_what_fails_again_or_is_typed_again_counts_whatever_else_is_new() -> None:
    failed = [(PRESS, look(("label", f"Error {name}: try again"))) for name in NAMES]
    assert 0 < asked_in(levels(failed)) <= 6
    said = [
        turn
        for name in NAMES
        for turn in (
            ((ops.Type("yes, cancel it"),), look(("label", f"{name} writes"))),
            (PRESS, look(("label", f"{name} has written"))),
        )
    ]
    assert 0 < asked_in(levels(said)) <= 9
    rows = [
        turn
        for n, name in enumerate(NAMES)
        for turn in (
            ((ops.Click(x=30 + 25 * n, y=5),), look(("list item", name))),
            ((ops.Type("not applicable"),), look(("list item", f"{name}: it is here"))),
        )
    ]
    assert set(levels(rows)) == {""}
    short = [((ops.Type("y"),), look(("label", f"{name} asks"))) for name in NAMES]
    assert set(levels(short)) == {""}


def test_a_number_that_goes_up_and_down_is_none_that_comes_nearer() -> None:
    jitter = [5, 4, 5, 4, 5, 4, 5, 4, 5, 4]
    assert asked_in(levels([(PRESS, look(("label", f"About {n} minutes"))) for n in jitter], "2 tickets"))


def test_one_record_entered_after_the_other_is_told_at_most() -> None:
    records = [
        turn
        for name in NAMES
        for turn in (
            (PRESS, look(("label", "4 records"))),
            ((ops.Type(name),), look(window="Record")),
            ((ops.KeyCombo(("enter",)),), look(("entry", name), window="Record")),
        )
    ]
    assert set(levels(records)) == {"", "tell"}


def test_silence_is_asked_about_at_the_third_time() -> None:
    breaker = LoopBreaker()
    assert [breaker.judge((), look(dots=[n])).level for n in range(3)] == ["", "", "ask"]


def test_words_are_never_the_same_as_others() -> None:
    made: list[Callable[[], tuple[Op, ...]]] = [lambda: (ops.Type("one"),), lambda: (ops.Type("two"),)]
    assert levels([(each(), look()) for each in made]) == ["", ""]


def test_two_shares_side_by_side_are_no_progress_that_turned_back() -> None:
    beside = (("label", "Zoom 100 %"), ("label", "Battery 80 %"))
    words = [f"Found {chr(97 + n % 26)}{chr(97 + n // 26)}{chr(97 + n % 5)}x" for n in range(24)]
    assert set(levels([(PRESS, look(("label", word), *beside)) for word in words])) == {""}


def test_the_users_words_let_a_list_be_gone_through_once_more() -> None:
    breaker = LoopBreaker("Scroll through it")
    names = [look(("list item", name)) for name in NAMES]
    first = [breaker.judge(SCROLL, each).level for each in names]
    breaker.forgive("Scroll through it once more")
    assert first == [breaker.judge(SCROLL, each).level for each in names] == [""] * len(NAMES)


def test_what_a_run_remembers_of_numbers_is_bounded() -> None:
    breaker = LoopBreaker("Set it to 12 and 40")
    for n in range(6_000):
        breaker.judge(PRESS, look(("label", f"{chr(97 + n % 26)}{n * 7919 % 10007:x} {n} x {n}")))
    assert len(breaker._nearest) < 6_000 and len(breaker._progress._courses) < 6_000
