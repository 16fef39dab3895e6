import { isGoFile, isPerlFile, isPythonFile, isRubyFile, isShellFile } from "./languages.ts";
import { cEndingsIn } from "./c-endings.ts";
import { clocksNamed } from "./clocks.ts";
import { isComputed, isInPieces } from "./loading.ts";
import { looksAt } from "./looks.ts";
import { perlChangeAt } from "./perl.ts";
import { rubyChanges } from "./ruby.ts";
import { ownNames } from "./own-names.ts";
import { placesNamed } from "./places.ts";
import { runnerGlobals } from "./runner-globals.ts";
import { asksWhoRuns, isEverydayWord } from "./runner-words.ts";
import { runsTextAt } from "./runs-text.ts";
import { equalsAt } from "./python-senses.ts";
import { senseAt } from "./senses.ts";
import { sharedAt } from "./shared-code.ts";
import { modulesChanged } from "./shared-modules.ts";
import { spelledTokens } from "./spelled.ts";
import { switchesIn, type Switch } from "./switches.ts";
import { testModeAt } from "./test-modes.ts";
import { testDataNamed, testsNamed } from "./tests-named.ts";
import { nameIn, piecesOf, type Token } from "./tokens.ts";
import { whoRunsIn } from "./who-runs.ts";

/**
 * What a source newly mentions about how it is run (docs/proofs.md, *Out of reach*). With such words, code can tell a test from use, or
 * change what tests compare with. Comments are not read. A name that is built at run time is not detected.
 */
export interface Surroundings {
  /** Runners, assertion libraries, variables that a runner sets, and tests. */
  readonly runners: readonly string[];
  /** Shared objects that it changes. */
  readonly changes: readonly string[];
  /** Ways in which it runs text as code. */
  readonly runsText: readonly string[];
  /** Reads of its stack, its arguments or the clock, ways to end, and shared objects. */
  readonly looks: readonly string[];
  /** True when it names clocks, or the age of its process, more often than before. */
  readonly isTimed: boolean;
  /** True when it names its folder or its machine more often than before. */
  readonly isPlaced: boolean;
  /** Environment variables that it newly decides by, each with a value that makes it decide otherwise. */
  readonly switches: Readonly<Record<string, string>>;
}

/** Also as a part of a longer name: `VITEST_WORKER_ID`, `__jest__`. */
const runnerNames =
  /(?:^|[^a-z])(vitest|pytest|jest|mocha|jasmine|chai|unittest|playwright|qunit|rspec|minitest|phpunit|exunit|testthat)(?:$|[^a-z])/i;

/** Modules by their whole name, because the words have other meanings, too. */
const runnerModules = /^(?:node:test|bun:test|tape|tap|ava|uvu|expect|sinon|should|@jest|@vitest)(?:\/|$)/;

/** Classes, assemblies and properties of runners in Java, .NET, Swift and Dart, where a string names them: `org.junit.Test`. */
const runnerClasses =
  /^(?:(?:org\.(?:junit|testng|spockframework|gradle\.test)|io\.kotest|surefire|sbt\.testing|xunit|nunit)\.[\w.]{1,80}|XCTest\w{0,40}|testhost(?:\.x86)?|FLUTTER_TEST)$/;

/** Variables that a runner, npm, make, cargo or prove sets: any of them reveals a test run. */
const runnerVariables =
  /^(?:NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|NODE_V8_COVERAGE|npm_\w+|INIT_CWD|TEST_WORKER_INDEX|AVA_PATH|TAP_CHILD_ID|MAKELEVEL|MAKEFLAGS|MFLAGS|BATS_\w+|CARGO_(?:PRIMARY_PACKAGE|TARGET_TMPDIR|BIN_EXE_\w+)|RUST_TEST_\w+|HARNESS_(?:ACTIVE|VERSION|IS_VERBOSE|VERBOSE|OPTIONS|PERL_SWITCHES|SUBCLASS|TIMER)|TAP_VERSION|TOX_ENV_NAME|NOX_CURRENT_SESSION|T2_HARNESS_\w+|(?:AUTHOR|AUTOMATED|EXTENDED|NONINTERACTIVE|RELEASE)_TESTING)$/;

/** Such variables whose names have other meanings, too: they count only as members of the environment. */
const environmentVariables: ReadonlySet<string> = new Set(["TEST", "MODE", "SSR", "DEV", "PROD"]);

/** Paths that tested code must not know: test files, and data that they read. */
interface ProofNames {
  readonly tests: readonly string[];
  readonly data: readonly string[];
}

/** What `text` mentions about its surroundings that `before` did not, in order of appearance. `before` is null for a new file. */
export function newSurroundings(
  path: string,
  text: string,
  before: string | null,
  proof: Partial<ProofNames> = {},
): Surroundings {
  const names = { tests: [], data: [], ...proof };
  const known = surroundingsIn(path, before ?? "", names);
  const now = surroundingsIn(path, text, names);
  return {
    runners: now.runners.filter((each) => !known.runners.includes(each)),
    changes: now.changes.filter((each) => !known.changes.includes(each)),
    runsText: now.runsText.filter((each) => !known.runsText.includes(each)),
    looks: now.looks.filter((each) => !known.looks.includes(each)),
    isTimed: now.clocks > known.clocks,
    isPlaced: now.places > known.places,
    switches: Object.fromEntries(
      [...now.switches].flatMap(([name, { value, times }]) =>
        times > (known.switches.get(name)?.times ?? 0) ? [[name, value]] : [],
      ),
    ),
  };
}

type Found = Omit<Surroundings, "isTimed" | "isPlaced" | "switches"> & {
  readonly clocks: number;
  readonly places: number;
  readonly switches: ReadonlyMap<string, Switch>;
};

function surroundingsIn(path: string, text: string, { tests, data }: ProofNames): Found {
  const isShell = isShellFile(path);
  const pieces = piecesOf(text, path);
  const tokens = spelledTokens(pieces.tokens, path);
  const isOwn = ownNames(tokens, path, text);
  const isAsking = asksWhoRuns(tokens);
  const runners = new Set<string>();
  const told = new Set<Token>();
  const globals = runnerGlobals(tokens, path);
  const changes = new Set<string>([...modulesChanged(tokens, path), ...globals.changed, ...cEndingsIn(tokens, path)]);
  const looks = new Set<string>();
  const runsText = new Set<string>();
  const isPython = isPythonFile(path);
  const ownChange = isPython
    ? equalsAt
    : isPerlFile(path)
      ? perlChangeAt
      : isRubyFile(path)
        ? rubyChanges(tokens)
        : null;
  const isGo = isGoFile(path);
  for (const { text: pattern } of pieces.patterns) {
    const named = runnerIn({ type: "word", text: pattern }) ?? /node:test|test_runner/.exec(pattern)?.[0] ?? null;
    if (named !== null) runners.add(named);
  }
  for (const [index, token] of tokens.entries()) {
    const isPlain = isPlainWord(tokens, index) || (!isAsking && isEverydayWord(tokens, index, path));
    const runner =
      (isPlain ? null : runnerIn(token)) ?? testModeAt(tokens, index, path) ?? senseAt(tokens, index, path);
    if (runner !== null) runners.add(runner);
    if (runner !== null) told.add(token);
    for (const named of isShell ? inShell(tokens, index) : [callerAt(tokens, index)])
      if (named !== null) runners.add(named);
    const own = ownChange?.(tokens, index) ?? null;
    const shared = sharedAt(tokens, index, path, isOwn) ?? own;
    if (shared !== null) changes.add(shared);
    const ran = runsTextAt(tokens, index, path, isOwn);
    if (ran !== null) runsText.add(ran);
    for (const look of looksAt(tokens, index, path)) looks.add(look);
    if (token.type !== "word") continue;
    // In Go `import (` begins a list of modules.
    if (isGo) continue;
    if (isComputed(tokens, index)) looks.add(`${token.text}() of what is computed`);
    if (isInPieces(tokens, index)) runners.add("a module in pieces");
  }
  const named = [
    ...testsNamed(tokens, text, tests),
    ...testDataNamed(tokens, text, data, isShell),
    ...whoRunsIn({ tokens, patterns: pieces.patterns }, path, (token) => told.has(token)),
  ];
  return {
    runners: [...new Set([...runners, ...globals.seen, ...named])],
    changes: [...changes],
    runsText: [...runsText],
    looks: [...looks],
    clocks: clocksNamed(tokens, path),
    places: placesNamed(tokens, path),
    switches: switchesIn(tokens, path),
  };
}

/** The runner that a token names; null when it names none. A string with blanks is prose and does not count. */
function runnerIn(token: Pick<Token, "type" | "text">): string | null {
  const name = nameIn(token);
  if (name === null || name.length > 100 || /\s/.test(name)) return null;
  const found = runnerNames.exec(name)?.[1];
  if (found !== undefined) return found.toLowerCase();
  if (runnerVariables.test(name)) return name;
  return token.type === "string" && (runnerModules.test(name) || runnerClasses.test(name)) ? name : null;
}

/** True for a word with another meaning, by which no module can be loaded: `"should": […]` in an object, `on("tap", …)`. */
function isPlainWord(tokens: readonly Token[], index: number): boolean {
  const [call, before, token, behind] = [tokens[index - 2], tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token?.type !== "string" || !/^.(?:tap|should|expect).$/.test(token.text)) return false;
  if (behind?.text === ":") return /^[{,]$/.test(before?.text ?? "");
  return before?.text === "(" && /^(?:(?:add|remove)EventListener|on|off|once|emit)$/.test(call?.text ?? "");
}

/**
 * Reads that reveal who runs the code: `import.meta.env`, which a bundler sets; `TEST` of the environment; `import __main__`, but not
 * `"__main__"`, which programs compare their name with; and the type of a stream, which a runner replaces.
 */
function callerAt(tokens: readonly Token[], index: number): string | null {
  const [owner, dot, token] = [tokens[index - 2], tokens[index - 1], tokens[index]];
  const isMember = dot?.text === ".";
  if (token?.type !== "word") return null;
  // Only the module itself: most programs mention its name.
  if (token.text === "__main__") return "import __main__";
  if (isMember && owner?.text === "env" && environmentVariables.has(token.text)) return `env.${token.text}`;
  if (isMember && owner?.text === "meta" && token.text === "env") return "import.meta.env";
  const isStream = /^(?:stdin|stdout|stderr)$/.test(token.text) && isMember && owner?.text === "sys";
  if (!isStream) return null;
  const isTyped = tokens[index - 4]?.text === "type" && tokens[index - 3]?.text === "(";
  return isTyped || tokens[index + 2]?.text === "__class__" ? `the type of sys.${token.text}` : null;
}

/**
 * In a shell, variables stand in words and strings: those that make and npm set, and the name of the running script where it is compared.
 * A comparison with its own file (`[ "$0" = "$BASH_SOURCE" ]`) does not count. Code that a script sources learns from such a comparison
 * who reads it.
 */
function inShell(tokens: readonly Token[], index: number): string[] {
  const { text } = tokens[index] ?? { text: "" };
  const names = (text.match(/\$\{?\w{1,60}/g) ?? []).map((name) => name.replace(/^\$\{?/, ""));
  const near = tokens.slice(Math.max(0, index - 3), index + 4).map((each) => each.text);
  const isCompared = tokens[index - 1]?.text === "case" || near.slice(-3).some((each) => /^[!=]?=|^~$/.test(each));
  const isCaller = names.includes("0") && isCompared && !near.some((each) => each.includes("BASH_SOURCE"));
  return [...names.filter((name) => runnerVariables.test(name)), ...(isCaller ? ["the script in $0"] : [])];
}
