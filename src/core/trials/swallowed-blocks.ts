import { lineIndent } from "./asserted.ts";
import { type Caught, heeds, mostHandlers } from "./caught.ts";

/** Finds where languages with indented blocks catch a test failure and drop it. */

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

/** True when a failure in the `try` that begins there fails the test: nothing catches it, or its handler reports it. */
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
    // A `return` here replaces the exception.
    if (word === "finally" && (/^\s{0,9}return\b/.test(beside) || returns(caught, at + 1, last))) return false;
    if (word === "except" && !isCaught && (/^[\s*]{0,9}$/.test(taken) || caughtInPython.test(taken))) {
      isCaught = true;
      isHeard = heeds(beside) || !caught.isInert(at + 1, last);
    }
    at = last + 1;
  }
  return isHeard;
}

/** Maximum number of lines of a handler that are searched for a `return`. */
const longestHandler = 400;

/** True when the function around these lines returns there. A `return` of an inner function does not count. */
function returns(caught: Caught, from: number, to: number): boolean {
  for (let at = from; at <= Math.min(to, from + longestHandler); at += 1) {
    const line = caught.lines[at] ?? "";
    if (/^\s{0,200}return\b/.test(line)) return true;
    if (/^\s{0,200}(?:async\s{1,4})?(?:def|class)\b/.test(line)) at = caught.last(at);
  }
  return false;
}

/** Exceptions other than StandardError: a bare `rescue` catches none of minitest's and RSpec's. */
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
    // A `return` in `ensure` replaces the exception, also one that a handler raises.
    if (word === "ensure" && returns(caught, at + 1, caught.last(at))) caught.lose(begin, at - 1);
    if (word !== "rescue" || !caughtInRuby.test(taken) || !caught.isInert(at + 1, caught.last(at))) continue;
    const isTaken = before.some((each) => caughtInRuby.test(caught.lines[each] ?? ""));
    if (!isTaken) caught.lose(begin, (before[0] ?? at) - 1);
  }
}

/** The earlier handlers of the same `begin` or `try`, in their order. */
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

/** Finds `try do … rescue _ -> :ok end`: a clause that catches everything, or an assertion's error, and does not report it. */
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

/** The first clause of such a block that catches an assertion's error; null when there is none. */
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
/** `:error, _ ->`, `_kind, _reason ->`; a clause with one name catches only thrown values. */
const takenInCatch = /^\s{0,200}(?::error|[a-z_]\w{0,60})\s{0,3},\s{0,3}[a-z_]\w{0,60}\s{0,3}->/;
