// The editor saves by itself, says whether it did, and loses nothing: not on leaving the page, not when the
// session has ended, not when someone else saved. The form alone does the same by its button.

import { askBeforeLeaving, postWithToken } from "./parts.js";

const form = document.getElementById("writing");
const state = document.getElementById("saved");
const kept = document.getElementById("kept");
const names = ["title", "content", "meta_title", "description", "slug"];
const place = `text:${location.pathname}`;
const pause = 2_500;

let saved = form.dataset.unsaved === "yes" ? "" : typed();
let waiting = 0;
let saving = false;
let stopped = form.dataset.conflict === "yes";
let pressed = null;

function typed() {
  return JSON.stringify(names.map((name) => form.elements[name].value));
}

function isSaved() {
  return typed() === saved;
}

function say(text) {
  if (state.textContent !== text) state.textContent = text;
  state.classList.toggle("done", text.startsWith("Saved"));
  state.classList.toggle("warn-text", text.startsWith("Not saved:"));
}

// The text is also kept in this tab until it is saved.
function keep() {
  try {
    if (isSaved()) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify({ at: Date.now(), text: JSON.parse(typed()) }));
  } catch {
    // No room, or not allowed: the warning before leaving remains.
  }
}

function plan(after = pause) {
  clearTimeout(waiting);
  if (!stopped) waiting = setTimeout(save, after);
}

async function save() {
  if (saving || stopped || isSaved()) return;
  saving = true;
  const sent = typed();
  say("Saving…");
  try {
    await take(await postWithToken(form, form.dataset.save, new FormData(form)), sent);
  } catch {
    say("Not saved: no connection. Trying again…");
    plan(10_000);
  }
  saving = false;
  keep();
  if (pressed) return form.requestSubmit(pressed === true ? null : pressed);
  if (!isSaved() && state.textContent.startsWith("Saved")) plan();
}

async function take(answer, sent) {
  if (answer.type === "opaqueredirect") {
    say("Not saved: sign in again in another tab. Your text stays here.");
    return plan(10_000);
  }
  if (!answer.headers.get("Content-Type")?.startsWith("application/json")) {
    say("Not saved: something went wrong. Trying again…");
    return plan(10_000);
  }
  const reply = await answer.json();
  if (answer.ok) {
    saved = sent;
    form.elements.version.value = reply.version;
    return say(`Saved ${reply.at}`);
  }
  if (reply.code !== "POST_CHANGED") {
    say(`Not saved: ${reply.message}`);
    // What was typed is not valid: the next change is tried. Anything else may pass by itself.
    return answer.status === 422 ? undefined : plan(10_000);
  }
  stopped = true;
  say("Not saved: someone else saved meanwhile. Press Save to compare.");
}

function changed() {
  keep();
  if (stopped) return;
  say(isSaved() ? "Saved" : "Not saved yet");
  plan();
}

names.forEach((name) => form.elements[name].addEventListener("input", changed));
form.addEventListener("submit", (event) => {
  clearTimeout(waiting);
  if (!saving) return;
  // A save by itself is on its way: after it the form has the new version.
  event.preventDefault();
  event.stopPropagation();
  pressed = event.submitter ?? true;
});
addEventListener("pageshow", () => {
  pressed = null;
});
askBeforeLeaving(form.id, isSaved);
document.addEventListener("visibilitychange", () => {
  plan(0);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (stopped) form.requestSubmit();
  else save();
});

function offer() {
  const found = JSON.parse(sessionStorage.getItem(place) ?? "null");
  if (!found || JSON.stringify(found.text) === typed() || form.dataset.unsaved === "yes") return;
  document.getElementById("kept-at").textContent = new Date(found.at).toLocaleTimeString([], { timeStyle: "short" });
  kept.hidden = false;
  document.getElementById("kept-use").addEventListener("click", () => {
    names.forEach((name, n) => {
      form.elements[name].value = found.text[n];
      form.elements[name].dispatchEvent(new Event("input", { bubbles: true }));
    });
    kept.hidden = true;
    form.elements.content.focus();
  });
  document.getElementById("kept-drop").addEventListener("click", () => {
    sessionStorage.removeItem(place);
    kept.hidden = true;
    form.elements.content.focus();
  });
}

if (form.dataset.unsaved === "yes") keep();
else offer();
