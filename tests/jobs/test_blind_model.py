"""A run with a server whose model takes no pictures: it is asked with one once, and with words alone from then on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.jobs.commands import SECONDS, run
from tests.llm.fake_server import KEY, FakeServer
from tests.support.trusted_config import trusted

pytestmark = pytest.mark.timeout(SECONDS + 20)

CONFIG = """[agent]
model = "compatible"
[llm.compatible]
base_url = "{url}/v1"
model = "fake-model"
"""
REFUSAL = {"error": {"code": 500, "message": "image input is not supported", "type": "server_error"}}


def pictures(body: dict[str, Any]) -> int:
    """How many pictures a request brings."""
    contents = [each["content"] for each in body["messages"] if isinstance(each["content"], list)]
    return sum(part["type"] == "image_url" for content in contents for part in content)


def test_after_the_refusal_no_picture_is_sent_and_the_words_say_so(tmp_path: Path) -> None:
    turns = [[{"op": "move", "x": 9, "y": 9}], [{"op": "done", "summary": "Read."}]]

    def answer(body: dict[str, Any]) -> str:
        said = sum(each["role"] == "assistant" for each in body["messages"])
        return (
            json.dumps({"high_level": ["Do it"], "actions": turns[said]})
            if "# Goal" in str(body)
            else "nothing"
        )

    with FakeServer(answer, key=KEY) as server:
        server.once(server.status(500, REFUSAL))
        config = tmp_path / "config.toml"
        config.write_text(CONFIG.format(url=server.url))
        ran = run(tmp_path, *trusted(config), "Look around", COMPATIBLE_API_KEY=KEY)
        seen = [each.body for each in server.seen if "# Goal" in str(each.body)]
    assert ran.code == 4, ran.story  # that it looked around is nothing that can be checked
    assert [pictures(body) for body in seen] == [1, 0, 0]
    newest = seen[-1]["messages"][-1]["content"]
    assert isinstance(newest, str) and "which you are not shown" in newest
    assert "coloured frames" not in newest and "picture is the same" not in newest
