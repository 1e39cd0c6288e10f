"""The manner in which a message wants to be answered: small models cannot work it out.

Instructed once for all cases what to do with a statement, a question and a request, a model of
one or two billion parameters always does one of them: it answers "My name is Jonas" with "I have no
information about that". So the prompt shows only what this message needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from thalamus.policy.language.clauses import clauses
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.persona import asks_who, only_about_assistant
from thalamus.text.tokens import content_words, share_found, words

Manner = Literal["statement", "own_question", "assistant", "told", "question", "request"]
KNOWN = 0.48  # least probability that the notes say it, for a question to be answered from them
_WHO_ARE_YOU = re.compile(
    r"\b(?:(?:who|what)(?:'s|\s+is|\s+are)?\s+(?:you|your\s+name)\b(?!\s+\w+ing\b)"
    r"|who\s+am\s+I\s+(?:talking|speaking|chatting)\s+(?:to|with)"
    r"|(?:are\s+you|bist\s+du|sind\s+Sie)\s+(?:an?|ein\w*)\s+(?:\w+\s+)?"
    r"(?:bot|robot|human|person|machine|program|ai|model|mensch|maschine|programm|ki)\b"
    r"|wer\s+(?:bist\s+du|sind\s+Sie)|wie\s+(?:heißt\s+du|heißen\s+Sie|ist\s+dein\s+Name)"
    r"|quién\s+eres|cómo\s+te\s+llamas|qui\s+es-tu|qui\s+êtes-vous|tu\s+es\s+qui"
    r"|comment\s+(?:t'appelles-tu|tu\s+t'appelles|vous\s+appelez-vous)"
    r"|quem\s+(?:és\s+tu|é\s+você)|como\s+(?:te\s+chamas|você\s+se\s+chama))",
    re.IGNORECASE,
)
# "What could I cook tonight?" asks for advice, with or without what is known of the user
_ADVICE = re.compile(
    r"\b(?:(?:what|which|where|how|who|when)\b.*\b(?:could|should|can|might|shall)\s+(?:I|we)\b"
    r"|(?:was|welche\w*|wo|wie|wen|wann)\b.*\b(?:könnten?|sollten?|sollen?|kann|können)\s+(?:ich|wir)\b"
    r"|(?:qué|cuál|dónde|cómo|cuándo)\b.*\b(?:podría|debería|puedo|podríamos|deberíamos|podemos)\b"
    r"|(?:que|quoi|quels?|quelles?|où|comment|quand)\b.*\b(?:pourrais|devrais|puis|dois|peux)(?:-|\s+)je\b"
    r"|(?:qu'est-ce\s+que|où\s+est-ce\s+que)\s+je\s+(?:pourrais|devrais|peux|dois)\b"
    r"|(?:o\s+que|qual|onde|como|quando)\b.*\b(?:poderia|deveria|posso|devo|podemos)\b)",
    re.IGNORECASE,
)
# "Do you think they'll manage without me?" asks for an opinion, which no note holds
_OPINION = re.compile(
    r"\b(?:(?:do|don't|would|wouldn't)\s+you\s+(?:\w+ly\s+)?(?:think|believe|reckon|suppose|agree|say)\b"
    r"|what(?:'s|\s+is)\s+your\s+(?:opinion|view|take)\b|what\s+would\s+you\s+(?:do|think)\b"
    r"|(?:glaubst|meinst|denkst|findest)\s+du\b|was\s+(?:hältst|würdest)\s+du\b"
    r"|(?:crois|penses|trouves)-tu\b|tu\s+(?:crois|penses|trouves)\b"
    r"|(?:crees|piensas|opinas)\s+que\b|te\s+parece\b|qué\s+(?:opinas|harías)\b"
    r"|(?:achas?|acreditas?)\s+que\b|o\s+que\s+(?:achas?|farias?)\b)",
    re.IGNORECASE,
)
# "Tell me everything that you know about me" asks, whatever its form
_ALL_OF_ME = re.compile(
    r"\b(?:tell\s+me|say|list|describe|summari[sz]e)\s+(?:(?:everything|all|what|the\s+things)\s+)?"
    r"(?:that\s+)?(?:you\s+(?:know|remember|have)|what\s+you\s+know)\s+(?:about|of)\s+me\b"
    r"|\b(?:sag|erzähl|nenn)e?\s+mir\s+alles,?\s+was\s+du\s+(?:über|von)\s+mich\s+weißt"
    r"|\b(?:dis|raconte)-moi\s+tout\s+ce\s+que\s+tu\s+sais\s+(?:sur|de)\s+moi\b"
    r"|\b(?:dime|cuéntame)\s+todo\s+lo\s+que\s+sabes\s+(?:sobre|de)\s+mí\b"
    r"|\b(?:diz|conta|diga|conte)(?:-me)?\s+tudo\s+o\s+que\s+sabes?\s+(?:sobre|de)\s+mim\b",
    re.IGNORECASE,
)
# "What do you know about me?", "Who am I?" ask the same
_WHO_AM_I = re.compile(
    r"\bwhat\s+(?:else\s+)?(?:do|can|have)\s+you\s+(?:still\s+)?(?:know|remember|recall|learn(?:ed|t)|"
    r"tell\s+me|say)\s+(?:about|of)\s+me\b|^\W*who\s+am\s+I\W*$"
    r"|\bwas\s+wei(?:ß|ss)t\s+du\s+(?:noch\s+|alles\s+)*(?:über|von)\s+mi(?:ch|r)\b|^\W*wer\s+bin\s+ich\W*$"
    r"|\bque\s+sais-tu\s+(?:sur|de)\s+moi\b|^\W*qui\s+suis-je\W*$"
    r"|\bqué\s+sabes\s+(?:sobre|de)\s+mí\b|^\W*quién\s+soy\W*$"
    r"|\bo\s+que\s+(?:você\s+)?sabes?\s+(?:sobre|de)\s+mim\b|^\W*quem\s+sou(?:\s+eu)?\W*$",
    re.IGNORECASE,
)
# "What did I tell you about X?", "What do you know about X?": X
_ABOUT = re.compile(
    r"\bwhat\s+(?:have|did)\s+(?:I|we)\s+(?:ever\s+)?(?:say|said|tell|told|mention|mentioned)"
    r"(?:\s+(?:you|to\s+you))?\s+(?:about|of|on)\s+(.+)"
    r"|\bwhat\s+(?:do\s+you|can\s+you|you)\s+(?:still\s+)?(?:know|remember|recall|tell\s+me)"
    r"\s+(?:about|of)\s+(.+)"
    r"|\bwas\s+habe\s+ich\s+(?:dir\s+)?(?:über|von|zu)\s+(.+?)\s+(?:gesagt|erzählt|erwähnt)"
    r"|\bwas\s+wei(?:ß|ss)t\s+du\s+(?:noch\s+)?(?:alles\s+)?(?:über|von)\s+(.+)"
    r"|\bqu(?:'est-ce\s+que|e)\s+(?:je\s+)?t'ai(?:-je)?\s+(?:dit|raconté)"
    r"\s+(?:sur|de|à\s+propos\s+de)\s+(.+)"
    r"|\bque\s+sais-tu\s+(?:sur|de)\s+(.+)"
    r"|\bqué\s+te\s+(?:he\s+)?(?:dije|dicho|conté|contado)\s+(?:sobre|de)\s+(.+)"
    r"|\bqué\s+sabes\s+(?:sobre|de)\s+(.+)"
    r"|\bo\s+que\s+(?:eu\s+)?te\s+(?:disse|contei)\s+(?:sobre|de)\s+(.+)"
    r"|\bo\s+que\s+(?:você\s+)?sabes?\s+(?:sobre|de)\s+(.+)",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<!^)(?<![.!?]\s)\b[^\W\d_a-z]\w{2,}|^[^\W\d_a-z]\w+(?=['’]s\b)")


@lru_cache(16)  # asked for several times in a turn
def manner_of(message: str) -> Manner:
    """What the last thing that a message wants is: to be heard, an answer out of the user's own
    life, one about the assistant, to be obeyed in how the assistant speaks (``told``), an answer,
    or something done."""
    if only_about_assistant(message):
        return "told"
    if asks_all_about_user(message):
        return "own_question"
    found = clauses(message)
    for clause in reversed(found):
        if clause.mood in ("asks", "meta") and asks_who(clause.text, clause.language):
            return "assistant"
        if clause.mood == "asks":
            if lexicon(clause.language).requests.match(clause.plain):
                return "request"
            if _asks_opinion(message):  # a friend is asked, not the notes
                return "statement"
            own = lexicon(clause.language).first_person.search(clause.plain)
            return "own_question" if own and not _ADVICE.search(clause.plain) else "question"
        if clause.mood == "requests" or (clause.mood == "quotes" and len(found) == 1):
            return "request"
    return "statement"


def _asks_opinion(message: str) -> bool:
    """Whether a message asks what the assistant thinks of something."""
    return _OPINION.search(message.replace("’", "'")) is not None


def asks_all_about_user(message: str) -> bool:
    """Whether a message asks for all that is known of the user."""
    said = message.replace("’", "'")
    return _ALL_OF_ME.search(said) is not None or _WHO_AM_I.search(said) is not None


def asks_assistant(message: str) -> bool:
    """Whether a message asks who the assistant is. What is known of the user answers that for a
    small model only too well: "I am Ana, a nurse"."""
    return _WHO_ARE_YOU.search(message.replace("’", "'")) is not None


def speak_of_it(question: str, notes: Iterable[str]) -> bool:
    """Whether a question is what was said about something ("What did I tell you about X?"), and the
    notes speak of that: then they answer it."""
    found = _ABOUT.search(question.replace("’", "'"))
    asked = content_words(next(filter(None, found.groups()), "")) if found else []
    return bool(asked) and share_found(asked, words(" ".join(notes))) == 1.0


def names_of(question: str, notes: Iterable[str]) -> list[str]:
    """The names in a question that the notes name too: it is then about the user's own life."""
    said = " ".join(notes)
    return [name for name in _NAME.findall(question) if re.search(rf"\b{re.escape(name)}\b", said)]
