"""Going back to what was seen before and is not in sight."""

from __future__ import annotations

import pytest

from desktop_agent.agent.context.map_maker import MapMaker
from desktop_agent.llm.base import Deed
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element, Observation
from tests.extras.offline.things import Talk, element, look, question, summary

PROXY = element("check box", "Use proxy", (50, 80, 90, 20), window="Settings", id="proxy")


def main(button: str = "Settings") -> Observation:
    opener = element("push button", button, (10, 10, 80, 20), window="Main", id="opener")
    return look(opener, element("push button", "Help", (110, 10, 80, 20), window="Main"), window="Main")


def dialog(thing: Element = PROXY, *windows: str) -> Observation:
    return look(thing, window="Settings", windows=windows or ("Settings", "Main"))


def known(
    first: Observation, *then: Observation, entered: bool = False, button: str = "Settings"
) -> MapMaker:
    """Where the opener was pressed in the first look, the others were seen after it, and the first again."""
    maker = MapMaker()
    maker.look(first)
    if entered:
        maker.act([Deed(1, ops.Type("Ada"), "", "done")], first)
    pressed = next(each for each in first.elements if each.name == button)
    maker.act([Deed(1, ops.ClickElement(pressed.id), "", "done")], first)
    for each in (*then, first):
        maker.look(each)
    return maker


def test_a_dialog_is_opened_again_for_what_is_in_it() -> None:
    talk = Talk("check “Use proxy”", maker=known(main(), dialog()))
    assert talk.until_it_acts(main()) == (ops.ClickElement("opener"),)
    assert isinstance(talk.see(main())[0], ops.Wait)  # the dialog comes late
    assert talk.see(dialog()) == (ops.ClickElement("proxy"),)
    ticked = element("check box", "Use proxy", (50, 80, 90, 20), window="Settings", states=["checked"])
    assert summary(talk.see(dialog(ticked)))


def test_what_comes_up_by_itself_is_waited_for_first() -> None:
    talk = Talk("check “Use proxy”", maker=known(main(), dialog()))
    assert isinstance(talk.see(main())[0], ops.Wait)
    assert talk.see(dialog()) == (ops.ClickElement("proxy"),)


def test_a_way_that_leads_nowhere_is_tried_twice_and_then_asked_about() -> None:
    talk = Talk("check “Use proxy”", maker=known(main(), dialog()))
    clicks = 0
    for _ in range(40):
        actions = talk.see(main(), effect="unchanged")
        clicks += actions == (ops.ClickElement("opener"),)
        if isinstance(actions[0], ops.Ask):
            break
    assert question(actions) and clicks == 2


def test_a_step_that_was_refused_is_not_tried_again() -> None:
    talk = Talk("check “Use proxy”", maker=known(main(), dialog()))
    talk.see(main()), talk.see(main())
    assert talk.see(main(), outcome="refused", detail="The user said no.") == (ops.ClickElement("opener"),)
    for _ in range(20):
        actions = talk.see(main())
        assert actions != (ops.ClickElement("opener"),)
        if isinstance(actions[0], ops.Ask):
            return
    raise AssertionError("it never asks")


@pytest.mark.parametrize(
    ("button", "entered"), [("Delete", False), ("Save changes", False), ("Settings", True)]
)
def test_what_may_do_more_than_open_something_is_not_pressed_for_it(button: str, entered: bool) -> None:
    seen = main(button)
    talk = Talk("check “Use proxy”", maker=known(seen, dialog(), entered=entered, button=button))
    for _ in range(20):
        actions = talk.see(seen)
        if isinstance(actions[0], ops.Ask):
            return
        assert actions != (ops.ClickElement("opener"),)
    raise AssertionError("it never asks")


def test_a_name_that_many_windows_have_is_not_sought_elsewhere() -> None:
    closing = element("push button", "OK", (50, 80, 90, 20), window="Settings", id="ok")
    talk = Talk("click OK", maker=known(main(), dialog(closing)))
    for _ in range(20):
        if isinstance(talk.see(main())[0], ops.Ask):
            return
    raise AssertionError("it never asks")


def test_a_window_that_is_open_still_is_brought_to_the_front() -> None:
    behind = look(*main().elements, window="Main", windows=("Main", "Settings"))
    maker = MapMaker()
    maker.look(dialog())
    talk = Talk("check “Use proxy”", maker=maker)
    maker.look(behind)
    assert talk.until_it_acts(behind) == (
        ops.KeyDown("alt"),
        ops.KeyCombo(("tab",)),
        ops.KeyUp("alt"),
    )
    assert talk.see(dialog()) == (ops.ClickElement("proxy"),)
