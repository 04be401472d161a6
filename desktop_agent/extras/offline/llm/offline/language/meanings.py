"""Turns a clause's reading into intents: the functions for all the meanings that frames of the lexicon name.

Each takes the slots and what was spoken of so far, and returns the intents, or None when the reading makes no
sense there ("it" with nothing before it). What was spoken of is noted in `Talk`.
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop_agent.extras.offline.llm.offline.language.fact_meanings import FACT_MEANINGS
from desktop_agent.extras.offline.llm.offline.language.file_meanings import FILE_MEANINGS
from desktop_agent.extras.offline.llm.offline.language.form_meanings import FORM_MEANINGS
from desktop_agent.extras.offline.llm.offline.language.referents import Meaning
from desktop_agent.extras.offline.llm.offline.language.screen_meanings import SCREEN_MEANINGS
from desktop_agent.extras.offline.llm.offline.language.search_meanings import SEARCH_MEANINGS
from desktop_agent.extras.offline.llm.offline.language.text_meanings import TEXT_MEANINGS
from desktop_agent.extras.offline.llm.offline.language.window_meanings import WINDOW_MEANINGS

MEANINGS: Mapping[str, Meaning] = {
    **FACT_MEANINGS,
    **SEARCH_MEANINGS,
    **WINDOW_MEANINGS,
    **TEXT_MEANINGS,
    **FILE_MEANINGS,
    **FORM_MEANINGS,
    **SCREEN_MEANINGS,
}
