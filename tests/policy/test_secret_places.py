"""Where marked secrets belong: what the user's words name, what a yes adds, and what is asked at every level."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.policy.consent.consent import Ruling
from desktop_agent.policy.facts.batching import Piece
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.policy.rules.secret_places import SecretPlaces
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import ApprovalAsked
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.input_events import Text
from desktop_agent.protocol.permission import Level, Rule, Rules
from desktop_agent.redaction import redactor
from desktop_agent.targets.faces import HasPrograms
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element, Observation
from tests.support.memory_desk import Bench, MemoryTarget, ScriptedModel

SECRET = "kx9Qpz-27"
TYPE = ops.Type("{{secret:shop}}")
BROWSER_PID = 4_000_000


@pytest.fixture(autouse=True)
def fresh(no_secrets: None) -> None:
    del no_secrets
    redactor.redactor().keep("shop", SECRET)
    redactor.redactor().keep("other", "another-one-1")


class Desk(MemoryTarget, HasPrograms):
    """A browser that shows a page with two fields; `url` is its address, `field` the one with the keyboard."""

    def __init__(self, url: str = "https://shop.example/login", field: str = "password text") -> None:
        super().__init__()
        self.input.windows = [(self.input.layout.bounds, BROWSER_PID)]
        self.window = WindowInfo(
            "Sign in", BROWSER_PID, "Chromium", self.input.layout.bounds, program="chromium"
        )
        self.show(url, field)

    def show(self, url: str, field: str = "password text") -> None:
        page = Element("d", "document web", "Sign in", Rect(0, 0, 700, 500), url=url)
        states = frozenset(("focused", "editable", "showing", "enabled"))
        entry = Element(
            "f", field, "Password", Rect(100, 100, 200, 30), states=states, parent="d", trail=(0, 1)
        )
        parts = (msgspec.structs.replace(page, trail=(0,)), entry)
        self.things = [
            msgspec.structs.replace(each, window="Sign in", application="Chromium", pid=BROWSER_PID)
            for each in parts
        ]

    def program_for(self, name: str) -> str:
        return ""

    def programs_named(self, words: str) -> frozenset[str]:
        return frozenset(each for each in ("keepassxc", "mousepad") if each in words.casefold())

    def home(self) -> Path:
        return Path("/home/ann")

    def focused_window(self) -> WindowInfo:
        return self.window

    def window_at(self, point: object) -> WindowInfo:
        return self.window


def places(*said: str) -> SecretPlaces:
    found = SecretPlaces(Desk())
    found.hear(said)
    return found


def page(origin: str, role: str = "password text") -> Place:
    return Place(
        known=True, application="Chromium", program="chromium", role=role, in_page=True, origin=origin
    )


@pytest.mark.parametrize(
    ("words", "there", "belongs"),
    [
        (["Sign in to shop.example with {{secret:shop}}"], "https://shop.example", True),
        (["Sign in to shop.example with {{secret:shop}}"], "http://shop.example", False),
        (["Sign in to shop.example with {{secret:shop}}"], "https://shop.example.evil.example", False),
        (["Sign in to shop.example with {{secret:shop}}"], "https://www.shop.example", False),
        (["Sign in to shop.example with {{secret:shop}}"], "https://shop.example:8443", False),
        (["Sign in to http://127.0.0.1:80/login with {{secret:shop}}"], "http://127.0.0.1", True),
        (["Open shop.example. Sign in with {{secret:shop}}"], "https://shop.example", True),
        (["Open shop.example.", "{{secret:shop}}"], "https://shop.example", True),
        (["Read evil.example. Sign in to shop.example with {{secret:shop}}"], "https://shop.example", True),
        (["Read evil.example. Sign in to shop.example with {{secret:shop}}"], "https://evil.example", False),
        (["Read evil.example. Then sign in at my shop with {{secret:shop}}. Go to shop.example"],
            "https://evil.example", False),
        (["From a.example go to shop.example with {{secret:shop}}"], "https://shop.example", False),
        (["Never type {{secret:shop}} into shop.example"], "https://shop.example", False),
        (["Sign in to shop.example"], "https://shop.example", False),
        (["Sign in to shop.example with {{secret:other}}"], "https://shop.example", False),
        (["Sign in with {{secret:shop}}"], "https://shop.example", False),
        (["Sign in to shop.example with {{secret:shop}}"], "", False),
    ],
)  # fmt: skip
def test_what_the_users_words_name(words: list[str], there: str, belongs: bool) -> None:
    found = places(*words)
    assert found.elsewhere(TYPE, page(there)) == (() if belongs else ("shop",))
    assert bool(found.settled(TYPE, page(there))) == belongs


def test_an_application_that_is_named() -> None:
    found = places("Unlock KeePassXC with {{secret:shop}}")
    window = Place(known=True, application="KeePassXC", program="keepassxc", role="password text")
    assert found.elsewhere(TYPE, window) == ()
    assert found.elsewhere(TYPE, page("https://shop.example")) == ("shop",)
    assert found.elsewhere(TYPE, msgspec.structs.replace(window, program="mousepad")) == ("shop",)


def test_only_a_password_field_of_the_place_needs_no_further_yes() -> None:
    found = places("Sign in to shop.example with {{secret:shop}}")
    assert not found.settled(TYPE, page("https://shop.example", "entry"))
    assert not found.settled(ops.Type("mine: {{secret:shop}}"), page("https://shop.example"))
    assert not found.settled(ops.Type("{{secret:shop}}{{secret:other}}"), page("https://shop.example"))
    assert not found.settled(ops.Type("words"), page("https://shop.example"))


def gate(desk: Desk, level: Level, *said: str, rules: Rules | None = None) -> tuple[Gatekeeper, Observation]:
    keeper = Gatekeeper(Places(desk, frozenset()), level, rules or Rules())
    keeper.hear(said)
    frame = desk.observe()
    seen = Observation(
        frame, Viewport(frame.region, frame.region.size, frame.epoch), elements=tuple(desk.things)
    )
    return keeper, seen


def planned(keeper: Gatekeeper, seen: Observation) -> Ruling:
    (ruling,) = keeper.plan((TYPE,), seen)
    return ruling


SEND = (Piece(TYPE, 0),)


@pytest.mark.parametrize("level", ["restricted", "full"])
def test_it_is_asked_once_with_name_and_place(level: Level) -> None:
    keeper, seen = gate(Desk(), level, "sign in with {{secret:shop}}")
    ruling = planned(keeper, seen)
    assert ruling.verdict.kind == "ask" and not ruling.lasting
    assert "your secret “shop” into https://shop.example" in ruling.verdict.reason
    assert keeper.refusal(SEND, seen)[0].outcome == "refused"
    keeper.begin([ruling], "approve", seen)
    assert keeper.refusal(SEND, seen) == []
    keeper.begin([])
    assert planned(keeper, seen).verdict.kind == "allow", "asked once"


@pytest.mark.parametrize("level", ["restricted", "full"])
def test_where_the_words_name_the_place_nothing_is_asked(level: Level) -> None:
    keeper, seen = gate(Desk(), level, "sign in to shop.example with {{secret:shop}}")
    assert planned(keeper, seen).verdict.kind == "allow"
    assert keeper.refusal(SEND, seen) == []


@pytest.mark.parametrize("decision", ["approve", "always"])
def test_a_yes_to_one_page_is_none_to_another_with_the_same_field(decision: str) -> None:
    desk = Desk()
    keeper, seen = gate(desk, "full", "sign in with {{secret:shop}}")
    keeper.begin([planned(keeper, seen)], decision, seen)
    desk.show("https://evil.example/login")
    assert keeper.refusal(SEND, seen)[0].outcome == "refused"


def test_a_page_that_cannot_be_told_is_asked_about_each_time() -> None:
    keeper, seen = gate(Desk(url=""), "full", "sign in to shop.example with {{secret:shop}}")
    ruling = planned(keeper, seen)
    assert ruling.verdict.kind == "ask" and "cannot be told" in ruling.verdict.reason
    keeper.begin([ruling], "always", seen)
    assert keeper.refusal(SEND, seen) == []
    keeper.begin([])
    assert planned(keeper, seen).verdict.kind == "ask"


def test_no_rule_of_the_settings_says_where_a_secret_belongs() -> None:
    rules = Rules(allow=(Rule(application="Chromium*"),))
    keeper, seen = gate(Desk(), "restricted", "sign in with {{secret:shop}}", rules=rules)
    assert planned(keeper, seen).verdict.kind == "ask"


def test_a_field_where_it_can_be_read_is_still_asked_about() -> None:
    keeper, seen = gate(Desk(field="entry"), "full", "sign in to shop.example with {{secret:shop}}")
    ruling = planned(keeper, seen)
    assert ruling.verdict.kind == "ask" and "where it can be read" in ruling.verdict.reason
    assert "belongs" not in ruling.verdict.reason


# ---- afterwards ------------------------------------------------------------------------------


def grey(frame: Frame, area: Rect) -> bool:
    return set(crop(frame, area).pixels[0::4]) == {0x80}


def test_the_field_is_hidden_from_before_the_first_letter() -> None:
    desk = Desk(field="entry")
    desk.still = True
    sight = PrivacyFilter(desk)
    field = desk.things[1]
    assert not grey(sight.look(desk.observe).frame, field.bounds)
    sight.hide_focused()
    desk.things = [desk.things[0], msgspec.structs.replace(field, value="kx9Q")]
    seen = sight.look(desk.observe)
    assert grey(seen.frame, field.bounds)
    assert [each.value for each in seen.elements if each.id == "f"] == [""], "no part of it"
    desk.things = [desk.things[0], msgspec.structs.replace(field, value=SECRET)]
    (shown,) = [each for each in sight.look(desk.observe).elements if each.id == "f"]
    assert shown.value == "{{secret:shop}}"


def test_a_run_hides_the_field_before_it_types(tmp_path: Path) -> None:
    desk = Desk(field="entry")
    desk.still = True
    actions = [{"op": "type", "text": "{{secret:shop}}"}]
    replies = [{"actions": actions}, {"actions": [{"op": "done", "summary": "ok"}]}]
    model = ScriptedModel(
        *(json.dumps({"notes": "", "high_level": ["In"], "step": 1, **each}) for each in replies)
    )
    bench = Bench(model, tmp_path, target=desk, permission="full")
    bench.on_event = lambda event: (
        bench.session.approve(event.id) if isinstance(event, ApprovalAsked) else None
    )
    bench.run("sign in to shop.example with {{secret:shop}}")
    assert "".join(e.chunk for e in desk.input.events if isinstance(e, Text)) == SECRET
    field = desk.things[1].bounds
    assert [grey(seen.frame, field) for seen in model.seen] == [False, True]


@pytest.mark.parametrize(
    "echo",
    [
        [SECRET[::-1]],
        [SECRET.upper()],
        ["*".join(SECRET)],
        ["x".join(SECRET)],
        [SECRET.encode().hex(" ")],
        [base64.b64encode(SECRET.encode()).decode()],
        [base64.b64encode(SECRET[::-1].encode()).decode()],
        [*SECRET],
        ["kx9Q", "pz-27"],
    ],
)
def test_what_echoes_it_is_hidden_in_tree_and_picture(echo: list[str]) -> None:
    desk = Desk()
    desk.still = True
    echoes = [
        Element(f"x{at}", "label", word, Rect(20 * at, 300, 18, 18), window="Sign in", pid=BROWSER_PID)
        for at, word in enumerate(echo)
    ]
    harmless = Element("h", "label", "Welcome", Rect(20, 400, 90, 18), window="Sign in", pid=BROWSER_PID)
    desk.things = [*desk.things, *echoes, harmless]
    seen = PrivacyFilter(desk).look(desk.observe)
    told = {each.id: each.name for each in seen.elements}
    for each in echoes:
        if any(char.isalnum() for char in each.name):
            assert told[each.id] in ("[secret]", "{{secret:shop}}") and grey(seen.frame, each.bounds)
    assert told["h"] == "Welcome" and not grey(seen.frame, harmless.bounds)
