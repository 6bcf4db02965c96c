"""Articles that a careful writer made by hand of the sites of ``language_sites``, as a model answers.

Each sentence names the heading of the section that it rests on, or nothing.
"""

# ruff: noqa: E501 - each sentence stands on a line of its own

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.content.evidence.units import EvidenceUnit
from tests.support.cloze_tests import filled
from tests.support.model_answers import NUMBERED, evidence_in

Said = tuple[str, str]
"""A sentence, and the heading of its evidence; empty for a sentence that states nothing."""


@dataclass(frozen=True)
class LanguageArticle:
    """The answers of a writer in one language, and the words of a reader's question."""

    title: str
    keyphrase: str
    description: str
    introduction: tuple[Said, ...]
    sections: tuple[tuple[str, tuple[Said, ...]], ...]
    question: tuple[str, tuple[Said, ...]]
    closing: tuple[str, str]

    def plan(self, units: dict[str, EvidenceUnit]) -> dict[str, Any]:
        """The answer to the prompt for a plan; ``units`` are the evidence by its heading."""
        return {
            "not_covered": False,
            "missing": [],
            "reader_question": self.question[0],
            "angle": self.title,
            "keyphrase": self.keyphrase,
            "title": self.title,
            "meta_title": self.title,
            "description": self.description,
            "sections": [
                {
                    "heading": heading,
                    "purpose": heading,
                    "key_points": [],
                    "evidence": list(dict.fromkeys(units[each].id for _, each in said if each)),
                    "words": 60,
                    "format": "prose",
                }
                for heading, said in self.sections
            ],
            "highlights": [units[each].id for _, each in self.introduction if each],
            "questions": [
                {"question": self.question[0], "evidence": [units[e].id for _, e in self.question[1]]}
            ],
            "closing": {"heading": self.closing[0], "purpose": self.closing[0]},
            "links": [],
            "gaps": [],
        }

    def draft(self, units: dict[str, EvidenceUnit]) -> dict[str, Any]:
        """The answer to the prompt for the article."""

        def block(said: tuple[Said, ...]) -> dict[str, Any]:
            sentences = [{"text": text, "evidence": [units[e].id] if e else []} for text, e in said]
            return {"kind": "p", "sentences": sentences, "header": [], "rows": []}

        return {
            "introduction": [block(self.introduction)],
            "sections": [{"heading": heading, "blocks": [block(said)]} for heading, said in self.sections],
            "questions": [{"question": self.question[0], "sentences": block(self.question[1])["sentences"]}],
            "closing": [block(((self.closing[1], ""),))],
        }


def supported(prompt: str) -> dict[str, Any]:
    """What an honest verifier says of these articles: every statement is supported, by the whole passage."""
    texts = {unit.id: " ".join(unit.text.split()) for unit in evidence_in(prompt)}
    return {
        "verdicts": [
            {
                "n": int(n),
                "blanks": filled(shown, _written()).fillings,
                "verdict": "supported",
                "words": texts[ids.split(", ")[0]],
            }
            if ids != "no evidence"
            else {"n": int(n), "blanks": [], "verdict": "no_claim", "words": ""}
            for n, ids, shown in NUMBERED.findall(prompt)
        ]
    }


def _written() -> Iterator[str]:
    """Every sentence of these articles: an honest verifier reads in the evidence what they say."""
    for each in ARTICLES.values():
        blocks = (each.introduction, *(said for _, said in each.sections), each.question[1])
        yield from (text for block in blocks for text, _ in block)


def nothing_revised(prompt: str) -> dict[str, Any]:
    """An answer to the prompt for a revision that no test should see."""
    raise AssertionError(f"a sentence was vetoed: {json.dumps(prompt, ensure_ascii=False)[-3000:]}")


ARTICLES = {
    "en": LanguageArticle(
        "Honey from the comb to your breakfast table",
        "honey",
        "When honey is ripe, how it is taken from the comb, what keeps it good for years and what a jar of honey costs in our shop today.",
        (("Good honey needs patience and a dark shelf.", "The jar for honey"),),
        (
            ("How ripe honey leaves the comb", (
                ("Wait until three quarters of the combs are capped.", "When honey is ripe"),
                ("The water content is below 18 % by then.", "When honey is ripe"),
                ("A warm room helps, because honey flows best at twenty-five degrees.", "Extracting honey"),
                ("So what comes next?", ""),
            )),
            ("Where honey stays good", (
                ("Closed, dark and cool: like this a jar lasts for years.", "The jar for honey"),
                ("If it sets, a water bath of at most 40 degrees makes it liquid again.", "Honey that has set"),
            )),
        ),
        ("What does honey cost?", (("A jar of 500 grams costs between 5.50 and 9.00 pounds, depending on the kind.", "What does honey cost?"),)),
        ("Before you buy", "Take the time to read the label before you choose."),
    ),
    "de": LanguageArticle(
        "Honig von der Wabe bis zum Frühstück",
        "honig",
        "Wann Honig reif ist, wie er aus der Wabe kommt, was ihn über Jahre gut hält und was ein Glas Honig aus der Region kostet.",
        (("Guter Honig braucht Geduld und einen dunklen Platz im Regal.", "Das Glas für Honig"),),
        (
            ("Wie der Honig aus der Wabe kommt", (
                ("Warten Sie, bis drei Viertel der Waben verdeckelt sind.", "Wann Honig reif ist"),
                ("Der Wassergehalt liegt dann unter 18 %.", "Wann Honig reif ist"),
                ("Bei fünfundzwanzig Grad fließt er am besten, darum bleibt der Raum warm.", "Honig schleudern"),
                ("Und was kommt danach?", ""),
            )),
            ("Wo Honig lange gut bleibt", (
                ("Geschlossen, dunkel und kühl hält er sich über Jahre.", "Das Glas für Honig"),
                ("Ist er fest geworden, macht ihn ein Wasserbad bei höchstens vierzig Grad wieder flüssig.", "Fester Honig"),
            )),
        ),
        ("Wie viel kostet Honig aus der Region?", (("Ein Glas mit 500 Gramm kostet zwischen 5,50 und 9,00 Euro, je nach Sorte.", "Was kostet Honig?"),)),
        ("Bevor Sie kaufen", "Nehmen Sie sich Zeit, das Etikett zu lesen, bevor Sie wählen."),
    ),
    "fr": LanguageArticle(
        "Le miel, de la ruche à votre table du matin",
        "miel",
        "Quand le miel est mûr, comment on l’extrait, ce qui le garde bon pendant des années et ce que coûte un pot de miel de nos ruches.",
        (("Un bon miel demande de la patience et un endroit sombre.", "Le pot de miel"),),
        (
            ("Comment le miel quitte les cadres", (
                ("Attendez que les trois quarts des cadres soient operculés.", "Quand le miel est mûr"),
                ("À vingt-cinq degrés il coule mieux, et la pièce reste donc chaude.", "Extraire le miel"),
                ("Et que faire ensuite ?", ""),
            )),
            ("Où garder le miel longtemps", (
                ("Dans un pot bien fermé, à l’abri de la lumière, il se garde pendant des années.", "Le pot de miel"),
                ("S’il a cristallisé, un bain-marie à quarante degrés au plus le rend liquide.", "Le miel cristallisé"),
            )),
        ),
        ("Quel est le prix du miel de nos ruches ?", (("Le pot de 500 grammes coûte entre 8,50 et 12,00 euros, selon la variété.", "Combien coûte le miel ?"),)),
        ("Avant d’acheter", "Prenez le temps de lire l’étiquette avant de choisir."),
    ),
    "es": LanguageArticle(
        "La miel, de la colmena a la mesa del desayuno",
        "miel",
        "Cuándo está madura la miel, cómo sale del panal, qué la mantiene buena durante años y cuánto cuesta un tarro de miel de nuestras colmenas.",
        (("Una buena miel pide paciencia y un lugar sin luz.", "El tarro de miel"),),
        (
            ("Cómo sale la miel del panal", (
                ("Espere hasta que las abejas hayan cerrado tres cuartas partes de los panales.", "Cuándo está madura la miel"),
                ("A veinticinco grados sale mejor, y por eso la sala se mantiene caliente.", "Extraer la miel"),
                ("¿Y qué viene después?", ""),
            )),
            ("Dónde se conserva la miel", (
                ("En un tarro bien cerrado y lejos de la luz se conserva durante años.", "El tarro de miel"),
                ("Si cristaliza, un baño maría a cuarenta grados como máximo la vuelve líquida.", "La miel cristalizada"),
            )),
        ),
        ("¿Qué precio tiene la miel de nuestras colmenas?", (("El tarro de 500 gramos cuesta entre 7,50 y 11,00 euros, según la flor.", "¿Cuánto cuesta la miel?"),)),
        ("Antes de comprar", "Tómese el tiempo de leer la etiqueta antes de elegir."),
    ),
    "ja": LanguageArticle(
        "はちみつが巣板から食卓に届くまでの話",
        "はちみつ",
        "はちみつが熟す時期、搾り方、何年たってもおいしい保存の仕方、そして瓶の値段までをまとめてご紹介します。はちみつ選びの参考にどうぞ。",
        (("おいしいはちみつには、暗くて涼しい場所がいちばんです。", "はちみつの瓶"),),
        (
            ("はちみつを巣板から搾るとき", (
                ("巣板の四分の三に蓋がかかるまで待ちます。", "はちみつが熟す時期"),
                ("二十五度くらいでよく流れるので、部屋は暖かくしておきます。", "はちみつを搾る"),
                ("では、そのあとはどうするのでしょうか。", ""),
            )),
            ("はちみつを長く楽しむには", (
                ("よく閉まる瓶に入れておけば、何年たってもおいしく食べられます。", "はちみつの瓶"),
                ("固まったら、四十度までのお湯で温めると液体に戻ります。", "はちみつの結晶"),
            )),
        ),
        ("はちみつの瓶はいくらで買えますか？", (("五百グラムの瓶で、千五百円から三千円くらいです。", "はちみつの値段はいくらですか？"),)),
        ("買う前に", "選ぶ前に、ラベルをゆっくり読んでみてください。"),
    ),
    "ar": LanguageArticle(
        "العسل من الخلية إلى مائدة الإفطار",
        "العسل",
        "متى ينضج العسل وكيف يستخرج من الأقراص وما الذي يحفظه سنوات طويلة وكم يبلغ سعر وعاء العسل من مناحلنا.",
        (("يحتاج العسل الجيد إلى الصبر وإلى مكان مظلم وبارد.", "وعاء العسل"),),
        (
            ("كيف يخرج العسل من الأقراص", (
                ("انتظر حتى يغطي النحل ثلاثة أرباع الأقراص بالشمع.", "متى ينضج العسل"),
                ("يسيل بسهولة عند خمس وعشرين درجة، ولذلك تبقى الغرفة دافئة.", "استخراج العسل"),
                ("وماذا بعد ذلك؟", ""),
            )),
            ("أين يبقى العسل صالحا", (
                ("في وعاء مغلق جيدا بعيدا عن المطبخ يبقى صالحا سنوات طويلة.", "وعاء العسل"),
                ("وإذا تبلور يعود سائلا في حمام ماء لا تزيد حرارته على أربعين درجة.", "تبلور العسل"),
            )),
        ),
        ("ما سعر العسل من مناحلنا؟", (("سعر الوعاء الذي يزن 500 غرام بين 30 و60 دينارا حسب نوع الزهر.", "كم يبلغ سعر العسل؟"),)),
        ("قبل أن تشتري", "خذ وقتك في قراءة البطاقة قبل أن تختار."),
    ),
}  # fmt: skip
