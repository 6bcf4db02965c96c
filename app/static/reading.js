// The text of a post and what is beside it. Without this, each sentence is a link to its source in a list.

const text = document.getElementById("text");
const side = document.querySelector(".side");
const passages = document.getElementById("passages");
const peek = document.getElementById("peek");
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";

// Tabs: one panel at a time; arrow keys move, an address with # opens the panel that holds its place.
const bar = document.getElementById("tabs");
const tabs = [...bar.querySelectorAll("a")];
const panel = (tab) => document.getElementById(tab.hash.slice(1));

function open(tab) {
  tabs.forEach((each) => {
    each.setAttribute("aria-selected", String(each === tab));
    each.tabIndex = each === tab ? 0 : -1;
    panel(each).hidden = each !== tab;
  });
}

bar.setAttribute("role", "tablist");
tabs.forEach((tab) => {
  tab.id = `tab-${tab.hash.slice(1)}`;
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", tab.hash.slice(1));
  panel(tab).setAttribute("role", "tabpanel");
  panel(tab).removeAttribute("aria-label");
  panel(tab).setAttribute("aria-labelledby", tab.id);
});
bar.addEventListener("click", (event) => {
  const tab = event.target.closest("a");
  if (!tab) return;
  event.preventDefault();
  open(tab);
});
bar.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (event.key === " ") {
    event.preventDefault();
    event.target.click();
  }
  if (!step) return;
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  open(next);
  next.focus();
});

function arrive() {
  const place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const holder = place && place.closest(".panel");
  if (holder) {
    open(tabs.find((tab) => panel(tab) === holder));
    place.scrollIntoView({ block: "start" });
  } else if (place && place.matches(".said")) choose(place.dataset.s, true);
}

// A sentence and its source: pointing at it shows it, a click keeps it, another click lets it go.
const numbers = (element) => element.dataset.of.split(" ");
const cards = passages ? [...passages.children] : [];
let kept = "";
let waiting = 0;

// What a mark says; of a table, its whole row.
const words = (mark) => {
  const row = mark.closest("tr");
  return row ? [...row.cells].map((cell) => cell.textContent.trim()).join(" | ") : mark.textContent;
};

function choose(number, keep = false) {
  if (keep) kept = number;
  text.querySelectorAll(".said").forEach((each) => each.classList.toggle("on", each.dataset.s === number));
  cards.forEach((card) => { card.hidden = !numbers(card).includes(number); });
  const card = cards.find((each) => !each.hidden);
  if (!card) return;
  passages.querySelectorAll("mark").forEach((mark) => mark.classList.toggle("off", !numbers(mark).includes(number)));
  const back = card.querySelector(".to-text");
  if (back) back.hash = `t-${number}`;
  const mark = card.querySelector("mark:not(.off)");
  peek.querySelector("#peek-from").textContent = card.querySelector(".from, .strong").textContent;
  peek.querySelector("#peek-words").textContent = mark ? `“${words(mark)}”` : "";
  peek.hidden = false;
}

if (passages && text.querySelector(".said")) {
  passages.parentElement.prepend(passages);
  choose(text.querySelector(".said").dataset.s);
  text.addEventListener("pointerover", (event) => {
    clearTimeout(waiting);
    const said = event.target.closest(".said");
    if (said && !kept && event.pointerType === "mouse") waiting = setTimeout(() => choose(said.dataset.s), 120);
  });
  text.addEventListener("focusin", (event) => {
    const said = event.target.closest(".said") || event.target.querySelector(".said");
    if (said && event.target.matches(":focus-visible")) choose(said.dataset.s, true);
  });
  text.addEventListener("click", (event) => {
    const said = event.target.closest(".said");
    if (!said) return;
    const again = kept === said.dataset.s && event.detail > 0;
    choose(said.dataset.s, true);
    if (again) kept = "";
    open(tabs[0]);
    if (event.target.closest("a") !== said) return;
    event.preventDefault();
    if (event.detail === 0) cards.find((card) => !card.hidden)?.focus();
  });
}

// The sentences of one page, all at once.
side.addEventListener("click", (event) => {
  const link = event.target.closest("[data-show]");
  if (!link) return;
  event.preventDefault();
  const wanted = link.dataset.show.split(" ");
  choose(wanted[0], true);
  text.querySelectorAll(".said").forEach((each) => each.classList.toggle("on", wanted.includes(each.dataset.s)));
  document.getElementById(`t-${wanted[0]}`).scrollIntoView({ block: "center", behavior: calm });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (link && !link.closest("#tabs, .prose") && link.hash === location.hash) arrive();
});
addEventListener("hashchange", arrive);
open(tabs[0]);
arrive();
