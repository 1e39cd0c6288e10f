"""A message that is being amended by the one after it, and what the words of that one say."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from thalamus.policy.language.clauses import clauses, make_plain, sentences
from thalamus.policy.language.corrections.cue_words import BECOMES, FEMALE, CueWords, cue_words
from thalamus.policy.language.corrections.excuses import is_remark
from thalamus.policy.language.languages import detect, lexicon
from thalamus.policy.language.patterns import LazyPattern

MOST = 6  # words of what is right
PARTS = LazyPattern(r",\s+|;\s*|:\s+|\s+[–—-]+\s+|\s*[()]\s*|\.\.\.\s*|…\s*")
_FILLER = LazyPattern(
    r"^(?:oh|ah|well|hm+|uh+|ugh|ok(?:ay)?|yeah|ach|na\s+ja|naja|bueno|bon|bom|ah)\b[\s,.!:]*", re.I
)
PRONOUN = LazyPattern(
    r"(?:I|we|he|she|it|they|that|ich|wir|er|sie|es|das|yo|él|ella|je|j'|on|nous|il|elle|ils|eu|ele|ela|a\s+gente)(?![^\W\d_])",
    re.I,
)
_MEANT = LazyPattern(r"\b(?:meant|mean|meinte|meine|decir|dire|dizer|make\s+(?:that|it))\b", re.I)


@dataclass
class Draft:
    """An earlier message that is being amended: as it was, as it is by now, in which language, and
    by a message of which words. ``sure``: the message announces a correction, in so many words
    (2) or half (1). ``meant``: it says what was meant; ``spelled``: with which letters."""

    earlier: str
    text: str
    code: str
    signs: CueWords
    sure: int
    meant: bool = False
    spelled: bool = False
    rest: list[str] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        return self.text != self.earlier


def draft_of(earlier: str, text: str) -> Draft:
    """An earlier message as a draft, with what the words of the later one say."""
    code = detect(earlier or text).code
    signs = cue_words(frozenset((code, detect(text).code)))
    said = _FILLER.sub("", text.strip())
    announced = signs.opens.match(said) or (
        signs.closes.search(said) or said.startswith("*") or said.endswith("*")
    )
    parts = [part for sentence in sentences(said) for part in PARTS.split(sentence)]
    ends = any(signs.closes.search(part) for part in (*parts[:2], *parts[-1:]))
    ends = ends or any(map(is_remark, parts[1:]))
    sure = (
        2 if announced or ends or denies_role(said, code) else 1 if signs.surely.search(said) else 0
    )
    meant = _MEANT.search(said) is not None or "*" in said
    spelled = signs.letters.search(said) is not None
    return Draft(earlier, earlier, code, signs, sure, meant, spelled)


def denies_role(text: str, code: str) -> bool:
    """ "We're not married, …" """
    first = PARTS.split(text)[0]
    last = first.split()[-1] if first.split() else ""
    denied = lexicon(code).negates.search(make_plain(first, lexicon(code))) is not None
    return denied and any(re.fullmatch(pattern, last, re.I) for pattern, *_ in BECOMES)


def core_of(text: str, signs: CueWords) -> str:
    """A part of a message without what announces a correction."""
    before = None
    text = text.strip(" *.!¡…")
    while before != text:
        before = text
        text = signs.closes.sub("", signs.opens.sub("", _FILLER.sub("", text)))
        text = text.strip(" ,.!:;*¡…–-")
    return text


def plain_of(text: str, signs: CueWords) -> str:
    """The same without adverbs and without "it's"."""
    text = signs.rather.sub(" ", core_of(text, signs))
    text = " ".join(text.split()).strip(" ,")
    for _ in range(2):
        text = signs.opens.sub("", signs.is_.sub("", text)).strip(" ,")
    return text


def changed_role(said: str, relation: str) -> str | None:
    """ "we're engaged", said of a husband: a fiancé."""
    for pattern, *becomes in BECOMES:
        if re.fullmatch(pattern, said.strip(), re.I):
            return becomes[-1] if FEMALE.search(relation) else becomes[0]
    return None


def of_the_same(earlier: str, said: str) -> str | None:
    """What is said, with whom the earlier message is about in place of "he" or "she"."""
    said = " ".join(said.split())
    if re.match(r"(?:I|we|ich|wir|yo|je|j'|eu|nous|on|nós)(?![^\W\d_])", said, re.I):
        return said
    stated = [clause for clause in clauses(earlier) if clause.states]
    pronoun = re.match(r"(?:he|she|it|they|er|sie|es|él|ella|il|elle|ele|ela)\b(?P<is>'s|'re)?", said, re.I)  # fmt: skip
    found = lexicon(stated[0].language).subject.match(stated[0].plain) if stated else None
    if pronoun is None or found is None or found["me"]:
        return None
    subject = stated[0].plain[: found.start("rest")].strip()
    verb = {"'s": " is", "'re": " is"}.get(pronoun["is"] or "", "")
    return f"{subject}{verb}{said[pronoun.end() :]}"


def replace_once(draft: Draft, wrong: str, right: str) -> bool:
    """Puts what is right in the place of the first that is wrong; whether it could."""
    text = re.sub(whole_word(wrong), lambda _: right, draft.text, count=1, flags=re.I)
    changed = text != draft.text
    draft.text = with_agreement(text, right)
    return changed


def whole_word(phrase: str) -> str:
    """A pattern of a phrase that is not a part of a longer word."""
    return rf"(?<![\w-]){re.escape(phrase)}(?![\w-])"


def with_agreement(text: str, right: str) -> str:
    """English: "a" or "an" before what is right; the verb after "they"."""
    if right.casefold() == "they":
        text = re.sub(r"\bthey\s+(\w{3,}?)s\b", r"they \1", text)
        return re.sub(r"\bthey\s+(?:is|was)\b", "they are", text).replace("they ha ", "they have ")

    def article(found: re.Match[str]) -> str:
        a = "an" if found[2].casefold() in "aeio" else "a"
        return a.capitalize() if found[1][0].isupper() else a

    first = re.escape(right.split()[0])
    return re.sub(rf"\b(an?)(?=\s+{first}\b)\s+(\w)", lambda f: f"{article(f)} {f[2]}", text)
