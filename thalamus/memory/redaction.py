"""Redacted views of records, for readers who may see less than the user: the one decision on what
they see.

A field is shown only if it is listed here or harmless by its form (a number, a time, an id made by
Thalamus, a word of the format); all others are masked. Of what is personal, encrypted, a quotation
or a memory whose type is not listed only ids and times are shown, of facts only those with listed
predicates, and of kinds that are not listed nothing. In the texts that are shown, names, addresses,
numbers and secrets are replaced (``policy.redaction``).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from msgspec import UNSET, structs

from thalamus import data
from thalamus.memory.facts.intervals import registry_of
from thalamus.memory.facts.predicates import kin_predicates
from thalamus.memory.personal import is_personal
from thalamus.policy.entities import USER
from thalamus.policy.persona import PERSONA_TYPES
from thalamus.policy.profile import within
from thalamus.policy.prompt_budget import VERBATIM
from thalamus.policy.redaction import Redactor
from thalamus.policy.retention import SUMMARIES
from thalamus.records import (
    DOCUMENT_TYPES,
    Alias,
    Document,
    Evidence,
    Fact,
    Importance,
    Link,
    Memory,
    Profile,
    Record,
    Scope,
    Turn,
)
from thalamus.records.kinds import numbered, own_text
from thalamus.records.ownership import DEFAULT_USER
from thalamus.store import facts as fact_rows
from thalamus.store import ledger
from thalamus.store import links as link_rows
from thalamus.store.encrypted import HIDDEN, is_hidden
from thalamus.store.encryption import contents
from thalamus.store.erasure import ERASURES
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from thalamus.engine import Engine

AT_ONCE = 500  # records about which the store is asked at once
MASKED = "[masked]"
PERSONAL = "[personal]"
QUOTE = "[quote]"
MARKS = frozenset((MASKED, PERSONAL, QUOTE))
# texts that are shown of each kind
_TEXTS: Mapping[type[Record], frozenset[str]] = {
    Memory: frozenset(("content", "topic")),
    Fact: frozenset(("object",)),
    Document: frozenset(("title", "summary", "topic")),
}
# types of the memories that are shown; others say who somebody is, whom they know, what happens to
# them, or anything
SHOWN_TYPES = (
    *("preference", "skill", "topic_of_interest", "project"),
    *PERSONA_TYPES,
    *DOCUMENT_TYPES,
)
_HARMLESS = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?)?)?"  # a time
    r"|[a-z]{2,10}_[0-9a-hjkmnp-tv-z]{21}"  # an id
)
_WORDS = frozenset(
    (
        *get_args(Importance),
        *get_args(Scope),
        *SHOWN_TYPES,
        *(
            "active",
            "superseded",
            "retired",
            "normal",
            "personal",
            "ingested",
            "unchanged",
            "pdf",
            "markdown",
            "text",
        ),
    )
)
# predicates of facts whose object is a name, besides relatives and friends
_NAME_PREDICATES = frozenset(
    "parent spouse knows married_to named name called nickname user_name full_name".split()
)


class RedactedView:
    """The redacted view of a store. In its texts a placeholder stands for the same name
    throughout."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._store = engine.store
        self._predicates = registry_of(self._store)
        self._redactor = Redactor(names_of_people(engine))

    def record(self, record: Any) -> Any:
        """The redacted record; None if it has no redacted view."""
        [[_, shown]] = self._redacted([record])
        return shown

    def records(self, records: Iterable[Record]) -> Iterator[Any]:
        """Redacted records, without those that have no redacted view. Links are shown between
        records that are."""
        shown_ids: set[str] = set()
        for record, shown in self._redacted(records):
            if isinstance(record, Link):
                if record.source in shown_ids and record.target in shown_ids:
                    yield record
            elif shown is not None:
                # a link would tell what a masked memory is about
                if not isinstance(shown, Memory) or shown.content not in MARKS:
                    shown_ids.add(getattr(shown, "id", None) or "")
                yield shown

    def readable(self, records: Iterable[Record]) -> Iterator[Any]:
        """Redacted records of which more is shown than ids and times."""
        for _, shown in self._redacted(records):
            if shown is not None and _text(shown) not in MARKS:
                yield shown

    def _redacted(self, records: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Each record, and what is shown of it, or None. What is known of them is read for many at
        once."""
        left = iter(records)
        while part := list(islice(left, AT_ONCE)):
            ids = [one.id for one in part if type(one) in _TEXTS and one.id]
            encrypted = contents.ids(self._store, ids) if ids else set[str]()
            memories = [one.id for one in part if isinstance(one, Memory) and one.id]
            stating = self._state_hidden_facts(memories) if memories else set[str]()
            for record in part:
                yield record, self._view_of(record, encrypted, stating)

    def _view_of(self, record: Any, encrypted: Container[str], stating: Container[str]) -> Any:
        """The redacted record, or None. ``encrypted``: ids of encrypted records; ``stating``: of
        memories that say what a hidden fact does."""
        texts = _TEXTS.get(type(record))
        mark = self._mark(record, encrypted) if texts is not None else None
        if texts is None or mark is None:
            return None
        if mark or record.id in stating:
            return _masked(record, mark or MASKED)
        if isinstance(record, Fact):
            return self._fact(record, texts)
        if isinstance(record, Memory):
            record = _without_file_name(record)
        if isinstance(record, Document) and record.title in _names(record.path):
            texts = texts - {"title"}
        return self._shown(record, texts)

    def shown_ids(self) -> frozenset[str]:
        """Ids of all records that can be found, and of which more is shown than ids and times; read
        again after a change of the store."""
        kept, state = self._engine.kept, (ledger.end(self._store), self._store.value(ERASURES))
        known = kept.get("shown ids")
        if known is None or known[0] != state:
            known = kept["shown ids"] = state, frozenset(self._read_shown_ids())
        ids: frozenset[str] = known[1]
        return ids

    def _read_shown_ids(self) -> Iterator[str]:
        store = self._store
        kinds = [kind.record for kind in numbered() if kind.record in _TEXTS]
        facts = (one for one in store.each(Fact, plain=True) if self._may_show(one, ()))
        hidden = set(fact_rows.ids(store)).difference(fact.stored_id for fact in facts)
        stating = set(link_rows.sources(store, hidden, "about"))
        for kind in kinds:
            for record in store.each(kind, plain=True):
                findable = record.stored_id not in stating and store.owner.reaches(record)
                if findable and self._mark(record, ()) == "":
                    yield record.stored_id

    def evidence(self, found: Iterable[Evidence]) -> list[Evidence]:
        """Redacted evidence. What is masked is left out: that it was found would tell what it says.
        The score is the rank alone: how well something was found depends on other records too."""
        redacted: list[Evidence] = []
        items = {item.id: item for item in found}
        records: dict[str, Record] = {}
        for kind in _TEXTS if items else ():
            records |= {one.stored_id: one for one in self._store.by_ids(kind, [*items])}
        for record, shown in self._redacted(records[id] for id in items if id in records):
            if shown is None or _text(shown) in MARKS:
                continue
            item = items[record.stored_id]
            redacted.append(
                Evidence(
                    id=shown.id,
                    kind=item.kind,
                    text=_text(shown),
                    at=_harmless(item.at),
                    score=1 / (len(redacted) + 1),
                    trust=item.trust,
                    type=shown.predicate if isinstance(shown, Fact) else _type(shown),
                    topic=getattr(shown, "topic", None),
                    stale=item.stale and MASKED,
                    suspicious=item.suspicious and MASKED,
                )
            )
        return redacted

    def turn(self, turn: Turn, given: Turn, found: list[Evidence]) -> Turn:
        """A turn after `retrieve`, with redacted evidence (``found``) instead of its own;
        ``given``: the turn before, which has nothing from the store."""
        steps = [
            structs.replace(step, inputs=[], outputs=[item.id for item in found], detail={})
            for step in turn.trace[len(given.trace) :]
        ]
        return structs.replace(
            turn,
            evidence=found,
            retrieval_instructions=given.retrieval_instructions,
            dialogue=given.dialogue,
            trace=[*given.trace, *steps],
        )

    def facts(self, found: Iterable[Fact], subject: str | None = None) -> list[Fact]:
        """Redacted facts, by what is shown of them; with a ``subject`` those that show it: a
        subject that is masked must not be found by its name."""
        by_time = sorted(found, key=lambda fact: fact.created_at or "")
        shown = list(self.records(by_time))
        shown.sort(key=lambda fact: (fact.subject, fact.predicate))
        return [one for one in shown if subject is None or fold(one.subject) == fold(subject)]

    def profile(self, profile: Profile, budget: int) -> Profile:
        """The lines of a profile that rest only on what is shown, up to ``budget`` tokens."""
        lines = [
            structs.replace(line, text=self._redactor(line.text))
            for line in profile.lines
            if line.ids and all(map(self._is_readable, line.ids))
        ]
        return Profile(user=profile.user and MASKED, lines=within(lines, budget))

    def text(self, text: str) -> str:
        """A text with names, addresses, numbers and secrets replaced."""
        return self._redactor(text)

    def _mark(self, record: Any, encrypted: Container[str]) -> str | None:
        """The mark in place of the text of a record; empty if the text is shown, None if nothing of
        it is. ``encrypted``: ids of encrypted records."""
        if getattr(record, "status", "") == "quarantined":
            return None
        if getattr(record, "user", None) == DEFAULT_USER:  # nobody knows whose it is
            return None
        if isinstance(record, Fact):
            return "" if self._may_show(record, encrypted) else None
        if _is_personal(record, encrypted):
            return PERSONAL
        if not isinstance(record, Memory):
            return ""
        if _is_quote(record):
            return QUOTE
        return "" if record.type in SHOWN_TYPES else MASKED

    def _fact(self, fact: Fact, texts: frozenset[str]) -> Any:
        """A fact with a listed predicate. Subjects other than the user may be people."""
        shown = self._shown(fact, texts)
        subject = USER if fold(fact.subject) == USER else self._redactor.person(fact.subject)
        predicate = self._predicates.name(fact.predicate)
        return structs.replace(shown, subject=subject, predicate=predicate)

    def _may_show(self, fact: Fact, encrypted: Container[str]) -> bool:
        listed = self._predicates.name(fact.predicate) in shown_predicates()
        return listed and not _is_personal(fact, encrypted)

    def _state_hidden_facts(self, memories: Sequence[str]) -> set[str]:
        """Ids of the memories that say the same as a fact that is not shown."""
        links = link_rows.outgoing(self._store, memories, "about")
        ids = {link.target for link in links}
        encrypted = contents.ids(self._store, ids) if ids else set[str]()
        facts = self._store.by_ids(Fact, ids) if ids else []
        hidden = {fact.id for fact in facts if not self._may_show(fact, encrypted)}
        return {link.source for link in links if link.target in hidden}

    def _is_readable(self, id: str) -> bool:
        record = self._store.get(id)
        return record is not None and any(self.readable([record]))

    def _shown(self, record: Any, texts: frozenset[str]) -> Any:
        """The record with ``texts`` redacted, and whatever is not harmless masked."""
        changes: dict[str, Any] = {}
        for field in _fields(record.__class__):
            value = getattr(record, field.name)
            if field.name in texts and value:
                changes[field.name] = self._redactor(value)
            elif isinstance(value, str):
                changes[field.name] = _harmless(value)
            elif value is not UNSET and not isinstance(value, (int, float, type(None))):
                changes[field.name] = _empty(field)
        return structs.replace(record, **changes)


@functools.cache
def _fields(kind: type[Record]) -> tuple[Any, ...]:
    """The fields of a kind of record."""
    return structs.fields(kind)


@functools.cache
def shown_predicates() -> frozenset[str]:
    """Predicates of the facts that are shown (``data/shown_predicates.json``)."""
    return frozenset(msgspec.json.decode(data.read("shown_predicates.json"), type=list[str]))


def names_of_people(engine: Engine) -> set[str]:
    """Names of people in the store: subjects of facts, relatives and friends, aliases, and the
    user."""
    store = engine.store
    names = {engine.config.user}
    predicates = _NAME_PREDICATES | kin_predicates()
    for fact in store.each(Fact):
        if fold(fact.subject) not in (USER, "assistant") and fact.subject[:1].isupper():
            names.add(fact.subject)
        if fact.predicate in predicates and fact.object[:1].isupper():
            names.add(fact.object)
    for alias in store.each(Alias):
        names |= {name for name in (alias.name, alias.target) if fold(name) != USER}
    return {name for name in names if name and name != HIDDEN}


def _masked(record: Any, mark: str) -> Any:
    """A record of which only its id, times and label are shown."""
    kept: dict[str, Any] = {
        name: _harmless(getattr(record, name))
        for name in ("id", "created_at", "recorded_at", "sensitivity")
        if name in record.__struct_fields__
    }
    if isinstance(record, Document):
        return Document(path=MASKED, status=record.status, title=mark, **kept)
    return Memory(content=mark, type=MASKED, **kept)


def _is_personal(record: Any, encrypted: Container[str]) -> bool:
    """True for a record that is labelled, found or stored as personal, or cannot be read."""
    if is_hidden(record) or getattr(record, "sensitivity", "") == "personal":
        return True
    if isinstance(record, (Memory, Fact)) and is_personal(record):
        return True
    return bool(record.id and record.id in encrypted)


def _is_quote(memory: Memory) -> bool:
    """True for a memory in the words in which it was said, or a summary, which may have such."""
    if memory.type in SUMMARIES:
        return True
    source = memory.provenance
    quote = source.quote if source is not None and source.document is None else None
    return bool(memory.metadata.get(VERBATIM)) or (
        quote is not None and fold(memory.content) in fold(quote)
    )


def _without_file_name(memory: Memory) -> Memory:
    """A memory, without the title before it (a summary of a document) if that is a file name."""
    title, path = (str(memory.metadata.get(name) or "") for name in ("title", "path"))
    if not title or title not in _names(path):
        return memory
    return structs.replace(memory, content=memory.content.removeprefix(f"{title}: "))


def _names(path: str) -> tuple[str, ...]:
    """Names of a document that are part of its path."""
    return path, PurePath(path).name, PurePath(path).stem


def _text(record: Any) -> str:
    """The text of a redacted record."""
    return (record.title or "") if isinstance(record, Document) else own_text(record)


def _type(record: Any) -> str | None:
    return record.type if isinstance(record, Memory) else None


def _harmless(value: str | None) -> str | None:
    """A value that says nothing about anybody, or the mask."""
    shown = not value or value in _WORDS or _HARMLESS.fullmatch(value)
    return value if shown else MASKED


def _empty(field: Any) -> Any:
    """The default of a field."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else []
