"use strict";

// The interface has a dark look of its own, which follows the system's.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const place = document.getElementById("reference");

// The choice of a server has no label, and the links within the buttons of the operations are stops of the
// keyboard that do nothing which the buttons do not.
const mend = () => {
  place.querySelector("#servers")?.setAttribute("aria-label", "Server");
  for (const link of place.querySelectorAll("button a[href]:not([tabindex])")) link.tabIndex = -1;
};
new MutationObserver(mend).observe(place, { childList: true, subtree: true });

window.SwaggerUIBundle({
  url: place.dataset.openapi,
  domNode: place,
  deepLinking: true,
  // Without this the page would send the schema's address to a validator on the internet.
  validatorUrl: null,
  persistAuthorization: false,
  presets: [window.SwaggerUIBundle.presets.apis],
});
