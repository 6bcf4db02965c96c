// Checks the topic while it is typed: the server returns the part of the page that says what the pages cover.

import { afterPause, asker, elementOf } from "./parts.js";

const form = document.querySelector("form[data-check]");
const part = document.getElementById("topic-check");
const WATCHED = [
  "topic", "title", "keyword", "keywords", "length", "words", "engine", "page_ids", "required_page_ids",
];
const SUBJECT = ["topic", "title", "keyword", "keywords"];
const PAUSE = 450;
const ask = asker();

const typed = (names) => {
  const data = new FormData(form);
  return names.flatMap((name) => data.getAll(name).map((value) => [name, value.trim()])).filter(([, value]) => value);
};

// Ticked pages stay where they are: the new answer is about them alone.
function show(answer) {
  const ticked = part.querySelector(".nearest:has(:checked)");
  const focused = document.activeElement;
  if (ticked) answer.querySelector(".nearest")?.remove();
  part.replaceChildren(...answer.childNodes, ...(ticked ? [ticked] : []));
  if (ticked?.contains(focused)) focused.focus();
}

async function check() {
  const address = new URL(form.dataset.check, location.href);
  typed(WATCHED).forEach(([name, value]) => address.searchParams.append(name, value));
  part.setAttribute("aria-busy", "true");
  const html = await ask(address);
  if (html === null) return;
  if (html) show(elementOf(html));
  part.removeAttribute("aria-busy");
}

const checkSoon = afterPause(check, PAUSE);
form.addEventListener("input", (event) => {
  if (WATCHED.includes(event.target.name)) checkSoon();
});
if (!part.childElementCount && typed(SUBJECT).length) check();
