"""From what the user names to what goes, and the report of how it went: behind ``forget``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import NothingFound, UsageError
from thalamus.memory import entities, facts
from thalamus.memory.explain import resolve_to_delete
from thalamus.memory.intervals import groups_of
from thalamus.policy.entities import USER, fold
from thalamus.policy.forget import ErasurePlan, ErasureRequest, ErasureWalk, Phrases
from thalamus.records import Event, Verdict
from thalamus.security.receipts import digest, sign
from thalamus.storage import chat_history
from thalamus.storage.protocol import ErasedContent, Holds, Residue, ResidueReport

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.storage.protocol import ErasableStore


def plan_erasure(store: ErasableStore, wanted: ErasureRequest) -> ErasurePlan:
    """Everything that goes when this is forgotten, with what is cut out of what stays."""
    found = ErasureWalk(wanted, store.all_links())
    while found.round(store.scan_items()):
        pass
    return found.ledger(store.scan_events())


def delete_rows(
    store: ErasableStore,
    wanted: ErasureRequest,
    going: ErasurePlan,
    mark: tuple[int, ...],
    now: str,
) -> tuple[ErasurePlan, ErasedContent]:
    """Deletes in one transaction; judges again in it when somebody wrote after ``mark``. What the
    facts that go had ended holds again."""
    with store.forgetting() as (forget, writer):
        if store.mark() != mark:
            going = plan_erasure(store, wanted)
        groups = groups_of(writer, going.ids("fact"))
        forgotten = forget(going, list(wanted.names))
        forgotten.changes = entities.resolve(writer, groups)
        facts.propagate(forgotten.changes, writer, now)
        return going, forgotten


def erase_files(store: ErasableStore, progress: Callable[[str], None]) -> list[str]:
    """Erases from files what was deleted; what is left to do."""
    left = store.erase(progress)
    if not left:
        store.finished()
    return left


# -- From what the user names to what goes, and the report of how it went: behind ``forget``. --


SELECTORS = ("ids", "subject", "query", "session", "source", "about")
ORDER = ("turn", "memory", "fact", "document", "chunk", "summary", "plan", "event")


@dataclass
class ForgetReport:
    """What goes or went. ``items``: (group, verdict), in the order in which they are shown;
    ``kept``: what stays beside it, with its origin cut; ``history``: how many entries of the chat's
    own history say it; ``left``: steps that could not be done;
    ``receipt``: signed, if one was wanted."""

    items: list[tuple[str, Verdict]] = field(default_factory=list)
    kept: list[Verdict] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    history: int = 0
    done: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    search: ResidueReport = field(default_factory=ResidueReport)
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

    def event(self, at: str) -> Event:
        """The report as a record."""
        data = {
            "counts": self.counts,
            "kept": len(self.kept),
            "left": self.left,
            "residue": [{"file": r.file, "offset": r.offset, "what": r.what} for r in self.residue],
            "copies": self.copies,
            "files": self.search.files,
            "bytes": self.search.bytes,
            "probes": self.search.probes,
            "still": self.search.words,
        }
        return Event(name="forgot", at=at, data=data)


Confirm = Callable[[ForgetReport], bool]
Progress = Callable[[str], None]


def forget(
    thalamus: Thalamus,
    ids: Sequence[str],
    subject: str | None,
    query: str | None,
    session: str | None,
    source: str | None,
    about: str | None,
    dry_run: bool,
    prove: bool,
    confirm: Confirm | None,
    progress: Progress,
) -> ForgetReport:
    """See ``Thalamus.forget``."""
    given = dict(zip(SELECTORS, (ids, subject, query, session, source, about), strict=True))
    chosen = [name for name, value in given.items() if value]
    if len(chosen) != 1:
        raise UsageError(
            "Name one thing: ids, a subject, words, a session, a document, or what it is about."
        )
    store = thalamus.store
    progress("looking what goes")
    wanted = (
        _about(store, thalamus.config, about)
        if about
        else _wanted(store, thalamus.config, ids, subject, query, session, source)
    )
    mark = store.mark()
    going = plan_erasure(store, wanted)
    said = _said(going, wanted)
    report = _report(going)
    report.history = chat_history.count(chat_history.file_of(thalamus.config), said)
    if not going and not report.history:
        return _nothing(thalamus, wanted, report, given[chosen[0]], progress)
    if dry_run or (confirm is not None and not confirm(report)):
        return report
    key = _key(thalamus.config) if prove else None  # before anything goes
    # first: whoever is stopped after the rows went does not know the words any more
    history = ChatHistory(thalamus.config, said)
    if going:
        going, forgotten = delete_rows(store, wanted, going, mark, thalamus.clock.stamp())
    else:
        forgotten = ErasedContent(names=list(wanted.names))
    report = _report(going)
    report.done, report.left = True, store.erase(progress) if going else []
    _look(thalamus, forgotten, report, progress, history)
    report.history, report.left = history.gone, [*report.left, *history.problems]
    report.counts = _counted(report)
    if report.complete:
        store.finished()
    if key is not None:
        report.receipt = sign(_receipt(thalamus, forgotten, report), key)
    return report


def finish(thalamus: Thalamus, progress: Progress) -> list[str]:
    """Does what an interrupted forget left to be done; what still cannot be done."""
    return erase_files(thalamus.store, progress)


# -- what is named ---------------------------------------------------------------------------


def _wanted(
    store: ErasableStore,
    config: Config,
    ids: Sequence[str],
    subject: str | None,
    query: str | None,
    session: str | None,
    source: str | None,
) -> ErasureRequest:
    names = [name for name in (subject, query) if name]
    for name in names:
        if not Phrases().add(name, least=1):
            raise UsageError(f"{name!r} has no words to look for.")
    found = [resolve_to_delete(store, id) for id in ids]
    if subject:  # whoever is meant by it is meant by the other names too
        names += [
            n for n in entities.names_of(store, subject) if fold(n) not in (fold(subject), USER)
        ]
    if source:
        found = _documents(store, source)
    return ErasureRequest(
        ids=frozenset(found),
        names=tuple(names),
        subjects=tuple(entities.names_of(store, subject)) if subject else (),
        session=session,
        user=config.user or None,
        agent=config.agent or None,
    )


def _about(store: ErasableStore, config: Config, topic: str) -> ErasureRequest:
    """What speaks of something, and of whom it is another word for."""
    from thalamus.policy.mentions import mentions, subject_words

    if not subject_words(topic):
        raise UsageError(f"--about {topic!r} has no words to look for.")
    found = mentions(topic, store.scan_items())
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
    for document in store.documents():
        title = (document.title or "").casefold() == source.casefold()
        inside = Path(document.path).name == source
        if title or inside or names & {document.path, document.id, document.sha256}:
            found.append(document.id or "")
    if not found:
        raise NothingFound(f"the document {source!r}")
    return found


# -- what is told ----------------------------------------------------------------------------


def _report(going: ErasurePlan) -> ForgetReport:
    items = []
    for (kind, _), verdict in going.verdicts.items():
        piece = going.taken[kind, verdict.id or ""]
        group = kind
        if kind == "memory" and piece.document:
            group = "chunk" if piece.quotes or piece.turn is None else "memory"
        items.append((group, verdict))
    items.sort(key=lambda item: ORDER.index(item[0]) if item[0] in ORDER else len(ORDER))
    return ForgetReport(items, list(going.kept.values()), sorted(going.sessions))


def _counted(report: ForgetReport) -> dict[str, int]:
    counts: dict[str, int] = {}
    for group, _ in report.items:
        counts[group] = counts.get(group, 0) + 1
    return counts | ({"history": report.history} if report.history else {})


def _nothing(
    thalamus: Thalamus,
    wanted: ErasureRequest,
    report: ForgetReport,
    asked: object,
    progress: Progress,
) -> ForgetReport:
    """No row holds it; a file might. Raises ``NothingFound`` when none does."""
    if wanted.names:
        _look(thalamus, ErasedContent(names=list(wanted.names)), report, progress)
    if not report.search.found:
        raise NothingFound(repr(asked))
    return report


def _look(
    thalamus: Thalamus,
    forgotten: ErasedContent,
    report: ForgetReport,
    progress: Progress,
    history: ChatHistory | None = None,
) -> None:
    config, store = thalamus.config, thalamus.store
    copies = store.backups()
    copies += [Path(name).expanduser() for name in (config.cassette, config.log_file) if name]
    beside = {history.path: history.clean} if history is not None else {}
    report.search = store.residue(forgotten, copies, progress, beside)


class ChatHistory:
    """The chat's own history without what is forgotten: what is known to say it goes at once,
    ``clean`` then takes out what else holds a word of it. ``gone``: how many entries."""

    def __init__(self, config: Config, said: chat_history.SaysForgotten) -> None:
        self.path = chat_history.file_of(config)
        self.gone = 0
        self.problems: list[str] = []
        self._drop(lambda _, text: said(text))

    def clean(self, holds: Holds) -> None:
        """Takes out the entries that hold a word."""
        self._drop(lambda raw, _: holds(raw))

    def _drop(self, goes: Callable[[bytes, str], bool]) -> None:
        try:
            self.gone += chat_history.drop(self.path, goes)
        except OSError as error:
            problem = f"the chat's history: {error.strerror or error}"
            self.problems += [problem] if problem not in self.problems else []


def _said(going: ErasurePlan, wanted: ErasureRequest) -> chat_history.SaysForgotten:
    texts = [
        text
        for (kind, _), piece in going.taken.items()
        if kind != "event"
        for text in (*piece.texts, *piece.quotes)
    ]
    return chat_history.SaysForgotten(wanted.names, texts)


def _key(config: Config) -> Ed25519PrivateKey:
    from thalamus.security.receipts import signing_key

    return signing_key(config)


def _receipt(
    thalamus: Thalamus, forgotten: ErasedContent, report: ForgetReport
) -> dict[str, object]:
    texts = [entry for entry in forgotten.texts if entry[1] != "event"]
    texts += [("", "name", name) for name in forgotten.names]
    digests: list[dict[str, str]] = []
    for id, kind, text in dict.fromkeys(texts):
        salt = thalamus.clock.new_salt(id, kind, len(digests))
        digests.append({"id": id, "kind": kind, "salt": salt, "digest": digest(salt, text)})
    return {
        "at": thalamus.clock.stamp(),
        "counts": report.counts,
        "rows": [
            {"kind": group, "id": verdict.id, "rule": verdict.rule}
            for group, verdict in report.items
        ],
        "digests": digests,
        "checks": {name: value for name, value in report.event("").data.items() if name != "still"},
        "ledger": {"before": forgotten.before, "after": forgotten.after},
    }
