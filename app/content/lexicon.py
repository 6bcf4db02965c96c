"""What the writer knows about each language: word lists and endings, no whole sentences.

A language without a table gets the neutral one: nothing is left out, nothing is stemmed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Lexicon:
    """Word lists of one language, all lower case.

    ``stopwords`` and ``intent_words`` carry no topic. ``openers`` begin a sentence that leans on another.
    ``pointers`` point at something outside an excerpt, ``pointing_openers`` only as a sentence's beginning.
    ``question_words`` begin a question. ``generic`` headings name no subject. ``endings`` are cut when
    stemming, longest first.
    """

    stopwords: frozenset[str] = frozenset()
    intent_words: frozenset[str] = frozenset()
    openers: tuple[str, ...] = ()
    pointers: tuple[str, ...] = ()
    pointing_openers: tuple[str, ...] = ()
    question_words: tuple[str, ...] = ()
    generic: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split(","))


def _endings(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split(), key=lambda ending: (-len(ending), ending)))


_EN: Final = Lexicon(
    stopwords=_words(
        "a an and are as at be been but by can could did do does for from had has have he her his how i if "
        "in into is it its may might more most my no not of on or our she should so some such than that "
        "the their them then there these they this those to too was we were what when where which while "
        "who why will with would you your vs about all also any both each other over under up out"
    ),
    intent_words=_words(
        "work works working guide tutorial best top way ways tips using use explained explain introduction "
        "intro overview make understanding everything know need learn step steps complete set setup create "
        "get getting started build building choose choosing"
    ),
    openers=_phrases(
        "this,that,these,those,it,its,they,them,their,he,she,his,her,however,therefore,thus,hence,but,and,"
        "or,so,also,then,instead,otherwise,moreover,furthermore,additionally,besides,nevertheless,"
        "consequently,as a result,for example,for instance,e.g.,in this case,in that case,in contrast,"
        "on the other hand,such,both,similarly,likewise,again,still,yet,note that this,another,the latter,"
        "the former,here,yes,no,because of this,the following,the above"
    ),
    pointers=_phrases(
        "see below,see above,detailed below,discussed below,outlined below,discussed above,"
        "for more information,for more details,more details about,please refer to,section contains,"
        "section describes,chapter describes,described in section,in this section,in the previous,"
        "as above,shown above,shown below,mentioned above,described above,"
        "described below,listed below,listed above,given below,explained above,explained below,"
        "above example,example above,example below,click here,read more,this section,next section,"
        "previous section,this chapter,this page,this document,this figure,the figure,figure below,"
        "table below,see also,see section,see the section,as follows,the following,previous example,"
        "as mentioned,as described,all rights reserved,this example,this website,cookie,skip to,"
        "back to top,table of contents,sections below,section below"
    ),
    pointing_openers=("see ", "refer to ", "read "),
    question_words=_phrases(
        "what,why,how,when,where,who,which,can,could,does,do,is,are,should,will,must,may,did,has,have,am"
    ),
    generic=_words(
        "home index contents contact about imprint privacy changelog changes authors license credits "
        "search sitemap login news blog faq glossary example examples notes note description usage options "
        "overview introduction details summary synopsis references links misc miscellaneous general"
    )
    | frozenset(
        _phrases(
            "change log,release notes,table of contents,see also,frequently asked questions,"
            "terms of service,privacy policy,terms and conditions,about us,contact us,common options,"
            "further reading,read more,related pages,related articles,welcome,positional arguments,"
            "optional arguments"
        )
    ),
    endings=_endings(
        "ations ation ating ators ator ated ates ate ings ing edly ed ies ied iers ier es s e ly ment "
        "ments er ers or ors ion ions y"
    ),
)

_DE: Final = Lexicon(
    stopwords=_words(
        "der die das den dem des ein eine einen einem einer eines und oder aber als auch auf aus bei bis "
        "durch für gegen in im ins ist sind war mit nach nicht noch nur ob ohne sehr sich sie es er wir "
        "ihr ich so über um unter von vom vor wann warum was weil wenn wer wie wird werden wo zu zum zur "
        "dass kann können man"
    ),
    intent_words=_words(
        "funktioniert funktionieren anleitung leitfaden tipps einführung überblick beste besten"
    ),
    openers=_phrases(
        "dies,diese,dieser,dieses,das,es,sie,er,jedoch,deshalb,daher,aber,und,oder,auch,dann,stattdessen,"
        "außerdem,zudem,ferner,beispielsweise,zum beispiel,z. b.,hier,ja,nein,solche,beide,ebenso,dabei,"
        "dazu"
    ),
    pointers=_phrases(
        "siehe oben,siehe unten,siehe auch,wie oben,weiter unten,oben beschrieben,unten beschrieben,"
        "folgenden,folgende,hier klicken,mehr lesen,weiterlesen,dieser abschnitt,diesem abschnitt,"
        "diese seite,abbildung,alle rechte vorbehalten,cookie"
    ),
    pointing_openers=("siehe ", "vgl. "),
    question_words=_phrases(
        "was,warum,wieso,wie,wann,wo,wer,welche,welcher,welches,kann,können,ist,sind,soll"
    ),
    generic=_words(
        "startseite inhalt kontakt impressum datenschutz beispiel beispiele hinweis hinweise übersicht"
    )
    | frozenset(_phrases("häufige fragen,häufig gestellte fragen,über uns,siehe auch")),
    endings=_endings("ungen ung en er em es e n s"),
)

_FR: Final = Lexicon(
    stopwords=_words(
        "le la les un une des du de d l et ou mais à au aux en dans sur sous par pour avec sans ce cet "
        "cette ces il elle ils elles on nous vous je tu que qui quoi dont où est sont être a ont pas ne "
        "plus se sa son ses leur leurs comment pourquoi quand quel quelle quels quelles"
    ),
    intent_words=_words("guide fonctionne fonctionnent meilleur meilleurs conseils introduction tutoriel"),
    openers=_phrases(
        "ce,cet,cette,ces,cela,ceci,c'est,c’est,il,elle,ils,elles,cependant,donc,mais,et,ou,aussi,ensuite,"
        "toutefois,par exemple,en effet,de plus,en outre,ici,oui,non,ainsi"
    ),
    pointers=_phrases(
        "voir ci-dessous,voir ci-dessus,ci-dessous,ci-dessus,voir aussi,cliquez ici,en savoir plus,"
        "suivants,suivantes,cette section,cette page,tous droits réservés,cookie"
    ),
    pointing_openers=("voir ", "consultez "),
    question_words=_phrases(
        "que,qu'est,qu’est,quoi,pourquoi,comment,quand,où,qui,quel,quelle,quels,quelles,est-ce"
    ),
    generic=_words("accueil sommaire contact exemple exemples remarque notes aperçu")
    | frozenset(_phrases("mentions légales,foire aux questions,questions fréquentes,à propos,voir aussi")),
    endings=_endings("ations ation ements ement es s e er ez é ée és ées ent ions"),
)

_ES: Final = Lexicon(
    stopwords=_words(
        "el la los las un una unos unas de del y o pero a al en con sin por para sobre entre es son ser no "
        "se su sus que qué quien cómo como cuándo cuando dónde donde porque lo le les más este esta esto "
        "estos estas ese esa cuál cuáles nos te me ha han"
    ),
    intent_words=_words("guía funciona funcionan mejor mejores consejos introducción tutorial"),
    openers=_phrases(
        "este,esta,esto,estos,estas,ese,esa,eso,él,ella,ellos,ellas,sin embargo,por lo tanto,por tanto,"
        "pero,y,o,también,entonces,además,por ejemplo,así,aquí,sí,no,asimismo"
    ),
    pointers=_phrases(
        "ver abajo,véase,ver más abajo,más abajo,más arriba,a continuación,siguientes,siguiente,haga clic,"
        "leer más,esta sección,esta página,todos los derechos reservados,cookie"
    ),
    pointing_openers=("ver ", "véase ", "consulte "),
    question_words=_phrases("qué,por qué,cómo,cuándo,dónde,quién,cuál,cuáles,puedo,puede,es,son"),
    generic=_words("inicio contenido contacto ejemplo ejemplos notas resumen índice")
    | frozenset(_phrases("preguntas frecuentes,aviso legal,sobre nosotros,ver también")),
    endings=_endings("aciones ación adoras adores ador ando iendo ar er ir as os es a o s e"),
)

_IT: Final = Lexicon(
    stopwords=_words(
        "il lo la i gli le un uno una di del della dei degli delle e o ma a al alla ai alle in nel nella "
        "con su sul per tra fra è sono essere non si che chi cosa come quando dove perché più questo "
        "questa questi queste quello quella loro suo sua ci da dal dalla ha hanno"
    ),
    intent_words=_words("guida funziona funzionano migliore migliori consigli introduzione"),
    openers=_phrases(
        "questo,questa,questi,queste,ciò,esso,essa,essi,tuttavia,quindi,perciò,ma,e,o,anche,poi,inoltre,"
        "per esempio,ad esempio,così,qui,sì,no"
    ),
    pointers=_phrases(
        "vedi sotto,vedi sopra,qui sotto,di seguito,seguenti,seguente,vedi anche,clicca qui,leggi di più,"
        "questa sezione,questa pagina,tutti i diritti riservati,cookie"
    ),
    pointing_openers=("vedi ", "consulta "),
    question_words=_phrases("che,cosa,perché,come,quando,dove,chi,quale,quali,posso,può"),
    generic=_words("home contenuti contatti esempio esempi note panoramica indice")
    | frozenset(_phrases("domande frequenti,chi siamo,vedi anche")),
    endings=_endings("azioni azione ando endo are ere ire i e a o"),
)

_PT: Final = Lexicon(
    stopwords=_words(
        "o a os as um uma uns umas de do da dos das e ou mas em no na nos nas com sem por para pelo pela "
        "sobre é são ser não se seu sua seus suas que quem como quando onde porque mais este esta isto "
        "esse essa ao à"
    ),
    intent_words=_words("guia funciona funcionam melhor melhores dicas introdução tutorial"),
    openers=_phrases(
        "este,esta,isto,estes,estas,esse,essa,isso,ele,ela,eles,elas,no entanto,portanto,mas,e,ou,também,"
        "então,além disso,por exemplo,assim,aqui,sim,não"
    ),
    pointers=_phrases(
        "veja abaixo,ver abaixo,abaixo,acima,a seguir,seguintes,seguinte,veja também,clique aqui,leia mais,"
        "esta seção,esta página,todos os direitos reservados,cookie"
    ),
    pointing_openers=("veja ", "ver ", "consulte "),
    question_words=_phrases("o que,que,por que,como,quando,onde,quem,qual,quais,posso,pode"),
    generic=_words("início conteúdo contato exemplo exemplos notas resumo índice")
    | frozenset(_phrases("perguntas frequentes,sobre nós,veja também")),
    endings=_endings("ações ação ando endo ar er ir as os es a o s e"),
)

_NL: Final = Lexicon(
    stopwords=_words(
        "de het een en of maar als ook op uit bij tot door voor tegen in is zijn was met na niet nog om "
        "onder van over wat waarom wanneer wie hoe waar wordt worden te ter dat die dit deze kan kunnen "
        "men ze zij hij wij je u er aan"
    ),
    intent_words=_words("werkt werken gids tips handleiding inleiding overzicht beste"),
    openers=_phrases(
        "dit,dat,deze,die,het,zij,ze,hij,echter,daarom,dus,maar,en,of,ook,dan,bovendien,daarnaast,"
        "bijvoorbeeld,hier,ja,nee,zulke,beide,hierbij,daarbij"
    ),
    pointers=_phrases(
        "zie hieronder,zie hierboven,hieronder,hierboven,zie ook,volgende,klik hier,lees meer,deze sectie,"
        "deze paragraaf,deze pagina,alle rechten voorbehouden,cookie"
    ),
    pointing_openers=("zie ", "raadpleeg "),
    question_words=_phrases("wat,waarom,hoe,wanneer,waar,wie,welke,welk,kan,kunnen,is,zijn,moet"),
    generic=_words("home inhoud contact voorbeeld voorbeelden opmerkingen overzicht")
    | frozenset(_phrases("veelgestelde vragen,over ons,zie ook")),
    endings=_endings("ingen ing en er e s"),
)

_NEUTRAL: Final = Lexicon()
_TABLES: Final = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES, "it": _IT, "pt": _PT, "nl": _NL}


def primary_subtag(language: str) -> str:
    """Return the language part of a BCP 47 tag: ``en-GB`` gives ``en``."""
    return language.replace("_", "-").split("-")[0].lower()


def lexicon(language: str) -> Lexicon:
    """Return the word lists of a BCP 47 language tag, the neutral ones when there are none."""
    return _TABLES.get(primary_subtag(language), _NEUTRAL)


def languages() -> tuple[str, ...]:
    """Return the languages that have word lists."""
    return tuple(_TABLES)
