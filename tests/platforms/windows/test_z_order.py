"""The z-order includes windows that EnumWindows leaves out, also while windows close."""

from __future__ import annotations

from desktop_agent.platforms.windows.z_order import MOST, complete_order

MENU, EDITOR, CHAT, DESKTOP = 1, 2, 3, 4


class Session:
    """Windows from front to back; the Start menu is not listed. `closing` are gone once they have been passed."""

    def __init__(self, *stack: int, closing: int = 0) -> None:
        self.stack, self.closing = list(stack), closing

    def listed(self) -> list[int]:
        return [each for each in self.stack if each != MENU]

    def below(self, window: int) -> int:
        if window and window == self.closing:
            self.stack.remove(window)
            self.closing = 0
        if window and window not in self.stack:
            return 0
        at = self.stack.index(window) + 1 if window else 0
        return self.stack[at] if at < len(self.stack) else 0

    def all(self, front: int = 0) -> list[int]:
        return complete_order(self.listed, self.below, front)


def test_what_is_not_listed_is_in_its_place() -> None:
    assert Session(MENU, EDITOR, DESKTOP).all() == [MENU, EDITOR, DESKTOP]
    assert Session(EDITOR, MENU, DESKTOP).all(EDITOR) == [EDITOR, MENU, DESKTOP]


def test_a_window_that_closes_meanwhile_hides_no_other() -> None:
    assert Session(MENU, EDITOR, CHAT, DESKTOP, closing=EDITOR).all() == [MENU, CHAT, DESKTOP]


def test_the_window_in_front_is_there_also_when_only_the_list_is() -> None:
    broken = Session(EDITOR, DESKTOP)
    assert complete_order(broken.listed, lambda _: 0, MENU) == [MENU, EDITOR, DESKTOP]
    assert complete_order(broken.listed, lambda _: 0, EDITOR) == [EDITOR, DESKTOP]


def test_a_way_down_that_does_not_end_ends() -> None:
    assert complete_order(lambda: [EDITOR], lambda window: EDITOR if window else CHAT, 0) == [CHAT, EDITOR]
    assert len(complete_order(lambda: [], lambda window: window + 1, 0)) == MOST
