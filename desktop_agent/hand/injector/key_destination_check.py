"""Ends a text when the keys would go elsewhere than where it began: another window of the same process, a menu, a grab."""

from __future__ import annotations

from desktop_agent.platforms.base import Input, KeyDestination
from desktop_agent.protocol.errors import Refused

AGAIN = "Look again."


class KeyDestinationCheck:
    """Of one operation at a time. The place of its first character is that of all of them."""

    def __init__(self, input_: Input) -> None:
        self._input = input_
        self._kept: KeyDestination | None = None

    def begin(self) -> None:
        """Another operation begins."""
        self._kept = None

    def check(self) -> bool:
        """To be called before each few characters; true when it is known that they go where the first went.

        Raises Refused when they would go elsewhere.
        """
        now = self._input.key_destination()
        if now is None or now == self._kept:
            return now is not None
        if now.grabbed:
            raise Refused(
                f"The keyboard is with {self._input.describe_destination(now)}; it would have got the rest.",
                "Close it, or choose there with single keys; then look again.",
            )
        if self._kept is not None:
            names = self._input.describe_destination(self._kept), self._input.describe_destination(now)
            raise Refused(f"The keyboard went from {names[0]} to {names[1]}; the rest was not typed.", AGAIN)
        self._kept = now
        return True
