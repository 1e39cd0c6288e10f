"""What somebody meets who has just begun: no model, a wrong setting, a folder without rights."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.torture.rooms import can_mount, read_only
from thalamus.extras import installed

Run = Callable[..., Result]
BARE = {"THALAMUS_MODEL": "auto", "OLLAMA_HOST": "127.0.0.1:9"}
STEPS = ("https://ollama.com", "ollama pull ", "thalamus models pull smollm2")


@pytest.mark.parametrize(
    "command", [("turn", "hello"), ("chat",), ("models", "check"), ("answer",), ("doctor",)]
)
def test_without_a_model_every_step_to_one_is_named(run: Run, command: tuple[str, ...]) -> None:
    text = '{"record":"turn","message":"hello"}\n'
    done = run(*command, env=BARE, input=text)
    assert done.code in (0, 13)
    told = done.stdout + done.stderr
    assert "There is no chat model on this machine yet" in told
    assert all(step in told for step in STEPS), told
    assert ("[local]" in told) is not installed("xllamacpp")
    assert "the model auto" not in told.lower()


def test_the_message_is_kept_without_a_model(run: Run) -> None:
    done = run("turn", "I moved to Lisbon", "--json", env=BARE)
    assert done.code == 13
    assert [issue["code"] for issue in done.records[0]["issues"]] == ["model_missing"]
    assert "I moved to Lisbon" in run("export").stdout


def test_models_says_what_is_not_there(run: Run, tmp_path: Path) -> None:
    done = run("models", env=BARE)
    assert done.code == 0
    first = done.stdout.splitlines()[0].split()
    assert first[:3] == ["missing", "chat", "auto"]
    assert "ready      chat       auto" not in done.stdout
    assert all(step in done.stderr for step in STEPS)
    (tmp_path / "there.gguf").write_bytes(b"GGUF")
    for spec, state in (
        ("llamacpp:/nowhere/x.gguf", "missing"),
        (f"llamacpp:{tmp_path}/there.gguf", "ready"),
        ("llamacpp:smollm2", "to pull"),
        ("ollama:qwen3:4b", "missing"),
        ("openai:gpt", "missing"),
        ("scripted", "ready"),
    ):
        found = run("models", "--json", "--model", spec, env=BARE).records
        used = next(record for record in found if "answer" in record["roles"])
        assert (used["name"], used["state"]) == (spec, state)
    server = BARE | {"THALAMUS_OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    found = run("models", "--json", "--model", "openai:gpt", env=server).records
    assert next(r for r in found if r["roles"])["state"] == "not asked"


def closed(environment: dict[str, str], home: Path, *arguments: str, input: str = "") -> Result:
    """A command where nothing in its home can be written."""
    if not can_mount():
        pytest.skip("no mounts here")
    done = subprocess.run(
        read_only(home, [sys.executable, "-m", "thalamus", *arguments]),
        input=input,
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
    )
    return Result(done.stdout, done.stderr, done.returncode)


@pytest.mark.sqlite
def test_a_message_that_cannot_be_stored_is_not_said_to_be(
    run: Run, environment: dict[str, str], home: Path
) -> None:
    run("turn", "I have a cat.")
    for command in (("turn", "I moved to Lisbon"), ("chat",)):
        done = closed(environment, home, *command, input="I moved to Lisbon\n")
        assert done.code == 1 and "Lisbon" in done.stdout
        assert done.stderr.count("Cannot write to ") == 1
        assert done.stderr.count("The message was not stored.") == 1
        assert "nothing was lost" not in done.stderr
        assert done.stderr.count("without an index") <= 1
    done = closed(environment, home, "turn", "--json", "I moved to Lisbon")
    issues = done.records[0]["issues"]
    assert [issue["stage"] for issue in issues] == ["store"]
    assert issues[0]["fix"].startswith("The message was not stored.")


@pytest.mark.sqlite
def test_one_error_is_told_once_in_a_turn(run: Run, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "data").write_text("no folder")
    done = run("turn", "I moved to Lisbon", "--json")
    assert [issue["stage"] for issue in done.records[0]["issues"]] == ["store"]
    assert done.code == 1 and done.stderr.count("Cannot write to ") == 1


# -- the configuration -----------------------------------------------------------------------------

BROKEN = """\
user: jo
# a comment
threads: many
modle: ollama:qwen3

core_tokens: .inf
models:
  answer: scripted
"""


@pytest.fixture
def broken(home: Path) -> Path:
    path = home / "config" / "config.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(BROKEN)
    return path


def test_a_wrong_setting_is_named_with_its_line(run: Run, broken: Path) -> None:
    done = run("facts")
    assert done.code == 2
    assert f"{broken}, line 3: threads must be an integer" in done.stderr
    assert "\n" not in done.stderr.strip()  # the place is known: no further advice


def test_config_show_shows_what_can_be_read_and_what_is_wrong(run: Run, broken: Path) -> None:
    done = run("config", "show", "--session", "tea")
    assert done.code == 2
    assert any(line.startswith('user: "jo"') and str(broken) in line for line in _lines(done))
    assert 'session: "tea"' in done.stdout and "threads: 0 " in done.stdout
    for line, words in ((3, "threads must be"), (4, "unknown setting 'modle'")):
        assert f"{broken}, line {line}: {words}" in done.stderr
    assert f"{broken}, line 6: core_tokens must be between 0 and 1,000,000" in done.stderr
    found = run("config", "show", "--json")
    assert found.code == 2
    assert {r["name"]: r["value"] for r in found.records}["models"] == {"answer": "scripted"}
    errors = [json.loads(line) for line in found.stderr.splitlines()]
    assert [error["name"] for error in errors] == ["config"] * 3
    checked = run("config", "check")
    assert checked.code == 2 and "line 3" in checked.stdout and "line 6" in checked.stdout


def _lines(done: Result) -> list[str]:
    return done.stdout.splitlines()


def test_a_file_that_cannot_be_read_at_all_is_left_out(run: Run, broken: Path) -> None:
    broken.write_text("user: [a\n")
    done = run("config", "show", env={"THALAMUS_THREADS": "x"})
    assert done.code == 2 and "session:" in done.stdout
    assert str(broken) in done.stderr and "line 2" in done.stderr
    assert "THALAMUS_THREADS: threads must be an integer, not 'x'" in done.stderr
    broken.write_bytes(b"user: \xff\n")
    assert run("config", "path").code == 0  # where the file is can still be seen


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "line", "words"),
    [
        ("store", '{"v":2}', "missing field `record`"),
        ("store", '{"v":2,"record":"memory","content":"x"}', "`v`: unsupported record version 2"),
        ("turn", '{"v":2}', "`v`: unsupported record version 2 (only 1 is supported)"),
        ("turn", '{"record":"turn","v":"1","message":"x"}', "`v`: must be 1, the only version"),
        ("store", '{"record":"memory","content":"a \\ud800 b"}', r"unpaired surrogate"),
        ("store", '{"record":"memory","content":"a\\udc00"}', r"unpaired surrogate"),
        ("turn", '{"record":"turn","message":"\\ud83d"}', "`message`"),
        ("store", b'{"record":"memory","content":"\xed\xa0\x80"}', "not UTF-8"),
        ("store", b'\xff\xfe{\x00"\x00', "UTF-16"),
        ("store", '{"record":"memory","content":" \\n\\t "}', "`content`: must not be blank"),
        ("store", '{"record":"memory","content":"\\u200b\\u00a0"}', "`content`: must not be blank"),
        (
            "store",
            '{"record":"fact","subject":"Ana","predicate":"is","object":"well",'
            '"valid_from":"2024-01-01","valid_to":"2023-12-31T23:59:59Z"}',
            "`valid_to`",
        ),
        (
            "store",
            '{"record":"reflection","memories_to_store":[{"record":"memory","content":" "}]}',
            "`memories_to_store[0].content`: must not be blank",
        ),
    ],
)
def test_a_line_is_refused_for_what_is_wrong_with_it(
    run: Run, command: str, line: str | bytes, words: str
) -> None:
    data = (line if isinstance(line, bytes) else line.encode()) + b"\n"
    done = run(command, input=data)
    assert done.code == 3 and done.stdout == ""
    assert "Line 1: " in done.stderr and words in done.stderr


def test_pairs_of_surrogates_and_plain_text_are_taken(run: Run) -> None:
    done = run("store", input='{"record":"memory","content":"a \\ud83d\\ude00 \\\\ud800"}\n')
    assert done.code == 0 and done.records[0]["content"] == "a 😀 \\ud800"


@pytest.mark.parametrize(
    ("command", "text", "field"),
    [
        ("turn", "I moved to Lisbon.", "message"),
        ("turn", '{"record":"turn","message":"I moved to Lisbon."}', "message"),
        ("store", '{"record":"memory","content":"I moved to Lisbon."}', "content"),
    ],
)
def test_a_byte_order_mark_is_skipped(run: Run, command: str, text: str, field: str) -> None:
    done = run(*(command, "--json") if command == "turn" else (command,), input=f"\ufeff{text}\n")
    assert done.records[0][field] == "I moved to Lisbon."


def test_a_fact_may_end_in_the_moment_it_begins_or_have_one_end(run: Run) -> None:
    base = {"record": "fact", "subject": "Ana", "predicate": "is", "object": "well"}
    for more in (
        {"valid_to": "2020-01-01"},
        {"valid_from": "2021-05-01", "valid_to": "2021-05-01"},
    ):
        assert run("store", input=json.dumps(base | more)).code == 0


def test_a_wrong_choice_names_what_there_is(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees.","id":"mem_bees"}')
    for command, words in (
        (("retrieve", "bees", "--mode", "foo"), "--mode 'foo' (choose all, memory, facts, "),
        (
            ("retrieve", "bees", "--scope", "foo"),
            "--scope 'foo' (choose core, episodic or archival)",
        ),
        (("retrieve", "bees", "-n", "2000"), "2000 is not in the range 0 to 1000"),
        (("retrieve", "bees", "-n", "2000"), "-n"),
        (("memory", "--scope", "foo"), "--scope 'foo' (choose core, episodic or archival)"),
        (("memory", "--status", "foo"), "--status 'foo' (choose active, superseded, quarantined"),
        (("memory", "--type", "foo"), "invalid --type 'foo' (choose observation, user_identity, "),
        (("memory", "search", "bees", "--type", "foo"), "--type 'foo' (choose observation, "),
        (("retrieve", "bees", "--type", "foo"), "--type 'foo' (choose observation, "),
        (("prune", "--type", "foo"), "--type 'foo' (choose observation, "),
        (("prune", "--dry-run", "--type", "foo"), "--type 'foo' (choose observation, "),
        (("memory", "edit", "mem_bees", "--importance", "x"), "(choose low, medium or high)"),
    ):
        done = run(*command)
        assert done.code == 2 and words in done.stderr, command
