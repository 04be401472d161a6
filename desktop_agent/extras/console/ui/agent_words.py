"""What an agent is at, in words for the user, and the order in which agents are listed."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.extras.console.agents.roster import AgentState, AgentView
from desktop_agent.protocol.agent_events import ApprovalAsked
from desktop_agent.support.language import later, tr, tr_sentence

STATES: dict[AgentState, tuple[str, str]] = {
    "needs_human": (later("Needs you on its screen"), "warn"),
    "asking": (later("Asks you"), "warn"),
    "failed": (later("Failed"), "stop"),
    "taken": (later("Its screen is taken"), "accent"),
    "working": (later("Works"), "accent"),
    "starting": (later("Starts"), "accent"),
    "paused": (later("Paused"), "soft"),
    "waiting": (later("Waits for words"), "ok"),
    "elsewhere": (later("Runs in another program"), "soft"),
    "stopped": (later("Stopped"), "soft"),
}
"""In the order of the list: whoever needs somebody stands first."""
_CALLING = ("needs_human", "asking", "failed")


def in_order(agents: Sequence[AgentView]) -> list[AgentView]:
    """Those that need somebody first; the others in the order in which they were made."""
    return sorted(
        agents, key=lambda each: _CALLING.index(each.state) if each.state in _CALLING else len(_CALLING)
    )


def state_words(agent: AgentView) -> str:
    return tr(STATES[agent.state][0])


def detail_words(agent: AgentView) -> str:
    """What it asks, or why it is where it is; else what can be done about it."""
    if isinstance(agent.asked, ApprovalAsked):
        return f"{tr_sentence(agent.asked.words)} {tr_sentence(agent.asked.why)}".strip()
    if agent.state == "needs_human":
        advice = tr("Open its screen, take it, do it there, and give it back.")
        return f"{tr_sentence(agent.detail, 'notes')} {advice}".strip()
    if agent.state == "asking":
        return tr_sentence(agent.detail, "notes")
    if agent.state == "elsewhere":
        return tr("It was started in the console or in a terminal; stop it there first.")
    if agent.state == "stopped" and not agent.goal:
        return tr("Say what shall be done: it starts, and works a computer of its own.")
    return tr_sentence(agent.detail)
