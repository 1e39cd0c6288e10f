"""Documents: ingestion as memories, chunk by chunk, with a summary; their list and their chunks."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from thalamus.clock import days_later
from thalamus.engine import Engine
from thalamus.errors import MODEL_ERRORS, NothingFound
from thalamus.memory.documents.summary import summarize_document
from thalamus.memory.draft import Draft, save_all
from thalamus.memory.embeddings import embed
from thalamus.memory.forget.fingerprints import ForgottenRecords
from thalamus.memory.hooks import after_ingest
from thalamus.memory.resolve_id import reachable
from thalamus.memory.sources.governance import judge_document
from thalamus.memory.undo.batches import keep, new_batch, note_created
from thalamus.memory.write import admit_memories
from thalamus.names import composed_path
from thalamus.policy import prompt_budget
from thalamus.policy.admission import DOCUMENT_TRUST as TRUST
from thalamus.policy.admission import least_trust
from thalamus.policy.chunking import Chunk, chunk, full_text
from thalamus.policy.timeline import moment
from thalamus.records import Document, Event, Issue, Link, Memory, Provenance
from thalamus.records.ownership import Owner
from thalamus.store import documents as document_rows
from thalamus.store import links
from thalamus.store import memories as memory_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.encryption import contents
from thalamus.turn_run import TurnRun, issue

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.memories import DocumentText
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

_CHUNK, _SUMMARY = "document_chunk", "document_summary"
CHUNK_TOKENS = 256  # size of a document chunk
DAYS_AHEAD = 2.0  # to which a document's date may be in the future: clocks and time zones differ
UNNAMED = ("stdin", "document")  # paths of documents without a name: each is another document
BATCH = "ingest"  # action of a batch that replaced a version


class IngestSource(Struct, frozen=True):
    """A document that was read: (number, text) of each page, and its origin.

    ``created_at``: the date in the document, else that of its file; ``sha256`` of its bytes, or of
    its text if it is a web page; ``notes``: what could not be read of it. Of a page: its
    ``source``, the date on which it was ``published``, and the marks (``etag``, ``last_modified``)
    of this version. ``instead_of``: id of the document with the same bytes that it completes.
    """

    path: str
    sha256: str
    title: str
    format: str
    pages: list[tuple[int, str]]
    created_at: str
    metadata: dict[str, object]
    source: str | None = None
    published: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    notes: Sequence[str] = ()
    instead_of: str | None = None

    def __post_init__(self) -> None:
        structs.force_setattr(self, "path", composed_path(self.path))


def credible(at: str | None, now: str) -> str | None:
    """The date of a document; None for one in the future, which says nothing of when it was
    written."""
    return at if at is not None and moment(at) <= moment(days_later(now, DAYS_AHEAD)) else None


def ingest(
    source: IngestSource, run: TurnRun, summarise: bool, include_forgotten: bool = False
) -> Document:
    """Stores a document that was read. The same bytes are stored once, under any name; a new
    version of a file or page takes the place of the old one. Sentences that were forgotten are left
    out unless ``include_forgotten``; an issue says how many, and a document without others is not
    stored.

    Without a summary (not requested, the model unreachable or inventing things) the chunks are
    stored anyway, and an issue on the result explains it. Raises ``StoreBusy``, ``StoreFull``.
    """
    tick, now = run.engine.clock.tick(), run.engine.clock.stamp()
    dated = {"created_at": credible(source.created_at, now) or now}
    source = structs.replace(source, **dated, published=credible(source.published, now))
    store = run.engine.create_store()
    known = known_document(store, source.sha256)
    rest, left_out = source, 0
    if known is None or include_forgotten:
        rest, left_out = _without_forgotten(source, store, run.engine)
    if known is not None and not left_out:
        _bring_back(known, source, run.engine)
        return structs.replace(known, path=source.path, status="unchanged", issues=[], ms=0)
    if include_forgotten:
        source = structs.replace(source, instead_of=known.id if known is not None else None)
        left_out = 0
    elif not full_text(rest.pages).strip() and left_out:
        return after_ingest(_all_forgotten(source), run.engine)
    else:
        source = rest
    document, memories = _read(source, run, summarise)
    document.issues += _left_out(source, left_out)
    drafts = _admitted(memories, document, run.engine)
    problem = embed(drafts, run)
    if problem is not None:
        document.issues.append(issue("embed", problem))
    document.ms = run.engine.clock.elapsed(tick)
    with store.writing() as writer:
        stored = known_document(writer, source.sha256)
        if stored is not None and stored.id != source.instead_of:  # just now, by another
            return structs.replace(stored, path=source.path, status="unchanged", issues=[], ms=0)
        _write(document, drafts, writer, run.engine)
        _replace_older(document, "", writer, run.engine)
        suspicious = sum(draft.record.suspicious is not None for draft in drafts)
        document.issues += judge_document(document, suspicious, writer, run.engine)
    return after_ingest(document, run.engine)


def _without_forgotten(
    source: IngestSource, store: Store, engine: Engine
) -> tuple[IngestSource, int]:
    """A document without its sentences that were forgotten and not stored again, and their
    number."""
    maker, user = engine.fingerprints(), engine.config.user or None
    if maker is None or not source.pages:
        return source, 0
    forgotten = ForgottenRecords(store, maker)
    if not forgotten:
        return source, 0
    stored = _current_texts(source.path, store, engine)
    pages, count = list[tuple[int, str]](), 0
    for number, text in source.pages:
        spans = forgotten.sentences(text, user, source.path, stored)
        for start, end in reversed(spans):
            text = text[:start] + text[end:]
        count += len(spans)
        pages.append((number, text))
    title = source.title
    if forgotten.title(title, user) and count:
        title = Path(source.path).name
    return structs.replace(source, pages=pages, title=title), count


def _current_texts(path: str, store: Store, engine: Engine) -> list[str]:
    """Texts of the stored version of a file or page."""
    if path in UNNAMED:
        return []
    found: list[Memory] = []
    for other in memory_rows.documents_at(store, path):
        found += memory_rows.active(store, _own_texts(other, "active", store, engine))
    return [memory.content for memory in found if not is_hidden(memory)]


def _left_out(source: IngestSource, count: int) -> list[Issue]:
    if not count:
        return []
    parts = "1 sentence was" if count == 1 else f"{count} sentences were"
    message = f"{parts} forgotten before and left out"
    fix = f"`thalamus ingest --include-forgotten {shlex.quote(source.path)}` reads everything."
    return [Issue(stage="read", code="forgotten", message=message, fix=fix)]


def _all_forgotten(source: IngestSource) -> Document:
    """The result for a document of which nothing else is left."""
    reason = "everything in it was forgotten; --include-forgotten reads it"
    return Document(path=source.path, status="failed", kind="forgotten", reason=reason)


def _read(source: IngestSource, run: TurnRun, summarise: bool) -> tuple[Document, list[Memory]]:
    """The record of a document, with its chunks and its summary as memories."""
    chunks = chunk(source.pages, CHUNK_TOKENS, prompt_budget.estimate_tokens)
    document = Document(
        path=source.path,
        status="ingested",
        id=run.engine.clock.new_id("doc", source.sha256, *_distinct(source, run.engine)),
        title=source.title,
        format=source.format,
        pages=len(source.pages),
        chunks=len(chunks),
        characters=sum(len(text) for _, text in source.pages),
        sha256=source.sha256,
        recorded_at=run.engine.clock.stamp(),
        source=source.source,
        published=source.published,
        etag=source.etag,
        last_modified=source.last_modified,
        user=run.engine.config.user or None,
        agent=run.engine.config.agent or None,
    )
    document.issues += [Issue(stage="read", code="unread", message=note) for note in source.notes]
    if summarise:
        _summarise(document, source, run)
    memories = [
        _chunk_memory(piece, number, document, source, run) for number, piece in enumerate(chunks)
    ]
    if document.summary:
        memories.append(_summary_memory(document, source, run))
    return document, memories


def _write(document: Document, drafts: list[Draft[Memory]], writer: Writer, engine: Engine) -> None:
    save_all(drafts, writer)
    summaries = [draft.record.stored_id for draft in drafts if draft.record.type == _SUMMARY]
    if contents.ids(writer, summaries):  # the document itself is plain text
        document = structs.replace(document, summary=None, topic=None)
    writer.put(document)
    if document.source is not None:
        writer.add(Link(source=document.stored_id, relation="part_of", target=document.source))
    about = ("id", "path", "title", "sha256", "chunks", "characters", "ms")
    data = {name: getattr(document, name) for name in about}
    writer.add_event(Event(name="ingested", at=engine.clock.stamp(), data=data))


def _bring_back(document: Document, source: IngestSource, engine: Engine) -> None:
    """Makes a stored document the current version again, when its file or page is as it was then;
    and follows a file to its new path."""
    store = engine.store
    if source.source != document.source:
        return
    replaced = _own_texts(document, "superseded", store, engine)
    edited = set(links.targets(store, links.sources(store, replaced, "supersedes"), "supersedes"))
    old = [id for id in replaced if id not in edited]
    back = bool(old) and not _is_current(document, store)
    moved = source.path != document.path and (back or _is_gone(document.path))
    if not (back or moved):
        return
    document = structs.replace(document, path=source.path) if moved else document
    with store.writing() as writer:
        batch = new_batch(BATCH, writer, engine.clock, document.id) if back else ""
        if back:
            _set_status(old, "superseded", "active", batch, writer)
            document = structs.replace(document, recorded_at=writer.now)
        writer.put(document)
        _replace_older(document, batch, writer, engine)


def _is_gone(path: str) -> bool:
    """True for the path of a file that no longer exists."""
    return Path(path).is_absolute() and not Path(path).exists()


def _replace_older(document: Document, batch: str, writer: Writer, engine: Engine) -> None:
    """Marks the texts of other versions of a file or page as superseded, in a batch, which begins
    here unless one is given."""
    if document.path in UNNAMED:
        return
    for other in memory_rows.documents_at(writer, document.path):
        old = _own_texts(other, "active", writer, engine)
        if other.id == document.id or other.path != document.path or not old:
            continue
        if not batch:
            batch = new_batch(BATCH, writer, engine.clock, document.id)
            for text in _texts(document, writer):
                note_created(writer, text.id, batch)
            note_created(writer, document.stored_id, batch)
        _set_status(old, "active", "superseded", batch, writer)
        writer.add(Link(source=document.stored_id, relation="supersedes", target=other.stored_id))


def _texts(document: Document, reader: Reader) -> list[DocumentText]:
    """A document's chunks and its summary."""
    ids = links.sources(reader, document.stored_id, "part_of", "derived_from")
    return memory_rows.texts(reader, ids)


def _own_texts(document: Document, status: str, reader: Reader, engine: Engine) -> list[str]:
    """Ids of the texts of a document in a status, of exactly the owner of what is ingested: nobody
    replaces another's documents."""
    texts = [one for one in _texts(document, reader) if one.status == status]
    return [one.id for one in texts if one.owner == _owner(engine)]


def _set_status(ids: Sequence[str], before: str, after: str, batch: str, writer: Writer) -> None:
    """Sets the status of texts, which a batch can undo."""
    for id in ids:
        keep(writer, id, {"status": before}, batch)
    memory_rows.set_status(writer, ids, after)


def _admitted(memories: list[Memory], document: Document, engine: Engine) -> list[Draft[Memory]]:
    """Chunks with their scores, those that read like instructions marked; sets the number stored on
    the document. The summary gets the lowest trust among them, and is personal if one is."""
    drafts = admit_memories(memories, engine)
    for draft in drafts:
        if draft.refused and draft.verdict is not None:
            piece = "the summary"
            if draft.record.type == _CHUNK:
                document.chunks -= 1
                piece = f"piece {draft.index + 1}"
            else:
                document.summary = document.topic = None
            note = f"{piece} was refused: {draft.verdict.reason}"
            document.issues.append(Issue(stage="before_write", code="refused", message=note))
    drafts = [draft for draft in drafts if not draft.refused]
    least = least_trust(TRUST, (draft.record.trust for draft in drafts))
    private = any(draft.record.sensitivity == "personal" for draft in drafts)
    for draft in drafts:
        if draft.record.type == _SUMMARY:
            draft.record.trust = least
            draft.record.sensitivity = "personal" if private else "normal"
    return drafts


def _chunk_memory(
    piece: Chunk, number: int, document: Document, source: IngestSource, run: TurnRun
) -> Memory:
    provenance = Provenance(
        document=document.id,
        page=piece.page,
        offset=piece.offset,
        heading=piece.heading,
        chunk=number,
    )
    memory = _memory(piece.text, _CHUNK, document, source, run.engine, provenance)
    names = (document.sha256, number, *_distinct(source, run.engine))
    memory.id = run.engine.clock.new_id("mem", *names)
    return memory


def _summary_memory(document: Document, source: IngestSource, run: TurnRun) -> Memory:
    provenance = Provenance(document=document.id)
    text = f"{document.title}: {document.summary}"
    memory = _memory(text, _SUMMARY, document, source, run.engine, provenance)
    names = (document.sha256, "summary", *_distinct(source, run.engine))
    memory.id = run.engine.clock.new_id("mem", *names)
    return memory


def _distinct(source: IngestSource, engine: Engine) -> list[str]:
    """Names that make the ids of the same bytes differ."""
    owner = _owner(engine)
    return [name for name in (owner.user, owner.agent, source.instead_of) if name]


def _owner(engine: Engine) -> Owner:
    """The owner of what is ingested."""
    return Owner(engine.config.user or None, engine.config.agent or None)


def _memory(
    content: str,
    type: str,
    document: Document,
    source: IngestSource,
    engine: Engine,
    provenance: Provenance,
) -> Memory:
    return Memory(
        content=content,
        type=type,
        topic=document.topic,
        created_at=source.created_at,
        recorded_at=document.recorded_at,
        user=document.user,
        agent=document.agent,
        trust=TRUST,
        metadata={"title": document.title, "path": source.path},
        provenance=provenance,
    )


def _summarise(document: Document, source: IngestSource, run: TurnRun) -> None:
    """Sets summary and topic, or adds an issue."""
    try:
        summary = summarize_document(source.title, full_text(source.pages), run)
    except MODEL_ERRORS as error:
        document.issues.append(issue("summary", error))
        return
    document.issues += summary.issues
    document.summary = summary.text or None
    document.topic = summary.topic or None


def documents(store: Store) -> list[Document]:
    """Documents of the store's owner and shared ones, newest first, without replaced versions."""
    return _current(document_rows.reached(store, store.owner), store)


def _current(found: Sequence[Document], store: Store) -> list[Document]:
    """The documents without those of which a newer version took the place."""
    versions = Counter(document.path for document in found)
    return [
        document
        for document in found
        if versions[document.path] == 1 or _is_current(document, store)
    ]


def _is_current(document: Document, store: Reader) -> bool:
    return any(text.status == "active" for text in _texts(document, store))


def document(store: Store, id: str) -> tuple[Document, list[Memory]]:
    """A document by id, with its readable chunks in order. Raises ``NothingFound``, also for a
    document of another owner."""
    found = reachable(store, id)
    if not isinstance(found, Document):
        raise NothingFound(f"the document {id!r}")
    pieces = links.sources(store, id, "part_of")
    chunks = [
        memory
        for memory in memory_rows.active(store, pieces)
        if memory.type == _CHUNK and store.owner.reaches(memory) and not is_hidden(memory)
    ]
    return found, sorted(chunks, key=_number)


def known_document(store: Reader, sha256: str) -> Document | None:
    """The stored document with these bytes, of the store's own owner or shared: another owner's is
    as unknown as one that does not exist. Of several, the current or else the newest one."""
    found = document_rows.with_hash(store, sha256, store.owner)
    current = (one for one in found if len(found) > 1 and _is_current(one, store))
    return next(current, found[0] if found else None)


def _number(memory: Memory) -> int:
    source = memory.provenance
    return (source.chunk or 0) if source is not None else 0
