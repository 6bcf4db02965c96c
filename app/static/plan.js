// Asks before a changed plan is left: its changes are stored only with the article that is written from it.

import { askBeforeLeaving, isChanged } from "./parts.js";

const ID = "plan-form";

// The form comes later if the plan is still being made.
askBeforeLeaving(ID, () => {
  const form = document.getElementById(ID);
  if (!form) return true;
  return form.dataset.unsaved !== "yes" && ![...form.querySelectorAll("input, textarea, select")].some(isChanged);
});
