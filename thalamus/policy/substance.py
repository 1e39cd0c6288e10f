"""How much an utterance of a conversation says, whatever it is asked for.

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
from thalamus.text.tokens import STOP_WORDS, words

LENGTH_WEIGHT = 0.5  # of the content words, on a logarithmic scale
SELF_WEIGHT = 0.2  # of words for oneself among those for persons in the conversation
ASKING = 0.1  # what an utterance that ends in a question loses
REACTION = 0.1  # what one loses that begins as a reaction to somebody else's
LONG = 30  # content words from which on a longer utterance says no more
KEPT = 4096  # utterances whose lack is kept: most candidates are met again

_SELF = frozenset(
    """i i'm i've i'd i'll my me mine myself we we're we've we'd we'll our ours us
    ich mein meine meinen meinem meiner meines mir mich wir uns unser unsere unseren
    yo mi mis nosotros nuestro nuestra nuestros nuestras je j'ai mon ma mes moi nous notre nos
    eu meu meus minha minhas nós nosso nossa nossos nossas""".split()
)
_OTHER = frozenset(
    """you you're you've you'd you'll your yours yourself du dir dich dein deine deinen deinem
    deiner ihr euch euer eure tú tu tus te usted ustedes toi ton tes vous votre vos você vocês
    teu teus tua tuas""".split()
)
_REACTIONS = frozenset(
    """thanks thank wow cool awesome amazing great nice that's congrats congratulations yeah sounds
    glad bye aw aww awww danke toll super gracias genial merci obrigado obrigada""".split()
)


@lru_cache(KEPT)
def lack(utterance: str) -> float:
    """What an utterance ("Ana: Wow, great!") lacks, from 0 to 0.9; 0 for a long one in which the
    speaker speaks of himself."""
    text = without_speaker(utterance).strip()
    said = [word.replace("’", "'") for word in words(text)]
    content = len(set(said) - STOP_WORDS)
    own = sum(word in _SELF for word in said)
    others = sum(word in _OTHER for word in said)
    lacking = LENGTH_WEIGHT * (1 - min(1.0, math.log1p(content) / math.log1p(LONG)))
    lacking += SELF_WEIGHT * (1 - own / (own + others + 0.5))
    lacking += ASKING * is_question(text)
    lacking += REACTION * (bool(said) and said[0] in _REACTIONS)
    return round(lacking, 4)
