/** Groups of commands with the same options. An option that takes a value in one may be a switch, or load a program, in another. */
export type CommandFamily =
  | "git"
  | "git commit"
  | "git log"
  | "git branch"
  | "pytest"
  | "cargo test"
  | "go test"
  | "node --test"
  /** Other test runners. */
  | "tests"
  /** Build tools with targets. */
  | "targets"
  /** Scripts of a package: what they do with their arguments is unknown. */
  | "scripts"
  | "git ls-files"
  /** Programs that analyse the project's sources and report problems. */
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

/** Patterns for the beginning of a command, from its program on; the first match counts. */
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
 * The meaning of a word that is no option: to git a revision or a path, to a test runner a file or a test name, to a build tool a
 * target, to a checker a file or folder, existing or not. An unknown program may treat any word as something to do.
 */
export type ArgumentKind = "revisions" | "tests" | "targets" | "files" | "places";

const readings: Readonly<Record<CommandFamily, ArgumentKind>> = {
  git: "revisions",
  "git commit": "revisions",
  "git log": "revisions",
  // The name of a branch that would be created.
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
  // `--noEmit false` writes files.
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

/** Programs that only start another program. */
const wrapper =
  /^(?:env|cross-env|command|time|npx(?: --yes| -y)?|bunx|(?:pnpm|yarn|npm) exec(?: --)?|pnpm dlx|(?:poetry|uv|pdm|pipenv|hatch|rye) run|bundle exec|bash|sh|(?:pnpm|yarn|php)(?= (?:\S{0,200}\/)?(?:vitest|jest|mocha|ava|tap|phpunit|pest)(?: |$))|[A-Za-z_]\w{0,60}=\S{0,200}) /;

/** Options before a script's name that say where to run it. */
const elsewhere = /^(npm|pnpm|yarn) (?:--filter|-F|--prefix|--workspace|-w|--dir|-C|--cwd)[ =]\S{1,200} /;

/** Maximum number of wrappers that are removed. */
const mostWrappers = 10;

/** Subcommands of test runners that do something else: install packages, write files, run forever. */
const subcommands: ReadonlyMap<string, readonly string[]> = new Map([
  ["vitest", ["init", "dev", "watch", "bench"]],
  ["mocha", ["init", "inspect", "debug"]],
  ["ava", ["reset-cache", "debug"]],
  ["tap", ["plugin", "config", "build", "repl", "replay", "report", "debug"]],
  ["node", ["inspect", "debug"]],
]);

/** Returns the family of a command: `CI=1 npx vitest run` is a test runner, `bundle exec rake` and `./mvnw test` are builds. */
export function familyOf(known: readonly string[]): CommandFamily {
  const line = programLine(known);
  return families.find(([, begin]) => begin.test(line))?.[0] ?? "other";
}

/** Returns how the words after a command of a family are read, without its options. */
export function argumentKind(family: CommandFamily): ArgumentKind {
  return readings[family];
}

/** Returns words after a known command that are not test names to its runner, such as `init` for `npx vitest`. */
export function subcommandsOf(known: readonly string[]): readonly string[] {
  const [program = ""] = programLine(known).split(" ", 1);
  return subcommands.get(program) ?? [];
}

/** Returns the command from its program on, with the program's base name. */
function programLine(known: readonly string[]): string {
  let line = known.join(" ");
  for (let times = 0; times < mostWrappers && wrapper.test(line); times += 1) line = line.replace(wrapper, "");
  line = line.replace(elsewhere, "$1 ");
  const [program = ""] = line.split(" ", 1);
  return line.slice(program.lastIndexOf("/") + 1);
}
