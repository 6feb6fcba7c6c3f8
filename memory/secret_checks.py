"""Check digits and shapes of numbers that people must keep to themselves.

Owns arithmetic only: whether a run of characters can be a payment card, a bank account or a government
number. Refuses to look at the words around it. One surprise: a card needs a known issuer prefix as well as
a right check digit, because one in ten order numbers has the latter.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import date

_IBAN_LENGTHS = {
    code: int(length)
    for code, length in re.findall(
        r"(\w\w):(\d\d)",
        "AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BR:29 BY:28 CH:21 CR:22 CY:28 CZ:24 "
        "DE:22 DK:18 DO:28 EE:20 EG:29 ES:24 FI:18 FO:18 FR:27 GB:22 GE:22 GI:23 GL:18 GR:27 GT:28 "
        "HR:21 HU:28 IE:22 IL:23 IQ:23 IS:26 IT:27 JO:30 KW:30 KZ:20 LB:28 LC:32 LI:21 LT:20 LU:20 "
        "LV:21 LY:25 MC:27 MD:24 ME:22 MK:19 MR:27 MT:31 MU:30 NL:18 NO:15 PK:24 PL:28 PS:29 PT:25 "
        "QA:29 RO:24 RS:22 RU:33 SA:24 SC:31 SE:24 SI:19 SK:24 SM:27 ST:25 SV:28 TL:23 TN:24 TR:26 "
        "UA:29 VA:22 VG:24 XK:20",
    )
}
_VERHOEFF_D = tuple(
    tuple(map(int, row))
    for row in re.findall(
        r"\d+",
        "0123456789 1234067895 2340178956 3401289567 4012395678 5987604321 6598710432 7659821043 "
        "8765932104 9876543210",
    )
)
_VERHOEFF_P = tuple(
    tuple(map(int, row))
    for row in re.findall(
        r"\d+",
        "0123456789 1576283094 5803796142 8916043527 9453126870 4286573901 2793806415 7046913258",
    )
)
_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_FISCAL_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        map(
            int,
            re.findall(
                r"\d+",
                "1 0 5 7 9 13 15 17 19 21 1 0 5 7 9 13 15 17 19 21 2 4 18 20 11 3 6 8 12 14 16 10 22 25 24 23",
            ),
        ),
        strict=True,
    )
)


def digits_of(text: str) -> str:
    """Return the decimal digits of the text as ASCII, whatever script they were written in."""
    return "".join(str(int(c)) for c in text if c.isdecimal())


def luhn(digits: str) -> bool:
    """Tell whether the last digit checks the others the way card numbers do."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        doubled = int(char) * (2 if place % 2 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Tell whether the digits are a payment card: issuer prefix, length and check digit agree."""
    size, two, four = len(digits), int(digits[:2]), int(digits[:4])
    issued = (
        (digits[0] == "4" and size in (13, 16, 19))
        or ((51 <= two <= 55 or 2221 <= four <= 2720) and size == 16)
        or (two in (34, 37) and size == 15)
        or ((four == 6011 or two == 65 or 6440 <= four <= 6499) and 16 <= size <= 19)
        or (two in (50, 60, 62, 63, 67, 81) and 16 <= size <= 19)
        or ((3528 <= four <= 3589 or 2200 <= four <= 2204) and 16 <= size <= 19)
        or ((two in (36, 38, 39) or 3000 <= four <= 3059) and size == 14)
    )
    return issued and len(set(digits)) > 1 and luhn(digits)


def iban_length(country: str) -> int:
    """Return how long account numbers of the country are; 0 when it has none."""
    return _IBAN_LENGTHS.get(country.upper(), 0)


def is_iban(compact: str) -> bool:
    """Tell whether the compact text is an international account number by its remainder of 97."""
    text = compact.upper()
    if len(text) != iban_length(text[:2]) or not text.isascii() or not text.isalnum():
        return False
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97 == 1


def verhoeff(digits: str) -> bool:
    """Tell whether the digits carry the check of an Indian resident number."""
    state = 0
    for place, char in enumerate(reversed(digits)):
        state = _VERHOEFF_D[state][_VERHOEFF_P[place % 8][int(char)]]
    return state == 0


def is_ssn(digits: str) -> bool:
    """Tell whether nine digits lie in the ranges of United States social security numbers."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def is_cpf(digits: str) -> bool:
    """Tell whether eleven digits carry both check digits of a Brazilian taxpayer."""
    if len(set(digits)) == 1:
        return False
    for size in (9, 10):
        total = sum(int(c) * (size + 1 - place) for place, c in enumerate(digits[:size]))
        if (total * 10 % 11) % 10 != int(digits[size]):
            return False
    return True


def is_dni(text: str) -> bool:
    """Tell whether the letter of a Spanish identity number fits its digits."""
    body = text.upper()
    first = {"X": "0", "Y": "1", "Z": "2"}.get(body[0], body[0])
    return _DNI[int(first + digits_of(body[1:-1])) % 23] == body[-1]


def is_insee(text: str) -> bool:
    """Tell whether the key of a French social security number fits."""
    body = text.upper().replace("2A", "19", 1).replace("2B", "18", 1)
    digits = digits_of(body)
    return len(digits) == 15 and 97 - int(digits[:13]) % 97 == int(digits[13:])


def is_steuer_id(digits: str) -> bool:
    """Tell whether eleven digits carry the check digit of a German tax number."""
    product = 10
    for char in digits[:10]:
        total = (int(char) + product) % 10 or 10
        product = total * 2 % 11
    return digits[0] != "0" and (11 - product) % 10 == int(digits[10])


def is_resident_id(text: str) -> bool:
    """Tell whether eighteen characters are a Chinese resident number: a birth date and a check character."""
    body = text.upper()
    if not _is_day(body[6:14]):
        return False
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(c) * w for c, w in zip(body[:17], weights, strict=True))
    return "10X98765432"[total % 11] == body[17]


def is_snils(digits: str) -> bool:
    """Tell whether eleven digits carry the check number of a Russian pension insurance."""
    total = sum(int(c) * (9 - place) for place, c in enumerate(digits[:9])) % 101
    return total % 100 == int(digits[9:])


def is_fiscal_code(text: str) -> bool:
    """Tell whether the last letter of an Italian tax code fits the fifteen before it."""
    body = text.upper()
    even = sum(int(c) if c.isdigit() else ord(c) - 65 for c in body[1:15:2])
    odd = sum(_FISCAL_ODD[c] for c in body[0:15:2])
    return chr(65 + (even + odd) % 26) == body[15]


def is_korean_id(digits: str) -> bool:
    """Tell whether thirteen digits carry the check digit of a Korean resident number."""
    weights = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
    total = sum(int(c) * w for c, w in zip(digits[:12], weights, strict=True))
    return (11 - total % 11) % 10 == int(digits[12])


def entropy(token: str) -> float:
    """Return the bits per character of the token's own distribution."""
    return -sum(n / len(token) * math.log2(n / len(token)) for n in Counter(token).values())


def _is_day(compact: str) -> bool:
    try:
        day = date(int(compact[:4]), int(compact[4:6]), int(compact[6:8]))
    except ValueError:
        return False
    return 1900 <= day.year <= 2100
