"""Slash commands about the turns of a chat."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from thalamus.errors import NothingFound, NothingMatches, UsageError
from thalamus.records import Turn
from thalamus.terminal.lines import instruction_line
from thalamus.terminal.streams import say as print  # all output is for people
from thalamus.terminal.streams import width

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.terminal.slash.chat import Chat

# changes that `/undo` undoes before the last turn, if they came after it
BY_HAND = frozenset("edit pin unpin promote demote end retract correct reject".split())


def why(chat: Chat, what: str) -> None:
    from thalamus.memory.resolve_id import resolve_or_search
    from thalamus.terminal.explain import tree
    from thalamus.terminal.lines import quoted
    from thalamus.terminal.tree import lines

    thalamus = chat.thalamus
    [first, *others] = (
        resolve_or_search(thalamus.database, what, thalamus.here()) if what else [_last(chat)]
    )
    for line in lines(tree(thalamus.why(first)), width()):
        print(line)
    if others:
        listed = "search" if isinstance(thalamus.store.get(first), Turn) else "memory"
        print(f"(the newest of {len(others) + 1} with {quoted(what)}; /{listed} {what} lists them)")


def trace(chat: Chat, id: str) -> None:
    from thalamus.terminal.trace import turn_tree
    from thalamus.terminal.tree import lines

    thalamus = chat.thalamus
    turn = thalamus.store.find_id(id) if id else _last(chat)
    for line in lines(turn_tree(thalamus, turn), width()):
        print(line)


def plan(chat: Chat, _rest: str) -> None:
    saved = chat.thalamus.sessions.plan()
    if saved is None or not saved.retrieval_instructions:
        print("No plan: the next turn recalls by its message alone.")
        return
    for item in saved.retrieval_instructions:
        print(instruction_line(item))


def undo(chat: Chat, id: str) -> None:
    from thalamus.terminal.batches import undone_lines

    thalamus = chat.thalamus
    change = id or _changed_by_hand(thalamus) or _last(chat)
    with suppress(NothingFound, UsageError):  # the id of a batch
        change = thalamus.store.find_id(change)
        chat.abandon(change)
    for line in undone_lines(thalamus.undo(change)):
        print(line)


def _changed_by_hand(thalamus: Thalamus) -> str | None:
    """The id of the last change by hand, if no turn of the session came after it."""
    turn = thalamus.sessions.last_turn()
    last = thalamus.store.get(turn) if turn is not None else None
    at = (last.recorded_at or last.created_at or "") if isinstance(last, Turn) else ""
    changes = thalamus.store.batches(undoable=True)
    newer = (one.id for one in changes[:1] if one.action in BY_HAND and one.at >= at)
    return next(newer, None)


def retry(chat: Chat, _rest: str) -> None:
    thalamus = chat.thalamus
    message = chat.last_message
    if thalamus.config.memory and thalamus.open_store(False) is not None:
        turn = _last(chat)
        found = thalamus.store.get(turn)
        message = found.message if isinstance(found, Turn) else ""
        chat.abandon(turn)
        thalamus.undo(turn)
    if not message:
        raise NothingMatches("There is no message to send again.")
    print(f"again: {message}")
    chat.say(message)


def compose(chat: Chat, text: str) -> None:
    message = chat.edited(text).strip("\n")
    if not message.strip():
        print("nothing to send")
        return
    from thalamus.terminal.streams import say_text

    say_text(message)
    chat.say(message)


def copy(chat: Chat, _rest: str) -> None:
    answer = chat.last_answer
    if not answer and chat.thalamus.open_store(False) is not None:
        turn = chat.thalamus.store.get(_last(chat))
        answer = turn.answer or "" if isinstance(turn, Turn) else ""
    if not answer:
        raise NothingMatches("There is no answer to copy yet.")
    chat.copy(answer)
    print(f"copied: {len(answer):,} characters")


def debug(chat: Chat, _rest: str) -> None:
    chat.debug = not chat.debug
    print(f"debug is {'on' if chat.debug else 'off'}")


def quit(chat: Chat, _rest: str) -> None:
    from thalamus.terminal.slash.chat import Leave

    raise Leave


def _last(chat: Chat) -> str:
    """The id of the last turn of the session."""
    turn = chat.thalamus.sessions.last_turn()
    if turn is None:
        raise NothingMatches("There are no turns in this session yet.")
    return turn
