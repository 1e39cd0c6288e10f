"""English noun phrases without a parser: where one may begin, where it ends, and which say nothing.

A phrase begins after a determiner, a number, a preposition or one of some verbs that take an
object, and ends before the next word that cannot be a part of it (chunking by closed word classes,
as in Abney, "Parsing by Chunks", 1991). What is left out is cheap, what is wrongly let in is not:
a phrase that is doubtful is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from thalamus.policy.language.english.common_words import is_common
from thalamus.policy.language.english.word_classes import (
    DAYS,
    LASTING,
    MONTHS,
    NUMBERS,
    OCCUPATIONS,
)
from thalamus.policy.language.english.words import KIN
from thalamus.policy.language.third_person import IRREGULAR_PAST
from thalamus.policy.language.vocabulary.activities import ACTIVITIES
from thalamus.text.tokens import STOP_WORDS

LONGEST = 3  # words of a phrase
_DETERMINERS = frozenset(
    "a an the my our his her their your its this that these those some any no every each another"
    " both all several many few".split()
)
_PREPOSITIONS = frozenset(
    "of in on at for with about from into by near through during without between against like"
    " under over around behind towards across".split()
)
_TAKE_OBJECTS = frozenset(
    f"{verb}{ending}"
    for verb in "like love enjoy hate prefer collect play learn read eat drink bake cook adopt"
    " teach speak grow visit".split()
    for ending in ("", "s", "ed", "d", "ing")
) | set("studies studied study studying practise practising loves loving hating drank ate".split())
_NUMBERS = frozenset(NUMBERS) | set("hundred thousand million dozen".split())
# before a noun they say how it is, not what
_WEAK = frozenset(
    """new old older oldest big bigger biggest small smaller little tiny huge large good better best
    great nice lovely beautiful amazing awesome wonderful fantastic incredible perfect favourite
    favorite own first second third fourth last next other same whole entire few many several
    certain different similar special important main major minor real true whole full own long
    short high low hard easy early late young younger youngest cute cool fun funny bad worse worst
    terrible awful horrible happy sad proud recent latest current previous former future past
    upcoming daily weekly monthly yearly annual such quite very really pretty so more most much
    less least only just right wrong sure simple quick slow fresh hot cold warm super total crazy
    unique exciting interesting delicious gorgeous stunning cozy cosy dear poor rich local nearby
    possible potential various numerous additional extra specific particular general typical
    usual regular normal ordinary actual original final brand-new brilliant close far free
    strong weak solid tough rough deep single double half official personal private public
    relaxing peaceful calm quiet busy powerful inspiring meaningful valuable lasting sweet
    fellow kind busy ready extreme ultimate spectacular remarkable memorable unforgettable
    adorable charming creative positive negative constant immediate huge massive""".split()
)
# as the last word they say nothing in particular
_VAGUE = frozenset(
    """reminder reminders blast source path streak reality truth doubt corner treat pic pics fam fave
    everywhere anywhere somewhere nowhere thing things something anything everything nothing stuff lot lots bit bits way ways kind kinds
        sort sorts type types time times day days week weeks weekend weekends month months
        year years hour hours minute minutes second seconds moment moments morning mornings
        afternoon evening evenings night nights today tomorrow yesterday tonight noon midnight
        spring summer autumn fall winter season seasons age ages while ago date dates end
        start beginning middle rest part parts piece pieces side top bottom front number
        numbers amount couple pair few majority plenty variety set list bunch point points
        example examples thought thoughts mind feeling feelings chance chances luck shame joke
        trouble fun love hope hopes wish world life lives lifetime people person man men woman
        women guy guys girl girls boy boys folks someone everyone anybody others ones one
        place places word words name names mistake accident purpose effort try favour favor
        touch break shot turn level levels half third quarter tip tips info general particular
        addition contrast conclusion advance total sum sure least most back rush hurry mood
        smile ton tons load loads future past present fan fine okay ok yeah please thanks
        thank bye hi hello hey wow lol haha oh sorry congrats congratulations self myself
        yourself himself herself themselves ourselves whatever anyway though maybe perhaps
        almost enough user users assistant""".split()
)
# by themselves they say as little, but not with a word before them ("climate change")
_VAGUE_ALONE = frozenset(
    """group idea ideas problem problems issue issues question questions answer answers
        experience experiences event events memory memories story stories journey impact
        difference change changes plan plans goal goals dream dreams situation situations result
        results help support care interest interests detail details advice news update updates
        information course matter deal face head hand hands voice heart eyes conversation message
        messages chat look looks home step steps area areas spot sense range reason reasons fact
        facts case cases""".split()
)
_PLAIN_VERBS = """accept add agree allow announce appear apply ask attend be become begin believe
    belong break bring build buy call carry catch cause choose come complete consider continue
    cost could create decide describe develop die discover discuss do end enter expect explain
    explore fall feel fill find finish fit fix follow forget get give go happen have hear help hit
    hold hope imagine improve include inspire join keep know lead leave let live look lose make
    manage mean meet mention miss move need offer open pay plan prepare prevent provide pursue
    raise reach realise realize recall receive recommend reduce remain remember remind require
    respond return run say see seem sell send serve share show sit solve sound spend stand start
    stay stop suggest support suppose take talk teach tell tend think throw touch treat try turn
    understand use wait walk want wear win wonder work worry write bark arrive break cancel drive
    bring propose recommend leave create celebrate exist""".split()


def _forms(verb: str) -> Iterator[str]:
    """A regular verb in all its forms."""
    stem = verb.removesuffix("e")
    yield from (verb, f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing")
    if len(verb) < 7 and verb[-1] not in "aeiouwxy":
        yield from (f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing")  # stopping


_VERBS = (
    frozenset(form for verb in _PLAIN_VERBS for form in _forms(verb))
    | IRREGULAR_PAST
    | set(
        "gone been done seen taken given known grown tries carries goes does has is are was".split()
    )
)
_SPANS = frozenset(
    "day days week weeks weekend weekends month months year years hour hours minute minutes today"
    " tomorrow yesterday tonight morning evening night spring summer autumn winter ago".split()
)
_TIMES = frozenset(MONTHS) | set(DAYS) | {f"{day}s" for day in DAYS}
_STOP = STOP_WORDS | frozenset(
    """and or but nor yet if than as because since although unless together again later soon
    already instead ago even still always never often sometimes usually ever here there away back
    today tomorrow yesterday tonight however therefore well also one's""".split()
)
_OPENERS = _DETERMINERS | _PREPOSITIONS | _TAKE_OBJECTS | _NUMBERS | {"to"}
_CLOSED = (_STOP | _VERBS | _OPENERS | _TIMES) - {"second", "work", "support"}
_ADJECTIVE = ("ful", "ous", "able", "ible", "ive", "less", "ish", "ly", "ward", "wards")
_CONTRACTED = re.compile(r"['’](?:m|re|ve|ll|d)$|n['’]t$")
_POSSESSIVE = ("'s", "’s")
# words of other languages for a sport, which are English ones for something else
_NO_ACTIVITIES = _CLOSED | _VAGUE | _WEAK | set("foot course trail alto bass cor horn".split())
# what names something wherever it stands: animals, occupations, relatives, sports, instruments …
_STARTS = (
    (ACTIVITIES - _NO_ACTIVITIES)
    | LASTING
    | OCCUPATIONS
    | {word for word in KIN if " " not in word}
) - _STOP


def phrases(tokens: Sequence[str], lower: Sequence[str]) -> Iterator[Sequence[str]]:
    """The noun phrases in the words and punctuation of a text, which are given in lower case too;
    each as its words, without determiners and weak adjectives."""
    done = 0
    for place, word in enumerate(lower):
        opened = word in _OPENERS or word.endswith(_POSSESSIVE)
        if place < done or not (opened or word in _STARTS):
            continue
        begin = place + 1 if opened else place
        done = _end(tokens, lower, begin, word)
        found = _phrase(tokens[begin:done], lower[begin:done], word if opened else "")
        if found:
            yield found
        if done > begin and lower[done - 1].endswith(_POSSESSIVE):
            done -= 1  # what is owned follows


def _end(tokens: Sequence[str], lower: Sequence[str], begin: int, opener: str) -> int:
    """Where the words end that may make up a phrase."""
    place = begin
    while place < len(tokens) and place - begin <= LONGEST + 2:
        word = lower[place]
        modifies = place == begin and opener in _DETERMINERS and word.endswith("ing")
        if _CONTRACTED.search(word):
            break
        if not word[0].isalpha() or (word in _CLOSED and not modifies) or word.endswith("ly"):
            break
        if place > begin and word.endswith(("ed", "ing")) and tokens[place] == word:
            break
        place += 1
        if word.endswith(_POSSESSIVE):
            break
    return place


def _phrase(said: Sequence[str], lower: Sequence[str], opener: str) -> Sequence[str]:
    """What of these words names something; nothing when it is not sure."""
    begin, end = 0, len(said)
    while end > begin and said[end - 1] != lower[end - 1]:
        end -= 1  # names at the end are names
    while begin < end and lower[begin] in _WEAK:
        begin += 1
    begin = max(begin, end - LONGEST)
    words = lower[begin:end]
    if not words:
        return ()
    head = words[-1].removesuffix("'s").removesuffix("’s")
    if head in _VAGUE or head in _WEAK:
        return ()
    if opener == "to" and (not head.endswith("s") or head.endswith(("ss", "us", "is"))):
        return ()
    if opener in _PREPOSITIONS and words[0].endswith("ing") and words[0] not in _STARTS:
        return ()  # "about creating art"
    if len(words) == 1 and not _stands_alone(head, opener):
        return ()
    return () if head.endswith(_ADJECTIVE) or len(head) < 3 else said[begin:end]


def _stands_alone(word: str, opener: str) -> bool:
    """Whether one word is enough to say what is meant."""
    if word in _VAGUE_ALONE:
        return False
    if opener in _TAKE_OBJECTS or word in _STARTS:
        return True
    return not is_common(word) and not word.endswith(("ed", "est"))


def is_time(word: str) -> bool:
    """Whether a lower-case word names a day, a month or a span of time."""
    return word in _TIMES or word in _NUMBERS or word in _SPANS
