// What is typed into the form of an entry is kept in this browser, masked like a paste, until it was sent or thrown away.
"use strict";

(() => {
  const form = document.querySelector("#entry-form");
  const offer = document.querySelector("#kept-draft");
  if (!form || !offer) return;
  const field = (name) => form.elements.namedItem(name)?.value ?? "";
  const key = `errdex-draft ${offer.dataset.about}`;
  // what the page came with, and what belongs to this page alone
  const OWN = ["slug", "revision", "version", "answers", "project", "name"];
  const typed = () => [...new FormData(form)].filter(([, value]) => typeof value === "string");
  const told = (items) => JSON.stringify(items.filter(([name]) => !OWN.includes(name)));
  const first = told(typed());
  let rules = [];
  let timer = 0;

  // a browser may refuse to keep anything: then nothing is kept
  const store = (act) => { try { return act(window.localStorage); } catch { return null; } };
  const load = () => { try { return JSON.parse(store((kept) => kept.getItem(key))); } catch { return null; } };
  const drop = () => store((kept) => kept.removeItem(key));

  function save() {
    const items = typed();
    if (told(items) === first) return;
    const masked = items.map(([name, value]) => [name, secrets.mask(rules, value).text]);
    store((kept) => kept.setItem(key, JSON.stringify({ at: Date.now(), action: form.getAttribute("action"), items: masked })));
    form.dataset.kept = "1";
  }

  // without the rules nothing can be masked, and then nothing is kept
  fetch(offer.dataset.rules).then((answer) => answer.json()).then((file) => {
    rules = secrets.compile(file);
    form.addEventListener("input", () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(save, 400);
    });
    window.addEventListener("pagehide", () => { if (timer) save(); });
  }, () => {});

  // the server makes the form of it, with as many rows as there were
  function restore({ action, items }) {
    const sent = document.createElement("form");
    sent.method = "post";
    // in the language in which it was written
    sent.action = `${action}/rows`;
    // an entry may have been changed since: that is told when it is sent, by the revision of this page
    const mine = new Map(["version", "answers"].map((name) => [name, field(name)]));
    for (const [name, value] of items) {
      const box = document.createElement("textarea");
      box.name = name;
      box.value = mine.get(name) || value;
      sent.append(box);
    }
    sent.hidden = true;
    document.body.append(sent);
    sent.submit();
  }

  form.addEventListener("submit", (event) => {
    window.clearTimeout(timer);
    timer = 0;
    const goes = event.submitter?.hasAttribute("formaction") ?? false;
    // whether it was taken shows on the next page, which forgets it
    if (!goes) { save(); store(() => window.sessionStorage.setItem("errdex-sent", key)); }
  });

  const kept = load();
  // a form that comes back with what was typed needs no offer
  if (kept && told(kept.items) !== first && !document.querySelector(".problem.summary") && !offer.dataset.typed) {
    offer.hidden = false;
    const says = document.createElement("p");
    says.textContent = `${offer.dataset.kept} ${new Date(kept.at).toLocaleString(document.documentElement.lang)}`;
    const choice = (text, act) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", act);
      return button;
    };
    const ways = document.createElement("p");
    ways.append(
      choice(offer.dataset.back, () => restore(kept)), " ",
      choice(offer.dataset.away, () => { drop(); offer.hidden = true; }),
    );
    offer.append(says, ways);
  }
})();
