/** What kind of command an agent ran. Seed 000 FR-002, C-08. */

export type CommandType = "test" | "build" | "script";

const runner =
  /^(pytest(-3)?|py\.test|unittest|nosetests|nose2|behave|robot|cucumber(-js)?|jasmine|tap|pest|codecept|nightwatch|testcafe|shellspec|busted|elm-test|gotest|jest|vitest|mocha|ava|karma|cypress|bats|prove|tox|rspec|phpunit|ctest|nox|gotestsum|ginkgo|(run[-_])?tests?(\.(sh|py|js|mjs|ts))?)$/;
/** Programs that have `test` among what they can be asked for. */
const asked =
  /^(npm|pnpm|yarn|bun|g?make|ant|cargo|go|deno|dotnet|mvnw?|gradlew?|mix|swift|just|bazel|rake|bundle|rails|composer|artisan|manage\.py|flutter|dart|zig|sbt|lein|stack|cabal|hatch|nx|ng|turbo|lerna|playwright|task|ninja|meson|xcodebuild|pdm|rye|invoke|pants|pixi|mise|moon|rush|bazelisk|buck2|dune|crystal|nimble|gleam|odin|forge|hardhat|truffle|anchor|terraform|tofu|django-admin)$/;
/** Those whose first word alone says what they do. */
const asksOnce = /^(dune|crystal|nimble|gleam|odin|forge|hardhat|truffle|anchor|terraform|tofu|django-admin)$/;
/** What they are asked for: `test`, `check-test`; and what may stand before it and behind it: `test:unit`, `ci:quick-test`. */
const testWord = /^(tests?|nextest)$/;
const kindOfTest =
  /^(unit|integration|int|e2e|all|run|check|system|acceptance|functional|feature|browser|smoke|regression|contract|component|ui|api|cli|ci|quick|fast|slow|full|local|backend|frontend|server|client|app|web|core|lib|node|jest|vitest|mocha|js|ts|py|php|surefire|failsafe|v[12])$/;
/** Words behind it with which nothing is tested. */
const besideTests =
  /^(prepare|setup|seed|migrate|create|reset|load|init|install|clean|build|compile|generate|gen|lint|format|docs?|env|data|fixtures|image|deploy|report|results)$/;
/** What some of them call their tests besides. */
const targetsOfTheirOwn: readonly (readonly [program: RegExp, word: RegExp])[] = [
  [/^gradlew?$/, /(?:^|:)test(?!Classes)[A-Z]\w*$|(?:Android|Unit)Test$/],
  [/^sbt$/, /^test(Only|Quick)$/],
  [/^(rake|bundle|crystal)$/, /^spec(:\w+)?$/],
  [/^dune$/, /^runtest$/],
];
/** Where the words before it are names of projects. */
const namesProjects = /^(gradlew?|nx)$/;
/** What a program of its own follows. */
const executes = /^(exec|x|dlx)$/;
/** What they are asked for instead. */
const otherwise =
  /^(install|i|add|remove|uninstall|ci|publish|view|info|why|ls|list|outdated|audit|update|upgrade|init|create|setup|clean|mod|get|fetch|link)$/;
/** What may stand in front of the program that counts. */
const launchers =
  /^(npx|bunx|uv|uvx|poetry|pipenv|python[\d.]*|php|node|tsx|env|sudo|time|exec|command|run|timeout|nice|ionice|nohup|stdbuf|setsid|watch|xvfb-run|py|coverage|c8|nyc|pipx|doas|arch|taskset|chrt|caffeinate|unbuffer|winpty|corepack|cross-env|dotenv|doppler|op|conda|mamba|micromamba|asdf|nvm|volta|fnm|rbenv|spring|foreman|(ba|z|da|k|fi)?sh)$/;
/** Words of the shell that a command may follow. */
const shellWords = /^(!|\{|if|elif|else|then|while|until|do)$/;
/** Launchers whose options take a word of their own, and those options. */
const launcherOptions: readonly (readonly [launcher: RegExp, options: RegExp])[] = [
  [/^(sudo|env)$/, /^-[ugCS]$|^--(user|group|chdir)$/],
  [/^(uv|uvx)$/, /^--(with|with-editable|with-requirements|extra|group|package|directory|project|env-file|from)$/],
  [/^(npx|bunx)$/, /^(-p|--package|-w|--workspace)$/],
  [/^(python[\d.]*|py)$/, /^-[WX]$/],
  [/^(conda|mamba|micromamba)$/, /^(-[np]|--name|--prefix)$/],
  [/^(dotenv|doppler)$/, /^-[epc]$/],
];
/** What runs a command in a container; its options that take a word of their own. */
const container = /^(docker|podman|nerdctl|docker-compose|kubectl|oc)$/;
const containerOptions =
  /^(-[aeuwvpflmnhcs]|--(restart|image|cap-add|cap-drop|security-opt|ulimit|tmpfs|device|dns|ip|link|expose|log-driver|log-opt|runtime|ipc|pid|userns|group-add|volumes-from|cidfile|network-alias|index|kubeconfig|cluster|server|overrides|env|env-file|user|workdir|volume|mount|publish|file|label|memory|cpus|network|name|hostname|entrypoint|platform|profile|project-name|project-directory|add-host|gpus|shm-size|namespace|container|context|pull|index))$/;
/** Questions to a program, which runs nothing; the short ones mean something else to others. */
const question =
  /^--(version|help|list|listTests|list-tests|list-files|list-sessions|collect-only|co|show-only|dry-run|no-run|just-print)$/;
const shortQuestion: readonly (readonly [program: RegExp, options: RegExp])[] = [
  [/^(nox|tox|just|task)$/, /^-l$/],
  [/^ctest$/, /^-N$/],
  [/^make$/, /^-n$/],
  [/^go$/, /^-list$/],
  [/^command$/, /^-[pvV]*[vV]$/],
];
/** What a runner does instead of running tests, by the word behind it. */
const noRun = /^(init|list|install|open|help|info|verify|cache)$/;
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

/** A comment, what ends a command, or a word: text in quotes belongs to it. */
const pieces = /(?<!\S)#[^\n]*|&&|\|\||[|;&\n()]|(?:"(?:\\[^]|[^"\\])*"|'[^']*'|\\[^]|[^\s"'|;&()\\])+/g;

/** Launchers that run what stands behind them, and what they are told by options. */
const searchLaunchers = /^(env|sudo|time|exec|command|timeout|nice|ionice|nohup|stdbuf|setsid|xargs)$/;
const searches = /^([ef]?grep|zgrep|rgrep|pcre2?grep|rg|ugrep|ag|ack|find|fd|fdfind|ls|tree|cat|bat|head|tail|awk)$/;

/** Whether one of the programs that a line of shell starts searches, lists or prints files: `rg`, `git grep`, `sed -n`. */
export function isSearch(command: string): boolean {
  // Agents show a command in backticks, and a shell runs what is in them.
  return parts(command.replaceAll("`", "\n")).some(searchesWith);
}

function searchesWith(words: readonly string[]): boolean {
  for (const [index, word] of words.entries()) {
    const name = nameOf(word);
    const after = words.slice(index + 1);
    if (searches.test(name)) return true;
    if (name === "git") return /^(grep|ls-files|ls-tree)$/.test(afterOptions(after, /^-[cC]$/)[0] ?? "");
    if (name === "sed") return /^-\w*n/.test(after[0] ?? "");
    const line = lineOfShell(words.slice(index));
    if (line !== null) return isSearch(unquoted(line));
    if (!searchLaunchers.test(name) && !shellWords.test(word) && !isInFront(word)) return false;
  }
  return false;
}

/** The commands of a line, each as its words. Quoted text is of one word, so that what is in it starts nothing. */
function parts(command: string): readonly (readonly string[])[] {
  const words = command.slice(0, 4_000).replaceAll("\\\n", " ").match(pieces) ?? [];
  const found: string[][] = [[]];
  for (const word of words) {
    if (/^(&&|\|\||[|;&\n()])$/.test(word)) found.push([]);
    else if (!word.startsWith("#")) found.at(-1)?.push(word);
  }
  return found.filter((each) => each.length > 0);
}

/** `CI=1 npx -y vitest run`, `python -m pytest`, `npm run test:unit`, `node --test`; the shell's own `test -f x` is none. */
function isRunner(words: readonly string[]): boolean {
  if (words.some((word) => question.test(word)) || asksShortly(words)) return false;
  const ofLauncher = optionWords(words);
  for (const [index, word] of words.entries()) {
    if (ofLauncher.has(index)) continue;
    const name = nameOf(word);
    const after = words.slice(index + 1);
    if (name === "flock") return isUnderLock(after);
    if (container.test(name)) return isRunner(insideContainer(name, after));
    if (name === "test" && /^([-!(]|$)/.test(after[0] ?? "")) return after.length === 0;
    if (word === "--test" || isTesting(name, after)) return true;
    const line = lineOfShell(words.slice(index));
    if (line !== null) return isTestRun(unquoted(line));
    if (asked.test(name)) return asksForTest(name, after);
    if (runner.test(name) || (!launchers.test(name) && !shellWords.test(word) && !isInFront(word))) return false;
  }
  return false;
}

/** `just -l`, `command -v pytest`: a program that is only asked about something. */
function asksShortly(words: readonly string[]): boolean {
  const asking = words.flatMap((word, index) => {
    const options = shortQuestion.find(([program]) => program.test(nameOf(word)))?.[1];
    return options === undefined ? [] : [words.slice(index + 1).some((each) => options.test(each))];
  });
  return asking[0] === true;
}

/** Whether that is a runner that runs tests. Cypress does nothing else by itself, and Karma's server waits. */
function isTesting(name: string, after: readonly string[]): boolean {
  if (!runner.test(name) || noRun.test(after[0] ?? "")) return false;
  if (name === "cypress") return after.some((word) => /^run(-ct)?$/.test(word));
  return name !== "karma" || after.includes("run") || after.some((word) => /^--single-?run(=true)?$/i.test(word));
}

/** The line that a shell is given: the last word of `bash -l -c 'npm test'`, what follows `cmd /c`; null of what is none. */
export function lineOfShell([program = "", ...words]: readonly string[]): string | null {
  if (/^(cmd|pwsh|powershell)$/i.test(nameOf(program))) {
    const before = words.findIndex((word) => /^(\/[ck]|-c(ommand)?)$/i.test(word));
    return before === -1 ? null : words.slice(before + 1).join(" ");
  }
  if (!/^(ba|z|da|k|fi)?sh$/.test(nameOf(program))) return null;
  const at = words.findIndex((word) => lineFollows.test(word));
  const isBehindOptions = words.slice(0, at).every((word, index) => /^[-+]/.test(word) || words[index - 1] === "-o");
  return at === -1 || !isBehindOptions ? null : (words[at + 1] ?? null);
}

/** `flock -w 5 FILE npm test`, `flock FILE -c 'npm test'`. */
function isUnderLock(words: readonly string[]): boolean {
  const [first = "", ...rest] = afterOptions(words, /^(-[wE]|--(wait|timeout|conflict-exit-code))$/).slice(1);
  return /^(-c|--command)$/.test(first) ? isTestRun(unquoted(rest[0] ?? "")) : isRunner([first, ...rest]);
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

/** The command of `docker compose exec -T web npm test`: what follows `exec` or `run`, options, one name and perhaps `--`. */
function insideContainer(program: string, words: readonly string[]): readonly string[] {
  const verb = words.findIndex((word) => word === "exec" || word === "run");
  if (verb === -1) return [];
  const named = afterOptions(words.slice(verb + 1), containerOptions).slice(1);
  // Of a pod, options follow its name, too.
  const dashes = /^(kubectl|oc)$/.test(program) ? named.indexOf("--") : -1;
  const isOptions = afterOptions(named.slice(0, dashes), containerOptions).length === 0;
  if (dashes > 0 && isOptions) return named.slice(dashes + 1);
  return named[0] === "--" ? named.slice(1) : named;
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

/** What comes after `npm`, `make` or `cargo`: `test`, `run test:unit`, `exec vitest`, `-C app test`; behind `--` stands what a script gets. */
function asksForTest(program: string, words: readonly string[]): boolean {
  if (asksOnce.test(program)) return isTestTarget(words.find((word) => !isInFront(word)) ?? "", program);
  for (const [index, word] of words.entries()) {
    const [before = "", last] = words.slice(0, index).reverse();
    if (otherwise.test(word)) return false;
    if (word === "--" && !executes.test(before)) break;
    // `sbt "testOnly *Prices"` is one word of several.
    if (isTestTarget(program === "sbt" ? (unquoted(word).split(" ")[0] ?? word) : word, program)) return true;
    const verb = before === "--" ? last : before;
    if ((verb === "run" || executes.test(verb ?? "")) && isTesting(nameOf(word), words.slice(index + 1))) return true;
  }
  const first = words.findIndex((word) => !isInFront(word));
  return first !== -1 && isTesting(nameOf(words[first] ?? ""), words.slice(first + 1));
}

/** `test`, `test:unit`, `unit-test`, and for those who know projects `:app:test`; what only prepares tests is none. */
function isTestTarget(word: string, program: string): boolean {
  if (!/^[\w:.-]{1,200}$/.test(word) || word.startsWith("-")) return false;
  if (/^ts?t$/.test(word) || targetsOfTheirOwn.some(([of, named]) => of.test(program) && named.test(word))) return true;
  const projects = namesProjects.test(program) ? word.slice(0, word.lastIndexOf(":") + 1) : "";
  const names = word.slice(projects.length).split(/[:._-]/);
  const at = names.findIndex((each) => testWord.test(each));
  return (
    at !== -1 &&
    names.slice(0, at).every((each) => kindOfTest.test(each)) &&
    !names.slice(at + 1).some((each) => besideTests.test(each))
  );
}

/** Of a program, without its folder, the version that it is asked for (`vitest@3`) and what Windows adds (`npm.cmd`). */
function nameOf(word: string): string {
  const name = unquoted(word).split(/[\\/]/).at(-1) ?? word;
  return name.replace(/(?<=.)@[\w.^~-]*$/, "").replace(/(?<=.)\.(exe|cmd|bat)$/i, "");
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, "");
}
