"""How the models of the fake server behave: each scenario is the name of a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.support import model_answers
from tests.support.model_exchange import Exchange, chunk

FIGURE = "73.4"
"""A number that no page of the tests holds."""

STRANGER = "Wolfgang Petersen"
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
    """Answer well, with sentences of one's own in each paragraph, cited to real evidence."""

    def respond(asked: Exchange) -> None:
        data = model_answers.grounded(asked.body["messages"])
        parts = [*data.get("paragraphs", ()), *data.get("answers", ())]
        lists = [part["sentences"] for part in parts] + [data.get("introduction", [])]
        for sentences in filter(None, lists):
            sentences += [{"text": text, "evidence": sentences[0]["evidence"]} for text in texts]
        asked.say(json.dumps(data))

    return respond


def first(times: int, respond: Callable[[Exchange], None]) -> Callable[[Exchange], None]:
    """Do this for the first questions, then be good."""
    return lambda asked: (respond if asked.number <= times else ok)(asked)


def html_page(asked: Exchange) -> None:
    text = b"<html><body>Welcome to the captive portal</body></html>"
    asked._head(200, {"Content-Type": "text/html", "Content-Length": str(len(text))})
    asked.handler.wfile.write(text)


def drop(asked: Exchange) -> None:
    """Promise more of an answer than there comes: the connection ends amid it."""
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


def short_context(asked: Exchange) -> None:
    """Take no more than a third of what is first asked."""
    if sum(len(message["content"]) for message in asked.body["messages"]) > 3300:
        asked.refuse(400, "context_length_exceeded", "maximum context length is 512 tokens")
    else:
        ok(asked)


def short_window(asked: Exchange) -> None:
    """Have room for question and answer together in a third of what is first asked."""
    if sum(len(message["content"]) for message in asked.body["messages"]) > 3300:
        asked.say('{"title": "A po', finish="length")
    else:
        ok(asked)


def boasting(asked: Exchange) -> None:
    """Answer well, but put what nobody said into title, headings, questions and the search entry."""
    data = model_answers.grounded(asked.body["messages"])
    if "sections" in data:
        data["title"] = f"Why {FIGURE} percent buy a beehive"
        data["sections"][0]["heading"] = f"How {STRANGER} keeps a beehive"
        data["sections"][1]["key_points"].append(f"{FIGURE} percent agree")
        data["sections"][1]["purpose"] = f"show what {STRANGER} knows"
        data["questions"].append({"question": f"Why is {FIGURE} right?", "evidence": []})
    if "meta_title" in data:
        data["meta_title"] = f"A beehive for {FIGURE} percent of all"
        data["description"]["text"] += f" {STRANGER} says that too."
    asked.say(json.dumps(data))


def bragging(asked: Exchange) -> None:
    """Answer well, but under headings that nobody would have written."""
    data = model_answers.grounded(asked.body["messages"])
    for number, section in enumerate(data.get("sections", ())):
        section["heading"] = f"{STRANGER} Explains Reason {number}"
    asked.say(json.dumps(data))


def unstorable(asked: Exchange, *, escaped: bool) -> None:
    """Answer well, but with half a character and a NUL in texts and ids, as they are or as JSON escapes."""
    data = model_answers.grounded(asked.body["messages"])
    for number, sentence in enumerate(sentences_in(data)):
        sentence["text"] = f"{NUL}{sentence['text'][:-1]}{HALF}."
        sentence["evidence"] = [f"{HALF}{each}{NUL}" for each in sentence["evidence"]]
        sentence["evidence"] += [] if number else [f"9{NUL}{HALF}"]
    for section in data.get("sections", ()):
        section["heading"] += f"{HALF}{NUL}"
        section["key_points"].append(f"{BEE[0]}{BEE[1]}{NUL}")
    if "title" in data:
        data["title"] += HALF
    asked.say(json.dumps(data, ensure_ascii=escaped))


def repeating(asked: Exchange) -> None:
    """Answer well, but open with sentences that the sections say too."""
    data = model_answers.grounded(asked.body["messages"])
    if asked.task == "write the opening":
        prompt = asked.body["messages"][-1]["content"]
        data["introduction"] = model_answers.said_of(prompt)[:1]
    asked.say(json.dumps(data))


def fabricated_ids(sentence: dict[str, Any]) -> None:
    sentence["evidence"] = ["999999:b7"]


def marked_up(sentence: dict[str, Any]) -> None:
    sentence["text"] = (
        f"<script>alert('owned')</script><img src=x onerror=alert('owned')> {sentence['text']} "
        f"[more](javascript:alert('owned')) <a href='{FOREIGN}' onclick='steal()'>offer</a> "
        f"[deal]({FOREIGN}) [[page:999999|elsewhere]]"
    )


SCENARIOS: dict[str, Callable[[Exchange], None]] = {
    "ok": ok,
    "401": lambda asked: asked.refuse(401, "invalid_api_key"),
    "403": lambda asked: asked.refuse(403),
    "404": lambda asked: asked.refuse(404, "model_not_found"),
    "429-short": first(1, lambda asked: asked.refuse(429, Retry_After="1")),
    "429-long": lambda asked: asked.refuse(429, Retry_After="86400"),
    "429-always": lambda asked: asked.refuse(429, Retry_After="0"),
    "credit": lambda asked: asked.refuse(429, "insufficient_quota"),
    "402": lambda asked: asked.refuse(402),
    "500": lambda asked: asked.refuse(500),
    "500-once": first(1, lambda asked: asked.refuse(500)),
    "503": lambda asked: asked.refuse(503),
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
    "boasting": boasting,
    "bragging": bragging,
    "unstorable": lambda asked: unstorable(asked, escaped=False),
    "unstorable-escaped": lambda asked: unstorable(asked, escaped=True),
    "repeating": repeating,
    "ids": altered(fabricated_ids),
    "one-id": altered(fabricated_ids, "write one section"),
    "markup": altered(marked_up),
}  # fmt: skip
