"""The frames of German: how a clause in plain order ("ich wohne nicht mehr in Bremen") is a fact."""

from __future__ import annotations

import re

from thalamus.policy.language.german_order import (
    GIVEN,
    KIN_WORD,
    KIND,
    MONTH,
    OUR,
    PROPER,
    YEAR,
)
from thalamus.policy.language.kinds import animal_or_illness, medicine, occupation, trait
from thalamus.policy.language.lexicon import Frame
from thalamus.policy.language.order import either
from thalamus.policy.language.pursuits import plays, tongue

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
_WORK = r"(?:arbeite|arbeitet|arbeiten|jobbe|jobbt)"
# with whom, in what, before the town is named
_WITH = (
    r"(?:(?:hier|noch|zusammen|allein|alleine|gemeinsam)\s+)*(?:(?:mit|bei|in\s+(?:ein\w*|mein\w*|unser\w*|der|dem))\s+"
    r"[^,–]{2,50}?\s+)?"
)
_IN = r"(?:in|im|auf|am|an)\s+"
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


def _f(predicate: str, pattern: str, **more: object) -> Frame:
    return Frame(predicate, re.compile(pattern, re.I), **more)  # type: ignore[arg-type]


_NO_TOWN = frozenset(
    """stock etage obergeschoss erdgeschoss wohnung haus wg hotel zelt moment urlaub schichtdienst
    homeoffice büro garten keller dachgeschoss altbau neubau miete angst frieden ruhe sorge scheidung
    trennung beziehung ehe hause sofa bett stress team teilzeit vollzeit ausland zukunft gegenwart
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
    r"(?:ess|trink|hör|les|schau|guck|spiel|koch|back|mach|nehm|seh)(?:e|en)|isst|trinkt|hört|liest|schaut|"
    r"spielt|kocht|backt|macht"
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
        r"\d|\bmein|\bihr|\bsein", object.casefold()
    )


def _firm(object: str) -> bool:
    words = [word.casefold() for word in object.split()]
    return words[-1] not in _NO_FIRM and not re.match(r"(?:sein|ihr|dein|euer)", object.casefold())


def _liked(object: str) -> bool:
    words = object.casefold().split()
    return words[0] not in _NO_LIKING and not re.search(
        r"\b(?:ich|du|ist|sind|zu\s+\w+en|dass|wenn|hat|habe)\b", object.casefold()
    )


def _name(object: str) -> bool:
    return object.casefold() not in ("nicht", "so", "dich", "euch", "sie", "alle", "jetzt", "auch")


def _had(object: str) -> bool:
    """What somebody has, and did not do: "habe gekauft meinem Sohn ein Auto"."""
    done = r"\b(?:ge\w{2,}(?:t|en)|\w+ge\w+(?:t|en)|(?:ver|be)\w+t|uns|mir|mich|sich|ihr|ihm|dir|über)\b|\bmein|(?i:foto|buch|bild|problem|futter)\b"
    return animal_or_illness(object) and not re.search(done, object)


def _vehicle(object: str) -> bool:
    nouns = [word for word in object.split() if word[0].isupper() or word[0].isdigit()]
    return bool(nouns) and not re.search(
        r"umweg|kurs|tag|woche|slalom|bogen|runde|weg|strecke|schicht|urlaub", object.casefold()
    )


LIKED = {"several": True, "fits": _liked}
FRAMES = (
    # -- names -----------------------------------------------------------------------------------
    _f("name", rf"heiße\s+(?:übrigens\s+)?(?P<object>{PROPER}|[a-zäöü]+$)", mine=True, fits=_name),
    _f("name", rf"mein\s+(?:voller\s+|richtiger\s+)?(?:name|vorname)\s+(?:ist|lautet)\s+(?P<object>{PROPER}|[a-zäöü]+$)",
       whole=True, mine=True, fits=_name),
    _f("name", rf"^(?:bitte\s+)?(?:nenn|nennt|nennen\s+sie)\s+mich\s+(?:einfach\s+|bitte\s+|ruhig\s+)*(?P<object>{PROPER})",
       whole=True, mine=True),
    _f("name", rf"bin\s+(?:übrigens\s+)?(?:d(?:er|ie)\s+)?(?P<object>{GIVEN}(?:\s+{PROPER})?)(?=\s*[,.;!–]|\s+(?:und|aus)\b|$)",
       mine=True),
    # -- home ------------------------------------------------------------------------------------
    _f("lives_in", rf"{_LIVE}\s+{_NO_MORE}\s+{_WITH}{_IN}{THING}", over=True, fits=_town),
    _f("lives_in", rf"(?:{_HAVE}|hatte|hatten)\s+(?:gewohnt|gelebt){_STILL_SO}\s+{_WITH}{_IN}{THING}",
       over=True, fits=_town),
    _f("lives_in", rf"(?:wohnte|lebte|wohnten|lebten)\s+{_WITH}{_IN}{THING}", over=True, fits=_town),
    _f("lives_in", rf"{_LIVE}\s+{_WITH}{_IN}{THING}{_AHEAD}", coming=True, fits=_town),
    _f("lives_in", rf"{_LIVE}\s+{_WITH}{_IN}{THING}", fits=_town),
    _f("lives_in", rf"{_HAVE}\s+(?:gewohnt|gelebt)\s+{_WITH}{_IN}{THING}", fits=_town),
    _f("lives_in", rf"(?:(?:{_BE}|{_WAS})\s+(?:(?:um|weg|zurück|her)?gezogen|umgesiedelt|ausgewandert)|zog(?:en)?(?:\s+um)?)\s+"
       rf"(?:[^,–]*?\s+)?(?:zurück\s+)?{_TO}{THING}", fits=_town),
    _f("lives_in", rf"(?:(?:werde|wird|werden)\s+(?:um)?ziehen|(?:ziehe|zieht|ziehen)(?:\s+(?:um|zurück))?)\s+"
       rf"(?:[^,–]*?\s+)?(?:zurück\s+)?{_TO}{THING}", coming=True, fits=_town),
    # -- work ------------------------------------------------------------------------------------
    _f("works_at", rf"(?:{_WORK}\s+{_NO_MORE}|{_HAVE}\s+gearbeitet|arbeitete(?:n)?){_STILL_SO}\s+(?:als\s+.+?\s+)?"
       rf"(?:bei|beim|für)\s+{THING}", over=True, fits=_firm),
    _f("works_at", rf"{_BE}\s+{_NO_MORE}\s+(?:bei|beim)\s+(?:der\s+)?(?P<object>{PROPER})", over=True, fits=_firm),
    _f("works_at", rf"{_HAVE}\s+(?:gekündigt|aufgehört)\s+(?:meinen\s+job\s+|meine\s+stelle\s+)?(?:bei|beim)\s+{THING}",
       over=True, fits=_firm),
    _f("works_at", rf"(?:{_WAS}|wurde|bin)\s+(?:gefeuert|entlassen|gekündigt)(?:\s+worden)?\s+(?:von|bei|beim)\s+{THING}",
       over=True, fits=_firm),
    _f("works_at", rf"(?:fange?|fängt|fangen)\s+an\s+(?:als\s+.+?\s+)?(?:bei|beim)\s+{THING}", coming=True, fits=_firm),
    _f("works_at", rf"(?:werde|wird|werden)\s+(?:arbeiten|anfangen)\s+(?:als\s+.+?\s+)?(?:bei|beim|für)\s+{THING}",
       coming=True, fits=_firm),
    _f("works_at", rf"wechs(?:le|elt|eln)\s+(?:[^,–]*?\s+)?(?:zu|zur|zum)\s+{THING}", coming=True, fits=_firm),
    _f("works_at", rf"{_WORK}\s+(?:als\s+.+?\s+)?(?:bei|beim|für)\s+{THING}{_AHEAD}", coming=True, fits=_firm),
    _f("works_at", rf"{_WORK}\s+(?:(?:hier|noch|fest|halbtags|teilzeit|vollzeit|in\s+(?:teil|voll)zeit)\s+)*(?:als\s+.+?\s+)?"
       rf"(?:bei|beim|für)\s+{THING}", fits=_firm),
    _f("works_at", rf"{_HAVE}\s+(?:angefangen|begonnen)\s+(?:als\s+.+?\s+)?(?:(?:einen\s+neuen\s+job|eine\s+neue\s+stelle)\s+)?"
       rf"(?:bei|beim)\s+{THING}", fits=_firm),
    _f("works_at", rf"{_BE}\s+(?:angestellt|gewechselt)\s+(?:bei|beim|zu|zur|zum)\s+{THING}", fits=_firm),
    _f("works_at", rf"{_BE}\s+(?:bei|beim)\s+{THING}\s+angestellt", fits=_firm),
    _f("works_at", rf"{_BE}\s+[A-ZÄÖÜ][\wäöüß]+\s+(?:bei|beim)\s+{THING}", fits=_firm),
    _f("works_at", rf"{_WORK}\s+(?:[\wäöüß]+\s+){{0,2}}?(?:als\s+.+?\s+)?(?:in|im|an|am|auf)\s+(?:ein\w*\s+|d(?:er|em)\s+)?(?P<object>"
       rf"(?:[\wäöüß-]+\s+)?{_WORKPLACE}(?:\s+(?-i:[A-ZÄÖÜ][\wäöüß-]+))?){_END}"),
    _f("works_as", rf"(?:{_WORK}\s+{_NO_MORE}|{_HAVE}\s+gearbeitet|arbeitete(?:n)?){_STILL_SO}\s+(?:(?:bei|für|in)\s+.+?\s+)?als\s+{THING}",
       over=True),
    _f("works_as", rf"(?:{_WAS}\s+|{_BE}\s+{_NO_MORE}\s+){_ROLE}", over=True, fits=occupation),
    _f("works_as", rf"{_WORK}\s+(?:(?:bei|beim|für|in|im|an)\s+.+?\s+)?als\s+{THING}{_AHEAD}", coming=True),
    _f("works_as", rf"{_WORK}\s+(?:(?:bei|beim|für|in|im|an)\s+.+?\s+)?als\s+{THING}"),
    _f("works_as", rf"{_BE}\s+(?:von\s+beruf\s+|beruflich\s+)?(?:(?:gelernte|ausgebildete|selbst(?:st)?ändige|freie|studierte|"
       rf"freiberufliche|leitende)[rns]?\s+)*{_ROLE}", fits=occupation),
    _f("works_at", rf"{_BE}\s+(?:bei|beim)\s+{THING}(?=.*–.*\bseit)", fits=_firm),
    # -- family and pets -------------------------------------------------------------------------
    _f("{kin}", rf"^(?:ich|wir|(?:bei\s+)?(?:uns|mir))\b.*\bein\w*\s+{KIND}(?P<kin>{KIN_WORD})(?:\s+namens|,?\s+(?:sie|er|es|d(?:er|ie|as))\s+"
       rf"heißt)\s+(?P<object>{PROPER})", whole=True),
    _f("{kin}", rf"(?:{_HAVE})\s+ein\w*\s+{KIND}(?P<kin>{KIN_WORD}),\s+d(?:er|ie|as)\s+(?P<object>{PROPER})\s+heißt",
       mine=True),
    _f("married_to", rf"{_BE}\s+verheiratet\s+mit\s+(?P<object>{PROPER})"),
    _f("engaged_to", rf"{_BE}\s+verlobt\s+mit\s+(?P<object>{PROPER})"),
    # -- what someone has ------------------------------------------------------------------------
    _f("allergic_to", rf"{_HAVE}\s+(?:eine?\s+)?(?:starke?|schwere?|leichte?|heftige?)?\s*(?:allergie|allergien)\s+gegen\s+{LIST}",
       several=True),
    _f("allergic_to", rf"{_HAVE}\s+[^.;–]*?\b(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß]{{2,}}?)-?allergie\b"),
    _f("has", rf"{_HAVE}\s+(?P<object>[\wäöüß' -]+?(?:,\s+(?:ein|zwei|drei|vier|\d)\w*\s+[\wäöüß' -]+?)*)(?=\s+(?:aber|in|im|mit|bei|seit|"
       r"für|von|aus|weil|da|als|auf|zu|zum|zur|namens|heißt|am|an|dort|hier|gegen)\b|\s*[,.;:!?()–—]|$)", several=True,
       fits=_had),
    _f("has", rf"{_HAVE}\s+(?:gekauft|adoptiert|geerbt)\s+(?:uns\s+|mir\s+)?(?:vor\s+|nun\s+)?{THING}", fits=animal_or_illness),
    _f("has", rf"leide[tn]?\s+(?:unter|an)\s+{THING}", fits=animal_or_illness),
    _f("owns", rf"(?:besitze|besitzt|besitzen)\s+{THING}"),
    _f("drives", rf"(?:fahre|fährt|fahren)\s+ein(?:en|e)?\s+{THING}", fits=_vehicle),
    # -- health ----------------------------------------------------------------------------------
    _f("allergic_to", rf"{_BE}\s+(?:(?:stark|sehr|hoch|leider|schwer|extrem)\s+)*allergisch\s+(?:stark\s+)?(?:gegen|auf)\s+{LIST}",
       several=True),
    _f("allergic_to", rf"reagier(?:e|t|en)\s+(?:stark\s+)?allergisch\s+auf\s+{LIST}", several=True),
    _f("takes", r"(?:nehme|nimmt|nehmen)\s+(?:[\wäöüß]+\s+)?(?P<object>[\w-]+)(?=\W|$)", fits=medicine),
    # -- likes and dislikes ----------------------------------------------------------------------
    _f("likes", rf"(?:mag|mögen|liebe|liebt|lieben|(?:{_EATEN}))\s+{_NO_MORE}(?:\s+{_MUCH}gerne?)?\s+{THING}",
       over=True, fits=_liked),
    _f("likes", r"(?:mag|mögen)\s+kein(?:e[nrs]?)?\s+(?P<object>[\wäöüß-]+)\s+mehr\b", over=True, fits=_liked),
    _f("likes", rf"(?:mochte|mochten|liebte|liebten)\s+(?!nicht|kein|nie){THING}", over=True, fits=_liked),
    _f("dislikes", rf"(?:mag|mögen|liebe|liebt|lieben)\s+(?:{_BADLY}|{_ANY})\s+(?!mehr\b){LIST}", **LIKED),
    _f("dislikes", rf"(?:{_EATEN})\s+(?:(?:gar|überhaupt|wirklich|echt)\s+)*nicht\s+(?:(?:so|besonders|sehr|wirklich)\s+)*gerne?\s+{LIST}",
       **LIKED),
    _f("dislikes", rf"(?:hasse|hasst|hassen|verabscheue|verabscheut|verabscheuen)\s+{LIST}", **LIKED),
    _f("dislikes", rf"(?:kann|können)\s+(?:ausstehen|leiden|riechen|ertragen)\s+(?:{_BADLY}|{_ANY})\s+{LIST}", **LIKED),
    _f("dislikes", r"(?:kann|können)\s+mit\s+(?P<object>[\wäöüß -]+?)\s+(?:wirklich\s+|gar\s+|überhaupt\s+)*nichts\s+anfangen", **LIKED),
    _f("dislikes", rf"(?:{_BE})\s+kein(?:e)?\s+(?:großer\s+|große\s+)?(?:fan|freund|freundin)\s+von\s+{LIST}", **LIKED),
    _f("prefers", r"[a-zäöüß]+\s+(?:viel\s+|doch\s+|eher\s+|sehr\s+)*lieber\s+(?P<object>[^,.;:!?()–]+?)(?=\s+als\b|\s*[,.;!?()–]|$)", fits=_liked),
    _f("prefers", r"(?:mag|mögen)\s+(?P<object>[^,.;:!?()–]+?)\s+(?:viel\s+)?(?:lieber|mehr)\s+als\b", fits=_liked),
    _f("prefers", rf"(?:bevorzuge|bevorzugt|bevorzugen)\s+{THING}", fits=_liked),
    _f("likes", rf"(?:mag|mögen|liebe|liebt|lieben|genieße|genießt)\s+(?:{_GLADLY}\s+)?{_MUCH}(?!nicht|kein|mehr\b|gern){LIST}", **LIKED),
    _f("likes", rf"(?:{_EATEN})\s+(?:{_GLADLY})\s+(?:nur\s+)?{_DISH}", **LIKED),
    _f("likes", rf"(?:gehe|geht|gehen|fahre|fährt|fahren)\s+(?:{_GLADLY})\s+(?:ins\s+|in\s+(?:die|den|das)\s+|zum\s+|zur\s+|auf\s+)?{LIST}", **LIKED),
    _f("likes", rf"(?:{_BE})\s+(?:ein\w*\s+)?(?:(?:große?r?|riesige?r?|totale?r?|absolute?r?)\s+)?fan\s+(?:von|der|des)\s+{LIST}", **LIKED),
    _f("likes", rf"stehe?\s+(?:total\s+|sehr\s+|voll\s+)?auf\s+(?!de[mnr]\b|ein|mein|zwei|dies){LIST}", **LIKED),
    _f("favourite_{noun}", rf"{OUR}r?\s+(?:absolute[sr]?\s+)?lieblings-?(?P<noun>\w+)\s+(?:ist|sind|heißt)\s+{THING}",
       whole=True, mine=True, fits=_liked),
    _f("favourite_{noun}", rf"^(?P<object>[\wäöüß -]+?)\s+(?:ist|sind)\s+{OUR}\s+(?:absolute[sr]?\s+)?lieblings-?(?P<noun>\w+)$",
       whole=True, mine=True, fits=_liked),
    # -- the rest --------------------------------------------------------------------------------
    _f("speaks", r"(?:spreche|spricht|sprechen)\s+(?:(?:fließend|gut|sehr\s+gut|etwas|ein\s+(?:bisschen|wenig)|nur|perfekt)\s+)*"
       r"(?P<object>[\wäöüß]+(?:(?:\s*,\s*|\s+und\s+)(?:(?:und|fließend|gut|etwas|ein\s+(?:bisschen|wenig))\s+)*[\wäöüß]+)*)",
       several=True, fits=tongue),
    _f("born_in", rf"(?:{_BE}|wurde|wurden)\s+geboren\s+(?:und\s+aufgewachsen\s+)?in\s+{THING}", fits=_town),
    _f("born_on", rf"(?:{_BE}|wurde)\s+geboren\b.*?–\s*(?:am\s+)?(?P<object>(?:\d{{1,2}}\.\s*(?:{MONTH}|\d{{1,2}}\.)\s*)?{YEAR})"),
    _f("birthday", rf"(?:habe|hab|hat)\s+geburtstag\b.*?–\s*(?:immer\s+)?am\s+(?P<object>\d{{1,2}}\.\s*(?:{MONTH}|\d{{1,2}}\.?))"),
    _f("birthday", rf"mein\s+geburtstag\s+ist\b.*?–\s*(?:der\s+|am\s+)?(?P<object>\d{{1,2}}\.\s*(?:{MONTH}|\d{{1,2}}\.?))",
       whole=True, mine=True),
    _f("age", r"(?:bin|heiße)\s+[^,]+,\s+(?P<object>\d{1,3})(?:\s+jahre(?:\s+alt)?)?(?=\s*[,.;!–]|\s+(?:und|aus)\b|$)", mine=True),
    _f("age", rf"{_BE}\s+(?:schon\s+|erst\s+)?(?P<object>\d{{1,3}})(?:\s+jahre(?:\s+alt)?)?(?=\s*[,.;!–]|\s+(?:und|aber)\b|$)"),
    _f("age", rf"{_BE}\s+(?:schon\s+|erst\s+)?(?P<object>{either('ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig sechzig siebzig')})\s+jahre?\s+alt"),
    _f("studies_at", rf"studier(?:e|t|en)\s+(?:[\wäöüß -]+?\s+)?an\s+(?:der|einer)\s+(?P<object>[^,.;:!?()–]+?){_END}", fits=_firm),
    _f("studies", rf"studier(?:e|t|en)\s+(?!an\b|in\b|im\b|noch\b|seit\b){THING}"),
    _f("plans_to", r"(?:will|wollen|möchte|möchten)\s+(?P<object>[^,;:!?()–]+?)(?=\s+–.*\b(?:(?:nächst|kommend|dies)e\w*|bald|im|ab)\b)"),
    _f("plans_to", r"(?:(?:habe|haben|hat)\s+vor|plane|planen|plant),?\s+(?P<object>[^,;:!?()–]*?(?:\bzu\s+\w+n|\w+zu\w+en))(?=\s*[,.;–]|$)"),
    _f("learns", rf"(?:lerne|lernt|lernen)\s+(?:gerade\s+)?{THING}", fits=lambda o: tongue(o) or plays(o)),
    _f("practises", rf"(?:gehe|geht|gehen)\s+(?:regelmäßig\s+|{_GLADLY}\s+)?(?:zum|zur|ins)\s+{THING}"
       rf"(?=.*–.*(?:\b(?:jede|woche|seit)|tags\b))", fits=lambda o: not re.search(r"arzt|bett|klo|arbeit|kino", o, re.I)),
    _f("plans_to", r"(?:(?:habe|haben|hat)\s+vor|plane|planen|plant),?\s+(?P<object>[^,;:!?()–]*?(?:\bzu\s+\w+n|\w+zu\w+en))(?=\s*[,.;–]|$)"),
    _f("learns", rf"(?:lerne|lernt|lernen)\s+(?:gerade\s+)?{THING}", fits=lambda o: tongue(o) or plays(o)),
    _f("practises", r"(?P<object>(?:jogge|schwimme|wandere|klettere|meditiere|boxe|tanze|rudere|stricke|häkle|töpfere|trainiere|"
       r"turne)(?:\s+[\wäöüß]+){0,4}?)(?=\s*,.*|\s+–)(?=.*\b(?:jede|täglich|regelmäßig|die\s+woche|\w+tags|abends|morgens|seit)\b)"),
    _f("is", rf"{_BE}\s+(?:eine?\s+)?(?:strenge[nr]?\s+|auch\s+|seit\s+)?(?P<object>[\wäöüß-]+)(?=\s*[,.;!–]|\s+(?:und|aber|weil)\b|$)", fits=trait),
    _f("plays", rf"(?:spiele|spielt|spielen)\s+(?:(?:{_GLADLY})\s+)?{LIST}", several=True, fits=plays),
    _f("phone", r"meine\s+(?:telefon|handy|mobil)?-?nummer\s+(?:ist|lautet)\s+(?P<object>[+\d][\d ()/-]{5,})", whole=True, mine=True),
    _f("email", r"meine\s+(?:e-?)?mail(?:-?\s?adresse)?\s+(?:ist|lautet)\s+(?P<object>[\w.+-]+@[\w.-]+\w)", whole=True, mine=True),
)  # fmt: skip
