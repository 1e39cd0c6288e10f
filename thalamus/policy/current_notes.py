"""Which notes a small model is not shown for a question about the present.

A model of one or two billion parameters lists a club that was left, whatever stands behind the name
("no longer: …", "the user left the chess club"): each name that it reads is an answer. So where a
question does not name what is over, and something else of the same kind still holds, only that is
shown. Where nothing else is known, that it is over is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.policy.evidence_text import own_words
from thalamus.policy.past_questions import asks_what_was, speaks_of_the_past
from thalamus.policy.staleness import Ended, ended_facts
from thalamus.text.tokens import content_words, share_found, words

if TYPE_CHECKING:
    from thalamus.records import Evidence

_YES_OR_NO = re.compile(r"\W*(?:so,?\s+)?(?:am|do|are|is)\s+(?:I|we|my)\b", re.I)
# what may be left, in words that deny it
_OVER = {
    "member_of": "The user is not in the {} any more.",
    "works_at": "The user does not work at {} any more.",
    "studies_at": "The user does not study at {} any more.",
    "lives_in": "The user does not live in {} any more.",
}


def over(evidence: Sequence[Evidence], question: str) -> set[str]:
    """The ids of the evidence that only says what has ended, or that it was left, where other
    evidence says what holds instead. Empty for a question about the past, and for one that names
    what is over."""
    gone = [fact for item in evidence for fact in ended_facts(item.stale or "")]
    asked = words(question)
    gone = [fact for fact in gone if share_found(content_words(fact.object), asked) < 1]
    if not gone or asks_what_was(question) or speaks_of_the_past(question):
        return set()
    said = {item.id: _said(item) for item in evidence if item.kind in ("memory", "turn", "fact")}
    current = set()
    for item in evidence:
        if item.id in said and (holds := _what_holds(said[item.id], item.stale)):
            current |= _predicates(holds)
    gone = [fact for fact in gone if fact.predicate in current]
    return {
        item.id
        for item in evidence
        if item.id in said and any(_only_says(said[item.id], item, fact) for fact in gone)
    }


def plainly_no(evidence: Sequence[Evidence], question: str) -> dict[str, str]:
    """A plain no, by the ids of the evidence that says it in other words: of "The user stopped
    eating meat" and "Do I eat meat?" a small model makes a yes. So it does of what has ended
    (``plainly_over``), and of what the user dislikes or avoids."""
    return {**_refused(evidence, question), **plainly_over(evidence, question)}


_DO_I = re.compile(
    r"\W*(?:so,?\s+)?do\s+I\s+(?:still\s+|ever\s+|even\s+|actually\s+)?"
    r"(?P<verb>eat|drink|like|love|enjoy|take|use|smoke)\b",
    re.I,
)


def refusal(said: str, question: str) -> str | None:
    """That the user does not eat, drink or like what a question for a yes or no asks for, where the
    words of a statement say that it is disliked or avoided; None for other questions and words."""
    from thalamus.policy.language.reading import read
    from thalamus.policy.language.statements import USER

    found = _DO_I.match(question)
    if found is None:
        return None
    for one in read(said).statements:
        wanted = content_words(one.object)
        shuns = one.subject == USER and one.predicate in ("avoids", "dislikes") and not one.over
        if shuns and wanted and share_found(wanted, words(question)) == 1:
            return f"The user does not {found['verb'].lower()} {one.object}."
    return None


def _refused(evidence: Sequence[Evidence], question: str) -> dict[str, str]:
    """What the user dislikes or avoids, where a question for a yes or no asks for it."""
    told: dict[str, str] = {}
    for item in evidence:
        if item.kind in ("memory", "turn", "fact") and not item.stale:
            no = refusal(_said(item), question)
            told |= {item.id: no} if no is not None else {}
    return told


def plainly_over(evidence: Sequence[Evidence], question: str) -> dict[str, str]:
    """That something is over in words that a small model understands, by the ids of the evidence
    that says it in others: of "The user left the chess club" and "Am I still in the chess club?" it
    makes a yes. Only where a question for a yes or no names what the user has left."""
    if not _YES_OR_NO.match(question) or speaks_of_the_past(question):
        return {}
    asked = words(question)
    told: dict[str, str] = {}
    hidden = over(evidence, question)  # another choir holds instead
    for item in evidence:
        for fact in ended_facts(item.stale or ""):
            wanted = content_words(fact.object)
            known = fact.predicate in _OVER and (item.stale or "").startswith(fact.predicate)
            # "a choir" may be the shanty choir
            named = share_found(wanted, asked) == 1 or (wanted[-1:] and wanted[-1] in asked)
            if known and wanted and named and item.id not in hidden:
                told |= {
                    other.id: _OVER[fact.predicate].format(fact.object)
                    for other in evidence
                    if other.kind in ("memory", "turn") and _only_says(_said(other), other, fact)
                }
    return told


def as_it_holds(text: str, reason: str) -> tuple[str, str | None]:
    """What the user said without the clauses that say what has ended, which a small model repeats
    whatever stands behind them, and no reason; where nothing else was said, the whole with it."""
    from thalamus.policy.language.clauses import clauses

    over = [content_words(ended.object) for ended in ended_facts(reason)]
    said = clauses(text)
    left = [
        clause.text
        for clause in said
        if not any(gone and share_found(gone, words(clause.plain)) == 1 for gone in over)
    ]
    if not left or len(left) == len(said):
        return text, reason
    return ". ".join(part.rstrip(" .,;") for part in left) + ".", None


def holds_instead(evidence: Sequence[Evidence], question: str) -> bool:
    """Whether something of what the question names is over and something else of its kind holds:
    then the evidence answers it, though the model may not see that a choir is what "which clubs"
    asks for."""
    asked = content_words(question)
    gone = over(evidence, question)
    return any(item.id in gone and share_found(asked, words(_said(item))) > 0 for item in evidence)


def _said(item: Evidence) -> str:
    """What the user said: the clause that a memory was made of, or the message of a turn."""
    quote = item.provenance.quote if item.provenance is not None else None
    return quote if quote and item.kind != "turn" else own_words(item)


def _what_holds(said: str, stale: str | None) -> str:
    """What of a text still holds; nothing where all of it may have ended."""
    text, left = as_it_holds(said, stale) if stale else (said, None)
    return "" if left else text


def _predicates(said: str) -> set[str]:
    """The predicates of what a text states of the user as it is now."""
    from thalamus.policy.language.reading import read
    from thalamus.policy.language.statements import USER

    return {one.predicate for one in read(said).statements if one.subject == USER and not one.over}


def _only_says(said: str, item: Evidence, fact: Ended) -> bool:
    """Whether a text says nothing but a fact that has ended, or that its object was left."""
    from thalamus.policy.language.clauses import clauses
    from thalamus.policy.language.departures import may_depart

    stated = [clause for clause in clauses(said) if clause.states]
    about = [clause for clause in stated if _names(clause.plain, fact)]
    if not about or len(about) < len(stated):
        return False
    ended = fact in ended_facts(item.stale or "")
    return ended or all(may_depart(clause) or _no_longer(clause.plain) for clause in about)


def _names(text: str, fact: Ended) -> bool:
    wanted = content_words(fact.object)
    return bool(wanted) and share_found(wanted, words(text)) == 1


def _no_longer(text: str) -> bool:
    from thalamus.policy.language.reading import read

    stated = read(text).statements
    return bool(stated) and all(one.over for one in stated)
