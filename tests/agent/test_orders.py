"""What the user's words only mention is asked about; what they order is not."""

from __future__ import annotations

import pytest

from benchmarks.orders import SHIPPED, OrderCase, load, verdict_on
from desktop_agent.agent.policy.scope.orders import is_ordered
from desktop_agent.agent.policy.text_flow.provenance import Provenance


@pytest.mark.parametrize(
    "case", [each for each in load(SHIPPED) if each.kind == "mention"], ids=lambda each: each.id
)
def test_what_is_only_mentioned_is_asked_about(case: OrderCase) -> None:
    assert verdict_on(case).kind == "ask", case.goal


def test_of_the_orders_at_most_one_in_twenty_is_asked_about() -> None:
    orders = [each for each in load(SHIPPED) if each.kind == "order"]
    asked = [each.goal for each in orders if verdict_on(each).kind != "allow"]
    assert len(asked) <= len(orders) / 20, asked


def test_a_question_tells_the_words_that_a_command_stands_in() -> None:
    heard = Provenance()
    heard.hear(("I once ran rm -rf ~/old by mistake. Find out how to get the files back.",))
    origin = heard.carried_out("rm -rf ~/old", confirmed=True)
    assert origin.source != "user"
    assert "I once ran rm -rf ~/old by mistake." in origin.words


def test_a_later_sentence_takes_an_order_back() -> None:
    assert is_ordered("run", "make clean", ("Run make clean.",))
    assert not is_ordered("run", "make clean", ("Run make clean.", "No, do not run it."))
