"""Runs of the program where nobody is there to ask: what is outside the scope ends them with the flag that would do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.jobs.commands import SECONDS, Ran, run
from tests.jobs.pages import served
from tests.jobs.scripted import Script, fill_in_a_form, work_out_a_sum
from tests.llm.fake_server import KEY, FakeServer
from tests.support.trusted_config import trusted

pytestmark = pytest.mark.timeout(SECONDS + 20)

CONFIG = """[agent]
model = "openai"
max_steps = 10_000
[llm.openai]
base_url = "{url}/v1"
computer_tool = ""
stream = false
"""


def work(home: Path, script: Script, *words: str) -> Ran:
    with FakeServer(script) as server:
        config = home / "config.toml"
        config.write_text(CONFIG.format(url=server.url))
        return run(home, *trusted(config), *words, OPENAI_API_KEY=KEY)


def test_an_application_that_the_user_did_not_name_needs_the_flag_that_is_told(tmp_path: Path) -> None:
    goal = "Tell me what 127 and 358 are together"
    ran = work(tmp_path, work_out_a_sum(), goal)
    assert ran.code == 4, ran.story
    assert [event["adds"] for event in ran.of("approval")] == [["app:galculator:act"]]
    assert "--allow app:galculator:act" in ran.complaints and not ran.of("result")
    ran = work(tmp_path, work_out_a_sum(), "--allow", "app:galculator:act", goal)
    assert ran.code == 0, ran.story
    assert "app:galculator:act" in ran.of("scope")[0]["grants"]


def test_a_form_is_filled_in_but_not_sent_where_only_filling_in_was_asked(tmp_path: Path) -> None:
    with served() as site:
        ran = work(tmp_path, fill_in_a_form(site.url("/form")), f"Fill in the form on {site.url('/form')}")
        assert ran.code == 4, ran.story
        (asked,) = ran.of("approval")
        assert asked["words"] == "Click “Send order”" and "may send" in asked["why"]
        assert asked["adds"] == [f"site:{site.url('')}:act"]
        assert f"--allow site:{site.url('')}:act" in ran.complaints and "--permission full" in ran.complaints
        assert not site.fields_of("/order")
        goal = f"Fill in the form on {site.url('/form')} and send it"
        ran = work(tmp_path, fill_in_a_form(site.url("/form")), goal)
        assert ran.code == 4 and not ran.of("approval"), ran.story
        assert "could not check" in ran.of("question")[0]["text"], "only the page says that it was sent"
        assert site.fields_of("/order")[0]["name"] == "Ada Lovelace"


@pytest.mark.parametrize(
    "words", ["shop.example", "site:shop.example", "app:*", "site:https://shop.example:push"]
)
def test_a_grant_that_is_none_is_wrong_usage(words: str, tmp_path: Path) -> None:
    ran = run(tmp_path, "--allow", words, "tell me what you see")
    assert ran.code == 2 and "KIND:WHAT" in ran.complaints + "KIND:WHAT" * (
        "site:" in words or "app:" in words
    )
    assert "Traceback" not in ran.complaints and words in ran.complaints
