"""Runs several agents at once, each with its own computer, and tells what each of them is at.

Everything may be called from any thread. An agent runs in one process at a time: whoever starts it holds a lock in its
folder. What it was at is kept there as well, so that the next start of the program brings it back: a run that was cut
short goes on, and one that waits for a human waits on.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal, TypeAlias

import msgspec

from desktop_agent.agent.port import AgentPort
from desktop_agent.extras.console.agents.agent_folders import AgentFolder, AgentFolders
from desktop_agent.extras.console.agents.original_log import OriginalLog, StoredLine, lines_of
from desktop_agent.platforms import host
from desktop_agent.platforms.vnc_server import VncServer
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.errors import DesktopAgentError, Refused
from desktop_agent.support.paths import private_folder, write_private

AgentState: TypeAlias = Literal[
    "stopped",
    "starting",
    "waiting",
    "working",
    "asking",
    "needs_human",
    "taken",
    "paused",
    "failed",
    "elsewhere",
]
"""Stopped; starting; waiting for words; at work; a question or a yes is asked for; a human has to do something on its screen;
a human has its screen; paused; failed; at work in another process."""
END_SECONDS = 20.0
DONE_BY_HUMAN = "I have done it on the screen. Look, and go on."
"""What an agent is told that had asked a human to do something on its screen, once they gave it back."""
_HELD: dict[str, AgentState] = {
    "idle": "waiting",
    "planning": "working",
    "executing": "working",
    "paused": "paused",
    "waiting_for_user": "asking",
    "stopped": "waiting",
    "done": "waiting",
    "error": "failed",
}
_AT_WORK = ("working", "asking", "paused")
"""States in the middle of a run."""
_ENDS = ("stopped", "done", "error")
_log = logging.getLogger(__name__)

Listener: TypeAlias = Callable[[str, FeedEvent], None]


@dataclass(frozen=True)
class BuiltAgent:
    """An agent that is put together: its port, the target's kind, and where its screen is once it runs (None: nowhere)."""

    port: AgentPort
    target: str
    model: str
    screen: Callable[[], VncServer | None] = lambda: None


Build: TypeAlias = Callable[[AgentFolder, OriginalLog], BuiltAgent]


class AgentView(msgspec.Struct, frozen=True):
    """An agent as it is now, for people: `detail` is a question, a reason or an error; `goal` what it was last told.

    `environments` is when what its environments show has last changed, in seconds since the epoch; 0 where it has none.
    """

    name: str
    novnc_port: int
    state: AgentState
    detail: str = ""
    target: str = ""
    model: str = ""
    goal: str = ""
    asked: say.ApprovalAsked | say.Question | None = None
    environments: float = 0.0


class _Kept(msgspec.Struct, frozen=True):
    """What is kept of an agent over restarts: whether it is to run, its run while that is not over, and whether a human is needed."""

    running: bool = False
    run: str = ""
    needs_human: bool = False
    detail: str = ""
    goal: str = ""


@dataclass
class _Running:
    """An agent that runs in this process."""

    folder: AgentFolder
    built: BuiltAgent
    lock: IO[bytes]
    original: OriginalLog
    thread: threading.Thread | None = None
    state: AgentState = "starting"
    detail: str = ""
    goal: str = ""
    run: str = ""
    parked: str = ""
    """The run that goes on only once the human has done what it asked for; "" for none."""
    needs_human: bool = False
    taken: bool = False
    asked: say.ApprovalAsked | say.Question | None = None
    environments: str = ""
    """What the environments of its run show."""
    shown: float = 0.0
    """When that has last changed."""
    ending: bool = False
    """What it is at is kept already: how it ends with the program is no end of its own."""
    change: threading.Lock = field(default_factory=threading.Lock)


class Roster:
    """All agents of one folder. `build` puts one together and starts nothing."""

    def __init__(self, folders: AgentFolders, build: Build) -> None:
        self.folders = folders
        self._build = build
        self._running: dict[str, _Running] = {}
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []

    # ---- what there is -----------------------------------------------------------------------

    def agents(self) -> tuple[AgentView, ...]:
        """All agents, in the order in which they were made. Raises Refused, DesktopAgentError."""
        return tuple(map(self._view, self.folders.agents()))

    def agent(self, name: str) -> AgentView:
        """One agent. Raises Refused where there is none of that name."""
        return self._view(self.folders.agent(name))

    def messages(self, name: str, after: int = 0, most: int = sys.maxsize) -> tuple[StoredLine, ...]:
        """The messages of its whole conversation from number `after` on, of at most so many bytes, but at least one."""
        return lines_of(self.folders.agent(name).original, after, most)

    def environments(self, name: str) -> str:
        """What the environments of its run show now; "" where it has none, or does not run. Raises Refused."""
        running = self._running.get(self.folders.agent(name).name)
        return running.environments if running is not None else ""

    def screen(self, name: str) -> VncServer | None:
        """Where its VNC server is; None while it has none."""
        running = self._running.get(name)
        return running.built.screen() if running is not None else None

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """`listener(name, event)` hears what every agent tells, in that agent's thread; what is given takes it back."""
        with self._lock:
            self._listeners.append(listener)

        def take_back() -> None:
            with self._lock, suppress(ValueError):
                self._listeners.remove(listener)

        return take_back

    # ---- the list ----------------------------------------------------------------------------

    def create(self, name: str = "") -> AgentView:
        """Make an agent; it does not run yet."""
        return self._view(self.folders.create(name))

    def rename(self, name: str, new_name: str) -> AgentView:
        """Give another name to one that does not run."""
        with self._lock:
            self._check_stopped(name)
            return self._view(self.folders.rename(name, new_name))

    def trash(self, name: str) -> str:
        """Put one that does not run into the trash; returns the name it has there."""
        with self._lock:
            self._check_stopped(name)
            return self.folders.trash(name)

    def restore(self, place: str) -> AgentView:
        """Bring one back from the trash."""
        return self._view(self.folders.restore(place))

    def _check_stopped(self, name: str) -> None:
        if name in self._running:
            raise Refused(f"{name} is running.", "Stop it first.")
        if _is_locked(self.folders.agent(name)):
            raise Refused(f"{name} runs in another process.", "Stop it there first.")

    # ---- running -----------------------------------------------------------------------------

    def start(self, name: str) -> None:
        """Let an agent run: it waits for words, or goes on with what it was at. Raises Refused, DesktopAgentError."""
        with self._lock:
            if name in self._running:
                return
            running = self._put_together(name)
            running.thread = threading.Thread(
                target=self._serve, args=(running,), name=f"agent {name}", daemon=True
            )
            kept = _kept(running.folder)
            if kept.run and (running.folder.runs / kept.run).is_dir():
                if kept.needs_human:
                    running.parked, running.needs_human = kept.run, True
                    running.detail = kept.detail
                else:
                    running.built.port.resume_run(str(running.folder.runs / kept.run))
            self._keep(running)
            running.thread.start()

    def _put_together(self, name: str) -> _Running:
        folder = self.folders.agent(name)
        lock = _locked(folder)
        try:
            original = OriginalLog(folder.original)
            built = self._build(folder, original)
        except BaseException:
            lock.close()
            raise
        running = _Running(folder, built, lock, original, state="waiting", goal=_kept(folder).goal)
        built.port.subscribe(lambda event: self._hear(running, event))
        self._running[name] = running
        return running

    @contextmanager
    def held(self, name: str) -> Iterator[AgentPort]:
        """The port of one agent, which the caller serves; when the block ends it runs no more, and is not brought back."""
        with self._lock:
            if name in self._running:
                raise Refused(f"{name} is running.", "Stop it first.")
            running = self._put_together(name)
        try:
            yield running.built.port
        finally:
            self._take_out(name)
            self._end(running, wanted=False)

    def bring_back(self) -> tuple[str, ...]:
        """Start every agent that ran when the program ended; returns the names of those that could not be, which is logged."""
        failed = []
        for folder in self.folders.agents():
            if _kept(folder).running:
                try:
                    self.start(folder.name)
                except DesktopAgentError as error:
                    _log.warning("%s was not started again: %s", folder.name, error)
                    failed.append(folder.name)
        return tuple(failed)

    def stop(self, name: str, reason: str = "you pressed Stop") -> None:
        """End an agent's run at once, release everything, and end its computer; returns when it has ended."""
        running = self._take_out(name)
        running.built.port.stop(reason)
        self._end(running, wanted=False)

    def close(self) -> None:
        """End all of them; the next `bring_back` starts them again."""
        with self._lock:
            names = list(self._running)
        ending = [self._take_out(name) for name in names]
        for running in ending:
            self._keep(running)
            running.ending = True
            running.built.port.quit()
        for running in ending:
            self._end(running, wanted=True)

    def _take_out(self, name: str) -> _Running:
        with self._lock:
            running = self._running.pop(name, None)
        if running is None:
            raise Refused(f"{name[:60]} does not run.", "Start it first.")
        return running

    def _end(self, running: _Running, *, wanted: bool) -> None:
        running.built.port.quit()
        if running.thread is not None:
            running.thread.join(END_SECONDS)
        with suppress(OSError, DesktopAgentError):
            running.original.end()
        if not wanted:
            running.run = running.parked = ""
            running.needs_human = False
            self._keep(running, wanted=False)
        running.lock.close()

    def _serve(self, running: _Running) -> None:
        try:
            running.built.port.serve()
        except Exception:  # noqa: BLE001 - the thread's boundary
            _log.exception("the agent %s ended unexpectedly", running.folder.name)
            running.state, running.detail = "failed", "It ended unexpectedly; the log has the details."

    # ---- words -------------------------------------------------------------------------------

    def say(self, name: str, text: str, pictures: tuple[PictureBlock, ...] = ()) -> None:
        """Words for an agent: a goal, an answer, or a change of goal. One that waits for a human goes on with them."""
        running = self._of(name)
        if running.parked:
            self._unpark(running, text)
            return
        running.built.port.send(text, pictures)

    def approve(self, name: str, id: str, always: bool = False) -> None:
        """The human's yes to what the agent asked for under `id`; to an id that is not asked about now, nothing."""
        self._asked(name, id).built.port.approve(id, always)

    def skip(self, name: str, id: str) -> None:
        """The human's no to what the agent asked for under `id`."""
        self._asked(name, id).built.port.skip(id)

    def pause(self, name: str) -> None:
        """Finish the current event, then do nothing until `resume`."""
        self._of(name).built.port.pause()

    def resume(self, name: str) -> None:
        """Go on after a pause. Raises Refused while a human has its screen."""
        running = self._of(name)
        if running.taken:
            raise Refused(f"A human has the screen of {name}.", "Give it back first.")
        running.built.port.resume()

    def take(self, name: str) -> None:
        """A human takes the screen: the agent pauses, and lets go of everything. Raises Refused where somebody has it already."""
        running = self._of(name)
        with running.change:
            if running.taken:
                raise Refused(f"Somebody has the screen of {name} already.", "Wait until they give it back.")
            running.taken = True
        running.built.port.pause()

    def give_back(self, name: str) -> None:
        """The human gives the screen back: the agent looks anew, and goes on."""
        running = self._of(name)
        with running.change:
            if not running.taken:
                return
            running.taken = False
        if running.parked:
            self._unpark(running, DONE_BY_HUMAN)
        elif running.needs_human:
            running.built.port.resume()
            running.built.port.send(DONE_BY_HUMAN)
        else:
            running.built.port.resume()

    def _unpark(self, running: _Running, words: str) -> None:
        run, running.parked, running.needs_human = running.parked, "", False
        running.built.port.resume_run(str(running.folder.runs / run))
        running.built.port.send(words)

    def _of(self, name: str) -> _Running:
        running = self._running.get(name)
        if running is None:
            raise Refused(f"{name[:60]} does not run.", "Start it first.")
        return running

    def _asked(self, name: str, id: str) -> _Running:
        """The agent that asked under this id. Raises Refused where it did not: one agent's id is no yes to another's."""
        running = self._of(name)
        if not isinstance(running.asked, say.ApprovalAsked) or running.asked.id != id:
            raise Refused(f"{name} does not ask about that now.", "Look what it asks.")
        return running

    # ---- what they tell ----------------------------------------------------------------------

    def _hear(self, running: _Running, event: FeedEvent) -> None:
        """In the agent's thread: follow its state, keep what is said, and pass it on."""
        self._follow(running, event)
        if isinstance(event, say.Status | say.LookTaken | say.Note | say.Goal):
            self._write_down(running, event)
        with self._lock:
            listeners = tuple(self._listeners)
        for listener in listeners:
            try:
                listener(running.folder.name, event)
            except Exception:  # noqa: BLE001 - a listener of somebody else's
                _log.exception("a listener to %s failed", running.folder.name)

    def _follow(self, running: _Running, event: FeedEvent) -> None:
        match event:
            case say.Recording(path):
                running.run = Path(path).name
                running.original.follow(Path(path))
            case say.EnvironmentsShown(text=text, time=time):
                running.environments, running.shown = text, time
            case say.Goal(text=text):
                if running.state not in _AT_WORK:
                    running.environments = ""
                running.goal, running.detail = text, ""
            case say.ApprovalAsked():
                running.asked = event
            case say.Question(text=text):
                running.detail = text
                running.asked, running.needs_human = event, event.on_screen
            case say.Status(state=state, detail=detail):
                running.state, running.detail = _HELD[state], detail
                if state != "waiting_for_user" and state != "paused":
                    running.asked, running.needs_human = None, False
                if state in _ENDS:
                    running.run = ""
            case _:
                return
        if isinstance(event, say.Status | say.Recording | say.Goal | say.Question):
            self._keep(running)

    def _write_down(self, running: _Running, event: FeedEvent) -> None:
        try:
            ends = isinstance(event, say.Status) and event.state in _ENDS
            picture = running.original.end() if ends else running.original.catch_up()
            if picture:
                place = running.folder.screenshot
                private_folder(place.parent)
                write_private(place, picture)
        except (OSError, DesktopAgentError) as error:
            _log.warning("the conversation of %s cannot be kept: %s", running.folder.name, error)

    def _view(self, folder: AgentFolder) -> AgentView:
        running = self._running.get(folder.name)
        if running is None:
            state: AgentState = "elsewhere" if _is_locked(folder) else "stopped"
            return AgentView(folder.name, folder.novnc_port, state, goal=_kept(folder).goal)
        state = running.state
        if running.needs_human:
            state = "needs_human"
        if running.taken:
            state = "taken"
        return AgentView(
            folder.name, folder.novnc_port, state, running.detail, running.built.target, running.built.model, running.goal, running.asked,
            running.shown if running.environments else 0.0,
        )  # fmt: skip

    def _keep(self, running: _Running, *, wanted: bool = True) -> None:
        if running.ending:
            return
        kept = _Kept(wanted, running.parked or running.run, running.needs_human, running.detail, running.goal)
        try:
            with running.change:  # a new file is written beside the old one, under one name
                write_private(_place(running.folder), msgspec.json.encode(kept))
        except OSError as error:
            _log.warning("what %s is at cannot be kept: %s", running.folder.name, error)


def _place(folder: AgentFolder) -> Path:
    return folder.context / "state.json"


def _kept(folder: AgentFolder) -> _Kept:
    try:
        return msgspec.json.decode(_place(folder).read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError):
        return _Kept()


def _locked(folder: AgentFolder) -> IO[bytes]:
    """The agent's lock, until it is closed or this process ends. Raises Refused where another process has it."""
    private_folder(folder.context)
    file = (folder.context / "lock").open("ab")
    if not host.lock_file(file):
        file.close()
        raise Refused(f"{folder.name} runs in another process.", "Stop it there first.")
    return file


def _is_locked(folder: AgentFolder) -> bool:
    try:
        with (folder.context / "lock").open("ab") as file:
            return not host.lock_file(file)
    except OSError:
        return False
