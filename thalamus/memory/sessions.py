"""Sessions: their last turns, saved plans and unsummarized turns; their listing, with titles."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from thalamus.errors import NothingMatches, UsageError
from thalamus.memory.withdrawn import withdrawn
from thalamus.names import normal_name
from thalamus.policy.activities import is_activity
from thalamus.records import (
    Event,
    Session,
    SessionMatch,
    SessionTitle,
    Turn,
)
from thalamus.store import ledger, memories
from thalamus.store import links as link_rows
from thalamus.store import sessions as session_rows
from thalamus.store import turns as turn_rows
from thalamus.store.encrypted import is_hidden
from thalamus.text.analyzer import fold, has_form, words
from thalamus.text.excerpts import excerpt
from thalamus.text.questions import is_question
from thalamus.text.sentences import sentences
from thalamus.text.tokens import query_words, share_found

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader
    from thalamus.store.values import Filter

LONGEST_TITLE = 200  # characters
EXCERPT = 160  # characters of a turn that a search shows
SUGGESTIONS = 5  # suggestions for an unknown session


def recent_turns(store: Reader, session: str, user: str | None, limit: int) -> list[Turn]:
    """Last turns of a session, oldest first, without withdrawn ones and encrypted ones whose key is
    missing; of this user, if one is given."""
    found = turn_rows.last(store, session, user, limit)
    gone = withdrawn(store, [turn.stored_id for turn in found])
    return [turn for turn in reversed(found) if not (is_hidden(turn) or turn.id in gone)]


def questions_before(store: Reader, turns: Collection[str]) -> dict[str, str]:
    """By turn, the question that ends the answer of the turn before in its session and day; turns
    that followed no question are left out."""
    keys = store.keys(Turn, turns)
    found: dict[str, tuple[str, str]] = {}  # with the turn before
    for turn in store.by_ids(Turn, list(keys)):
        before = turn_rows.before(store, keys[turn.stored_id], turn.session, turn.user)
        if before is None or is_hidden(before):
            continue
        asked = sentences(before.answer or "")[-1:]
        if asked and is_question(asked[0]) and _day(before) == _day(turn):
            found[turn.stored_id] = before.stored_id, asked[0]
    gone = withdrawn(store, [before for before, _ in found.values()])
    return {id: asked for id, (before, asked) in found.items() if before not in gone}


def _day(turn: Turn) -> str:
    return (turn.created_at or "")[:10]


def idle_sessions(store: Reader, before: str) -> list[str]:
    """Sessions whose last turn is older and that have unsummarized turns, in the order in which
    they ended."""
    left, ends = session_rows.not_summed_up(store), session_rows.ends(store)
    return [session for session, end in ends if end < before and session in left]


def turns_to_sum_up(store: Reader, session: str, last: int | None = None) -> list[Turn]:
    """Unsummarized turns of a session or of its ``last`` turns, oldest first, without withdrawn
    ones, encrypted ones whose key is missing and those of other agents."""
    ids = turn_rows.last_ids(store, session, last)[::-1]
    done = _made_into(store, ids, "session_summary") | withdrawn(store, ids)
    left = [id for id in ids if id not in done]
    found = {turn.id: turn for turn in store.by_ids(Turn, left)}
    turns = [found[id] for id in left if id in found]
    return [turn for turn in turns if not (is_hidden(turn) or is_activity(turn.metadata))]


def _made_into(store: Reader, turns: Collection[str], type: str) -> set[str]:
    """Turns that have a derived memory of this type."""
    links = link_rows.incoming(store, turns, "derived_from")
    derived = {*memories.of_types(store, {link.source for link in links}, [type])}
    return {link.target for link in links if link.source in derived}


# -- listing and search ----------------------------------------------------------------------------


def sessions(store: Reader, user: str | None, limit: int | None = None) -> list[Session]:
    """Sessions of a user and shared ones, or of all, newest first. They are counted without reading
    turns; only the first turn of each is read."""
    counted = _counted(store, user)
    counted.sort(key=lambda count: (count.ended, count.last), reverse=True)
    return _described(store, counted[:limit], user)


def session_details(store: Reader, typed: str, user: str | None) -> Session:
    """The session with this name or title, or the only one with this prefix, in any case. Raises
    ``NothingMatches`` with similar names, ``UsageError`` when it is ambiguous."""
    name = _resolved(store, typed, user)
    [found] = _described(store, _counted(store, user, name), user)
    unreadable = sum(map(is_hidden, turn_rows.encrypted(store, name, user)))
    return structs.replace(found, unreadable=unreadable)


def session_turns(
    store: Reader, session: str, user: str | None, limit: int | None = None
) -> list[Turn]:
    """Turns of a session, oldest first, or the last ``limit``; without withdrawn ones and encrypted
    ones whose key is missing."""
    gone = turn_rows.withdrawn(store, session)
    more = limit if limit is None else limit + len(gone)
    found = turn_rows.by_time(store, session, user, more)
    kept = [turn for turn in found if turn.id not in gone][:limit]
    return [turn for turn in reversed(kept) if not is_hidden(turn)]


def search_sessions(
    store: Store, query: str, user: str | None, limit: int, where: Filter
) -> list[SessionMatch]:
    """Passages in sessions that match a query: first sessions whose title does, then turns by full
    text, best first. Encrypted turns are searched if their key is available."""
    search_words = query_words(query)
    titles = _titles(store, user)
    found = list(_with_title(store, search_words, titles, user))
    most = min(limit, store.count(Turn))  # the index reserves room for them
    hits = store.search_text(search_words, where, most) if search_words and most else []
    for hit in hits:
        entry = hit.entry
        if entry.session is None or not has_form(entry.text, search_words):
            continue  # found by a part of a word, or through the preceding turn
        match = SessionMatch(
            session=entry.session,
            title=titles.get(entry.session),
            turn=entry.id,
            at=entry.created_at,
            text=excerpt(entry.text, search_words, EXCERPT),
            score=round(hit.score, 4),
        )
        found.append(match)
    return found[:limit]


def _with_title(
    store: Reader, search_words: Sequence[str], titles: Mapping[str, str], user: str | None
) -> Iterator[SessionMatch]:
    for name, title in titles.items():
        if search_words and share_found(search_words, words(title)) == 1:
            for count in _counted(store, user, name):
                at = count.ended
                yield SessionMatch(session=name, title=title, at=at, text=title, score=1.0)


def rename(session: Session, title: str, engine: Engine) -> Session:
    """Sets the title of a session; an empty one removes it. Raises ``UsageError`` for one that is
    too long."""
    display_title = " ".join(title.split())
    if len(display_title) > LONGEST_TITLE:
        raise UsageError(
            f"The title is too long: {len(display_title)} characters, at most {LONGEST_TITLE}."
        )
    store = engine.store
    user = engine.config.user or None
    with store.writing() as writer:
        for id in turn_rows.title_ids(writer, session.id, user):
            writer.remove(id)
        if display_title:
            writer.add(_title(session.id, display_title, user, engine))
        data = {"title": bool(display_title)}  # the title may be forgotten later
        event = Event(name="session_renamed", at=writer.now, session=session.id, data=data)
        writer.add_event(event)
    return structs.replace(session, title=display_title or None)


def _title(session: str, title: str, user: str | None, engine: Engine) -> SessionTitle:
    from thalamus.policy.sensitivity import personal  # readers do not need it

    now = engine.clock.stamp()
    return SessionTitle(
        id=engine.clock.new_id("title", user, session, now, title),
        session=session,
        title=title,
        user=user,
        at=now,
        sensitivity="personal" if personal(title) is not None else "normal",
    )


class _Count(Struct):
    """Counts of a session: its owner, number of turns, times of the first and the last, and keys of
    those stored first and last."""

    session: str
    users: set[str | None]
    turns: int
    begun: str
    ended: str
    first: int
    last: int

    def add(self, other: _Count) -> None:
        """Adds the turns of another user."""
        self.users |= other.users
        self.turns += other.turns
        self.begun, self.ended = min(self.begun, other.begun), max(self.ended, other.ended)
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)


def _counted(store: Reader, user: str | None, session: str | None = None) -> list[_Count]:
    """Counts of the sessions, or of one: of all users, or of one and shared ones."""
    found: dict[str, _Count] = {}
    for one in session_rows.counts(store, session):
        if user is not None and one.user not in (user, None):
            continue
        count = _Count(one.session, {one.user}, *one[2:])
        if one.session in found:
            found[one.session].add(count)
        else:
            found[one.session] = count
    return _without_withdrawn(store, found) if found else []


def _without_withdrawn(store: Reader, counts: Mapping[str, _Count]) -> list[_Count]:
    """Counts of sessions without withdrawn turns; the first turn shown is one that stands."""
    gone = turn_rows.withdrawn(store)
    sessions = turn_rows.sessions_of(store, gone)
    for session in {name for name in sessions.values() if name and name in counts}:
        count = counts[session]
        keys = turn_rows.keys_in(store, session, count.users)
        kept = [key for key, id in keys.items() if id not in gone]
        count.turns = len(kept)
        if kept:
            count.first, count.last = kept[0], kept[-1]
    return [count for count in counts.values() if count.turns]


def _described(store: Reader, counted: Sequence[_Count], user: str | None) -> list[Session]:
    """Sessions with their titles and first messages."""
    titles = _titles(store, user) if counted else {}
    found_first = turn_rows.by_keys(store, [count.first for count in counted])
    firsts = {turn.session: turn for turn in found_first}
    found = []
    for count in counted:
        first = firsts.get(count.session)
        found.append(
            Session(
                id=count.session,
                title=titles.get(count.session),
                user=next(iter(count.users)) if len(count.users) == 1 else None,
                turns=count.turns,
                started_at=count.begun,
                last_at=count.ended,
                first=None if first is None or is_hidden(first) else first.message,
            )
        )
    return found


def _titles(store: Reader, user: str | None) -> dict[str, str]:
    """Readable titles of sessions, by name: this user's override shared ones."""
    found = turn_rows.titles(store, user)
    found.sort(key=lambda title: (title.user == user, title.at or ""))
    return {title.session or "": title.title for title in found if not is_hidden(title)}


def _resolved(store: Reader, typed: str, user: str | None) -> str:
    """Resolves a typed session name."""
    names = [count.session for count in _counted(store, user)]
    if typed in names:
        return typed
    titles = {name: title for name, title in _titles(store, user).items() if name in names}
    folded = fold(typed)
    found = [name for name, title in titles.items() if fold(title) == folded]
    if not found and folded:
        found = [name for name in names if fold(name).startswith(folded)]
        found = found or [n for n, title in titles.items() if fold(title).startswith(folded)]
    if len(found) > 1:
        some = ", ".join(sorted(found)[:SUGGESTIONS])
        raise UsageError(f"Ambiguous session {typed!r}: {some}.", fix="Give more of its name.")
    if not found:
        known = {fold(name): name for name in [*names, *titles.values()]}
        similar = [known[one] for one in get_close_matches(folded, known, n=SUGGESTIONS)]
        fix = f"The nearest: {', '.join(similar)}." if similar else "`thalamus session` lists them."
        raise NothingMatches(f"There is no session {typed!r}.", fix=fix)
    return found[0]


FIRST_LOOK = 200  # ledger entries read first; more follow if they are about too few turns


def last_turns(store: Store, count: int, session: str | None = None) -> list[str]:
    """Ids of the last ``count`` turns in the ledger (of one session), oldest first."""
    look, session = FIRST_LOOK, session and normal_name(session)
    while True:
        entries = ledger.last_of_turns(store, look)
        found = dict.fromkeys(
            turn for turn, name in entries if session in (None, normal_name(name or ""))
        )
        if len(found) >= count or len(entries) < look:
            return list(found)[:count][::-1]
        look *= 8
