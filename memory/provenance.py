"""Which parts of a message are not the user's own words.

Owns the mask over pasted, fenced, quoted, forwarded and document-like text. Refuses to judge what the text
says. One surprise: a long paste that the terminal did not announce is recognised by its shape, so a letter
typed as one long block of lines is treated as a document too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.records import Message
from memory.secret_answers import masked_words

LONG_LINES = 12
"""More typed lines than this are a document, not a message."""
LONG_CHARACTERS = 6000
"""The same for one endless line."""
_SAID_WORD = re.compile(r"\w+(?:-\w+)*")
"""A word of a quotation: "j'habite" is two."""
QUOTED_WORDS = 4
QUOTED_CHARACTERS = 8
"""The same for scripts that do not put spaces between words."""

Spans = tuple[tuple[int, int], ...]

_FENCE = re.compile(r"(?<![`~])(?P<f>`{3,}+|~{3,}+)[^\n]*\n.*?(?:^[ \t]*(?P=f)|\Z)", re.DOTALL | re.MULTILINE)
_TICKS = re.compile(r"`+")
_BLOCK_QUOTE = re.compile(r"^[ \t]*(?:>|\|)[^\n]*$", re.MULTILINE)
_PAIRS = tuple(
    re.compile(left + r"(?P<in>[^" + shut + r"]{2,}?)(?:" + right + r"|\Z)", re.DOTALL)
    for left, right, shut in (
        (r"(?<![\w\"])\"(?=\S)", r"\"", r"\""),
        ("“", "[”“]", "”“"),
        ("„", '[“”"]', '“”"'),
        ("«", "»", "»"),
        ("»", "«", "«"),
        ("‹", "›", "›"),
        ("「", "」", "」"),
        ("『", "』", "』"),
        ("《", "》", "》"),
        (r"(?<!\w)‘", r"’(?!\w)", "’"),
        (r"(?<![\w'])'(?=\w)", r"'(?!\w)", "\n'"),
    )
)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_HEADER = re.compile(
    r"^[ \t]*(?:(?:From|To|Sent|Subject|Date|Cc|Von|An|Gesendet|Betreff|Datum|De|Para|Enviado|Asunto|Fecha|À|Envoyé|Objet|"
    r"Отправитель|От|Кому|Тема|Дата|प्रेषक|विषय|发件人|收件人|主题|日期|差出人|件名|보낸 ?사람|제목|Da|Oggetto|Assunto)[ \t]*[:：][^\n]*\n){2,}",
    re.MULTILINE,
)
_FORWARD = re.compile(
    r"^[ \t]*(?:-{3,}[ \t]*(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht|"
    r"Mensaje (?:original|reenviado)|Message (?:d'origine|transféré)|Пересланное сообщение|Исходное сообщение|"
    r"原始邮件|转发邮件|Messaggio (?:originale|inoltrato)|Mensagem (?:original|encaminhada))|Begin forwarded message:|"
    r"[^\n]{0,60}<[^>\s]+@[^>\s]+>[^\n:]{0,60}:[ \t]*$|On .{6,80} wrote:|Am .{6,80} schrieb .{1,60}:|El .{6,80} escribió:|Le .{6,80} a écrit :|.{6,80} пишет:|Fwd?:)",
    re.MULTILINE | re.IGNORECASE,
)
_REPORTED_TEXT = re.compile(
    r"\b(?:(?:he|she|they|who|it|[A-Z]\w{1,30}|my \w{1,30}|the \w{1,30}|someone|somebody)\s+(?:just\s+|also\s+)?"
    r"(?:wrote|writes|says|said|texted|emailed|messaged|replied|answered|told me|posted|sent me(?: this)?|reads)|"
    r"(?:er|sie|\w{1,30}) (?:schrieb|schreibt|sagte|sagt|antwortete|meinte)|(?:él|ella|me|\w{1,30}) (?:escribió|escribe|dijo|dice|respondió)|"
    r"(?:il|elle|on|\w{1,30}) (?:(?:m')?a (?:écrit|dit|répondu)|écrit|dit)|(?:он|она|\w{1,30}) (?:написал|написала|пишет|сказал|сказала|"
    r"ответил|ответила)|(?:lui|lei|\w{1,30}) (?:ha scritto|ha detto|scrive|dice)|(?:ele|ela|\w{1,30}) (?:escreveu|disse))\s*[:：]"
    r"|(?:उसने|उन्होंने|\w{1,30} ने) (?:लिखा|कहा)\s*[:：]|(?:他|她|\w{1,6})(?:写道|说|寫道|說|回复)\s*[:：]|(?:が|は)?(?:こう|次のように)?(?:書い|言っ|話し)(?:た|ていた|ていました|ました)\s*[:：]",
    re.IGNORECASE,
)
_ASKING = (
    r"(?:^|(?<=[.!?…\n])|(?<=[.!?] )|\b(?:please|pls|kindly|can you|could you|would you|will you|help me(?: to)?|you to|let's|and|then|"
    r"bitte|kannst du|könntest du|und|por favor|puedes|podrías|y|s'il (?:te|vous) plaît|peux-tu|pouvez-vous|et|пожалуйста|можешь|и|"
    r"per favore|puoi|e|você pode|pode)\b,?)\s*"
)
_TEXT_NOUN = (
    r"(?:e-?mail|text|article|message|letter|document|notes?|transcript|log|passage|paragraph|web ?page|page|post|review|story|poem|"
    r"code|output|file|report|conversation|chat|comment|quote|excerpt|resume|cv|profile|bio|contract|sentence|instructions?|"
    r"(?:system )?prompt|paste)"
)
_HANDED_OVER = re.compile(
    rf"(?:{_ASKING}(?:summari[sz]e|translate|proof-?read|review|check|correct|rewrite|rephrase|paraphrase|shorten|analy[sz]e|"
    r"explain|reply to|respond to|answer|read|fix|edit|improve|parse|extract|convert|classify|look at|tell me (?:about|what)|"
    r"comment on|tl;?dr|fasse|übersetze?|korrigiere?|prüfe?|lies|analysiere?|erkläre?|beantworte?|kürze|resume|resúmeme|traduce|"
    r"corrige|revisa|lee|analiza|explica|responde a|résume|traduis|traduisez|relis|lis|analyse|explique|réponds à|переведи|"
    r"перескажи|исправь|проверь|прочитай|проанализируй|объясни|сократи|ответь на|riassumi|traduci|correggi|leggi|analizza|spiega|"
    r"rispondi a|resuma|traduza|corrija|leia|analise|responda a)\b"
    rf"|\bwhat do you (?:think|make) of\b|\b(?:this|the following|the attached|below is|attached is)(?: is)?(?: an?| the| my)? "
    rf"{_TEXT_NOUN}\b|\bhere(?:'s| is| are)(?: the| an?| my| his| her| their| our)? (?:\w+ )?{_TEXT_NOUN}\b|"
    rf"\bthe {_TEXT_NOUN} (?:says|said|reads|goes|is)\b|"
    r"\b(?:hier ist|folgende[nrs]?|diese[rs]?) (?:die |der |das |ein |eine )?(?:e-?mail|text|artikel|nachricht|brief|dokument)\b|"
    r"\b(?:aquí (?:está|tienes)|el siguiente|este) (?:el |la )?(?:texto|correo|mensaje|artículo)\b|"
    r"\b(?:voici|ce|cet) (?:le |la |un )?(?:texte|message|mail|article)\b|\ble (?:texte|message|mail) suivant\b|"
    r"\b(?:вот|это|этот|следующ\w+) (?:текст|письмо|сообщение|статья)\b|\b(?:ecco|il seguente|questo) (?:il |la )?(?:testo|messaggio)"
    r"|\b(?:aqui está|o seguinte|este) (?:o |a )?(?:texto|mensagem|e-mail)\b|अनुवाद|सारांश|संक्षेप|जाँच|यह (?:ईमेल|संदेश|पाठ|लेख)|निम्नलिखित|"
    r"(?:^|请|帮我|请帮我)(?:翻译|总结|概括|校对|修改|分析|解释|回复|阅读)|以下(?:是|内容|文字|邮件|文章)|这(?:段|封|篇|条)(?:文字|邮件|文章|消息|话)|"
    r"翻訳|要約|校正|添削|次の文|以下の(?:文|メール)|번역|요약|교정|다음 (?:글|문장|메일|이메일))[^\n:：.!?。！？।]{0,90}[:：]\s*(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
_ROLE_LINE = re.compile(
    r"^[ \t]*(?:#{1,4}[ \t]*|[-*•][ \t]+)?[\[(<*]{0,2}(?:system|assistant|user|human|ai|bot|developer|tool|new instructions?|"
    r"note to (?:the )?(?:ai|assistant|model)|memory(?: update)?|memories|facts?|note for (?:the )?(?:ai|assistant|model|locket)|chatgpt|claude|locket)[\])>*]{0,2}[ \t]*[:：>\]][^\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_CONTROL = re.compile(
    r"<\|[^|\n]{1,40}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?(?:system|instructions?|memory|tool)[^>\n]{0,40}>",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"<(?P<t>[a-zA-Z][\w-]*)(?=[\s/>])[^>\n]*>.*?(?:</(?P=t)>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL
)
_LABELLED = re.compile(
    r"^[ \t]*(?:[-*•][ \t]*)?(?P<label>(?:(?:\[|\()?\d{1,2}[:.]\d\d(?::\d\d)?(?:\]|\))?[ \t]*[-–]?[ \t]*)?@?[\w.-]{1,24}(?: [\w.-]{1,16})?)[ \t]*[:：=][ \t]*\S[^\n]*$",
    re.MULTILINE,
)
"""A line of a record, a chat or a form; one alone is how people write, two are something handed over."""
_STEPS = re.compile(
    r"^[ \t]*(?:step|schritt|paso|étape|passo|шаг|चरण|步骤|ステップ|단계)[ \t]*\d+[ \t]*[.:)：][^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
_TABLE_HEAD = re.compile(r"^[\w.-]{1,24}(?:(?P<s>[,;\t])[\w.-]{1,24}){1,12}\n(?=[^\n]*(?P=s))")
_SECTION = re.compile(
    r"^[ \t]*(?:#{1,4}[ \t]*(?:instructions?|response|memor(?:y|ies)|prompt|system|user|assistant|facts?)\b[^\n]{0,30}|"
    r"begin (?:memory|prompt|system|instructions?|message|document|file)\b[^\n]{0,30}|"
    r"\[?(?:chorus|verse|refrain|bridge|lyrics|strophe|couplet|estribillo|припев)\b[^\n:]{0,12}\]?:?|"
    r"dear (?:ai|assistant|model|language model|llm|chatbot|bot)\b[^\n]*)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_CAPTION = re.compile(
    r"^[ \t]*(?:the )?(?:attached (?:file|document|pdf)|attachment|file|transcript|lyrics|tweet|post|comment|caption|subtitle|quote|excerpt|"
    r"review|headline|abstract|voicemail|anhang|datei|zitat|adjunto|archivo|cita|pièce jointe|fichier|citation|allegato|citazione|anexo|"
    r"citação|вложение|файл|цитата|附件|引用|添付|첨부)\b[^\n:：]{0,60}[:：]\s*(?=\S)",
    re.MULTILINE | re.IGNORECASE,
)
_DATA = re.compile(r"\{\s*\"[^\"\n]{1,60}\"\s*:.*?(?:\}|\Z)|^---\n.*?\n---$", re.DOTALL | re.MULTILINE)
_LOG_LINE = re.compile(
    r"^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d(?::\d\d)? |\[\d{1,2}[/.]\d{1,2})[^\n]*$",
    re.MULTILINE,
)
_MARKED = '`~>"“„«「『'
"""What follows is fenced or quoted, and its end is known."""
_BULLETS = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]", re.MULTILINE)


def foreign_spans(text: str, pasted: Sequence[tuple[int, int]] = ()) -> Spans:
    """Return the parts of the text that somebody else wrote, in order and without overlaps."""
    if _is_document(text):
        return ((0, len(text)),)
    merged: list[tuple[int, int]] = []
    for start, end in sorted([*_clipped(pasted, len(text)), *_found(text)]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return tuple(merged)


def touches(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Tell whether any of the spans shares a character with ``[start, end)``."""
    return any(a < end and start < b for a, b in spans)


def own_text(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text with foreign characters blanked out, every offset unchanged."""
    out = list(text)
    for start, end in spans:
        out[start:end] = (" " if c != "\n" else c for c in text[start:end])
    return "".join(out)


def own_words(message: Message) -> str:
    """Return what the user said themselves, foreign characters blanked out and secrets masked."""
    own = own_text(message.text, foreign_spans(message.text, message.pasted))
    return masked_words(message, own)


def _clipped(spans: Sequence[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    return [(max(0, start), min(size, end)) for start, end in spans]


def _found(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_FENCE, _BLOCK_QUOTE, _MARKUP, _DATA, _LOG_LINE):
        yield from (m.span() for m in pattern.finditer(text))
    yield from _inline_code(text)
    for pattern in _PAIRS:
        yield from (m.span() for m in pattern.finditer(text) if _is_long(m["in"]))
    for pattern in (_HEADER, _FORWARD, _CONTROL):
        yield from ((m.start(), len(text)) for m in pattern.finditer(text))
    for pattern in (_ROLE_LINE, _SECTION, _TABLE_HEAD):
        yield from ((m.start(), len(text)) for m in pattern.finditer(text))
    yield from ((m.end(), len(text)) for m in _CAPTION.finditer(text))
    for pattern in (_LABELLED, _STEPS):
        lines = [m.span() for m in pattern.finditer(text)]
        yield from lines if len(lines) > 1 else ()
    for m in _REPORTED_TEXT.finditer(text):
        yield m.start(), _paragraph_end(text, m.end())
    for m in _HANDED_OVER.finditer(text):
        if text[m.end()] not in _MARKED and not _is_own_list(text, m.end()):
            yield m.end(), len(text)


def _inline_code(text: str) -> Iterator[tuple[int, int]]:
    """Yield what stands between two runs of as many backticks on one line; a pattern for it is too slow."""
    opened: dict[int, int] = {}
    line = 0
    for run in _TICKS.finditer(text):
        if "\n" in text[line : run.start()]:
            opened.clear()
        line, size = run.start(), len(run[0])
        start = opened.pop(size, None)
        if start is None:
            opened[size] = run.start()
        else:
            yield start, run.end()
            opened.clear()


def _is_long(inside: str) -> bool:
    unspaced = len(_UNSPACED.findall(inside))
    return unspaced >= QUOTED_CHARACTERS or len(_SAID_WORD.findall(inside)) >= QUOTED_WORDS


def _paragraph_end(text: str, at: int) -> int:
    """Return where the text handed on ends: the next blank line after some words, else the end."""
    body = re.compile(r"\S[^\n]*(?:\n[ \t]*\S[^\n]*)*").search(text, at)
    return body.end() if body else len(text)


def _is_own_list(text: str, at: int) -> bool:
    """Tell whether what follows the colon is a few words rather than a text handed over."""
    rest = text[at:].strip()
    return "\n" not in rest and len(rest.split()) <= 2 and len(_UNSPACED.findall(rest)) < QUOTED_CHARACTERS


def _is_document(text: str) -> bool:
    if len(text) > LONG_CHARACTERS:
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > LONG_LINES or (
        len(lines) >= 6 and len(_BULLETS.findall(text)) == 0 and text.count("\n\n") >= 5
    )
