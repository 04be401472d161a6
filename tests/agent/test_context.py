"""The conversation: what is recorded, what is taken out of it, and what a log leaves of it."""

from __future__ import annotations

import base64
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.context.context import SUMMARY, TAKEN_OUT, Context, restored
from desktop_agent.agent.context.summary import HARD, Shortener
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.model_dialogue import ModelDialogue
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.agent.run_loop import OPERATIONS
from desktop_agent.agent.runlog import hash_chained_log
from desktop_agent.agent.runlog.hash_chained_log import RunStore
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.llm.base import ContextLimits, Model, SpokenAnswer, Support, TokenUsage
from desktop_agent.protocol.chat_messages import (
    GivenBlock,
    Message,
    PictureBlock,
    ResultBlock,
    Role,
    TextBlock,
    for_provider,
    text_of,
)
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.stop_flag import StopFlag
from tests.support.memory_desk import ScriptedModel

PNG = PictureBlock("image/png", Size(1, 1), base64.b64encode(b"a picture").decode())


@pytest.fixture
def feed(tmp_path: Path) -> Feed:
    found = Feed()
    found.store = RunStore(tmp_path / "run")
    return found


def read_back(feed: Feed) -> tuple[Message, ...]:
    assert feed.store is not None
    return restored(hash_chained_log.read(feed.store.path))


class Summing(Model):
    """Sums up with the words it was given, or fails with them."""

    name = "summing"

    def __init__(self, answer: str | ModelError, limits: ContextLimits, questions: bool = True) -> None:
        self.support = Support(questions=questions, context=limits)
        self.answer = answer
        self.asked: list[str] = []

    def reply(self, *_: object, **__: object) -> None:  # type: ignore[override]
        raise NotImplementedError

    def ask(self, system, messages, *, stop):  # type: ignore[no-untyped-def]
        self.asked.append(text_of(messages))
        if isinstance(self.answer, ModelError):
            raise self.answer
        return SpokenAnswer(self.answer, TokenUsage(input=7))


def long_talk(feed: Feed, messages: int, words: int = 100) -> Context:
    context = Context(feed)
    for number in range(messages):
        role: Role = "environment" if number % 2 else "assistant"
        context.add(role, TextBlock(f"{number} " + "word " * (words - 1)))
    return context


def shorten(model: Model, context: Context, feed: Feed, spent: list[TokenUsage], tokens: int = 0) -> bool:
    return Shortener(model, context, feed, spent.append).shorten("system", (), tokens, StopFlag())


def test_neighbours_of_a_role_are_one_message_and_each_saying_is_recorded(feed: Feed) -> None:
    context = Context(feed)
    context.add("user", TextBlock("one"))
    context.add("user", TextBlock("two"))
    context.add("environment")
    assert context.messages == (Message("user", (TextBlock("one"), TextBlock("two"))),)
    assert read_back(feed) == context.messages


def test_pictures_are_files_of_the_run_and_not_in_its_log(feed: Feed, tmp_path: Path) -> None:
    context = Context(feed)
    context.add("environment", TextBlock("look"), PNG)
    (picture,) = [each for each in context.messages[0].content if isinstance(each, PictureBlock)]
    assert (tmp_path / "run" / picture.file).read_bytes() == b"a picture"
    assert picture.data == PNG.data
    assert PNG.data not in (tmp_path / "run" / "events.jsonl").read_text()


def test_what_is_passing_is_taken_out_and_the_rest_stays(feed: Feed) -> None:
    context = Context(feed)
    context.add("environment", TextBlock("clicked"), TextBlock("a window", passing=True), PNG)
    context.add("assistant", TextBlock("and now"))
    context.add("environment", PNG)
    context.take_out_passing()
    assert text_of(context.messages) == f"clicked\n\nand now\n\n{TAKEN_OUT}"
    assert read_back(feed) == context.messages


def test_beyond_the_limit_a_summary_takes_the_place_of_all_but_the_last_messages(feed: Feed) -> None:
    context, spent = long_talk(feed, 12), list[TokenUsage]()
    model = Summing("All went well.", ContextLimits(words=1_000))
    before = context.messages
    assert shorten(model, context, feed, spent)
    assert context.messages[0].role == "assistant"
    assert text_of(context.messages[:1]).startswith(SUMMARY + "All went well.")
    assert context.messages[1:] == before[-5:]
    assert [each.input for each in spent] == [7]
    assert "11 word" in model.asked[0] and "0 word" in model.asked[0]
    assert read_back(feed) == context.messages
    assert not shorten(model, context, feed, spent)


@pytest.mark.parametrize("answer", ["", "  \n", ModelError("cut off")])
def test_no_summary_replaces_nothing_and_is_tried_again_only_later(
    feed: Feed, answer: str | ModelError
) -> None:
    context = long_talk(feed, 12)
    model = Summing(answer, ContextLimits(words=1_000))
    shortener = Shortener(model, context, feed, lambda _: None)
    before = context.messages
    for _ in range(3):
        assert not shortener.shorten("system", (), 0, StopFlag())
    assert context.messages == before == read_back(feed)
    assert len(model.asked) == 1
    context.add("environment", TextBlock("word " * 400))
    assert not shortener.shorten("system", (), 0, StopFlag())
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("limits", "questions"),
    [
        (ContextLimits(words=1_000, strategy="truncate", keep=3), True),
        (ContextLimits(words=1_000, keep=3), False),
        (ContextLimits(words=500, keep=3, strategy="provider"), True),
    ],
)
def test_plain_truncation_where_it_is_chosen_or_nothing_else_works(
    feed: Feed, limits: ContextLimits, questions: bool
) -> None:
    context = long_talk(feed, 12 if limits.strategy != "provider" else HARD * 6)
    model = Summing("summary", limits, questions)
    before = context.messages
    assert shorten(model, context, feed, [])
    assert context.messages == before[-3:] == read_back(feed)
    assert not model.asked


def test_a_call_that_nearly_fills_the_window_of_the_model_is_too_long(feed: Feed) -> None:
    context = long_talk(feed, 12)
    model = Summing("short", ContextLimits(words=100_000))
    model.support = msgspec.structs.replace(model.support, context_tokens=10_000)
    assert not shorten(model, context, feed, [], tokens=7_000)
    assert shorten(model, context, feed, [], tokens=7_001)


def test_the_size_of_the_last_call_counts_where_a_limit_of_tokens_is_set(feed: Feed) -> None:
    context = long_talk(feed, 12)
    model = Summing("short", ContextLimits(words=100_000, tokens=5_000))
    assert not shorten(model, context, feed, [], tokens=5_000)
    assert shorten(model, context, feed, [], tokens=5_001)


def test_calls_that_were_cut_short_are_told_by_the_record_alone() -> None:
    context = Context(Feed())
    context.add(
        "assistant", GivenBlock("anthropic", {"type": "tool_use", "id": "t1", "name": "computer"}, "", "t1")
    )
    model = ScriptedModel("")
    ModelDialogue(model, Prompter(OPERATIONS, 8), Inbox(), Feed(), context).resume(2, 0)
    *_, (answer,) = (each.content for each in for_provider(context.messages, "go on", "anthropic"))
    assert isinstance(answer, ResultBlock) and answer.call == "t1" and not answer.error
    assert "in the record" in str(answer.content) and "Not executed" not in str(answer.content)
