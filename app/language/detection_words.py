"""The commonest short words of languages that share a script: by them a text's language is told. Pure."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "en": (
        "the of and to in is that for it with as are on this be by you from or an your can not have will "
        "at if we was has which all they their more but when its there how what our these"
    ),
    "de": (
        "der die und das ist nicht in den von zu mit sich auf für ein eine im dem auch des als an werden "
        "es sie aus oder wird bei einen einer sind kann nach wie wenn über noch nur durch zum zur dass "
        "man ihre ich wir"
    ),
    "fr": (
        "le la les de des et est un une du dans pour que qui en pas sur avec il ce par plus au aux sont "
        "vous ne se votre nous ou cette ces mais être sans elle ont fait leur comme si son sa peut"
    ),
    "es": (
        "el la los las de que y en un una es por con para se no del al lo más como su sus o este esta son "
        "pero si entre cuando muy sin sobre también hay puede desde ser está todo nos qué ha"
    ),
    "it": (
        "il la di che e è un una per non in del della con si i le da sono al dei nel come più alla anche "
        "ma lo gli delle questo questa o se ha dal nella essere ci cui può dalla tra su degli"
    ),
    "pt": (
        "o a os as de que e em um uma do da para com não é por no na dos das se mais como ou ao sua seu "
        "são mas foi pode ser também isso este esta pelo pela nos você há está quando muito à"
    ),
    "nl": (
        "de het een en van is dat in te op met voor zijn niet aan er om ook als door maar dan bij of uit "
        "naar worden wordt kan deze heeft over tot wel je nog meer hun wij zich hebben kunnen onder geen"
    ),
    "sv": (
        "och att det som en är på av för med till den i inte om har ett de kan från eller när du så vi "
        "man men detta denna sig ska alla vid också här vara"
    ),
    "da": (
        "og at det er en den til af på som med for ikke i der et har de kan fra eller når du så vi man "
        "men dette denne sig skal alle ved også være blive hvis"
    ),
    "no": (
        "og å det er en som på av for med til den i ikke om har et de kan fra eller når du så vi man men "
        "dette denne seg skal alle ved også være hvis ble"
    ),
    "pl": (
        "i w nie na się z do to że jest jak o co a po za od przez dla są być lub może tym oraz które ten "
        "jego tego można także jeśli tylko ale przy"
    ),
    "cs": (
        "a se v na je že to s z do o i pro jako si jsou nebo by ale jeho po za být tak která které který "
        "pokud při může také když už není tento"
    ),
    "sk": (
        "a sa v na je že to s z do o i pre ako si sú alebo by ale jeho po za byť tak ktorá ktoré ktorý ak "
        "pri môže tiež keď už nie tento"
    ),
    "ro": (
        "și de în la a cu pe care este nu o un din să se pentru mai sau sunt că ca fi prin poate această "
        "ale fost dacă acest după între"
    ),
    "hu": (
        "a az és hogy nem is egy ez van de meg csak már ha vagy mint el ki kell lehet ezt azt még sem "
        "való volt lesz amely"
    ),
    "fi": (
        "ja on ei se että oli ovat tai kun jos myös joka mutta sen ole hän voi olla ne tämä kuin niin "
        "sekä vain jotka voidaan"
    ),
    "tr": (
        "ve bir bu için ile de da olarak daha olan gibi en çok ne veya ama ise değil kadar var sonra her "
        "o olduğu bunu tarafından"
    ),
    "id": (
        "yang dan di untuk dengan dari ini pada adalah ke tidak dapat akan itu oleh anda atau dalam juga "
        "bisa sebagai karena lebih ada telah"
    ),
    "vi": (
        "và của là có các cho một được không trong này với những người khi để từ bạn về đã như hoặc sẽ "
        "nếu trên cũng bằng"
    ),
    "ca": (
        "el la els les de que i en un una és per amb del al no es més com o aquest aquesta són però si "
        "també pot ser dels quan sense seva seu ha"
    ),
    "hr": (
        "i u je se na da za su od s što ne o kao koji koja koje ili iz ako to može nije biti će ali kada "
        "samo kako sve može"
    ),
    "ru": (
        "и в не на что с по это для как от к из или его но если при у за все можно так то же вы мы быть "
        "также они который чтобы"
    ),
    "uk": (
        "і в не на що з для як від або до це та про за його якщо при але у й може які бути також вони "
        "який щоб"
    ),
    "bg": ("и на в да се за от е с не по като са че до или това ако може при но един която което който също"),
    "sr": ("и у је се на да за су од са што не о као који која које или из ако то може није бити"),
    "ar": ("في من على أن إلى هذا هذه التي الذي عن مع كان لا ما أو هو هي قد كل بعد ذلك يمكن إذا حيث عند كما"),
    "fa": ("و در به از که این را با است برای آن یک می خود تا هم شما بر شود یا های اگر هر کنید نیز ها"),
    "ur": ("کے کی میں ہے کا اور سے کو یہ نے پر کہ ہیں ایک بھی اس ہو کر جو نہیں لیے"),
}
