"""Kinds of things by the form of a German word: a compound's end says what it is.

"Krabbenfischer" and "Gleisbauingenieurin" are trades, "Hashimoto-Thyreoiditis" is an illness. Only
ends that leave little doubt; what ends alike and is something else is listed.
"""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern

_WORD = re.compile(r"[^\W\d_][\w'-]*")
# German writes "Krabbenfischer" and "Gleisbauingenieurin" as one word: its end names the trade.
_TRADE = LazyPattern(
    r"(?!hobby|freizeit|amateur|möchtegern|laien|ex-|nicht|selbst|radfahr|mitfahr|beifahr|blitzab|welt|verführ)"
    r"[\wäöüß-]*(?:(?:lehrer|techniker|mechaniker|elektroniker|mechatroniker|ingenieur|pfleger|verkäufer|berater|entwickler|therapeut|"
    r"bläser|fischer|schlosser|monteur|installateur|trainer|forscher|wissenschaftler|händler|makler|wirt|assistent|"
    r"redakteur|manager|referent|designer|planer|zeichner|schneider|leger|sitter|züchter|dreher|fräser|"
    r"schweißer|drucker|binder|gärtner|fotograf|künstler|musiker|arbeiter|helfer|sanitäter|"
    r"kellner|bäcker|metzger|schreiner|tischler|zimmerer|maurer|decker|gießer|meister|leiter|führer|"
    r"bauer|macher|restaurator|kontrolleur|disponent|logistiker|laborant|programmierer|administrator|"
    r"analyst|architekt|statiker|pädagog|psycholog|biolog|chemiker|physiker|jurist|"
    r"makler|richter|dolmetscher|übersetzer|journalist|autor|lektor|texter|prüfer|gutachter|"
    r"hauer|schnitzer|schmied|setzer|sattler|kosmetiker|friseur|masseur|podolog|stewardess|"
    r"diplomat|offizier|detektiv|pilot|kapitän|matrose|lotse|schaffner|bestatter|gerüstbauer|"
    r"taxifahrer|busfahrer|kraftfahrer|lkw-fahrer|berufskraftfahrer|straßenbahnfahrer|kurierfahrer|"
    r"zusteller|bote|wart|förster|jäger|winzer|brauer|imker|müller|käser)(?:in)?"
    r"|(?:beamt|angestellt)(?:er?|in)|(?:kauf|feuerwehr|kamera|zimmer)(?:mann|frau)|fachkraft|schwester|hebamme|"
    r"pädagogin?e?|psychologin?e?|biologe|podologe|logopäde|arzt|ärztin|anwalt|anwältin|köchin|bäuerin|"
    r"(?:küchen|schiffs|chef|bei)koch|auszubildender?|hausfrau|hausmann|hilfe)$"
)
# what ends like a trade and is something else
_NO_TRADE = frozenset(
    """anführer beifahrer nachbar meister weltmeister europameister vizemeister quizmeister leiter führer
    macher helfer wart hilfe schwester binder decker leger bote begleiter spassmacher krachmacher
    mutmacher zwillingsschwester halbschwester stiefschwester schürzenjäger schnäppchenjäger planer
    leiterin führerin meisterin helferin stimmungsmacher miesmacher muntermacher verführer prüfer
    drucker haushaltshilfe geburtshelfer""".split()
)
_ILLNESS = LazyPattern(
    r"^(?:morbus|multiple|chronische?[rsn]?|juvenile|rheumatoide|bipolare|posttraumatische|ms|ads|adhs|copd|ptbs|hiv|pcos|"
    r"long-?covid|hashimoto|asperger|autismus|alzheimer|demenz|gicht|krampfadern|epilepsie|lupus|crohn|skoliose|"
    r"migräne|asthma|burnout|burn-out|höhenangst|flugangst|platzangst|spinnenphobie|reizdarm|reizmagen|sodbrennen|"
    r"plattfüße|plattfuß|schlafprobleme|rückenprobleme|knieprobleme|herzprobleme|hüftprobleme|magenprobleme|"
    r"[\wäöüß-]{3,}(?:itis|algie|pathie|phobie|ämie|syndrom|störung|störungen|schwäche|insuffizienz|"
    r"krankheit|intoleranz|unverträglichkeit|vorfall|embolie|thrombose|rheuma|arthrose|sklerose|fibrose|"
    r"neurose|psychose|zirrhose|triose|porose|ekzem|apnoe|krebs|hochdruck|niedrigdruck|unterfunktion|"
    r"überfunktion|implantat|prothese|rhythmusstörungen|flimmern|schmerzen|migräne|asthma|depression|depressionen|stoma)|"
    r"hörgeräte?|implantat|prothese|schrittmacher|insulinpumpe|künstliche[sn]?)$"
)
_PASSING_PAIN = LazyPattern(r"^(?:kopf|bauch|hals|zahn|magen|glieder|ohren|muskel|knie)schmerzen$")
_MEDICINE = LazyPattern(
    r"^(?:\w{3,}(?:prazol|tyrosin|thyroxin|olol|sartan|statin|pril|dipin|formin|cillin|mycin|floxacin|zepam|"
    r"zolam|pidem|cortison|solon|xaban|gatran|triptan|tropin|lukast|cetirizin|tadin|gliflozin|glutid|mab|"
    r"setron|profen|azin|apin|idon)|l-thyroxin|thyroxin|euthyrox|marcumar|eliquis|xarelto|ass|novalgin|kortison|cortison|"
    r"blutverdünner|betablocker|antidepressiva|antibabypille|pille|insulin|tilidin|ozempic|mounjaro|antihistaminika|"
    r"cholesterinsenker|blutdrucksenker|blutdrucktabletten|schilddrüsentabletten|herztabletten|eisentabletten|"
    r"magnesium|vitamin|lithium|medikinet|ritalin|elvanse|tavor|lyrica|pregabalin|gabapentin|humira|cetirizin|"
    r"\w+(?:tabletten|hemmer|senker|spritzen|tropfen|spray))$"
)
_TRAITS = LazyPattern(
    r"^(?:vegetarisch|vegane?r?i?n?|vegetarier(?:in)?|verheiratet|geschieden|linkshändig|linkshänder(?:in)?|"
    r"schwerhörig|gehörlos|taub|blind|farbenblind|rot-grün-blind|kurzsichtig|weitsichtig|laktoseintolerant|"
    r"glutenintolerant|fruktoseintolerant|hochsensibel|autistisch|querschnittsgelähmt|gehbehindert|schwerbehindert|"
    r"pflegebedürftig|schwanger|alleinerziehend|single|ledig|verwitwet|geschieden|verlobt|kinderlos|berufstätig|"
    r"arbeitslos|arbeitssuchend|selbst(?:st)?ändig|freiberuflich|pensioniert|verrentet|berentet|beidhändig|"
    r"linkshänder|rechtshänder|schwul|lesbisch|bi|bisexuell|asexuell|trans|nichtbinär|nicht-binär|queer|hetero|"
    r"evangelisch|katholisch|konfessionslos|orthodox|jüdisch|muslimisch|buddhistisch|atheist(?:in)?|muslima?|moslem|"
    r"buddhist(?:in)?|christ(?:in)?|agnostiker(?:in)?|(?:typ-?[12]-?)?diabetiker(?:in)?|asthmatiker(?:in)?|epileptiker(?:in)?|allergiker(?:in)?|"
    r"legastheniker(?:in)?|bluter|brillenträger(?:in)?|dialysepatient(?:in)?|flexitarier(?:in)?|frutarier(?:in)?|"
    r"pescetarier(?:in)?|veganer(?:in)?|nichtraucher(?:in)?|raucher(?:in)?|frühaufsteher(?:in)?|morgenmuffel|"
    r"nachteule|nachtmensch|morgenmensch|familienmensch|einzelgänger(?:in)?|optimist(?:in)?|langschläfer(?:in)?|einzelkind|witwer|witwe|waise|adoptiert|zweisprachig|introvertiert|extrovertiert|"
    r"hochbegabt|legasthenisch|rollstuhlfahrer(?:in)?|abstinent|rauchfrei|trocken|rentner(?:in)?|pensionär(?:in)?|"
    r"hausbesitzer(?:in)?|hundebesitzer(?:in)?|katzenbesitzer(?:in)?|langzeitarbeitslos|frührentner(?:in)?|"
    r"zölliakisch|bettlägerig|einarmig|minimalist(?:in)?|pazifist(?:in)?|wehrpflichtig|verbeamtet|gluten-?frei)$",
    re.I,
)  # fmt: skip
_ILL = frozenset(
    """heuschnupfen diabetes rheuma bluthochdruck neurodermitis zöliakie tinnitus arthritis legasthenie
    schuppenflechte parkinson depressionen depression krebs hörgerät herzschrittmacher mukoviszidose
    osteoporose endometriose hämophilie schlaflosigkeit fibromyalgie narkolepsie adipositas gastritis
    herzinfarkt schlaganfall hörsturz burnout kreuzbandriss gürtelrose lungenentzündung borreliose malaria
    bulimie magersucht angstzustände panikattacken schwindelanfälle albinismus vitiligo rosazea
    glaukom katarakt bandscheibenvorfall stottern dyskalkulie schilddrüsenprobleme trigeminusneuralgie""".split()
)
_GOODS = LazyPattern(
    r"(?:auto|wagen|fahrrad|(?:lasten|renn|liege|falt|drei|motor|moun\w*)rad|e-?bike|bike|roller|moped|mofa|vespa|"
    r"traktor|trecker|schlepper|unimog|bus|bulli|camper|wohnmobil|boot|kajak|kanu|jolle|jacht|yacht|"
    r"klavier|flügel|gitarre|bass|geige|cello|akkordeon|saxophon|trompete|schlagzeug|keyboard|synthesizer|"
    r"haus|häuschen|hütte|wohnung|garten|schrebergarten|grundstück|hof|bauernhof|laube|gewächshaus|"
    r"kamera|drohne|thermomix|nähmaschine|drucker|laptop|tablet|computer|konsole|plattenspieler|teleskop|"
    r"ofen|grill|kaffeemaschine|siebträger|werkbank|oberfräse|drehbank|webstuhl|brennofen|töpferscheibe|"
    r"wärmepumpe|solaranlage|balkonkraftwerk|photovoltaikanlage|kombi|cabrio|oldtimer|motorrad|quad|anhänger|wohnwagen)$"
)
_MODEL = LazyPattern(r"\b[A-ZÄÖÜ]\w+\s+(?:[A-Z]{1,3}-?\d|\d{2,4}\b)")
_MAKE = LazyPattern(
    r"(?:(?:alten?|neuen?|gebrauchten?)\s+)?(?:VW|BMW|Audi|Opel|Skoda|Škoda|Tesla|Golf|Porsche|Mercedes|Volvo|Fiat|Ford|"
    r"Dacia|Toyota|Vespa|Simson|Trabi|Trabant|Wartburg|Seat|Hyundai|Kia|Mazda|Honda|Yamaha|Ducati|"
    r"Passat|Polo|Corsa|Astra|Käfer|Bulli|Caddy|Octavia|Fabia|Peugeot|Renault|Citroën|Twingo)\b"
)
_NATIONS = LazyPattern(
    r"^(?:halb)?(?:deutsche[r]?|österreicher|schweizer|italiener|spanier|portugiese|portugiesin|franzose|französin|"
    r"engländer|brite|britin|ire|irin|schotte|schottin|niederländer|holländer|belgier|luxemburger|däne|dänin|"
    r"schwede|schwedin|norweger|finne|finnin|isländer|pole|polin|tscheche|tschechin|slowake|slowakin|ungar|"
    r"rumäne|rumänin|bulgare|bulgarin|grieche|griechin|türke|türkin|kroate|kroatin|serbe|serbin|bosnier|"
    r"albaner|kosovare|kosovarin|slowene|slowenin|russe|russin|ukrainer|weißrusse|weissrusse|syrer|syrerin|iraner|iraker|"
    r"afghane|afghanin|inder|pakistaner|vietnamese|vietnamesin|chinese|chinesin|japaner|koreaner|"
    r"amerikaner|kanadier|brasilianer|mexikaner|kolumbianer|argentinier|marokkaner|tunesier|ägypter|"
    r"kurde|kurdin|südtiroler|lette|lettin|este|estin|litauer|eritreer|äthiopier|nigerianer|ghanaer)(?:in)?$"
)
OCCUPATIONS = frozenset(
    """lehrer lehrerin arzt ärztin krankenpfleger krankenpflegerin krankenschwester ingenieur
    ingenieurin tischler tischlerin schreiner schreinerin bäcker bäckerin koch köchin anwalt
    anwältin gärtner gärtnerin erzieher erzieherin verkäufer verkäuferin elektriker elektrikerin
    mechaniker mechanikerin polizist polizistin student studentin schüler schülerin architekt
    architektin buchhalter buchhalterin informatiker informatikerin programmierer
    programmiererin übersetzer übersetzerin journalist journalistin fotograf fotografin friseur
    friseurin pfleger pflegerin apotheker apothekerin zahnarzt zahnärztin tierarzt tierärztin
    hebamme bibliothekar bibliothekarin maler malerin musiker musikerin schauspieler
    schauspielerin pilot pilotin professor professorin psychologe psychologin physiotherapeut
    physiotherapeutin entwickler entwicklerin softwareentwickler softwareentwicklerin grafikerin
    grafiker winzer winzerin imker imkerin förster försterin klempner optiker optikerin richter
    richterin steuerberater steuerberaterin logopädin logopäde ergotherapeut ergotherapeutin
    sozialarbeiter sozialarbeiterin sozialpädagoge sozialpädagogin altenpfleger altenpflegerin
    notfallsanitäter rettungssanitäter sanitäter sanitäterin arzthelferin kinderarzt
    kinderärztin hausarzt hausärztin chirurg chirurgin busfahrer busfahrerin lkw-fahrer
    taxifahrer taxifahrerin lokführer lokführerin zugbegleiter kfz-mechaniker maurer dachdecker
    zimmermann lackierer malermeister schornsteinfeger landwirt landwirtin bauer bäuerin metzger
    metzgerin konditor konditorin kellner kellnerin barkeeper hausmeister hausmeisterin kaufmann
    kauffrau bankkaufmann bankkauffrau sekretär sekretärin sachbearbeiter sachbearbeiterin
    beamter beamtin feuerwehrmann feuerwehrfrau soldat soldatin pfarrer pfarrerin notar notarin
    rechtsanwalt rechtsanwältin grundschullehrer grundschullehrerin gymnasiallehrer
    gymnasiallehrerin kindergärtner kindergärtnerin dozent dozentin doktorand doktorandin
    chemiker chemikerin physiker physikerin biologe biologin mathematiker mathematikerin
    statiker statikerin bauingenieur bauingenieurin maschinenbauer maschinenbauerin webdesigner
    webdesignerin designer designerin webentwickler webentwicklerin lektor lektorin autor
    autorin schriftsteller schriftstellerin goldschmied goldschmiedin schneider schneiderin
    schuster florist floristin geologe geologin historiker historikerin archäologe archäologin
    dolmetscher dolmetscherin redakteur redakteurin regisseur regisseurin tänzer tänzerin sänger
    sängerin schmied uhrmacher uhrmacherin bergmann bergarbeiter orgelbauer geigenbauer
    geigenbauerin glaser tierpfleger tierpflegerin zahntechniker zahntechnikerin laborant
    laborantin hebammen postbote postbotin azubi auszubildender auszubildende rentner rentnerin
    unternehmer unternehmerin unternehmensberater unternehmensberaterin projektleiter
    projektleiterin""".split()
)
# family, animals, a home, a car, an illness: to have one says something lasting
LASTING = frozenset(
    """hund hunde katze katzen kater kaninchen pferd pferde papagei schildkröte hühner ziegen kind
    kinder sohn söhne tochter töchter schwester schwestern bruder brüder geschwister enkel
    kätzchen meerschweinchen hamster wellensittich wellensittiche papageien schafe bienen
    bienenvölker enten gänse esel dackel labrador pudel schäferhund welpe welpen hündin stute
    zwillinge stiefsohn stieftochter halbschwester halbbruder enkelkind enkelkinder enkelin
    enkelinnen enkeltochter nichte nichten neffe neffen patenkind cousine cousinen cousin
    zwillingsschwester zwillingsbruder jungs mädchen stiefkind stiefkinder pflegekind
    pflegekinder halbgeschwister kids mädels söhnchen hahn hähne huhn henne hennen gans ente
    ziege schaf schweine minischweine schlange schlangen gecko axolotl alpakas ratten mäuse
    rennmäuse degus frettchen wachteln tauben aquarium terrarium bienenstock bienenstöcke pony
    ponys retriever mischling rüde straßenhund vierbeiner auto fahrrad motorrad boot segelboot
    haus wohnung garten schrebergarten klavier gitarre geige wohnmobil wohnwagen e-bike
    lastenrad roller ferienhaus ferienwohnung balkon gewächshaus flügel cello schlagzeug
    heuschnupfen migräne epilepsie rheuma diabetes bluthochdruck neurodermitis zöliakie
    laktoseintoleranz glutenunverträglichkeit tinnitus arthrose arthritis schlafapnoe
    legasthenie schuppenflechte parkinson ms depressionen angststörung krebs brustkrebs hörgerät
    herzschrittmacher skoliose osteoporose schilddrüsenunterfunktion fruktoseintoleranz
    hausstauballergie""".split()
)
BREEDS = "pudel|dackel|schäferh[uü]nde?|mops|dalmatiner|malteser|havaneser|perserkatze|siamkatze"
NUMBERS = """zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn
    sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig
    achtzig neunzig""".split()
MONTHS = """januar februar märz april mai juni
    juli august september oktober november dezember""".split()
DAYS = "montag dienstag mittwoch donnerstag freitag samstag sonntag".split()
# the article of a single thing, and what may stand before the word for a relation
ONE = "ein(?:e[nmr]?)?"
BEFORE_KIN = "(?:(?:paten|groß|schwieger|stief|halb|ur|adoptiv|pflege|zwillings|ex-?)-?)*"


def is_trade(word: str) -> bool:
    """Whether a word, in lower case, names a trade."""
    return _TRADE.match(word) is not None and word not in _NO_TRADE


def is_illness(object: str) -> bool:
    """Whether a phrase names an illness, or what it needs ("Hörgeräte")."""
    words = _WORD.findall(object.lower())
    if not 0 < len(words) <= 5 or any(_PASSING_PAIN.match(word) for word in words):
        return False
    return any(_ILLNESS.match(word) or word in _ILL for word in words)


def is_medicine(word: str) -> bool:
    """Whether a word names a medicine."""
    return _MEDICINE.match(word.lower()) is not None


def is_trait(word: str) -> bool:
    """Whether a word says what somebody lastingly is."""
    return _TRAITS.match(word) is not None


def is_nation(word: str) -> bool:
    """Whether a noun says of which country somebody is ("Österreicherin")."""
    return _NATIONS.match(word.casefold()) is not None


def is_goods(object: str) -> bool:
    """Whether a phrase names something bought to stay: a vehicle, an instrument, a machine, a home,
    or a make with its model ("Hanomag R16")."""
    words = _WORD.findall(object.lower())
    if not words or len(words) > 6:
        return False
    return (
        any(_GOODS.search(word) for word in words)
        or _MODEL.search(object) is not None
        or _MAKE.match(object) is not None
    )
