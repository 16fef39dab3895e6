import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Commit, commitWork } from "../../src/agent/git/commit.ts";
import { proposeCommands } from "../../src/agent/git/proposals.ts";
import { inspectRepository } from "../../src/agent/git/repository.ts";
import { prepareWorktree } from "../../src/agent/git/worktree.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { runSetup } from "../../src/agent/verify/setup.ts";
import { git, makeRepository, makeWorktree, temporaryFolder, writeFiles } from "./fixtures.ts";

test("a repository is described, also from a folder inside, and as a bare one", async () => {
  const folder = temporaryFolder();
  const packageJson = JSON.stringify({ scripts: { test: "node --test" } });
  const repository = makeRepository(folder, { "package.json": packageJson, "package-lock.json": "{}" });
  git(folder, "clone", "--quiet", "--bare", repository, "bare.git");
  const proposals = { lockFile: "package-lock.json", setup: "npm ci", checks: ["npm test"] };

  expect(await inspectRepository(repository)).toEqual({ type: "ok", root: repository, baseBranch: "main", proposals });
  expect(await inspectRepository(join(repository, "src"))).toMatchObject({ type: "ok", root: repository });
  expect(await inspectRepository(join(folder, "bare.git"))).toMatchObject({
    type: "ok",
    baseBranch: "main",
    proposals,
  });
});

test("what cannot be worked on is refused with a reason and the next step", async () => {
  const folder = temporaryFolder();
  const repository = makeRepository(folder);
  const inspect = (path: string): Promise<unknown> => inspectRepository(path);
  mkdirSync(join(folder, "plain"));
  git(folder, "init", "--quiet", "empty");

  expect(await inspect(join(folder, "nowhere"))).toMatchObject({ reason: expect.stringContaining("does not exist") });
  expect(await inspect(join(repository, "a.txt"))).toMatchObject({
    reason: expect.stringContaining("not a directory"),
  });
  expect(await inspect(join(folder, "plain"))).toMatchObject({
    reason: expect.stringContaining("not a git repository"),
  });
  expect(await inspect(join(folder, "empty"))).toMatchObject({ reason: expect.stringContaining("no commits") });
  expect(await inspect(join(repository, ".git"))).toMatchObject({ reason: expect.stringContaining(".git directory") });
  expect(await inspectRepository(repository, { baseBranch: "nope" })).toMatchObject({
    reason: expect.stringContaining("no branch nope"),
  });
  git(repository, "checkout", "--quiet", "--detach");
  expect(await inspect(repository)).toMatchObject({ type: "refused", next: expect.stringContaining("--base") });
  expect(await inspectRepository(repository, { baseBranch: "main" })).toMatchObject({ type: "ok", baseBranch: "main" });
});

test("one whose branch called cos leaves no room for those of goals is refused before any work", async () => {
  const repository = makeRepository(temporaryFolder());
  git(repository, "branch", "cos/mine");
  expect(await inspectRepository(repository)).toMatchObject({ type: "ok" });
  git(repository, "branch", "-D", "cos/mine");
  git(repository, "branch", "cos");

  expect(await inspectRepository(repository)).toEqual({
    type: "refused",
    reason: `${repository} has a branch called cos, beside which git makes none that is called cos/GOAL`,
    next: `git -C ${repository} branch -m cos OTHER`,
  });
});

test.runIf(process.getuid?.() === 0)("a repository of another user is refused with git's own command", async () => {
  const repository = makeRepository(temporaryFolder());
  chownSync(repository, 12_345, 12_345);
  chownSync(join(repository, ".git"), 12_345, 12_345);

  expect(await inspectRepository(repository)).toMatchObject({
    type: "refused",
    next: `git config --global --add safe.directory ${repository}`,
  });
});

const scripts = '{"scripts":{"test":"vitest"}}';
const noTest = '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}';

test.each<[Record<string, string>, string | null, string[]]>([
  [{ "package-lock.json": "", "package.json": scripts }, "npm ci", ["npm test"]],
  [{ "package-lock.json": "", "package.json": noTest }, "npm ci", []],
  [
    { "package-lock.json": "", "package.json": noTest, Makefile: "all:\n\ntest: all\n\tnode t.js\n" },
    "npm ci",
    ["make test"],
  ],
  [{ "pnpm-lock.yaml": "", "package.json": scripts }, "pnpm install --frozen-lockfile", ["pnpm test"]],
  [{ "yarn.lock": "", "package.json": "not json" }, "yarn install --frozen-lockfile", []],
  [{ "bun.lockb": "", "package.json": scripts }, "bun install --frozen-lockfile", ["bun run test"]],
  [{ "uv.lock": "" }, "uv sync --frozen", ["uv run pytest"]],
  [{ "Cargo.lock": "" }, "cargo fetch --locked", ["cargo test --locked"]],
  [{ "Cargo.toml": "" }, "cargo fetch", ["cargo test"]],
  [{ "go.mod": "" }, "go mod download", ["go test ./..."]],
  [{ "package.json": scripts }, null, ["npm test"]],
  [{ "pyproject.toml": "[tool.pytest.ini_options]\n" }, null, ["python3 -m pytest"]],
  [{ "setup.cfg": "[tool:pytest]\n" }, null, ["python3 -m pytest"]],
  [{ "tox.ini": "[testenv]\ncommands = pytest\n" }, null, ["python3 -m pytest"]],
  [{ "tests/conftest.py": "" }, null, ["python3 -m pytest"]],
  [{ "tests/test_a.py": "def test_a():\n    assert 1\n" }, null, ["python3 -m pytest"]],
  [
    { "requirements.txt": "flask\n", "requirements-dev.txt": "pytest\n", "tests/test_a.py": "" },
    "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt -r requirements-dev.txt",
    [".venv/bin/python -m pytest"],
  ],
  [{ "requirements.txt": "flask\n" }, null, []],
  [{ "tests/test_a.py": "import unittest\n" }, null, ["python3 -m unittest discover -s tests"]],
  [{ "tests/test_a.py": "import unittest\n", "tests/__init__.py": "" }, null, ["python3 -m unittest"]],
  [{ "test_a.py": "from unittest import TestCase\n" }, null, ["python3 -m unittest"]],
  [{ Makefile: ".PHONY: check\ncheck:\n\t./check.sh\n" }, null, ["make check"]],
  [{ Makefile: "test := a\nall: test.o\n\techo test:\n" }, null, []],
  [{ justfile: "test:\n  echo a\n" }, null, ["just test"]],
  [
    { "CMakeLists.txt": "enable_testing()\n" },
    null,
    ["cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure"],
  ],
  [{ "CMakeLists.txt": "project(a)\n" }, null, []],
  [{ "Gemfile.lock": "", ".rspec": "" }, "bundle install", ["bundle exec rspec"]],
  [{ "Gemfile.lock": "", Rakefile: "Rake::TestTask.new\n" }, "bundle install", ["bundle exec rake test"]],
  [{ "Gemfile.lock": "" }, "bundle install", []],
  [
    { "composer.lock": "", "composer.json": '{"scripts":{"test":["phpunit"]}}' },
    "composer install --no-interaction",
    ["composer test"],
  ],
  [{ "composer.json": "{}", "phpunit.xml.dist": "" }, "composer install --no-interaction", ["vendor/bin/phpunit"]],
  [{ "mix.exs": "" }, "mix deps.get", ["mix test"]],
  [{ "deno.json": "{}" }, "deno install", ["deno test"]],
  [{ "deno.lock": "", "deno.json": '{"tasks":{"test":"deno test -A"}}' }, "deno install --frozen", ["deno task test"]],
  [{ gradlew: "", "build.gradle": "" }, "./gradlew testClasses", ["./gradlew test"]],
  [{ mvnw: "", "pom.xml": "" }, "./mvnw --batch-mode dependency:go-offline", ["./mvnw --batch-mode test"]],
  [{ "pom.xml": "" }, "mvn --batch-mode dependency:go-offline", ["mvn --batch-mode test"]],
  [{ "Shop.sln": "" }, "dotnet restore", ["dotnet test"]],
  [{ "Package.swift": "" }, "swift package resolve", ["swift test"]],
  [{}, null, []],
])("%j proposes its commands", (texts, setup, checks) => {
  const textOf = (file: string): string | null => texts[file] ?? null;

  expect(proposeCommands({ files: Object.keys(texts), textOf })).toMatchObject({ setup, checks });
});

test("what a repository proposes is read as it is committed, also in its folder of tests", async () => {
  const repository = makeRepository(temporaryFolder(), {
    "tests/test_a.py": "import unittest\n",
    "tests/__init__.py": "",
  });
  writeFiles(repository, { "pytest.ini": "" });

  expect(await inspectRepository(repository)).toMatchObject({
    proposals: { setup: null, checks: ["python3 -m unittest"] },
  });
});

/** How a setup is run whose output goes to a file of `folder`. */
const setupShell = (folder: string, command: string) => ({
  command,
  runId: "setup-test",
  environment: {},
  secrets: [],
  timers: realTimers,
  timeoutMs: 600_000,
  outputFile: join(folder, "setup.log"),
});

test("setup runs once per lock file; what it made stays and is never part of the work", async () => {
  const { mirror, worktree, folder, branch, base } = await makeWorktree({ "package-lock.json": "1" });
  const shell = setupShell(folder, "echo ran >> ../ran; mkdir -p made; echo x > made/x");
  const setup = (): Promise<{ type: string }> => runSetup({ mirror, worktree, shell });

  expect(await setup()).toMatchObject({ type: "done" });
  expect(await setup()).toEqual({ type: "satisfied" });
  expect(await prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit: base })).toEqual({
    kept: null,
    isNew: false,
  });
  expect(await setup()).toEqual({ type: "satisfied" });
  writeFiles(worktree, { "package-lock.json": "2" });
  expect(await setup()).toMatchObject({ type: "done" });
  expect(await runSetup({ mirror, worktree, shell: { ...shell, command: "exit 3" } })).toMatchObject({
    type: "failed",
    shell: { end: { type: "exited", exitCode: 3 } },
  });
});

test.each([
  "App.sln",
  "src/App/App.csproj",
  "src/App/App.fsproj",
  "requirements-dev.txt",
  "requirements-test.txt",
  "requirements/base.txt",
  "requirements/ci/lint.txt",
  "test-requirements.txt",
  "setup.py",
  "mix.lock",
])("setup runs again when %s changes", async (file) => {
  const { mirror, worktree, folder } = await makeWorktree({ [file]: "1" });
  const setup = (): Promise<{ type: string }> => runSetup({ mirror, worktree, shell: setupShell(folder, "true") });

  expect(await setup()).toMatchObject({ type: "done" });
  writeFiles(worktree, { [file]: "2", "notes.txt": "no list of packages" });
  expect(await setup()).toMatchObject({ type: "done" });
  writeFiles(worktree, { "notes.txt": "changed" });
  expect(await setup()).toEqual({ type: "satisfied" });
});

test("what setup changes in tracked files is no part of the work, unless the work changes it too", async () => {
  const files = { "lock.json": "1\n", "config.txt": "a\n", "old.txt": "old\n", "work.txt": "\n" };
  const { mirror, worktree, folder, branch, base } = await makeWorktree(files);
  const shell = setupShell(
    folder,
    "echo 2 > lock.json; echo b > config.txt; rm old.txt; echo x > added.txt; git add added.txt",
  );
  const author = { name: "Chief of Staff", email: "cos@example.org" };
  const record = (): Promise<Commit> =>
    commitWork({ mirror, worktree, branch, parent: base, message: "m", trailers: { goal: "g1", run: "r1" }, author });
  const setup = (): Promise<{ type: string }> => runSetup({ mirror, worktree, shell });

  // What lay there before is work, also where setup has run before, and what setup left stays setup's.
  writeFiles(worktree, { "work.txt": "work\n" });
  await setup();
  const more = { ...shell, command: `${shell.command}; true` };
  await runSetup({ mirror, worktree, shell: more });
  expect(await record()).toMatchObject({ type: "committed", files: [{ path: "work.txt", status: "modified" }] });
  await prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit: base, isFresh: true });

  await setup();
  expect(await setup()).toEqual({ type: "satisfied" });
  expect(await record()).toEqual({ type: "no-change" });

  const again = { mirror, worktreeDir: worktree, branch, startCommit: base };
  expect(await prepareWorktree({ ...again, isFresh: true })).toMatchObject({ kept: null });
  await setup();
  expect(await prepareWorktree(again), "what setup left is no attempt").toMatchObject({ kept: null });
  expect(await setup(), "what it changed has been reset").toMatchObject({ type: "done" });
  writeFiles(worktree, { "config.txt": "work\n", "new.txt": "n\n" });
  git(worktree, "commit", "--quiet", "--all", "--message", "an agent's own commit");
  const done = await record();
  expect(done).toMatchObject({
    type: "committed",
    files: [
      { path: "config.txt", status: "modified", oldPath: null },
      { path: "new.txt", status: "added", oldPath: null },
    ],
  });
});

test("a tracked file whose name is no text and which setup changes is as it was recorded, under its own name", async () => {
  const { mirror, worktree, folder, branch } = await makeWorktree({ "work.txt": "\n" });
  const named = Buffer.concat([Buffer.from(`${worktree}/old`), Buffer.from([0xff])]);
  writeFileSync(named, "old\n");
  git(worktree, "add", "--all");
  git(worktree, "commit", "--quiet", "--message=Start");
  const parent = git(worktree, "rev-parse", "HEAD");
  const shell = setupShell(folder, "echo new > old*");
  const author = { name: "Chief of Staff", email: "cos@example.org" };

  await runSetup({ mirror, worktree, shell });
  expect(await runSetup({ mirror, worktree, shell })).toEqual({ type: "satisfied" });
  writeFiles(worktree, { "work.txt": "work\n" });
  const record = { mirror, worktree, branch, parent, message: "m", trailers: { goal: "g1", run: "r1" }, author };
  const made = await commitWork(record);
  expect(made).toMatchObject({ type: "committed", files: [{ path: "work.txt", status: "modified" }] });
  expect(made).not.toHaveProperty("unnamed");
  expect(git(mirror.dir, "diff", "--name-only", parent, `refs/heads/${branch}`)).toBe("work.txt");
  writeFileSync(named, "somebody's\n");
  expect(await runSetup({ mirror, worktree, shell }), "it is not as setup left it").toMatchObject({ type: "done" });
});
