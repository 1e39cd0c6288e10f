"""Transcripts as their agents write them: who said what, what was done, and what is passed over."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents import samples
from thalamus.agents.formats import AGENTS, recognize
from thalamus.agents.transcript import Call, Edit, Message, Transcript, cut, turns_of
from thalamus.clock import parse_time
from thalamus.errors import DocumentError
from thalamus.policy.sensitivity import personal
from thalamus.transfer.foreign.report import Report


def read(path: Path, name: str, report: Report | None = None) -> list[Transcript]:
    return list(AGENTS[name].read(path, report or Report()))


def by_side(transcript: Transcript) -> bool:
    """Side conversations first."""
    return not transcript.side


def described(transcript: Transcript) -> list[Any]:
    found: list[Any] = []
    for step in transcript.steps:
        if isinstance(step, Message):
            found.append(("user" if step.by_user else "agent", step.text))
        elif isinstance(step, Edit):
            found.append(("edit", step.path, step.diff))
        else:
            assert isinstance(step, Call)
            found.append((step.tool, step.result, step.error))
    return found


def test_a_session_of_claude_code(tmp_path: Path) -> None:
    report = Report()
    side, main = sorted(read(samples.claude_code(tmp_path), "claude-code", report), key=by_side)
    assert described(main) == [
        ("user", "The cache is slow."),
        ("agent", "I will look."),
        ("Read", "x = 1", None),
        ("edit", "/home/ana/heron/src/cache.py", " # size\n-x = 1\n+x = 2"),
        ("Bash", None, "1 failed"),
        ("agent", "The cache is larger now."),
        ("user", "Use SQLite for it, please.\n\n[image]"),
        ("agent", "It uses SQLite."),
    ]
    assert (main.id, main.title, main.branch) == ("s1", "Faster cache", "main")
    assert (main.directory, main.side) == ("/home/ana/heron", "")
    assert described(side) == [
        ("user", "Find all caches."),
        ("Grep", "src/cache.py", None),
        ("agent", "There is one."),
    ]
    assert (side.id, side.side) == ("s1/a1", "subagent")
    assert dict(report.left_out) == {"line of unknown type 'new-kind'": 1}


def test_what_was_typed_while_the_agent_worked(tmp_path: Path) -> None:
    session = samples.ClaudeCode().user("Go on.")
    queued = {"type": "queued_command", "prompt": "And test it.", "commandMode": "prompt"}
    session.add("attachment", attachment=queued)
    session.add("attachment", attachment={"type": "queued_command", "prompt": "Go on."})
    [found] = read(session.write(tmp_path), "claude-code")
    assert described(found) == [("user", "Go on."), ("user", "And test it.")]


@pytest.mark.parametrize(
    "text",
    [
        "[Request interrupted by user]",
        "<task-notification>done</task-notification>",
        "<local-command-stdout>ok</local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "<system-reminder>You are told.</system-reminder>",
        "<command-name>/compact</command-name>\n<command-args></command-args>",
    ],
)
def test_what_the_program_wrote_is_not_the_users(tmp_path: Path, text: str) -> None:
    assert read(samples.ClaudeCode().user(text).write(tmp_path), "claude-code") == []


def test_a_command_with_words_is_the_users(tmp_path: Path) -> None:
    text = "<command-message>plan</command-message><command-name>/plan</command-name>"
    session = samples.ClaudeCode().user(f"{text}<command-args>a cache</command-args>")
    [found] = read(session.write(tmp_path), "claude-code")
    assert described(found) == [("user", "/plan a cache")]


def test_a_session_of_codex(tmp_path: Path) -> None:
    report = Report()
    [found] = read(samples.codex(tmp_path), "codex", report)
    assert described(found) == [
        ("user", "Make the cache larger."),
        ("shell", "x = 1", None),
        ("edit", "src/cache.py", "-x = 1\n+x = 2"),
        ("exec_command", None, "1 failed"),
        ("agent", "It is larger."),
    ]
    assert (found.id, found.branch) == ("c1", "main")
    assert found.repository == "git@example.org:ana/heron.git"
    assert dict(report.left_out) == {"line of unknown type 'unheard_of'": 1}


def test_a_session_of_codex_before_september_2025(tmp_path: Path) -> None:
    first = {"id": "old", "timestamp": "2025-08-01T10:00:00Z", "instructions": None, "git": {}}
    message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
    context = {
        **message,
        "content": [
            {
                "type": "input_text",
                "text": "<environment_context>\nCurrent working directory: /home/ana/heron\n"
                "</environment_context>",
            }
        ],
    }
    path = tmp_path / "rollout-old.jsonl"
    samples.lines(path, [first, {"record_type": "state"}, context, message])
    [found] = read(path, "codex")
    assert described(found) == [("user", "Hi")] and found.directory == "/home/ana/heron"


def test_a_forked_session_of_codex_has_only_what_is_new(tmp_path: Path) -> None:
    day = samples.codex(tmp_path) / "sessions" / "2026" / "04" / "02"
    more = [samples.event("user_message", "Now smaller."), samples.event("agent_message", "Done.")]
    meta = ("session_meta", {"id": "c1", "cwd": "/elsewhere"})
    forked = samples.codex_lines("c2", [meta, *samples.CODEX, *more], forked_from_id="c1")
    samples.lines(day / "rollout-2026-04-02T11-00-00-c2.jsonl", forked)
    _, second = read(tmp_path, "codex")
    assert described(second) == [("user", "Now smaller."), ("agent", "Done.")]
    assert second.directory == samples.DIRECTORY


def test_what_was_rolled_back_is_gone(tmp_path: Path) -> None:
    items = [
        samples.event("user_message", "One."),
        samples.event("agent_message", "1"),
        samples.event("user_message", "Two."),
        ("event_msg", {"type": "thread_rolled_back", "num_turns": 1}),
    ]
    path = samples.lines(tmp_path / "rollout-x.jsonl", samples.codex_lines("x", items))
    assert described(read(path, "codex")[0]) == [("user", "One."), ("agent", "1")]


CHANGES = [
    ("user", "Make the cache larger."),
    ("edit", "/home/ana/heron/src/cache.py", "-x = 1\n+x = 2"),
]


def test_a_session_of_gemini_cli(tmp_path: Path) -> None:
    [found] = read(samples.gemini(tmp_path), "gemini-cli")
    assert described(found) == [
        *CHANGES,
        ("run_shell_command", None, "1 failed"),
        ("agent", "It is larger."),
    ]
    assert (found.id, found.directory) == ("g", "/home/ana/heron")


def test_a_log_of_gemini_cli_is_replayed(tmp_path: Path) -> None:
    first, second, _ = samples.GEMINI
    chats = samples.gemini(tmp_path) / "tmp" / "heron" / "chats"
    log = [
        {"sessionId": "g", "projectHash": "0", "startTime": "2026-04-03T10:00:00Z"},
        first,
        {**second, "content": "It is"},
        {"$set": {"lastUpdated": "2026-04-03T10:00:05Z"}},
        second,
        {"id": "g9", "timestamp": "2026-04-03T10:01:00Z", "type": "user", "content": "No."},
        {"$rewindTo": "g9"},
    ]
    samples.lines(chats / "session-2026-04-03T10-00-abc.jsonl", log)
    [found] = read(tmp_path, "gemini-cli")
    assert [one for one in described(found) if one[0] in ("user", "agent")] == [
        ("user", "Make the cache larger."),
        ("agent", "It is larger."),
    ]


@pytest.mark.parametrize(
    "make", [samples.opencode_export, samples.opencode_files, samples.opencode_database]
)
def test_a_session_of_opencode(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    [found] = read(make(tmp_path), "opencode")
    assert described(found) == [*CHANGES, ("bash", None, "1 failed"), ("agent", "It is larger.")]
    assert (found.id, found.title, found.directory) == ("ses_1", "Cache", "/home/ana/heron")


def test_the_database_of_opencode_has_what_its_files_had(tmp_path: Path) -> None:
    samples.opencode_files(tmp_path)
    assert len(read(samples.opencode_database(tmp_path), "opencode")) == 1


def test_another_database_is_not_one_of_opencode(tmp_path: Path) -> None:
    (tmp_path / "opencode.db").write_bytes(b"SQLite format 3\0" + b"x" * 100)
    with pytest.raises(DocumentError, match="not a database of opencode"):
        read(tmp_path, "opencode")


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (samples.claude_code, "claude-code"),
        (samples.codex, "codex"),
        (samples.gemini, "gemini-cli"),
        (samples.opencode_export, "opencode"),
        (samples.opencode_files, "opencode"),
        (samples.opencode_database, "opencode"),
    ],
)
def test_what_wrote_it_is_found_out(
    tmp_path: Path, make: Callable[[Path], Path], name: str
) -> None:
    found = recognize(make(tmp_path))
    assert found is not None and found.name == name


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1}', "\x00", '{"sessionId": 1}'])
def test_anything_else_is_not_recognized(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.jsonl").write_text(text)
    (tmp_path / "session-1.json").write_text(text)
    assert recognize(tmp_path) is None


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_malformed_fields_cost_nothing_else(tmp_path: Path, name: str) -> None:
    """Each field of each line is something that no version writes."""
    makers: dict[str, Callable[[Path], Path]] = {
        "claude-code": samples.claude_code,
        "codex": samples.codex,
        "gemini-cli": samples.gemini,
        "opencode": samples.opencode_files,
    }
    folder = makers[name](tmp_path / "whole")
    for file in sorted(folder.rglob("*.json*")):
        texts = file.read_text().splitlines()
        for number, text in enumerate(texts):
            for broken in variants(json.loads(text)):
                lines = [*texts[:number], json.dumps(broken), *texts[number + 1 :]]
                file.write_text("\n".join(lines) + "\n")
                for transcript in read(folder, name):
                    turns = turns_of(transcript)
                    assert all(turn.id and parse_time(turn.created_at or "") for turn in turns)
        file.write_text("\n".join(texts) + "\n")


ODD: list[Any] = [None, 7, [], {}, ["x", None], {"type": 3}, "\ud83d"]


def variants(value: Any) -> Iterator[Any]:
    """The value with something odd in place of each part of it, at any depth."""
    yield from ODD
    if isinstance(value, dict):
        for name, part in value.items():
            yield from ({**value, name: odd} for odd in variants(part))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from ([*value[:place], odd, *value[place + 1 :]] for odd in variants(part))


def test_the_last_line_may_be_unfinished(tmp_path: Path) -> None:
    path = samples.ClaudeCode().user("One.").user("Two.").write(tmp_path)
    problems: list[str] = []
    path.write_text(path.read_text()[:-20])
    [found] = read(path, "claude-code", Report(problems.append))
    assert described(found) == [("user", "One.")] and problems == []
    path.write_text("not JSON\n" + path.read_text())
    read(path, "claude-code", Report(problems.append))
    assert problems == [f"line 1 of {path} is not a JSON object; passed over"]


def test_turns_are_of_the_one_who_said_it(tmp_path: Path) -> None:
    side, main = sorted(read(samples.claude_code(tmp_path), "claude-code"), key=by_side)
    turns = turns_of(main)
    said, *did, last = turns
    assert (said.message, said.answer) == (
        "The cache is slow.",
        "I will look.\n\nThe cache is larger now.",
    )
    assert said.session == last.session == "claude-code:s1" and said.agent is None
    assert said.metadata == {
        "source": "claude-code",
        "title": "Faster cache",
        "branch": "main",
    }
    assert [turn.message for turn in did] == [
        '> claude-code:\n> Read {"file_path":"/home/ana/heron/src/cache.py"}\n> x = 1',
        "> claude-code:\n> src/cache.py\n>  # size\n> -x = 1\n> +x = 2",
        '> claude-code:\n> Bash {"command":"pytest -q"}\n> 1 failed',
    ]
    assert [turn.metadata["activity"].get("failed") for turn in did] == [None, None, True]
    assert all(turn.agent == "claude-code" for turn in did)
    for turn in turns_of(side):
        assert turn.agent == "claude-code" and turn.metadata["side"] == "subagent"
        assert all(line.startswith(">") for line in turn.message.splitlines())


def test_no_secret_is_cut_in_two() -> None:
    secret = "ghp_" + "a1B2" * 9
    for length in range(60):
        text = "word " * 300 + "x" * length + " " + secret + " " + "word " * 300
        found = cut(text, 1500)
        assert len(found) < 1560 and (secret in found or "ghp_" not in found)
        if secret in found:
            assert personal(found)


def test_a_fork_of_a_fork_of_codex_has_only_what_is_new(tmp_path: Path) -> None:
    day = samples.codex(tmp_path) / "sessions" / "2026" / "04" / "02"
    second = [samples.event("user_message", "Smaller."), samples.event("agent_message", "Done.")]
    third = [samples.event("user_message", "Faster."), samples.event("agent_message", "Done too.")]
    for id, origin, items in (("c2", "c1", second), ("c3", "c2", second + third)):
        meta = ("session_meta", {"id": origin, "cwd": samples.DIRECTORY})
        lines = samples.codex_lines(id, [meta, *samples.CODEX, *items], forked_from_id=origin)
        samples.lines(day / f"rollout-2026-04-02T11-00-00-{id}.jsonl", lines)
    assert [described(one) for one in read(tmp_path, "codex")[1:]] == [
        [("user", "Smaller."), ("agent", "Done.")],
        [("user", "Faster."), ("agent", "Done too.")],
    ]
