"""German word order made plain: subject, verb, the rest, and the times behind a dash.

"Seit Januar arbeite ich bei Bosch", "weil ich bei Bosch arbeite" and "Ich fange am Montag bei Bosch
an" become "ich arbeite bei Bosch – Seit Januar", "ich arbeite bei Bosch" and "ich fange an bei
Bosch – am Montag".
"""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern, any_of, either
from thalamus.policy.language.vocabulary import given_names
from thalamus.policy.language.vocabulary.relations import with_ended
from thalamus.policy.language.word_order import split_times, with_times

MONTH = (
    "(?:januar|jänner|februar|feber|märz|april|mai|juni|juli|august|september|oktober|november|"
    "dezember)"
)
DAY = "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
SEASON = "(?:frühling|frühjahr|sommer|herbst|winter)"
YEAR = r"(?:(?:19|20)\d\d)"
COUNT = (
    r"(?:\d{1,3}|ein(?:e[mnr]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|"
    r"zwanzig|dreißig|ein\s+paar|einigen|mehreren|wenigen|vielen|anderthalb)"
)
UNIT = r"(?:tag(?:en|e)?|wochen?|monat(?:en|e|s)?|jahr(?:en|es|e)?|stunden?|minuten?)"
_WHICH = (
    r"(?:(?:letzt|nächst|kommend|vergangen|dies|vorig|jed|erst|folgend)e[nrsm]?|übernächste[nrsm]?)"
)
CLOCK = (
    r"(?:(?:halb|viertel\s+(?:vor|nach)|dreiviertel|kurz\s+(?:vor|nach)|punkt)\s+)?"
    r"(?:\d{1,2}(?:[:.]\d\d)?|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)"
    r"(?:\s+uhr(?:\s+\d\d)?)?(?!\s*(?:[\d€%]|euro|prozent|kilo|jahre|monate|tage|wochen))"
)
_ABOUT = r"(?:(?:etwa|ungefähr|rund|knapp|fast|gut|circa|ca\.|über|schon|erst|noch|spätestens)\s+)*"
_POINT = (
    rf"(?:(?:dem|der|den|des|im|am|zum)\s+)?(?:(?:anfang|mitte|ende)\s+)?(?:(?:dem|der|des)\s+)?"
    rf"(?:{_WHICH}\s+)?(?:(?:\d{{1,2}}\.\s*)?(?:{MONTH}|{DAY}|{SEASON}|jahr(?:es)?|monats?|woche|"
    rf"wochenende)(?:\s+{YEAR})?(?!\w)|\d{{1,2}}\.\s?\d{{1,2}}\.(?:\s?\d{{4}})?|{YEAR}(?![\w-]))"
)
TIMES = any_of(
    rf"""(?<![\w-])(?:
    {_ABOUT}(?:seit|vor|in|nach)\s+{_ABOUT}{COUNT}\s+{UNIT}(?!\w)
    |{_ABOUT}(?:seit|ab|bis|von|vom|im|am|in|zum|zu)\s+{_ABOUT}{_POINT}(?:\s+(?:bis|und)\s+{_POINT})?
    |zwischen\s+{_POINT}\s+und\s+{_POINT}
    |(?:anfang|mitte|ende)\s+(?:{_WHICH}\s+)?(?:{MONTH}|{SEASON}|(?:des\s+)?jahres|monats)?(?:\s*{YEAR})?(?!\w)
    |(?:{_WHICH}\s+)woche\s+{DAY}(?!\w)
    |{_WHICH}\s+(?:{MONTH}|{DAY}|{SEASON}|jahr|monat|woche|wochenende|tag|abend|nacht|mal)(?!\w)(?:\s+{YEAR})?
    |(?:gestern|heute|morgen|übermorgen|vorgestern)(?:\s+(?:abend|früh|morgen|nachmittag|vormittag|nacht|mittag))?(?!\w)
    |(?:\d+|ein|zwei|drei|vier|fünf|sechs|mehr|paar)\s?mal\s+(?:die|in\s+der|pro|im|am)\s+(?:woche|monat|jahr|tag)
    |(?:um|gegen|ab)\s+{CLOCK}|am\s+\d{{1,2}}\.(?!\s*(?:\d|(?-i:[A-ZÄÖÜ])))
    |{COUNT}\s+jahre(?=\s+(?:(?-i:[A-ZÄÖÜ])|bei\b|beim\b|in\b|im\b|als\b))
    |seit\s+(?:meiner|der)\s+(?:kindheit|jugend|schulzeit|geburt|grundschule)|als\s+(?:kind|jugendlicher?)
    |{COUNT}\s+(?:tage|stunden|abende|mal)\s+(?:die|in\s+der|pro|im|am)\s+(?:woche|monat|jahr|tag)
    |{_ABOUT}{COUNT}\s+(?:jahre|monate|wochen|tage)\s+lang|jahrelang|monatelang
    |(?:{DAY}|morgen|abend|nacht|mittag|vormittag|nachmittag)s(?!\w)
    |am\s+(?:abend|morgen|nachmittag|vormittag|wochenende)(?!\w)
    |(?:zu|an|seit|nach|vor)\s+(?:weihnachten|ostern|pfingsten|silvester)
    |seit\s+(?:kurzem|langem|jahren|monaten|wochen|gestern|heute|neuestem|jeher|ewigkeiten|damals|immer)
    |vor\s+(?:kurzem|langem|jahren|langer\s+zeit)|schon\s+(?:lange|immer|ewig)|immer\s+schon
    |nach\s+wie\s+vor|früher(?!\s+als)|damals|neulich|kürzlich|demnächst|bald|künftig|zukünftig|seither|seitdem|jetzt|nun|
    aktuell|momentan|derzeit|zurzeit|inzwischen|mittlerweile
    |jeden\s+(?:zweiten\s+)?(?:tag|morgen|abend|monat|sommer|winter)|jede\s+woche|täglich|wöchentlich|von\s+(?:jetzt|nun)\s+an|ab\s+(?:sofort|jetzt)
    |(?:(?<=^)|(?<=[a-z]\s)){YEAR}(?=\s+(?:in|bei|nach|als|mit|zu|bin|habe|ist|sind|haben|wohn|leb|arbeit))
    )(?!\w)"""
)

_IRREGULAR_ME = either(
    "bin hab habe mag kann will muss darf soll war hatte weiß werd werde würd wohn arbeit ging kam zog "
    "fand las trank aß fuhr bekam wurde konnte wollte musste mochte"
)
_NO_VERB_ME = either(
    "die eine meine deine seine ihre unsere keine welche diese jede alle ohne beide heute gerne "
    "leise solche andere viele letzte nächste ende mitte seite da"
)
_FINITE_ME = rf"(?!(?:{_NO_VERB_ME})\b)(?-i:(?:{_IRREGULAR_ME})|(?i:[a-zäöüß]+(?:e|te)))"
_NO_VERB_WE = either("denen einen meinen zwischen wegen neben gegen den allen deinen diesen")
_FINITE_WE = rf"(?!(?:{_NO_VERB_WE})\b)(?:sind|tun|waren|[a-zäöüß]+en|[a-zäöüß]+(?:eln|ern))"
_NO_VERB_IT = either(
    "mit seit nicht jetzt bist dort selbst oft fast erst meist zuerst sonst weit nacht zeit"
)
FINITE_IT = (
    rf"(?!(?:{_NO_VERB_IT})\b)(?-i:ist|hat|war|hatte|mag|kann|will|muss|darf|soll|wird|wurde|kam|ging|"
    r"zog|weiß|sind|haben|waren|wohnen|leben|arbeiten|heißen|[a-zäöüß]{2,}t(?:e)?)"
)
# verbs of which a person is the only subject: the word behind "meine Frau" is a name
_SETTLED = r"(?:wohnt|lebt|arbeitet|heiratet|unterrichtet|jobbt)"

KIN = {
    **dict.fromkeys("frau ehefrau gattin".split(), "wife"),
    **dict.fromkeys("mann ehemann gatte gatten".split(), "husband"),
    **dict.fromkeys("partner partnerin lebensgefährte lebensgefährtin lebensgefährten "
                    "lebenspartner lebenspartnerin".split(), "partner"),
    **dict.fromkeys("freundin".split(), "girlfriend"),
    **dict.fromkeys("freund".split(), "boyfriend"),
    **dict.fromkeys("verlobte verlobter verlobten".split(), "fiance"),
    **dict.fromkeys("schwester schwestern zwillingsschwester halbschwester schwesterherz".split(), "sister"),
    **dict.fromkeys("bruder brüder zwillingsbruder halbbruder bruderherz".split(), "brother"),
    **dict.fromkeys("mutter mama mutti mami mutsch".split(), "mother"),
    **dict.fromkeys("vater papa vati papi paps".split(), "father"),
    **dict.fromkeys("sohn söhne sohnemann".split(), "son"),
    **dict.fromkeys("tochter töchter töchterchen".split(), "daughter"),
    **dict.fromkeys("kind kinder kids baby zwillinge nachwuchs".split(), "child"),
    "stiefsohn": "stepson", "bonussohn": "stepson", "bonustochter": "stepdaughter",
    "stieftochter": "stepdaughter", "stiefvater": "stepfather", "stiefmutter": "stepmother",
    **dict.fromkeys("oma großmutter omi großmama".split(), "grandmother"),
    **dict.fromkeys("opa großvater opi großpapa".split(), "grandfather"),
    "enkel": "grandson", "enkelsohn": "grandson", "enkelin": "granddaughter",
    "enkeltochter": "granddaughter", "onkel": "uncle", "tante": "aunt",
    "cousin": "cousin", "cousine": "cousin", "kusine": "cousin", "vetter": "cousin",
    "neffe": "nephew", "neffen": "nephew", "nichte": "niece",
    "schwager": "brother_in_law", "schwägerin": "sister_in_law",
    "schwiegermutter": "mother_in_law", "schwiegervater": "father_in_law",
    "schwiegersohn": "son_in_law", "schwiegertochter": "daughter_in_law",
    **dict.fromkeys("kollege kollegen kollegin arbeitskollege arbeitskollegin arbeitskollegen".split(),
                    "colleague"),
    **dict.fromkeys("chef chefin vorgesetzte vorgesetzter".split(), "boss"),
    **dict.fromkeys("nachbar nachbarn nachbarin".split(), "neighbour"),
    **dict.fromkeys("kumpel kumpels freunde schulfreund schulfreundin jugendfreund jugendfreundin "
                    "studienfreund studienfreundin".split(), "friend"),
    **dict.fromkeys(("bester freund", "besten freund", "beste freundin", "besten freundin"),
                    "best_friend"),
    **dict.fromkeys("mitbewohner mitbewohnerin mitbewohnern".split(), "flatmate"),
    **dict.fromkeys("patenkind patensohn patentochter".split(), "godchild"),
    "patentante": "godmother", "patenonkel": "godfather",
    **dict.fromkeys("hund hunde hündin welpe welpen dackel pudel labrador schäferhund mops terrier "
                    "mischling beagle husky collie retriever boxer spitz dogge jagdhund windhund "
                    "bernhardiner cockerspaniel chihuahua rüde hundedame vierbeiner malteser "
                    "havaneser pinscher schnauzer rottweiler dalmatiner straßenhund".split(), "dog"),
    "golden retriever": "dog",
    **dict.fromkeys("katze katzen kater kätzchen katerchen perserkatze stubentiger "
                    "katzendame".split(), "cat"),
    **dict.fromkeys("pferd pferde stute hengst wallach pony ponys haflinger isländer".split(), "horse"),
    **dict.fromkeys("haustier hamster meerschweinchen kaninchen wellensittich wellensittiche papagei "
                    "schildkröte schildkröten kanarienvogel hase hasen zwergkaninchen goldfisch "
                    "frettchen ratte ratten ziege ziegen esel leguan bartagame ente enten laufente "
                    "laufenten gans gänse huhn hühner henne hennen hahn schaf schafe schwein schweine "
                    "minischwein nymphensittich kakadu degu degus chinchilla axolotl gecko schlange "
                    "kornnatter vogelspinne rennmaus rennmäuse maus mäuse alpaka alpakas lama "
                    "kuh".split(), "pet"),
    "lehrer": "teacher", "lehrerin": "teacher", "hausarzt": "doctor", "hausärztin": "doctor",
    "zahnarzt": "dentist", "zahnärztin": "dentist", "therapeut": "therapist",
    "therapeutin": "therapist",
}  # fmt: skip
KIN = with_ended(
    KIN,
    ex=("ex-", "ex"),
    former=(
        "ehemalige ",
        "ehemaliger ",
        "ehemaligen ",
        "frühere ",
        "früherer ",
        "damalige ",
        "damaliger ",
    ),
)
# "meine Große", "unser Kleiner": a noun, and so with a capital
_CHILDREN = {
    "Kleiner": "son", "Kleine": "daughter", "Großer": "son", "Große": "daughter",
    "Ältester": "son", "Älteste": "daughter", "Jüngster": "son", "Jüngste": "daughter",
    "Mittlerer": "son", "Mittlere": "daughter",
}  # fmt: skip
KIN_WORD = "|".join(
    [word.replace(" ", r"\s+") for word in sorted(KIN, key=len, reverse=True)]
    + [rf"(?-i:{word})" for word in sorted(_CHILDREN, key=len, reverse=True)]
)
KIN |= {word.casefold(): role for word, role in (KIN | _CHILDREN).items()}  # "ß" is folded to "ss"
KIND = (
    r"(?:(?:beiden|zwei|drei|vier|fünf|sechs)\s+)?(?:(?:älte(?:ste|re)|jüng(?:ste|ere)|groß|klein|mittler|alt|neu|lieb|erst|zweit|dritt|einzig|"
    r"verstorben|jetzig|zukünftig|künftig|erwachsen|direkt)e?[nrsm]?\s+|"
    r"(?:\w+jährige|adoptierte)[nrsm]?\s+)*"
)
OUR = r"(?:mein|unser)e?"
GIVEN = given_names.names_pattern()
PROPER = r"(?-i:[A-ZÄÖÜ][\wéèáíóúçñ'-]*\w(?:\s+(?:(?:von|van|de|zu|der)\s+)*[A-ZÄÖÜ][\w'-]*\w)?)"
_SURNAME = r"(?:\s+(?-i:(?:(?:von|van|de)\s+)?[A-ZÄÖÜ][\wéèáíóúçñ'-]*\w))?"

_SUBJECT = rf"(?:ich|wir|{OUR}\s+{KIND}(?:{KIN_WORD})(?:\s*,?\s+{GIVEN}(?!\w),?)?(?:\s+und\s+ich)?|{GIVEN}(?!\w))"
_NOT_AHEAD = r"(?!(?:und|oder|weil|dass|wenn|ob|wie|wo|was|der|die|das)\b)"
_FIRST_ALREADY = any_of(
    rf"^(?:ich\s+{_FINITE_ME}|wir\s+{_FINITE_WE}|{OUR}\s+[^,]+?\s+{FINITE_IT})(?!\w)"
)
_INVERTED = any_of(
    rf"""^(?P<before>{_NOT_AHEAD}[^,]{{1,60}}?\s+|)(?:
    (?P<verb>{_FINITE_ME})\s+(?P<subject>ich)
    |(?P<verb_we>{_FINITE_WE})\s+(?P<subject_we>wir)
    |(?P<verb_kin>{_SETTLED})\s+(?P<subject_kin>{OUR}\s+{KIND}(?:{KIN_WORD})\s+{PROPER})
    |(?P<verb_it>{FINITE_IT})\s+(?P<subject_it>{OUR}\s+{KIND}(?:{KIN_WORD})(?:\s*,?\s+{GIVEN}(?!\w))?|{GIVEN}|er|sie)
    )(?!\w)(?P<rest>.*)$"""
)
_SUBORDINATE = any_of(
    r"^(?:weil|da|obwohl|dass|während|nachdem|seitdem|seit|sodass|wobei|obgleich|bevor)\s+(?=\S+\s+\S)"
)
_VERB_LAST = any_of(
    rf"""^(?P<subject>{_SUBJECT}|er|sie)\s+(?P<rest>.*?)\s*(?<!\w)
    (?P<verb>(?-i:bin|ist|sind|habe|hab|hat|haben|war|waren|hatte|hatten|mag|mögen|will|wollen|kann|können|
    muss|müssen|werde|wird|werden|heiße|[a-zäöüß]{{2,}}(?:e|t|en|te|ten)))$"""
)
_PERFECT = LazyPattern(
    r"^(?P<head>(?:ich|wir|er|sie|.+?)\s+(?:habe|hab|hat|haben|bin|ist|sind|war|hatte|hatten|waren|wurde|wurden))"
    r"\s+(?P<middle>.+?)\s+(?P<last>(?-i:geboren\s+und\s+aufgewachsen|(?:[a-zäöüß]*ge[a-zäöüß]{2,}(?:t|en)|(?:be|ver|er|ent|zer|über|unter|wieder)"
    r"[a-zäöüß]{2,}(?:t|en)|[a-zäöüß]{3,}iert|allergisch)(?:\s+worden)?))$",
    re.I,
)
_MODAL = LazyPattern(
    r"^(?P<head>.+?\s+(?:werde|werden|wird|will|wollen|möchte|möchten|kann|können|muss|müssen|darf|dürfen|"
    r"soll|sollen|konnte|wollte|musste|mag))\s+(?P<middle>.+?)\s+(?P<last>(?-i:[a-zäöüß]{2,}(?:en|eln|ern)))$",
    re.I,
)
_PREFIX = LazyPattern(
    r"^(?P<head>\S+(?:\s+(?-i:[a-zäöüß]+))?)\s+(?P<middle>.*?)\s*\b(?P<last>an|auf|aus|ein|um|weg|ab|vor|zurück|los|her|hin|"
    r"bei|teil|mit|zusammen)$",
    re.I,
)
_PREFIX_VERB = LazyPattern(
    r"\s(?:fang\w*|fäng\w*|hör\w*|zieh\w*|tret\w*|tritt|steig\w*|wander\w*|gib\w*|geb\w*|nehm\w*|lehn\w*|bau\w*|"
    r"leg\w*|stell\w*|zog\w*|bring\w*|les\w*|seh\w*)$"
)
_DEGREE = (
    r"(?:(?:gar|überhaupt|absolut|einfach|leider|noch|besonders|sehr|total|wirklich|so|wahnsinnig|am|richtig|"
    r"eher|viel|echt|unheimlich|ausgesprochen|unbedingt|ganz)\s+)*"
)
_EARLY = LazyPattern(
    rf"\s+(?P<word>{_DEGREE}(?:nicht\s+mehr|nicht|nie(?:mals)?(?:\s+mehr)?)(?:\s+{_DEGREE}(?:gern|gerne|viel))?(?:\s+mehr)?"
    rf"|{_DEGREE}(?:gerne?|liebsten|lieber)(?:\s+nicht)?)(?=\s|$)",
    re.I,
)
_VERB_GROUP = LazyPattern(
    rf"^(?P<head>{_SUBJECT}\s+[a-zäöüß]+(?:\s+(?:ge[a-zäöüß]{{2,}}(?:t|en)|[a-zäöüß]+ge[a-zäöüß]+(?:t|en)|ausstehen|leiden|"
    r"riechen|ertragen|verheiratet|allergisch|gekündigt))?)(?P<rest>\s.*)$",
    re.I,
)
# Verbs of which the first person alone may open a sentence ("Wohne jetzt in Gera"), clipped too
# ("wohn"). Of those in _ORDERED it is an order as well, unless the clause shows that it is not.
_PLAINLY = (
    "wohn leb arbeit heiß ess les vertrag besitz verdien studier jobb ernähr bevorzug unterricht "
    "pendl stamm wieg leid promovier engagier interessier vermiet"
)
_ORDERED = (
    "mach schreib fahr geh spiel lern bau back koch trink hör schau guck kauf komm steh schaff sing "
    "mal tanz strick näh häkl trainier jogg lauf schwimm reit restaurier renovier bastl bastel sammel "
    "samml zieh heirat fang hol krieg bekomm flieg reis plan züchte betreu leit pfleg rauch verzicht "
    "meid programmier entwickl fotografier angl wander kletter nehm trag freu"
)
_OTHERS = (
    "brauch find kenn lieb hass zahl spar werd mein glaub denk hoff sag steh lass sitz lieg zieh"
)
STEMS = either(f"{_PLAINLY} {_ORDERED} {_OTHERS}")
_BEGINS = either(" ".join(f"{word} {word.capitalize()}" for word in _PLAINLY.split()))
_MAY_ORDER = either(" ".join(f"{word} {word.capitalize()}" for word in _ORDERED.split()))
_NOT_DROPPED = r"(?!(?:ich|du|wir|sie|er|es|ihr|man|das(?!\s+(?-i:[A-ZÄÖÜ]))|die\s+da|denn|dir|dank|grüße|grüß)\b)"
_OWN = (  # what nobody orders: something of one's own, and what goes on already
    r"(?=.*\b(?:an\s+mein\w*|gerade|grad|zurzeit|seit|selbst|selber|gerne?|am\s+liebsten|nebenbei|nebenher|früher|"
    r"oft|regelmäßig|täglich|jede[ns]?|nicht\s+mehr|kein\w*\s.*\bmehr|beruflich|nächste\w*|morgen|bald|"
    r"(?:mon|diens|mitt|donners|frei|sams|sonn)\w*s|\w*mal\s+(?:die|in\s+der|pro)\s+woche|abends)\b)"
    r"(?!.*\b(?:bitte|du|dir|dein\w*|mir\s+(?:eine?n?|das|die|den)|uns|mal\s+(?:eine?n?|was|bitte)|"
    r"text|gedicht|geschichte|rede|liste|witz|weiter)\b)(?!\S+\s+gerne?\s+(?:eine?n?|das|mit|auf)\b)"
)
DROPPED = (
    r"(?!heiße?\s+\S+\s+(?:ist|sind|schmeckt|mit|hilft)\b)"  # "Heiße Schokolade ist lecker"
    rf"(?:(?-i:[Bb]in|[Hh]abe?|[Mm]ag|[Ww]ill|[Mm]öchte|[Mm]uss|[Dd]arf|[Hh]atte|[Hh]asse?|[Ww]erde?|"
    rf"[Jj]ogge|[Tt]rinke|[Ff]ahre|[Gg]ehe|[Ss]preche|[Nn]ehme|[Ss]chwimme|[Rr]auche|"
    rf"(?:{_BEGINS})e?|liebe|Liebe(?=\s+(?:es|den|das|mein\w*|[a-z]\w+e[ns]?\s))|"
    rf"(?:[Kk]ann|[Ww]ar)(?=\s+(?:nicht|kein|leider|gestern|früher|mal|schon|lange|bis|in|im|beim|bei|fließend))"
    rf")|(?-i:{_MAY_ORDER})(?-i:e?)(?=\s){_OWN})\s+{_NOT_DROPPED}"
)
_CLIPPED = LazyPattern(rf"^((?:ich|Ich)\s+(?:{STEMS}))(?=\s)")
_DROPPED = LazyPattern(DROPPED, re.I)
_DROPPED_WE = LazyPattern(
    r"(?:(?:Haben|Sind|Wohnen|Ziehen|Heiraten|Bekommen|Kriegen|Wollen|Fliegen|Fahren)|(?:haben|sind|wohnen))\s+"
    r"(?!(?:wir|sie|Sie|die|das|diese|alle|ihr|denn|Katzen|Hunde)\b)(?!.*\b(?:ist|sind|macht|kann|war|kostet)\b)"
)


_NEXT_CLAUSE = LazyPattern(r",$|,\s+(?:und|aber|da|weil|dass|was|die|der|das)\s", re.I)


def arrange(plain: str) -> str:
    """The clause with its subject first, then the verb with all its parts, and times last."""
    text, times = split_times(plain, TIMES)
    text = _CLIPPED.sub(r"\1e", _subject_first(text))
    text = _verb_together(text)
    return with_times(text, times)


def _subject_first(text: str) -> str:
    subordinate = _SUBORDINATE.match(text)
    if subordinate:
        last = _VERB_LAST.match(text[subordinate.end() :])
        return f"{last['subject']} {last['verb']} {last['rest']}".strip() if last else text
    if _DROPPED.match(text):
        return f"ich {text[0].lower()}{text[1:]}"
    if _DROPPED_WE.match(text):
        return f"wir {text[0].lower()}{text[1:]}"
    if _FIRST_ALREADY.match(text):
        return text
    found = _INVERTED.match(text)
    if found:
        kind = next(kind for kind in ("", "_we", "_kin", "_it") if found[f"verb{kind}"])
        if found["verb_it"] == "ist" and re.fullmatch(PROPER, found["before"].strip()):
            return text  # "Luna ist meine Katze"
        parts = (found[f"subject{kind}"], found[f"verb{kind}"], found["before"], found["rest"])
        return " ".join(" ".join(parts).split())
    last = _VERB_LAST.match(text) if re.match(r"(?:ich|wir)\s", text, re.I) else None
    return f"{last['subject']} {last['verb']} {last['rest']}".strip() if last else text


def _verb_together(text: str) -> str:
    """Participles, infinitives, prefixes, "nicht" and "gern" stand right behind the verb."""
    found = _PERFECT.match(text) or _MODAL.match(text)
    if found is None and "," in text:
        first, comma, more = text.partition(",")
        found = _PERFECT.match(first) or _MODAL.match(first)
        if found:
            return f"{_verb_together(first)}{comma}{more}"
    if found is None:
        prefixed = _PREFIX.match(text)
        found = prefixed if prefixed and _PREFIX_VERB.search(f" {prefixed['head']}") else None
    if found:
        text = " ".join(f"{found['head']} {found['last']} {found['middle']}".split())
    group = _VERB_GROUP.match(text)
    if group:
        early = _EARLY.search(group["rest"])
        # not out of a clause that only follows: "…, und komme nicht voran"
        if early and not _NEXT_CLAUSE.search(group["rest"][: early.start()]):
            rest = group["rest"][: early.start()] + group["rest"][early.end() :]
            text = " ".join(f"{group['head']} {early['word']}{rest}".split())
    return text
