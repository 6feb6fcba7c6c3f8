"""Finding what must never become a memory: cards, accounts, keys, passwords, identity numbers, seed phrases.

Owns where a secret starts and ends and what kind it is; keeps nothing of it in a mask. Refuses to know who
said it or what happens next. One surprise: a long random-looking word is a secret only with enough digits
and mixed case, so that commit hashes, UUIDs, links and order numbers stay readable. A little longer than
most files because every shape of a secret is meant to be seen in one list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memory import secret_checks as checks
from memory import secret_words as words


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret: characters ``[start, end)`` of the text and what they are."""

    start: int
    end: int
    kind: str


_LEFT = r"(?<![^\W\u0900-\u0dff\u3040-\u9fff\uac00-\ud7af])"
"""Not inside a word, save for scripts that set no space before a number or a word."""
_RIGHT = r"(?![^\W\u0900-\u0dff\u3040-\u9fff\uac00-\ud7af])"


def _words(*groups: str) -> str:
    return _LEFT + r"(?:" + "|".join(groups) + r")"


_CARD = re.compile(_LEFT + r"(?<!\+)\d(?:[ \u00a0.\-–_]?\d){12,18}" + _RIGHT)
_NUMBERED = re.compile(
    r"(?:order|tracking|invoice|isbn|imei|parcel|shipment|ticket|reference|ref|booking|case|serial|bestell\w*|sendung\w*|"
    r"rechnung\w*|pedido|factura|envío|commande|facture|colis|заказ\w*|трек\w*|订单|订单号|快递|运单|ऑर्डर)"
    r"(?:\s*(?:number|no\.?|nr\.?|nummer|id|n°|#|号|是|number is|is|:))*\s*[:#]?\s*$",
    re.IGNORECASE,
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \u00a0\-]?[A-Za-z0-9]){11,32}")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)|"
    r"AGE-SECRET-KEY-1[0-9A-Z]{20,}|PuTTY-User-Key-File-\d.*?(?:Private-MAC: \w+|\Z)",
    re.DOTALL,
)
_KNOWN_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_])(?:(?:sk|pk|rk)[-_](?:live|test|ant|proj|or)[-_][\w-]{12,}|sk-[A-Za-z0-9]{20,}|gh[pousr]_\w{20,}|"
    r"github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}|(?:AKIA|ASIA|AROA)[0-9A-Z]{16}|"
    r"AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[\w-]{20,}|"
    r"SG\.[\w-]{16,}\.[\w-]{16,}|whsec_\w{16,}|shp(?:at|ca|pa|ss)_\w{20,}|dop_v1_\w{20,}|dckr_pat_[\w-]{20,}|"
    r"lin_api_\w{20,}|ntn_\w{20,}|figd_[\w-]{20,}|gsk_\w{20,}|r8_\w{20,}|EAA[A-Za-z0-9]{40,}|key-[0-9a-f]{32}|"
    r"\d{8,10}:AA[\w-]{30,}|[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{25,}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?!\w))"
)
_HOOK = re.compile(r"https://(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/\S+")
_BASIC = re.compile(r"\bauthorization\s*[:=]\s*[\"']?basic\s+(?P<v>[A-Za-z0-9+/]{8,}={0,2})", re.IGNORECASE)
_ONE_TIME = re.compile(
    r"\b(?i:totp|otp|2fa|mfa|authenticator|zwei-faktor|doble factor)(?: \w{1,16}){0,3}?\s*[:=]?\s+(?P<v>[A-Z2-7]{4}(?: ?[A-Z2-7]{4}){3,})(?!\w)"
)
_URL_LOGIN = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@]{0,64}:(?P<v>[^\s/@]{2,128})@")
_URL_QUERY = re.compile(
    r"[?&](?:access_token|token|api_?key|key|secret|sig|signature|password|auth)=(?P<v>[^\s&#]{12,})",
    re.IGNORECASE,
)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://\S+|\bwww\.\S+", re.IGNORECASE)
_ENV = re.compile(
    r"\b[A-Z0-9_]*(?:PASS(?:WORD|WD|PHRASE)?|SECRET|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]*\s*[=:]\s*"
    r"[\"']?(?P<v>[^\s\"']{4,})"
)
_RANDOM = re.compile(r"(?<![\w/.+=-])[A-Za-z0-9+_=-]{28,}(?![\w/.+=-])")
_TOKEN_SAID = re.compile(
    _words(words.KEY_WORDS) + words.IS + r"[\"'“«„`]?(?P<v>[A-Za-z0-9+/_=.:\-]{8,}[A-Za-z0-9=])",
    re.IGNORECASE,
)
_MORE_CODES = re.compile(r"(?:[ ,;\n]+(?=[\w-]*\d)[A-Za-z0-9-]{6,})+")
_QUOTED = r"[\"'“”«»„‘`](?P<q>[^\"'“”«»„‘’`\n]{3,80})[\"'“”«»’`]"
_BARE = r"(?P<v>[^\s\"'“”«»„`，。；、]{3,80})"
_PASSWORD_SAID = re.compile(_words(words.LOGIN) + words.IS + rf"(?:{_QUOTED}|{_BARE})", re.IGNORECASE)
_PASSWORD_TIGHT = re.compile(
    rf"(?:密码|密碼|口令|パスワード|비밀번호|암호|패스워드|पासवर्ड)\s*(?:是|为|為|は|は、|는|은|है|:|：)?\s*(?:{_QUOTED}|(?P<v>[!-~]{{3,80}}))"
)
_PASSWORD_NEXT = re.compile(
    _words(words.LOGIN)
    + r"(?:\s+(?:for|of|от|для|к|für|fürs|vom|del?|du|della?|da|do)\s+(?:the |my |la |le |el )?"
    r"[^\W\d]{2,20}){0,2}\s+(?P<v>(?=\S*\d)\S{5,80})",
    re.IGNORECASE,
)
_SHORT_NEXT = re.compile(
    r"(?:(?<![\w-])(?:pw|psw|pswd)|(?:^|\n|[,;]\s*|(?<!\w)(?:my|mein|mon|mi|la|minha|wi-?fi|wlan|login|log-in|user|account|e?-?mail|gmail|router|netflix|email)\s+)(?:pass|clave|contra))\s+"
    r"(?P<v>(?=(?:[^\s\d]*[^\W\d_]){3})(?=\S*\d)[^\s\d]\S{5,79})",
    re.IGNORECASE,
)
_PASSWORD_USED = re.compile(
    r"\b(?:use|using|set|try|enter|type|nimm|benutze|usa|utilise|используй)\s+(?P<v>\S{4,80})\s+"
    r"(?:as|als|como|comme|come|как)\s+(?:(?:the|my|our|your|a|das|mein|la|mi|le|mon|minha|a)\s+)?(?:\w+\s+)?"
    rf"(?:{words.LOGIN})",
    re.IGNORECASE,
)
_WEAK_SAID = re.compile(_words(words.WEAK_LOGIN) + words.IS + rf"(?:{_QUOTED}|{_BARE})", re.IGNORECASE)
_LOGIN_SAID = re.compile(
    r"(?<!\w)(?:log(?:ged)? ?in (?:with|as|using)|sign in with|credentials(?: are)?|login(?: is)?|zugangsdaten(?: sind)?)"
    r"[: ]+[^\s/]{2,60}\s*(?:/|:|\s(?:and|und|y|et|и)\s)\s*(?P<v>\S{4,80})",
    re.IGNORECASE,
)
_MY_PASSWORD = re.compile(
    r"(?P<v>\S{4,80})\s+(?:(?:is|was) (?:my|our|the) [\w -]{0,30}?(?:password|passphrase|passcode)|ist (?:mein|unser|das) "
    r"[\w-]{0,20}(?:passwort|kennwort)|es (?:mi|la|nuestra) contraseña|est (?:mon|le|notre) mot de passe|"
    r"[—–-] (?:мой|наш|это мой) пароль|è la mia password|é a minha senha|मेरा पासवर्ड है)",
    re.IGNORECASE,
)
_PIN_SAID = re.compile(
    _words(words.PIN) + r"(?:" + words.IS + r"|\s*)[\"'“„«]?(?P<v>\d(?:[ \-]?\d){2,9})(?![\d.]*\d)",
    re.IGNORECASE,
)
_MY_PIN = re.compile(
    r"(?<![\d.])(?P<v>\d{3,8})\s+(?:is (?:my|our|the) [\w -]{0,20}?(?:pin|cvv)|ist (?:meine|die|unsere) (?:pin|geheimzahl)|"
    r"es mi pin|est mon code|[—–-] мой пин)\b",
    re.IGNORECASE,
)
_PAPER_SAID = re.compile(
    _words(words.PAPER)
    + r"(?:"
    + words.IS
    + r"|\s*(?:number|no\.?|nr\.?|号码|号|नंबर|番号|번호)?\s*)(?P<v>[A-Za-z]{0,3}\d[\dA-Za-z]*(?:[ .\-/]?[\dA-Za-z]*\d[\dA-Za-z]*)*)",
    re.IGNORECASE,
)
_SHAPED: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])"), lambda t: checks.is_ssn(checks.digits_of(t))),
    (re.compile(_LEFT + r"\d{3}\.\d{3}\.\d{3}-\d{2}" + _RIGHT), lambda t: checks.is_cpf(checks.digits_of(t))),
    (
        re.compile(r"(?<![\w-])(?:\d{8}|[XYZ]\d{7})-?[A-Z](?![\w-])"),
        lambda t: checks.is_dni(t.replace("-", "")),
    ),
    (
        re.compile(_LEFT + r"[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}" + _RIGHT),
        checks.is_insee,
    ),
    (re.compile(_LEFT + r"[1-9]\d{5}(?:19|20)\d{2}[01]\d[0-3]\d{4}[\dXx]" + _RIGHT), checks.is_resident_id),
    (
        re.compile(_LEFT + r"\d{3}-\d{3}-\d{3}[ -]\d{2}" + _RIGHT),
        lambda t: checks.is_snils(checks.digits_of(t)),
    ),
    (
        re.compile(r"(?<![\d+] )(?<![\w+-])[2-9]\d{3} \d{4} \d{4}(?! ?\d)"),
        lambda t: checks.verhoeff(checks.digits_of(t)),
    ),
    (re.compile(_LEFT + r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]" + _RIGHT), checks.is_fiscal_code),
    (re.compile(_LEFT + r"[A-Z]{3}[ABCFGHLJPTK][A-Z]\d{4}[A-Z]" + _RIGHT), lambda _: True),
    (
        re.compile(
            _LEFT + r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]" + _RIGHT
        ),
        lambda _: True,
    ),
    (re.compile(_LEFT + r"\d{6}-[1-8]\d{6}" + _RIGHT), lambda t: checks.is_korean_id(checks.digits_of(t))),
)
_SEED_CUE = re.compile(words.SEED, re.IGNORECASE)
_SEED_RUN = re.compile(
    r"(?<![\w])(?:(?:\d{1,2}[.)]\s*)?[a-z]{3,8}[,\s]+){11,23}(?:\d{1,2}[.)]\s*)?[a-z]{3,8}(?![\w])"
)
_SEED_SIZES = frozenset({12, 15, 18, 21, 24})
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\S+",
        "the and for are was were but not his her its our has had from been she him them their then "
        "than your some who why which into does did would could should get got let very der die das "
        "und ist nicht mit los las una que con por les des est pas dans pour",
    )
)
_ONLY_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_TRAIL = ".,;:!?)]}>…।"
_SUFFIX = re.compile(r"(?:입니다|이에요|예요|이야|야|です|だよ|だ)[.!。]?$")


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return every secret of the text in order, overlaps joined into the first one's kind."""
    found = sorted(_all(text), key=lambda s: (s.start, -s.end))
    joined: list[Secret] = []
    for secret in found:
        if joined and secret.start < joined[-1].end:
            last = joined[-1]
            joined[-1] = Secret(last.start, max(last.end, secret.end), last.kind)
        else:
            joined.append(secret)
    return tuple(joined)


def secret_kinds(text: str) -> list[str]:
    """Return the kinds of secrets that a text holds, each once."""
    return kinds_of(find_secrets(text))


def kinds_of(found: Sequence[Secret]) -> list[str]:
    """Return the kinds of the secrets found, each once."""
    return sorted({secret.kind for secret in found})


def mask(text: str, found: Sequence[Secret] | None = None) -> str | None:
    """Return the text with each secret replaced by its kind in brackets, None when it holds none.

    ``found`` are its secrets when they are known already; on a long text finding them is the dear part.
    """
    found = find_secrets(text) if found is None else found
    if not found:
        return None
    parts, at = [], 0
    for secret in found:
        parts += [text[at : secret.start], f"[{secret.kind}]"]
        at = secret.end
    return "".join([*parts, text[at:]])


def _all(text: str) -> Iterator[Secret]:
    for pattern in (_PRIVATE_KEY,):
        yield from (Secret(m.start(), m.end(), "private key") for m in pattern.finditer(text))
    yield from _cards(text)
    yield from _ibans(text)
    yield from _tokens(text)
    yield from _passwords(text)
    yield from _ids(text)
    yield from _seeds(text)


def _cards(text: str) -> Iterator[Secret]:
    for m in _CARD.finditer(text):
        if checks.is_card(checks.digits_of(m[0])) and not _NUMBERED.search(
            text[max(0, m.start() - 40) : m.start()]
        ):
            yield Secret(m.start(), m.end(), "card number")


def _ibans(text: str) -> Iterator[Secret]:
    for m in _IBAN.finditer(text):
        size, seen = checks.iban_length(m[0][:2]), 0
        for place, char in enumerate(m[0]):
            seen += char.isalnum()
            if size and seen == size:
                if checks.is_iban("".join(c for c in m[0][: place + 1] if c.isalnum())):
                    yield Secret(m.start(), m.start() + place + 1, "IBAN")
                break


def _tokens(text: str) -> Iterator[Secret]:
    for pattern in (_KNOWN_TOKEN, _HOOK):
        yield from (Secret(m.start(), m.end(), "access token") for m in pattern.finditer(text))
    for pattern in (_URL_QUERY, _ENV, _BASIC, _ONE_TIME):
        yield from (Secret(m.start("v"), m.end("v"), "access token") for m in pattern.finditer(text))
    yield from (Secret(m.start("v"), m.end("v"), "password") for m in _URL_LOGIN.finditer(text))
    links = [m.span() for m in _URL.finditer(text)]
    for m in _RANDOM.finditer(text):
        if _looks_random(m[0]) and not any(a <= m.start() < b for a, b in links):
            yield Secret(m.start(), m.end(), "access token")
    for m in _TOKEN_SAID.finditer(text):
        if any(c.isdigit() for c in m["v"]) and not _UUID.fullmatch(m["v"]) and "://" not in m["v"]:
            more = (
                _MORE_CODES.match(text, m.end())
                if m[0].partition(m["v"])[0].rstrip(" :=").endswith("s")
                else None
            )
            yield Secret(m.start("v"), more.end() if more else m.end("v"), "access token")


def _passwords(text: str) -> Iterator[Secret]:
    for pattern, weak in ((_PASSWORD_SAID, False), (_PASSWORD_TIGHT, False), (_WEAK_SAID, True)):
        for m in pattern.finditer(text):
            if m["q"]:
                yield Secret(m.start("q"), m.end("q"), "password")
            elif size := _password_size(text, m["v"], m.end("v"), weak=weak):
                yield Secret(m.start("v"), m.start("v") + size, "password")
    for pattern in (_MY_PASSWORD, _LOGIN_SAID, _PASSWORD_NEXT, _SHORT_NEXT, _PASSWORD_USED):
        for m in pattern.finditer(text):
            value = m["v"].strip(_TRAIL + "\"'“”«»„")
            if value.casefold() not in words.ORDINARY and _looks_secret(value):
                at = m.start("v") + m["v"].index(value)
                yield Secret(at, at + len(value), "password")
    for pattern in (_PIN_SAID, _MY_PIN):
        yield from (Secret(m.start("v"), m.end("v"), "PIN") for m in pattern.finditer(text))


def _password_size(text: str, value: str, end: int, *, weak: bool) -> int:
    """Return how many characters of the value are a password; 0 when it is an ordinary word."""
    bare = _SUFFIX.sub("", value).rstrip(_TRAIL)
    if not bare or bare.casefold() in words.ORDINARY or bare.startswith("["):
        return 0
    if _looks_secret(bare):
        return len(value) if value[-1] in "!?" and end == len(text) else len(bare)
    rest = text[end:].lstrip()
    closes = (
        value[-1] in ".!;"
        or not rest
        or rest[0] in ".!;\n"
        or rest.startswith(("है", "हैं", ",", "and ", "und "))
    )
    return len(bare) if closes and not weak and len(bare) >= 4 else 0


def _looks_secret(value: str) -> bool:
    inner = value[1:]
    mixed = any(c.isupper() for c in inner) and any(c.islower() for c in value)
    symbols = any(not c.isalnum() and c not in "-'’./" for c in value)
    return len(value) >= 3 and (any(c.isdigit() for c in value) or mixed or symbols or value.count("-") >= 2)


def _looks_random(token: str) -> bool:
    if _UUID.fullmatch(token) or _ONLY_HEX.fullmatch(token.replace("-", "")):
        return False
    digits = sum(c.isdigit() for c in token)
    mixed = any(c.isupper() for c in token) and any(c.islower() for c in token)
    scattered = len(re.findall(r"\d+", token)) >= 2  # an identifier of a program ends in its one number
    return mixed and scattered and digits >= 3 and checks.entropy(token) >= 3.9


def _ids(text: str) -> Iterator[Secret]:
    for pattern, fits in _SHAPED:
        for m in pattern.finditer(text):
            if fits(m[0]) and not _NUMBERED.search(text[max(0, m.start() - 40) : m.start()]):
                yield Secret(m.start(), m.end(), "government id")
    for m in _PAPER_SAID.finditer(text):
        digits = checks.digits_of(m["v"])
        if len(digits) >= 5 and len(m["v"]) >= 6:
            yield Secret(m.start("v"), m.end("v"), "government id")


def _seeds(text: str) -> Iterator[Secret]:
    for m in _SEED_RUN.finditer(text):
        run = re.findall(r"[a-z]+", m[0])
        said = _SEED_CUE.search(text[max(0, m.start() - 100) : m.start()])
        alone = len(run) in _SEED_SIZES and not _FUNCTION_WORDS.intersection(run)
        whole_line = not text[: m.start()].rpartition("\n")[2].strip() and not text[m.end() :].partition(
            "\n"
        )[0].strip(" .")
        if (said and len(run) >= 12) or (alone and whole_line and len(set(run)) >= 8):
            yield Secret(m.start(), m.end(), "seed phrase")
