"""The bill of a run: its sums, what is not known, and its words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from desktop_agent.agent import bill_words
from desktop_agent.agent.limits import Bill
from desktop_agent.llm.base import Answer, Conversation, PaidBadReply, TokenUsage
from desktop_agent.protocol.agent_events import FeedEvent, Spent, Usage
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.language import use_language
from desktop_agent.vision.observation import Observation
from tests.agent.test_run_loop import DONE
from tests.support.memory_desk import Bench, ScriptedModel


def billed(*calls: tuple[int, TokenUsage]) -> Usage:
    bill = Bill()
    *_, last = [bill.add(usage, turn, 40) for turn, usage in calls]
    return last


def test_the_run_adds_up_and_the_last_step_stands_alone() -> None:
    total = billed(
        (1, TokenUsage(100, 50, 10, 0.25, 20)),
        (2, TokenUsage(200, 150, 20, 0.5)),
        (2, TokenUsage(10, 0, 5, 0.25, 3)),
    )
    assert (total.step, total.max_steps) == (2, 40)
    assert (total.input_tokens, total.cached_tokens, total.written_tokens, total.output_tokens) == (
        310,
        200,
        23,
        35,
    )
    assert (total.dollars, total.dollars_complete) == (1.0, True)
    assert total.this_step == Spent(210, 150, 3, 25, 0.75)


def test_a_call_without_a_price_makes_the_sum_a_lower_bound() -> None:
    total = billed((1, TokenUsage(100, 0, 10, 0.5)), (2, TokenUsage(100, 0, 10)))
    assert (total.dollars, total.dollars_complete) == (0.5, False)
    assert bill_words.money(total) == "at least $0.50"
    assert bill_words.money(total.this_step) == "price unknown"
    assert bill_words.run_in_a_line(total).endswith("20 out, at least $0.50")


def test_without_any_price_the_money_is_unknown_and_never_nothing() -> None:
    total = billed((1, TokenUsage(100, 0, 10)), (2, TokenUsage(100, 0, 10)))
    assert total.dollars is None and not total.dollars_complete
    assert bill_words.money(total) == "price unknown"
    assert (
        bill_words.money(billed((1, TokenUsage(9, 0, 1, 0.004)), (2, TokenUsage(9, 0, 1)))) == "price unknown"
    )


def test_what_costs_nothing_is_no_unknown_price() -> None:
    assert bill_words.money(billed((1, TokenUsage(100, 0, 10, 0.0)))) == "$0.00"
    free = billed((1, TokenUsage(dollars=0.0)))
    assert bill_words.money(free) == bill_words.run_in_a_line(free) == bill_words.all_tokens(free) == ""


def test_all_of_it_in_words() -> None:
    total = Usage(
        step=7, max_steps=40, input_tokens=10_700, cached_tokens=9_200, written_tokens=300, output_tokens=500,
        dollars=0.04, this_step=Spent(1_020, 900, 0, 40, 0.004),
    )  # fmt: skip
    assert bill_words.whole(total) == (
        "Step 7 of 40",
        "This run: 10,700 tokens in (9,200 cached, 300 written to the cache), 500 out, $0.04",
        "This step: 1,020 tokens in (900 cached), 40 out, < $0.01",
    )
    assert bill_words.run_in_a_line(total).startswith("Used: 7 steps, 10,700 tokens in (9,200 cached, ")
    assert bill_words.all_tokens(total) == "11.2k" and bill_words.cached_percent(total) == 86


def test_numbers_are_shortened_without_a_jump() -> None:
    counts = (999, 1_000, 999_949, 999_950, 1_300_000)
    assert [bill_words.token_count(n) for n in counts] == ["999", "1.0k", "999.9k", "1.0M", "1.3M"]


class Stumbling(ScriptedModel):
    """Its first reply cannot be used, and costs as much as a good one."""

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        try:
            return super().reply(conversation, observation, on_note=on_note, stop=stop)
        except BadReply as error:
            raise PaidBadReply(error, TokenUsage(10, 5, 2)) from None


def test_a_reply_that_cannot_be_used_is_paid_too(tmp_path: Path) -> None:
    bench = Bench(Stumbling("no JSON", DONE), tmp_path)
    bench.run("press it")
    usages = bench.of(Usage)
    assert [(each.step, each.input_tokens, each.this_step.input_tokens) for each in usages] == [
        (1, 10, 10),
        (1, 20, 20),
    ]


def test_an_old_log_decodes() -> None:
    line = b'{"type":"usage","time":1.0,"step":3,"max_steps":9,"input_tokens":10,"cached_tokens":4,"output_tokens":2,"dollars":null}'
    usage = msgspec.json.decode(line, type=FeedEvent)
    assert isinstance(usage, Usage)
    assert (usage.written_tokens, usage.this_step) == (0, Spent())
    assert bill_words.money(usage) == "price unknown"


def test_a_bill_is_read_in_the_language_of_the_user() -> None:
    usage = Usage(
        step=2,
        max_steps=40,
        input_tokens=2700,
        cached_tokens=900,
        output_tokens=30,
        dollars=0.5,
        dollars_complete=False,
    )
    use_language("de")
    try:
        assert bill_words.run_in_a_line(usage) == (
            "Verbraucht: 2 Schritte, 2,700 Tokens hinein (900 aus dem Cache), 30 heraus, mindestens $0.50"
        )
        assert bill_words.whole(usage)[0] == "Schritt 2 von 40"
    finally:
        use_language("en")
