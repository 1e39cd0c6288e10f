"""The rows of something that is forgotten, deleted in one transaction."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.policy.about import reason_in_words
from thalamus.policy.forget import ErasurePlan, ScanItem, is_given
from thalamus.policy.tokens import STOP_WORDS, words
from thalamus.records import Event
from thalamus.storage.protocol import NOBODY, Clean, ErasedContent, Residue, ResidueReport
from thalamus.storage.sqlite import ledger, rows
from thalamus.storage.sqlite.encryption import VALUE, VECTOR
from thalamus.storage.sqlite.fulltext import IndexUnusable
from thalamus.storage.sqlite.store import MARKER
from thalamus.storage.sqlite.writer import bring_back, close_batch, delete

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.storage.sqlite.encryption import Cipher
    from thalamus.storage.sqlite.indexes import Indexes
    from thalamus.storage.sqlite.signatures import Signer
    from thalamus.storage.sqlite.store import Progress, SqliteStore


KNOWN = ("turn", "memory", "fact", "document", "plan", "event")
# tables without words of the user's
_MUTE = {
    "meta",
    "link",
    "space",
    "embedding",
    "removal",
    "event",
    "sqlite_sequence",
    "signature",
    "encrypted",
    "job",
}
# columns that are no words, or are read in another way
_PLAIN = set(
    "key id created_at recorded_at retired_at valid_from valid_to expires_at session user agent"
    " trust status sensitivity importance scope type provenance identity_hash content_hash subject"
    " predicate object quote message answer content topic metadata body sha256 turn data"
    " salt".split()
)

_TIME = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+Z?)?")


def scan_items(db: sqlite3.Connection, cipher: Cipher | None) -> Iterator[ScanItem]:
    """Every row but those of the ledger; what is encrypted is opened, as far as its key is here."""
    for table in ("memory", "fact", "turn", "plan", "document"):
        cursor = db.execute(f"SELECT * FROM {table}")
        more = [column[0] for column in cursor.description if column[0] not in _PLAIN]
        make = _MAKERS[table]
        encrypted = _encrypted(db, table)
        for row in cursor:
            if cipher is not None and row["id"] in encrypted:
                row = _open(cipher, table, row)
            item: ScanItem = make(row)
            item.texts += [reason_in_words(text) for name in more if _says(text := row[name])]
            yield item
    for table in other_tables(db):
        yield from _others(db, table)


def scan_events(db: sqlite3.Connection, open: Callable[[Event], Event]) -> Iterator[ScanItem]:
    """The entries of the ledger that were not emptied and do not record an emptying."""
    for row in db.execute("SELECT * FROM event WHERE salt IS NOT NULL"):
        if row["name"] != "forgotten":
            event = open(rows.event(row))
            texts = [event.name, *strings(event.data)]
            yield ScanItem("event", str(event.seq), texts, turn=event.turn, session=event.session)


def other_tables(db: sqlite3.Connection) -> list[str]:
    """Tables that this module knows nothing of."""
    found = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = (row[0] for row in found)
    mute = (*_MUTE, *KNOWN)
    return [n for n in names if n not in mute and not n.startswith(("sqlite_", "_sqlite"))]


def _encrypted(db: sqlite3.Connection, table: str) -> set[str]:
    return {row[0] for row in db.execute("SELECT id FROM encrypted WHERE kind = ?", (table,))}


def _open(cipher: Cipher, table: str, row: sqlite3.Row) -> Any:
    """An encrypted row with its content in its columns; as it is when it does not open."""
    values = cipher.content(table, row["id"])
    if values is None:
        return row
    for name in (VECTOR, VALUE):
        values.pop(name, None)
    found = dict(row)
    if table == "plan":
        found["body"] = rows.pack_json({**msgspec.json.decode(row["body"]), **values})
        return found
    source = values.pop("provenance", None)
    if source:
        known = {name: value for name, value in source.items() if value is not None}
        found["provenance"] = rows.pack_json(known)
    found["metadata"] = rows.pack_json(values.pop("metadata"))
    if quarantine := values.pop("quarantine", None):
        found["quarantine"] = rows.pack_json(quarantine)
    if table == "fact":
        found["value"] = None  # a digest, which is nobody's word
    return found | values


def _says(value: Any) -> bool:
    """Whether a value is a text, and no time."""
    return isinstance(value, str) and _TIME.fullmatch(value) is None


def name_of(db: sqlite3.Connection, table: str) -> str:
    """The SQL expressions that tell the rows of a table apart, as a list."""
    columns = db.execute(f"PRAGMA table_info({table})").fetchall()
    primary = [f'"{row[1]}"' for row in sorted(columns, key=lambda row: row[5]) if row[5]]
    return ", ".join(primary) or "rowid"


def strings(value: Any) -> Iterator[str]:
    """All texts in a JSON value, names too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def _others(db: sqlite3.Connection, table: str) -> Iterator[ScanItem]:
    for row in db.execute(f"SELECT json_array({name_of(db, table)}), * FROM {table}"):
        texts = []
        for value in tuple(row)[1:]:
            if value and _says(value):
                texts.append(value)
                if value[:1] in "[{":
                    texts += _inside(value)
        yield ScanItem(table, row[0], texts)


def _inside(text: str) -> list[str]:
    try:
        return list(strings(msgspec.json.decode(text)))
    except msgspec.DecodeError:
        return []


def _metadata(row: sqlite3.Row) -> list[str]:
    text = row["metadata"]
    return [] if text == "{}" else list(strings(msgspec.json.decode(text)))


def _made(kind: str, row: sqlite3.Row, main: list[str], texts: list[str]) -> ScanItem:
    source = rows.provenance(row["provenance"]) if kind != "turn" else None
    item = ScanItem(
        kind,
        row["id"],
        [*texts, *_metadata(row)],
        main,
        session=row["session"],
        user=row["user"],
        agent=row["agent"],
    )
    if source is not None:
        item.turn, item.document = source.turn, source.document
        item.quotes = [text for text in (source.quote, source.heading) if text]
    return item


def _memory(row: sqlite3.Row) -> ScanItem:
    texts = [text for text in (row["content"], row["topic"]) if text]
    return _made("memory", row, [row["content"]], texts)


def _fact(row: sqlite3.Row) -> ScanItem:
    said = (row["subject"], row["predicate"], row["object"])
    item = _made("fact", row, [row["object"]], [" ".join(said)])
    item.subject = row["subject"]
    if row["quote"]:
        item.quotes.append(row["quote"])
    return item


def _turn(row: sqlite3.Row) -> ScanItem:
    said = [text for text in (row["message"], row["answer"]) if text]
    return _made("turn", row, said, list(said))


def _plan(row: sqlite3.Row) -> ScanItem:
    plan = rows.plan(row)
    texts = [text for item in plan.retrieval_instructions for text in (item.query, item.topic)]
    said = [text for text in texts if text]
    return ScanItem(
        "plan", row["id"], said, session=row["session"], user=row["user"], turn=row["turn"]
    )


def _document(row: sqlite3.Row) -> ScanItem:
    found = rows.document(row)
    texts = [text for text in (found.title, found.path) if text]
    texts += [text for problem in found.issues for text in (problem.message, problem.fix)]
    quotes = [text for text in (found.summary, found.topic) if text]
    return ScanItem("document", row["id"], texts, list(quotes), quotes)


_MAKERS = {"memory": _memory, "fact": _fact, "turn": _turn, "plan": _plan, "document": _document}


# -- The rows of something that is forgotten, deleted in one transaction. --


PREFIX = 64  # bytes of a vector, or of something encrypted, that tell it from any other


def forget_rows(
    db: sqlite3.Connection,
    plan: ErasurePlan,
    names: list[str],
    clock: Clock,
    signer: Signer | None = None,
    cipher: Cipher | None = None,
) -> ErasedContent:
    """Deletes and cuts in the present transaction, empties ledger entries, says so in the ledger
    and leaves the marker. What went is returned and is nowhere else."""
    done = ErasedContent(names=[*names, *plan.sessions], before=ledger.head(db))
    about = _columns_about(db)
    waiting, batches = _summed_up(db, plan), _batches_of(db, plan)
    for (kind, id), item in plan.taken.items():
        done.counts[kind] = done.counts.get(kind, 0) + 1
        said = item.texts if kind != "event" else [t for t in item.texts if " " in t]
        done.texts += [(id, kind, text) for text in (*said, *item.quotes)]
        if kind != "event" and is_given(id):
            done.texts.append((id, kind, id))
        done.vectors += _ciphertexts(db, kind, id)
        if kind in ("turn", "memory", "fact"):
            _note_vectors(db, kind, id, done)
            _delete_about(db, about, kind, id)
            delete(db, id)
        elif kind in ("plan", "document"):
            db.execute(f"DELETE FROM {kind} WHERE id = ?", (id,))
            db.execute("DELETE FROM link WHERE source = ?1 OR target = ?1", (id,))
        elif kind != "event":
            _delete_other(db, kind, id)
    for id in waiting:  # nothing else says what these do
        bring_back(db, "id = ?", id)
    for batch in batches:
        close_batch(db, batch, clock.stamp())
    done.texts += [("", "quote", text) for text in plan.cut_words]
    for (kind, id), what in plan.cuts.items():
        if not (cipher is not None and _cut_encrypted(cipher, kind, id, what)):
            _cut(db, kind, id, what)
    for session in plan.sessions:
        _rename(db, session, clock, cipher)
    entries = [int(id) for id in plan.ids("event")]
    ledger.empty(db, entries)
    data = {"entries": ledger.spans(entries), "counts": dict(sorted(done.counts.items()))}
    ledger.append(db, Event(name=ledger.FORGOTTEN, at=clock.stamp(), data=data), clock, signer)
    done.after = ledger.head(db)
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (MARKER, clock.stamp()))
    return done


def _summed_up(db: sqlite3.Connection, plan: ErasurePlan) -> list[str]:
    """What was retired because a summary stood for it, and stays when that summary goes."""
    query = (
        "SELECT memory.id FROM link JOIN memory ON memory.id = target WHERE source = ?"
        " AND relation = 'derived_from' AND memory.status = 'retired'"
    )
    taken = set(plan.ids("memory"))
    found = [row[0] for id in sorted(taken) for row in db.execute(query, (id,))]
    return [id for id in dict.fromkeys(found) if id not in taken]


def _batches_of(db: sqlite3.Connection, plan: ErasurePlan) -> list[str]:
    """The batches that changed something that goes. Undoing one would delete what was made and
    bring nothing back. (One that was undone has no items any more.)"""
    query = "SELECT batch FROM batch_item WHERE id = ? AND before IS NOT NULL"
    found = [row[0] for id in plan.ids("memory") for row in db.execute(query, (id,))]
    return list(dict.fromkeys(found))


def _note_vectors(db: sqlite3.Connection, table: str, id: str, done: ErasedContent) -> None:
    row = db.execute(f"SELECT key FROM {table} WHERE id = ?", (id,)).fetchone()
    if row is not None:
        done.keys.append(row[0])
        found = db.execute("SELECT vector FROM embedding WHERE key = ?", (row[0],))
        done.vectors += [bytes(vector[:PREFIX]) for (vector,) in found]


def _ciphertexts(db: sqlite3.Connection, kind: str, id: str) -> list[bytes]:
    """How the encrypted content of a row begins: backups may have it."""
    found = db.execute("SELECT ciphertext FROM encrypted WHERE kind = ? AND id = ?", (kind, id))
    return [bytes(ciphertext[:PREFIX]) for (ciphertext,) in found]


def _columns_about(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """(table, column) of other tables whose rows are about a turn, memory or fact: by its id in a
    column ``id``, or by its key in a column of its kind's name."""
    return [
        (table, row[1])
        for table in other_tables(db)
        for row in db.execute(f"PRAGMA table_info({table})")
        if row[1] in ("id", "turn", "memory", "fact")
    ]


def _delete_about(db: sqlite3.Connection, about: list[tuple[str, str]], kind: str, id: str) -> None:
    for table, column in about:
        if column == "id":
            db.execute(f"DELETE FROM {table} WHERE id = ?", (id,))
        elif column == kind:
            key = f"(SELECT key FROM {kind} WHERE id = ?1)"
            db.execute(f"DELETE FROM {table} WHERE {column} = ?1 OR {column} = {key}", (id,))


def _delete_other(db: sqlite3.Connection, table: str, id: str) -> None:
    columns = name_of(db, table).split(", ")
    where = " AND ".join(f"{column} IS ?" for column in columns)
    db.execute(f"DELETE FROM {table} WHERE {where}", json.loads(id))


def _cut(db: sqlite3.Connection, kind: str, id: str, what: set[str]) -> None:
    """Takes quotes, and the name of a turn that goes, out of a row that stays."""
    if kind == "document":
        row = db.execute("SELECT * FROM document WHERE id = ?", (id,)).fetchone()
        kept = msgspec.structs.replace(rows.document(row), summary=None, topic=None)
        body = msgspec.json.encode(kept).decode()
        db.execute("UPDATE document SET body = ? WHERE id = ?", (body, id))
        return
    row = db.execute(f"SELECT provenance FROM {kind} WHERE id = ?", (id,)).fetchone()
    source = rows.provenance(row[0])
    if source is not None:
        source = msgspec.structs.replace(source, **_emptied(what))
        packed = rows.pack_provenance(source)
        db.execute(f"UPDATE {kind} SET provenance = ? WHERE id = ?", (packed, id))
    if kind == "fact" and "quote" in what:
        db.execute("UPDATE fact SET quote = NULL WHERE id = ?", (id,))
        key = db.execute("SELECT key FROM fact WHERE id = ?", (id,)).fetchone()[0]
        db.execute("INSERT INTO removal (key) VALUES (?)", (key,))  # to be indexed again


def _emptied(what: set[str]) -> dict[str, None]:
    """The fields of a provenance that are cut."""
    names = {"quote": ("quote", "heading"), "turn": ("turn",)}
    return {name: None for cut in what for name in names[cut]}


def _cut_encrypted(cipher: Cipher, kind: str, id: str, what: set[str]) -> bool:
    """The same in the ciphertext of an encrypted row; False when it is not encrypted."""
    values = cipher.content(kind, id)
    if values is None:
        return False
    changes: dict[str, Any] = {}
    if values.get("provenance"):
        changes["provenance"] = values["provenance"] | _emptied(what)
    if "quote" in what and "quote" in values:
        changes["quote"] = None
    cipher.change(kind, id, **changes)
    return True


def _rename(db: sqlite3.Connection, session: str, clock: Clock, cipher: Cipher | None) -> None:
    """Another name for a session whose own holds the words; its rows stay together."""
    name = clock.new_id("session", ledger.head(db)["seq"], len(session))
    for table in ("turn", "fact"):
        db.execute(f"UPDATE {table} SET session = ? WHERE session = ?", (name, session))
    for row in db.execute("SELECT * FROM memory WHERE session = ?", (session,)).fetchall():
        memory = rows.memory(row)
        if cipher is not None:
            memory = cipher.open(memory)
        memory = msgspec.structs.replace(memory, session=name)
        identity = rows.identity_hash(memory)  # the old hash is of the old name
        if cipher is not None and cipher.is_encrypted("memory", memory.id):
            identity = cipher.hash(memory.user or NOBODY, identity)
        values = (name, identity, row["key"])
        db.execute("UPDATE memory SET session = ?, identity_hash = ? WHERE key = ?", values)


# -- Looking for what may be left of forgotten words, in every byte of every file, and in the --


BLOCK = 4 << 20  # bytes read at a time
EXCERPT = 48  # characters of an excerpt of a longer text
TOKEN = 5  # bytes of a word from which on it is looked for by itself
SURE = 8  # bytes from which on a probe in the midst of numbers is no accident
MOST = 100  # places that are reported
ASKED = 200  # words that the full-text index is asked for
FEW = 20  # rows with such a word that are looked at
STRUCTURE = ("meta.json", ".managed.json", "manifest")  # of an index: its own words stand there
_TOKEN = re.compile(r"[^\W_]+")
_TEXT = frozenset(range(0x20, 0x7F)) | frozenset(range(0x80, 0x100)) | {9, 10, 13}


class Probes:
    """What is looked for. ``names`` are looked for however short and however common their form."""

    def __init__(self, forgotten: ErasedContent) -> None:
        self.names = {name for name in forgotten.names if name.strip()}
        self.tokens: set[str] = set()
        self.excerpts: set[str] = set()
        for _, _, text in forgotten.texts:
            self.tokens.update(
                token
                for token in _TOKEN.findall(text)
                if len(token.encode()) >= TOKEN and token.casefold() not in STOP_WORDS
            )
            self.excerpts.update(_excerpts(text))
        self.vectors = list(dict.fromkeys(forgotten.vectors))
        self.parts: set[str] = set()  # names that also stand within longer words that stay
        self.still: set[str] = set()  # names and numbers that stand in what stays
        self._make()

    def __len__(self) -> int:
        return len(self._texts) + len(self.vectors)

    def _make(self) -> None:
        import ahocorasick_rs

        self._texts = sorted(self.names | self.tokens | self.excerpts)
        self.patterns: list[tuple[bytes, str | None]] = []  # and the text, None for a vector
        for text in self._texts:
            self.patterns += [(form, text) for form in _forms(text)]
        self.patterns += [(_lower(vector), None) for vector in self.vectors]
        only = [pattern for pattern, _ in self.patterns] or [b"\x00nothing\x00"]
        self._automaton: Any = ahocorasick_rs.BytesAhoCorasick(only)
        self.longest = max(map(len, only))

    def leave_out(self, texts: set[str]) -> None:
        """Looks no longer for these."""
        for kind in (self.names, self.tokens, self.excerpts):
            kind -= texts
        self._make()

    def found(self, data: bytes) -> Iterator[tuple[int, int, int]]:
        """(pattern, start, end) of everything that is found."""
        if self.patterns:
            yield from self._automaton.find_matches_as_indexes(_lower(data), overlapping=True)


def search(
    store: SqliteStore,
    db: sqlite3.Connection,
    indexes: Indexes,
    forgotten: ErasedContent,
    elsewhere: tuple[Mapping[Path, Clean], Iterable[Path]],
    progress: Progress,
) -> ResidueReport:
    """Looks in the store's folder and ``elsewhere``: in files outside it, which are cleaned first,
    and in copies, which are not touched; and asks the indexes."""
    outside, copies = elsewhere
    progress("looking for what is left")
    probes = Probes(forgotten)
    common = _in_remaining_rows(db, probes)
    done = ResidueReport(words=sorted(probes.still))
    probes.leave_out(common)
    done.probes = len(probes)
    # unlike rglob it does not mind a folder that another process takes away
    inside = (Path(at, name) for at, _, names in os.walk(store.folder) for name in names)
    for path in sorted(inside):
        if path.is_file():
            progress(f"reading {path.name}")
            own = path.parent != store.folder or _is_own(path.name)
            _read(path, probes, db, done, copy=not own)
    for path, clean in outside.items():
        if path.is_file():
            clean(lambda data: _held(path, data, probes, db))  # noqa: B023
            _read(path, probes, db, done, copy=False)
    for path in copies:
        if store.folder not in path.absolute().parents and path.is_file():
            _read(path, probes, db, done, copy=True)
            done.copies.append(str(path))
    _ask(indexes, forgotten, probes, done)
    return done


def _is_own(name: str) -> bool:
    return name in ("thalamus.db", "thalamus.db-wal", "thalamus.db-shm", "thalamus.db-journal") or (
        name.endswith((".lock", ".tmp"))
    )


# -- probes --------------------------------------------------------------------------------------


def _excerpts(text: str) -> Iterator[str]:
    """A longer text as excerpts that begin and end with words."""
    start = 0
    while start < len(text):
        end = min(len(text), start + EXCERPT)
        space = text.rfind(" ", start + EXCERPT // 2, end)
        if end < len(text) and space > 0:
            end = space
        excerpt = text[start:end].strip()
        if len(excerpt.encode()) >= 2 * SURE:
            yield excerpt
        start = end


def _forms(text: str) -> set[bytes]:
    """The ways in which a text may be written, in lower case where that is ASCII."""
    forms: set[bytes] = set()
    for case in {text, text.lower(), text.upper(), text.casefold(), text.title()}:
        escaped = (json.dumps(case, ensure_ascii=flag)[1:-1] for flag in (False, True))
        forms.update(_lower(form.encode("utf-8", "replace")) for form in (case, *escaped))
        forms.add(_lower(case.encode("utf-16-le", "replace")))
    return forms


def _lower(data: bytes) -> bytes:
    return data.lower()


def _in_remaining_rows(db: sqlite3.Connection, probes: Probes) -> set[str]:
    """The probes that something holds which was not forgotten."""
    common: set[str] = set()
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    # the names in signatures are those of the rows: one that stands there alone is left of a row
    left_out = ("embedding", "signature", "encrypted")
    queries = [f"SELECT * FROM {name}" for name in tables if name not in left_out]
    for query in (*queries, "SELECT name, sql FROM sqlite_master"):
        cursor = db.execute(query)
        while block := cursor.fetchmany(200):
            values = (str(value) for row in block for value in row if isinstance(value, str))
            data = "\x00".join(values).encode("utf-8", "replace")
            for pattern, start, end in probes.found(data):
                text = probes.patterns[pattern][1]
                if text in probes.names and not _apart(data, start, end):
                    probes.parts.add(text)
                elif text is not None:
                    common.add(text)
                    if (
                        _is_distinctive(text)
                        and text not in probes.excerpts
                        and _apart(data, start, end)
                    ):
                        probes.still.add(text)
    return common


# -- files ---------------------------------------------------------------------------------------


def _is_distinctive(text: str) -> bool:
    """Whether a word is a name or a number, as far as can be seen."""
    return text[:1].isupper() or any(letter.isdigit() for letter in text)


def _read(
    path: Path, probes: Probes, db: sqlite3.Connection, done: ResidueReport, copy: bool
) -> None:
    """Reads a file in blocks that overlap by what a probe needs."""
    done.files += 1
    try:
        with path.open("rb") as file:
            kept, offset, seen = b"", 0, set()
            while block := file.read(BLOCK):
                done.bytes += len(block)
                data = kept + block
                for pattern, start, end in probes.found(data):
                    if offset + start in seen or len(done.found) >= MOST:
                        continue
                    what = _judge(path, data, start, end, probes.patterns[pattern], probes, db)
                    if what:
                        seen.add(offset + start)
                        done.found.append(Residue(str(path), offset + start, what, copy))
                reach = probes.longest + 2 * SURE
                offset += max(0, len(data) - reach)
                kept = data[-reach:]
    except FileNotFoundError:
        return  # another process has just replaced it
    except OSError as error:
        done.found.append(Residue(str(path), -1, f"it cannot be read: {error}", copy))


def _held(path: Path, data: bytes, probes: Probes, db: sqlite3.Connection) -> bool:
    """Whether some bytes of a file hold anything of what was forgotten."""
    return any(
        _judge(path, data, start, end, probes.patterns[pattern], probes, db)
        for pattern, start, end in probes.found(data)
    )


def _judge(
    path: Path,
    data: bytes,
    start: int,
    end: int,
    pattern: tuple[bytes, str | None],
    probes: Probes,
    db: sqlite3.Connection,
) -> str:
    """What was found there; empty when it is an accident or is there by right."""
    text = pattern[1]
    if text is None:
        return "" if _still_embedded(db, data[start:end]) else "a vector, or an encrypted text"
    if path.name in STRUCTURE and text in probes.tokens:
        return ""
    if end - start < SURE and not _among_text(data, start, end):
        return ""
    if text in probes.names:
        # a short one turns up within other words, those of the indexes' own files among them
        alone = (text not in probes.parts and end - start >= SURE) or _apart(data, start, end)
        return "a name that was given" if alone else ""
    return "a word" if text in probes.tokens else "an excerpt of a text"


def _still_embedded(db: sqlite3.Connection, prefix: bytes) -> bool:
    """Whether an entry that stays has the same vector."""
    query = "SELECT 1 FROM embedding WHERE substr(vector, 1, ?) = ? LIMIT 1"
    return db.execute(query, (len(prefix), prefix)).fetchone() is not None


def _among_text(data: bytes, start: int, end: int) -> bool:
    """Whether a short find stands next to text: among numbers any few bytes turn up somewhere."""
    before, after = data[max(0, start - 6) : start], data[end : end + 6]
    return any(len(side) == 6 and _TEXT.issuperset(side) for side in (before, after))


def _apart(data: bytes, start: int, end: int) -> bool:
    """Whether a given name stands there as a word, not as a part of one."""
    sides = data[max(0, start - 1) : start] + data[end : end + 1]
    return not any(byte >= 0x80 or bytes([byte]).isalnum() for byte in sides)


# -- the indexes, through their API --------------------------------------------------------------


def _ask(indexes: Indexes, forgotten: ErasedContent, probes: Probes, done: ResidueReport) -> None:
    """Whether the full-text index still knows a word that no row has, or returns a row that is
    gone; and whether a vector index still has the number of one. Under the lock: another process
    may be rebuilding the files."""
    asked = sorted({word for text in probes.names | probes.tokens for word in words(text)})
    gone, folder = set(forgotten.keys), indexes.folder / "fulltext"
    try:
        with indexes.held():
            for word in asked[:ASKED]:
                live, known = indexes.postings(word, FEW)
                if known > live and live < FEW:
                    done.found.append(Residue(str(folder), -1, f"{known} postings"))
            for folder, numbers in indexes.numbers():
                if gone & numbers:
                    what = "the number of a row that is gone"
                    done.found.append(Residue(str(folder), -1, what))
    except (OSError, ValueError, IndexUnusable) as error:
        done.found.append(Residue(str(folder), -1, f"it cannot be asked: {error}"))
