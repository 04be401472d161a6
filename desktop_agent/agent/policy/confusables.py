"""One spelling for texts that look the same: case, width, accents, invisible and look-alike characters."""

from __future__ import annotations

import re
import unicodedata

# Letters of other scripts that pass for Latin ones (the common part of Unicode's confusables, UTS 39),
# in lower case: a capital is folded first.
_LOOK_ALIKES = str.maketrans(
    "авеԁһіӏјԛмнкорсѕтухѵԝьгпαβγδεζηικμνοπρστυχωոսցօքհɑɡɩıłøđħŧ",
    "abedhiljqmhkopcstyxvwbrnabydeznikuvonpotuxwnugophagiilodht",
)
# What passes for another letter within a word, as in "1nstall" and "AIIow".
_SKELETON = str.maketrans("i1|!0$@35", "llllosaes")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)


def fold(text: str) -> str:
    """Case, width, accents, invisible characters and look-alike letters made one; blanks collapsed."""
    plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    bare = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return " ".join(unicodedata.normalize("NFC", bare).translate(_LOOK_ALIKES).split())


def skeleton(text: str) -> str:
    """The folded text with what passes for another letter made one too: for comparing names."""
    return fold(text).translate(_SKELETON).replace("rn", "m").replace("vv", "w")
