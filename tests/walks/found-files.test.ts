import { describe, expect, it } from "vitest";
import { commitWork } from "../../src/agent/git/commit.ts";
import { realGit } from "../../src/agent/git/door.ts";
import { parsePassCondition } from "../../src/core/acceptance/pass-condition.ts";
import { defaultPolicy } from "../../src/core/policy.ts";
import { frozenFiles } from "../../src/turns/goal/frozen-files.ts";
import { makeWorktree, writeFiles } from "../agent/fixtures.ts";

/** Files that nobody names: a runner, or the script of a proof, finds them by a folder or a glob. */

const deps = { git: realGit, policy: defaultPolicy };

type Files = Readonly<Record<string, string>>;

/** What is as at the base while a work is verified that changes these files of this base. */
async function frozenOf(
  base: Files,
  changed: readonly string[],
  command: string,
  { content = "The price is doubled", output = "" } = {},
): Promise<readonly string[] | string> {
  const setting = await makeWorktree(base);
  writeFiles(setting.worktree, Object.fromEntries(changed.map((path) => [path, `${base[path] ?? ""}\n# other\n`])));
  const { mirror, worktree, branch } = setting;
  const author = { name: "A", email: "a@b" };
  const trailers = { goal: "g1", run: "r1" };
  const made = await commitWork({ mirror, worktree, branch, parent: setting.base, message: "Work", trailers, author });
  if (made.type !== "committed") throw new Error(made.type);
  const condition = parsePassCondition(output === "" ? "exit code 0" : `output contains "${output}"`);
  const criterion = {
    id: "AC-1",
    title: "Holds",
    verification: { method: "bash", command, timeoutSeconds: 60, condition },
  };
  const frozen = await frozenFiles(deps, {
    goal: { content, proofAllowed: [] },
    mirror,
    baseCommit: setting.base,
    commit: made.commit,
    criteria: [criterion as never],
  });
  return frozen.type === "frozen" ? frozen.overlay : frozen.reason;
}

const test = 'import { test } from "node:test";\nimport { price } from "../src/price.mjs";\n';
const source = { "src/price.mjs": "// prices\nexport const price = (n) => n + 1;\n" };
const npm = (line: string): Files => ({
  "package.json": JSON.stringify({ scripts: { test: line, start: "serve web" } }),
});

const judge =
  'import assert from "node:assert";\nimport { price } from "../src/price.mjs";\nassert.equal(price(1), 2);\n';
const asks = '[ "$(node src/price.mjs)" = 6 ] || exit 1\n';
const asksPython = "from src.price import price\nassert price == 2\n";
const asksGo = 'package main\nimport "shop/price"\nfunc main() { if price.Of(1) != 2 { os.Exit(1) } }';
const ofPython = { "src/price.py": "price = 1" };
const ofGo = { "price.go": "package main\nfunc price() int { return 1 }" };

describe("a program that a command runs is as at the base, however the command says it", () => {
  it.each<[string, Files, string]>([
    ["cd web && node qa.mjs", { ...source, "web/qa.mjs": judge }, "web/qa.mjs"],
    ["cd web; node ./qa.mjs", { ...source, "web/qa.mjs": judge }, "web/qa.mjs"],
    ["cd ./web/ && cd app && node ../qa.mjs", { ...source, "web/qa.mjs": judge }, "web/qa.mjs"],
    ["(cd web && sh qa.sh)", { ...source, "web/qa.sh": asks }, "web/qa.sh"],
    ["bash -c 'cd web && ./qa.sh'", { ...source, "web/qa.sh": asks }, "web/qa.sh"],
    ["pushd web && sh qa.sh", { ...source, "web/qa.sh": asks }, "web/qa.sh"],
    ["env -C web sh qa.sh", { ...source, "web/qa.sh": asks }, "web/qa.sh"],
    ["npm --prefix=web exec -- node qa.mjs", { ...source, "web/qa.mjs": judge }, "web/qa.mjs"],
    ["cd web && node --test qa/", { ...source, "web/qa/a.mjs": judge }, "web/qa/a.mjs"],
    ["npm test", { ...source, ...npm("cd web && node qa.mjs"), "web/qa.mjs": judge }, "web/qa.mjs"],
    ["make -C web check", { ...source, "web/Makefile": "check:\n\tsh qa.sh\n", "web/qa.sh": asks }, "web/qa.sh"],
    ["python3 -m qa.price", { ...ofPython, "qa/price.py": asksPython }, "qa/price.py"],
    ["python3 -m qa", { ...ofPython, "qa/__main__.py": asksPython }, "qa/__main__.py"],
    ["coverage run -m qa.price", { ...ofPython, "qa/price.py": asksPython }, "qa/price.py"],
    ["cat qa/x.mjs | node", { ...source, "qa/x.mjs": judge }, "qa/x.mjs"],
    ["env -S 'node qa/x.mjs'", { ...source, "qa/x.mjs": judge }, "qa/x.mjs"],
    ["env -S node qa/x.mjs", { ...source, "qa/x.mjs": judge }, "qa/x.mjs"],
    ["mise x node@20 -- node qa/x.mjs", { ...source, "qa/x.mjs": judge }, "qa/x.mjs"],
    ["dotenvx run -f .env -- node qa/x.mjs", { ...source, "qa/x.mjs": judge }, "qa/x.mjs"],
    ["go run ./qa/x.go", { ...ofGo, "qa/x.go": asksGo }, "qa/x.go"],
    ["go run ./qa", { ...ofGo, "qa/main.go": asksGo }, "qa/main.go"],
  ])("%s [F-201]", async (command, base, expected) => {
    expect(await frozenOf(base, [expected], command)).toEqual([expected]);
  });

  it.each<[string, Files, string]>([
    [
      "cd tool && node price.mjs 2 | grep -q 4",
      { "tool/price.mjs": "console.log(process.argv[2] * 2)" },
      "tool/price.mjs",
    ],
    ["cd src && node price.mjs", source, "src/price.mjs"],
    ["python3 -m tool.price 2 | grep -q 4", { "tool/price.py": "print(4)" }, "tool/price.py"],
    ["go run . 2 | grep -q 4", { "main.go": "package main" }, "main.go"],
    ["cat rates.mjs | node src/price.mjs", { ...source, "rates.mjs": "1\n" }, "rates.mjs"],
  ])("%s runs what is proven [F-207]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([]);
  });
});

const exits =
  'import { price } from "../src/price.mjs";\nexport const all = () => { if (price(1) !== 2) process.exit(1); };\n';
const exitsPython =
  "import sys, subprocess\nif subprocess.check_output(['node','src/price.mjs']) != b'2': sys.exit(1)\n";
const cases = (script: string): Files => ({ ...source, "qa/all.sh": script, "qa/rounding-cases.mjs": judge });
const tool = "const n = Number(process.argv[2]);\nif (n < 0) throw new Error('below 0');\nconsole.log(n * 2);\n";

describe("what a check runs, or is made of, is as at the base", () => {
  it.each<[string, Files, string]>([
    ["sh qa/all.sh", cases("node qa/rounding-cases.mjs\n"), "qa/rounding-cases.mjs"],
    ["sh qa/all.sh", cases("cd qa && node rounding-cases.mjs\n"), "qa/rounding-cases.mjs"],
    ["sh qa/all.sh", cases('cd "$(dirname "$0")"\nnode rounding-cases.mjs\n'), "qa/rounding-cases.mjs"],
    ["cd qa && ./all.sh", cases("node ./rounding-cases.mjs\n"), "qa/rounding-cases.mjs"],
    [
      "./check.sh",
      { ...source, "check.sh": "python3 accept/helper.py && echo fine\n", "accept/helper.py": exitsPython },
      "accept/helper.py",
    ],
    [
      "./check.sh",
      { ...source, "check.sh": "set -e\npython3 accept/helper.py\necho fine\n", "accept/helper.py": exitsPython },
      "accept/helper.py",
    ],
    ["./check.sh", { ...source, "check.sh": "sh ./inner/more.sh\n", "inner/more.sh": asks }, "inner/more.sh"],
    [
      "sh a.sh",
      { ...source, "a.sh": "sh inner/b.sh\n", "inner/b.sh": "sh inner/c.sh\n", "inner/c.sh": asks },
      "inner/c.sh",
    ],
    ["npm test", { ...source, ...npm("sh ./inner/more.sh"), "inner/more.sh": asks }, "inner/more.sh"],
    [
      "node check.mjs",
      { ...source, "check.mjs": 'import { all } from "./inner/more.mjs";\nall();\n', "inner/more.mjs": exits },
      "inner/more.mjs",
    ],
  ])("%s %# [F-201]", async (command, base, expected) => {
    expect(await frozenOf(base, [expected], command)).toEqual([expected]);
  });

  it.each<[string, Files, string]>([
    [
      "sh qa.sh",
      { ...source, "qa.sh": '[ "$(node tool/price.mjs 2)" = 4 ]\n', "tool/price.mjs": tool },
      "tool/price.mjs",
    ],
    [
      "sh qa.sh",
      {
        ...source,
        "qa.sh": "set -e\nnode tool/price.mjs 2 > out.txt\ndiff out.txt wanted.txt\n",
        "tool/price.mjs": tool,
      },
      "tool/price.mjs",
    ],
    [
      "sh qa.sh",
      {
        ...source,
        "qa.sh": "node api/server.mjs &\nsleep 1\ncurl -sf localhost:8080\n",
        "api/server.mjs": `import http from "node:http";\n${tool}`,
      },
      "api/server.mjs",
    ],
    [
      "sh qa.sh",
      { ...source, "qa.sh": "node tool/build.mjs && test -f out.txt\n", "tool/build.mjs": tool },
      "tool/build.mjs",
    ],
    [
      "node check.mjs",
      {
        ...source,
        "check.mjs": 'import { total } from "./shop/total.mjs";\nif (total(1) !== 2) throw 1;\n',
        "shop/total.mjs": tool,
      },
      "shop/total.mjs",
    ],
  ])("%s %# runs what is proven [F-207]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([]);
  });
});

const exitsItself = "const n = Number(process.argv[2]);\nif (n !== 2) process.exit(1);\n";
const ver = (run: string): Files => ({
  ...source,
  "qa.sh": run,
  "ver/x.mjs": `import "../src/price.mjs";\n${exitsItself}console.log(n);\n`,
});
const cli = `import { price } from "./price.mjs";\n${exitsItself}console.log("usage", price(n));\n`;

describe("output that nothing compares", () => {
  it.each<[string, Files, string]>([
    ["bash qa.sh", ver("set -o pipefail\nnode ver/x.mjs | tee out.log\n"), "ver/x.mjs"],
    ["sh qa.sh", ver("node ver/x.mjs 2>&1\n"), "ver/x.mjs"],
    ["sh qa.sh", ver("node ver/x.mjs > /dev/null 2>&1\n"), "ver/x.mjs"],
    ["set -o pipefail; node ver.mjs 2 | tee out.log", { "a.mjs": "1", "ver.mjs": exitsItself }, "ver.mjs"],
    ["set -o pipefail; node ver.mjs 2 |& tee -a out.log | cat", { "a.mjs": "1", "ver.mjs": exitsItself }, "ver.mjs"],
    ["node ver.mjs 2 > out.log", { "a.mjs": "1", "ver.mjs": exitsItself }, "ver.mjs"],
  ])("%s: %# leaves the result to the program, which is proof [F-201]", async (command, base, expected) => {
    expect(await frozenOf(base, [expected], command)).toEqual([expected]);
  });

  it.each<[string, Files, string]>([
    ["sh qa.sh", ver("node ver/x.mjs | tee out.log | grep -q 4\n"), "ver/x.mjs"],
    ["sh qa.sh", ver("node ver/x.mjs | tee out.log\ngrep -q 4 out.log\n"), "ver/x.mjs"],
    ["sh qa.sh", ver('node ver/x.mjs > "$tmp" 2>&1\ndiff "$tmp" wanted.txt\n'), "ver/x.mjs"],
    ["node price.mjs 2 > out.log && grep -q 4 out.log", { "a.mjs": "1", "price.mjs": exitsItself }, "price.mjs"],
  ])("%s: %# is compared when another command reads it [F-207]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([]);
  });

  it("is compared by the condition of its criterion [F-207]", async () => {
    const base = { "a.mjs": "1", "price.mjs": exitsItself };
    expect(await frozenOf(base, ["price.mjs"], "node price.mjs 2", { output: "4" })).toEqual([]);
    expect(await frozenOf(base, ["price.mjs"], "node price.mjs 2")).toEqual(["price.mjs"]);
  });
});

describe("the file with which an application begins", () => {
  const shop = {
    "shop/__init__.py": "",
    "shop/price.py": "price = 1\n",
    "tests/test_a.py": "from shop import price\n",
  };
  const begins = "import sys\nfrom shop.price import price\nif len(sys.argv) < 2:\n    sys.exit('failed: no input')\n";
  it.each<[string, Files, string]>([
    ["node cli.mjs --help | grep -q list", { ...source, "cli.mjs": cli.replace("./", "./src/") }, "cli.mjs"],
    ["node index.js x", { "index.js": "require('./a')();\nprocess.exit(1)", "a.js": "module.exports = 1" }, "index.js"],
    ["python app.py --check", { ...shop, "app.py": begins }, "app.py"],
    ["python -m shop --version", { ...shop, "shop/__main__.py": begins }, "shop/__main__.py"],
    ["python -m shop.cli --version", { ...shop, "shop/cli.py": begins }, "shop/cli.py"],
  ])("%s is the work [F-207]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([]);
  });

  it.each<[string, Files, string]>([
    ["node main.mjs", { ...source, "main.mjs": judge.replace("../", "./") }, "main.mjs"],
    [
      "node ver/index.mjs",
      { ...source, "ver/index.mjs": `import "../src/price.mjs";\n${exitsItself}` },
      "ver/index.mjs",
    ],
    ["python -m qa", { ...shop, "qa/__main__.py": begins }, "qa/__main__.py"],
  ])("%s is proof when it judges other code [F-201]", async (command, base, expected) => {
    expect(await frozenOf(base, [expected], command)).toEqual([expected]);
  });
});

const eq = "export function eq(a, b) { if (a !== b) throw new Error(`${a}`); }\n";
const flat = (from: string): Files => ({
  "price.mjs": "export const price = 1;\n",
  "check.mjs": `import { eq } from "${from}";\nimport { price } from "./price.mjs";\neq(price, 2);\n`,
});

describe("code with which a check compares is as at the base, in any folder", () => {
  it.each<[string, Files, string]>([
    ["node check.mjs", { ...flat("./lib/assert.mjs"), "lib/assert.mjs": eq }, "lib/assert.mjs"],
    ["node check.mjs", { ...flat("./eq.mjs"), "eq.mjs": eq }, "eq.mjs"],
    ["node check.mjs", { ...flat("./helpers/same.mjs"), "helpers/same.mjs": eq }, "helpers/same.mjs"],
    [
      "python3 check.py",
      {
        "price.py": "price = 1\n",
        "check.py": "from lib.equal import eq\n",
        "lib/equal.py": "def eq(a, b):\n    pass\n",
      },
      "lib/equal.py",
    ],
    [
      "sh check.sh",
      { "price.sh": "echo 1\n", "check.sh": ". ./lib/cmp.sh\n", "lib/cmp.sh": 'assert_eq() { [ "$1" = "$2" ]; }\n' },
      "lib/cmp.sh",
    ],
  ])("%s: %# [F-201]", async (command, base, expected) => {
    expect(await frozenOf(base, [expected], command)).toEqual([expected]);
  });

  it.each<[string, Files, string]>([
    ["node check.mjs", { ...flat("./eq.mjs"), "eq.mjs": eq }, "price.mjs"],
    ["node check.mjs", { ...flat("./eq.mjs"), "eq.mjs": eq, "cart.mjs": 'import { eq } from "./eq.mjs";\n' }, "eq.mjs"],
    [
      "node check.mjs",
      {
        "check.mjs": 'import { verify } from "./lib/token.mjs";\n',
        "lib/token.mjs": "export function verify() { throw 1; }",
      },
      "lib/token.mjs",
    ],
  ])("%s: %# leaves the work free [F-207]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([]);
  });
});

const all = '[ "$(sh src/f.sh 2)" = 6 ]\n';

describe("what a proof finds by itself is as at the base", () => {
  it.each<[string, Files, string]>([
    ["node --test checks/", { ...source, "checks/prices.mjs": test }, "checks/prices.mjs"],
    ["npm test", { ...source, ...npm("node --test checks/*.mjs"), "checks/prices.mjs": test }, "checks/prices.mjs"],
    ["node --test checks", { "price.mjs": "export const price = 1;", "checks/prices.mjs": test }, "checks/prices.mjs"],
    [
      "node --test checks",
      { ...source, "checks/prices.mjs": `${test}import "./same.mjs";`, "checks/same.mjs": "export const same = 1;" },
      "checks/same.mjs",
    ],
    [
      "make check",
      {
        ...source,
        Makefile: "check:\n\t@for f in acceptance/*.sh; do sh $$f; done\n",
        "acceptance/price.sh": "[ 1 = 1 ]",
      },
      "acceptance/price.sh",
    ],
    [
      "sh run-cases.sh",
      {
        "src/price.sh": "echo 4",
        "run-cases.sh": "for f in cases/*.case; do sh src/price.sh <$f; done",
        "cases/two.case": "2 4",
      },
      "cases/two.case",
    ],
    [
      "node run-cases.mjs",
      { ...source, "run-cases.mjs": 'for (const each of readdirSync("cases")) run(each);', "cases/two.json": "{}" },
      "cases/two.json",
    ],
    [
      "pytest -q",
      {
        "src/price.py": "price = 1",
        "pytest.ini": "[pytest]\ntestpaths = checks\npython_files = *.py\n",
        "checks/prices.py": "import price",
      },
      "checks/prices.py",
    ],
  ])("%s [F-201]", async (command, base, expected) => {
    expect(await frozenOf(base, [expected], command)).toEqual([expected]);
  });

  it.each<[string, Files, string]>([
    // Other source imports it.
    [
      "node --test checks",
      {
        "src/price.mjs": 'import "../checks/rules.mjs";',
        "checks/rules.mjs": "export const a = 1;",
        "checks/prices.mjs": test,
      },
      "checks/rules.mjs",
    ],
    [
      "node --test checks",
      { "price.mjs": 'import "./checks/rules.mjs";', "checks/rules.mjs": "export const a = 1;" },
      "checks/rules.mjs",
    ],
    // Source reads the folder, too.
    [
      "sh run-cases.sh",
      {
        "src/price.sh": "cat rates/*.csv",
        "run-cases.sh": "for f in rates/*.csv; do sh src/price.sh <$f; done",
        "rates/two.csv": "2 4",
      },
      "rates/two.csv",
    ],
    [
      "node run.mjs",
      {
        "src/price.mjs": 'readdirSync("rates")',
        "run.mjs": 'for (const each of readdirSync("rates")) run(each);',
        "rates/two.json": "{}",
      },
      "rates/two.json",
    ],
    // It lies with the source.
    ["node --test checks src", { ...source, "checks/prices.mjs": test }, "src/price.mjs"],
    // The folder is a package, and is looked at, moved into or run.
    [
      "pytest shop",
      { "shop/price.py": "price = 1", "shop/tests/test_price.py": "from shop.price import price" },
      "shop/price.py",
    ],
    ["python3 -m shop 2 | grep -q 4", { "shop/__main__.py": "print(4)", "src/other.py": "" }, "shop/__main__.py"],
    ["node web 2 | grep -q 4", { "web/index.js": "console.log(4)", "src/other.js": "" }, "web/index.js"],
    ["cd web && npm test", { "web/index.js": "console.log(4)", "src/other.js": "" }, "web/index.js"],
    ["npx eslint examples", { "examples/price.js": "console.log(4)", "src/other.js": "" }, "examples/price.js"],
    ["go test ./shop/...", { "shop/price.go": "package shop", "shop/price_test.go": "package shop" }, "shop/price.go"],
    ["npm test", { ...source, ...npm("node --test"), "web/index.html": "<p>" }, "web/index.html"],
    ["pytest --cov=shop tests", { "shop/price.py": "price = 1", "tests/test_all.py": "import shop" }, "shop/price.py"],
  ])("%s freezes nothing that is proven [F-207]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([]);
  });

  const app = {
    "app.py": "from flask import Flask\napp = Flask('shop')\napp.run()\n",
    "tests/test_a.py": "import app",
  };
  const server = { "server.js": 'require("http").createServer((q, r) => r.end("ok")).listen(80);' };
  const c = {
    "main.c": "int main() {}",
    "parse.c": "int parse() {}",
    "parse.h": "int parse();",
    "tests/run.sh": "./app",
  };
  const pages = { ...source, "docs/install.md": "# Install", "docs/other.md": "other" };
  it.each<[string, Files, string]>([
    ["make test", { ...app, Makefile: "run:\n\tpython app.py\ntest:\n\tpytest tests\n" }, "app.py"],
    ["make test", { ...app, Makefile: "test: up\n\tpytest tests\nup:\n\tpython app.py &\n" }, "app.py"],
    [
      "npm start & sleep 1; curl -fs localhost",
      { ...server, ...source, ...npm("x"), "package.json": '{"scripts":{"start":"node server.js"}}' },
      "server.js",
    ],
    [
      "npm test",
      {
        ...source,
        "build.js": "fs.readdirSync('templates')",
        "templates/page.html": "<p>",
        "package.json": '{"scripts":{"pretest":"node build.js","test":"node --test"}}',
      },
      "build.js",
    ],
    [
      "npm test",
      {
        ...source,
        "build.js": "fs.readdirSync('templates')",
        "templates/page.html": "<p>",
        "package.json": '{"scripts":{"test":"node build.js && node --test"}}',
      },
      "templates/page.html",
    ],
    [
      "npm test",
      {
        ...source,
        "cli.js": "console.log(1)",
        "package.json": '{"scripts":{"cli":"node cli.js","test":"npm run cli -- --version && node --test"}}',
      },
      "cli.js",
    ],
    [
      "npm run pack",
      { ...source, "build.mjs": "if (!ok) process.exit(1);", "package.json": '{"scripts":{"pack":"node build.mjs"}}' },
      "build.mjs",
    ],
    [
      "npm run all",
      { ...source, "serve.js": "process.exit(1)", "package.json": '{"scripts":{"all":"node serve.js"}}' },
      "serve.js",
    ],
    [
      "npm test",
      {
        ...source,
        "start.mjs": "",
        "tool.mjs": "throw new Error();",
        "package.json": '{"scripts":{"test":"node tool.mjs & node --test"}}',
      },
      "tool.mjs",
    ],
    [
      "for f in functions/*.js; do node --check $f || exit 1; done",
      { ...source, "functions/a.js": "" },
      "functions/a.js",
    ],
    [
      "make test",
      {
        ...c,
        Makefile: "SRCS := $(wildcard *.c)\napp: $(SRCS)\n\t$(CC) -o app $(SRCS)\ntest: app\n\tsh tests/run.sh\n",
      },
      "parse.c",
    ],
    [
      "make test",
      {
        ...source,
        "engine/parse.cpp": "int parse;",
        Makefile: "SRC = engine/*.cpp\ntest:\n\tg++ $(SRC) -o t && ./t\n",
      },
      "engine/parse.cpp",
    ],
    ["vale docs && npm test", pages, "docs/install.md"],
    ["npx remark docs && npm test", pages, "docs/install.md"],
    ["make manual", { ...pages, Makefile: "manual:\n\tpandoc docs/*.md -o manual.pdf\n" }, "docs/install.md"],
    ["for f in docs/*.md; do grep -q other $f || exit 1; done", pages, "docs/install.md"],
    [
      "for f in locales/*.json; do\n  jq -e .title $f\ndone",
      { ...source, "locales/de.json": '{"title": 1}' },
      "locales/de.json",
    ],
    [
      "for f in migrations/*.sql; do psql -f $f; done",
      { ...source, "migrations/001.sql": "select 1" },
      "migrations/001.sql",
    ],
    ["protoc proto/*.proto --go_out=.", { ...source, "proto/a.proto": "message A {}" }, "proto/a.proto"],
    ["npx html-validate site/*.html", { ...source, "site/index.html": "<p>" }, "site/index.html"],
    ["pytest --doctest-modules shop", { "shop/orders.py": "x = 1", "lib/a.py": "y = 1" }, "shop/orders.py"],
  ])("%s freezes nothing that is built, drawn or served [F-207]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([]);
  });

  it.each<[string, Files, string]>([
    [
      "make check",
      {
        ...source,
        Makefile:
          "CASES = cases/*.in\ncheck: build\n\tfor f in $(CASES); do sh src/price.sh < $$f; done\nbuild:\n\techo\n",
        "cases/two.in": "2 4",
      },
      "cases/two.in",
    ],
    [
      "make",
      {
        ...source,
        Makefile: ".PHONY: all\nall: cases/*.ok\n%.ok: %.in\n\tsh src/price.sh < $<\n",
        "cases/two.ok": "2 4",
      },
      "cases/two.ok",
    ],
    [
      "sh all.sh",
      {
        "src/price.sh": "echo 4",
        "all.sh": "for f in cases/*.case; do\n  if true; then\n    sh src/price.sh <$f\n  fi\ndone",
        "cases/two.case": "2 4",
      },
      "cases/two.case",
    ],
    ["ls cases | xargs -n1 sh src/price.sh", { "src/price.sh": "echo 4", "cases/two.case": "2 4" }, "cases/two.case"],
    [
      "npm test",
      {
        ...source,
        ...npm("node run-cases.mjs"),
        "run-cases.mjs": 'for (const f of readdirSync("cases")) run(f);',
        "cases/two.json": "{}",
      },
      "cases/two.json",
    ],
    [
      "npm test",
      { ...source, ...npm("node judge.mjs"), "judge.mjs": "if (price(2) !== 4) process.exit(1);" },
      "judge.mjs",
    ],
    ["make test", { ...source, Makefile: "test:\n\t./check.sh\n", "check.sh": "[ 1 = 1 ]" }, "check.sh"],
    // It is called like none, and runs last.
    [
      "make test",
      { "src/f.sh": "echo 4", Makefile: "test: up\n\tsh qa/all.sh\nup:\n\techo\n", "qa/all.sh": all },
      "qa/all.sh",
    ],
    [
      "make",
      { "src/f.sh": "echo 4", Makefile: "all: qa\nqa:\n\techo\n\tsh qa/all.sh\n", "qa/all.sh": all },
      "qa/all.sh",
    ],
    [
      "npm run build && npm test",
      { ...source, ...npm("node build.js && node qa/run.mjs"), "qa/run.mjs": "if (price(2) !== 4) process.exit(1);" },
      "qa/run.mjs",
    ],
    [
      "make test",
      { ...source, Makefile: "test:\n\tpython3 try_all.py\n", "try_all.py": 'if f(2) != 6: raise SystemExit("f(2)")' },
      "try_all.py",
    ],
    // Named by way of a loop's variable.
    [
      "for f in cases/*.in; do python3 app.py < $f | diff - ${f%.in}.out || exit 1; done",
      { "app.py": "print(4)", "cases/two.in": "2", "cases/two.out": "4" },
      "cases/two.out",
    ],
    [
      "for n in two five; do ./greet < cases/$n.in | diff - cases/$n.out || exit 1; done",
      { greet: "#!/bin/sh\necho 4\n", "cases/two.in": "2", "cases/two.out": "4" },
      "cases/two.out",
    ],
    [
      "sh run.sh",
      {
        "app.py": "print(4)",
        "run.sh": "for f in cases/*.in; do\n  python3 app.py < $f | diff - ${f/.in/.out} || exit 1\ndone\n",
        "cases/two.in": "2",
        "cases/two.out": "4",
      },
      "cases/two.out",
    ],
    [
      "make check",
      {
        "app.py": "print(4)",
        Makefile: "check:\n\tfor f in cases/*.in; do python3 app.py < $$f | diff - $${f%.in}.out || exit 1; done\n",
        "cases/two.in": "2",
        "cases/two.out": "4",
      },
      "cases/two.out",
    ],
  ])("%s freezes what it runs, or goes through [F-201]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([changed]);
  });

  const price = "export const price = (n) => n + 1;\nconsole.log(price(Number(process.argv[2])));\n";
  const roman =
    'import sys\n\nif len(sys.argv) < 2:\n    raise SystemExit("a number")\nprint("I" * int(sys.argv[1]))\n';
  const withTax = `import { tax } from "./tax.mjs";\n${price}`;
  it.each<[string, Files, string]>([
    ['test "$(node price.mjs 2)" = 4 && test "$(node price.mjs 5)" = 10', { "price.mjs": price }, "price.mjs"],
    ["python3 roman.py 4 | grep -qx IV", { "roman.py": roman, "README.md": "roman.py" }, "roman.py"],
    ["npm test", { ...npm('test "$(node price.mjs 2)" = 4'), "price.mjs": price }, "price.mjs"],
    ["make check", { Makefile: "check:\n\techo 2 | node price.mjs | grep -qx 4\n", "price.mjs": price }, "price.mjs"],
    ["node price.mjs 2 | diff - out", { "price.mjs": withTax, "tax.mjs": "export const tax = 1;" }, "price.mjs"],
    ["node app.mjs", { "app.mjs": "console.log(nothing);\n", "src/price.mjs": "" }, "app.mjs"],
    // A manifest says that it is what is delivered.
    [
      "node cli.mjs 2 | grep -qx 4",
      { ...source, "cli.mjs": 'import "./src/price.mjs";', "package.json": '{ "bin": "./cli.mjs" }' },
      "cli.mjs",
    ],
  ])("%s leaves the program that it runs to the work [F-207]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([]);
  });

  const greet = { greet: '#!/bin/sh\necho "hi $1"\n' };
  it.each([
    "timeout 5 ./greet Ana | grep -qx 'hello Ana'",
    "timeout -s KILL 5 ./greet Ana | grep -qx 'hello Ana'",
    "out=$(timeout 5 ./greet Ana); [ \"$out\" = 'hello Ana' ]",
    "! ./greet",
    "if ./greet; then exit 1; fi",
    "if test -x greet; then ./greet Ana | grep -q hello; else exit 1; fi",
    "for n in a b; do ./greet $n | grep -q hello || exit 1; done",
    "test -x greet",
    "[ -f greet ] && shellcheck ./greet && ! grep -q 'hi ' greet",
  ])("%s leaves a program without an ending to the work [F-207]", async (command) => {
    expect(await frozenOf(greet, ["greet"], command)).toEqual([]);
  });

  const judges = { ...source, judge: "#!/bin/sh\n[ 4 = 4 ] || exit 1\n", "judge.mjs": "if (price(2) !== 4) exit(1);" };
  it.each<[string, string]>([
    ["timeout 5 ./judge", "judge"],
    ["test -x judge && ./judge", "judge"],
    ["find . -name judge -exec ./judge {} +", "judge"],
    ["bash -c ./judge", "judge"],
    ["./price | grep -qxFf judge", "judge"],
    ["if ! timeout 5 node judge.mjs; then exit 1; fi", "judge.mjs"],
    ["for n in 2 5; do node judge.mjs $n || exit 1; done", "judge.mjs"],
  ])("%s runs what judges, and it is as at the base [F-201]", async (command, path) => {
    expect(await frozenOf(judges, [path], command)).toEqual([path]);
  });

  const prints = 'import { price } from "./src/price.mjs";\nconsole.log(price(process.argv[2] ?? 2));\n';
  it.each<[string, Files, string]>([
    // It judges, by its name or by what it says.
    ["node check.mjs | grep -q 4", { "price.mjs": price, "check.mjs": price }, "check.mjs"],
    [
      "node all.mjs 2 | grep -q ok",
      { "price.mjs": price, "all.mjs": 'console.log(price(2) === 4 ? "ok" : "no");' },
      "all.mjs",
    ],
    ["python3 price.py", { "price.py": "def price(n):\n    return n + 1\n\nassert price(2) == 4\n" }, "price.py"],
    ["node price.mjs", { "price.mjs": `${price}if (price(2) !== 4) process.exit(1);` }, "price.mjs"],
    // Nothing is given to it, or nothing holds what it prints: it looks at other code.
    ["node show.mjs | grep -qx 4", { "price.mjs": price, "show.mjs": 'import "./price.mjs";' }, "show.mjs"],
    ["node show.mjs 2", { "price.mjs": price, "show.mjs": 'import "./price.mjs";' }, "show.mjs"],
    ["sh show.sh price.mjs | grep -qx 4", { "price.mjs": price, "show.sh": "node $1 2" }, "show.sh"],
    [
      "sh show.sh | grep -qx 4",
      { "price.mjs": price, "show.sh": "for f in *; do head -1 $f; done; npm start" },
      "show.sh",
    ],
    // It prints what lies in the folders of source, and nothing says that it is delivered.
    ["node show.mjs 2 | grep -qx 4", { ...source, "show.mjs": prints }, "show.mjs"],
  ])("%s runs a program that proves, and it is as at the base [F-201]", async (command, base, changed) => {
    expect(await frozenOf(base, [changed], command)).toEqual([changed]);
  });

  const client = { "client/src/App.js": "export const App = 1;\n", "README.md": "api/server.js" };
  const service = "module.exports = { find };\n";
  const ofServer = 'const { find } = require("../server.js");\n';
  it.each<[string, Files, string]>([
    ["cd api && npm test", { "api/server.js": service, "api/test/server.test.js": ofServer }, "api/server.js"],
    [
      "cd api && npm test",
      { "api/server.js": service, "api/test/all.test.js": ofServer, "api/package.json": '{ "main": "server.js" }' },
      "api/server.js",
    ],
    ["npx jest api", { "api/hello.js": service, "api/hello.test.js": 'require("./hello")' }, "api/hello.js"],
    [
      "pytest backend",
      { "backend/wsgi.py": "app = 1", "backend/tests/test_wsgi.py": "import wsgi" },
      "backend/wsgi.py",
    ],
    [
      "npx playwright test",
      { "index.html": "<p>", "package.json": "{}", "tests/index.spec.js": "index" },
      "index.html",
    ],
    [
      "go test ./...",
      { "handlers/user.go": "package h", "handlers/user_test.go": "package h // user" },
      "handlers/user.go",
    ],
    [
      "python manage.py test",
      { "shop/management/commands/sync.py": "a = 1", "shop/tests/test_all.py": 'call_command("sync")' },
      "shop/management/commands/sync.py",
    ],
  ])(
    "%s leaves what its tests are about to the work, beside a folder of source [F-207]",
    async (command, base, path) => {
      expect(await frozenOf({ ...client, ...base }, [path], command)).toEqual([]);
    },
  );

  it("what the goal names is left to the work, though nothing but tests names it [F-207]", async () => {
    const base = { ...client, "api/server.js": service, "test/all.test.js": 'require("../api/server")' };
    const all = { ...base, "checks/all.mjs": test };

    expect(
      await frozenOf(base, ["api/server.js"], "npm test", { content: "In api/server.js ids are checked" }),
    ).toEqual([]);
    expect(await frozenOf(base, ["api/server.js"], "npm test", { content: "Ids are checked" })).toEqual([
      "api/server.js",
    ]);
    // What the proof finds as a test stays one.
    expect(
      await frozenOf(all, ["checks/all.mjs"], "node --test checks", { content: "Make checks/all.mjs pass" }),
    ).toEqual(["checks/all.mjs"]);
  });

  it.each<[string, string]>([
    ["support/server.js", "test/server.test.js"],
    ["api/support/compare.js", "api/test/server.test.js"],
    ["qa/same.js", "qa/server.test.js"],
    ["same.js", "api/test/all.test.js"],
  ])("%s, with which %s tests, is as at the base [F-201]", async (path, by) => {
    const base = {
      ...client,
      [path]: "exports.same = equal;\n",
      [by]: `require("${path}"); require("../client/src/App")`,
    };

    expect(await frozenOf(base, [path], "npm test")).toEqual([path]);
  });

  it("new ones are free [F-201]", async () => {
    const base = { ...source, "checks/prices.mjs": test };

    expect(await frozenOf(base, ["checks/new.mjs", "src/price.mjs"], "node --test checks/")).toEqual([]);
  });
});

describe("what a runner loads beside the tests", () => {
  const jest = (settings: object): Files => ({
    "src/price.js": "exports.price = 1;",
    "tests/price.test.js": 'require("../src/price");',
    "package.json": JSON.stringify({ name: "shop", jest: settings, scripts: { test: "jest" } }),
  });
  const boot = jest({ setupFiles: ["./src/boot.js"] });

  it.each<[string, Files, string]>([
    ["lies with the source", { ...boot, "src/boot.js": "process.env.TZ = 'UTC';" }, "src/boot.js"],
    [
      "is loaded by another one",
      {
        ...jest({ setupFiles: ["./src/boot.js", "./src/all.js"] }),
        "src/boot.js": "",
        "src/all.js": 'require("./boot");',
      },
      "src/boot.js",
    ],
    [
      "stands in for styles",
      { ...jest({ moduleNameMapper: { css$: "<rootDir>/src/style-mock.js" } }), "src/style-mock.js": "" },
      "src/style-mock.js",
    ],
  ])("is as at the base where it %s [F-201]", async (_, base, changed) => {
    expect(await frozenOf(base, [changed], "npm test")).toEqual([changed]);
  });

  it.each<[string, Files, string]>([
    ["source loads", { ...boot, "src/boot.js": "", "src/price.js": 'require("./boot");' }, "src/boot.js"],
    ["source loads by an alias", { ...boot, "src/boot.js": "", "src/price.js": 'import "@/boot";' }, "src/boot.js"],
    [
      "a page loads",
      { ...boot, "src/boot.js": "", "index.html": '<script src="/src/boot.js"></script>' },
      "src/boot.js",
    ],
    [
      "a build begins with",
      { ...boot, "src/boot.js": "", "webpack.config.js": 'exports.entry = "./src/boot.js";' },
      "src/boot.js",
    ],
    ["a test is about", { ...boot, "src/boot.js": "", "tests/boot.test.js": 'require("../src/boot");' }, "src/boot.js"],
    [
      "source loads by its folder",
      { ...jest({ setupFiles: ["./src/i18n/index.js"] }), "src/i18n/index.js": "", "src/app.js": 'require("./i18n");' },
      "src/i18n/index.js",
    ],
    [
      "is a package of the repository",
      {
        ...jest({ moduleNameMapper: { "^@shop/core$": "<rootDir>/packages/core/src/index.js" } }),
        "packages/core/src/index.js": "exports.core = 1;",
        "packages/cart.js": 'require("@shop/core");',
      },
      "packages/core/src/index.js",
    ],
    [
      "is built",
      {
        ...source,
        "vite.config.ts": 'export default { define: { environment: "src/env.ts" } };',
        "src/env.ts": "export const env = 1;",
      },
      "src/env.ts",
    ],
  ])("is what is tested where %s [F-207]", async (_, base, changed) => {
    expect(await frozenOf(base, [changed], "npm test")).toEqual([]);
  });
});
