"use strict";

const place = document.getElementById("reference");

window.SwaggerUIBundle({
  url: place.dataset.openapi,
  domNode: place,
  deepLinking: true,
  // Without this the page would send the schema's address to a validator on the internet.
  validatorUrl: null,
  persistAuthorization: false,
  presets: [window.SwaggerUIBundle.presets.apis],
});
