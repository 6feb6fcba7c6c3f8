"""What kind of question it is: asking for advice, for the latest, or leaning on what was said before.

Patterns as plain data, all languages together. Refuses to decide what follows from an intent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.retrieval.grams import words
from memory.retrieval.stopwords import CHATTER, PRAISE

_ADVICE = re.compile(
    r"\b(recommend\w*|suggest\w*|advice|advise|should (i|we)|help me|looking for|could you|can you|would you"
    r"|what are (some|the best|good)|best (way|place|option)s?|good (way|place|option|idea)s?|any (good|tips|ideas"
    r"|advice|suggestions)|ideas? (for|on)|tips? (for|on)|how (can|do|should|would|could) i|where (can|should) (i|we)"
    r"|what (can|could) (i|we)|plan (me|a|an|my|our)|find me|give me|choose|what'?s the (best|most)|for me\b"
    r"|my best|what'?s a good|what to (cook|eat|read|watch|buy|do|wear|see)|i'?d like"
    r"|empfiehl\w*|empfehl\w*|schlag\w* .{0,40}vor|vorschl\w*|tipps?|soll(te)? ich|hilf mir|ideen"
    r"|recomi[eé]nd\w*|recomendaci\w*|sugier\w*|sugerenc\w*|deber[ií]a|consejos?|ay[uú]dame|ideas? para"
    r"|recommand\w*|sugg[eè]r\w*|conseil\w*|devrais-je|aide-moi|id[eé]es? (de|pour)"
    r"|consigli\w*|suggeri\w*|dovrei|recomend\w*|sugest\w*|devo"
    r"|посоветуй\w*|порекомендуй\w*|предложи\w*|совет\w*|помоги мне|идеи|सुझा\w*|सलाह|अच्छा सा)\b"
    r"|सुझाव|推荐|建议|推薦|建議|应该|帮我|おすすめ|オススメ|お勧め|提案|추천|제안|แนะนำ",
    re.IGNORECASE,
)

_PREFERENCE = re.compile(
    r"\b(prefer\w*|like[sd]?|love[sd]?|enjoy\w*|hate[sd]?|dislike\w*|favou?rite\w*|avoid\w*|can'?t stand|fond of|fan of"
    r"|interest\w*|averse|aversion|allerg\w*|intoleran\w*|vegan|vegetarian|never|always|only|not|don'?t|won'?t|rather"
    r"|uncomfortable|comfortable|afraid|fear|sensitive|need|must|value|appreciate|find"
    r"|mag|mögen|liebe|hasse|lieber|bevorzug\w*|vermeide|nie|immer|keine?n?|vertrage"
    r"|prefiero|gusta\w*|encanta\w*|odio|evito|nunca|siempre|alérgic\w*|préfère|aime|déteste|évite|jamais|toujours"
    r"|preferisco|piace|odio|evito|mai|sempre|prefiro|gosto|odeio|люблю|нравится|ненавижу|предпочитаю|избегаю|никогда"
    r"|всегда|पसंद|नापसंद|नफ़रत|कभी)\b|喜欢|讨厌|偏好|从不|过敏|好き|嫌い|苦手|좋아|싫어|ชอบ|เกลียด",
    re.IGNORECASE,
)

_LATEST = re.compile(
    r"\b(now|nowadays|currently|current|at the moment|these days|latest|most recent|recently|newest|still|anymore"
    r"|jetzt|derzeit|aktuell\w*|momentan|zurzeit|zuletzt|neueste\w*|ahora|actualmente|actual|[uú]ltim[oa]s?"
    r"|recientemente|maintenant|actuellement|en ce moment|derni[eè]re?s?|r[eé]cemment|adesso|attualmente|agora"
    r"|atualmente|сейчас|теперь|последн\w+|недавно|текущ\w+|अभी|आजकल)\b|现在|目前|最近|最新|今の|現在|いま|지금|요즘",
    re.IGNORECASE,
)

_LEANING_START = re.compile(
    r"^\W*(and|what about|how about|also|but what|or|und|was ist mit|wie steht es mit|y|¿?y qu[eé]|et|et pour|e|а|и|और)\b"
    r"|^\W*(那|还有|那么|じゃあ|それから|그럼|그리고)",
    re.IGNORECASE,
)

_POINTING = re.compile(
    r"\b(he|him|his|she|her|hers|it|its|they|them|their|theirs|that|those|there|this one|the other"
    r"|er|ihn|ihm|sein\w{0,2}|ihr\w{0,2}|sie|es|davon|damit|dort|[ée]l|ella|ellos|ellas|eso|esa|all[ií]|su|sus"
    r"|il|elle|ils|elles|lui|leur|cela|[çc]a|l[àa]|lei|loro|ele|ela|isso|он|она|оно|они|его|её|ее|их|ему|ей|это|там"
    r"|वह|वो|उसका|उसकी|उसके|उसे|उनका)\b|他|她|它|那个|那里|彼|彼女|それ|あれ|그것|그녀|그는|그의",
    re.IGNORECASE,
)

_QUESTION_MARKS = ("?", "？", "؟")
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？।])\s*")

LEANING_WORDS = 7
"""A longer message stands on its own even when it points at something."""


def asks_for_advice(text: str) -> bool:
    """Tell whether the user wants something chosen or planned, where preferences matter most."""
    return _ADVICE.search(text) is not None


def states_preference(text: str) -> bool:
    """Tell whether a text says what somebody likes, avoids or cannot stand."""
    return _PREFERENCE.search(text) is not None


def asks_for_latest(text: str) -> bool:
    """Tell whether only the present state of things is wanted."""
    return _LATEST.search(text) is not None


def leans_on_previous(text: str) -> bool:
    """Tell whether the words only make sense after what was said before."""
    content = [word for word in words(text.lower()) if word not in CHATTER]
    if len(content) > LEANING_WORDS:
        return False
    return (
        _LEANING_START.search(text) is not None
        or (len(content) <= LEANING_WORDS - 2 and _POINTING.search(text) is not None)
        or (not content and "?" in text)
    )


def asks(text: str) -> bool:
    """Tell whether there is a question in a text."""
    return "?" in text or "？" in text or "؟" in text


def is_only_questions(text: str) -> bool:
    """Tell whether a text asks and states nothing: it can hardly answer another question.

    A politeness or a cry of delight beside the question states nothing either.
    """
    if not asks(text):
        return False
    sentences = _sentences(text)
    return any(map(_asks, sentences)) and all(map(_asks_or_is_polite, sentences))


def says_nothing(text: str, spoken: Sequence[str] = ()) -> bool:
    """Tell whether a text only asks, greets or admires; ``spoken`` are its words in lower case, if they are known."""
    if not asks(text):
        return _is_polite(spoken or words(text.lower()))
    return all(map(_asks_or_is_polite, _sentences(text)))


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text.strip()) if part.strip()]


def _asks(sentence: str) -> bool:
    return sentence.endswith(_QUESTION_MARKS)


def _asks_or_is_polite(sentence: str) -> bool:
    return _asks(sentence) or _is_polite(words(sentence.lower()))


def _is_polite(spoken: Sequence[str]) -> bool:
    return all(word in CHATTER or word in PRAISE for word in spoken)
