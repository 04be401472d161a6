"""Mistral's model answers through its own key, which its own server alone gets."""

from __future__ import annotations

import pytest

from desktop_agent.llm import mistral
from tests.llm.asking import REPLY, answer_good, ask, failure, trust
from tests.llm.fake_server import FakeServer

KEY = "mistral-key-1234567890"


@pytest.mark.parametrize("trusted", [True, False])
def test_it_answers_the_server_that_its_key_is_for(trusted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)
    with FakeServer(answer_good) as server:
        model = mistral.create(mistral.Options(base_url=f"{server.url}/v1"))
        if not trusted:
            assert "--send-key mistral:" in failure(model).advice and server.seen == []
            return
        trust("mistral", server.url)
        reply = ask(model).reply
        assert reply.notes == REPLY["notes"] and len(reply.actions) == 1
        assert server.seen[0].headers["Authorization"] == f"Bearer {KEY}"
