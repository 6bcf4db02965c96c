// Messages after an action rise at the bottom of the window and leave by themselves. Without this they are notes.

const STAY = 8_000;
const place = document.getElementById("toasts");

function show(note) {
  note.className = "toast";
  note.removeAttribute("role");
  place.append(note);
  let timer = 0;
  const stay = () => clearTimeout(timer);
  const leave = () => {
    stay();
    timer = setTimeout(() => note.remove(), STAY);
  };
  ["pointerenter", "focusin"].forEach((name) => note.addEventListener(name, stay));
  ["pointerleave", "focusout"].forEach((name) => note.addEventListener(name, leave));
  leave();
}

document.querySelectorAll("[data-toast]").forEach(show);
