"""What is recorded of facts besides their rows: notes of what was told of them later, and when they
were believed to hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from thalamus.records import Fact
from thalamus.records.history import sortable
from thalamus.text.tokens import share_found, words

if TYPE_CHECKING:
    from thalamus.records import Note
    from thalamus.storage.protocol import Interval, Reader, Writer

_INTERVAL = ("fact", "valid_from", "valid_to", "believed_from", "believed_to")


def with_id(reader: Reader, id: str) -> Fact | None:
    """A fact as it stands."""
    found = reader.find(Fact, {"id": id})
    return found[0] if found else None


def is_stored(reader: Reader, id: str) -> bool:
    """Whether there is a fact with this id."""
    return bool(reader.select("fact", ("key",), {"id": id}))


def whole(reader: Reader, id: str) -> Fact | None:
    """A fact with its whole history (``Fact.notes``, ``beliefs`` …)."""
    fact = with_id(reader, id)
    return None if fact is None else reader.facts.with_history(fact)


def extended(reader: Reader, objects: Mapping[str, str]) -> set[str]:
    """Those of some retracted facts, given their objects by id, in whose place a correction put one
    that says the same and more, "9 March 1990" of "9 March": what was said then was right."""
    where = {"relation": "supersedes", "target": tuple(objects)}
    by = list(reader.select("link", ("source", "target"), where)) if objects else []
    sources = {"id": tuple({source for source, _ in by}), "retired_at": None}
    now = dict(reader.select("fact", ("id", "object"), sources)) if by else {}
    return {target for source, target in by if _says_more(now.get(source), objects[target])}


def _says_more(object: str | None, than: str) -> bool:
    known, said = words(than), words(object or "")
    return len(said) > len(known) and share_found(known, said) == 1


def add_history(writer: Writer, fact: Fact) -> None:
    """Adds the notes and beliefs that a fact brings which was just added."""
    notes = [] if fact.notes is UNSET else fact.notes
    beliefs = [] if fact.beliefs is UNSET else fact.beliefs
    if not notes and not beliefs:
        return
    [(key,)] = writer.select("fact", ("key",), {"id": fact.id})
    for note in notes:
        add_note(writer, key, note)
    times = [(b.valid_from, b.valid_to, b.believed_from, b.believed_to) for b in beliefs]
    _believe(writer, key, times)


def add_note(writer: Writer, key: int, note: Note) -> bool:
    """Records that a fact was said again, or ended. False when that is recorded already; an end
    that is said again counts as the last that was said."""
    same = {"fact": key, "kind": note.kind, "at": note.at}
    known = note.kind == "end" and writer.delete("fact_note", same) > 0
    added = writer.insert("fact_note", (*same, "recorded_at"), [(*same.values(), note.recorded_at)])
    return added > 0 and not known


def change_beliefs(
    writer: Writer, key: int, gone: Sequence[Interval], new: Sequence[Interval], at: str
) -> None:
    """From ``at`` on the intervals ``gone`` are no longer believed, and ``new`` are."""
    for begin, end in gone:
        believed = {
            "fact": key,
            "valid_from": sortable(begin),
            "valid_to": end and sortable(end),
            "believed_to": None,
        }
        writer.update("fact_interval", {"believed_to": sortable(at)}, believed)
    _believe(writer, key, [(begin, end, at, None) for begin, end in new])


def believe_as_before(writer: Writer, id: str, since: str, until: str) -> None:
    """Takes a change of what is believed of a fact back, which came between ``since`` and ``until``
    and was reverted right now: the beliefs that ended then never ended, and what was believed since
    is not in its history. Nothing where more than that changed."""
    rows = writer.select("fact", ("key",), {"id": id})
    if not rows:
        return
    columns = ("n", *_INTERVAL[1:])
    beliefs = list(writer.select("fact_interval", columns, {"fact": rows[0][0]}, order=("n",)))
    now, times = sortable(writer.now), (sortable(since), sortable(until))

    def then(at: str | None) -> bool:
        return at is not None and times[0] <= at <= times[1]

    again = [b for b in beliefs if b[4] is None and b[3] >= now]
    ended = [b for b in beliefs if then(b[4]) and not (then(b[3]) and b[3] == b[4])]
    meanwhile = [b for b in beliefs if then(b[3]) and b[4] is not None and b[4] >= now]
    if not ended or sorted(map(_times, again)) != sorted(map(_times, ended)):
        return
    for belief in (*again, *meanwhile):
        writer.delete("fact_interval", {"n": belief[0]})
    for belief in ended:
        writer.update("fact_interval", {"believed_to": None}, {"n": belief[0]})


def _times(belief: Sequence[Any]) -> tuple[str, str]:
    """When it holds in the world, of a row with its number before that."""
    return belief[1] or "", belief[2] or ""


def _believe(writer: Writer, key: int, times: Sequence[tuple[str | None, ...]]) -> None:
    """``times``: from and to in the world, then from and to in the store."""
    rows = [(key, *(at if at is None else sortable(at) for at in known)) for known in times]
    if rows:
        writer.insert("fact_interval", _INTERVAL, rows)
