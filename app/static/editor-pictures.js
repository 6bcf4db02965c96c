// Pictures in the text: chosen in a dialog, pasted or dropped. Each is uploaded, then shown by its reference.

import { postWithToken } from "./parts.js";

const form = document.getElementById("writing");
const text = document.getElementById("content");
const dialog = document.getElementById("picture-dialog");
const file = document.getElementById("picture-file");
const alt = document.getElementById("picture-alt");
const taken = file.accept.split(",");

let adding = false;

function say(words) {
  document.getElementById(dialog.open ? "picture-dialog-said" : "picture-said").textContent = words;
}

function send(picture, words) {
  const body = new FormData();
  body.append("alt", words);
  body.append("picture", picture, picture.name);
  return postWithToken(form, dialog.dataset.add, body);
}

async function uploaded(picture, words) {
  if (!taken.includes(picture.type)) throw new Error("Only PNG, JPEG and WebP pictures can be added.");
  if (picture.size > Number(dialog.dataset.most)) throw new Error("The picture is over 5 MB.");
  const answer = await send(picture, words).catch(() => { throw new Error("No connection."); });
  if (answer.type === "opaqueredirect") throw new Error("Sign in again in another tab.");
  const reply = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(reply.message ?? "Something went wrong.");
  return reply.markdown;
}

// A picture is a paragraph of its own. Without a description the caret waits where it belongs.
function put(markdown, words) {
  const before = text.value.slice(0, text.selectionStart);
  const after = text.value.slice(text.selectionEnd);
  const missing = before.trim() ? 2 - Math.min(2, before.match(/\n*$/)[0].length) : 0;
  const start = text.selectionStart + missing;
  const end = after.startsWith("\n") || !after ? "" : "\n\n";
  text.dispatchEvent(new CustomEvent("type-words", { detail: "\n".repeat(missing) + markdown + end }));
  if (!words) text.setSelectionRange(start + 2, start + 2);
}

function added(words) {
  say(words ? "Picture added." : "Picture added. Press “Describe picture” to say what it shows.");
}

async function add(pictures, words = "") {
  if (adding) return;
  adding = true;
  try {
    for (const picture of pictures) {
      say("Adding the picture…");
      const markdown = await uploaded(picture, words);
      dialog.close();
      put(markdown, words);
      added(words);
    }
  } catch (error) {
    say(`Not added: ${error.message}`);
  }
  adding = false;
}

// One that is there is chosen instead of a file, and has its description.
function chosen() {
  return dialog.querySelector("[name=offered]:checked");
}

function choose() {
  const picked = chosen();
  if (picked) file.value = "";
  if (picked || alt.disabled) alt.value = picked?.dataset.alt ?? "";
  file.required = !picked;
  alt.disabled = Boolean(picked);
}

dialog.querySelector("#picture-offered")?.addEventListener("change", choose);
file.addEventListener("change", () => {
  const picked = chosen();
  if (picked) picked.checked = false;
  choose();
});

text.addEventListener("pick-picture", () => {
  dialog.querySelector("form").reset();
  choose();
  dialog.showModal();
  say("");
});
document.getElementById("picture-close").addEventListener("click", () => dialog.close());
dialog.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  event.stopPropagation();
  const picked = chosen();
  if (!picked) return add(file.files, alt.value.trim());
  dialog.close();
  put(picked.value, picked.dataset.alt);
  added(picked.dataset.alt);
});

function picturesOf(data) {
  return [...data.files].filter((each) => each.type.startsWith("image/"));
}

// Programs that copy text with a picture of it mean the text. Runs before the paste of formatted text.
text.addEventListener("paste", (event) => {
  const pictures = picturesOf(event.clipboardData);
  if (!pictures.length || event.clipboardData.getData("text/plain")) return;
  event.preventDefault();
  add(pictures);
}, { capture: true });

text.addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});
text.addEventListener("drop", (event) => {
  const pictures = picturesOf(event.dataTransfer);
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  if (pictures.length) add(pictures);
  else say("Not added: only pictures can be dropped into the text.");
});
