// Keyboard shortcuts, and the sheet that lists them. They are off in fields and dialogs, and when turned off.

const SHEET = "/help/shortcuts";
const OFF = "shortcuts-off";
const PAUSE = 1_500; // between the two keys of a move
const BUSY = "input, textarea, select, [contenteditable], dialog";
let going = 0;

function isOff() {
  try {
    return localStorage.getItem(OFF) === "yes";
  } catch {
    return false;
  }
}

function connectSwitch(place) {
  const label = place.querySelector("[data-shortcuts-switch]");
  if (!label) return;
  const box = label.querySelector("input");
  label.hidden = false;
  box.checked = !isOff();
  box.addEventListener("change", () => localStorage.setItem(OFF, box.checked ? "no" : "yes"));
}

async function showSheet() {
  const sheet = document.getElementById("sheet") ?? document.createElement("dialog");
  if (!sheet.id) {
    const answer = await fetch(SHEET, { headers: { "X-Requested-With": "fetch" }, redirect: "error" });
    if (!answer.ok) throw new Error(`The sheet answered ${answer.status}.`);
    sheet.innerHTML = await answer.text();
    sheet.id = "sheet";
    sheet.setAttribute("aria-labelledby", "sheet-title");
    document.body.append(sheet);
    connectSwitch(sheet);
  }
  if (!sheet.open) sheet.showModal();
}

function openSheet() {
  showSheet().catch(() => location.assign("/help#shortcuts"));
}

// A link is followed; a button is only reached, so that one key never starts work.
function goToMainButton() {
  const button = document.querySelector("main .btn-main, .workspace-bar .btn-main");
  if (button?.href) button.click();
  else (button?.form?.querySelector("input:not([type=hidden]), textarea, select") ?? button)?.focus();
}

const actions = {
  "?": openSheet,
  "/": () => document.querySelector("main input[type=search]")?.focus(),
  n: goToMainButton,
  g: () => { going = Date.now(); },
};

document.addEventListener("keydown", (event) => {
  const skips = event.defaultPrevented || event.isComposing || event.repeat;
  if (skips || event.ctrlKey || event.metaKey || event.altKey || isOff()) return;
  if (event.target.closest(BUSY) || document.querySelector("dialog[open]")) return;
  const isMove = Date.now() - going < PAUSE;
  going = 0;
  const screen = isMove && document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
  const action = screen ? () => screen.click() : actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-shortcuts]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openSheet();
});

connectSwitch(document);
