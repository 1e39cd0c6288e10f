"""Scores of sources: raised by texts used in an answer, lowered by corrections and by texts that
read like instructions. A source that falls too low is disabled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from thalamus.memory.sources.registry import change
from thalamus.policy.evidence_text import used_words
from thalamus.policy.sources import is_unreliable, lowered, raised, stood_in
from thalamus.records import DiscoverySource, Document, Fact, Issue, Memory, Reflection, Turn
from thalamus.records.kinds import own_text
from thalamus.store import links
from thalamus.store import turns as turn_rows
from thalamus.store.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer


def judge_used(turn: Turn, writer: Writer) -> None:
    """Raises the score of each source with a text used in the answer of a new turn."""
    used = [
        item.provenance.document
        for item in turn.evidence
        if item.kind == "document"
        and item.provenance is not None
        and stood_in(item.text, turn.message, turn.answer or "")
    ]
    for source in _sources_of(used, writer):
        score = raised(source.score)
        fields = {"score": score, "uses": source.uses + 1}
        writer.change(DiscoverySource, source.stored_id, **fields)


def judge_corrected(
    turn: Turn, reflection: Reflection, writer: Writer, engine: Engine
) -> list[Issue]:
    """Lowers the score of each source with a text used in an answer that a turn corrects; returns
    an issue for each source that this disables."""
    items: list[Memory | Fact] = [*reflection.memories_to_store, *reflection.facts]
    found: list[str | None] = []
    for item in items:
        if item.corrects:
            for answered in _corrected_turns(item.corrects, turn, writer):
                found += _behind(answered, own_text(item), writer)
    return lower(_sources_of(found, writer), writer, engine)


def _corrected_turns(id: str, turn: Turn, reader: Reader) -> Iterator[Turn]:
    """The turn with this id, or that a record with this id was derived from; and the one before
    ``turn`` in its session."""
    record = reader.by_id(Memory, id) or reader.by_id(Fact, id)
    source = record.provenance if record is not None else None
    key = reader.key(Turn, turn.stored_id) or 0
    before = turn_rows.id_before(reader, key, turn.session)
    ids = (id, source.turn if source else None, before)
    for one in reader.by_ids(Turn, {id for id in ids if id and id != turn.id}):
        if not is_hidden(one):
            yield one


def _behind(turn: Turn, correction: str, reader: Reader) -> Iterator[str | None]:
    """Documents whose texts were used in an answer and are about what was corrected."""
    evidence = links.sources(reader, turn.stored_id, "evidence_of")
    for memory in reader.by_ids(Memory, evidence):
        in_answer = stood_in(memory.content, turn.message, turn.answer or "")
        if memory.is_document and in_answer and used_words(memory.content, "", correction):
            yield memory.provenance.document if memory.provenance is not None else None


def judge_edited(memory: Memory, writer: Writer, engine: Engine) -> list[Issue]:
    """Lowers the score of the source of a text that a user corrected by hand; returns an issue if
    that disables it."""
    origin = memory.provenance.document if memory.provenance is not None else None
    return lower(_sources_of([origin], writer), writer, engine)


def judge_document(
    document: Document, suspicious: int, writer: Writer, engine: Engine
) -> list[Issue]:
    """Lowers the score of a document's source once for a ``suspicious`` number of its texts above
    0; returns an issue if that disables it."""
    found = readable_source(document.source, writer) if suspicious else None
    return lower([found] if found is not None else [], writer, engine)


def readable_source(id: str | None, reader: Reader) -> DiscoverySource | None:
    """The source with this id; None when it is not readable."""
    source = reader.by_id(DiscoverySource, id) if id else None
    return None if source is None or is_hidden(source) else source


def lower(found: Iterable[DiscoverySource], writer: Writer, engine: Engine) -> list[Issue]:
    """Lowers the score of sources; returns an issue for each that is disabled by that."""
    issues = []
    for source in found:
        score, uses = lowered(source.score), source.uses + 1
        fields = {"score": score, "uses": uses}
        if source.status == "active" and is_unreliable(score, uses):
            change(writer, source, {**fields, "status": "disabled"}, engine)
            issues.append(_disabled(source, score, uses))
        else:
            writer.change(DiscoverySource, source.stored_id, **fields)
    return issues


def _disabled(source: DiscoverySource, score: float, uses: int) -> Issue:
    message = f"the source {source.uri} was disabled: its score is {score:.2f} after {uses} uses"
    fix = f"`thalamus sources approve {source.id}` activates it again, `thalamus undo` too."
    return Issue(stage="store", code="source_disabled", message=message, fix=fix)


def _sources_of(documents: Iterable[str | None], reader: Reader) -> list[DiscoverySource]:
    """The readable sources of documents, each once."""
    ids = {id for id in documents if id}
    found = {one.source for one in reader.by_ids(Document, ids)} if ids else set()
    known = [readable_source(id, reader) for id in sorted(id for id in found if id)]
    return [source for source in known if source is not None]
