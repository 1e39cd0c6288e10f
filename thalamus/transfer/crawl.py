"""Crawls: reading what is new in a source on the network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import PurePosixPath
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from msgspec import Struct, field
from msgspec.structs import replace

from thalamus.cancel import CancelToken
from thalamus.clock import days_later
from thalamus.errors import DocumentError, WebError
from thalamus.memory.documents.ingest import IngestSource, credible, ingest
from thalamus.memory.sources.registry import documents_of
from thalamus.policy.web_addresses import readable
from thalamus.records import DiscoverySource, Document, Event, Issue
from thalamus.transfer.web import as_source, failed, parse, read_reply
from thalamus.web.fetch import Fetched, Fetcher

if TYPE_CHECKING:
    from thalamus.readers.feed import FeedEntry
    from thalamus.turn_run import TurnRun
    from thalamus.web.git import GitFile

BUSY_SECONDS = 3600.0  # to leave a busy server alone that names no time
LONGEST_SECONDS = 7 * 86_400.0
# failures that another request would meet again
_LASTING = ("missing", "refused", "unsupported", "no_text", "too_large", "encrypted", "broken")


def due(sources: Iterable[DiscoverySource], days: float, now: str) -> list[DiscoverySource]:
    """Sources that are to be read again: active ones, and those that failed, the longest unread
    first."""
    waiting = [
        source
        for source in sources
        if source.status in ("active", "failed")
        and (source.not_before or "") <= now
        and (source.last_crawled is None or days_later(source.last_crawled, days) <= now)
    ]
    return sorted(waiting, key=lambda source: source.last_crawled or "")


def crawl(
    source: DiscoverySource,
    run: TurnRun,
    fetcher: Fetcher,
    summarise: bool = True,
    cancel: CancelToken | None = None,
) -> Iterator[Document]:
    """Reads the new documents of a source, one by one, and records the result. Failures are in the
    results. Raises ``Cancelled``, ``StoreBusy``, ``StoreFull``."""
    found = documents_of(run.engine.store, source.stored_id)
    found.sort(key=lambda document: document.recorded_at or "")  # of a page the last version counts
    known = {one.path: one for one in found}
    crawling = Crawl(source, known, run, fetcher, summarise, cancel)
    changes: dict[str, Any] = {"error": None, "not_before": None, "status": "active"}
    try:
        yield from crawling.documents()
        changes |= crawling.found
        if not crawling.complete:  # the rest is read next time, even if the source does not change
            changes |= {"etag": None, "last_modified": None}
    except DocumentError as error:
        changes |= _after_failure(error, run.engine.clock.stamp(), crawling.count)
        yield failed(source.uri, error)
    with run.engine.store.writing() as writer:
        current = writer.by_id(DiscoverySource, source.stored_id)
        if current is None:  # removed in the meantime
            return
        if current.status not in ("active", "failed"):  # disabled by a text that was just read
            del changes["status"]
        now = writer.now
        writer.change(DiscoverySource, source.stored_id, last_crawled=now, **changes)
        data = {"source": source.id, "status": changes.get("status", current.status)}
        writer.add_event(Event(name="source_crawled", at=now, data=data))


def _after_failure(error: DocumentError, now: str, count: int) -> dict[str, Any]:
    """Changes of a source that could not be read, or only ``count`` documents of it: one whose
    server is busy is only put off."""
    if error.kind != "busy":
        return {"error": error.reason, "status": "active" if count else "failed"}
    wait = getattr(error, "wait", None) or BUSY_SECONDS
    until = days_later(now, min(wait, LONGEST_SECONDS) / 86_400)
    return {"error": error.reason, "not_before": until}


class Crawl(Struct, dict=True):
    """A crawl of a source: reads its documents, one by one, as they are requested.

    ``known``: addresses of documents that it read before, with their marks; ``found``: changes of
    the source's record that the crawl makes; ``count``: documents read; ``complete``: nothing was
    left for the next crawl.
    """

    source: DiscoverySource
    known: dict[str, Document]
    run: TurnRun
    fetcher: Fetcher
    summarise: bool
    cancel: CancelToken | None = None
    found: dict[str, Any] = field(default_factory=dict)
    count: int = 0
    complete: bool = True

    def __post_init__(self) -> None:
        self._end = self.fetcher.clock() + self.run.engine.config.crawl_timeout

    def documents(self) -> Iterator[Document]:
        """The documents read, new and failed ones; an unchanged source has none. Raises
        ``DocumentError`` if the source itself cannot be read."""
        if self.source.type == "git":
            from thalamus.web.git import git_is_usable

            if git_is_usable():
                yield from self._repository()
                return
        yield from self._site()

    # -- pages and feeds ---------------------------------------------------------------------------

    def _site(self) -> Iterator[Document]:
        source = self.source
        marks = {"etag": source.etag, "last_modified": source.last_modified}
        reply = self.fetcher.fetch(source.uri, **marks)
        if reply.unchanged:
            yield from self._pages(list(self._below(self.known)), again=True)
            return
        self.found |= {"etag": reply.etag, "last_modified": reply.last_modified}
        from thalamus.readers.feed import is_feed

        if is_feed(reply.data):
            self.found["type"] = "rss"
            yield from self._feed(reply)
        else:
            self.found["type"] = "git" if source.type == "git" else "web"
            yield from self._page_and_links(reply)

    def _feed(self, reply: Fetched) -> Iterator[Document]:
        """New entries of a feed, newest first."""
        from thalamus.readers.sandbox import read_feed_with_limit

        feed = read_feed_with_limit(reply.data, reply.url, self._seconds)
        self.found["title"] = feed.title or self.source.title
        left = self.run.engine.config.crawl_pages
        for entry in feed.entries:
            url = self._address(entry.link) if entry.link else None
            place = url or f"{self.source.uri}#{quote(entry.id, safe='')}"
            if place in self.known or not (url or entry.content or entry.title):
                continue
            if left <= 0:
                self.complete = False
                return
            left -= 1
            self._check()
            yield self._entry(entry, url, place)

    def _entry(self, entry: FeedEntry, url: str | None, place: str) -> Document:
        """The page of an entry; its content in the feed, if it has no page or that cannot be
        read."""
        read = failure = None
        try:
            if url is not None:
                read = read_reply(self.fetcher.fetch(url), url, self.run.engine)
        except DocumentError as error:
            if error.kind == "busy":
                raise
            if not entry.content:
                return self._failed(place, error)
            failure = error
        if read is None:
            content = entry.content or f"<p>{escape(entry.title)}</p>"
            page = f"<html><body><article><div>{content}</div></article></body></html>".encode()
            try:
                reply = Fetched(place, 200, page, "text/html", "utf-8")
                read = read_reply(reply, place, self.run.engine)
            except DocumentError as error:
                return self._failed(place, failure or error)
            read = replace(read, title=entry.title or place)
        date = read.published or credible(entry.published, self.run.engine.clock.stamp())
        return self._ingest(replace(read, published=date, created_at=date or read.created_at))

    def _page_and_links(self, reply: Fetched) -> Iterator[Document]:
        """A page, and if its address ends in a slash the pages below it that it links to."""
        url = self.source.uri
        page = parse(reply, url, self.run.engine)
        self.found["title"] = page.title or self.source.title
        if page.characters or not self._is_section:  # a list of links is not a document
            document = self._ingest(as_source(page, reply, url, self.run.engine))
            document.issues += self._announced(
                [str(link) for link in page.metadata.get("feeds", ())]
            )
            yield document
        links = [str(link) for link in page.metadata.get("links", ())]
        below = self._below([*links, *self.known])
        yield from self._pages(list(dict.fromkeys(below)), again=False)

    def _announced(self, feeds: Sequence[str]) -> list[Issue]:
        """A note on the feed that a page announces, when it is read for the first time."""
        if not feeds or self.source.last_crawled is not None:
            return []
        message = f"the page announces a feed: {feeds[0]}"
        fix = f"`thalamus sources add {feeds[0]}` reads what is new there."
        return [Issue(stage="crawl", code="feed", message=message, fix=fix)]

    @property
    def _is_section(self) -> bool:
        """True for a source that is more than one page."""
        return urlsplit(self.source.uri).path.endswith("/")

    def _below(self, links: Any) -> Iterator[str]:
        """Addresses of pages below a source that is a section of a site."""
        prefix = self.source.uri.partition("?")[0]
        for link in links if self._is_section else ():
            url = self._address(link)
            if url is not None and url.startswith(prefix) and url != self.source.uri:
                yield url

    def _pages(self, urls: list[str], again: bool) -> Iterator[Document]:
        """Pages that are new or have changed: new ones first, then known ones; of too many, others
        in each crawl."""
        new = [url for url in urls if url not in self.known]
        known = [url for url in urls if url in self.known]
        most = max(0, self.run.engine.config.crawl_pages - (not again))
        self.complete = len(urls) <= most
        if not self.complete:
            Random(self.source.last_crawled).shuffle(known)
        for url in [*new, *known][:most]:
            self._check()
            before = self.known.get(url)
            marks = (before.etag, before.last_modified) if before else (None, None)
            try:
                reply = self.fetcher.fetch(url, etag=marks[0], last_modified=marks[1])
                if not reply.unchanged:
                    yield self._ingest(read_reply(reply, url, self.run.engine))
            except DocumentError as error:
                if error.kind == "busy":
                    raise
                if error.kind != "refused":  # a link is not a request to read it
                    yield self._failed(url, error)

    def _failed(self, url: str, error: DocumentError) -> Document:
        """The result for a page that could not be read, which may be tried again."""
        self.complete = self.complete and error.kind in _LASTING
        return failed(url, error)

    # -- repositories ------------------------------------------------------------------------------

    def _repository(self) -> Iterator[Document]:
        """README and documentation of a repository whose last commit is a new one."""
        from thalamus.web import git

        source = self.source
        try:
            state = git.look(source.uri, self.fetcher)
        except WebError as error:
            if error.kind not in ("unsupported", "missing"):
                raise
            yield from self._site()
            return
        if state.commit == source.etag:
            return
        if not state.url.startswith("https://"):  # git would not clone it
            yield from self._site()
            return
        place = f"{source.uri}#"
        known = {url.removeprefix(place): one.etag for url, one in self.known.items()}
        most = self.run.engine.config.crawl_pages
        files, self.complete = git.documents(state, self.fetcher, known, most, self._check)
        for file in files:
            url = f"{place}{file.path}"
            try:
                yield self._ingest(self._file(file, url))
            except DocumentError as error:
                yield failed(url, error)
        self.found["etag"] = state.commit

    def _file(self, file: GitFile, url: str) -> IngestSource:
        from thalamus.readers.detect import MARKDOWN

        is_markdown = PurePosixPath(file.path).suffix.lower() in MARKDOWN
        media = "text/markdown" if is_markdown else "text/plain"
        reply = Fetched(url, 200, file.data, media, etag=file.blob)
        return read_reply(reply, url, self.run.engine)

    # -- both --------------------------------------------------------------------------------------

    @property
    def _seconds(self) -> float:
        return self.run.engine.config.ingest_timeout

    def _ingest(self, read: IngestSource) -> Document:
        self.count += 1
        return ingest(replace(read, source=self.source.id), self.run, self.summarise)

    def _address(self, link: str) -> str | None:
        """A normalized link; None for one that is not followed."""
        return readable(link, self.fetcher.reachable.allowed)

    def _check(self) -> None:
        """Raises ``Cancelled``, and ``WebError`` when the time for the source is over."""
        if self.cancel is not None:
            self.cancel.raise_if_cancelled()
        if self.fetcher.clock() > self._end:
            seconds = f"{self.run.engine.config.crawl_timeout:g} seconds"
            reason = f"reading it took longer than {seconds}; the rest follows with the next crawl"
            raise WebError(self.source.uri, reason, kind="too_slow")
