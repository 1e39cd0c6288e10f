"""French, as the grammar of plain statements reads it, with its elisions written out (je ai)."""

from __future__ import annotations

import re

from thalamus.policy.language.kinds import medicine, occupation, trait
from thalamus.policy.language.lexicon import Lexicon
from thalamus.policy.language.order import any_of
from thalamus.policy.language.pursuits import plays, tongue
from thalamus.policy.language.romance import (
    LAUGH,
    MY_NAME,
    NAME,
    PROPER,
    alternatives,
    arranger,
    frame,
    had,
    kin,
    thing,
    things,
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
    "flatmate": "colocataire coloc", "dog": "chien chienne chiot labrador caniche teckel",
    "cat": "chat chatte chaton", "horse": "cheval jument poney",
    "pet": "tortue lapin lapine hamster perroquet perruche canari furet poisson cochon_d'inde",
    "teacher": "professeur professeure", "dentist": "dentiste",
})  # fmt: skip
_KIN = alternatives(KIN)
_KIND = r"(?:(?:petit|petite|grand|grande|vieux|vieil|vieille|cher|chère|ex-?|futur|future|premier|première|nouveau|nouvelle)\s*)?"
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
    |(?:le|la|l'|ce|cette|cet|les|chaque|tous\s+les|toutes\s+les)\s*(?:{_MONTH}|{_DAY}|mois|année|an|semaine|matins?|soirs?|jours?|week-ends?|été|hiver)(?!\w)(?:\s+(?:derni(?:er|ère)|prochaine?|passée?))?
    |(?:le\s+)?\d{{1,2}}(?:er)?\s+{_MONTH}(?:\s+{_YEAR})?|{_DAY}\s+(?:derni(?:er|ère)|prochaine?)|l'(?:an|année)\s+(?:derni(?:er|ère)|prochaine?)
    |dans\s+{_COUNT}\s+{_UNIT}|pendant\s+{_COUNT}\s+{_UNIT}|{_COUNT}\s+fois\s+(?:par|la|le)\s*(?:semaine|jour|mois|an)
    |depuis\s+(?:toujours|longtemps|peu|hier|lors|l'enfance|tout\s+petite?)|hier|avant-hier|aujourd'hui|demain|après-demain|maintenant|actuellement|dernièrement|avant(?!\s+(?:de|le|la|les))|autrefois|bientôt|récemment|en\s+ce\s+moment
    |de\s+temps\s+en\s+temps|parfois|souvent|normalement|pour\s+l'instant|désormais|le\s+(?:matin|soir|dimanche)
    )(?!\w)"""
)
_ME = r"(?:je|nous|on)"
_START = rf"(?:{_ME}\s|{_MY}\s+{_KIND}(?:{_KIN})\b)"
_LEAD = re.compile(
    r"(?:(?:en|à|au|aux|avec|pour|par|comme|dans|chez|de|depuis|entre|sur|grâce\s+à)\s+[^,]{1,50}?,?\s+|(?:aussi|ensuite|puis|alors|ici|là),?\s+|moi,?\s+|nous,\s+)"
    rf"(?={_START})", re.I)  # fmt: skip
_IT = (
    r"(?:est|était|a|avait|habite|habitait|vit|vivait|travaille|travaillait|étudie|parle|se\s+appelle|joue|aime|adore|déteste|"
    r"préfère|veut|va|fut|fait|ne|vient|prend|souffre|boit|mange|conduit|enseigne|fête|déménage|part|commence|apprend|fume|pratique|suit|porte|nous|me|les?)"
)
_ARTICLES = r"les|le|la|l'|une|un|des|du|de\s+la|de\s+l'|mon|ma|mes|notre|nos"
_STOP = (
    r"et|mais|avec|depuis|jusqu'\w+|parce|car|comme|où|qui|que|quand|pour|par|en|dans|à|au|aux|chez|ou|ni|si|sans|aussi|"
    r"maintenant|pendant|près|est|était|plutôt|plus"
)
THING = thing(_ARTICLES, _STOP)
LIST = things(
    _ARTICLES,
    r"mais|parce|car|quand|depuis|si|surtout|notamment|en|à|au|dans|avec|qui|que|plus\s+que|beaucoup|comme|pour|est|sauf",
)
_CAUSES = LIST.replace("|en|à|au|dans|", "|en|dans|")
_IN = r"(?:à|en|au|aux|dans\s+(?:le|la|l'|les)|sur\s+(?:le|la|l'))\s*"
_NO = r"(?:pas|plus|jamais)"
_NO_MORE = r"(?:ne\s+|n')?"
_AHEAD = r"(?=.*–.*(?:à\s+partir\s+d|prochain|demain|\bdans\s|dès\s|bientôt))"
_MUCH = (
    r"(?:(?:beaucoup|énormément|bien|trop|vraiment|aussi|tellement|surtout|particulièrement)\s+)*"
)
_LIVE = r"(?:habite|habitons|vis|vit|vivons|réside)"
_WITH = r"(?:(?:seule?|ensemble|toujours|encore)\s+)*(?:(?:avec|chez)\s+[^,–]+?\s+)?(?:dans\s+une?\s+[^,–]+?\s+(?=à\s|en\s|au\s))?"
_NO_TOWN = frozenset(
    """maison appartement couple famille campagne centre ville rue quartier étage côté colocation concubinage paix hôtel monde mer étranger fond
    deuxième troisième premier rez-de-chaussée deux trois trente internat moment train fait""".split()
)
_NO_LIKING = frozenset(
    """que ça cela ceci ce toi vous moi quand comment comme ton ta tes votre vos beaucoup rien tout quelque lui
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
    return words[0] not in _NO_LIKING and not re.search(
        r"\b(?:je|tu|suis|est|sont)\b", object.casefold()
    )


def _vehicle(object: str) -> bool:
    return (
        object[0].isupper()
        or re.match(r"voiture|moto|camion|bus|taxi|scooter", object, re.I) is not None
    )


_LIKED = {"several": True, "fits": _liked}
_AT = r"(?:chez|à\s+(?:la|l')|à|au|aux|dans\s+(?:une?|le|la|l')|pour)\s*"
FRAMES = (
    frame("name", rf"me\s+(?:appelle|nomme|prénomme)\s+(?P<object>{MY_NAME})", mine=True),
    frame("name", rf"^(?:moi,?\s+)?(?:ce\s+est|c'est)\s+(?P<object>{NAME})(?=\s*[,.]|$)", whole=True, mine=True),
    frame("name", rf"^mon\s+(?:nom|prénom)(?:\s+complet)?\s+est\s+(?P<object>{MY_NAME})", whole=True, mine=True),
    frame("name", rf"suis\s+(?P<object>{NAME})(?=\s*[,.;!–]|\s+et\b|$)", mine=True),
    frame("name", rf"^(?:appelle-moi|appelez-moi|tu\s+peux\s+me\s+appeler)\s+(?P<object>{PROPER})", whole=True, mine=True),
    # -- home
    frame("lives_in", rf"(?:{_NO_MORE}{_LIVE}\s+plus|habitais|habitions|habitait|vivais|vivait|vivions|ai\s+(?:habité|vécu)|avons\s+(?:habité|vécu)|a\s+(?:habité|vécu))\s+{_WITH}{_IN}{THING}", over=True, fits=_town),
    frame("lives_in", rf"{_LIVE}\s+{_WITH}{_IN}{THING}{_AHEAD}", coming=True, fits=_town),
    frame("lives_in", rf"{_LIVE}\s+{_WITH}{_IN}{THING}", fits=_town),
    frame("lives_in", rf"(?:(?:me\s+|nous\s+|se\s+)?(?:suis|sommes|est|ai|avons|a)\s+)(?:déménagée?s?|installée?s?|emménagée?s?|venue?s?\s+vivre)\s+(?:de\s+.+?\s+)?{_IN}{THING}", fits=_town),
    frame("lives_in", rf"(?:(?:vais|allons|va)\s+(?:déménager|me\s+installer|nous\s+installer|habiter|vivre|emménager)|déménage|déménageons|déménagerai|déménagerons)\s+(?:de\s+.+?\s+)?{_IN}{THING}", coming=True, fits=_town),
    # -- work
    frame("works_at", rf"(?:{_NO_MORE}(?:travaille|bosse|travaillons)\s+plus|travaillais|travaillait|ai\s+(?:travaillé|bossé)|a\s+travaillé)\s+(?:comme\s+.+?\s+)?{_AT}{THING}", over=True, fits=_firm),
    frame("works_at", rf"(?:ai\s+quitté|ai\s+démissionné\s+de|a\s+quitté)\s+(?:mon\s+(?:travail|poste|emploi)\s+chez\s+)?(?P<object>{NAME})", over=True, fits=_firm),
    frame("works_at", rf"(?:commence|commencerai|vais\s+(?:commencer|travailler)|travaillerai|rejoins|entre)\s+(?:à\s+travailler\s+|un\s+nouveau\s+(?:travail|boulot|poste)\s+)?(?:comme\s+.+?\s+)?(?:chez\s+|à\s+|au\s+)?(?P<object>{NAME})", coming=True),
    frame("works_at", rf"(?:travaille|bosse)\s+(?:comme\s+.+?\s+)?{_AT}{THING}{_AHEAD}", coming=True, fits=_firm),
    frame("works_at", rf"(?:travaille|bosse|travaillons)\s+(?:(?:comme|en\s+tant\s+que)\s+.+?\s+)?{_AT}{THING}", fits=_firm),
    frame("works_at", rf"(?:ai|a)\s+(?:commencé|été\s+embauchée?|été\s+engagée?)\s+(?:à\s+travailler\s+)?(?:comme\s+.+?\s+)?(?:chez|à|par)\s+(?P<object>{NAME})"),
    frame("works_at", rf"(?:suis|est)\s+[\w -]+?\s+chez\s+(?P<object>{NAME})"),
    frame("works_as", rf"(?:{_NO_MORE}travaille\s+plus|travaillais|ai\s+travaillé)\s+(?:{_AT}.+?\s+)?comme\s+{THING}", over=True, fits=occupation),
    frame("works_as", rf"(?:{_NO_MORE}(?:suis|est)\s+plus|étais|était|ai\s+été)\s+{THING}", over=True, fits=occupation),
    frame("works_as", rf"(?:travaille|bosse)\s+(?:{_AT}.+?\s+)?(?:comme|en\s+tant\s+que)\s+{THING}", fits=occupation),
    frame("works_as", rf"(?:suis|est|sommes)\s+{THING}", fits=occupation),
    # -- family and pets
    frame("{kin}", rf"(?:ai|avons|ai\s+adopté|avons\s+adopté)\s+.*?\bune?\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER},?\s+(?:qui\s+se\s+appelle|nommée?|appelée?|prénommée?|du\s+nom\s+de)\s+(?P<object>{PROPER})", mine=True),
    frame("partner", rf"(?:suis|sors)\s+(?:en\s+couple\s+)?avec\s+(?P<object>{NAME})(?=.*–.*depuis|$)", mine=True, fits=lambda o: True),
    frame("married_to", rf"(?:suis|est)\s+mariée?\s+(?:à|avec)\s+(?P<object>{NAME})"),
    # -- what someone has
    frame("allergic_to", rf"(?:ai|a)\s+une\s+(?:grosse\s+|forte\s+)?allergie\s+(?:aux?|à\s+la|à\s+l'|à)\s*{_CAUSES}", several=True),
    frame("has", r"(?:ai|avons|a|souffre)\s+(?:de\s+(?=l'|la)|d')?(?P<object>[\w' -]+?(?:,\s+(?:un|une|deux|trois|quatre|\d)\s+[\w' -]+?)*)(?=\s+(?:mais|en|dans|avec|qui|de|depuis|pour|parce|nommée?|appelée?|comme|à|au|chez)\b|\s*[,.;:!?()–—]|$)", several=True, fits=had),
    frame("owns", rf"(?:possède|possédons)\s+{THING}"),
    frame("has", r"(?:ai|avons)\s+une?\s+(?P<object>(?:(?-i:[A-Z])\w*\s*\d+|\d+(?-i:[A-Z])+\w*)(?:\s+de\s+\d{4})?)(?=\s|[,.]|$)"),
    frame("drives", rf"(?:conduis|conduit|roule\s+en)\s+(?:une?\s+)?{THING}", fits=_vehicle),
    frame("allergic_to", rf"(?:suis|est)\s+(?:très\s+)?allergique\s+(?:aux?|à\s+la|à\s+l'|à)\s*{_CAUSES}", several=True),
    frame("takes", r"(?:prends|prend)\s+(?:de\s+la\s+|du\s+|de\s+l')?(?P<object>[\w-]+)(?=\W|$)", fits=medicine),
    # -- likes and dislikes
    frame("likes", rf"(?:{_NO_MORE}(?:aime|aimons)\s+plus|aimais|adorais)\s+(?!que|mieux){THING}", over=True, fits=_liked),
    frame("prefers", r"(?:préfère|préférons)\s+(?:(?:le|la|les|l')\s*)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:à|au|aux|plutôt|que|parce|quand)\b|\s*[,.;:!?()–]|$)", fits=_liked),
    frame("prefers", r"aime\s+(?:mieux|plus)\s+(?:(?:le|la|les|l')\s*)?(?P<object>[^,.;:!?()–]+?)\s+que\b", fits=_liked),
    frame("dislikes", rf"{_NO_MORE}(?:aime|aimons)\s+(?:vraiment\s+)?pas\s+(?:(?:du\s+tout|trop|beaucoup|vraiment)\s+)*{LIST}", **_LIKED),
    frame("dislikes", rf"(?:déteste|détestons|hais|ai\s+horreur\s+(?:de|des|du|d')|{_NO_MORE}supporte\s+pas|{_NO_MORE}supportons\s+pas)\s*{LIST}", **_LIKED),
    frame("likes", rf"(?:aime|adore|aimons|adorons)\s+(?!mieux|pas|plus\b|jamais|que){_MUCH}(?:aller\s+(?:au|à\s+la)\s+)?{LIST}", **_LIKED),
    frame("likes", rf"(?:suis|est)\s+(?:une?\s+)?(?:grande?\s+|gros(?:se)?\s+)?(?:fan|passionnée?|amateur|amatrice|dingue|folle|fou)\s+(?:de|d'|du|des)\s*{LIST}", **_LIKED),
    frame("favourite_{noun}", rf"^{_MY}\s+(?P<noun>\w+)\s+(?:préférée?s?|favori(?:te)?s?)\s+(?:est|sont|ce\s+est|c'est),?\s+{THING}", whole=True, mine=True, fits=_liked),
    # -- the rest
    frame("speaks", r"(?:parle|parlons)\s+(?:(?:bien|très\s+bien|couramment|un\s+peu|un\s+peu\s+de|le|l'|d')\s*)*(?P<object>[a-zà-ÿ]+(?:(?:\s*,\s*|\s+et\s+)(?:(?:et|un\s+peu|un\s+peu\s+de|le|l'|d')\s*)*[a-zà-ÿ]+)*)", several=True, fits=tongue),
    frame("born_in", rf"(?:suis|est)\s+née?\s+(?:et\s+ai\s+grandi\s+)?(?:à|en|au|aux)\s+{THING}", fits=lambda o: o[0].isupper()),
    frame("born_on", rf"(?:suis|est)\s+née?\b.*–.*?(?:le\s+|en\s+)(?P<object>(?:\d{{1,2}}(?:er)?\s+{_MONTH}\s+)?{_YEAR})"),
    frame("birthday", rf"^mon\s+anniversaire\s+(?:est|ce\s+est|c'est)\b.*?–\s*(?:le\s+)?(?P<object>\d{{1,2}}(?:er)?\s+{_MONTH})", whole=True, mine=True),
    frame("age", r"(?:ai|a)\s+(?P<object>\d{1,3})\s+ans\b(?!\s+de\s)"),
    frame("studies_at", r"(?:étudie|suis\s+étudiante?)\s+(?:[\w' -]+?\s+)?(?:à\s+l'|à\s+la|à)\s*(?P<object>(?:université|école|fac|Sorbonne|Sciences\s+Po)[^,.;:!?()–]*?)(?=\s+(?:et|depuis|en)\b|\s*[,.;–]|$)"),
    frame("studies", rf"étudie\s+(?!à\b|en\b|au\b|pour\b|beaucoup\b|dans\b){THING}"),
    frame("studies", r"(?:suis\s+étudiante?|fais\s+des\s+études)\s+(?:en|de|d')\s*(?P<object>[^,.;:!?()–]+?)(?=\s+(?:à|et|depuis|au)\b|\s*[,.;–]|$)"),
    frame("plays", rf"(?:joue|jouons)\s+(?:(?:du|de\s+la|de\s+l'|au|à\s+la|aux)\s*){LIST}", several=True, fits=plays),
    frame("learns", rf"apprends\s+(?:à\s+jouer\s+d(?:u|e\s+la)\s+)?{THING}", fits=lambda o: tongue(o) or plays(o)),
    frame("practises", r"fais\s+(?:du|de\s+la|de\s+l')\s*(?P<object>yoga|pilates|karaté|judo|natation|escalade|méditation|boxe|crossfit|randonnée|vélo|course|danse|poterie|théâtre|équitation)\b"),
    frame("plans_to", r"(?:vais|allons|compte|comptons|prévois\s+de|envisage\s+de)\s+(?P<object>(?!voir\b|commencer\b|travailler\b|déménager\b|habiter\b|vivre\b|essayer\b|dormir\b|manger\b|être\b|avoir\b|me\s+installer)[a-zà-ÿ]+(?:er|ir|re|oir)\s[^,;:!?()–]*?)(?=\s*[,;!?()]|\s+–.*(?:prochain|à\s+partir|demain|dans\s|en\s|cet|ce\s))"),
    frame("is", r"(?:suis|est)\s+(?P<object>[\w-]+)(?=\s*[,.;!–]|\s+(?:et|depuis|mais|parce)\b|$)", fits=trait),
    frame("phone", r"mon\s+(?:numéro(?:\s+de\s+téléphone)?|téléphone|portable)\s+est\s+(?:le\s+)?(?P<object>[+\d][\d ()./-]{5,})", whole=True, mine=True),
    frame("email", r"mon\s+(?:adresse\s+)?e?-?mail\s+est\s+(?P<object>[\w.+-]+@[\w.-]+\w)", whole=True, mine=True),
)  # fmt: skip

LEXICON = Lexicon(
    code="fr",
    first_person=any_of(r"\b(?:je|moi|me|mon|ma|mes|nous|notre|nos)\b|\b[jm]'|^on\b"),
    subject=re.compile(
        rf"(?i:(?P<me>je|nous|on|{_MY}\s+{_KIND}(?:{_KIN})\s+et\s+moi,?(?:\s+(?:nous|on))?)\s+"
        rf"|{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}(?:\s*,?\s+(?P<kin_name>{NAME}),?)?\s+(?:il\s+|elle\s+)?(?={_IT}(?!\w))"
        rf"|(?P<name>{NAME})(?:,\s+{_MY}\s+{_KIND}(?P<role>{_KIN}){_KIND_AFTER},)?\s+(?={_IT}(?!\w))"
        rf"|(?P<pronoun>il|elle)\s+(?={_IT}(?!\w)))(?P<rest>.*)",
        re.S,
    ),
    asks=any_of(
        r"""^(?:et\s+|mais\s+|alors\s+)?(?:(?:qui|que|quoi|quel|quelle|quels|quelles|quand|combien|où|comment|pourquoi|est-ce|qu'est-ce|lequel|laquelle)\b(?!\s+je\b(?!.*\?))
        |qu'(?:est-ce|en|a)|[\w-]+-(?:tu|vous|il|elle|on|je|nous|ils|elles|ce|t-il|t-elle|t-on)\b|(?:tu|vous)\s.*\?$|je\s+me\s+demande|je\s+(?:aimerais|voudrais)\s+savoir|ce\s+est\s+quoi|c'est\s+quoi)"""
    ),
    requests=any_of(
        r"""^(?:s'il\s+(?:te|vous)\s+plaît,?\s+|stp,?\s+|maintenant\s+|bon,?\s+)?(?:dis|dites|raconte|racontez|écris|écrivez|traduis|traduisez|explique|expliquez|fais|faites|donne|donnez|montre|montrez|aide|aidez|cherche|cherchez|trouve|trouvez|recommande|recommandez|conseille|résume|résumez|liste|calcule|compare|
        corrige|corrigez|vérifie|relis|répète|crée|génère|rédige|décris|rappelle|mets|lis|ouvre|propose|suggère|choisis|définis|trie|convertis|regarde|laisse|arrête|continue|réponds|imite|invente|oublie|change|utilise|ajoute|attends|attendez|écoute|imagine|reformule|épelle|parle-moi|ne\s+(?:dis|fais|me)\b.*\bpas)(?:-(?:moi|nous|lui|le|la|les))?\b
        |^(?:s'il\s+te\s+plaît,?\s+)?(?:tu\s+(?:peux|pourrais)|vous\s+(?:pouvez|pourriez)|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|veux-tu)\b(?!\s+me\s+appeler)
        |^(?:je|nous)\s+(?:veux|voudrais|voudrions|aimerais|cherche|souhaite|ai\s+besoin)\s+(?:que\b|une?\b|des\b|de\s+(?:aide|conseils|idées|ton|votre|savoir)|d'(?:aide|idées|une?)|du\b|savoir|voir|comprendre|demander|ton|votre|quelque|plus)
        |^je\s+ai\s+une\s+(?:autre\s+|petite\s+)?(?:question|demande)"""
    ),
    remember=any_of(
        r"""^(?:(?:eh|salut|bonjour|s'il\s+te\s+plaît|ah|et|ok)[,!]?\s+)*(?:souviens-toi|rappelle-toi|souvenez-vous|note|notez|retiens|retenez|n'oublie\s+pas|ne\s+oublie\s+pas|n'oubliez\s+pas|garde\s+en\s+(?:tête|mémoire)|sache|pour\s+(?:info|ta\s+gouverne|mémoire))
        (?:\s+(?:bien|ça|ceci|s'il\s+te\s+plaît|stp))*(?:\s*[:,]\s*(?:que\s+)?|\s+qu(?:e\s+|')|\s+(?=(?:je|j'|mon|ma|mes|notre)))"""
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
        rf"""\b(?:(?:ha){{2,}}|(?:hi){{2,}}|(?:hé){{2,}}|mdr+|ptdr|lol|xd+|je\s+(?:plaisante|rigole|blague|déconne)|j'(?:rigole|déconne)|c'est\s+une\s+blague|pour\s+rire|ironie|sarcasme|poisson\s+d'avril|second\s+degré)\b|^(?:oui|ben|bah|mais)\s+bien\s+sûr,|/s(?:\W|$)|{LAUGH}"""
    ),
    greets=any_of(
        r"""^(?:bonjour|bonsoir|salut|coucou|hello|bonne\s+(?:nuit|journée|soirée|année)|merci\b.*|mille\s+mercis|au\s+revoir|à\s+(?:bientôt|demain|plus|tout\s+à\s+l'heure)|ok|okay|parfait|super|génial|d'accord|oui|non|de\s+rien|ça\s+(?:va|marche|roule).*|
        enchantée?|très\s+bien|bien|exact|joyeux\s+\w+|bon\s+(?:anniversaire|week-end|courage|appétit|voyage)|pardon|désolée?|je\s+(?:te|vous)\s+(?:remercie|en\s+prie)\b.*|bisous?|cordialement|voilà|tant\s+mieux|bravo|bienvenue|bien\s+sûr)(?:\s+(?:à\s+tous|tout\s+le\s+monde|et\s+.*|pour\s+.*|mon\s+ami|aussi|beaucoup|encore))*\W*$"""
    ),
    meta=any_of(
        r"""^(?:je\s+(?:ne\s+)?(?:(?:me|te|vous|le|l'|en)\s*)*(?:ai\s+(?:pas\s+|jamais\s+|déjà\s+|seulement\s+)?(?:dit|demandé|prétendu|affirmé|compris|oublié|voulu\s+dire)|disais|dis\b|veux\s+dire|voulais\s+dire|voulais|parle\s+de\s+|parlais|comprends|sais\b|demande|pense\s+pas|espère\s+que|rappelle|souviens|remercie|suis\s+(?:pas\s+)?(?:d'accord|sûre?|certaine?)|
        (?:te|vous)\s+(?:aime|adore|déteste)|aime\s+(?:bien\s+)?(?:ça|cela|ta|ton|tes|votre|vos|quand\s+tu)|vois\s+(?:que|ce)|vais\s+(?:voir|y\s+réfléchir|essayer|tester)|fais\s+confiance|trouve\s+(?:ça|cela|ta|ton)|plaisante|confirme|insiste)\b.*
        |(?:ce|c'|ça|cela|ceci)\s*(?:est|ne|n'|était|a|semble|paraît|me|fait|suffit|marche|va|aide)\b(?!\s*(?:est\s+)?(?-i:[A-Z])).*|il\s+(?:faut|y\s+a(?!\s+(?:\w+\s+){1,3}(?:jours?|semaines?|mois|ans?)\b)|est\s+(?:possible|vrai|clair))\b.*|(?:tu|vous)\s+.*|(?:ton|ta|tes|votre|vos)\s+.*|(?:mon|ma)\s+(?:question|problème|idée|code|texte|réponse|but)\b.*)$"""
    ),
    passing=any_of(
        r"""^(?:je|nous|on)\s+(?:ne\s+)?(?:me\s+)?(?:suis|sommes|est|étais|sens)\s+(?:(?:pas|très|un\s+peu|si|tellement|trop|vraiment|déjà|encore|toujours|complètement|bien|plus|assez|tout|toute|super)\s+)*(?:fatigu\w+|crev\w+|ennuy\w+|malade|enrhum\w+|prête?s?|perdue?s?|occup\w+|fâch\w+|énerv\w+|triste|content\w*|nerveu\w+|
        réveill\w+|stress\w+|heureu\w+|épuis\w+|mal|mieux|ici|là|de\s+retour|en\s+(?:train|route|retard|réunion|cours|vacances|pause|ligne)|au\s+(?:lit|bureau|travail|téléphone|restaurant)|à\s+(?:la\s+maison|table|l'heure|bout)|dans\s+(?:le|la|les)\s+\w+|chez\s+(?:moi|le|des)|sorti\w*|press\w+|inqui\w+|confus\w*|curieu\w+|ravie?s?|désolée?s?|seule?|affam\w+|gel\w+|trempée?)\b
        |^(?:je|nous|on)\s+(?:ne\s+)?(?:ai|avons|a)\s+(?:(?:pas|très|un\s+peu|si|tellement|trop|vraiment|encore|plus)\s+)*(?:sommeil|faim|soif|froid|chaud|hâte|de\s+la\s+fièvre|fièvre|peur|envie|mal|le\s+temps|de\s+temps|raison|tort|la\s+flemme|de\s+la\s+chance|une\s+(?:casserole|minute|seconde)|bien\s+dormi|mal\s+dormi|la\s+grippe|un\s+rhume)\b
        |^(?:je|on)\s+(?:dois|doit|vais)\s+(?:y\s+aller|partir|te\s+laisser|raccrocher|dormir|me\s+coucher|manger|sortir|rentrer|filer|cuisiner)\b
        |\b(?:il\s+(?:pleut|neige|fait\s+(?:froid|chaud|beau|nuit|moche))|une\s+(?:minute|seconde)(?:,|$)|un\s+(?:moment|instant)(?:,|$)|attends\b|attendez\b|sur\s+le\s+feu|je\s+(?:reviens|arrive)\b|le\s+téléphone\s+sonne|on\s+sonne|je\s+viens\s+de\s+(?:rentrer|arriver|manger|me\s+réveiller|finir)|
        (?:mon|ma)\s+(?:café|thé|dîner|bus|train|batterie|portable|connexion|ordi)\s+(?:est|ne|a|arrive)|en\s+train\s+de\s+(?!(?:apprendre|écrire|construire|préparer)))\b"""
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
    kin=KIN,
    relations=tuple(
        re.compile(pattern)
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
        (re.compile(pattern, re.I), replacement)
        for pattern, replacement in (
            (r"\bj'(?=\w)", "je "),
            (r"\bchuis\b", "je suis"),
            (r"\b(m|t|s|n)'(?=[aeéèêiouyh])", r"\1e "),
            (r"\bc'(?=est|était)", "ce "),
            (r"^moi,?\s+(?=je\b)", ""),
        )
    ),
    fillers=any_of(
        r"""^(?:(?:bonjour|bonsoir|salut|coucou|hello|oui|non(?=,)|ok|bon|ben|bah|alors|et|mais|au\s+fait|d'ailleurs|en\s+fait|en\s+réalité|de\s+plus|ah|euh|eh\s+bien|donc|bref|merci|pardon|voilà|enchantée?|
        pour\s+info|franchement|honnêtement|à\s+vrai\s+dire|parce\s+que|car|bien\s+que|sinon|figure-toi\s+que|sache\s+que|tu\s+sais|écoute)(?:[,!:.–—-]+\s*|\s+))+(?=\S)"""
    ),
    adverbs=any_of(
        r"\s(?:aussi|encore|actuellement|vraiment|d'ailleurs|en\s+fait|heureusement|malheureusement|franchement|normalement|personnellement|simplement|pratiquement|officiellement|enfin|déjà|toujours(?!\s+pas)|donc|quand\s+même)(?=\s)"
    ),
    cut=any_of(
        rf""";\s*|\s+[–—-]\s+
        |,?\s+(?:et|mais|alors\s+que|tandis\s+que|donc)\s+(?=(?:je|j'|nous|on|il|elle|{_MY}\s+{_KIND}(?:{_KIN})\b(?!\s+et\s+moi)(?=.*\b{_IT}(?!\w))|maintenant|avant|depuis|il\s+y\s+a)(?!\w*'?\w*\s+et\b))
        |,?\s+(?:parce\s+qu(?:e\s+|')|car\s+)(?=(?:je|j'|nous|on|il|elle)(?:\s|\b))
        |,?\s+(?:et|mais)\s+(?=(?:est|habite|vit|travaille|ai|a|suis|parle|étudie|aime|adore|déteste|se\s+appelle|s'appelle|joue|va|veut|fait|préfère|vis|bosse|déménage|n'|ne)\b)
        |,\s+(?=(?:je|j'|nous|on)\b)|,\s+(?=(?:il|elle)\s)|,\s+(?=(?:maintenant|avant|depuis)\s+(?:\w+\s+){{0,4}}?(?:je|j'))
        |,\s+(?={_MY}\s+{_KIND}(?:{_KIN}){_KIND_AFTER}\s+(?:(?-i:[A-Z]\w+)\s+)?(?:{_IT}|s'appelle)(?!\w))
        |,\s+(?:non|hein)$"""
    ),
    carried=any_of(
        r"^(?:est|habite|vit|travaille|ai|a|suis|parle|étudie|aime|adore|déteste|se\s+appelle|joue|va|veut|fait|préfère|vis|bosse|déménage|ne)\b"
    ),
    lists=any_of(r"\s*,\s*(?:et\s+)?|\s+(?:et|ou)\s+|\s*&\s*"),
    arrange=arranger(TIMES, "", re.compile(_START, re.I), _LEAD),
    time_words=None,
)
