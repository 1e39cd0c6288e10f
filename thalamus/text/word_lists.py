"""Word lists by language, for all comparisons and searches of texts.

English, German, Spanish, French and Portuguese; some lists have a few more. Texts in other
languages are compared by all of their words. Given names have a module of their own, words for
relatives are listed with their predicates (``data/predicates.json``), months and weekdays of thirty
languages in ``data/calendar.json``.
"""

from __future__ import annotations

from thalamus.text.analyzer import fold


def _words(*languages: str) -> frozenset[str]:
    return frozenset(fold(" ".join(languages)).split())


# Words without content in a question or a statement (English; other languages keep all)
STOP_WORDS = _words(
    """a about after all also am an and any are as at be because been before being but by can could
    did do does doing down for from further had has have having he her here hers him his how i if in
    into is it its itself just let me more most my myself no nor not now of off on once only or
    other our ours out over own same she should so some such than that the their theirs them then
    there these they this those through to too under until up us very was we were what when where
    which while who whom whose why will with would you your yours tell told remember know think
    i'm i've i'd i'll it's what's don't didn't doesn't isn't wasn't aren't can't couldn't"""
)

# Articles and possessives, by language
DETERMINERS = {
    "en": _words("a an the my our your his her its their"),
    "de": _words(
        """der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner
        meines unser unsere unseren unserem unserer"""
    ),
    "es": _words("el la los las un una unos unas mi mis su sus nuestro nuestra nuestros nuestras"),
    "fr": _words("le la les l un une des d mon ma mes notre nos"),
    "pt": _words("o a os as um uma meu minha meus minhas nosso nossa"),
}

# Words without content, by language: "son" is one in French, and not in English
FUNCTION_WORDS = {
    "en": STOP_WORDS
    | _words(
        """else anything something nothing everything really again mean say says said exactly ever
        always one ones like about's he's she's that's who's where's how's they're yes please"""
    ),
    "de": DETERMINERS["de"]
    | _words(
        """und oder aber was wer wen wem wessen wie wo wohin woher wann warum wieso weshalb
        welche welcher welches ist sind war waren bin bist hat habe haben hatte ich du er
        sie es wir ihr ihm ihn ihnen ihre ihren sein seine seinen dein deine mich
        dich uns euch mir dir mit von vom zu zum zur
        bei über für auf an am in im aus nach denn dann noch mal auch nur schon so da dort hier
        nicht kein keine weiter sonst davon damit dazu darüber"""
    ),
    "es": DETERMINERS["es"]
    | _words(
        """y e o u pero qué que quién quien cuál cual cuándo cuando dónde donde cómo como por
        para con de del al a en lo le les yo tú él ella ellos ellas
        tu tus es son soy era fue he ha hay tengo tiene más no sí eso esa ese esto esta este
        entonces sobre"""
    ),
    "fr": DETERMINERS["fr"]
    | _words(
        """et ou mais quoi qui que quel quelle quels quelles quand où comment pourquoi est sont
        suis ai a était à au aux de du en lui leur elle elles il ils on nous vous
        je tu moi toi son sa ses ton ta tes sur dans avec pour par ça cela ce
        c'est cette ces ne pas plus encore aussi alors donc"""
    ),
    "pt": DETERMINERS["pt"]
    | _words(
        """e ou mas que quê quem qual quais quando onde como porque porquê é são sou foi era há
        tenho tem eu ele ela eles elas dele dela deles delas seu sua seus suas não sim isso
        isto esse essa este esta então também com por para sobre de do da dos das em no na
        nos nas ao à se"""
    ),
}

# Words for the speakers in a memory
SPEAKERS = _words("user users user's assistant person")

# First-person and second-person words
FIRST_PERSON = _words(
    "i i'm im i've ive i'd i'll my me mine myself we we're we've we'd we'll our ours us",
    """ich mein meine meinen meinem meiner meines mich mir wir unser unsere unseren unserem
    unserer uns""",
    "yo me mi mis nos nosotros nosotras nuestro nuestra nuestros nuestras",
    "je j'ai j' mon ma mes moi nous notre nos",
    "eu meu minha meus minhas nós nosso nossa nossos nossas",
)
SECOND_PERSON = _words(
    "you you're you've you'd you'll your yours yourself",
    "du dir dich dein deine deinen deinem deiner ihr euch euer eure",
    "tú tu tus te usted ustedes toi ton tes vous votre vos",
    "você vocês teu teus tua tuas",
)

# Words that negate a statement; with one of them on one side only, two statements differ
NEGATIONS = _words(
    """no not never none neither nor without dont don't doesnt doesn't didnt didn't isnt isn't
    arent aren't wasnt wasn't cant can't cannot won't wouldn't longer stopped stops quit gave""",
    "nicht kein keine keinen nie niemals mehr ohne",
    "no sin nunca tampoco",
    "ne n'est pas plus jamais sans",
    "não nao nunca sem",
    "non mai senza niet geen nooit inte aldrig ikke aldri nie",  # Italian, Dutch, Nordic, Polish
)

# Words that add nothing to a statement
FILLERS = _words("really also very currently now still nowadays just")

# Words that change a statement without being part of it: the same statements agree in these
MOODS = {
    **dict.fromkeys(_words("was were had used formerly"), "past"),
    **dict.fromkeys(_words("will shall going plans wants hopes"), "future"),
    **dict.fromkeys(_words("would could might may should if maybe perhaps probably"), "unsure"),
    **{word: word for word in _words("only all some few most more both each too")},
}
# Prepositions that reverse a statement: "from Porto", "to Porto"
DIRECTIONS = _words("from to with without before after for by over under until since than")

# Beginnings of a mere reaction to someone else
REACTIONS = _words(
    """thanks thank wow cool awesome amazing great nice that's congrats congratulations yeah sounds
    glad bye aw aww awww""",
    "danke toll super gracias genial merci obrigado obrigada",
)

# Greetings, thanks and assent, and the words for them in a memory
SMALL_TALK = _words(
    """ok okay thanks thank hello hi hey bye goodbye welcome please sorry yes no sure great nice
    good fine cool wow greets greeted greeting said says morning evening night day thankful
    acknowledged acknowledges agreed agrees confirmed confirms helps helped helpful lot much""",
    "danke hallo merci bonjour gracias hola obrigado olá grazie ciao",
)

# Words for talking itself: "What did we discuss yesterday?" asks for everything said then
TALKING = _words(
    """talk talked talking discuss discussed mention mentioned spoke spoken speak chat chatted
    conversation conversations say said tell told remember recall know happen happened happening
    anything everything something memory memories note notes summarize summary""",
    "weisst gesagt erzählt erzähl erzähle gesprochen besprochen erinnerst alles etwas",
    "sabes dije dicho hablamos recuerdas todo algo",
    "sais dit parlé souviens tout",
    "disse falamos lembras tudo",
)

# Particles between two capitalized words of one name
NAME_PARTICLES = _words("of the de da do dos das di del della du des la le van von der den ter")

DIETS = _words(
    "vegan vegetarian pescatarian pescetarian halal kosher",
    "veganer veganerin vegetarier vegetarierin",
    "végétarien végétarienne végane",
    "vegano vegana vegetariano vegetariana",
)
