"""The rows to delete when something is to be forgotten, and why each of them.

Rows are judged one by one, in rounds: what goes in one round makes others go in the next, until
nothing more does. Two ways lead from one row to another: the links between them, and the words
themselves, which may stand again in a later answer or in the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from thalamus.policy.chunking import sentences
from thalamus.records import Link, Verdict
from thalamus.text.statements import share_said
from thalamus.text.tokens import spaced, words
from thalamus.text.word_lists import STOP_WORDS

PHRASE = 3  # words that a text must have to be looked for in other rows
LONGEST = 400  # words of a text that are looked for; a text that repeats these repeats it
SAME = 0.6  # share of a memory's content words that, found together, say the same again
_MADE = re.compile(r"[a-z]+_[0-9a-z]{21}")  # see ``clock.make_id``
_NAMED = ("named", "session", "of_document")  # rules by which a whole turn goes, with its fruits


@dataclass(frozen=True)
class ErasureRequest:
    """A request to forget something. ``names`` are words of theirs, to be found anywhere;
    ``subjects`` are subjects of facts; with ``user`` or ``agent`` other owners' rows stay."""

    ids: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    session: str | None = None
    user: str | None = None
    agent: str | None = None


@dataclass
class ScanItem:
    """One row as far as forgetting is concerned.

    ``kind``: turn, memory, fact, document, plan, event, or the name of another table; ``texts``:
    what it says; ``quotes``: words of others that it carries and that can be cut out; ``main``: a
    fact's object, a memory's content, a turn's message and answer; ``label``: what a listing shows
    of it, where that is not the first of its texts; ``brings``: ids of what goes with it;
    ``names``: ids of what a log quotes;
    ``turns``: those that brought it; ``element``: of which world state it is a part, and which.
    """

    kind: str
    id: str
    texts: list[str]
    main: list[str] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    subject: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    turn: str | None = None
    document: str | None = None
    label: str = ""
    brings: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    turns: tuple[str, ...] = ()
    element: tuple[str, tuple[str, str, str]] | None = None

    @property
    def shown(self) -> str:
        """The text that a listing shows."""
        if self.label:
            return self.label
        return self.texts[0] if self.texts else ""


class Phrases:
    """Runs of words, found whatever their case, spacing and punctuation."""

    def __init__(self) -> None:
        self._heads: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        self._sizes: set[int] = set()
        self._unspaced: list[str] = []
        self._anchors: set[str] = set()  # a word of each phrase: texts without any hold none
        self._finder: Any = None

    def __bool__(self) -> bool:
        return bool(self._heads)

    def add(self, text: str, least: int = PHRASE) -> bool:
        """Looks for ``text`` from now on, if it has so many words; whether it is new."""
        phrase = tuple(words(text)[:LONGEST])
        if not phrase or len(phrase) < least:
            return False
        head = phrase[:PHRASE]
        known = self._heads.setdefault(head, [])
        if phrase in known:
            return False
        known.append(phrase)
        self._sizes.add(len(head))
        self._anchors.add(max(phrase, key=len))
        self._finder = None
        if least < PHRASE and (folded := _folded(text)) != spaced(text).casefold():
            self._unspaced.append(folded)
        return True

    def found_in(self, texts: Iterable[str]) -> bool:
        """True if one of the texts holds one of the phrases."""
        given = [text for text in texts if text]
        if not given or not self._anchors or not self._anchored("\n".join(given)):
            return False
        return any(self._held(text) for text in given)

    def _anchored(self, text: str) -> bool:
        """True if a text has to be taken apart: most texts hold no word of any phrase."""
        if self._finder is None:
            import ahocorasick_rs

            self._finder = ahocorasick_rs.AhoCorasick([*self._anchors, *self._unspaced])
        folded = text.casefold() if text.isascii() else _folded(text)
        return bool(self._finder.find_matches_as_indexes(folded))

    def _held(self, text: str) -> bool:
        said = tuple(words(text))
        for size in self._sizes:
            for start in range(len(said) - size + 1):
                for phrase in self._heads.get(said[start : start + size], ()):
                    if said[start : start + len(phrase)] == phrase:
                        return True
        return bool(self._unspaced) and any(part in _folded(text) for part in self._unspaced)


def _folded(text: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFKC", text).casefold()


def says_again(gone: ScanItem, texts: Iterable[str]) -> bool:
    """True if texts near a fact or memory repeat it in other words: they hold the fact's
    object, or most of the memory's content words together."""
    if gone.kind == "fact":
        object = Phrases()
        bearing = any(word not in STOP_WORDS for word in words(gone.main[0]))
        return bearing and object.add(gone.main[0], least=1) and object.found_in(texts)
    return any(share_said(gone.main[0], text) >= SAME for text in texts)


def same_statement(one: ScanItem, other: ScanItem) -> bool:
    """True if two items extracted from one turn say the same."""
    return says_again(one, other.texts) or says_again(other, one.texts)


@dataclass(frozen=True)
class Shortened:
    """A turn of which only sentences go: its message without them, and what goes. The answer goes
    as a whole, because it may speak of them in words of its own."""

    turn: ScanItem
    left: str
    gone: tuple[str, ...]

    @property
    def texts(self) -> list[str]:
        """All that goes: the sentences, and the answer."""
        return [*self.gone, *(text for text in self.turn.main[1:] if text)]

    @property
    def verdict(self) -> Verdict:
        """The decision about the turn, with the rest of its message."""
        answer = " and the answer" if len(self.texts) > len(self.gone) else ""
        said = " ".join(f"“{one}”" for one in self.gone)
        return Verdict(
            decision="keep",
            rule="shortened",
            reason=f"without {said}{answer}",
            id=self.turn.id,
            content=self.left,
        )


def shortened(turn: ScanItem, gone: Iterable[ScanItem], phrases: Phrases) -> Shortened | None:
    """A turn without the sentences that say what goes again or hold one of the phrases; None when
    none would be left, or when the words stand elsewhere in the turn than in what was said."""
    message, going = turn.main[0], list(gone)
    spans = sentences(message)
    starts = [start for start, _ in spans]
    kept, cut = [], []
    for (start, end), following in zip(spans, [*starts[1:], len(message)], strict=True):
        if _says(message[start:end], going) or phrases.found_in([message[start:end]]):
            cut.append(message[start:end])
        else:
            kept.append(message[start:following])
    left = "".join(kept).strip()
    beside = [text for text in turn.texts if text not in turn.main]
    if not (left and cut) or phrases.found_in([left, *beside]):
        return None
    return Shortened(turn, left, tuple(cut))


def _says(sentence: str, going: Iterable[ScanItem]) -> bool:
    """True if a sentence repeats a deleted item, or most of its words are in that item."""
    for gone in going:
        if says_again(gone, [sentence]):
            return True
        for text in (*gone.main, *gone.quotes):
            if share_said(sentence, text) >= SAME:
                return True
    return False


@dataclass
class ErasurePlan:
    """The rows to delete, and the changes to rows that stay.

    ``taken``: by kind and id; ``shortened``: turns that stay without some sentences, by id;
    ``cuts``: id of a row that stays -> what is cut out of it (``quote``,
    ``turn``, ``document``); ``sessions``: names that hold the words, to be replaced.
    """

    taken: dict[tuple[str, str], ScanItem] = field(default_factory=dict)
    shortened: dict[str, Shortened] = field(default_factory=dict)
    verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    cuts: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    cut_words: list[str] = field(default_factory=list)
    kept: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    sessions: set[str] = field(default_factory=set)

    def ids(self, kind: str) -> list[str]:
        """The ids of one kind that go."""
        return [id for taken, id in self.taken if taken == kind]

    def __bool__(self) -> bool:
        return bool(self.taken or self.cuts or self.sessions)


class ErasureWalk:
    """Judges rows until nothing more goes: ``while chain.round(pieces()): pass``, then
    ``chain.ledger(events())``."""

    def __init__(self, wanted: ErasureRequest, links: Iterable[Link]) -> None:
        self.plan = ErasurePlan()
        self._wanted = wanted
        self._subjects = {subject.casefold() for subject in wanted.subjects}
        self._given, self._all, self._fresh = Phrases(), Phrases(), Phrases()
        self._next = Phrases()
        for name in wanted.names:
            for phrases in (self._given, self._all, self._fresh):
                phrases.add(name, least=1)
        self._links: dict[str, list[Link]] = {}
        for link in links:
            for end in {link.source, link.target}:
                self._links.setdefault(end, []).append(link)
        self._because: dict[str, tuple[str, str, ScanItem | None]] = {}  # linked to what went
        self._whole: set[str] = set()  # turns and documents that go with all that came of them
        self._turns: set[str] = set()  # turns that go
        self._siblings: dict[str, list[ScanItem]] = {}  # turn -> what went of what was said there
        self._used: dict[str, list[ScanItem]] = {}  # turn -> what went of its evidence
        self._of_turn: dict[tuple[str, str], ScanItem] = {}
        self._others: set[str] = set()  # turns of other owners
        self._concluded: dict[str, str] = {}  # insights of which a source went, with the reason
        self._ledger_only = Phrases()

    def round(self, pieces: Iterable[ScanItem]) -> bool:
        """Judges every row; whether another round is needed."""
        before = len(self.plan.taken), len(self.plan.shortened)
        self._next = Phrases()
        for piece in pieces:
            key = (piece.kind, piece.id)
            if key in self.plan.taken:
                continue
            if self._belongs_to_others(piece):
                if piece.kind == "turn":
                    self._others.add(piece.id)
                continue
            found = self._judge(piece)
            if piece.kind == "turn" and self._shortened(piece, found):
                continue
            if found is not None:
                self._take(piece, *found)
                continue
            if piece.turn:
                self._of_turn[key] = piece
            if self._fresh and self._fresh.found_in(piece.quotes):
                self._cut(piece, "quote")
            if piece.session and self._given and self._given.found_in([piece.session]):
                self.plan.sessions.add(piece.session)
        self._fresh = self._next
        return (len(self.plan.taken), len(self.plan.shortened)) > before

    def _shortened(self, turn: ScanItem, found: tuple[str, str] | None) -> bool:
        """True if a turn stays without the sentences that go: where memories or facts are named,
        one in which they were said, and that says something else besides."""
        self.plan.shortened.pop(turn.id, None)
        gone = self._siblings.get(turn.id)
        if found is None or found[0] not in ("said_in", "holds_words") or not gone:
            return False
        if self._wanted.names or self._wanted.session is not None:
            return False
        left = shortened(turn, gone, self._all)
        if left is not None:
            self.plan.shortened[turn.id] = left
        return left is not None

    def logs(self, items: Iterable[ScanItem]) -> ErasureWalk:
        """Judges the logs of stages, after the last round: nothing else goes because of one. A log
        that quotes what goes is deleted whole."""
        gone = {id for _, id in self.plan.taken}
        for item in items:
            if self._belongs_to_others(item):
                continue
            found = self._judge_log(item, gone)
            if found is not None:
                rule, reason = found
                self.plan.taken[item.kind, item.id] = item
                self.plan.verdicts[item.kind, item.id] = Verdict(
                    decision="forget", rule=rule, reason=reason, id=item.id, content=item.shown
                )
        return self

    def _judge_log(self, item: ScanItem, gone: set[str]) -> tuple[str, str] | None:
        if item.id in self._wanted.ids:
            return "named", "named"
        if item.turn in self._turns:
            return "of_turn", "about a deleted turn"
        if item.turn in self.plan.shortened:
            return "of_turn", "about a shortened turn"
        if self._wanted.session is not None and item.session == self._wanted.session:
            return "session", "about the session"
        if not gone.isdisjoint(item.names):
            return "quotes", "quoting what is deleted"
        if self._all.found_in([*item.texts, item.session or ""]):
            return "holds_words", "contains words to be forgotten"
        return None

    def ledger(self, events: Iterable[ScanItem]) -> ErasurePlan:
        """Judges the ledger's entries, cuts the ties of what stays, and gives the result."""
        for event in events:
            if event.turn in self._others:
                continue
            if event.turn in self._turns:
                self._take(event, "of_turn", "about a deleted turn")
            elif event.turn in self.plan.shortened:
                self._take(event, "of_turn", "about a shortened turn")
            elif self._wanted.session is not None and event.session == self._wanted.session:
                self._take(event, "session", "about the session")
            elif self._in_event(event):
                self._take(event, "holds_words", "contains words to be forgotten")
        for key, piece in self._of_turn.items():
            if piece.turn in self._turns and key not in self.plan.taken:
                self._cut(piece, "turn")
        for key in [key for key in self.plan.cuts if key in self.plan.taken]:
            del self.plan.cuts[key]
            self.plan.kept.pop(key, None)
        return self.plan

    def _in_event(self, event: ScanItem) -> bool:
        """True if a ledger entry holds words that are to be erased."""
        texts = [*event.texts, event.session or ""]
        return self._all.found_in(texts) or self._ledger_only.found_in(event.texts)

    def _judge(self, piece: ScanItem) -> tuple[str, str] | None:
        wanted = self._wanted
        if piece.id in wanted.ids:
            return "named", "named"
        if wanted.session is not None and piece.session == wanted.session:
            return "session", "belongs to the session"
        if piece.subject is not None and piece.subject.casefold() in self._subjects:
            return "subject", f"about {piece.subject}"
        if piece.document in self._whole:
            return "of_document", "part of the document"
        if piece.turn in self._whole:
            return "derived", f"derived from the turn {piece.turn}"
        if piece.kind == "plan" and (
            piece.turn in self._turns or piece.turn in self.plan.shortened
        ):
            return "plan_of_turn", f"planned after the turn {piece.turn}"
        return self._linked(piece) or self._worded(piece)

    def _linked(self, piece: ScanItem) -> tuple[str, str] | None:
        if piece.kind == "insight" and piece.id in self._concluded:
            return "derived", self._concluded[piece.id]
        if piece.id in self._because:
            rule, reason, older = self._because[piece.id]
            if older is None or _same_object(older, piece):
                return rule, reason
        for gone in self._used.get(piece.id, ()) if piece.kind == "turn" else ():
            if says_again(gone, piece.main):
                return "repeats", f"repeats {gone.id}, which it was given"
        for turn in (piece.turn or "", *piece.turns):
            for gone in self._siblings.get(turn, ()):
                if piece.kind in ("memory", "fact", "world") and same_statement(gone, piece):
                    return "same_statement", f"same statement as {gone.id}, from the same turn"
        return None

    def _worded(self, piece: ScanItem) -> tuple[str, str] | None:
        if self._fresh and self._fresh.found_in([*piece.texts, piece.id]):
            return "holds_words", "contains words to be forgotten"
        if piece.kind == "plan" and piece.session and self._given.found_in([piece.session]):
            return "holds_words", "the name of its session contains the words"
        return None

    def _take(self, piece: ScanItem, rule: str, reason: str) -> None:
        key = (piece.kind, piece.id)
        self.plan.taken[key] = piece
        self.plan.verdicts[key] = Verdict(
            decision="forget", rule=rule, reason=reason, id=piece.id, content=piece.shown
        )
        whole = rule in _NAMED or piece.kind != "turn"
        if piece.kind == "turn":
            self._turns.add(piece.id)
        if piece.kind == "document" or (piece.kind == "turn" and whole):
            self._whole.add(piece.id)
        if piece.kind == "document" or (piece.kind != "event" and is_given(piece.id)):
            self._ledger_only.add(piece.id, least=1)
        if piece.kind in ("memory", "fact") and piece.turn:
            reason = f"{piece.id} was said there"
            self._because.setdefault(piece.turn, ("said_in", reason, None))
            self._siblings.setdefault(piece.turn, []).append(piece)
        for id in piece.brings:
            self._because.setdefault(id, ("derived", f"derived from {piece.id}", None))
        if piece.kind in ("turn", "memory", "fact", "insight") and whole:
            self._look_for(piece)
        if piece.kind in ("turn", "memory", "fact", "insight", "document") and whole:
            self._follow(piece)
        self._conclude(piece)

    def _conclude(self, piece: ScanItem) -> None:
        """Insights go with anything that they rest on, and with what was merged into them."""
        for link in self._links.get(piece.id, ()):
            if link.relation == "derived_from" and link.target == piece.id:
                self._concluded.setdefault(link.source, f"concluded from {piece.id}")

    def _look_for(self, piece: ScanItem) -> None:
        said = piece.main if piece.kind != "fact" else piece.texts[:1]
        for text in (*said, *piece.quotes):
            if self._all.add(text):
                self._next.add(text)

    def _follow(self, piece: ScanItem) -> None:
        """Along the links of something that goes."""
        for link in self._links.get(piece.id, ()):
            other = link.target if link.source == piece.id else link.source
            if link.relation == "evidence_of":
                if link.source == piece.id and piece.kind in ("memory", "fact", "insight"):
                    self._used.setdefault(other, []).append(piece)
            elif link.relation == "merged_into" and piece.kind == "insight":
                continue  # those that were merged into it say something else
            elif link.relation == "merged_into":
                self._because.setdefault(other, ("merged", f"merged with {piece.id}", None))
            elif link.relation == "supersedes":
                if link.source == piece.id:
                    older = piece if piece.kind == "fact" else None
                    reason = f"earlier version of {piece.id}"
                    self._because.setdefault(other, ("version", reason, older))
            elif link.relation in ("derived_from", "part_of") and link.target == piece.id:
                reason = f"derived from {piece.id}"
                self._because.setdefault(other, ("derived", reason, None))

    def _cut(self, piece: ScanItem, what: str) -> None:
        key = (piece.kind, piece.id)
        self.plan.cuts.setdefault(key, set()).add(what)
        if what == "quote":
            self.plan.cut_words += piece.quotes
        reason = "its own words differ; its origin is removed"
        self.plan.kept[key] = Verdict(
            decision="keep", rule="own_words", reason=reason, id=piece.id, content=piece.shown
        )

    def _belongs_to_others(self, piece: ScanItem) -> bool:
        owners = ((self._wanted.user, piece.user), (self._wanted.agent, piece.agent))
        return any(wanted and owner and owner != wanted for wanted, owner in owners)


def is_given(id: str) -> bool:
    """True if an id was given by a user, so that it may hold words, and not generated."""
    return _MADE.fullmatch(id) is None


def _same_object(one: ScanItem, other: ScanItem) -> bool:
    """True if two facts are versions of one: then the older goes with the newer."""
    return other.kind != "fact" or words(one.main[0]) == words(other.main[0])
