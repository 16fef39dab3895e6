/** Finds secrets by value, in the forms in which they appear in output. */

/** Half-open range, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Shorter values are not masked: that would hide ordinary words and protect nothing. */
const shortestSecret = 6;

/** Finds every occurrence of every known value in one pass through a text. */
export interface ValueSearch {
  /** Sorted by their ends; they may overlap. */
  rangesIn(text: string): TextRange[];
  /** Returns where a value may have begun that continues after the text's end; the text's length when none has. */
  openAt(text: string): number;
  /** Length of the longest value. */
  readonly longest: number;
}

const searches = new WeakMap<readonly string[], ValueSearch>();

/** Returns the search for these secrets, built once for each list. */
export function searchFor(secrets: readonly string[]): ValueSearch {
  const known = searches.get(secrets);
  if (known !== undefined) return known;
  const made = buildSearch(formsOf(secrets));
  searches.set(secrets, made);
  return made;
}

/**
 * Returns the forms in which secrets appear: unchanged, single lines (output may indent them), encoded for URLs, forms and JSON,
 * and in Base64 at any position in a longer text.
 */
function formsOf(secrets: readonly string[]): readonly string[] {
  const forms = new Set<string>();
  for (const given of secrets) {
    const secret = given.toWellFormed();
    const encoded = encodeURIComponent(secret);
    const all = [
      secret,
      ...secret.split("\n"),
      encoded,
      encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      new URLSearchParams([["", secret]]).toString().slice(1),
      JSON.stringify(secret).slice(1, -1),
    ].map((each) => each.trim());
    if (secret.length >= shortestSecret) all.push(...base64Forms(secret));
    for (const form of all) if (form.length >= shortestSecret) forms.add(form);
  }
  return [...forms];
}

/** Returns the part of its Base64 that does not depend on the surrounding text, for an offset of 0, 1 or 2 bytes in a group of three. */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].flatMap((shift) => {
    let binary = "\0".repeat(shift);
    for (const byte of bytes) binary += String.fromCharCode(byte);
    const form = btoa(binary).slice(Math.ceil((shift * 8) / 6), Math.floor((binary.length * 8) / 6));
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Aho and Corasick, 1975: one step for each character, for any number of values. */
function buildSearch(values: readonly string[]): ValueSearch {
  const next: Map<number, number>[] = [new Map()];
  /** For each state: its depth, and the length of the longest value that ends in it (0: none). */
  const depth = [0];
  const ending = [0];
  for (const value of values) {
    let state = 0;
    for (let at = 0; at < value.length; at += 1) state = step(state, value.charCodeAt(at));
    ending[state] = value.length;
  }
  const fallback = fallbacks(next, ending);

  function step(state: number, unit: number): number {
    const known = next[state]?.get(unit);
    if (known !== undefined) return known;
    const made = next.length;
    next.push(new Map());
    depth.push((depth[state] ?? 0) + 1);
    ending.push(0);
    next[state]?.set(unit, made);
    return made;
  }

  function walk(text: string, onValue: (start: number, end: number) => void): number {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      let found = next[state]?.get(unit);
      while (found === undefined && state !== 0) {
        state = fallback[state] ?? 0;
        found = next[state]?.get(unit);
      }
      state = found ?? 0;
      const length = ending[state] ?? 0;
      if (length > 0) onValue(at + 1 - length, at + 1);
    }
    return depth[state] ?? 0;
  }

  return {
    longest: values.reduce((most, value) => Math.max(most, value.length), 0),
    rangesIn(text) {
      const ranges: TextRange[] = [];
      if (values.length > 0) walk(text, (start, end) => ranges.push({ start, end }));
      return ranges;
    },
    openAt: (text) => (values.length === 0 ? text.length : text.length - walk(text, () => {})),
  };
}

/** Returns for each state the longest proper suffix that is a state. A value that ends in that state ends here too. */
function fallbacks(next: readonly Map<number, number>[], ending: number[]): Int32Array {
  const fallback = new Int32Array(next.length);
  const waiting = [...(next[0]?.values() ?? [])];
  for (let index = 0; index < waiting.length; index += 1) {
    const state = waiting[index] ?? 0;
    for (const [unit, child] of next[state] ?? []) {
      let shorter = fallback[state] ?? 0;
      while (shorter !== 0 && next[shorter]?.has(unit) !== true) shorter = fallback[shorter] ?? 0;
      const found = next[shorter]?.get(unit);
      fallback[child] = found === undefined || found === child ? 0 : found;
      ending[child] = Math.max(ending[child] ?? 0, ending[fallback[child] ?? 0] ?? 0);
      waiting.push(child);
    }
  }
  return fallback;
}
