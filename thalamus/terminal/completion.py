"""Completion at the prompt of a chat: commands and their arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from thalamus.errors import ThalamusError
from thalamus.logs import logger
from thalamus.terminal.lines import one_line, statement
from thalamus.terminal.slash_commands import COMMANDS
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completion
    from prompt_toolkit.document import Document

    from thalamus.api import Thalamus

log = logger(__name__)

MOST = 30  # memories, facts, turns or sessions to offer
SHORT = 46  # characters of a description

Choice = tuple[str, str]  # the inserted text and its description


class ChatCompleter:
    """Completes slash commands and their arguments (a ``Completer`` of prompt_toolkit). Runs in its
    own threads; ``sibling`` creates an engine for each."""

    def __init__(self, sibling: Callable[[], Thalamus]) -> None:
        self._sibling = sibling

    def get_completions(self, document: Document, complete_event: Any) -> Iterable[Completion]:
        """Completions at the cursor: ids that begin with the typed text, or whose description
        contains the word."""
        line = document.text_before_cursor
        if not line.startswith("/") or "\n" in document.text:
            return
        name, blank, rest = line[1:].partition(" ")
        if not blank:
            yield from _matching(_command_choices(), name)
            return
        command = COMMANDS.get(name)
        kind = command.completes if command is not None else ""
        if kind == "files":
            from prompt_toolkit.completion import PathCompleter
            from prompt_toolkit.document import Document

            inner = Document(rest, len(rest))
            yield from PathCompleter(expanduser=True).get_completions(inner, complete_event)
        elif kind and (" " not in rest or kind in ("sessions", "subjects", "titles")):
            yield from _matching(self._choices(kind), rest)

    def _choices(self, kind: str) -> list[Choice]:
        """Values that a command takes; none if they cannot be read, since completion must not
        fail."""
        if kind == "commands":
            return list(_command_choices())
        try:
            with self._sibling() as thalamus:
                return list(choices(kind, thalamus))
        except ThalamusError as error:
            log.info("completion: %s", error)
            return []


def _matching(choices: Iterable[Choice], typed: str) -> Iterator[Completion]:
    """The choices that begin with the typed text, then those with the words in their
    description."""
    from prompt_toolkit.completion import Completion

    known = list(choices)
    word = fold(typed)
    begin = [choice for choice in known if fold(choice[0]).startswith(word)]
    hold = [choice for choice in known if choice not in begin and word in fold(choice[1])]
    for text, description in [*begin, *(hold if word else [])]:
        yield Completion(text, -len(typed), display=text, display_meta=description)


def choices(kind: str, thalamus: Thalamus) -> Iterable[Choice]:
    """Values of a kind (``ids``, ``facts``, ``sessions`` …), newest first."""
    return _CHOICES[kind](thalamus)


def _command_choices() -> Iterator[Choice]:
    for name, command in sorted(COMMANDS.items()):
        yield name, command.usages[0][1]


def _memories(thalamus: Thalamus) -> Iterator[Choice]:
    for memory in thalamus.memories.find(limit=MOST):
        yield memory.stored_id, one_line(memory.content, SHORT)


def _facts(thalamus: Thalamus) -> Iterator[Choice]:
    for fact in thalamus.facts.find()[-MOST:]:
        yield fact.stored_id, one_line(statement(fact), SHORT)


def _turns(thalamus: Thalamus) -> Iterator[Choice]:
    if thalamus.sessions.last_turn() is not None:
        for turn in reversed(thalamus.sessions.turns(thalamus.session, MOST)):
            yield turn.stored_id, one_line(turn.message, SHORT)


def _sessions(thalamus: Thalamus) -> Iterator[Choice]:
    for session in thalamus.sessions.find(MOST):
        yield session.id, one_line(session.title or session.first or "", SHORT)


def _titles(thalamus: Thalamus) -> Iterator[Choice]:
    """The title of this session for editing, or suggestions for one."""
    if thalamus.sessions.last_turn() is not None:
        session = thalamus.sessions.get(thalamus.session)
        if session.title:
            yield one_line(session.title), "its title"
        elif session.first:
            yield one_line(session.first, SHORT), "its first message"


def _models(thalamus: Thalamus) -> Iterator[Choice]:
    for model in thalamus.models.find():
        if model.kind == "chat" and model.state == "ready":
            yield model.name, ""


def _named(names: Iterable[str]) -> Iterator[Choice]:
    return ((name, "") for name in names)


_CHOICES: dict[str, Callable[[Thalamus], Iterable[Choice]]] = {
    "ids": lambda thalamus: (*_turns(thalamus), *_memories(thalamus), *_facts(thalamus)),
    "facts": _facts,
    "memories": _memories,
    "turns": _turns,
    "sessions": _sessions,
    "titles": _titles,
    "subjects": lambda thalamus: _named(name for name, _, _ in thalamus.facts.entities()),
    "models": _models,
    "personas": lambda thalamus: _named([*thalamus.sessions.personas(), "none"]),
    "flows": lambda thalamus: _named(thalamus.sessions.flows()),
}
