"""How an address of a page is written."""

from __future__ import annotations

import re

ADDRESS = re.compile(
    r"(?:https?|file|ftp|about|chrome)://?\S*|about:\S+|localhost(?::\d+)?(?:/\S*)?|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:/\S*)?"
    r"|(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|dev|de|no|uk|fr|it|es|nl|eu|ch|at|se|us|info|ai|app|co|me|tv)(?::\d+)?(?:[/?#]\S*)?",
    re.I,
)
