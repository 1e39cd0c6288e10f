"""The words by which a message says that it corrects the one before, in each language."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

# what announces a correction, at the beginning of a message
_OPENS = {
    "en": r"no(?=$|\s*[,.:;!–—-]|\s+(?:(?-i:[A-ZÀ-Ý])|\d|wait|sorry|actually|not|it|he|she|they|we|i|that|this|the|an?|my|our|his|her|in|on|at|to|from|"
          r"with|by|of|two|three|four|five|six|seven|eight|nine|ten|\w+day|typo|make|scrap|hang|hold|oops)\b)|nope|nah|wait|sorry|oops|whoops|"
          r"correction|scratch\s+that|scrap\s+that|strike\s+that|forget\s+(?:that|it)|never\s?mind|hang\s+on|hold\s+on|"
          r"my\s+(?:mistake|bad)|i\s+mean[t]?|i\s+should\s+have\s+said|let\s+me\s+correct\s+that|i\s+misspoke|typo|"
          r"that(?:'s|\s+was|\s+is)\s+(?:wrong|not\s+right|a\s+typo)|(?:the\s+)?(?:wrong|other)\s+way\s+(?:round|around)|the\s+other\s+way\s+(?:round|around)|(?:i\s+)?(?:got|had)\s+(?:that|it|them)\s+(?:backwards|the\s+wrong\s+way\s+(?:round|around)|mixed\s+up)|wrong\s+(?:name|day|date|word|number|one|person)|wrong|not\s+quite|make\s+(?:that|it)|argh?|rather|"
          r"turns\s+out(?:\s+that)?|(?:it|that)\s+should\s+(?:be|say|read)|it\s+was\s+meant\s+to\s+be|well\s+actually|er+m?|meant|change\s+of\s+plans?",
    "de": r"nein|nee|nö|moment|sorry|entschuldigung|entschuldige|ups|hoppla|korrektur|quatsch|halt|stimmt\s+(?:gar\s+)?nicht|"
          r"falsch|ich\s+mein(?:t)?e|gemeint\s+war|vergiss\s+(?:das|es)|verschrieben|vertippt|pardon|doch\s+nicht|mein\s+fehler|"
          r"besser\s+gesagt|andersrum|anders\s+herum|umgekehrt|falscher\s+(?:name|tag)|falsches\s+wort|mach(?:en\s+wir)?(?=\s+\S+(?:\s+\S+)?\s+d(?:a)?raus\b)|sollte\s+heißen|soll\s+heißen|ach",
    "es": r"no(?!\s+(?:me|te|le|nos|hay|quiero|tengo|puedo|sé)\b)|espera|perdón|perdona|corrección|mejor\s+dicho|quise\s+decir|"
          r"quería\s+decir|digo|me\s+equivoqué|me\s+he\s+equivocado|ups|olvida\s+eso|olvídalo|error|mentira|bueno,?\s+no|pon|que\s+sean",
    "fr": r"non|attends?|attendez|pardon|désolée?|correction|enfin|je\s+voulais\s+dire|je\s+veux\s+dire|je\s+me\s+suis\s+trompée?|"
          r"oups|erreur|oublie(?:\s+ça)?|plutôt|mince|faux|euh|disons|mets(?:-en)?",
    "pt": r"não(?!\s+(?:me|te|tenho|quero|posso|sei|gosto)\b)|espera|desculpa|desculpe|correção|aliás|quis\s+dizer|queria\s+dizer|"
          r"quer\s+dizer|enganei-me|me\s+enganei|ops|opa|errado|digo|esquece(?:\s+isso)?|errei|foi\s+mal|perdão|melhor\s+dizendo",
}  # fmt: skip
# the same at its end
_CLOSES = {
    "en": r"i\s+mean[t]?|to\s+be\s+(?:precise|exact|honest|fair)|nonsense|sorry(?:\s+about\s+that)?|my\s+(?:bad|mistake)|oops|(?:lol\s+|haha\s+)?typo|autocorrect|i\s+misspoke|(?:i\s+)?(?:am\s+|'m\s+)?(?:not\s+sure|no\s+idea|don't\s+know|dunno)\s+why\s+i\s+.*|(?:i\s+)?got\s+(?:that|it|the\s+\w+)\s+(?:wrong|backwards|mixed\s+up)",
    "de": r"mein(?:t?e)?\s+ich|um\s+genau\s+zu\s+sein|genauer\s+gesagt|besser\s+gesagt|quatsch|unsinn|sorry|entschuldigung|ups|verschrieben|vertippt|(?:mein\s+)?tippfehler|(?:hab(?:e)?\s+)?mich\s+(?:vertippt|verschrieben|vertan|geirrt)",
    "es": r"perdón|perdona|quise\s+decir|quería\s+decir|me\s+equivoqué|me\s+he\s+equivocado|error\s+mío|más\s+bien|mejor\s+dicho|para\s+ser\s+exact[oa]s?|quiero\s+decir",
    "fr": r"pardon|désolée?|je\s+voulais\s+dire|je\s+veux\s+dire|plutôt|pour\s+être\s+précise?|je\s+me\s+suis\s+trompée?|erreur\s+de\s+ma\s+part",
    "pt": r"desculpa|desculpe|melhor\s+dizendo|quer\s+dizer|para\s+ser\s+exat[oa]|me\s+confundi|confundi-me|errei|me\s+enganei|enganei-me|quis\s+dizer|queria\s+dizer|foi\s+mal|perdão",
}  # fmt: skip
# what makes a statement the better one, or a later one; it may stand anywhere
_RATHER = {
    "en": r"actually|really|in\s+fact|now|by\s+now|as\s+of\s+\w+|these\s+days|instead|though|only|just|already|rather|probably|i\s+think|i\s+believe",
    "de": r"eigentlich|in\s+wirklichkeit|sogar|inzwischen|mittlerweile|jetzt|schon|nur|erst|genau|gesagt|stattdessen|draus|daraus|doch|ja|da|aber|lieber",
    "es": r"en\s+realidad|ahora|ya|al\s+final|solo|sólo|mejor|más\s+bien",
    "fr": r"en\s+fait|finalement|maintenant|désormais|plutôt|seulement|déjà|en\s+réalité",
    "pt": r"na\s+verdade|agora|já|afinal|só|na\s+realidade|melhor",
}  # fmt: skip
_SURELY = {
    "en": r"actually|in\s+fact|now|instead|it\b.*\b(?:moved|changed|pushed|put|postponed|rescheduled|shifted)\b.*\bto|(?:moved|changed|pushed|put|postponed|rescheduled|shifted)\s+it\b.*\bto", "de": r"eigentlich|in\s+wirklichkeit|sogar|inzwischen|mittlerweile|doch|stattdessen",
    "es": r"en\s+realidad|al\s+final", "fr": r"en\s+fait|finalement|en\s+réalité|plutôt", "pt": r"na\s+verdade|afinal|na\s+realidade",
}  # fmt: skip
_SINCE = {
    "en": r"now|by\s+now|these\s+days", "de": r"inzwischen|mittlerweile|jetzt|seit", "es": r"ahora|ya", "fr": r"maintenant|désormais",
    "pt": r"agora|já",
}  # fmt: skip
# "it's", "he is called": what stands before the right thing without being part of it
_IS = {
    "en": r"(?:i|he|she)(?:'ve|'s|\s+have|\s+has)?\s+(?:just\s+)?turned|(?:(?:it|that)(?:'s|\s+(?:has|was|got|is))*\s+(?:just\s+)?(?:been\s+)?(?:moved|changed|pushed|put|brought|postponed|rescheduled|shifted)|"
          r"(?:they|we)(?:'ve|\s+have)?\s+(?:just\s+)?(?:moved|changed|pushed|put|brought|postponed|rescheduled|shifted)\s+it)\s+(?:back\s+|forward\s+)?(?:to|till|until)|(?:it|that|this|he|she|they|we|i|there|name|which)(?:'s|'re|'m|\s+is|\s+are|\s+am|\s+was|\s+were)|its|theyre|he\s?s|is|are|"
          r"was|make\s+(?:that|it)|should\s+(?:be|say|read)|(?:it's\s+|it\s+is\s+|is\s+)?(?:spelled|spelt|written|pronounced|called|named)"
          r"(?:\s+(?:as|like))?|the\s+right\s+\w+\s+is|turns|(?:(?:the\s+)?last|first)\s+(?:\w+\s+)?digits?\s+(?:are|is)",
    "de": r"(?:ich\s+bin|er\s+ist|sie\s+ist)\s+(?:\d+\s+)?geworden|(?:ich|er|sie)\s+wurde|(?:es|das|er|sie|wir|ich)\s+(?:ist|sind|war|bin|heißt|heiße|wird|schreibt\s+sich)|(?:bin|ist|sind)\s+(?:ich|er|sie|es|wir)|"
          r"ist|sind|heißt|mach(?:en)?(?:\s+wir)?|wird|wir\s+es|(?:man\s+)?schreibt\s+(?:man|sich)|geschrieben|die\s+letzten?\s+(?:\w+\s+)?ziffern?\s+(?:sind|ist)",
    "es": r"(?:ya\s+)?(?:cumplí|cumplió|he\s+cumplido|ha\s+cumplido)|es|son|era|está|tiene|tengo|cumple|se\s+llama|se\s+escribe|soy|somos",
    "fr": r"c'est|ce\s+sont|c'était|il\s+(?:est|a|s'appelle)|elle\s+(?:est|a|s'appelle)|j'ai|ça\s+s'écrit|s'appelle|je\s+suis|on\s+est",
    "pt": r"fiz|fez|é|(?-i:são)|era|está|tem|tenho|faz|se\s+chama|chama-se|se\s+escreve|escreve-se|sou|somos|ele\s+(?:é|tem)|ela\s+(?:é|tem)",
}  # fmt: skip
_NOT = {
    "en": r"(?:(?:it|that|this|he|she|they|we|i)(?:'s|'re|'m|\s+is|\s+are|\s+am|\s+was)?\s+)?not|(?:(?:it|that|this|he|she|they|we|i)\s+)?"
          r"(?:isn't|aren't|wasn't|don't|doesn't|didn't|ain't)|instead\s+of",
    "de": r"(?:(?:es|das|er|sie|wir|ich)\s+(?:ist|sind|war|bin|heißt)\s+)?(?:nicht|kein(?:e[nmrs]?)?)|statt",
    "es": r"(?:y\s+)?no(?:\s+(?:es|son|era|está|en\s+realidad))?|en\s+vez\s+de",
    "fr": r"(?:ce\s+n'est\s+)?pas|non\s+pas|au\s+lieu\s+de",
    "pt": r"(?:e\s+)?não(?:\s+(?:é|são|era|está))?|em\s+vez\s+de",
}  # fmt: skip
_BUT = {"en": "but|it's|its|rather", "de": "sondern|aber", "es": "sino|pero|es", "fr": "mais|c'est", "pt": r"mas(?:\s+sim)?|é|sim"}  # fmt: skip
# what is taken back altogether
_AFTER_ALL = {
    "en": r"after\s+all|turns\s+out|any\s?more|scrap\s+that|scratch\s+that|forget\s+(?:that|it)|never\s?mind|change\s+of\s+plans?",
    "de": r"doch\s+(?:nicht|kein\w*)|vergiss\s+(?:das|es)|jetzt\s+doch|hat\s+sich\s+erledigt|nun\s+doch|stellt\s+sich\s+heraus",
    "es": r"ya\s+no|al\s+final|finalmente|resulta\s+que|olvídalo|olvida\s+eso|cambio\s+de\s+planes",
    "fr": r"(?:ne|n'\w+)\b.*\bplus|finalement|en\s+fin\s+de\s+compte|au\s+final|oublie|changement\s+de\s+programme",
    "pt": r"já\s+não|não\b.*\bmais|afinal|no\s+fim|no\s+final|esquece|acabou\s+que|mudança\s+de\s+planos",
}  # fmt: skip
_CANCELLED = {
    "en": r"^false\s+alarm|^(?:all\s+)?(?:cancell?ed|called\s+off|scrapped)|(?:i|we|they|i've|we've|have)\s+(?:\w+\s+)?(?:decided|voted)\s+against|(?:i|we|they|i've|we've)\s+(?:turned\s+(?:it|them)\s+down|(?:pulled|backed|dropped)\s+out|changed\s+(?:my|our)\s+minds?)|changed\s+(?:my|our)\s+minds?|(?:is|was|been|got|it's|its|that's|they've|we've|have|i've)\s+(?:just\s+|all\s+)?(?:been\s+)?(?:cancell?ed|called\s+(?:it\s+)?off|scrapped)|"
          r"fell\s+through|is\s+off|\w+'s\s+off|not\s+happening",
    "de": r"^(?:fehlalarm|falscher\s+alarm)|^(?:leider\s+)?(?:abgesagt|gestrichen|storniert|abgeblasen)|(?:haben|hab|habe)\s+(?:uns|mich)\b.*\b(?:gegen|dagegen)\b.*\bentschieden|anders\s+überlegt|(?:ist|wurde|wird|haben|hab|habe)\b.*\b(?:abgesagt|gestrichen|storniert|abgeblasen|abgelehnt)|(?:fällt|fallen)\b.*\b(?:aus|flach|ins\s+wasser)",
    "es": r"^(?:cancelad[oa]s?|anulad[oa]s?|suspendid[oa]s?)\b|(?:hemos\s+decidido|decidimos|he\s+decidido|decidí)\s+(?:que\s+)?no\b|(?:cambié|he\s+cambiado|hemos\s+cambiado|cambiamos)\s+de\s+(?:idea|opinión|planes)|(?:se\s+ha|se|lo\s+hemos|han|está)\s+(?:cancel\w+|anul\w+|suspendid\w+)",
    "fr": r"^(?:tout\s+)?annulée?s?\b|(?:a|ai|avons)\s+décidé\s+de\s+ne\s+pas|changé\s+d'avis|(?:est|a\s+été|on\s+a|c'est)\s+(?:tout\s+)?annulée?s?|tombe\s+à\s+l'eau",
    "pt": r"^(?:cancelad[oa]s?|desmarcad[oa]s?)\b|(?:decidimos|decidi)\s+não\b|(?:mudei|mudámos|mudamos)\s+de\s+(?:ideia|planos)|foi\s+(?:desmarcad\w|adiad\w)|foi\s+cancelad\w|cancelámos|cancelamos|cancelaram|está\s+cancelad\w|não\s+vai\s+dar",
}  # fmt: skip
# that nothing comes of what was said, where it is announced
_STAYS = {
    "en": r"(?:i'm|we're|i\s+am|we\s+are)\s+(?:just\s+)?staying|(?:i'll|we'll|we|i)\s+stay", "de": r"(?:ich|wir)\s+bleiben?|bleiben\s+wir|bleibe\s+ich",
    "es": r"(?:nos|me)\s+qued\w+", "fr": r"(?:on|je)\s+reste", "pt": r"ficamos|fico|v(?:ou|amos)\s+ficar",
}  # fmt: skip
# who is no husband, being engaged, is a fiancé
BECOMES = (
    (r"engaged", "fiancé"), (r"divorced|separated", "ex-husband", "ex-wife"), (r"(?:just\s+)?(?:dating|together)", "partner"),
    (r"(?:just\s+|only\s+|good\s+)*friends", "friend"), (r"married", "husband", "wife"),
    (r"verlobt", "Verlobter", "Verlobte"), (r"verheiratet", "Mann", "Frau"), (r"(?:nur\s+)?(?:befreundet|freunde)", "Freund", "Freundin"),
    (r"prometid[oa]s", "prometido", "prometida"), (r"casados", "marido", "mujer"), (r"fiancée?s", "fiancé", "fiancée"),
    (r"mariée?s", "mari", "femme"), (r"noivos", "noivo", "noiva"),
)  # fmt: skip
FEMALE = re.compile(
    r"(?:wife|girlfriend|sister|mother|mum|mom|daughter|aunt|niece|frau|freundin|schwester|mujer|esposa|novia|femme|copine|mulher|namorada)$",
    re.I,
)
_EXCUSES = re.compile(
    r"\b(?:auto-?correct|wrong|counted|miscounted|looked\s+it\s+up|always\s+say|typo|keyboard|mix\w*\s+(?:up|that|those|them|it)|mixed|confus\w+|checked|mistake|spell\w*|misremember\w*|"
    r"verwechs\w+|vertippt|verschrieben|tippfehler|autokorrektur|nachgesehen|nachgeschaut|confund\w+|mirar|mirado|comprob\w+|me\s+lío|teclado|corrector|"
    r"confond\w*|trompée?|clavier|correcteur|vérifié|corretor|engan\w+|errei)\b",
    re.I,
)  # fmt: skip
_LETTERS = re.compile(
    r"(?:^|,?\s+)(?:and\s+|und\s+)?(?:with|without|mit|ohne|con|sin|avec|sans|com|sem)\s+(?:(?:the|das|dem|le|el|o|an?|one|two|double|einem|einer|doppel|zwei|una?|dos|doble|une?|deux|uma?|dois)[\s-]+)*"
    r"[\"'“]?[a-zäöüßñç]{1,2}\b.*$"
    r"|,?\s+(?:if\s+(?:you|we|i)\s+(?:count|include)|counting|including|wenn\s+(?:man|ich|wir)|si\s+(?:cuentas|cuento|contamos)|contando|si\s+(?:on|je|tu)\s+compt\w+|en\s+comptant|se\s+contar\w*)\b.*$",
    re.I,
)  # fmt: skip
_LEAD = re.compile(
    r"^(?:(?P<prep>on|at|in|to|for|from|with|by|near|am|um|im|nach|bei|beim|mit|von|vom|aus|zu|zum|zur|en|a|con|por|à|au|aux|chez|avec|para|com|"
    r"em|na|no|nos|nas|às|ao|de|du|d'|da|do|del)\s+)?(?:(?P<det>the|an?|my|our|his|her|their|le|la|les|l'|el|los|las|lo|mein\w*|unser\w*|d(?:er|ie|as|en|em)|ein\w*|un|una|une|um|uma|mon|ma|mes|"
    r"mis?|minhas?|meus?|os?|as?|sein\w*|ihr\w*|son|sa|su)\s+)?(?=\S)",
    re.I,
)  # fmt: skip


@dataclass(frozen=True)
class Words:
    """The patterns of the languages that a message and the one before it are in."""

    opens: re.Pattern[str]
    closes: re.Pattern[str]
    rather: re.Pattern[str]
    surely: re.Pattern[str]
    since: re.Pattern[str]
    is_: re.Pattern[str]
    not_: re.Pattern[str]
    but: re.Pattern[str]
    after_all: re.Pattern[str]
    cancelled: re.Pattern[str]
    stays: re.Pattern[str]
    excuses: re.Pattern[str] = _EXCUSES
    letters: re.Pattern[str] = _LETTERS
    lead: re.Pattern[str] = _LEAD


@functools.cache
def words_of(codes: frozenset[str]) -> Words:
    """The patterns of some languages together."""

    def pattern_of(table: dict[str, str], before: str, after: str) -> re.Pattern[str]:
        parts = "|".join(table[code] for code in sorted(codes))
        return re.compile(f"{before}(?:{parts}){after}", re.I)

    return Words(
        opens=pattern_of(_OPENS, r"^", r"(?![\w'])[\s,:;.!…–-]*"),
        closes=pattern_of(_CLOSES, r"(?:^|[\s,;–-]+)", r"[\s.!]*$"),
        rather=pattern_of(_RATHER, r",?\s*(?<![\w'])", r"(?![\w'])"),
        surely=pattern_of(_SURELY, r"(?<![\w'])", r"(?![\w'])"),
        since=pattern_of(_SINCE, r"(?<![\w'])", r"(?![\w'])"),
        is_=pattern_of(_IS, r"^", r"(?![\w'])\s*"),
        not_=pattern_of(_NOT, r"(?<![\w'])", r"(?![\w'])\s*"),
        but=pattern_of(_BUT, r"^[\s,;:.–-]*", r"(?![\w'])\s*"),
        after_all=pattern_of(_AFTER_ALL, r"(?<![\w'])", r"(?![\w'])"),
        stays=pattern_of(_STAYS, r"(?<![\w'])", r"(?![\w'])"),
        cancelled=pattern_of(_CANCELLED, r"(?<![\w'])", r"(?![\w'])"),
    )
