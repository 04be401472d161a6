"""`desktop-agent scene`: lists simulated desktops, opens one to work oneself or to edit, checks and begins scene files.

Exit codes: 0 done, 1 a file is wrong or cannot be read or written, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from desktop_agent.commands.run_command import run_command
from desktop_agent.extras.avis.simulation import scene_file
from desktop_agent.extras.avis.simulation.faults import FAULTS
from desktop_agent.extras.avis.simulation.scene_file import SceneFile
from desktop_agent.extras.avis.simulation.skins import SKINS
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.startup.exit_code import DONE, FAILED
from desktop_agent.support import config, paths, resources
from desktop_agent.support.language import language_in_use, language_of_system, use_language
from desktop_agent.support.terminal_text import one_line

EXAMPLES = (("scene [NAME]", "simulated desktops: list them, work one yourself, --edit one"),)

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def main(words: Sequence[str]) -> int:
    """Do what the arguments say."""
    parser = _parser()
    given = parser.parse_args(list(words))
    if given.edit and given.scene is None and not (given.check or given.new):
        parser.error("say which scene: desktop-agent scene NAME --edit")
    return run_command("scene", lambda: _act(given), Refused)


def _act(given: argparse.Namespace) -> int:
    if given.check:
        return _check(given.check)
    if given.new:
        return _new(given.new)
    if given.scene is not None:
        return _open(given)
    print("\n".join(_gallery()))
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-agent scene",
        description="Simulated desktops: small programs in memory, with goals, to practise and to measure with.",
        epilog='Without a scene it lists them. An agent works one by: desktop-agent --target simulated:NAME "GOAL"',
    )
    add = parser.add_argument
    add("scene", nargs="?", metavar="NAME|FILE", help="open this scene in a window to work it yourself")
    add("--edit", action="store_true", help="open it beside its text, to change it")
    add("--skin", choices=SKINS, default="light", help="how it looks")
    add("--fault", choices=FAULTS, default="", help="what goes wrong in it")
    add("--seed", type=int, default=0, metavar="N", help="what skin and fault draw their lots by")
    add("--check", nargs="+", metavar="FILE", help="say what is wrong with scene files")
    add("--new", metavar="NAME", help="write a small scene that works to your own scenes")
    return parser


# ---- in the terminal --------------------------------------------------------------------------------


def _gallery() -> Iterator[str]:
    """The scenes with their titles and goals; the user's own after the program's."""
    own = scene_file.own_scene_names()
    for name in (*scene_file.scene_names(), *own):
        try:
            scene = scene_file.load_scene(name)
        except ConfigError as error:
            yield f"{name}  ! {one_line(str(error), 200)}"
            continue
        yield f"{name}  {one_line(scene.title)}{'  (your own)' if name in own else ''}"
        yield from (f"    {one_line(words, 160)}" for words in _goals(scene))


def _goals(scene: SceneFile) -> Iterator[str]:
    code = language_in_use()
    return (each.say.get(code) or each.say["en"] for each in scene.goals)


def _check(files: Sequence[str]) -> int:
    """Say of each file what is wrong with it, with the place in the file."""
    wrong = 0
    for each in files:
        try:
            scene = scene_file.load_scene(each)
        except ConfigError as error:
            wrong += 1
            print(f"{each}: {error.message}")
        else:
            print(f"{each}: right, with {len(scene.goals)} {'goal' if len(scene.goals) == 1 else 'goals'}")
    return FAILED if wrong else DONE


def _new(name: str) -> int:
    """Write the template as a scene of the user's own; nothing is replaced."""
    if not _NAME.fullmatch(name):
        raise Refused(f"{name!r} is no name for a scene.", "Use small letters, digits, _ and -.")
    if name in scene_file.scene_names():
        raise Refused(f"The program has a scene {name} itself.", "Choose another name.")
    path = scene_file.own_folder() / f"{name}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(resources.text("simulation", "templates", "new_scene.json"))
    except FileExistsError:
        raise Refused(f"{path} is there already.", "Choose another name, or edit it.") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error
    print(f"{path} is written.\nChange it: desktop-agent scene {name} --edit")
    return DONE


# ---- in a window ------------------------------------------------------------------------------------


def _open(given: argparse.Namespace) -> int:
    from desktop_agent.startup.assembly import has_display

    if not has_display():
        raise ConfigError(
            "There is no display here for a window.",
            f'An agent works it without one: desktop-agent --no-window --target simulated:{given.scene} "GOAL"',
        )
    settings = config.load(config.find_file(None, paths.of_config()))
    language = settings.window.language
    use_language(language_of_system() if language == "system" else language)
    theme = None if settings.window.theme == "system" else settings.window.theme
    from desktop_agent.extras.avis.targets.simulated import Options
    from desktop_agent.extras.avis.ui.run_scene import (  # Qt is loaded only for the window
        run_editor,
        run_scene,
    )

    options = Options(scene=given.scene, skin=given.skin, fault=given.fault, seed=given.seed)
    if given.edit:
        path = scene_file.scene_path(given.scene)
        if not path.is_file():
            raise ConfigError(f"There is no scene {given.scene}.", _names())
        return run_editor(path, options, paths.settings(), theme)
    return run_scene(options, paths.settings(), theme)


def _names() -> str:
    known = (*scene_file.scene_names(), *scene_file.own_scene_names())
    return f"Name a file, or one of {', '.join(known)}. --new NAME begins one."
