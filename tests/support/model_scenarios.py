"""How the models of the fake server behave: each scenario is the name of a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.support import model_answers
from tests.support.cloze_tests import filled
from tests.support.model_exchange import Exchange, chunk

FIGURE = "73.4"
"""A number that no page of the tests contains."""

STRANGER = "Wolfgang Petersen"
INVENTED = (
    f"Experts found that {FIGURE} percent of beehives are sold for 4,999 dollars.",
    f"{STRANGER} says that every beehive needs frames and a stand.",
    "Keepers call it “the loudest box of them all”.",
)
"""Sentences with a figure, a name and a quote that nobody said."""

FOREIGN = "https://evil.example/offer"
HALF = "\ud800"
NUL = "\0"
BEE = "\ud83d\udc1d"
"""The two halves of one character."""


def ok(asked: Exchange) -> None:
    """Answer as a good model does."""
    asked.say(model_answers.answer(asked.body["messages"]))


def altered(change: Callable[[dict[str, Any]], None], *tasks: str) -> Callable[[Exchange], None]:
    """Answer as a good model does, but with each sentence changed."""

    def respond(asked: Exchange) -> None:
        data = model_answers.grounded(asked.body["messages"])
        if not tasks or asked.task in tasks:
            for sentence in sentences_in(data):
                change(sentence)
        asked.say(json.dumps(data))

    return respond


def sentences_in(data: Any) -> Iterator[dict[str, Any]]:
    """All sentences of an answer, wherever they are."""
    if isinstance(data, dict):
        if set(data) == {"text", "evidence"}:
            yield data
        for value in data.values():
            yield from sentences_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from sentences_in(value)


def added(*texts: str) -> Callable[[Exchange], None]:
    """Answer well, with sentences of one's own in each paragraph of the draft, cited to real evidence."""

    def respond(asked: Exchange) -> None:
        data = model_answers.grounded(asked.body["messages"])
        for paragraph in paragraphs_in(data) if asked.task == "write the article" else ():
            cited = next((each["evidence"] for each in paragraph if each["evidence"]), [])
            paragraph += [{"text": text, "evidence": cited} for text in texts if cited]
        asked.say(json.dumps(data))

    return respond


def paragraphs_in(data: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The sentences of each paragraph and answer of a draft."""
    blocks = [*data["introduction"], *(each for section in data["sections"] for each in section["blocks"])]
    return [part["sentences"] for part in (*blocks, *data["questions"])]


def credulous(respond: Callable[[Exchange], None]) -> Callable[[Exchange], None]:
    """Write so, and find every sentence supported by the whole of the first evidence that it names."""

    def verify(asked: Exchange) -> None:
        prompt = asked.body["messages"][-1]["content"]
        units = {unit.id: unit.text for unit in model_answers.evidence_in(prompt)}
        numbered = model_answers.NUMBERED.findall(prompt)
        verdicts = [
            {
                "n": int(number),
                "blanks": filled(shown, units.values()).fillings,
                "verdict": "supported",
                "words": units.get(ids.split(", ")[0], ""),
            }
            for number, ids, shown in numbered
        ]
        asked.say(json.dumps({"verdicts": verdicts}))

    return lambda asked: (verify if asked.task == "check sentences" else respond)(asked)


def first(times: int, respond: Callable[[Exchange], None]) -> Callable[[Exchange], None]:
    """Do this for the first questions, then be good."""
    return lambda asked: (respond if asked.number <= times else ok)(asked)


def html_page(asked: Exchange) -> None:
    text = b"<html><body>Welcome to the captive portal</body></html>"
    asked._head(200, {"Content-Type": "text/html", "Content-Length": str(len(text))})
    asked.handler.wfile.write(text)


def drop(asked: Exchange) -> None:
    """Announce a longer answer than is sent: the connection ends early."""
    event = f"data: {json.dumps(chunk('Half'))}\n\n".encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    asked.handler.wfile.write(head + f"{len(event):x}\r\n".encode() + event + b"\r\n")
    asked.handler.close_connection = True


def thinks(asked: Exchange) -> None:
    """Say one word and no other."""
    asked.stream(chunk("Well"))
    asked.hang()


def slow(asked: Exchange) -> None:
    """Answer well, a few letters a second."""
    asked.stream()
    for letter in model_answers.answer(asked.body["messages"]):
        asked.handler.wfile.write(f"data: {json.dumps(chunk(letter))}\n\n".encode())
        asked.handler.wfile.flush()
        if asked.released.wait(0.2):
            return


def huge(asked: Exchange) -> None:
    asked.stream()
    event = f"data: {json.dumps(chunk('more ' * 2000))}\n\n".encode()
    for _ in range(2000):
        asked.handler.wfile.write(event)


def without_schema(asked: Exchange) -> None:
    """Know no response_format, and wrap the answer in a fence."""
    if "response_format" in asked.body:
        asked.refuse(400, "unknown_parameter", "unknown field response_format")
    else:
        asked.say(f"```json\n{model_answers.answer(asked.body['messages'])}\n```")


def is_long(asked: Exchange) -> bool:
    """Whether a question contains more than two thirds of the evidence that is first shown."""
    return len(model_answers.evidence_in(asked.body["messages"][-1]["content"])) > 10


def short_context(asked: Exchange) -> None:
    """Take no question with all of the evidence."""
    if is_long(asked):
        asked.refuse(400, "context_length_exceeded", "maximum context length is 512 tokens")
    else:
        ok(asked)


def short_window(asked: Exchange) -> None:
    """Have too small a context for a question with all of the evidence."""
    if is_long(asked):
        asked.say('{"title": "A po', finish="length")
    else:
        ok(asked)


def boasting(asked: Exchange) -> None:
    """Answer well, but put what nobody said into title, headings, questions and the search entry."""
    data = model_answers.grounded(asked.body["messages"])
    if asked.task == "plan the article":
        data["title"] = f"Why {FIGURE} percent buy a beehive"
        data["meta_title"] = f"A beehive for {FIGURE} percent of all people"
        data["description"] = (
            f"Why {FIGURE} percent of all people buy a beehive, and what {STRANGER} says of it."
        )
        data["sections"][0]["heading"] = f"How {FIGURE} people keep a beehive"
        data["sections"][1]["key_points"].append(f"what {STRANGER} says of it, and why it is so")
        data["questions"].append({"question": f"Why is {FIGURE} right?", "evidence": []})
    asked.say(json.dumps(data))


def bragging(asked: Exchange) -> None:
    """Answer well, but plan headings that nobody would have written."""
    data = model_answers.grounded(asked.body["messages"])
    if asked.task == "plan the article":
        for number, section in enumerate(data["sections"]):
            section["heading"] = f"What {STRANGER} says of reason {number}"
    asked.say(json.dumps(data))


def uncovered(asked: Exchange) -> None:
    """Say that the pages do not cover the topic."""
    data = model_answers.grounded(asked.body["messages"])
    data |= {"not_covered": True, "missing": ["what a queen bee costs", "when to feed"], "sections": []}
    asked.say(json.dumps(data))


def unstorable(asked: Exchange, *, escaped: bool) -> None:
    """Answer well, but with half a character and a NUL in texts and ids, as they are or as JSON escapes."""
    data = model_answers.grounded(asked.body["messages"])
    for number, sentence in enumerate(sentences_in(data)):
        sentence["text"] = f"{NUL}{sentence['text'][:-1]}{HALF}."
        sentence["evidence"] = [f"{HALF}{each}{NUL}" for each in sentence["evidence"]]
        sentence["evidence"] += [] if number else [f"9{NUL}{HALF}"]
    if asked.task == "plan the article":
        data["title"] += HALF
        for section in data["sections"]:
            section["heading"] += f"{HALF}{NUL}"
            section["key_points"].append(f"{BEE[0]}{BEE[1]}{NUL}")
    asked.say(json.dumps(data, ensure_ascii=escaped))


def repeating(asked: Exchange) -> None:
    """Answer well, but say each section's first paragraph again at its end."""
    data = model_answers.grounded(asked.body["messages"])
    if asked.task == "write the article":
        for section in data["sections"]:
            section["blocks"].append(section["blocks"][0])
    asked.say(json.dumps(data))


def fabricated_ids(sentence: dict[str, Any]) -> None:
    sentence["evidence"] = ["999999:b7"]


def marked_up(sentence: dict[str, Any]) -> None:
    """Wrap the words of a sentence in everything that must not be published."""
    if "[[page:" in sentence["text"] or sentence["text"].count(" ") < 3:
        return
    first, second, third, rest = sentence["text"].split(" ", 3)
    sentence["text"] = (
        f"<script>alert('owned')</script><img src=x onerror=alert('owned')> [[page:999999|{first}]] "
        f"<a href='{FOREIGN}' onclick='steal()'>{second}</a> [{third}]({FOREIGN}) "
        f"[{rest}](javascript:alert('owned'))"
    )


SCENARIOS: dict[str, Callable[[Exchange], None]] = {
    "ok": ok,
    "401": lambda asked: asked.refuse(401, "invalid_api_key"),
    "403": lambda asked: asked.refuse(403),
    "404": lambda asked: asked.refuse(404, "model_not_found"),
    "429": lambda asked: asked.refuse(429),
    "429-short": first(1, lambda asked: asked.refuse(429, Retry_After="1")),
    "429-long": lambda asked: asked.refuse(429, Retry_After="86400"),
    "429-always": lambda asked: asked.refuse(429, Retry_After="0"),
    "credit": lambda asked: asked.refuse(429, "insufficient_quota"),
    "402": lambda asked: asked.refuse(402),
    "500": lambda asked: asked.refuse(500),
    "500-once": first(1, lambda asked: asked.refuse(500)),
    "503": lambda asked: asked.refuse(503),
    "503-long": lambda asked: asked.refuse(503, Retry_After="7200"),
    "dropped": drop,
    "html": html_page,
    "broken-json": lambda asked: asked.say('{"title": "A post", "sections": [{"head'),
    "wrong-schema": lambda asked: asked.say('{"title": "A post", "chapters": []}'),
    "truncated": lambda asked: asked.say('{"title": "A po', finish="length"),
    "filtered": lambda asked: asked.say("", finish="content_filter"),
    "refusal": lambda asked: asked.stream(chunk(refusal="I can not."), chunk(finish="stop"), "[DONE]"),
    "empty": lambda asked: asked.say(""),
    "hang": lambda asked: asked.hang(),
    "thinks": thinks,
    "slow": slow,
    "huge": huge,
    "no-schema": without_schema,
    "short-context": short_context,
    "short-window": short_window,
    "no-context": lambda asked: asked.refuse(400, "context_length_exceeded"),
    "figures": added(f"Experts found that {FIGURE} percent of beehives are sold for 4,999 dollars."),
    "names": added(f"{STRANGER} says that every beehive needs frames and a stand."),
    "credulous": credulous(added(*INVENTED)),
    "boasting": boasting,
    "bragging": bragging,
    "uncovered": uncovered,
    "unstorable": lambda asked: unstorable(asked, escaped=False),
    "unstorable-escaped": lambda asked: unstorable(asked, escaped=True),
    "repeating": repeating,
    "ids": altered(fabricated_ids),
    "markup": altered(marked_up),
}  # fmt: skip
