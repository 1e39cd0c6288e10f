"""Versions of a conversation: what another export of it adds, and what it no longer has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.clock import make_id, parse_time
from thalamus.readers.protocol import Utterance
from thalamus.records import Turn
from thalamus.store import turns as turn_rows
from thalamus.store.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.store.reader import Reader


class ConversationVersion(Struct):
    """Contents of a whole conversation in an export, apart from its turns: the ``refs`` of all
    messages, and the texts of all ``answers``, those in branches that were abandoned included;
    ``latest``: when the last one was written, if that is known."""

    refs: set[str] = set()
    answers: set[str] = set()
    latest: str = ""

    @classmethod
    def of(cls, utterances: Iterable[Utterance]) -> ConversationVersion:
        found = cls()
        for item in utterances:
            found.latest = max(found.latest, item.at or "")
            if item.by_user and item.ref:
                found.refs.add(item.ref)
            elif not item.by_user:
                found.answers.add(item.text)
        return found

    def join(self, other: ConversationVersion) -> None:
        """Adds what another part of the export has of the conversation."""
        self.refs |= other.refs
        self.answers |= other.answers
        self.latest = max(self.latest, other.latest)

    def knows(self, turn: Turn, shown: Collection[str]) -> bool:
        """True for a turn that the export has in a branch that is not the current one. ``shown``:
        the refs of that one, where another answer may stand."""
        if not turn.ref or turn.ref not in self.refs:
            return False
        if turn.ref not in shown or not turn.answer:
            return True
        return any(turn.answer.startswith(answer) for answer in self.answers)


def same_exchange(stored: Turn, turn: Turn) -> bool:
    """True if a stored turn has the message and the answer of an exported one, or cannot be
    read."""
    said = (turn.message, turn.answer or None)
    return is_hidden(stored) or (stored.message, stored.answer or None) == said


def version_id(turn: Turn) -> str:
    """Id of another version of a turn: the same for the same words."""
    at = parse_time(turn.created_at or "")
    return make_id("turn", at, b"", turn.stored_id, turn.message, turn.answer or "")


class Changes(Struct, frozen=True):
    """Changes of a stored conversation: the turns ``replaced`` by others, and the ``returned``
    ones, which had been withdrawn before."""

    replaced: Mapping[str, str]
    returned: Collection[str]


def changes(
    reader: Reader, turns: Sequence[Turn], new: Collection[str], version: ConversationVersion
) -> Changes:
    """Compares a stored conversation with its current branch in an export. ``new``: ids of turns
    that were not stored before.

    A stored turn that the branch does not have was withdrawn if the export knows it in another
    branch. An export that does not know it may be older than what is stored: then it must at least
    have something new, and be no older than the turn.
    """
    first = turns[0]
    stored = turn_rows.of_session(reader, first.session, first.user)
    gone = turn_rows.withdrawn(reader, first.session)
    current = {turn.stored_id for turn in turns}
    shown = {turn.ref or "" for turn in turns}
    left = [
        turn
        for turn in stored
        if turn.ref is not None and turn.stored_id not in gone | current and not is_hidden(turn)
    ]
    news = [turn for turn in turns if turn.id in new]
    withdrawn = [
        turn
        for turn in left
        if version.knows(turn, shown)
        or (news and (not version.latest or (turn.created_at or "") <= version.latest))
    ]
    successors = {turn.ref or "": turn.stored_id for turn in turns if turn.ref}
    otherwise = (news or turns)[0 if news else -1].stored_id
    replaced = {turn.stored_id: successors.get(turn.ref or "", otherwise) for turn in withdrawn}
    newer = bool(replaced) or not left
    return Changes(replaced, sorted(gone & current) if newer else ())
