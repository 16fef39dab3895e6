import { operandsOf, staysInside } from "./arguments.ts";
import { noOptions, type Options, words } from "./options.ts";
import { isGrepped, isRecursive, isSearched, namesSecret, printsSecrets, secretsReached } from "./secret-files.ts";
import type { PipeWord } from "./shell-words.ts";

/**
 * Programs that only print what they read from files inside the repository or from a pipe, when each of their words is understood
 * (D29: files inside the worktree may be read). No option here writes, follows links, starts a program, reads a list of files or
 * patterns, or runs forever. `--` is not listed: after it, a word that looks like an option is a file.
 */
interface Reader {
  readonly options: Options;
  /**
   * The meaning of the operands: files and folders; those after a search pattern or a script; any text; or none, where a
   * second operand would be an output file.
   */
  readonly operands: "places" | "pattern" | "script" | "texts" | "none";
}

function reader(operands: Reader["operands"], options: Partial<Options>): Reader {
  return { operands, options: { ...noOptions, ...options } };
}

const ends = reader("places", {
  flags: words("-q -v"),
  texts: words("-n -c --lines --bytes"),
  patterns: [/^-[nc]?[+-]?\d{1,9}$/],
});

const grep = reader("pattern", {
  flags: words(
    "-r -n -i -I -l -L -c -v -w -x -E -F -G -P -o -h -H -s -q -a -b -z --recursive --line-number --ignore-case --count --color",
    "--files-with-matches --files-without-match --invert-match --word-regexp --line-regexp --only-matching --no-messages",
    "--extended-regexp --fixed-strings --perl-regexp --with-filename --no-filename --quiet --text",
  ),
  numbers: words("-A -B -C -m --after-context --before-context --context --max-count"),
  texts: words("-e --regexp --include --exclude --exclude-dir"),
  patterns: [/^--colou?r=(?:never|always|auto)$/],
  joined: "rniIlLcvwxEFGPohHsqabz",
});

const readers: ReadonlyMap<string, Reader> = new Map([
  ["cat", reader("places", { flags: words("-n -b -A -s -e -t -v -E -T"), joined: "nbAsetvET" })],
  ["head", ends],
  ["tail", ends],
  ["wc", reader("places", { flags: words("-l -w -c -m -L"), joined: "lwcm" })],
  [
    "ls",
    reader("places", {
      flags: words("-l -a -A -h -R -1 -t -S -r -d -F -p -i -s -n -o -g --color --all --recursive --reverse"),
      patterns: [/^--color=(?:never|always|auto)$/],
      joined: "laAhRtSrdFpisnog",
    }),
  ],
  ["pwd", reader("none", {})],
  ["echo", reader("texts", { flags: words("-n -e") })],
  [
    "sort",
    reader("places", {
      flags: words("-n -r -u -f -h -V -b -d -g -i -s -z -c -C -M --reverse --unique --numeric-sort"),
      texts: words("-k -t --key --field-separator"),
      patterns: [/^-k[\d.,bdfgiMhnRrV]{1,20}$/, /^-t.$/],
      joined: "nrufhVbdgiszcCM",
    }),
  ],
  ["uniq", reader("none", { flags: words("-c -d -u -i -D -z"), numbers: words("-f -s -w"), joined: "cduiDz" })],
  [
    "cut",
    reader("places", {
      flags: words("-s --complement"),
      texts: words("-d -f -c -b --delimiter --fields --output-delimiter"),
      patterns: [/^-d.$/, /^-[fcb][\d,-]{1,30}$/],
    }),
  ],
  ["tr", reader("texts", { flags: words("-d -s -c -C"), joined: "dscC" })],
  ["nl", reader("places", { flags: words("-ba") })],
  [
    "diff",
    reader("places", {
      flags: words("-u -q -w -b -i -y -B --brief --unified --color"),
      numbers: words("-U"),
      joined: "uqwbiyB",
    }),
  ],
  ["sed", reader("script", { flags: words("-n -E -r -s"), joined: "nErs" })],
  ["grep", grep],
  ["egrep", grep],
  ["fgrep", grep],
  [
    "rg",
    reader("pattern", {
      flags: words(
        "-n -N -i -l -c -w -x -v -F -S -s -U -o -H -I -P -u -uu -q -p -0 --files --hidden --no-ignore --no-heading --heading",
        "--line-number --ignore-case --smart-case --fixed-strings --files-with-matches --files-without-match --count --json",
        "--multiline --only-matching --invert-match --word-regexp --stats --vimgrep --trim --no-filename --with-filename --column",
      ),
      numbers: words(
        "-A -B -C -m -d --after-context --before-context --context --max-count --max-depth -M --max-columns",
      ),
      names: words("-t -T --type --type-not --sort --sortr"),
      texts: words("-e --regexp -g --glob --iglob -r --replace"),
      patterns: [/^--color=(?:never|always|auto|ansi)$/, /^-t[a-z]{1,20}$/],
      joined: "nNilcwxvFSsUoHIPuqp",
    }),
  ],
  [
    "find",
    reader("places", {
      flags: words("-print -print0 -o -or -a -and -not -prune -empty -ls -xdev -readable -executable -true -false"),
      numbers: words("-maxdepth -mindepth"),
      texts: words(
        "-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -size -mtime -mmin -ctime -cmin -perm",
      ),
    }),
  ],
]);

/** Options with which the first operand is a file instead of a pattern. */
const inPlaceOfPattern: ReadonlySet<string> = new Set(["-e", "--regexp", "--files"]);

/**
 * True when a command only reads files inside the repository, or its input, and none of the files with a name for secrets that are
 * there (`secrets`).
 */
export function isReader(
  [program, ...rest]: readonly PipeWord[],
  secrets: readonly string[],
  isPiped: "piped" | "alone",
): boolean {
  const found = readers.get(program?.text ?? "");
  const read = found === undefined ? null : operandsOf(found.options, rest);
  if (found === undefined || read === null) return false;
  const { operands, given } = read;
  const isPattern = found.operands === "pattern" && !given.some((each) => inPlaceOfPattern.has(each));
  const places = operands.slice(isPattern || found.operands === "script" ? 1 : 0);
  switch (found.operands) {
    case "none":
      return operands.length === 0 && isAsItStands(rest);
    case "texts":
      return isAsItStands(rest);
    case "script":
      if (!isPrinting(operands[0]?.text ?? "")) return false;
      break;
    case "places":
    case "pattern":
      break;
  }
  const isOfNames = program?.text === "ls" || program?.text === "find";
  const isReadable = (place: PipeWord): boolean =>
    staysInside(place.plain) && !namesSecret(place, isOfNames ? [] : secrets);
  return (
    places.every(isReadable) &&
    isAsItStands(rest.filter((word) => !places.includes(word))) &&
    !comesToSecrets(program?.text ?? "", { rest, places, isPiped: isPiped === "piped" }, secrets)
  );
}

/** True when a program that reads the files of folders finds a secret there. */
function comesToSecrets(
  program: string,
  of: { readonly rest: readonly PipeWord[]; readonly places: readonly PipeWord[]; readonly isPiped: boolean },
  secrets: readonly string[],
): boolean {
  switch (program) {
    case "grep":
    case "egrep":
    case "fgrep":
      return isGrepped(of.rest, of.places, secrets);
    case "rg":
      return !(of.isPiped && of.places.length === 0) && isSearched(of.rest, of.places, secrets);
    case "diff":
      // Of two folders the files right in them, of a folder and a file the one of that name.
      return secretsReached(of.places, secrets).some(({ below }) => !below.includes("/"));
    default:
      return false;
  }
}

/** Programs that may read files whose names are passed to them, when no name is an option (`permission-facts.ts` checks the names). */
const readsNamed: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "rg", "wc", "cat", "head", "tail", "ls"]);

/** True when a command reads only files whose names the command before it prints, and no secrets: `find … | xargs grep foo`. */
export function isReaderOfNamed(
  before: readonly PipeWord[],
  command: readonly PipeWord[],
  secrets: readonly string[],
): boolean {
  const [program, ...rest] = command;
  if (program?.text !== "xargs" || !printsNames(before.map(({ text }) => text))) return false;
  let at = 0;
  for (let word = rest[at]?.plain; word?.startsWith("-") === true; word = rest[at]?.plain) {
    if (/^-[nPL]$/.test(word) && /^\d{1,4}$/.test(rest[at + 1]?.plain ?? "")) at += 2;
    else if (/^(?:-[0r]{1,2}|--null|--no-run-if-empty|-[nPL]\d{1,4})$/.test(word)) at += 1;
    else return false;
  }
  const [reading, ...words] = rest.slice(at);
  const name = reading?.text ?? "";
  if (!readsNamed.has(name) || !isReader(rest.slice(at), secrets, "alone")) return false;
  return name === "ls" || !printsSecrets(before, secrets, name === "rg" || isRecursive(words));
}

function printsNames([program, subcommand, ...rest]: readonly string[]): boolean {
  return program === "find" ? ![subcommand, ...rest].includes("-ls") : program === "git" && subcommand === "ls-files";
}

/** True when no word is a file name pattern that a shell would expand. */
function isAsItStands(all: readonly PipeWord[]): boolean {
  return all.every(({ plain }) => !/[*?[]/.test(plain));
}

/** True for a sed script that only prints or omits lines of its input: `1,20p`, `/from/,/to/p`, `5q`. */
function isPrinting(script: string): boolean {
  const line = /^(?:\d{1,9}|\$|\/[^/\\[\]{}\n]{1,200}\/)(?:,(?:\+?\d{1,9}|\$|\/[^/\\[\]{}\n]{1,200}\/))?[pd]$/;
  return script.split(";").every((each) => line.test(each) || /^(?:\d{1,9}|\$)q$/.test(each));
}
