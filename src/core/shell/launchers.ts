import { lastPart } from "../files/path.ts";

/**
 * Launchers: programs that start the program named by their arguments. `sudo -u ci timeout 60 npx vitest run` starts vitest. Programs that
 * run a line (`bash -c '…'`) or start something elsewhere (`docker exec`) are in handed.ts. Three guards keep narrower lists of their own:
 * permissions/programs.ts, critics/shell.ts and agent/acp/placed.ts.
 */

/**
 * `machine`: the program is found where the shell would find it. `packages`: it is found among the packages of a folder and may be missing
 * on the machine. `input`: it gets arguments from its input, and may run several times.
 */
type LauncherKind = "machine" | "packages" | "input";

interface Launcher {
  readonly kind: LauncherKind;
  /** Options whose value is the next word. */
  readonly takes?: string;
  /** Number of own arguments after its options: the 60 of `timeout 60`. */
  readonly own?: number;
  /** It starts something only after one of these words: the `run` of `uv run`. */
  readonly behind?: string;
  /** An optional word before the program, with no effect: `dotenv run -- npm test`. */
  readonly may?: string;
  /** With one of these options, its words name no program to start: `command -v npm`. */
  readonly asks?: RegExp;
  /** Its program may be a line in one word: `watch 'npm test'`. */
  readonly isLine?: boolean;
  /** Its own arguments end at `--`: `mise x node@20 -- node check.js`. */
  readonly isBehindDashes?: boolean;
}

/** The next word is a line for a shell. */
const handsLine = /^(?:-\w{0,5}c|--(?:session-command|command|call|shell-mode)(?:=[^]*)?)$/;

const launchers: ReadonlyMap<string, Launcher> = new Map(
  Object.entries<Launcher>({
    "nohup setsid builtin chronic unbuffer winpty arch cross-env": { kind: "machine" },
    "cross-env-shell": { kind: "machine", isLine: true },
    exec: { kind: "machine", takes: "-a" },
    command: { kind: "machine", asks: /^-\w{0,5}[vV]/ },
    time: { kind: "machine", takes: "-f -o --format --output" },
    env: { kind: "machine", takes: "-u -C --unset --chdir", asks: /^(?:-\w{0,3}S|--split-string(?:=[^]*)?)$/ },
    "sudo doas": {
      kind: "machine",
      takes: "-u -g -G -h -p -r -t -C -D -R -T -U --user --group --host --prompt --chdir --chroot",
      asks: /^-[lVvKk]$/,
    },
    runuser: { kind: "machine", takes: "-u -g -G --user --group", asks: handsLine },
    nice: { kind: "machine", takes: "-n --adjustment" },
    ionice: { kind: "machine", takes: "-c -n --class --classdata" },
    "timeout gtimeout": { kind: "machine", takes: "-k -s --kill-after --signal", own: 1 },
    "chrt taskset chroot": { kind: "machine", own: 1 },
    flock: { kind: "machine", takes: "-w -E --wait --timeout --conflict-exit-code", own: 1, asks: handsLine },
    stdbuf: { kind: "machine", takes: "-i -o -e --input --output --error" },
    caffeinate: { kind: "machine", takes: "-t -w" },
    "xvfb-run": { kind: "machine", takes: "-e -f -n -p -s -w --error-file --auth-file --server-num --server-args" },
    "strace ltrace": { kind: "machine", takes: "-a -E -e -o -O -p -P -s -S -u -x" },
    "valgrind rlwrap": { kind: "machine" },
    watch: { kind: "machine", takes: "-n --interval", isLine: true },
    dotenv: { kind: "machine", takes: "-e -p -c -v -f", may: "run" },
    "doppler op foreman dotenvx": { kind: "machine", takes: "-e -f -p -c -t", behind: "run" },
    "env-cmd": { kind: "machine", takes: "-f -e -r --file --environments --rc-file" },
    "npx bunx pnpx": { kind: "packages", takes: "-p -w --package --workspace", asks: handsLine },
    uvx: { kind: "packages", takes: "--with --from --python --index -p" },
    "nyc c8 corepack": { kind: "packages", takes: "-r --reporter --require --exclude --include" },
    "npm pnpm yarn bun": {
      kind: "packages",
      takes: "-C -p -w --prefix --dir --filter --package --workspace",
      behind: "exec dlx x",
      asks: handsLine,
    },
    "uv poetry pipenv pdm rye pipx coverage": {
      kind: "packages",
      takes:
        "-C -p -w --with --with-editable --with-requirements --extra --group --package --directory --project --env-file --python",
      behind: "run",
    },
    // `test:unit` is a script defined in hatch.
    hatch: { kind: "packages", takes: "-e -p --env --project", behind: "run", asks: /^(?:\+|[\w.-]+:[\w.-]+$)/ },
    "conda mamba micromamba": { kind: "packages", takes: "-n -p --name --prefix", behind: "run" },
    "bundle asdf rbenv pyenv": { kind: "packages", behind: "exec" },
    mise: { kind: "packages", takes: "-C -E --cd --env", behind: "exec x", isBehindDashes: true },
    direnv: { kind: "packages", behind: "exec", own: 1 },
    nvm: { kind: "packages", behind: "exec run", own: 1 },
    "fnm volta": { kind: "packages", takes: "--using --node --npm --yarn --pnpm", behind: "exec run" },
    spring: { kind: "packages" },
    xargs: { kind: "input", takes: "-a -d -E -I -L -n -P -s --max-args --max-procs --delimiter" },
    parallel: { kind: "input", takes: "-a -d -E -I -j -L -n -P -s --jobs --max-args --delimiter", isLine: true },
    entr: { kind: "input", isLine: true },
  }).flatMap(([names, launcher]) => names.split(" ").map((name) => [name, launcher] as const)),
);

/**
 * The program that is finally started, with its words: for `env CI=1 nice -n 5 npm test` it is `npm test`. Empty when the launchers start
 * nothing. Only launchers of these `kinds` are skipped.
 */
export function startedBy(
  words: readonly string[],
  kinds: readonly LauncherKind[] = ["machine", "packages"],
): readonly string[] {
  let at = afterVariables(words, 0);
  for (;;) {
    const next = startedAt(words, at, kinds);
    if (next === null) return words.slice(at);
    at = next;
  }
}

/** Maximum number of launchers that are skipped. */
const mostSteps = 8;

/** The words as they are, then without the first launcher, then without the second: `xargs npx jest`, `npx jest`, `jest`. */
export function stepsOf(words: readonly string[]): readonly (readonly string[])[] {
  const steps: (readonly string[])[] = [];
  let at: number | null = afterVariables(words, 0);
  while (at !== null && at < words.length && steps.length < mostSteps) {
    steps.push(words.slice(at));
    at = startedAt(words, at, ["machine", "packages", "input"]);
  }
  return steps;
}

/** The index of the program that a launcher starts. Null for other programs, launchers of other kinds, and launchers that start nothing. */
function startedAt(words: readonly string[], at: number, kinds: readonly LauncherKind[]): number | null {
  const launcher = launcherOf(words[at] ?? "");
  return launcher === undefined || !kinds.includes(launcher.kind) ? null : behind(words, at + 1, launcher);
}

/** The launcher with that name, or in a folder of installed programs. `./time` is a program of the work itself. */
function launcherOf(word: string): Launcher | undefined {
  const isInstalled = word.startsWith("/") || /(?:^|\/)(?:node_modules\/\.bin|\.?v?env\/bin|vendor\/bin)\//.test(word);
  return launchers.get((isInstalled ? lastPart(word) : word).replace(/\.(?:exe|cmd|bat)$/i, ""));
}

/** The index of the program that a launcher starts; null when it starts nothing. */
function behind(words: readonly string[], begin: number, launcher: Launcher): number | null {
  let at = pastOptions(words, begin, launcher);
  if (at === null) return null;
  if (launcher.behind !== undefined) {
    if (!launcher.behind.split(" ").includes(words[at] ?? "")) return null;
    at = pastOptions(words, at + 1, launcher);
    const dashes = launcher.isBehindDashes === true ? words.indexOf("--", at ?? 0) : -1;
    if (dashes !== -1) at = dashes + 1;
  }
  if (at !== null && launcher.may !== undefined && words[at] === launcher.may)
    at = pastOptions(words, at + 1, launcher);
  if (at === null || launcher.asks?.test(words[at + (launcher.own ?? 0)] ?? "") === true) return null;
  const next = afterVariables(words, at + (launcher.own ?? 0));
  return launcher.isLine === true && /\s/.test(words[next] ?? "") ? null : next;
}

function pastOptions(words: readonly string[], begin: number, { takes = "", asks }: Launcher): number | null {
  const taking = takes.split(" ");
  for (let at = begin; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (asks?.test(word) === true) return null;
    if (word === "--") return at + 1;
    if (taking.includes(word)) at += 1;
    else if (!/^-./.test(word) && !isVariable(word)) return at;
  }
  return words.length;
}

function afterVariables(words: readonly string[], begin: number): number {
  let at = Math.min(begin, words.length);
  while (isVariable(words[at] ?? "")) at += 1;
  return at;
}

function isVariable(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word);
}
