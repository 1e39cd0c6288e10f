"""Plugins: the documented example, installed, and one that raises."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result

Run = Callable[..., Result]
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "plugin"
BROKEN = """
import pluggy
hookimpl = pluggy.HookimplMarker("thalamus")

@hookimpl
def before_write(memory):
    raise RuntimeError("no luck")

@hookimpl
def after_retrieve(evidence):
    return 7
"""


def install(folder: Path, name: str, module: Path | str) -> None:
    """What an installer leaves behind: a module, and the entry point in its metadata."""
    folder.mkdir(exist_ok=True)
    if isinstance(module, Path):
        shutil.copy(module, folder / f"{name}.py")
    else:
        (folder / f"{name}.py").write_text(module)
    about = folder / f"{name}-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text(f"[thalamus]\n{name} = {name}\n")


@pytest.fixture
def site(tmp_path: Path, environment: dict[str, str]) -> Path:
    """A folder on the path of every command of this test."""
    environment["PYTHONPATH"] = str(tmp_path / "site")
    return tmp_path / "site"


def test_the_example(run: Run, site: Path, tmp_path: Path) -> None:
    install(site, "thalamus_example", EXAMPLE / "thalamus_example.py")
    diary = {"DIARY": str(tmp_path / "diary")}
    record = run("turn", "--json", "I love wooden boats.", env=diary).records[0]
    assert record["issues"] == []
    assert {m["topic"] for m in record["reflection"]["memories_to_store"]} == {"boats"}
    assert (tmp_path / "diary").read_text() == f"turn {record['id']}\n"
    secret = {"record": "memory", "id": "mem_1", "content": "The password of the boat is 1234."}
    oars = {"record": "memory", "content": "The boat has two oars."}
    done = run("store", input=f"{json.dumps(oars)}\n{json.dumps(secret)}\n")
    kept, verdict = done.records
    assert kept["id"] and (verdict["record"], verdict["decision"]) == ("verdict", "refuse")
    assert (verdict["rule"], verdict["content"]) == ("no_secrets", secret["content"])
    assert done.stderr == "thalamus: line 2 was not stored: passwords are not kept (no_secrets)\n"
    arguments = json.dumps({"content": "Her password is tulip.", "type": "observation"})
    by_hand = run("tools", "call", "memory_store", arguments)
    assert by_hand.code == 2 and "It was not stored: passwords are not kept." in by_hand.stderr
    listed = run("memory", "--status", "all", "--json").records
    assert [memory["topic"] for memory in listed] == ["boats", "boats"]
    found = run("retrieve", "--json", "What about wooden boats?").records
    kinds = [item["kind"] for item in found]
    assert kinds == sorted(kinds, key=lambda kind: kind != "fact")
    (tmp_path / "a.md").write_text("# A\n\nHerons fish at dawn.\n")
    run("ingest", "a.md", "--no-summary", env=diary)
    assert (tmp_path / "diary").read_text().splitlines()[1].startswith("ingest doc_")
    assert "thalamus_example (thalamus_example 0.1.0)" in run("doctor", "--no-model").stdout


TASKS = """
import json
import pluggy
from pathlib import Path
hookimpl = pluggy.HookimplMarker("thalamus")

@hookimpl
def on_task_complete(task):
    with Path("tasks.jsonl").open("a") as file:
        print(json.dumps(task), file=file)
"""


def test_a_task_names_its_user_and_its_agent(run: Run, site: Path, tmp_path: Path) -> None:
    install(site, "tasks", TASKS)
    (tmp_path / "a.md").write_text("# A\n\nHerons fish at dawn.\n")
    run("turn", "--user", "bo", "--agent", "cook", "I like tea.")
    run("ingest", "a.md", "--no-summary", "--user", "bo", "--agent", "cook")
    run("turn", "I like coffee.")
    tasks = [json.loads(line) for line in (tmp_path / "tasks.jsonl").read_text().splitlines()]
    assert [(task["task"], task["user"], task["agent"]) for task in tasks] == [
        ("turn", "bo", "cook"),
        ("ingest", "bo", "cook"),
        ("turn", None, None),
    ]


def test_a_stage_of_the_example(run: Run, site: Path, home: Path, tmp_path: Path) -> None:
    install(site, "thalamus_example", EXAMPLE / "thalamus_example.py")
    (tmp_path / "script.yaml").write_text("[{role: answer, reply: 'A **fine** boat.'}]")
    model = ("--model", f"scripted:{tmp_path}/script.yaml")
    done = run("turn", *model, "--flow", "retrieve,answer,plain,store", "I have a boat.")
    assert (done.stdout, done.stderr) == ("A fine boat.\n", "")
    (home / "config" / "config.yaml").write_text(
        "flow: tidy\nflows:\n  tidy: [retrieve, answer, plain, reflect, store]\n"
    )
    later = run("turn", *model, "--background", "--json", "I have a boat in Porto.")
    assert later.records[0]["answer"] == "A fine boat."
    run("reflect", "--pending")
    answers = [r["answer"] for r in run("export").records if r["record"] == "turn"]
    assert answers == ["A fine boat."] * 2
    assert run("stage", "list", "--json").records[-1]["name"] == "plain"
    assert "tidy: retrieve → answer → plain" in run("config", "check").stdout
    off = run("turn", "Hello.", env={"THALAMUS_PLUGINS": "off"})
    assert off.code == 2 and "flows.tidy must be a list of stages" in off.stderr


STAGED = """
import pluggy
from msgspec.structs import replace
from thalamus import Stage
hookimpl = pluggy.HookimplMarker("thalamus")

def fail(turn, context):
    raise RuntimeError("no luck")

def nothing(turn, context):
    return None

def liar(turn, context):
    return replace(turn, session="another", answer="true")

@hookimpl
def add_stages():
    return [
        Stage("fail", fail), Stage("nothing", nothing), Stage("liar", liar, writes=("answer",)),
        Stage("store", liar), Stage("odd", liar, writes=("weather",)), 7,
    ]
"""


def test_stages_that_do_not_keep_their_word(run: Run, site: Path) -> None:
    install(site, "staged", STAGED)
    loose = {"THALAMUS_STRICT_STAGES": "0"}
    flow = "retrieve,fail,nothing,liar,store"
    done = run("turn", "--json", "--flow", flow, "I have a boat.", env=loose)
    [record] = done.records
    assert done.code == 0 and record["answer"] == "true" and record["session"] == "main"
    assert {issue["code"] for issue in record["issues"]} == {"plugin", "undeclared_write"}
    for told in (
        "failed in fail: RuntimeError: no luck",
        "failed in nothing: TypeError: it returned a NoneType",
        "failed in add_stages: ValueError: there is a stage or flow 'store' already",
        "the stage liar writes session without declaring it",
    ):
        assert told in done.stderr, told
    problems = run("doctor", "--no-model").stdout
    assert "failed in add_stages" in problems


LONG_NAMES = """
import pluggy
from thalamus import Stage
hookimpl = pluggy.HookimplMarker("thalamus")

@hookimpl
def add_stages():
    return Stage("summarize_everything_again", lambda turn, context: turn, role="summary")
"""


def test_a_long_name_stands_whole_in_the_list_of_stages(run: Run, site: Path) -> None:
    install(site, "long_names", LONG_NAMES)
    [line] = [line for line in run("stage").stdout.splitlines() if "summarize_everything" in line]
    assert line.split() == ["summarize_everything_again", "model", "summary"]


def test_one_that_raises_is_reported_and_stops_nothing(run: Run, site: Path) -> None:
    install(site, "broken", BROKEN)
    events = {"THALAMUS_LOG_LEVEL": "error"}
    done = run(
        "turn", "--json", "--events", "e.jsonl", "I live in Porto. I own a boat.", env=events
    )
    assert done.code == 0
    record = done.records[0]
    assert record["reflection"]["memories_to_store"]
    assert {issue["code"] for issue in record["issues"]} == {"plugin"}
    assert done.stderr.count("the plugin broken failed in before_write: RuntimeError: no luck") == 1
    later = run("retrieve", "--json", "Where do I live?")
    assert later.code == 0
    assert "Porto" in later.stdout
    assert "after_retrieve: TypeError" in later.stderr
    off = run("turn", "--json", "I like tea.", env={"THALAMUS_PLUGINS": "off"})
    assert off.records[0]["issues"] == []
    assert off.stderr == ""


def test_one_that_cannot_be_imported_is_reported(run: Run, site: Path) -> None:
    install(site, "halfway", "import nothing_of_the_kind\n")
    done = run("turn", "I live in Porto.")
    assert done.code == 0
    assert done.stderr.count("the plugin halfway failed in loading") == 1


def test_without_plugins_nothing_is_imported_for_them(
    run: Run, environment: dict[str, str]
) -> None:
    run("turn", "I live in Porto.")  # making the tables imports pluggy through sqlite-utils
    code = (
        "import sys\n"
        "from thalamus.cli import main\n"
        "try: main(['turn', 'I live in Porto.'])\n"
        "except SystemExit: pass\n"
        "sys.exit('pluggy' if 'pluggy' in sys.modules else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr


def test_an_import_says_what_was_refused(run: Run, site: Path) -> None:
    install(site, "thalamus_example", EXAMPLE / "thalamus_example.py")
    secret = {"record": "memory", "id": "mem_1", "content": "The password is 1234."}
    record = json.dumps(secret | {"created_at": "2026-01-01T00:00:00Z"}) + "\n"
    assert "; refused by a plugin: 1 memory" in run("import", input=record).stdout
    assert run("import", "--json", input=record).records[0]["data"]["refused"] == 1
    assert run("memory", "--all", "--json").records == []


MODELS = """
import pluggy
hookimpl = pluggy.HookimplMarker("thalamus")
heard = []

@hookimpl
def add_models(settings):
    def chat(messages):
        return settings["greeting"]
    def embed(texts):
        return [[1.0, float(len(text))] for text in texts]
    return {"greeter": chat, "lengths": embed}

@hookimpl
def on_event(event, settings):
    with open(settings["diary"], "a") as diary:
        print(type(event).__name__, file=diary)
"""


def test_models_events_and_settings(run: Run, site: Path, tmp_path: Path, home: Path) -> None:
    install(site, "greeter", MODELS)
    (home / "config").mkdir(parents=True, exist_ok=True)
    own = {"greeting": "Ahoy.", "diary": str(tmp_path / "diary")}
    settings = {
        "model": "plugin:greeter",
        "embedder": "plugin:lengths",
        "plugin_settings": {"greeter": own},
    }
    (home / "config" / "config.yaml").write_text(json.dumps(settings))
    env = {"THALAMUS_MODEL": "plugin:greeter", "THALAMUS_EMBEDDER": "plugin:lengths"}
    [turn] = run("turn", "--json", "I like tea.", env=env).records
    assert turn["answer"] == "Ahoy."
    assert turn["trace"][1]["model"] == "plugin:greeter"
    heard = (tmp_path / "diary").read_text().split()
    assert heard[0] == "SessionStarted" and "TurnFinished" in heard
    assert heard.count("TurnFinished") == 1
    listed = {model["name"]: model["state"] for model in run("models", "--json", env=env).records}
    assert listed["plugin:greeter"] == listed["plugin:lengths"] == "ready"
    checked = run("doctor", env=env).stdout
    assert "says “Ahoy.”" in checked or "plugin:greeter" in checked
    missing = run("turn", "Hello.", env=env | {"THALAMUS_MODEL": "plugin:parrot"})
    assert missing.code == 2 and "No plugin has a model 'parrot'." in missing.stderr
    assert "greeter, lengths" in missing.stderr
