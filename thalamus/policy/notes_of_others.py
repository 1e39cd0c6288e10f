"""Which notes are about somebody else's life, where a question is about the user's own.

A small model that is asked "Do I have a pet?" takes the parrot of a friend for the user's; asked
for all that it knows of the user, it says of the user what it was told of a brother; and asked for
the job of one, it gives that of another. Rules for English: the subject of a note is a relative, a
friend or a name.
"""

from __future__ import annotations

import re

from thalamus.policy.answer_style import asks_all_about_user
from thalamus.policy.language.english.words import KIN
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.vocabulary.relations import ANIMALS
from thalamus.text.tokens import content_words, share_found, words

_PEOPLE = "|".join(
    word.replace(" ", r"\s+")
    for word in sorted(KIN, key=len, reverse=True)
    if KIN[word] not in ANIMALS
)
_VERB = (
    r"(?:has|have|had|got|is|was|works?|worked|lives?|lived|keeps?|kept|owns?|wants?|likes?|loves?|plays?|goes|"
    r"broke|bought|moved|studies|takes|took|makes?|breeds?|started|starts|teaches|drives?|runs?|went|came|gave)"
)
_NAMING = r"(?!(?:is|was|are)\s+(?:also\s+)?(?:called|named|(?-i:[A-Z]))|(?:is|'s)\s+name\b)"
_OTHERS = LazyPattern(
    rf"^\W*(?:(?:the\s+user['’]s|my|our)\s+(?:[\w-]+\s+){{0,2}}?(?:{_PEOPLE})(?:['’]s\s+(?:[\w-]+\s+)?(?:{_PEOPLE}))*"
    rf"(?:,?\s+(?-i:[A-Z])[\w'’-]+,?)?|(?!I\b|We\b|My\b|Our\b|The\b|It\b|This\b|That\b)(?-i:[A-Z])[\w'’-]+)"
    rf"\s+(?:\w+ly\s+|also\s+|still\s+|just\s+)?{_NAMING}{_VERB}\b",
    re.IGNORECASE,
    listed=False,
)
_OWN = LazyPattern(
    r"^\W*(?:so,?\s+|and\s+)?(?:(?:do|did)\s+(?:I|we)\s+(?:still\s+|also\s+|even\s+)?(?:have|own|keep)"
    r"|have\s+(?:I|we)\s+(?:still\s+)?got)\b(?!\s+to\b)(?!.*\b(?:friends?|anyone|anybody|someone)\b)",
    re.IGNORECASE,
    listed=False,
)


# whom a question is about: "What is Ana's job?", "Where does Ana work?", "Tell me about Ana"
_WHOM = LazyPattern(
    r"(?:\b(?:is|was|does|did|has|had|can|will|would|should|about|know\s+of)\s+(?P<who>(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+)\b"
    r"|\b(?P<whose>(?!I\b|What|Who|Where|When|How|It|That|There)(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+)['’]s\s+\w)",
    re.IGNORECASE,
    listed=False,
)


def of_others(note: str, question: str) -> bool:
    """Whether a note tells of somebody else, and the question is what the user has, who the user
    is, or about another person by name. One whose subject the question names stays: "Do I have a
    sister?"."""
    found = _OTHERS.match(note)
    if found is None:
        return False
    if asks_all_about_user(question):
        return True
    named = share_found(content_words(question), words(found[0])) > 0
    if named:
        return False
    people = {one["who"] or one["whose"] for one in _WHOM.finditer(question)} - {"I"}
    if people and not any(share_found(words(name), words(note)) for name in people):
        return True
    return _OWN.match(question) is not None
