import { shellName } from "../shell/words.ts";
import { lastPart } from "./path.ts";

/** Interpreters that run a file, and the options with which they do not. */

/** Programs that run the first file argument. A folder may be a program too. */
export const interpreters: ReadonlySet<string> = new Set(
  "node nodejs bun deno tsx ts-node python python3 pypy3 ruby perl php lua Rscript julia elixir dart java sh bash zsh dash ksh fish".split(
    " ",
  ),
);

/** The meaning of an interpreter's options. The same letter differs between interpreters. */
interface Options {
  readonly of: RegExp;
  /** Options that only check the syntax of a file. */
  readonly looks: RegExp;
  /** Options that run a text, or a module by its name. */
  readonly runsText: RegExp;
  /** Options that take the next word as their value, so it is not the file to run. */
  readonly takes: RegExp;
  /** True when `test` before the files is a command and not a file. */
  readonly hasTest?: boolean;
}

/** Matches nothing. */
const none = /(?!)/;

const known: readonly Options[] = [
  {
    of: /^(?:node|nodejs|bun|deno|tsx|ts-node)$/,
    looks: /^(?:-c|--check)$/,
    runsText: /^(?:-e|-pe?|--eval|--print)$/,
    takes:
      /^(?:-[rCPO]|--(?:require|import|preload|loader|experimental-loader|env-file|env-file-if-exists|conditions|input-type|title|project|tsconfig|config|import-map|lock|cwd|cert|location|seed|ext|compilerOptions|compiler-options|ignoreDiagnostics|test-reporter|test-reporter-destination|test-name-pattern|test-skip-pattern|test-concurrency|test-timeout|test-shard|watch-path|diagnostic-dir|disable-warning|icu-data-dir|openssl-config|redirect-warnings|report-dir|report-filename|secure-heap|stack-trace-limit|trace-event-categories|unhandled-rejections|inspect-port))$/,
  },
  {
    of: shellName,
    looks: /^(?:-\w{0,5}n\w{0,5}|noexec)$/,
    runsText: /^-\w{0,5}c\w{0,5}$/,
    takes: /^(?:[-+]\w{0,5}[oO]|--(?:rcfile|init-file))$/,
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

const others: Options = {
  of: none,
  looks: none,
  runsText: /^-(?:[cemp]|-eval|-print)$/,
  takes: /^(?:-l|-cp|-classpath|--class-path|--module-path|--add-modules|-r|--erl|--project|-L|-J)$/,
};

/** Splits the words into the leading options and the words after them. */
function optionsOf(
  words: readonly string[],
  { takes, hasTest = false }: Options,
): [options: readonly string[], rest: readonly string[]] {
  const isCommand = (word: string, at: number): boolean => word === "run" || (hasTest && at === 0 && word === "test");
  const end = words.findIndex(
    (word, at) => !/^[-+]/.test(word) && !isCommand(word, at) && !takes.test(words[at - 1] ?? ""),
  );
  return end === -1 ? [words, []] : [words.slice(0, end), words.slice(end)];
}

function knownOf(program: string): Options {
  const name = lastPart(program);
  const found = known.find(({ of }) => of.test(name)) ?? others;
  return { ...found, hasTest: name === "deno" || name === "bun" };
}

/** The file that an interpreter runs, or that a shell sources. Null when it only checks a file, or runs a text. */
export function fileRunBy([program = "", ...given]: readonly string[]): string | null {
  const meant = knownOf(program);
  const [options, [file]] = optionsOf(given, meant);
  return options.some((each) => meant.looks.test(each) || meant.runsText.test(each)) ? null : (file ?? null);
}

/** The files that an interpreter loads before its program: `node -r ./boot.js`, `ruby -r ./boot`. */
export function loadedFirst([program = "", ...given]: readonly string[]): readonly string[] {
  if (!interpreters.has(lastPart(program))) return [];
  const [options] = optionsOf(given, knownOf(program));
  return options.flatMap((option, at) => {
    const [name = "", joined] = option.split("=", 2);
    if (!/^(?:-r|--(?:require|import|preload|loader|experimental-loader))$/.test(name)) return [];
    const file = joined ?? options[at + 1] ?? "";
    return file.includes("/") || /\.\w{1,5}$/.test(file) ? [file] : [];
  });
}

/** True when an interpreter among these words only checks the syntax of its files: `node --check a.js`, `xargs bash -n`. */
export function isOnlyLooking(words: readonly string[]): boolean {
  const at = words.findIndex((word) => interpreters.has(lastPart(word)));
  const meant = knownOf(words[at] ?? "");
  return optionsOf(words.slice(at + 1), meant)[0].some((each) => meant.looks.test(each));
}
