"""Sessions: what was said in one last, what the next turn is to look up, what of it was not summed
up yet; and which there are, with their titles, for users to find one again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.errors import NothingMatches, UsageError
from thalamus.policy.entities import fold
from thalamus.records import (
    Event,
    Plan,
    Session,
    SessionMatch,
    SessionTitle,
    Turn,
)
from thalamus.storage.protocol import Encrypted, is_hidden
from thalamus.text.excerpts import excerpt, marks
from thalamus.text.tokens import query_words, share_found, words

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Filter, Reader, Store, Where

LONGEST_TITLE = 200  # characters
EXCERPT = 160  # characters of what a search shows of a turn
NEAR = 5  # sessions that are proposed for one that there is not


def recent_turns(store: Reader, session: str, user: str | None, limit: int) -> list[Turn]:
    """The last turns of a session, oldest first, but for encrypted ones without their key; those
    of this user, if one is given."""
    found = store.find(Turn, _of(session, user), order=("-key",), limit=limit)
    return [turn for turn in reversed(found) if not is_hidden(turn)]


def last_turn_id(store: Reader, session: str | None, user: str | None = None) -> str | None:
    """The id of the last turn stored in a session, or (None) in any; the last of this user, if one
    is given."""
    found = store.records(Turn).ids(_of(session, user), order=("-key",), limit=1)
    return found[0] if found else None


def saved_plan(store: Reader, session: str, user: str | None) -> Plan | None:
    """The plan that the last turn of this user in this session saved; None is nobody in
    particular, and no other user."""
    where = {"session": session, "user": user}
    found = store.find(Plan, where, order=("-key",), limit=1)
    return found[0] if found else None


def _of(session: str | None, user: str | None) -> Where:
    given = {"session": session, "user": user}
    return {name: value for name, value in given.items() if value is not None}


def idle_sessions(store: Reader, before: str) -> list[str]:
    """The sessions whose last turn is older, and that have turns not summed up yet: first the one
    that ended first."""
    left, ends = store.sessions.not_summed_up(), store.sessions.ends()
    return [session for session, end in ends if end < before and session in left]


def turns_to_sum_up(store: Reader, session: str) -> list[Turn]:
    """The turns of a session that no summary of it was made from, oldest first, but for encrypted
    ones without their key."""
    ids = store.records(Turn).ids({"session": session}, order=("key",))
    done = _made_into(store, ids, "session_summary")
    left = [id for id in ids if id not in done]
    found = {turn.id: turn for turn in store.find(Turn, {"id": tuple(left)})}
    turns = [found[id] for id in left if id in found]
    return [turn for turn in turns if not is_hidden(turn)]


def _made_into(store: Reader, turns: Collection[str], type: str) -> set[str]:
    """Those of the turns of which there is a memory of this type."""
    links = store.links.incoming(turns, "derived_from")
    sources = {"id": tuple({link.source for link in links}), "type": type}
    made = {*store.memories.ids(sources)}
    return {link.target for link in links if link.source in made}


# -- what a user sees of sessions ------------------------------------------------------------------


def sessions(store: Reader, user: str | None, limit: int | None = None) -> list[Session]:
    """The sessions of a user and of nobody in particular, or of all, the newest first. They are
    counted without reading a turn; of each only the first one is read."""
    counted = _counted(store, user)
    counted.sort(key=lambda count: (count.ended, count.last), reverse=True)
    return _described(store, counted[:limit], user)


def session_details(store: Reader, wanted: str, user: str | None) -> Session:
    """The session with this name, or title, or the only one that begins so, whatever its case.
    Raises ``NothingMatches`` naming those that are near it, ``UsageError`` when there are
    several."""
    name = _resolved(store, wanted, user)
    [found] = _described(store, _counted(store, user, name), user)
    hidden = {"session": name, "id": Encrypted(Turn), **_owned_by(user)}
    unreadable = sum(map(is_hidden, store.find(Turn, hidden)))
    return structs.replace(found, unreadable=unreadable)


def session_turns(
    store: Reader, session: str, user: str | None, limit: int | None = None
) -> list[Turn]:
    """The turns of a session, oldest first, or the last ``limit``; without those that are encrypted
    and whose key is not here."""
    where = {"session": session, **_owned_by(user)}
    found = store.find(Turn, where, order=("-created_at", "-key"), limit=limit)
    return [turn for turn in reversed(found) if not is_hidden(turn)]


def search_sessions(
    store: Store, query: str, user: str | None, limit: int, where: Filter
) -> list[SessionMatch]:
    """Where sessions speak of something: first those whose title does, then turns by full text,
    best first. Encrypted turns are searched as far as their key is here."""
    wanted = query_words(query)
    titles = _titles(store, user)
    found = list(_with_title(store, wanted, titles, user))
    hits = store.search_text(wanted, where, limit) if wanted else []
    speaking = {hit.entry.session for hit in hits if marks(hit.entry.text, wanted)}
    for hit in hits:
        entry = hit.entry
        if entry.session is None:
            continue
        if entry.session in speaking and not marks(entry.text, wanted):
            continue  # found by what was said just before it, which is shown by itself
        match = SessionMatch(
            session=entry.session,
            title=titles.get(entry.session),
            turn=entry.id,
            at=entry.created_at,
            text=excerpt(entry.text, wanted, EXCERPT),
            score=round(hit.score, 4),
        )
        found.append(match)
    return found[:limit]


def _with_title(
    store: Reader, wanted: Sequence[str], titles: Mapping[str, str], user: str | None
) -> Iterator[SessionMatch]:
    for name, title in titles.items():
        if wanted and share_found(wanted, words(title)) == 1:
            for count in _counted(store, user, name):
                at = count.ended
                yield SessionMatch(session=name, title=title, at=at, text=title, score=1.0)


def rename(session: Session, title: str, context: Context) -> Session:
    """Gives a session a title in the place of the one that it has; an empty one takes that away.
    Raises ``UsageError`` for one that is too long."""
    shown = " ".join(title.split())
    if len(shown) > LONGEST_TITLE:
        raise UsageError(
            f"The title is too long: {len(shown)} characters, at most {LONGEST_TITLE}."
        )
    opened = context.open_store(False)
    assert opened is not None
    user = context.config.user or None
    with opened.writing() as writer:
        known = {"session": session.id, "user": user}
        for id in writer.records(SessionTitle).ids(known):
            writer.remove(id)
        if shown:
            writer.add(_title(session.id, shown, user, context))
        data = {"title": bool(shown)}  # its words may be forgotten
        event = Event(name="session_renamed", at=writer.now, session=session.id, data=data)
        writer.add_event(event)
    return structs.replace(session, title=shown or None)


def _title(session: str, title: str, user: str | None, context: Context) -> SessionTitle:
    from thalamus.policy.sensitivity import personal  # those who only read need none of it

    now = context.clock.stamp()
    return SessionTitle(
        id=context.clock.new_id("title", user, session, now, title),
        session=session,
        title=title,
        user=user,
        at=now,
        sensitivity="personal" if personal(title) is not None else "normal",
    )


def _owned_by(user: str | None) -> Where:
    """Whose turns are meant: with a user those of others are left out."""
    return {} if user is None else {"user": (user, None)}


@dataclass
class _Count:
    """What is counted of a session: whose turns it has, how many, when the first and the last were
    said, and the keys of those that were stored first and last."""

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
    """The sessions, or this one, as they are counted: those of all users, or of one and of nobody
    in particular."""
    found: dict[str, _Count] = {}
    for one in store.sessions.counts(session):
        if user is not None and one.user not in (user, None):
            continue
        count = _Count(one.session, {one.user}, *one[2:])
        if one.session in found:
            found[one.session].add(count)
        else:
            found[one.session] = count
    return list(found.values())


def _described(store: Reader, counted: Sequence[_Count], user: str | None) -> list[Session]:
    """Sessions with their titles and first messages."""
    titles = _titles(store, user) if counted else {}
    keys = tuple(count.first for count in counted)
    firsts = {turn.session: turn for turn in store.find(Turn, {"key": keys})} if keys else {}
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
    """The titles of sessions that can be read here, by name: those that this user gave, before
    those of nobody in particular."""
    found = store.find(SessionTitle, _owned_by(user), order=("key",))
    found.sort(key=lambda title: (title.user == user, title.at or ""))
    return {title.session or "": title.title for title in found if not is_hidden(title)}


def _resolved(store: Reader, wanted: str, user: str | None) -> str:
    """The name of the session that is meant."""
    names = [count.session for count in _counted(store, user)]
    if wanted in names:
        return wanted
    titles = {name: title for name, title in _titles(store, user).items() if name in names}
    asked = fold(wanted)
    found = [name for name, title in titles.items() if fold(title) == asked]
    if not found and asked:
        found = [name for name in names if name.casefold().startswith(wanted.casefold())]
        found = found or [n for n, title in titles.items() if fold(title).startswith(asked)]
    if len(found) > 1:
        some = ", ".join(sorted(found)[:NEAR])
        raise UsageError(f"Ambiguous session {wanted!r}: {some}.", fix="Give more of its name.")
    if not found:
        known = {fold(name): name for name in [*names, *titles.values()]}
        near = [known[one] for one in get_close_matches(asked, known, n=NEAR)]
        fix = f"The nearest: {', '.join(near)}." if near else "`thalamus session` lists them."
        raise NothingMatches(f"There is no session {wanted!r}.", fix=fix)
    return found[0]
