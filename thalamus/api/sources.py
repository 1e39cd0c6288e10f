"""Sources on the network: feeds, pages and repositories from which documents are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.api.runtime import View
from thalamus.errors import UsageError

if TYPE_CHECKING:
    from thalamus.cancel import CancelToken
    from thalamus.memory.forget.erase import ForgetOptions
    from thalamus.records import DiscoverySource, Document, SourceStatus


class SourcesView(View):
    """Sources of documents on the network."""

    def find(self, status: SourceStatus | None = None) -> list[DiscoverySource]:
        """The user's sources, oldest first; of one ``status`` or all. Raises ``NoStore``."""
        from thalamus.memory.sources.registry import sources

        return sources(self._database, self._user, status)

    def get(self, source: str) -> DiscoverySource:
        """The source with this address, or this id or id prefix. Raises ``NoStore``,
        ``NothingFound``, ``UsageError`` when it is ambiguous."""
        from thalamus.memory.sources.registry import find_source

        return find_source(self._database, source, self._user)

    def documents(self, source: DiscoverySource) -> list[Document]:
        """The documents that were read from a source, oldest first. Raises ``NoStore``."""
        from thalamus.memory.sources.registry import documents_of

        found = documents_of(self._database, source.stored_id)
        return sorted(found, key=lambda document: (document.recorded_at or "", document.path))

    def add(self, url: str) -> DiscoverySource:
        """Adds a source, which is active at once and is read by ``crawl``. Raises ``Refused`` for
        an address that may not be read, ``UsageError`` for text that is not an address."""
        from thalamus.memory.sources.registry import add

        return add(url, self._engine)

    def approve(self, source: str) -> DiscoverySource:
        """Activates a candidate, or a source that was disabled. Raises as ``get``."""
        from thalamus.memory.sources.registry import set_status

        return set_status(self.get(source), "active", self._engine)

    def disable(self, source: str) -> DiscoverySource:
        """Disables a source: it is no longer read, but its documents stay. Raises as ``get``."""
        from thalamus.memory.sources.registry import set_status

        return set_status(self.get(source), "disabled", self._engine)

    def crawl(
        self,
        sources: Sequence[str] = (),
        *,
        due: bool = False,
        summary: bool = True,
        cancel: CancelToken | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> Iterator[Document | DiscoverySource]:
        """Reads the new documents of these sources, or of all that are active; yields each
        document, including failed ones, and after those of a source its record. With ``due``, for
        unattended runs, only sources that have not been read for ``crawl_days``; that requires the
        setting ``network``. ``progress`` is called with each address. Raises as ``get``, and
        ``StoreBusy`` when another process crawls."""
        from thalamus.transfer import crawl as crawls
        from thalamus.transfer.web import make_fetcher

        if due and not self._config.network:
            raise UsageError(
                "Reading sources unattended is not allowed (`network` is false).",
                fix="`thalamus config set network true` allows it; `thalamus sources crawl`"
                " reads them now.",
            )
        store, run = self._database, self._new_run()
        fetcher = make_fetcher(self._config, self._engine.sleep, progress)
        self._readable(sources)
        with store.exclusive("crawl"):
            chosen = self._readable(sources)  # again: another process may just have read them
            if due:
                chosen = crawls.due(chosen, self._config.crawl_days, self._clock.stamp())
            for source in chosen:
                if not sources and (source.not_before or "") > self._clock.stamp():
                    yield source  # its server asked to wait
                    continue
                yield from crawls.crawl(source, run, fetcher, summary, cancel)
                found = store.by_id(type(source), source.stored_id)
                yield found if found is not None else structs.replace(source, status="disabled")

    def _readable(self, names: Sequence[str]) -> list[DiscoverySource]:
        """The sources with these names, or all that are active or failed. Raises as ``get``, and
        ``UsageError`` for one that must not be read."""
        if not names:
            return [one for one in self.find() if one.status in ("active", "failed")]
        chosen = [self.get(name) for name in names]
        for source in chosen:
            if source.status not in ("active", "failed"):
                fix = f"`thalamus sources approve {source.id}` activates it."
                raise UsageError(f"{source.uri} is {_state(source)}, and is not read.", fix=fix)
        return chosen

    def removal(self, source: str) -> ForgetOptions:
        """Options for ``Thalamus.forget`` to delete a source with everything that came from it.
        Raises as ``get``."""
        from thalamus.memory.forget.erase import ForgetOptions

        return ForgetOptions(ids=(self.get(source).stored_id,))


def _state(source: DiscoverySource) -> str:
    return "a candidate" if source.status == "candidate" else source.status
