import { deepestLine, handedLine, lineOfHost } from "./handed-lines.ts";
import { afterOptions, isInFront, nameOf, commandParts, shellWords, unquoted } from "./shell-line.ts";
import { isTesting, runner } from "./test-runners.ts";
import { asked, asksForTest } from "./test-targets.ts";

/** What kind of command an agent ran. Seed 000 FR-002, C-08. */

export type CommandType = "test" | "build" | "script";

/** What may stand in front of the program that counts. */
const launchers =
  /^(npx|bunx|uv|uvx|poetry|pipenv|python[\d.]*|php|node|tsx|env|sudo|time|exec|command|run|timeout|nice|ionice|nohup|stdbuf|setsid|watch|xvfb-run|py|coverage|c8|nyc|pipx|doas|arch|taskset|chrt|caffeinate|unbuffer|winpty|corepack|cross-env|dotenv|doppler|op|conda|mamba|micromamba|asdf|nvm|volta|fnm|rbenv|spring|foreman|runuser|xargs|parallel|entr|(ba|z|da|k|fi)?sh)$/;
/** Launchers whose options take a word of their own, and those options. */
const launcherOptions: readonly (readonly [launcher: RegExp, options: RegExp])[] = [
  [/^(sudo|env|runuser)$/, /^-[ugGCS]$|^--(user|group|chdir)$/],
  [/^(xargs|parallel)$/, /^-[aEIdjLnPs]$/],
  [/^(uv|uvx)$/, /^--(with|with-editable|with-requirements|extra|group|package|directory|project|env-file|from)$/],
  [/^(npx|bunx)$/, /^(-p|--package|-w|--workspace)$/],
  [/^(python[\d.]*|py)$/, /^-[WX]$/],
  [/^(conda|mamba|micromamba)$/, /^(-[np]|--name|--prefix)$/],
  [/^(dotenv|doppler)$/, /^-[epc]$/],
];
/** What runs a command in a container; its options that take a word of their own. */
const container = /^(docker|podman|nerdctl|docker-compose|kubectl|oc|lxc|incus|direnv)$/;
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
const builds = /^(tsc|build|compile|webpack|vite|esbuild|rollup|cmake)$/;

/** Whether a test runner is at the head of one of its parts: whole words, never a part of another word or an argument. */
export function isTestRun(command: string): boolean {
  return runsTests(command, 0);
}

function runsTests(command: string, depth: number): boolean {
  return depth <= deepestLine && commandParts(command).some(({ words }) => isRunner(words, depth));
}

/** What kind of command a line of shell is, by the programs that it starts. */
export function commandType(command: string): CommandType {
  if (isTestRun(command)) return "test";
  const isBuild = commandParts(command).some(({ words }) =>
    words.slice(0, 3).some((word) => builds.test(nameOf(word))),
  );
  return isBuild ? "build" : "script";
}

/** `CI=1 npx -y vitest run`, `python -m pytest`, `npm run test:unit`, `node --test`; the shell's own `test -f x` is none. */
function isRunner(words: readonly string[], depth: number): boolean {
  if (words.some((word) => question.test(word)) || asksShortly(words)) return false;
  const ofLauncher = optionWords(words);
  for (const [index, word] of words.entries()) {
    if (ofLauncher.has(index)) continue;
    const name = nameOf(word);
    const after = words.slice(index + 1);
    if (name === "flock") return isUnderLock(after, depth);
    if (container.test(name)) return isRunner(insideContainer(name, after), depth);
    if (name === "test" && /^([-!(]|$)/.test(after[0] ?? "")) return after.length === 0;
    if (word === "--test" || isTesting(name, after)) return true;
    const line = handedLine(words.slice(index)) ?? lineOfHost(words.slice(index));
    if (line !== null) return runsTests(line, depth + 1);
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

/** `flock -w 5 FILE npm test`, `flock FILE -c 'npm test'`. */
function isUnderLock(words: readonly string[], depth: number): boolean {
  const [first = "", ...rest] = afterOptions(words, /^(-[wE]|--(wait|timeout|conflict-exit-code))$/).slice(1);
  return /^(-c|--command)$/.test(first)
    ? runsTests(unquoted(rest[0] ?? ""), depth + 1)
    : isRunner([first, ...rest], depth);
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
