"""`desktop-agent runs`: lists, shows, exports and deletes earlier runs.

Exit codes: 0 done, 1 failed, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_agent.commands.run_command import run_command
from desktop_agent.protocol.errors import Refused
from desktop_agent.startup.exit_code import DONE, FAILED
from desktop_agent.support import paths
from desktop_agent.support.terminal_text import json_safe, one_line

if TYPE_CHECKING:
    from desktop_agent.history.run_query import RunQuery
    from desktop_agent.history.run_story import Story
    from desktop_agent.history.run_summary import RunSummary

EXAMPLES = (("runs [WORD]", "earlier runs: list, show, export, delete"),)

COMMANDS = ("list", "show", "export", "delete")


def main(words: Sequence[str], runs: Path | None = None) -> int:
    """Carry out what the arguments say; `runs` is the folder of the runs, the user's own unless told."""
    words = list(words)
    if not words or (words[0] not in COMMANDS and words[0] not in ("-h", "--help")):
        words.insert(0, "list")
    given = _parser().parse_args(words)
    act = {"list": _list, "show": _show, "export": _export, "delete": _delete}[given.command]
    return run_command("runs", partial(act, given, runs or paths.data() / "runs"), Refused)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-agent runs",
        description="Earlier runs: list and search them, see what happened, export them, delete them for good.",
        epilog="Without a command it lists. A run is named as in the list; the beginning of its name will do.",
    )
    commands = parser.add_subparsers(dest="command", metavar="{list,show,export,delete}")
    listing = commands.add_parser("list", help="list the runs, or those with some words")
    listing.add_argument("words", nargs="*", help="words that the goal, notes or texts of the run hold")
    listing.add_argument(
        "--app", default="", metavar="NAME", help="a part of the name of an application or site"
    )
    listing.add_argument("--outcome", metavar="WORD", help="done, verified, stopped, error, cut …")
    listing.add_argument("--since", metavar="DAY", help="from this day on, as in 2026-11-24")
    listing.add_argument("--until", metavar="DAY", help="up to this day")
    listing.add_argument("--min-cost", type=float, metavar="DOLLARS")
    listing.add_argument("--max-cost", type=float, metavar="DOLLARS")
    listing.add_argument("--json", action="store_true", help="print each run as one JSON line")
    showing = commands.add_parser("show", help="what happened in a run, moment by moment")
    showing.add_argument("run")
    showing.add_argument("--json", action="store_true", help="print it as JSON")
    exporting = commands.add_parser(
        "export", help="write a run as a page, film, conversation or failure report"
    )
    exporting.add_argument("run")
    exporting.add_argument("file", type=Path, help="its ending says the kind: .html .mp4 .jsonl .zip")
    exporting.add_argument("--replace", action="store_true", help="write over a file that is there")
    exporting.add_argument(
        "--pictures", action="store_true", help="put the last pictures into a failure report"
    )
    exporting.add_argument("--config", metavar="FILE", type=Path, help="the settings for a failure report")
    deleting = commands.add_parser("delete", help="delete a run for good; asks unless --yes is given")
    deleting.add_argument("run")
    deleting.add_argument("--yes", action="store_true", help="do not ask")
    return parser


# ---- list ------------------------------------------------------------------------------------


def _list(given: argparse.Namespace, runs: Path) -> int:
    from desktop_agent.history.run_index import find_runs

    found = find_runs(runs, _query(given))
    for run in found:
        print(json_safe(msgspec.json.encode(run).decode()) if given.json else "\n".join(_lines(run)))
    if not found and not given.json:
        print("No runs." if not any((given.words, given.app, given.outcome)) else "No such runs.")
    return DONE


def _query(given: argparse.Namespace) -> RunQuery:
    from desktop_agent.history.run_query import RunQuery, day, outcomes_named

    return RunQuery(
        words=" ".join(given.words),
        application=given.app,
        outcomes=outcomes_named(given.outcome) if given.outcome else (),
        since=day(given.since) if given.since else None,
        until=day(given.until) + 86_400 if given.until else None,
        least_dollars=given.min_cost,
        most_dollars=given.max_cost,
    )


def _lines(run: RunSummary) -> Iterator[str]:
    from desktop_agent.history.run_story import clock
    from desktop_agent.history.run_summary import OUTCOME_WORDS, cost_of

    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started)) if run.started else "no time"
    parts = (when, OUTCOME_WORDS[run.outcome], clock(run.seconds), f"{run.steps} steps", cost_of(run))
    yield f"{one_line(run.name)}  {'  '.join(filter(None, parts))}"
    where = f"  ({one_line(', '.join(run.applications), 200)})" if run.applications else ""
    yield f"    {one_line(run.goal, 200) or '–'}{where}"
    yield from (f"    ! {one_line(each, 300)}" for each in run.trouble)


# ---- show, export, delete --------------------------------------------------------------------


def _folder(given: argparse.Namespace, runs: Path) -> Path:
    """The folder of the one run whose name begins so. Raises Refused."""
    from desktop_agent.history.logged_run import run_folders

    name = Path(given.run).name
    found = [each for each in run_folders(runs) if each.name.startswith(name)] if name else []
    exact = [each for each in found if each.name == name]
    if len(exact or found) != 1:
        how = "There is no run" if not found else f"There are {len(found)} runs"
        raise Refused(f"{how} whose name begins with {name!r} in {runs}.", "`desktop-agent runs` lists them.")
    return (exact or found)[0]


def _show(given: argparse.Namespace, runs: Path) -> int:
    from desktop_agent.history.run_story import read_story

    story = read_story(_folder(given, runs))
    print(json_safe(msgspec.json.encode(story).decode()) if given.json else "\n".join(_told(story)))
    return DONE


def _told(story: Story) -> Iterator[str]:
    from desktop_agent.history.moment_words import cost_so_far, heading_of, verdict_word
    from desktop_agent.history.run_story import clock

    yield from (f"! {one_line(each)}" for each in story.trouble)
    for moment in story.moments:
        since = clock(max(0.0, moment.time - story.started))
        cost = cost_so_far(moment)
        yield f"{since:>8}  {one_line(heading_of(moment))}: {one_line(moment.words)}{f'  [{cost}]' if cost else ''}"
        for text in filter(None, (moment.exact, moment.detail)):
            yield f"          {one_line(text)}"
        for each in moment.receipts:
            detail = one_line(each.detail)
            yield f"          {verdict_word(each)}{': ' * bool(detail)}{detail}"


def _export(given: argparse.Namespace, runs: Path) -> int:
    from desktop_agent.history.run_export import EXPORT_WORDS, export_run

    endings = {words.ending: kind for kind, words in EXPORT_WORDS.items()}
    kind = endings.get(given.file.suffix.lower())
    if kind is None:
        raise Refused(f"{given.file.name!r} does not say what to write.", f"Endings: {', '.join(endings)}.")
    settings = given.config or next(
        (f / "config.toml" for f in paths.of_config() if (f / "config.toml").is_file()), None
    )
    export_run(
        _folder(given, runs),
        kind,
        given.file,
        replace=given.replace,
        pictures=given.pictures,
        settings=settings,
    )
    print(f"Written to {given.file}")
    return DONE


def _delete(given: argparse.Namespace, runs: Path) -> int:
    from desktop_agent.history.run_deletion import HONEST_WORDS, delete_run
    from desktop_agent.history.run_story import read_story

    folder = _folder(given, runs)
    if not given.yes and not _agreed(
        f"Delete the run {folder.name} for good ({one_line(read_story(folder).goal, 200)})? {HONEST_WORDS}"
    ):
        return FAILED
    delete_run(runs, folder.name)
    print(f"The run {folder.name} is deleted.")
    return DONE


def _agreed(question: str) -> bool:
    from desktop_agent.startup.windows_console import can_answer

    if not can_answer(sys.stdin):
        print(f"{question} Say --yes to do so.", file=sys.stderr)
        return False
    print(f"{question} [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
