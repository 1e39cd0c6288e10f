"""German, as the grammar of plain statements reads it."""

from __future__ import annotations

import re

from thalamus.policy.language.german.frames import EVERYDAY, FRAMES
from thalamus.policy.language.german.idioms import IDIOMS
from thalamus.policy.language.german.past_frames import ENDED
from thalamus.policy.language.german.times import TIME_WORDS
from thalamus.policy.language.german.word_order import (
    DROPPED,
    FINITE_IT,
    GIVEN,
    KIN,
    KIN_WORD,
    KIND,
    OUR,
    PROPER,
    STEMS,
    arrange,
)
from thalamus.policy.language.lexicon import Lexicon
from thalamus.policy.language.patterns import LazyPattern, any_of
from thalamus.policy.language.vocabulary.activity_nouns import activity_noun
from thalamus.policy.language.vocabulary.relations import owners

_NOT_A_NAME = (
    r"(?!(?-i:Das|Der|Die|Dies|Diese|Es|Er|Sie|Hier|Heute|Dort|Was|Wer|Wie|Ein|Eine|Kein|Keine|Alles|"
    r"Nichts|Ich|Wir|Du|Ihr|Sein|Seine|Mein|Meine|Unser|Unsere|Geburtstag|Besuch|Urlaub|Angst|Hunger|"
    r"Kopfschmerzen|Fieber|Arbeit|Zeit|Mutter|Vater|Chef|Arzt)\b)"
)
_NAME = rf"{_NOT_A_NAME}{PROPER}"
_SURNAME = r"(?:\s+(?-i:(?:(?:von|van|de)\s+)?[A-ZÄÖÜ][\wäöüß-]+))?"
_ANY_OUR = r"(?:mein|unser)(?:e[nmrs]?|)"
_VERBS = (
    r"(?-i:bin|ist|sind|habe|hab|hat|haben|war|waren|hatte|hatten|wohne|wohnt|wohnen|lebe|lebt|leben|arbeite|"
    r"arbeitet|arbeiten|mag|mögen|liebe|liebt|lieben|hasse|hasst|hassen|spreche|spricht|sprechen|studiere|"
    r"studiert|studieren|spiele|spielt|spielen|fahre|fährt|fahren|trinke|trinkt|trinken|esse|isst|essen|lese|"
    r"liest|gehe|geht|gehen|komme|kommt|kommen|heiße|heißt|ziehe|zieht|ziehen|werde|wird|werden|will|wollen|"
    r"möchte|möchten|kann|können|muss|müssen|nehme|nimmt|nehmen|besitze|besitzt|lerne|lernt|lernen|mache|"
    r"macht|machen|unterrichte|unterrichtet|leite|leitet|plane|plant|planen|sammle|sammelt|koche|kocht|kochen|"
    r"singe|singt|male|malt|verdiene|fange|fängt|höre|hört|hören|kenne|reise|reist|reisen|betreue|züchte|"
    r"trainiere|trainiert|jogge|joggt|schwimme|schwimmt|nenne|bevorzuge|vertrage|verträgt|reagiere|wurde|zog|"
    r"kam|wiege|wiegt|heiß|wohn|leb|mach|fahr|geh|spiel|studier|arbeit|schreib|schreibe|schreibt|bau|baue|baut|darf|"
    r"jobbe|jobbt|pendle|pendelt|stamme|stammt|stehe|steht|ernähre|ernährt|verzichte|meide|rauche|raucht|"
    r"restauriere|interessiere|engagiere|bekomme|bekommt|heirate|heiratet|komm)"
)
# of these, after a comma, only the user can be the one who does it
_MY_VERBS = (
    r"(?-i:bin|habe|hab|wohne|wohn|lebe|arbeite|mache|mach|spiele|spiel|fahre|fahr|gehe|geh|studiere|studier|"
    r"komme|komm|heiße|mag|trinke|esse|schreibe|baue|werde|stamme|jobbe)"
)
_LEAD = r"(?:seit|ab|bis|im|am|in|vor|nach|letzt\w+|nächst\w+|dort|da|deshalb|darum|jede\w*|abends|morgens|samstags|sonntags|vorher|davor|danach|damals|früher|heute|jetzt|seitdem|inzwischen|dann|zuhause|manchmal|dieses|diesen|an|mit|am\s+liebsten)"
_NOT_SAID = "".join(
    rf"(?<!{word})"
    for word in "sagt sagte meint meinte behauptet behauptete glaubt glaubte denkt dachte schreibt schrieb "
    "erzählt erzählte findet fand hofft glaube denke hoffe meine vermute fürchte gesagt behauptet gemeint "
    "erzählt wünschte schätze heißt".split()
)
_NOT_BOTH = "".join(  # "mein Mann und ich" is one subject
    rf"(?<!\b{word})"
    for word in "mann frau freund freundin partner partnerin bruder schwester sohn tochter mutter vater "
    "kinder eltern verlobter verlobte kollege kollegin".split()
)
_LAUGH = r"[\U0001f602\U0001f923\U0001f609\U0001f61c\U0001f61d\U0001f644\U0001f921\U0001f643]|;-?\)"

LEXICON = Lexicon(
    code="de",
    owners=owners(
        KIN,
        some=r"eine?[nmrs]?|d(?:er|ie|as|en|em)",
        mine=r"mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?",
        others=r"mann|frau|junge|mädchen|paar|familie|kundin|kunde|kunden|patientin|patient|schüler|schülerin|leute|freundinnen|freunden?",
        have=r"mit|die|der|deren|dessen|hat|haben",
    ),
    activity=lambda phrase: activity_noun(phrase, "de"),
    first_person=any_of(
        r"""\b(?:ich|mich|mir|mein(?:e[nmrs]?|s)?|wir|uns|unser(?:e[nmrs]?)?|unsre[nmrs]?)\b
        |^(?:zwei|drei|vier|fünf|\d)\s+(?:katzen|kater|hunde|kinder|söhne|töchter|mädchen|jungs|hühner),\s+(?-i:[A-ZÄÖÜ])[\w ,-]+\s+und\s+(?-i:[A-ZÄÖÜ])
        |^(?-i:[A-ZÄÖÜ])[\wäöüß-]+(?:,\s+(?-i:[A-ZÄÖÜ])[\wäöüß-]+)*\s+–\s+(?:(?:mon|diens|mitt|donners|frei|sams|sonn)(?:tag|woch)s\s*)+$"""
    ),
    subject=LazyPattern(
        rf"(?i:(?P<me>ich|wir|{OUR}\s+{KIND}(?:{KIN_WORD})(?:\s+{GIVEN})?\s+und\s+ich)\s+"
        rf"|{OUR}\s+{KIND}(?P<kin>{KIN_WORD})(?:(?:\s*,(?:\s*d(?:er|ie|as))?)?\s+(?P<kin_name>{_NAME})\s*,?)?\s+(?={FINITE_IT}\b)"
        rf"|(?P<name>{GIVEN}{_SURNAME})(?:,\s+{OUR}\s+{KIND}(?P<role>{KIN_WORD}),)?\s+(?={FINITE_IT}\b)"
        rf"|(?P<pronoun>er|sie)\s+(?=(?-i:ist|hat|war|hatte|mag|kann|will|wird|zog|[a-zäöüß]{{2,}}t)\b))(?P<rest>.*)",
        re.S,
    ),
    asks=any_of(
        r"""^(?:und\s+|aber\s+|also\s+)?(?:
        (?:wer|wen|wem|wessen|was|wo|woher|wohin|warum|wieso|weshalb|wie|wann|womit|wofür|worüber|wozu|wodurch|woran|welche[nmrs]?)\b(?!\s+(?:ich|wir|mein\w*)\b)
        |(?:[a-zäöüß]+(?:e|st|t|en|te|n)|bin|ist|war|hab|kann|mag|will|muss|darf|soll)\s+(?:ich|du|ihr|sie|man|wir|er|es|das|jemand|mein\w*|dein\w*|der|die)\b
        |(?:ich\s+(?:frage\s+mich|wüsste\s+gern|würde\s+gerne?\s+wissen|möchte\s+(?:gerne?\s+)?wissen|will\s+wissen))
        |(?:irgendwelche|irgendeine)\s+(?:tipps|ideen|vorschläge))"""
    ),
    requests=any_of(
        r"""^(?:bitte\s+|jetzt\s+|mal\s+|dann\s+)*(?:sag|sage|schreib|schreibe|gib|zeig|zeige|erklär|erkläre|hilf|mach|liste|übersetz|übersetze|fass|fasse|
        find|finde|such|suche|erstell|erstelle|berechne|vergleich|vergleiche|lies|öffne|wiederhole|schlag|schlage|empfiehl|korrigier|korrigiere|prüf|prüfe|verbesser|
        verbessere|formulier|formuliere|zähl|zähle|erzähl|erzähle|beschreib|beschreibe|erinner|erinnere|stell|stelle|füg|füge|lass|rate|probier|vergiss|hör|hör\s+auf|
        (?:bau|baue|mal|male|zeichne|programmier|programmiere|entwickle|koch|back)(?=\s+(?:mir|uns|bitte|mal|ein\w*)\b)|google|recherchier|recherchiere|
        entwirf|nenn(?!\s+mich)|nenne(?!\s+mich)|denk|überleg|sei|komm|warte|wart|schau|guck|stopp|weiter|setz|setze|rechne|plane|spiel|antworte|verfasse|dichte|
        übertrag|übertrage|ergänze|lies|nimm|verrate|verrat|ignoriere|generiere|kürze|ordne|sortiere|definiere|buchstabiere|mache|nehmen\s+wir\s+an|sagen\s+sie|
        schreiben\s+sie|geben\s+sie|erklären\s+sie|zeigen\s+sie|helfen\s+sie)\b(?!\s+ich\b)
        |^(?:bitte\s+)?(?:kannst|könntest|würdest|magst|willst|können|könnten|würden)\s+(?:du|sie|ihr)\b
        |^(?:ich|wir)\s+(?:brauche|brauchen|bräuchte|bräuchten|suche|suchen|hätte|hätten|benötige|benötigen)\b(?!.*\bkein)
        |^(?:ich|wir)\s+(?:möchte|möchten|will|wollen|würde|würden)\s+(?:gerne?\s+|bitte\s+|jetzt\s+|mal\s+)*(?:eine?[nrs]?\b(?!.*\b(?-i:[a-zäöüß]+(?:en|ern|eln))$)|(?:mehr\s+)?(?:wissen|hören|fragen|sehen|verstehen|sagen|sprechen|reden|erfahren|danken)\b|dass\b|.*\b(?:wissen|fragen|erfahren|verstehen|hören)$)
        |^(?:ich|wir)\s+(?:habe|hab|haben|hätte)\s+(?:da\s+|noch\s+|nur\s+|mal\s+)*eine\s+(?:kurze\s+|kleine\s+|andere\s+|weitere\s+)*(?:frage|bitte)
        |.*\bbitte$"""
    ),
    remember=any_of(
        r"""^(?:(?:hey|hi|ok|okay|so|und|auch|ach|bitte|hallo)[,!]?\s+)*(?:kannst\s+du\s+dir\s+)?(?:merk|merke|notier|notiere|merken\s+sie|notieren\s+sie|
        behalt|behalte|vergiss\s+nicht|vergiss\s+bitte\s+nicht|denk\s+(?:bitte\s+)?dran|denk\s+(?:bitte\s+)?daran|schreib\s+(?:dir\s+)?(?:bitte\s+)?auf|zur\s+info|nur\s+zur\s+info|fürs\s+protokoll)
        (?:\s+(?:dir|sich|bitte|mal|doch|das|folgendes|im\s+kopf|für\s+später))*
        (?:\s*[:,]\s*(?:dass\s+)?|\s+dass\s+|\s+(?=(?:ich|mein\w*|unser\w*|wir)\b))"""
    ),
    supposes=any_of(
        r"""\b(?:wenn|falls|sofern|vielleicht|womöglich|eventuell|evtl|möglicherweise|vermutlich|wahrscheinlich|
        wäre[nst]*|hätte[nst]*|würde[nst]*|könnte[nst]*|müsste[nst]*|dürfte[nst]*|sollte[nst]*|bräuchte[nst]*|wüsste[nst]*|käme[nst]*|ginge[nst]*|
        angenommen|vorausgesetzt|stell\s+dir\s+vor|stellen\s+wir\s+uns|wünschte|wünsche\s+mir|träume|träumte|geträumt|traum|als\s+ob|nehmen\s+wir\s+an|theoretisch|
        hypothetisch|im\s+nächsten\s+leben|keine\s+ahnung|mal\s+sehen|überlege|überlegen|spiele\s+mit\s+dem\s+gedanken|weiß\s+nicht|unsicher)\b
        |\b(?:ich\s+glaube|glaube\s+ich|scheint|scheinbar|anscheinend|irgendwann)\b"""
    ),
    reports=any_of(
        r"""\ufffc|(?<!ich\s)(?<!wir\s)\b(?:sagt|sagte|sagten|sagen|meint|meinte|meinten|behauptet|behauptete|behaupten|glaubt|glaubte|glauben|denkt|dachte|schreibt|schrieb|erzählt|erzählte|
        findet|fragte|fragt|antwortet|antwortete|verspricht|hofft|erklärte|zitiert|ruft|rief|singt\s+[\"„])\b(?!\s+(?:ich|mir\s+zu)\b)(?!.*\bspielt?\b)(?!.*\bzu\s+mir$)
        |\b(?:hat|haben|hatte)\b.*\b(?:gesagt|gemeint|behauptet|erzählt|geschrieben|gefragt|versprochen)\b
        |\b(?:laut\s+(?:\w+\s+)?[\w-]+|angeblich|zufolge|heißt\s+es|es\s+heißt|dem\s+vernehmen|soll(?:en)?\s+(?:ja\s+)?angeblich)\b
        |\b(?:im\s+(?:film|buch|roman|lied|song|spiel|märchen|text|artikel|theaterstück)|in\s+(?:dem|der|einem|einer)\s+(?:film|buch|roman|lied|serie|geschichte|song|text|artikel)|
        zitat|liedtext|songtext|beipackzettel|packungsbeilage|überschrift|schlagzeile|untertitel|die\s+hauptfigur|der\s+satz|dieser\s+satz|
        auf\s+(?:englisch|französisch|spanisch|italienisch|portugiesisch)\s*:|ins\s+(?:englische|französische|spanische|italienische|portugiesische))\b"""
    ),
    jokes=any_of(
        rf"""\b(?:haha\w*|hahaha\w*|hihi\w*|hehe\w*|höhö\w*|lol|rofl|xd|nur\s+spaß|mein\s+name\s+ist\s+hase|nur\s+ein\s+(?:scherz|witz)|kleiner\s+scherz|scherz\s+beiseite|war\s+(?:nur\s+)?(?:ein\s+)?(?:spaß|scherz|witz)|
        ironie\w*|sarkasmus|spaß\s+beiseite|aprilscherz|schön\s+wär's|von\s+wegen|wer's\s+glaubt)\b|^(?:ja|na)\s+klar,|/s(?:\W|$)|\*(?:lach|grins|zwinker)\w*\*|{_LAUGH}"""
    ),
    greets=any_of(
        r"""^(?:hi|hallo|hey|moin(?:\s+moin)?|servus|grüß\s+(?:dich|gott|euch)|guten?\s+(?:morgen|tag|abend|nacht)|tschüss|ciao|bye|(?:danke|vielen\s+dank|lieben\s+dank|herzlichen\s+dank|dankeschön)\b.*|
        bitte|ok(?:ay)?|alles\s+klar|super|toll|ja|nein|nee|nö|genau|stimmt|prima|na\s+dann|bis\s+(?:später|morgen|bald|dann|gleich)|schönen?\s+(?:abend|tag|feierabend|wochenende|urlaub)|
        mach'?s\s+gut|frohe\s+\w+|frohes\s+\w+|gern|gerne|sehr\s+gern|klasse|perfekt|wunderbar|cool|verstanden|sorry|entschuldigung|tut\s+mir\s+leid|kein\s+problem|schlaf\s+gut|
        wie\s+geht's|alles\s+gute|herzlichen\s+glückwunsch|willkommen|gute\s+besserung|auf\s+wiedersehen|ich\s+danke\s+(?:dir|ihnen|euch))
        (?:\s+(?:dir|euch|ihnen|zusammen|alle|allen|noch|auch|schön|sehr|für\s+.*|und\s+.*|da|dann|wieder|morgen|abend|mal|an\s+alle|leute))*\W*$"""
    ),
    meta=any_of(
        r"""^(?:
        (?:ich|wir)\s+(?:habe|hab|haben|hatte)\s+(?:gesagt|behauptet|gemeint|gefragt|erwähnt|gedacht|erzählt|geschrieben)\b.*
        |(?:ich|wir)\s+(?:habe|hab|haben|hatte)\s+.{0,30}\b(?:gesagt|behauptet|gemeint|gefragt|erwähnt|gedacht|erzählt|geschrieben|verstanden|vergessen)\b(?:,?\s+(?:dass|ob|wie|was)\b.*)?
        |(?:ich|wir)\s+(?:meine|meinte|meinten|dachte|dachten|glaubte|mag\s+deine?[nr]?|weiß|wissen|verstehe|verstehen|denke|denken|frage|hoffe|hoffen|vermute|danke|finde\s+(?:das|es|dich|deine?n?)|sage|sagte|stimme|kapiere|sehe|bezweifle|
        freue\s+mich,|freue\s+mich$|freue\s+mich\s+auf\s+(?:deine|dich)|schätze|nehme\s+an|bin\s+(?:mir\s+)?(?:nicht\s+)?sicher|erinnere\s+mich|rede|spreche\s+(?:von|über|mit)|vertraue|gebe\s+dir|kann\s+(?:das|es|dir|dich|mir|nicht\s+sagen)|mag\s+(?:dich|das|es)|
        (?:liebe|hasse)\s+(?:dich|es|das)(?!\s+(?-i:[A-ZÄÖÜ])|,|\s+zu\b)|will\s+damit|wollte\s+(?:nur|dich|dir|damit|das)|bin\s+kein\s+(?:freund\s+davon))\b.*
        |(?:das|es|dies|hier|da)\s+(?:ist|war|sind|wird|klingt|sieht|scheint|stimmt|geht|ging|hat|passt|macht|tut|gefällt|reicht|funktioniert|hilft|bringt|kommt|freut|gibt)\b(?!\s+(?:mein|unser)e?\s+\w+\s+(?-i:[A-ZÄÖÜ])).*
        |(?:mein|unser)e?\s+(?:frage|problem|aufgabe|bitte|idee|meinung|antwort|code|text|satz|ziel\s+ist\s+nur|beispiel|punkt|anliegen)\b.*|du\s+.*|deine?\s+.*|ihr\s+.*|man\s+(?!nennt\s+mich\b).*|nicht\s+.{0,16}|mir\s+(?:ist|war)\s+(?:egal|klar|nicht\s+klar|das).*)$"""
    ),
    passing=any_of(
        r"""^(?:ich|wir|mein\w*\s+\w+(?:\s+\w+)?)\s+(?:bin|ist|sind|war|waren|fühle\s+mich)\s+(?:(?:gerade|so|sehr|ziemlich|total|etwas|ein\s+bisschen|echt|heute|jetzt|gleich|schon|wieder|noch|ganz|völlig|
        gar|nicht|leider|eben|mal|kurz|immer|nur|zu|richtig|irgendwie|erst|furchtbar|schrecklich)\s+)*(?:müde|hungrig|durstig|satt|gelangweilt|da|hier|zurück|weg|bereit|fertig|froh|gespannt|verwirrt|unterwegs|
        spät|krank|erkältet|gestresst|genervt|traurig|sauer|wütend|nervös|aufgeregt|beschäftigt|wach|zufrieden|glücklich|neugierig|überrascht|enttäuscht|platt|kaputt|erschöpft|im\s+(?:büro|bett|zug|bus|stau|auto|bad|stress|urlaub|meeting)|
        zu\s+hause|zuhause|daheim|auf\s+dem\s+(?:weg|sofa|heimweg)|beim\s+(?:arzt|essen|kochen|einkaufen|sport|frühstück)|in\s+(?:der\s+(?:küche|bahn|badewanne|stadt)|eile|einer\s+besprechung|einem\s+meeting)|am\s+(?:bahnhof|flughafen|telefon|essen|kochen|arbeiten))\b
        |^(?:ich|wir)\s+(?:habe|hab|haben)\s+(?:(?:gerade|so|einen|riesen|großen|jetzt|heute|wieder|schon|noch|total|echt|leider|gar|ein\s+bisschen|leichte|starke)\s+)*(?:hunger|durst|kopfschmerzen|kopfweh|bauchschmerzen|halsschmerzen|rückenschmerzen|zahnschmerzen|fieber|schnupfen|husten|
        keine\s+(?:zeit|lust|ahnung|idee)|kein\s+(?:problem|interesse|geld\s+dabei)|lust|feierabend|langeweile|eile|stress|angst|pause|kater|muskelkater|schlecht\s+geschlafen|gut\s+geschlafen|geschlafen|zeit|recht|wenig\s+zeit)\b
        |^(?:ich|wir)\s+(?:muss|müssen)\s+(?:(?:jetzt|gleich|noch|mal|nur|kurz|eben|heute|schnell|leider|dringend)\s+)*(?:los|weg|aufs|auf\s+die|ins\s+bett|gehen|weiter|schlafen|aufhören|arbeiten|kochen|einkaufen|essen|duschen|telefonieren|putzen|tanken)
        |\b(?:warte\s+(?:mal|kurz)|einen\s+(?:moment|augenblick)|eine\s+(?:sekunde|minute)|moment\s+mal|(?:bin|gehe|komme|fahre|mache|muss|esse|koche|rufe|lege|geh|komm)\s+(?:\w+\s+)?gleich\b|^(?:ich|wir)\s+(?:kann|können)\s+(?:(?:heute|leider|jetzt|gerade)\s+)*nicht(?:$|\s+–)|es\s+klingelt|das\s+telefon\s+klingelt|klingelt\s+gerade|
        schreibe\s+(?:\w+\s+){0,2}(?:mail|nachricht|sms|e-mail)\b|
        es\s+(?:regnet|schneit|stürmt)|wetter|mir\s+ist\s+(?:\w+\s+)?(?:kalt|warm|heiß|schlecht|übel|langweilig|schwindelig)|ist\s+mir\s+(?:\w+\s+)?(?:kalt|warm|heiß|schlecht|übel|langweilig)|mir\s+ist\s+langweilig|steh\w*\s+(?:gerade\s+)?(?:im\s+stau|an\s+der\s+(?:kasse|haltestelle))|
        mache\s+(?:\w+\s+){0,2}(?:gerade|eben|jetzt\s+gerade)\b(?!.*\b(?:ausbildung|lehre|umschulung|weiterbildung|abi|abitur|führerschein|master|bachelor|praktikum|diät|kur|reha|therapie)\b)|
        (?:essen?|trinken?|kochen?|sitzen?|stehe|warte|liege|höre|lese|schaue|gucke|fahre|laufe|gehe|telefoniere|frühstücke|dusche|packe|komme|backe|räume)\s+(?:\w+\s+){0,2}(?:gerade|eben|jetzt\s+gerade)|gerade\s+(?:essen|trinken|kochen|am\s+\w+en)|
        im\s+moment\s+(?:nicht|keine|esse|koche|sitze)|mein\s+(?:bus|zug|akku|kaffee|essen|handy|internet)\s+(?:kommt|ist|wird|geht|hat|streikt)|(?:bus|zug|bahn)\s+verpasst)\b"""
    ),
    negates=any_of(
        r"\b(?:nicht|nie|niemals|kein(?:e[nmrs]?)?|nichts|niemand\w*|ohne|weder|kaum|nirgends|nirgendwo|keinesfalls|"
        r"keineswegs|aufgehört|statt|anstatt|außer)\b"
    ),
    past=any_of(
        r"""\bseit\s+(?:dem|meinem|unserem)\s+umzug\b|\b(?:war|waren|hatte|hatten|früher|damals|gestern|vorgestern|neulich|kürzlich|letzte[nsr]?|vorige[nsr]?|vergangene[nsr]?|
        wurde|wurden|zog|zogen|kam|ging|wohnte|lebte|arbeitete|studierte|mochte|fing|hörte|begann|bekam|kaufte|verkaufte|lernte|heiratete)\b
        |\bvor\s+(?:\d+|ein\w*|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|kurzem|langem)\s*(?:tag|woche|monat|jahr)?
        |\b(?:habe|hab|hat|haben|bin|ist|sind)\s+(?:\w+\s+){0,2}?(?:[a-zäöüß]*ge[a-zäöüß]{2,}(?:t|en)|(?:be|ver|er|ent)[a-zäöüß]{3,}(?:t|en)|[a-zäöüß]{3,}iert)\b(?<!verheiratet)(?<!geschieden)(?<!verlobt)(?<!angestellt)"""
    ),
    coming=any_of(
        r"""\b(?:werde|werden|wird)\s+(?!\w*(?:\d|müde|krank|oft|immer|von))|\b(?:will|wollen|möchte|möchten|plane|planen|habe\s+vor|haben\s+vor|beabsichtige|(?<!jeden\s)(?<!am\s)(?<!guten\s)morgen(?!s)|übermorgen|nächste[nrsm]?|kommende[nrsm]?|demnächst|bald|künftig)\b
        |\bab\s+(?!und\b)(?:dem\s+|der\s+)?(?:\d{1,2}\.|nächste|kommende|sofort|morgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|herbst|winter|frühling|frühjahr|20\d\d)
        |^(?:ich|wir|er|sie|mein\w*\s+[^,]+?)\s+(?:ziehe|zieht|ziehen|fange|fängt|fangen|wechsle|wechselt|wechseln|kündige|kündigt|heirate|heiratet|heiraten|starte|startet|beginne|beginnt|verkaufe|verkaufen|höre|hört|hören|gehe|geht|gehen|fliege|fliegt|fliegen|verlasse|fahre|fahren)\b(?=.*\s–\s.*\b(?:im|am|in|ab|nächste\w*|morgen|zum|bald)\b)(?!.*\b(?:jede\w*|immer|seit|\w+s)$)"""
    ),
    over=any_of(
        r"\b(?:nicht\s+(?:mehr|länger)|kein\w*\s+.*\bmehr|nie\s+mehr|früher(?!\s+als)|damals|gekündigt|aufgehört|aufgegeben)\b"
    ),
    kin=KIN,
    relations=tuple(
        LazyPattern(pattern)
        for pattern in (
            rf"^(?i:{OUR})\s+(?!(?:Kleine|Große|Älteste|Jüngste|Mittlere)r?\s+(?!{GIVEN}))(?i:{KIND}(?P<kin>{KIN_WORD}))(?:,?\s+|,\s*d(?:er|ie|as)\s+)(?P<object>{_NAME})(?=\s*,|\s+(?i:{FINITE_IT})\b|\s+und\b|$)",
            rf"\b(?i:{_ANY_OUR}\s+{KIND}(?P<kin>{KIN_WORD})),?\s+(?i:namens\s+)?(?P<object>{GIVEN}{_SURNAME})(?!\w)(?!')",
            rf"\b(?i:{_ANY_OUR}\s+{KIND}(?P<kin>{KIN_WORD})),?\s+(?i:namens)\s+(?P<object>{PROPER})",
            rf"\b(?i:(?:von|bei|mit|zu)\s+(?:mein|unser)e[mr]\s+{KIND}(?P<kin>{KIN_WORD}))\s+(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+)(?=\s+(?:ist|hat|heißt|wohnt|arbeitet)\b)",
            rf"\b(?i:{OUR}\s+{KIND}(?P<kin>{KIN_WORD})\s+(?:heißt|wird|hört\s+auf\s+den\s+namen|ist\s+d(?:er|ie))\s+(?:(?:jetzt|nun|übrigens|offiziell|auch|mit\s+vornamen)\s+)*)(?P<object>{PROPER})(?!.*\bgenannt\s+werden)(?=\s*[,.–]|\s+(?:und|genannt)|$)",
            rf"(?i:der\s+name\s+{_ANY_OUR}\s+{KIND}(?P<kin>{KIN_WORD})s?\s+ist\s+)(?P<object>{PROPER})",
            rf"^(?P<object>{_NAME})\s+(?i:(?:ist|heißt)\s+{OUR}\s+{KIND}(?P<kin>{KIN_WORD}))(?=\s*[,.–]|\s+(?:und|aus|in|seit)|$)",
            rf"^(?i:das|dies|hier)\s+(?i:ist|sind)\s+(?i:{OUR}\s+{KIND}(?P<kin>{KIN_WORD})),?\s+(?P<object>{PROPER})$",
            rf"(?:^|,\s|\s)(?P<object>{GIVEN}{_SURNAME}),\s+(?i:{OUR}\s+{KIND}(?P<kin>{KIN_WORD}))(?=\s*,|$)",
        )
    ),
    frames=ENDED + EVERYDAY + FRAMES,
    articles=any_of(
        r"^(?:ein\s+(?:bisschen|wenig|paar)|ein(?:e[nmrs]?)?|d(?:er|ie|as|en|em|es)|mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|etwas|so|alle|allem|auch|sehr|gute[nrsm]?|jede\s+art\s+von)\s+"
    ),
    tail=any_of(
        r"\s+(?:auch|jetzt|wieder|sehr|total|eigentlich|besonders|überhaupt|gar|mehr|am\s+(?:liebsten|meisten)|gern|gerne|"
        r"noch|schon|zurzeit|derzeit|momentan|immer|oft|halt|eben|ja|doch|wirklich|dort|gezogen|umgezogen|angestellt)$"
    ),
    not_objects=frozenset(
        """es das dies sie ihn er dich euch mich uns alles nichts was etwas jemanden niemanden hier dort so
        zu man wer wie viel viele mehr selbst ja nein nicht dein deine dir ihr ihm ihnen gern gerne
        einander sich keiner keine kein""".split()
    ),
    expand=tuple(
        (LazyPattern(pattern, re.I), replacement)
        for pattern, replacement in (
            (
                r"[,!]?\s+(?:bäh|igitt|pfui|brr|würg|örks|hach|seufz|mjam|yummy|lol|puh|oje|gell|halt|ne|echt\s+jetzt)$",
                "",
            ),
            (r"\b(au[sf]|mit|nach)'?m\b", r"\1 dem"),
            (r"\bis\b", "ist"),
            (r"\b(?:nix|nüscht)\b", "nichts"),
            (r"\b(?:nich|ned)\b", "nicht"),
            (r"\bgrade?\b", "gerade"),
            (r"\b(kann|darf|brauch|will|muss|soll)s?te\b(?=\s+(?:mich|behalten|mir))", r"\1st du"),
            (r"\bnem\b", "einem"),
            (r"\bner\b", "einer"),
            (r"\bseit\s+nem\b", "seit einem"),
            (r"\bfür\s+mein\s+leben\s+gerne?\b", "sehr gern"),
            (rf"\b(ich)\s+({STEMS})\b", r"\1 \2e"),
            (rf"\b({STEMS})(?=\s+ich\b)", r"\1e"),
            (r"\bheisse\b", "heiße"),
            (r"\bheisst\b", "heißt"),
            (r"\bweiss\b", "weiß"),
            (r"\b(ich)\s+hab\b", r"\1 habe"),
            (r"\bhab(?=\s+ich\b)", "habe"),
            (r"\b(habe?|bin|mag|heiße)'s\b", r"\1 es"),
            (r"(?<=\s)'?ne(?=\s+\w)", "eine"),
            (r"(?<=\s)'?nen(?=\s+\w)", "einen"),
            (r"(?<=\s)'n(?=\s)", "ein"),
            (r"\bunsre(\w?)\b", r"unsere\1"),
        )
    )
    + IDIOMS,
    elided=any_of(rf"(?P<ich>{DROPPED})"),
    fillers=any_of(
        r"""^(?:(?:hi|hallo|hey|moin|servus|na|ja|nein|nee|nö|ok|okay|also|und|aber|denn|doch|übrigens|ach|oh|ähm|äh|hm+|naja|na\s+ja|tja|ehrlich\s+gesagt|
        eigentlich|klar|stimmt|sorry|zur\s+info|nur\s+damit\s+du\s+(?:es\s+)?weißt|damit\s+du\s+bescheid\s+weißt|kurzes\s+update|kleines\s+update|gute\s+nachrichten|schlechte\s+nachrichten|
        weißt\s+du\s+was|ich\s+muss\s+(?:sagen|zugeben|gestehen)|guten?\s+(?:tag|morgen|abend)|zusammen|außerdem|dazu|genau|gut|so|schön|wie\s+gesagt|im\s+ernst|tatsächlich|jedenfalls|
        grüß\s+(?:dich|gott)|freut\s+mich|ach\s+ja|ach\s+so|by\s+the\s+way|fun\s+fact|um\s+ehrlich\s+zu\s+sein|sondern|jedoch|allerdings|trotzdem)(?:[,!:.–—-]+\s*|\s+))+)(?=\S)""".replace(
            "))+)(?=", "))+(?="
        )
    ),
    adverbs=any_of(
        r"\s(?:auch|noch(?!\s+(?:nicht|nie|kein))|ja|doch|halt|eigentlich|übrigens|"
        r"tatsächlich|einfach|meistens|meist|manchmal|bereits|hauptsächlich|zum\s+glück|leider|selber|natürlich|endlich|gerade(?=\s+(?:in|bei|als|an|nach)\s)|"
        r"aber|offiziell|ehrlich\s+gesagt)(?=\s)"
    ),
    cut=any_of(
        rf""";\s*|\s+[–—-]\s+
        |{_NOT_BOTH},?\s+(?:und|aber|doch|sondern|jedoch|denn)\s+(?=(?:ich|wir|er|sie|{OUR}\s+{KIND}(?:{KIN_WORD})|{GIVEN}\s+{_VERBS})\b(?!\s+und\s+ich)(?!\s*(?:,|$))(?!\s+(?:sehr|auch|gern)$))
        |,?\s+(?:und|aber|doch|sondern)\s+(?={_VERBS}\b)
        |,?\s+und\s+(?=du\s+(?:heißt|bist)\b|dein\s+name\b)
        |,\s+(?=(?:eigentlich|richtig|sonst|danach|nebenbei|nebenher|beruflich|ursprünglich)\s+{_MY_VERBS}\s+ich\b)
        |,\s+(?={_MY_VERBS}\s)
        |,?\s+(?:und|aber)\s+(?=(?-i:[A-ZÄÖÜ])[\wäöüß-]+\s+(?:(?:{STEMS})e?|mag|kann|darf|habe?|bin|muss)\s+ich\b)
        |,\s+(?=(?:mon|diens|mitt|donners|frei|sams|sonn)(?:tag|woch)s\s)
        |,\s+(?:(?:aber|und|dafür)\s+)?(?=(?-i:[A-ZÄÖÜ])[\wäöüß-]+\s+(?:(?:eher|aber|dafür|dagegen|gar|überhaupt|leider)\s+)*nicht(?:\s+(?:so|mehr))?\s*\.?$)
        |,\s+(?=da\s+(?:bleibt|ist|geht|kann|bin|habe?|muss)\b)
        |,\s+(?={_VERBS}\s+(?:aber|jedoch|dann|jetzt|inzwischen|seit)\b)
        |,?\s+(?:und|aber|doch)\s+(?={_LEAD}\s+(?:[\w.]+\s+){{0,4}}?(?:ich|wir|{OUR}\s+{KIND}(?:{KIN_WORD}))\b)
        |,?\s+(?:und|aber)\s+(?={_LEAD}\s+{_VERBS}\s+(?:ich|wir)\b)
        |{_NOT_SAID},\s+(?=(?:ich|wir|{OUR}\s+{KIND}(?:{KIN_WORD})(?:\s+(?-i:[A-ZÄÖÜ]\w+))?\s+{_VERBS})\b)
        |{_NOT_SAID},\s+(?=(?:er|sie)\s+(?!heißt\b){_VERBS}\b)
        |,\s+(?={_LEAD}\s+(?:[\w.]+\s+){{0,4}}?(?:ich|wir)\b)
        |,?\s+(?=(?:weil|da|obwohl|während|wobei)\s+(?:ich|wir|er|sie|{OUR})\b)
        |,\s+(?=(?:oder|nicht\s+wahr|gell|ne|weißt\s+du)$)
        |,\s+(?=(?:das|es)\s+(?:ist|war|wird|macht|hat|kommt)\b)"""
    ),
    carried=any_of(rf"^(?:{_VERBS}|nicht|nie)\b"),
    lists=any_of(r"\s*,\s*(?:und\s+|sowie\s+)?|\s+und\s+|\s+sowie\s+|\s*&\s*"),
    arrange=arrange,
    time_words=TIME_WORDS,
)
