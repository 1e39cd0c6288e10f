"""The search for residue of forgotten words: in every byte of every file of a store and of its
known copies, and in the indexes through their own API."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.storage.protocol.erasure import Clean, ErasedContent, Residue, ResidueReport
from thalamus.storage.relational.half_precision import halved, widened
from thalamus.storage.sqlite.connection import FILE
from thalamus.storage.sqlite.fulltext import IndexUnusable
from thalamus.storage.sqlite.raw_bytes import blocks, blocks_of_database
from thalamus.text.analyzer import words
from thalamus.text.word_lists import STOP_WORDS

if TYPE_CHECKING:
    from thalamus.storage.sqlite.indexes import Indexes

BLOCK = 4 << 20  # bytes read at a time
EXCERPT = 48  # characters of an excerpt of a longer text
TOKEN = 5  # bytes of a word, above which it is searched for separately
DISTINCTIVE = 8  # bytes of a probe, above which a match between numbers is not accidental
MOST = 100  # places reported
MOST_WORDS = 200  # words looked up in the full-text index
MOST_ROWS = 20  # rows with such a word that are examined
STRUCTURE = ("meta.json", ".managed.json", "manifest")  # of an index: its own words are there
_DATABASE = frozenset(FILE + ending for ending in ("", "-wal", "-shm", "-journal"))
_TOKEN = re.compile(r"[^\W_]+")
_TEXT = frozenset(range(0x20, 0x7F)) | frozenset(range(0x80, 0x100)) | {9, 10, 13}


class Probes:
    """Search patterns. ``names`` are searched for at any length and in any common form."""

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
        self.parts: set[str] = set()  # names that also occur inside longer words that stay
        self.adjacent: set[str] = set()  # words that values of a row that stays form together
        self.still: set[str] = set()  # names and numbers that occur in records that stay
        self._make()

    def __len__(self) -> int:
        return len(self._texts) + len(self.vectors)

    def _make(self) -> None:
        import ahocorasick_rs

        self._texts = sorted(self.names | self.tokens | self.excerpts)
        self.patterns: list[tuple[bytes, str | None]] = []  # with their text, None for a vector
        for text in self._texts:
            self.patterns += [(form, text) for form in _forms(text)]
        for vector in self.vectors:  # a small vector index has them as float32
            forms = {vector, *widened([vector], len(vector) // 2)}
            self.patterns += [(_lower(form), None) for form in forms]
        patterns = [pattern for pattern, _ in self.patterns] or [b"\x00nothing\x00"]
        self._automaton: Any = ahocorasick_rs.BytesAhoCorasick(patterns)
        self.longest = max(map(len, patterns))

    def leave_out(self, texts: set[str]) -> None:
        """Stops searching for these."""
        for kind in (self.names, self.tokens, self.excerpts):
            kind -= texts
        self._make()

    def found(self, data: bytes) -> Iterator[tuple[int, int, int]]:
        """(pattern, start, end) of every match."""
        if self.patterns:
            yield from self._automaton.find_matches_as_indexes(_lower(data), overlapping=True)


def search(
    folder: Path,
    db: sqlite3.Connection,
    indexes: Indexes,
    forgotten: ErasedContent,
    elsewhere: tuple[Mapping[Path, Clean], Iterable[Path]],
    progress: Callable[[str], None],
) -> ResidueReport:
    """Searches the store's folder and ``elsewhere``: files outside it, which are cleaned first, and
    copies, which are not touched; and the indexes."""
    outside, copies = elsewhere
    progress("searching for remains")
    probes = Probes(forgotten)
    common = _in_remaining_rows(db, probes)
    done = ResidueReport(words=sorted(probes.still))
    probes.leave_out(common)
    done.probes = len(probes)
    # unlike rglob it tolerates a folder that another process removes
    inside = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    for path in sorted(inside):
        # SQLite's shared memory has page numbers and checksums, which may be letters by chance
        if path.is_file() and path.name != f"{FILE}-shm":
            progress(f"reading {path.name}")
            own = path.parent != folder or _is_own(path.name)
            _read(path, probes, db, done, copy=not own)
    for path, clean in outside.items():
        if path.is_file():
            clean(lambda data: _contains_forgotten(path, data, probes, db))  # noqa: B023
            _read(path, probes, db, done, copy=False)
    for path in copies:
        if folder not in path.absolute().parents and path.is_file():
            _read(path, probes, db, done, copy=True)
            done.copies.append(str(path))
    _check_indexes(indexes, forgotten, probes, done)
    return done


def _is_own(name: str) -> bool:
    return name in _DATABASE or name.endswith((".lock", ".tmp"))


# -- probes --------------------------------------------------------------------------------------


def _excerpts(text: str) -> Iterator[str]:
    """Excerpts of a longer text that begin and end with whole words."""
    start = 0
    while start < len(text):
        end = min(len(text), start + EXCERPT)
        space = text.rfind(" ", start + EXCERPT // 2, end)
        if end < len(text) and space > 0:
            end = space
        excerpt = text[start:end].strip()
        if len(excerpt.encode()) >= 2 * DISTINCTIVE:
            yield excerpt
        start = end


def _forms(text: str) -> set[bytes]:
    """Encodings in which a text may be stored, ASCII in lower case."""
    forms: set[bytes] = set()
    for case in {text, text.lower(), text.upper(), text.casefold(), text.title()}:
        escaped = (json.dumps(case, ensure_ascii=flag)[1:-1] for flag in (False, True))
        forms.update(_lower(form.encode("utf-8", "replace")) for form in (case, *escaped))
        forms.add(_lower(case.encode("utf-16-le", "replace")))
    return forms


def _lower(data: bytes) -> bytes:
    return data.lower()


def _in_remaining_rows(db: sqlite3.Connection, probes: Probes) -> set[str]:
    """Probes that also occur in records that were not forgotten."""
    common: set[str] = set()
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    # names in signatures are those of rows: one that only occurs there is left over from a row
    left_out = ("embedding", "signature", "encrypted")
    queries = [f"SELECT * FROM {name}" for name in tables if name not in left_out]
    for query in (*queries, "SELECT name, sql FROM sqlite_master"):
        cursor = db.execute(query)
        while block := cursor.fetchmany(200):
            values = (str(value) for row in block for value in row if isinstance(value, str))
            data = "\x00".join(values).encode("utf-8", "replace")
            for pattern, start, end in probes.found(data):
                text = probes.patterns[pattern][1]
                if text in probes.names and not _is_whole_word(data, start, end):
                    probes.parts.add(text)
                elif text is not None:
                    common.add(text)
                    if (
                        _is_distinctive(text)
                        and text not in probes.excerpts
                        and _is_whole_word(data, start, end)
                    ):
                        probes.still.add(text)
            # a row is stored without separators: "medium" and "archival" have "march" between them
            rows = ("".join(_stored(value) for value in row) for row in block)
            for pattern, _, _ in probes.found("\x00".join(rows).encode("utf-8", "replace")):
                probes.adjacent.add(probes.patterns[pattern][1] or "")
    return common


def _stored(value: object) -> str:
    """A value as text between others in the bytes of a row; null takes no bytes."""
    return value if isinstance(value, str) else "" if value is None else "\x00"


# -- files ---------------------------------------------------------------------------------------


def _is_distinctive(text: str) -> bool:
    """True for a word that looks like a name or a number."""
    return text[:1].isupper() or any(letter.isdigit() for letter in text)


def _read(
    path: Path, probes: Probes, db: sqlite3.Connection, done: ResidueReport, copy: bool
) -> None:
    """Searches a file in blocks that overlap by the length of a probe."""
    done.files += 1
    try:
        read = blocks_of_database if path.name in _DATABASE and not copy else blocks
        kept, offset, seen = b"", 0, set()
        for block in read(path, BLOCK):
            done.bytes += len(block)
            data = kept + block
            for pattern, start, end in probes.found(data):
                if offset + start in seen or len(done.found) >= MOST:
                    continue
                description = _judge(path, data, start, end, probes.patterns[pattern], probes, db)
                if description:
                    seen.add(offset + start)
                    done.found.append(Residue(str(path), offset + start, description, copy))
            reach = probes.longest + 2 * DISTINCTIVE
            offset += max(0, len(data) - reach)
            kept = data[-reach:]
    except FileNotFoundError:
        return  # another process has just replaced it
    except OSError as error:
        done.found.append(Residue(str(path), -1, f"cannot be read: {error}", copy))


def _contains_forgotten(path: Path, data: bytes, probes: Probes, db: sqlite3.Connection) -> bool:
    """True when bytes of a file contain forgotten content."""
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
    """Description of a match; empty when it is accidental or legitimate."""
    text = pattern[1]
    if text is None:
        return "" if _still_embedded(db, data[start:end]) else "a vector, or an encrypted text"
    if path.name in STRUCTURE and text in probes.tokens:
        return ""
    if text in probes.adjacent and not _is_whole_word(data, start, end):
        return ""
    if end - start < DISTINCTIVE and not _is_in_text(data, start, end):
        return ""
    if text in probes.names:
        # a short one matches inside other words, including those of the indexes' own files
        whole_word = (text not in probes.parts and end - start >= DISTINCTIVE) or _is_whole_word(
            data, start, end
        )
        return "a name that was given" if whole_word else ""
    return "a word" if text in probes.tokens else "an excerpt of a text"


def _still_embedded(db: sqlite3.Connection, prefix: bytes) -> bool:
    """True when an entry that stays has the same vector, or the same sentence ("You're
    welcome!")."""
    query = (
        "SELECT 1 FROM embedding WHERE substr(vector, 1, ?) = ? OR substr(vector, 1, ?) = ?"
        " OR instr(sentences, ?) > 0 LIMIT 1"
    )
    [half] = halved([prefix[: len(prefix) // 4 * 4]])
    values = (len(prefix), prefix, len(half), half, prefix)
    return db.execute(query, values).fetchone() is not None


def _is_in_text(data: bytes, start: int, end: int) -> bool:
    """True when a short match is next to text: among numbers any few bytes occur somewhere."""
    before, after = data[max(0, start - 6) : start], data[end : end + 6]
    return any(len(side) == 6 and _TEXT.issuperset(side) for side in (before, after))


def _is_whole_word(data: bytes, start: int, end: int) -> bool:
    """True when a name matches as a whole word."""
    sides = data[max(0, start - 1) : start] + data[end : end + 1]
    return not any(byte >= 0x80 or bytes([byte]).isalnum() for byte in sides)


# -- the indexes, through their API --------------------------------------------------------------


def _check_indexes(
    indexes: Indexes, forgotten: ErasedContent, probes: Probes, done: ResidueReport
) -> None:
    """Checks that the full-text index has no word without a row and returns no deleted row, and
    that no vector index has the number of one. Under the lock: another process may be rebuilding
    the files."""
    probe_words = sorted({word for text in probes.names | probes.tokens for word in words(text)})
    deleted, folder = set(forgotten.keys), indexes.folder / "fulltext"
    try:
        with indexes.locked():
            for word in probe_words[:MOST_WORDS]:
                live, known = indexes.postings(word, MOST_ROWS)
                if known > live and live < MOST_ROWS:
                    done.found.append(Residue(str(folder), -1, f"{known} postings"))
            for folder, numbers in indexes.numbers():
                if deleted & numbers:
                    description = "the number of a deleted row"
                    done.found.append(Residue(str(folder), -1, description))
    except (OSError, ValueError, IndexUnusable) as error:
        done.found.append(Residue(str(folder), -1, f"cannot be queried: {error}"))
