// Comforts only: every page works without this file.
"use strict";

document.addEventListener("keydown", (event) => {
  const form = event.target instanceof HTMLTextAreaElement ? event.target.form : null;
  if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    // a field with a button of its own is sent by that one
    form.requestSubmit(event.target.closest(".field")?.querySelector("button"));
  }
});

function select(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = window.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

async function copy(code) {
  // plain http has no clipboard: then the text is selected, and one key press copies it
  try {
    await navigator.clipboard.writeText(code.textContent);
    return "copied";
  } catch {
    select(code);
    return "selected";
  }
}

for (const code of document.querySelectorAll(".prose pre > code")) {
  const words = document.body.dataset;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = words.copy;
  button.addEventListener("click", async () => {
    button.textContent = words[await copy(code)];
    window.setTimeout(() => { button.textContent = words.copy; }, 2500);
  });
  code.parentElement.append(button);
}

document.querySelector(".problem.summary")?.focus();

// A Chinese heading breaks between words and not inside one. `word-break: auto-phrase` does that for Japanese only.
function breakByWords(heading, words) {
  const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("code")) texts.push(walker.currentNode);
  for (const text of texts) {
    let wasWord = false;
    const pieces = [];
    for (const { segment, isWordLike } of words.segment(text.data)) {
      if (wasWord && isWordLike) pieces.push(document.createElement("wbr"));
      pieces.push(segment);
      wasWord = isWordLike;
    }
    text.replaceWith(...pieces);
  }
  heading.classList.add("by-words");
}

if (window.Intl?.Segmenter) {
  const words = new Intl.Segmenter("zh", { granularity: "word" });
  for (const heading of document.querySelectorAll(":is(h1, h2, h3, .look):lang(zh)")) breakByWords(heading, words);
}

// the place in the text is kept when the language changes: headings answer to their name in both
document.querySelector("a.switch")?.addEventListener("click", (event) => {
  const link = event.currentTarget;
  link.hash = location.hash;
});

// the form of an entry was taken when its page is followed by that of the submission, the review or the entry
try {
  const sent = sessionStorage.getItem("errdex-sent");
  if (sent && /^\/\w+\/(s\/[^/]+|e\/[^/]+\/[^/]+|review\/\d+)(\/history)?$/.test(location.pathname)) {
    localStorage.removeItem(sent);
    sessionStorage.removeItem("errdex-sent");
  }
} catch { /* a browser that keeps nothing has nothing to forget */ }

// a page that could not be made is asked for again when the server is ready; a form waits for its author
const waiting = document.querySelector("[data-retry]");
if (waiting) {
  const look = async () => {
    const ready = await fetch("/readyz", { cache: "no-store" }).then((answer) => answer.ok, () => false);
    if (!ready) { window.setTimeout(look, waiting.dataset.retry * 1000); return; }
    if (waiting.dataset.again) { waiting.textContent = waiting.dataset.again; } else { window.location.reload(); }
  };
  waiting.textContent = waiting.dataset.said;
  window.setTimeout(look, waiting.dataset.retry * 1000);
}
