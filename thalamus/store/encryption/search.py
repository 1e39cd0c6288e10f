"""Search in encrypted rows, which are in no index: all of them are decrypted in memory, once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from types import SimpleNamespace
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from thalamus.records.kinds import Kind, kind_of, numbered, text_of
from thalamus.store.encryption.cipher import (
    CONTENTS,
    CONTENTS_OF,
    VECTOR,
    Cipher,
    decrypted,
    with_content,
)
from thalamus.store.rows import decoded
from thalamus.store.tables import AMONG, Tables, quoted
from thalamus.store.values import IndexedRow, Similarities, Vector
from thalamus.text.few_vectors import numpy_pays_off
from thalamus.text.half_precision import few_products, matrix
from thalamus.text.sentence_vectors import cosines, nearest

Name = tuple[str, str]  # kind and id
LATER = 200  # vectors that are searched beside a matrix of the others


class _DecryptedRow(Struct):
    """The cached state of an encrypted row. ``values``: None if it cannot be decrypted."""

    subject: str
    ciphertext: bytes
    values: dict[str, Any] | None
    text: str = ""
    key: int | None = None

    @property
    def vector(self) -> Vector | None:
        """Embedding among the values, if there is one."""
        return Vector(*self.values[VECTOR]) if self.values and VECTOR in self.values else None


class EncryptedSearch:
    """The searchable encrypted rows of a store, decrypted where their keys are available, and
    cached as long as neither they nor their keys change."""

    def __init__(self, rows: Tables, cipher: Cipher | None) -> None:
        self._rows = rows
        self._cipher = cipher
        self._mixed = [kind.name for kind in _encrypted_kinds() if _plain_fields(kind)]
        for table in ("encrypted", *self._mixed):
            rows.follow(table, ("kind", "id") if table == "encrypted" else ("id",))
        self._state: object = None
        self._kept: dict[Name, _DecryptedRow] = {}
        self._names: dict[int, Name] = {}  # of the decrypted rows, by key
        # searchable texts of the decrypted rows, by key: the same objects until they change
        self.texts: Mapping[int, str] = {}
        self._spaces: dict[tuple[str, int], _Space] = {}  # by model and bytes of a vector

    def follow(self, state: object) -> None:
        """Decrypts new and changed rows: all of these if ``state`` has changed, which others'
        writes do; else those that were written here."""
        known, self._state = self._state, object()  # an interrupted call leaves all to the next one
        written: list[Any] = self._rows.noted("encrypted")
        changed = [name for name in self._mixed if self._rows.noted(name)]
        if state == known and not (written or changed):
            self._state = state
            return
        names = [kind.name for kind in _encrypted_kinds()]
        if state != known or None in written:
            new = self._kept = self._opened_rows(self._rows.fetch(CONTENTS, names))
            self._names = {}
            self._spaces = {}
        else:
            ids = [id for _, id in written]
            new = self._opened_rows(self._rows.fetch(CONTENTS_OF, names, ids) if ids else ())
            replaced = new.keys() & self._kept.keys()
            self._names = {key: name for key, name in self._names.items() if name not in replaced}
            if replaced:  # some may have another vector
                self._spaces = {}
            self._kept |= new
        for kind in _encrypted_kinds():
            self._read_texts(kind, self._kept if kind.name in changed else new)
        for name, row in new.items():
            if row.key and row.values:
                self._names[row.key] = name
                vector = row.vector if self._spaces else None
                if vector and (space := self._spaces.get(_space(vector))):
                    space.put(row.key, vector.data)
        self.texts = {key: self._kept[name].text for key, name in self._names.items()}
        self._state = state

    def _opened_rows(self, stored_rows: Iterable[Any]) -> dict[Name, _DecryptedRow]:
        """Rows of the table ``encrypted``, decrypted where their keys are available."""
        keys: dict[str, bytes | None] = {}  # looked up once: each look-up checks the key's file
        found = {}
        for kind, id, subject, stored in stored_rows:
            name, ciphertext = (kind, id), bytes(stored)
            if subject not in keys:
                found_key = self._cipher.key_of(subject) if self._cipher else None
                keys[subject] = found_key[1] if found_key else None
            key = keys[subject]
            row = self._kept.get(name) if key is not None else None
            if row is None or (row.subject, row.ciphertext) != (subject, ciphertext):
                row = _DecryptedRow(subject, ciphertext, None)
            if row.values is None and key is not None:
                row.values = decrypted(key, *name, ciphertext)
            found[name] = row
        return found

    def _read_texts(self, kind: Kind, kept: Mapping[Name, _DecryptedRow]) -> None:
        """Reads the keys and texts of the decrypted rows of a kind, which may be partly in
        unencrypted columns."""
        table = kind.name
        names = [name for name, row in kept.items() if name[0] == table and row.values]
        if not names:
            return
        plain = _plain_fields(kind)
        fields = dict.fromkeys(part.field for part in kind.searched)
        columns = ", ".join(map(quoted, ("key", "id", *plain)))
        query = f"SELECT {columns} FROM {table} WHERE id {AMONG}"
        for key, id, *values in self._rows.fetch(query, [id for _, id in names]):
            row = kept[table, id]
            if row.key is None or plain:
                texts = fields | (row.values or {}) | dict(zip(plain, values, strict=True))
                text = text_of(kind.searched, SimpleNamespace(**texts))
                if text != row.text:  # otherwise the same object, which marks it as unchanged
                    row.text = text
            row.key = key

    @property
    def ids(self) -> Set[Name]:
        """(kind, id) of all of them."""
        return self._kept.keys()

    def opened(self, entries: Sequence[IndexedRow]) -> list[IndexedRow]:
        """Entries with their contents; those that cannot be decrypted are left out."""
        records: dict[Name, Any] = {}
        kinds, ids = _encrypted_kinds(), [entry.id for entry in entries]
        names = [kind.name for kind in kinds]
        encrypted = self._opened_rows(self._rows.fetch(CONTENTS_OF, names, ids) if ids else [])
        opened = _values_by_kind(encrypted)
        for kind in kinds:
            values = opened.get(kind.name, {})
            query = f"SELECT * FROM {kind.name} WHERE id {AMONG}"
            stored = self._rows.fetch(query, list(values)) if values else []
            record: Any
            for record in decoded(kind.record, stored):
                records[kind.name, record.id] = with_content(record, kind, values[record.id])
        found = []
        for entry in entries:
            name = (entry.record, entry.id)
            if name in records:
                found.append(_filled(entry, records[name]))
            elif name not in encrypted:
                found.append(entry)
        return found

    def cosines(self, vector: Vector, limit: int, least: float) -> list[tuple[int, float]]:
        """(key, cosine) of the best of the rows with a vector of the model, which have at least the
        cosine ``least``."""
        name = _space(vector)
        if name not in self._spaces:
            found = self._vectors(vector, self._names)
            self._spaces[name] = _Space({key: own.data for key, own in found.items()})
        return self._spaces[name].nearest(vector.data, limit, least)

    def similarities(
        self, vector: Vector, keys: Iterable[int], sentences: Iterable[int]
    ) -> Similarities:
        """Like ``Store.similarities``, for the decrypted rows; without a background."""
        vectors = {key: own.data for key, own in self._vectors(vector, keys).items()}
        found = cosines(vector.data, vectors)
        packed = {key: own.sentences for key, own in self._vectors(vector, sentences).items()}
        return Similarities(found, 0.0, 0, nearest(vector.data, packed))

    def _vectors(self, vector: Vector, keys: Iterable[int]) -> dict[int, Vector]:
        """Vectors of the same model."""
        opened = {key: self._kept[self._names[key]].vector for key in keys if key in self._names}
        return {key: own for key, own in opened.items() if own and _space(own) == _space(vector)}


def _encrypted_kinds() -> list[Kind]:
    """Searchable kinds that may be encrypted."""
    return [kind for kind in numbered() if kind.encrypted]


def _plain_fields(kind: Kind) -> list[str]:
    """Fields of the searched text of a kind that are never encrypted."""
    fields = dict.fromkeys(part.field for part in kind.searched)
    return [name for name in fields if name not in kind.encrypted]


def _values_by_kind(rows: Mapping[Name, _DecryptedRow]) -> dict[str, dict[str, dict[str, Any]]]:
    """Values of the rows that could be decrypted, by the name of their kind and by id."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for (kind, id), row in rows.items():
        if row.values is not None:
            found.setdefault(kind, {})[id] = row.values
    return found


def _space(vector: Vector) -> tuple[str, int]:
    """Model and size of the vectors that a vector can be compared with."""
    return vector.model, len(vector.data)


class _Space:
    """Vectors of one model, by key."""

    def __init__(self, vectors: Mapping[int, bytes]) -> None:
        self._keys = [*vectors]
        self._vectors = [*vectors.values()]
        self._matrix: Any = None  # of the first of them

    def put(self, key: int, vector: bytes) -> None:
        """Adds a vector."""
        self._keys.append(key)
        self._vectors.append(vector)

    def nearest(self, question: bytes, limit: int, least: float) -> list[tuple[int, float]]:
        """(key, cosine) of the best with at least the cosine ``least``, of equals the newest."""
        scores = self._scores(question)
        if isinstance(scores, list):
            found = [one for one in zip(scores, self._keys, strict=True) if one[0] >= least]
        else:
            import numpy as np

            if 0 < limit < len(scores):
                least = max(least, float(np.partition(scores, -limit)[-limit]))
            places = np.flatnonzero(scores >= least).tolist()
            found = [(float(scores[place]), self._keys[place]) for place in places]
        found.sort(reverse=True)
        return [(key, score) for score, key in found[:limit]]

    def _scores(self, question: bytes) -> Any:
        """Cosine of each; a list for a few of them."""
        dimension = len(question) // 4
        if not numpy_pays_off(len(self._keys) * dimension):
            return few_products(self._vectors, question)
        import numpy as np

        if self._matrix is None or len(self._vectors) - len(self._matrix) > LATER:
            self._matrix = matrix(self._vectors, dimension)
        wanted = np.frombuffer(question, "<f4")
        scores, later = self._matrix @ wanted, self._vectors[len(self._matrix) :]
        return np.append(scores, matrix(later, dimension) @ wanted) if later else scores


def _filled(entry: IndexedRow, record: Any) -> IndexedRow:
    """An entry with the content of its record."""
    names = ("topic", "metadata", "provenance")
    content = {name: getattr(record, name) for name in names if hasattr(record, name)}
    return replace(entry, text=text_of(kind_of(type(record)).shown, record), **content)
