"""Tells whose content a run has read: from then on every text the model makes may come from it, however reworded.

Content is what somebody else may have written: pages, documents, text fields, terminals, recognised words,
files, the clipboard, titles. The chrome of applications (menus and buttons outside pages) is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.place import UNKNOWN, Place, Subject, subject_of
from desktop_agent.policy.facts.place_lookup import page_of
from desktop_agent.support.web_origin import origin_of
from desktop_agent.vision.observation import Element, Observation

_CHROME = frozenset((
    "menu bar", "menu", "menu item", "check menu item", "radio menu item", "popup menu", "tool bar", "push button",
    "toggle button", "push button menu", "radio button", "check box", "switch", "page tab", "page tab list", "combo box",
    "slider", "spin button", "scroll bar", "status bar", "separator", "split pane", "filler", "panel", "layered pane",
    "root pane", "scroll pane", "viewport", "frame", "window", "dialog", "tool tip", "progress bar", "dial", "level bar",
    "entry", "password text", "editbar", "autocomplete", "terminal", "image", "canvas", "drawing area", "icon bar",
    "internal frame", "desktop frame", "application", "redundant object", "list", "list box", "tree", "tree table", "table",
    "table column header", "table row header", "column header", "row header", "glass pane", "option pane", "unknown",
))  # fmt: skip
"""Roles whose name, outside a page, is the application's own word; their values are content all the same."""
_NUMBERS = frozenset(("slider", "progress bar", "dial", "level bar", "scroll bar"))
CLIPBOARD = Subject("app", "the clipboard")
"""What the user had on the clipboard before the run copied anything."""


class Taint:
    """Keeps the subjects whose content was read. Only the agent's thread touches it.

    `program_of` tells the file name of a process's program, as the places of operations have it, `windows` the
    windows there are.
    """

    def __init__(
        self,
        program_of: Callable[[int], str] = lambda _: "",
        windows: Callable[[], Sequence[WindowInfo]] = tuple,
    ) -> None:
        self.program_of, self.windows = program_of, windows
        self._sources: dict[Subject, None] = {}
        self._known: dict[tuple[int, str, str], Subject] = {}
        self._set: frozenset[Subject] = frozenset()

    @property
    def sources(self) -> frozenset[Subject]:
        """Whose content was read so far."""
        if len(self._set) != len(self._sources):
            self._set = frozenset(self._sources)
        return self._set

    def add(self, subject: Subject) -> None:
        """Note that content of this subject was read."""
        self._sources[subject] = None

    def see(self, observation: Observation) -> Iterator[tuple[str, str]]:
        """Note whose content a look shows; gives each text that is content, and the title of where it was read."""
        titled: dict[str, Subject] = {}
        for element, page, subject in self._subjects(observation):
            titled.setdefault(element.window, subject)
            for text in _content(element, in_page=page is not None):
                self.add(subject)
                yield text, element.window or element.application
        yield from self._titles(observation, titled)
        for title, text in observation.texts.items():
            self.add(titled.get(title, Subject("app", title or UNKNOWN)))
            yield text, title

    def _titles(self, observation: Observation, titled: Mapping[str, Subject]) -> Iterator[tuple[str, str]]:
        """An application that is only called by its own name says nothing."""
        titles = set(filter(None, (observation.window, *observation.windows)))
        known = dict(titled)
        if titles - set(titled):  # windows that tell no elements
            for window in self.windows():
                known.setdefault(window.title, self._application(window))
        names = {fold(each.application) for each in observation.elements}
        names |= {fold(each.what) for each in known.values()}
        for title in titles:
            if fold(title) not in names:
                self.add(known.get(title, Subject("app", UNKNOWN)))
                yield title, title

    def _application(self, window: WindowInfo) -> Subject:
        program = self.program_of(window.pid) if window.pid else ""
        return subject_of(Place(application=window.application, program=program))

    def _subjects(self, observation: Observation) -> Iterator[tuple[Element, str | None, Subject]]:
        """Each element, the address of the page around it (None outside of pages), and the subject it belongs to.

        What a browser shows around a page (its address, its title) is the page's.
        """
        by_id = {each.id: each for each in observation.elements}
        pages = {each.id: page_of(each, by_id) for each in observation.elements}
        shown: dict[tuple[int, str], Subject] = {}
        for element in observation.elements:
            if pages[element.id] is not None:
                shown.setdefault(
                    (element.pid, element.window), self._subject(element, pages[element.id], observation)
                )
        for element in observation.elements:
            page = pages[element.id]
            around = shown.get((element.pid, element.window)) if page is None else None
            yield element, page, around or self._subject(element, page, observation)

    def _subject(self, element: Element, page: str | None, observation: Observation) -> Subject:
        pid = element.pid or _owner(element, observation)
        key = (pid, element.application, "-" if page is None else f"+{page}")
        if key not in self._known or not pid:
            program = self.program_of(pid) if pid else ""
            origin = origin_of(page) if page else ""
            place = Place(
                application=element.application, program=program, in_page=page is not None, origin=origin
            )
            self._known[key] = subject_of(place)
        return self._known[key]


def _owner(element: Element, observation: Observation) -> int:
    """The process of the window in which recognised words stand; 0 when it cannot be told."""
    top = observation.scene.at(element.bounds.center) if observation.scene is not None else None
    return top.pid if top is not None else 0


def _content(element: Element, *, in_page: bool) -> Iterator[str]:
    if element.name and (in_page or element.source == "ocr" or element.role not in _CHROME):
        yield element.name
    if element.value and element.role not in _NUMBERS:
        yield element.value
