"""Changes of imported turns: those that were answered since, and those that were withdrawn in the
conversation they came from, because a message was edited or answered again.

A withdrawn turn is superseded by the turn that came in its place. It stays stored, and is neither
recalled nor shown as a part of its session; undoing the batch brings it back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.memory.draft import Draft
from thalamus.memory.embeddings import embed, report_unembedded
from thalamus.memory.facts.assertion import retire as retire_fact
from thalamus.memory.facts.propagation import propagate
from thalamus.memory.insights.lookup import mark_unsupported, rest_on
from thalamus.memory.personal import says_personal
from thalamus.memory.undo.batches import CURRENT, keep, new_batch, retire
from thalamus.memory.undo.undo import undo
from thalamus.memory.withdrawn import withdrawn
from thalamus.records import Event, Link, Turn
from thalamus.records.base import tag_of
from thalamus.store import batches
from thalamus.store import facts as fact_rows
from thalamus.store import links as link_rows
from thalamus.store.encryption.sources import encrypt
from thalamus.store.writer import RollBack

if TYPE_CHECKING:
    from thalamus.store.reader import Reader
    from thalamus.store.values import Change
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

ACTION = "withdraw"


class Withdrawal(Struct, frozen=True):
    """Numbers of withdrawn turns, and of retired memories and facts made of them."""

    turns: int
    memories: int = 0
    facts: int = 0


def withdraw(replaced: Mapping[str, str], run: TurnRun, *, dry_run: bool = False) -> Withdrawal:
    """Withdraws turns, given with the turns that come in their place, in a batch of its own; what
    was made of them alone is retired. With ``dry_run`` it only counts."""
    done = Withdrawal(0)
    with suppress(RollBack), run.engine.store.writing() as writer:
        batch = new_batch(ACTION, writer, run.engine.clock, *replaced)
        for old, new in replaced.items():
            keep(writer, old, {"superseded_by": new}, batch)
            writer.add(Link(source=new, relation="supersedes", target=old))
        derived = _made_of_these_alone(writer, replaced.keys())
        memories = retire(writer, derived, batch) if derived else 0
        changes: list[Change] = []
        facts = fact_rows.current(writer, derived)
        for fact in facts:
            keep(writer, fact.stored_id, CURRENT, batch)
            changes += retire_fact(fact.stored_id, writer) or []
        propagate(changes, writer, writer.now, run.zone)
        mark_unsupported(writer, rest_on(writer, [*replaced, *(fact.stored_id for fact in facts)]))
        data = {"batch": batch, "turns": list(replaced), "retired": memories + len(facts)}
        writer.add_event(Event(name="turns_withdrawn", at=writer.now, data=data))
        done = Withdrawal(len(replaced), memories, len(facts))
        if dry_run:
            raise RollBack
    return done


def bring_back(turns: Collection[str], run: TurnRun) -> None:
    """Undoes the batches that withdrew these turns. Raises ``UsageError`` when a later change rests
    on one."""
    for batch in reversed(batches.of(run.engine.store, turns, changed=True)):
        undo(batch, run)


def add_answers(turns: Sequence[Turn], run: TurnRun) -> None:
    """Adds the answers of these turns to the stored ones, which had none."""
    drafts: list[Draft[Turn]] = [Draft(turn) for turn in turns]
    problem = embed(drafts, run)
    if problem is not None:
        report_unembedded("import: embedding", problem, run)
    with run.engine.store.writing() as writer:
        for draft in drafts:
            put_answer(draft.record, writer)
            key = writer.key(Turn, draft.record.stored_id)
            if key is not None and draft.vector is not None:
                writer.put_vector(key, draft.vector)


def put_answer(turn: Turn, writer: Writer) -> None:
    """Stores the answer of a turn that had none; its embedding is to be computed again."""
    id = turn.stored_id
    writer.change(Turn, id, answer=turn.answer)
    if (key := writer.key(Turn, id)) is not None:
        writer.put_vector(key, None)
    if turn.sensitivity == "personal" or says_personal(turn):
        encrypt(writer, {id: tag_of(Turn)})
    writer.add_event(Event(name="turn_answered", at=writer.now, turn=id, session=turn.session))


def _made_of_these_alone(reader: Reader, turns: Collection[str]) -> list[str]:
    """Records that were derived from withdrawn turns and from no other."""
    derived = link_rows.sources(reader, turns, "derived_from")
    links = link_rows.outgoing(reader, derived, "derived_from")
    gone = withdrawn(reader, {link.target for link in links}) | set(turns)
    kept = {link.source for link in links if link.target not in gone}
    return [id for id in dict.fromkeys(derived) if id not in kept]
