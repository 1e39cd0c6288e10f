"""French, as the grammar of plain statements reads it, with its elisions written out (je ai)."""

from __future__ import annotations

import re

from thalamus.policy.language.french.times import TIME_WORDS
from thalamus.policy.language.lexicon import Lexicon
from thalamus.policy.language.patterns import LazyPattern, any_of
from thalamus.policy.language.romance.past_frames import ended
from thalamus.policy.language.romance.words import (
    AT_HAND,
    LAUGH,
    MY_NAME,
    NAME,
    PROPER,
    VEHICLE,
    alternatives,
    among,
    arranger,
    frame,
    had,
    kin,
    named,
    not_fleeting,
    thing,
    things,
)
from thalamus.policy.language.vocabulary.activities import (
    is_hobby,
    is_instrument_or_sport,
    is_language,
)
from thalamus.policy.language.vocabulary.activity_nouns import activity_noun
from thalamus.policy.language.vocabulary.given_names import is_given_name
from thalamus.policy.language.vocabulary.relations import owners, with_ended
from thalamus.policy.language.vocabulary.word_classes import (
    is_animal_or_illness,
    is_medicine,
    is_occupation,
    is_romance_illness,
    is_trait,
)

KIN = kin({
    "wife": "femme épouse", "husband": "mari époux", "partner": "conjoint conjointe compagnon compagne",
    "girlfriend": "copine petite_amie", "boyfriend": "copain petit_ami", "fiance": "fiancé fiancée",
    "sister": "sœur soeur frangine petite_sœur grande_sœur petite_soeur grande_soeur demi-sœur",
    "brother": "frère frangin petit_frère grand_frère demi-frère",
    "mother": "mère maman", "father": "père papa", "son": "fils", "daughter": "fille", "child": "enfant bébé",
    "grandmother": "grand-mère mamie mémé", "grandfather": "grand-père papi papy pépé",
    "grandson": "petit-fils", "granddaughter": "petite-fille", "uncle": "oncle tonton", "aunt": "tante tata",
    "cousin": "cousin cousine", "nephew": "neveu", "niece": "nièce",
    "brother_in_law": "beau-frère", "sister_in_law": "belle-sœur belle-soeur",
    "mother_in_law": "belle-mère", "father_in_law": "beau-père", "son_in_law": "gendre",
    "daughter_in_law": "belle-fille",
    "best_friend": "meilleur_ami meilleure_amie", "friend": "ami amie pote",
    "boss": "chef cheffe patron patronne", "neighbour": "voisin voisine", "colleague": "collègue",
    "flatmate": "colocataire coloc", "dog": "chien chienne chiot labrador caniche teckel berger_allemand border_collie épagneul bouledogue golden beagle husky",
    "cat": "chat chatte chaton", "horse": "cheval jument poney",
    "pet": "tortue lapin lapine hamster perroquet perruche canari furet poisson cochon_d'inde oie poule canard hérisson "
           "iguane gecko serpent couleuvre chinchilla gerbille rat rate souris chèvre âne ânesse mouton brebis cochon calopsitte",
    "teacher": "professeur professeure prof", "dentist": "dentiste", "therapist": "psy psychologue thérapeute", "doctor": "médecin généraliste",
    "godson": "filleul", "goddaughter": "filleule", "godmother": "marraine", "godfather": "parrain",
    "stepmother": "marâtre",
})  # fmt: skip
KIN = with_ended(KIN, ex=("ex-", "ex ", "ex"))
_KIN = alternatives(KIN)
_SEVERAL = kin({
    "child": "enfants gosses gamins mômes jumeaux loulous", "son": "garçons fistons fils", "daughter": "filles jumelles",
    "sibling": "frères_et_sœurs frères_et_soeurs", "brother": "frères frangins", "sister": "sœurs soeurs frangines",
    "dog": "chiens chiennes", "cat": "chats chattes chatons", "pet": "lapins poules tortues perruches hamsters rats chèvres ânes canaris",
    "grandson": "petits-fils", "granddaughter": "petites-filles", "nephew": "neveux", "niece": "nièces",
})  # fmt: skip
_KIND = r"(?:(?:petit|petite|grand|grande|vieux|vieil|vieille|cher|chère|futur|future|premier|première|nouveau|nouvelle)\s*)?"
_KIND_AFTER = (
    r"(?:\s+(?:aînée?|cadette?|jumeau|jumelle|adoptive|adoptif|actuelle?|d'enfance|de\s+bureau))?"
)
_MY = r"(?:mon|ma|mes|notre|nos)"
_MONTH = "(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)"
_DAY = "(?:lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?)"
_COUNT = r"(?:\d{1,3}|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|quelques|plusieurs)"
_UNIT = r"(?:jours?|semaines?|mois|ans?|années?|heures?)"
_YEAR = r"(?:(?:19|20)\d\d)"
_POINT = rf"(?:(?:(?:le|la|les|l'|fin|début|mi-?|ce|cet|cette)\s*)*(?:\d{{1,2}}(?:er)?\s+)?(?:{_MONTH}|{_DAY}|été|hiver|automne|printemps|{_YEAR}|année|an|mois|semaine|rentrée)(?!\w)(?:\s+(?:{_YEAR}|derni(?:er|ère)|prochaine?|passée?))?)"
TIMES = any_of(
    rf"""(?<![\w-])(?:
    depuis\s+(?:(?:environ|presque|plus\s+de|bientôt)\s+)*{_COUNT}\s+{_UNIT}|il\s+y\s+a\s+(?:(?:environ|presque|plus\s+de)\s+)*{_COUNT}\s+{_UNIT}|(?:ça|cela)\s+fait\s+{_COUNT}\s+{_UNIT}\s+que
    |(?:depuis|jusqu'en|jusqu'à|jusqu'au|à\s+partir\s+de|à\s+partir\s+du|dès|en|au|à\s+la|pour|pendant|courant)\s+{_POINT}(?:\s+(?:à|jusqu'en|jusqu'à)\s+{_POINT})?
    |de\s+{_POINT}\s+(?:à|jusqu'en)\s+{_POINT}|entre\s+{_POINT}\s+et\s+{_POINT}
    |(?:le|la|l'|ce|cette|cet|les|chaque|tous\s+les|toutes\s+les)\s*(?:{_MONTH}|{_DAY}|mois|année|an|semaine|matins?|soirs?|jours?|week-ends?|été|hiver)(?!\w)(?:\s+(?:derni(?:er|ère)|prochaine?|passée?|matin|midi|soir|après-midi))?
    |(?:le\s+)?\d{{1,2}}(?:er)?\s+{_MONTH}(?:\s+{_YEAR})?|{_DAY}\s+(?:derni(?:er|ère)|prochaine?)|l'(?:an|année)\s+(?:derni(?:er|ère)|prochaine?)
    |(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?:\s+(?:matin|midi|soir|après-midi))?
    |dans\s+{_COUNT}\s+{_UNIT}|pendant\s+{_COUNT}\s+{_UNIT}|{_COUNT}\s+fois\s+(?:par|la|le)\s*(?:semaine|jour|mois|an)
    |depuis\s+(?:toujours|longtemps|peu|hier|lors|l'enfance|tout\s+petite?)|hier|avant-hier|aujourd'hui|demain|après-demain|maintenant|actuellement|dernièrement|avant(?!\s+(?:de|le|la|les|d'|l')\b|\s+[dl]')|autrefois|bientôt|récemment|en\s+ce\s+moment
    |de\s+temps\s+en\s+temps|parfois|souvent|normalement|pour\s+l'instant|désormais|le\s+(?:matin|soir|dimanche)
    )(?!\w)"""
)
_ME = r"(?:je|nous|on)"
_START = rf"(?:{_ME}\s|{_MY}\s+{_KIND}(?:{_KIN})\b)"
_LEAD = LazyPattern(
    r"(?:(?:en|à|au|aux|avec|pour|par|comme|dans|chez|de|depuis|entre|sur|grâce\s+à)\s+[^,]{1,50}?,?\s+|(?:aussi|ensuite|puis|alors|ici|là),?\s+|moi,?\s+|nous,\s+)"
    rf"(?={_START})", re.I)  # fmt: skip
_IT = (
    r"(?:est|était|a|avait|habite|habitait|vit|vivait|travaille|travaillait|étudie|parle|se\s+(?:appelle|marie)|joue|aime|adore|déteste|"
    r"préfère|veut|va|fut|fait|ne|vient|prend|souffre|boit|mange|conduit|enseigne|fête|déménage|part|cherche|vend|dort|court|nage|chante|danse|peint|lit|écrit|dessine|entre|passe|perd|sait|collectionne|cuisine|entraîne|dirige|garde|tient|adorait|aimait|jouait|était|aboie|mord|refuse|vieillit|commence|apprend|fume|pratique|suit|porte|nous|me|les?)"
)
_ARTICLES = r"les|le|la|l'|une|un|des|du|de\s+la|de\s+l'|mon|ma|mes|notre|nos"
_STOP = (
    r"et|mais|avec|depuis|jusqu'\w+|parce|car|comme|où|qui|que|quand|pour|par|en|dans|à|au|aux|chez|ou|ni|si|sans|aussi|"
    r"maintenant|pendant|avant|après|devenue?|près|est|était|plutôt|plus"
)
THING = thing(_ARTICLES, _STOP)
LIST = things(
    _ARTICLES,
    r"mais|parce|car|quand|depuis|si|personne|je|tu|surtout|notamment|en|à|au|dans|avec|qui|que|plus\s+que|beaucoup|comme|pour|est|sauf",
)
_CAUSES = LIST.replace("|en|à|au|dans|", "|en|dans|")
_IN = r"(?:à|en|au|aux|dans\s+(?:le|la|l'|les)|sur\s+(?:le|la|l'))\s*"
_NO = r"(?:pas|plus|jamais)"
_NO_MORE = r"(?:ne\s+|n')?"
_AHEAD = r"(?=.*–.*(?:à\s+partir\s+d|prochain|demain|\bdans\s|dès\s|bientôt))"
_MUCH = (
    r"(?:(?:beaucoup|énormément|bien|trop|vraiment|aussi|tellement|surtout|particulièrement)\s+)*"
)
_LIVE = r"(?:habite|habitons|vis|vit|vivons|réside|crèche|suis\s+installée?|est\s+installée?|sommes\s+installée?s|(?:suis|est|sommes)\s+basée?s?|loge)"
_WITH = r"(?:(?:pendant\s+)?(?:\d+|une?|deux|trois|quatre|cinq|six|sept|huit|dix|quinze|vingt)\s+(?:ans|mois)\s+)?(?:à\s+(?:deux|trois|quatre|cinq|six|sept|huit)\s+)?(?:ici\s+|là\s+)?(?:(?:seule?|ensemble|toujours|encore)\s+)*(?:(?:avec|chez)\s+[^,–]+?\s+)?(?:dans\s+une?\s+[^,–]+?\s+(?=à\s+(?-i:[A-ZÉ])|en\s+(?-i:[A-Z])|au\s+(?-i:[A-Z])|près\s))?"
_NO_TOWN = frozenset(
    """maison appartement couple famille campagne centre ville rue quartier étage côté colocation concubinage paix hôtel monde mer étranger fond
    deuxième troisième premier rez-de-chaussée deux trois trente internat moment train fait""".split()
)
_NO_LIKING = frozenset(
    """que ça cela ceci ce cette cet ces celui celle toi vous moi quand comment comme ton ta tes votre vos beaucoup rien tout quelque lui
    te savoir entendre parler discuter bien bon""".split()
)


def _town(object: str) -> bool:
    words = object.casefold().split()
    return words[0] not in _NO_TOWN and not re.search(r"\d|\bmes?\b|\bmon\b", object.casefold())


def _firm(object: str) -> bool:
    return not re.match(
        r"(?:moi|nuit|jour|équipe|distance|plein|temps|mi-temps|domicile|horaires|un\s|une\s+(?:thèse|série)|mon\s+compte|"
        r"vivre|manger|maison|autre|ce\b|cela|ça)\b", object, re.I)  # fmt: skip


def _liked(object: str) -> bool:
    words = object.casefold().split()
    return (
        not {words[0], words[-1]} & AT_HAND
        and words[0] not in _NO_LIKING
        and not re.search(r"\b(?:je|tu|suis|est|sont)\b", object.casefold())
    )


def _vehicle(object: str) -> bool:
    return (
        object[0].isupper()
        or re.match(r"voiture|moto|camion|bus|taxi|scooter", object, re.I) is not None
    )


def _trade(object: str) -> bool:
    """Whether somebody may work as it: "comme un fou", "comme d'habitude" name no trade."""
    return object[0].islower() and not re.match(
        r"(?:fous?|folle|malade|dingue|chien|brute|bête|âne|d'hab|prévu|toujours|tout|avant|convenu|si\b|ça|cela|il\b|je\b|on\b)",
        object,
        re.I,
    )


def _eaten(object: str) -> bool:
    """Whether it may be food or drink: not "je supporte pas le bruit"."""
    return not re.search(
        r"\b(?:bruit|gens|froid|chaleur|chaud|temps|voir|faire|aller|venir|dormir|sortir|que|qui|être|avoir|ça|idée|fait|"
        r"peine|mal|famine|métro|sport|oublier|dire|parler|voisins?|injustice|hypocrisie|mensonges?|tout|conduire|courir)\b",
        object,
    )


_NATIONS = frozenset(
    """français française belge suisse suissesse québécois québécoise canadien canadienne algérien algérienne marocain
    marocaine tunisien tunisienne sénégalais sénégalaise ivoirien ivoirienne camerounais camerounaise malien malienne
    congolais congolaise libanais libanaise italien italienne espagnol espagnole portugais portugaise allemand allemande
    anglais anglaise breton bretonne corse basque alsacien alsacienne normand normande parisien parisienne lyonnais lyonnaise
    marseillais marseillaise toulousain toulousaine bordelais bordelaise luxembourgeois luxembourgeoise roumain roumaine
    polonais polonaise russe ukrainien ukrainienne haïtien haïtienne martiniquais martiniquaise réunionnais réunionnaise
    guadeloupéen guadeloupéenne""".split()
)
_I_AM_WHOLE = rf"(?:(?:moi,?\s+)?(?:c'est|ce\s+est)|je\s+suis|je\s+me\s+(?:appelle|nomme|présente,?)|ici)\s+{NAME}(?:\s+mais\s+[^,]+)?,\s+"
_NAMES = rf"{NAME}(?:(?:\s*,\s*|\s+et\s+|,\s+et\s+){NAME})*(?:\s+et\s+moi)?"
_END_OF_LIST = r"(?=,?\s+(?:ni|parce|car|mais|depuis|quand|en|avec|pour|qui|que|donc|sauf|à|dans)\b|\s*[.;:!?()–]|$)"
_SHOPS = (
    "boulangerie|boutique|librairie|bar|resto|restaurant|café|crêperie|salon|fleuriste|entreprise|boîte|ferme|exploitation|"
    "gîte|hôtel|atelier|cabinet|pharmacie|épicerie|pâtisserie|food-truck|brasserie|garage|auto-école|pizzeria|boucherie|fromagerie"
)
_A_SHOP = rf"(?P<object>une?\s+(?:petite?\s+)?(?:{_SHOPS})(?:\s+[a-zà-ÿ]{{4,}})?)(?=\W|$)"
_GIVEN_UP = (
    "café|tabac|clope|cigarette|alcool|sucre|viande|gluten|bière|vin|sodas?|coca|laitages|lait|pain|sport|gym|yoga|pilates|"
    "foot|danse|natation|réseaux\\s+sociaux|instagram|facebook|twitter|tiktok|joints?|cannabis|chocolat|vapote|judo|escalade|piano|fac"
)
_MAKE = "écrire|construire|retaper|restaurer|rénover|monter|développer|coder|programmer|dessiner|préparer|créer|enregistrer|traduire|organiser|peindre|tricoter|coudre|tourner|composer|fabriquer|réparer|bricoler|rédiger|illustrer|aménager|concevoir"
_MAKE_NOW = "(?:écris|retape|retapons|restaure|rénove|rénovons|construis|construisons|développe|code|programme|conçois|rédige|fabrique|aménage|aménageons|bricole|réalise|monte(?=\\s+(?:une\\s+(?:boîte|pièce|asso|entreprise|expo)|un\\s+(?:projet|groupe|spectacle))))"
_SOON = r"(?:prochain|demain|dans\s+(?:\d|une?|deux|trois|quelques)|le\s+\d|ce\s|cet\s|cette\s|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?!s)|en\s+(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|20\d\d)|bientôt|à\s+la\s+rentrée|au\s+printemps|l'été|\d+\s+(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre))"
_BOTHERS = (
    r"ennuyée?s?(?:\s+à\s+mourir)?|ennuient?|énervent?|agacent?|saoulent?|soûlent?|gonflent?|dégoûtent?|dégoutent?|insupportent?|"
    r"horripilent?|barbent?|stressent?|angoissent?|fatiguent?|rebutent?|gavent?|débectent?|répugnent?|sort(?:ent)?\s+par\s+les\s+yeux|donnent?\s+(?:la\s+nausée|des\s+boutons)|dérangent?"
)
_FIRST_SAID = r"(?:(?:les|le|la|l'|aller\s+(?:au|à\s+la)|faire\s+(?:du|de\s+la))\s*)(?P<object>(?!plus\b|fait\b)[^,.;:!?()–]+?)"
_LIKED = {"several": True, "fits": _liked}
_AT = r"(?:chez|à\s+(?:la|l')|à|au|aux|dans\s+(?:une?|le|la|l')|pour)\s*"
FRAMES = (
    *ended(
        KIN,
        had=r"(?:avais|avions|avait|ai\s+eu|avons\s+eu)",
        named=r"\s+(?:qui\s+s(?:'|e\s+)appelait|appelée?|nommée?)",
        plays_no_more=r"(?:ne\s+)?(?:joue|jouons)\s+plus\s+(?:du\s+|de\s+la\s+|de\s+l'|aux?\s+|à\s+la\s+|d')",
        does_no_more=r"(?:ne\s+)?(?:fais|faisons|pratique)\s+plus\s+(?:de\s+la\s+|de\s+l'|du\s+|de\s+|d'|le\s+|la\s+)?",
    ),
    frame("name", rf"me\s+(?:appelle|nomme|prénomme)\s+(?P<object>{MY_NAME})", mine=True),
    frame("name", rf"^(?:moi,?\s+)?(?:ce\s+est|c'est)\s+(?P<object>{NAME})(?=\s*[,.]|$)", whole=True, mine=True),
    frame("name", rf"^mon\s+(?:nom|prénom)(?:\s+complet)?\s+est\s+(?P<object>{MY_NAME})", whole=True, mine=True),
    frame("name", rf"suis\s+(?P<object>{NAME})(?=\s*[,.;!–]|\s+et\b|$)", mine=True),
    frame("name", rf"^(?:appelle-moi|appelez-moi|tu\s+peux\s+me\s+appeler)\s+(?P<object>{PROPER})", whole=True, mine=True),
    frame("name", rf"^(?:(?:moi|ici),?\s+)?(?:c'est|ce\s+est|ici|je\s+me\s+présente,?(?:\s*:)?)\s+(?P<object>{NAME})(?=\s+(?:mais|et)\b|\s*[,.]|$)", whole=True),
    frame("nickname", rf"(?:\bme\s+(?:appellent|surnomment|surnomme)|\b(?:mon\s+)?(?:surnom|diminutif)(?:\s+(?:est|ce\s+est|c'est))?|\b(?:on|tout\s+le\s+monde|les\s+gens|mes\s+\w+)\s+me\s+(?:appellent|appelle|surnomme|surnomment|dit|disent)|\bvous\s+pouvez\s+me\s+appeler)\s+(?P<object>{PROPER})(?=\s*[,.;!–]|\s+(?:et|mais|depuis)\b|$)(?<!je\sme\sappelle\s)", whole=True, fits=named),
    frame("nickname", rf"\bmais\s+(?P<object>{NAME})\s+(?:tout\s+court\s+)?(?:suffit|ça\s+suffit|c'est\s+bien|ira|tout\s+court)", whole=True),
    frame("age", rf"^(?:{_I_AM_WHOLE})(?:[^,]+,\s+)*?(?P<object>\d{{1,2}})\s+ans(?=\s*[,.;–]|\s+et\b|$)", whole=True),
    # -- home
    frame("home_town", rf"(?:viens|suis|est|sommes)\s+(?:originaire\s+|natif\s+|native\s+)?(?:de|d'|du|des)\s*(?P<object>{NAME})(?=\s*[,.;!–]|\s+(?:et|mais|à\s+la\s+base|d'origine)\b|$)", mine=True, fits=lambda o: not is_given_name(o)),
    frame("home_town", rf"(?:ai|avons|a)\s+grandi\s+{_IN}{THING}", fits=_town),
    frame("lives_in", rf"{_LIVE}\s+(?P<object>{NAME})(?=\s*[,.;!–]|\s+(?:et|mais|avec|depuis|même|centre)\b|$)", fits=_town),
    frame("lives_in", rf"{_LIVE}\s+{_WITH}(?:sur|vers|près\s+d[e']|du\s+côté\s+d[e'])\s*(?P<object>{NAME})", fits=_town),
    frame("lives_in", rf"(?:loue|louons)\s+une?\s+(?:[\w-]+\s+)?(?:appart\w*|studio|maison|chambre|t[1-5]|coloc\w*|meublé)\s+(?:[^,–]+?\s+)?(?:à|en|sur)\s+(?P<object>{NAME})", fits=_town),
    frame("lives_in", rf"\b(?:exilée?|installée?|expatriée?|basée?)\s+(?:à|en|au|aux|sur)\s+(?P<object>{NAME})", whole=True, fits=_town),
    frame("lives_in", rf"\b(?:vient|viens|venons)\s+d(?:e\s+|')(?:déménager|se\s+installer|me\s+installer|nous\s+installer|emménager)\s+{_IN}{THING}", whole=True, fits=_town),
    frame("lives_in", rf"(?:{_NO_MORE}{_LIVE}\s+plus|habitais|habitions|habitait|vivais|vivait|vivions|ai\s+(?:habité|vécu)|avons\s+(?:habité|vécu)|a\s+(?:habité|vécu))\s+{_WITH}{_IN}{THING}", over=True, fits=_town),
    frame("lives_in", rf"{_LIVE}\s+{_WITH}{_IN}{THING}{_AHEAD}", coming=True, fits=_town),
    frame("lives_in", rf"{_LIVE}\s+{_WITH}{_IN}{THING}", fits=_town),
    frame("lives_in", rf"(?:(?:me\s+|nous\s+|se\s+)?(?:suis|sommes|est|ai|avons|a)\s+)(?:déménagée?s?|installée?s?|emménagée?s?|venue?s?\s+vivre)\s+(?:de\s+.+?\s+)?{_IN}{THING}", fits=_town),
    frame("lives_in", rf"(?:(?:vais|allons|va)\s+(?:déménager|me\s+installer|nous\s+installer|habiter|vivre|emménager)|déménage|déménageons|déménagerai|déménagerons)\s+(?:de\s+.+?\s+)?{_IN}{THING}", coming=True, fits=_town),
    # -- work
    frame("works_at", rf"(?:{_NO_MORE}(?:travaille|bosse|travaillons)\s+plus|travaillais|travaillait|ai\s+(?:travaillé|bossé)|a\s+travaillé)\s+(?:comme\s+.+?\s+)?{_AT}{THING}", over=True, fits=_firm),
    frame("works_at", rf"(?:ai\s+quitté|ai\s+démissionné\s+de|a\s+quitté)\s+(?:mon\s+(?:travail|poste|emploi)\s+chez\s+)?(?P<object>{NAME})", over=True, fits=_firm),
    frame("works_at", rf"(?:commence|commencerai|vais\s+(?:commencer|travailler)|travaillerai|rejoins|entre)\s+(?:à\s+travailler\s+|un\s+nouveau\s+(?:travail|boulot|poste)\s+)?(?:comme\s+.+?\s+)?(?:chez\s+|à\s+|au\s+)?(?P<object>{NAME})", coming=True),
    frame("works_at", rf"(?:travaille|bosse|taffe)\s+(?:comme\s+.+?\s+)?{_AT}{THING}{_AHEAD}", coming=True, fits=_firm),
    frame("works_at", rf"(?:travaille|bosse|bossons|travaillons|taffe|taf|suis\s+(?:employée?|embauchée?|salariée?|en\s+(?:poste|alternance|stage|apprentissage|cdi|cdd)))\s+(?:(?:comme|en\s+tant\s+que)\s+.+?\s+)?{_AT}{THING}", fits=_firm),
    frame("works_at", rf"(?:ai|a)\s+(?:commencé|été\s+embauchée?|été\s+engagée?)\s+(?:à\s+travailler\s+)?(?:comme\s+.+?\s+)?(?:chez|à|par)\s+(?P<object>{NAME})"),
    frame("works_at", rf"(?:suis|est)\s+[\w -]+?\s+chez\s+(?P<object>{NAME})"),
    frame("works_as", rf"(?:{_NO_MORE}travaille\s+plus|travaillais|ai\s+travaillé)\s+(?:{_AT}.+?\s+)?comme\s+{THING}", over=True, fits=is_occupation),
    frame("works_as", rf"(?:{_NO_MORE}(?:suis|est)\s+plus|étais|était|ai\s+été)\s+{THING}", over=True, fits=is_occupation),
    frame("works_at", r"(?:enseigne|donne\s+des\s+cours|donne\s+cours)\s+(?:[^,–]+?\s+)?(?:au|à\s+la|à\s+l'|dans\s+une?|dans\s+le)\s*(?P<object>(?:lycée|collège|fac|université|école|conservatoire|académie)[^,.;:!?()–]*?)(?=\s+(?:et|depuis|en)\b|\s*[,.;–]|$)"),
    frame("works_as", rf"(?:travaille|bosse|taffe|exerce)\s+(?:{_AT}[^,]+?\s+)?(?:comme|en\s+tant\s+que)\s+{THING}", fits=_trade),
    frame("works_as", rf"^mon\s+(?:métier|boulot|taf|travail)(?:,?\s+(?:c'est|ce\s+est)|\s+est)\s+(?:d'être\s+)?{THING}", whole=True),
    frame("works_as", rf"(?:suis|est)\s+{THING}\s+de\s+(?:métier|profession|formation)"),
    frame("works_as", rf"(?:suis\s+devenue?|ai\s+été\s+embauchée?\s+comme|ai\s+été\s+engagée?\s+comme)\s+{THING}", fits=_trade),
    frame("teaches", r"(?:enseigne|donne\s+des\s+cours\s+de|donne\s+des\s+cours\s+d'|donne\s+cours\s+de)\s*(?P<object>(?:le\s+|la\s+|l'|les\s+)?[\wà-ÿ-]+)(?=\W|$)(?<=\w)", mine=True, fits=lambda o: o.split()[0] not in ("à", "au", "dans", "en", "depuis", "aux")),
    frame("owns", rf"(?:tiens|gère|possède|ai|avons|tenons|ai\s+ouvert|avons\s+ouvert|ai\s+repris)\s+{_A_SHOP}", mine=True),
    frame("owns", rf"\b(?:d'ouvrir|ouvert|repris|tenir|lancé|monté)\s+(?P<object>(?:ma|mon|notre)\s+(?:{_SHOPS}))(?=\W|$)", whole=True),
    frame("works_as", rf"^(?:{_I_AM_WHOLE})(?:[^,]+,\s+)??(?:je\s+suis\s+)?{THING}", whole=True, fits=is_occupation),
    frame("works_as", rf"^(?:{_I_AM_WHOLE})[^,]+,\s+(?:je\s+suis\s+)?{THING}", whole=True, fits=is_occupation),
    frame("works_as", rf"^(?:{_I_AM_WHOLE})(?:[^,]+,\s+){{2}}(?:je\s+suis\s+)?{THING}", whole=True, fits=is_occupation),
    frame("works_as", rf"(?:suis|est|sommes)\s+{THING}", fits=is_occupation),
    # -- family and pets
    frame("{kin}", rf"{_MY}\s+(?:\w+\s+)?(?P<kin>{alternatives(_SEVERAL)})(?:\s+se\s+appellent|\s+s'appellent|,|\s+sont|\s*:|,?\s+c'est)\s+(?P<object>{_NAMES})", whole=True, several=True, fits=named),
    frame("{kin}", rf"^(?:je|nous|on)\s+(?:ai|avons|a|sommes|est)\s+(?:\w+\s+){{0,2}}?(?P<kin>{alternatives(_SEVERAL)})(?:\s+\w+)?\s*(?:,|:|\(|\s+qui\s+se\s+appellent|\s+qui\s+s'appellent)\s*(?P<object>{_NAMES})", whole=True, several=True, fits=named),
    frame("{kin}", rf"^(?:le|la|l'|notre)\s*(?P<kin>{alternatives({word: of for word, of in KIN.items() if of in ('dog', 'cat', 'pet', 'horse')})})\s+(?:se\s+appelle|s'appelle)\s+(?P<object>{PROPER})", whole=True),
    frame("{kin}", rf"(?:ai|avons|a)\s+une?\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}(?:\s+de\s+\d+\s+(?:ans|mois))?\s*[,:(]\s*(?P<object>{NAME})(?=\s*(?:[,.)]|$))", mine=True),
    frame("{kin}", rf"^(?P<object>{NAME}),\s+(?:c'est\s+)?{_MY}\s+{_KIND}(?P<kin>{_KIN})(?:\s+[a-zà-ÿ]+){{0,2}}(?=\s*,)", whole=True),
    frame("partner", rf"(?:se|nous)\s+(?:pacse|marie|marions|pacsons)\s+avec\s+(?P<object>{NAME})", mine=True),
    frame("partner", rf"(?:(?:me\s+)?(?:marie|pacse)|vis|habite|est\s+ensemble|sommes\s+ensemble)\s+avec\s+(?P<object>{NAME})(?=\s*[,.;!–]|\s+(?:depuis|et|à|en|dans)\b|$)", mine=True),
    frame("partner", rf"(?:suis|est)\s+(?:en\s+couple|pacsée?|fiancée?|en\s+concubinage)\s+avec\s+(?P<object>{NAME})", mine=True),
    frame("{kin}", rf"(?:ai|avons|ai\s+adopté|avons\s+adopté)\s+.*?\bune?\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER},?\s+(?:qui\s+se\s+appelle|nommée?|appelée?|prénommée?|du\s+nom\s+de)\s+(?P<object>{PROPER})", mine=True),
    frame("partner", rf"(?:suis|sors)\s+(?:en\s+couple\s+)?avec\s+(?P<object>{NAME})(?=.*–.*depuis|$)", mine=True, fits=lambda o: True),
    frame("married_to", rf"(?:suis|est)\s+mariée?\s+(?:à|avec)\s+(?P<object>{NAME})"),
    # -- what someone has
    frame("allergic_to", rf"(?:ai|a)\s+une\s+(?:grosse\s+|forte\s+)?allergie\s+(?:aux?|à\s+la|à\s+l'|à)\s*{_CAUSES}", several=True),
    frame("allergic_to", rf"(?:fais|développe|ai\s+développé|ai\s+fait)\s+une?\s+(?:\w+\s+)?(?:allergie|réaction\s+allergique)\s+(?:aux?|à\s+la|à\s+l'|à)\s*{_CAUSES}", several=True),
    frame("allergic_to", r"(?:suis|est)\s+(?:hyper\s+|super\s+|grave\s+|sévèrement\s+)allergique\s+(?:aux?|à\s+la|à\s+l'|à)\s*" + _CAUSES, several=True),
    frame("is", r"(?:suis|est)\s+(?:très\s+)?(?P<object>intolérante?\s+(?:aux?|à\s+la|à\s+l')\s*\w+)"),
    frame("has", r"(?:ai|a|fais|fait|souffre|souffrons)\s+(?:d'|de\s+l'|de\s+la\s+|du\s+|de\s+|des\s+|une\s+|un\s+|la\s+|le\s+)?(?P<object>(?:intolérance\s+(?:au|à\s+l'|aux)\s*\w+|maladie\s+(?!depuis|et|qui)[^,.;:!?()–]+?|syndrome\s+[^,.;:!?()–]+?|diabète(?:\s+de)?\s+type\s+\d|troubles?\s+[^,.;:!?()–]+?|problèmes?\s+d(?:e|u)\s+(?:thyroïde|dos|cœur|tension)))(?=\s+(?:et|depuis|mais|qui|donc)\b|\s*[,.;!–]|$)"),
    frame("has", r"(?:souffre|souffrons)\s+(?:d'|de\s+l'|de\s+la\s+|du\s+|de\s+|des\s+)(?P<object>[^,.;:!?()–]+?)(?=\s+(?:et|depuis|mais|qui|quand)\b|\s*[,.;!–]|$)", fits=lambda o: o.split()[0] not in ("chaleur", "froid", "voir", "être", "ne", "son", "ta", "faim")),
    frame("has", r"(?:ai|a)\s+(?:été\s+diagnostiquée?|appris\s+que\s+(?:je\s+)?(?:ai|avais))\s+(?:d'|de\s+l'|de\s+la\s+|du\s+|une?\s+)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:et|depuis|mais|qui|à|en)\b|\s*[,.;!–]|$)"),
    frame("has", r"(?:fais|fait)\s+(?:de\s+l'|du\s+|de\s+la\s+|des\s+|une\s+)(?P<object>asthme|hypertension|diabète|eczéma|épilepsie|arythmie|migraines|apnées?(?:\s+du\s+sommeil)?|spasmophilie|psoriasis|dépression|tachycardie|arthrose|cholestérol|crises\s+d'\w+)"),
    frame("has", r"\bme\s+a\s+(?:diagnostiqué|découvert|trouvé)\s+(?:d'|de\s+l'|de\s+la\s+|du\s+|une?\s+|un\s+)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:et|depuis|mais|qui|à|en)\b|\s*[,.;!–]|$)", whole=True, fits=had),
    frame("has", r"\b(?:avec|à\s+cause\s+de)\s+(?:mon|ma|mes)\s+(?P<object>(?:maladie\s+de\s+|syndrome\s+de\s+)?[\wà-ÿ]+)(?=\W|$)", whole=True, fits=is_romance_illness),
    frame("has", r"(?:ai|avons|a|souffre)\s+(?:de\s+(?=l'|la)|d')?(?P<object>[\w' -]+?(?:,\s+(?:un|une|deux|trois|quatre|\d)\s+[\w' -]+?)*)(?=\s+(?:mais|en|dans|avec|qui|de|depuis|pour|parce|nommée?|appelée?|comme|à|au|chez)\b|\s*[,.;:!?()–—]|$)", several=True, fits=had),
    frame("drives", rf"(?:conduis|conduit|roule\s+en)\s+(?:une?\s+)?(?:vieille\s+|vieux\s+)?(?P<object>{VEHICLE})"),
    frame("owns", rf"\b{_MY}\s+(?:vieille\s+|vieux\s+|nouvelle\s+|petite\s+|ancienne\s+)?(?:voiture\s+(?:est|c'est)\s+une\s+|moto\s+(?:est|c'est)\s+une\s+)?(?P<object>{VEHICLE})", whole=True),
    frame("owns", rf"(?:ai|avons|me\s+suis\s+acheté|ai\s+acheté|avons\s+acheté|a\s+acheté|ai\s+hérité\s+d')\s*(?:une?\s+)(?P<object>(?:vieille\s+|vieux\s+|petite\s+|nouvelle\s+)?{VEHICLE})", mine=True),
    frame("owns", r"(?:me\s+suis\s+(?:acheté|offert)|ai\s+acheté|avons\s+acheté|a\s+acheté|se\s+est\s+acheté)\s+(?P<object>(?:une?)\s+[^,.;:!?()–]+?)(?=\s+(?:et|pour|en|avec|qui|à|dans)\b|\s*[,.;!–]|$)", mine=True, fits=is_animal_or_illness),
    frame("owns", r"(?:ai|avons|a)\s+vendu\s+(?:mon|ma|notre|la|le)\s+(?P<object>[^,.;:!?()–]+?)(?=\s+(?:et|pour|à|en)\b|\s*[,.;!–]|$)", mine=True, over=True, fits=is_animal_or_illness),
    frame("owns", rf"(?:possède|possédons)\s+{THING}"),
    frame("has", r"(?:ai|avons)\s+une?\s+(?P<object>(?:(?-i:[A-Z])\w*\s*\d+|\d+(?-i:[A-Z])+\w*)(?:\s+de\s+\d{4})?)(?=\s|[,.]|$)"),
    frame("drives", rf"(?:conduis|conduit|roule\s+en)\s+(?:une?\s+)?{THING}", fits=_vehicle),
    frame("allergic_to", rf"(?:suis|est)\s+(?:très\s+)?allergique\s+(?:aux?|à\s+la|à\s+l'|à)\s*{_CAUSES}", several=True),
    frame("takes", r"(?:prends|prend|suis\s+sous|est\s+sous|me\s+pique\s+à\s+l'|me\s+injecte)\s*(?:de\s+la\s+|du\s+|de\s+l'|des\s+|mon\s+|ma\s+|mes\s+|un\s+|\d+\s*mg\s+de\s+)?(?P<object>[\w-]+)(?=\W|$)", fits=is_medicine),
    frame("takes", r"(?:prends|prend)\s+(?:un\s+|des\s+|mes\s+|mon\s+)(?P<object>(?:médicaments?|cachets?|comprimés?|traitement|médocs?)\s+(?:pour|contre)\s+(?:le\s+|la\s+|l'|les\s+)?\w+)"),
    # -- what someone eats, and no longer does
    frame("avoids", rf"^(?:je|nous|on)\s+(?:ne\s+)?(?:mange|mangeons|bois|buvons|boit|consomme|digère|supporte|peux|dois|tolère)\s+(?:pas|jamais|plus|ni)\s+(?:(?:du\s+tout|trop|très|manger|boire|consommer)\s+)*(?:d'|de\s+la\s+|de\s+l'|de\s+|du\s+|le\s+|la\s+|les\s+|l')(?P<object>[^.;:!?()–]+?){_END_OF_LIST}", whole=True, several=True, fits=_eaten),
    frame("avoids", rf"évite\s+(?:de\s+manger\s+|de\s+boire\s+|tout\s+ce\s+qui\s+est\s+)?(?:d'|de\s+la\s+|de\s+l'|de\s+|du\s+)?{LIST}", several=True, fits=_eaten),
    frame("avoids", r"\b(?:le|la|les|l')\s*(?P<object>[\wà-ÿ-]+),?\s+(?:c'est\s+non|c'est\s+fini|très\s+peu\s+pour\s+moi|interdit\s+pour\s+moi|je\s+ne\s+peux\s+pas|je\s+peux\s+pas)", whole=True),
    frame("diet", r"(?:mange|mangeons|cuisine)\s+(?:uniquement\s+|que\s+)?(?P<object>sans\s+(?:gluten|lactose|sel|sucre)|halal|casher|végétarien|végé|vegan|bio|cru)\b"),
    frame("diet", r"(?:suis|fais|suit|fait)\s+(?:au\s+|un\s+)(?P<object>régime\s+(?!depuis|en\b|et\b)[^,.;:!?()–]+?)(?=\s+(?:et|depuis|mais|pour|à)\b|\s*[,.;!–]|$)"),
    frame("plays", rf"(?:ai|a)\s+arrêté\s+(?:de\s+jouer\s+)?(?:du|de\s+la|de\s+l'|le|la|l'|au|les)\s*{THING}", over=True, fits=is_instrument_or_sport),
    frame("practises", r"(?:ai|avons|a)\s+(?:complètement\s+)?(?:arrêté|cessé)\s+(?:de\s+|d')(?P<object>(?!travailler|vivre|être|voir|parler|utiliser|croire|penser|avoir|vouloir)[a-zà-ÿ]+(?:er|ir|re)(?:\s+[^,.;:!?()–]+?)?)(?=\s+(?:et|depuis|parce|mais|pour|quand|grâce|il\s+y)\b|\s*[,.;!–]|$)", over=True, fits=not_fleeting),
    frame("practises", rf"(?:ai|avons|a)\s+(?:complètement\s+)?(?:arrêté|lâché|laissé\s+tomber|abandonné)\s+(?:le\s+|la\s+|l'|les\s+)(?P<object>(?:{_GIVEN_UP})(?:\s+[a-zà-ÿ]+)?)(?=\s+(?:et|depuis|parce|mais|pour|quand|grâce)\b|\s*[,.;!–]|$)", over=True),
    frame("practises", r"(?:ne\s+)?(?:fume|bois|joue)\s+plus\s+(?:de\s+|d')?(?P<object>café|alcool|cigarettes?|tabac|vin|bière)", over=True),
    frame("practises", r"(?:ne\s+)?(?P<object>fume)\s+plus(?=\s*[,.;!–]|\s+(?:et|depuis)\b|$)", over=True),
    # -- likes and dislikes
    frame("likes", rf"(?:{_NO_MORE}(?:aime|aimons)\s+plus|aimais|adorais)\s+(?!que|mieux){THING}", over=True, fits=_liked),
    frame("prefers", r"(?:préfère|préférons)\s+(?:(?:le|la|les|l')\s*)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:à|au|aux|plutôt|que|parce|quand)\b|\s*[,.;:!?()–]|$)", fits=_liked),
    frame("prefers", r"aime\s+(?:mieux|plus)\s+(?:(?:le|la|les|l')\s*)?(?P<object>[^,.;:!?()–]+?)\s+que\b", fits=_liked),
    frame("prefers", rf"aime\s+mieux\s+{THING}", fits=_liked),
    frame("dislikes", rf"^{_FIRST_SAID},?\s+(?:(?:c'est|ce\s+est|ce\s+ne\s+est|ce\s+n'est|n'est|ne\s+est|ce\s+a|ça\s+a)\s+(?:vraiment\s+)?(?:pas|jamais\s+été)\s+(?:trop\s+|vraiment\s+|du\s+tout\s+|franchement\s+)?(?:mon\s+(?:truc|délire|kiff|fort|domaine)|ma\s+(?:tasse\s+de\s+thé|came|passion))|(?:je\s+)(?:ne\s+)?(?:peux\s+pas|supporte\s+pas|aime\s+pas|kiffe\s+pas)(?:\s+du\s+tout)?$|(?:ça\s+)?(?:me|m')\s*(?:(?:a|ont)\s+(?:toujours\s+)?)?(?:{_BOTHERS})|(?:ça\s+)?(?:ne\s+)?(?:me|m')\s*(?:plaît|branche|dit|tente|attire|passionne|emballe)\s+(?:pas|jamais|rien)|très\s+peu\s+pour\s+moi)", whole=True, **_LIKED),
    frame("likes", rf"^{_FIRST_SAID},?\s+(?:(?:c'est|ce\s+est|est)\s+(?:vraiment\s+|trop\s+)?(?:mon\s+(?:truc|délire|kiff|péché\s+mignon|dada)|ma\s+(?:passion|came|grande\s+passion)|toute\s+ma\s+vie)|(?:ça\s+)?(?:me|m')\s*(?:passionnent?|fascinent?|détend|détendent|ravit|plaît\s+(?:beaucoup|énormément)|régale)|(?:j'|je\s+)(?:adore|kiffe|aime(?!\s+pas)))", whole=True, **_LIKED),
    frame("likes", rf"^ma\s+(?:grande\s+)?passion,?\s+(?:est|c'est|ce\s+est)\s+{LIST}", whole=True, **_LIKED),
    frame("dislikes", rf"{_NO_MORE}(?:peux|peut|pouvons)\s+pas\s+(?:supporter|saquer|blairer|encadrer|sentir|voir|piffer|encaisser|avaler)\s+{LIST}", **_LIKED),
    frame("dislikes", rf"{_NO_MORE}(?:suis|est)\s+(?:vraiment\s+)?pas\s+(?:du\s+tout\s+|trop\s+|très\s+|vraiment\s+|un\s+grand\s+|une\s+grande\s+)?(?:fan|amateur|amatrice|branchée?|porté\s+sur|adepte)\s*(?:de\s+la\s+|de\s+l'|des\s+|du\s+|de\s+|d')?{LIST}", **_LIKED),
    frame("dislikes", rf"(?:exècre|abhorre|me\s+passe\s+(?:très\s+)?bien\s+d(?:e|u)|ai\s+une\s+sainte\s+horreur\s+d(?:e|u|es)|fuis)\s+{LIST}", **_LIKED),
    frame("dislikes", rf"{_NO_MORE}(?:kiffe|apprécie)\s+(?:vraiment\s+)?pas\s+(?:(?:du\s+tout|trop|vraiment)\s+)*{LIST}", **_LIKED),
    frame("dislikes", rf"{_NO_MORE}(?:aime|aimons)\s+(?:vraiment\s+)?pas\s+(?:(?:du\s+tout|trop|beaucoup|vraiment)\s+)*{LIST}", **_LIKED),
    frame("dislikes", rf"(?:déteste|détestons|hais|(?:ai|a)\s+horreur\s+(?:de\s+la\s+|de\s+l'|des\s+|du\s+|de\s+|d')|{_NO_MORE}supporte\s+pas|{_NO_MORE}supportons\s+pas)\s*{LIST}", **_LIKED),
    frame("likes", rf"(?:aime|adore|aimons|adorons|kiffe|apprécie|raffole\s+(?:d'|de\s+la|de\s+l'|des|du|de)|ai\s+(?:toujours\s+)?(?:un\s+faible|une\s+passion)\s+pour|a\s+un\s+faible\s+pour|craque\s+pour|me\s+éclate\s+(?:avec|en)|ne\s+me\s+lasse\s+pas\s+(?:des|du|de))\b\s*(?!mieux|pas|plus\b|jamais|que){_MUCH}(?:aller\s+(?:au|à\s+la)\s+)?{LIST}", **_LIKED),
    frame("likes", rf"(?:suis|est)\s+(?:une?\s+)?(?:grande?\s+|gros(?:se)?\s+)?(?:fan|passionnée?|amateur|amatrice|dingue|folle|fou|mordue?|accro|fana|fondue?|gourmande?|friande?)\s+(?:de\s+la|de\s+l'|de|d'|du|des|par|aux?|à\s+la)\s*{LIST}", **_LIKED),
    frame("favourite_{noun}", rf"^{_MY}\s+(?P<noun>\w+)\s+(?:préférée?s?|favori(?:te)?s?)\s+(?:est|sont|ce\s+est|c'est),?\s+{THING}", whole=True, mine=True, fits=_liked),
    frame("prefers", r"(?:suis|est|sommes)\s+(?:plutôt|plus|team)\s+(?P<object>[^,.;:!?()–]+?)\s+(?:que|plutôt\s+que)\s+", mine=True),
    frame("prefers", r"(?:veux|voudrais|aimerais)\s+(?:toujours\s+)?des\s+réponses\s+(?P<object>[a-zà-ÿ]+)", mine=True),
    # -- studies, projects, habits, plans
    frame("studies_at", r"(?:étudie|suis|est|fais|prépare|termine|commence)\s+(?:[^,–]+?\s+)?(?:à|de)\s+(?:la\s+|l')?(?P<object>(?-i:Sorbonne|Sciences\s+Po|HEC|Polytechnique|INSA|Université|Paris|Rennes|Lyon|Lille|Nantes|Bordeaux|Toulouse|Grenoble|Montpellier|Strasbourg|Aix)(?:\s+\d|[- ](?-i:[A-Z])\w*|\s+de\s+(?-i:[A-Z])\w+)+|(?-i:Sorbonne|Sciences\s+Po|HEC|Polytechnique|INSA))(?=\W|$)"),
    frame("studies", r"(?:suis|est|fais|fait|prépare|termine|finis|ai\s+commencé|ai\s+repris|commence)\s+(?:en\s+|une?\s+|mon\s+|ma\s+|des\s+études\s+)?(?:(?:première|deuxième|troisième|quatrième|dernière|\d\w*)\s+année\s+)?(?:(?:licence|master|doctorat|thèse|bts|dut|but|cap|bac\s+pro|l[1-3]|m[12]|fac|prépa|école|formation|diplôme|année|études|alternance)\s*\d?\s*)+(?:pro\s+)?(?:d'|de\s+la\s+|de\s+l'|de\s+|du\s+|en\s+)(?P<object>(?!la\b)[^,.;:!?()–]+?)(?=\s+(?:à|et|depuis|au|mais|dans)\b|\s*[,.;–]|$)"),
    frame("studies", r"(?:suis|est|fais|fait|prépare|termine|passe)\s+(?:en\s+|une?\s+|mon\s+|ma\s+)(?:licence|master|bts|dut|but|cap|bac\s+pro)\s+(?P<object>(?!à\b|et\b|depuis|cette|en\b|de\b|d')[^,.;:!?()–]+?)(?=\s+(?:à|et|depuis|au|mais|dans|en)\b|\s*[,.;–]|$)"),
    frame("studies_at", rf"\b(?:licence|master|doctorat|thèse|bts|dut|fac|l[1-3]|m[12])\s+(?:d'|de\s+|en\s+)[^,–]+?\s+à\s+(?:la\s+|l')?(?P<object>{NAME}(?:\s+\d)?)(?=\s+(?:et|depuis|en)\b|\s*[,.;–]|$)", whole=True),
    frame("studies", r"^(?:licence|master|doctorat|bts|dut|cap)\s+(?:d'|de\s+|en\s+)(?P<object>[^,.;:!?()–]+?)(?=\s+(?:à|et|au)\b|\s*[,.;–]|$)", whole=True),
    frame("studies", r",\s+(?:licence|master|doctorat|bts|dut|cap)\s+(?:d'|de\s+|en\s+)(?P<object>[^,.;:!?()–]+?)(?=\s+(?:à|et|au)\b|\s*[,.;–]|$)", whole=True),
    frame("studies_at", r",\s+(?:licence|master|doctorat|bts|dut|cap)\s+(?:d'|de\s+|en\s+)[^,–]+?\s+à\s+(?P<object>[^,.;:!?()–]+?)(?=\s*[,.;–]|$)", whole=True),
    frame("studies", r"(?:ai|a)\s+(?:étudié|fait\s+des\s+études\s+(?:de|d'|en))\s*(?:le\s+|la\s+|l'|les\s+)?(?P<object>(?!à\b|en\b|pour\b|ta\b|ton\b)[^,.;:!?()–]+?)(?=\s+(?:à|et|au|pendant)\b|\s*[,.;–]|$)", over=True),
    frame("current_project", rf"(?:(?:suis|sommes|est)\s+en\s+train\s+(?:de\s+|d')(?:{_MAKE})|{_MAKE_NOW}|(?:bosse|travaille|planche|travaillons)\s+sur)\s+(?:avec\s+mon\s+\w+\s+[^,–]*?)?(?P<object>(?:une?|mon|ma|notre|nos|le|la|des|les)\s+(?!mail|lettre|message|question|gâteau|dîner|repas|exercice|devoir|sac|valise|exam|poème|texte)[^,.;:!?()–]+?)(?=\s+(?:avec|pour|qui|que|en|depuis|et|mais|dans|à|chez|d[eu]\s+(?:mon|ma|mes|notre))\b|\s*[,.;!–]|$)", mine=True, fits=not_fleeting),
    frame("practises", r"(?:fais|fait|faisons|pratique|pratiquons|refais|me\s+suis\s+mise?\s+(?:à\s+la|au|à\s+l'|aux)|me\s+suis\s+inscrite?\s+(?:à\s+la|au|à\s+l'|à\s+un\s+cours\s+de|en)|suis\s+inscrite?\s+(?:à\s+la|au|à\s+l'|en)|prends\s+des\s+cours\s+(?:de|d')|vais\s+(?:au|à\s+la|à\s+l'))\s*(?:du\s+|de\s+la\s+|de\s+l'|des\s+|le\s+|la\s+|l'|au\s+)?(?P<object>[a-zà-ÿ-]+(?:\s+(?:artistique|à\s+pied|à\s+cheval|classique|contemporaine|en\s+salle|libre))?)(?=\W|$)", fits=is_hobby),
    frame("practises", r"(?:vais|va|allons|pars)\s+(?P<object>courir|nager|marcher|pêcher|chasser|grimper|randonner|danser|surfer|pédaler|(?:au\s+bureau|au\s+boulot|au\s+travail)\s+(?:à|en)\s+vélo|à\s+la\s+(?:salle|piscine|gym|muscu|chorale|messe|pêche|chasse)|au\s+(?:gymnase|club|fitness))(?=\s*[,.;!]|\s+–.*(?:chaque|tous|toutes|fois|le\s+\w+|les\s|souvent)|\s+(?:et|avec)\b)", mine=True),
    frame("practises", r"(?P<object>(?:cours|nage|grimpe|rame|médite|randonne|tricote|brode|couds|jardine|surfe|pêche|chasse|jongle)(?=\s+–|\s+(?:et|avec|depuis|mais|pour|en|à|au|dans|dès|souvent|beaucoup)\b)|chante\s+dans\s+une?\s+(?:chorale|chœur|groupe)|monte\s+à\s+cheval|fais\s+(?:du\s+sport|de\s+la\s+muscu|du\s+vélo)|collectionne\s+[^,.;:!?()–]+?)(?=\s*[,.;!–]|\s+(?:et|avec|depuis|mais|pour|en|à|au|dans|dès|souvent|beaucoup|un)\b|$)", mine=True),
    frame("practises", r"^(?:le|la|l')\s*(?P<object>[a-zà-ÿ-]+(?:\s+[a-zà-ÿ]+)?),?\s+(?:c'est|ce\s+est)\s*(?:,|–|tous\s|le\s|chaque\s|une\s+fois)", whole=True, fits=is_hobby),
    frame("plays", r"(?:jouais|jouait|ai\s+joué)\s+(?:du|de\s+la|de\s+l'|aux|au|à\s+la)\s*(?P<object>[a-zà-ÿ-]+)(?=\W|$)", over=True, fits=is_instrument_or_sport),
    frame("plays", r"(?:joue|jouons|fais|ai\s+commencé|me\s+suis\s+mise?|apprends)\s+(?:(?:du|de\s+la|de\s+l'|au|à\s+la|aux|le|la|l'|à\s+l')\s*)(?P<object>[a-zà-ÿ-]+)(?=\W|$)", fits=is_instrument_or_sport),
    frame("wedding_on", rf"(?:me\s+marie|se\s+marie(?:nt)?|nous\s+marions|vais\s+me\s+marier|va\s+se\s+marier|allons\s+nous\s+marier)\b[^–]*–\s*(?:le\s+|en\s+|au\s+)(?P<object>(?:\d{{1,2}}(?:er)?\s+)?{_MONTH}(?:\s+{_YEAR})?|printemps|été|automne|hiver)(?!\w)"),
    frame("wedding_on", rf"^(?:mon|notre)\s+mariage\s+(?:est|aura\s+lieu|c'est|ce\s+est)\b[^–]*–\s*(?:le\s+|en\s+|au\s+)(?P<object>(?:\d{{1,2}}(?:er)?\s+)?{_MONTH}(?:\s+{_YEAR})?|printemps|été|automne|hiver)(?!\w)", whole=True, mine=True),
    frame("plans_to", rf"(?:(?:me|nous|se)\s+)?(?P<object>(?:marie|marions|pacse|pacsons|fais\s+opérer|fait\s+opérer)(?:\s+[^,;:!?()–]+?)?|(?:pars|part|partons|passe|passons|fête|fêtons|cours|emménage|reprends|accouche|me\s+envole|organise|organisons)(?:\s+(?!pas\b|du\b)[^,;:!?()–]+?)?)(?=\s*,?\s+–.*{_SOON})", mine=True, fits=not_fleeting),
    frame("plans_to", r"(?:vais|allons|va)\s+(?:me|nous|se)\s+(?P<object>(?:marier|pacser|séparer)(?:\s+[^,;:!?()–]+?)?)(?=\s*[,;!–]|$)", mine=True),
    frame("plans_to", rf"(?:veux|voulons|veut|aimerais|aimerions|espère|espérons|compte|pense|pensons|prévois\s+de|prévoyons\s+de)\s+(?P<object>[a-zà-ÿ]+(?:er|ir|re|oir)\s[^,;:!?()–]*?)(?=\s*,?\s+–.*{_SOON})", mine=True, fits=not_fleeting),
    frame("plans_to", rf"(?:ai|avons|a)\s+(?:un\s+|une\s+|mon\s+|ma\s+|le\s+|la\s+|pris\s+)?(?P<object>(?:rendez-vous|rdv|rendez\s+vous|entretien|examen|partiels?|mariage|vol|opération|réunion|dentiste|médecin|consultation|irm|écho|kiné|oral|concours|procès|déménagement|soutenance|concert|voyage|baptême|permis|match|spectacle|contrôle)(?:\s+[^,;:!?()–]+?)?)(?=\s*,?\s+–.*{_SOON})", mine=True),
    frame("nationality", r"(?:suis|est)\s+(?:d'origine\s+)?(?P<object>[a-zà-ÿ-]+)(?=\s*[,.;!–]|\s+(?:et|mais|d'origine|de\s+naissance)\b|$)", fits=among(_NATIONS)),
    frame("member_of", r"(?:suis|est|fais|fait)\s+(?:bénévole|membre|adhérente?|partie|sociétaire|licenciée?)\s+(?:de\s+la|de\s+l'|de|du|d'|aux|à\s+la|au|chez)\s*(?:une?\s+)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:et|depuis|mais)\b|\s*[,.;!–]|$)", mine=True),
    # -- the rest
    frame("speaks", r"(?:parle|parlons)\s+(?:(?:bien|très\s+bien|couramment|un\s+peu|un\s+peu\s+de|le|l'|d')\s*)*(?P<object>[a-zà-ÿ]+(?:(?:\s*,\s*|\s+et\s+)(?:(?:et|un\s+peu|un\s+peu\s+de|le|l'|d')\s*)*[a-zà-ÿ]+)*)", several=True, fits=is_language),
    frame("born_in", rf"(?:suis|est)\s+née?\s+(?:et\s+ai\s+grandi\s+)?(?:à|en|au|aux)\s+{THING}", fits=lambda o: o[0].isupper()),
    frame("born_on", rf"(?:suis|est)\s+née?\b.*–.*?(?:le\s+|en\s+)(?P<object>(?:\d{{1,2}}(?:er)?\s+{_MONTH}\s+)?{_YEAR})"),
    frame("birthday", rf"(?:fête|fêtera|a)\s+son\s+anniversaire\b.*?–\s*(?:le\s+)?(?P<object>\d{{1,2}}(?:er)?\s+{_MONTH})"),
    frame("birthday", rf"^l'\s?anniversaire\s+de\s+{_MY}\s+{_KIND}(?P<whose>{_KIN})(?:\s+(?P<whose_name>{NAME}))?\s+(?:est|tombe|ce\s+est|c'est)\b.*?–\s*(?:le\s+)?(?P<object>\d{{1,2}}(?:er)?\s+{_MONTH})", whole=True),
    frame("birthday", rf"^mon\s+anniversaire\s+(?:est|ce\s+est|c'est)\b.*?–\s*(?:le\s+)?(?P<object>\d{{1,2}}(?:er)?\s+{_MONTH})", whole=True, mine=True),
    frame("age", r"(?P<object>\d{1,3})\s+ans(?=,)"),
    frame("age", r"(?:ai|a)\s+(?P<object>\d{1,3})\s+ans\b(?!\s+de\s)"),
    frame("studies_at", r"(?:étudie|suis\s+étudiante?)\s+(?:[\w' -]+?\s+)?(?:à\s+l'|à\s+la|à)\s*(?P<object>(?:université|école|fac|Sorbonne|Sciences\s+Po)[^,.;:!?()–]*?)(?=\s+(?:et|depuis|en)\b|\s*[,.;–]|$)"),
    frame("studies", rf"étudie\s+(?!à\b|en\b|au\b|pour\b|beaucoup\b|dans\b){THING}"),
    frame("studies", r"(?:suis\s+étudiante?|fais\s+des\s+études)\s+(?:en|de|d')\s*(?P<object>[^,.;:!?()–]+?)(?=\s+(?:à|et|depuis|au)\b|\s*[,.;–]|$)"),
    frame("plays", rf"(?:joue|jouons)\s+(?:(?:du|de\s+la|de\s+l'|aux|au|à\s+la)\s*){LIST}", several=True, fits=is_instrument_or_sport),
    frame("learns", rf"apprends\s+(?:à\s+jouer\s+d(?:u|e\s+la)\s+)?{THING}", fits=lambda o: is_language(o) or is_instrument_or_sport(o)),
    frame("practises", r"fais\s+(?:du|de\s+la|de\s+l')\s*(?P<object>yoga|pilates|karaté|judo|natation|escalade|méditation|boxe|crossfit|randonnée|vélo|course|danse|poterie|théâtre|équitation)\b"),
    frame("plans_to", r"(?:vais|allons|compte|comptons|prévois\s+de|envisage\s+de)\s+(?P<object>(?!voir\b|commencer\b|travailler\b|déménager\b|habiter\b|vivre\b|essayer\b|dormir\b|manger\b|être\b|avoir\b|me\s+installer)[a-zà-ÿ]+(?:er|ir|re|oir)\s[^,;:!?()–]*?)(?=\s*[,;!?()]|\s+–.*(?:prochain|à\s+partir|demain|dans\s|en\s|cet|ce\s))"),
    frame("is", r"(?:suis|est)\s+(?P<object>[\w-]+)(?=\s*[,.;!–]|\s+(?:et|depuis|mais|parce)\b|$)", fits=is_trait),
    # -- what only a model can tell from what sounds alike
    frame("has", r"(?:ai|avons|a)\s+(?P<object>(?:une?|deux|trois|quatre|cinq|\d+)\s+[^,.;:!?()–]+?)(?=\s+(?:qui|avec|et|en|pour|depuis|mais|à|dans)\b|\s*[,.;!–]|$)", loose=True, fits=not_fleeting),
    frame("works_as", r"(?:suis|est)\s+(?P<object>[a-zà-ÿ-]{5,}(?:\s+(?:de|en)\s+\w+)?)(?=\s+(?:et|depuis|mais|à|chez)\b|\s*[,.;!–]|$)", loose=True),
    frame("practises", r"(?P<object>(?!suis|ai\b|ne\b|me\b|habite|travaille|vais\b)[a-zà-ÿ]+\b[^,.;:!?()–]*?)(?=\s+–\s+.*(?:chaque|tous\s+les|toutes\s+les|fois\s+par|les\s+(?:lundis|mardis|mercredis|jeudis|vendredis|samedis|dimanches)))", loose=True, mine=True, fits=not_fleeting),
    frame("uses", rf"(?:utilise|utilisons|me\s+sers\s+(?:de|d'))\s*{THING}", loose=True, fits=not_fleeting),
    frame("plans_to", r"(?:veux|voudrais|aimerais|voulons|aimerions|espère)\s+(?P<object>[a-zà-ÿ]+(?:er|ir|re|oir)\s[^,;:!?()–]+)", loose=True, fits=not_fleeting),
    frame("phone", r"mon\s+(?:numéro(?:\s+de\s+téléphone)?|téléphone|portable)\s+est\s+(?:le\s+)?(?P<object>[+\d][\d ()./-]{5,})", whole=True, mine=True),
    frame("email", r"mon\s+(?:adresse\s+)?e?-?mail\s+est\s+(?P<object>[\w.+-]+@[\w.-]+\w)", whole=True, mine=True),
)  # fmt: skip

LEXICON = Lexicon(
    code="fr",
    owners=owners(
        KIN,
        some=r"une?|l[ea]|des",
        mine=r"mon|ma|mes|notre|nos",
        others=r"homme|femme|type|dame|fille|garçon|couple|famille|cliente?|patiente?|gens|voisins",
        have=r"avec|qui\s+(?:a|ont|avait)|dont|a|ont",
    ),
    activity=lambda phrase: activity_noun(phrase, "fr"),
    first_person=any_of(r"\b(?:je|moi|me|mon|ma|mes|nous|notre|nos)\b|\b[jm]'|^on\b"),
    subject=LazyPattern(
        rf"(?i:(?P<me>je|nous|on|{_MY}\s+{_KIND}(?:{_KIN})\s+et\s+moi,?(?:\s+(?:nous|on))?)\s+"
        rf"|{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}(?:\s*,?\s+(?P<kin_name>{NAME}),?)?\s+(?:il\s+|elle\s+)?(?={_IT}(?!\w)|\d{{1,3}}\s+ans\b|qui\s+{_IT}(?!\w))"
        rf"|(?P<name>{NAME})(?:,\s+{_MY}\s+{_KIND}(?P<role>{_KIN}){_KIND_AFTER},)?\s+(?={_IT}(?!\w))"
        rf"|(?P<pronoun>il|elle)\s+(?={_IT}(?!\w)))(?P<rest>.*)",
        re.S,
    ),
    asks=any_of(
        r"""^(?:et\s+|mais\s+|alors\s+)?(?:(?:qui|que|quoi|quel|quelle|quels|quelles|quand|combien|où|comment|pourquoi|est-ce|qu'est-ce|lequel|laquelle)\b(?!\s+je\b(?!.*\?))
        |qu'(?:est-ce|en|a)|[\w-]+-(?:tu|vous|il|elle|on|je|nous|ils|elles|ce|t-il|t-elle|t-on)\b|(?:tu|vous|te\s+as|te\s+es)\s.*\?$|.*\b(?:ce\s+est|c'est)\s+(?:dans|de|à|en|par|pour|sur)\s+quel|je\s+me\s+demande|je\s+(?:aimerais|voudrais)\s+savoir|ce\s+est\s+quoi|c'est\s+quoi)"""
    ),
    requests=any_of(
        r"""^(?:s'il\s+(?:te|vous)\s+plaît,?\s+|stp,?\s+|maintenant\s+|bon,?\s+)?(?:dis|dites|raconte|racontez|écris|écrivez|traduis|traduisez|explique|expliquez|fais|faites|donne|donnez|montre|montrez|aide|aidez|cherche|cherchez|trouve|trouvez|recommande|recommandez|conseille|résume|résumez|liste|calcule|compare|
        corrige|corrigez|vérifie|relis|répète|crée|génère|rédige|décris|rappelle|mets|lis|ouvre|propose|suggère|choisis|définis|trie|convertis|regarde|laisse|arrête|continue|réponds|imite|invente|oublie|change|utilise|ajoute|attends|attendez|écoute|imagine|reformule|épelle|parle-moi|ne\s+(?:dis|fais|me)\b.*\bpas)(?:-(?:moi|nous|lui|le|la|les))?\b
        |^(?:s'il\s+te\s+plaît,?\s+)?(?:tu\s+(?:peux|pourrais)|vous\s+(?:pouvez|pourriez)|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|veux-tu)\b(?!\s+me\s+appeler)
        |^(?:je|nous)\s+(?:veux|voudrais|voudrions|aimerais|cherche|souhaite|ai\s+besoin)\s+(?:que\b|une?\b|des\b|de\s+(?:aide|conseils|idées|ton|votre|savoir)|d'(?:aide|idées|une?)|du\b|savoir|voir|comprendre|demander|ton|votre|quelque|plus)
        |^je\s+ai\s+une\s+(?:autre\s+|petite\s+)?(?:question|demande)"""
    ),
    remember=any_of(
        r"""^(?:(?:eh|salut|bonjour|s'il\s+te\s+plaît|ah|et|ok)[,!]?\s+)*(?:souviens[- ]toi|rappelle[- ]toi|souvenez-vous|rappelez-vous|mémorise|n'oublie\s+surtout\s+pas|oublie\s+pas|prends\s+note|noublie\s+pas|note(?:\s+quelque\s+part)?|notez|retiens|retenez|n'oublie\s+pas|ne\s+oublie\s+pas|n'oubliez\s+pas|garde\s+en\s+(?:tête|mémoire)|sache|pour\s+(?:info|ta\s+gouverne|mémoire))
        (?:\s+(?:bien|ça|ceci|s'il\s+te\s+plaît|stp))*(?:\s*[:,]\s*(?:que\s+)?|\s+qu(?:e\s+|')|\s+(?=(?:je|j'|jsuis|mon|ma|mes|notre)))"""
    ),
    supposes=any_of(
        r"""\b(?:si(?=\s+(?:je|j'|tu|il|elle|on|nous|vous|un\s+jour|seulement|mon|ma|jamais))|s'il(?!\s+(?:te|vous)\s+pla)|peut-être|sans\s+doute|probablement|éventuellement|il\s+se\s+peut|imagine\w*|imaginons|supposons|suppose|je\s+ai\s+rêvé|je\s+rêve|rêverais|dans\s+mon\s+rêve|comme\s+si|en\s+théorie|
        hypothétiquement|un\s+jour\b(?!\s+sur)|qui\s+sait|je\s+(?:crois|pense|imagine|suppose)\s+que|je\s+ne\s+sais\s+pas\s+si|je\s+hésite|je\s+doute|pourvu|dommage\s+que|au\s+cas\s+où|à\s+condition|
        (?:je|on|il|elle|ce|nous)\s+(?:serais?|serait|serions|aurais?|aurait|aurions|habiterais|vivrais|ferais|irais|pourrais|voudrais(?=\s+(?:être|avoir|vivre|habiter))|achèterais|travaillerais|dirais|devrais|préférerais))\b"""
    ),
    reports=any_of(
        r"""\ufffc|(?<!je\s)\b(?:dit|disent|disait|a\s+dit|ont\s+dit|selon|d'après|raconte\s+que|prétend|prétendent|pense\s+que|croit\s+que|croient|trouve\s+que|affirme|assure|demande|a\s+demandé|a\s+répondu|a\s+écrit|me\s+a\s+(?:dit|raconté|demandé))\b
        |\b(?:dans|de)\s+(?:le|la|un|une|ce|cette)\s+(?:film|livre|chanson|roman|conte|série|article|texte|jeu|poème)\b|\b(?:la\s+citation|la\s+phrase|cette\s+phrase|paroles\s+de|notice|gros\s+titre|la\s+chanson|en\s+(?:anglais|français|allemand|espagnol|italien|portugais)\s*:)"""
    ),
    jokes=any_of(
        rf"""\b(?:(?:ha){{2,}}|(?:hi){{2,}}|(?:hé){{2,}}|mdr+|ptdr|lol|xd+|je\s+(?:plaisante|rigole|blague|déconne)|j'(?:rigole|déconne)|c'est\s+une\s+blague|pour\s+rire|ironie|sarcasme|poisson\s+d'avril|second\s+degré)\b|^(?:oui|ben|bah|mais)\s+bien\s+sûr,|^(?:oui\s+oui|bien\s+sûr|mais\s+oui|c'est\s+ça),?\s+et\s+(?:moi|mon|ma)\b|/s(?:\W|$)|{LAUGH}"""
    ),
    greets=any_of(
        r"""^(?:bonjour|bonsoir|salut|coucou|hello|bonne\s+(?:nuit|journée|soirée|année)|merci\b.*|mille\s+mercis|au\s+revoir|à\s+(?:bientôt|demain|plus|tout\s+à\s+l'heure)|ok|okay|parfait|super|génial|d'accord|oui|non|de\s+rien|ça\s+(?:va|marche|roule).*|
        enchantée?|très\s+bien|bien|exact|joyeux\s+\w+|bon\s+(?:anniversaire|week-end|courage|appétit|voyage)|pardon|désolée?|je\s+(?:te|vous)\s+(?:remercie|en\s+prie)\b.*|bisous?|cordialement|voilà|tant\s+mieux|bravo|bienvenue|bien\s+sûr)(?:\s+(?:à\s+tous|tout\s+le\s+monde|et\s+.*|pour\s+.*|mon\s+ami|aussi|beaucoup|encore))*\W*$"""
    ),
    meta=any_of(
        r"""^(?:je\s+(?:ne\s+)?(?:(?:me|te|vous|le|l'|en)\s*)*(?:ai\s+(?:pas\s+|jamais\s+|déjà\s+|seulement\s+)?(?:dit|demandé|prétendu|affirmé|compris|oublié|voulu\s+dire)|disais|dis\b|veux\s+dire|voulais\s+dire|voulais|parle\s+de\s+|parlais|comprends|sais\b|demande|pense\s+pas|espère\s+que|rappelle|souviens|remercie|suis\s+(?:pas\s+)?(?:d'accord|sûre?|certaine?)|
        (?:te|vous)\s+(?:aime|adore|déteste)|aime\s+(?:bien\s+)?(?:ça|cela|ta|ton|tes|votre|vos|quand\s+tu)|vois\s+(?:que|ce)|vais\s+(?:voir|y\s+réfléchir|essayer|tester)|fais\s+confiance|trouve\s+(?:ça|cela|ta|ton)|plaisante|confirme|insiste|confonds)\b.*
        |(?:ce|c'|ça|cela|ceci)\s*(?:est|ne|n'|était|a|semble|paraît|me|fait|suffit|marche|va|aide)\b(?!\s*(?:est\s+)?(?-i:[A-Z])).*|il\s+(?:faut|y\s+a(?!\s+(?:\w+\s+){1,3}(?:jours?|semaines?|mois|ans?)\b)|est\s+(?:possible|vrai|clair))\b.*|(?:tu|vous)\s+.*|(?:ton|ta|tes|votre|vos)\s+.*|(?:mon|ma)\s+(?:question|problème|idée|code|texte|réponse|but)\b.*)$"""
    ),
    passing=any_of(
        r"""^(?:je|nous|on)\s+(?:ne\s+)?(?:me\s+)?(?:suis|sommes|est|étais|sens)\s+(?:(?:pas|très|un\s+peu|si|tellement|trop|vraiment|déjà|encore|toujours|complètement|bien|plus|assez|tout|toute|super)\s+)*(?:fatigu\w+|crev\w+|ennuy\w+|malade|enrhum\w+|prête?s?|perdue?s?|occup\w+|fâch\w+|énerv\w+|triste|content\w*|nerveu\w+|
        réveill\w+|stress\w+|heureu\w+|épuis\w+|mal|mieux|ici|là|de\s+retour|en\s+(?:train(?!\s+(?:de\s+|d')(?:écrire|retaper|construire|rénover|restaurer|préparer|monter|développer|apprendre|créer|coder|tricoter|traduire|rédiger))|route|retard|réunion|cours|vacances|pause|ligne)|au\s+(?:lit|bureau|travail|téléphone|restaurant)|à\s+(?:la\s+maison|table|l'heure|bout)|dans\s+(?:le|la|les)\s+\w+|chez\s+(?:moi|le|des)|sorti\w*|press\w+|inqui\w+|confus\w*|curieu\w+|ravie?s?|désolée?s?|seule?|affam\w+|gel\w+|trempée?)\b
        |^(?:je|nous|on)\s+(?:ne\s+)?(?:ai|avons|a)\s+(?:(?:pas|très|un\s+peu|si|tellement|trop|vraiment|encore|plus)\s+)*(?:sommeil|faim|soif|froid|chaud|hâte|de\s+la\s+fièvre|fièvre|peur|envie|mal|le\s+temps|de\s+temps|raison|tort|la\s+flemme|de\s+la\s+chance|une\s+(?:casserole|minute|seconde)|bien\s+dormi|mal\s+dormi|la\s+grippe|un\s+rhume)\b
        |^(?:je|on)\s+(?:dois|doit|vais)\s+(?:y\s+aller|partir|te\s+laisser|raccrocher|dormir|me\s+coucher|manger|sortir|rentrer|filer|cuisiner)\b
        |\b(?:il\s+(?:pleut|neige|fait\s+(?:froid|chaud|beau|nuit|moche))|une\s+(?:minute|seconde)(?:,|$)|un\s+(?:moment|instant)(?:,|$)|attends\b|attendez\b|sur\s+le\s+feu|je\s+(?:reviens|arrive)\b|le\s+téléphone\s+sonne|on\s+sonne|je\s+viens\s+de\s+(?:rentrer|arriver|manger|me\s+réveiller|finir)|
        (?:mon|ma)\s+(?:café|thé|dîner|bus|train|batterie|portable|connexion|ordi)\s+(?:est|ne|a|arrive)|en\s+train\s+d(?:e\s+|')(?!(?:apprendre|écrire|construire|préparer|retaper|rénover|restaurer|monter|développer|créer|coder|tricoter|traduire|rédiger)))\b"""
    ),
    negates=any_of(
        r"\b(?:ne|n'|pas|jamais|aucune?|rien|personne|sans|ni|guère|arrêté\s+de|au\s+lieu)\b|\bn'|\b(?:habite|travaille|aime|suis|vis|bosse)\s+plus\b"
    ),
    past=any_of(
        r"""\b(?:étais|était|étions|habitais|habitait|vivais|vivait|travaillais|travaillait|avais|avait|aimais|adorais|faisais|jouais|fumais|hier|avant-hier|autrefois|derni(?:er|ère))\b|\bil\s+y\s+a\s+\w+\s+(?:jours?|semaines?|mois|ans?)\b
        |\b(?:ai|as|a|avons|ont|suis|est|sommes|sont)\s+(?:\w+\s+)?(?:\w{2,}(?:é|ée|és|ées)|né|née|vécu|eu|fait|pris|mis|vu|venu\w*|parti\w*|appris|perdu|vendu|reçu)(?!\w)(?<!mariée)(?<!marié)(?<!divorcé)(?<!divorcée)"""
    ),
    coming=any_of(
        r"""\b(?:vais|allons|va)\s+(?:me\s+|nous\s+|se\s+)?[a-zà-ÿ]+(?:er|ir|re|oir)\b|\b(?:demain|après-demain|prochaine?|bientôt|à\s+partir\s+d[eu])\b|\bdans\s+(?:\d+|une?|deux|trois|quelques)\s+(?:jours?|semaines?|mois|ans?)\b|\b(?:compte|prévois|envisage|aimerais|voudrais|veux)\s|\b\w+(?:erai|irai|erons|irons)\b
        |\b(?:déménage|déménageons|commence|me\s+marie|nous\s+marions|pars|fête)\b(?=.*\s–\s)"""
    ),
    over=any_of(r"\b(?:ne\s+\w+\s+plus|avant|autrefois|ai\s+quitté|ai\s+arrêté)\b"),
    kin=KIN | _SEVERAL,
    relations=tuple(
        LazyPattern(pattern)
        for pattern in (
            rf"\b(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}),?\s+(?i:nommée?\s+)?(?P<object>{NAME})",
            rf"(?<!\bde\s)\b(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}\s+se\s+appelle\s+)(?P<object>{PROPER})",
            rf"(?i:le\s+(?:nom|prénom)\s+de\s+{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}\s+est\s+)(?P<object>{PROPER})",
            rf"^(?P<object>{NAME})\s+(?i:est\s+{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER})(?=\s*[,.–]|\s+et\b|$)",
            rf"^(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER},?\s+(?:ce\s+est|c'est)\s+)(?P<object>{PROPER})$",
            rf"(?:^|[,\s])(?P<object>{NAME}),\s+(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER})(?=\s*,|$)",
        )
    ),
    frames=FRAMES,
    articles=any_of(
        r"^(?:un\s+peu\s+de\s+|un\s+peu\s+d'|les?\s+|la\s+|l'|une?\s+|des\s+|du\s+|de\s+la\s+|de\s+l'|aux?\s+|à\s+la\s+|à\s+l'|à\s+|mon\s+|ma\s+|mes\s+|notre\s+|nos\s+|quelques\s+|aussi\s+|très\s+)"
    ),
    tail=any_of(
        r"\s+(?:aussi|beaucoup|du\s+tout|maintenant|déjà|toujours|surtout|encore|ensemble|seule?|vraiment|plus|trop|non\s+plus|bien)$"
    ),
    not_objects=frozenset(
        """ça cela ceci ce celui celle le la les lui me te nous vous moi toi tout rien quelque personne ici là
        que qui quoi tu bien plus beaucoup on oui non ton ta tes votre vos en y""".split()
    ),
    expand=tuple(
        (LazyPattern(pattern, re.I), replacement)
        for pattern, replacement in (
            (r"\b(?:ch|j'?s)uis\b", "je suis"),
            (r"\bj'?ai(?=\s)", "je ai"),
            (r"\bj(?=(?:habite|aime|adore|étudie|apprends)\b)", "je "),
            (r"^g\s+(?=\d+\s+ans)", "je ai "),
            (r"\bj'(?=\w)", "je "),
            (r"\bj\s+(?=\w)", "je "),
            (r"\b(?:pcq|pck|parsk)\b", "parce que"),
            (r"\bbcp\b", "beaucoup"),
            (r"\btjrs?\b", "toujours"),
            (r"\b(m|t|s|n)'(?=[aeéèêiouyh])", r"\1e "),
            (r"\bc'(?=est|était)", "ce "),
            (r"^moi,?\s+(?=je\b)", ""),
        )
    ),
    fillers=any_of(
        r"""^(?:(?:bonjour|bonsoir|salut|coucou|hello|oui|non(?=,)|ok|bon|ben|bah|alors|et|mais|au\s+fait|d'ailleurs|en\s+fait|en\s+réalité|de\s+plus|ah|euh|eh\s+bien|donc|bref|merci|pardon|voilà|enchantée?|
        pour\s+info|attention(?:,|\s*:)?|tiens|ouais|perso|coucou\s+à\s+tous|hello|yo|ça\s+y\s+est|genre|nan(?=,)|du\s+coup|faut\s+savoir\s+que|faut\s+dire\s+que|il\s+faut\s+savoir\s+que|franchement|honnêtement|à\s+vrai\s+dire|parce\s+que|car|bien\s+que|sinon|figure-toi\s+que|sache\s+que|tu\s+sais|écoute)(?:[,!:.–—-]+\s*|\s+))+(?=\S)"""
    ),
    adverbs=any_of(
        r"\s(?:aussi|encore|actuellement|vraiment|d'ailleurs|en\s+fait|heureusement|malheureusement|franchement|normalement|personnellement|simplement|pratiquement|officiellement|enfin|déjà|toujours(?!\s+pas)|donc|quand\s+même)(?=\s)"
    ),
    cut=any_of(
        rf""";\s*|\s+[–—-]\s+
        |,?\s+(?:et|mais|alors\s+que|tandis\s+que|donc)\s+(?=(?:je|j'|nous|on|il|elle|{_MY}\s+{_KIND}(?:{_KIN})\b(?!\s+et\s+moi)(?=.*\b{_IT}(?!\w))|maintenant|avant|depuis|il\s+y\s+a)(?!\w*'?\w*\s+et\b))
        |,?\s+(?:parce\s+qu(?:e\s+|')|car\s+)(?=(?:je|j'|nous|on|il|elle)(?:\s|\b))
        |,?\s+(?:et|mais)\s+(?=(?:est|habite|vit|travaille|ai|a|suis|parle|étudie|aime|adore|déteste|se\s+appelle|s'appelle|joue|va|veut|fait|préfère|vis|bosse|déménage|n'|ne)\b)
        |,?\s+(?:et|mais|donc|parce\s+qu[e'])\s*(?=(?:j's?uis|jsuis|chuis|jai|jhabite|jaime|jadore)\b)|,\s+(?=(?:j's?uis|jsuis|chuis|jai|jhabite|jaime)\b)|,\s+(?=(?:je|j'|nous|on)\b)|,\s+(?=(?:il|elle)\s)|,\s+(?=(?:maintenant|avant|depuis)\s+(?:\w+\s+){{0,4}}?(?:je|j'))
        |,\s+(?={_MY}\s+{_KIND}(?:{_KIN}){_KIND_AFTER}\s+(?:(?-i:[A-Z]\w+)\s+)?(?:{_IT}|s'appelle)(?!\w))
        |,\s+(?:non|hein)$"""
    ),
    carried=any_of(
        r"^(?:est|habite|vit|travaille|ai|a|suis|parle|étudie|aime|adore|déteste|se\s+appelle|joue|va|veut|fait|préfère|vis|bosse|déménage|ne)\b"
    ),
    lists=any_of(r"\s*,\s*(?:et\s+)?|\s+(?:et|ou)\s+|\s*&\s*"),
    arrange=arranger(TIMES, "", LazyPattern(_START, re.I), _LEAD),
    time_words=TIME_WORDS,
)
