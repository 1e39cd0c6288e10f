"""How Spanish tells the assistant who it is and how it should speak, in its plain forms."""

from __future__ import annotations

from thalamus.policy.language.patterns import LazyPattern, on_one_line
from thalamus.policy.language.persona import NAME, PersonaForms

_MORE = r"(?:un\s+poco\s+)?(?:más\s+|muy\s+|siempre\s+)?"
_YOURS = r"(?:tus|sus)\s+(?:respuestas|mensajes)"


def _trait(words: str) -> LazyPattern:
    return on_one_line(rf"(?:sé|se|sea|ser)\s+{_MORE}(?:{words})")


PERSONA = PersonaForms(
    expand=((on_one_line(r"\bemoticonos?\b|\bemojis?\b"), "emojis"),),
    aside=on_one_line(
        r"^(?:hola|ok|vale|bueno|y|pero|entonces|sí(?=,)|no(?=,))\b,?(?:\s+(?-i:[A-Z])\w+,)?|,?\s*\bpor\s+favor\b,?|,?\s*\bgracias$"
    ),
    lasting=on_one_line(
        r"\bsiempre\b|\b(?:a\s+partir\s+de|desde)\s+(?:ahora|hoy)(?:\s+en\s+adelante)?\b|\bde\s+ahora\s+en\s+adelante\b|\ben\s+el\s+futuro\b|\bconmigo\b|\bnunca\b|,?\s*\bcuando\s+me\s+(?:hables|escribas|respondas)$"
    ),
    names=on_one_line(
        rf"(?:te\s+llamas|(?:tu|su)\s+(?:nuevo\s+)?nombre\s+es|te\s+(?:voy\s+a\s+llamar|llamaré)|voy\s+a\s+llamarte|quiero\s+llamarte|te\s+vas\s+a\s+llamar|te\s+llamarás|se\s+llama\s+usted)(?:\s+ahora)?\s+{NAME}(?:\s+ahora)?"
    ),
    may_name=on_one_line(rf"(?:tú\s+|vos\s+)?(?:eres|sos|serás)(?:\s+ahora)?\s+{NAME}"),
    unnames=on_one_line(rf"(?:ya\s+no\s+te\s+llamas|tu\s+nombre\s+(?:ya\s+)?no\s+es|ya\s+no\s+eres)\s+{NAME}"),
    role=on_one_line(
        r"(?:tú\s+)?(?:eres|serás)(?:\s+ahora)?\s+mi\s+(?P<role>(?:asistente|ayudante|profesora?|tutora?|entrenadora?|secretari[oa]|consejer[oa]|traductora?)(?:\s+(?:de|para)\s+[\w\s]{2,30}|\s+(?!favorit)\w+)?)"
    ),
    asks=on_one_line(
        r"^(?:quiero\s+que\s+|(?:debes|tienes\s+que|puedes|podrías)\s+)"
    ),
    ends=on_one_line(r"(?:ya\s+no\s+(?:tienes\s+que|hace\s+falta\s+(?:que\s+)?|necesitas)|no\s+(?:tienes\s+que|hace\s+falta))\s+"),
    does=(
        ("be formal with the user", True, on_one_line(r"(?:trátame|háblame|tráteme)\s+de\s+usted|tratarme\s+de\s+usted")),
        ("be formal with the user", False, _trait("formal")),
        ("be informal with the user", True, on_one_line(r"(?:trátame|háblame|tráteme|tratarme)\s+de\s+tú|tutéame|tutearme")),
        ("be informal with the user", False, _trait("informal|cercan[oa]|menos\\s+formal")),
        ("be informal with the user", False, on_one_line(r"no\s+seas\s+(?:tan\s+)?formal")),
        ("keep its answers short", True, on_one_line(rf"(?:da(?:me)?|mantén)\s+(?:{_YOURS}|respuestas)\s+{_MORE}(?:cortas|breves)|{_YOURS}\s+(?:deben|tienen\s+que)\s+ser\s+{_MORE}(?:cortas|breves)")),
        ("keep its answers short", False, on_one_line(r"sé\s+(?:más\s+)?(?:breve|concis[oa])|responde\s+(?:de\s+forma\s+)?(?:breve(?:mente)?|con\s+brevedad)")),
        ("answer in detail", True, on_one_line(r"dame\s+respuestas\s+(?:largas|detalladas|más\s+detalladas)")),
        ("not use emojis", True, on_one_line(r"no\s+(?:uses|utilices|pongas|escribas|use|utilice)\s+(?:más\s+)?emojis|sin\s+emojis|(?:uses|utilices)\s+emojis")),
        ("use emojis", True, on_one_line(r"(?:usa|utiliza|usar)\s+emojis(?:\s+otra\s+vez)?")),
        ("use simple words", True, on_one_line(r"(?:usa|utiliza)\s+palabras\s+(?:sencillas|simples)")),
        ("be friendly", False, _trait("amable|simpátic[oa]|amistos[oa]")),
        ("be direct", False, _trait("direct[oa]")),
        ("be honest", False, _trait("honest[oa]|sincer[oa]")),
        ("be polite", False, _trait("educad[oa]|cortés")),
        ("be patient", False, _trait("paciente")),
        ("be funny", False, _trait("divertid[oa]|gracios[oa]")),
        ("be serious", False, _trait("seri[oa]")),
    ),
    answers_in=on_one_line(
        r"(?:respond(?:e|er|erme|as)|respóndeme|contest(?:a|ar|es)|contéstame|habl(?:a|ar|es)|háblame|hablarme|escrib(?:e|ir|as)|escríbeme)(?:\s+(?:solo|sólo))?\s+en\s+(?P<language>[a-zñéáíóú]+)(?P<other>)"
    ),
    asks_who=on_one_line(
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
