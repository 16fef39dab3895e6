/** What kind of command an agent ran. Seed 000 FR-002, C-08. */

export type CommandType = "test" | "build" | "script";

const runner =
  /^(pytest(-3)?|py\.test|unittest|nosetests|jest|vitest|mocha|ava|karma|cypress|bats|prove|tox|rspec|phpunit|ctest|nox|gotestsum|ginkgo|(run[-_])?tests?(\.(sh|py|js|mjs|ts))?)$/;
/** Programs that have `test` among what they can be asked for. */
const asked =
  /^(npm|pnpm|yarn|bun|make|cargo|go|deno|dotnet|mvnw?|gradlew?|mix|swift|just|bazel|rake|bundle|rails|composer|artisan|manage\.py|flutter|dart|zig|sbt|lein|stack|cabal|hatch|nx|ng|turbo|lerna|playwright|task|ninja|meson|xcodebuild|pdm|rye|invoke|pants)$/;
/** What they are asked for: `test`, `test:unit`, `unit-test`, `:app:test`. */
const testTarget =
  /^((?!:?(build|compile|lint|clean|watch|format|types?):)(:?[\w-]+:)+|((unit|integration|e2e|all|run|check|system|acceptance|functional|browser|smoke|ui|api)[-_:]))?(tests?|nextest|t|check-test)([:.-][\w:.-]*)?$/;
/** What they are asked for instead. */
const otherwise =
  /^(install|i|add|remove|uninstall|ci|publish|view|info|why|ls|list|outdated|audit|update|upgrade|init|create|setup|clean|mod|get|fetch|link)$/;
/** What may stand in front of the program that counts. */
const launchers =
  /^(npx|bunx|uv|uvx|poetry|pipenv|python[\d.]*|php|node|tsx|env|sudo|time|exec|command|run|timeout|nice|ionice|nohup|stdbuf|setsid|watch|xvfb-run|(ba|z|da)?sh)$/;
/** Words of the shell that a command may follow. */
const shellWords = /^(!|\{|if|elif|else|then|while|until|do)$/;
/** Launchers whose options take a word of their own, and those options. */
const launcherOptions: readonly (readonly [launcher: RegExp, options: RegExp])[] = [
  [/^(sudo|env)$/, /^-[ugCS]$|^--(user|group|chdir)$/],
  [/^(uv|uvx)$/, /^--(with|with-editable|with-requirements|extra|group|package|directory|project|env-file|from)$/],
  [/^(npx|bunx)$/, /^(-p|--package|-w|--workspace)$/],
];
/** What runs a command in a container; its options that take a word of their own. */
const container = /^(docker|podman|nerdctl|docker-compose|kubectl|oc)$/;
const containerOptions =
  /^(-[euwvpflmnhc]|--(env|env-file|user|workdir|volume|mount|publish|file|label|memory|cpus|network|name|hostname|entrypoint|platform|profile|project-name|project-directory|add-host|gpus|shm-size|namespace|container|context|pull|index))$/;
/** Questions to a program, which runs nothing. */
const question = /^--(version|help)$/;
/** `-c`, `-lc`: the next word is a line of its own. */
const lineFollows = /^-[a-z]*c$/;
const builds = /^(tsc|build|compile|webpack|vite|esbuild|rollup|cmake)$/;

/** Whether a test runner is at the head of one of its parts: whole words, never a part of another word or an argument. */
export function isTestRun(command: string): boolean {
  return parts(command).some((words) => isRunner(words));
}

/** What kind of command a line of shell is, by the programs that it starts. */
export function commandType(command: string): CommandType {
  if (isTestRun(command)) return "test";
  const isBuild = parts(command).some((words) => words.slice(0, 3).some((word) => builds.test(nameOf(word))));
  return isBuild ? "build" : "script";
}

/** The commands of a line, each as its first words. Quoted text is one word, so that what is in it starts nothing. */
function parts(command: string): readonly (readonly string[])[] {
  const words = command.slice(0, 4_000).match(/"[^"]*"|'[^']*'|&&|\|\||[|;&\n()]|[^\s"'|;&()]+/g) ?? [];
  const found: string[][] = [[]];
  for (const word of words) {
    if (/^(&&|\|\||[|;&\n()])$/.test(word)) found.push([]);
    else found.at(-1)?.push(word);
  }
  return found.filter((each) => each.length > 0);
}

/** `CI=1 npx -y vitest run`, `python -m pytest`, `npm run test:unit`, `node --test`; the shell's own `test -f x` is none. */
function isRunner(words: readonly string[]): boolean {
  if (words.some((word) => question.test(word))) return false;
  const ofLauncher = optionWords(words);
  for (const [index, word] of words.entries()) {
    if (ofLauncher.has(index)) continue;
    const name = nameOf(word);
    const after = words.slice(index + 1);
    if (name === "flock") return isRunner(afterOptions(after, /^-[wE]$/).slice(1));
    if (container.test(name)) return isRunner(insideContainer(after));
    if (name === "test" && /^([-!(]|$)/.test(after[0] ?? "")) return after.length === 0;
    if (runner.test(name) || word === "--test") return true;
    if (/^(ba|z|da)?sh$/.test(name) && lineFollows.test(after[0] ?? "")) return isTestRun(unquoted(after[1] ?? ""));
    if (asked.test(name)) return asksForTest(after);
    if (!launchers.test(name) && !shellWords.test(word) && !isInFront(word)) return false;
  }
  return false;
}

/** Which words belong to an option of the launcher before them: the `bob` of `sudo -u bob npm test`. */
function optionWords(words: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let options: RegExp | null = null;
  for (const [index, word] of words.entries()) {
    options = launcherOptions.find(([launcher]) => launcher.test(nameOf(word)))?.[1] ?? options;
    if (options?.test(word) === true && !found.has(index)) found.add(index + 1);
  }
  return found;
}

/** The command of `docker compose exec -T web npm test`: what follows `exec` or `run`, options and one name; or `--`. */
function insideContainer(words: readonly string[]): readonly string[] {
  const verb = words.findIndex((word) => word === "exec" || word === "run");
  if (verb === -1) return [];
  const dashes = words.indexOf("--", verb);
  return dashes === -1 ? afterOptions(words.slice(verb + 1), containerOptions).slice(1) : words.slice(dashes + 1);
}

/** From the first word on that is neither an option nor the word of one. */
function afterOptions(words: readonly string[], withWord: RegExp): readonly string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (withWord.test(word)) index += 1;
    else if (!word.startsWith("-")) return words.slice(index);
  }
  return [];
}

/** Options, variables and durations. */
function isInFront(word: string): boolean {
  return /^(-|[A-Za-z_]\w*=|\d+(\.\d+)?[smh]?$)/.test(word);
}

/** What comes after `npm`, `make` or `cargo`: `test`, `run test:unit`, `exec vitest`, `-C app test`. */
function asksForTest(words: readonly string[]): boolean {
  for (const [index, word] of words.entries()) {
    if (otherwise.test(word)) return false;
    if (testTarget.test(word)) return true;
    if (/^(exec|x|dlx|run)$/.test(words[index - 1] ?? "") && runner.test(nameOf(word))) return true;
  }
  return runner.test(nameOf(words.find((word) => !isInFront(word)) ?? ""));
}

/** Of a program, without its folder and the version that it is asked for: `vitest@3`. */
function nameOf(word: string): string {
  return (unquoted(word).split("/").at(-1) ?? word).replace(/(?<=.)@[\w.^~-]*$/, "");
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, "");
}
