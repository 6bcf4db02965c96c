"""What the writer knows about each language: word lists and endings, no whole sentences.

A language without a table gets the neutral one: nothing is left out, nothing is stemmed.
"""

from __future__ import annotations

from typing import Final

from app.content.language.lexicon_common import EN, EN_ENDINGS
from app.content.language.lexicon_scripts import AR, JA, RU, ZH
from app.content.language.lexicon_table import Lexicon, phrase_list, word_set

_TOLD: Final = phrase_list(
    "outlined,shown,given,mentioned,listed,described,discussed,explained,defined,introduced,presented,noted,"
    "stated,specified,detailed,seen,illustrated,documented,linked"
)
_EN: Final = Lexicon(
    stopwords=word_set(
        "a an and are as at be been but by can could did do does for from had has have he her his how i if "
        "in into is it its may might more most my no not of on or our she should so some such than that "
        "the their them then there these they this those to too was we were what when where which while "
        "who why will with would you your vs about all also any both each other over under up out"
    ),
    intent_words=word_set(
        "work works working guide tutorial best top way ways tips using use explained explain introduction "
        "intro overview make understanding everything know need learn step steps complete set setup create "
        "get getting started build building choose choosing old new good better fast faster easy "
        "simple increase increasing improve improving reduce reducing avoid avoiding prevent preventing "
        "handle handling manage managing enable enabling"
    ),
    openers=phrase_list(
        "this,that,these,those,it,its,they,them,their,he,she,his,her,however,therefore,thus,hence,but,and,"
        "or,so,also,then,instead,otherwise,moreover,furthermore,additionally,besides,nevertheless,"
        "consequently,as a result,for example,for instance,e.g.,in this case,in that case,in contrast,"
        "on the other hand,such,both,similarly,likewise,again,still,yet,note that this,another,the latter,"
        "the former,here,yes,no,because of this,the following,the above,until now,earlier,now that"
    ),
    pointers=phrase_list(
        "see below,see above,detailed below,discussed below,outlined below,discussed above,"
        "for more information,for more details,more details about,please refer to,section contains,"
        "section describes,chapter describes,described in section,in this section,in the previous,"
        "as above,shown above,shown below,mentioned above,described above,"
        "described below,listed below,listed above,given below,explained above,explained below,"
        "above example,example above,example below,click here,read more,this section,next section,"
        "previous section,this chapter,this page,this document,this figure,the figure,figure below,"
        "table below,see also,see section,see the section,as follows,the following,previous example,"
        "as mentioned,as described,all rights reserved,this example,this website,uses cookies,use cookies,"
        "our cookies,accept cookies,cookie policy,cookie settings,skip to,back to top,table of contents,"
        "sections below,section below,chart below,chart above,diagram below,diagram above,picture below,"
        "image below,list below,list above,code below,code above,cases above,operations above,so far,"
        "shown here,current page,as we saw,we have seen,the above,discussed earlier,described earlier,"
        "mentioned earlier,described later,discussed later,rest of this,this article,this guide,"
        "this tutorial,this howto,this manual,this post,more information,for details,section called,"
        "already mentioned,already seen,already saw,"
        "saw earlier,seen earlier,below for,above for,steps below,steps above,rules below,rules above,"
        "instructions below,instructions above,this whole,at that next,at this next,you will soon,"
        "you’ll soon,you'll soon,will be discussed,will be described,will be covered,the guide explains,"
        "will follow these,individually below,separately below,explained here,described here,example here,"
        "see sidebar,see the sidebar,this book,this appendix,in the next,as we have"
    )
    + tuple(f"{told} {where}" for told in _TOLD for where in ("above", "below")),
    pointing_openers=("see ", "refer to ", "read ", "recall that ", "(note:", "note:"),
    speakers=("I", "my", "My", "me", "myself"),
    announcers=phrase_list(
        "there are two,there are three,there are four,there are five,there are six,there are several,"
        "there are many,there are various,there are a few,here is,here are,consider ,the next example,"
        "such routines,the steps are,these are,now for ,let us see,let us now see,let's see,"
        "let us look,let's look,lets see,lets look,below is,below are"
    ),
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
    common=EN,
    common_endings=EN_ENDINGS,
)

_DE: Final = Lexicon(
    stopwords=word_set(
        "der die das den dem des ein eine einen einem einer eines und oder aber als auch auf aus bei bis "
        "durch für gegen in im ins ist sind war mit nach nicht noch nur ob ohne sehr sich sie es er wir "
        "ihr ich so über um unter von vom vor wann warum was weil wenn wer wie wird werden wo zu zum zur "
        "dass kann können man"
    ),
    intent_words=word_set(
        "funktioniert funktionieren anleitung leitfaden tipps einführung überblick beste besten"
    ),
    openers=phrase_list(
        "dies,diese,dieser,dieses,das,es,sie,er,jedoch,deshalb,daher,aber,und,oder,auch,dann,stattdessen,"
        "außerdem,zudem,ferner,beispielsweise,zum beispiel,z. b.,hier,ja,nein,solche,beide,ebenso,dabei,"
        "dazu"
    ),
    pointers=phrase_list(
        "siehe oben,siehe unten,siehe auch,wie oben,weiter unten,oben beschrieben,unten beschrieben,"
        "folgenden,folgende,hier klicken,mehr lesen,weiterlesen,dieser abschnitt,diesem abschnitt,"
        "diese seite,abbildung,alle rechte vorbehalten,cookie,dieses kapitel,diesem kapitel,dieser artikel,"
        "diesem artikel,dieses handbuch,diesem handbuch,dieses dokument,diesem dokument,dieses buch,"
        "diesem buch,nächsten abschnitt,nächsten kapitel,vorigen abschnitt,vorherigen abschnitt,"
        "bereits erwähnt,bereits gesehen,bereits beschrieben,siehe die,siehe den,siehe das,siehe abschnitt,"
        "siehe kapitel,siehe seitenleiste,siehe hierzu,siehe dazu,weitere informationen,mehr informationen"
    ),
    pointing_openers=("siehe ", "vgl. "),
    speakers=("ich", "Ich", "mein", "meine", "Mein", "Meine"),
    announcers=phrase_list("es gibt zwei,es gibt drei,es gibt vier,es gibt mehrere,es gibt verschiedene"),
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
    intent_words=word_set("guide fonctionne fonctionnent meilleur meilleurs conseils introduction tutoriel"),
    openers=phrase_list(
        "ce,cet,cette,ces,cela,ceci,c'est,c’est,il,elle,ils,elles,cependant,donc,mais,et,ou,aussi,ensuite,"
        "toutefois,par exemple,en effet,de plus,en outre,ici,oui,non,ainsi"
    ),
    pointers=phrase_list(
        "voir ci-dessous,voir ci-dessus,ci-dessous,ci-dessus,voir aussi,cliquez ici,en savoir plus,"
        "suivants,suivantes,cette section,cette page,tous droits réservés,cookie,ce chapitre,ce document,"
        "cet article,ce livre,ce manuel,section suivante,chapitre suivant,section précédente,déjà mentionné,"
        "sections précédentes,déjà évoqué,comme nous l'avons,comme nous l’avons,voir l'encadré,"
        "voir l’encadré,voir la section,voir section,voir le chapitre,plus d'informations,"
        "plus d’informations,plus de détails"
    ),
    pointing_openers=("voir ", "consultez "),
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
        "el la los las un una unos unas de del y o pero a al en con sin por para sobre entre es son ser no "
        "se su sus que qué quien cómo como cuándo cuando dónde donde porque lo le les más este esta esto "
        "estos estas ese esa cuál cuáles nos te me ha han"
    ),
    intent_words=word_set("guía funciona funcionan mejor mejores consejos introducción tutorial"),
    openers=phrase_list(
        "este,esta,esto,estos,estas,ese,esa,eso,él,ella,ellos,ellas,sin embargo,por lo tanto,por tanto,"
        "pero,y,o,también,entonces,además,por ejemplo,así,aquí,sí,no,asimismo"
    ),
    pointers=phrase_list(
        "ver abajo,véase,ver más abajo,más abajo,más arriba,a continuación,siguientes,siguiente,haga clic,"
        "leer más,esta sección,esta página,todos los derechos reservados,cookie,este capítulo,"
        "este documento,este artículo,este libro,este manual,próxima sección,sección anterior,"
        "ya mencionado,ya mencionada,más información,más detalles"
    ),
    pointing_openers=("ver ", "véase ", "consulte "),
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
    intent_words=word_set("guida funziona funzionano migliore migliori consigli introduzione"),
    openers=phrase_list(
        "questo,questa,questi,queste,ciò,esso,essa,essi,tuttavia,quindi,perciò,ma,e,o,anche,poi,inoltre,"
        "per esempio,ad esempio,così,qui,sì,no"
    ),
    pointers=phrase_list(
        "vedi sotto,vedi sopra,qui sotto,di seguito,seguenti,seguente,vedi anche,clicca qui,leggi di più,"
        "questa sezione,questa pagina,tutti i diritti riservati,cookie,questo capitolo,questo documento,"
        "questo articolo,questo libro,questo manuale,prossima sezione,sezione precedente,"
        "già menzionato,maggiori informazioni,ulteriori informazioni,maggiori dettagli"
    ),
    pointing_openers=("vedi ", "consulta "),
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
    openers=phrase_list(
        "este,esta,isto,estes,estas,esse,essa,isso,ele,ela,eles,elas,no entanto,portanto,mas,e,ou,também,"
        "então,além disso,por exemplo,assim,aqui,sim,não"
    ),
    pointers=phrase_list(
        "veja abaixo,ver abaixo,abaixo,acima,a seguir,seguintes,seguinte,veja também,clique aqui,leia mais,"
        "esta seção,esta secção,esta página,todos os direitos reservados,cookie,este capítulo,"
        "este documento,este artigo,este livro,este manual,próxima seção,próxima secção,seção anterior,"
        "secção anterior,já mencionado,mais informações,mais detalhes"
    ),
    pointing_openers=("veja ", "ver ", "consulte "),
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
    openers=phrase_list(
        "dit,dat,deze,die,het,zij,ze,hij,echter,daarom,dus,maar,en,of,ook,dan,bovendien,daarnaast,"
        "bijvoorbeeld,hier,ja,nee,zulke,beide,hierbij,daarbij"
    ),
    pointers=phrase_list(
        "zie hieronder,zie hierboven,hieronder,hierboven,zie ook,volgende,klik hier,lees meer,deze sectie,"
        "deze paragraaf,deze pagina,alle rechten voorbehouden,cookie,dit hoofdstuk,dit document,dit artikel,"
        "dit boek,deze handleiding,volgende sectie,vorige sectie,al genoemd,meer informatie,meer details"
    ),
    pointing_openers=("zie ", "raadpleeg "),
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


def primary_subtag(language: str) -> str:
    """Return the language part of a BCP 47 tag: ``en-GB`` gives ``en``."""
    return language.replace("_", "-").split("-")[0].lower()


def lexicon(language: str) -> Lexicon:
    """Return the word lists of a BCP 47 language tag, the neutral ones when there are none."""
    return _TABLES.get(primary_subtag(language), _NEUTRAL)
