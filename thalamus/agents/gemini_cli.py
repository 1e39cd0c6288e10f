"""Transcripts of Gemini CLI: ``tmp/<project>/chats/session-*.json`` in its directory, and since
2026 ``.jsonl``.

The latter are a log: a message may come again under the same id, in its place, and a line may
replace or take back others. The folder of a project is named after it, or by the SHA-256 of its
path; ``.project_root`` in it, or ``projects.json`` of the directory, say which it is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.agents.files import found_in, json_lines, json_object
from thalamus.agents.homes import home_of
from thalamus.agents.transcript import (
    Call,
    Edit,
    Message,
    Step,
    Transcript,
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

AGENT = "gemini-cli"
TITLE = "Gemini CLI (~/.gemini/tmp)"
PATTERNS = ("session-*.json", "session-*.jsonl", "chats/*/*.jsonl")
_SPEAKERS = {"user": True, "gemini": False}
_OTHERS = frozenset(("info", "error", "warning"))
# what the program puts into messages of the user: contexts, also of hooks, and referenced files
_ADDED = re.compile(
    r"<(session_context|hook_context)>.*?</\1>\s*"
    r"|-{3} Content from referenced files -{3}.*?(?:-{3} End of content -{3}|\Z)",
    re.DOTALL,
)


def default_folder() -> Path:
    """The folder of the transcripts on this machine."""
    return home_of(AGENT) / "tmp"


def recognize(line: dict[str, Any]) -> bool:
    """True for a session, or the first line of one."""
    return "sessionId" in line and ("projectHash" in line or "messages" in line)


def read(path: Path, report: Report) -> Iterator[Transcript]:
    """The sessions in a file or a folder; of a session with both kinds of file, only the log.
    Raises ``DocumentError``."""
    files = found_in(path, *PATTERNS)
    for file in files:
        if file.suffix == ".json" and file.with_suffix(".jsonl") in files:
            continue
        session = _replayed(file, report) if file.suffix == ".jsonl" else json_object(file, report)
        transcript = _transcript(session, file, report)
        if transcript.steps:
            yield transcript


def _replayed(file: Path, report: Report) -> dict[str, Any]:
    """The session that a log leads to, as the other kind of file has it."""
    session: dict[str, Any] = {}
    messages: dict[str, Any] = {}
    for number, line in json_lines(file, report):
        if "$set" in line:
            changes = mapped(line["$set"])
            if isinstance(changes.get("messages"), list):
                messages = _by_id(changes["messages"])
            session |= {name: value for name, value in changes.items() if name != "messages"}
        elif "$rewindTo" in line:
            ids = list(messages)
            target = str(line["$rewindTo"])
            kept = ids[: ids.index(target)] if target in messages else []
            messages = {id: messages[id] for id in kept}
        elif "$patch" in line:
            patch = mapped(line["$patch"])
            messages |= _by_id(listed(patch.get("updates")))
            for id in map(str, listed(patch.get("removeIds"))):
                messages.pop(id, None)
        elif "sessionId" in line:
            session |= line
        elif "type" in line:
            messages[identity(line.get("id")) or str(number)] = line
        else:
            report.left_out["line of unknown type"] += 1
    return {**session, "messages": list(messages.values())}


def _by_id(messages: list[Any]) -> dict[str, Any]:
    return {identity(mapped(one).get("id")) or str(n): one for n, one in enumerate(messages)}


def _transcript(session: dict[str, Any], file: Path, report: Report) -> Transcript:
    parent = file.parent
    side = "subagent" if session.get("kind") == "subagent" or parent.parent.name == "chats" else ""
    project = parent.parent.parent if side and parent.name != "chats" else parent.parent
    transcript = Transcript(
        AGENT,
        identity(session.get("sessionId")) or file.stem,
        title=clean(session.get("summary")),
        directory=clean(next(iter(listed(session.get("directories"))), ""))
        or _root_of(project, report),
        side=side,
    )
    last = time_of(session.get("startTime")) or ""
    for number, message in enumerate(map(mapped, listed(session.get("messages")))):
        last = time_of(message.get("timestamp")) or last
        if last:
            transcript.steps += _steps(message, last, f"{transcript.id}:{number}", report)
        else:
            report.left_out["message without a time"] += 1
    return transcript


def _steps(message: dict[str, Any], at: str, place: str, report: Report) -> Iterator[Step]:
    ref = identity(message.get("id")) or place
    kind = str(message.get("type"))
    if kind not in _SPEAKERS:
        if kind not in _OTHERS:
            report.left_out[f"message of unknown type {kind[:40]!r}"] += 1
        return
    by_user = _SPEAKERS[kind]
    text = text_of(message.get("displayContent") or message.get("content"))
    if by_user:
        text = _ADDED.sub("", text).strip()
    for call in map(mapped, listed(message.get("toolCalls"))):
        yield _call(call, at, ref)
    if text:
        yield Message(by_user, text, at, ref)


def _call(call: dict[str, Any], at: str, message: str) -> Step:
    id = identity(call.get("id")) or message
    at = time_of(call.get("timestamp")) or at
    args = storable_value(mapped(call.get("args")))
    name = clean(call.get("name")) or "tool"
    outcome = _outcome(call)
    if str(call.get("status")) in ("error", "cancelled"):
        return Call(name, at, id, args, error=outcome or clean(call.get("status")))
    display = mapped(call.get("resultDisplay"))
    path = clean(args.get("file_path")) or clean(display.get("filePath"))
    if path and ("fileDiff" in display or args.keys() & {"new_string", "content"}):
        diff = clean(display.get("fileDiff")) or difference(
            args.get("old_string"), args.get("new_string") or args.get("content")
        )
        return Edit(path, diff, at, id)
    return Call(name, at, id, args, result=outcome or None)


def _outcome(call: dict[str, Any]) -> str:
    """The text of a result: what the model got, or else what the user saw."""
    texts = []
    for part in map(mapped, listed(call.get("result"))):
        response = mapped(mapped(part.get("functionResponse")).get("response"))
        texts.append(clean(response.get("output")) or clean(response.get("error")))
    return "\n".join(filter(None, texts)) or clean(call.get("resultDisplay"))


def _root_of(project: Path, report: Report) -> str:
    """The directory that a folder of transcripts is about; empty if nothing says it."""
    marker, registry = project / ".project_root", project.parent.parent / "projects.json"
    with suppress(OSError):
        return clean(marker.read_text("utf-8", "replace"))
    known = mapped(json_object(registry, report).get("projects")) if registry.is_file() else {}
    for path, name in known.items():
        if project.name in (name, hashlib.sha256(path.encode()).hexdigest()):
            return clean(path)
    return ""
