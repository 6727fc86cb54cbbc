// What looks secret in a text, replaced by placeholders. The twin of app/privacy/secrets.py: the same rules, the same result.
"use strict";

const secrets = (() => {
  // how much of the line a rule may look at on either side of a value
  const NEAR = 40;
  const PLACED = /<([A-Z]{1,12})#([0-9]{1,6})>/gu;

  // Returns the rules of secret-rules.json, ready for `mask`.
  function compile(file) {
    const full = (pattern) => pattern.replace(/\{\{([a-z-]+)\}\}/gu, (_, piece) => file.pieces[piece]);
    const all = (patterns = []) => patterns.map((pattern) => new RegExp(full(pattern), "u"));
    return file.rules.map((row) => ({
      name: row.name,
      placeholder: row.placeholder,
      needs: row.needs,
      again: row.again === true,
      pattern: new RegExp(full(row.pattern), "gu"),
      notIf: all(row.not_if),
      notAfter: all(row.not_after),
      notBefore: all(row.not_before),
    }));
  }

  // Returns what a match says is secret, which ends the match; null when a check speaks against it.
  function secret(rule, match, groups, offset, text) {
    const value = groups.find((group) => group !== undefined) ?? match;
    const end = offset + match.length;
    const start = end - value.length;
    const before = text.slice(Math.max(0, start - NEAR), start);
    const after = text.slice(end, end + NEAR);
    const checks = [
      [rule.notIf, value],
      [rule.notAfter, before.slice(before.lastIndexOf("\n") + 1)],
      [rule.notBefore, after.split("\n", 1)[0]],
    ];
    return checks.some(([against, part]) => against.some((one) => one.test(part))) ? null : value;
  }

  // Returns {text, findings}: the text with what looks secret masked, but for the values in the set `kept`.
  function mask(rules, text, kept = new Set()) {
    const last = {};
    const found = new Map();
    const named = (rule, value) => {
      const key = `${rule.placeholder} ${value}`;
      if (!found.has(key)) {
        last[rule.placeholder] = (last[rule.placeholder] ?? 0) + 1;
        const placeholder = `<${rule.placeholder}#${last[rule.placeholder]}>`;
        found.set(key, { name: rule.name, value, placeholder, kind: rule.placeholder, count: 0 });
      }
      const finding = found.get(key);
      finding.count += 1;
      return finding.placeholder;
    };
    for (const [, kind, number] of text.matchAll(PLACED)) last[kind] = Math.max(last[kind] ?? 0, Number(number));
    for (const rule of rules) {
      if (!rule.needs.some((need) => text.includes(need))) continue;
      let before;
      do {
        before = text;
        text = text.replace(rule.pattern, (match, ...rest) => {
          const value = secret(rule, match, rest.slice(0, -2), rest.at(-2), rest.at(-1));
          return value === null || kept.has(value) ? match : match.slice(0, match.length - value.length) + named(rule, value);
        });
      } while (rule.again && text !== before);
    }
    return { text, findings: [...found.values()] };
  }

  return { compile, mask };
})();
