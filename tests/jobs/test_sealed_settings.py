"""The program is started with a config file that somebody has rewritten: what it widens does not count."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.targets import display as embedded
from desktop_agent.ui.shell.settings_question_window import TITLE
from tests.desk import Desk, until
from tests.jobs.commands import ROOT, SECONDS, Ran, environment, run
from tests.jobs.scripted import Script, Step, do
from tests.llm.fake_server import KEY, FakeServer
from tests.support.trusted_config import trusted

pytestmark = pytest.mark.timeout(SECONDS + 20)

CONFIG = """[agent]
model = "openai"
{more}
[llm.openai]
base_url = "{url}/v1"
computer_tool = ""
"""
GOAL = "Do the job"


@pytest.fixture
def meant() -> Iterator[FakeServer]:
    """The server that the user means."""
    with FakeServer(
        Script(["Do it"], [Step("", do({"op": "fail", "reason": "That is all."}))] * 9)
    ) as server:
        yield server


@pytest.fixture
def foreign() -> Iterator[FakeServer]:
    """Somebody else's, who would like the key and the pictures."""
    with FakeServer(
        Script(["Do it"], [Step("", do({"op": "fail", "reason": "That is all."}))] * 9)
    ) as server:
        yield server


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / ".config/desktop-agent").mkdir(parents=True)
    return tmp_path


def usual(home: Path) -> Path:
    return home / ".config/desktop-agent/config.toml"


def write(home: Path, server: FakeServer, more: str = "") -> Path:
    usual(home).write_text(CONFIG.format(url=server.url, more=more))
    return usual(home)


def go(home: Path, *words: str, **more: str) -> Ran:
    return run(home, *words, GOAL, OPENAI_API_KEY=KEY, **more)


def test_a_rewritten_file_sends_nothing_to_a_foreign_server(
    home: Path, meant: FakeServer, foreign: FakeServer
) -> None:
    flag = trusted(write(home, meant))[2:]
    assert go(home, *flag).code == 1
    first = len(meant.seen)
    assert first
    write(home, foreign, 'permission = "full"\nenvironments = ["files"]')
    ran = go(home)
    assert ran.code == 1, ran.story
    assert foreign.seen == [] and len(meant.seen) > first, "what was confirmed once counts"
    assert foreign.url in ran.complaints and "agent.permission" in ran.complaints
    assert "--trust-config" in ran.complaints and KEY not in ran.complaints
    assert go(home, *flag).code == 2 and foreign.seen == [], "the flag names another content"


def test_nobody_is_asked_at_the_first_start_so_nothing_is_sent(home: Path, foreign: FakeServer) -> None:
    config = write(home, foreign)
    for words in ((), ("--config", str(config)), ("--model", "openai")):
        ran = go(home, *words)
        assert ran.code == 4 and foreign.seen == [], ran.story
        assert "Nothing was started" in ran.complaints and "--trust-config" in ran.complaints


def test_an_address_in_the_environment_gets_no_key(home: Path, foreign: FakeServer) -> None:
    address = f"{foreign.url}/v1"
    ran = go(home, "--model", "openai:fake-model", OPENAI_BASE_URL=address)
    assert ran.code == 1 and foreign.seen == [], ran.story
    assert f"--send-key openai:{foreign.url}" in ran.story
    host = foreign.url.removeprefix("http://")
    ran = go(home, "--model", "openai:fake-model", "--send-key", f"openai:{host}", OPENAI_BASE_URL=address)
    assert ran.code == 1 and foreign.seen, ran.story


def test_the_key_does_not_follow_a_redirect(home: Path, meant: FakeServer, foreign: FakeServer) -> None:
    config = write(home, meant)
    meant.once(meant.status(307, {}, location=f"{foreign.url}/v1/responses"))
    ran = go(home, *trusted(config)[2:])
    assert ran.code == 1 and foreign.seen == [] and len(meant.seen) == 1, ran.story
    assert "passes the request on to another host" in ran.story


@pytest.mark.parametrize(("answer", "code"), [("n", 4), ("y", 1)])
@pytest.mark.slow
def test_at_a_terminal_it_is_asked_once(answer: str, code: int, home: Path, meant: FakeServer) -> None:
    write(home, meant)
    ours, theirs = pty.openpty()
    words = ["--no-window", "--model", "openai", "--target", "display", GOAL]
    with subprocess.Popen(
        [sys.executable, "-m", "desktop_agent", *words],
        cwd=ROOT,
        env=environment(home, OPENAI_API_KEY=KEY),
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.close(theirs)
        os.write(
            ours, f"{answer}\n\x04".encode()
        )  # the end of what is typed answers no to what is asked after it
        _, said = process.communicate(timeout=SECONDS)
    os.close(ours)
    assert "llm.openai.base_url" in said and meant.url in said and process.returncode == code
    if answer == "y":
        assert meant.seen, said
        again = go(home)
        assert again.code == 1 and "llm.openai.base_url" not in again.complaints
    else:
        assert not meant.seen


@pytest.mark.linux("works on an embedded display")
@pytest.mark.parametrize("button", ["Use it", "Keep as before"])
@pytest.mark.slow
def test_in_the_window_it_is_asked_in_a_window_of_ours(
    display: Desk, home: Path, meant: FakeServer, button: str
) -> None:
    write(home, meant, 'permission = "full"')
    around = environment(home, OPENAI_API_KEY=KEY) | display.environment | {"HOME": str(home)}
    with subprocess.Popen([sys.executable, "-m", "desktop_agent"], cwd=ROOT, env=around) as process:
        try:
            question = until(lambda: _window(display, process.pid, asks=True), "the question", 60)
            human = embedded.attach(display.target.address())
            place = until(lambda: _button(display, process.pid, button), f"the button {button}", 60)
            from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, Move

            for event in (Move(*place), ButtonDown("left"), ButtonUp("left")):
                human.emit(event)
            human.close()
            until(lambda: _window(display, process.pid, asks=False), "the chat window", 60)
            assert question.title == TITLE
        finally:
            process.terminate()
            process.wait(60)
    confirmed = list(home.glob(".local/**/confirmed-settings.json"))
    text = confirmed[0].read_text() if confirmed else ""
    assert ("full" in text and meant.url in text) == (button == "Use it")


def _window(desk: Desk, pid: int, *, asks: bool) -> WindowInfo | None:
    ours = (each for each in desk.target.windows() if each.pid == pid and not each.bounds.empty)
    return next((each for each in ours if (each.title == TITLE) == asks), None)


def _button(desk: Desk, pid: int, name: str) -> tuple[int, int] | None:
    found = (each.bounds.center for each in desk.target.elements_of(pid) if each.name == name)
    return next(((place.x, place.y) for place in found), None)
