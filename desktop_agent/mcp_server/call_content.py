"""The content of a tool's result: facts as JSON, what is on the screen as text between marks, and the picture."""

from __future__ import annotations

import json

from mcp.types import CallToolResult, ContentBlock, ImageContent, TextContent

from desktop_agent.agent.prompting.untrusted_blocks import Boundary
from desktop_agent.llm.transport.picture import Pictures
from desktop_agent.mcp_server.client_model import ClientModel
from desktop_agent.mcp_server.served_agent import CallResult
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.redaction.redactor import redactor
from desktop_agent.vision.elements.describe import describe_observation


class CallContent:
    """Renders the results of one client's calls.

    Everything is in `content`: hosts that show a model structured content alone would keep the picture from it.
    """

    def __init__(self) -> None:
        self._boundary = Boundary()
        self._pictures = Pictures()

    def of(self, result: CallResult, *, picture: bool) -> CallToolResult:
        """What a call brought; what was read on the screen stands in a block that says so."""
        clean = redactor().clean
        blocks: list[ContentBlock] = [_text(clean(json.dumps(result.facts, ensure_ascii=False)))]
        if result.turn is not None:
            seen = result.turn.observation
            blocks.append(_text(clean(self._boundary.block("screen", describe_observation(seen)))))
            if picture:
                shown = self._pictures.of(seen, ClientModel.support)
                blocks.append(ImageContent(data=shown.data, mime_type=shown.media_type))
        return CallToolResult(content=blocks)

    @property
    def mark(self) -> str:
        """The mark of the blocks."""
        return self._boundary.mark


def failure(error: DesktopAgentError) -> CallToolResult:
    """What was refused or failed, with advice."""
    return CallToolResult(content=[_text(redactor().clean(str(error)))], is_error=True)


def _text(text: str) -> TextContent:
    return TextContent(text=text)
