"""Sources of personal records that are stored in plain text: a source is protected as what was made
of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from thalamus.memory.personal import words_of
from thalamus.policy.retention import TASK_SUMMARY
from thalamus.records import (
    DiscoverySource,
    Document,
    Fact,
    Insight,
    Link,
    Memory,
    Record,
    Turn,
)
from thalamus.records.base import tag_of
from thalamus.records.kinds import kinds
from thalamus.store import facts, links, memories, records, sources
from thalamus.store.encrypted import is_hidden
from thalamus.store.encryption import contents

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

# from a record to its sources, or to what repeats it
_TO_SOURCE = ("derived_from", "part_of", "supersedes", "evidence_of", "about")
_FROM_SOURCE = ("merged_into", "about")
_SUMMARIES = ("summary", "session_summary", TASK_SUMMARY)
_PARTS = ("part_of", "derived_from")
_AT_ONCE = 500  # ids in one condition
# records that can be a source, and whose words can be encrypted
_SOURCES: tuple[type[Record], ...] = (Turn, Memory, Fact, Insight)


def plain_sources(reader: Reader, ids: Iterable[str]) -> dict[str, str]:
    """Records in plain text that must be encrypted because these are personal, with their kinds:
    what they were made of, what states the same, and what repeats them.

    ``ids``: of personal memories, facts, insights and projects. A summary has many sources, of
    which only some may be personal: as long as one is encrypted, the others stay as they are.
    """
    search = _Search(reader)
    left = sorted(set(ids))
    while left:
        new: list[str] = []
        for start in range(0, len(left), _AT_ONCE):
            new += search.step(left[start : start + _AT_ONCE])
        left = new
    return search.found


def unencrypted(reader: Reader) -> dict[str, str]:
    """Records in plain text that are marked as personal or belong to a kind that always is, and the
    plain sources of everything personal, with their kinds."""
    found: dict[str, str] = {}
    makers: list[str] = []
    for kind in kinds():
        if not (kind.encrypted and kind.has_id):
            continue
        if not kind.personal and "sensitivity" not in kind.columns:
            continue
        personal = records.personal(reader, kind.record)
        hidden = contents.ids(reader, personal)
        found |= dict.fromkeys((id for id in personal if id not in hidden), kind.name)
        makers += [] if kind.personal else personal
    turns = turns_of_personal(reader)
    named = reader.existing(Turn, turns)
    hidden = contents.ids(reader, named)
    found |= dict.fromkeys((id for id in named if id not in hidden), tag_of(Turn))
    return plain_sources(reader, makers) | found


def turns_of_personal(reader: Reader) -> set[str]:
    """Turns from which encrypted memories and facts were made, as these say themselves: a record
    that was imported without its links has none."""
    made: list[Memory | Fact] = [
        *memories.encrypted(reader),
        *facts.encrypted(reader),
    ]
    sources = [record.provenance for record in made]
    return {source.turn for source in sources if source is not None and source.turn}


class _Search:
    """The search for plain sources. ``found``: ids with their kinds."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._personal: set[str] = set()  # ids whose links were followed
        self.found: dict[str, str] = {}

    def step(self, ids: Sequence[str]) -> list[str]:
        """Finds the direct plain sources of personal records; returns those whose own sources are
        to be found next."""
        self._personal.update(ids)
        outgoing = links.outgoing(self._reader, ids, *_TO_SOURCE)
        incoming = links.incoming(self._reader, ids, *_FROM_SOURCE)
        pairs = [(link.source, link) for link in outgoing]
        pairs += [(link.target, link) for link in incoming]
        others = {_other(made, link) for made, link in pairs} - self.found.keys()
        others -= self._personal
        others -= contents.ids(self._reader, others)
        new: list[str] = []
        documents = self._documents(pairs, others)
        if others and not documents.keys() >= others:
            new += self._records(pairs, others)
        for document, made in documents.items():
            new += self._of_document(document, made)
        return new

    def _records(self, pairs: Sequence[tuple[str, Link]], others: set[str]) -> list[str]:
        """Adds the plain records among ``others`` that must be encrypted."""
        known = {
            id: tag_of(record)
            for record in _SOURCES
            for id in self._reader.existing(record, others)
        }
        turn = tag_of(Turn)
        composite = self._composite({made for made, link in pairs if _other(made, link) in known})
        new: list[str] = []
        for made, link in pairs:
            other = _other(made, link)
            kind = known.get(other)
            if kind is None or other in self.found:
                continue
            # the new version of a fact was not made of the old one; an edit supersedes its turn
            if link.relation == "supersedes" and kind != turn:
                continue
            if made in composite and link.relation in ("derived_from", "merged_into"):
                continue
            self.found[other] = kind
            if kind != turn:
                new.append(other)
            elif link.relation == "derived_from":
                new += self._same_words(made, other)
                self._mentioned_in(other)
        return new

    def _composite(self, ids: set[str]) -> set[str]:
        """Those among these that were made of several records, of which one is encrypted."""
        if not ids:
            return set()
        made = {*self._reader.existing(Insight, ids)}
        made |= {*memories.of_types(self._reader, ids, _SUMMARIES)}
        sources: dict[str, set[str]] = {id: set() for id in made}
        for link in links.outgoing(self._reader, made, "derived_from"):
            sources[link.source].add(link.target)
        for link in links.incoming(self._reader, made, "merged_into"):
            sources[link.target].add(link.source)
        every = {id for some in sources.values() for id in some}
        protected = contents.ids(self._reader, every) | self.found.keys()
        return {id for id, some in sources.items() if not some.isdisjoint(protected)}

    def _same_words(self, made: str, source: str) -> list[str]:
        """Adds what else was extracted from a source and shares its words with a personal record;
        returns the ids."""
        from thalamus.policy.sensitivity import with_shared_words  # readers do not need it

        derived = {*links.sources(self._reader, source, *_PARTS)} - {made} - self.found.keys()
        items = _items(self._reader, derived - contents.ids(self._reader, derived))
        own = [item for item in _items(self._reader, [made]) if not is_hidden(item)]
        if not items or not own:
            return []
        words = [words_of(item) for item in (*own, *items)]
        shared = with_shared_words([True] * len(own) + [False] * len(items), words)[len(own) :]
        new = [item for item, marked in zip(items, shared, strict=True) if marked]
        self.found |= {item.stored_id: tag_of(type(item)) for item in new}
        return [item.stored_id for item in new]

    def _mentioned_in(self, turn: str) -> None:
        """Adds the sources of documents that a turn mentions."""
        for source in sources.plain(self._reader):
            if source.provenance is not None and source.provenance.turn == turn:
                self.found[source.stored_id] = tag_of(DiscoverySource)

    def _documents(self, pairs: Sequence[tuple[str, Link]], others: set[str]) -> dict[str, str]:
        """Documents among ``others``, each with a personal record that was made of it."""
        made_of = {link.target: made for made, link in pairs if link.relation in _PARTS}
        wanted = tuple(others & made_of.keys())
        found = self._reader.existing(Document, wanted)
        return {id: made_of[id] for id in found}

    def _of_document(self, document: str, made: str) -> list[str]:
        """Adds the summary of a document of which something is personal, and the chunks with its
        words; returns the ids of the memories."""
        [record] = self._reader.by_ids(Document, [document])
        if record.summary or record.topic:
            self.found[document] = tag_of(Document)
        chunk = memories.of_types(self._reader, [made], ["document_chunk"])
        parts = links.sources(self._reader, document, *_PARTS)
        hidden = contents.ids(self._reader, parts) | self.found.keys()
        new = memories.of_types(self._reader, set(parts) - hidden, ["document_summary"])
        self.found |= dict.fromkeys(new, tag_of(Memory))
        return new if chunk else [*new, *self._same_words(made, document)]


def _other(made: str, link: Link) -> str:
    return link.target if link.source == made else link.source


def _items(reader: Reader, ids: Collection[str]) -> list[Memory | Fact]:
    if not ids:
        return []
    return [*reader.by_ids(Memory, tuple(ids)), *reader.by_ids(Fact, tuple(ids))]
