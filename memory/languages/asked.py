"""German, Spanish, French, Italian, Portuguese: what questions about the user ask for, and how the answer is said.

Owns every word that may stand in a fact beside the words of an answer. Data only. Refuses to take a word from the question:
it only chooses among these. One surprise: a question outside these lists asks for nothing, so that a short reply to it
is never kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of one language."""

    asked: tuple[tuple[str, str], ...]
    """Patterns of whole questions, each with the statement that an answer, as ``{value}``, makes."""
    fits: str
    """Pattern of answers that are no sentences of their own; its group ``value`` is what stands in the statement."""
    empty: str
    """Pattern of answers that say nothing by themselves."""

    @property
    def inquires(self) -> str:
        """The pattern of any of the questions, whatever stands before its last part."""
        kinds = "|".join(re.sub(r"\?P<\w+>", "?:", pattern) for pattern, _ in self.asked)
        return rf"(?:[^?]{{0,40}}[,:] |\w{{1,8}} )*¿?(?:{kinds})(?:\W|$)"


# fmt: off
# one question a line, however long: a table is read down, not across
_DE_WHO = r"(?P<who>hund|hündin|katze|kater|kaninchen|hamster|pferd|frau|mann|partnerin|partner|freundin|freund|sohn|tochter|mutter|mama|vater|papa|bruder|schwester|oma|opa|chefin|chef)"
_ES_WHO = r"(?P<who>perro|perra|gato|gata|conejo|caballo|mujer|esposa|marido|esposo|pareja|novia|novio|hijo|hija|madre|padre|hermano|hermana|abuela|abuelo|jefe|jefa)"
_FR_WHO = r"(?P<who>chien|chienne|chat|chatte|lapin|cheval|femme|mari|compagne|compagnon|copine|copain|fils|fille|mère|père|frère|sœur|grand-mère|grand-père|chef)"
_IT_WHO = r"(?P<who>cane|gatto|gatta|coniglio|cavallo|moglie|marito|compagna|compagno|ragazza|ragazzo|fidanzata|fidanzato|figlio|figlia|madre|padre|fratello|sorella|nonna|nonno|capo)"
_PT_WHO = r"(?P<who>cachorro|cachorra|cão|gato|gata|coelho|cavalo|esposa|mulher|marido|namorada|namorado|filho|filha|mãe|pai|irmão|irmã|avó|avô|chefe)"

DE = Asked(
    asked=(
        (r"(?:wie heißt du|wie heißen sie|wie ist (?:dein|ihr) (?:vor)?name|was ist (?:dein|ihr) name)", "ich heiße {value}"),
        (r"(?:wo (?:wohnst|lebst) du|wo (?:wohnen|leben) sie|in welcher stadt (?:wohnst|lebst) du)(?: denn| gerade| eigentlich)?", "ich wohne in {value}"),
        (r"woher (?:kommst du|kommen sie)(?: ursprünglich| eigentlich)?", "ich komme aus {value}"),
        (r"wo bist du (?:aufgewachsen|groß geworden)", "ich bin aufgewachsen in {value}"),
        (r"wann (?:hast du|haben sie) geburtstag|wann ist (?:dein|ihr) geburtstag", "mein Geburtstag ist am {value}"),
        (r"wie alt (?:bist du|sind sie)", "ich bin {value} Jahre alt"),
        (r"(?:was (?:bist du|sind sie) von beruf|was (?:arbeitest du|machst du beruflich|arbeiten sie|machen sie beruflich)|was ist (?:dein|ihr) (?:beruf|job))", "ich arbeite als {value}"),
        (r"(?:wo|für wen|bei wem) (?:arbeitest du|arbeiten sie)", "ich arbeite bei {value}"),
        (r"was (?:studierst du|studieren sie)", "ich studiere {value}"),
        (r"(?:wogegen|gegen was) (?:bist du|sind sie) allergisch|(?:hast du|haben sie) (?:irgendwelche )?(?:allergien|eine allergie)|welche allergien (?:hast du|haben sie)", "ich bin allergisch gegen {value}"),
        (r"welche sprachen (?:sprichst du|sprechen sie)", "ich spreche {value}"),
        (r"(?:was sind deine hobbys|welche hobbys hast du|was machst du (?:gern|gerne) in deiner freizeit)", "meine Hobbys sind {value}"),
        (r"welches instrument spielst du", "ich spiele {value}"),
        (r"(?:welches|was für ein) auto (?:fährst du|hast du|fahren sie)", "ich fahre einen {value}"),
        (rf"wie heißt (?:dein|ihr)(?P<e>e)? {_DE_WHO}", r"mein\g<e> \g<who> heißt {value}"),
        (rf"wie alt ist (?:dein|ihr)(?P<e>e)? {_DE_WHO}", r"mein\g<e> \g<who> ist {value}"),
        (rf"wo (?:wohnt|lebt) (?:dein|ihr)(?P<e>e)? {_DE_WHO}", r"mein\g<e> \g<who> wohnt in {value}"),
        (r"(?:was|welches) ist dein(?P<e>e)? (?P<thing>lieblings(?:essen|farbe|film|buch|band|lied|tier|getränk|sport|serie|stadt|land|jahreszeit|blume|spiel))", r"mein\g<e> \g<thing> ist {value}"),
    ),
    fits=r"(?:(?:ja|jep|klar|also|naja|nur|eigentlich)[,:]? )*(?:(?:er|sie|es) (?:heißt|ist) |das ist )?(?P<value>(?!(?:nein|nee|nö|nicht|kein|keine|keinen|nichts|niemand|nirgends|nie|noch|ich|wir|er|sie|es|weil|kommt|das|wenn|warum|was|weiß|wieso|ob)\b).+)",
    empty=r"(?:ja|nein|nee|nö|ok|okay|klar|sicher|vielleicht|beides|keins|keine|egal|weiß (?:ich )?nicht|keine ahnung|danke|bitte|später|nichts|gar nichts|nicht wirklich|stimmt|genau)(?:[,.! ]+(?:danke|bitte|nicht|gern|gerne))*",
)
ES = Asked(
    asked=(
        (r"cómo (?:te llamas|se llama usted)|cuál es (?:tu|su) nombre", "me llamo {value}"),
        (r"dónde vives|en qué ciudad vives|dónde vive usted", "vivo en {value}"),
        (r"de dónde (?:eres|es usted)", "soy de {value}"),
        (r"dónde (?:creciste|naciste)", "crecí en {value}"),
        (r"cuándo (?:es tu cumpleaños|cumples años|es su cumpleaños)", "mi cumpleaños es el {value}"),
        (r"cuántos años (?:tienes|tiene usted)|qué edad tienes", "tengo {value} años"),
        (r"a qué te dedicas|en qué trabajas|de qué trabajas|cuál es tu (?:trabajo|profesión)", "trabajo como {value}"),
        (r"dónde trabajas|para quién trabajas|en qué empresa trabajas", "trabajo en {value}"),
        (r"qué (?:estudias|estás estudiando)", "estudio {value}"),
        (r"(?:a qué eres alérgic[oa]|eres alérgic[oa] a algo|(?:tienes|tiene) (?:alguna )?alergias?|qué alergias tienes)", "tengo alergia a {value}"),
        (r"qué idiomas hablas", "hablo {value}"),
        (r"qué instrumento tocas", "toco {value}"),
        (r"qué coche (?:tienes|conduces)|qué carro (?:tienes|manejas)", "conduzco un {value}"),
        (rf"cómo se llama tu {_ES_WHO}", r"mi \g<who> se llama {value}"),
        (rf"cuántos años tiene tu {_ES_WHO}", r"mi \g<who> tiene {value} años"),
        (rf"dónde vive tu {_ES_WHO}", r"mi \g<who> vive en {value}"),
        (r"cuál es tu (?P<thing>(?:comida|color|película|libro|grupo|canción|animal|bebida|deporte|serie|ciudad|país|juego) favorit[oa])", r"mi \g<thing> es {value}"),
    ),
    fits=r"(?:(?:sí|claro|bueno|pues|solo|sólo)[,:]? )*(?:(?:se llama|es) )?(?P<value>(?!(?:no|nada|nadie|ningun\w*|nunca|yo|porque|depende|cuando|si|sí|tengo|soy|vivo|trabajo|qué|por)\b).+)",
    empty=r"(?:sí|si|no|vale|ok|okay|claro|quizás?|tal vez|ambos|los dos|ninguno|ninguna|da igual|no (?:lo )?sé|ni idea|gracias|luego|nada|correcto|exacto)(?:[,.! ]+(?:gracias|por favor))*",
)
FR = Asked(
    asked=(
        (r"(?:comment (?:tu t['’]appelles|t['’]appelles-tu|vous appelez-vous)|(?:quel est|c['’]est quoi) (?:ton|votre) (?:pré)?nom)", "je m'appelle {value}"),
        (r"(?:où (?:habites-tu|vis-tu|tu habites|tu vis|habitez-vous)|(?:tu habites|tu vis) où|dans quelle ville (?:habites-tu|tu habites))", "j'habite à {value}"),
        (r"(?:d['’]où viens-tu|tu viens d['’]où|d['’]où (?:tu viens|es-tu|venez-vous))", "je viens de {value}"),
        (r"où (?:as-tu|tu as) grandi", "j'ai grandi à {value}"),
        (r"(?:quand est|c['’]est quand) (?:ton|votre) anniversaire", "mon anniversaire est le {value}"),
        (r"(?:quel âge as-tu|tu as quel âge|quel âge (?:tu as|avez-vous))", "j'ai {value} ans"),
        (r"(?:que fais-tu dans la vie|tu fais quoi dans la vie|quel est (?:ton|votre) (?:métier|travail)|c['’]est quoi ton (?:métier|travail|boulot))", "je travaille comme {value}"),
        (r"(?:où travailles-tu|tu travailles où|pour qui travailles-tu|chez qui travailles-tu|dans quelle entreprise travailles-tu)", "je travaille chez {value}"),
        (r"(?:qu['’]est-ce que tu étudies|qu['’]étudies-tu|tu étudies quoi)", "j'étudie {value}"),
        (r"(?:(?:as-tu|tu as|avez-vous) des allergies(?: alimentaires)?|à quoi es-tu allergique|tu es allergique à quoi|es-tu allergique à quelque chose)", "j'ai une allergie à {value}"),
        (r"(?:quelles langues parles-tu|tu parles quelles langues|quelles langues parlez-vous)", "je parle {value}"),
        (r"(?:quelle voiture (?:as-tu|conduis-tu)|tu as quoi comme voiture)", "je conduis une {value}"),
        (rf"comment s['’]appelle t(?P<o>on|a) {_FR_WHO}", r"m\g<o> \g<who> s'appelle {value}"),
        (rf"comment s['’]appelle votre {_FR_WHO}", r"notre \g<who> s'appelle {value}"),
        (rf"quel âge a t(?P<o>on|a) {_FR_WHO}", r"m\g<o> \g<who> a {value} ans"),
        (rf"où (?:habite|vit) t(?P<o>on|a) {_FR_WHO}", r"m\g<o> \g<who> habite à {value}"),
        (r"quel(?:le)? est t(?P<o>on|a) (?P<thing>(?:plat|couleur|film|livre|groupe|chanson|animal|boisson|sport|série|ville|pays|jeu) préférée?)", r"m\g<o> \g<thing> est {value}"),
    ),
    fits=r"(?:(?:oui|ouais|bah|ben|alors|juste|seulement)[,:]? )*(?:(?:il|elle) s['’]appelle |c['’]est )?(?P<value>(?!(?:non|pas|rien|personne|aucun\w*|jamais|je|j['’]\w*|on|nous|il|elle|parce|ça|quand|si|oui|pourquoi|c['’]\w*)\b).+)",
    empty=r"(?:oui|non|ouais|ok|okay|d['’]accord|bien sûr|peut-être|les deux|aucun|aucune|peu importe|je (?:ne )?sais pas|aucune idée|merci|plus tard|rien|exact|voilà)(?:[,.! ]+(?:merci|s['’]il (?:te|vous) pla[iî]t))*",
)
IT = Asked(
    asked=(
        (r"come ti chiami|come si chiama lei|qual è il tuo nome", "mi chiamo {value}"),
        (r"dove (?:vivi|abiti)|in che città (?:vivi|abiti)|in quale città (?:vivi|abiti)", "vivo a {value}"),
        (r"di dove sei|da dove vieni", "sono di {value}"),
        (r"dove sei (?:cresciut[oa]|nat[oa])", "sono di {value}"),
        (r"quando (?:è il tuo compleanno|compi gli anni)|quand['’]è il tuo compleanno", "il mio compleanno è il {value}"),
        (r"quanti anni hai", "ho {value} anni"),
        (r"che lavoro fai|che cosa fai nella vita|cosa fai nella vita|qual è il tuo lavoro", "lavoro come {value}"),
        (r"dove lavori|per chi lavori|in che azienda lavori", "lavoro presso {value}"),
        (r"(?:che )?cosa (?:studi|stai studiando)", "studio {value}"),
        (r"(?:hai (?:qualche allergia|allergie)(?: alimentari)?|a cosa sei allergic[oa]|sei allergic[oa] a qualcosa|che allergie hai)", "sono allergico a {value}"),
        (r"(?:che|quali) lingue parli", "parlo {value}"),
        (r"(?:che|quale) strumento suoni", "suono {value}"),
        (r"che (?:macchina|auto) (?:hai|guidi)", "guido una {value}"),
        (rf"come si chiama (?P<a>il |la )?tu(?P<o>[oa]) {_IT_WHO}", r"\g<a>mi\g<o> \g<who> si chiama {value}"),
        (rf"quanti anni ha (?P<a>il |la )?tu(?P<o>[oa]) {_IT_WHO}", r"\g<a>mi\g<o> \g<who> ha {value} anni"),
        (rf"dove (?:vive|abita) (?P<a>il |la )?tu(?P<o>[oa]) {_IT_WHO}", r"\g<a>mi\g<o> \g<who> vive a {value}"),
        (r"qual è (?P<a>il|la) tu(?P<o>[oa]) (?P<thing>(?:piatto|colore|film|libro|gruppo|canzone|animale|bevanda|sport|serie|città|paese|gioco) preferit[oa])", r"\g<a> mi\g<o> \g<thing> è {value}"),
    ),
    fits=r"(?:(?:sì|certo|beh|allora|solo)[,:]? )*(?:(?:si chiama|è) )?(?P<value>(?!(?:no|non|niente|nulla|nessun\w*|mai|io|perché|dipende|quando|se|sì|ho|sono|vivo|che)\b).+)",
    empty=r"(?:sì|si|no|ok|okay|va bene|certo|forse|entrambi|tutti e due|nessuno|nessuna|non (?:lo )?so|boh|grazie|dopo|niente|nulla|esatto|giusto)(?:[,.! ]+(?:grazie|per favore))*",
)
PT = Asked(
    asked=(
        (r"(?:como (?:você se chama|te chamas|se chama)|qual (?:é )?(?:o )?(?:seu|teu) nome)", "me chamo {value}"),
        (r"(?:onde (?:você mora|vives|moras|mora|você vive)|em que cidade (?:você mora|vives|moras))", "moro em {value}"),
        (r"de onde (?:você é|és|você vem|vens)", "sou de {value}"),
        (r"onde (?:você )?(?:cresceu|nasceu|cresceste|nasceste)", "cresci em {value}"),
        (r"(?:quando (?:é|você faz|fazes) (?:o )?(?:seu |teu )?(?:aniversário|anos))", "meu aniversário é {value}"),
        (r"(?:quantos anos (?:você tem|tens)|qual (?:é )?(?:a )?(?:sua|tua) idade)", "tenho {value} anos"),
        (r"(?:(?:o que|com o que) (?:você (?:faz|trabalha)|fazes)(?: da vida| na vida)?|qual (?:é )?(?:a )?(?:sua|tua) profissão|em que (?:você trabalha|trabalhas))", "trabalho como {value}"),
        (r"(?:onde (?:você trabalha|trabalhas)|para quem (?:você trabalha|trabalhas)|em que empresa (?:você trabalha|trabalhas))", "trabalho na {value}"),
        (r"o que (?:você estuda|estudas|você está estudando)", "estudo {value}"),
        (r"(?:(?:você )?(?:tem|tens) (?:alguma )?alergias?(?: alimentar(?:es)?)?|a que (?:você é|és) alérgic[oa]|(?:você é|és) alérgic[oa] a alguma coisa)", "tenho alergia a {value}"),
        (r"(?:que|quais) (?:línguas|idiomas) (?:você fala|falas)", "falo {value}"),
        (r"(?:que|qual) instrumento (?:você toca|tocas)", "toco {value}"),
        (r"(?:que|qual) carro (?:você tem|tens|você dirige|conduzes)", "dirijo um {value}"),
        (rf"(?:como se chama|qual (?:é )?o nome (?:d)?)(?: ?o)? ?(?:seu|teu) {_PT_WHO}", r"meu \g<who> se chama {value}"),
        (rf"(?:como se chama|qual (?:é )?o nome (?:d)?)(?: ?a)? ?(?:sua|tua) {_PT_WHO}", r"minha \g<who> se chama {value}"),
        (rf"quantos anos tem (?:o )?(?:seu|teu) {_PT_WHO}", r"meu \g<who> tem {value} anos"),
        (rf"quantos anos tem (?:a )?(?:sua|tua) {_PT_WHO}", r"minha \g<who> tem {value} anos"),
        (rf"onde (?:mora|vive) (?:o )?(?:seu|teu) {_PT_WHO}", r"meu \g<who> mora em {value}"),
        (rf"onde (?:mora|vive) (?:a )?(?:sua|tua) {_PT_WHO}", r"minha \g<who> mora em {value}"),
        (r"qual (?:é )?(?:o )?(?:seu|teu) (?P<thing>(?:prato|filme|livro|animal|esporte|país|jogo|time) (?:favorito|preferido))", r"meu \g<thing> é {value}"),
        (r"qual (?:é )?(?:a )?(?:sua|tua) (?P<thing>(?:comida|cor|banda|música|bebida|série|cidade) (?:favorita|preferida))", r"minha \g<thing> é {value}"),
    ),
    fits=r"(?:(?:sim|claro|bom|então|só)[,:]? )*(?:(?:ele|ela) se chama |se chama |é )?(?P<value>(?!(?:não|nada|ninguém|nenhum\w*|nunca|eu|porque|depende|quando|se|sim|tenho|sou|moro|que)\b).+)",
    empty=r"(?:sim|não|ok|okay|tá|claro|talvez|ambos|os dois|nenhum|nenhuma|tanto faz|não sei|sei lá|obrigad[oa]|depois|nada|exato|certo)(?:[,.! ]+(?:obrigad[oa]|por favor))*",
)
# fmt: on
