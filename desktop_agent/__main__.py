"""Entry of every process of the program: the app, the hand, the guard, the watcher, the clipboard server, the doctor's window."""

from __future__ import annotations

import sys

from desktop_agent.startup.exit_code import exit_code_of


def main() -> int:
    """Run the role that the first argument names, the app when it names none; returns the exit code."""
    return exit_code_of(_start)


def _start() -> int:
    role = sys.argv[1] if len(sys.argv) > 1 else ""
    if role == "_guard":  # before any other import: the guard must be there at once
        from desktop_agent.hand.guard.main import run_guard

        return run_guard(sys.argv[2:])
    if role == "_hand":
        from desktop_agent.hand.injector.main import run_hand
        from desktop_agent.startup.onefile import hide_from_children

        hide_from_children()
        return run_hand(sys.argv[2:])
    if role == "_watcher":
        from desktop_agent.hand.watcher.main import run_watcher

        return run_watcher(sys.argv[2:])
    if role == "_clipboard":
        from desktop_agent.platforms.x11.clipboard.server import main as run_clipboard

        return run_clipboard()
    if role in ("_qt", "_doctor_window"):
        from desktop_agent.doctor.deep import trial_window

        return trial_window.run_qt() if role == "_qt" else trial_window.run_window()
    from desktop_agent.cli import main as run_app
    from desktop_agent.startup.crash_boundary import crash_boundary
    from desktop_agent.startup.onefile import end_with_parent
    from desktop_agent.startup.windows_console import with_console

    def run() -> int:
        end_with_parent()
        with crash_boundary():
            return run_app()

    return with_console(run)


if __name__ == "__main__":
    sys.exit(main())
