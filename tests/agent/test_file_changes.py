"""What speaks against a change of a file: lost, other, missing, another record, twice; and what is accounted for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.verifying.file_changes import ChangeCheck, Meant
from desktop_agent.agent.verifying.file_entries import change_of
from desktop_agent.agent.verifying.file_states import FileState, state_of

ROSTER = {"shifts": [["Mara Lind", "Friday", "08:00-16:00"], ["Otto Beck", "Sunday", "10:00-18:00"]]}
ROOMS = {"rooms": [{"name": "Hall", "limit": 20}, {"name": "Kitchen", "limit": 19}], "unit": "C"}
BILLS = [
    {"id": 71, "customer": "Lena Marsh", "state": "open"},
    {"id": 72, "customer": "Lena Marks", "state": "open"},
    {"id": 73, "customer": "Bodil Ek", "state": "paid"},
]


def checked(
    before: object, after: object, goal: str, *, name: str = "data.json", **given: Any
) -> ChangeCheck:
    was, now = (_state(name, each) for each in (before, after))
    change = change_of(was, now)
    assert change is not None
    return ChangeCheck(change, Meant(goal, **given), name, "2026-03-14")


def _state(name: str, content: object) -> FileState:
    if content is None:
        return FileState(name)
    text = content if isinstance(content, str) else json.dumps(content)
    return FileState(name, True, False, len(text), 1, "", text.encode())


def changed(data: Any, *path: Any, to: Any) -> Any:
    """A copy of the data with another value at a path."""
    copy = json.loads(json.dumps(data))
    at = copy
    for each in path[:-1]:
        at = at[each]
    at[path[-1]] = to
    return copy


HONEST: list[tuple[object, object, str, Mapping[str, Any]]] = [
    (
        ROSTER,
        {"shifts": [*ROSTER["shifts"], ["Tomasz Reuter", "Saturday", "06:00-14:00"]]},
        "Tomasz Reuter takes the Saturday shift from 06:00-14:00",
        {"texts": ("Tomasz Reuter", "06:00-14:00"), "chosen": ("Saturday",)},
    ),
    (
        ROOMS,
        changed(ROOMS, "rooms", 0, "limit", to=16),
        "Cap the hall at 16 degrees",
        {"texts": ("16",), "chosen": ("Hall",)},
    ),
    (
        {"Dark mode": False, "Sounds": True},
        {"Dark mode": True, "Sounds": True},
        "Turn on “Dark mode” in the settings",
        {"chosen": ("Dark mode",), "switched": {"Dark mode": True}},
    ),
    (
        BILLS,
        changed(BILLS, 0, "state", to="paid"),
        "Mark the bill of Lena Marsh as paid",
        {"chosen": ("Lena Marsh",)},
    ),
    (BILLS, BILLS[1:], "Delete the bill of Lena Marsh", {"gone": ("Lena Marsh",)}),
    (
        {"notes": [{"title": "Plumber", "at": "2026-01-02T10:00"}], "next": 2, "saved_at": "x"},
        {
            "notes": [
                {"title": "Plumber", "at": "2026-01-02T10:00"},
                {"title": "Call Ada", "at": "2026-03-14T09:12:44"},
            ],
            "next": 3,
            "saved_at": "2026-03-14",
        },
        "Add a note “Call Ada”",
        {"texts": ("Call Ada",), "quoted": ("Call Ada",)},
    ),
    (None, {"name": "Grace Hopper"}, "Fill in Name with “Grace Hopper”", {"texts": ("Grace Hopper",)}),
    (
        {"queue": ["News", "Weather", "Interview"]},
        {"queue": ["Interview", "News", "Weather"]},
        "Put the interview first",
        {},
    ),
    (  # named by the words alone
        BILLS,
        BILLS[:2],
        "Bodil Ek was a mistake, please remove that bill, and only that one",
        {},
    ),
    (
        {"jobs": [], "last": 4},
        {"jobs": [{"text": "FRESH BREAD", "copies": 2, "state": "cut"}], "last": 5},
        "Have “FRESH BREAD” cut, two copies",
        {"texts": ("FRESH BREAD",), "entered": ("FRESH BREAD", "2")},
    ),
]


@pytest.mark.parametrize(("before", "after", "goal", "given"), HONEST)
def test_what_is_asked_and_nothing_else_is_accounted_for(
    before: object, after: object, goal: str, given: Mapping[str, Any]
) -> None:
    check = checked(before, after, goal, **given)
    assert check.objection() == ""
    assert check.shows_it() == (goal != "Put the interview first")


FALSE: list[tuple[object, object, str, Mapping[str, Any], str]] = [
    (  # an older one is gone
        ROSTER,
        {"shifts": [ROSTER["shifts"][0], ["Tomasz Reuter", "Saturday"]]},
        "Tomasz Reuter takes the Saturday shift",
        {"texts": ("Tomasz Reuter",), "chosen": ("Saturday",)},
        "an entry is gone from it",
    ),
    (  # a neighbour is another one, too
        ROOMS,
        changed(changed(ROOMS, "rooms", 0, "limit", to=16), "unit", to="F"),
        "Cap the hall at 16 degrees",
        {"texts": ("16",), "chosen": ("Hall",)},
        "“unit” is something else now",
    ),
    (  # the wrong record
        BILLS,
        changed(BILLS, 1, "state", to="paid"),
        "Mark the bill of Lena Marsh as paid",
        {},
        "may be what is meant",
    ),
    (  # one of two that the words fit alike
        [{"id": "a", "from": "Ivo", "state": "new"}, {"id": "b", "from": "Ivo", "state": "new"}],
        [{"id": "a", "from": "Ivo", "state": "done"}, {"id": "b", "from": "Ivo", "state": "new"}],
        "Mark the mails from Ivo as done",
        {},
        "may be what is meant",
    ),
    (  # the number stands there, but elsewhere
        {"goods": [{"name": "Apples", "price": 50, "quantity": 10}]},
        {"goods": [{"name": "Apples", "price": 50, "quantity": 5}]},
        "Set the quantity of Apples to 50",
        {"texts": ("50",), "entered": ("50",)},
        "“50” is not what is new in it",
    ),
    (  # more is gone than was meant
        ["Meeting Ann", "Meeting Bob", "Dentist"],
        ["Dentist"],
        "Delete the meeting with Ann",
        {},
        "an entry is gone from it",
    ),
    (  # added twice as a record
        {"notes": [{"id": "1", "title": "Tea"}]},
        {
            "notes": [
                {"id": "1", "title": "Tea"},
                {"id": "2", "title": "Buy milk"},
                {"id": "3", "title": "Buy milk"},
            ]
        },
        "Add “Buy milk”",
        {"texts": ("Buy milk",)},
        "it was added twice",
    ),
    (  # keys that only sound like those a program keeps
        {"email": "a@b.example", "phone_number": "123", "saved_at": "08:00"},
        {"email": "c@d.example", "phone_number": "999", "saved_at": "09:00"},
        "Change the email to c@d.example",
        {"texts": ("c@d.example",)},
        "“phone_number” is something else now",
    ),
    (  # a line whose double was there
        ["a #2", "a", "a"],
        ["a", "a"],
        "Add milk",
        {},
        "an entry is gone from it",
    ),
    (  # the switch stands the other way
        {"Dark mode": True},
        {"Dark mode": False},
        "Turn on “Dark mode”",
        {"chosen": ("Dark mode",), "switched": {"Dark mode": True}},
        "“Dark mode” is off in it",
    ),
    (  # a default where something was typed
        None,
        {"programme": "celadon", "peak": 1240, "hold_min": 30},
        "Program celadon: peak 1240, hold it 35 minutes",
        {"texts": ("celadon", "1240", "35")},
        "“hold_min” is not what your words say",
    ),
    (  # on another day
        {"visits": []},
        {"visits": [{"pet": "Muffin", "day": "2026-07-21"}]},
        "Book Muffin in on 12 July",
        {"texts": ("Muffin",)},
        "“Muffin day” is not what your words say",
    ),
    (  # a number of the user's is nowhere
        {"cart": []},
        {"cart": [{"article": "Blue Mountain"}]},
        "Order 3 bags of “Blue Mountain”",
        {"texts": ("Blue Mountain",)},
        "3 is nowhere in what changed",
    ),
    (  # twice
        {"todo": ["Tea"]},
        {"todo": ["Tea", "Oat milk", "Oat milk"]},
        "Add “Oat milk”",
        {"texts": ("Oat milk",)},
        "it was added twice",
    ),
    (  # one more instead of another
        [{"name": "Ann Lee", "phone": "11"}],
        [{"name": "Ann Lee", "phone": "11"}, {"name": "Ann Lee", "phone": "555 22"}],
        "Change Ann Lee's phone to 555 22",
        {"texts": ("555 22",)},
        "something was added, and nothing changed",
    ),
    (  # another case
        {},
        {"code": "abc-9"},
        "Enter the code ABC-9",
        {"texts": ("ABC-9",)},
        "“ABC-9” is not what is new in it",
    ),
    (  # it waits
        {"jobs": []},
        {"jobs": [{"text": "FRESH BREAD", "copies": 2, "state": "waiting"}]},
        "Have “FRESH BREAD” cut, two copies",
        {"texts": ("FRESH BREAD",), "entered": ("FRESH BREAD", "2")},
        "“FRESH BREAD state” is not what your words say",
    ),
    (  # what was to be left as it is
        {"wake": "07:00", "tone": "bell", "volume": 70},
        {"wake": "05:40", "tone": "beep", "volume": 70},
        "Wake me at 05:40; tone and volume must remain as they are",
        {"texts": ("05:40",)},
        "“tone” is something else now",
    ),
    (
        {"two_step": False, "alerts": True},
        {"two_step": True, "alerts": False},
        "Switch on two-step verification and leave the alerts alone",
        {"chosen": ("Two-step verification",), "switched": {"Two-step verification": True}},
        "“alerts” is something else now",
    ),
    (  # where it is not yet what was wanted
        {"sent": [], "drafts": []},
        {"sent": [], "drafts": [{"subject": "Invoice 881"}]},
        "Send the mail “Invoice 881”",
        {"texts": ("Invoice 881",)},
        "“Invoice 881” is not what is new in it",
    ),
]


@pytest.mark.parametrize(("before", "after", "goal", "given", "told"), FALSE)
def test_what_is_not_accounted_for_is_told(
    before: object, after: object, goal: str, given: Mapping[str, Any], told: str
) -> None:
    assert told in checked(before, after, goal, **given).objection()


def test_a_text_is_replaced_only_where_none_is_left() -> None:
    before = "Call Marlow.\nThen ring Marlow before ten.\nEnd"
    goal = "Change Marlow to Okafor in film.srt"
    typed: dict[str, Any] = {"texts": ("Okafor",), "quoted": ("Marlow",)}
    whole = checked(before, before.replace("Marlow", "Okafor"), goal, name="film.srt", **typed)
    assert whole.objection() == "" and whole.shows_it()
    part = checked(before, before.replace("Marlow", "Okafor", 1), goal, name="film.srt", **typed)
    assert part.objection() == "“marlow” is still in it elsewhere"


def test_a_comment_is_no_setting() -> None:
    before = "[net]\nhost = old.example\n# proxy\nport = 80\n"
    typed: dict[str, Any] = {"texts": ("new.example",)}
    goal = "Set the host to new.example"
    real = checked(before, before.replace("old.example", "new.example"), goal, name="net.ini", **typed)
    assert real.objection() == ""
    false = checked(before, before.replace("# proxy", "# host = new.example"), goal, name="net.ini", **typed)
    assert false.objection() == "“new.example” is not what is new in it"


def test_a_table_is_read_by_its_head() -> None:
    before = "name,phone,town\nAnn,11,Ely\nBo,22,Ayr\n"
    goal = "Set Ann's phone to 33"
    right = checked(before, before.replace("11", "33"), goal, name="people.csv", texts=("33",))
    assert right.objection() == ""
    wrong = checked(before, before.replace("22", "33"), goal, name="people.csv", texts=("33",))
    assert "may be what is meant" in wrong.objection()
    column = checked(before, "name,phone,town\nAnn,33,\nBo,22,\n", goal, name="people.csv", texts=("33",))
    assert column.objection() != ""


def test_a_database_is_read_by_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE tea (name TEXT, grams INTEGER)")
        database.executemany("INSERT INTO tea VALUES (?, ?)", [("Assam", 100), ("Sencha", 50)])
    database.close()
    was = state_of(str(path))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE tea SET grams = 250 WHERE name = 'Sencha'")
    database.close()
    change = change_of(was, state_of(str(path)))
    assert change is not None and [now.place for _, now in change.other] == [("tea", "Sencha", "grams")]
    goals = (("Raise Sencha to 250 grams", ""), ("Raise Assam to 250", "may be what is meant"))
    for goal, told in goals:
        check = ChangeCheck(change, Meant(goal, texts=("250",)), "shop.db", "2026-03-14")
        assert told in check.objection() and bool(told) == bool(check.objection())


def test_what_cannot_be_read_is_not_judged() -> None:
    assert change_of(_state("a", "x"), FileState("a", True, False, 5, 1, "", b"a\0bcd")) is None
    assert change_of(_state("a", "x"), FileState("a", True, False, 9_000_000, 1)) is None
    deep = "[" * 3_000 + "]" * 3_000
    assert change_of(_state("a.json", "[]"), _state("a.json", deep)) is not None, "as lines"
    many = json.dumps([str(each) for each in range(30_000)])
    assert change_of(_state("a.json", "[]"), _state("a.json", many)) is None


def test_a_date_is_the_same_in_another_form() -> None:
    before = "BEGIN:VCALENDAR\nEND:VCALENDAR\n"
    typed: dict[str, Any] = {"texts": ("2027",), "entered": ("12", "2027"), "chosen": ("Short lessons",)}
    goal = "Could you ring short lessons on the 12th of March 2027?"
    for day, told in (
        ("20270312", ""),
        ("20270212", "an entry is not what your words say"),
    ):
        after = before.replace("END:", f"DTSTART;VALUE=DATE:{day}\nSUMMARY:Short lessons\nEND:")
        assert checked(before, after, goal, name="bell.ics", **typed).objection() == told


def test_a_denied_value_is_not_what_was_wanted() -> None:
    before = {"ledgers": {"Tom Aldous": "write", "Ida Holm": "read"}}
    for value, shown in (("read", False), ("none", False), ("locked", True)):
        after = changed(before, "ledgers", "Tom Aldous", to=value)
        goal = "Tom Aldous must not even read the ledgers any more, make it locked for him"
        assert checked(before, after, goal).shows_it() == shown, value


def test_all_is_shown_by_a_file_where_it_is_so_everywhere() -> None:
    goal = "Cap every room at 16 degrees"
    given: dict[str, Any] = {"texts": ("16",)}
    whole = changed(changed(ROOMS, "rooms", 0, "limit", to=16), "rooms", 1, "limit", to=16)
    assert checked(ROOMS, whole, goal, **given).covers_all()
    assert not checked(ROOMS, changed(ROOMS, "rooms", 0, "limit", to=16), goal, **given).covers_all()
    text = "Ring Marlow. Marlow is in."
    typed: dict[str, Any] = {"texts": ("Okafor",), "quoted": ("Marlow",)}
    goal = "Change Marlow to Okafor throughout"
    assert checked(text, text.replace("Marlow", "Okafor"), goal, name="a.txt", **typed).covers_all()
    assert not checked(text, text.replace("Marlow", "Okafor", 1), goal, name="a.txt", **typed).covers_all()
    both = {"phone": "11", "name": "Liv"}
    given = {"texts": ("Liv", "11")}
    assert checked({}, both, "Liv, 11: enter both", **given).covers_all()
    assert not checked({}, both, "Liv, 11: enter both, and all of the others", **given).covers_all()


def test_what_a_file_holds_is_not_told() -> None:
    before = {"guest": {"key": "Aq7-Old"}, "home": {"key": "Zz9-Home"}, "people": ["Otto Beck"]}
    after = {"guest": {"key": "Kestrel"}, "home": {"key": "Zz9-Lost"}, "people": []}
    goal = "Set the guest key to Kestrel"
    words = checked(before, after, goal, texts=("Kestrel",)).objection()
    assert words == "an entry is gone from it", words
    after["people"] = before["people"]
    words = checked(before, after, goal, texts=("Kestrel",)).objection()
    assert words == "“key” is something else now", "that of another record, and of which is not told"


def test_a_name_without_a_word_of_the_users_is_not_told() -> None:
    before = [
        {"token": "sk-a1", "owner": "Anna", "plan": "free"},
        {"token": "sk-b2", "owner": "Boris", "plan": "free"},
    ]
    words = checked(before, changed(before, 1, "plan", to="pro"), "Set the plan of Anna to pro").objection()
    assert "may be what is meant" in words and "sk-" not in words
    lines = checked(["sk-live-91", "x"], ["x", "milk"], "Add milk live", texts=("milk",)).objection()
    assert lines == "an entry is gone from it"


def test_a_long_file_is_compared_in_no_time() -> None:
    """By the work done, not by a clock: what is folded grows as the file does."""
    lines = "\n".join(f"line {n} of the plan" for n in range(3_000))
    check = checked(None, f"{lines}\nOat milk", "Add Oat milk", name="list.txt", texts=("Oat milk",))
    assert check.shows_it()
    assert change_of(_state("a.ini", "a = 1"), _state("a.ini", f"a = b{' ' * 60_000}x")) is not None


def test_a_database_that_works_out_more_than_it_holds_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE big (a INTEGER, b AS (hex(zeroblob(9000))))")
        database.executemany("INSERT INTO big (a) VALUES (?)", [(n,) for n in range(500)])
    database.close()
    assert change_of(FileState(str(path)), state_of(str(path))) is None
