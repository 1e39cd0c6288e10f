"""Search: evidence for a retrieval instruction, from full text, vectors and concepts, fused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from msgspec.structs import replace

from thalamus.errors import MODEL_ERRORS, NotEmbedded
from thalamus.memory.insights import sources_of_insights
from thalamus.memory.stale_at_retrieval import stale_reasons
from thalamus.policy import rank, time_expressions
from thalamus.policy.evidence_text import own_words
from thalamus.policy.relevance import QuestionWords, relevance, relevant
from thalamus.policy.speaker import names, speaker
from thalamus.policy.substance import lack
from thalamus.records import Evidence, EvidenceKind, Instruction
from thalamus.records.kinds import numbered
from thalamus.storage.protocol.store import Store
from thalamus.storage.protocol.values import Filter, Hit, IndexedRow, Similarities, Vector
from thalamus.text.local_time import local_date, local_day
from thalamus.text.questions import only_asks
from thalamus.text.tokens import query_words

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.models.protocol import Embedder

KINDS: dict[str, tuple[EvidenceKind, ...]] = {
    "all": (),
    "memory": ("memory",),
    "facts": ("fact",),
    "history": ("turn",),
    "document": ("document",),
}
CANDIDATES = 100  # per arm, at least
KEYWORDS = 2  # words of a question that is only a phrase: "wedding"
MOST_RELATED = 50  # entries from the concepts of a question
STATIC = ("wordllama:", "scripted")  # embedders without context


@dataclass
class SearchQuery:
    """A question to the store: its words, its vector (if a model could make one), the time zone of
    its days, and if its ``concepts`` are searched too."""

    text: str
    vector: Vector | None = None
    problems: list[Exception] = field(default_factory=list)
    zone: tzinfo = UTC
    concepts: bool = False


def comparable_models(store: Store) -> set[str]:
    """Embedding models whose vectors cover enough of the store to rank by.

    After a change of model the new one has few vectors: ranking by them would lift those few above
    all others, so that full text serves alone until re-embedding has caught up.
    """
    spaces = store.embeddings.spaces()
    most = max((space.count for space in spaces), default=0)
    return {space.model for space in spaces if space.count * 2 >= most}


def make_query(
    text: str,
    embedder: Embedder | None,
    given: Vector | None = None,
    known: set[str] | None = None,
    zone: tzinfo = UTC,
    concepts: bool = False,
) -> SearchQuery:
    """Embeds the text; when the model fails full text serves alone and the error is kept.

    ``known``: models with comparable vectors; the embedder is not loaded unless its model is among
    them. ``zone``: the user's time zone, in which "yesterday" is understood. ``concepts``: the
    setting ``concept_arm``.
    """
    query = SearchQuery(text, given, zone=zone, concepts=concepts)
    if given is not None or embedder is None:
        return query
    if known is None or embedder.name in known:
        try:
            query.vector = Vector(embedder.name, embedder.embed([text], "query")[0])
        except MODEL_ERRORS as error:
            query.problems.append(error)
    elif known:
        query.problems.append(NotEmbedded(embedder.name))
    return query


def find(
    instruction: Instruction,
    store: Store,
    where: Filter,
    context: Context,
    embedder: Embedder | None,
    *,
    known: set[str] | None = None,
    vector: Vector | None = None,
    planned: bool = False,
    least: float | None = None,
) -> tuple[list[Evidence], list[Exception]]:
    """Evidence for an instruction under the settings, best first, above the minimum relevance
    (``least``, or ``min_relevance``), and the errors of the embedder. ``known``: comparable models,
    if looked up before. Raises as ``recall``."""
    query = make_query(
        instruction.query,
        embedder,
        vector,
        comparable_models(store) if known is None else known,
        context.zone,
        concepts=context.config.concept_arm,
    )
    found = recall(store, query, instruction, where, planned)
    least = context.config.min_relevance if least is None else least
    asks = bool(instruction.query.strip()) or vector is not None
    return relevant(found, least) if asks else found, query.problems


def recall(
    store: Store, query: SearchQuery, instruction: Instruction, where: Filter, planned: bool = False
) -> list[Evidence]:
    """Evidence for an instruction, best first. An unusable index is not an error: the store
    searches without it. Raises ``StoreDamaged``, ``StoreBusy``."""
    where = narrow(where, instruction)
    limit = max(CANDIDATES, instruction.limit * 3)
    text: list[Hit] = []
    vector: list[Hit] = []
    words = query_words(query.text)
    if words:
        text = store.search_text(words, where, limit)
    if words and not text:
        query, words, text = _with_synonyms(store, query, words, where, limit)
    if query.vector is not None:
        vector = store.search_vector(query.vector, where, limit)
    if not words and query.vector is None:
        return listed(store, where, instruction.limit, query.zone, planned)
    related = _related_by_concepts(store, query, where)
    known = {hit.entry.key for hit in (*text, *vector)}
    third = _entries(store, [key for key in related if key not in known], where)
    scores = _text_scores(store, words, text, [*vector, *third])
    return _ranked(store, query, instruction, where, text, vector, third, scores, related, planned)


def listed(
    store: Store, where: Filter, limit: int, zone: tzinfo, planned: bool = False
) -> list[Evidence]:
    """Newest entries as evidence, without a query."""
    recent = store.entries(where, limit)
    stale = stale_reasons(store, recent, _moment(where), zone)
    return [
        replace(evidence(e, rank.Fused(e.id, 0.0, {}), planned, ""), stale=stale.get(e.key))
        for e in recent
    ]


def _with_synonyms(
    store: Store, query: SearchQuery, words: list[str], where: Filter, limit: int
) -> tuple[SearchQuery, list[str], list[Hit]]:
    """The question in synonyms of its predicate ("married" for "wedding"), if the store has these
    and not its own words; with their hits."""
    from thalamus.memory.predicate_registry import packaged

    synonyms = packaged().other_words(words) if len(words) <= KEYWORDS else []
    kept = [word for word in synonyms if store.search_text([word], where, 1)]
    if not kept:
        return query, words, []
    rewritten = SearchQuery(
        " ".join(kept), query.vector, query.problems, query.zone, query.concepts
    )
    return rewritten, kept, store.search_text(kept, where, limit)


def _related_by_concepts(store: Store, query: SearchQuery, where: Filter) -> dict[int, float]:
    """The third arm: keys of entries related to the concepts of the question, with scores. Not used
    for questions about the time of one event, which the words find."""
    if not query.concepts or time_expressions.asks_when(query.text):
        return {}
    from thalamus.memory.concept_search import near_concepts

    return near_concepts(store, query.text, where.user, MOST_RELATED)


def _entries(store: Store, keys: Sequence[int], where: Filter) -> list[Hit]:
    """Searchable entries with these keys."""
    return [Hit(entry, 0.0) for entry in store.entries_by_key(keys, where).values()]


def _text_scores(
    store: Store, words: Sequence[str], text: Sequence[Hit], vector: Sequence[Hit]
) -> dict[int, float]:
    """BM25 scores of all candidates, by key: each candidate gets a score from both arms, whichever
    found it."""
    scores = {hit.entry.key: hit.score for hit in text}
    rest = [hit.entry.key for hit in vector if hit.entry.key not in scores]
    return scores | (store.text_scores(words, rest) if words and rest else {})


def _ranked(
    store: Store,
    query: SearchQuery,
    instruction: Instruction,
    where: Filter,
    text: list[Hit],
    vector: list[Hit],
    third: list[Hit],
    words: Mapping[int, float],
    related: Mapping[int, float],
    planned: bool,
) -> list[Evidence]:
    """Hits of all arms as one list of evidence. ``words``: BM25 scores by key; ``related``: concept
    scores by key."""
    entries = {hit.entry.id: hit.entry for hit in (*text, *vector, *third)}
    likeness = Similarities({}, 0.0)
    if query.vector is not None and vector:
        known = {hit.entry.key: hit.score for hit in vector}
        missing = [hit.entry.key for hit in (*text, *third) if hit.entry.key not in known]
        answering = {kind.name for kind in numbered() if kind.sentences}
        answers = [entry.key for entry in entries.values() if entry.record in answering]
        likeness = store.similarities(query.vector, missing, answers)
        likeness = replace(likeness, cosines=likeness.cosines | known)
    stale = stale_reasons(store, list(entries.values()), _moment(where), query.zone)
    found = list(entries.values())
    candidates = _candidates(found, query, where, words, likeness, stale, related)
    if instruction.mode == "history":
        candidates = [replace(candidate, asked=False) for candidate in candidates]
    concluded = [candidate.id for candidate in candidates if candidate.concluded]
    room = instruction.limit + (len(concluded) if not _only_insights(where) else 0)
    best = rank.fuse(candidates, likeness.background, room, _vector_weight(query))
    if concluded and not _only_insights(where):
        rests_on = sources_of_insights(store, [one.id for one in best if one.id in concluded])
        best = rank.with_conclusions(best, rests_on, instruction.limit)
    relevances = _relevances(query, candidates, best, entries, text, likeness.background)
    results = [evidence(entries[f.id], f, planned, query.text) for f in best]
    return [
        replace(item, stale=stale.get(entries[item.id].key), relevance=relevances.get(item.id))
        for item in results
    ]


def _only_insights(where: Filter) -> bool:
    return where.kinds == ("insight",)


def _relevances(
    query: SearchQuery,
    candidates: Sequence[rank.Candidate],
    best: Sequence[rank.Fused],
    entries: Mapping[str, IndexedRow],
    text: Sequence[Hit],
    background: float,
) -> dict[str, float]:
    """Relevance of the best candidates, by id; empty for a question without a specific subject.

    The rarity of a word among the candidates counts as much as its rarity in the store.
    """
    question_words = QuestionWords(query.text)
    if not question_words.words:
        return {}
    found = question_words.found_in({hit.entry.id: hit.entry.text for hit in text})
    rarity = question_words.rarity(found.values(), len(candidates))
    by_id = {candidate.id: candidate for candidate in candidates}
    best_entries = [entries[item.id] for item in best]
    found |= question_words.found_in(
        {entry.id: entry.text for entry in best_entries if entry.id not in found}
    )
    own = found | question_words.found_in(
        {e.id: own_words(e) for e in best_entries if e.kind == "turn"}
    )
    return {
        item.id: relevance(by_id[item.id], own[item.id], found[item.id], rarity, background)
        for item in best
    }


def _candidates(
    entries: Sequence[IndexedRow],
    query: SearchQuery,
    where: Filter,
    words: Mapping[int, float],
    likeness: Similarities,
    stale: Mapping[int, str],
    near_concepts: Mapping[int, float],
) -> list[rank.Candidate]:
    """Entries with their ranking features. ``words``, ``likeness`` and ``near_concepts`` are the
    scores of the arms, by key."""
    named = names(query.text)
    spans, zone = _spans(query, where), query.zone
    related = [
        time_expressions.nearness(_said_on(entry, zone), spans) if spans else 0.0
        for entry in entries
    ]
    telling = time_expressions.selectivity(related)
    when = time_expressions.asks_when(query.text)
    candidates = []
    for entry, timely in zip(entries, related, strict=True):
        statement = own_words(entry)
        speaker_name = speaker(statement) if entry.kind == "memory" else None
        candidates.append(
            rank.Candidate(
                id=entry.id,
                text=words.get(entry.key),
                vector=likeness.cosines.get(entry.key),
                sentence=likeness.sentences.get(entry.key),
                conversation=conversation(entry),
                named=speaker_name in named,
                timely=timely * telling,
                dated=when and time_expressions.says_when(statement),
                lack=lack(statement) if speaker_name is not None else 0.0,
                asked=entry.kind == "turn" and only_asks(statement),
                # only a part of a turn has ended
                stale=entry.kind != "turn" and entry.key in stale,
                concluded=entry.kind == "insight" and not _only_insights(where),
                concept=near_concepts.get(entry.key, 0.0),
            )
        )
    return candidates


def _moment(where: Filter) -> str:
    """The time that the question is about."""
    return where.as_of or where.now or ""


def _vector_weight(query: SearchQuery) -> float:
    static = query.vector is not None and query.vector.model.startswith(STATIC)
    return rank.STATIC_WEIGHT if static else rank.VECTOR_WEIGHT


def _spans(query: SearchQuery, where: Filter) -> list[time_expressions.Interval]:
    """Intervals of days in the question; phrases are relative to the day of asking."""
    now = _moment(where)
    return time_expressions.intervals(query.text, local_date(now, query.zone)) if now else []


def conversation(entry: IndexedRow) -> str | None:
    """Conversation of an entry: its session on its day, because a session may last for months."""
    if entry.session is None or entry.kind == "document":
        return None
    return f"{(entry.created_at or '')[:10]} {entry.session}"


def narrow(where: Filter, instruction: Instruction) -> Filter:
    """The filter with the conditions of the instruction added."""
    return replace(
        where,
        kinds=KINDS[instruction.mode] or where.kinds,
        types=tuple(instruction.types) or where.types,
        topic=instruction.topic or where.topic,
        scope=instruction.scope or where.scope,
        since=instruction.since or where.since,
        until=instruction.until or where.until,
        as_of=instruction.as_of or where.as_of,
    )


def evidence(entry: IndexedRow, fused: rank.Fused, planned: bool, query: str) -> Evidence:
    """Converts an entry to a piece of evidence."""
    return Evidence(
        id=entry.id,
        kind=entry.kind,
        text=entry.text,
        at=entry.created_at,
        session=entry.session,
        score=round(fused.score * (rank.PLANNED if planned else 1.0), 4),
        why=rank.why(fused.parts, planned, query),
        metadata=entry.metadata,
        scores=fused.parts,
        type=entry.type,
        topic=entry.topic,
        user=entry.user,
        trust=entry.trust,
        provenance=entry.provenance,
        suspicious=entry.suspicious,
    )


def recalled_for(turn: str, store: Store) -> list[IndexedRow]:
    """Evidence recalled for a turn that can still be found: memories, facts, turns, each in storage
    order."""
    ids = tuple(store.links.sources(turn, "evidence_of"))
    found = store.entries(Filter(ids=ids), len(ids)) if ids else []
    places = {"fact": 1, "turn": 2}
    return sorted(found, key=lambda entry: (places.get(entry.kind, 0), entry.key))


def _said_on(entry: IndexedRow, zone: tzinfo) -> str | None:
    """Day of a statement; None for documents, whose time is that of reading."""
    return None if entry.kind == "document" else local_day(entry.created_at, zone)
