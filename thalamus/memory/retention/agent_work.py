"""The work of another agent in a session, as lines of its summary: from the record alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from thalamus.policy.activities import COMMITS, is_activity, words_of, work_of
from thalamus.policy.retention import SUMMARIES
from thalamus.store import links
from thalamus.store import memories as memory_rows
from thalamus.store import turns as turn_rows
from thalamus.store.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.store.reader import Reader

MOST = 6  # statements, files, calls or commits that are named
LONGEST = 160  # characters of each


def work_lines(turns: Sequence[Turn], until: str | None, reader: Reader) -> list[str]:
    """Lines on what was decided, changed, failed, committed and left open in part of a session;
    empty if no other agent did anything. ``turns``: those of the user, oldest first; ``until``:
    when the next part begins."""
    first = turns[0]
    session = [
        turn
        for turn in turn_rows.of_session(reader, first.session, first.user)
        if (first.created_at or "") <= (turn.created_at or "") < (until or "9")
    ]
    acts = [turn for turn in session if is_activity(turn.metadata) and not is_hidden(turn)]
    if not acts:
        return []
    acts.sort(key=lambda turn: turn.created_at or "")
    work, ids = work_of(acts), [turn.stored_id for turn in turns]
    made = memory_rows.active(reader, links.sources(reader, ids, "derived_from"))
    last = acts[-1].created_at or ""
    commits = turn_rows.of_agent_near(
        reader, COMMITS, first.stored_id, first.created_at or "", last
    )
    found = {
        "Decided": [memory.content for memory in made if memory.type not in SUMMARIES],
        "Changed": work.changed,
        "Failed at the end": work.failed,
        "Committed": list(map(_commit, commits)),
        "Left open": [] if turns[-1].answer else [turns[-1].message],
    }
    return [
        f"{name}: {'; '.join(' '.join(one.split())[:LONGEST] for one in items[-MOST:])}"
        for name, items in found.items()
        if items
    ]


def _commit(turn: Turn) -> str:
    """The beginning of a commit's hash, and the first line of its message."""
    call, subject, *_ = [*words_of(turn).split("\n"), "", ""]
    try:
        args = msgspec.json.decode(call.partition(" ")[2], type=dict[str, object])
    except msgspec.MsgspecError:
        args = {}
    return f"{str(args.get('commit', ''))[:9]} {subject}".strip()
