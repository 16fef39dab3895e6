/** Commands whose options are the same: what has a value behind one of them is a switch, or loads a program, behind another. */
export type CommandFamily =
  | "git"
  | "git commit"
  | "git log"
  | "git branch"
  | "pytest"
  | "cargo test"
  | "go test"
  | "node --test"
  /** Other runners of tests. */
  | "tests"
  /** Builds by targets. */
  | "targets"
  /** Scripts of a package: what they hand their words to, nobody here knows. */
  | "scripts"
  | "git ls-files"
  /** Programs that look at the project's own sources and say what is wrong with them. */
  | "eslint"
  | "tsc"
  | "prettier"
  | "cargo check"
  | "cargo fmt"
  | "go vet"
  | "ruff"
  | "ruff format"
  | "mypy"
  | "checker"
  | "other";

/** By how a command begins, from its program on; the first that fits. */
const families: readonly (readonly [CommandFamily, RegExp])[] = [
  ["git", /^git (?:status|diff|add)(?: |$)/],
  ["git commit", /^git commit(?: |$)/],
  ["git log", /^git (?:log|show)(?: |$)/],
  ["git branch", /^git branch$/],
  ["git ls-files", /^git ls-files$/],
  ["eslint", /^eslint$/],
  ["tsc", /^tsc$/],
  ["prettier", /^prettier$/],
  ["cargo check", /^cargo (?:clippy|check)$/],
  ["cargo fmt", /^cargo fmt$/],
  ["go vet", /^go vet$/],
  ["ruff", /^ruff check$/],
  ["ruff format", /^ruff format$/],
  ["mypy", /^(?:mypy|python3? -m mypy)$/],
  ["checker", /^(?:biome (?:check|lint)|oxlint)$/],
  ["pytest", /^(?:pytest|python[\d.]{0,5} -m pytest)(?: |$)/],
  ["cargo test", /^cargo (?:test|nextest run)(?: |$)/],
  ["go test", /^go test(?: |$)/],
  ["node --test", /^node --test(?: |$)/],
  [
    "targets",
    /^(?:[gb]?make|ninja|samu|just|task|rake|ant|lein|sbt|mill|mvnw?|gradlew?|invoke|inv|nox|bazel(?:isk)?|meson|scons|msbuild)(?: |$)/,
  ],
  ["scripts", /^(?:npm|pnpm|yarn) (?:test|t|run)(?: |$)|^bun run(?: |$)/],
  [
    "tests",
    /^(?:vitest|jest|mocha|ava|rspec|phpunit|bats|prove|tap|(?:deno|bun|dotnet|flutter|dart|swift|mix) test|rails test|python[\d.]{0,5} -m unittest)(?: |$)/,
  ],
];

/**
 * What a word that is no option means: a revision or a path to git, a file or the name of a test to a runner, one more thing to do
 * to a build, a file or a folder, there or not, to what only looks. A program that is not known may take any word as something to do.
 */
export type ArgumentKind = "revisions" | "tests" | "targets" | "files" | "places";

const readings: Readonly<Record<CommandFamily, ArgumentKind>> = {
  git: "revisions",
  "git commit": "revisions",
  "git log": "revisions",
  // The name of one that would be made.
  "git branch": "targets",
  pytest: "tests",
  "cargo test": "tests",
  "go test": "tests",
  "node --test": "tests",
  tests: "tests",
  targets: "targets",
  scripts: "files",
  "git ls-files": "places",
  eslint: "places",
  // `--noEmit false` writes.
  tsc: "files",
  prettier: "places",
  "cargo check": "targets",
  "cargo fmt": "targets",
  "go vet": "places",
  ruff: "places",
  "ruff format": "places",
  mypy: "places",
  checker: "places",
  other: "files",
};

/** What only runs the program behind it. */
const wrapper =
  /^(?:env|cross-env|command|time|npx(?: --yes| -y)?|bunx|(?:pnpm|yarn|npm) exec(?: --)?|pnpm dlx|(?:poetry|uv|pdm|pipenv|hatch|rye) run|bundle exec|bash|sh|(?:pnpm|yarn|php)(?= (?:\S{0,200}\/)?(?:vitest|jest|mocha|ava|tap|phpunit|pest)(?: |$))|[A-Za-z_]\w{0,60}=\S{0,200}) /;

/** Where a script of a package is run, before its name. */
const elsewhere = /^(npm|pnpm|yarn) (?:--filter|-F|--prefix|--workspace|-w|--dir|-C|--cwd)[ =]\S{1,200} /;

/** So many of these before one program are looked past. */
const mostWrappers = 10;

/** What runners of tests do instead, where their first word says so: install packages, write files, go on for ever. */
const subcommands: ReadonlyMap<string, readonly string[]> = new Map([
  ["vitest", ["init", "dev", "watch", "bench"]],
  ["mocha", ["init", "inspect", "debug"]],
  ["ava", ["reset-cache", "debug"]],
  ["tap", ["plugin", "config", "build", "repl", "replay", "report", "debug"]],
  ["node", ["inspect", "debug"]],
]);

/** Of a command's known words: `CI=1 npx vitest run` is a runner, `bundle exec rake` and `./mvnw test` build by targets. */
export function familyOf(known: readonly string[]): CommandFamily {
  const line = programLine(known);
  return families.find(([, begin]) => begin.test(line))?.[0] ?? "other";
}

/** How the words behind a command of a family are read, options aside. */
export function argumentKind(family: CommandFamily): ArgumentKind {
  return readings[family];
}

/** Words behind a known command that are no names of tests to its runner: `init` of `npx vitest`. */
export function subcommandsOf(known: readonly string[]): readonly string[] {
  const [program = ""] = programLine(known).split(" ", 1);
  return subcommands.get(program) ?? [];
}

/** A command from its program on, by its name, wherever that lies. */
function programLine(known: readonly string[]): string {
  let line = known.join(" ");
  for (let times = 0; times < mostWrappers && wrapper.test(line); times += 1) line = line.replace(wrapper, "");
  line = line.replace(elsewhere, "$1 ");
  const [program = ""] = line.split(" ", 1);
  return line.slice(program.lastIndexOf("/") + 1);
}
