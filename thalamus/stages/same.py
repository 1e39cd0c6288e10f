"""A record that comes with the id of a stored one: it has to be that one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.policy.same_record import Names, other_in_fact, other_in_memory
from thalamus.records import Fact, Memory
from thalamus.stages.prepare import RecordProblem
from thalamus.storage.sealing import is_hidden

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store, Writer


def check_same(record: Memory | Fact, writer: Writer, opened: Store, dated: bool = True) -> None:
    """Raises ``RecordProblem`` when another memory or fact is stored under the id of ``record``:
    it would be lost. Encrypted content whose key is not here cannot be compared and is believed.

    ``dated``: whether the record itself said when it was said.
    """
    field: str | None = None
    id = record.id or ""
    if isinstance(record, Memory):
        memory = writer.memory(id)
        if memory is not None and not (is_hidden(memory) or is_hidden(record)):
            field = other_in_memory(record, memory, dated)
    else:
        fact = writer.fact(id)
        if fact is not None and not (is_hidden(fact) or is_hidden(record)):
            field = other_in_fact(record, fact, Names(opened.predicates(), opened.aliases()))
    if field is not None:
        kind = "memory" if isinstance(record, Memory) else "fact"
        raise RecordProblem("id", f"{id} is already the id of a {kind} with another `{field}`")
