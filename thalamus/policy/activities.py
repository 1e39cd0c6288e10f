"""Activities of other agents as turns.

Every line of such a turn is marked as quoted (``> ``), so that nothing takes it for the user's own
words; what the agent was told is quoted within it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from thalamus.errors import BadField
from thalamus.records import Turn
from thalamus.records.activities import Activity

ACTIVITY = "activity"  # metadata key of a turn that is another agent's activity
COMMITS = "git"  # the agent whose activities are commits
MOST_TRUST = 0.5  # in an agent
_MARK = "> "


def as_turn(activity: Activity) -> Turn:
    """The activity as a turn of its agent. Raises ``BadField`` if it says nothing."""
    text = "\n".join((f"{' '.join(activity.agent.split())}:", *_parts(activity)))
    about: dict[str, Any] = {"kind": activity.kind, "trust": min(activity.trust, MOST_TRUST)}
    if activity.kind == "tool_call" and activity.error is not None:
        about["failed"] = True
    return Turn(
        message="\n".join(f"{_MARK}{line}".rstrip() for line in text.splitlines()),
        id=activity.id,
        session=activity.session,
        user=activity.user,
        agent=activity.agent,
        created_at=activity.created_at,
        metadata={**activity.metadata, ACTIVITY: about},
    )


def is_activity(metadata: Mapping[str, Any]) -> bool:
    """True for the metadata of a turn that is another agent's activity."""
    return ACTIVITY in metadata


def trust_in(metadata: Mapping[str, Any]) -> float:
    """Trust in the agent of an activity."""
    about = metadata[ACTIVITY]
    trust = about.get("trust") if isinstance(about, dict) else None
    return min(float(trust), MOST_TRUST) if isinstance(trust, int | float) else 0.0


def words_of(turn: Turn) -> str:
    """Text of an activity without the marks and the agent's name."""
    return without_marks(turn.message).partition("\n")[2]


def without_marks(text: str) -> str:
    """Text of an activity without the marks, as it is shown where another mark says whose it is."""
    lines = text.split("\n")
    return "\n".join(line.removeprefix(_MARK.rstrip()).removeprefix(" ") for line in lines)


class Work(Struct):
    """The results of an agent's session, from its activities: the files that it ``changed``, and
    the calls that ``failed`` and were not made again with success, each in order, once, and with
    the id of its turn."""

    changed: dict[str, str] = {}
    failed: dict[str, str] = {}


def work_of(turns: Iterable[Turn]) -> Work:
    """The results of the activities among these turns; oldest first."""
    work = Work()
    for turn in turns:
        about = turn.metadata.get(ACTIVITY)
        if not isinstance(about, dict):
            continue
        first = words_of(turn).partition("\n")[0]
        if about.get("kind") == "file_edit":
            work.changed[first] = turn.stored_id
        elif about.get("kind") == "tool_call":
            work.failed.pop(first, None)
            if about.get("failed"):
                work.failed[first] = turn.stored_id
    return work


def _parts(activity: Activity) -> Iterator[str]:
    """Parts of the text of an activity, each on lines of its own. Raises ``BadField``."""
    if activity.kind == "turn":
        if not (activity.message or activity.answer):
            raise BadField("answer", "is missing")
        yield from (f"{_MARK}{line}" for line in (activity.message or "").splitlines())
        yield activity.answer or ""
    elif activity.kind == "tool_call":
        if not activity.tool:
            raise BadField("tool", "is missing")
        yield f"{activity.tool} {_json(activity.args)}" if activity.args else activity.tool
        outcome = activity.error if activity.error is not None else activity.result
        if outcome is not None:
            yield outcome if isinstance(outcome, str) else _json(outcome)
    else:
        if not activity.path:
            raise BadField("path", "is missing")
        yield activity.path
        yield activity.diff or ""


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
