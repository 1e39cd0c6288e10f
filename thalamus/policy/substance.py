"""Substance of an utterance in a conversation, independent of the question.

Of two utterances that share the same words with a question, a longer one in which the speaker talks
about himself or herself contains the answer more often than applause, thanks and counter-questions
("Wow, that's great! What books do you enjoy?"). The weights are those of a ranking regression
(listwise softmax, as in Cao et al., "Learning to Rank", ICML 2007) over conversations, rounded;
docs/retrieval.md lists the gain of each.
"""

from __future__ import annotations

import math
from functools import lru_cache

from thalamus.policy.speaker import without_speaker
from thalamus.text.questions import is_question
from thalamus.text.tokens import words
from thalamus.text.word_lists import FIRST_PERSON, REACTIONS, SECOND_PERSON, STOP_WORDS

LENGTH_WEIGHT = 0.5  # of the content words, on a logarithmic scale
SELF_WEIGHT = 0.2  # of first-person words among all words for persons in the conversation
ASKING = 0.1  # penalty for an utterance that ends in a question
REACTION = 0.1  # penalty for one that begins as a reaction to someone else
LONG = 30  # content words, above which length no longer counts
KEPT = 4096  # utterances whose penalty is cached: most candidates recur


@lru_cache(KEPT)
def lack(utterance: str) -> float:
    """Lack of substance of an utterance ("Ana: Wow, great!"), from 0 to 0.9; 0 for a long one about
    the speaker."""
    text = without_speaker(utterance).strip()
    utterance_words = [word.replace("’", "'") for word in words(text)]
    content = len(set(utterance_words) - STOP_WORDS)
    own = sum(word in FIRST_PERSON for word in utterance_words)
    second_person = sum(word in SECOND_PERSON for word in utterance_words)
    lacking = LENGTH_WEIGHT * (1 - min(1.0, math.log1p(content) / math.log1p(LONG)))
    lacking += SELF_WEIGHT * (1 - own / (own + second_person + 0.5))
    lacking += ASKING * is_question(text)
    lacking += REACTION * (bool(utterance_words) and utterance_words[0] in REACTIONS)
    return round(lacking, 4)
