"""Spanish, as the grammar of plain statements reads it. The subject is mostly in the verb."""

from __future__ import annotations

import re

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
from thalamus.policy.language.spanish.times import TIME_WORDS
from thalamus.policy.language.vocabulary.activities import (
    is_hobby,
    is_instrument_or_sport,
    is_language,
)
from thalamus.policy.language.vocabulary.activity_nouns import activity_noun
from thalamus.policy.language.vocabulary.relations import owners, with_ended
from thalamus.policy.language.vocabulary.word_classes import (
    is_animal_or_illness,
    is_medicine,
    is_occupation,
    is_romance_illness,
    is_trait,
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
    "dog": "perro perra perrito perrita perrete cachorro cachorra galgo galga podenco podenca mastín labrador caniche chihuahua teckel bulldog", "cat": "gato gata gatito gatita",
    "horse": "caballo yegua poni",
    "pet": "mascota tortuga loro lorita conejo coneja hámster cobaya cuy canario pez hurón periquito cotorra cacatúa agapornis "
           "ninfa jilguero erizo iguana gecko serpiente burro burra cabra oveja cerdo cerdita gallina pato ganso oca chinchilla",
    "teacher": "profesor profesora profe", "dentist": "dentista", "therapist": "psicóloga psicólogo terapeuta", "doctor": "médico médica",
    "godson": "ahijado", "goddaughter": "ahijada", "godmother": "madrina", "godfather": "padrino",
    "stepmother": "madrastra", "stepfather": "padrastro",
})  # fmt: skip
KIN = with_ended(KIN, ex=("ex-", "ex ", "ex"))
_KIN = alternatives(KIN)
_SEVERAL = kin({
    "child": "hijos niños nenes peques mellizos gemelos", "son": "chicos varones", "daughter": "hijas niñas nenas mellizas gemelas",
    "sibling": "hermanos", "sister": "hermanas", "brother": "hermanos_varones", "dog": "perros perras perritos galgos",
    "cat": "gatos gatas gatitos gatitas", "pet": "mascotas tortugas loros conejos periquitos canarios hámsters gallinas cabras",
    "grandson": "nietos", "granddaughter": "nietas", "nephew": "sobrinos", "niece": "sobrinas",
})  # fmt: skip
_KIND = r"(?:(?:querid[oa]|pequeñ[oa])\s+)?"
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
    r"(?:vivo|trabajo|soy|somos|trago|acabo|evito|cojo|estoy|tengo|hablo|estudio|nací|odio|detesto|prefiero|bebo|como|leo|toco|juego|conduzco|"
    r"tomo|fumo|corro|nado|voy|vamos|fui|estuve|era|éramos|vivía|vivíamos|trabajaba|tenía|tuve|estudiaba|estaba|"
    r"quiero|puedo|sé|conozco|llevo|hago|cumplo|empiezo|dejo|adoro|amo|planeo|aprendo|enseño|canto|bailo|escribo|"
    r"pinto|he|había|suelo|espero|necesito|pienso|creo|manejo|uso|colecciono|cocino|practico|entreno|salgo|duermo|"
    r"soporto|aguanto|aborrezco|padezco|apellido|alquilo|crío|cultivo|vendo|compro|dirijo|cuido|sufro|padezco|monto|veo|escucho|paso|vengo|hice|puse|dije|vine|quise|"
    r"pude|supe|conduje|traje|aprendí|solía|solíamos|comía|bebía|fumaba|jugaba|iba|íbamos|hacía|busco|sueño|"
    r"curro|laburo|chambeo|camello|ejerzo|entreno|disfruto|doy|sigo|restauro|monto|extraño|pertenezco|participo|colaboro|"
    r"tejo|coso|patino|medito|pesco|viajo|resido|provengo|procedo|opino|ando|asisto|convivo|imparto|"
    r"salía|daba|estábamos|hacíamos|veraneo|madrugo|teletrabajo|regento|diseño|programo|construyo|"
    r"odiaba|detestaba|me\s+(?:apunté|jubilé|casé)|padecía|llevaba|tocaba|cantaba|hablaba|"
    r"[a-zñáéíóú]{3,}(?:amos|emos|imos))"
)
_NOT_ME = (
    r"(?!(?:mi|sí|así|aquí|allí|ahí|casi|café|qué|porqué|también|ramos|mismos|últimos|extremos)\b)"
)
_PRE = r"(?:(?:ya\s+no|no|nunca|tampoco|ya|siempre|también|todavía|aún|solo|solamente|además|casi)\s+)*"
_FIRST = (
    rf"{_PRE}(?:(?:(?:me|nos)\s+(?:(?:lo|la|le|los|las)\s+)?(?:han?\s+)?(?!a\b|de\b|y\b)(?:dan?|van?|[a-zñáéíóú]{{3,}})|(?:lo|la|los|las|le|les|te|se\s+me)\s+{_VERBS_ME}|{_VERBS_ME}"
    rf"|{_NOT_ME}[a-zñáéíóú]{{3,}}(?:é|í)))(?!\w)"
)
_IMPLIED = LazyPattern(rf"(?!(?:yo|nosotr[oa]s)\b){_FIRST}", re.I)
_LEAD = LazyPattern(
    r"(?:(?:en|con|por|para|como|a|de|desde|entre|gracias\s+a|sobre)\s+[^,]{1,50}?,?\s+|(?:además|también|luego|después|entonces|aquí|allí),?\s+)"
    rf"(?=(?-i:{_FIRST}))", re.I)  # fmt: skip
_IT = (
    r"(?:es|era|está|tiene|vive|vivía|trabaja|trabajaba|estudia|habla|se\s+llama|nació|toca|juega|le\s+(?:gustan?|encantan?)|odia|prefiere|"
    r"quiere|va|fue|sigue|busca|vende|compra|canta|baila|pinta|monta|entrena|nada|corre|lee|escribe|ladra|duerme|cocina|estaba|tenía|murió|ama|padece|curra|dirige|cuida|practica|anda|sale|usa|toma|fuma|quedó|cursa|cobra|vino|volvió|está\s+\w+ndo|estudió|trabajó|vivió|"
    r"ha|se\s+(?:mudó|muda|va|casa|jubila)|cumple|empieza|empezó|dejó|no|ya\s+no|sufre|padece|adora|come|bebe|conduce|enseña|lleva|hace|viene)"
)
_ARTICLES = r"el|la|los|las|un|una|unos|unas|mi|mis|nuestro|nuestra"
_STOP = (
    r"y|e|pero|con|desde|hasta|porque|como|donde|que|cuando|para|por|en|aunque|o|ni|si|sin|de\s+momento|"
    r"también|ahora|mientras|ya|además|cerca|junto|al\s+lado|es|era|está|hace|desde|"
    r"(?:\d+|una?|dos|tres|cuatro|cinco|seis|diez)\s+(?:años?|meses|mes|semanas?|días?)"
)
THING = thing(_ARTICLES, _STOP)
_PLACE = thing(r"el|la|los|las|un|una|mi", _STOP.replace("|en|", "|"))
LIST = things(
    _ARTICLES,
    r"pero|porque|cuando|aunque|desde|si|nadie|no|yo|sobre\s+todo|especialmente|más\s+que|en|con|que|mucho|como|ni|para|es",
)
_IN = r"(?:en|cerca\s+de(?=\s+(?-i:[A-Z])))\s+"
_NO = r"(?:ya\s+)?(?:no|nunca|tampoco)\s+"
_NO_MORE = r"ya\s+no\s+"
_AHEAD = r"(?=.*–.*(?:a\s+partir\s+de|que\s+viene|próxim|mañana\b|dentro\s+de|pronto))"
_LIKE = r"(?:gustan?|encantan?|fascinan?|chiflan?|apasionan?|flipan?|vuelven?\s+loc[oa]s?|molan?|pirran?|privan?|alucinan?|latens?|copan?|ponen?\s+mucho|interesan?)"
_ME = r"(?:a\s+\w+\s+)?(?:me|nos|le)\s+"
_MUCH = r"(?:(?:mucho|muchísimo|bastante|un\s+montón|también|más|tanto|realmente|de\s+verdad)\s+)*"
_NO_TOWN = frozenset(
    """casa piso apartamento paz pareja familia campo centro ciudad pueblo calle barrio segundo tercer
    primer planta residencia alquiler edificio miedo armonía afueras habitación hotel mundo mar
    extranjero general realidad serio""".split()
)
_NO_LIKING = frozenset(
    """que eso esto esta este ese esa esos esas estos estas aquel aquella lo la él ella tú ti usted ustedes cuando cómo como tu tus su sus mucho nada
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
    return (
        not {words[0], words[-1]} & AT_HAND
        and words[0] not in _NO_LIKING
        and not re.search(r"\b(?:me|te|soy|es|son|está)\b", object.casefold())
    )


def _vehicle(object: str) -> bool:
    return re.match(
        r"autobús|camión|taxi|tren|coche|moto|furgoneta|tranvía|ambulancia", object, re.I
    ) is not None or (object[0].isupper())


def _home_town(object: str) -> bool:
    """Whether somebody may come from there: not "soy de Letras", "soy de Apple"."""
    return object.split()[0] not in (
        "Letras", "Ciencias", "Apple", "Android", "Mac", "Linux", "Windows", "Humanidades", "Dios",
    )  # fmt: skip


def _firm_of_a_job(object: str) -> bool:
    return _firm(object) and not re.match(_MONTH, object, re.I)


def _trade(object: str) -> bool:
    """Whether somebody may work as it: "trabajo de noche", "como un burro" name no trade."""
    return object[0].islower() and not re.match(
        r"(?:noches?|día|lunes|sol\b|siempre|loc[oa]|burr[oa]|negr[oa]|mierda|puta|madre|pie|forma|manera|"
        r"mal|bien|nunca|antes|todos?|cualquier|nadie|gratis|ti\b|casa|lujo|verdad|mañana|tarde|\d)",
        object,
        re.I,
    )


def _eaten(object: str) -> bool:
    """Whether it may be food or drink: not "no tomo el metro"."""
    return re.match(
        r"(?:el\s+)?(?:metro|bus|autobús|tren|taxi|avión|decisiones|nota|fotos?|apuntes|sol|parte|pelo|coche|"
        r"cuenta|riesgos?|hablar|discutir|pensar|ir|eso|esto|lo|la\s+iniciativa|ni|a\b|nada|mucho|solo|tanto)\b",
        object,
        re.I,
    ) is None and not re.search(r"\b(?:porque|me|que)\b", object)


_NATIONS = frozenset(
    """español española mexicano mexicana argentino argentina colombiano colombiana chileno chilena
    peruano peruana venezolano venezolana ecuatoriano ecuatoriana boliviano boliviana uruguayo uruguaya
    paraguayo paraguaya cubano cubana dominicano dominicana puertorriqueño puertorriqueña guatemalteco
    guatemalteca hondureño hondureña salvadoreño salvadoreña nicaragüense costarricense panameño
    panameña andaluz andaluza catalán catalana vasco vasca gallego gallega asturiano asturiana canario
    canaria madrileño madrileña valenciano valenciana aragonés aragonesa extremeño extremeña sevillano
    sevillana porteño porteña francés francesa italiano italiana alemán alemana portugués portuguesa
    inglés inglesa marroquí rumano rumana brasileño brasileña""".split()
)
_I_AM = rf"(?:soy|me\s+llamo|me\s+dicen)\s+{NAME},\s+"
_NAMES = rf"{NAME}(?:(?:\s*,\s*|\s+[ye]\s+|,\s+y\s+){NAME})*(?:\s+y\s+(?:yo|un[oa]?\s+servidora?))?"
_END_OF_LIST = r"(?=,?\s+(?:desde|ni|porque|pero|por|cuando|en|con|para|que|hace|aunque|ya\s+que|salvo|excepto)\b|\s*[.;:!?()–]|$)"
_SHOPS = (
    "panadería|tienda|librería|bar|restaurante|cafetería|taller|peluquería|floristería|empresa|negocio|granja|"
    "bodega|hotel|hostal|estudio|academia|consulta|clínica|farmacia|ferretería|papelería|pastelería|crepería|food\\s+truck|startup|ong"
)
_GIVEN_UP = (
    "café|tabaco|alcohol|azúcar|carne|gluten|cerveza|vino|mate|refrescos?|coca-cola|lácteos|leche|pan|gimnasio|yoga|"
    "pilates|fútbol|ballet|natación|redes\\s+sociales|instagram|twitter|facebook|tiktok|porros|cigarro|cigarrillos?|chocolate|dulces?|ultraprocesados|marihuana"
)
_MAKING = (
    "escribiendo|construyendo|restaurando|montando|desarrollando|programando|diseñando|preparando|creando|grabando|"
    "traduciendo|organizando|pintando|tejiendo|cosiendo|rodando|componiendo|reformando|haciendo|fabricando|armando|arreglando|ilustrando|editando|redactando|currando\\s+en"
)
_SOON = r"(?:que\s+viene|próxim|mañana|dentro\s+de|el\s+(?:\d|lunes|martes|miércoles|jueves|viernes|sábado|domingo)|est[ea]\s|en\s+(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|verano|otoño|primavera|invierno|navidad|20\d\d)|pronto)"
_LIKES = rf"(?:{_LIKE}|encanta|chifla|apasiona|flipa|fascina|priva|pirra|late|laten|copa|copan|molan?)(?:\s+(?:mucho|muchísimo|un\s+montón))?"
_BOTHERS = (
    r"aburren?|molestan?|revientan?|repugnan?|horrorizan?|agobian?|estresan?|irritan?|desesperan?|cargan?(?!\s+de)|chocan?(?=\s+(?:el|la|los|las|que)\b)|"
    r"sacan?\s+de\s+quicio|ponen?\s+de\s+los\s+nervios|dan?\s+(?:mucho\s+)?asco|caen?\s+(?:fatal|mal)|sientan?\s+(?:fatal|mal)|enferman?(?=\s+(?:el|la|los|las)\b)"
)
_FIRST_SAID = r"(?:el|la|los|las|lo\s+de|eso\s+de)?\s*(?P<object>(?!yo\b|me\b|no\b|que\b|lo\b|eso\b|esto\b|ya\b|también\b|tampoco\b|a\b|nada\b|todo\b|hoy\b)[^,.;:!?()–]+?)"
_NOT_BOTH = "".join(  # "mi marido y yo" is one subject
    rf"(?<!\b{word})"
    for word in "marido mujer esposa esposo novio novia hermano hermana hijo hija madre padre pareja amigo amiga prometido prometida".split()
)
_LIKED = {"several": True, "fits": _liked}
FRAMES = (
    *ended(
        KIN,
        had=r"(?:antes\s+)?(?:tenía|teníamos|tuve|tuvimos)",
        named=r"\s+(?:que\s+se\s+llamaba|llamad[oa]|de\s+nombre)",
        plays_no_more=r"ya\s+no\s+(?:juego|jugamos|toco)\s+(?:al\s+|a\s+la\s+|el\s+|la\s+|a\s+)?|(?:he\s+dejado|dejé)\s+de\s+(?:jugar|tocar)\s+(?:al\s+|a\s+la\s+|el\s+|la\s+)",
        does_no_more=r"ya\s+no\s+(?:hago|practico|hacemos|voy\s+a)\s+(?:el\s+|la\s+)?|(?:he\s+dejado|dejé)\s+(?:el\s+|la\s+)",
    ),
    frame("name", rf"me\s+llamo\s+(?P<object>{MY_NAME})", mine=True),
    frame("name", rf"^{_MY}\s+nombre\s+(?:completo\s+)?es\s+(?P<object>{MY_NAME})", whole=True, mine=True),
    frame("name", rf"soy\s+(?P<object>{NAME})(?=\s*[,.;!–]|\s+(?:y|de)\b|$)", mine=True),
    frame("name", rf"^(?:puedes\s+)?(?:ll[aá]mame|llamarme)\s+(?P<object>{PROPER})", whole=True, mine=True),
    frame("name", rf"^(?:aquí|acá)\s+(?:está\s+)?(?P<object>{NAME})(?=\s*[,.;!–]|$)", whole=True),
    frame("nickname", rf"(?:\bme\s+(?:dicen?|llaman?|apodan|conocen\s+(?:como|por)|puedes\s+(?:llamar|decir))|\b{_MY}\s+(?:apodo|mote|alias|sobrenombre|diminutivo)\s+es"
          rf"|\b(?:podéis|pueden|podés|prefiero\s+que\s+me)\s+(?:llamarme|decirme|llames|llamen|digas|digan))\s+(?:el\s+|la\s+)?(?P<object>{PROPER})", whole=True),
    frame("age", rf"{_I_AM}(?:[^,]+,\s+)??(?:y\s+)?(?:de\s+)?(?P<object>\d{{1,2}})(?:\s+años)?(?=\s*[,.;–]|\s+y\b|$)", mine=True),
    # -- home
    frame("home_town", rf"(?:(?:soy|somos|procedo|provengo)\s+(?:originari[oa]\s+|natural\s+|oriund[oa]\s+)?|{_I_AM}(?:[^,]+,\s+)*?(?:y\s+)?(?:soy\s+)?)(?:de\s+(?:un\s+pueblo\s+de\s+|la\s+ciudad\s+de\s+|cerca\s+de\s+)?)(?P<object>{NAME})(?!\s+(?:toda|de\s+toda)\b.*\bfan)", mine=True, fits=_home_town),
    frame("home_town", rf"(?:me\s+crié|crecí|me\s+he\s+criado)\s+(?:entre\s+\w+\s+)?en\s+{_PLACE}", mine=True, fits=_home_town),
    frame("lives_in", rf"(?:{_NO_MORE}(?:vivo|vivimos|vive)|vivía|vivíamos|viví|vivió|he\s+vivido|solía\s+vivir)\s+(?:con\s+[^,–]+?\s+)?{_IN}{_PLACE}", over=True, fits=_town),
    frame("lives_in", rf"(?:vivo|vivimos|vive|resido|estoy\s+viviendo|llevo\s+(?:\w+\s+(?:años|meses)\s+)?viviendo|llevamos\s+viviendo)\s+(?:(?:sol[oa]|junt[oa]s|actualmente)\s+)?(?:con\s+[^,–]+?\s+)?(?:en\s+(?:un|una)\s+[^,–]+?\s+(?=en\s))?{_IN}{_PLACE}{_AHEAD}", coming=True, fits=_town),
    frame("lives_in", rf"(?:vivo|vivimos|vive|resido|estoy\s+viviendo|llevo\s+(?:\w+\s+(?:años|meses)\s+)?viviendo|llevamos\s+viviendo)\s+(?:(?:sol[oa]|junt[oa]s|actualmente)\s+)?(?:con\s+[^,–]+?\s+)?(?:en\s+(?:un|una)\s+[^,–]+?\s+(?=en\s))?{_IN}{_PLACE}", fits=_town),
    frame("lives_in", rf"(?:llevo|llevamos|lleva)\s+(?:ya\s+)?(?:(?:\w+\s+){{1,3}}(?:años|meses|semanas)\s+)?(?:afincad[oa]\s+|instalad[oa]\s+)?(?:aquí\s+)?en\s+(?P<object>{NAME})(?=.*–|\s*,|$|\s+y\b)", fits=_town),
    frame("lives_in", rf"(?:estoy|estamos|está)\s+(?:instalad|afincad|establecid|radicad)[oa]s?\s+en\s+{_PLACE}", fits=_town),
    frame("lives_in", rf"(?:alquilo|alquilamos|he\s+alquilado|alquilé|comparto|compartimos|tengo\s+alquilad[oa])\s+(?:un|una)?\s*(?:piso|apartamento|estudio|habitación|casa|cuarto|departamento|depa|apto)\s+(?:[^,–]+?\s+)?en\s+(?P<object>{NAME})", fits=_town),
    frame("lives_in", rf"(?:(?:me|nos)\s+)(?:instal|afinc|establec|radiqu?|vin|fu)(?:é|í|amos|imos|ine|e|ui)\s+(?:a\s+vivir\s+)?(?:a|en)\s+(?P<object>{NAME})(?=.*\bvivir\b|.*–\s*(?:desde|hace)|$)", fits=_town),
    frame("lives_in", rf"(?:me|nos)\s+(?:vine|fui|fuimos|vinimos|he\s+venido)\s+a\s+vivir\s+(?:con\s+[^,–]+?\s+)?(?:a|en)\s+(?P<object>{NAME})", fits=_town),
    frame("lives_in", rf"^(?=.*\b(?:yo|me|mi|nos)\b)(?!.*\b(?:vacaciones|viaje|visita|hotel|finde|turismo|unos\s+días)\b).*\b(?:aquí|acá)\s+en\s+(?P<object>{NAME})", whole=True, fits=_town),
    frame("lives_in", rf"(?:(?:me|nos|se)\s+)?(?:he(?:mos)?\s+|ha\s+)?(?:mud(?:é|amos|ó|ado)|traslad(?:é|amos|ó|ado))\s+(?:de\s+.+?\s+)?(?:al|a)\s+(?:un\s+(?:pueblo|barrio)\s+de\s+)?{THING}", fits=_town),
    frame("lives_in", rf"(?:acabo|acabamos|acaba)\s+de\s+(?:mudar|trasladar|instalar)(?:me|nos|se)\s+(?:de\s+.+?\s+)?(?:al|a|en)\s+(?:un\s+(?:pueblo|barrio)\s+de\s+)?{THING}", fits=_town),
    frame("lives_in", rf"(?:(?:me|nos|se)\s+)?(?:(?:mudo|muda|traslado|mudaré|mudaremos|trasladaré)|(?:voy|vamos|va)\s+a\s+(?:mudarme|mudarnos|mudarse|trasladarme|vivir))\s+(?:de\s+.+?\s+)?(?:a|al|en)\s+{THING}", coming=True, fits=_town),
    frame("lives_in", rf"(?:me|nos)\s+(?:voy|vamos)\s+a\s+vivir\s+(?:a|en)\s+{THING}", coming=True, fits=_town),
    # -- work
    frame("works_at", rf"(?:{_NO_MORE}(?:trabajo|trabajamos|trabaja)|trabajaba|trabajé|trabajó|he\s+trabajado)\s+(?:como\s+.+?\s+|de\s+.+?\s+)?(?:en|para)\s+{THING}", over=True, fits=_firm),
    frame("works_at", rf"(?:dejé|he\s+dejado|dejamos)\s+(?:mi\s+(?:trabajo|puesto)\s+en\s+)?(?P<object>{NAME})", over=True),
    frame("works_at", rf"me\s+(?:despidieron|echaron)\s+de\s+{THING}", over=True, fits=_firm),
    frame("works_at", rf"(?:empiezo|empieza|empezaré|comienzo|voy\s+a\s+(?:empezar|trabajar)|trabajaré|entro)\s+(?:a\s+trabajar\s+)?(?:como\s+.+?\s+)?(?:en|para)\s+{THING}", coming=True, fits=_firm),
    frame("works_at", rf"(?:trabajo|trabaja)\s+(?:como\s+.+?\s+|de\s+.+?\s+)?(?:en|para)\s+{THING}{_AHEAD}", coming=True, fits=_firm),
    frame("works_at", rf"(?:trabajo|trabajamos|trabaja|curro|curramos|curra|laburo|labura|chambeo|camello|estoy\s+(?:trabajando|currando|laburando)|presto\s+servicios|doy\s+clases?(?:\s+de\s+[^,–]+?)?|imparto\s+clases?(?:\s+de\s+[^,–]+?)?|estoy\s+(?:contratad|emplead)[oa]|llevo\s+(?:\w+\s+(?:años|meses)\s+)?trabajando)\s+(?:(?:como|de)\s+.+?\s+)?(?:en|para)\s+{THING}", fits=_firm),
    frame("works_at", rf"(?:empecé|empezó|comencé|entré|he\s+empezado)\s+(?:a\s+trabajar\s+)?(?:como\s+.+?\s+)?(?:en|para)\s+(?P<object>{NAME})"),
    frame("works_at", rf"soy\s+[^,–]+?\s+(?:en|para)\s+(?P<object>{NAME})(?=\s*[,.;–]|\s+(?:y|desde)\b|$)", mine=True, fits=_firm_of_a_job),
    frame("works_as", rf"(?:{_NO_MORE}trabajo|trabajaba|trabajé|he\s+trabajado)\s+(?:en\s+.+?\s+)?(?:como|de)\s+{THING}", over=True, fits=is_occupation),
    frame("works_as", rf"(?:{_NO_MORE}(?:soy|es)|era|fui|fue)\s+{THING}", over=True, fits=is_occupation),
    frame("works_as", rf"(?:estoy|está)\s+(?:(?:en|para)\s+.+?\s+)?(?:como|de)\s+{THING}", fits=is_occupation),
    frame("works_as", rf"(?:trabajo|trabaja|curro|curra|laburo|labura|chambeo|camello|ejerzo|ejerce|estoy\s+trabajando|me\s+gano\s+la\s+vida)\s+(?:(?:en|para)\s+[^,]+?\s+como|como|de)\s+{THING}", fits=_trade),
    frame("works_as", rf"soy\s+{THING}\s+de\s+profesión", mine=True),
    frame("works_as", rf"{_I_AM}(?:soy\s+)?{THING}", mine=True, fits=is_occupation),
    frame("works_as", rf"{_I_AM}[^,]+,\s+(?:y\s+)?(?:soy\s+)?{THING}", mine=True, fits=is_occupation),
    frame("works_as", rf"{_I_AM}(?:[^,]+,\s+){{2}}(?:y\s+)?(?:soy\s+)?{THING}", mine=True, fits=is_occupation),
    frame("works_as", rf"(?:{_MY}\s+(?:profesión|oficio|trabajo)\s+es|de\s+profesión,?)\s+(?:ser\s+)?{THING}", whole=True, fits=is_occupation),
    frame("works_as", r"(?:me|se)\s+(?:dedico|dedica)\s+(?:a\s+la|al|a\s+los|a\s+las|a)\s+(?P<object>[^,.;:!?()–]+?)(?=\s+(?:y|desde|en|pero|porque)\b|\s*[,.;!–]|$)", mine=True, fits=not_fleeting),
    frame("works_as", r"(?:doy|da|imparto)\s+(?P<object>clases?\s+(?:particulares\s+)?de\s+[\wáéíóúñ]+(?:\s+a\s+\w+)?)(?=\W|$)"),
    frame("works_as", r"(?:enseño|enseña)\s+(?P<object>[a-zñáéíóú]+)\s+(?:en\s+(?:el|la|un|una)\s+(?:instituto|colegio|escuela|universidad|facultad|academia|liceo|secundaria|prepa)\b)"),
    frame("works_as", rf"(?:soy|es|somos)\s+{THING}", fits=is_occupation),
    # -- family and pets
    frame("{kin}", rf"{_MY}\s+(?:\w+\s+)?(?P<kin>{alternatives(_SEVERAL)})(?:\s+se\s+llaman|,|:|\s+son)\s+(?P<object>{_NAMES})", whole=True, several=True, fits=named),
    frame("{kin}", rf"^yo\s+(?:tengo|tenemos|somos)\s+(?:\w+\s+){{0,2}}?(?P<kin>{alternatives(_SEVERAL)})(?:\s+\w+)?\s*(?:,|:|\(|\s+(?:que\s+)?se\s+llaman|\s+llamad[oa]s)\s*(?P<object>{_NAMES})", whole=True, several=True, fits=named),
    frame("{kin}", rf"^(?:el|la|este|esta)\s+(?P<kin>{alternatives({word: of for word, of in KIN.items() if of in ('dog', 'cat', 'pet', 'horse')})})(?:\s+se\s+llama|,)\s+(?P<object>{PROPER})", whole=True),
    frame("{kin}", rf"(?:tengo|tenemos)\s+(?:un|una)\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}(?:\s+de\s+\d+\s+(?:años|meses))?\s*[,:(]\s*(?P<object>{NAME})(?=\s*(?:[,.)]|$))", mine=True),
    frame("{kin}", rf"^(?P<object>{NAME}),\s+(?:que\s+es\s+)?{_MY}\s+{_KIND}(?P<kin>{_KIN})(?:\s+[a-zñáéíóú]+){{0,2}}(?=\s*,)", whole=True),
    frame("{kin}", rf"(?:tengo|tenemos|adopté|hemos\s+adoptado|he\s+adoptado)\s+.*?\bun[oa]?\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER},?\s+(?:que\s+se\s+llama|llamad[oa]|de\s+nombre|se\s+llama)\s+(?P<object>{PROPER})", mine=True),
    frame("partner", rf"(?:llevo|llevamos)\s+(?:\w+\s+(?:años|meses)|saliendo)\s+(?:\w+\s+)?con\s+(?P<object>{NAME})", mine=True),
    frame("partner", rf"(?:estoy\s+(?:saliendo|en\s+pareja)|tengo\s+una\s+relación|convivo)\s+con\s+(?P<object>{NAME})", mine=True),
    frame("partner", rf"salgo\s+con\s+(?P<object>{NAME})", mine=True),
    frame("married_to", rf"(?:estoy|está|estamos)\s+casad[oa]s?\s+con\s+(?P<object>{NAME})"),
    # -- what someone has
    frame("allergic_to", rf"(?:(?:le|les)\s+)?(?:tengo|tiene|tenemos|cogí|desarrollé|me\s+han\s+(?:detectado|diagnosticado))\s+(?:una\s+)?(?:\w+\s+)?alergia\s+(?:\w+\s+)?(?:al|a\s+la|a\s+los|a\s+las|a)\s+{LIST}", several=True),
    frame("allergic_to", r"^(?:(?:a\s+la|al|a\s+los|a\s+las|a)\s+)(?P<object>[^,.;:–]+?)\s+(?:(?:le|les)\s+)?(?:tengo\s+(?:una\s+|mucha\s+)?alergia|soy\s+(?:muy\s+)?alérgic[oa])\b", whole=True, several=True),
    frame("allergic_to", r"^(?:el|la|los|las)\s+(?P<object>[^,.;:–]+?)\s+(?:me\s+(?:da|dan|produce|producen|provoca|provocan)\s+alergia)\b", whole=True, several=True),
    frame("allergic_to", rf"me\s+(?:da|dan|produce|producen|provoca|provocan)\s+alergia\s+{LIST}", several=True, mine=True),
    frame("has", r"(?:tengo|tiene)\s+(?P<object>intolerancia\s+(?:al|a\s+la|a\s+los)\s+\w+(?:\s+y\s+(?:al|a\s+la)\s+\w+)?)"),
    frame("is", r"(?:soy|es)\s+(?:muy\s+)?(?P<object>intolerante\s+(?:al|a\s+la|a\s+los)\s+\w+)"),
    frame("has", r"(?:padezco|padece|sufro|sufre)\s+(?:de\s+|del\s+)?(?:un\s+|una\s+|la\s+)?(?P<object>(?!mucho\b|por\b|con\b|cuando\b|en\b|como\b|más\b|tanto\b|un\s+)[^,.;:!?()–]+?)(?=\s+(?:y|desde|pero|que|cuando|por)\b|\s*[,.;!–]|$)"),
    frame("has", r"(?:por|con)\s+(?:mi|la)\s+(?P<object>[\wáéíóúñ]+(?:\s+de\s+(?-i:[A-Z])\w+)?)(?=\s*[,.;–]|\s|$)", whole=True, fits=is_romance_illness),
    frame("has", r"(?:tengo|tenemos|tiene|padezco|sufro)\s+(?:de\s+)?(?P<object>[\w' -]+?(?:,\s+(?:un|una|dos|tres|cuatro|\d)\s+[\w' -]+?)*)(?=\s+(?:pero|en|con|que|de|desde|para|porque|llamad[oa]|como|por|muy)\b|\s*[,.;:!?()–—]|$)", several=True, fits=had),
    frame("has", rf"(?:me|le)\s+(?:han\s+|acaban\s+de\s+)?(?:diagnosticaron|diagnosticado|diagnosticar|detectaron|detectado|encontraron)\s+(?:que\s+tengo\s+)?{THING}", fits=had),
    frame("has", r"^yo\s+(?:tengo|padezco|vivo\s+con)\s+(?:un\s+|una\s+|la\s+)?(?P<object>(?:enfermedad|s[ií]ndrome|trastorno|tensión|diabetes)\s+[^,.;:!?()–]+?)(?=\s+(?:y|desde|pero|que)\b|\s*[,.;!–]|$)", whole=True),
    frame("drives", rf"(?:conduzco|conduce|manejo|maneja|llevo)\s+(?:un|una)\s+(?P<object>{VEHICLE})"),
    frame("owns", rf"\b{_MY}\s+(?:viej[oa]\s+|nuev[oa]\s+|antigu[oa]\s+)?(?:coche\s+es\s+un\s+|carro\s+es\s+un\s+|auto\s+es\s+un\s+|moto\s+es\s+una\s+)?(?P<object>{VEHICLE})", whole=True),
    frame("owns", rf"(?:tengo|tenemos|me\s+compré|me\s+he\s+comprado|nos\s+hemos\s+comprado|compramos|nos\s+compramos|heredé|estrené)\s+(?:un|una)\s+(?P<object>(?:(?:viej[oa]|nuev[oa])\s+)?{VEHICLE})", mine=True),
    frame("owns", r"(?:me|nos)\s+(?:compré|compramos|he\s+comprado|hemos\s+comprado)\s+(?P<object>(?:un|una)\s+[^,.;:!?()–]+?)(?=\s+(?:y|para|en|con|que|por)\b|\s*[,.;!–]|$)", mine=True, fits=is_animal_or_illness),
    frame("owns", rf"(?:tengo|tenemos|regento|llevo|abrí|hemos\s+abierto|he\s+abierto|monté)\s+(?P<object>(?:un|una)\s+(?:{_SHOPS})(?:\s+de\s+\w+)?)(?=\W|$)", mine=True),
    frame("owns", r"(?:vendí|vendimos|he\s+vendido|hemos\s+vendido)\s+(?:mi|el|la|nuestr[oa])\s+(?P<object>[^,.;:!?()–]+?)(?=\s+(?:y|a|en|por|para)\b|\s*[,.;!–]|$)", mine=True, over=True, fits=is_animal_or_illness),
    frame("drives", rf"(?:conduzco|conduce|manejo)\s+un[oa]?\s+{THING}", fits=_vehicle),
    frame("allergic_to", rf"(?:soy|es)\s+(?:muy\s+)?alérgic[oa]\s+(?:al?|a\s+la|a\s+los|a\s+las)\s+{LIST}", several=True),
    frame("takes", r"(?:tomo|toma|uso|usa|me\s+pincho|me\s+inyecto|me\s+pongo|estoy\s+(?:tomando|con)|llevo\s+\w+\s+\w+\s+tomando|me\s+recetaron|me\s+han\s+recetado)\s+(?:(?:el|la|un|una|\d+\s*mg\s+de|pastillas\s+de)\s+)?(?P<object>[\w-]+)(?=\W|$)", fits=is_medicine),
    frame("takes", r"(?:tomo|toma|me\s+tomo)\s+(?:unas\s+|una\s+|mis\s+|la\s+|las\s+)?(?P<object>(?:pastillas?|medicación|medicinas?|medicamentos?|pastillitas?)\s+(?:para|de)\s+(?:el\s+|la\s+|los\s+|las\s+)?\w+)"),
    # -- what someone eats, and no longer does
    frame("avoids", rf"^yo\s+(?:no|nunca|ya\s+no|tampoco)\s+(?:como|bebo|pruebo|tomo|puedo\s+(?:comer|tomar|beber|probar)|consumo|tolero)\s+(?:nada\s+de\s+|ni\s+)?(?P<object>(?!nada\b|mucho\b|mal\b|bien\b|tanto\b|casi\b|en\b|a\b|con\b|desde\b|medicin|medicac|pastilla|más\b|fuera\b)[^.;:!?()–]+?){_END_OF_LIST}", whole=True, several=True, fits=_eaten),
    frame("avoids", rf"(?:evito|evita)\s+(?:comer\s+|tomar\s+|beber\s+)?{LIST}", several=True, fits=_eaten),
    frame("diet", r"(?:sigo|sigue|hago|hace|llevo|lleva|estoy\s+(?:haciendo|siguiendo|a))\s+(?:una\s+)?(?P<object>dieta(?!\s*$)\s+[^,.;:!?()–]+?)(?=\s+(?:y|desde|porque|pero|por)\b|\s*[,.;!–]|$)"),
    frame("diet", r"(?:como|comemos|come)\s+(?:todo\s+)?(?P<object>sin\s+(?:gluten|lactosa|sal|azúcar)|halal|kosher|vegano|vegetariano)\b"),
    frame("plays", rf"(?:dejé|he\s+dejado|dejamos)\s+(?:de\s+(?:tocar|jugar)\s+)?(?:al\s+|a\s+la\s+|el\s+|la\s+){THING}", over=True, fits=is_instrument_or_sport),
    frame("practises", r"(?:(?:lo\s+)?dejé|he\s+dejado|dejamos|hemos\s+dejado|paré|abandoné)\s+de\s+(?P<object>(?!trabajar|vivir|ser|estar|ver|hablar|escribirte|usar|creer|pensar|tener|querer)[a-zñ]+[aei]r(?:me)?(?:\s+[^,.;:!?()–]+?)?)(?=\s+(?:y|desde|porque|pero|por|cuando|gracias|hace)\b|\s*[,.;!–]|$)", over=True, fits=not_fleeting),
    frame("practises", rf"(?:dejé|he\s+dejado|dejamos|hemos\s+dejado|me\s+he\s+quitado\s+de|me\s+quité\s+de(?:l)?)\s+(?:el\s+|la\s+|los\s+|las\s+)?(?P<object>(?:{_GIVEN_UP})(?:\s+[a-zñáéíóú]+)?)(?=\s+(?:y|desde|porque|pero|por|cuando|gracias|hace)\b|\s*[,.;!–]|$)", over=True, fits=lambda o: " en" not in o),
    # -- likes and dislikes
    frame("likes", rf"{_NO_MORE}{_ME}{_LIKE}\s+{THING}", over=True, fits=_liked),
    frame("dislikes", rf"^(?:a\s+m[ií]\s+)?(?:eso\s+de\s+|lo\s+de\s+)?{_FIRST_SAID}(?:,?\s+(?:la\s+verdad|a\s+mí))?,?\s+(?:no\s+me\s+(?:{_LIKES}|hacen?\s+(?:ni\s+pizca\s+de\s+|mucha\s+|ninguna\s+)?gracia|va\b|van\b|convencen?|entran?|entusiasman?)|me\s+(?:{_BOTHERS})|(?:no\s+(?:es|son)|nunca\s+(?:ha|han)\s+sido)\s+lo\s+mío|no\s+(?:lo|la|los|las)\s+(?:soporto|aguanto|trago|puedo\s+ni\s+ver)|ni\s+fu\s+ni\s+fa|ni\s+(?:verl|olerl|probarl)[oa]s?)", whole=True, **_LIKED),
    frame("likes", rf"^(?:a\s+m[ií]\s+)?{_FIRST_SAID},?\s+(?:me\s+(?:{_LIKES}|vuelven?\s+loc[oa]|pierden?|relajan?\s+mucho|dan?\s+la\s+vida)|(?:es|son)\s+(?:lo\s+mío|mi\s+(?:pasión|perdición|debilidad|vicio)))(?!\s+más\s+que)", whole=True, **_LIKED),
    frame("likes", rf"^mi\s+(?:gran\s+)?(?:pasión|perdición|debilidad|vicio|afición|hobby|pasatiempo)(?:\s+favorit[oa])?\s+(?:es|son)\s+{LIST}", whole=True, **_LIKED),
    frame("likes", rf"(?:antes\s+)?{_ME}(?:gustaban?|encantaban?)\s+{THING}", over=True, fits=_liked),
    frame("prefers", r"(?:yo\s+)?(?:prefiero|preferimos|prefiere)\s+(?P<object>[^,.;:!?()–]+?)(?=\s+(?:al?\b|antes\s+que|que|en\s+vez|por|cuando|porque)|\s*[,.;:!?()–]|$)", fits=_liked),
    frame("prefers", rf"{_ME}gustan?\s+más\s+(?:el\s+|la\s+|los\s+|las\s+)?(?P<object>[^,.;:!?()–]+?)\s+que\b", fits=_liked),
    frame("dislikes", rf"{_NO}{_ME}{_LIKE}\s+(?:(?:nada|mucho|demasiado|para\s+nada|en\s+absoluto)\s+)*{LIST}", **_LIKED),
    frame("dislikes", rf"(?:odio|odia|odiamos|detesto|detesta|detestamos|aborrezco|{_NO}(?:soporto|soporta|soportamos|aguanto|aguanta|trago|puedo\s+con|puedo\s+(?:soportar|aguantar|ver)|soy\s+(?:muy\s+|mucho\s+|nada\s+)?(?:de|fan\s+de|amigo\s+de|amiga\s+de))|paso\s+de)\s+(?:a\s+)?{LIST}", **_LIKED),
    frame("dislikes", rf"{_ME}(?:dan?\s+(?:mucho\s+)?(?:asco|repelús|grima|pereza)|{_BOTHERS})\s+{_MUCH}{LIST}", **_LIKED),
    frame("likes", rf"{_ME}{_LIKE}\s+{_MUCH}(?:ir\s+(?:al?|a\s+la)\s+)?{LIST}", **_LIKED),
    frame("likes", rf"(?:adoro|adora|adoramos|amo|disfruto\s+(?:mucho\s+)?(?:de|con)|disfruta\s+(?:mucho\s+)?(?:de|con)|me\s+muero\s+por|pierdo\s+el\s+culo\s+por|me\s+pierdo\s+por|soy\s+muy\s+de|soy\s+de\s+(?=comer|leer|ver|ir\s))\s+{LIST}", **_LIKED),
    frame("likes", rf"(?:estoy|soy)\s+(?:muy\s+|totalmente\s+)?(?:enganchad[oa]\s+a|adict[oa]\s+al?|loc[oa]\s+por|un\s+apasionado\s+de|una\s+apasionada\s+de|apasionad[oa]\s+(?:de|por)|fanátic[oa]\s+de|frik[iy]\s+de|entusiasta\s+de|muy\s+fan\s+de|fanátic[oa]\s+del)\s+{LIST}", **_LIKED),
    frame("likes", rf"(?:soy|es)\s+(?:muy\s+)?(?:un\s+gran\s+)?(?:fan|aficionad[oa]|amante|hincha|seguidor|seguidora)\s+(?:de|del|a|al)\s+{LIST}", **_LIKED),
    frame("favourite_{noun}", rf"^{_MY}\s+(?P<noun>\w+)\s+(?:favorit[oa]s?|preferid[oa]s?)\s+(?:es|son)\s+{THING}", whole=True, mine=True, fits=_liked),
    frame("prefers", r"prefiero\s+(?P<object>que\s+me\s+[^,.;:!?()–]+)", mine=True),
    frame("prefers", r"(?:soy|somos)\s+(?:mucho\s+)?más\s+de\s+(?:el\s+|la\s+|los\s+|las\s+)?(?P<object>[^,.;:!?()–]+?)(?=\s+que\b|\s*[,.;!–]|$)", mine=True),
    frame("prefers", r"^(?:yo\s+)?(?:me\s+quedo\s+con|donde\s+esté\s+un(?:a|os)?\s+buen[oa]?s?)\s+(?:el\s+|la\s+)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:que\s+se\s+quite|antes\s+que|en\s+vez)\b)", whole=True),
    # -- studies, projects, habits, plans
    frame("studies_at", r"(?:estudio|estudia|estudiamos|estoy|curso|hago|voy|me\s+(?:he\s+)?matricul\w+)\s+(?:[^,–]+?\s+)?(?:en|a)\s+(?:la\s+|el\s+)?(?P<object>(?-i:U[A-Z]{1,5}|UNED|Universidad|Complutense|Politécnica|Escuela|Facultad|Autónoma|Sorbona|Tec)(?:\s+(?:de\s+(?:la\s+)?)?(?-i:[A-Z])\w+)*)"),
    frame("studies", rf"(?:estoy|ando|sigo|voy)\s+(?:en|por)\s+(?:(?:el|la)\s+)?(?:\w+\s+)?(?:primer|primero|segundo|tercer|tercero|cuarto|quinto|sexto|último|\d\w*|año|curso|semestre)\s+(?:(?:año|curso|semestre)\s+)?(?:de\s+|del\s+)(?:la\s+carrera\s+de\s+|un\s+grado\s+en\s+|carrera\s+de\s+)?{THING}", fits=lambda o: o.split()[0].casefold() not in ("eso", "embarazo", "la", "el", "mi", "trabajo", "carrera", "primaria")),
    frame("studies", rf"(?:estudio|hago|hace|curso|estoy\s+(?:haciendo|cursando|sacando(?:me)?|terminando|acabando|con)|me\s+estoy\s+sacando|empecé|empiezo)\s+(?:un|una|el|la|mi)\s+(?:grado|máster|maestría|doctorado|carrera|licenciatura|fp|módulo|ciclo|postgrado|posgrado|diplomado|tecnicatura|oposición)\s+(?:superior\s+)?(?:de|en|sobre)\s+{THING}"),
    frame("studies", rf"(?:soy|es)\s+(?:estudiante|alumn[oa]|opositora?)\s+de\s+{THING}"),
    frame("studies", rf"(?:estudié|estudió|me\s+gradué\s+en|me\s+licencié\s+en|soy\s+(?:licenciad|graduad|titulad)[oa]\s+en)\s+(?!en\b|mucho\b|para\b|con\b|toda\b|a\b){THING}", over=True),
    frame("current_project", rf"(?:(?:estoy|estamos|ando|llevo\s+[^,–]*?|llevamos\s+[^,–]*?|sigo)\s*\b)(?:{_MAKING})\s+(?:con\s+(?:mi|mis)\s+[^,–]+?\s+)?(?P<object>(?:un|una|mi|nuestr[oa]|el|la|unas|unos)\s+(?!máster|grado|curso|carrera|doctorado|oposi|cena|comida|maleta|tarta)[^,.;:!?()–]+?)(?=\s+(?:con|para|que|en|desde|y|pero|cuando|de\s+(?:mi|mis))\b|\s*[,.;!–]|$)", fits=not_fleeting),
    frame("current_project", r"(?:trabajo|estoy\s+trabajando|ando\s+trabajando|estoy\s+metid[oa]|estoy\s+liad[oa])\s+(?:en|con)\s+(?P<object>(?:(?:un|una)\s+(?:novela|libro|proyecto|tesis|app|aplicación|juego|videojuego|disco|película|corto|documental|web|tesina|tfg|tfm|cómic|guion|guión|poemario|maqueta)|mi\s+(?:tesis|tfg|tfm|novela|libro|proyecto))(?:\s+(?:de|sobre)\s+[^,.;:!?()–]+?)?)(?=\s+(?:con|para|que|en|desde|y|pero|cuando)\b|\s*[,.;!–]|$)"),
    frame("practises", r"(?:hago|hace|hacemos|practico|practica|practicamos|voy\s+a(?:\s+clases?\s+de)?|vamos\s+a\s+clases?\s+de|entreno|entrena|me\s+apunté\s+a|me\s+he\s+apuntado\s+a|estoy\s+apuntad[oa]\s+a|doy\s+clases?\s+de(?=\s+baile))\s+(?:al\s+|el\s+|la\s+|a\s+)?(?P<object>[a-zñáéíóú-]+(?:\s+en\s+(?:roca|pista|rocódromo)|\s+acuática|\s+artística|\s+contemporánea|\s+social|\s+clásico|\s+tradicional)?)(?=\W|$)", fits=is_hobby),
    frame("practises", r"(?:salgo|sale|salimos|voy|vamos|solemos\s+ir|suelo\s+ir|suelo\s+salir)\s+a\s+(?P<object>correr|nadar|caminar|andar|trotar|pescar|bailar|patinar|escalar|remar|pasear|montar\s+en\s+bici|montar\s+a\s+caballo)\b"),
    frame("practises", r"(?P<object>(?:corro|nado|escalo|remo|patino|surfeo|medito|tejo)(?=\s+–|\s+(?:y|con|desde|pero|para|en|por)\b)|monto\s+(?:a\s+caballo|en\s+bici)|hago\s+(?:ganchillo|punto|deporte|ejercicio|pesas|running|trail)|salgo\s+(?:en\s+bici|con\s+la\s+bici)|voy\s+(?:al\s+gimnasio|al\s+gym|a\s+la\s+piscina|al\s+rocódromo|en\s+bici\s+al\s+trabajo)|canto\s+en\s+(?:un|el)\s+coro|colecciono\s+[^,.;:!?()–]+?)(?=\s*[,.;!–]|\s+(?:y|con|desde|pero|para|en|por)\b|$)", mine=True),
    frame("plays", r"(?:toco|toca|juego|juega|tocamos|jugamos|tocaba|estoy\s+aprendiendo\s+a\s+tocar)\s+(?:(?:al|a\s+la|el|la|un\s+poco)\s+)*(?P<object>[a-zñáéíóú]+)(?=\W|$)", fits=is_instrument_or_sport),
    frame("wedding_on", rf"(?:me\s+caso|nos\s+casamos|se\s+casan?|(?:voy|vamos|va|van)\s+a\s+casar(?:me|nos|se))\b[^–]*–\s*(?:el\s+|en\s+)(?:el\s+)?(?P<object>(?:\d{{1,2}}\s+de\s+)?{_MONTH}(?:\s+(?:de\s+)?\d{{4}})?|primavera|verano|otoño|invierno)(?!\w)"),
    frame("wedding_on", rf"^(?:mi|nuestra)\s+boda\s+(?:es|será)\b[^–]*–\s*(?:el\s+|en\s+)(?:el\s+)?(?P<object>(?:\d{{1,2}}\s+de\s+)?{_MONTH}(?:\s+(?:de\s+)?\d{{4}})?|primavera|verano|otoño|invierno)(?!\w)", whole=True, mine=True),
    frame("plans_to", rf"(?:quiero|queremos|querríamos|espero|esperamos|pensamos|tenemos\s+(?:pensado|previsto|planeado)|tengo\s+planeado|me\s+toca|nos\s+toca)\s+(?P<object>[a-zñ]+[aeií]r(?:me|nos)?(?:\s[^,;:!?()–]*?)?)(?=\s*,?\s+–.*{_SOON})", fits=not_fleeting),
    frame("plans_to", rf"(?:(?:me|nos)\s+)?(?P<object>(?:caso|casamos|jubilo|jubilamos|opero|operan|examino|presento|gradúo|operan)(?:\s+[^,;:!?()–]+?)?|(?:viajo|viajamos|vuelo|volamos|corro|corremos|me\s+voy|nos\s+vamos)\s+(?:a|al|el|la|de|mi)\b[^,;:!?()–]*?)(?=\s*,?\s+–.*{_SOON}|\s*,?\s+–\s+(?:el|en)\s)", fits=not_fleeting),
    frame("plans_to", r"(?:voy|vamos)\s+a\s+(?P<object>(?:casar|jubilar|divorciar|examinar)(?:me|nos)(?:\s+[^,;:!?()–]+?)?)(?=\s*[,;!–]|$)", mine=True),
    frame("plans_to", rf"(?:tengo|tenemos|me\s+han\s+dado|he\s+pedido|he\s+reservado|tengo\s+reservad[oa])\s+(?:(?:un|una|la|el|mi|hora)\s+)?(?P<object>(?:cita|consulta|hora|turno|revisión|entrevista|examen|exámenes|parcial|boda|vuelo|operación|reunión|dentista|médico|ginecólog[oa]|fisio|oposición|juicio|mudanza|ecografía|resonancia|analítica|defensa|concierto|viaje|notar[ií][oa]|firma)(?:\s+[^,;:!?()–]+?)?)(?=\s*,?\s+–.*{_SOON}|\s*,?\s+–\s+(?:el|en)\s)", mine=True),
    # -- the rest
    frame("speaks", r"(?:hablo|hablamos|habla)\s+(?:(?:bien|muy\s+bien|un\s+poco\s+de|algo\s+de|perfectamente)\s+)*(?P<object>[a-zñáéíóú]+(?:(?:\s*,\s*|\s+[ye]\s+)(?:(?:y|un\s+poco\s+de|algo\s+de)\s+)*[a-zñáéíóú]+)*)", several=True, fits=is_language),
    frame("born_in", rf"nac(?:í|ió)\s+(?:y\s+(?:crecí|me\s+crié)\s+)?en\s+{THING}", fits=lambda o: o[0].isupper()),
    frame("born_on", rf"nac(?:í|ió)\b.*–.*?(?:el\s+|en\s+)(?P<object>(?:\d{{1,2}}\s+de\s+{_MONTH}\s+del?\s+)?{_YEAR})"),
    frame("birthday", rf"cumple(?:\s+años)\b.*?–\s*(?:el\s+)?(?P<object>\d{{1,2}}\s+de\s+{_MONTH})"),
    frame("birthday", rf"^(?:el\s+)?cumpleaños\s+de\s+{_MY}\s+{_KIND}(?P<whose>{_KIN})(?:\s+(?P<whose_name>{NAME}))?\s+es\b.*?–\s*(?:el\s+)?(?P<object>\d{{1,2}}\s+de\s+{_MONTH})", whole=True),
    frame("birthday", rf"^(?:mi\s+cumpleaños\s+es|yo\s+cumplo\s+años)\b.*?–\s*(?:el\s+)?(?P<object>\d{{1,2}}\s+de\s+{_MONTH})", whole=True, mine=True),
    frame("age", r"(?:de\s+)?(?P<object>\d{1,3})\s+años(?=,)"),
    frame("age", r"(?<=que\s)tiene\s+(?P<object>\d{2,3})(?=\s*,|$)"),
    frame("age", r"(?:tengo|tiene)\s+(?P<object>\d{1,3})\s+años\b(?!\s+de\s+(?!edad))"),
    frame("studies_at", r"(?:estudio|estudia)\s+(?:[\w ]+?\s+)?en\s+(?:la|el)\s+(?P<object>(?-i:U|E|I|C|A)[^,.;:!?()–]+?)(?=\s+(?:y|desde|en)\b|\s*[,.;–]|$)"),
    frame("studies", rf"(?:estudio|estudia|estoy\s+estudiando|curso|estoy\s+cursando)\s+(?!en\b|mucho\b|para\b|por\b|con\b|un\b){THING}"),
    frame("plays", r"(?:jugaba|jugábamos|jugué|tocaba|toqué)\s+(?:al\s+|a\s+la\s+|el\s+|la\s+)?(?P<object>[a-zñáéíóú]+)(?=\W|$)", over=True, fits=is_instrument_or_sport),
    frame("supports", r"(?:soy|somos)\s+(?:hincha\s+|aficionad[oa]\s+|seguidora?\s+|socio\s+)?del?\s+(?P<object>Betis|Barça|Barcelona\s+SC|Real\s+Madrid|Atleti(?:co)?|Athletic|Sevilla\s+FC|Valencia\s+CF|Boca|River|Racing|Independiente|América|Chivas|Pumas|Colo[- ]Colo|Millonarios|Peñarol|Nacional)\b"),
    frame("plays", rf"(?:toco|toca|juego|juega)\s+(?:(?:al|a\s+la|el|la)\s+)?{LIST}", several=True, fits=is_instrument_or_sport),
    frame("learns", rf"(?:aprendo|estoy\s+aprendiendo|aprendiendo)\s+(?:a\s+tocar\s+)?{THING}", fits=lambda o: is_language(o) or is_instrument_or_sport(o)),
    frame("practises", r"(?:practico|hago)\s+(?P<object>yoga|pilates|karate|kárate|judo|natación|escalada|meditación|boxeo|crossfit|senderismo|atletismo|ciclismo)\b"),
    frame("plans_to", r"(?:voy\s+a|vamos\s+a|pienso|pensamos|planeo|tengo\s+pensado|tengo\s+previsto)\s+(?P<object>(?!ir\b(?:me)?$|empezar\b|trabajar\b|mudar|vivir\b|ver\b|probar\b|intentar\b|dormir\b|comer\b|pensar)(?:[a-zñ]+[aeií]r(?:me|nos)?|ir(?:me|nos)?)\s[^,;:!?()–]*?)(?=\s*[,;!?()]|\s+–.*(?:que\s+viene|próxim|en\s|a\s+partir|mañana|dentro|el\s|este))"),
    frame("is", r"(?:soy|es|estoy|está)\s+(?P<object>[\w-]+)(?=\s*[,.;!–]|\s+(?:y|desde|pero|porque)\b|$)", fits=is_trait),
    frame("nationality", r"(?:soy|es)\s+(?P<object>[a-zñáéíóú]+)(?=\s*[,.;!–]|\s+(?:y|pero|de\s+nacimiento)\b|$)", fits=among(_NATIONS)),
    frame("member_of", r"(?:soy|es)\s+(?:soci[oa]|miembro|voluntari[oa])\s+(?:de|del|en)\s+(?:la\s+|el\s+|un\s+|una\s+)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:y|desde|pero)\b|\s*[,.;!–]|$)", mine=True),
    frame("works_as", rf"(?:de\s+(?:chic[oa]|joven|niñ[oa]|pequeñ[oa])\s+)?(?:fui|era)\s+{THING}", over=True, fits=is_occupation),
    # -- what only a model can tell from what sounds alike
    frame("has", r"(?:tengo|tenemos|tiene)\s+(?P<object>(?:un|una|unos|unas|dos|tres|cuatro|cinco|\d+)\s+[^,.;:!?()–]+?)(?=\s+(?:que|con|y|en|para|desde|pero)\b|\s*[,.;!–]|$)", loose=True, fits=not_fleeting),
    frame("works_as", r"(?:soy|es)\s+(?P<object>[a-zñáéíóú]{5,}(?:\s+(?:de|en)\s+\w+)?)(?=\s+(?:y|desde|pero|en)\b|\s*[,.;!–]|$)", loose=True),
    frame("practises", r"(?P<object>(?!soy|estoy|tengo|he\b|me\s|no\b|vivo|trabajo)[a-zñ]+o\b[^,.;:!?()–]*?)(?=\s+–\s+.*(?:tod[oa]s\s+l[oa]s|cada|veces|l[oa]s\s+(?:lunes|martes|miércoles|jueves|viernes|sábados|domingos)))", loose=True, mine=True, fits=not_fleeting),
    frame("uses", rf"(?:uso|utilizo|usamos)\s+{THING}", loose=True, fits=not_fleeting),
    frame("plans_to", r"(?:quiero|queremos|me\s+gustaría|nos\s+gustaría|espero)\s+(?P<object>[a-zñ]+[aeií]r(?:me|nos)?\s[^,;:!?()–]+)", loose=True, fits=not_fleeting),
    frame("phone", r"mi\s+(?:número(?:\s+de\s+teléfono)?|teléfono|móvil)\s+es\s+(?:el\s+)?(?P<object>[+\d][\d ()/-]{5,})", whole=True, mine=True),
    frame("email", r"mi\s+(?:correo(?:\s+electrónico)?|e-?mail)\s+es\s+(?P<object>[\w.+-]+@[\w.-]+\w)", whole=True, mine=True),
)  # fmt: skip

LEXICON = Lexicon(
    code="es",
    owners=owners(
        KIN,
        some=r"una?|el|la|unos",
        mine=r"mis?|nuestr[oa]s?",
        others=r"hombre|mujer|chico|chica|señora|pareja|familia|cliente|paciente|vecinos|gente",
        have=r"con|que\s+(?:tiene|tienen|tenía)|cuy[oa]|tiene|tienen",
    ),
    activity=lambda phrase: activity_noun(phrase, "es"),
    first_person=any_of(r"\b(?:yo|mis?|mí|me|conmigo|nosotr[oa]s|nos|nuestr[oa]s?|mí[oa]s?)\b"),
    subject=LazyPattern(
        rf"(?i:(?P<me>yo|nosotr[oa]s|{_MY}\s+{_KIND}(?:{_KIN})\s+y\s+yo)\s+"
        rf"|{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}(?:\s*,?\s+(?P<kin_name>{NAME}),?)?\s+(?={_IT}\b|(?:de\s+)?\d{{1,3}}\s+a[ñn]os\b|que\s+{_IT}\b)"
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
        r"""^(?:(?:oye|hola|por\s+favor|ah|y|ok|vale)[,!]?\s+)*(?:(?:recuerda|recordá|recordad)(?:te|me|lo)?|acu[eé]rdate\s+de|acordate\s+de|(?:ap[uú]nta|an[oó]ta)(?:te|me|lo)?|quédate\s+con|que\s+no\s+se\s+te\s+olvide|memoriza|ten\s+presente|ten\s+en\s+cuenta|no\s+olvides|no\s+te\s+olvides\s+de|toma\s+nota(?:\s+de)?|recuerde|anote|guarda|para\s+que\s+(?:conste|lo\s+sepas))
        (?:\s+(?:esto|bien|por\s+favor))*(?:\s*[:,]\s*(?:que\s+)?|\s+que\s+|\s+(?=(?:mis?|yo|nuestr\w+|soy|tengo|vivo|trabajo|no\s+(?:como|bebo|puedo)|me\s)\b))"""
    ),
    supposes=any_of(
        r"""\b(?:si(?=\s)(?!\s+no\b\s*$)|quizás?|tal\s+vez|ojalá|a\s+lo\s+mejor|puede\s+que|posiblemente|probablemente|seguramente|igual\s+me|imagina\w*|imagínate|supongamos|supón|suponiendo|soñé|sueño\s+con|soñado|en\s+mi\s+sueño|un\s+sueño|como\s+si|en\s+teoría|
        hipotéticamente|algún\s+día|quién\s+sabe|quién\s+pudiera|no\s+sé\s+si|creo\s+que|supongo|estoy\s+pensando\s+en|me\s+planteo|dudo|
        sería|estaría|tendría|viviría|podría|haría|iría|querría|diría|compraría|trabajaría|mudaría|hablaría|comería|habría|sabría|dejaría|
        fuera|fuese|tuviera|tuviese|pudiera|viviera|hubiera|hubiese|estuviera|fuéramos|tuviéramos|sea|tenga|aprenda|viva)\b"""
    ),
    reports=any_of(
        r"""\ufffc|\b(?:dice|(?<!me\s)dicen|me\s+dicen\s+que|dijo|dijeron|decía|según|cuenta\s+que|cuentan\s+que|piensa\s+que|piensan\s+que|cree\s+que|creen\s+que|opina|afirma|asegura|pregunta|preguntó|respondió|escribió|me\s+(?:dijo|dijeron|contó|ha\s+dicho|han\s+dicho))\b
        |\ben\s+(?:la|el|una|un|este|esta)\s+(?:película|libro|canción|novela|cuento|serie|obra|artículo|texto|juego|poema)\b|\b(?:la\s+cita|la\s+frase|esta\s+frase|letra\s+de|prospecto|titular|en\s+(?:inglés|francés|alemán|portugués|italiano)\s*:|al\s+(?:inglés|francés|alemán|portugués|italiano)\s*:)"""
    ),
    jokes=any_of(
        rf"""\b(?:(?:ja){{2,}}j?|(?:je){{2,}}|(?:ji){{2,}}|es\s+broma|era\s+broma|bromeo|bromeaba|estoy\s+de\s+broma|de\s+coña|lol|xd+|ironía|irónicamente|sarcasmo)\b|^(?:sí|ya),?\s+claro,|^(?:sí[, ]+sí|ya[, ]+ya|claro|sí),?\s+y\s+(?:yo\s+soy|mi\s+\w+\s+es)\b|/s(?:\W|$)|{LAUGH}"""
    ),
    greets=any_of(
        r"""^(?:hola|buenas|buenos\s+días|buenas\s+(?:tardes|noches)|gracias\b.*|muchas\s+gracias\b.*|muchísimas\s+gracias\b.*|adiós|chao|hasta\s+(?:luego|mañana|pronto|otra)|nos\s+vemos|vale|ok|okay|perfecto|genial|claro|sí|no|de\s+nada|
        qué\s+tal|encantad[oa]|de\s+acuerdo|estupendo|muy\s+bien|bien|exacto|feliz\s+\w+|felices\s+\w+|perdón|perdona|lo\s+siento|no\s+pasa\s+nada|que\s+descanses|saludos|un\s+abrazo|buen\s+(?:día|viaje|finde|provecho))(?:\s+(?:a\s+todos|de\s+nuevo|otra\s+vez|y\s+.*|por\s+.*|amigo|a\s+ti|igualmente))*\W*$"""
    ),
    meta=any_of(
        r"""^(?:(?:yo\s+)?(?:no\s+|nunca\s+|ya\s+|te\s+|lo\s+|solo\s+)*(?:he\s+dicho|hemos\s+dicho|dije|decía|digo|quería\s+decir|quise\s+decir|quiero\s+decir|me\s+refiero|me\s+refería|entiendo|entendí|comprendo|sé\b|pregunto|pregunté|pregunté|he\s+preguntado|he\s+afirmado|
        afirmo|pienso\s+que|recuerdo|creo\s+recordar|me\s+confundo|me\s+acuerdo|me\s+alegro|agradezco|espero\s+que|estoy\s+de\s+acuerdo|estoy\s+segur[oa]|te\s+(?:quiero|amo|odio|dije|digo|agradezco)|hablo\s+(?:de|en\s+serio)|me\s+(?:parece|da\s+igual|importa|gusta\s+(?:eso|esto|tu|cómo|como|que)|encanta\s+(?:eso|esto|tu|que))|
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
    kin=KIN | _SEVERAL,
    relations=tuple(
        LazyPattern(pattern)
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
        r"^(?:un\s+poco\s+de|algo\s+de|el|la|los|las|un[oa]?s?|mis?|nuestr[oa]s?|algun[oa]s?|a|al|muy|también)\s+"
    ),
    tail=any_of(
        r"\s+(?:también|mucho|muchísimo|nada|para\s+nada|en\s+absoluto|ahora|ya|siempre|sobre\s+todo|la\s+verdad|de\s+nuevo|otra\s+vez|juntos|solo|sola|bastante|más|tampoco|todavía)$"
    ),
    not_objects=frozenset(
        """eso esto ese esa lo la el él ella me te nos le ti mí todo nada algo alguien nadie aquí allí así
        qué que quién tú usted mucho más tanto nosotros sí no tu tus su sus uno una ello""".split()
    ),
    expand=tuple(
        (LazyPattern(pattern, re.I), replacement)
        for pattern, replacement in (
            (r"[¡]", ""),
            (r"^a\s+(?:mí|nosotr[oa]s)\s+(?=(?:también\s+|no\s+|ya\s+no\s+)*(?:me|nos)\b)", ""),
            (r"^a\s+mi\s+(?=(?:también\s+|no\s+|ya\s+no\s+|siempre\s+)*me\b)", ""),
            (r"\b[qk]\b", "que"),
            (r"\b(?:xq|pq|porq|xk)\b", "porque"),
            (r"\b(?:tb|tmb|tmbn|tbn)\b", "también"),
            (r"\btoy\b", "estoy"),
            (r"\bx\b(?=\s+(?:el|la|los|las|mi)\b)", "por"),
        )
    ),
    fillers=any_of(
        r"""^[¡]?(?:(?:hola|buenas|buenos\s+días|buenas\s+(?:tardes|noches)|sí|no(?=,)|vale|bueno|pues|oye|mira|y|pero|por\s+cierto|la\s+verdad(?:\s+es\s+que)?|es\s+que|en\s+realidad|además|ah|eh|uf|ok|claro|gracias|perdón|bien|
        para\s+que\s+(?:lo\s+)?sepas|a\s+ver|de\s+hecho|sinceramente|porque|ya\s+que|aunque|así\s+que|encantad[oa]|por\s+favor|lo\s+dicho|que\s+sepas\s+que|te\s+cuento(?:\s+que)?|resulta\s+que|qué\s+tal|q\s+tal|ojo(?:\s+que)?|che|tío|tía|wey|güey|mae|hey|uf+|jo|joder|bueno\s+pues|nada|en\s+fin|como\s+ya\s+te\s+dije|ya\s+sabes\s+que|sabes\s+que|fíjate\s+que|mirá|che|buenas\s+a\s+tod[oa]s|lo\s+que\s+pasa\s+es\s+que|eso\s+sí|también|descubrí\s+que|me\s+acabo\s+de\s+enterar\s+de\s+que)(?:[,!:.–—-]+\s*|\s+))+(?=\S)"""
    ),
    adverbs=any_of(
        r"\s(?:también|todavía|aún|actualmente|realmente|además|la\s+verdad|por\s+suerte|por\s+desgracia|sinceramente|normalmente|personalmente|básicamente|simplemente|prácticamente|oficialmente|por\s+fin|ya(?!\s+no\b))(?=\s)"
    ),
    cut=any_of(
        rf""";\s*|\s+[–—-]\s+
        |{_NOT_BOTH},?\s+(?:y|e|pero|aunque|mientras|porque|ya\s+que|así\s+que)\s+(?=(?:yo|nosotr[oa]s|él|ella|{_MY}\s+{_KIND}(?:{_KIN})\b(?!\s+y\s+yo)(?=.*\b{_IT}\b)|ahora|antes|desde|hace|el\s+(?:mes|año|lunes)|a\s+partir)\b)
        |,?\s+(?:y|e|pero|aunque|porque|ya\s+que|así\s+que)\s+(?={_FIRST})
        |,?\s+(?:y|e|pero)\s+(?={_IT}\b)(?!no\s+(?:el|la|los|las|un|una)\b)
        |\s+y\s+(?=(?:cree|piensa|dice)\b)|,\s+(?=(?:lo|la|los|las|le|me)\s+\w+ría\b)|,\s+(?=(?:yo|nosotr[oa]s|él|ella)\b)|,\s+(?={_FIRST})|,\s+(?=(?:ahora|antes|después|desde)\s+(?:\w+\s+){{0,4}}?{_FIRST})
        |,\s+(?={_MY}\s+{_KIND}(?:{_KIN}){_KIND_AFTER}\s+(?:(?-i:[A-Z]\w+)\s+)?{_IT}\b)"""
    ),
    carried=any_of(rf"^{_IT}\b"),
    lists=any_of(r"\s*,\s*(?:y\s+|e\s+|ni\s+)?|\s+(?:[yeo]|ni)\s+|\s*&\s*"),
    arrange=arranger(TIMES, "yo", _IMPLIED, _LEAD),
    time_words=TIME_WORDS,
)
