"""The scope of a run: grants as they are written, what they cover, and what is asked when they do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.policy.consent.run_scope import RunScope
from desktop_agent.policy.facts.batching import segments
from desktop_agent.policy.facts.files.file_records import FileTarget
from desktop_agent.policy.facts.place import UNKNOWN, Place, Subject, subject_of
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.facts.scope import EVERYTHING, Grant, How, Scope, parse_grant
from desktop_agent.policy.facts.words.scope_from_words import grants_in_front
from desktop_agent.policy.facts.words.spoken_words import understand
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.policy.rules.judge import Verdict, judge
from desktop_agent.policy.rules.scope_check import how_of
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Rules
from desktop_agent.vision.observation import Element, Observation
from tests.agent.test_run_loop import CLICK, DONE, turn
from tests.support.memory_desk import Bench, MemoryTarget, ScriptedModel

HOME = Path(Path.cwd().anchor, "home", "ann")
SHOP = "https://shop.example"
PAGE = Place(known=True, application="Chromium", program="chromium", in_page=True, origin=SHOP)
EDITOR = Place(known=True, application="Mousepad", program="mousepad")
CLICKED = ops.Click(1, 1)


def page(role: str, name: str = "", **more: Any) -> Place:
    return Place(
        **{
            "known": True, "application": "Chromium", "program": "chromium", "window": "Shop", "in_page": True,
            "origin": SHOP, "role": role, "name": name, **more,
        }
    )  # fmt: skip


def asked(op: Op, place: Place, *grants: Grant, said: str = "") -> Verdict:
    return judge(op, place, "restricted", "model", Rules(), Scope(grants), understand((said,)))


@pytest.mark.parametrize(
    ("text", "grant"),
    [
        ("app:Mousepad:fill", Grant("app", "mousepad", How.FILL)),
        ("app:notepad.exe", Grant("app", "notepad", How.ACT)),
        ("site:https://shop.example:look", Grant("site", SHOP, How.LOOK)),
        ("site:https://Shop.example:443/:act", Grant("site", SHOP, How.ACT)),
        ("site:http://127.0.0.1:8080", Grant("site", "http://127.0.0.1:8080", How.ACT)),
        ("site:http://[::1]:8080:fill", Grant("site", "http://[::1]:8080", How.FILL)),
        ("site:https://bücher.example", Grant("site", "https://xn--bcher-kva.example", How.ACT)),
        ("site:file:///home/ann/form.html:fill", Grant("site", "file:///home/ann/form.html", How.FILL)),
        ("folder:~/Documents:look", Grant("folder", str(HOME / "Documents"), How.LOOK)),
        (f"folder:{HOME.parent}", Grant("folder", str(HOME.parent), How.ACT)),
    ],
)
def test_a_grant_is_read_and_written(text: str, grant: Grant) -> None:
    assert parse_grant(text, HOME) == grant
    assert parse_grant(str(grant), HOME) == grant


@pytest.mark.parametrize(
    "text",
    [
        "", "mousepad", "app:", "app::act", "app:*", "app:/usr/bin/mousepad", "app:?", "site:shop.example", "site:https://",
        "site:https://shop.example/basket:act", "site:https://shop.example?x", "site:https://a@shop.example", "site:about:blank",
        "site:chrome://settings", "site:https://*.example", "folder:Documents", "folder:/a/../b", "window:Mousepad", "APP:mousepad",
    ],
)  # fmt: skip
def test_what_is_no_grant_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ConfigError, match=r".+") as refused:
        parse_grant(text, HOME)
    assert refused.value.advice


def test_a_scope_covers_what_is_granted_there_and_less() -> None:
    scope = Scope().widened(
        Grant("app", "mousepad", How.FILL), Grant("folder", "/home/ann/Documents", How.LOOK)
    )
    assert scope.covers(Subject("app", "mousepad"), How.LOOK) and scope.covers(
        Subject("app", "mousepad"), How.FILL
    )
    assert not scope.covers(Subject("app", "mousepad"), How.ACT) and not scope.covers(
        Subject("app", "pad"), How.LOOK
    )
    assert scope.covers(Subject("folder", "/home/ann/Documents/a"), How.LOOK)
    assert not scope.covers(Subject("folder", "/home/ann/Documents2"), How.LOOK)
    assert not Scope((Grant("app", UNKNOWN, How.ACT),)).covers(Subject("app", UNKNOWN), How.LOOK)
    assert EVERYTHING.covers(Subject("site", UNKNOWN), How.ACT)


def test_a_scope_only_grows() -> None:
    scope = Scope().widened(Grant("app", "mousepad", How.ACT)).widened(Grant("app", "mousepad", How.LOOK))
    assert scope.grants == (Grant("app", "mousepad", How.ACT),)
    assert scope.words == ("Work in: mousepad",)


def test_what_a_place_is_for_a_scope() -> None:
    assert subject_of(PAGE) == ("site", SHOP)
    assert subject_of(page("entry", origin="")) == ("site", UNKNOWN), "a page that does not tell its address"
    assert subject_of(EDITOR) == ("app", "mousepad")
    assert subject_of(Place(known=True, program="soffice.bin", application="libreoffice-calc")) == (
        "app",
        "soffice",
    )
    shown = Place(known=True, program="code", in_page=True, origin="vscode-file://vscode-app")
    assert subject_of(shown) == ("app", "code"), "what an application draws of itself is no site"


@pytest.mark.parametrize(
    ("op", "role", "how"),
    [
        (ops.Click(1, 1), "link", How.LOOK),
        (ops.Click(1, 1), "entry", How.FILL),
        (ops.Click(1, 1), "check box", How.FILL),
        (ops.Click(1, 1), "push button", How.ACT),
        (ops.Click(1, 1), "menu item", How.ACT),
        (ops.Click(1, 1), "static", How.ACT),
        (ops.Click(1, 1), "slider", How.ACT),
        (ops.Click(1, 1), "", How.ACT),
        (ops.Click(1, 1, button="right"), "link", How.ACT),
        (ops.Click(1, 1, count=2), "link", How.ACT),
        (ops.Drag((ops.Spot(1, 1), ops.Spot(2, 2))), "entry", How.ACT),
        (ops.Scroll(3), "static", How.LOOK),
        (ops.Type("Ann"), "entry", How.FILL),
        (ops.Type("Ann\n"), "entry", How.ACT),
        (ops.Type("e"), "static", How.ACT),
        (ops.KeyCombo(("enter",)), "entry", How.ACT),
        (ops.KeyCombo(("enter",)), "link", How.LOOK),
        (ops.KeyCombo(("enter",)), "", How.ACT),
        (ops.KeyCombo(("tab",)), "push button", How.LOOK),
        (ops.KeyCombo(("down",)), "static", How.LOOK),
        (ops.KeyCombo(("right",)), "slider", How.ACT),
        (ops.KeyCombo(("space",)), "check box", How.FILL),
        (ops.KeyCombo(("space",)), "push button", How.ACT),
        (ops.KeyCombo(("backspace",)), "entry", How.FILL),
        (ops.KeyCombo(("ctrl", "v")), "entry", How.FILL),
        (ops.KeyCombo(("ctrl", "enter")), "entry", How.ACT),
        (ops.KeyCombo(("ctrl", "s")), "entry", How.ACT),
        (ops.KeyCombo(("ctrl", "l")), "entry", How.LOOK),
    ],
)  # fmt: skip
def test_what_an_operation_does_in_a_page(op: Op, role: str, how: How) -> None:
    assert how_of(op, page(role)) == how


def test_lines_typed_into_a_text_of_several_lines_only_fill_it_and_options_are_chosen() -> None:
    text = Place(known=True, program="mousepad", role="text", states=frozenset(("editable", "multiline")))
    assert how_of(ops.Type("a\nb"), text) == How.FILL
    assert how_of(ops.Type("a\nb"), page("text", states=text.states)) == How.ACT, "a chat sends by it"
    assert how_of(CLICKED, page("menu item", choice=True)) == How.FILL


def test_outside_the_scope_is_a_question_that_says_what_would_be_added() -> None:
    files = Place(known=True, application="Files", program="pcmanfm", role="push button", name="Up")
    verdict = asked(CLICKED, files, Grant("app", "mousepad", How.ACT))
    assert (verdict.kind, verdict.sink) == ("ask", "outside scope")
    assert (
        verdict.adds == Grant("app", "pcmanfm", How.ACT)
        and verdict.reason == "Work in Files (pcmanfm) as well?"
    )
    assert asked(CLICKED, files, Grant("app", "pcmanfm", How.ACT)).kind == "allow"
    assert asked(ops.Scroll(3), files).kind == "allow", "the wheel passes over"


def test_what_cannot_be_told_is_asked_about_and_never_added() -> None:
    verdict = asked(CLICKED, page("link", "Home", origin=""), Grant("site", SHOP, How.ACT))
    assert (verdict.kind, verdict.sink, verdict.adds) == ("ask", "outside scope", None)


@pytest.mark.parametrize(
    ("name", "said", "kind"),
    [
        ("Search", "search for a kettle", "allow"),
        ("Find", "search for a kettle", "allow"),
        ("Save address", "press save address", "allow"),
        ("Save address", "fill in the address", "ask"),
        ("Submit", "fill in the form and send it", "allow"),
        ("Cancel my order", "cancel my order", "allow"),
        ("Cancel my order", "How do I cancel my order? Only explain.", "ask"),
        ("Submit", "fill in the form, but do not send it", "ask"),
        ("Confirm payment", "fill in the form and send it", "ask"),
        ("Buy now", "buy the kettle", "allow"),
        ("Delete account", "buy the kettle", "ask"),
        ("the", "press the button", "ask"),
        ("", "press the button", "ask"),
    ],
)
def test_in_a_page_that_only_words_cover_they_cover_what_they_name(name: str, said: str, kind: str) -> None:
    assert asked(CLICKED, page("push button", name), Grant("site", SHOP, How.FILL), said=said).kind == kind


def test_one_yes_in_a_page_covers_the_rest_of_it_but_no_words_of_danger() -> None:
    grant = asked(CLICKED, page("push button", "Frobnicate"), Grant("site", SHOP, How.FILL)).adds
    assert grant == Grant("site", SHOP, How.ACT)
    assert asked(CLICKED, page("push button", "Frobnicate"), grant).kind == "allow"
    assert asked(CLICKED, page("push button", "Pay now"), grant).sink == "button"
    other = page("push button", "Frobnicate", origin="https://shop.example.evil.example")
    assert asked(CLICKED, other, grant).adds == Grant("site", "https://shop.example.evil.example", How.ACT)


@pytest.mark.parametrize(
    ("name", "said", "kind"),
    [
        ("Send", "write the mail and send it", "allow"),
        ("Send", "write the mail", "ask"),
        ("Send", "tell me whether Bob did send me a letter", "ask"),
        ("Send", "tell me whether Bob wrote, then send my letter", "allow"),
        ("Send", "write a mail that says send me the keys", "ask"),
        ("Delete all", "press “Delete all”", "allow"),
        ("Delete all", "type “Delete all” into the field", "ask"),
        ("Allow", "accept the cookies", "ask"),
        ("Book now", "then book it", "allow"),
        ("Löschen", "lösche die Datei nicht", "ask"),
        ("Löschen", "die Datei löschen", "allow"),
        ("发送", "写好邮件并发送", "allow"),
        ("发送", "写好邮件，不要发送", "ask"),
    ],
)
def test_words_of_danger_ask_inside_the_scope_unless_the_user_named_that_act(
    name: str, said: str, kind: str
) -> None:
    button = Place(known=True, application="Mail", program="mail", role="push button", name=name)
    assert asked(CLICKED, button, Grant("app", "mail", How.ACT), said=said).kind == kind


def test_enter_in_a_field_is_named_by_its_form() -> None:
    enter = ops.KeyCombo(("enter",))
    site = Grant("site", SHOP, How.FILL)
    field = page("entry", "E-mail", buttons=("Subscribe to news",))
    assert asked(enter, field, site, said="type my address").kind == "ask"
    assert asked(enter, field, site, said="subscribe to news").kind == "allow"
    named = page("entry", "Name", buttons=("Sign the contract",))
    assert asked(enter, named, site, said="Put the name Ann into the form").kind == "ask"
    plain = page("entry", "Name", buttons=("Look",))
    assert asked(enter, plain, site, said="Put the name Ann into the form").kind == "ask"
    assert asked(enter, plain, site, said="Put Ann into the field Name and press enter").kind == "allow"


@pytest.mark.parametrize(
    ("said", "typed", "field", "button"),
    [
        ("Click on the field Name.", "ask", "allow", "ask"),
        ("Click on the field Name and write Ann.", "allow", "allow", "ask"),
        ("Press the button Preview.", "ask", "ask", "allow"),
        ("Look up Ann.", "allow", "allow", "ask"),
    ],
)
def test_words_that_only_press_write_nothing_into_a_page(
    said: str, typed: str, field: str, button: str
) -> None:
    name = page("entry", "Name", states=frozenset({"editable"}))
    grants = grants_in_front(page("document web"), (said,))
    found = [
        asked(op, place, *grants, said=said).kind
        for op, place in ((ops.Type("Ann"), name), (CLICKED, name), (CLICKED, page("push button", "Preview")))
    ]
    assert found == [typed, field, button]


def test_words_that_fill_in_press_no_label() -> None:
    """A label may belong to another box than the one beside it."""
    site = Grant("site", SHOP, How.FILL)
    assert asked(CLICKED, page("label", "Name"), site, said="Put the name Ann into the form").kind == "ask"
    assert asked(CLICKED, page("push button", "Add"), site, said="Add Ann to the list").kind == "allow"


def test_opening_needs_the_application_or_the_origin_in_the_scope() -> None:
    program = Place(known=True, name="files", program="pcmanfm")
    assert asked(ops.Open("files"), program).adds == Grant("app", "pcmanfm", How.ACT)
    assert asked(ops.Open("files"), program, Grant("app", "pcmanfm", How.LOOK)).kind == "allow"
    there = Place(known=True, name="https://shop.example/a")
    assert asked(ops.Open("https://shop.example/a"), there).adds == Grant("site", SHOP, How.LOOK)
    verdict = judge(
        ops.Open("https://shop.example/a"),
        there,
        "restricted",
        "user",
        Rules(),
        Scope((Grant("site", SHOP, How.LOOK),)),
    )
    assert verdict.kind == "allow"


def test_a_file_of_the_scope_is_opened_without_a_question_and_a_program_is_not() -> None:
    folder = Grant("folder", str(HOME / "Documents"), How.LOOK)
    for path, kind in (
        ("Documents/a.txt", "allow"),
        ("Documents/a.sh", "ask"),
        ("a.txt", "ask"),
        ("Documents/../a.txt", "ask"),
    ):
        target = f"{HOME}/{path}"
        assert asked(ops.Open(target), Place(known=True, name=target), folder).kind == kind, path


@pytest.mark.parametrize(("named", "kind"), [(True, "allow"), (False, "ask")])
def test_without_limits_a_file_that_the_user_named_is_opened_after_reading_too(
    named: bool, kind: str
) -> None:
    target = str(HOME / "Documents/meeting.txt")
    place = Place(known=True, name=target, file=FileTarget("open", target, named=named))
    said = understand(("What does meeting.txt in Documents say?",))
    assert judge(ops.Open(target), place, "full", "seen", Rules(), EVERYTHING, said).kind == kind


@pytest.mark.parametrize("level", ["full", "simulation_only"])
def test_the_other_levels_know_no_scope(level: Any) -> None:
    place = Place(known=True, program="mousepad", role="text", simulated=level == "simulation_only")
    assert judge(CLICKED, place, level, "model", Rules(), Scope()).kind == "allow"


# ---- in a run --------------------------------------------------------------------------------


def answering(bench: Bench, yes: Callable[[say.ApprovalAsked], bool]) -> list[say.ApprovalAsked]:
    questions: list[say.ApprovalAsked] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            questions.append(event)
            (bench.session.approve if yes(event) else bench.session.skip)(event.id)

    bench.on_event = hear
    return questions


class Elsewhere(MemoryTarget):
    """Where another application has come to the front since the goal was given."""

    def come(self) -> None:
        self.window = self.window.__class__("Files", 4_000_001, "pcmanfm", self.window.bounds)
        self.things = ()


def elsewhere(tmp_path: Path, *texts: str) -> Bench:
    target = Elsewhere()
    bench = Bench(ScriptedModel(*texts), tmp_path, target=target)
    bench.target.input.after = lambda event: target.come()
    return bench


def test_one_yes_holds_for_the_run_and_is_told(tmp_path: Path) -> None:
    bench = elsewhere(tmp_path, turn(CLICK), turn(CLICK), turn(CLICK), turn(CLICK), DONE)
    questions = answering(bench, lambda event: True)
    bench.run("press it")
    assert [e.adds for e in questions] == [("app:pcmanfm:act",)] and bench.states[-1] == "done"
    first, later = bench.of(say.ScopeSet)
    assert first.grants == ("app:paper:act",) and first.added == ()
    assert later.added == ("work in pcmanfm",) and later.words == ("Work in: paper, pcmanfm",)
    bench.run("press it")
    assert len(questions) == 1, "Files is in front when the next goal is given"


def test_a_no_adds_nothing(tmp_path: Path) -> None:
    bench = elsewhere(tmp_path, turn(CLICK), turn(CLICK), turn(CLICK), DONE)
    questions = answering(bench, lambda event: False)
    bench.run("press it")
    assert len(questions) == 2 and len(bench.of(say.ScopeSet)) == 1


def test_what_the_user_says_later_goes_further(tmp_path: Path) -> None:
    ask = turn({"op": "ask", "question": "What shall I do?"})
    bench = Bench(ScriptedModel(ask, turn(CLICK), DONE), tmp_path)
    questions = answering(bench, lambda event: False)
    hear, bench.on_event = bench.on_event, lambda event: None

    def both(event: say.FeedEvent) -> None:
        hear(event)
        if isinstance(event, say.Question):
            bench.session.send("press it")

    bench.on_event = both
    bench.run("look at this")
    assert questions == [] and [e.grants for e in bench.of(say.ScopeSet)] == [
        ("app:paper:look",),
        ("app:paper:act",),
    ]


def test_a_model_may_ask_once_with_its_plan(tmp_path: Path) -> None:
    more = {"high_level": ["Open Files"], "scope": ["app:pcmanfm:act", "site:https://shop.example:fill"]}
    model = ScriptedModel(
        turn(CLICK, scope=["app:pcmanfm:act"]),
        turn(CLICK, **more),
        turn(CLICK, scope=["app:other:act"], high_level=["Open Files"]),
        turn(CLICK, scope=["app:*"]),
        DONE,
    )
    bench = Bench(model, tmp_path)
    questions = answering(bench, lambda event: True)
    bench.run("press it")
    assert [e.adds for e in questions] == [tuple(more["scope"])]
    assert "Open Files" in questions[0].why and not questions[0].lasting
    details = [deed.detail for deed in model.asked[-1].deeds if deed.words.startswith("Asked")]
    assert "together with the plan" in details[0] and details[1] == ""
    assert "once in a run" in details[2] and "not the file name of a program" in details[3]
    assert bench.of(say.ScopeSet)[-1].grants == (
        "app:paper:act",
        "app:pcmanfm:act",
        "site:https://shop.example:fill",
    )
    assert "Type and choose in: https://shop.example" in model.asked[-1].text


def test_a_card_shows_a_place_as_it_is_written(tmp_path: Path) -> None:
    model = ScriptedModel(
        turn(CLICK, high_level=["Read it"], scope=["folder:~/Taxes 2026:look", "app:pcmanfm:act"]), DONE
    )
    bench = Bench(model, tmp_path)
    questions = answering(bench, lambda event: False)
    bench.run("press it")
    (card,) = questions
    assert card.words.startswith("Look at ") and "Taxes 2026; work in pcmanfm as well" in card.words


def test_a_yes_for_one_origin_is_not_used_for_the_one_that_took_its_place() -> None:
    target = MemoryTarget()
    target.window = WindowInfo("Shop", 7, "Chromium", target.input.layout.bounds, program="chromium")

    def shown(url: str) -> tuple[Element, ...]:
        whole = target.input.layout.bounds
        document = Element("d", "document web", "Shop", whole, window="Shop", pid=7, url=url)
        button = Element(
            "b", "push button", "Frobnicate", Rect(10, 10, 50, 20), window="Shop", pid=7, parent="d"
        )
        return (document, button)

    def look() -> Observation:
        target.things = shown(SHOP)
        layout = target.geometry()
        view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        return Observation(target.observe(), view, target.things, window="Shop")

    gate = Gatekeeper(Places(target, frozenset()), "restricted", Rules(), run_scope=RunScope(Scope()))
    observation = look()
    rulings = list(gate.plan([ops.ClickElement("b")], observation))
    assert rulings[0].verdict.adds == Grant("site", SHOP, How.ACT)
    (segment,) = segments([ops.ClickElement("b")])
    gate.begin(rulings, "approve", observation)
    assert gate.refusal(segment, observation) == []
    target.things = shown("https://shop.example.evil.example/")
    (refused,) = gate.refusal(segment, observation)
    assert refused.outcome == "refused" and "shop.example.evil.example" in refused.detail
