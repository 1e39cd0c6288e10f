"""What a store, a model or a file name holds is shown by a terminal, never done by it."""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import thalamus
from tests.conftest import Result
from thalamus import Thalamus
from thalamus.terminal.lines import one_line
from thalamus.text.visible import visible

Run = Callable[..., Result]
# writes the clipboard, clears the line, turns the writing round, ends the line, rings the bell
EVIL = (
    "\x1b]52;c;ZXZpbA==\x07\x1b[2J\r\x9b31m\x85\x9d\x7f\x01\x08"
    "\u202e\u2066\u2069\u200e\u200f\u061c\u2028\u2029"
)
# all that a terminal must not be sent: everything of it but line feeds and tabs
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)


def evil(word: str) -> str:
    return f"{word}{EVIL}{word}"


def records() -> list[dict[str, object]]:
    """A record of each kind with it in every field that takes a text."""
    turn, memory = evil("turn_1"), evil("mem_1")
    owner = {"session": evil("s"), "user": evil("u"), "agent": evil("a")}
    at = {"created_at": "2026-03-01T10:00:00Z"}
    source = {"turn": turn, "quote": evil("quote"), "heading": evil("heading")}
    paper = {"document": evil("doc_1"), "page": 1, "offset": 0, "heading": evil("heading")}
    return [
        {"record": "turn", "id": turn, "message": evil("Lisbon"), "answer": evil("Noted"), **owner}
        | {"metadata": {evil("k"): evil("v")}, **at},
        {"record": "memory", "id": memory, "content": evil("Lisbon bees"), "type": evil("kind")}
        | {"topic": evil("topic"), "stale": evil("stale"), "provenance": source, **owner, **at}
        | {"metadata": {evil("k"): evil("v")}, "batch": evil("batch")},
        {"record": "memory", "id": evil("mem_2"), "content": evil("Lisbon wax"), **owner, **at}
        | {"status": "quarantined", "metadata": {"quarantine": {"reason": evil("because")}}},
        {"record": "memory", "id": evil("mem_3"), "content": evil("chunk"), "provenance": paper}
        | {"type": "document_chunk", **owner, **at},
        {"record": "fact", "id": evil("fact_1"), "subject": evil("Ana"), **owner, **at}
        | {"predicate": evil("likes"), "object": evil("Lisbon"), "quote": evil("quote")}
        | {"provenance": source, "valid_from": "2020-01-01T00:00:00Z"},
        {"record": "document", "id": evil("doc_1"), "path": evil("/tmp/x"), "status": "ingested"}
        | {"title": evil("title"), "summary": evil("summary"), "topic": evil("topic")}
        | {"sha256": evil("abc"), "format": evil("text")},
        {"record": "plan", "id": evil("plan_1"), "session": evil("s"), "turn": turn, **at}
        | {"retrieval_instructions": [{"query": evil("query"), "topic": evil("topic")}]},
        {"record": "link", "source": memory, "relation": "derived_from", "target": turn},
        {"record": "link", "source": turn, "relation": "supersedes", "target": memory},
        {"record": "link", "source": memory, "relation": "evidence_of", "target": turn},
        {"record": "alias", "name": evil("Anna"), "target": evil("Ana"), "user": evil("u")},
        {"record": "predicate", "name": evil("zurk"), "spellings": [evil("zurks")]}
        | {"opposite": evil("unzurk"), "description": evil("says")},
        {"record": "event", "name": "stage", "turn": turn, "session": evil("s")}
        | {"at": at["created_at"], "data": {"stage": evil("answer"), "model": evil("model")}}
        | {"data": {"stage": "store", "detail": {evil("k"): [evil("v")]}}},
        {"record": "event", "name": "issue", "turn": turn, "at": at["created_at"]}
        | {"data": {"stage": evil("answer"), "message": evil("no"), "fix": evil("fix")}},
    ]


COMMANDS: list[tuple[str, ...]] = [
    ("retrieve", "Lisbon"),
    ("retrieve", "Lisbon", "--mode", "history"),
    ("retrieve", "chunk", "--mode", "document"),
    ("memory",),
    ("memory", "list", "--status", "all"),
    ("memory", "--status", "quarantined"),
    ("memory", "search", "Lisbon"),
    ("memory", "show", evil("mem_1")),
    ("memory", "show", "mem_"),
    ("memory", "show", evil("nothing")),
    ("memory", "pin", evil("mem_1")),
    ("memory", "release", evil("mem_2")),
    ("memory", "edit", evil("mem_1"), "--content", evil("wax")),
    ("facts",),
    ("facts", "--history"),
    ("facts", "history", evil("Ana")),
    ("timeline", "--facts"),
    ("facts", "entities"),
    ("facts", "predicate"),
    ("facts", "predicate", evil("zurk")),
    ("facts", "add", evil("Bo"), evil("keeps"), evil("bees")),
    ("facts", "correct", evil("fact_1"), evil("Porto")),
    ("facts", "retract", evil("fact_1")),
    ("facts", "end", evil("fact_1"), "--at", "2025"),
    ("why", evil("turn_1")),
    ("why", evil("mem_1")),
    ("why", evil("mem_3")),
    ("why", evil("fact_1")),
    ("why", evil("plan_1")),
    ("trace", evil("turn_1")),
    ("trace", "--last", "9"),
    ("export", "--format", "markdown"),
    ("prune", "--dry-run"),
    ("undo", "--list"),
    ("doctor", "--no-model"),
    ("doctor", "--signatures"),
    ("config", "show"),
    ("config", "path"),
    ("turn", evil("Where is Lisbon?"), "--session", evil("s"), "--debug"),
    ("turn", evil("Where?"), "--flow", evil("classic")),
    ("turn", "hi", "--model", evil("gpt")),
    ("ingest", evil("/nowhere/x")),
    ("import", evil("/nowhere/x")),
    ("store", "backup", evil("/nowhere/x")),
    (evil("command"),),
    ("memory", evil("--option")),
    ("retrieve", "x", "-n", evil("many")),
    ("forget", evil("turn_1"), "--dry-run"),
    ("forget", "--query", "Lisbon", "--yes"),
]


def sent(done: Result) -> list[str]:
    return sorted({f"U+{ord(c):04X}" for c in FORBIDDEN.findall(done.stdout + done.stderr)})


def test_no_command_sends_a_control_character(run: Run) -> None:
    stored = [r for r in records() if r["record"] in ("turn", "memory", "fact")]
    for way, given in (("store", stored), ("import", records())):
        done = run(way, input="".join(json.dumps(record) + "\n" for record in given))
        assert done.code == 0 and sent(done) == []
    wrong: dict[str, object] = {}
    for command in COMMANDS:
        done = run(*command)
        if found := sent(done):
            wrong[" ".join(command)] = found
        assert "Traceback" not in done.stderr and "unexpected" not in done.stderr, command
    assert wrong == {}


def test_json_holds_them_all_and_sends_none(run: Run) -> None:
    done = run("import", "--json", input="".join(json.dumps(r) + "\n" for r in records()))
    assert sent(done) == []
    for command in (
        ("export",),
        ("memory", "--status", "all", "--json"),
        ("retrieve", "Lisbon", "--json"),
        ("facts", "--json"),
        ("why", evil("mem_1"), "--json"),
        ("trace", evil("turn_1"), "--json"),
        ("turn", evil("Where is Lisbon?"), "--json", "--events", "-"),
    ):
        done = run(*command)
        assert sent(done) == [], command
        assert EVIL in "".join(map(str, _texts([json.loads(x) for x in _lines(done)]))), command


def _lines(done: Result) -> list[str]:
    return (done.stdout + done.stderr).strip().split("\n")


def _texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return [value] if isinstance(value, str) else []


def test_an_answer_is_streamed_without_them(environment: dict[str, str], tmp_path: Path) -> None:
    """Also where a sequence comes in several tokens: the script's model sends word by word."""
    reply = "clip \x1b ]52;c; ZXZpbA== \x07 \x9b 31m \r over \u202e gone"
    script = tmp_path / "script.yaml"
    script.write_text(json.dumps([{"role": "answer", "reply": reply}]))
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "thalamus", "turn", "hello", "--model", f"scripted:{script}"]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.PIPE, env=environment
    )
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:  # the other side has closed
            break
        if not part:
            break
        seen += part
    os.close(master)
    assert process.wait(60) == 0
    text = seen.decode().replace("\r\n", "\n")
    assert FORBIDDEN.findall(text) == []
    assert "clip \\u001b ]52;c;" in text and "\\u009b 31m" in text and "over \\u202e gone" in text


@pytest.mark.parametrize("command", ["turn", "chat"])
def test_an_answer_in_a_pipe_has_none(run: Run, tmp_path: Path, command: str) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(json.dumps([{"role": "answer", "reply": f"a{EVIL}z"}]))
    done = run(command, "--debug", "--model", f"scripted:{script}", input="hello\n")
    assert done.code == 0 and sent(done) == []
    assert done.stdout.startswith("a\\u001b]52;c;ZXZpbA==")


def test_names_of_files_are_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / f"{EVIL}.txt").write_text(f"Herons come at dawn. {EVIL}")
    (tmp_path / f"{EVIL}.pdf").write_text("no PDF")
    (tmp_path / os.fsdecode(b"\xff\xfe.txt")).write_text("Herons fish.")
    for arguments in (("--no-summary", "-r"), ("--no-summary", "-r", "--json"), ("-r",)):
        done = run("ingest", *arguments, str(tmp_path))
        assert done.code == 1 and sent(done) == []
        assert "unexpected" not in done.stderr


def test_bytes_that_are_no_utf_8_are_refused(environment: dict[str, str]) -> None:
    for arguments in ((b"turn", b"\xff"), (b"facts", b"add", b"\xff", b"likes", b"rain")):
        command = [os.fsencode(sys.executable), b"-m", b"thalamus", *arguments]
        done = subprocess.run(
            command, capture_output=True, env=environment, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 2
        assert b"bytes that are not UTF-8" in done.stderr


def test_the_commands_of_a_chat_send_none(
    thalamus: Thalamus, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    from thalamus.terminal.printer import Printer
    from thalamus.terminal.repl import Repl

    run("import", input="".join(json.dumps(record) + "\n" for record in records()))
    with Printer(stream=True, log=None) as teller:
        chat = Repl(thalamus.config, teller, debug=True)
        for line in (
            "/memory",
            "/memory Lisbon",
            "/facts",
            "/plan",
            f"/why {evil('mem_1')}",
            "/nothing",
            f"/why {evil('x')}",
            f"/ingest {evil('x')}",
            f"/model {evil('x')}",
            f"I moved to Lisbon {EVIL}",
        ):
            chat.handle(line)
        chat.thalamus.close()
    printed = capsys.readouterr()
    assert FORBIDDEN.findall(printed.out + printed.err) == []
    assert "Lisbon" in printed.out


def test_a_log_and_its_file_have_none(run: Run, tmp_path: Path) -> None:
    log = {"THALAMUS_LOG_LEVEL": "debug", "THALAMUS_LOG_FILE": str(tmp_path / "log")}
    for env in (log, {"THALAMUS_LOG_LEVEL": "debug"}):
        assert sent(run("turn", "hi", "--model", f"llamacpp:{EVIL}.gguf", env=env)) == []
        assert sent(run("retrieve", "x", "--embedding", f"@{EVIL}", env=env)) == []
    assert FORBIDDEN.findall((tmp_path / "log").read_text()) == []


def test_visible_leaves_lines_and_tabs_and_all_languages() -> None:
    text = "a\tb\nÅngström, 猫, نص, עברית, 👩‍👩‍👧, e\u0301"
    assert visible(text) == text
    assert visible(visible(EVIL)) == visible(EVIL)
    assert visible("\udcff") == "\\udcff"
    assert FORBIDDEN.findall(one_line(EVIL)) == []


def test_nothing_else_in_the_package_prints() -> None:
    """What goes to a terminal goes through ``terminal.streams``."""
    wrong = []
    package = Path(thalamus.__file__).parent
    for path in package.rglob("*.py"):
        name = str(path.relative_to(package))
        if name in ("terminal/streams.py", "records/schemas.py"):
            continue
        text = path.read_text()
        if not re.search(r"\b(print|input|echo)\(|sys\.std(out|err)\.[wb]", text):
            continue
        tree = ast.parse(text)
        imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        ours = {
            alias.asname
            for node in imported
            if node.module == "thalamus.terminal.streams"
            for alias in node.names
        }
        for node in ast.walk(tree):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
            call = ast.unparse(node.func) if named else ""  # type: ignore[attr-defined]
            printing = call in ("print", "input", "typer.echo", "click.echo") and call not in ours
            if printing or call.startswith(("sys.stdout.w", "sys.stdout.b", "sys.stderr.w")):
                wrong.append(f"{name}:{node.lineno}")  # type: ignore[attr-defined]
    assert wrong == []
