"""Everyday instructions on real applications: proved by what is on disk or what a page's server got."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from tests.jobs.commands import run

TRUSTED = ("--permission", "full")
"""For what would need a yes: booking, deleting, a terminal."""


BOOKING = """<!doctype html><title>Booking</title><h1>Book a room</h1><form action="/booked">
<p>First name<br><input name="first"></p><p>Last name<br><input name="last"></p>
<p><input type="email" name="email" placeholder="Email address"></p>
<p>Guests: <input type="number" name="guests" value="1"></p>
<fieldset><legend>Room</legend><label><input type="radio" name="room" value="s"> Single</label>
<label><input type="radio" name="room" value="d"> Double</label></fieldset>
<p><label>Arrival <input type="date" name="arrival"></label></p>
<p><label>Wishes<br><textarea name="wishes"></textarea></label></p>
<p><label><input type="checkbox" name="terms" value="1"> I accept the Terms and Conditions</label></p>
<button>Book now</button></form>"""
ORDERS = """<!doctype html><title>Orders</title><table>
<tr><td>1001<td>Ada Lovelace<td><button onclick="location='/deleted?no=1001'">Delete</button></tr>
<tr><td>1002<td>Alan Turing<td><button onclick="location='/deleted?no=1002'">Delete</button></tr></table>"""
UPLOAD = """<!doctype html><title>Upload</title><button onclick="setTimeout(() => { state.innerHTML =
'Finished <a href=/report>Show report</a>' }, 1500)">Start</button><p id="state">Idle</p>"""
THANKS = "<!doctype html><title>Thank you</title><h1>Thank you</h1><p>Reference: <b>REF-4711</b></p>"


@pytest.fixture
def site(httpserver: HTTPServer) -> HTTPServer:
    pages = {
        "/booking": BOOKING,
        "/orders": ORDERS,
        "/upload": UPLOAD,
        "/booked": THANKS,
        "/deleted": THANKS,
        "/report": THANKS,
    }
    for path, page in pages.items():
        httpserver.expect_request(path).respond_with_data(page, content_type="text/html; charset=utf-8")
    return httpserver


def asked(site: HTTPServer, path: str) -> list[dict[str, str]]:
    """The fields of the requests for a path."""
    return [dict(request.args.items()) for request, _ in site.log if request.path == path]


def test_a_form_of_every_kind_of_field_is_filled_in(site: HTTPServer, tmp_path: Path) -> None:
    goal = (
        f"Go to {site.url_for('/booking')}, fill in the first name with Ada and the last name with Lovelace, "
        'enter "ada@x.org" as email, set the guests to 3, choose Double, set the arrival to 4 March 2027, '
        "write A quiet room, please in Wishes, accept the terms and press Book now. Then tell me the reference."
    )
    ran = run(tmp_path, goal, *TRUSTED)
    assert ran.code == 0, ran.story
    assert asked(site, "/booked") == [
        {"first": "Ada", "last": "Lovelace", "email": "ada@x.org", "guests": "3", "room": "d",
         "arrival": "2027-03-04", "wishes": "A quiet room, please", "terms": "1"}
    ]  # fmt: skip
    assert "REF-4711" in ran.of("done")[0]["summary"]


def test_one_of_several_buttons_is_told_by_its_row(site: HTTPServer, tmp_path: Path) -> None:
    ran = run(
        tmp_path, f"Open {site.url_for('/orders')} and click the Delete button next to Alan Turing", *TRUSTED
    )
    assert ran.code == 0, ran.story
    assert asked(site, "/deleted") == [{"no": "1002"}]


def test_one_of_several_buttons_is_not_guessed(site: HTTPServer, tmp_path: Path) -> None:
    ran = run(tmp_path, f"Open {site.url_for('/orders')} and click Delete")
    assert ran.code == 4, ran.story
    assert "Alan Turing" in ran.of("question")[0]["text"] and not asked(site, "/deleted")


def test_what_comes_later_is_waited_for(site: HTTPServer, tmp_path: Path) -> None:
    goal = f"Open {site.url_for('/upload')}, click Start, wait until Finished appears and click Show report"
    ran = run(tmp_path, goal)
    assert ran.code == 0, ran.story
    assert len(asked(site, "/report")) == 1


def test_a_command_is_run_in_a_terminal_and_read_from_the_picture(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        "Open the terminal and run echo 6 times 7 > sum.txt, then wait 1 second and close the terminal",
        *TRUSTED,
    )
    assert ran.code == 0, ran.story
    assert (tmp_path / "sum.txt").read_text() == "6 times 7\n"


def test_a_sum_goes_into_a_file(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        "calculate (3 + 4) * 5.5 and write the result in a text file called sum.txt in the home folder",
    )
    assert ran.code == 0, ran.story
    assert (tmp_path / "sum.txt").read_text() == "38.5"


def test_files_are_renamed_and_folders_made_inside_each_other(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("kept")
    goal = "Open the file manager, rename old.txt to new.txt, create a folder called Reports in the home folder and then create a folder called 2027 in it"
    ran = run(tmp_path, goal)
    assert ran.code == 0, ran.story
    assert (tmp_path / "new.txt").read_text() == "kept"
    assert (tmp_path / "Reports" / "2027").is_dir()


def test_unsaved_text_is_not_thrown_away(tmp_path: Path) -> None:
    ran = run(tmp_path, "Open mousepad, type abc and close the window")
    assert ran.code == 4, ran.story
    assert "save the changes" in ran.of("question")[0]["text"]
