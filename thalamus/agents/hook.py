"""Hooks of a coding agent: its program runs `thalamus hook run` with an event on standard input,
and puts what that prints before the model.

At the start of a session that is what matters in its project, at a prompt what is recalled for it;
tool calls and the transcript are stored in the background. Nothing may stop or slow down the agent:
a hook that fails or takes too long says so in a log and prints nothing.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct

from thalamus.errors import BadField

if TYPE_CHECKING:
    from thalamus.agents.transcript import Step
    from thalamus.api import Thalamus

T = TypeVar("T")
MOST_INPUT = 32 << 20  # bytes of an event that are read
SECONDS = {"read": 5.0, "start": 5.0, "prompt": 2.0}  # after which nothing is printed any more
MOST_LOG = 1 << 20  # bytes of the log; then it begins again
RECENT = 86_400  # seconds since a transcript was written in which the start of a session reads it
# the events of each program, by their kind
EVENTS = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "BeforeAgent": "prompt",
    "PostToolUse": "tool",
    "PostToolUseFailure": "tool",
    "Stop": "stop",
    "AfterAgent": "stop",
    "SessionEnd": "stop",
}
REPEATED = "resume"  # source of a start after which the agent still has the context of the first


class HookInput(Struct):
    """The event that an agent sends, as far as it is read: each program has further fields."""

    hook_event_name: str = ""
    session_id: str | None = None
    transcript_path: str | None = None
    cwd: str | None = None
    source: str | None = None
    prompt: str | None = None
    tool_name: str | None = None
    tool_input: Any = None
    tool_response: Any = None
    tool_use_id: str | None = None
    error: str | None = None
    agent_id: str | None = None

    @property
    def kind(self) -> str:
        """The kind of the event (``EVENTS``); empty for one that is not known."""
        return EVENTS.get(self.hook_event_name, "")


def decoded(data: bytes) -> HookInput:
    """The input of a hook. Raises ``BadField``."""
    try:
        return msgspec.json.decode(data, type=HookInput)
    except msgspec.MsgspecError as error:
        raise BadField("input", f"is not the event of a hook ({error})") from None


def output_of(event: HookInput, text: str) -> bytes:
    """The output of a hook, in the form that all programs take."""
    output = {"hookEventName": event.hook_event_name, "additionalContext": text}
    return msgspec.json.encode({"hookSpecificOutput": output}) + b"\n"


def record_call(event: HookInput, agent: str, thalamus: Thalamus) -> None:
    """Stores the call of a tool, under the id that it has in the transcript too; of a subagent, in
    its own session."""
    from thalamus.agents.importing import store_steps
    from thalamus.agents.transcript import Transcript
    from thalamus.memory.user.checkout import checkout_of

    session, directory = event.session_id or "", event.cwd or ""
    transcript = Transcript(agent, session, directory=directory)
    if event.agent_id:
        transcript.id, transcript.side = f"{session}/{event.agent_id}", "subagent"
    checkout = checkout_of(directory) if directory else None
    transcript.branch = checkout.branch or "" if checkout is not None else ""
    transcript.steps = [_step(event, thalamus.clock.stamp())]
    store_steps(transcript, thalamus.new_run(), thalamus.store.forgotten())


def transcripts(path: Path, start: bool) -> Iterator[Path]:
    """The files to read after an event that names a transcript: that one, and those of its
    subagents; at the ``start`` also the others next to it that were written lately, since their
    sessions may have ended without a hook."""
    others = path.parent.glob("*.jsonl") if start else ()
    for file in sorted({path, *others, *path.with_suffix("").glob("subagents/*.jsonl")}):
        with suppress(OSError):
            if file == path or file.stat().st_mtime > time.time() - RECENT:
                yield file


def _step(event: HookInput, now: str) -> Step:
    from thalamus.agents.claude_code import edit_of
    from thalamus.agents.transcript import Call
    from thalamus.transfer.foreign.values import clean, mapped, storable_value

    name, args = clean(event.tool_name) or "tool", storable_value(mapped(event.tool_input))
    call = Call(name, now, event.tool_use_id or "", args)
    if event.error is not None:
        return msgspec.structs.replace(call, error=clean(event.error) or "failed")
    response = event.tool_response
    edit = edit_of(call, mapped(response))
    if edit is not None:
        return edit
    text = response if isinstance(response, str) else msgspec.json.encode(response).decode()
    return msgspec.structs.replace(call, result=clean(text) or None)


# -- the process -----------------------------------------------------------------------------------


def in_time(kind: str, work: Callable[[], T], on_late: Callable[[], None]) -> T:
    """Does the work of an event of a kind; when that takes too long the process ends without
    output."""

    def end() -> None:
        on_late()
        os._exit(0)

    timer = threading.Timer(SECONDS[kind], end)
    timer.daemon = True
    timer.start()
    try:
        return work()
    finally:
        timer.cancel()


def in_background(work: Callable[[], None]) -> None:
    """Does the work in a process that nobody waits for; where a process cannot be split, in a
    thread that this one waits for at its end."""
    if not hasattr(os, "fork"):
        threading.Thread(target=work).start()
        return
    sys.stdout.flush()
    if os.fork():
        return
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):  # the agent waits until the last of these is closed
            os.dup2(nothing, descriptor)
        work()
    finally:
        os._exit(0)


def log(path: Path, line: str) -> None:
    """Adds a line to the log of hooks, which only the user may read. Never fails."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        if path.exists() and path.stat().st_size > MOST_LOG:
            mode |= os.O_TRUNC
        descriptor = os.open(path, mode, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(" ".join(line.split()) + "\n")
