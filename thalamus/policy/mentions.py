"""Which rows speak of something, whatever the form of its words: for `forget --about`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from thalamus.policy.erasure import ScanItem
from thalamus.text.tokens import STOP_WORDS, share_found, words

# what says whose or where it is, and not what (German, Spanish, French, Portuguese; the English
# ones are stop words)
_FRAME = frozenset(
    """ich du er sie es wir ihr mein meine meinen meinem meiner meines unser unsere unseren unserem
    unserer dein deine sein seine seinen ihre ihren der die das den dem des ein eine einen einem
    einer in im an am auf zu zum zur von vom mit bei für über und oder bin ist sind habe hat haben
    yo tú él ella mi mis nuestro nuestra nuestros nuestras su sus el la los las un una unos unas de
    del en con por para sobre y o soy es son he ha tengo tiene
    je tu il elle nous vous mon ma mes notre nos son sa ses le les une des du au aux dans avec sur
    pour et ou suis est sont ai a
    eu ele ela meu minha meus minhas nosso nossa seu sua o os as um uma do da dos das no na nos nas
    em com sobre e ou sou é são tenho tem""".split()
)

_ELIDED = re.compile(r"\b(?:[cdjlmnst]|qu)['’](?=\w{2})", re.IGNORECASE)


@dataclass(frozen=True)
class Mentions:
    """``ids`` of what speaks of something; ``names`` of whom it is by another word: of "my
    brother" the name of the brother, where a fact knows it."""

    ids: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def subject_words(topic: str) -> list[str]:
    """The words that a row must have to speak of ``topic``, in any of their forms."""
    found = [word for word in _whole(topic) if word not in STOP_WORDS and word not in _FRAME]
    return [word for word in found if len(word) > 1 or word.isdigit()]


def mentions(topic: str, pieces: Iterable[ScanItem]) -> Mentions:
    """What speaks of ``topic``: memories and facts with all its words, and what the user said with
    them where no memory or fact was made of it. Pieces of documents are left out."""
    wanted = subject_words(topic)
    ids: list[str] = []
    names: list[str] = []
    sources: set[str | None] = set()
    said: list[str] = []
    for piece in pieces:
        if piece.kind == "turn" and piece.main and _holds(wanted, piece.main[:1]):
            said.append(piece.id)
        elif piece.kind in ("memory", "fact") and not piece.document:
            texts = [text.replace("_", " ") for text in piece.texts[:1]]
            if _holds(wanted, texts):
                ids.append(piece.id)
                sources.add(piece.turn)
                if piece.kind == "fact" and _relates(piece, wanted):
                    names.append(piece.main[0])
    ids += [id for id in said if id not in sources]
    return Mentions(ids, list(dict.fromkeys(names)))


def _holds(wanted: Sequence[str], texts: Iterable[str]) -> bool:
    return bool(wanted) and any(share_found(wanted, _whole(text)) == 1 for text in texts)


def _whole(text: str) -> list[str]:
    """The words of a text, without what is only put before them ("j'habite", "l'école")."""
    return words(_ELIDED.sub("", text))


def _relates(piece: ScanItem, wanted: Sequence[str]) -> bool:
    """Whether a fact says who it is that is meant: "user brother Paul"."""
    object = piece.main[0]
    predicate = piece.texts[0].removeprefix(piece.subject or "").removesuffix(object)
    return object[:1].isupper() and _holds(wanted, [predicate.replace("_", " ")])
