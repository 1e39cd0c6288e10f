"""Records that were forgotten are known by fingerprints in the ledger, so that an import does not
bring them back."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from thalamus.policy.erasure import PHRASE, ErasurePlan
from thalamus.records import Alias, Document, Memory, Predicate, Project, Record, Turn, World
from thalamus.records.kinds import kind_named, known
from thalamus.store import ledger, records
from thalamus.store.encrypted import is_hidden
from thalamus.text.analyzer import words
from thalamus.text.sentences import sentence_spans

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

_SEPARATOR = "\x1f"


class FingerprintMaker(Protocol):
    """Keyed fingerprints, see ``security.fingerprints``."""

    def make(self, names: Iterable[str]) -> dict[str, Any]: ...

    def matcher(self, fingerprints: Mapping[str, Any]) -> Callable[[str], bool] | None: ...


class ForgottenRecords:
    """Test for records that were forgotten. ``incomparable``: erasures whose fingerprints were made
    with a key that is not here."""

    def __init__(self, reader: Reader, fingerprints: FingerprintMaker) -> None:
        # merged by key, so that each name is hashed once
        values: dict[str, set[str]] = {}
        entries: dict[str, int] = {}
        for text in ledger.erasures(reader):
            if made := json.loads(text).get("fingerprints"):
                values.setdefault(made["key"], set()).update(made["values"])
                entries[made["key"]] = entries.get(made["key"], 0) + 1
        found = {
            key: fingerprints.matcher({"key": key, "values": all_of})
            for key, all_of in values.items()
        }
        self._matchers = [matcher for matcher in found.values() if matcher is not None]
        self.incomparable = sum(entries[key] for key, matcher in found.items() if matcher is None)

    def __bool__(self) -> bool:
        return bool(self._matchers)

    def __call__(self, record: Record) -> bool:
        if not self._matchers:
            return False
        names = names_of(record)
        if isinstance(record, Turn) and record.ref and record.session:
            names.append(_of_session(record.session))
        return self._match(names)

    def title(self, title: str, user: str | None) -> bool:
        """True for the title of a document that was forgotten."""
        return self._match([_title(title, user)])

    def sentences(
        self, text: str, user: str | None, path: str, stored: Collection[str]
    ) -> list[tuple[int, int]]:
        """Spans of the sentences and lines of a document's text that were forgotten, and are not in
        the texts ``stored`` at its path since."""
        if not self._matchers:
            return []
        again = {name for kept in stored for name in _sentences(kept, user, path)}

        def forgotten(start: int, end: int) -> bool:
            name = _sentence(text[start:end], user, path)
            return name not in again and self._match([name])

        found: list[tuple[int, int]] = []
        for start, end in sentence_spans(text):
            whole = forgotten(start, end)
            lines = [(start, end)] if whole else _lines(text, start, end)
            found += [span for span in lines if whole or forgotten(*span)]
        return found

    def _match(self, names: Collection[str]) -> bool:
        return any(matches(name) for matches in self._matchers for name in names)


def erased_records(plan: ErasurePlan, reader: Reader) -> list[Record]:
    """Records that a plan deletes."""
    found: list[Record] = []
    for name in dict.fromkeys(name for name, _ in plan.deleted):
        kind = kind_named(name)
        if kind is None or kind.record is World:  # deleted in parts, which are no records
            continue
        if kind.has_id:
            found += reader.by_ids(kind.record, plan.ids(name))
            continue
        for values in plan.ids(name):
            found += records.with_identity(reader, kind.record, json.loads(values))
    return found


def ledger_fields(
    erased: Iterable[Record], session: str | None, fingerprints: FingerprintMaker | None
) -> dict[str, Any]:
    """Fields of the ledger entry from which ``ForgottenRecords`` knows what was erased;
    ``session``: one that was forgotten as a whole."""
    names = [name for record in erased for name in (*names_of(record), *_parts_of(record))]
    if session:
        names.append(_of_session(session))
    return {"fingerprints": fingerprints.make(names)} if names and fingerprints else {}


def names_of(record: Record) -> list[str]:
    """Names by which an import recognizes a record: its id, and what another export of the same has
    in common with it, which may be its content."""
    kind = known(type(record))
    id = getattr(record, "id", None)
    names = [_name(kind.name, id)] if kind is not None and id else []
    if is_hidden(record):
        return names
    if isinstance(record, Turn) and record.ref:
        names.append(_name("ref", record.session or "", record.ref))
    elif isinstance(record, Memory) and (said := words(record.content)):
        names.append(_name("content", record.user or "", *said))
    elif isinstance(record, Document) and record.sha256:
        names.append(_name("sha256", record.sha256))
    elif isinstance(record, Project):
        names.append(_name("project", record.user or "", *words(record.name)))
    elif isinstance(record, Alias):
        both = (" ".join(words(name)) for name in (record.name, record.target))
        names.append(_name("alias", record.user or "", *both))
    elif isinstance(record, Predicate):
        names.append(_name("predicate", *words(record.name)))
    return names


def _parts_of(record: Record) -> list[str]:
    """Names by which another version of a document is known to repeat what was forgotten."""
    if is_hidden(record):
        return []
    if isinstance(record, Memory) and record.is_document:
        path = str(record.metadata.get("path") or "")
        return _sentences(record.content, record.user, path)
    if isinstance(record, Document) and words(record.title or ""):
        return [_title(record.title or "", record.user)]
    return []


def _sentences(text: str, user: str | None, path: str) -> list[str]:
    """Names of the sentences of a text, and of their lines: of a list only one may change."""
    spans = [(start, end) for start, end in sentence_spans(text)]
    spans += [line for span in spans for line in _lines(text, *span)]
    return [_sentence(text[start:end], user, path) for start, end in spans]


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of the lines of a sentence."""
    found = []
    for line in text[start:end].splitlines(keepends=True):
        found.append((start, start + len(line)))
        start += len(line)
    return found


def _sentence(text: str, user: str | None, path: str) -> str:
    """Name of a sentence, wherever it stands; of one of few words, such as a heading, only in the
    same document."""
    said = words(text)
    return _name("sentence", user or "", path if len(said) < PHRASE else "", *said)


def _title(title: str, user: str | None) -> str:
    return _name("title", user or "", *words(title))


def _of_session(session: str) -> str:
    return _name("session", session)


def _name(*parts: str) -> str:
    return _SEPARATOR.join(parts)
