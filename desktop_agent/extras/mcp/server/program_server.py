"""The program as an MCP server: the kind of session that a client drives, and how it is served."""

from __future__ import annotations

from desktop_agent.agent.session import AgentSession
from desktop_agent.app import ShowWindow
from desktop_agent.extras.mcp.server.served_session import ServedSession
from desktop_agent.support import optional_package


class McpServer:
    """Makes the session that a client drives, and serves it."""

    session: type[AgentSession] = ServedSession

    def check(self) -> None:
        """Raises ConfigError where the SDK is not installed."""
        optional_package.require("mcp", "an MCP server")

    def serve(self, session: AgentSession, show_window: ShowWindow | None) -> int:
        """Serve until the client goes or the window is closed; returns the exit code."""
        from desktop_agent.extras.mcp.server.serving import serve_mcp  # the SDK is loaded only to serve

        assert isinstance(session, ServedSession)  # noqa: S101 - made of `session` above
        return serve_mcp(session, show_window)
