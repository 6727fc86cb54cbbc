// Reads a log file of any size in slices and keeps what tells: its beginning, the lines around its errors, its end.
"use strict";

const logFile = (() => {
  const SLICE = 4 * 1024 * 1024;
  // a smaller file is taken as it is
  const WHOLE = 1024 * 1024;
  // characters that are kept of a larger one: the earlier errors, and in what is left the latest
  const EARLY = 200_000;
  const LATE = 100_000;
  const [HEAD, TAIL, BEFORE, AFTER] = [30, 60, 30, 12];
  const LONGEST = 2000;
  const LONGEST_UNBROKEN = 1024 * 1024;
  // how often lines that differ in numbers only count as telling, and how many such shapes are remembered
  const [SAME, SHAPES] = [4, 20_000];
  const PACKED = [[0x1f, 0x8b], [0x50, 0x4b, 3, 4], [0x28, 0xb5, 0x2f, 0xfd], [0xfd, 0x37, 0x7a, 0x58], [0x42, 0x5a, 0x68],
    [0x37, 0x7a, 0xbc, 0xaf], [4, 0x22, 0x4d, 0x18]];

  const startsWith = (bytes, mark) => mark.every((byte, at) => bytes[at] === byte);

  // Returns what keeps these first bytes from being a log: "packed", "binary", or nothing.
  function unreadable(bytes) {
    if (PACKED.some((mark) => startsWith(bytes, mark))) return "packed";
    return !wide(bytes) && bytes.subarray(0, 4096).includes(0) ? "binary" : "";
  }

  function wide(bytes) {
    return startsWith(bytes, [0xff, 0xfe]) ? "utf-16le" : startsWith(bytes, [0xfe, 0xff]) ? "utf-16be" : "";
  }

  // Decodes slices: UTF-16 by its mark, else UTF-8, else GB18030 where the first bytes beyond ASCII are that.
  class Decoder {
    #decoder = null;

    text(bytes, last) {
      this.#decoder ??= this.#choose(bytes);
      return (this.#decoder ?? new TextDecoder()).decode(bytes, { stream: !last });
    }

    #choose(bytes) {
      if (wide(bytes)) return new TextDecoder(wide(bytes));
      if (bytes.every((byte) => byte < 0x80)) return null;
      const fits = ["utf-8", "gb18030"].find((encoding) => {
        try {
          new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
          return true;
        } catch {
          return false;
        }
      });
      return new TextDecoder(fits ?? "utf-8");
    }
  }

  // Returns an expression that fits any of these texts.
  const anyOf = (texts) => new RegExp(texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")).join("|"), "u");

  // Takes the lines of a file one by one and keeps the telling ones, those that `expression` fits, with what stands
  // around them.
  class Windows {
    #early = [];
    #late = [];
    #sizes = { early: 0, late: 0 };
    #recent = [];
    #shapes = new Map();
    #kept = 0;
    #after = 0;
    #scale;
    #expression;
    lines = 0;
    telling = 0;

    constructor(scale, expression) {
      this.#scale = scale;
      this.#expression = expression;
    }

    add(line) {
      this.lines += 1;
      const row = { number: this.lines, text: line.length > LONGEST ? `${line.slice(0, 1000)} … ${line.slice(-900)}` : line };
      if (this.#tells(line)) {
        this.telling += 1;
        this.#recent.slice(-BEFORE).forEach((earlier) => this.#keep(earlier));
        this.#after = AFTER;
        this.#keep(row);
      } else if (this.#after > 0 || this.lines <= HEAD) {
        this.#after -= 1;
        this.#keep(row);
      }
      this.#recent.push(row);
      if (this.#recent.length > 2 * TAIL) this.#recent = this.#recent.slice(-TAIL);
    }

    fits(line) {
      return this.#expression.test(line);
    }

    #tells(line) {
      if (!this.fits(line)) return false;
      const shape = line.slice(0, 300).replace(/[0-9]+/gu, "0");
      const seen = this.#shapes.get(shape) ?? 0;
      if (seen || this.#shapes.size < SHAPES) this.#shapes.set(shape, seen + 1);
      return seen < SAME;
    }

    #keep(row) {
      if (row.number <= this.#kept) return;
      this.#kept = row.number;
      const size = row.text.length + 1;
      if (this.#sizes.early + size <= EARLY * this.#scale && !this.#late.length) {
        this.#early.push(row);
        this.#sizes.early += size;
        return;
      }
      this.#late.push(row);
      this.#sizes.late += size;
      let gone = 0;
      while (this.#sizes.late > LATE * this.#scale) {
        this.#sizes.late -= this.#late[gone].text.length + 1;
        gone += 1;
      }
      this.#late.splice(0, gone);
    }

    // Returns the text, with what `gap` says of a number of lines wherever some were left out, and how many were kept.
    finish(gap) {
      this.#recent.slice(-TAIL).forEach((row) => this.#keep(row));
      const rows = [...this.#early, ...this.#late];
      const shown = [];
      let last = 0;
      for (const row of rows) {
        // the empty lines keep the mark apart from a message beside it
        if (row.number > last + 1) shown.push("", gap(row.number - last - 1), "");
        shown.push(row.text);
        last = row.number;
      }
      if (this.lines > last) shown.push("", gap(this.lines - last));
      return { text: shown.join("\n"), kept: rows.length, lines: this.lines, telling: this.telling };
    }
  }

  // A progress bar writes one line over itself: of its states the last counts, and any that tells.
  function split(line, windows) {
    if (!line.includes("\r")) return windows.add(line);
    const states = line.split("\r").filter(Boolean);
    states.forEach((state, at) => {
      if (at === states.length - 1 || windows.fits(state)) windows.add(state);
    });
    return undefined;
  }

  // Reads a Blob. Resolves to {text, whole, lines, kept, telling}, or {problem} when it is no log. `most` is the largest
  // paste in bytes; `needles` are texts that make a line telling; `gap` words a number of lines left out; `onProgress`
  // gets a share from 0 to 1; `signal` ends it.
  async function read(blob, { most, needles, gap, onProgress = () => {}, signal = null }) {
    const decoder = new Decoder();
    const whole = blob.size <= Math.min(WHOLE, most / 2);
    const windows = new Windows(Math.min(1, most / (8 * (EARLY + LATE))), anyOf(needles));
    let rest = "";
    for (let at = 0; at < blob.size; at += SLICE) {
      const bytes = new Uint8Array(await blob.slice(at, at + SLICE).arrayBuffer());
      signal?.throwIfAborted();
      const problem = at === 0 ? unreadable(bytes) : "";
      if (problem) return { problem };
      rest += decoder.text(bytes, at + SLICE >= blob.size);
      if (whole) continue;
      const lines = rest.split("\n");
      rest = lines.pop();
      lines.forEach((line) => split(line, windows));
      if (rest.length > LONGEST_UNBROKEN) {
        split(rest, windows);
        rest = "";
      }
      onProgress(Math.min(1, (at + SLICE) / blob.size));
    }
    if (whole) return { text: rest.replaceAll("\r\n", "\n"), whole, lines: rest.trimEnd().split("\n").length };
    if (rest) split(rest, windows);
    return { whole, ...windows.finish(gap) };
  }

  return { read };
})();
