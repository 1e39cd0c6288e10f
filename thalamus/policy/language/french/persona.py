"""How French tells the assistant who it is and how it should speak, in its plain forms."""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.persona import NAME, PersonaForms


def _forms(text: str) -> LazyPattern:
    return LazyPattern(text, re.I)


_MORE = r"(?:un\s+peu\s+)?(?:plus\s+|très\s+|toujours\s+)?"
_YOURS = r"(?:tes|vos)\s+(?:réponses|messages)"


def _trait(words: str) -> LazyPattern:
    return _forms(rf"(?:sois|soyez|être)\s+{_MORE}(?:{words})")


PERSONA = PersonaForms(
    expand=((_forms(r"\b(?:émoticônes?|emoticones?|émojis?|emojis?|smileys?)\b"), "emojis"),),
    aside=_forms(
        r"^(?:bonjour|salut|ok|bon|et|mais|alors|oui(?=,)|non(?=,))\b,?(?:\s+(?-i:[A-Z])\w+,)?|,?\s*\bs'il\s+(?:te|vous)\s+pla[iî]t\b,?|,?\s*\bstp\b|,?\s*\bmerci$"
    ),
    lasting=_forms(
        r"\btoujours\b|\b(?:à\s+partir\s+de|dès)\s+(?:maintenant|aujourd'hui)\b|\bdésormais\b|\bdorénavant\b|\bà\s+l'avenir\b|\b(?:avec|envers)\s+moi\b|\bjamais\b|,?\s*\bquand\s+tu\s+me\s+(?:parles|réponds|écris)$"
    ),
    names=_forms(
        rf"(?:tu\s+t'appelles|vous\s+vous\s+appelez|(?:ton|votre)\s+(?:nouveau\s+)?(?:nom|prénom)\s+est|je\s+(?:vais\s+|veux\s+|voudrais\s+)?t'appeler(?:ai)?|je\s+t'appelle|tu\s+vas\s+t'appeler|tu\s+t'appelleras)(?:\s+maintenant)?\s+{NAME}(?:\s+maintenant)?"
    ),
    may_name=_forms(rf"(?:tu\s+(?:es|seras)|vous\s+êtes)(?:\s+maintenant)?\s+{NAME}"),
    unnames=_forms(rf"(?:tu\s+ne\s+t'appelles|ton\s+nom\s+n'est|tu\s+n'es)\s+(?:plus|pas)\s+{NAME}"),
    role=_forms(
        r"tu\s+(?:es|seras)(?:\s+maintenant)?\s+(?:mon|ma)\s+(?P<role>(?:assistante?|aide|professeure?|prof|coach|tutrice|tuteur|secrétaire|conseill(?:er|ère)|traduct(?:eur|rice))(?:\s+(?:de|en|pour)\s+[\w\s]{2,30}|\s+(?!préféré)\w+)?)"
    ),
    asks=_forms(r"^(?:je\s+(?:veux|voudrais)\s+que\s+tu\s+|tu\s+(?:dois|peux|pourrais)\s+)"),
    ends=_forms(r"tu\s+n'(?:as|es)\s+(?:plus|pas)\s+(?:besoin\s+d(?:e\s+|')|à\s+|obligé\s+d(?:e\s+|'))|tu\s+ne\s+dois\s+plus\s+"),
    does=(
        ("be formal with the user", True, _forms(r"vouvoie(?:-moi)?|me\s+vouvoyer")),
        ("be formal with the user", False, _trait("formel(?:le)?")),
        ("be informal with the user", True, _forms(r"tutoie(?:-moi)?|me\s+tutoyer|on\s+peut\s+se\s+tutoyer")),
        ("be informal with the user", False, _trait("informel(?:le)?|décontractée?|moins\\s+formel(?:le)?")),
        ("be informal with the user", False, _forms(r"ne\s+sois\s+pas\s+(?:si\s+)?formel(?:le)?")),
        ("keep its answers short", True, _forms(rf"(?:fais|donne(?:-moi)?|garde)\s+(?:des\s+réponses|{_YOURS})\s+{_MORE}courtes|{_YOURS}\s+doivent\s+être\s+{_MORE}courtes")),
        ("keep its answers short", False, _forms(r"sois\s+(?:plus\s+)?(?:bref|brève|concise?)|réponds\s+brièvement")),
        ("answer in detail", True, _forms(r"donne-moi\s+des\s+réponses\s+(?:longues|détaillées)")),
        ("not use emojis", True, _forms(r"(?:n'(?:utilise|mets|emploie)|ne\s+mets)\s+(?:pas|plus)?\s*d'\s*emojis|pas\s+d'\s*emojis|sans\s+emojis")),
        ("use emojis", True, _forms(r"(?:utilise|mets|utiliser)\s+(?:à\s+nouveau\s+)?des\s+emojis")),
        ("use simple words", True, _forms(r"(?:utilise|emploie)\s+des\s+mots\s+simples")),
        ("be friendly", False, _trait("amicale?|gentil(?:le)?|aimable")),
        ("be direct", False, _trait("directe?")),
        ("be honest", False, _trait("honnête|franche?")),
        ("be polite", False, _trait("polie?")),
        ("be patient", False, _trait("patiente?")),
        ("be funny", False, _trait("drôle|amusante?")),
        ("be serious", False, _trait("sérieu(?:x|se)")),
    ),
    answers_in=_forms(
        r"(?:réponds(?:-moi)?|répondez|répondre|parle(?:-moi)?|parlez|parler|écris(?:-moi)?|écrire|me\s+parler|me\s+répondre)(?:\s+(?:uniquement|seulement))?\s+en\s+(?P<language>[a-zéèçàñ]+)(?P<other>)"
    ),
    asks_who=_forms(
        r"comment\s+(?:t'appelles-tu|tu\s+t'appelles|t'appelles\s+tu)|tu\s+t'appelles\s+comment|qui\s+es-tu|qui\s+es\s+tu|tu\s+es\s+qui|t'es\s+qui|quel\s+est\s+ton\s+(?:nom|prénom)|c'est\s+quoi\s+ton\s+nom|présente-toi"
    ),
    languages={
        "français": "French", "anglais": "English", "allemand": "German", "espagnol": "Spanish",
        "portugais": "Portuguese", "italien": "Italian", "néerlandais": "Dutch", "russe": "Russian",
        "chinois": "Chinese", "japonais": "Japanese", "arabe": "Arabic", "polonais": "Polish",
        "breton": "Breton", "catalan": "Catalan",
    },
    role_as="the user's “{}”",
)  # fmt: skip
