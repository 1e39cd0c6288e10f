"""Substance of an utterance in a conversation, independent of the question.

Of two utterances with the same words in common with a question the longer one, in which somebody
speaks of himself, holds the answer more often than applause, thanks and counter-questions do ("Wow,
that's great! What books do you enjoy?"). The weights are those of a ranking regression (listwise
softmax, as in Cao et al., "Learning to Rank", ICML 2007) over conversations, rounded; they stand in
docs/retrieval.md with what each gains.
"""

from __future__ import annotations

import math
from functools import lru_cache

from thalamus.policy.speaker import without_speaker
from thalamus.text.questions import is_question
from thalamus.text.tokens import words
from thalamus.text.word_lists import FIRST_PERSON, REACTIONS, SECOND_PERSON, STOP_WORDS

LENGTH_WEIGHT = 0.5  # of the content words, on a logarithmic scale
SELF_WEIGHT = 0.2  # of words for oneself among those for persons in the conversation
ASKING = 0.1  # what an utterance that ends in a question loses
REACTION = 0.1  # what one loses that begins as a reaction to somebody else's
LONG = 30  # content words from which on a longer utterance says no more
KEPT = 4096  # utterances whose lack is kept: most candidates are met again


@lru_cache(KEPT)
def lack(utterance: str) -> float:
    """The lack of substance of an utterance ("Ana: Wow, great!"), from 0 to 0.9; 0 for a long one
    in which the speaker speaks of himself."""
    text = without_speaker(utterance).strip()
    said = [word.replace("’", "'") for word in words(text)]
    content = len(set(said) - STOP_WORDS)
    own = sum(word in FIRST_PERSON for word in said)
    others = sum(word in SECOND_PERSON for word in said)
    lacking = LENGTH_WEIGHT * (1 - min(1.0, math.log1p(content) / math.log1p(LONG)))
    lacking += SELF_WEIGHT * (1 - own / (own + others + 0.5))
    lacking += ASKING * is_question(text)
    lacking += REACTION * (bool(said) and said[0] in REACTIONS)
    return round(lacking, 4)
