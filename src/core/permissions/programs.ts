/**
 * What the words behind a command mean, by the program that a person, or the list of known commands, wrote. A program that is
 * not known may take any word as something to do.
 */
export type Family =
  | "git"
  /** By themselves: what is an option with a value to one of git's commands is a switch to another. */
  | "git commit"
  | "git log"
  /** Builds by targets: a word is one more of them. */
  | "targets"
  /** Runners of tests: a word is a file or the name of a test. */
  | "tests"
  /** Scripts of a package: what they hand their words to, nobody here knows. */
  | "scripts"
  | "other";

const git = /^git (?:status|diff|add)(?: |$)/;

const targets =
  /^(?:[gb]?make|ninja|samu|just|task|rake|ant|lein|sbt|mill|mvnw?|gradlew?|invoke|inv|nox|bazel(?:isk)?|meson|scons|msbuild)(?: |$)/;

const scripts = /^(?:npm|pnpm|yarn) (?:test|t|run)(?: |$)|^bun run(?: |$)/;

const tests =
  /^(?:vitest|jest|mocha|ava|pytest|rspec|phpunit|bats|prove|tap|node --test|(?:deno|bun|cargo|go|dotnet|flutter|dart|swift|mix) test|cargo nextest run|rails test|python[\d.]{0,5} -m (?:pytest|unittest))(?: |$)/;

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
export function familyOf(known: readonly string[]): Family {
  const line = programLine(known);
  const [named = ""] = /^git (?:commit|log)(?= |$)/.exec(line) ?? [];
  if (named === "git commit" || named === "git log") return named;
  if (git.test(line)) return "git";
  if (targets.test(line)) return "targets";
  if (scripts.test(line)) return "scripts";
  return tests.test(line) ? "tests" : "other";
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
