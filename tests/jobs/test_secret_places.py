"""A marked secret goes to the page that the user named, at every level, and no other page gets it."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.jobs.commands import SECONDS, Ran, run
from tests.jobs.pages import Site, served
from tests.jobs.scripted import Actions, Script, Step, do, done, element, prompt_of
from tests.llm.fake_server import KEY, FakeServer
from tests.support.trusted_config import trusted

pytestmark = [
    pytest.mark.timeout(SECONDS + 20),
    pytest.mark.linux("works on an embedded display"),
]

SECRET = "kx9Qpz-27"
CONFIG = """[agent]
model = "openai"
[llm.openai]
base_url = "{url}/v1"
computer_tool = ""
[[scope.allow]]
op = "open"
[[scope.allow]]
application = "Chromium*"
role = "push button"
name = "Enter"
"""


def obeying(url: str) -> Script:
    """A model that does as it was told by somebody: it types the secret at this address."""

    def fill(screen: str) -> Actions:
        return [{"op": "type", "text": "{{secret:1}}", "element": element(screen, "password text")}]

    def send(screen: str) -> Actions:
        return [{"op": "click_element", "element": element(screen, 'push button "Enter"')}]

    steps = [Step("", do({"op": "open", "target": url})), Step("password text", fill)]
    return Script(["Log in"], [*steps, Step("{{secret:1}}|password", send), Step("Thank you", done("In."))])


def log_in(home: Path, meant: Site, used: Site, *words: str) -> Ran:
    """Tell it to log in at one site; the model goes to another."""
    with FakeServer(obeying(used.url("/login")), key=KEY) as server:
        config = home / "config.toml"
        config.write_text(CONFIG.format(url=server.url))
        goal = f"Log in at {meant.url('/login')} with {{{{secret: {SECRET}}}}}"
        ran = run(home, *trusted(config), *words, goal, OPENAI_API_KEY=KEY)
        assert SECRET not in str([seen.body for seen in server.seen])
    return ran


@pytest.mark.slow
def test_where_the_user_named_the_page_nothing_is_asked(tmp_path: Path) -> None:
    with served() as site:
        ran = log_in(tmp_path, site, site)
        # That a page of the site is open shows no login: the end is asked about, and nothing before it.
        (question,) = ran.of("question")
        assert ran.code == 4 and "could not check" in question["text"], ran.story
        assert not ran.of("approval")
        assert site.fields_of("/order") == [{"password": SECRET}]


def echoed(url: str) -> Script:
    def fill(screen: str) -> Actions:
        return [{"op": "type", "text": "{{secret:1}}", "element": element(screen, 'entry "Words"')}]

    steps = [Step("", do({"op": "open", "target": url})), Step('entry "Words"', fill)]
    return Script(["Say it"], [*steps, Step("All of it", done("Said."))])


@pytest.mark.slow
def test_a_page_that_echoes_it_in_other_forms_is_hidden_from_the_model(tmp_path: Path) -> None:
    with served() as site, FakeServer(echoed(site.url("/echo")), key=KEY) as server:
        config = tmp_path / "config.toml"
        allowed = '[[scope.allow]]\napplication = "Chromium*"\nrole = "entry"\n'
        config.write_text(CONFIG.format(url=server.url) + allowed)
        goal = f"Type {{{{secret: {SECRET}}}}} into Words at {site.url('/echo')}"
        ran = run(tmp_path, *trusted(config), goal, OPENAI_API_KEY=KEY)
        assert ran.code == 0, ran.story
        told = "\n".join(prompt_of(seen.body) for seen in server.seen)
    assert 'heading "All of it"' in told or "All of it" in told
    backwards = SECRET[::-1]
    for form in (SECRET, backwards, SECRET.upper(), "*".join(SECRET), " ".join(SECRET)):
        assert form not in told and form not in ran.story, form
    for form in (SECRET, backwards):
        assert base64.b64encode(form.encode()).decode() not in told
    assert not [letter for letter in "kxQpz" if f'push button "{letter}"' in told], "letter by letter"
    assert told.count("[secret]") >= 6


def test_another_page_is_asked_about_with_name_and_place_at_the_highest_level(tmp_path: Path) -> None:
    """The others are judged in `tests/policy/test_secret_places.py`."""
    with served() as site, served() as foreign:
        ran = log_in(tmp_path, site, foreign, "--permission", "full")
        assert ran.code == 4, ran.story
        (asked,) = ran.of("approval")
        origin = foreign.url("").rstrip("/")
        assert f"your secret “1” into {origin}" in asked["why"]
        assert not foreign.fields_of("/order") and SECRET not in ran.story
