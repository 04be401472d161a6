"""Which element is meant: scores every element against what was said, and tells when it cannot tell."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_agent.llm.offline.figures import like, wanted
from desktop_agent.llm.offline.fitting import looks
from desktop_agent.llm.offline.intents import Phrase
from desktop_agent.llm.offline.passages import narrowed
from desktop_agent.llm.offline.phrase import kind_first
from desktop_agent.llm.offline.places import distance, reading_order
from desktop_agent.llm.offline.sight import Sight
from desktop_agent.vision.observation import Element

GOOD = 60.0
"""A score from which on an element is taken to be meant."""

ROLES: dict[str, frozenset[str]] = {
    "button": frozenset(("push button", "button", "toggle button", "menu button", "split button", "push button menu")),
    "link": frozenset(("link", "hyperlink")),
    "tab": frozenset(("page tab", "tab", "tab item")),
    "checkbox": frozenset(("check box", "checkbox", "check menu item", "toggle button", "switch")),
    "radio": frozenset(("radio button", "radio menu item", "radiobutton")),
    "toggle": frozenset(("toggle button", "switch", "check box", "toggle switch")),
    "field": frozenset(("entry", "text", "password text", "text box", "edit", "spin button", "search box", "autocomplete",
                        "editbar", "text area", "terminal", "combo box", "date editor", "document text", "paragraph")),
    "combo": frozenset(("combo box", "combobox", "list box", "list", "drop down list", "menu button")),
    "menu": frozenset(("menu", "menu item", "menu button")),
    "menuitem": frozenset(("menu item", "menu", "check menu item", "radio menu item", "list item")),
    "option": frozenset(("radio button", "list item", "menu item", "option", "check box", "radio menu item", "tree item",
                         "table cell", "check menu item", "page tab", "toggle button")),
    "item": frozenset(("list item", "icon", "table cell", "tree item", "menu item", "table row", "link", "canvas")),
    "icon": frozenset(("icon", "image", "push button", "list item", "table cell", "toggle button")),
    "image": frozenset(("image", "icon", "picture", "graphic")),
    "heading": frozenset(("heading",)),
    "slider": frozenset(("slider", "scroll bar")),
    "spin": frozenset(("spin button", "spinner")),
    "row": frozenset(("table row", "list item", "tree item", "table cell")),
    "cell": frozenset(("table cell", "cell", "data item")),
    "window": frozenset(("frame", "dialog", "window", "alert", "file chooser")),
    "result": frozenset(("link", "list item", "heading", "table row")),
    "label": frozenset(("label", "static", "paragraph", "heading", "text", "section", "status bar", "alert")),
}  # fmt: skip

_ACTIVE = (
    ROLES["button"] | ROLES["link"] | ROLES["tab"] | ROLES["checkbox"] | ROLES["radio"] | ROLES["field"]
    | ROLES["combo"] | ROLES["menu"] | ROLES["option"] | ROLES["item"] | ROLES["slider"]
) - {"list", "document text", "paragraph"}  # fmt: skip
_PASSIVE = frozenset(("frame", "window", "application", "panel", "filler", "document web", "scroll pane", "section",
                      "document frame", "tool bar", "menu bar", "root pane", "layered pane", "viewport", "split pane"))  # fmt: skip

_SYNONYMS = (
    {"ok", "okay", "confirm", "accept"}, {"cancel", "abort", "dismiss"}, {"close", "x", "×", "✕", "✖"},
    {"search", "find", "go", "🔍"}, {"submit", "send", "send form", "go", "apply"}, {"log in", "login", "sign in", "signin", "log on"},
    {"log out", "logout", "sign out"}, {"sign up", "register", "create account"},
    {"email", "e-mail", "mail", "email address", "e-mail address", "mail address"},
    {"phone", "telephone", "phone number", "telephone number", "tel", "mobile"}, {"name", "full name", "your name"},
    {"surname", "last name", "family name"}, {"first name", "given name", "forename"},
    {"username", "user name", "user", "login", "user id"}, {"password", "pass word", "pin"}, {"zip", "zip code", "postcode", "postal code"},
    {"preferences", "settings", "options"}, {"delete", "remove"}, {"trash", "bin", "wastebasket", "recycle bin", "rubbish bin", "trash can"},
    {"next", "continue", "forward", ">"}, {"back", "previous", "<"}, {"add", "+", "plus", "new"},
    {"+", "plus", "add"}, {"-", "−", "–", "minus", "subtract"}, {"*", "×", "x", "times", "multiply"}, {"/", "÷", "divide", "divided by"},
    {"=", "equals", "equal"}, {"address", "address and search bar", "location", "url", "address bar", "location bar"},
    {"comment", "comments", "message", "remarks"}, {"colour", "color"}, {"refresh", "reload"}, {"yes", "y"}, {"no", "n"},
    {"menu", "≡", "☰", "⋮"}, {"quantity", "amount", "qty"}, {"birthday", "date of birth", "birth date", "birthdate"},
)  # fmt: skip


_COMMANDS = ROLES["menuitem"] - {"list item"}
_TURNING = ("don.?t", "not", "no", "never", "without", "all", "everything", "permanently", "delete", "remove", "discard")  # fmt: skip
"""Words that turn a name into another: "Save" is no short form of "Don't save"."""


@dataclass(frozen=True)
class Match:
    """An element and how well it fits (100 is exact)."""

    element: Element
    score: float


@dataclass(frozen=True)
class Resolved:
    """`element` when one is meant; else `candidates`: several that fit equally, or the nearest misses."""

    element: Element | None
    candidates: tuple[Element, ...] = ()
    ambiguous: bool = False


def resolve(what: Phrase, sight: Sight, *, allow: Callable[[Element], bool] | None = None) -> Resolved:
    """The element a phrase names among those in sight; `allow` filters what can be meant at all."""
    drawn = _drawn(what, sight, allow)
    for reading in _readings(what):
        found = _resolve(reading, sight, allow)
        if (found.element or found.ambiguous) and (drawn is None or _called_so(found, reading, sight)):
            return found
    near = [match.element for match in _ranked(what, sight, allow)[:3] if match.score > 30]
    return drawn or Resolved(None, tuple(near))


def _called_so(found: Resolved, what: Phrase, sight: Sight) -> bool:
    """Has it just that name, on the page where there is one: is it rather meant than a figure like that?"""
    element = found.element or found.candidates[0]
    return sight.area.contains(element.bounds.center) and likeness(what.name, element.name, exact=True) >= 84


def _drawn(what: Phrase, sight: Sight, allow: Callable[[Element], bool] | None) -> Resolved | None:
    """The figure a phrase means; None when it means none, or there is none like it."""
    if what.quoted or wanted(what.spoken) is None:
        return None
    found = reading_order(
        e for e in like(what.spoken, sight.figures, sight.look.window) if not allow or allow(e)
    )
    at = what.ordinal - 1 if what.ordinal > 0 else what.ordinal
    if len(found) == 1 or what.any or what.ordinal:
        return Resolved(found[at], tuple(found)) if -len(found) <= at < len(found) else None
    return Resolved(None, tuple(found), ambiguous=True) if found else None


def _readings(what: Phrase) -> list[Phrase]:
    """The phrase as it was taken apart, and before it the ways in which all its words are the name."""
    other = kind_first(what)
    if what.quoted or not what.spoken or what.spoken == what.name:
        return [what, other] if other else [what]
    whole = Phrase(what.spoken, quoted=True, spoken=what.spoken)
    readings = [whole]
    if what.ordinal and what.kind and not what.near:
        stem = re.sub(r"\s+\S+$", "", what.spoken)
        readings.append(Phrase(stem, what.kind, quoted=True, spoken=stem))
    return [*readings, what, *([other] if other else [])]


def _resolve(what: Phrase, sight: Sight, allow: Callable[[Element], bool] | None) -> Resolved:
    ranked = [match for match in _ranked(what, sight, allow) if match.score >= GOOD]
    if not ranked:
        return Resolved(None)
    ranked = _page_first(ranked, sight)
    best = [match.element for match in ranked if match.score >= ranked[0].score - 0.5]
    if what.ordinal:
        return _nth(what, ranked, sight)
    if what.near:
        return _nearest(what, ranked, sight)
    distinct = _of_sort(what, _distinct(best))
    if len(distinct) == 1:
        return Resolved(distinct[0])
    if what.any:
        return Resolved(reading_order(distinct)[0])
    focused = [each for each in distinct if "focused" in each.states]
    if len(focused) == 1 and not what.name:
        return Resolved(focused[0])
    return Resolved(None, tuple(distinct), ambiguous=True)


def _of_sort(what: Phrase, boxes: list[Element]) -> list[Element]:
    """Boxes without a name in the phrase are told apart by their sort: "text area", "text field"."""
    return narrowed(what.spoken, boxes) if what.kind == "field" and not what.name else boxes


_NEARLY = 12.0
"""Points by which what is part of the page may fit less well than what is part of the browser."""


def _page_first(ranked: Sequence[Match], sight: Sight) -> list[Match]:
    """Without the browser's own parts, where something on its page fits nearly as well."""
    near = [match.element for match in ranked if match.score >= ranked[0].score - _NEARLY]
    best = set(map(id, sight.on_page(near)))
    return [m for m in ranked if id(m.element) in best] if len(best) < len(near) else list(ranked)


def _nth(what: Phrase, ranked: Sequence[Match], sight: Sight) -> Resolved:
    nth = what.ordinal
    near_best = [m.element for m in ranked if m.score >= ranked[0].score - _NEARLY]
    ordered = reading_order(_of_sort(what, list(sight.on_page(_distinct(near_best)))))
    at = nth - 1 if nth > 0 else len(ordered) + nth
    if 0 <= at < len(ordered):
        return Resolved(ordered[at])
    return Resolved(None, tuple(ordered))


def _nearest(what: Phrase, ranked: Sequence[Match], sight: Sight) -> Resolved:
    anchors = resolve(Phrase(what.near, spoken=what.near), sight)
    anchor = anchors.element or (anchors.candidates[0] if anchors.ambiguous else None)
    if anchor is None:
        return Resolved(None)
    others = [m for m in ranked if m.element.id != anchor.id and m.score >= ranked[0].score - 12]
    placed = [(distance(anchor, m.element, what.side) - m.score / 10, m.element) for m in others]
    placed = [each for each in placed if each[0] < 10_000]
    return Resolved(min(placed, key=lambda each: each[0])[1]) if placed else Resolved(None)


def _distinct(elements: Sequence[Element]) -> list[Element]:
    """One of each pile: a link and the text inside it are the same thing to a person."""
    kept: list[Element] = []
    for each in elements:
        if not any(_same_place(each, other) for other in kept):
            kept.append(each)
    return kept


def _same_place(one: Element, other: Element) -> bool:
    common = one.bounds.intersection(other.bounds)
    smaller = min(one.bounds.width * one.bounds.height, other.bounds.width * other.bounds.height)
    return smaller > 0 and common.width * common.height >= 0.8 * smaller


def _ranked(what: Phrase, sight: Sight, allow: Callable[[Element], bool] | None) -> list[Match]:
    scored = [
        Match(each, score(what, each, sight)) for each in sight.elements if allow is None or allow(each)
    ]
    return sorted((m for m in scored if m.score > 0), key=lambda m: -m.score)


def score(what: Phrase, element: Element, sight: Sight) -> float:
    """How well an element fits a phrase, 0 to about 130."""
    if element.role in _PASSIVE and what.kind != "window":
        return 0.0
    fit = _kind_fit(what.kind, element)
    if fit is None:
        return 0.0
    if what.within and not sight.is_within(element, what.within):
        return 0.0
    if not what.name:
        base = 80.0 if what.kind else 0.0
    else:
        name = read_name(element.name) if element.source == "ocr" else element.name
        base = max(
            likeness(what.name, name, exact=what.quoted),
            0.9 * likeness(what.name, element.value, exact=True)
            if element.role not in ROLES["field"]
            else 0.0,
            *(
                (0.85 if element.name else 0.97) * likeness(what.name, label, exact=what.quoted)
                for label in sight.labels(element)
            ),
        )
    if base < 84 and element.role in _COMMANDS and what.name:
        base -= 35.0  # half a command's name may be quite another command
    if base < 45:
        return 0.0
    return base + fit + sight.prominence(element) + looks(what, element, sight.look)


def _kind_fit(kind: str, element: Element) -> float | None:
    """Points for the role; None when the role cannot be meant."""
    if not kind:
        return 6.0 if element.role in _ACTIVE else -6.0
    if element.role in ROLES.get(kind, frozenset()):
        return 20.0
    if element.source == "ocr":
        return 0.0
    if kind in ("checkbox", "radio", "combo", "slider", "field", "tab", "cell", "spin", "window"):
        return None
    return -10.0 if element.role in _ACTIVE else -20.0


def likeness(said: str, seen: str, *, exact: bool = False) -> float:
    """How alike a spoken name and a seen one are: 100 the same, 0 not at all.

    `exact` names fit as a whole, but for case, mnemonics and dots at the end.
    """
    one, other = plain(said), plain(seen)
    if not one or not other:
        return 0.0
    if said.strip() == seen.strip():
        return 100.0
    if one == other:
        return 98.0
    if _squeezed(one) and _squeezed(one) == _squeezed(other):
        return 95.0
    if any(one in group and other in group for group in _SYNONYMS):
        return 84.0
    if exact:
        return 0.0
    return _partly(one, other)


_DIGITS = re.compile(r"\d+")


def read_name(text: str) -> str:
    """Recognised text without shortcut and what an icon was taken for: "oF New Tab Ctrl+T" → New Tab."""
    bare = re.sub(r"\s+(?:(?:shift|ctrl|alt|super)\s*\+\s*)+\S+$", "", text, flags=re.I)
    return re.sub(r"^(?:\W|\w{1,2}\s)+(?=\w{3})|\s+\W*\w?$", "", bare) or text


def _partly(one: str, other: str) -> float:
    if any(re.search(rf"(?<!\w){word}(?!\w)", other) and word not in one for word in _TURNING):
        return 0.0
    if re.match(rf"{re.escape(one)}(?!\w)", other):
        return 80.0 - min(10.0, len(other) / 20)
    if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", other):
        return 72.0 - min(10.0, len(other) / 20)
    words, seen = one.split(), set(re.findall(r"\w+", other))
    if len(words) > 1 and all(word in seen for word in words):
        return 64.0 - min(8.0, len(other) / 20)
    if len(one) > 3 and abs(len(one) - len(other)) <= 3 and _DIGITS.findall(one) == _DIGITS.findall(other):
        ratio = difflib.SequenceMatcher(None, one, other).ratio()
        return 75.0 * ratio if ratio >= 0.82 else 0.0
    most = len(other) > 3 and len(other) >= 0.6 * len(one)
    return 60.0 if most and re.search(rf"(?<!\w){re.escape(other)}(?!\w)", one) else 0.0


def plain(name: str) -> str:
    """A name as it is compared: lower case, without shortcut, dots, colon or mnemonic mark."""
    text = name.split("\t")[0].lower()
    text = re.sub(r"(?<!\w)_(?=\w)|(?<=\w)_(?=\w)", lambda f: "" if f.start() == 0 else "_", text)
    text = re.sub(r"\s*(?:…|\.{3}|[:*])+\s*$", "", " ".join(text.split()))
    text = re.sub(r"\s*\((?:required|optional)\)$", "", text)
    return text.strip() or name.strip().lower()


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)
