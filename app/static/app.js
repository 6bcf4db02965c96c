// Small improvements; every page works without them.

// A button that copies the text of the element it names, or what is at its address.
async function textOf(button) {
  if (!button.dataset.copyFrom) return document.getElementById(button.dataset.copy)?.textContent.trim() ?? "";
  const answer = await fetch(button.dataset.copyFrom, { redirect: "error" });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.text();
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const voice = document.getElementById("voice");
  try {
    await navigator.clipboard.writeText(await textOf(button));
    if (voice) voice.textContent = "Copied.";
    button.lastChild.textContent = "Copied";
  } catch {
    if (button.dataset.copyFrom) return location.assign(button.dataset.copyFrom);
    const shown = document.getElementById(button.dataset.copy);
    shown.closest("details")?.setAttribute("open", "");
    getSelection().selectAllChildren(shown);
    if (voice) voice.textContent = "Press the copy keys: the text is selected.";
  }
});
document.querySelectorAll("[data-copy][hidden]").forEach((button) => { button.hidden = false; });

// A password can be shown while it is typed.
document.querySelectorAll("[data-reveal]").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", () => {
    const input = document.getElementById(button.dataset.reveal);
    const shown = input.type === "text";
    input.type = shown ? "password" : "text";
    button.textContent = shown ? "Show" : "Hide";
    button.setAttribute("aria-label", `${button.textContent} password`);
  });
});

// A form is sent once, however often its button is pressed.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) event.preventDefault();
  else form.dataset.sent = "yes";
});
function mayBeSentAgain() {
  document.querySelectorAll("form[data-sent]").forEach((form) => { delete form.dataset.sent; });
}
addEventListener("pageshow", mayBeSentAgain);
// Who is asked before leaving, and stays, sends the form later.
addEventListener("beforeunload", (event) => {
  setTimeout(() => { if (event.defaultPrevented) mayBeSentAgain(); });
});

// Filters apply when chosen.
document.querySelectorAll("form[data-auto] select").forEach((select) => {
  select.addEventListener("change", () => select.form.requestSubmit());
});

// The menu on phones closes with Escape and gives the focus back.
document.addEventListener("keydown", (event) => {
  const menu = document.querySelector("details.menu[open]");
  if (event.key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Times are shown in the reader's own time zone: the service reads its name from a cookie.
if (!/(^|; )zone=/.test(document.cookie)) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  document.cookie = `zone=${zone}; path=/; SameSite=Lax`;
  document.querySelectorAll("select[data-zone]").forEach((select) => {
    if ([...select.options].some((option) => option.value === zone)) select.value = zone;
  });
}

// One box ticks all of its name on the page.
document.querySelectorAll("input[data-ticks]").forEach((all) => {
  all.closest("label").hidden = false;
  all.addEventListener("change", () => {
    document.querySelectorAll(`input[name="${all.dataset.ticks}"]:enabled`).forEach((box) => { box.checked = all.checked; });
  });
});
