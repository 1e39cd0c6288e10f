"""The French words by which a message says that it corrects the one before."""

from __future__ import annotations

from thalamus.policy.language.cues import Cues, ReplacementCues

CUES = Cues(
    opens=(
        r"non|attends?|attendez|pardon|désolée?|correction|enfin|je\s+voulais\s+dire|"
        r"je\s+veux\s+dire|je\s+me\s+suis\s+trompée?|oups|erreur|oublie(?:\s+ça)?|plutôt|mince|"
        "faux|euh|disons|mets(?:-en)?"
    ),
    closes=(
        r"pardon|désolée?|je\s+voulais\s+dire|je\s+veux\s+dire|plutôt|pour\s+être\s+précise?|"
        r"je\s+me\s+suis\s+trompée?|erreur\s+de\s+ma\s+part"
    ),
    rather=r"en\s+fait|finalement|maintenant|désormais|plutôt|seulement|déjà|en\s+réalité",
    surely=r"en\s+fait|finalement|en\s+réalité|plutôt",
    since="maintenant|désormais",
    is_=(
        r"c'est|ce\s+sont|c'était|il\s+(?:est|a|s'appelle)|elle\s+(?:est|a|s'appelle)|j'ai|"
        r"ça\s+s'écrit|s'appelle|je\s+suis|on\s+est"
    ),
    not_=r"(?:ce\s+n'est\s+)?pas|non\s+pas|au\s+lieu\s+de",
    but="mais|c'est",
    after_all=(
        r"(?:ne|n'\w+)\b.*\bplus|finalement|en\s+fin\s+de\s+compte|au\s+final|oublie|"
        r"changement\s+de\s+programme"
    ),
    cancelled=(
        r"^(?:tout\s+)?annulée?s?\b|(?:a|ai|avons)\s+décidé\s+de\s+ne\s+pas|changé\s+d'avis|"
        r"(?:est|a\s+été|on\s+a|c'est)\s+(?:tout\s+)?annulée?s?|tombe\s+à\s+l'eau"
    ),
    stays=r"(?:on|je)\s+reste",
)
REPLACEMENT_CUES = ReplacementCues(
    opens=(
        r"(?:non|attends?|pardon|désolée?|correction|enfin|je\s+voulais\s+dire|"
        r"je\s+me\s+suis\s+trompée?)"
    ),
    is_=r"(?:c'est|ce\s+sont|je\s+voulais\s+dire|le|la|à)",
    not_=r"(?:et\s+)?(?:pas|non\s+pas|non)",
    but="mais",
)
