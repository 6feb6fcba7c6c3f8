"""Secrets that only the question before them gives away: a bare PIN or password said when one was asked for.

Owns which questions ask for a secret, and finding again what was masked for that reason. Refuses answers of several
words. One surprise: a message does not know its question later on, so what it once masked says where its secret is.
"""

from __future__ import annotations

import re

from memory import secret_words as words
from memory.records import Message
from memory.secrets import Secret, find_secrets, mask

_ASKS_PIN = re.compile(rf"(?<!\w)(?:{words.PIN})(?!\w)|验证码|暗証番号", re.IGNORECASE)
_ASKS_PASSWORD = re.compile(
    rf"密码|密碼|口令|パスワード|비밀번호|암호|पासवर्ड|(?<!\w)(?:{words.LOGIN}|(?:your|the|dein|das|ihr|tu|su|la|el|ton|le|votre|tua|il|sua|a)\s+(?:[\w-]+ )?(?:{words.SHORT_LOGIN}|{words.WEAK_LOGIN}))(?!\w)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^\W*(?:is|are|has|have|do|does|did|can|could|will|would|should|shall|ist|sind|war|hast|haben|kannst|können|willst|soll|est-ce|as-tu|tu as|es|está|puedes|tienes|quieres|hai|puoi|vuoi|è|você|posso|é)\b"
    r"(?!.*\b(?:tell|give|share|enter|type|send|say|sag\w*|nenn\w*|gib|geben|dar\w*|decir\w*|dime|dame|dire|donner|dirmi|darmi|dizer|passar)\b)|"
    r"\b(?:how (?:many|long|often|do|can|should)|when|where|why|which (?:manager|app)|did you|have you|do you (?:want|use|have)|would you|should i|shall i|"
    r"wie (?:viele|lang|oft)|wann|wo|warum|hast du|willst du|cuánt\w+|cuándo|dónde|por qué|combien|quand|où|pourquoi|quanti|quando|dove|perché|quantos|onde)\b",
    re.IGNORECASE,
)
"""Questions about a secret that do not ask to be told it."""
_QUESTION = re.compile(r"[^.!?。！？\n]*[?？]\s*$")
_SAID = r"(?:(?:it(?:['’]s| is)|is|es ist|ist|es|c['’]est|est|è|é|это|是|は)\s+|(?:sure|ok|yes|ja|sí|oui|sì|sim|да)[,:]?\s+){0,2}"
_PIN_ANSWER = re.compile(rf"^\W*{_SAID}(?P<v>\d(?:[ \-]?\d){{2,9}})\W*$", re.IGNORECASE)
_PASSWORD_ANSWER = re.compile(rf"^[\s\"'“«„]*{_SAID}(?P<v>\S{{3,80}}?)[\s\"'”»“.]*$", re.IGNORECASE)
_MASKED = re.compile(r"\[(PIN|password)\]")


def secrets_said(text: str, asked: str = "") -> tuple[Secret, ...]:
    """Return the secrets of a text, and the text's own when it is the bare answer to a question for one."""
    return find_secrets(text) or _answered(text, asked)


def secrets_of(message: Message) -> tuple[Secret, ...]:
    """Return the secrets of a message, also what was masked because of the question before it."""
    found = find_secrets(message.text)
    if found or message.masked is None or not (match := _MASKED.search(message.masked)):
        return found
    before, behind = message.masked[: match.start()], message.masked[match.end() :]
    end = len(message.text) - len(behind)
    fits = message.text.startswith(before) and message.text.endswith(behind) and len(before) < end
    return (Secret(len(before), end, match[1]),) if fits else ()


def masked_words(message: Message, own: str) -> str:
    """Return words of the message with its secrets masked; they stand where they stand in the message, or are blanked out."""
    still_there = [one for one in secrets_of(message) if own[one.start : one.end].strip()]
    return mask(own) or mask(own, still_there) or own


def _answered(text: str, asked: str) -> tuple[Secret, ...]:
    question = _QUESTION.search(asked)
    if question is None or _ABOUT.search(question[0]):
        return ()
    for asks, answer, kind in (
        (_ASKS_PIN, _PIN_ANSWER, "PIN"),
        (_ASKS_PASSWORD, _PASSWORD_ANSWER, "password"),
    ):
        if asks.search(question[0]) and (match := answer.match(text)):
            value = match["v"]
            ordinary = value.casefold() in words.ORDINARY or value.casefold() in words.NO_SECRET
            return () if ordinary else (Secret(match.start("v"), match.end("v"), kind),)
    return ()
