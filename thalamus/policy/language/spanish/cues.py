"""The Spanish words by which a message says that it corrects the one before."""

from __future__ import annotations

from thalamus.policy.language.cues import Cues, ReplacementCues

CUES = Cues(
    opens=(
        r"no(?!\s+(?:me|te|le|nos|hay|quiero|tengo|puedo|sé)\b)|espera|perdón|perdona|corrección|"
        r"mejor\s+dicho|quise\s+decir|quería\s+decir|digo|me\s+equivoqué|me\s+he\s+equivocado|ups|"
        r"olvida\s+eso|olvídalo|error|mentira|bueno,?\s+no|pon|que\s+sean"
    ),
    closes=(
        r"perdón|perdona|quise\s+decir|quería\s+decir|me\s+equivoqué|me\s+he\s+equivocado|"
        r"error\s+mío|más\s+bien|mejor\s+dicho|para\s+ser\s+exact[oa]s?|quiero\s+decir"
    ),
    rather=r"en\s+realidad|ahora|ya|al\s+final|solo|sólo|mejor|más\s+bien",
    surely=r"en\s+realidad|al\s+final",
    since="ahora|ya",
    is_=(
        r"(?:ya\s+)?(?:cumplí|cumplió|he\s+cumplido|ha\s+cumplido)|es|son|era|está|tiene|tengo|"
        r"cumple|se\s+llama|se\s+escribe|soy|somos"
    ),
    not_=r"(?:y\s+)?no(?:\s+(?:es|son|era|está|en\s+realidad))?|en\s+vez\s+de",
    but="sino|pero|es",
    after_all=r"ya\s+no|al\s+final|finalmente|resulta\s+que|olvídalo|olvida\s+eso|cambio\s+de\s+planes",
    cancelled=(
        r"^(?:cancelad[oa]s?|anulad[oa]s?|suspendid[oa]s?)\b|"
        r"(?:hemos\s+decidido|decidimos|he\s+decidido|decidí)\s+(?:que\s+)?no\b|"
        r"(?:cambié|he\s+cambiado|hemos\s+cambiado|cambiamos)\s+de\s+(?:idea|opinión|planes)|"
        r"(?:se\s+ha|se|lo\s+hemos|han|está)\s+(?:cancel\w+|anul\w+|suspendid\w+)"
    ),
    stays=r"(?:nos|me)\s+qued\w+",
)
REPLACEMENT_CUES = ReplacementCues(
    opens=(
        r"(?:no|espera|perdón|perdona|corrección|mejor\s+dicho|quise\s+decir|quería\s+decir|"
        r"me\s+equivoqué)"
    ),
    is_=r"(?:es|son|quise\s+decir|quería\s+decir|el|la|a\s+las)",
    not_=r"(?:y\s+)?no",
    but="sino",
)
