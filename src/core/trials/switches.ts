import { closingAt } from "./brackets.ts";
import { deskVariables } from "./desk.ts";
import { isShellFile } from "./languages.ts";
import { nameIn, type Token } from "./tokens.ts";

/** An environment variable that decides what source does, and a value that makes it decide otherwise. */
export interface Switch {
  readonly value: string;
  /** How often the source asks for it. */
  readonly times: number;
}

/**
 * Variables of which source checks only whether they are set, or equal a certain string: `env.CI ? 41 : 42`, `NODE_ENV !== "production"`,
 * `"CI" in os.environ`. Without them set, no criterion sees what the source does in use. Variables whose value is used (`env.PORT ??
 * 3000`) are left out, because no value of ours would be right; so are variables that a terminal sets.
 */
export function switchesIn(tokens: readonly Token[], path: string): ReadonlyMap<string, Switch> {
  const found = new Map<string, { value: string | null; times: number }>();
  const values = new Set<string>();
  const isShell = isShellFile(path);
  const given = isShell ? givenIn(tokens) : new Set<string>();
  for (let at = 0; at < tokens.length; at += 1) {
    const asked = isShell ? inShell(tokens, at) : mentionAt(tokens, at);
    if (asked === null || given.has(asked.name)) continue;
    const decided = isShell ? asked.value : decidedBy(tokens, asked);
    if (decided === null) values.add(asked.name);
    const { value = null, times = 0 } = found.get(asked.name) ?? {};
    found.set(asked.name, { value: value ?? (decided === "" ? null : decided), times: times + 1 });
  }
  const switches = [...found].flatMap(([name, { value, times }]): [string, Switch][] => {
    const usual = Object.hasOwn(modes, name) ? modes[name] : undefined;
    return values.has(name) && usual === undefined ? [] : [[name, { value: value ?? usual ?? "1", times }]];
  });
  return new Map([...switches, ...buildSwitches(tokens, path)]);
}

/**
 * Source that reads `debug_assertions` depends on how Rust is built. These variables make cargo build as for use, but overflow checks stay
 * on.
 */
function buildSwitches(tokens: readonly Token[], path: string): [string, Switch][] {
  const times = path.endsWith(".rs") ? tokens.filter(({ text }) => text === "debug_assertions").length : 0;
  if (times === 0) return [];
  return [
    ["CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", { value: "false", times }],
    ["CARGO_PROFILE_DEV_OVERFLOW_CHECKS", { value: "true", times }],
  ];
}

/** Variables that by convention say where code runs, with the value to try, however the source reads them. */
const modes: Readonly<Record<string, string>> = { NODE_ENV: "production", CI: "true" };

/** Where a variable is named: its name, and the tokens of the expression that reads it. */
interface Mention {
  readonly name: string;
  readonly from: number;
  readonly end: number;
  /** Empty when only its existence is checked; the compared string in a shell; null when the rest of the expression decides. */
  readonly value: string | null;
}

const environments = /^(?:env|environ|ENV)$/;

const readers = /^(?:getenv|Getenv|LookupEnv|var|var_os)$/;

function isVariable(name: string): boolean {
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(name) && !Object.hasOwn(deskVariables, name);
}

/** `env.CI`, `os.environ["CI"]`, `os.environ.get("CI")`, `os.Getenv("CI")`, `"CI" in os.environ`. */
function mentionAt(tokens: readonly Token[], at: number): Mention | null {
  const token = tokens[at];
  const name = nameIn(token);
  if (token === undefined || name === null || !isVariable(name)) return null;
  const [owner, sign] = [tokens[at - 2]?.text ?? "", tokens[at - 1]?.text];
  if (token.type === "word") {
    const of = owner === "?" ? at - 3 : at - 2;
    const isMember = sign === "." && environments.test(tokens[of]?.text ?? "");
    return isMember ? { name, from: startOf(tokens, of), end: at + 1, value: null } : null;
  }
  if (sign === "[" && tokens[at + 1]?.text === "]" && environments.test(tokens[at - 2]?.text ?? ""))
    return { name, from: startOf(tokens, at - 2), end: at + 2, value: null };
  if (tokens.slice(at + 1, at + 3).some(({ text }) => text === "in")) {
    const near = tokens.slice(at + 2, at + 6);
    return near.some(({ text }) => environments.test(text)) ? { name, from: at, end: at + 1, value: "" } : null;
  }
  const isOfEnvironment =
    /^(?:get|fetch|has|toObject)$/.test(owner) &&
    environments.test(tokens[at - 4]?.text ?? "") &&
    tokens[at - 3]?.text === ".";
  if (sign !== "(" || !(readers.test(owner) || isOfEnvironment)) return null;
  const close = closingAt(tokens, at - 1);
  return close === -1 ? null : { name, from: startOf(tokens, at - 2), end: close + 1, value: null };
}

/** Where `import . meta . env` and `std : : env` begin. */
function startOf(tokens: readonly Token[], at: number): number {
  let from = at;
  while (/^[.:]$/.test(tokens[from - 1]?.text ?? "") && tokens[from - 2] !== undefined)
    from -= tokens[from - 2]?.text === ":" ? 3 : 2;
  return from;
}

/** The string that it is compared with; empty when only its existence is checked; null when its value is used. */
function decidedBy(tokens: readonly Token[], { from, end, value }: Mention): string | null {
  if (value !== null) return value;
  const [before, first, next, behind] = [tokens[from - 1], tokens[from - 2], tokens[end], tokens[end + 1]];
  const isAsked = (sign: Token | undefined): boolean => /^(?:[!=]==?|is|not)$/.test(sign?.text ?? "");
  if (isAsked(next)) return comparedWith(tokens[behind?.text === "not" ? end + 2 : end + 1]);
  if (/^[!=]==?$/.test(before?.text ?? "")) return comparedWith(first);
  const isDecided =
    /^(?:!|not)$/.test(before?.text ?? "") ||
    /^(?:&&|else|and)$/.test(next?.text ?? "") ||
    (next?.text === "?" && behind?.text !== "." && behind?.text !== "?") ||
    (/^(?:if|elif|while)$/.test(before?.text ?? "") && next?.text === ":") ||
    (before?.text === "(" && next?.text === ")" && /^(?:if|while|Boolean|bool)$/.test(first?.text ?? "")) ||
    (next?.text === "." && /^is_(?:ok|err|some|none)$/.test(behind?.text ?? "")) ||
    (before?.text === "=" && first?.text === ":" && tokens[from]?.text === "os" && isLookedUp(tokens, end));
  return isDecided ? "" : null;
}

/** Go's `_, ok := os.LookupEnv("CI")`. */
function isLookedUp(tokens: readonly Token[], end: number): boolean {
  const names = tokens.slice(Math.max(0, end - 11), end).map(({ text }) => text);
  return names.includes("_") && names.includes("LookupEnv");
}

function comparedWith(token: Token | undefined): string | null {
  if (token?.type === "string") return token.text.slice(1, -1);
  return /^(?:undefined|null|None|nil)$/.test(token?.text ?? "") ? "" : null;
}

/** The variables to which a shell's script itself gives a value: `CI=1`. */
function givenIn(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.flatMap(({ text }, index) => (tokens[index + 1]?.text === "=" ? [text] : [])));
}

/** `[ -n "$CI" ]`, `test -z "${CI:-}"`, `[ "$APP_ENV" = production ]`. */
function inShell(tokens: readonly Token[], at: number): Mention | null {
  const [, name] = /^["']?\$\{?([A-Z][A-Z0-9_]{1,60})(?::?-)?\}?["']?$/.exec(tokens[at]?.text ?? "") ?? [];
  if (name === undefined || !isVariable(name)) return null;
  const [sign, flag, next] = [tokens[at - 2]?.text, tokens[at - 1]?.text, tokens[at + 1]?.text ?? ""];
  if (sign === "-" && /^[nz]$/.test(flag ?? "")) return { name, from: at, end: at + 1, value: "" };
  const sides = /^(?:!=|==?)$/.test(next) ? tokens[at + 2] : next === "!" ? tokens[at + 3] : undefined;
  return { name, from: at, end: at + 1, value: sides === undefined ? null : (nameIn(sides) ?? null) };
}
