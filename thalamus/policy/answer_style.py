"""The manner in which a message wants to be answered: small models cannot work it out.

Instructed once for all cases what to do with a statement, a question and a request, a model of
one or two billion parameters always does one of them: it answers "My name is Jonas" with "I have no
information about that". So the prompt shows only what this message needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from thalamus.policy.language.clauses import clauses
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.persona import asks_who, only_about_assistant

Manner = Literal["statement", "own_question", "assistant", "told", "question", "request"]
# the prompts for them: a question about something else than the user's life is a request, and
# one about it that nothing answers is "unknown"
MANNERS = ("statement", "own_question", "assistant", "told", "unknown", "request")
KNOWN = 0.48  # least probability that the notes say it, for a question to be answered from them
_NAME = re.compile(r"(?<!^)(?<![.!?]\s)\b[^\W\d_a-z]\w{2,}|^[^\W\d_a-z]\w+(?=['’]s\b)")


def manner_of(message: str) -> Manner:
    """What the last thing that a message wants is: to be heard, an answer out of the user's own
    life, one about the assistant, to be obeyed in how the assistant speaks (``told``), an answer,
    or something done."""
    if only_about_assistant(message):
        return "told"
    found = clauses(message)
    for clause in reversed(found):
        if clause.mood in ("asks", "meta") and asks_who(clause.text, clause.language):
            return "assistant"
        if clause.mood == "asks":
            if lexicon(clause.language).requests.match(clause.plain):
                return "request"
            own = lexicon(clause.language).first_person.search(clause.plain)
            return "own_question" if own else "question"
        if clause.mood == "requests" or (clause.mood == "quotes" and len(found) == 1):
            return "request"
    return "statement"


def names_of(question: str, notes: Iterable[str]) -> list[str]:
    """The names in a question that the notes name too: it is then about the user's own life."""
    said = " ".join(notes)
    return [name for name in _NAME.findall(question) if re.search(rf"\b{re.escape(name)}\b", said)]
