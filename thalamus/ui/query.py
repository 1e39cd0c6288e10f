"""Queries typed in the search field of the memory browser: words, and filters such as
``type:preference``."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from thalamus.clock import read_date
from thalamus.errors import UsageError
from thalamus.records import Scope
from thalamus.terminal.local import zone

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.store.values import Filter

Kind = Literal["memory", "fact", "insight", "turn", "document", "profile"]
KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES = ("active", "quarantined", "superseded", "retired", "all")
# name -> its meaning in the form of the filters
FILTERS = {
    "kind": "fact, insight, turn, document or profile",
    "type": "a type: preference, event, user_identity …",
    "scope": "core, episodic or archival",
    "topic": "a topic",
    "status": "quarantined, superseded, retired or all",
    "trust": "at least this much, 0 to 1",
    "since": "said since 2026-05-08, 2026-05 or 2026",
    "until": "said before",
    "subject": "subject of facts",
    "project": "linked with this project",
    "about": "about this concept",
}


_OF_MEMORIES = ("type", "scope", "topic", "status")  # filters by what only memories have


class Query(Struct, frozen=True):
    """``words`` to search for, and the filters by their names."""

    words: str = ""
    filters: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Kind of the entries."""
        return self.filters.get("kind", "fact" if "subject" in self.filters else "memory")

    @property
    def with_facts(self) -> bool:
        """True if words are searched for in memories and facts alike: no filter tells them
        apart."""
        return self.kind == "memory" and {"kind", *_OF_MEMORIES}.isdisjoint(self.filters)

    @property
    def trust(self) -> float:
        """The least trust."""
        return float(self.filters.get("trust", 0))

    def text(self) -> str:
        """The query as it is typed."""
        parts = [f"{name}:{shlex.quote(value)}" for name, value in self.filters.items() if value]
        return " ".join([*parts, self.words]).strip()

    def narrowed(self, **filters: str) -> Query:
        """The query with other values for the named filters."""
        return replace(self, filters=self.filters | filters)

    def where(self, thalamus: Thalamus) -> Filter:
        """The filters as the store takes them."""
        from thalamus.store.values import Filter

        given = self.filters
        status = given.get("status")
        kinds = {"memory": ("memory",), "document": ("document",)}
        return Filter(
            user=thalamus.config.user or None,
            agent=thalamus.config.agent or None,
            now=None if status in ("retired", "all") else thalamus.clock.stamp(),
            kinds=() if "type" in given else kinds.get(self.kind, ()),  # type: ignore[arg-type]
            types=(given["type"],) if "type" in given else (),
            topic=given.get("topic"),
            scope=given.get("scope"),
            since=read_date(given.get("since"), "since:", zone()),
            until=read_date(given.get("until"), "until:", zone()),
            status=status,
        )


def parse(text: str) -> Query:
    """A typed query. Raises ``UsageError`` for an invalid filter; a word before a colon that names
    no filter is a word."""
    try:
        parts = shlex.split(text)
    except ValueError:  # an open quotation mark
        parts = text.split()
    words, filters = [], {}
    for part in parts:
        name, colon, value = part.partition(":")
        if colon and name in FILTERS:
            if value:
                filters[name] = value
        else:
            words.append(part)
    query = Query(" ".join(words), filters)
    _check(query)
    return query


def _check(query: Query) -> None:
    for name, choices in (("kind", KINDS), ("scope", get_args(Scope)), ("status", STATUSES)):
        value = query.filters.get(name)
        if value is not None and value not in choices:
            raise UsageError(f"invalid {name}:{value} (choose {', '.join(choices)})")
    for name in ("since", "until"):
        read_date(query.filters.get(name), f"{name}:", zone())
    try:
        trust = query.trust
    except ValueError:
        trust = -1
    if not 0 <= trust <= 1:
        raise UsageError(f"invalid trust:{query.filters['trust']} (a number from 0 to 1)")
