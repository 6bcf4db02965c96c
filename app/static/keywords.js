// Counts what the typed keywords are while they are typed; the button does the same without this.

import { afterPause, asker } from "./parts.js";

const form = document.querySelector("form[data-count]");
const result = document.getElementById("counted");
const ask = asker();

async function count() {
  const words = await ask(form.dataset.count, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (words) result.textContent = words;
}

form.querySelector("[name=check]").hidden = true;
form.querySelector("textarea").addEventListener("input", afterPause(count, 400));
