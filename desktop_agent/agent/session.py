"""The agent: waits for goals, runs each to its end, and holds the parts that outlive a run."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_agent.agent.acting.change_authors import ChangeAuthors
from desktop_agent.agent.acting.clipboard_keeper import ClipboardKeeper
from desktop_agent.agent.acting.environments import Environments, Routes
from desktop_agent.agent.acting.executor import Executor, Hand
from desktop_agent.agent.context.context import Context
from desktop_agent.agent.context.earlier_goals import EarlierGoals
from desktop_agent.agent.dependencies import Circumstances, HandProcesses, Parts
from desktop_agent.agent.inbox import Edited, Inbox, NotShown, ResumeRequest, Words
from desktop_agent.agent.limits import Budget, RunTime
from desktop_agent.agent.looking.observer import Observer
from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.agent.loop_breaker import LoopBreaker
from desktop_agent.agent.mapping.map_maker import MapMaker
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.model_dialogue import ModelDialogue
from desktop_agent.agent.notes.note_folder import NoteFolder
from desktop_agent.agent.notes.run_notes import RunNotes
from desktop_agent.agent.pauses import TOOK, while_human_is_asked
from desktop_agent.agent.policy.asking.approval import Approver
from desktop_agent.agent.policy.asking.consent import StandingYes
from desktop_agent.agent.policy.files.file_targets import FileTargets
from desktop_agent.agent.policy.files.open_documents import bare_title
from desktop_agent.agent.policy.files.protected_places import (
    ANOTHERS,
    MAY_BE_ANOTHERS,
    ProtectedFileChanged,
    ProtectedPlaces,
)
from desktop_agent.agent.policy.gatekeeper import Gatekeeper
from desktop_agent.agent.policy.input_grant import grant_words
from desktop_agent.agent.policy.input_grant.grant_clock import GrantClock
from desktop_agent.agent.policy.place_lookup import Places
from desktop_agent.agent.policy.scope.run_scope import RunScope
from desktop_agent.agent.policy.scope.scope import EVERYTHING, Scope, parse_grants
from desktop_agent.agent.port import AgentInfo, AgentPort, StepMode
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.agent.prompting.untrusted_blocks import Boundary
from desktop_agent.agent.prompting.view_summary import summary_by
from desktop_agent.agent.run_loop import BY_MODEL, OF_A_SCREEN, OPERATIONS, RunLoop
from desktop_agent.agent.runlog.hash_chained_log import RunStore
from desktop_agent.agent.runlog.heads import Heads, tell_guard
from desktop_agent.agent.runlog.own_writes import OwnWrites
from desktop_agent.agent.runlog.past_run import PastRun, folder_of_run, read_past_run
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.runlog.reward_file import RewardFile
from desktop_agent.agent.runlog.run_lock import run_locked
from desktop_agent.agent.runlog.run_names import new_run_name
from desktop_agent.agent.ticking.forbidden_places import ForbiddenPlaces
from desktop_agent.agent.ticking.masked_frames import MaskedFrames
from desktop_agent.agent.ticking.tick_loop import TickLoop
from desktop_agent.agent.traces.put_back import TraceKeeper
from desktop_agent.agent.verifying.file_receipts import FileEvidence
from desktop_agent.agent.verifying.finishing import Finishing
from desktop_agent.agent.verifying.fresh_question import asked_of
from desktop_agent.hand.stop_causes import failure_of
from desktop_agent.llm.base import Model, NumericPolicy, TokenUsage
from desktop_agent.platforms import host
from desktop_agent.platforms.base import HintSurface
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent, StandingGrant
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.protocol.errors import (
    ConfigError,
    DesktopAgentError,
    HandError,
    Off,
    Stopped,
    StoreError,
    TargetError,
)
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.op_change import OpChange
from desktop_agent.protocol.permission import InputGrant
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.config import Config
from desktop_agent.tools.files import Files
from desktop_agent.vision.capture.capture_pace import Pace
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.masks import Privacy
from desktop_agent.vision.elements.describe import one_line
from desktop_agent.vision.encoding.encode import load_binding
from desktop_agent.vision.encoding.live_preview import LivePreview

if TYPE_CHECKING:
    from desktop_agent.agent.acting.protected_watch import ProtectedWatch

_log = logging.getLogger(__name__)

BY_PROGRAM = "the program that drives the agent stopped it"
"""The reason of a stop by a program's own wish."""
_AFTER_ERROR = "an error ended the run"
_FORGOTTEN = (
    "A secret that you gave then is not known any more: give it again when it is needed, as in {{secret: …}}."
)
_UNSURE = "Recorded right before the run was cut short, and not counted, as nobody vouches that you said it: “{}”. Say it again if you did."
_SHOWN = 200
_PASSING = (BY_MODEL, BY_PROGRAM, _AFTER_ERROR)
"""Stops that are nobody's word against going on: a program's next words lift them."""


class AgentSession(AgentPort):
    """One agent on one target with one model."""

    def __init__(self, parts: Parts, settings: Config, circumstances: Circumstances, info: AgentInfo) -> None:
        load_binding()
        self._parts = parts
        self._settings, self._circumstances = settings, circumstances
        self._info = info
        self._inbox = Inbox()
        self._feed = Feed()
        self._standing = StandingYes(self._tell_standing)
        self._privacy_filter = PrivacyFilter(parts.target, Privacy.of(settings.privacy))
        self._lock = threading.Lock()
        self._running = False
        self._stop = StopFlag()
        self._time: RunTime | None = None
        self.stopped_for_good = ""
        """Why it is stopped until the human says or resets something; "" when it is not."""
        self._tampering: ProtectedFileChanged | None = None
        self._watching: ProtectedWatch | None = None
        self._authors = ChangeAuthors()
        self._told_of_others = False
        self._hand: HandProcesses | None = None
        self._bringing_up = threading.RLock()
        self._resting = self._preparing = False
        self._prepared = -math.inf
        self.over = threading.Event()
        self._feed.subscribe(while_human_is_asked(self.stand_down))
        self._traces: TraceKeeper | None = None
        self._at_work = self._waiting = False
        self._feed.subscribe(self._follow_own)
        self._earlier = EarlierGoals()
        self._feed.subscribe(self._earlier.hear)
        self._gate: Gatekeeper | None = None
        self._clock = GrantClock(settings.policy.grant.minutes, parts.clock)
        self._granted = False
        self._mapping = MapMaker()
        self._mapped: MapMaker | None = None
        parts.target.may_look = self._check_off

    # ---- the port ----------------------------------------------------------------------------

    @property
    def info(self) -> AgentInfo:
        return self._info

    def subscribe(self, listener: Callable[[FeedEvent], None]) -> None:
        self._feed.subscribe(listener)

    def send(self, text: str, pictures: tuple[PictureBlock, ...] = ()) -> None:
        with self._lock:
            if not self._running:  # a new goal is the human's act: it lifts a stop
                self._stop, self.stopped_for_good = StopFlag(), ""
        self._inbox.say(Words(redactor().mark(text), pictures=pictures))

    def send_for(self, by: str, text: str, thinker: Model | None = None) -> bool:
        """Words of the program that `by` names: a goal when idle or ended (`thinker` thinks in its run), else an answer.

        They grant nothing. False, and nothing is said, while it is stopped for good: only the human lifts that.
        """
        with self._lock:
            if self.stopped_for_good:
                return False
            if not self._running:
                self._stop = StopFlag()
        self._inbox.say(Words(redactor().clean(text), by, thinker))
        return True

    def tell(self, event: FeedEvent) -> None:
        """Pass an event to the listeners alone; for what is no part of a run."""
        self._feed.tell(msgspec.structs.replace(event, time=time.time()))

    def record(self, kind: str, data: object) -> None:
        """Write data to the log of the run under way, from any thread; nothing where there is none."""
        with suppress(StoreError):  # what acts is recorded by itself, and not done when that fails
            self._feed.record(kind, data)

    def resume_run(self, folder: str) -> None:
        with self._lock:
            if self._running:
                return
            self._stop, self.stopped_for_good = StopFlag(), ""
        self._inbox.say(ResumeRequest(folder))

    def approve(self, id: str, always: bool = False) -> None:
        self._inbox.decide(id, "always" if always else "approve")

    def skip(self, id: str) -> None:
        self._inbox.decide(id, "skip")

    def edit(self, id: str, changes: tuple[OpChange, ...]) -> None:
        self._inbox.decide(id, Edited(changes))

    def new_conversation(self) -> None:
        self._earlier.forget()
        self._mapping = MapMaker()

    def promise_to_show(self, seconds: float) -> None:
        self._inbox.show_within = seconds

    def shown(self, id: str) -> None:
        self._inbox.shown(id)

    def not_shown(self, id: str, why: str) -> None:
        self._inbox.decide(id, NotShown(why))

    def standing(self) -> tuple[StandingGrant, ...]:
        return self._standing.listed()

    def take_back(self, id: str) -> None:
        self._standing.revoke(id)

    def _tell_standing(self, taken_back: StandingGrant | None) -> None:
        if taken_back is not None:
            self.record("taken_back", taken_back)
        self.tell(say.StandingSet(grants=self._standing.listed()))

    def pause(self) -> None:
        self.pause_because("")

    def pause_because(self, why: str) -> None:
        with self._lock:
            if self._running:
                self._inbox.set_paused(True, why)
                self._pause_hand(True)

    def resume(self) -> None:
        if (hand := self._hand) is not None and self._inbox.paused:
            hand.allow_full_screen(True)  # the human has seen what it is asked about
        self._inbox.set_paused(False)

    def stop(self, reason: str = "you pressed Stop") -> None:
        self._keep_stopped(reason)
        if (hand := self._hand) is not None:
            hand.stop(reason)
        self._stop.set(reason)

    def reset(self) -> None:
        with self._lock:
            if self._running:
                return
            self._stop, self.stopped_for_good = StopFlag(), ""
            hand = self._hand if not self._resting else None  # the next run begins with one that is reset
        if hand is not None:
            hand.reset()

    def hint_surface(self) -> HintSurface | None:
        return self._parts.target.hint_surface()

    def set_step_mode(self, mode: StepMode) -> None:
        self._info = msgspec.structs.replace(self._info, step_mode=mode)

    def prepare(self) -> None:
        def bring_up() -> None:
            with self._bringing_up, suppress(DesktopAgentError):  # the run will meet it again, and say so
                if not self._inbox.closed:
                    self._ready_hand()
                    self._prepared = time.monotonic()
            self._preparing = False

        up = self._hand is not None and not self._resting
        if not (up or self._running or self._preparing or self._parts.target.simulated):
            self._preparing = True
            threading.Thread(target=bring_up, name="prepare", daemon=True).start()

    def quit(self) -> None:
        self.stop("you closed the program")
        self._inbox.close()

    @property
    def parts(self) -> Parts:
        """What it works with."""
        return self._parts

    @property
    def running(self) -> bool:
        """Is a run under way?"""
        return self._running

    def reconfigure(
        self,
        parts: Parts,
        settings: Config,
        circumstances: Circumstances,
        info: AgentInfo,
        commit: Callable[[], None] = lambda: None,
    ) -> None:
        """Work with other parts and settings from the next run on, and let go of those that are not among them.

        From any thread. `commit` is called before anything is changed, and what it raises leaves all as it was. Raises
        ConfigError during a run; none begins meanwhile. A target that stays keeps its hand, and what is open on it.
        """
        with self._bringing_up, self._lock:
            if self._running:
                raise ConfigError("A run is under way.", "Stop it, or wait for its end.")
            commit()
            before, self._parts = self._parts, parts
            kept = (before.target, before.model, self._settings.privacy)
            if kept != (parts.target, parts.model, settings.privacy):
                self._mapping = MapMaker()  # what was seen then is not for this model, or is private now
            parts.target.may_look = self._check_off
            self._settings, self._circumstances, self._info = settings, circumstances, info
            self._clock = GrantClock(settings.policy.grant.minutes, parts.clock)
            self._privacy_filter = PrivacyFilter(parts.target, Privacy.of(settings.privacy))
            hand = self._hand
            if same_hand := (parts.target is before.target and parts.make_hand is before.make_hand):
                hand = None
            else:
                self._hand = None
        if not same_hand:
            self._standing.clear()
        self._release(before, hand)

    def _release(self, before: Parts, hand: HandProcesses | None) -> None:
        """Close what is no longer part of the session."""
        if hand is not None:
            hand.close()
        if before.target is not self._parts.target:
            before.target.stop()
        if before.model is not self._parts.model:
            self._earlier.forget()  # what was said to one model is not passed on to another
            before.model.close()
        for each in before.environments:
            if each not in self._parts.environments:
                each.close()

    # ---- the agent's thread ------------------------------------------------------------------

    def serve(self) -> None:
        """Wait for goals and run them until `quit`; then let go of everything."""
        try:
            while self.run_next():
                pass
        finally:
            self._close()

    def run_next(self) -> bool:
        """Wait for one goal and run it to its end; False when the session was closed instead."""
        goal = self._inbox.next_goal(self._circumstances.rest_seconds, self._rest)
        if goal is not None:
            self._run_to_its_end(goal)
        return goal is not None

    def _rest(self) -> None:
        """Keep no processes and no pictures while nothing is asked: the next run brings them up again."""
        with self._bringing_up:
            if self._hand is None or self._resting or self._parts.target.simulated:
                return
            if time.monotonic() - self._prepared < self._circumstances.rest_seconds:
                return  # the user is about to say something
            self._resting = True
            self._hand.close()
            self._parts.target.rest()
        host.give_memory_back()

    def _run_to_its_end(self, goal: Words) -> None:
        with self._lock:
            self._running = self._at_work = True
            stop = self._stop
        self._time = RunTime(self._settings.agent.timeout, self._inbox, self._inbox.cut)
        self._time.start()
        try:
            self._run(goal, stop)
        except Stopped as stopped:
            self._ended_by_stop(stopped)
        except DesktopAgentError as error:
            # a hand that had to be killed to stop is a stop, not a failure
            if reason := self._why_stopped(stop, error):
                self._ended_by_stop(Stopped(reason))
            else:
                self._ended_by_error(error.message, error.advice)
            if isinstance(error, HandError | TargetError):
                self._let_go()
        except Exception as error:  # noqa: BLE001 - the thread's boundary: let go and say so
            _log.exception("a run failed unexpectedly")
            self._ended_by_error(
                f"Something went wrong inside: {error}.", "The log has the details; try again."
            )
        finally:
            self._time.close()
            self._end_run()

    def _run(self, goal: Words, stop: StopFlag) -> None:
        runs = self._circumstances.runs_folder
        resumed = isinstance(goal, ResumeRequest)
        folder = folder_of_run(goal.text, runs) if resumed else runs / new_run_name()
        with run_locked(folder):
            self._work(goal, read_past_run(folder) if resumed else PastRun(folder), stop)

    def _work(self, goal: Words, past: PastRun, stop: StopFlag) -> None:
        """Work a run to its end: a new one, or one that goes on from what `past` holds."""
        folder = past.folder
        self._feed.store = RunStore(folder, Heads(folder, lambda *head: tell_guard(self._hand, *head)))
        if past.goal:
            self._tell_resumed(past)
        else:
            self._feed.emit(say.Goal(text=goal.shown, by=goal.by))
        self._feed.emit(say.Recording(path=str(self._feed.store.folder)))
        self._tell_start_note()
        self._tell_grant(anew=not goal.by)
        self._feed.emit(say.Status(state="planning", detail="getting ready"))
        hand = self._ready_hand()
        stop.check()
        hand.reset()
        hand.allow_full_screen(False)
        self._pause_hand(self._inbox.paused)
        traces = TraceKeeper(
            hand, self._parts.target, self._circumstances.own_pids, lambda: not hand.human_at_work
        )
        self._traces = traces
        self._parts.target.give_focus_back()
        watch = self._watching = self._watch(self._feed.store.folder)
        keeper = ClipboardKeeper(traces.hand, self._parts.target.clipboard, self._privacy_filter.name_of)
        try:
            model = goal.thinker or self._parts.model
            if isinstance(model, NumericPolicy):
                self._tick_loop(past.goal or goal.text, model, hand, stop, watch).run()
                return
            loop = self._run_loop(goal, past, keeper, stop, watch)
            with self._live_preview(), closing(loop.observer):
                loop.executor.environments.begin()
                try:
                    loop.run()
                finally:
                    loop.executor.environments.tell_findings()
        finally:
            self._traces = None
            keeper.end()
            self._watching = None
            if watch is not None:
                watch.close()

    def _tell_resumed(self, past: PastRun) -> None:
        """Show what was said and planned, and record that the run goes on."""
        for text in (past.goal, *(text for _, text in past.said)):
            self._feed.tell(say.Goal(time=time.time(), text=text))
        self._feed.record("resumed", {"turn": past.turn, "unknown": past.unknown, "unsure": len(past.unsure)})
        unknown = (
            f" Of {past.unknown} operations it is not known whether they were carried out."
            * (past.unknown > 1)
            or " Of one operation it is not known whether it was carried out." * past.unknown
        )
        self._feed.emit(
            say.Note(text=f"Going on in turn {past.turn} of the run that was cut short.{unknown}")
        )
        if past.lost_secrets:
            self._feed.emit(say.Note(text=_FORGOTTEN))
        for text in past.unsure:  # shown only: the record would count as vouched for from now on
            self._feed.tell(say.Note(time=time.time(), text=_UNSURE.format(one_line(text, _SHOWN))))
        if past.plan:
            self._feed.emit(say.Plan(steps=past.plan, current=past.step))

    def _watch(self, run: Path) -> ProtectedWatch | None:
        """Begin to watch the protected places; None when none are given."""
        self._tampering, self._told_of_others = None, False
        if (protected := self._circumstances.protected) is None:
            return None
        from desktop_agent.agent.acting.protected_watch import (
            ProtectedWatch,  # its library is not loaded before
        )

        self._authors = ChangeAuthors(tuple(each.home for each in protected.roots))
        watch = ProtectedWatch(
            protected,
            self._stop_for_change,
            OwnWrites(run, self._circumstances.notes).holds,
            self._stop_unwatched,
            self._authors.of,
            self._hold_for_change,
            self._tell_of_others,
        )
        watch.start()
        return watch

    def _stop_for_change(self, path: str, why: str) -> None:
        self._tampering = ProtectedFileChanged(path, why)
        self.stop(self._tampering.message)

    def _hold_for_change(self, path: str, why: str) -> None:
        self.pause_because(MAY_BE_ANOTHERS.format(path, why))

    def _tell_of_others(self, path: str, why: str) -> None:
        """Tell that somebody else has changed a protected file, once in a run: a synchronisation changes many."""
        if not self._told_of_others:
            self._told_of_others = True
            with suppress(StoreError):  # what the run does next is not done either
                self._feed.emit(say.Note(text=ANOTHERS.format(path, why)))

    def _stop_unwatched(self, reason: str) -> None:
        self.stop(f"the protected files cannot be watched: {reason}")

    def _files(self, watch: ProtectedWatch | None, evidence: FileEvidence | None = None) -> FileTargets:
        """What tells the files that operations reach; what the user says yes to is no reason to stop."""

        def pass_on(path: str) -> None:
            if evidence is not None:
                evidence.reached(path)
            if watch is not None:
                watch.expect(path)

        workspace = self._workspace()
        front = next(iter(self._parts.target.windows()), None)
        return FileTargets(
            self._circumstances.protected
            or ProtectedPlaces.of_this_user(filter(None, (self._circumstances.notes,)), workspace),
            str(workspace or ""),
            on_passed=pass_on,
            in_front=bare_title(front.title) if front is not None else "",
        )

    def _project(self) -> Path | None:
        """The folder of a project that is worked by commands; what is done there is seen in its files."""
        found = (each.folder for each in self._parts.environments if "run" in each.operations)
        return next((folder for folder in found if folder is not None), None)

    def _workspace(self) -> Path | None:
        """The folder whose files the model may read and write."""
        return next((each.folder for each in self._parts.environments if each.folder is not None), None)

    def _tell_start_note(self) -> None:
        """In the first run only."""
        if note := self._info.start_note:
            self._info = msgspec.structs.replace(self._info, start_note="")
            self._feed.emit(say.Note(text=note))

    def _tell_grant(self, *, anew: bool) -> None:
        """Record what this run may do by itself. Its time begins anew where the user has begun the run; a program's words grant none."""
        permission, clock = self._settings.agent.permission, self._clock
        clock.begin(anew=anew)
        limits, left = self._settings.policy.grant, clock.left
        grant = InputGrant(
            permission,
            self._circumstances.given_by,
            round(time.time() + left, 3) if left is not None else None,
            limits.applications,
            limits.inputs,
        )
        text = grant_words.is_over(limits) if clock.over else grant_words.opens(permission, limits, left)
        self._granted = permission != "simulation_only" and not clock.over
        self._feed.emit(say.InputGranted(grant=grant, text=text))

    def _grant_over(self) -> bool:
        """Is the time of the permission over? Tells it once a run."""
        over = self._clock.over
        if over and self._granted:
            self._granted = False
            self._feed.emit(say.InputGrantOver(text=grant_words.is_over(self._settings.policy.grant)))
        return over

    @contextmanager
    def _live_preview(self) -> Iterator[None]:
        if not self._circumstances.previews:
            yield
            return
        live = LivePreview(self._preview, self._show_preview, self._circumstances.previews)
        live.start()
        try:
            yield
        finally:
            live.close()

    def _preview(self, pace: Pace) -> Frame:
        return self._privacy_filter.preview(partial(self._preview_frame, pace))

    def _preview_frame(self, pace: Pace) -> Frame:
        """The raw frame of a live picture; of the window in front alone where the pace asks for less. Raises what `observe` raises, and Off while the human is asked, unless told otherwise."""
        if self._waiting and not self._circumstances.previews_while_waiting:
            raise Off("It waits for an answer, so nothing is looked at.", resting=True)
        target, region = self._parts.target, self._circumstances.region
        front = next(iter(target.windows()), None) if pace.narrow else None
        if front is not None:
            part = front.bounds.intersection(region or target.geometry().bounds)
            region = region if part.empty else part
        return target.observe(region)

    def _show_preview(self, region: Rect, picture: bytes) -> None:
        self._feed.tell(say.Preview(time=time.time(), region=region, picture=picture))

    def _ready_hand(self) -> HandProcesses:
        """Bring up target, hand and guard, once; after a failure the next goal tries again."""
        with self._bringing_up:
            target = self._parts.target
            if self._resting:
                target.start()
                self._resting = False
            if self._hand is None:
                target.start()
                target.protect(self._circumstances.own_pids)
                hand = self._parts.make_hand(target.address(), self._stopped_by_guard)
                hand.on_takeover = lambda means: self.pause_because(TOOK[means])
                hand.on_off = lambda off: self.pause_because(str(off))
                hand.protect(self._circumstances.own_pids)
                hand.confine(self._circumstances.region)
                self._hand = hand
            self._hand.start()  # again, when one of its processes has died meanwhile
            self._pause_hand(not self._at_work)
            return self._hand

    def _run_loop(
        self, goal: Words, past: PastRun, hand: Hand, stop: StopFlag, watch: ProtectedWatch | None
    ) -> RunLoop:
        settings, circumstances, parts = self._settings, self._circumstances, self._parts
        model = goal.thinker or parts.model
        target = parts.target
        project = self._project()
        home = str(project or target.home())
        elsewhere = target.files_elsewhere and project is None
        evidence = FileEvidence(home, time.time_ns(), past.worked, elsewhere)
        finishing = Finishing(
            evidence,
            proves_done=model.support.proves_done,
            unshown_done=model.support.unshown_done,
            conversing=circumstances.conversing and not goal.by,
        )
        finishing.hear((past.goal or goal.text, *(text for _, text in past.said)))
        offered = [each for each in parts.environments if each.offered_to(parts.dialect.name)]
        gate = Gatekeeper(
            Places(
                parts.target,
                frozenset(circumstances.own_pids),
                self._files(watch, evidence),
                Routes(offered).contain,
            ),
            settings.agent.permission,
            settings.policy,
            standing=self._standing,
            grant_over=self._grant_over,
            on_work=self._authors.work,
        )
        self._gate = gate
        gate.run_scope = self._run_scope()
        if past.goal:
            gate.run_scope.restored = parse_grants(past.front, parts.target.home())
            gate.provenance.restore(past.sources)
        gate.hear(tuple(past.own) if past.goal else goal.granting)
        environments = Environments(
            () if goal.thinker else offered,
            self._feed,
            gate.provenance.read,
            settings.hand,
            quoted=not parts.dialect.screen_last,
            summarize=summary_by(model, self._feed, lambda usage: spend(usage)),
        )
        observer = Observer(parts.target, model, circumstances.region, parts.read_words, self._privacy_filter)
        notes = None if goal.by else self._notes(past.folder.name, gate)
        earlier = past.earlier if past.goal else self._told_before(goal, model, gate)
        unoffered = {"remember"} if notes is None else set()
        if target.screenless:
            unoffered |= OF_A_SCREEN
        if not any(each.brings_news for each in offered) and "wait_for_news" not in parts.dialect.covered:
            unoffered.add("wait_for_news")
        own = (name for name in OPERATIONS if name not in unoffered)
        dialect = JSON if goal.thinker else parts.dialect  # what a program wants is written as JSON
        operations = (*own, *environments.operations)
        if dialect.operations is not None:
            operations = tuple(each for each in operations if each in dialect.operations)
        prompter = Prompter(
            operations,
            dialect.max_actions if dialect.long_replies else settings.agent.max_actions,
            Boundary(past.mark or None),
            dialect=dialect,
            notes=notes.told() if notes is not None and model.support.messages else "",
            earlier=earlier,
            environments=environments if dialect.screen_last else None,
        )
        mapping = self._map_of(goal, model, gate)
        memory = RunMemory(past.goal or goal.text, settings.agent.history)
        budget = Budget(settings.agent, self._time)

        def spend(usage: TokenUsage) -> None:
            self._feed.emit(budget.spend(usage, memory.turn))

        finishing.fresh = asked_of(model, self._feed, spend)
        told = past.messages if past.goal or not model.support.messages else parts.remembered()
        dialogue = ModelDialogue(
            model,
            prompter,
            self._inbox,
            self._feed,
            Context(self._feed, told),
            environments=environments.told,
            spend=spend,
        )
        self._feed.record("conversation", {"mark": prompter.mark, "earlier": earlier})
        pictures = dialogue.pictures
        if pictures.restore(past.pictures, past.folder) or pictures.give(1, goal.pictures):
            gate.provenance.see_given_picture()
        if past.goal:
            memory.restore(past)
            budget.restore(past.spent, past.last, past.turn)
            dialogue.resume(past.turn, past.told_words)
        return RunLoop(
            memory=memory,
            observer=observer,
            dialogue=dialogue,
            approver=Approver(self._inbox, self._ask, lambda: self._info.step_mode, gate, self._feed.record),
            executor=Executor(
                hand,
                self._feed,
                observer,
                settings.hand,
                self._inbox,
                gate,
                environments,
                self._rewards(),
                past.actions + 1,
                hint_lead=circumstances.hint_lead,
                text_limits=self._hand,
                holds_buttons=dialect.holds_buttons and parts.target.kind != "local",
            ),
            budget=budget,
            loops=LoopBreaker(past.goal or goal.text, paced=model.support.paces_itself),
            finishing=finishing,
            inbox=self._inbox,
            feed=self._feed,
            pause_hand=self._pause_hand,
            stop=stop,
            mapping=mapping,
            notes=notes,
            put_back=self._put_back,
        )

    def _put_back(self) -> None:
        """At a reached goal: the desk as it was, except for what the goal changed."""
        if self._traces is not None:
            self._feed.record("put_back", {})
            self._traces.put_back()

    def _tick_loop(
        self,
        goal: str,
        policy: NumericPolicy,
        hand: HandProcesses,
        stop: StopFlag,
        watch: ProtectedWatch | None,
    ) -> TickLoop:
        """The run of a policy that says where pointer, buttons and keys are."""
        target, settings, circumstances = self._parts.target, self._settings, self._circumstances
        gate = Gatekeeper(
            Places(target, frozenset(circumstances.own_pids), self._files(watch)),
            settings.agent.permission,
            settings.policy,
            grant_over=self._grant_over,
            on_work=self._authors.work,
        )
        return TickLoop(
            goal,
            policy,
            target,
            MaskedFrames(target, self._privacy_filter, circumstances.region),
            hand,
            Approver(self._inbox, self._ask, lambda: self._info.step_mode, gate),
            self._inbox,
            self._feed,
            self._rewards(),
            self._pause_hand,
            stop,
            circumstances.tick_rate,
            Budget(settings.agent, self._time),
            ForbiddenPlaces(gate.places, settings.agent.permission, settings.policy, self._grant_over),
        )

    def _rewards(self) -> RewardFile | None:
        """Reads the reward after each action; None where no file is named."""
        folder = self._workspace()
        name = self._settings.agent.reward_file
        return RewardFile(Files(folder), name, self._feed) if folder is not None and name else None

    def _told_before(self, goal: Words, model: Model, gate: Gatekeeper) -> str:
        """What the model is told of the runs before; it counts as made after reading what they had read.

        A run that another program began is told nothing: what was said is the user's.
        """
        if goal.by or not model.support.messages:
            return ""
        told, sources = self._earlier.account()
        gate.provenance.see_sources(sources)
        return told

    def _map_of(self, goal: Words, model: Model, gate: Gatekeeper) -> MapMaker:
        """The session's map; what it tells a model counts as read. A run that another program began has one of its own."""
        mapping = self._mapped = MapMaker() if goal.by or goal.thinker else self._mapping
        mapping.begin()
        if mapping.map.places and model.support.messages:
            gate.provenance.see_sources(mapping.sources)
        return mapping

    def _notes(self, run: str, gate: Gatekeeper) -> RunNotes | None:
        """The notes for a run; None where they are switched off. A run that another program began has none: they are the user's."""
        folder = self._circumstances.notes
        return None if folder is None else RunNotes(NoteFolder(folder), run, gate.provenance)

    def _run_scope(self) -> RunScope:
        """What the settings grant beforehand; the user's words come on top."""
        everything = self._settings.agent.permission == "full"
        scope = EVERYTHING if everything else Scope().widened(*self._circumstances.grants)
        target = self._parts.target
        return RunScope(scope, None if target.screenless else target, self._feed.emit)

    def _ask(self, event: FeedEvent) -> None:
        self._feed.emit(self._privacy_filter.without_private_title(event))

    # ---- endings -----------------------------------------------------------------------------

    def _ended_by_stop(self, stopped: Stopped) -> None:
        self._keep_stopped(stopped.reason)
        if self._tampering is not None and stopped.reason == self._tampering.message:
            self._ended_by_error(self._tampering.message, self._tampering.advice)
        elif failure := failure_of(stopped.reason):
            self._ended_by_error(failure.message, failure.advice)
        else:
            self._hear_anew()
            self._say_last(say.Status(state="stopped", detail=stopped.reason))

    def _why_stopped(self, stop: StopFlag, error: DesktopAgentError) -> str:
        """Of what ended by this error: the stop that was the reason, "" when there was none.

        The hand's end may be known before the stop that led to it is told.
        """
        if stop.is_set():
            return stop.reason
        return self._hand.stop_reason if self._hand is not None and isinstance(error, HandError) else ""

    def _ended_by_error(self, message: str, advice: str) -> None:
        if self._hand is not None:
            self._hand.stop(_AFTER_ERROR)
        self._hear_anew()
        self._say_last(say.Error(message=message, advice=advice))
        self._say_last(say.Status(state="error", detail=message))

    def _say_last(self, event: FeedEvent) -> None:
        """The end of a run is told even when it can no longer be recorded."""
        try:
            self._feed.emit(event)
        except StoreError:
            self._feed.tell(msgspec.structs.replace(event, time=time.time()))

    def _end_run(self) -> None:
        self._be_off()
        sources = self._gate.provenance.taint.sources if self._gate is not None else frozenset()
        self._earlier.end(sources)
        if self._mapped is not None:
            self._mapped.sources |= sources
        self._gate = self._mapped = None
        self._end_grant()
        if self._feed.store is not None:
            self._feed.store.close()
            self._feed.store = None
        self._hear_anew()

    def _end_grant(self) -> None:
        """Record that what was granted has ended with its run."""
        if self._granted:
            self._granted = False
            self.record("input_grant_ended", {"with": "the run"})

    def _hear_anew(self) -> None:
        """What is said from now on is the next goal. To be called before an end is told: it may be answered at once."""
        with self._lock:
            self._running = False
            self._inbox.forget()
            if self._stop.is_set():
                self._inbox.heard()  # nothing restarts by itself after a stop
            else:
                self._stop = StopFlag()

    def _stopped_by_guard(self, reason: str) -> None:
        self._keep_stopped(reason)
        self._stop.set(reason)

    def _keep_stopped(self, reason: str) -> None:
        if reason not in _PASSING and not failure_of(reason):
            self.stopped_for_good = self.stopped_for_good or reason

    def _follow_own(self, event: FeedEvent) -> None:
        """The first to hear: once an end is told, it is off already."""
        if self._traces is not None:
            self._traces.hear(event)
        self._authors.hear(event)
        if isinstance(event, say.Status):
            self._waiting = event.state == "waiting_for_user"
            if event.state in ("done", "error", "stopped"):
                self._be_off()
        elif isinstance(event, say.Action):
            self._waiting = False

    def _be_off(self) -> None:
        """Until the next run nothing is seen or pressed."""
        self._at_work = False
        self._pause_hand(True)

    def _check_off(self) -> None:
        """Raises Off unless a run is under way, which is not paused, and the guard lets it see and press."""
        if not self._at_work:
            raise Off("Nothing is under way, so nothing is looked at.", resting=True)
        if self._inbox.paused:
            raise Off("It is paused, so nothing is looked at.", "Press Resume.", resting=True)
        if self._hand is not None:
            self._hand.check_off()

    def _pause_hand(self, paused: bool) -> None:
        if (hand := self._hand) is not None:
            hand.pause(paused)

    def stand_down(self) -> None:
        """From now until the next action the human's input does not pause the run."""
        if (hand := self._hand) is not None:
            hand.stand_down()

    def _let_go(self) -> None:
        """Give up a hand or a target that broke; the next goal brings up new ones."""
        with self._bringing_up:
            hand, self._hand = self._hand, None
            if hand is not None:
                hand.close()
            self._parts.target.stop()

    def _close(self) -> None:
        self._let_go()
        for environment in self._parts.environments:
            environment.close()
        self._parts.model.close()
        self.over.set()
