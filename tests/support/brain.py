"""A brain in a process of its own: starts hand and guard and carries out what it is told, until it is killed.

One JSON line on standard input (an Order) is one batch; on standard output come the words
`pids HAND GUARD` when both are ready, `began INDEX` for each operation, and `over WORDS` at its end.
"""

from __future__ import annotations

import sys

import msgspec

from desktop_agent.hand.client import Hands
from desktop_agent.protocol.batch import Batch, Progress
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.targets.base import Address


class Order(msgspec.Struct, frozen=True):
    """Operations to carry out on the target at an address, as seen through a viewport."""

    address: Address
    viewport: Viewport
    operations: tuple[Op, ...]


def main() -> int:
    """Work until standard input ends."""
    hands: Hands | None = None
    for line in sys.stdin.buffer:
        order = msgspec.json.decode(line, type=Order)
        hands = hands or Hands(order.address)
        hands.reset()
        _say("pids", *hands.pids)
        _say("over", _carry_out(hands, order))
    if hands is not None:
        hands.close()
    return 0


def _carry_out(hands: Hands, order: Order) -> str:
    """How it ended, in words."""

    def follow(progress: Progress) -> None:
        _say("began", progress.index)

    try:
        results = hands.execute(Batch("b", order.operations, order.viewport, {}, hands.generation), follow)
    except HandError as error:
        return error.message
    return f"{results[-1].outcome} {results[-1].detail}".strip()


def _say(*words: object) -> None:
    print(*words, flush=True)


if __name__ == "__main__":
    sys.exit(main())
