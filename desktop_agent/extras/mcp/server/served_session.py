"""The session behind an MCP server: what the user says in the window may also be the word that lifts a stop."""

from __future__ import annotations

from desktop_agent.agent.session import AgentSession
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import PictureBlock

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
