"""Plays web tasks: one browser on a private desktop, one session of the agent with the offline model and the real hand."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from benchmarks.web.site import Episode, Site, served
from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.extras.offline.llm.offline import OfflineModel, Options
from desktop_agent.hand.client import Hands
from desktop_agent.llm.base import Answer, Conversation, Model
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.reply import Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import AgentSettings, Config
from desktop_agent.targets import display
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.targets._x11 import AttachedScreen
from desktop_agent.targets.base import Address
from desktop_agent.vision.elements.describe import describe_observation
from desktop_agent.vision.encoding.encode import encode
from desktop_agent.vision.observation import Observation
from desktop_agent.vision.ocr.tesseract import read_words
from desktop_agent.vision.settling.polling import settle_by_polling
from tests.support.private_desk import Desk

TURNS = 20
SECONDS = 45.0
_QUIET = 4.0  # seconds a new page may take to come to rest before the agent is asked


class Bounded(Model):
    """The offline model within the bounds of an episode: a few turns, some seconds, nobody to ask."""

    name = "offline"
    support = OfflineModel.support

    def __init__(self) -> None:
        self.begin(Episode("", 0))

    def begin(self, episode: Episode) -> None:
        """Start afresh with an episode."""
        self._model, self._episode, self._began = OfflineModel(Options()), episode, time.monotonic()
        self.turns = 0
        self.log: list[str] = []
        self.last: Observation | None = None
        self.ending = ""
        self.said_done = False

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        """The offline model's answer; the end when the episode is over or a bound is reached."""
        self.ending = self._bound()
        if self.ending:
            return _end(self.ending)
        self.turns, self.last = self.turns + 1, observation
        answer = self._model.reply(conversation, observation, on_note=on_note, stop=stop)
        self._note(observation, answer.reply)
        self.said_done = any(isinstance(each, ops.Done) for each in answer.reply.actions)
        asked = next((each for each in answer.reply.actions if isinstance(each, ops.Ask)), None)
        if asked is not None:
            self.ending = f"asked: {asked.question}"
            return _end(self.ending)
        return answer

    def _bound(self) -> str:
        if self._episode.over:
            return "the episode is over"
        if self.turns >= TURNS:
            return f"{TURNS} turns"
        return f"{SECONDS:g} s" if time.monotonic() - self._began > SECONDS else ""

    def _note(self, observation: Observation, reply: Reply) -> None:
        did = " ".join(_told(each, observation) for each in reply.actions)
        seconds = time.monotonic() - self._began
        self.log.append(f"{self.turns:3} {seconds:5.1f} s [{observation.changed}] {reply.notes} -> {did}")


def _told(op: ops.Op, observation: Observation) -> str:
    """An operation as JSON, with the element it names."""
    element = next((e for e in observation.elements if e.id == getattr(op, "element", None)), None)
    named = f" ({element.role} {element.name!r} at {element.bounds})" if element else ""
    return msgspec.json.encode(op).decode() + named


def _end(why: str) -> Answer:
    return Answer(Reply(notes="", high_level=("Stop here",), actions=(ops.Done(why[:4_000]),)), "")


@dataclass(frozen=True)
class Played:
    """How an episode went: solved means that the page gave the full reward, 1.

    `said_done` tells that the model called it done by itself.
    """

    episode: Episode
    turns: int
    seconds: float
    ending: str
    said_done: bool = False

    @property
    def solved(self) -> bool:
        return self.episode.reward is not None and self.episode.reward >= 1.0

    @property
    def false_done(self) -> bool:
        """Not solved, and the model thought it was, or ended the episode by a wrong deed, and did not ask."""
        return not self.solved and (self.said_done or self.episode.over)

    def __str__(self) -> str:
        reward = "no end" if self.episode.reward is None else f"reward {self.episode.reward:g}"
        failed = "FALSE DONE" if self.false_done else "NOT SOLVED"
        outcome = "solved" if self.solved else f"{failed} ({reward}; {self.ending or self.episode.reason})"
        told = f"{self.turns} turns, {self.seconds:.1f} s"
        return f"{self.episode.task} {self.episode.seed}: {outcome}, {told}: {self.episode.words}"


@dataclass
class Player:
    """The browser on its desk, and the session that works on it; `keep` is a folder for what went wrong."""

    desk: EmbeddedDisplay
    site: Site
    folder: Path
    keep: Path | None = None
    events: list[str] = field(default_factory=list)
    _hands: list[Hands] = field(default_factory=list)
    _model: Bounded = field(default_factory=Bounded)

    def __post_init__(self) -> None:
        agent = AgentSettings(max_steps=10 * TURNS, timeout=2 * SECONDS, permission="full")
        parts = Parts(self.desk, self._model, self._make_hand, read_words)
        info = AgentInfo("display", "offline", "off", agent.max_steps, True, permission="full")
        self._session = AgentSession(parts, Config(agent=agent), Circumstances(self.folder), info)
        self._session.subscribe(self._hear)
        self._eyes = AttachedScreen(
            "local", self.desk.environment
        )  # a session's target sees nothing between runs
        self._eyes.start()
        self._browser, self._place = 0, Rect(0, 0, 0, 0)

    def play(self, task: str, seed: int) -> Played:
        """One episode, from a fresh page to its end."""
        self._put_right()
        before = self._eyes.observe(None)
        episode = self.site.begin(task, seed)
        settle_by_polling(lambda: self._eyes.observe(None), before, StopFlag(), patience=_QUIET)
        self._model.begin(episode)
        self.events.clear()
        began = time.monotonic()
        self._session.new_conversation()
        self._session.send(episode.words or task)
        self._session.run_next()
        seconds = time.monotonic() - began
        ending = self._model.ending or (self.events[-1] if self.events else "")
        played = Played(episode, self._model.turns, seconds, ending, self._model.said_done)
        if self.keep is not None and not played.solved:
            self._keep(self.keep, played)
        return played

    def open_browser(self) -> None:
        """Start the browser and wait for its window."""
        desk = Desk(self.desk)
        self._browser = desk.launch("chromium", self.site.address, title="Waiting")
        self._place = desk.wait_for_window("Waiting").bounds

    def _put_right(self) -> None:
        """One episode is not to suffer from the one before: a browser that was moved or closed is opened anew."""
        windows = self.desk.windows()
        if len(windows) != 1 or windows[0].bounds != self._place:
            Desk(self.desk).end(self._browser)
            self.open_browser()

    def close(self) -> None:
        """End hand and guard; the desk stays."""
        self._eyes.stop()
        for hands in self._hands:
            hands.close()

    def _make_hand(self, address: Address, on_stop: Callable[[str], None]) -> Hands:
        self._hands.append(Hands(address, on_stop=on_stop))
        return self._hands[-1]

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            self._session.skip(event.id)
        if isinstance(event, say.ApprovalAsked | say.Error | say.Result | say.Status):
            self.events.append(str(event))

    def _keep(self, folder: Path, played: Played) -> None:
        """Leave picture, words and steps of a failure in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        stem = f"{played.episode.task}-{played.episode.seed}"
        last = self._model.last
        seen = describe_observation(last, 60_000) if last else ""
        words = "\n".join([str(played), "", *self._model.log, "", *self.events, "", seen])
        (folder / f"{stem}.txt").write_text(words, encoding="utf-8")
        (folder / f"{stem}.png").write_bytes(encode(self._eyes.observe(None), form="png"))


@contextmanager
def player(html: Path, keep: Path | None = None) -> Iterator[Player]:
    """A desktop with the browser on it and the agent beside it; all of it ends with the context."""
    target = display.create(display.Options())
    target.start()
    try:
        with served(html) as site, tempfile.TemporaryDirectory() as folder:
            found = Player(target, site, Path(folder), keep)
            try:
                found.open_browser()
                yield found
            finally:
                found.close()
    finally:
        target.stop()
