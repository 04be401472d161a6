"""A Wayland session is recognised, and its user told what works there."""

from __future__ import annotations

import pytest

from desktop_agent.startup.wayland_words import ON_DESKTOP, OWN_SCREEN, wayland_note

pytestmark = pytest.mark.linux("Wayland is of Linux")


@pytest.mark.parametrize("sign", [("WAYLAND_DISPLAY", "wayland-0"), ("XDG_SESSION_TYPE", "wayland")])
def test_it_is_told_for_what_the_agent_works_on(
    sign: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("XDG_SESSION_TYPE", "x11")
    assert wayland_note(works_on_desktop=False) == wayland_note(works_on_desktop=True) == ""
    monkeypatch.setenv(*sign)
    assert wayland_note(works_on_desktop=False) == OWN_SCREEN
    assert wayland_note(works_on_desktop=True) == ON_DESKTOP
