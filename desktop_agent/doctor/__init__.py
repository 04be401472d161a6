"""The doctor: reports what works on this machine, what does not, and how to repair it."""

from __future__ import annotations


def run_doctor(json: bool = False, config: str | None = None, deep: bool = False) -> int:
    """Examine the machine, print the findings, and return 0 when the agent can work here, else 1.

    `config` names a config file instead of the usual one. Input is tried on an embedded display only, and
    nothing of the user's is touched; with `deep` mouse and keyboard of the desktop itself are tried.
    """
    from desktop_agent.doctor.report import examine, show  # the parts it looks at may be broken

    checks = examine(config, deep)
    show(checks, json)
    return int(any(check.needed and check.state != "ok" for check in checks))
