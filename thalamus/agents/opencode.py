"""Transcripts of opencode: its database ``opencode.db``, the JSON files in ``storage`` of older
versions, and what `opencode export` prints.

In each of them a session has messages, and a message has parts: texts, calls of tools and others.
Times are milliseconds.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.agents.files import json_object
from thalamus.agents.transcript import Call, Edit, Message, Step, Transcript, difference
from thalamus.errors import DocumentError
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

AGENT = "opencode"
TITLE = "opencode (~/.local/share/opencode)"
PATTERNS = ("opencode*.db",)
_OTHERS = frozenset(
    "reasoning file step-start step-finish snapshot patch agent retry compaction subtask".split()
)
# a session with its messages, each with its parts
Session = tuple[dict[str, Any], list[tuple[dict[str, Any], list[dict[str, Any]]]]]


def default_folder() -> Path:
    """The folder of the transcripts on this machine."""
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "opencode"


def recognize(value: dict[str, Any]) -> bool:
    """True for what `opencode export` prints."""
    return isinstance(value.get("info"), dict) and isinstance(value.get("messages"), list)


def read(path: Path, report: Report) -> Iterator[Transcript]:
    """The sessions in a database, a folder, or an export. The database has what the files had that
    it was made from. Raises ``DocumentError``."""
    seen: set[str] = set()
    for session, messages in _sessions(path, report):
        transcript = _transcript(session, messages, report)
        if transcript.steps and transcript.id not in seen:
            seen.add(transcript.id)
            yield transcript


def _sessions(path: Path, report: Report) -> Iterator[Session]:
    if not path.is_dir():
        if path.suffix == ".db":
            yield from _of_database(path)
        else:
            yield _of_export(json_object(path, report))
        return
    for database in sorted(path.glob("opencode*.db")):
        yield from _of_database(database)
    for storage in (path, path / "storage"):
        if (storage / "session").is_dir():
            yield from _of_files(storage, report)


def _of_export(value: dict[str, Any]) -> Session:
    messages = [mapped(one) for one in listed(value.get("messages"))]
    return mapped(value.get("info")), [
        (mapped(one.get("info")), [mapped(part) for part in listed(one.get("parts"))])
        for one in messages
    ]


def _of_files(storage: Path, report: Report) -> Iterator[Session]:
    """Sessions from files; their ids are the names of the files."""
    for file in sorted((storage / "session").rglob("ses_*.json")):
        messages = []
        for message in sorted((storage / "message" / file.stem).glob("*.json")):
            parts = sorted((storage / "part" / message.stem).glob("*.json"))
            found = [{"id": part.stem, **json_object(part, report)} for part in parts]
            messages.append(({"id": message.stem, **json_object(message, report)}, found))
        yield {"id": file.stem, **json_object(file, report)}, messages


def _of_database(path: Path) -> Iterator[Session]:
    try:
        address = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=5.0)) as database:
            database.row_factory = sqlite3.Row
            for row in database.execute("SELECT * FROM session ORDER BY time_created, id"):
                yield _row(row), list(_messages(database, row["id"]))
    except (sqlite3.Error, OSError, KeyError, IndexError) as error:
        raise DocumentError(path, f"it is not a database of opencode ({error})") from None


def _messages(
    database: sqlite3.Connection, session: str
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    parts: dict[str, list[dict[str, Any]]] = {}
    sql = "SELECT * FROM {} WHERE session_id = ? ORDER BY time_created, id"
    for row in database.execute(sql.format("part"), (session,)):
        parts.setdefault(row["message_id"], []).append(_row(row))
    for row in database.execute(sql.format("message"), (session,)):
        yield _row(row), parts.get(row["id"], [])


def _row(row: sqlite3.Row) -> dict[str, Any]:
    """A row in the form of the files: what is in ``data``, with the id and the time."""
    values = {name: row[name] for name in row.keys()}  # noqa: SIM118  # rows are no mappings
    try:
        data = mapped(json.loads(values.get("data") or "{}"))
    except ValueError:
        data = {}
    time = {"created": values.get("time_created")}
    parent = {"parentID": values["parent_id"]} if values.get("parent_id") else {}
    return {"time": time, **values, **parent, **data}


def _transcript(
    session: dict[str, Any],
    messages: list[tuple[dict[str, Any], list[dict[str, Any]]]],
    report: Report,
) -> Transcript:
    parent = clean(session.get("parentID"))
    transcript = Transcript(
        AGENT,
        identity(session.get("id")),
        title=clean(session.get("title")),
        directory=clean(session.get("directory")),
        side="subagent" if parent else "",
    )
    last = _created(session)
    hidden = identity(mapped(session.get("revert")).get("messageID"))
    for message, parts in messages:
        if hidden and identity(message.get("id")) >= hidden:
            break
        last = _created(message) or last
        if not last:
            report.left_out["message without a time"] += 1
            continue
        by_user = message.get("role") == "user"
        for number, part in enumerate(parts):
            place = f"{identity(message.get('id'))}:{number}"
            transcript.steps += _steps(part, by_user, last, place, report)
    return transcript


def _created(record: dict[str, Any]) -> str:
    return time_of(mapped(record.get("time")).get("created")) or ""


def _steps(
    part: dict[str, Any], by_user: bool, at: str, place: str, report: Report
) -> Iterator[Step]:
    ref, kind = identity(part.get("id")) or place, str(part.get("type"))
    if kind == "text":
        text = clean(part.get("text"))
        if text and not (part.get("synthetic") or part.get("ignored")):
            yield Message(by_user, text, at, ref)
    elif kind == "tool":
        yield _call(part, at, ref)
    elif kind not in _OTHERS:
        report.left_out[f"part of unknown type {kind[:40]!r}"] += 1


def _call(part: dict[str, Any], at: str, ref: str) -> Step:
    state = mapped(part.get("state"))
    args: dict[str, Any] = storable_value(mapped(state.get("input")))
    at = time_of(mapped(state.get("time")).get("start")) or at
    ref = identity(part.get("callID")) or ref
    name = clean(part.get("tool")) or "tool"
    if state.get("status") == "error":
        return Call(name, at, ref, args, error=clean(state.get("error")) or "failed")
    path = clean(args.get("filePath"))
    if path and args.keys() & {"newString", "content"}:
        diff = clean(mapped(state.get("metadata")).get("diff")) or difference(
            args.get("oldString"), args.get("newString") or args.get("content")
        )
        return Edit(path, diff, at, ref)
    return Call(name, at, ref, args, result=clean(state.get("output")) or None)
