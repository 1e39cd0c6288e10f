"""A message as clauses, each with what it does: state something, ask, suppose, quote …

Only a clause that states something can hold anything to keep, and a claim has to stand in one
clause: what a model puts together out of two is its own invention.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from thalamus.policy.language.corrections.within_sentence import as_said, put_right
from thalamus.policy.language.english.pronouns import with_noun
from thalamus.policy.language.languages import detect
from thalamus.policy.language.lexicon import Lexicon
from thalamus.policy.language.moods.empty_denials import is_empty_denial
from thalamus.policy.language.moods.jokes import is_famous_line, is_joke, is_mocking, only_laughs
from thalamus.policy.language.moods.passing_states import is_lasting, is_passing
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.taken_back import split_taken_back
from thalamus.policy.language.word_order import DASH

Mood = Literal[
    "states",
    "asks",
    "requests",
    "supposes",
    "quotes",
    "jokes",
    "greets",
    "meta",
    "passing",
    "taken_back",
]
Tense = Literal["past", "present", "coming"]

_SO = LazyPattern(r"(?:so|also|deshalb|deswegen|así\s+que|donc|alors|por\s+isso|então)$", re.I)
_IF = LazyPattern(r"(?:if|unless|in\s+case)\b", re.I)
RECENT = 8  # messages whose clauses are kept
TITLE = 4  # words in quotation marks up to which they are a name or a title, not somebody's speech
_TASTE = LazyPattern(
    r"I (?:prefer|dislike|love|am)\b"
)  # "give me tea over coffee any day" asks for nothing
_HOLE = "\ufffc"  # stands where quoted speech was taken out
_QUOTED = LazyPattern(
    r"\"([^\"\n]{1,600})\"|“([^”\n]{1,600})[”“]|„([^“”\n]{1,600})[“”\"]|«([^»\n]{1,600})»"
    r"|»([^«\n]{1,600})«|(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w)){12,600})'(?!\w)|(?<!\w)‘([^’\n]{12,600})’(?!\w)"
)
# "'Call me Ishmael' - what makes that opening famous?"
_SPOKEN = LazyPattern(r"(?:call\s+me|I\s+(?:am|have|was|love|hate)|I'm|my\s+name)\s+\w", re.I)
_CODE = LazyPattern(r"```.*?(?:```|\Z)|^\s*>.*$", re.S | re.M)
_ABBREVIATION = LazyPattern(
    r"(?i:\b(?:mrs?|ms|dr|st|mt|ft|prof|sr|sra|sta|jr|vs|etc|approx|no|nr|z\.\s?b|e\.g|i\.e|u\.a|d\.h|ca|bzw|"
    r"p\.\s?ex|núm|a\.m|p\.m)|\b[A-Z])\.$"
)
# the dots inside a name: "St. Mary's", "Washington D.C."; the patterns end a name at a dot
_DOT_IN_NAME = LazyPattern(
    r"(?:(?<=\b[A-Z])|(?<=\b(?:St|Mt|Ft)))\.(?=\s+[A-Z])"
    r"|(?<=\b[A-Z])\.(?=[A-Z]\b)|(?<=\b[A-Z]\.[A-Z])\."
)
_ORDINAL = LazyPattern(r"\b\d{1,2}\.$")  # German: "am 3. März", "im 2. Stock"
_COUNTED = LazyPattern(
    r"(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|"
    r"Stock|Etage|Klasse|Geburtstag|Semester|Liga)\b"
)
_TO_BE_WORKED_ON = LazyPattern(
    r"^[^:\n]*\b(?:translat\w+|proofread|correct|rephrase|rewrite|summari[sz]e|übersetz\w*|korrigier\w*|"
    r"formulier\w*|verbesser\w*|traduc\w+|traduz\w*|tradui\w*|corrig\w+|reformul\w*|resum\w*|résum\w*)\b"
    r"[^:\n]*:\s*(?P<text>.+)",
    re.I | re.S | re.M,
)
_END = LazyPattern(r"(?<=[.!?…])[\"”'’)]*\s+|\n+|(?<=[!?])(?=[A-ZÄÖÜ])")
_SMILES = LazyPattern(r"[\U0001f600-\U0001f64f\U0001f910-\U0001f92f]|[:;]-?[)D]")


@dataclass(frozen=True)
class Clause:
    """``text`` as it stands in the message; ``plain`` as the grammar reads it: contractions
    written out, fillers dropped, the subject repeated where it was carried over.

    ``negated``: it denies something. ``tense``: of its verb. ``remember``: the user asked for it
    to be kept. ``follows``: it only says what comes of the clause before it ("so we cannot …").
    ``carried``: its subject is that of the clause before it. ``amended``: a value was put right in
    it, so that ``text`` has the wrong one too. ``told``: as ``plain``, but idioms are
    left as they are. ``language``: the code of the
    language that it was read in.
    """

    text: str
    plain: str
    mood: Mood
    language: str
    sentence: str
    tense: Tense = "present"
    negated: bool = False
    remember: bool = False
    follows: bool = False
    carried: bool = False
    amended: bool = False
    told: str = ""

    @property
    def states(self) -> bool:
        """Whether it says that something is so."""
        return self.mood == "states"


def clauses(message: str) -> list[Clause]:
    """The clauses of a message, in order."""
    return list(_clauses(message))


@functools.lru_cache(RECENT)  # a turn reads its message several times
def _clauses(message: str) -> Sequence[Clause]:
    lexicon = detect(message)
    text = _without_speech(message.replace("’", "'"))
    text = lexicon.laughed.sub(lambda told: told["said"], text)
    text = lexicon.answered.sub(lambda asked: f"{asked['topic']}: ", text)
    found: list[Clause] = []
    for sentence in sentences(text):
        read = _on_condition(_with_taken_back(sentence, lexicon), lexicon)
        read = _with_nouns(read, found)
        found += _in_jest(read) if is_famous_line(make_plain(sentence, lexicon)) else read
    if is_mocking(text):
        return _in_jest(found)
    if lexicon.jokes.search(text):
        earnest = _introductions(found, lexicon) if only_laughs(text, lexicon.jokes) else []
        return _in_jest(found, earnest)
    return found


def _with_taken_back(sentence: str, lexicon: Lexicon) -> list[Clause]:
    """The clauses of a sentence. A value that the speaker puts right in it ("…, no wait, in Hamburg")
    stands in the place of the wrong one; what else is taken back ("…, no, I mean …") is the last
    clause before those words."""
    amended = put_right(sentence, lexicon)
    if amended is not None:
        return [_amended(one, amended, sentence) for one in _with_taken_back(amended, lexicon)]
    before, after = split_taken_back(sentence, lexicon)
    if not before:
        return list(_of_sentence(sentence, lexicon))
    said = list(_of_sentence(before, lexicon))
    said[-1:] = [replace(one, mood="taken_back") for one in said[-1:]]
    meant = list(_of_sentence(after, lexicon)) if after else []
    return [replace(one, sentence=sentence) for one in (*said, *meant)]


def _amended(clause: Clause, amended: str, sentence: str) -> Clause:
    """A clause of an amended sentence, with the words that were said."""
    said = as_said(clause.text, amended, sentence)
    return replace(clause, text=said, sentence=sentence, amended=said != clause.text)


def _with_nouns(found: list[Clause], earlier: Sequence[Clause]) -> list[Clause]:
    """The clauses with the noun in place of a pronoun that means it: what somebody is allergic
    to."""
    made: list[Clause] = []
    before = earlier[-1] if earlier else None
    for clause in found:
        named = (
            with_noun(before.plain, clause.plain) if before and clause.language == "en" else None
        )
        before = replace(clause, plain=named, told=named) if named is not None else clause
        made.append(before)
    return made


def _in_jest(found: list[Clause], earnest: Sequence[Clause] = ()) -> list[Clause]:
    """The clauses as jokes where they would state something and are not ``earnest``."""
    return [
        replace(one, mood="jokes") if one.states and one not in earnest else one for one in found
    ]


def _introductions(found: list[Clause], lexicon: Lexicon) -> list[Clause]:
    """The clauses that name somebody before the laughter, which is then about what comes after
    ("my son Leo starts school in May, not ready lol")."""
    earnest = []
    for one in found:
        before = one.plain.rpartition(",")[0] if one is found[-1] else one.plain
        if any(pattern.search(before) for pattern in lexicon.relations):
            earnest.append(one)
    return earnest


def _on_condition(found: list[Clause], lexicon: Lexicon) -> list[Clause]:
    """ "I will move if I get the job" announces nothing; "I get migraines if I drink wine" does
    state something."""
    made = []
    for clause, after in zip(found, [*found[1:], None], strict=False):
        depends = after is not None and after.mood == "supposes" and _IF.match(after.text)
        if depends and clause.states and lexicon.coming.search(clause.plain):
            clause = replace(clause, mood="supposes")
        made.append(clause)
    return made


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text; an abbreviation ends none."""
    made: list[str] = []
    for part in _END.split(text):
        part = part.strip()
        if not part:
            continue
        ordinal = made and _ORDINAL.search(made[-1]) and _COUNTED.match(part)
        if made and (ordinal or _ABBREVIATION.search(made[-1])):
            made[-1] = f"{made[-1]} {part}"
        else:
            made.append(part)
    return made


def _without_speech(text: str) -> str:
    """The text with a hole where somebody else's words stand: longer quotations, code, and what
    follows a colon after a request to translate or correct it."""

    def hollow(found: re.Match[str]) -> str:
        inner = next(group for group in found.groups() if group is not None)
        return inner if len(inner.split()) <= TITLE and not _SPOKEN.match(inner) else _HOLE

    text = _CODE.sub(f" {_HOLE} ", text)
    given = _TO_BE_WORKED_ON.search(text)
    if given:
        text = f"{text[: given.start('text')]}{_HOLE}"
    return _QUOTED.sub(hollow, text)


def _of_sentence(sentence: str, lexicon: Lexicon) -> Iterator[Clause]:
    stripped = _SMILES.sub("", sentence).strip()
    remember = lexicon.remember.match(stripped)
    if remember:
        stripped = stripped[remember.end() :].strip(" ?")
    if not stripped:
        return
    head, question = _question_part(stripped, lexicon)
    supposed = reported = False
    before: Clause | None = None
    for part, joined in _cut(head, lexicon):
        raw = _without_closing(part, lexicon)
        if not raw:
            continue
        clause = _of_part(raw, sentence, before, lexicon)
        mood = clause.mood
        supposed = supposed or mood == "supposes"
        reported = reported or mood == "quotes"
        if supposed and mood == "states":
            mood = "supposes"
        if reported and mood == "states":
            mood = "quotes"
        if remember and mood in ("passing", "meta"):
            mood = "states"
        follows = _SO.match(joined) is not None
        before = replace(clause, mood=mood, remember=remember is not None, follows=follows)
        yield before
    if question:
        plain = make_plain(question, lexicon)
        yield Clause(question, plain, "asks", lexicon.code, sentence)


def _of_part(raw: str, sentence: str, before: Clause | None, lexicon: Lexicon) -> Clause:
    """A part of a sentence as a clause by itself, with the subject of the one ``before`` it."""
    told = make_plain(raw, lexicon)
    plain = _without_idioms(told, lexicon)
    if before is None:
        plain, told = _with_subject(plain, lexicon), _with_subject(told, lexicon)
    carried = False
    if before is not None and before.states and lexicon.carried.match(plain):
        carried = True
        plain = _carry(before.plain, plain, lexicon)
    mood = _mood_of(raw, told, plain, lexicon)
    if lexicon.arrange is not None:
        said, plain = plain, lexicon.arrange(plain)
        if before is not None and before.states:
            unsaid = lexicon.subject.match(said) is None and lexicon.subject.match(plain)
            carried = carried or bool(unsaid and not lexicon.first_person.search(said))
        mood = _mood(raw, plain, lexicon) if mood == "states" else mood
    return Clause(
        text=raw.strip(" ,;"),
        plain=plain,
        mood=mood,
        language=lexicon.code,
        sentence=sentence,
        tense=tense_of(plain, lexicon),
        negated=lexicon.negates.search(plain) is not None,
        carried=carried,
        told=told,
    )


def _question_part(sentence: str, lexicon: Lexicon) -> tuple[str, str]:
    """What of a sentence with a question mark states something, and what asks."""
    bare = sentence.rstrip("\"'”) ")
    if not bare.endswith(("?", "？")):
        return sentence, ""
    for found in re.finditer(r"[,;:–—-]\s+(?:and\s+|but\s+|so\s+|und\s+|y\s+|et\s+|e\s+)?", bare):
        asked = bare[found.end() :]
        if lexicon.asks.match(make_plain(asked, lexicon)):
            return bare[: found.start()], asked
    return "", bare


def _cut(sentence: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """The clauses of a sentence, each with what joins it to the one before."""
    begin, joined = 0, ""
    for found in lexicon.cut.finditer(sentence):
        part = sentence[begin : found.start()]
        if begin == 0 and _only_a_time(part, lexicon):
            continue  # "Il y a deux ans, | je me suis installé à Berlin"
        apposed = found[0].strip() == "," or _THEIRS.match(sentence, found.end())
        if apposed and _only_somebody(part, lexicon):
            continue  # "My daughter Ida and | her boyfriend live", "My aunt, Ida, | lives in Malmö"
        named = lexicon.code == "en" and found[0] == ", " and _NAMED.match(sentence, found.end())
        if named and not begin and not _tells(part, lexicon):
            continue  # "On Sundays, | Emil plays handball"
        if part.strip(" ,.;!"):
            yield part, joined
        begin, joined = found.end(), found[0].strip(" ,")
    if sentence[begin:].strip(" ,.;!"):
        yield sentence[begin:], joined


def _without_closing(part: str, lexicon: Lexicon) -> str:
    """A clause without remarks at its end that tell nothing ("by the way", "you know")."""
    before = None
    while before != part:
        before = part
        part = lexicon.closings.sub(lambda found: found["kept"] or "", part).rstrip(" ,")
    return part


def _only_somebody(part: str, lexicon: Lexicon) -> bool:
    """Whether a part only names somebody of whom the next one says something."""
    found = lexicon.subject.match(f"{part.strip()} x")
    return found is not None and found["rest"] == "x" and not found["me"]


def _tells(part: str, lexicon: Lexicon) -> bool:
    """Whether a part has a subject of which it says something."""
    found = lexicon.subject.match(make_plain(part, lexicon))
    return found is not None and bool(found["rest"])


_NAMED = LazyPattern(r"(?!I\b)[A-Z][\w-]+\s")
_THEIRS = LazyPattern(r"(?:his|her|their)\s", re.I)


def _only_a_time(part: str, lexicon: Lexicon) -> bool:
    """Whether nothing is left of a part without its phrases for times."""
    return lexicon.arrange is not None and lexicon.arrange(part.strip()).startswith(DASH)


def make_plain(text: str, lexicon: Lexicon) -> str:
    """The text as the patterns of a lexicon expect it."""
    plain = " ".join(text.split()).strip(" ,;.!…")
    if "." in plain:
        plain = _DOT_IN_NAME.sub("", plain)
    plain = lexicon.fillers.sub("", plain, count=1)
    for pattern, replacement in lexicon.expand:
        plain = pattern.sub(replacement, plain)
    plain = lexicon.adverbs.sub(" ", plain)
    return " ".join(plain.split()).strip(" ,;")


def _with_subject(plain: str, lexicon: Lexicon) -> str:
    """The clause with the "I" that its sentence leaves out ("Working on …", "Been to Rome")."""
    found = lexicon.elided.match(plain)
    if found is None or found.lastgroup is None:
        return plain
    begun = plain[0].lower() + plain[1:]
    return f"{found.lastgroup.replace('i', 'I', 1).replace('_', ' ')} {begun}"


def _carry(before: str, plain: str, lexicon: Lexicon) -> str:
    """The clause with the subject of the one before it."""
    found = lexicon.subject.match(before)
    if not found:
        return plain
    return f"{before[: found.start('rest')].rstrip(' ,')} {plain}"


def _without_idioms(told: str, lexicon: Lexicon) -> str:
    for idiom, said in lexicon.idioms:
        told = idiom.sub(said, told)
    return told


def _mood_of(raw: str, told: str, plain: str, lexicon: Lexicon) -> Mood:
    """What a clause does, also before its idioms were put into plain words: "Book a flight on
    Friday" is no appointment."""
    mood = _mood(raw, plain, lexicon)
    if mood == "states" and told != plain and not _TASTE.match(plain):
        asked = _mood(raw, told, lexicon)
        return asked if asked in ("asks", "requests", "quotes") else mood
    return mood


def _mood(raw: str, plain: str, lexicon: Lexicon) -> Mood:
    """What a clause does. The order matters: a quotation that asks is a quotation."""
    tests: Sequence[tuple[Mood, bool]] = (
        ("quotes", _HOLE in raw or lexicon.reports.search(plain) is not None),
        ("greets", lexicon.greets.match(plain) is not None),
        ("supposes", lexicon.supposes.search(plain) is not None),
        ("requests", lexicon.requests.match(plain) is not None),
        ("asks", lexicon.asks.match(plain) is not None),
        ("jokes", is_joke(plain)),
        ("meta", is_empty_denial(plain) or lexicon.meta.match(plain) is not None),
        ("passing", _passes(raw, plain, lexicon)),
    )
    return next((mood for mood, applies in tests if applies), "states")


def _passes(raw: str, plain: str, lexicon: Lexicon) -> bool:
    """Whether a clause speaks of what is over soon, and does not say that it comes back."""
    passing = lexicon.passing.search(plain) is not None or is_passing(raw, plain, lexicon.code)
    return passing and not is_lasting(raw)


def tense_of(plain: str, lexicon: Lexicon) -> Tense:
    """The tense of a clause, as the grammar reads it."""
    if lexicon.coming.search(plain):
        return "coming"
    return "past" if lexicon.past.search(plain) else "present"
