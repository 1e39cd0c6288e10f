"""Extraction of several waiting messages with one call.

Turns that were answered in quick succession are read together: the model is shown all of their
messages, each under an id with its day, and names in every proposal the message that says it. What
follows is done for each turn by itself, with its own message, day and known items: verification,
reconciliation, storing. So each can be undone or forgotten alone. From a message on that the
reply passes over, or from the first if it cannot be used, each is read by a call of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field, structs

from thalamus.errors import PromptTooLong
from thalamus.extract import call, proposals
from thalamus.extract.known import KnownItems, known_items
from thalamus.extract.proposals import Proposals, ProposedEnding, ProposedFact, ProposedMemory
from thalamus.extract.source import KnownItem
from thalamus.logs import logger
from thalamus.memory.recall.dialogue import turns_before
from thalamus.memory.structured_output import StructuredReply
from thalamus.models.protocol import ChatReply, Message
from thalamus.policy.activities import is_activity
from thalamus.policy.entities import subject_name
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.reply_parsing import ReplyError, load_json, unwrapped
from thalamus.text.analyzer import fold
from thalamus.text.marks import without_invisible
from thalamus.text.quotes import find
from thalamus.text.voices import marked

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.turn_run import TurnRun

log = logger(__name__)

MOST = 5  # messages in one call
REPLY_TOKENS = 2400  # tokens of the reply, if the context window has room for three times as many
LONGEST_ANSWER = 400  # characters shown of an answer between two messages
NOTHING_NEW = "nothing_new"  # ids of the messages that hold nothing to keep
LISTS = {"memories_to_store": "n", "facts": "g", "no_longer": ""}  # with the letters of the ids


class Waiting(Struct):
    """Turns that wait for extraction. ``after``: those after a turn that may be read with it,
    oldest first. ``found``: what was found in turns whose extraction is still to be finished;
    ``alone``: ids of turns to be read by calls of their own."""

    after: Callable[[Turn], Sequence[Turn]]
    found: dict[str, Share] = field(default_factory=dict)
    alone: set[str] = field(default_factory=set)


class Share(Struct, frozen=True):
    """Proposals of a common reply for one message. ``meant``: what the ids stand for that it uses:
    the id of a stored record, or the texts of an entry of the same reply. ``model``: its name;
    ``read_with``: ids of the other turns."""

    proposals: Proposals
    meant: Mapping[str, str | frozenset[str]]
    model: str
    read_with: tuple[str, ...] = ()


class _Reading(Struct):
    """The messages that are shown in one call, by their ids, and the known items."""

    turns: dict[str, Turn] = field(default_factory=dict)
    known: KnownItems = field(default_factory=KnownItems)


def ask(
    turn: Turn, before: Sequence[Turn], known: KnownItems, run: TurnRun
) -> tuple[StructuredReply[Proposals], tuple[str, ...]]:
    """As ``call.ask``, with other waiting turns where there are some; returns the ids of those as
    well. Raises the model's errors."""
    waiting: Waiting | None = run.waiting
    if waiting is None:
        return call.ask(turn, before, known, run), ()
    reply: StructuredReply[Proposals] = StructuredReply()
    if turn.stored_id not in waiting.found and turn.stored_id not in waiting.alone:
        reply = _ask_together(turn, before, known, waiting, run)
    share = waiting.found.pop(turn.stored_id, None)
    if share is None:
        own = call.ask(turn, before, known, run)
        own.replies, own.raw = [*reply.replies, *own.replies], [*reply.raw, *own.raw]
        return own, ()
    reply.value = _with_ids_of(share, known)
    reply.replies = reply.replies or [ChatReply(text="", model=share.model)]
    return reply, share.read_with


def is_found(turn: str, run: TurnRun) -> bool:
    """True if the proposals of a turn are there already, so that no call is needed for them."""
    return run.waiting is not None and turn in run.waiting.found


def _ask_together(
    turn: Turn, before: Sequence[Turn], known: KnownItems, waiting: Waiting, run: TurnRun
) -> StructuredReply[Proposals]:
    """Reads a turn with others, if there are any, and puts what is found of each into ``waiting``;
    nothing if the reply cannot be used. Returns the reply, which has no value."""
    result: StructuredReply[Proposals] = StructuredReply()
    reading = _reading(turn, known, waiting, run)
    if len(reading.turns) < 2:
        return result
    waiting.alone |= {one.stored_id for one in reading.turns.values()}
    try:
        reply = _request(turn, before, reading, run)
        result.replies.append(reply)
        found = _shares(reply, reading)
    except PromptTooLong as error:
        log.info("the messages are read one by one: %s", error)
        return result
    except ReplyError as error:
        log.info("the messages are read one by one: %s", error)
        result.raw.append(result.replies[-1].text)
        return result
    waiting.found |= found
    waiting.alone -= set(found)
    return result


def _reading(turn: Turn, known: KnownItems, waiting: Waiting, run: TurnRun) -> _Reading:
    """The turn and those after it, as far as they fit, with what is known of any of them."""
    room = call.room(run.engine)
    left = min(call.LONGEST_PART, room) - _tokens(turn, run)
    turns = [turn]
    for one in waiting.after(turn) if left > 0 else ():
        left -= _tokens(one, run)
        if left < 0 or len(turns) == MOST:
            break
        if not is_activity(one.metadata):
            turns.append(one)
    reading = _Reading({f"t{number}": one for number, one in enumerate(turns, 1)})
    if len(turns) == 1:
        return reading
    lists = [known]
    lists += [known_items(one, turns_before(one, run), run, room) for one in turns[1:]]
    reading.known = _joined(lists).within(room)
    return reading


def _tokens(turn: Turn, run: TurnRun) -> int:
    return estimate_tokens("\n".join(_shown("t1", turn, True, run)))


def _joined(lists: Sequence[KnownItems]) -> KnownItems:
    """The items of several lists, each once, under new ids."""
    joined = KnownItems()
    seen: set[str] = set()
    counts = {"memory": 0, "fact": 0}
    for known in lists:
        for item in known.items:
            if item.ref in seen:
                continue
            seen.add(item.ref)
            counts[item.kind] += 1
            id = f"{'m' if item.kind == 'memory' else 'f'}{counts[item.kind]}"
            joined.items.append(structs.replace(item, id=id))
            joined.days[id] = known.days[item.id]
    return joined


def _request(turn: Turn, before: Sequence[Turn], reading: _Reading, run: TurnRun) -> ChatReply:
    last = list(reading.turns)[-1]
    lines = [line for id, one in reading.turns.items() for line in _shown(id, one, id != last, run)]
    messages = call.messages("\n".join(lines), reading.turns[last], before, reading.known, run)
    messages.append(Message("user", run.engine.templates.load("several").strip()))
    most = run.engine.models.chat("reflect").context() // 3
    return run.ask(
        "reflect",
        messages,
        _schema([item.id for item in reading.known.items], list(reading.turns)),
        max_tokens=min(REPLY_TOKENS, most),
    )


def _shown(id: str, turn: Turn, answered: bool, run: TurnRun) -> list[str]:
    """A message in the prompt, under its id and day, with what was answered."""
    lines = [f"[{id}] {run.today(turn)}", marked(without_invisible(turn.message))]
    answer = " ".join((turn.answer or "").split())
    if answered and answer:
        cut = answer if len(answer) <= LONGEST_ANSWER else f"{answer[: LONGEST_ANSWER - 1]}…"
        lines += [f"(The assistant answered: {cut})"]
    return [*lines, ""]


def _schema(known: Sequence[str], messages: Sequence[str]) -> dict[str, Any]:
    """Schema of the reply: that of one message, with the message of each entry, and with ids for
    the entries of the reply itself."""
    own = [f"{letter}{number}" for letter in "ng" for number in range(1, proposals.MOST + 1)]
    schema = proposals.schema([*known, *own])
    named = {"type": "string", "enum": [*messages]}
    properties = dict(schema["properties"])
    for name in LISTS:
        items = properties[name]["items"]
        items = {
            **items,
            "properties": {"message": named, **items["properties"]},
            "required": ["message", *items["required"]],
        }
        properties[name] = {**properties[name], "items": items}
    # last: which messages are left is known when the entries are written
    properties[NOTHING_NEW] = {"type": "array", "items": named}
    required = [*schema["required"], NOTHING_NEW]
    return {**schema, "properties": properties, "required": required}


# -- the reply -------------------------------------------------------------------------------------


def _shares(reply: ChatReply, reading: _Reading) -> dict[str, Share]:
    """Proposals for each message, by the ids of the turns, up to one that the reply passes
    over. Raises ``ReplyError`` for a reply that is cut off, or that has something that cannot be
    assigned to a message."""
    if reply.finish == "length":
        raise ReplyError("the reply was cut off")
    value = _object(reply.text)
    messages = {id: without_invisible(turn.message) for id, turn in reading.turns.items()}
    meant: dict[str, str | frozenset[str]] = {item.id: item.ref for item in reading.known.items}
    parts: dict[str, dict[str, list[Any]]] = {id: {name: [] for name in LISTS} for id in messages}
    for name, letter in LISTS.items():
        items = value.get(name) or []
        for number, item in enumerate(items if isinstance(items, list) else [items], 1):
            id = _message_of(item, messages) if isinstance(item, dict) else None
            if id is not None:
                parts[id][name].append(item)
                meant[f"{letter}{number}"] = _texts(item)
    turns = {id: turn.stored_id for id, turn in reading.turns.items()}
    empty = str(value.get(NOTHING_NEW, ""))
    if not any(any(part.values()) for part in parts.values()):
        empty = str([*turns])  # the whole reply says that there is nothing new
    found = {}
    for id, part in parts.items():
        others = tuple(other for other in turns.values() if other != turns[id])
        try:
            if not any(part.values()) and id not in empty:
                raise ReplyError(f"it passes over the message {id}")
            proposed = proposals.read(json.dumps(part))
        except ReplyError as error:
            # and those after it, which may change what it says
            log.info("the messages from %s on are read one by one: %s", id, error)
            break
        found[turns[id]] = Share(proposed, meant, reply.model, others)
    return found


def _object(text: str) -> dict[str, Any]:
    """The object of a reply. Raises ``ReplyError``."""
    value = unwrapped(load_json(text), tuple(LISTS))
    if isinstance(value, list):
        value = {"memories_to_store": value, "facts": value}
    if not isinstance(value, dict) or not any(name in value for name in LISTS):
        raise ReplyError(f"the object must have {', '.join(LISTS)}")
    known = (*LISTS, NOTHING_NEW)
    if other := [name for name, given in value.items() if given and name not in known]:
        raise ReplyError(f"it does not say which message {other[0]} is about")
    return value


def _message_of(item: Mapping[str, Any], messages: Mapping[str, str]) -> str | None:
    """Id of the message that an entry is about: the one it names, unless its quote stands only in
    another."""
    named, quote = str(item.get("message", "")).strip("[] "), str(item.get("quote", ""))
    holding = [id for id, text in messages.items() if quote.strip() and find(quote, text)]
    if named in messages and (named in holding or not holding):
        return named
    return holding[0] if holding else None


def _texts(item: Mapping[str, Any]) -> frozenset[str]:
    """The folded texts by which an entry of a reply is found again once it is stored: the sentence
    or the words of a memory, subject and object of a fact."""
    if "object" in item:
        return frozenset({_fact_key(str(item.get("subject", "")), str(item["object"]))})
    return frozenset(fold(str(item.get(name, "")).strip(" .")) for name in ("content", "quote"))


def _fact_key(subject: str, object: str) -> str:
    return fold(f"{subject_name(subject)} | {object}")


def _with_ids_of(share: Share, known: KnownItems) -> Proposals:
    """The proposals of a message with the ids under which it knows what they replace or end."""
    by_ref = {item.ref: item.id for item in known.items}
    by_text = {_key(item): item.id for item in known.items}

    def own_id(id: str) -> str:
        meant = share.meant.get(id)
        if isinstance(meant, str):
            return by_ref.get(meant, "")
        return next((by_text[text] for text in meant or () if text in by_text), "")

    def replacing(item: ProposedMemory | ProposedFact) -> Any:
        return structs.replace(item, replaces=own_id(item.replaces or "") or None)

    def ending(item: ProposedEnding) -> ProposedEnding:
        return structs.replace(item, id=own_id(item.id) or item.id)

    found = share.proposals
    return structs.replace(
        found,
        memories=[replacing(item) for item in found.memories],
        facts=[replacing(item) for item in found.facts],
        no_longer=[ending(item) for item in found.no_longer],
    )


def _key(item: KnownItem) -> str:
    triple = item.triple
    if triple is not None:
        return _fact_key(triple[0], triple[2])
    return fold(item.text.strip(" ."))
