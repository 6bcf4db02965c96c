// Shows the new list once a sync that was watched has ended, unless the reader has ticked pages in the old one,
// and the new health of all pages.

const list = document.getElementById("pages");
const health = document.getElementById("health");

async function refresh() {
  if (!list || list.querySelector("input:checked")) return;
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  health.replaceChildren(...(page.getElementById("health")?.childNodes ?? []));
  const fresh = page.getElementById("pages");
  if (fresh && !list.querySelector("input:checked, input:focus")) list.replaceChildren(...fresh.childNodes);
}

let active = document.getElementById("sync")?.dataset.final === "no";
const parent = document.getElementById("sync")?.parentElement;
if (parent) {
  new MutationObserver(() => {
    const now = document.getElementById("sync")?.dataset.final === "no";
    if (active && !now) refresh();
    active = now;
  }).observe(parent, { childList: true });
}
