"""A page that moves the focus while a text is typed gets little of it elsewhere, and that is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop_agent.agent.acting import field_watch
from desktop_agent.agent.acting.environments import Environments
from desktop_agent.agent.acting.executor import Executor
from desktop_agent.agent.acting.field_watch import AHEAD
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.looking.observer import Observer
from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.llm.base import Deed
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.protocol import ops
from desktop_agent.protocol.permission import Rules
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import HandSettings
from tests.agent.test_effects_real import Worker
from tests.desk import Desk, until
from tests.hand.workplace import Workplace
from tests.support.memory_desk import ScriptedModel

PAGE = """<title>got 0 0</title><input id=a aria-label=Name><input id=b type=KIND aria-label=Other><script>
function told() { document.title = 'got ' + a.value.length + ' ' + b.value.length }
a.oninput = () => { told(); if (a.value.length == 5 && MOVES) b.focus() }
b.oninput = told
</script>"""
REST = "the rest was not typed. Look again."
LONG = "abcdefghij" * 20


@dataclass
class Typist(Worker):
    """Types into the box Name, and reads what the page got."""

    desk: Desk

    def open(self, folder: Path, kind: str, moves: str) -> None:
        page = folder / "page.html"
        page.write_text(PAGE.replace("KIND", kind).replace("MOVES", moves))
        self.desk.launch("chromium", "--window-size=900,700", f"file://{page}", title="^got 0 0")

    def into_name(self, text: str) -> Deed:
        """Click the box; once that has come about, type."""
        self.do("entry", "Name", ops.ClickElement)
        look = self.look()
        return self.executor.execute((ops.Type(text),), look, 1, StopFlag()).deeds[-1]

    def got(self, total: int) -> tuple[int, int]:
        """How many characters each box has, once they have so many together."""

        def arrived() -> tuple[int, int] | None:
            titles = (re.match(r"got (\d+) (\d+)", each.title) for each in self.desk.target.windows())
            counts = [(int(match[1]), int(match[2])) for match in titles if match]
            return next((each for each in counts if sum(each) == total), None)

        return until(arrived, f"{total} characters")


@pytest.fixture
def typist(display: Desk) -> Iterator[Typist]:
    place = Workplace(display)
    place.hands.start()
    target = display.target
    observer = Observer(target, ScriptedModel("{}"), None, lambda frame, stop: (), PrivacyFilter(target))
    gate = Gatekeeper(Places(target, frozenset()), "full", Rules())
    feed = Feed()
    environments = Environments((), feed, gate.provenance.read, HandSettings())
    executor = Executor(
        place.hands, feed, observer, HandSettings(), Inbox(), gate, environments, text_limits=place.hands
    )
    yield Typist(observer, executor, display)
    place.hands.close()


def typed_of(deed: Deed) -> tuple[int, int]:
    """From its words: how many the judged field took, and how many went elsewhere."""
    kept, astray = re.search(r"after (\d+) characters(?:, up to (\d+) went there,)?", deed.detail).groups()  # type: ignore[union-attr]
    return int(kept), int(astray or 0)


@pytest.mark.parametrize("kind", ["text", "password"])
@pytest.mark.parametrize("text", [LONG, "twenty letters here "])
def test_a_page_that_moves_the_focus_gets_no_more_than_was_ahead(
    typist: Typist, tmp_path: Path, kind: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wait in ("PATIENCE", "LATE"):  # a busy machine neither lets more out nor is taken to tell no more
        monkeypatch.setattr(field_watch, wait, 60.0)
    typist.open(tmp_path, kind, "true")
    deed = typist.into_name(text)
    assert deed.outcome == "refused", deed
    # A page that is still busy may not tell the name of the field that has the keyboard now.
    assert re.match("The keyboard went from “Name” to “(Other|another place)” after ", deed.detail), deed
    assert deed.detail.endswith((REST, "the text was at its end. Look again."))
    assert deed.detail.endswith(REST) or len(text) <= 5 + AHEAD
    kept, astray = typed_of(deed)
    first, second = typist.got(kept + astray)
    assert first == 5 and second <= AHEAD
    assert typist.executor.gate.provenance.line == text[: first + second]


def test_a_short_text_is_told_of_too(typist: Typist, tmp_path: Path) -> None:
    typist.open(tmp_path, "password", "true")
    deed = typist.into_name("tenletters")
    assert deed.outcome == "refused" and "the text was at its end" in deed.detail
    assert typist.got(10) == (5, 5)


def test_a_page_that_does_not_gets_all(typist: Typist, tmp_path: Path) -> None:
    typist.open(tmp_path, "text", "false")
    for text in (LONG, "ab", "twenty letters here "):
        deed = typist.into_name(text)
        assert deed.outcome == "done", deed
    assert typist.got(len(LONG) + 22) == (len(LONG) + 22, 0)


def test_a_date_whose_next_part_has_the_keyboard_already_has_lost_nothing(
    typist: Typist, tmp_path: Path
) -> None:
    """A busy machine follows a date from when its first part was left; another field's keyboard is told of."""
    page = tmp_path / "page.html"
    page.write_text("<title>Date</title><input type=date aria-label=When><input aria-label=Other>")
    typist.desk.launch("chromium", "--window-size=900,700", f"file://{page}", title="^Date")
    month, _ = typist.find("spin button", "Month")
    for role, name, told in (("spin button", "Day", []), ("entry", "Other", [""])):
        typist.do(role, name, ops.ClickElement)
        moved: list[str] = []
        with typist.desk.target.follow_field(month.handle, lambda count: None, moved.append):
            pass
        assert moved == told, name
