// The page that a form makes stands beside it on a desk, and in its place on a phone, and follows what is typed.
"use strict";

(() => {
  const form = document.querySelector("#entry-form");
  const pane = document.querySelector("#live-preview");
  if (!form || !pane) return;
  // so long after the last key the page is made anew; it is not made where nothing was typed since
  const WAIT = 600;
  const typed = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string")).toString();
  const body = form.querySelector(".form-body");
  let timer = 0;
  let made = "";
  // where the reader was among the fields
  let left = 0;

  function make() {
    const now = typed();
    if (now === made) return;
    made = now;
    window.htmx.trigger(pane, "look");
  }

  const bar = document.createElement("div");
  bar.className = "panes";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", pane.getAttribute("aria-label"));
  const buttons = ["fields", "preview"].map((name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = pane.dataset[name];
    button.addEventListener("click", () => go(name));
    bar.append(button);
    return [name, button];
  });

  function turn(to) {
    for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(name === to));
    form.dataset.pane = to;
    pane.hidden = to !== "preview";
    if (to === "preview") make();
  }

  // On a phone one takes the place of the other: the page is shown from its head, and the fields where they were left.
  function go(to) {
    const isOther = form.dataset.pane !== to;
    if (isOther && to === "preview") left = window.scrollY;
    turn(to);
    if (to === "preview" && body.getBoundingClientRect().top < 0) body.scrollIntoView({ block: "start" });
    if (isOther && to === "fields" && getComputedStyle(bar).position === "sticky") window.scrollTo(0, left);
  }

  form.addEventListener("input", () => {
    window.clearTimeout(timer);
    if (!pane.hidden) timer = window.setTimeout(make, WAIT);
  });
  // what could not be made is tried again by the next key
  for (const failed of ["htmx:responseError", "htmx:sendError"]) pane.addEventListener(failed, () => { made = ""; });
  form.querySelector(".show-page")?.addEventListener("click", (event) => {
    event.preventDefault();
    go("preview");
  });
  body.before(bar);
  turn("fields");
})();
