"""What Spanish, Portuguese and French have in common: names, and subjects that nobody says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from thalamus.policy.language.lexicon import Frame
from thalamus.policy.language.lexicon import frame as plain_frame
from thalamus.policy.language.patterns import LazyPattern, Pattern
from thalamus.policy.language.vocabulary.activities import without_accents
from thalamus.policy.language.vocabulary.word_classes import is_animal_or_illness
from thalamus.policy.language.word_order import DASH, split_times, with_times

_UPPER = "A-ZÀ-ÖØ-Þ"
_STOP = (
    "El|La|Los|Las|Un|Una|Lo|Le|Les|L|Une|Des|O|A|Os|As|Um|Uma|De|Da|Do|En|Em|Y|E|Et|Que|Qué|No|Não|"
    "Non|Si|Sí|Oui|Sim|Yo|Eu|Je|Tu|Tú|Mi|Mis|Mon|Ma|Mes|Meu|Minha|Es|É|Il|Elle|Ele|Ela|Él|Ella|On|"
    "Nous|Ce|Cette|Este|Esta|Eso|Isso|Isto|Hoy|Hoje|Con|Com|Por|Pero|Mas|Mais|Cuando|Quando|Quand|"
    "Como|Comme|Para|Pour|Dans|Todo|Todos|Tout|Tous|Dios|Deus|Dieu|Buenos|Buenas|Bom|Boa|Bonjour|"
    "Hola|Olá|Oi|Salut|Gracias|Obrigado|Obrigada|Merci|Al|Del|Au|Aux|Du|Se|Su|Sus|Son|Sa|Ses|Seu|Sua"
)
PROPER = rf"(?-i:[{_UPPER}][\w'-]*\w(?:\s+(?:(?:de|da|do|dos|del|la|las|los|di|du|le|y|e)\s+)*[{_UPPER}][\w'-]*\w)*)"
NAME = rf"(?!(?-i:{_STOP})\b){PROPER}"
MY_NAME = rf"(?:{NAME}|[a-zà-ÿ]{{2,}}$)"
# a car or motorbike by its maker, with what else names it: "Seat 600", "Renault Clio de 2009"
VEHICLE = (
    r"(?-i:Seat|Renault|Peugeot|Citro[eë]n|Ford|Fiat|Opel|Volkswagen|VW|Toyota|Honda|Yamaha|Vespa|Kawasaki|Suzuki|"
    r"Nissan|Mazda|Hyundai|Kia|Dacia|Skoda|BMW|Audi|Mercedes|Volvo|Mini|Jeep|Chevrolet|Chevy|Tesla|Ducati|Harley|"
    r"Lancia|Alfa\s+Romeo|Tesla|Subaru|Mitsubishi|Land\s+Rover|Fusca|Corsa|Gol|Kombi|Onix|Clio|Twingo|Kangoo|Berlingo|"
    r"Ibiza|Panda|Beetle|Vespino|Piaggio|Zoé|Duster|Sandero|Polo|Golf(?=\s+\w*\d))"
    r"(?:\s+(?-i:[A-Z0-9])[\w-]*)*"
)
# what is no project and no plan: it belongs to the moment, or says nothing without what went before
DREAM_OR_TRIFLE = LazyPattern(
    r"\b(?:pregunta|duda|problema|idea|momento|favor|cosa|cosas|eso|esto|lista|ejercicios?|deberes|question|problème|"
    r"idée|moment|chose|ça|cela|liste|exercice|devoirs|pergunta|dúvida|ideia|favor|coisa|coisas|isso|isto|café|cena|"
    r"comida|almuerzo|desayuno|mueble|meuble|móvel|estantería|étagère|estante|capítulo|chapitre|página|page|dîner|repas|jantar|almoço|bien|mal|tonterías|bêtises|cama|dormir|dodo|ver|voir|saber|"
    r"tu|tus|te|ti|ton|ta|tes|toi|teu|tua|você|usted|vous|votre|verte|preguntarte|contarte|ruido|pipí|"
    r"compra|courses|compras|razón|tiempo|temps|tempo|ganas|envie|vontade|prisa|suerte|miedo|peur|medo|sueño|hambre|"
    r"faim|fome|sono|calor|frío|chaud|froid|frio|examen\s+ahora)\b",
    re.I,
)
# what only the conversation has: to like it is no lasting taste
AT_HAND = frozenset(
    """texto versión versao versão respuesta resposta idea ideia frase título titulo resultado propuesta
    proposta texte version réponse idée phrase titre résultat proposition réplique enfoque ton tono
    informe informes relatório rapport reunión reunião réunion vida vie capítulo chapitre página page sugerencia sugestão suggestion explicación explicação explication broma blague piada""".split()
)
LAUGH = r"[\U0001f602\U0001f923\U0001f609\U0001f61c\U0001f61d\U0001f644\U0001f921\U0001f643]|;-?\)"


def had(object: str) -> bool:
    """Whether "I have X" says something lasting, and X is no allergy or fear of an animal."""
    if re.match(r"(?:\w+é(?:e|s|es)?|vu|eu|pris|fait|perdu|reçu|nourri|sorti|vendu|mis)\s", object):
        return False  # "J'ai promené le chien"
    return is_animal_or_illness(object) and not re.search(
        r"\b(?:alergia|miedo|medo|allergie|peur|foto|fotos|photos?|libro|livro|livre|problema|problème|"
        r"comida|ração|examen|exame|escritura|chaves?|llaves|clés?|permiso|permis|entrevista|reunión|reunião|réunion|seguro|assurance|hipoteca|cita|rendez-vous|consulta|dolor|dor|mal)\b",
        object.casefold(),
    )


# what may stand between a name and its verb: "mi hija Sara, de 7 años, estudia", "que tiene 97"
_ASIDE = (
    r"(?:(?:de\s+|com\s+)?\d{1,3}\s+(?:a[nñ]os|ans),?\s+(?:y\s+|et\s+|e\s+)?)?(?:(?:que|qui)\s+)?"
)


def named(object: str) -> bool:
    """Whether an object begins like a name."""
    return object[0].isupper()


def among(words: frozenset[str]) -> Callable[[str], bool]:
    """Whether an object is one of these words, which are in lower case."""
    return lambda object: object.casefold() in words


def not_fleeting(object: str) -> bool:
    """Whether something may be a project, a plan or a habit, and no matter of the moment."""
    return len(object.split()) <= 9 and DREAM_OR_TRIFLE.search(object) is None


def frame(predicate: str, pattern: str, **more: object) -> Frame:
    """A frame whose pattern is read in upper or lower case, with its accents or without them."""
    begin = "" if more.get("whole") else _ASIDE
    return plain_frame(predicate, begin + plainly(pattern), **more)


def plainly(pattern: str) -> str:
    """The pattern with accents that may be left out: "alergico", "tambien". Not in short words
    (él, à, é) and not at the end of one (trabajé), where they tell words apart."""
    return re.sub(r"\[[^\]]*\]|[^\W\d_]{4,}", _accents_left_out, pattern)


def _accents_left_out(found: re.Match[str]) -> str:
    word = found[0]
    if word.startswith("["):
        return word
    letters = (
        f"[{letter}{without_accents(letter)}]" if without_accents(letter) != letter else letter
        for letter in word[:-1]
    )
    return "".join(letters) + word[-1]


def kin(groups: Mapping[str, str]) -> dict[str, str]:
    """The words for a relation, from lists of them by predicate; "_" stands for a blank. Without
    its accents a word means the same where it cannot mean another ("avo")."""
    words = {
        word.replace("_", " "): predicate
        for predicate, listed in groups.items()
        for word in listed.split()
    }
    unaccented: dict[str, set[str]] = {}
    for word, predicate in words.items():
        unaccented.setdefault(without_accents(word), set()).add(predicate)
    also = {word: meant.pop() for word, meant in unaccented.items() if len(meant) == 1}
    return also | words


def alternatives(words: Mapping[str, str]) -> str:
    """The words for relations as a pattern, the longest first."""
    longest = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest)


def thing(articles: str, stop: str) -> str:
    """An object that ends before one of the words ``stop``."""
    end = rf"(?=\s+(?:{stop})\b|\s*[,.;:!?()–—]|\s+-\s|$)"
    return rf"(?:(?:{articles})(?:\s+|(?<=')))?(?P<object>[^\s,.;:!?()–][^,.;:!?()–]*?){end}"


def things(articles: str, stop: str) -> str:
    """A list of objects that ends before one of the words ``stop``."""
    end = rf"(?=,?\s+(?:{stop})\b|\s*[.;:!?()–—]|\s+-\s|$)"
    return rf"(?:(?:{articles})(?:\s+|(?<=')))?(?P<object>[^\s,.;:!?()–][^.;:!?()–]*?){end}"


def arranger(times: Pattern, me: str, implied: Pattern, lead: Pattern) -> Callable[[str], str]:
    """A function that puts times last, then what else stands before the beginning of a statement
    (``implied``), and says ``me`` where only the verb says that it is the speaker; with no ``me``
    the language always says it."""

    def arrange(plain: str) -> str:
        text, when = split_times(plain, times)
        before = lead.match(text)
        if before and implied.match(text[before.end() :]):
            text = f"{text[before.end() :]}{DASH}{before[0].strip(' ,')}"
        if me and implied.match(text):
            text = f"{me} {text[0].lower()}{text[1:]}"
        return with_times(text, when)

    return arrange
