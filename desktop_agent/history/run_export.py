"""Exports a run in one of several kinds; the code of each, and the packages it needs, are loaded when it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, get_args

from desktop_agent.history.logged_run import LoggedRun, read_logged_run
from desktop_agent.history.run_story import story_of
from desktop_agent.support.language import later

ExportKind: TypeAlias = Literal["html", "mp4", "jsonl", "bundle"]
EXPORT_KINDS: tuple[ExportKind, ...] = get_args(ExportKind)


class ExportWords(NamedTuple):
    """How a kind of export is called, what it is for, and how its files end."""

    title: str
    about: str
    ending: str


EXPORT_WORDS: dict[ExportKind, ExportWords] = {
    "html": ExportWords(later("Page"), later("One file that plays the run in any browser"), ".html"),
    "mp4": ExportWords(later("Video"), later("MP4, with a zoom on each click"), ".mp4"),
    "jsonl": ExportWords(later("Conversation"), later("JSON lines, for programs"), ".jsonl"),
    "bundle": ExportWords(
        later("Failure report"),
        later("Log, settings, versions and the doctor's report, without secrets"),
        ".zip",
    ),
}


def export_run(
    folder: Path,
    kind: ExportKind,
    path: Path,
    *,
    replace: bool = False,
    pictures: bool = False,
    settings: Path | None = None,
) -> None:
    """Write the run in `folder` at `path`; `pictures` and the file of the `settings` concern a bundle alone.

    Raises ExportError in plain words, ConfigError for a package that is not installed.
    """
    run = read_logged_run(folder)
    if kind == "bundle":
        from desktop_agent.history.exporting.failure_bundle import write_failure_bundle

        write_failure_bundle(run, path, settings=settings, pictures=pictures, replace=replace)
    elif kind == "jsonl":
        from desktop_agent.history.exporting.conversation_jsonl import write_conversation_jsonl

        write_conversation_jsonl(run, path, replace=replace)
    else:
        _export_shown(run, kind, path, replace)


def _export_shown(run: LoggedRun, kind: ExportKind, path: Path, replace: bool) -> None:
    story = story_of(run)
    if kind == "html":
        from desktop_agent.history.exporting.html_page import write_html_page

        write_html_page(story, run.folder, path, replace=replace)
    else:
        from desktop_agent.history.exporting.video_film import write_video_film

        write_video_film(story, run.folder, path, replace=replace)
