"""Sessions of coding agents, made here in the shapes of their files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

DIRECTORY = "/home/ana/heron"
EDIT = {"file_path": f"{DIRECTORY}/src/cache.py", "old_string": "x = 1", "new_string": "x = 2"}


def lines(path: Path, values: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values))
    return path


def whole(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


# -- Claude Code -----------------------------------------------------------------------------------


class ClaudeCode:
    """A session as Claude Code writes it; each line is a second later than the one before."""

    def __init__(
        self, session: str = "s1", *, branch: str = "main", day: str = "2026-04-01"
    ) -> None:
        self.session = session
        self.day = day
        self.lines: list[dict[str, Any]] = []
        self.base = {
            "sessionId": session,
            "cwd": DIRECTORY,
            "gitBranch": branch,
            "version": "2.0.46",
            "userType": "external",
            "isSidechain": False,
        }

    def add(self, kind: str, **fields: Any) -> ClaudeCode:
        number = len(self.lines)
        at = f"{self.day}T10:{number // 60:02}:{number % 60:02}.000Z"
        own = {"uuid": f"{self.session}-{number}", "timestamp": at, "parentUuid": None}
        self.lines.append({**self.base, "type": kind, **own, **fields})
        return self

    def user(self, text: Any, **fields: Any) -> ClaudeCode:
        return self.add("user", message={"role": "user", "content": text}, **fields)

    def agent(self, text: str, **fields: Any) -> ClaudeCode:
        content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
        return self.add("assistant", message={"role": "assistant", "content": content}, **fields)

    def call(
        self,
        id: str,
        tool: str,
        args: Mapping[str, Any],
        result: str = "",
        error: bool = False,
        details: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> ClaudeCode:
        use = {"type": "tool_use", "id": id, "name": tool, "input": dict(args)}
        self.add("assistant", message={"role": "assistant", "content": [use]}, **fields)
        found = {"type": "tool_result", "tool_use_id": id, "content": result, "is_error": error}
        more = {"toolUseResult": dict(details)} if details else {}
        return self.user([found], **more, **fields)

    def write(self, folder: Path) -> Path:
        return lines(folder / "projects" / "-home-ana-heron" / f"{self.session}.jsonl", self.lines)


def claude_code(folder: Path) -> Path:
    """One session with most kinds of lines."""
    session = ClaudeCode()
    session.add("file-history-snapshot", messageId="m", snapshot={})
    session.user("<local-command-caveat>Caveat: …</local-command-caveat>", isMeta=True)
    session.user("<command-name>/clear</command-name><command-args></command-args>")
    session.user("The cache is slow.<system-reminder>Be brief.</system-reminder>")
    session.agent("I will look.")
    session.call("toolu_1", "Read", {"file_path": f"{DIRECTORY}/src/cache.py"}, "x = 1")
    patch = {"structuredPatch": [{"lines": [" # size", "-x = 1", "+x = 2"]}]}
    session.call("toolu_2", "Edit", EDIT, "done", details=patch)
    session.call("toolu_3", "Bash", {"command": "pytest -q"}, "1 failed", error=True)
    session.agent("The cache is larger now.")
    session.add(
        "assistant",
        message={"model": "<synthetic>", "content": [{"type": "text", "text": "API Error"}]},
    )
    session.add("system", subtype="compact_boundary", content="Conversation compacted")
    session.user("This session is being continued from before.", isCompactSummary=True)
    session.user(
        [{"type": "text", "text": "Use SQLite for it, please."}, {"type": "image", "source": {}}]
    )
    session.agent("It uses SQLite.")
    session.add("new-kind", thing=1)
    session.add("summary", summary="Faster cache", leafUuid="x")
    path = session.write(folder)
    side = ClaudeCode("s1")
    side.base |= {"isSidechain": True, "agentId": "a1"}
    side.user("Find all caches.")
    side.call("toolu_9", "Grep", {"pattern": "cache"}, "src/cache.py")
    side.agent("There is one.")
    for number, line in enumerate(side.lines):
        line["uuid"] = f"side-{number}"
    lines(path.with_suffix("") / "subagents" / "agent-a1.jsonl", side.lines)
    return folder


# -- Codex -----------------------------------------------------------------------------------------


PATCH = "*** Begin Patch\n*** Update File: src/cache.py\n@@\n-x = 1\n+x = 2\n*** End Patch"


def codex_lines(
    session: str, items: Iterable[tuple[str, Any]], **meta: Any
) -> list[dict[str, Any]]:
    first = {
        "id": session,
        "cwd": DIRECTORY,
        "cli_version": "0.77.0",
        "git": {
            "branch": "main",
            "commit_hash": "c0ffee",
            "repository_url": "git@example.org:ana/heron.git",
        },
        **meta,
    }
    given = [("session_meta", first), *items]
    return [
        {"timestamp": f"2026-04-02T10:00:{number:02}.000Z", "type": kind, "payload": payload}
        for number, (kind, payload) in enumerate(given)
    ]


def item(role: str, text: str) -> tuple[str, Any]:
    kind = "input_text" if role == "user" else "output_text"
    return "response_item", {
        "type": "message",
        "role": role,
        "content": [{"type": kind, "text": text}],
    }


def event(kind: str, text: str) -> tuple[str, Any]:
    return "event_msg", {"type": kind, "message": text}


def function(id: str, name: str, args: Any, output: Any) -> list[tuple[str, Any]]:
    call = {"type": "function_call", "name": name, "arguments": json.dumps(args), "call_id": id}
    result = {"type": "function_call_output", "call_id": id, "output": output}
    return [("response_item", call), ("response_item", result)]


CODEX: list[tuple[str, Any]] = [
    item(
        "user",
        "# AGENTS.md instructions for /home/ana/heron\n\n<INSTRUCTIONS>\nI am Bob.\n"
        "</INSTRUCTIONS>",
    ),
    item("user", "<environment_context>\n  <cwd>/home/ana/heron</cwd>\n</environment_context>"),
    ("turn_context", {"cwd": DIRECTORY, "model": "gpt"}),
    item("user", "Make the cache larger."),
    event("user_message", "Make the cache larger."),
    ("response_item", {"type": "reasoning", "summary": []}),
    *function(
        "call_1",
        "shell",
        {"command": ["cat", "src/cache.py"]},
        '{"output":"x = 1","metadata":{"exit_code":0}}',
    ),
    (
        "response_item",
        {"type": "custom_tool_call", "name": "apply_patch", "input": PATCH, "call_id": "call_2"},
    ),
    (
        "response_item",
        {
            "type": "custom_tool_call_output",
            "call_id": "call_2",
            "output": "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess",
        },
    ),
    *function(
        "call_3",
        "exec_command",
        {"cmd": "pytest"},
        "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\n1 failed",
    ),
    item("assistant", "It is larger."),
    event("agent_message", "It is larger."),
    ("event_msg", {"type": "token_count"}),
    ("unheard_of", {}),
]


def codex(folder: Path) -> Path:
    day = folder / "sessions" / "2026" / "04" / "02"
    lines(day / "rollout-2026-04-02T10-00-00-c1.jsonl", codex_lines("c1", CODEX))
    return folder


# -- Gemini CLI ------------------------------------------------------------------------------------


GEMINI: list[dict[str, Any]] = [
    {
        "id": "g1",
        "timestamp": "2026-04-03T10:00:00Z",
        "type": "user",
        "content": "Make the cache larger.",
    },
    {
        "id": "g2",
        "timestamp": "2026-04-03T10:00:05Z",
        "type": "gemini",
        "content": "It is larger.",
        "thoughts": [],
        "toolCalls": [
            {
                "id": "replace-1",
                "name": "replace",
                "status": "success",
                "timestamp": "2026-04-03T10:00:03Z",
                "args": {
                    "file_path": f"{DIRECTORY}/src/cache.py",
                    "old_string": "x = 1",
                    "new_string": "x = 2",
                },
                "result": [{"functionResponse": {"response": {"output": "ok"}}}],
            },
            {
                "id": "shell-2",
                "name": "run_shell_command",
                "status": "error",
                "args": {"command": "pytest"},
                "result": [{"functionResponse": {"response": {"error": "1 failed"}}}],
            },
        ],
    },
    {
        "id": "g3",
        "timestamp": "2026-04-03T10:00:06Z",
        "type": "info",
        "content": "Update available",
    },
]


def gemini(folder: Path) -> Path:
    project = folder / "tmp" / "heron"
    value = {
        "sessionId": "g",
        "projectHash": "0",
        "startTime": "2026-04-03T10:00:00Z",
        "messages": GEMINI,
    }
    whole(project / "chats" / "session-2026-04-03T10-00-abc.json", value)
    (project / ".project_root").write_text(DIRECTORY)
    return folder


# -- opencode --------------------------------------------------------------------------------------


OPENCODE = {
    "info": {
        "id": "ses_1",
        "title": "Cache",
        "directory": DIRECTORY,
        "time": {"created": 1775210400000},
    },
    "messages": [
        {
            "info": {"id": "msg_1", "role": "user", "time": {"created": 1775210400000}},
            "parts": [
                {"id": "prt_1", "type": "text", "text": "Make the cache larger."},
                {"id": "prt_2", "type": "text", "text": "File: x = 1", "synthetic": True},
            ],
        },
        {
            "info": {"id": "msg_2", "role": "assistant", "time": {"created": 1775210405000}},
            "parts": [
                {"id": "prt_3", "type": "step-start"},
                {
                    "id": "prt_4",
                    "type": "tool",
                    "callID": "call_7",
                    "tool": "edit",
                    "state": {
                        "status": "completed",
                        "output": "ok",
                        "time": {"start": 1775210402000},
                        "input": {
                            "filePath": f"{DIRECTORY}/src/cache.py",
                            "oldString": "x = 1",
                            "newString": "x = 2",
                        },
                    },
                },
                {
                    "id": "prt_5",
                    "type": "tool",
                    "callID": "call_8",
                    "tool": "bash",
                    "state": {
                        "status": "error",
                        "error": "1 failed",
                        "input": {"command": "pytest"},
                    },
                },
                {"id": "prt_6", "type": "text", "text": "It is larger."},
            ],
        },
    ],
}


def opencode_export(folder: Path) -> Path:
    return whole(folder / "export.json", OPENCODE)


def opencode_files(folder: Path) -> Path:
    storage = folder / "storage"
    info: dict[str, Any] = OPENCODE["info"]  # type: ignore[assignment]
    whole(storage / "session" / "prj" / f"{info['id']}.json", info)
    for message in OPENCODE["messages"]:
        id = message["info"]["id"]  # type: ignore[index]
        whole(storage / "message" / info["id"] / f"{id}.json", message["info"])  # type: ignore[index]
        for part in message["parts"]:  # type: ignore[index]
            whole(storage / "part" / id / f"{part['id']}.json", part)  # type: ignore[index]
    return folder


def opencode_database(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    info: dict[str, Any] = OPENCODE["info"]  # type: ignore[assignment]
    with sqlite3.connect(folder / "opencode.db") as database:
        database.executescript(
            "CREATE TABLE session (id, parent_id, directory, title, revert, time_created);"
            "CREATE TABLE message (id, session_id, time_created, data);"
            "CREATE TABLE part (id, message_id, session_id, time_created, data);"
        )
        database.execute(
            "INSERT INTO session VALUES (?, NULL, ?, ?, NULL, ?)",
            (info["id"], info["directory"], info["title"], info["time"]["created"]),
        )
        for message in OPENCODE["messages"]:
            own: dict[str, Any] = message["info"]  # type: ignore[index]
            at = own["time"]["created"]
            database.execute(
                "INSERT INTO message VALUES (?, ?, ?, ?)",
                (own["id"], info["id"], at, json.dumps({"role": own["role"]})),
            )
            for part in message["parts"]:  # type: ignore[index]
                data = json.dumps({name: value for name, value in part.items() if name != "id"})
                database.execute(
                    "INSERT INTO part VALUES (?, ?, ?, ?, ?)",
                    (part["id"], own["id"], info["id"], at, data),
                )
    database.close()
    return folder
