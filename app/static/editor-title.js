// A new title offers to take the end of the address and the title in search along.

import { postWithToken } from "./parts.js";

const form = document.getElementById("writing");
const offer = document.getElementById("along");
const voice = document.getElementById("voice");
const title = form.elements.title;
const before = Object.fromEntries(["title", "slug", "meta_title"].map((name) => [name, form.elements[name].value]));

function look() {
  const isOld = ["slug", "meta_title"].some((name) => before[name] && form.elements[name].value === before[name]);
  offer.hidden = title.value.trim() === before.title.trim() || !isOld;
}

async function take(button) {
  const answer = await postWithToken(form, form.dataset.along, new FormData(form));
  if (!answer.ok) return form.requestSubmit(button);
  for (const [name, text] of Object.entries(await answer.json())) {
    if (offer.contains(button) && form.elements[name].value !== before[name]) continue; // written by hand
    before[name] = text;
    form.elements[name].value = text;
    form.elements[name].dispatchEvent(new Event("input", { bubbles: true }));
  }
  before.title = title.value;
  if (offer.contains(document.activeElement)) title.focus();
  look();
  if (voice) voice.textContent = "Made from the title.";
}

if (offer) title.addEventListener("input", look);
document.querySelectorAll("button[name=do][value=along]").forEach((button) => {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    take(button).catch(() => form.requestSubmit(button));
  });
});
