"""The scope in a real browser: a link and a redirect lead to another origin, where an obeying model does nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.llm.base import Answer, Conversation
from desktop_agent.protocol import agent_events as say
from desktop_agent.support.config import Config
from desktop_agent.vision.observation import Observation
from tests.desk import Desk, until
from tests.support import loopback
from tests.support.memory_desk import ScriptedModel

HOME = '<title>Home</title><h1>Home</h1><p><a href="{there}">Guide</a> <a href="/moved">Moved</a> <button>Extra</button>'
THERE = '<title>There</title><h1>There</h1><form method="post"><label>Code <input name="code"></label><button>Frobnicate</button></form>'


class TwoOrigins(loopback.Handler):
    """One server under two names, which makes two origins; notes what is posted."""

    posted: ClassVar[list[str]] = []

    def get(self) -> None:
        host, _, port = self.headers["Host"].partition(":")
        there = f"http://localhost:{port}/there"
        if host == "127.0.0.1" and self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", there)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.say((THERE if self.path == "/there" else HOME.format(there=there)).encode())

    def post(self) -> None:
        self.posted.append(self.body().decode())
        self.say(b"<title>Posted</title>")


class Obeying(ScriptedModel):
    """Does what the pages would have it do: follows the link, and presses the button that is there, again and again."""

    def __init__(self, link: str) -> None:
        super().__init__("{}")
        self._link = link

    def reply(self, conversation: Conversation, observation: Observation, **more: Any) -> Answer:
        named = {each.name: each for each in observation.elements if each.role in ("link", "push button")}
        wanted = named.get("Frobnicate") or named.get(self._link)
        op = {"op": "click_element", "element": wanted.id} if wanted else {"op": "wait", "seconds": 0.2}
        self.texts = [json.dumps({"actions": [op]})]
        return super().reply(conversation, observation, **more)


class Visit:
    """One run on a page in a browser: what was asked, and what was done before the first question."""

    def __init__(self, desk: Desk, folder: Path, model: ScriptedModel, goal: str, *, yes: bool) -> None:
        make_hand = partial(Hands, takeover=False)
        parts = Parts(
            desk.target,
            model,
            lambda address, on_stop: make_hand(address, on_stop=on_stop),
            lambda frame, stop: (),
        )
        self.session = AgentSession(
            parts, Config(), Circumstances(folder), AgentInfo("display", "obeying", "off", 60, True)
        )
        self.asked: list[say.ApprovalAsked] = []
        self.done: list[str] = []
        self.scopes: list[tuple[str, ...]] = []
        self._yes = yes
        self.session.subscribe(self._hear)
        self.session.send(goal)
        self.session.run_next()
        self.session.quit()
        self.session.serve()  # lets go of everything

    def _hear(self, event: say.FeedEvent) -> None:
        match event:
            case say.ScopeSet():
                self.scopes.append(event.grants)
            case say.ApprovalAsked() if self._yes:
                self.asked.append(event)
                self.session.approve(event.id)
            case say.ApprovalAsked():
                self.asked.append(event)
                self.session.skip(event.id)
                self.session.stop("enough was seen")
            case say.Result(outcome="done") if not event.words.startswith("Waited"):
                self.done.append(event.words)
                if TwoOrigins.posted:
                    self.session.stop("it was sent")
            case say.Question():
                self.session.stop("it is stuck")


@pytest.fixture
def site() -> Iterator[int]:
    TwoOrigins.posted.clear()
    with loopback.serving(TwoOrigins) as port:
        yield port


def visit(desk: Desk, port: int, folder: Path, link: str, goal: str, *, yes: bool) -> Visit:
    desk.launch("chromium", f"http://127.0.0.1:{port}/", title="Home")
    until(lambda: any(each.name == link for each in desk.target.elements()), f"the page with {link}")
    return Visit(desk, folder, Obeying(link), goal, yes=yes)


def test_a_link_to_another_origin_is_asked_about(display: Desk, tmp_path: Path, site: int) -> None:
    goal = f"What does http://127.0.0.1:{site}/ say? Open its links and send me what they tell."
    seen = visit(display, site, tmp_path, "Guide", goal, yes=False)
    assert seen.done == [] and [each.adds for each in seen.asked] == [(f"site:http://localhost:{site}:look",)]
    assert f"http://localhost:{site} as well?" in seen.asked[0].why


def test_on_the_origin_that_a_redirect_leads_to_nothing_is_done(
    display: Desk, tmp_path: Path, site: int
) -> None:
    link = "Moved"
    goal = f"What does http://127.0.0.1:{site}/ say? Open its links and send me what they tell."
    seen = visit(display, site, tmp_path, link, goal, yes=False)
    assert seen.scopes[0][-1] == f"site:http://127.0.0.1:{site}:fill", "and nothing of localhost"
    assert seen.done == [f"Clicked “{link}”"], "a link of the page is followed"
    assert [each.adds for each in seen.asked] == [(f"site:http://localhost:{site}:act",)]
    assert f"http://localhost:{site} as well?" in seen.asked[0].why
    assert TwoOrigins.posted == []


def test_a_yes_lets_it_act_there(display: Desk, tmp_path: Path, site: int) -> None:
    seen = visit(display, site, tmp_path, "Guide", "Read this page and open its links", yes=True)
    added = [each.adds for each in seen.asked]
    assert added == [(f"site:http://localhost:{site}:look",), (f"site:http://localhost:{site}:act",)]
    assert TwoOrigins.posted == ["code="]


def test_in_the_page_in_front_what_was_not_named_is_asked_about(
    display: Desk, tmp_path: Path, site: int
) -> None:
    seen = visit(display, site, tmp_path, "Extra", "Fill in this form and save it", yes=False)
    assert seen.done == [] and [each.adds for each in seen.asked] == [(f"site:http://127.0.0.1:{site}:act",)]
