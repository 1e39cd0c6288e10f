"""How French tells the assistant who it is and how it should speak, in its plain forms."""

from __future__ import annotations

from thalamus.policy.language.patterns import LazyPattern, on_one_line
from thalamus.policy.language.persona import NAME, PersonaForms

_MORE = r"(?:un\s+peu\s+)?(?:plus\s+|très\s+|toujours\s+)?"
_YOURS = r"(?:tes|vos)\s+(?:réponses|messages)"


def _trait(words: str) -> LazyPattern:
    return on_one_line(rf"(?:sois|soyez|être)\s+{_MORE}(?:{words})")


PERSONA = PersonaForms(
    expand=((on_one_line(r"\b(?:émoticônes?|emoticones?|émojis?|emojis?|smileys?)\b"), "emojis"),),
    aside=on_one_line(
        r"^(?:bonjour|salut|ok|bon|et|mais|alors|oui(?=,)|non(?=,))\b,?(?:\s+(?-i:[A-Z])\w+,)?|,?\s*\bs'il\s+(?:te|vous)\s+pla[iî]t\b,?|,?\s*\bstp\b|,?\s*\bmerci$"
    ),
    lasting=on_one_line(
        r"\btoujours\b|\b(?:à\s+partir\s+de|dès)\s+(?:maintenant|aujourd'hui)\b|\bdésormais\b|\bdorénavant\b|\bà\s+l'avenir\b|\b(?:avec|envers)\s+moi\b|\bjamais\b|,?\s*\bquand\s+tu\s+me\s+(?:parles|réponds|écris)$"
    ),
    names=on_one_line(
        rf"(?:tu\s+t'appelles|vous\s+vous\s+appelez|(?:ton|votre)\s+(?:nouveau\s+)?(?:nom|prénom)\s+est|je\s+(?:vais\s+|veux\s+|voudrais\s+)?t'appeler(?:ai)?|je\s+t'appelle|tu\s+vas\s+t'appeler|tu\s+t'appelleras)(?:\s+maintenant)?\s+{NAME}(?:\s+maintenant)?"
    ),
    may_name=on_one_line(rf"(?:tu\s+(?:es|seras)|vous\s+êtes)(?:\s+maintenant)?\s+{NAME}"),
    unnames=on_one_line(rf"(?:tu\s+ne\s+t'appelles|ton\s+nom\s+n'est|tu\s+n'es)\s+(?:plus|pas)\s+{NAME}"),
    role=on_one_line(
        r"tu\s+(?:es|seras)(?:\s+maintenant)?\s+(?:mon|ma)\s+(?P<role>(?:assistante?|aide|professeure?|prof|coach|tutrice|tuteur|secrétaire|conseill(?:er|ère)|traduct(?:eur|rice))(?:\s+(?:de|en|pour)\s+[\w\s]{2,30}|\s+(?!préféré)\w+)?)"
    ),
    asks=on_one_line(r"^(?:je\s+(?:veux|voudrais)\s+que\s+tu\s+|tu\s+(?:dois|peux|pourrais)\s+)"),
    ends=on_one_line(r"tu\s+n'(?:as|es)\s+(?:plus|pas)\s+(?:besoin\s+d(?:e\s+|')|à\s+|obligé\s+d(?:e\s+|'))|tu\s+ne\s+dois\s+plus\s+"),
    does=(
        ("be formal with the user", True, on_one_line(r"vouvoie(?:-moi)?|me\s+vouvoyer")),
        ("be formal with the user", False, _trait("formel(?:le)?")),
        ("be informal with the user", True, on_one_line(r"tutoie(?:-moi)?|me\s+tutoyer|on\s+peut\s+se\s+tutoyer")),
        ("be informal with the user", False, _trait("informel(?:le)?|décontractée?|moins\\s+formel(?:le)?")),
        ("be informal with the user", False, on_one_line(r"ne\s+sois\s+pas\s+(?:si\s+)?formel(?:le)?")),
        ("keep its answers short", True, on_one_line(rf"(?:fais|donne(?:-moi)?|garde)\s+(?:des\s+réponses|{_YOURS})\s+{_MORE}courtes|{_YOURS}\s+doivent\s+être\s+{_MORE}courtes")),
        ("keep its answers short", False, on_one_line(r"sois\s+(?:plus\s+)?(?:bref|brève|concise?)|réponds\s+brièvement")),
        ("answer in detail", True, on_one_line(r"donne-moi\s+des\s+réponses\s+(?:longues|détaillées)")),
        ("not use emojis", True, on_one_line(r"(?:n'(?:utilise|mets|emploie)|ne\s+mets)\s+(?:pas|plus)?\s*d'\s*emojis|pas\s+d'\s*emojis|sans\s+emojis")),
        ("use emojis", True, on_one_line(r"(?:utilise|mets|utiliser)\s+(?:à\s+nouveau\s+)?des\s+emojis")),
        ("use simple words", True, on_one_line(r"(?:utilise|emploie)\s+des\s+mots\s+simples")),
        ("be friendly", False, _trait("amicale?|gentil(?:le)?|aimable")),
        ("be direct", False, _trait("directe?")),
        ("be honest", False, _trait("honnête|franche?")),
        ("be polite", False, _trait("polie?")),
        ("be patient", False, _trait("patiente?")),
        ("be funny", False, _trait("drôle|amusante?")),
        ("be serious", False, _trait("sérieu(?:x|se)")),
    ),
    answers_in=on_one_line(
        r"(?:réponds(?:-moi)?|répondez|répondre|parle(?:-moi)?|parlez|parler|écris(?:-moi)?|écrire|me\s+parler|me\s+répondre)(?:\s+(?:uniquement|seulement))?\s+en\s+(?P<language>[a-zéèçàñ]+)(?P<other>)"
    ),
    asks_who=on_one_line(
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
