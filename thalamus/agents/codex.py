"""Transcripts of Codex: ``sessions/<year>/<month>/<day>/rollout-*.jsonl`` in its directory.

A line has a time, a type and a payload; before September 2025 it was the bare item. A message is
written twice, as an item for the model, which also has what the program adds, and as an event: the
events have what was typed. A forked session begins with the lines of the other one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from thalamus.agents.files import decoded, found_in, json_lines
from thalamus.agents.homes import home_of
from thalamus.agents.transcript import Call, Edit, Message, Step, Transcript, diff_lines, text_of
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.values import (
    clean,
    identity,
    listed,
    mapped,
    storable_value,
    time_of,
)

AGENT = "codex"
TITLE = "Codex (~/.codex/sessions)"
PATTERNS = ("rollout-*.jsonl",)
_TEXTS = ("text", "Text", "input_text", "output_text")
_LINES = frozenset("session_meta response_item event_msg turn_context compacted".split())
# lines, and items of the model, that say nothing of what was said or done
_OTHERS = frozenset(
    "turn_context compacted world_state inter_agent_communication"
    " inter_agent_communication_metadata reasoning ghost_snapshot compaction".split()
)
# what the program puts into messages of the user
_ADDED = re.compile(
    r"\s*(?:# AGENTS\.md instructions for .*</INSTRUCTIONS>"
    r"|<(?P<tag>environment_context|user_instructions|skill|user_shell_command|turn_aborted"
    r"|subagent_notification|additional_context|INSTRUCTIONS)\b.*</(?P=tag)>"
    r"|Another language model started to solve this problem)",
    re.IGNORECASE | re.DOTALL,
)
_REQUEST = re.compile(r"^## My request for Codex:\s*", re.MULTILINE)
_FAILED = re.compile(r"(?:Process exited with code|Exit code:) (?!0\b)-?\d+")
_FRAME = re.compile(
    r"(?:Command: .*\n)?(?:Chunk ID: .*\n)?(?:(?:Exit code|Wall time|Process exited with code"
    r"|Original token count).*\n)+(?:Output:\n)?"
)
_FILE = re.compile(r"\*\*\* (?:Add|Update|Delete) File: (?P<path>.+)")


def default_folder() -> Path:
    """The folder of the transcripts on this machine."""
    return home_of(AGENT) / "sessions"


def recognize(line: dict[str, Any]) -> bool:
    """True for the first line of a transcript."""
    if line.get("type") in _LINES and "payload" in line:
        return True
    return line.get("record_type") == "state" or {"id", "timestamp", "instructions"} <= line.keys()


def read(path: Path, report: Report) -> Iterator[Transcript]:
    """The sessions in a file or a folder. Raises ``DocumentError``."""
    for file in found_in(path, *PATTERNS):
        transcript = _read(file, report)
        if transcript.steps:
            yield transcript


def _read(file: Path, report: Report) -> Transcript:
    transcript, forked_from = _whole(file, report)
    if (origin := _origin(file, forked_from)) is not None:
        _drop_common(transcript.steps, _whole(origin, Report())[0].steps)
    return transcript


def _whole(file: Path, report: Report) -> tuple[Transcript, str]:
    """The transcript in a file, with the session that it continues, and the id of that."""
    reading = _Reading(file, report)
    for number, line in json_lines(file, report):
        reading.add(number, line)
    return reading.finish(), reading.forked_from


def _origin(file: Path, id: str) -> Path | None:
    """The file of the session with an id, in the same folder of sessions."""
    if not re.fullmatch(r"[\w-]+", id):
        return None
    folder = next((one for one in file.parents if one.name == "sessions"), file.parent)
    found = sorted(one for one in folder.rglob(f"rollout-*{id}.jsonl") if one != file)
    return found[0] if found else None


def _drop_common(steps: list[Step], before: list[Step]) -> None:
    """Drops the steps at the beginning that another session began with."""
    count = 0
    for own, other in zip(steps, before, strict=False):
        if _said(own) != _said(other):
            break
        count += 1
    del steps[:count]


def _said(step: Step) -> tuple[object, ...]:
    """A step without its time and its place."""
    return (step.by_user, step.text) if isinstance(step, Message) else (step.ref,)


class _Reading:
    """The transcript of one file. ``forked_from``: the id of the session that it continues."""

    def __init__(self, file: Path, report: Report) -> None:
        self._report = report
        self.forked_from = ""
        self._transcript = Transcript(AGENT, file.stem.removeprefix("rollout-"))
        self._described = False
        self._at = ""
        self._steps: list[tuple[bool, Step]] = []  # each with whether it is an event
        self._calls: dict[str, Call] = {}
        self._written: dict[tuple[bool, str, bool], int] = {}

    def add(self, number: int, line: dict[str, Any]) -> None:
        """Reads a line."""
        self._at = time_of(line.get("timestamp")) or self._at
        kind, payload = str(line.get("type")), mapped(line.get("payload"))
        if kind == "session_meta":
            self._describe(payload)
        elif "payload" not in line and "instructions" in line:
            self._describe(line)
        elif kind == "event_msg":
            self._event(number, payload)
        elif kind == "response_item" or "payload" not in line:
            self._item(number, payload or line)
        elif kind not in _OTHERS:
            self._unknown(f"line of unknown type {kind[:40]!r}")

    def finish(self) -> Transcript:
        """The transcript. A call without a result is left out: it may still be running."""
        events = {
            step.ref: place
            for place, (event, step) in enumerate(self._steps)
            if event and isinstance(step, Message)
        }
        first = min((place for place in events.values()), default=len(self._steps))
        begun: dict[str, str] = {}  # when each message was first written
        for _, step in self._steps:
            begun.setdefault(step.ref, step.at)
        self._transcript.steps = [
            structs.replace(step, at=begun[step.ref]) if isinstance(step, Message) else step
            for place, (event, step) in enumerate(self._steps)
            if event
            or not isinstance(step, Message)
            # later ones of the user that are no event are the program's
            or (step.ref not in events and (place < first or not step.by_user))
        ]
        return self._transcript

    def _unknown(self, what: str) -> None:
        self._report.left_out[what] += 1

    def _describe(self, meta: dict[str, Any]) -> None:
        """Reads what the session is; that of a session it continues comes second."""
        if self._described:
            return
        self._described = True
        transcript, git = self._transcript, mapped(meta.get("git"))
        transcript.id = identity(meta.get("id")) or transcript.id
        transcript.directory = clean(meta.get("cwd"))
        transcript.branch = clean(git.get("branch"))
        transcript.repository = clean(git.get("repository_url"))
        self.forked_from = identity(meta.get("forked_from_id"))
        source = meta.get("source")
        if isinstance(source, dict) and (kind := source.get("subagent")):
            transcript.side = clean(kind) or next(iter(mapped(kind)), "subagent")

    def _keep(self, step: Step, event: bool = False) -> None:
        if step.at:
            self._steps.append((event, step))
        else:
            self._unknown("message without a time")

    # -- events: what was typed and answered -------------------------------------------------------

    def _event(self, number: int, payload: dict[str, Any]) -> None:
        kind = payload.get("type")
        if kind in ("user_message", "agent_message"):
            self._said(kind == "user_message", payload.get("message"), number)
        elif kind == "item_completed":  # of newer sessions, instead of these two
            item = mapped(payload.get("item"))
            kinds = {"UserMessage": True, "AgentMessage": False}
            if (by_user := kinds.get(str(item.get("type")))) is not None:
                self._said(by_user, text_of(item.get("content"), _TEXTS), number)
        elif kind == "thread_rolled_back":
            self._roll_back(payload.get("num_turns"))

    def _said(self, by_user: bool, text: Any, number: int) -> None:
        words = _typed(clean(text)) if by_user else clean(text)
        if words:
            ref = self._message_ref(by_user, words, event=True)
            self._keep(Message(by_user, words, self._at, ref), event=True)

    def _ref(self, number: int) -> str:
        return f"{self._transcript.id}:{number}"

    def _message_ref(self, by_user: bool, text: str, *, event: bool) -> str:
        """The ref of a message: the same for the item and the event that are written for it, in
        either order. It is the number of times that the words were written so far."""
        key = (by_user, text, event)
        self._written[key] = self._written.get(key, 0) + 1
        digest = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        return f"{self._transcript.id}:{by_user:d}:{digest}:{self._written[key]}"

    def _roll_back(self, count: Any) -> None:
        """Drops the last messages of the user, with what followed."""
        typed = [
            place
            for place, (event, step) in enumerate(self._steps)
            if event and isinstance(step, Message) and step.by_user
        ]
        if isinstance(count, int) and count > 0 and typed:
            del self._steps[typed[-min(count, len(typed))] :]

    # -- items: what the model is given, and does --------------------------------------------------

    def _item(self, number: int, item: dict[str, Any]) -> None:
        kind = str(item.get("type"))
        id = identity(item.get("call_id"), item.get("id")) or self._ref(number)
        if kind == "message":
            self._message(number, item)
        elif kind in ("function_call", "custom_tool_call"):
            name = clean(item.get("name")) or "tool"
            self._calls[id] = Call(name, self._at, id, _arguments(item))
        elif kind == "local_shell_call":
            action = mapped(item.get("action"))
            args = storable_value({"command": listed(action.get("command"))})
            self._calls[id] = Call("shell", self._at, id, args)
        elif kind == "web_search_call":
            args = storable_value(mapped(item.get("action")))
            self._keep(Call("web_search", self._at, id, args))
        elif kind.endswith("_output"):
            self._result(id, item.get("output"))
        elif kind not in _OTHERS and "record_type" not in item:
            self._unknown(f"item of unknown type {kind[:40]!r}")

    def _message(self, number: int, item: dict[str, Any]) -> None:
        text, role = text_of(item.get("content"), _TEXTS), item.get("role")
        by_user = role == "user"
        if by_user:
            if not self._transcript.directory:
                self._transcript.directory = _directory(text)
            text = _typed(text)
        if text and role in ("user", "assistant"):
            ref = self._message_ref(by_user, text, event=False)
            self._keep(Message(by_user, text, self._at, ref))

    def _result(self, id: str, output: Any) -> None:
        call = self._calls.pop(id, None)
        if call is None:
            return
        text, failed = _outcome(output)
        if failed:
            self._keep(structs.replace(call, error=text or "failed"))
            return
        edits = list(_edits(call))
        for edit in edits:
            self._keep(edit)
        if not edits:
            self._keep(structs.replace(call, result=text or None))


def _typed(text: str) -> str:
    """The part of a message that the user typed; empty if the program wrote it."""
    request = _REQUEST.search(text)
    if request:
        return text[request.end() :].strip()
    return "" if _ADDED.match(text) else text


def _directory(text: str) -> str:
    """The working directory, which older sessions only tell the model."""
    found = re.search(r"<cwd>(.+?)</cwd>|Current working directory: (.+)", text)
    return (found[1] or found[2]).strip() if found else ""


def _arguments(item: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call: JSON in a string, or the text of a tool that takes only one."""
    given = item.get("arguments", item.get("input"))
    if isinstance(given, str):
        value = decoded(given)
        given = value if isinstance(value, dict) else {"input": given}
    found: dict[str, Any] = storable_value(mapped(given))
    return found


def _outcome(output: Any) -> tuple[str, bool]:
    """The output of a tool without what Codex puts around it, and True if the tool failed."""
    if isinstance(output, str) and output.startswith("{"):
        output = decoded(output) or output
    failed = False
    if isinstance(output, dict):
        code = mapped(output.get("metadata")).get("exit_code")
        failed = code not in (None, 0) or output.get("success") is False
        output = output.get("output", output.get("content"))
    text = text_of(output, _TEXTS)
    frame = _FRAME.match(text + "\n")
    if frame is None:
        return text, failed
    return text[frame.end() :].strip(), failed or bool(_FAILED.search(frame[0]))


def _edits(call: Call) -> Iterator[Edit]:
    """The changes of files in the patch that a call applies, whichever tool it is given to."""
    text = "\n".join(_strings(call.args))
    if "*** Begin Patch" not in text:
        return
    body = text.partition("*** Begin Patch")[2].partition("*** End Patch")[0]
    heads = list(_FILE.finditer(body))
    for number, (head, following) in enumerate(zip(heads, [*heads[1:], None], strict=True)):
        end = following.start() if following else len(body)
        lines = [
            line for line in body[head.end() : end].splitlines() if line[:1] in ("+", "-", " ")
        ]
        path = head["path"].strip()
        yield Edit(path, diff_lines(lines), call.at, f"{call.ref}:{number}")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)
