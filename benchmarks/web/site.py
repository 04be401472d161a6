"""Serves the pages of MiniWoB++ on the loopback interface, begins an episode in each and hears how it ended."""

from __future__ import annotations

import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

import msgspec

from benchmarks.report import BenchmarkError
from tests.support import loopback

PATIENCE = 30.0
TICK = 5.0
"""Seconds a page waits for the next one before it asks again."""

_PAGES = "miniwob"
_HEAD = b"</head>"
# As the package's own environment begins an episode, only that the page itself is asked for nothing but the words of
# the task and the reward. What stands outside the task's own area (the last rewards, the clock) is not part of it.
_SCRIPT = Template("""
<style>#reward-display, #click-canvas { display: none; }</style>
<script>
addEventListener("load", () => {
  const tell = (what) => fetch("/told", {method: "POST", body: JSON.stringify({episode: $number, ...what})});
  const next = () => fetch("/next?after=$number").then((r) => r.text()).then((a) => a ? location.replace(a) : next());
  const begin = () => {
    if (typeof core === "undefined") { tell({words: ""}); return; }
    Math.seedrandom($seed);
    core.EPISODE_MAX_TIME = 24 * 60 * 60 * 1000;
    core.startEpisodeReal();
    ready();
  };
  const ready = () => {
    if (!WOB_TASK_READY) { setTimeout(ready, 20); return; }
    const said = core.getUtterance();
    tell({words: typeof said === "string" ? said : said.utterance});
    const watch = setInterval(() => {
      if (!WOB_DONE_GLOBAL) return;
      clearInterval(watch);
      tell({reward: WOB_RAW_REWARD_GLOBAL, reason: String(WOB_REWARD_REASON ?? "")});
    }, 20);
  };
  setTimeout(begin);
  next();
});
</script>
""")
_WAITING = b"<!doctype html><html><head><title>Waiting</title></head><body></body></html>"


@dataclass
class Episode:
    """A task with a seed; `words` is what the page asks for, `reward` the raw one once it has ended."""

    task: str
    seed: int
    number: int = 0
    words: str | None = None
    reward: float | None = None
    reason: str = ""

    @property
    def over(self) -> bool:
        return self.reward is not None


class _Told(msgspec.Struct):
    """What a page says about its episode."""

    episode: int
    words: str | None = None
    reward: float | None = None
    reason: str = ""


@dataclass
class Site:
    """One browser shows one page after the other; `html` is the package's folder of pages."""

    html: Path
    port: int
    current: Episode = field(default_factory=lambda: Episode("", 0))
    _changed: threading.Condition = field(default_factory=threading.Condition)
    ended: bool = False

    @property
    def address(self) -> str:
        """Where the browser begins."""
        return self._page(0)

    def tasks(self) -> list[str]:
        """Names of all tasks there are."""
        return sorted(path.stem for path in (self.html / _PAGES).glob("*.html"))

    def begin(self, task: str, seed: int) -> Episode:
        """Have the browser show a task anew; returns when it has begun. Raises BenchmarkError."""
        with self._changed:
            self.current = Episode(task, seed, self.current.number + 1)
            self._changed.notify_all()
            if not self._changed.wait_for(lambda: self.current.words is not None, PATIENCE):
                raise BenchmarkError(f"the browser does not show {task}")
            return self.current

    def close(self) -> None:
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    # ---- the page's side ---------------------------------------------------------------------

    def _page(self, number: int) -> str:
        return f"http://127.0.0.1:{self.port}/{_PAGES}/{number}"

    def next_address(self, after: int) -> str:
        """Where a page goes on to, "" when it shall ask again."""
        with self._changed:
            self._changed.wait_for(lambda: self.ended or self.current.number > after, TICK)
            return self._page(self.current.number) if self.current.number > after else ""

    def hear(self, said: bytes) -> None:
        told = msgspec.json.decode(said, type=_Told)
        with self._changed:
            if told.episode != self.current.number or self.current.over:
                return  # a page that was left, or a second try on the same page
            if told.words is not None:
                self.current.words = told.words
            self.current.reward, self.current.reason = told.reward, told.reason
            self._changed.notify_all()

    def file(self, path: str) -> tuple[bytes, str]:
        """Body and media type of a path. Raises OSError when there is no such file."""
        if path.startswith(f"/{_PAGES}/") and path.rpartition("/")[2].isdigit():
            return self._begun(int(path.rpartition("/")[2])), "text/html; charset=utf-8"
        found = (self.html / path.lstrip("/")).resolve()
        if not found.is_relative_to(self.html.resolve()):
            raise FileNotFoundError(path)
        return found.read_bytes(), mimetypes.guess_type(found.name)[0] or "application/octet-stream"

    def _begun(self, number: int) -> bytes:
        """The page of an episode, with what begins it."""
        episode = self.current
        page = (self.html / _PAGES / f"{episode.task}.html").read_bytes() if number else _WAITING
        script = _SCRIPT.substitute(number=number, seed=episode.seed)
        before, mark, after = page.partition(_HEAD)
        return before + script.encode() + mark + after


@contextmanager
def served(html: Path) -> Iterator[Site]:
    """The site on a free loopback port, until the context ends."""

    class Handler(loopback.Handler):
        def get(self) -> None:
            path, _, query = self.path.partition("?")
            if path == "/next":
                self.say(site.next_address(int(query.partition("=")[2])).encode(), "text/plain")
                return
            try:
                self.say(*site.file(path))
            except OSError:
                self.send_error(404)

        def post(self) -> None:
            site.hear(self.body())
            self.say(b"", "text/plain")

    with loopback.serving(Handler) as port:
        site = Site(html, port)
        try:
            yield site
        finally:
            site.close()
