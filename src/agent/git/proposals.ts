import { jsonOrNull } from "../../core/text/json.ts";

/** What a repository's files suggest for setup and checks (D25). Proposed to a person, never run unasked. */
export interface Proposals {
  /** The file the setup command was taken from; null when none was found. */
  readonly lockFile: string | null;
  readonly setup: string | null;
  readonly checks: readonly string[];
}

interface Manager {
  readonly lockFile: string;
  readonly setup: string;
  /** Null: asks `package.json` for a test script. */
  readonly check: string | null;
  readonly runner?: string;
}

/** In order of preference, where a repository holds several. */
const managers: readonly Manager[] = [
  { lockFile: "package-lock.json", setup: "npm ci", check: null, runner: "npm test" },
  { lockFile: "npm-shrinkwrap.json", setup: "npm ci", check: null, runner: "npm test" },
  { lockFile: "pnpm-lock.yaml", setup: "pnpm install --frozen-lockfile", check: null, runner: "pnpm test" },
  { lockFile: "yarn.lock", setup: "yarn install --frozen-lockfile", check: null, runner: "yarn test" },
  { lockFile: "bun.lock", setup: "bun install --frozen-lockfile", check: null, runner: "bun run test" },
  { lockFile: "uv.lock", setup: "uv sync --frozen", check: "uv run pytest" },
  { lockFile: "poetry.lock", setup: "poetry install --no-interaction", check: "poetry run pytest" },
  { lockFile: "Cargo.lock", setup: "cargo fetch --locked", check: "cargo test --locked" },
  // A library is often kept without its lock file; setup makes one.
  { lockFile: "Cargo.toml", setup: "cargo fetch", check: "cargo test" },
  { lockFile: "go.sum", setup: "go mod download", check: "go test ./..." },
  { lockFile: "go.mod", setup: "go mod download", check: "go test ./..." },
  { lockFile: "Gemfile.lock", setup: "bundle install", check: null },
];

/** What setup depends on: a change in one of these makes it run again. */
export const lockFileNames: readonly string[] = [
  ...managers.map((manager) => manager.lockFile),
  "package.json",
  ".npmrc",
  "pyproject.toml",
  "requirements.txt",
];

/** `files` are the names at the top of the repository; `packageJson` is that file's text, or null. */
export function proposeCommands(files: readonly string[], packageJson: string | null): Proposals {
  const test = testScript(packageJson);
  const manager = managers.find((each) => files.includes(each.lockFile));
  if (manager === undefined) return { lockFile: null, setup: null, checks: test ? ["npm test"] : [] };
  const check = manager.check ?? (test ? (manager.runner ?? null) : null);
  return { lockFile: manager.lockFile, setup: manager.setup, checks: check === null ? [] : [check] };
}

/** Whether there is a test script that somebody wrote: `npm init` writes one that always fails. */
function testScript(packageJson: string | null): boolean {
  if (packageJson === null) return false;
  const parsed = jsonOrNull(packageJson) as { scripts?: { test?: unknown } } | null; // Checked below.
  const script = parsed?.scripts?.test;
  return typeof script === "string" && script !== "" && !script.includes("no test specified");
}
