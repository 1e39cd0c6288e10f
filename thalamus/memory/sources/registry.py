"""Sources in the store: adding, finding, approving and disabling them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from msgspec import structs

from thalamus.errors import NothingFound, UsageError
from thalamus.memory.undo.batches import keep, new_batch
from thalamus.policy.sensitivity import personal
from thalamus.policy.sources import ADDRESS_ADVICE, is_address
from thalamus.records import DiscoverySource, Document, Event, SourceStatus, SourceType
from thalamus.store import links, records
from thalamus.store.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

ACTION = "source"  # of batches that change a source
PART = "part_of"  # relation of a document to its source
_BETWEEN_PARTS = re.compile(r"[/?&=#;]")  # of an address
_FEED_NAMES = (
    *(".rss", ".atom", ".rdf", "/feed", "/rss", "/atom"),
    *("feed.xml", "rss.xml", "atom.xml", "feed.json"),
)
# fields that a batch keeps
STATE = ("status", "score", "uses")


def sources(
    reader: Reader, user: str | None, status: SourceStatus | None = None
) -> list[DiscoverySource]:
    """Sources of a user and shared ones, oldest first; of one ``status`` or of all. Unreadable ones
    are left out."""
    if status is None:
        found = list(reader.each(DiscoverySource))
    else:
        found = records.with_status(reader, DiscoverySource, status)
    return [one for one in found if one.user in (None, user) and not is_hidden(one)]


def find_source(reader: Reader, typed: str, user: str | None) -> DiscoverySource:
    """The source with this address, or this id or id prefix. Raises ``NothingFound``, and
    ``UsageError`` for a prefix of several."""
    from thalamus.policy.web_addresses import normalized

    known = sources(reader, user)
    address = normalized(typed) if is_address(typed) else None
    found = [one for one in known if typed == one.id or one.uri == address]
    found = found or [one for one in known if typed and one.stored_id.startswith(typed)]
    if not found:
        raise NothingFound(f"the source {typed!r}", fix="`thalamus sources` lists them.")
    if len(found) > 1:
        ids = ", ".join(one.stored_id for one in found)
        raise UsageError(f"Ambiguous id {typed!r}: {ids}.", fix="Give a longer prefix.")
    return found[0]


def with_address(reader: Reader, url: str, user: str | None) -> DiscoverySource | None:
    """The user's source with this normalized address."""
    return next((one for one in sources(reader, user) if one.uri == url), None)


def source_type(url: str) -> SourceType:
    """Type of a source by the form of its address; the first crawl may find another."""
    from thalamus.policy.web_addresses import is_git_address

    if is_git_address(url):
        return "git"
    path = url.partition("?")[0].rstrip("/").lower()
    return "rss" if path.endswith(_FEED_NAMES) else "web"


def documents_of(reader: Reader, source: str) -> list[Document]:
    """Documents that were read from a source, without those of other owners."""
    found = reader.by_ids(Document, links.sources(reader, source, PART))
    return list(filter(reader.owner.reaches, found))


# -- changing --------------------------------------------------------------------------------------


def new_source(url: str, engine: Engine, now: str, **fields: Any) -> DiscoverySource:
    """A source with an id, times and owner, which is not stored yet."""
    user = fields.pop("user", engine.config.user) or None
    private = fields.pop("personal", False) or _is_personal(url)
    return DiscoverySource(
        uri=url,
        id=engine.clock.new_id("src", user, url, now),
        type=source_type(url),
        created_at=now,
        recorded_at=now,
        user=user,
        agent=fields.pop("agent", engine.config.agent) or None,
        sensitivity="personal" if private else "normal",
        **fields,
    )


def _is_personal(url: str) -> bool:
    """True if a rule finds something personal in an address or in a part of it."""
    return any(map(personal, (url, *_BETWEEN_PARTS.split(unquote(url)))))


def add(url: str, engine: Engine) -> DiscoverySource:
    """Adds a source by hand, which is active at once; an existing one becomes active. Raises
    ``Refused`` for an address that may not be read, and ``UsageError`` for text that is not an
    address."""
    from thalamus.policy.web_addresses import Allowed, normalized

    if not is_address(url):
        raise UsageError(f"{url!r} is not an address.", fix=ADDRESS_ADVICE)
    address = normalized(url)
    Allowed(engine.config.crawl_allow).check_literal(address)
    store = engine.create_store()
    known = with_address(store, address, engine.config.user or None)
    if known is not None:
        return set_status(known, "active", engine)
    source = new_source(address, engine, engine.clock.stamp(), status="active")
    with store.writing() as writer:
        store_new(source, "source_added", writer)
    return source


def store_new(source: DiscoverySource, event: str, writer: Writer) -> None:
    """Stores a source that is not there yet, with a ledger entry."""
    writer.add(source)
    log(writer, event, source)


def set_status(source: DiscoverySource, status: SourceStatus, engine: Engine) -> DiscoverySource:
    """Approves or disables a source by hand; ``undo`` takes that back."""
    if source.status == status:
        return source
    with engine.store.writing() as writer:
        fields = {"status": status, "score": _start(source, status), "error": None}
        change(writer, source, fields, engine)
    return structs.replace(source, **fields)


def _start(source: DiscoverySource, status: SourceStatus) -> float:
    """The score after a change by hand: one that was too low begins again."""
    return max(source.score, 0.5) if status == "active" else source.score


def change(writer: Writer, source: DiscoverySource, fields: dict[str, Any], engine: Engine) -> str:
    """Changes a source in a batch of its own, whose id is returned."""
    batch = new_batch(ACTION, writer, engine.clock, source.id)
    keep(writer, source.stored_id, {name: getattr(source, name) for name in STATE}, batch)
    writer.change(DiscoverySource, source.stored_id, **fields)
    log(writer, "source_changed", structs.replace(source, **fields), batch)
    return batch


def log(writer: Writer, name: str, source: DiscoverySource, batch: str | None = None) -> None:
    """Adds a ledger entry about a source, without its words."""
    data: dict[str, Any] = {"source": source.id, "status": source.status, "score": source.score}
    if batch is not None:
        data["batch"] = batch
    writer.add_event(Event(name=name, at=writer.now, data=data))
