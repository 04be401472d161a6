"""Saves a picture of every window in every state: python -m tests.ui.gallery FOLDER [WORD …].

Words choose the states whose names hold one of them. With `--baselines` in place of the folder it writes anew how all
windows look (tests/ui/baselines), to be read before it is committed. In the environment: SCALE of the windows (1),
TONGUES (en,de) and LOOKS (light,dark,contrast).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

from desktop_agent.support.language import LANGUAGES
from desktop_agent.targets import display
from desktop_agent.ui.widgets.theme import MODES
from tests.ui.baselines import FAMILY, write_baselines
from tests.ui.every_window import STATES
from tests.ui.shown_windows import ShownWindows
from tests.ui.wanted_look import Wanted


def save_pictures(environment: Mapping[str, str], folder: Path, words: Sequence[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    states = [each for each in STATES if not words or any(word in each for word in words)]
    modes = [each for each in MODES[1:] if each in os.environ.get("LOOKS", ",".join(MODES))]
    languages = [each for each in LANGUAGES if each in os.environ.get("TONGUES", ",".join(LANGUAGES))]
    with tempfile.TemporaryDirectory() as place:
        windows = ShownWindows(environment, Path(place), FAMILY, float(os.environ.get("SCALE", "1")))
        for state, mode, language in product(states, modes, languages):
            file = folder / f"{state.replace(' ', '-')}.{mode}.{language}.png"
            windows.show(Wanted(state, mode, language, picture=str(file.resolve())))
        windows.close()


def main() -> None:
    first = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if first.startswith("-") and first != "--baselines":
        raise SystemExit(__doc__)
    target = display.create(display.Options(width=1280, height=900))
    target.start()
    try:
        if first == "--baselines":
            write_baselines(target.environment)
        else:
            save_pictures(target.environment, Path(first), sys.argv[2:])
    finally:
        target.stop()


if __name__ == "__main__":
    main()
