"""What the writer knows about each language: word lists and endings, no whole sentences.

A language without a table gets the neutral one: nothing is left out, nothing is stemmed.
"""

from __future__ import annotations

from typing import Final

from app.language.lexicon_scripts import AR, JA, RU, ZH
from app.language.lexicon_table import Lexicon, endings_of, phrase_list, stems_of, word_set
from app.language.tags import language_code

_EN: Final = Lexicon(
    stopwords=word_set(
        "a an and are as at be been but by can could did do does for from had has have he her his how i "
        "if in into is it its may might more most my no not of on or our she should so some such than "
        "that the their them then there these they this those to too was we were what when where which "
        "while who why will with would you your vs versus about all also any both each other over under "
        "up out off much many few one"
    ),
    intent_words=word_set(
        "work works working guide tutorial best top way ways tips using use explained explain introduction "
        "intro overview make understanding everything know need learn step steps complete set setup create "
        "get getting started build building choose choosing old new good better fast faster easy "
        "simple increase increasing improve improving reduce reducing avoid avoiding prevent preventing "
        "handle handling manage managing enable enabling"
    ),
    light_words=word_set(
        "software app apps tool tools system systems platform solution solutions template templates idea "
        "ideas example examples advice checklist comparison alternative alternatives review reviews "
        "option options put puts keep keeping take takes taking stop stopping cut cutting fill filling "
        "turn turning show find finding help helps possible worth need needs multiple last minute online "
        "practice practices"
    ),
    boilerplate=phrase_list(
        "all rights reserved,this website,uses cookies,use cookies,our cookies,accept cookies,cookie policy,"
        "cookie settings,skip to,back to top,table of contents"
    ),
    speakers=("I", "my", "My", "me", "myself"),
    question_words=phrase_list(
        "what,why,how,when,where,who,which,can,could,does,do,is,are,should,will,must,may,did,has,have,am"
    ),
    generic=word_set(
        "home index contents contact about imprint privacy changelog changes authors license credits "
        "search sitemap login news blog faq glossary example examples notes note description usage options "
        "overview introduction details summary synopsis references links misc miscellaneous general "
        "name bugs caveats files output commands arguments parameters environment author discussion remarks "
        "warning caution tip important compatibility diagnostics conclusion abstract goals non-goals "
        "motivation rationale background definitions terminology preface foreword prerequisites requirements"
    )
    | frozenset(
        phrase_list(
            "change log,release notes,table of contents,see also,frequently asked questions,"
            "terms of service,privacy policy,terms and conditions,about us,contact us,common options,"
            "further reading,read more,related pages,related articles,welcome,positional arguments,"
            "optional arguments,exit status,return value,return values,reporting bugs,environment variables,"
            "manual,user manual,user guide,"
            "users guide,reference manual,documentation,docs,handbook,reference,guide,tutorial,how to,howto"
        )
    ),
    stems=stems_of(
        "business businesses,engineer engineers engineering engineered,university universities,"
        "organ organs,policy policies,news,animal animals,marketing,universal"
    ),
    derivations=endings_of("people peopl person men man women woman list age ag ist ren er or"),
)

_DE: Final = Lexicon(
    stopwords=word_set(
        "der die das den dem des ein eine einen einem einer eines und oder aber als auch auf aus bei bis "
        "durch für gegen in im ins ist sind war mit nach nicht noch nur ob ohne sehr sich sie es er wir "
        "ihr ich so über um unter von vom vor wann warum was weil wenn wer wie wird werden wo zu zum zur "
        "dass kann können man ab am ans beim bis je fürs ums zwischen hinter neben während wegen trotz "
        "seit gegen rund etwa schon immer mehr viel viele oft worauf wofür womit woran welche welcher "
        "welches welchem welchen dieser diese dieses diesem diesen jede jeder jedes mein meine meinem "
        "meinen meiner dein deine euer eure unser unsere unserem unseren unserer ihre ihren ihrem ihrer "
        "mir mich dir dich uns euch soll sollte sollten muss müssen darf dürfen wollen möchte gibt geht "
        "hat haben habe wurde wurden wäre sein seine seinen dann denn doch damit dabei dafür daran hier "
        "dort alle alles andere anderen kein keine keinen"
    ),
    intent_words=word_set(
        "funktioniert funktionieren anleitung leitfaden tipps einführung überblick beste besten lassen lässt"
    ),
    light_words=word_set(
        "pro mal richtig richtige richtigen achten beachten finden machen macht günstiger günstig besser "
        "selber selbst vorlage vorlagen checkliste ideen beispiel beispiele vergleich alternative "
        "alternativen programm software app tool system lösung lösungen lohnt lohnen sinnvoll möglich "
        "braucht brauchen nötig ort einfach schnell schön schöne schönste schönsten führen führe neu neue "
        "neuen worauf ratgeber"
    ),
    boilerplate=phrase_list("alle rechte vorbehalten,verwenden cookies,cookie-einstellungen,diese website"),
    speakers=("ich", "Ich", "mein", "meine", "Mein", "Meine"),
    question_words=phrase_list(
        "was,warum,wieso,wie,wann,wo,wer,welche,welcher,welches,kann,können,ist,sind,soll"
    ),
    generic=word_set(
        "startseite inhalt kontakt impressum datenschutz beispiel beispiele hinweis hinweise übersicht "
        "einleitung einführung überblick zusammenfassung beschreibung anmerkung anmerkungen warnung tipp "
        "wichtig achtung optionen syntax name dateien fehler autoren fazit allgemeines"
    )
    | frozenset(phrase_list("häufige fragen,häufig gestellte fragen,über uns,siehe auch")),
)

_FR: Final = Lexicon(
    stopwords=word_set(
        "le la les un une des du de d l et ou mais à au aux en dans sur sous par pour avec sans ce cet "
        "cette ces il elle ils elles on nous vous je tu que qui quoi dont où est sont être a ont pas ne "
        "plus se sa son ses leur leurs comment pourquoi quand quel quelle quels quelles"
    ),
    light_words=word_set(
        "logiciel logiciels application outil outils système plateforme solution modèle modèles exemple "
        "exemples comparatif alternative alternatives avis idée idées trouver mettre prendre éviter "
        "réussir faire bien possible besoin rentable"
    ),
    intent_words=word_set("guide fonctionne fonctionnent meilleur meilleurs conseils introduction tutoriel"),
    boilerplate=phrase_list("tous droits réservés,utilise des cookies,ce site web"),
    speakers=("je", "Je", "mon", "Mon"),
    question_words=phrase_list(
        "que,qu'est,qu’est,quoi,pourquoi,comment,quand,où,qui,quel,quelle,quels,quelles,est-ce"
    ),
    generic=word_set(
        "accueil sommaire contact exemple exemples remarque remarques note notes aperçu introduction "
        "description résumé options attention avertissement astuce important conclusion nom auteurs "
        "généralités"
    )
    | frozenset(phrase_list("mentions légales,foire aux questions,questions fréquentes,à propos,voir aussi")),
)

_ES: Final = Lexicon(
    stopwords=word_set(
        "el la los las un una unos unas de del y o pero a al en con sin por para sobre entre es son ser "
        "no se su sus que qué quien cómo como cuándo cuando dónde donde porque lo le les más este esta "
        "esto estos estas ese esa cuál cuáles nos te me ha han"
    ),
    light_words=word_set(
        "software programa aplicación herramienta herramientas sistema plataforma solución plantilla "
        "plantillas ejemplo ejemplos comparativa alternativa alternativas opiniones idea ideas encontrar "
        "poner evitar hacer bien posible necesito merece"
    ),
    intent_words=word_set("guía funciona funcionan mejor mejores consejos introducción tutorial"),
    boilerplate=phrase_list("todos los derechos reservados,utiliza cookies,este sitio web"),
    question_words=phrase_list("qué,por qué,cómo,cuándo,dónde,quién,cuál,cuáles,puedo,puede,es,son"),
    generic=word_set(
        "inicio contenido contacto ejemplo ejemplos nota notas resumen índice introducción descripción "
        "opciones advertencia consejo importante conclusión nombre autores"
    )
    | frozenset(phrase_list("preguntas frecuentes,aviso legal,sobre nosotros,ver también")),
)

_IT: Final = Lexicon(
    stopwords=word_set(
        "il lo la i gli le un uno una di del della dei degli delle e o ma a al alla ai alle in nel nella "
        "con su sul per tra fra è sono essere non si che chi cosa come quando dove perché più questo "
        "questa questi queste quello quella loro suo sua ci da dal dalla ha hanno"
    ),
    light_words=word_set(
        "software programma applicazione strumento strumenti sistema piattaforma soluzione modello "
        "modelli esempio esempi confronto alternativa alternative recensioni idea idee trovare mettere "
        "evitare fare bene possibile serve conviene"
    ),
    intent_words=word_set("guida funziona funzionano migliore migliori consigli introduzione"),
    boilerplate=phrase_list("tutti i diritti riservati,utilizza cookie,questo sito web"),
    question_words=phrase_list("che,cosa,perché,come,quando,dove,chi,quale,quali,posso,può"),
    generic=word_set(
        "home contenuti contatti esempio esempi nota note panoramica indice introduzione descrizione "
        "opzioni avvertenza attenzione suggerimento importante conclusione nome autori"
    )
    | frozenset(phrase_list("domande frequenti,chi siamo,vedi anche")),
)

_PT: Final = Lexicon(
    stopwords=word_set(
        "o a os as um uma uns umas de do da dos das e ou mas em no na nos nas com sem por para pelo pela "
        "sobre é são ser não se seu sua seus suas que quem como quando onde porque mais este esta isto "
        "esse essa ao à"
    ),
    intent_words=word_set("guia funciona funcionam melhor melhores dicas introdução tutorial"),
    boilerplate=phrase_list("todos os direitos reservados,utiliza cookies,este site"),
    question_words=phrase_list("o que,que,por que,como,quando,onde,quem,qual,quais,posso,pode"),
    generic=word_set(
        "início conteúdo contato contacto exemplo exemplos nota notas resumo índice introdução descrição "
        "opções aviso dica importante conclusão nome autores"
    )
    | frozenset(phrase_list("perguntas frequentes,sobre nós,veja também")),
)

_NL: Final = Lexicon(
    stopwords=word_set(
        "de het een en of maar als ook op uit bij tot door voor tegen in is zijn was met na niet nog om "
        "onder van over wat waarom wanneer wie hoe waar wordt worden te ter dat die dit deze kan kunnen "
        "men ze zij hij wij je u er aan"
    ),
    intent_words=word_set("werkt werken gids tips handleiding inleiding overzicht beste"),
    boilerplate=phrase_list("alle rechten voorbehouden,gebruikt cookies,deze website"),
    speakers=("ik", "Ik", "mijn", "Mijn"),
    question_words=phrase_list("wat,waarom,hoe,wanneer,waar,wie,welke,welk,kan,kunnen,is,zijn,moet"),
    generic=word_set(
        "home inhoud contact voorbeeld voorbeelden opmerking opmerkingen overzicht inleiding beschrijving "
        "opties waarschuwing tip belangrijk conclusie naam auteurs"
    )
    | frozenset(phrase_list("veelgestelde vragen,over ons,zie ook")),
)

_TABLES: Final = {
    "en": _EN, "de": _DE, "fr": _FR, "es": _ES, "it": _IT, "pt": _PT, "nl": _NL,
    "ru": RU, "ar": AR, "ja": JA, "zh": ZH,
}  # fmt: skip
_NEUTRAL: Final = Lexicon()


def lexicon(language: str) -> Lexicon:
    """Return the word lists of a BCP 47 language tag, the neutral ones when there are none."""
    return _TABLES.get(language_code(language), _NEUTRAL)
