// Checks the topic while it is typed: the server returns the part of the page that says what the pages cover.

const form = document.querySelector("form[data-check]");
const part = document.getElementById("topic-check");
const WATCHED = ["topic", "title", "keyword", "keywords"];
const PAUSE = 450;
let timer = 0;
let asked = 0;

const typed = () => WATCHED.map((name) => [name, form.elements[name]?.value.trim() ?? ""]);

async function check() {
  const address = new URL(form.dataset.check, location.href);
  typed().forEach(([name, value]) => value && address.searchParams.set(name, value));
  const number = ++asked;
  part.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { credentials: "same-origin", redirect: "error" });
    if (number !== asked || answer.status !== 200) return;
    const holder = document.createElement("template");
    holder.innerHTML = await answer.text();
    part.replaceChildren(...holder.content.firstElementChild.childNodes);
  } catch {
    // The network is away for a moment: the button checks, too.
  } finally {
    if (number === asked) part.removeAttribute("aria-busy");
  }
}

form.addEventListener("input", (event) => {
  if (!WATCHED.includes(event.target.name)) return;
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
});
if (!part.childElementCount && typed().some(([, value]) => value)) check();
