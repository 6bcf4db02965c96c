// Moves the entries of the calendar: by a dialog, by dragging, and by keys. Every entry is a link without it.

const dialog = document.getElementById("move");
const form = dialog.querySelector("form");
const voice = document.getElementById("voice");
const days = [...document.querySelectorAll(".month .day")];
const NINE = "09:00";
let lifted = null; // by keys: the entry, its old place, and the number of the chosen day
let dragged = null;

const movable = (event) => event.target.closest?.("[data-move], [data-place]");
const timeOf = (entry) => entry.dataset.at?.slice(11) ?? NINE;
const isPast = (day) => day.classList.contains("out");
const nameOf = (day) => day.querySelector("time").textContent.trim().split("\n")[0];

function put(entry, at) {
  if (entry.dataset.place) {
    location.assign(`${entry.dataset.place}?at=${encodeURIComponent(at)}`);
    return;
  }
  form.action = entry.dataset.move;
  form.elements.at.value = at;
  form.requestSubmit();
}

function choose(day) {
  days.forEach((each) => each.classList.toggle("target", each === day));
}

// The dialog, in place of the page that the link leads to.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-close]")) dialog.close();
  const entry = event.target.closest("[data-move]");
  if (!entry || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  document.getElementById("move-what").textContent = entry.lastElementChild.textContent;
  form.action = entry.dataset.move;
  form.elements.at.value = entry.dataset.at;
  dialog.showModal();
});

// Dragging.
document.addEventListener("dragstart", (event) => {
  dragged = movable(event);
  if (dragged) event.dataTransfer.effectAllowed = "move";
});
document.addEventListener("dragover", (event) => {
  const day = event.target.closest(".month .day");
  const takes = dragged && day && !isPast(day);
  choose(takes ? day : null);
  if (takes) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const day = event.target.closest(".month .day");
  if (!dragged || !day) return;
  event.preventDefault();
  put(dragged, `${day.dataset.date}T${timeOf(dragged)}`);
});
document.addEventListener("dragend", () => {
  dragged = null;
  choose(null);
});

// Keys: M picks an entry up, the arrows choose a day, Enter puts it there, Escape puts it back.
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

function show() {
  const { entry, number } = lifted;
  lifted.moving = true;
  days[number].append(entry);
  entry.focus();
  lifted.moving = false;
  choose(days[number]);
  voice.textContent = nameOf(days[number]);
}

function lift(entry) {
  const own = days.indexOf(entry.closest(".day"));
  const today = Math.max(0, days.findIndex((day) => !isPast(day)));
  lifted = { entry, place: entry.parentElement, before: entry.nextSibling, number: own < 0 ? today : own };
  entry.classList.add("lifted");
  if (own < 0) show();
  else choose(days[own]);
  voice.textContent = "Picked up. The arrow keys choose the day, Enter puts it there, Escape puts it back.";
}

function release() {
  const { entry, place, before } = lifted;
  lifted.moving = true;
  lifted = null;
  place.insertBefore(entry, before);
  entry.classList.remove("lifted");
  choose(null);
}

document.addEventListener("keydown", (event) => {
  const entry = movable(event);
  if (!entry || !days.length || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!lifted && event.key.toLowerCase() === "m") lift(entry);
  else if (!lifted) return;
  else if (event.key === "Escape") {
    release();
    entry.focus();
    voice.textContent = "Put back.";
  } else if (event.key === "Enter") {
    const { date } = days[lifted.number].dataset;
    voice.textContent = "Moving.";
    put(entry, `${date}T${timeOf(entry)}`);
    lifted = null;
  } else if (STEPS[event.key]) {
    const day = days[lifted.number + STEPS[event.key]];
    if (!day || isPast(day)) voice.textContent = day ? "That day has passed." : "That day is not shown.";
    else {
      lifted.number = days.indexOf(day);
      show();
    }
  } else return;
  event.preventDefault();
});
document.addEventListener("focusout", () => {
  if (lifted && !lifted.moving) release();
});

// After a move the page shows the entry again: the cursor goes back to it.
document.getElementById(decodeURIComponent(location.hash.slice(1)))?.focus();
