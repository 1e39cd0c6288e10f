"""A message that says nothing by itself ("And what about her?"): what it goes on with.

Its own words find anything at all. Those of the message before it are what is being talked of; with
them recall finds as much as that message did (docs/retrieval.md has the figures).
"""

from __future__ import annotations

from collections.abc import Iterable

from thalamus.text.tokens import STOP_WORDS, words

MOST = 64  # words taken from an earlier message: as many as a search takes

# Words without content, by language: "son" is one in French, and none in English
_ENGLISH = STOP_WORDS | frozenset(
    """else anything something nothing everything really again mean say says said exactly ever
    always one ones like about's he's she's that's who's where's how's they're yes please""".split()
)
_FUNCTION_WORDS = (
    _ENGLISH,
    frozenset(
        """und oder aber was wer wen wem wessen wie wo wohin woher wann warum wieso weshalb
        welche welcher welches ist sind war waren bin bist hat habe haben hatte ich du er
        sie es wir ihr ihm ihn ihnen ihre ihren sein seine seinen mein meine dein deine mich
        dich uns euch mir dir der die das den dem des ein eine einen mit von vom zu zum zur
        bei über für auf an in im aus nach denn dann noch mal auch nur schon so da dort hier
        nicht kein keine weiter sonst davon damit dazu darüber""".split()
    ),
    frozenset(
        """y e o u pero qué que quién quien cuál cual cuándo cuando dónde donde cómo como por
        para con de del al a en la el los las un una lo le les él ella ellos ellas su sus mi
        mis tu tus es son era fue hay más no sí eso esa ese esto esta este entonces""".split()
    ),
    frozenset(
        """et ou mais quoi qui que quel quelle quels quelles quand où comment pourquoi est sont
        était à au aux de du des le la les un une en lui leur elle elles il ils on nous vous
        je tu moi toi son sa ses mon ma mes ton ta tes sur dans avec pour par ça cela ce
        c'est cette ces ne pas plus encore aussi alors donc""".split()
    ),
    frozenset(
        """e ou mas o que quê quem qual quais quando onde como porque porquê é são foi era há
        ele ela eles elas dele dela deles delas seu sua seus suas meu minha não sim isso
        isto esse essa este esta então também com por para sobre de do da dos das em no na
        nos nas a ao à os as um uma se""".split()
    ),
)


def says_nothing(message: str) -> bool:
    """Whether a message has no content words of its own, in one of the five languages."""
    return not own_words(message)


def with_subject(message: str, before: Iterable[str]) -> str:
    """The message, and if it says nothing by itself the words of what was said before it.

    ``before``: the user's earlier messages in the session, newest first; the first one that says
    something is what the message goes on with.
    """
    if not says_nothing(message):
        return message
    return " ".join([message, *subject_of(before)])


def subject_of(said: Iterable[str]) -> list[str]:
    """The words that a session is about at present: those of the newest message that says
    something. ``said``: the user's messages, newest first."""
    return next((own for message in said if (own := own_words(message))), [])[:MOST]


def own_words(message: str) -> list[str]:
    """The distinct content words of a message: without the words of that language of which it
    has most."""
    said = list(dict.fromkeys(words(message)))
    return min(([word for word in said if word not in known] for known in _FUNCTION_WORDS), key=len)
