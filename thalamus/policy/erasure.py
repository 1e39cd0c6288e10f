"""Decides which rows to delete when something is forgotten, each with a reason.

Rows are judged one by one, in rounds: rows deleted in one round can make others follow in the next,
until no more are found. There are two connections from one row to another: links, and the words
themselves, which may occur again in a later answer or in the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from thalamus.names import normal_name, normalize
from thalamus.records import Link, Verdict
from thalamus.records.ownership import Owner
from thalamus.text.analyzer import fold, spaced, words
from thalamus.text.sentences import sentence_spans
from thalamus.text.statements import share_said
from thalamus.text.word_lists import STOP_WORDS

PHRASE = 3  # words from which a text is searched for in other rows
LONGEST = 400  # words of a text that are searched for; a text that repeats these repeats it
SAME = 0.6  # share of a memory's content words that, found together, repeat it
_GENERATED = re.compile(r"[a-z]+_[0-9a-z]{21}")  # see ``clock.make_id``
_FROM_TARGET = ("derived_from", "part_of", "proposes")  # links of what goes with their target
# kinds of rows whose links are followed
_FOLLOWED = ("turn", "memory", "fact", "insight", "document", "discovery_source")
# rules that delete a whole turn with everything derived from it
_WHOLE_TURN = ("named", "session", "of_document")


class ErasureRequest(Struct, frozen=True):
    """A request to forget. ``names``: words of the user, searched for everywhere; ``subjects``:
    subjects of facts; ``owner``: whose rows it may delete."""

    ids: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    session: str | None = None
    owner: Owner = Owner()

    def __post_init__(self) -> None:
        normalize(self, ("session",))


class ScanItem(Struct):
    """A row prepared for judging.

    ``kind``: turn, memory, fact, document, plan, event, or the name of another table; ``texts``:
    all its text; ``quotes``: words of other records in it, which can be cut out; ``main``: a fact's
    object, a memory's content, or a turn's message and answer; ``label``: its text in a listing, if
    not the first of its texts; ``brings``: ids deleted with it; ``names``: ids that a log quotes;
    ``turns``: the turns it came from; ``element``: for a part of a world state, its owner and
    place; ``parts``: for a change of the world state, the ids of all its elements.
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
    parts: tuple[str, ...] = ()

    @property
    def listing(self) -> str:
        """Text for a listing."""
        if self.label:
            return self.label
        return self.texts[0] if self.texts else ""


class Phrases:
    """Search for word sequences, regardless of case, spacing and punctuation."""

    def __init__(self) -> None:
        self._heads: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        self._sizes: set[int] = set()
        self._unspaced: list[str] = []
        self._anchors: set[str] = set()  # one word of each phrase, for a quick check
        self._finder: Any = None

    def __bool__(self) -> bool:
        return bool(self._heads)

    def add(self, text: str, least: int = PHRASE) -> bool:
        """Adds ``text`` to the phrases if it has at least ``least`` words. Returns True if it is
        new."""
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
        if least < PHRASE and (folded := fold(text)) != spaced(folded):
            self._unspaced.append(folded)
        return True

    def found_in(self, texts: Iterable[str]) -> bool:
        """True if one of the texts contains one of the phrases."""
        nonempty = [text for text in texts if text]
        if not nonempty or not self._anchors or not self._anchored("\n".join(nonempty)):
            return False
        return any(self._contains(text) for text in nonempty)

    def _anchored(self, text: str) -> bool:
        """True if a text may contain a phrase: most texts share no word with any."""
        if self._finder is None:
            import ahocorasick_rs

            self._finder = ahocorasick_rs.AhoCorasick([*self._anchors, *self._unspaced])
        return bool(self._finder.find_matches_as_indexes(fold(text)))

    def _contains(self, text: str) -> bool:
        tokens = tuple(words(text))
        for size in self._sizes:
            for start in range(len(tokens) - size + 1):
                for phrase in self._heads.get(tokens[start : start + size], ()):
                    if tokens[start : start + len(phrase)] == phrase:
                        return True
        return bool(self._unspaced) and any(part in fold(text) for part in self._unspaced)


def repeats(deleted: ScanItem, texts: Iterable[str]) -> bool:
    """True if texts near a fact or memory repeat it in other words: they contain the fact's object,
    or most of the memory's content words together."""
    if deleted.kind == "fact":
        object = Phrases()
        bearing = any(word not in STOP_WORDS for word in words(deleted.main[0]))
        return bearing and object.add(deleted.main[0], least=1) and object.found_in(texts)
    return any(share_said(deleted.main[0], text) >= SAME for text in texts)


def same_statement(one: ScanItem, other: ScanItem) -> bool:
    """True if two items extracted from one turn are the same statement."""
    return repeats(one, other.texts) or repeats(other, one.texts)


class Shortened(Struct, frozen=True):
    """A turn that loses its answer and maybe some sentences (``removed``): its message without
    them. The answer goes as a whole, since it may say the same in other words."""

    turn: ScanItem
    left: str
    removed: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Number of deleted sentences and answers."""
        counts = {"sentence": len(self.removed), "answer": len(self.turn.main) - 1}
        return {name: count for name, count in counts.items() if count}

    @property
    def texts(self) -> list[str]:
        """All deleted text: the sentences and the answer."""
        return [*self.removed, *self.turn.main[1:]]

    @property
    def verdict(self) -> Verdict:
        """The decision about the turn, with the rest of its message."""
        parts = [" ".join(f"“{one}”" for one in self.removed)] if self.removed else []
        parts += ["the answer"] if self.turn.main[1:] else []
        return Verdict(
            decision="keep",
            rule="shortened",
            reason=f"without {' and '.join(parts)}",
            id=self.turn.id,
            content=self.left,
        )


def shortened(turn: ScanItem, deleted: Iterable[ScanItem], phrases: Phrases) -> Shortened | None:
    """A turn without its answer and the sentences that repeat a deleted item or contain one of the
    phrases; None if nothing of it would be left or deleted, or if the words also occur outside the
    message and answer."""
    message, items = next(iter(turn.main), ""), list(deleted)
    spans = sentence_spans(message)
    starts = [start for start, _ in spans]
    kept, cut = [], []
    for (start, end), following in zip(spans, [*starts[1:], len(message)], strict=True):
        if _says(message[start:end], items) or phrases.found_in([message[start:end]]):
            cut.append(message[start:end])
        else:
            kept.append(message[start:following])
    left = "".join(kept).strip()
    other_texts = [text for text in turn.texts if text not in turn.main]
    if not left or phrases.found_in([left, turn.id, *other_texts]):
        return None
    if not (cut or turn.main[1:]):
        return None
    return Shortened(turn, left, tuple(cut))


def _says(sentence: str, deleted: Iterable[ScanItem]) -> bool:
    """True if a sentence repeats a deleted item, or most of its words are in that item."""
    for item in deleted:
        if repeats(item, [sentence]):
            return True
        for text in (*item.main, *item.quotes):
            if share_said(sentence, text) >= SAME:
                return True
    return False


class ErasurePlan(Struct):
    """The rows to delete, and the changes to rows that stay.

    ``deleted``: rows by kind and id; ``shortened``: turns that lose some sentences, by id;
    ``cuts``: for a row that stays, the parts cut out of it (``quote``, ``turn``, ``document``);
    ``sessions``: names that contain the words, to be replaced.
    """

    deleted: dict[tuple[str, str], ScanItem] = field(default_factory=dict)
    shortened: dict[str, Shortened] = field(default_factory=dict)
    verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    cuts: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    cut_words: list[str] = field(default_factory=list)
    kept: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    sessions: set[str] = field(default_factory=set)

    def ids(self, kind: str) -> list[str]:
        """Ids of the deleted rows of one kind."""
        return [id for row_kind, id in self.deleted if row_kind == kind]

    def __bool__(self) -> bool:
        return bool(self.deleted or self.cuts or self.sessions)


class ErasureWalk:
    """Judges rows until no more are found: ``while walk.round(items()): pass``, then
    ``walk.remains().logs(logs()).ledger(events())``."""

    def __init__(self, wanted: ErasureRequest, links: Iterable[Link]) -> None:
        self.plan = ErasurePlan()
        self._wanted = wanted
        self._subjects = {fold(subject) for subject in wanted.subjects}
        self._requested, self._known, self._current = Phrases(), Phrases(), Phrases()
        self._next = Phrases()
        for name in wanted.names:
            for phrases in (self._requested, self._known, self._current):
                phrases.add(name, least=1)
        self._links: dict[str, list[Link]] = {}
        for link in links:
            for end in {link.source, link.target}:
                self._links.setdefault(end, []).append(link)
        # ids linked to a deleted row
        self._linked_to_deleted: dict[str, tuple[str, str, ScanItem | None]] = {}
        # turns and documents deleted with everything derived from them
        self._with_derived: set[str] = set()
        self._turns: set[str] = set()  # deleted turns
        self._siblings: dict[str, list[ScanItem]] = {}  # turn -> deleted items that were said in it
        self._shortening: dict[str, tuple[str, str]] = {}  # turn -> rule and reason
        self._deleted_evidence: dict[
            str, list[ScanItem]
        ] = {}  # turn -> deleted items of its evidence
        self._of_turn: dict[tuple[str, str], ScanItem] = {}
        self._sessions: dict[str, set[str]] = {}  # session -> its turns
        self._titles: dict[str, ScanItem] = {}  # titles of sessions, by id
        self._changes: list[ScanItem] = []  # changes of world states
        self._unsupported_insights: dict[
            str, str
        ] = {}  # insights with a deleted source, with the reason
        self._ledger_only = Phrases()

    def round(self, pieces: Iterable[ScanItem]) -> bool:
        """Judges every row; returns True if another round is needed."""
        before = len(self.plan.deleted), len(self.plan.shortened)
        self._next = Phrases()
        self._changes.clear()
        for piece in pieces:
            key = (piece.kind, piece.id)
            if key in self.plan.deleted:
                continue
            if piece.kind == "turn" and piece.session:
                self._sessions.setdefault(piece.session, set()).add(piece.id)
            if self._belongs_to_others(piece):
                continue
            found = self._judge(piece)
            if piece.kind == "turn" and self._stays_shortened(piece, found):
                continue
            if found is not None:
                self._take(piece, *found)
                continue
            self._note_kept(piece)
        self._current = self._next
        return (len(self.plan.deleted), len(self.plan.shortened)) > before

    def _note_kept(self, piece: ScanItem) -> None:
        """Keeps in mind a row that stays, and cuts quotes of what is deleted from it."""
        if piece.turn:
            self._of_turn[piece.kind, piece.id] = piece
        if piece.kind == "session_title":
            self._titles[piece.id] = piece
        if piece.parts:
            self._changes.append(piece)
        if self._current and self._current.found_in(piece.quotes):
            self._cut(piece, "quote")
        if piece.session and self._requested and self._requested.found_in([piece.session]):
            self.plan.sessions.add(piece.session)

    def _stays_shortened(self, turn: ScanItem, found: tuple[str, str] | None) -> bool:
        """True if a turn stays without what says something deleted. Where memories or facts are
        named that may be sentences of the message, if it says anything else; words that are to be
        forgotten take the whole message with them. The user's message does not derive from what was
        recalled for it: it stays if only the answer repeats that."""
        found = found or self._shortening.get(turn.id)
        self.plan.shortened.pop(turn.id, None)
        if found is None or found[0] not in ("said_in", "repeats", "holds_words"):
            return False
        by_words = self._wanted.names or self._wanted.session is not None
        if self._requested.found_in(turn.main[:1]):
            return False
        if found[0] == "holds_words" and not by_words:
            self._add_repeated(turn)
        left = shortened(turn, self._siblings.get(turn.id, ()), self._known)
        if left is None or (by_words if left.removed else found[0] == "said_in"):
            return False
        self._shortening[turn.id] = found
        self.plan.shortened[turn.id] = left
        return True

    def _add_repeated(self, turn: ScanItem) -> None:
        """Counts deleted memories and facts that a turn's message says again among those said
        there."""
        siblings = self._siblings.setdefault(turn.id, [])
        for (kind, _), item in self.plan.deleted.items():
            if kind in ("memory", "fact") and item not in siblings and repeats(item, turn.main[:1]):
                siblings.append(item)

    def remains(self) -> ErasureWalk:
        """Judges rows of which nothing else is left after the last round: a session whose turns
        are all deleted loses its title, which reveals what it was about, and a change of the world
        state goes with the last of its elements."""
        for id, title in self._titles.items():
            turns = self._sessions.get(title.session or "")
            if turns and turns <= self._turns and (title.kind, id) not in self.plan.deleted:
                self._take(title, "of_session", "the title of a session without turns")
        for change in self._changes:
            if all(("world", id) in self.plan.deleted for id in change.parts):
                self._take(change, "emptied", "a change of which nothing is left")
        return self

    def logs(self, items: Iterable[ScanItem]) -> ErasureWalk:
        """Judges the logs of stages after the last round; no other row is deleted because of a log.
        A log that quotes a deleted row is deleted as a whole."""
        deleted = {id for _, id in self.plan.deleted}
        for item in items:
            if self._belongs_to_others(item):
                continue
            found = self._judge_log(item, deleted)
            if found is not None:
                rule, reason = found
                self.plan.deleted[item.kind, item.id] = item
                self.plan.verdicts[item.kind, item.id] = Verdict(
                    decision="forget", rule=rule, reason=reason, id=item.id, content=item.listing
                )
        return self

    def _judge_log(self, item: ScanItem, deleted: set[str]) -> tuple[str, str] | None:
        if item.id in self._wanted.ids:
            return "named", "named"
        if item.turn in self._turns:
            return "of_turn", "about a deleted turn"
        if item.turn in self.plan.shortened:
            return "of_turn", "about a shortened turn"
        if self._wanted.session is not None and item.session == self._wanted.session:
            return "session", "about the session"
        if not deleted.isdisjoint(item.names):
            return "quotes", "quoting what is deleted"
        if self._known.found_in([*item.texts, item.session or ""]):
            return "holds_words", "contains words to be forgotten"
        return None

    def ledger(self, events: Iterable[ScanItem]) -> ErasurePlan:
        """Judges the ledger's entries, cuts the references of rows that stay, and returns the
        plan."""
        for event in events:
            if self._belongs_to_others(event):
                continue
            if event.turn in self._turns:
                self._take(event, "of_turn", "about a deleted turn")
            elif event.turn in self.plan.shortened:
                self._take(event, "of_turn", "about a shortened turn")
            elif self._wanted.session not in (None, "") and self._wanted.session == normal_name(
                event.session or ""
            ):
                self._take(event, "session", "about the session")
            elif self._in_event(event):
                self._take(event, "holds_words", "contains words to be forgotten")
        for key, piece in self._of_turn.items():
            if piece.turn in self._turns and key not in self.plan.deleted:
                self._cut(piece, "turn")
        for key in [key for key in self.plan.cuts if key in self.plan.deleted]:
            del self.plan.cuts[key]
            self.plan.kept.pop(key, None)
        return self.plan

    def _in_event(self, event: ScanItem) -> bool:
        """True if a ledger entry contains words to be forgotten."""
        texts = [*event.texts, event.session or ""]
        return self._known.found_in(texts) or self._ledger_only.found_in(event.texts)

    def _judge(self, piece: ScanItem) -> tuple[str, str] | None:
        wanted = self._wanted
        if piece.id in wanted.ids:
            return "named", "named"
        if wanted.session is not None and piece.session == wanted.session:
            return "session", "belongs to the session"
        if piece.subject is not None and fold(piece.subject) in self._subjects:
            return "subject", f"about {piece.subject}"
        if piece.document in self._with_derived:
            return "of_document", "part of the document"
        if piece.turn in self._with_derived:
            return "derived", f"derived from the turn {piece.turn}"
        if piece.kind == "plan" and (
            piece.turn in self._turns or piece.turn in self.plan.shortened
        ):
            return "plan_of_turn", f"planned after the turn {piece.turn}"
        return self._match_links(piece) or self._match_words(piece)

    def _match_links(self, piece: ScanItem) -> tuple[str, str] | None:
        if piece.kind == "insight" and piece.id in self._unsupported_insights:
            return "derived", self._unsupported_insights[piece.id]
        if piece.id in self._linked_to_deleted:
            rule, reason, older = self._linked_to_deleted[piece.id]
            if older is None or _same_object(older, piece):
                return rule, reason
        for deleted in self._deleted_evidence.get(piece.id, ()) if piece.kind == "turn" else ():
            if repeats(deleted, piece.main[1:]):
                return "repeats", f"its answer repeats {deleted.id}, which was recalled for it"
        for turn in (piece.turn or "", *piece.turns):
            for deleted in self._siblings.get(turn, ()):
                if piece.kind in ("memory", "fact", "world") and same_statement(deleted, piece):
                    return "same_statement", f"same statement as {deleted.id}, from the same turn"
        return None

    def _match_words(self, piece: ScanItem) -> tuple[str, str] | None:
        if self._current and self._current.found_in([*piece.texts, piece.id]):
            return "holds_words", "contains words to be forgotten"
        if piece.kind == "plan" and piece.session and self._requested.found_in([piece.session]):
            return "holds_words", "the name of its session contains the words"
        return None

    def _take(self, piece: ScanItem, rule: str, reason: str) -> None:
        key = (piece.kind, piece.id)
        self.plan.deleted[key] = piece
        self.plan.verdicts[key] = Verdict(
            decision="forget", rule=rule, reason=reason, id=piece.id, content=piece.listing
        )
        whole = rule in _WHOLE_TURN or piece.kind != "turn"
        if piece.kind == "turn":
            self._turns.add(piece.id)
        if piece.kind == "document" or (piece.kind == "turn" and whole):
            self._with_derived.add(piece.id)
        if piece.kind == "document" or (piece.kind != "event" and is_given(piece.id)):
            self._ledger_only.add(piece.id, least=1)
        if piece.kind in ("memory", "fact") and piece.turn:
            reason = f"{piece.id} was said there"
            self._linked_to_deleted.setdefault(piece.turn, ("said_in", reason, None))
            self._siblings.setdefault(piece.turn, []).append(piece)
        for id in piece.brings:
            self._linked_to_deleted.setdefault(id, ("derived", f"derived from {piece.id}", None))
        if piece.kind in ("turn", "memory", "fact", "insight") and whole:
            self._look_for(piece)
        if piece.kind in _FOLLOWED and whole:
            self._follow(piece)
        self._conclude(piece)

    def _conclude(self, piece: ScanItem) -> None:
        """Marks the insights that rest on a deleted item."""
        for link in self._links.get(piece.id, ()):
            if link.relation == "derived_from" and link.target == piece.id:
                self._unsupported_insights.setdefault(link.source, f"concluded from {piece.id}")

    def _look_for(self, piece: ScanItem) -> None:
        tokens = piece.main if piece.kind != "fact" else piece.texts[:1]
        for text in (*tokens, *piece.quotes):
            if self._known.add(text):
                self._next.add(text)

    def _follow(self, piece: ScanItem) -> None:
        """Marks the rows linked to a deleted item."""
        for link in self._links.get(piece.id, ()):
            other = link.target if link.source == piece.id else link.source
            if link.relation == "evidence_of":
                if link.source == piece.id and piece.kind in ("memory", "fact", "insight"):
                    self._deleted_evidence.setdefault(other, []).append(piece)
            elif link.relation == "merged_into" and piece.kind == "insight":
                continue  # merged insights differ from this one
            elif link.relation == "merged_into":
                self._linked_to_deleted.setdefault(
                    other, ("merged", f"merged with {piece.id}", None)
                )
            elif link.relation == "supersedes":
                if link.source == piece.id:
                    older = piece if piece.kind == "fact" else None
                    reason = f"earlier version of {piece.id}"
                    self._linked_to_deleted.setdefault(other, ("version", reason, older))
            elif link.relation in _FROM_TARGET and link.target == piece.id:
                reason = f"derived from {piece.id}"
                self._linked_to_deleted.setdefault(other, ("derived", reason, None))

    def _cut(self, piece: ScanItem, part: str) -> None:
        key = (piece.kind, piece.id)
        self.plan.cuts.setdefault(key, set()).add(part)
        if part == "quote":
            self.plan.cut_words += piece.quotes
        reason = "its own words differ; its origin is removed"
        self.plan.kept[key] = Verdict(
            decision="keep", rule="own_words", reason=reason, id=piece.id, content=piece.listing
        )

    def _belongs_to_others(self, piece: ScanItem) -> bool:
        return not self._wanted.owner.reaches(piece)


def is_given(id: str) -> bool:
    """True if an id was chosen by a user, so that it may contain words, rather than generated."""
    return _GENERATED.fullmatch(id) is None


def _same_object(one: ScanItem, other: ScanItem) -> bool:
    """True if two facts are versions of one, so that the older is deleted with the newer."""
    return other.kind != "fact" or words(one.main[0]) == words(other.main[0])
