"""Origins of a record: the walk over provenance, links and ledger behind ``why``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast, get_args

from msgspec import convert

from thalamus.errors import UsageError
from thalamus.memory.resolve_id import reachable
from thalamus.policy.prompt_budget import ELSEWHERE
from thalamus.policy.speakers import CLIENT, said_by_agent
from thalamus.records import (
    DiscoverySource,
    Document,
    Event,
    Fact,
    Insight,
    Instruction,
    Link,
    Memory,
    Plan,
    Project,
    Provenance,
    Turn,
    WorldChange,
)
from thalamus.records.kinds import kind_of, own_text
from thalamus.records.reports import Origin, OriginKind
from thalamus.store import ledger
from thalamus.store import links as link_rows

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader

DEPTH = 6  # steps back from the record asked about
Thing = Turn | Memory | Fact | Document | Project | DiscoverySource | Insight | Plan | WorldChange
_DERIVED = (Memory, Fact, Project, DiscoverySource)  # with the turn or document they come from


def trace_back(store: Store, id: str, depth: int = DEPTH) -> Origin:
    """The tree of origins of a turn, memory, fact, document, project, insight, plan or change of
    the world state."""
    return _Walk(store).origin(id, None, depth)


def describe(store: Store, id: str) -> Origin:
    """A record by its id, without its origins."""
    thing = reachable(store, id)
    if thing is None:
        return Origin(id=id, kind="missing", text="(not in the store)")
    return _describe(thing, id)


class _Walk:
    """A walk that expands each record once; later encounters, and so cycles, end in a note."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: set[str] = set()
        self._ledger: dict[str, list[Event]] = {}

    def origin(
        self, id: str, relation: str | None, depth: int, words: Provenance | None = None
    ) -> Origin:
        """The origin ``id``; ``words`` is the place in it that the derived record rests on."""
        thing = reachable(self._store, id)
        found = describe(self._store, id)
        found.relation = relation
        if words is not None:
            found.quote = words.quote or found.quote
            found.page, found.offset, found.heading = words.page, words.offset, words.heading
        if thing is None or (isinstance(thing, Turn) and relation):
            return found  # words that were said have no further origin
        if isinstance(thing, Document):  # nor have words that were written
            if thing.source is not None and depth > 0:
                found.origins = [describe(self._store, thing.source)]
                found.origins[0].relation = "part_of"
            return found
        if id in self._seen:
            found.note = "shown already"
            return found
        self._seen.add(id)
        if depth <= 0:
            found.note = "more origins omitted"
            return found
        found.model = self._model(thing)
        if isinstance(thing, Turn):
            found.draft, found.search_plan = self._deliberation(id)
        found.origins = list(self._sources(thing, id, depth))
        if isinstance(thing, Turn):
            if thing.answer is not None:
                _weigh(found.origins, thing)
            found.origins.sort(key=_use)
            found.note = _note_of_turn(found)
        return found

    def _sources(self, thing: Thing, id: str, depth: int) -> Iterator[Origin]:
        seen: set[str] = set()
        source = thing.provenance if isinstance(thing, _DERIVED) else None
        if source is not None and source.turn:
            seen.add(source.turn)
            yield self.origin(source.turn, "said_in", depth - 1, source)
        if source is not None and source.document:
            seen.add(source.document)
            words = source
            if source.quote is None and source.offset is not None and isinstance(thing, Memory):
                words = Provenance(
                    quote=thing.content,
                    page=source.page,
                    offset=source.offset,
                    heading=source.heading,
                )
            yield self.origin(source.document, "read_in", depth - 1, words)
        if isinstance(thing, Plan) and thing.turn:
            yield self.origin(thing.turn, "planned_after", depth - 1)
        prompt, left_out = self._prompt(id) if isinstance(thing, Turn) else (None, {})
        for link in links(self._store, id):
            other, relation = _backwards(link, id, thing)
            if other and other not in seen:
                seen.add(other)
                # for the evidence of a turn one step; for an insight down to
                # the words said
                step = depth - 1
                if relation == "evidence" and not self._is_insight(other):
                    step = min(1, step)
                found = self.origin(other, relation, step)
                if isinstance(thing, Turn) and relation == "evidence":
                    reason = left_out.get(other)
                    shown = prompt is not None and (other in prompt or reason == ELSEWHERE)
                    found.in_prompt = None if prompt is None else shown
                    found.note = reason or found.note
                yield found

    def _is_insight(self, id: str) -> bool:
        return self._store.has(Insight, id)

    def _entries(self, turn: str) -> list[Event]:
        """Ledger entries of a turn; cached, because several lookups need them."""
        if turn not in self._ledger:
            self._ledger[turn] = ledger.of_turn(self._store, turn)
        return self._ledger[turn]

    def _prompt(self, turn: str) -> tuple[set[str] | None, dict[str, str]]:
        """Ids in the prompt of a turn according to the ledger, and the reasons why others were left
        out, by id; None without an entry."""
        for event in self._entries(turn):
            if event.name == "stage" and event.data.get("stage") == "answer":
                left_out = (event.data.get("detail") or {}).get("left_out") or {}
                return set(event.data.get("inputs") or ()), left_out
        return None, {}

    def _deliberation(self, turn: str) -> tuple[str | None, list[Instruction]]:
        """The draft and the search plan of a turn, from the ledger."""
        draft: str | None = None
        searched: list[Any] = []
        for event in self._entries(turn):
            detail = event.data.get("detail") if event.name == "stage" else None
            if isinstance(detail, dict):
                draft = detail.get("draft") or draft
                searched = detail.get("search_plan") or searched
        return draft, convert(searched, list[Instruction])

    def _model(self, thing: Thing) -> str | None:
        """The model of the stage that created this, from the ledger."""
        turn = thing.id if isinstance(thing, Turn) else None
        stage = "answer" if isinstance(thing, Turn) else "reflect"
        if isinstance(thing, Memory | Fact) and thing.provenance is not None:
            turn = thing.provenance.turn
        if turn is None:
            return None
        for event in self._entries(turn):
            if event.name == "stage" and event.data.get("stage") == stage:
                return event.data.get("model")
        return None


def _backwards(link: Link, id: str, thing: Thing) -> tuple[str | None, str]:
    """(other id, relation) of a link that leads to an origin of ``id``."""
    if link.relation == "evidence_of":
        return (link.source, "evidence") if link.target == id else (None, "")
    if link.relation == "merged_into":
        return (link.source, "merged_from") if link.target == id else (None, "")
    if link.source != id:
        return None, ""
    return link.target, link.relation


def _weigh(origins: Sequence[Origin], turn: Turn) -> None:
    """Sets for the evidence in the prompt of a turn which words of it the answer uses."""
    from thalamus.policy.evidence_text import credited

    used = [
        one
        for one in origins
        if one.relation == "evidence" and one.in_prompt is not False and one.kind != "missing"
    ]
    texts = {one.id: f"{one.text} {one.answer or ''}" for one in used}
    found = credited(texts, turn.message, turn.answer or "")
    for one in used:
        one.shared = found.get(one.id, [])


def _note_of_turn(found: Origin) -> str | None:
    """The note of a turn whose prompt contained none of the recalled evidence."""
    recalled = [one for one in found.origins if one.relation == "evidence"]
    if not recalled or any(one.in_prompt is not False for one in recalled):
        return None
    return "nothing of what was recalled was in its prompt"


def _use(found: Origin) -> int:
    """Sort key of a turn's origins: evidence whose words the answer uses, then evidence in the
    prompt, then evidence only recalled."""
    if found.relation != "evidence":
        return 0
    if found.in_prompt is False:
        return 3
    return 1 if found.shared else 2


def _kind(thing: Thing) -> OriginKind:
    name = kind_of(type(thing)).name
    if name not in get_args(OriginKind):  # a log or a title, which nothing is derived from
        raise UsageError(
            f"{thing.id} is a {name.replace('_', ' ')}, and its origin is not known.",
            fix="`thalamus why` explains turns, memories, facts, insights, documents, sources …",
        )
    return cast(OriginKind, name)


def record_text(thing: Thing) -> str:
    """The text by which a record is named."""
    if isinstance(thing, Fact):  # by its predicate, as `facts` lists it
        return f"{thing.subject} {thing.predicate} {thing.object}"
    if isinstance(thing, Document):
        return thing.title or thing.path
    if isinstance(thing, DiscoverySource):
        return f"{thing.uri} ({thing.title})" if thing.title else thing.uri
    if isinstance(thing, WorldChange):
        from thalamus.policy.world_operations import in_words

        return "; ".join(map(in_words, thing.operations))
    if isinstance(thing, Plan):
        return "; ".join(item.query for item in thing.retrieval_instructions)
    return own_text(thing)


def _describe(thing: Thing, id: str) -> Origin:
    found = Origin(id=id, kind=_kind(thing), text=record_text(thing))
    if isinstance(thing, Document):
        found.at, found.path = thing.recorded_at, thing.path
        found.published = thing.published
    elif isinstance(thing, WorldChange):
        found.at, found.status = thing.at, "undone" if thing.undone_at else None
    elif isinstance(thing, DiscoverySource):
        found.at, found.status = thing.created_at, thing.status
    else:
        found.at, found.session = thing.created_at, thing.session
    if isinstance(thing, Turn):
        found.answer = thing.answer
    if isinstance(thing, Memory | Insight | Project):
        found.status = thing.status if thing.status != "active" else None
    if isinstance(thing, Memory):
        found.stale = thing.stale
    if isinstance(thing, Memory | Fact) and said_by_agent(thing):
        name = thing.metadata.get(CLIENT) or thing.metadata.get("source")
        found.note = "another program said it" + (f": “{name}”" if name else "")
    if isinstance(thing, Insight):
        found.note = f"strength {thing.strength:g}" if thing.level > 1 else None
    if isinstance(thing, Fact):
        found.quote = thing.quote
        found.valid_from, found.valid_to = thing.valid_from, thing.valid_to
        found.precision = thing.metadata.get("precision", {})
        found.status = "retracted" if thing.retired_at else None
        if thing.metadata.get("set_by"):
            found.note = f"entered by you; `thalamus {thing.metadata['set_by']} set` changes it"
    return found


def links(reader: Reader, id: str, relations: Sequence[str] = ()) -> list[Link]:
    """Links from and to an id, of these relations or of all, sorted by relation."""
    found = link_rows.outgoing(reader, id, *relations)
    found += [one for one in link_rows.incoming(reader, id, *relations) if one.source != id]
    return sorted(found, key=lambda link: (link.relation, link.source, link.target))
