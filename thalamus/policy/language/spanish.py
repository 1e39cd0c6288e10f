"""Spanish, as the grammar of plain statements reads it. The subject is mostly in the verb."""

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
    "wife": "mujer esposa señora", "husband": "marido esposo", "partner": "pareja",
    "girlfriend": "novia", "boyfriend": "novio", "fiance": "prometido prometida",
    "sister": "hermana hermanita", "brother": "hermano hermanito",
    "mother": "madre mamá mami", "father": "padre papá", "son": "hijo", "daughter": "hija",
    "child": "bebé", "grandmother": "abuela abuelita yaya", "grandfather": "abuelo abuelito yayo",
    "grandson": "nieto", "granddaughter": "nieta", "uncle": "tío", "aunt": "tía",
    "cousin": "primo prima", "nephew": "sobrino", "niece": "sobrina",
    "brother_in_law": "cuñado", "sister_in_law": "cuñada", "mother_in_law": "suegra",
    "father_in_law": "suegro", "son_in_law": "yerno", "daughter_in_law": "nuera",
    "stepson": "hijastro", "stepdaughter": "hijastra",
    "best_friend": "mejor_amigo mejor_amiga", "friend": "amigo amiga",
    "boss": "jefe jefa", "neighbour": "vecino vecina",
    "colleague": "compañero_de_trabajo compañera_de_trabajo colega",
    "flatmate": "compañero_de_piso compañera_de_piso",
    "dog": "perro perra perrito perrita cachorro galgo galga", "cat": "gato gata gatito gatita",
    "horse": "caballo yegua poni",
    "pet": "mascota tortuga loro conejo coneja hámster cobaya canario pez hurón periquito",
    "teacher": "profesor profesora", "dentist": "dentista",
})  # fmt: skip
_KIN = alternatives(KIN)
_KIND = r"(?:(?:querid[oa]|pequeñ[oa]|ex)\s+)?"
_KIND_AFTER = r"(?:\s+(?:mayor|menor|pequeñ[oa]|median[oa]|gemel[oa]|grande|actual|de\s+toda\s+la\s+vida|del\s+alma))?"
_MY = r"(?:mis?|nuestr[oa]s?)"
_MONTH = "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)"
_DAY = "(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)"
_COUNT = r"(?:\d{1,3}|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|unos|varios|muchos|pocos)"
_UNIT = r"(?:días?|semanas?|mes(?:es)?|años?|horas?)"
_YEAR = r"(?:(?:19|20)\d\d)"
_POINT = rf"(?:(?:(?:el|la|los|finales\s+de|principios\s+de|mediados\s+de)\s+)*(?:\d{{1,2}}\s+de\s+)?(?:{_MONTH}|{_DAY}|verano|invierno|otoño|primavera|{_YEAR}|año|mes|semana)(?!\w)(?:\s+(?:del?\s+)?(?:{_YEAR}|pasad[oa]|que\s+viene|próxim[oa]))?)"
TIMES = any_of(
    rf"""(?<![\w-])(?:
    desde\s+hace\s+(?:(?:unos|casi|más\s+de)\s+)?{_COUNT}\s+{_UNIT}|hace\s+(?:(?:unos|casi|más\s+de|ya)\s+)*{_COUNT}\s+{_UNIT}(?:\s+que(?=\s))?
    |(?:desde|hasta|a\s+partir\s+de|en|para|durante)\s+{_POINT}(?:\s+(?:hasta|a)\s+{_POINT})?
    |de(?:sde)?\s+{_POINT}\s+(?:a|hasta)\s+{_POINT}|entre\s+{_POINT}\s+y\s+{_POINT}|a\s+(?:finales|principios|mediados)\s+de\s+{_POINT}
    |(?:el|la|este|esta|los|las)\s+(?:(?:próxim[oa]|pasad[oa])\s+)?(?:{_MONTH}|{_DAY}|mes|año|semana|verano|invierno|otoño|primavera|fin\s+de\s+semana)(?!\w)(?:\s+(?:pasad[oa]|que\s+viene|próxim[oa]))?
    |el\s+\d{{1,2}}\s+de\s+{_MONTH}(?:\s+del?\s+{_YEAR})?|el\s+año\s+pasado
    |(?:dentro\s+de|en)\s+{_COUNT}\s+{_UNIT}|durante\s+{_COUNT}\s+{_UNIT}|por\s+las?\s+(?:mañanas?|tardes?|noches?)
    |(?:todos|todas)\s+(?:los|las)\s+\w+|cada\s+(?:día|semana|mes|año|mañana|noche|tarde|{_DAY})|{_COUNT}\s+veces\s+(?:por|a\s+la|al)\s+(?:semana|día|mes|año)
    |desde\s+(?:siempre|entonces|pequeñ[oa]|niñ[oa]|joven)|ayer|anteayer|hoy|mañana|pasado\s+mañana|ahora(?:\s+mismo)?|actualmente|últimamente|antes(?!\s+de)|pronto|recientemente
    |de\s+vez\s+en\s+cuando|a\s+veces|a\s+menudo|normalmente|por\s+ahora|hoy\s+en\s+día|de\s+momento
    )(?!\w)"""
)
_VERBS_ME = (
    r"(?:vivo|trabajo|soy|estoy|tengo|hablo|estudio|nací|odio|detesto|prefiero|bebo|como|leo|toco|juego|conduzco|"
    r"tomo|fumo|corro|nado|voy|vamos|fui|estuve|era|éramos|vivía|vivíamos|trabajaba|tenía|tuve|estudiaba|estaba|"
    r"quiero|puedo|sé|conozco|llevo|hago|cumplo|empiezo|dejo|adoro|amo|planeo|aprendo|enseño|canto|bailo|escribo|"
    r"pinto|he|había|suelo|espero|necesito|pienso|creo|manejo|uso|colecciono|cocino|practico|entreno|salgo|duermo|"
    r"soporto|aguanto|aborrezco|padezco|apellido|alquilo|crío|cultivo|vendo|compro|dirijo|cuido|sufro|padezco|monto|veo|escucho|paso|vengo|hice|puse|dije|vine|quise|"
    r"pude|supe|conduje|traje|aprendí|solía|solíamos|comía|bebía|fumaba|jugaba|iba|íbamos|hacía|busco|sueño|"
    r"[a-zñáéíóú]{3,}(?:amos|emos|imos))"
)
_NOT_ME = (
    r"(?!(?:mi|sí|así|aquí|allí|ahí|casi|café|qué|porqué|también|ramos|mismos|últimos|extremos)\b)"
)
_PRE = r"(?:(?:ya\s+no|no|nunca|tampoco|ya|siempre|también|todavía|aún|solo|solamente|además|casi)\s+)*"
_FIRST = (
    rf"{_PRE}(?:(?:(?:me|nos)\s+(?:(?:lo|la|le|los|las)\s+)?(?:han?\s+)?(?!a\b|de\b|y\b)[a-zñáéíóú]{{3,}}|(?:lo|la|los|las|le|les|te|se\s+me)\s+{_VERBS_ME}|{_VERBS_ME}"
    rf"|{_NOT_ME}[a-zñáéíóú]{{3,}}(?:é|í)))(?!\w)"
)
_IMPLIED = re.compile(rf"(?!(?:yo|nosotr[oa]s)\b){_FIRST}", re.I)
_LEAD = re.compile(
    r"(?:(?:en|con|por|para|como|a|de|desde|entre|gracias\s+a|sobre)\s+[^,]{1,50}?,?\s+|(?:además|también|luego|después|entonces|aquí|allí),?\s+)"
    rf"(?=(?-i:{_FIRST}))", re.I)  # fmt: skip
_IT = (
    r"(?:es|era|está|tiene|vive|vivía|trabaja|trabajaba|estudia|habla|se\s+llama|nació|toca|juega|le\s+(?:gustan?|encantan?)|odia|prefiere|"
    r"quiere|va|fue|ha|se\s+(?:mudó|muda|va|casa|jubila)|cumple|empieza|empezó|dejó|no|ya\s+no|sufre|padece|adora|come|bebe|conduce|enseña|lleva|hace|viene)"
)
_ARTICLES = r"el|la|los|las|un|una|unos|unas|mi|mis|nuestro|nuestra"
_STOP = (
    r"y|e|pero|con|desde|hasta|porque|como|donde|que|cuando|para|por|en|aunque|o|ni|si|sin|de\s+momento|"
    r"también|ahora|mientras|ya|además|cerca|junto|al\s+lado|es|era|está"
)
THING = thing(_ARTICLES, _STOP)
_PLACE = thing(r"el|la|los|las|un|una|mi", _STOP.replace("|en|", "|"))
LIST = things(
    _ARTICLES,
    r"pero|porque|cuando|aunque|desde|si|sobre\s+todo|especialmente|más\s+que|en|con|que|mucho|como|ni|para|es",
)
_IN = r"(?:en|cerca\s+de(?=\s+(?-i:[A-Z])))\s+"
_NO = r"(?:ya\s+)?(?:no|nunca|tampoco)\s+"
_NO_MORE = r"ya\s+no\s+"
_AHEAD = r"(?=.*–.*(?:a\s+partir\s+de|que\s+viene|próxim|mañana\b|dentro\s+de|pronto))"
_LIKE = r"(?:gustan?|encantan?|fascinan?|chiflan?|apasionan?|flipan?|vuelven?\s+loc[oa]|molan?)"
_ME = r"(?:a\s+\w+\s+)?(?:me|nos|le)\s+"
_MUCH = r"(?:(?:mucho|muchísimo|bastante|un\s+montón|también|más|tanto|realmente|de\s+verdad)\s+)*"
_NO_TOWN = frozenset(
    """casa piso apartamento paz pareja familia campo centro ciudad pueblo calle barrio segundo tercer
    primer planta residencia alquiler edificio miedo armonía afueras habitación hotel mundo mar
    extranjero general realidad serio""".split()
)
_NO_LIKING = frozenset(
    """que eso esto esta este lo la él ella tú ti usted ustedes cuando cómo como tu tus su sus mucho nada
    todo algo ir verte verlo saber hablar así si él.""".split()
)


def _town(object: str) -> bool:
    words = object.casefold().split()
    return (
        words[0] not in _NO_TOWN and words[-1] not in ("mí", "ti") and not re.search(r"\d", object)
    )


def _firm(object: str) -> bool:
    return not re.match(
        r"(?:casa|mí|ti|turnos?|noche|noches|equipo|general|negro|remoto|un\s+|una\s+novela|libro|novela|proyecto|tesis|serie|"
        r"ello|eso|esto|cuenta|libre|vivir|comer|dinero|horas|días|fines|todo|lo\s)\b", object, re.I)  # fmt: skip


def _liked(object: str) -> bool:
    words = object.casefold().split()
    return words[0] not in _NO_LIKING and not re.search(
        r"\b(?:me|te|soy|es|son|está)\b", object.casefold()
    )


def _vehicle(object: str) -> bool:
    return re.match(
        r"autobús|camión|taxi|tren|coche|moto|furgoneta|tranvía|ambulancia", object, re.I
    ) is not None or (object[0].isupper())


_NOT_BOTH = "".join(  # "mi marido y yo" is one subject
    rf"(?<!\b{word})"
    for word in "marido mujer esposa esposo novio novia hermano hermana hijo hija madre padre pareja amigo amiga prometido prometida".split()
)
_LIKED = {"several": True, "fits": _liked}
FRAMES = (
    frame("name", rf"me\s+llamo\s+(?P<object>{MY_NAME})", mine=True),
    frame("name", rf"^{_MY}\s+nombre\s+(?:completo\s+)?es\s+(?P<object>{MY_NAME})", whole=True, mine=True),
    frame("name", rf"soy\s+(?P<object>{NAME})(?=\s*[,.;!–]|\s+(?:y|de)\b|$)", mine=True),
    frame("name", rf"^(?:puedes\s+)?(?:ll[aá]mame|llamarme)\s+(?P<object>{PROPER})", whole=True, mine=True),
    # -- home
    frame("lives_in", rf"(?:{_NO_MORE}(?:vivo|vivimos|vive)|vivía|vivíamos|viví|vivió|he\s+vivido|solía\s+vivir)\s+(?:con\s+[^,–]+?\s+)?{_IN}{_PLACE}", over=True, fits=_town),
    frame("lives_in", rf"(?:vivo|vivimos|vive|resido|estoy\s+viviendo|llevo\s+(?:\w+\s+(?:años|meses)\s+)?viviendo|llevamos\s+viviendo)\s+(?:(?:sol[oa]|junt[oa]s|actualmente)\s+)?(?:con\s+[^,–]+?\s+)?(?:en\s+(?:un|una)\s+[^,–]+?\s+(?=en\s))?{_IN}{_PLACE}{_AHEAD}", coming=True, fits=_town),
    frame("lives_in", rf"(?:vivo|vivimos|vive|resido|estoy\s+viviendo|llevo\s+(?:\w+\s+(?:años|meses)\s+)?viviendo|llevamos\s+viviendo)\s+(?:(?:sol[oa]|junt[oa]s|actualmente)\s+)?(?:con\s+[^,–]+?\s+)?(?:en\s+(?:un|una)\s+[^,–]+?\s+(?=en\s))?{_IN}{_PLACE}", fits=_town),
    frame("lives_in", rf"(?:(?:me|nos|se)\s+)?(?:he(?:mos)?\s+|ha\s+)?(?:mud(?:é|amos|ó|ado)|traslad(?:é|amos|ó|ado))\s+(?:de\s+.+?\s+)?(?:a|al)\s+{THING}", fits=_town),
    frame("lives_in", rf"(?:(?:me|nos|se)\s+)?(?:(?:mudo|muda|traslado|mudaré|mudaremos|trasladaré)|(?:voy|vamos|va)\s+a\s+(?:mudarme|mudarnos|mudarse|trasladarme|vivir))\s+(?:de\s+.+?\s+)?(?:a|al|en)\s+{THING}", coming=True, fits=_town),
    frame("lives_in", rf"(?:me|nos)\s+(?:voy|vamos)\s+a\s+vivir\s+(?:a|en)\s+{THING}", coming=True, fits=_town),
    # -- work
    frame("works_at", rf"(?:{_NO_MORE}(?:trabajo|trabajamos|trabaja)|trabajaba|trabajé|trabajó|he\s+trabajado)\s+(?:como\s+.+?\s+|de\s+.+?\s+)?(?:en|para)\s+{THING}", over=True, fits=_firm),
    frame("works_at", rf"(?:dejé|he\s+dejado|dejamos)\s+(?:mi\s+(?:trabajo|puesto)\s+en\s+)?(?P<object>{NAME})", over=True),
    frame("works_at", rf"me\s+(?:despidieron|echaron)\s+de\s+{THING}", over=True, fits=_firm),
    frame("works_at", rf"(?:empiezo|empieza|empezaré|comienzo|voy\s+a\s+(?:empezar|trabajar)|trabajaré|entro)\s+(?:a\s+trabajar\s+)?(?:como\s+.+?\s+)?(?:en|para)\s+{THING}", coming=True, fits=_firm),
    frame("works_at", rf"(?:trabajo|trabaja)\s+(?:como\s+.+?\s+|de\s+.+?\s+)?(?:en|para)\s+{THING}{_AHEAD}", coming=True, fits=_firm),
    frame("works_at", rf"(?:trabajo|trabajamos|trabaja|estoy\s+trabajando|llevo\s+(?:\w+\s+(?:años|meses)\s+)?trabajando)\s+(?:(?:como|de)\s+.+?\s+)?(?:en|para)\s+{THING}", fits=_firm),
    frame("works_at", rf"(?:empecé|empezó|comencé|entré|he\s+empezado)\s+(?:a\s+trabajar\s+)?(?:como\s+.+?\s+)?(?:en|para)\s+(?P<object>{NAME})"),
    frame("works_as", rf"(?:{_NO_MORE}trabajo|trabajaba|trabajé|he\s+trabajado)\s+(?:en\s+.+?\s+)?(?:como|de)\s+{THING}", over=True, fits=occupation),
    frame("works_as", rf"(?:{_NO_MORE}(?:soy|es)|era|fui|fue)\s+{THING}", over=True, fits=occupation),
    frame("works_as", rf"(?:trabajo|trabaja|estoy|está)\s+(?:(?:en|para)\s+.+?\s+)?(?:como|de)\s+{THING}", fits=occupation),
    frame("works_as", rf"(?:soy|es|somos)\s+{THING}", fits=occupation),
    # -- family and pets
    frame("{kin}", rf"(?:tengo|tenemos|adopté|hemos\s+adoptado|he\s+adoptado)\s+.*?\bun[oa]?\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER},?\s+(?:que\s+se\s+llama|llamad[oa]|de\s+nombre|se\s+llama)\s+(?P<object>{PROPER})", mine=True),
    frame("partner", rf"(?:llevo|llevamos)\s+(?:\w+\s+(?:años|meses)|saliendo)\s+(?:\w+\s+)?con\s+(?P<object>{NAME})", mine=True),
    frame("partner", rf"salgo\s+con\s+(?P<object>{NAME})", mine=True),
    frame("married_to", rf"(?:estoy|está|estamos)\s+casad[oa]s?\s+con\s+(?P<object>{NAME})"),
    # -- what someone has
    frame("allergic_to", rf"(?:tengo|tiene|tenemos)\s+(?:una\s+)?alergia\s+(?:a|al|a\s+la|a\s+los|a\s+las)\s+{LIST}", several=True),
    frame("has", r"(?:tengo|tenemos|tiene|padezco|sufro)\s+(?:de\s+)?(?P<object>[\w' -]+?(?:,\s+(?:un|una|dos|tres|cuatro|\d)\s+[\w' -]+?)*)(?=\s+(?:pero|en|con|que|de|desde|para|porque|llamad[oa]|como|por|muy)\b|\s*[,.;:!?()–—]|$)", several=True, fits=had),
    frame("has", rf"(?:me|nos|le)\s+(?:han\s+)?(?:diagnosticaron|diagnosticado|detectaron)\s+{THING}", fits=had),
    frame("drives", rf"(?:conduzco|conduce|manejo)\s+un[oa]?\s+{THING}", fits=_vehicle),
    frame("allergic_to", rf"(?:soy|es)\s+(?:muy\s+)?alérgic[oa]\s+(?:al?|a\s+la|a\s+los|a\s+las)\s+{LIST}", several=True),
    frame("takes", r"(?:tomo|toma)\s+(?P<object>[\w-]+)(?=\W|$)", fits=medicine),
    # -- likes and dislikes
    frame("likes", rf"{_NO_MORE}{_ME}{_LIKE}\s+{THING}", over=True, fits=_liked),
    frame("likes", rf"(?:antes\s+)?{_ME}(?:gustaban?|encantaban?)\s+{THING}", over=True, fits=_liked),
    frame("prefers", r"(?:yo\s+)?(?:prefiero|preferimos|prefiere)\s+(?P<object>[^,.;:!?()–]+?)(?=\s+(?:al?\b|antes\s+que|que|en\s+vez|por|cuando|porque)|\s*[,.;:!?()–]|$)", fits=_liked),
    frame("prefers", rf"{_ME}gustan?\s+más\s+(?:el\s+|la\s+|los\s+|las\s+)?(?P<object>[^,.;:!?()–]+?)\s+que\b", fits=_liked),
    frame("dislikes", rf"{_NO}{_ME}{_LIKE}\s+(?:(?:nada|mucho|demasiado|para\s+nada|en\s+absoluto)\s+)*{LIST}", **_LIKED),
    frame("dislikes", rf"(?:odio|odia|odiamos|detesto|detesta|no\s+soporto|no\s+soporta|no\s+aguanto|aborrezco)\s+(?:a\s+)?{LIST}", **_LIKED),
    frame("dislikes", rf"{_ME}(?:da|dan)\s+asco\s+{LIST}", **_LIKED),
    frame("likes", rf"{_ME}{_LIKE}\s+{_MUCH}(?:ir\s+(?:al?|a\s+la)\s+)?{LIST}", **_LIKED),
    frame("likes", rf"(?:adoro|adora|amo)\s+{LIST}", **_LIKED),
    frame("likes", rf"(?:soy|es)\s+(?:muy\s+)?(?:un\s+gran\s+)?(?:fan|aficionad[oa]|amante|hincha|seguidor|seguidora)\s+(?:de|del|a|al)\s+{LIST}", **_LIKED),
    frame("favourite_{noun}", rf"^{_MY}\s+(?P<noun>\w+)\s+(?:favorit[oa]s?|preferid[oa]s?)\s+(?:es|son)\s+{THING}", whole=True, mine=True, fits=_liked),
    # -- the rest
    frame("speaks", r"(?:hablo|hablamos|habla)\s+(?:(?:bien|muy\s+bien|un\s+poco\s+de|algo\s+de|perfectamente)\s+)*(?P<object>[a-zñáéíóú]+(?:(?:\s*,\s*|\s+[ye]\s+)(?:(?:y|un\s+poco\s+de|algo\s+de)\s+)*[a-zñáéíóú]+)*)", several=True, fits=tongue),
    frame("born_in", rf"nac(?:í|ió)\s+(?:y\s+(?:crecí|me\s+crié)\s+)?en\s+{THING}", fits=lambda o: o[0].isupper()),
    frame("born_on", rf"nac(?:í|ió)\b.*–.*?(?:el\s+|en\s+)(?P<object>(?:\d{{1,2}}\s+de\s+{_MONTH}\s+del?\s+)?{_YEAR})"),
    frame("birthday", rf"^(?:mi\s+cumpleaños\s+es|yo\s+cumplo\s+años)\b.*?–\s*(?:el\s+)?(?P<object>\d{{1,2}}\s+de\s+{_MONTH})", whole=True, mine=True),
    frame("age", r"(?:tengo|tiene)\s+(?P<object>\d{1,3})\s+años\b(?!\s+de\s+(?!edad))"),
    frame("studies_at", r"(?:estudio|estudia)\s+(?:[\w ]+?\s+)?en\s+(?:la|el)\s+(?P<object>(?-i:U|E|I|C|A)[^,.;:!?()–]+?)(?=\s+(?:y|desde|en)\b|\s*[,.;–]|$)"),
    frame("studies", rf"(?:estudio|estudia|estoy\s+estudiando)\s+(?!en\b|mucho\b|para\b|por\b|con\b|un\b){THING}"),
    frame("plays", rf"(?:toco|toca|juego|juega)\s+(?:(?:al|a\s+la|el|la)\s+)?{LIST}", several=True, fits=plays),
    frame("learns", rf"(?:aprendo|estoy\s+aprendiendo|aprendiendo)\s+(?:a\s+tocar\s+)?{THING}", fits=lambda o: tongue(o) or plays(o)),
    frame("practises", r"(?:practico|hago)\s+(?P<object>yoga|pilates|karate|kárate|judo|natación|escalada|meditación|boxeo|crossfit|senderismo|atletismo|ciclismo)\b"),
    frame("plans_to", r"(?:voy\s+a|vamos\s+a|pienso|pensamos|planeo|tengo\s+pensado|tengo\s+previsto)\s+(?P<object>(?!ir\b(?:me)?$|empezar\b|trabajar\b|mudar|vivir\b|ver\b|probar\b|intentar\b|dormir\b|comer\b|pensar)[a-zñ]+[aeí]r(?:me|nos)?\s[^,;:!?()–]*?)(?=\s*[,;!?()]|\s+–.*(?:que\s+viene|próxim|en\s|a\s+partir|mañana|dentro|el\s|este))"),
    frame("is", r"(?:soy|es|estoy|está)\s+(?P<object>[\w-]+)(?=\s*[,.;!–]|\s+(?:y|desde|pero|porque)\b|$)", fits=trait),
    frame("phone", r"mi\s+(?:número(?:\s+de\s+teléfono)?|teléfono|móvil)\s+es\s+(?:el\s+)?(?P<object>[+\d][\d ()/-]{5,})", whole=True, mine=True),
    frame("email", r"mi\s+(?:correo(?:\s+electrónico)?|e-?mail)\s+es\s+(?P<object>[\w.+-]+@[\w.-]+\w)", whole=True, mine=True),
)  # fmt: skip

LEXICON = Lexicon(
    code="es",
    first_person=any_of(r"\b(?:yo|mis?|mí|me|conmigo|nosotr[oa]s|nos|nuestr[oa]s?|mí[oa]s?)\b"),
    subject=re.compile(
        rf"(?i:(?P<me>yo|nosotr[oa]s|{_MY}\s+{_KIND}(?:{_KIN})\s+y\s+yo)\s+"
        rf"|{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}(?:\s*,?\s+(?P<kin_name>{NAME}),?)?\s+(?={_IT}\b)"
        rf"|(?P<name>{NAME})(?:,\s+{_MY}\s+{_KIND}(?P<role>{_KIN}){_KIND_AFTER},)?\s+(?={_IT}\b)"
        rf"|(?P<pronoun>él|ella)\s+(?={_IT}\b))(?P<rest>.*)",
        re.S,
    ),
    asks=any_of(
        r"""^(?:y\s+|pero\s+|entonces\s+)?(?:¿|(?:qué|quién|quiénes|cuál|cuáles|cuándo|cuánt[oa]s?|dónde|adónde|cómo|por\s+qué)\b
        |(?:sabes|conoces|tienes|crees|puedes|podrías|has|eres|estás|vives|te)\s+(?!llamo|mudo).*\?$|me\s+pregunto|me\s+gustaría\s+saber|quisiera\s+saber|quiero\s+saber)"""
    ),
    requests=any_of(
        r"""^(?:por\s+favor,?\s+|ahora\s+|venga,?\s+)?(?:dime|cuéntame|escribe|escríbeme|traduce|tradúceme|explica|explícame|haz|hazme|dame|muéstrame|muestra|enséñame|ayúdame|ayuda|busca|
        búscame|encuentra|recomiéndame|recomienda|resume|resúmeme|enumera|calcula|compara|corrige|corrígeme|revisa|repite|crea|genera|redacta|describe|recuérdame|pon|ponme|lee|abre|sugiere|sugiéreme|
        piensa|elige|define|ordena|convierte|mira|deja|para\s+de|sigue|continúa|responde|contesta|prueba|añade|cambia|quita|usa|inventa|invéntate|olvida|no\s+(?:digas|hagas|olvides|me\s+digas)|dígame|escriba|traduzca|
        explique|haga|deme|quítame|hábleme|háblame|necesito\s+que|quiero\s+que)\b
        |^(?:por\s+favor,?\s+)?(?:me\s+)?(?:puedes|podrías|puede|podría|pueden|quieres)\b
        |^(?:yo\s+)?(?:quiero|quisiera|necesito|busco|me\s+gustaría|querría)\s+(?:un|una|unos|unas|algo|más|saber|ver|entender|preguntar|ayuda|que|tu|información|recomendaciones|ideas)\b
        |^(?:yo\s+)?tengo\s+(?:una|otra|unas)\s+(?:pregunta|duda|consulta)"""
    ),
    remember=any_of(
        r"""^(?:(?:oye|hola|por\s+favor|ah|y|ok|vale)[,!]?\s+)*(?:recuerda|acuérdate\s+de|apunta|anota|ten\s+en\s+cuenta|no\s+olvides|no\s+te\s+olvides\s+de|toma\s+nota(?:\s+de)?|recuerde|anote|guarda|para\s+que\s+(?:conste|lo\s+sepas))
        (?:\s+(?:esto|bien|por\s+favor))*(?:\s*[:,]\s*(?:que\s+)?|\s+que\s+|\s+(?=(?:mis?|yo|nuestr\w+)\b))"""
    ),
    supposes=any_of(
        r"""\b(?:si(?=\s)(?!\s+no\b\s*$)|quizás?|tal\s+vez|ojalá|a\s+lo\s+mejor|puede\s+que|posiblemente|probablemente|seguramente|igual\s+me|imagina\w*|imagínate|supongamos|supón|suponiendo|soñé|sueño\s+con|soñado|en\s+mi\s+sueño|un\s+sueño|como\s+si|en\s+teoría|
        hipotéticamente|algún\s+día|quién\s+sabe|quién\s+pudiera|no\s+sé\s+si|creo\s+que|supongo|estoy\s+pensando\s+en|me\s+planteo|dudo|
        sería|estaría|tendría|viviría|podría|haría|iría|querría|diría|compraría|trabajaría|mudaría|hablaría|comería|habría|sabría|dejaría|
        fuera|fuese|tuviera|tuviese|pudiera|viviera|hubiera|hubiese|estuviera|fuéramos|tuviéramos|sea|tenga|aprenda|viva)\b"""
    ),
    reports=any_of(
        r"""\ufffc|\b(?:dice|dicen|dijo|dijeron|decía|según|cuenta\s+que|cuentan\s+que|piensa\s+que|piensan\s+que|cree\s+que|creen\s+que|opina|afirma|asegura|pregunta|preguntó|respondió|escribió|me\s+(?:dijo|dijeron|contó|ha\s+dicho|han\s+dicho))\b
        |\ben\s+(?:la|el|una|un|este|esta)\s+(?:película|libro|canción|novela|cuento|serie|obra|artículo|texto|juego|poema)\b|\b(?:la\s+cita|la\s+frase|esta\s+frase|letra\s+de|prospecto|titular|en\s+(?:inglés|francés|alemán|portugués|italiano)\s*:|al\s+(?:inglés|francés|alemán|portugués|italiano)\s*:)"""
    ),
    jokes=any_of(
        rf"""\b(?:(?:ja){{2,}}j?|(?:je){{2,}}|(?:ji){{2,}}|es\s+broma|era\s+broma|bromeo|bromeaba|estoy\s+de\s+broma|de\s+coña|lol|xd+|ironía|irónicamente|sarcasmo)\b|^(?:sí|ya),?\s+claro,|/s(?:\W|$)|{LAUGH}"""
    ),
    greets=any_of(
        r"""^(?:hola|buenas|buenos\s+días|buenas\s+(?:tardes|noches)|gracias\b.*|muchas\s+gracias\b.*|muchísimas\s+gracias\b.*|adiós|chao|hasta\s+(?:luego|mañana|pronto|otra)|nos\s+vemos|vale|ok|okay|perfecto|genial|claro|sí|no|de\s+nada|
        qué\s+tal|encantad[oa]|de\s+acuerdo|estupendo|muy\s+bien|bien|exacto|feliz\s+\w+|felices\s+\w+|perdón|perdona|lo\s+siento|no\s+pasa\s+nada|que\s+descanses|saludos|un\s+abrazo|buen\s+(?:día|viaje|finde|provecho))(?:\s+(?:a\s+todos|de\s+nuevo|otra\s+vez|y\s+.*|por\s+.*|amigo|a\s+ti|igualmente))*\W*$"""
    ),
    meta=any_of(
        r"""^(?:(?:yo\s+)?(?:no\s+|nunca\s+|ya\s+|te\s+|lo\s+|solo\s+)*(?:he\s+dicho|hemos\s+dicho|dije|decía|digo|quería\s+decir|quise\s+decir|quiero\s+decir|me\s+refiero|me\s+refería|entiendo|entendí|comprendo|sé\b|pregunto|pregunté|pregunté|he\s+preguntado|he\s+afirmado|
        afirmo|pienso\s+que|recuerdo|me\s+acuerdo|me\s+alegro|agradezco|espero\s+que|estoy\s+de\s+acuerdo|estoy\s+segur[oa]|te\s+(?:quiero|amo|odio|dije|digo|agradezco)|hablo\s+(?:de|en\s+serio)|me\s+(?:parece|da\s+igual|importa|gusta\s+(?:eso|esto|tu|cómo|como|que)|encanta\s+(?:eso|esto|tu|que))|
        veo\s+que|voy\s+a\s+(?:ver|pensar|intentar|probar)|tengo\s+razón|he\s+visto\s+que|confío)\b.*
        |(?:eso|esto|ese|esa|aquello)\s+(?:es|no|está|suena|parece|me|sí|fue|era)\b.*|(?:es|está|estaba|era)\s+(?:que\b|bien|mal|verdad|mentira|cierto|falso|correcto|perfecto|genial|un[oa]?\b|muy\b|bueno|mejor).*
        |tú\s+.*|tus?\s+.*|usted\s+.*|tienes\s+.*|eres\s+.*|estás\s+.*|mi\s+(?:pregunta|problema|duda|idea|código|texto|respuesta)\b.*|no\s+es\s+(?:verdad|cierto)\b.*)$"""
    ),
    passing=any_of(
        r"""^(?:yo\s+)?(?:ya\s+|no\s+|también\s+)*(?:estoy|estamos|estaba|ando|me\s+siento|me\s+encuentro|sigo)\s+(?:(?:muy|un\s+poco|algo|tan|bastante|super|súper|demasiado|ya|todavía|aún|medio|hoy|ahora|casi|completamente|fatal|más)\s+)*(?:cansad\w+|aburrid\w+|enferm\w+|resfriad\w+|list[oa]s?|perdid\w+|ocupad\w+|enfadad\w+|triste|content\w+|
        nervios\w+|dormid\w+|despiert\w+|estresad\w+|feliz|liad\w+|agotad\w+|mal|bien|mejor|peor|aquí|ahí|allí|de\s+vuelta|de\s+camino|esperando(?!\s+un\s+(?:bebé|hijo))|comiendo|cenando|desayunando|cocinando|viendo|escuchando|mirando|en\s+(?:el|la|un|una)\s+(?!paro)\w+|en\s+(?:casa|clase|camino)|a\s+punto|fuera|harto|harta|mojad\w+|emocionad\w+|preocupad\w+|confundid\w+|sol[oa]|borrach\w+|con\s+(?:fiebre|resaca|gripe)|constipad\w+)\b
        |^(?:yo\s+)?(?:no\s+)?(?:tengo|tenemos)\s+(?:(?:mucha|mucho|un\s+poco\s+de|bastante|tanta|tanto|muchas|algo\s+de|una?)\s+)?(?:sueño|hambre|sed|frío|calor|prisa|fiebre|miedo|ganas|dolor|tiempo|razón|que\s+(?!.*\b(?:el|en)\s+\w+)\w+|resaca|tos|mocos|pereza|idea|cita\s+ahora|un\s+momento)\b
        |^(?:yo\s+)?tengo\s+que\s+(?:irme|ir|salir|colgar|dejarte|volver|dormir|cocinar|comer|trabajar|estudiar)
        |\b(?:me\s+(?:duele|duelen)\s+(?!.*\bsiempre)|hace\s+(?:frío|calor|sol|viento|buen|mal)|llueve|está\s+lloviendo|está\s+nevando|un\s+(?:momento|segundo|minuto)(?:,|$|\s+por)|espera\b|me\s+voy\s+(?:ya|a\s+(?:dormir|la\s+cama|comer|casa))|ahora\s+mismo\s+(?:no|estoy|vuelvo)|vuelvo\s+(?:enseguida|ahora|en)|
        al\s+fuego|suena\s+el|llaman\s+a\s+la\s+puerta|he\s+dormido|dormí\s+(?:mal|bien|fatal)|me\s+he\s+quedado\s+sin|acabo\s+de\s+(?:llegar|comer|despertar\w*|salir|volver)|se\s+me\s+(?:ha\s+)?(?:olvid\w*|hace\s+tarde|acab\w*)|perdí\s+el\s+(?:bus|tren|metro)|mi\s+(?:café|cena|comida|móvil|bus|tren|batería|internet)\s+(?:está|se|no|ya|llega))\b"""
    ),
    negates=any_of(
        r"\b(?:no|nunca|jamás|nada|nadie|ningún|ninguna?|sin|tampoco|ni|dejé\s+de|en\s+vez\s+de)\b"
    ),
    past=any_of(
        r"""\b(?:era|éramos|vivía\w*|viví|vivió|trabajaba\w*|trabajé|trabajó|tenía\w*|tuve|estaba|estuve|fui|fue|fuimos|nací|nació|estudié|estudiaba|estudió|antes|ayer|anteayer|pasad[oa]|me\s+mudé|mudamos|se\s+mudó|dejé|empecé|empezó|compré|vendí|
        solía|gustaban?|encantaban?|[a-zñáéíóú]{3,}(?<!caf)(?:é|ió)(?=\s))(?!\w)|\bhace\s+(?:\d+|un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)\s+(?:días?|semanas?|mes(?:es)?|años?)\b(?!\s+que)
        |\b(?:he|hemos|ha|han|había|habíamos)\s+\w+(?:ado|ido|to|cho)\b"""
    ),
    coming=any_of(
        r"""\b(?:voy|vamos|va)\s+a\s+\w+[aeií]r\w*|\b\w+(?:aré|eré|iré|aremos|eremos|iremos|dré|remos)\b|\b(?:mañana(?!s)|pasado\s+mañana|que\s+viene|próxim[oa]s?|dentro\s+de|a\s+partir\s+de|pronto)\b|\b(?:quiero|queremos|pienso|planeo|me\s+gustaría|nos\s+gustaría|tengo\s+pensado|tengo\s+previsto)\s
        |\b(?:me\s+mudo|nos\s+mudamos(?=.*\b(?:que\s+viene|próxim|en\s))|empiezo|me\s+caso|nos\s+casamos|me\s+jubilo|dejo|cumplo)\b(?=.*\s–\s)"""
    ),
    over=any_of(r"\b(?:ya\s+no|antes|dejé|dejado|solía|nunca\s+más)\b"),
    kin=KIN,
    relations=tuple(
        re.compile(pattern)
        for pattern in (
            rf"\b(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}),?\s+(?i:llamad[oa]\s+)?(?P<object>{NAME})",
            rf"(?<!\bde\s)\b(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}\s+se\s+llama\s+)(?P<object>{PROPER})",
            rf"(?i:el\s+nombre\s+de\s+{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}\s+es\s+)(?P<object>{PROPER})",
            rf"^(?P<object>{NAME})\s+(?i:es\s+{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER})(?=\s*[,.–]|\s+y\b|$)",
            rf"^(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}\s+es\s+)(?P<object>{PROPER})$",
            rf"(?:^|[,\s])(?P<object>{NAME}),\s+(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER})(?=\s*,|$)",
            rf"^(?i:(?:este|esta|éste|ésta)\s+es\s+{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}),?\s+(?P<object>{PROPER})",
        )
    ),
    frames=FRAMES,
    articles=any_of(
        r"^(?:un\s+poco\s+de|el|la|los|las|un[oa]?s?|mis?|nuestr[oa]s?|algun[oa]s?|a|al|muy|también)\s+"
    ),
    tail=any_of(
        r"\s+(?:también|mucho|muchísimo|nada|para\s+nada|en\s+absoluto|ahora|ya|siempre|sobre\s+todo|la\s+verdad|de\s+nuevo|otra\s+vez|juntos|solo|sola|bastante|más|tampoco|todavía)$"
    ),
    not_objects=frozenset(
        """eso esto ese esa lo la el él ella me te nos le ti mí todo nada algo alguien nadie aquí allí así
        qué que quién tú usted mucho más tanto nosotros sí no tu tus su sus uno una ello""".split()
    ),
    expand=tuple(
        (re.compile(pattern, re.I), replacement)
        for pattern, replacement in (
            (r"[¡]", ""),
            (r"^a\s+(?:mí|nosotr[oa]s)\s+(?=(?:también\s+|no\s+|ya\s+no\s+)*(?:me|nos)\b)", ""),
            (r"\bq\b", "que"),
            (r"\bxq\b", "porque"),
        )
    ),
    fillers=any_of(
        r"""^[¡]?(?:(?:hola|buenas|buenos\s+días|buenas\s+(?:tardes|noches)|sí|no(?=,)|vale|bueno|pues|oye|mira|y|pero|por\s+cierto|la\s+verdad(?:\s+es\s+que)?|es\s+que|en\s+realidad|además|ah|eh|uf|ok|claro|gracias|perdón|bien|
        para\s+que\s+(?:lo\s+)?sepas|a\s+ver|de\s+hecho|sinceramente|porque|ya\s+que|aunque|así\s+que|encantad[oa]|por\s+favor|lo\s+dicho|que\s+sepas\s+que|te\s+cuento(?:\s+que)?|resulta\s+que)(?:[,!:.–—-]+\s*|\s+))+(?=\S)"""
    ),
    adverbs=any_of(
        r"\s(?:también|todavía|aún|actualmente|realmente|además|la\s+verdad|por\s+suerte|por\s+desgracia|sinceramente|normalmente|personalmente|básicamente|simplemente|prácticamente|oficialmente|por\s+fin|ya(?!\s+no\b))(?=\s)"
    ),
    cut=any_of(
        rf""";\s*|\s+[–—-]\s+
        |{_NOT_BOTH},?\s+(?:y|e|pero|aunque|mientras|porque|ya\s+que|así\s+que)\s+(?=(?:yo|nosotr[oa]s|él|ella|{_MY}\s+{_KIND}(?:{_KIN})\b(?!\s+y\s+yo)(?=.*\b{_IT}\b)|ahora|antes|desde|hace|el\s+(?:mes|año|lunes)|a\s+partir)\b)
        |,?\s+(?:y|e|pero|aunque|porque|ya\s+que|así\s+que)\s+(?={_FIRST})
        |,?\s+(?:y|e|pero)\s+(?={_IT}\b)(?!no\s+(?:el|la|los|las|un|una)\b)
        |\s+y\s+(?=(?:cree|piensa|dice)\b)|,\s+(?=(?:yo|nosotr[oa]s|él|ella)\b)|,\s+(?={_FIRST})|,\s+(?=(?:ahora|antes|después|desde)\s+(?:\w+\s+){{0,4}}?{_FIRST})
        |,\s+(?={_MY}\s+{_KIND}(?:{_KIN}){_KIND_AFTER}\s+(?:(?-i:[A-Z]\w+)\s+)?{_IT}\b)"""
    ),
    carried=any_of(rf"^{_IT}\b"),
    lists=any_of(r"\s*,\s*(?:y\s+|e\s+)?|\s+[yeo]\s+|\s*&\s*"),
    arrange=arranger(TIMES, "yo", _IMPLIED, _LEAD),
    time_words=None,
)
