"""Which tests are run under Windows Python, and beside which others: what cannot differ there is left to `./test all`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

OF_WINDOWS = "test_*_on_windows.py"
"""Tests of what only Windows has: hooks, real input, windows."""
LEFT_OUT = {
    "tests/llm": "requests and answers of model providers, made of text; that their SDKs load there is in tests/contract",
    "tests/protocol": "replies read and judged, without a system",
    "tests/vision": "sums over pixels and trees in memory",
    "tests/bench": "the benchmarks' own parts, which are for Linux but one",
    "tests/agent": "rules and words of a run on parts in memory; what writes files or takes pictures is kept",
    "tests/policy": "rules and words of a run on parts in memory; what writes files is kept",
    "tests/contract/test_dialects.py": "texts read by rules",
    "tests/contract/test_model_failures.py": "answers of model providers",
    "tests/extras/avis": "a desktop in memory, and scripts in a sandbox of Linux",
    "tests/extras/camera": "pixels and texts judged in memory, devices and shells of Linux; cameras are an extra that is not in the package",
    "tests/extras/console/ui": "windows on a private X display",
    "tests/extras/local": "answers of a model on this machine, and what it has read put into files",
    "tests/extras/offline": "goals read and carried out in memory; the program's own runs are played in the scenarios",
    "tests/extras/console/test_console_bench.py": "hundreds of requests judged by rules; the server itself is in tests/extras/console/page",
    "tests/extras/console/page/test_access.py": "a table of requests and what is allowed",
    "tests/extras/ticks": "rules of a run on parts in memory; what writes files or takes pictures is kept",
    "tests/installer": "the project's own files, and the Linux side of this check",
    "tests/jobs/test_controller_examples.py": "rules on an input in memory",
    "tests/platforms/allowed_network": "rules about addresses",
    "tests/extras/sandbox/rfb": "another computer's protocol, in bytes",
    "tests/redaction/test_redactor.py": "texts rewritten in memory; streams and files are in test_sinks",
    "tests/redaction/test_transformed_secrets.py": "texts rewritten in memory",
    "tests/setup/test_locks.py": "the project's own files",
    "tests/setup/test_package_rules.py": "the project's own files",
    "tests/startup/test_licences.py": "the build writes them by the same code, and fails where one is missing",
    "tests/support/test_language.py": "the project's own files",
    "tests/support/test_registrable_domain.py": "texts judged by rules",
    "tests/support/test_sentences.py": "the project's own files",
    "tests/support/test_terminal_text.py": "texts rewritten in memory",
    "tests/support/test_web_origin.py": "texts judged by rules",
    "tests/ui": "windows on a private X display; the program's own window is played in the scenarios",
    "tests/test_key_trial.py": "answers of model providers; the store is in what is kept",
}
"""What is left out, folders and files, and why it cannot differ on Windows."""
KEPT = frozenset((
    # Files, their locks, names and paths; pictures written; what a run that was cut short left.
    "tests/agent/test_audit.py", "tests/agent/test_file_changes.py", "tests/policy/test_file_targets.py",
    "tests/extras/ticks/test_forbidden_places.py", "tests/agent/test_full_disk.py", "tests/agent/test_goal_pictures.py",
    "tests/agent/test_hash_chained_log.py", "tests/agent/test_keyframes.py", "tests/extras/ticks/test_masked_frames.py",
    "tests/agent/test_notes.py", "tests/policy/test_protected_places.py", "tests/agent/test_protected_watch.py",
    "tests/agent/test_replayed_run.py", "tests/agent/test_resumed_run.py", "tests/agent/test_reward_file.py",
    # The clipboard, days in the system's language, and a whole run.
    "tests/agent/test_clipboard_keeper.py", "tests/policy/test_named_days.py", "tests/agent/test_run_loop.py",
    # Keys in the system's store, local servers.
    "tests/llm/test_keys.py", "tests/llm/test_local_servers.py",
))  # fmt: skip
"""Files in folders of LEFT_OUT that are run all the same."""
WITH_MOST = frozenset(("tests/setup/test_start_on_windows.py",))
"""Of those of Windows: commands that touch no desktop are run beside the others, two at a time."""
TOGETHER = frozenset((
    "tests/hand/test_log_head_keeper_on_windows.py", "tests/llm/test_keys_on_windows.py",
    "tests/platforms/windows/test_busy_on_windows.py", "tests/platforms/windows/test_session_on_windows.py",
    "tests/platforms/windows/test_top_windows_on_windows.py", "tests/startup/test_jump_list_on_windows.py",
    "tests/startup/test_taskbar_progress_on_windows.py", "tests/vision/test_uia_on_windows.py",
))  # fmt: skip
"""Of those of Windows, what sets no hook: one Windows does for them, one after the other."""


def ignored(root: Path) -> Iterator[str]:
    """Pytest's words, to be followed by "tests", that leave all but the most of the tests in `root`."""
    for file in sorted((root / "tests").rglob("test_*.py")):
        name = file.relative_to(root).as_posix()
        of_windows = file.match(OF_WINDOWS) and name not in WITH_MOST
        if of_windows or (name not in KEPT and any(_in(name, each) for each in LEFT_OUT)):
            yield f"--ignore={name}"
    # What the tests of a folder share is loaded wherever the folder is looked into.
    for place in LEFT_OUT:
        if (root / place).is_dir() and not any(_in(name, place) for name in KEPT | WITH_MOST):
            yield f"--ignore={place}"


def boots(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Names and files of what has a Windows of its own.

    Wine's server miscounts hooks when threads of many processes come and go with them.
    """
    yield "without hooks", sorted(TOGETHER)
    for file in sorted((root / "tests").rglob(OF_WINDOWS)):
        name = file.relative_to(root).as_posix()
        if name not in TOGETHER | WITH_MOST:
            yield file.stem, [name]


def _in(name: str, place: str) -> bool:
    return name == place or name.startswith(f"{place}/")
