"""Sources on the network from which documents are read."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from thalamus.records.base import Record, Sensitivity, Text, Unit
from thalamus.records.memories import Provenance

SourceType = Literal["rss", "git", "web"]
SourceStatus = Literal["candidate", "active", "disabled", "failed"]


class DiscoverySource(Record, tag="discovery_source"):
    """A source of documents on the network: a feed, a git repository, or pages of a web site.

    ``status``: a candidate is never read before it is approved; active; disabled, by hand or
    because its ``score`` fell; failed, if the last crawl could not read it (``error``). ``score``:
    rises each time that evidence from it stood in an answer, falls with corrections and suspicious
    texts; ``uses``: how often it was judged like this. ``mentions``: messages that shared its
    address or named it. ``looked_for``: questions without evidence that it may answer.
    ``last_crawled``: when it was last read; ``not_before``: when its server allows the next
    request; ``etag`` and ``last_modified`` make that conditional. ``provenance``: the turn in which
    it was first shared or named; null if added by hand.
    """

    uri: Text
    id: str | None = None
    type: SourceType = "web"
    added_by: Literal["user", "auto"] = "user"
    status: SourceStatus = "candidate"
    title: str | None = None
    score: Unit = 0.5
    uses: Annotated[int, Meta(ge=0)] = 0
    mentions: Annotated[int, Meta(ge=0)] = 0
    looked_for: list[Text] = []
    last_crawled: str | None = None
    not_before: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    error: str | None = None
    created_at: str | None = None
    recorded_at: str | None = None
    user: str | None = None
    agent: str | None = None
    sensitivity: Sensitivity = "normal"
    provenance: Provenance | None = None
