"""German idioms as plain statements: "Camping ist nicht meins" is "ich mag nicht Camping".

What somebody likes is said in a hundred ways that have nothing in common but their meaning. Each
is put into plain words before it is read; what is remembered is still the sentence as it was said.
"""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern

# a thing, not what a pronoun of the conversation stands for ("das ist nicht mein Ding")
_THING = (
    r"(?P<x>(?!(?:ich|du|wir|er|es|man|wer|was|wenn|dass|ob|wie|wo|so|dies\w*|jene\w*|dein\w*|eure?\w*|"
    r"ihre?\w*|sein\w*|mein\w*|unser\w*|alles|nichts|mir|mich|hier|da|und|aber|nicht|kein\w*)\b)"
    r"(?!(?:das|die|der|den|dem)\s+(?!(?-i:[A-ZÄÖÜ])|[a-zäöüß]+(?:e|en|er|es)\s+(?-i:[A-ZÄÖÜ])))"
    r"(?!(?:d(?:er|ie|as|en)\s+)?(?:erste|zweite|dritte|letzte|neue)\w*\s)"
    r"(?!(?:d(?:er|ie|as|en)\s+)?(?:\w+\s+)?(?:vorschl[aä]g|idee|antwort|liste|text|tipp|version|lösung|erklärung|"
    r"variante|gedicht|titel|entwurf|ergebnis|beispiel|plan|frage)\w*\b)"
    r"(?!d(?:as|er|ie|en|em)\s+(?:buch|rest|film|text|code|teil|angebot|kleid|artikel|song|lied|spiel|programm|app|"
    r"funktion|übung|rezept|foto|bild|zeile|absatz|strophe|satz|wort|name|überschrift|seite|kapitel)\b)"
    r"(?!eine?\s+(?:woche|stunde|tasse|minute|runde|portion)\b)"
    r"[\wäöüß'-]+(?:\s+(?!(?:ist|sind|war|hat|habe|ich|du)\b)[\wäöüß'-]+){0,5}?)"
)
# "die Suppe schmeckt mir nicht" is said of one plate
_KIND_OF_FOOD = rf"(?!(?:d(?:er|ie|as|en)|heute)\s)(?!.*\bheute\b){_THING}"
_SO = (
    r"(?:(?:echt|wirklich|einfach|ja|halt|eh|aber|auch|so|absolut|total|leider|definitiv|irgendwie|eher|"
    r"nun|mal|ganz|voll|sowas|von|für\s+mich|bei\s+mir|mir|schon|immer|gerade|unbedingt|genau|richtig|"
    r"mega|sehr|ziemlich|wahnsinnig|unheimlich|besonders|noch|eben|jetzt|bloß|nur|ehrlich\s+gesagt|"
    r"persönlich|dann|doch|wohl|wahrlich|schlicht|recht|furchtbar|super|viel|großen|riesigen)\s+)*"
)
_NOT = rf"(?:(?:gar|überhaupt|absolut)\s+)?(?:nicht|nie)\s+{_SO}"
_IS = r"(?:ist|sind|war|waren|is)"
_MINE = r"(?:meine?\s+(?:ding|fall|geschmack|welt|sport|sache|leidenschaft|lieblingsbeschäftigung)|meins)"
_GREAT = (
    r"(?:super|toll|klasse|geil|mega|spitze|spitzenmäßig|großartig|genial|herrlich|lecker|köstlich|cool|"
    r"wunderbar|fantastisch|traumhaft|hammer|der\s+hammer|unschlagbar|himmlisch)"
)
_AWFUL = (
    r"(?:furchtbar|schrecklich|eklig|ekelhaft|widerlich|doof|blöd|dämlich|ätzend|langweilig|öde|scheiße|"
    r"schlimm|grauenhaft|grauenvoll|grässlich|zum\s+kotzen|überbewertet|bäh|nervig|mies|abartig|"
    r"abstoßend|grausam|unerträglich|fürchterlich|scheußlich|pfui)"
)
_END = r"\s*(?:$|(?=[,;:–]))"
_YOU = r"(?:du|ihr|sie|man)"
_CAN = r"(?:kannst|könnt|können|kann|darfst|dürft)"
_FAN = r"(?:fan|liebhaber(?:in)?|freak|junkie|nerd|narr|fanatiker(?:in)?|süchtige[r]?|enthusiast(?:in)?)"
_BIG = r"(?:(?:so\s+)?(?:ein|ne|n|eine)\s+)?(?:(?:groß|riesig|riesen|total|absolut|echt|richtig|leidenschaftlich|bekennend|eingefleischt)(?:er|e)?\s+)*"

_LIKES = (
    rf"^{_THING}\s+{_IS}\s+{_SO}{_MINE}{_END}",
    rf"^mein(?:e)?\s+(?:ganz\s+)?(?:groß|größt|wahr|einzig|neu)e\s+(?:leidenschaft|liebe)\s+(?:ist|sind|gilt)\s+{_SO}{_THING}{_END}",
    rf"^mein\s+herz\s+(?:schlägt\s+{_SO}für|gehört)\s+{_THING}{_END}",
    rf"^{_THING}\s+finde?\s+ich\s+{_SO}{_GREAT}{_END}",
    rf"^ich\s+finde\s+{_THING}\s+{_SO}{_GREAT}{_END}",
    rf"^{_THING}\s+(?:geht|gehen)\s+{_SO}immer{_END}",
    rf"^ohne\s+{_THING}\s+(?:geht|läuft)\s+(?=.*\b(?:bei\s+mir|für\s+mich|morgens|in\s+der\s+früh)\b)(?:(?:bei\s+mir|für\s+mich|morgens|in\s+der\s+früh)\s+)*"
    rf"(?:gar\s+|überhaupt\s+)?ni(?:chts|x)(?:\s+(?:bei\s+mir|morgens))?{_END}",
    rf"^ohne\s+{_THING}\s+kann\s+ich\s+nicht(?:\s+(?:leben|sein))?{_END}",
    rf"^ich\s+kann\s+nicht\s+ohne\s+{_THING}(?:\s+(?:leben|sein))?{_END}",
    rf"^(?:es\s+geht\s+)?ni(?:chts|x)\s+(?:geht\s+)?{_SO}über\s+{_THING}{_END}",
    rf"^(?:für\s+mich\s+)?(?:es\s+)?gibt(?:'s|\s+es)?\s+(?:für\s+mich\s+)?ni(?:chts|x)\s+(?:besseres|schöneres|leckereres)\s+als\s+{_THING}{_END}",
    rf"^für\s+{_THING}\s+lasse?\s+ich\s+(?:alles|jede\w*\s+\w+)\s+(?:andere\s+)?(?:stehen|liegen)(?:\s+und\s+liegen)?{_END}",
    rf"^für\s+{_THING}\s+bin\s+ich\s+(?:immer|jederzeit|stets)\s+zu\s+haben{_END}",
    rf"^ich\s+bin\s+(?:immer|jederzeit|stets)\s+für\s+{_THING}\s+zu\s+haben{_END}",
    rf"^für\s+{_THING}\s+(?:könnte|würde)\s+ich\s+(?:alles\s+\w+|sterben|töten|morden|mein\w*\s+\w+\s+\w+){_END}",
    rf"^{_THING}\s+könnte\s+ich\s+(?:jeden\s+tag|täglich|immer|ständig|den\s+ganzen\s+tag|stundenlang|rund\s+um\s+die\s+uhr)\s+\w+{_END}",
    rf"^ich\s+könnte\s+(?:jeden\s+tag|täglich|immer|ständig|den\s+ganzen\s+tag|stundenlang)\s+{_THING}\s+(?:essen|trinken|hören|gucken|schauen|spielen|lesen){_END}",
    rf"^ich\s+fahre?\s+{_SO}auf\s+{_THING}\s+ab{_END}",
    rf"^auf\s+{_THING}\s+(?:fahre?\s+ich\s+{_SO}ab|stehe?\s+ich{_SO}){_END}",
    rf"^(?:ich\s+)?bin\s+{_SO}(?:verrückt|süchtig|wild)\s+(?:nach|auf)\s+{_THING}{_END}",
    rf"^(?:ich\s+)?bin\s+{_SO}(?:nach\s+{_THING}\s+(?:verrückt|süchtig)){_END}",
    rf"^(?:ich\s+)?(?:schwärme|begeistere\s+mich)\s+{_SO}für\s+{_THING}{_END}",
    rf"^mir\s+(?:schmeckt|schmecken)\s+{_KIND_OF_FOOD}(?:\s+{_SO}(?:gut|am\s+besten|besonders|sehr)(?:\s+gut)?)?{_END}",
    rf"^{_KIND_OF_FOOD}\s+(?:schmeckt|schmecken)\s+mir(?:\s+{_SO}(?:gut|am\s+besten|besonders|sehr)(?:\s+gut)?)?{_END}",
    rf"^{_THING}\s+(?:macht|machen|bereitet)\s+mir\s+{_SO}(?:spaß|freude){_END}",
    rf"^mich\s+(?:kriegst|bekommst|kriegt|bekommt)\s+{_YOU}\s+{_SO}mit\s+{_THING}{_END}",
    rf"^mit\s+{_THING}\s+(?:kriegst|bekommst|kriegt)\s+{_YOU}\s+mich(?:\s+immer)?{_END}",
    rf"^{_THING}\s+ha(?:t|ben)(?:'s|\s+es)\s+mir\s+{_SO}angetan{_END}",
    rf"^(?:ich\s+)?bin\s+{_BIG}(?P<x>(?-i:[A-ZÄÖÜ])[\wäöüß-]*?)-?{_FAN}{_END}",
)  # fmt: skip
_DISLIKES = (
    rf"^{_THING}\s+{_IS}\s+{_SO}{_NOT}{_MINE}{_END}",
    rf"^{_THING}\s+{_IS}\s+{_SO}ni(?:chts|x)\s+für\s+mich{_END}",
    rf"^für\s+{_THING}\s+bin\s+ich\s+{_NOT}zu\s+haben{_END}",
    rf"^ich\s+bin\s+für\s+{_THING}\s+{_NOT}zu\s+haben{_END}",
    rf"^{_THING}\s+(?:geht|gehen)\s+(?:(?:bei|für)\s+mi(?:r|ch)\s+){_SO}(?:gar\s?nicht|überhaupt\s+nicht|nicht){_END}",
    rf"^(?:bei|für)\s+mi(?:r|ch)\s+(?:geht|gehen)\s+{_THING}\s+{_SO}(?:gar\s?nicht|überhaupt\s+nicht){_END}",
    # without "bei mir" only a bare noun: "mein Drucker geht gar nicht" is no taste
    rf"^(?P<x>(?-i:[A-ZÄÖÜ])[\wäöüß-]+(?:\s+(?:mit|auf)\s+[\wäöüß-]+)?)(?<!das)(?<!es)(?<!ich)\s+(?:geht|gehen)\s+{_SO}(?:gar|überhaupt)\s?nicht{_END}",
    rf"^mit\s+{_THING}\s+kann\s+ich\s+{_SO}(?:(?:gar|überhaupt|absolut)\s+)?(?:ni(?:chts|x)|wenig|nicht\s+viel)\s+anfangen{_END}",
    rf"^ich\s+kann\s+{_SO}mit\s+{_THING}\s+{_SO}(?:(?:gar|überhaupt|absolut)\s+)?(?:ni(?:chts|x)|wenig|nicht\s+viel)\s+anfangen{_END}",
    rf"^mit\s+{_THING}\s+{_CAN}\s+{_YOU}\s+mich\s+{_SO}jagen{_END}",
    rf"^{_THING}\s+{_CAN}\s+{_YOU}\s+{_SO}behalten{_END}",
    rf"^{_THING}\s+(?:kann|können)\s+mir\s+{_SO}gestohlen\s+bleiben{_END}",
    rf"^(?:bleib|geh|hör|komm)\w*\s+mir\s+{_SO}(?:weg|auf|nicht)\s+mit\s+{_THING}{_END}",
    rf"^(?:bleib|geh|hör|komm)\w*\s+mir\s+{_SO}mit\s+{_THING}\s+(?:weg|auf|nicht){_END}",
    rf"^{_THING}\s+finde?\s+ich\s+{_SO}{_AWFUL}{_END}",
    rf"^ich\s+finde\s+{_THING}\s+{_SO}{_AWFUL}{_END}",
    rf"^{_KIND_OF_FOOD}\s+(?:schmeckt|schmecken)\s+mir\s+{_SO}(?:(?:gar|überhaupt)\s+)?nicht{_END}",
    rf"^mir\s+(?:schmeckt|schmecken)\s+{_KIND_OF_FOOD}\s+{_SO}(?:(?:gar|überhaupt)\s+)?nicht{_END}",
    rf"^ich\s+habe?(?:'s|\s+es)\s+{_NOT}mit\s+{_THING}{_END}",
    rf"^mit\s+{_THING}\s+habe?\s+ich(?:'s|\s+es)\s+{_SO}nicht{_END}",
    rf"^ich\s+kann\s+{_THING}\s+{_SO}(?:(?:gar|überhaupt)\s+)?nicht\s+(?:ab|abhaben|haben|mehr\s+sehen){_END}",
    rf"^{_THING}\s+kann\s+ich\s+{_SO}(?:(?:gar|überhaupt)\s+)?nicht\s+(?:ab|abhaben|haben|mehr\s+sehen){_END}",
    rf"^{_THING}\s+{_IS}\s+{_SO}(?:ein\s+(?:graus|gräuel|horror)|zuwider|verhasst){_END}",
    rf"^{_THING}\s+(?:macht|machen)\s+mir\s+{_SO}(?:(?:gar|überhaupt)\s+)?keine[n]?\s+(?:spaß|freude){_END}",
    rf"^(?:ich\s+)?bin\s+{_SO}kein(?:e)?\s+(?:so\s+)?(?:große[r]?\s+)?(?P<x>(?-i:[A-ZÄÖÜ])[\wäöüß-]*?)-?{_FAN}{_END}",
    rf"^{_THING}\s+interessier(?:t|en)\s+mich\s+{_SO}(?:(?:gar|überhaupt)\s+)?(?:nicht|null){_END}",
    rf"^ich\s+ek(?:le|ele)\s+mich\s+{_SO}vor\s+{_THING}{_END}",
    rf"^auf\s+{_THING}\s+kann\s+ich\s+{_SO}(?:gut|gerne?|dankend|bestens)\s+verzichten{_END}",
)  # fmt: skip
_TOWARDS_MIND = r"(?!(?:morgen|nacht|abend|gewohnheits|familien|vernunft|verstandes|gefühls|kopf|bauch|tat)(?:mensch|typ))"
_PREFERS = (
    rf"^mir\s+(?:ist|sind)\s+{_THING}\s+{_SO}lieber(?:\s+als\s+.*)?{_END}",
    rf"^{_THING}\s+(?:ist|sind)\s+mir\s+{_SO}lieber(?:\s+als\s+.*)?{_END}",
    rf"^ich\s+ziehe?\s+{_THING}\s+(?:(?:dem|der|den|einem|einer|jedem|jeder)\s+[\wäöüß]+|(?-i:[A-ZÄÖÜ])[\wäöüß]+)\s+vor{_END}",
    rf"^(?:ich\s+)?bin\s+(?:eher|mehr)\s+(?:so\s+)?(?:d(?:er|ie)|ein\w*)\s+{_TOWARDS_MIND}(?P<x>(?-i:[A-ZÄÖÜ])[\wäöüß-]*?)-?(?:mensch|typ|person){_END}",
)  # fmt: skip
_NAME = r"(?P<x>(?-i:[A-ZÄÖÜ])[\wäöüß-]+)"


_DONE = (
    r"(?P<x>koch|back|les|tanz|schwimm|strick|näh|mal|reit|reis|fotografier|jogg|sing|zelt|camp|puzzl|surf|"
    r"tauch|zeichn|meditier|musizier|lauf)"
)
_DONE_ER = r"(?P<x>wander|kletter|gärtner|töpfer)"
_GLADLY = r"(?:(?:sehr|total|wirklich|unheimlich|wahnsinnig|echt|super|so)\s+)*gerne?"


def _plain(patterns: tuple[str, ...], said: str) -> list[tuple[str, str]]:
    return [(pattern, said) for pattern in patterns]


def _rules() -> list[tuple[str, str]]:
    return [
        *_plain(_DISLIKES, "ich mag nicht {x}"),
        *_plain(_LIKES, "ich liebe {x}"),
        *_plain(_PREFERS, "ich bevorzuge {x}"),
        # what one does gladly, as the thing: "ich wandere gern" is "ich liebe wandern"
        (rf"^ich\s+{_DONE}e\s+{_GLADLY}$", "ich liebe {x}en"),
        (rf"^ich\s+{_DONE_ER}e\s+{_GLADLY}$", "ich liebe {x}n"),
        (r"^lieber\s+(?P<x>[^,;]+?\s+als\s+[^,;]+)$", "ich mag lieber {x}"),
        (r"^ich\s+(?P<v>esse|trinke|vertrage)\s+weder\s+(?P<x>[^,;]+?)\s+noch\s+(?P<y>[^,;]+)$", "ich {v} kein {x}, kein {y}"),
        (r"^ich\s+mag\s+weder\s+(?P<x>[^,;]+?)\s+noch\s+(?P<y>[^,;]+)$", "ich mag nicht {x} und {y}"),
        (rf"^{_YOU}\s+{_CAN}\s+(?:mich|zu\s+mir)\s+(?:(?:ruhig|gerne?|einfach|auch)\s+)*{_NAME}\s+(?:nennen|rufen|sagen)$",
         "nenn mich {x}"),
        (r"^mich\s+hat(?:'s|\s+es)\s+(?P<y>.*?)\bnach\s+(?P<x>.+?)\s+verschlagen$", "ich bin {y} nach {x} gezogen"),
    ]  # fmt: skip


def _expanded(pattern: str, said: str) -> tuple[LazyPattern, str]:
    """The pattern, and what takes its place as a template of ``re.sub``."""
    return LazyPattern(pattern, re.I), re.sub(r"\{(\w)\}", r"\\g<\1>", said)


IDIOMS = tuple(_expanded(pattern, said) for pattern, said in _rules())
