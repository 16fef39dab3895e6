import { jsonOrNull } from "../text/json.ts";

/** Checks of a shell whose failure nothing notices, in scripts, makefiles and the scripts of `package.json` (F-201). */

/** A comparison, or an assertion of a script's own, alone in its command. */
const compares = /^(?:test\s|\[\[?\s|assert\w{0,40}\s)/;

/** What starts another command. */
const starters = new Set(
  "npx pnpm yarn bun bunx npm exec run dlx poetry uv bundle python python3 -m -s --silent sh bash time nice env".split(
    " ",
  ),
);
/** Programs that run tests or check code. */
const checkers = new Set(
  "vitest jest mocha ava c8 nyc playwright cypress tsc eslint oxlint biome stylelint pytest unittest tox nox mypy ruff flake8 pylint phpunit phpstan rspec rubocop bats shellcheck ctest prove".split(
    " ",
  ),
);
/** Words behind a program, or behind npm, that make it check. */
const checking = /^(?:test|check|lint|typecheck|verify|vet|clippy|nextest|spec)(?::[\w:-]{1,40})?$/;
const builders = new Set("go cargo rake mix dotnet gradle gradlew mvn mvnw make deno".split(" "));
const runners = new Set("npm pnpm yarn bun run".split(" "));

/** True for a command that runs tests or checks code: `npm test`, `npx vitest run`, `sh tests/price.sh`. */
function isChecking(command: string): boolean {
  const words = command.split(/\s+/).slice(0, mostWords);
  const at = words.findIndex((word) => !starters.has(word) && !/^[A-Z_]{1,40}=/.test(word));
  const [word = "", next = ""] = words.slice(at === -1 ? words.length : at);
  const program = word.split("/").at(-1) ?? "";
  if (checkers.has(program)) return true;
  if (program === "node") return words.includes("--test");
  if (builders.has(program)) return checking.test(next);
  if (checking.test(word)) return at > 0 && runners.has(words[at - 1] ?? "");
  return /^(?:\.\/)?(?:tests?|spec)\//.test(word) || /[._-](?:test|spec)\.\w{1,10}$/.test(word);
}

const mostWords = 30;

/** What succeeds whatever came before: behind `||`, or as the last command of a line. */
const succeeds =
  /^(?:true|:|\(?\s?(?:exit|return) 0\s?;?\s?\)?|(?:echo|printf)\s(?!\s{0,5}["']?not ok\b)(?:[^|&;>]|>&\d){0,300})$/;
const ends = /^(?:true|:|exit 0|return 0)$/;

/** A comparison that may leave out a test: `[ -x "$tool" ] || exit 0` does so where a tool is missing. */
const equality = /\s(?:=|==|!=|=~|-eq|-ne|-lt|-le|-gt|-ge)\s/;

/** Longer lines are cut. */
const longestLine = 800;

/** Lines from 0 of a script of a shell. A line that prints "not ok" is heard: such output is a report. */
export function swallowedInShell(lines: readonly string[]): number[] {
  const said = lines.map((line) => commandsOf(unwrapped(line)));
  const stops = lines.findIndex((line) =>
    /^\s{0,40}set\s(?:-\w{0,10}e|.{0,40}-o\serrexit)|^#!.{1,60}\s-\w{0,10}e/.test(line),
  );
  return said.flatMap((commands, at) => {
    const isUnheard = isSwallowed(commands) || isLast(lines, said, at, stops !== -1) || isLetOn(lines, said, at, stops);
    return isUnheard ? [at] : [];
  });
}

/** The commands of a line with the sign before each: `["", "test a"], ["||", "true"]`. Empty for a line that opens a block. */
type Commands = readonly (readonly [sign: string, command: string])[];

function commandsOf(line: string): Commands {
  const found: [string, string][] = [];
  let [sign, from, quote] = ["", 0, ""];
  const text = line.slice(0, longestLine).trim();
  for (let at = 0; at <= text.length; at += 1) {
    const letter = text[at] ?? "";
    if (letter === "\\") at += 1;
    else if (quote !== "") quote = letter === quote ? "" : quote;
    else if (/["'`]/.test(letter)) quote = letter;
    else if (letter === "#" && /\s/.test(text[at - 1] ?? " ")) return [...found, [sign, text.slice(from, at).trim()]];
    else if (letter === "" || letter === ";" || text.startsWith("||", at) || text.startsWith("&&", at)) {
      found.push([sign, text.slice(from, at).trim()]);
      sign = text.slice(at, letter === ";" ? at + 1 : at + 2);
      from = at + sign.length;
      at = Math.max(at, from - 1);
    }
  }
  return found.filter(([, command], at) => command !== "" || at === 0);
}

/** A whole line in `eval '…'`, `sh -c '…'`, `( … )` or `{ …; }`. */
const wrapped =
  /^(?:eval|(?:ba|da|z)?sh\s-\w{0,5}c)\s{1,5}(["'])(.{1,700})\1$|^[({]\s{0,5}([^(){}]{1,700}?);?\s{0,5}[)}]$/;

function unwrapped(line: string): string {
  const [, , quoted, grouped] = wrapped.exec(line.slice(0, longestLine).trim()) ?? [];
  return quoted ?? grouped ?? line;
}

/** Prints or measures what a command writes: how it ends is lost. */
const printed = /^(?:echo|printf|:|test\s-[nz]|\[\[?\s-[nz])\s[^|$`]{0,200}\$\(([^()|]{1,300})\)/;
/** Options with which a checker only tells something about itself. */
const telling = /\s(?:--(?:version|help|list\w{0,20}|show\w{0,20}|print-config|collect-only)|-[vV])(?:\s|$)/;

/** `echo $(npm test)`, `test -n "$(npm test)"`; not `echo "$(npx vitest --version)"`. */
function isPrinted(command: string): boolean {
  const [, check = ""] = printed.exec(command) ?? [];
  return isChecking(check.trim()) && !telling.test(check);
}

function isCheck(command: string): boolean {
  return (compares.test(command) || isChecking(command)) && !/(?:^|[^|])\|(?:[^|]|$)/.test(command);
}

/** `[ "$got" = 42 ] || true`, `pytest; exit 0`: the check has no other purpose. */
function isSwallowed(commands: Commands): boolean {
  const [first, second, ...more] = commands;
  if (first !== undefined && isPrinted(first[1])) return true;
  if (first === undefined || second === undefined || !isCheck(first[1])) return false;
  const [sign, command] = second;
  if (more.length > 0 && !(isChecking(first[1]) && sign === "||")) return false;
  if (sign === ";") return ends.test(command);
  if (sign !== "||" || !succeeds.test(command)) return false;
  const isLeaving = /^\(?\s?(?:exit|return)/.test(command);
  return !isLeaving || isChecking(first[1]) || equality.test(first[1]);
}

/** A check whose result is lost because the script ends with `exit 0` behind it, and nothing stops it at a failure. */
function isLast(lines: readonly string[], said: readonly Commands[], at: number, isStopped: boolean): boolean {
  const [first, ...more] = said[at] ?? [];
  if (isStopped || first === undefined || more.length > 0 || !isCheck(first[1]) || lines[at]?.startsWith(" ") === true)
    return false;
  const rest = said.slice(at + 1).filter((each) => each[0]?.[1] !== "");
  return rest.length === 1 && rest[0]?.length === 1 && ends.test(rest[0][0]?.[1] ?? "");
}

/** `set +e` with checks behind it whose failure is not asked for (`$?`), in a script that stopped at failures before. */
function isLetOn(lines: readonly string[], said: readonly Commands[], at: number, stops: number): boolean {
  if (stops === -1 || stops >= at || !/^\s{0,40}set\s\+\w{0,10}e/.test(lines[at] ?? "")) return false;
  const rest = lines.slice(at + 1);
  const again = rest.findIndex((line) => /^\s{0,40}set\s-\w{0,10}e/.test(line));
  const until = again === -1 ? lines.length : at + 1 + again;
  if (lines.slice(at, until).some((line) => /\$(?:\?|\{\?)/.test(line))) return false;
  const checked = said.slice(at + 1, until).findLastIndex((each) => each.length === 1 && isCheck(each[0]?.[1] ?? ""));
  // The last command decides how the script ends.
  const isDeciding = said.slice(at + 2 + checked).every((each) => each[0]?.[1] === "");
  return checked !== -1 && !isDeciding;
}

/** Lines from 0 of `package.json` with a script whose check decides nothing: `"test": "vitest run || true"`. */
export function swallowedInPackage(text: string): number[] {
  const known = new Map(scriptsIn(text));
  return text.split("\n").flatMap((line, at) => {
    const [, name = "", command = ""] = scriptLine.exec(line.slice(0, longestLine)) ?? [];
    const own = known.get(name);
    if (own === undefined || JSON.stringify(own) !== `"${command}"`) return [];
    const commands = commandsOf(unwrapped(own));
    return commands.some((_, from) => isSwallowed([["", commands[from]?.[1] ?? ""], ...commands.slice(from + 1)]))
      ? [at]
      : [];
  });
}

function scriptsIn(text: string): [name: string, command: string][] {
  const read = jsonOrNull(text);
  const scripts = typeof read === "object" && read !== null && "scripts" in read ? read.scripts : null;
  if (typeof scripts !== "object" || scripts === null) return [];
  return Object.entries(scripts).flatMap(([name, command]: [string, unknown]): [string, string][] =>
    typeof command === "string" ? [[name, command]] : [],
  );
}

const scriptLine = /^\s{0,40}"([^"\\]{1,100})":\s{0,5}"((?:[^"\\]|\\.){1,700})",?\s{0,5}$/;

/** A makefile that goes on behind every failure, or behind those of some targets. */
const goesOn =
  /^\.IGNORE\s{0,5}:|^(?:export\s)?(?:GNU)?MAKEFLAGS\s{0,5}[:+]{0,2}=(?:.{0,200}\s)?(?:-\w{0,10}i\w{0,10}|--ignore-errors)(?:\s|$)/;

const recipe = /^\t([\s@+-]{0,9})(.{0,800})/;

/** The lines to which such a line applies: all, or those behind the targets of `.IGNORE: test`. */
function recipesFor(line: string, lines: readonly string[]): readonly string[] {
  const targets = line.startsWith(".IGNORE")
    ? line
        .replace(/^[^:]{1,20}:/, "")
        .split(/\s+/)
        .filter(Boolean)
    : [];
  if (targets.length === 0) return lines;
  let isOwn = false;
  return lines.filter((each) => {
    if (!each.startsWith("\t")) isOwn = targets.includes(each.split(":", 1)[0]?.trim() ?? "");
    return isOwn;
  });
}

function checksIn(lines: readonly string[]): boolean {
  return lines.some((line) => commandsOf(recipe.exec(line)?.[2] ?? "").some(([, command]) => isCheck(command)));
}

/** Lines from 0 of a makefile: a check with `-` before it, one that is swallowed as in a script, and a line that lets all checks fail. */
export function swallowedInMakefile(lines: readonly string[]): number[] {
  return lines.flatMap((line, at) => {
    if (goesOn.test(line)) return checksIn(recipesFor(line, lines)) ? [at] : [];
    const [, signs = "", command = ""] = recipe.exec(line) ?? [];
    if (command === "") return [];
    const commands = commandsOf(unwrapped(command.replaceAll("$$", "$")));
    const isLet = signs.includes("-") && commands.every(([sign, each]) => isCheck(each) || sign === "&&");
    return (isLet && commands.some(([, each]) => isCheck(each))) || isSwallowed(commands) ? [at] : [];
  });
}
