"""Elements of the tree and text read from the picture as one list: nothing twice, no button without its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from desktop_agent.vision.observation import Element

_LABELLED = frozenset((
    "push button", "button", "toggle button", "check box", "radio button", "link", "page tab", "list item",
    "menu", "menu item", "check menu item", "radio menu item", "switch", "icon", "table cell", "tree item",
))  # fmt: skip

_LOW = 4  # times as high as the text on it


def merge_ocr(tree: Sequence[Element], words: Iterable[Element]) -> tuple[Element, ...]:
    """The tree's elements, then the words that none of them says at that place.

    An element that is pressed or chosen and has no name takes that of the only text on it.
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
    """Its value at any place in it; its name only where the name is what shows (a window's title is not)."""
    if not element.bounds.contains(word.bounds.center):
        return False
    low = element.bounds.height <= _LOW * word.bounds.height
    said = element.value + ("\n" + element.name if low else "")
    return word.name.casefold() in said.casefold()


def _wants(element: Element) -> bool:
    return not element.name and not element.value and element.role in _LABELLED
