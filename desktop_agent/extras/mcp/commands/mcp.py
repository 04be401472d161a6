"""`desktop-agent mcp`: serves an MCP client on standard input and output, under the same rules as a run."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Sequence

import msgspec

from desktop_agent import cli
from desktop_agent.startup.arguments import Arguments

EXAMPLES = (("mcp", "serve an MCP client on stdin and stdout, under the same rules"),)
_PROGRAM = "desktop-agent mcp"


def main(words: Sequence[str]) -> int:
    """Serve an MCP client, and end the process: a thread that still reads stdin would keep it."""
    arguments = understood(words)
    from desktop_agent.extras.mcp.server.served_session import McpServer  # loads more than --help needs

    with contextlib.redirect_stdout(sys.stderr):  # until the protocol takes stdout
        code = cli.run_program(arguments, McpServer())
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)


def understood(words: Sequence[str]) -> Arguments:
    """Understand the words after `mcp`: the same options, but no goal. Exits with 2 and a message when they are wrong."""
    given = cli.parse(words, _PROGRAM)
    if given.goal is not None or given.json:
        cli.refuse_usage(_PROGRAM, "the goals come from the MCP client, and stdout is its own")
    return msgspec.structs.replace(given, served=True)
