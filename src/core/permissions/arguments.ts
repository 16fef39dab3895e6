import { familyOf, type Family, subcommandsOf } from "./programs.ts";

/**
 * What may follow a command that runs without a person: every word of it must be understood. A word that could name a
 * place outside, load a program, be one more thing to do, or mean something that is not listed here is not, and then a person is
 * asked (F-303).
 */

const harmless =
  "-- --verbose -v -vv --silent --quiet -q --run --once --ci --bail --color --no-color --no-watch --watchAll=false --watch=false --runInBand --coverage --no-coverage --json";

const git = words(
  "-s --short -b --branch --porcelain --stat --shortstat --numstat --cached --staged --name-only --name-status --oneline",
  "--graph --all --decorate --no-color -A -u --update -a -q --quiet -v --verbose --allow-empty --signoff -p --patch --",
);

/** Options that say how much is run or printed, and read or load nothing. */
const flags: Readonly<Record<Family, ReadonlySet<string>>> = {
  git,
  "git commit": git,
  "git log": git,
  targets: words("-s --silent -q --quiet -k --keep-going --offline --no-daemon"),
  tests: words(harmless, "-s -x -i --passWithNoTests --lib --bins --workspace --release --nocapture"),
  scripts: words(harmless, "-s -x -i --passWithNoTests --lib --bins --workspace --release --nocapture"),
  other: words(harmless),
};

/** Options that the next word, or what stands behind `=`, is the value of; the value is a name, a number or a text. */
const valued: Readonly<Record<Family, ReadonlySet<string>>> = {
  git: new Set(),
  "git commit": words("-m --message -am"),
  "git log": words("-n --max-count"),
  targets: words("-j --jobs --tests"),
  tests: words("-t --testNamePattern --grep -g -k --filter --test-name-pattern --maxWorkers -run -count -timeout"),
  // Not what a program behind the script would take as an option without a value: then it would be a target.
  scripts: words("-t --testNamePattern --grep -g --filter --test-name-pattern --maxWorkers"),
  other: new Set(),
};

/** Other options: counts and formats of git, tests by their name, what comes with the runner (one word, no path). */
const patterns: Readonly<Record<Family, RegExp>> = {
  git: /^-\d{1,4}$/,
  "git commit": /^-\d{1,4}$/,
  "git log": /^(?:-\d{1,4}|--(?:format|pretty)=[\w%.:,_-]{1,100}|-n\d{1,4})$/,
  targets: /^-Dtest=[\w.*#,]{1,200}$/,
  tests: /^--reporter=[a-z][a-z-]{0,30}$/,
  scripts: /^--reporter=[a-z][a-z-]{0,30}$/,
  other: /^--reporter=[a-z][a-z-]{0,30}$/,
};

/**
 * Whether each of the words behind a known command is understood. `known` are the command's own words, `files` those of the line
 * that are paths of files or folders inside the repository.
 */
export function areUnderstood(known: readonly string[], rest: readonly string[], files: readonly string[]): boolean {
  const family = familyOf(known);
  const others = subcommandsOf(known);
  /** The option that the next word belongs to. */
  let option: string | null = null;
  for (const word of rest) {
    if (option !== null) {
      if (!isValue(family, option, word)) return false;
      option = null;
    } else if (word.startsWith("-")) {
      const [name = ""] = word.split("=", 1);
      if (valued[family].has(name)) {
        if (word === name) option = name;
        else if (!isValue(family, name, word.slice(name.length + 1))) return false;
      } else if (!flags[family].has(word) && !patterns[family].test(word)) return false;
    } else if (others.includes(word) || !isUnderstood(family, word, files)) return false;
  }
  return option === null;
}

/** A text of a person's words in git: spaces in quotes have become underscores by now. Where a number is not one, it is a target. */
function isValue(family: Family, option: string, word: string): boolean {
  if (family === "git commit") return true;
  const isNumber = family === "git log" || (family === "targets" && option !== "--tests");
  return isNumber ? /^\d{1,4}$/.test(word) : isName(word);
}

/** A word that is no option. A file of arguments (`@args.txt`) may hold options, and a file may be called as a target is. */
function isUnderstood(family: Family, word: string, files: readonly string[]): boolean {
  if (family.startsWith("git")) return staysInside(word);
  if (family === "targets" || word.startsWith("@")) return false;
  // What stands behind the file: a line, or a test in it (`tests/test_a.py::test_x`).
  const [path = "", ...parts] = word.split(":");
  if (!staysInside(path) || !parts.every((part) => /^[\w.[\]-]*$/.test(part))) return false;
  const isFile = /[./]/.test(path);
  // Before one colon a name is a scheme (`npm:NAME` loads a package); before two it is a test's (`sums::rounds`).
  const isScheme = !isFile && parts.length > 0 && parts[0] !== "" && !files.includes(path);
  return family === "tests" ? !isScheme : isFile && files.includes(path);
}

/** Neither a path nor an option. */
function isName(word: string): boolean {
  return /^[\w.:@*^$|-]*$/.test(word) && !/^[-@]/.test(word) && word !== "..";
}

/** A path below the working directory, a pattern of names, a revision: nothing that leads elsewhere by its text. */
function staysInside(word: string): boolean {
  return /^[\w./@^*?[\]-]+$/.test(word) && !word.startsWith("/") && !word.split("/").includes("..");
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
