"""Forgetting: selects what a request covers, deletes it, and reports the result."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from thalamus.clock import time_zone
from thalamus.errors import BadKey, NothingFound, UsageError
from thalamus.memory.documents.ingest import documents
from thalamus.memory.facts import entities
from thalamus.memory.facts.entities import names_of
from thalamus.memory.facts.history import remove_ends
from thalamus.memory.facts.intervals import groups_of
from thalamus.memory.facts.propagation import propagate
from thalamus.memory.forget.fingerprints import FingerprintMaker, ledger_fields
from thalamus.memory.forget.rows import forget_rows
from thalamus.memory.forget.scan import scan_events, scan_items, scan_logs
from thalamus.memory.resolve_id import resolve_to_delete
from thalamus.names import composed_path
from thalamus.policy.entities import USER
from thalamus.policy.erasure import ErasurePlan, ErasureRequest, ErasureWalk, Phrases, Shortened
from thalamus.records import Event, ExportedFile, Link, Verdict
from thalamus.store.encryption import contents
from thalamus.store.erasure import (
    KEYS_TO_DROP,
    Clean,
    ErasedContent,
    Holds,
    Residue,
    ResidueReport,
)
from thalamus.text.analyzer import fold, words

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.store.base import Store

SELECTORS = ("ids", "subject", "query", "session", "source", "about")
ORDER = ("turn", "memory", "fact", "document", "chunk", "summary", "plan", "stage_log", "event")
Progress = Callable[[str], None]


class ForgetOptions(Struct, frozen=True):
    """The target of a request: one of ``ids``, ``subject``, ``query`` (words), ``session``,
    ``source`` (a document by path, title, id or SHA-256) and ``about`` (a topic, in any form of its
    words). ``dry_run``: only report. ``prove``: add a signed receipt to the report."""

    ids: tuple[str, ...] = ()
    subject: str | None = None
    query: str | None = None
    session: str | None = None
    source: str | None = None
    about: str | None = None
    dry_run: bool = False
    prove: bool = False

    @property
    def selected(self) -> object:
        """The one target given. Raises ``UsageError`` unless there is exactly one."""
        targets = [value for name in SELECTORS if (value := getattr(self, name))]
        if len(targets) != 1:
            raise UsageError("Give one of: ids, --subject, --query, --session, --source, --about.")
        return targets[0]


class InputHistory(Protocol):
    """Input history of the chat, outside the store. ``dropped``: number of entries dropped;
    ``problems``: failures."""

    path: Path
    dropped: int
    problems: list[str]

    def count(self, selects: Callable[[str], bool]) -> int: ...

    def drop(self, selects: Callable[[str], bool]) -> None: ...

    def clean(self, holds: Holds) -> None: ...


class ReceiptSigner(Protocol):
    """Signs receipts."""

    def digest(self, salt: str, text: str) -> str: ...

    def sign(self, contents: dict[str, object]) -> bytes: ...


class ForgetReport(Struct):
    """Result of a run or a dry run. ``items``: (group, verdict), in display order; ``kept``:
    records that stay without their origin or without the matching sentences; ``shortened``: turns
    among these that lost sentences; ``stays``: their number by kind; ``history``: matching entries
    of the chat history; ``left``: steps that failed; ``exports``: data set files that contain it;
    ``receipt``: signed, if requested."""

    items: list[tuple[str, Verdict]] = field(default_factory=list)
    kept: list[Verdict] = field(default_factory=list)
    shortened: list[Shortened] = field(default_factory=list)
    stays: dict[str, int] = field(default_factory=dict)
    sessions: list[str] = field(default_factory=list)
    history: int = 0
    done: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    search: ResidueReport = field(default_factory=ResidueReport)
    exports: list[str] = field(default_factory=list)
    receipt: bytes | None = None

    @property
    def residue(self) -> list[Residue]:
        """Remains in the store's own files and in others in its folder."""
        return [found for found in self.search.found if not self._elsewhere(found)]

    @property
    def complete(self) -> bool:
        """True when nothing remains in the store's folder."""
        return not self.residue

    @property
    def copies(self) -> list[str]:
        """Files outside the store that contain the words."""
        return list(dict.fromkeys(found.file for found in self.search.found if found.copy))

    def _elsewhere(self, found: Residue) -> bool:
        return found.file in self.search.copies

    def count(self) -> dict[str, int]:
        """Number of deleted items in each group."""
        counts = Counter(group for group, _ in self.items)
        for one in self.shortened:
            counts.update(one.counts)
        return dict(counts) | ({"history": self.history} if self.history else {})

    def event(self, at: str) -> Event:
        """The report as an event record."""
        data = {
            "counts": self.counts,
            "kept": len(self.kept),
            "left": self.left,
            "residue": [{"file": r.file, "offset": r.offset, "what": r.what} for r in self.residue],
            "copies": self.copies,
            "exports": self.exports,
            "files": self.search.files,
            "rows": self.search.rows,
            "limits": self.search.limits,
            "bytes": self.search.bytes,
            "probes": self.search.probes,
            "still": self.search.words,
        }
        return Event(name="forgot", at=at, data=data)


class ForgetKeys(Protocol):
    """The keys with which personal content is encrypted, outside the store."""

    def drop(self, ids: Collection[str], place: str) -> str:
        """Deletes keys of subjects; returns another place of a store that may need them, and then
        deletes none. Raises ``BadKey``."""
        ...

    def searched(self) -> tuple[dict[Path, Clean], list[Path]]:
        """The key file, and copies of it next to it."""
        ...

    def upgrade(self) -> None:
        """Stores keys of an earlier format without the names of their subjects."""
        ...


Confirm = Callable[[ForgetReport], bool]


class Forgetting:
    """One run of ``forget``. ``keys``: those of the store at ``place``; ``history``: the chat
    history; ``signer``: creates the signer of the receipt, before anything is deleted;
    ``fingerprints``: makes those by which an import knows what was forgotten, None without a
    key."""

    def __init__(
        self,
        options: ForgetOptions,
        store: Store,
        config: Config,
        clock: Clock,
        *,
        keys: ForgetKeys,
        place: str,
        history: InputHistory,
        signer: Callable[[], ReceiptSigner],
        fingerprints: FingerprintMaker | None,
        progress: Progress,
    ) -> None:
        self._options = options
        self._store = store
        self._config = config
        self._clock = clock
        self._keys = keys
        self._place = place
        self._history = history
        self._signer = signer
        self._fingerprints = fingerprints
        self._progress = progress

    def run(self, confirm: Confirm | None = None) -> ForgetReport:
        """Deletes the target with everything that rests on it, unless ``confirm`` returns False.

        Raises ``NothingFound``, ``UsageError``, ``ConfigError`` for a key that cannot be read,
        ``StoreBusy``, ``StoreFull``.
        """
        options, store = self._options, self._store
        selected = options.selected
        self._progress("finding what to delete")
        request = requested(options, store)
        mark = store.mark()
        plan = plan_erasure(store, request)
        says_forgotten = _says_forgotten(plan, request)
        report = _report(plan)
        report.exports = holding(store, plan)
        report.history = self._history.count(says_forgotten)
        if not plan and not report.history:
            return self._search_only(request, report, selected)
        if options.dry_run or (confirm is not None and not confirm(report)):
            return report
        signer = self._signer() if options.prove else None  # fails before anything is deleted
        # first: a run stopped after the rows are deleted no longer knows the words
        self._history.drop(says_forgotten)
        return self._erase(plan, request, mark, signer, report.exports)

    def _erase(
        self,
        plan: ErasurePlan,
        request: ErasureRequest,
        mark: object,
        signer: ReceiptSigner | None,
        exports: list[str],
    ) -> ForgetReport:
        store, history = self._store, self._history
        if plan:
            plan, forgotten = self._delete_rows(request, plan, mark)
        else:
            forgotten = ErasedContent(names=list(request.names))
        report = _report(plan)
        report.exports = exports
        report.done = True
        if plan:
            report.left = [*drop_keys(store, self._keys, self._place), *store.erase(self._progress)]
        unknown = orphans(store)  # of an earlier run, whose words are no longer known
        self._look(forgotten, report, {history.path: history.clean})
        report.history, report.left = history.dropped, [*report.left, *unknown, *history.problems]
        report.counts = report.count()
        if report.complete and not unknown and store.value(KEYS_TO_DROP) is None:
            store.finished()
        if signer is not None:
            report.receipt = signer.sign(_receipt(forgotten, report, signer, self._clock))
        return report

    def _delete_rows(
        self, request: ErasureRequest, plan: ErasurePlan, mark: object
    ) -> tuple[ErasurePlan, ErasedContent]:
        """Deletes in one transaction, which plans once more if there were writes after ``mark``.
        Facts that the deleted ones had ended hold again."""
        clock, zone = self._clock, time_zone(self._config.timezone)
        with self._store.forgetting() as writer:
            if self._store.mark() != mark:
                plan = plan_erasure(self._store, request)
            replaced = remove_ends(writer, plan.ids("fact"))
            groups = groups_of(writer, [*plan.ids("fact"), *replaced])
            keys = contents.key_ids(writer)
            forgotten = forget_rows(
                writer,
                plan,
                list(request.names),
                clock,
                lambda erased: ledger_fields(erased, request.session, self._fingerprints),
            )
            forgotten.changes = entities.resolve(writer, groups)
            propagate(forgotten.changes, writer, clock.stamp(), zone)
            unused = sorted(keys - contents.key_ids(writer))
            if unused:  # dropped after the commit: a rollback would need them
                writer.set_value(KEYS_TO_DROP, json.dumps(unused))
            return plan, forgotten

    def _search_only(
        self, request: ErasureRequest, report: ForgetReport, selected: object
    ) -> ForgetReport:
        """Searches files when no row matches. Raises ``NothingFound`` when no file does either."""
        if request.names:
            if not self._options.dry_run:
                self._keys.upgrade()
            self._look(ErasedContent(names=list(request.names)), report, {})
        if not report.search.found:
            raise NothingFound(repr(selected))
        return report

    def _look(
        self,
        forgotten: ErasedContent,
        report: ForgetReport,
        neighbours: dict[Path, Clean],
    ) -> None:
        """Searches the store's files, its neighbours and copies for remains."""
        copies = self._store.backups()
        outside = (self._config.cassette, self._config.log_file)
        copies += [Path(name).expanduser() for name in outside if name]
        key_files, copies_of_keys = self._keys.searched()
        neighbours = neighbours | key_files
        copies += copies_of_keys
        report.search = self._store.residue(forgotten, copies, self._progress, neighbours)


def plan_erasure(store: Store, request: ErasureRequest) -> ErasurePlan:
    """The plan of a request: all that it deletes, and the cuts in the records that stay."""
    found = ErasureWalk(request, store.each(Link))
    while found.round(scan_items(store)):
        pass
    return found.remains().logs(scan_logs(store)).ledger(scan_events(store))


def holding(store: Store, plan: ErasurePlan) -> list[str]:
    """Known data set files that contain something to be deleted."""
    deleted = {id for _, id in plan.deleted}
    files = filter(store.owner.reaches, store.each(ExportedFile))
    return [file.path for file in files if file.id in deleted or not deleted.isdisjoint(file.holds)]


def drop_keys(store: Store, keys: ForgetKeys, place: str) -> list[str]:
    """Drops the keys of those of whom nothing encrypted is left; returns the problem, if any. Under
    the lock of the store: a writer of personal content takes the key while holding it."""
    if store.value(KEYS_TO_DROP) is None:
        return []
    try:
        with store.writing() as writer:
            ids = json.loads(writer.value(KEYS_TO_DROP) or "[]")
            other = keys.drop(set(ids) - contents.key_ids(writer), place)
            writer.set_value(KEYS_TO_DROP, None)
    except BadKey as error:
        return [f"the key of what was deleted: {error}"]
    problem = f"the key of what was deleted is kept: the store at {other} may need it"
    return [problem] if other else []


def finish(store: Store, keys: ForgetKeys, place: str, progress: Progress) -> list[str]:
    """Erases from the files what an interrupted run deleted; returns the steps that still fail, and
    what is left of records that do not exist. The words that it deleted are no longer known."""
    if store.orphans():
        progress("rebuilding the indexes")
        store.rebuild_indexes()
    left = [*drop_keys(store, keys, place), *store.erase(progress)]
    progress("searching for remains")
    left += orphans(store)
    if not left:
        store.finished()
    return left


def orphans(store: Store) -> list[str]:
    """Tables with rows that are derived from records which do not exist, in words."""
    return [
        f"the table {table} holds rows of records that do not exist ({count})"
        for table, count in store.orphans().items()
    ]


def requested(options: ForgetOptions, store: Store) -> ErasureRequest:
    """Ids and words that the options select. Raises ``NothingFound``, ``UsageError``."""
    if options.about:
        return _about(store, options.about)
    subject, names = options.subject, [n for n in (options.subject, options.query) if n]
    for name in names:
        if not Phrases().add(name, least=1):
            raise UsageError(f"{name!r} has no words to search for.")
    found = [resolve_to_delete(store, id) for id in options.ids]
    if subject:  # the other names denote the person too
        names += [n for n in names_of(store, subject) if fold(n) not in (fold(subject), USER)]
    if options.source:
        found = _documents(store, options.source)
    return ErasureRequest(
        ids=frozenset(found),
        names=tuple(names),
        subjects=tuple(names_of(store, subject)) if subject else (),
        session=options.session,
        owner=store.owner,
    )


def _about(store: Store, topic: str) -> ErasureRequest:
    """Records about a topic, and the entities that it is another name of."""
    from thalamus.policy.mentions import mentions, subject_words

    if not subject_words(topic):
        raise UsageError(f"invalid --about {topic!r}: no words to search for")
    found = mentions(topic, filter(store.owner.reaches, scan_items(store)))
    names = dict.fromkeys(other for name in found.names for other in entities.names_of(store, name))
    named = tuple(name for name in names if fold(name) != USER)
    return ErasureRequest(
        ids=frozenset(found.ids),
        names=named,
        subjects=named,
        owner=store.owner,
    )


def _documents(store: Store, source: str) -> list[str]:
    """Ids of the documents with this path, title, id or SHA-256."""
    path = Path(source)
    names = set(map(composed_path, (source, str(path.absolute()), str(path.resolve()))))
    if path.is_file():
        with path.open("rb") as file:
            names.add(hashlib.file_digest(file, "sha256").hexdigest())
    found = []
    for document in documents(store):
        title = fold(document.title or "") == fold(source)
        inside = Path(document.path).name == composed_path(source)
        if title or inside or names & {document.path, document.id, document.sha256}:
            found.append(document.stored_id)
    if not found:
        raise NothingFound(f"the document {source!r}")
    return found


def _report(plan: ErasurePlan) -> ForgetReport:
    items = []
    for (kind, _), verdict in plan.verdicts.items():
        piece = plan.deleted[kind, verdict.stored_id]
        group = kind
        if kind == "memory" and piece.document:
            group = "chunk" if piece.quotes or piece.turn is None else "memory"
        items.append((group, verdict))
    items.sort(key=lambda item: ORDER.index(item[0]) if item[0] in ORDER else len(ORDER))
    stays = dict(Counter(kind for kind, _ in plan.kept))
    shortened = list(plan.shortened.values())
    kept = [*(one.verdict for one in shortened), *plan.kept.values()]
    return ForgetReport(items, kept, shortened, stays, sorted(plan.sessions))


def _says_forgotten(plan: ErasurePlan, request: ErasureRequest) -> SaysForgotten:
    texts = [
        text
        for (kind, _), piece in plan.deleted.items()
        if kind not in ("event", "stage_log")
        for text in (*piece.texts, *piece.quotes)
    ]
    texts += [text for one in plan.shortened.values() for text in one.texts]
    return SaysForgotten(request.names, texts)


class SaysForgotten:
    """Predicate for typed texts that contain something forgotten.

    ``names`` match at any length; ``texts`` (messages, contents, quotes) of a few words match
    anywhere, shorter ones only as the whole text.
    """

    def __init__(self, names: Iterable[str], texts: Iterable[str]) -> None:
        self._phrases = Phrases()
        self._short: set[tuple[str, ...]] = set()
        for name in names:
            self._phrases.add(name, least=1)
        for text in texts:
            if not self._phrases.add(text):
                self._short.add(tuple(words(text)))

    def __call__(self, text: str) -> bool:
        typed = tuple(words(text))
        return bool(typed) and (typed in self._short or self._phrases.found_in([text]))


def _receipt(
    forgotten: ErasedContent, report: ForgetReport, signer: ReceiptSigner, clock: Clock
) -> dict[str, object]:
    texts = [entry for entry in forgotten.texts if entry[1] != "event"]
    texts += [("", "name", name) for name in forgotten.names]
    digests: list[dict[str, str]] = []
    for id, kind, text in dict.fromkeys(texts):
        salt = clock.new_salt(id, kind, len(digests))
        digests.append({"id": id, "kind": kind, "salt": salt, "digest": signer.digest(salt, text)})
    return {
        "at": clock.stamp(),
        "counts": report.counts,
        "rows": [
            {"kind": group, "id": verdict.id, "rule": verdict.rule}
            for group, verdict in report.items
        ],
        "digests": digests,
        "checks": {name: value for name, value in report.event("").data.items() if name != "still"},
        "ledger": {"before": forgotten.before, "after": forgotten.after},
    }
