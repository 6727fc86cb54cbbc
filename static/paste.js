// The paste box: what looks secret is masked before it is sent, and log files are read here.
"use strict";

{
  const form = document.querySelector("form.paste");
  const box = form.querySelector("textarea");
  const chooser = form.querySelector("input[type=file]");
  const masking = form.querySelector(".masking");
  const reading = form.querySelector(".reading");
  const texts = JSON.parse(form.dataset.texts);
  const most = Number(form.dataset.most);
  const needles = JSON.parse(form.dataset.needles);
  const lang = document.documentElement.lang;
  const plural = new Intl.PluralRules(lang);
  const number = new Intl.NumberFormat(lang);
  const LISTED = 50;

  function word(key, params = {}) {
    const text = texts[key] ?? texts[`${key}.${plural.select(params.n)}`] ?? texts[`${key}.other`];
    return text.replace(/\{([a-z]+)\}/gu, (_, name) =>
      typeof params[name] === "number" ? number.format(params[name]) : params[name]);
  }

  function made(name, properties = {}, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  function size(bytes) {
    const units = ["KB", "MB", "GB", "TB"];
    let [value, unit] = [bytes / 1024, 0];
    while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
    return `${new Intl.NumberFormat(lang, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)} ${units[unit]}`;
  }

  // ---- what looks secret

  let rules = null;
  let settled = false;
  let masks = true;
  const kept = new Set();
  const loaded = fetch(form.dataset.rules).then((answer) => answer.json()).then((file) => {
    rules = secrets.compile(file);
    look();
  }).catch(() => {
    // without rules the field that says so is not sent, and the server masks
  }).finally(() => {
    settled = true;
  });

  const line = made("summary");
  const all = made("input", { type: "checkbox", checked: true });
  const list = made("ul");
  const details = made("details", { className: "secrets", hidden: true }, line,
    made("label", {}, all, ` ${word("mask")}`), made("p", { className: "quiet", textContent: word("lede") }), list);
  const idle = masking.querySelector("p");
  const said = made("p", { className: "hidden" });
  said.setAttribute("role", "status");
  masking.append(details, said);

  function short(finding) {
    const value = finding.value.replace(/\s+/gu, " ");
    if (finding.kind !== "TOKEN" && value.length <= 28) return value;
    return value.length <= 6 ? `${value.slice(0, 1)}…` : `${value.slice(0, 3)}…${value.slice(-2)}`;
  }

  function row(finding) {
    const box = made("input", { type: "checkbox", checked: !kept.has(finding.value) });
    box.addEventListener("change", () => {
      kept[box.checked ? "delete" : "add"](finding.value);
      tell();
    });
    return made("li", {}, made("label", {}, box, " ", made("code", { textContent: short(finding) }), " → ",
      made("code", { textContent: finding.placeholder }),
      made("span", { className: "quiet", textContent: finding.count > 1 ? ` ${word("times", { n: finding.count })}` : "" })));
  }

  let findings = [];

  function sentence() {
    if (!masks) return word("off");
    const active = findings.filter((finding) => !kept.has(finding.value));
    if (!active.length) return word("none");
    const kinds = Map.groupBy ? Map.groupBy(active, (one) => one.kind) : grouped(active);
    const parts = [...kinds].map(([kind, ones]) => word(kind.toLowerCase(), { n: ones.length }));
    return word("found", { n: active.length, list: new Intl.ListFormat(lang, { style: "narrow" }).format(parts) });
  }

  function grouped(ones) {
    const kinds = new Map();
    ones.forEach((one) => kinds.set(one.kind, [...(kinds.get(one.kind) ?? []), one]));
    return kinds;
  }

  function tell() {
    const text = findings.length ? sentence() : "";
    line.textContent = text;
    if (said.textContent !== text) said.textContent = text;
  }

  function look() {
    if (!rules) return;
    findings = secrets.mask(rules, box.value).findings;
    details.hidden = !findings.length;
    idle.hidden = Boolean(findings.length);
    idle.textContent = word("ready");
    const rest = findings.length - LISTED;
    list.replaceChildren(...findings.slice(0, LISTED).map(row),
      ...(rest > 0 ? [made("li", { className: "quiet", textContent: word("more", { n: rest }) })] : []));
    list.hidden = !masks;
    tell();
  }

  all.addEventListener("change", () => {
    masks = all.checked;
    list.hidden = !masks;
    tell();
  });

  let waiting = 0;
  box.addEventListener("input", () => {
    window.clearTimeout(waiting);
    // a long text takes a moment, so not at every key
    waiting = window.setTimeout(look, box.value.length > 200_000 ? 600 : 120);
  });
  window.addEventListener("pageshow", look);

  // ---- sending

  function bytes(text) {
    // forms send each line feed as two bytes
    return new Blob([text]).size + text.split("\n").length;
  }

  form.addEventListener("submit", async (event) => {
    const fits = bytes(box.value) <= most;
    if (settled && fits) return;
    event.preventDefault();
    await loaded;
    if (!fits) await shorten();
    // a form that is being sent cannot be sent again, so not before this event is over
    else window.setTimeout(() => form.requestSubmit());
  });

  form.addEventListener("formdata", (event) => {
    event.formData.delete("file");
    if (!rules) return;
    event.formData.set("text", masks ? secrets.mask(rules, box.value, kept).text : box.value);
    event.formData.set("masked", "1");
  });

  // ---- a log file

  const gap = (n) => word("gap", { n });
  const note = (text) => reading.replaceChildren(made("p", { textContent: text }));
  const wrong = (text) => reading.replaceChildren(made("p", { className: "problem", textContent: text }));

  function put(text) {
    box.value = text;
    look();
    box.scrollTop = 0;
    box.focus();
  }

  async function shorten() {
    const blob = new Blob([box.value]);
    const found = await logFile.read(blob, { most, needles, gap });
    put(found.text);
    note(word("shortened", { n: found.kept, size: size(blob.size) }));
  }

  let current = null;

  async function take(file) {
    current?.abort();
    const mine = new AbortController();
    current = mine;
    const bar = made("progress", { max: 1, value: 0 });
    bar.setAttribute("aria-label", file.name);
    const share = made("span", { textContent: word("reading", { name: file.name, percent: 0 }) });
    const stop = made("button", { type: "button", textContent: word("stop") });
    stop.addEventListener("click", () => mine.abort());
    reading.replaceChildren(made("p", { className: "progress" }, bar, share, stop));
    // the bar tells what a screen reader should not hear at every percent
    reading.setAttribute("aria-busy", "true");
    const onProgress = (part) => {
      bar.value = part;
      share.textContent = word("reading", { name: file.name, percent: Math.floor(part * 100) });
    };
    try {
      const found = await logFile.read(file, { most, needles, gap, onProgress, signal: mine.signal });
      if (current === mine) taken(file, found);
    } catch (error) {
      if (current !== mine) return;
      if (error.name === "AbortError") note(word("stopped"));
      else wrong(word("unreadable"));
    } finally {
      if (current === mine) reading.removeAttribute("aria-busy");
    }
  }

  function taken(file, found) {
    if (found.problem) return wrong(word(found.problem));
    if (!found.text.trim()) return wrong(word("empty"));
    put(found.text);
    if (found.whole) return note(word("whole", { name: file.name, n: found.lines }));
    const key = found.telling ? "taken" : "no-errors";
    return note(word(key, { size: size(file.size), n: found.kept }));
  }

  chooser.addEventListener("change", () => {
    const [file] = chooser.files;
    chooser.value = "";
    if (file) take(file);
  });

  const choose = form.querySelector(".choose");
  const label = choose.querySelector("label");
  label.textContent = label.dataset.live;
  label.className = "button";
  choose.classList.add("live");
  choose.prepend(chooser);

  const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
  let over = 0;
  const hover = (step) => {
    over = Math.max(0, over + step);
    form.classList.toggle("over", over > 0);
  };
  form.addEventListener("dragenter", (event) => carriesFile(event) && hover(1));
  form.addEventListener("dragleave", (event) => carriesFile(event) && hover(-1));
  form.addEventListener("dragover", (event) => {
    if (carriesFile(event)) event.preventDefault();
  });
  form.addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    hover(-over);
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
}
