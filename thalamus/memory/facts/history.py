"""History of facts besides their rows: later repetitions and ends, and the periods in which they
were believed to hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.records import Fact
from thalamus.records.history import sortable
from thalamus.store import facts
from thalamus.store import links as link_rows
from thalamus.store.facts import StoredBelief
from thalamus.text.analyzer import words
from thalamus.text.tokens import share_found

if TYPE_CHECKING:
    from thalamus.policy.timeline import NoteKind
    from thalamus.records import Note
    from thalamus.store.reader import Reader
    from thalamus.store.values import Interval
    from thalamus.store.writer import Writer


def with_id(reader: Reader, id: str) -> Fact | None:
    """The current row of a fact."""
    return reader.by_id(Fact, id)


def is_stored(reader: Reader, id: str) -> bool:
    """True when there is a fact with this id."""
    return reader.has(Fact, id)


def whole(reader: Reader, id: str) -> Fact | None:
    """A fact with its whole history (``Fact.notes``, ``beliefs`` …)."""
    fact = with_id(reader, id)
    return None if fact is None else facts.with_histories(reader, [fact])[0]


def extended(reader: Reader, objects: Mapping[str, str]) -> set[str]:
    """Ids among these retracted facts (given with their objects) whose correction contains the old
    object and more, such as "9 March 1990" for "9 March": the old fact was not wrong."""
    links = link_rows.incoming(reader, objects, "supersedes")
    stored = facts.as_stored(reader, {link.source for link in links})
    now = {fact.id: fact.object for fact in stored if fact.retired_at is None}
    return {link.target for link in links if _says_more(now.get(link.source), objects[link.target])}


def _says_more(object: str | None, than: str) -> bool:
    known, object_words = words(than), words(object or "")
    return len(object_words) > len(known) and share_found(known, object_words) == 1


def add_history(writer: Writer, fact: Fact) -> None:
    """Adds the notes and beliefs of a fact that was just added."""
    notes = [] if fact.notes is UNSET else fact.notes
    beliefs = [] if fact.beliefs is UNSET else fact.beliefs
    if not notes and not beliefs:
        return
    key = writer.key(Fact, fact.stored_id)
    assert key is not None
    for note in notes:
        add_note(writer, key, note)
    times = [(b.valid_from, b.valid_to, b.believed_from, b.believed_to) for b in beliefs]
    facts.add_beliefs(writer, (_stored(key, *known) for known in times))


def add_note(writer: Writer, key: int, note: Note) -> bool:
    """Records that a fact was repeated or ended. False when the same note is recorded already; a
    repeated end becomes the latest note."""
    known = note.kind == "end" and facts.delete_note(writer, key, note.kind, note.at)
    return facts.add_note(writer, key, note) and not known


def remove_note(writer: Writer, id: str, note: Note) -> None:
    """Removes a note of a fact."""
    key = writer.key(Fact, id)
    assert key is not None
    facts.delete_note(writer, key, note.kind, note.at)


def remove_ends(writer: Writer, ids: Collection[str]) -> list[str]:
    """Removes the ends that facts put on those they replaced, before they are forgotten. Returns
    the ids of the others."""
    found: list[str] = []
    by_id = {fact.stored_id: fact for fact in writer.by_ids(Fact, ids)}
    for link in link_rows.outgoing(writer, by_id, "supersedes"):
        fact = by_id[link.source]
        for note in facts.notes(writer, link.target) if link.target not in by_id else ():
            if note.kind == "end" and note.at in (fact.valid_from, fact.created_at):
                remove_note(writer, link.target, note)
                found.append(link.target)
    return found


def note_recorded_at(reader: Reader, id: str, kind: NoteKind, at: str) -> str | None:
    """The time at which a repetition or an end of a fact was recorded; None when it was not."""
    notes = facts.notes(reader, id)
    found = (note.recorded_at for note in notes if (note.kind, note.at) == (kind, at))
    return next(found, None)


def change_beliefs(
    writer: Writer, key: int, ended: Sequence[Interval], new: Sequence[Interval], at: str
) -> None:
    """Ends the belief in the intervals ``ended`` at ``at``, and begins the belief in ``new``."""
    for begin, end in ended:
        facts.end_belief(writer, key, sortable(begin), end and sortable(end), sortable(at))
    facts.add_beliefs(writer, (_stored(key, begin, end, at, None) for begin, end in new))


def believe_as_before(writer: Writer, id: str, since: str, until: str) -> None:
    """Removes a change of beliefs made between ``since`` and ``until`` that was just reverted: the
    beliefs ended by it never ended, and those begun by it leave the history. Does nothing if more
    than that changed."""
    beliefs = facts.beliefs(writer, id)
    now, times = sortable(writer.now), (sortable(since), sortable(until))

    def is_within(at: str | None) -> bool:
        return at is not None and times[0] <= at <= times[1]

    current = [b for b in beliefs if b.believed_to is None and b.believed_from >= now]
    ended = [
        b
        for b in beliefs
        if is_within(b.believed_to)
        and not (is_within(b.believed_from) and b.believed_from == b.believed_to)
    ]
    meanwhile = [b for b in beliefs if is_within(b.believed_from) and (b.believed_to or "") >= now]
    if not ended or sorted(map(_times, current)) != sorted(map(_times, ended)):
        return
    facts.delete_beliefs(writer, [belief.n for belief in (*current, *meanwhile)])
    facts.reopen_beliefs(writer, [belief.n for belief in ended])


def _times(belief: StoredBelief) -> tuple[str, str]:
    """Interval in which a belief holds in the world."""
    return belief.valid_from, belief.valid_to or ""


def _stored(
    key: int, begin: str, end: str | None, believed_from: str, believed_to: str | None
) -> StoredBelief:
    return StoredBelief(
        key,
        sortable(begin),
        end and sortable(end),
        sortable(believed_from),
        believed_to and sortable(believed_to),
    )
