"""Merges elements of the accessibility tree with text from OCR: no duplicates, and unnamed buttons get their label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from desktop_agent.vision.observation import Element

_LABELLED = frozenset((
    "push button", "button", "toggle button", "check box", "radio button", "link", "page tab", "list item",
    "menu", "menu item", "check menu item", "radio menu item", "switch", "icon", "table cell", "tree item",
))  # fmt: skip

_LOW = 4  # times the height of the text on it: a taller element (a window) does not show its name there


def merge_ocr(tree: Sequence[Element], words: Iterable[Element]) -> tuple[Element, ...]:
    """The tree's elements, then the OCR words that no element already has at that place.

    An unnamed button, link or item takes the only text on it as its name, and that word is dropped.
    """
    new = [word for word in words if not any(_says(each, word) for each in tree)]
    named: list[Element] = []
    for element in tree:
        on_it = [word for word in new if _wants(element) and element.bounds.contains(word.bounds.center)]
        if len(on_it) == 1:
            element = msgspec.structs.replace(element, name=on_it[0].name)
            new.remove(on_it[0])
        named.append(element)
    return (*named, *new)


def _says(element: Element, word: Element) -> bool:
    """True when the element already has the word: in its value, or in its name where the name is what is drawn.

    A window's name is drawn on its title bar only, so it does not count elsewhere in the window.
    """
    if not element.bounds.contains(word.bounds.center):
        return False
    low = element.bounds.height <= _LOW * word.bounds.height
    said = element.value + ("\n" + element.name if low else "")
    return word.name.casefold() in said.casefold()


def _wants(element: Element) -> bool:
    return not element.name and not element.value and element.role in _LABELLED
