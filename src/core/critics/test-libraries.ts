import type { Line } from "./lines.ts";

/** The names under which a file imports a test library: `import t from "node:test"`. */

const brought =
  /\b([A-Za-z_$][\w$]{0,60})\s{0,3}(?:=\s{0,3}(?:[a-z]{1,20}\s{1,3})?(?:import|require)\(|,?\s{0,3}(?:\}\s{0,3})?from\b|:\s{0,3}[\w$]{1,60}\s{0,3}\}\s{0,3}=\s{0,3}require\()\s{0,3}["']([^"'\n]{1,60})["']/g;
const libraries =
  /^(?:(?:node:)?(?:test|assert)(?:\/\w{1,20})?|bun:test|vitest|ava|tape|tap|zora|uvu(?:\/assert)?|chai|should|expect|power-assert|@jest\/globals|@japa\/\w{1,20}|@std\/(?:assert|expect|testing)\S{0,30}|jsr:@std\/(?:assert|expect|testing)\S{0,30})$/;
const called = /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,3}[.(`]/g;

/** True when one of these lines calls something that its file imports from such a library, under any name. */
export function callsTestLibrary(lines: readonly Line[]): boolean {
  const names = new Set(lines.flatMap((line) => broughtBy(line).map((name) => `${line.path} ${name}`)));
  if (names.size === 0) return false;
  return lines.some(({ path, text }) => [...text.matchAll(called)].some(([, name]) => names.has(`${path} ${name}`)));
}

function broughtBy({ text }: Line): string[] {
  return [...text.matchAll(brought)].flatMap(([, name = "", from = ""]) => (libraries.test(from) ? [name] : []));
}
