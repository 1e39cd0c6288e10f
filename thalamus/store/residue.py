"""The search for residue of forgotten words, whatever the database: what is searched for, what of
that stays in other records, and the bytes of files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from thalamus.store.erasure import Clean, ErasedContent, Residue, ResidueReport
from thalamus.store.sqlite.raw_bytes import blocks
from thalamus.text.half_precision import widened
from thalamus.text.word_lists import STOP_WORDS

BLOCK = 4 << 20  # bytes read at a time
EXCERPT = 48  # characters of an excerpt of a longer text
TOKEN = 5  # bytes of a word, above which it is searched for separately
DISTINCTIVE = 8  # bytes of a probe, above which a match between numbers is not accidental
MOST = 100  # places reported
MOST_WORDS = 200  # words looked up in the full-text index
STRUCTURE = ("meta.json", ".managed.json", "manifest")  # of an index: its own words are there
_TOKEN = re.compile(r"[^\W_]+")
# six bytes of text, which may begin and end within a character
_TEXT = re.compile(
    rb"[\x80-\xbf]{0,3}"
    rb"(?:[\x20-\x7e\t\n\r]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})*"
    rb"(?:[\xc2-\xf4][\x80-\xbf]{0,2})?"
)
# tests bytes that were a vector: an entry that stays may have the same
IsEmbedded = Callable[[bytes], bool]


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


# -- what stays ----------------------------------------------------------------------------------


class Remaining:
    """Probes that also occur in records that were not forgotten: ``common``."""

    def __init__(self, probes: Probes) -> None:
        self._probes = probes
        self.common: set[str] = set()

    def see(self, rows: Sequence[Sequence[object]]) -> None:
        """Searches rows; notes what is a part of a longer word, or a word of its own."""
        probes = self._probes
        values = (str(value) for row in rows for value in row if isinstance(value, str))
        data = "\x00".join(values).encode("utf-8", "replace")
        for pattern, start, end in probes.found(data):
            text = probes.patterns[pattern][1]
            if text in probes.names and not is_whole_word(data, start, end):
                probes.parts.add(text)
            elif text is not None:
                self.common.add(text)
                if (
                    _is_distinctive(text)
                    and text not in probes.excerpts
                    and is_whole_word(data, start, end)
                ):
                    probes.still.add(text)
        # a row is stored without separators: "medium" and "archival" have "march" between them
        joined = ("".join(_stored(value) for value in row) for row in rows)
        for pattern, _, _ in probes.found("\x00".join(joined).encode("utf-8", "replace")):
            probes.adjacent.add(probes.patterns[pattern][1] or "")


def _stored(value: object) -> str:
    """A value as text between others in the bytes of a row; null takes no bytes."""
    return value if isinstance(value, str) else "" if value is None else "\x00"


# -- files ---------------------------------------------------------------------------------------


def search_outside(
    outside: Mapping[Path, Clean],
    copies: Iterable[Path],
    probes: Probes,
    is_embedded: IsEmbedded,
    report: ResidueReport,
) -> None:
    """Searches files outside the store, which are cleaned first, and copies, which are not
    touched."""
    for path, clean in outside.items():
        if path.is_file():
            part = clean(lambda data: _contains_forgotten(path, data, probes, is_embedded))  # noqa: B023
            read = blocks if part is None else lambda *_: iter([part])  # noqa: B023
            read_file(path, probes, is_embedded, report, copy=False, read=read)
    for path in copies:
        if path.is_file():
            read_file(path, probes, is_embedded, report, copy=True)
            report.copies.append(str(path))


def read_file(
    path: Path,
    probes: Probes,
    is_embedded: IsEmbedded,
    report: ResidueReport,
    copy: bool,
    read: Callable[[Path, int], Iterator[bytes]] = blocks,
) -> None:
    """Searches a file in blocks that overlap by the length of a probe. ``copy``: the file is not
    part of the store; ``read``: reads it."""
    report.files += 1
    try:
        kept, offset, seen = b"", 0, set()
        for block in read(path, BLOCK):
            report.bytes += len(block)
            data = kept + block
            for pattern, start, end in probes.found(data):
                if offset + start in seen or len(report.found) >= MOST:
                    continue
                match = (path, data, start, end, probes.patterns[pattern])
                description = _judge(*match, probes, is_embedded)
                if description:
                    seen.add(offset + start)
                    report.found.append(Residue(str(path), offset + start, description, copy))
            reach = probes.longest + 2 * DISTINCTIVE
            offset += max(0, len(data) - reach)
            kept = data[-reach:]
    except FileNotFoundError:
        return  # another process has just replaced it
    except OSError as error:
        report.found.append(Residue(str(path), -1, f"cannot be read: {error}", copy))


def _contains_forgotten(path: Path, data: bytes, probes: Probes, is_embedded: IsEmbedded) -> bool:
    """True when bytes of a file contain forgotten content."""
    return any(
        _judge(path, data, start, end, probes.patterns[pattern], probes, is_embedded)
        for pattern, start, end in probes.found(data)
    )


def _judge(
    path: Path,
    data: bytes,
    start: int,
    end: int,
    pattern: tuple[bytes, str | None],
    probes: Probes,
    is_embedded: IsEmbedded,
) -> str:
    """Description of a match; empty when it is accidental or legitimate."""
    text = pattern[1]
    if text is None:
        return "" if is_embedded(data[start:end]) else "a vector, or an encrypted text"
    if path.name in STRUCTURE and text in probes.tokens:
        return ""
    if text in probes.adjacent and not is_whole_word(data, start, end):
        return ""
    if end - start < DISTINCTIVE and not _is_in_text(data, start, end):
        return ""
    if text in probes.names:
        # a short one matches inside other words, including those of the indexes' own files
        whole_word = (text not in probes.parts and end - start >= DISTINCTIVE) or is_whole_word(
            data, start, end
        )
        return "a name that was given" if whole_word else ""
    return "a word" if text in probes.tokens else "an excerpt of a text"


def _is_in_text(data: bytes, start: int, end: int) -> bool:
    """True when a short match is next to text: among numbers any few bytes occur somewhere."""
    before, after = data[max(0, start - 6) : start], data[end : end + 6]
    return any(len(side) == 6 and _TEXT.fullmatch(side) for side in (before, after))


def is_whole_word(data: bytes, start: int, end: int) -> bool:
    """True when a name matches as a whole word."""
    sides = data[max(0, start - 1) : start] + data[end : end + 1]
    return not any(byte >= 0x80 or bytes([byte]).isalnum() for byte in sides)


def _is_distinctive(text: str) -> bool:
    """True for a word that looks like a name or a number."""
    return text[:1].isupper() or any(letter.isdigit() for letter in text)
