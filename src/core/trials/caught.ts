import { isAssertion } from "./literals.ts";

/** Names of exception types. A line that only names one asserts nothing. */
const caughtNames = /\b[A-Z]\w{0,60}(?:Error|Exception|Assertion)\b/g;

/** True when a line asserts, or reports that its test fails. */
export function assertsOrFails(line: string): boolean {
  const code = line.slice(0, 400).replace(caughtNames, "");
  return !/^\s{0,200}(?:#|\/\/|\*)/.test(code) && (isAssertion(code) || /\bfail\w{0,10}\s{0,2}\(/.test(code));
}

/** Words by which a handler reacts to a caught failure: it reports the failure, passes it on, or waits for a retry. */
export const matters =
  /\b(?:re-?raise|raise|rethrow|throw|flunk|die|exit\w{0,4}|abort|panic|return|sleep|delay|wait\w{0,20}|retr(?:y|ies)|push|append|reject|done|next|t\.\w{1,20})\b/;

/** True when a line of a handler reacts to the caught failure. */
export function heeds(line: string): boolean {
  return matters.test(line.slice(0, 400)) || assertsOrFails(line);
}

/** Maximum number of handlers of one `try` that are looked at. */
export const mostHandlers = 20;

/**
 * The lines of a test file: which of them stand where a failure is swallowed, and which blocks they form. Linear in the lines, whatever
 * their depth.
 */
export class Caught {
  readonly lines: readonly string[];
  /** For each line, the number of swallowing ranges that begin there, minus the number that end just before it. */
  readonly #begun: Int32Array;
  #heeding: Int32Array | null = null;
  #blocks: Blocks | null = null;

  constructor(lines: readonly string[]) {
    this.lines = lines;
    this.#begun = new Int32Array(lines.length + 1);
  }

  /** Marks lines in which a failure is swallowed. */
  lose(from: number, to: number): void {
    if (to < from || from < 0 || to >= this.lines.length) return;
    this.#begun[from] = (this.#begun[from] ?? 0) + 1;
    this.#begun[to + 1] = (this.#begun[to + 1] ?? 0) - 1;
  }

  /** The asserting lines within the marked ranges. */
  found(): number[] {
    let depth = 0;
    return this.lines.flatMap((line, at) => {
      depth += this.#begun[at] ?? 0;
      return depth > 0 && assertsOrFails(line) ? [at] : [];
    });
  }

  /** True when none of these lines reacts to the caught failure. */
  isInert(from: number, to: number): boolean {
    if (this.#heeding === null) {
      this.#heeding = new Int32Array(this.lines.length + 1);
      for (const [at, line] of this.lines.entries())
        this.#heeding[at + 1] = (this.#heeding[at] ?? 0) + (heeds(line) ? 1 : 0);
    }
    return to < from || this.#heeding[to + 1] === this.#heeding[from];
  }

  /** The last line of the block that is indented deeper than this line. Empty lines are ignored. */
  last(at: number): number {
    this.#blocks ??= blocksOf(this.lines);
    return this.#blocks.lasts[at] ?? at;
  }

  /** The nearest line before this one that is not indented deeper; -1 when there is none. */
  opener(at: number): number {
    this.#blocks ??= blocksOf(this.lines);
    return this.#blocks.openers[at] ?? -1;
  }
}

interface Blocks {
  readonly lasts: Int32Array;
  readonly openers: Int32Array;
}

function blocksOf(lines: readonly string[]): Blocks {
  const lasts = Int32Array.from(lines.keys());
  const openers = new Int32Array(lines.length).fill(-1);
  const open: { readonly at: number; readonly depth: number }[] = [];
  let filled = -1;
  for (const [at, line] of lines.entries()) {
    const rest = line.trimStart();
    if (rest === "") continue;
    const depth = line.length - rest.length;
    while ((open.at(-1)?.depth ?? -1) > depth) lasts[open.pop()?.at ?? 0] = filled;
    openers[at] = open.at(-1)?.at ?? -1;
    if (open.at(-1)?.depth === depth) lasts[open.pop()?.at ?? 0] = filled;
    open.push({ at, depth });
    filled = at;
  }
  for (const { at } of open) lasts[at] = filled;
  return { lasts, openers };
}
