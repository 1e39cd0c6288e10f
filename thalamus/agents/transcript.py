"""A session of a coding agent, whichever agent wrote it, and the turns that it becomes.

What the user wrote becomes a turn of the user with all that the agent answered. A tool call and an
edit become activities of the agent, and so does everything in a side conversation, where the agent
speaks with itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from thalamus.clock import make_id, parse_time
from thalamus.policy.activities import as_turn
from thalamus.records import Turn
from thalamus.records.activities import Activity
from thalamus.text.storable import storable
from thalamus.transfer.foreign.values import clean

UNIQUE = 20  # characters of the id of a call from which it is unique in all sessions
MOST_RESULT = 2_000  # characters that are kept of the result of a tool
MOST_DIFF = 4_000  # characters that are kept of an edit
MOST_ARGUMENT = 1_000  # characters that are kept of an argument
EPOCH = "1970-01-01T00:00:00Z"
SOURCE, BRANCH, SIDE, TITLE = "source", "branch", "side", "title"  # metadata


class Message(Struct, frozen=True):
    """Words of the user or of the agent. ``ref``: the same in each copy of the message."""

    by_user: bool
    text: str
    at: str
    ref: str


class Call(Struct, frozen=True):
    """A call of a tool, with its ``result`` or ``error``."""

    tool: str
    at: str
    ref: str
    args: dict[str, Any] = {}
    result: str | None = None
    error: str | None = None


class Edit(Struct, frozen=True):
    """A change of a file; lines of ``diff`` begin with ``+``, ``-`` or a space."""

    path: str
    diff: str
    at: str
    ref: str


Step = Message | Call | Edit


class Transcript(Struct):
    """A session of an agent. ``directory``: where it worked; ``repository``: the address of the
    remote, if the agent names it; ``side``: what it is if the agent spoke with itself, such as the
    type of the subagent."""

    agent: str
    id: str
    steps: list[Step] = field(default_factory=list)
    title: str = ""
    directory: str = ""
    branch: str = ""
    repository: str = ""
    side: str = ""

    @property
    def session(self) -> str:
        """Name of the session in the store."""
        return f"{self.agent}:{self.id}"


def turns_of(transcript: Transcript) -> list[Turn]:
    """Turns of a session in order, with ids that are the same each time."""
    marks = {
        SOURCE: transcript.agent,
        TITLE: transcript.title,
        BRANCH: transcript.branch,
        SIDE: transcript.side,
    }
    metadata = {name: value for name, value in marks.items() if value}
    found: list[Turn] = []
    exchange: Turn | None = None  # what the agent says is its answer
    for step in transcript.steps:
        if isinstance(step, Message) and not step.by_user and exchange is not None:
            exchange.answer = f"{exchange.answer}\n\n{step.text}" if exchange.answer else step.text
            continue
        if isinstance(step, Message) and step.by_user and not transcript.side:
            turn = exchange = Turn(message=step.text, created_at=step.at, ref=step.ref)
        else:
            turn = as_turn(_activity(step, transcript))
        turn.id = id_of(transcript, step)
        turn.session = transcript.session
        turn.metadata = {**turn.metadata, **metadata}
        found.append(turn)
    return found


def id_of(transcript: Transcript, step: Step) -> str:
    """Id of the turn of a step: the same in each copy of it. A call has an id of its own, and a
    hook does not know when it began."""
    if isinstance(step, Message):
        return make_id("turn", parse_time(step.at), b"", transcript.agent, step.ref)
    # some agents number their calls anew in each session
    ref = step.ref if len(step.ref) >= UNIQUE else f"{transcript.session}:{step.ref}"
    return make_id("turn", parse_time(EPOCH), b"", transcript.agent, ref)


def _activity(step: Step, transcript: Transcript) -> Activity:
    agent, at = transcript.agent, step.at
    if isinstance(step, Message):
        said = {"message": step.text} if step.by_user else {"answer": step.text}
        return Activity(kind="turn", agent=agent, created_at=at, **said)  # type: ignore[arg-type]
    if isinstance(step, Edit):
        path = _within(step.path, transcript.directory)
        diff = cut(step.diff, MOST_DIFF)
        return Activity(kind="file_edit", agent=agent, created_at=at, path=path, diff=diff)
    return Activity(
        kind="tool_call",
        agent=agent,
        created_at=at,
        tool=step.tool,
        args=_shortened(step.args),
        result=cut(step.result, MOST_RESULT) if step.result else None,
        error=cut(step.error, MOST_RESULT) if step.error is not None else None,
    )


def _within(path: str, directory: str) -> str:
    """A path as seen from the directory of the session."""
    root = directory.rstrip("/\\")
    inside = root and path.startswith(root) and path[len(root) : len(root) + 1] in ("/", "\\")
    return path[len(root) + 1 :] if inside and len(path) > len(root) + 1 else path


def _shortened(value: Any) -> Any:
    """Arguments with long texts cut."""
    if isinstance(value, str):
        return cut(value, MOST_ARGUMENT)
    if isinstance(value, dict):
        return {name: _shortened(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    return value


def cut(text: str, most: int) -> str:
    """The text, or its beginning and its end if it is longer than ``most`` characters. Whole words
    are left out: half of a secret would no longer be recognized as one."""
    if len(text) <= most:
        return text
    head = _whole_words(text[: most * 2 // 3 + 1])
    tail = _whole_words(text[: -(most // 3) - 2 : -1])[::-1]
    omitted = len(text) - len(head) - len(tail)
    return f"{head}\n… {omitted:,} characters left out …\n{tail}".strip()


def _whole_words(text: str) -> str:
    """The text up to its last white space."""
    last = max(text.rfind(" "), text.rfind("\n"), text.rfind("\t"))
    return text[:last].rstrip() if last > 0 else ""


def difference(old: Any, new: Any) -> str:
    """The lines that an edit took out and put in."""
    lines = [f"-{line}" for line in _lines(old)] + [f"+{line}" for line in _lines(new)]
    return "\n".join(lines)


def diff_lines(lines: Iterable[Any]) -> str:
    """The lines of a difference that an agent recorded, as text."""
    return "\n".join(storable(line) for line in lines if isinstance(line, str))


def _lines(text: Any) -> list[str]:
    return storable(text).splitlines() if isinstance(text, str) else []


def text_of(content: Any, kinds: Sequence[str] = ("text",)) -> str:
    """The text of a message: a string, a block or a list of blocks of these types. An image is only
    named."""
    return "\n\n".join(part for part in _texts(content, kinds) if part)


def _texts(content: Any, kinds: Sequence[str]) -> Iterator[str]:
    if isinstance(content, str):
        yield clean(content)
    elif isinstance(content, list):
        for block in content:
            yield from _texts(block, kinds)
    elif isinstance(content, dict):
        kind = content.get("type", "text")
        if kind in kinds:
            yield clean(content.get("text"))
        elif "image" in str(kind):
            yield "[image]"
