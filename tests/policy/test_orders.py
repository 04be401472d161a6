"""What the user's words only mention is asked about; what they order is not."""

from __future__ import annotations

import pytest

from benchmarks.orders import SHIPPED, OrderCase, load, shipped, verdict_on
from desktop_agent.policy.facts.provenance import Provenance
from desktop_agent.policy.facts.words.act_kinds import kinds_ordered
from desktop_agent.policy.facts.words.orders import is_ordered

OWN = load(SHIPPED / "own.jsonl")


@pytest.mark.parametrize("case", [each for each in OWN if each.kind == "mention"], ids=lambda each: each.id)
def test_what_is_only_mentioned_is_asked_about(case: OrderCase) -> None:
    assert verdict_on(case).kind == "ask", case.goal


def test_of_the_orders_at_most_one_in_twenty_is_asked_about() -> None:
    orders = [each for each in OWN if each.kind == "order"]
    asked = [each.goal for each in orders if verdict_on(each).kind != "allow"]
    assert len(asked) <= len(orders) / 20, asked


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)], ids=["a fifth", "all"])
def test_of_what_strangers_only_mention_nothing_runs(every: int) -> None:
    mentions = [each for each in shipped() if each.kind == "mention"]
    assert len(mentions) > 900
    assert [each.goal for each in mentions[::every] if verdict_on(each).kind == "allow"] == []


def test_a_question_tells_the_words_that_a_command_stands_in() -> None:
    heard = Provenance()
    heard.hear(("I once ran rm -rf ~/old by mistake. Find out how to get the files back.",))
    origin = heard.carried_out("rm -rf ~/old", confirmed=True)
    assert origin.source != "user"
    assert "I once ran rm -rf ~/old by mistake." in origin.words


def test_a_later_sentence_takes_an_order_back() -> None:
    assert is_ordered("run", "make clean", ("Run make clean.",))
    assert not is_ordered("run", "make clean", ("Run make clean.", "No, do not run it."))


@pytest.mark.parametrize(
    ("goal", "kind"),
    [
        ("Chuck a.txt out", "delete"),
        ("a.txt can go", "delete"),
        ("I no longer need a.txt, please get rid of it", "delete"),
        ("Throw a.txt away", "delete"),
        ("Shift a.txt to the recycle bin", "delete"),
        ("Schmeiß a.txt weg", "delete"),
        ("a.txt kann weg", "delete"),
        ("Lass a.txt verschwinden", "delete"),
        ("Make a.txt disappear", "delete"),
        ("I want a.txt gone", "delete"),
        ("a.txt has to go", "delete"),
        ("Out with a.txt", "delete"),
        ("Die Datei a.txt brauche ich nicht mehr, lösch sie", "delete"),
        ("Drop Bob a line saying hi", "send"),
        ("Gib Bob per Mail Bescheid, dass ich komme", "send"),
        ("Wire 50 euros to Bob", "buy"),
        ("Bitte die Rechnung begleichen", "buy"),
    ],
)
def test_an_act_is_ordered_in_other_words_than_those_on_buttons(goal: str, kind: str) -> None:
    assert kinds_ordered((goal,)) == {kind}


@pytest.mark.parametrize(
    "goal",
    [
        "Keep a.txt, don't toss it.",
        "Frag Bob, ob a.txt weg kann",
        "Bob meint, a.txt kann weg. Mach eine Kopie.",
        "Open the message from Bob",
        "Transfer the image to Pictures",
        "Let me know when Bob wrote",
    ],
)
def test_an_act_that_is_spoken_of_in_other_words_is_not_ordered(goal: str) -> None:
    assert not kinds_ordered((goal,))
