"""The picture that the settings dialog shows of a target hides private windows, and the open windows are listed."""

from __future__ import annotations

from contextlib import nullcontext

from desktop_agent.protocol.geometry import Rect
from desktop_agent.ui.settings.options.surroundings import surroundings_of
from desktop_agent.vision.capture.masks import Privacy
from tests.desk import Desk
from tests.vision.reading import wait_until_quiet

DIARY = ("-T", "my diary", "-bg", "#ff0000", "-geometry", "40x10+300+300", "-e", "cat")


def test_private_windows_are_hidden_and_drawn_parts_are_not(display: Desk) -> None:
    pid = display.launch("xterm", *DIARY, title="my diary")
    wait_until_quiet(display)
    try:
        hides = Privacy(windows=("*diary*",), regions=(Rect(0, 0, 50, 50),))
        private = surroundings_of(lambda: nullcontext(display.target), lambda: hides, {})
        bare = surroundings_of(lambda: nullcontext(display.target), Privacy, {})
        assert private.picture is not None and bare.picture is not None
        assert private.picture().region == display.target.geometry().bounds
        assert private.picture().image != bare.picture().image
        assert "my diary" in [each.title for each in private.windows()]
        only_drawn = surroundings_of(
            lambda: nullcontext(display.target), lambda: Privacy(regions=hides.regions), {}
        )
        assert only_drawn.picture is not None and only_drawn.picture().image == bare.picture().image
    finally:
        display.end(pid)
