import { lineIndent } from "./asserted.ts";
import { type Caught, heeds, mostHandlers } from "./caught.ts";

/** Where languages whose blocks are told by how far they are indented catch what fails in a test, and lead it nowhere. */

const caughtInPython = /\b(?:AssertionError|Exception|BaseException)\b/;

/** `with suppress(AssertionError):`, `try: … except: pass`, `finally: return`. */
export function inPython(caught: Caught): void {
  for (const [at, line] of caught.lines.entries()) {
    const [, given] = /^\s{0,200}(?:async )?with\s.{0,200}?\bsuppress\(([^()]{0,200})\)/.exec(line) ?? [];
    const isTaken =
      given === undefined
        ? /^\s{0,200}try\s{0,4}:/.test(line) && !isHeardInPython(caught, at)
        : caughtInPython.test(given);
    if (isTaken) caught.lose(at, caught.last(at));
  }
}

/** Whether what fails in the `try` that begins there fails the test: nothing catches it, or what does so says it. */
function isHeardInPython(caught: Caught, begin: number): boolean {
  const { lines } = caught;
  let at = caught.last(begin) + 1;
  let isHeard = true;
  let isCaught = false;
  for (let looked = 0; looked < mostHandlers; looked += 1) {
    while (at < lines.length && lines[at]?.trim() === "") at += 1;
    const handler = lines[at] ?? "";
    const [said, word = "", taken = ""] = /^\s{0,200}(except|else|finally)\b([^:#]{0,200}):/.exec(handler) ?? [];
    if (said === undefined || lineIndent(handler) !== lineIndent(lines[begin] ?? "")) return isHeard;
    const last = caught.last(at);
    const beside = handler.slice(said.length);
    // It takes the place of what was thrown.
    if (word === "finally" && (/^\s{0,9}return\b/.test(beside) || returns(caught, at + 1, last))) return false;
    if (word === "except" && !isCaught && (/^[\s*]{0,9}$/.test(taken) || caughtInPython.test(taken))) {
      isCaught = true;
      isHeard = heeds(beside) || !caught.isInert(at + 1, last);
    }
    at = last + 1;
  }
  return isHeard;
}

/** So many lines of a handler are looked through for what it returns. */
const longestHandler = 400;

/** Whether what holds these lines returns there; what a function of their own returns is another thing. */
function returns(caught: Caught, from: number, to: number): boolean {
  for (let at = from; at <= Math.min(to, from + longestHandler); at += 1) {
    const line = caught.lines[at] ?? "";
    if (/^\s{0,200}return\b/.test(line)) return true;
    if (/^\s{0,200}(?:async\s{1,4})?(?:def|class)\b/.test(line)) at = caught.last(at);
  }
  return false;
}

/** What is no error of the everyday kind: a bare `rescue` catches none of minitest's and RSpec's. */
const caughtInRuby = /\b(?:Exception|Assertion|ExpectationNotMetError|AssertionFailedError|Object)\b/;

/** `suppress(Exception) do`, `rescue Exception`, `ensure … return`. */
export function inRuby(caught: Caught): void {
  for (const [at, line] of caught.lines.entries()) {
    const [, given] = /^\s{0,200}suppress\(([^()]{0,200})\)\s{0,4}do\b/.exec(line) ?? [];
    if (given !== undefined && caughtInRuby.test(given)) caught.lose(at, caught.last(at));
    const [, word, taken = ""] = /^\s{0,200}(rescue|ensure)\b(.{0,200})/.exec(line) ?? [];
    if (word === undefined) continue;
    const before = handlersBefore(caught, at, /^\s{0,200}(?:rescue|else)\b/);
    const begin = caught.opener(before[0] ?? at);
    // What is returned there takes the place of what was thrown, by a handler, too.
    if (word === "ensure" && returns(caught, at + 1, caught.last(at))) caught.lose(begin, at - 1);
    if (word !== "rescue" || !caughtInRuby.test(taken) || !caught.isInert(at + 1, caught.last(at))) continue;
    const isTaken = before.some((each) => caughtInRuby.test(caught.lines[each] ?? ""));
    if (!isTaken) caught.lose(begin, (before[0] ?? at) - 1);
  }
}

/** The handlers that stand before this one of the same `begin` or `try`, the first one first. */
function handlersBefore(caught: Caught, at: number, pattern: RegExp): number[] {
  const found: number[] = [];
  let here = caught.opener(at);
  while (found.length < mostHandlers) {
    const line = caught.lines[here] ?? "";
    if (!pattern.test(line) || lineIndent(line) !== lineIndent(caught.lines[at] ?? "")) break;
    found.unshift(here);
    here = caught.opener(here);
  }
  return found;
}

/** `try do … rescue _ -> :ok end`: a clause that takes everything, or what an assertion throws, and says nothing of it. */
export function inElixir(caught: Caught): void {
  for (const [at, line] of caught.lines.entries()) {
    const [, word] = /^\s{0,200}(rescue|catch)\s{0,9}$/.exec(line) ?? [];
    if (word === undefined) continue;
    const before = handlersBefore(caught, at, /^\s{0,200}(?:rescue|catch|else)\s{0,9}$/);
    const isTaken = before.some((each) => takingClause(caught, each) !== null);
    const clause = isTaken ? null : takingClause(caught, at);
    if (clause !== null && caught.isInert(clause, caught.last(clause)))
      caught.lose(caught.opener(before[0] ?? at), (before[0] ?? at) - 1);
  }
}

/** The first clause of such a block that takes what an assertion throws; null: none does. */
function takingClause(caught: Caught, at: number): number | null {
  const pattern = /^\s{0,200}catch\b/.test(caught.lines[at] ?? "") ? takenInCatch : takenInRescue;
  let clause = at + 1;
  for (let looked = 0; looked < mostHandlers && clause <= caught.last(at); looked += 1) {
    if (pattern.test(caught.lines[clause] ?? "")) return clause;
    clause = caught.last(clause) + 1;
  }
  return null;
}

const takenInRescue =
  /^\s{0,200}(?:[a-z_]\w{0,60}\s{0,3}->|(?:\w{1,60} in )?[\w.[\], ]{0,200}AssertionError[\w.[\], ]{0,200}->)/;
/** `:error, _ ->`, `_kind, _reason ->`; with one name it takes only what is thrown. */
const takenInCatch = /^\s{0,200}(?::error|[a-z_]\w{0,60})\s{0,3},\s{0,3}[a-z_]\w{0,60}\s{0,3}->/;
