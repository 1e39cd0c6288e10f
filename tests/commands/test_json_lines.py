"""Every line that a command prints with `--json` names itself and agrees with its schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.commands.conftest import Run
from thalamus.records.registry import RECORDS
from thalamus.records.schemas import schema

SAID = "I moved to Lisbon in May and I prefer short answers."
HOBBIES = (
    "I signed up for the pottery course at the mill.",
    "My teacher praised the bowls of my pottery course.",
    "I play chess with my uncle on Fridays.",
    "I taught my niece chess with my uncle.",
)
# what stands after `thalamus`, and the records that it prints
COMMANDS: list[tuple[tuple[str, ...], set[str]]] = [
    (("turn", "Where do I live?"), {"turn"}),
    (("retrieve", "Lisbon"), {"evidence"}),
    (("facts",), {"fact"}),
    (("facts", "history", "user"), {"fact"}),
    (("timeline", "--facts"), {"fact"}),
    (("facts", "add", "Ana", "likes", "tea"), {"fact"}),
    (("facts", "predicate"), {"predicate"}),
    (("facts", "merge", "Annie", "Ana"), set()),
    (("facts", "entities"), {"alias"}),
    (("concepts",), {"concept"}),
    (("concepts", "show", "Lisbon"), {"concept_details"}),
    (("concepts", "merge", "Lisbon", "Lisboa"), {"concept"}),
    (("concepts", "split", "Lisbon"), {"concept"}),
    (("concepts", "graph", "Lisbon"), {"graph"}),
    (
        (
            "store",
            "stats",
        ),
        {"statistics"},
    ),
    (("report", "-o", "page.html"), {"event"}),
    (("memory",), {"memory"}),
    (("memory", "search", "answers"), {"evidence"}),
    (("memory", "pin", "MEMORY"), {"memory"}),
    (("memory", "show", "MEMORY"), {"memory", "link"}),
    (("profile",), {"profile"}),
    (("profile", "set", "tone=friendly"), {"profile"}),
    (("project", "add", "Herb garden"), {"project"}),
    (("project", "list"), {"project"}),
    (("world", "apply", "set", "project", "Herb garden"), {"world_change"}),
    (("world", "show"), {"world"}),
    (("world", "history"), {"world_change"}),
    (("world", "diff"), {"world"}),
    (
        (
            "project",
            "status",
        ),
        {"manifest"},
    ),
    (("stage",), {"stage"}),
    (("hook",), {"event"}),
    (("hook", "install", "claude-code", "--dry-run"), {"event"}),
    (("hook", "remove", "claude-code", "--dry-run"), {"event"}),
    (("tools",), {"tool"}),
    (("tools", "show", "calculate"), {"tool"}),
    (("sources", "add", "https://example.org/feed"), {"discovery_source"}),
    (("sources",), {"discovery_source"}),
    (("metrics",), {"metrics"}),
    (("token", "create", "coder"), {"token"}),
    (("token", "list"), {"token"}),
    (("consolidate",), {"insight"}),
    (("insights",), {"insight"}),
    (("insights", "search", "pottery"), {"evidence"}),
    (("insights", "show", "INSIGHT"), {"insight", "link"}),
    (("insights", "tree", "INSIGHT"), {"origin"}),
    (("consolidate", "merge"), {"deep_reflection"}),
    (("insights", "reject", "INSIGHT"), {"insight"}),
    (("timeline",), {"timeline_item"}),
    (("session",), {"session"}),
    (("session", "search", "Lisbon"), {"session_match"}),
    (("session", "show", "main"), {"turn"}),
    (("session", "rename", "main", "Moving"), {"session"}),
    (("undo", "--list"), {"batch"}),
    (("undo",), {"event"}),
    (("why",), {"origin"}),
    (("trace",), {"event"}),
    (("prune", "--rules"), {"retention_rule"}),
    (("prune", "--dry-run"), {"verdict"}),
    (("prune",), {"event"}),
    (("ingest", "notes.md", "--no-summary"), {"document"}),
    (("import", "export.jsonl"), {"event"}),
    (("config", "show"), {"setting"}),
    (("config", "path"), {"path"}),
    (("config", "check"), {"check"}),
    (("config", "set", "log_level", "info"), {"setting"}),
    (("config", "unset", "log_level"), {"setting"}),
    (("config", "trust", "."), {"trusted_folder"}),
    (("config", "trust", "--list"), {"trusted_folder"}),
    (("config", "trust", "--revoke", "."), {"trusted_folder"}),
    (("models",), {"model"}),
    (("models", "check"), {"model_check"}),
    (("doctor",), {"check"}),
    (
        (
            "store",
            "reindex",
        ),
        {"event"},
    ),
    (("forget", "--subject", "Ana", "--dry-run"), {"verdict"}),
    (("forget", "--subject", "Ana", "--yes"), {"verdict", "event"}),
    (("store", "backup", "copy.db"), {"event"}),
    (("store", "restore", "copy.db", "--yes"), {"event"}),
    (("schema",), {"schema"}),
    (("schema", "turn"), {"schema"}),
    (("schema", "--all"), {"schema"}),
    (
        (
            "doctor",
            "--signatures",
        ),
        {"event"},
    ),
    (("key", "show"), {"event"}),
    (("demo", "--scripted"), {"turn"}),
    (("forget", "--everything", "--confirm", "default"), {"event"}),
]


@pytest.fixture
def store(run: Run, tmp_path: Path) -> dict[str, str]:
    """A small store and files; placeholders of ``COMMANDS`` -> what they stand for."""
    said = (
        {"record": "turn", "message": message, "created_at": f"2026-03-{day:02}T10:00:00Z"}
        for day, message in enumerate((SAID, *HOBBIES), start=1)
    )
    run("turn", input="".join(json.dumps(turn) + "\n" for turn in said))
    (tmp_path / "notes.md").write_text("# Garden\n\nHerons come to the pond at dawn.\n")
    (tmp_path / ".thalamus.yaml").write_text("user: ana\n")
    (tmp_path / "export.jsonl").write_text(run("export").stdout)
    (tmp_path / ".thalamus.yaml").write_text("user: ''\n")
    run("consolidate", "--limit", "2")
    return {
        "MEMORY": run("memory", "--json").records[0]["id"],
        "INSIGHT": run("insights", "--json").records[0]["id"],
    }


def check(line: dict[str, Any]) -> str:
    """The name of a record that agrees with its schema."""
    name = line["record"]
    promised = schema(name)
    assert line["v"] == 1
    assert set(promised["required"]) <= set(line) <= set(promised["properties"])
    msgspec.convert(line, RECORDS[name])
    return str(name)


def test_every_json_line_agrees_with_its_schema(run: Run, store: dict[str, str]) -> None:
    for command, records in COMMANDS:
        done = run(*(store.get(word, word) for word in command), "--json")
        assert done.code == 0, (command, done.stderr)
        found = {check(line) for line in done.records}
        assert found == records, (command, done.stdout)


def test_the_commands_with_json_are_all_there() -> None:
    from tests.commands.test_vocabulary import OPTIONS

    tried = {command[0] for command, _ in COMMANDS}
    elsewhere = {"eval", "answer", "plan", "reflect"}  # checked where their lines are made
    found = {words.split()[0] for words, options in OPTIONS.items() if "--json" in options}
    assert found == tried | elsewhere


@pytest.mark.parametrize("line", ["[1", "[", '{"record": 1, "content": '])
def test_what_ends_too_early_is_no_null(run: Run, line: str) -> None:
    for command in ("store", "import"):
        done = run(command, input=line)
        assert done.code == 3 and "it ends too early" in done.stderr


def test_a_message_in_a_pipe_keeps_its_blank_lines(run: Run) -> None:
    text = "Dear bot,\n\nfirst.\n\n```\ndef f():\n\n    return 1\n```"
    for given in (text, f"\n\n{text}\n\n"):
        [turn] = run("turn", "--json", input=given).records
        assert turn["message"] == text
    lines = '\n{"record":"turn","message":"One."}\n\n{"record":"turn","message":"Two."}\n'
    assert [turn["message"] for turn in run("retrieve", input=lines).records] == ["One.", "Two."]


def test_a_long_line_in_a_pipe(run: Run) -> None:
    lines = [{"record": "memory", "content": f"Tea {n}. " * 30_000} for n in range(3)]
    text = "".join(json.dumps(line) + "\n" for line in lines).rstrip("\n")
    assert len(run("store", input=text).records) == 3


def test_a_whole_second_begins_before_its_fractions(run: Run) -> None:
    line = {"record": "memory", "content": "Tea.", "created_at": "2026-05-08T00:00:00.500Z"}
    run("store", input=json.dumps(line))
    assert len(run("memory", "--since", "2026-05-08T00:00:00Z", "--json").records) == 1
    assert run("memory", "--until", "2026-05-08T00:00:00Z", "--json").records == []
