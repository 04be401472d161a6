"""Looks up what an operation would act on: the window at a point or with the keyboard, and the element in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import msgspec

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.policy.facts.execution_places import enter_runs, executing_elements
from desktop_agent.policy.facts.files.file_choosers import chooser_in, unread_chooser
from desktop_agent.policy.facts.files.file_targets import FileTargets
from desktop_agent.policy.facts.place import Place
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op
from desktop_agent.support.paths import NAME
from desktop_agent.support.web_origin import origin_of
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import HasElementHandles, programs_of, tree_of, windows_of
from desktop_agent.vision.observation import Element

_PRESSED = frozenset((
    "push button", "toggle button", "radio button", "check box", "menu item", "check menu item", "radio menu item", "link",
    "page tab", "icon", "list item", "tree item", "table cell", "combo box", "switch", "push button menu", "menu",
))  # fmt: skip
_WRITTEN = frozenset(("entry", "text", "editbar", "spin button", "password text", "terminal"))
_ITEMS = frozenset(("menu item", "check menu item", "radio menu item"))
_FRAMES = frozenset(("frame", "window", "panel", "filler"))
_DIALOGS = frozenset(("dialog", "alert", "file chooser", "info bar", "notification"))
_BUTTONS = frozenset(("push button", "toggle button", "push button menu"))
_OPTIONS = frozenset(("list item", "menu item", "tree item", "table cell", "option"))
_CHOICES = frozenset(("combo box", "list box"))
_NEAR_PARENTS = 4
"""An option lies in its list, or in a group of it."""
_NEAR = 12
"""Pixels around a point within which a recognised word counts as being there."""
_BESIDE = 120
"""Pixels around an element within which a text is beside it; what is higher is no text but what contains it."""
_MAX_BUTTONS, _MAX_DIALOG, _MAX_PREPARED = 200, 40, 4_000


@dataclass(frozen=True)
class Places:
    """Looks places up on a target; `own` are the processes of the agent's own windows. Raises TargetError."""

    target: Target
    own: frozenset[int]
    files: FileTargets = field(default_factory=FileTargets)
    contained: Callable[[Op], bool] = lambda _: False
    """Does an operation go to an environment that reaches only what the user gave it?"""
    _programs: dict[str, str] = field(default_factory=dict)

    def at(self, point: Point, elements: Sequence[Element]) -> Place:
        """The place at a screen point: its window now, and the element there among `elements`."""
        window = windows_of(self.target).window_at(point)
        if window is None:
            base = Place(known=True, desktop=True, simulated=self.target.harmless)
            return _with_element(base, self._at_point(elements, point, 0), elements, point)
        base = self._window(window)
        place = _with_element(base, self._at_point(elements, point, window.pid), elements, point)
        return self._with_chooser(self._of_menu(place), elements)

    def now_at(self, point: Point, before: Sequence[Element]) -> Place:
        """The place at a screen point with its elements read now; of `before` only recognised words are kept."""
        window = windows_of(self.target).window_at(point)
        if window is not None and window.pid in self.own:  # it may be us who would have to answer
            return self._window(window)
        pid = window.pid if window is not None else 0
        fresh = self._elements(pid)
        return self.at(point, [*fresh, *(each for each in before if each.source == "ocr")])

    def _elements(self, pid: int) -> Sequence[Element]:
        """The elements of a process, read now; all where it is not known."""
        tree = tree_of(self.target)
        return tree.elements_of(pid) if pid else tree.elements()

    def of(self, element: Element, elements: Sequence[Element]) -> Place:
        """The place of a named element; of several elements at its centre it is the one that counts."""
        return self.at(element.bounds.center, _above(element, elements))

    def focus(self, elements: Sequence[Element] | None) -> Place:
        """The place that has the keyboard; without `elements`, those of the window's process are read now."""
        window = windows_of(self.target).focused_window()
        if window is None:
            return Place(known=True, desktop=True, simulated=self.target.harmless)
        base = self._window(window)
        if not base.known or base.own or base.foreign:
            return base
        if elements is None:
            elements = self._elements(window.pid)
        mine = _of_window(elements, window)
        return self._with_chooser(_with_element(base, _focused(mine), mine, None), elements)

    def _with_chooser(self, place: Place, elements: Sequence[Element]) -> Place:
        """The place with the file dialog or file manager that it is in, if it is in one; a link with its address."""
        if place.own or place.foreign or place.simulated:
            return place
        if place.in_page and place.role == "link" and place.handle:
            target = self.target
            told = target.link_address(place.handle) if isinstance(target, HasElementHandles) else ""
            return msgspec.structs.replace(place, leads_to=told)
        mine = [each for each in elements if each.pid in (place.pid, 0)]
        chooser = chooser_in(place, mine) or unread_chooser(place, mine, windows_of(self.target).windows)
        return place if chooser is None else msgspec.structs.replace(place, chooser=chooser)

    def _of_menu(self, place: Place) -> Place:
        """An open menu is a window of its own, which tells nothing: it is about the one that it belongs to."""
        front = windows_of(self.target).focused_window() if place.role in _ITEMS else None
        if front is None or front.pid != place.pid:
            return place
        return msgspec.structs.replace(place, window=front.title)

    def in_front(self, elements: Sequence[Element]) -> Place:
        """The window that has the keyboard, with the origin of the page that fills it."""
        window = windows_of(self.target).focused_window()
        if window is None:
            return Place(known=True, desktop=True, simulated=self.target.harmless)
        mine = _of_window(elements, window)
        by_id = {each.id: each for each in mine}
        pages = [e for e in mine if e.url and len(list(_documents(e, by_id))) == 1]
        page = max(pages, key=lambda each: each.bounds.area, default=None)
        return _with_element(self._window(window), page, mine, None)

    def opened(self, op: ops.Open) -> Place:
        """What `open` would open, with the program that would start for the name of an application."""
        name = op.target
        if name not in self._programs:
            self._programs[name] = programs_of(self.target).program_for(name)
        return Place(known=True, name=name, program=self._programs[name], simulated=self.target.harmless)

    def in_environment(self, op: Op) -> Place:
        """The environment a command goes to, as an application, or the file. Never simulated: it is this computer's."""
        application, name = getattr(op, "environment", ""), getattr(op, "path", "")
        return Place(known=True, application=application, name=name, contained=self.contained(op))

    def _window(self, window: WindowInfo) -> Place:
        return Place(
            known=bool(window.pid or window.application),
            pid=window.pid,
            application=window.application,
            program=window.program,
            window=window.title,
            # Another instance's too: it may be asking the user whether settings may widen.
            own=(window.pid in self.own and window.pid != 0) or NAME in (window.application, window.program),
            foreign=window.foreign,
            hosts_shell=window.hosts_shell,
            simulated=self.target.harmless,
        )

    def _at_point(self, elements: Sequence[Element], point: Point, pid: int) -> Element | None:
        """The smallest element there that can be pressed or written in, else the smallest one, of the tree."""
        there = [
            e
            for e in elements
            if e.source == "tree" and e.bounds.contains(point) and (not pid or e.pid in (pid, 0))
        ]
        there = there or [e for e in elements if e.source == "tree" and e.bounds.contains(point)]
        pressed = [each for each in there if each.role in _PRESSED | _WRITTEN]
        return min(pressed or there, key=lambda each: each.bounds.area, default=None)


def _focused(elements: Sequence[Element]) -> Element | None:
    """The element that has the keyboard, None when none says so.

    An item of an open menu comes before the field that had it, and what is around a page before what
    is in it: Chromium goes on calling a field of the page focused while the address bar has the keyboard.
    """
    by_id = {each.id: each for each in elements}
    items = [e for e in elements if e.role in _ITEMS and e.states & {"focused", "selected"}]
    focused = [each for each in elements if "focused" in each.states]
    around = [e for e in focused if e.role not in _FRAMES and not _in_page(e, by_id)]
    return next(reversed(items or around or focused), None)


def _above(element: Element, elements: Sequence[Element]) -> Sequence[Element]:
    """The named element first, so that of equals it is the one found."""
    return (element, *(each for each in elements if each.id != element.id))


def _with_element(
    base: Place, element: Element | None, elements: Sequence[Element], point: Point | None
) -> Place:
    words = tuple(_words_at(elements, point, element)) if point is not None else ()
    by_id = {each.id: each for each in elements}
    around = _same_window(element, elements)
    in_page = element is not None and _in_page(element, by_id)
    near = [
        e
        for e in around
        if e.role in _BUTTONS and e.name and (element is None or _in_page(e, by_id) == in_page)
    ]
    fields = [
        (e.name, e.value)
        for e in around
        if e.value and (e.role in _WRITTEN or "editable" in e.states) and e.role != "password text"
        if element is None or _in_page(e, by_id) == in_page
    ]
    more = msgspec.structs.replace(
        base,
        words=words,
        fields=tuple(fields[:_MAX_DIALOG]),
        buttons=tuple(dict.fromkeys(each.name for each in near))[:_MAX_BUTTONS],
        dialog=_dialog(base, around, lambda each: element is None or _in_page(each, by_id) == in_page),
        executing=tuple(e.name or e.role for e in executing_elements(around) if e is not element),
    )
    if element is None:
        return _with_prepared(more, around)
    more = msgspec.structs.replace(
        more,
        role=element.role,
        name=element.name,
        value=element.value,
        states=element.states,
        choice=_is_choice(element, by_id),
        handle=element.handle,
        in_page=in_page,
        nearby=_nearby(element, around),
        origin=origin_of(_page(element, by_id)),
        markup=element.markup,
    )
    return _with_prepared(more, around)


def _with_prepared(place: Place, around: Sequence[Element]) -> Place:
    """The place with the text that pressing it would carry out, where it does that: of its fields, else of its dialog."""
    if not enter_runs(place):
        return place
    written = executing_elements(around) or [each for each in around if each.role in _WRITTEN]
    texts = [each.value for each in written if each.value] or list(place.dialog)
    return msgspec.structs.replace(place, prepared="\n".join(texts)[:_MAX_PREPARED])


def _same_window(element: Element | None, elements: Sequence[Element]) -> list[Element]:
    if element is None:
        return [each for each in elements if each.source == "tree"]
    return [e for e in elements if e.source == "tree" and (e.pid, e.window) == (element.pid, element.window)]


def _dialog(base: Place, around: Sequence[Element], beside: Callable[[Element], bool]) -> tuple[str, ...]:
    """What a dialog says: all texts beside it when one is open, or when the window is as small as one."""
    small = len(around) <= _MAX_DIALOG
    if not small and not any(each.role in _DIALOGS for each in around):
        return ()
    texts = [
        each.name
        for each in around
        if each.role not in _BUTTONS and each.name and not _titled(each) and beside(each)
    ]
    return (base.window, *texts[:_MAX_DIALOG])


def page_of(element: Element, by_id: Mapping[str, Element]) -> str | None:
    """The address of the page that an element is part of, "" when it is not told; None outside of pages."""
    return _page(element, by_id) if _in_page(element, by_id) else None


def _nearby(element: Element, around: Iterable[Element]) -> tuple[str, ...]:
    """The texts beside an element that is no larger than what people press or write in: its label, its question."""
    if element.bounds.height > _BESIDE:
        return ()
    area = element.bounds.grown(_BESIDE, _BESIDE)
    texts = (
        each.name
        for each in around
        if each.name
        and each.id != element.id
        and each.bounds.height <= _BESIDE
        and area.contains(each.bounds.center)
    )
    return tuple(dict.fromkeys(texts))[:_MAX_DIALOG]


def _titled(element: Element) -> bool:
    """Is its name the title, which the window says already?"""
    return element.role in ("frame", "window", "document web", "document frame")


def _in_page(element: Element, by_id: Mapping[str, Element]) -> bool:
    return next(_documents(element, by_id), None) is not None


def _page(element: Element, by_id: Mapping[str, Element]) -> str:
    """The address of the page that an element is part of: of the innermost, as a frame in a page is one of its own.

    "" when that page does not tell its own: then the one around it says nothing about it. What only has the role
    of a document (a part of a page, by its author's word) has no address; a frame that a page filled itself
    (`about:srcdoc`) has that page's origin.
    """
    pages = (each for each in _documents(element, by_id) if each.url or each.role == "document web")
    page = next((each for each in pages if not each.url.startswith("about:")), None)
    return page.url if page is not None else ""


def _is_choice(element: Element, by_id: Mapping[str, Element]) -> bool:
    """Is it in a list that one chooses from, and not in a menu of commands?"""
    if element.role not in _OPTIONS:
        return False
    return any(each.role in _CHOICES for each in islice(_around(element, by_id), 1, _NEAR_PARENTS))


def _documents(element: Element, by_id: Mapping[str, Element]) -> Iterator[Element]:
    """The documents around an element, from the inside out, itself included."""
    return (each for each in _around(element, by_id) if each.role.startswith("document"))


def _around(element: Element, by_id: Mapping[str, Element]) -> Iterator[Element]:
    """The element and all around it, from the inside out."""
    passed: set[str] = set()
    each: Element | None = element
    while each is not None and each.id not in passed:
        yield each
        passed.add(each.id)
        each = by_id.get(each.parent)


def _words_at(elements: Iterable[Element], point: Point, chosen: Element | None) -> Iterable[str]:
    """Recognised text at the point or next to it, and smaller things in what was chosen: a label on a button."""
    for each in elements:
        if each.source == "ocr" and each.bounds.grown(_NEAR, _NEAR).contains(point):
            yield each.name
        smaller = chosen is not None and chosen.role in _PRESSED and each.bounds.area < chosen.bounds.area
        if smaller and each.source == "tree" and each.bounds.contains(point):
            yield each.name


def _of_window(elements: Collection[Element], window: WindowInfo) -> list[Element]:
    """The elements of the window's process, else those that name the window's title; of that window first."""
    mine = [each for each in elements if each.pid == window.pid and each.pid]
    mine = mine or [each for each in elements if each.window == window.title]
    exact = [each for each in mine if each.window == window.title]
    inside = [
        each for each in exact if window.bounds.contains(each.bounds.center)
    ]  # not its namesake beside it
    return inside or exact or mine
