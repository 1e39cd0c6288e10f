"""What a speaker takes back in the middle of a sentence: "my aunt lives in Bremen, no, I mean …"."""

from __future__ import annotations

import re

from thalamus.policy.language.lexicon import Lexicon
from thalamus.policy.language.patterns import LazyPattern

_MARK = r"\s*[,;:–—(-]+\s*|\s*(?:\.\.\.|…)\s*|\s+"
_STOP = r"\s*[,;:–—(-]+\s*|\s*(?:\.\.\.|…)\s*"
# a "no" counts only behind a comma or a dash: "the answer is no, I mean it"
_TAKEN_BACK = {
    "en": LazyPattern(
        rf"(?:{_STOP})(?:oh\s+|ah\s+|er+\s+|uh\s+)?(?:"
        rf"(?:no|nope)(?:{_MARK})(?:(?:sorry|wait|hang\s+on|hold\s+on|actually|rather)(?:{_MARK})(?:no(?:{_MARK}))?(?:I\s+(?:mean|meant)\b)?|I\s+(?:mean|meant)\b)"
        rf"|(?:sorry|wait|hang\s+on|hold\s+on|actually)(?:{_MARK})(?:no(?:{_STOP})(?:I\s+(?:mean|meant)\b)?|I\s+(?:mean|meant)\b)"
        rf"|(?:scratch|scrap|strike)\s+that\b(?:{_STOP}I\s+(?:mean|meant)\b)?"
        rf"|I\s+meant\b)(?!\s+(?:it|that)\W*$|\s+business\b)[\s,:;–—-]*",
        re.I,
    ),
    "de": LazyPattern(
        rf"(?:{_STOP})(?:ach\s+)?(?:(?:nein|nee|ne|quatsch|halt|moment)(?:{_MARK})(?:(?:nein|sorry|entschuldigung|quatsch|halt|moment)(?:{_MARK}))*(?:ich\s+mein(?:t)?e|ich\s+wollte\s+sagen)\b(?!\s+es\s+ernst)"
        rf"|(?:nein|nee)(?:{_STOP})(?:quatsch|sorry|entschuldigung|halt|moment)\b|ich\s+meinte\b|vielmehr\b)[\s,:;–—-]*",
        re.I,
    ),
    "fr": LazyPattern(
        rf"(?:{_STOP})(?:(?:non|pardon|euh)(?:{_MARK})(?:(?:non|pardon|désolée?|attends|attendez)(?:{_MARK}))*(?:je\s+(?:veux|voulais)\s+dire|enfin)\b"
        rf"|non(?:{_STOP})(?:pardon|désolée?|attends|attendez)\b|je\s+voulais\s+dire\b)[\s,:;–—-]*",
        re.I,
    ),
    "es": LazyPattern(
        rf"(?:{_STOP})(?:(?:no|perdón|perdona)(?:{_MARK})(?:(?:no|perdón|perdona|espera)(?:{_MARK}))*(?:quiero|quería|quise)\s+decir\b"
        rf"|no(?:{_STOP})(?:perdón|perdona|espera|mejor\s+dicho)\b|(?:quería|quise)\s+decir\b|mejor\s+dicho\b)[\s,:;–—-]*",
        re.I,
    ),
    "pt": LazyPattern(
        rf"(?:{_STOP})(?:(?:não|desculpa|desculpe)(?:{_MARK})(?:(?:não|desculpa|desculpe|espera)(?:{_MARK}))*(?:quero|queria|quis)\s+dizer\b"
        rf"|não(?:{_STOP})(?:desculpa|desculpe|perdão|espera)\b|(?:queria|quis)\s+dizer\b|melhor\s+dizendo\b)[\s,:;–—-]*",
        re.I,
    ),
}  # fmt: skip


# said of a value only: "I live in Porto, I mean in Lisbon"; "I mean, I love tea" goes on
_VALUE = LazyPattern(
    rf"(?:{_STOP})I\s+mean\s+(?!(?:I|we|you|he|she|it|they|that|this|there)\b)(?=(?:[\w'-]+\s*){{1,4}}[.!]*$)",
    re.I,
)


def takes_back(cue: str, lexicon: Lexicon) -> bool:
    """Whether words between two values take the first one back in so many words."""
    pattern = _TAKEN_BACK.get(lexicon.code)
    return pattern is not None and pattern.match(f"{cue} ") is not None


def split_taken_back(sentence: str, lexicon: Lexicon) -> tuple[str, str]:
    """What of a sentence the speaker takes back, and what comes after the words that do so: the
    first is empty where nothing is taken back."""
    pattern = _TAKEN_BACK.get(lexicon.code)
    marks = [*pattern.finditer(sentence)] if pattern is not None else []
    if not marks and lexicon.code == "en":
        marks = [*_VALUE.finditer(sentence)]
    start, end = marks[-1].span() if marks else (0, 0)
    return sentence[:start].strip(), sentence[end:].strip()
