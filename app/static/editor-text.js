// The toolbar, the keys, the links and the paste of the text: Markdown written around the selection.
// Everything is typed by execCommand, so the browser's own undo takes it back.

import { afterPause, asker } from "./parts.js";

const text = document.getElementById("content");
const tools = document.getElementById("tools");
const dialog = document.getElementById("link");
const address = document.getElementById("link-to");

function type(words) {
  text.focus();
  const done = words ? document.execCommand("insertText", false, words) : document.execCommand("delete");
  if (done) return;
  text.setRangeText(words, text.selectionStart, text.selectionEnd, "end");
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

function select(from, to) {
  text.setSelectionRange(from, to);
}

function wrap(mark) {
  const { selectionStart: from, selectionEnd: to, value } = text;
  const chosen = value.slice(from, to);
  const size = mark.length;
  if (value.slice(from - size, from) === mark && value.slice(to, to + size) === mark) {
    select(from - size, to + size);
    type(chosen);
    return select(from - size, to - size);
  }
  type(`${mark}${chosen}${mark}`);
  select(from + size, to + size);
}

function eachLine(change) {
  const { selectionStart, selectionEnd, value } = text;
  const from = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const end = value.indexOf("\n", selectionEnd);
  const to = end < 0 ? value.length : end;
  const lines = value.slice(from, to).split("\n").map(change).join("\n");
  select(from, to);
  type(lines);
  select(lines.includes("\n") ? from : from + lines.length, from + lines.length);
}

function begin(mark) {
  const own = /^(#{1,6} |> |[-*] |\d+\. )/;
  eachLine((line, n) => {
    const start = typeof mark === "string" ? mark : mark(n);
    return line.startsWith(start) ? line.slice(start.length) : start + line.replace(own, "");
  });
}

function addTable() {
  const end = text.value.indexOf("\n", text.selectionEnd);
  const at = end < 0 ? text.value.length : end;
  select(at, at);
  type("\n\n| Heading | Heading |\n| --- | --- |\n| Cell | Cell |\n");
}

const actions = {
  h2: () => begin("## "),
  h3: () => begin("### "),
  bold: () => wrap("**"),
  italic: () => wrap("*"),
  link: openLink,
  ul: () => begin("- "),
  ol: () => begin((n) => `${n + 1}. `),
  quote: () => begin("> "),
  table: addTable,
  picture: () => text.dispatchEvent(new CustomEvent("pick-picture")),
  undo: () => { text.focus(); document.execCommand("undo"); },
  redo: () => { text.focus(); document.execCommand("redo"); },
};
const keys = { b: "bold", i: "italic", k: "link" };

tools.hidden = false;
tools.addEventListener("click", (event) => {
  const button = event.target.closest("[data-tool]");
  if (button) actions[button.dataset.tool]();
});
text.addEventListener("keydown", (event) => {
  const action = keys[event.key.toLowerCase()];
  if (!action || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  actions[action]();
});

// Links: to a page of the site, found by its words, or to any address.
const ask = asker();

function openLink() {
  address.value = "";
  document.getElementById("link-pages").replaceChildren();
  dialog.showModal();
  address.focus();
}

function setLink(url, words) {
  dialog.close();
  const { selectionStart: from, selectionEnd: to, value } = text;
  const shown = value.slice(from, to) || words || url;
  text.focus();
  type(`[${shown.replace(/([[\]])/g, "\\$1")}](${url.replaceAll(" ", "%20").replaceAll(")", "%29")})`);
}

async function find() {
  const query = address.value.trim();
  const url = new URL(dialog.dataset.pages, location.href);
  url.searchParams.set("q", query);
  const html = await ask(url);
  if (html === null || address.value.trim() !== query) return;
  const pages = document.getElementById("link-pages");
  pages.innerHTML = html;
  const count = pages.querySelectorAll("[data-link]").length;
  document.getElementById("link-said").textContent = query ? `${count} pages found` : "";
}

address.addEventListener("input", afterPause(find, 250));
document.getElementById("link-close").addEventListener("click", () => dialog.close());
document.getElementById("link-pages").addEventListener("click", (event) => {
  const page = event.target.closest("[data-link]");
  if (page) setLink(page.dataset.link, page.dataset.words);
});
dialog.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  event.stopPropagation();
  const typed = address.value.trim();
  if (/^(https?:\/\/|#)\S+$/i.test(typed)) setLink(typed, "");
  else document.querySelector("#link-pages [data-link]")?.click();
});

// Formatted text becomes Markdown.
const inline = { B: "**", STRONG: "**", I: "*", EM: "*", CODE: "`" };
const blocks = new Set(["P", "DIV", "SECTION", "ARTICLE", "BLOCKQUOTE", "UL", "OL", "TABLE", "PRE"]);

function around(mark, words) {
  const inner = words.trim();
  if (!mark || !inner) return words;
  return words.replace(inner, () => `${mark}${inner}${mark}`);
}

function inner(node, depth) {
  return [...node.childNodes].map((each) => markdown(each, depth)).join("");
}

function listed(node, depth) {
  const items = [...node.children].filter((item) => item.tagName === "LI");
  const lines = items.map((item, n) => {
    const mark = node.tagName === "OL" ? `${n + 1}. ` : "- ";
    return "   ".repeat(depth) + mark + inner(item, depth + 1).trim().replace(/\n{2,}/g, "\n");
  });
  return `\n\n${lines.join("\n")}\n\n`;
}

function markdown(node, depth = 0) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/\s+/g, " ").replace(/([*_[\]`])/g, "\\$1");
  if (node.nodeType !== Node.ELEMENT_NODE || /^(STYLE|SCRIPT|TITLE|META)$/.test(node.tagName)) return "";
  const name = node.tagName;
  if (name === "BR") return "\n";
  if (name === "UL" || name === "OL") return listed(node, depth);
  const words = inner(node, depth);
  if (/^H[1-6]$/.test(name)) return `\n\n${"#".repeat(Math.max(2, Number(name[1])))} ${words.trim()}\n\n`;
  if (name === "A" && /^https?:/.test(node.href) && words.trim()) return `[${words.trim()}](${node.href})`;
  if (name === "BLOCKQUOTE") return `\n\n${words.trim().replace(/^/gm, "> ")}\n\n`;
  // Google Docs wraps everything in a <b> that is not bold.
  if (name in inline && node.style.fontWeight !== "normal") return around(inline[name], words);
  return blocks.has(name) ? `\n\n${words.trim()}\n\n` : words;
}

export function pasted(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return inner(page.body, 0).replace(/[ \t]+\n/g, "\n").replace(/\n{3,}/g, "\n\n").trim();
}

text.addEventListener("type-words", (event) => type(event.detail));
text.addEventListener("paste", (event) => {
  if (event.defaultPrevented) return;
  const html = event.clipboardData.getData("text/html");
  if (!/<(b|strong|i|em|a|h[1-6]|ul|ol|blockquote|p)[\s>]/i.test(html)) return;
  const words = pasted(html);
  if (!words) return;
  event.preventDefault();
  const before = text.value.slice(0, text.selectionStart);
  const isBlock = words.includes("\n") || /^(#+|-|>|\d+\.) /.test(words);
  type(isBlock && before.trim() && !before.endsWith("\n\n") ? `\n\n${words}` : words);
});
