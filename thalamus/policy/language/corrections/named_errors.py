"""What a message names as wrong in the one before it: "Leicester, not Leeds", "I said Jazz but I meant Civic"."""

from __future__ import annotations

import re

from thalamus.policy.language.corrections.bare_values import POLITE
from thalamus.policy.language.corrections.cue_words import cue_words
from thalamus.policy.language.corrections.draft import (
    MOST,
    PARTS,
    PRONOUN,
    Draft,
    changed_role,
    core_of,
    plain_of,
    whole_word,
    with_agreement,
)
from thalamus.policy.language.corrections.excuses import is_excuse
from thalamus.policy.language.corrections.slots import Slot, slots
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.reading import read
from thalamus.text.tokens import content_words

_AND = LazyPattern(
    r"^(?:and|und|y|et|e)\b\s*|\b(?:and|und|y|et|e)\s*(?=(?:no|nicht|not|pas|não)?\s*$)", re.I
)
# that the wrong one is all right: "wasps, bees are ok", "parsley! coriander I like"
_FINE = LazyPattern(r"\s(?:(?:is|are|sind|ist)\s+(?:ok(?:ay)?|fine|great|no\s+problem|gut)|I\s+(?:like|love|can\s+(?:eat|have|take))|mag\s+ich|geht|gehen|schon)$", re.I)  # fmt: skip
_ENDS = LazyPattern(r"^\s*(?:$|[,;:.!–—(-])")
_YET = LazyPattern(r"^\s+(?:yet|any\s?more|though|mehr|más|plus|mais|ainda|encore|todavía)\b", re.I)
# "I said Jazz but I meant Civic" and "de mi hermana no, de mi prima", said with a "not" at the front
_SAID = (
    LazyPattern(r"\bi\s+(?:wrote|said|typed|put)\s+(?P<wrong>.+?),?\s+but\s+(?:(?:i\s+)?mean[t]?|it's|it\s+is|it\s+was|it\s+should\s+be)\s+(?P<right>.+)", re.I),
    LazyPattern(r"\bich\s+(?:habe?\s+)?(?P<wrong>.+?)\s+(?:geschrieben|gesagt),?\s+(?:aber\s+)?(?:meinte|gemeint\s+war|es\s+ist|es\s+war|ist)\s+(?:aber\s+)?(?P<right>.+)", re.I),
    LazyPattern(r"\b(?:dije|he\s+dicho|escribí)\s+(?P<wrong>.+?),?\s+pero\s+(?:(?:quería|quise)\s+decir|es|era)\s+(?P<right>.+)", re.I),
    LazyPattern(r"\bj'ai\s+(?:dit|écrit)\s+(?P<wrong>.+?),?\s+mais\s+(?:c'est|je\s+voulais\s+dire)\s+(?P<right>.+)", re.I),
    LazyPattern(r"\b(?:eu\s+)?(?:disse|escrevi)\s+(?P<wrong>.+?),?\s+mas\s+(?:(?:queria|quis)\s+dizer|é|era)\s+(?P<right>.+)", re.I),
    LazyPattern(r"(?P<wrong>[^,]+?)\s+(?:no|não),\s+(?P<right>[^,]+)$", re.I),
    # "peanuts are fine, it's cashews I can't have"
    LazyPattern(r"^(?P<wrong>[^,.;]+?)(?:'s|\s+(?:is|are|sind|ist|gehen|geht))(?:\s+(?:totally|perfectly))?(?:\s+(?:fine|ok(?:ay)?|all\s+right|no\s+problem|great|gut))?[,;.]?\s+(?:but\s+)?(?:it's|it\s+is|es\s+sind|es\s+ist)\s+(?P<right>[^,.;]+?)(?P<who>,?\s+(?:(?:that|which|die|den|das)\s+)?(?:I|ich)\s+(?:can|can't|cant|cannot|don't|dont|do|hate|love|like|mean|nicht|vertrage|mag)\b.*)?$", re.I),
    LazyPattern(r"^(?P<wrong>[^,.;]+?)(?:'s|\s+(?:is|are|sind|ist))\s+(?:fine|ok(?:ay)?|all\s+right|no\s+problem|great|gut)[,;.]?\s+(?P<right>[^,.;]+?)$", re.I),
)  # fmt: skip


def named_wrong(draft: Draft, sentence: str) -> bool:
    """ "Leicester, not Leeds": whether the wrong one stands in the earlier message and was
    replaced."""
    if draft.signs.cancelled.search(sentence):
        return False  # "we decided not to buy the car"
    for number, pattern in enumerate(_SAID, 1):
        found = pattern.search(core_of(sentence, draft.signs))
        if found is not None and (number < len(_SAID) or draft.meant):
            right, *rest = PARTS.split(found["right"])
            wrong = found["wrong"].strip(" ,")
            if _swap(draft, right, _held(draft.text, wrong)[0] or wrong):
                draft.rest += rest
                return True
    denied = draft.signs.not_.finditer(sentence)
    return any(_swap_around(draft, sentence, no) for no in denied)


def explained_wrong(draft: Draft, parts: list[str]) -> bool:
    """ "Max! Rex was my old dog", "drums I mean, the bass is my brother": whether what comes behind
    what is right tells of the wrong one that it is something else."""
    said = [part.strip(" .!") for part in parts if core_of(part, draft.signs)]
    if len(said) < 2 or (is_excuse(said[1]) and not _FINE.search(said[1])):
        return False
    if draft.signs.not_.search(said[0]):
        return False
    right, behind = plain_of(said[0], draft.signs), core_of(said[1], draft.signs)
    lead = draft.signs.lead.match(behind)
    begin = lead.end() if lead else 0
    wrong, end = _held(draft.text, behind[begin:])
    begins = wrong and behind[begin:].casefold().startswith(wrong.casefold())
    fine = _FINE.search(behind) is not None
    if not begins or begin + end >= len(behind) or not _may_be_meant(draft, right, wrong, fine):
        return False
    if not _swap(draft, right, wrong):
        return False
    draft.rest += said[1:]
    return True


def _may_be_meant(draft: Draft, right: str, wrong: str, fine: bool) -> bool:
    """Whether both are things, and what is right is one even where nothing announces it."""
    named = {one.text.casefold() for one in slots(draft.text, draft.code)}
    named |= {one.object.casefold() for one in read(draft.text).statements}
    thing = draft.signs.lead.sub("", right)
    theirs = slots(thing, draft.code, draft.sure == 0 and draft.code != "de" and thing == right)
    whole = len(theirs) == 1 and theirs[0].text == thing and not POLITE.match(thing)
    short = right and len(right.split()) <= 3 and PRONOUN.match(right) is None
    return bool(short) and wrong.casefold() in named and (whole or fine or draft.sure > 1)


def _swap_around(draft: Draft, sentence: str, no: re.Match[str]) -> bool:
    after = sentence[no.end() :]
    wrong, length = _held(draft.text, after)
    tail = _YET.sub("", after[length:])
    but = draft.signs.but.match(tail)
    if not wrong or not (_ENDS.match(tail) or but):
        return False
    *others, before = PARTS.split(sentence[: no.start()].rstrip(" ,–-;"))
    joined = _AND.search(f"{before} {no[0]}") is not None or _AND.fullmatch(before) is not None
    if joined and but:  # "1942, und nicht in Danzig, sondern in Elbing"
        others, before = [*others, _AND.sub("", before)], ""
    before = _AND.sub("", before)
    if plain_of(before, draft.signs):
        rest = [*others, *PARTS.split(tail.lstrip(" ,;"))]
        right = before
    else:
        right, *rest = PARTS.split(tail[but.end() :] if but else tail.lstrip(" ,;:.–—-"))
        rest = [*(one for one in others if one), *rest]
    if not _swap(draft, right, wrong):
        return False
    draft.rest += rest
    return True


def _held(earlier: str, said: str) -> tuple[str, int]:
    """The longest beginning of what is said that stands in the earlier message, without the
    article or preposition before it where that does not, and how long it is there."""
    until = re.search(r"[,;!()]|[.:](?=\s|$)|\s[–—-]+\s|$", said)
    tokens = list(re.finditer(r"\S+", said[: until.start() if until else None]))
    for last in reversed(tokens[:MOST]):
        for first in tokens[:3]:
            phrase = said[first.start() : last.end()]
            if first.start() >= last.end() or not _says_something(phrase):
                continue
            found = re.search(whole_word(phrase), earlier, re.I)
            if found is None and phrase.isdigit():  # "78 not 87", the last digits of a number
                found = re.search(rf"{phrase}(?!\d)", earlier)
            if found is not None:
                return found[0], last.end()
    return "", 0


def _says_something(phrase: str) -> bool:
    return bool(content_words(phrase)) or phrase.casefold() in ("he", "she", "they")


def _swap(draft: Draft, right: str, wrong: str) -> bool:
    """Puts what is right everywhere in the place of what is wrong; whether it could."""
    if re.search(re.escape(wrong), draft.text, re.I) is None:
        return False
    found = _aligned(draft, right, wrong)
    if found is None or found[0].casefold() == found[1].casefold():
        return False
    right, wrong = found
    pattern = rf"{wrong}(?!\d)" if wrong.isdigit() else whole_word(wrong)
    text = re.sub(pattern, lambda _: right, draft.text, flags=re.I)
    last = right.split()[-1]
    draft.text = with_agreement(re.sub(rf"\b({re.escape(last)})\s+\1\b", r"\1", text), right)
    return draft.changed


def _aligned(draft: Draft, right: str, wrong: str) -> tuple[str, str] | None:
    """What is right and what is wrong, cut to the part in which they differ; None where one can
    not stand for the other."""
    whole, right = right, plain_of(right, draft.signs)
    theirs = [one for one in _things(wrong, draft) if one.kind != "name"]
    if theirs:
        kind = theirs[-1].kind
        same = [one for one in _things(right, draft) if one.kind == kind]
        if same:
            return same[-1].text, theirs[-1].text
        role = changed_role(right, wrong) if kind == "kin" else None
        if role or kind != "kin":  # a relation may also be a job: "a notary, not a teacher"
            return (role, theirs[-1].text) if role else None
    right, wrong = _without_common_beginning(right, wrong)
    if not right or len(right.split()) > len(wrong.split()) + 2:
        names = [one.text for one in slots(whole, draft.code) if one.kind == "name"]
        if not names or not wrong[:1].isupper():
            return None
        right = names[-1]
    says_more = PRONOUN.match(right) is not None and PRONOUN.fullmatch(wrong) is None
    return (right, wrong) if right and wrong and not says_more else None


def _things(text: str, draft: Draft) -> list[Slot]:
    """The things in a text, a date with its weekday and its year as one."""
    found = slots(text, draft.code, False)
    if not any(one.kind == "date" for one in found):
        return found
    dates: list[Slot] = []
    for one in sorted(found, key=lambda slot: slot.start):
        if one.kind not in ("day", "date", "year"):
            continue
        if dates and _WITHIN_DATE.fullmatch(text[dates[-1].end : one.start]):
            begin = dates.pop().start
            one = Slot("date", text[begin : one.end], begin, one.end)
        dates.append(one)
    return [*dates, *(one for one in found if one.kind not in ("day", "date", "year"))]


_WITHIN_DATE = LazyPattern(r",?\s+(?:(?:de|the|den|dem|der|le)\s+)?", re.I)


def _without_common_beginning(right: str, wrong: str) -> tuple[str, str]:
    one, other = right.split(), wrong.split()
    if any(word.casefold() == other[0].casefold() for word in one[:3]):
        while one and one[0].casefold() != other[0].casefold():
            one = one[1:]
    while one and other and one[0].casefold() == other[0].casefold():
        one, other = one[1:], other[1:]
    leads = cue_words(frozenset(("en", "de", "es", "fr", "pt"))).lead
    text = " ".join(one)
    if len(one) > len(other):
        text = leads.sub("", text)
    return text, " ".join(other)
