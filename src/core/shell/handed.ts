import { shellWord } from "../text/shell-word.ts";
import { afterOptions, nameOf, shellName as shell } from "./words.ts";

/** Commands that a program passes to a shell, a container or another host: `bash -c 'npm test'`, `docker exec web npm test`. */

interface Reader {
  readonly of: RegExp;
  /** The line is the next word, or follows its `=`. */
  readonly option: RegExp;
  /** After a word that is not an option, the option belongs to a file or another program. */
  readonly runsFiles?: boolean;
  /** All following words are part of the line. */
  readonly isRest?: boolean;
}

const shells: readonly Reader[] = [
  { of: shell, option: /^-[a-z]*c$/, runsFiles: true },
  { of: /^(cmd|pwsh|powershell)$/i, option: /^(\/[ck]|-c(ommand)?)$/i, isRest: true },
];
const likeShells: readonly Reader[] = [
  { of: /^(su|runuser|sg|script|vagrant|flock)$/, option: /^(-[a-z]*c|--(session-)?command)$/ },
  { of: /^nix-shell$/, option: /^--(run|command)$/ },
  { of: /^nix$/, option: /^(-c|--command)$/, isRest: true },
  { of: /^(npx|pnpx|bunx|npm|pnpm|yarn|bun)$/, option: /^(-c|--call|--shell-mode)$/, runsFiles: true },
  { of: /^env$/, option: /^(-\w{0,3}S|--split-string)$/, isRest: true },
  { of: /^nodemon$/, option: /^(-x|--exec)$/, runsFiles: true },
];

/** Options that take a value, and words that may precede options of the started program. */
const takesWord = /^([-+]\w*o|-p|-w|-C|--(package|workspace|prefix|dir|watch))$/;
const startsPackage = /^(exec|x|dlx)$/;

/** Programs for which each argument is a line, with their options that take a value. */
const takingLines: readonly { readonly of: RegExp; readonly behind?: string; readonly takes: RegExp }[] = [
  { of: /^(start-server-and-test|server-test|start-test)$/, takes: /^--expect$/ },
  {
    of: /^(concurrently|conc)$/,
    takes:
      /^(-[nslptmih]|-[cp]|--(names?|success|max-processes|name-separator|prefix|prefix-colors|prefix-length|timestamp-format|restart-(tries|after)|default-input-target|kill-signal|teardown))$/,
  },
  {
    of: /^hyperfine$/,
    takes:
      /^(-[wrmMPDuiSn]|--(warmup|runs|min-runs|max-runs|parameter-(list|scan)|time-unit|shell|style|command-name|export-\w+))$/,
  },
  {
    of: /^firebase$/,
    behind: "emulators:exec",
    takes: /^(-P|--(only|project|import|inspect-functions|log-verbosity|config))$/,
  },
];
/** Addresses and ports are not lines. */
const address = /^(https?-?\w*:|tcp:|socket:|unix:|file:|:?\d+$)/;

/** Programs that pass the words after their options to a shell, possibly as one quoted word. */
const joining = /^(watch|entr|parallel|cross-env-shell)$/;

/** The line that a shell runs: the value of `-c` in `bash -l -c 'npm test'` or `/c` in `cmd /c`, or its `input`. Null when it runs none. */
export function lineOfShell(words: readonly string[], input: string | null = null): string | null {
  const [program = "", ...given] = words;
  return lineFor(shells, words) ?? (isReading(nameOf(program), given) ? input : null);
}

/**
 * The lines that shells and similar programs run: `su - bob -c 'npm test'`, `eval npm test`, `concurrently 'npm test' 'npm run lint'`. A
 * shell without a line of its own runs its `input`.
 */
export function handedLines(words: readonly string[], input: string | null): readonly string[] {
  const [program = "", ...given] = words;
  const name = nameOf(program);
  if (name === "eval") return [given.join(" ")];
  if (joining.test(name)) return joinedLine(given);
  const line = lineOfShell(words, input) ?? lineFor(likeShells, words);
  return line === null ? linesTaken(name, given) : [line];
}

/** True when a shell reads its program from standard input: `bash -s -- a b`, `sh /dev/stdin`. */
function isReading(name: string, given: readonly string[]): boolean {
  const [first = "/dev/stdin", at] = behindOptions(given) ?? [];
  return shell.test(name) && (first === "/dev/stdin" || given.slice(0, at).some((word) => /^-\w*s$/.test(word)));
}

/** The first word that is neither an option nor an option's value, and its index. */
function behindOptions(given: readonly string[]): readonly [word: string, at: number] | undefined {
  const at = given.findIndex((word, index) => !/^[-+]/.test(word) && !takesWord.test(given[index - 1] ?? ""));
  return at === -1 ? undefined : [given[at] ?? "", at];
}

function joinedLine(given: readonly string[]): readonly string[] {
  const begin = given.findIndex((word) => /\s/.test(word) && !word.startsWith("-"));
  // `parallel 'node {}' ::: a.js` runs the command with the words after the colons.
  const words = given.slice(begin).filter((word) => !/^:{3,4}\+?$/.test(word));
  return begin === -1 ? [] : [words.join(" ")];
}

function linesTaken(name: string, given: readonly string[]): readonly string[] {
  const taking = takingLines.find(({ of }) => of.test(name));
  const begin = taking?.behind === undefined ? 0 : given.indexOf(taking.behind) + 1;
  if (taking === undefined || (taking.behind !== undefined && begin === 0)) return [];
  return given
    .slice(begin)
    .filter((word, at, all) => !word.startsWith("-") && !taking.takes.test(all[at - 1] ?? "") && !address.test(word));
}

function lineFor(readers: readonly Reader[], [program = "", ...words]: readonly string[]): string | null {
  const name = nameOf(program);
  const reader = readers.find(({ of }) => of.test(name));
  const at = reader === undefined ? -1 : words.findIndex((word) => reader.option.test(word.split("=", 1)[0] ?? ""));
  if (reader === undefined || at === -1) return null;
  if (reader.runsFiles === true && behindOptions(words.slice(0, at).filter((word) => !startsPackage.test(word))))
    return null;
  const [option = "", ...behind] = words.slice(at);
  if (option.includes("=")) return option.slice(option.indexOf("=") + 1);
  const [first = null] = behind;
  return reader.isRest === true && behind.length > 1 ? behind.map(shellWord).join(" ") : first;
}

/**
 * The line that another host runs: the words after the host in `ssh -p 22 ana@host 'npm test'`, or the `input`. Null for programs other
 * than `ssh`.
 */
export function lineOfHost([program = "", ...words]: readonly string[], input: string | null): string | null {
  if (nameOf(program) !== "ssh") return null;
  const options = /^-[BbcDEeFIiJLlmOoPpQRSWw]$/;
  const [, ...behind] = afterOptions(words, options);
  return afterOptions(behind, options).join(" ") || (input ?? "");
}

const container = /^(docker|podman|nerdctl|docker-compose|kubectl|oc|lxc|incus)$/;
/** Options that take a value. */
const containerOptions =
  /^(-[aeuwvpflmnhcs]|--(restart|image|cap-add|cap-drop|security-opt|ulimit|tmpfs|device|dns|ip|link|expose|log-driver|log-opt|runtime|ipc|pid|userns|group-add|volumes-from|cidfile|network-alias|index|kubeconfig|cluster|server|overrides|env|env-file|user|workdir|volume|mount|publish|file|label|memory|cpus|network|name|hostname|entrypoint|platform|profile|project-name|project-directory|add-host|gpus|shm-size|namespace|container|context|pull|index))$/;

/** The command that runs in a container: `npm test` for `docker compose exec -T web npm test`. Null when there is none. */
export function insideContainer([program = "", ...words]: readonly string[]): readonly string[] | null {
  const verb = words.findIndex((word) => word === "exec" || word === "run");
  if (verb === -1 || !container.test(nameOf(program))) return null;
  const named = afterOptions(words.slice(verb + 1), containerOptions).slice(1);
  // For a pod, options may follow its name.
  const dashes = /^(kubectl|oc)$/.test(nameOf(program)) ? named.indexOf("--") : -1;
  const isOptions = afterOptions(named.slice(0, dashes), containerOptions).length === 0;
  if (dashes > 0 && isOptions) return named.slice(dashes + 1);
  return named[0] === "--" ? named.slice(1) : named;
}
