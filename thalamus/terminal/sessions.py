"""Sessions as text: lines of a list, matches of a search, and a conversation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.terminal import streams
from thalamus.terminal.lines import counted, one_line, quoted
from thalamus.terminal.local import minute
from thalamus.text.visible import visible

if TYPE_CHECKING:
    from thalamus.records import Session, SessionMatch, Turn

MOST = 60  # characters of a first message in a list


def session_line(session: Session) -> str:
    """``2026-05-08 13:56 12 Moving house [chat_…]``: the last turn, the number of turns, the title
    or the first message, and the id."""
    about = "(encrypted)" if session.first is None else quoted(session.first, MOST)
    if session.title:
        about = one_line(session.title)
    return f"{minute(session.last_at)}  {session.turns:4}  {about}  [{one_line(session.id)}]"


def heading(session: Session) -> Iterator[str]:
    """Title, id and length of a session."""
    title = f"{one_line(session.title)}  " if session.title else ""
    yield f"{title}[{one_line(session.id)}]"
    first, last = minute(session.started_at), minute(session.last_at)
    until = last[11:] if first[:10] == last[:10] else last
    yield f"{counted({'turn': session.turns})}, {first}" + (f" to {until}" if last != first else "")


def print_turn(turn: Turn) -> None:
    """Prints a message, marked as at the prompt of a chat, and its answer."""
    streams.say()
    message = "\n".join(f"> {line}".rstrip() for line in turn.message.splitlines())
    streams.say_text(f"{minute(turn.created_at)}\n{message}")
    if turn.answer:
        streams.say_text(f"\n{turn.answer.rstrip()}")
    if turn.interrupted:
        streams.say("(interrupted)")


def print_match(match: SessionMatch, query: str) -> None:
    """Prints a match of a search; on a terminal the words are marked."""
    title = f"{one_line(match.title)}  " if match.title else ""
    turn = f"  {match.turn}" if match.turn else ""
    streams.say(f"{minute(match.at)}  {title}[{one_line(match.session)}]{turn}")
    if match.turn is None:
        return
    if not sys.stdout.isatty():
        streams.say(f"  {one_line(match.text)}")
        return
    from rich.console import Console
    from rich.text import Text

    from thalamus.text.excerpts import marks
    from thalamus.text.tokens import query_words

    shown = Text(visible(match.text))
    for begin, end in marks(shown.plain, query_words(query)):
        shown.stylize("bold yellow", begin, end)
    Console().print(Text("  ") + shown, soft_wrap=True)
