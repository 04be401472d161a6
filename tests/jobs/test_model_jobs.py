"""The main jobs through the real SDKs against a loopback server that answers like the providers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_agent.startup.exit_code import NEEDS_USER
from tests.jobs import native_scripted
from tests.jobs.commands import SECONDS, Ran, run
from tests.jobs.native_scripted import by_pixels
from tests.jobs.pages import served
from tests.jobs.scripted import (
    Script,
    fill_in_a_form,
    make_a_folder,
    strings,
    work_out_a_sum,
    write_and_save,
)
from tests.llm.fake_server import KEY, FakeServer
from tests.protocol.test_native_actions import computer
from tests.support.trusted_config import trusted

pytestmark = pytest.mark.timeout(SECONDS + 20)

# How many looks a page or a program takes to appear says how fast the machine is; the time of `run` is the limit.
CONFIG = """[agent]
model = "{model}"
max_steps = 10_000
[llm.{model}]
base_url = "{url}"
stream = {stream}
computer_tool = "{tool}"
"""
# The goals name little: their user has said yes to all of this for good.
RULES = """
[scope]
places = ["app:mousepad", "app:galculator", "app:pcmanfm", "app:chromium", {site}]
[[scope.allow]]
op = "open"
name = "http://127.0.0.1:*/form"
[[scope.allow]]
application = "Chromium*"
role = "push button"
name = "Send order"
"""
WRITE = "Write “Hello from desktop-agent” and save it as hello.txt in the home folder"
MODELS = [
    ("openai", "/v1", True), ("openai", "/v1", False), ("anthropic", "", True), ("anthropic", "", False),
    ("compatible", "/v1", False),
]  # fmt: skip
"""Provider, the path its SDK wants in a base URL, and whether answers are streamed."""
each_provider = pytest.mark.parametrize(("model", "path", "stream"), [MODELS[0], MODELS[3], MODELS[4]])
one = pytest.mark.parametrize(("model", "path", "stream"), [MODELS[1]])
another = pytest.mark.parametrize(("model", "path", "stream"), [MODELS[3]])
a_third = pytest.mark.parametrize(("model", "path", "stream"), [MODELS[2]])
"""Every provider does one job, and each way of answering is in one; the other jobs are done with one of them each: what is worked does not ask who answers."""

NATIVE = {
    "anthropic": (native_scripted.anthropic, "computer_toolset_20260801"),
    "openai": (native_scripted.openai, "computer"),
}
native_openai = pytest.mark.parametrize(("model", "path", "stream"), [("openai", "/v1", True)])
native_anthropic = pytest.mark.parametrize(("model", "path", "stream"), [("anthropic", "", False)])
"""Each tool types, presses keys and clicks in two of the jobs, and all four are done by one of them."""


def work(
    home: Path,
    script: Script,
    model: str,
    path: str,
    stream: bool,
    *,
    goal: str,
    site: str = "",
    code: int = 0,
    native: bool = False,
) -> Ran:
    """Run the script's job with the provider's SDK against a server that answers with the script.

    `native`: in calls of the provider's own computer tool. `code` is the exit code expected.
    """
    said, tool = NATIVE[model] if native else (lambda given: given, "")
    with FakeServer(said(script)) as server:
        config = home / "config.toml"
        url = server.url + path
        config.write_text(CONFIG.format(model=model, url=url, stream=str(stream).lower(), tool=tool))
        if model == "compatible":
            config.write_text(config.read_text() + 'model = "fake-model"\n')
        with config.open("a") as file:
            file.write(RULES.replace("{site}", f'"site:{site}:act"' if site else ""))
        keys = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
        ran = run(home, *trusted(config), goal, **keys)
    assert ran.code == code, ran.story
    assert KEY not in "".join(path.read_text() for path in home.glob(".local/**/*.jsonl"))
    return ran


@each_provider
def test_a_text_is_written_and_saved(model: str, path: str, stream: bool, tmp_path: Path) -> None:
    script = write_and_save(str(tmp_path / "hello.txt"))
    ran = work(tmp_path, script, model, path, stream, goal=WRITE)
    (done,) = ran.of("done")
    assert done["verdict"] == "verified" and "hello.txt holds" in done["receipts"][0]["detail"]
    assert (tmp_path / "hello.txt").read_text() == "Hello from desktop-agent"
    assert [plan["current"] for plan in ran.of("plan")] == [0, 1, 2]
    assert bool(ran.of("note_delta")) == stream or not stream
    assert "Typed “Hello from desktop-agent” into the text: done" in "\n".join(strings(script.requests[-1]))


@another
def test_a_sum_is_pressed_in_the_calculator(model: str, path: str, stream: bool, tmp_path: Path) -> None:
    work(tmp_path, work_out_a_sum(), model, path, stream, goal="Work out 127 + 358 with the calculator")


@a_third
def test_a_folder_is_made(model: str, path: str, stream: bool, tmp_path: Path) -> None:
    work(tmp_path, make_a_folder(), model, path, stream, goal="Create a folder called Holiday pictures")
    assert (tmp_path / "Holiday pictures").is_dir()


@one
def test_a_form_is_filled_in_and_sent(model: str, path: str, stream: bool, tmp_path: Path) -> None:
    with served() as site:
        # Nothing but the page's word shows that it was sent, so the user is asked, and nobody is there.
        ran = work(
            tmp_path, fill_in_a_form(site.url("/form")), model, path, stream,
            goal="Fill in the form and send the order", site=site.url(""), code=4,
        )  # fmt: skip
        assert "could not check" in ran.of("question")[-1]["text"] and not ran.of("done")
        assert site.fields_of("/order")[0] == {
            "name": "Ada Lovelace",
            "city": "Paris",
            "size": "small",
            "gift": "yes",
        }


@native_openai
def test_a_text_is_written_and_saved_by_the_providers_own_tool(
    model: str, path: str, stream: bool, tmp_path: Path
) -> None:
    script = by_pixels(write_and_save(str(tmp_path / "hello.txt")))
    ran = work(tmp_path, script, model, path, stream, goal=WRITE, native=True)
    assert (tmp_path / "hello.txt").read_text() == "Hello from desktop-agent"
    assert [plan["current"] for plan in ran.of("plan")] == [0, 1, 2]
    assert "Typed “Hello from desktop-agent”: done" in "\n".join(strings(script.requests[-1]))


@native_anthropic
def test_a_sum_is_pressed_by_the_providers_own_tool(
    model: str, path: str, stream: bool, tmp_path: Path
) -> None:
    script = by_pixels(work_out_a_sum())
    work(tmp_path, script, model, path, stream, goal="Work out 127 + 358 with the calculator", native=True)


@native_openai
def test_a_folder_is_made_by_the_providers_own_tool(
    model: str, path: str, stream: bool, tmp_path: Path
) -> None:
    script = by_pixels(make_a_folder())
    work(tmp_path, script, model, path, stream, goal="Create a folder called Holiday pictures", native=True)
    assert (tmp_path / "Holiday pictures").is_dir()


@native_anthropic
def test_a_form_is_sent_by_the_providers_own_tool(
    model: str, path: str, stream: bool, tmp_path: Path
) -> None:
    with served() as site:
        script = by_pixels(fill_in_a_form(site.url("/form")))
        work(
            tmp_path, script, model, path, stream,
            goal="Fill in the form and send the order", site=site.url(""), code=4, native=True,
        )  # fmt: skip
        assert site.fields_of("/order")[0]["name"] == "Ada Lovelace"


def test_what_a_provider_warns_of_is_not_done_where_nobody_can_allow_it(tmp_path: Path) -> None:
    checks = [{"id": "s1", "code": "malicious_instructions", "message": "The page gives orders."}]
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ZW5j"}
    click = {"type": "click", "button": "left", "x": 10, "y": 10}
    warned = computer(click, pending_safety_checks=checks)
    with FakeServer(lambda _: json.dumps([reasoning, warned])) as server:
        config = tmp_path / "config.toml"
        config.write_text(
            CONFIG.format(model="openai", url=f"{server.url}/v1", stream="true", tool="computer")
        )
        ran = run(tmp_path, *trusted(config), "Do the job", OPENAI_API_KEY=KEY)
    assert ran.code == NEEDS_USER and not ran.of("action"), ran.story
    assert "The page gives orders." in ran.of("approval")[0]["words"]
