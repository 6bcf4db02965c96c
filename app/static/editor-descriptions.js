// What the pictures of the text are said to show: changed in a dialog, which the button of pictures opens while the
// caret is in one, and a click on one in the preview.

const text = document.getElementById("content");
const preview = document.getElementById("preview");
const dialog = document.getElementById("describe-dialog");
const button = document.querySelector("[data-tool=picture]");
const words = document.getElementById("describe-words");
const shown = document.getElementById("describe-shown");
const pattern = /!\[((?:\\.|[^\\\]])*)\]\(\s*<?([^\s)>]+)[^)]*\)/g;

let chosen = null;

function pictures() {
  return [...text.value.matchAll(pattern)];
}

function addressOf(picture) {
  const stored = /^image:(\d+)$/.exec(picture[2]);
  return stored ? `${dialog.dataset.pictures}/${stored[1]}` : picture[2];
}

function pictureAt(place) {
  return pictures().find((each) => each.index < place && place < each.index + each[0].length);
}

// The picture of the text that the preview shows there: the same picture may be shown several times.
function pictureOf(image) {
  const address = image.getAttribute("src");
  const same = [...preview.querySelectorAll("img")].filter((each) => each.getAttribute("src") === address);
  return pictures().filter((each) => addressOf(each) === address)[same.indexOf(image)];
}

const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

function plain(markdown) {
  const bare = markdown.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  return bare.replace(/&(?:lt|gt|amp);/g, (each) => entities[each]).replace(/\s+/g, " ");
}

function escaped(typed) {
  const marked = typed.replace(/&(?=#?\w+;)/g, "&amp;").replace(/([\\`*_[\]{}~|])/g, "\\$1");
  return marked.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function open(picture) {
  const image = new Image();
  image.alt = "";
  image.src = addressOf(picture);
  shown.replaceChildren(image);
  words.value = plain(picture[1]);
  chosen = picture;
  dialog.showModal();
}

function save() {
  const said = words.value.trim().replace(/\s+/g, " ");
  const from = chosen.index + 2;
  const seen = preview.hidden ? null : document.querySelector("[data-view=preview]");
  text.setSelectionRange(from, from + chosen[1].length);
  text.dispatchEvent(new CustomEvent("type-words", { detail: escaped(said) }));
  document.getElementById("picture-said").textContent = said ? "Description changed." : "Description removed.";
  seen?.click();
}

// The button says what it does there.
document.addEventListener("selectionchange", () => {
  if (document.activeElement !== text) return;
  const label = pictureAt(text.selectionStart) ? "Describe picture" : "Picture";
  if (button.title === label) return;
  button.title = label;
  button.setAttribute("aria-label", label);
});

text.addEventListener("pick-picture", (event) => {
  const picture = pictureAt(text.selectionStart);
  if (!picture) return;
  event.stopImmediatePropagation();
  open(picture);
});

preview.addEventListener("click", (event) => {
  const picture = event.target.closest("img") && pictureOf(event.target);
  if (!picture) return;
  event.preventDefault();
  open(picture);
});
document.getElementById("describe-close").addEventListener("click", () => dialog.close());
dialog.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  event.stopPropagation();
  dialog.close();
  save();
});
