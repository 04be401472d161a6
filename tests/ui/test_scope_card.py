"""The scope card: one line of places, all of it when unfolded, and what is always allowed can be taken back."""

from __future__ import annotations

from PySide6.QtCore import Qt

from desktop_agent.policy.facts.scope import How
from desktop_agent.protocol.agent_events import ScopeSet, StandingSet, Status
from desktop_agent.ui.panels.scope_card import GrantRow, PlaceChip, StandingRow, parsed
from desktop_agent.ui.widgets.wrapped_text import WrappedText
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.test_approval_card import shown


def test_what_came_last_stands_first_and_is_marked(stage: Stage) -> None:
    stage.play(*scenes.many_grants())
    card = stage.window.body.scope
    chips = [each for each in card.findChildren(PlaceChip) if not each.isHidden()]
    assert [each.label.text().split()[:2] for each in chips] == [
        ["New:", "mousepad"],
        ["chromium", "work"],
        ["libreoffice", "work"],
    ]
    assert "and 3 more" in shown(card) and "Always: 2" in shown(card)


def test_it_unfolds_by_keyboard_and_shows_hosts_with_their_owners_part(stage: Stage, hands: Hands) -> None:
    stage.play(*scenes.many_grants())
    card = stage.window.body.scope
    stage.window.composer.input.clearFocus()
    card.fold.setFocus(Qt.FocusReason.TabFocusReason)
    stage.wait(card.fold.hasFocus, "the button with the keyboard")
    assert "show all" in card.fold.accessibleName() and "Work in: chromium" in card.fold.accessibleName()
    card.fold.click()
    rows = [each for each in card.findChildren(GrantRow) if each.isVisible()]
    assert len(rows) == 6
    (label,) = [
        each
        for each in card.findChildren(WrappedText)
        if "shop.example.co.uk:8443" in each.text() and each.isVisible()
    ]
    assert [label.text()[at : at + size] for at, size, role, _ in label._spans if role == "mono_strong"] == [
        "example.co.uk"
    ]


def test_always_is_taken_back_with_the_mouse(stage: Stage, hands: Hands) -> None:
    stage.play(*scenes.many_grants())
    card = stage.window.body.scope
    card.fold.click()
    first = card.findChildren(StandingRow)[0]
    stage.window.body.area.ensureWidgetVisible(first)
    stage.wait(lambda: not first.button.visibleRegion().isEmpty(), "the button")
    assert first.button.accessibleName() == "Take back: click “Send” in chromium at https://expenses.example"
    hands.click(first.button)
    stage.wait(lambda: stage.told("take_back"), "the grant taken back")
    assert stage.told("take_back") == [("take_back", "s1")]
    stage.play(StandingSet(grants=scenes.GRANTS[1].grants[1:]))
    stage.wait(
        lambda: "Always: 1" in shown(card) and "expenses.example" not in shown(card), "the other one alone"
    )


def test_what_is_always_allowed_stays_in_sight_between_runs(stage: Stage) -> None:
    stage.play(*scenes.many_grants(), Status(state="stopped"))
    card = stage.window.body.scope
    assert card.isVisible() and card.fold.text() == "ALWAYS ALLOWED"
    stage.play(StandingSet())
    assert not card.isVisible()


def test_a_scope_without_places_says_what_it_is(stage: Stage) -> None:
    stage.play(*scenes.running(), ScopeSet(words=("Work anywhere: the permission is full",)))
    assert "Work anywhere" in shown(stage.window.body.scope)


def test_grants_are_read_as_they_are_written() -> None:
    site = parsed("site:https://shop.example:8443:fill")
    assert (site.kind, site.what, site.how) == ("site", "https://shop.example:8443", How.FILL)
    folder = parsed("folder:C:\\Users\\anna:look")
    assert (folder.what, folder.words) == ("C:\\Users\\anna", "look at C:\\Users\\anna")
