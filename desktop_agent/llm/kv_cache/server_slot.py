"""Keeps the cache of llama.cpp's one slot over restarts: reads it back before the first question, saves it now and then.

https://github.com/ggml-org/llama.cpp/tree/master/tools/server (POST /slots/{id}?action=save|restore)
"""

from __future__ import annotations

import http.client
import json
import logging
import math
import time
from typing import Any
from urllib.parse import urlsplit

from desktop_agent.llm.kv_cache.slot_files import SlotFiles

EVERY = 8
"""Questions from one saving to the next."""
CHEAP = 0.5
"""Seconds that saving may take between two questions; where the last took longer or failed, it is done at the end alone."""
LONGEST = 15.0
"""Seconds that reading back or saving may take at all."""

log = logging.getLogger(__name__)


class SlotRefused(Exception):
    """The server did not save or restore; the message says why."""


class ServerSlot:
    """The slot of the server at `address`, kept in `files`."""

    def __init__(self, address: str, token: str, files: SlotFiles) -> None:
        self._address, self._token, self._files = address, token, files
        self._begun = False
        self._system = ""
        self._asked = 0  # since it was saved
        self._saved = False
        self._took = 0.0

    def begin(self, system: str) -> None:
        """Before a question: read back what was saved, once, where the question begins like that."""
        self._system = system
        if self._begun:
            return
        self._begun = True
        name = self._files.usable(system)
        if not name:
            return
        try:
            done = self._ask("restore", name)
        except (OSError, http.client.HTTPException, SlotRefused) as error:
            log.warning("the saved cache could not be read back and is made anew: %s", error)
            self._files.forget()
        else:
            log.info("%s tokens of the last conversation were read back", done.get("n_restored"))

    def asked(self) -> None:
        """After a question, whatever came of it: the slot has read it."""
        self._asked += 1

    def save_if_due(self) -> None:
        """Between two questions: save where that is due and quick."""
        due = not self._saved or self._asked >= EVERY
        if due and self._took <= CHEAP:
            self.save()

    def save(self) -> None:
        """Save what the slot has read, unless nothing has been asked since; a failure is logged."""
        if not self._asked:
            return
        began = time.monotonic()
        try:
            with self._files.saving(self._system) as name:
                done = self._ask("save", name)
        except (OSError, http.client.HTTPException, SlotRefused) as error:
            log.warning("the cache could not be saved: %s", error)
            self._took = math.inf
        else:
            log.info("saved %s tokens in %s bytes", done.get("n_saved"), done.get("n_written"))
            self._took = time.monotonic() - began
        self._asked, self._saved = 0, True

    def close(self) -> None:
        """Save a last time and leave the files to others."""
        self.save()
        self._files.close()

    def _ask(self, action: str, name: str) -> dict[str, Any]:
        connection = http.client.HTTPConnection(urlsplit(self._address).netloc, timeout=LONGEST)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"}
        try:
            connection.request(
                "POST", f"/slots/0?action={action}", json.dumps({"filename": name}).encode(), headers
            )
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise SlotRefused(f"{answer.status} {body[:300].decode('utf-8', 'replace')}")
        try:
            done = json.loads(body)
        except ValueError as error:
            raise SlotRefused(f"what it says is no JSON: {body[:100]!r}") from error
        return done if isinstance(done, dict) else {}
