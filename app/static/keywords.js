// Counts what the typed keywords are while they are typed; the button does the same without this.

const form = document.querySelector("form[data-count]");
const result = document.getElementById("counted");
let timer = 0;

async function count() {
  const body = new URLSearchParams(new FormData(form));
  try {
    const answer = await fetch(form.dataset.count, { method: "POST", body, redirect: "error" });
    if (answer.ok) result.textContent = await answer.text();
  } catch {
    // The network is away for a moment: the next letter tries again.
  }
}

if (form && result) {
  form.querySelector("[name=check]").hidden = true;
  form.querySelector("textarea").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(count, 400);
  });
}

// One box ticks all rows of the list.
const all = document.getElementById("all");
const boxes = () => document.querySelectorAll("input[name=keyword_ids]");
if (all) {
  all.closest("label").hidden = false;
  all.addEventListener("change", () => boxes().forEach((box) => { box.checked = all.checked; }));
}
