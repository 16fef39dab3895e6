import { nameIn, type Token } from "./tokens.ts";

/** Signs that Perl code checks whether it is tested, or replaces what tests compare with (F-201). */

/** Functions that a test imports into `main`. */
const functions =
  /^(?:ok|is|isnt|is_deeply|like|unlike|cmp_ok|can_ok|isa_ok|pass|fail|plan|done_testing|subtest|diag|note|explain|BAIL_OUT|skip|todo)$/;

const library = /^(?:Test2?|TAP)(?:::|\/)\w/;

/** How the token there reveals who runs this code: a test library, the list of loaded modules, the script name; null when it does not. */
export function perlSenseAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  const name = nameIn(token);
  if (token === undefined || name === null) return null;
  const [before, next, behind] = [tokens[index - 1]?.text, tokens[index + 1]?.text, tokens[index + 2]?.text];
  if (token.type === "string") {
    if (library.test(name)) return name;
    if (/^(?:TAP version \d|1\.\.[\d$]|(?:not )?ok [\d$])/.test(name)) return "results of tests";
    if (/^(?:eq|ne|cmp|==|!=|<=>)$/.test(name) && isConstant(tokens, index)) return "what is equal to everything";
    const isAsked = functions.test(name) && before === "(" && tokens[index - 2]?.text === "can";
    return isAsked ? `main->can(${token.text})` : null;
  }
  const path = pathAt(tokens, index);
  if (path !== null && before !== "package" && library.test(path)) return path;
  if (path !== null && isOfTest(path) && !isSet(tokens, index)) return path;
  // Honest code also asks for one module in it.
  const isWhole = name === "INC" && (before === "%" || (before === ":" && isWholeOfMain(tokens, index)));
  const isComputed = name === "$INC" && next === "{" && tokens[index + 2]?.type !== "string";
  if (isWhole || isComputed) return "the list of %INC";
  const isHeld =
    (next === "=" || next === "!") && behind === "~" && !/^(?:s|tr|y)$/.test(tokens[index + 3]?.text ?? "");
  return /^\$(?:0|PROGRAM_NAME)$/.test(name) && isHeld ? "the script in $0" : null;
}

/** True for `use overload "eq" => sub { 1 }`. */
function isConstant(tokens: readonly Token[], index: number): boolean {
  const behind = tokens.slice(index + 1, index + 8).map(({ text }) => text);
  return /^=>sub\{(?:return)?[01];?\}/.test(behind.join(""));
}

/** The name of a shared function that is replaced there: `*main::is = sub …`, `sub Test::More::is`; null when none is. */
export function perlChangeAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  if (token?.type === "string") {
    const isGlob = tokens[index - 1]?.text === "{" && tokens[index - 2]?.text === "*";
    const path = token.text.slice(1, -1);
    return isGlob && isShared(path) ? `*${path}` : null;
  }
  const path = pathAt(tokens, index);
  return path !== null && isShared(path) && isSet(tokens, index) ? `*${path}` : null;
}

/** The qualified name, such as `main::is`, that begins there; null when there is none. */
function pathAt(tokens: readonly Token[], index: number): string | null {
  const first = tokens[index];
  if (first?.type !== "word" || tokens[index - 1]?.text === ":") return null;
  const parts = [first.text];
  for (let at = index + 1; parts.length < 10; at += 3) {
    const isMore = tokens[at]?.text === ":" && tokens[at + 1]?.text === ":" && tokens[at + 2]?.type === "word";
    if (!isMore) break;
    parts.push(tokens[at + 2]?.text ?? "");
  }
  return parts.length > 1 ? parts.join("::") : null;
}

/** True when a glob is assigned or a function is defined. */
function isSet(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  const parts = (pathAt(tokens, index) ?? "").split("::").length;
  return before === "sub" || (before === "*" && tokens[index + parts * 3 - 2]?.text === "=");
}

/** True for a function of the test's own package. */
function isOfTest(path: string): boolean {
  const [owner, name = "", ...more] = path.split("::");
  return owner === "main" && more.length === 0 && functions.test(name);
}

/** True for a name that all code shares: functions of a test library, of the test and of Perl, and assertions exported to callers. */
function isShared(path: string): boolean {
  const name = path.split("::").at(-1) ?? "";
  return library.test(path) || /^(?:main|CORE::GLOBAL)::\w/.test(path) || (/^[$:]/.test(path) && functions.test(name));
}

/** True for `%main::INC`. */
function isWholeOfMain(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 2]?.text === ":" && tokens[index - 3]?.text === "main" && tokens[index - 4]?.text === "%";
}
