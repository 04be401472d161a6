"""Builds the parts of one run and wires them: the loop of a model's turns, or of a policy that outputs numbers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from desktop_agent.agent.acting.environments import Environments, Routes
from desktop_agent.agent.acting.executor import Executor, Hand
from desktop_agent.agent.asking.approval import Approver
from desktop_agent.agent.context.context import Context
from desktop_agent.agent.context.earlier_goals import EarlierGoals
from desktop_agent.agent.context.map_maker import MapMaker
from desktop_agent.agent.context.summary import summary_by
from desktop_agent.agent.dependencies import Circumstances, HandProcesses, Parts
from desktop_agent.agent.inbox import Inbox, Words
from desktop_agent.agent.limits import Budget, RunTime
from desktop_agent.agent.looking.observer import Observer
from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.agent.loop_breaker import LoopBreaker
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.model_dialogue import ModelDialogue
from desktop_agent.agent.notes.note_folder import NoteFolder
from desktop_agent.agent.notes.run_notes import RunNotes
from desktop_agent.agent.own_run import OwnRun
from desktop_agent.agent.port import StepMode
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.agent.prompting.untrusted_blocks import Boundary
from desktop_agent.agent.run_loop import OF_A_SCREEN, OPERATIONS, RunLoop
from desktop_agent.agent.runlog.past_run import PastRun
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.runlog.reward_file import RewardFile
from desktop_agent.agent.verifying.file_receipts import FileEvidence
from desktop_agent.agent.verifying.finishing import Finishing
from desktop_agent.agent.verifying.fresh_question import asked_of
from desktop_agent.llm.base import Model, TokenUsage
from desktop_agent.policy.consent.consent import StandingYes
from desktop_agent.policy.consent.run_scope import RunScope
from desktop_agent.policy.facts.files.file_targets import FileTargets
from desktop_agent.policy.facts.files.open_documents import bare_title
from desktop_agent.policy.facts.files.protected_places import ProtectedPlaces
from desktop_agent.policy.facts.place import Place, Subject
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.facts.scope import EVERYTHING, Scope, parse_grants
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.dialects.base import Dialect
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import Config
from desktop_agent.targets.faces import home_of, programs_of, windows_of
from desktop_agent.tools.base import Environment
from desktop_agent.tools.files import Files

if TYPE_CHECKING:
    from desktop_agent.agent.acting.protected_watch import ProtectedWatch

Spend: TypeAlias = Callable[[TokenUsage], None]
"""Counts the tokens of one call of the model."""


@dataclass
class RunBuilder:
    """Builds the parts of one run, for `goal` or going on from `past`. Call `model_loop` or `own_run`, once.

    Of the session are `parts`, `settings`, `circumstances` and all that outlives a run: `inbox`, `feed`, `standing`,
    `privacy_filter`, `earlier` and `session_map`. `hand` is the bare one; `watch` expects changes of the files that the
    policy lets pass. `grant_over` and `on_work` are those of `Gatekeeper`, `pause_hand`, `put_back` and `stop` those of `RunLoop`.
    """

    parts: Parts
    settings: Config
    circumstances: Circumstances
    goal: Words
    past: PastRun
    inbox: Inbox
    feed: Feed
    standing: StandingYes
    privacy_filter: PrivacyFilter
    earlier: EarlierGoals
    session_map: MapMaker
    hand: HandProcesses
    watch: ProtectedWatch | None
    run_time: RunTime | None
    stop: StopFlag
    step_mode: Callable[[], StepMode]
    grant_over: Callable[[], bool]
    on_work: Callable[[Op, Place], None]
    pause_hand: Callable[[bool], None]
    put_back: Callable[[], None]
    gate: Gatekeeper | None = field(init=False, default=None)
    """The policy of the run of a model, from the moment that it is built."""
    mapping: MapMaker | None = field(init=False, default=None)
    """The map that the run of a model learns, from the moment that it is built."""

    @property
    def model(self) -> Model:
        """The model of this run."""
        return self.goal.thinker or self.parts.model

    @property
    def sources(self) -> frozenset[Subject]:
        """The sources whose content the run has read so far."""
        return self.gate.provenance.taint.sources if self.gate is not None else frozenset()

    # ---- the two loops -----------------------------------------------------------------------

    def model_loop(self, wrapped_hand: Hand) -> RunLoop:
        """The loop of a run in which a model thinks; `wrapped_hand` carries out its batches."""
        agent = self.settings.agent
        memory = RunMemory(self._words, agent.history)
        budget = Budget(agent, self.run_time)

        def spend(usage: TokenUsage) -> None:
            self.feed.emit(budget.spend(usage, memory.turn))

        evidence = self._evidence()
        finishing = self._finishing(evidence, spend)
        gate = self.gate = self._gate_with_scope(evidence)
        self._tell_words(gate)
        environments = self._environments(gate, spend)
        observer = self._observer()
        notes = self._notes(gate)
        earlier = self._earlier_told(gate)
        prompter = self._prompter(environments, notes, earlier)
        mapping = self.mapping = self._map()
        self._begin_map(mapping, gate)
        dialogue = self._dialogue(prompter, environments, spend)
        self.feed.record("conversation", {"mark": prompter.mark, "earlier": earlier})
        self._give_pictures(dialogue, gate)
        if self.past.goal:
            self._restore(memory, budget, dialogue)
        return RunLoop(
            memory=memory,
            observer=observer,
            dialogue=dialogue,
            approver=Approver(self.inbox, self._ask, self.step_mode, gate, self.feed.record),
            executor=self._executor(wrapped_hand, observer, gate, environments),
            budget=budget,
            loops=LoopBreaker(self._words, paced=self.model.support.paces_itself),
            finishing=finishing,
            inbox=self.inbox,
            feed=self.feed,
            pause_hand=self.pause_hand,
            stop=self.stop,
            mapping=mapping,
            notes=notes,
            put_back=self.put_back,
        )

    def own_run(self) -> OwnRun:
        """The parts for a model that works the run by its own loop."""
        gate = self._gatekeeper(Places(self.parts.target, self._own_pids, self._files()), StandingYes())
        return OwnRun(
            goal=self._words,
            target=self.parts.target,
            region=self.circumstances.region,
            privacy_filter=self.privacy_filter,
            hand=self.hand,
            approver=Approver(self.inbox, self._ask, self.step_mode, gate),
            rules=self.settings.scope,
            grant_over=self.grant_over,
            budget=Budget(self.settings.agent, self.run_time),
            inbox=self.inbox,
            feed=self.feed,
            rewards=self._rewards(),
            pause_hand=self.pause_hand,
            stop=self.stop,
        )

    # ---- the goal and where it is worked -----------------------------------------------------

    @property
    def _words(self) -> str:
        """The goal in words, also that of a run that goes on."""
        return self.past.goal or self.goal.text

    @property
    def _dialect(self) -> Dialect:
        """The dialect of the replies; a program's thinker always speaks JSON."""
        return JSON if self.goal.thinker else self.parts.dialect

    @property
    def _own_pids(self) -> frozenset[int]:
        return frozenset(self.circumstances.own_pids)

    @cached_property
    def _offered(self) -> list[Environment]:
        """The environments that offer the model their operations."""
        return [each for each in self.parts.environments if each.offered_to(self.parts.dialect.name)]

    @property
    def _project(self) -> Path | None:
        """The folder of a project that is worked by commands; what is done there is seen in its files."""
        found = (each.folder for each in self.parts.environments if "run" in each.operations)
        return next((folder for folder in found if folder is not None), None)

    @property
    def _workspace(self) -> Path | None:
        """The folder whose files the model may read and write."""
        return next((each.folder for each in self.parts.environments if each.folder is not None), None)

    # ---- policy ------------------------------------------------------------------------------

    def _gate_with_scope(self, evidence: FileEvidence) -> Gatekeeper:
        """The policy of a run of a model, in the scope that the settings grant beforehand."""
        files = self._files(evidence)
        gate = self._gatekeeper(
            Places(self.parts.target, self._own_pids, files, Routes(self._offered).contain), self.standing
        )
        gate.run_scope = self._run_scope()
        return gate

    def _gatekeeper(self, places: Places, standing: StandingYes) -> Gatekeeper:
        return Gatekeeper(
            places,
            self.settings.agent.permission,
            self.settings.scope,
            standing=standing,
            grant_over=self.grant_over,
            on_work=self.on_work,
        )

    def _run_scope(self) -> RunScope:
        """The scope that the settings grant beforehand; the user's words come on top."""
        everything = self.settings.agent.permission == "full"
        scope = EVERYTHING if everything else Scope().widened(*self.circumstances.grants)
        target = self.parts.target
        return RunScope(scope, None if target.screenless else programs_of(target), self.feed.emit)

    def _tell_words(self, gate: Gatekeeper) -> None:
        """Tell the policy the words that the user gave for this run, and the sources that it had read before it goes on."""
        past = self.past
        if past.goal:
            gate.run_scope.restored = parse_grants(past.front, home_of(self.parts.target))
            gate.provenance.restore(past.sources)
        gate.hear(tuple(past.own) if past.goal else self.goal.granting)

    def _files(self, evidence: FileEvidence | None = None) -> FileTargets:
        """Tells the files that operations reach; a file that the user says yes to is no reason to stop."""

        def pass_on(path: str) -> None:
            if evidence is not None:
                evidence.reached(path)
            if self.watch is not None:
                self.watch.expect(path)

        front = next(iter(windows_of(self.parts.target).windows()), None)
        return FileTargets(
            self.circumstances.protected
            or ProtectedPlaces.of_this_user(filter(None, (self.circumstances.notes,)), self._workspace),
            str(self._workspace or ""),
            on_passed=pass_on,
            in_front=bare_title(front.title) if front is not None else "",
        )

    def _ask(self, event: FeedEvent) -> None:
        self.feed.emit(self.privacy_filter.without_private_title(event))

    # ---- acting and looking ------------------------------------------------------------------

    def _executor(
        self, wrapped_hand: Hand, observer: Observer, gate: Gatekeeper, environments: Environments
    ) -> Executor:
        return Executor(
            wrapped_hand,
            self.feed,
            observer,
            self.settings.hand,
            self.inbox,
            gate,
            environments,
            self._rewards(),
            self.past.actions + 1,
            hint_lead=self.circumstances.hint_lead,
            text_limits=self.hand,
            holds_buttons=self._dialect.holds_buttons and self.parts.target.kind != "local",
        )

    def _environments(self, gate: Gatekeeper, spend: Spend) -> Environments:
        """The environments of the run; none for a program's thinker."""
        return Environments(
            () if self.goal.thinker else self._offered,
            self.feed,
            gate.provenance.read,
            self.settings.hand,
            quoted=not self.parts.dialect.screen_last,
            summarize=summary_by(self.model, self.feed, spend),
        )

    def _observer(self) -> Observer:
        parts = self.parts
        return Observer(
            parts.target, self.model, self.circumstances.region, parts.read_words, self.privacy_filter
        )

    def _rewards(self) -> RewardFile | None:
        """Reads the reward after each action; None where no file is named."""
        folder, name = self._workspace, self.settings.agent.reward_file
        return RewardFile(Files(folder), name, self.feed) if folder is not None and name else None

    # ---- finishing ---------------------------------------------------------------------------

    def _evidence(self) -> FileEvidence:
        """The files as they are when the run begins: of the project, else of the user's home."""
        project, target = self._project, self.parts.target
        home = str(project or home_of(target))
        elsewhere = target.files_elsewhere and project is None
        return FileEvidence(home, time.time_ns(), self.past.worked, elsewhere)

    def _finishing(self, evidence: FileEvidence, spend: Spend) -> Finishing:
        support = self.model.support
        finishing = Finishing(
            evidence,
            proves_done=support.proves_done,
            unshown_done=support.unshown_done,
            conversing=self.circumstances.conversing and not self.goal.by,
        )
        finishing.hear((self._words, *(text for _, text in self.past.said)))
        finishing.fresh = asked_of(self.model, self.feed, spend)
        return finishing

    # ---- the conversation with the model -----------------------------------------------------

    def _prompter(self, environments: Environments, notes: RunNotes | None, earlier: str) -> Prompter:
        dialect = self._dialect
        return Prompter(
            self._operations(environments, remembers=notes is not None),
            dialect.max_actions if dialect.long_replies else self.settings.agent.max_actions,
            Boundary(self.past.mark or None),
            dialect=dialect,
            notes=notes.told() if notes is not None and self.model.support.messages else "",
            earlier=earlier,
            environments=environments if dialect.screen_last else None,
        )

    def _operations(self, environments: Environments, *, remembers: bool) -> tuple[str, ...]:
        """The names of the operations that the model is offered."""
        unoffered = set() if remembers else {"remember"}
        if self.parts.target.screenless:
            unoffered |= OF_A_SCREEN
        news = any(each.brings_news for each in self._offered)
        if not news and "wait_for_news" not in self.parts.dialect.covered:
            unoffered.add("wait_for_news")
        own = (name for name in OPERATIONS if name not in unoffered)
        operations = (*own, *environments.operations)
        known = self._dialect.operations
        return operations if known is None else tuple(each for each in operations if each in known)

    def _dialogue(self, prompter: Prompter, environments: Environments, spend: Spend) -> ModelDialogue:
        """The conversation with the model; it goes on from the run before, or from what the session remembers."""
        anew = self.model.support.messages and not self.past.goal
        told = self.parts.remembered() if anew else self.past.messages
        return ModelDialogue(
            self.model,
            prompter,
            self.inbox,
            self.feed,
            Context(self.feed, told),
            environments=environments.told,
            spend=spend,
        )

    def _notes(self, gate: Gatekeeper) -> RunNotes | None:
        """The notes for the run; None where they are switched off. A run that another program began has none: they are the user's."""
        folder = self.circumstances.notes
        if folder is None or self.goal.by:
            return None
        return RunNotes(NoteFolder(folder), self.past.folder.name, gate.provenance)

    def _earlier_told(self, gate: Gatekeeper) -> str:
        """The account of the runs before, which counts as made after reading what they had read.

        A run that another program began is told nothing: what was said is the user's.
        """
        if self.past.goal:
            return self.past.earlier
        if self.goal.by or not self.model.support.messages:
            return ""
        told, sources = self.earlier.account()
        gate.provenance.see_sources(sources)
        return told

    def _map(self) -> MapMaker:
        """The session's map; a run that another program began has one of its own."""
        return MapMaker() if self.goal.by or self.goal.thinker else self.session_map

    def _begin_map(self, mapping: MapMaker, gate: Gatekeeper) -> None:
        """Go on with the map in this run; what it tells a model counts as read."""
        mapping.begin()
        if mapping.map.places and self.model.support.messages:
            gate.provenance.see_sources(mapping.sources)

    def _give_pictures(self, dialogue: ModelDialogue, gate: Gatekeeper) -> None:
        """Give the model the pictures that the user gave; they count as seen."""
        pictures, past = dialogue.pictures, self.past
        if pictures.restore(past.pictures, past.folder) or pictures.give(1, self.goal.pictures):
            gate.provenance.see_given_picture()

    def _restore(self, memory: RunMemory, budget: Budget, dialogue: ModelDialogue) -> None:
        """Go on where the run was cut short."""
        past = self.past
        memory.restore(past)
        budget.restore(past.spent, past.last, past.turn)
        dialogue.resume(past.turn, past.told_words)
