"""Encryption of ledger entries about personal records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from thalamus.records import Event, Turn

if TYPE_CHECKING:
    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.reader import Reader

_UNFINISHED = "SELECT 1 FROM job WHERE kind = 'finish' AND turn = ? AND state <> 'done'"


def encrypted_entries(
    reader: Reader,
    cipher: Cipher,
    events: Sequence[Event],
    key_of_turn: Callable[[str | None], str | None],
) -> list[Event]:
    """Entries as stored: about an encrypted turn, or with the reason for a change of an encrypted
    fact, with the same key; and those with words of a model. ``key_of_turn``: id of the key that a
    turn is encrypted with, if it is."""
    keys = {turn: key_of_turn(turn) for turn in {event.turn for event in events}}
    return [_encrypted(reader, cipher, event, keys[event.turn]) for event in events]


def _encrypted(reader: Reader, cipher: Cipher, event: Event, subject: str | None) -> Event:
    if subject and _has_no_words(event) and reader.fetch(_UNFINISHED, event.turn):
        subject = None  # entries before reflection have no words
    elif subject is None and event.data.get("reason"):
        subject = cipher.key_id("fact", event.data.get("fact"))
    elif subject is None and _has_words_of_model(event):
        subject = _key_of_owner(reader, cipher, event)
    return cipher.encrypt_event(event, subject) if subject else event


def _key_of_owner(reader: Reader, cipher: Cipher, event: Event) -> str | None:
    """Id of the key of the user whose turn an entry is about."""
    owners = reader.fetch('SELECT "user" FROM turn WHERE id = ?', event.turn)
    turn = Turn(message="", user=owners[0][0] if owners else None)
    subject = cipher.subject(turn, always=True)
    return cipher.of_subject(subject)[0] if subject else None


def _has_words_of_model(event: Event) -> bool:
    """True for an entry with words of a model, which may repeat anything from its prompt: replies
    that could not be used, and the reasons why proposals were refused."""
    detail = event.data.get("detail") or {}
    return "unusable_replies" in detail or isinstance(detail.get("refused"), list)


def _has_no_words(event: Event) -> bool:
    """True for an entry without words of its turn: that of a stage, except for drafts."""
    return event.name == "stage" and event.data.get("stage") not in ("draft", "search_plan")
