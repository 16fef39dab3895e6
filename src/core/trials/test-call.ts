import { nameIn, type Token, tokensOf } from "./tokens.ts";

const tests: ReadonlySet<string> = new Set(["test", "it"]);

/**
 * The name by which a JavaScript file calls a test: a called `test` or `it`, else the name under which it imports one from `node:test`;
 * null when none is known.
 */
export function testCall(text: string, path: string): string | null {
  const tokens = tokensOf(text, path);
  const called = tokens.find(
    ({ type, text: name }, index) =>
      type === "word" && tests.has(name) && textAt(tokens, index + 1) === "(" && !isMember(tokens, index),
  );
  return called?.text ?? importedName(tokens) ?? globalName(tokens);
}

/** The name in runners whose tests are members of a global: `Deno.test(…)`. */
function globalName(tokens: readonly Token[]): string | null {
  const at = tokens.findIndex(
    ({ text }, index) =>
      /^(?:Deno|QUnit)$/.test(text) && textAt(tokens, index + 1) === "." && textAt(tokens, index + 2) === "test",
  );
  return at === -1 ? null : `${textAt(tokens, at)}.test`;
}

/** True when the word is a member or is declared there: `t.test(…)`, `function test(…)`. */
function isMember(tokens: readonly Token[], index: number): boolean {
  return [".", "?.", "function", "#"].includes(textAt(tokens, index - 1));
}

/**
 * The name from `import t, { it as x } from "node:test"` or `const { test: t } = require("node:test")`, or a member of the whole module's
 * name.
 */
function importedName(tokens: readonly Token[]): string | null {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "string" || nameIn(token) !== "node:test") continue;
    // Other members of the module are not known: `require("node:test").mock`.
    if (textAt(tokens, index + 2) === "." && !tests.has(textAt(tokens, index + 3))) continue;
    const before = tokens.slice(Math.max(0, index - longestClause), index).map((each) => each.text);
    const name = before.at(-1) === "from" ? nameImported(before) : nameRequired(before);
    if (name !== null) return name;
  }
  return null;
}

/** Maximum number of tokens of an import that are read. */
const longestClause = 60;

function nameImported(before: readonly string[]): string | null {
  const clause = before.slice(before.lastIndexOf("import") + 1, -1);
  const [first = ""] = clause;
  if (first === "*") return clause[2] === undefined ? null : `${clause[2]}.test`;
  if (first !== "{") return first === "type" || !isName(first) ? null : first;
  return renamedIn(clause, "as");
}

function nameRequired(before: readonly string[]): string | null {
  if (before.at(-1) !== "(" || !/^(?:require|import)$/.test(before.at(-2) ?? "")) return null;
  const equals = before.lastIndexOf("=");
  const name = before[equals - 1] ?? "";
  if (equals === -1 || before.length - equals > mostBetween) return null;
  if (name === "}") return renamedIn(before.slice(before.lastIndexOf("{"), equals), ":");
  return isName(name) ? name : null;
}

/** Between a name and its module stand `=`, `await`, `require` and `(`. */
const mostBetween = 4;

/** The new name of a renamed test, as in `{ test as t }` and `{ it: t }`, or its own name when it is not renamed. */
function renamedIn(clause: readonly string[], between: "as" | ":"): string | null {
  const at = clause.findIndex((each) => tests.has(each));
  if (at === -1) return null;
  return clause[at + 1] === between ? (clause[at + 2] ?? null) : (clause[at] ?? null);
}

function textAt(tokens: readonly Token[], index: number): string {
  return tokens[index]?.text ?? "";
}

function isName(text: string): boolean {
  return /^[\p{ID_Continue}$]+$/u.test(text);
}
