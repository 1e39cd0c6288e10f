"""Personal records and their subjects: the one decision on what a store encrypts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from thalamus.records import Fact, Memory, Reflection, Turn, Verdict
from thalamus.store.encrypted import NOBODY
from thalamus.store.encryption import contents

if TYPE_CHECKING:
    from thalamus.memory.draft import Storable
    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.reader import Reader


def subject_of(record: Memory | Fact | Turn, encrypted: Cipher) -> str | None:
    """Subject under whose key a record is encrypted; None when it is not personal. ``encrypted``:
    what is encrypted already, which a turn may repeat."""
    owner = record.user or NOBODY
    if isinstance(record, Turn):
        return owner if _is_personal_turn(record, encrypted) else None
    if not is_personal(record):
        return None
    if isinstance(record, Fact) and record.subject.casefold() != "user":
        return record.subject.casefold()
    return owner


def is_personal(record: Memory | Fact) -> bool:
    """True for a memory or a fact that is marked as personal, whose predicate is, or in whose words
    a rule finds something personal."""
    if record.sensitivity == "personal":
        return True
    if isinstance(record, Fact):
        from thalamus.memory.facts.predicates import packaged  # readers do not need it

        if packaged().personal(record.predicate):
            return True
        statement = f"{record.predicate.replace('_', ' ')} is {record.object}"
        texts = [statement, record.quote]
    else:
        texts = [record.content, record.topic]
    if record.provenance is not None:
        texts += _quotes(record)
    if record.metadata:
        texts += _strings(record.metadata)
    return _match(*texts)


def mark_personal(found: Memory | Fact | Reflection) -> None:
    """Marks personal records in place; in a reflection also those that share words with a personal
    one, and refused statements, which may be quarantined."""
    if not isinstance(found, Reflection):
        if is_personal(found):
            found.sensitivity = "personal"
        return
    from thalamus.policy.sensitivity import with_shared_words  # readers do not need it

    items: list[Memory | Fact] = [*found.memories_to_store, *found.facts]
    private = [is_personal(item) for item in items]
    private += [_match(one.content) or one.sensitivity == "personal" for one in found.refused]
    words = [*map(words_of, items), *([one.content] for one in found.refused)]
    statements: list[Memory | Fact | Verdict] = [*items, *found.refused]
    for one, marked in zip(statements, with_shared_words(private, words), strict=True):
        if marked:
            one.sensitivity = "personal"


def mark_replacements(records: Iterable[Storable], store: Reader) -> None:
    """Marks memories and facts in place that replace or correct something encrypted."""
    new = [record for record in records if isinstance(record, (Memory, Fact))]
    old = {id for record in new for id in (record.replaces, record.corrects) if id}
    hidden = contents.ids(store, old)
    for record in new:
        if hidden & {record.replaces, record.corrects}:
            record.sensitivity = "personal"


def says_personal(turn: Turn) -> bool:
    """True for a turn in which a rule matches, or of which something personal was extracted."""
    if _match(turn.message, turn.answer, *_strings(turn.metadata)):
        return True
    refused = turn.reflection.refused if turn.reflection is not None else []
    return any(map(is_personal, _items(turn))) or any(
        verdict.sensitivity == "personal" for verdict in refused
    )


def _items(turn: Turn) -> list[Memory | Fact]:
    """Memories and facts extracted from a turn, or proposed by its tools."""
    found = turn.reflection or Reflection()
    return [*found.memories_to_store, *found.facts, *(turn.proposals or ())]


def _is_personal_turn(turn: Turn, encrypted: Cipher) -> bool:
    """True for a turn that is marked as personal, says something personal, changes it, or may
    repeat it."""
    from thalamus.policy.evidence_text import used_lines, used_words  # readers do not need it

    if turn.sensitivity == "personal" or says_personal(turn):
        return True
    found = turn.reflection or Reflection()
    ids = [item.id for item in turn.evidence if item.kind != "turn"]  # the answer may repeat them
    ids += used_lines(turn.profile or (), turn.answer or "")
    ids += [ending.id for ending in found.no_longer] + found.forget
    ids += [id for item in _items(turn) for id in (item.replaces, item.corrects) if id]
    # words of what is personal in the turns that were shown to the model; the turns themselves do
    # not count: otherwise every turn would be encrypted in the end
    shown = [item.id for item in turn.evidence if item.kind == "turn"]
    shown += turn.dialogue.shown if turn.dialogue else []
    words = f"{turn.message}\n{turn.answer or ''}"
    texts = encrypted.behind(shown, ids)
    return texts is None or any(used_words(text, "", words) for text in texts)


def _match(*texts: str | None) -> bool:
    """True if a rule finds something personal in one of the texts."""
    from thalamus.policy.sensitivity import personal  # readers do not need it

    return any(map(personal, filter(None, texts)))


def words_of(record: Memory | Fact) -> list[str]:
    """The words of a record and its quotes."""
    texts = [record.object, record.quote] if isinstance(record, Fact) else [record.content]
    return [text for text in (*texts, *_quotes(record)) if text]


def _quotes(record: Memory | Fact) -> list[str | None]:
    source = record.provenance
    return [source.quote, source.heading] if source is not None else []


def _strings(value: Any) -> Iterator[str]:
    """The texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from (name, *_strings(part))
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
