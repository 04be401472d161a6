"""The agent: waits for goals, leads each run from its beginning to its end, and holds the parts that outlive a run."""

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
from desktop_agent.agent.context.earlier_goals import EarlierGoals
from desktop_agent.agent.context.map_maker import MapMaker
from desktop_agent.agent.dependencies import Circumstances, HandProcesses, Parts
from desktop_agent.agent.inbox import Edited, Inbox, NotShown, ResumeRequest, Words
from desktop_agent.agent.limits import RunTime
from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.agent.pauses import TOOK, while_human_is_asked
from desktop_agent.agent.port import AgentInfo, AgentPort, StepMode
from desktop_agent.agent.put_back import TraceKeeper
from desktop_agent.agent.run_builder import RunBuilder
from desktop_agent.agent.run_loop import BY_MODEL, RunLoop
from desktop_agent.agent.runlog.hash_chained_log import RunStore
from desktop_agent.agent.runlog.heads import Heads, tell_guard
from desktop_agent.agent.runlog.own_writes import OwnWrites
from desktop_agent.agent.runlog.past_run import PastRun, folder_of_run, read_past_run
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.runlog.run_names import new_run_name, run_locked
from desktop_agent.hand.client import failure_of
from desktop_agent.llm.base import Model
from desktop_agent.platforms import host
from desktop_agent.platforms.base import Clipboard, HintSurface
from desktop_agent.policy.consent import grant_words
from desktop_agent.policy.consent.consent import StandingYes
from desktop_agent.policy.facts.files.protected_places import (
    ANOTHERS,
    MAY_BE_ANOTHERS,
    ProtectedFileChanged,
)
from desktop_agent.policy.rules.grant_limits import GrantClock
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent, StandingGrant
from desktop_agent.protocol.chat_messages import PictureBlock
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
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import HasClipboard, HasHintSurface, Rests, ShowsOwnWindows, windows_of
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
        self._trace_keeper: TraceKeeper | None = None
        self._at_work = self._waiting = False
        self._feed.subscribe(self._follow_own)
        self._earlier = EarlierGoals()
        self._feed.subscribe(self._earlier.hear)
        self._builder: RunBuilder | None = None
        self._clock = GrantClock(settings.scope.minutes, parts.clock)
        self._granted = False
        self._mapping = MapMaker()
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
        target = self._parts.target
        return target.hint_surface() if isinstance(target, HasHintSurface) else None

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
            self._clock = GrantClock(settings.scope.minutes, parts.clock)
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
            self._run_and_tell_its_end(goal)
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
            if isinstance(self._parts.target, Rests):
                self._parts.target.rest()
        host.give_memory_back()

    # ---- one run, in the order of its life ---------------------------------------------------

    def _run_and_tell_its_end(self, goal: Words) -> None:
        """Run a goal, tell how the run has ended, and end all that belongs to this run alone."""
        with self._lock:
            self._running = self._at_work = True
            stop = self._stop
        self._time = RunTime(self._settings.agent.timeout, self._inbox, self._inbox.cut)
        self._time.start()
        try:
            self._work_in_own_folder(goal, stop)
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

    def _work_in_own_folder(self, goal: Words, stop: StopFlag) -> None:
        """Work a goal in the folder of its run, or go on with a run in its own; no other process works there meanwhile."""
        runs = self._circumstances.runs_folder
        resumed = isinstance(goal, ResumeRequest)
        folder = folder_of_run(goal.text, runs) if resumed else runs / new_run_name()
        with run_locked(folder):
            past = read_past_run(folder) if resumed else PastRun(folder)
            self._open_record(goal, past)
            hand = self._arm_hand(stop)
            self._act(goal, past, hand, stop)

    def _open_record(self, goal: Words, past: PastRun) -> None:
        """Begin the run's log or go on with it, and tell the goal and how far the permission reaches."""
        folder = past.folder
        self._feed.store = RunStore(folder, Heads(folder, lambda *head: tell_guard(self._hand, *head)))
        if past.goal:
            self._tell_resumed(past)
        else:
            self._feed.emit(say.Goal(text=goal.shown, by=goal.by))
        self._feed.emit(say.Recording(path=str(folder)))
        self._tell_start_note()
        self._tell_grant(anew=not goal.by)
        self._feed.emit(say.Status(state="planning", detail="getting ready"))

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

    def _tell_start_note(self) -> None:
        """In the first run only."""
        if note := self._info.start_note:
            self._info = msgspec.structs.replace(self._info, start_note="")
            self._feed.emit(say.Note(text=note))

    def _tell_grant(self, *, anew: bool) -> None:
        """Record what this run may do by itself. Its time begins anew where the user has begun the run; a program's words grant none."""
        permission, clock = self._settings.agent.permission, self._clock
        clock.begin(anew=anew)
        limits, left = self._settings.scope, clock.left
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

    def _arm_hand(self, stop: StopFlag) -> HandProcesses:
        """The hand, brought up and free to act. Raises Stopped, HandError and TargetError."""
        hand = self._ready_hand()
        stop.check()
        hand.reset()
        hand.allow_full_screen(False)
        self._pause_hand(self._inbox.paused)
        return hand

    def _ready_hand(self) -> HandProcesses:
        """Bring up target, hand and guard, once; after a failure the next goal tries again."""
        with self._bringing_up:
            target = self._parts.target
            if self._resting:
                target.start()
                self._resting = False
            if self._hand is None:
                target.start()
                if isinstance(target, ShowsOwnWindows):
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

    def _act(self, goal: Words, past: PastRun, hand: HandProcesses, stop: StopFlag) -> None:
        """Act until the run is over, and give the user their clipboard back however it ends."""
        target, own_pids = self._parts.target, self._circumstances.own_pids
        trace_keeper = TraceKeeper(hand, target, own_pids, lambda: not hand.human_at_work)
        self._trace_keeper = trace_keeper
        if isinstance(target, ShowsOwnWindows):
            target.give_focus_back()
        watch = self._watching = self._watch(past.folder)
        clipboard_keeper = ClipboardKeeper(
            trace_keeper.pointer_place, partial(_clipboard_of, target), self._privacy_filter.name_of
        )
        try:
            builder = self._builder = self._builder_of(goal, past, hand, stop)
            if builder.model.takes_turns:
                self._take_turns(builder.model_loop(clipboard_keeper))
            else:
                builder.model.own_loop(builder.own_run()).run()
        finally:
            self._trace_keeper = None
            clipboard_keeper.end()
            self._watching = None
            if watch is not None:
                watch.close()

    def _builder_of(self, goal: Words, past: PastRun, hand: HandProcesses, stop: StopFlag) -> RunBuilder:
        """The builder of this run's parts."""
        return RunBuilder(
            parts=self._parts,
            settings=self._settings,
            circumstances=self._circumstances,
            goal=goal,
            past=past,
            inbox=self._inbox,
            feed=self._feed,
            standing=self._standing,
            privacy_filter=self._privacy_filter,
            earlier=self._earlier,
            session_map=self._mapping,
            hand=hand,
            watch=self._watching,
            run_time=self._time,
            stop=stop,
            step_mode=lambda: self._info.step_mode,
            grant_over=self._grant_over,
            on_work=self._authors.work,
            pause_hand=self._pause_hand,
            put_back=self._put_back,
        )

    def _take_turns(self, loop: RunLoop) -> None:
        """Run the turns of a model, with live pictures; however they end, the environments tell their findings first."""
        with self._live_preview(), closing(loop.observer):
            loop.executor.environments.begin()
            try:
                loop.run()
            finally:
                loop.executor.environments.tell_findings()

    # ---- while it acts -----------------------------------------------------------------------

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

    def _grant_over(self) -> bool:
        """Is the time of the permission over? Tells it once a run."""
        over = self._clock.over
        if over and self._granted:
            self._granted = False
            self._feed.emit(say.InputGrantOver(text=grant_words.is_over(self._settings.scope)))
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
        front = next(iter(windows_of(target).windows()), None) if pace.narrow else None
        if front is not None:
            part = front.bounds.intersection(region or target.geometry().bounds)
            region = region if part.empty else part
        return target.observe(region)

    def _show_preview(self, region: Rect, picture: bytes) -> None:
        self._feed.tell(say.Preview(time=time.time(), region=region, picture=picture))

    def _put_back(self) -> None:
        """At a reached goal: the desk as it was, except for what the goal changed."""
        if self._trace_keeper is not None:
            self._feed.record("put_back", {})
            self._trace_keeper.put_back()

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
        self._keep_sources()
        self._end_grant()
        if self._feed.store is not None:
            self._feed.store.close()
            self._feed.store = None
        self._hear_anew()

    def _keep_sources(self) -> None:
        """Remember whose content the run has read: its account and its map count as made after that."""
        builder, self._builder = self._builder, None
        self._earlier.end(builder.sources if builder is not None else ())
        if builder is not None and builder.mapping is not None:
            builder.mapping.sources |= builder.sources

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
        if self._trace_keeper is not None:
            self._trace_keeper.hear(event)
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


def _clipboard_of(target: Target) -> Clipboard | None:
    """The clipboard that a run keeps for the user; None where there is none to keep."""
    return target.clipboard() if isinstance(target, HasClipboard) else None
