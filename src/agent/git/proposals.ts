import { jsonOrNull } from "../../core/text/json.ts";
import { makesTarget, type Project, pythonTests } from "./test-commands.ts";

/** Setup and checks that a repository's files suggest (D25). Proposed to a person, never run unasked. */
export interface Proposals {
  /** The file on which the setup command is based; null when none was found. */
  readonly lockFile: string | null;
  readonly setup: string | null;
  readonly checks: readonly string[];
}

interface Manager {
  /** A file name, or its end: `*.sln`. */
  readonly lockFile: string;
  readonly setup: string | null;
  /** A command, or a function that returns one, or null when there is none. */
  readonly check: string | ((project: Project) => string | null);
}

/** In order of preference, for a repository that has several. */
const managers: readonly Manager[] = [
  { lockFile: "package-lock.json", setup: "npm ci", check: testScript("npm test") },
  { lockFile: "npm-shrinkwrap.json", setup: "npm ci", check: testScript("npm test") },
  { lockFile: "pnpm-lock.yaml", setup: "pnpm install --frozen-lockfile", check: testScript("pnpm test") },
  { lockFile: "yarn.lock", setup: "yarn install --frozen-lockfile", check: testScript("yarn test") },
  { lockFile: "bun.lock", setup: "bun install --frozen-lockfile", check: testScript("bun run test") },
  { lockFile: "bun.lockb", setup: "bun install --frozen-lockfile", check: testScript("bun run test") },
  { lockFile: "uv.lock", setup: "uv sync --frozen", check: "uv run pytest" },
  { lockFile: "poetry.lock", setup: "poetry install --no-interaction", check: "poetry run pytest" },
  { lockFile: "Pipfile.lock", setup: "pipenv sync --dev", check: "pipenv run pytest" },
  { lockFile: "Cargo.lock", setup: "cargo fetch --locked", check: "cargo test --locked" },
  // A library often has no lock file; setup creates one.
  { lockFile: "Cargo.toml", setup: "cargo fetch", check: "cargo test" },
  { lockFile: "go.sum", setup: "go mod download", check: "go test ./..." },
  { lockFile: "go.mod", setup: "go mod download", check: "go test ./..." },
  { lockFile: "Gemfile.lock", setup: "bundle install", check: rubyTests },
  { lockFile: "composer.lock", setup: "composer install --no-interaction", check: phpTests },
  { lockFile: "composer.json", setup: "composer install --no-interaction", check: phpTests },
  { lockFile: "mix.exs", setup: "mix deps.get", check: "mix test" },
  { lockFile: "deno.lock", setup: "deno install --frozen", check: denoTests },
  { lockFile: "deno.json", setup: "deno install", check: denoTests },
  { lockFile: "gradlew", setup: "./gradlew testClasses", check: "./gradlew test" },
  { lockFile: "mvnw", setup: "./mvnw --batch-mode dependency:go-offline", check: "./mvnw --batch-mode test" },
  { lockFile: "pom.xml", setup: "mvn --batch-mode dependency:go-offline", check: "mvn --batch-mode test" },
  { lockFile: "build.gradle", setup: "gradle testClasses", check: "gradle test" },
  { lockFile: "build.gradle.kts", setup: "gradle testClasses", check: "gradle test" },
  { lockFile: "*.sln", setup: "dotnet restore", check: "dotnet test" },
  { lockFile: "*.slnx", setup: "dotnet restore", check: "dotnet test" },
  { lockFile: "*.csproj", setup: "dotnet restore", check: "dotnet test" },
  { lockFile: "*.fsproj", setup: "dotnet restore", check: "dotnet test" },
  { lockFile: "Package.swift", setup: "swift package resolve", check: "swift test" },
  { lockFile: "pubspec.yaml", setup: "dart pub get", check: "dart test" },
];

/** Files that setup depends on besides those of `managers`: settings, and lock files of managers that are found by their manifest. */
const furtherLockFiles: ReadonlySet<string> = new Set([
  "package.json",
  ".npmrc",
  "pnpm-workspace.yaml",
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "pdm.lock",
  "Pipfile",
  "Gemfile",
  "mix.lock",
  "gradle.lockfile",
  "libs.versions.toml",
  "Directory.Packages.props",
  "Directory.Build.props",
  "packages.lock.json",
  "Package.resolved",
  "pubspec.lock",
]);

/** Lists of Python packages, also those that another list includes: `requirements-dev.txt`, `test-requirements.txt`, `requirements/ci.txt`. */
const pythonLists =
  /(?:^|\/)(?:requirements\/(?:[\w.-]{1,80}\/)?[\w.-]{1,80}|(?:[\w.]{1,40}[-_.])?(?:requirements|constraints)[\w.-]{0,80})\.txt$/;

/** True for a path, in any folder, of a file that setup depends on: a change in it makes setup run again. */
export function isLockFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    furtherLockFiles.has(name) || pythonLists.test(path) || managers.some(({ lockFile }) => isNamed(name, lockFile))
  );
}

/** True for files whose text `proposeCommands` reads. */
export function isRead(file: string): boolean {
  return (
    readFiles.has(file) ||
    /^requirements[\w.-]{0,40}\.txt$/.test(file) ||
    /^(?:tests?\/)?test_[^/]{1,80}\.py$/.test(file)
  );
}

const readFiles: ReadonlySet<string> = new Set([
  "package.json",
  "composer.json",
  "deno.json",
  "Rakefile",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "Makefile",
  "makefile",
  "GNUmakefile",
  "justfile",
  "CMakeLists.txt",
]);

/** Proposes the setup of the first package manager. When that has no test command, another one is looked for. */
export function proposeCommands(project: Project): Proposals {
  const { files } = project;
  const manager = managers.find((each) => fileOf(each, files) !== undefined);
  const lockFile = manager === undefined ? null : (fileOf(manager, files) ?? null);
  const own = typeof manager?.check === "function" ? manager.check(project) : (manager?.check ?? null);
  if (own !== null) return { lockFile, setup: manager?.setup ?? null, checks: [own] };
  const script = manager === undefined ? testScript("npm test")(project) : null;
  const python = script === null ? pythonTests(project) : null;
  const check = script ?? python?.check ?? cmakeTests(project) ?? makesTarget(project);
  const setup = manager === undefined ? (python?.setup ?? null) : manager.setup;
  return { lockFile: lockFile ?? python?.from ?? null, setup, checks: check === null ? [] : [check] };
}

function fileOf({ lockFile }: Manager, files: readonly string[]): string | undefined {
  return files.find((file) => isNamed(file, lockFile));
}

/** True when a manager's `lockFile` means this file name. */
function isNamed(file: string, lockFile: string): boolean {
  return lockFile.startsWith("*") ? file.endsWith(lockFile.slice(1)) : file === lockFile;
}

/** Returns `command` when `package.json` has a real test script: `npm init` writes one that always fails. */
function testScript(command: string): (project: Project) => string | null {
  return ({ textOf }) => {
    const script = entryOf(textOf("package.json"), "scripts");
    return script === null || script.includes("no test specified") ? null : command;
  };
}

function phpTests({ files, textOf }: Project): string | null {
  if (entryOf(textOf("composer.json"), "scripts") !== null) return "composer test";
  return files.some((file) => file === "phpunit.xml" || file === "phpunit.xml.dist") ? "vendor/bin/phpunit" : null;
}

function denoTests({ textOf }: Project): string {
  return entryOf(textOf("deno.json"), "tasks") === null ? "deno test" : "deno task test";
}

function rubyTests({ files, textOf }: Project): string | null {
  if (files.includes(".rspec") || files.includes("spec/spec_helper.rb")) return "bundle exec rspec";
  if (files.includes("test/test_helper.rb") && files.includes("config.ru")) return "bin/rails test";
  const tasks = textOf("Rakefile") ?? "";
  return /TestTask|\btask[ (]{1,3}:?["']?test\b/.test(tasks) ? "bundle exec rake test" : null;
}

function cmakeTests({ textOf }: Project): string | null {
  const listed = (textOf("CMakeLists.txt") ?? "").toLowerCase();
  if (!listed.includes("enable_testing") && !listed.includes("include(ctest)")) return null;
  return "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure";
}

/** The entry `test` in a group of a JSON file, as text. Null when it is missing or empty. */
function entryOf(json: string | null, group: "scripts" | "tasks"): string | null {
  if (json === null) return null;
  const parsed = jsonOrNull(json) as Record<string, { test?: unknown } | undefined> | null; // Checked below.
  const test = parsed?.[group]?.test;
  if (test === undefined || test === null || test === "") return null;
  return typeof test === "string" ? test : JSON.stringify(test);
}
