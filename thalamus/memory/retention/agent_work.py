"""The work of another agent in a session, as lines of its summary: from the record alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from thalamus.policy.activities import COMMITS, is_activity, words_of, work_of
from thalamus.policy.retention import SUMMARIES
from thalamus.policy.sensitivity import personal
from thalamus.store import links
from thalamus.store import memories as memory_rows
from thalamus.store import turns as turn_rows
from thalamus.store.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.store.reader import Reader

MOST = 6  # statements, files, calls or commits that are named
LONGEST = 160  # characters of each


class AgentWork(Struct, frozen=True):
    """Lines on an agent's work, and the ids of the turns that are quoted in them."""

    lines: list[str] = []
    sources: list[str] = []


def activities(turn: Turn, reader: Reader) -> list[Turn]:
    """The activities in the session of a turn, oldest first; without encrypted ones."""
    session = turn_rows.of_session(reader, turn.session, turn.user)
    found = [one for one in session if is_activity(one.metadata) and one.sensitivity != "personal"]
    return sorted(
        (one for one in found if not is_hidden(one)), key=lambda one: one.created_at or ""
    )


def work_in(turns: Sequence[Turn], acts: Sequence[Turn], last: bool, reader: Reader) -> AgentWork:
    """Lines on what was decided, changed, failed and committed in part of a session, and what the
    ``last`` one leaves open; nothing if no other agent did anything. ``turns``: those of the user,
    oldest first; ``acts``: the activities of the part. Nothing personal is in it."""
    if not acts:
        return AgentWork()
    first, ids = turns[0], [turn.stored_id for turn in turns]
    work, end = work_of(acts), acts[-1].created_at or ""
    made = memory_rows.active(reader, links.sources(reader, ids, "derived_from"))
    begin = first.created_at or ""
    commits = turn_rows.of_agent_near(reader, COMMITS, first.stored_id, begin, end)
    is_open = last and not turns[-1].answer
    found: dict[str, dict[str, str]] = {
        "Decided": {
            one.content: ""
            for one in made
            if one.type not in SUMMARIES and one.sensitivity != "personal"
        },
        "Changed": work.changed,
        "Failed at the end": work.failed,
        "Committed": {commit_line(turn): turn.stored_id for turn in commits},
        "Left open": {turns[-1].message: ""} if is_open else {},
    }
    lines, sources = [], []
    for name, items in found.items():
        shown = [text for text in items if personal(text) is None][-MOST:]
        if shown:
            lines.append(f"{name}: {'; '.join(map(short, shown))}")
            sources += [items[text] for text in shown if items[text]]
    return AgentWork(lines, list(dict.fromkeys(sources)))


def short(text: str) -> str:
    """A text on one line, without the words that are too many."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rpartition(' ')[0]} …"


def commit_line(turn: Turn) -> str:
    """The beginning of a commit's hash, and the first line of its message."""
    call, subject, *_ = [*words_of(turn).split("\n"), "", ""]
    try:
        args = msgspec.json.decode(call.partition(" ")[2], type=dict[str, object])
    except msgspec.MsgspecError:
        args = {}
    return f"{str(args.get('commit', ''))[:9]} {subject}".strip()
