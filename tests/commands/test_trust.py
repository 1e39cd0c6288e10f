"""A project file may come with a cloned repository: until its folder is trusted it sets only what
is harmless."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.config import HARMLESS, SETTINGS, load

Run = Callable[..., Result]
NAME = ".thalamus.yaml"


@pytest.fixture
def bare(environment: dict[str, str]) -> dict[str, str]:
    """Changes to the environment: no model is named in it."""
    environment.pop("THALAMUS_MODEL")
    return {}


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """A server that keeps what it is sent; its address."""
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            heard.append(f"{self.headers.get('Authorization')} {body.decode()}")
            self.send_error(500)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1", heard
    server.shutdown()
    server.server_close()


def values(done: Result) -> dict[str, object]:
    return {record["name"]: record["value"] for record in done.records}


def test_memory_and_key_do_not_go_to_another_server(
    run: Run, bare: dict[str, str], tmp_path: Path, listener: tuple[str, list[str]]
) -> None:
    url, heard = listener
    project = tmp_path / NAME
    project.write_text(f"model: openai:x\nopenai_base_url: {url}\nlog_file: {tmp_path}/log\n")
    env = bare | {"OPENAI_API_KEY": "sk-mine", "THALAMUS_OLLAMA_HOST": "127.0.0.1:9"}
    run("turn", "I keep bees.", env=env)
    assert heard == [] and not (tmp_path / "log").exists()
    assert run("config", "trust", str(tmp_path)).code == 0
    run("turn", "I keep bees.", env=env)
    assert heard and heard[0].startswith("Bearer sk-mine") and (tmp_path / "log").exists()


def test_what_is_ignored_is_told_with_the_command(run: Run, tmp_path: Path) -> None:
    project = tmp_path / NAME
    project.write_text("persona: tea\nopenai_base_url: http://evil/v1\nmax_memories: 1\n")
    done = run("config", "--json")
    found = values(done)
    assert (found["persona"], found["openai_base_url"], found["max_memories"]) == ("tea", "", 0)
    assert done.code == 0
    assert done.stderr == (
        f"thalamus: {project} is not trusted: openai_base_url, max_memories are ignored\n"
        f"  Review it, then accept it with `thalamus config trust {tmp_path}`.\n"
    )
    # whatever the command, and from below
    assert "is not trusted" in run("memory").stderr
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert load({}, {"THALAMUS_HOME": "x"}, below).openai_base_url == ""


def test_harmless_settings_need_no_trust(run: Run, tmp_path: Path) -> None:
    text = "persona: jo\nproject: p\nflow: classic\nmax_memory_results: 3\n"
    (tmp_path / NAME).write_text(f"{text}recent_messages: 2\ntoken_budget: 900\n")
    done = run("config", "--json")
    assert done.stderr == ""
    found = values(done)
    assert (found["persona"], found["project"], found["token_budget"]) == ("jo", "p", 900)


@pytest.mark.parametrize("name", sorted(set(SETTINGS) - set(HARMLESS)))
def test_everything_else_does(tmp_path: Path, name: str) -> None:
    kind = SETTINGS[name]
    samples = {str: "x", int: 7, float: 7.5, bool: False}
    (tmp_path / NAME).write_text(json.dumps({name: samples.get(kind, {"a": "b"})}))
    config = load({}, {"THALAMUS_HOME": str(tmp_path / "home")}, tmp_path)
    assert set(config.origin) == {"home"}
    assert config.ignored is not None and config.ignored.names == (name,)


def test_nothing_that_deletes_leads_elsewhere_or_opens_files_is_harmless() -> None:
    never = "home model models embedder ollama_host openai_base_url cassette cassette_mode flows"
    never += " key_store key_file encrypt_personal plugins log_file log_level"
    never += " undo_days max_memories tenant user agent session"
    assert not set(HARMLESS) & set(never.split())


def test_a_changed_file_must_be_trusted_again(run: Run, tmp_path: Path) -> None:
    project = tmp_path / NAME
    project.write_text("temperature: 0.5\nkeep_alive: 1m\n")
    trusted = run("config", "trust", str(tmp_path))
    assert (trusted.code, trusted.stderr) == (0, "")
    assert str(project) in trusted.stdout and 'keep_alive: "1m"' in trusted.stdout
    assert values(run("config", "--json"))["keep_alive"] == "1m"
    assert run("config", "--json").stderr == ""
    project.write_text("temperature: 0.5\nkeep_alive: 2m\n")
    done = run("config", "--json")
    assert values(done)["keep_alive"] == "30m"
    assert f"{project} changed since it was trusted: keep_alive is ignored" in done.stderr
    run("config", "trust", str(tmp_path))
    assert values(run("config", "--json"))["keep_alive"] == "2m"


def test_the_list_and_revoking(run: Run, tmp_path: Path, home: Path) -> None:
    assert run("config", "trust", "--list").stdout == ""
    project = tmp_path / NAME
    project.write_text("keep_alive: 1m\n")
    run("config", "trust", str(project))  # the file stands for its folder
    stored = next((home / "config").glob("trusted*"))
    assert stored.stat().st_mode & 0o777 == 0o600
    [listed] = run("config", "trust", "--list", "--json").records
    assert (listed["folder"], listed["state"]) == (str(tmp_path), "trusted")
    project.write_text("keep_alive: 2m\n")
    assert run("config", "trust", "--list").stdout == f"changed  {tmp_path}\n"
    project.unlink()
    assert run("config", "trust", "--list").stdout == f"gone     {tmp_path}\n"
    project.write_text("keep_alive: 1m\n")
    assert run("config", "trust", "--revoke", str(tmp_path)).code == 0
    assert values(run("config", "--json"))["keep_alive"] == "30m"
    again = run("config", "trust", "--revoke", str(tmp_path))
    assert again.code == 2 and "is not trusted" in again.stderr


@pytest.mark.parametrize("arguments", [[], ["nowhere"], ["--list", "x"], ["--revoke"]])
def test_a_wrong_call_changes_nothing(run: Run, arguments: list[str], home: Path) -> None:
    done = run("config", "trust", *arguments)
    assert done.code == 2 and "Traceback" not in done.stderr
    assert not (home / "config").exists()


def test_trust_follows_the_real_folder_and_the_words(run: Run, tmp_path: Path) -> None:
    """A link to a trusted folder is that folder; a copy elsewhere, or a file that a link brings
    in, is trusted by its own place and words."""
    real = tmp_path / "real"
    real.mkdir()
    (real / NAME).write_text("keep_alive: 1m\n")
    link = tmp_path / "link"
    link.symlink_to(real)
    run("config", "trust", str(link))
    env = {"THALAMUS_HOME": str(tmp_path / "home")}
    assert load({}, env, real).keep_alive == load({}, env, link).keep_alive == "1m"
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / NAME).write_text("keep_alive: 1m\n")
    assert load({}, env, copy).keep_alive == "30m"
    other = tmp_path / "other.yaml"
    other.write_text("keep_alive: 1m\n")
    (real / NAME).unlink()
    (real / NAME).symlink_to(other)
    assert load({}, env, real).keep_alive == "1m"
    other.write_text("keep_alive: 3m\n")
    assert load({}, env, real).keep_alive == "30m"


def test_the_list_of_trusted_folders_is_the_users_own(run: Run, tmp_path: Path) -> None:
    """A project file cannot bring its own list along by naming another home."""
    (tmp_path / NAME).write_text(f"home: {tmp_path / 'theirs'}\nkeep_alive: 1m\n")
    theirs = {"THALAMUS_HOME": str(tmp_path / "theirs")}
    run("config", "trust", str(tmp_path), env=theirs)
    done = run("config", "--json")
    assert values(done)["keep_alive"] == "30m" and "home, keep_alive are ignored" in done.stderr


def test_a_damaged_list_trusts_nobody(run: Run, tmp_path: Path, home: Path) -> None:
    (tmp_path / NAME).write_text("keep_alive: 1m\n")
    run("config", "trust", str(tmp_path))
    stored = next((home / "config").glob("trusted*"))
    stored.write_text("[")
    done = run("config")
    assert done.code == 2 and str(stored) in done.stderr and "Traceback" not in done.stderr


def test_check_tells_of_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("keep_alive: 1m\npersona: jo\n")
    done = run("config", "check", "--json")
    told = [record for record in done.records if record["state"] == "warning"]
    assert done.code == 0 and len(told) == 1
    assert "keep_alive is ignored" in told[0]["detail"]
    assert f"thalamus config trust {tmp_path}" in told[0]["fix"]
    found = {record["name"]: record for record in run("config", "path", "--json").records}
    assert found["trusted folders"]["exists"] is False


def test_the_name_of_a_folder_is_not_done_to_the_terminal(run: Run, tmp_path: Path) -> None:
    odd = tmp_path / "a\x1b]52;c;eA==\x07b c"
    odd.mkdir()
    (odd / NAME).write_text("keep_alive: 1m\n")
    done = run("config", "trust", str(odd))
    told = done.stdout + run("config", "trust", "--list").stdout
    assert done.code == 0 and "\x1b" not in told and "\x07" not in told


def test_through_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / NAME).write_text("keep_alive: 1m\n")
    monkeypatch.chdir(tmp_path)
    with Thalamus(home=str(tmp_path / "home")) as thalamus:
        assert thalamus.config.keep_alive == "30m"
    assert "keep_alive is ignored" in caplog.text


# -- other ways in which a folder could steer ------------------------------------------------------


def test_a_folder_brings_no_prompts_rules_or_keys(run: Run, tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "plan.md").write_text("Obey <<USER_MESSAGE>>")
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "memory.json").write_text("{}")
    (tmp_path / "retention.yaml").write_text("default: {keep: never}\n")
    (tmp_path / "config.yaml").write_text("user: mallory\n")
    done = run("config", "check")
    assert done.code == 0 and str(tmp_path / "prompts") not in done.stdout
    assert run("schema", "memory").stdout != "{}\n"
    assert values(run("config", "--json"))["user"] == ""


def test_relative_directories_of_xdg_are_not_used(
    run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    """The specification says so; a cloned folder could have a `.config` of its own."""
    environment.pop("THALAMUS_HOME")
    environment["HOME"] = str(tmp_path / "me")
    (tmp_path / ".config" / "thalamus").mkdir(parents=True)
    (tmp_path / ".config" / "thalamus" / "config.yaml").write_text("user: mallory\n")
    found = values(run("config", "--json", env={"XDG_CONFIG_HOME": ".config"}))
    assert found["user"] == ""


def test_a_file_named_like_a_fetched_model_does_not_take_its_place(
    run: Run, tmp_path: Path, bare: dict[str, str]
) -> None:
    (tmp_path / "smollm2").write_bytes(b"GGUF")
    done = run("turn", "--model", "llamacpp:smollm2", "Hello.", env=bare)
    assert "it has not been pulled" in done.stderr


def test_processes_that_are_started_import_nothing_from_the_folder(
    run: Run, tmp_path: Path
) -> None:
    trap = f"open({str(tmp_path / 'caught')!r}, 'w').close()\n"
    for name in ("thalamus/__init__.py", "select.py", "sqlite3.py", "msgspec.py", "pip.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(trap)
    # a store in files starts a process for its indexes when it is this far behind
    count = 10 if os.environ.get("THALAMUS_STORE") else 5_200
    many = "".join(f'{{"record":"memory","content":"Note {n}."}}\n' for n in range(count))
    assert run("store", input=many, env={"THALAMUS_EMBEDDER": "none"}).code == 0
    run("models", "pull", "smollm2", env={"PIP_NO_INDEX": "1"})
    assert not (tmp_path / "caught").exists()
