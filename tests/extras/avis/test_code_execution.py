"""Code in a virtual UI: what is permitted, what is executed, what is shown and logged; and the hardware's status."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.extras.avis.service import (
    AIPermissionSet,
    AISimulationControlService,
    AIVirtualInputService,
    ExecutionResult,
    ResourceAwarenessService,
    SandboxedPython,
    ScriptLimits,
    hardware_words,
    simulation_control_service,
    virtual_input_service,
)
from desktop_agent.platforms.script_limits import ScriptEnd
from desktop_agent.protocol.errors import ConfigError, Stopped, TargetError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup import settings_confirmation
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support import config, paths
from desktop_agent.support.confirmed_settings import ConfirmedSettings
from tests.extras.avis.virtual_uis import ALL, CODE_UI, NOTHING, boxed, service, value_of

CODE: AIPermissionSet = {"can_execute_code": True, "can_read_sim_hw_status": False}
DECLARED = {"processor": "Z80", "cores": 1, "memory_total": 2048, "memory_available": 1024, "gpu": "none"}


class NoSandbox:
    """A computer on which no sandbox can be had; it counts how often one was wanted."""

    wanted = 0

    def run(self, code: str, check: Callable[[], None]) -> ScriptEnd:
        self.wanted += 1
        raise TargetError("No sandbox can be had here.", "Install bubblewrap.")


def lab(permissions: AIPermissionSet = CODE, **more: Any) -> AIVirtualInputService:
    return service(CODE_UI, permissions, **more)


# ---- what is executed ----------------------------------------------------------------------------


@boxed
def test_code_is_typed_run_by_a_click_and_its_result_read() -> None:
    avis = lab()
    avis.type_string("import sys\nprint(6 * 7)\nprint('warned', file=sys.stderr)", "code_editor")
    assert avis.click_element("run_code_button")["outcome"] == "done"
    output = value_of(avis, "code_output_display")
    assert output == "The script ended with exit code 0.\nstdout:\n42\nstderr:\nwarned"


@boxed
def test_an_attempt_is_logged_with_its_code_and_permissions() -> None:
    avis = lab()
    avis.type_string("print(1)", "code_editor")
    avis.click_element("run_code_button")
    attempt, click = avis.action_log[-2:]
    assert (attempt["code"], attempt["permissions"]) == ("print(1)", CODE)
    assert (attempt["outcome"], attempt["element_id"]) == ("done", "run_code_button")
    assert click["command"]["action_type"] == "click" and click["code"] is None  # type: ignore[typeddict-item]


@boxed
def test_a_script_that_fails_or_takes_too_long_was_executed() -> None:
    avis = lab(limits=ScriptLimits(seconds=3))
    failed = avis.process_code_execution_command("import sys; sys.exit(3)")
    assert failed["execution_success"] and failed["script_exit_code"] == 3
    assert failed["status_message"] == "The script failed with exit code 3."
    late = avis.process_code_execution_command("while True: pass")
    assert late["execution_success"] and late["script_exit_code"] == 137
    assert "longer than 3 seconds" in late["status_message"]
    assert value_of(avis, "code_output_display") == late["status_message"]
    assert [each["outcome"] for each in avis.action_log] == ["failed", "failed"]
    assert failed["request_id"] != late["request_id"]


@boxed
@pytest.mark.parametrize("key", ["space", "enter"])
def test_a_key_on_the_button_runs_it_too(key: str) -> None:
    avis = lab()
    avis.type_string("print('by key')", "code_editor")
    avis.special_key(key, "run_code_button")
    assert "by key" in value_of(avis, "code_output_display")


@boxed
def test_a_stop_ends_the_script_and_nothing_stays_pressed() -> None:
    stop = StopFlag()
    avis = lab(stop=stop, limits=ScriptLimits(seconds=120))
    avis.type_string("while True: pass", "code_editor")
    threading.Timer(0.3, stop.set, ["Esc"]).start()
    with pytest.raises(Stopped):
        avis.click_element("run_code_button")
    assert (avis.action_log[-1]["outcome"], avis.action_log[-1]["code"]) == ("failed", "while True: pass")
    assert not avis.desktop.buttons


@boxed
def test_the_scene_is_done_by_running_code() -> None:
    avis = virtual_input_service(permissions=ALL)
    avis.load_scene("code_lab")
    avis.type_string(
        "print(sum(n for n in range(2, 1000) if all(n % d for d in range(2, n))))", "code_editor"
    )
    avis.click_element("run_code_button")
    avis.type_string(value_of(avis, "code_output_display").split()[-1], "primes")
    avis.click_element("save")
    assert avis.desktop.store["sheet"] == {"primes": "76127", "median": ""}


# ---- what is not ---------------------------------------------------------------------------------


def test_without_the_permission_nothing_is_executed_whichever_way_it_is_asked_for() -> None:
    runner = NoSandbox()
    control = AISimulationControlService(lambda: NOTHING, ResourceAwarenessService(), runner)
    avis = AIVirtualInputService(control)
    avis.load_virtual_ui(CODE_UI)
    avis.type_string("print(1)", "code_editor")
    click = avis.click_element("run_code_button")
    assert click["outcome"] == "refused" and "can_execute_code" in click["outcome_message"]
    assert "Not executed: Executing code is not permitted" in value_of(avis, "code_output_display")
    for result in (
        avis.process_code_execution_command("print(1)"),
        control.execute_ai_code("print(1)", ALL),
    ):
        assert not result["execution_success"] and result["script_exit_code"] is None
        assert "can_execute_code" in result["status_message"]
    attempts = [each for each in avis.action_log if each["permissions"] is not None]
    assert [each["outcome"] for each in attempts] == ["refused", "refused"]
    assert [each["code"] for each in attempts] == ["", "print(1)"], "the button does not even read the editor"
    assert runner.wanted == 0


def test_the_input_service_does_not_even_ask_for_what_it_knows_is_not_granted() -> None:
    class Counting(AISimulationControlService):
        asked = 0

        def execute_ai_code(self, *given: Any, **more: Any) -> ExecutionResult:
            self.asked += 1
            return super().execute_ai_code(*given, **more)

    permissions = dict(NOTHING)
    control = Counting(lambda: permissions, ResourceAwarenessService(), NoSandbox())  # type: ignore[arg-type, return-value]
    avis = AIVirtualInputService(control)
    avis.load_virtual_ui(CODE_UI)
    avis.type_string("print(1)", "code_editor")
    avis.click_element("run_code_button")
    avis.process_code_execution_command("print(1)")
    permissions["can_execute_code"] = True
    control.refresh()
    assert not avis.process_code_execution_command("print(1)")["execution_success"]
    assert control.asked == 0, "what was granted meanwhile counts from the next refresh on"
    avis.refresh_simulation_status()
    assert "No sandbox" in avis.process_code_execution_command("print(1)")["status_message"]
    assert control.asked == 1


def test_the_callers_permissions_can_only_narrow() -> None:
    control = simulation_control_service(permissions=ALL)
    for stricter in (NOTHING, {}, {"can_execute_code": 1}, {"can_execute_code": "yes"}):
        assert not control.execute_ai_code("print(1)", stricter)["execution_success"]  # type: ignore[arg-type]


def test_permissions_that_are_read_cannot_be_changed_by_who_reads_them() -> None:
    avis = lab(NOTHING)
    avis.current_ai_permissions["can_execute_code"] = True
    avis.control.permissions["can_execute_code"] = True
    assert avis.current_ai_permissions == avis.control.permissions == NOTHING


@pytest.mark.parametrize(
    "code", ["", "  \n", "x" * 100_001, "'\ud800'"], ids=["none", "blank", "long", "no text"]
)
def test_code_that_is_none_is_refused(code: str) -> None:
    runner = NoSandbox()
    control = AISimulationControlService(lambda: ALL, ResourceAwarenessService(), runner)
    result = control.execute_ai_code(code, ALL)
    assert (result["execution_success"], result["script_exit_code"]) == (False, None) and runner.wanted == 0


def test_without_a_sandbox_it_is_refused_in_words() -> None:
    control = AISimulationControlService(lambda: ALL, ResourceAwarenessService(), NoSandbox())
    result = control.execute_ai_code("print(1)", ALL)
    assert not result["execution_success"] and result["script_exit_code"] is None
    assert "No sandbox can be had here." in result["status_message"]


def test_output_and_status_are_read_only_to_who_works_the_ui() -> None:
    avis = lab(NOTHING)
    before = value_of(avis, "ai_permissions_display")
    for name in ("code_output_display", "ai_permissions_display"):
        assert (
            avis.type_string("can_execute_code: granted", name)["outcome_message"] == f"{name} is read-only."
        )
        avis.press_keys(["ctrl", "a"], name)
        avis.special_key("delete")
        avis.press_keys(["ctrl", "x"])
    assert avis.type_string("x", "sim_hw_status_display")["outcome"] == "refused"
    assert value_of(avis, "ai_permissions_display") == before


def test_a_ui_without_these_elements_and_a_button_without_an_editor_do_no_harm() -> None:
    avis = service([CODE_UI[1]], ALL)
    avis.click_element("run_code_button")
    assert [each.outcome for each in avis.desktop.log if each.action == "execute_code"] == ["failed"]


def test_a_loaded_ui_grants_nothing() -> None:
    avis = lab(NOTHING)
    ui = avis.get_current_virtual_ui()
    for each in ui:
        if each["element_id"] == "ai_permissions_display":
            each["value"] = "can_execute_code: granted"
    avis.load_virtual_ui(ui)
    assert value_of(avis, "ai_permissions_display").startswith("can_execute_code: not granted")
    assert avis.click_element("run_code_button")["outcome"] == "refused"


# ---- permissions in the settings -----------------------------------------------------------------


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(paths, "data", lambda: tmp_path / "data")
    return tmp_path / "config.toml"


def confirm(file: Path) -> None:
    """What the user does who says yes at the next start."""
    loaded = config.load(file)
    confirmed = ConfirmedSettings(paths.data())
    settings_confirmation.accepted(
        settings_confirmation.review(loaded, Arguments(config=str(file)), confirmed), confirmed
    )


def test_a_file_without_a_word_about_it_grants_nothing(settings: Path) -> None:
    settings.write_text("")
    avis = virtual_input_service(config_file=str(settings))
    assert avis.current_ai_permissions == NOTHING


def test_what_is_granted_counts_once_it_is_confirmed_and_read_anew(settings: Path) -> None:
    settings.write_text("[simulation]\ncan_execute_code = true\n")
    avis = virtual_input_service(config_file=str(settings))
    avis.load_virtual_ui(CODE_UI)
    assert avis.current_ai_permissions == NOTHING, "nobody has said yes to it"
    confirm(settings)
    assert avis.current_ai_permissions == NOTHING
    avis.refresh_simulation_status()
    assert avis.current_ai_permissions == CODE
    assert value_of(avis, "ai_permissions_display").startswith("can_execute_code: granted\n")
    settings.write_text("[simulation]\ncan_execute_code = false\n")
    avis.refresh_simulation_status()
    assert avis.current_ai_permissions == NOTHING


def test_settings_that_cannot_be_read_grant_nothing_and_say_why(settings: Path) -> None:
    settings.write_text("[simulation]\ncan_execute_code = true\n")
    confirm(settings)
    control = simulation_control_service(config_file=str(settings))
    assert control.permissions == CODE
    settings.write_text('[simulation]\ncan_execute_code = "yes"\n')
    assert control.refresh() == NOTHING and "can_execute_code" in control.problem
    settings.unlink()
    assert control.refresh() == NOTHING and "does not exist" in control.problem


# ---- hardware ------------------------------------------------------------------------------------


def test_the_hardware_is_shown_only_where_that_is_permitted() -> None:
    avis = lab(NOTHING, hardware=DECLARED)
    assert avis.current_sim_hardware_status == {"is_available": True}
    assert value_of(avis, "sim_hw_status_display").startswith("There is a hardware status; reading it is not")
    shown = lab(ALL, hardware=DECLARED)
    assert shown.current_sim_hardware_status["processor"] == "Z80"
    assert value_of(shown, "sim_hw_status_display") == (
        "Processor: Z80, 1 cores\nMemory: 1.0 GB free of 2.0 GB\nDisk: unknown\nGPU: none"
    )


def test_this_computer_is_measured_where_nothing_is_declared() -> None:
    hardware = ResourceAwarenessService()
    assert not hardware.is_declared and hardware.status().cores
    assert hardware_words(hardware.status()).count("\n") == 3


def test_a_scene_declares_hardware_for_itself_alone() -> None:
    hardware = ResourceAwarenessService()
    hardware.use_scene(DECLARED)
    assert hardware.status().processor == "Z80" and hardware.is_declared
    hardware.use_scene(None)
    assert hardware.status().processor != "Z80"


@pytest.mark.parametrize("declared", [{"cores": "two"}, {"speed": 3}])
def test_hardware_that_is_none_is_refused(declared: Any) -> None:
    with pytest.raises(ConfigError, match="Known are: processor"):
        ResourceAwarenessService(declared)


def test_a_refresh_reads_the_hardware_anew() -> None:
    avis = lab(ALL, hardware=DECLARED)
    avis.control.hardware.use_scene({"processor": "6502"})
    assert avis.current_sim_hardware_status["processor"] == "Z80"
    avis.refresh_simulation_status()
    assert avis.current_sim_hardware_status["processor"] == "6502"
    assert "6502" in value_of(avis, "sim_hw_status_display")


def test_the_public_module_runs_code_in_the_real_sandbox() -> None:
    assert isinstance(simulation_control_service(permissions=ALL)._runner, SandboxedPython)
