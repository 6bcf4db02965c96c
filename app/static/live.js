// Keeps parts of a page up to date: 1 s for the first 10 s, then 3 s, 15 s while nothing changes for a minute.
// A part names its address (data-live), the last history row it shows (data-since) and whether it has ended
// (data-final), and it may name what to open (data-next). Nothing is asked for while the page is hidden.

import { elementOf, isChanged } from "./parts.js";

const voice = document.getElementById("voice");

function pause(part) {
  const age = Date.now() - part.began;
  const still = Date.now() - part.changed;
  if (age < 10_000) return 1_000;
  return still > 60_000 ? 15_000 : 3_000;
}

// What the page was asked to open once it is there. Going back does not open it again.
function open(element) {
  if (!element.dataset.next) return;
  history.replaceState(null, "", location.pathname);
  location.assign(element.dataset.next);
}

// What somebody has typed or ticked since the page came, to be kept in the part that follows.
function changedFields(element) {
  return [...element.querySelectorAll("input[id], textarea[id]")].filter(isChanged);
}

function keep(field) {
  const fresh = document.getElementById(field.id);
  if (fresh?.name !== field.name || fresh.ariaLabel !== field.ariaLabel) return;
  fresh.value = field.value;
  fresh.checked = field.checked;
}

function replace(part, html) {
  const focused = part.element.contains(document.activeElement) ? document.activeElement.id : "";
  const unfolded = [...part.element.querySelectorAll("details[open][id]")].map((each) => each.id);
  const changed = changedFields(part.element);
  const fresh = elementOf(html);
  const places = [...part.element.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
  part.element.replaceWith(fresh);
  fresh.querySelectorAll(".scroll").forEach((each, n) => { each.scrollLeft = places[n] ?? 0; });
  part.element = fresh;
  part.changed = Date.now();
  fresh.querySelectorAll("[data-copy][hidden]").forEach((button) => { button.hidden = false; });
  unfolded.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
  changed.forEach(keep);
  if (focused) document.getElementById(focused)?.focus();
  if (voice && fresh.dataset.say) voice.textContent = fresh.dataset.say;
  open(fresh);
}

async function look(part) {
  part.timer = 0;
  if (part.element.dataset.final === "yes" || document.hidden) return;
  const address = new URL(part.element.dataset.live, location.href);
  address.searchParams.set("since", part.element.dataset.since || "0");
  try {
    // A redirect leads to the sign-in: the session has ended, and so does asking until the page is shown again.
    const answer = await fetch(address, { redirect: "manual" });
    if (answer.status === 200) replace(part, await answer.text());
    else if (answer.status !== 204 && answer.status < 500) return;
  } catch {
    // The network is unavailable for a moment: look again at the usual pace.
  }
  plan(part);
}

function plan(part) {
  if (!part.timer) part.timer = setTimeout(() => look(part), pause(part));
}

const parts = [...document.querySelectorAll("[data-live]")].map((element) => ({
  element, began: Date.now(), changed: Date.now(), timer: 0,
}));
parts.forEach(plan);
parts.forEach((part) => open(part.element));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) parts.forEach(plan);
});
