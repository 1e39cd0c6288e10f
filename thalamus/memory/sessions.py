"""Sessions: what was said in one last, what the next turn is to look up, and what of it was not
summed up yet."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from thalamus.records import Plan, Turn
from thalamus.storage.protocol import PRESENT, Among, is_hidden

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader, Where


def recent_turns(store: Reader, session: str, user: str | None, limit: int) -> list[Turn]:
    """The last turns of a session, oldest first, but for encrypted ones without their key; those
    of this user, if one is given."""
    found = store.find(Turn, _of(session, user), order=("-key",), limit=limit)
    return [turn for turn in reversed(found) if not is_hidden(turn)]


def last_turn_id(store: Reader, session: str, user: str | None = None) -> str | None:
    """The id of the last turn stored in a session; the last of this user, if one is given."""
    found = store.select("turn", ("id",), _of(session, user), order=("-key",), limit=1)
    return found[0][0] if found else None


def saved_plan(store: Reader, session: str, user: str | None) -> Plan | None:
    """The plan that the last turn of this user in this session saved; None is nobody in
    particular, and no other user."""
    where = {"session": session, "user": user}
    found = store.find(Plan, where, order=("-key",), limit=1)
    return found[0] if found else None


def _of(session: str, user: str | None) -> Where:
    return {"session": session} if user is None else {"session": session, "user": user}


def idle_sessions(store: Reader, before: str) -> list[str]:
    """The sessions whose last turn is older, and that have turns not summed up yet: first the one
    that ended first."""
    summaries = Among("memory", "id", {"type": "session_summary"})
    where = {"relation": "derived_from", "source": summaries}
    left = {"session": PRESENT, "id": Among("link", "target", where, none=True)}
    unfinished = {row[0] for row in store.select("turn", ("session",), left, group=("session",))}
    ends = store.select(
        "turn",
        ("session", "max(created_at)"),
        {"session": PRESENT},
        order=("max(key)",),
        group=("session",),
    )
    return [session for session, end in ends if end < before and session in unfinished]


def turns_to_sum_up(store: Reader, session: str) -> list[Turn]:
    """The turns of a session that no summary of it was made from, oldest first, but for encrypted
    ones without their key."""
    ids = [row[0] for row in store.select("turn", ("id",), {"session": session}, order=("key",))]
    done = _made_into(store, ids, "session_summary")
    left = [id for id in ids if id not in done]
    found = {turn.id: turn for turn in store.find(Turn, {"id": tuple(left)})}
    turns = [found[id] for id in left if id in found]
    return [turn for turn in turns if not is_hidden(turn)]


def distilled(store: Reader, turns: Collection[str]) -> set[str]:
    """Those of the turns of which an episodic memory was kept when they left the prompt."""
    return _made_into(store, turns, "exchange")


def _made_into(store: Reader, turns: Collection[str], type: str) -> set[str]:
    """Those of the turns of which there is a memory of this type."""
    where = {"target": tuple(turns), "relation": "derived_from"}
    links = store.select("link", ("source", "target"), where)
    sources = {"id": tuple({source for source, _ in links}), "type": type}
    made = {row[0] for row in store.select("memory", ("id",), sources)}
    return {target for source, target in links if source in made}
