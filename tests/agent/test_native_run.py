"""A run in which the model speaks its provider's own tools: every call is answered with what came of it."""

from __future__ import annotations

import base64
import io
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from desktop_agent.agent.context.context import restored
from desktop_agent.agent.model_dialogue import NOT_USED
from desktop_agent.agent.prompting.turn_messages import AFTER_FAILURE, NOT_REACHED, NOTED
from desktop_agent.agent.runlog.hash_chained_log import read
from desktop_agent.llm.base import Answer, Conversation, Support
from desktop_agent.llm.openai import input_items
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.chat_messages import (
    UNANSWERED,
    GivenBlock,
    PictureBlock,
    ResultBlock,
    TextBlock,
    for_provider,
    texts_in,
)
from desktop_agent.protocol.dialects import anthropic_tools, openai_tools
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.protocol.geometry import Point, Size
from tests.agent.test_run_loop import DONE, turn
from tests.protocol.test_native_actions import computer, member
from tests.support.memory_desk import Bench, ScriptedModel

ANTHROPIC = dialect_of("anthropic_tools", anthropic_tools)
OPENAI = dialect_of("openai_tools", openai_tools)


def function(name: str, id: str = "f1", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def blocks(*said: dict[str, Any]) -> str:
    return json.dumps(said)


FINISHED = blocks(function("done", "end", summary="All done."))


class Seeing(ScriptedModel):
    """Is shown pictures, whole ones only where its tool wants it so."""

    def __init__(self, *texts: str, whole: bool = False) -> None:
        super().__init__(*texts)
        self.support = Support(image_format="png", whole_pictures=whole, proves_done=True)


def run(folder: Path, *said: str, goal: str = "press and type it", **more: Any) -> tuple[Bench, Seeing]:
    model = Seeing(*said, FINISHED)
    bench = Bench(model, folder, dialect=ANTHROPIC, **more)
    bench.run(goal)
    assert bench.states[-1] == "done", bench.events[-3:]
    return bench, model


def answers(conversation: Conversation, provider: str = "anthropic") -> dict[str, ResultBlock]:
    """The answers to the last calls, which stand first in the last message."""
    last = for_provider(conversation.messages, "Go on.", provider)[-1]
    found = [each for each in last.content if isinstance(each, ResultBlock)]
    assert list(last.content[: len(found)]) == found
    return {each.call: each for each in found}


def words(result: ResultBlock) -> str:
    return "\n".join(texts_in((result,)))


def pictures(result: ResultBlock) -> list[PictureBlock]:
    return [each for each in result.content if isinstance(each, PictureBlock)]


def test_each_call_is_answered_with_what_came_of_it(tmp_path: Path) -> None:
    plan = function("plan", "p", high_level=["Press it", "Type it"], step=1, scope=[])
    click, key = member("left_click", "a", coordinate=[140, 115]), member("key", "b", text="Tab", repeat=3)
    bench, model = run(tmp_path, blocks(plan, click, key))
    told = answers(model.asked[1])
    assert list(told) == ["p", "a", "b"] and not any(each.error for each in told.values())
    assert words(told["p"]) == NOTED
    assert "Clicked at 140,115: done" in words(told["a"]) and "Tab" not in words(told["a"])
    assert "Pressed Tab: done" in words(told["b"]) and "times)" in words(told["b"])
    assert bench.of(say.Plan)[0].steps == ("Press it", "Type it")
    assert "# What was done" not in model.asked[1].text
    assert not told["b"].error and not pictures(told["b"])


def test_after_a_failure_the_rest_is_not_executed(tmp_path: Path) -> None:
    outside = member("left_click", "b", coordinate=[5_000, 10])
    both = (member("mouse_move", "a", coordinate=[1, 2]), outside, member("type", "c", text="never"))
    bench, model = run(tmp_path, blocks(*both))
    told = answers(model.asked[1])
    assert [each.error for each in told.values()] == [False, True, True]
    assert "outside the picture" in words(told["b"]) and words(told["c"]) == AFTER_FAILURE
    assert [each.op for each in bench.of(say.Action)] == ["move", "click"]


def test_before_an_unknown_action_all_is_done_and_the_model_is_told(tmp_path: Path) -> None:
    said = (
        member("mouse_move", "a", coordinate=[1, 2]),
        member("levitate", "b"),
        member("type", "c", text="never"),
    )
    bench, model = run(tmp_path, blocks(*said))
    told = answers(model.asked[1])
    assert [each.error for each in told.values()] == [False, True, True]
    assert "levitate" in words(told["b"]) and "could not be used" in words(told["c"])
    assert [each.op for each in bench.of(say.Action)] == ["move"]


def test_a_screenshot_in_the_middle_is_of_that_moment(tmp_path: Path) -> None:
    """The desktop in memory has another colour after every event."""
    move, screenshot = member("mouse_move", "a", coordinate=[1, 2]), member("screenshot", "s")
    _, model = run(
        tmp_path,
        blocks(move, screenshot, member("mouse_move", "b", coordinate=[9, 9]), member("screenshot", "t")),
    )
    told = answers(model.asked[1])
    middle, last = (shade(*pictures(told[id])) for id in ("s", "t"))
    assert shade(first_picture(model.asked[0])) < middle < last
    message = for_provider(model.asked[1].messages, "", "anthropic")[-1]
    assert not any(isinstance(each, PictureBlock) for each in message.content), (
        "the new look answers the last call"
    )


def first_picture(conversation: Conversation) -> PictureBlock:
    found = (each for message in conversation.messages for each in message.content)
    return next(each for each in found if isinstance(each, PictureBlock))


def shade(picture: PictureBlock) -> int:
    image = Image.open(io.BytesIO(base64.b64decode(picture.data))).convert("L")
    return int(image.getextrema()[0])  # type: ignore[arg-type]


def test_zoom_shows_a_region_larger_and_coordinates_stay(tmp_path: Path) -> None:
    zoom = member("zoom", "z", region=[100, 50, 300, 150])
    bench, model = run(tmp_path, blocks(zoom, member("left_click", "a", coordinate=[140, 115])))
    result = answers(model.asked[1])["z"]
    (picture,) = pictures(result)
    assert picture.size == Size(800, 400) and "x 100 to 299, y 50 to 149" in words(result)
    assert bench.of(say.Action)[0].at == Point(140, 115)
    assert model.seen[1].viewport == model.seen[0].viewport


def test_a_zoom_outside_the_picture_is_told(tmp_path: Path) -> None:
    _, model = run(
        tmp_path, blocks(member("zoom", "z", region=[100, 50, 9_000, 150]), member("key", "k", text="a"))
    )
    told = answers(model.asked[1])
    assert "outside the picture" in words(told["z"]) and words(told["k"]) == AFTER_FAILURE


def test_the_pointers_place_is_told_as_it_is_then(tmp_path: Path) -> None:
    there, back = member("mouse_move", "a", coordinate=[33, 44]), member("mouse_move", "b", coordinate=[1, 2])
    _, model = run(tmp_path, blocks(there, member("cursor_position", "c"), back))
    assert "it is at 33,44" in words(answers(model.asked[1])["c"])


def test_other_families_zoom_too(tmp_path: Path) -> None:
    region = {"x": 100, "y": 50, "width": 200, "height": 100}
    model = Seeing(turn({"op": "zoom", "region": region}, {"op": "pointer_position"}), DONE)
    Bench(model, tmp_path, dialect=JSON).run()
    last = for_provider(model.asked[1].messages, "")[-1]
    shown = [each for each in last.content if isinstance(each, PictureBlock)]
    assert shown[0].size == Size(800, 400) and "Closer: x 100" in model.asked[1].text
    assert "it is at" in model.asked[1].text


def test_a_question_is_answered_with_the_users_words(tmp_path: Path) -> None:
    model = Seeing(blocks(function("ask", "q", question="Which?", choices=[])), FINISHED)
    bench = Bench(model, tmp_path, dialect=ANTHROPIC)
    bench.on_event = lambda e: bench.session.send("The red one") if isinstance(e, say.Question) else None
    bench.run()
    assert "answered: The red one" in words(answers(model.asked[1])["q"])


def test_a_call_that_a_pause_cut_off_was_not_executed(tmp_path: Path) -> None:
    said = blocks(function("pause", "p"), member("left_click", "a", coordinate=[1, 2]))
    model = Seeing(said, FINISHED)
    bench = Bench(model, tmp_path, dialect=ANTHROPIC)

    def resume(event: FeedEvent) -> None:
        if getattr(event, "state", "") == "paused":
            bench.session.resume()

    bench.on_event = resume
    bench.run()
    told = answers(model.asked[1])
    assert words(told["a"]) == NOT_REACHED and told["a"].error and not bench.of(say.Action)


def test_a_call_of_what_is_not_offered_is_refused_and_asked_again(tmp_path: Path) -> None:
    _, model = run(tmp_path, blocks(function("run", "r", environment="bash", command="ls")))
    told = for_provider(model.asked[1].messages, "Go on.", "anthropic")[-1]
    assert told.content[0] == ResultBlock("r", (NOT_USED,), error=True)
    assert "run is not available here" in "\n".join(texts_in(told.content[1:]))


def test_a_run_that_is_restored_has_its_open_calls_answered(tmp_path: Path) -> None:
    run(tmp_path, blocks(member("mouse_move", "a", coordinate=[1, 2])))
    (path,) = tmp_path.glob("*/events.jsonl")
    told = for_provider(restored(read(path)), "Go on.", "anthropic")
    assert [each.content[0] for each in told if isinstance(each.content[0], ResultBlock)][-1] == ResultBlock(
        "end", (UNANSWERED,), error=True
    )


# ---- OpenAI ----------------------------------------------------------------------------------


def items(*said: dict[str, Any]) -> str:
    return json.dumps([{"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "ZW5j"}, *said])


def ended(summary: str = "All done.") -> str:
    arguments = json.dumps({"summary": summary})
    return items({"type": "function_call", "call_id": "end", "name": "done", "arguments": arguments})


WARNED = computer(
    {"type": "click", "button": "left", "x": 10, "y": 10},
    pending_safety_checks=[
        {"id": "s1", "code": "malicious_instructions", "message": "The page gives orders."}
    ],
)


@pytest.mark.parametrize("decision", ["approve", "skip"])
def test_what_the_provider_warns_of_is_asked_before_anything_of_it_is_done(
    tmp_path: Path, decision: str
) -> None:
    model = Seeing(items(WARNED), ended(), whole=True)
    bench = Bench(model, tmp_path, dialect=OPENAI, permission="full")
    done: list[int] = []

    def decide(event: FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            done.append(len(bench.of(say.Action)))
            getattr(bench.session, decision)(event.id)

    bench.on_event = decide
    bench.run()
    (asked,) = bench.of(say.ApprovalAsked)
    assert "The page gives orders." in asked.words and not asked.lasting and done == [0]
    assert [row.text for row in asked.rows] == ["The page gives orders.", "click(left) at 10,10"]
    result = answers(model.asked[1], "openai")["c1"]
    told = input_items(for_provider(model.asked[1].messages, "", "openai"), "auto")
    acknowledged = [each for each in told if "acknowledged_safety_checks" in each]
    if decision == "approve":
        assert result.accepted and len(bench.of(say.Action)) == 1 and len(acknowledged) == 1
    else:
        assert not result.accepted and result.error and "the provider warned" in words(result)
        assert not bench.of(say.Action) and not acknowledged and "computer_call" not in json.dumps(told)


def test_every_call_of_openais_tool_is_answered_with_a_whole_picture(tmp_path: Path) -> None:
    click = {"type": "click", "button": "left", "x": 10, "y": 10}
    batch = computer({"type": "move", "x": 5, "y": 5}, {"type": "screenshot"}, click)
    model = Seeing(items(batch), items(computer({"type": "wait"}, id="c2")), ended(), whole=True)
    bench = Bench(model, tmp_path, dialect=OPENAI)
    bench.run()
    assert bench.states[-1] == "done"
    for conversation in model.asked[1:]:
        told = input_items(for_provider(conversation.messages, "", "openai"), "auto")
        outputs = [each for each in told if each.get("type") == "computer_call_output"]
        assert outputs and all(each["output"]["image_url"].startswith("data:image/png") for each in outputs)
    first = answers(model.asked[1], "openai")["c1"]
    middle, last = map(shade, pictures(first))
    assert middle < last, "the one of that moment, and the one after all of it"


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_what_was_sent_is_the_beginning_of_what_is_sent_next(tmp_path: Path, provider: str) -> None:
    """Else the provider reads all of it anew instead of from its cache."""
    if provider == "anthropic":
        texts = [blocks(member("mouse_move", f"m{n}", coordinate=[n, n])) for n in (1, 2, 3)]
        model, dialect = Seeing(*texts, FINISHED), ANTHROPIC
    else:
        texts = [items(computer({"type": "move", "x": n, "y": n}, id=f"m{n}")) for n in (1, 2, 3)]
        model, dialect = Seeing(*texts, ended(), whole=True), OPENAI
    Bench(model, tmp_path, dialect=dialect).run()
    told = [for_provider(asked.messages, "", provider) for asked in model.asked]
    sent = [input_items(each, "auto") if provider == "openai" else each for each in told]
    assert len(sent) == 4
    for before, after in itertools.pairwise(sent):
        assert len(before) < len(after) and after[: len(before)] == before


# ---- what the provider itself makes of the past -----------------------------------------------


class Compacting(Seeing):
    """Gets its older messages summed up by its provider before the second answer."""

    def reply(self, *given: Any, **more: Any) -> Answer:
        answer = super().reply(*given, **more)
        summed = GivenBlock("anthropic", {"type": "compaction", "content": "So far."}, "So far.")
        return answer if len(self.asked) != 2 else _with(answer, summed)


def _with(answer: Answer, block: GivenBlock) -> Answer:
    from dataclasses import replace

    return replace(answer, given=(block,), detail={"cache_miss_reason": {"type": "messages_changed"}})


def test_what_the_provider_summed_up_takes_the_place_of_the_past(tmp_path: Path) -> None:
    moves = [blocks(member("mouse_move", f"m{n}", coordinate=[n, n])) for n in (1, 2, 3)]
    model = Compacting(*moves, FINISHED)
    bench = Bench(model, tmp_path, dialect=ANTHROPIC)
    bench.run()
    begun, said, *_ = for_provider(model.asked[2].messages, "", "anthropic")
    assert [type(each) for each in begun.content] == [TextBlock]
    assert isinstance(said.content[0], GivenBlock) and said.content[0].is_compaction
    assert "m1" not in json.dumps(
        [each.call for m in model.asked[2].messages for each in m.content if isinstance(each, GivenBlock)]
    )
    assert pictures(answers(model.asked[2])["m2"]) or "<<<screen" in model.asked[2].text, "all is shown anew"
    (path,) = tmp_path.glob("*/events.jsonl")
    records = list(read(path))
    assert (
        next(each for each in records if each.kind == "provider").data["cache_miss_reason"]["type"]
        == "messages_changed"
    )
    kept = [b for m in restored(records) for b in m.content if isinstance(b, GivenBlock)]
    assert kept[0].is_compaction and "m1" not in [each.call for each in kept]
