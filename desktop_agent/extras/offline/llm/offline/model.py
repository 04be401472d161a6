"""The offline model: plans everyday instructions from what it sees, without network or weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.extras.offline.llm.offline import intents as say
from desktop_agent.extras.offline.llm.offline.describe import plan_of
from desktop_agent.extras.offline.llm.offline.intents import Intent
from desktop_agent.extras.offline.llm.offline.moves import Act, Instead, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.options import Options
from desktop_agent.extras.offline.llm.offline.policies import (
    asked_form,
    choosing,
    completing,
    computing,
    copying,
    desk,
    expanding,
    folders,
    forms,
    going,
    intruding,
    known_ways,
    menus,
    opening,
    pointing,
    saving,
    searching,
    switching,
    telling,
    typing,
    welcome,
    windows,
)
from desktop_agent.extras.offline.llm.offline.policies.commands import command_in_sight
from desktop_agent.extras.offline.llm.offline.policies.uncovering import uncover
from desktop_agent.extras.offline.llm.offline.policies.unsent import unsent
from desktop_agent.extras.offline.llm.offline.progress import ASIDE, MAX_SHOWN, Progress
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.extras.offline.llm.offline.sight import usable
from desktop_agent.llm.base import Answer, Conversation, TokenUsage
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.reply import Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation

_POLICIES: Mapping[type, Callable[[Any, Scene], Move]] = {
    say.Open: opening.open_thing,
    say.GoTo: going.go_to,
    say.Search: searching.search,
    say.Click: pointing.click,
    say.ClickAt: pointing.click_at,
    say.Press: typing.press,
    say.TypeText: typing.type_text,
    say.Fill: forms.fill,
    say.FillApart: forms.fill_apart,
    say.Choose: choosing.choose,
    say.Match: completing.match,
    say.Check: switching.check,
    say.Clear: forms.clear,
    say.Submit: forms.submit,
    say.FillForm: asked_form.fill_form,
    say.SendForm: asked_form.send_form,
    say.Scroll: pointing.scroll,
    say.WaitFor: telling.wait_for,
    say.Save: saving.save,
    say.Window: windows.window,
    say.Compute: computing.compute,
    say.CreateFolder: folders.create_folder,
    say.Rename: folders.rename,
    say.Delete: folders.delete,
    say.Menu: menus.menu,
    say.Drag: pointing.drag,
    say.Hover: pointing.hover,
    say.Focus: pointing.focus,
    say.Read: telling.read,
    say.Browse: pointing.browse,
    say.Expand: expanding.expand,
    say.CopyText: copying.copy_text,
    say.Help: telling.help_user,
    say.Unknown: telling.unknown,
    **desk.POLICIES,
}


_NO = "The user said no."  # how the agent words a declined approval


class Planner:
    """Follows one run at a time; what it remembers between turns follows from the conversation."""

    def __init__(self, options: Options) -> None:
        self._home = options.home
        self._progress: Progress | None = None

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        """The next turn. Raises Stopped; never BadReply or ModelError."""
        stop.check()
        progress = self._follow(conversation)
        progress.remember(conversation.deeds)
        progress.listen(conversation)
        reply = _Turn(conversation, observation, progress, self._home or str(Path.home())).reply()
        if reply.notes:
            on_note(reply.notes)
        stop.check()
        return Answer(reply, msgspec.json.encode(reply).decode(), TokenUsage(dollars=0.0))

    def _follow(self, conversation: Conversation) -> Progress:
        known = self._progress
        if known is None or not known.belongs(conversation):
            known = self._progress = Progress.begin(conversation)
        return known


class _Turn:
    """One turn: on from intent to intent while they are fulfilled, until there is something to do or say."""

    def __init__(self, conversation: Conversation, look: Observation, progress: Progress, home: str) -> None:
        self._conversation = conversation
        self._look = look
        self._progress = progress
        self._home = home
        self._notes: list[str] = []

    def reply(self) -> Reply:
        progress, turn = self._progress, self._conversation.turn
        progress.windows_at[turn] = self._look.windows
        progress.usable_before = progress.usable_before or usable(self._look)
        progress.recover(turn)
        if progress.refused_aside(turn):
            progress.memo[known_ways.REFUSED] = "yes"
        if progress.called_off:
            return self._reply((ops.Done("I have left it there, as you said."),))
        intruder = intruding.put_off(self._scene(), progress.worked_in)
        if intruder is not None:
            if intruding.is_begun_again(progress.current):
                progress.begin_again(turn + 1)
            return self._aside(intruder)
        progress.worked_in |= {self._scene().sight.application} - {""}
        self._by_form()
        question = self._unclear()
        if question is not None:
            return question
        while (intent := progress.current) is not None:
            greeting = welcome.out_of_the_way(self._scene())
            if greeting is not None:
                return self._aside(greeting)
            move = self._decide(intent)
            if isinstance(move, Act):
                return self._aside(move) if move.aside else self._act(move)
            if isinstance(move, Question):
                return self._ask(move, progress.index)
            if isinstance(move, Instead):
                self._instead(move)
            else:
                self._reached(move)
        return self._reply((ops.Done(self._summary()),))

    def _by_form(self) -> None:
        """Before anything is done: a goal about the form in sight is read by its labels and choices."""
        progress = self._progress
        if (
            progress.index
            or progress.answered
            or progress.asked_form
            or any(not deed.op.traits.passive for deed in progress.deeds_of_current())
        ):
            return
        understood = bool(progress.intents) and not any(
            isinstance(each, say.Unknown) for each in progress.intents
        )
        if asked_form.asks_for_form(self._conversation.goal, self._scene(), understood=understood):
            progress.asked_form = True
            progress.put_instead_of_all((say.FillForm(self._conversation.goal),), self._conversation.turn)

    def _unclear(self) -> Reply | None:
        """Ask about what is not understood before anything is done about the rest."""
        progress = self._progress
        if not progress.intents:
            return self._ask(telling.help_user(say.Help(), self._scene()), 0)  # type: ignore[arg-type]
        for index in range(progress.index, len(progress.intents)):
            each = progress.intents[index]
            if isinstance(each, say.Unknown):
                meant = command_in_sight(each, self._scene()) or each
                progress.replace(index, meant)
                if isinstance(meant, say.Unknown):
                    return self._ask(telling.unknown(meant, self._scene()), index)  # type: ignore[arg-type]
        return None

    def _decide(self, intent: Intent) -> Move:
        unwanted = self._scene().mishap
        if unwanted is not None and unwanted.detail == _NO:
            return Question("You did not want that. What shall I do instead?")
        if self._scene().unsettled:
            return Act((ops.Wait(0.3),))
        if isinstance(intent, say.When):
            return self._when(intent)
        return _POLICIES[type(intent)](intent, self._scene())

    def _when(self, intent: say.When) -> Move:
        """A condition is looked at for a moment; once something was done for it, it held."""
        scene = self._scene()
        if scene.active_turns or telling.is_there(intent.condition, scene) != intent.absent:
            return _POLICIES[type(intent.then)](intent.then, scene)
        return scene.wait(2) or Reached(f"“{intent.condition}” is {'' if intent.absent else 'not '}there.")

    def _scene(self) -> Scene:
        progress, conversation = self._progress, self._conversation
        return Scene(
            look=self._look,
            operations=conversation.operations,
            turn=conversation.turn,
            since=progress.since,
            deeds=progress.deeds_of_current(),
            answers=progress.answers,
            answered=progress.answered,
            home=conversation.facts.get("home", self._home),
            result=progress.result,
            windows_at=progress.windows_at,
            memo=progress.memo,
            goal=conversation.goal,
            map=conversation.map,
            usable_before=progress.usable_before,
        )

    # ---- replies -----------------------------------------------------------------------------

    def _act(self, move: Act) -> Reply:
        if aside := self._put_aside(move):
            return self._reply(aside.actions)
        self._progress.step_of[self._conversation.turn] = self._progress.index
        self._progress.result = move.result or self._progress.result
        if move.note and move.note != self._progress.last_note:
            self._notes.append(move.note)
            self._progress.last_note = move.note
        return self._reply(move.actions)

    def _put_aside(self, move: Act) -> Act | None:
        """First, and once, what lies over the thing to be clicked."""
        turn, step_of = self._conversation.turn, self._progress.step_of
        aside = None if step_of.get(turn - 1) == ASIDE else uncover(move, self._scene().sight)
        if aside:
            step_of[turn] = ASIDE
        return aside

    def _aside(self, move: Act) -> Reply:
        """Do what belongs to no intent."""
        reply = self._act(move)
        self._progress.step_of[self._conversation.turn] = ASIDE
        return reply

    def _ask(self, question: Question, about: int) -> Reply:
        progress = self._progress
        progress.step_of[self._conversation.turn] = progress.index
        progress.asked, progress.asked_about = question, about
        return self._reply((ops.Ask(question.text[:4_000], question.offered),))

    def _instead(self, move: Instead) -> None:
        if move.note:
            self._notes.append(move.note)
        self._progress.put_instead(move.intents, self._conversation.turn)

    def _reached(self, move: Reached) -> None:
        if move.note:
            self._notes.append(move.note)
        self._progress.reached = move.note
        if move.finding:
            self._progress.findings = (*self._progress.findings, move.finding)
        self._progress.result = move.result or self._progress.result
        self._progress.advance(self._conversation.turn)

    def _summary(self) -> str:
        """What was found out, or else what came of the last step; and what was left for the user to decide."""
        progress = self._progress
        front = f"Done. “{self._look.window}” is in front." if self._look.window else "Done."
        said = progress.findings or (progress.reached or front,)
        said = (*said, unsent(progress.intents, self._scene()))
        return " ".join(each if each.endswith((".", "!", "?")) else f"{each}." for each in said if each)[
            :4_000
        ]

    def _reply(self, actions: tuple[Op, ...]) -> Reply:
        plan, step = self._shown_plan()
        return Reply(notes=" ".join(self._notes)[:4_000], high_level=plan, actions=actions, step=step)

    def _shown_plan(self) -> tuple[tuple[str, ...], int | None]:
        """The plan, or of a long one the part around the current step."""
        plan = plan_of(self._progress.intents)
        if not plan:
            return ("Ask what to do",), 1
        at = min(self._progress.index, len(plan) - 1)
        start = max(0, min(at - MAX_SHOWN // 2, len(plan) - MAX_SHOWN))
        return plan[start : start + MAX_SHOWN], at - start + 1
