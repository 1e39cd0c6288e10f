"""Slash commands about this session and past ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.errors import NothingMatches, UsageError
from thalamus.terminal.lines import quoted
from thalamus.terminal.streams import say as print  # all output is for people

if TYPE_CHECKING:
    from thalamus.records import Session
    from thalamus.terminal.slash.chat import Chat

MOST = 15  # sessions in a listing


def resume(chat: Chat, name: str) -> None:
    from thalamus.terminal.sessions import session_line

    thalamus = chat.thalamus
    if not name and chat.can_pick():
        known = thalamus.sessions.find()
        picked = chat.pick_session(known) if known else None
        if known and picked is None:
            return
        name = picked.id if picked is not None else ""
    if not name:
        found = thalamus.sessions.find(MOST)
        for number, one in enumerate(found, 1):
            print(f"{number:3}  {session_line(one)}{'  (this one)' * _is_here(chat, one)}")
        if not found:
            print("There are no sessions yet.")
        else:
            print("/resume N, or an id or a title, continues one; /new begins one.")
        return
    chosen = thalamus.sessions.resume(_numbered(chat, name))
    print(recalled(chosen))


def recalled(session: Session) -> str:
    """One line about the subject and the time of a session."""
    from thalamus.terminal.lines import counted, one_line
    from thalamus.terminal.local import minute
    from thalamus.terminal.sessions import MOST

    about = "" if session.first is None else f" about {quoted(session.first, MOST)}"
    if session.title:
        about = f" “{one_line(session.title)}”"
    turns = counted({"turn": session.turns})
    return f"session{about}: {turns}, the last on {minute(session.last_at)}"


def _is_here(chat: Chat, one: Session) -> bool:
    return one.id == chat.thalamus.session


def _numbered(chat: Chat, name: str) -> str:
    """The id of the session with this number in the list, or the given name."""
    if not name.isdecimal() or not 0 < int(name) <= MOST:
        return name
    found = chat.thalamus.sessions.find(int(name))
    return found[-1].id if len(found) == int(name) else name


def rename(chat: Chat, title: str) -> None:
    if not title:
        raise UsageError("Missing title.", fix="/rename Moving house")
    thalamus = chat.thalamus
    if thalamus.sessions.last_turn() is None:
        raise NothingMatches("There are no turns in this session yet.")
    title = "" if title in ("''", '""') else title
    renamed = thalamus.sessions.rename(thalamus.session, title)
    print(f"renamed: {quoted(renamed.title)}" if renamed.title else "The title was removed.")


def new(chat: Chat, _rest: str) -> None:
    print(f"session {chat.thalamus.new_session()}")


def search(chat: Chat, words: str) -> None:
    from thalamus.terminal.sessions import print_match

    if not words:
        raise UsageError("Give the words to search for.", fix="/search fig tree")
    found = chat.thalamus.sessions.search(words)
    for match in reversed(found):  # the best is right above the prompt
        print_match(match, words)
    if not found:
        print("No past conversation matches.")


def export(chat: Chat, file: str) -> None:
    from pathlib import Path

    from thalamus.terminal import files

    lines = chat.thalamus.sessions.export(chat.thalamus.session)
    if not file:
        chat.show("\n".join(lines))
        return
    path = Path(file).expanduser()
    if path.exists():
        raise UsageError(f"{path} exists already.", fix="Choose another file.")
    with files.replacing(str(path)) as out:
        for line in lines:
            out.write(f"{line}\n".encode())
    print(f"written to {path}")
