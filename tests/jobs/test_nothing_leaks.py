"""A whole run with planted secrets: nothing it wrote, said or sent holds one, and what was typed was right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.redaction.redactor import forms_of
from tests.jobs.commands import Ran, run
from tests.jobs.pages import Site, served
from tests.jobs.scripted import Actions, Script, Step, do, done, element, picture_of, prompt_of, strings
from tests.llm.fake_server import FakeServer
from tests.support.trusted_config import trusted

KEY = "sk-test-planted-0123456789"
MARKED = 'correct "horse" 42/ü'
CONFIGURED = "mail+secret/9f8e7d"
FOUND = "token-found-in-the-environment"
PLANTED = (KEY, MARKED, CONFIGURED, FOUND)

CONFIG = """[agent]
model = "openai"
[llm.openai]
base_url = "{url}/v1"
computer_tool = ""
[secrets]
values = ["env:MAIL_WORD"]
[[scope.allow]]
application = "Chromium*"
role = "password text"
[[scope.allow]]
application = "Chromium*"
role = "entry"
name = "Name"
[[scope.allow]]
application = "Chromium*"
role = "push button"
name = "Enter"
"""
GOAL = "Log in at {url} with {{{{secret: {marked}}}}} and {{{{secret:MAIL_WORD}}}} and press Enter; my token is {found}"


def log_in(url: str) -> Script:
    def fill(screen: str) -> Actions:
        return [
            {"op": "type", "text": "{{secret:MAIL_WORD}}", "element": element(screen, 'entry "Name"')},
            {"op": "type", "text": "{{secret:1}}", "element": element(screen, "password text")},
        ]

    def send(screen: str) -> Actions:
        return [{"op": "click_element", "element": element(screen, 'push button "Enter"')}]

    return Script(
        ["Open the page", "Log in"],
        [
            Step("", do({"op": "open", "target": url})),
            Step("password text", fill),
            Step('entry "Name" = "{{secret:MAIL_WORD}}"', send),
            Step("Thank you", done("Logged in with {{secret:1}}.")),
        ],
    )


class Leaks:
    """One run, and everything that came of it."""

    def __init__(self, home: Path) -> None:
        with served() as site:
            url = site.url("/login")
            self.script = log_in(url)
            with FakeServer(self.script, key=KEY) as server:
                config = home / "config.toml"
                config.write_text(CONFIG.format(url=server.url))
                goal = GOAL.format(url=url, marked=MARKED, found=FOUND)
                variables = {"OPENAI_API_KEY": KEY, "MAIL_WORD": CONFIGURED, "SOME_TOKEN": FOUND}
                self.ran: Ran = run(home, *trusted(config), goal, **variables)
                self.sent = [seen.body for seen in server.seen]
            self.site: Site = site
        # Chromium's own profile knows what was typed into its pages.
        self.files = [
            path for path in home.rglob("*")
            if path.is_file() and "chromium" not in path.parts and path.name != "config.toml"
        ]  # fmt: skip


@pytest.fixture(scope="module")
def leaks(tmp_path_factory: pytest.TempPathFactory) -> Leaks:
    return Leaks(tmp_path_factory.mktemp("home"))


def secrets_in(text: str) -> Iterator[str]:
    for secret in PLANTED:
        yield from (form for form in forms_of(secret) if form in text)


def test_the_right_values_were_typed(leaks: Leaks) -> None:
    # Nothing but the page's word shows that it worked, so the user is asked, and nobody is there.
    assert leaks.ran.code == 4 and "could not check" in leaks.ran.of("question")[-1]["text"], leaks.ran.story
    assert leaks.site.fields_of("/order")[0] == {"name": CONFIGURED, "password": MARKED}


def test_no_file_holds_a_secret(leaks: Leaks) -> None:
    assert any(path.name == "events.jsonl" for path in leaks.files)
    for path in leaks.files:
        assert list(secrets_in(path.read_bytes().decode("utf-8", "replace"))) == [], path
    assert not any(list(secrets_in(str(path))) for path in leaks.files)


def test_nothing_on_the_terminal_is_secret(leaks: Leaks) -> None:
    said = json.dumps(leaks.ran.events, ensure_ascii=False) + leaks.ran.complaints
    assert list(secrets_in(said)) == []
    typed = [event["words"] for event in leaks.ran.of("action") if event["op"] == "type"]
    assert typed == ["Typing “••••••” into “Name”", "Typing “••••••” into “Password”"]


def test_nothing_sent_to_the_model_is_secret(leaks: Leaks) -> None:
    assert len(leaks.sent) >= 4
    for body in leaks.sent:
        texts = [text for text in strings(body) if not text.startswith("data:image")]
        assert list(secrets_in("\n".join(texts))) == []
    goal = "\n".join(strings(leaks.sent[0]))
    assert "{{secret:1}}" in goal and "{{secret:MAIL_WORD}}" in goal and "my token is {{secret:2}}" in goal


def test_the_password_field_and_shown_secrets_are_grey_in_the_pictures(leaks: Leaks) -> None:
    places = [(body, place) for body in leaks.sent for place in _secret_places(prompt_of(body))]
    assert len(places) >= 3, "the field before and after typing, and the name that shows a secret"
    for body, (x, y, width, height) in places:
        picture = picture_of(body)
        spots = [picture.getpixel((x + width * i // 8, y + height // 2)) for i in range(1, 8)]
        assert all(isinstance(spot, tuple) and _is_grey(spot) for spot in spots)


def _is_grey(colour: tuple[int, ...]) -> bool:
    return all(abs(part - 128) <= 3 for part in colour)


def _secret_places(prompt: str) -> list[tuple[int, int, int, int]]:
    """Bounds of password fields and of elements that show a stand-in, in the picture."""
    pattern = r'^e\d+ (?:password text|.*= "[^"]*\{\{secret:).*?(\d+),(\d+) (\d+)x(\d+)'
    screen = prompt.partition("# What you see now")[2]
    found = re.findall(pattern, screen, re.MULTILINE)
    return [(int(x), int(y), int(width), int(height)) for x, y, width, height in found]
