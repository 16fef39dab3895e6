import type { CommandFamily } from "./programs.ts";

/** Known options of a command family. They control what is run or printed; they read, write and load nothing. */
export interface Options {
  readonly flags: ReadonlySet<string>;
  /** Options with a number, as the next word or after `=`. It may also follow a single letter directly (`-j4`). */
  readonly numbers: ReadonlySet<string>;
  /** Options with a name: of a test, a person, a day. */
  readonly names: ReadonlySet<string>;
  /** Options with any text. */
  readonly texts: ReadonlySet<string>;
  /** Other options, as one word: output formats, and components that the program includes. */
  readonly patterns: readonly RegExp[];
  /** Letters of switches after which another short option may follow in the same word (`-sb`, `-am`). */
  readonly joined: string;
  /** At least one of these must be given, because without it the program changes files. Empty when it never does. */
  readonly needed: ReadonlySet<string>;
}

/** For a program without known options. */
export const noOptions: Options = {
  flags: words(),
  numbers: words(),
  names: words(),
  texts: words(),
  patterns: [],
  joined: "",
  needed: words(),
};

const git: Options = {
  ...noOptions,
  flags: words(
    "-s --short -b --branch --porcelain --stat --shortstat --numstat --cached --staged --name-only --name-status --oneline",
    "--graph --all --decorate --no-color -A -u --update -a -q --quiet -v --verbose --allow-empty --signoff -p --patch --",
    "-w --word-diff --check --exit-code --no-renames --summary -N --intent-to-add --dry-run --ignored",
  ),
  numbers: words("-U --unified"),
  patterns: [
    /^(?:-\d{1,4}|--porcelain=(?:v1|v2|1|2)|(?:-u|--untracked-files=)(?:no|normal|all)|--color=(?:never|always|auto)|--diff-filter=[A-Za-z]{1,10})$/,
  ],
  // Without `u`: the text after it in the same word is its value.
  joined: "sbvqapA",
};

const runner: Options = {
  ...noOptions,
  flags: words(
    "-- --verbose -v -vv --silent --quiet -q --run --once --ci --bail --color --no-color --no-watch --watchAll=false",
    "--watch=false --runInBand --coverage --no-coverage --json",
  ),
  patterns: [/^--reporter=[a-z][a-z-]{0,30}$/],
};

const scripts: Options = {
  ...runner,
  flags: words(
    ...runner.flags,
    "-s -x -i --passWithNoTests --lib --bins --workspace --release --nocapture --forceExit --detectOpenHandles",
  ),
  // Only options whose value no program behind the script would read as a separate operand.
  names: words("-t --testNamePattern --grep -g --filter --test-name-pattern --maxWorkers"),
  patterns: [/^(?:--reporter=[a-z][a-z-]{0,30}|--(?:bail|retry|testTimeout)=\d{1,6})$/],
};

const tests: Options = { ...scripts, names: words(...scripts.names, "-k") };

const checker: Options = {
  ...noOptions,
  flags: words("-q --quiet --verbose --color --no-color --pretty --strict --statistics --diff"),
};

const cargo: Options = {
  ...checker,
  flags: words(
    "-- -q --quiet -v --verbose --all --workspace --lib --bins --tests --examples --benches --release --all-features",
    "--no-default-features --all-targets --no-deps --keep-going --locked --offline --frozen",
  ),
  numbers: words("-j --jobs"),
  names: words("-p --package --test --bin --example --bench --features --exclude --message-format -D -W -A"),
  patterns: [/^-[DWA](?:warnings|(?:clippy::|rust_?)?[a-z_]{2,60})$/],
};

/** Options by family. The same option counts for one runner and loads a program for another (`-n`, `-p`), so each has its own list. */
export const optionsOf: Readonly<Record<CommandFamily, Options>> = {
  git,
  "git commit": {
    ...git,
    flags: words(...git.flags, "--amend --no-edit --all"),
    texts: words("-m --message"),
    joined: "sqvap",
  },
  "git log": {
    ...git,
    flags: words(
      ...git.flags,
      "--no-decorate --no-patch --no-merges --merges --first-parent --follow --reverse --abbrev-commit",
    ),
    numbers: words(...git.numbers, "-n --max-count --skip"),
    names: words("--author --committer --grep --since --until --after --before --date -S -G"),
    // Without `%G…` (in quotes `_G…`): a signature check runs a program, which may request its key over the network.
    patterns: [/^--(?:format|pretty)=(?!\S*[%_]G)[\w%.:,_-]{1,100}$/, ...git.patterns],
  },
  "git branch": {
    ...noOptions,
    flags: words("-a --all -r --remotes -l --list -v -vv --verbose --show-current --no-color"),
    joined: "arlv",
  },
  pytest: {
    ...tests,
    flags: words(
      ...tests.flags,
      "-l --showlocals --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --exitfirst",
      "--co --collect-only --no-header --no-summary --no-cov --full-trace",
    ),
    numbers: words("--maxfail --durations --timeout"),
    names: words(...tests.names, "-m -n"),
    patterns: [
      /^(?:--tb=[a-z]{1,10}|-n(?:\d{1,3}|auto)|-r[fEsxXpPwaAN]{1,10}|--color=(?:yes|no|auto)|--cov(?:=\w[\w.]{0,99})?|--cov-report=term(?:-missing)?)$/,
    ],
    joined: "vqsxl",
  },
  "cargo test": {
    ...tests,
    flags: words(
      ...tests.flags,
      "--all --all-features --no-default-features --all-targets --doc --tests --examples --benches --no-fail-fast --no-run",
      "--locked --offline --frozen --ignored --include-ignored --exact --list --show-output",
    ),
    numbers: words("-j --jobs --test-threads"),
    names: words(...tests.names, "-p --package --test --bin --example --bench --features --exclude --skip"),
  },
  "go test": {
    ...tests,
    flags: words(...tests.flags, "-race -short -cover -failfast -json -benchmem"),
    numbers: words("-p -parallel -cpu"),
    names: words(...tests.names, "-run -count -timeout -bench -benchtime -skip -shuffle"),
  },
  "node --test": {
    ...tests,
    flags: words(
      ...tests.flags,
      "--experimental-test-coverage --test-only --test-force-exit --enable-source-maps --experimental-strip-types --no-warnings",
    ),
    numbers: words("--test-concurrency --test-timeout"),
    names: words(...tests.names, "--test-skip-pattern"),
    patterns: [/^--test-reporter=(?:spec|tap|dot|junit|lcov)$/, ...tests.patterns],
  },
  tests,
  targets: {
    ...noOptions,
    flags: words("-s --silent -q --quiet -k --keep-going --offline --no-daemon"),
    numbers: words("-j --jobs"),
    names: words("--tests"),
    patterns: [/^-Dtest=[\w.*#,]{1,200}$/],
  },
  scripts,
  other: runner,
  "git ls-files": {
    ...noOptions,
    flags: words("-c --cached -m --modified -o --others -d --deleted -z --exclude-standard --full-name"),
  },
  eslint: {
    ...checker,
    flags: words(...checker.flags, "--fix --fix-dry-run --no-inline-config --no-warn-ignored"),
    numbers: words("--max-warnings"),
    names: words("--ext"),
    // A formatter name may be a module to load, so only the included ones are listed.
    patterns: [/^--format=(?:stylish|json|html)$/],
  },
  tsc: {
    ...checker,
    flags: words("--noEmit --pretty --strict --skipLibCheck --listFilesOnly"),
    names: words("-p --project"),
    needed: words("--noEmit"),
  },
  prettier: {
    ...checker,
    flags: words("-c --check -l --list-different"),
    needed: words("-c --check -l --list-different"),
  },
  checker,
  "cargo check": cargo,
  "cargo fmt": { ...noOptions, flags: words("-- --check --all -q --quiet -v --verbose"), needed: words("--check") },
  "go vet": { ...noOptions, flags: words("-v -json -n -x") },
  ruff: {
    ...checker,
    flags: words(...checker.flags, "--fix --no-fix --no-cache -n --preview --show-fixes"),
    names: words("--select --ignore --extend-select --output-format"),
  },
  "ruff format": { ...checker, needed: words("--check --diff"), flags: words(...checker.flags, "--check") },
  mypy: {
    ...checker,
    flags: words(
      ...checker.flags,
      "-v --ignore-missing-imports --no-error-summary --show-error-codes --show-error-context --no-incremental",
      "--check-untyped-defs --disallow-untyped-defs --namespace-packages --explicit-package-bases",
    ),
    names: words("-p --package -m --module --python-version --follow-imports"),
  },
};

/** Returns the words of several lines as a set. */
export function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
