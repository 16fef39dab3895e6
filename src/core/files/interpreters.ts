import { shellName } from "../shell/words.ts";
import { lastPart } from "./path.ts";

/** Programs that run a file which they are given, and with which options they do not. */

/** They run the first file that they are given; a folder is a program then. */
export const interpreters: ReadonlySet<string> = new Set(
  "node nodejs bun deno tsx ts-node python python3 pypy3 ruby perl php lua Rscript julia elixir dart java sh bash zsh dash ksh fish".split(
    " ",
  ),
);

/** What options mean to an interpreter: a letter means something else to each. */
interface Options {
  readonly of: RegExp;
  /** It only looks whether the syntax of a file is right. */
  readonly looks: RegExp;
  /** It runs a text, or a module by its name. */
  readonly runsText: RegExp;
  /** What stands behind them belongs to them, and is no file that it runs. */
  readonly takes: RegExp;
}

/** Matches nothing. */
const none = /(?!)/;

const known: readonly Options[] = [
  {
    of: /^(?:node|nodejs|bun|deno|tsx|ts-node)$/,
    looks: /^(?:-c|--check)$/,
    runsText: /^(?:-e|-pe?|--eval|--print)$/,
    takes: none,
  },
  {
    of: shellName,
    looks: /^(?:-\w{0,5}n\w{0,5}|noexec)$/,
    runsText: /^-\w{0,5}c\w{0,5}$/,
    takes: /^[-+]\w{0,5}[oO]$/,
  },
  {
    of: /^(?:python3?|pypy3)$/,
    looks: /^(?:py_compile|compileall|json\.tool|tabnanny|ast)$/,
    runsText: /^-\w{0,5}[cm]$/,
    takes: /^-\w{0,5}[cmWX]$/,
  },
  { of: /^perl$/, looks: /^-[twTW]{0,3}c[twTW]{0,3}$/, runsText: /^-[a-z\d]{0,8}[eE]$/, takes: /^-I$/ },
  { of: /^ruby$/, looks: /^-[vwW\d]{0,3}c[vwW\d]{0,3}$/, runsText: /^-[a-z\d]{0,8}e$/, takes: /^-[CIr]$/ },
  { of: /^php$/, looks: /^(?:-\w{0,5}l|--syntax-check)$/, runsText: /^(?:-r|--run)$/, takes: /^-[cd]$/ },
];

const others: Options = { of: none, looks: none, runsText: /^-(?:[cemp]|-eval|-print)$/, takes: none };

/** The options before the first word that is none, and the words from there on. */
function optionsOf(
  words: readonly string[],
  { takes }: Options,
): [options: readonly string[], rest: readonly string[]] {
  const end = words.findIndex((word, at) => !/^[-+]/.test(word) && word !== "run" && !takes.test(words[at - 1] ?? ""));
  return end === -1 ? [words, []] : [words.slice(0, end), words.slice(end)];
}

function knownOf(program: string): Options {
  return known.find(({ of }) => of.test(lastPart(program))) ?? others;
}

/** The file that an interpreter runs, or what reads one into a shell; null: it only looks at one, or runs a text. */
export function fileRunBy([program = "", ...given]: readonly string[]): string | null {
  const meant = knownOf(program);
  const [options, [file]] = optionsOf(given, meant);
  return options.some((each) => meant.looks.test(each) || meant.runsText.test(each)) ? null : (file ?? null);
}

/** Whether an interpreter among these words only looks at what it is given: `node --check a.js`, `xargs bash -n`. */
export function isOnlyLooking(words: readonly string[]): boolean {
  const at = words.findIndex((word) => interpreters.has(lastPart(word)));
  const meant = knownOf(words[at] ?? "");
  return optionsOf(words.slice(at + 1), meant)[0].some((each) => meant.looks.test(each));
}
