"""A value that the speaker puts right in the same sentence: "in Bremen, no wait, in Hamburg".

What is right goes into the place of the last thing of its kind before those words: a name, a number,
a day, a relation, or the phrase that begins with the same preposition or article. Where it has no such
place, nothing is put right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from thalamus.policy.language.corrections.slots import Slot, same_noun, slots
from thalamus.policy.language.lexicon import Lexicon
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.taken_back import takes_back
from thalamus.policy.language.vocabulary.given_names import is_given_name

MOST = 5  # words of a value
OFTEN = 3  # values that a sentence puts right
_COMMA = r"\s*[,;:–—(-]+\s*|\s*(?:\.\.\.|…)\s*"


def _cues(bare: str, stopped: str) -> LazyPattern:
    """What announces a value. ``bare`` may stand right before it; ``stopped`` only with a comma:
    "two cats, no dogs" corrects nothing."""
    return LazyPattern(
        rf"(?:{_COMMA})(?:(?:oh|ah|er+m?|uhm?|um|well|ach|äh|euh|eh|enfin|bueno)[\s,]+)?"
        rf"(?:(?:{bare}|{stopped})[\s,;:–—-]+)*(?:(?:{bare})(?:{_COMMA}|\s+)|(?:{stopped})(?:{_COMMA}))(?=[^\s,;:–—-])",
        re.I,
    )


_CUES = {
    "en": _cues(
        r"sorry|(?:no\s+)?wait(?:,?\s+no)?|hang\s+on|hold\s+on|actually|or\s+rather|rather|I\s+meant?(?!\s+(?:it|that)\b)|make\s+that|scratch\s+that|scrap\s+that|strike\s+that|correction|oops",
        r"no|nope",
    ),
    "de": _cues(
        r"nein\s+(?:warte|halt|moment)|warte|entschuldigung|sorry|vielmehr|besser\s+gesagt|ich\s+mein(?:t)?e|ich\s+wollte\s+sagen|quatsch|moment",
        r"nein|nee|halt",
    ),
    "fr": _cues(
        r"non\s+(?:attends|attendez|pardon)|pardon|désolée?|attends|attendez|ou\s+plutôt|plutôt|je\s+(?:veux|voulais)\s+dire|enfin",
        r"non",
    ),
    "es": _cues(
        r"no\s+(?:espera|perdón)|perdón|perdona|espera|mejor\s+dicho|o\s+más\s+bien|más\s+bien|(?:quiero|quería|quise)\s+decir|digo",
        r"no",
    ),
    "pt": _cues(
        r"não\s+(?:espera|desculpa)|desculpa|desculpe|perdão|espera|aliás|melhor\s+dizendo|ou\s+melhor|(?:quero|queria|quis)\s+dizer|digo",
        r"não",
    ),
}
_PREPOSITION = LazyPattern(
    r"(?:in|on|at|to|from|near|with|for|by|as|of|im|am|an|auf|bei|beim|zu|zum|zur|nach|mit|von|aus|um|für|à|au|aux|en|dans|chez|de|du|avec|pour|"
    r"con|para|por|al|del|em|no|na|nos|nas|ao|do|da|com|pelo|pela)(?=\s)",
    re.I,
)
_ARTICLE = LazyPattern(
    r"(?:an?|the|my|our|his|her|their|eine?[nmrs]?|der|die|das|dem|den|mein\w*|une?|le|la|les|mon|ma|mes|el|los|las|una?|mi|mis|um|uma|os?|as?|meu|minha)(?=\s)",
    re.I,
)
_ANY_ONE = LazyPattern(r"(?:an?|eine?[nmrs]?|une?|una?|um|uma)$", re.I)
# "it's Hamburg", "he's 35"
_IT_IS = LazyPattern(
    r"(?:(?:it|that|he|she|they)(?:['’]?s|\s+is|\s+was|['’]re|\s+are)|es\s+ist|er\s+ist|sie\s+ist|c['’]est|es|é)\s+(?=\S)",
    re.I,
)
# a clause, an excuse, a joke or something in addition, and no value
_NO_VALUE = LazyPattern(
    r"(?:I|we|you|he|she|it|they|there|this|that|not|never|really|seriously|honestly|joking|kidding|just|please|thanks?|thank|too|also|forget|ignore|nothing|none|more|less|ich|wir|er|sie|es|"
    r"das|nicht|kein\w*|je|j'|tu|il|elle|on|nous|ne|pas|yo|nosotros|él|ella|eu|ele|ela|nós|isso|eso|ça)\b"
    r"|.*\b(?:too|also|as\s+well|either|instead\s+of|is|are|am|was|were|has|have|had|do|does|did|will|would|can|could|lives?|works?|auch|ist|sind|hat|habe|aussi|también|também|est|sont|são|está|estão|tiene|tem)\b",
    re.I,
)
_ENDS = LazyPattern(r"\s*(?:[,;.!?()]|\s[–—-]\s|…|$)")
_CLOSING = LazyPattern(r",?\s+(?:I\s+mean[t]?|sorry|actually|rather|I\s+think)\s*$", re.I)
_PLACE_BEFORE = LazyPattern(r"\b(?:in|at|to|from|near|nach|aus|à|en|em|para|outside)\s+$", re.I)


@dataclass(frozen=True)
class _Value:
    """What is right: the preposition or article before it, and the things of a kind in it."""

    text: str
    preposition: str | None
    article: str | None
    things: tuple[Slot, ...]

    @property
    def bare(self) -> str:
        """The value without its preposition."""
        return self.text[len(self.preposition or "") :].lstrip()


def put_right(sentence: str, lexicon: Lexicon) -> str | None:
    """A sentence with each value that its speaker corrects in it put right; None where nothing is
    corrected that has a place."""
    cues = _CUES.get(lexicon.code)
    made = sentence
    for _ in range(OFTEN):
        better = next(
            (better for cue in (cues.finditer(made) if cues else ()) if (better := _applied(made, cue, lexicon))),
            None,
        )  # fmt: skip
        if better is None:
            break
        made = better
    return made if made != sentence else None


def as_said(text: str, amended: str, sentence: str) -> str:
    """The words of a sentence from which a part of it came, which was ``amended``."""
    begin = amended.find(text)
    same = next(
        (at for at, (a, b) in enumerate(zip(amended, sentence, strict=False)) if a != b),
        min(len(amended), len(sentence)),
    )
    if begin < 0 or text in sentence:
        return text
    longer = len(sentence) - len(amended)
    first = begin if begin <= same else begin + longer
    return sentence[first : begin + len(text) + longer].strip(" ,;")


def _applied(sentence: str, cue: re.Match[str], lexicon: Lexicon) -> str | None:
    """The sentence with the value behind a cue in its place before it."""
    said, after = sentence[: cue.start()], sentence[cue.end() :]
    if _only_names(said, after, lexicon):
        return after
    opening = _IT_IS.match(after)
    begin = opening.end() if opening is not None else 0
    end = _ENDS.search(after, begin)
    words = _CLOSING.sub("", after[begin : end.start() if end else len(after)])
    cut = lexicon.cut.search(f"{words} ")
    words = words[: cut.start()] if cut is not None else words
    if not 0 < len(words.split()) <= MOST or _NO_VALUE.match(words):
        return None
    begin_of_clause = max((one.end() for one in lexicon.cut.finditer(said)), default=0)
    value = _value(words, lexicon)
    sure = takes_back(cue[0], lexicon)
    placed = _placed(said[begin_of_clause:], value, lexicon, sure)
    if placed is None:
        return None
    rest = after[begin + len(words) :]
    closing = _CLOSING.match(rest)
    return said[:begin_of_clause] + placed + (rest[closing.end() :] if closing else rest)


def _only_names(said: str, after: str, lexicon: Lexicon) -> bool:
    """Whether only somebody was named so far, and somebody else is named instead: "my mum, sorry,
    my aunt is a nurse"."""
    before = lexicon.subject.match(f"{said.strip()} x")
    meant = lexicon.subject.match(after)
    return (
        before is not None
        and before["rest"] == "x"
        and not before["me"]
        and meant is not None
        and not meant["me"]
        and len((meant["rest"] or "").split()) > 1
    )


def _value(words: str, lexicon: Lexicon) -> _Value:
    preposition = _PREPOSITION.match(words)
    bare = words[preposition.end() :].lstrip() if preposition else words
    article = _ARTICLE.match(bare)
    return _Value(
        words,
        preposition[0] if preposition else None,
        article[0] if article else None,
        tuple(slots(bare, lexicon.code, False)),
    )


def _placed(said: str, value: _Value, lexicon: Lexicon, sure: bool) -> str | None:
    """A clause with the value in the place of what is of its kind; None where there is none."""
    there = slots(said, lexicon.code)
    if not said.strip():
        return None
    return (
        _in_place_of_kind(said, value, there)
        or _in_place_of_day(said, value, there)
        or _in_place_of_phrase(said, value, there, value.preposition)
        or _in_place_of_phrase(said, value, there, None if value.preposition else value.article)
        or (_in_place_of_last_word(said, value) if sure else None)
    )


def _in_place_of_kind(said: str, value: _Value, there: list[Slot]) -> str | None:
    """The clause with the value where a thing of its kind stood, with what belongs to both."""
    if len(value.things) != 1:
        return None
    thing = value.things[0]
    if thing.kind == "kin" and value.article and _ANY_ONE.match(value.article):
        return None  # "a nurse, sorry, a doctor"
    left = value.bare.replace(thing.text, " ", 1)
    left = _ARTICLE.sub(" ", f"{left.strip()} ", 1).strip()
    place = _last_of_kind(said, thing, there)
    if place is None:
        return None
    end = place.end
    if left:  # "three cats", of two cats
        counted = re.match(r"\s+([^\W\d_]+)", said[end:])
        if thing.kind != "number" or counted is None or not same_noun(counted[1], left):
            return None
        end += counted.end()
    right = value.bare if left else value.bare[thing.start :]
    begin = place.start
    before = re.search(r"(\S+)\s+$", said[:begin])
    if value.preposition and before and _PREPOSITION.match(f"{before[1]} "):
        begin, right = before.start(1), f"{value.preposition} {right}"
    elif before and _ARTICLE.fullmatch(f"{before[1]} ") and value.article:
        begin, right = before.start(1), value.bare
    return f"{said[:begin]}{right}{said[end:]}"


def _in_place_of_day(said: str, value: _Value, there: list[Slot]) -> str | None:
    """The clause with another day of the month in its last date: "9 May, no, the 10th"."""
    day = re.fullmatch(r"(?:the\s+)?(\d{1,2}(?:st|nd|rd|th|º|\.)?)", value.bare, re.I)
    dates = sorted((one for one in there if one.kind == "date"), key=lambda one: one.start)
    if day is None or not dates:
        return None
    date = re.sub(r"\d{1,2}(?:st|nd|rd|th|º|\.)?", day[1], dates[-1].text, count=1, flags=re.I)
    return f"{said[: dates[-1].start]}{date}{said[dates[-1].end :]}"


def _last_of_kind(said: str, thing: Slot, there: list[Slot]) -> Slot | None:
    found = sorted((one for one in there if one.kind == thing.kind), key=lambda one: one.start)
    if thing.kind == "name":
        person = is_given_name(thing.text.split()[0])
        alike = [one for one in found if _is_person(said, one) == person]
        # a town may be called like a woman: the only name there is will do
        found = alike or [one for one in found if len(found) == 1 and not _is_person(said, one)]
    if thing.kind == "kin":
        found = found[:1]  # whom the clause is about
    return found[-1] if found and found[-1].text != thing.text else None


def _is_person(said: str, name: Slot) -> bool:
    return is_given_name(name.text.split()[0]) and not _PLACE_BEFORE.search(said[: name.start])


def _in_place_of_phrase(
    said: str, value: _Value, there: list[Slot], opening: str | None
) -> str | None:
    """The clause with the value in place of its last phrase that begins with the same word and
    names things of the same kinds."""
    if opening is None:
        return None
    same = (
        rf"(?<!\S){re.escape(opening)}\s"
        if opening.casefold() not in ("a", "an")
        else r"(?<!\S)an?\s"
    )
    kinds = {one.kind for one in value.things}
    for found in reversed([*re.finditer(same, said, re.I)]):
        behind = [one for one in there if one.start >= found.start()]
        there_kinds = {one.kind for one in behind}
        if there_kinds & kinds or not (there_kinds or kinds - {"kin"}):
            return f"{said[: found.start()]}{value.text}"
    return None


def _in_place_of_last_word(said: str, value: _Value) -> str | None:
    """The clause with a single common word in place of its last one: "allergic to nuts, no wait,
    shellfish"."""
    last = re.search(r"(?<=\s)[a-zà-ÿ-]+$", said)
    single = re.fullmatch(r"[a-zà-ÿ-]+", value.text)
    return f"{said[: last.start()]}{value.text}" if last and single and not value.things else None
