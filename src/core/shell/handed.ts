import { shellWord } from "../text/shell-word.ts";
import { afterOptions, nameOf, shellName as shell } from "./words.ts";

/** What a program is handed to be run by a shell, in a container or on another host: `bash -c 'npm test'`, `docker exec web npm test`. */

interface Reader {
  readonly of: RegExp;
  /** The line follows it, or stands behind its `=`. */
  readonly option: RegExp;
  /** Behind a word that is no option it is one of a file's. */
  readonly runsFiles?: boolean;
  /** All words behind it are the line's. */
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
];

/** The line that a shell is given: the last word of `bash -l -c 'npm test'`, what follows `cmd /c`; null of what is none. */
export function lineOfShell(words: readonly string[]): string | null {
  return lineFor(shells, words);
}

/** The same of programs like shells, too: `su - bob -c 'npm test'`, `eval npm test`; and what a shell reads as its `input`. */
export function handedLine(words: readonly string[], input: string | null): string | null {
  const [program = "", ...given] = words;
  if (nameOf(program) === "eval") return given.join(" ");
  const isReading = shell.test(nameOf(program)) && given.every((word) => word.startsWith("-"));
  return lineFor([...shells, ...likeShells], words) ?? (isReading ? input : null);
}

function lineFor(readers: readonly Reader[], [program = "", ...words]: readonly string[]): string | null {
  const reader = readers.find(({ of }) => of.test(nameOf(program)));
  const at = words.findIndex((word) => reader?.option.test(word.split("=", 1)[0] ?? "") === true);
  if (reader === undefined || at === -1) return null;
  const isBehindFile = words.slice(0, at).some((word, index) => !/^[-+]/.test(word) && words[index - 1] !== "-o");
  if (reader.runsFiles === true && isBehindFile) return null;
  const [option = "", ...behind] = words.slice(at);
  if (option.includes("=")) return option.slice(option.indexOf("=") + 1);
  const [first = null] = behind;
  return reader.isRest === true && behind.length > 1 ? behind.map(shellWord).join(" ") : first;
}

/** The line that another host is given: what follows its name in `ssh -p 22 ana@host 'npm test'`, or its `input`; null of what is none. */
export function lineOfHost([program = "", ...words]: readonly string[], input: string | null): string | null {
  if (nameOf(program) !== "ssh") return null;
  const options = /^-[BbcDEeFIiJLlmOoPpQRSWw]$/;
  const [, ...behind] = afterOptions(words, options);
  return afterOptions(behind, options).join(" ") || (input ?? "");
}

const container = /^(docker|podman|nerdctl|docker-compose|kubectl|oc|lxc|incus)$/;
/** Its options that take a word of their own. */
const containerOptions =
  /^(-[aeuwvpflmnhcs]|--(restart|image|cap-add|cap-drop|security-opt|ulimit|tmpfs|device|dns|ip|link|expose|log-driver|log-opt|runtime|ipc|pid|userns|group-add|volumes-from|cidfile|network-alias|index|kubeconfig|cluster|server|overrides|env|env-file|user|workdir|volume|mount|publish|file|label|memory|cpus|network|name|hostname|entrypoint|platform|profile|project-name|project-directory|add-host|gpus|shm-size|namespace|container|context|pull|index))$/;

/** The command of `docker compose exec -T web npm test`: what follows `exec` or `run`, options, one name and perhaps `--`; null of what is none. */
export function insideContainer([program = "", ...words]: readonly string[]): readonly string[] | null {
  const verb = words.findIndex((word) => word === "exec" || word === "run");
  if (verb === -1 || !container.test(nameOf(program))) return null;
  const named = afterOptions(words.slice(verb + 1), containerOptions).slice(1);
  // Of a pod, options follow its name, too.
  const dashes = /^(kubectl|oc)$/.test(nameOf(program)) ? named.indexOf("--") : -1;
  const isOptions = afterOptions(named.slice(0, dashes), containerOptions).length === 0;
  if (dashes > 0 && isOptions) return named.slice(dashes + 1);
  return named[0] === "--" ? named.slice(1) : named;
}
