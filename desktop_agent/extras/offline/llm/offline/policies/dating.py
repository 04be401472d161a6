"""Dates and times: fields made of parts, boxes that take the text, and calendars to click a day in."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline import dates
from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.policy.facts.named_days import MONTHS
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_BEFORE = re.compile(r"(?:go to )?(?:the )?prev(?:ious)?(?: month)?|back|earlier|[<‹«◀◄←]+", re.I)
_AFTER = re.compile(r"(?:go to )?(?:the )?next(?: month)?|forward|later|[>›»▶►→]+", re.I)
_ENOUGH_DAYS = 20
_MOST_MONTHS = 60
_PAGES = 6
"""Months turned at once."""


def parts(scene: Scene, what: Phrase) -> list[Element]:
    """The part fields (month, day, hour, …) of the date or time that is meant; [] when there is none."""
    found = [e for e in scene.sight.front if e.role in ROLES["spin"] and dates.part_of(e.name)]
    groups: list[list[Element]] = []
    for each in reading_order(found):
        known = {dates.part_of(e.name) for e in groups[-1]} if groups else set()
        if groups and dates.part_of(each.name) not in known and _beside(groups[-1][-1], each):
            groups[-1].append(each)
        else:
            groups.append([each])
    if len(groups) < 2 or not what.name:
        return groups[0] if len(groups) == 1 else []
    named = resolve(Phrase(what.name, spoken=what.name), scene.sight).element
    return next((g for g in groups if named in g), [])


def _beside(one: Element, other: Element) -> bool:
    return abs(one.bounds.center.y - other.bounds.center.y) < one.bounds.height and (
        other.bounds.x - one.bounds.right < 3 * max(12, one.bounds.height)
    )


def fill_parts(fields: list[Element], value: str, scene: Scene) -> Move:
    """Type the digits of all parts into the first; then put right what went elsewhere."""
    wanted = dates.part_values(value, [each.name for each in fields])
    if wanted is None:
        return Question(f"This asks for {', '.join(each.name for each in fields)}. What of it is “{value}”?")
    blind = not any(each.value for each in fields)
    if blind and scene.done(ops.Type):
        return scene.wait(1) or Reached(f"I entered {value}.")
    wrong = [n for n, each in enumerate(fields) if not _shows(each.value, wanted[n])]
    if not wrong:
        return Reached(f"It shows {value}.")
    if not scene.done(ops.Type):
        note = f"I enter {value}."
        return scene.approach(fields[0], note) or Act((ops.Type("".join(wanted)),), note)
    if "typed" not in scene.memo:  # looked at for a moment: trees tell late
        waiting = scene.wait(1)
        if waiting:
            return waiting
        scene.memo["typed"] = "all"
    at = wrong[0]
    tries = scene.memo.get(f"part {at}", "")
    if len(tries) > 3:
        return Question(
            f"“{fields[at].name}” shows “{fields[at].value}” instead of {wanted[at]}. How shall I go on?"
        )
    scene.memo[f"part {at}"] = tries + "x"
    if "focused" not in fields[at].states and len(tries) % 2 == 0:
        return Act((scene.click(fields[at]),))
    return Act((ops.Type(wanted[at]),))


def _shows(shown: str, wanted: str) -> bool:
    digits = re.fullmatch(r"\D*(\d+)\D*", shown)
    if digits and wanted.isdigit():
        return int(digits[1]) == int(wanted)
    return shown.strip().lower() == wanted.lower()


def is_date_box(element: Element) -> bool:
    """A box that shows a date but may take no typing: a calendar opens from it."""
    return element.role in ROLES["field"] and element.source == "tree"


def day_clicked(scene: Scene) -> bool:
    """Was the day clicked, and the click carried out?"""
    if scene.mishap is not None:
        scene.memo.pop("day", None)
    return "day" in scene.memo


def fill_day(box: Element, value: str, scene: Scene) -> Move | None:
    """Put a day into a box from whose calendar it is chosen; None when the box takes typing."""
    day = dates.day_of(value)
    if day is None or {"editable", "enabled"} <= box.states:
        return None
    if dates.day_of(box.value) == day:
        return Reached(f"It shows {box.value}.")
    calendar = Calendar(scene)
    if not calendar.days:
        return _open(box, scene)
    if day_clicked(scene):
        return scene.wait(3) or Question(
            f"I clicked the day, but the box shows “{box.value}”. How shall I go on?"
        )
    return calendar.go_to(day)


def in_calendar(value: str, scene: Scene) -> Move | None:
    """Click a day in a calendar that is there already; None without one."""
    day = dates.day_of(value)
    calendar = Calendar(scene)
    if day is None or (not calendar.days and scene.memo.get("day") != "clicked"):
        return None
    if day_clicked(scene):
        return Reached(f"{value} is chosen.")
    return calendar.go_to(day)


def _open(box: Element, scene: Scene) -> Move:
    clicks = len(scene.clicks())
    if day_clicked(scene):
        return scene.wait(3) or Question(
            f"I clicked the day, but the box shows “{box.value}”. How shall I go on?"
        )
    if clicks and (waiting := scene.wait(3)):
        return waiting
    if clicks > 2:
        return Question("No calendar opens. How shall I enter the date?")
    return Act((scene.click(box),), "I open the calendar.")


class Calendar:
    """A month that is shown, as its numbers, its heading and the arrows beside that."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.days = self._days()

    def _days(self) -> list[Element]:
        small = [
            e
            for e in self._scene.sight.front
            if re.fullmatch(r"[1-9]|[12]\d|3[01]", e.name) and e.source == "tree"
        ]
        usable = [e for e in small if e.role in ROLES["button"] | ROLES["link"] | {"table cell", "list item"}]
        inner = [e for e in usable if not any(o.parent == e.id for o in usable)]
        return inner if len({e.name for e in inner}) >= _ENOUGH_DAYS else []

    def go_to(self, day: tuple[int, int, int]) -> Move:
        """Turn the pages to the month, then click the day."""
        scene = self._scene
        shown = dates.month_shown(e.name for e in self._heading())
        if shown is None:
            return Question("I see a calendar, but not which month it shows. How shall I go on?")
        ahead = (day[0] - shown[0]) * 12 + day[1] - shown[1]
        if not ahead:
            return self._click(day[2])
        arrow = self._arrow(_AFTER if ahead > 0 else _BEFORE)
        turned = int(scene.memo.get("turned", "0"))
        stays = scene.memo.get("month") == str(shown) and scene.mishap is None
        if arrow is None or turned > _MOST_MONTHS or stays:
            return scene.wait(3) or Question(
                f"The calendar stays at {MONTHS[shown[1] - 1]} {shown[0]}. How shall I go on?"
            )
        scene.memo.update(turned=str(turned + 1), month=str(shown))
        note = "" if turned else "I turn to the month."
        return Act((scene.click(arrow),) * min(_PAGES, abs(ahead)), note)

    def _click(self, day: int) -> Move:
        same = reading_order(e for e in self.days if e.name == str(day))
        if not same:
            return Question(f"I see no {day}. in the calendar. How shall I go on?")
        self._scene.memo["day"] = "clicked"
        # Days of the months around stand first or last.
        return Act((self._scene.click(same[0] if day < 20 else same[-1]),), f"I choose the {day}.")

    def _heading(self) -> list[Element]:
        """What stands above the days, nearest first."""
        top, left = min(e.bounds.y for e in self.days), min(e.bounds.x for e in self.days)
        right = max(e.bounds.right for e in self.days)
        over = [
            e
            for e in self._scene.sight.front
            if e.name and e.bounds.center.y < top and left - 40 <= e.bounds.center.x <= right + 40
        ]
        return sorted(over, key=lambda e: top - e.bounds.y)

    def _arrow(self, wanted: re.Pattern[str]) -> Element | None:
        fits = [e for e in self._heading() if wanted.fullmatch(e.name.strip()) and e.role not in ("heading",)]
        return fits[0] if fits else None
