import { isSearch } from "../../../src/core/worklog/searches.ts";
import { describe, expect, it } from "vitest";
import type { Goal } from "../../../src/core/goals/goal.ts";
import { commandType, isTestRun } from "../../../src/core/worklog/commands.ts";
import { tierOf } from "../../../src/core/worklog/tier.ts";
import { isSignificant, operations, policyVersion, tierTable } from "../../../src/core/worklog/tiers.ts";

type Facts = Parameters<typeof tierOf>[0];

function facts(content: string, more: Partial<Facts> = {}): Facts {
  return { content, tags: [], linkage: { kind: "none" }, filesAllowed: [], criteria: null, tier: null, ...more };
}

describe("the tier of a goal", () => {
  it.each<[string, Goal["tier"], number]>([
    ["implement JWT auth", "STRICT", 0.92],
    ["add pagination", "STANDARD", 0.85],
    ["fix typo in README", "LIGHT", 0.88],
    ["explain auth flow", "EXEMPT", 0.95],
    ["fix the typo in the login message", "STRICT", 0.72],
    ["explain and fix the parser", "STANDARD", 0.85],
    ["Make it nicer", "STANDARD", 0.5],
    ["", "STANDARD", 0.5],
  ])("[S0-WI-04] of %j is %s, %d sure", (content, tier, confidence) => {
    expect(tierOf(facts(content))).toMatchObject({ tier, confidence });
  });

  it.each<[string, Partial<Facts>, Goal["tier"], string]>([
    ["Why does the login fail? It should work.", {}, "STRICT", 'its text says "login"'],
    ["Why is the page slow?", { tags: ["security"] }, "STRICT", "it is tagged security"],
    ["Why does the basket forget its items?", { filesAllowed: ["src/auth/**"] }, "STRICT", "it may change src/auth/**"],
    ["Why is the page slow?", { filesAllowed: ["src/**"] }, "STANDARD", "nothing says otherwise"],
    ["Why is it red?", { linkage: { kind: "bug", bug: "b1" } }, "STANDARD", "it is linked to a bug"],
    ["What is wrong with the payment test? Make it stable", {}, "STRICT", 'its text says "payment"'],
    ["What is wrong with the basket's test, make it stable?", {}, "STANDARD", "nothing says otherwise"],
    ["How about caching the results of /search", {}, "STANDARD", "nothing says otherwise"],
    ["Describe every environment variable in README.md", {}, "LIGHT", 'its text says "readme"'],
    ["Describe the settings in docs/settings.md", {}, "LIGHT", 'its text says "docs"'],
    ["Describe every setting", { tags: ["docs"] }, "LIGHT", "it is tagged docs"],
    ["Where prices are rounded, use banker's rounding", {}, "STANDARD", "nothing says otherwise"],
  ])("of %j, which begins as a question, with %j is %s", (content, more, tier, reason) => {
    expect(tierOf(facts(content, more))).toMatchObject({ tier, reason });
  });

  it.each([
    "How does the login work",
    "Where do we use src/prices.ts?",
    "Explain the parser. Why is it slow? What should it do?",
    "Who calls sendMail, and from where?",
    "Research payment providers, their fees, and what we use.",
  ])("of %j, which only asks, is EXEMPT", (content) => {
    expect(tierOf(facts(content, { tags: ["billing-team"] }))).toMatchObject({ tier: "EXEMPT", confidence: 0.95 });
  });

  it("is what somebody chose, before everything else", () => {
    expect(tierOf(facts("implement JWT auth", { tier: "EXEMPT" }))).toEqual({
      tier: "EXEMPT",
      confidence: 1,
      reason: "chosen with --tier",
    });
  });

  it.each<[string, Partial<Facts>, string, string]>([
    ["a tag", { tags: ["Security"] }, "STRICT", "it is tagged Security"],
    ["a path", { filesAllowed: ["db/migrations/**"] }, "STRICT", "it may change db/migrations/**"],
    ["documents", { filesAllowed: ["docs/**", "a.md"] }, "LIGHT", "it may change documents only"],
    ["a bug", { linkage: { kind: "bug", bug: "b1" } }, "STANDARD", "it is linked to a bug"],
    ["criteria", { criteria: "#### AC-1" }, "STANDARD", "it has acceptance criteria"],
  ])("is said by %s, with the reason", (_name, more, tier, reason) => {
    expect(tierOf(facts("Make it nicer", more))).toMatchObject({ tier, reason });
  });

  it("is no less than STANDARD for what has criteria", () => {
    expect(tierOf(facts("fix typo in README", { criteria: "#### AC-1" })).tier).toBe("STANDARD");
    expect(tierOf(facts("explain auth flow", { criteria: "#### AC-1" })).tier).toBe("STRICT");
  });

  it("takes linear time, whatever the text", () => {
    expect(tierOf(facts("a ".repeat(10_000_000))).tier).toBe("STANDARD");
    expect(tierOf(facts(`why ${"? ".repeat(5_000_000)}`)).tier).toBe("EXEMPT");
    expect(tierOf(facts(`why ${"-".repeat(10_000_000)}`)).tier).toBe("EXEMPT");
  });
});

describe("the table", () => {
  it.each<[string, string, boolean]>([
    ["LIGHT", "TodoWrite", true],
    ["EXEMPT", "TodoWrite", true],
    ["STRICT", "TodoWrite", true],
    ["STANDARD", "TodoWrite", true],
  ])("[S0-OL-01] %s logs %s: %s", (tier, operation, expected) => {
    expect(isSignificant(tier as "LIGHT", { operation })).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ["LIGHT", "Edit", false],
    ["STRICT", "Edit", true],
    ["EXEMPT", "MultiEdit", false],
    ["STANDARD", "MultiEdit", true],
    ["STANDARD", "Write", true],
    ["LIGHT", "Write", false],
  ])("[S0-OL-02] [S0-OL-03] [S0-OL-04] %s logs %s: %s", (tier, operation, expected) => {
    expect(isSignificant(tier as "LIGHT", { operation })).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ["STANDARD", "pytest -q", true],
    ["STANDARD", "npm run build", false],
    ["LIGHT", "pytest -q", false],
    ["EXEMPT", "npm test", false],
  ])("[S0-OL-05] %s logs the command %j: %s", (tier, command, expected) => {
    expect(isSignificant(tier as "LIGHT", { operation: "Bash", command })).toBe(expected);
  });

  it("[S0-OL-05] logs every command that failed where it logs commands at all", () => {
    expect(isSignificant("STANDARD", { operation: "Bash", command: "npm run build", hasFailed: true })).toBe(true);
    expect(isSignificant("LIGHT", { operation: "Bash", command: "npm run build", hasFailed: true })).toBe(false);
  });

  it("[S0-OL-06] logs sub-agents in every tier", () => {
    const tiers = ["STRICT", "STANDARD", "LIGHT", "EXEMPT"] as const;
    expect(tiers.map((tier) => isSignificant(tier, { operation: "Task" }))).toEqual([true, true, true, true]);
  });

  it.each(["Read", "Glob", "Grep", "WebFetch", "think_about_task_adherence", "NotebookEdit", "toString"])(
    "[S0-OL-07] [S0-OL-08] never logs %s",
    (operation) => {
      expect(isSignificant("STRICT", { operation })).toBe(false);
    },
  );

  it("[S0-OL-15] is data with a version, read by tier and operation", () => {
    expect(policyVersion).toBe("1.0");
    expect(Object.entries(tierTable).map(([tier, { logs }]) => [tier, logs])).toEqual([
      ["STRICT", ["TodoWrite", "Edit", "MultiEdit", "Write", "Bash", "Task"]],
      ["STANDARD", ["TodoWrite", "Edit", "MultiEdit", "Write", "Bash", "Task"]],
      ["LIGHT", ["TodoWrite", "Task"]],
      ["EXEMPT", ["TodoWrite", "Task"]],
    ]);
    expect(operations).toEqual(["TodoWrite", "Edit", "MultiEdit", "Write", "Bash", "Task"]);
    expect(isSignificant("LIGHT", { operation: "Edit" })).toBe(false);
    expect(isSignificant("EXEMPT", { operation: "TodoWrite" })).toBe(true);
  });

  it("[S0-VF-01] verifies todos of STRICT only", () => {
    expect(Object.entries(tierTable).map(([tier, rules]) => [tier, rules.verifies])).toEqual([
      ["STRICT", true],
      ["STANDARD", false],
      ["LIGHT", false],
      ["EXEMPT", false],
    ]);
  });
});

describe("test runs", () => {
  it.each([
    "pytest -q",
    "npm test",
    "npm run test:unit -- a.test.ts",
    "CI=1 npx -y vitest run",
    "cd app && pnpm exec jest",
    "python3 -m pytest tests",
    "make -C app test",
    "cargo test --all",
    "cargo nextest run",
    "nox",
    "go test ./...",
    "node --test",
    "timeout 60 npm test",
    "./node_modules/.bin/vitest run",
    "sh run_tests.sh",
    "./test.sh",
    "bash -c 'npm test'",
    'cd app && bash -lc "CI=1 pytest -q"',
    "bin/rails test",
    "python manage.py test app",
    "php artisan test",
    "composer test",
    "./mvnw test",
    "flutter test",
    "npx nx test app",
    "turbo run test",
    "python -m unittest discover -s tests",
    "! npm test",
    "if npm test; then echo ok; fi",
    "for i in 1 2 3; do go test ./...; done",
    "{ cargo test; }",
    "npx --yes vitest@3 run",
    "npm run unit-test",
    "nx run app:test",
    "./gradlew :core:app:test",
    "sudo -u bob npm test",
    "nohup stdbuf -oL npm test",
    "flock -w 5 /tmp/lock npm test",
    "uv run --with x pytest",
    "docker compose exec -T web npm test",
    "docker exec -e CI=1 app pytest -q",
    "docker run --rm -v .:/app -w /app node:22 npm test",
    "kubectl exec pod -- sh -c 'make test'",
    "kubectl exec -it pod -c app -- npm test",
    "docker compose exec web npm test -- --runInBand",
    "docker compose run --rm web npx vitest -- a",
    "docker run --rm img pytest -- -k x",
    "docker run --restart always img pytest",
    "flock /tmp/l -c 'npm test'",
    "flock --timeout 5 /tmp/l npm test",
    "flock -n /tmp/l go test ./...",
    "command pytest -q",
    "pytest -l",
    "npm run ci:test",
    "npm run e2e:smoke:test",
    "yarn quick-test",
    "mvn surefire:test",
    "nx run shop-web:test",
    "npm run test:unit:ci",
    "npx cypress run --browser chrome",
    "yarn cypress run",
    "karma start --single-run",
    "npm exec -- vitest run",
    "cargo test -- --nocapture",
    "bash -l -c 'npm test'",
    "bash -e -o pipefail -c 'npm test | tee log'",
    'bash -c "pytest -k \\"a or b\\""',
    'NODE_OPTIONS="--a --b" npm test',
    "docker run --rm img \\\n  npm test",
    "# don't build\nnpm test",
    "npm.cmd test",
    ".\\gradlew.bat test",
    "C:\\Python\\python.exe -m pytest",
    "py -3 -m pytest",
    "cmd /c npm test",
    'cmd.exe /C "cd app && npm test"',
    'pwsh -NoProfile -Command "npm test"',
    "powershell -Command npm test; exit",
    "fish -c 'npm test'",
    "python -W error -m pytest",
    "coverage run -m pytest",
    "python -m coverage run -m pytest",
    "npx c8 mocha",
    "conda run -n env pytest",
    "npx cross-env CI=1 jest",
    "mise run test",
    "nvm exec 20 npm test",
    "npm tst",
    "npm t",
    "pnpm t",
    "yarn t",
    "cargo t",
    "gmake test",
    "./gradlew :app:testDebugUnitTest",
    "./gradlew connectedAndroidTest",
    "./gradlew :app:connectedDebugAndroidTest",
    "./gradlew pixel2api30DebugAndroidTest",
    "vendor/bin/codecept run unit",
    "bundle exec rake spec:models",
    'sbt "testOnly *Prices"',
    "bundle exec rake spec",
    "dune runtest",
    "gleam test",
    "cabal v2-test",
    "vendor/bin/pest",
    "npx cucumber-js",
    "cmake --build . --target test",
    "cmake --build build -j4 -t test",
    "cmake --build build --target app RUN_TESTS",
    "make check",
    "./gradlew :app:check",
    "npm t",
    "npm run e2e",
    "yarn e2e:ci --headed",
    "pnpm -C app run e2e:chrome",
    "yarn workspace app unit",
    "nx e2e shop",
    "nx run shop-web:e2e",
    "just unit",
    "just test",
    "task test",
    "ssh host 'npm test'",
    "ssh -p 22 -t ana@host 'cd app && npm test'",
    "ssh host -- npm test",
    "su -c 'npm test'",
    "sudo su - bob --command='npm test'",
    "runuser -u bob -- npm test",
    "script -qec 'npm test' log",
    "nix develop -c npm test",
    "nix-shell --run 'npm test'",
    "eval 'npm test'",
    "direnv exec . npm test",
    "ls tests | xargs -n 1 pytest",
    "sudo bash -c 'cd app && npm test'",
    'echo "it is $(npm test)"',
    "bash -e <<'END'\ncd app\nnpm test\nEND",
    "ssh host <<'END'\nnpm test\nEND",
    "find . -name go.mod -execdir go test ./... \\;",
    "dotenv -f .env run -- pytest",
    "volta run --node 20 npm test",
  ])("[S0-OL-05] %j is one", (command) => {
    expect(isTestRun(command)).toBe(true);
  });

  it.each([
    "git commit -m latest",
    "cat contest.txt",
    "git commit -m 'run npm test'",
    'echo "pytest"',
    "npm run build",
    "npm install vitest",
    "test -f a.txt",
    "ls test",
    "bash -c 'echo pytest'",
    "bash build.sh test",
    "composer install",
    "npx playwright install",
    "grep -r test src",
    "cat tests/a.test.ts",
    "if test -f a.txt; then ls; fi",
    "docker build -t test .",
    "docker run --rm test ls",
    "docker compose up test",
    "sudo -u test ls",
    "pytest --version",
    "npm ls vitest test",
    "npm run build:test",
    "for test in a b; do echo $test; done",
    "command -v jest",
    "if command -v pytest; then echo there; fi",
    "command -pV vitest",
    "npx jest --listTests",
    "npx playwright test --list",
    "pytest --collect-only -q",
    "just -l test",
    "tox -l",
    "go test -list . ./...",
    "make -n test",
    "cargo test --no-run",
    "vitest list",
    "npm run deploy:test",
    "npm run db:seed:test",
    "npm run db:migrate:test",
    "npm run generate:test",
    "npm run start:test",
    "npm run dev:test",
    "npm run install:test",
    "rails db:test:prepare",
    "npm run test:prepare",
    "npm run test:unit:setup",
    "npx cypress open",
    "npx cypress install",
    "yarn cypress open",
    "karma start",
    "cargo run -- test",
    "flock /tmp/l -c 'npm run build'",
    "docker compose exec web npm run build -- npm test",
    "git commit -m 'it'\\''s fixed && npm test'",
    'echo "say \\"hi\\" && npm test"',
    "ls # && npm test",
    "cmd /c npm run build",
    "cmd /c echo npm test",
    'pwsh -Command "Get-Content test.txt"',
    "npm.cmd run build",
    "type C:\\app\\test",
    "./gradlew testClasses",
    "./gradlew assembleTest",
    "./gradlew assembleAndroidTest",
    "./gradlew :app:assembleDebugAndroidTest",
    "./gradlew installDebugAndroidTest",
    "./gradlew lintDebugUnitTest",
    "./gradlew processDebugUnitTest",
    "./gradlew testFixturesJar",
    "rake spec:prepare",
    "npm tt",
    "vendor/bin/codecept generate:cest unit Price",
    "vendor/bin/codecept build",
    "terraform plan -out test",
    "forge build test",
    "ant clean",
    "npm run api:spec",
    "conda install -n env pytest",
    "cmake -S . -B test",
    "cmake --build test --target app",
    "cmake --build . --target test_data",
    "npm run test:db:seed",
    "npm run e2e:install",
    "npm run e2e:open",
    "npm run e2e:server",
    "npm run serve:e2e",
    "npm run unit:build",
    "npm e2e",
    "pnpm --filter e2e install",
    "pnpm --filter e2e run build",
    "yarn workspace e2e build",
    "make -C e2e build",
    "cargo run e2e",
    "ssh test ls",
    "ssh host 'cat test'",
    "ssh -l test host",
    "su test",
    "su -c 'echo npm test'",
    "runuser -u test -- ls",
    "script test.log",
    'eval "$(ssh-agent)"',
    "echo test | xargs -I test ls",
    "cat > check.sh <<'END'\nnpm test\nEND",
    "python3 - <<'END'\nnpm test\nEND",
    "test() { ls; }",
    "doppler secrets get npm test",
  ])("[S0-OL-05] %j is none", (command) => {
    expect(isTestRun(command)).toBe(false);
  });

  it("lines handed on within lines are read three deep, so that no text of an agent takes long", () => {
    expect(isTestRun(`${"cmd /c ".repeat(3)}npm test`)).toBe(true);
    expect(isTestRun(`${"cmd /c ".repeat(4)}npm test`)).toBe(false);
    expect(isSearch(`${"eval ".repeat(3)}rg x`)).toBe(true);
    expect(isSearch(`${"eval ".repeat(4)}rg x`)).toBe(false);
  });

  it.each([
    ["pytest", "test"],
    ["npm run build", "build"],
    ["tsc --noEmit", "build"],
    ["ls -la", "script"],
  ] as const)("[S0-SC-03] %j is a %s", (command, type) => {
    expect(commandType(command)).toBe(type);
  });
});
