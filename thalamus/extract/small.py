"""What is proposed where the model is too small for the extraction call, or where there is none.

A model of 1.5 billion parameters invents most facts that it is asked for, and copies its examples.
It does tell which sentences are about the user's life. So facts come from plain frames, and of the
message the sentences are kept, word for word, that the model finds worth knowing. (Measured; see
docs/models.md.)
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
from thalamus.text.quotes import Span
from thalamus.text.tokens import sentences, words

if TYPE_CHECKING:
    from thalamus.context import Context

WORTH_KEEPING = 0.75  # least probability with which a sentence is kept
LEAST_WORDS = 3  # of such a sentence
MOST_SENTENCES = 8  # of one message that are asked about


def propose(source: Source, context: Context | None) -> Proposals:
    """The facts that frames find, with their sentences, and the sentences that the model finds
    worth knowing; without a ``context`` no model is asked. Raises what the model raises."""
    found = frames.propose(source.message, source.said_on, source.known.values())
    if context is None:
        return found
    read = {memory.quote for memory in found.memories}
    asked = [one for one in _statements(source) if one not in read][:MOST_SENTENCES]
    kept = [
        ProposedMemory(quote=one, content=" ".join(one.split()))
        for one in asked
        if (yes_probability("keep", context, SENTENCE=fence(one)) or 0.0) >= WORTH_KEEPING
    ]
    return structs.replace(found, memories=[*found.memories, *kept])


def _statements(source: Source) -> Iterator[str]:
    """The sentences of a message in the user's own words that are no questions and not quoted."""
    place = 0
    for sentence in sentences(source.message):
        start = source.message.find(sentence, place)
        place = start + len(sentence)
        own = Span(start, place).within(source.own)
        if own and len(words(sentence)) >= LEAST_WORDS and frames.may_state(sentence):
            yield sentence
