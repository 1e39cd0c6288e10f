"""Forgetting: from what the user names to what goes, and the report of how it went."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from thalamus.clock import time_zone
from thalamus.errors import NothingFound, UsageError
from thalamus.memory import entities, facts
from thalamus.memory.entities import names_of
from thalamus.memory.erase_rows import forget_rows
from thalamus.memory.erasure_scan import scan_events, scan_items, scan_logs
from thalamus.memory.intervals import groups_of
from thalamus.memory.resolve_id import resolve_to_delete
from thalamus.policy.entities import USER, fold
from thalamus.policy.erasure import ErasurePlan, ErasureRequest, ErasureWalk, Phrases, Shortened
from thalamus.records import Document, Event, ExportedFile, Link, Verdict
from thalamus.storage.protocol import ErasedContent, Holds, Residue, ResidueReport
from thalamus.text.tokens import words

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.storage.protocol import ErasableStore

SELECTORS = ("ids", "subject", "query", "session", "source", "about")
ORDER = ("turn", "memory", "fact", "document", "chunk", "summary", "plan", "stage_log", "event")
Progress = Callable[[str], None]


@dataclass(frozen=True)
class ForgetOptions:
    """What is to be forgotten: one of ``ids``, ``subject``, ``query`` (words), ``session``,
    ``source`` (a document by path, title, id or SHA-256) and ``about`` (what speaks of something,
    whatever the form of its words). ``dry_run``: only report what would go. ``prove``: put a
    signed receipt on the report."""

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
        """The one thing that is named. Raises ``UsageError`` unless there is just one."""
        given = [value for name in SELECTORS if (value := getattr(self, name))]
        if len(given) != 1:
            raise UsageError("Give one of: ids, --subject, --query, --session, --source, --about.")
        return given[0]


class History(Protocol):
    """The chat's own history, which is no part of the store. ``gone``: how many entries were
    dropped; ``problems``: what could not be done."""

    path: Path
    gone: int
    problems: list[str]

    def count(self, goes: Callable[[str], bool]) -> int: ...

    def drop(self, goes: Callable[[str], bool]) -> None: ...

    def clean(self, holds: Holds) -> None: ...


class Signer(Protocol):
    """Signs receipts."""

    def digest(self, salt: str, text: str) -> str: ...

    def sign(self, contents: dict[str, object]) -> bytes: ...


@dataclass
class ForgetReport:
    """What goes or went. ``items``: (group, verdict), in the order in which they are shown;
    ``kept``: what stays, with its origin cut or without the sentences that say it; ``shortened``:
    the latter, which are turns; ``stays``: how many that are, by kind; ``history``:
    how many entries of the chat's own history say it; ``left``: steps that could not be done;
    ``exports``: files of data sets that hold it; ``receipt``: signed, if one was wanted."""

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
        """What is left in the store's own files and in others in its folder."""
        return [found for found in self.search.found if not self._elsewhere(found)]

    @property
    def complete(self) -> bool:
        """Whether nothing is left in the store's folder."""
        return not self.residue

    @property
    def copies(self) -> list[str]:
        """Files that hold the words and are no part of the store."""
        return list(dict.fromkeys(found.file for found in self.search.found if found.copy))

    def _elsewhere(self, found: Residue) -> bool:
        return found.file in self.search.copies

    def count(self) -> dict[str, int]:
        """How many of each group go."""
        counts = dict(Counter(group for group, _ in self.items))
        if sentences := sum(len(one.gone) for one in self.shortened):
            counts["sentence"] = sentences
        return counts | ({"history": self.history} if self.history else {})

    def event(self, at: str) -> Event:
        """The report as a record."""
        data = {
            "counts": self.counts,
            "kept": len(self.kept),
            "left": self.left,
            "residue": [{"file": r.file, "offset": r.offset, "what": r.what} for r in self.residue],
            "copies": self.copies,
            "exports": self.exports,
            "files": self.search.files,
            "bytes": self.search.bytes,
            "probes": self.search.probes,
            "still": self.search.words,
        }
        return Event(name="forgot", at=at, data=data)


Confirm = Callable[[ForgetReport], bool]


class Forgetting:
    """One run of ``forget``. ``history``: the chat's own history; ``signer``: makes what signs
    the receipt, before anything is deleted."""

    def __init__(
        self,
        options: ForgetOptions,
        store: ErasableStore,
        config: Config,
        clock: Clock,
        *,
        history: History,
        signer: Callable[[], Signer],
        progress: Progress,
    ) -> None:
        self._options = options
        self._store = store
        self._config = config
        self._clock = clock
        self._history = history
        self._signer = signer
        self._progress = progress

    def run(self, confirm: Confirm | None = None) -> ForgetReport:
        """Deletes what is named with all that rests on it, unless ``confirm`` says no.

        Raises ``NothingFound``, ``UsageError``, ``ConfigError`` for a key that cannot be read,
        ``StoreBusy``, ``StoreFull``.
        """
        options, store = self._options, self._store
        selected = options.selected
        self._progress("finding what to delete")
        wanted = requested(options, store, self._config)
        mark = store.mark()
        going = plan_erasure(store, wanted)
        said = _said(going, wanted)
        report = _report(going)
        report.exports = holding(store, going)
        report.history = self._history.count(said)
        if not going and not report.history:
            return self._search_only(wanted, report, selected)
        if options.dry_run or (confirm is not None and not confirm(report)):
            return report
        signer = self._signer() if options.prove else None  # before anything goes
        # first: a run that is stopped after the rows went does not know the words any more
        self._history.drop(said)
        return self._erase(going, wanted, mark, signer, report.exports)

    def _erase(
        self,
        going: ErasurePlan,
        wanted: ErasureRequest,
        mark: tuple[int, ...],
        signer: Signer | None,
        exports: list[str],
    ) -> ForgetReport:
        store, history = self._store, self._history
        if going:
            going, forgotten = delete_rows(
                store, wanted, going, mark, self._clock, time_zone(self._config.timezone)
            )
        else:
            forgotten = ErasedContent(names=list(wanted.names))
        report = _report(going)
        report.exports = exports
        report.done, report.left = True, store.erase(self._progress) if going else []
        self._look(forgotten, report, {history.path: history.clean})
        report.history, report.left = history.gone, [*report.left, *history.problems]
        report.counts = report.count()
        if report.complete:
            store.finished()
        if signer is not None:
            report.receipt = signer.sign(_receipt(forgotten, report, signer, self._clock))
        return report

    def _search_only(
        self, wanted: ErasureRequest, report: ForgetReport, selected: object
    ) -> ForgetReport:
        """No row holds it; a file might. Raises ``NothingFound`` when none does."""
        if wanted.names:
            self._look(ErasedContent(names=list(wanted.names)), report, {})
        if not report.search.found:
            raise NothingFound(repr(selected))
        return report

    def _look(
        self,
        forgotten: ErasedContent,
        report: ForgetReport,
        beside: dict[Path, Callable[[Holds], None]],
    ) -> None:
        """Looks for what is left in the store's files, those next to them and copies."""
        copies = self._store.backups()
        outside = (self._config.cassette, self._config.log_file)
        copies += [Path(name).expanduser() for name in outside if name]
        report.search = self._store.residue(forgotten, copies, self._progress, beside)


def plan_erasure(store: ErasableStore, wanted: ErasureRequest) -> ErasurePlan:
    """Everything that goes when this is forgotten, with what is cut out of what stays."""
    found = ErasureWalk(wanted, store.each(Link))
    while found.round(scan_items(store)):
        pass
    return found.logs(scan_logs(store)).ledger(scan_events(store))


def delete_rows(
    store: ErasableStore,
    wanted: ErasureRequest,
    going: ErasurePlan,
    mark: tuple[int, ...],
    clock: Clock,
    zone: tzinfo,
) -> tuple[ErasurePlan, ErasedContent]:
    """Deletes in one transaction; judges again in it when somebody wrote after ``mark``. What the
    facts that go had ended holds again."""
    with store.forgetting() as writer:
        if store.mark() != mark:
            going = plan_erasure(store, wanted)
        groups = groups_of(writer, going.ids("fact"))
        forgotten = forget_rows(writer, going, list(wanted.names), clock)
        forgotten.changes = entities.resolve(writer, groups)
        facts.propagate(forgotten.changes, writer, clock.stamp(), zone)
        return going, forgotten


def holding(store: ErasableStore, going: ErasurePlan) -> list[str]:
    """The files of data sets that hold something that goes, as far as is known."""
    gone = {id for _, id in going.taken}
    files = store.each(ExportedFile)
    return [file.path for file in files if file.id in gone or not gone.isdisjoint(file.holds)]


def finish(store: ErasableStore, progress: Progress) -> list[str]:
    """Erases from the files what an interrupted run deleted; returns what still cannot be done."""
    left = store.erase(progress)
    if not left:
        store.finished()
    return left


def requested(options: ForgetOptions, store: ErasableStore, config: Config) -> ErasureRequest:
    """What the options name, as ids and words. Raises ``NothingFound``, ``UsageError``."""
    if options.about:
        return _about(store, config, options.about)
    subject, names = options.subject, [n for n in (options.subject, options.query) if n]
    for name in names:
        if not Phrases().add(name, least=1):
            raise UsageError(f"{name!r} has no words to search for.")
    found = [resolve_to_delete(store, id) for id in options.ids]
    if subject:  # the person is also meant by the other names
        names += [n for n in names_of(store, subject) if fold(n) not in (fold(subject), USER)]
    if options.source:
        found = _documents(store, options.source)
    return ErasureRequest(
        ids=frozenset(found),
        names=tuple(names),
        subjects=tuple(names_of(store, subject)) if subject else (),
        session=options.session,
        user=config.user or None,
        agent=config.agent or None,
    )


def _about(store: ErasableStore, config: Config, topic: str) -> ErasureRequest:
    """What speaks of something, and of whom it is another word for."""
    from thalamus.policy.mentions import mentions, subject_words

    if not subject_words(topic):
        raise UsageError(f"invalid --about {topic!r}: no words to search for")
    found = mentions(topic, scan_items(store))
    names = dict.fromkeys(other for name in found.names for other in entities.names_of(store, name))
    named = tuple(name for name in names if fold(name) != USER)
    return ErasureRequest(
        ids=frozenset(found.ids),
        names=named,
        subjects=named,
        user=config.user or None,
        agent=config.agent or None,
    )


def _documents(store: ErasableStore, source: str) -> list[str]:
    """The ids of the documents that a path, title, id or SHA-256 names."""
    path = Path(source)
    names = {source, str(path.absolute()), str(path.resolve())}
    if path.is_file():
        with path.open("rb") as file:
            names.add(hashlib.file_digest(file, "sha256").hexdigest())
    found = []
    for document in store.each(Document):
        title = (document.title or "").casefold() == source.casefold()
        inside = Path(document.path).name == source
        if title or inside or names & {document.path, document.id, document.sha256}:
            found.append(document.id or "")
    if not found:
        raise NothingFound(f"the document {source!r}")
    return found


def _report(going: ErasurePlan) -> ForgetReport:
    items = []
    for (kind, _), verdict in going.verdicts.items():
        piece = going.taken[kind, verdict.id or ""]
        group = kind
        if kind == "memory" and piece.document:
            group = "chunk" if piece.quotes or piece.turn is None else "memory"
        items.append((group, verdict))
    items.sort(key=lambda item: ORDER.index(item[0]) if item[0] in ORDER else len(ORDER))
    stays = dict(Counter(kind for kind, _ in going.kept))
    shortened = list(going.shortened.values())
    kept = [*(one.verdict for one in shortened), *going.kept.values()]
    return ForgetReport(items, kept, shortened, stays, sorted(going.sessions))


def _said(going: ErasurePlan, wanted: ErasureRequest) -> SaysForgotten:
    texts = [
        text
        for (kind, _), piece in going.taken.items()
        if kind not in ("event", "stage_log")
        for text in (*piece.texts, *piece.quotes)
    ]
    texts += [text for one in going.shortened.values() for text in one.texts]
    return SaysForgotten(wanted.names, texts)


class SaysForgotten:
    """Whether a typed text says something that is forgotten.

    ``names`` are looked for however short; of ``texts`` (messages, contents, quotes) those of a
    few words anywhere in it, shorter ones where they are all of it.
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
        said = tuple(words(text))
        return bool(said) and (said in self._short or self._phrases.found_in([text]))


def _receipt(
    forgotten: ErasedContent, report: ForgetReport, signer: Signer, clock: Clock
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
