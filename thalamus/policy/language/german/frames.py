"""The frames of German: how a clause in plain order ("ich wohne nicht mehr in Bremen") is a fact."""

from __future__ import annotations

import re

from thalamus.policy.language.german.word_classes import is_goods, is_illness, is_nation
from thalamus.policy.language.german.word_order import (
    GIVEN,
    KIN,
    KIN_WORD,
    KIND,
    MONTH,
    OUR,
    PROPER,
    YEAR,
)
from thalamus.policy.language.lexicon import Frame, frame
from thalamus.policy.language.patterns import either
from thalamus.policy.language.vocabulary.activities import is_instrument_or_sport, is_language
from thalamus.policy.language.vocabulary.word_classes import (
    is_animal_or_illness,
    is_medicine,
    is_occupation,
    is_trait,
)

_STOP = (
    r"(?:und|aber|oder|weil|da|denn|doch|sondern|seit|bis|ab|mit|bei|als|wo|wie|in|im|an|am|auf|für|von|"
    r"vom|aus|nach|zu|zum|zur|um|damit|obwohl|nicht|dort|dann|jetzt|wegen|trotz|ohne|gegen|durch|neben|"
    r"unter|über|vor|hinter|zwischen|gern|gerne|lieber|auch|zusammen|gemeinsam|ist|sind|war|hat|habe)"
)
_END = rf"(?=\s+{_STOP}\b|\s*[,.;:!?()–—]|\s+-\s|$)"
_ARTICLE = r"(?:(?:d(?:er|ie|as|en|em)|ein(?:e[nmrs]?)?|mein\w*|unser\w*)\s+)?"
THING = rf"{_ARTICLE}(?P<object>[^\s,.;:!?()–][^,.;:!?()–]*?){_END}"
_LIST_END = (
    r"(?=\s+(?:aber|weil|wenn|denn|seit|als|besonders|sondern|doch|obwohl|damit|mehr|sehr|gern|gerne|mit|für|"
    r"zum|zur|am|im|in|auf|bei|nach|nur|lieber|nicht|oder|vor\s+allem|ist|sind|"
    r"(?-i:essen|trinken|hören|lesen|kochen|spielen))\b|,\s+(?:aber|weil|wenn|vor\s+allem|besonders|d(?:er|ie|as|en|em)|nur|vielleicht|"
    r"obwohl|wo|außer|sondern|doch|als|am\s+liebsten|[a-zäöüß]+\s)|\s*[.;:!?()–—]|\s+-\s|$)"
)
LIST = rf"{_ARTICLE}(?P<object>[^\s,.;:!?()–][^.;:!?()–]*?){_LIST_END}"
_DISH = LIST.replace(r"|mit|für|", "|für|").replace(r"gerne|mit|für", r"gerne|für")
_HAVE = r"(?:habe|hab|hat|haben)"
_BE = r"(?:bin|ist|sind)"
_WAS = r"(?:war|waren)"
_NO_MORE = r"(?:nicht\s+(?:mehr|länger)|nie\s+mehr)"
_LIVE = r"(?:wohn|leb)(?:e|t|en)?"
_WORK = r"(?:arbeite|arbeitet|arbeiten|jobbe|jobbt|schaffe|schafft|maloche|malocht|diene|dient)"
_FIRM = r"(?:(?:der|einer)\s+)?(?:firma\s+(?=(?-i:[A-ZÄÖÜ])))?"
_FIELD = (
    r"(?:(?-i:[A-ZÄÖÜ])?[\wäöüß-]*(?:pflege|verwaltung|gastronomie|gastro|logistik|forschung|buchhaltung|personalabteilung|"
    r"vertrieb|produktion|branche|industrie|landwirtschaft|medizin|sozialarbeit|jugendhilfe|justiz|chirurgie|"
    r"notaufnahme|intensivstation|onkologie|pädiatrie|IT|EDV|stahlwerk|kraftwerk|stellwerk|lager|callcenter|homeoffice-team|"
    r"marketing|einzelhandel|handwerk|außendienst|öffentlichen\s+dienst|rettungsdienst|sozialdienst|jugendamt|hospiz))"
)
# with whom, in what, before the town is named
_WITH = (
    r"(?:(?:hier|noch|zusammen|allein|alleine|gemeinsam)\s+)*(?:(?:mit|bei|in\s+(?:ein\w*|mein\w*|unser\w*|der|dem))\s+"
    r"[^,–]{2,50}?\s+){0,2}"
)
_IN = r"(?:in|im|auf|am|an)\s+"
_REGION = (
    r"(?:d(?:er|em|en)\s+)(?=(?:schweiz|türkei|ukraine|slowakei|mongolei|niederlande|usa|eifel|pfalz|lausitz|uckermark|"
    r"steiermark|ruhr\w+|saarland|harz|allgäu|schwarzwald|erzgebirge|vogtland|sauerland|odenwald|rheinland|"
    r"iran|irak|libanon|sudan|kosovo|osten|westen|norden|süden|wendland|emsland|schwabenland|rhön|provinz|prignitz|"
    r"spreewald|münsterland|oberpfalz|hunsrück|westerwald|taunus|spessart|altmark)\w*\b)"
)
_TO = r"(?:nach|in|ins|an|auf|aufs)\s+"
_AHEAD = r"(?=.*–.*\b(?:ab\s+(?!und\b)|nächste|kommende|morgen\b|bald\b|demnächst|künftig))"
_STILL_SO = r"(?!.*\b(?:schon\s+immer|immer\s+schon|bisher)\b)"
_ROLE = (  # "ich bin Arzt", not "ich bin beim Arzt"
    r"(?!(?:bei|beim|in|im|an|am|auf|für|mit|zu|zum|zur|von|vom|nach|aus|wie|als|nicht|so|der|die|das)\b)"
    rf"{THING}"
)
_WORKPLACE = (
    r"[\wäöüß-]*(?:praxis|klinik|krankenhaus|schule|gymnasium|kita|kindergarten|bank|sparkasse|bäckerei|"
    r"apotheke|restaurant|café|büro|kanzlei|firma|fabrik|verlag|museum|bibliothek|bücherei|universität|"
    r"uni|amt|hotel|agentur|werkstatt|gärtnerei|tischlerei|metzgerei|supermarkt|buchhandlung|labor|"
    r"betrieb|unternehmen|behörde|verwaltung|pflegeheim|altenheim|laden|theater|brauerei|rathaus)"
)


_NO_TOWN = frozenset(
    """stock etage obergeschoss erdgeschoss wohnung haus wg hotel zelt moment urlaub schichtdienst
    homeoffice büro garten keller dachgeschoss altbau neubau miete angst frieden ruhe sorge scheidung
    trennung beziehung ehe hause sofa bett stress team teilzeit vollzeit ausland zukunft gegenwart
    hof bauernhof resthof dorf land kaff kleinstadt großstadt vorort hausboot schiff campingplatz wohnwagen
    hotelzimmer studentenwohnheim wohnheim einfamilienhaus reihenhaus hochhaus mietwohnung eltern
    nähe mitte welt""".split()
)
_NO_FIRM = frozenset(
    """mir uns dir ihm ihr ihnen euch hause regen nacht tag gelegenheit bedarf freunden eltern vater
    mutter bruder schwester onkel tante frau mann sonne hitze wind wetter kerzenlicht""".split()
)
_NO_LIKING = frozenset(
    """dich das es sie ihn dir ihm euch uns mich nichts alles was wenn dass wie deine dein ihre diese
    diesen dieses dies so sein haben werden sehr zu hier dort wissen sagen hören fragen man jeden
    jemanden niemanden""".split()
)
_EATEN = (
    r"(?:fotografier|sing|nasch|ess|trink|hör|les|schau|guck|spiel|koch|back|mach|nehm|seh)(?:e|en)|isst|trinkt|hört|liest|schaut|"
    r"spielt|kocht|backt|macht"
)
# a time that is still to come, among the times behind the dash
_AHEAD_OF_US = (
    rf"(?=.*–(?!.*\b(?:jede\w*|immer|seit|letzte\w*|früher|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|gestern|vor)\b)"
    rf".*\b(?:nächste\w*|übernächste\w*|kommende\w*|morgen(?!s)|übermorgen|bald|demnächst|am\s+\d|am\s+(?:\w+tag|mittwoch)\b|"
    rf"in\s+(?:\w+\s+){{1,2}}(?:tagen|wochen|woche|monaten|monat)\b|(?:im|ende|anfang|mitte)\s+(?:\w+\s+)?(?:{MONTH}|sommer|herbst|winter|frühling|frühjahr)|"
    r"zu\s+(?:weihnachten|ostern|pfingsten|silvester)|heute\s+abend|ab\s+(?!und\b)\w+))"
)
_WEDDING_DAY = rf"(?:\d{{1,2}}\.\s*{MONTH}(?:\s+\d{{4}}\b)?|{MONTH}\b(?:\s+\d{{4}}\b)?|frühling|frühjahr|sommer|herbst|winter)"
_EVENT = (
    r"(?:[\wäöüß-]*(?:termin|prüfung|operation|untersuchung|gespräch|geburtstagsfeier|hochzeit|konzert|klausur|reha|kur|"
    r"vorsorge|kontrolle|impfung|umzug|einzug|besichtigung|klassentreffen|auftritt|turnier|wettkampf|lauf|marathon|"
    r"führerscheinprüfung|einschulung|taufe|konfirmation|verhandlung|besuch|sitzung|examen|abschlussprüfung|fortbildung|schulung)|"
    r"mrt|ct|ops?|tüv|date|zahnarzt|elternabend)"
)
_CRAFTS = (
    r"(?:bau|bastl|bastel|schreib|restaurier|renovier|programmier|entwickl|näh|strick|häkl|mal|schnitz|tischler|zimmer|sanier|"
    r"komponier|übersetz|töpfer|reparier|gestalt|dreh|web)"
)
_SPORTS = (
    r"(?:[\wäöüß-]*(?:yoga|pilates|sport|gymnastik|training|turnen|karate|judo|taekwondo|aikido|boxen|zumba|chor|kegeln|sauna|"
    r"skat|doppelkopf|schach|fußball|handball|volleyball|tennis|tischtennis|badminton|schwimmen|joggen|laufen|walken|"
    r"wandern|klettern|bouldern|tanzen|tanzkurs|meditation|meditieren|radfahren|rudern|reiten|angeln|bowling|stammtisch|feuerwehr|"
    r"musikverein|orchester|probe|fitness|fitnessstudio|spinning|crossfit|tai\s+chi|qigong|gartenarbeit|aquafit|ballett|golf|fechten|"
    r"segeln|surfen|töpfern|malkurs|lauftreff|nordic\s+walking|bibelkreis|lesekreis|buchclub|selbsthilfegruppe|spieleabend|schützenverein))"
)
_GLADLY = r"(?:(?:sehr|total|wirklich|so|besonders|wahnsinnig|unheimlich|echt|richtig)\s+)*gerne?|am\s+liebsten"
_MUCH = r"(?:(?:sehr|total|wirklich|so|besonders|wahnsinnig|unheimlich|echt|richtig)\s+)*"
_BADLY = (
    r"(?:(?:gar|überhaupt|absolut|einfach|leider|wirklich|echt|so)\s+)*nicht"
    r"(?:\s+(?:so|besonders|sehr|wirklich|unbedingt|viel))*(?:\s+gerne?)?"
)
_ANY = r"(?:überhaupt\s+|gar\s+|absolut\s+)?kein(?:e[nrsm]?)?"


def _town(object: str) -> bool:
    """A place with a name, not a floor or a state of mind."""
    words = [word.casefold() for word in object.split()]
    return not (set(words) & _NO_TOWN) and not re.search(
        r"\d|\bmein|\bihr|\bsein|\bgeboren", object.casefold()
    )


def _firm(object: str) -> bool:
    words = [word.casefold() for word in object.split()]
    return words[-1] not in _NO_FIRM and not re.match(r"(?:sein|ihr|dein|euer)", object.casefold())


def _liked(object: str) -> bool:
    words = object.casefold().split()
    return words[0] not in _NO_LIKING and not re.search(
        r"\b(?:ich|du|ist|sind|zu\s+\w+en|dass|wenn|hat|habe)\b|^(?:eher|nicht|sehr|besonders)$|^(?:erst|zweit|dritt|letzt)e[nrs]?\b|"
        r"\b(?:stunde|vorschl[aä]g\w*|idee\w*|antwort\w*|version|variante|entwurf|formulierung|liste|tipps?)$",
        object.casefold(),
    )


def _person(object: str) -> bool:
    """A name, not what somebody is: "ich bin der Wastl", "ich bin der Chef"."""
    word = object.casefold()
    return (
        word not in KIN
        and not is_occupation(object)
        and not re.match(
            r"(?:neu|alt|älter|ältest|jüngst|letzt|erst|einzig|best|schlimmst|beid|ander|gleich|boss|typ|"
            r"mensch|kerl|depp|idiot|held|star|könig|kaiser|papst|gastgeber|verfasser|fahrer|besitzer|"
            r"eigentümer|mieter|kunde|gewinner|verlierer|sieger|meinung|ansicht|ruhe|hammer|pechvogel)",
            word,
        )
    )


def _name(object: str) -> bool:
    return object.casefold() not in (
        "nicht", "so", "dich", "euch", "sie", "alle", "jetzt", "auch", "programm",
    )  # fmt: skip


def _had(object: str) -> bool:
    """What somebody has, and did not do: "habe gekauft meinem Sohn ein Auto"."""
    done = r"\b(?:ge\w{2,}(?:t|en)|\w+ge\w+(?:t|en)|(?:ver|be)\w+t|uns|mir|mich|sich|ihr|ihm|dir|über)\b|\bmein|(?i:foto|buch|bild|problem|futter)\b"
    return (
        is_animal_or_illness(object)
        and not re.search(done, object)
        and not re.match(r"(?:von|vom|aus|für|auf|in|im|bei|nach|mit)\b", object)
    )


def _sport(object: str) -> bool:
    """What is done every week, in a list without a verb ("Montags Chor, mittwochs Kegeln")."""
    return re.fullmatch(_SPORTS, object.strip(), re.I) is not None


def _planned(object: str) -> bool:
    """What somebody plans says more than that it is planned."""
    return not re.search(
        r"^(?:bei|beim)\b|\b(?:das|es|dich|dir|dein\w*|so|wissen|verstehen|sehen|sagen|fragen|lesen|schlafen|essen|müde|krank|"
        r"einkaufen|arbeiten|kochen|weiter|danke\w*|hilfe|sein|haben)$|\b(?:du|dich|dir|dein\w*|wissen|erfahren|frage\w*)\b",
        object.casefold(),
    )


def _project(object: str) -> bool:
    """A work of one's own, not a message, a mistake or a meal."""
    return not re.search(
        r"\b(?:\w*mail|brief|nachricht|sms|liste|einkaufsliste|text|satz|fehler|kaffee|tee|pause|termin|unfall|"
        r"bewerbung|antwort|kommentar|test|klausur|aufsatz|referat|beziehung|druck|mist|bild|foto|film|runde|joint|problem|aufgabe|lösung|tabelle|präsentation|"
        r"leben|geld|zukunft|freund\w*|mutter|vater|chef\w*|schwester|bruder|tochter|sohn)\b",
        object.casefold(),
    )


def _vehicle(object: str) -> bool:
    nouns = [word for word in object.split() if word[0].isupper() or word[0].isdigit()]
    return bool(nouns) and not re.search(
        r"umweg|kurs|tag|woche|slalom|bogen|runde|weg|strecke|schicht|urlaub", object.casefold()
    )


LIKED = {"several": True, "fits": _liked}
_HOME = r"(?:[\wäöüß-]+e\s+)?(?:[\wäöüß-]*wohnung|[\wäöüß-]*zimmer|haus|wg|apartment|bude)"
_EATEN_TOGETHER = r"(?:esse|essen|koche|kochen|backe|backen|bestelle|bestellen|grille|grillen|gucke|gucken|schaue|schauen|besuche|besuchen)"
# everyday talk: "Jeden Freitag essen wir Pizza", "Ab Januar bin ich bei Nokia"
EVERYDAY: tuple[Frame, ...] = (
    frame("works_at", rf"bin\s+(?:bei|beim)\s+(?:der\s+)?(?P<object>{PROPER})(?=\s*–.*\bab\b)", coming=True),
    frame("lives_in", rf"(?:habe|haben)\s+(?:gefunden|gemietet|bekommen|bezogen)\s+(?:ein|eine|unsere|meine)\s+(?:erste\s+|eigene\s+)?{_HOME}\s+in\s+(?P<object>{PROPER})"),
    frame("practises", rf"(?P<object>{_EATEN_TOGETHER}\s+(?!nicht|kein|nie|nichts|es\b|das\b)[^,;:!?()–]+?)(?=\s*–\s*(?:jede[nrsm]?|an\s+jedem|(?:mon|diens|mitt|donners|frei|sams|sonn)(?:tag|woch)s)\b)"),
)  # fmt: skip
FRAMES: tuple[Frame, ...] = (
    # -- names -----------------------------------------------------------------------------------
    frame("name", rf"heiße\s+(?:(?:übrigens|eigentlich|richtig|mit\s+(?:vor|nach)namen|in\s+wirklichkeit)\s+)*(?!(?:bei|in|mit|unter|für|von|auf)\b)"
       rf"(?P<object>{PROPER}|[a-zäöü]+(?=$|\s*,|\s+und\b))", mine=True, fits=_name),
    frame("name", rf"mein\s+(?:voller\s+|richtiger\s+)?(?:name|vorname)\s+(?:ist|lautet)\s+(?P<object>{PROPER}|[a-zäöü]+$)",
       whole=True, mine=True, fits=_name),
    frame("name", rf"^(?:bitte\s+)?(?:nenn|nennt|nennen\s+sie)\s+mich\s+(?:einfach\s+|bitte\s+|ruhig\s+)*(?P<object>{PROPER})",
       whole=True, mine=True),
    frame("name", rf"bin\s+(?:übrigens\s+)?(?:d(?:er|ie)\s+)?(?P<object>{GIVEN}(?:\s+{PROPER})?)(?=\s*[,.;!–]|\s+(?:und|aus)\b|$)",
       mine=True),
    frame("name", r"bin\s+d(?:er|ie)\s+(?P<object>(?-i:[A-ZÄÖÜ][\wäöüß]+))(?=,?\s+(?:und\s+)?(?:\d|aus\b|komme\b)|,?$)", mine=True, fits=_person),
    frame("name", rf"\bvorgestellt[^:]*:\s*(?:ich\s+bin\s+)?(?:d(?:er|ie)\s+)?(?P<object>{PROPER})", whole=True),
    frame("name", rf"^(?:mein\s+)?name(?::|\s+ist)\s+(?P<object>{PROPER})$", whole=True),
    frame("nickname", rf"\b(?:nennen|rufen|nennt|ruft)\s+mich\s+(?:(?:alle|nur|einfach|immer|meistens|überall|hier|trotzdem|oft|auch)\s+)*"
       rf"(?P<object>{PROPER}){_END}", whole=True),
    frame("nickname", rf"\b(?:sagen|sagt)\s+(?:(?:alle|nur|einfach|immer|auch)\s+)*(?P<object>{PROPER})\s+zu\s+mir\b", whole=True),
    frame("nickname", rf"\bmein\s+(?:spitz|ruf|kose|künstler)name\s+(?:ist|lautet|war)\s+(?P<object>{PROPER})", whole=True),
    frame("nickname", rf"werde\s+(?:(?-i:[a-zäöüß]+)\s+){{0,4}}?(?P<object>{PROPER})\s+(?:genannt|gerufen)", mine=True),
    frame("nickname", rf"(?:heiße|bin)\s+(?:bei|unter)\s+\w+\s+(?:(?:nur|immer|einfach|auch)\s+)*(?:d(?:er|ie)\s+)?(?P<object>{GIVEN}|(?<=nur\s){PROPER})(?=\s*[,.]|$)", mine=True),
    # -- home ------------------------------------------------------------------------------------
    frame("lives_in", rf"{_LIVE}\s+{_NO_MORE}\s+{_WITH}{_IN}{THING}", over=True, fits=_town),
    frame("lives_in", rf"(?:{_HAVE}|hatte|hatten)\s+(?:gewohnt|gelebt){_STILL_SO}\s+{_WITH}{_IN}{THING}",
       over=True, fits=_town),
    frame("lives_in", rf"(?:wohnte|lebte|wohnten|lebten)\s+{_WITH}{_IN}{THING}", over=True, fits=_town),
    frame("lives_in", rf"{_LIVE}\s+{_WITH}{_IN}{THING}{_AHEAD}", coming=True, fits=_town),
    frame("lives_in", rf"(?:werde|wird|werden)\s+(?:wohnen|leben)\s+{_WITH}{_IN}{THING}", coming=True, fits=_town),
    frame("lives_in", rf"{_LIVE}\s+{_WITH}{_IN}{THING}", fits=_town),
    frame("lives_in", rf"{_HAVE}\s+(?:gewohnt|gelebt)\s+{_WITH}{_IN}{THING}", fits=_town),
    frame("lives_in", rf"(?:(?:{_BE}|{_WAS})\s+(?:(?:um|weg|zurück|her)?gezogen|umgesiedelt|ausgewandert)|zog(?:en)?(?:\s+um)?)\s+"
       rf"(?:[^,–]*?\s+)?(?:zurück\s+)?{_TO}{THING}", fits=_town),
    frame("lives_in", rf"(?:(?:werde|wird|werden)\s+(?:um)?ziehen|(?:ziehe|zieht|ziehen)(?:\s+(?:um|zurück))?)\s+"
       rf"(?:[^,–]*?\s+)?(?:zurück\s+)?{_TO}{THING}", coming=True, fits=_town),
    frame("lives_in", rf"{_BE}\s+(?:noch\s+)?(?:gelandet(?=.*–.*\b(?:seit|vor|nach|\d{{4}}|letzte\w*)\b)|hängengeblieben|sesshaft\s+geworden|untergekommen|zu\s+hause|zuhause|daheim|wohnhaft)\s+in\s+{THING}",
       fits=_town),
    frame("lives_in", rf"{_BE}\s+(?:noch\s+)?in\s+(?P<object>{PROPER})\s+(?:gelandet(?=.*–.*\b(?:seit|vor|nach|\d{{4}}|letzte\w*)\b)|hängengeblieben|hängen\s+geblieben|untergekommen|zu\s+hause|zuhause|daheim|wohnhaft)",
       fits=_town),
    frame("lives_in", rf"\bmein\s+(?:neues\s+)?zuhause\s+ist\s+(?:jetzt\s+)?(?P<object>{PROPER})", whole=True, fits=_town),
    frame("lives_in", rf"\bseit\s+(?:dem|meinem|unserem)\s+umzug\s+(?:von\s+\S+\s+)?nach\s+(?P<object>{PROPER})", whole=True, fits=_town),
    frame("lives_in", rf"bin\s+[^,]+,\s+(?:\d{{1,3}},\s+)?(?:(?-i:[A-ZÄÖÜ])[\wäöüß-]+\s+)?aus\s+(?P<object>{PROPER})", mine=True, fits=_town),
    frame("address", r"(?:wohne|wohnen)\s+(?:in\s+der|im|am|an\s+der|auf\s+der)\s+(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß .-]*?(?:straße|str\.|weg|gasse|platz|allee|ring|damm|ufer|chaussee)\s+\d+\s?[a-z]?)\b"),
    frame("home_town", rf"(?:komme|kommt|kommen|stamme|stammt|stammen)\s+(?:(?:ursprünglich|eigentlich|gebürtig|ja|selbst)\s+)*aus\s+(?:{_REGION})?(?P<object>{PROPER})(?=\s*[,.;–]|\s+(?:und|aber)\b|$)",
       fits=_town),
    frame("home_town", rf"{_BE}\s+(?:ursprünglich\s+|gebürtig\s+)?aus\s+(?:{_REGION})?(?P<object>{PROPER})(?=\s*[,.;–]|\s+(?:und|aber)\b|$)", fits=_town),
    frame("born_in", r"bin\s+aufgewachsen\s+in\s+(?P<object>\S+)\s+geboren\s+und\b", fits=_town),
    frame("home_town", rf"bin\s+aufgewachsen\s+in\s+\S+\s+geboren\s+und\s+in\s+(?P<object>{PROPER})", fits=_town),
    frame("home_town", rf"{_BE}\s+(?:aufgewachsen|groß\s+geworden)\s+(?:\w+\s+)?(?:in|auf|bei)\s+{THING}", fits=_town),
    frame("home_town", rf"{_BE}\s+geworden\s+in\s+(?P<object>{PROPER})\s+groß", fits=_town),
    frame("home_town", r"(?:komme|kommt|stamme|stammt|bin)\s+(?:ursprünglich\s+)?aus\s+(?P<object>(?:einem|ner|einer)\s+(?:kleine[nrm]\s+)?(?:dorf|ort|kaff|nest|städtchen|stadt|kleinstadt)\s+[^,;–]+)"),
    frame("home_town", rf"{_BE}\s+in\s+(?P<object>{PROPER})\s+(?:aufgewachsen|groß\s+geworden)", fits=_town),
    frame("home_town", rf"\bmeine\s+heimat(?:stadt)?\s+ist\s+(?P<object>{PROPER})", whole=True, fits=_town),
    frame("home_town", r"bin\s+(?:ein\w*\s+)?(?:gebürtige[r]?|geborene[r]?|waschechte[r]?|echte[r]?)\s+(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+er(?:in)?)\b", mine=True),
    # -- work ------------------------------------------------------------------------------------
    frame("works_at", rf"(?:{_WORK}\s+{_NO_MORE}|{_HAVE}\s+gearbeitet|arbeitete(?:n)?){_STILL_SO}\s+(?:als\s+.+?\s+)?"
       rf"(?:bei|beim|für)\s+{_FIRM}{THING}", over=True, fits=_firm),
    frame("works_at", rf"{_BE}\s+{_NO_MORE}\s+(?:bei|beim)\s+(?:der\s+)?(?P<object>{PROPER})", over=True, fits=_firm),
    frame("works_at", rf"{_HAVE}\s+(?:gekündigt|aufgehört)\s+(?:meinen\s+job\s+|meine\s+stelle\s+)?(?:bei|beim)\s+{_FIRM}{THING}",
       over=True, fits=_firm),
    frame("works_at", rf"(?:{_WAS}|wurde|bin)\s+(?:gefeuert|entlassen|gekündigt)(?:\s+worden)?\s+(?:von|bei|beim)\s+{THING}",
       over=True, fits=_firm),
    frame("works_at", rf"(?:fange?|fängt|fangen)\s+an\s+(?:als\s+.+?\s+)?(?:bei|beim)\s+{_FIRM}{THING}", coming=True, fits=_firm),
    frame("works_at", rf"(?:werde|wird|werden)\s+(?:arbeiten|anfangen)\s+(?:als\s+.+?\s+)?(?:bei|beim|für)\s+{_FIRM}{THING}",
       coming=True, fits=_firm),
    frame("works_at", rf"wechs(?:le|elt|eln)\s+(?:[^,–]*?\s+)?(?:zu|zur|zum)\s+{THING}", coming=True, fits=_firm),
    frame("works_at", rf"{_WORK}\s+(?:als\s+.+?\s+)?(?:bei|beim|für)\s+{_FIRM}{THING}{_AHEAD}", coming=True, fits=_firm),
    frame("works_at", rf"{_WORK}\s+(?:(?:hier|noch|fest|halbtags|teilzeit|vollzeit|in\s+(?:teil|voll)zeit)\s+)*(?:als\s+.+?\s+)?"
       rf"(?:bei|beim|für)\s+{_FIRM}{THING}", fits=_firm),
    frame("works_at", rf"{_HAVE}\s+(?:angefangen|begonnen)\s+(?:als\s+.+?\s+)?(?:(?:einen\s+neuen\s+job|eine\s+neue\s+stelle)\s+)?"
       rf"(?:bei|beim)\s+{_FIRM}{THING}", fits=_firm),
    frame("works_at", rf"{_BE}\s+(?:angestellt|gewechselt)\s+(?:bei|beim|zu|zur|zum)\s+{THING}", fits=_firm),
    frame("works_at", rf"{_BE}\s+(?:bei|beim)\s+{_FIRM}{THING}\s+angestellt", fits=_firm),
    frame("works_at", rf"{_BE}\s+[A-ZÄÖÜ][\wäöüß]+\s+(?:bei|beim)\s+{_FIRM}{THING}", fits=_firm),
    frame("works_at", rf"{_WORK}\s+(?:[\wäöüß]+\s+){{0,2}}?(?:als\s+.+?\s+)?(?:in|im|an|am|auf)\s+(?:ein\w*\s+|d(?:er|em)\s+)?(?P<object>"
       rf"(?:[\wäöüß-]+\s+)?{_WORKPLACE}(?:\s+(?-i:[A-ZÄÖÜ][\wäöüß-]+))?){_END}"),
    frame("works_as", rf"(?:{_WORK}\s+{_NO_MORE}|{_HAVE}\s+gearbeitet|arbeitete(?:n)?){_STILL_SO}\s+(?:(?:bei|für|in)\s+.+?\s+)?als\s+{THING}",
       over=True),
    frame("works_as", rf"(?:{_WAS}\s+|{_BE}\s+{_NO_MORE}\s+){_ROLE}", over=True, fits=is_occupation),
    frame("works_as", rf"{_WORK}\s+(?:(?:bei|beim|für|in|im|an)\s+.+?\s+)?als\s+{THING}{_AHEAD}", coming=True),
    frame("works_as", rf"{_WORK}\s+(?:(?:bei|beim|für|in|im|an)\s+.+?\s+)?als\s+{THING}"),
    frame("works_as", rf"{_BE}\s+(?:von\s+beruf\s+|beruflich\s+)?(?:(?:gelernte|ausgebildete|selbst(?:st)?ändige|freie|studierte|"
       rf"freiberufliche|leitende)[rns]?\s+)*{_ROLE}", fits=is_occupation),
    frame("works_at", rf"{_BE}\s+(?:bei|beim)\s+{_FIRM}{THING}(?=.*–.*\bseit)", fits=_firm),
    frame("works_at", rf"{_WORK}\s+(?:[\wäöüß]+\s+){{0,2}}?(?:als\s+.+?\s+)?(?:in\s+der|im|in|auf\s+der)\s+(?P<object>{_FIELD}){_END}"),
    frame("works_at", rf"\bmein(?:e)?\s+(?:neuer\s+|neue\s+)?(?:arbeitgeber(?:in)?|firma|betrieb)\s+(?:ist|heißt)\s+(?P<object>(?:d(?:ie|er|as)\s+)?{PROPER})", whole=True, fits=_firm),
    frame("works_at", rf"{_BE}\s+(?:fest\s+)?(?:beschäftigt|angestellt|tätig|eingestellt)\s+(?:bei|beim|in\s+(?:der|einem|einer)|im|an\s+der)\s+{THING}", fits=_firm),
    frame("works_at", rf"{_BE}\s+(?:bei|beim)\s+{_FIRM}(?P<object>[^,–]+?)\s+(?:beschäftigt|tätig)", fits=_firm),
    frame("works_at", rf"(?:{_WAS}|habe\s+gestanden)\s+(?:bei|beim)\s+{_FIRM}(?P<object>{PROPER})(?=.*–.*\b(?:jahre|bis|von|früher)\b)", over=True, fits=_firm),
    frame("works_as", rf"{_BE}\s+(?:(?:angestellt|beschäftigt|tätig|eingestellt|selbst(?:st)?ändig|freiberuflich|hauptberuflich|nebenberuflich)\s+)+als\s+{THING}"),
    frame("works_as", rf"{_BE}\s+als\s+(?P<object>[^,–]+?)\s+(?:(?:bei|in|beim)\s+[^,–]+?\s+)?(?:tätig|unterwegs|beschäftigt|selbst(?:st)?ändig)", fits=is_occupation),
    frame("works_as", rf"verdien(?:e|t|en)\s+(?:(?:mein|unser|sein|ihr)\w*\s+\w+\s+)?als\s+{THING}"),
    frame("works_as", rf"mach(?:e|t)\s+(?:hauptberuflich|beruflich)\s+(?:(?:irgend)?was\s+mit\s+)?{THING}", fits=_liked),
    frame("works_as", rf"\bmein\s+(?:beruf|job)\s+ist\s+{THING}", whole=True, fits=is_occupation),
    frame("works_as", r"bin\s+(?:[^,]+,\s+)(?:\d{1,3}(?:\s+jahre(?:\s+alt)?)?,\s+)?(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+)(?=\s+(?:aus|in|bei|und)\b|\s*,|$)", mine=True, fits=is_occupation),
    frame("works_as", r"^(?:ich|nach)\b.*,\s(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+)(?:\s+(?:halt|eben|nämlich))?$", whole=True, mine=True, fits=is_occupation),
    frame("learns", r"mache?\s+(?:gerade\s+)?(?:eine|meine|ne)\s+(?:ausbildung|lehre|umschulung|weiterbildung)\s+(?:zum|zur|als)\s+(?P<object>[\wäöüß-]+)"),
    frame("learns", r"bin\s+(?:gerade\s+)?in\s+(?:der\s+)?(?:ausbildung|lehre|umschulung)\s+(?:zum|zur|als)\s+(?P<object>[\wäöüß-]+)"),
    frame("is", rf"{_BE}\s+(?:schon\s+|noch\s+|jetzt\s+|endlich\s+)*(?P<object>in\s+(?:rente|pension|elternzeit|altersteilzeit|kurzarbeit|mutterschutz|frührente|therapie|reha|ausbildung)|im\s+(?:vor)?ruhestand|krankgeschrieben)"
       r"(?=\s*[,.;–]|\s+(?:und|aber|wegen|mit)\b|$)"),
    # -- family and pets -------------------------------------------------------------------------
    frame("{kin}", rf"^(?:ich|wir|(?:bei\s+)?(?:uns|mir))\b.*\bein\w*\s+{KIND}(?P<kin>{KIN_WORD})(?:\s+namens|,?\s+(?:sie|er|es|d(?:er|ie|as))\s+"
       rf"heißt|,\s+d(?:er|ie|as)(?=\s+\S+$))\s+(?P<object>{PROPER})", whole=True),
    frame("{kin}", rf"(?:{_HAVE})\s+ein\w*\s+{KIND}(?P<kin>{KIN_WORD}),\s+d(?:er|ie|as)\s+(?P<object>{PROPER})\s+heißt",
       mine=True),
    frame("married_to", rf"{_BE}\s+verheiratet\s+mit\s+(?P<object>{PROPER})"),
    frame("engaged_to", rf"{_BE}\s+verlobt\s+mit\s+(?P<object>{PROPER})"),
    frame("{kin}", rf"^{OUR}n?\s+{KIND}(?P<kin>{KIN_WORD})\s+(?:(?:heißen|sind|hören\s+auf\s+die\s+namen)\s+|)(?P<object>{PROPER}(?:\s*,\s*{PROPER})*\s+und\s+{PROPER})(?=\s*[,.;–]|\s+(?-i:[a-zäöüß])|$)",
       whole=True, several=True, fits=_person),
    frame("{kin}", rf"^(?:(?:ich|wir|bei\s+(?:uns|mir)).*\b|)(?:zwei|drei|vier|fünf|\d)\s+(?:\w+e\s+)?(?P<kin>{KIN_WORD}),?\s+(?:(?:namens|nämlich|die\s+heißen|sie\s+heißen|und\s+zwar)\s+)?"
       rf"(?P<object>(?:Herr\s+|Frau\s+)?{PROPER}(?:\s*,\s*{PROPER})*\s+und\s+{PROPER})(?=\s*[,.;–]|$)", whole=True, several=True, fits=_person),
    frame("in_relationship_with", rf"{_BE}\s+mit\s+(?P<object>{PROPER})\s+(?:zusammen|liiert)", mine=True),
    frame("in_relationship_with", rf"{_BE}\s+(?:zusammen|liiert)\s+mit\s+(?P<object>{PROPER})", mine=True),
    frame("married_to", rf"(?:{_HAVE}|{_BE})\s+geheiratet\s+(?P<object>{PROPER})"),
    frame("has", rf"{_BE}\s+(?:stolze[r]?\s+)?(?:mutter|mama|vater|papa|oma|opa)\s+von\s+(?P<object>[\wäöüß ]+?)(?=\s*[,.;–]|\s+(?:und|aber)\b|$)", mine=True,
       fits=lambda o: is_animal_or_illness(re.sub(r"ern$", "er", o)) or re.search(r"kindern|jungs|mädchen|söhnen|töchtern|zwillingen", o) is not None),
    frame("has", rf"(?:halte|halten|züchte|züchten)\s+{LIST}", several=True, fits=is_animal_or_illness),
    # -- what someone has ------------------------------------------------------------------------
    frame("allergic_to", rf"{_HAVE}\s+(?:eine?\s+)?(?:starke?|schwere?|leichte?|heftige?)?\s*(?:allergie|allergien)\s+gegen\s+{LIST}",
       several=True),
    frame("allergic_to", rf"{_HAVE}\s+[^.;–]*?\b(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß]{{2,}}?)-?allergie\b"),
    frame("has", rf"{_HAVE}\s+(?P<object>[\wäöüß' -]+?(?:,\s+(?:ein|zwei|drei|vier|\d)\w*\s+[\wäöüß' -]+?)*)(?=\s+(?:aber|in|im|mit|bei|seit|"
       r"für|von|aus|weil|da|als|auf|zu|zum|zur|namens|heißt|am|an|dort|hier|gegen)\b|\s*[,.;:!?()–—]|$)", several=True,
       fits=_had),
    frame("has", rf"{_HAVE}\s+(?:gekauft|adoptiert|geerbt)\s+(?:uns\s+|mir\s+)?(?:vor\s+|nun\s+)?{THING}", fits=is_animal_or_illness),
    frame("has", rf"leide[tn]?\s+(?:unter|an)\s+{THING}", fits=is_animal_or_illness),
    frame("owns", rf"(?:besitze|besitzt|besitzen)\s+{THING}"),
    frame("drives", rf"(?:fahre|fährt|fahren)\s+ein(?:en|e)?\s+{THING}", fits=_vehicle),
    frame("owns", rf"{_HAVE}\s+(?:gekauft|zugelegt|geholt|gegönnt|angeschafft|geerbt|ersteigert|geleistet|gebaut)\s+(?:(?:uns|mir|sich|von\s+[\wäöüß]+|vom\s+[\wäöüß]+|gebraucht|neulich|selbst|selber|endlich|in\s+\w+)\s+)*"
       rf"(?!kein|nicht){THING}", fits=is_goods),
    frame("owns", rf"{_HAVE}\s+verkauft\s+(?:mein\w*|unser\w*|das|den|die)\s+{THING}", over=True, fits=is_goods),
    frame("owns", rf"\bmein(?:e)?\s+(?:neue\w*\s+|alte\w*\s+)?(?:auto|wagen|motorrad|fahrrad|rad|roller|boot)\s+ist\s+ein(?:e)?\s+{THING}", whole=True, fits=_vehicle),
    frame("has", rf"(?:hatte|hatten)\s+(?=.*–.*\b(?:früher|damals|als\s+kind|bis)\b){THING}", over=True, fits=_had),
    # -- health ----------------------------------------------------------------------------------
    frame("allergic_to", rf"{_BE}\s+(?:(?:stark|sehr|hoch|leider|schwer|extrem)\s+)*allergisch\s+(?:stark\s+)?(?:gegen|auf)\s+{LIST}",
       several=True),
    frame("allergic_to", rf"reagier(?:e|t|en)\s+(?:stark\s+)?allergisch\s+auf\s+{LIST}", several=True),
    frame("takes", r"(?:nehme|nimmt|nehmen)\s+(?:[\wäöüß]+\s+)?(?P<object>[\w-]+)(?=\W|$)", fits=is_medicine),
    frame("has", rf"{_HAVE}\s+(?:(?:leider|schwere[sn]?|starke[sn]?|leichte[sn]?|chronische[sn]?|seit\s+\w+|ein(?:e|en)?|auch|die\s+diagnose)\s+)*{LIST}", several=True,
       fits=lambda o: is_illness(o) and not re.search(r"\b(?:kein|über|gelesen|gehört|gegoogelt)", o)),
    frame("has", rf"(?:hatte|hatten)\s+(?:(?:schon|mal|als\s+kind|einen?|eine|zwei)\s+)*{THING}", over=True, fits=is_illness),
    frame("has", rf"leide[tn]?\s+(?:\w+\s+)?(?:unter|an)\s+{LIST}", several=True, fits=is_illness),
    frame("has", rf"^bei\s+mir\s+(?:wurde|ist|wurden|hat\s+man)\s+(?:diagnostiziert|festgestellt|entdeckt)\s+(?:worden\s+)?{THING}", whole=True, mine=True),
    frame("has", rf"{_BE}\s+(?:erkrankt\s+an|an)\s+(?P<object>[^,–]+?)(?:\s+erkrankt)?(?=\s*[,.;–]|$)", fits=is_illness),
    frame("has", r"trage[n]?\s+(?!.*\bheute\b)(?:(?:seit\s+\w+|ein(?:e|en)?|zwei)\s+)*(?P<object>hörgeräte?|brille|kontaktlinsen|gebiss|prothese|zahnspange|perücke|insulinpumpe)\b", mine=True),
    frame("avoids", rf"^(?:ich|wir)\s+(?:vertrage|verträgt|vertragen)\s+(?:\w+\s+)??{_ANY}\s+(?P<object>[^,.;:!?()–]+?)(?=\s+(?:und|oder|noch)\s+kein|\s+(?:mehr|weil|seit|wegen|aber|und\s+muss)\b|\s*[,.;:!?()–]|$)", whole=True, **LIKED),
    frame("avoids", rf"^(?:ich|wir)\s+(?:vertrage|verträgt|vertragen)\s+(?:(?:gar|überhaupt|leider|absolut|einfach|so)\s+)*nicht\s+(?:(?:gut|so)\s+)*{LIST}", whole=True, **LIKED),
    frame("avoids", rf"^(?:ich|wir)\s+(?:darf|dürfen)\s+(?:(?:essen|trinken|nehmen|haben)\s+)?(?:leider\s+|wegen\s+[^,–]+?\s+)?{_ANY}\s+(?P<object>[^,.;–]+?)(?:\s+(?:essen|trinken|nehmen|mehr))*(?=\s*[,.;–]|\s+(?:wegen|weil|seit|und)\b|$)", whole=True, **LIKED),
    frame("avoids", r"^(?:ich|wir)\s+(?:darf|dürfen)\s+(?:(?:essen|trinken|nehmen|haben)\s+)?(?:(?:gar|überhaupt|leider)\s+)*nicht\s+(?:(?:essen|trinken|nehmen)\s+)?(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+)(?:\s+(?:essen|trinken|nehmen))?(?=\s*[,.;–]|$)", whole=True, **LIKED),
    frame("avoids", rf"^(?:ich|wir)\s+(?!.*–.*\b(?:heute|gestern|morgen)\b)(?:esse|isst|essen|trinke|trinkt|trinken)\s+(?:\w+\s+)??{_ANY}\s+(?P<object>[\wäöüß-]+(?:(?:,|\s+und|\s+oder)\s+(?:kein\w*\s+)?[\wäöüß-]+)*?)(?:\s+mehr)?(?=\s*[,.;–]|\s+(?:weil|seit|wegen)\b|$)", whole=True, **LIKED),
    frame("avoids", rf"(?:verzichte|verzichtet|verzichten)\s+(?:(?:komplett|völlig|ganz|weitgehend|seit\s+\w+)\s+)*auf\s+{LIST}", **LIKED),
    frame("avoids", rf"(?:meide|meidet|meiden)\s+{LIST}", **LIKED),
    frame("diet", r"(?:ernähre|ernährt|ernähren)\s+(?:mich|sich|uns)\s+(?:(?:rein|streng|überwiegend|größtenteils|komplett)\s+)*(?P<object>[a-zäöüß-]+)"),
    frame("diet", r"(?:esse|lebe|isst|lebt|essen|leben)\s+(?:(?:rein|streng|überwiegend|komplett|nur)\s+)*(?P<object>vegan|vegetarisch|glutenfrei|laktosefrei|zuckerfrei|low\s+carb|keto|ketogen|koscher|halal|pescetarisch|makrobiotisch)\b"),
    frame("takes", r"(?:nehme|nimmt|nehmen)\s+(?:(?:ein|zwei)mal\s+)?(?:(?:gegen|wegen)\s+[^,–]+?\s+)?(?P<object>(?-i:[A-ZÄÖÜ])[\w-]+)(?=\s+(?:gegen|wegen|für)\b|\s+\d+\s*mg|\s+(?:seit|nach)\b)",
       fits=lambda o: not re.search(r"^(?:Urlaub|Rücksicht|Platz|Zeit|Stellung|Bezug|Abschied|Kontakt|Anlauf|Unterricht)", o)),
    frame("takes", r"(?:spritze|brauche|bekomme)\s+(?:mir\s+|täglich\s+)*(?P<object>[\w-]+)", fits=is_medicine),
    frame("takes", r"muss\s+(?:spritzen|nehmen)\s+(?:mir\s+)?(?P<object>[\w-]+)", fits=is_medicine),
    # -- likes and dislikes ----------------------------------------------------------------------
    frame("likes", rf"(?:(?:mag|mögen|liebe|liebt|lieben)\s+{_NO_MORE}(?:\s+{_MUCH}gerne?)?|(?:{_EATEN})\s+{_NO_MORE}\s+{_MUCH}gerne?)\s+{THING}",
       over=True, fits=_liked),
    frame("likes", r"(?:mag|mögen)\s+kein(?:e[nrs]?)?\s+(?P<object>[\wäöüß-]+)\s+mehr\b", over=True, fits=_liked),
    frame("likes", rf"(?:mochte|mochten|liebte|liebten)\s+(?!nicht|kein|nie){THING}", over=True, fits=_liked),
    frame("dislikes", rf"(?:mag|mögen|liebe|liebt|lieben)\s+(?:{_BADLY}|{_ANY})\s+(?!mehr\b){LIST}", **LIKED),
    frame("dislikes", rf"(?:{_EATEN})\s+(?:(?:gar|überhaupt|wirklich|echt)\s+)*nicht\s+(?:(?:so|besonders|sehr|wirklich)\s+)*gerne?\s+{LIST}",
       **LIKED),
    frame("dislikes", rf"(?:hasse|hasst|hassen|verabscheue|verabscheut|verabscheuen)\s+{LIST}", **LIKED),
    frame("dislikes", rf"(?:kann|können)\s+(?:ausstehen|leiden|riechen|ertragen)\s+(?:{_BADLY}|{_ANY})\s+{LIST}", **LIKED),
    frame("dislikes", r"(?:kann|können)\s+(?:anfangen\s+)?mit\s+(?P<object>[\wäöüß -]+?)\s+(?:wirklich\s+|gar\s+|überhaupt\s+)*nichts(?:\s+anfangen|\b)", **LIKED),
    frame("dislikes", rf"(?:{_BE})\s+kein(?:e)?\s+(?:großer\s+|große\s+)?(?:fan|freund|freundin)\s+von\s+{LIST}", **LIKED),
    frame("prefers", r"[a-zäöüß]+\s+(?:viel\s+|doch\s+|eher\s+|sehr\s+)*lieber\s+(?P<object>[^,.;:!?()–]+?)(?=\s+als\b|\s*[,.;!?()–]|$)", fits=_liked),
    frame("prefers", r"(?:mag|mögen)\s+(?P<object>[^,.;:!?()–]+?)\s+(?:viel\s+)?(?:lieber|mehr)\s+als\b", fits=_liked),
    frame("prefers", rf"(?:bevorzuge|bevorzugt|bevorzugen)\s+{THING}", fits=_liked),
    frame("likes", rf"(?:mag|mögen|liebe|liebt|lieben|genieße|genießt)\s+(?:{_GLADLY}\s+)?{_MUCH}(?!nicht|kein|mehr\b|gern){LIST}", **LIKED),
    frame("likes", rf"(?:{_EATEN})\s+(?:{_GLADLY})\s+(?:nur\s+)?{_DISH}", **LIKED),
    frame("likes", rf"(?:gehe|geht|gehen|fahre|fährt|fahren)\s+(?:{_GLADLY})\s+(?:ins\s+|in\s+(?:die|den|das)\s+|zum\s+|zur\s+|auf\s+)?{LIST}", **LIKED),
    frame("likes", rf"(?:{_BE})\s+(?:ein\w*\s+)?(?:(?:große?r?|riesige?r?|totale?r?|absolute?r?)\s+)?fan\s+(?:von|vom|der|des)\s+{LIST}", **LIKED),
    frame("likes", rf"stehe?n?\s+(?:(?:total|sehr|voll|echt|mega|ziemlich|richtig|wahnsinnig|unheimlich|ja)\s+)*auf\s+(?!de[mnr]\b|ein|mein|zwei|dies){LIST}", **LIKED),
    frame("likes", rf"(?P<object>(?-i:[a-zäöüß]+)e)\s+(?:{_GLADLY})(?=\s*[,.;!–]|\s+(?:und|aber|in|im)\b|$)", mine=True,
       fits=lambda o: re.match(r"(?:wander|koch|back|les|tanz|schwimm|kletter|strick|häkl|näh|mal|angl|reit|reis|fotografier|jogg|sing|gärtner|bastl|puzzl|segl|surf|zelt|camp|töpfer|programmier|zeichn|schreib|rudr|paddl|wandr|meditier|tauch)", o) is not None),
    frame("interested_in", rf"interessier(?:e|t|en)\s+(?:mich|sich|uns)\s+(?:(?:sehr|total|besonders|auch|brennend)\s+)*für\s+(?!de(?:n|in)|ein|dies){LIST}", **LIKED),
    frame("practises", rf"^mein(?:e)?\s+(?:\w+\s+)?hobb(?:y|ys|ies)\s+(?:ist|sind|:)\s*{LIST}", whole=True, several=True, fits=_liked),
    frame("practises", rf"hobb(?:y|ys|ies):\s*{LIST}", whole=True, several=True, fits=_liked),
    frame("likes", r"(?:liebe|genieße|mag)\s+es(?:\s+sehr)?,?\s+(?P<object>[^;:!?()–]*?(?:\bzu\s+\w+n|\w+zu\w+en))(?=\s*[,.;–]|$)", mine=True),
    frame("dislikes", r"hasse\s+es,?\s+(?P<object>[^;:!?()–]*?(?:\bzu\s+\w+n|\w+zu\w+en))(?=\s*[,.;–]|$)", mine=True),
    frame("favourite_{noun}", rf"\bmein(?:e)?\s+(?:aller)?liebste[rs]?\s+(?P<noun>\w+)\s+(?:ist|sind|heißt)\s+{THING}", whole=True, mine=True, fits=_liked),
    frame("favourite_{noun}", rf"{OUR}r?\s+(?:absolute[sr]?\s+)?lieblings-?(?P<noun>\w+)\s+(?:ist|sind|heißt)\s+{THING}",
       whole=True, mine=True, fits=_liked),
    frame("favourite_{noun}", rf"^(?P<object>[\wäöüß -]+?)\s+(?:ist|sind)\s+{OUR}\s+(?:absolute[sr]?\s+)?lieblings-?(?P<noun>\w+)$",
       whole=True, mine=True, fits=_liked),
    # -- given up --------------------------------------------------------------------------------
    frame("practises", rf"{_HAVE}\s+aufgehört\s+mit\s+(?:dem\s+|der\s+)?(?P<object>[\wäöüß-]+){_END}", over=True, fits=_liked),
    frame("practises", rf"{_HAVE}\s+mit\s+(?:dem\s+|der\s+)?(?P<object>[\wäöüß-]+)\s+aufgehört", over=True, fits=_liked),
    frame("practises", rf"{_HAVE}\s+(?:aufgegeben|abgewöhnt|abgebrochen|geschmissen|hingeschmissen|drangegeben)\s+(?:mir\s+|endlich\s+)*(?:das|die|den|mein\w*)\s+"
       rf"(?P<object>(?!hoffnung|gedanken|suche|wohnung|stelle|job|\w*studium)[\wäöüß-]+){_END}", over=True, fits=_liked),
    frame("practises", rf"(?P<object>rauche|trinke|jogge|schwimme|klettere|tanze|reite|turne|angle|boxe|rudere|singe|kiffe)\s+{_NO_MORE}\b", over=True, mine=True),
    frame("practises", rf"(?:gehe|mache)\s+{_NO_MORE}\s+(?:zum|zur|ins|in\s+d(?:en|ie|as))?\s*(?P<object>{_SPORTS})\b", over=True, mine=True),
    frame("plays", r"(?:spiele|spielt)\s+kein(?:e|en)?\s+(?P<object>[\wäöüß-]+)\s+mehr", over=True, fits=is_instrument_or_sport),
    frame("plays", rf"(?:spiele|spielt)\s+{_NO_MORE}\s+(?P<object>[\wäöüß-]+)", over=True, fits=is_instrument_or_sport),
    frame("plays", rf"{_HAVE}\s+gespielt\s+(?:(?:viel|oft|gern|auch|mal|lange|sehr\s+viel)\s+)*(?=.*–.*\b(?:früher|jahre|als\s+kind|damals|bis))(?P<object>[\wäöüß-]+)", over=True, fits=is_instrument_or_sport),
    frame("member_of", rf"{_BE}\s+(?:ausgetreten\s+)?aus\s+(?:der|dem|unserem|meinem)\s+(?P<object>[\wäöüß-]+)(?:\s+ausgetreten)?(?=\s*[,.;–]|$)", over=True,
       fits=lambda o: re.search(r"(?:kirche|verein|partei|chor|club|klub|gewerkschaft|feuerwehr|bund|spd|cdu)$", o, re.I) is not None),
    # -- plans and projects ----------------------------------------------------------------------
    frame("wedding_on", rf"(?:heirate|heiraten|heiratet|(?:werde|werden|wird)\s+(?:[^–]*\s)?heiraten)\b[^–]*–.*?\b(?:am|im)\s+(?P<object>{_WEDDING_DAY})"),
    frame("wedding_on", rf"^(?:meine|unsere)\s+hochzeit\s+ist\b[^–]*–?.*?\b(?:am|im)\s+(?P<object>{_WEDDING_DAY})", whole=True, mine=True),
    frame("plans_to", rf"(?:{_HAVE}|bekomme|bekommen|kriege|kriegen)\s+(?:(?:da|auch|leider|noch|gleich|endlich|wieder|ein|eine|einen|meine|meinen|die|den|unsere|unseren|zwei)\s+)*"
       rf"(?P<object>(?:[\wäöüß]+e[nrs]?\s+)?{_EVENT}\b[^,;:!?()–]*?)(?=\s*[,;–]|\s+(?:und|aber|weil)\b){_AHEAD_OF_US}"),
    frame("plans_to", rf"(?:muss|müssen|darf)\s+(?:(?:gehen|fahren|hin)\s+)?(?:(?:wieder|auch|leider|mal|endlich|noch)\s+)*(?P<object>(?:zum|zur|ins|in\s+die|nach|auf\s+die)\s+[^,;:!?()–]+?)(?=\s*[,;–]){_AHEAD_OF_US}"),
    frame("plans_to", rf"(?:flieg|fahr|reis|geh)(?:e|en)\s+(?:(?:wieder|auch|endlich|zusammen|alle|dann|mal)\s+)*(?P<object>(?:[^,;:!?()–]*\s)?(?:nach|in\s+(?:die|den)|an\s+(?:die|den)|auf\s+(?:die|den)?|ins|zum|zur|zu\s+(?:mein|unser)\w*)\s*[^,;:!?()–]+?)(?=\s*[,;–]){_AHEAD_OF_US}",
       fits=lambda o: not re.search(r"\b(?:arbeit|bett|schule|einkaufen|immer|oft|meistens|meist|gern|gerne|regelmäßig)\b", o, re.I)),
    frame("plans_to", rf"(?P<object>heirate|heiraten|(?:werde|werden)\s+operiert(?:\s+[^,;:!?()–]+?)?|(?:werde|werden)\s+(?:mutter|vater|oma|opa|eltern|\d\d)|(?:bekommen|kriegen|bekomme|erwarte|erwarten)\s+(?:(?:ein|unser|das)\s+(?:erstes|zweites|drittes|viertes)\s+(?:baby|kind)|ein\s+(?:baby|kind)|zwillinge|nachwuchs))(?=\s*[,;–]){_AHEAD_OF_US}"),
    frame("plans_to", rf"(?:mache|machen|besuche|besuchen|laufe|starte|beginne|fange\s+an|fangen\s+an|schreibe|feiern|feiere|verkaufen|verkaufe|kaufen|werde|werden)\s+(?P<object>(?!wohnen|arbeiten|leben|anfangen|genannt|ziehen|umziehen)[^,;:!?()–]+?)(?=\s*[,;–]){_AHEAD_OF_US}",
       mine=True, fits=_planned),
    frame("plans_to", r"(?:möchte|will|wollen|möchten)\s+(?:endlich|unbedingt|dringend|irgendwann|schon\s+lange|noch)\s+(?P<object>[^,;:!?()–]+?)(?=\s*[,;–]|$)", fits=_planned),
    frame("plans_to", r"(?:möchte|will|wollen|möchten)\s+(?P<object>(?-i:[a-zäöüß]+(?:en|eln|ern))\s+(?:endlich|unbedingt|dringend|demnächst|noch\s+dieses\s+jahr)\s*[^,;:!?()–]*?)(?=\s*[,;–]|$)", fits=_planned),
    frame("plans_to", r"(?:möchte|will|wollen|möchten)\s+(?P<object>(?:lernen|werden|auswandern|bauen|umziehen|ausziehen|aussteigen|studieren|heiraten|abnehmen|kündigen|"
       r"reisen|eröffnen|gründen|nachholen|umschulen|ziehen|raus)\b[^,;:!?()–]*?)(?=\s*[,;–]|\s+(?:und|aber|weil)\b|$)", fits=_planned),
    frame("plans_to", rf"gehe?\s+(?P<object>in\s+(?:rente|pension|elternzeit|mutterschutz|altersteilzeit|reha|kur))(?=\s*[,;–]){_AHEAD_OF_US}", mine=True),
    frame("plans_to", r"(?:plane|planen)\s+(?:gerade\s+)?(?P<object>(?:eine?n?|unsere?n?|meine?n?)\s+[^,;:!?()–]+?)(?=\s*[,;–]|\s+(?:und|aber|weil)\b|$)", fits=_planned),
    frame("plans_to", r"(?:möchte|will|wollen)\s+(?P<object>(?:machen\s+)?(?:mich|uns)\s+selbst(?:st)?ändig(?:\s+machen)?)", mine=True),
    frame("has_goal", r"\bmein\s+(?:großes\s+|größtes\s+|nächstes\s+)?ziel\s+ist\s+(?:es,?\s+)?(?P<object>[^;:!?()–]+?)(?=\s*[;–.]|$)", whole=True, fits=_planned),
    frame("current_project", rf"{_CRAFTS}(?:e|en|t|et)\s+(?:(?:gerade|nebenher|nebenbei|aktuell|momentan|zurzeit|selbst|selber|mir|uns|nebenberuflich|privat|mit\s+(?:mein|unser)\w*\s+\w+)\s+)*(?:an\s+)?"
       rf"(?P<object>(?:ein(?:e[nmr]?)?|mein(?:e[nmr]?)?|unser(?:e[nmr]?)?)\s+[^,.;:!?()–]+?){_END}",
       fits=_project),
    frame("current_project", rf"(?:arbeite|arbeiten|sitze|tüftle|werkle|feile|schraube|bastle)\s+(?:gerade\s+|nebenbei\s+|noch\s+)*an\s+(?P<object>(?:ein(?:e[mr])|mein(?:e[mr])|unser(?:e[mr]))\s+[^,.;:!?()–]+?){_END}",
       fits=_project),
    frame("current_project", rf"\bmein(?:e)?\s+(?:(?:aktuelle|neue|neueste|momentane)[srn]?\s+)?(?:projekt|masterarbeit|bachelorarbeit|doktorarbeit)\s+ist\s+{THING}", whole=True, fits=_project),
    # -- habits ----------------------------------------------------------------------------------
    frame("commutes_by", r"(?:fahre|fährt|fahren|pendle|pendelt|pendeln|komme|kommt)\s+(?:(?:immer|meist|täglich|oft|nur)\s+)*(?:mit\s+(?:dem|der|den)\s+)(?P<object>[\wäöüß-]+)\s+(?:zur\s+arbeit|ins\s+büro|in\s+die\s+(?:arbeit|firma|uni|schule)|zur\s+(?:uni|schule)|nach\s+[\wäöüß-]+)"),
    frame("commutes_by", r"(?:fahre|fährt|pendle|pendelt|komme)\s+zur\s+(?:arbeit|uni|schule)\s+(?:\w+\s+)?mit\s+(?:dem|der)\s+(?P<object>[\wäöüß-]+)"),
    frame("practises", r"^(?P<object>(?!.*\b(?:ich|wir|ist|sind|war|du)\b)[\wäöüß -]+?(?:,\s+[\wäöüß -]+?)*)(?=\s+–\s+(?:\w+s\b))", whole=True, several=True, fits=_sport),
    frame("practises", rf"(?:gehe|geht|gehen)\s+(?:(?:immer|regelmäßig|meistens|oft|gerne?|viel|zusammen)\s+)*(?:(?:zum|zur|ins|in\s+(?:den|die))\s+)?(?P<object>{_SPORTS})(?=\s+–.*(?:\b(?:jede\w*|woche|täglich|seit)\b|(?:tag|woch|morgen|abend)s\b)|\s+(?:regelmäßig|immer)\b)"),
    frame("practises", rf"(?:gehe|geht|gehen)\s+(?:immer|regelmäßig|viel|oft)\s+(?:(?:zum|zur|ins|in\s+(?:den|die))\s+)?(?P<object>{_SPORTS})\b"),
    frame("practises", rf"(?:mache|macht|machen|treibe|treibt)\s+(?:(?:immer|regelmäßig|viel|auch|gern|gerne|täglich|seit\s+\w+)\s+)*(?P<object>{_SPORTS})\b(?!.*\b(?:gerade|heute|gleich)\b)"),
    frame("practises", r"(?:trainiere|trainiert|tanze|tanzt)\s+(?:(?:immer|regelmäßig|gerade|auch|seit\s+\w+)\s+)*(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+)(?=\s*[,.;–]|\s+(?:im|in|und|beim)\b|$)"),
    frame("practises", rf"(?:sammle|sammele|sammelt|sammeln)\s+(?:(?:alte|antike|leidenschaftlich|gern|gerne)\s+)*{LIST}", several=True, fits=_liked),
    frame("member_of", r"(?:singe|singt|spiele|spielt)\s+(?:[\wäöüß-]+\s+){0,2}?(?:im|in\s+(?:einem|einer|der|unserem|unserer|meinem))\s+(?P<object>[\wäöüß-]*(?:chor|band|orchester|kapelle|verein|mannschaft|ensemble|quartett|theatergruppe))\b"),
    frame("practises", rf"{_HAVE}\s+(?:immer\s+)?(?P<object>{_SPORTS})(?=\s+–\s.*(?:jede\w*|woch\w*|tag)s?\b)", mine=True,
       fits=lambda o: not re.search(r"schwimmen|laufen|joggen|fußball", o)),
    frame("practises", rf"treffe\s+mich\s+.*\bzum\s+(?P<object>{_SPORTS})\b", mine=True),
    frame("drives", r"(?:fahre|fährt)\s+(?:(?:gern|leidenschaftlich|seit\s+\w+|noch|selbst)\s+)*(?P<object>motorrad|taxi|lkw|straßenbahn|rollstuhl|einrad|vespa|traktor)\b"),
    frame("member_of", rf"{_BE}\s+(?:(?:aktives|passives|langjähriges)\s+)?mitglied\s+(?:im|in\s+der|in\s+einem|in\s+einer|beim|bei\s+der|bei\s+den|der|des)\s+(?P<object>[^,.;:–]+?)(?=\s*[,.;–]|\s+(?:und|seit)\b|$)"),
    frame("member_of", r"(?:bin|ist)\s+(?:(?:im|in\s+(?:der|einem|einer)|beim|bei\s+(?:der|den))\s+)(?:freiwilligen\s+)?(?P<object>[\wäöüß-]*(?:verein|chor|feuerwehr|gewerkschaft|partei|orchester|kapelle|gemeinderat|elternbeirat|betriebsrat|pfadfindern|thw|dlrg|drk|spd|cdu))(?=\s*[,.;–]|\s+(?:und|aktiv|seit)\b|$)"),
    frame("member_of", r"engagier(?:e|t)\s+(?:mich|sich)\s+(?:(?:ehrenamtlich|seit\s+\w+|auch)\s+)*(?:bei|beim|in|im)\s+(?:der|den|dem|einem|einer)?\s*(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+(?:\s+(?-i:[A-ZÄÖÜ])[\wäöüß-]+)?)"),
    # -- the rest --------------------------------------------------------------------------------
    frame("speaks", r"(?:spreche|spricht|sprechen)\s+(?:(?:fließend|gut|sehr\s+gut|etwas|ein\s+(?:bisschen|wenig)|nur|perfekt)\s+)*"
       r"(?P<object>[\wäöüß]+(?:(?:\s*,\s*|\s+und\s+)(?:(?:und|fließend|gut|etwas|ein\s+(?:bisschen|wenig))\s+)*[\wäöüß]+)*)",
       several=True, fits=is_language),
    frame("born_in", rf"(?:{_BE}|wurde|wurden)\s+geboren\s+(?:und\s+aufgewachsen\s+)?in\s+{THING}", fits=_town),
    frame("born_on", rf"(?:{_BE}|wurde)\s+geboren\b.*?–\s*(?:am\s+)?(?P<object>(?:\d{{1,2}}\.\s*(?:{MONTH}|\d{{1,2}}\.)\s*)?{YEAR})"),
    frame("birthday", rf"(?:habe|hab|hat)\s+geburtstag\b.*?–\s*(?:immer\s+)?am\s+(?P<object>\d{{1,2}}\.\s*(?:{MONTH}|\d{{1,2}}\.?))"),
    frame("birthday", rf"^(?:der\s+)?geburtstag\s+(?:(?:meine|unsere)[rs]|von\s+(?:meine|unsere)[mr])\s+{KIND}(?P<whose>(?:{KIN_WORD})s?)(?:\s+(?P<whose_name>{PROPER}))?\s+ist\b.*?(?:am|der)\s+(?P<object>\d{{1,2}}\.\s*(?:{MONTH}|\d{{1,2}}\.?))", whole=True),
    frame("birthday", rf"mein\s+geburtstag\s+ist\b(?:.*?–)?\s*(?:der\s+|am\s+)?(?P<object>\d{{1,2}}\.\s*(?:{MONTH}|\d{{1,2}}\.?))",
       whole=True, mine=True),
    frame("age", r"(?:bin|heiße)\s+[^,]+,\s+(?P<object>\d{1,3})(?:\s+jahre(?:\s+alt)?)?(?=\s*[,.;!–]|\s+(?:und|aus)\b|$)", mine=True),
    frame("age", rf"{_BE}\s+(?:schon\s+|erst\s+)?(?P<object>\d{{1,3}})(?:\s+jahre(?:\s+(?:alt|jung))?)?(?![.,]\d)(?=\s*[,.;!–]|\s+(?:und|aber)\b|$)"),
    frame("age", rf"{_BE}\s+(?:schon\s+|erst\s+)?(?P<object>{either('ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig sechzig siebzig')})\s+jahre?\s+alt"),
    frame("studies_at", rf"studier(?:e|t|en)\s+(?:[\wäöüß -]+?\s+)?an\s+(?:der|einer)\s+(?P<object>[^,.;:!?()–]+?){_END}", fits=_firm),
    frame("height", r"(?:bin|ist)\s+(?:(?:nur|fast|ungefähr|etwa|knapp|über|genau)\s+)*(?P<object>\d[.,]\d\d(?:\s?m(?:eter)?)?|[12]\d\d\s?(?:cm|zentimeter)|(?:einen?|zwei)\s+meter(?:\s+\w+)?)\s+(?:groß|lang|klein)"),
    frame("weight", r"(?:wiege|wiegt)\s+(?:(?:nur|fast|ungefähr|etwa|knapp|über|genau|zurzeit|aktuell)\s+)*(?P<object>\d{2,3}(?:[.,]\d)?\s*(?:kg|kilo\w*))"),
    frame("blood_type", r"\b(?:meine\s+)?blutgruppe\s+(?:ist\s+)?(?P<object>(?:AB|A|B|0|O)\s*(?:\+|-|positiv|negativ|rh\w*\s*\w*)?)(?=\s*[,.;–]|$)", whole=True, mine=True),
    frame("native_language", r"\bmeine\s+muttersprache\s+ist\s+(?P<object>[\wäöüß]+)", whole=True, fits=is_language),
    frame("speaks", r"(?:kann|können)\s+(?:sprechen\s+)?(?:(?:fließend|gut|sehr\s+gut|etwas|ein\s+(?:bisschen|wenig)|auch|ganz\s+gut|perfekt)\s+)*"
       r"(?P<object>[\wäöüß]+(?:(?:\s*,\s*|\s+und\s+)(?:(?:und|fließend|gut|etwas|ein\s+(?:bisschen|wenig))\s+)*[\wäöüß]+)*)", several=True, fits=is_language),
    frame("nationality", rf"{_BE}\s+(?:ein\w*\s+)?(?:gebürtige[r]?\s+|echte[r]?\s+)?(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+)(?=\s*[,.;!–]|\s+(?:und|aber|aus|mit)\b|$)", fits=is_nation),
    frame("born_on", rf"{_BE}\s+(?:ein\s+)?(?:jahrgang|baujahr)\s+(?P<object>{YEAR}|'?\d\d)\b", mine=True),
    frame("studies_at", r"studier(?:e|t|en)\s+(?:(?-i:[A-ZÄÖÜ])[\wäöüß -]+?\s+)?in\s+(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+)(?!\s+semester)", fits=_town),
    frame("studies_at", rf"{_HAVE}\s+studiert\s+(?:(?-i:[A-ZÄÖÜ])[\wäöüß -]+?\s+)?(?:in|an\s+der)\s+(?P<object>(?:(?:Uni|TU|FH|Universität|Hochschule)\s+)?(?-i:[A-ZÄÖÜ])[\wäöüß-]+)", over=True, fits=_town),
    frame("studies_at", r"^ich\b.*,\s+(?:an\s+der\s+)?(?P<object>(?-i:Uni|TU|FH|Hochschule|Universität)\s+(?-i:[A-ZÄÖÜ])[\wäöüß-]+)", whole=True),
    frame("studies", r"(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+)\s+im\s+(?:\w+|\d+\.)\s+semester", whole=True, fits=_liked),
    frame("studies", rf"studier(?:e|t|en)\s+(?:im\s+\S+\s+semester\s+)?(?:in\s+(?-i:[A-ZÄÖÜ])[\wäöüß-]+\s+)?(?P<object>(?-i:[A-ZÄÖÜ])[^,.;:!?()–]*?){_END}"),
    frame("studies", rf"{_HAVE}\s+studiert\s+(?:in\s+(?-i:[A-ZÄÖÜ])[\wäöüß-]+\s+)?(?P<object>(?-i:[A-ZÄÖÜ])[^,.;:!?()–]*?){_END}", over=True),
    frame("studies", rf"promovier(?:e|t|en)\s+(?:gerade\s+)?(?:in|über|zu)\s+{THING}"),
    frame("studies", rf"mach(?:e|t)\s+(?:gerade\s+)?(?:mein\w*|ein\w*|den|sein\w*|ihr\w*)\s+(?:master|bachelor|diplom|abschluss)\s+in\s+{THING}"),
    frame("studies_at", r"geh(?:e|t)\s+(?:auf|an)\s+(?:das|die|aufs|ein\w*)\s+(?P<object>[\wäöüß-]*(?:schule|gymnasium|uni|fh|hochschule|internat)(?:\s+(?:in\s+)?(?-i:[A-ZÄÖÜ])[\wäöüß-]+)?)"),
    frame("plans_to", r"(?:will|wollen|möchte|möchten)\s+(?P<object>[^,;:!?()–]+?)(?=\s+–.*\b(?:(?:nächst|kommend|dies)e\w*|bald|im|ab)\b)"),
    frame("plans_to", r"(?:(?:habe|haben|hat)\s+vor|plane|planen|plant),?\s+(?P<object>[^,;:!?()–]*?(?:\bzu\s+\w+n|\w+zu\w+en))(?=\s*[,.;–]|$)"),
    frame("learns", rf"(?:lerne|lernt|lernen)\s+(?:gerade\s+)?{THING}", fits=lambda o: is_language(o) or is_instrument_or_sport(o)),
    frame("practises", rf"(?:gehe|geht|gehen)\s+(?:regelmäßig\s+|{_GLADLY}\s+)?(?:zum|zur|ins)\s+{THING}"
       rf"(?=.*–.*(?:\b(?:jede|woche|seit)|tags\b))", fits=lambda o: not re.search(r"arzt|bett|klo|arbeit|kino", o, re.I)),
    frame("practises", r"(?P<object>(?:jogge|schwimme|wandere|klettere|meditiere|boxe|tanze|rudere|stricke|häkle|töpfere|"
       r"turne|laufe|reite|angle|singe|imkere|segle|paddle|male|nähe|faste)(?:\s+[\wäöüß]+){0,4}?)(?=\s*,.*|\s+–)(?=.*\b(?:jede\w*|täglich|regelmäßig|die\s+woche|\w+tags|abends|morgens|seit)\b)"),
    frame("is", rf"{_BE}\s+(?:eine?\s+)?(?:(?:strenge[nr]?|auch|seit|eher|eher\s+der|eher\s+ein|von\s+natur\s+aus|bekennende[r]?|überzeugte[r]?|stark|leicht|fast|stolze[r]?|absolute[r]?|echte[r]?|totale[r]?|wieder|frisch)\s+)*(?P<object>[\wäöüß-]+)(?=\s*[,.;!–]|\s+(?:und|aber|weil)\b|$)", fits=is_trait),
    frame("plays", rf"(?:spiele|spielt|spielen)\s+(?:(?:{_GLADLY})\s+)?{LIST}", several=True, fits=is_instrument_or_sport),
    frame("phone", r"meine\s+(?:telefon|handy|mobil)?-?nummer\s+(?:ist|lautet)\s+(?P<object>[+\d][\d ()/-]{5,})", whole=True, mine=True),
    frame("email", r"meine\s+(?:e-?)?mail(?:-?\s?adresse)?\s+(?:ist|lautet)\s+(?P<object>[\w.+-]+@[\w.-]+\w)", whole=True, mine=True),
)  # fmt: skip
