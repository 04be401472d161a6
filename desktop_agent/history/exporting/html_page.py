"""Writes a run as one page that plays it: pictures within, no address, nothing loaded, nothing of the run carried out.

Every text of a run is another's: it goes into the page as JSON data in which no markup can stand, and the page's own
script shows it as text. The page's policy allows its one script and style by their hashes and forbids every request.
"""

from __future__ import annotations

import base64
import hashlib
import html
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.agent.bill_words import run_in_a_line
from desktop_agent.history.exporting.export_file import written_whole
from desktop_agent.history.moment_words import cost_so_far, heading_of, verdict_word, words_of_moment
from desktop_agent.history.run_picture_files import media_type, picture_bytes
from desktop_agent.history.run_story import Moment, Story, offsets_of
from desktop_agent.history.run_summary import OUTCOME_WORDS
from desktop_agent.support import resources
from desktop_agent.support.language import tr, tr_sentence
from desktop_agent.support.terminal_text import visible


def write_html_page(story: Story, run: Path, path: Path, *, replace: bool = False) -> None:
    """Write the story, with its pictures from the folder of the run, as a page at `path`. Raises ExportError."""
    with written_whole(path, replace=replace) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for piece in _page(story, run):
            file.write(piece)


def _page(story: Story, run: Path) -> Iterator[str]:
    style, script = (resources.text("history", f"player.{kind}") for kind in ("css", "js"))
    policy = f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    body = resources.text("history", "player.html")
    title = html.escape(story.goal[:120] or story.name)
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
    )
    yield f'<script type="application/json" id="run">{_data(_told(story))}</script>\n'
    for number, picture in enumerate(story.pictures):
        encoded = base64.b64encode(picture_bytes(run, picture)).decode("ascii")
        kind = media_type(picture)
        yield (
            f'<script type="text/plain" id="picture-{number}">{kind};base64,{encoded}</script>\n'
            if encoded
            else ""
        )
    yield f"<script>{script}</script>\n</body>\n</html>\n"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _data(value: object) -> str:
    """JSON that can end no element and begin no comment, whatever is in it."""
    text = msgspec.json.encode(value).decode()
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _told(story: Story) -> dict[str, Any]:
    return {
        "goal": story.goal,
        "facts": [
            time.strftime("%Y-%m-%d %H:%M", time.localtime(story.started)),
            tr(OUTCOME_WORDS[story.outcome]),
            run_in_a_line(story.usage) if story.usage else "",
        ],
        "trouble": [tr_sentence(each) for each in story.trouble],
        "plans": story.plans,
        "offsets": [round(each, 3) for each in offsets_of(story.moments)],
        "moments": [_moment(each, story.started) for each in story.moments],
        "words": {
            "play": tr("Play"), "pause": tr("Pause"), "plan": tr("Plan"), "nothing": tr("No picture was kept."),
        },
    }  # fmt: skip


def _moment(each: Moment, started: float) -> dict[str, Any]:
    words, detail = words_of_moment(each)
    found = {
        "kind": each.kind,
        "head": heading_of(each),
        "words": words,
        "exact": visible(each.command or each.exact),
        "output": visible(each.output.strip("\n")),
        "detail": detail,
        "picture": each.picture,
        "at": each.at,
        "to": each.to,
        "plan": each.plan,
        "step": each.step,
        "since": round(each.time - started, 1),
        "cost": cost_so_far(each),
        "receipts": [
            (one.verdict, verdict_word(one), tr_sentence(one.detail, "evidence")) for one in each.receipts
        ],
    }
    return {name: value for name, value in found.items() if value not in ("", None, [])}
