// Parts of pages that the server sends, and asking for them while somebody types.

// Returns a function that calls `action` once it has not been called for `pause` milliseconds.
export function afterPause(action, pause) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, pause);
  };
}

// Returns a function that asks the server and returns the text of its answer: "" if there is none, null if it has
// been called again meanwhile. A redirect is no answer: it leads to the sign-in.
export function asker() {
  let last = 0;
  return async (address, options = {}) => {
    const mine = ++last;
    let text = "";
    try {
      const answer = await fetch(address, { ...options, redirect: "error" });
      if (answer.status === 200) text = await answer.text();
    } catch {
      // The network is away for a moment: the next question may be answered.
    }
    return mine === last ? text : null;
  };
}

// Returns the element of a part, with the drawings of its icons inside.
export function elementOf(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const [element, icons] = holder.content.children;
  if (icons) element.append(icons);
  return element;
}
