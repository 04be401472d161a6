"""A broken config names file, line and field."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.permission import Rule, Rules
from desktop_agent.support import config


def write(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def message(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        config.load(write(folder, text))
    return str(caught.value)


def test_the_shipped_file_holds_the_defaults() -> None:
    shipped = Path(__file__).parents[2] / "config.toml"
    assert msgspec.structs.replace(config.load(shipped), path="", digest="") == config.Config()
    uncommented = "\n".join(line.removeprefix("# ") for line in shipped.read_text().splitlines()[5:])
    assert config.load(write_temporary(uncommented)).agent == config.AgentSettings()


def write_temporary(text: str) -> Path:
    import tempfile

    return write(Path(tempfile.mkdtemp()), text)


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        ("[agent]\nmax_steps = 0\n", 2, "agent.max_steps"),
        ("[agent]\n\nmax_steps = true\n", 3, "agent.max_steps"),
        ('[agent]\nstep = "off"\nmaxsteps = 3\n', 3, "agent.maxsteps"),
        ("agent.timeout = -1\n", 1, "agent.timeout"),
        ('\n[agent]\nstep = "sometimes"\n', 3, "agent.step"),
        ("[agnet]\n", 1, "agnet"),
        ("[hand]\nmax_rate = nan\n", 2, "hand.max_rate"),
        ('[agent]\npermission = "all"\n', 2, "agent.permission"),
        ('[scope]\napplications = "Chromium"\n', 2, "scope.applications"),
        ('[[scope.allow]]\nname = "Send"\n[[scope.deny]]\naplication = "x"\n', 4, "scope.deny.aplication"),
        ("[agent]\n[[scope.allow]]\nname = 7\n", 3, "scope.allow.name"),
        ("[agent]\n\n[[scope.allow]]\n", 3, "scope.allow"),
    ],
)
def test_a_bad_value_is_found(tmp_path: Path, text: str, line: int, field: str) -> None:
    said = message(tmp_path, text)
    assert f"config.toml, line {line}: {field}:" in said


def test_broken_toml_names_the_line(tmp_path: Path) -> None:
    assert "line 2" in message(tmp_path, "[agent]\nmax_steps = = 3\n")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        config.load(path)


def test_a_plugins_table_is_checked_by_its_options(tmp_path: Path) -> None:
    class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
        size: int = 3

    loaded = config.load(write(tmp_path, "[target.display]\nsize = 5\n"))
    assert config.options(loaded, "target", "display", Options) == Options(5)
    broken = config.load(write(tmp_path, "[target.display]\n# a comment\nsiez = 5\n"))
    with pytest.raises(ConfigError, match=r"line 3: target\.display\.siez: .*Known here: size"):
        config.options(broken, "target", "display", Options)


def test_an_environments_table_is_checked_by_its_options(tmp_path: Path) -> None:
    from desktop_agent.tools.files import Options

    loaded = config.load(write(tmp_path, '[environment.files]\nfolder = "/work"\n'))
    assert config.options(loaded, "environment", "files", Options) == Options("/work")
    broken = config.load(write(tmp_path, "[environment.files]\n\nfolders = 3\n"))
    with pytest.raises(ConfigError, match=r"line 3: environment\.files\.folders: .*Known here: folder"):
        config.options(broken, "environment", "files", Options)


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist"):
        config.find_file(str(tmp_path / "none.toml"), ())
    assert config.find_file(None, (tmp_path,)) is None


def test_rules_are_read(tmp_path: Path) -> None:
    text = '[scope]\napplications = ["Chrom*"]\n[[scope.allow]]\nname = "Send"\n[[scope.deny]]\nwindow = "*Bank*"\n'
    scope = config.load(write(tmp_path, text)).scope
    assert scope == Rules(applications=("Chrom*",), allow=(Rule(name="Send"),), deny=(Rule(window="*Bank*"),))


OLD = """
[policy]
allow_scope = ["app:mousepad"]
[policy.grant]
minutes = 10
applications = ["gedit*"]
inputs = ["keyboard"]
[[policy.allow]]
name = "Send"
[[policy.deny]]
window = "*Bank*"
"""


def test_the_section_policy_of_earlier_versions_is_the_scope(tmp_path: Path) -> None:
    scope = Rules(
        ("app:mousepad",), ("gedit*",), 10, ("keyboard",), (Rule(name="Send"),), (Rule(window="*Bank*"),)
    )
    assert config.load(write(tmp_path, OLD), {}).scope == scope
    both = config.load(write(tmp_path, f"{OLD}[scope]\nminutes = 5\n"), {}).scope
    assert both == msgspec.structs.replace(scope, minutes=5), "what [scope] says itself counts"
    found = config.load(write(tmp_path, OLD), {"DESKTOP_AGENT__POLICY__GRANT__MINUTES": "2"})
    assert found.scope.minutes == 2 and found.from_environment == ("scope.minutes",)
    allowed = config.load(write(tmp_path, '[policy]\nallow_applications = ["a"]\n'), {}).scope
    assert allowed == Rules(applications=("a",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[policy]\nallow_all = true\n", "scope.allow_all"),
        ("[policy.grant]\nhours = 1\n", "scope.hours"),
        ("[policy]\ngrant = 5\n", "policy.grant"),
        ("policy = 5\n", "policy"),
        (
            '[policy]\nallow_applications = ["a"]\n[policy.grant]\napplications = ["b"]\n',
            "policy.allow_applications and policy.grant.applications",
        ),
    ],
)
def test_nothing_of_the_old_section_is_passed_over(text: str, said: str, tmp_path: Path) -> None:
    assert said in message(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[policy]\nallow_scope = 5\n", 2),
        ("[agent]\n\n[policy.grant]\nminutes = -1\n", 4),
        ("[[policy.deny]]\nwindow = 7\n", 2),
        ("[policy]\nno_such = 1\n", 2),
    ],
)
def test_the_line_is_told_in_the_old_section_too(text: str, line: int, tmp_path: Path) -> None:
    assert f", line {line}: scope." in message(tmp_path, text)


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, '[agent]\nmodel = "openai"\nmax_steps = 5\n')
    given = {
        "DESKTOP_AGENT__AGENT__MODEL": "offline",
        "DESKTOP_AGENT__PRIVACY__WINDOWS": '["*Bank*"]',
        "DESKTOP_AGENT__LLM__COMPATIBLE__BASE_URL": "http://127.0.0.1:1/v1",
        "DESKTOP_AGENT__LOG__LEVEL": "debug",
        "DESKTOP_AGENT": "of somebody else",
    }
    loaded = config.load(path, given)
    assert (loaded.agent.model, loaded.agent.max_steps, loaded.log.level) == ("offline", 5, "debug")
    assert loaded.privacy.windows == ("*Bank*",)
    assert loaded.llm == {"compatible": {"base_url": "http://127.0.0.1:1/v1"}}
    assert set(loaded.from_environment) == {
        "agent.model", "privacy.windows", "llm.compatible.base_url", "log.level",
    }  # fmt: skip
    assert config.load(path, {}).digest != loaded.digest


@pytest.mark.parametrize(
    ("name", "value"),
    [("AGENT__MAX_STEPS", "many"), ("AGENT__MODLE", "offline"), ("AGENT", "x"), ("AGENT__MODEL__NAME", "x")],
)
def test_a_bad_variable_is_named(tmp_path: Path, name: str, value: str) -> None:
    path = write(tmp_path, '[agent]\nmodel = "offline"\n')
    with pytest.raises(ConfigError, match=f"^DESKTOP_AGENT__{name}"):
        config.load(path, {f"DESKTOP_AGENT__{name}": value})


def test_a_plugins_bad_variable_is_named() -> None:
    class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
        size: int = 3

    loaded = config.load(None, {"DESKTOP_AGENT__TARGET__DISPLAY__SIZE": "big"})
    with pytest.raises(ConfigError, match=r"^DESKTOP_AGENT__TARGET__DISPLAY__SIZE"):
        config.options(loaded, "target", "display", Options)


def test_a_key_is_refused_by_name(tmp_path: Path) -> None:
    class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
        model: str = ""

    loaded = config.load(write(tmp_path, '[llm.openai]\napi_key = "top-secret"\n'))
    with pytest.raises(
        ConfigError, match=r"line 2: llm\.openai\.api_key: a key does not belong here"
    ) as caught:
        config.options(loaded, "llm", "openai", Options)
    assert "top-secret" not in str(caught.value)
    with pytest.raises(ConfigError, match=r"API_KEY: .* a key does not belong here"):
        config.load(None, {"DESKTOP_AGENT__AGENT__API_KEY": "top-secret"})


def test_a_file_does_not_say_where_it_came_from(tmp_path: Path) -> None:
    assert "from_environment" in message(tmp_path, 'from_environment = ["agent.model"]\n')


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("allow_actual_input_restricted", "restricted"),
        ("allow_actual_input_full", "full"),
        ("simulation_only", "simulation_only"),
    ],
)
def test_a_level_may_have_its_long_name(long: str, short: str, tmp_path: Path) -> None:
    assert config.load(write(tmp_path, f'[agent]\npermission = "{long}"\n'), {}).agent.permission == short
    assert config.load(None, {"DESKTOP_AGENT__AGENT__PERMISSION": long}).agent.permission == short


def test_the_limits_of_a_permission_are_read_and_checked(tmp_path: Path) -> None:
    text = '[scope]\nminutes = 10\napplications = ["gedit*"]\ninputs = ["keyboard"]\n'
    scope = Rules(minutes=10, applications=("gedit*",), inputs=("keyboard",))
    assert config.load(write(tmp_path, text), {}).scope == scope and scope.limited
    assert config.load(None, {"DESKTOP_AGENT__SCOPE__MINUTES": "5"}).scope == Rules(minutes=5)
    for wrong in ("minutes = -1", "minutes = 1441", 'inputs = ["mouse"]', 'applications = [""]', "hours = 1"):
        assert "scope." in message(tmp_path, f"[scope]\n{wrong}\n")
