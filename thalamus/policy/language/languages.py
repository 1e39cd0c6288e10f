"""Which language a message is in, of those that the grammar knows; English when in doubt."""

from __future__ import annotations

import functools
import importlib
import re

from thalamus.policy.language.lexicon import Lexicon

CODES = {"en": "english", "de": "german", "es": "spanish", "fr": "french", "pt": "portuguese"}
SHORT = 12  # characters: "Hallo!" may be of any language
_WORD = re.compile(r"[^\W\d_]+")


@functools.cache
def lexicon(code: str) -> Lexicon:
    """The lexicon of a language; each is compiled when it is first asked for."""
    module = importlib.import_module(f"thalamus.policy.language.{CODES[code]}")
    found: Lexicon = module.LEXICON
    return found


def detect(message: str) -> Lexicon:
    """The lexicon whose function words the message has most of."""
    words = [word.casefold() for word in _WORD.findall(message[:2000])]
    counts = {code: sum(word in _FUNCTION[code] for word in words) for code in CODES}
    best = max(counts, key=lambda code: (counts[code], code == "en"))
    return lexicon(best if counts[best] else "en")


def unknown(message: str) -> bool:
    """Whether a message of some length has no word of any of the languages."""
    words = {word.casefold() for word in _WORD.findall(message[:2000])}
    return len(message) > SHORT and not any(words & known for known in _FUNCTION.values())


# Words that tell the languages apart; those that several have count for each.
_FUNCTION = {
    "en": frozenset(
        """the i i'm my is are was were am and to of in it that this with for have has had do does
        don not you your we our he she they at on be will would can what when where who how but
        like live work from about me please an a""".split()
    ),
    "de": frozenset(
        """der die das ich mein meine meinen meinem meiner ist sind war bin und zu von in es dass mit
        für habe hat hatte nicht du dein wir unser unsere er sie bei auf werde wird kann was wann
        wo wer wie aber mag wohne arbeite aus über mir mich ein eine einen bitte seit heiße kein
        keine nach im am um gern gerne auch noch""".split()
    ),
    "es": frozenset(
        """el la los las yo mi mis es son era soy estoy está y de en que con por para tengo tiene
        no tú tu nosotros nuestro él ella se me te lo un una unos muy pero como cuando dónde quién
        vivo trabajo llamo gusta gustan desde hace hasta ya al del porque también más voy a sí
        nuestra nuestros vivimos estamos tenemos hemos""".split()
    ),
    "fr": frozenset(
        """le la les je j mon ma mes est sont était suis et de en que avec pour ai a ne pas tu ton
        nous notre il elle on se me te un une des du au aux très mais comme quand où qui habite
        travaille appelle aime depuis jusqu ce cette dans sur c d l qu m n s y chez moi""".split()
    ),
    "pt": frozenset(
        """o a os as eu meu minha meus minhas é são era sou estou está e de em que com por para
        tenho tem não você tu nós nosso ele ela se me te um uma uns muito mas como quando onde
        quem moro trabalho chamo gosto desde há até já ao do da no na nos nas porque também
        mais vou eram foi nossa moramos temos""".split()
    ),
}
