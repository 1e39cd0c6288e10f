"""Portuguese of both sides of the ocean, as the grammar of plain statements reads it."""

from __future__ import annotations

import re

from thalamus.policy.language.lexicon import Lexicon
from thalamus.policy.language.patterns import LazyPattern, any_of
from thalamus.policy.language.portuguese.times import TIME_WORDS
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
from thalamus.policy.language.vocabulary.relations import owners, with_ended
from thalamus.policy.language.vocabulary.word_classes import (
    is_animal_or_illness,
    is_medicine,
    is_occupation,
    is_romance_illness,
    is_trait,
)

KIN = kin({
    "wife": "mulher esposa", "husband": "marido esposo", "partner": "companheiro companheira parceiro parceira",
    "girlfriend": "namorada", "boyfriend": "namorado", "fiance": "noivo noiva",
    "sister": "irmã maninha", "brother": "irmão maninho",
    "mother": "mãe mamã mamãe", "father": "pai papá papai", "son": "filho filhote", "daughter": "filha",
    "child": "bebé bebê", "grandmother": "avó vó vovó", "grandfather": "avô vô vovô",
    "grandson": "neto", "granddaughter": "neta", "uncle": "tio", "aunt": "tia",
    "cousin": "primo prima", "nephew": "sobrinho", "niece": "sobrinha",
    "brother_in_law": "cunhado", "sister_in_law": "cunhada", "mother_in_law": "sogra",
    "father_in_law": "sogro", "son_in_law": "genro", "daughter_in_law": "nora",
    "stepson": "enteado", "stepdaughter": "enteada",
    "best_friend": "melhor_amigo melhor_amiga", "friend": "amigo amiga",
    "boss": "chefe patrão patroa", "neighbour": "vizinho vizinha",
    "colleague": "colega colega_de_trabalho", "flatmate": "colega_de_casa colega_de_quarto",
    "dog": "cão cachorro cachorra cadela cachorrinho cachorrinha cãozinho doguinho dog vira-lata salsicha podengo rafeiro", "cat": "gato gata gatinho gatinha",
    "horse": "cavalo égua pónei", "pet": "tartaruga jabuti papagaio coelho coelha hamster canário peixe periquito calopsita cacatua "
           "ouriço ouriço-cacheiro iguana furão chinchila porquinho_da_índia porquinho-da-índia burro burra cabra ovelha galinha pato ganso maritaca piriquito",
    "teacher": "professor professora", "dentist": "dentista", "therapist": "psicóloga psicólogo terapeuta", "doctor": "médico médica",
    "godson": "afilhado", "goddaughter": "afilhada", "godmother": "madrinha", "godfather": "padrinho",
    "stepmother": "madrasta", "stepfather": "padrasto",
})  # fmt: skip
KIN = with_ended(KIN, ex=("ex-", "ex ", "ex"))
_KIN = alternatives(KIN)
_SEVERAL = kin({
    "child": "filhos gémeos gêmeos miúdos crianças", "son": "meninos rapazes", "daughter": "filhas meninas gémeas gêmeas",
    "sibling": "irmãos", "sister": "irmãs", "dog": "cães cachorros cachorras cadelas cachorrinhos doguinhos",
    "cat": "gatos gatas gatinhos gatinhas", "pet": "tartarugas coelhos periquitos canários papagaios calopsitas galinhas cabras hamsters",
    "grandson": "netos", "granddaughter": "netas", "nephew": "sobrinhos", "niece": "sobrinhas",
})  # fmt: skip
_KIND = r"(?:querid[oa]\s+)?"
_KIND_AFTER = r"(?:\s+(?:mais\s+(?:velh[oa]|nov[oa])|do\s+meio|caçula|gémea|gêmea|gémeo|gêmeo|menor|atual|matern[oa]|patern[oa]))?"
_MY = r"(?:(?:[oa]s?\s+)?(?:meu|minha|meus|minhas|nosso|nossa|nossos|nossas))"
_MONTH = (
    "(?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)"
)
_DAY = "(?:(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?s?|sábados?|domingos?)"
_COUNT = r"(?:\d{1,3}|uma?|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte|uns|umas|alguns|muitos|poucos)"
_UNIT = r"(?:dias?|semanas?|m[eê]s(?:es)?|anos?|horas?)"
_YEAR = r"(?:(?:19|20)\d\d)"
_POINT = rf"(?:(?:(?:o|a|os|as|fim\s+de|início\s+de|meados\s+de)\s+)*(?:\d{{1,2}}\s+de\s+)?(?:{_MONTH}|{_DAY}|verão|inverno|outono|primavera|{_YEAR}|ano|mês|semana|férias)(?!\w)(?:\s+(?:de\s+)?(?:{_YEAR}|passad[oa]|que\s+vem|próxim[oa]))?)"
TIMES = any_of(
    rf"""(?<![\w-])(?:
    (?:desde\s+)?h[áa]\s+(?:(?:uns|quase|mais\s+de|já|cerca\s+de)\s+)*{_COUNT}\s+{_UNIT}(?:\s+(?:que|atrás))?(?=\W|$)|faz\s+{_COUNT}\s+{_UNIT}(?:\s+que)?|{_COUNT}\s+{_UNIT}\s+atrás
    |(?:desde|até|a\s+partir\s+de|em|no|na|nos|nas|para|durante|a\s+partir\s+d[oa])\s+{_POINT}(?:\s+(?:até|a)\s+{_POINT})?
    |de\s+{_POINT}\s+(?:a|até)\s+{_POINT}|entre\s+{_POINT}\s+e\s+{_POINT}
    |(?:(?:o|no|a|na)\s+)?(?:(?:ano|mês|semana|verão|inverno)\s+(?:passad[oa]|que\s+vem)|próxim[oa]\s+(?:ano|mês|semana|verão|{_DAY}|{_MONTH}))(?!\w)
    |(?:o|a|este|esta|neste|nesta|no|na|todo|toda|todos\s+os|todas\s+as|às|aos|cada)\s+(?:(?:próxim[oa]|passad[oa])\s+)?(?:{_MONTH}|{_DAY}|mês|ano|semana|dia|manhã|noite|tarde|verão|inverno|outono|primavera|fim\s+de\s+semana)(?!\w)(?:\s+(?:passad[oa]|que\s+vem|próxim[oa]))?
    |(?:no\s+|a\s+|em\s+)?(?:dia\s+)?\d{{1,2}}\s+de\s+{_MONTH}(?:\s+de\s+{_YEAR})?|todos\s+os\s+dias|todas\s+as\s+(?:manhãs|noites|semanas)
    |(?:daqui\s+a|dentro\s+de|em)\s+{_COUNT}\s+{_UNIT}|durante\s+{_COUNT}\s+{_UNIT}|{_COUNT}\s+vezes\s+(?:por|na|ao)\s+(?:semana|dia|mês|ano)
    |desde\s+(?:sempre|então|pequen[oa]|criança|miúd[oa])|ontem|anteontem|hoje(?:\s+em\s+dia)?|amanhã|agora|atualmente|actualmente|ultimamente|antigamente|antes(?!\s+de)|em\s+breve|recentemente
    |de\s+vez\s+em\s+quando|às\s+vezes|normalmente|por\s+enquanto|de\s+manhã|à\s+(?:noite|tarde)|um\s+dia
    )(?!\w)"""
)
_VERBS_ME = (
    r"(?:vivo|moro|trabalho|sou|estou|tô|tenho|falo|estudo|nasci|odeio|detesto|prefiro|bebo|como|leio|toco|jogo|conduzo|dirijo|"
    r"tomo|fumo|corro|nado|vou|fui|estive|era|vivia|morava|trabalhava|tinha|tive|estudava|estava|gosto|adoro|amo|"
    r"quero|posso|sei|conheço|faço|completo|começo|deixo|aprendo|ensino|canto|danço|escrevo|pinto|costumo|espero|"
    r"preciso|penso|acho|uso|coleciono|cozinho|pratico|treino|saio|durmo|cultivo|vendo|compro|cuido|sofro|vejo|"
    r"ouço|venho|fiz|pus|disse|vim|quis|pude|chamo-me|mudei-me|mudo-me|casei-me|reformei-me|aposento-me|lembro-me|"
    r"casei|mudei|comecei|saí|larguei|deixei|comprei|vendi|adotei|adoptei|trabalhei|morei|vivi|estudei|entrei|cresci|aprendi|ganhei|perdi|"
    r"namoro|participo|frequento|ando|sonho|planeio|planejo|pretendo|suporto|aguento|curto|tomei|parei|voltei|"
    r"gostava|adorava|jogava|tocava|fumava|chamava-me|dou|guio|alugo|dava|virei|trampo|ralo|malho|tiro|tenciono|resido|evito|"
    r"caso-me|viajo|parto|formo-me|apliquei|queremos|podemos|fazemos|preferimos|estamos|(?:\w+)(?:ámo|amo|emo|imo)-nos|corria|nadava|cantava|comia|bebia|ensinava|parei|descobri|abri|restauro|construo|desenho|programo|medito|pesco|viajo|"
    r"acabei|acabo|somos|mantenho|monto|borto|bordo|costuro|teço|jardino|surfo|pedalo|caminho|herdei|arrendei|aluguei|cursava|cursei|formei-me|dispenso|"
    r"(?:viv|mor|trabalh|t|s|est|fal|estud|gost|ador|prefer|mud|cas|compr|vend|adot|adopt|começ|v|com|jog|pass|fiz|fo|t[ií]v|nos\s+mud)(?:amos|ámos|emos|imos|omos)(?:-nos)?)"
)
_PRE = r"(?:(?:já\s+não|não|nunca|também|já|ainda|sempre|só|além\s+disso|quase)\s+)*"
_FIRST = rf"{_PRE}(?:(?:me|nos|lhe|te|o|a)\s+(?={_VERBS_ME}|(?:mudo|mudei|casei|caso|chamo|amarro|derreto|receitaram|diagnosticaram|criei|dou|irrita|irritam|encanta|encantam|formei|aposentei|reformei|lembro|mudamos|casamos|mudar|mudando)\b)\w+|{_VERBS_ME})(?!\w)"
_IMPLIED = LazyPattern(rf"(?!(?:eu|nós)\b){_FIRST}", re.I)
_LEAD = LazyPattern(
    r"(?:(?:em|no|na|com|por|para|como|a|ao|à|de|desde|entre|sobre|nas|nos|quando\s+era)\s+[^,]{1,50}?,?\s+|(?:além\s+disso|também|depois|então|aqui|lá),?\s+)"
    rf"(?=(?-i:(?:eu\s+)?{_FIRST}))", re.I)  # fmt: skip
_IT = (
    r"(?:é|era|está|tá|tem|vive|vivia|mora|morava|trabalha|trabalhava|estuda|fala|chama-se|se\s+chama|nasceu|toca|joga|"
    r"gosta|adora|odeia|detesta|prefere|quer|vai|foi|se\s+(?:mudou|muda|casa|aposentou)|mudou-se|casa-se|casou-se|faz|completa|começa|começou|"
    r"deixou|não|já\s+não|nunca|sofre|come|bebe|conduz|dirige|ensina|toma|vem|ama|procura|vende|canta|dança|corre|nada|pinta|cozinha|ladra|late|morde|dorme|usa|anda|treina|cursa|morreu|ficou|virou|"
    r"teve|tinha|acabou|estudou|trabalhou|nunca|fuma|lê|escreve|monta|dá|pratica|curte|mia|sai|completou|fez|voltou|cuida|coleciona)"
)
_ARTICLES = r"ao|à|aos|às|o|a|os|as|um|uma|uns|umas|meu|minha|nosso|nossa"
_STOP = (
    r"e|mas|com|desde|até|porque|como|onde|que|quando|para|por|em|no|na|nos|nas|ou|nem|se|sem|também|agora|"
    r"enquanto|já|há|faz|num|numa|aqui|cá|pela|pelo|perto|ao\s+lado|é|era|está|do\s+que|mais"
)
THING = thing(_ARTICLES, _STOP)
LIST = things(
    _ARTICLES,
    r"mas|porque|quando|desde|se|ninguém|não|eu|você|sobretudo|principalmente|do\s+que|em|no|na|com|que|muito|como|nem|para|é|há",
)
_IN = r"(?:em|no|na|nos|nas|ali\s+em)\s+"
_NO = r"(?:já\s+)?(?:não|nunca)\s+(?:me\s+)?"
_NO_MORE = r"(?:já\s+não\s+(?=.)|não\s+(?=.*\bmais\b))"
_AHEAD = r"(?=.*–.*(?:a\s+partir\s+d|que\s+vem|próxim|amanhã|daqui\s+a|em\s+breve))"
_MUCH = r"(?:(?:muito|imenso|bastante|demais|bué|também|tanto|mesmo|realmente)\s+)*"
_OF = r"(?:d[eoa]s?|da|do|das|dos)\s+"
_LIVE_WITH = r"(?:(?:aqui|cá|lá)\s+)?(?:(?:\d+|um|dois|duas|três|quatro|cinco|seis|dez|vinte)\s+(?:anos?|meses)\s+)?(?:(?:sozinh[oa]|junt[oa]s|atualmente)\s+)?(?:(?:comigo|com\s+[^,–]+?)\s+)?(?:(?:num|numa|em\s+um|em\s+uma)\s+[^,–]+?\s+(?=em\s|no\s|na\s))?"
_NO_TOWN = frozenset(
    """casa apartamento paz família campo centro cidade rua bairro segundo terceiro primeiro andar prédio medo
    hotel mundo mar estrangeiro exterior geral mim rés rés-do-chão quarto interior praia""".split()
)
_NO_LIKING = frozenset(
    """que isso isto esta este esse essa esses essas estes estas aquele aquela ti você vocês mim quando como tu teu tua seu sua muito nada tudo algo ele ela ir ver
    te saber ouvir falar conversar assim la lo""".split()
)


def _town(object: str) -> bool:
    words = object.casefold().split()
    return words[0] not in _NO_TOWN and not re.search(r"\d", object)


def _firm(object: str) -> bool:
    return not re.match(
        r"(?:casa|mim|turnos?|noite|equipa|equipe|geral|um\s|uma\s+(?:tese|novela)|livro|romance|projeto|tese|isso|isto|conta|"
        r"viver|comer|dinheiro|horas|dias|fins|tudo|área|part|tempo|regime|remoto|home)\b", object, re.I)  # fmt: skip


def _liked(object: str) -> bool:
    words = object.casefold().split()
    return (
        not {words[0], words[-1]} & AT_HAND
        and words[0] not in _NO_LIKING
        and not re.search(r"\b(?:me|te|sou|é|são|está)\b", object.casefold())
    )


def _vehicle(object: str) -> bool:
    return (
        object[0].isupper()
        or re.match(r"carro|mota|moto|autocarro|ônibus|caminhão|camião|táxi", object, re.I)
        is not None
    )


def _home_town(object: str) -> bool:
    """Whether somebody may come from there: not "sou de Letras", "sou do Benfica"."""
    return object.split()[0] not in (
        "Letras", "Ciências", "Humanas", "Exatas", "Deus", "Benfica", "Sporting", "Flamengo", "Corinthians",
        "Palmeiras", "Santos", "Vasco", "Grêmio", "Fluminense", "Botafogo", "Apple", "Android",
    )  # fmt: skip


def _of_a_month(object: str) -> bool:
    return re.match(_MONTH, object, re.I) is not None


def _trade(object: str) -> bool:
    """Whether somebody may work as it: "trabalho de noite", "como um louco" name no trade."""
    return object[0].islower() and not re.match(
        r"(?:noite|dia|casa|segunda|manhã|tarde|graça|sempre|louc[oa]|burr[oa]|doid[oa]|camelo|condenad|escrav|"
        r"cão|nunca|antes|tod[oa]s?|qualquer|ninguém|pé|forma|modo|verdade|combinado|costume|ti\b|você|perto|\d)",
        object,
        re.I,
    )


def _eaten(object: str) -> bool:
    """Whether it may be food or drink: not "não tomo o metro"."""
    return re.match(
        r"(?:o\s+|a\s+)?(?:metro|metrô|ônibus|autocarro|comboio|trem|táxi|decisões|nota|banho|conta|sol|partido|"
        r"isso|isto|jeito|vergonha|juízo|falar|ir|reclamar|a\b|ele|ela|tempo|cuidado)\b",
        object,
        re.I,
    ) is None and not re.search(r"\b(?:porque|me|que)\b", object)


_NATIONS = frozenset(
    """portuguesa português brasileira angolano angolana moçambicano moçambicana cabo-verdiano cabo-verdiana
    guineense timorense açoriano açoriana madeirense alentejano alentejana algarvio algarvia minhoto minhota transmontano
    transmontana lisboeta portuense paulista paulistano paulistana carioca mineiro mineira gaúcho gaúcha baiano baiana
    pernambucano pernambucana cearense paraense goiano goiana catarinense paranaense capixaba potiguar paraibano paraibana
    maranhense amazonense nordestino nordestina espanhol espanhola francês francesa italiano italiana alemão alemã argentino
    argentina venezuelano venezuelana ucraniano ucraniana""".split()
)
_I_AM = rf"(?:eu\s+)?(?:aqui\s+(?:é|fala)|sou|me\s+chamo|chamo-me)\s+(?:[oa]\s+)?{NAME},\s+"
_NAMES = rf"{NAME}(?:(?:\s*,\s*|\s+e\s+|,\s+e\s+)(?:[oa]\s+)?{NAME})*(?:\s+e\s+eu)?"
_END_OF_LIST = r"(?=,?\s+(?:nem|desde|porque|mas|por|quando|em|com|para|pra|que|há|faz|embora|salvo|exceto|de\s+jeito)\b|\s*[.;:!?()–]|$)"
_SHOPS = (
    "padaria|loja|livraria|bar|restaurante|café|oficina|salão|barbearia|florista|floricultura|empresa|negócio|quinta|fazenda|"
    "sítio|hotel|pousada|estúdio|ateliê|atelier|clínica|farmácia|papelaria|pastelaria|confeitaria|lanchonete|startup|pizzaria|mercearia|brechó|pet\\s*shop"
)
_GIVEN_UP = (
    "café|tabaco|cigarro|álcool|açúcar|carne|glúten|cerveja|vinho|refrigerantes?|refri|coca|laticínios|leite|pão|ginásio|academia|"
    "ioga|yoga|pilates|futebol|balé|ballet|natação|redes\\s+sociais|instagram|facebook|twitter|tiktok|maconha|chocolate|doces?|fritura"
)
_MAKE = "escrever|construir|restaurar|montar|desenvolver|programar|desenhar|preparar|criar|gravar|traduzir|organizar|pintar|tricotar|coser|costurar|compor|remodelar|renovar|reformar|fabricar|arranjar|ilustrar|editar|recuperar"
_MAKING = "escrevendo|construindo|restaurando|montando|desenvolvendo|programando|desenhando|preparando|criando|gravando|traduzindo|organizando|pintando|tricotando|costurando|compondo|reformando|fabricando|consertando|ilustrando|editando|fazendo(?=\\s+(?:um\\s+(?:filme|livro|documentário|site|app|jogo|podcast|curta)|uma\\s+(?:horta|casa|colcha|peça)))"
_SOON = r"(?:que\s+vem|próxim|amanhã|daqui\s+a|dentro\s+de|(?:na|no|à|esta|este|neste|nesta)\s+(?:\d|dia|segunda|terça|quarta|quinta|sexta|sábado|domingo|verão|inverno|outono|primavera|mês|semana|fim)|dia\s+\d|\d+\s+de\s|em\s+(?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|20\d\d|breve)|nas\s+férias)"
_BOTHERS = r"irrita|irritam|enoja|enojam|aborrece|aborrecem|entedia|entediam|enerva|enervam|incomoda|incomodam|repugna|stressa|estressa|chateia|chateiam|cansa|horroriza"
_FIRST_SAID = r"(?:[oa]s?\s+|ir\s+ao\s+|essa\s+coisa\s+de\s+)?(?P<object>(?!eu\b|não\b|que\b|isso\b|isto\b|já\b|também\b|nada\b|tudo\b|ele\b|ela\b|hoje\b|esse\b|essa\b)[^,.;:!?()–]+?)"
_NOT_BOTH = "".join(  # "o meu marido e eu" is one subject
    rf"(?<!\b{word})"
    for word in "marido mulher esposa esposo namorado namorada irmão irmã filho filha mãe pai amigo amiga noivo noiva companheiro companheira".split()
)
_LIKED = {"several": True, "fits": _liked}
_LIVE = r"(?:(?:estou|estamos)\s+(?:instalad|radicad)[oa]s?|resido|residimos|moro|moramos|mora|vivo|vivemos|vive|resido|estou\s+(?:a\s+viver|morando|vivendo|a\s+morar))"
FRAMES = (
    *ended(
        KIN,
        had=r"(?:antes\s+)?(?:tinha|tínhamos|tive|tivemos)",
        named=r"\s+(?:que\s+se\s+chamava|chamad[oa]|de\s+nome)",
        plays_no_more=r"(?:já\s+)?não\s+(?:jogo|jogamos|toco)\s+(?:mais\s+)?(?:ao\s+|à\s+|o\s+|a\s+)?|(?:parei|deixei)\s+de\s+(?:jogar|tocar)\s+(?:o\s+|a\s+)?",
        does_no_more=r"(?:já\s+)?não\s+(?:faço|pratico|fazemos|vou\s+ao?)\s+(?:mais\s+)?(?:o\s+|a\s+)?",
    ),
    frame("name", rf"(?:me\s+chamo|chamo-me)\s+(?P<object>{MY_NAME})", mine=True),
    frame("name", rf"^{_MY}\s+nome\s+(?:completo\s+)?é\s+(?P<object>{MY_NAME})", whole=True, mine=True),
    frame("name", rf"sou\s+(?:[oa]\s+)(?P<object>{NAME})(?=\s*[,.;!–]|\s+(?:e|de)\b|$)", mine=True),
    frame("name", r"sou\s+(?P<object>" + NAME + r")(?=\s*[,.;!–]|\s+e\b|$)", mine=True),
    frame("name", rf"^(?:podes?\s+)?(?:me\s+)?(?:cham(?:a|e|ar)-?(?:me)?)\s+(?:de\s+)?(?P<object>{PROPER})$", whole=True, mine=True),
    frame("name", rf"^(?:aqui\s+(?:é|fala|quem\s+fala\s+é)|aqui\s+está|daqui\s+(?:fala\s+)?)\s*(?:[oa]\s+)?(?P<object>{NAME})(?=\s*[,.;!–]|\s+(?:e|de|d[oa])\b|$)", whole=True),
    frame("nickname", rf"(?:\bme\s+(?:chamam|conhecem|tratam)(?:\s+(?:de|por|como))?|\b(?:chamam|tratam|conhecem)-me(?:\s+(?:de|por|como))?|\b{_MY}\s+(?:apelido|alcunha|vulgo)\s+é|\bpodem?s?\s+(?:me\s+)?(?:chamar|tratar)(?:-me)?(?:\s+(?:de|por))?|todo\s+mundo\s+(?:só\s+)?me\s+chama(?:\s+de)?|toda\s+a\s+gente\s+me\s+(?:chama|trata)(?:\s+(?:de|por))?)\s+(?:[oa]\s+)?(?P<object>{PROPER})(?=\s*[,.;!–]|\s+(?:e|mas|desde)\b|$)", whole=True, fits=named),
    frame("age", rf"^(?:{_I_AM})(?:[^,]+,\s+)??(?:tenho\s+)?(?P<object>\d{{1,2}})(?:\s+anos)?(?=\s*[,.;–]|\s+e\b|$)", whole=True),
    # -- home
    frame("home_town", rf"(?:sou|somos|venho|vim)\s+(?:natural\s+|originári[oa]\s+|oriund[oa]\s+)?(?:de|do|da|dos|das|d')\s*(?P<object>{NAME})(?=\s*[,.;!–]|\s+(?:e|mas|mesmo|desde|há|só)\b|$)", mine=True, fits=_home_town),
    frame("home_town", rf"^(?:{_I_AM})(?:[^,]+,\s+)*?(?:sou\s+)?(?:de|do|da)\s+(?P<object>{NAME})", whole=True, fits=_home_town),
    frame("home_town", rf"(?:cresci|fui\s+criad[oa]|me\s+criei)\s+(?:em|no|na|nos|nas)\s+{THING}", mine=True, fits=_town),
    frame("lives_in", rf"(?:acabei|acabamos|acabámos|acabo)\s+de\s+(?:me\s+|nos\s+)?mudar(?:-me|-nos)?\s+(?:d[eoa]\s+.+?\s+)?(?:para|pra|pro)\s+{THING}", fits=_town),
    frame("lives_in", rf"(?:alugo|alugamos|aluguei|arrendei|arrendamos|divido|dividimos|partilho)\s+(?:um|uma)\s+(?:apartamento|apê|ap|casa|quarto|kitnet|estúdio|t[0-5]|república|flat)\s+(?:[^,–]+?\s+)?(?:em|no|na)\s+(?P<object>{NAME})", fits=_town),
    frame("lives_in", rf"^(?=.*(?<!\w)(?:eu|me|meu|minha|nós|é\s+[oa])\b)(?!.*\b(?:férias|viagem|visita|hotel|passeio|turismo|uns\s+dias)\b).*\b(?:aqui|cá)\s+(?:em|no|na)\s+(?P<object>{NAME})", whole=True, fits=_town),
    frame("lives_in", rf"(?:vim|viemos|fui|fomos|voltei|voltamos)\s+(?:morar|viver)\s+(?:com\s+[^,–]+?\s+)?(?:em|no|na|para|pra|pro)\s+{THING}", fits=_town),
    frame("works_as", rf"^(?:{_I_AM}){THING}", whole=True, fits=is_occupation),
    frame("works_as", rf"^(?:{_I_AM})[^,]+,\s+{THING}", whole=True, fits=is_occupation),
    frame("works_as", rf"^(?:{_I_AM})(?:[^,]+,\s+){{2}}{THING}", whole=True, fits=is_occupation),
    frame("lives_in", rf"(?:{_NO_MORE}(?:moro|moramos|mora|vivo|vivemos|vive)(?:\s+mais)?|morava|morávamos|vivia|vivíamos|morei|vivi|viveu|morou|costumava\s+(?:morar|viver))\s+{_LIVE_WITH}{_IN}{THING}", over=True,
          fits=lambda o: _town(o)),
    frame("lives_in", rf"{_LIVE}\s+{_LIVE_WITH}{_IN}{THING}{_AHEAD}", coming=True, fits=_town),
    frame("lives_in", rf"{_LIVE}\s+{_LIVE_WITH}{_IN}{THING}", fits=_town),
    frame("lives_in", rf"(?:(?:me|nos|se)\s+)?(?:mudei|mudámos|mudamos|mudámo|mudamo|mudou)(?:-(?:me|nos|se))?\s+(?:d[eoa]\s+.+?\s+)?(?:para|pra|pro)\s+{THING}(?!.*\bque\s+vem)", fits=_town),
    frame("lives_in", rf"(?:(?:me|nos|se)\s+)?(?:mudo|muda|mudarei|mudamos)(?:-(?:me|nos|se))?\s+(?:d[eoa]\s+.+?\s+)?(?:para|pra|pro)\s+{THING}", coming=True, fits=_town),
    frame("lives_in", rf"(?:vou|vamos|vai)\s+(?:me\s+|nos\s+|se\s+)?(?:mudar|morar|viver)(?:-me|-nos|-se)?\s+(?:d[eoa]\s+.+?\s+)?(?:para|pra|pro|em|no|na)\s+{THING}", coming=True, fits=_town),
    # -- work
    frame("works_at", rf"(?:{_NO_MORE}(?:trabalho|trabalhamos|trabalha)(?:\s+mais)?|trabalhava|trabalhei|trabalhou)\s+(?:como\s+.+?\s+)?(?:em|no|na|nos|nas|para\s+[oa])\s+{THING}", over=True, fits=_firm),
    frame("works_at", rf"(?:deixei|larguei|saí\s+d[aoe])\s+(?:[oa]\s+)?(?:(?:meu\s+)?(?:trabalho|emprego)\s+(?:na|no|em)\s+)?(?P<object>{NAME})", over=True),
    frame("works_at", rf"fui\s+(?:demitid[oa]|despedid[oa])\s+d[aoe]\s+{THING}", over=True, fits=_firm),
    frame("works_at", rf"(?:começo|começa|começarei|vou\s+(?:começar|trabalhar)|trabalharei|entro)\s+(?:a\s+trabalhar\s+)?(?:como\s+.+?\s+)?(?:em|no|na|para)\s+(?P<object>{NAME})", coming=True),
    frame("works_at", rf"(?:trabalho|trabalha)\s+(?:como\s+.+?\s+)?(?:em|no|na|nos|nas)\s+{THING}{_AHEAD}", coming=True, fits=_firm),
    frame("works_at", rf"(?:trabalho|trabalhamos|trabalha|trampo|trampa|estou\s+(?:a\s+trabalhar|trabalhando|trampando)|dou\s+aulas?(?:\s+de\s+[^,–]+?)?|presto\s+serviços?|estou\s+empregad[oa]|faço\s+estágio|estagio|sou\s+funcionári[oa])\s+(?:como\s+.+?\s+)?(?:aos\s+[^,–]+?\s+)?(?:em|no|na|nos|nas|num|numa|para\s+[oa]|d[oa])\s+{THING}", fits=_firm),
    frame("works_at", rf"sou\s+(?![^,]*\b(?:aqui|cá|natural|casad|noiv|filh|fã|sóci|nascid|louc|professor[a]?\s+de)\b)[a-zà-ÿ][^,–]*?\s+(?:em|no|na|nos|nas)\s+(?P<object>{NAME})(?=\s*[,.;–]|\s+(?:e|desde|há)\b|$)", mine=True, fits=lambda o: _firm(o) and not _of_a_month(o)),
    frame("teaches", r"(?:ensino|dou\s+aulas?\s+(?:particulares\s+)?de)\s+(?P<object>[a-zà-ÿ]+)(?=\W|$)", mine=True, fits=lambda o: o not in ("em", "na", "no", "muito", "a", "os", "crianças")),
    frame("teaches", r"dava\s+aulas?\s+(?:particulares\s+)?de\s+(?P<object>[a-zà-ÿ]+)(?=\W|$)", mine=True, over=True),
    frame("works_as", rf"virei\s+{THING}", mine=True, fits=is_occupation),
    frame("owns", rf"(?:tenho|temos|abri|abrimos|toco|gerencio|giro|exploro)\s+(?P<object>(?:um|uma)\s+(?:pequen[oa]\s+)?(?:{_SHOPS})(?:\s+de\s+\w+)?)(?=\W|$)", mine=True),
    frame("works_at", rf"(?:comecei|começou|entrei)\s+(?:a\s+trabalhar\s+)?(?:como\s+.+?\s+)?(?:em|no|na)\s+(?P<object>{NAME})"),
    frame("works_as", rf"(?:{_NO_MORE}trabalho(?:\s+mais)?|trabalhava|trabalhei)\s+(?:(?:em|no|na)\s+.+?\s+)?como\s+{THING}", over=True, fits=is_occupation),
    frame("works_as", rf"(?:já\s+não\s+(?:sou|é)|não\s+(?:sou|é)\s+mais|era|fui|foi)\s+{THING}", over=True, fits=is_occupation),
    frame("works_as", rf"(?:trabalho|trabalha|trampo|trampa|exerço|atuo|estou\s+(?:a\s+trabalhar|trabalhando))\s+(?:(?:em|no|na|num|numa)\s+[^,]+?\s+como|como|de)\s+{THING}", fits=_trade),
    frame("works_as", rf"(?:ganho\s+a\s+vida|me\s+sustento)\s+como\s+{THING}", fits=_trade),
    frame("works_as", rf"^{_MY}\s+(?:profissão|trabalho|ofício)\s+é\s+(?:ser\s+)?{THING}", whole=True, fits=is_occupation),
    frame("works_as", rf"sou\s+{THING}\s+de\s+(?:profissão|formação)", mine=True),
    frame("works_as", rf"(?:sou|é|somos)\s+{THING}", fits=is_occupation),
    # -- family and pets
    frame("{kin}", rf"{_MY}\s+(?:\w+\s+)?(?P<kin>{alternatives(_SEVERAL)})(?:\s+(?:se\s+chamam|chamam-se|são)|,|:)\s+(?:[oa]\s+)?(?P<object>{_NAMES})", whole=True, several=True, fits=named),
    frame("{kin}", rf"^(?:eu|nós)\s+(?:tenho|temos|somos)\s+(?:\w+\s+){{0,2}}?(?P<kin>{alternatives(_SEVERAL)})(?:\s+\w+)?\s*(?:,|:|\(|\s+(?:que\s+)?(?:se\s+chamam|chamad[oa]s))\s*(?:[oa]\s+)?(?P<object>{_NAMES})", whole=True, several=True, fits=named),
    frame("{kin}", rf"^(?:[oa]|este|esta)\s+(?P<kin>{alternatives({word: of for word, of in KIN.items() if of in ('dog', 'cat', 'pet', 'horse')})})\s+(?:se\s+chama|chama-se)\s+(?P<object>{PROPER})", whole=True),
    frame("{kin}", rf"(?:tenho|temos)\s+(?:um|uma)\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}(?:\s+de\s+\d+\s+(?:anos|meses))?\s*[,:(]\s*(?:[oa]\s+)?(?P<object>{NAME})(?=\s*(?:[,.)]|$))", mine=True),
    frame("{kin}", rf"^(?:[oa]\s+)?(?P<object>{NAME}),\s+(?:que\s+é\s+)?{_MY}\s+{_KIND}(?P<kin>{_KIN})(?:\s+[a-zà-ÿ]+){{0,2}}(?=\s*,)", whole=True),
    frame("{kin}", rf"\b{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER},\s+[oa]\s+(?P<object>{NAME})(?=\s*,)", whole=True),
    frame("partner", rf"(?:(?:vivo|moro|estou|sou)\s+(?:junt[oa]|amigad[oa]|em\s+união\s+de\s+facto|noiv[oa]|comprometid[oa])\s+(?:com|d[oa])|estou\s+numa\s+relação\s+com|estou\s+com)\s+(?:[oa]\s+)?(?P<object>{NAME})(?=.*–.*(?:há|desde)|$)", mine=True),
    frame("engaged_to", rf"(?:sou|estou)\s+noiv[oa]\s+(?:d[oae]|com)\s+(?:[oa]\s+)?(?P<object>{NAME})", mine=True),
    frame("{kin}", rf"(?:tenho|temos|adotei|adoptei|adotamos|adotámos)\s+.*?\buma?\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER},?\s+(?:(?:que\s+)?se\s+chama|que\s+chama|chamad[oa]|de\s+nome|chama-se)\s+(?P<object>{PROPER})", mine=True),
    frame("partner", rf"(?:namoro|estou\s+a\s+namorar|estou\s+namorando)\s+(?:com\s+)?(?:[oa]\s+)?(?P<object>{NAME})", mine=True),
    frame("married_to", rf"(?:sou|é|estou|está)\s+casad[oa]\s+com\s+(?:[oa]\s+)?(?P<object>{NAME})"),
    # -- what someone has
    frame("allergic_to", rf"(?:tenho|tem|peguei|desenvolvi)\s+(?:uma\s+|muita\s+)?alergia\s+(?:\w+\s+)?(?:ao|à|aos|às|a|de)\s+{LIST}", several=True),
    frame("allergic_to", r"^(?:ao|à|aos|às|a)\s+(?P<object>[^,.;:–]+?)\s+(?:eu\s+)?(?:tenho\s+(?:muita\s+)?alergia|sou\s+(?:muito\s+)?alérgic[oa])\b", whole=True, several=True),
    frame("allergic_to", r"^(?:[oa]s?\s+)?(?P<object>[^,.;:–]+?)\s+(?:me\s+(?:dá|dão|causa|causam)\s+alergia|(?:dá|dão|causa|causam)-me\s+alergia)\b", whole=True, several=True),
    frame("has", r"(?:tenho|tem)\s+(?P<object>intolerância\s+(?:ao|à|a)\s+\w+)"),
    frame("is", r"(?:sou|é)\s+(?:muito\s+)?(?P<object>intolerante\s+(?:ao|à|a)\s+\w+)"),
    frame("has", r"(?:sofro|padeço|sofre|padece)\s+(?:de\s+|com\s+(?:a\s+)?|da\s+|do\s+)(?P<object>(?!saudade|isso|calor|frio|ele|ela|tudo)[^,.;:!?()–]+?)(?=\s+(?:e|desde|mas|que|quando|há)\b|\s*[,.;!–]|$)"),
    frame("has", r"(?:tenho|temos|tem|vivo\s+com)\s+(?:a\s+|o\s+|uma?\s+)?(?P<object>(?:doença|síndrome|transtorno|perturbação|tensão\s+(?:alta|baixa)|pressão\s+(?:alta|baixa)|diabetes\s+tipo|problemas?\s+de\s+(?:tiroide|tireoide|coração|coluna))(?:\s+(?!há\b|e\b|desde|mas|que)[^,.;:!?()–]+?)?)(?=\s+(?:e|desde|mas|que|há)\b|\s*[,.;!–]|$)"),
    frame("has", rf"(?:diagnosticaram-me|me\s+diagnosticaram)\s+(?:com\s+)?{THING}", fits=had),
    frame("has", r"\b(?:por\s+causa\s+d[ao]|com\s+[ao])\s+(?:minha\s+|meu\s+)?(?P<object>[\wà-ÿ]+)(?=\W|$)", whole=True, fits=is_romance_illness),
    frame("drives", rf"(?:conduzo|dirijo|guio|conduz|dirige|ando\s+de)\s+(?:um|uma)\s+(?P<object>{VEHICLE})"),
    frame("owns", rf"\b{_MY}\s+(?:velh[oa]\s+|nov[oa]\s+|antig[oa]\s+)?(?:carro\s+é\s+um\s+|mot[ao]\s+é\s+uma\s+)?(?P<object>{VEHICLE})", whole=True),
    frame("owns", rf"(?:tenho|temos|comprei|comprámos|compramos|herdei)\s+(?:um|uma)\s+(?P<object>(?:(?:velh[oa]|nov[oa])\s+)?{VEHICLE})", mine=True),
    frame("owns", r"(?:comprei|comprámos|compramos|acabei\s+de\s+comprar|herdei|ganhei)\s+(?P<object>(?:um|uma)\s+[^,.;:!?()–]+?)(?=\s+(?:e|para|em|com|que|por|no|na)\b|\s*[,.;!–]|$)", mine=True, fits=is_animal_or_illness),
    frame("owns", r"(?:vendi|vendemos)\s+(?:[oa]\s+)?(?:meu\s+|minha\s+|nosso\s+|nossa\s+)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:e|a|em|por|para)\b|\s*[,.;!–]|$)", mine=True, over=True, fits=is_animal_or_illness),
    frame("has", r"(?:tenho|temos|tem|sofro\s+de|sofre\s+de)\s+(?P<object>[\w' -]+?(?:,\s+(?:um|uma|dois|duas|três|quatro|\d)\s+[\w' -]+?)*)(?=\s+(?:mas|em|no|na|com|que|de|desde|para|porque|chamad[oa]|como|por|há|muito)\b|\s*[,.;:!?()–—]|$)", several=True, fits=had),
    frame("has", rf"(?:fui|foi)\s+diagnosticad[oa]\s+com\s+{THING}", fits=had),
    frame("drives", rf"(?:conduzo|dirijo|guio|conduz|dirige)\s+uma?\s+{THING}", fits=_vehicle),
    frame("allergic_to", rf"(?:sou|é)\s+(?:muito\s+)?alérgic[oa]\s+(?:ao|à|aos|às|a)\s+{LIST}", several=True),
    frame("takes", r"(?:tomo|toma|uso|estou\s+(?:a\s+tomar|tomando)|comecei\s+a\s+tomar|aplico|injeto|receitaram-me|me\s+receitaram)\s+(?:[oa]\s+|uma?\s+|\d+\s*mg\s+de\s+|comprimidos?\s+de\s+)?(?P<object>[\w-]+)(?=\W|$)", fits=is_medicine),
    frame("takes", r"(?:tomo|toma)\s+(?:um\s+|uns\s+|uma\s+|[oa]s?\s+)?(?:meus?\s+)?(?P<object>(?:remédios?|medicação|medicamentos?|comprimidos?)\s+(?:para|pra|pro)\s+(?:[oa]s?\s+)?\w+)"),
    # -- what someone eats, and no longer does
    frame("avoids", rf"^(?:eu|nós)\s+(?:não|nunca|já\s+não)\s+(?:como|comemos|bebo|bebemos|provo|tomo|consumo|tolero|posso\s+(?:comer|beber|tomar))\s+(?:mais\s+)?(?:nada\s+(?:de|com)\s+)?(?P<object>(?!nada\b|muito\b|mal\b|bem\b|tanto\b|quase\b|em\b|com\b|desde\b|remédio|medic|mais\b|fora\b|há\b|porque\b)[^.;:!?()–]+?){_END_OF_LIST}", whole=True, several=True, fits=_eaten),
    frame("avoids", r"^(?:eu\s+)?(?:e\s+)?não\s+posso\s+(?P<object>beber)(?=\s*[,.;–]|$|\s+(?:álcool))", whole=True),
    frame("avoids", rf"(?:evito|evita)\s+(?:comer\s+|tomar\s+|beber\s+)?{LIST}", several=True, fits=_eaten),
    frame("diet", r"(?:sigo|segue|faço|faz|estou\s+(?:a\s+fazer|fazendo|seguindo|de|em))\s+(?:uma\s+)?(?P<object>dieta\s+(?!desde|há|e\b|porque)[^,.;:!?()–]+?)(?=\s+(?:e|desde|porque|mas|há|por)\b|\s*[,.;!–]|$)"),
    frame("diet", r"(?:como|comemos|come)\s+(?:tudo\s+)?(?P<object>sem\s+(?:glúten|lactose|sal|açúcar)|halal|kosher|vegano|vegetariano)\b"),
    frame("plays", rf"(?:deixei|larguei|parei)\s+(?:de\s+(?:tocar|jogar)\s+)?(?:o\s+|a\s+)?{THING}", over=True, fits=is_instrument_or_sport),
    frame("practises", r"(?:deixei|parei|deixámos|deixamos|paramos)\s+(?:de|com)\s+(?P<object>(?!trabalhar|viver|morar|ser|estar|ver|falar|usar|acreditar|pensar|ter|querer)(?:[a-zà-ÿ]+[aei]r)(?:\s+[^,.;:!?()–]+?)?)(?=\s+(?:e|desde|porque|mas|por|quando|graças|há|faz)\b|\s*[,.;!–]|$)", over=True, fits=not_fleeting),
    frame("practises", rf"(?:deixei|larguei|parei\s+com|cortei|abandonei|estou\s+largando|estou\s+a\s+deixar|estou\s+(?:parando|cortando))\s+(?:com\s+)?(?:[oa]s?\s+)?(?P<object>(?:{_GIVEN_UP})(?:\s+(?!e\b|há\b|aos\b|em\b)[a-zà-ÿ]+)?)(?=\s+(?:e|desde|porque|mas|por|quando|graças|há|faz|aos)\b|\s*[,.;!–]|$)", over=True),
    frame("practises", r"não\s+(?P<object>fumo|bebo)\s+mais(?=\s*[,.;!–]|$)", over=True),
    # -- likes and dislikes
    frame("likes", rf"(?:{_NO_MORE}gost(?:o|a|amos)(?:\s+mais)?|gostava|adorava)\s+(?:{_OF})?{THING}", over=True, fits=_liked),
    frame("prefers", r"(?:prefiro|preferimos|prefere)\s+(?:[oa]s?\s+)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:a|ao|à|aos|às|do\s+que|em\s+vez|porque|quando)\b|\s*[,.;:!?()–]|$)", fits=_liked),
    frame("prefers", rf"gost(?:o|a|amos)\s+mais\s+{_OF}(?P<object>[^,.;:!?()–]+?)\s+(?:do\s+)?que\b", fits=_liked),
    frame("dislikes", rf"^{_FIRST_SAID},?\s+(?:(?:não\s+(?:é|são)|nunca\s+foi)\s+(?:(?:[oa]\s+)?(?:meu|minha)\s+(?:praia|cena|coisa|onda|forte|estilo|género|gênero)|para\s+mim|comigo|pra\s+mim)|(?:me\s+(?:{_BOTHERS}|dá\s+nojo|dão\s+nojo)|(?:{_BOTHERS})-me|d(?:á|ão)-me\s+nojo)|(?:eu\s+)?(?:não\s+(?:gosto|curto|suporto|aguento)(?:\s+(?:nada|mesmo|de\s+jeito\s+nenhum))?$|(?:odeio|detesto)$)|não\s+me\s+(?:agrada|atrai|diz\s+nada|convence|desce)|nem\s+(?:vê-l[oa]s?|pensar|pintad[oa]))", whole=True, **_LIKED),
    frame("likes", rf"^{_FIRST_SAID},?\s+(?:(?:é|são)\s+(?:[oa]\s+)?(?:meu|minha)\s+(?:praia|cena|paixão|vício|perdição|fraco|onda|vida)|me\s+(?:encanta|encantam|fascina|fascinam|relaxa)|(?:encanta|encantam|fascina|fascinam)-me|(?:eu\s+)?(?:adoro|amo|curto)(?:\s+(?:muito|demais))?$)", whole=True, **_LIKED),
    frame("likes", rf"^(?:[oa]\s+)?minha\s+(?:grande\s+)?(?:paixão|perdição|vício)\s+é\s+{LIST}", whole=True, **_LIKED),
    frame("dislikes", rf"(?:{_NO}(?:sou|é)\s+(?:muito\s+|nada\s+|grande\s+)?(?:fã\s+)?(?:{_OF})|tenho\s+(?:horror|pavor|nojo|raiva|aversão|asco)\s+(?:{_OF}|a\s+|ao\s+|à\s+|aos\s+|às\s+)|{_NO}(?:tolero|tolera|engulo|dispenso|vou\s+com\s+a\s+cara\s+d[eoa])\s+|dispenso\s+|não\s+posso\s+com\s+){LIST}", **_LIKED),
    frame("dislikes", rf"(?:não\s+me\s+agrada|me\s+(?:{_BOTHERS})|(?:{_BOTHERS})-me|me\s+(?:dá|dão)\s+nojo|(?:dá|dão)-me\s+nojo)\s+{LIST}", **_LIKED),
    frame("dislikes", rf"{_NO}(?:gost(?:o|a|amos)|curto)\s+(?:(?:nada|muito|mesmo)\s+)*(?:{_OF}){LIST}", **_LIKED),
    frame("dislikes", rf"(?:odeio|odeia|detesto|detesta|detestamos|odiamos|não\s+suporto|não\s+suporta|não\s+aguento|não\s+curto|não\s+curte|abomino)\s+(?:mesmo\s+|muito\s+)?{LIST}", **_LIKED),
    frame("likes", rf"gost(?:o|a|amos)\s+{_MUCH}(?:{_OF}){LIST}", **_LIKED),
    frame("likes", rf"(?:adoro|adora|adoramos|amo|curto|curte|me\s+amarro\s+em|sou\s+(?:vidrad|viciad|tarad|ligad)[oa]\s+em|(?:tenho|tem)\s+(?:um\s+)?(?:fraquinho|fraco|paixão|queda)\s+por|não\s+vivo\s+sem|me\s+derreto\s+por|sou\s+muito\s+de)\s+(?:muito\s+|demais\s+|bué\s+(?:de\s+)?)?{LIST}", **_LIKED),
    frame("likes", rf"(?:sou|é)\s+(?:muito\s+)?(?:um\s+grande\s+)?(?:fã|apaixonad[oa]|louc[oa]|adept[oa])\s+(?:de|do|da|por|pelo|pela)\s+{LIST}", **_LIKED),
    frame("favourite_{noun}", rf"^{_MY}\s+(?P<noun>\w+)\s+(?:favorit[oa]s?|preferid[oa]s?|predilet[oa]s?)\s+(?:é|são)\s+{THING}", whole=True, mine=True, fits=_liked),
    frame("prefers", r"prefiro\s+(?P<object>que\s+me\s+[^,.;:!?()–]+)", mine=True),
    frame("prefers", r"(?:sou|somos)\s+(?:muito\s+)?mais\s+(?:de\s+|do\s+|da\s+)?(?P<object>(?!velh|nov|alt|baix|ou\s)[^,.;:!?()–]+?)\s+(?:do\s+)?que\b", mine=True),
    # -- studies, projects, habits, plans
    frame("studies_at", r"(?:estudo|estuda|ando|estou|faço|curso|tiro|frequento|entrei)\s+(?:[^,–]+?\s+)?(?:na|no|em)\s+(?P<object>(?-i:U[A-Z]{1,5}|USP|PUC|ISCTE|Nova|Técnico|Federal|Universidade|Faculdade|Instituto|Escola|Politécnico|ISEG|Católica)(?:\s+(?:d[eoa]\s+)?(?-i:[A-Z])\w+)*)(?=\W|$)"),
    frame("studies", r"(?:estudo|faço|faz|curso|tiro|termino|comecei|acabei\s+de\s+entrar|entrei|estou\s+(?:a\s+fazer|a\s+tirar|fazendo|cursando|a\s+acabar|terminando|tirando|no|na|em)|ando\s+(?:a\s+tirar|a\s+fazer|em|no))\s+(?:o\s+|a\s+|um\s+|uma\s+|no\s+|na\s+|em\s+)?(?:(?:\d\w?º?|primeiro|segundo|terceiro|quarto|quinto|sétimo|último)\s+(?:ano|período|semestre)\s+(?:d[eoa]\s+))?(?:(?:curso|licenciatura|mestrado|doutoramento|doutorado|faculdade|graduação|pós|pós-graduação|mba|técnico|bacharelado)\s+)(?:de|em|do|da)\s+(?P<object>[^,.;:!?()–]+?)(?=\s+(?:na|no|e|desde|mas|em|à)\b|\s*[,.;–]|$)"),
    frame("studies", r"(?:estou|ando)\s+(?:no|na)\s+(?:\d\w?º?|primeiro|segundo|terceiro|quarto|quinto|sexto|sétimo|último)\s+(?:ano|período|semestre)\s+(?:de|do\s+curso\s+de|da)\s+(?P<object>[^,.;:!?()–]+?)(?=\s+(?:na|no|e|desde|mas|em)\b|\s*[,.;–]|$)"),
    frame("studies", rf"(?:estou\s+cursando|curso|sou\s+estudante\s+de|sou\s+alun[oa]\s+de)\s+(?!o\b|em\b|na\b){THING}"),
    frame("studies", r"(?:estudei|me\s+formei\s+em|formei-me\s+em|sou\s+(?:formad|licenciad|graduad)[oa]\s+em)\s+(?!na\b|no\b|em\b|muito\b|para\b)(?P<object>[^,.;:!?()–]+?)(?=\s+(?:na|no|e|mas|em|pela)\b|\s*[,.;–]|$)", over=True),
    frame("current_project", rf"(?:(?:estou|estamos|ando)\s+(?:a\s+(?:{_MAKE})|(?:{_MAKING}))|(?:trabalho|estou\s+trabalhando|estou\s+a\s+trabalhar)\s+(?:num|numa|no\s+meu|na\s+minha)(?=\s+(?:livro|romance|tese|app|jogo|disco|filme|projeto|podcast|site|álbum)))\s+(?:com\s+[oa]\s+meu\s+[^,–]+?\s+)?(?P<object>(?:(?:um|uma|uns|umas|[oa]s?|meu|minha)\s+)?(?!(?:[oa]\s+)?(?:jantar|almoço|mala)|jantar|almoço|bolo|mala|lista|e-?mail|mensagem|carta|exercício|trabalho\s+de\s+casa|texto|poema|isso|isto|você|com\b|para\b|no\b|na\b|em\b|muito)[^,.;:!?()–]+?)(?=\s+(?:com|para|pra|que|em|no|na|desde|e|mas|há|quando|sobre|d[aeo]s?\s+(?:minh|meu|noss)\w+)\b|\s*[,.;!–]|$)", mine=True, fits=not_fleeting),
    frame("practises", r"(?:faço|faz|fazemos|pratico|pratica|praticamos|treino|treina|entrei\s+n[oa]|comecei\s+(?:a\s+fazer|n[oa])|estou\s+inscrit[oa]\s+n[oa]|tenho\s+aulas?\s+de|vou\s+(?:ao|à|às\s+aulas\s+de|pra\s+aula\s+de)|ando\s+n[oa]|jogo)\s+(?:o\s+|a\s+)?(?P<object>[a-zà-ÿ-]+(?:\s+(?:artística|contemporânea|aquática|indoor|de\s+salão|clássico))?)(?=\W|$)", fits=lambda o: is_hobby(o) and not is_instrument_or_sport(o)),
    frame("practises", r"(?:vou|vamos|saio|costumo\s+ir|costumo)\s+(?:a\s+)?(?P<object>correr|nadar|caminhar|pescar|surfar|pedalar|escalar|dançar|remar|andar\s+de\s+(?:bicicleta|bike|skate|patins|cavalo)|(?:ao|no)\s+ginásio|(?:à|na|pra)\s+(?:academia|piscina|missa|natação|yoga)|ao\s+coro)(?=\s*[,.;!]?\s*–\s.*(?:tod[oa]s?|vezes|cada|às|aos|de\s+manhã|à\s+noite)|\s+(?:tod[oa]s?|com\s+meu)\b)", mine=True),
    frame("practises", r"(?P<object>(?:corro|nado|escalo|remo|patino|surfo|medito|pedalo|treino|malho|danço|caminho)(?=\s+–|\s+(?:e|com|desde|mas|para|em|no|na|há)\b)|bordo|costuro|faço\s+(?:crochê|croché|tricô|exercício|ginástica|academia|hemodiálise|terapia)|canto\s+(?:num|no|em\s+um)\s+cor(?:o|al)|ando\s+de\s+(?:bicicleta|bike|skate|cavalo)|monto\s+a\s+cavalo|coleciono\s+[^,.;:!?()–]+?)(?=\s*[,.;!–]|\s+(?:e|com|desde|mas|para|em|no|na|há|às|aos)\b|$)", mine=True),
    frame("practises", r"(?:faz|fez)\s+(?P<object>hemodiálise|diálise|terapia|quimioterapia|fisioterapia|natação)(?=\W|$)"),
    frame("plays", r"(?:jogava|joguei|tocava|toquei)\s+(?:ao\s+|à\s+|o\s+|a\s+)?(?P<object>[a-zà-ÿ]+)(?=\W|$)", over=True, fits=is_instrument_or_sport),
    frame("supports", r"(?:sou|torço)\s+(?:adept[oa]\s+|torcedora?\s+|sóci[oa]\s+)?(?:do|da|pelo|pela|pro|pra|para\s+o)\s+(?P<object>Benfica|Sporting|FC\s+Porto|Braga|Flamengo|Corinthians|Palmeiras|Santos|São\s+Paulo|Vasco|Grêmio|Inter|Fluminense|Botafogo|Cruzeiro|Galo|Atlético|Bahia)\b"),
    frame("plays", r"(?:toco|toca|jogo|joga|tocamos|jogamos|comecei\s+a\s+(?:tocar|jogar)|faço)\s+(?:(?:ao|à|o|a|um\s+pouco\s+de)\s+)*(?P<object>[a-zà-ÿ]+)(?=\W|$)", fits=is_instrument_or_sport),
    frame("practises", r"^(?:todo|toda|tod[oa]s\s+[oa]s)?\s*.*\btem\s+(?P<object>pelada|futebol|futsal|vôlei|treino|ensaio|coral|capela|missa|aula\s+de\s+\w+)\b.*–.*(?:tod[oa]|às|aos)", whole=True),
    frame("wedding_on", rf"(?:casa(?:m)?-se|se\s+casam?|caso-me|me\s+caso|casamos(?:-nos)?|nos\s+casamos|(?:vou|vamos|vai|vão)\s+(?:me\s+|nos\s+|se\s+)?casar(?:-(?:me|nos|se))?)\b[^–]*–\s*(?:em\s+|no\s+|na\s+|a\s+)(?:dia\s+)?(?P<object>(?:\d{{1,2}}\s+de\s+)?{_MONTH}(?:\s+de\s+{_YEAR})?|primavera|verão|outono|inverno)(?!\w)"),
    frame("wedding_on", rf"^(?:{_MY}\s+)casamento\s+(?:é|será)\b[^–]*–\s*(?:em\s+|no\s+|na\s+|a\s+)(?:dia\s+)?(?P<object>(?:\d{{1,2}}\s+de\s+)?{_MONTH}(?:\s+de\s+{_YEAR})?|primavera|verão|outono|inverno)(?!\w)", whole=True, mine=True),
    frame("plans_to", rf"(?P<object>(?:casamos|viajo|viajamos|parto|partimos|voo|faço\s+exame|sou\s+operad[oa]|defendo|me\s+formo|corro|corremos|inauguro|inauguramos)(?:-(?:me|nos))?(?:\s+(?!muito\b|em\s+casa)[^,;:!?()–]+?)?)(?=\s*,?\s+–.*{_SOON})", mine=True, fits=not_fleeting),
    frame("plans_to", rf"(?:(?:me|nos)\s+)?(?P<object>(?:caso-me|caso(?=\s+(?:com|em|no|–))|casamos|formo|formamos|aposento)(?:\s+[^,;:!?()–]+?)?)(?=\s*,?\s+–.*{_SOON})", mine=True, fits=not_fleeting),
    frame("plans_to", rf"(?:quero|queremos|espero|esperamos|gostava\s+de|gostávamos\s+de|penso|pensamos\s+em|estou\s+planejando|estamos\s+planejando|estamos\s+a\s+planear|estou\s+a\s+planear)\s+(?P<object>[a-zà-ÿ]+[aei]r(?:-me|-nos)?\s[^,;:!?()–]*?)(?=\s*,?\s+–.*{_SOON})", mine=True, fits=not_fleeting),
    frame("plans_to", rf"(?:vou|vamos)\s+(?P<object>(?:ao|à|pro|pra|para\s+[oa]s?|para|a)\s+(?!ginásio|academia|praia\s+hoje|cama)[^,;:!?()–]+?)(?=\s*,?\s+–.*{_SOON})", mine=True, fits=not_fleeting),
    frame("plans_to", r"(?:vou|vamos)\s+(?:me\s+|nos\s+)?(?P<object>(?:casar|reformar|aposentar|formar|divorciar)(?:-me|-nos)?(?:\s+[^,;:!?()–]+?)?)(?=\s*[,;!–]|$)", mine=True),
    frame("plans_to", rf"(?:tenho|temos|marquei|marcámos|está\s+marcad[oa])\s+(?:(?:uma?|[oa]|minha|meu|marcad[oa])\s+)*(?P<object>(?:consulta|exame|exames|entrevista|cirurgia|operação|reunião|dentista|médic[oa]|fisioterapia|casamento|voo|vistoria|prova|escritura|audiência|mudança|ultrassom|ecografia|ressonância|defesa|concerto|show|viagem|batizado|notário|cartório|formatura)(?:\s+[^,;:!?()–]+?)?)(?=\s*[,;!?()]|\s+–)(?=.*–.*{_SOON})", mine=True),
    frame("nationality", r"(?:sou|é)\s+(?P<object>[a-zà-ÿ-]+)(?=\s*[,.;!–]|\s+(?:e|mas|de\s+nascença)\b|$)", fits=among(_NATIONS)),
    frame("member_of", r"(?:sou|é)\s+(?:sóci[oa]|membro|voluntári[oa])\s+(?:de|do|da|num|numa|no|na|em)\s+(?:um\s+|uma\s+)?(?P<object>[^,.;:!?()–]+?)(?=\s+(?:e|desde|mas|há)\b|\s*[,.;!–]|$)", mine=True),
    # -- the rest
    frame("speaks", r"(?:falo|fala|falamos)\s+(?:(?:bem|muito\s+bem|um\s+pouco\s+de|fluentemente)\s+)*(?P<object>[a-zà-ÿ]+(?:(?:\s*,\s*|\s+e\s+)(?:(?:e|um\s+pouco\s+de|algum)\s+)*[a-zà-ÿ]+)*)", several=True, fits=is_language),
    frame("born_in", rf"nasc(?:i|eu)\s+(?:e\s+cresci\s+)?(?:em|no|na)\s+{THING}", fits=lambda o: o[0].isupper()),
    frame("born_on", rf"nasc(?:i|eu)\b.*–.*?(?:em|a|no\s+dia|dia)\s+(?:dia\s+)?(?P<object>(?:\d{{1,2}}\s+de\s+{_MONTH}\s+de\s+)?{_YEAR})"),
    frame("birthday", rf"faz\s+anos\b.*?–\s*(?:no\s+|a\s+|em\s+)?(?:dia\s+)?(?P<object>\d{{1,2}}\s+de\s+{_MONTH})"),
    frame("birthday", rf"^(?:o\s+)?aniversário\s+d(?:a|o|e)\s+{_MY}\s+{_KIND}(?P<whose>{_KIN})(?:\s+(?P<whose_name>{NAME}))?\s+é\b.*?–\s*(?:no\s+|a\s+|em\s+)?(?:dia\s+)?(?P<object>\d{{1,2}}\s+de\s+{_MONTH})", whole=True),
    frame("birthday", rf"^(?:{_MY}\s+aniversário\s+é|eu\s+faço\s+anos)\b.*?–\s*(?:no\s+|a\s+|em\s+)?(?:dia\s+)?(?P<object>\d{{1,2}}\s+de\s+{_MONTH})", whole=True, mine=True),
    frame("age", r"(?:de\s+|com\s+)?(?P<object>\d{1,3})\s+anos(?=,)"),
    frame("age", r"(?:tenho|tem)\s+(?P<object>\d{1,3})\s+anos\b(?!\s+de\s+(?!idade))"),
    frame("studies_at", r"(?:estudo|estuda|ando|faço)\s+(?:[\w ]+?\s+)?(?:na|no)\s+(?P<object>(?-i:U|E|I|C|F|P)[^,.;:!?()–]+?)(?=\s+(?:e|desde|em)\b|\s*[,.;–]|$)"),
    frame("studies", rf"(?:estudo|estuda|estou\s+a\s+estudar|estou\s+estudando|curso)\s+(?!em\b|na\b|no\b|muito\b|para\b|por\b|com\b|uma?\b){THING}"),
    frame("plays", rf"(?:toco|toca|jogo|joga)\s+(?:(?:ao|à|o|a)\s+)?{LIST}", several=True, fits=is_instrument_or_sport),
    frame("learns", rf"(?:aprendo|estou\s+a\s+aprender|estou\s+aprendendo)\s+(?:a\s+tocar\s+)?{THING}", fits=lambda o: is_language(o) or is_instrument_or_sport(o)),
    frame("practises", r"(?:pratico|faço)\s+(?P<object>yoga|ioga|pilates|karaté|caratê|judo|judô|natação|escalada|meditação|boxe|crossfit|musculação|ciclismo|surf|surfe|capoeira)\b"),
    frame("plans_to", r"(?:vou|vamos|pretendo|pretendemos|planeio|planejo|tenciono)\s+(?P<object>(?!ir\b(?:me)?$|ver\b|começar\b|trabalhar\b|mudar|morar\b|viver\b|tentar\b|dormir\b|comer\b|pensar\b|estar\b)[a-zà-ÿ]+[aei]r(?:-me|-nos)?\s[^,;:!?()–]*?)(?=\s*[,;!?()]|\s+–.*(?:que\s+vem|próxim|a\s+partir|amanhã|daqui|em\s|no\s|na\s|este|nest|nas\s))"),
    frame("is", r"(?:sou|é)\s+(?P<object>[\w-]+)(?=\s*[,.;!–]|\s+(?:e|desde|mas|porque|há)\b|$)", fits=is_trait),
    # -- what only a model can tell from what sounds alike
    frame("has", r"(?:tenho|temos|tem)\s+(?P<object>(?:um|uma|uns|umas|dois|duas|três|quatro|cinco|\d+)\s+[^,.;:!?()–]+?)(?=\s+(?:que|com|e|em|no|na|para|desde|mas|há)\b|\s*[,.;!–]|$)", loose=True, fits=not_fleeting),
    frame("works_as", r"(?:sou|é)\s+(?P<object>[a-zà-ÿ-]{5,}(?:\s+(?:de|em)\s+\w+)?)(?=\s+(?:e|desde|mas|em|no|na|há)\b|\s*[,.;!–]|$)", loose=True),
    frame("practises", r"(?P<object>(?!sou|estou|tenho|me\s|não\b|moro|vivo|trabalho)[a-zà-ÿ]+o\b[^,.;:!?()–]*?)(?=\s+–\s+.*(?:tod[oa]s?|cada|vezes|às|aos))", loose=True, mine=True, fits=not_fleeting),
    frame("uses", rf"(?:uso|utilizo|usamos)\s+{THING}", loose=True, fits=not_fleeting),
    frame("plans_to", r"(?:quero|queremos|gostaria\s+de|gostava\s+de|espero)\s+(?P<object>[a-zà-ÿ]+[aei]r(?:-me|-nos)?\s[^,;:!?()–]+)", loose=True, fits=not_fleeting),
    frame("phone", rf"{_MY}\s+(?:número(?:\s+de\s+tele(?:fone|móvel))?|telefone|telemóvel|celular)\s+é\s+(?:o\s+)?(?P<object>[+\d][\d ()/-]{{5,}})", whole=True, mine=True),
    frame("email", rf"{_MY}\s+e-?mail\s+é\s+(?P<object>[\w.+-]+@[\w.-]+\w)", whole=True, mine=True),
)  # fmt: skip

LEXICON = Lexicon(
    code="pt",
    owners=owners(
        KIN,
        some=r"uma?|[oa]|uns",
        mine=r"meus?|minhas?|noss[oa]s?",
        others=r"homem|mulher|rapaz|rapariga|moça|senhora|casal|família|cliente|paciente|vizinhos|gente",
        have=r"com|que\s+(?:tem|têm|tinha)|cuj[oa]|tem|têm",
    ),
    activity=lambda phrase: activity_noun(phrase, "pt"),
    first_person=any_of(
        r"\b(?:eu|meus?|minhas?|mim|me|comigo|nós|nos(?=\s+(?:mud|cas|conhec))|noss[oa]s?)\b"
    ),
    subject=LazyPattern(
        rf"(?i:(?P<me>eu\s+e\s+{_MY}\s+{_KIND}(?:{_KIN})|eu|nós|{_MY}\s+{_KIND}(?:{_KIN})\s+e\s+eu)\s+"
        rf"|{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}(?:\s*,?\s+(?:(?:o|a)\s+)?(?P<kin_name>{NAME}),?)?\s+(?={_IT}(?!\w)|(?:de\s+|com\s+)?\d{{1,3}}\s+anos\b|que\s+{_IT}(?!\w))"
        rf"|(?:(?:o|a)\s+)?(?P<name>{NAME})(?:,\s+{_MY}\s+{_KIND}(?P<role>{_KIN}){_KIND_AFTER},)?\s+(?={_IT}(?!\w))"
        rf"|(?P<pronoun>ele|ela)\s+(?={_IT}(?!\w)))(?P<rest>.*)",
        re.S,
    ),
    asks=any_of(
        r"""^(?:e\s+|mas\s+|então\s+)?(?:(?:o\s+que|que\s+horas|quem|qual|quais|quando|quant[oa]s?|onde|aonde|como|por\s*qu[eê]|porque\s+é\s+que|cadê)\b(?!\s+(?:eu|era|sou)\b)
        |(?:sabes?|conheces?|tens|tem|achas?|podes?|pode|poderia|és|estás|você|vocês)\s.*\?$|será\s+que|me\s+pergunto|pergunto-me|gostaria\s+de\s+saber|queria\s+saber|quero\s+saber)"""
    ),
    requests=any_of(
        r"""^(?:por\s+favor,?\s+|agora\s+|se\s+faz\s+favor,?\s+)?(?:(?:me\s+)?(?:diz|diga|dize|conta|conte|escreve|escreva|traduz|traduza|explica|explique|faz(?!\s+(?:\w+\s+)?(?:anos|dias|meses|frio|calor|sol))|faça|dá|dê|mostra|mostre|ajuda|ajude|procura|procure|encontra|encontre|recomenda|recomende|resume|resuma|lista|liste|calcula|calcule|
        compara|compare|corrige|corrija|revê|revisa|revise|repete|repita|cria|crie|gera|gere|redige|descreve|descreva|lembra|lembre|põe|ponha|coloca|coloque|lê|leia|abre|abra|sugere|sugira|escolhe|escolha|define|defina|ordena|converte|converta|olha|deixa|deixe|para\s+de|continua|continue|responde|responda|
        imita|inventa|invente|esquece|esqueça|muda\s+o|usa|use|adiciona|adicione)(?:-me|-nos|-lhe)?|preciso\s+que|quero\s+que|vê\s+se|veja\s+se)\b(?!-se)
        |^(?:por\s+favor,?\s+)?(?:você\s+|tu\s+|me\s+)?(?:podes|pode|podia|podias|poderia|poderias|consegues|consegue|queres)\b
        |^(?:eu\s+)?(?:quero|queria|gostava\s+de\s+(?:saber|ver|ter)|preciso\s+de|preciso\s+d[ao]|procuro|gostaria\s+de)\s+(?:um|uma|uns|umas|algo|mais|saber|ver|entender|perguntar|ajuda|que|informações|recomendações|ideias|sugestões|receber|ter)\b
        |^(?:eu\s+)?tenho\s+(?:uma|outra|umas)\s+(?:pergunta|dúvida|questão)"""
    ),
    remember=any_of(
        r"""^(?:(?:ei|olá|oi|por\s+favor|ah|e|ok)[,!]?\s+)*(?:lembra-te|lembre-se|lembra\s+aí|fixa|grave|memoriza|memorize|não\s+esqueças|nota|lembra|lembre|anota|anote|aponta|aponte|regista|registe|registra|registre|não\s+te\s+esqueças|não\s+esqueças|não\s+se\s+esqueça|não\s+esqueça|não\s+esquece|toma\s+nota|guarda|tem\s+em\s+conta|fica\s+a\s+saber|para\s+que\s+saibas|grava)
        (?:\s+(?:isto|isso|aí|bem|por\s+favor))*(?:\s*[:,]\s*(?:que\s+)?|\s+(?:de\s+)?que\s+|\s+(?=(?:[oa]\s+)?(?:eu|meus?|minhas?|noss\w+|sou|tenho|moro|trabalho|não\s+(?:como|bebo|posso))\b))"""
    ),
    supposes=any_of(
        r"""\b(?:se(?=\s+(?:eu|tu|ele|ela|nós|a\s+gente|você|um\s+dia|houver|der|for|fosse|tivesse|pudesse|calhar|não)\b)|talvez|quem\s+me\s+dera|quem\s+dera|tomara|oxalá|quem\s+sabe|pode\s+ser\s+que|possivelmente|provavelmente|imagina\w*|imagine\w*|suponhamos|supondo|sonhei|sonho\s+em|no\s+meu\s+sonho|como\s+se|em\s+teoria|
        hipoteticamente|algum\s+dia|acho\s+que|não\s+sei\s+se|suponho|estou\s+pensando\s+em|estou\s+a\s+pensar\s+em|ando\s+a\s+pensar|duvido|
        seria|estaria|teria|viveria|moraria|poderia|faria|iria|diria|compraria|trabalharia|mudaria|falaria|haveria|saberia|deixaria|
        fosse|tivesse|pudesse|vivesse|morasse|houvesse|estivesse|soubesse|aprenda|viva(?=\s+em)|more|tenha|seja|me\s+mude)\b"""
    ),
    reports=any_of(
        r"""\ufffc|\b(?:diz|dizem|disse|disseram|dizia|segundo\s+(?:[oa]s?|meu|minha)(?=\s)|conta\s+que|contou\s+que|pensa\s+que|acha\s+que|acham\s+que|acredita|opina|afirma|garante|pergunta|perguntou|respondeu|escreveu|me\s+(?:disse|disseram|contou))\b(?<!eu\sdisse)
        |\b(?:n[oa]|num|numa|deste|neste|nesta)\s+(?:filme|livro|música|canção|novela|conto|série|romance|artigo|texto|jogo|poema)\b|\b(?:a\s+citação|a\s+frase|esta\s+frase|letra\s+d[aeo]|bula|manchete|em\s+(?:inglês|francês|alemão|espanhol|italiano)\s*:|para\s+(?:o\s+)?(?:inglês|francês|alemão|espanhol|italiano)\s*:)"""
    ),
    jokes=any_of(
        rf"""\b(?:k{{3,}}|(?:ah?a){{2,}}h?|(?:ha){{2,}}h?|(?:he){{2,}}|(?:rs){{1,}}|é\s+brincadeira|brincadeira|estou\s+a\s+brincar|estou\s+brincando|tô\s+brincando|zoeira|lol|xd+|ironia|só\s+que\s+não|sqn)\b|^(?:sim\s+sim|pois\s+pois|aham|tá\s+bom),?\s+e\s+(?:eu|[oa]\s+(?:meu|minha))\b|^(?:sim|pois),?\s+claro,|/s(?:\W|$)|{LAUGH}"""
    ),
    greets=any_of(
        r"""^(?:olá|oi|bom\s+dia|boa\s+(?:tarde|noite)|obrigad[oa]\b.*|muito\s+obrigad[oa]\b.*|valeu\b.*|tchau|adeus|até\s+(?:logo|amanhã|já|breve|mais)|ok|okay|perfeito|ótimo|óptimo|claro|sim|não|de\s+nada|tudo\s+(?:bem|bom|certo).*|
        beleza|prazer|combinado|certo|está\s+bem|tá\s+bom|fixe|legal|exato|feliz\s+\w+|desculpa|desculpe|sinto\s+muito|durma\s+bem|saudações|um\s+abraço|abraços?|beijos?|beijinhos|bom\s+fim\s+de\s+semana|boas)(?:\s+(?:a\s+todos|de\s+novo|pessoal|gente|e\s+.*|por\s+.*|amigo|também|pela\s+.*))*\W*$"""
    ),
    meta=any_of(
        r"""^(?:(?:eu\s+)?(?:não\s+|nunca\s+|já\s+|te\s+|só\s+|isso\s+)*(?:nem\s+por\s+isso|confundo|disse|dizia|digo|quis\s+dizer|quero\s+dizer|queria\s+dizer|me\s+refiro|refiro-me|entendo|entendi|percebo|percebi|compreendo|sei\b|pergunto|perguntei|afirmei|
        penso\s+que|lembro(?:-me)?|agradeço|espero\s+que|concordo|tenho\s+(?:a\s+)?certeza|te\s+(?:amo|adoro|odeio|disse)|amo-te|adoro-te|gosto\s+(?:d[ae]ss[ae]\s+\w|d[ae]st[ae]\s+(?:vers|text|idei|respost|fras)\w*|de\s+ti|de\s+você|disso|disto|da\s+tua|do\s+teu|da\s+sua|do\s+seu|de\s+como)|falo\s+(?:de|a\s+sério|sério)|vejo\s+que|vou\s+(?:ver|pensar|tentar)|confio|fico\s+(?:feliz|contente)|sinto\s+muito|estou\s+(?:a\s+falar|falando|de\s+acordo))\b.*
        |(?:isso|isto|esse|essa|aquilo)\s+(?:é|não|está|parece|me|sim|foi|era|ajuda|faz)\b.*|(?:é|está|tá|era|foi)\s+(?:que\b|bem|mal|verdade|mentira|certo|falso|correto|perfeito|ótimo|um|uma|muito|bom|melhor).*
        |(?:tu|você|vocês)\s+.*|(?:[oa]\s+)?(?:tua|teu|sua)\s+.*|tens\s+.*|és\s+.*|estás\s+.*|(?:[oa]\s+)?(?:meu|minha)\s+(?:pergunta|problema|dúvida|ideia|código|texto|resposta|questão)\b.*|não\s+é\s+(?:verdade|certo)\b.*)$"""
    ),
    passing=any_of(
        r"""^(?:eu\s+)?(?:já\s+|não\s+|também\s+)*(?:estou|estamos|estava|tô|ando|sinto-me|me\s+sinto)\s+(?:(?:muito|um\s+pouco|tão|bastante|super|demasiado|já|ainda|meio|hoje|agora|quase|completamente|mesmo|mais|bem|bué|a\s+ficar|com\s+tanta|com)\s+)*(?:cansad\w+|aborrecid\w+|entediad\w+|doente|constipad\w+|gripad\w+|resfriad\w+|pront[oa]s?|perdid\w+|ocupad\w+|zangad\w+|bravo|brava|triste|contente|
        nervos\w+|acordad\w+|estressad\w+|stressad\w+|feliz|atrasad\w+|exaust\w+|mal|bem|melhor|pior|aqui|aí|ali|de\s+volta|a\s+caminho|esperando|à\s+espera|comendo|jantando|almoçando|cozinhando|vendo|ouvindo|assistindo|a\s+(?:comer|jantar|almoçar|cozinhar|ver|ouvir|esperar|caminho)|em\s+casa|na\s+(?:cama|rua|fila|aula|cozinha|escola)|no\s+(?:trabalho|trânsito|ônibus|autocarro|comboio|trem|metro|metrô|banho|escritório|carro)|fora|fart[oa]|
        animad\w+|preocupad\w+|confus\w+|sozinh[oa]|fome|sono|sede|frio|calor|pressa|febre|dor\b.*|dores\b.*|medo|saudades\b.*|preguiça|vontade|tosse|ressaca|gripe)\b
        |^(?:eu\s+)?(?:não\s+)?(?:tenho|temos)\s+(?:(?:muita|muito|um\s+pouco\s+de|bastante|tanta|tanto|muitas|alguma|uma?)\s+)?(?:sono|fome|sede|frio|calor|pressa|febre|medo|vontade|dor|tempo|razão|que\s+(?:ir|sair|desligar|voltar|dormir|cozinhar|comer|trabalhar|estudar)|de\s+(?:ir|sair|desligar|voltar|dormir|comer|trabalhar|estudar)|ressaca|tosse|preguiça|ideia|saudades)\b
        |^(?:eu\s+)?preciso\s+(?:de\s+)?(?:ir|sair|dormir|descansar|comer|voltar)\b
        |\b(?:dói-me|doem-me|me\s+dói|está\s+(?:frio|calor|a\s+chover|chovendo|sol)|tá\s+(?:frio|calor|chovendo)|faz\s+(?:frio|calor|sol)|chove|um\s+(?:momento|segundo|minuto)(?:,|$|\s+por)|espera\b|vou\s+(?:dormir|para\s+a\s+cama|comer|embora|sair|jantar|almoçar)|já\s+volto|volto\s+já|
        ao\s+lume|no\s+fogo|está\s+a\s+tocar|dormi\s+(?:mal|bem)|acabei\s+de\s+(?:chegar|comer|acordar|sair|voltar)|acabo\s+de|perdi\s+o\s+(?:ônibus|autocarro|comboio|trem|metro|metrô)|(?:meu|minha)\s+(?:café|jantar|comida|telemóvel|celular|ônibus|bateria|internet|autocarro)\s+(?:está|tá|não|já|chegou|acabou))\b"""
    ),
    negates=any_of(
        r"\b(?:não|nunca|jamais|nada|ninguém|nenhum|nenhuma|sem|tampouco|nem|deixei\s+de|parei\s+de|em\s+vez\s+de)\b"
    ),
    past=any_of(
        r"""\b(?:era|éramos|vivia\w*|morava\w*|morei|morou|vivi|viveu|trabalhava\w*|trabalhei|trabalhou|tinha\w*|tive|estava|estive|fui|foi|fomos|nasci|nasceu|estudei|estudava|estudou|antes|antigamente|ontem|anteontem|passad[oa]|mudei|mudou|mudámos|deixei|larguei|saí|comecei|começou|comprei|vendi|
        gostava|adorava|mud[aá]mo|virei|parei|terminei|acabei|formei|voltei|instalei|aluguei|arrendei|herdei|conheci|[a-zà-ÿ]{3,}ámos|fiz|fizemos|atrás|casei|adotei|adoptei)(?!\w)|\bh[áa]\s+\w+\s+(?:dias?|semanas?|m[eê]s(?:es)?|anos?)\s+atrás\b"""
    ),
    coming=any_of(
        r"""\b(?:vou|vamos|vai)\s+(?:me\s+|nos\s+|se\s+)?[a-zà-ÿ]+[aeiô]r\b|\b(?:amanhã|que\s+vem|próxim[oa]s?|daqui\s+a|a\s+partir\s+d[eoa]|em\s+breve)\b|\b(?:quero|queremos|pretendo|planeio|planejo|tenciono|gostaria|gostava\s+de)\s|\b(?!parei\b)\w+(?:arei|erei|irei|aremos|eremos|iremos)\b
        |\b(?:mudo-me|me\s+mudo|começo|caso-me|me\s+caso|faço)\b(?=.*\s–\s)"""
    ),
    over=any_of(
        r"\b(?:já\s+não|não\s+.*\bmais|antes|antigamente|deixei|larguei|parei|costumava|nunca\s+mais)\b"
    ),
    kin=KIN | _SEVERAL,
    relations=tuple(
        LazyPattern(pattern)
        for pattern in (
            rf"\b(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}),?\s+(?i:chamad[oa]\s+|[oa]\s+)?(?P<object>{NAME})",
            rf"(?<!\bd[oa]\s)(?<!\bde\s)\b(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}\s+(?:chama-se|se\s+chama|chama)\s+)(?P<object>{PROPER})",
            rf"(?i:o\s+nome\s+d{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}\s+é\s+)(?P<object>{PROPER})",
            rf"^(?:[OoAa]\s+)?(?P<object>{NAME})\s+(?i:é\s+{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER})(?=\s*[,.–]|\s+e\b|$)",
            rf"^(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}\s+é\s+(?:[oa]\s+)?)(?P<object>{PROPER})$",
            rf"(?:^|[,\s])(?P<object>{NAME}),\s+(?i:{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER})(?=\s*,|$)",
            rf"^(?i:(?:este|esta)\s+é\s+{_MY}\s+{_KIND}(?P<kin>{_KIN}){_KIND_AFTER}),?\s+(?:[oa]\s+)?(?P<object>{PROPER})",
        )
    ),
    frames=FRAMES,
    articles=any_of(
        r"^(?:um\s+pouco\s+de|aos?|às?|[oa]s?|uma?|uns|umas|de|do|da|dos|das|meus?|minhas?|noss[oa]s?|algum(?:a|as)?|alguns|também|muito)\s+"
    ),
    tail=any_of(
        r"\s+(?:também|muito|imenso|nada|de\s+todo|agora|já|sempre|sobretudo|de\s+novo|outra\s+vez|juntos|sozinh[oa]|bastante|mais|ainda|demais|mesmo)$"
    ),
    not_objects=frozenset(
        """isso isto esse essa ele ela me te nos lhe ti mim tudo nada algo alguém ninguém aqui aí ali assim
        que quem você vocês muito mais tanto nós não sim teu tua seu sua""".split()
    ),
    expand=tuple(
        (LazyPattern(pattern, re.I), replacement)
        for pattern, replacement in (
            (r"\btô\b|\bto\b(?=\s+(?:\w+ndo|com|em|no|na|sem|morando)\b)", "estou"),
            (r"\btava\b", "estava"),
            (r"\b(?:tbm|tb)\b", "também"),
            (r"\bq\b", "que"),
            (r"\b(?:mto|mt)\b", "muito"),
            (r"^n\s+(?=(?:gosto|como|bebo|curto|suporto|tenho|sou|posso)\b)", "não "),
            (r"\bapê\b", "apartamento"),
            (r"\btá\b", "está"),
            (r"\b(?:vc|cê)\b", "você"),
            (r"\bpq\b", "porque"),
            (r"^a\s+gente\s+(?=(?:não\s+|já\s+|se\s+|está\s+)?[a-zà-ÿ]+(?:\s|$))", "nós "),
        )
    ),
    fillers=any_of(
        r"""^(?:(?:olá|oi|ei|bom\s+dia|boa\s+(?:tarde|noite)|sim|não(?=,)|ok|bom|bem|pois|olha|e|mas|por\s+acaso|a\s+propósito|aliás|na\s+verdade|é\s+que|além\s+disso|ah|eh|então|claro|obrigad[oa]|desculpa|tudo\s+bem|
        para\s+(?:tua|sua)\s+informação|sinceramente|de\s+facto|de\s+fato|cara|mano|pá|meu(?=,)|galera|então(?=,)|tipo|ó|olha\s+só|opa|e\s+aí|eai|fala(?=,)|atenção|descobri\s+(?:em\s+\w+\s+)?que|ah\s+e|a\s+verdade\s+é\s+que|tenho\s+de\s+dizer\s+que|tenho\s+que\s+dizer\s+que|porque|embora|por\s+isso|prazer|por\s+favor|gente|pessoal|para\s+que\s+saibas|acontece\s+que)(?:[,!:.–—-]+\s*|\s+))+(?=\S)"""
    ),
    adverbs=any_of(
        r"\s(?:também|ainda|atualmente|realmente|além\s+disso|na\s+verdade|felizmente|infelizmente|sinceramente|normalmente|pessoalmente|basicamente|simplesmente|praticamente|oficialmente|finalmente|já(?!\s+não\b))(?=\s)"
    ),
    cut=any_of(
        rf""";\s*|\s+[–—-]\s+
        |{_NOT_BOTH},?\s+(?:e|mas|embora|enquanto|porque|por\s+isso)\s+(?=(?:eu|nós|ele|ela|{_MY}\s+{_KIND}(?:{_KIN})\b(?!\s+e\s+eu)(?=.*\b{_IT}(?!\w))|agora|antes|desde|h[áa]\s+\d)\b)
        |,?\s+(?:e|mas|embora|porque|por\s+isso)\s+(?={_FIRST})
        |,?\s+(?:e|mas)\s+(?={_IT}(?!\w))(?!não\s+(?:[oa]s?|um|uma|de)\b)
        |,?\s+mas\s+(?=n[oa]s?\s)|\s+e\s+(?=(?:acha|pensa|diz)\b)
        |,\s+(?=(?:eu|nós|ele|ela)\b)|,\s+(?={_FIRST})|,\s+(?=(?:agora|antes|depois|desde)\s+(?:\w+\s+){{0,4}}?{_FIRST})
        |,\s+(?={_MY}\s+{_KIND}(?:{_KIN}){_KIND_AFTER}\s+(?:(?-i:[A-Z]\w+)\s+)?{_IT}(?!\w))"""
    ),
    carried=any_of(rf"^{_IT}(?!\w)"),
    lists=any_of(r"\s*,\s*(?:e\s+|nem\s+)?|\s+(?:e|ou|nem)\s+|\s*&\s*"),
    arrange=arranger(TIMES, "eu", _IMPLIED, _LEAD),
    time_words=TIME_WORDS,
)
