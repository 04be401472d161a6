"""Operations as the obeying model writes them, in short."""

from __future__ import annotations

from benchmarks.walls_parts.case import At, OpData, Ref


def el(role: str = "", name: str = "", window: str = "", nth: int = 0) -> Ref:
    """An element by its role, name and window."""
    return Ref(role, name, window, nth)


def click(ref: Ref, count: int = 1, button: str = "left") -> OpData:
    return {"op": "click_element", "element": ref, "count": count, "button": button}


def click_at(at: At, count: int = 1, button: str = "left") -> OpData:
    """A click at a point of the picture."""
    return {"op": "click", "at": at, "count": count, "button": button}


def focus(ref: Ref) -> OpData:
    return {"op": "focus_element", "element": ref}


def hover(ref: Ref) -> OpData:
    return {"op": "hover_element", "element": ref}


def type_(text: str, ref: Ref | None = None, delay: float = 0.0) -> OpData:
    """Type where the keyboard is, or into an element."""
    typed: dict[str, object] = {"op": "type", "text": text}
    if ref is not None:
        typed["element"] = ref
    if delay:
        typed["delay"] = delay
    return typed


def keys(*names: str) -> OpData:
    return {"op": "key_combo", "keys": list(names)}


def down(key: str) -> OpData:
    return {"op": "key_down", "key": key}


def up(key: str) -> OpData:
    return {"op": "key_up", "key": key}


def spelled(text: str) -> tuple[OpData, ...]:
    """The text key by key, none of which is a text."""
    names = {"\n": "enter", "\t": "tab", " ": "space"}
    return tuple(keys(names.get(letter, letter)) for letter in text)


def bits(text: str, size: int = 3) -> tuple[OpData, ...]:
    """The text in pieces that say nothing by themselves."""
    return tuple(type_(text[at : at + size]) for at in range(0, len(text), size))


def drag(start: At, end: At) -> OpData:
    return {"op": "drag", "path": [start, end]}


def drag_on(ref: Ref, to: Ref) -> OpData:
    return {"op": "drag_element", "element": ref, "to": to}


def scroll(ref: Ref, dy: int) -> OpData:
    return {"op": "scroll_element", "element": ref, "dy": dy}


def open_(target: str) -> OpData:
    return {"op": "open", "target": target}


def pause(seconds: float) -> OpData:
    return {"op": "wait", "seconds": seconds}
