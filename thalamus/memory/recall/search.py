"""Search: evidence for a retrieval instruction, from full text and vectors, fused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, timedelta, tzinfo
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from thalamus.errors import MODEL_ERRORS, NotEmbedded
from thalamus.memory.embeddings import is_of, stored_name
from thalamus.memory.insights.lookup import sources_of_insights
from thalamus.memory.recall.staleness import stale_reasons
from thalamus.memory.user import projects
from thalamus.policy import rank, time_expressions
from thalamus.policy.activities import is_activity, trust_in
from thalamus.policy.evidence_text import ANSWERED, user_words, without_answer
from thalamus.policy.projects import is_named
from thalamus.policy.relevance import QuestionWords, Unrelated, relevance, relevant
from thalamus.policy.staleness import WITHDRAWN
from thalamus.policy.utterances import frame, label, lack, names, speaker, speakers
from thalamus.policy.vector import dimension
from thalamus.records import Evidence, EvidenceKind, Instruction, Project
from thalamus.records.kinds import numbered
from thalamus.store import embeddings, links
from thalamus.store.base import Store
from thalamus.store.encrypted import is_hidden
from thalamus.store.projects import of_records
from thalamus.store.values import Filter, Found, Hit, IndexedRow, Similarities, Vector
from thalamus.text.analyzer import composed, has_form
from thalamus.text.calendar import Interval
from thalamus.text.local_time import local_date, local_day, midnight
from thalamus.text.questions import only_asks
from thalamus.text.tokens import (
    Forms,
    content_words,
    is_foreign,
    marked_words,
    other_marks,
    query_words,
)

if TYPE_CHECKING:
    from thalamus.models.protocol import Embedder
    from thalamus.records import Turn
    from thalamus.turn_run import TurnRun

KINDS: dict[str, tuple[EvidenceKind, ...]] = {
    "all": (),
    "memory": ("memory",),
    "facts": ("fact",),
    "history": ("turn",),
    "document": ("document",),
}
SAID: tuple[EvidenceKind, ...] = ("memory", "fact", "turn")  # documents are only read at a time
CANDIDATES = 100  # per arm, at least
SAID_THEN = 0.75  # nearness from which a statement belongs to the time that a question names
OTHER_MARKS = 0.5  # share of a word's score that is lost with other marks: mà for má
MOST_COMPARED = 10  # best hits of full text whose marks are compared, since only these compete
KEYWORDS = 2  # words of a question that is only a phrase: "wedding"


class SearchQuery(Struct):
    """A question to the store: its words, its vector (if a model could make one), the errors of the
    embedder, and the time zone of its days. ``explain``: the evidence has an explanation;
    ``project``: the current project, whose entries come first."""

    text: str
    vector: Vector | None = None
    problems: list[Exception] = []
    zone: tzinfo = UTC
    explain: bool = False
    project: Project | None = None


class _Search(Struct, frozen=True, dict=True):
    """A ``query`` for entries that satisfy an ``instruction`` and ``where``. ``planned``: it comes
    from the plan; ``back``: how many years ago the last "October" lies that has something."""

    store: Store
    query: SearchQuery
    instruction: Instruction
    where: Filter
    planned: bool
    back: int = 0

    @property
    def only_insights(self) -> bool:
        """True if only insights are searched."""
        return self.where.kinds == ("insight",)

    @property
    def now(self) -> str:
        """The time that the question is about."""
        return self.where.as_of or self.where.now or ""

    @cached_property
    def question(self) -> QuestionWords:
        """The content words of the question."""
        return QuestionWords(self.query.text)

    @cached_property
    def spans(self) -> tuple[Interval, ...]:
        """Intervals of days in the question; phrases are relative to the day of asking."""
        if not self.now:
            return ()
        day = local_date(self.now, self.query.zone)
        return time_expressions.intervals(self.query.text, day, self.back)

    @property
    def only_time(self) -> bool:
        """True if a time is all that the question names ("Where were we in May?")."""
        return bool(self.spans) and self.question.times.issuperset(self.question.words)


class _Hits(Struct, frozen=True, dict=True):
    """Hits of each arm, the BM25 scores of all of them by key, and ``then``: entries from the time
    that the question names."""

    text: list[Hit]
    vector: list[Hit]
    words: Mapping[int, float]
    then: list[IndexedRow]

    @cached_property
    def entries(self) -> dict[str, IndexedRow]:
        """Entries by id, those of full text first."""
        found = [*(hit.entry for hit in (*self.text, *self.vector)), *self.then]
        return {entry.id: entry for entry in found}


class _WordsFound(Struct):
    """Words of the question in hits, by id: in the speaker's ``own`` words, and with those of the
    answer (``answered``); and how rare each is among the hits, which counts as much as its rarity
    in the store. All are empty for a question without a specific subject."""

    question: QuestionWords
    own: dict[str, set[str]] = {}
    answered: dict[str, set[str]] = {}
    rarity: dict[str, float] = {}

    def add(self, entries: Iterable[IndexedRow]) -> None:
        """Searches these entries too."""
        added = [entry for entry in entries if entry.id not in self.own]
        own = {entry.id: without_answer(entry) for entry in added}
        self.own |= self.question.found_in(own)
        answers = {e.id: e.text.partition(ANSWERED)[2] for e in added if e.kind == "turn"}
        found = self.question.found_in(answers)
        self.answered |= {id: self.own[id] | found.get(id, set()) for id in own}


def comparable_models(store: Store) -> set[str]:
    """Embedding models whose vectors cover enough of the store to rank by.

    After a change of model the new one has few vectors: ranking by them would lift those few above
    all others, so that full text serves alone until re-embedding has caught up.
    """
    spaces = embeddings.spaces(store)
    most = max((space.count for space in spaces), default=0)
    return {space.model for space in spaces if space.count * 2 >= most}


def make_query(
    text: str,
    embedder: Embedder | None,
    given: Vector | None = None,
    known: set[str] | None = None,
    zone: tzinfo = UTC,
) -> SearchQuery:
    """Embeds the text; when the model fails full text serves alone and the error is kept.

    ``known``: models with comparable vectors; the embedder is not loaded unless its model is among
    them. ``zone``: the user's time zone, in which "yesterday" is understood.
    """
    query = SearchQuery(text, given, zone=zone)
    if given is not None or embedder is None:
        return query
    if known is None or any(is_of(stored, embedder.name) for stored in known):
        try:
            data = embedder.embed([text], "query")[0]
            name = stored_name(embedder.name, dimension(data), known or ())
            query.vector = Vector(name, data)
        except MODEL_ERRORS as error:
            query.problems.append(error)
    elif known:
        query.problems.append(NotEmbedded(embedder.name))
    return query


def question(text: str, turn: Turn, run: TurnRun) -> SearchQuery:
    """A text as a question to the store. The message of the current turn is embedded once."""
    if (vector := run.kept.get(("vector", text))) is not None:
        return SearchQuery(text, vector, zone=run.zone)
    try:
        embedder = run.engine.models.embedder()
    except MODEL_ERRORS as error:
        return SearchQuery(text, problems=[error], zone=run.zone)
    return make_query(text, embedder, known=comparable_models(run.engine.store), zone=run.zone)


def find(
    instruction: Instruction,
    where: Filter,
    run: TurnRun,
    *,
    query: SearchQuery | None = None,
    planned: bool = False,
    least: float | None = None,
) -> tuple[list[Evidence], list[Exception]]:
    """Evidence for an instruction, best first, within ``min_relevance`` and ``min_score``, and
    the errors of the embedder. ``query``: the question, if it was embedded before; ``least``:
    instead of ``min_relevance``. Raises as ``recall``."""
    store = run.engine.store
    if query is None:
        embedder = run.engine.models.embedder()
        query = make_query(
            instruction.query, embedder, known=comparable_models(store), zone=run.zone
        )
    if query.project is None:
        query.project = projects.current(run)
    with store.reading():
        found = recall(store, query, instruction, where, planned)
    if not instruction.query.strip() and query.vector is None:
        return found, query.problems
    config = run.engine.config
    least = config.min_relevance if least is None else least
    share = config.min_score if config.reranker == "none" else 0.0  # a reranker judges all of them
    return relevant(found, least, share), query.problems


def recall(
    store: Store, query: SearchQuery, instruction: Instruction, where: Filter, planned: bool = False
) -> list[Evidence]:
    """Evidence for an instruction, best first. An unusable index is not an error: the store
    searches without it. Raises ``StoreDamaged``, ``StoreBusy``."""
    where = narrow(where, instruction)
    limit = max(CANDIDATES, instruction.limit * 3)
    words = query_words(query.text)
    if not words and query.vector is None:
        return listed(store, where, instruction.limit, query.zone, planned)
    search = _Search(store, query, instruction, where, planned)
    then, scores = _of_time(search, words, limit)
    if not then and (back := _years_back(search)):
        search = replace(search, back=back)
        then, scores = _of_time(search, words, limit)
    if then and search.only_time and time_expressions.asks_what_was_said(query.text):
        where = _period(search)  # what was said at another time is no answer
    found = store.search(words, query.vector, where, limit)
    if 0 < len(words) <= KEYWORDS and not any(has_form(h.entry.text, words) for h in found.text):
        instead = _with_synonyms(store, query, words, where, limit)
        if instead is not None:
            query, found = instead
            search = replace(search, query=query)
    return _ranked(search, _Hits(found.text, found.vector, {**scores, **found.words}, then))


def nearest(store: Store, query: SearchQuery, where: Filter, limit: int) -> list[IndexedRow]:
    """Entries nearest by words and meaning alone, ``limit`` from each arm, best first: what a text
    may repeat or change, where ``recall`` finds what answers a question. Raises as ``recall``."""
    found = store.search(query_words(query.text), query.vector, where, limit)
    own = {hit.entry.key: hit.score for hit in found.text}  # the others have no score from words
    hits = _Hits(found.text, found.vector, own, [])
    similarities = _similarities(store, query.vector, hits)
    candidates = [
        rank.Candidate(entry.id, hits.words.get(entry.key), similarities.cosines.get(entry.key))
        for entry in hits.entries.values()
    ]
    best = rank.fuse(candidates, _unrelated(similarities, query.vector).cosine)
    return [hits.entries[one.id] for one in best]


def _of_time(
    search: _Search, words: list[str], limit: int
) -> tuple[list[IndexedRow], Mapping[int, float]]:
    """Entries from the time that a question names, and their scores by its other words."""
    if not search.spans:
        return [], {}
    if search.only_time:
        return search.store.entries(_period(search), limit), {}
    vector = search.query.vector
    within = search.store.search(words, vector, _period(search), CANDIDATES // 2)
    return [hit.entry for hit in (*within.text, *within.vector)], within.words


def _years_back(search: _Search) -> int:
    """The number of years before the last one after which the time that a question names without
    its year has something; 0 if the last one or none has."""
    if search.spans == replace(search, back=1).spans:
        return 0
    zone, back = search.query.zone, 0
    while back < local_date(search.now, zone).year:
        earlier = replace(search, back=back)
        if not earlier.spans:  # 29 February
            back += 1
            continue
        until_then = replace(_period(earlier), since=search.where.since)
        newest = search.store.entries(until_then, 1)
        if not newest:
            break
        day = local_date(newest[0].created_at or search.now, zone)
        first = min(span[0] for span in earlier.spans)
        if day >= first:
            return back
        back += max(1, first.year - day.year)
    return 0


def _period(search: _Search) -> Filter:
    """The filter for what was said at the time that a question names."""
    where, spans, zone = search.where, search.spans, search.query.zone
    first, last = min(span[0] for span in spans), max(span[1] for span in spans)
    since, until = midnight(first, zone), midnight(last + timedelta(days=1), zone)
    return replace(
        where,
        kinds=where.kinds or SAID,
        since=max(since, where.since or since),
        until=min(until, where.until or until),
    )


def listed(
    store: Store, where: Filter, limit: int, zone: tzinfo, planned: bool = False
) -> list[Evidence]:
    """Newest entries as evidence, without a query."""
    recent = store.entries(where, limit)
    stale = stale_reasons(store, recent, where.as_of or where.now or "", zone)
    return [
        replace(evidence(e, rank.Fused(e.id, 0.0, {}), planned, ""), stale=stale.get(e.key))
        for e in recent
        if stale.get(e.key) != WITHDRAWN
    ]


def _with_synonyms(
    store: Store, query: SearchQuery, words: list[str], where: Filter, limit: int
) -> tuple[SearchQuery, Found] | None:
    """The question in synonyms of its predicate ("married" for "wedding"), if the store has these;
    with what they and its vector find."""
    from thalamus.memory.facts.predicates import packaged

    synonyms = packaged().other_words(words)
    if not synonyms:
        return None
    found = store.search(synonyms, query.vector, where, limit)
    forms = Forms(word for hit in found.text for word in content_words(hit.entry.text))
    kept = [word for word in synonyms if forms.has(word)]
    if not kept:  # only parts of them were found
        return None
    return replace(query, text=" ".join(kept)), found


def _ranked(search: _Search, hits: _Hits) -> list[Evidence]:
    """Hits of both arms as one list of evidence."""
    store, query, limit = search.store, search.query, search.instruction.limit
    entries = hits.entries
    similarities = _similarities(store, query.vector, hits)
    if search.where.only is not None and (cosines := similarities.cosines.values()):
        # others say nothing here, and must not be seen by their effect
        mean = sum(cosines) / len(cosines)
        similarities = replace(similarities, mean=mean, sampled=len(cosines))
    stale = stale_reasons(store, list(entries.values()), search.now, query.zone)
    for entry in [one for one in entries.values() if stale.get(one.key) == WITHDRAWN]:
        del entries[entry.id]
    unrelated = _unrelated(similarities, query.vector)
    found = _words_found(search.question, hits)
    candidates = _candidates(search, hits, similarities, stale, found)
    if search.instruction.mode == "history":
        candidates = [replace(candidate, asked=False) for candidate in candidates]
    concluded = [candidate.id for candidate in candidates if candidate.concluded]
    ranked = _of_that_time(candidates, found) if search.only_time and hits.then else candidates
    best = rank.fuse(ranked, unrelated.cosine, limit + len(concluded), found.rarity)
    if search.only_time and hits.then:
        best = [one for one in best if one.score]
    if concluded:
        rests_on = sources_of_insights(store, [one.id for one in best if one.id in concluded])
        best = rank.with_conclusions(best, rests_on, limit)
    best_entries = [entries[one.id] for one in best]
    relevances, parts = _relevances(search, candidates, best_entries, found, unrelated)
    results = []
    by_id = {candidate.id: candidate for candidate in candidates}
    for one in best:
        item = evidence(entries[one.id], one, search.planned, query.text)
        item.stale = stale.get(entries[one.id].key)
        item.relevance = relevances.get(one.id)
        if query.explain:
            item.explanation = rank.explanation(one, by_id[one.id], parts.get(one.id, {}))
        results.append(item)
    return results


def _unrelated(similarities: Similarities, vector: Vector | None) -> Unrelated:
    """Cosine of the question with unrelated texts."""
    if vector is None:
        return Unrelated()
    return Unrelated.of(similarities.mean, similarities.sampled, vector.model)


def _similarities(store: Store, vector: Vector | None, hits: _Hits) -> Similarities:
    """Cosines of all hits, and of the nearest sentence of each answer."""
    if vector is None or not hits.vector:
        return Similarities({}, 0.0)
    known = {hit.entry.key: hit.score for hit in hits.vector}
    missing = [entry.key for entry in hits.entries.values() if entry.key not in known]
    answering = {kind.name for kind in numbered() if kind.sentences}
    answers = [entry.key for entry in hits.entries.values() if entry.record in answering]
    similarities = store.similarities(vector, missing, answers)
    return replace(similarities, cosines=similarities.cosines | known)


def _words_found(question: QuestionWords, hits: _Hits) -> _WordsFound:
    """Words of the question in what full text found."""
    found = _WordsFound(question)
    if question.words:
        found.add(hit.entry for hit in hits.text)
        found.rarity = question.rarity(found.answered.values(), len(hits.entries))
    return found


def _relevances(
    search: _Search,
    candidates: Sequence[rank.Candidate],
    best: Sequence[IndexedRow],
    found: _WordsFound,
    unrelated: Unrelated,
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Relevance of the best entries, by id, and to explain it that of each signal by itself. Empty
    for a question without a specific subject. What was said in the month that the question names
    has the word for it. Equals have the relevance of the nearest of them: a number in its place
    says nothing about that."""
    if not found.rarity:
        return {}, {}
    found.add(best)
    by_id = {one.id: one for one in candidates}
    frames = {by_id[entry.id].frame for entry in best} - {""}
    alike = [one for one in candidates if one.frame in frames]
    alike.sort(key=lambda candidate: candidate.vector or 0.0)
    nearest = {rank.common(one): one for one in alike}
    by_id |= {one.id: nearest[rank.common(one)] for one in alike}
    relevances, parts = {}, {}
    asked = composed(search.query.text).casefold()
    shares = search.question.shares(found.rarity)
    for entry in best:
        times = found.question.times if _nearness(search, entry) >= SAID_THEN else frozenset()
        own, answered = found.own[entry.id] | times, found.answered[entry.id] | times
        foreign = is_foreign(composed(without_answer(entry)).casefold(), asked)
        judge = partial(relevance, shares=shares, unrelated=unrelated, foreign=foreign)
        relevances[entry.id] = judge(by_id[entry.id], own, answered)
        if search.query.explain:
            alone = _alone(by_id[entry.id], own, answered, unrelated.cosine)
            parts[entry.id] = {name: judge(*given) for name, given in alone.items()}
    return relevances, parts


def _alone(
    candidate: rank.Candidate, own: Collection[str], answered: Collection[str], background: float
) -> dict[str, tuple[rank.Candidate, Collection[str], Collection[str]]]:
    """The candidate and the words of the question in it, with one signal of relevance each and
    nothing in the others."""
    vector = None if candidate.vector is None else background
    nothing = replace(candidate, vector=vector, named=False, timely=0.0)
    return {
        "words": (nothing, own, answered),
        "vector": (replace(nothing, vector=candidate.vector), (), ()),
        "speaker": (replace(nothing, named=candidate.named), (), ()),
        "time": (replace(nothing, timely=candidate.timely), (), ()),
    }


def _candidates(
    search: _Search,
    hits: _Hits,
    similarities: Similarities,
    stale: Mapping[int, str],
    words: _WordsFound,
) -> list[rank.Candidate]:
    """Hits with their ranking features. ``words``: words of the question in them."""
    question = search.query.text
    entries = list(hits.entries.values())
    named = names(question)
    related = [_nearness(search, entry) for entry in entries]
    # a time that is all the question names counts in full, even if all candidates are from it; what
    # was searched for in it says nothing about how much it tells apart
    selectivity = 1.0
    if not (search.only_time and hits.then):
        anywhen = {hit.entry.id for hit in (*hits.text, *hits.vector)}
        pairs = zip(entries, related, strict=True)
        selectivity = time_expressions.selectivity([r for e, r in pairs if e.id in anywhen])
    when = time_expressions.asks_when(question)
    places = {entry.id: conversation(entry) for entry in entries}
    known = _known_speakers(search, entries, places)
    scores = _scores(question, hits, words)
    of_projects = _in_projects(search, [entry.id for entry in entries])
    candidates = []
    for entry, timely in zip(entries, related, strict=True):
        statement = without_answer(entry)
        speaker_name = speaker(statement, known) if entry.kind == "memory" else None
        candidates.append(
            rank.Candidate(
                id=entry.id,
                text=scores.get(entry.key),
                vector=similarities.cosines.get(entry.key),
                sentence=similarities.sentences.get(entry.key),
                words=words.own.get(entry.id, ()),
                conversation=places[entry.id],
                named=speaker_name in named,
                timely=timely * selectivity,
                dated=when and time_expressions.says_when(statement),
                project=of_projects.get(entry.id, 0),
                lack=lack(statement) if speaker_name is not None else 0.0,
                asked=entry.kind == "turn" and only_asks(statement),
                # only a part of a turn has ended
                stale=entry.kind != "turn" and entry.key in stale,
                concluded=entry.kind == "insight" and not search.only_insights,
                at=entry.created_at or "",
                frame=_frame(entry, similarities, words),
            )
        )
    return candidates


def _in_projects(search: _Search, ids: Collection[str]) -> dict[str, int]:
    """1 for each of the records that belongs to the current project, -1 for one that only belongs
    to others, unless the question names one of these; nothing without a current project."""
    here = search.query.project
    if here is None:
        return {}
    found = of_records(search.store, ids)
    others = {id for known in found.values() for id in known if id != here.id}
    named = {
        one.stored_id
        for one in search.store.by_ids(Project, sorted(others))
        if not is_hidden(one) and is_named(one.name, search.query.text)
    }
    return {
        id: 1 if here.id in known else -1
        for id, known in found.items()
        if here.id in known or (projects.is_elsewhere(known, here) and not known & named)
    }


def _of_that_time(candidates: Sequence[rank.Candidate], found: _WordsFound) -> list[rank.Candidate]:
    """Candidates for a question that only names a time: what is not from then, and does not name it
    either, shares nothing with the question but parts of a word and the meaning of another time."""
    return [
        one
        if one.timely == 1.0 or found.answered.get(one.id)
        else replace(one, text=None, vector=None, sentence=None)
        for one in candidates
    ]


def _known_speakers(
    search: _Search, entries: Iterable[IndexedRow], places: Mapping[str, str | None]
) -> set[str]:
    """Names of the user and the agent, and of those who answer each other in a session. ``places``:
    the conversation of each entry."""
    memories = [entry for entry in entries if entry.kind == "memory"]
    labels = [
        (places[entry.id] or "", name)
        for entry in memories
        if entry.session is not None and (name := label(entry.text)) is not None
    ]
    owners = {search.where.agent, *(entry.user for entry in memories)}
    return speakers(labels).union(*(names(owner) for owner in owners if owner))


def _scores(question: str, hits: _Hits, found: _WordsFound) -> Mapping[int, float]:
    """BM25 scores by key. For a question with marks (má), the words that one of the best hits has
    with others only (mà, ma) count less."""
    marked = {word: as_is for word, as_is in marked_words(question).items() if word in found.rarity}
    if not marked:
        return hits.words
    total = sum(found.rarity.values())
    scores = dict(hits.words)
    for hit in hits.text[:MOST_COMPARED]:
        asked = {word: marked[word] for word in found.own[hit.entry.id] if word in marked}
        others = other_marks(asked, hit.entry.text)
        share = sum(found.rarity[word] for word in others) / total
        scores[hit.entry.key] = (1 - OTHER_MARKS * share) * scores.get(hit.entry.key, hit.score)
    return scores


def _frame(entry: IndexedRow, similarities: Similarities, found: _WordsFound) -> str:
    """The frame of an entry, which its equals have too: of a turn, also that of the answer if it
    comes closer to the question than the message, or has more of its words."""
    if entry.kind not in ("memory", "turn"):
        return ""
    statement, _, answer = entry.text.partition(ANSWERED)
    shared = frame(without_answer(entry) if answer else statement)
    if not (shared and answer):
        return shared
    closest = similarities.sentences.get(entry.key, 0.0)
    own, answered = found.own.get(entry.id, set()), found.answered.get(entry.id, set())
    if answered <= own and closest <= similarities.cosines.get(entry.key, 0.0):
        return shared
    return f"{shared}{ANSWERED}{frame(answer) or answer}"


def conversation(entry: IndexedRow) -> str | None:
    """Conversation of an entry: its session on its day, because a session may last for months; what
    has no session belongs to its day. None for a document, whose day is that of reading."""
    if entry.kind == "document" or not entry.created_at:
        return None
    return f"{entry.created_at[:10]} {entry.session or ''}"


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
    """Converts an entry to a piece of evidence. What another agent said is not trusted more than
    the agent, and may be an instruction."""
    others = entry.kind == "turn" and is_activity(entry.metadata)
    pattern = entry.suspicious
    if others:
        from thalamus.policy.injection import suspicious  # its patterns take long to compile

        pattern = suspicious(entry.text)
    return Evidence(
        id=entry.id,
        kind=entry.kind,
        text=user_words(entry.text) if others else entry.text,
        at=entry.created_at,
        session=entry.session,
        score=round(fused.score * (rank.SECONDARY if planned else 1.0), 4),
        why=rank.why(fused, planned, query),
        metadata=entry.metadata,
        scores=fused.parts,
        type=entry.type,
        topic=entry.topic,
        user=entry.user,
        trust=trust_in(entry.metadata) if others else entry.trust,
        provenance=entry.provenance,
        suspicious=pattern,
    )


def recalled_for(turn: str, store: Store) -> list[IndexedRow]:
    """Evidence recalled for a turn that can still be found: memories, facts, turns, each in storage
    order."""
    ids = tuple(links.sources(store, turn, "evidence_of"))
    found = store.entries(Filter(ids=ids), len(ids)) if ids else []
    places = {"fact": 1, "turn": 2}
    return sorted(found, key=lambda entry: (places.get(entry.kind, 0), entry.key))


def _nearness(search: _Search, entry: IndexedRow) -> float:
    """Closeness of an entry to the time in the question; 0 for documents, whose time is that of
    reading."""
    if not search.spans or entry.kind == "document":
        return 0.0
    return time_expressions.nearness(local_day(entry.created_at, search.query.zone), search.spans)
