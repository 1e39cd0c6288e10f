"""What only says that there is nothing: "no plans yet", "nothing new here", "not that I hate dogs".

That somebody has no car, no siblings or no sense of smell is worth keeping; that there is no news
is not. One list for the five languages.
"""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern, any_of

_NOT_MEANT = LazyPattern(
    r"""^(?:no,?\s+|nein,?\s+|non,?\s+|não,?\s+)?(?:
    not\s+that\s+(?:I|we)\b|it\s+is\s+not\s+(?:that|as\s+if)\b|nicht\s+dass\b|(?:es\s+ist\s+)?(?:ja\s+)?nicht\s+so,?\s+dass\b
    |ce\s+n'est\s+pas\s+que\b|c'est\s+pas\s+que\b|no\s+es\s+que\b|não\s+é\s+que\b
    |(?:I|we)\s+(?:have\s+never\s+(?:said|claimed|told|meant|pretended)|have\s+nothing\s+against|am\s+not\s+(?:saying|claiming|suggesting))\b
    |ich\s+(?:habe\s+)?(?:nie|niemals|nicht)\s+(?:gesagt|behauptet|gemeint)\b|ich\s+habe\s+nichts\s+gegen\b
    |je\s+n'ai\s+(?:jamais|pas)\s+dit\b|j'ai\s+(?:jamais|pas)\s+dit\b|je\s+n'ai\s+rien\s+contre\b
    |(?:yo\s+)?(?:nunca|no)\s+(?:he\s+dicho|dije)\b|no\s+tengo\s+nada\s+(?:en\s+)?contra\b
    |(?:eu\s+)?(?:nunca|não)\s+(?:disse|falei)\b|não\s+tenho\s+nada\s+contra\b
    )""",
    re.I | re.X,
)
# things whose absence says nothing about anybody
_NO_MATTER = (
    r"(?:plans?(?!\s+(?:to|for)\b)|news|complaints?|questions?|preferences?|preference|opinions?|thoughts?|comments?|objections?|favou?rites?|hurry|rush|worries|"
    r"strong\s+(?:feelings|opinions|views)|strong\s+preference|particular\s+\w+|special\s+\w+|gossip|updates?|wishes|requests?|suggestions?|doubts?|ideas?|clue|"
    r"reason|need|interest\s+in\s+(?:that|this|it)|problem\s+with\s+(?:that|this|it)|issues?\s+with\s+(?:that|this|it)|excuse|rest|answers?|intention|change|changes|time|energy|motivation|luck|appetite|"
    r"big\s+\w+|further\s+\w+|new\s+\w+|other\s+(?:plans|questions|news|ideas)|commitments|appointments|meetings)"
)
_AT_ALL = r"(?:\s+(?:at\s+all|whatsoever|yet|so\s+far|today|tonight|this\s+\w+|for\s+(?:now|today|tonight|you|the\s+\w+|this\s+\w+|me)|right\s+now|at\s+the\s+moment|really|from\s+(?:me|my\s+\w+)|on\s+(?:my|our)\s+(?:side|end|part)|about\s+(?:it|that|this)|on\s+(?:it|that|this)|either\s+way|here|either|as\s+such|anymore|any\s+more|in\s+particular|to\s+(?:speak|report|share|ask|make))\b)*"
_NOTHING = any_of(
    rf"""^(?:(?:and|so|but|no|nope|nah|nein|non)\s+)?(?:
    # no plans, no news, nothing to add
    (?:(?:I|we)\s+(?:have|have\s+got|had|got|see|there\s+are|there\s+is)\s+|there\s+(?:is|are)\s+)?(?:absolutely\s+|literally\s+)?no\s+{_NO_MATTER}{_AT_ALL}(?:\s+(?:worth|that\s+matter|of\s+note)\b.*)?(?:\s+.*\b(?:mine|me|my|our)\b.*)?$
    |(?:I|we)\s+(?:do|did|have)\s+not\s+(?:have|have\s+got|got|see|had)\s+(?:any\s+|an?\s+|much\s+|many\s+)?(?:real\s+|actual\s+)?{_NO_MATTER}{_AT_ALL}$
    |(?:I|we)\s+(?:have|have\s+got|had)\s+(?:absolutely\s+)?(?:nothing|no\s+one|nobody)\b(?!\s+(?:left|in\s+common|against)).*
    |(?:I|we)\s+have\s+no\s+(?:idea|clue|way\s+of\s+knowing)\b.*
    |(?:absolutely\s+|literally\s+|really\s+)?nothing\b(?!\s+(?:beats|compares|makes|annoys|scares|gives|relaxes|calms|tops|can|will|is\s+(?:better|worse|more|as)|helps|comes)\b)(?:.*\b(?:new|special|much|exciting|interesting|planned|happened|happening|going\s+on|changed|change|else|important|dramatic|to\s+(?:report|add|say|tell|see|complain|share|do|declare)|on\s+(?:my|our)|from\s+(?:me|us|my)|here|wrong|different|yet|unusual|big|serious|bad|particular)\b).*
    |not\s+(?:much|a\s+lot|a\s+thing|anything)\b.*
    |(?:I|we)\s+(?:do|did|have|am|are|was|could|can)(?:\s+not|not)\s+(?:have|done|do|doing|plan|planning|planned|need|want|bought|buy|expect|expecting|achieve|achieved|see|seen|hear|heard|notice|noticed|get|got|eat|eaten|think\s+of|remember|change|changed|decide\s+on|decided\s+on|come\s+up\s+with|up\s+to)\s+(?:anything|much|a\s+thing)\b(?!.*\b(?:because\s+of|since|with\s+\w+\s+in\s+it|containing|from\s+animals)\b)(?:\s+(?:special|else|exciting|yet|new|to\s+\w+|interesting|today|tonight|this\s+\w+|for\s+\w+|at\s+all|right\s+now|in\s+particular|planned|on|about\s+\w+|really|either|at\s+the\s+weekend|over\s+the\s+\w+|yesterday|last\s+\w+|big|fun|productive|of\s+note|important))*$
    |(?:I|we)\s+(?:am|are)\s+up\s+to\s+(?:nothing|not\s+much).*
    |cannot\s+complain.*|(?:I|we)\s+cannot\s+complain(?:\s+.*)?
    # that it is all the same
    |(?:I|we)\s+have\s+not\s+(?:decided|made\s+up\s+my\s+mind|thought\s+about\s+(?:it|that)|got\s+(?:round|around)\s+to|had\s+(?:the\s+time|time|a\s+chance))\b.*
    |(?:I|we)\s+have\s+never\s+(?:thought|wondered)\s+(?:about|much|of)\s*(?:it|that|this)?\b.*
    |(?:I|we)\s+(?:do|did)\s+not\s+(?:mind|care|bother|fancy\s+anything|feel\s+like\s+(?:anything|doing|it|much))\b(?!\s+for\b).*
    |(?:I|we)\s+(?:am|are)\s+not\s+(?:(?:that|too|very|so|overly|really|particularly)\s+)*(?:fussy|bothered|fussed|picky|sure|certain|worried|in\s+a\s+(?:hurry|rush)|in\s+the\s+mood)\b.*
    |(?:I|we)\s+(?:am|are)\s+(?:easy|open\s+to\s+anything|happy\s+(?:with|either)|fine\s+(?:with|either)|undecided|indifferent)\b.*
    |(?:it|that)\s+(?:makes\s+no\s+difference|is\s+all\s+the\s+same|does\s+not\s+(?:matter|bother))\b.*
    |(?:same\s+old|business\s+as\s+usual|the\s+usual|same\s+as\s+(?:always|ever|usual|before))\b.*|all\s+(?:quiet|good|the\s+same|as\s+usual|well|fine|normal)\b.*
    |(?:my|our)\s+(?:\w+\s+)?(?:day|week|weekend|evening|life|morning|holiday)\s+(?:is|was|has\s+been)\s+(?:\w+\s+)?(?:uneventful|boring|quiet|ordinary|normal|nothing\s+special|fine|ok|okay|unremarkable|dull)
    |none\s+(?:that\s+(?:I|we)|of\s+(?:that|this|it)|to\s+\w+|from\s+me).*|(?:no\s+\w+,\s+){{1,3}}no\s+\w+.*
    # German
    |(?:bei\s+(?:mir|uns)\s+(?:gibt'?s?(?:\s+es)?|gibt\s+es|ist|hat|war|passiert|läuft|steht)\s+)(?:\w+\s+){{0,3}}?(?:nichts|nix|keine?|alles|wenig|sonst\s+nichts)\b.*|(?:es\s+)?(?:gibt|ist|hat|passiert)\b.*\b(?:nichts|keine\s+neuigkeiten)\b.*\bbei\s+(?:mir|uns)\b.*|.*\bnichts\s+(?:neues|besonderes|spannendes|aufregendes|wichtiges|weiter|geplant|vor|zu\s+\w+|hinzuzufügen|passiert|geändert|los)\b.*
    |(?:ich|wir)\s+(?:habe|haben|brauche|brauchen|weiß|will|möchte|mache|machen)\s+(?:\w+\s+){{0,2}}?(?:nichts|nix)(?:\s+(?:vor|mehr|weiter|anderes|dagegen|dazu|geplant|zu\s+\w+|heute|bestimmtes))*$
    |(?:(?:ich|wir)\s+(?:habe|haben|sehe)\s+)?(?:(?:gerade|heute|noch|leider|gar|überhaupt|momentan|sonst|am\s+wochenende)\s+)*keine?n?\s+(?:(?:besonderen?|konkreten?|großen?|weiteren?|neuen?|bestimmten?)\s+)*(?:pläne?|plan|fragen?|neuigkeiten|meinung|präferenz\w*|vorlieben?|wünsche?|einwände|beschwerden|ideen?|vorstellung|ahnung|vorkommnisse|termine|eile|anmerkungen|änderungen)(?:\s+(?:mehr|dazu|heute|von\s+mir|bei\s+mir|–.*))*$
    |(?:bei\s+\w+\s+)?(?:ist\s+)?alles\s+(?:beim\s+alten|wie\s+immer|gut|okay|ok|ruhig)\b.*|mir\s+(?:ist\s+(?:es\s+)?(?:egal|gleich|wurscht|wurst)|fällt\s+nichts)\b.*|(?:ich|wir)\s+(?:habe|haben)\s+(?:mich|uns)\s+(?:noch\s+)?nicht\s+entschieden.*
    # Spanish, French, Portuguese
    |(?:nuevo|novo|especial)\s+(?:por\s+mi|da\s+minha|do\s+meu)\b.*|(?:yo\s+|eu\s+)?nada\s+(?:nuevo|especial|interesante|que\s+\w+|de\s+(?:novo|especial|interessante|mais)|importante|en\s+particular|a\s+\w+|novo)\b.*|(?:(?:yo|eu)\s+)?(?:no|não)\s+(?:tengo|tenemos|hay|tenho|temos|há|tem)\s+(?:ningún\s+|ninguna\s+|nenhum\s+|nenhuma\s+)?(?:planes|plan|preguntas?|novedades|nada|preferencias?|quejas|prisa|opinión|idea|planos|plano|perguntas?|novidades|preferências?|queixas|pressa|opinião|ideia)\b.*
    |(?:(?:yo|eu)\s+)?(?:no|não)\s+(?:necesito|quiero|preciso\s+de|quero|hice|he\s+hecho|fiz)\s+nada\b.*|(?:a\s+mí\s+)?me\s+da\s+(?:igual|lo\s+mismo)\b.*|(?:para\s+mim\s+)?tanto\s+faz\b.*|todo\s+(?:igual|sigue\s+igual)\b.*|tudo\s+(?:igual|na\s+mesma|normal)\b.*
    |rien\s+(?:de\s+(?:neuf|nouveau|spécial|particulier|prévu|grave|intéressant)|à\s+\w+|du\s+tout)\b.*|(?:je\s+)?(?:n'\s*|ne\s+)?ai\s+(?:rien|pas\s+(?:de\s+|d')?(?:projets?|plans?|questions?|nouvelles?|préférences?|avis|d'avis|d'idée|idée))\b.*|j[e']\s*(?:n'\s*)?(?:ai\s+)?(?:rien|aucun\w*)\s+(?:prévu|projets?|plans?|question|nouvelle|préférence|avis|idée|de\s+\w+|à\s+\w+)\b.*|j[e']\s*(?:n'\s*)?ai\s+(?:aucune?|pas\s+d[e'])\s*(?:projets?|plans?|questions?|nouvelles?|préférences?|avis|idées?)\b.*
    |(?:je\s+)?n'?(?:e\s+|\s*)ai\s+besoin\s+de\s+rien\b.*|(?:moi\s+)?(?:ça|cela)\s+m'est\s+égal\b.*|aucune?\s+(?:nouvelles?|projet|question|idée|préférence|plainte)\b.*
    )$"""
)


def is_empty_denial(text: str) -> bool:
    """Whether a plain clause only says that there is nothing, or what was not said or meant."""
    return _NOT_MEANT.match(text) is not None or _NOTHING.match(text) is not None
