// Comforts of the result page: copying the link for a colleague.
"use strict";

for (const input of document.querySelectorAll("input[data-copies]")) {
  const words = document.body.dataset;
  const button = document.createElement("button");
  const status = document.getElementById("link-status");
  button.type = "button";
  button.textContent = input.dataset.copies;
  button.addEventListener("click", async () => {
    let told = words.copied;
    try {
      await navigator.clipboard.writeText(input.value);
    } catch {
      // plain http has no clipboard: then the address is selected, and one key press copies it
      input.focus();
      input.select();
      told = words.selected;
    }
    button.textContent = told;
    status.textContent = told;
    window.setTimeout(() => { button.textContent = input.dataset.copies; status.textContent = ""; }, 2500);
  });
  input.addEventListener("focus", () => input.select());
  input.after(button);
}
