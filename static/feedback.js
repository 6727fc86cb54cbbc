// A vote is sent without leaving the page; without this file the form leads to the entry.
"use strict";

for (const form of document.querySelectorAll(".helped form")) {
  const part = form.closest(".helped");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const sent = new URLSearchParams(new FormData(form, event.submitter));
    const buttons = [...form.querySelectorAll(".buttons button")];
    const status = part.querySelector(".thanks");
    for (const button of buttons) { button.ariaDisabled = "true"; }
    try {
      const answer = await fetch(form.action, { method: "POST", body: sent });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const said = page.querySelector(".helped");
      if (!answer.ok || !said) { throw new Error(answer.statusText); }
      status.textContent = said.querySelector(".thanks").textContent;
      part.querySelector(".count-solved").textContent = said.querySelector(".count-solved").textContent;
      for (const button of buttons) { button.ariaPressed = String(button.value === sent.get("vote")); }
      form.querySelector(".tell").replaceChildren(...said.querySelector(".tell").childNodes);
    } catch {
      // what was typed stays, and the same button tries again
      status.textContent = form.dataset.failed;
    }
    for (const button of buttons) { button.removeAttribute("aria-disabled"); }
  });
}
