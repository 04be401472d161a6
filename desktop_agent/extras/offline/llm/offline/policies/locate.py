"""Finding the thing that is meant: look again for a while, read the screen, then ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from desktop_agent.extras.offline.llm.offline import words
from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act, Question
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.policies.known_ways import known_way
from desktop_agent.extras.offline.llm.offline.quoting import Masked
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.vision.observation import Element

RISKY = re.compile(
    r"\b(?:delete|remove|discard|erase|send|buy|pay|order|transfer|confirm|format|reset|unsubscribe)", re.I
)
"""Of two things of such a name it matters which."""

_LOOKS = 5
_LOOKS_AT_PICTURES = 2
"""Looks at what is only seen: a picture is not late as a tree is."""
_SOME = 60
_SHOWN = 6
_NOTCHES = 5
_MAX_SCROLLS = 15
_LISTS = 3
_SCROLLED = frozenset(("table", "list", "tree", "list box", "tree table"))
_ENTRIES = frozenset(("table cell", "list item", "tree item", "table row", "cell"))


def locate(
    scene: Scene, what: Phrase, *, allow: Callable[[Element], bool] | None = None, looks: int = _LOOKS
) -> Element | Act | Question:
    """The element a phrase means, or what to do until it is known: wait, read the screen, ask."""
    found = resolve(what, scene.sight, allow=allow)
    if found.element is not None:
        return found.element
    if found.ambiguous:
        only_read = all(each.source == "ocr" for each in found.candidates)
        return (
            (scene.wait(looks) if only_read else None)  # a tree that is late will tell them apart
            or chosen(scene, found.candidates)
            or alike(scene, found.candidates)
            or which(scene, what, found.candidates)
        )
    if scene.answer:
        renamed = _renamed(what, scene.answer)
        again = resolve(renamed, scene.sight, allow=allow)
        if again.element is not None or again.ambiguous:
            return again.element or chosen(scene, again.candidates) or which(scene, renamed, again.candidates)
    back = known_way(what, scene, allow)
    if back is not None:
        return back
    scrolled = scene.done(ops.Scroll) or scene.done(ops.ScrollElement)
    if all(each.source == "ocr" for each in scene.look.elements):
        looks = min(looks, _LOOKS_AT_PICTURES)
    waiting = scene.wait(0 if scrolled else looks)
    searching = waiting or _look_further(scene)
    if searching:
        return searching
    reading = scene.read() if scene.patience == (0 if scrolled else looks) else None
    if reading:
        return reading
    return _invitation(what, scene, allow) or missing(scene, what, found.candidates)


def _invitation(what: Phrase, scene: Scene, allow: Callable[[Element], bool] | None) -> Element | None:
    """A text like "Click here to continue", for "continue": where nothing else is called so, it may be pressed itself."""
    lone = {each for one in scene.sight.instructions if len(one.pieces) == 1 for each in one.pieces}
    found = [e for e in scene.sight.front if e.id in lone and (not allow or allow(e))]
    named = [e for e in found if not what.quoted and likeness(what.name, e.name) >= _SOME]
    return named[0] if len(named) == 1 else None


def _look_further(scene: Scene) -> Act | None:
    """Scroll a page in search of a thing: down to its end, then back to its top."""
    page = scene.sight.document
    turned = scene.done(ops.Scroll)
    seen_only = all(
        each.source == "ocr" for each in scene.look.elements
    )  # a picture tells of no page, and may be one
    if not seen_only and (page is None or page.role != "document web"):
        return _look_down_lists(scene)
    if not scene.can("scroll") or (seen_only and not scene.look.elements):
        return None
    if any(isinstance(deed.op, ops.Scroll) and deed.op.dy > 0 for deed in turned):
        return None
    end = bool(turned) and (turned[-1].effect == "unchanged" or len(turned) >= _MAX_SCROLLS)
    at = empty_spot(scene) or scene.sight.center()
    return Act(
        (ops.Scroll(0, 100 if end else -_NOTCHES, at.x, at.y),),
        "" if turned else "I do not see it yet, so I scroll.",
    )


def _look_down_lists(scene: Scene) -> Act | None:
    """Scroll a list or table in search of a thing, down to its end and back to its top, then the next one."""
    if not scene.can("scroll_element"):
        return None
    lists = [e for e in scene.sight.front if e.role in _SCROLLED and _has_entries(e, scene)]
    turned = scene.done(ops.ScrollElement)
    for each in sorted(lists, key=lambda e: -e.bounds.width * e.bounds.height)[:_LISTS]:
        mine = [deed for deed in turned if f"“{each.name}”" in deed.words] if each.name else turned
        if any(isinstance(deed.op, ops.ScrollElement) and deed.op.dy > 0 for deed in mine):
            continue
        end = bool(mine) and (mine[-1].effect == "unchanged" or len(mine) >= _MAX_SCROLLS)
        note = "" if turned else "I do not see it yet, so I scroll."
        return Act((ops.ScrollElement(each.id, 0, 100 if end else -_NOTCHES),), note)
    return None


def _has_entries(box: Element, scene: Scene) -> bool:
    """Is a list full to its lower edge, so that it may hold more?"""
    return any(
        each.role in _ENTRIES
        and box.bounds.contains(each.bounds.center)
        and each.bounds.bottom > box.bounds.bottom - 1.5 * each.bounds.height
        for each in scene.sight.front
    )


def empty_spot(scene: Scene) -> Point | None:
    """A place in the window in front where nothing is, near its middle, in pixels of the picture."""
    area, things = scene.sight.area, [e.bounds for e in scene.sight.front]
    small = [each for each in things if each.width * each.height * 3 < area.width * area.height]
    steps = sorted(
        ((x, y) for x in range(-4, 5) for y in range(-4, 5)), key=lambda at: abs(at[0]) + abs(at[1])
    )
    for x, y in steps:
        at = Point(area.center.x + x * area.width // 10, area.center.y + y * area.height // 10)
        if not any(each.contains(at) for each in small) and scene.look.viewport.region.contains(at):
            return scene.look.viewport.to_image(at)
    return None


def chosen(scene: Scene, candidates: Sequence[Element]) -> Element | None:
    """The candidate the user's answer picks, by number ("the second") or by its words."""
    answer = scene.answer.strip().rstrip(".!").lower()
    if not answer:
        return None
    exactly = [each for each in candidates if " ".join(each.name.lower().split()).rstrip(".!") == answer]
    if len(exactly) == 1:
        return exactly[0]
    nth = _number_in(answer)
    if nth and -len(candidates) <= nth <= len(candidates):
        return candidates[nth - 1 if nth > 0 else nth]
    by_words = [each for each in candidates if likeness(answer, each.name) >= 60]
    if len(by_words) != 1:
        bare = re.sub(
            r"^(?:the )?(?:one )?(?:next to|beside|in the (?:line|row) of|with|for|of)\s+", "", answer
        )
        by_words = [each for each in candidates if bare in placed(scene, each).lower()]
    return by_words[0] if len(by_words) == 1 else None


def _number_in(answer: str) -> int:
    bare = re.sub(r"^(?:the|number|no\.?|#|option)\s*", "", re.sub(r"\s+(?:one|of them)$", "", answer))
    return words.ordinal(bare) or int(words.number(bare) or 0)


def alike(scene: Scene, candidates: Sequence[Element]) -> Element | None:
    """The first of several that nobody could tell apart in words, "the left one" apart: they do the same."""
    first = reading_order(candidates)[0]
    if any((each.role, each.name) != (first.role, first.name) for each in candidates) or not first.name:
        return None
    if first.role == "static":
        return first  # words of a running text; what stands beside them does not tell what they are
    if len({_texts_beside(scene, each) for each in candidates}) > 1 or RISKY.search(first.name):
        return None
    return first


def _texts_beside(scene: Scene, element: Element) -> tuple[str, ...]:
    """The texts in the line of an element, which tell what it belongs to."""
    bounds = element.bounds
    return tuple(
        each.name
        for each in scene.sight.front
        if each.name
        and each.role in ("static", "label", "text", "heading", "table cell", "link", "paragraph")
        and each.name != element.name
        and each.bounds.y < bounds.center.y < each.bounds.bottom
        and each.bounds.intersection(bounds).empty
        and each.bounds.height < 3 * max(12, bounds.height)
    )


def which(scene: Scene, what: Phrase, candidates: Sequence[Element]) -> Question:
    """Ask which of several things is meant."""
    shown = candidates[:_SHOWN]
    listed = "; ".join(f"{n}. {placed(scene, each)}" for n, each in enumerate(shown, 1))
    return Question(
        f"I see {len(candidates)} things that could be “{spoken(what)}”: {listed}. Which one do you mean?",
        tuple(each.name for each in shown),
    )


def missing(scene: Scene, what: Phrase, near: Sequence[Element] = ()) -> Question:
    """Say that a thing cannot be seen, and what is there instead."""
    if near:
        hint = "The nearest I see: " + ", ".join(f"“{each.name or each.value}”" for each in near[:3]) + "."
    else:
        hint = _seen(scene)
    where = f" in “{scene.look.window}”" if scene.look.window else ""
    return Question(
        f"I cannot find “{spoken(what)}”{where}. {hint} What is it called, or what shall I do instead?"
    )


def _seen(scene: Scene) -> str:
    """Some names in front; those of the page before the browser's own."""
    page = scene.sight.document
    named = [e for e in scene.sight.front if e.name and e.role not in ("frame", "label", "static", "section")]
    named.sort(key=lambda e: page is None or not scene.sight.is_inside(e, page))
    names = list(dict.fromkeys(each.name for each in named))
    if not names:
        return "I see nothing with a name there."
    return "I see " + ", ".join(f"“{name[:40]}”" for name in names[:8]) + "."


def placed(scene: Scene, element: Element) -> str:
    """An element in words with its place, to tell it from others of the same name."""
    name = element.name or element.value or element.role
    beside = [each for each in (*scene.sight.labels(element), *scene.sight.row_of(element)) if each != name]
    place = f"beside “{' '.join(beside[:2])[:60]}”" if beside else _corner(scene, element)
    return f"{element.role} “{name[:60]}” ({place})"


def _corner(scene: Scene, element: Element) -> str:
    region, at = scene.look.viewport.region, element.bounds.center
    across = ("left", "middle", "right")[min(2, max(0, 3 * (at.x - region.x) // max(1, region.width)))]
    down = ("top", "middle", "bottom")[min(2, max(0, 3 * (at.y - region.y) // max(1, region.height)))]
    return f"{down} {across}"


def spoken(what: Phrase) -> str:
    """The phrase as the user said it."""
    return what.spoken or what.name or what.kind


def _renamed(what: Phrase, answer: str) -> Phrase:
    literal = re.sub(
        r"^(?:it(?:'s| is) (?:called|named|the)|(?:the )?name is|use|take|try|i mean)\s+",
        "",
        answer.strip(),
        flags=re.I,
    )
    given = phrase(literal.strip("\"'“”"), Masked(literal.strip("\"'“”")))
    return msgspec.structs.replace(given, kind=given.kind or what.kind)
