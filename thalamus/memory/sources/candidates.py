"""Candidates: sources that a user shares a link to, or names again and again. None of them is read
before it is approved, unless the settings approve it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from thalamus.memory.personal import says_personal
from thalamus.memory.sources.registry import new_source, sources, store_new
from thalamus.memory.user.projects import projects
from thalamus.memory.user.world import world_of
from thalamus.policy.evidence_text import user_words
from thalamus.policy.projects import is_named
from thalamus.policy.salience import small_talk
from thalamus.policy.sources import NAMED, is_address, links_in, may_answer, with_question
from thalamus.records import DiscoverySource, Fact, Link, Provenance, Turn
from thalamus.store.encryption import contents
from thalamus.store.values import Filter
from thalamus.text.questions import has_question
from thalamus.text.sentences import sentences
from thalamus.text.tokens import query_words

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.base import Store
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

SEARCHED = 50  # turns and facts that are looked at
_SCHEMES = ("https", "http")  # words of which every address has one


class Mention(Struct, frozen=True):
    """An address in a message, or behind a name in it (``title``), with the number of messages that
    mention it, this one included."""

    uri: str
    title: str | None = None
    count: int = 1


def mentions_in(turns: Sequence[Turn], run: TurnRun) -> dict[str, list[Mention]]:
    """Addresses that turns are about, by turn id: links in their messages, and named resources
    whose address is known if they were named often enough. Read before the turns are stored."""
    if run.engine.config.auto_sources == "never":
        return {}
    store = run.engine.memory_store
    known: dict[str | None, list[tuple[str, str]]] = {}  # by user
    mentions: dict[str, list[Mention]] = {}
    for turn in turns:
        if small_talk(turn.message):
            continue
        found = [Mention(link) for link in links_in(turn.message)]
        if store is not None:
            if turn.user not in known:
                known[turn.user] = list(_known_addresses(turn, store, run))
            found += _named(known[turn.user], turn, store)
        if readable := _readable(found, run.engine) if found else []:
            mentions[turn.stored_id] = readable
    return mentions


def _named(known: Sequence[tuple[str, str]], turn: Turn, store: Store) -> Iterator[Mention]:
    """Known addresses whose names a turn mentions and were named often enough."""
    for name, link in known:
        count = _times_named(name, turn, store) if is_named(name, turn.message) else 0
        if count >= NAMED:
            yield Mention(link, name, count)


def _readable(mentions: Sequence[Mention], engine: Engine) -> list[Mention]:
    """Mentions with normalized addresses, each once, without those that may not be read."""
    from thalamus.policy.web_addresses import Allowed, readable  # few turns need it

    allowed = Allowed(engine.config.crawl_allow)
    found: dict[str, Mention] = {}
    for one in mentions:
        link = one.uri if is_address(one.uri) else f"https://{one.uri}"
        url = readable(link, allowed)
        if url is not None:
            found.setdefault(url, structs.replace(one, uri=url))
    return list(found.values())


def _known_addresses(turn: Turn, store: Store, run: TurnRun) -> Iterator[tuple[str, str]]:
    """Names with their addresses: of projects, of entities of the world state, and of facts whose
    object is an address."""
    pairs = [(one.name, one.repo_url or "") for one in projects(store, turn.user)]
    pairs += world_of(run)[0].entities.items()
    where = Filter(user=turn.user, kinds=("fact",))
    hits = store.search_text(_SCHEMES, where, SEARCHED)
    facts = store.by_ids(Fact, {hit.entry.id for hit in hits}) if hits else []
    pairs += [(one.subject, one.object) for one in facts if one.retired_at is None]
    for name, text in pairs:
        if is_address(text):
            yield name, text.split()[0]


def _times_named(name: str, turn: Turn, store: Store) -> int:
    """Number of messages that name a resource, this one included."""
    where = Filter(user=turn.user, kinds=("turn",), exclude=(turn.id,) if turn.id else ())
    hits = store.search_text(query_words(name), where, SEARCHED)
    return 1 + sum(is_named(name, user_words(hit.entry.text)) for hit in hits)


def note(turn: Turn, found: Sequence[Mention], writer: Writer, run: TurnRun) -> None:
    """Stores mentions of a new turn as candidates or counts them; and its message, if nothing was
    found for it, with the candidates that may answer it."""
    unanswered = not turn.evidence and has_question(turn.message)
    if not (found or unanswered):
        return
    known = {one.uri: one for one in sources(writer, turn.user)}
    private = says_personal(turn) or bool(contents.ids(writer, [turn.stored_id]))
    for mention in found:
        if mention.uri in known:
            one = known[mention.uri]
            count = max(one.mentions + 1, mention.count)
            writer.change(DiscoverySource, one.stored_id, mentions=count)
        else:
            _add(mention, turn, private, writer, run.engine)
    for one in known.values() if unanswered else ():
        readable = one.sensitivity == "personal" or not private  # it may be stored in plain text
        quote = (one.provenance.quote if one.provenance else None) or ""
        about = (one.uri, one.title or "", quote)
        if one.status == "candidate" and readable and may_answer(turn.message, about):
            questions = with_question(one.looked_for, turn.message)
            writer.change(DiscoverySource, one.stored_id, looked_for=questions)


def _add(mention: Mention, turn: Turn, private: bool, writer: Writer, engine: Engine) -> None:
    approved = engine.config.auto_sources == "approve"
    source = new_source(
        mention.uri,
        engine,
        turn.created_at or writer.now,
        title=mention.title,
        added_by="auto",
        status="active" if approved else "candidate",
        mentions=mention.count,
        user=turn.user,
        agent=turn.agent,
        personal=private,
        provenance=Provenance(turn=turn.id, quote=_sentence(mention, turn.message)),
    )
    source = structs.replace(source, recorded_at=writer.now)
    store_new(source, "source_noticed", writer)
    writer.add(Link(source=source.stored_id, relation="derived_from", target=turn.stored_id))


def _sentence(mention: Mention, message: str) -> str:
    """The line of a message that mentions an address, or the sentence that names it."""
    if mention.title is None:
        host = mention.uri.split("/")[2]
        lines = [line.strip() for line in message.splitlines() if host in line.lower()]
    else:
        lines = [part.strip() for part in sentences(message) if is_named(mention.title, part)]
    return (lines or [message.strip()])[0][:500]
