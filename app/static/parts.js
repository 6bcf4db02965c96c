// What scripts share: parts of pages asked for while somebody types, forms that are sent, and what was typed but not
// sent.

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
      // The network is unavailable for a moment: the next question may be answered.
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

// Posts `body` with the form's token and returns the answer. The token ends with the session: after a sign-in in
// another tab the form gets a new one, and the body is sent once more.
export async function postWithToken(form, address, body) {
  const send = () => {
    body.set("csrf_token", form.elements.csrf_token.value);
    return fetch(address, { method: "POST", body, redirect: "manual" });
  };
  const answer = await send();
  if (answer.status !== 400) return answer;
  const renewed = await fetch(form.dataset.token, { redirect: "manual" });
  if (!renewed.ok) return answer;
  form.elements.csrf_token.value = (await renewed.json()).token;
  return send();
}

// Returns whether a field has another value than the one that it came with; hidden fields never have.
export function isChanged(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.type !== "select-one") return field.type !== "hidden" && field.value !== field.defaultValue;
  const first = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(first, 0);
}

// Asks before the page is left while `isSaved` returns false, but not when the form with this id is sent. A button
// with an address of its own does not save the form.
export function askBeforeLeaving(id, isSaved) {
  let sends = false;
  addEventListener("submit", (event) => {
    sends = event.target.id === id && !event.defaultPrevented && !event.submitter?.hasAttribute("formaction");
  });
  addEventListener("pageshow", () => { sends = false; });
  addEventListener("beforeunload", (event) => {
    if (!sends && !isSaved()) event.preventDefault();
  });
}
