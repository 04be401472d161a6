"""A shelf of files in memory."""

from __future__ import annotations

import msgspec

from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.tools.base import Environment, Response


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[environment.trial]`: what it echoes after."""

    prefix: str = "> "


def create(options: Options) -> Environment:
    return Echo(options.prefix)


class Echo(Environment):
    name = "trial"
    operations = frozenset(("run",))

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._last = ""

    def execute(self, op: Op, stop: StopFlag) -> Response:
        stop.check()
        if not isinstance(op, ops.Run):
            return Response("refused", f"{name_of(op)} is nothing for an echo.")
        self._last = op.command[:1_000]
        return Response("done", "Echoed.", self._prefix + self._last)

    def screen(self) -> str:
        return self._prefix + self._last
