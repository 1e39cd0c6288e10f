"""The words by which a message says that it corrects the one before, in each language."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from thalamus.policy.language.english import cues as english
from thalamus.policy.language.french import cues as french
from thalamus.policy.language.german import cues as german
from thalamus.policy.language.patterns import LazyPattern, Pattern
from thalamus.policy.language.portuguese import cues as portuguese
from thalamus.policy.language.spanish import cues as spanish

_CUES = {
    "en": english.CUES,
    "de": german.CUES,
    "es": spanish.CUES,
    "fr": french.CUES,
    "pt": portuguese.CUES,
}

# who is no husband, being engaged, is a fiancé
BECOMES = (
    (r"engaged", "fiancé"), (r"divorced|separated", "ex-husband", "ex-wife"), (r"(?:just\s+)?(?:dating|together)", "partner"),
    (r"(?:just\s+|only\s+|good\s+)*friends", "friend"), (r"married", "husband", "wife"),
    (r"verlobt", "Verlobter", "Verlobte"), (r"verheiratet", "Mann", "Frau"), (r"(?:nur\s+)?(?:befreundet|freunde)", "Freund", "Freundin"),
    (r"prometid[oa]s", "prometido", "prometida"), (r"casados", "marido", "mujer"), (r"fiancée?s", "fiancé", "fiancée"),
    (r"mariée?s", "mari", "femme"), (r"noivos", "noivo", "noiva"),
)  # fmt: skip
FEMALE = LazyPattern(
    r"(?:wife|girlfriend|sister|mother|mum|mom|daughter|aunt|niece|frau|freundin|schwester|mujer|esposa|novia|femme|copine|mulher|namorada)$",
    re.I,
)
_EXCUSES = LazyPattern(
    r"\b(?:auto-?correct|wrong|counted|miscounted|looked\s+it\s+up|always\s+say|typo|keyboard|mix\w*\s+(?:up|that|those|them|it)|mixed|confus\w+|checked|mistake|spell\w*|misremember\w*|"
    r"verwechs\w+|vertippt|verschrieben|tippfehler|autokorrektur|nachgesehen|nachgeschaut|confund\w+|mirar|mirado|comprob\w+|me\s+lío|teclado|corrector|"
    r"confond\w*|trompée?|clavier|correcteur|vérifié|corretor|engan\w+|errei)\b",
    re.I,
)  # fmt: skip
_LETTERS = LazyPattern(
    r"(?:^|,?\s+)(?:and\s+|und\s+)?(?:with|without|mit|ohne|con|sin|avec|sans|com|sem)\s+(?:(?:the|das|dem|le|el|o|an?|one|two|double|einem|einer|doppel|zwei|una?|dos|doble|une?|deux|uma?|dois)[\s-]+)*"
    r"[\"'“]?[a-zäöüßñç]{1,2}\b.*$"
    r"|,?\s+(?:if\s+(?:you|we|i)\s+(?:count|include)|counting|including|wenn\s+(?:man|ich|wir)|si\s+(?:cuentas|cuento|contamos)|contando|si\s+(?:on|je|tu)\s+compt\w+|en\s+comptant|se\s+contar\w*)\b.*$",
    re.I,
)  # fmt: skip
_LEAD = LazyPattern(
    r"^(?:(?P<prep>on|at|in|to|for|from|with|by|near|am|um|im|nach|bei|beim|mit|von|vom|aus|zu|zum|zur|en|a|con|por|à|au|aux|chez|avec|para|com|"
    r"em|na|no|nos|nas|às|ao|de|du|d'|da|do|del)\s+)?(?:(?P<det>the|an?|my|our|his|her|their|le|la|les|l'|el|los|las|lo|mein\w*|unser\w*|d(?:er|ie|as|en|em)|ein\w*|un|una|une|um|uma|mon|ma|mes|"
    r"mis?|minhas?|meus?|os?|as?|sein\w*|ihr\w*|son|sa|su)\s+)?(?=\S)",
    re.I,
)  # fmt: skip


@dataclass(frozen=True)
class CueWords:
    """The patterns of the languages that a message and the one before it are in."""

    opens: Pattern
    closes: Pattern
    rather: Pattern
    surely: Pattern
    since: Pattern
    is_: Pattern
    not_: Pattern
    but: Pattern
    after_all: Pattern
    cancelled: Pattern
    stays: Pattern
    excuses: Pattern = _EXCUSES
    letters: Pattern = _LETTERS
    lead: Pattern = _LEAD


@functools.cache
def cue_words(codes: frozenset[str]) -> CueWords:
    """The patterns of some languages together."""

    def pattern_of(cue: str, before: str, after: str) -> Pattern:
        parts = "|".join(getattr(_CUES[code], cue) for code in sorted(codes))
        return LazyPattern(f"{before}(?:{parts}){after}", re.I, listed=False)

    return CueWords(
        opens=pattern_of("opens", r"^", r"(?![\w'])[\s,:;.!…–-]*"),
        closes=pattern_of("closes", r"(?:^|[\s,;–-]+)", r"[\s.!]*$"),
        rather=pattern_of("rather", r",?\s*(?<![\w'])", r"(?![\w'])"),
        surely=pattern_of("surely", r"(?<![\w'])", r"(?![\w'])"),
        since=pattern_of("since", r"(?<![\w'])", r"(?![\w'])"),
        is_=pattern_of("is_", r"^", r"(?![\w'])\s*"),
        not_=pattern_of("not_", r"(?<![\w'])", r"(?![\w'])\s*"),
        but=pattern_of("but", r"^[\s,;:.–-]*", r"(?![\w'])\s*"),
        after_all=pattern_of("after_all", r"(?<![\w'])", r"(?![\w'])"),
        stays=pattern_of("stays", r"(?<![\w'])", r"(?![\w'])"),
        cancelled=pattern_of("cancelled", r"(?<![\w'])", r"(?![\w'])"),
    )
