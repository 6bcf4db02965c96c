"""The word lists of languages in other scripts than the Latin one. They have no fixed lines."""

from __future__ import annotations

from typing import Final

from app.language.lexicon_table import Lexicon, phrase_list, word_set

RU: Final = Lexicon(
    stopwords=word_set(
        "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только её ее "
        "мне было вот от меня ещё еще нет о из ему для при или если их чем это этот эта эти этой того "
        "том тем мы наш ваш быть есть был была были будет до под над без через после перед между также "
        "который которая которые можно нужно где когда почему кто зачем какой какая какие сколько"
    ),
    intent_words=word_set(
        "работает работают руководство советы лучший лучшие лучшая выбрать сделать введение обзор начать"
    ),
    boilerplate=phrase_list("все права защищены,cookie,куки"),
    question_words=phrase_list(
        "что,почему,как,когда,где,кто,какой,какая,какие,сколько,можно,зачем,чем,нужно,ли"
    ),
    generic=word_set("главная содержание контакты пример примеры примечание заметки обзор введение новости")
    | frozenset(
        phrase_list("вопросы и ответы,часто задаваемые вопросы,о нас,см. также,политика конфиденциальности")
    ),
)

AR: Final = Lexicon(
    stopwords=word_set(
        "في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين أن ان إن لا ما لم لن كان كانت هو هي هم "
        "قد كل بعض أو او ثم بعد قبل عند حيث كما إذا اذا بين حتى أي غير كيف لماذا متى أين هل و يمكن"
    ),
    intent_words=word_set("دليل نصائح أفضل شرح مقدمة طريقة يعمل تعمل اختيار"),
    boilerplate=phrase_list("جميع الحقوق محفوظة,ملفات تعريف الارتباط"),
    question_words=phrase_list("ما,ماذا,لماذا,كيف,متى,أين,من,هل,كم,أي"),
    generic=word_set("الرئيسية المحتويات اتصل مثال أمثلة ملاحظة ملاحظات مقدمة")
    | frozenset(phrase_list("أسئلة شائعة,الأسئلة الشائعة,من نحن,اتصل بنا,انظر أيضا,سياسة الخصوصية")),
    beginnings=("وال", "بال", "كال", "فال", "لل", "ال"),
)

JA: Final = Lexicon(
    intent_words=word_set("方 法 方法 選 選択 作 使 入門 解説 紹介 一覧"),
    boilerplate=phrase_list("無断転載,クッキー,cookie"),
    generic=word_set("ホーム 目次 お問い合わせ 例 注意 注 概要 はじめに 索引 会社概要 お知らせ")
    | frozenset(phrase_list("よくある質問,よくあるご質問,関連項目,関連記事,プライバシーポリシー,利用規約")),
)

ZH: Final = Lexicon(
    stopwords=word_set(
        "的 了 是 在 和 与 與 及 或 有 不 这 這 那 如 何 什 么 麼 怎 为 為 吗 嗎 呢 也 都 就 而 于 於 之 "
        "个 個 我 你 他 它 们 們 请 請 会 會 可 以 能 要 把 被 从 從 到 对 對 中"
    ),
    intent_words=word_set("选 選 择 擇 指 南 教 程 方 法 介 绍 紹"),
    boilerplate=phrase_list("版权所有,版權所有,cookie"),
    generic=word_set(
        "首页 首頁 目录 目錄 联系我们 聯絡我們 示例 例子 注意 概述 简介 簡介 新闻 新聞 关于我们 關於我們"
    )
    | frozenset(phrase_list("常见问题,常見問題,相关文章,相關文章,隐私政策,隱私政策")),
)
