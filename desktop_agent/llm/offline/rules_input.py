"""Clauses about the pointer and the keyboard: click, press, scroll, drag, hover."""

from __future__ import annotations

import re
from typing import cast

from desktop_agent.llm.offline import words
from desktop_agent.llm.offline.intents import (
    Browse,
    Click,
    ClickAt,
    Direction,
    Drag,
    Expand,
    Focus,
    Hover,
    Intent,
    Menu,
    Phrase,
    Press,
    Scroll,
    ScrollUnit,
)
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule

_MODIFIER = r"(?:ctrl|control|shift|alt|super|cmd|command|win|windows)"
_BUTTON = r"(?:left|right|middle|secondary)"
_CLICK = rf"(?:(?P<button>{_BUTTON})(?:[- ]mouse)?[- ]?)?(?:(?P<count>double|triple|single)[- ]?)?click"
_HOW_OFTEN = rf"(?:\s+(?P<times>{words.TIMES}))?"
_HOLDING = rf"(?:\s+(?:while|and)?\s*(?:holding|with)(?: down)?(?: the)?\s+(?P<held>{_MODIFIER})(?: key)?(?: held| pressed)?(?: down)?)?"
_EDITS: dict[str, tuple[str, ...]] = {
    "select all": ("ctrl", "a"), "select everything": ("ctrl", "a"), "copy": ("ctrl", "c"), "cut": ("ctrl", "x"),
    "paste": ("ctrl", "v"), "undo": ("ctrl", "z"), "redo": ("ctrl", "y"), "print": ("ctrl", "p"),
    "new document": ("ctrl", "n"), "new file": ("ctrl", "n"), "new window": ("ctrl", "n"),
    "new tab": ("ctrl", "t"), "zoom in": ("ctrl", "+"), "zoom out": ("ctrl", "-"),
}  # fmt: skip


def _times(found: re.Match[str]) -> int:
    said = found.groupdict().get("times")
    amount = words.number(said) if said else 1
    return max(1, min(50, int(amount or 1)))


def _click(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    groups = found.groupdict()
    button = (groups.get("button") or "left").lower().replace("secondary", "right")
    count = {"double": 2, "triple": 3}.get((groups.get("count") or "").lower(), 1)
    held = tuple(
        k for k in (words.key(groups.get(each) or "", alone=False) for each in ("modifier", "held")) if k
    )
    times = _times(found)
    if (
        count == 1
        and times == 2
        and (groups.get("times") or "").lower() == "twice"
        and not groups.get("verb")
    ):
        count, times = 1, 2
    what = phrase(found["obj"], masked)
    return (Click(what, cast("object", button), count, times, held),) if what.spoken else None  # type: ignore[arg-type]


def _click_at(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    groups = found.groupdict()
    count = {"double": 2, "triple": 3}.get((groups.get("count") or "").lower(), 1)
    button = (groups.get("button") or "left").lower().replace("secondary", "right")
    return (ClickAt(int(found["x"]), int(found["y"]), button, count),)  # type: ignore[arg-type]


def _press(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    body = masked.literal(found["obj"])[0]
    keys = words.chord(body)
    if keys:
        return (Press(keys, _times(found)),)
    sequence = [words.chord(each) for each in re.split(r"\s*,\s*|\s+", body.strip()) if each]
    if len(sequence) > 1 and all(sequence):
        return tuple(Press(each, _times(found)) for each in sequence if each)
    return None


def _push(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Press Save": no key of that name, so it is a button."""
    body = found["obj"].strip()
    if re.search(r"\suntil\s", body):
        return None
    what = phrase(body, masked)
    return (Click(what, times=_times(found)),) if what.spoken else None


def _bare_key(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    keys = words.chord(found["obj"])
    if not keys or (len(keys) == 1 and len(keys[0]) == 1):
        return None
    return (Press(keys, _times(found)),)


def _edit(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    name = re.sub(r"^(?:open|create|start|make)\s+(?:a|an)\s+", "", found["edit"].lower())
    keys = _EDITS[" ".join(name.split())]
    into = found.groupdict().get("into")
    focus = (Focus(phrase(into, masked)),) if into else ()
    return (*focus, Press(keys, _times(found)))


def _select_and(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return (Press(("ctrl", "a")),)


def _scroll(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    groups = found.groupdict()
    direction = cast(Direction, (groups.get("way") or groups.get("way2") or "down").lower())
    amount = words.number(groups.get("amount") or groups.get("times") or "")
    unit: ScrollUnit = "pages" if re.match(r"(?:page|screen)", groups.get("unit") or "", re.I) else "notches"
    if re.fullmatch(r"a (?:bit|little)(?: bit)?", groups.get("amount") or "", re.I):
        amount = 3
    count = int(amount) if amount else (1 if unit == "pages" else 5)
    over = masked.literal(groups.get("over") or "")[0]
    return (Scroll(direction, max(1, min(100, count)), unit, over=over),)


def _scroll_end(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    way = found["end"].lower()
    up = way in ("top", "beginning", "start")
    direction: Direction = "up" if up else "left" if way == "left" else "right" if way == "right" else "down"
    return (Scroll(direction, unit="end", over=masked.literal(found.groupdict().get("over") or "")[0]),)


def _scroll_until(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    direction = cast(Direction, (found.groupdict().get("way") or "down").lower())
    what = re.sub(r"^(?:the|a|an)\s+", "", found["until"].strip(), flags=re.I)
    return (Scroll(direction, until=masked.literal(what)[0]),)


def _drag(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (Drag(phrase(found["obj"], masked), phrase(found["onto"], masked)),)


def _hover(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (Hover(phrase(found["obj"], masked)),)


def _focus(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (Focus(phrase(found["obj"], masked)),)


def _menu(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    parts = re.split(r"\s*(?:>|→|->|»|/(?=\s))\s*", found["path"])
    path = tuple(
        re.sub(r"\s+menu$", "", masked.literal(each)[0], flags=re.I) for each in parts if each.strip()
    )
    names = all(len(each.split()) <= 5 for each in path)
    return (Menu(path),) if len(path) > 1 and names else None


def _menu_from(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    menu = masked.literal(found["menu"])[0]
    return (Menu((menu, masked.literal(found["item"])[0])),)


def _menu_open(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (
        Click(
            Phrase(masked.literal(found["menu"])[0], "menu", spoken=masked.restore(found["menu"]) + " menu")
        ),
    )


def _browse(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    word = found["move"].lower()
    move = "back" if "back" in word else "forward" if "forward" in word else "reload"
    return (Browse(move),)  # type: ignore[arg-type]


def _expand(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what = phrase(found["obj"], masked)
    return (
        (Expand(what, found["verb"].lower() in ("expand", "unfold", "uncollapse")),) if what.spoken else None
    )


_WAY = r"(?P<way>up|down|left|right)(?:wards?)?"
_OVER = r"(?:\s+(?:in|on|over|inside|within)\s+(?:the\s+)?(?P<over>.+))?"

FIRST: tuple[Rule, ...] = (
    _rule(rf"(?P<edit>select all|select everything)(?:\s+(?:of\s+)?(?:the\s+)?(?:text|content|contents|it|files|items))?{_OVER.replace('over', 'into', 1).replace('(?P<over>', '(?P<into>')}", _edit),
    _rule(rf"(?P<edit>copy|cut|paste|undo|redo|print)(?:\s+(?:it|that|this|them|everything|the (?:text|selection|selected text|last (?:change|action)|clipboard|page|document)))?{_HOW_OFTEN}(?:\s+(?:in|into|to)\s+(?P<into>the\s+.+))?", _edit),
    _rule(r"(?P<edit>zoom in|zoom out|(?:(?:open|create|start|make) an? )?(?:new (?:document|file|window|tab)))" + _HOW_OFTEN, _edit),
    _rule(r"select (?:all )?(?:of )?(?:the|its) (?:whole |entire )?(?:text|contents?)", _select_and),
    _rule(rf"(?P<obj>enter|return|escape|esc|backspace|delete|tab|page (?:up|down))(?:\s+key)?{_HOW_OFTEN}", _bare_key),
    _rule(r"(?:put|place|set|move) the (?:cursor|caret|focus) (?:in|into|on|inside|to)\s+(?P<obj>.+)", _focus),
)  # fmt: skip

MENUS: tuple[Rule, ...] = (
    _rule(r"(?:choose|select|pick|click|use|open|go to|press)?\s*(?:the\s+menu\s+)?(?P<path>(?!run\b|execute\b)[^>→»]+(?:(?:>|→|->|»)[^>→»]+)+)", _menu),
)  # fmt: skip

RULES: tuple[Rule, ...] = (
    _rule(rf"(?:(?P<modifier>{_MODIFIER})\s*[-+ ]\s*)?{_CLICK}\s+(?:at|on)?\s*(?:(?:the\s+)?(?:point|position|coordinates?|pixel)\s*)?\(?(?P<x>\d{{1,5}})\s*[,x ]\s*(?P<y>\d{{1,5}})\)?", _click_at),
    _rule(rf"(?:(?P<modifier>{_MODIFIER})\s*[-+ ]\s*)?{_CLICK}\s+(?:on\s+|onto\s+)?(?P<obj>.+?){_HOW_OFTEN}{_HOLDING}", _click),
    _rule(rf"(?:press|hit|push|use|type|tap|strike|send|enter)\s+(?P<obj>.+?){_HOW_OFTEN}", _press),
    _rule(rf"(?:press|push|tap|hit|tap on|press on)\s+(?:on\s+)?(?P<obj>.+?){_HOW_OFTEN}", _push),
    _rule(rf"(?:keep\s+)?scroll(?:ing)?(?:\s+{_WAY})?\s+(?:until|till|to find|to see|so that|until you (?:see|find|reach)|to show)\s+(?:you\s+(?:can\s+)?(?:see|find|reach)\s+|i\s+(?:can\s+)?see\s+)?(?P<until>.+?)(?:\s+(?:is|are|becomes?|comes?)\s+(?:visible|shown|seen|found|on (?:the )?screen|in(?:to)? view)|\s+(?:appears?|shows(?: up)?))?", _scroll_until),
    _rule(rf"scroll(?:\s+{_WAY})?\s+(?:all the way\s+)?(?:to|towards)\s+(?:the\s+)?(?:very\s+)?(?P<end>top|bottom|end|beginning|start)(?:\s+of\s+(?:the\s+)?(?:page|(?P<over>.+)))?", _scroll_end),
    _rule(r"scroll\s+all the way\s+(?:to the\s+)?(?P<end>up|down|left|right)", _scroll_end),
    _rule(rf"scroll\s+(?:the\s+(?:page|window|screen|view|document)\s+)?{_WAY}(?:\s+by)?(?:\s+(?P<amount>a (?:bit|little)(?: bit)?|{words.NUMBER})(?:\s+(?P<unit>times|notch(?:es)?|lines?|clicks?|steps?|ticks?|pages?|screens?|screenfuls?))?)?{_HOW_OFTEN}(?:\s+(?:in|on|over|inside|within)\s+(?:the\s+)?(?:page|window|(?P<over>.+)))?", _scroll),
    _rule(rf"scroll\s+(?P<amount>{words.NUMBER})\s+(?P<unit>times|notch(?:es)?|lines?|clicks?|steps?|ticks?|pages?|screens?)\s+{_WAY}", _scroll),
    _rule(rf"scroll\s+(?:the\s+)?(?P<over>\S.*?)\s+{_WAY}(?:\s+by)?(?:\s+(?P<amount>{words.NUMBER})(?:\s+(?P<unit>times|notch(?:es)?|lines?|pages?))?)?", _scroll),
    _rule(r"scroll(?:\s+(?:the\s+)?(?:page|window))?", _scroll),
    _rule(rf"scroll(?:\s+{_WAY})?\s+(?:to|towards)\s+(?P<until>.+)", _scroll_until),
    _rule(r"(?:keep|leave|hold|rest)\s+(?:the\s+)?(?:mouse|pointer|cursor)(?:\s+(?:pointer|cursor|hovered|hovering))*\s+(?:over|on|above)\s+(?P<obj>.+)", _hover),
    _rule(r"(?:move|put|place|bring|point)\s+(?:the\s+)?(?:mouse|pointer|cursor)(?:\s+(?:pointer|cursor))?\s+(?:over|to|onto|on|above|at)\s+(?P<obj>.+)", _hover),
    _rule(r"(?:drag(?: and drop)?|move|drop|pull)\s+(?P<obj>.+?)\s+(?:onto|on to|to|into|over to|over|on top of|on)\s+(?P<onto>.+)", _drag),
    _rule(r"(?:hover|point)\s+(?:over|on|above|at|the (?:mouse|pointer) over)?\s*(?P<obj>.+)", _hover),
    _rule(r"(?:focus|click into|click inside|(?:set|give|move) (?:the )?(?:keyboard )?focus)\s+(?:on\s+|in\s+|into\s+|to\s+)?(?P<obj>.+)", _focus),
    _rule(r"(?:choose|select|pick|click|use|press)\s+(?:on\s+)?(?P<item>.+?)\s+(?:in|from|under|on)\s+(?:the\s+)?(?P<menu>\S+(?:\s\S+)?)\s+menu", _menu_from),
    _rule(r"(?:from|in|under) (?:the )?(?P<menu>\S+(?:\s\S+)?)\s+menu,?\s+(?:choose|select|pick|click|use)\s+(?P<item>.+)", _menu_from),
    _rule(r"open\s+(?!the\s+menu$)(?:the\s+)?(?P<menu>.+?)\s+menu", _menu_open),
    _rule(r"(?P<move>(?:go|navigate|click|press)\s+(?:the\s+)?(?:back|forward)(?:\s+button)?(?:\s+(?:to the (?:previous|last) page|one page|a page))?)", _browse),
    _rule(r"(?P<verb>expand|unfold|uncollapse|collapse|fold)\s+(?P<obj>.+?)(?:\s+(?:below|above))?", _expand),
    _rule(r"(?P<move>reload|refresh)(?:\s+(?:the\s+)?(?:page|browser|tab|it|site|website))?", _browse),
)  # fmt: skip
