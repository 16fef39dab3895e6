import { isAssertion } from "./literals.ts";

/** Names of what is caught assert nothing. */
const caughtNames = /\b[A-Z]\w{0,60}(?:Error|Exception|Assertion)\b/g;

/** Whether a line asserts, or says that its test fails. */
export function assertsOrFails(line: string): boolean {
  const code = line.slice(0, 400).replace(caughtNames, "");
  return !/^\s{0,200}(?:#|\/\/|\*)/.test(code) && (isAssertion(code) || /\bfail\w{0,10}\s{0,2}\(/.test(code));
}

/** What a handler may do with what it has caught: it says so, hands it on, or waits for another try. */
export const matters =
  /\b(?:re-?raise|raise|rethrow|throw|flunk|die|exit\w{0,4}|abort|panic|return|sleep|delay|wait\w{0,20}|retr(?:y|ies)|push|append|reject|done|next|t\.\w{1,20})\b/;

/** Whether a line of a handler does anything with what was caught. */
export function heeds(line: string): boolean {
  return matters.test(line.slice(0, 400)) || assertsOrFails(line);
}

/** So many handlers of one `try` are looked at. */
export const mostHandlers = 20;

/** The lines of a test file, which of them stand where a failure is caught, and which blocks they make. Linear in them, however deep they are. */
export class Caught {
  readonly lines: readonly string[];
  /** How many more of such places begin than end at a line. */
  readonly #begun: Int32Array;
  #heeding: Int32Array | null = null;
  #blocks: Blocks | null = null;

  constructor(lines: readonly string[]) {
    this.lines = lines;
    this.#begun = new Int32Array(lines.length + 1);
  }

  /** What fails in these lines is heard by nobody. */
  lose(from: number, to: number): void {
    if (to < from || from < 0 || to >= this.lines.length) return;
    this.#begun[from] = (this.#begun[from] ?? 0) + 1;
    this.#begun[to + 1] = (this.#begun[to + 1] ?? 0) - 1;
  }

  /** The lines that assert there. */
  found(): number[] {
    let depth = 0;
    return this.lines.flatMap((line, at) => {
      depth += this.#begun[at] ?? 0;
      return depth > 0 && assertsOrFails(line) ? [at] : [];
    });
  }

  /** Whether none of these lines does anything with what was caught. */
  isInert(from: number, to: number): boolean {
    if (this.#heeding === null) {
      this.#heeding = new Int32Array(this.lines.length + 1);
      for (const [at, line] of this.lines.entries())
        this.#heeding[at + 1] = (this.#heeding[at] ?? 0) + (heeds(line) ? 1 : 0);
    }
    return to < from || this.#heeding[to + 1] === this.#heeding[from];
  }

  /** The last line that stands deeper than this one; empty lines stand nowhere. */
  last(at: number): number {
    this.#blocks ??= blocksOf(this.lines);
    return this.#blocks.lasts[at] ?? at;
  }

  /** The line before this one that stands no deeper; -1: none does. */
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
