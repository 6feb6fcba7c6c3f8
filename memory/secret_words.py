"""How people say that a secret follows: words for passwords, PINs, tokens, identity papers and seed phrases.

Data only, in the languages Locket reads. One surprise: ordinary words that may follow "my password is"
("wrong", "vergessen") are listed too, because they are not the password.
"""

from __future__ import annotations

import re

LOGIN = (
    r"pass[ -]?words?|pass[ -]?phrases?|pass[ -]?codes?|passwd|pwd|login[ -]code|"
    r"passw(?:ort|örter)|kennw(?:ort|örter)|\w{2,14}passwort|\w{2,14}kennwort|"
    r"contraseñas?|contrasenas?|"
    r"mots? de passe|mdp|"
    r"парол[ья]|парольная фраза|"
    r"पासवर्ड|कूटशब्द|गुप्त शब्द|"
    r"密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|패스워드|"
    r"senhas?|palavras?-passe|parola d'ordine|wachtwoord|şifre|hasło|كلمة (?:السر|المرور)|رمز المرور"
)
WEAK_LOGIN = r"pw|pass(?=\s*[:=])|clave|parola|code secret|codice segreto|código secreto|code d'accès|zugangscode|zugangsdaten"
"""Words that also mean other things: what follows must look like a secret."""
SHORT_LOGIN = r"pw|pwd|psw|pswd|pass|pwort|contra|clave|senha"
"""Short words for a password, as people type them before one; alone they say little."""

PIN = (
    r"pin(?:[ -]?(?:code|number|nummer|zahl))?|cvv2?|cvc2?|card security code|security code|verification code|otp|"
    r"one[ -]time (?:code|password)|2fa code|unlock code|alarm code|door code|gate code|safe code|safe combination|"
    r"(?:[\w'’-]+ ){0,2}(?:lock|locker|padlock|vault|suitcase|luggage) (?:combination|combo|code)|garage code|keypad code|phone unlock code|entry code|access code|(?:code|combination) (?:for|to|of) (?:the|my|our) (?:\w+ )?"
    r"(?:alarm|door|gate|safe|locker|vault)|"
    r"code (?:für|von|zu[mr]?) (?:die|der|das|den|dem|unser\w*|mein\w*)? ?(?:haustür|tür|tor|safe|tresor|alarmanlage|garage|schloss|"
    r"fahrradschloss|schließfach)|código (?:de|del|para|do|da) (?:la |el )?(?:puerta|portal|caja fuerte|garaje|porta|portão|cofre|alarme)|"
    r"code (?:de|du|de la|pour (?:le|la)) (?:porte|portail|coffre|alarme|garage|immeuble)|codice (?:del|della|per (?:il|la)) "
    r"(?:porta|portone|cassaforte|allarme)|(?:ドア|玄関|金庫|オートロック|キャッシュカード)の(?:暗証)?(?:番号|コード)|"
    r"geheimzahl|geheimnummer|türcode|alarmcode|sicherheitscode|bestätigungscode|"
    r"código (?:pin|de seguridad|de acceso|de la alarma|de verificación)|clave (?:pin|del cajero)|"
    r"code (?:de|du) (?:ma |mon |la |notre )(?:carte|téléphone|portable|cadenas|valise)|código (?:de|del) (?:mi |la )(?:tarjeta|móvil|candado|maleta)|"
    r"codice (?:della|del) (?:mia |mio )?(?:carta|bancomat|telefono|lucchetto|valigia)|(?:schloss|fahrradschloss|koffer|zahlen)(?:code|kombination)|код (?:от )?(?:замка|карты|телефона|чемодана)|"
    r"code (?:pin|secret|de sécurité|confidentiel|d'alarme|de vérification|de la porte)|digicode|"
    r"пин(?:[ -]?код)?|код (?:доступа|безопасности|подтверждения|от (?:двери|домофона|сейфа))|"
    r"पिन(?: ?कोड| ?नंबर)?|सुरक्षा कोड|ओटीपी|"
    r"验证码|安全码|取款密码|門禁密碼|门禁密码|認証コード|보안 ?코드|인증 ?번호|핀 ?번호|"
    r"codice (?:pin|di sicurezza|di sblocco)|código pin|código de segurança|senha do cartão"
)
KEY_WORDS = (
    r"(?:api|access|auth|authentication|secret|private|bearer|refresh|session|client|license|signing|encryption|"
    r"service|deploy|personal access)[ _-]?(?:key|token|secret|cookie)s?|apikey|token|bearer|webhook secret|"
    r"secret[ _-]?access[ _-]?key|client[ _-]?secret|recovery (?:key|code)s?|backup codes?|"
    r"api-?schlüssel|zugriffsschlüssel|geheimer schlüssel|zugangstoken|"
    r"clave (?:de )?(?:api|acceso|privada|secreta)|clé (?:d')?(?:api|accès|privée|secrète)|"
    r"ключ (?:api|доступа)|api[ -]?ключ|токен|секретный ключ|приватный ключ|"
    r"एपीआई (?:की|कुंजी)|टोकन|密钥|令牌|私钥|トークン|秘密鍵|api ?キー|(?:アクセス|シークレット)キー|토큰|비밀 ?키|api ?키|chiave (?:api|privata|segreta)|"
    r"chave (?:de )?(?:api|acesso|privada|secreta)"
)
PAPER = (
    r"passport(?: (?:number|no\.?|nr\.?))?|driver'?s? licen[cs]e(?: number)?|national id(?: number)?|id card number|"
    r"social security(?: number)?|ssn|tax (?:id|number)|taxpayer id|nino|national insurance(?: number)?|nhs number|"
    r"bank account(?: number)?|account number|routing number|medicare number|itin|social insurance(?: number)?|sin(?=(?: number)?(?: is)?\s*:?\s*\d{3}[ -]\d{3}[ -]\d{3})|bsn|burgerservicenummer|"
    r"pesel|personnummer|cpr-?(?:nr|nummer)|ahv-?nummer|tax file number|"
    r"reisepass(?:nummer)?|personalausweis(?:nummer)?|ausweisnummer|steuer-?id(?:entifikationsnummer)?|"
    r"sozialversicherungsnummer|rentenversicherungsnummer|führerschein(?:nummer)?|kontonummer|"
    r"pasaporte|dni|número de (?:la )?(?:seguridad social|cuenta|identidad)|rfc|curp|cédula|"
    r"passeport|numéro de (?:sécurité sociale|sécu|compte)|carte d'identité|permis de conduire|"
    r"паспорт(?:а|ные данные)?|снилс|инн|номер сч[её]та|водительское удостоверение|"
    r"पासपोर्ट|आधार|पैन(?: कार्ड)?|aadhaar|aadhar|pan card|खाता (?:संख्या|नंबर)|护照|护照号|身份证|身份证号|銀行口座|银行卡|"
    r"パスポート|マイナンバー|여권|주민등록번호|계좌 ?번호|codice fiscale|passaporto|carta d'identità|cpf|rg|passaporte|"
    r"número da conta|título de eleitor"
)
SEED = (
    r"(?:12|15|18|21|24) (?:secret )?(?:words|wörter|palabras|mots|слов[а]?|parole|palavras)|seed[ -]?(?:phrase|words)|recovery phrase|mnemonic|wallet (?:words|phrase|backup)|secret phrase|backup phrase|"
    r"wiederherstellungsphrase|seed-?phrase|frase (?:semilla|de recuperación|seed)|phrase (?:de récupération|secrète|seed)|"
    r"сид[ -]?фраз\w*|мнемоник\w*|фраз\w+ восстановления|सीड फ्रेज़|रिकवरी फ्रेज़|रिकवरी वाक्यांश|助记词|恢复短语|"
    r"シードフレーズ|リカバリーフレーズ|시드 ?구문|니모닉|복구 ?구문|frase (?:di recupero|de recuperação)"
)
IS = (
    r"(?:\s+(?!(?:is|was|ist|es|est|é|è)\b)[^\s:：=?!.,;]{1,20}){0,4}?\s*(?:[:：=]|は|が|是|为|為|는|은|가|이|—|–|-(?=\s)|->|→|=>|"
    r"(?<=\w)['’]s(?=\s)|\b(?:is now|is still|is just|is|was|to be|are|ist jetzt|ist|lautet|war|es ahora|es|era|son|est maintenant|est|c'est|"
    r"é agora|é|è ora|è|это|теперь|है|to|auf|a|en)\b)\s*"
)
"""From the word to the secret: a few words of whose and for what, then a verb or a sign."""

ORDINARY = frozenset(
    re.findall(
        r"\S+",
        "a an the not no too so very in on at for with by being set used needed required wrong right "
        "correct incorrect expired invalid weak strong safe secure short long important something secret "
        "private hidden stored saved written kept under managed generated changed changing forgotten lost "
        "gone mine ours yours his hers different same easy hard missing empty blank asked working broken "
        "old new stolen leaked compromised hashed encrypted protected reset it that this what my your our "
        "their because when where how case-sensitive about full great ready fine okay ok still also just "
        "only really what? unknown out up all always never longer good bad ein eine der die das den dem "
        "nicht kein keine zu sehr falsch richtig abgelaufen sicher unsicher schwach stark vergessen weg "
        "geändert lang kurz wichtig geheim gespeichert noch schon mein dein gut neu alt in im auf bei un "
        "una el la los las no muy mal incorrecta correcta segura débil fuerte larga corta importante "
        "secreta otra olvidada perdida demasiado en de que mi tu guardada nueva vieja le la les une du des "
        "pas trop très faux incorrect expiré faible fort long court important secret oublié perdu mon ton "
        "dans pour sûr enregistré nouveau ancien не неверный неправильный слабый сильный забыт забыла "
        "забыл утерян в на очень слишком важен длинный короткий सही गलत नहीं बहुत भूल क्या है कमज़ोर "
        "मज़बूत uno il lo gli non troppo molto sbagliata corretta scaduta sicura debole forte um o os não "
        "muito errada correta segura fraca forte",
    )
)
NO_SECRET = frozenset(
    re.findall(
        r"\S+",
        "yes no yeah yep nope nah ok okay sure later none nothing thanks please skip stop wait help idk dunno hi hello "
        "ja nein nee klar später nichts danke bitte egal moment hilfe sí si no claro luego nada gracias vale ayuda "
        "oui non ouais plus rien merci attends sì certo dopo niente grazie aspetta sim não depois obrigado obrigada "
        "да нет потом спасибо 好 好的 不 不用 是 没有 はい いいえ 네 아니요 हाँ नहीं",
    )
)
"""What may answer a question for a secret without being it."""
