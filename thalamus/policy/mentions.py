"""Records that mention a topic, in any form of its words: for `forget --about`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from thalamus.policy.erasure import ScanItem
from thalamus.text.analyzer import words
from thalamus.text.tokens import own_words, share_found

_ELIDED = re.compile(r"\b(?:[cdjlmnst]|qu)['’](?=\w{2})", re.IGNORECASE)


class Mentions(Struct, frozen=True):
    """``ids`` of the records that mention a topic; ``names`` of persons that it denotes: for "my
    brother" the name of the brother, if a fact has it."""

    ids: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def subject_words(topic: str) -> list[str]:
    """Words that a record must have to mention ``topic``, in any of their forms."""
    found = own_words(_ELIDED.sub("", topic))
    return [word for word in found if len(word) > 1 or word.isdigit()]


def mentions(topic: str, pieces: Iterable[ScanItem]) -> Mentions:
    """Records that mention ``topic``: memories and facts with all its words, and turns in which the
    user said them if no memory or fact was made from them. Document chunks are left out."""
    topic_words = subject_words(topic)
    ids: list[str] = []
    names: list[str] = []
    sources: set[str | None] = set()
    turns: list[str] = []
    for piece in pieces:
        if piece.kind == "turn" and piece.main and names_all(topic_words, piece.main[0]):
            turns.append(piece.id)
        elif piece.kind in ("memory", "fact") and not piece.document:
            text = piece.texts[0].replace("_", " ") if piece.texts else ""
            if not names_all(topic_words, text):
                continue
            ids.append(piece.id)
            sources.add(piece.turn)
            if piece.kind == "fact" and _relates(piece, topic_words):
                names.append(piece.main[0])
    ids += [id for id in turns if id not in sources]
    return Mentions(ids, list(dict.fromkeys(names)))


def names_all(topic_words: Sequence[str], text: str) -> bool:
    """True if a text has all words of a topic, in any form."""
    return bool(topic_words) and share_found(topic_words, _full_words(text)) == 1


def _full_words(text: str) -> list[str]:
    """Words of a text, without elided prefixes ("j'habite", "l'école")."""
    return words(_ELIDED.sub("", text))


def _relates(piece: ScanItem, topic_words: Sequence[str]) -> bool:
    """True if a fact names the wanted person: "user brother Paul"."""
    object = piece.main[0]
    predicate = piece.texts[0].removeprefix(piece.subject or "").removesuffix(object)
    return object[:1].isupper() and names_all(topic_words, predicate.replace("_", " "))
