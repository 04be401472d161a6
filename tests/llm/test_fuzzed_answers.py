"""Whatever a server's model says, every real SDK and adapter leads to a valid reply or to a refusal with reasons."""

from __future__ import annotations

import pytest

from benchmarks.fuzz import case
from benchmarks.fuzz_check import wanted_of, without_thought
from desktop_agent.protocol.errors import BadReply
from tests.llm.asking import OPERATIONS, PROVIDERS, ask, make
from tests.llm.fake_server import FakeServer

TEXTS = [text for text in (case(number)[0] for number in range(40)) if len(text) < 50_000]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
def test_an_answer_is_valid_or_refused_with_reasons(server: FakeServer, provider: str, stream: bool) -> None:
    model = make(provider, server.url, stream=stream)
    obeyed = 0
    for said in TEXTS:
        server.answer = lambda _: said  # noqa: B023
        heard = without_thought(said) if provider == "compatible" else said
        sound = heard.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        wanted = wanted_of(sound, OPERATIONS)
        try:
            answer = ask(model)
        except BadReply as error:
            assert error.problems and wanted is None, said
        else:
            assert wanted is not None, said
            assert [type(op).__struct_config__.tag for op in answer.reply.actions] == [
                op["op"] for op in wanted["actions"]
            ]
            obeyed += 1
    model.close()
    assert obeyed > 2
