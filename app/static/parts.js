// What scripts send to the server and get from it: parts of pages asked for while somebody types, and forms.

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
