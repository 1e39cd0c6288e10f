"""Writes ``thalamus/data/times.json``: words for times in the languages whose function words are
known, after Unicode CLDR as `dateparser` has it, and the words below, which CLDR does not have.
``just times`` runs it; a test compares the file."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DATEPARSER = "1.5.0"  # another version may have other words
PLACE = Path(__file__).parents[1] / "thalamus" / "data" / "times.json"
LANGUAGES = "de es fr pt it nl sv da pl cs ru uk el ro hu fi tr ar he hi id vi zh ja ko th".split()
MONTHS = (
    "january february march april may june july august september october november december".split()
)
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
UNITS = ("day", "week", "month", "year")
COUNT = r"(\d++[.,]?\d*+)"
PLAIN = re.compile(r"[\w\u0300-\u036f\u0900-\u0e7f' {}-]+")
# Patterns of words beside the name of a unit, weekday, season or month; forms of names that CLDR
# lacks; numbers; and the first months of the seasons. ``without``: names that are other words too,
# such as those of planets; ``least``: letters of a name that may stand anywhere in a run
WORDS: dict[str, dict[str, Any]] = {
    "de": {
        "last": "(?:letzt|vergangen|vorig)e[nmrs]?",
        "this": "diese[nmrs]?",
        "next": "(?:nächst|kommend)e[nmrs]?",
        "weekend": "wochenendes?",
        "seasons": "frühlings?|frühjahrs? sommers? herbst(?:e?s)? winters?",
        "numbers": "eine?[mnrs]? zwei|paar drei vier fünf sechs sieben acht neun zehn",
        "phrases": {"day -1": "gestern abend|gestern nacht|letzte nacht|heute nacht"},
    },
    "es": {
        "last": "pasad[oa]|últim[oa]|anterior",
        "this": "est[ea]",
        "next": "próxim[oa]|que viene|siguiente",
        "weekend": "fin de semana|finde",
        "seasons": "primavera verano otoño invierno",
        "numbers": "una? dos|par tres cuatro cinco seis siete ocho nueve diez",
        "ago": "hace {n} {unit}|{n} {unit} atrás",
        "phrases": {
            "day -1": "anoche|ayer por la noche",
            "day -2": "anteayer|antier|antes de ayer",
        },
    },
    "fr": {
        "last": "derni(?:er|ère)|passée?",
        "this": "cet?(?:te)?",
        "next": "prochaine?|suivante?",
        "weekend": "week-?end",
        "seasons": "printemps été automne hiver",
        "numbers": "une? deux trois quatre cinq six sept huit neuf dix",
        "ago": "(?:il )?y a {n} {unit}",
        "phrases": {"day -1": "hier soir|cette nuit", "day -2": "avant-hier|avant hier"},
    },
    "pt": {
        "last": "passad[oa]|últim[oa]|anterior",
        "this": "(?:n?est|d?est)[ea]",
        "next": "próxim[oa]|que vem|seguinte",
        "weekend": "fim de semana|fds",
        "seasons": "primavera verão outono inverno",
        "numbers": "uma? dois|duas|par três quatro cinco seis sete oito nove dez",
        "ago": "há {n} {unit}|{n} {unit} atrás|faz {n} {unit}",
        "phrases": {"day -1": "ontem à noite", "day -2": "anteontem|antes de ontem"},
        "without": "segunda terça quarta quinta sexta",
    },
    "it": {
        "last": "scors[oa]|passat[oa]|ultim[oa]",
        "this": "quest[oa]|quest'",
        "next": "prossim[oa]|che viene",
        "weekend": "fine settimana|week-?end",
        "seasons": "primavera estate autunno inverno",
        "numbers": "un[oa]?'? due|paio tre quattro cinque sei sette otto nove dieci",
        "ago": "{n} {unit} fa",
        "phrases": {"day -1": "ieri sera|stanotte", "day -2": "l'altro ieri|altro ieri|avantieri"},
    },
    "nl": {
        "last": "vorige?|afgelopen|laatste",
        "this": "dez?e|dit",
        "next": "volgende?|komende?",
        "weekend": "weekend",
        "seasons": "lente|voorjaar zomer herfst|najaar winter",
        "numbers": "een|één twee|paar drie vier vijf zes zeven acht negen tien",
        "ago": "{n} {unit} geleden",
        "phrases": {
            "day -1": "gisteravond|gisterenavond|gisteren|vannacht",
            "day -2": "eergisteren",
        },
    },
    "sv": {
        "last": "förra|senaste|i",
        "this": "denna|detta|den här|det här",
        "next": "nästa|kommande",
        "weekend": "helgen|helg",
        "seasons": "våren|våras|vår sommaren|somras|sommar hösten|höstas|höst vintern|vintras|vinter",
        "numbers": "en|ett två|par tre fyra fem sex sju åtta nio tio",
        "ago": "för {n} {unit} sed?a?n",
        "phrases": {
            "day -1": "igår|i går|igår kväll|i natt",
            "day -2": "i förrgår|förrgår",
            "day 0": "idag|i dag",
            "day 1": "imorgon|i morgon",
        },
        "suffix": "s|en|ens|ars",
    },
    "da": {
        "last": "sidste|forrige",
        "this": "denne|dette",
        "next": "næste|kommende",
        "weekend": "weekenden|weekend",
        "seasons": "foråret|forår sommeren|sommer efteråret|efterår vinteren|vinter",
        "numbers": "en|et|én|ét to|par tre fire fem seks syv otte ni ti",
        "ago": "for {n} {unit} siden",
        "phrases": {
            "day -1": "igår|i går|i aftes|i nat",
            "day -2": "i forgårs|forgårs",
            "day 0": "i dag|idag",
            "day 1": "i morgen|imorgen",
        },
    },
    "pl": {
        "last": "(?:zeszł|ubiegł|ostatni|poprzedni|minion)(?:y|ą|a|ego|ym|ej|e|m)?",
        "this": "ten|ta|to|tym|tę|tej|tego",
        "next": "(?:przyszł|następn|kolejn)(?:y|ą|a|ego|ym|ej|e)",
        "weekend": "weekend(?:u|zie)?",
        "seasons": "wiosn(?:a|ą|ę|y|ie) lat(?:o|em|a|u|ie)|lecie jesie(?:ń)|jesien(?:ią|i) zim(?:a|ą|ę|y|ie)",
        "numbers": "jed(?:en|ną|nego) dw(?:a|ie|óch)|parę|kilka trzy|trzech cztery|czterech pięć"
        " sześć siedem osiem dziewięć dziesięć",
        "ago": "{n} {unit} temu",
        "units": {
            "day": "dzień|dni",
            "week": "tydzień|tygodni[ae]?|tygodniu",
            "month": "miesiąc[au]?|miesięcy|miesiące",
            "year": "roku?|lat[a]?",
        },
        "months": "styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku"
        " listopadzie grudniu",
        "days": "- - środę - - sobotę niedzielę",
        "phrases": {"day -1": "wczoraj wieczorem", "day -2": "przedwczoraj"},
        "more_months": "styczniem lutym marcem kwietniem majem czerwcem lipcem sierpniem wrześniem"
        " październikiem listopadem grudniem",
        "more_days": "poniedziałku wtorku środy czwartku piątku soboty niedzieli",
    },
    "cs": {
        "last": "minul(?:ý|ou|á|ém|ého|é)|posledn(?:í|ím|ího)",
        "this": "tento|tuto|tomto|této|tohle",
        "next": "příšt(?:í|ím|ího)",
        "weekend": "víkendu?",
        "seasons": "jar(?:o|u|a|e)|jaře lét(?:o|ě|u|a) podzim(?:u)? zim(?:a|u|ě|y)",
        "numbers": "jed(?:en|nu|ním|nou) dv(?:a|ě|ěma)|pár|párem tři|třemi čtyři|čtyřmi pět|pěti"
        " šest|šesti sedm|sedmi osm|osmi devět|devíti deset|deseti",
        "ago": "před {n} {unit}",
        "units": {
            "day": "dny|dnem|dní",
            "week": "týden|týdnem|týdny|týdnu",
            "month": "měsíc(?:e|i|em|ů)?",
            "year": "rok(?:u|em|y)?|roce|lety|let",
        },
        "months": "lednu únoru březnu dubnu květnu červnu červenci srpnu září říjnu listopadu prosinci",
        "days": "- - středu - - sobotu neděli",
        "phrases": {
            "day -1": "včera večer",
            "day -2": "předevčírem",
            "year -1": "v?loni",
            "year 0": "letos",
        },
        "more_months": "lednem únorem březnem dubnem květnem červnem červencem srpnem zářím říjnem"
        " listopadem prosincem",
        "more_days": "pondělí úterý středy čtvrtka pátku soboty neděle",
    },
    "ru": {
        "last": "прошл(?:ый|ая|ое|ой|ую|ом|ого|ым|ые|ых)|последн(?:ий|юю|ей|ем)",
        "this": "эт(?:от|а|о|у|ой|ом|ого)",
        "next": "следующ(?:ий|ая|ее|ей|ую|ем)|будущ(?:ий|ей|ем)",
        "weekend": "выходны[ехм]+",
        "seasons": "весн(?:а|ой|у|ы|е) лет(?:о|ом|а|у) осен(?:ь|ью|и) зим(?:а|ой|у|ы|е)",
        "numbers": "од(?:ин|ну|на) дв(?:а|е)|пару тр(?:и) четыре пять шесть семь восемь девять десять",
        "ago": "{n} {unit} (?:тому )?назад",
        "units": {
            "day": "день|дня|дней",
            "week": "недел[яиюе]|недель",
            "month": "месяц(?:а|ев|е)?",
            "year": "год[ау]?|лет",
        },
        "months": "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
        "phrases": {"day -1": "вчера вечером", "day -2": "позавчера", "day 2": "послезавтра"},
        "more_months": "январ[её]м феврал[её]м мартом апрелем маем июнем июлем августом сентябр[её]м"
        " октябр[её]м ноябр[её]м декабр[её]м",
        "more_days": "понедельника вторника среды четверга пятницы субботы воскресенья",
    },
    "uk": {
        "last": "минул(?:ий|а|е|ої|у|ого|ому|ім|их|і)|останн(?:ій|ю|ього|ьому)",
        "this": "ц(?:ей|я|е|ю|ього|ьому|ієї)",
        "next": "наступн(?:ий|а|е|ої|у|ого|ому)",
        "weekend": "вихідн(?:і|их|ими)",
        "seasons": "весн(?:а|ою|у|и|і)|навесні літ(?:о|ом|а|ку)|влітку ос(?:інь|ені)|восени зим(?:а|ою|у|и)|взимку",
        "numbers": "од(?:ин|ну|на) дв(?:а|і)|пару|кілька три чотири п.?ять шість сім вісім дев.?ять десять",
        "ago": "{n} {unit} тому",
        "units": {
            "day": "день|дні|днів",
            "week": "тиж(?:день|ні|нів|ня)",
            "month": "місяц(?:ь|і|я)|місяців",
            "year": "рок(?:и|у|ів)|рік|році",
        },
        "months": "січні лютому березні квітні травні червні липні серпні вересні жовтні листопаді грудні",
        "days": "- - середу - п'ятницю|пʼятницю суботу неділю",
        "phrases": {
            "day -1": "вчора|учора|вчора ввечері",
            "day -2": "позавчора",
            "year -1": "торік",
            "year 0": "цьогоріч",
        },
        "more_months": "січнем лютим березнем квітнем травнем червнем липнем серпнем вереснем жовтнем"
        " листопадом груднем",
        "more_days": "понеділка вівторка середи четверга п.ятниці суботи неділі",
    },
    "el": {
        "last": "περασμέν(?:η|ο|ος|ου|ης)|προηγούμεν(?:η|ο|ος)|τελευταί(?:α|ο)",
        "this": "αυτ(?:ή|ό|όν)(?: τ(?:η|ην|ο|ον))?",
        "next": "επόμεν(?:η|ο|ος)|ερχόμεν(?:η|ο)",
        "weekend": "σαββατοκύριακο",
        "seasons": "άνοιξη(?:ς)? καλοκαίρι(?:ού)? φθινόπωρο(?:υ)? χειμώνα(?:ς)?",
        "numbers": "έναν?|μία|μια|ένα δύο|δυο τρεις|τρία τέσσερις|τέσσερα πέντε έξι επτά|εφτά οκτώ|οχτώ"
        " εννέα|εννιά δέκα",
        "ago": "πριν (?:από )?{n} {unit}|{n} {unit} πριν",
        "units": {
            "day": "(?:η)?μέρ(?:α|ες)",
            "week": "εβδομάδ(?:α|ες)",
            "month": "μήν(?:α|ες|ας)",
            "year": "χρόνι?(?:ο|α|ια)|έτ(?:ος|η)|χρονιά",
        },
        "months": "ιανουάριο φεβρουάριο μάρτιο απρίλιο μάιο ιούνιο ιούλιο αύγουστο σεπτέμβριο"
        " οκτώβριο νοέμβριο δεκέμβριο",
        "phrases": {
            "day -1": "χθες|χτες|χθες το βράδυ",
            "day -2": "προχθές|προχτές",
            "year -1": "πέρυσι|πέρσι",
            "year 0": "φέτος",
        },
    },
    "ro": {
        "last": "trecut[ăa]?|ultim(?:a|ul)",
        "this": "ace?st(?:a|ui)?|aceast[ăa]",
        "next": "viito(?:r|are|area)",
        "weekend": "weekend(?:ul)?|sfârșitul(?: de)? săptămân(?:ii|ă)",
        "seasons": "primăv(?:ara|ară) var(?:a|ă) toamn(?:a|ă) iarn(?:a|ă)",
        "numbers": "un|o|una dou(?:ă|i)|doi trei patru cinci șase șapte opt nouă zece",
        "ago": "acum {n} {unit}|{n} {unit} în urmă",
        "units": {
            "day": "zi(?:le|ua)?",
            "week": "săptămân(?:a|ă|i)",
            "month": "lun(?:a|ă|i)",
            "year": "an(?:i|ul)?",
        },
        "phrases": {"day -1": "ieri|aseară", "day -2": "alaltăieri", "day 0": "azi|astăzi"},
    },
    "hu": {
        "last": "múlt|előző|tavalyi|elmúlt",
        "this": "ezen? a[z]?|ebben az?|ez a[z]?|e|idei",
        "next": "jövő|következő",
        "weekend": "hétvégén?|hétvége",
        "seasons": "tavas(?:z|szal) nyár(?:on)?|nyarán ős(?:z|szel) tél(?:en)?|telén",
        "numbers": "egy két|kettő|pár három négy öt hat hét nyolc kilenc tíz",
        "ago": "{n} {unit} ezelőtt|{n} {unit}(?:v[ae]l|pp?[ae]l|t[ae]l|k[ae]l) ezelőtt|{n} {unit}(?:ja|je)",
        "units": {
            "day": "nap(?:ja|pal)?",
            "week": "hét(?:en)?|héttel|hete",
            "month": "hónap(?:ban|pal|ja)?",
            "year": "év(?:e|ben|vel)?",
        },
        "suffix": "ében|ában|jében|jában|ének|ának|n|ban|ben|ból|ből|tól|től|ig|on|en|ön|án|én|ja|je|i|a|e|t|nak|nek|ra|re",
        "days": "- - szerdán|szerda csütörtökön - - vasárnap",
        "phrases": {
            "day -1": "tegnap|tegnap este",
            "day -2": "tegnapelőtt",
            "day 0": "ma",
            "day 1": "holnap",
            "year -1": "tavaly",
            "year 0": "idén",
        },
    },
    "fi": {
        "last": "viime|edelli(?:nen|sen|senä)",
        "this": "täm(?:ä|än)|tä(?:nä|llä|ssä)",
        "next": "ensi|seuraava(?:na|ssa)?",
        "weekend": "viikonlop(?:pu|puna|ppuna|un)|viikonloppuna",
        "seasons": "kevä(?:t|ä|änä|ällä) kesä(?:n|nä|llä)? syksy(?:n|nä|llä)? talv(?:i|en|ena|ella)",
        "numbers": "yksi|yhden kaksi|kahden|pari kolme|kolmen neljä|neljän viisi|viiden kuusi"
        " seitsemän kahdeksan yhdeksän kymmenen",
        "ago": "{n} {unit} sitten",
        "units": {
            "day": "päivää?|päivän",
            "week": "viikko(?:a|na)?|viikon|viikolla",
            "month": "kuukausi|kuukautta|kuussa|kuukauden|kuuta",
            "year": "vuosi|vuotta|vuonna|vuoden",
        },
        "suffix": "ssa|n|ta|sta|hun|na|nä|lla|ta|kin|sta",
        "phrases": {
            "day -1": "eilen|eilisiltana|viime yönä|eilisiltana",
            "day -2": "toissapäivänä",
            "day 0": "tänään",
            "day 1": "huomenna",
            "day 2": "ylihuomenna",
        },
    },
    "tr": {
        "last": "geçen|geçtiğimiz|son|önceki",
        "this": "bu",
        "next": "gelecek|önümüzdeki|haftaya",
        "weekend": "hafta ?sonu",
        "seasons": "(?:ilk)?bahar(?:da|ın)? yaz(?:ın|ı)? sonbahar(?:da|ın)?|güz(?:ün)? kış(?:ın|ı)?",
        "numbers": "bir iki|birkaç üç dört beş altı yedi sekiz dokuz on",
        "ago": "{n} {unit} önce",
        "units": {"day": "gün", "week": "hafta", "month": "ay", "year": "yıl|sene"},
        "suffix": "ında|inde|unda|ünde|sında|sinde|da|de|ta|te|dan|den|tan|ten|ın|in|un|ün|nın|nin|ı|i|u|ü|a|e|ya|ye|daki|deki|taki|teki",
        "phrases": {
            "day -1": "dün|dün akşam|dün gece",
            "day -2": "evvelsi gün|önceki gün|evvelki gün",
            "day 0": "bugün",
            "day 1": "yarın",
            "day 2": "öbür gün",
        },
    },
    "ar": {
        "last": "(?:ال)?ماضي(?:ة)?|اللي فات(?:ت)?|(?:ال)?سابق(?:ة)?|(?:ال)?فائت(?:ة)?",
        "this": "هذ(?:ا|ه)",
        "next": "(?:ال)?(?:قادم|مقبل)(?:ة)?",
        "weekend": "(?:عطلة )?نهاية (?:ال)?أسبوع",
        "seasons": "(?:ال)?ربيع (?:ال)?صيف (?:ال)?خريف (?:ال)?شتاء",
        "numbers": "واحد(?:ة)? اثنين|اثنان ثلاثة?|ثلاث أربعة?|اربعة?|أربع خمسة?|خمس ستة?|ست سبعة?|سبع ثمانية?|ثماني"
        " تسعة?|تسع عشرة?|عشر",
        "ago": "(?:قبل|منذ) {n} {unit}",
        "units": {
            "day": "(?:ال)?يوم|(?:ال)?أيام",
            "week": "(?:ال)?(?:أسبوع|اسبوع)|أسابيع|اسابيع",
            "month": "(?:ال)?شهر|أشهر|شهور",
            "year": "(?:ال)?(?:سنة|عام)|سنوات|أعوام",
        },
        "days": "اثنين|إثنين|الاثنين|الإثنين ثلاثاء|الثلاثاء أربعاء|الأربعاء|الاربعاء خميس|الخميس جمعة|الجمعة سبت|السبت"
        " أحد|الأحد|الاحد",
        "phrases": {
            "day -1": "أمس|امس|البارحة|الليلة الماضية|ا?مبارح",
            "day -2": "أول أمس|أول من أمس|اول امس",
            "day 0": "اليوم",
            "day 1": "غدًا|غدا|بكرة",
            "day -2 ": "(?:قبل|منذ) يومين",
            "day -14": "(?:قبل|منذ) أسبوعين",
            "ago month 2": "(?:قبل|منذ) شهرين",
            "ago year 2": "(?:قبل|منذ) (?:سنتين|عامين)",
        },
        "without": "أحد اثنين ثلاثاء أربعاء خميس سبت",
        "prefix": "وال|بال|لل|ال|و|ب|ل",
        "more_months": "كانون الثاني;شباط;آذار|اذار;نيسان;أيار|ايار;حزيران;تموز;آب;أيلول|ايلول;تشرين الأول;تشرين الثاني"
        ";كانون الأول",
    },
    "he": {
        "last": "(?:ה)?שעבר(?:ה)?|(?:ה)?אחרונה?|(?:ה)?קודמ?ת?",
        "this": "(?:ה)?זה|(?:ה)?זאת|(?:ה)?זו",
        "next": "(?:ה)?באה?",
        "weekend": "סוף (?:ה)?שבוע|סופ.?ש",
        "seasons": "(?:ב|ה)?אביב (?:ב|ה)?קיץ (?:ב|ה)?סתיו (?:ב|ה)?חורף",
        "numbers": "אחד|אחת שני|שתי|שניים שלוש(?:ה)? ארבע(?:ה)? חמש(?:ה)?|חמישה שש(?:ה)?|שישה שבע(?:ה)?|שבעה שמונה"
        " תשע(?:ה)? עשר(?:ה)?",
        "ago": "לפני {n} {unit}",
        "units": {
            "day": "(?:ב|ה)?יום|ימים",
            "week": "(?:ב|ה)?שבוע|שבועות",
            "month": "(?:ב|ה)?חודש|חודשים",
            "year": "(?:ב|ה)?שנ(?:ה|ת|ים)",
        },
        "prefix": "ב|ה|מ|ל|ו",
        "phrases": {
            "day -1": "אתמול|אמש",
            "day -2": "שלשום|לפני יומיים",
            "day 0": "היום",
            "day 1": "מחר",
            "day -14": "לפני שבועיים",
            "ago month 2": "לפני חודשיים",
            "ago year 2": "לפני שנתיים",
        },
    },
    "hi": {
        "without": "सोम मंगल बुध गुरु शुक्र शनि रवि",
        "last": "पिछल[ेाी]|गत|बीत[ेाी]",
        "this": "इस|इसी",
        "next": "अगल[ेाी]",
        "weekend": "सप्ताहांत|वीकेंड",
        "seasons": "वसंत|बसंत गर्मियों|गर्मी शरद|पतझड़ सर्दियों|सर्दी",
        "numbers": "एक दो तीन चार पाँच|पांच छह|छः सात आठ नौ दस",
        "ago": "{n} {unit} (?:पहले|पूर्व)",
        "units": {
            "day": "दिन(?:ों)?",
            "week": "हफ़?्त[ेाों]+|सप्ताह",
            "month": "महीन[ेाों]+|माह",
            "year": "साल(?:ों)?|वर्ष(?:ों)?",
        },
        "phrases": {"day 0": "आज", "day -2": "परसों"},
    },
    "id": {
        "last": "lalu|kemarin|terakhir|silam",
        "this": "ini",
        "next": "depan|mendatang",
        "weekend": "akhir pekan",
        "seasons": "musim semi;musim panas;musim gugur;musim dingin",
        "numbers": "se|satu dua tiga empat lima enam tujuh delapan sembilan sepuluh",
        "ago": "{n} ?{unit} (?:yang )?lalu|{n} ?{unit} silam",
        "units": {"day": "hari", "week": "minggu|pekan", "month": "bulan", "year": "tahun"},
        "phrases": {
            "day -1": "kemarin|semalam|tadi malam",
            "day -2": "kemarin lusa|kemarin dulu",
            "day 0": "hari ini",
            "day 1": "besok",
            "day 2": "lusa",
        },
        "without": "minggu",
        "days": "-;-;-;-;-;-;hari minggu",
    },
    "vi": {
        "last": "trước|vừa rồi|qua|rồi|ngoái|vừa qua",
        "this": "này|nay",
        "next": "tới|sau",
        "weekend": "cuối tuần",
        "seasons": "mùa xuân;mùa hè|mùa hạ;mùa thu;mùa đông",
        "numbers": "một hai|vài ba bốn năm sáu bảy tám chín mười",
        "ago": "(?:cách đây )?{n} {unit} (?:trước|qua)|cách đây {n} {unit}",
        "units": {"day": "ngày|hôm", "week": "tuần", "month": "tháng", "year": "năm"},
        "days": "thứ hai|thứ 2;thứ ba|thứ 3;thứ tư|thứ 4;thứ năm|thứ 5;thứ sáu|thứ 6;thứ bảy|thứ 7;chủ nhật|cn",
        "phrases": {
            "day -1": "hôm qua|tối qua|đêm qua|ngày hôm qua",
            "day -2": "hôm kia",
            "day 0": "hôm nay",
            "day 1": "ngày mai",
            "year -1": "năm ngoái|năm trước",
            "year 0": "năm nay",
        },
        "not_after": "thứ ",
    },
    "zh": {
        "last": "上(?:个|個|一)?(?:个|個)?|前(?:一)?(?:个|個)?",
        "this": "这(?:个|個)?|這(?:個)?|本|今",
        "next": "下(?:个|個|一)?(?:个|個)?",
        "weekend": "周末|週末",
        "seasons": "春(?:天|季) 夏(?:天|季) 秋(?:天|季) 冬(?:天|季)",
        "numbers": "一 二|两|兩 三 四 五 六 七 八 九 十",
        "ago": "{n}(?:个|個)?{unit}(?:之|以)?前",
        "units": {"day": "天|日", "week": "星期|周|週|礼拜|禮拜", "month": "月", "year": "年"},
        "days": "周一|星期一|礼拜一|週一 周二|星期二|礼拜二|週二 周三|星期三|礼拜三|週三 周四|星期四|礼拜四|週四"
        " 周五|星期五|礼拜五|週五 周六|星期六|礼拜六|週六 周日|周天|星期日|星期天|礼拜天|週日",
        "phrases": {
            "day -1": "昨天|昨日|昨晚|昨夜",
            "day -2": "前天|前日|前晚",
            "day 0": "今天|今日|今晚|今早",
            "day 1": "明天|明日",
            "day 2": "后天|後天",
            "year -1": "去年",
            "year -2": "前年",
            "year 0": "今年",
            "year 1": "明年",
        },
    },
    "ja": {
        "last": "先|昨|前の?|この前の|先日の",
        "this": "今|この",
        "next": "来|次の",
        "weekend": "週末",
        "seasons": "春 夏 秋 冬",
        "numbers": "一 二 三 四 五 六 七 八 九 十",
        "ago": "{n}(?:か|ヶ|カ|ケ|箇)?{unit}(?:間)?(?:ほど|くらい|ぐらい)?前",
        "units": {"day": "日", "week": "週", "month": "月", "year": "年"},
        "days": "月曜日?  火曜日? 水曜日? 木曜日? 金曜日? 土曜日? 日曜日?",
        "phrases": {
            "day -1": "昨日|きのう|昨夜|昨晩|ゆうべ",
            "day -2": "一昨日|おととい",
            "day 0": "今日|きょう|本日|今朝|今夜",
            "day 1": "明日|あした|あす",
            "day 2": "明後日|あさって",
            "year -1": "去年|昨年",
            "year -2": "一昨年|おととし",
            "year 0": "今年|ことし",
            "year 1": "来年",
            "month -1": "先月",
            "month 0": "今月",
            "month 1": "来月",
            "week -1": "先週",
            "week 0": "今週",
            "week 1": "来週",
            "week -2": "先々週",
            "month -2": "先々月",
        },
    },
    "ko": {
        "last": "지난|저번",
        "this": "이번",
        "next": "다음",
        "weekend": "주말",
        "seasons": "봄 여름 가을 겨울",
        "numbers": "한|일 두|이|몇 세|석|삼 네|넉|사 다섯|오 여섯|육 일곱|칠 여덟|팔 아홉|구 열|십",
        "ago": "{n} ?(?:개)?{unit} ?전",
        "units": {"day": "일|날", "week": "주일|주", "month": "월|달", "year": "년|해"},
        "phrases": {
            "day -1": "어제|어젯밤|어저께",
            "day -2": "그저께|그제|엊그제",
            "day 0": "오늘",
            "day 1": "내일",
            "day 2": "모레",
            "year -1": "작년|지난해",
            "year -2": "재작년",
            "year 0": "올해|금년",
            "year 1": "내년",
            "month -1": "지난달",
            "month 1": "다음달",
            "day -3": "사흘 전",
            "day -2 ": "이틀 전",
            "day -1 ": "하루 전",
        },
        "suffix": "",
    },
    "th": {
        "least": 4,
        "without": "จันทร์ อังคาร ศุกร์ เสาร์ อาทิตย์",
        "last": "ที่แล้ว|ที่ผ่านมา|ก่อน",
        "this": "นี้",
        "next": "หน้า",
        "weekend": "สุดสัปดาห์",
        "seasons": "ฤดูใบไม้ผลิ ฤดูร้อน ฤดูใบไม้ร่วง ฤดูหนาว",
        "numbers": "หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ",
        "ago": "(?:เมื่อ ?)?{n} ?{unit} ?(?:ที่แล้ว|ก่อน|ที่ผ่านมา)",
        "units": {"day": "วัน", "week": "สัปดาห์|อาทิตย์", "month": "เดือน", "year": "ปี"},
        "phrases": {
            "day -1": "เมื่อวาน(?:นี้)?|เมื่อคืน",
            "day 0": "วันนี้",
            "day 1": "พรุ่งนี้",
            "year -1": "ปีที่แล้ว|ปีก่อน",
        },
    },
}

# Holidays that have the same dates every year
HOLIDAYS = {
    "de": {
        "12-24": "heilig(?:er )?abend|weihnachtsabend",
        "12-24/12-26": "weihnacht(?:en)?|weihnachtstagen?",
        "12-31": "silvester(?:abend)?",
        "1-1": "neujahr(?:s?tag)?",
        "2-14": "valentinstag",
        "10-31": "halloween",
        "12-6": "nikolaustag",
    },
    "es": {
        "12-24": "nochebuena",
        "12-24/12-26": "navidad(?:es)?",
        "12-31": "nochevieja",
        "1-1": "año nuevo",
        "1-6": "día de reyes",
        "2-14": "san valentín|día de los enamorados",
        "10-31": "halloween",
    },
    "fr": {
        "12-24": "(?:réveillon|veille) de noël",
        "12-24/12-26": "noël",
        "12-31": "saint-sylvestre|réveillon du (?:nouvel an|jour de l'an)",
        "1-1": "nouvel an|jour de l'an",
        "2-14": "saint-valentin",
        "7-14": "fête nationale",
        "10-31": "halloween",
    },
    "pt": {
        "12-24": "véspera de natal",
        "12-24/12-26": "natal",
        "12-31": "véspera de ano[ -]novo|réveillon",
        "1-1": "ano[ -]novo",
        "10-31": "halloween",
    },
    "it": {
        "12-24": "vigilia di natale",
        "12-24/12-26": "natale",
        "12-31": "san silvestro|vigilia di capodanno",
        "1-1": "capodanno",
        "1-6": "epifania|befana",
        "2-14": "san valentino",
        "8-15": "ferragosto",
        "10-31": "halloween",
    },
    "nl": {
        "12-24": "kerstavond",
        "12-24/12-26": "kerst(?:mis)?",
        "12-31": "oudejaarsavond|oud en nieuw",
        "1-1": "nieuwjaar(?:sdag)?",
        "2-14": "valentijnsdag",
        "4-27": "koningsdag",
        "12-5": "sinterklaas(?:avond)?",
        "10-31": "halloween",
    },
    "sv": {
        "12-24": "julafton(?:en)?",
        "12-24/12-26": "jul(?:en|dagen|helgen)?",
        "12-31": "nyårsafton(?:en)?",
        "1-1": "nyårsdagen|nyår",
        "2-14": "alla hjärtans dag",
        "10-31": "halloween",
    },
    "da": {
        "12-24": "juleaften",
        "12-24/12-26": "jul(?:en|edag)?",
        "12-31": "nytårsaften",
        "1-1": "nytår(?:sdag)?",
        "2-14": "valentinsdag",
        "10-31": "halloween",
    },
    "pl": {
        "12-24": "wigili[aęi]",
        "12-24/12-26": "boż(?:e|ego) narodzeni[eau]",
        "12-31": "sylwest(?:er|ra)",
        "1-1": "now(?:y|ego) roku?",
        "2-14": "walentynk(?:i|ach)",
        "10-31": "halloween",
    },
    "cs": {
        "12-24": "štědr(?:ý den|ého dne)",
        "12-24/12-26": "vánoc(?:e|ích|emi)?",
        "12-31": "silvestra?",
        "1-1": "nov(?:ý|ého) roku?",
        "10-31": "halloween",
    },
    "ru": {
        "12-31/1-1": "нов(?:ый|ого|ым) год(?:а|ом)?|новогодн(?:яя|юю) ночь",
        "1-7": "рождеств(?:о|а|ом|е)",
        "2-14": "д(?:ень|ня) святого валентина",
        "10-31": "хэллоуин(?:а|е)?",
    },
    "uk": {
        "12-31/1-1": "нов(?:ий рік|ого року)",
        "12-24/12-26": "різдв(?:о|а|ом|і)",
        "10-31": "гелловін",
    },
    "el": {
        "12-24": "παραμονή χριστουγέννων",
        "12-24/12-26": "χριστούγεννα",
        "12-31": "παραμονή πρωτοχρονιάς",
        "1-1": "πρωτοχρονιά",
    },
    "ro": {
        "12-24": "ajunul crăciunului",
        "12-24/12-26": "crăciun(?:ul|ului)?",
        "12-31": "revelion(?:ul|ului)?",
        "1-1": "anul nou",
    },
    "hu": {
        "12-24/12-26": "karácsony(?:kor)?",
        "12-24": "szenteste",
        "12-31": "szilveszter(?:kor)?",
        "1-1": "új ?év(?:kor)?",
    },
    "fi": {
        "12-24": "jouluaatto(?:na)?",
        "12-24/12-26": "joulu(?:na)?",
        "12-31": "uudenvuodenaatto(?:na)?",
        "2-14": "ystävänpäivä(?:nä)?",
    },
    "tr": {
        "12-31/1-1": "yılbaşı(?:nda)?",
        "2-14": "sevgililer günü(?:nde)?",
        "10-31": "cadılar bayramı(?:nda)?",
    },
    "id": {
        "12-24/12-26": "(?:hari )?natal",
        "12-31": "malam tahun baru",
        "1-1": "tahun baru",
    },
    "vi": {
        "12-24": "đêm giáng sinh",
        "12-24/12-26": "giáng sinh|noel",
        "1-1": "tết dương lịch",
        "2-14": "(?:lễ tình nhân|valentine)",
        "10-31": "halloween",
    },
    "zh": {
        "12-24": "平安夜",
        "12-24/12-26": "圣诞节?|聖誕節?",
        "12-31": "跨年夜",
        "1-1": "元旦",
        "2-14": "情人节|情人節",
        "10-1": "国庆节|國慶節",
        "10-31": "万圣节|萬聖節",
    },
    "ja": {
        "12-24": "クリスマスイブ",
        "12-24/12-26": "クリスマス",
        "12-31": "大[晦み]日|大みそか",
        "1-1": "元日|元旦",
        "1-1/1-3": "お?正月",
        "2-14": "バレンタイン(?:デー)?",
        "10-31": "ハロウィン",
    },
    "ko": {
        "12-24": "크리스마스 ?이브",
        "12-24/12-26": "크리스마스|성탄절",
        "1-1": "새해 첫날|신정",
        "2-14": "[밸발]렌타인데이",
        "10-31": "할로윈|핼러윈",
    },
}


def language(code: str) -> dict[str, Any]:
    """The record of one language: patterns in lower case, one for each month and so on."""
    info = importlib.import_module(f"dateparser.data.date_translation_data.{code}").info
    own = WORDS[code]
    phrases: dict[str, list[str]] = {}
    for key, words in info.get("relative-type", {}).items():
        if (found := re.fullmatch(r"(?:in )?(\d+) (\w+)(?: ago)?", key)) and found[2] in UNITS:
            offset = int(found[1]) * (1 if key.startswith("in") else -1)
            phrases.setdefault(f"{found[2]} {offset}", []).extend(map(re.escape, _words(words, 2)))
    for key, pattern in own.get("phrases", {}).items():
        phrases.setdefault(key.strip(), []).append(pattern)
    counted: dict[str, dict[str, list[str]]] = {"ago": {}, "ahead": {}}
    for key, patterns in info.get("relative-type-regex", {}).items():
        found = re.fullmatch(r"(in )?\\1 (\w+)(?: ago)?", key)
        if not found or found[2] not in UNITS:
            continue
        kept = [one.casefold().replace(COUNT, "{n}") for one in patterns if COUNT in one]
        kept = [one for one in kept if PLAIN.fullmatch(one) and _is_long(one)]
        counted["ahead" if found[1] else "ago"].setdefault(found[2], []).extend(kept)
    units = {unit: _words(info.get(unit, ()), 2, 1) for unit in UNITS}
    for unit, pattern in own.get("units", {}).items():
        units[unit].append(pattern)
    for unit, words in units.items():
        if pattern := own.get("ago", "").replace("{unit}", f"(?:{'|'.join(words)})"):
            counted["ago"].setdefault(unit, []).append(pattern)
    return {
        "order": info.get("date_order", "DMY"),
        "months": _names(info, MONTHS, own),
        "weekdays": _names(info, DAYS, own, 4),
        **{name: _listed(own[name]) for name in ("seasons", "numbers")},
        "holidays": HOLIDAYS.get(code, {}),
        "phrases": {key: "|".join(phrases[key]) for key in sorted(phrases)},
        **{name: {unit: "|".join(all) for unit, all in counted[name].items()} for name in counted},
        "units": {unit: "|".join(words) for unit, words in units.items()},
        **{name: own[name] for name in ("last", "this", "next", "weekend")},
        **{name: own.get(name, "") for name in ("suffix", "prefix", "not_after")},
    }


def _names(info: Any, kinds: list[str], own: Mapping[str, Any], least: int = 3) -> list[str]:
    """A pattern for each name: of Latin letters, those of ``least`` letters."""
    more = ("months", "more_months") if kinds == MONTHS else ("days", "more_days")
    lists = [_listed(own[key]) for key in more if key in own]
    left_out = own.get("without", "").split()
    named = []
    for place, kind in enumerate(kinds):
        found = _words(info.get(kind, ()), least, own.get("least", 2))
        words = [word for word in found if word not in left_out]
        added = [listed[place] for listed in lists if listed[place] != "-"]
        named.append("|".join([*words, *added]))
    return named


def _listed(words: str) -> list[str]:
    return words.split(";") if ";" in words else words.split()


def _words(words: Any, least: int, others: int = 2) -> list[str]:
    """Words in lower case: of Latin letters, those of ``least`` letters, of other letters those of
    ``others``."""
    found = dict.fromkeys(word.casefold().strip(". ") for word in words)
    plain = [word for word in found if PLAIN.fullmatch(word)]
    return [word for word in plain if len(word) >= (least if max(word) < "\u0250" else others)]


def _is_long(pattern: str) -> bool:
    letters = re.sub(r"\{n\}|\W", "", pattern)
    return len(letters) > 2 or not letters.isascii()


def made() -> str:
    """The text of the file."""
    found = {code: language(code) for code in LANGUAGES}
    lines = [f'"{code}": {json.dumps(found[code], ensure_ascii=False)}' for code in LANGUAGES]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    PLACE.write_text(made(), encoding="utf-8")
