"""How Spanish tells the assistant who it is and how it should speak, in its plain forms."""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.persona import NAME, PersonaForms


def _forms(text: str) -> LazyPattern:
    return LazyPattern(text, re.I)


_MORE = r"(?:un\s+poco\s+)?(?:más\s+|muy\s+|siempre\s+)?"
_YOURS = r"(?:tus|sus)\s+(?:respuestas|mensajes)"


def _trait(words: str) -> LazyPattern:
    return _forms(rf"(?:sé|se|sea|ser)\s+{_MORE}(?:{words})")


PERSONA = PersonaForms(
    expand=((_forms(r"\bemoticonos?\b|\bemojis?\b"), "emojis"),),
    aside=_forms(
        r"^(?:hola|ok|vale|bueno|y|pero|entonces|sí(?=,)|no(?=,))\b,?(?:\s+(?-i:[A-Z])\w+,)?|,?\s*\bpor\s+favor\b,?|,?\s*\bgracias$"
    ),
    lasting=_forms(
        r"\bsiempre\b|\b(?:a\s+partir\s+de|desde)\s+(?:ahora|hoy)(?:\s+en\s+adelante)?\b|\bde\s+ahora\s+en\s+adelante\b|\ben\s+el\s+futuro\b|\bconmigo\b|\bnunca\b|,?\s*\bcuando\s+me\s+(?:hables|escribas|respondas)$"
    ),
    names=_forms(
        rf"(?:te\s+llamas|(?:tu|su)\s+(?:nuevo\s+)?nombre\s+es|te\s+(?:voy\s+a\s+llamar|llamaré)|voy\s+a\s+llamarte|quiero\s+llamarte|te\s+vas\s+a\s+llamar|te\s+llamarás|se\s+llama\s+usted)(?:\s+ahora)?\s+{NAME}(?:\s+ahora)?"
    ),
    may_name=_forms(rf"(?:tú\s+|vos\s+)?(?:eres|sos|serás)(?:\s+ahora)?\s+{NAME}"),
    unnames=_forms(rf"(?:ya\s+no\s+te\s+llamas|tu\s+nombre\s+(?:ya\s+)?no\s+es|ya\s+no\s+eres)\s+{NAME}"),
    role=_forms(
        r"(?:tú\s+)?(?:eres|serás)(?:\s+ahora)?\s+mi\s+(?P<role>(?:asistente|ayudante|profesora?|tutora?|entrenadora?|secretari[oa]|consejer[oa]|traductora?)(?:\s+(?:de|para)\s+[\w\s]{2,30}|\s+(?!favorit)\w+)?)"
    ),
    asks=_forms(
        r"^(?:quiero\s+que\s+|(?:debes|tienes\s+que|puedes|podrías)\s+)"
    ),
    ends=_forms(r"(?:ya\s+no\s+(?:tienes\s+que|hace\s+falta\s+(?:que\s+)?|necesitas)|no\s+(?:tienes\s+que|hace\s+falta))\s+"),
    does=(
        ("be formal with the user", True, _forms(r"(?:trátame|háblame|tráteme)\s+de\s+usted|tratarme\s+de\s+usted")),
        ("be formal with the user", False, _trait("formal")),
        ("be informal with the user", True, _forms(r"(?:trátame|háblame|tráteme|tratarme)\s+de\s+tú|tutéame|tutearme")),
        ("be informal with the user", False, _trait("informal|cercan[oa]|menos\\s+formal")),
        ("be informal with the user", False, _forms(r"no\s+seas\s+(?:tan\s+)?formal")),
        ("keep its answers short", True, _forms(rf"(?:da(?:me)?|mantén)\s+(?:{_YOURS}|respuestas)\s+{_MORE}(?:cortas|breves)|{_YOURS}\s+(?:deben|tienen\s+que)\s+ser\s+{_MORE}(?:cortas|breves)")),
        ("keep its answers short", False, _forms(r"sé\s+(?:más\s+)?(?:breve|concis[oa])|responde\s+(?:de\s+forma\s+)?(?:breve(?:mente)?|con\s+brevedad)")),
        ("answer in detail", True, _forms(r"dame\s+respuestas\s+(?:largas|detalladas|más\s+detalladas)")),
        ("not use emojis", True, _forms(r"no\s+(?:uses|utilices|pongas|escribas|use|utilice)\s+(?:más\s+)?emojis|sin\s+emojis|(?:uses|utilices)\s+emojis")),
        ("use emojis", True, _forms(r"(?:usa|utiliza|usar)\s+emojis(?:\s+otra\s+vez)?")),
        ("use simple words", True, _forms(r"(?:usa|utiliza)\s+palabras\s+(?:sencillas|simples)")),
        ("be friendly", False, _trait("amable|simpátic[oa]|amistos[oa]")),
        ("be direct", False, _trait("direct[oa]")),
        ("be honest", False, _trait("honest[oa]|sincer[oa]")),
        ("be polite", False, _trait("educad[oa]|cortés")),
        ("be patient", False, _trait("paciente")),
        ("be funny", False, _trait("divertid[oa]|gracios[oa]")),
        ("be serious", False, _trait("seri[oa]")),
    ),
    answers_in=_forms(
        r"(?:respond(?:e|er|erme|as)|respóndeme|contest(?:a|ar|es)|contéstame|habl(?:a|ar|es)|háblame|hablarme|escrib(?:e|ir|as)|escríbeme)(?:\s+(?:solo|sólo))?\s+en\s+(?P<language>[a-zñéáíóú]+)(?P<other>)"
    ),
    asks_who=_forms(
        r"¿?\s*(?:y\s+)?(?:cómo|como)\s+te\s+llamas(?:\s+tú)?|¿?\s*(?:y\s+tú\s+)?quién\s+eres(?:\s+tú)?|¿?\s*cuál\s+es\s+tu\s+nombre|¿?\s*cómo\s+te\s+(?:llamo|puedo\s+llamar)|preséntate"
    ),
    languages={
        "español": "Spanish", "castellano": "Spanish", "inglés": "English", "francés": "French",
        "alemán": "German", "portugués": "Portuguese", "italiano": "Italian", "catalán": "Catalan",
        "gallego": "Galician", "vasco": "Basque", "ruso": "Russian", "chino": "Chinese",
        "japonés": "Japanese", "árabe": "Arabic", "neerlandés": "Dutch", "polaco": "Polish",
    },
    role_as="the user's “{}”",
)  # fmt: skip
