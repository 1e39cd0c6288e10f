"""Documents from the network: one page, or those of a source.

Each is fetched within the rules of ``web``, read in the sandbox, and passed to
``memory.documents.ingest`` like a file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from thalamus.cancel import CancelToken
from thalamus.clock import days_later
from thalamus.errors import DocumentError, WebError
from thalamus.memory.documents.ingest import IngestSource, ingest
from thalamus.memory.sources.registry import documents_of
from thalamus.policy.web_addresses import Allowed, normalized, readable
from thalamus.records import DiscoverySource, Document, Event, Issue
from thalamus.web.fetch import Fetched, Fetcher, FetchLimits
from thalamus.web.resolve import Reachable

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.context import Context
    from thalamus.readers.protocol import Format, ReadDocument

_FORMATS: dict[str, Format] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/plain": "text",
}
BUSY_SECONDS = 3600.0  # to leave a busy server alone that names no time
LONGEST_SECONDS = 7 * 86_400.0
_UNNAMED = ("", "application/octet-stream", "binary/octet-stream")


def make_fetcher(
    config: Config, sleep: Callable[[float], None], progress: Callable[[str], None] = lambda _: None
) -> Fetcher:
    """A fetcher with the rules and limits of the settings."""
    return Fetcher(
        Reachable(Allowed(config.crawl_allow)),
        FetchLimits(size=config.crawl_megabytes << 20),
        proxy=config.crawl_proxy,
        sleep=sleep,
        progress=progress,
    )


def ingest_address(url: str, context: Context, fetcher: Fetcher, summarise: bool) -> Document:
    """Reads and stores the page or document at an address. For an unreadable one, the result has
    the reason."""
    try:
        address = normalized(url)
        reply = fetcher.fetch(address)
        return ingest(_source_of(reply, address, context), context, summarise)
    except DocumentError as error:
        return failed(url, error)


def failed(url: str, error: DocumentError) -> Document:
    """The result for an address that could not be read."""
    return Document(path=url, status="failed", kind=error.kind, reason=error.reason)


def _parsed(reply: Fetched, url: str, context: Context) -> ReadDocument:
    """A reply, read in the sandbox. Raises ``DocumentError``."""
    from thalamus.readers.sandbox import read_page_with_limit

    format = _format(reply, url)
    return read_page_with_limit(
        reply.data, reply.url or url, format, reply.charset, context.config.ingest_timeout
    )


def _format(reply: Fetched, url: str) -> Format:
    """Format of a reply by its media type, or by its first bytes where that says nothing. Raises
    ``DocumentError`` for anything that is not read."""
    if reply.type in _FORMATS:
        markdown = reply.type == "text/plain" and urlsplit(url).path.endswith(".md")
        return "markdown" if markdown else _FORMATS[reply.type]
    if reply.type in _UNNAMED:
        head = reply.data[:1024].lstrip().lower()
        if head.startswith(b"%pdf-"):
            return "pdf"
        if head.startswith((b"<!doctype html", b"<html")):
            return "html"
    from thalamus.readers.feed import is_feed

    if is_feed(reply.data):
        raise DocumentError(url, f"it is a feed: `thalamus sources add {url}`", kind="unsupported")
    reason = f"it is {reply.type or 'of no known type'}, neither a page nor a document"
    raise DocumentError(url, reason, kind="unsupported")


def _made(read: ReadDocument, reply: Fetched, url: str, context: Context) -> IngestSource:
    """The source of a document that was read. A page is known by its text: its other bytes may
    change with every request. Raises ``DocumentError`` for one without text."""
    read.check_text(url)
    pages = [(page.number, page.text) for page in read.pages]
    data = "\f".join(text for _, text in pages).encode() if read.format == "html" else reply.data
    return IngestSource(
        path=url,
        sha256=hashlib.sha256(data).hexdigest(),
        title=read.title,
        format=read.format,
        pages=pages,
        created_at=read.created_at or context.clock.stamp(),
        metadata=read.metadata,
        published=read.created_at,
        etag=reply.etag,
        last_modified=reply.last_modified,
    )


def _source_of(reply: Fetched, url: str, context: Context) -> IngestSource:
    return _made(_parsed(reply, url, context), reply, url, context)


# -- sources ---------------------------------------------------------------------------------------


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
    context: Context,
    fetcher: Fetcher,
    summarise: bool = True,
    cancel: CancelToken | None = None,
) -> Iterator[Document]:
    """Reads the new documents of a source, one by one, and records what became of it. Failures are
    in the results. Raises ``Cancelled``, ``StoreBusy``, ``StoreFull``."""
    known = {one.path: one for one in documents_of(context.store, source.stored_id)}
    run = Crawl(source, known, context, fetcher, summarise, cancel)
    changes: dict[str, Any] = {"error": None, "not_before": None, "status": "active"}
    try:
        yield from run.documents()
        changes |= run.found
    except DocumentError as error:
        changes |= _after_failure(error, context.clock.stamp())
        yield failed(source.uri, error)
    with context.store.writing() as writer:
        current = writer.by_id(DiscoverySource, source.stored_id)
        if current is None:  # removed in the meantime
            return
        if current.status not in ("active", "failed"):  # disabled by a text that was just read
            del changes["status"]
        now = writer.now
        writer.records(DiscoverySource).update(source.stored_id, last_crawled=now, **changes)
        data = {"source": source.id, "status": changes.get("status", current.status)}
        writer.add_event(Event(name="source_crawled", at=now, data=data))


def _after_failure(error: DocumentError, now: str) -> dict[str, Any]:
    """Changes of a source that could not be read: one whose server is busy is only put off."""
    if error.kind != "busy":
        return {"error": error.reason, "status": "failed"}
    wait = getattr(error, "wait", None) or BUSY_SECONDS
    until = days_later(now, min(wait, LONGEST_SECONDS) / 86_400)
    return {"error": error.reason, "not_before": until}


@dataclass
class Crawl:
    """A crawl of a source: reads its documents, one by one, as they are requested.

    ``known``: addresses of documents that it read before, with their marks; ``found``: changes of
    the source's record that the crawl makes.
    """

    source: DiscoverySource
    known: dict[str, Document]
    context: Context
    fetcher: Fetcher
    summarise: bool
    cancel: CancelToken | None = None
    found: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._end = self.fetcher.clock() + self.context.config.crawl_timeout

    def documents(self) -> Iterator[Document]:
        """The documents read, new and failed ones; an unchanged source has none. Raises
        ``DocumentError`` if the source itself cannot be read."""
        if self.source.type == "git":
            from thalamus.web.git import git_is_installed

            if git_is_installed():
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
        left = self.context.config.crawl_pages
        for entry in feed.entries:
            url = self._address(entry.link)
            if url is None or url in self.known:
                continue
            if left <= 0:
                return
            left -= 1
            self._check()
            yield self._entry(url, entry.content, entry.title, entry.published)

    def _entry(self, url: str, content: str, title: str, published: str | None) -> Document:
        """The page of an entry; its content in the feed, if the page cannot be read."""
        try:
            reply = self.fetcher.fetch(url)
            read = _source_of(reply, url, self.context)
        except DocumentError as error:
            if not content:
                return failed(url, error)
            page = f"<html><body><article>{content}</article></body></html>".encode()
            reply = Fetched(url, 200, page, "text/html", "utf-8")
            try:
                read = _source_of(reply, url, self.context)
            except DocumentError:
                return failed(url, error)
            read = replace(read, title=title or url)
        date = read.published or published
        return self._ingest(replace(read, published=date, created_at=date or read.created_at))

    def _page_and_links(self, reply: Fetched) -> Iterator[Document]:
        """A page, and if its address ends in a slash the pages below it that it links to."""
        url = self.source.uri
        page = _parsed(reply, url, self.context)
        self.found["title"] = page.title or self.source.title
        if page.characters or not self._is_section:  # a list of links is no document
            document = self._ingest(_made(page, reply, url, self.context))
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
        """Pages that are new or have changed: new ones first."""
        urls.sort(key=lambda url: url in self.known)
        for url in urls[: max(0, self.context.config.crawl_pages - (not again))]:
            self._check()
            before = self.known.get(url)
            marks = (before.etag, before.last_modified) if before else (None, None)
            try:
                reply = self.fetcher.fetch(url, etag=marks[0], last_modified=marks[1])
                if not reply.unchanged:
                    yield self._ingest(_source_of(reply, url, self.context))
            except DocumentError as error:
                if error.kind == "busy":
                    raise
                yield failed(url, error)

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
        most = self.context.config.crawl_pages
        for file in git.documents(state, self.fetcher, most, self._check):
            url = f"{source.uri}#{file.path}"
            try:
                yield self._ingest(self._file(file.path, file.data, url))
            except DocumentError as error:
                yield failed(url, error)
        self.found["etag"] = state.commit

    def _file(self, path: str, data: bytes, url: str) -> IngestSource:
        from thalamus.readers.detect import MARKDOWN

        is_markdown = PurePosixPath(path).suffix.lower() in MARKDOWN
        media = "text/markdown" if is_markdown else "text/plain"
        return _source_of(Fetched(url, 200, data, media), url, self.context)

    # -- both --------------------------------------------------------------------------------------

    @property
    def _seconds(self) -> float:
        return self.context.config.ingest_timeout

    def _ingest(self, read: IngestSource) -> Document:
        of = replace(read, source=self.source.id)
        return ingest(of, self.context, self.summarise)

    def _address(self, link: str) -> str | None:
        """A normalized link; None for one that is not followed."""
        return readable(link, self.fetcher.reachable.allowed)

    def _check(self) -> None:
        """Raises ``Cancelled``, and ``WebError`` when the time for the source is over."""
        if self.cancel is not None:
            self.cancel.raise_if_cancelled()
        if self.fetcher.clock() > self._end:
            seconds = f"{self.context.config.crawl_timeout:g} seconds"
            reason = f"reading it took longer than {seconds}; the rest follows with the next crawl"
            raise WebError(self.source.uri, reason, kind="too_slow")
