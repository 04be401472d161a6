"""The doctor: says what works on this machine, what does not, and how to mend it."""

from __future__ import annotations


def run_doctor(json: bool = False, config: str | None = None, deep: bool = False) -> int:
    """Examine the machine, print the findings, and return 0 when the main job can be done, else 1.

    `config` names a config file instead of the usual one. Nothing that belongs to the user is
    touched, input is tried only on an embedded display; but for `deep`, which works the desktop itself.
    """
    from desktop_agent.doctor.report import examine, show  # the parts it looks at may be broken

    checks = examine(config, deep)
    show(checks, json)
    return int(any(check.needed and check.state != "ok" for check in checks))
