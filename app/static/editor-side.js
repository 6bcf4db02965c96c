// Beside the text: its checks and its preview as it is now, and how wide it is in search results.

import { afterPause, asker, elementOf } from "./parts.js";

const form = document.getElementById("writing");
const text = document.getElementById("content");
const preview = document.getElementById("preview");
const fields = ["title", "content", "meta_title", "description", "slug"].map((name) => form.elements[name]);
const pen = document.createElement("canvas").getContext("2d");
const fonts = { meta_title: "20px Arial, sans-serif", description: "14px Arial, sans-serif" };
const pause = 900;

const askChecks = asker();
const askPreview = asker();

document.querySelectorAll("[data-plain]").forEach((each) => { each.hidden = true; });

const typed = () => ({ method: "POST", body: new FormData(form) });

async function check() {
  const html = await askChecks(form.dataset.check, typed());
  if (!html) return;
  const old = document.getElementById("live-checks");
  const open = old.querySelector("details")?.open;
  const fresh = elementOf(html);
  if (old.contains(document.activeElement)) return;
  old.replaceWith(fresh);
  if (open) fresh.querySelector("details")?.setAttribute("open", "");
  document.getElementById("words").textContent = fresh.dataset.words;
  document.getElementById("minutes").textContent = fresh.dataset.minutes;
}

// A check leads to its place: the words it names, whatever marks stand between them.
function found(place) {
  const words = place.replace(/…$/, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  if (!words.length) return null;
  const pattern = words.slice(0, 12).join("[^\\p{L}\\p{N}]+");
  return new RegExp(pattern, "iu").exec(text.value);
}

function jump(place) {
  show("write");
  const match = found(place);
  text.focus();
  if (!match) return;
  text.setSelectionRange(match.index, match.index);
  text.blur();
  text.focus();
  text.setSelectionRange(match.index, match.index + match[0].length);
  const share = match.index / Math.max(1, text.value.length);
  const box = text.getBoundingClientRect();
  scrollBy({ top: box.top + box.height * share - innerHeight / 3 });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest(".jumps a");
  if (!link) return;
  event.preventDefault();
  if (link.dataset.find && link.hash === "#content") return jump(link.dataset.find);
  if (link.hash === "#content") show("write");
  document.querySelector(link.hash)?.focus();
});

let shown = "write";

async function show(view) {
  const writes = view === "write";
  shown = view;
  document.querySelectorAll("[data-view]").forEach((button) => {
    button.setAttribute("aria-pressed", String(button.dataset.view === view));
  });
  if (!writes) {
    const html = await askPreview(form.dataset.preview, typed());
    // Meanwhile the text may have been chosen again.
    if (html === null || shown !== view) return;
    preview.innerHTML = html || "Nothing to show.";
  }
  text.hidden = !writes;
  preview.hidden = writes;
}

document.querySelectorAll("[data-view]").forEach((button) => {
  button.addEventListener("click", () => show(button.dataset.view));
});

function measure() {
  document.querySelectorAll("[data-measures]").forEach((each) => {
    const field = form.elements[each.dataset.measures];
    const most = Number(each.dataset.pixels);
    pen.font = fonts[field.name];
    const wide = Math.round(pen.measureText(field.value || (field.name === "meta_title" ? fields[0].value : "")).width);
    const meter = each.querySelector("meter");
    meter.max = most;
    meter.value = wide;
    each.classList.toggle("over", wide > most);
    const words = wide > most ? `${wide} of ${most} pixels: the end will be cut` : `${wide} of ${most} pixels`;
    each.querySelector("p").textContent = words;
  });
}

function mirror() {
  document.querySelectorAll("[data-shows]").forEach((each) => {
    const own = form.elements[each.dataset.shows].value;
    each.textContent = own || form.elements[each.dataset.else]?.value || "";
  });
  measure();
}

const checkSoon = afterPause(check, pause);
fields.forEach((field) => field.addEventListener("input", () => {
  mirror();
  checkSoon();
}));
mirror();
if (form.dataset.unsaved !== "yes") show("write");
