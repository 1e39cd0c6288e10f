"""Proposals for when the model is too small for the extraction call, or there is none.

A model of 1.5 billion parameters invents most of the facts it is asked for and copies its examples,
but it can tell which sentences are about the user's life. So facts come from plain frames, and the
sentences that the model finds worth knowing are kept word for word (bench/models.md has the
figures).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.extract import frames
from thalamus.extract.proposals import Proposals, ProposedMemory
from thalamus.extract.second_look import yes_probability
from thalamus.extract.source import Source
from thalamus.policy.prompts import fence
from thalamus.text.analyzer import words
from thalamus.text.quotes import Span
from thalamus.text.sentences import sentences

if TYPE_CHECKING:
    from thalamus.turn_run import TurnRun

WORTH_KEEPING = 0.75  # least probability at which a sentence is kept
LEAST_WORDS = 3  # of such a sentence
MOST_SENTENCES = 8  # sentences of one message that the model is asked about


def propose(source: Source, run: TurnRun | None) -> Proposals:
    """Facts and sentences found by frames, and the sentences that the model finds worth keeping.
    Without a ``run`` no model is asked. Raises the model's errors."""
    found = frames.propose(source.message, source.said_on, lambda: source.known.values())
    if run is None:
        return found
    kept = [
        ProposedMemory(quote=one, content=" ".join(one.split()))
        for one in unread(source, found)
        if (yes_probability("keep", run, SENTENCE=fence(one)) or 0.0) >= WORTH_KEEPING
    ]
    return structs.replace(found, memories=[*found.memories, *kept])


def unread(source: Source, found: Proposals) -> list[str]:
    """The sentences that the model is asked about: statements in which no frame found anything."""
    read = {memory.quote for memory in found.memories}
    return [one for one in _statements(source) if one not in read][:MOST_SENTENCES]


def _statements(source: Source) -> Iterator[str]:
    """Sentences of a message that are clearly the user's own; none of a message that also asks for
    something, since a small model cannot tell them from what it is asked about."""
    if not frames.only_states(source.message):
        return
    place = 0
    for sentence in sentences(source.message):
        start = source.message.find(sentence, place)
        place = start + len(sentence)
        span = Span(start, place)
        own = span.within(source.own) and not any(map(span.overlaps, source.unclear))
        if own and len(words(sentence)) >= LEAST_WORDS:
            yield sentence
