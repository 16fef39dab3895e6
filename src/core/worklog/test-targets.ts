import { afterOptions, nameOf } from "../shell/words.ts";
import { isTesting } from "./test-runners.ts";

/** Programs that can be asked for a target such as `test`. */
export const asked =
  /^(npm|pnpm|yarn|bun|g?make|ant|cargo|go|deno|dotnet|mvnw?|gradlew?|mix|swift|just|bazel|rake|bundle|rails|composer|artisan|manage\.py|flutter|dart|zig|sbt|lein|stack|cabal|hatch|nx|ng|turbo|lerna|playwright|task|ninja|meson|xcodebuild|pdm|rye|invoke|pants|pixi|mise|moon|rush|bazelisk|buck2|dune|crystal|nimble|gleam|odin|forge|hardhat|truffle|anchor|terraform|tofu|django-admin|cmake|devbox)$/;
/** Programs whose first word alone decides what they do. */
const asksOnce = /^(dune|crystal|nimble|gleam|odin|forge|hardhat|truffle|anchor|terraform|tofu|django-admin)$/;
/** Names of targets: `test`, `check-test`; and words that may come before and after: `test:unit`, `ci:quick-test`. */
const testWord = /^(tests?|nextest)$/;
const kindOfTest =
  /^(unit|integration|int|e2e|all|run|check|system|acceptance|functional|feature|browser|smoke|regression|contract|component|ui|api|cli|ci|quick|fast|slow|full|local|backend|frontend|server|client|app|web|core|lib|node|jest|vitest|mocha|js|ts|py|php|surefire|failsafe|v[12])$/;
/** Words after it with which nothing is tested. */
const besideTests =
  /^(prepare|setup|seed|migrate|create|reset|load|init|install|clean|build|compile|generate|gen|lint|format|docs?|env|data|fixtures|image|deploy|report|results)$/;
/** Other names of test targets, by program. */
const targetsOfTheirOwn: readonly (readonly [program: RegExp, word: RegExp])[] = [
  [/^(g?make|ninja|cmake)$/, /^(check|RUN_TESTS)$/],
  [
    /^gradlew?$/,
    /(?:^|:)(check|test(?!Classes|Fix|Rep|Res)[A-Z]\w*|((connected|pixel|nexus)\w*|\w+Device)AndroidTest)$/,
  ],
  [/^sbt$/, /^test(Only|Quick)$/],
  [/^(rake|bundle|crystal)$/, /^spec(:(?!prepare|setup|clean|clobber|doc|install|statsetup)\w+)?$/],
  [/^dune$/, /^runtest$/],
];
/** Words that name tests without "test": `npm run e2e`; and words that may be next to them. */
const testsByName = /^(e2e|unit|integration|acceptance|smoke|regression)$/;
const besideName = /^(chrome|chromium|firefox|webkit|safari|headless|headed|mobile|desktop)$/;
/** Programs whose targets are named by people. In other programs such a word names a program or a package. */
const namesTargets = /^(npm|pnpm|yarn|bun|g?make|just|task|mise|nx|ng|turbo|lerna|invoke|composer|rake|deno)$/;
/** Options that take a value, which is not a target: `pnpm --filter e2e install`. */
const targetOptions =
  /^(-[CFfdIowWp]|--(filter|dir|directory|prefix|cwd|workspace|project|file|makefile|justfile|taskfile|working-directory|scope|workspaces?))$/;
/** Programs where the words before the target are names of projects. */
const namesProjects = /^(gradlew?|nx)$/;
/** Words that are followed by a program to run. */
const executes = /^(exec|x|dlx)$/;
/** Targets that do something other than testing. */
const otherwise =
  /^(install|i|add|remove|uninstall|ci|publish|view|info|why|ls|list|outdated|audit|update|upgrade|init|create|setup|clean|mod|get|fetch|link)$/;

/**
 * True when the words after `npm`, `make` or `cargo` ask for tests: `test`, `run test:unit`, `exec vitest`, `-C app test`. Words after `--`
 * are arguments of a script.
 */
export function asksForTest(program: string, words: readonly string[]): boolean {
  if (program === "cmake") return targetsOfBuild(words).some((word) => isTestTarget(word, program));
  if (asksOnce.test(program)) return isTestTarget(words.find((word) => !isInFront(word)) ?? "", program);
  for (const [index, word] of words.entries()) {
    const [before = "", last] = words.slice(0, index).reverse();
    if (otherwise.test(word)) return false;
    if (word === "--" && !executes.test(before)) break;
    // `sbt "testOnly *Prices"` is one word of several.
    if (isTestTarget(program === "sbt" ? (word.split(" ")[0] ?? word) : word, program)) return true;
    const verb = before === "--" ? last : before;
    if ((verb === "run" || executes.test(verb ?? "")) && isTesting(nameOf(word), words.slice(index + 1))) return true;
  }
  if (namesTests(program, words)) return true;
  const first = words.findIndex((word) => !isInFront(word));
  return first !== -1 && isTesting(nameOf(words[first] ?? ""), words.slice(first + 1));
}

/** The targets after `--target` in `cmake --build . --target test`. */
function targetsOfBuild(words: readonly string[]): readonly string[] {
  if (!words.includes("--build")) return [];
  return words.flatMap((word, index) => {
    if (word.startsWith("--target=")) return [word.slice("--target=".length)];
    if (word !== "-t" && word !== "--target") return [];
    const behind = words.slice(index + 1);
    const end = behind.findIndex((each) => each.startsWith("-"));
    return end === -1 ? behind : behind.slice(0, end);
  });
}

/** `npm t`, `npm run e2e`, `just unit`: true when the first target names tests. False for `e2e:install` and for a package `e2e`. */
function namesTests(program: string, words: readonly string[]): boolean {
  const [first = "", ...others] = afterOptions(words, targetOptions);
  if (/^(p?npm|yarn|cargo)$/.test(program) && /^(t|tst)$/.test(first)) return true;
  if (!namesTargets.test(program)) return false;
  const runs = /^(run|run-script|task)$/.test(first);
  if (/^p?npm$/.test(program) && !runs) return false;
  if (first === "workspace") return namesTests(program, others.slice(1));
  const target = runs ? (afterOptions(others, targetOptions)[0] ?? "") : first;
  // The project before the target is not part of its name: `nx run app:e2e`.
  const names = (program === "nx" ? target.slice(target.lastIndexOf(":") + 1) : target).split(/[:._-]/);
  const isKind = (name: string): boolean => kindOfTest.test(name) && name !== "server" && name !== "client";
  return (
    names.some((name) => testsByName.test(name)) &&
    names.every((name) => testsByName.test(name) || besideName.test(name) || isKind(name))
  );
}

/** True for `test`, `test:unit`, `unit-test`, and for programs with projects `:app:test`. False for targets that only prepare tests. */
function isTestTarget(word: string, program: string): boolean {
  if (!/^[\w:.-]{1,200}$/.test(word) || word.startsWith("-")) return false;
  if (targetsOfTheirOwn.some(([of, named]) => of.test(program) && named.test(word))) return true;
  const projects = namesProjects.test(program) ? word.slice(0, word.lastIndexOf(":") + 1) : "";
  const names = word.slice(projects.length).split(/[:._-]/);
  const at = names.findIndex((each) => testWord.test(each));
  return (
    at !== -1 &&
    names.slice(0, at).every((each) => kindOfTest.test(each)) &&
    !names.slice(at + 1).some((each) => besideTests.test(each))
  );
}

/** True for options, variables and durations, which come before the target. */
function isInFront(word: string): boolean {
  return /^(-|[A-Za-z_]\w*=|\d+(\.\d+)?[smh]?$)/.test(word);
}
