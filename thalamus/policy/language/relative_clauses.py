"""What is said of somebody in a relative clause: "my sister Ana, who lives in Porto, is a nurse"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from thalamus.policy.language.clauses import Clause, tense_of
from thalamus.policy.language.english.words import KIN_WORD, KIND, PROPER
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.patterns import LazyPattern

_REST = (  # up to a comma, or to the verb of the clause around it
    r"(?P<rest>(?!(?:I|we|you|they|he|she|my|our)\b)\w+[^,;]+?)"
    r"(?=[,;]|\s+(?:and\s+(?:I|we|my|our)|is|are|was|were|has|had|will|would|can|could|wants?)\b|[.!]*$)"
)
_WHOSE = LazyPattern(
    rf"(?:\b(?P<name>{PROPER})|\bmy\s+{KIND}(?P<kin>{KIN_WORD})),?\s+who\s+{_REST}", re.I
)
_NAMED = {
    "es": LazyPattern(rf"\b(?P<name>{PROPER}),?\s+(?:que|quien)\s+{_REST}"),
    "fr": LazyPattern(rf"\b(?P<name>{PROPER}),?\s+qui\s+{_REST}"),
    "pt": LazyPattern(rf"\b(?P<name>{PROPER}),?\s+(?:que|quem)\s+{_REST}"),
}


def relative_clauses(clause: Clause) -> Iterator[Clause]:
    """Each relative clause of somebody with a name, or of a relation of the user's, as a clause by
    itself ("Ana lives in Porto"), and what is left without it. None in German, where the verb
    stands last."""
    pattern = _WHOSE if clause.language == "en" else _NAMED.get(clause.language)
    if pattern is None or not clause.states or clause.negated:
        return
    words = lexicon(clause.language)
    for found in pattern.finditer(clause.plain):
        who = found["name"] or f"my {found['kin']}"
        plain = f"{who} {found['rest'].strip()}"
        text = found[0] if found[0] in clause.text else clause.text
        negated = words.negates.search(plain) is not None
        tense = tense_of(plain, words)
        yield replace(clause, text=text, plain=plain, told=plain, tense=tense, negated=negated)
        after = clause.plain[found.end() :]
        if found.start() == 0 and after.startswith(", "):
            plain = f"{who} {after[2:]}"
            yield replace(clause, plain=plain, told=plain, tense=tense_of(plain, words))
