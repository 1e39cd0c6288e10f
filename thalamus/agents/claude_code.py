"""Transcripts of Claude Code: ``projects/<folder>/<session>.jsonl`` in its directory.

Each line is an entry with a ``uuid``; one reply of the model is several lines, one for each block.
The result of a tool is in a later entry of the user. Subagents have files of their own
(``<session>/subagents/agent-*.jsonl``, formerly next to it), and in old sessions entries with
``isSidechain`` among the others. A resumed session may repeat entries under the same ``uuid``; a
forked one names the original in ``forkedFrom``. After a compaction the summary is an entry of the
user with ``isCompactSummary``, and the earlier entries remain.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.agents.files import found_in, json_lines
from thalamus.agents.transcript import (
    Call,
    Edit,
    Message,
    Transcript,
    diff_lines,
    difference,
    text_of,
)
from thalamus.transfer.foreign.values import (
    clean,
    identity,
    listed,
    mapped,
    storable_value,
    time_of,
)

if TYPE_CHECKING:
    from thalamus.transfer.foreign.report import Report

AGENT = "claude-code"
TITLE = "Claude Code (~/.claude/projects)"
PATTERNS = ("*.jsonl",)
# entries without words: titles are read, the others say nothing of what was said or done
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
_OTHERS = frozenset(
    "system progress file-history-snapshot queue-operation last-prompt tag agent-name mode"
    " permission-mode pr-link worktree-state content-replacement".split()
)
# what the program puts into a message of the user
_ADDED = re.compile(
    r"<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|session-start-hook"
    r"|user-prompt-submit-hook)>.*?</\1>\s*",
    re.DOTALL,
)
_COMMAND = re.compile(r"<command-(name|args)>(.*?)</command-\1>", re.DOTALL)
# messages that the program wrote as a whole
_NOT_TYPED = re.compile(
    r"\[Request interrupted by user|Caveat: |<(?:local-command|bash|command|task|teammate)-[a-z-]+>"
)


def default_folder() -> Path:
    """The folder of the transcripts on this machine."""
    home = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(home) if home else Path.home() / ".claude") / "projects"


def recognize(line: dict[str, Any]) -> bool:
    """True for the entry of a transcript."""
    return "sessionId" in line and ("uuid" in line or line.get("type") in (*_TITLES, *_OTHERS))


def read(path: Path, report: Report) -> Iterator[Transcript]:
    """The sessions in a file or a folder. Raises ``DocumentError``."""
    for file in found_in(path, *PATTERNS):
        reading = _Reading(file, report)
        for _, line in json_lines(file, report):
            reading.add(line)
        yield from reading.finish()


class _Reading:
    """Transcripts of one file: the session, and the conversations of its subagents."""

    def __init__(self, file: Path, report: Report) -> None:
        self._file = file
        self._report = report
        self._main = Transcript(AGENT, file.stem)
        self._side = Transcript(AGENT, f"{file.stem}/side", side="subagent")
        self._titles: dict[str, str] = {}
        self._calls: dict[str, tuple[Transcript, Call]] = {}
        self._typed: set[str] = set()  # texts of the user
        self._at = ""

    def add(self, line: dict[str, Any]) -> None:
        """Reads a line."""
        kind = str(line.get("type"))
        transcript = self._side if line.get("isSidechain") else self._main
        self._describe(line, transcript)
        if kind in ("user", "assistant"):
            self._at = time_of(line.get("timestamp")) or self._at
            if self._at:
                self._entry(line, kind == "user", transcript)
            else:
                self._report.left_out["message without a time"] += 1
        elif kind == "attachment":
            self._queued(line, transcript)
        elif kind in _TITLES:
            if title := clean(line.get(_TITLES[kind])):
                self._titles[kind] = title
        elif kind not in _OTHERS:
            self._report.left_out[f"line of unknown type {kind[:40]!r}"] += 1

    def finish(self) -> Iterator[Transcript]:
        """The transcripts that have something, with what never got a result."""
        for transcript, call in self._calls.values():
            transcript.steps.append(call)
        titles = (self._titles[kind] for kind in _TITLES if kind in self._titles)
        self._main.title = next(titles, "")
        for transcript in (self._main, self._side):
            if transcript.steps:
                yield transcript

    def _describe(self, line: dict[str, Any], transcript: Transcript) -> None:
        if line.get("isSidechain") and (agent := identity(line.get("agentId"))):
            # in a file of its own, named after the session that it works for
            trunk = identity(line.get("sessionId"))
            transcript.id = f"{trunk}/{agent}"
        transcript.directory = transcript.directory or clean(line.get("cwd"))
        transcript.branch = transcript.branch or clean(line.get("gitBranch"))

    def _entry(self, line: dict[str, Any], by_user: bool, transcript: Transcript) -> None:
        message = mapped(line.get("message"))
        ref = identity(mapped(line.get("forkedFrom")).get("messageUuid"), line.get("uuid"))
        content = message.get("content")
        for block in map(mapped, listed(content)):
            if block.get("type") == "tool_use":
                self._call(block, transcript)
            elif block.get("type") == "tool_result":
                self._result(block, mapped(line.get("toolUseResult")), transcript)
        text = text_of(content)
        if by_user:
            text = _typed(line, text, bool(transcript.side))
            self._typed.add(text)
        elif line.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
            text = ""
        if text:
            transcript.steps.append(Message(by_user, text, self._at, ref))

    def _queued(self, line: dict[str, Any], transcript: Transcript) -> None:
        """A message that the user typed while the agent worked, if there is no entry for it."""
        attachment = mapped(line.get("attachment"))
        at = time_of(line.get("timestamp")) or self._at
        if attachment.get("type") != "queued_command" or not at:
            return
        if attachment.get("commandMode", "prompt") == "prompt":
            text = _typed(line, text_of(attachment.get("prompt")), False)
            if text and text not in self._typed:
                self._typed.add(text)
                ref = identity(line.get("uuid"), text)
                transcript.steps.append(Message(True, text, at, ref))

    def _call(self, block: dict[str, Any], transcript: Transcript) -> None:
        id = identity(block.get("id"))
        args = storable_value(mapped(block.get("input")))
        name = clean(block.get("name")) or "tool"
        self._calls[id] = transcript, Call(name, self._at, id, args)

    def _result(
        self, block: dict[str, Any], details: dict[str, Any], transcript: Transcript
    ) -> None:
        """Joins a call with its result. The call may be in another file."""
        id = identity(block.get("tool_use_id"))
        if id not in self._calls:
            return
        transcript, call = self._calls.pop(id)
        text = text_of(block.get("content"))
        if block.get("is_error"):
            step: Call | Edit = Call(call.tool, call.at, id, call.args, error=text or "failed")
        else:
            step = edit_of(call, details) or Call(call.tool, call.at, id, call.args, text or None)
        transcript.steps.append(step)


def edit_of(call: Call, details: dict[str, Any]) -> Edit | None:
    """The change that a call made to a file; None if it changed none. ``details``: what the program
    recorded of the result, which has the lines around the change."""
    args = call.args
    path = clean(args.get("file_path")) or clean(args.get("notebook_path"))
    if not path or not args.keys() & {"new_string", "content", "edits", "new_source"}:
        return None
    hunks = [mapped(hunk).get("lines") for hunk in listed(details.get("structuredPatch"))]
    lines = [line for hunk in hunks for line in listed(hunk)]
    if lines:
        return Edit(path, diff_lines(lines), call.at, call.ref)
    changes = [mapped(change) for change in listed(args.get("edits"))] or [args]
    parts = [
        difference(
            change.get("old_string"),
            change.get("new_string") or change.get("content") or change.get("new_source"),
        )
        for change in changes
    ]
    return Edit(path, "\n".join(filter(None, parts)), call.at, call.ref)


def _typed(line: dict[str, Any], text: str, side: bool) -> str:
    """The part of a message that the user typed; in a side conversation, that the agent wrote."""
    origin = mapped(line.get("origin")).get("kind")
    marks = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
    if any(line.get(mark) for mark in marks) or origin not in (None, "human"):
        return ""
    text = _ADDED.sub("", text).strip()
    command = dict(_COMMAND.findall(text))
    if "name" in command:
        arguments = command.get("args", "").strip()
        return f"{command['name'].strip()} {arguments}" if arguments else ""
    return "" if _NOT_TYPED.match(text) and not side else text
