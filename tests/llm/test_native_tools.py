"""The providers' own computer tools through the real SDKs, against a server that refuses what theirs refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from desktop_agent.llm.base import Answer, ContextLimits, Model
from desktop_agent.llm.transport.picture import Pictures
from desktop_agent.protocol.chat_messages import (
    UNANSWERED,
    GivenBlock,
    Message,
    PictureBlock,
    ResultBlock,
    TextBlock,
    words_of,
)
from desktop_agent.protocol.dialects import anthropic_tools, openai_tools
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.ops import Click, Done
from desktop_agent.protocol.stop_flag import StopFlag
from tests.llm.asking import OPERATIONS, ask, failure, make, observation
from tests.llm.fake_server import FakeServer

DIALECTS = {
    "anthropic": dialect_of("anthropic_tools", anthropic_tools),
    "openai": dialect_of("openai_tools", openai_tools),
}
PICTURE = PictureBlock("image/png", Size(1, 1), "iVBORw0KGgo=")
each_native = pytest.mark.parametrize("provider", DIALECTS)

THOUGHT = {"type": "thinking", "thinking": "A button. Ich drücke ihn.", "signature": "c2lnbmVk"}
CLICK: dict[str, Any] = {
    "type": "tool_use",
    "id": "toolu_1",
    "name": "left_click",
    "toolset_name": "computer",
    "input": {"coordinate": [30, 40]},
}
SAVED = {"type": "tool_use", "id": "toolu_2", "name": "done", "input": {"summary": "Gespeichert “hier”."}}
BLOCKS = [THOUGHT, {"type": "text", "text": "Ich drücke “Save”."}, CLICK, SAVED]
REASONED = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ZW5j"}
SPOKEN: dict[str, Any] = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
    "content": [{"type": "output_text", "text": "Ich drücke “Save”.", "annotations": []}]}  # fmt: skip
PRESS = {"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed", "pending_safety_checks": [],
    "actions": [{"type": "click", "button": "left", "x": 30, "y": 40}]}  # fmt: skip
FINISH = {"type": "function_call", "id": "fc_1", "call_id": "call_2", "name": "done", "status": "completed",
    "arguments": '{"summary": "Gespeichert “hier”."}'}  # fmt: skip
SAID = {"anthropic": BLOCKS, "openai": [REASONED, SPOKEN, PRESS, FINISH]}
CALLS = {"anthropic": ("toolu_1", "toolu_2"), "openai": ("call_1", "call_2")}


def native(
    provider: str, server: FakeServer, said: list[dict[str, Any]] | None = None, **given: Any
) -> Model:
    server.answer = lambda _: json.dumps(SAID[provider] if said is None else said, ensure_ascii=False)
    return make(provider, server.url, **given)


def asked(
    model: Model, *messages: Message, on_note: Callable[[str], None] = lambda _: None, **given: Any
) -> Answer:
    dialect = DIALECTS[model.provider]  # type: ignore[attr-defined]
    assert dialect.tools is not None
    look = words_of("what you see", "environment")
    told = messages or (
        Message("user", (TextBlock("the goal"), Pictures().of(observation(), model.support))),
    )
    more = {"messages": (*told, look), "schema": None, "dialect": dialect, "tools": dialect.tools(OPERATIONS)}
    return ask(model, on_note=on_note, **(more | given))


def history(
    provider: str, *results: ResultBlock, said: list[dict[str, Any]] | None = None
) -> tuple[Message, ...]:
    """A conversation in which the model has spoken once."""
    raw = json.dumps(SAID[provider] if said is None else said, ensure_ascii=False)
    spoken = DIALECTS[provider].messages(raw)
    begun = (words_of("the goal"), Message("environment", (TextBlock("a look"), PICTURE)))
    return (*begun, *spoken, *((Message("environment", results),) if results else ()))


@each_native
@pytest.mark.parametrize("stream", [True, False])
def test_calls_are_operations_and_the_words_beside_them_a_note(
    server: FakeServer, provider: str, stream: bool
) -> None:
    heard: list[str] = []
    answer = asked(native(provider, server, stream=stream), on_note=heard.append)
    assert answer.reply.actions == (Click(30, 40), Done("Gespeichert “hier”."))
    assert answer.reply.notes == "Ich drücke “Save”." == "".join(heard)
    assert (len(heard) > 1) == stream
    assert json.loads(answer.raw) == SAID[provider]
    assert [(each.id, each.first, each.count) for each in answer.calls] == [
        (CALLS[provider][0], 0, 1), (CALLS[provider][1], 1, 1)]  # fmt: skip
    assert answer.usage.cached == 1000


@each_native
def test_what_was_said_is_handed_back_as_it_came_with_an_answer_to_every_call(
    server: FakeServer, provider: str
) -> None:
    first, second = CALLS[provider]
    results = (
        ResultBlock(first, (TextBlock("done"), PICTURE)),
        ResultBlock(second, (TextBlock("no"),), error=True),
    )
    asked(native(provider, server), *history(provider, *results))
    body = server.seen[0].body
    if provider == "anthropic":
        assert body["messages"][1]["content"] == BLOCKS
        told = body["messages"][2]["content"]
        assert [each["type"] for each in told] == ["tool_result", "tool_result", "text"]
        assert (
            told[0]["toolset_name"] == "computer"
            and "is_error" not in told[0]
            and told[1]["is_error"] is True
        )
        assert body["tools"][0] == {"type": "computer_toolset_20260801"}
    else:
        assert body["input"][1:5] == SAID["openai"]
        assert [each.get("type", each.get("role")) for each in body["input"][5:]] == [
            "computer_call_output", "function_call_output", "user"]  # fmt: skip
        assert body["tools"][0] == {"type": "computer"} and body["tools"][1]["strict"] is True


@each_native
def test_a_call_of_which_nothing_came_was_not_executed(server: FakeServer, provider: str) -> None:
    """After a stop, a pause or a restart from the log; else the provider refuses the conversation."""
    asked(native(provider, server), *history(provider), words_of("go on after the stop"))
    assert json.dumps(server.seen[0].body).count(UNANSWERED.text) == 2


@each_native
def test_an_answer_to_a_call_that_is_told_no_more_becomes_text(server: FakeServer, provider: str) -> None:
    results = tuple(ResultBlock(id, (TextBlock("an old outcome"),)) for id in CALLS[provider])
    asked(native(provider, server), words_of("the goal"), Message("environment", results))
    assert "an old outcome" in json.dumps(server.seen[0].body)


@each_native
def test_another_provider_is_told_the_calls_in_words(server: FakeServer, provider: str) -> None:
    other = next(each for each in DIALECTS if each != provider)
    asked(native(other, server), *history(provider, ResultBlock(CALLS[provider][0], (TextBlock("pressed"),))))
    told = json.dumps(server.seen[0].body, ensure_ascii=False)
    assert "done(" in told and "pressed" in told and CALLS[provider][0] not in told


@each_native
def test_a_question_in_words_offers_no_tools(server: FakeServer, provider: str) -> None:
    model = native(provider, server)
    server.answer = lambda _: "A summary."
    spoken = model.ask("system", history(provider, ResultBlock(CALLS[provider][0])), stop=StopFlag())
    assert spoken.text == "A summary." and "tools" not in server.seen[0].body


@each_native
@pytest.mark.parametrize("ending", ["cut_off", "refusal", "context"])
def test_half_a_call_is_never_carried_out(server: FakeServer, provider: str, ending: Any) -> None:
    server.once(server.ending(ending, json.dumps(SAID[provider])))
    words = {"cut_off": "cut off", "refusal": "declined", "context": "too long"}[ending]
    assert words in failure_of(native(provider, server))


def failure_of(model: Model) -> str:
    dialect = DIALECTS[model.provider]  # type: ignore[attr-defined]
    assert dialect.tools is not None
    error = failure(model, schema=None, dialect=dialect, tools=dialect.tools(OPERATIONS))
    return f"{error} {error.advice}"


@each_native
@pytest.mark.parametrize("trouble", ["429", "529", "broken off"])
def test_what_passes_is_asked_again(server: FakeServer, provider: str, trouble: str) -> None:
    said = json.dumps(SAID[provider])
    again = {
        "429": server.status(
            429, {"error": {"type": "rate_limit_error", "message": "slow"}}, retry_after="0"
        ),
        "529": server.status(
            529, {"error": {"type": "overloaded_error", "message": "busy"}}, retry_after="0"
        ),
        "broken off": server.broken_off(said),
    }[trouble]
    server.once(again)
    assert asked(native(provider, server)).reply.actions[0] == Click(30, 40)
    assert len(server.seen) == 2


@each_native
def test_a_server_that_refuses_strict_tools_is_offered_plain_ones(server: FakeServer, provider: str) -> None:
    refused = {"error": {"type": "invalid_request_error", "message": "tools.3: invalid schema: too complex"}}
    server.once(server.status(400, refused))
    asked(native(provider, server))
    assert [any(tool.get("strict") for tool in seen.body["tools"]) for seen in server.seen] == [True, False]


@each_native
def test_an_operation_that_is_not_offered_is_refused(server: FakeServer, provider: str) -> None:
    with pytest.raises(BadReply, match="not available"):
        asked(native(provider, server), operations=("done",))


def test_a_paused_answer_is_sent_back_until_it_is_whole(server: FakeServer) -> None:
    model = native("anthropic", server, [CLICK], stream=False)
    server.once(server.rewritten(json.dumps([THOUGHT]), stop_reason="pause_turn"))
    answer = asked(model)
    assert json.loads(answer.raw) == [THOUGHT, CLICK] and answer.usage.input == 2400
    assert server.seen[1].body["messages"][-1] == {"role": "assistant", "content": [THOUGHT]}


def test_an_input_that_is_no_json_cannot_be_used(server: FakeServer) -> None:
    answer = asked(native("anthropic", server, [{**CLICK, "input": '{"coordinate": [3, '}]))
    assert answer.reply.actions == () and "unknown field" in answer.calls[0].problem


def test_the_older_tool_is_declared_with_its_size_and_beta_header(server: FakeServer) -> None:
    older = {**CLICK, "name": "computer", "input": {"action": "left_click", "coordinate": [30, 40]}}
    del older["toolset_name"]
    model = native("anthropic", server, [older], model="claude-opus-4-6")
    assert asked(model).reply.actions == (Click(30, 40),)
    tool, shown = server.seen[0].body["tools"][0], observation().viewport.image
    assert tool == {"type": "computer_20251124", "name": "computer", "enable_zoom": True,
        "display_width_px": shown.width, "display_height_px": shown.height}  # fmt: skip


def test_which_dialect_a_model_speaks() -> None:
    assert (
        make("anthropic", "").dialect == "anthropic_tools" and make("openai", "/x").dialect == "openai_tools"
    )
    assert make("anthropic", "", computer_tool="").dialect == "json"
    assert make("anthropic", "", model="something-else").dialect == "json"
    assert make("openai", "/x", images=False).dialect == "json"
    assert make("openai", "/x").support.whole_pictures and not make("anthropic", "").support.whole_pictures


def test_a_dialect_of_another_provider_is_refused_before_anything_is_sent(server: FakeServer) -> None:
    model = make("anthropic", server.url)
    assert "does not speak" in str(failure(model, dialect=DIALECTS["openai"]))
    assert not server.seen


COMPACTION: dict[str, dict[str, Any]] = {"anthropic": {"type": "compaction", "content": "So far: all is open."},
    "openai": {"type": "compaction", "id": "cmp_1", "encrypted_content": "Y29tcA"}}  # fmt: skip


@each_native
@pytest.mark.parametrize("tools", [True, False])
def test_the_providers_own_compaction_is_asked_for_kept_and_handed_back(
    server: FakeServer, provider: str, tools: bool
) -> None:
    model = native(provider, server, [COMPACTION[provider], *SAID[provider]], stream=tools,
        conversation=ContextLimits(strategy="provider", tokens=60_000))  # fmt: skip
    if tools:
        answer = asked(model)
        assert json.loads(answer.raw) == SAID[provider]
    else:
        good = json.dumps({"notes": "", "actions": []})
        whole: list[Any] = [
            COMPACTION[provider],
            {**SPOKEN, "content": [{"type": "output_text", "text": good, "annotations": []}]},
        ]
        blocks = [COMPACTION[provider], {"type": "text", "text": good}]
        field = {"content": blocks} if provider == "anthropic" else {"output": whole}
        server.once(server.rewritten(good, **field))
        answer = ask(model)
    assert answer.given == (
        GivenBlock(provider, COMPACTION[provider], COMPACTION[provider].get("content", "")),
    )
    assert answer.given[0].stands_for_the_past
    body = server.seen[0].body
    wanted = {"type": "compaction", "compact_threshold": 60_000}
    edit = {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 60_000}}
    assert body["context_management"] == ([wanted] if provider == "openai" else {"edits": [edit]})
    server.answer = lambda _: json.dumps(SAID[provider] if tools else {"notes": "", "actions": []})
    kept = (words_of("the goal"), Message("assistant", answer.given), words_of("a look", "environment"))
    (asked(model, *kept) if tools else ask(model, messages=kept))
    assert COMPACTION[provider] in [*server.seen[1].body.get("input", ()), *_blocks(server.seen[1].body)]


def _blocks(body: dict[str, Any]) -> list[Any]:
    return [block for each in body.get("messages", ()) for block in each["content"]]


def test_why_anthropics_cache_was_missed_is_in_the_answer(server: FakeServer) -> None:
    model = native("anthropic", server, stream=False)
    asked(model)
    missed = {"cache_miss_reason": {"type": "tools_changed", "cache_missed_input_tokens": 900}}
    server.once(server.rewritten(json.dumps(BLOCKS), diagnostics=missed))
    assert asked(model).detail == missed
    assert [seen.body["diagnostics"] for seen in server.seen] == [
        {"previous_message_id": None}, {"previous_message_id": "msg_1"}]  # fmt: skip


def test_why_openais_cache_was_missed_is_in_the_answer(server: FakeServer) -> None:
    model = native("openai", server, stream=False)
    asked(model)
    told = {"type": "cache_miss", "reason": "tools_changed", "cache_missed_tokens": 900}
    server.once(server.rewritten(json.dumps(SAID["openai"]), prompt_cache_diagnostics=told))
    assert asked(model).detail == {"cache_miss_reason": told}
    assert server.seen[1].body["prompt_cache_options"] == {"comparison_response_id": "resp_1"}


def test_breakpoints_stand_at_the_end_of_the_newest_messages_of_the_user(server: FakeServer) -> None:
    results = tuple(ResultBlock(id, (TextBlock("done"),)) for id in CALLS["anthropic"])
    long = history("anthropic", *results) + history("anthropic", *results)[1:]
    asked(native("anthropic", server), *long)
    body = server.seen[0].body
    marked = [index for index, each in enumerate(body["messages"]) if "cache_control" in each["content"][-1]]
    assert marked == [len(body["messages"]) - 3, len(body["messages"]) - 1]


WARNED = {
    **PRESS,
    "pending_safety_checks": [{"id": "cu_sc", "code": "malicious_instructions", "message": "Careful."}],
}


@pytest.mark.parametrize("accepted", [True, False])
def test_what_the_provider_warned_of_is_acknowledged_only_after_a_yes(
    server: FakeServer, accepted: bool
) -> None:
    result = ResultBlock("call_1", (TextBlock("an outcome"), PICTURE), accepted=accepted)
    asked(native("openai", server), *history("openai", result, said=[REASONED, WARNED]))
    told = json.dumps(server.seen[0].body["input"])
    assert ("acknowledged_safety_checks" in told) == accepted == ("computer_call" in told)
    assert "an outcome" in told and (accepted or "rs_1" not in told)


def test_an_old_call_whose_picture_was_taken_out_is_told_in_words(server: FakeServer) -> None:
    begun, _, *spoken = history("openai")
    result = Message("environment", (ResultBlock("call_1", (TextBlock("an outcome"),)),))
    asked(native("openai", server), begun, words_of("a look", "environment"), *spoken, result)
    told = json.dumps(server.seen[0].body["input"], ensure_ascii=False)
    assert "computer(" in told and "an outcome" in told
    assert not any(word in told for word in ("computer_call", "reasoning", "function_call"))


def test_an_unchanged_screen_answers_a_call_with_the_picture_before(server: FakeServer) -> None:
    result = Message(
        "environment", (ResultBlock("call_1", (TextBlock("same as before"),)), ResultBlock("call_2"))
    )
    asked(native("openai", server), *history("openai"), result)
    output = next(each for each in server.seen[0].body["input"] if each.get("type") == "computer_call_output")
    assert output["output"]["image_url"] == PICTURE.data_url
