"use strict";

// The interface has a dark look of its own, which follows the system's.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const place = document.getElementById("reference");

// What the interface leaves to be mended for screen readers and keyboards: choices without a label, parts outside
// of any landmark, a skipped level of headings, links within buttons that do what the buttons do, and examples that
// scroll without taking the focus.
const parts = { ".information-container": "About", ".scheme-container": "Server and key" };
const mend = () => {
  place.querySelector("#servers")?.setAttribute("aria-label", "Server");
  for (const choice of place.querySelectorAll(".examples-select-element")) choice.ariaLabel = "Example";
  for (const example of place.querySelectorAll("pre.microlight")) example.tabIndex = 0;
  for (const [selector, name] of Object.entries(parts)) {
    const part = place.querySelector(`${selector}:not([role])`);
    part?.setAttribute("role", "region");
    part?.setAttribute("aria-label", name);
  }
  for (const heading of place.querySelectorAll("h3.opblock-tag:not([aria-level])")) heading.ariaLevel = "2";
  for (const heading of place.querySelectorAll("h4:not([aria-level])")) heading.ariaLevel = "3";
  for (const link of place.querySelectorAll("button a[href]")) {
    link.removeAttribute("href");
    link.setAttribute("role", "none");
  }
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
