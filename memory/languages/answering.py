"""Statements about the answers themselves, in every language: rules that are not worded as orders. Data only.

Owns the words for the assistant and for what it says. Refuses to tell a wish from a fact about the world: whoever
uses ``ABOUT_ANSWERS`` asks the user. One surprise: what other programs note down mentions an assistant only to tell
it something, so there the word alone is enough.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_EN_HOW = r"(?:in|with|without|to be|as|under|kept|that)\b|(?:always |only |kept )?(?:short|brief|concise|long|detailed|simple|direct)\b"

WISHES: Mapping[str, str] = {
    "en": r"^(?:I|we) (?:always |only |really |also |just )*(?:want|need|expect|prefer|like|love|(?:['’]d|would) (?:like|prefer|love))(?: all| any)?(?: of)?(?: your| my)? "
    rf"(?:answers|replies|responses|explanations) (?:{_EN_HOW})|^(?:all |your |the )*(?:answers|replies|responses) (?:should|must|need to|have to|ought to)\b|"
    r"^I (?:don['’]t|do not|never) (?:want|like|need) (?:any )?[\w ]{2,30} in your (?:answers|replies|responses)|"
    r"^I (?:like|love|hate|prefer|appreciate) it (?:when|if) you (?:answer|reply|respond|explain|apologi[sz]e|use|add|ask|repeat|call|summari[sz]e)\b",
    "de": r"^ich (?:möchte|will|hätte gern(?:e)?|bevorzuge|mag|wünsche mir|brauche) (?:lieber |nur |immer |am liebsten )*(?:(?:deine|alle) )?(?:\w+ )?(?:antworten|erklärungen)\b|"
    r"^(?:deine |alle |die )*antworten (?:sollen|sollten|müssen)\b",
    "es": r"^(?:yo )?(?:prefiero|quiero|quisiera|necesito|me gustan) (?:que )?(?:tus |las )?(?:respuestas|explicaciones) (?:\w+)|^(?:tus |las |todas las )*respuestas (?:deben|tienen que|deberían)\b",
    "fr": r"^je (?:préfère|veux|voudrais|aime|souhaite) (?:que )?(?:tes |les |des |vos )?(?:réponses|explications) \w+|^(?:tes |les |vos |toutes (?:tes|les|vos) )*réponses (?:doivent|devraient)\b",
    "it": r"^(?:preferisco|voglio|vorrei|mi piacciono) (?:che )?(?:le (?:tue )?)?(?:risposte|spiegazioni) \w+|^(?:le |tutte le )*(?:tue )?risposte (?:devono|dovrebbero)\b",
    "pt": r"^(?:eu )?(?:prefiro|quero|gostaria de|gosto de) (?:que )?(?:as |suas |tuas )*(?:respostas|explicações) \w+|^(?:as |suas |todas as )*respostas (?:devem|precisam|têm que)\b",
    "ru": r"^(?:я )?(?:хочу|предпочитаю|люблю|мне нравятся) (?:только |более |чтобы )*(?:твои |ваши )?(?:\w+ )?ответы(?!\w)|^(?:твои |ваши |все )*ответы должны(?!\w)",
    "hi": r"^मुझे .{0,24}(?:जवाब|उत्तर) (?:चाहिए|पसंद|अच्छे)|^(?:आपके |तुम्हारे |सभी )*(?:जवाब|उत्तर) .{0,20}(?:होने|रखने) चाहिए",
    "zh": r"^我(?:想要|希望|更?喜欢|要|偏好).{0,8}(?:回答|回复|答案)|^(?:你的|所有)*(?:回答|回复|答案)(?:必须|应该|要|应当)",
    "ja": r"(?:短い|簡潔な|詳しい|丁寧な)(?:回答|返答|返事|答え)(?:が|を|の方が)(?:好き|好み|希望|欲しい|ほしい|望み)|^(?:回答|返答|返事|答え)は.{0,12}(?:べき|こと$|必要)",
    "ko": r"(?:짧은|간단한|간결한|자세한|정중한) (?:답변|대답|답)(?:을|이|를) ?(?:원해|선호|좋아|좋겠|원합)|^(?:답변|대답|답)은 .{0,16}(?:해야|되어야)",
}
"""Patterns of how the user would like to be answered, by language code."""

ABOUT_ANSWERS = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|responses?|responds?|outputs?|emojis?|bullet ?points?|markdown|disclaimers?)\b|"
    r"\b(?:the|this|your) (?:ai|assistant|chatbot|bot|llm|language model)\b|\b(?:assistant|ai|chatbot|chatgpt|claude|gemini|copilot|locket|gpt) (?:\w+ )?"
    r"(?:may|can|must|should|will|shall|is|has|always|never|needs?|does|to)\b|\b(?:wants?|expects?|asks?|asked|needs?|told|tells|requires?|instructed|allows?|authori[sz]e[sd]?|permits?) (?:me|you|(?:the )?(?:assistant|ai|chatgpt|claude|locket)) to\b|"
    r"\b(?:without (?:asking|confirmation)|permission|authori[sz]ed?|from now on|in (?:all|every) (?:future )?(?:conversations?|chats?)|every (?:message|conversation|chat))\b|"
    r"^\W*(?:always|never|do not|don['’]t|make sure|be sure|please|remember to|immer|niemals?|siempre|nunca|toujours|jamais|sempre|mai)\b|"
    r"\b(?:der|die|den) (?:assistent(?:en|in)?|ki)\b|\bantwort(?:e|en|et)?\b|\basistente\b|\brespuestas?\b|\bréponses?\b|\brépon(?:d|ds|dre)\b|\bassistente\b|\brispost[ae]\b|\brespostas?\b|"
    r"(?<!\w)(?:ассистент|помощник|ответ|отвечать|отвечай)\w*|(?:^|\s)(?:всегда|никогда)(?!\w)|सहायक|जवाब|उत्तर|हमेशा|助手|回答|回复|答案|总是|永远|アシスタント|返答|返事|常に|必ず|어시스턴트|답변|대답|항상",
    re.IGNORECASE,
)
"""Searched for in what another program noted down: it speaks of the assistant or of its answers."""
