"""The words by which a text points at another part of itself, per language. Data for ``references``.

Long because it is one table: what is pointed with in one language is in every other.

A word that ends in ``~`` has any ending. Phrases are parted by commas, words by blanks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class ReferenceWords:
    """Words of one language.

    ``deictic`` adverbs say where in a text ("below"), ``showing`` are verbs of showing and telling, ``parts``
    the parts of a document, ``numbered`` other things that a text numbers. ``beside`` tells one part from the
    next ("previous"), ``these`` are demonstratives, ``backward`` what begins a sentence that leans on the one
    before. ``alike`` precedes a verb of showing ("as shown"), ``see`` begins an invitation to look elsewhere.
    ``here`` stands for a link when it ends a sentence, ``always`` are phrases that point wherever they stand.
    ``ahead`` are phrases that tell that something follows, ``counting`` (patterns) begins a sentence that
    counts up what follows. ``articles`` stand for what was said unless a noun follows, known by its capital.
    ``joining`` words before ``pronouns`` begin a clause that leans back: "If they".
    ``times`` follow a demonstrative without pointing at anything said ("this year"). ``telling`` verbs with a
    place ``within`` which something is told name another text ("explained in our course").
    """

    deictic: str = ""
    showing: str = ""
    parts: str = ""
    numbered: str = ""
    beside: str = ""
    these: str = ""
    backward: str = ""
    alike: str = ""
    see: str = ""
    here: str = ""
    always: str = ""
    ahead: str = ""
    counting: str = ""
    articles: str = ""
    joining: str = ""
    pronouns: str = ""
    times: str = ""
    telling: str = ""
    within: str = ""


_EN: Final = ReferenceWords(
    deictic=(
        "above below earlier later previously already further~ overleaf beforehand individually separately"
    ),
    showing=(
        "shown shows given mentioned listed lists described describes discussed explained explains "
        "defined introduced presented noted stated specified detailed seen saw see illustrated "
        "documented linked outlined said covered referenced demonstrated"
    ),
    parts=(
        "section sections chapter chapters page pages table tables figure figures fig example examples "
        "paragraph paragraphs appendix listing listings diagram chart picture image illustration "
        "screenshot article guide tutorial howto manual post document book sidebar list instructions "
        "code snippet script output documentation docs"
    ),
    numbered=(
        "step steps point points item items rule rules option options job jobs case cases row rows "
        "column columns question questions exercise part method approach command commands formula "
        "function procedure program query queries statement elements operations notes warnings"
    ),
    beside="next previous preceding following",
    these="this these those",
    backward=(
        "this,that,these,those,it,its,they,them,their,he,she,his,her,however,therefore,thus,hence,but,"
        "and,or,so,also,then,instead,otherwise,moreover,furthermore,additionally,besides,nevertheless,"
        "consequently,as a result,for example,for instance,e.g.,in this case,in that case,in contrast,on "
        "the other hand,such,both,similarly,likewise,again,still,yet,another,the latter,the former,here,"
        "yes,no,neither,either,because of this,the following,the above,until now,earlier,now that,the "
        "same,the other,the others,one of them,some of them,most of them,all of them,each of them,if so,"
        "if not,note that this,after that,before that,after this,before this,in addition,even so,that "
        "said"
    ),
    alike="as",
    see="see refer recall",
    here="here",
    always=(
        "the above,the latter,the former,further down,further up,further on,as above,as below,as we saw,"
        "as we have,we have seen,so far,see also,see sidebar,click here,read more,more information,for "
        "details,for more details,more details about,please refer to,click the link,at this next,at that "
        "next,you will soon,you’ll soon,you'll soon,will be discussed,will be described,will be covered,"
        "rest of this,this whole,will follow these"
    ),
    ahead="the following,as follows",
    counting=(
        "there are (?:two|three|four|five|six|seven|eight|several|many|various|a few|some),here "
        "(?:is|are),(?:below|above) (?:is|are),consider,the next,such routines,the steps are,these are,"
        "now for,(?:let us|let's|let’s|lets)(?: now)? (?:see|look)"
    ),
    joining=(
        "if when once while because although though after before unless until since as with for in of to "
        "from by on at without like despite"
    ),
    pronouns="it they them this these those that he she him her its their",
    times=(
        "year years month months week weeks morning evening afternoon day days time times way summer "
        "winter spring autumn season"
    ),
    telling="explained described discussed documented detailed outlined",
    within="in on under",
)

_DE: Final = ReferenceWords(
    deictic=(
        "oben unten weiter vorher zuvor bereits später vorstehend nachstehend nachfolgend hierunter vorhin"
    ),
    showing=(
        "beschrieben~ gezeigt~ erwähnt~ genannt~ aufgeführt~ erklärt~ erläutert~ dargestellt~ angegeben~ "
        "gelistet~ besprochen~ gesehen abgebildet~ siehe"
    ),
    parts=(
        "abschnitt~ kapitel~ seite seiten tabelle tabellen abbildung abbildungen abb beispiel~ absatz "
        "anhang artikel~ beitrag~ handbuch~ dokument~ buch buches anleitung grafik liste bild"
    ),
    numbered="schritt schritte schritten punkt punkte regel regeln frage fragen zeile zeilen spalte teil",
    beside="nächste~ vorige~ vorherige~ vorangehende~ folgende~ obige~ letzte~ vorstehende~ nachstehende~",
    these="dies~",
    backward=(
        "dies,diese,dieser,dieses,diesem,diesen,es,sie,er,ihm,ihr,jedoch,deshalb,daher,aber,und,oder,"
        "auch,dann,stattdessen,außerdem,zudem,ferner,beispielsweise,zum beispiel,z. b.,hier,ja,nein,"
        "solche,solcher,beide,ebenso,dabei,dazu,dafür,damit,davon,danach,darauf,darum,trotzdem,dennoch,"
        "ersterer,erstere,letzterer,letztere,letzteres"
    ),
    alike="wie",
    see="siehe vgl vergleiche",
    here="hier",
    always=(
        "wie oben,wie unten,weiter unten,weiter oben,letztere~,erstere~,obig~,oben genannt~,hier klicken,"
        "klicken sie hier,mehr lesen,weiterlesen,weitere informationen,mehr informationen,siehe"
    ),
    ahead="folgende,folgenden,folgendes,folgender,nachstehend~,nachfolgend~",
    counting="es gibt (?:zwei|drei|vier|fünf|sechs|mehrere|verschiedene|einige),hier (?:ist|sind),nun zu",
    articles="das",
    joining=(
        "wenn falls sobald weil obwohl nachdem bevor da mit für ohne bei nach von aus durch "
        "ist sind war waren wird werden hat haben kann können soll sollen muss müssen fehlt fehlen"
    ),
    pronouns="sie es er dies diese diesen diesem dieser ihm ihnen",
    times="jahr jahre woche monat monate tag tage zeit weise morgen abend sommer winter",
    telling="erklärt erläutert beschrieben~ besprochen~",
    within="in im auf unter",
)

_FR: Final = ReferenceWords(
    deictic="ci-dessous ci-dessus ci-après précédemment plus déjà ci-contre",
    showing=(
        "mentionné~ décrit~ indiqué~ présenté~ expliqué~ cité~ évoqué~ montré~ illustré~ détaillé~ voir "
        "vu vue dit"
    ),
    parts=(
        "section sections chapitre chapitres page pages tableau tableaux figure figures exemple exemples "
        "paragraphe annexe article livre manuel document encadré liste schéma guide"
    ),
    numbered="étape étapes point points règle règles ligne lignes colonne question questions partie",
    beside="suivant~ précédent~ prochain~ dernier dernière",
    these="ce cet cette ces",
    backward=(
        "ce,cet,cette,ces,cela,ceci,c'est,c’est,il,elle,ils,elles,cependant,donc,mais,et,ou,aussi,"
        "ensuite,toutefois,par exemple,en effet,de plus,en outre,ici,oui,non,ainsi,celui-ci,celle-ci,"
        "ceux-ci,celles-ci,ce dernier,cette dernière,néanmoins,sinon,dans ce cas,pour cela"
    ),
    alike="comme",
    see="voir voyez consultez cf",
    here="ici",
    always=(
        "ci-dessus,ci-contre,ce dernier,cette dernière,ces derniers,cliquez ici,en savoir plus,plus "
        "d'informations,plus d’informations,plus de détails,voir aussi,voir l'encadré,voir l’encadré,"
        "voir la,voir le,comme nous l'avons,comme nous l’avons"
    ),
    ahead="ci-dessous,ci-après,suivants,suivantes,le suivant,la suivante",
    counting=(
        "il y a (?:deux|trois|quatre|cinq|six|plusieurs),il existe (?:deux|trois|plusieurs),voici,voilà"
    ),
    joining="si quand lorsque avec pour sans dans après avant parce",
    pronouns="il elle ils elles cela ceci celui-ci celle-ci eux",
    times="année années mois semaine jour jours fois matin soir été hiver qui que dernier sont soit type",
    telling="expliqué~ décrit~ détaillé~",
    within="dans sur",
)

_ES: Final = ReferenceWords(
    deictic="abajo arriba anteriormente previamente antes después ya",
    showing=(
        "mencionad~ descrit~ indicad~ mostrad~ explicad~ citad~ detallad~ presentad~ visto vista ver véase"
    ),
    parts=(
        "sección secciones capítulo capítulos página páginas tabla tablas figura figuras ejemplo "
        "ejemplos párrafo anexo apéndice artículo libro manual documento lista gráfico imagen guía"
    ),
    numbered="paso pasos punto puntos regla reglas fila columna pregunta preguntas parte",
    beside="siguiente~ anterior~ próxim~ precedente~ últim~",
    these="este esta estos estas ese esa esos esas",
    backward=(
        "este,esta,esto,estos,estas,ese,esa,eso,esos,esas,él,ella,ello,ellos,ellas,sin embargo,por lo "
        "tanto,por tanto,pero,y,o,también,entonces,además,por ejemplo,así,aquí,sí,no,asimismo,en este "
        "caso,este último,esta última,no obstante,ambos,ambas"
    ),
    alike="como según",
    see="ver véase consulte vea",
    here="aquí",
    always=(
        "más abajo,más arriba,este último,esta última,haga clic,haz clic,leer más,más información,más "
        "detalles,véase,ver también,ver abajo,ver arriba"
    ),
    ahead="siguiente,siguientes,a continuación",
    counting=(
        "hay (?:dos|tres|cuatro|cinco|seis|varios|varias|muchos),existen (?:dos|tres|varios|varias),he aquí"
    ),
    joining="si cuando con para sin en tras por",
    pronouns="esto eso ello ellos ellas él ella este esta",
    times="año años mes meses semana día días vez mañana tarde verano invierno modo",
    telling="explicad~ descrit~ detallad~",
    within="en",
)

_IT: Final = ReferenceWords(
    deictic="sotto sopra precedentemente prima dopo già",
    showing=(
        "menzionat~ descritt~ indicat~ mostrat~ spiegat~ citat~ illustrat~ presentat~ visto vista vedi detto"
    ),
    parts=(
        "sezione sezioni capitolo capitoli pagina pagine tabella tabelle figura figure esempio esempi "
        "paragrafo appendice allegato articolo libro manuale documento elenco grafico immagine guida"
    ),
    numbered="passo passi passaggio punto punti regola regole riga colonna domanda domande parte",
    beside="seguent~ precedent~ prossim~ successiv~ ultim~",
    these="questo questa questi queste quel quello quella quelle quegli",
    backward=(
        "questo,questa,questi,queste,quello,quella,ciò,esso,essa,essi,esse,lui,lei,tuttavia,quindi,"
        "perciò,ma,e,o,anche,poi,inoltre,per esempio,ad esempio,così,qui,sì,no,in questo caso,"
        "quest'ultimo,quest’ultimo,entrambi,entrambe"
    ),
    alike="come",
    see="vedi vedere consulta cfr",
    here="qui",
    always=(
        "qui sotto,qui sopra,quest'ultimo,quest’ultimo,quest'ultima,quest’ultima,clicca qui,leggi di più,"
        "maggiori informazioni,ulteriori informazioni,maggiori dettagli,vedi anche,vedi sotto,vedi sopra"
    ),
    ahead="seguente,seguenti,di seguito",
    counting="ci sono (?:due|tre|quattro|cinque|sei|vari|varie|diversi|diverse|alcuni|alcune|molti),ecco",
    joining="se quando con per senza in dopo",
    pronouns="questo questa ciò esso essa essi loro",
    times="anno anni mese mesi settimana giorno giorni volta mattina sera estate inverno modo",
    telling="spiegat~ descritt~ illustrat~",
    within="in nel nella su sul sulla",
)

_PT: Final = ReferenceWords(
    deictic="abaixo acima anteriormente previamente antes depois já",
    showing=(
        "mencionad~ descrit~ indicad~ mostrad~ explicad~ citad~ detalhad~ apresentad~ visto vista ver veja"
    ),
    parts=(
        "secção seção secções seções capítulo capítulos página páginas tabela tabelas figura figuras "
        "exemplo exemplos parágrafo anexo apêndice artigo livro manual documento lista gráfico imagem "
        "guia"
    ),
    numbered="passo passos ponto pontos regra regras linha coluna pergunta perguntas parte",
    beside="seguinte~ anterior~ próxim~ precedente~ últim~",
    these="este esta estes estas esse essa esses essas",
    backward=(
        "este,esta,isto,estes,estas,esse,essa,isso,esses,essas,ele,ela,eles,elas,no entanto,portanto,mas,"
        "e,ou,também,então,além disso,por exemplo,assim,aqui,sim,não,neste caso,nesse caso,este último,"
        "ambos,ambas"
    ),
    alike="como conforme",
    see="ver veja consulte",
    here="aqui",
    always=(
        "mais abaixo,mais acima,este último,esta última,clique aqui,leia mais,saiba mais,mais "
        "informações,mais detalhes,ver também,veja também,ver abaixo,ver acima"
    ),
    ahead="seguinte,seguintes,a seguir",
    counting=(
        "há (?:dois|duas|três|quatro|cinco|seis|vários|várias|muitos),existem (?:dois|duas|três|vários),eis"
    ),
    joining="se quando com para sem em após por",
    pronouns="isto isso ele ela eles elas este esta",
    times="ano anos mês meses semana dia dias vez manhã tarde verão inverno modo",
    telling="explicad~ descrit~ detalhad~",
    within="em no na",
)

_NL: Final = ReferenceWords(
    deictic="hieronder hierboven eerder later verderop onderstaand~ bovenstaand~ boven onder al",
    showing=(
        "beschreven getoond genoemd~ vermeld~ uitgelegd aangegeven weergegeven besproken opgesomd gezien "
        "zie toegelicht"
    ),
    parts=(
        "sectie secties paragraaf paragrafen hoofdstuk hoofdstukken pagina tabel tabellen figuur figuren "
        "afbeelding voorbeeld voorbeelden bijlage artikel boek handleiding document lijst gids alinea"
    ),
    numbered="stap stappen punt punten regel regels vraag vragen rij kolom deel",
    beside="volgende vorige voorgaande bovenstaande onderstaande laatste",
    these="dit dat deze die",
    backward=(
        "dit,dat,deze,die,het,hij,zij,ze,hen,echter,daarom,dus,maar,en,of,ook,dan,bovendien,daarnaast,"
        "bijvoorbeeld,hier,ja,nee,zulke,beide,hierbij,daarbij,daarmee,hiermee,daarna,toch,in dat geval,"
        "laatstgenoemde,eerstgenoemde"
    ),
    alike="zoals",
    see="zie raadpleeg",
    here="hier",
    always=(
        "hierboven,bovenstaand~,laatstgenoemde,eerstgenoemde,klik hier,lees meer,meer informatie,meer "
        "details,zie ook"
    ),
    ahead="volgende,hieronder,onderstaand~",
    counting="er zijn (?:twee|drie|vier|vijf|zes|verschillende|meerdere|veel),hier (?:is|zijn)",
    joining="als wanneer zodra omdat hoewel met voor zonder in na",
    pronouns="het ze zij hij dit deze hen hem",
    times="jaar jaren maand maanden week dag dagen keer manier ochtend avond zomer winter",
    telling="uitgelegd beschreven toegelicht",
    within="in op",
)

_RU: Final = ReferenceWords(
    deictic="выше ниже ранее далее",
    showing="описан~ показан~ указан~ приведен~ приведён~ упомянут~ перечислен~ рассмотрен~ см смотрите",
    parts="раздел~ глав~ страниц~ таблиц~ рисун~ пример~ стать~ руководств~ документ~ книг~ приложени~",
    numbered="шаг~ пункт~ правил~ вопрос~",
    beside="следующ~ предыдущ~ прошл~ последн~",
    these="этот эта это эти этой этом этого",
    backward=(
        "это,этот,эта,эти,он,она,оно,они,его,её,ее,их,однако,поэтому,но,и,а,или,также,затем,тогда,кроме "
        "того,например,к примеру,таким образом,здесь,да,нет,такой,такая,такие,оба,при этом,для этого"
    ),
    alike="как",
    see="см смотрите",
    here="здесь",
    always="см. ниже,см. выше,смотрите также,см. также,нажмите здесь,читать далее,подробнее,на рисунке",
    ahead="следующие,следующих,следующее,следующая",
    counting="есть (?:два|две|три|четыре|несколько),существует (?:два|две|три|несколько),вот",
)

_AR: Final = ReferenceWords(
    deictic="أدناه أعلاه سابقا لاحقا",
    showing="مذكور~ موضح~ المذكور~ الموضح~ مبين~ انظر",
    parts="القسم الصفحة الجدول الشكل الفصل المثال المقال الدليل",
    numbered="الخطوة الخطوات النقطة",
    beside="التالي~ السابق~",
    these="هذا هذه",
    backward=(
        "هذا,هذه,ذلك,تلك,هو,هي,هم,لكن,ولكن,لذلك,ولذلك,أيضا,كذلك,ثم,مثلا,على سبيل المثال,هنا,نعم,لا,كما,"
        "ومع ذلك"
    ),
    alike="كما",
    see="انظر راجع",
    here="هنا",
    always="أدناه,أعلاه,انظر,اضغط هنا,انقر هنا,اقرأ المزيد",
    ahead="التالية",
    counting="هناك (?:ثلاثة|ثلاث|أربعة|عدة),إليك",
)

_JA: Final = ReferenceWords(
    backward="これ,それ,あれ,この,その,あの,ここ,そこ,しかし,また,そして,だから,そのため,したがって,ただし,なお,さらに,例えば,たとえば,つまり,はい,いいえ,同様に,一方",
    always=(
        "下記,上記,以下の,次の表,次の図,下の図,上の図,下の表,上の表,こちらを,こちらから,詳しくはこちら,続きを読む,前述,後述,前章,次章,本章,前節,次節,このページ,このセクション,"
        "この記事,本記事,参照してください,ここをクリック"
    ),
    counting="次に,以下",
)

_ZH: Final = ReferenceWords(
    backward="这,這,那,它,他,她,此,但,但是,然而,因此,所以,而且,并且,另外,此外,例如,比如,同样,然后,是的,不,其中,同时",
    always=(
        "如下,见下,見下,见上,見上,下图,下圖,上图,上圖,下表,上表,上述,前述,下述,后文,後文,前文,下一节,上一节,点击这里,點擊這裡,阅读更多,閱讀更多,本节,本節,本章,本页,本頁,"
        "本文,请参阅,請參閱,参见,參見"
    ),
    counting="以下",
)

TABLES: Final = {
    "en": _EN, "de": _DE, "fr": _FR, "es": _ES, "it": _IT, "pt": _PT, "nl": _NL,
    "ru": _RU, "ar": _AR, "ja": _JA, "zh": _ZH,
}  # fmt: skip
