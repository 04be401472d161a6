"""A form in a browser, filled in through a camera and a USB cable from end to end, judged by what its server received."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="the extra `camera` is not installed")

from tests.support.filmed_machine import filmed_form
from tests.support.simulated_camera import GOOD

SECONDS = 300
pytestmark = pytest.mark.timeout(SECONDS)
PAGE = """<!doctype html><title>Guests</title>
<style>body { font: 22px sans-serif; margin: 60px } input { font: inherit; padding: 6px; width: 420px }
input[type=checkbox] { width: 22px; height: 22px } button { font: inherit; padding: 8px 28px }</style>
<h1>Guest list</h1>
<form action="/submitted" method="post">
<p><label>Name<br><input name="name"></label></p>
<p><label><input type="checkbox" name="dinner" value="yes"> Stays for dinner</label></p>
<p><button>Save</button></p></form>"""


def test_a_form_is_filled_in_by_what_a_camera_sees_of_it(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "guests.html").write_text(PAGE)
    with filmed_form(GOOD, pages, tmp_path) as machine:
        machine.show("guests")
        outcome = machine.run(
            "Type Anna Berg into Name, tick Stays for dinner, press Save.",
            "--model",
            "offline",
            seconds=SECONDS - 60,
        )
        assert machine.submitted() == [{"name": "Anna Berg", "dinner": "yes"}], (
            outcome.answer,
            outcome.errors,
        )
