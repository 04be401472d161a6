"""A form as it is seen in pictures: a model of one that is worked by the operations of the offline model."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import FormField
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element, Observation
from tests.extras.offline.things import Talk, look

_TOP, _LINE, _LEFT, _WIDE = 40, 60, 300, 400
_HEIGHT = 800


@dataclass
class FilmedForm:
    """Fields of one line each, below each other; lists show their choices only while they are open.

    `needed` are labels without whose value the form complains; `sent` is what was sent, None before.
    """

    fields: tuple[FormField, ...]
    button: str
    heading: str = ""
    needed: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict)
    opened: str = ""
    focus: str = ""
    scrolled: int = 0
    marked: bool = False
    complaint: str = ""
    sent: dict[str, str] | None = None

    def __post_init__(self) -> None:
        for each in self.fields:
            self.values[each.label] = "on" if each.on else each.value

    @property
    def _most(self) -> int:
        return max(0, _TOP + _LINE * (len(self.fields) + 2) - _HEIGHT)

    def seen(self) -> Observation:
        """What is read of a picture of it now."""
        if self.sent is not None:
            return look(Element("t", "static", "Thank you", Rect(20, 40, 200, 20), source="ocr"), window="")
        found = [_text("heading", self.heading, 20, 10 - self.scrolled)] if self.heading else []
        if self.complaint:
            found.append(_text("complaint", self.complaint, 500, 10 - self.scrolled))
        for number, each in enumerate(self.fields):
            found += self._drawn(each, _TOP + _LINE * number - self.scrolled)
        y = _TOP + _LINE * len(self.fields) - self.scrolled
        found.append(_control("push button", self.button, Rect(_LEFT, y, 120, 30)))
        return look(*(e for e in found if e.bounds.y >= 0 and e.bounds.bottom <= _HEIGHT), window="")

    def _drawn(self, each: FormField, y: int) -> list[Element]:
        label = _text(f"label {each.label}", each.label, 20, y)
        box = Rect(_LEFT, y, _WIDE, 30)
        on = frozenset(("focused",)) if self.focus == each.label else frozenset[str]()
        if each.kind == "box":
            ticked = self.values[each.label] == "on"
            return [
                _control("check box", each.label, Rect(_LEFT, y, 16, 16), "", "checked" if ticked else "")
            ]
        if each.kind == "radio":
            marks = [
                _control(
                    "radio button",
                    name,
                    Rect(_LEFT + 150 * i, y, 16, 16),
                    "",
                    "checked" if self.values[each.label] == name else "",
                )
                for i, name in enumerate(each.choices)
            ]
            return [label, *marks]
        if each.kind == "list":
            drawn = [label, _control("combo box", each.label, box, self.values[each.label], *on)]
            if self.opened == each.label:
                drawn += [
                    _control("list item", name, Rect(_LEFT, y + 31 + 20 * i, _WIDE, 20))
                    for i, name in enumerate(each.choices)
                ]
            return drawn
        value = self.values[each.label]
        more = ("multiline",) if each.kind == "area" else ()
        return [label, _control("entry", each.label, box, value, "editable", *more, *on)]

    def work(self, op: Op) -> None:
        """What an operation does to it."""
        match op:
            case ops.Click(int(x), int(y)):
                self._click(Point(x, y))
            case ops.ClickElement(element):
                self._click(next(e for e in self.seen().elements if e.id == element).bounds.center)
            case ops.Type(text):
                value = "" if self.marked else self.values.get(self.focus, "")
                self.values[self.focus] = value + text
                self.marked = False
            case ops.KeyCombo(("ctrl", "a")):
                self.marked = True
            case ops.KeyCombo(("escape",)):
                self.opened = ""
            case ops.Scroll(_, dy):
                self.scrolled = min(self._most, max(0, self.scrolled - 40 * dy))

    def _click(self, at: Point) -> None:
        hit = [e for e in self.seen().elements if e.bounds.contains(at) and e.role != "static"]
        items = [e for e in hit if e.role == "list item"]
        if self.opened:
            if items:
                self.values[self.opened] = items[0].name
            self.opened = ""
            return
        for each in hit:
            match each.role:
                case "push button":
                    self._send()
                case "check box":
                    self.values[each.name] = "" if self.values[each.name] == "on" else "on"
                case "radio button":
                    group = next(f for f in self.fields if each.name in f.choices and f.kind == "radio")
                    self.values[group.label] = each.name
                case "combo box":
                    self.opened = each.name
                case _:
                    self.focus = each.name

    def _send(self) -> None:
        lost = [each for each in self.needed if not self.values[each]]
        self.complaint = f"Please fill in: {', '.join(lost)}" if lost else ""
        if not lost:
            self.sent = dict(self.values)


def _text(name: str, text: str, x: int, y: int) -> Element:
    return Element(
        name,
        "static",
        text,
        Rect(x, y, 8 * len(text), 20),
        states=frozenset(("showing", "enabled")),
        source="ocr",
    )


def _control(role: str, name: str, at: Rect, value: str = "", *states: str) -> Element:
    kept = frozenset(("showing", "enabled", "focusable", *filter(None, states)))
    return Element(f"{role} {name}", role, name, at, value, kept, source="ocr")


def worked(goal: str, form: FilmedForm, turns: int = 80) -> Op:
    """The last operation of a run of the offline model on the form: done, or a question."""
    talk = Talk(goal)
    for _ in range(turns):
        actions = talk.see(form.seen())
        for op in actions:
            if isinstance(op, ops.Done | ops.Ask):
                return op
            form.work(op)
    raise AssertionError(f"no end after {turns} turns: {talk.deeds[-6:]}")
