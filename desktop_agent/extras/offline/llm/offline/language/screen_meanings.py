"""Meanings of clauses about what is on the screen: opening, going, clicking, scrolling, waiting, and what is told of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from desktop_agent.extras.offline.llm.offline import apps, words
from desktop_agent.extras.offline.llm.offline.intents import (
    Browse,
    Click,
    ClickAt,
    CopyText,
    Drag,
    Expand,
    Focus,
    GoTo,
    Help,
    Hover,
    Intent,
    Menu,
    Open,
    Phrase,
    Press,
    Scroll,
    WaitFor,
)
from desktop_agent.extras.offline.llm.offline.intents_desk import (
    OpenFile,
    SortFiles,
)
from desktop_agent.extras.offline.llm.offline.language.referents import (
    Meaning,
    Slots,
    folder_of,
    spoken_of,
    thing_of,
)
from desktop_agent.extras.offline.llm.offline.language.said import FileSaid, Reference, Text
from desktop_agent.extras.offline.llm.offline.language.talk import Talk
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.quoting import Masked
from desktop_agent.extras.offline.llm.offline.words import known_folder

_CLICKED = ("link", "tab", "button", "icon", "combo", "menu", "menuitem", "result", "option")
_NO_TARGETS = ("position", "place", "top", "bottom", "start", "end", "front", "spot")


def _open(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what, within = slots["what"], slots.get("within", "")
    if isinstance(what, Reference):
        what = talk.file
    if isinstance(what, FileSaid):
        if what.is_folder and within:
            return None  # a folder is gone to, in the window that is meant
        talk.of_file(what, open_now=not what.is_folder)
        if what.is_folder:
            return (GoTo(talk.folder),)
        return (OpenFile(what.name, what.folder, within),)
    if isinstance(what, Phrase):
        return _open_thing(what, within, talk, slots["said"].lower().rstrip(" ?.!"))
    if what is None:
        return None
    talk.of_app(what)
    return (Open(what, within),)


def _open_thing(what: Phrase, within: str, talk: Talk, said: str) -> tuple[Intent, ...] | None:
    if what.kind in _CLICKED or what.ordinal or what.near:
        talk.of_thing(what)
        return (Click(what, count=2 if what.kind == "icon" else 1),)
    if what.kind == "item" and what.name:
        return (Click(what, count=2),)
    if "on the" in said and re.search(r"\b(?:page|site|website)$", said):
        talk.of_thing(what)
        return (Click(msgspec.structs.replace(what, kind="link")),)  # what stands on a page is no program
    if (
        what.kind
        or apps.sort_of(within) == "terminal"
        or len(what.spoken.split()) > 3
        or what.name.lower() in ("over", "again", "off", "up", "down", "out")
    ):
        return None
    talk.of_app(what.name)
    return (Open(what.name, within),)


def _go(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    where = slots["where"]
    if isinstance(where, Phrase):
        if where.kind not in ("link", "tab", ""):
            return None
        talk.of_thing(where)
        return (Click(where if where.kind else msgspec.structs.replace(where, kind="link")),)
    if isinstance(where, Reference):
        where = talk.folder
    if not where:
        return None
    if slots.get("is_folder") or not re.search(r"\.\w|:", where):
        talk.of_folder(where)
    return (GoTo(where),)


def _go_folder(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    folder = folder_of(slots["where"], talk)
    if folder is None:
        return None
    return (GoTo(folder), *((SortFiles(slots["key"]),) if "key" in slots else ()))


def _click(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what = thing_of(slots["what"], talk)
    if what is None or (what.kind == "link" and not what.name and what.spoken.startswith("page")):
        return None
    talk.of_thing(what)
    if what.kind == "link":
        talk.of_page()
    held = tuple(slots.get("modifiers", ()))
    return (Click(what, slots.get("button", "left"), slots.get("count", 1), slots.get("times", 1), held),)


def _press(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Press(slots["keys"], slots.get("times", 1)),)


def _focus(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Focus(slots["what"]),)


def _drag(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    if slots["onto"].name.lower() in _NO_TARGETS:
        return None
    what = slots["what"]
    talk.of_thing(what)
    if known_folder(slots["onto"].name) and re.search(r"\w\.\w{1,5} (?:from|out of) ", what.spoken):
        return None  # a file is moved from folder to folder, wherever it is seen
    return (Drag(what, slots["onto"]),)


def _hover(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Hover(slots["what"]),)


def _scroll(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    until = slots.get("until")
    if isinstance(until, Phrase):
        talk.of_thing(until)
        return (Scroll(until=spoken_of(until)),)
    if end := slots.get("end"):
        over = slots.get("over")
        return (Scroll(end, unit="end", over=spoken_of(over) if over else ""),)
    amount, unit = slots.get("amount", (5, "notches"))
    over = slots.get("over")
    return (Scroll(slots.get("direction", "down"), amount, unit, over=_over(over) if over else ""),)


def _over(what: Phrase) -> str:
    return what.name or what.spoken


def _menu(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Menu(tuple(slots["path"])),)


def _into_basket(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    number = words.number(slots["what"].name.split()[0]) if slots["what"].name else None
    if number is not None and number != 1:
        return None
    name = f"Add to {'basket' if 'basket' in slots else 'cart'}"
    return (Click(Phrase(name, "button", near=slots["what"].name, side="near", spoken=name)),)


def _expand(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.of_thing(slots["what"])
    return (Expand(slots["what"], slots.get("on", True)),)


def _wait_for(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    what = slots.get("what")
    if what is None:
        return (WaitFor(1.0),)
    if isinstance(what, Phrase) and re.match(r"(?:i|you|we)\b", what.spoken, re.I):
        return None  # “when I say so” is not to be seen
    return (
        WaitFor(text=what.text if isinstance(what, Text) else spoken_of(what), gone=bool(slots.get("gone"))),
    )


def _wait(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (WaitFor(slots.get("seconds", 1.0)),)


def _button(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Click(Phrase(slots["label"], "button")),)


def _nothing_more(_slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    """“Leave the rest alone”: there is nothing to be done."""
    return ()


def _click_at(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    x, y = slots["point"]
    return (ClickAt(x, y, slots.get("button", "left"), slots.get("count", 1)),)


def _browse(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Browse(slots["move"]),)


def _help(_slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Help(),)


def _name_it(_slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    """“Call it …”, of what was made just before: see `understand`, which joins the two."""
    return None


def _state(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“The calculator is open”: nothing is to be done, but it is spoken of."""
    shown = re.search(
        r"\b(?:shows|has|offers|displays|contains)\s+(?:an?|the)\s+(.+?)[. ]*$", slots["said"], re.I
    )
    shown = shown or re.match(
        r"there(?:'s| is) (?:an?|the|some)\s+(.+?)\s+(?:in|on)\s+the\b", slots["said"], re.I
    )
    if shown:
        talk.of_thing(phrase(shown[1], Masked(shown[1])))
        talk.told_of = True
    named = re.match(r"(?:the|my|an?)\s+(.+?)\s+(?:is|are)\b", slots["said"], re.I)
    if named and apps.sort_of(named[1]):
        talk.of_app(named[1])
    listed = re.search(
        r"(?:[,:]\s*|^both )(?:an?|the|my)\s+([\w ]+?)\s+and\s+(?:an?|the|my)\s+([\w ]+?)(?: are (?:open|running|shown))?[. ]*$",
        slots["said"],
        re.I,
    )
    if listed and all(map(apps.sort_of, listed.groups())):
        talk.listed = listed.groups()
    return ()


def _told(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """How things are, without a name for any: nothing is to be done, and "it" is what nobody can tell any more."""
    talk.forget()
    return ()


def _mention_thing(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“There's a link Imprint”: nothing is to be done about it yet."""
    talk.of_thing(msgspec.structs.replace(slots["what"], any=False))
    talk.told_of = True
    return ()


def _mention_app(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“The calculator is in my way”: it is what is spoken of."""
    talk.of_app(slots["app"])
    return ()


def _copy_text(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (CopyText(slots["what"]),)


SCREEN_MEANINGS: Mapping[str, Meaning] = {
    "open": _open,
    "go": _go,
    "go_folder": _go_folder,
    "click": _click,
    "press": _press,
    "focus": _focus,
    "hover": _hover,
    "scroll": _scroll,
    "menu": _menu,
    "wait": _wait,
    "browse": _browse,
    "help": _help,
    "wait_for": _wait_for,
    "button": _button,
    "nothing": _nothing_more,
    "mention_thing": _mention_thing,
    "mention_app": _mention_app,
    "told": _told,
    "state": _state,
    "into_basket": _into_basket,
    "copy_text": _copy_text,
    "expand": _expand,
    "click_at": _click_at,
    "drag": _drag,
    "name_it": _name_it,
}
