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
    module = importlib.import_module(f"thalamus.policy.language.{CODES[code]}.lexicon")
    found: Lexicon = module.LEXICON
    return found


def detect(message: str) -> Lexicon:
    """The lexicon whose function words the message has most of."""
    words = [word.casefold() for word in _WORD.findall(message[:2000])]
    counts = {
        code: sum(word in _FUNCTION[code] for word in words)
        + (
            _WEIGHT.get(code, 0.5)
            if code in _LETTERS and _LETTERS[code].search(message[:2000])
            else 0
        )
        for code in CODES
    }
    if _FOREIGN.search(message[:2000]):
        counts["en"] -= 0.5
    best = max(counts, key=lambda code: (counts[code], code == "en"))
    return lexicon(best if counts[best] > 0 else "en")


def code_of(words: set[str]) -> str:
    """The code of the language that most of some lower-case words belong to: quicker than
    ``detect``, and not as sure of short texts."""
    best, most = "en", 0
    for code, known in _FUNCTION.items():
        count = len(words & known)
        if count > most:
            best, most = code, count
    return best


def is_function_word(word: str) -> bool:
    """Whether a lower-case word is one of those that tell the languages apart."""
    return word in _ALL_FUNCTION


def in_unknown_language(message: str) -> bool:
    """Whether a message of some length has no word of any of the languages."""
    words = {word.casefold() for word in _WORD.findall(message[:2000])}
    if _CARD.match(message):
        return False
    return len(message) > SHORT and not any(words & known for known in _FUNCTION.values())


# "Nadia, 45, optician, Leicester" has no function word
_CARD = re.compile(r"\s*[^\W\d_]+(?:\s[^\W\d_]+)?,\s+\d\d,\s")
_WEIGHT = {"pt": 1.0}  # what it has, Spanish has not
_FOREIGN = re.compile(r"[áíóúñçãõêôàèùäöüß¿¡œ]", re.I)
# Letters that one of the languages has: they decide between two with as many words.
_LETTERS = {
    "de": re.compile(r"[ßä]|[öü](?=\w)", re.I),
    "es": re.compile(r"[ñ¿¡áíóú]|ción\b", re.I),
    "fr": re.compile(r"[œèêëîïûù]|\b(?:[jldmtscn]|qu)'(?=[aeiouyhéèê])", re.I),
    "pt": re.compile(r"[ãõêâ]|[aeiou]ç|ção\b|[nl]h[aeo]", re.I),
}
# Words that tell the languages apart; those that several have count for each.
_FUNCTION = {
    "en": frozenset(
        """the i i'm my is are was were am and to of in it that this with for have has had do does
        don not you your we our he she they at on be will would can what when where who how but
        like live work from about me please an a no yes as all so by if or then there his her
        their him them been just any some which than too very because love hate wife husband
        monday tuesday wednesday thursday friday saturday sunday tomorrow yesterday today january
        february june july october december every each week weeks month year day days night
        favourite favorite call mates everyone everybody here new off allergic year's they're don't can't i'd mum dad nothing doing playing working living
        name years old since until more us did got go going never always now only into out up
        down she's he's it's i've i'll born son daughter""".split()
    ),
    "de": frozenset(
        """der die das ich mein meine meinen meinem meiner ist sind war bin und zu von in es dass
        mit für habe hat hatte nicht du dein wir unser unsere er sie bei auf werde wird kann was
        wann wo wer wie aber mag wohne arbeite aus über mir mich ein eine einen bitte seit heiße
        kein keine nach im am um gern gerne auch noch keinen keinem keiner haben hatten waren
        mögen bist dich dir uns unserem unseren unserer meines nie mehr immer jetzt früher dann
        weil oder doch nur schon sehr vom zum zur beim ins den dem des welche warum gibt habt
        ihr ihre ihren seine seinen heißt wohnt arbeitet lebe lebt kommt geht spreche trinke
        esse hab ja nein danke guten jeden jede letzten nächsten nächstes letztes dieses diese
        gestern heute morgen wollen will kannst könntest bald einem einer eines zwei drei wäre
        würde hätte wenn vielleicht gegen bis vor ohne mal als lieber muss darf nix täglich spiele
        fahre gehe mache nehme vertrage rauche brauche studiere montags dienstags mittwochs
        donnerstags freitags samstags sonntags wieder ganz gar kannste haste
        biste""".split()
    ),
    "es": frozenset(
        """el la los las yo mi mis es son era soy estoy está y de en que con por para tengo tiene
        no tú tu nosotros nuestro él ella se me te lo un una unos muy pero como cuando dónde
        quién vivo trabajo llamo gusta gustan desde hace hasta ya al del porque también más voy
        a sí nuestra nuestros vivimos estamos tenemos hemos tenía tienes somos fue fui ser estar
        le les nos os ese esa eso este esta esto aquí allí sin sobre entre nunca siempre nada
        algo otro otra años año hoy ayer mañana ahora antes después trabaja vive llama quiero
        puedes puede gracias hola buenos buenas días mucho mucha encanta encantan odio prefiero
        hablo nací mío conmigo nuestras suyo cuál qué cómo hermano hermana mujer marido hijo
        hija novia novio perro gato madre padre si quizás ojalá estaba vivía trabajaba trabajé
        viví han he has ha a igual mudo mudé cumplo creo""".split()
    ),
    "fr": frozenset(
        """le la les je j mon ma mes est sont était suis et de en que avec pour ai a ne pas tu ton
        nous notre il elle on se me te un une des du au aux très mais comme quand où qui habite
        travaille appelle aime depuis jusqu ce cette dans sur c d l qu m n s y chez moi j'ai
        j'aime elles ils leur leurs nos vos votre vous ses sa son avoir être été étais ont avons
        fait faire plus jamais toujours rien aussi bien bonjour bonsoir merci salut oui non ça
        cela cet ces chaque pendant avant après hier demain aujourd hui maintenant an ans année
        années déteste préfère parle vis vit travaillais habitais prénom mari femme frère sœur
        soeur fils fille chien chat copain copine mère père peut être si voudrais pourrais peux
        veux vais va quel quelle pourquoi comment sans sous entre vers""".split()
    ),
    "pt": frozenset(
        """o a os as eu meu minha meus minhas é são era sou estou está e de em que com por para
        tenho tem não você tu nós nosso ele ela se me te um uma uns muito mas como quando onde
        quem moro trabalho chamo gosto desde há até já ao do da no na nos nas porque também mais
        vou eram foi nossa moramos temos tinha tens tens somos fui ser estar lhe isso isto este
        esta esse essa aqui ali sem sobre entre nunca sempre nada algo outro outra anos ano hoje
        ontem amanhã agora antes depois trabalha mora vive vivo chama quero podes pode obrigado
        obrigada olá oi bom boa dia tarde noite muita adoro odeio prefiro falo nasci comigo pelo
        pela num numa dos das aos às à qual quê irmão irmã mulher marido filho filha namorada
        namorado cão cachorro gato mãe pai avó avô esposa talvez estava morava morei trabalhava
        trabalhei estamos têm vão eles elas nossos nossas seu sua só gosta mim""".split()
    ),
}
_ALL_FUNCTION = frozenset().union(*_FUNCTION.values())
