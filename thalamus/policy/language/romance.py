"""What Spanish, Portuguese and French have in common: names, and subjects that nobody says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from thalamus.policy.language.kinds import animal_or_illness
from thalamus.policy.language.lexicon import Frame, Pattern
from thalamus.policy.language.order import DASH, times_last, with_times

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
LAUGH = r"[\U0001f602\U0001f923\U0001f609\U0001f61c\U0001f61d\U0001f644\U0001f921\U0001f643]|;-?\)"


def had(object: str) -> bool:
    """Whether "I have X" says something lasting, and X is no allergy or fear of an animal."""
    if re.match(r"(?:\w+é(?:e|s|es)?|vu|eu|pris|fait|perdu|reçu|nourri|sorti|vendu|mis)\s", object):
        return False  # "J'ai promené le chien"
    return animal_or_illness(object) and not re.search(
        r"\b(?:alergia|miedo|medo|allergie|peur|foto|fotos|photos?|libro|livro|livre|problema|problème|"
        r"comida|ração|examen|exame|cita|rendez-vous|consulta|dolor|dor|mal)\b",
        object.casefold(),
    )


def frame(predicate: str, pattern: str, **more: object) -> Frame:
    """A frame whose pattern is read in upper or lower case."""
    return Frame(predicate, re.compile(pattern, re.I), **more)  # type: ignore[arg-type]


def kin(groups: Mapping[str, str]) -> dict[str, str]:
    """The words for a relation, from lists of them by predicate; "_" stands for a blank."""
    return {
        word.replace("_", " "): predicate
        for predicate, words in groups.items()
        for word in words.split()
    }


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
        text, when = times_last(plain, times)
        before = lead.match(text)
        if before and implied.match(text[before.end() :]):
            text = f"{text[before.end() :]}{DASH}{before[0].strip(' ,')}"
        if me and implied.match(text):
            text = f"{me} {text[0].lower()}{text[1:]}"
        return with_times(text, when)

    return arrange
