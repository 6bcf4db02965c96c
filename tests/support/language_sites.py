"""Small sites about honey in several languages, as HTML; each page has two sections of real sentences."""

# ruff: noqa: E501 - each sentence stands on a line of its own

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LanguageSite:
    """A site in a language: its topic, and for each page a name and (heading, sentences) pairs."""

    language: str
    topic: str
    pages: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...]

    def html(self, number: int, lang: str | None = None) -> str:
        """A page's HTML; ``lang`` is what it declares."""
        name, sections = self.pages[number]
        glue = "" if self.language in ("ja", "zh") else " "
        body = "".join(f"<h2>{heading}</h2><p>{glue.join(written)}</p>" for heading, written in sections)
        declared = f' lang="{lang}"' if lang else ""
        return (
            f"<!doctype html><html{declared}><head><meta charset=utf-8><title>{name}</title></head>"
            f"<body><main><h1>{name}</h1>{body}</main></body></html>"
        )

    @property
    def sentences(self) -> list[str]:
        """All sentences of the site."""
        return [each for _, sections in self.pages for _, written in sections for each in written]


ENGLISH = LanguageSite("en", "honey", (
    ("Harvesting honey", (
        ("When honey is ripe", (
            "Honey is ripe when three quarters of the combs are capped and its water content is below 18 %.",
            "Most years that is around 3 July, e.g. six weeks after the blossom of the lime trees.")),
        ("Extracting honey", (
            "Honey flows best from the comb at 25 degrees, which is why the room stays warm all day.",
            "A colony gives up to 1,234.5 grams a comb in a year, said Dr. Keeper: “That is enough for all.”")))),
    ("Storing honey", (
        ("The jar for honey", (
            "Honey stays good for years in a closed jar that stands in a dark and cool place.",
            "Light and warmth harm the enzymes that honey contains by nature, so good honey needs patience and a dark shelf.")),
        ("Honey that has set", (
            "Honey sets after a few weeks, because the glucose in it slowly forms crystals.",
            "A water bath of at most 40 degrees makes honey liquid again and leaves its aroma as it was.")))),
    ("Buying honey", (
        ("What does honey cost?", (
            "Honey from our region costs between 5.50 and 9.00 pounds for a jar of 500 grams, depending on the kind.",
            "Honey from fir trees is dearer, because there is none in some years.")),
        ("Where honey comes from", (
            "Honey from this country carries the name and the address of its beekeeper on the label.",
            "On blends, the label names all countries that the honey comes from.")))),
))  # fmt: skip
GERMAN = LanguageSite("de", "Honig", (
    ("Honig ernten", (
        ("Wann Honig reif ist", (
            "Honig ist reif, wenn z. B. drei Viertel der Waben verdeckelt sind und der Wassergehalt unter 18 % liegt.",
            "Meist ist das am 3. Juli oder etwas später der Fall, ca. sechs Wochen nach der Blüte.")),
        ("Honig schleudern", (
            "Honig fließt bei 25 Grad am besten aus der Wabe, deshalb bleibt der Raum beim Schleudern warm.",
            "Ein Volk gibt im Jahr bis zu 1.234,5 Gramm je Wabe, sagte Dr. Imker: „Das reicht für alle.“")))),
    ("Honig lagern", (
        ("Das Glas für Honig", (
            "Honig bleibt im geschlossenen Glas an einem dunklen und kühlen Ort über Jahre hinweg gut.",
            "Licht und Wärme schaden den Enzymen, die im Honig von Natur aus enthalten sind.")),
        ("Fester Honig", (
            "Honig wird nach einigen Wochen fest, weil der Traubenzucker darin langsam Kristalle bildet.",
            "Im Wasserbad bei höchstens 40 Grad wird fester Honig wieder flüssig und verliert kein Aroma.")))),
    ("Honig kaufen", (
        ("Was kostet Honig?", (
            "Honig aus der Region kostet je nach Sorte zwischen 5,50 und 9,00 Euro für das Glas mit 500 Gramm.",
            "Sortenreiner Honig von der Tanne ist teurer, weil es ihn nicht in jedem Jahr gibt.")),
        ("Woher der Honig stammt", (
            "Honig aus Deutschland trägt auf dem Etikett den Namen und die Anschrift des Imkers.",
            "Bei Mischungen nennt das Etikett alle Länder, aus denen der Honig darin stammt.")))),
))  # fmt: skip
FRENCH = LanguageSite("fr", "miel", (
    ("Récolter le miel", (
        ("Quand le miel est mûr", (
            "Le miel est mûr quand les trois quarts des cadres sont operculés, p. ex. au début du mois de juillet.",
            "M. Dupont, apiculteur depuis 20 ans, dit souvent : « Le miel n’attend personne. »")),
        ("Extraire le miel", (
            "Le miel coule mieux à 25 degrés, c’est pourquoi la pièce reste chaude pendant toute l’extraction.",
            "Une ruche donne en moyenne 12,5 kg de miel par an dans notre région !")))),
    ("Conserver le miel", (
        ("Le pot de miel", (
            "Le miel se garde pendant des années dans un pot bien fermé, à l’abri de la lumière et de la chaleur.",
            "Un miel trop humide fermente, et il faut alors le consommer dans les semaines qui suivent.")),
        ("Le miel cristallisé", (
            "Le miel cristallise après quelques semaines, parce que le glucose y forme de petits cristaux.",
            "Un bain-marie à 40 degrés au plus rend le miel liquide sans lui faire perdre son goût.")))),
    ("Acheter du miel", (
        ("Combien coûte le miel ?", (
            "Le miel de nos ruches coûte entre 8,50 et 12,00 euros le pot de 500 grammes, selon la variété.",
            "Le miel de sapin est plus cher, car les abeilles n’en font pas tous les ans.")),
        ("L’étiquette du miel", (
            "Le miel porte sur son étiquette le nom et l’adresse de l’apiculteur qui l’a mis en pot.",
            "Pour un mélange, l’étiquette donne la liste des pays dont vient le miel.")))),
))  # fmt: skip
SPANISH = LanguageSite("es", "miel", (
    ("Cosechar la miel", (
        ("Cuándo está madura la miel", (
            "La miel está madura cuando las abejas han cerrado tres cuartas partes de los panales del cajón.",
            "La Sra. Díaz, p. ej., espera siempre hasta el mes de julio para abrir sus colmenas.")),
        ("Extraer la miel", (
            "La miel sale mejor de los panales a 25 grados, y por eso la sala se mantiene caliente todo el día.",
            "¿Cuánta miel da una colmena? ¡Hasta 12,5 kilos en un buen año de flores!")))),
    ("Guardar la miel", (
        ("El tarro de miel", (
            "La miel se conserva durante años en un tarro bien cerrado, lejos de la luz y del calor de la cocina.",
            "El exceso de agua hace que la miel fermente y pierda su sabor en pocas semanas.")),
        ("La miel cristalizada", (
            "La miel cristaliza después de unas semanas porque la glucosa forma en ella pequeños cristales.",
            "Un baño maría a 40 grados como máximo la vuelve líquida sin que pierda su aroma.")))),
    ("Comprar miel", (
        ("¿Cuánto cuesta la miel?", (
            "La miel de nuestras colmenas cuesta entre 7,50 y 11,00 euros el tarro de 500 gramos, según la flor.",
            "La miel de romero es la más barata, porque hay romero en todos los montes de la zona.")),
        ("La etiqueta de la miel", (
            "La miel lleva en la etiqueta el nombre y la dirección del apicultor que la ha envasado.",
            "En las mezclas, la etiqueta indica todos los países de los que viene la miel.")))),
))  # fmt: skip
RUSSIAN = LanguageSite("ru", "мёд", (
    ("Как собирают мёд", (
        ("Когда мёд созрел", (
            "Мёд считается зрелым, когда пчёлы запечатали воском три четверти сот и воды в нём меньше 18 %.",
            "В 2020 г. в нашей области это случилось в июле, т. е. через шесть недель после цветения липы.")),
        ("Как откачивают мёд", (
            "Мёд лучше всего вытекает из сот при 25 градусах, поэтому в комнате весь день держат тепло.",
            "Одна семья даёт за год до 12,5 кг мёда, а в хороший год и больше.")))),
    ("Как хранят мёд", (
        ("Банка для мёда", (
            "Мёд хранится годами в плотно закрытой банке, если держать её в тёмном и прохладном месте.",
            "Свет и тепло разрушают ферменты, которые есть в любом натуральном мёде.")),
        ("Почему мёд густеет", (
            "Мёд густеет через несколько недель, потому что глюкоза в нём образует мелкие кристаллы.",
            "На водяной бане при 40 градусах мёд снова становится жидким и не теряет вкуса.")))),
    ("Где купить мёд", (
        ("Сколько стоит мёд?", (
            "Мёд с нашей пасеки стоит от 500 до 900 руб. за банку весом 500 граммов, смотря по сорту.",
            "Гречишный мёд дешевле липового, потому что гречихи в области сеют больше.")),
        ("Что написано на банке", (
            "Мёд продают с этикеткой, на которой стоят имя и адрес пчеловода и год сбора.",
            "Для смеси на этикетке называют все страны, из которых привезён мёд.")))),
))  # fmt: skip
JAPANESE = LanguageSite("ja", "はちみつ", (
    ("はちみつの採り方", (
        ("はちみつが熟す時期", (
            "はちみつは、巣板の四分の三に蓋がかかり、水分が一八パーセントを下回ったころに熟したと言えます。",
            "当園では花が終わって六週間ほどたった七月の初めに、晴れた日の朝を選んで巣箱を開けています。")),
        ("はちみつを搾る", (
            "はちみつは二十五度くらいで一番よく流れるので、搾っている間は部屋を一日じゅう暖かくしておきます。",
            "園主はいつも「急がないこと。静かにすること。」と話し、巣板を一枚ずつ丁寧に扱います。")))),
    ("はちみつの保存", (
        ("はちみつの瓶", (
            "はちみつは、よく閉まる瓶に入れて暗くて涼しい場所に置けば、何年たってもおいしく食べられます。",
            "光と熱は、はちみつにもともと含まれている酵素を弱めるため、窓のそばには置かないでください。")),
        ("はちみつの結晶", (
            "はちみつは数週間たつと白く固まりますが、これはぶどう糖が小さな結晶になるためで、品質には問題ありません。",
            "四十度までのお湯で温めると、香りを失わずに元の液体に戻ります。")))),
    ("はちみつを買う", (
        ("はちみつの値段はいくらですか？", (
            "はちみつの値段は花の種類によって変わり、五百グラムの瓶で千五百円から三千円くらいです。",
            "とちの木のはちみつは採れない年もあるので、ほかの種類より少し高くなります。")),
        ("はちみつのラベル", (
            "はちみつのラベルには、養蜂家の名前と住所、それに採れた年がはっきりと書かれています。",
            "混ぜたものには、もとになったすべての国の名前が書かれています。")))),
))  # fmt: skip
CHINESE = LanguageSite("zh", "蜂蜜", (
    ("蜂蜜的采收", (
        ("蜂蜜成熟的时间", (
            "蜂蜜在巢脾四分之三封盖、含水量低于百分之十八的时候就算成熟，这时候可以开始采收。",
            "我们一般在七月初选一个晴朗的早晨打开蜂箱，那时花期已经过去六个星期。")),
        ("蜂蜜的分离", (
            "蜂蜜在二十五度左右流动得最好，所以分离的时候整个房间都要保持温暖，门窗也要关好。",
            "老师傅常说：“慢慢来。不要急。”他每次只拿一张巢脾，动作很轻。")))),
    ("蜂蜜的保存", (
        ("装蜂蜜的瓶子", (
            "蜂蜜装在密封的瓶子里，放在阴凉避光的地方，可以保存很多年，味道也不会变坏。",
            "光和热会破坏蜂蜜里天然的酶，因此瓶子不要放在窗边或者炉子旁边。")),
        ("蜂蜜的结晶", (
            "蜂蜜过几个星期会变成白色的固体，这是因为葡萄糖形成了细小的晶体，质量没有问题。",
            "用不超过四十度的温水加热，结晶的蜂蜜就会重新变成液体，香味也不会减少。")))),
    ("蜂蜜的购买", (
        ("蜂蜜多少钱一瓶？", (
            "蜂蜜的价格根据花的种类而定，五百克一瓶的大约是六十元到一百二十元，量大可以商量。",
            "椴树蜂蜜不是每年都有，所以比其他种类的蜂蜜贵一些。")),
        ("蜂蜜的标签", (
            "蜂蜜的标签上写着养蜂人的姓名和地址，还有采收的年份，买的时候要看清楚。",
            "混合的蜂蜜要在标签上写明所有来源国家的名称。")))),
))  # fmt: skip
ARABIC = LanguageSite("ar", "العسل", (
    ("جني العسل", (
        ("متى ينضج العسل", (
            "ينضج العسل عندما يغطي النحل ثلاثة أرباع الأقراص بالشمع وتقل نسبة الماء فيه عن 18 في المئة.",
            "يحدث ذلك عادة في شهر يوليو، أي بعد ستة أسابيع من انتهاء موسم الأزهار.")),
        ("استخراج العسل", (
            "يسيل العسل من الأقراص بسهولة عند 25 درجة، ولذلك تبقى الغرفة دافئة طوال يوم العمل.",
            "هل تعطي كل خلية الكمية نفسها؟ تعطي الخلية القوية حتى 12,5 كيلوغراما من العسل في السنة.")))),
    ("حفظ العسل", (
        ("وعاء العسل", (
            "يبقى العسل صالحا سنوات طويلة في وعاء مغلق جيدا في مكان مظلم وبارد بعيدا عن المطبخ.",
            "الضوء والحرارة يفسدان الإنزيمات الموجودة في العسل الطبيعي خلال أشهر قليلة.")),
        ("تبلور العسل", (
            "يتبلور العسل بعد بضعة أسابيع لأن سكر العنب يكون فيه بلورات صغيرة، وجودته لا تتغير.",
            "يعود العسل سائلا في حمام ماء لا تزيد حرارته على 40 درجة ولا يفقد رائحته.")))),
    ("شراء العسل", (
        ("كم يبلغ سعر العسل؟", (
            "يبلغ سعر العسل من مناحلنا بين 30 و60 دينارا للوعاء الذي يزن 500 غرام حسب نوع الزهر.",
            "عسل السدر أغلى من غيره لأن النحل لا يجنيه في كل سنة.")),
        ("بطاقة العسل", (
            "يحمل وعاء العسل بطاقة عليها اسم النحال وعنوانه وسنة الجني بخط واضح.",
            "في العسل المخلوط تذكر البطاقة جميع البلدان التي جاء منها.")))),
))  # fmt: skip

SWEDISH = LanguageSite("sv", "honung", (
    ("Skörda honung", (
        ("När honungen är mogen", (
            "Honung är mogen när bina har täckt tre fjärdedelar av ramarna med vax, t.ex. i början av juli.",
            "Ofta händer det ca sex veckor efter att linden har blommat i trakten.")),
        ("Slunga honung", (
            "Honung rinner bäst ur ramarna vid 25 grader, och därför hålls rummet varmt under slungningen.",
            "Ett bisamhälle ger i snitt 12,5 kg honung om året, säger biodlaren Karin Ek: ”Det räcker gott.”")))),
    ("Förvara honung", (
        ("Burken för honung", (
            "Honung håller sig i flera år i en tät burk som står mörkt och svalt.",
            "Ljus och värme skadar enzymerna som finns naturligt i honung.")),
        ("Fast honung", (
            "Honung blir fast efter några veckor, eftersom druvsockret bildar små kristaller.",
            "Ett vattenbad på högst 40 grader gör fast honung flytande igen utan att smaken försvinner.")))),
    ("Köpa honung", (
        ("Vad kostar honung?", (
            "Honung från våra bikupor kostar mellan 55 och 90 kronor för en burk på 500 gram.",
            "Ljunghonung är dyrare, eftersom ljungen inte blommar lika rikt varje år.")),
        ("Var honungen kommer ifrån", (
            "Honung från Sverige har biodlarens namn och adress på etiketten.",
            "För blandningar räknar etiketten upp alla länder som honungen kommer från.")))),
))  # fmt: skip
LANGUAGE_SITES = {
    each.language: each
    for each in (ENGLISH, GERMAN, FRENCH, SPANISH, SWEDISH, RUSSIAN, JAPANESE, CHINESE, ARABIC)
}
