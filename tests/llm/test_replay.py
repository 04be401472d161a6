"""Recorded answers come back in order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_agent.agent.runlog.hash_chained_log import RunStore
from desktop_agent.llm import replay
from desktop_agent.protocol.errors import BadReply, ModelError, Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from tests.llm.asking import GOOD, NOTE, REPLY, ask

LAST = '{"actions": [{"op": "done", "summary": "ok"}]}'


def test_answers_in_order_and_then_the_end() -> None:
    model = replay.ReplayModel([GOOD, "nonsense", LAST])
    heard: list[str] = []
    assert ask(model, on_note=heard.append).reply.notes == NOTE
    assert "".join(heard) == NOTE
    with pytest.raises(BadReply):
        ask(model)
    assert ask(model).raw == LAST
    with pytest.raises(ModelError, match="over after 3 answers"):
        ask(model)


def test_a_stop_counts_here_too() -> None:
    stop = StopFlag()
    stop.set()
    with pytest.raises(Stopped):
        ask(replay.ReplayModel([GOOD]), stop)


def test_from_the_log_of_a_run(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    for kind, data in [
        ("goal", {"text": "x"}),
        ("reply", {"raw": GOOD}),
        ("bad_reply", {"raw": "nonsense", "problems": []}),
        ("reply", {"raw": LAST}),
    ]:
        store.append(kind, data)
    store.close()
    with store.path.open("a") as torn:
        torn.write('{"seq": 4, "kind": "rep')
    for path in (store.folder, store.path):
        model = replay.create(replay.Options(path=str(path)))
        assert [ask(model).raw, ask(model).raw] == [GOOD, LAST]


def test_from_a_file_of_replies(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(f"{json.dumps(REPLY)}\n\n{json.dumps(LAST)}\n{{}}\n", encoding="utf-8")
    model = replay.create(replay.Options(path=str(path)))
    assert model.name == "replies.jsonl"
    assert ask(model).reply.notes == NOTE
    assert ask(model).raw == LAST


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file"),
        ("", "holds no answers"),
        ("x\n{}\n", "replies.jsonl:1 is not JSON"),
    ],
)
def test_what_cannot_be_replayed(tmp_path: Path, content: str | None, message: str) -> None:
    path = tmp_path / "replies.jsonl"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match=message) as refused:
        replay.create(replay.Options(path=str(path)))
    assert refused.value.advice


def test_without_a_recording() -> None:
    with pytest.raises(ModelError, match="No recording"):
        replay.create(replay.Options())


def test_questions_are_answered_where_they_were_asked(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    for kind, data in [
        ("reply", {"raw": GOOD}),
        ("spoken", {"purpose": "summary", "raw": "All went well."}),
        ("reply", {"raw": LAST}),
        ("spoken", {"purpose": "done", "raw": "FILE a.txt | a"}),
    ]:
        store.append(kind, data)
    store.close()
    model = replay.create(replay.Options(path=str(store.folder)))
    assert model.support.questions

    def question() -> str:
        return model.ask("", (), stop=StopFlag()).text

    with pytest.raises(ModelError, match="no answer to a question here"):
        question()
    ask(model)
    assert question() == "All went well."
    with pytest.raises(ModelError, match="no answer to a question here"):
        question()
    assert ask(model).raw == LAST
    assert question() == "FILE a.txt | a"


def test_ids_of_a_log_that_does_not_tell_elements_are_used_as_they_are(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    press = '{"actions": [{"op": "click_element", "element": "e1"}]}'
    for raw in (press, press):
        store.append("reply", {"raw": raw})
    store.close()
    model = replay.create(replay.Options(path=str(store.folder)))
    first, second = ask(model), ask(model)
    assert first.raw == press and first.remark is not None and second.remark is None
    assert "does not tell which elements" in first.remark.words
