"""Detection of text that reads like an instruction to the assistant: text from files and other
people is data.

Each pattern has a name, which the verdict reports. They match what an ordinary memory never
contains: orders to the assistant in the second person, roles and tags of chat formats, hidden
characters. "Anna told me to ignore the previous email" is not an instruction: it reports speech.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from thalamus.records import Verdict
from thalamus.text.disguises import undisguised
from thalamus.text.lazy_regex import lazy_regex

_FLAGS = re.IGNORECASE | re.MULTILINE
_OLD = r"(?:previous|prior|earlier|above|preceding|former|foregoing|existing|original|past|system|safety)"
_ORDERS = (
    r"(?:instructions?|prompts?|directives?|commands?|guidelines|system messages?|programming"
    r"|guardrails|rules|policies|restrictions)"
)
# an order begins a sentence; in reported speech other words precede it
_START = r"(?:^|[.!?:;\n\"“(\]>*#-]\s*|\b(?:please|now|from now on|and|then|must|should|will|to you|assistant|ai),?\s+)"
_ADDRESSED = r"(?:you|your|assistant|ai|chatbot|model|llm|bot)"

_PATTERNS: tuple[tuple[str, str], ...] = (
    ("ignore instructions",
     rf"{_START}(?:ignore|disregard|forget|override|bypass|discard|do not follow|don['’]t follow|stop following)"
     rf" (?:(?:all|any|every|of|the|your|these|those|my|our|everything) )*(?:{_OLD} )+(?:\w+ )?{_ORDERS}"),
    ("ignore instructions",
     rf"{_START}(?:ignore|disregard|forget|override|bypass|discard) (?:all |any |every )?(?:of )?your (?:\w+ )?(?:{_ORDERS}|rules|training)"),
    ("ignore instructions",
     r"(?:ignore|disregard|forget) (?:everything|all|anything) (?:that (?:was|is|has been) )?(?:said |written |stated )?(?:above|before (?:this|now)|you (?:were|have been) told)"),
    ("ignore instructions",
     r"(?:ignorier\w*|vergiss|vergesst|missachte\w*) (?:(?:bitte|alle|alles|die|deine|sämtliche\w*) )*(?:(?:vorherig|bisherig|obig|früher|vorangegangen)\w* )?(?:anweisung|instruktion|vorgabe|befehl|systemprompt)\w*"),
    ("ignore instructions",
     r"(?:ignore[zr]?|oublie[zr]?) (?:(?:s'il te plaît|toutes|tous|les|tes|vos|ces) )*(?:instructions|consignes|directives|ordres)(?: (?:précédentes?|antérieures?|ci-dessus))?"),
    ("ignore instructions",
     r"(?:ignor[ae]|olvid[ae]|descarta)n? (?:(?:todas?|todos|las|los|tus|sus|estas) )*(?:instrucciones|órdenes|indicaciones|directrices)"),
    ("ignore instructions",
     r"(?:ignor[ae]|esqueça|esquece|desconsidere) (?:(?:todas?|todos|as|os|suas|tuas) )*(?:instruções|ordens|orientações|diretrizes)"),
    ("ignore instructions",
     r"(?:ignora|dimentica) (?:(?:tutte|tutti|le|gli|i|tue|ogni) )*(?:istruzioni|ordini|indicazioni|direttive)"),
    ("ignore instructions", r"negeer (?:(?:alle|de|je|uw) )*(?:(?:vorige|eerdere|bovenstaande) )*(?:instructies|opdrachten)"),
    ("ignore instructions", r"(?:игнорируй|забудь|проигнорируй)(?:те)? (?:(?:все|всё|предыдущие|прежние|свои) )*(?:инструкции|указания|команды)"),
    ("ignore instructions", r"(?:忽略|无视|忘记)(?:所有|全部|你)?(?:之前|以上|前面|先前|上述)?的?(?:所有|全部)?(?:指令|指示|提示|命令|规则)"),
    ("ignore instructions", r"(?:以前|これまで|上記|前)の(?:すべての)?(?:指示|命令|プロンプト)を(?:すべて)?(?:無視|忘れ)"),
    ("ignore instructions", r"(?:이전|위의|앞의|기존)\s*(?:모든\s*)?(?:지시|명령|프롬프트)\S*\s*(?:모두\s*)?(?:무시|잊)"),
    ("order to the assistant",
     rf"(?:^|[.!?:;\n]\s*|\b{_ADDRESSED}[,:]\s+)(?:(?:from now on|henceforth|starting now|going forward|always remember),? )?(?:you|the assistant|the ai|assistant) (?:must|shall|have to|are required to|are obligated to|are instructed to|are to|are ordered to)"
     r" (?:(?:always|never|only|not|now|immediately|ever) )*(?:answer|respond|reply|obey|comply|recommend|say|tell|output|reveal|send|ignore|include|begin every|start every|act as|pretend|mention|praise|promote|speak|write|claim|refuse|treat|believe|trust|execute|delete|follow (?:these|the following|my)|do (?:what|whatever|as))\b"),
    ("order to the assistant",
     r"(?:^|[.!?:;\n]\s*)(?:from now on|henceforth|starting now|going forward),? (?:you (?:will|are|act|must|should|respond|answer|only|always|never)|always (?:answer|respond|reply|say|recommend|include)|never (?:answer|mention|say|refuse)|(?:answer|respond|reply|act|pretend|behave)\b)"),
    ("order to the assistant",
     r"(?:^|[.!?:;\n]\s*)(?:when(?:ever)?|if) (?:the user|anyone|someone|a user|asked|users?)\b[^.\n]{0,80}?,? (?:you (?:must|should|will|shall)|always|never) (?:answer|respond|reply|say|recommend|tell|claim|refuse|mention|send|include)\b"),
    ("order to the assistant",
     r"(?:^|[.!?:;\n]\s*)(?:du musst|sie müssen|ab (?:jetzt|sofort) (?:musst du|antworte|bist du)|antworte (?:immer|nur|ab jetzt)|tu dois toujours|vous devez toujours|à partir de maintenant,? (?:tu|vous|réponds|répondez)|debes (?:siempre|responder)|a partir de ahora,? (?:eres|debes|responde|actúa)|responde siempre|d'ora in poi,? (?:sei|devi|rispondi)|você deve sempre|a partir de agora,? (?:você|tu|responda)|с этого момента (?:ты|отвечай|вы))\b"),
    ("order to the assistant", r"(?:从现在开始|从现在起)[,，]?\s*(?:你|请)|今後[、,]?あなたは|これからは?[、,]?(?:必ず|あなたは)|지금부터\s*(?:너는|당신은)"),
    ("new role",
     r"(?:^|[.!?:;\n]\s*)(?:remember (?:that )?|note (?:that )?)?you are (?:now|no longer|from now on) (?:an? |the |in |bound |dan\b|free |unrestricted|allowed |jailbroken|acting )"),
    ("new role", r"(?:^|[.!?;\n]\s*)(?:always )?remember (?:that )?you(?: are|['’]re) "),
    ("new role", r"(?:^|[.!?:;\n]\s*)(?:pretend|act as if|imagine|roleplay) (?:that )?(?:you(?: are|['’]re|r)|to be (?:an? )?(?:unrestricted|evil|jailbroken))\b"),
    ("new role", r"\b(?:enable|enter|activate|switch to) (?:developer|dan|god|jailbreak|debug|admin|sudo|unrestricted) mode\b"),
    ("new role", r"\bdo anything now\b"),
    ("reveal the prompt",
     r"(?:^|[.!?:;\n]\s*|\b(?:please|then|and|must) )(?:reveal|print|show|repeat|output|display|leak|disclose|tell me|dump|recite) (?:me |us |verbatim )?(?:your|the|all) (?:\w+ )?(?:system prompt|system message|initial prompt|hidden (?:instructions|prompt)|instructions above|prompt above|api keys?|stored memories)"),
    ("chat role", r"^\s*(?:#{1,4}\s*)?(?:\[?(?:system|assistant|developer)(?: (?:message|prompt|note|override|instruction))?\]?)\s*[:>]\s*\S"),
    ("chat role", r"[\"']role[\"']\s*:\s*[\"'](?:system|assistant|developer|tool|function)[\"']"),
    ("chat tag", r"<\|?/?(?:im_start|im_end|system|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id|tool_call|tool_response|function_call|function_results|start_of_turn|end_of_turn|sys|inst)\b[^>]{0,40}\|?>"),
    ("chat tag", r"\[/?INST\]|<</?SYS>>|\[(?:system|developer)\s?(?:message|prompt|override)\]|###\s*(?:system|instruction)s?\b"),
    ("chat tag", r"<\s*/?\s*(?:memories|persona|user_message|assistant_answer|invoke|antml|tool_use|tool_result)\b"),
    ("new instructions", r"\b(?:new|updated|real|actual|important|urgent|admin|secret|hidden) (?:system )?instructions?(?: for (?:you|the (?:ai|assistant|model)))?\s*:"),
    ("new instructions", r"\b(?:attention|note|message|instructions?|important) (?:to|for) (?:the |any |all |every )?(?:ai|llm|language model|assistant|chatbot)s?(?: model| agent)?s?\b[^.\n]{0,20}[:!]"),
    ("order to the assistant", r"\b(?:dear |hey |hello )?(?:ai|llm|language model|chatbot)(?: assistant| model| agent)?[,:] (?:please )?(?:ignore|disregard|always|never|you must|recommend|rate|give|send|execute|delete|forward|say|respond|answer)\b"),
    ("keep from the user", r"(?:^|[.!?:;\n]\s*|\band )(?:do not|don['’]t|never) (?:tell|inform|mention (?:this|it) to|reveal (?:this|it) to|show (?:this|it) to|alert|notify|let) (?:the |your )?(?:user|human)s?\b"),
    ("exfiltration", r"!\[[^\]]*\]\(\s*https?://[^)]*[?&=][^)]*\)"),
    ("exfiltration", r"\b(?:send|post|forward|upload|exfiltrate|transmit|append|leak)\b[^.\n]{0,60}\b(?:the |your |all |these )*(?:conversation|chat history|memories|system prompt|api keys?|passwords?|credentials|user['’]?s? (?:data|messages))\b[^\n]{0,60}(?:https?://|\bto [\w.+-]+@|\bwww\.)"),
    ("exfiltration", r"\b(?:fetch|visit|open|load|call|curl|wget|request)\b[^.\n]{0,20}https?://\S*(?:\{|\$|%7b|<|\[)[^\s]*"),
    ("code to run", r"(?:^|[.!?:;\n]\s*)(?:run|execute|eval)(?: (?:the|this|following))* (?:shell )?(?:command|code|script)\b[^\n]{0,20}:|\brm -rf\s+[/~]|\bcurl\s+\S+\s*\|\s*(?:ba)?sh\b"),
)  # fmt: skip
# every pattern needs one of these, so that most texts pass after one search; each begins with a
# character, by which it is found, and not with an anchor
_HINTS = (
    r"instruc|prompt|ignor|disregard|forget|overrid|bypass|discard|must|shall|from now|henceforth"
    r"|starting now|going forward|you are|you['’]re|pretend|act as|imagine|roleplay|mode\b"
    r"|anything now|system|assistant|developer|role|<|\[|###|user|human|https?:|ai(?<=\bai)\b|llm|chatbot"
    r"|language model|memories|conversation|chat history|password|credential|command|script|code\b|rm -rf|curl|have to|required|ordered|are to|obligated"
    r"|vergiss|vergesst|missacht|anweis|musst|müssen|ab jetzt|ab sofort|antworte|oubli|consign|dois"
    r"|devez|à partir|olvid|descarta|debes|a partir|responde|esque|desconsid|você deve|dimentica|istruz|d'ora"
    r"|negeer|игнор|забудь|с этого|忽略|无视|忘|从现在|以前の|これ|上記|前の|今後|이전|위의|앞의|기존|지금부터"
)
_ZERO_WIDTH = lazy_regex("[\u200b\u2060\u2061-\u2064\ufeff\u180e]")
_TAGS = lazy_regex("[\U000e0020-\U000e007f]{2,}")  # invisible letters
_FLAG = lazy_regex("\U0001f3f4[\U000e0020-\U000e007f]+")  # the flags of England, Scotland, Wales
_BIDI = lazy_regex("[\u202a-\u202e\u2066-\u2069]")
_BASE64 = lazy_regex(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{60,}={0,2}(?![A-Za-z0-9+/=])")


REASON = "it reads like an instruction to the assistant"
SHORT = 200  # characters up to which a verdict is cached


def injection_verdict(text: str) -> Verdict | None:
    """Quarantine of a text that reads like an instruction; None for any other text."""
    pattern = suspicious(text)
    if pattern is None:
        return None
    return Verdict(decision="quarantine", rule="injection", reason=f"{REASON}: {pattern}")


def suspicious(text: str) -> str | None:
    """Name of the pattern that makes a text look like an instruction; None if there is none."""
    return _suspicious_short(text) if len(text) <= SHORT else _suspicious(text)


@lru_cache(maxsize=2048)  # the texts of a profile are checked at every turn
def _suspicious_short(text: str) -> str | None:
    return _suspicious(text)


def _suspicious(text: str) -> str | None:
    hidden = _hidden(text)
    if hidden:
        return hidden
    plain = _ZERO_WIDTH.sub("", text)
    for form in dict.fromkeys((plain, undisguised(text))):
        if _has_hint(form):
            for name, pattern in _compiled():
                if pattern.search(form):
                    return name
    return "encoded text" if _encoded(plain) else None


def _has_hint(text: str) -> bool:
    if text.isascii():  # most texts are, and in lower case they take a twentieth of the time
        return _hint(re.NOFLAG).search(text.lower()) is not None
    return _hint(re.IGNORECASE).search(text) is not None


@cache
def _hint(flags: re.RegexFlag) -> re.Pattern[str]:
    return re.compile(_HINTS, flags)


@cache
def _compiled() -> list[tuple[str, re.Pattern[str]]]:
    """Compiled on first use: compiling takes longer than start-up may."""
    return [(name, re.compile(pattern, _FLAGS)) for name, pattern in _PATTERNS]


def _hidden(text: str) -> str | None:
    if text.isascii():
        return None
    if _TAGS.search(_FLAG.sub("", text)):
        return "hidden characters"
    # one at the beginning is a byte-order mark; a few come with text copied from the web
    zero = len(_ZERO_WIDTH.findall(text.lstrip("\ufeff")))
    if zero >= 8 or (zero >= 3 and zero * 4 > len(text)):
        return "hidden characters"
    return "hidden characters" if len(_BIDI.findall(text)) >= 4 else None


def _encoded(text: str) -> bool:
    """True for a long run that looks like base64: all three kinds of characters, and not a path or
    a word."""
    for found in _BASE64.finditer(text):
        run = found.group()
        kinds = (str.islower, str.isupper, str.isdigit)
        hexadecimal = re.fullmatch(r"[0-9a-fA-F]+", run)
        paths = run.count("/") > len(run) / 8
        if all(any(map(kind, run)) for kind in kinds) and not hexadecimal and not paths:
            return True
    return False
