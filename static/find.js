// Search as you type: htmx fetches, this file lets the keyboard choose. Without it the forms are plain forms.
"use strict";

// what an input method has not finished is nobody's word yet; the browser tells of the end without an input event
document.addEventListener("input", (event) => {
  if (event.isComposing) {
    event.stopImmediatePropagation();
  }
}, true);
document.addEventListener("compositionend", (event) => {
  event.target.dispatchEvent(new Event("input", { bubbles: true }));
}, true);

const box = document.querySelector("#page-search");
const list = document.querySelector("#page-suggestions");
let chosen = -1;

function options() {
  return [...list.querySelectorAll("[role=option]")];
}

function choose(place) {
  const all = options();
  chosen = place;
  all.forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
  if (place >= 0) {
    box.setAttribute("aria-activedescendant", all[place].id);
    all[place].scrollIntoView({ block: "nearest" });
  } else {
    box.removeAttribute("aria-activedescendant");
  }
}

function open(wanted) {
  const is = wanted && options().length > 0;
  list.hidden = !is;
  box.setAttribute("aria-expanded", String(is));
  choose(-1);
}

function move(by) {
  const most = options().length;
  if (most > 0) {
    if (list.hidden) {
      open(true);
    }
    // one place more than there are options: the box itself
    choose(((chosen + 1 + by + most + 1) % (most + 1)) - 1);
  }
}

if (box && list) {
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", list.id]]) {
    box.setAttribute(name, value);
  }
  list.addEventListener("htmx:afterSettle", () => open(document.activeElement === box && box.value.trim() !== ""));
  box.addEventListener("htmx:responseError", () => open(false));
  box.addEventListener("htmx:sendError", () => open(false));
  box.addEventListener("focus", () => open(box.value.trim() !== ""));
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) {
      return;
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && !list.hidden && chosen >= 0) {
      event.preventDefault();
      window.location.assign(options()[chosen].href);
    } else if (event.key === "Escape" && !list.hidden) {
      // the first Escape closes the list, the second empties the box as browsers do
      event.preventDefault();
      open(false);
    }
  });
  box.form.addEventListener("focusout", (event) => {
    if (!box.form.contains(event.relatedTarget)) {
      open(false);
    }
  });
  // a press on an option must not take the focus, or the list would close before the link is followed
  list.addEventListener("pointerdown", (event) => event.preventDefault());
}

// the search page keeps its address level with what is typed, so that it can be sent to somebody or come back to
document.querySelector("#found")?.addEventListener("htmx:afterSettle", () => {
  const form = document.querySelector(".seek-form");
  const asked = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = asked.length > 0 ? `?${new URLSearchParams(asked)}` : "";
  window.history.replaceState(null, "", form.getAttribute("action") + query);
  const other = document.querySelector("a.switch");
  other?.setAttribute("href", new URL(other.href).pathname + query);
});

// "/" moves to the search from anywhere, arrows move through what was found, Escape leads back to the box
const results = () => [...document.querySelectorAll(".results > li > a:first-child")];
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
    return;
  }
  const asked = document.querySelector("#search-words") ?? box;
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && asked) {
    event.preventDefault();
    asked.focus();
    asked.select();
    return;
  }
  const all = results();
  const at = all.indexOf(event.target);
  if (at < 0 && event.target.id !== "search-words") {
    return;
  }
  if (event.key === "Escape" && at >= 0) {
    asked.focus();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    const target = next < 0 ? asked : all[next];
    if (target) {
      event.preventDefault();
      target.focus();
    }
  }
});

// the lists of the browse page shrink to what holds the words
const filter = document.querySelector("#browse-filter");
if (filter) {
  filter.hidden = false;
  filter.querySelector("input").addEventListener("input", (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    for (const item of document.querySelectorAll(".shelves li")) {
      item.hidden = !item.textContent.toLowerCase().includes(wanted);
    }
    for (const section of document.querySelectorAll(".shelves section")) {
      section.hidden = !section.querySelector("li:not([hidden])");
    }
  });
}
