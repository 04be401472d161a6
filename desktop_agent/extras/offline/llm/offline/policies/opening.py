"""Opening applications, files, addresses and whatever has a name."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline import apps
from desktop_agent.extras.offline.llm.offline.intents import Open, Phrase
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.policies.entering import ENTER, enter, entered
from desktop_agent.extras.offline.llm.offline.quoting import Masked
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

OPENING_LOOKS = 13
_MAX_TRIES = 6
_UNREACHABLE = re.compile(
    r"site can.t be reached|unable to connect|server not found|no internet|ERR_[A-Z_]{4,}|took too long to respond|"
    r"refused to connect|can.t find (?:the|that) (?:site|server|page)|page (?:isn.t|is not) (?:working|available)",
    re.I,
)
PATH = re.compile(r"(?:~|/|[A-Za-z]:\\).*", re.S)
_OPENABLE = ROLES["link"] | ROLES["button"] | ROLES["tab"] | ROLES["item"] | ROLES["menu"]
DOUBLE = frozenset(("icon", "list item", "table cell", "tree item", "canvas", "table row"))
"""Roles of what is opened by a double click."""


def open_thing(intent: Open, scene: Scene) -> Move:
    """Reached when a window of it is in front; an unknown name is looked for in the browser."""
    if _clicked(scene):
        return _after_click(intent.what, scene)
    if not scene.deeds:
        if scene.sight.shows(intent.what):
            return Reached(f"{_capital(intent.what)} is in front.")
        named = None if apps.sort_of(intent.what) else named_in_sight(intent.what, scene)
        if named:
            return Act((open_click(scene, named),), f"I see “{named.name}” and open it.")
    if intent.within and not apps.sort_of(intent.what):
        return _open_with(intent, scene)
    target = scene.path(intent.what) if intent.what.startswith("~") else intent.what
    ready = bring_up(target, scene)
    if ready is None:
        return Reached(f"{_capital(intent.what)} is open.")
    elsewhere = not (PATH.fullmatch(intent.what) or apps.sort_of(intent.what) or scene.forbidden(ops.Open))
    if isinstance(ready, Question) and elsewhere:
        return _look_around(intent.what, scene) or _look_in_browser(intent.what, ready, scene)
    return ready


def _clicked(scene: Scene) -> bool:
    """Was the thing itself clicked (and not the address bar on the way to it)?"""
    bar = address_bar(scene)
    name = _label(bar, scene) if bar is not None else ""
    return not scene.done(ops.Type) and any(not name or name not in deed.words for deed in scene.clicks())


def _look_around(what: str, scene: Scene) -> Act | None:
    """What is no application may be here under a longer name: "the mail from Eve" is "Eve: Lunch?"."""
    if scene.done(ops.Type):
        return None
    for words in (what, re.sub(r"^.+?\s(?:from|by|of|about|called|named)\s", "", what)):
        found = resolve(phrase(words, Masked(words)), scene.sight, allow=lambda e: e.role in _OPENABLE)
        if found.element is not None and scene.sight.in_front(found.element):
            return Act((open_click(scene, found.element),), f"I see “{found.element.name}” and open it.")
    return None


def bring_up(what: str, scene: Scene) -> Move | None:
    """Open an application or file and wait for its window; None as soon as it is in front."""
    names = {what.lower(), *(each.lower() for each in apps.programs(what))}
    tried = scene.done(ops.Open, lambda op: op.target.lower() in names)
    if scene.sight.shows(what) or (tried and _new_window(what, scene, tried[-1].turn)):
        return None
    if not tried:
        return _first_try(what, scene)
    return scene.wait(OPENING_LOOKS) or Question(
        f"I opened “{what}”, but no window of it has come up. I see {_windows(scene)}. What shall I do?"
    )


def _first_try(what: str, scene: Scene) -> Move:
    """Ask the system to open it; of a sort of application that it does not know by name, one after the other."""
    if not scene.can("open"):
        return Question(f"I am not allowed to open anything here. Can you open “{what}”?")
    names = {what.lower(), *(each.lower() for each in apps.programs(what))}
    opened = [d for d in scene.deeds if isinstance(d.op, ops.Open) and d.op.target.lower() in names]
    refused = [d for d in opened if d.outcome != "done"]
    if not refused:
        return Act((ops.Open(what),), f"I open {_quoted(what)}.")
    tried = {d.op.target.lower() for d in refused if isinstance(d.op, ops.Open)}
    others = () if scene.forbidden(ops.Open) else apps.programs(what, refused[0].detail)
    for name in others:
        if name.lower() not in tried and len(tried) <= _MAX_TRIES:
            return Act((ops.Open(name),), f"There is none of that name, so I try {name}.")
    why = refused[0].detail.rstrip(".") or "it was refused"
    return Question(f"I could not open “{what}”: {why}. What shall I open instead?")


def need(sort: str, scene: Scene) -> Move | None:
    """Have an application of a sort ("calculator") in front; None when it is."""
    return (
        None
        if scene.sight.sort == sort and sort
        else bring_up({"files": "file manager"}.get(sort, sort), scene)
    )


def _new_window(what: str, scene: Scene, turn: int) -> bool:
    """Has a window come to the front since that turn that can be it?

    A window whose name says nothing is taken for it after some patience only: it may be another's.
    """
    before = scene.windows_at.get(turn)
    if not scene.look.window or (
        before and scene.look.window == before[0] and len(scene.look.windows) <= len(before)
    ):
        return False
    if apps.is_generic(what) and scene.sight.sort:
        return False
    name = what.rstrip("/").rsplit("/", 1)[-1].lower()
    return name in scene.look.window.lower() or scene.patience >= 2


def named_in_sight(what: str, scene: Scene) -> Element | None:
    """A link, button, tab, icon, … of exactly that name in the window in front."""
    found = resolve(
        Phrase(what, quoted=True, spoken=what),
        scene.sight,
        allow=lambda e: e.role in _OPENABLE and scene.sight.in_front(e),
    )
    return found.element


def open_click(scene: Scene, element: Element) -> ops.Op:
    """A click, or a double click where things are opened by one."""
    return scene.click(element, count=2 if element.role in DOUBLE else 1)


def _after_click(what: str, scene: Scene) -> Move:
    """A click opened it when something has changed; if not, the other sort of click is tried."""
    deed = scene.clicks()[-1]
    if deed.effect in ("changed", "confirmed") or scene.look.windows != scene.windows_at.get(deed.turn, ()):
        return scene.wait(1) or Reached(f"{_capital(what)} is open.")
    waiting = scene.wait(3)
    if waiting:
        return waiting
    named = named_in_sight(what, scene)
    if named is None:
        return Reached(f"{_capital(what)} is open.")
    if len(scene.clicks()) < 2:
        once = getattr(deed.op, "count", 1) == 1
        return Act(
            (scene.click(named, count=2 if once else 1),), "Nothing has changed, so I try another click."
        )
    return Question(f"I clicked “{named.name}”, but nothing has changed. How shall I go on?")


def _open_with(intent: Open, scene: Scene) -> Move:
    """Open a file in a given application: by the system if it knows, else the application first."""
    ready = bring_up(intent.within, scene)
    if ready is not None:
        return ready
    if scene.done(ops.Type):
        if scene.sight.shows(intent.what.rsplit("/", 1)[-1]):
            return Reached(f"{_capital(intent.what)} is open.")
        return scene.wait(3) or Question(
            f"I gave the name “{intent.what}”, but I see “{scene.look.window}”. What shall I do?"
        )
    if not scene.done(ops.KeyCombo):
        return Act((ops.KeyCombo(("ctrl", "o")),), f"I open {_quoted(intent.what)} with {intent.within}.")
    path = scene.path(intent.what) if not intent.what.startswith("/") else intent.what
    return scene.wait(1) or Act((ops.Type(path), ops.KeyCombo(("enter",))))


def _look_in_browser(what: str, otherwise: Question, scene: Scene) -> Move:
    """A name that is no application is perhaps a page: open the browser and look for it there.

    Mere words like "the letter to Bob" are no name to look for on the web.
    """
    if " " in what and not what[:1].isupper():
        return otherwise
    if scene.sight.sort != "browser":
        ready = bring_up("browser", scene)
        if ready is not None:
            return ready
    named = named_in_sight(what, scene)
    if named and not scene.done(ops.Type):
        return Act((open_click(scene, named),), f"I see “{named.name}” and open it.")
    return address(what, scene, f"“{what}” is no application here, so I look for it in the browser.")


# ---- addresses -----------------------------------------------------------------------------------


def address(text: str, scene: Scene, note: str) -> Move:
    """Type into the address bar and wait until the page is there."""
    bar = address_bar(scene)
    if bar is None and not scene.done(ops.Type):
        return Act((ops.KeyCombo(("ctrl", "l")), ops.Type(text), ENTER), note)
    going = enter(bar, text, scene, note)
    if going is not None:
        return going
    if unreachable(scene) and scene.patience:
        return Question(f"The browser could not show {text}: “{unreachable(scene)}” What shall I do?")
    last = max(entered(scene), key=lambda deed: deed.turn, default=None)
    before = scene.windows_at.get(last.turn if last else scene.since, ("",))
    if scene.look.window != next(iter(before), "") or (arrived(text, scene) and scene.patience):
        return scene.wait(1) or Reached(f"The browser shows “{scene.look.window}”.")
    if scene.patience >= 3 and len(entered(scene)) < 2 and last is not None and last.effect == "unchanged":
        return Act((ENTER,), "Nothing has changed, so I press Enter once more.")
    return scene.wait(6) or Reached(f"I went to {text}; the window is called “{scene.look.window}”.")


def unreachable(scene: Scene) -> str:
    """What the browser says when it could not get a page."""
    texts = [e.name for e in scene.sight.front if e.name and e.role != "page tab"]
    return next((each[:200] for each in texts if _UNREACHABLE.search(each)), "")


def address_bar(scene: Scene) -> Element | None:
    """The address bar: one on the page itself (a page that is a browser) before the browser's own."""
    bars = [
        each
        for each in scene.sight.editable
        if re.search(
            r"\b(?:address (?:and search )?bar|web address|url|location bar|address and search)\b",
            _label(each, scene),
            re.I,
        )
        or re.fullmatch(r"(?:address|location|go to)", _label(each, scene), re.I)
    ]
    page = scene.sight.document
    on_page = [each for each in bars if page and page.bounds.contains(each.bounds.center)]
    return next(iter(on_page or bars), None)


def _label(element: Element, scene: Scene) -> str:
    return element.name or " ".join(scene.sight.labels(element)[:1])


def arrived(text: str, scene: Scene) -> bool:
    """Does the address bar show the address, and a page with something on it?"""
    wanted = _bare(text)
    shown = [_bare(each.value) for each in scene.sight.editable if each.value]
    return (
        any(wanted and (each == wanted or each.startswith(wanted)) for each in shown)
        and scene.sight.document is not None
    )


def _bare(address: str) -> str:
    return re.sub(r"^(?:\w+://)?(?:www\.)?", "", address.strip().lower()).rstrip("/")


def _windows(scene: Scene) -> str:
    return ", ".join(f"“{each}”" for each in scene.look.windows[:4] if each) or "no window"


def _quoted(what: str) -> str:
    return f"the {what}" if apps.is_generic(what) else f"“{what}”"


def _capital(what: str) -> str:
    return f"The {what}" if apps.is_generic(what) else f"“{what}”"
