"""`thalamus config`: path, show, check."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

Run = Callable[..., Any]


@pytest.fixture
def folder(home: Path) -> Path:
    made = home / "config"
    made.mkdir(parents=True)
    return made


def states(records: list[dict[str, Any]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for record in records:
        found.setdefault(record["state"], []).append(record["detail"])
    return found


def test_path_names_what_is_used(run: Run, folder: Path) -> None:
    (folder / "config.yaml").write_text("user: jo\n")
    found = {record["name"]: record for record in run("config", "path", "--json").records}
    assert found["user file"] == {
        "record": "path",
        "v": 1,
        "name": "user file",
        "path": str(folder / "config.yaml"),
        "exists": True,
    }
    assert found["models"]["exists"] is False
    assert "(missing)" in run("config", "path").stdout


def test_show_tells_where_each_value_comes_from(run: Run, folder: Path) -> None:
    (folder / "config.yaml").write_text("user: jo\nmodels: {plan: 'ollama:big'}\n")
    url = {"THALAMUS_OPENAI_BASE_URL": "http://me:secret@host/v1"}
    done = run("config", "--json", "--session", "tea", env=url)
    found = {record["name"]: record for record in done.records}
    assert found["user"]["origin"] == str(folder / "config.yaml")
    assert found["session"] == {
        "record": "setting",
        "v": 1,
        "name": "session",
        "value": "tea",
        "origin": "flag",
        "meaning": "the session of turns without one",
    }
    assert found["model"]["origin"] == "THALAMUS_MODEL"
    assert found["flow"]["origin"] == "default"
    assert found["openai_base_url"]["value"] == "http://host/v1"
    plain = run("config", env=url).stdout
    assert "secret" not in plain
    assert yaml.safe_load(plain)["models"] == {"plan": "ollama:big"}


def test_check_finds_nothing_wrong_by_default(run: Run) -> None:
    done = run("config", "check")
    assert done.code == 0
    assert all(line.startswith("ok ") for line in done.stdout.splitlines())


def test_check_tells_every_wrong_setting_of_a_file(run: Run, folder: Path) -> None:
    (folder / "config.yaml").write_text("modle: x\nthreads: many\nbatch_size: 0\nuser: jo\n")
    done = run("config", "check", "--json")
    assert done.code == 2
    problems = states(done.records)["problem"]
    assert len(problems) == 3
    assert "did you mean 'model'?" in problems[0]
    assert "threads must be an integer" in problems[1]
    assert "line 3: batch_size must be between 1 and 100,000, not 0" in problems[2]


def test_check_tells_broken_yaml_and_wrong_variables(run: Run, folder: Path) -> None:
    (folder / "config.yaml").write_text("user: [jo\n")
    assert run("config", "check").code == 2
    (folder / "config.yaml").unlink()
    done = run("config", "check", "--json", env={"THALAMUS_THREADS": "x", "THALAMUS_MODLE": "y"})
    found = states(done.records)
    assert done.code == 2
    assert "THALAMUS_MODLE is not a setting" in found["warning"]
    assert any("threads must be an integer" in detail for detail in found["problem"])


def test_check_reads_prompts_models_and_flows(run: Run, folder: Path) -> None:
    (folder / "prompts").mkdir()
    (folder / "prompts" / "plan.md").write_text("Plan <<USER_MESAGE>>")
    (folder / "prompts" / "anser.md").write_text("Hi")
    (folder / "config.yaml").write_text(
        "models: {plan: 'olama:x', dream: scripted}\nflows: {mine: [retrieve, sing]}\n"
    )
    done = run("config", "check", "--json")
    found = states(done.records)
    assert done.code == 2
    told = "\n".join(found["problem"])
    assert "unknown token <<USER_MESAGE>>" in told
    assert "'olama:x' is not the name of a chat model" in told
    assert "models.dream: unknown role" in told
    assert "flows.mine must be a list of stages" in told
    assert any("anser.md is not used" in detail for detail in found["warning"])


def test_a_folder_of_prompts(run: Run, tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "mine"
    env = {"THALAMUS_PROMPTS_DIR": str(folder)}
    missing = run("turn", "Hi.", env=env)
    assert missing.code == 2 and f"prompts_dir is not a directory: {folder}" in missing.stderr
    assert "prompts_dir is not a directory" in run("config", "check", env=env).stdout
    folder.mkdir()
    (folder / "message.md").write_text("Notes: <<MEMORIES>>\nNow: <<USER_MESSAGE>>")
    run("turn", "My cat Miso has asthma.")
    shown = run("retrieve", "--format", "prompt", "What does Miso have?", env=env)
    assert shown.stdout.startswith("Notes: ") and "Now: What does Miso have?" in shown.stdout
    (folder / "message.md").write_text("<<MEMORYS>>")
    broken = run("retrieve", "--format", "prompt", "What does Miso have?", env=env)
    assert broken.code == 2 and "unknown token <<MEMORYS>>" in broken.stderr
    # not from a project file that is not trusted
    (tmp_path / ".thalamus.yaml").write_text(f"prompts_dir: {folder}\n")
    ignored = run("retrieve", "--format", "prompt", "What does Miso have?")
    assert ignored.code == 0 and "prompts_dir is ignored" in ignored.stderr


# -- changing --------------------------------------------------------------------------------------


def test_a_setting_is_set_and_taken_out_again(run: Run, folder: Path) -> None:
    path = folder / "config.yaml"
    done = run("config", "set", "user", "ana")
    assert done.stdout == f'user: "ana"  # {path}\n' and done.stderr == ""
    assert path.read_text() == "user: ana\n" and path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    path.write_text("# mine\nuser: ana  # me\n")
    assert run("config", "set", "models.plan", "ollama:qwen3:4b").code == 0
    assert run("config", "set", "temperature", "0.5", "--json").records == [
        {
            "record": "setting",
            "v": 1,
            "name": "temperature",
            "value": 0.5,
            "origin": str(path),
            "meaning": "for answers; reflection and planning always use 0",
        }
    ]
    whole = "# mine\nuser: ana  # me\nmodels:\n  plan: ollama:qwen3:4b\ntemperature: 0.5\n"
    assert path.read_text() == whole and path.stat().st_mode & 0o777 == 0o640
    assert run("config", "unset", "models.plan").stdout == "models: {}  # default\n"
    assert run("config", "unset", "models.plan").stderr == f"{path} stays as it is.\n"
    assert path.read_text() == "# mine\nuser: ana  # me\ntemperature: 0.5\n"


def test_a_dry_run_shows_the_change(run: Run, folder: Path) -> None:
    path = folder / "config.yaml"
    assert "+user: ana" in run("config", "set", "user", "ana", "--dry-run").stdout
    assert not path.exists()
    path.write_text("user: ana\n")
    lines = run("config", "unset", "user", "--dry-run").stdout.splitlines()
    assert lines[-1] == "-user: ana" and path.read_text() == "user: ana\n"


def test_what_has_the_last_word_is_said(run: Run, folder: Path, tmp_path: Path) -> None:
    done = run("config", "set", "embedder", "none")
    assert done.code == 0 and "THALAMUS_EMBEDDER overrides embedder" in done.stderr
    assert (folder / "config.yaml").read_text() == "embedder: none\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("set", "temprature", "1"), "unknown setting 'temprature'; did you mean 'temperature'?"),
        (("unset", "temprature"), "unknown setting 'temprature'; did you mean 'temperature'?"),
        (("set", "temperature", "9"), "temperature must be between 0 and 5, not 9.0"),
        (("set", "temperature", "hot"), "temperature must be a number, not 'hot'"),
        (("set", "memory", "perhaps"), "memory must be true or false, not 'perhaps'"),
        (("set", "log_level", "loud"), "log_level must be debug, info, warning or error"),
        (("set", "remember.health", "maybe"), "remember.health must be ask, never or always"),
        (("set", "session.x", "1"), "session is not a mapping: it has no 'x'"),
        (("set", "models", "x"), "Set an entry of it, such as models.answer."),
        (("set", "models.", "x"), "invalid name 'models.'"),
        (("set", "models.anwser", "x"), "models.anwser: unknown role"),
        (("set", "model", "olama:x"), "olama:x"),
        (("set", "flow", "wild"), "Unknown flow 'wild'"),
        (("set", "mcp.x", "{"), "mcp: '{' is not YAML"),
        (("set", "user"), "Missing argument 'VALUE'"),
    ],
)
def test_what_cannot_be_set(run: Run, folder: Path, arguments: tuple[str, ...], words: str) -> None:
    (folder / "config.yaml").write_text("user: ana\n")
    done = run("config", *arguments)
    assert (done.code, done.stdout) == (2, "") and words in done.stderr, done.stderr
    assert (folder / "config.yaml").read_text() == "user: ana\n"


@pytest.mark.parametrize("broken", ["user: [ana\n", "- user\n", "user: \tana: x\n"])
def test_a_broken_file_is_not_written_over(run: Run, folder: Path, broken: str) -> None:
    (folder / "config.yaml").write_text(broken)
    done = run("config", "set", "user", "bo")
    assert done.code == 2 and str(folder / "config.yaml") in done.stderr
    assert (folder / "config.yaml").read_text() == broken


def test_a_wrong_value_can_be_put_right(run: Run, folder: Path) -> None:
    (folder / "config.yaml").write_text("temperature: hot\nrecent_messages: few\n")
    assert run("config", "set", "temperature", "0.2").code == 0
    assert run("config", "unset", "recent_messages").code == 0
    assert (folder / "config.yaml").read_text() == "temperature: 0.2\n"


def test_changes_at_once_lose_nothing(folder: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from thalamus.config_file import set_value

    path = folder / "config.yaml"
    names = [f"remember.kind{n}" for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        done = [pool.submit(set_value, path, name, "ask", lambda *_: None) for name in names]
    assert all(one.result() for one in done)
    assert len(yaml.safe_load(path.read_text())["remember"]) == 40
    assert [one.name for one in folder.iterdir()] == ["config.yaml"]


def test_what_a_link_points_to_is_changed(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("user: ana\n")
    (folder / "config.yaml").symlink_to(tmp_path / "mine.yaml")
    run("config", "set", "user", "bo")
    assert (folder / "config.yaml").is_symlink()
    assert (tmp_path / "mine.yaml").read_text() == "user: bo\n"
