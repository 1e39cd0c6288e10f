"""What the user says of himself or herself, said of "the user": I moved → The user moved.

English is put into the third person. In other languages a statement is kept as it was said, in
quotation marks: a wrong ending would be worse than none.
"""

from __future__ import annotations

import re

from thalamus.policy.language.clauses import Clause
from thalamus.policy.language.english.common_words import is_common
from thalamus.policy.language.english.pronouns import had_pronoun
from thalamus.policy.language.english.words import KIN_WORD, KIND, NAME, PROPER
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.patterns import LazyPattern

IRREGULAR_PAST = set(
    "was had did went bought met got made took saw came found said told gave left felt kept lost "
    "paid ran sold sent spent taught thought won wrote began broke built chose drove ate fell flew "
    "forgot grew heard held knew led meant put rode sang sat slept spoke stood swam threw woke "
    "blew clung crept dealt drew dug fed fled flung forgave fought froze hid knelt leapt mistook "
    "overcame sank shook shrank slid sought stole strode strove swore swept swung tore withdrew "
    "wore became brought caught drank hurt cut set quit let hit used split put".split()
)
_MODAL = set("can could will would shall should may might must cannot".split())
_ED_VERBS = set("need feed speed breed bleed exceed proceed succeed wed shed".split())
_BE = {"'m": " is", "'ve": " has", "'ll": " will", "'d": " would"}
_ADVERB = (
    r"(?:(?:really|also|just|usually|often|still|currently|sometimes|always|never|recently|"
    r"already|now|much|far|mostly|only|absolutely|totally|actually|finally|both|basically|definitely|"
    r"once|ever|rarely|even|almost|first|then|probably|secretly)\s+)*"
)
_NEXT = r"(?=[\s.,;!)]|$)"
_OF_THE_USER = re.compile(
    r"(?:my|our|his|her)\s.*\b(?:is|are|was|were|has|have|had|must|needs?)\s", re.I
)
# "My daughter is called Mina | and my son Levi"
_ONLY_NAMED = LazyPattern(rf"(?P<who>(?i:my|our)\s+{KIND}(?i:{KIN_WORD}))\s+(?P<name>{NAME})")
_MOVED = {"im": "I'm", "ive": "I've"}


# "my sister Ana, who lives in Porto", before "is a nurse"
_ONLY_RELATIVE = LazyPattern(
    rf"(?P<who>my\s+{KIND}(?:{KIN_WORD})(?:,?\s+{PROPER})?),\s+who\s+(?P<what>(?!(?:I|we|you|they|he|she|my|our)\b)[^,;]+)",
    re.I,
)


def remembered(clause: Clause) -> str:
    """The sentence by which a clause is remembered."""
    if clause.language != "en":
        return quoted(clause, clause)
    named = _ONLY_NAMED.fullmatch(clause.plain)
    if named is not None:
        return third_person(f"{named['who']} is called {named['name']}")
    alone = _ONLY_RELATIVE.fullmatch(clause.plain)
    if alone is not None:
        return third_person(f"{alone['who']} {alone['what']}")
    if clause.remember and not lexicon("en").first_person.search(clause.text):
        return _sentence(_opened(clause.text))
    if _whole(clause):
        return third_person(_opened(clause.text))
    return third_person(clause.told if _tells(clause) else clause.plain)


def quoted(first: Clause, last: Clause) -> str:
    """What was said from one clause of a sentence to another, in quotation marks."""
    sentence = " ".join(first.sentence.split())
    begin = sentence.find(" ".join(first.text.split()))
    until = sentence.find(" ".join(last.text.split()), max(begin, 0))
    said = sentence[begin : until + len(" ".join(last.text.split()))]
    return f"The user said: “{_sentence(said if begin >= 0 and until >= 0 else last.text)}”"


def third_person(text: str) -> str:
    """``I moved`` becomes ``The user moved``, ``my dog`` ``the user's dog``; ends with a stop."""
    text = " ".join(text.replace("’", "'").split()).strip(" ,;.!")
    lower = text.islower()
    text = re.sub(r"\b(im|ive)\b", lambda found: _MOVED[found[0].lower()], text, flags=re.I)
    text = re.sub(rf"\bi(?=['\s]|{_NEXT})", "I", text)
    # "Until 2011 we lived in …": the user and others, where the user was not spoken of before
    text = re.sub(r"^((?:(?!\b(?:I|my|our)\b).)*?)\bwe\b", r"\1I", text, count=1, flags=re.I)
    pattern = rf"\bI\b('\w+)?(\s+(?:no\s+longer\s+)?{_ADVERB})?([\w']+)?"
    text = re.sub(pattern, _subject, text, count=1)
    text = re.sub(r"\bI'm\b|\bI am\b", "they are", text)
    text = re.sub(r"\bI was\b", "they were", text)
    text = re.sub(r"\bI\b|\b[Ww]e\b", "they", text)
    own = "their" if re.match(r"The user\b(?!')", text) or "the user " in text else "the user's"
    for word, becomes in (
        (r"\b(?:my|our)\b", own),
        (r"\b(?:myself|ourselves)\b", "themselves"),
        (
            r"(?-i:\b(?:me|mine|us|ours|Me|Mine|Ours)\b)",
            "the user" if own == "the user's" else "them",
        ),
    ):
        text = re.sub(word, becomes, text, flags=0 if lower else re.I)
    return _sentence(text)


def object_of(text: str, subject: str, language: str) -> str:
    """What a fact says of a subject, without the speaker in it: "their cousin" of the user, and
    "the user's cousin" of somebody else, for "my cousin"."""
    if language != "en":
        return text
    mine, me = ("their", "them") if subject == "user" else ("the user's", "the user")
    text = re.sub(r"\b(?:my|our)(?=\s\w)", mine, text)
    text = re.sub(r"(?<=\s)(?:me|us)\b", me, text)
    return re.sub(r"\b(?:myself|ourselves)\b", "themselves", text)


def _tells(clause: Clause) -> bool:
    """Whether a clause has a subject of its own before its idioms are put into plain words."""
    if not clause.carried and _OF_THE_USER.match(clause.told):
        return True
    found = None if clause.carried else lexicon("en").subject.match(clause.told)
    return found is not None and bool(found["me"] or found["kin"])


def _whole(clause: Clause) -> bool:
    """Whether the clause stands there with its own subject, and only fillers were taken off."""
    words = lexicon("en")
    found = words.subject.match(_opened(clause.text))
    if found is None or is_common(found["name"] or ""):
        return False
    if clause.amended or had_pronoun(clause.text, clause.plain):
        return False  # "in Bremen, no wait, in Ulm"; "allergic to it"
    read = words.subject.match(clause.plain)  # "Live in Austin": the "I" was left out
    return read is None or all(bool(read[one]) == bool(found[one]) for one in ("me", "kin"))


def _opened(text: str) -> str:
    return lexicon("en").fillers.sub("", text, count=1)


def _sentence(text: str) -> str:
    text = text.strip(" ,;")
    if not text:
        return text
    return text[0].upper() + text[1:].rstrip(".!") + "."


def _subject(found: re.Match[str]) -> str:
    short, adverbs, verb = found[1] or "", found[2] or "", found[3] or ""
    start = "The user" if found.start() == 0 else "the user"
    if short:
        return f"{start}{_BE.get(short, short)}{adverbs or ' '}{verb}"
    return f"{start}{adverbs or ' '}{conjugated(verb.lower())}" if verb else start


def conjugated(verb: str) -> str:
    """The third person of an English verb as it follows "I"."""
    irregular = {"am": "is", "is": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't",
                 "were": "was", "are": "is", "aren't": "isn't", "weren't": "wasn't"}  # fmt: skip
    if verb in irregular:
        return irregular[verb]
    if verb.endswith("ing") and len(verb) > 5:  # "…, living in Rotterdam"
        return f"is {verb}"
    past = verb in IRREGULAR_PAST or (verb.endswith("ed") and verb not in _ED_VERBS)
    if past or verb in _MODAL or "'" in verb:
        return verb
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
