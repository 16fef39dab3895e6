/**
 * What may follow a command that runs without a person: every word of it must be understood. A word that could name a
 * place outside, load a program, or mean something that is not listed here is not, and then a person is asked (F-303).
 */

type Family = "git" | "targets" | "tests";

/** Options that say how much is run or printed, and read or load nothing. */
const flags: Readonly<Record<Family, ReadonlySet<string>>> = {
  git: words(
    "-s --short -b --branch --porcelain --stat --shortstat --numstat --cached --staged --name-only --name-status --oneline",
    "--graph --all --decorate --no-color -A -u --update -a -q --quiet -v --verbose --allow-empty --signoff -p --patch --",
  ),
  targets: words("-s --silent -q --quiet -k --keep-going --offline --no-daemon"),
  tests: words(
    "-- --run --once --ci --verbose -v -vv --silent -s --quiet -q --bail -x --color --no-color --no-watch --watchAll=false",
    "--watch=false --runInBand -i --coverage --no-coverage --json --passWithNoTests --lib --bins --workspace --release --nocapture",
  ),
};

/** Options that the next word, or what stands behind `=`, is the value of; the value is a name, a number or a text. */
const valued: Readonly<Record<Family, ReadonlySet<string>>> = {
  git: words("-m --message -am -n --max-count"),
  targets: words("-j --jobs"),
  tests: words("-t --testNamePattern --grep -g -k --filter --test-name-pattern --maxWorkers -run -count -timeout"),
};

/** Options whose value names something that comes with the runner: one word, no path. */
const reporters = /^--reporter=[a-z][a-z-]{0,30}$/;
const gitCounts = /^(?:-\d{1,4}|--(?:format|pretty)=[\w%.:,_-]{1,100}|-n\d{1,4})$/;

const targetPrograms = /^(?:make|mvn|gradle|\.\/gradlew)$/;

/** Whether each of the words behind a known command is understood. `program` is the command's first word. */
export function areUnderstood(program: string, rest: readonly string[]): boolean {
  const family = program === "git" ? "git" : targetPrograms.test(program) ? "targets" : "tests";
  let isValue = false;
  for (const word of rest) {
    if (isValue) {
      // A text of a person's words: spaces in quotes have become underscores by now.
      isValue = false;
      if (family !== "git" && !isName(word)) return false;
    } else if (word.startsWith("-")) {
      const [option = ""] = word.split("=", 1);
      const value = word.length > option.length ? word.slice(option.length + 1) : null;
      if (valued[family].has(option)) {
        if (value === null) isValue = true;
        else if (family !== "git" && !isName(value)) return false;
      } else if (!flags[family].has(word) && !(family === "git" ? gitCounts : reporters).test(word)) return false;
    } else if (family === "targets" || !staysInside(word)) return false;
  }
  return !isValue;
}

/** Neither a path nor an option. */
function isName(word: string): boolean {
  return /^[\w.:@*^$|-]*$/.test(word) && !word.startsWith("-") && word !== "..";
}

/** A path below the working directory, a pattern of names, a revision: nothing that leads elsewhere by its text. */
function staysInside(word: string): boolean {
  return /^[\w./@^*?[\]-]+$/.test(word) && !word.startsWith("/") && !word.split("/").includes("..");
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
