"""What is recorded of facts besides their rows: notes of what was told of them later, and when they
were believed to hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.records import Fact
from thalamus.records.history import sortable
from thalamus.storage.protocol.facts import StoredBelief
from thalamus.text.tokens import share_found, words

if TYPE_CHECKING:
    from thalamus.records import Note
    from thalamus.storage.protocol import Interval, Reader, Writer


def with_id(reader: Reader, id: str) -> Fact | None:
    """A fact as it stands."""
    found = reader.find(Fact, {"id": id})
    return found[0] if found else None


def is_stored(reader: Reader, id: str) -> bool:
    """Whether there is a fact with this id."""
    return reader.facts.exists({"id": id})


def whole(reader: Reader, id: str) -> Fact | None:
    """A fact with its whole history (``Fact.notes``, ``beliefs`` …)."""
    fact = with_id(reader, id)
    return None if fact is None else reader.facts.with_history(fact)


def extended(reader: Reader, objects: Mapping[str, str]) -> set[str]:
    """Those of some retracted facts, given their objects by id, in whose place a correction put one
    that says the same and more, "9 March 1990" of "9 March": what was said then was right."""
    links = reader.links.incoming(objects, "supersedes")
    sources = {"id": tuple({link.source for link in links}), "retired_at": None}
    now = {fact.id: fact.object for fact in reader.facts.as_stored(sources)} if links else {}
    return {link.target for link in links if _says_more(now.get(link.source), objects[link.target])}


def _says_more(object: str | None, than: str) -> bool:
    known, said = words(than), words(object or "")
    return len(said) > len(known) and share_found(known, said) == 1


def add_history(writer: Writer, fact: Fact) -> None:
    """Adds the notes and beliefs that a fact brings which was just added."""
    notes = [] if fact.notes is UNSET else fact.notes
    beliefs = [] if fact.beliefs is UNSET else fact.beliefs
    if not notes and not beliefs:
        return
    key = writer.facts.key(fact.id or "")
    assert key is not None
    for note in notes:
        add_note(writer, key, note)
    times = [(b.valid_from, b.valid_to, b.believed_from, b.believed_to) for b in beliefs]
    writer.facts.add_beliefs(_stored(key, *known) for known in times)


def add_note(writer: Writer, key: int, note: Note) -> bool:
    """Records that a fact was said again, or ended. False when that is recorded already; an end
    that is said again counts as the last that was said."""
    known = note.kind == "end" and writer.facts.delete_note(key, note.kind, note.at)
    return writer.facts.add_note(key, note) and not known


def change_beliefs(
    writer: Writer, key: int, gone: Sequence[Interval], new: Sequence[Interval], at: str
) -> None:
    """From ``at`` on the intervals ``gone`` are no longer believed, and ``new`` are."""
    for begin, end in gone:
        writer.facts.end_belief(key, sortable(begin), end and sortable(end), sortable(at))
    writer.facts.add_beliefs(_stored(key, begin, end, at, None) for begin, end in new)


def believe_as_before(writer: Writer, id: str, since: str, until: str) -> None:
    """Takes a change of what is believed of a fact back, which came between ``since`` and ``until``
    and was reverted right now: the beliefs that ended then never ended, and what was believed since
    is not in its history. Nothing where more than that changed."""
    key = writer.facts.key(id)
    if key is None:
        return
    beliefs = writer.facts.beliefs(key)
    now, times = sortable(writer.now), (sortable(since), sortable(until))

    def then(at: str | None) -> bool:
        return at is not None and times[0] <= at <= times[1]

    again = [b for b in beliefs if b.believed_to is None and b.believed_from >= now]
    ended = [
        b
        for b in beliefs
        if then(b.believed_to) and not (then(b.believed_from) and b.believed_from == b.believed_to)
    ]
    meanwhile = [b for b in beliefs if then(b.believed_from) and (b.believed_to or "") >= now]
    if not ended or sorted(map(_times, again)) != sorted(map(_times, ended)):
        return
    writer.facts.delete_beliefs([belief.n for belief in (*again, *meanwhile)])
    writer.facts.reopen_beliefs([belief.n for belief in ended])


def _times(belief: StoredBelief) -> tuple[str, str]:
    """When it holds in the world."""
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
