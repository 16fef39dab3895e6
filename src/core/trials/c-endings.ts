import { isCFile } from "./languages.ts";
import type { Token } from "./tokens.ts";
import { closingOf } from "./type-places.ts";

/** Functions that end the process at once and skip all code that would still run. */
const endings: ReadonlySet<string> = new Set(["_exit", "_Exit", "quick_exit"]);

/** Functions that register code to run at the end of the process. */
const atEnds: ReadonlySet<string> = new Set(["atexit", "on_exit", "at_quick_exit"]);

/** Sections in which a linker collects code to run before `main` or after it. */
const lists =
  /^"(?:\.(?:pre)?init_array|\.fini_array|\.[cd]tors|\.init|\.fini|__DATA,\s?__mod_(?:init|term)_func)(?:\.\d{1,6})?"$/;

/** Functions that end the process, or leave the calling function, in any way. */
const ends =
  /^(?:_?exit|_Exit|quick_exit|abort|terminate|kill|raise|longjmp|syscall|asm|__asm__|exec[lv]p?e?|execvpe)$/;

/** Cleanup functions of libraries, which programs commonly pass to `atexit`. */
const librarys =
  /^(?:endwin|SDL_Quit|TTF_Quit|IMG_Quit|Mix_Quit|glfwTerminate|curl_global_cleanup|xmlCleanupParser|Pa_Terminate|MPI_Finalize|fcloseall)$/;

/** Number of tokens before `_exit` that are searched for a call that starts another program. */
const nearby = 60;

/**
 * Finds how C source ends the program that tests it: at once (`_exit(0)`), or in code that runs before or after everything else
 * (`__attribute__((constructor))`, `section(".init_array")`, `atexit`). Such a command passes whatever its tests compare (F-201). Two
 * cases hide nothing and are skipped: a child that could not start its program (`_exit(127)`), and cleanup at the end.
 */
export function cEndingsIn(tokens: readonly Token[], path: string): readonly string[] {
  if (!isCFile(path)) return [];
  const bodies = bodiesIn(tokens);
  const known = new Map<string, boolean>();
  return tokens.flatMap((token, index) => {
    if (token.type === "string" && lists.test(token.text) && tokens[index - 2]?.text === "section")
      return [`section(${token.text})`];
    if (token.type !== "word") return [];
    const isCall = tokens[index + 1]?.text === "(";
    if (isCall && endings.has(token.text)) return isFailedChild(tokens, index) ? [] : [token.text];
    if (isCall && atEnds.has(token.text)) {
      const given = givenAt(tokens, index + 2);
      const isHarmless = known.get(given) ?? endsNothing(tokens, given, bodies);
      known.set(given, isHarmless);
      return isHarmless ? [] : [token.text];
    }
    const isAttribute = /^(?:__)?(?:constructor|destructor)(?:__)?$/.test(token.text);
    const near = isAttribute ? tokens.slice(Math.max(0, index - 20), index) : [];
    return near.some(({ text }) => /^(?:__attribute__|__attribute|gnu)$/.test(text))
      ? [`__attribute__((${token.text}))`]
      : [];
  });
}

/** True for `execvp(a[0], a); _exit(127);`. A status such as 256 is no failure: the waiting process gets 0. */
function isFailedChild(tokens: readonly Token[], index: number): boolean {
  const status = tokens[index + 2]?.text ?? "";
  const isFailure = status === "EXIT_FAILURE" || (/^[1-9]\d{0,2}$/.test(status) && Number(status) < 256);
  const isChild = tokens
    .slice(Math.max(0, index - nearby), index)
    .some(({ text }) => /^(?:exec[lv]p?e?|execvpe|fexecve|v?fork)$/.test(text));
  return isFailure && isChild && tokens[index + 3]?.text === ")";
}

/** Function bodies by function name: the tokens at which each begins and ends. */
type Bodies = ReadonlyMap<string, readonly [from: number, to: number]>;

function bodiesIn(tokens: readonly Token[]): Bodies {
  const bodies = new Map<string, readonly [number, number]>();
  for (const [index, { type, text }] of tokens.entries()) {
    if (type !== "word" || tokens[index + 1]?.text !== "(") continue;
    const close = closingOf(tokens, index + 1);
    const open = tokens[close + 1]?.text === "noexcept" ? close + 2 : close + 1;
    if (close === -1 || tokens[open]?.text !== "{") continue;
    // Several functions with one name count as one body, which spans them all.
    bodies.set(text, [bodies.get(text)?.[0] ?? open, closingOf(tokens, open)]);
  }
  return bodies;
}

/** `cleanup` of `atexit(cleanup)`, `atexit(&cleanup)` and `on_exit(cleanup, 0)`; empty when the argument is no plain name. */
function givenAt(tokens: readonly Token[], at: number): string {
  const first = tokens[at]?.text === "&" ? at + 1 : at;
  return /^[),]$/.test(tokens[first + 1]?.text ?? "") ? (tokens[first]?.text ?? "") : "";
}

/**
 * True when a function does not end the process: a known library function, or one of this file, checked with all functions of the file
 * that it calls.
 */
function endsNothing(tokens: readonly Token[], given: string, bodies: Bodies): boolean {
  if (!bodies.has(given)) return librarys.test(given);
  const called = new Set([given]);
  // The set grows while it is iterated: each called function is checked in its turn.
  for (const name of called) {
    const [from, to] = bodies.get(name) ?? [0, 0];
    for (const { type, text } of tokens.slice(from, to)) {
      if (ends.test(text)) return false;
      if (type === "word" && bodies.has(text)) called.add(text);
    }
  }
  return true;
}
