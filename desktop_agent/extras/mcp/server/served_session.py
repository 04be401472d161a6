"""The session behind an MCP server, whose window may also lift a stop by the user's words, and the server that makes it."""

from __future__ import annotations

from desktop_agent.agent.session import AgentSession
from desktop_agent.app import ShowWindow
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.support import optional_package

GO_ON = "Let it go on"


class ServedSession(AgentSession):
    """An agent session that an MCP client may drive; only the human lifts a stop."""

    def send(self, text: str, pictures: tuple[PictureBlock, ...] = ()) -> None:
        if text == GO_ON and self.stopped_for_good:
            self.reset()
            self.tell(say.Status(state="idle", detail="the MCP client may go on"))
            return
        super().send(text, pictures)

    def ask_to_go_on(self, client: str) -> None:
        """Ask the user whether the client may go on after a stop."""
        text = f"{client} wants to go on. It was stopped: {self.stopped_for_good}."
        self.tell(say.Question(text=text, choices=(GO_ON,)))


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
