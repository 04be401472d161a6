"""A "done" is told when there is evidence for what the goal claims; a screen that claims success is none."""

from __future__ import annotations

import time
import zipfile
from pathlib import Path

import pytest

from desktop_agent.agent.verifying.claims import FileClaim, claims_of
from desktop_agent.agent.verifying.file_receipts import FileEvidence
from desktop_agent.agent.verifying.file_states import holds, state_of
from desktop_agent.agent.verifying.finishing import NOT_DONE, YES_DONE, Conclusion, Finishing
from desktop_agent.llm.base import Deed
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Effect, FeedEvent
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation
from tests.support.memory_desk import Bench, ScriptedModel

SCREEN = Rect(0, 0, 64, 64)
FRAME = Frame(bytes(64 * 64 * 4), SCREEN, 1, 0.0)
NAME = Element(
    "e1", "text", "Name", Rect(0, 0, 30, 10), window="Form", trail=(0, 1), states=frozenset({"editable"})
)
SAVE = Element("e2", "push button", "Save", Rect(0, 20, 30, 10), window="Form", trail=(0, 2))
TICK = Element("e3", "check box", "Wrap", Rect(0, 40, 30, 10), window="Form", trail=(0, 3))


def element(base: Element, **changes: object) -> Element:
    import msgspec

    return msgspec.structs.replace(base, **changes)


def look(*elements: Element, window: str = "Form", windows: tuple[str, ...] = ("Form",)) -> Observation:
    return Observation(FRAME, Viewport(SCREEN, Size(64, 64), 1), elements, window=window, windows=windows)


def deed(op: Op, effect: Effect = "changed") -> Deed:
    return Deed(1, op, "did it", "done", "", effect)


class Run:
    """The check of one run in a home folder of its own, fed by hand."""

    def __init__(self, home: Path, goal: str, *, elsewhere: bool = False) -> None:
        for each in ("Documents", "Desktop", "Downloads"):
            (home / each).mkdir(exist_ok=True)
        # Whatever is written has been as it is for long: nothing is waited for.
        evidence = FileEvidence(str(home), time.time_ns(), elsewhere=elsewhere)
        self.check = Finishing(evidence, clock=lambda: time.time_ns() + 10**10)
        self.check.hear((goal,))
        self.seen = look(NAME, SAVE, TICK)
        self.check.looked(self.seen)

    def act(self, op: Op, *after: Element, effect: Effect = "changed", **more: tuple[str, ...]) -> None:
        now = look(*(after or (NAME, SAVE, TICK)), **more)  # type: ignore[arg-type]
        self.check.noted([deed(op, effect)], self.seen, now)
        self.seen = now

    def done(self, summary: str = "Done.") -> Conclusion:
        self.check.looked(self.seen)
        return self.check.conclude(summary, self.seen, lambda: self.seen, StopFlag())


PRESS = ops.ClickElement(element="e2")
PEOPLE = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Mary Shelley")


def typed(text: str) -> Op:
    return ops.Type(text, element="e1")


def test_a_named_file_with_the_text_is_verified(tmp_path: Path) -> None:
    run = Run(tmp_path, f"Write “Call Ada” and save it as {tmp_path}/note.txt")
    run.act(typed("Call Ada"), element(NAME, value="Call Ada"), SAVE)
    (tmp_path / "note.txt").write_text("Call Ada\n", "utf-8")
    run.act(PRESS)
    found = run.done()
    assert (found.next, found.verdict) == ("done", "verified")
    assert any(each.kind == "file" and "holds “Call Ada”" in each.detail for each in found.receipts)


@pytest.mark.parametrize("content", [None, "Call Ada\n"])
def test_files_of_this_computer_tell_nothing_of_another_one(tmp_path: Path, content: str | None) -> None:
    run = Run(tmp_path, f"Write “Call Ada” and save it as {tmp_path}/note.txt", elsewhere=True)
    run.act(typed("Call Ada"), element(NAME, value="Call Ada"), SAVE)
    if content is not None:
        (tmp_path / "note.txt").write_text(content, "utf-8")
    run.act(PRESS)
    found = run.done()
    assert not any(each.kind == "file" for each in found.receipts)
    assert found.verdict == "unverified"


@pytest.mark.parametrize("content", [None, "", "something else"])
def test_a_file_that_is_missing_empty_or_without_the_text_is_contradicted(
    tmp_path: Path, content: str | None
) -> None:
    run = Run(tmp_path, f"Write “Call Ada” and save it as {tmp_path}/note.txt")
    run.act(typed("Call Ada"), element(NAME, value="Call Ada"), SAVE)
    if content is not None:
        (tmp_path / "note.txt").write_text(content, "utf-8")
    run.act(PRESS, NAME, element(SAVE, role="label", name="Saved successfully. Thank you!"))
    assert [run.done().next for _ in range(3)] == ["refuse", "refuse", "ask"]


def test_a_file_that_was_there_before_and_is_as_it_was_is_contradicted(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("milk\n", "utf-8")
    run = Run(tmp_path, "Add “bread” to list.txt and save it")
    run.act(typed("bread"), element(NAME, value="bread"), SAVE)
    found = run.done()
    assert found.verdict == "contradicted" and "was not written" in found.words


def test_a_bare_name_means_the_file_whose_whole_path_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "work"
    folder.mkdir(parents=True)
    run = Run(tmp_path, f"Write “Call Ada” into note.txt, I need {folder}/note.txt right after")
    run.act(typed("Call Ada"), element(NAME, value="Call Ada"), SAVE)
    (folder / "note.txt").write_text("Call Ada", "utf-8")
    run.act(PRESS)
    assert run.done().verdict == "verified"


@pytest.mark.parametrize(
    ("content", "next"),
    [("Name\n", "ask"), ("Name\nAda Lovelace\n", "ask"), ("\n".join(("Name", *PEOPLE)), "done")],
)
def test_what_was_exported_holds_all_of_what_a_list_showed(tmp_path: Path, content: str, next: str) -> None:
    people = [element(NAME, id=f"r{n}", role="table cell", name=name) for n, name in enumerate(PEOPLE)]
    run = Run(tmp_path, f"Export the contacts as {tmp_path}/team.csv")
    run.act(PRESS, *people, SAVE)
    run.check.looked(run.seen)
    (tmp_path / "team.csv").write_text(content, "utf-8")
    run.act(PRESS, *people, element(SAVE, role="label", name="4 contacts exported"))
    found = [run.done() for _ in range(2)][-1]
    assert found.next == next, found


def test_a_message_is_no_evidence_for_what_has_to_last(tmp_path: Path) -> None:
    run = Run(tmp_path, "Send the message")
    banner = element(SAVE, id="e9", role="label", name="Message sent. Thank you!")
    run.act(PRESS, NAME, banner, effect="confirmed", windows=("Form", "Message sent"))
    first, second = run.done(), run.done()
    assert (first.next, second.next) == ("refuse", "ask") and second.verdict == "unverified"


@pytest.mark.parametrize(("url", "shown"), [
    ("http://shop.example/login", True),
    ("http://shop.example/account", False),
    ("http://shop.example/order?name=mail", False),
    ("http://shop.example/cart#settings", True),
])  # fmt: skip
def test_a_page_of_the_site_shows_nothing_by_its_host_or_by_what_was_typed(
    url: str, shown: bool, tmp_path: Path
) -> None:
    run = Run(tmp_path, "Go to http://shop.example/login, open the settings with my mail")
    page = element(NAME, role="document web", name="Thank you", window="Thank you - Chromium", url=url)
    run.act(PRESS, NAME, page, windows=("Form", "Thank you - Chromium"))
    assert any(each.kind == "page" for each in run.done().receipts) == shown


@pytest.mark.parametrize(("goal", "before", "after"), [
    ("Delete old.txt", {"old.txt": "x"}, {}),
    ("Rename a.txt to b.txt", {"a.txt": "x"}, {"b.txt": "x"}),
    ("Copy a.txt to b.txt", {"a.txt": "x"}, {"a.txt": "x", "b.txt": "x"}),
    ("Move a.txt to Documents", {"a.txt": "x"}, {"Documents/a.txt": "x"}),
    ("Make a folder called Receipts", {}, {"Receipts/": ""}),
])  # fmt: skip
def test_each_act_on_a_file_has_its_own_expectation(
    tmp_path: Path, goal: str, before: dict[str, str], after: dict[str, str]
) -> None:
    for name, text in before.items():
        (tmp_path / name).write_text(text, "utf-8")
    run = Run(tmp_path, goal)
    run.act(PRESS)
    assert run.done().verdict in ("contradicted", "unverified")
    for name in before:
        (tmp_path / name).unlink()
    for name, text in after.items():
        if name.endswith("/"):
            (tmp_path / name).mkdir()
        else:
            (tmp_path / name).write_text(text, "utf-8")
    assert run.done().verdict == "verified"


def test_a_box_that_dropped_what_was_typed_is_contradicted_until_it_is_put_right(tmp_path: Path) -> None:
    run = Run(tmp_path, "Type “Ada” into Name")
    run.act(typed("Ada"), NAME, SAVE, effect="unknown")
    assert "holds nothing" in run.done().words
    run.act(typed("Ada"), element(NAME, value="Ada"), SAVE, effect="confirmed")
    assert run.done().verdict == "verified"


def test_a_tick_that_is_gone_again_and_a_button_that_did_nothing_are_contradicted(tmp_path: Path) -> None:
    run = Run(tmp_path, "Tick Wrap")
    on = element(TICK, states=frozenset({"checked"}))
    run.act(ops.ClickElement(element="e3"), NAME, SAVE, on, effect="confirmed")
    assert run.done().verdict == "verified"
    run.seen = look(NAME, SAVE, TICK)
    assert "not checked again" in run.done().words
    dead = Run(tmp_path, "Press Save")
    dead.act(PRESS, effect="unchanged")
    assert "had no effect" in dead.done().words


def test_an_answer_rests_on_what_was_read(tmp_path: Path) -> None:
    run = Run(tmp_path, "What does the lamp cost?")
    run.act(ops.Scroll(dy=1, x=1, y=1), NAME, element(SAVE, role="label", name="Lamp: 1,249.50 €"))
    assert run.done("It costs 1249.50 €.").verdict == "verified"
    assert run.done("It costs 17 €.").verdict == "unverified"


def test_a_quoted_text_that_was_nowhere_used_is_missing(tmp_path: Path) -> None:
    run = Run(tmp_path, "Fill in Name with “Ada” and City with “Paris”")
    run.act(typed("Ada"), element(NAME, value="Ada"), SAVE, effect="confirmed")
    found = run.done()
    assert found.verdict == "unverified" and any("Paris" in each.detail for each in found.receipts)


def test_what_the_model_points_to_counts_only_when_it_is_so(tmp_path: Path) -> None:
    run = Run(tmp_path, "Send the report")
    run.act(PRESS)
    run.check.fresh = lambda *_: f"FILE {tmp_path}/sent.txt | the report\nSHOWN e2 | Save"
    assert run.done().verdict == "unverified"
    (tmp_path / "sent.txt").write_text("the report", "utf-8")
    assert run.done().verdict == "verified"


def test_a_file_that_is_made_to_break_its_reader_is_only_not_read(tmp_path: Path) -> None:
    deep, bomb = tmp_path / "deep.json", tmp_path / "bomb.odt"
    deep.write_text("[" * 100_000 + '"Call Ada"' + "]" * 100_000)
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(20):
            packed.writestr(f"{number}.xml", " " * 1_000_000)
    assert holds(state_of(str(deep)), "Call Ada") is True
    assert holds(state_of(str(bomb)), "Call Ada") is None


def test_one_of_many_proves_nothing_of_the_others(tmp_path: Path) -> None:
    run = Run(tmp_path, f"Write “Okafor” throughout {tmp_path}/film.txt and save it")
    run.act(typed("Okafor"), element(NAME, value="Okafor"), SAVE)
    (tmp_path / "film.txt").write_text("Okafor\nMarlow\n", "utf-8")
    run.act(PRESS)
    found = [run.done() for _ in range(2)][-1]
    assert found.next == "ask" and "all that your words mean" in found.words


def test_what_overwrote_older_lines_is_not_told_as_added(tmp_path: Path) -> None:
    journal = tmp_path / "journal.md"
    journal.write_text("".join(f"- entry number {n}\n" for n in range(9)), "utf-8")
    run = Run(tmp_path, "Add “queen seen” to journal.md")
    run.act(typed("queen seen"), element(NAME, value="queen seen"), SAVE)
    journal.write_text("- queen seen\n", "utf-8")
    run.act(PRESS)
    assert [run.done().next for _ in range(2)][-1] == "ask"


def test_claims_are_read_from_words() -> None:
    assert claims_of(("Open a.txt and copy it",)).files == ()
    assert claims_of(("Do not delete a.txt",)).files == ()
    assert claims_of(("Write the text of a.txt into b.txt",)).files == (FileClaim("write", "b.txt"),)
    assert claims_of(("Save it as ~/x/y.txt",)).files == (FileClaim("write", "~/x/y.txt"),)
    assert claims_of(("Sort the list in alphabetical order",)).lasting is False
    assert claims_of(("Order two lamps",)).lasting is True
    assert [claims_of((each,)).asks for each in ("What is it?", "Tell me the price", "Type what you like")] == [
        True, True, False,
    ]  # fmt: skip


# ---- in the loop -------------------------------------------------------------------------------

DONE = '{"actions": [{"op": "done", "summary": "All done."}]}'


def run_with(tmp_path: Path, *answers: str) -> tuple[Bench, ScriptedModel]:
    model = ScriptedModel('{"actions": [{"op": "click_element", "element": "e1"}]}', DONE, proves_done=False)
    bench, left = Bench(model, tmp_path), list(answers)

    def answer(event: FeedEvent) -> None:
        if isinstance(event, say.Question):
            bench.session.send(left.pop(0) if left else "stop")
            if not left and answers[-1] != YES_DONE:
                bench.session.stop()

    bench.on_event = answer
    bench.run("send the order")
    return bench, model


def test_an_unverified_done_is_put_to_the_user_never_told(tmp_path: Path) -> None:
    bench, model = run_with(tmp_path, NOT_DONE, YES_DONE)
    asked = bench.of(say.Question)
    assert [each.choices for each in asked] == [(YES_DONE, NOT_DONE)] * 2 and "could not check" in asked[
        0
    ].text
    assert "user has not said that it is done" in model.asked[-1].deeds[-1].detail
    (told,) = bench.of(say.GoalReached)
    assert told.verdict == "unverified" and told.receipts[-1].kind == "user" and bench.states[-1] == "done"


def test_results_carry_their_receipts(tmp_path: Path) -> None:
    bench, _ = run_with(tmp_path, YES_DONE)
    assert [each.receipt.verdict for each in bench.of(say.Result)] == ["unverified"]
    assert [each.receipt.kind for each in bench.of(say.Result)] == ["pixels"]


def test_not_all_that_was_typed_has_to_be_in_the_file(tmp_path: Path) -> None:
    run = Run(tmp_path, f"Log in as annika, write “Call Ada” and save it as {tmp_path}/note.txt")
    run.act(typed("annika"), element(NAME, value="annika"), SAVE)
    other = element(NAME, id="e9", name="Text", trail=(0, 9), value="Call Ada")
    run.act(ops.Type("Call Ada", element="e9"), element(NAME, value="annika"), other, SAVE)
    (tmp_path / "note.txt").write_text("Call Ada\n", "utf-8")
    run.act(PRESS)
    assert run.done().verdict != "contradicted"


def test_a_password_is_in_no_receipt(tmp_path: Path) -> None:
    secret = element(NAME, name="Password", states=frozenset(("focused", "password")))
    for op in (ops.Type("hunter2"), typed("hunter2")):
        run = Run(tmp_path, f"Sign in with hunter2 and save the report as {tmp_path}/report.txt")
        run.act(PRESS, secret, SAVE)
        run.act(op, secret, SAVE)
        (tmp_path / "report.txt").write_text("All is well", "utf-8")
        run.act(PRESS)
        found = run.done()
        assert not any("hunter2" in each.detail for each in found.receipts), found


def test_an_answer_that_names_no_real_file_is_no_evidence(tmp_path: Path) -> None:
    run = Run(tmp_path, f"Write “Call Ada” and save it as {tmp_path}/note.txt")
    for name in ("<path of the file>", "a\0b", "x" * 5_000):
        assert run.check.files.pointed_at(name, "Call Ada") == []
