"""Configuration: layers, where each value came from, and errors that name the place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from thalamus.config import SETTINGS, Config, as_table, find_project_file, load
from thalamus.errors import ConfigError

pytestmark = pytest.mark.storeless


def put(folder: Path, text: str, name: str = "config.yaml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def load_at(tmp_path: Path, environ: dict[str, str] | None = None, **flags: Any) -> Config:
    return load(flags, {"THALAMUS_HOME": str(tmp_path / "home"), **(environ or {})}, tmp_path)


def test_flags_win_over_environment_over_project_over_user_over_defaults(tmp_path: Path) -> None:
    user = put(tmp_path / "home" / "config", "model: u\nuser: u\npersona: u\ntenant: u\n")
    project = put(tmp_path, "model: p\npersona: p\n", ".thalamus.yaml")
    environ = {"THALAMUS_MODEL": "e", "THALAMUS_USER": "e"}
    config = load_at(tmp_path, environ, model="f", session=None)
    assert (config.model, config.user, config.persona, config.tenant) == ("f", "e", "p", "u")
    assert config.session == "main"
    assert dict(config.origin) == {
        "home": "THALAMUS_HOME",
        "model": "flag",
        "user": "THALAMUS_USER",
        "persona": str(project),
        "tenant": str(user),
    }


def test_the_table_has_every_setting_with_its_origin(tmp_path: Path) -> None:
    table = as_table(load_at(tmp_path, user="jo"))
    assert [name for name, _, _ in table] == list(SETTINGS)
    assert ("user", "jo", "flag") in table
    assert ("flow", "classic", "default") in table


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("enable_reflection: false", "enable_reflection", False),
        ("enable_reflection: 'off'", "enable_reflection", False),
        ("model_timeout: 5", "model_timeout", 5.0),
        ("threads: '3'", "threads", 3),
        ("user: 42", "user", "42"),
        ("context: Auto", "context", "auto"),
        ("token_budget: '900'", "token_budget", 900),
        ('{"models": {"plan": "scripted"}}', "models", {"plan": "scripted"}),
        ("user: null", "user", ""),
        ("", "user", ""),
    ],
)
def test_values_are_converted(tmp_path: Path, text: str, name: str, value: object) -> None:
    put(tmp_path / "home" / "config", text)
    found = getattr(load_at(tmp_path), name)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("modle: x", "unknown setting 'modle'; did you mean 'model'?"),
        ("threads: many", "threads must be an integer, not 'many'"),
        ("threads: 1.5", "threads must be an integer"),
        ("token_budget: much", "token_budget must be an integer or auto, not 'much'"),
        ("context: 0", "context must be between 256 and 10,000,000, not 0"),
        ("threads: true", "threads must be an integer"),
        ("threads: -1", "threads must be between 0 and 1,024, not -1"),
        ("enable_reflection: perhaps", "enable_reflection must be true or false"),
        ("models: scripted", "models must be a"),
        ("user: [a, b]", "user must be a string"),
        ("batch_size: 0", "batch_size must be between 1 and 100,000, not 0"),
        ("cassette_mode: erase", "cassette_mode must be replay or record"),
        ("tool_policy: best", "tool_policy must be fixed or ucb"),
        ("log_level: loud", "log_level must be"),
        ("auto_sources: always", "auto_sources must be never, ask or approve"),
        ("crawl_allow: 'wiki.local, http://x/'", "not 'http://x/'"),
        ("crawl_allow: 10.0.0.0/99", "not '10.0.0.0/99'"),
        ("tenant: ../other", "tenant may only contain"),
        ("tenant: ''", "tenant may only contain"),
        ("- a\n- b", "`name: value` lines"),
        ("user: [a", "line 1"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, words: str) -> None:
    put(tmp_path / "home" / "config", text)
    with pytest.raises(ConfigError) as caught:
        load_at(tmp_path)
    assert words in str(caught.value)


def test_an_error_names_its_source(tmp_path: Path) -> None:
    project = put(tmp_path / "a", "token_budget: x", ".thalamus.yaml")
    with pytest.raises(ConfigError, match=str(project)):
        load_at(tmp_path / "a")
    with pytest.raises(ConfigError, match="THALAMUS_THREADS: threads"):
        load_at(tmp_path / "elsewhere", {"THALAMUS_THREADS": "x"})


def test_an_empty_variable_is_not_given(tmp_path: Path) -> None:
    put(tmp_path / "home" / "config", "user: jo")
    assert load_at(tmp_path, {"THALAMUS_USER": ""}).user == "jo"


def test_the_nearest_project_file_is_found_from_below(tmp_path: Path) -> None:
    outer = put(tmp_path, "user: outer", ".thalamus.yaml")
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert find_project_file(below) == outer
    inner = put(tmp_path / "a", "user: inner", ".thalamus.yaml")
    assert find_project_file(below) == inner


def test_one_home_or_the_xdg_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_at(tmp_path, tenant="work")
    assert config.store_dir == tmp_path / "home" / "data" / "work"
    assert config.config_dir == tmp_path / "home" / "config"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    bare = Config()
    assert bare.data_dir == tmp_path / "xdg" / "thalamus"
    assert bare.cache_dir == tmp_path / ".cache" / "thalamus"


def test_roles_fall_back_on_the_model(tmp_path: Path) -> None:
    put(tmp_path / "home" / "config", "model: a\nmodels: {plan: b}")
    config = load_at(tmp_path)
    assert (config.model_for("plan"), config.model_for("answer")) == ("b", "a")
    put(tmp_path / "home" / "config", "model: a\nmodels: {reflect: b}")
    assert load_at(tmp_path).model_for("verify") == "b", "who proposes also verifies"
    put(tmp_path / "home" / "config", "model: a\nmodels: {reflect: b, verify: c}")
    assert load_at(tmp_path).model_for("verify") == "c"


def test_a_loaded_configuration_is_frozen(tmp_path: Path) -> None:
    config = load_at(tmp_path)
    with pytest.raises(AttributeError):
        config.user = "other"  # type: ignore[misc]


def test_a_home_that_cannot_be_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "file").touch()
    (tmp_path / "closed").mkdir(mode=0)
    wrong = {
        "link": "link to nowhere, which does not exist",
        "link/below": "link to nowhere, which does not exist",
        "file": "is a file, not a folder",
        "file/below": "is a file, not a folder",
    }
    if os.geteuid() != 0:
        wrong |= dict.fromkeys(("closed", "closed/below"), "may not be read by this account")
    for name, problem in wrong.items():
        for flags, environ in (({"home": str(tmp_path / name)}, {}), ({}, {"THALAMUS_HOME": name})):
            environ = {key: str(tmp_path / value) for key, value in environ.items()}
            with pytest.raises(ConfigError, match=problem):
                load(flags, environ, tmp_path)
    (tmp_path / "good").symlink_to(tmp_path)
    assert load({"home": str(tmp_path / "good" / "new")}, {}, tmp_path).home
