// The first visit: an address is checked while it is typed, and ideas are looked for by themselves. Each has a
// button or a link that does the same without this file.

import { afterPause, asker } from "./parts.js";

const form = document.querySelector("form[data-check]");
const field = form?.querySelector("input[type=url]");
const result = document.getElementById("site-check");
const ask = asker();
let asked = "";

async function check() {
  const address = field.value.trim();
  if (address === asked) return;
  asked = address;
  result.replaceChildren();
  if (!/[^\s.]\.[^\s.]|localhost|\[/.test(address)) return;
  const note = document.createElement("p");
  note.className = "help";
  note.textContent = "Looking at your site…";
  result.append(note);
  const html = await ask(form.dataset.check, { method: "POST", body: new FormData(form) });
  if (html !== null && address === asked) result.innerHTML = html;
}

field?.addEventListener("input", afterPause(check, 800));
if (field?.value && !field.matches("[aria-invalid]")) check();

// What the page would ask for with one more press.
const sent = new Set();

function go() {
  document.querySelectorAll("form[data-by-itself]").forEach((each) => {
    if (sent.has(each.action)) return;
    sent.add(each.action);
    fetch(each.action, { method: "POST", body: new FormData(each) }).catch(() => sent.delete(each.action));
  });
}

const place = document.getElementById("visit");
if (place) {
  new MutationObserver(go).observe(place, { childList: true });
  go();
}
